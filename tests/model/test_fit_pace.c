/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fitting a phone that is much slower or faster than the one before, throughout. */
#include "tests/model/desk.h"

#include "calibrate/coefficients.h"
#include "input/kernel_numbers.h"
#include "model/cost.h"

static const struct {
  const char *soc, *runtime;
} kernels[] = {{"sd855", "mace"}, {"kirin990", "mace"}, {"sd855", "tflite"}, {"sd855", "pytorch"}, {"sd855", "paddle-lite"},
               {"kirin990", "bolt"}, {"kirin970", "ncnn"}, {"sd888", "tflite-xnnpack"}};

/* Where the memory is no limit. */
static void open_the_memory(struct hs_soc *soc)
{
  soc->memory.peak_bytes_per_s = 1e30;
  for (int p = 0; p < soc->n_processors; p++) {
    soc->processors[p].bandwidth_bytes_per_s = 1e30;
    for (int d = 0; d < soc->processors[p].n_domains; d++) soc->processors[p].domains[d].bandwidth_per_core_bytes_per_s = 1e30;
  }
}

/* Every operator of a network that runs on a processor, in its every precision, takes `times` as long with the slowed kernel. */
static int compare_operators(const struct desk *d, const struct hs_graph *g, int p, enum hs_precision precision, double times)
{
  const struct hs_system_files files = {d->own, d->estimate, hs_catalog_table, (void *)&d->catalog};
  const struct hs_settings settings = {.runtime = d->m.runtime, .precision = (int)precision, .memory_type = -1};
  struct hs_system sys;
  struct hs_error err;
  int n = 0;
  hs_test_accepted(hs_system_make(&sys, d->soc, &settings, &files, &err), &err);
  struct hs_backend *b = &sys.backends[p];
  if (!b->available || b->precision != precision) return 0;
  const struct hs_kernel *before = b->kernel;
  struct hs_kernel slow = *before;
  hs_kernel_slow_down(&slow, times);
  for (int i = 0; i < g->n_ops; i++) {
    if (!hs_system_supports(&sys, g, &g->ops[i], p, NULL, 0)) continue;
    double was = hs_cost_seconds(&sys, g, &g->ops[i], p, -1);
    b->kernel = &slow;
    double is = hs_cost_seconds(&sys, g, &g->ops[i], p, -1);
    b->kernel = before;
    ck_assert_msg(fabs(is - times * was) <= 1e-9 * is, "%s on %s %s: %.9g -> %.9g s", g->ops[i].name, d->soc->processors[p].name,
                  hs_precision_names[precision], was, is);
    n++;
  }
  return n;
}

START_TEST(all_is_slower)
{
  static const char *const networks[] = {"mobilenet_v3_large", "ghostnet", "inception_v3", "deit_tiny_224", "fst"};
  struct desk d;
  struct hs_error err;
  int n = 0;
  sit_down(&d, kernels[_i].soc, kernels[_i].runtime);
  open_the_memory(d.soc);
  for (size_t k = 0; k < sizeof networks / sizeof *networks; k++) {
    struct hs_graph *g = NULL;
    hs_test_accepted(hs_catalog_workload(&d.catalog, networks[k], &g, &err), &err);
    for (int p = 0; p < d.soc->n_processors; p++)
      for (int precision = 0; precision < HS_PRECISION_N; precision++) n += compare_operators(&d, g, p, (enum hs_precision)precision, 2.385);
    hs_graph_free(g);
  }
  ck_assert_int_gt(n, 400);
  stand_up(&d);
}
END_TEST

/* Networks on a GPU that takes so many times as long. Returns its kernel. */
static struct hs_kernel measure_slower_gpu(struct desk *d, double times, double noise)
{
  sit_down(d, "sd855", "tflite");
  add_networks_on_a_gpu(d);
  struct hs_kernel truth = *hs_profile_find(d->own, &d->soc->processors[hs_soc_find(d->soc, "gpu")], HS_FP16, HS_IMAGE);
  hs_kernel_slow_down(&truth, times);
  pretend(d, &truth, noise);
  return truth;
}

/* Of GPUs with a common factor, and 3 % noise, twelve networks tell it, whatever it is, and six that weren't measured are met. Within what one phone is from
 * another nothing is made of it. */
