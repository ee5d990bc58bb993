/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Serving: when requests come, start and end, what a scheduler may do and what is refused. The policies are the tests' own. */
#include "tests/model/serving.h"

#include "plan/pass.h"

#define ONE RIG_NET(RIG_IN("i", "1, 60, 70, 8"), "'t'", RIG_OP("t", "Tanh", "'i'", ""))
#define TINY RIG_NET(RIG_IN("i", "1, 6, 7, 5"), "'t'", RIG_OP("t", "Tanh", "'i'", ""))
#define THREE RIG_NET(RIG_IN("image", "1, 40, 50, 3"), "'r'", RIG_OP("c", "Conv", "'image'", ", 'channels': 8, 'kernel': [3, 3], 'pad': 'same'") ","   \
                      RIG_OP("s", "Relu", "'c'", "") "," RIG_OP("r", "Tanh", "'s'", ""))

#define SERVE(situation, is, expected) rig_derive(situation, #expected, is, expected, 1e-9)

static int outcomes_of(const struct serving *s, int network)
{
  int n = 0;
  for (int i = 0; i < s->out->n_outcomes; i++) n += s->out->outcomes[i].network == network;
  return n;
}

/* --- requests --- */

/* d: duration alone. Without a rate one comes when the one before ends. */
START_TEST(closed_loop)
{
  struct serving s;
  serving_open(&s);
  serving_add(&s, ONE, &serving_cpu);
  serving_run(&s, 4);
  double d = serving_alone(&s, 0);
  ck_assert_int_eq(s.out->n_outcomes, 4);
  ck_assert_int_eq(s.out->unfinished, 0);
  for (int k = 0; k < 4; k++) {
    SERVE("arrival", serving_outcome(&s, 0, k)->arrival_s, k * d);
    SERVE("end", serving_outcome(&s, 0, k)->end_s, (k + 1) * d);
    ck_assert(!serving_outcome(&s, 0, k)->late && !serving_outcome(&s, 0, k)->dropped);
  }
  serving_close(&s);
}
END_TEST

/* Slower than the network: every request runs as it comes. The deadline is met although it is only a thousandth away. */
START_TEST(a_rate_that_is_kept)
{
  struct serving s;
  serving_open(&s);
  struct hs_network *n = serving_add(&s, ONE, &serving_gpu);
  double d = serving_alone(&s, 0);
  serving_rate(n, 1.7 * d, 1.001 * d);
  serving_run(&s, 5);
  for (int k = 0; k < 5; k++) {
    SERVE("arrival", serving_outcome(&s, 0, k)->arrival_s, k * 1.7 * d);
    SERVE("end", serving_outcome(&s, 0, k)->end_s, (k * 1.7 + 1) * d);
    ck_assert(!serving_outcome(&s, 0, k)->late);
  }
  serving_close(&s);
}
END_TEST

/* Faster than the network: one inference at a time, so that request k ends at (k + 1) d, having come at 0.6 k d: its latency is
 * (1 + 0.4 k) d, and above a deadline of 2.5 d from k = 4 on. When the 6th has ended, at 6 d, those that came before are there: 0.6 k < 6,
 * k = 0 … 9; four of them have not ended. */
START_TEST(a_rate_that_is_too_high)
{
  struct serving s;
  serving_open(&s);
  struct hs_network *n = serving_add(&s, ONE, &serving_cpu);
  double d = serving_alone(&s, 0);
  serving_rate(n, 0.6001 * d, 2.5 * d);
  serving_run(&s, 6);
  ck_assert_int_eq(s.out->n_outcomes, 6);
  for (int k = 0; k < 6; k++) {
    SERVE("end", serving_outcome(&s, 0, k)->end_s, (k + 1) * d);
    SERVE("latency", serving_latency(&s, 0, k), (k + 1 - 0.6001 * k) * d);
    ck_assert_int_eq(serving_outcome(&s, 0, k)->late, k >= 4);
  }
  ck_assert_int_eq(s.out->unfinished, 10 - 6);
  serving_close(&s);
}
END_TEST

