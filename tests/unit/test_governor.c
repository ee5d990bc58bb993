/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Every governor against sequences worked out by hand: formula, expectation, result. Then what holds for all of them: more load never gives
 * a lower frequency, and no frequency is above the cap. schedutil is in test_schedutil.c, with the load tracking that it goes by. */
#include "tests/unit/governor.h"

/* One answer of a governor that has no memory. */
static int answer(const struct hs_governor *g, int level, double load)
{
  struct hs_governor_state s = {0};
  return ask(g, &s, level, 0, load);
}

/* --- names, periods --- */

START_TEST(names)
{
  for (int k = 0; k < HS_GOVERNOR_KIND_N; k++) ck_assert_int_eq(hs_governor_find(hs_governor_names[k]), k);
  ck_assert_ptr_null(hs_governor_names[HS_GOVERNOR_KIND_N]);
  ck_assert_int_eq(hs_governor_find("ondemand"), HS_ONDEMAND);
  ck_assert_int_eq(hs_governor_find("Ondemand"), -1);
  ck_assert_int_eq(hs_governor_find(""), -1);
}
END_TEST

START_TEST(periods)
{
  static const double expected_s[HS_GOVERNOR_KIND_N] = {
    [HS_PERFORMANCE] = INFINITY, [HS_POWERSAVE] = INFINITY, [HS_USERSPACE] = INFINITY, [HS_ONDEMAND] = 10e-3,
    [HS_CONSERVATIVE] = 10e-3,   [HS_SCHEDUTIL] = 4e-3,     [HS_INTERACTIVE] = 20e-3,  [HS_SIMPLE_ONDEMAND] = 100e-3};
  for (int k = 0; k < HS_GOVERNOR_KIND_N; k++) ck_assert_double_eq(hs_governor_period_s((enum hs_governor_kind)k), expected_s[k]);
}
END_TEST

/* --- one level whatever the load --- */

START_TEST(fixed_levels)
{
  struct hs_governor performance = {.kind = HS_PERFORMANCE}, powersave = {.kind = HS_POWERSAVE};
  struct hs_governor userspace = {.kind = HS_USERSPACE, .level = 2}, lowest = {.kind = HS_USERSPACE, .level = 0};
  for (int level = 0; level < N; level++)
    for (int pct = 0; pct <= 100; pct += 25) {
      ck_assert_int_eq(answer(&performance, level, pct / 100.0), TOP);
      ck_assert_int_eq(answer(&powersave, level, pct / 100.0), 0);
      ck_assert_int_eq(answer(&userspace, level, pct / 100.0), 2);
      ck_assert_int_eq(answer(&lowest, level, pct / 100.0), 0);
    }
}
END_TEST

/* A fixed level gives way to a cap and comes back; without one, the level at the start is it. */
START_TEST(userspace_under_a_cap)
{
  struct hs_governor set = {.kind = HS_USERSPACE, .level = 4}, kept = {.kind = HS_USERSPACE, .level = -1};
  struct hs_governor_state s = {0}, t = {0};
  ck_assert_int_eq(ask_capped(&set, &s, 0, 0.5, 3), 2);
  ck_assert_int_eq(ask_capped(&set, &s, 2, 0.5, 0), 4);
  ck_assert_int_eq(ask_capped(&kept, &t, 3, 0.5, 0), 3);
  ck_assert_int_eq(ask_capped(&kept, &t, 3, 0.5, 4), 1);
  ck_assert_int_eq(ask_capped(&kept, &t, 1, 0.5, 0), 3);
}
END_TEST

/* --- ondemand: load > up ? f_max : closest to f_min + load · (f_top - f_min) --- */

static const struct step {
  double load;
  int level;
} on_demand[] = {
  {1.00, 5}, /* > 95 */
  {0.95, 5}, /* 300000 + 0.95 · 1485600 = 1711320: 74280 below 5, 309720 above 4 */
  {0.85, 4}, /* 1562760: 161160 above 4, 222840 below 5 */
  {0.80, 4}, /* 1488480: 86880 above 4, 297120 below 5 */
  {0.29, 2}, /* 730824: 154824 above 1, 94776 below 2 */
  {0.20, 1}, /* 597120: 21120 above 1 */
  {0.10, 1}, /* 448560: 148560 above 0, 127440 below 1 */
  {0.09, 0}, /* 433704: 133704 above 0, 142296 below 1 */
};

START_TEST(ondemand)
{
  struct hs_governor g = {.kind = HS_ONDEMAND};
  for (int level = 0; level < N; level++) ck_assert_int_eq(answer(&g, level, on_demand[_i].load), on_demand[_i].level);
}
END_TEST

