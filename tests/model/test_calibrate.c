/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Calibration: rows made with known coefficients give them back, errors of kept-out rows are what they were made to be, bad files
 * are refused with file and line, and what is written is a profile. */
#include "tests/unit/suite.h"

#include <math.h>
#include <unistd.h>

#include "base/random.h"
#include "calibrate/write_profile.h"
#include "plan/estimate.h"
#include "plan/lower.h"
#include "policies/single.h"
#include "program/calibrate_report.h"

struct desk {
  struct hs_catalog catalog;
  struct hs_soc *soc;
  struct hs_profile *own, *estimate;
  struct hs_measurements m;
  struct hs_fit fit;
  struct hs_text written; /* the profile that it becomes, */
  struct hs_profile *again; /* and that as it is read */
};

static void sit_down(struct desk *d, const char *soc, const char *runtime)
{
  struct hs_error err;
  *d = (struct desk){0};
  hs_test_accepted(hs_catalog_open(&d->catalog, &err), &err);
  hs_test_accepted(hs_catalog_soc(&d->catalog, soc, &d->soc, &err), &err);
  hs_test_accepted(hs_catalog_profile(&d->catalog, soc, runtime, &d->own, &err), &err);
  hs_test_accepted(hs_catalog_profile(&d->catalog, "any", runtime, &d->estimate, &err), &err);
  d->m = (struct hs_measurements){.catalog = &d->catalog, .soc = d->soc, .runtime = hs_runtime_find(runtime), .own = d->own, .estimate = d->estimate,
                                  .precision = -1, .memory_type = -1};
}

static void stand_up(struct desk *d)
{
  hs_profile_free(d->again);
  hs_text_free(&d->written);
  hs_fit_free(&d->fit);
  hs_measurements_free(&d->m);
  hs_profile_free(d->own);
  hs_profile_free(d->estimate);
  hs_soc_free(d->soc);
  hs_catalog_close(&d->catalog);
}

/* Reads text through a file named m.csv in a folder of its own. */
static enum hs_status read_text(struct desk *d, const char *text, const char *model, bool kept_out, struct hs_error *err)
{
  char folder[] = "calibrate-XXXXXX", path[40];
  struct hs_text t = {0};
  ck_assert_ptr_nonnull(mkdtemp(folder));
  snprintf(path, sizeof path, "%s/m.csv", folder);
  hs_text_add(&t, text);
  ck_assert_int_eq(hs_file_write(path, &t, err), HS_OK);
  enum hs_status status = model ? hs_measurements_read_tflite(&d->m, path, model, "cpu", kept_out, err) : hs_measurements_read(&d->m, path, kept_out, err);
  unlink(path);
  rmdir(folder);
  hs_text_free(&t);
  for (int i = 0; i < d->m.n; i++) d->m.rows[i].file = "m.csv";
  const char *slash = strrchr(err->file, '/');
  if (status && slash) memmove(err->file, slash + 1, strlen(slash));
  return status;
}

static void add_rows(struct desk *d, const char *text, bool kept_out)
{
  struct hs_error err;
  hs_test_accepted(read_text(d, text, NULL, kept_out, &err), &err);
}

/* What the rows would take under `truth`, with noise of this standard deviation of ln, of small operators `small` times that. */
static void pretend_noisy(struct desk *d, const struct hs_kernel *truth, double noise, double small, uint64_t seed)
{
  struct hs_random *random = hs_random_new(seed, "calibrate");
  for (int i = 0; i < d->m.n; i++) {
    struct hs_measurement *r = &d->m.rows[i];
    struct hs_backend *b = &r->bench->sys.backends[r->bench->processor];
    const struct hs_kernel *before = b->kernel;
    double normal = 0;
    for (int k = 0; k < 12; k++) normal += hs_random_uniform(random);
    b->kernel = truth;
    double exact = hs_measurement_seconds(r);
    r->latency_s = exact * exp(noise * (exact < 1e-4 ? small : 1) * (normal - 6));
    b->kernel = before;
  }
  hs_random_free(random);
}

static void pretend(struct desk *d, const struct hs_kernel *truth, double noise) { pretend_noisy(d, truth, noise, 1, 7); }

/* A grid of convolutions and some of the rest. */
static void add_grid(struct desk *d)
{
  static const int sizes[] = {7, 14, 28, 56, 112}, channels[] = {16, 48, 96, 256}, kernels[] = {1, 3, 5};
  struct hs_text t = {0};
  hs_text_add(&t, "processor,op,h,cin,cout,kernel,stride,latency_s\n");
  for (int s = 0; s < 5; s++)
    for (int i = 0; i < 4; i++) {
      for (int o = 0; o < 4; o++)
        for (int k = 0; k < 3; k++)
          for (int stride = 1; stride <= 2; stride++)
            hs_text_addf(&t, "gpu,Conv,%d,%d,%d,%d,%d,1\n", sizes[s], channels[i], channels[o], kernels[k], stride);
      hs_text_addf(&t, "gpu,DepthwiseConv,%d,%d,,3,1,1\ngpu,DepthwiseConv,%d,%d,,5,1,1\n", sizes[s], channels[i], sizes[s], channels[i]);
      hs_text_addf(&t, "gpu,GlobalAveragePool,%d,%d,,,,1\ngpu,Add,%d,%d,,,,1\n", sizes[s], channels[i], sizes[s], channels[i]);
    }
  add_rows(d, t.s, false);
  hs_text_free(&t);
}

static struct hs_fit *fit(struct desk *d, int row)
{
  struct hs_error err;
  hs_test_accepted(hs_fit_kernel(&d->m, row, NULL, &d->fit, &err), &err);
  return &d->fit;
}

static const struct hs_coefficient *find(const struct hs_fit *f, const char *name)
{
  for (int i = 0; i < f->n_coefficients; i++)
    if (strcmp(f->coefficients[i].name, name) == 0) return &f->coefficients[i];
  ck_abort_msg("%s isn't looked for", name);
  return NULL;
}

static struct hs_kernel known(const struct desk *d)
{
  struct hs_kernel k = *hs_profile_find(d->own, &d->soc->processors[hs_soc_find(d->soc, "gpu")], HS_FP16, HS_IMAGE);
  k.overhead_cycles = 5000;
  k.reduction_half = 12;
  k.n_knots = 0;
  for (int c = 0; c < HS_CLASS_N; c++) k.efficiency[c] *= c % 2 ? 0.6 : 0.35;
  return k;
}

static double true_value(const struct hs_kernel *truth, const struct hs_fit *f, int i)
{
  return *(const double *)((const char *)truth + ((const char *)f->coefficients[i].target - (const char *)&f->kernel));
}

static bool of_curve(const struct hs_coefficient *c) { return strncmp(c->name, "saturation", 10) == 0; }

START_TEST(known_coefficients)
{
  struct desk d;
  const double noise = _i ? 0.1 : 0;
  sit_down(&d, "sd855", "tflite");
  add_grid(&d);
  const struct hs_kernel truth = known(&d);
  pretend(&d, &truth, noise);
  struct hs_fit *f = fit(&d, 0);
  int fitted = 0;
  for (int i = 0; i < f->n_coefficients; i++) {
    const struct hs_coefficient *c = &f->coefficients[i];
    double is = of_curve(c) ? 1 : true_value(&truth, f, i);
    if (c->state != HS_FITTED) continue;
    fitted++;
    ck_assert_msg(c->error > 0, "%s", c->name);
    if (noise > 0) ck_assert_msg(fabs(c->value - is) < 4 * c->error, "%s: %g +- %g, is %g", c->name, c->value, c->error, is);
    if (noise > 0) ck_assert_msg(c->error < 0.3 * fmax(is, c->value), "%s: %g +- %g says nothing", c->name, c->value, c->error);
    if (noise <= 0) ck_assert_msg(fabs(c->value / is - 1) < 0.02, "%s: %g, is %g", c->name, c->value, is);
  }
  ck_assert_int_ge(fitted, 12);
  ck_assert_double_lt(f->after[0][HS_ROWS_ALL].mape_frac, noise > 0 ? 0.09 : 0.002); /* a normal's mean |x| is 0.8 of its deviation */
  if (noise > 0) ck_assert_double_gt(f->after[0][HS_ROWS_ALL].mape_frac, 0.07);
  ck_assert_double_gt(f->before[0][HS_ROWS_ALL].mape_frac, 0.3);
  stand_up(&d);
}
END_TEST

/* Two standard errors to either side hold what is true in 95 of 100 cases, also where small operators scatter four times as much (1). */
START_TEST(standard_errors_hold)
{
  int n = 0, within = 0;
  for (uint64_t seed = 1; seed <= 30; seed++) {
    struct desk d;
    sit_down(&d, "kirin990", "tflite"); /* without a `launch`, by which a few of these rows alone tell what constants and a depth cost */
    add_grid(&d);
    const struct hs_kernel truth = known(&d);
    pretend_noisy(&d, &truth, 0.04, _i ? 4 : 1, seed);
    for (int i = 0; i < d.m.n; i++) d.m.rows[i].kept_out = i % 4 != 0;
    const struct hs_fit *f = fit(&d, 0);
    for (int i = 0; i < f->n_coefficients; i++) {
      const struct hs_coefficient *c = &f->coefficients[i];
      if (c->state != HS_FITTED) continue;
      n++;
      within += fabs(c->value - (of_curve(c) ? 1 : true_value(&truth, f, i))) < 1.96 * c->error;
    }
    stand_up(&d);
  }
  ck_assert_int_gt(n, 300);
  ck_assert_msg(within > 0.925 * n && within < 0.985 * n, "%d of %d", within, n);
}
END_TEST

/* The odd row that is far off moves a robust fit little. */
START_TEST(outliers)
{
  struct desk d;
  sit_down(&d, "sd855", "tflite");
  add_grid(&d);
  const struct hs_kernel truth = known(&d);
  pretend(&d, &truth, 0.05);
  for (int i = 0; i < d.m.n; i += 12) d.m.rows[i].latency_s *= 4;
  struct hs_fit *f = fit(&d, 0);
  ck_assert_double_lt(f->after[0][HS_ROWS_ALL].median_frac, 0.05);
  ck_assert_int_eq(find(f, "efficiency conv_3x3")->state, HS_FITTED);
  ck_assert_double_eq_tol(f->kernel.efficiency[HS_CLASS_CONV_3X3] / truth.efficiency[HS_CLASS_CONV_3X3], 1, 0.25);
  stand_up(&d);
}
END_TEST

static void add_networks(struct desk *d)
{
  static const char *const names[] = {"squeezenet", "mobilenet_v1", "mobilenet_v2_1.0", "mnasnet_1.0", "resnet18", "resnet34", "resnet50", "vgg16"};
  static const char *const cores[] = {"big:1", "mid:1", "mid:2", "mid:3", "mid:3+big:1"};
  struct hs_text t = {0};
  hs_text_add(&t, "model,processor,precision,cores,latency_ms\n");
  for (int i = 0; i < 8; i++)
    for (int k = 0; k < 5; k++)
      hs_text_addf(&t, "%s,cpu,fp32,%s,1\n", names[i], cores[k]);
  add_rows(d, t.s, false);
  hs_text_free(&t);
}

START_TEST(whole_networks)
{
  struct desk d;
  sit_down(&d, "sd855", "tflite");
  d.own->kernels[0].serial_frac = 0.1; /* of the CPU in fp32: one that is 0 isn't looked for */
  add_networks(&d);
  struct hs_kernel truth = *hs_profile_find(d.own, &d.soc->processors[0], HS_FP32, HS_BUFFER);
  truth.serial_frac = 0.2;
  for (int c = 0; c < HS_CLASS_N; c++) truth.efficiency[c] *= 0.5;
  pretend(&d, &truth, 0.03);
  for (int i = 0; i < d.m.n; i++) d.m.rows[i].kept_out = i % 4 == 3;
  struct hs_fit *f = fit(&d, 0);
  ck_assert_int_eq(f->n_kept_out, 10);
  ck_assert_double_gt(f->before[1][HS_ROWS_ALL].mape_frac, 0.3);
  ck_assert_double_lt(f->after[1][HS_ROWS_ALL].mape_frac, 0.06);
  const struct hs_coefficient *serial = find(f, "serial_frac");
  ck_assert_double_eq_tol(serial->value, 0.2, 4 * serial->error);
  ck_assert_double_eq_tol(f->kernel.serial_frac, 0.2, 0.05);
  ck_assert_int_eq(f->bench->sys.backends[0].cores[1], 1);
  stand_up(&d);
}
END_TEST

/* What handing an operator to threads takes, four times as long as the profile before has it. */
START_TEST(time_of_a_fork)
{
  struct desk d;
  sit_down(&d, "sd855", "paddle-lite");
  add_networks(&d);
  struct hs_kernel truth = *hs_profile_find(d.own, &d.soc->processors[0], HS_FP32, HS_BUFFER);
  truth.fork_cycles *= 4;
  pretend(&d, &truth, 0);
  struct hs_fit *f = fit(&d, 0);
  const struct hs_coefficient *fork = find(f, "fork_cycles");
  ck_assert_int_eq(fork->state, HS_FITTED);
  ck_assert_double_eq_tol(f->kernel.fork_cycles, truth.fork_cycles, 0.05 * truth.fork_cycles);
  stand_up(&d);
}
END_TEST

/* --- members that a profile may leave out, from networks on several core sets --- */

