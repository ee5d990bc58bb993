/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Does a fit end where its rows and what was before are most likely, also with coefficients at the ends of their ranges? */
#include "tests/model/desk.h"

#include "calibrate/coefficients.h"
#include "calibrate/robust.h"

enum { NETWORKS = 12, CORE_SETS = 4, ROWS = NETWORKS * CORE_SETS };
static const char *const networks[NETWORKS] = {"mobilenet_v1", "mobilenet_v2_1.0", "squeezenet", "resnet18", "resnet50", "vgg16",
                                               "googlenet", "shufflenet_v2", "inception_v4", "mnasnet_1.3", "densenet121", "efficientnet_b0"};

/* Phones made up from the Snapdragon 855's profile: every coefficient up to twice or half of that, serial parts up to 0.25 more or less, 3 % noise, one row in 20
 * slow by 30 or 80 %. On the way to the first several coefficients come to the ends of their ranges. The second has a corner where slopes lead nowhere. */
static const struct phone {
  const char *precision;
  double ms[NETWORKS][CORE_SETS];
} phones[] = {
  {"int8",
   {{14.97, 17.04, 6.8873, 4.9112},
    {15.894, 13.421, 6.1424, 4.7567},
    {31.844, 28.985, 15.217, 11.7},
    {44.892, 52.859, 23.709, 16.771},
    {90.217, 110, 45.873, 35.061},
    {430.33, 496.64, 345.03, 150.84},
    {37.238, 45.449, 19.675, 14.827},
    {9.641, 11.364, 7.3999, 5.8489},
    {216.92, 268.14, 111.23, 79.14},
    {21.264, 24.733, 11.328, 8.79},
    {110.13, 137.51, 77.559, 63.925},
    {33.046, 35.158, 25.39, 21.483}}},
  {"fp32",
   {{37.153, 42.052, 19.219, 16.011},
    {26.501, 31.911, 16.47, 13.561},
    {59.063, 76.544, 38.973, 32.974},
    {113.1, 136.25, 70.36, 55.14},
    {229.77, 277.67, 124.73, 101.66},
    {807.92, 997.66, 489.93, 681.65},
    {140.79, 131.35, 145.85, 63.667},
    {14.711, 21.068, 9.9414, 10.335},
    {856.55, 1049.1, 523.63, 422.18},
    {42.322, 49.738, 31.263, 18.671},
    {210.06, 237.05, 141.56, 119.38},
    {47.936, 53.666, 37.844, 31.278}}},
};
static const char *const cores[CORE_SETS] = {"big:1", "mid:1", "mid:3", "mid:3+big:1"};

/* A fit to the phone, and what it ended with: all of its coefficients are free. */
struct sought {
  struct desk desk;
  struct hs_robust q;
  double residual[ROWS], weight[ROWS + HS_COEFFICIENTS_MAX], spread[2], loss;
};

static void add_phone(struct desk *d, const struct phone *p)
{
  struct hs_text t = {0};
  hs_text_add(&t, "model,processor,precision,cores,latency_ms\n");
  for (int i = 0; i < NETWORKS; i++)
    for (int k = 0; k < CORE_SETS; k++) hs_text_addf(&t, "%s,cpu,%s,%s,%g\n", networks[i], p->precision, cores[k], p->ms[i][k]);
  add_rows(d, t.s, false);
  hs_text_free(&t);
}

static double loss_of(struct sought *s)
{
  hs_robust_measure(&s->q);
  return s->q.n * hs_robust_badness(&s->q, s->spread);
}

static void seek(struct sought *s, const struct phone *p)
{
  sit_down(&s->desk, "sd855", "tflite");
  add_phone(&s->desk, p);
  struct hs_fit *f = fit(&s->desk, 0);
  s->q = (struct hs_robust){.fit = f, .n = f->n_used, .p = f->n_coefficients, .residual = s->residual, .weight = s->weight};
  ck_assert_int_eq(s->q.n, ROWS);
  for (int i = 0; i < s->q.p; i++) s->q.free[i] = i;
  hs_robust_measure(&s->q);
  hs_robust_spreads(&s->q, s->spread);
  s->loss = loss_of(s);
}