/* A domain that idles isn't looked at. Back after more than two periods of 10 ms it has the load of before, once; after less, or
 * after less than 1 %, the one that it has. */
START_TEST(ondemand_after_idling)
{
  static const struct {
    double now_s, load;
    int level;
  } looks[] = {{0.01, 1, 5}, {0.02, 0, 5}, {0.03, 0.1, 1}, {0.04, 0.85, 4}, {0.05, 0, 4}, {0.08, 0.1, 4}, {0.09, 0.1, 1},
               {0.2, 0.85, 1}, {0.3, 0.85, 4}, {0.4, 1, 4}, {0.41, 1, 5}, {0.42, 0.009, 0}, {0.6, 0.85, 4}};
  struct hs_governor g = {.kind = HS_ONDEMAND};
  struct hs_governor_state s = {0};
  int level = 0;
  for (size_t i = 0; i < sizeof looks / sizeof *looks; i++) {
    struct hs_governor_input in = {.now_s = looks[i].now_s, .load = looks[i].load};
    level = hs_governor_next(&g, &s, opps, N, level, &in);
    ck_assert_msg(level == looks[i].level, "at %g s: %d, not %d", looks[i].now_s, level, looks[i].level);
  }
}
END_TEST

/* 100000 + 0.5 · 100000 = 150000 is as close to both: the kernel takes the lower one. And 0.29 is 29 %, though 100 * 0.29 is
 * less in binary: 100000 + 29 · 100000 / 100 = 129000, nearest 129000. And 0.959 is 95 %, not more than 95, and asks for 195000. */
START_TEST(ondemand_rounding)
{
  static const struct hs_opp two[] = {{.freq_hz = 100e6}, {.freq_hz = 200e6}};
  static const struct hs_opp fine[] = {{.freq_hz = 100e6}, {.freq_hz = 128e6}, {.freq_hz = 129e6}, {.freq_hz = 200e6}};
  static const struct hs_opp high[] = {{.freq_hz = 100e6}, {.freq_hz = 195e6}, {.freq_hz = 200e6}};
  struct hs_governor g = {.kind = HS_ONDEMAND};
  struct hs_governor_state s = {0};
  struct hs_governor_input half = {.load = 0.5}, more = {.load = 0.51}, at_29 = {.load = 0.29}, below_96 = {.load = 0.959}, at_96 = {.load = 0.96};
  ck_assert_int_eq(hs_governor_next(&g, &s, two, 2, 1, &half), 0);
  ck_assert_int_eq(hs_governor_next(&g, &s, two, 2, 0, &more), 1);
  ck_assert_int_eq(hs_governor_next(&g, &s, fine, 4, 0, &at_29), 2);
  ck_assert_int_eq(hs_governor_next(&g, &s, high, 3, 0, &below_96), 1);
  ck_assert_int_eq(hs_governor_next(&g, &s, high, 3, 0, &at_96), 2);
}
END_TEST

/* Two OPPs withheld: f_max = 1056000. Load 0.96: f_max. As the kernel has it, the load is still of the whole range: 0.9 asks for 1637040, more than
 * f_max, 0.5 for 300000 + 0.5 · 1485600 = 1042800, 0.3 for 745680, 79920 below 2, and 0.2 for 597120, 21120 above 1. */
START_TEST(ondemand_under_a_cap)
{
  struct hs_governor g = {.kind = HS_ONDEMAND};
  struct hs_governor_state s = {0};
  ck_assert_int_eq(ask_capped(&g, &s, 5, 0.96, 2), 3);
  ck_assert_int_eq(ask_capped(&g, &s, 5, 0.90, 2), 3);
  ck_assert_int_eq(ask_capped(&g, &s, 5, 0.50, 2), 3);
  ck_assert_int_eq(ask_capped(&g, &s, 5, 0.30, 2), 2);
  ck_assert_int_eq(ask_capped(&g, &s, 5, 0.20, 2), 1);
}
END_TEST

/* --- conservative: steps of 5 % · 1785600 = 89280 --- */

static void walk(const struct hs_governor *g, struct hs_governor_state *s, int level, int cooling_state, const struct step *steps, int n)
{
  for (int i = 0; i < n; i++) {
    level = ask_capped(g, s, level, steps[i].load, cooling_state);
    ck_assert_msg(level == steps[i].level, "step %d: level %d, not %d", i, level, steps[i].level);
  }
}
#define WALK(g, s, level, cooling_state, ...)                                                                                          \
  do {                                                                                                                                 \
    static const struct step steps_[] = {__VA_ARGS__};                                                                                 \
    walk(g, s, level, cooling_state, steps_, sizeof steps_ / sizeof steps_[0]);                                                        \
  } while (0)