/* Convolutions of every kind, grouped and light ones, in sizes that networks have: names of the catalogue. */
static void add_many_networks(struct desk *d)
{
  static const char *const names[] = {"squeezenet", "mobilenet_v1", "mobilenet_v2_1.0", "mobilenet_v2_1.4", "mnasnet_0.5", "mnasnet_1.3", "resnet18", "resnet34",
                                      "resnet50", "vgg16", "regnetx_1.6gf", "regnetx_4.0gf", "shufflenet_v2", "inception_v4", "yolov2", "posenet"};
  static const char *const cores[] = {"big:1", "mid:1", "mid:2", "mid:3", "mid:1+big:1"};
  struct hs_text t = {0};
  hs_text_add(&t, "model,processor,precision,cores,latency_ms\n");
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    for (size_t k = 0; k < sizeof cores / sizeof *cores; k++) hs_text_addf(&t, "%s,cpu,fp32,%s,1\n", names[i], cores[k]);
  add_rows(d, t.s, false);
  hs_text_free(&t);
}

/* The shares of the peak, the serial parts and the cycles per byte and per invocation are none that a profile here has. */
static struct hs_kernel known_cpu(const struct hs_kernel *base)
{
  struct hs_kernel k = *base;
  k.overhead_cycles = 30000;
  k.reduction_half = 6;
  k.reduction_half_grouped = 50;
  if (base->serial_frac > 0) k.serial_frac = 0.08;
  k.serial_light_frac = 0.45;
  k.serial_depthwise_frac = 0.2;
  k.serial_grouped_frac = 0.7;
  k.window_cycles_per_byte = 1.2;
  k.start_cycles = 3e6;
  for (int c = 0; c < HS_CLASS_N; c++) k.efficiency[c] = fmin(k.efficiency[c] * (c % 2 ? 1.3 : 0.7), 0.95);
  return k;
}

/* From the SoC's profile, which has these members, and from the estimate for any SoC, which doesn't. */
START_TEST(core_sets)
{
  static const char *const needed[] = {"serial_grouped_frac", "serial_depthwise_frac", "serial_light_frac", "start_cycles", "window_cycles_per_byte", "serial_frac"};
  struct desk d;
  sit_down(&d, "sd855", "tflite");
  if (_i) d.m.own = NULL;
  add_many_networks(&d);
  const struct hs_bench *b = d.m.rows[0].bench;
  const struct hs_kernel truth = known_cpu(b->sys.backends[b->processor].kernel);
  pretend(&d, &truth, 0.01);
  struct hs_fit *f = fit(&d, 0);
  ck_assert(f->base_estimated == (_i == 1));
  for (int i = 0; i < f->n_coefficients; i++) {
    const struct hs_coefficient *c = &f->coefficients[i];
    if (c->state != HS_FITTED || c->target == &f->others) continue;
    ck_assert_msg(fabs(c->value - true_value(&truth, f, i)) < 4 * c->error, "%s: %g +- %g, is %g", c->name, c->value, c->error, true_value(&truth, f, i));
  }
  for (size_t i = 0; i < sizeof needed / sizeof *needed - (f->base->serial_frac == 0); i++) {
    const struct hs_coefficient *c = find(f, needed[i]);
    ck_assert_msg(c->state == HS_FITTED && c->error < 0.25 * c->value, "%s: %g +- %g says nothing", c->name, c->value, c->error);
  }
  ck_assert_double_lt(f->after[0][HS_ROWS_ALL].mape_frac, 0.01); /* 0.8 of the deviation */
  ck_assert_double_gt(f->before[0][HS_ROWS_ALL].mape_frac, 0.1);
  stand_up(&d);
}
END_TEST

/* Dense convolutions that have one efficiency in the profile of a kernel that multiplies matrices are one coefficient (0); of one that doesn't
 * (1), or with two of them different (2), each has its own. */
START_TEST(one_matrix_product)
{
  static const enum hs_op_class dense[] = {HS_CLASS_CONV_1X1, HS_CLASS_CONV_3X3, HS_CLASS_CONV_3X3_STRIDED, HS_CLASS_CONV_OTHER};
  struct desk d;
  sit_down(&d, "sd855", "tflite");
  struct hs_kernel *own = &d.own->kernels[0];
  own->weight_cycles_per_byte = 0; /* these networks hardly tell strided convolutions from the packing of their weights */
  for (int i = 0; i < 4; i++) own->efficiency[dense[i]] = 0.6;
  if (_i == 1) own->matrix_block = 1;
  if (_i == 2) own->efficiency[HS_CLASS_CONV_3X3] = 0.7;
  add_many_networks(&d);
  struct hs_kernel truth = *own;
  for (int i = 0; i < 4; i++) truth.efficiency[dense[i]] = 0.8;
  pretend(&d, &truth, 0.01);
  const struct hs_fit *f = fit(&d, 0);
  ck_assert_int_eq(f->base->matrix_block, _i == 1 ? 1 : 8);
  int found = 0;
  for (int i = 0; i < f->n_coefficients; i++) found += f->coefficients[i].target == &f->kernel.efficiency[HS_CLASS_CONV_3X3];
  ck_assert_int_eq(found, _i > 0);
  for (int i = 0; i < 4; i++) {
    double is = f->kernel.efficiency[dense[i]];
    ck_assert_msg(fabs(is / 0.8 - 1) < 0.1, "%s: %g", hs_op_class_names[dense[i]], is);
    if (_i == 0) ck_assert_double_eq(is, f->kernel.efficiency[HS_CLASS_CONV_1X1]);
  }
  stand_up(&d);
}
END_TEST

/* TensorFlow Lite's GPU has Winograd in tiles of 4, so 3×3 convolutions may look up to four times as fast as the peak there (0); rows that
 * ask for twice the peak elsewhere don't get it (1). */
START_TEST(not_above_the_peak)
{
  struct desk d;
  sit_down(&d, "sd855", "tflite");
  add_grid(&d);
  struct hs_kernel truth = known(&d);
  truth.efficiency[_i ? HS_CLASS_CONV_1X1 : HS_CLASS_CONV_3X3] = _i ? 2 : 3;
  pretend(&d, &truth, 0.02);
  const struct hs_fit *f = fit(&d, 0);
  if (_i == 0) ck_assert_msg(fabs(f->kernel.efficiency[HS_CLASS_CONV_3X3] / 3 - 1) < 0.05, "%g", f->kernel.efficiency[HS_CLASS_CONV_3X3]);
  for (int c = 0; c < HS_CLASS_N; c++) ck_assert_double_le(f->kernel.efficiency[c], c == HS_CLASS_CONV_3X3 ? 4 : 1);
  stand_up(&d);
}
END_TEST

/* Operators and networks together: one kernel for both. */
START_TEST(both_kinds)
{
  struct desk d;
  sit_down(&d, "sd855", "tflite");
  add_grid(&d);
  add_rows(&d, "model,processor,latency_ms\nresnet18,gpu,1\nvgg16,gpu,1\nsqueezenet,gpu,1\nmobilenet_v1,gpu,1\n", false);
  const struct hs_kernel truth = known(&d);
  pretend(&d, &truth, 0.05);
  struct hs_fit *f = fit(&d, 0);
  ck_assert_int_eq(hs_fit_errors(f, false, HS_ROWS_NETWORKS).n, 4);
  ck_assert_int_eq(hs_fit_errors(f, false, HS_ROWS_OPERATORS).n, d.m.n - 4);
  ck_assert_double_lt(hs_fit_errors(f, false, HS_ROWS_NETWORKS).mape_frac, 0.1);
  ck_assert_double_lt(hs_fit_errors(f, false, HS_ROWS_OPERATORS).mape_frac, 0.05);
  stand_up(&d);
}
END_TEST

/* Kept-out rows that are 25 % slower than the truth: the model is 20 % too fast there, in every row. */
START_TEST(holdout_error)
{
  struct desk d;
  sit_down(&d, "sd855", "tflite");
  add_grid(&d);
  const struct hs_kernel truth = known(&d);
  pretend(&d, &truth, 0);
  hs_measurements_keep_out(&d.m, 0.3);
  int n = 0;
  for (int i = 0; i < d.m.n; i++) {
    n += d.m.rows[i].kept_out;
    if (d.m.rows[i].kept_out) d.m.rows[i].latency_s *= 1.25;
  }
  ck_assert_double_eq_tol(n / (double)d.m.n, 0.3, 0.06);
  struct hs_fit *f = fit(&d, 0);
  ck_assert_int_eq(f->n_kept_out, n);
  ck_assert_double_eq_tol(f->after[1][HS_ROWS_ALL].mape_frac, 0.2, 0.004);
  ck_assert_double_eq_tol(f->after[1][HS_ROWS_ALL].median_frac, 0.2, 0.004);
  ck_assert_double_eq_tol(f->after[1][HS_ROWS_ALL].bias_frac, -0.2, 0.004);
  ck_assert_double_lt(f->after[0][HS_ROWS_ALL].mape_frac, 0.004);
  stand_up(&d);
}
END_TEST

/* What is kept out depends on the row, or its network, alone. */
START_TEST(holdout_by_hash)
{
  struct desk d;
  sit_down(&d, "sd855", "tflite");
  struct hs_text t = {0};
  hs_text_add(&t, "network,processor,op,h,cin,cout,latency_s\n");
  for (int i = 0; i < 90; i++) hs_text_addf(&t, "net%d,gpu,Conv,%d,16,16,%d\n", i / 3, 7 + i, 1 + i);
  add_rows(&d, t.s, false);
  hs_measurements_keep_out(&d.m, 0.5);
  int n = 0;
  for (int i = 0; i < 90; i++) {
    ck_assert_int_eq(d.m.rows[i].kept_out, d.m.rows[i / 3 * 3].kept_out);
    n += d.m.rows[i].kept_out;
  }
  ck_assert_int_gt(n, 20);
  ck_assert_int_lt(n, 70);
  bool once[90];
  for (int i = 0; i < 90; i++) once[i] = d.m.rows[i].kept_out;
  add_rows(&d, "processor,op,h,cin,latency_s\ngpu,Relu,7,16,1\n", false);
  hs_measurements_keep_out(&d.m, 0.5);
  for (int i = 0; i < 90; i++) ck_assert_int_eq(once[i], d.m.rows[i].kept_out);
  hs_text_free(&t);
  stand_up(&d);
}
END_TEST

/* A network that was fitted on one core says nothing new on three. */
START_TEST(holdout_of_networks)
{
  static const char *const names[] = {"mobilenet_v1", "squeezenet", "resnet18", "resnet34", "vgg11", "googlenet", "alexnet_b", "darknet_tiny"};
  enum { NETWORKS = sizeof names / sizeof *names };
  struct desk d;
  struct hs_text t = {0};
  sit_down(&d, "sd855", "tflite");
  hs_text_add(&t, "model,processor,cores,latency_s\n");
  for (int i = 0; i < 4 * NETWORKS; i++) hs_text_addf(&t, "%s,cpu,%s,%d\n", names[i / 4], i % 4 < 3 ? (i % 4 == 0 ? "mid:1" : i % 4 == 1 ? "mid:2" : "mid:3") : "big:1", 1 + i);
  add_rows(&d, t.s, false);
  hs_measurements_keep_out(&d.m, 0.5);
  int n = 0;
  for (int i = 0; i < 4 * NETWORKS; i++) {
    ck_assert_int_eq(d.m.rows[i].kept_out, d.m.rows[i / 4 * 4].kept_out);
    n += d.m.rows[i].kept_out;
  }
  ck_assert_int_gt(n, 0);
  ck_assert_int_lt(n, 4 * NETWORKS);
  hs_text_free(&t);
  stand_up(&d);
}
END_TEST

/* One thread count says nothing of the serial part, one depth nothing of the reduction: they keep what they had. */
START_TEST(undetermined)
{
  struct desk d;
  sit_down(&d, "sd855", "tflite");
  struct hs_text t = {0};
  hs_text_add(&t, "processor,op,h,cin,cout,kernel,threads,latency_s\n");
  for (int i = 0; i < 30; i++) hs_text_addf(&t, "cpu,Conv,%d,64,%d,3,2,1\n", 20 + i, 32 + 8 * (i % 5));
  add_rows(&d, t.s, false);
  struct hs_kernel truth = *hs_profile_find(d.own, &d.soc->processors[0], HS_FP32, HS_BUFFER);
  truth.efficiency[HS_CLASS_CONV_3X3] = 0.4;
  pretend(&d, &truth, 0.02);
  struct hs_fit *f = fit(&d, 0);
  ck_assert_double_eq(f->kernel.serial_frac, f->base->serial_frac);
  ck_assert_double_eq(f->kernel.reduction_half, f->base->reduction_half);
  ck_assert_double_eq(f->kernel.traffic_factor, f->base->traffic_factor);
  ck_assert_double_eq(f->kernel.efficiency[HS_CLASS_CONV_1X1], f->base->efficiency[HS_CLASS_CONV_1X1]);
  ck_assert_double_eq_tol(f->kernel.efficiency[HS_CLASS_CONV_3X3], 0.4, 0.04);
  bool told = false;
  for (int i = 0; i < f->n_coefficients; i++) told |= strcmp(f->coefficients[i].name, "traffic_factor") == 0 && f->coefficients[i].state == HS_FIT_UNDETERMINED;
  ck_assert(told);
  hs_text_free(&t);
  stand_up(&d);
}
END_TEST

/* Poolings that bandwidth decides say how fast their arithmetic is at least. Two of them measured 4 % slow make a slope on the one side, which isn't a
 * standard error. */
