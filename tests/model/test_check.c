/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Can the checker of runs fail? A good run is spoilt in one way at a time. */
#include "tests/model/serving.h"

struct spoilt {
  struct rig r;
  struct hs_placement *pl;
  struct hs_program *prog;
  struct hs_event events[64];
  int n;
  struct hs_metrics metrics;
  struct hs_outcome outcomes[2];
  double period_s;
  struct hs_scenario *scenario;
};

static void run_twice(struct spoilt *x)
{
  x->prog = rig_lower(&x->r, x->pl);
  struct rig_run *run = rig_run(&x->r, x->pl, x->prog, 2);
  ck_assert_int_le(run->n_events, (int)(sizeof x->events / sizeof *x->events));
  rig_seal(&x->r, x->pl, x->prog);
  x->n = run->n_events;
  memcpy(x->events, run->events, (size_t)x->n * sizeof *x->events);
  hs_metrics_start(&x->metrics, &x->r.sys);
  for (int i = 0; i < x->n; i++) hs_metrics_task(&x->metrics, &x->events[i]);
  for (int i = 0; i < 2; i++) {
    x->outcomes[i] = run->outcomes[i];
    hs_metrics_ended(&x->metrics, &x->outcomes[i]);
  }
  rig_run_free(run);
}

/* 0 map, 1 sync, 2 launch, 3 transform (gpu), 4 launch, 5 exec c, 6 launch, 7 exec p, 8 launch, 9 transform, 10 sync, 11 map; twice */
static void open_spoilt(struct spoilt *x)
{
  *x = (struct spoilt){0};
  rig_open(&x->r, "mace");
  rig_read_network(&x->r, RIG_NET(RIG_IN("image", "1, 40, 50, 3"), "'p'", RIG_OP("c", "Conv", "'image'", ", 'channels': 8, 'kernel': [3, 3], 'pad': 'same'") ","
                                  RIG_OP("p", "MaxPool", "'c'", ", 'kernel': [2, 2], 'stride': [2, 2]")));
  x->pl = rig_place_all(&x->r, GPU);
  run_twice(x);
  ck_assert_int_eq(x->n, 24);
}

/* c in parts: 12 and 10 rows on the GPU, 18 between them on the CPU, which go to the GPU, where p runs. */
static void open_cut(struct spoilt *x)
{
  *x = (struct spoilt){0};
  rig_open(&x->r, "mace");
  rig_read_network(&x->r, RIG_NET(RIG_IN("image", "1, 40, 50, 3"), "'p'", RIG_OP("c", "Conv", "'image'", ", 'channels': 8, 'kernel': [3, 3], 'pad': 'same'") ","
                                  RIG_OP("p", "MaxPool", "'c'", ", 'kernel': [2, 2], 'stride': [2, 2]")));
  x->pl = rig_place_all(&x->r, GPU);
  x->pl->ops[0] = (struct hs_op_placement){HS_SPLIT_HEIGHT, 3, {{GPU, 0.3, -1}, {CPU, 0.45, -1}, {GPU, 0.25, 0}}, .home = GPU, .chain = -1};
  run_twice(x);
}

static int position(const struct spoilt *x, int request, int task)
{
  for (int i = 0; i < x->n; i++)
    if (x->events[i].request == request && x->events[i].task == task) return i;
  return -1;
}
static struct hs_event *at(struct spoilt *x, int request, int task) { return &x->events[position(x, request, task)]; }

static enum hs_status check(struct spoilt *x, struct hs_error *err)
{
  const struct hs_timeline t = {.max_requests = -1, .n = x->n, .events = x->events};
  struct hs_network network = rig_network(&x->r, x->pl);
  network.pattern = (struct hs_pattern){x->period_s > 0 ? HS_FIXED : HS_BACK_TO_BACK, x->period_s, 0};
  const struct hs_checked_run run = {&x->r.sys, 1, &network, &t, 2, x->outcomes, 0, &x->metrics, NULL, x->scenario, false};
  return hs_check_run(&run, err);
}

static void close_spoilt(struct spoilt *x)
{
  struct hs_summary s;
  hs_metrics_summary(&x->metrics, &s);
  hs_metrics_free(&x->metrics);
  hs_program_free(x->prog);
  rig_close(&x->r);
}

