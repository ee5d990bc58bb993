/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Policies that schedule, by hand: two networks of five layers (five.h) arrive at 0, each again as soon as it has ended, on the
 * phone at its highest OPPs. What the host does for two requests at once takes twice as long: it has one core.
 *
 * Pieces alone (u): a b on npu 32 + 8 + 72 + 32 = 144, gpu 32 + 160 + 32 = 224; c on cpu 64; d e on npu 32 + 64 + 32 = 128, gpu 192.
 * What they answer about queues that are made up is in test_scheduler_answers.c. */
#include "tests/policy/streams.h"

/* The two first requests. All schedulers begin alike where the shortest path goes by units: 0 gets the NPU for a b (144, to be done at
 * 336). For 1 the NPU would be free at 144 (288), so the GPU (224). The host maps both, shared, until 64; 0: npu until 144, SYNC 176,
 * c on the cpu until 240, then d e on the NPU: MAP. 1: gpu until 224, SYNC 256, c on the cpu beside that MAP, of which 16 are left: MAP done at
 * 288, c has 48 left: 336. 0: npu until 352, SYNC: 384.
 *
 * At 336 request 1 expects the NPU to be free at 240 + 128 = 368: 32 + 128 < gpu 192. It is busy, so 1 waits, until 384, when
 * network 0 has its next request, 2 (336 when all are idle):
 *  - sel, heft: 2 has the longest path and takes the NPU first. For 1 that would be 144 + 128 > gpu 192. Both map until 448; gpu 128,
 *    SYNC: 608.
 *  - heft-reserved: 1 has reserved the NPU for d e (128), so 2 takes the GPU for a b (expected after 1's 256: 0.1·256 + 0.9·224 =
 *    227.2 < 128 + 147.2), and 1 the NPU: MAP until 448, npu 64, SYNC: 544.
 *  - lst: without deadlines in order of arrival: 1 the NPU, 2 the GPU: 544.
 *
 * Worker by worker: fixed and round-robin put 0 on the cpu and 1 on the gpu (c falls back). 1: MAP shared 64, gpu 224, SYNC 256, c
 * shared 384, MAP shared 448, gpu 576, SYNC 608, and anew from there. In such 608 u the cpu gives 0 480; of its 1216 256 are left at
 * 1216: 32 until 1280, 192 until 1472, 32 shared until 1536.
 *
 * task-parallel: whole, 0 on npu (336), 1 on gpu (480 < 336 + 336). As above until 384 for 0; 1 has c at 336, MAP 368, gpu 496, SYNC 528. */
static const struct {
  const char *policy, *param, *first, *second;
  double first_u, second_u;
} cases[] = {
  {"band-sel", "minimum_subgraph_size=2", "npu npu cpu npu npu", "gpu gpu cpu gpu gpu", 384, 608},
  {"band-heft", "minimum_subgraph_size=2", "npu npu cpu npu npu", "gpu gpu cpu gpu gpu", 384, 608},
  {"band-heft-reserved", "minimum_subgraph_size=2", "npu npu cpu npu npu", "gpu gpu cpu npu npu", 384, 544},
  {"band-lst", "minimum_subgraph_size=2", "npu npu cpu npu npu", "gpu gpu cpu npu npu", 384, 544},
  {"band-fixed", NULL, "cpu cpu cpu cpu cpu", "gpu gpu cpu gpu gpu", 1536, 608},
  {"band-round-robin", NULL, "cpu cpu cpu cpu cpu", "gpu gpu cpu gpu gpu", 1536, 608},
  {"task-parallel", NULL, "npu npu cpu npu npu", "gpu gpu cpu gpu gpu", 384, 528},
  /* pinned: one after the other on the NPU */
  {"band-fixed", "worker=npu", "npu npu cpu npu npu", "npu npu cpu npu npu", 336, 672},
};

START_TEST(two_requests)
{
  struct serving s;
  serve(&s, FIVE, cases[_i].policy, cases[_i].param, 0, 2, 1);
  check_ran(&s, 0, cases[_i].first);
  check_ran(&s, 1, cases[_i].second);
  DERIVE(cases[_i].policy, outcome(&s, 0)->end_s - outcome(&s, 0)->arrival_s, cases[_i].first_u * u);
  DERIVE(cases[_i].policy, outcome(&s, 1)->end_s - outcome(&s, 1)->arrival_s, cases[_i].second_u * u);
  serving_close(&s);
}
END_TEST

static double npu_took_u; /* band-sel is told so of a b */

static int schedule_after_one(void *state, const struct hs_queue_view *view, struct hs_assignment *out)
{
  const struct hs_policy *band = hs_policy_find("band-sel");
  int npu = 0;
  while (strcmp(view->plans[0]->names[npu], "npu") != 0) npu++;
  const struct hs_piece a_b = {.request = 99, .alternative = npu, .to_op = 2};
  if (view->waiting[0].next_op == 0) band->finished(state, view, &a_b, npu_took_u * u);
  return band->schedule(state, view, out);
}

