/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a scheduler may do with requests that wait, what it is told, and what is refused. The policies are the tests' own. */
#include "tests/model/serving.h"

#include <limits.h>

#include "plan/pass.h"

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
static int fewer_than_none(void *state, const struct hs_queue_view *v, struct hs_assignment *out) { return (void)state, (void)v, (void)out, -1; }
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
  {not_there, "waiting request 1: it doesn't wait"},
  {below_zero, "waiting request -1: it doesn't wait"},
  {twice, "waiting request 0: it doesn't wait"},
  {no_alternative, "request 0 of net, from operator 0 to before 1 under alternative 4: there is no such alternative"},
  {alternative_below_zero, "request 0 of net, from operator 0 to before 1 under alternative -1: there is no such alternative"},
  {nothing_of_it, "request 0 of net, from operator 0 to before 0 under cpu: it has no operators"},
  {too_much_of_it, "request 0 of net, from operator 0 to before 4 under cpu: it ends behind its network"},
  {fewer_than_none, "it made other than from none to as many assignments as requests wait"},
  {same_again, "request 0 of net, from operator 1 to before 1 under cpu: it has no operators"},
  {where_it_cant, "request 0 of net, from operator 0 to before 2 under partial: it can't run there"},
  {where_it_cant_go_on, "request 0 of net, from operator 1 to before 2 under partial: it can't run there"},
  {another_version, "request 0 of net, from operator 1 to before 2 under other: the request goes on in another version of its network"},
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

static int all_at_once(void *state, const struct hs_queue_view *v, struct hs_assignment *out)
{
  (void)state;
  for (int i = 0; i < v->n_waiting; i++) out[i] = (struct hs_assignment){i, 0, 1, false};
  return v->n_waiting;
}

static enum hs_status plan_on_cpu(const struct hs_view *view, struct hs_plan *plan, struct hs_error *err)
{
  (void)err;
  serving_all_on(view, hs_plan_add(plan, "cpu"), CPU);
  return HS_OK;
}

static void hear(void *state, const struct hs_queue_view *v, const struct hs_piece *piece, double seconds) { (void)state, (void)v, (void)piece, (void)seconds; }

/* What takes no time has ended, where cores are shared in slices, before the scheduler's next request is handed in: it still is that one. */
START_TEST(what_takes_no_time)
{
  const struct hs_policy policy = {.name = "at once", .plan_all = plan_on_cpu, .schedule = all_at_once, .finished = hear};
  const struct hs_scheduler slices = {10e-3, 3e-3, 2e-3};
  struct serving s;
  serving_open(&s);
  struct hs_kernel k = *s.r.sys.backends[CPU].kernel;
  k.overhead_cycles = k.light_move_cycles_per_byte = k.traffic_factor = 0;
  s.r.sys.backends[CPU].kernel = &k;
  s.r.sys.scheduler = &slices;
  for (int i = 0; i < 3; i++)
    serving_rate(serving_add(&s, RIG_NET(RIG_IN("i", "1, 8, 8, 3"), "'a'", RIG_OP("a", "Reshape", "'i'", ", 'shape': [1, 192]")), &policy), 1e-3, INFINITY);
  SERVE("no time", serving_alone(&s, 0), 0);
  serving_run(&s, 4);
  for (int i = 0; i < 3; i++) SERVE("latency", serving_latency(&s, i, 3), 0);
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
  ck_assert_int_eq(s.out->unfinished[0], 1);
  ck_assert_int_eq(s.out->unfinished[1], 0);
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
  ck_assert_int_eq(serving_n_outcomes(&s, 0), 2);
  ck_assert_int_ge(serving_n_outcomes(&s, 1), 1500);
  serving_close(&s);
}
END_TEST

