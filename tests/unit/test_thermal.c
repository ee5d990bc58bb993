/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Temperatures against closed forms and an independent integration, thermal governors against sequences computed by hand. */
#include "tests/unit/suite.h"

#include <limits.h>
#include <math.h>

#include "device/scenario.h"
#include "device/thermal_governor.h"
#include "input/catalog.h"

#define AMBIENT (-1)

/* --- networks made by hand --- */

static int node(struct hs_soc *s, const char *name, unsigned processors, double j_per_k)
{
  int i = s->thermal.n_nodes++;
  s->thermal.nodes[i].name = name;
  s->thermal.nodes[i].processors = processors;
  s->thermal.nodes[i].capacitance_j_per_k = j_per_k;
  return i;
}

static void join(struct hs_soc *s, int from, int to, double k_per_w)
{
  int i = s->thermal.n_links++;
  s->thermal.links[i].from = from;
  s->thermal.links[i].to = to;
  s->thermal.links[i].resistance_k_per_w = k_per_w;
}

static void trip(struct hs_soc *s, int at, const char *type, double c, double hysteresis, unsigned processors)
{
  s->thermal.trips[s->thermal.n_trips++] = (struct hs_trip){at, type, c, hysteresis, processors};
}

/* One core; powers of its levels up to the first 0. */
static void processor(struct hs_soc *s, const char *name, const double *watts)
{
  struct hs_processor *p = &s->processors[s->n_processors++];
  p->name = name;
  p->n_domains = 1;
  p->domains[0].cores = 1;
  for (int i = 0; watts[i] > 0; i++) p->domains[0].opps[p->domains[0].n_opps++] = (struct hs_opp){.freq_hz = (i + 1) * 1e9, .volt = 1, .dynamic_w = watts[i], .static_w = .1};
}

static struct hs_soc one_node(void)
{
  struct hs_soc s = {.name = "one"};
  static const double watts[] = {1, 2, 3, 4, 0};
  processor(&s, "cpu", watts);
  join(&s, node(&s, "n", 1, 2.385), AMBIENT, 7.31);
  return s;
}

/* cpu (0) heats a small node, the gpu (1) a large one in front of the ambient */
static struct hs_soc two_nodes(void)
{
  struct hs_soc s = {.name = "two"};
  static const double cpu[] = {1, 2, 4, 0}, gpu[] = {1.5, 3, 0};
  processor(&s, "cpu", cpu);
  processor(&s, "gpu", gpu);
  int small = node(&s, "small", 1, .73), large = node(&s, "large", 2, 61.7);
  join(&s, small, large, 3.19);
  join(&s, AMBIENT, large, 5.43);
  return s;
}

static void step(struct hs_thermal_model *t, const double *power_w, double idle_w, double dt_s)
{
  struct hs_error err;
  ck_assert_msg(hs_thermal_step(t, power_w, idle_w, dt_s, &err) == HS_OK, "%s", hs_test_message(&err));
}

static const char *const soc_names[] = {"sd855", "sd865", "sd870", "sd888", "kirin960", "kirin970", "kirin985", "kirin990", "tensor"};
enum { N_SOCS = sizeof soc_names / sizeof *soc_names };

static struct hs_soc *shipped(const char *name)
{
  struct hs_catalog c;
  struct hs_soc *s = NULL;
  struct hs_error err;
  ck_assert_msg(hs_catalog_open(&c, &err) == HS_OK && hs_catalog_soc(&c, name, &s, &err) == HS_OK, "%s", hs_test_message(&err));
  hs_catalog_close(&c);
  return s;
}

/* --- the network --- */