START_TEST(another_gpu)
{
  static const double times[] = {1.4, 2.385, 5, 10, 0.5};
  struct desk d;
  const struct hs_kernel truth = measure_slower_gpu(&d, times[_i], 0.03);
  for (int i = 0; i < d.m.n; i++) d.m.rows[i].kept_out = i % 3 == 2;
  const struct hs_fit *f = fit(&d, 0);
  if (_i == 0)
    ck_assert_double_eq(f->pace, 1);
  else
    ck_assert_double_eq_tol(f->pace / times[_i], 1, 0.15); /* the memory is as it was */
  ck_assert_double_gt(f->before[1][HS_ROWS_ALL].mape_frac, 0.2);
  ck_assert_msg(f->after[1][HS_ROWS_ALL].mape_frac < 0.07, "%g times: %g", times[_i], f->after[1][HS_ROWS_ALL].mape_frac);
  for (int i = 0; i < f->n_coefficients; i++) {
    const struct hs_coefficient *c = &f->coefficients[i];
    double sure = c->state == HS_FIT_UNDETERMINED ? c->width : c->error / c->value;
    if (c->as_log && c->target != &f->others)
      ck_assert_msg(fabs(log(c->value / true_value(&truth, f, i))) < 2.5 * sure + 0.05, "%s: %g of %g", c->name, c->value, true_value(&truth, f, i));
  }
  ck_assert_double_eq(write_and_read(&d)->kernels[0].efficiency[HS_CLASS_TRANSPOSED], f->kernel.efficiency[HS_CLASS_TRANSPOSED]); /* which no row shows */
  ck_assert_double_eq_tol(f->kernel.efficiency[HS_CLASS_TRANSPOSED] * f->pace / f->base->efficiency[HS_CLASS_TRANSPOSED], 1, 0.2);
  stand_up(&d);
}
END_TEST

/* A phone that is half as fast throughout, its CPU too, of which there is no row: a network that mostly falls back to that says little of
 * the GPU, and is named. */
START_TEST(mostly_elsewhere)
{
  struct desk d;
  sit_down(&d, "sd855", "tflite");
  add_networks_on_a_gpu(&d);
  add_rows(&d, "model,processor,latency_s\nshufflenet_v2,gpu,1\n", false);
  int last = d.m.n - 1;
  const struct hs_kernel *cpu = d.m.rows[last].bench->sys.backends[0].kernel;
  struct hs_kernel slow = *cpu, truth = *hs_profile_find(d.own, &d.soc->processors[hs_soc_find(d.soc, "gpu")], HS_FP16, HS_IMAGE);
  hs_kernel_slow_down(&slow, 2);
  hs_kernel_slow_down(&truth, 2);
  for (int i = 0; i < d.m.n_benches; i++) d.m.benches[i]->sys.backends[0].kernel = &slow;
  pretend(&d, &truth, 0.03);
  for (int i = 0; i < d.m.n_benches; i++) d.m.benches[i]->sys.backends[0].kernel = cpu;
  for (int i = 0; i < last; i++) d.m.rows[i].kept_out = i % 3 == 2;
  const struct hs_fit *f = fit(&d, 0);
  ck_assert_double_gt(d.m.rows[last].elsewhere_frac, 0.6);
  ck_assert_double_lt(d.m.rows[0].elsewhere_frac, 0.05);
  ck_assert_double_eq_tol(f->pace, 2, 0.2);
  ck_assert_double_lt(f->after[1][HS_ROWS_ALL].mape_frac, 0.07);
  ck_assert_double_lt(f->kernel.start_cycles, 3 * truth.start_cycles);
  ck_assert_double_gt(hs_measurement_model_s(&d.m.rows[last]) / d.m.rows[last].latency_s, 0.4); /* it stays as far off as its CPU */
  ck_assert_double_lt(hs_measurement_model_s(&d.m.rows[last]) / d.m.rows[last].latency_s, 0.8);
  stand_up(&d);
}
END_TEST

/* With rows of the CPU, which is as it was, the GPU's pace is that of what runs there. */
START_TEST(beside_a_fitted_cpu)
{
  static const char *const falls_back[] = {"shufflenet_v2", "shufflenet_v2_0.5", "shufflenet_v2_1.5", "shufflenet_v2_2.0"};
  struct desk d;
  struct hs_error err;
  struct hs_fit gpu;
  struct hs_text t = {0};
  sit_down(&d, "sd855", "tflite");
  add_networks(&d);
  int first = d.m.n;
  hs_text_add(&t, "model,processor,latency_s\nmobilenet_v1,gpu,1\nresnet18,gpu,1\nsqueezenet,gpu,1\nvgg11,gpu,1\nmobilenet_v2_1.0,gpu,1\n");
  for (int i = 0; i < 4; i++) hs_text_addf(&t, "%s,gpu,1\n", falls_back[i]);
  add_rows(&d, t.s, false);
  hs_text_free(&t);
  struct hs_kernel cpu = *d.m.rows[0].bench->sys.backends[0].kernel;
  struct hs_kernel truth = *hs_profile_find(d.own, &d.soc->processors[hs_soc_find(d.soc, "gpu")], HS_FP16, HS_IMAGE);
  hs_kernel_slow_down(&truth, 5);
  for (int i = 0; i < d.m.n; i++) {
    struct hs_backend *b = &d.m.rows[i].bench->sys.backends[d.m.rows[i].bench->processor];
    const struct hs_kernel *before = b->kernel;
    b->kernel = i < first ? &cpu : &truth;
    d.m.rows[i].latency_s = hs_measurement_model_s(&d.m.rows[i]);
    b->kernel = before;
  }
  hs_test_accepted(hs_fit_begin(&d.m, 0, NULL, &d.fit, &err), &err);
  hs_test_accepted(hs_fit_begin(&d.m, first, NULL, &gpu, &err), &err);
  hs_test_accepted(hs_fit_kernel(&d.m, &d.fit, &err), &err);
  hs_test_accepted(hs_fit_kernel(&d.m, &gpu, &err), &err);
  ck_assert_double_eq(d.fit.pace, 1);
  ck_assert_double_eq_tol(gpu.pace / 5, 1, 0.1);
  hs_test_accepted(hs_fit_judge(&gpu, &err), &err);
  ck_assert_double_lt(gpu.after[0][HS_ROWS_ALL].mape_frac, 0.02);
  hs_fit_free(&gpu);
  stand_up(&d);
}
END_TEST

