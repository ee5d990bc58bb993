/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What schedulers answer when they are asked about a queue that is made up: whose turn it is, on which worker, who waits and who is dropped, by hand. The networks
 * are the five layers of five.h, or single units of it; in test_schedulers.c they are served. */
#include "tests/policy/streams.h"

#include "policies/choose.h"

/* Asks band-lst what it would do with two requests of the first network and one of the second that came between them. */
static int schedule_two_and_one(void *state, const struct hs_queue_view *view, struct hs_assignment *out)
{
  const struct hs_policy *band = hs_policy_find("band-lst");
  if (view->n_waiting == 2) {
    const struct hs_waiting three[] = {view->waiting[0], view->waiting[1], view->waiting[0]};
    struct hs_queue_view longer = *view;
    struct hs_assignment picked[3];
    longer.waiting = three;
    longer.n_waiting = 3;
    int n = band->schedule(state, &longer, picked);
    for (int i = 0; i < n; i++) serving_notes[i] = picked[i].waiting;
  }
  return band->schedule(state, view, out);
}

/* Endless slack is the same for all: in order of arrival, the second network's before the first's second. */
START_TEST(equal_slack_in_order_of_arrival)
{
  struct hs_policy policy = *hs_policy_find("band-lst");
  struct serving s = {0};
  policy.schedule = schedule_two_and_one;
  open_with(&s.r, soc, FIVE);
  serving_share(&s);
  for (int i = 0; i < 2; i++) serving_add_with(&s, FIVE, &policy, "minimum_subgraph_size=2");
  serving_run(&s, 1);
  ck_assert_double_eq(s.out->notes[0], 0);
  ck_assert_double_eq(s.out->notes[1], 1);
  serving_close(&s);
}
END_TEST

/* Networks of one unit, by their 2^20 MACs; `four` has no kernel for the GPU. */
#define ONE_UNIT(first, layers) RIG_NET(RIG_IN("i", "1, 8, 8, 128"), "'" first "'", layers)
#define NO_GPU ", 'support': {'gpu': false}"
static const char four[] = ONE_UNIT("d", LAYER("d", "i", "2", NO_GPU)), five_all[] = ONE_UNIT("e", LAYER("a", "i", "1", "") "," LAYER("e", "a", "2", "")),
                  eight[] = ONE_UNIT("e", LAYER("d", "i", "2", "") "," LAYER("e", "d", "2", "")), nine[] = ONE_UNIT("b", LAYER("b", "i", "3", ""));

static const char *asked; /* what schedule_beside_nine asks */

/* Asks a policy what it would do with the requests of all networks but the last, while the NPU has just begun the last one's. Notes the
 * worker of each, or -1. */
static int schedule_beside_nine(void *state, const struct hs_queue_view *view, struct hs_assignment *out)
{
  const struct hs_policy *band = hs_policy_find(asked);
  int last = view->n_networks - 1, npu = 0;
  if (view->n_waiting > last) {
    while (strcmp(view->plans[0]->names[npu], "npu") != 0) npu++;
    const struct hs_piece nine_runs = {.request = 99, .network = last, .alternative = npu, .to_op = 1, .start_s = view->now_s};
    struct hs_queue_view busy = *view;
    struct hs_assignment picked[4];
    busy.n_waiting = last;
    busy.running = &nine_runs;
    busy.n_running = 1;
    int n = band->schedule(state, &busy, picked);
    for (int i = 0; i < last; i++) serving_notes[i] = -1;
    for (int i = 0; i < n; i++) serving_notes[picked[i].waiting] = picked[i].alternative;
  }
  return band->schedule(state, view, out);
}

static void ask_beside_nine(struct serving *s, const char *name, const char *const *nets, int n)
{
  struct hs_policy policy = *hs_policy_find(name);
  *s = (struct serving){0};
  asked = name;
  policy.schedule = schedule_beside_nine;
  open_with(&s->r, soc, nine);
  serving_share(s);
  for (int i = 0; i < n; i++) serving_add_with(s, nets[i], &policy, "minimum_subgraph_size=1");
  serving_add_with(s, nine, &policy, "minimum_subgraph_size=1");
  serving_run_for(s, u);
}

static const char *ran_on(const struct serving *s, int network)
{
  return s->out->notes[network] < 0 ? "" : s->networks[network].plan.names[(int)s->out->notes[network]];
}