/* The first operator of each request, one after the other; the rest of all when `served` of them have had that. */
static int beginnings(struct patience *p, const struct hs_queue_view *v, struct hs_assignment *out, int served)
{
  for (int i = 0; i < v->n_waiting && !p->busy; i++) {
    bool begins = v->waiting[i].next_op == 0;
    if (begins != (p->served < served)) continue;
    p->busy = true;
    p->served += begins;
    out[0] = (struct hs_assignment){i, 0, begins ? 1 : v->plans[0]->graph->n_ops, false};
    return 1;
  }
  return 0;
}

static int begin_all(void *state, const struct hs_queue_view *v, struct hs_assignment *out) { return beginnings(state, v, out, INT_MAX); }
static int begin_1200(void *state, const struct hs_queue_view *v, struct hs_assignment *out) { return beginnings(state, v, out, 1200); }
static int begin_900(void *state, const struct hs_queue_view *v, struct hs_assignment *out) { return beginnings(state, v, out, 900); }

/* The newest begins first. */
static int begin_1200_backwards(void *state, const struct hs_queue_view *v, struct hs_assignment *out)
{
  const struct patience *p = state;
  int n = beginnings(state, v, out, 1200);
  if (n && out[0].to_op == 1) out[0].waiting = 1200 - p->served;
  return n;
}

/* A network whose new requests go before what is left of old ones has none that ends, which is told when 1000 did; 900 aren't enough. */
START_TEST(new_ones_that_go_first)
{
  const struct hs_policy policies[] = {
    {.name = "all", .plan = serving_plan_cpu, .schedule = begin_all, .finished = passed, .state_size = sizeof(struct patience)},
    {.name = "900", .plan = serving_plan_cpu, .schedule = begin_900, .finished = passed, .state_size = sizeof(struct patience)}};
  for (int i = 0; i < 2; i++) {
    struct serving s;
    serving_open(&s);
    serving_add(&s, THREE, &policies[i]);
    serving_rate(&s.networks[0], serving_alone(&s, 0), INFINITY);
    serving_try(&s, 2);
    ck_assert_int_eq(s.out->status, i == 0 ? HS_UNMET : HS_OK);
    ck_assert_int_eq(s.out->n_outcomes, i == 0 ? 0 : 2);
    if (i == 0) ck_assert_msg(strstr(s.out->message, "policy all has begun 1000 requests that came after one ended or the first went on"), "%s", s.out->message);
    serving_close(&s);
  }
}
END_TEST

/* After each 900 beginnings the rest of the newest that waits for it: the first never goes on. */
static int end_newest(void *state, const struct hs_queue_view *v, struct hs_assignment *out)
{
  struct patience *p = state;
  if (p->busy || p->passed == p->served / 900) return beginnings(p, v, out, INT_MAX);
  for (int i = v->n_waiting - 1; i >= 0; i--) {
    if (v->waiting[i].next_op == 0) continue;
    p->busy = true;
    p->passed++;
    out[0] = (struct hs_assignment){i, 0, v->plans[0]->graph->n_ops, false};
    return 1;
  }
  return 0;
}

/* As long as any end, a run comes to its end, though the first waits for ever. */
START_TEST(the_first_waits_and_others_end)
{
  const struct hs_policy policy = {.name = "newest", .plan = serving_plan_cpu, .schedule = end_newest, .finished = passed, .state_size = sizeof(struct patience)};
  struct serving s;
  serving_open(&s);
  serving_add(&s, THREE, &policy);
  serving_rate(&s.networks[0], serving_alone(&s, 0), INFINITY);
  serving_run(&s, 2);
  ck_assert_int_eq(s.out->n_outcomes, 2);
  ck_assert_int_gt(s.out->outcomes[1].request, 1000);
  serving_close(&s);
}
END_TEST

