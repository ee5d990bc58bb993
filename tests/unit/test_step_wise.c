/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Thermal governors that step: Linux' step_wise and a vendor's caps, against sequences computed by hand. */
#include "tests/unit/thermal.h"

#include <math.h>

#include "device/scenario.h"

/* Levels 0..3; trip at 80 C, reached until 78 C. */
START_TEST(step_wise_by_hand)
{
  static const struct {
    double c;
    int cap;
  } polls[] = {
    {70, 3},    {79.9, 3}, {81, 2},   {81, 2},                       /* rising below; reached: a state; as warm as before: none */
    {80.5, 2},  {79, 2},   {79.5, 1}, {81, 0},   {82, 0},            /* cooler, but reached: stays; warmer within the hysteresis; all the way */
    {78, 0},    {77.9, 1}, {77.9, 1}, {77.95, 1}, {77, 2}, {76, 3}, {75, 3}, /* below: one state per poll that is cooler */
    {80, 2},    {79.9995, 2}, {80.0004, 2},                          /* differences below a thousandth of a degree are none */
  };
  struct hs_soc s = one_node();
  struct hs_thermal_model t;
  struct hs_thermal_governor g;
  trip(&s, 0, HS_TRIP_PASSIVE, 80, 2, 1);
  hs_thermal_open(&t, &s, 25, 25);
  hs_thermal_governor_open(&g, &s, HS_STEP_WISE, 0);
  ck_assert_int_eq(g.cap[0], 3);
  for (size_t i = 0; i < sizeof polls / sizeof *polls; i++) {
    ck_assert_int_eq(poll(&g, &t, polls[i].c, NULL), -1);
    ck_assert_msg(g.cap[0] == polls[i].cap, "poll %zu, %g C: cap %d, not %d", i, polls[i].c, g.cap[0], polls[i].cap);
  }
  hs_thermal_governor_open(&g, &s, HS_STEP_WISE, 0);
  poll(&g, &t, 90, NULL); /* the first poll counts as rising */
  ck_assert_int_eq(g.cap[0], 2);
  hs_thermal_close(&t);
}
END_TEST

/* Two trips reached are two steps per poll. At 83.9 C the upper one is no longer reached: it takes one back, the lower one holds what it
 * asked for. A processor that no trip lists is free, and a trip that never was reached (the skin's) doesn't ask for what others
 * asked for when its node cools down. */
START_TEST(step_wise_with_two_trips)
{
  struct hs_soc s = one_node();
  static const double watts[] = {1, 2, 3, 4, 5, 6, 7, 8, 0}, few[] = {1, 2, 0};
  struct hs_thermal_model t;
  struct hs_thermal_governor g;
  s.n_processors = 0;
  memset(s.processors, 0, sizeof s.processors);
  processor(&s, "cpu", watts);
  processor(&s, "gpu", few);
  processor(&s, "npu", watts);
  int skin = node(&s, "skin", 0, 1);
  trip(&s, 0, HS_TRIP_PASSIVE, 80, 1, 1 | 2);
  trip(&s, 0, HS_TRIP_PASSIVE, 85, 1, 1);
  trip(&s, skin, HS_TRIP_PASSIVE, 45, 1, 1);
  static const struct {
    double c, skin;
    int cpu, gpu;
  } polls[] = {
    {70, 30, 7, 1}, {80, 30, 6, 0}, {85, 30, 4, 0}, /* the lower asks for 2, the upper for 3 */
    {86, 29, 2, 0},                                 /* 4, 5 */
    {83.9, 28, 3, 0},                               /* 4, 4 */
    {78, 27, 4, 1},                                 /* 3, from the upper's 4 to 3 */
    {77, 26, 5, 1}, {76, 26.5, 6, 1}, {75, 27, 7, 1},
    {75, 46, 6, 1}, {75, 47, 5, 1},                 /* the skin's turn */
  };
  hs_thermal_open(&t, &s, 25, 25);
  hs_thermal_governor_open(&g, &s, HS_STEP_WISE, 0);
  for (size_t i = 0; i < sizeof polls / sizeof *polls; i++) {
    t.temperature_c[skin] = polls[i].skin;
    poll(&g, &t, polls[i].c, NULL);
    ck_assert_msg(g.cap[0] == polls[i].cpu && g.cap[1] == polls[i].gpu && g.cap[2] == 7, "poll %zu: caps %d, %d, %d", i, g.cap[0], g.cap[1], g.cap[2]);
  }
  hs_thermal_close(&t);
}
END_TEST

