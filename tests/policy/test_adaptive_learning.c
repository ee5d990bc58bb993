/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What adaptive learns of its ways, by hand. */
#include <math.h>

#include "tests/policy/streams.h"

/* Alone, adaptive takes the best plan there is, that of the NPU's own policy (336 u; MOSAIC's takes 392, the CPU 1216). */
START_TEST(adaptive_alone)
{
  struct serving s;
  serve(&s, FIVE, "adaptive", NULL, 0, 1, 3);
  check_ran(&s, 0, "npu npu cpu npu npu");
  for (int i = 0; i < 3; i++) DERIVE("alone", outcome(&s, i)->end_s, 336 * (i + 1) * u);
  serving_close(&s);
}
END_TEST

/* Every policy puts what only the CPUs run on the fast one: that is one way, and the slow one another. */
START_TEST(adaptive_has_each_way_once)
{
  struct serving s;
  serve(&s, RIG_NET(RIG_IN("b", "1, 8, 8, 128"), "'c'", C), "adaptive", NULL, 0, 1, 1);
  const struct hs_plan *plan = &s.networks[0].plan;
  ck_assert_int_eq(plan->n, 2);
  ck_assert_str_eq(plan->names[0], "cpu");
  ck_assert_str_eq(plan->names[1], "cpu-little");
  serving_close(&s);
}
END_TEST

/* FIVE alone under adaptive, which is told of its requests by `finished`; period_u and deadline_u as in serving_rate(), 0 for back to back. */
static void serve_told(struct serving *s, void (*finished)(void *, const struct hs_queue_view *, const struct hs_piece *, double), double period_u,
                       double deadline_u, int requests)
{
  static struct hs_policy policy;
  policy = *hs_policy_find("adaptive");
  policy.finished = finished;
  *s = (struct serving){0};
  open_with(&s->r, soc, FIVE);
  serving_share(s);
  struct hs_network *network = serving_add(s, FIVE, &policy);
  if (period_u > 0) serving_rate(network, period_u * u, deadline_u * u);
  serving_run(s, requests);
}

static void told_double(void *state, const struct hs_queue_view *view, const struct hs_piece *piece, double seconds)
{
  hs_policy_find("adaptive")->finished(state, view, piece, piece->request < 2 ? 2 * seconds : seconds);
}

/* The first two requests took twice what was expected, of which the first teaches nothing: 1 + 0.5·(2 - 1) = 1.5, and 1.5·336 u is more than MOSAIC's 392.
 * To try it again would cost 504 - 392 = 112 u, which are 2 % of 5600: after 2·336 + 13·392 = 5768 it is, and was as it should be. */
START_TEST(adaptive_learns_and_forgets)
{
  struct serving s;
  serve_told(&s, told_double, 0, 0, 20);
  for (int i = 0; i < 20; i++) {
    bool npu = i < 2 || i > 14;
    check_ran(&s, i, npu ? "npu npu cpu npu npu" : "cpu npu cpu npu npu");
    DERIVE("latency", outcome(&s, i)->end_s - outcome(&s, i)->arrival_s, (npu ? 336 : 392) * u);
  }
  serving_close(&s);
}
END_TEST

/* At a rate whose requests may take 670 u, MOSAIC's 392 keep up, and what took 672 isn't tried again, though 504 are expected; where they may take 680, it
 * is. */
START_TEST(adaptive_keeps_up)
{
  for (int i = 0; i < 2; i++) {
    struct serving s;
    serve_told(&s, told_double, 600, i == 0 ? 670 : 680, 20);
    for (int k = 0; k < 20; k++) check_ran(&s, k, k < 2 || (i == 1 && k > 9) ? "npu npu cpu npu npu" : "cpu npu cpu npu npu");
    serving_close(&s);
  }
}
END_TEST

static void told_more(void *state, const struct hs_queue_view *view, const struct hs_piece *piece, double seconds)
{
  hs_policy_find("adaptive")->finished(state, view, piece, piece->request < 2 ? 2.5 * seconds : seconds);
}

/* What took 840 of 680 u, and is expected to take 588 by now, is tried again, as with all clocks halved it would take 672: it costs 588 - 392 u, which are 2 %
 * of 9800, and 600·17 is more. With 670 it isn't. */
START_TEST(adaptive_forgives)
{
  for (int i = 0; i < 2; i++) {
    struct serving s;
    serve_told(&s, told_more, 600, i == 0 ? 670 : 680, 20);
    for (int k = 0; k < 20; k++) check_ran(&s, k, k < 2 || (i == 1 && k >= 17) ? "npu npu cpu npu npu" : "cpu npu cpu npu npu");
    serving_close(&s);
  }
}
END_TEST

/* The NPU's own way is told to take 3.8 times what is expected, every other one 7 times. */
static void told_longer(void *state, const struct hs_queue_view *view, const struct hs_piece *piece, double seconds)
{
  bool npu = strcmp(view->plans[piece->network]->names[piece->alternative], "npu") == 0;
  hs_policy_find("adaptive")->finished(state, view, piece, (npu ? 3.8 : 7) * seconds);
}

