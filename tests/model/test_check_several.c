/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Can the checker of runs fail where several networks are served? A good run is spoilt in one way at a time. */
#include "tests/model/spoilt.h"
#include "tests/model/serving.h"

#define CHAIN RIG_NET(RIG_IN("image", "1, 40, 50, 3"), "'r'", RIG_OP("c", "Conv", "'image'", ", 'channels': 8, 'kernel': [3, 3], 'pad': 'same'") ","      \
                      RIG_OP("p", "MaxPool", "'c'", ", 'kernel': [2, 2], 'stride': [2, 2]") "," RIG_OP("r", "Tanh", "'p'", ""))

/* Closed loops and rates, shared CPU and queues, a network that is too slow for its rate, pieces on three processors of which
 * several are in flight. rates: of the period each network alone needs; 0: none. */
static void open_several(struct serving *s, const double *rates)
{
  const struct hs_policy *const policies[4] = {&serving_cpu, &serving_gpu, &serving_rotating, &serving_gpu};
  serving_open(s);
  for (int i = 0; i < 4; i++) {
    struct hs_network *n = serving_add(s, i == 3 ? ONE : CHAIN, policies[i]);
    if (rates[i] > 0) serving_rate(n, rates[i] * serving_alone(s, i), rates[i] * serving_alone(s, i));
  }
  serving_run(s, 5);
}

/* The same by other patterns: Poisson, bursts, and priorities against the order of the networks. */
static void open_patterns(struct serving *s)
{
  const struct hs_policy *const policies[4] = {&serving_gpu, &serving_gpu, &serving_rotating, &serving_cpu};
  static const char *const streams[4] = {"arrivals a 0", "arrivals a 1", "arrivals b 0", "arrivals c 0"};
  serving_open(s);
  for (int i = 0; i < 4; i++) {
    struct hs_network *n = serving_add(s, i == 1 ? ONE : CHAIN, policies[i]);
    n->pattern = (struct hs_pattern){i % 2 ? HS_BURSTS : HS_POISSON, 5 * serving_alone(s, i), 3};
    n->seed = 2385;
    n->stream = streams[i];
    n->priority = i;
    n->deadline_s = 2 * serving_alone(s, i);
  }
  serving_run(s, 40);
}

START_TEST(patterns)
{
  struct serving s;
  open_patterns(&s);
  ck_assert_int_ge(s.out->n_outcomes, 160);
  serving_close(&s);
}
END_TEST

static const double several_rates[][4] = {{0, 0, 0, 0}, {3, 3, 3, 3}, {0, 1.37, 0, 0.83}, {0.61, 0, 5.9, 5.3}, {0.5, 0.5, 7, 0.5}};

START_TEST(several_networks)
{
  struct serving s;
  open_several(&s, several_rates[_i]);
  int of[4] = {0};
  for (int i = 0; i < s.out->n_outcomes; i++) of[s.out->outcomes[i].network]++;
  for (int i = 0; i < 4; i++) ck_assert_int_ge(of[i], 5);
  if (_i == 4) ck_assert_int_gt(s.out->unfinished[0], 4); /* twice as many come as can be served */
  serving_close(&s);
}
END_TEST

/* The nth event that is work on p, and the one on p after it. */
static struct hs_event *work_on(struct serving *s, int p, int nth)
{
  for (int i = 0; i < s->out->n_events; i++) {
    struct hs_event *e = &s->out->events[i];
    if (e->program->tasks[e->task].processor == p && e->program->tasks[e->task].delay_s <= 0 && nth-- == 0) return e;
  }
  ck_abort();
  return NULL;
}

/* Two tasks of different requests on the GPU, one of which waited for the other. */
static void waiting_pair(struct serving *s, struct hs_event **first, struct hs_event **second)
{
  for (int k = 0;; k++) {
    *first = work_on(s, GPU, k);
    *second = work_on(s, GPU, k + 1);
    if ((*first)->request != (*second)->request && (*second)->ready_s < (*first)->end_s && (*second)->ready_s > (*first)->start_s) return;
  }
}

