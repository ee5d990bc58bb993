/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which rules the checker of runs leaves where other things happen on the phone, and which it keeps. */
#include "tests/model/spoilt.h"

/* Of every event, and so of the report; more bytes only of the convolution, which computes long enough to move them. */
static void scale(struct spoilt *x, double energy, double bytes, double share_on_host)
{
  hs_metrics_free(&x->metrics);
  hs_metrics_start(&x->metrics, &x->r.sys);
  for (int i = 0; i < x->n; i++) {
    struct hs_event *e = &x->events[i];
    e->energy_j *= energy;
    e->bytes *= bytes < 1 || e->task == 5 ? bytes : 1;
    if (e->program->tasks[e->task].processor == CPU && e->program->tasks[e->task].delay_s <= 0) scale_share(e, share_on_host);
    hs_metrics_task(&x->metrics, e);
  }
  for (int i = 0; i < 2; i++) hs_metrics_ended(&x->metrics, &x->outcomes[i]);
}

static void on_cpu(struct hs_scenario *s)
{
  static struct hs_phase phase = {.to_s = INFINITY, .threads = 1, .duty_frac = 1};
  s->n_processes = 1;
  s->processes[0] = (struct hs_process){.name = "a", .n_phases = 1, .phases = &phase, .clusters = 1u << (CPU * HS_DOMAINS_MAX)};
}
static void on_gpu(struct hs_scenario *s)
{
  static struct hs_phase phase = {.to_s = INFINITY, .load_frac = {[HS_GPU] = 1}};
  s->n_processes = 1;
  s->processes[0] = (struct hs_process){.name = "a", .n_phases = 1, .phases = &phase};
}
static void governed(struct hs_scenario *s) { s->governed[GPU][0].kind = HS_PERFORMANCE; }
static void governed_cpu(struct hs_scenario *s) { s->governed[CPU][0].kind = s->governed[CPU][1].kind = HS_SCHEDUTIL; }
static void warm(struct hs_scenario *s) { s->thermal = true; }
static void shown(struct hs_scenario *s) { s->ui_rate_hz = 60; }
static void cached(struct hs_scenario *s) { s->cache_hit_frac = 0.75; }
static void empty(struct hs_scenario *s) { (void)s; }

/* Where h0 is 0.5, others at most double the traffic, and a hit rate of 0.75 halves it. GPU: 1.9 W dynamic and 0.09 W static, 27.9 times
 * that at 150 °C. */
static const struct {
  void (*scenario)(struct hs_scenario *);
  double h0, energy, bytes, share;
  const char *message; /* NULL: accepted */
} living_cases[] = {
  {empty, 0.5, 1, 1, 1, NULL},
  {empty, 0.5, 0.5, 1, 1, "takes another energy"},
  {empty, 0.5, 1, 0.9, 1, "moves other bytes"},
  {empty, 0.5, 1, 1, 0.9, "shares of cpu are"},
  {governed, 0.5, 0.5, 1, 1, NULL},
  {governed, 0.5, 1.01, 1, 1, "takes another energy"},
  {warm, 0.5, 1.01, 1, 1, NULL},
  {warm, 0.5, 4, 1, 1, "takes another energy"},
  {on_cpu, 0.5, 1, 1, 0.9, NULL},
  {on_cpu, 0.5, 1, 1.2, 1, NULL},
  {on_cpu, 0.1, 1, 1.2, 1, "moves other bytes"},
  {on_cpu, 0.5, 1, 0.9, 1, "moves other bytes"},
  {on_gpu, 0.5, 1, 1, 0.9, "shares of cpu are"},
  {on_gpu, 0.5, 0.9, 1, 1, "takes another energy"},
  {shown, 0.5, 1, 1, 0.9, NULL},
  {cached, 0.5, 1, 0.5, 1, NULL},
  {cached, 0.5, 1, 1, 1, "moves other bytes"},
};

