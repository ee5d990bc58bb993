/* SPDX-License-Identifier: GPL-3.0-or-later */
/* schedutil and what it goes by, PELT, as test_governor.c has the other governors: against sequences worked out by hand. */
#include "tests/unit/governor.h"

/* --- schedutil: lowest at or above 1.25 · 1785600 · util = 2232000 · util --- */

static const struct {
  double util;
  int level;
} utils[] = {
  {0.00, 0}, {0.10, 0}, /* 223200 */
  {0.40, 3},            /* 892800 */
  {0.60, 4},            /* 1339200 */
  {0.627, 4},           /* 1399464 */
  {0.628, 5},           /* 1401696 */
  {0.80, 5},            /* 1785600: four fifths of the capacity need all of the frequency */
  {1.00, 5},
};

START_TEST(schedutil)
{
  struct hs_governor g = {.kind = HS_SCHEDUTIL};
  for (int level = 0; level < N; level++) {
    struct hs_governor_state s = {0};
    struct hs_governor_input in = {.util = utils[_i].util, .load = 1}; /* the load has no say */
    ck_assert_int_eq(hs_governor_next(&g, &s, opps, N, level, &in), utils[_i].level);
  }
}
END_TEST

/* Of a core that idles nobody asks, whatever PELT still remembers: what comes back begins at the frequency of before. A cap counts all the same. */
START_TEST(schedutil_idle)
{
  struct hs_governor g = {.kind = HS_SCHEDUTIL};
  struct hs_governor_state s = {0};
  struct hs_governor_input in = {.now_s = 1, .util = 0.1};
  ck_assert_int_eq(hs_governor_next(&g, &s, opps, N, 4, &in), 4);
  in.cooling_state = 3;
  ck_assert_int_eq(hs_governor_next(&g, &s, opps, N, 4, &in), TOP - 3);
  in.cooling_state = 0;
  in.load = 0.01;
  ck_assert_int_lt(hs_governor_next(&g, &s, opps, N, 4, &in), 4);
}
END_TEST

/* To the nearest kHz: 400000.6 is 400001, as much as a target of 400001.5, which is 400001; 400000.4 is 400000, less than that. 1.25 · 800000 = 1000000. */
START_TEST(whole_khz)
{
  static const struct {
    double freq_hz, util;
    int level;
  } cases[] = {{400000.6e3, 0.4000015, 1}, {400000.6e3, 0.4000025, 2}, {400000.4e3, 0.4000005, 1}, {400000.4e3, 0.4000015, 2}};
  struct hs_governor g = {.kind = HS_SCHEDUTIL};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    const struct hs_opp three[] = {{.freq_hz = 100e6}, {.freq_hz = cases[i].freq_hz}, {.freq_hz = 800e6}};
    struct hs_governor_state s = {0};
    struct hs_governor_input in = {.util = cases[i].util, .load = 1};
    ck_assert_int_eq(hs_governor_next(&g, &s, three, 3, 0, &in), cases[i].level);
  }
}
END_TEST

/* 10 ms from change to change; 0.030 - 0.020 is less than 0.010 in binary, and still 10 ms. */
START_TEST(schedutil_rate_limit)
{
  struct hs_governor g = {.kind = HS_SCHEDUTIL};
  struct hs_governor_state s = {0};
  ck_assert_int_eq(ask(&g, &s, 0, 0.000, 0.6), 4);
  ck_assert_int_eq(ask(&g, &s, 4, 0.004, 1.0), 4); /* too early */
  ck_assert_int_eq(ask(&g, &s, 4, 0.0099, 1.0), 4);
  ck_assert_int_eq(ask(&g, &s, 4, 0.010, 1.0), 5);
  ck_assert_int_eq(ask(&g, &s, 5, 0.012, 0.1), 5); /* nor down */
  ck_assert_int_eq(ask(&g, &s, 5, 0.020, 0.1), 0);
  ck_assert(0.030 - 0.020 < 0.010);
  ck_assert_int_eq(ask(&g, &s, 0, 0.030, 0.4), 3);
  ck_assert_int_eq(ask(&g, &s, 3, 0.045, 0.4), 3); /* no change: the limit still runs from 0.030 */
  ck_assert_int_eq(ask(&g, &s, 3, 0.046, 0.6), 4);
}
END_TEST