static void meets(struct serving *s) /* shorter than before, but still as long as it may be alone */
{
  struct hs_event *a, *b;
  waiting_pair(s, &a, &b);
  b->start_s -= 0.5 * (a->end_s - b->ready_s);
}
static void pushed_in(struct serving *s) /* it had been ready before the one before it */
{
  struct hs_event *a, *b;
  waiting_pair(s, &a, &b);
  a->ready_s = b->ready_s;
  b->ready_s = a->start_s - 1e-6 * a->start_s;
}
static void missing(struct serving *s) /* the last task of the first request, for which nothing waits */
{
  struct hs_event *e = s->out->events;
  while (e->request != 0 || e->task != 2) e++;
  int at = (int)(e - s->out->events);
  s->out->n_events--;
  memmove(e, e + 1, (size_t)(s->out->n_events - at) * sizeof *e);
  memmove(&s->out->networks[at], &s->out->networks[at + 1], (size_t)(s->out->n_events - at) * sizeof *s->out->networks);
}
static void doubled(struct serving *s)
{
  int at = (int)(work_on(s, CPU, 3) - s->out->events), n = s->out->n_events++ - at;
  memmove(&s->out->events[at + 1], &s->out->events[at], (size_t)n * sizeof *s->out->events);
  memmove(&s->out->networks[at + 1], &s->out->networks[at], (size_t)n * sizeof *s->out->networks);
}
static void wrong_end(struct serving *s) { s->out->outcomes[3].end_s *= 1 + 1e-6; }
static void wrong_arrival(struct serving *s)
{
  for (int i = 0; i < s->out->n_outcomes; i++)
    if (s->out->outcomes[i].network == 1 && s->out->outcomes[i].arrival_s > 0) s->out->outcomes[i].arrival_s *= 1 - 1e-6;
}
static void wrong_network(struct serving *s) { s->out->outcomes[0].network = (s->out->outcomes[0].network + 1) % 4; }
static void other_program(struct serving *s) /* the first request goes on with a program of another network */
{
  for (int i = 0; i < s->out->n_events; i++)
    if (s->out->networks[i] == 0 && s->out->events[i].task == 1) s->out->events[i].program = hs_pieces_get(s->networks[2].pieces, 0, 0, 3, NULL);
}
static void other_alternative(struct serving *s) /* and this one with the same operators elsewhere */
{
  int i = 0;
  while (s->out->networks[i] != 2 || s->out->events[i].program->from_op != 1) i++;
  s->out->events[i].program = hs_pieces_get(s->networks[2].pieces, 0, 0, 1, NULL);
  s->out->events[i].task = 0;
}
static void more_than_its_share(struct serving *s) /* of a shared CPU */
{
  int k = 0;
  while (work_on(s, CPU, k)->share_s > 0.9 * (work_on(s, CPU, k)->end_s - work_on(s, CPU, k)->start_s)) k++;
  struct hs_event *e = work_on(s, CPU, k);
  const struct hs_task *t = &e->program->tasks[e->task];
  scale_share(e, (e->end_s - e->start_s) / e->share_s);
  e->energy_j = e->share_s * (hs_task_dynamic_w(&s->r.sys, t) + hs_task_static_w(&s->r.sys, t));
}
static void other_energy(struct serving *s)
{
  int i = 0;
  while (s->out->events[i].energy_j <= 0 || s->out->events[i].share_s < s->out->events[i].end_s - s->out->events[i].start_s) i++;
  s->out->events[i].energy_j *= 1 + 1e-6;
}
static void all_finished(struct serving *s)
{
  for (int i = 0; i < 4; i++) s->out->unfinished[i] = 0;
}

static void other_seed(struct serving *s) { s->networks[2].seed++; }
static void other_stream(struct serving *s) { s->networks[3].stream = "arrivals c 1"; }
static void other_pattern(struct serving *s) { s->networks[0].pattern.kind = HS_FIXED; }
static void other_burst(struct serving *s) { s->networks[1].pattern.burst = 2; }
static void other_deadline(struct serving *s) { s->networks[1].deadline_s *= 0.3; }
static void no_priorities(struct serving *s)
{
  for (int i = 0; i < 4; i++) s->networks[i].priority = 0;
}
static void priorities_reversed(struct serving *s)
{
  for (int i = 0; i < 4; i++) s->networks[i].priority = 4 - i;
}