START_TEST(the_run_itself_is_good)
{
  struct spoilt x;
  struct hs_error err;
  open_spoilt(&x);
  hs_test_accepted(check(&x, &err), &err);
  close_spoilt(&x);
}
END_TEST

static void twice(struct spoilt *x)
{
  memmove(&x->events[2], &x->events[1], (size_t)(x->n - 1) * sizeof *x->events);
  x->n++;
}
static void backwards(struct spoilt *x) { at(x, 1, 5)->end_s = at(x, 1, 5)->start_s - 1e-6; }
static void fast(struct spoilt *x) { at(x, 1, 5)->end_s -= 1e-6 * (at(x, 1, 5)->end_s - at(x, 1, 5)->start_s); }
static void early(struct spoilt *x) { at(x, 0, 5)->start_s -= 1e-7; }
static void before_it_ran(struct spoilt *x) /* the transform in the list before the launch that it waits for */
{
  struct hs_event e = *at(x, 0, 3);
  int from = position(x, 0, 3), to = position(x, 0, 2);
  memmove(&x->events[to + 1], &x->events[to], (size_t)(from - to) * sizeof e);
  x->events[to] = e;
}
static void out_of_order(struct spoilt *x)
{
  struct hs_event *a = at(x, 0, 2), *b = at(x, 0, 4);
  a->task = 4;
  b->task = 2;
}
static void overlapping(struct spoilt *x) { at(x, 0, 4)->start_s -= 1e-6; }
static void where_it_must_not(struct spoilt *x)
{
  x->r.graph->ops[1].override[HS_GPU] = 0;
  x->pl->ops[1].parts[0].processor = CPU;
}
static void other_bytes(struct spoilt *x) { x->prog->tasks[11].moved_bytes *= 1.0001; }
static void twice_the_operator(struct spoilt *x) { x->prog->tasks[7].op = 0; }
static void lost(struct spoilt *x) { x->n--; }
static void lost_in_the_middle(struct spoilt *x)
{
  memmove(&x->events[11], &x->events[12], (size_t)(x->n - 12) * sizeof *x->events);
  x->n--;
}
static void too_much_memory(struct spoilt *x) { x->prog->peak_memory_bytes = 2.001e9; }
static void lost_request(struct spoilt *x) { x->n = 12; }
static void busy(struct spoilt *x) { x->metrics.busy_s[GPU] *= 1 + 1e-6; }
static void energy(struct spoilt *x) { x->metrics.energy_j[CPU] *= 1 - 1e-6; }
static void spin_for(struct spoilt *x, double part) /* of what the cores can take since the event before */
{
  struct hs_event *e = at(x, 0, 9);
  e->spun_j[CPU] = part * (e->end_s - e[-1].end_s) * (3 * 0.57 + 2.39 + 0.021 + 0.037);
}
static void spun(struct spoilt *x) { spin_for(x, 1.001); }
static void spun_before(struct spoilt *x) { at(x, 1, 0)->spun_j[CPU] = 1e-9; }
static void spun_by_the_gpu(struct spoilt *x) { at(x, 0, 9)->spun_j[GPU] = 1e-9; }
static void spun_less(struct spoilt *x) { at(x, 0, 9)->spun_j[CPU] = -1e-15; }
static void spun_uncounted(struct spoilt *x) { spin_for(x, 0.999); }
static void kind(struct spoilt *x) { x->metrics.kind_s[HS_TASK_SYNC] *= 1 + 1e-6; }
static void reported_end(struct spoilt *x) { x->outcomes[1].end_s *= 1 + 1e-6; }
static void reported_arrival(struct spoilt *x) { x->outcomes[1].arrival_s *= 1 + 1e-6; }
static void reported_twice(struct spoilt *x) { x->outcomes[1].request = 0; }
static void reported_late(struct spoilt *x) { x->outcomes[1].late = true; }
static void reported_dropped(struct spoilt *x) { x->outcomes[0].late = x->outcomes[0].dropped = true; }
static void later_ready(struct spoilt *x) { at(x, 0, 5)->ready_s += 1e-7; }
static void idle(struct spoilt *x) /* as it ends first of its request, the others follow it */
{
  for (int i = 0; i < x->n; i++) {
    struct hs_event *e = &x->events[i];
    bool first = e->request == 1 && e->task == 0;
    e->ready_s += e->request == 1 && !first ? 1e-6 : 0;
    e->start_s += e->request == 1 ? 1e-6 : 0;
    e->end_s += e->request == 1 ? 1e-6 : 0;
  }
}
static void share(struct spoilt *x) { at(x, 0, 5)->share_s *= 1 - 1e-6; }
static void scale_share(struct hs_event *e, double factor)
{
  e->share_s *= factor;
  for (int d = 0; d < HS_DOMAINS_MAX; d++) e->cycles[d] *= factor;
}
static void share_of_the_host(struct spoilt *x) { scale_share(at(x, 0, 0), 1 - 1e-6); }
static void overclocked(struct spoilt *x) { at(x, 0, 5)->cycles[0] *= 1 + 1e-6; }
static void clock_of_the_caller(struct spoilt *x) { at(x, 0, 5)->caller.cycles = 1e3; }
static void share_of_the_caller(struct spoilt *x) { at(x, 0, 5)->caller.share_s = 1e-6; }
static void energy_of_the_caller(struct spoilt *x) { at(x, 0, 5)->caller.energy_j = 1e-6; }
static void mean_clock(struct spoilt *x) { x->metrics.cycles[GPU][0] *= 1 - 1e-6; }
static void n_tasks(struct spoilt *x) { x->metrics.n_tasks++; }
static void dram(struct spoilt *x) { x->metrics.dram_bytes *= 1 + 1e-6; }
static void n_late(struct spoilt *x) { x->metrics.n_late++; }
static void of_no_plan(struct spoilt *x) { x->prog->placement = NULL; }
static void half(struct spoilt *x) { x->prog->to_op = 1; }
static void other_half(struct spoilt *x) { x->prog->from_op = 1; }
static void latency(struct spoilt *x) { x->metrics.latencies_s[1] *= 1 + 1e-6; }
static void waited(struct spoilt *x) { x->period_s = x->metrics.latencies_s[0] / 2; } /* the second came in the middle of the first */
static void latency_of_less(struct spoilt *x) { x->metrics.n_requests = 1; }
static void latency_of_more(struct spoilt *x) { hs_metrics_done(&x->metrics, 0, x->metrics.end_s); }
static void ends_later(struct spoilt *x) { x->metrics.end_s *= 1 + 1e-6; }
static void twice_there(struct spoilt *x) /* the result's way out becomes another way in of the image */
{
  x->prog->tasks[11].tensor = x->prog->tasks[0].tensor;
  x->prog->tasks[11].from = CPU;
  x->prog->tasks[11].to = GPU;
}
static void bad_part(struct spoilt *x) { x->pl->ops[0].parts[0].processor = 9; }