START_TEST(one_sided)
{
  struct desk d;
  sit_down(&d, "sd855", "mace");
  add_grid(&d);
  add_rows(&d, "processor,op,h,cin,kernel,stride,latency_s\ngpu,MaxPool,256,64,2,2,1\ngpu,MaxPool,128,128,2,2,1\ngpu,MaxPool,64,256,2,2,1\n"
               "gpu,MaxPool,80,512,1,2,1\ngpu,MaxPool,160,256,1,2,1\ngpu,MaxPool,112,64,3,2,1\ngpu,MaxPool,320,64,3,2,1\n", false);
  const struct hs_kernel truth = *d.m.rows[0].bench->sys.backends[d.m.rows[0].bench->processor].kernel;
  pretend(&d, &truth, 0.05);
  for (int i = d.m.n - 2; i < d.m.n; i++) d.m.rows[i].latency_s = 1.04 * hs_measurement_seconds(&d.m.rows[i]);
  struct hs_kernel wrong = truth;
  wrong.efficiency[HS_CLASS_POOL] *= 0.6;
  for (int i = 0; i < d.m.n_benches; i++) d.m.benches[i]->sys.backends[d.m.benches[i]->processor].kernel = &wrong;
  struct hs_fit *f = fit(&d, 0);
  for (int i = 0; i < f->n_coefficients; i++) {
    const struct hs_coefficient *c = &f->coefficients[i];
    double is = true_value(&truth, f, i);
    if (c->state == HS_FITTED && !of_curve(c)) ck_assert_msg(fabs(c->value - is) < 4 * c->error, "%s: %g +- %g, is %g", c->name, c->value, c->error, is);
    if (c->target == &f->kernel.efficiency[HS_CLASS_POOL]) ck_assert_int_ne(c->state, HS_FITTED);
  }
  stand_up(&d);
}
END_TEST

/* A curve begins where its rows do: below, a line through them would come down to nothing. */
START_TEST(curve_begins)
{
  struct desk d;
  sit_down(&d, "sd855", "tflite");
  add_grid(&d);
  const struct hs_kernel truth = known(&d);
  pretend(&d, &truth, 0);
  struct hs_fit *f = fit(&d, 0);
  ck_assert_int_gt(f->kernel.n_knots, 3);
  ck_assert_double_ge(exp(f->kernel.knot_ln[0]), 0.999 * f->size_low);
  ck_assert(isfinite(f->size_high)); /* where waves are counted there is no size */
  ck_assert_double_le(exp(f->kernel.knot_ln[f->kernel.n_knots - 1]), f->size_high);
  stand_up(&d);
}
END_TEST

/* An extract of published measurements: the fit is as good as they allow, and rows of a network it hasn't seen come out alike. */
START_TEST(published)
{
  struct desk d;
  struct hs_error err;
  char path[600];
  sit_down(&d, "sd855", "tflite");
  snprintf(path, sizeof path, "%s/tests/data/sd855-tflite-gpu-operators.csv", getenv("HETSIM_DATA"));
  hs_test_accepted(hs_measurements_read(&d.m, path, false, &err), &err);
  ck_assert_int_eq(d.m.n, 90);
  for (int i = 0; i < d.m.n; i++) d.m.rows[i].kept_out = strcmp(d.m.rows[i].network, "resnet18") == 0;
  struct hs_fit *f = fit(&d, 0);
  ck_assert_double_lt(f->after[0][HS_ROWS_ALL].median_frac, 0.12);
  ck_assert_double_lt(f->after[1][HS_ROWS_ALL].median_frac, 0.25);
  ck_assert_int_eq(hs_fit_errors(f, true, HS_ROWS_SUMS).n, 1);
  ck_assert_int_eq(hs_fit_errors(f, false, HS_ROWS_SUMS).n, 2);
  stand_up(&d);
}
END_TEST

/* With a dozen and a half of networks there are nine coefficients: rates of classes that they show, not reads of a work item, which they don't. */
START_TEST(few_networks_on_a_gpu)
{
  static const char *const names[] = {"mobilenet_v1", "squeezenet", "resnet18", "vgg11", "googlenet", "alexnet_b", "darknet_tiny", "mobilenet_v2_0.5", "mobilenet_v2_1.0",
                                      "fdmobilenet_0.5", "fdmobilenet_1.0", "mobilenet_v1b_0.5", "resnet10", "resnet14", "squeezenet_1.1", "mnasnet_small", "resnet18_0.5", "darknet_ref"};
  struct desk d;
  struct hs_text t = {0};
  sit_down(&d, "sd855", "tflite");
  hs_text_add(&t, "model,processor,latency_s\n");
  for (int i = 0; i < 18; i++) hs_text_addf(&t, "%s,gpu,1\n", names[i]);
  add_rows(&d, t.s, false);
  struct hs_kernel truth = *hs_profile_find(d.own, &d.soc->processors[hs_soc_find(d.soc, "gpu")], HS_FP16, HS_IMAGE);
  truth.efficiency[HS_CLASS_CONV_1X1] *= 0.5;
  truth.efficiency[HS_CLASS_DEPTHWISE] *= 1.5;
  pretend(&d, &truth, 0);
  struct hs_fit *f = fit(&d, 0);
  ck_assert_int_eq(f->n_coefficients, 9);
  ck_assert_double_eq_tol(find(f, "efficiency conv_1x1")->value / truth.efficiency[HS_CLASS_CONV_1X1], 1, 0.05);
  ck_assert_double_eq_tol(find(f, "efficiency depthwise")->value / truth.efficiency[HS_CLASS_DEPTHWISE], 1, 0.05);
  find(f, "start_cycles");
  find(f, "traffic_factor");
  hs_text_free(&t);
  stand_up(&d);
}
END_TEST

/* The same of whole networks on core sets of a CPU, fp32 (0) and int8 (1): kept out is a network with a class that the others don't have
 * (grouped convolutions, 0), or one like them. */
START_TEST(published_networks)
{
  static const struct {
    const char *kept_out;
    int first;
    double fitted, out; /* MAPE at most */
  } cases[] = {{"regnetx_1.6gf", 0, 0.03, 0.1}, {"resnet18", 0, 0.03, 0.1}, {"mnasnet_1.0_tf2cv", 20, 0.05, 0.1}};
  struct desk d;
  struct hs_error err;
  char path[600];
  sit_down(&d, "sd855", "tflite");
  snprintf(path, sizeof path, "%s/tests/data/sd855-tflite-cpu-networks.csv", getenv("HETSIM_DATA"));
  hs_test_accepted(hs_measurements_read(&d.m, path, false, &err), &err);
  ck_assert_int_eq(d.m.n, 40);
  for (int i = 0; i < d.m.n; i++) d.m.rows[i].kept_out = strcmp(d.m.rows[i].graph->name, cases[_i].kept_out) == 0;
  struct hs_fit *f = fit(&d, cases[_i].first);
  ck_assert_int_eq(f->n_rows, 15);
  ck_assert_int_eq(f->n_kept_out, 5);
  ck_assert_double_lt(f->after[0][HS_ROWS_ALL].mape_frac, cases[_i].fitted);
  ck_assert_double_lt(f->after[1][HS_ROWS_ALL].mape_frac, cases[_i].out);
  stand_up(&d);
}
END_TEST

START_TEST(same_again)
{
  struct hs_fit f[2];
  struct hs_error err;
  for (int k = 0; k < 2; k++) {
    struct desk d;
    sit_down(&d, "sd855", "tflite");
    add_grid(&d);
    const struct hs_kernel truth = known(&d);
    pretend(&d, &truth, 0.1);
    hs_test_accepted(hs_fit_kernel(&d.m, 0, NULL, &f[k], &err), &err);
    hs_fit_free(&(struct hs_fit){.rows = f[k].rows});
    stand_up(&d);
  }
  for (int i = 0; i < f[0].n_coefficients; i++) ck_assert(f[0].coefficients[i].value == f[1].coefficients[i].value);
}
END_TEST

/* Only what is asked for is looked for and found, though other coefficients had another value when this was measured; and the rest, and the curve of a GPU, is
 * as it was. */
START_TEST(only_what_is_asked)
{
  struct desk d;
  struct hs_error err;
  sit_down(&d, "sd855", "tflite");
  add_rows(&d, "model,processor,precision,cores,latency_ms\n"
               "deit_tiny_224,cpu,int8,big:1,1\ndeit_tiny_224,cpu,int8,mid:3,1\nefficientformer_l1_300,cpu,int8,big:1,1\nefficientformer_l1_300,cpu,int8,mid:3,1\n"
               "vit_b32_224,cpu,int8,big:1,1\nvit_b32_224,cpu,int8,mid:3,1\nswin_tiny_224,cpu,int8,big:1,1\nswin_tiny_224,cpu,int8,mid:3,1\n", false);
  const struct hs_bench *b = d.m.rows[0].bench;
  struct hs_kernel truth = *b->sys.backends[b->processor].kernel;
  const double gelu = truth.operator_cycles[HS_OP_GELU], norm = truth.operator_cycles[HS_OP_LAYER_NORMALIZATION];
  truth.operator_cycles[HS_OP_GELU] = 2 * gelu;
  truth.operator_cycles[HS_OP_LAYER_NORMALIZATION] = norm / 2;
  pretend(&d, &truth, 0);
  hs_test_accepted(hs_fit_kernel(&d.m, 0, "cycles LayerNormalization,cycles Gelu", &d.fit, &err), &err);
  struct hs_kernel *k = &d.fit.kernel;
  ck_assert_int_eq(d.fit.n_coefficients, 2);
  ck_assert_double_eq_tol(find(&d.fit, "cycles Gelu")->value, 2 * gelu, 0.02 * gelu);
  ck_assert_double_eq_tol(find(&d.fit, "cycles LayerNormalization")->value, norm / 2, 0.01 * norm);
  k->operator_cycles[HS_OP_GELU] = gelu;
  k->operator_cycles[HS_OP_LAYER_NORMALIZATION] = norm;
  ck_assert_mem_eq(k, d.fit.base, sizeof *k);
  stand_up(&d);
  sit_down(&d, "sd855", "tflite");
  add_grid(&d);
  truth = known(&d);
  pretend(&d, &truth, 0.1);
  struct hs_kernel before = *d.m.rows[0].bench->sys.backends[d.m.rows[0].bench->processor].kernel;
  before.efficiency[HS_CLASS_CONV_OTHER] = 1.5; /* more than a fit would give it */
  for (int i = 0; i < d.m.n; i++) d.m.rows[i].bench->sys.backends[d.m.rows[i].bench->processor].kernel = &before;
  hs_test_accepted(hs_fit_kernel(&d.m, 0, "overhead_cycles", &d.fit, &err), &err);
  ck_assert_ptr_eq(d.fit.base, &before);
  d.fit.kernel.overhead_cycles = d.fit.base->overhead_cycles;
  ck_assert_mem_eq(&d.fit.kernel, d.fit.base, sizeof *k);
  stand_up(&d);
}
END_TEST

/* Of a curve one knot: where this fit puts it, whatever knots there were. */
START_TEST(only_a_knot)
{
  struct desk d;
  struct hs_error err;
  sit_down(&d, "sd855", "tflite");
  add_grid(&d);
  const struct hs_kernel truth = known(&d);
  pretend(&d, &truth, 0.1);
  hs_test_accepted(hs_fit_kernel(&d.m, 0, "saturation at ln 9", &d.fit, &err), &err);
  const struct hs_kernel *k = &d.fit.kernel;
  int at = 0;
  while (at < k->n_knots && k->knot_ln[at] < 9) at++;
  ck_assert_int_eq(d.fit.n_coefficients, 1);
  ck_assert_ptr_eq(d.fit.coefficients[0].target, &k->knot_frac[at]);
  ck_assert_double_eq(k->knot_frac[k->n_knots - 1], 1);
  ck_assert_int_ne(k->n_knots, d.fit.base->n_knots);
  stand_up(&d);
}
END_TEST

static const struct {
  const char *only, *message;
} unspoken[] = {
  {"cycles Gelu", "--only: the rows of gpu, fp16, image don't speak of a coefficient \"cycles Gelu\" (but of: overhead_cycles, efficiency conv_1x1, "},
  {"", "don't speak of a coefficient \"\" (but"},
  {"overhead_cycles,", "don't speak of a coefficient \"\" (but"},
  {"overhead_cycles,reduction", "don't speak of a coefficient \"reduction\" (but"},
};

START_TEST(only_what_there_is)
{
  struct desk d;
  struct hs_error err;
  sit_down(&d, "sd855", "tflite");
  add_grid(&d);
  const struct hs_kernel truth = known(&d);
  pretend(&d, &truth, 0.1);
  ck_assert_int_eq(hs_fit_kernel(&d.m, 0, unspoken[_i].only, &d.fit, &err), HS_USAGE);
  ck_assert_msg(strstr(err.text, unspoken[_i].message) != NULL, "%s", err.text);
  stand_up(&d);
}
END_TEST

/* A network that is larger than a slice of the NPU may be is measured as it would run there: invoked so often (1), and each time at that cost. */
START_TEST(slices)
{
  struct desk d;
  struct hs_error err;
  struct hs_program *program;
  struct hs_estimate e;
  struct hs_arena arena = {0};
  sit_down(&d, "kirin970", "tflite");
  add_rows(&d, "model,processor,precision,latency_ms\nresnet50,npu,fp16,50\n", false);
  const struct hs_measurement *r = &d.m.rows[0];
  const struct hs_system *sys = &r->bench->sys;
  struct hs_backend *b = &r->bench->sys.backends[r->bench->processor];
  const struct hs_kernel *before = b->kernel;
  struct hs_kernel k = *before;
  if (_i == 1) k.start_cycles = 3e6;
  b->kernel = &k;
  struct hs_placement *pl = hs_placement_new(&arena, r->graph->n_ops);
  const struct hs_view v = {.sys = sys, .graph = r->graph};
  hs_test_accepted(hs_plan_single(&v, r->bench->processor, pl, &err), &err);
  ck_assert_int_gt(pl->ops[r->graph->n_ops - 1].chain, pl->ops[0].chain);
  hs_test_accepted(hs_lower(sys, r->graph, pl, &program, &err), &err);
  hs_estimate_program(sys, program, &e, NULL, NULL);
  ck_assert_double_eq_tol(hs_measurement_seconds(r), e.latency_s, 1e-12);
  b->kernel = before;
  hs_program_free(program);
  hs_arena_free(&arena);
  stand_up(&d);
}
END_TEST

