/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fitting a CPU whose clusters are of two types: what the slower cores take more, kind of work by kind of work. Snapdragon 888 (three Cortex-A78 and a
 * Cortex-X1), and the 855, whose four performance cores are of one type. */
#include "tests/model/desk.h"

#include "calibrate/coefficients.h"

static const char *const coefficients[HS_CORE_WORK_N] = {"products on Cortex-A78", "vectors on Cortex-A78", "others on Cortex-A78"};

/* Networks with much of each kind of work, on some core sets. */
static void add_on(struct desk *d, const char *const *cores)
{
  static const char *const names[] = {"squeezenet", "mobilenet_v1", "mobilenet_v2_1.0", "mobilenet_v1_0.25_tf2cv", "mnasnet_0.5", "resnet18", "resnet50",
                                      "vgg16", "regnetx_1.6gf", "shufflenet_v2", "inception_v4", "posenet"};
  struct hs_text t = {0};
  hs_text_add(&t, "model,processor,precision,cores,latency_ms\n");
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    for (int k = 0; cores[k]; k++) hs_text_addf(&t, "%s,cpu,fp32,%s,1\n", names[i], cores[k]);
  add_rows(d, t.s, false);
  hs_text_free(&t);
}

static void mount(struct desk *d, const struct hs_kernel *k)
{
  for (int i = 0; i < d->m.n_benches; i++) hs_backend_take_kernel(&d->m.benches[i]->sys.backends[0], &d->soc->processors[0], k);
}

/* What the rows take under `truth`, whose types of core the profile before hasn't. */
static void plant(struct desk *d, const struct hs_kernel *truth, double noise)
{
  const struct hs_kernel *before = d->m.rows[0].bench->sys.backends[0].kernel;
  mount(d, truth);
  pretend(d, truth, noise);
  mount(d, before);
}

static bool looks_for(const struct hs_fit *f, const char *name)
{
  for (int i = 0; i < f->n_coefficients; i++)
    if (strcmp(f->coefficients[i].name, name) == 0) return true;
  return false;
}

static const char *const each_alone[] = {"big:1", "mid:1", "mid:3", "mid:3+big:1", NULL};

/* Planted factors are found, beside a rate and an overhead that changed, too; and what is written has them, with their source. */
START_TEST(planted)
{
  const double planted[HS_CORE_WORK_N] = {1.9, 1.2, 1.5};
  struct desk d;
  sit_down(&d, "sd888", "tflite");
  add_on(&d, each_alone);
  struct hs_kernel truth = *d.m.rows[0].bench->sys.backends[0].kernel;
  truth.core_factors[0] = (struct hs_core_factors){"Cortex-A78", {planted[0], planted[1], planted[2]}};
  truth.overhead_cycles *= 2;
  for (int c = 0; c < HS_CLASS_N; c++) truth.efficiency[c] *= 0.8;
  plant(&d, &truth, 0.01);
  struct hs_fit *f = fit(&d, 0);
  for (int w = 0; w < HS_CORE_WORK_N; w++) {
    const struct hs_coefficient *c = find(f, coefficients[w]);
    ck_assert_double_eq(c->before, 1);
    ck_assert_msg(c->state == HS_FITTED && fabs(c->value - planted[w]) < 3 * c->error && c->error < 0.2 * c->value, "%s: %g +- %g of %g", c->name, c->value,
                  c->error, planted[w]);
  }
  ck_assert_double_lt(f->after[0][HS_ROWS_ALL].mape_frac, 0.012);
  const struct hs_kernel *again = &write_and_read(&d)->kernels[0];
  ck_assert_str_eq(again->core_factors[0].type, "Cortex-A78");
  ck_assert_mem_eq(again->core_factors[0].times, f->kernel.core_factors[0].times, sizeof again->core_factors[0].times);
  ck_assert_ptr_null(again->core_factors[1].type);
  ck_assert_ptr_nonnull(strstr(d.written.s, "\"core_factors\": \"cpu-fp32-01234567\""));
  stand_up(&d);
}
END_TEST

/* From a profile that has them, the search begins there. */
START_TEST(from_before)
{
  struct desk d;
  sit_down(&d, "sd888", "tflite");
  add_on(&d, each_alone);
  struct hs_kernel before = *d.m.rows[0].bench->sys.backends[0].kernel, truth;
  before.core_factors[0] = (struct hs_core_factors){"A78", {3, 1, 1}};
  truth = before;
  truth.core_factors[0].times[HS_WORK_PRODUCTS] = 2;
  mount(&d, &before);
  plant(&d, &truth, 0);
  struct hs_fit *f = fit(&d, 0);
  ck_assert_double_eq(find(f, "products on A78")->before, 3);
  ck_assert_double_eq_tol(find(f, "products on A78")->value, 2, 0.05);
  stand_up(&d);
}
END_TEST

/* Nothing is looked for where one type has no rows alone, or both clusters are one type. */
START_TEST(nothing_to_tell)
{
  static const char *const without_big[] = {"mid:1", "mid:3", "mid:3+big:1", NULL}, *const without_mid[] = {"big:1", "mid:1+big:1", "mid:3+big:1", NULL};
  static const struct {
    const char *soc, *const *cores;
  } cases[] = {{"sd888", without_big}, {"sd888", without_mid}, {"sd855", each_alone}};
  struct desk d;
  struct hs_error err;
  sit_down(&d, cases[_i].soc, "tflite");
  add_on(&d, cases[_i].cores);
  struct hs_kernel truth = *d.m.rows[0].bench->sys.backends[0].kernel;
  truth.overhead_cycles *= 1.1;
  plant(&d, &truth, 0);
  hs_test_accepted(fit_only(&d.m, 0, "overhead_cycles", &d.fit, &err), &err);
  ck_assert_uint_eq(d.fit.core_types, 0);
  ck_assert_ptr_null(d.fit.kernel.core_factors[0].type);
  ck_assert_int_eq(d.fit.n_coefficients, 1);
  stand_up(&d);
}
END_TEST

/* By name, alone: what else is told apart stays 1, and isn't written. */
START_TEST(only_products)
{
  struct desk d;
  struct hs_error err;
  sit_down(&d, "sd888", "tflite");
  add_on(&d, each_alone);
  struct hs_kernel truth = *d.m.rows[0].bench->sys.backends[0].kernel;
  truth.core_factors[0] = (struct hs_core_factors){"Cortex-A78", {1.4, 1, 1}};
  plant(&d, &truth, 0);
  hs_test_accepted(fit_only(&d.m, 0, coefficients[HS_WORK_PRODUCTS], &d.fit, &err), &err);
  ck_assert(!looks_for(&d.fit, coefficients[HS_WORK_OTHERS]));
  ck_assert_double_eq_tol(d.fit.kernel.core_factors[0].times[HS_WORK_PRODUCTS], 1.4, 0.001);
  write_and_read(&d);
  ck_assert_ptr_nonnull(strstr(d.written.s, "\"core_factors\": {\"Cortex-A78\": {\"products\": 1.4}}"));
  stand_up(&d);
}
END_TEST

static void fill(TCase *t)
{
  tcase_add_test(t, planted);
  tcase_add_test(t, from_before);
  tcase_add_loop_test(t, nothing_to_tell, 0, 3);
  tcase_add_test(t, only_products);
}

int main(void) { return hs_test_main("fit_core_types", fill); }
