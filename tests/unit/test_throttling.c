/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Thermal governors of a whole SoC: zones that have their own, heat and caps in one loop, and the trip at which the device shuts down. */
#include "tests/unit/thermal.h"

#include <limits.h>
#include <math.h>

/* The loop closed: all of the CPU busy on a hot day. Caps come down, and while a reached node warms up they don't rise. */
START_TEST(throttling_holds_the_temperature)
{
  struct hs_soc *s = shipped("sd888");
  struct hs_thermal_model t;
  struct hs_thermal_governor g;
  double power[HS_PROCESSORS_MAX] = {0}, warmest = 0, last = 40;
  int lowest = s->processors[0].domains[1].n_opps - 1, top = lowest;
  hs_thermal_open(&t, s, 40, 40);
  hs_thermal_governor_open(&g, s, (enum hs_thermal_governor_kind)_i, 0);
  for (int k = 0; k < 36000; k++) {
    int cap = g.cap[0];
    power[0] = hs_thermal_level_w(s, 0, cap);
    power[2] = hs_thermal_level_w(s, 2, g.cap[2]);
    step(&t, power, s->idle_w, HS_THERMAL_PERIOD_S);
    poll(&g, &t, t.temperature_c[0], NULL);
    if (_i == HS_STEP_WISE && t.temperature_c[0] >= 90 && t.temperature_c[0] > last + .001) ck_assert_int_le(g.cap[0], cap);
    last = t.temperature_c[0];
    warmest = fmax(warmest, last);
    lowest = g.cap[0] < lowest ? g.cap[0] : lowest;
  }
  if (_i == HS_THERMAL_NONE) {
    ck_assert_double_gt(warmest, 105);
    ck_assert_int_eq(lowest, top);
  } else {
    ck_assert_double_lt(warmest, 97);
    ck_assert_int_lt(lowest, top);
    ck_assert_double_lt(last, 96);
  }
  hs_thermal_close(&t);
  hs_soc_free(s);
}
END_TEST

/* As the SoC's zones say: the first node has step_wise, every poll; the second power_allocator with 4 W, 2 and 1 W/K below and above, .5 W/K for the
 * sum, every third poll. The CPU's levels take 1, 2 and 4 W, the GPU's 1.5 and 3 W; both busy, and the trip of the second node lists the GPU alone. */
START_TEST(zones_by_hand)
{
  static const struct {
    double small, large;
    int cpu, gpu;
    double sum;
  } polls[] = {
    {81, 46, 1, 0, -1},   /* rising: a state; e = -1: 4 - 2 - .5 = 1.5 W */
    {82, 30, 0, 0, -1},   /* the second isn't looked at, */
    {82, 99, 0, 0, -1},   /* whatever it has */
    {77, 45.1, 1, 1, -1.1}, /* e = -.1: 4 - .2 - .55 = 3.25 W */
    {76, 60, 2, 1, -1.1},
    {76, 60, 2, 1, -1.1},
    {76, 44, 2, 1, -1.1}, /* e = 1: 4 + 1 - .55, at most the GPU's 3 W */
  };
  struct hs_soc s = two_nodes();
  struct hs_thermal_model t;
  struct hs_thermal_governor g;
  trip(&s, 0, HS_TRIP_PASSIVE, 80, 2, 1);
  trip(&s, 1, HS_TRIP_PASSIVE, 40, 1, 0);
  trip(&s, 1, HS_TRIP_PASSIVE, 45, 1, 2);
  s.thermal.zones[1] = (struct hs_zone){true, true, .3, 4, 2, 1, .5};
  hs_thermal_open(&t, &s, 25, 25);
  hs_thermal_governor_open(&g, &s, HS_THERMAL_SOC, 0);
  for (size_t i = 0; i < sizeof polls / sizeof *polls; i++) {
    t.temperature_c[1] = polls[i].large;
    poll(&g, &t, polls[i].small, NULL);
    ck_assert_msg(g.cap[0] == polls[i].cpu && g.cap[1] == polls[i].gpu, "poll %zu: caps %d and %d", i, g.cap[0], g.cap[1]);
    ck_assert_double_eq_tol(g.error_sum_k[1], polls[i].sum, 1e-9);
  }
  hs_thermal_close(&t);
}
END_TEST