/* The NPU is busy for 136 u. Alone: 0 cpu 256, npu 96; 1 cpu 512, gpu 192, npu 128; 2 cpu 320, gpu 144, npu 104. 0 has the longest
 * path (136 + 96 = 232), but its worker is busy: it yields. 1 gets the GPU (192). Now 2 has the longest one (136 + 104 = 240; gpu
 * 336) and yields, and beside it 0 is faster on the CPU than on the NPU (256; 336). If 0 went on to count, it would be 2 on the CPU. */
START_TEST(who_yields_is_asked_again)
{
  static const char *const nets[] = {four, eight, five_all};
  struct serving s;
  ask_beside_nine(&s, "band-heft", nets, 3);
  ck_assert_str_eq(ran_on(&s, 0), "cpu");
  ck_assert_str_eq(ran_on(&s, 1), "gpu");
  ck_assert_str_eq(ran_on(&s, 2), "");
  serving_close(&s);
}
END_TEST

/* band-lst leaves who finds its worker busy without counting it there: both are to wait for the NPU (232 u), though with 0 counted, as
 * band-heft does, the CPU's 256 would be less than 328. */
START_TEST(least_slack_counts_only_what_it_starts)
{
  static const char *const nets[] = {four, four};
  struct serving s;
  ask_beside_nine(&s, "band-lst", nets, 2);
  for (int i = 0; i < 2; i++) ck_assert_str_eq(ran_on(&s, i), "");
  serving_close(&s);
  ask_beside_nine(&s, "band-heft", nets, 2);
  ck_assert_str_eq(ran_on(&s, 0), "");
  ck_assert_str_eq(ran_on(&s, 1), "cpu");
  serving_close(&s);
}
END_TEST

/* A policy is asked about queues that never were, one after the other. The alternatives in `busy` (a bit for each) run the last network, since so long. It
 * notes of the last queue the alternative of each request, -1 where it waits and -2 where it is dropped. */
struct queued {
  int request, network, next_op;
  double deadline_u;
};
enum { QUEUED_MAX = 6 };
static const struct queue {
  int n;
  struct queued requests[QUEUED_MAX];
  unsigned busy;
  double since_u;
} *queues;
enum { ALL = 7 }; /* of Band's workers */
static int n_queues, n_urgent; /* the first of each go before the others */

static int schedule_queues(void *state, const struct hs_queue_view *view, struct hs_assignment *out)
{
  const struct hs_policy *band = hs_policy_find(asked);
  for (int q = 0; q < n_queues; q++) {
    struct hs_waiting waiting[QUEUED_MAX];
    struct hs_piece running[4];
    struct hs_assignment picked[QUEUED_MAX];
    struct hs_queue_view v = *view;
    for (int i = 0; i < queues[q].n; i++) {
      const struct queued *r = &queues[q].requests[i];
      waiting[i] = (struct hs_waiting){.request = r->request, .network = r->network, .alternative = -1, .next_op = r->next_op,
                                       .priority = i < n_urgent, .deadline_s = view->now_s + r->deadline_u * u};
      serving_notes[i] = -1;
    }
    v.waiting = waiting;
    v.n_waiting = queues[q].n;
    v.running = running;
    v.n_running = 0;
    for (int i = 0, last = v.n_networks - 1, n_ops = v.plans[last]->graph->n_ops; i < v.plans[last]->n; i++)
      if (queues[q].busy >> i & 1)
        running[v.n_running++] = (struct hs_piece){.request = 99 + i, .network = last, .alternative = i, .to_op = n_ops,
                                                   .start_s = v.now_s - queues[q].since_u * u,
                                                   .expected_s = hs_view_expected(&v, last, i, 0, n_ops, NULL)};
    for (int i = 0, n = band->schedule(state, &v, picked); i < n; i++) serving_notes[picked[i].waiting] = picked[i].drop ? -2 : picked[i].alternative;
  }
  n_queues = 0;
  return band->schedule(state, view, out);
}

/* Where the requests of the last queue go, as "npu - late gpu". */
static void check_queues(const char *name, const char *const *nets, int n_nets, const struct queue *q, int n, const char *expected)
{
  struct hs_policy policy = *hs_policy_find(name);
  struct serving s = {0};
  struct hs_text x = {0};
  asked = name;
  queues = q;
  n_queues = n;
  policy.schedule = schedule_queues;
  open_with(&s.r, soc, nine);
  serving_share(&s);
  for (int i = 0; i < n_nets; i++) serving_add_with(&s, nets[i], &policy, policy.n_params ? "minimum_subgraph_size=1" : NULL);
  serving_run_for(&s, u);
  for (int i = 0; i < q[n - 1].n; i++) {
    int w = (int)s.out->notes[i];
    hs_text_addf(&x, "%s%s", i ? " " : "", w == -2 ? "late" : w < 0 ? "-" : s.networks[0].plan.names[w]);
  }
  ck_assert_str_eq(x.s, expected);
  hs_text_free(&x);
  serving_close(&s);
}