/* Levels 0..3. The vendor allows level 2 from 50 C (until 47) and level 0 from 65 C (until 65), Linux steps down from 80 C on, from the level that
 * it had allowed: at 81 C its 2 lies above the vendor's 0, and when the device has cooled down it counts back from there. */
START_TEST(vendor_caps)
{
  static const struct {
    double c;
    int cap, none;
  } polls[] = {{49.9, 3, 3}, {50, 2, 3}, {47, 2, 3}, {46.9, 3, 3}, {50, 2, 3}, {64.9, 2, 3}, {65, 0, 3}, {64.9, 2, 3}, {81, 0, 3},
               {82, 0, 3}, {47, 2, 3}, {46.9, 3, 3}, {49, 3, 3}};
  for (int kind = HS_THERMAL_NONE; kind <= HS_STEP_WISE; kind++) {
    struct hs_soc s = one_node();
    struct hs_thermal_model t;
    struct hs_thermal_governor g;
    trip(&s, 0, HS_TRIP_PASSIVE, 80, 2, 1);
    s.thermal.n_vendor_caps = 2;
    s.thermal.vendor_caps[0] = (struct hs_vendor_cap){0, 0, 2, 50, 3, 0};
    s.thermal.vendor_caps[1] = (struct hs_vendor_cap){0, 0, 0, 65, 0, 0};
    hs_thermal_open(&t, &s, 25, 25);
    hs_thermal_governor_open(&g, &s, (enum hs_thermal_governor_kind)kind, 0);
    for (size_t i = 0; i < sizeof polls / sizeof *polls; i++) {
      int want = kind == HS_THERMAL_NONE ? polls[i].none : polls[i].cap;
      poll(&g, &t, polls[i].c, NULL);
      ck_assert_msg(g.cap[0] == want, "governor %d, poll %zu, %g C: cap %d, not %d", kind, i, polls[i].c, g.cap[0], want);
    }
    hs_thermal_close(&t);
  }
}
END_TEST

/* Between levels 1 and 2: of 8 polls so many at level 2, spread evenly; the lower of two caps still holds. */
START_TEST(vendor_caps_between_levels)
{
  static const struct {
    double above_frac;
    const char *caps;
  } cases[] = {{0, "11111111"}, {.5, "21212121"}, {.25, "12111211"}, {.75, "22122212"}};
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
    for (int lower = 0; lower < 3; lower++) { /* none, behind it, before it */
      struct hs_soc s = one_node();
      struct hs_thermal_model t;
      struct hs_thermal_governor g;
      s.thermal.n_vendor_caps = 1 + (lower > 0);
      s.thermal.vendor_caps[lower == 2] = (struct hs_vendor_cap){0, 0, 1, 50, 3, cases[k].above_frac};
      if (lower) s.thermal.vendor_caps[lower == 1] = (struct hs_vendor_cap){0, 0, 0, 50, 3, 0};
      hs_thermal_open(&t, &s, 25, 25);
      hs_thermal_governor_open(&g, &s, HS_STEP_WISE, 0);
      for (int i = 0; i < 8; i++) {
        poll(&g, &t, 60, NULL);
        ck_assert_msg(g.cap[0] == (lower ? 0 : cases[k].caps[i] - '0'), "%g, poll %d: cap %d", cases[k].above_frac, i, g.cap[0]);
      }
      hs_thermal_close(&t);
    }
}
END_TEST

/* A runtime profiler runs at whichever of two caps holds for longer. */
START_TEST(a_profiler_sees_the_longer_cap)
{
  static const struct {
    double above_frac;
    int cap;
  } cases[] = {{.25, 1}, {.75, 2}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct hs_soc soc = one_node();
    struct hs_scenario s = {.thermal = true, .start_c = 25, .thermal_governor = HS_STEP_WISE, .held = {true}, .held_c = {60}};
    int cap[HS_PROCESSORS_MAX];
    double leakage[HS_PROCESSORS_MAX];
    soc.thermal.n_vendor_caps = 1;
    soc.thermal.vendor_caps[0] = (struct hs_vendor_cap){0, 0, 1, 50, 3, cases[i].above_frac};
    hs_scenario_caps(&s, &soc, cap, leakage);
    ck_assert_int_eq(cap[0], cases[i].cap);
  }
}
END_TEST

