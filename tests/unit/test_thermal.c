/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Temperatures against closed forms and an independent integration, held ones, and replayed. */
#include "tests/unit/thermal.h"

#include <math.h>
#include <signal.h>

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

/* The GPU's node at 60 C is a source of heat for the other: T_small = 60 + P R; it takes (60 - T_a)/R_a less all power to keep it so. */
START_TEST(held_temperature)
{
  struct hs_soc s = two_nodes();
  struct hs_thermal_model t;
  double power[] = {1.7, .6};
  hs_thermal_open(&t, &s, 25, 25);
  hs_thermal_hold(&t, 1, 60);
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
  const struct hs_temperature_trace trace = {.n = 3, .time_s = time_s, .temperature_c = c};
  double power = .4;
  hs_thermal_open(&t, &s, 25, 25);
  ck_assert_int_eq(hs_temperature_trace_reaches(&trace, 16, "cpu", &err), HS_OK); /* its last point is the end of a run of so long */
  ck_assert_int_eq(hs_temperature_trace_reaches(&trace, 16.001, "cpu", &err), HS_INPUT);
  hs_thermal_replay(&t, 0, &trace);
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

/* A node that two processors heat; its second one is cpu-little. */
static struct hs_soc shared_node(void)
{
  static const double watts[] = {1, 0};
  struct hs_soc s = one_node();
  processor(&s, "cpu-little", watts);
  s.thermal.nodes[0].processors = 3;
  return s;
}

START_TEST(two_may_hold_a_node)
{
  struct hs_soc s = shared_node();
  struct hs_thermal_model t;
  hs_thermal_open(&t, &s, 25, 25);
  hs_thermal_hold(&t, 0, 60);
  hs_thermal_hold(&t, 1, 60);
  ck_assert_double_eq(hs_thermal_temperature(&t, 0), 60);
  hs_thermal_close(&t);
}
END_TEST

/* What follows is refused by the readers of scenarios, with its place (test_scenario.c, test_scenario_options.c). */
START_TEST(two_temperatures_of_a_node_abort)
{
  struct hs_soc s = shared_node();
  struct hs_thermal_model t;
  hs_thermal_open(&t, &s, 25, 25);
  hs_thermal_hold(&t, 0, 60);
  hs_thermal_hold(&t, 1, 61);
}
END_TEST

static const double no_temperatures[] = {60 + 273.15, -40.5, NAN};

START_TEST(no_temperature_aborts)
{
  struct hs_soc s = one_node();
  struct hs_thermal_model t;
  hs_thermal_open(&t, &s, 25, 25);
  hs_thermal_hold(&t, 0, no_temperatures[_i]);
}
END_TEST

static const double unordered_s[] = {0, 2, 2}, before_s[] = {-1, 2, 3}, endless_s[] = {0, 1, INFINITY}, good_s[] = {0, 1, 2}, good_c[] = {30, 40, 50},
                    hot_c[] = {30, 400, 50};
static const struct hs_temperature_trace no_traces[] = {
  {.n = 3, .time_s = unordered_s, .temperature_c = good_c}, {.n = 3, .time_s = before_s, .temperature_c = good_c},
  {.n = 3, .time_s = endless_s, .temperature_c = good_c},   {.n = 3, .time_s = good_s, .temperature_c = hot_c},
  {.n = 0, .time_s = good_s, .temperature_c = good_c},
};

START_TEST(no_trace_aborts)
{
  struct hs_soc s = one_node();
  struct hs_thermal_model t;
  hs_thermal_open(&t, &s, 25, 25);
  hs_thermal_replay(&t, 0, &no_traces[_i]);
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
  tcase_add_test(c, two_may_hold_a_node);
  tcase_add_test_raise_signal(c, two_temperatures_of_a_node_abort, SIGABRT);
  tcase_add_loop_test_raise_signal(c, no_temperature_aborts, SIGABRT, 0, sizeof no_temperatures / sizeof *no_temperatures);
  tcase_add_loop_test_raise_signal(c, no_trace_aborts, SIGABRT, 0, sizeof no_traces / sizeof *no_traces);
  tcase_add_test(c, static_power);
}

int main(void) { return hs_test_main("thermal", fill); }