/* Sought again from where it ended, it stays there, and so does how far rows scatter. */
START_TEST(ends_where_it_would_stay)
{
  struct sought s;
  double again[2];
  seek(&s, &phones[0]);
  ck_assert_msg(s.q.fit->dof > 5 && s.q.fit->dof < s.q.p, "%g coefficients determined", s.q.fit->dof);
  hs_robust_fit(&s.q, HS_ROBUST_EXACTLY);
  ck_assert_double_lt(s.loss - loss_of(&s), 0.02);
  hs_robust_spreads(&s.q, again);
  ck_assert_double_eq_tol(again[1] / s.spread[1], 1, 0.01);
  stand_up(&s.desk);
}
END_TEST

/* No coefficient by itself is better a third of its width off, on either side. */
START_TEST(nothing_near_is_better)
{
  struct sought s;
  seek(&s, &phones[_i]);
  for (int i = 0; i < s.q.p; i++)
    for (int side = -1; side <= 1; side += 2) {
      struct hs_coefficient *c = &s.q.fit->coefficients[i];
      double at = *c->target;
      *c->target = hs_coefficient_from_x(c, hs_coefficient_to_x(c, at) + side / 3.0);
      ck_assert_msg(loss_of(&s) > s.loss - 0.02, "%s: %g instead of %g with %g instead of %g", c->name, loss_of(&s), s.loss, *c->target, at);
      *c->target = at;
    }
  stand_up(&s.desk);
}
END_TEST

/* Operators of AlexNet on a GPU that is made up likewise. Poolings and layers wait for 1.534 times the bytes: no slope leads there from where poolings are
 * computed. */
START_TEST(bandwidth_or_arithmetic)
{
  static const double ms[] = {1.0426, 0.025081, 3.717, 0.017504, 1.4639, 2.0131, 1.3754, 0.0056929, 2.9856, 1.3631, 0.57127, 0.0030532};
  enum { OPERATORS = sizeof ms / sizeof *ms };
  struct desk d;
  struct hs_error err;
  struct hs_bench *bench;
  const struct hs_graph *g;
  sit_down(&d, "sd855", "tflite");
  hs_test_accepted(hs_measurements_bench(&d.m, "m.csv", 0, hs_soc_find(d.soc, "gpu"), -1, -1, 0, "", &bench, &err), &err);
  hs_test_accepted(hs_measurements_network(&d.m, "m.csv", 0, "alexnet", &g, &err), &err);
  ck_assert_int_eq(g->n_ops, OPERATORS);
  for (int i = 0; i < OPERATORS; i++) {
    struct hs_measurement row = {.file = "m.csv", .bench = bench, .graph = g, .op = i, .latency_s = 1e-3 * ms[i],
                                 .network = g->name, .index = "", .operator = ""};
    row.text = hs_arena_printf(&d.m.arena, "%d", i);
    hs_test_accepted(hs_measurements_add(&d.m, &row, &err), &err);
  }
  const struct hs_fit *f = fit(&d, 0);
  const struct hs_coefficient *traffic = find(f, "traffic_factor"), *pool = find(f, "efficiency pool");
  ck_assert_int_eq(traffic->state, HS_FITTED);
  ck_assert_msg(fabs(traffic->value - 1.534) < 2 * traffic->error && traffic->error < 0.1, "%g +- %g", traffic->value, traffic->error);
  ck_assert_msg(fabs(pool->value - 0.03054) < 2 * pool->error, "%g +- %g", pool->value, pool->error);
  stand_up(&d);
}
END_TEST

static void fill(TCase *t)
{
  tcase_add_test(t, ends_where_it_would_stay);
  tcase_add_loop_test(t, nothing_near_is_better, 0, 2);
  tcase_add_test(t, bandwidth_or_arithmetic);
}

int main(void) { return hs_test_main("fit_search", fill); }