/* --- the profile --- */

static const char *const ref = "measurements in x.csv", *const note = "a note";

/* The fit as a profile, read again. */
static const struct hs_profile *write_and_read(struct desk *d)
{
  struct hs_error err;
  hs_profile_write(&d->m, &d->fit, 1, &ref, &note, "0123456789abcdef", &d->written);
  hs_test_accepted(hs_profile_parse("p.json", d->written.s, d->written.len, &d->again, &err), &err);
  return d->again;
}

START_TEST(written)
{
  struct desk d;
  sit_down(&d, "sd855", "tflite");
  add_grid(&d);
  const struct hs_kernel truth = known(&d);
  pretend(&d, &truth, 0.05);
  struct hs_fit *f = fit(&d, 0);
  const struct hs_profile *again = write_and_read(&d);
  ck_assert_int_eq(again->n_kernels, d.own->n_kernels);
  const struct hs_processor *gpu = &d.soc->processors[hs_soc_find(d.soc, "gpu")];
  const struct hs_kernel *k = hs_profile_find(again, gpu, HS_FP16, HS_BUFFER); /* one kernel for both memory types, as before */
  ck_assert_ptr_nonnull(k);
  ck_assert_double_eq_tol(k->overhead_cycles / f->kernel.overhead_cycles, 1, 1e-3);
  ck_assert_int_eq(k->fit_n, d.m.n);
  ck_assert_str_eq(k->fit_note, note);
  /* the others are as they were, and numbers that weren't fitted keep their source */
  const struct hs_kernel *was = hs_profile_find(d.own, &d.soc->processors[0], HS_FP32, HS_BUFFER), *is = hs_profile_find(again, &d.soc->processors[0], HS_FP32, HS_BUFFER);
  ck_assert_double_eq(was->efficiency[HS_CLASS_GROUPED], is->efficiency[HS_CLASS_GROUPED]);
  ck_assert_str_eq(was->fit_note, is->fit_note);
  int measured = 0, kept = 0;
  for (int i = 0; i < again->sources.n_numbers; i++) {
    const struct hs_provenance *p = &again->sources.numbers[i];
    const struct hs_source *s = &again->sources.list[p->source];
    if (strcmp(p->path, "$.kernels[0].efficiency.conv_3x3") == 0) measured += strcmp(s->name, "gpu-fp16-01234567") == 0 && s->kind == HS_MEASURED && strcmp(s->ref, ref) == 0;
    if (strcmp(p->path, "$.kernels[0].power_factor") == 0) kept += strcmp(s->name, "hand") == 0 && s->kind == HS_ASSUMED;
  }
  ck_assert_int_eq(measured, 1);
  ck_assert_int_eq(kept, 1);
  stand_up(&d);
}
END_TEST

/* Blocks, waves and tiles of MACE's kernels aren't fitted: they are written as they were, for the kernel that was fitted and for others. Behind them the
 * fit finds the efficiency and columns_half. */
START_TEST(written_with_blocks)
{
  struct desk d;
  sit_down(&d, "sd855", "mace");
  add_grid(&d);
  const struct hs_processor *gpu = &d.soc->processors[hs_soc_find(d.soc, "gpu")];
  const struct hs_kernel *was = hs_profile_find(d.own, gpu, HS_FP32, HS_IMAGE);
  struct hs_kernel truth = *was;
  ck_assert_int_gt(was->wave, 1);
  truth.efficiency[HS_CLASS_CONV_3X3] *= 0.5;
  truth.columns_half *= 2;
  pretend(&d, &truth, 0);
  struct hs_fit *f = fit(&d, 0);
  ck_assert_double_eq_tol(f->kernel.efficiency[HS_CLASS_CONV_3X3] / truth.efficiency[HS_CLASS_CONV_3X3], 1, 0.01);
  ck_assert_double_eq_tol(f->kernel.columns_half / truth.columns_half, 1, 0.02);
  const struct hs_profile *again = write_and_read(&d);
  const struct hs_kernel *is = hs_profile_find(again, gpu, HS_FP32, HS_IMAGE);
  ck_assert_int_eq(is->wave, was->wave);
  ck_assert_mem_eq(is->width_block, was->width_block, sizeof is->width_block);
  ck_assert_double_eq_tol(is->columns_half / f->kernel.columns_half, 1, 1e-3);
  was = hs_profile_find(d.own, &d.soc->processors[0], HS_FP32, HS_BUFFER);
  is = hs_profile_find(again, &d.soc->processors[0], HS_FP32, HS_BUFFER);
  ck_assert_int_eq(is->direct_block, was->direct_block);
  ck_assert_int_eq(is->winograd.tile, was->winograd.tile);
  ck_assert_int_eq(is->winograd.channels, was->winograd.channels);
  ck_assert_double_eq(is->winograd.transform_half, was->winograd.transform_half);
  stand_up(&d);
}
END_TEST

/* A number that ends at the value which it has where the file leaves it out is written all the same: its source is. */
START_TEST(written_at_its_end)
{
  struct desk d;
  sit_down(&d, "sd855", "tflite");
  add_grid(&d);
  const struct hs_kernel truth = known(&d);
  pretend(&d, &truth, 0);
  struct hs_fit *f = fit(&d, 0);
  ck_assert_double_gt(f->kernel.strided_depthwise_factor, 1);
  f->kernel.strided_depthwise_factor = 1;
  const struct hs_kernel *k = hs_profile_find(write_and_read(&d), &d.soc->processors[hs_soc_find(d.soc, "gpu")], HS_FP16, HS_BUFFER);
  ck_assert_double_eq(k->strided_depthwise_factor, 1);
  stand_up(&d);
}
END_TEST

/* --- nothing is lost --- */

/* Every member that a kernel may have, in the form of doc/formats.md, each number with a source of its own name. */
#define EVERY(processor, precision)                                                                                                                    \
  "{\"processor\": \"" processor "\", \"precision\": \"" precision "\", \"overhead_cycles\": 12345.678, \"channel_multiple\": 4, \"dense_depthwise\": true,\n"       \
  "\"reduction_half\": 5.4321012, \"reduction_half_grouped\": 6, \"serial_frac\": 0.25, \"serial_light_frac\": 0.25, \"serial_grouped_frac\": 0.75,\n"                  \
  "\"serial_depthwise_frac\": 0.25, \"serial_window_frac\": 1, \"light_move_cycles_per_byte\": 0.0123456,\n"                 \
  "\"traffic_factor\": 1.5, \"power_factor\": 0.875, \"columns_half\": 12.5, \"direct_block\": 4, \"matrix_block\": 8, \"rows_per_pass\": 6, \"norm_block\": 32, \"block_map_bytes\": 65536, "   \
  "\"operator_cycles\": {\"Pad\": 4.0123456, \"Tanh\": 6.5}, \"wave\": 2048, \"work_group\": {\"blocks\": 16, \"rows\": 4}, "                          \
  "\"width_block\": {\"conv_1x1\": 1, \"pool\": 2},\n"                                                                                                 \
  "\"winograd\": {\"tile\": 6, \"small_tile\": 2, \"above\": 16, \"channels\": 8, \"transform_half\": 155},\n"                                                      \
  "\"move_cycles_per_byte\": 0.0123456, \"window_cycles_per_byte\": 0, \"pack_cycles_per_byte\": 0.0312345, \"weight_cycles_per_byte\": 0.2112345, \"layout_cycles_per_byte\": 1.2512345, \"turn_cycles\": 1.5012345, \"turn_miss_cycles\": 8.2512345, \"turn_far_cycles\": 55.2512345, \"turn_cache_lines\": 4096, \"turn_cache_ways\": 8, \"flat_mean_cycles\": 31.5, \"start_cycles\": 1000, \"spin_s\": 0.00012, \"move_half_pixels\": 300, "                            \
  "\"depthwise_fast_path\": {\"kernel\": 5, \"max_kernel\": 7, \"channel_multiple\": 16, \"max_stride\": 3, \"max_pad\": 0, \"other_factor\": 3.2512345}, "               \
  "\"split_output_cycles\": 777, \"fork_cycles\": 31.25, \"fuses_light\": true,\n"                                                                                             \
  "\"efficiency\": {\"conv_1x1\": 0.5, \"conv_3x3\": 0.51234567, \"conv_3x3_strided\": 0.4, \"conv_other\": 0.3, \"depthwise\": 0.2, \"grouped\": 0.1,\n"           \
  "\"transposed\": 0.15, \"matmul\": 0.25, \"pool\": 0.05, \"elementwise\": 0.06, \"reduce\": 0.07, \"move\": 0.08},\n"                                             \
  "\"refetch_per_mac\": {\"conv_1x1\": 0.0241912, \"matmul\": 0},\n"                                                                                             \
  "\"scatter\": {\"run_std_frac\": 0.0029, \"kernel_std_frac\": 0.0123456, \"n\": 445, \"source\": \"s-scatter\"},\n"                                              \
  "\"fit\": {\"n\": 77, \"mape_frac\": 0.0345678, \"note\": \"as it was\"},\n"                                                                                   \
  "\"source\": {\"overhead_cycles\": \"s-rest\", \"channel_multiple\": \"s-rest\", \"reduction_half\": \"s-rest\", \"reduction_half_grouped\": \"s-rest\",\n"           \
  "\"serial_frac\": \"s-serial\", \"serial_light_frac\": \"s-light\", \"serial_grouped_frac\": \"s-rest\", \"traffic_factor\": \"s-rest\",\n"                         \
  "\"serial_depthwise_frac\": \"s-rest\", \"serial_window_frac\": \"s-light\", \"light_move_cycles_per_byte\": \"s-move\",\n"     \
  "\"power_factor\": \"s-power\", \"columns_half\": \"s-rest\", \"direct_block\": \"s-rest\", \"matrix_block\": \"s-tile\", \"rows_per_pass\": \"s-group\", \"norm_block\": \"s-wave\", \"block_map_bytes\": \"s-wave\", " \
  "\"operator_cycles\": {\"Pad\": \"s-move\", \"Tanh\": \"s-rest\"}, \"wave\": \"s-wave\", \"work_group\": \"s-group\", "                              \
  "\"width_block\": \"s-width\",\n"                                                                                                                    \
  "\"winograd\": {\"tile\": \"s-tile\", \"small_tile\": \"s-tile\", \"above\": \"s-tile\", \"channels\": \"s-tile\", \"transform_half\": \"s-half\"},\n"            \
  "\"move_cycles_per_byte\": \"s-move\", \"window_cycles_per_byte\": \"s-window\", \"pack_cycles_per_byte\": \"s-move\", \"weight_cycles_per_byte\": \"s-window\", \"layout_cycles_per_byte\": \"s-window\", \"turn_cycles\": \"s-move\", \"turn_miss_cycles\": \"s-half\", \"turn_far_cycles\": \"s-light\", \"turn_cache_lines\": \"s-tile\", \"turn_cache_ways\": \"s-group\", \"flat_mean_cycles\": \"s-rest\", \"start_cycles\": \"s-rest\", \"spin_s\": \"s-rest\", "                                     \
  "\"move_half_pixels\": \"s-rest\", \"depthwise_fast_path\": {\"kernel\": \"s-tile\", \"max_kernel\": \"s-tile\", \"channel_multiple\": \"s-tile\", "                             \
  "\"max_stride\": \"s-tile\", \"max_pad\": \"s-tile\", \"other_factor\": \"s-half\"}, \"split_output_cycles\": \"s-move\", \"fork_cycles\": \"s-half\",\n"                         \
  "\"efficiency\": \"s-rest\", \"refetch_per_mac\": {\"conv_1x1\": \"s-refetch\", \"matmul\": \"s-rest\"}, \"fit\": \"s-rest\"}}"

static const char every_member[] =
  "{\"format\": \"hetsim-profile/1\", \"soc\": \"sd855\", \"runtime\": \"tflite\", \"kernels\": [" EVERY("cpu", "fp32") ", " EVERY("gpu", "fp16") "], \"sources\": {"
#define SOURCE(name) "\"s-" name "\": {\"kind\": \"assumed\", \"ref\": \"" name "\"}"
  SOURCE("rest") ", " SOURCE("serial") ", " SOURCE("light") ", " SOURCE("power") ", " SOURCE("wave") ", " SOURCE("group") ", " SOURCE("width") ", " SOURCE("tile") ", " SOURCE("half") ", "
  SOURCE("move") ", " SOURCE("window") ", " SOURCE("refetch") ", " SOURCE("scatter") "}}";

static const char *source_name(const struct hs_profile *p, int kernel, const char *key)
{
  char path[120];
  snprintf(path, sizeof path, "$.kernels[%d].%s", kernel, key);
  for (int i = 0; i < p->sources.n_numbers; i++)
    if (strcmp(p->sources.numbers[i].path, path) == 0) return p->sources.list[p->sources.numbers[i].source].name;
  ck_abort_msg("%s has no source", path);
  return NULL;
}

