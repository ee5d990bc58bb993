/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Serving: when requests come, start and end, and when the run is over. */
#include "tests/model/serving.h"

/* d: duration alone. Without a rate one comes when the one before ends. */
START_TEST(closed_loop)
{
  struct serving s;
  serving_open(&s);
  serving_add(&s, ONE, &serving_cpu);
  serving_run(&s, 4);
  double d = serving_alone(&s, 0);
  ck_assert_int_eq(s.out->n_outcomes, 4);
  ck_assert_int_eq(s.out->unfinished[0], 0);
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
  ck_assert_int_eq(s.out->unfinished[0], 10 - 6);
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
  ck_assert_int_eq(serving_n_outcomes(&s, 0), 3);
  ck_assert_int_gt(serving_n_outcomes(&s, 1), 3 * 3 / 2); /* a task of the other on the same CPU makes it twice as long at most */
  ck_assert_double_ge(serving_outcome(&s, 1, serving_n_outcomes(&s, 1) - 1)->end_s, serving_outcome(&s, 0, 2)->end_s - 2 * d);
  ck_assert_int_eq(s.out->unfinished[0], 0);
  ck_assert_int_eq(s.out->unfinished[1], 1);
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
      SERVE("busy for one of them", one.all.busy_s[CPU], 3 * e.latency_s);
      SERVE("energy of one of them", one.all.energy_j[CPU], 3 * e.energy_j);
      hs_metrics_free(&one);
    }
    SERVE("busy", all.all.busy_s[CPU], all.end_s);
    SERVE("energy", all.all.energy_j[CPU], k * 3 * e.energy_j);
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
  ck_assert_int_eq(s.out->unfinished[0], 1);
  n->pattern.kind = HS_BACK_TO_BACK; /* 10 and a half of them */
  s.out->n_outcomes = s.out->n_events = 0;
  serving_run_for(&s, 10.5 * d);
  ck_assert_int_eq(s.out->n_outcomes, 10);
  ck_assert_int_eq(s.out->unfinished[0], 1);
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
  ck_assert_int_eq(serving_n_outcomes(&s, 0), 2);
  ck_assert_int_ge(serving_n_outcomes(&s, 1), 1900);
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
  tcase_add_test(t, who_comes_rarely);
}

int main(void) { return hs_test_main("serve", fill); }