static const struct {
  void (*spoil)(struct spoilt *);
  enum hs_status status;
  const char *message; /* somewhere in it */
} cases[] = {
  {twice, HS_UNMET, "ran twice"},
  {backwards, HS_UNMET, "ended before it started"},
  {fast, HS_UNMET, "was faster than alone"},
  {early, HS_UNMET, "started before a dependency was done"},
  {before_it_ran, HS_UNMET, "(transform image, on gpu"},
  {before_it_ran, HS_UNMET, "started before a dependency was done"},
  {out_of_order, HS_UNMET, "ran out of program order"},
  {overlapping, HS_UNMET, "overlaps another task of its queue"},
  {where_it_must_not, HS_UNMET, "ran where its mask forbids"},
  {other_bytes, HS_UNMET, "moved more bytes than its tensor has"},
  {twice_the_operator, HS_UNMET, "operator \"c\" did not run in its parts"},
  {lost, HS_UNMET, "request 1 ran 11 of 12 tasks"},
  {lost_in_the_middle, HS_UNMET, "request 0 ran 11 of 12 tasks"},
  {too_much_memory, HS_UNMET, "more memory in use than there is"},
  {lost_request, HS_UNMET, "request 1 ended after 0 operators"},
  {later_ready, HS_UNMET, "was ready at another time than what it waited for"},
  {idle, HS_UNMET, "request 1, task 0 (map image, on cpu"},
  {idle, HS_UNMET, "waited for nothing"},
  {share, HS_UNMET, "has another share of its processor than its time there"},
  {share_of_the_host, HS_UNMET, "shares of cpu are"},
  {reported_end, HS_UNMET, "request 1 ended at"},
  {reported_arrival, HS_UNMET, "request 1 came at"},
  {reported_twice, HS_UNMET, "request 0 ended twice"},
  {reported_late, HS_UNMET, "request 1 is not late"},
  {reported_dropped, HS_UNMET, "1 requests ran, and there are latencies of 2"},
  {n_tasks, HS_UNMET, "other tasks or DRAM bytes than ran"},
  {dram, HS_UNMET, "other tasks or DRAM bytes than ran"},
  {n_late, HS_UNMET, "0 late and 0 dropped"},
  {of_no_plan, HS_UNMET, "of a program that is in no plan"},
  {half, HS_UNMET, "request 0 ended after 1 operators"},
  {other_half, HS_UNMET, "ran of a piece that doesn't follow the one before"},
  {busy, HS_UNMET, "time or energy of gpu is not the sum over its tasks"},
  {energy, HS_UNMET, "time or energy of cpu is not the sum over its tasks"},
  {spun, HS_UNMET, "threads that took more than their cores' power"},
  {spun_before, HS_UNMET, "threads that took more than their cores' power"},
  {spun_by_the_gpu, HS_UNMET, "threads that took more than their cores' power"},
  {spun_less, HS_UNMET, "threads that took more than their cores' power"},
  {spun_uncounted, HS_UNMET, "time or energy of cpu is not the sum over its tasks"},
  {overclocked, HS_UNMET, "ran at a frequency outside of its OPPs"},
  {clock_of_the_caller, HS_UNMET, "ran at a frequency outside of its OPPs"},
  {share_of_the_caller, HS_UNMET, "has a caller that takes more than a core"}, /* nobody calls a GPU */
  {energy_of_the_caller, HS_UNMET, "has a caller that takes more than a core"},
  {mean_clock, HS_UNMET, "frequency of gpu is not the mean over its tasks"},
  {kind, HS_UNMET, "time of sync tasks is not their sum"},
  {latency, HS_UNMET, "not the latency of"},
  {waited, HS_UNMET, "request 1 came at"},
  {latency_of_less, HS_UNMET, "2 requests ran, and there are latencies of 1"},
  {latency_of_more, HS_UNMET, "2 requests ran, and there are latencies of 3"},
  {ends_later, HS_UNMET, "the last request ended at"},
  {twice_there, HS_UNMET, "(map): more of \"image\" came to gpu than that lacked"},
  {bad_part, HS_POLICY, "a part is on no processor"},
};