START_TEST(a_scenario_leaves_some_rules)
{
  struct spoilt x;
  struct hs_scenario scenario;
  struct hs_error err;
  open_spoilt(&x);
  x.r.soc->memory.llc_hit_frac = living_cases[_i].h0;
  hs_scenario_open(&scenario);
  living_cases[_i].scenario(&scenario);
  x.scenario = &scenario;
  scale(&x, living_cases[_i].energy, living_cases[_i].bytes, living_cases[_i].share);
  rig_says(check(&x, &err), &err, HS_UNMET, living_cases[_i].message);
  close_spoilt(&x);
}
END_TEST

/* Where cores are shared in slices, the threads of a task that has them for itself end together, unless clocks move. */
START_TEST(threads_wait_for_the_slowest_only)
{
  static const struct hs_scheduler slices = {10e-3, 3e-3, 2e-3};
  static const struct {
    void (*scenario)(struct hs_scenario *);
    const char *message; /* NULL: accepted */
  } cases[] = {{empty, "shares of cpu are"}, {governed, NULL}};
  struct spoilt x;
  struct hs_scenario scenario;
  struct hs_error err;
  open_spoilt(&x);
  x.r.sys.scheduler = &slices;
  hs_scenario_open(&scenario);
  cases[_i].scenario(&scenario);
  x.scenario = &scenario;
  scale(&x, 1, 1, 0.9);
  rig_says(check(&x, &err), &err, HS_UNMET, cases[_i].message);
  close_spoilt(&x);
}
END_TEST

/* Static power and what a cluster's cores share, 0.037 and 0.4 W, may be others' who are on it. Power of its own core nobody takes from a task. */
START_TEST(what_a_cluster_draws_may_be_others)
{
  static const struct {
    void (*scenario)(struct hs_scenario *);
    double own;
    const char *message; /* NULL: accepted */
  } cases[] = {{empty, 1, "takes another energy"}, {on_cpu, 1, NULL}, {on_cpu, 0.99, "takes another energy"}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct spoilt x;
    struct hs_scenario scenario;
    struct hs_error err;
    place_on_gpu(&x);
    x.r.soc->processors[CPU].domains[1].opps[2].shared_w = 0.4;
    run_twice(&x);
    hs_scenario_open(&scenario);
    cases[i].scenario(&scenario);
    x.scenario = &scenario;
    for (int k = 0; k < x.n; k++) {
      struct hs_event *e = &x.events[k];
      const struct hs_task *t = &e->program->tasks[e->task];
      if (t->processor == CPU && t->delay_s <= 0) e->energy_j = cases[i].own * (e->energy_j - (0.4 + 0.037) * (e->end_s - e->start_s));
    }
    scale(&x, 1, 1, 1);
    rig_says(check(&x, &err), &err, HS_UNMET, cases[i].message);
    close_spoilt(&x);
  }
}
END_TEST

/* On the CPU, three cores of mid (0.34 W each, or 2 W at an OPP below its highest) and one of big (2.39 W at its highest), whose clocks a governor or heat
 * sets one by one: each may be where it draws most. */
START_TEST(clusters_draw_most_at_different_opps)
{
  static const struct {
    void (*scenario)(struct hs_scenario *);
    double above; /* energy ÷ that of the cores where they draw most */
    const char *message; /* NULL: accepted */
  } cases[] = {{governed_cpu, 1, NULL}, {governed_cpu, 1.01, "takes another energy"}, {warm, 1, NULL}, {empty, 1, "takes another energy"}};
  struct spoilt x;
  struct hs_scenario scenario;
  struct hs_error err;
  open_phone(&x);
  x.pl = rig_place_all(&x.r, CPU);
  x.r.soc->processors[CPU].domains[0].opps[1].dynamic_w = 2;
  run_twice(&x);
  hs_scenario_open(&scenario);
  cases[_i].scenario(&scenario);
  x.scenario = &scenario;
  for (int k = 0; k < x.n; k++) {
    const struct hs_task *t = &x.events[k].program->tasks[x.events[k].task];
    ck_assert_int_eq(t->work.cores[0], 3);
    ck_assert_int_eq(t->work.cores[1], 1);
    x.events[k].energy_j = cases[_i].above * (x.events[k].end_s - x.events[k].start_s) * (0.9 * (3 * 2 + 2.39) + 0.017 + 0.037);
  }
  scale(&x, 1, 1, 1);
  rig_says(check(&x, &err), &err, HS_UNMET, cases[_i].message);
  close_spoilt(&x);
}
END_TEST

