/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fitting the curve of a kernel's rates over sizes (saturation), and where waves are counted instead, how long rounds of them take. */
#include "tests/model/desk.h"

#include "calibrate/coefficients.h"
#include "model/products.h"

/* A curve that wasn't there begins where its rows do: below, a line through them would come down to nothing. */
START_TEST(a_new_curve_begins)
{
  struct desk d;
  sit_down(&d, "kirin970", "tflite");
  add_grid(&d);
  struct hs_kernel truth = known(&d), before = *d.m.rows[0].bench->sys.backends[d.m.rows[0].bench->processor].kernel;
  before.n_knots = 0;
  for (int i = 0; i < d.m.n_benches; i++) d.m.benches[i]->sys.backends[d.m.benches[i]->processor].kernel = &before;
  truth.n_knots = 3;
  for (int i = 0; i < 3; i++) truth.knot_ln[i] = 8 + 2 * i, truth.knot_frac[i] = 0.2 + 0.4 * i;
  pretend(&d, &truth, 0);
  const struct hs_fit *f = fit(&d, 0);
  ck_assert_int_gt(f->kernel.n_knots, 3);
  ck_assert_double_ge(exp(f->kernel.knot_ln[0]), 0.999 * f->size_low);
  ck_assert(isfinite(f->size_high)); /* where waves are counted there is no size */
  ck_assert_double_le(exp(f->kernel.knot_ln[f->kernel.n_knots - 1]), f->size_high);
  ck_assert_double_eq(f->kernel.knot_frac[f->kernel.n_knots - 1], 1);
  ck_assert_double_lt(f->after[0][HS_ROWS_ALL].mape_frac, 0.02);
  stand_up(&d);
}
END_TEST

/* One that was there keeps its knots: where the phone is the one before, so is the profile; where its small operators are slower, those below all rows are, too,
 * by as much as the lowest with rows, and those above stay. */
START_TEST(a_curve_keeps_its_knots)
{
  static const int few[] = {28, 56, 112};
  for (int slower = 0; slower < 2; slower++) {
    struct desk d;
    struct hs_text t = {0};
    sit_down(&d, "kirin970", "tflite");
    hs_text_add(&t, "processor,op,h,cin,cout,kernel,latency_s\n");
    for (int s = 0; s < 3; s++)
      for (int i = 0; i < 24; i++) hs_text_addf(&t, "gpu,Conv,%d,%d,%d,%d,1\n", few[s], 8 << i % 4, 8 << i / 4 % 3, i < 12 ? 1 : 3);
    add_rows(&d, t.s, false);
    const struct hs_kernel *before = d.m.rows[0].bench->sys.backends[d.m.rows[0].bench->processor].kernel;
    struct hs_kernel truth = *before;
    for (int i = 0; i < truth.n_knots && slower; i++)
      if (truth.knot_ln[i] <= 9) truth.knot_frac[i] *= 0.5;
    pretend(&d, &truth, 0);
    const struct hs_fit *f = fit(&d, 0);
    ck_assert_int_eq(f->kernel.n_knots, before->n_knots);
    ck_assert_mem_eq(f->kernel.knot_ln, before->knot_ln, (size_t)before->n_knots * sizeof *before->knot_ln);
    for (int i = 0; i < truth.n_knots; i++)
      ck_assert_msg(fabs(f->kernel.knot_frac[i] / truth.knot_frac[i] - 1) < 4e-3, "%d: ln %g: %g, not %g", slower, truth.knot_ln[i], f->kernel.knot_frac[i],
                    truth.knot_frac[i]);
    ck_assert_double_lt(f->after[0][HS_ROWS_ALL].mape_frac, 1e-3);
    hs_text_free(&t);
    stand_up(&d);
  }
}
END_TEST