/* Everything but strings, which live elsewhere, and the fit. */
static void assert_same_numbers(const struct hs_kernel *is, const struct hs_kernel *was)
{
  struct hs_kernel a = *is, b = *was;
  a.processor = b.processor = a.fit_note = b.fit_note = NULL;
  for (size_t i = 0; i < sizeof a; i++)
    if (((char *)&a)[i] != ((char *)&b)[i]) ck_abort_msg("byte %zu of the kernel differs (overhead_cycles is at %zu, jitter at %zu)", i,
                                                        offsetof(struct hs_kernel, overhead_cycles), offsetof(struct hs_kernel, jitter));
}

static void use_profile(struct desk *d, const char *text)
{
  struct hs_error err;
  hs_profile_free(d->own);
  hs_test_accepted(hs_profile_parse("own.json", text, strlen(text), &d->own, &err), &err);
  d->m.own = d->own;
}

/* A kernel that wasn't measured comes out bit by bit, with its sources; of the one that was, what no row can tell. */
START_TEST(every_member_written)
{
  struct desk d;
  sit_down(&d, "sd855", "tflite");
  use_profile(&d, every_member);
  add_grid(&d);
  struct hs_kernel truth = d.own->kernels[1];
  truth.overhead_cycles = 30000;
  truth.efficiency[HS_CLASS_CONV_3X3] = 0.3;
  pretend(&d, &truth, 0.02);
  fit(&d, 0);
  const struct hs_profile *again = write_and_read(&d);
  ck_assert_int_eq(again->n_kernels, 2);
  ck_assert_str_eq(again->kernels[0].processor, "gpu"); /* what was fitted comes first */
  assert_same_numbers(&again->kernels[1], &d.own->kernels[0]);
  ck_assert_str_eq(again->kernels[1].fit_note, "as it was");
  const char *const kept[] = {
    "serial_frac", "s-serial", "serial_light_frac", "s-light", "power_factor", "s-power", "wave", "s-wave", "work_group.rows", "s-group",
    "width_block.conv_1x1", "s-width", "winograd.channels", "s-tile", "refetch_per_mac.conv_1x1", "s-refetch", "refetch_per_mac.matmul", "s-rest",
    "scatter.run_std_frac", "s-scatter", "scatter.n", "s-scatter", "window_cycles_per_byte", "s-window", "pack_cycles_per_byte", "s-move", "weight_cycles_per_byte", "s-window", "layout_cycles_per_byte", "s-window", "turn_cycles", "s-move", "turn_miss_cycles", "s-half",
    "turn_far_cycles", "s-light", "turn_cache_lines", "s-tile", "turn_cache_ways", "s-group", "flat_mean_cycles", "s-rest", "efficiency.transposed", "s-rest",
    "serial_window_frac", "s-light", "light_move_cycles_per_byte", "s-move", "depthwise_fast_path.max_pad", "s-tile", "depthwise_fast_path.max_kernel", "s-tile", "matrix_block", "s-tile", "rows_per_pass", "s-group", "norm_block", "s-wave", "block_map_bytes", "s-wave",
    "fork_cycles", "s-half", "operator_cycles.Pad", "s-move", "operator_cycles.Tanh", "s-rest", "depthwise_fast_path.other_factor", "s-half", NULL};
  for (int k = 0; k < 2; k++)
    for (int i = 0; kept[i]; i += 2) ck_assert_str_eq(source_name(again, k, kept[i]), kept[i + 1]);
  ck_assert_str_eq(source_name(again, 1, "winograd.transform_half"), "s-half");
  ck_assert_str_eq(source_name(again, 1, "overhead_cycles"), "s-rest");
  ck_assert_str_eq(source_name(again, 0, "overhead_cycles"), "gpu-fp16-01234567");
  ck_assert_str_eq(source_name(again, 0, "efficiency.conv_3x3"), "gpu-fp16-01234567");
  stand_up(&d);
}
END_TEST

/* Of shaders the fit finds what waves cost, and one rate for all convolutions that are neither 1×1 nor depthwise; what is element-wise has none, and there is no
 * curve. All of it is written, with the sources of what no row tells: how long a copy takes. */
START_TEST(written_with_shaders)
{
  struct desk d;
  sit_down(&d, "sd855", "pytorch");
  add_grid(&d);
  struct hs_kernel truth = *hs_profile_find(d.own, &d.soc->processors[hs_soc_find(d.soc, "gpu")], HS_FP16, HS_IMAGE);
  truth.shaders.access_cycles = 30;
  truth.shaders.read_cycles = 150;
  truth.shaders.first_waves = 25;
  for (int c = 0; c < HS_CLASS_N; c++) truth.efficiency[c] *= c == HS_CLASS_CONV_1X1 || c == HS_CLASS_DEPTHWISE ? 0.6 : 0.8;
  pretend(&d, &truth, 0);
  struct hs_fit *f = fit(&d, 0);
  for (int i = 0; i < f->n_coefficients; i++) {
    const struct hs_coefficient *c = &f->coefficients[i];
    ck_assert_str_ne(c->name, "efficiency elementwise");
    ck_assert_str_ne(c->name, "efficiency conv_other");
    ck_assert_str_ne(c->name, "efficiency pool"); /* no row has one, */
    ck_assert_str_ne(c->name, "copy_cycles");     /* nor copies */
    ck_assert_str_ne(c->name, "reduction_half");
    ck_assert(!of_curve(c));
    if (c->state == HS_FITTED) ck_assert_msg(fabs(c->value / true_value(&truth, f, i) - 1) < 0.02, "%s: %g", c->name, c->value);
  }
  ck_assert_int_eq(find(f, "access_cycles")->state, HS_FITTED);
  ck_assert_int_eq(find(f, "read_cycles")->state, HS_FITTED);
  ck_assert_int_eq(find(f, "first_waves")->state, HS_FITTED);
  ck_assert_double_eq(f->kernel.efficiency[HS_CLASS_CONV_OTHER], f->kernel.efficiency[HS_CLASS_CONV_3X3]);
  ck_assert_double_eq(f->kernel.efficiency[HS_CLASS_GROUPED], f->kernel.efficiency[HS_CLASS_CONV_3X3]);
  const struct hs_kernel_shaders *is = &write_and_read(&d)->kernels[0].shaders, *was = &f->kernel.shaders;
  ck_assert_double_eq_tol(is->access_cycles / was->access_cycles, 1, 1e-3);
  ck_assert_double_eq_tol(is->read_cycles / was->read_cycles, 1, 1e-3);
  ck_assert_double_eq_tol(is->first_waves / was->first_waves, 1, 1e-3);
  ck_assert_double_eq(is->copy_cycles, was->copy_cycles);
  ck_assert_int_eq(d.again->kernels[0].n_knots, 0);
  ck_assert_str_eq(source_name(d.again, 0, "shaders.first_waves"), "gpu-fp16-01234567");
  ck_assert_str_eq(source_name(d.again, 0, "shaders.copy_cycles"), "gpu-copies");
  stand_up(&d);
}
END_TEST

/* A rate that several classes share is looked for where only those that follow have rows. */
START_TEST(rows_of_followers)
{
  struct desk d;
  struct hs_text t = {0};
  sit_down(&d, "sd855", "pytorch");
  hs_text_add(&t, "processor,op,h,cin,cout,kernel,stride,latency_s\n");
  for (int i = 0; i < 40; i++) hs_text_addf(&t, "gpu,Conv,%d,%d,%d,5,1,1\n", 7 << i % 4, 16 << i / 4 % 4, 24 << i % 3);
  add_rows(&d, t.s, false);
  hs_text_free(&t);
  struct hs_kernel truth = *hs_profile_find(d.own, &d.soc->processors[hs_soc_find(d.soc, "gpu")], HS_FP16, HS_IMAGE);
  for (int c = 0; c < HS_CLASS_N; c++) truth.efficiency[c] *= 0.7;
  pretend(&d, &truth, 0);
  struct hs_fit *f = fit(&d, 0);
  ck_assert_int_eq(find(f, "efficiency conv_3x3")->state, HS_FITTED);
  ck_assert_double_eq_tol(f->kernel.efficiency[HS_CLASS_CONV_OTHER] / truth.efficiency[HS_CLASS_CONV_OTHER], 1, 0.02);
  stand_up(&d);
}
END_TEST

/* What convolutions are launched by is looked for number by number, and written so. */
START_TEST(written_with_launch)
{
  struct desk d;
  sit_down(&d, "sd855", "tflite");
  add_grid(&d);
  const struct hs_kernel truth = known(&d);
  pretend(&d, &truth, 0);
  struct hs_fit *f = fit(&d, 0);
  for (int i = 0; i < f->n_coefficients; i++)
    for (int k = 0; k < i; k++) ck_assert_msg(f->coefficients[i].target != f->coefficients[k].target, "%s is %s", f->coefficients[i].name, f->coefficients[k].name);
  const struct hs_kernel_launch *is = &write_and_read(&d)->kernels[0].launch, *was = &f->kernel.launch;
  ck_assert_int_eq(is->units, was->units);
  ck_assert_int_eq(is->resident[0], was->resident[0]);
  ck_assert_int_eq(is->resident[1], was->resident[1]);
  const double read[] = {is->pixel_reads, is->loop_reads_1x1, is->loop_reads, is->store_reads, is->slice_reads, is->last_round, is->constant_efficiency};
  const double fitted[] = {was->pixel_reads, was->loop_reads_1x1, was->loop_reads, was->store_reads, was->slice_reads, was->last_round, was->constant_efficiency};
  for (int i = 0; i < 7; i++) ck_assert_double_eq_tol(read[i] / fitted[i], 1, 1e-3);
  stand_up(&d);
}
END_TEST

/* Convolutions from buffers on an Adreno have no efficiency: a fit finds lines_per_cycle, and it and the shape of a group are written. */
START_TEST(written_with_lines)
{
  struct desk d;
  sit_down(&d, "sd855", "mace");
  d.m.memory_type = HS_BUFFER;
  add_grid(&d);
  const struct hs_processor *gpu = &d.soc->processors[hs_soc_find(d.soc, "gpu")];
  const struct hs_kernel *was = hs_profile_find(d.own, gpu, HS_FP32, HS_BUFFER);
  struct hs_kernel truth = *was;
  truth.group.lines_per_cycle *= 0.4;
  truth.efficiency[HS_CLASS_DEPTHWISE] *= 0.5;
  pretend(&d, &truth, 0);
  struct hs_fit *f = fit(&d, 0);
  ck_assert_int_eq(find(f, "lines_per_cycle")->state, HS_FITTED);
  ck_assert_double_eq_tol(f->kernel.group.lines_per_cycle / truth.group.lines_per_cycle, 1, 0.01);
  ck_assert_double_eq_tol(f->kernel.efficiency[HS_CLASS_DEPTHWISE] / truth.efficiency[HS_CLASS_DEPTHWISE], 1, 0.01);
  const struct hs_profile *again = write_and_read(&d);
  const struct hs_kernel *is = hs_profile_find(again, gpu, HS_FP32, HS_BUFFER);
  ck_assert_double_eq_tol(is->group.lines_per_cycle / f->kernel.group.lines_per_cycle, 1, 1e-3);
  ck_assert_int_eq(is->group.blocks, was->group.blocks);
  ck_assert_int_eq(is->group.rows, was->group.rows);
  ck_assert_double_eq(is->group.bytes_per_cycle, was->group.bytes_per_cycle);
  ck_assert_str_eq(source_name(again, (int)(is - again->kernels), "work_group.lines_per_cycle"), "gpu-fp32-01234567");
  ck_assert_str_eq(source_name(again, (int)(is - again->kernels), "work_group.bytes_per_cycle"), "stream");
  stand_up(&d);
}
END_TEST

/* A coefficient that the rows leave open keeps value and source, one that follows another keeps following. */
START_TEST(undetermined_source)
{
  struct desk d;
  struct hs_text t = {0};
  sit_down(&d, "sd855", "mace");
  d.m.own = NULL;
  hs_text_add(&t, "processor,op,h,cin,cout,kernel,threads,latency_s\n");
  for (int i = 0; i < 60; i++) hs_text_addf(&t, "cpu,Conv,%d,64,%d,3,%d,1\n", 20 + i / 2, 32 + 8 * (i % 5), 1 + i % 4);
  add_rows(&d, t.s, false);
  hs_text_free(&t);
  struct hs_kernel truth = *d.m.rows[0].bench->sys.backends[0].kernel;
  truth.efficiency[HS_CLASS_CONV_3X3] = 0.4;
  truth.serial_frac = 0.3;
  pretend(&d, &truth, 0.01);
  struct hs_fit *f = fit(&d, 0);
  const struct hs_profile *again = write_and_read(&d);
  ck_assert_int_eq(find(f, "traffic_factor")->state, HS_FIT_UNDETERMINED);
  ck_assert_str_eq(source_name(again, 0, "traffic_factor"), "any-cpu");
  ck_assert_double_eq(again->kernels[0].traffic_factor, f->base->traffic_factor);
  ck_assert_str_eq(source_name(again, 0, "serial_frac"), "cpu-fp32-01234567");
  ck_assert_double_eq_tol(again->kernels[0].serial_frac, 0.3, 0.02);
  ck_assert_double_eq(again->kernels[0].serial_light_frac, again->kernels[0].serial_frac);
  hs_text_free(&t);
  stand_up(&d);
}
END_TEST