/* a b on the NPU, expected to take 144, took 900 or 1000: 0.1·900 + 0.9·144 = 219.6 is less than the GPU's 224, 229.6 isn't. */
START_TEST(measured_times_count_a_tenth)
{
  struct hs_policy policy = *hs_policy_find("band-sel");
  policy.schedule = schedule_after_one;
  for (int k = 0; k < 2; k++) {
    struct serving s = {0};
    npu_took_u = k == 0 ? 900 : 1000;
    open_with(&s.r, soc, FIVE);
    serving_share(&s);
    serving_add_with(&s, FIVE, &policy, "minimum_subgraph_size=2");
    serving_run(&s, 1);
    check_ran(&s, 0, k == 0 ? "npu npu cpu npu npu" : "gpu gpu cpu npu npu");
    serving_close(&s);
  }
}
END_TEST

static const char *const searching[] = {"band-sel", "band-heft", "band-heft-reserved", "band-lst"};

/* Two that have the CPU alone: a short one goes before a long one, longest first or no, if it has the priority. */
START_TEST(priority_before_length)
{
  struct serving s = {0};
  open_with(&s.r, soc, FIVE);
  serving_share(&s);
  serving_add(&s, FIVE, hs_policy_find(searching[_i]));
  struct hs_network *first = serving_add(&s, RIG_NET(RIG_IN("b", "1, 8, 8, 128"), "'c'", C), hs_policy_find(searching[_i]));
  first->priority = 1;
  serving_rate(first, 5000 * u, 5000 * u);
  serving_run(&s, 1);
  ck_assert_double_lt(outcome(&s, 1)->end_s, 1216 * u);
  DERIVE("after the other", outcome(&s, 0)->end_s, outcome(&s, 1)->end_s + 1216 * u);
  serving_close(&s);
}
END_TEST

/* The default minimum of 7 operators leaves everything to the CPU: 1216 u, one unit. */
START_TEST(minimum_size)
{
  struct serving s;
  serve(&s, FIVE, "band-sel", NULL, 0, 1, 1);
  check_ran(&s, 0, "cpu cpu cpu cpu cpu");
  DERIVE("one unit", outcome(&s, 0)->end_s, 1216 * u);
  serving_close(&s);
}
END_TEST

/* A sub-graph is as few slices as the worker's limit allows: on the NPU a and b are one each, d and e one together. */
START_TEST(slices_of_a_worker)
{
  struct serving s = {0};
  open_with(&s.r, soc, FIVE);
  serving_share(&s);
  const struct hs_plan *plan = &serving_add_with(&s, FIVE, hs_policy_find("band-sel"), "minimum_subgraph_size=2")->plan;
  ck_assert_str_eq(plan->names[2], "npu");
  ck_assert(!hs_placement_chained(plan->alternatives[2], 0));
  ck_assert(hs_placement_chained(plan->alternatives[2], 3));
  serving_close(&s);
}
END_TEST

/* What the CPU can't run isn't left to it, however short: to the last worker that runs it. */
START_TEST(too_short_for_all_but_one)
{
  struct serving s;
  serve(&s, NET("8", A, B, C, LAYER("d", "c", "2", ", 'support': {'cpu': false}"), E), "band-sel", NULL, 0, 1, 1);
  check_ran(&s, 0, "cpu cpu cpu npu cpu");
  serving_close(&s);
}
END_TEST

/* 320 u between frames: 336 can't be in time. Least slack first drops every frame at once. The others start it, because it isn't
 * late yet, and it ends late; the frame that came at 320 starts at 336, the one of 640 would start at 672, before its deadline at 960. */
START_TEST(deadlines)
{
  struct serving s;
  serve(&s, FIVE, "band-lst", "minimum_subgraph_size=2", 320, 1, 3);
  for (int i = 0; i < 3; i++) {
    ck_assert(outcome(&s, i)->dropped && outcome(&s, i)->late);
    DERIVE("dropped on arrival", outcome(&s, i)->end_s, i * 320 * u);
  }
  ck_assert_int_eq(s.out->n_events, 0);
  serving_close(&s);
  serve(&s, FIVE, "band-sel", "minimum_subgraph_size=2", 320, 1, 2);
  for (int i = 0; i < 2; i++) ck_assert(!outcome(&s, i)->dropped && outcome(&s, i)->late);
  DERIVE("first frame", outcome(&s, 0)->end_s, 336 * u);
  DERIVE("second frame", outcome(&s, 1)->end_s, 336 * 2 * u);
  serving_close(&s);
}
END_TEST