/* A short network goes on until a long one has its requests: the last that ended of it did so less than one inference before the long one's,
 * and the next is under way. */
START_TEST(none_pauses_while_another_runs)
{
  struct serving s;
  serving_open(&s);
  serving_add(&s, ONE, &serving_dsp);
  serving_add(&s, TINY, &serving_cpu);
  double d = serving_alone(&s, 1), D = serving_alone(&s, 0);
  ck_assert_double_gt(D, 3 * d);
  serving_run(&s, 3);
  ck_assert_int_eq(outcomes_of(&s, 0), 3);
  ck_assert_int_gt(outcomes_of(&s, 1), 3 * 3 / 2); /* a task of the other on the same CPU makes it twice as long at most */
  ck_assert_double_ge(serving_outcome(&s, 1, outcomes_of(&s, 1) - 1)->end_s, serving_outcome(&s, 0, 2)->end_s - 2 * d);
  ck_assert_int_eq(s.out->unfinished, 1);
  serving_close(&s);
}
END_TEST

/* k networks on the CPU with one operator each: all start together and share: k d each, again and again. Busy time and energy are those of
 * as many inferences one after the other. When the last of a round has ended, the others have begun none. */
START_TEST(networks_share_the_cpu)
{
  for (int k = 1; k <= 4; k++) {
    struct serving s;
    struct hs_metrics all, one;
    struct hs_estimate e;
    serving_open(&s);
    for (int i = 0; i < k; i++) serving_add(&s, ONE, &serving_cpu);
    serving_run(&s, 3);
    hs_estimate_program(&s.r.sys, hs_pieces_get(s.networks[0].pieces, 0, 0, 1, NULL), &e, NULL, NULL);
    serving_metrics(&s, -1, &all);
    for (int i = 0; i < k; i++) {
      serving_metrics(&s, i, &one);
      for (int m = 0; m < 3; m++) SERVE("latency", serving_latency(&s, i, m), k * e.latency_s);
      SERVE("busy for one of them", one.busy_s[CPU], 3 * e.latency_s);
      SERVE("energy of one of them", one.energy_j[CPU], 3 * e.energy_j);
      hs_metrics_free(&one);
    }
    SERVE("busy", all.busy_s[CPU], all.end_s);
    SERVE("energy", all.energy_j[CPU], k * 3 * e.energy_j);
    hs_metrics_free(&all);
    serving_close(&s);
  }
}
END_TEST

/* For 10.5 d, every 1.7 d one that takes d, from 0 on: 0 … 6, of which the last came at 10.2 d. */
START_TEST(until_the_time_is_up)
{
  struct serving s;
  serving_open(&s);
  struct hs_network *n = serving_add(&s, ONE, &serving_gpu);
  double d = serving_alone(&s, 0);
  serving_rate(n, 1.7 * d, d * 1.1);
  serving_run_for(&s, 10.5 * d);
  ck_assert_int_eq(s.out->n_outcomes, 6);
  ck_assert_int_eq(s.out->unfinished, 1);
  n->pattern.kind = HS_BACK_TO_BACK; /* 10 and a half of them */
  s.out->n_outcomes = s.out->n_events = 0;
  serving_run_for(&s, 10.5 * d);
  ck_assert_int_eq(s.out->n_outcomes, 10);
  ck_assert_int_eq(s.out->unfinished, 1);
  serving_close(&s);
}
END_TEST