/* A coarse curve is as it was, and gets what it lacks: a step in between its knots, and another slope below them. */
START_TEST(a_coarse_curve_is_refined)
{
  static const double ln[] = {8, 10, 12}, frac[] = {0.1, 0.5, 1}, finer_ln[] = {6, 8, 9, 10, 12}, finer[] = {0.02, 0.1, 0.4, 0.5, 1};
  for (int other = 0; other < 2; other++) {
    struct desk d;
    sit_down(&d, "kirin970", "tflite");
    add_grid(&d);
    struct hs_kernel before = *d.m.rows[0].bench->sys.backends[d.m.rows[0].bench->processor].kernel;
    before.n_knots = 3;
    for (int i = 0; i < 3; i++) before.knot_ln[i] = ln[i], before.knot_frac[i] = frac[i];
    for (int i = 0; i < d.m.n_benches; i++) d.m.benches[i]->sys.backends[d.m.benches[i]->processor].kernel = &before;
    struct hs_kernel truth = before;
    if (other) truth.n_knots = 5;
    for (int i = 0; i < 5 && other; i++) truth.knot_ln[i] = finer_ln[i], truth.knot_frac[i] = finer[i];
    pretend(&d, &truth, 0);
    const struct hs_fit *f = fit(&d, 0);
    for (double at = 7; at < 13; at += 0.25)
      ck_assert_msg(fabs(hs_products_saturation(&f->kernel, at) / hs_products_saturation(&truth, at) - 1) < (other ? 0.02 : 1e-3), "%d: at ln %g %g, not %g",
                    other, at, hs_products_saturation(&f->kernel, at), hs_products_saturation(&truth, at));
    ck_assert_double_lt(f->after[0][HS_ROWS_ALL].mape_frac, other ? 0.02 : 1e-3);
    hs_fit_free(&d.fit);
    struct hs_error err; /* and without a knot it stays coarse */
    for (int i = 0; i < d.m.n_benches; i++) d.m.benches[i]->sys.backends[d.m.benches[i]->processor].kernel = &before;
    hs_test_accepted(fit_only(&d.m, 0, "overhead_cycles", &d.fit, &err), &err);
    d.fit.kernel.overhead_cycles = before.overhead_cycles;
    ck_assert_mem_eq(&d.fit.kernel, &before, sizeof before);
    stand_up(&d);
  }
}
END_TEST

/* Of a curve one knot: all else stays, the other knots, too. */
START_TEST(only_a_knot)
{
  struct desk d;
  struct hs_error err;
  sit_down(&d, "sd855", "tflite");
  add_grid(&d);
  const struct hs_kernel truth = known(&d);
  pretend(&d, &truth, 0.1);
  hs_test_accepted(fit_only(&d.m, 0, "saturation at ln 9", &d.fit, &err), &err);
  const struct hs_kernel *k = &d.fit.kernel;
  int at = 0;
  while (at < k->n_knots && k->knot_ln[at] < 9) at++;
  ck_assert_int_eq(d.fit.n_coefficients, 1);
  ck_assert_ptr_eq(d.fit.coefficients[0].target, &k->knot_frac[at]);
  ck_assert_double_ne(k->knot_frac[at], d.fit.base->knot_frac[at]);
  d.fit.kernel.knot_frac[at] = d.fit.base->knot_frac[at];
  ck_assert_mem_eq(&d.fit.kernel, d.fit.base, sizeof *k);
  stand_up(&d);
}
END_TEST

/* Rounds are looked for from as many operators on as a curve. Networks don't tell them. */
START_TEST(rounds_from_operators)
{
  static const struct {
    int operators, networks;
    bool looks;
  } cases[] = {{29, 9, false}, {30, 0, true}};
  struct desk d;
  struct hs_text t = {0};
  sit_down(&d, "sd855", "tflite");
  hs_text_add(&t, "model,processor,op,h,cin,cout,kernel,latency_s\n");
  for (int i = 0; i < cases[_i].operators; i++) hs_text_addf(&t, ",gpu,Conv,%d,%d,64,%d,1\n", 7 << i % 4, 64 + 16 * i, i % 2 ? 1 : 3);
  for (int i = 0; i < cases[_i].networks; i++) hs_text_addf(&t, "resnet%d,gpu,,,,,,1\n", (int[]){10, 12, 14, 16, 18, 26, 34, 50, 101}[i]);
  add_rows(&d, t.s, false);
  struct hs_kernel truth = *d.m.rows[0].bench->sys.backends[d.m.rows[0].bench->processor].kernel;
  truth.launch.wait[1] *= 1.3;
  pretend(&d, &truth, 0);
  const struct hs_fit *f = fit(&d, 0);
  ck_assert_int_eq(f->n_by_waves, cases[_i].operators);
  double *const rounds[] = {&d.fit.kernel.launch.wait[0], &d.fit.kernel.launch.wait[1], &d.fit.kernel.launch.fill[0], &d.fit.kernel.launch.fill[1],
                            &d.fit.kernel.launch.small_wait};
  for (int i = 0; i < 5; i++) ck_assert_int_eq(hs_fit_looks_for(f, rounds[i]), cases[_i].looks);
  if (cases[_i].looks) ck_assert_double_lt(fabs(find(f, "wait")->value - truth.launch.wait[1]), 1.96 * find(f, "wait")->error);
  if (cases[_i].looks) ck_assert_double_gt(find(f, "wait")->value, 1.1 * f->base->launch.wait[1]);
  hs_text_free(&t);
  stand_up(&d);
}
END_TEST

static void fill(TCase *t)
{
  tcase_add_test(t, a_new_curve_begins);
  tcase_add_test(t, a_curve_keeps_its_knots);
  tcase_add_test(t, a_coarse_curve_is_refined);
  tcase_add_test(t, only_a_knot);
  tcase_add_loop_test(t, rounds_from_operators, 0, 2);
}

int main(void) { return hs_test_main("fit_curve", fill); }