/* 20 minutes of a busy GPU: once it throttles, it stays near the OPP at which as much heat leaves as comes in. With step_wise for all nodes, those
 * of Kirin 960 and 970 and of the Tensor swing over nearly all OPPs: their trips are those of a sensor in the CPU, or of the skin, which follow
 * seconds and minutes later. */
START_TEST(a_busy_gpu_settles)
{
  struct hs_soc *s = shipped(soc_names[_i]);
  int gpu = hs_soc_first(s, HS_GPU), least = INT_MAX, most = 0;
  const struct hs_domain *d = &s->processors[gpu].domains[0];
  struct hs_thermal_model t;
  struct hs_thermal_governor g;
  double power[HS_PROCESSORS_MAX] = {0};
  hs_thermal_open(&t, s, s->thermal.ambient_c, 25);
  hs_thermal_governor_open(&g, s, HS_THERMAL_SOC, 0);
  for (int k = 0; k < 12000; k++) {
    struct hs_thermal_use use[HS_PROCESSORS_MAX];
    for (int p = 0; p < s->n_processors; p++) use[p] = hs_thermal_use_at(s, p, p == gpu, g.cap[p]);
    power[gpu] = hs_thermal_level_w(s, gpu, g.cap[gpu]) + d->opps[g.cap[gpu]].static_w * hs_leakage_factor(hs_thermal_temperature(&t, gpu));
    step(&t, power, s->idle_w, HS_THERMAL_PERIOD_S);
    ck_assert_int_eq(hs_thermal_govern(&g, &t, use), -1);
    if (k < 9000) continue;
    least = g.cap[gpu] < least ? g.cap[gpu] : least;
    most = g.cap[gpu] > most ? g.cap[gpu] : most;
  }
  ck_assert_msg(most - least <= 2, "%s: levels %d to %d of %d", s->name, least, most, d->n_opps);
  ck_assert_int_gt(least, 0);
  hs_thermal_close(&t);
  hs_soc_free(s);
}
END_TEST

/* The device shuts down at a critical trip whatever the governor, and without one above 150 C; hot trips do nothing. */
START_TEST(critical_trip)
{
  struct hs_soc s = one_node();
  struct hs_thermal_model t;
  struct hs_thermal_governor g;
  trip(&s, 0, HS_TRIP_PASSIVE, 80, 2, 1);
  trip(&s, 0, HS_TRIP_HOT, 85, 2, 0);
  trip(&s, 0, HS_TRIP_CRITICAL, 110, 1, 0);
  hs_thermal_open(&t, &s, 25, 25);
  for (int kind = 0; kind < HS_THERMAL_GOVERNOR_N; kind++) {
    hs_thermal_governor_open(&g, &s, (enum hs_thermal_governor_kind)kind, 1.5);
    ck_assert_int_eq(poll(&g, &t, 109.9, NULL), -1);
    ck_assert_int_eq(g.cap[0], kind == HS_THERMAL_NONE ? 3 : kind == HS_POWER_ALLOCATOR ? 0 : 2);
    ck_assert_int_eq(poll(&g, &t, 110, NULL), 0);
  }
  s.thermal.n_trips = 0;
  ck_assert_int_eq(poll(&g, &t, 150, NULL), -1);
  ck_assert_int_eq(poll(&g, &t, 150.1, NULL), 0);
  hs_thermal_close(&t);
}
END_TEST

static void fill(TCase *c)
{
  tcase_add_loop_test(c, throttling_holds_the_temperature, 0, HS_THERMAL_GOVERNOR_N);
  tcase_add_test(c, zones_by_hand);
  tcase_add_loop_test(c, a_busy_gpu_settles, 0, N_SOCS);
  tcase_add_test(c, critical_trip);
}

int main(void) { return hs_test_main("throttling", fill); }