/* Arrivals are a network's own: others beside it, before it, faster and slower ones, under other policies, change none of them. */
START_TEST(others_change_no_arrivals)
{
  struct serving alone, beside;
  const struct hs_pattern p = {HS_POISSON, 1e-3, 0};
  serving_open(&alone);
  serving_open(&beside);
  serving_add(&beside, TINY, &serving_cpu);
  struct hs_network *n[2] = {serving_add(&alone, ONE, &serving_gpu), serving_add(&beside, ONE, &serving_dsp)};
  for (int i = 0; i < 2; i++) {
    n[i]->pattern = p;
    n[i]->seed = 5;
    n[i]->stream = "arrivals one 0";
  }
  beside.networks[0].pattern = (struct hs_pattern){HS_BURSTS, 0.7e-3, 2};
  beside.networks[0].seed = 5;
  beside.networks[0].stream = "arrivals tiny 0";
  serving_run(&alone, 30);
  serving_run(&beside, 30);
  for (int k = 0; k < 30; k++) ck_assert_double_eq(serving_outcome(&alone, 0, k)->arrival_s, serving_outcome(&beside, 1, k)->arrival_s);
  serving_close(&alone);
  serving_close(&beside);
}
END_TEST

/* --- priorities --- */

/* Three networks under a scheduler that starts one request at a time, the first that waits: the higher priority although it came with the
 * others. notes: how often a lower one was shown before a higher one. */
static int first_of_all(void *state, const struct hs_queue_view *v, struct hs_assignment *out)
{
  (void)state;
  for (int i = 1; i < v->n_waiting; i++) {
    const struct hs_waiting *a = &v->waiting[i - 1], *b = a + 1;
    serving_notes[0] += a->priority < b->priority || (a->priority == b->priority && a->request > b->request);
  }
  out[0] = (struct hs_assignment){0, 0, 1, false};
  return v->n_running == 0;
}

START_TEST(schedulers_see_priorities)
{
  const struct hs_policy policy = {.name = "first", .plan_all = serving_plan_three, .schedule = first_of_all};
  struct serving s;
  serving_open(&s);
  for (int i = 0; i < 3; i++) {
    struct hs_network *n = serving_add(&s, ONE, &policy);
    serving_rate(n, 3.7 * serving_alone(&s, i), INFINITY);
    n->priority = i == 1 ? 7 : 2;
  }
  serving_run(&s, 8);
  double d = serving_alone(&s, 0);
  for (int k = 0; k < 8; k++) {
    SERVE("highest", serving_latency(&s, 1, k), d);
    SERVE("first of the others", serving_latency(&s, 0, k), 2 * d);
    SERVE("second of them", serving_latency(&s, 2, k), 3 * d);
  }
  ck_assert_double_eq(s.out->notes[0], 0);
  serving_close(&s);
}
END_TEST

/* --- schedulers --- */

static bool waits(const struct hs_queue_view *v, int request)
{
  for (int i = 0; i < v->n_waiting; i++)
    if (v->waiting[i].request == request) return true;
  return false;
}

/* Two alternatives on CPU and GPU, a third (partial) that can't run operator 1, a fourth of another version of the network. */
static enum hs_status plan_four(const struct hs_view *view, struct hs_plan *plan, struct hs_error *err)
{
  (void)err;
  serving_all_on(view, hs_plan_add(plan, "cpu"), CPU);
  serving_all_on(view, hs_plan_add(plan, "gpu"), GPU);
  struct hs_placement *partial = hs_plan_add(plan, "partial"), *other = hs_plan_add(plan, "other");
  serving_all_on(view, partial, GPU);
  partial->partial = true;
  partial->ops[1].n_parts = 0;
  hs_placement_rewrite(other, hs_pass_fuse(view->graph, view->sys->runtime));
  for (int i = 0; i < other->n_ops; i++) hs_place_whole(&other->ops[i], CPU);
  return HS_OK;
}

/* What each bad scheduler does with the first that waits. */
#define BAD(name, ...)                                                                                                   \
  static int name(void *state, const struct hs_queue_view *v, struct hs_assignment *out)                                 \
  {                                                                                                                      \
    (void)state, (void)v;                                                                                                \
    const struct hs_assignment bad[] = {__VA_ARGS__};                                                                    \
    memcpy(out, bad, sizeof bad);                                                                                        \
    return (int)(sizeof bad / sizeof *bad);                                                                              \
  }