/* The NPU's 336 u become 1277 of 1300, so MOSAIC's 392 are tried, and don't keep up: back to what did before the next is tried, the GPU's 480. */
START_TEST(adaptive_returns_to_what_kept_up)
{
  struct serving s;
  serve_told(&s, told_longer, 1400, 1300, 6);
  static const char *const ran[] = {"npu npu cpu npu npu", "npu npu cpu npu npu", "cpu npu cpu npu npu", "npu npu cpu npu npu", "gpu gpu cpu gpu gpu",
                                    "npu npu cpu npu npu"};
  for (int i = 0; i < 6; i++) check_ran(&s, i, ran[i]);
  serving_close(&s);
}
END_TEST

/* The NPU's 1277 don't keep 1250. The CPU, which has nothing to wait for, will with its 1216, so it comes before MOSAIC's 392, whose processors wait for each
 * other. It doesn't, told to take 7 times that, and then nothing is sure, and the fastest comes first again: the NPU's own, of which one request teaches
 * nothing. */
START_TEST(adaptive_begins_with_what_is_sure)
{
  struct serving s;
  serve_told(&s, told_longer, 1400, 1250, 3);
  static const char *const ran[] = {"npu npu cpu npu npu", "cpu cpu cpu cpu cpu", "npu npu cpu npu npu"};
  for (int i = 0; i < 3; i++) check_ran(&s, i, ran[i]);
  serving_close(&s);
}
END_TEST

/* A way that is told to take twice what is expected, whenever it is taken. */
static void told_double_of_npu(void *state, const struct hs_queue_view *view, const struct hs_piece *piece, double seconds)
{
  bool npu = strcmp(view->plans[piece->network]->names[piece->alternative], "npu") == 0;
  hs_policy_find("adaptive")->finished(state, view, piece, npu ? 2 * seconds : seconds);
}

/* To try it again costs 2·336 - 392 = 280 u, of which there may be 2 % of all time, and once more: of 300 requests, 117600 u, nine. */
START_TEST(adaptive_keeps_within_its_budget)
{
  struct serving s;
  int tried = 0;
  serve_told(&s, told_double_of_npu, 0, 0, 300);
  for (int i = 2; i < 300; i++) tried += fabs(outcome(&s, i)->end_s - outcome(&s, i)->arrival_s - 336 * u) < u;
  ck_assert_int_ge(tried, 2);
  ck_assert_msg((tried - 1) * 280 * u <= 0.02 * outcome(&s, 299)->end_s, "%d of 300 requests tried again", tried);
  serving_close(&s);
}
END_TEST

/* The NPU's way takes thrice what is expected for ten requests, MOSAIC's always half as much again. */
static void told_hot(void *state, const struct hs_queue_view *view, const struct hs_piece *piece, double seconds)
{
  const char *way = view->plans[piece->network]->names[piece->alternative];
  double more = strcmp(way, "npu") == 0 ? (piece->request < 10 ? 3 : 1) : strcmp(way, "mosaic") == 0 ? 1.5 : 1;
  hs_policy_find("adaptive")->finished(state, view, piece, more * seconds);
}

/* The GPU's 480 u are the best that there is then. To try MOSAIC's 588 costs 108 u, which are there again and again before the 528 for the NPU's 1008 are; but
 * while these are waited for it may spend only half of the 2 %, so that they come together. */
START_TEST(adaptive_saves_for_what_costs_more)
{
  struct serving s;
  serve_told(&s, told_hot, 0, 0, 200);
  check_ran(&s, 20, "gpu gpu cpu gpu gpu");
  check_ran(&s, 199, "npu npu cpu npu npu");
  serving_close(&s);
}
END_TEST

/* Two requests took 2.5 times what is expected, 840 u of the 500 that they may, and 2.5·336 are more than these: both are forgotten when 2·840 are 0.04 % of the
 * time since, 4.2e6 u. */
START_TEST(adaptive_forgives_a_correction)
{
  struct serving s;
  serve_told(&s, told_more, 4800, 500, 900);
  for (int i = 2; i < 870; i += 31) check_ran(&s, i, "cpu npu cpu npu npu");
  check_ran(&s, 899, "npu npu cpu npu npu");
  serving_close(&s);
}
END_TEST

static void told_double_once(void *state, const struct hs_queue_view *view, const struct hs_piece *piece, double seconds)
{
  hs_policy_find("adaptive")->finished(state, view, piece, piece->request == 4 ? 2 * seconds : seconds);
}

/* What happened to one request is no reason to leave a way. */
START_TEST(adaptive_overlooks_what_happens_once)
{
  struct serving s;
  serve_told(&s, told_double_once, 0, 0, 8);
  for (int i = 0; i < 8; i++) check_ran(&s, i, "npu npu cpu npu npu");
  serving_close(&s);
}
END_TEST

static void fill(TCase *t)
{
  tcase_add_test(t, adaptive_alone);
  tcase_add_test(t, adaptive_has_each_way_once);
  tcase_add_test(t, adaptive_learns_and_forgets);
  tcase_add_test(t, adaptive_keeps_up);
  tcase_add_test(t, adaptive_forgives);
  tcase_add_test(t, adaptive_returns_to_what_kept_up);
  tcase_add_test(t, adaptive_begins_with_what_is_sure);
  tcase_add_test(t, adaptive_keeps_within_its_budget);
  tcase_add_test(t, adaptive_saves_for_what_costs_more);
  tcase_add_test(t, adaptive_forgives_a_correction);
  tcase_add_test(t, adaptive_overlooks_what_happens_once);
}

int main(void) { return hs_test_main("adaptive-learning", fill); }