/* Random walks over several nodes: where a trip is reached and its node warms up, no cap of its processors rises in that poll. Left out
 * are a vendor's daemon, which steps up and down between two levels, and longer periods, between which a node may warm up unseen. */
START_TEST(caps_do_not_rise_with_the_temperature)
{
  struct hs_soc *s = shipped(soc_names[_i]);
  const struct hs_thermal *net = &s->thermal;
  struct hs_thermal_model t;
  struct hs_thermal_governor g;
  unsigned state = 99;
  int checked = 0, fell = 0;
  s->thermal.n_vendor_caps = 0;
  for (int i = 0; i < net->n_nodes; i++) s->thermal.zones[i].period_s = 0;
  hs_thermal_open(&t, s, 25, 25);
  hs_thermal_governor_open(&g, s, HS_STEP_WISE, 0);
  for (int k = 0; k < 20000; k++) {
    double before[HS_THERMAL_MAX];
    int cap[HS_PROCESSORS_MAX];
    memcpy(before, t.temperature_c, sizeof before);
    memcpy(cap, g.cap, sizeof cap);
    for (int i = 0; i < net->n_nodes; i++) {
      double move = (((state = state * 1664525u + 1013904223u) >> 24) / 256. - .5) * 3;
      t.temperature_c[i] = fmin(fmax(t.temperature_c[i] + move, 20), 109);
    }
    poll(&g, &t, t.temperature_c[0], NULL);
    for (int q = 0; q < net->n_trips; q++)
      for (int p = 0; p < s->n_processors; p++) {
        const struct hs_trip *at = &net->trips[q];
        if (at->type != HS_TRIP_PASSIVE || !(at->processors >> p & 1)) continue;
        if (t.temperature_c[at->node] < at->temperature_c || t.temperature_c[at->node] < before[at->node] + .001) continue;
        ck_assert_int_le(g.cap[p], cap[p]);
        checked++;
        fell += g.cap[p] < cap[p];
      }
  }
  ck_assert(checked > 100 && fell > 10);
  hs_thermal_close(&t);
  hs_soc_free(s);
}
END_TEST

/* What is held at a temperature gets no warmer: a level for each trip that it reaches, at the first poll, down to the lowest level, and
 * none for power_allocator. */
START_TEST(a_held_temperature_throttles_once)
{
  static const double held[] = {79.9, 80, 84, 85, 90.5, 120}; /* a hot trip, at 90, is no step */
  static const int steps[] = {0, 1, 1, 2, 2, 3};
  struct hs_soc s = one_node();
  struct hs_thermal_model t;
  struct hs_thermal_governor g;
  trip(&s, 0, HS_TRIP_PASSIVE, 80, 2, 1);
  trip(&s, 0, HS_TRIP_PASSIVE, 85, 2, 1);
  for (int k = 0; k < 3; k++) trip(&s, 0, k ? HS_TRIP_PASSIVE : HS_TRIP_HOT, 90 + k, 2, 1);
  trip(&s, 0, HS_TRIP_PASSIVE, 80, 2, 0); /* lists nobody */
  for (int i = 0; i < 6; i++) {
    hs_thermal_open(&t, &s, 25, 25);
    hs_thermal_governor_open(&g, &s, HS_STEP_WISE, 0);
    for (int k = 0; k < 50; k++) poll(&g, &t, held[i], NULL);
    ck_assert_int_eq(3 - g.cap[0], steps[i]);
    ck_assert_int_eq(hs_thermal_steps_held(&s, HS_THERMAL_SOC, 0, held[i], 0), steps[i]);
    ck_assert_int_eq(hs_thermal_steps_held(&s, HS_POWER_ALLOCATOR, 0, held[i], 0), 0);
    hs_thermal_close(&t);
  }
}
END_TEST

static void fill(TCase *c)
{
  tcase_add_test(c, step_wise_by_hand);
  tcase_add_test(c, step_wise_with_two_trips);
  tcase_add_test(c, a_held_temperature_throttles_once);
  tcase_add_test(c, vendor_caps);
  tcase_add_test(c, vendor_caps_between_levels);
  tcase_add_test(c, a_profiler_sees_the_longer_cap);
  tcase_add_loop_test(c, caps_do_not_rise_with_the_temperature, 0, N_SOCS);
}

int main(void) { return hs_test_main("step_wise", fill); }