#define FIRST_THEN(alternative, to) {0, v->waiting[0].next_op ? (alternative) : 0, v->waiting[0].next_op ? (to) : 1, false}
BAD(not_there, {1, 0, 1, false})
BAD(below_zero, {-1, 0, 1, false})
BAD(no_alternative, {0, 4, 1, false})
BAD(alternative_below_zero, {0, -1, 1, false})
BAD(nothing_of_it, {0, 0, 0, false})
BAD(too_much_of_it, {0, 0, 4, false})
BAD(same_again, FIRST_THEN(0, 1))
BAD(where_it_cant, {0, 2, 2, false})
BAD(where_it_cant_go_on, FIRST_THEN(2, 2))
BAD(another_version, FIRST_THEN(3, 2))
static int idle(void *state, const struct hs_queue_view *v, struct hs_assignment *out) { return (void)state, (void)v, (void)out, 0; }
static int half_and_idle(void *state, const struct hs_queue_view *v, struct hs_assignment *out)
{
  (void)state;
  out[0] = (struct hs_assignment){0, 0, 1, false};
  return v->waiting[0].next_op == 0;
}
static int twice(void *state, const struct hs_queue_view *v, struct hs_assignment *out) /* two wait: the first is named twice */
{
  (void)state;
  for (int i = 0; i < v->n_waiting; i++) out[i] = (struct hs_assignment){0, 0, 3, false};
  return v->n_waiting;
}

static const struct {
  int (*schedule)(void *, const struct hs_queue_view *, struct hs_assignment *);
  const char *rule;
} breaches[] = {
  {not_there, "it assigned a request that doesn't wait"},
  {below_zero, "it assigned a request that doesn't wait"},
  {twice, "it assigned a request that doesn't wait"},
  {no_alternative, "there is no such alternative"},
  {alternative_below_zero, "there is no such alternative"},
  {nothing_of_it, "a piece has no operators"},
  {too_much_of_it, "a piece has no operators"},
  {same_again, "a piece has no operators"},
  {where_it_cant, "a piece can't run where it was put"},
  {where_it_cant_go_on, "a piece can't run where it was put"},
  {another_version, "a request goes on in another version of its network"},
  {idle, "requests wait, nothing runs and it starts nothing"},
  {half_and_idle, "requests wait, nothing runs and it starts nothing"},
};

START_TEST(contract)
{
  struct serving s;
  char expected[200];
  const struct hs_policy policy = {.name = "bad", .plan_all = plan_four, .schedule = breaches[_i].schedule};
  serving_open(&s);
  for (int i = 0; i < (breaches[_i].schedule == twice ? 2 : 1); i++) serving_add(&s, THREE, &policy);
  ck_assert_int_eq(s.networks[0].plan.alternatives[3]->n_ops, 2); /* the Relu belongs to the convolution there */
  serving_try(&s, 2);
  snprintf(expected, sizeof expected, "policy bad broke its contract: %s", breaches[_i].rule);
  ck_assert_int_eq(s.out->status, HS_POLICY);
  ck_assert_msg(strstr(s.out->message, expected), "%s", s.out->message);
  serving_close(&s);
}
END_TEST

/* Operator after operator on CPU, GPU and DSP in turn: a request takes the sum of its pieces. */
START_TEST(a_request_in_pieces)
{
  struct serving s;
  serving_open(&s);
  serving_add(&s, THREE, &serving_rotating);
  serving_run(&s, 3);
  for (int k = 0; k < 3; k++) {
    double sum = 0;
    for (int op = 0; op < 3; op++) sum += hs_pieces_seconds(s.networks[0].pieces, (k + op) % 3, op, op + 1);
    SERVE("latency", serving_latency(&s, 0, k), sum);
  }
  serving_close(&s);
}
END_TEST

