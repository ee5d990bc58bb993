/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The thermal governor that hands out power, against sequences computed by hand. */
#include "tests/unit/thermal.h"

#include "device/scenario.h"

/* Switch-on 65 C, target 75 C, 3 W sustainable: k_po = 0.3, k_pu = 0.6, k_i = 0.06 W/K. CPU levels 1, 2, 4 W, GPU levels 1.5, 3 W. */
START_TEST(power_allocator_by_hand)
{
  static const struct {
    double c, load[2];
    int cpu, gpu;
    double sum;
  } polls[] = {
    {60, {1, 1}, 2, 1, 0},
    /* e = 5: 3 + 3 = 6 W; asked 4 and 1.5: granted 4.364, more than its 4, and 1.636 + .364 = 2.0, at half load 4 */
    {70, {1, .5}, 2, 1, 0},
    /* e = 1.7: 3 + 1.02 = 4.02 W; asked 4 and .015: .005 and .015 to spare are 2 W at 1 %, below which Linux counts none */
    {73.3, {1, .005}, 2, 0, 0},
    /* the same; asked 4 and 0: the .02 W to spare are 2 W at the 1 % that no load counts as */
    {73.3, {1, 0}, 2, 0, 0},
    /* e = 6: 6.6 W; asked 4 and 1.2: granted 5.077, more than its 4, and 1.523 + 1.077 = 2.6, at .8 of the load 3.25 */
    {69, {1, .8}, 2, 1, 0},
    /* e = -2: 3 - .6 - .12 = 2.28 W; asked 4 and 3: 1.303 and .977 */
    {77, {1, 1}, 0, 0, -2},
    /* e = -1: 3 - .3 - .18 = 2.52 W; asked 1 and .375: 1.833, and .687 at a quarter of load 2.749 */
    {76, {1, .25}, 0, 0, -3},
    /* e = .2: 3 + .12 - .18 = 2.94 W; asked 1 and .3: 2.262, and .678 at a fifth of load 3.39 */
    {74.8, {1, .2}, 1, 1, -3},
    /* e = 1: 3 + .6 - .18 = 3.42 W; asked 2 and 0: 3.42 and 0 */
    {74, {1, 0}, 1, 0, -3},
    /* nobody asked: nobody is granted anything */
    {74, {0, 0}, 0, 0, -3},
    /* nor at the switch-on, from which on the governor is at work */
    {65, {0, 0}, 0, 0, -3},
    /* below the switch-on everything is forgotten */
    {64.999, {1, 1}, 2, 1, 0},
    /* e = -1: 3 - .3 - .06 = 2.64 W */
    {76, {1, 0}, 1, 0, -1},
    /* e = -45: 3 - 13.5 - 2.76: 0 */
    {120, {1, 1}, 0, 0, -46},
    /* k_i * (-46 - 75) would be more than the 7 W of both: the sum stays */
    {150, {1, 1}, 0, 0, -46},
    /* above the target it is k_po that counts: e = -2: 3 - .6 - .12 = 2.28 W, all the CPU's; with k_pu it would be 1.68 and a level less */
    {60, {1, 1}, 2, 1, 0},
    {77, {1, 0}, 1, 0, -2},
    /* e = 6: 6.6 W; asked 4 and 1.5: granted 4.8 and 1.8, and the .8 to spare make it 2.6, not a level more (3 W) */
    {60, {1, 1}, 2, 1, 0},
    {73.3, {1, 0}, 2, 0, 0},
    {69, {1, 1}, 2, 0, 0},
  };
  struct hs_soc s = two_nodes();
  struct hs_thermal_model t;
  struct hs_thermal_governor g;
  trip(&s, 0, HS_TRIP_PASSIVE, 65, 1, 0);
  trip(&s, 0, HS_TRIP_PASSIVE, 75, 1, 1 | 2);
  hs_thermal_open(&t, &s, 25, 25);
  hs_thermal_governor_open(&g, &s, HS_POWER_ALLOCATOR, 3);
  for (size_t i = 0; i < sizeof polls / sizeof *polls; i++) {
    poll(&g, &t, polls[i].c, polls[i].load);
    ck_assert_msg(g.cap[0] == polls[i].cpu && g.cap[1] == polls[i].gpu, "poll %zu, %g C: caps %d and %d", i, polls[i].c, g.cap[0], g.cap[1]);
    ck_assert_double_eq_tol(g.error_sum_k[0], polls[i].sum, 1e-9);
  }
  hs_thermal_close(&t);
}
END_TEST