/* Those that came together don't go before each other: 1200 of a burst begin before any goes on, whoever of them begins first. */
START_TEST(a_burst_in_step)
{
  const struct hs_policy policy = {.name = "burst", .plan = serving_plan_cpu, .schedule = _i ? begin_1200_backwards : begin_1200, .finished = passed,
                                   .state_size = sizeof(struct patience)};
  struct serving s;
  serving_open(&s);
  struct hs_network *n = serving_add(&s, THREE, &policy);
  n->pattern = (struct hs_pattern){HS_BURSTS, 10, 1200};
  n->seed = 1;
  n->stream = "burst";
  serving_run(&s, 1200);
  ck_assert_int_eq(serving_n_outcomes(&s, 0), 1200);
  serving_close(&s);
}
END_TEST

/* The second network's requests are dropped as they come, 1500 of them; then the first's gets its turn. */
static int drop_many(void *state, const struct hs_queue_view *v, struct hs_assignment *out)
{
  struct patience *p = state;
  int n = 0;
  for (int i = 0; i < v->n_waiting; i++) {
    const struct hs_waiting *w = &v->waiting[i];
    bool drop = w->network == 1;
    if (!drop && (p->passed < 1500 || p->busy)) continue;
    p->passed += drop;
    p->busy |= !drop;
    out[n++] = (struct hs_assignment){i, 0, v->plans[w->network]->graph->n_ops, drop};
  }
  return n;
}

/* Who waits while others are dropped isn't passed over: nothing of theirs ran. */
START_TEST(dropped_requests_pass_nobody_over)
{
  const struct hs_policy policy = {.name = "dropping", .plan = serving_plan_cpu, .schedule = drop_many, .state_size = sizeof(struct patience)};
  struct serving s;
  serving_open(&s);
  serving_add(&s, THREE, &policy);
  serving_rate(serving_add(&s, TINY, &policy), serving_alone(&s, 0), INFINITY);
  serving_run(&s, 1);
  ck_assert_int_eq(serving_n_outcomes(&s, 0), 1);
  ck_assert_int_ge(serving_n_outcomes(&s, 1), 1500);
  serving_close(&s);
}
END_TEST

/* A request that has waited, if only until something happened. */
static int drop_later(void *state, const struct hs_queue_view *v, struct hs_assignment *out)
{
  int n = 0;
  (void)state;
  for (int i = 0; i < v->n_waiting; i++)
    if (v->now_s > v->waiting[i].arrival_s) out[n++] = (struct hs_assignment){i, 0, 0, true};
  return n;
}

/* Back to back, requests that wait before they are dropped let time pass: however many there are, the run goes on. */
START_TEST(requests_that_are_dropped_later)
{
  const struct hs_policy policy = {.name = "dropping", .plan = serving_plan_cpu, .schedule = drop_later};
  struct serving s;
  serving_open(&s);
  serving_add(&s, TINY, &policy);
  serving_add(&s, TINY, &serving_gpu);
  serving_run_for(&s, 1200.5 * serving_alone(&s, 1));
  ck_assert_int_eq(serving_n_outcomes(&s, 0), 1200);
  ck_assert_int_eq(serving_n_outcomes(&s, 1), 1200);
  serving_close(&s);
}
END_TEST

static void fill(TCase *t)
{
  tcase_add_loop_test(t, contract, 0, (int)(sizeof breaches / sizeof *breaches));
  tcase_add_test(t, a_request_in_pieces);
  tcase_add_test(t, pieces_that_were_timed);
  tcase_add_test(t, what_takes_no_time);
  tcase_add_test(t, dropped_requests);
  tcase_add_test(t, a_drop_ends_the_run);
  tcase_add_test(t, what_a_scheduler_is_told);
  tcase_add_test(t, short_ones_that_go_first);
  tcase_add_test(t, new_ones_that_go_first);
  tcase_add_test(t, the_first_waits_and_others_end);
  tcase_add_loop_test(t, a_burst_in_step, 0, 2);
  tcase_add_test(t, dropped_requests_pass_nobody_over);
  tcase_add_test(t, requests_that_are_dropped_later);
}

int main(void) { return hs_test_main("serve_schedulers", fill); }