START_TEST(conservative)
{
  struct hs_governor g = {.kind = HS_CONSERVATIVE};
  struct hs_governor_state s = {0};
  WALK(&g, &s, 0, 0, {0.81, 0}, /* 300000 + 89280 = 389280, highest at or below: 300000 */
       {0.81, 0},               /* 478560 */
       {0.81, 0},               /* 567840 */
       {0.81, 1},               /* 657120: 576000 */
       {0.80, 1},               /* not above 80 */
       {0.20, 1},               /* not below 20 */
       {0.19, 1},               /* 657120 - 89280 = 567840, lowest at or above: 576000 */
       {0.19, 1},               /* 478560 */
       {0.19, 1},               /* 389280 */
       {0.19, 0},               /* 300000 */
       {0.00, 0}, {1.00, 0});   /* stays at f_min, and starts from there: 389280 */
}
END_TEST

/* The wish between two OPPs: what the last step rounded the one way, the next doesn't round back against its own direction. */
START_TEST(conservative_between_opps)
{
  struct hs_governor g = {.kind = HS_CONSERVATIVE};
  struct hs_governor_state s = {0}, t = {0};
  WALK(&g, &s, 0, 0, {0.9, 0}, {0.9, 0}, /* 389280, 478560, both 0 */
       {0.1, 0});                        /* 389280: 576000 would be the lowest at or above, which is no step down */
  WALK(&g, &t, 1, 0, {0.1, 1}, {0.1, 1}, /* 576000 - 89280 = 486720, 397440: both 1 */
       {0.9, 1});                        /* 486720: 300000 would be the highest at or below */
}
END_TEST

START_TEST(conservative_at_the_top)
{
  struct hs_governor g = {.kind = HS_CONSERVATIVE};
  struct hs_governor_state s = {0};
  WALK(&g, &s, 4, 0, {0.9, 4}, {0.9, 4}, {0.9, 4}, {0.9, 4}, /* 1401600 + 4 · 89280 = 1758720 */
       {0.9, 5},                                              /* 1848000 is above f_max: 1785600 */
       {0.9, 5}, {0.1, 5},                                    /* from 1785600, not from 1848000: 1696320 */
       {0.1, 5}, {0.1, 5}, {0.1, 5},                          /* 1607040, 1517760, 1428480 */
       {0.1, 4});                                             /* 1339200 */
}
END_TEST

/* f_max = 1056000: what was wished for above it is forgotten, and steps are 52800. */
START_TEST(conservative_under_a_cap)
{
  struct hs_governor g = {.kind = HS_CONSERVATIVE};
  struct hs_governor_state s = {0}, t = {0};
  WALK(&g, &t, 5, 0, {0.5, 5});
  WALK(&g, &t, 5, 2, {0.1, 3}, {0.1, 3}, {0.1, 3}, {0.1, 3}, {0.1, 2}); /* from 1056000: as below */
  WALK(&g, &s, 5, 0, {0.5, 5});
  WALK(&g, &s, 5, 2, {0.9, 3}, {0.1, 3}, {0.1, 3}, {0.1, 3}, {0.1, 3}, /* 1003200, 950400, 897600, 844800 */
       {0.1, 2});                                                       /* 792000: 825600 */
  WALK(&g, &s, 2, 0, {0.9, 2}, {0.9, 2},                                /* cap lifted: 881280, 970560 */
       {0.9, 3});                                                       /* 1059840 */
}
END_TEST

/* --- interactive: lowest at or above load · f / 0.9 --- */

START_TEST(interactive_target_load)
{
  struct hs_governor g = {.kind = HS_INTERACTIVE};
  struct hs_governor_state up = {0}, same = {0}, down = {0}, hispeed = {0}, below = {0};
  ck_assert_int_eq(ask(&g, &up, 4, 0.08, 0.91), 5);       /* 0.91 · 1401600 / 0.9 = 1417173 */
  ck_assert_int_eq(ask(&g, &same, 4, 0.08, 0.90), 4);     /* 1401600 */
  ck_assert_int_eq(ask(&g, &down, 4, 0.08, 0.50), 2);     /* 778666 */
  ck_assert_int_eq(ask(&g, &below, 0, 0.08, 0.98), 1);    /* 326666 */
  ck_assert_int_eq(ask(&g, &hispeed, 0, 0.08, 0.99), 5);  /* go_hispeed_load: 330000 would be 1 */
}
END_TEST