/* A piece that was only timed has no program until it is asked for, and then one that takes as long. */
START_TEST(pieces_that_were_timed)
{
  struct serving s;
  int alternative, from, to;
  const struct hs_policy policy = {.name = "three", .plan_all = serving_plan_three, .schedule = serving_rotating.schedule};
  serving_open(&s);
  serving_add(&s, THREE, &policy);
  struct hs_pieces *p = s.networks[0].pieces;
  double d = hs_pieces_seconds(p, 1, 1, 3);
  ck_assert_double_gt(d, 0);
  const struct hs_program *program = hs_pieces_get(p, 1, 1, 3, NULL);
  struct hs_estimate e;
  ck_assert_ptr_nonnull(program);
  ck_assert(hs_pieces_find(p, program, &alternative, &from, &to) && alternative == 1 && from == 1 && to == 3);
  hs_estimate_program(&s.r.sys, program, &e, NULL, NULL);
  SERVE("latency", e.latency_s, d);
  ck_assert_ptr_eq(hs_pieces_get(p, 1, 1, 3, NULL), program);
  ck_assert_double_eq(hs_pieces_seconds(p, 1, 1, 3), d);
  serving_close(&s);
}
END_TEST

/* Every second request is given up, and the next one comes at once: it runs on the GPU. */
static int drop_odd(void *state, const struct hs_queue_view *v, struct hs_assignment *out)
{
  (void)state;
  for (int i = 0; i < v->n_waiting; i++) out[i] = (struct hs_assignment){i, 1, 3, v->waiting[i].request % 2 == 1};
  return v->n_waiting;
}

START_TEST(dropped_requests)
{
  const struct hs_policy policy = {.name = "dropping", .plan_all = serving_plan_three, .schedule = drop_odd};
  struct serving s;
  serving_open(&s);
  serving_add(&s, THREE, &policy);
  serving_run(&s, 6);
  double d = hs_pieces_seconds(s.networks[0].pieces, 1, 0, 3);
  ck_assert_int_eq(s.out->n_outcomes, 6);
  for (int k = 0; k < 6; k++) {
    ck_assert_int_eq(serving_outcome(&s, 0, k)->dropped, k % 2);
    ck_assert_int_eq(serving_outcome(&s, 0, k)->late, k % 2);
    SERVE("arrival", serving_outcome(&s, 0, k)->arrival_s, (k + 1) / 2 * d);
    SERVE("latency", serving_latency(&s, 0, k), k % 2 ? 0 : d);
  }
  serving_close(&s);
}
END_TEST

static int drop_all(void *state, const struct hs_queue_view *v, struct hs_assignment *out)
{
  (void)state;
  for (int i = 0; i < v->n_waiting; i++) out[i] = (struct hs_assignment){i, 0, 0, true};
  return v->n_waiting;
}

/* What the run waits for last is given up as it comes, at 2.5 d: the run is over then, and not when the other's next has ended. */
START_TEST(a_drop_ends_the_run)
{
  const struct hs_policy policy = {.name = "dropping", .plan_all = serving_plan_three, .schedule = drop_all};
  struct serving s;
  serving_open(&s);
  serving_add(&s, ONE, &serving_cpu);
  double d = serving_alone(&s, 0);
  serving_rate(serving_add(&s, ONE, &policy), 2.5 * d, INFINITY);
  serving_run(&s, 2);
  ck_assert_int_eq(s.out->n_outcomes, 4);
  SERVE("the last", s.out->outcomes[3].end_s, 2.5 * d);
  ck_assert_int_eq(s.out->unfinished, 1);
  serving_close(&s);
}
END_TEST

/* One state for all networks of a policy; finished tells each piece, with its true and its expected duration; a request that has ended
 * doesn't wait. notes: pieces, their seconds, expected seconds, breaches seen, released. */
struct tally {
  int pieces;
};