/* Alone (u): one cpu 64, gpu 80, npu 72; four cpu 256, npu 96; five cpu 320, gpu 144, npu 104; eight cpu 512, gpu 192, npu 128. By slack,
 * and each beside what goes before it:
 * - eight has 1000 - 128 left, five 500 - 104: five takes the NPU, and for eight 104 + 128 are more than gpu 192.
 * - five has 290 - 104 = 186 left, eight 300 - 128 = 172, though its deadline is later: eight takes the NPU, and for five 128 + 104
 *   are more than gpu 144.
 * - three times four: the second would be done at 96 + 96 on the NPU, before cpu 256. It is busy now, so it waits, and counts: for the
 *   third 288 are more than 256.
 * - two requests of one network don't share a path: with the NPU taken eight is faster on the GPU.
 * - what would be late (five takes 104) is dropped, but not while all workers are busy and nobody looks. */
static const char one[] = ONE_UNIT("b", LAYER("b", "i", "1", ""));
static const char *const by_size[] = {four, five_all, eight};
static const struct {
  struct queue queue;
  const char *workers;
} slack_cases[] = {
  {{2, {{0, 2, 0, 1000}, {1, 1, 0, 500}}, 0, 0}, "gpu npu"},
  {{2, {{0, 1, 0, 290}, {1, 2, 0, 300}}, 0, 0}, "gpu npu"},
  {{3, {{0, 0, 0, INFINITY}, {1, 0, 0, INFINITY}, {2, 0, 0, INFINITY}}, 0, 0}, "npu - cpu"},
  {{2, {{0, 2, 0, INFINITY}, {1, 2, 0, INFINITY}}, 0, 0}, "npu gpu"},
  {{1, {{0, 1, 0, 103}}, 0, 0}, "late"},
  {{1, {{0, 1, 0, 103}}, ALL, 0}, "-"},
};

START_TEST(least_slack_first) { check_queues("band-lst", by_size, 3, &slack_cases[_i].queue, 1, slack_cases[_i].workers); }
END_TEST

/* Four of a higher priority take all workers: eight the NPU, five the GPU, four the CPU, beside a four that waits for the NPU. The last has a deadline, and would
 * be done there at 128 + 96 + 96 = 320; with one more of higher priority, though that finds no worker either, at 416, or on the CPU at 512. */
START_TEST(least_slack_counts_all_before)
{
  static const struct queue few = {5, {{0, 2, 0, INFINITY}, {1, 1, 0, INFINITY}, {2, 0, 0, INFINITY}, {3, 0, 0, INFINITY}, {4, 0, 0, 350}}, 0, 0},
    more = {6, {{0, 2, 0, INFINITY}, {1, 1, 0, INFINITY}, {2, 0, 0, INFINITY}, {3, 0, 0, INFINITY}, {4, 0, 0, INFINITY}, {5, 0, 0, 350}}, 0, 0};
  n_urgent = 4;
  check_queues("band-lst", by_size, 3, &few, 1, "npu gpu - cpu -");
  n_urgent = 5;
  check_queues("band-lst", by_size, 3, &more, 1, "npu gpu - cpu - late");
}
END_TEST

/* Whole microseconds, as above: one cpu 61, npu 68; five gpu 137, npu 99; eight cpu 488, npu 122.
 * - eight has run on the CPU for 481.5, so that 7 are left and 7 + 61 tie with the NPU: the first worker, for which it waits.
 * - for 480.9: 8 are left, and the NPU is first, though to the last digit the CPU would be.
 * - eight should have left the NPU long ago: that it's late is no time gained, so that the second of two times five is done on the GPU first.
 * - that it has the CPU keeps nobody from the NPU. */
static const double US = 0x1p20 / 1e6; /* in u */
static const struct {
  const char *policy;
  double since_us;
  struct queue queue;
  const char *workers;
} whole_cases[] = {
  {"band-sel", 481.5, {1, {{0, 0, 0, INFINITY}}, 1, 0}, "-"},
  {"band-sel", 480.9, {1, {{0, 0, 0, INFINITY}}, 1, 0}, "npu"},
  {"band-heft", 1000, {2, {{0, 1, 0, INFINITY}, {1, 1, 0, INFINITY}}, 4, 0}, "- gpu"},
  {"band-heft", 0, {1, {{0, 1, 0, INFINITY}}, 1, 0}, "npu"},
};