/* Kirin 990's GPU has no reduction_half_grouped: what isn't determined goes with reduction_half, which was fitted, and isn't said to be kept. */
START_TEST(goes_with_another)
{
  struct desk d;
  struct hs_text t = {0};
  sit_down(&d, "kirin990", "tflite");
  add_grid(&d);
  hs_text_add(&t, "processor,op,h,cin,cout,kernel,group,latency_s\n");
  for (int i = 0; i < 12; i++) hs_text_addf(&t, "gpu,Conv,%d,64,64,3,16,1\n", 20 + 2 * i);
  add_rows(&d, t.s, false);
  struct hs_kernel truth = known(&d);
  truth.reduction_half_grouped = truth.reduction_half;
  pretend(&d, &truth, 0.05);
  struct hs_fit *f = fit(&d, 0);
  const struct hs_coefficient *c = find(f, "reduction_half_grouped");
  ck_assert_int_eq(c->state, HS_FIT_UNDETERMINED);
  ck_assert_double_eq(c->value, f->kernel.reduction_half);
  ck_assert_double_ne(c->value, c->before);
  t.len = 0;
  hs_calibration_text(&d.m, f, 1, &t);
  ck_assert_ptr_nonnull(strstr(t.s, "the data don't determine reduction_half_grouped: without a value of its own it is "));
  hs_text_free(&t);
  stand_up(&d);
}
END_TEST

/* Rows under the profile that was written have the errors that the table has: 0 networks and 1 operators with the SoC's profile before,
 * 2 and 3 with the estimate, 4 operators and networks. */
START_TEST(written_errors)
{
  struct desk d;
  bool cpu = _i == 0 || _i == 2;
  sit_down(&d, "sd855", "tflite");
  if (_i == 2 || _i == 3) d.m.own = NULL;
  (cpu ? add_networks : add_grid)(&d);
  if (_i == 4) add_rows(&d, "model,processor,latency_ms\nresnet18,gpu,1\nvgg16,gpu,1\nsqueezenet,gpu,1\nmobilenet_v1,gpu,1\n", false);
  struct hs_kernel truth = *d.m.rows[0].bench->sys.backends[d.m.rows[0].bench->processor].kernel;
  truth.overhead_cycles *= 2;
  truth.reduction_half = 20;
  for (int c = 0; c < HS_CLASS_N; c++) truth.efficiency[c] *= c % 3 ? 0.4 : 0.7;
  pretend(&d, &truth, 0.05);
  hs_measurements_keep_out(&d.m, 0.25);
  struct hs_fit *f = fit(&d, 0);
  const struct hs_profile *again = write_and_read(&d);
  for (int i = 0; i < d.m.n_benches; i++) {
    struct hs_bench *b = d.m.benches[i];
    struct hs_backend *backend = &b->sys.backends[b->processor];
    backend->kernel = hs_profile_find(again, &d.soc->processors[b->processor], backend->precision, backend->memory_type);
  }
  for (int kept_out = 0; kept_out < 2; kept_out++)
    for (int kind = 0; kind < HS_ROW_KIND_N; kind++) {
      struct hs_errors is = hs_fit_errors(f, kept_out, (enum hs_row_kind)kind);
      ck_assert_int_eq(is.n, f->after[kept_out][kind].n);
      ck_assert_double_eq_tol(is.mape_frac, f->after[kept_out][kind].mape_frac, 1e-9);
      ck_assert_double_eq_tol(is.bias_frac, f->after[kept_out][kind].bias_frac, 1e-9);
    }
  ck_assert_double_gt(f->before[0][HS_ROWS_ALL].mape_frac, 0.2);
  ck_assert_int_gt(f->n_kept_out, 5);
  stand_up(&d);
}
END_TEST

/* A SoC without a profile gets one; what wasn't measured is the estimate, with its source. */
START_TEST(written_first)
{
  struct desk d;
  sit_down(&d, "kirin970", "mace");
  d.m.own = NULL; /* every SoC of the catalogue has one */
  struct hs_text rows = {0};
  hs_text_add(&rows, "processor,op,h,cin,cout,kernel,latency_us\n");
  for (int i = 0; i < 40; i++) hs_text_addf(&rows, "gpu,Conv,%d,64,%d,3,%d\n", 10 + i, 32 + 8 * (i % 5), 100 + (10 + i) * (10 + i));
  add_rows(&d, rows.s, false);
  struct hs_fit *f = fit(&d, 0);
  ck_assert(f->base_estimated);
  f->kernel.dense_depthwise = true; /* isn't fitted, but must not be lost */
  const struct hs_profile *again = write_and_read(&d);
  ck_assert_str_eq(again->soc, "kirin970");
  ck_assert_int_eq(again->n_kernels, 1);
  ck_assert(again->kernels[0].dense_depthwise);
  bool any = false;
  for (int i = 0; i < again->sources.n; i++) any |= strncmp(again->sources.list[i].name, "any-", 4) == 0;
  ck_assert(any);
  hs_text_free(&rows);
  stand_up(&d);
}
END_TEST

/* --- bad rows --- */

#define HEAD "processor,op,h,cin,cout,kernel,latency_s\n"
static const struct {
  const char *text, *message;
} refusals[] = {
  {"", "m.csv:1: is empty: a line with the names of the columns is missing"},
  {HEAD, "m.csv:1: too few rows: there is none"},
  {HEAD "gpu,Conv,7,16,16,1\n", "m.csv:2: 6 cells, where the header names 7 columns"},
  {HEAD "gpu,Conv,7,16,16,1,0,5\n", "m.csv:2: 8 cells, where the header names 7 columns; a number has a decimal point, and a cell with a comma stands in quotes"},
  {"processor;op;latency_s\ngpu;Relu;1\n", "m.csv:1: \"processor;op;latency_s\": commas separate columns, not semicolons"},
  {"processor\top\tlatency_s\ngpu\tRelu\t1\n", "m.csv:1: \"processor?op?latency_s\": commas separate columns, not tabs"},
  {HEAD "gpu,\"Conv,7,16,16,1,1\n", "m.csv:2: a quote that isn't closed, text behind one, or more than 40 columns"},
  {"processor,op,h,cin,cout,latency\n", "m.csv:1: unknown column \"latency\"; did you mean latency_s?"},
  {"processor,op,h,h,cin,latency_s\n", "m.csv:1: column \"h\" is there twice"},
  {"processor,op,h,cin\n gpu,Relu,1,1\n", "m.csv:1: no latency: one of latency_s, latency_ms and latency_us is needed"},
  {"processor,op,h,cin,latency_s,latency_ms\ngpu,Relu,1,1,1,1\n", "m.csv:1: mixed units: one of latency_s, latency_ms and latency_us is needed"},
  {"op,h,cin,latency_s\nRelu,1,1,1\n", "m.csv:1: column processor is missing"},
  {HEAD "gpu,Conv,7,16,16,1,3.5ms\n", "m.csv:2: latency_s: \"3.5ms\": mixed units, or not a number: the column's name says the unit of all rows"},
  {HEAD "gpu,Conv,7,16,16,1,\"3,5\"\n", "m.csv:2: latency_s: \"3,5\": a number has a decimal point"},
  {HEAD "gpu,Conv,7,16,16,1,\"3,5ms\"\n", "m.csv:2: latency_s: \"3,5ms\": mixed units, or not a number: the column's name says the unit of all rows"},
  {HEAD "gpu,Conv,7,16,16,1,-0.5\n", "m.csv:2: latency_s: -0.5 is not a latency in (0, 3600]"},
  {HEAD "gpu,Conv,7,16,16,1,0\n", "m.csv:2: latency_s: 0 is not a latency in (0, 3600]"},
  {HEAD "gpu,Conv,7,16,16,1,0x10\n", "m.csv:2: latency_s: \"0x10\" is not a number"},
  {HEAD "gpu,Conv,7,16,16,1,\n", "m.csv:2: latency_s: \"\" is not a number"},
  {HEAD "# remark\ngpu,Conv,7,16,16,1,nan\n", "m.csv:3: latency_s: \"nan\" is not a number"},
  {HEAD "gpu,Convv,7,16,16,1,1\n", "m.csv:2: op: there is no operator \"Convv\"; did you mean Conv?"},
  {HEAD "gpu,Transpose,7,16,,,1\n", "m.csv:2: op: a row can't describe Transpose: measure it in a network (the operator profile of one)"},
  {HEAD "gpuu,Conv,7,16,16,1,1\n", "m.csv:2: processor: sd855 has no \"gpuu\" (it has cpu, cpu-little, gpu, dsp, npu)"},
  {HEAD "gpu,Conv,7,16,,1,1\n", "m.csv:2: cout: is missing, and Conv needs it"},
  {HEAD "gpu,Relu,7,16,16,,1\n", "m.csv:2: cout: doesn't go with Relu"},
  {HEAD "gpu,Conv,7,,16,1,1\n", "m.csv:2: cin: is missing"},
  {HEAD "gpu,Conv,7.5,16,16,1,1\n", "m.csv:2: h: \"7.5\" is not a whole number in [1, 100000]"},
  {HEAD "gpu,,7,16,16,1,1\n", "m.csv:2: a row is of an operator (op) or of a whole network (model): neither is given"},
  {HEAD "gpu,Conv,7,16,16,1,1\ngpu,Conv,7,16,16,1,2\ngpu,Conv,7,16,16,1,1\n",
   "m.csv:4: duplicate: the same row as line 2 (the columns network and index tell operators apart that are alike)"},
  {"processor,op,h,cin,cout,kernel,pad,latency_s\ngpu,Conv,2,16,16,5,valid,1\n", "m.csv:2: Conv: a window of 5 doesn't fit in 2 with padding 0: the input is 1x2x2x16, NHWC"},
  {"processor,op,h,cin,cout,group,latency_s\ngpu,Conv,2,16,16,3,1\n", "m.csv:2: Conv: 16 input channels are not a multiple of group 3"},
  {"processor,op,h,cin,cout,latency_s\ngpu,DepthwiseConv,2,16,24,1\n", "m.csv:2: cout: 24 is not a multiple of cin, 16"},
  {"processor,precision,model,latency_s\ncpu,fp16,vgg16,1\n", "m.csv:2: precision: under tflite the cpu of sd855 doesn't compute in fp16"},
  {"processor,precision,model,latency_s\ncpu,fp31,vgg16,1\n", "m.csv:2: precision: \"fp31\" is not one of fp32, fp16, int8"},
  {"processor,memory_type,model,latency_s\ncpu,image,vgg16,1\n", "m.csv:2: memory_type: cpu is no GPU"},
  {"processor,threads,model,latency_s\ngpu,2,vgg16,1\n", "m.csv:2: threads: gpu is no CPU"},
  {"processor,threads,model,latency_s\ncpu,5,vgg16,1\n", "m.csv:2: threads: 5, and cpu has 4 cores"},
  {"processor,threads,cores,model,latency_s\ncpu,2,mid:2,vgg16,1\n", "m.csv:2: threads and cores are both given"},
  {"processor,cores,model,latency_s\ncpu,mid:4,vgg16,1\n", "m.csv:2: cores: 4 of mid, which has 3"},
  {"processor,cores,model,latency_s\ncpu,large:1,vgg16,1\n", "m.csv:2: cores: cpu has no domain \"large\""},
  {"processor,cores,model,latency_s\ncpu,mid=1,vgg16,1\n", "m.csv:2: cores: \"mid=1\" is not domain:number+domain:number…"},
  {"processor,cores,model,latency_s\ncpu,mid:1+mid:1,vgg16,1\n", "m.csv:2: cores: \"mid\" is there twice"},
  {"processor,cores,model,latency_s\ngpu,gpu:1,vgg16,1\n", "m.csv:2: cores: gpu is no CPU"},
  {"processor,h,model,latency_s\ncpu,7,vgg16,1\n", "m.csv:2: h: doesn't go with a whole network"},
};
enum { N_REFUSALS = sizeof refusals / sizeof *refusals };

START_TEST(refused)
{
  struct desk d;
  struct hs_error err;
  sit_down(&d, "sd855", "tflite");
  hs_test_refused(read_text(&d, refusals[_i].text, NULL, false, &err), &err, refusals[_i].message);
  stand_up(&d);
}
END_TEST

/* Without a width an image is square, without a height there is none. */
START_TEST(shapes_of_rows)
{
  static const struct hs_shape shapes[] = {{4, {1, 7, 7, 16}}, {4, {1, 7, 5, 16}}, {2, {1, 16}}};
  struct desk d;
  struct hs_error err;
  sit_down(&d, "sd855", "tflite");
  hs_test_accepted(read_text(&d, "processor,op,h,w,cin,latency_s\ncpu,Relu,7,,16,1\ncpu,Relu,7,5,16,1\ncpu,Relu,,,16,1\n", NULL, false, &err), &err);
  ck_assert_int_eq(d.m.n, 3);
  for (int i = 0; i < 3; i++) {
    const struct hs_graph *g = d.m.rows[i].graph;
    const struct hs_shape *s = &g->tensors[g->inputs[0]].shape;
    ck_assert_int_eq(s->rank, shapes[i].rank);
    for (int k = 0; k < s->rank; k++) ck_assert_int_eq(s->dim[k], shapes[i].dim[k]);
  }
  stand_up(&d);
}
END_TEST