/* The first task of its kind that moves the tensor; the nth kernel of an operator. */
static struct hs_task *mover(struct spoilt *x, enum hs_task_kind kind, const char *tensor)
{
  for (int i = 0; i < x->prog->n_tasks; i++)
    if (x->prog->tasks[i].kind == kind && strcmp(x->r.graph->tensors[x->prog->tasks[i].tensor].name, tensor) == 0) return &x->prog->tasks[i];
  return NULL;
}
static struct hs_task *part(struct spoilt *x, int op, int nth)
{
  for (int i = 0; i < x->prog->n_tasks; i++)
    if (x->prog->tasks[i].kind == HS_TASK_EXEC && x->prog->tasks[i].op == op && nth-- == 0) return &x->prog->tasks[i];
  return NULL;
}

static void nothing(struct spoilt *x) { (void)x; }
static void more_than_the_tensor(struct spoilt *x) { mover(x, HS_TASK_MAP, "c")->moved_bytes = 4 * 16000.01; }
static void more_than_lacked(struct spoilt *x) { mover(x, HS_TASK_MAP, "c")->moved_bytes *= 1.0001; }
static void more_than_lacked_converted(struct spoilt *x) { mover(x, HS_TASK_TRANSFORM, "c")->moved_bytes *= 1.0001; }
static void to_where_it_came_from(struct spoilt *x)
{
  mover(x, HS_TASK_MAP, "image")->from = GPU;
  mover(x, HS_TASK_MAP, "image")->to = CPU;
}
static void missing_part(struct spoilt *x) { part(x, 0, 1)->kind = HS_TASK_LAUNCH; }
static void part_twice(struct spoilt *x) { part(x, 0, 1)->opp = -1; } /* the first once more, and not the third */
static void part_elsewhere(struct spoilt *x) { x->pl->ops[0].parts[1].processor = LITTLE; }