START_TEST(whole_microseconds)
{
  static const char *const nets[] = {one, five_all, eight};
  struct queue queue = whole_cases[_i].queue;
  queue.since_u = whole_cases[_i].since_us * US;
  check_queues(whole_cases[_i].policy, nets, 3, &queue, 1, whole_cases[_i].workers);
}
END_TEST

/* c of the five layers, which only the CPU runs (64), is reserved when a and b begin: `one` takes the NPU (72), as on the CPU it would be done at 128. If the
 * request is late then and dropped, nothing is reserved any more: the CPU. Nor by two, whichever began first, or by
 * one that is late before it begins. */
START_TEST(reserved_until_dropped)
{
  static const struct queue reserved[] = {{1, {{0, 1, 0, INFINITY}}, 0, 0}, {1, {{1, 0, 0, INFINITY}}, 0, 0}},
                            dropped[] = {{1, {{0, 1, 0, INFINITY}}, 0, 0}, {1, {{0, 1, 2, -1}}, 0, 0}, {1, {{1, 0, 0, INFINITY}}, 0, 0}};
  static const struct queue two[] = {{1, {{4, 1, 0, INFINITY}}, 0, 0}, {1, {{5, 1, 0, INFINITY}}, 0, 0}, {1, {{3, 1, 0, INFINITY}}, 0, 0},
                                     {3, {{3, 1, 2, -1}, {4, 1, 2, -1}, {5, 1, 2, -1}}, 0, 0}, {1, {{9, 0, 0, INFINITY}}, 0, 0}};
  static const struct queue never_began[] = {{1, {{0, 1, 0, -1}}, 0, 0}, {1, {{1, 0, 0, INFINITY}}, 0, 0}};
  static const char *const nets[] = {one, NET("9", A, B, C, D, E)};
  check_queues("band-heft-reserved", nets, 2, never_began, 2, "cpu");
  check_queues("band-heft-reserved", nets, 2, two, 4, "late late late");
  check_queues("band-heft-reserved", nets, 2, two, 5, "cpu");
  check_queues("band-heft-reserved", nets, 2, reserved, 2, "npu");
  check_queues("band-heft-reserved", nets, 2, dropped, 2, "late");
  check_queues("band-heft-reserved", nets, 2, dropped, 3, "cpu");
}
END_TEST

/* One that has a b c behind it and waits for d e (npu 128, gpu 192) isn't like one that begins: that has more before it (336), so it takes the NPU first (a b
 * 144, gpu 224). Beside it the other is faster on the GPU. */
START_TEST(begun_is_not_like_new)
{
  static const struct queue queue = {2, {{0, 0, 3, INFINITY}, {1, 0, 0, INFINITY}}, 0, 0};
  static const char *const nets[] = {FIVE};
  check_queues("band-sel", nets, 1, &queue, 1, "gpu npu");
}
END_TEST

/* In whole microseconds: a cpu 61, b gpu 76, c and its sum cpu 61, with d 122; a to c npu 83, once `nine` has left it after 129 - 14. Over a, b and then c d
 * that is 61 + 76 + 122, over the NPU 115 + 83 + 61: 259 both, and two sub-graphs are fewer than three. So it waits for the NPU. b and c by themselves make no
 * sub-graph, since the sum reads a's result, too. */
START_TEST(fewer_of_equally_long)
{
  static const char net[] = RIG_NET(RIG_IN("i", "1, 8, 8, 128"), "'d'", LAYER("a", "i", "1", NO_GPU) ","
                                    LAYER("b", "a", "1", ", 'support': {'cpu': false}") ","
                                    RIG_OP("s", "Add", "'b', 'a'", NO_GPU) "," LAYER("c", "s", "1", NO_GPU) "," LAYER("d", "c", "1", CPUS_ONLY));
  static const struct queue queue = {1, {{0, 0, 0, INFINITY}}, 4, 14.5 * 0x1p20 / 1e6};
  static const char *const nets[] = {net, nine};
  check_queues("band-sel", nets, 2, &queue, 1, "-");
}
END_TEST

/* Alone on cpu, cpu-little, gpu, npu (u): one 64, 256, 80, 72; five 320, 1280, 144, 104; eight 512, 2048, 192, 128. In the order of
 * arrival, each where it ends first, on a processor that is busy too, but then it waits:
 * - five: npu (104), gpu (144, 208), npu again (208, 288, 320): it waits.
 * - eight has just begun on the NPU: five is faster on the GPU (232, 144). It should have ended 872 u ago: the NPU is expected to be free at once, once.
 * - eight has just begun on all but the CPU, which is `one`'s. */