/* One unit of 640 u on the cpu (a 3×3, b 1×1), a frame every 160 u, each due when the next one comes. Band looks whenever a frame comes:
 * frame 1, due at 320, is past that at 480, frame 2 at 640, when frame 3 is only due, and starts; frame 4 is given up at 960. Four
 * have ended then, and the run is over. */
#define TEN_ON_THE_CPU RIG_NET(RIG_IN("i", "1, 8, 8, 128"), "'b'", LAYER("a", "i", "3", CPUS_ONLY) "," LAYER("b", "a", "1", CPUS_ONLY))
START_TEST(late_before_start)
{
  static const double end_u[] = {640, 480, 640, 0, 960};
  struct serving s;
  serve(&s, TEN_ON_THE_CPU, "band-sel", NULL, 160, 1, 4);
  ck_assert_int_eq(s.out->n_outcomes, 4);
  for (int i = 0; i < 5; i++) {
    if (i == 3) continue;
    ck_assert_int_eq(outcome(&s, i)->dropped, i > 0);
    DERIVE("frame", outcome(&s, i)->end_s, end_u[i] * u);
  }
  serving_close(&s);
}
END_TEST

/* The same frames in the queue of a worker: nobody looks at deadlines there. */
START_TEST(fixed_workers_drop_nothing)
{
  struct serving s;
  serve(&s, TEN_ON_THE_CPU, "band-fixed", NULL, 160, 1, 4);
  for (int i = 0; i < 4; i++) {
    ck_assert(!outcome(&s, i)->dropped && outcome(&s, i)->late);
    DERIVE("frame", outcome(&s, i)->end_s, 640 * (i + 1) * u);
  }
  serving_close(&s);
}
END_TEST

/* Networks take the workers in turn; those of other policies take none: with one before it on the GPU, Band's first is on the CPU, and its
 * second on the GPU. */
START_TEST(fixed_workers_count_their_own)
{
  static const char *const policies[] = {"gpu", "band-fixed", "band-fixed"};
  static const char *const workers[] = {"gpu gpu cpu gpu gpu", "cpu cpu cpu cpu cpu", "gpu gpu cpu gpu gpu"};
  struct serving s = {0};
  open_with(&s.r, soc, NET("9", A, B, C, D, E));
  serving_share(&s);
  for (int i = 0; i < 3; i++) serving_add_with(&s, NET("9", A, B, C, D, E), hs_policy_find(policies[i]), NULL);
  serving_run(&s, 1);
  for (int i = 0; i < 3; i++) check_ran(&s, i, workers[i]);
  serving_close(&s);
}
END_TEST

/* Each network goes where its own parameter says: the last one's was everybody's once. */
START_TEST(fixed_workers_by_name)
{
  static const char *const params[] = {"worker=cpu", "worker=gpu", "worker=cpu"};
  static const char *const workers[] = {"cpu cpu cpu cpu cpu", "gpu gpu cpu gpu gpu", "cpu cpu cpu cpu cpu"};
  struct serving s = {0};
  open_with(&s.r, soc, NET("9", A, B, C, D, E));
  serving_share(&s);
  for (int i = 0; i < 3; i++) serving_add_with(&s, NET("9", A, B, C, D, E), hs_policy_find("band-fixed"), params[i]);
  serving_run(&s, 1);
  for (int i = 0; i < 3; i++) check_ran(&s, i, workers[i]);
  serving_close(&s);
}
END_TEST

/* Two networks that are alike, one processor: each in its turn, whatever an average of equal times has lost in its last digit. */
START_TEST(equal_networks_take_turns)
{
  struct serving s;
  int turns[2] = {0, 0};
  serve(&s, NET("9", A, B, C, D, E), searching[_i], NULL, 0, 2, 20);
  for (int i = 0; i < s.out->n_outcomes; i++) {
    turns[s.out->outcomes[i].network]++;
    ck_assert_int_le(abs(turns[0] - turns[1]), 1);
  }
  serving_close(&s);
}
END_TEST

static void fill(TCase *t)
{
  tcase_add_loop_test(t, two_requests, 0, (int)(sizeof cases / sizeof *cases));
  tcase_add_test(t, measured_times_count_a_tenth);
  tcase_add_loop_test(t, priority_before_length, 0, 4);
  tcase_add_test(t, minimum_size);
  tcase_add_test(t, deadlines);
  tcase_add_test(t, late_before_start);
  tcase_add_test(t, fixed_workers_drop_nothing);
  tcase_add_test(t, fixed_workers_count_their_own);
  tcase_add_test(t, fixed_workers_by_name);
  tcase_add_test(t, slices_of_a_worker);
  tcase_add_test(t, too_short_for_all_but_one);
  tcase_add_loop_test(t, equal_networks_take_turns, 0, 4);
}

int main(void) { return hs_test_main("schedulers", fill); }