/* Far below the target there is more than all can draw, so that each has its highest level, however the budget is divided in proportion to what they asked
 * for and put together again. */
START_TEST(power_allocator_loses_no_level_by_rounding)
{
  struct hs_soc s = two_nodes();
  struct hs_thermal_model t;
  struct hs_thermal_governor g;
  trip(&s, 0, HS_TRIP_PASSIVE, 65, 1, 0);
  trip(&s, 0, HS_TRIP_PASSIVE, 75, 1, 1 | 2);
  for (int l = 0; l < 3; l++) s.processors[0].domains[0].opps[l].dynamic_w *= 1.0713;
  for (int l = 0; l < 2; l++) s.processors[1].domains[0].opps[l].dynamic_w *= .9371;
  hs_thermal_open(&t, &s, 25, 25);
  hs_thermal_governor_open(&g, &s, HS_POWER_ALLOCATOR, 30);
  t.temperature_c[0] = 66;
  for (int i = 1; i <= 100; i++)
    for (int k = 1; k <= 100; k++) {
      const struct hs_thermal_use use[2] = {hs_thermal_use_at(&s, 0, i / 100., i % 3), hs_thermal_use_at(&s, 1, k / 100., k % 2)};
      hs_thermal_govern(&g, &t, use);
      ck_assert_msg(g.cap[0] == 2 && g.cap[1] == 1, "loads .%02d and .%02d at levels %d and %d: caps %d and %d", i, k, i % 3, k % 2, g.cap[0], g.cap[1]);
    }
  hs_thermal_close(&t);
}
END_TEST

/* No load counts as 1 % of one core: with four of 1 W, the GPU's .02 W to spare at e = 1/30 (3 + .02 W, of which it takes 3) are 8 W for them, not 2. */
START_TEST(power_allocator_takes_an_idle_processor_for_a_core)
{
  static const double load[2] = {0, 1};
  struct hs_soc s = two_nodes();
  struct hs_thermal_model t;
  struct hs_thermal_governor g;
  trip(&s, 0, HS_TRIP_PASSIVE, 65, 1, 0);
  trip(&s, 0, HS_TRIP_PASSIVE, 75, 1, 1 | 2);
  s.processors[0].domains[0].cores = 4;
  for (int l = 0; l < 3; l++) s.processors[0].domains[0].opps[l].dynamic_w /= 4;
  hs_thermal_open(&t, &s, 25, 25);
  hs_thermal_governor_open(&g, &s, HS_POWER_ALLOCATOR, 3);
  poll(&g, &t, 75 - 1. / 30, load);
  ck_assert_int_eq(g.cap[0], 2);
  ck_assert_int_eq(g.cap[1], 1);
  hs_thermal_close(&t);
}
END_TEST

/* A runtime profiler has one processor work at a time, which has the whole budget: at 70 C 6 W, enough for all levels, at 74.8 C 3.12 W, and above
 * the target none for long. With nobody at work nobody would be granted anything. Temperatures are held, or
 * replayed; they are looked at at every poll, or every seven seconds. */