/* Power P into C with R to the ambient: T = T_a + PR + (T_0 - T_a - PR) e^(-t/RC); heat lost = the integral of (T - T_a)/R. */
START_TEST(one_node_is_exponential)
{
  struct hs_soc s = one_node();
  struct hs_thermal_model t;
  double power = 2.917, r = 7.31, tau = r * 2.385, start = 31.3, ambient = 22.7, end = power * r;
  hs_thermal_open(&t, &s, ambient, start);
  for (int i = 1; i <= 400; i++) {
    double now = i * .173, decay = exp(-now / tau);
    step(&t, &power, 0, .173);
    double lost = power * now + (start - ambient - end) * (1 - decay) * 2.385;
    ck_assert_double_eq_tol(t.temperature_c[0], ambient + end + (start - ambient - end) * decay, 1e-7);
    ck_assert_double_eq(hs_thermal_temperature(&t, 0), t.temperature_c[0]);
    ck_assert_double_eq_tol(t.in_j, power * now, 1e-9 * t.in_j);
    ck_assert_double_eq_tol(t.lost_j, lost, 1e-7);
    ck_assert_double_eq_tol(hs_thermal_stored_j(&t), 2.385 * (t.temperature_c[0] - start), 1e-9);
  }
  ck_assert_double_eq(t.supplied_j, 0);
  hs_thermal_close(&t);
}
END_TEST

/* All heat goes through the resistances on its way out: T_large = T_a + (P_cpu + P_gpu + idle) R_a, T_small = T_large + (P_cpu + idle) R.
 * Idle power goes to the node with the most links to nodes; both have one, so to the first. */
START_TEST(steady_state)
{
  struct hs_soc s = two_nodes();
  struct hs_thermal_model t;
  double power[] = {1.31, .57}, idle = .83;
  hs_thermal_open(&t, &s, 25, 25);
  ck_assert_int_eq(t.idle_node, 0);
  step(&t, power, idle, 40000);
  double large = 25 + (1.31 + .57 + .83) * 5.43;
  ck_assert_double_eq_tol(hs_thermal_temperature(&t, 1), large, 1e-7);
  ck_assert_double_eq_tol(hs_thermal_temperature(&t, 0), large + (1.31 + .83) * 3.19, 1e-7);
  hs_thermal_close(&t);
}
END_TEST

/* Backward Euler, (C/h + G) T' = C/h T + P + G_a T_a, by Gaussian elimination: shares nothing with the solver under test. */
static void backward_euler(const struct hs_thermal *net, double ambient, const double *node_w, double span, int steps, double *c)
{
  int n = net->n_nodes;
  double h = span / steps;
  for (int round = 0; round < steps; round++) {
    double a[HS_THERMAL_MAX][HS_THERMAL_MAX + 1] = {{0}};
    for (int i = 0; i < n; i++) {
      a[i][i] = net->nodes[i].capacitance_j_per_k / h;
      a[i][n] = a[i][i] * c[i] + node_w[i];
    }
    for (int k = 0; k < net->n_links; k++)
      for (int side = 0; side < 2; side++) {
        int i = side ? net->links[k].to : net->links[k].from, j = side ? net->links[k].from : net->links[k].to;
        if (i < 0) continue;
        a[i][i] += 1 / net->links[k].resistance_k_per_w;
        if (j < 0)
          a[i][n] += ambient / net->links[k].resistance_k_per_w;
        else
          a[i][j] -= 1 / net->links[k].resistance_k_per_w;
      }
    for (int i = 0; i < n; i++)
      for (int k = i + 1; k < n; k++)
        for (int j = n; j >= i; j--) a[k][j] -= a[i][j] * a[k][i] / a[i][i];
    for (int i = n - 1; i >= 0; i--) {
      c[i] = a[i][n];
      for (int j = i + 1; j < n; j++) c[i] -= a[i][j] * c[j];
      c[i] /= a[i][i];
    }
  }
}