static const struct {
  struct queue queue;
  const char *where;
} task_cases[] = {
  {{3, {{0, 1, 0, INFINITY}, {1, 1, 0, INFINITY}, {2, 1, 0, INFINITY}}, 0, 0}, "npu gpu -"},
  {{1, {{0, 1, 0, INFINITY}}, 8, 0}, "gpu"},
  {{2, {{0, 1, 0, INFINITY}, {1, 1, 0, INFINITY}}, 8, 1000}, "- gpu"},
  {{1, {{0, 0, 0, INFINITY}}, 14, 0}, "cpu"},
};

START_TEST(each_where_it_ends_first)
{
  static const char *const nets[] = {one, five_all, eight};
  check_queues("task-parallel", nets, 3, &task_cases[_i].queue, 1, task_cases[_i].where);
}
END_TEST

/* At 2 s a request that was due at 1 s is dropped, and the worker that would have had it takes the next one. */
START_TEST(a_late_request_keeps_no_worker)
{
  const struct hs_policy *policy = hs_policy_find("band-round-robin");
  struct serving s = {0};
  open_with(&s.r, soc, FIVE);
  serving_share(&s);
  serving_add(&s, FIVE, policy);
  const struct hs_plan *plan = &s.networks[0].plan;
  const struct hs_waiting waiting[] = {{.request = 0, .alternative = -1, .deadline_s = 1}, {.request = 1, .alternative = -1, .deadline_s = 3}};
  const struct hs_queue_view view = {.soc = s.r.soc, .now_s = 2, .n_networks = 1, .plans = &plan, .n_waiting = 2, .waiting = waiting};
  struct hs_assignment out[2];
  void *state = hs_calloc(1, policy->state_size);
  ck_assert_int_eq(policy->schedule(state, &view, out), 2);
  ck_assert(out[0].waiting == 0 && out[0].drop);
  ck_assert(out[1].waiting == 1 && !out[1].drop && out[1].alternative == 0);
  policy->release(state);
  free(state);
  serving_close(&s);
}
END_TEST

static int first_alternative(void *state, const struct hs_queue_view *view, const struct hs_waiting *w) { return (void)state, (void)view, (void)w, 0; }

/* Of two requests of a network that wait the first begins, of a network that runs none; the one of another network isn't kept by either. */
START_TEST(one_inference_of_a_network)
{
  struct hs_placement whole = {.n_ops = 5};
  const struct hs_plan plan = {.n = 1, .alternatives = {&whole}}, *const plans[] = {&plan, &plan};
  const struct hs_waiting waiting[] = {{.request = 1, .network = 0}, {.request = 2, .network = 0}, {.request = 3, .network = 1}};
  const struct hs_piece first_runs = {.request = 0, .network = 0};
  struct hs_queue_view view = {.n_networks = 2, .plans = plans, .n_waiting = 3, .waiting = waiting};
  struct hs_assignment out[3];
  ck_assert_int_eq(hs_one_at_a_time(NULL, &view, out, first_alternative), 2);
  ck_assert(out[0].waiting == 0 && out[0].to_op == 5);
  ck_assert(out[1].waiting == 2 && out[1].to_op == 5);
  view.running = &first_runs;
  view.n_running = 1;
  ck_assert_int_eq(hs_one_at_a_time(NULL, &view, out, first_alternative), 1);
  ck_assert_int_eq(out[0].waiting, 2);
}
END_TEST

static void fill(TCase *t)
{
  tcase_add_test(t, equal_slack_in_order_of_arrival);
  tcase_add_test(t, a_late_request_keeps_no_worker);
  tcase_add_test(t, one_inference_of_a_network);
  tcase_add_test(t, who_yields_is_asked_again);
  tcase_add_test(t, least_slack_counts_only_what_it_starts);
  tcase_add_loop_test(t, whole_microseconds, 0, (int)(sizeof whole_cases / sizeof *whole_cases));
  tcase_add_test(t, least_slack_counts_all_before);
  tcase_add_loop_test(t, least_slack_first, 0, (int)(sizeof slack_cases / sizeof *slack_cases));
  tcase_add_test(t, begun_is_not_like_new);
  tcase_add_test(t, fewer_of_equally_long);
  tcase_add_test(t, reserved_until_dropped);
  tcase_add_loop_test(t, each_where_it_ends_first, 0, (int)(sizeof task_cases / sizeof *task_cases));
}

int main(void) { return hs_test_main("scheduler_answers", fill); }