/* Two networks on many core sets are no phone; three tell its pace. And what the pace moves that no row shows has the fit as its source. */
START_TEST(few_networks)
{
  struct desk d;
  sit_down(&d, "sd855", "tflite");
  add_networks(&d);
  struct hs_kernel truth = *d.m.rows[0].bench->sys.backends[0].kernel;
  hs_kernel_slow_down(&truth, 3);
  pretend(&d, &truth, 0.01);
  for (int n = 2; n <= 3; n++) {
    for (int i = 0; i < d.m.n; i++) d.m.rows[i].kept_out = i >= 5 * n; /* of each there are five */
    ck_assert_double_eq_tol(fit(&d, 0)->pace, n == 2 ? 1 : 3, 0.3);
    hs_fit_free(&d.fit);
    for (int i = 0; i < d.m.n_benches; i++) d.m.benches[i]->sys.backends[0].kernel = hs_profile_find(d.own, &d.soc->processors[0], HS_FP32, HS_BUFFER);
  }
  for (int i = 0; i < d.m.n; i++) d.m.rows[i].kept_out = false;
  const struct hs_fit *f = fit(&d, 0);
  ck_assert_double_eq_tol(f->pace / 3, 1, 0.1);
  write_and_read(&d);
  ck_assert_double_eq_tol(f->kernel.operator_cycles[HS_OP_GELU] / f->base->operator_cycles[HS_OP_GELU], f->pace, 0.01 * f->pace);
  ck_assert_ptr_nonnull(strstr(d.written.s, "\"operator_cycles\": \"cpu-fp32-01234567\""));
  ck_assert_ptr_nonnull(strstr(d.written.s, "\"efficiency\": \"cpu-fp32-01234567\"")); /* moved by the pace, too */
  for (int c = 0; c < HS_CLASS_N; c++) ck_assert_double_eq(f->kernel.efficiency[c], hs_fit_rounded(f->kernel.efficiency[c]));
  stand_up(&d);
}
END_TEST

/* So slow is no phone, but another unit. */
START_TEST(no_phone)
{
  struct desk d;
  struct hs_error err;
  measure_slower_gpu(&d, 40, 0.03);
  hs_test_accepted(hs_fit_begin(&d.m, 0, NULL, &d.fit, &err), &err);
  hs_test_accepted(hs_fit_kernel(&d.m, &d.fit, &err), &err);
  ck_assert_double_eq(d.fit.pace, 1);
  stand_up(&d);
}
END_TEST

/* What alone is looked for takes no other with it. */
START_TEST(only_one)
{
  struct desk d;
  struct hs_error err;
  measure_slower_gpu(&d, 2.385, 0);
  hs_test_accepted(fit_only(&d.m, 0, "efficiency conv_3x3", &d.fit, &err), &err);
  ck_assert_double_eq(d.fit.pace, 1);
  ck_assert_double_eq(d.fit.kernel.efficiency[HS_CLASS_DEPTHWISE], d.fit.base->efficiency[HS_CLASS_DEPTHWISE]);
  stand_up(&d);
}
END_TEST

static void fill(TCase *t)
{
  tcase_add_loop_test(t, all_is_slower, 0, sizeof kernels / sizeof *kernels);
  tcase_add_loop_test(t, another_gpu, 0, 5);
  tcase_add_test(t, mostly_elsewhere);
  tcase_add_test(t, beside_a_fitted_cpu);
  tcase_add_test(t, few_networks);
  tcase_add_test(t, no_phone);
  tcase_add_test(t, only_one);
}

int main(void) { return hs_test_main("fit_pace", fill); }