/* Its error has the terms h, h², …; steps of h, h/2 and h/4 take the first two away. */
static void extrapolated(const struct hs_thermal *net, double ambient, const double *node_w, double span, int steps, double *c)
{
  double once[HS_THERMAL_MAX], twice[HS_THERMAL_MAX], four[HS_THERMAL_MAX];
  for (int i = 0; i < net->n_nodes; i++) once[i] = twice[i] = four[i] = c[i];
  backward_euler(net, ambient, node_w, span, steps, once);
  backward_euler(net, ambient, node_w, span, 2 * steps, twice);
  backward_euler(net, ambient, node_w, span, 4 * steps, four);
  for (int i = 0; i < net->n_nodes; i++) c[i] = (8 * four[i] - 6 * twice[i] + once[i]) / 3;
}

static void agrees_with_backward_euler(const struct hs_soc *s)
{
  struct hs_thermal_model t;
  double c[HS_THERMAL_MAX], power[HS_PROCESSORS_MAX], in_w[HS_THERMAL_MAX];
  hs_thermal_open(&t, s, 23.9, 34.1);
  for (int i = 0; i < s->thermal.n_nodes; i++) c[i] = 34.1;
  for (int round = 0; round < 12; round++) {
    double idle = .4 + .1 * round, span = .7 + 1.9 * (round % 4);
    for (int i = 0; i < s->thermal.n_nodes; i++) in_w[i] = i == t.idle_node ? idle : 0;
    for (int p = 0; p < s->n_processors; p++) {
      power[p] = (round * 7 + p * 3) % 5 * .83;
      for (int i = 0; i < s->thermal.n_nodes; i++)
        if (s->thermal.nodes[i].processors >> p & 1) in_w[i] += power[p];
    }
    step(&t, power, idle, span);
    extrapolated(&s->thermal, 23.9, in_w, span, 4000, c);
    for (int i = 0; i < s->thermal.n_nodes; i++) ck_assert_double_eq_tol(t.temperature_c[i], c[i], 1e-6);
  }
  hs_thermal_close(&t);
}

START_TEST(two_nodes_against_backward_euler)
{
  struct hs_soc s = two_nodes();
  agrees_with_backward_euler(&s);
}
END_TEST

START_TEST(phone_against_backward_euler)
{
  struct hs_soc *s = shipped("sd855");
  agrees_with_backward_euler(s);
  hs_soc_free(s);
}
END_TEST

/* 20 minutes of steps of 20 ms, power changing every 1.3 s; heat in, stored and lost are summed here, too, from temperatures alone:
 * the trapezoid rule over a step of the slow node in front of the ambient is exact to 1e-8. */
START_TEST(energy_is_conserved)
{
  struct hs_soc *s = shipped(soc_names[_i]);
  const struct hs_thermal *net = &s->thermal;
  struct hs_thermal_model t;
  double in = 0, lost = 0, stored = 0, power[HS_PROCESSORS_MAX] = {0}, w = 0;
  unsigned state = 12345;
  hs_thermal_open(&t, s, 25, 25);
  for (int k = 0; k < 60000; k++) {
    if (k % 65 == 0)
      for (int p = 0; p < s->n_processors; p++) power[p] = ((state = state * 1664525u + 1013904223u) >> 24) / 256. * 3;
    for (int side = 0; side < 2; side++) {
      for (int i = 0; i < net->n_links; i++)
        if (net->links[i].to == AMBIENT) lost += (t.temperature_c[net->links[i].from] - 25) / net->links[i].resistance_k_per_w * .01;
      if (side == 0) step(&t, power, s->idle_w, .02);
    }
    w = s->idle_w;
    for (int p = 0; p < s->n_processors; p++) w += power[p];
    in += w * .02;
  }
  for (int i = 0; i < net->n_nodes; i++) stored += net->nodes[i].capacitance_j_per_k * (t.temperature_c[i] - 25);
  ck_assert_double_eq_tol(t.now_s, 1200, 1e-6);
  ck_assert_double_gt(in, 2000);
  ck_assert_double_eq_tol(t.in_j, in, 1e-6 * in);
  ck_assert_double_eq_tol(t.lost_j, lost, 1e-6 * in);
  ck_assert_double_eq_tol(hs_thermal_stored_j(&t), stored, 1e-6 * in);
  ck_assert_double_eq_tol(in, stored + lost, 1e-6 * in);
  ck_assert_double_eq_tol(t.in_j, hs_thermal_stored_j(&t) + t.lost_j, 1e-6 * in);
  hs_thermal_close(&t);
  hs_soc_free(s);
}
END_TEST