/* A load that was measured above the cap means work at that frequency: 0.5 · 1785600 / 0.9 = 992000, 3, and not 0.5 · 1056000 / 0.9 = 586666, 2. */
START_TEST(interactive_under_a_cap)
{
  struct hs_governor g = {.kind = HS_INTERACTIVE};
  struct hs_governor_state s = {0};
  struct hs_governor_input in = {.now_s = 0.08, .load = 0.5, .cooling_state = 2};
  ck_assert_int_eq(hs_governor_next(&g, &s, opps, N, 5, &in), 3);
}
END_TEST

/* A cap takes the level, not the 80 ms for which the floor, set at 20 ms, holds it. */
START_TEST(interactive_keeps_its_floor_under_a_cap)
{
  struct hs_governor g = {.kind = HS_INTERACTIVE};
  struct hs_governor_state s = {0};
  struct hs_governor_input capped = {.now_s = 0.04, .load = 0.5, .cooling_state = 3};
  ck_assert_int_eq(ask(&g, &s, 5, 0.02, 1), 5);
  ck_assert_int_eq(hs_governor_next(&g, &s, opps, N, 5, &capped), 2);
  ck_assert_int_eq(ask(&g, &s, 2, 0.06, 0.95), 2);
  ck_assert_int_eq(ask(&g, &s, 2, 0.0999, 0.1), 2);
  ck_assert_int_eq(ask(&g, &s, 2, 0.1, 0.1), 0);
}
END_TEST

/* No lower before 80 ms: from the start, where the floor is the level at it, and from each new target. */
START_TEST(interactive_min_sample_time)
{
  struct hs_governor g = {.kind = HS_INTERACTIVE};
  struct hs_governor_state s = {0};
  ck_assert_int_eq(ask(&g, &s, 5, 0.02, 0.1), 5); /* 0.1 · 1785600 / 0.9 = 198400: 0 */
  ck_assert_int_eq(ask(&g, &s, 5, 0.04, 0.1), 5);
  ck_assert_int_eq(ask(&g, &s, 5, 0.06, 0.8), 5); /* 1587200: 5 again, so the time starts anew */
  ck_assert_int_eq(ask(&g, &s, 5, 0.12, 0.1), 5);
  ck_assert_int_eq(ask(&g, &s, 5, 0.1399, 0.1), 5);
  ck_assert_int_eq(ask(&g, &s, 5, 0.14, 0.1), 0); /* 80 ms from 0.06 */
  ck_assert_int_eq(ask(&g, &s, 0, 0.16, 1.0), 5); /* up without delay */
}
END_TEST

/* --- simple_ondemand, from 1056000 --- */

static const struct step gpu[] = {
  {1.00, 5}, {0.91, 5}, /* > 90 */
  {0.90, 3}, {0.86, 3}, /* > 85: stays */
  {0.85, 3},            /* 0.85 · 1056000 / 0.88 = 1020000 */
  {0.50, 2},            /* 600000 */
  {0.48, 1},            /* 576000; 0.88 because the kernel halves 5 to 2 */
  {0.00, 0},
};

START_TEST(simple_ondemand)
{
  struct hs_governor g = {.kind = HS_SIMPLE_ONDEMAND};
  struct hs_governor_state s = {0};
  ck_assert_int_eq(answer(&g, 3, gpu[_i].load), gpu[_i].level);
  ck_assert_int_eq(ask_capped(&g, &s, 3, gpu[_i].load, 3), gpu[_i].level < 2 ? gpu[_i].level : 2);
}
END_TEST

/* 85 is not above 85: 0.85 · 1056000 / 0.88 = 1020000. Above, the frequency stays, though 1020120 would be 2. */
START_TEST(simple_ondemand_boundary)
{
  static const struct hs_opp fine[] = {{.freq_hz = 900e6}, {.freq_hz = 1020e6}, {.freq_hz = 1040e6}, {.freq_hz = 1056e6}};
  struct hs_governor g = {.kind = HS_SIMPLE_ONDEMAND};
  struct hs_governor_state s = {0};
  struct hs_governor_input in = {.load = 0.85}, more = {.load = 0.8501};
  ck_assert_int_eq(hs_governor_next(&g, &s, fine, 4, 3, &in), 1);
  ck_assert_int_eq(hs_governor_next(&g, &s, fine, 4, 3, &more), 3);
}
END_TEST