static const struct {
  void (*spoil)(struct serving *);
  const char *message; /* somewhere in it */
} pattern_cases[] = {
  {other_seed, "whose next one had not come"},
  {other_stream, "whose next one had not come"},
  {other_pattern, "whose next one had not come"},
  {other_burst, "whose next one had not come"},
  {other_deadline, "is late"}, /* by the report it isn't */
  {no_priorities, "had to wait for a task that should have come later"},
  {priorities_reversed, "had to wait for a task that should have come later"},
};

START_TEST(refuses_of_patterns)
{
  struct serving s;
  struct hs_error err = {0};
  open_patterns(&s);
  pattern_cases[_i].spoil(&s);
  rig_says(serving_check(&s, &err), &err, HS_UNMET, pattern_cases[_i].message);
  serving_close(&s);
}
END_TEST

static const struct {
  void (*spoil)(struct serving *);
  int rates;
  const char *message; /* somewhere in it */
} several_cases[] = {
  {meets, 1, "overlaps another task of its queue"},
  {pushed_in, 1, "was ready at another time than what it waited for"},
  {missing, 1, "request 0 ran 2 of 3 tasks"},
  {doubled, 1, "ran twice"},
  {wrong_end, 1, "ended at"},
  {wrong_arrival, 1, "came at"},
  {wrong_network, 1, "of another network than the request's"},
  {other_program, 1, "of another network than the request's"},
  {other_alternative, 1, "ran of a piece that doesn't follow the one before"},
  {more_than_its_share, 0, "shares of cpu are"},
  {other_energy, 1, "takes another energy than its power over its time"},
  {all_finished, 4, "did not end, not 0"},
};

START_TEST(refuses_of_several)
{
  struct serving s;
  struct hs_error err = {0};
  open_several(&s, several_rates[several_cases[_i].rates]);
  several_cases[_i].spoil(&s);
  rig_says(serving_check(&s, &err), &err, HS_UNMET, several_cases[_i].message);
  serving_close(&s);
}
END_TEST

/* The call of another network that waits in front of a kernel of the DSP goes before it, as where each task was taken by itself: the kernel
 * is as much later. */
static void break_invocation(struct serving *s)
{
  struct hs_event *all = s->out->events, *kernel = NULL;
  for (int i = 0; i < s->out->n_events; i++) {
    struct hs_event *e = &all[i];
    const struct hs_task *t = &e->program->tasks[e->task];
    if (t->processor != DSP) continue;
    if (!hs_task_calls(t)) {
      if (!kernel && t->kind == HS_TASK_EXEC) kernel = e;
      continue;
    }
    if (!kernel || e->ready_s >= kernel->ready_s) {
      kernel = NULL;
      continue;
    }
    struct hs_event call = *e;
    double call_s = call.end_s - call.start_s;
    call.start_s = kernel->start_s;
    call.end_s = kernel->start_s + call_s;
    kernel->start_s += call_s;
    kernel->end_s += call_s;
    memmove(kernel + 1, kernel, (size_t)(e - kernel) * sizeof *e);
    memmove(&s->out->networks[kernel - all + 1], &s->out->networks[kernel - all], (size_t)(e - kernel) * sizeof *s->out->networks);
    s->out->networks[kernel - all] = s->out->networks[kernel - all] == 0;
    *kernel = call;
    return;
  }
  ck_abort_msg("no call waits for a kernel");
}

START_TEST(refuses_a_broken_invocation)
{
  struct serving s;
  struct hs_error err = {0};
  serving_open(&s);
  for (int i = 0; i < 2; i++) serving_add(&s, ONE, &serving_dsp);
  serving_run(&s, 3);
  break_invocation(&s);
  rig_says(serving_check(&s, &err), &err, HS_UNMET, "had to wait in the middle of an invocation");
  serving_close(&s);
}
END_TEST

static void fill(TCase *t)
{
  tcase_add_loop_test(t, several_networks, 0, (int)(sizeof several_rates / sizeof *several_rates));
  tcase_add_test(t, patterns);
  tcase_add_loop_test(t, refuses_of_patterns, 0, (int)(sizeof pattern_cases / sizeof *pattern_cases));
  tcase_add_loop_test(t, refuses_of_several, 0, (int)(sizeof several_cases / sizeof *several_cases));
  tcase_add_test(t, refuses_a_broken_invocation);
}

int main(void) { return hs_test_main("check_several", fill); }