START_TEST(steps_may_be_cut)
{
  struct hs_soc s = two_nodes();
  struct hs_thermal_model once, often;
  double power[] = {3.7, .9};
  hs_thermal_open(&once, &s, 25, 30);
  hs_thermal_open(&often, &s, 25, 30);
  step(&once, power, 1, 20);
  for (int i = 0; i < 20000; i++) step(&often, power, 1, .001);
  for (int i = 0; i < 2; i++) ck_assert_double_eq_tol(once.temperature_c[i], often.temperature_c[i], 1e-7);
  double before = often.temperature_c[0];
  step(&often, power, 1, 0);
  ck_assert_double_eq(often.temperature_c[0], before);
  hs_thermal_close(&once);
  hs_thermal_close(&often);
}
END_TEST

/* What a phone does: a CPU burst of 5 W warms its node by tens of K within a minute, most of it at first, while the skin hardly notices;
 * 3 W held warm the skin over minutes, and it stays below 45 C. */
START_TEST(curves_of_a_phone)
{
  struct hs_soc *s = shipped(soc_names[_i]);
  struct hs_thermal_model t;
  double power[HS_PROCESSORS_MAX] = {0};
  int soc = -1, skin = -1;
  for (int i = 0; i < s->thermal.n_nodes; i++) {
    if (strcmp(s->thermal.nodes[i].name, "soc") == 0) soc = i;
    if (strcmp(s->thermal.nodes[i].name, "skin") == 0) skin = i;
  }
  ck_assert(soc >= 0 && skin >= 0);
  power[0] = 5;
  hs_thermal_open(&t, s, 25, 25);
  ck_assert_int_eq(t.idle_node, soc);
  step(&t, power, 0, 5);
  double early = hs_thermal_temperature(&t, 0) - 25;
  step(&t, power, 0, 55);
  double late = hs_thermal_temperature(&t, 0) - 25;
  ck_assert(early > 7 && late > 20 && late < 60 && early > late / 4);
  ck_assert_double_lt(t.temperature_c[skin], 25 + 5);
  hs_thermal_close(&t);
  hs_thermal_open(&t, s, 25, 25);
  power[0] = 3;
  step(&t, power, 0, 36000);
  double end = t.temperature_c[skin] - 25;
  ck_assert(end > 5 && end < 20);
  hs_thermal_close(&t);
  hs_thermal_open(&t, s, 25, 25);
  step(&t, power, 0, 60);
  ck_assert_double_lt(t.temperature_c[skin] - 25, .3 * end);
  step(&t, power, 0, 1740);
  ck_assert_double_gt(t.temperature_c[skin] - 25, .6 * end);
  hs_thermal_close(&t);
  hs_soc_free(s);
}
END_TEST

/* --- held and replayed --- */

/* The GPU's node at 60 C is a source of heat for the other: T_small = 60 + P R; it takes (60 - T_a)/R_a less all power to keep it so. */
START_TEST(held_temperature)
{
  struct hs_soc s = two_nodes();
  struct hs_thermal_model t;
  struct hs_error err;
  double power[] = {1.7, .6};
  hs_thermal_open(&t, &s, 25, 25);
  ck_assert_int_eq(hs_thermal_hold(&t, 1, 60, &err), HS_OK);
  for (int i = 1; i <= 100; i++) {
    step(&t, power, 0, .6);
    ck_assert_double_eq(hs_thermal_temperature(&t, 1), 60);
    ck_assert_double_eq_tol(hs_thermal_temperature(&t, 0), 60 + 1.7 * 3.19 - (35 + 1.7 * 3.19) * exp(-i * .6 / (.73 * 3.19)), 1e-7);
  }
  ck_assert_double_eq_tol(t.in_j + t.supplied_j, hs_thermal_stored_j(&t) + t.lost_j, 1e-8);
  double before = t.supplied_j;
  step(&t, power, 0, 10);
  ck_assert_double_eq_tol(t.supplied_j - before, ((60 - 25) / 5.43 - 1.7 - .6) * 10, 1e-6);
  hs_thermal_close(&t);
}
END_TEST