/* Of what three cores of mid (0.57 W each) and one of big (2.39 W) draw a kernel takes 0.9 here, or 1.2. Threads that wait for each other spin at all of it, if
 * cores are shared in slices, in a task whose threads did wait; no less than the kernel takes is right then, too. */
START_TEST(threads_that_wait_spin_at_full_power)
{
  static const struct hs_scheduler slices = {10e-3, 3e-3, 2e-3};
  static const struct {
    const struct hs_scheduler *scheduler;
    double kernel, share, power;
    const char *message; /* NULL: accepted */
  } cases[] = {{&slices, 0.9, 0.9, 1, NULL},
               {&slices, 0.9, 0.9, 1.01, "takes another energy"},
               {&slices, 0.9, 1, 1, "takes another energy"},
               {NULL, 0.9, 0.9, 1, "takes another energy"},
               {&slices, 1.2, 0.9, 1.2, NULL},
               {&slices, 1.2, 0.9, 1.21, "takes another energy"}};
  struct spoilt x;
  struct hs_scenario scenario;
  struct hs_error err;
  open_phone(&x);
  x.pl = rig_place_all(&x.r, CPU);
  run_twice(&x);
  hs_scenario_open(&scenario);
  on_cpu(&scenario);
  x.scenario = &scenario;
  x.r.sys.scheduler = cases[_i].scheduler;
  for (int k = 0; k < x.n; k++) {
    x.events[k].program->tasks[x.events[k].task].work.power_factor = cases[_i].kernel;
    x.events[k].energy_j = (x.events[k].end_s - x.events[k].start_s) * (cases[_i].power * (3 * 0.57 + 2.39) + 0.021 + 0.037);
  }
  scale(&x, 1, 1, cases[_i].share);
  rig_says(check(&x, &err), &err, HS_UNMET, cases[_i].message);
  close_spoilt(&x);
}
END_TEST

/* A kernel starts 1 us after it was ready on an idle GPU: only a rival there explains it. */
START_TEST(only_rivals_keep_an_accelerator_waiting)
{
  static void (*const scenarios[])(struct hs_scenario *) = {empty, on_cpu, governed, on_gpu, shown};
  for (int i = 0; i < 5; i++) {
    struct spoilt x;
    struct hs_scenario scenario;
    struct hs_error err;
    open_spoilt(&x);
    hs_scenario_open(&scenario);
    scenarios[i](&scenario);
    x.scenario = &scenario;
    at(&x, 0, 7)->start_s += 1e-6; /* the pool; what follows it is as much later, and so is the next request */
    bool follows = false;
    for (int k = 0; k < x.n; k++) {
      struct hs_event *e = &x.events[k];
      e->ready_s += follows ? 1e-6 : 0;
      e->start_s += follows ? 1e-6 : 0;
      follows |= e->request == 0 && e->task == 7;
      e->end_s += follows ? 1e-6 : 0;
    }
    for (int k = 0; k < 2; k++) {
      x.outcomes[k].arrival_s += k > 0 ? 1e-6 : 0;
      x.outcomes[k].end_s += 1e-6;
    }
    scale(&x, 1, 1, 1);
    rig_says(check(&x, &err), &err, HS_UNMET, i < 3 ? "waited for nothing" : NULL);
    close_spoilt(&x);
  }
}
END_TEST

static void fill(TCase *t)
{
  tcase_add_loop_test(t, a_scenario_leaves_some_rules, 0, (int)(sizeof living_cases / sizeof *living_cases));
  tcase_add_loop_test(t, threads_wait_for_the_slowest_only, 0, 2);
  tcase_add_test(t, what_a_cluster_draws_may_be_others);
  tcase_add_loop_test(t, clusters_draw_most_at_different_opps, 0, 4);
  tcase_add_loop_test(t, threads_that_wait_spin_at_full_power, 0, 6);
  tcase_add_test(t, only_rivals_keep_an_accelerator_waiting);
}

int main(void) { return hs_test_main("check_living", fill); }