/* Launches of a kernel are all there, in order. */
static void launched(struct spoilt *x, int nth, int launch, int n)
{
  part(x, 0, nth)->launch = launch;
  part(x, 0, nth)->n_launches = n;
}
static void first_of_two(struct spoilt *x) { launched(x, 0, 0, 2); }
static void last_of_two(struct spoilt *x) { launched(x, 0, 1, 2); }
static void one_of_one(struct spoilt *x) { launched(x, 0, 0, 1); }

static const struct {
  void (*spoil)(struct spoilt *);
  const char *message; /* NULL: accepted */
} cut_cases[] = {
  {nothing, NULL},
  {more_than_the_tensor, "moved more bytes than its tensor has"},
  {more_than_lacked, "(map): more of \"c\" came to gpu than that lacked"},
  {more_than_lacked_converted, "(transform): more of \"c\" came to gpu than that lacked"},
  {to_where_it_came_from, "(map): more of \"image\" came to cpu than that lacked"},
  {missing_part, "operator \"c\" did not run in its parts"},
  {part_twice, "operator \"c\" did not run in its parts"},
  {part_elsewhere, "operator \"c\" did not run in its parts"},
  {one_of_one, NULL},
  {first_of_two, "operator \"c\" did not run in its parts"},
  {last_of_two, "operator \"c\" did not run in its parts"},
};

/* A request that had to wait has a longer latency. */
START_TEST(latency_counts_from_the_arrival)
{
  struct spoilt x;
  struct hs_error err;
  open_spoilt(&x);
  x.period_s = x.metrics.latencies_s[0] / 2;
  x.outcomes[1].arrival_s = x.period_s;
  x.metrics.latencies_s[1] *= 1.5;
  hs_test_accepted(check(&x, &err), &err);
  close_spoilt(&x);
}
END_TEST

START_TEST(a_piece_has_tasks_of_its_operators)
{
  struct spoilt x;
  struct hs_error err;
  open_spoilt(&x);
  hs_test_accepted(hs_check_program(&x.r.sys, x.prog, &err), &err);
  half(&x);
  ck_assert_int_eq(hs_check_program(&x.r.sys, x.prog, &err), HS_UNMET);
  ck_assert_str_eq(err.text, "invariant broken: task 6 (launch p, on cpu): is of an operator outside the piece");
  close_spoilt(&x);
}
END_TEST

START_TEST(refuses_of_cut_operators)
{
  struct spoilt x;
  struct hs_error err;
  open_cut(&x);
  cut_cases[_i].spoil(&x);
  enum hs_status status = check(&x, &err);
  const char *message = cut_cases[_i].message;
  ck_assert_msg(message ? status == HS_UNMET && strstr(err.text, message) : status == HS_OK, "status %d, %s", status, status ? err.text : "accepted");
  close_spoilt(&x);
}
END_TEST

START_TEST(refuses)
{
  struct spoilt x;
  struct hs_error err;
  open_spoilt(&x);
  cases[_i].spoil(&x);
  enum hs_status status = check(&x, &err);
  ck_assert_msg(status == cases[_i].status && strstr(err.text, cases[_i].message), "status %d, %s", status, status ? err.text : "accepted");
  close_spoilt(&x);
}
END_TEST

/* --- several networks --- */

#define CHAIN RIG_NET(RIG_IN("image", "1, 40, 50, 3"), "'r'", RIG_OP("c", "Conv", "'image'", ", 'channels': 8, 'kernel': [3, 3], 'pad': 'same'") ","      \
                      RIG_OP("p", "MaxPool", "'c'", ", 'kernel': [2, 2], 'stride': [2, 2]") "," RIG_OP("r", "Tanh", "'p'", ""))
#define ONE RIG_NET(RIG_IN("i", "1, 60, 70, 8"), "'t'", RIG_OP("t", "Tanh", "'i'", ""))

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
  if (_i == 4) ck_assert_int_gt(s.out->unfinished, 4); /* twice as many come as can be served */
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
static void all_finished(struct serving *s) { s->out->unfinished = 0; }