/* 30 C until 2 s, up to 60 at 12 s, down to 50 at 16 s, in steps that don't meet the bends: lost = sum of the trapezoids over R. */
START_TEST(replayed_temperature)
{
  struct hs_soc s = one_node();
  struct hs_thermal_model t;
  struct hs_error err;
  static const double time_s[] = {2, 12, 16}, c[] = {30, 60, 50};
  const struct hs_temperature_trace trace = {3, time_s, c, NULL};
  double power = .4;
  hs_thermal_open(&t, &s, 25, 25);
  ck_assert_int_eq(hs_thermal_replay(&t, 0, &trace, &err), HS_OK);
  ck_assert_double_eq(t.temperature_c[0], 30);
  step(&t, &power, 0, 1.5);
  ck_assert_double_eq_tol(t.temperature_c[0], 30, 1e-12);
  step(&t, &power, 0, 3.5);
  ck_assert_double_eq_tol(t.temperature_c[0], 39, 1e-9);
  step(&t, &power, 0, 9);
  ck_assert_double_eq_tol(t.temperature_c[0], 55, 1e-9);
  step(&t, &power, 0, 2);
  ck_assert_double_eq_tol(t.temperature_c[0], 50, 1e-9);
  double lost = (5 * 2 + 20 * 10 + 30 * 4) / 7.31;
  ck_assert_double_eq_tol(t.lost_j, lost, 1e-7);
  ck_assert_double_eq_tol(t.supplied_j, lost + 2.385 * 20 - .4 * 16, 1e-7);
  ck_assert_int_eq(hs_thermal_step(&t, &power, 0, .1, &err), HS_INPUT);
  ck_assert_str_eq(err.text, "temperature trace of cpu: ends at 16 s, before the run does");
  hs_thermal_close(&t);
}
END_TEST

START_TEST(refused_temperatures)
{
  static const double unordered[] = {0, 2, 2}, before[] = {-1, 2, 3}, good[] = {0, 1, 2}, c[] = {30, 40, 50}, hot[] = {30, 400, 50};
  static const struct {
    struct hs_temperature_trace trace;
    const char *message;
  } cases[] = {
    {{3, unordered, c, NULL}, "temperature trace of cpu: time 2 s is not after the point before it (2 s)"},
    {{3, before, c, NULL}, "temperature trace of cpu: time -1 s is not >= 0"},
    {{3, good, hot, NULL}, "temperature of cpu: 400 C is not in [-40, 150]"},
    {{0, good, c, NULL}, "temperature trace of cpu: has no points"},
  };
  struct hs_soc s = one_node();
  static const double watts[] = {1, 0};
  struct hs_thermal_model t;
  struct hs_error err;
  processor(&s, "cpu-little", watts);
  s.thermal.nodes[0].processors = 3;
  hs_thermal_open(&t, &s, 25, 25);
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    ck_assert_int_eq(hs_thermal_replay(&t, 0, &cases[i].trace, &err), HS_INPUT);
    ck_assert_str_eq(err.text, cases[i].message);
  }
  ck_assert_int_eq(hs_thermal_hold(&t, 0, 60 + 273.15, &err), HS_USAGE);
  ck_assert_str_eq(err.text, "temperature of cpu: 333.15 C is not in [-40, 150]");
  ck_assert_int_eq(hs_thermal_hold(&t, 0, NAN, &err), HS_USAGE);
  ck_assert_int_eq(hs_thermal_hold(&t, 0, 60, &err), HS_OK);
  ck_assert_int_eq(hs_thermal_hold(&t, 1, 60, &err), HS_OK);
  ck_assert_int_eq(hs_thermal_hold(&t, 1, 61, &err), HS_USAGE);
  ck_assert_str_eq(err.text, "temperature of cpu-little: it shares the node \"n\" with cpu, which has one already");
  hs_thermal_close(&t);
}
END_TEST