/* The formula's frequency is the highest there is, not the highest allowed: 2232000 · 0.4 = 892800, 3, not 1320000 · 0.4 = 528000, 1. */
START_TEST(schedutil_under_a_cap)
{
  struct hs_governor g = {.kind = HS_SCHEDUTIL};
  struct hs_governor_state s = {0}, t = {0};
  ck_assert_int_eq(ask_capped(&g, &s, 0, 0.4, 2), 3);
  ck_assert_int_eq(ask_capped(&g, &t, 0, 0.9, 2), 3);
}
END_TEST

/* --- PELT --- */

/* 32 periods of 1024 us halve what lacks: 0, 1/2, 3/4; idle, 3/8. */
START_TEST(pelt_half_life)
{
  struct hs_pelt p = {0};
  hs_pelt_advance(&p, 32 * 1024e-6, 1);
  ck_assert_near(p.util, 0.5);
  hs_pelt_advance(&p, 32 * 1024e-6, 1);
  ck_assert_near(p.util, 0.75);
  hs_pelt_advance(&p, 32 * 1024e-6, 0);
  ck_assert_near(p.util, 0.375);
  hs_pelt_advance(&p, 0, 1);
  ck_assert_near(p.util, 0.375);
}
END_TEST

/* The series itself, newest period first: (1 - y) · (u0 + u1 · y + u2 · y^2 + …), y^32 = 1/2. */
START_TEST(pelt_series)
{
  static const double u[] = {0.31, 1, 0, 0.8, 0.25, 0, 0, 1, 1, 0.6, 0.107, 0.9};
  enum { PERIODS = sizeof u / sizeof u[0] };
  struct hs_pelt p = {0};
  double y = pow(0.5, 1.0 / 32), sum = 0;
  for (int i = 0; i < PERIODS; i++) hs_pelt_advance(&p, 1024e-6, u[i]);
  for (int i = 0; i < PERIODS; i++) sum += u[i] * pow(y, PERIODS - 1 - i);
  ck_assert_double_eq_tol(p.util, (1 - y) * sum, 1e-14);
}
END_TEST

/* One period of running is 1024 of LOAD_AVG_MAX = 47742 (kernel/sched/sched-pelt.h), which the kernel rounds down term by term: 0.1 %. */
START_TEST(pelt_as_the_kernel)
{
  struct hs_pelt p = {0};
  hs_pelt_advance(&p, 1024e-6, 1);
  ck_assert_double_eq_tol(p.util, 1024.0 / 47742, 1e-3 * 1024 / 47742);
}
END_TEST

/* One long step is many short ones of any length. */
START_TEST(pelt_steps)
{
  static const double dt_s[] = {3.1e-6, 0.0127, 1e-9, 0.4e-3, 0.002385};
  struct hs_pelt once = {.util = 0.9}, many = once;
  double total_s = 0;
  for (int i = 0; i < 5; i++) {
    hs_pelt_advance(&many, dt_s[i], 0.37);
    total_s += dt_s[i];
  }
  hs_pelt_advance(&once, total_s, 0.37);
  ck_assert_double_eq_tol(once.util, many.util, 1e-14);
  hs_pelt_advance(&once, 10, 0.37);
  ck_assert_near(once.util, 0.37);
}
END_TEST

/* Bursts of 32 ms, each half a half-life of PELT (0.5 after each, from 0), with long sleeps between: while it runs a burst counts as what the one before came
 * to, asleep as PELT has it. A shorter burst lowers the average by a quarter of the way, a longer one raises it at once, and one within 1 % leaves it. One that begins within a tick hasn't
 * slept in it, and sleeps once. */
