/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Does a fit end where its rows and what was before are most likely, also with coefficients at the ends of their ranges? */
#include "tests/model/desk.h"

#include "calibrate/robust.h"

/* A phone in int8 on four core sets, made up from the Snapdragon 855's profile: every coefficient up to twice or half of that, serial parts up to 0.25 more or
 * less, 3 % noise, one row in 20 slow by 30 or 80 %. On the way several coefficients come to the ends of their ranges. */
static const struct {
  const char *network;
  double ms[4];
} rows[] = {
  {"mobilenet_v1", {14.97, 17.04, 6.8873, 4.9112}},
  {"mobilenet_v2_1.0", {15.894, 13.421, 6.1424, 4.7567}},
  {"squeezenet", {31.844, 28.985, 15.217, 11.7}},
  {"resnet18", {44.892, 52.859, 23.709, 16.771}},
  {"resnet50", {90.217, 110, 45.873, 35.061}},
  {"vgg16", {430.33, 496.64, 345.03, 150.84}},
  {"googlenet", {37.238, 45.449, 19.675, 14.827}},
  {"shufflenet_v2", {9.641, 11.364, 7.3999, 5.8489}},
  {"inception_v4", {216.92, 268.14, 111.23, 79.14}},
  {"mnasnet_1.3", {21.264, 24.733, 11.328, 8.79}},
  {"densenet121", {110.13, 137.51, 77.559, 63.925}},
  {"efficientnet_b0", {33.046, 35.158, 25.39, 21.483}},
};
static const char *const cores[] = {"big:1", "mid:1", "mid:3", "mid:3+big:1"};
enum { ROWS = sizeof rows / sizeof *rows * 4 };

static void add_phone(struct desk *d)
{
  struct hs_text t = {0};
  hs_text_add(&t, "model,processor,precision,cores,latency_ms\n");
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    for (int k = 0; k < 4; k++) hs_text_addf(&t, "%s,cpu,int8,%s,%g\n", rows[i].network, cores[k], rows[i].ms[k]);
  add_rows(d, t.s, false);
  hs_text_free(&t);
}

/* Sought again from where it ended, it stays there, and so does how far rows scatter. */
START_TEST(ends_where_it_would_stay)
{
  struct desk d;
  double residual[ROWS], weight[ROWS + HS_COEFFICIENTS_MAX], spread[2], again[2];
  sit_down(&d, "sd855", "tflite");
  add_phone(&d);
  struct hs_fit *f = fit(&d, 0);
  struct hs_robust q = {.fit = f, .n = f->n_used, .p = f->n_coefficients, .residual = residual, .weight = weight};
  ck_assert_int_eq(q.n, ROWS);
  ck_assert_msg(f->dof > 5 && f->dof < f->n_coefficients, "%g coefficients determined", f->dof);
  for (int i = 0; i < q.p; i++) q.free[i] = i;
  hs_robust_measure(&q);
  hs_robust_spreads(&q, spread);
  double loss = q.n * hs_robust_badness(&q, spread);
  hs_robust_fit(&q, HS_ROBUST_EXACTLY);
  ck_assert_double_lt(loss - q.n * hs_robust_badness(&q, spread), 0.02);
  hs_robust_spreads(&q, again);
  ck_assert_double_eq_tol(again[1] / spread[1], 1, 0.01);
  stand_up(&d);
}
END_TEST

static void fill(TCase *t) { tcase_add_test(t, ends_where_it_would_stay); }

int main(void) { return hs_test_main("fit_search", fill); }