/* 48020 + 2120 T - 50 T² + T³: 93620 at 30 C, 211220 at 60 C, 562820 at 90 C, 48020 at 0 C */
START_TEST(static_power)
{
  ck_assert_near(hs_leakage_factor(30), 1.);
  ck_assert_near(hs_leakage_factor(60), 211220. / 93620);
  ck_assert_near(hs_leakage_factor(90), 562820. / 93620);
  ck_assert_near(hs_leakage_factor(-20), 48020. / 93620);
  for (int c = 1; c <= 150; c++) ck_assert_double_gt(hs_leakage_factor(c), hs_leakage_factor(c - 1));
}
END_TEST

/* --- governors --- */

static int poll(struct hs_thermal_governor *g, struct hs_thermal_model *t, double c, const double *load)
{
  static const double busy[HS_PROCESSORS_MAX] = {1, 1, 1, 1, 1, 1, 1, 1};
  int level[HS_PROCESSORS_MAX];
  memcpy(level, g->cap, sizeof level);
  t->temperature_c[0] = c;
  return hs_thermal_govern(g, t, load ? load : busy, level);
}

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
  trip(&s, 0, "passive", 80, 2, 1);
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
  trip(&s, 0, "passive", 80, 1, 1 | 2);
  trip(&s, 0, "passive", 85, 1, 1);
  trip(&s, skin, "passive", 45, 1, 1);
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
  } polls[] = {{49.9, 3, 3}, {50, 2, 3}, {47, 2, 3}, {46.9, 3, 3}, {50, 2, 3}, {64.9, 2, 3}, {65, 0, 3}, {64.9, 2, 3}, {81, 0, 3}, {82, 0, 3}, {47, 2, 3}, {46.9, 3, 3}, {49, 3, 3}};
  for (int kind = HS_THERMAL_NONE; kind <= HS_STEP_WISE; kind++) {
    struct hs_soc s = one_node();
    struct hs_thermal_model t;
    struct hs_thermal_governor g;
    trip(&s, 0, "passive", 80, 2, 1);
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
        if (strcmp(at->type, "passive") != 0 || !(at->processors >> p & 1)) continue;
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
    /* e = 1.7: 3 + 1.02 = 4.02 W; asked 4 and 0: the .02 W to spare are 2 W at the 1 % that no load counts as */
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
    /* below the switch-on everything is forgotten */
    {64.999, {1, 1}, 2, 1, 0},
    /* e = -1: 3 - .3 - .06 = 2.64 W */
    {76, {1, 0}, 1, 0, -1},
    /* e = -45: 3 - 13.5 - 2.76: 0 */
    {120, {1, 1}, 0, 0, -46},
    /* k_i * (-46 - 75) would be more than the 7 W of both: the sum stays */
    {150, {1, 1}, 0, 0, -46},
  };
  struct hs_soc s = two_nodes();
  struct hs_thermal_model t;
  struct hs_thermal_governor g;
  trip(&s, 0, "passive", 65, 1, 0);
  trip(&s, 0, "passive", 75, 1, 1 | 2);
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

/* A runtime profiler has one processor work at a time, which has the whole budget: at 70 C 6 W, enough for all levels, at 74.8 C 3.12 W, and above
 * the target none for long. With nobody at work nobody would be granted anything. Temperatures are held, or
 * replayed. */