/* --- all of them --- */

static double next_random(unsigned long long *x)
{
  *x = *x * 6364136223846793005ULL + 1442695040888963407ULL;
  return (double)(*x >> 33) / 2147483648.0;
}

/* Through states that a random load and a random cap lead to: from each, more load never gives a lower level, and none is above the cap. */
START_TEST(monotonic)
{
  struct hs_governor g = {.kind = (enum hs_governor_kind)_i, .level = -1};
  struct hs_governor_state s = {0};
  unsigned long long x = 2385;
  int level = 2, levels = 0;
  struct hs_governor_input in = {0};
  for (int step = 0; step < 3000; step++) {
    in.now_s += 0.007;
    if (step % 100 == 0) in.cooling_state = (int)(next_random(&x) * 1.3 * N);
    int before = -1, top = in.cooling_state < N ? TOP - in.cooling_state : 0;
    for (int permille = g.kind == HS_ONDEMAND || g.kind == HS_SCHEDUTIL ? 5 : 0; permille <= 1000; permille += 5) { /* which aren't asked without any */
      struct hs_governor_state copy = s;
      in.load = in.util = permille / 1000.0;
      int next = hs_governor_next(&g, &copy, opps, N, level, &in);
      if (next < before || next < 0 || next > top) /* an assertion that holds is not free, and here are half a million */
        ck_abort_msg("step %d, load %g: level %d after %d, cap %d", step, in.load, next, before, top);
      before = next;
    }
    in.load = in.util = next_random(&x) < 0.3 ? 1 : next_random(&x);
    level = hs_governor_next(&g, &s, opps, N, level, &in);
    levels |= 1 << level;
  }
  int all = (1 << N) - 1;
  ck_assert_int_eq(levels, _i == HS_POWERSAVE ? 1 : _i == HS_USERSPACE ? 7 : all); /* the walk went everywhere; userspace found level 2 */
}
END_TEST

/* Under full load, a cap that falls by one OPP per sample, and then by all. */
START_TEST(falling_cap)
{
  struct hs_governor g = {.kind = (enum hs_governor_kind)_i, .level = -1};
  struct hs_governor_state s = {0};
  int level = TOP;
  for (int c = 0; c <= N + 1; c++) {
    level = ask_capped(&g, &s, level, 1, c);
    ck_assert_int_eq(level, _i == HS_POWERSAVE || c > TOP ? 0 : TOP - c);
  }
}
END_TEST

/* A domain with one OPP has nothing to decide. */
START_TEST(one_opp)
{
  struct hs_governor g = {.kind = (enum hs_governor_kind)_i, .level = -1};
  struct hs_governor_state s = {0};
  for (int i = 0; i < 20; i++) {
    struct hs_governor_input in = {.now_s = i * 0.05, .load = (i % 3) / 2.0, .util = (i % 3) / 2.0, .cooling_state = i % 2};
    ck_assert_int_eq(hs_governor_next(&g, &s, opps, 1, 0, &in), 0);
  }
}
END_TEST

static void fill(TCase *t)
{
  tcase_add_test(t, names);
  tcase_add_test(t, periods);
  tcase_add_test(t, fixed_levels);
  tcase_add_test(t, userspace_under_a_cap);
  tcase_add_loop_test(t, ondemand, 0, sizeof on_demand / sizeof on_demand[0]);
  tcase_add_test(t, ondemand_after_idling);
  tcase_add_test(t, ondemand_rounding);
  tcase_add_test(t, ondemand_under_a_cap);
  tcase_add_test(t, conservative);
  tcase_add_test(t, conservative_between_opps);
  tcase_add_test(t, conservative_at_the_top);
  tcase_add_test(t, conservative_under_a_cap);
  tcase_add_test(t, interactive_target_load);
  tcase_add_test(t, interactive_under_a_cap);
  tcase_add_test(t, interactive_min_sample_time);
  tcase_add_test(t, interactive_keeps_its_floor_under_a_cap);
  tcase_add_loop_test(t, simple_ondemand, 0, sizeof gpu / sizeof gpu[0]);
  tcase_add_test(t, simple_ondemand_boundary);
  tcase_add_loop_test(t, monotonic, 0, HS_GOVERNOR_KIND_N);
  tcase_add_loop_test(t, falling_cap, 0, HS_GOVERNOR_KIND_N);
  tcase_add_loop_test(t, one_opp, 0, HS_GOVERNOR_KIND_N);
}

int main(void) { return hs_test_main("governor", fill); }