static int tallied(void *state, const struct hs_queue_view *v, struct hs_assignment *out)
{
  struct tally *t = state;
  serving_notes[3] += t->pieces != (int)serving_notes[0];
  serving_notes[3] += v->plans[0] == NULL || v->plans[1] != NULL || v->plans[2] == NULL || v->n_networks != 3;
  for (int i = 0; i < v->n_waiting; i++) {
    const struct hs_waiting *w = &v->waiting[i];
    serving_notes[3] += w->network == 1 || w->next_op > 2 || (w->next_op == 0) != (w->alternative == -1);
    serving_notes[3] += hs_view_expected(v, w->network, 2, w->next_op, 3, NULL) <= 0;
    out[i] = (struct hs_assignment){i, 2, w->next_op == 0 ? 2 : 3, false};
  }
  return v->n_waiting;
}

static void tally(void *state, const struct hs_queue_view *v, const struct hs_piece *piece, double seconds)
{
  ((struct tally *)state)->pieces++;
  serving_notes[0]++;
  serving_notes[1] += seconds;
  serving_notes[2] += piece->expected_s;
  serving_notes[3] += piece->alternative != 2 || fabs(v->now_s - piece->start_s - seconds) > 1e-12;
  serving_notes[3] += waits(v, piece->request) != (piece->to_op < 3);
}

static void released(void *state) { serving_notes[4] += ((struct tally *)state)->pieces > 0; }

START_TEST(what_a_scheduler_is_told)
{
  const struct hs_policy policy = {.name = "tally", .plan_all = serving_plan_three, .schedule = tallied, .finished = tally,
                                   .state_size = sizeof(struct tally), .release = released};
  struct serving s;
  serving_open(&s);
  serving_add(&s, THREE, &policy);
  serving_add(&s, ONE, &serving_cpu);
  serving_add(&s, THREE, &policy);
  serving_run(&s, 3);
  double sum = 0;
  for (int i = 0; i < s.out->n_outcomes; i++) sum += s.out->outcomes[i].network != 1 ? s.out->outcomes[i].end_s - s.out->outcomes[i].arrival_s : 0;
  ck_assert_int_ge((int)s.out->notes[0], 2 * 2 * 3);
  ck_assert_double_ge(s.out->notes[1], sum * (1 - 1e-9)); /* requests are never without a piece; some had not ended */
  ck_assert_double_gt(s.out->notes[1], s.out->notes[2]);  /* two at a time on one DSP */
  ck_assert_double_eq(s.out->notes[3], 0);
  ck_assert_double_eq(s.out->notes[4], 1);
  serving_close(&s);
}
END_TEST

/* Runs the first network once, then the second 1500 times, then the first again. */
struct patience {
  bool busy;
  int served, passed;
};

static int patient(void *state, const struct hs_queue_view *v, struct hs_assignment *out)
{
  struct patience *p = state;
  int network = p->served == 0 || p->passed >= 1500 ? 0 : 1;
  for (int i = 0; i < v->n_waiting && !p->busy; i++) {
    const struct hs_waiting *w = &v->waiting[i];
    if (w->network != network) continue;
    out[0] = (struct hs_assignment){i, 0, v->plans[network]->graph->n_ops, false};
    p->busy = true;
    p->served += network == 0;
    return 1;
  }
  return 0;
}

static void passed(void *state, const struct hs_queue_view *v, const struct hs_piece *piece, double seconds)
{
  struct patience *p = state;
  (void)v;
  (void)seconds;
  p->busy = false;
  p->passed += piece->network == 1;
}

static enum hs_status plan_npu(const struct hs_view *view, struct hs_placement *pl, struct hs_error *err)
{
  (void)err;
  return serving_all_on(view, pl, NPU);
}

/* A driver hands a DSP or NPU whole graphs: a kernel, and the return, follows its call (here there is one for each), though somebody else waits and has the
 * higher priority. */