START_TEST(power_allocator_as_a_profiler_sees_it)
{
  static const struct {
    double c;
    int cpu, gpu;
  } cases[] = {{60, 2, 1}, {70, 2, 1}, {74.8, 1, 1}, {76, 0, 0}};
  struct hs_soc soc = two_nodes();
  trip(&soc, 0, "passive", 65, 1, 0);
  trip(&soc, 0, "passive", 75, 1, 1 | 2);
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    const double time_s[] = {0, 60}, replayed_c[] = {cases[i].c, 25};
    struct hs_scenario s = {.thermal = true, .start_c = 25, .thermal_governor = HS_POWER_ALLOCATOR, .sustainable_w = 3, .held = {_i == 0}};
    int cap[HS_PROCESSORS_MAX];
    double leakage[HS_PROCESSORS_MAX];
    if (_i == 0)
      s.held_c[0] = cases[i].c;
    else
      s.trace[0] = (struct hs_temperature_trace){2, time_s, replayed_c, NULL};
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
  trip(&s, 0, "passive", 75, 1, 1 | 2);
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
  trip(&s, 0, "passive", 80, 2, 1);
  trip(&s, 1, "passive", 40, 1, 0);
  trip(&s, 1, "passive", 45, 1, 2);
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
  double power[HS_PROCESSORS_MAX] = {0}, load[HS_PROCESSORS_MAX] = {0};
  load[gpu] = 1;
  hs_thermal_open(&t, s, s->thermal.ambient_c, 25);
  hs_thermal_governor_open(&g, s, HS_THERMAL_SOC, 0);
  for (int k = 0; k < 12000; k++) {
    int level[HS_PROCESSORS_MAX];
    memcpy(level, g.cap, sizeof level);
    power[gpu] = hs_thermal_level_w(s, gpu, level[gpu]) + d->opps[level[gpu]].static_w * hs_leakage_factor(hs_thermal_temperature(&t, gpu));
    step(&t, power, s->idle_w, HS_THERMAL_PERIOD_S);
    ck_assert_int_eq(hs_thermal_govern(&g, &t, load, level), -1);
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
  trip(&s, 0, "passive", 80, 2, 1);
  trip(&s, 0, "hot", 85, 2, 0);
  trip(&s, 0, "critical", 110, 1, 0);
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
  tcase_add_test(c, one_node_is_exponential);
  tcase_add_test(c, steady_state);
  tcase_add_test(c, two_nodes_against_backward_euler);
  tcase_add_test(c, phone_against_backward_euler);
  tcase_add_loop_test(c, energy_is_conserved, 0, N_SOCS);
  tcase_add_test(c, steps_may_be_cut);
  tcase_add_loop_test(c, curves_of_a_phone, 0, N_SOCS);
  tcase_add_test(c, held_temperature);
  tcase_add_test(c, replayed_temperature);
  tcase_add_test(c, refused_temperatures);
  tcase_add_test(c, static_power);
  tcase_add_test(c, step_wise_by_hand);
  tcase_add_test(c, step_wise_with_two_trips);
  tcase_add_test(c, vendor_caps);
  tcase_add_test(c, vendor_caps_between_levels);
  tcase_add_test(c, a_profiler_sees_the_longer_cap);
  tcase_add_loop_test(c, caps_do_not_rise_with_the_temperature, 0, N_SOCS);
  tcase_add_loop_test(c, throttling_holds_the_temperature, 0, HS_THERMAL_GOVERNOR_N);
  tcase_add_test(c, power_allocator_by_hand);
  tcase_add_loop_test(c, power_allocator_as_a_profiler_sees_it, 0, 2);
  tcase_add_test(c, power_allocator_with_one_trip);
  tcase_add_test(c, zones_by_hand);
  tcase_add_loop_test(c, a_busy_gpu_settles, 0, N_SOCS);
  tcase_add_test(c, critical_trip);
}

int main(void) { return hs_test_main("thermal", fill); }