/* --- several networks by patterns --- */

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
  enum hs_status status = serving_check(&s, &err);
  ck_assert_msg(status == HS_UNMET && strstr(err.text, pattern_cases[_i].message), "status %d, %s", status, status ? err.text : "accepted");
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
  {all_finished, 4, "requests did not end, not 0"},
};

START_TEST(refuses_of_several)
{
  struct serving s;
  struct hs_error err = {0};
  open_several(&s, several_rates[several_cases[_i].rates]);
  several_cases[_i].spoil(&s);
  enum hs_status status = serving_check(&s, &err);
  ck_assert_msg(status == HS_UNMET && strstr(err.text, several_cases[_i].message), "status %d, %s", status, status ? err.text : "accepted");
  serving_close(&s);
}
END_TEST

/* The call of another network that waits in front of a kernel of the DSP goes before it, as where each task was taken by itself: the kernel is as much later. */
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
  enum hs_status status = serving_check(&s, &err);
  ck_assert_msg(status == HS_UNMET && strstr(err.text, "had to wait in the middle of an invocation"), "status %d, %s", status, status ? err.text : "accepted");
  serving_close(&s);
}
END_TEST

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
  enum hs_status status = check(&x, &err);
  if (living_cases[_i].message)
    ck_assert_msg(status == HS_UNMET && strstr(err.text, living_cases[_i].message), "status %d, %s", status, status ? err.text : "accepted");
  else
    hs_test_accepted(status, &err);
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
    enum hs_status status = check(&x, &err);
    if (i < 3)
      ck_assert_msg(status == HS_UNMET && strstr(err.text, "waited for nothing"), "status %d, %s", status, status ? err.text : "accepted");
    else
      hs_test_accepted(status, &err);
    close_spoilt(&x);
  }
}
END_TEST

/* Keeping only some requests is a choice of the timeline, not of the run. */
START_TEST(timeline_keeps_what_it_is_told)
{
  struct spoilt x;
  open_spoilt(&x);
  for (int max = -1; max < 4; max++) {
    struct hs_timeline t = {.max_requests = max};
    for (int i = 0; i < x.n; i++) hs_timeline_add(&t, &x.events[i]);
    ck_assert_int_eq(t.n, max == 0 ? 0 : max == 1 ? 12 : 24);
    hs_timeline_free(&t);
    ck_assert_ptr_null(t.events);
  }
  char label[40];
  ck_assert_str_eq(hs_task_label(x.prog, 5, label, sizeof label), "c");
  ck_assert_str_eq(hs_task_label(x.prog, 3, label, sizeof label), "transform image");
  ck_assert_str_eq(hs_task_label(x.prog, 4, label, sizeof label), "launch c");
  close_spoilt(&x);
}
END_TEST

static void fill(TCase *t)
{
  tcase_add_test(t, the_run_itself_is_good);
  tcase_add_loop_test(t, refuses, 0, (int)(sizeof cases / sizeof *cases));
  tcase_add_loop_test(t, refuses_of_cut_operators, 0, (int)(sizeof cut_cases / sizeof *cut_cases));
  tcase_add_test(t, a_piece_has_tasks_of_its_operators);
  tcase_add_loop_test(t, several_networks, 0, (int)(sizeof several_rates / sizeof *several_rates));
  tcase_add_test(t, patterns);
  tcase_add_loop_test(t, refuses_of_patterns, 0, (int)(sizeof pattern_cases / sizeof *pattern_cases));
  tcase_add_loop_test(t, refuses_of_several, 0, (int)(sizeof several_cases / sizeof *several_cases));
  tcase_add_test(t, refuses_a_broken_invocation);
  tcase_add_test(t, latency_counts_from_the_arrival);
  tcase_add_loop_test(t, a_scenario_leaves_some_rules, 0, (int)(sizeof living_cases / sizeof *living_cases));
  tcase_add_test(t, only_rivals_keep_an_accelerator_waiting);
  tcase_add_test(t, timeline_keeps_what_it_is_told);
}

int main(void) { return hs_test_main("check", fill); }