START_TEST(invocations_are_not_broken_off)
{
  struct serving s;
  int last = -1, n[2] = {0, 0}, p = _i ? NPU : DSP;
  const struct hs_policy npu = {.name = "on-npu", .plan = plan_npu};
  serving_open(&s);
  for (int i = 0; i < 2; i++) serving_add(&s, THREE, _i ? &npu : &serving_dsp)->priority = 1 - i;
  serving_run(&s, 20);
  for (int i = 0; i < s.out->n_events; i++) {
    const struct hs_event *e = &s.out->events[i];
    const struct hs_task *t = &e->program->tasks[e->task];
    if (t->processor != p) continue;
    n[s.out->networks[i]]++;
    if (!hs_task_calls(t)) ck_assert_int_eq(last, e->request);
    last = e->request;
  }
  ck_assert_int_ge(n[0], 20 * 7); /* a call and a kernel for each operator, and the return */
  ck_assert_int_ge(n[1], 20 * 7);
  serving_close(&s);
}
END_TEST

/* The host maps (0), the DSP is called (1) and computes (2), something else that waits for the host, too (3), and returns (4); the NPU computes without a call
 * (5, 6). What begins is a call, or the first there is. */
START_TEST(what_goes_on_with_an_invocation)
{
  static const bool calls[] = {false, true, false, false, false, false, false}, goes_on[] = {false, false, true, true, true, false, true};
  int deps[] = {0, 1, 2, 0, 3, 5};
  struct hs_task tasks[] = {{.kind = HS_TASK_MAP, .processor = CPU, .to = DSP}, {.kind = HS_TASK_RPC, .processor = DSP, .to = DSP, .first_dep = 0, .n_deps = 1},
                            {.kind = HS_TASK_EXEC, .processor = DSP, .to = DSP, .first_dep = 1, .n_deps = 1},
                            {.kind = HS_TASK_EXEC, .processor = DSP, .to = DSP, .first_dep = 2, .n_deps = 2},
                            {.kind = HS_TASK_RPC, .processor = DSP, .to = CPU, .first_dep = 4, .n_deps = 1}, {.kind = HS_TASK_EXEC, .processor = NPU, .to = NPU},
                            {.kind = HS_TASK_EXEC, .processor = NPU, .to = NPU, .first_dep = 5, .n_deps = 1}};
  struct hs_program *prog = calloc(1, sizeof *prog);
  *prog = (struct hs_program){.tasks = tasks, .n_tasks = 7, .deps = deps, .n_deps = 6};
  hs_program_seal(prog);
  for (int i = 0; i < 7; i++) {
    ck_assert_int_eq(hs_task_calls(&tasks[i]), calls[i]);
    ck_assert_int_eq(hs_task_goes_on(prog, i), goes_on[i]);
  }
  prog->tasks = NULL;
  prog->deps = NULL;
  hs_program_free(prog);
}
END_TEST

/* On the GPU at once, and notes whether it knew of anybody there. */
static int at_once(void *state, const struct hs_queue_view *v, struct hs_assignment *out)
{
  (void)state;
  for (int i = 0; i < v->n_waiting; i++) {
    const struct hs_waiting *w = &v->waiting[i];
    if (w->request < 2) serving_notes[0] = w->load[GPU].others;
    out[i] = (struct hs_assignment){i, 1, v->plans[w->network]->alternatives[1]->n_ops, false};
  }
  return v->n_waiting;
}

/* Of two that come at once, one of which is scheduled: whichever is named first goes first, or the one of the higher priority. That the other one is there is
 * known though it starts later. */
START_TEST(who_comes_at_once)
{
  const struct hs_policy scheduled = {.name = "at-once", .plan_all = serving_plan_three, .schedule = at_once};
  for (int which = 0; which < 4; which++) {
    struct serving s;
    bool second = which & 1, higher = which & 2;
    serving_open(&s);
    serving_add(&s, ONE, second ? &serving_gpu : &scheduled);
    serving_add(&s, ONE, second ? &scheduled : &serving_gpu)->priority = higher;
    serving_run(&s, 1);
    ck_assert_double_gt(s.out->notes[0], 0);
    ck_assert_double_lt(serving_outcome(&s, higher ? 1 : 0, 0)->end_s, serving_outcome(&s, higher ? 0 : 1, 0)->end_s);
    serving_close(&s);
  }
}
END_TEST