START_TEST(power_allocator_as_a_profiler_sees_it)
{
  static const struct {
    double c;
    int cpu, gpu;
  } cases[] = {{60, 2, 1}, {70, 2, 1}, {74.8, 1, 1}, {75.2, 0, 0}, {76, 0, 0}};
  struct hs_soc soc = two_nodes();
  trip(&soc, 0, HS_TRIP_PASSIVE, 65, 1, 0);
  trip(&soc, 0, HS_TRIP_PASSIVE, 75, 1, 1 | 2);
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    const double time_s[] = {0, 60}, replayed_c[] = {cases[i].c, 25};
    struct hs_scenario s = {.thermal = true, .start_c = 25, .thermal_governor = HS_POWER_ALLOCATOR, .sustainable_w = 3, .held = {_i % 2 == 0}};
    int cap[HS_PROCESSORS_MAX];
    double leakage[HS_PROCESSORS_MAX];
    soc.thermal.zones[0].period_s = _i < 2 ? 0 : 7;
    if (_i % 2 == 0)
      s.held_c[0] = cases[i].c;
    else
      s.trace[0] = (struct hs_temperature_trace){.n = 2, .time_s = time_s, .temperature_c = replayed_c};
    hs_scenario_caps(&s, &soc, cap, leakage);
    ck_assert_double_eq(leakage[0], hs_leakage_factor(cases[i].c));
    ck_assert_double_eq(leakage[1], hs_leakage_factor(25));
    ck_assert_msg(cap[0] == cases[i].cpu && cap[1] == cases[i].gpu, "at %g C: caps %d and %d", cases[i].c, cap[0], cap[1]);
  }
}
END_TEST

/* One passive trip is the target, and the governor always on with k_po = P / 75 K. Without a sustainable power Linux takes the sum of
 * the lowest levels, 1 + 1.5 W. At 75 C that is the budget: asked 4 and 3 W, granted 1.43 and 1.07. At 50 C it is 2.5 + 25 * 2 * 2.5 / 75
 * = 4.17 W: 2.38 and 1.79. */
START_TEST(power_allocator_with_one_trip)
{
  struct hs_soc s = two_nodes();
  struct hs_thermal_model t;
  struct hs_thermal_governor g;
  trip(&s, 0, HS_TRIP_PASSIVE, 75, 1, 1 | 2);
  hs_thermal_open(&t, &s, 25, 25);
  hs_thermal_governor_open(&g, &s, HS_POWER_ALLOCATOR, 0);
  poll(&g, &t, 75, NULL);
  ck_assert_int_eq(g.cap[0], 0);
  ck_assert_int_eq(g.cap[1], 0);
  hs_thermal_governor_open(&g, &s, HS_POWER_ALLOCATOR, 0);
  poll(&g, &t, 50, NULL);
  ck_assert_int_eq(g.cap[0], 1);
  ck_assert_int_eq(g.cap[1], 0);
  hs_thermal_close(&t);
}
END_TEST

/* A zone looked at every .4 s takes the load of all that time: half, as by polls of 1, 1, 0, 0. The budget of 1.2 W is enough for 2.4 W at full load, the
 * middle level. By the last poll alone there would be no load, and by a full one 1.2 W at the most: both the lowest level. */
START_TEST(power_allocator_takes_the_load_since_its_last_look)
{
  static const double loads[][2] = {{1, 0}, {1, 0}, {0, 0}, {0, 0}};
  struct hs_soc s = two_nodes();
  struct hs_thermal_model t;
  struct hs_thermal_governor g;
  trip(&s, 0, HS_TRIP_PASSIVE, 65, 1, 0);
  trip(&s, 0, HS_TRIP_PASSIVE, 75, 1, 1 | 2);
  s.thermal.zones[0].period_s = .4;
  hs_thermal_open(&t, &s, 25, 25);
  hs_thermal_governor_open(&g, &s, HS_POWER_ALLOCATOR, 1.2);
  poll(&g, &t, 25, NULL);
  for (int i = 0; i < 4; i++) {
    ck_assert_int_eq(g.cap[0], 2);
    poll(&g, &t, 75, loads[i]);
  }
  ck_assert_int_eq(g.cap[0], 1);
  hs_thermal_close(&t);
}
END_TEST

static void fill(TCase *c)
{
  tcase_add_test(c, power_allocator_by_hand);
  tcase_add_test(c, power_allocator_loses_no_level_by_rounding);
  tcase_add_test(c, power_allocator_takes_an_idle_processor_for_a_core);
  tcase_add_loop_test(c, power_allocator_as_a_profiler_sees_it, 0, 4);
  tcase_add_test(c, power_allocator_with_one_trip);
  tcase_add_test(c, power_allocator_takes_the_load_since_its_last_look);
}

int main(void) { return hs_test_main("power_allocator", fill); }