START_TEST(utilisation_is_remembered)
{
  const double half_life_s = 32 * 1024e-6;
  struct hs_core_util u = {.runs = false};
  ck_assert_double_eq(hs_core_util_advance(&u, 1, 0, 1), 0);
  ck_assert_double_eq_tol(hs_core_util_advance(&u, half_life_s, 1, 1), 0.5, 1e-12);
  ck_assert_double_eq_tol(hs_core_util_advance(&u, half_life_s, 0, 1), 0.25, 1e-12); /* asleep */
  hs_core_util_advance(&u, 10, 0, 1);
  ck_assert_double_eq_tol(hs_core_util_advance(&u, half_life_s / 32, 1, 1), 0.5, 1e-12); /* back: PELT has 0.02 */
  hs_core_util_advance(&u, 10, 0, 1); /* slept after that: 0.75 * 0.5 + 0.25 * 0.02 */
  double short_burst = 1 - exp2(-1 / 32.), average = 0.75 * 0.5 + 0.25 * short_burst;
  ck_assert_double_eq_tol(u.average, average, 1e-12);
  ck_assert_double_eq_tol(u.last, short_burst, 1e-12);
  ck_assert_double_eq_tol(hs_core_util_advance(&u, half_life_s, 0.5, 0.5), average, 1e-12); /* woke in a tick, at half the clock: PELT has 0.125 */
  ck_assert_double_eq_tol(u.last, short_burst, 1e-12);                                     /* of when it slept, not of when it woke */
  ck_assert_double_eq_tol(hs_core_util_advance(&u, half_life_s, 1, 1), 0.5625, 1e-12);
  hs_core_util_advance(&u, half_life_s, 0.5, 1); /* slept in a tick: 0.28125 + 0.25 */
  ck_assert_double_eq_tol(u.last, 0.5625, 1e-12);
  ck_assert_double_eq_tol(u.average, 0.5625, 1e-12);
  hs_core_util_advance(&u, 10, 0, 1); /* once */
  ck_assert_double_eq_tol(u.last, 0.5625, 1e-12);
  ck_assert_double_eq_tol(hs_core_util_advance(&u, 3 * half_life_s, 1, 1), 0.875, 1e-12);
  hs_core_util_advance(&u, 10, 0, 1);
  ck_assert_double_eq_tol(u.average, 0.875, 1e-12);
  hs_core_util_advance(&u, half_life_s, 1, 1);
  u.average = 0.505;
  hs_core_util_advance(&u, 10, 0, 1);
  ck_assert_double_eq(u.average, 0.505);
  ck_assert_double_eq_tol(u.last, 0.5, 1e-12);
}
END_TEST

/* A core that was busy for all of a tick, but for what adding times up loses, didn't sleep in it: its estimate stays what it was. */
START_TEST(rounding_is_no_sleep)
{
  const double half_life_s = 32 * 1024e-6;
  struct hs_core_util u = {.runs = false};
  for (int i = 0; i < 3; i++) hs_core_util_advance(&u, half_life_s, 1 - 1e-12, 1);
  ck_assert_double_eq(u.last, 0);
  ck_assert_double_eq(u.average, 0);
  ck_assert_double_eq_tol(hs_core_util_advance(&u, half_life_s, 1 - 1e-12, 0.5), 0.6875, 1e-9); /* 0.875 / 2 + 0.5 / 2: no estimate of 0.875 */
  hs_core_util_advance(&u, half_life_s, 1 - 1e-6, 1);
  ck_assert_double_gt(u.last, 0.8);
}
END_TEST

/* schedutil on PELT: a core that was idle at 300 MHz gets busy for good. Its utilisation grows by the work done, u' = u · k + f / f_top · (1 - k),
 * so it can't see more than f / f_top: 0.168 at level 0, and 1.25 times that is the step up, as far as the next OPP is within it.
 * 2232000 · u > 300000 needs u > 0.134409; from 0 at 0.168011 that is 1 - k > 0.8, t = 32.768 ms · log2(5) = 76.1 ms: tick 77 of 1 ms. */
START_TEST(schedutil_on_pelt)
{
  struct hs_governor g = {.kind = HS_SCHEDUTIL};
  struct hs_governor_state s = {0};
  struct hs_pelt p = {0};
  int level = 0, first = 0, top = 0;
  for (int ms = 1; ms <= 1000 && !top; ms++) {
    hs_pelt_advance(&p, 1e-3, opps[level].freq_hz / opps[TOP].freq_hz);
    level = ask(&g, &s, level, ms * 1e-3, p.util);
    if (level > 0 && !first) first = ms;
    if (level == TOP) top = ms;
  }
  ck_assert_int_eq(first, 77);
  ck_assert_int_gt(top, first + 40); /* and each OPP on the way takes its time: at least the rate limit */
}
END_TEST

static void fill(TCase *t)
{
  tcase_add_loop_test(t, schedutil, 0, sizeof utils / sizeof utils[0]);
  tcase_add_test(t, schedutil_idle);
  tcase_add_test(t, whole_khz);
  tcase_add_test(t, schedutil_rate_limit);
  tcase_add_test(t, schedutil_under_a_cap);
  tcase_add_test(t, pelt_half_life);
  tcase_add_test(t, pelt_series);
  tcase_add_test(t, pelt_as_the_kernel);
  tcase_add_test(t, pelt_steps);
  tcase_add_test(t, utilisation_is_remembered);
  tcase_add_test(t, rounding_is_no_sleep);
  tcase_add_test(t, schedutil_on_pelt);
}

int main(void) { return hs_test_main("schedutil", fill); }