/* A spreadsheet's file begins with a mark, may be in 16 bits, and ends in empty rows; binary ones are told as such. */
START_TEST(bytes)
{
  struct desk d;
  struct hs_error err;
  sit_down(&d, "sd855", "tflite");
  hs_test_accepted(read_text(&d, "\xef\xbb\xbf" HEAD "gpu,Conv,7,16,16,1,1\n", NULL, false, &err), &err);
  ck_assert_int_eq(d.m.n, 1);
  hs_test_accepted(read_text(&d, HEAD "gpu,Conv,7,16,16,1,2\r\n,,,,,,\r\n , ,\r\n", NULL, false, &err), &err);
  ck_assert_int_eq(d.m.n, 2);
  hs_test_refused(hs_measurements_parse(&d.m, "m.csv", "\xff\xfe" "a\0,\0b\0", 8, false, &err), &err, "m.csv:1: is UTF-16; save it as UTF-8");
  hs_test_refused(hs_measurements_parse(&d.m, "m.csv", "\xfe\xff" "\0a\0,\0b", 8, false, &err), &err, "m.csv:1: is UTF-16; save it as UTF-8");
  hs_test_refused(hs_measurements_parse(&d.m, "m.csv", "a,b\nc\0d", 7, false, &err), &err, "m.csv:2:2: is no text: it has a zero byte");
  hs_test_refused(hs_measurements_parse_tflite(&d.m, "m.csv", "\n\n\0", 3, "squeezenet", "gpu", false, &err), &err,
                  "m.csv:3:1: is no text: it has a zero byte");
  stand_up(&d);
}
END_TEST

START_TEST(unknown_model)
{
  struct desk d;
  struct hs_error err;
  sit_down(&d, "sd855", "tflite");
  ck_assert_int_eq(read_text(&d, "processor,model,latency_s\ncpu,vgg_16,1\n", NULL, false, &err), HS_INPUT);
  ck_assert_ptr_eq(strstr(hs_test_message(&err), "m.csv:2: model: there is no workload \"vgg_16\"; did you mean vgg16?"), hs_test_message(&err));
  stand_up(&d);
}
END_TEST

/* A network is the one that a row names: not the operator of a row before it, nor another file's network of that name. */
START_TEST(which_network)
{
  static const char workload[] = "{\"format\": \"hetsim-workload/1\", \"name\": \"vgg16\", \"title\": \"t\", \"source\": \"s\", "
                               "\"inputs\": [{\"name\": \"x\", \"shape\": [1, 8]}], \"outputs\": [\"y\"], "
                               "\"ops\": [{\"name\": \"y\", \"op\": \"Relu\", \"inputs\": [\"x\"]}]}";
  struct desk d;
  struct hs_error err;
  struct hs_text own = {0}, rows = {0};
  char path[] = "vgg16-XXXXXX.json";
  sit_down(&d, "sd855", "tflite");
  ck_assert_int_eq(read_text(&d, "processor,op,model,h,cin,latency_s\ncpu,Relu,,7,16,1\ncpu,,row,,,1\n", NULL, false, &err), HS_INPUT);
  ck_assert_ptr_nonnull(strstr(err.text, "there is no workload \"row\""));
  stand_up(&d);
  sit_down(&d, "sd855", "tflite");
  close(mkstemps(path, 5));
  hs_text_add(&own, workload);
  hs_test_accepted(hs_file_write(path, &own, &err), &err);
  hs_text_addf(&rows, "processor,model,latency_s\ncpu,%s,1\ncpu,vgg16,1\ncpu,%s,2\n", path, path);
  add_rows(&d, rows.s, false);
  unlink(path);
  ck_assert_int_eq(d.m.rows[0].graph->n_ops, 1);
  ck_assert_int_gt(d.m.rows[1].graph->n_ops, 1);
  ck_assert_ptr_eq(d.m.rows[2].graph, d.m.rows[0].graph);
  hs_text_free(&rows);
  hs_text_free(&own);
  stand_up(&d);
}
END_TEST

static const struct {
  int n;
  const char *row, *message; /* row: %d is the row's number */
} unfit[] = {
  {7, "gpu,Conv,%1$d,16,16,1,0.%1$d\n", "m.csv:2: too few rows for gpu, fp16, image: 7 to fit to, and it takes 8"},
  {20, "gpu,Conv,%d,16,16,1,0.001\n", "m.csv:2: constant column: all latencies of gpu, fp16, image are 0.001 s"},
  {20, "gpu,Conv,7,16,16,1,0.%d\n", "m.csv:2: constant columns: all rows of gpu, fp16, image are of the same operator or network, run alike"},
};

START_TEST(not_fitted)
{
  struct desk d;
  struct hs_error err;
  struct hs_fit f;
  struct hs_text t = {0};
  sit_down(&d, "sd855", "tflite");
  hs_text_add(&t, HEAD);
  for (int i = 0; i < unfit[_i].n; i++) {
    char row[80];
    snprintf(row, sizeof row, unfit[_i].row, 10 + i);
    hs_text_add(&t, row);
  }
  add_rows(&d, t.s, false);
  hs_test_refused(hs_fit_kernel(&d.m, 0, NULL, &f, &err), &err, unfit[_i].message);
  hs_fit_free(&f);
  hs_text_free(&t);
  stand_up(&d);
}
END_TEST

/* One row written in milliseconds where the others are in seconds. */
START_TEST(other_unit)
{
  struct desk d;
  struct hs_error err;
  struct hs_fit f;
  sit_down(&d, "sd855", "tflite");
  add_grid(&d);
  const struct hs_kernel truth = known(&d);
  pretend(&d, &truth, 0.05);
  d.m.rows[17].latency_s *= 1000;
  ck_assert_int_eq(hs_fit_kernel(&d.m, 0, NULL, &f, &err), HS_INPUT);
  ck_assert_int_eq(err.line, 19);
  ck_assert_ptr_eq(strstr(err.text, "mixed units? "), err.text);
  hs_fit_free(&f);
  stand_up(&d);
}
END_TEST

/* --- TensorFlow Lite's operator profile --- */

#define RUNS "Operator-wise Profiling Info for Regular Benchmark Runs:\n"
#define TITLE "============================== Run Order ==============================\n"
#define COLUMNS "node type, first, avg_ms, %, cdf%, mem KB, times called, name\n"

/* A profile of squeezenet (26 convolutions, 3 poolings, 8 concatenations, …): node k takes k µs. */
static char *profile(bool xnnpack, int convolutions)
{
  struct hs_text t = {0};
  int n = 0;
  hs_text_add(&t, "Profiling Info for Benchmark Initialization:\n" TITLE COLUMNS "AllocateTensors, 0.03, 0.03, 100%, 100%, 0, 1, AllocateTensors/0\n\n");
  hs_text_addf(&t, "Operator-wise Profiling Info for Regular Benchmark Runs:\n" TITLE "%s",
               xnnpack ? COLUMNS : "node type, start, first, avg_ms, %, cdf%, mem KB, times called, name\n");
  for (int i = 0; i < convolutions; i++, n++)
    if (xnnpack)
      hs_text_addf(&t, "Convolution (NHWC, F32) IGEMM, 0.1, %g, 4%%, 4%%, 0, 1, Delegate/Convolution (NHWC\t F32) IGEMM:%d\n", (n + 1) / 1000.0, n);
    else
      hs_text_addf(&t, "CONV_2D, 0, 0.1, %g, 4%%, 4%%, 0, 1, [conv]:%d\n", (n + 1) / 1000.0, n);
  hs_text_addf(&t, xnnpack ? "Constant Pad (ND, X32), 0.1, 0.5, 1%%, 1%%, 0, 1, p:99\n" : "PADV2, 0, 0.1, 0.5, 1%%, 1%%, 0, 1, p:99\n");
  hs_text_add(&t, "\n============================== Top by Computation Time ==============================\n" COLUMNS "CONV_2D, 0.1, 9, 4%, 4%, 0, 1, x:0\n\n");
  return t.s;
}

/* Networks that take what the profile says, scattered by 5 %. */
static void sit_down_with_networks(struct desk *d)
{
  sit_down(d, "sd855", "tflite");
  add_networks(d);
  const struct hs_kernel truth = *d->m.rows[0].bench->sys.backends[d->m.rows[0].bench->processor].kernel;
  pretend(d, &truth, 0.05);
}

/* Where so many are in another unit that a fit lies in between, no row is off by a thousand times. */
START_TEST(half_in_another_unit)
{
  struct desk d;
  struct hs_error err;
  struct hs_fit f;
  sit_down_with_networks(&d);
  for (int i = 0; i < d.m.n; i += 2) d.m.rows[i].latency_s *= 1000;
  ck_assert_int_eq(hs_fit_kernel(&d.m, 0, NULL, &f, &err), HS_INPUT);
  ck_assert_ptr_eq(strstr(err.text, "mixed units? "), err.text);
  hs_fit_free(&f);
  stand_up(&d);
}
END_TEST

/* Milliseconds under latency_s, or the other way round, in every row: none is odd among the others. */
START_TEST(all_in_another_unit)
{
  struct desk d;
  struct hs_error err;
  struct hs_fit f;
  sit_down_with_networks(&d);
  for (int i = 0; i < d.m.n; i++) d.m.rows[i].latency_s /= 1000;
  ck_assert_int_eq(hs_fit_kernel(&d.m, 0, NULL, &f, &err), HS_INPUT);
  ck_assert_int_eq(err.line, d.m.rows[0].line);
  ck_assert_msg(strncmp(err.text, "wrong unit? all ", 16) == 0 && strstr(err.text, " times as long as any fit has them"), "%s", err.text);
  hs_fit_free(&f);
  stand_up(&d);
}
END_TEST

/* A row of a file that is fitted can't be kept out as well, nor be there twice. */
START_TEST(copies_in_two_files)
{
  static const char rows[] = "processor,op,h,cin,latency_s\ngpu,Relu,7,16,1\ngpu,Relu,9,16,1\n", other[] = "processor,op,h,cin,latency_s\ngpu,Relu,9,16,2\ngpu,Relu,9,16,1\n";
  struct desk d;
  struct hs_error err;
  sit_down(&d, "sd855", "tflite");
  add_rows(&d, rows, false);
  ck_assert_int_eq(read_text(&d, other, NULL, _i == 0, &err), HS_INPUT);
  ck_assert_int_eq(err.line, 3);
  ck_assert_str_eq(err.text, "duplicate: the same row as line 3 of m.csv (the columns network and index tell operators apart that are alike)");
  stand_up(&d);
}
END_TEST

START_TEST(tflite_profile)
{
  struct desk d;
  struct hs_error err;
  sit_down(&d, "sd855", "tflite");
  d.m.threads = 2;
  char *text = profile(_i == 1, 26);
  hs_test_accepted(read_text(&d, text, "squeezenet", false, &err), &err);
  ck_assert_int_eq(d.m.n, 26);
  ck_assert_int_eq(d.m.n_notes, 1);
  for (int i = 0; i < 26; i++) {
    const struct hs_measurement *r = &d.m.rows[i];
    ck_assert_int_eq(r->graph->ops[r->op].type, HS_OP_CONV);
    ck_assert_double_eq_tol(r->latency_s, 1e-6 * (i + 1), 1e-12);
    if (i > 0) ck_assert_int_gt(r->op, d.m.rows[i - 1].op);
    ck_assert_int_eq(r->bench->sys.backends[0].threads, 2);
  }
  hs_measurements_keep_out(&d.m, 0.5); /* a network repeats its blocks: all of it, or nothing */
  for (int i = 1; i < 26; i++) ck_assert_int_eq(d.m.rows[i].kept_out, d.m.rows[0].kept_out);
  free(text);
  stand_up(&d);
}
END_TEST

static const struct {
  const char *text, *message;
} bad_profiles[] = {
  {"nothing\n", "m.csv:1: has no table \"Run Order\" of runs as benchmark_model --enable_op_profiling=true --profiling_output_csv_file=FILE writes it"},
  {TITLE COLUMNS "CONV_2D, 0.1, 0.1, 4%, 4%, 0, 1, x:0\n", "m.csv:3: 1 of CONV_2D, and squeezenet has 26 of Conv: is it the profile of this network?"},
  {TITLE COLUMNS "CONV_2D, 0.1, -2, 4%, 4%, 0, 1, x:0\n", "m.csv:3: avg_ms: -2 is not a latency in [0, 3.6e+06]"},
  {TITLE COLUMNS "CONV_2D, 0.1, 1e9, 4%, 4%, 0, 1, x:0\n", "m.csv:3: avg_ms: 1e9 is not a latency in [0, 3.6e+06]"},
  {TITLE COLUMNS "CONV_2D, 0.1, nan, 4%, 4%, 0, 1, x:0\n", "m.csv:3: is no line of an operator profile"},
  {TITLE COLUMNS "CONV_2D, 0.1, 50%, 4%, 4%, 0, 1, x:0\n", "m.csv:3: is no line of an operator profile"},
  {TITLE COLUMNS "CONV_2D, 0.1\n", "m.csv:3: is no line of an operator profile"},
  {TITLE COLUMNS "TfLiteGpuDelegateV2, 0.1, 12, 100%, 100%, 0, 1, x:0\n",
   "m.csv:3: TfLiteGpuDelegateV2 hides its operators: measure whole networks instead, or build benchmark_model with the delegate's profiling"},
  {TITLE COLUMNS "CONV_2D, 0.1, 2, 4%, 4%, 0, 13, x:0\n",
   "m.csv:3: times called: 13: the profiler joined several operators of one name; write the profile of a network that isn't cut into several delegates"},
  {TITLE COLUMNS "Copy (NC, X8), 0.1, 2, 4%, 4%, 0, 2, x:0\n", /* the rest is listed backwards then */
   "m.csv:3: times called: 2: the profiler joined several operators of one name; write the profile of a network that isn't cut into several delegates"},
  {"Profiling Info for Benchmark Initialization:\n" TITLE COLUMNS "AllocateTensors, 0.03, 0.03, 100%, 100%, 0, 1, AllocateTensors/0\n\n",
   "m.csv:1: has no table \"Run Order\" of runs as benchmark_model --enable_op_profiling=true --profiling_output_csv_file=FILE writes it"},
  {TITLE COLUMNS "CONCATENATION, 0, 0, 4%, 4%, 0, 1, x:0\nSOFTMAX, 0, 0, 0%, 0%, 0, 1, x:1\n",
   "m.csv:3: 1 of CONCATENATION, and squeezenet has 8 of Concat: is it the profile of this network?"},
  {TITLE COLUMNS "SOFTMAX, 0, 0, 0%, 0%, 0, 1, x:1\n",
   "m.csv:3: too few rows: of 1 nodes, from SOFTMAX on, none is an operator of squeezenet that ran on the cpu and took time: measure whole networks instead"},
  {TITLE COLUMNS "SOFTMAX, 0.1, 2, 4%, 4%, 0, 1, x:0\n\nDelegate internal: \n" TITLE COLUMNS "DelegateOpInvoke, 0.1, 2, 4%, 4%, 0, 1, Delegate/x:0\n",
   "m.csv:6: a second table \"Run Order\": of another benchmark, which goes into a file of its own; or of a subgraph or of what ran within a delegate: then neither "
   "is in the order in which they ran; measure whole networks instead"},
  {RUNS TITLE COLUMNS "SOFTMAX, 0.1, 2, 4%, 4%, 0, 1, x:0\n\n" RUNS TITLE COLUMNS "SOFTMAX, 0.1, 2, 4%, 4%, 0, 1, x:0\n", /* two runs, one behind the other */
   "m.csv:7: a second table \"Run Order\": of another benchmark, which goes into a file of its own; or of a subgraph or of what ran within a delegate: then neither "
   "is in the order in which they ran; measure whole networks instead"},
  {TITLE "node type;first;avg_ms;%;cdf%;mem KB;times called;name\nSOFTMAX;0,1;2;4%;4%;0;1;x:0\n",
   "m.csv:2: has no columns avg_ms and times called, with commas in between, as benchmark_model writes them"},
};