/* Of three on the DSP two have the higher priority, and while the host is busy for one the DSP is for the other: the third waits there, and
 * the run would wait for it for ever. */
START_TEST(behind_higher_priorities)
{
  struct serving s;
  serving_open(&s);
  for (int i = 0; i < 3; i++) serving_add(&s, THREE, &serving_dsp)->priority = i > 0;
  serving_try(&s, 1);
  ck_assert_int_eq(s.out->status, HS_UNMET);
  ck_assert_msg(strstr(s.out->message, "lets it wait behind higher priorities since"), "%s", s.out->message);
  ck_assert_int_eq(outcomes_of(&s, 0), 0);
  serving_close(&s);
}
END_TEST

/* 1500 short ones go first, but in less than 1000 times the longest: the long one doesn't starve yet. */
START_TEST(short_ones_that_go_first)
{
  const struct hs_policy policy = {.name = "patient", .plan = serving_plan_cpu, .schedule = patient, .finished = passed, .state_size = sizeof(struct patience)};
  struct serving s;
  serving_open(&s);
  serving_add(&s, THREE, &policy);
  serving_add(&s, TINY, &policy);
  ck_assert_double_lt(1500 * serving_alone(&s, 1), 999 * serving_alone(&s, 0));
  serving_run(&s, 2);
  ck_assert_int_eq(outcomes_of(&s, 0), 2);
  ck_assert_int_ge(outcomes_of(&s, 1), 1500);
  serving_close(&s);
}
END_TEST

/* A network that comes once in 2000 inferences of another has nothing that waits in between. */
START_TEST(who_comes_rarely)
{
  struct serving s;
  serving_open(&s);
  serving_add(&s, TINY, &serving_cpu);
  serving_add(&s, TINY, &serving_gpu);
  double period_s = 2000 * serving_alone(&s, 1);
  ck_assert_double_gt(period_s, 1000 * serving_alone(&s, 0));
  serving_rate(&s.networks[0], period_s, INFINITY);
  serving_run(&s, 2);
  ck_assert_int_eq(outcomes_of(&s, 0), 2);
  ck_assert_int_ge(outcomes_of(&s, 1), 1900);
  serving_close(&s);
}
END_TEST

static void fill(TCase *t)
{
  tcase_add_test(t, closed_loop);
  tcase_add_test(t, a_rate_that_is_kept);
  tcase_add_test(t, a_rate_that_is_too_high);
  tcase_add_test(t, none_pauses_while_another_runs);
  tcase_add_test(t, networks_share_the_cpu);
  tcase_add_test(t, until_the_time_is_up);
  tcase_add_test(t, others_change_no_arrivals);
  tcase_add_test(t, schedulers_see_priorities);
  tcase_add_loop_test(t, contract, 0, (int)(sizeof breaches / sizeof *breaches));
  tcase_add_test(t, a_request_in_pieces);
  tcase_add_test(t, pieces_that_were_timed);
  tcase_add_test(t, dropped_requests);
  tcase_add_test(t, a_drop_ends_the_run);
  tcase_add_test(t, what_a_scheduler_is_told);
  tcase_add_test(t, short_ones_that_go_first);
  tcase_add_test(t, who_comes_rarely);
  tcase_add_loop_test(t, invocations_are_not_broken_off, 0, 2);
  tcase_add_test(t, what_goes_on_with_an_invocation);
  tcase_add_test(t, who_comes_at_once);
  tcase_add_test(t, behind_higher_priorities);
}

int main(void) { return hs_test_main("serve", fill); }