/* What looks words up is known by its name as well. */
START_TEST(tflite_gather)
{
  struct desk d;
  struct hs_error err;
  sit_down(&d, "sd855", "tflite");
  ck_assert_int_eq(read_text(&d, TITLE COLUMNS "GATHER, 0.1, 2, 4%, 4%, 0, 1, x:0\n", "tinybert4_128", false, &err), HS_INPUT);
  ck_assert_str_eq(hs_test_message(&err), "m.csv:3: 1 of GATHER, and tinybert4_128 has 3 of Gather: is it the profile of this network?");
  stand_up(&d);
}
END_TEST

START_TEST(tflite_refused)
{
  struct desk d;
  struct hs_error err;
  sit_down(&d, "sd855", "tflite");
  hs_test_refused(read_text(&d, bad_profiles[_i].text, "squeezenet", false, &err), &err, bad_profiles[_i].message);
  stand_up(&d);
}
END_TEST

/* Nodes that no delegate runs, and XNNPACK's, ran on a CPU, whatever the command line says. */
START_TEST(tflite_elsewhere)
{
  static const char *const types[] = {"SOFTMAX, 0.1, 2, 4%, 4%, 0, 1, [x]:0", "Softmax (NC, F32), 0.1, 2, 4%, 4%, 0, 1, Delegate/Softmax (NC\t F32):0",
                                      "SOFTMAX, 0.1, 2, 4%, 4%, 0, 1, Delegate/SOFTMAX:0"};
  struct desk d;
  struct hs_error err;
  struct hs_text t = {0};
  sit_down(&d, "sd855", "tflite");
  hs_text_add(&t, TITLE COLUMNS);
  hs_text_addf(&t, "%s\n", types[_i]);
  enum hs_status status = hs_measurements_parse_tflite(&d.m, "m.csv", t.s, t.len, "squeezenet", "dsp", false, &err);
  if (_i < 2) {
    ck_assert_int_eq(status, HS_INPUT);
    ck_assert_ptr_nonnull(strstr(err.text, "none is an operator of squeezenet that ran on the dsp"));
  } else
    hs_test_accepted(status, &err);
  ck_assert_int_eq(d.m.n, _i == 2);
  hs_text_free(&t);
  stand_up(&d);
}
END_TEST

/* Of MobileNet V3 Small's MULs nine scale channels, and nine are the sixth of a hard sigmoid, which is a BatchNormalization here. */
START_TEST(tflite_scales)
{
  static const struct {
    const char *type;
    int nodes, scales;
  } files[] = {{"MUL", 18, 9}, {"Multiply (ND, F32)", 18, 9}, {"MUL", 9, 0}, {"MUL", 17, -1}};
  struct desk d;
  struct hs_error err;
  struct hs_text t = {0};
  int scales = 0;
  sit_down(&d, "sd855", "tflite");
  hs_text_add(&t, TITLE COLUMNS);
  for (int i = 0; i < files[_i].nodes; i++) hs_text_addf(&t, "%s, 0.1, %d, 4%%, 4%%, 0, 1, [x]:%d\n", files[_i].type, i + 1, i);
  if (files[_i].scales < 0)
    hs_test_refused(read_text(&d, t.s, "mobilenet_v3_small", false, &err), &err, "m.csv:3: 17 of MUL, and mobilenet_v3_small has 9 of Mul: is it the profile of this network?");
  else {
    hs_test_accepted(read_text(&d, t.s, "mobilenet_v3_small", false, &err), &err);
    ck_assert_int_eq(d.m.n, files[_i].nodes);
    for (int i = 0; i < d.m.n; i++) {
      ck_assert_double_eq_tol(d.m.rows[i].latency_s, 1e-3 * (i + 1), 1e-12);
      if (i > 0) ck_assert_int_gt(d.m.rows[i].op, d.m.rows[i - 1].op);
      scales += d.m.rows[i].graph->ops[d.m.rows[i].op].type == HS_OP_BATCH_NORMALIZATION;
    }
    ck_assert_int_eq(scales, files[_i].scales);
  }
  hs_text_free(&t);
  stand_up(&d);
}
END_TEST

/* A converter makes more or fewer of these than the network has. */
START_TEST(tflite_converters)
{
  struct desk d;
  struct hs_error err;
  sit_down(&d, "sd855", "tflite");
  hs_test_accepted(read_text(&d, TITLE COLUMNS "RESHAPE, 0.1, 2, 4%, 4%, 0, 1, [x]:0\nRESHAPE, 0.1, 2, 4%, 4%, 0, 1, [x]:1\nSOFTMAX, 0.1, 3, 4%, 4%, 0, 1, [x]:2\n",
                             "mobilenet_v3_small", false, &err), &err);
  ck_assert_int_eq(d.m.n, 1);
  ck_assert_double_eq_tol(d.m.rows[0].latency_s, 3e-3, 1e-12);
  ck_assert_int_eq(d.m.n_notes, 1);
  const char *where = strrchr(d.m.notes[0], '/');
  ck_assert_str_eq(where ? where + 1 : d.m.notes[0], "m.csv:3: 2 of RESHAPE left out: mobilenet_v3_small has 1");
  stand_up(&d);
}
END_TEST

/* Before 2.9 a node's name, a list of its tensors, has commas. */
START_TEST(tflite_many_tensors)
{
  struct desk d;
  struct hs_error err;
  struct hs_text t = {0};
  sit_down(&d, "sd855", "tflite");
  hs_text_add(&t, TITLE "node type, start, first, avg_ms, %, cdf%, mem KB, times called, name\nSPLIT, 0, 0.1, 2, 4%, 4%, 0, 1, [a");
  for (int i = 0; i < 60; i++) hs_text_addf(&t, ", split:%d", i);
  hs_text_add(&t, "]:0\nSOFTMAX, 0, 0.1, 2, 4%, 4%, 0, 1, [x]:1\n");
  hs_test_accepted(read_text(&d, t.s, "squeezenet", false, &err), &err);
  ck_assert_int_eq(d.m.n, 1);
  ck_assert_int_eq(d.m.n_notes, 1); /* squeezenet has no split */
  hs_text_free(&t);
  stand_up(&d);
}
END_TEST

/* XNNPACK's own node holds the time of all that stand below. */
START_TEST(tflite_delegate)
{
  struct desk d;
  struct hs_error err;
  sit_down(&d, "sd855", "tflite");
  hs_test_accepted(read_text(&d, TITLE COLUMNS "TfLiteXNNPackDelegate, 2.1, 2, 100%, 100%, 0, 1, [Identity]:70\nSoftmax (NC, F32), 0.1, 2, 100%, 200%, 0, 1, "
                             "Delegate/Softmax (NC\t F32):0\n", "squeezenet", false, &err), &err);
  ck_assert_int_eq(d.m.n, 1);
  ck_assert_int_eq(d.m.n_notes, 1);
  ck_assert_ptr_nonnull(strstr(d.m.notes[0], "m.csv:3: 1 of TfLiteXNNPackDelegate left out: all that a delegate ran"));
  stand_up(&d);
}
END_TEST

/* With a delegate the tensors are allocated twice before the runs. */
START_TEST(tflite_initialisation)
{
  struct desk d;
  struct hs_error err;
  sit_down(&d, "sd855", "tflite");
  hs_test_accepted(read_text(&d, "Profiling Info for Benchmark Initialization:\n" TITLE COLUMNS "ModifyGraphWithDelegate, 5, 5, 60%, 60%, 0, 1, ModifyGraphWithDelegate/0\n"
                             "AllocateTensors, 3, 2, 40%, 100%, 0, 2, AllocateTensors/0\n\n" RUNS TITLE COLUMNS "Softmax (NC, F32), 0.1, 2, 4%, 4%, 0, 1, x:0\n",
                             "squeezenet", false, &err), &err);
  ck_assert_int_eq(d.m.n, 1);
  ck_assert_double_eq_tol(d.m.rows[0].latency_s, 2e-3, 1e-12);
  stand_up(&d);
}
END_TEST

START_TEST(tflite_as_csv)
{
  struct desk d;
  struct hs_error err;
  sit_down(&d, "sd855", "tflite");
  ck_assert_int_eq(read_text(&d, TITLE COLUMNS "CONV_2D, 0.1, 2, 4%, 4%, 0, 1, x:0\n", NULL, false, &err), HS_INPUT);
  ck_assert_ptr_nonnull(strstr(err.text, "write MODEL:PROCESSOR="));
  stand_up(&d);
}
END_TEST

static void fill(TCase *t)
{
  tcase_add_loop_test(t, known_coefficients, 0, 2);
  tcase_add_loop_test(t, standard_errors_hold, 0, 2);
  tcase_add_test(t, outliers);
  tcase_add_test(t, whole_networks);
  tcase_add_test(t, time_of_a_fork);
  tcase_add_loop_test(t, core_sets, 0, 2);
  tcase_add_loop_test(t, one_matrix_product, 0, 3);
  tcase_add_loop_test(t, not_above_the_peak, 0, 2);
  tcase_add_test(t, both_kinds);
  tcase_add_test(t, holdout_error);
  tcase_add_test(t, holdout_by_hash);
  tcase_add_test(t, holdout_of_networks);
  tcase_add_test(t, undetermined);
  tcase_add_test(t, one_sided);
  tcase_add_test(t, curve_begins);
  tcase_add_test(t, published);
  tcase_add_test(t, few_networks_on_a_gpu);
  tcase_add_loop_test(t, published_networks, 0, 3);
  tcase_add_loop_test(t, slices, 0, 2);
  tcase_add_test(t, same_again);
  tcase_add_test(t, only_what_is_asked);
  tcase_add_test(t, only_a_knot);
  tcase_add_loop_test(t, only_what_there_is, 0, sizeof unspoken / sizeof *unspoken);
  tcase_add_test(t, written);
  tcase_add_test(t, written_with_blocks);
  tcase_add_test(t, written_at_its_end);
  tcase_add_test(t, written_with_lines);
  tcase_add_test(t, rows_of_followers);
  tcase_add_test(t, written_with_launch);
  tcase_add_test(t, written_with_shaders);
  tcase_add_test(t, every_member_written);
  tcase_add_test(t, undetermined_source);
  tcase_add_test(t, goes_with_another);
  tcase_add_loop_test(t, written_errors, 0, 5);
  tcase_add_test(t, written_first);
  tcase_add_loop_test(t, refused, 0, N_REFUSALS);
  tcase_add_test(t, shapes_of_rows);
  tcase_add_test(t, bytes);
  tcase_add_test(t, unknown_model);
  tcase_add_test(t, which_network);
  tcase_add_loop_test(t, not_fitted, 0, sizeof unfit / sizeof *unfit);
  tcase_add_test(t, other_unit);
  tcase_add_test(t, half_in_another_unit);
  tcase_add_test(t, all_in_another_unit);
  tcase_add_loop_test(t, copies_in_two_files, 0, 2);
  tcase_add_loop_test(t, tflite_profile, 0, 2);
  tcase_add_test(t, tflite_gather);
  tcase_add_loop_test(t, tflite_refused, 0, sizeof bad_profiles / sizeof *bad_profiles);
  tcase_add_loop_test(t, tflite_elsewhere, 0, 3);
  tcase_add_loop_test(t, tflite_scales, 0, 4);
  tcase_add_test(t, tflite_converters);
  tcase_add_test(t, tflite_many_tensors);
  tcase_add_test(t, tflite_initialisation);
  tcase_add_test(t, tflite_delegate);
  tcase_add_test(t, tflite_as_csv);
}

int main(void) { return hs_test_main("calibrate", fill); }
