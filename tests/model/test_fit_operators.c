/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fitting a kernel to its operators: rows made with known coefficients give them back, with a standard error that holds; what no row tells,
 * or nobody asked for, stays. */
#include "tests/model/desk.h"

#include "program/calibrate_report.h"

/* Fitted once for all tests that look at it: the grid without noise (0), and with some (1). */
static struct desk grid[2];
static const double grid_noise[2] = {0, 0.1};

static void fit_grid(struct desk *d, double noise)
{
  sit_down(d, "sd855", "tflite");
  add_grid(d);
  const struct hs_kernel truth = known(d);
  pretend(d, &truth, noise);
  fit(d, 0);
}

static void fit_grids(void)
{
  for (int i = 0; i < 2; i++) fit_grid(&grid[i], grid_noise[i]);
}

static void free_grids(void)
{
  for (int i = 0; i < 2; i++) stand_up(&grid[i]);
}

START_TEST(known_coefficients)
{
  const double noise = grid_noise[_i];
  const struct hs_fit *f = &grid[_i].fit;
  const struct hs_kernel truth = known(&grid[_i]);
  int fitted = 0;
  for (int i = 0; i < f->n_coefficients; i++) {
    const struct hs_coefficient *c = &f->coefficients[i];
    double is = of_curve(c) ? 1 : true_value(&truth, f, i);
    if (c->state != HS_FITTED) continue;
    fitted++;
    ck_assert_msg(c->error > 0, "%s", c->name);
    if (noise > 0) ck_assert_msg(fabs(c->value - is) < 4 * c->error, "%s: %g +- %g, is %g", c->name, c->value, c->error, is);
    if (noise > 0) ck_assert_msg(c->error < 0.3 * fmax(is, c->value), "%s: %g +- %g says nothing", c->name, c->value, c->error);
    /* the curve is 28 times off before, and its first knot has few rows */
    if (noise <= 0)
      ck_assert_msg(fabs(c->value - is) < fmax(0.02 * is, of_curve(c) ? 2 * c->error : 0), "%s: %g +- %g, is %g", c->name, c->value, c->error, is);
  }
  ck_assert_int_ge(fitted, 12);
  ck_assert_double_lt(f->after[0][HS_ROWS_ALL].mape_frac, noise > 0 ? 0.09 : 0.002); /* a normal's mean |x| is 0.8 of its deviation */
  if (noise > 0) ck_assert_double_gt(f->after[0][HS_ROWS_ALL].mape_frac, 0.07);
  ck_assert_double_gt(f->before[0][HS_ROWS_ALL].mape_frac, 0.3);
}
END_TEST

/* Two standard errors to either side hold what is true in 95 of 100 cases, also where small operators scatter four times as much (1). */
START_TEST(standard_errors_hold)
{
  int n = 0, within = 0;
  for (uint64_t seed = 1; seed <= 30; seed++) {
    struct desk d;
    sit_down(&d, "kirin970", "tflite"); /* not launched by rules, by which a few of these rows alone tell what constants and a depth cost */
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

/* Of a Mali's kernel each number that isn't a count, and one efficiency for all that it launches; what tensors cost in networks no operator tells. */
START_TEST(launched_on_a_mali)
{
  static const char *const efficiencies[] = {"efficiency conv_3x3", "efficiency conv_3x3_strided", "efficiency conv_other", "efficiency grouped"};
  struct desk d;
  sit_down(&d, "kirin990", "tflite");
  add_grid(&d);
  add_rows(&d, "processor,op,h,cin,cout,kernel,group,latency_s\ngpu,Conv,28,64,64,3,4,1\ngpu,Conv,14,128,128,3,8,1\ngpu,Conv,56,32,64,3,4,1\n"
               "gpu,Conv,28,128,256,3,8,1\n", false);
  struct hs_kernel truth = *hs_profile_find(d.own, &d.soc->processors[hs_soc_find(d.soc, "gpu")], HS_FP16, HS_IMAGE);
  struct hs_kernel_mali *m = &truth.mali;
  const double *const numbers[] = {&m->pixel_reads,            &m->wait[0],               &m->wait[1],         &m->later,
                                   &m->weight_cycles_per_byte, &m->store_cycles_per_byte, &m->transform_cycles_per_byte, &truth.efficiency[HS_CLASS_CONV_1X1]};
  m->pixel_reads *= 1.4;
  m->wait[0] *= 1.3;
  m->wait[1] *= 1.5;
  m->later *= 0.8;
  m->weight_cycles_per_byte *= 1.5;
  m->store_cycles_per_byte *= 0.7;
  m->transform_cycles_per_byte *= 1.3;
  for (int c = HS_CLASS_CONV_1X1; c <= HS_CLASS_MATMUL; c++) truth.efficiency[c] *= 0.8;
  pretend(&d, &truth, 0);
  const struct hs_fit *f = fit(&d, 0);
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
    double fitted = *(const double *)((const char *)&f->kernel + ((const char *)numbers[i] - (const char *)&truth));
    ck_assert_msg(fabs(fitted / *numbers[i] - 1) < 0.02, "%zu: %g, not %g", i, fitted, *numbers[i]);
  }
  for (size_t i = 0; i < sizeof efficiencies / sizeof *efficiencies; i++)
    for (int k = 0; k < f->n_coefficients; k++) ck_assert_str_ne(f->coefficients[k].name, efficiencies[i]);
  for (int k = 0; k < f->n_coefficients; k++) ck_assert_str_ne(f->coefficients[k].name, "move_cycles_per_byte");
  ck_assert_double_eq(f->kernel.efficiency[HS_CLASS_CONV_OTHER], f->kernel.efficiency[HS_CLASS_CONV_1X1]);
  ck_assert_double_eq(f->kernel.efficiency[HS_CLASS_GROUPED], f->kernel.efficiency[HS_CLASS_CONV_1X1]);
  const struct hs_kernel_mali *again = &hs_profile_find(write_and_read(&d), &d.soc->processors[hs_soc_find(d.soc, "gpu")], HS_FP16, HS_IMAGE)->mali;
  ck_assert_double_eq_tol(again->transform_cycles_per_byte / m->transform_cycles_per_byte, 1, 0.02);
  ck_assert_int_eq(again->items, m->items);
  stand_up(&d);
  sit_down(&d, "kirin990", "tflite"); /* without a 3×3 nothing tells of transforms */
  struct hs_text t = {0};
  hs_text_add(&t, "processor,op,h,cin,cout,kernel,latency_s\n");
  for (int i = 0; i < 12; i++) hs_text_addf(&t, "gpu,Conv,%d,64,64,1,1\n", 14 + 4 * i);
  add_rows(&d, t.s, false);
  pretend(&d, hs_profile_find(d.own, &d.soc->processors[hs_soc_find(d.soc, "gpu")], HS_FP16, HS_IMAGE), 0.02);
  f = fit(&d, 0);
  for (int k = 0; k < f->n_coefficients; k++) ck_assert_str_ne(f->coefficients[k].name, "transform_cycles_per_byte");
  hs_text_free(&t);
  stand_up(&d);
}
END_TEST

/* A CPU's operators on one core set, the smallest of a few microseconds. */
static void add_cpu_grid(struct desk *d)
{
  static const int sizes[] = {7, 14, 28, 56}, channels[] = {16, 64, 160};
  struct hs_text t = {0};
  hs_text_add(&t, "processor,precision,op,h,cin,cout,kernel,stride,latency_s\n");
  for (int s = 0; s < 4; s++)
    for (int i = 0; i < 3; i++) {
      for (int o = 0; o < 3; o++)
        for (int k = 1; k <= 3; k += 2) hs_text_addf(&t, "cpu,fp32,Conv,%d,%d,%d,%d,1,1\n", sizes[s], channels[i], channels[o], k);
      hs_text_addf(&t, "cpu,fp32,DepthwiseConv,%d,%d,,3,1,1\ncpu,fp32,DepthwiseConv,%d,%d,,5,1,1\n", sizes[s], channels[i], sizes[s], channels[i]);
      hs_text_addf(&t, "cpu,fp32,MaxPool,%d,%d,,3,2,1\ncpu,fp32,Add,%d,%d,,,,1\n", sizes[s], channels[i], sizes[s], channels[i]);
    }
  hs_text_add(&t, "cpu,fp32,Conv,224,3,32,7,2,1\n"); /* the only one of its class */
  add_rows(d, t.s, false);
  hs_text_free(&t);
}

/* Rows on one core set don't tell serial parts from rates; what the kernel has is a coefficient all the same, and so is the rate of a class
 * with one row, or what these are off by would pass for what others are. Also of latencies in whole microseconds (1). */
START_TEST(what_one_core_set_leaves_open)
{
  static const char *const open[] = {"serial_light_frac", "serial_depthwise_frac"};
  struct desk d;
  int n = 0, within = 0;
  for (uint64_t seed = 1; seed <= 5; seed++) {
    sit_down(&d, "sd855", "tflite");
    add_cpu_grid(&d);
    struct hs_kernel truth = *d.m.rows[0].bench->sys.backends[0].kernel;
    truth.serial_light_frac = 0.7;
    truth.serial_depthwise_frac = 0.45;
    truth.light_move_cycles_per_byte *= 1.4;
    truth.window_cycles_per_byte *= 0.7;
    truth.overhead_cycles *= 0.6;
    truth.efficiency[HS_CLASS_CONV_OTHER] *= 0.7;
    pretend_noisy(&d, &truth, 0.03, 1, seed);
    for (int i = 0; i < d.m.n && _i; i++) {
      struct hs_measurement *r = &d.m.rows[i];
      r->rounded_s = 0.5e-6;
      r->latency_s = 1e-6 * fmax(1, round(1e6 * r->latency_s));
    }
    const struct hs_fit *f = fit(&d, 0);
    for (size_t i = 0; i < sizeof open / sizeof *open; i++) ck_assert_double_gt(find(f, open[i])->error, 0.15);
    ck_assert_double_gt(find(f, "efficiency conv_other")->error, 0);
    const struct hs_coefficient *overhead = find(f, "overhead_cycles");
    ck_assert_msg(fabs(overhead->value - truth.overhead_cycles) < 2.5 * overhead->error, "%g +- %g", overhead->value, overhead->error);
    for (int i = 0; i < f->n_coefficients; i++) {
      const struct hs_coefficient *c = &f->coefficients[i];
      if (c->state == HS_FIT_UNDETERMINED) continue;
      n++;
      within += fabs(c->value - (of_curve(c) ? 1 : true_value(&truth, f, i))) < 2 * c->error;
    }
    stand_up(&d);
  }
  ck_assert_int_gt(n, 60);
  ck_assert_msg(within > 0.95 * n, "%d of %d", within, n);
}
END_TEST

/* Odd rows that are far off move a robust fit little, and are known: how many, and the five furthest, these by their distance. */
START_TEST(outliers)
{
  struct desk d;
  sit_down(&d, "sd855", "tflite");
  add_grid(&d);
  const struct hs_kernel truth = known(&d);
  pretend(&d, &truth, 0.05);
  for (int i = 0; i < d.m.n; i += 12) d.m.rows[i].latency_s *= i ? 4 : 0.1;
  struct hs_fit *f = fit(&d, 0);
  ck_assert_int_eq(f->n_odd, (d.m.n + 11) / 12);
  ck_assert_int_gt(f->n_odd, HS_FIT_ODD_MAX);
  ck_assert_ptr_eq(f->odd[0].row, &d.m.rows[0]);
  ck_assert_double_eq_tol(f->odd[0].times, 0.1, 0.03);
  for (int i = 1; i < HS_FIT_ODD_MAX; i++) {
    ck_assert_double_gt(f->odd[i].times, HS_FIT_ODD);
    if (i > 1) ck_assert_double_le(f->odd[i].times, f->odd[i - 1].times);
  }
  ck_assert_double_lt(f->after[0][HS_ROWS_ALL].median_frac, 0.05);
  ck_assert_int_eq(find(f, "efficiency conv_3x3")->state, HS_FITTED);
  ck_assert_double_eq_tol(f->kernel.efficiency[HS_CLASS_CONV_3X3] / truth.efficiency[HS_CLASS_CONV_3X3], 1, 0.25);
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

/* A profile may have more than a fit allows: the fit begins at the bound, which is told. What isn't fitted stays as it is. */
START_TEST(above_the_bound)
{
  struct desk d;
  struct hs_error err;
  sit_down(&d, "sd855", "tflite");
  add_grid(&d);
  const struct hs_kernel truth = known(&d);
  pretend(&d, &truth, 0.05);
  for (int i = 0; i < d.own->n_kernels; i++) d.own->kernels[i].efficiency[HS_CLASS_REDUCE] = 1.25;
  hs_test_accepted(fit_only(&d.m, 0, _i ? "overhead_cycles" : NULL, &d.fit, &err), &err);
  ck_assert_int_eq(d.m.n_notes, !_i);
  if (_i)
    ck_assert_double_eq(d.fit.kernel.efficiency[HS_CLASS_REDUCE], 1.25);
  else
    ck_assert_str_eq(d.m.notes[0], "gpu, fp16, image: efficiency reduce was 1.25, and a fit allows no more than 1");
  if (!_i) ck_assert_double_eq(find(&d.fit, "efficiency reduce")->before, 1);
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
  ck_assert_double_eq_tol(f->after[1][HS_ROWS_ALL].middle_frac, -0.2, 0.004);
  int first = 0;
  while (!d.m.rows[first].kept_out) first++;
  d.m.rows[first].latency_s /= 1e4; /* one that is far off turns the mean, but not the median */
  struct hs_errors is = hs_fit_errors(f, 1, HS_ROWS_ALL);
  ck_assert_double_gt(is.bias_frac, 1);
  ck_assert_double_eq_tol(is.middle_frac, -0.2, 0.004);
  ck_assert_double_lt(f->after[0][HS_ROWS_ALL].mape_frac, 0.004);
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
  for (int i = d.m.n - 2; i < d.m.n; i++) d.m.rows[i].latency_s = 1.04 * hs_measurement_model_s(&d.m.rows[i]);
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

/* An extract of published measurements: the fit is as good as they allow, and rows of a network it hasn't seen come out alike. The profile
 * before is of the same phone: what so few rows say little of isn't carried far from it, though that would fit these a hair better. */
START_TEST(published)
{
  struct desk d;
  sit_down(&d, "sd855", "tflite");
  add_data(&d, "sd855-tflite-gpu-operators.csv");
  ck_assert_int_eq(d.m.n, 90);
  for (int i = 0; i < d.m.n; i++) d.m.rows[i].kept_out = strcmp(d.m.rows[i].network, "resnet18") == 0;
  struct hs_fit *f = fit(&d, 0);
  ck_assert_double_lt(f->after[0][HS_ROWS_ALL].median_frac, 0.12);
  ck_assert_double_lt(f->after[1][HS_ROWS_ALL].median_frac, 0.25);
  for (int i = 0; i < f->n_coefficients; i++) {
    const struct hs_coefficient *c = &f->coefficients[i];
    ck_assert_msg(fabs(log(c->value / c->before)) < log(4), "%s: %g before, %g", c->name, c->before, c->value);
  }
  ck_assert_int_eq(hs_fit_errors(f, true, HS_ROWS_SUMS).n, 1);
  ck_assert_int_eq(hs_fit_errors(f, false, HS_ROWS_SUMS).n, 2);
  stand_up(&d);
}
END_TEST

/* A network's operators are summed by cores: 1.3 times as slow on one and as fast on three would even out. */
START_TEST(sums_by_cores)
{
  struct desk d;
  struct hs_text t = {0};
  sit_down(&d, "sd855", "tflite");
  hs_text_add(&t, "network,index,processor,precision,cores,op,h,cin,cout,kernel,stride,latency_s\n");
  for (int i = 0; i < 40; i++) hs_text_addf(&t, "n,%d,cpu,fp32,%s,Conv,%d,%d,64,3,1,1\n", i / 2, i % 2 ? "mid:3" : "big:1", 7 + i / 2, 16 + i % 5 * 8);
  add_rows(&d, t.s, false);
  pretend(&d, hs_profile_find(d.own, &d.soc->processors[hs_soc_find(d.soc, "cpu")], HS_FP32, HS_IMAGE), 0);
  for (int i = 0; i < d.m.n; i++) d.m.rows[i].latency_s *= i % 2 ? 1 / 1.3 : 1.3;
  const struct hs_errors sums = fit(&d, 0)->before[0][HS_ROWS_SUMS];
  ck_assert_int_eq(sums.n, 2);
  ck_assert_double_eq_tol(sums.mape_frac, (0.3 + 0.3 / 1.3) / 2, 1e-9);
  hs_text_free(&t);
  stand_up(&d);
}
END_TEST

START_TEST(same_again)
{
  struct desk d;
  const struct hs_fit *once = &grid[1].fit;
  fit_grid(&d, grid_noise[1]);
  ck_assert_int_eq(d.fit.n_coefficients, once->n_coefficients);
  for (int i = 0; i < once->n_coefficients; i++) ck_assert(d.fit.coefficients[i].value == once->coefficients[i].value);
  stand_up(&d);
}
END_TEST

/* What chooses among boxes has cycles in every kernel, which no file needs to name: a phone that takes 5 for each operation is told from 2,
 * and the profile that is written names them, with the fit as their source. */
START_TEST(detections_are_fitted)
{
  struct desk d;
  struct hs_error err;
  sit_down(&d, "sd855", "tflite");
  add_rows(&d, "model,processor,precision,threads,latency_ms\n"
               "ssd_mobilenet_v1_detections,cpu,fp32,1,1\nssd_mobilenet_v2_detections,cpu,fp32,1,1\nssdlite_mobilenet_v2_detections,cpu,fp32,1,1\n"
               "efficientdet_lite0_detections,cpu,fp32,1,1\nefficientdet_lite1_detections,cpu,fp32,1,1\nefficientdet_lite2_detections,cpu,fp32,1,1\n"
               "efficientdet_lite0_detections,cpu,fp32,4,1\nefficientdet_lite1_detections,cpu,fp32,4,1\n", false);
  const struct hs_bench *b = d.m.rows[0].bench;
  struct hs_kernel truth = *b->sys.backends[b->processor].kernel;
  ck_assert_double_eq(truth.operator_cycles[HS_OP_DETECTION_POST_PROCESS], 2);
  truth.operator_cycles[HS_OP_DETECTION_POST_PROCESS] = 5;
  pretend(&d, &truth, 0);
  hs_test_accepted(fit_only(&d.m, 0, "cycles DetectionPostProcess", &d.fit, &err), &err);
  ck_assert_double_eq_tol(find(&d.fit, "cycles DetectionPostProcess")->value, 5, 0.05);
  const struct hs_profile *again = write_and_read(&d);
  ck_assert_double_eq_tol(again->kernels[0].operator_cycles[HS_OP_DETECTION_POST_PROCESS], 5, 0.05);
  ck_assert_ptr_nonnull(strstr(d.written.s, "\"DetectionPostProcess\": \"cpu-fp32-01234567\""));
  stand_up(&d);
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
               "deit_tiny_224,cpu,int8,big:1,1\ndeit_tiny_224,cpu,int8,mid:3,1\nefficientformer_l1_300,cpu,int8,big:1,1\n"
               "efficientformer_l1_300,cpu,int8,mid:3,1\n"
               "vit_b32_224,cpu,int8,big:1,1\nvit_b32_224,cpu,int8,mid:3,1\nswin_tiny_224,cpu,int8,big:1,1\nswin_tiny_224,cpu,int8,mid:3,1\n", false);
  const struct hs_bench *b = d.m.rows[0].bench;
  struct hs_kernel truth = *b->sys.backends[b->processor].kernel;
  const double gelu = truth.operator_cycles[HS_OP_GELU], norm = truth.operator_cycles[HS_OP_LAYER_NORMALIZATION];
  truth.operator_cycles[HS_OP_GELU] = 2 * gelu;
  truth.operator_cycles[HS_OP_LAYER_NORMALIZATION] = norm / 2;
  pretend(&d, &truth, 0);
  hs_test_accepted(fit_only(&d.m, 0, "cycles LayerNormalization,cycles Gelu", &d.fit, &err), &err);
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
  hs_test_accepted(fit_only(&d.m, 0, "overhead_cycles", &d.fit, &err), &err);
  ck_assert_ptr_eq(d.fit.base, &before);
  d.fit.kernel.overhead_cycles = d.fit.base->overhead_cycles;
  ck_assert_mem_eq(&d.fit.kernel, d.fit.base, sizeof *k);
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
  ck_assert_int_eq(fit_only(&d.m, 0, unspoken[_i].only, &d.fit, &err), HS_USAGE);
  ck_assert_msg(strstr(err.text, unspoken[_i].message) != NULL, "%s", err.text);
  stand_up(&d);
}
END_TEST

/* All that rows of every kind speak of is named, or that there is more. */
START_TEST(all_there_is_is_named)
{
  struct desk d;
  struct hs_error err;
  struct hs_text t = {0};
  sit_down(&d, "sd855", "tflite");
  add_grid(&d);
  hs_text_add(&t, "processor,op,h,cin,cout,kernel,stride,group,latency_s\n");
  for (int i = 0; i < 12; i++)
    hs_text_addf(&t, "gpu,Gemm,,%d,%d,,,,1\ngpu,MaxPool,%d,%d,,3,2,,1\ngpu,Concat,%d,%d,,,,,1\ngpu,Conv,%d,%d,%d,3,1,4,1\n", 64 + 32 * i, 4 << i % 8, 14 + 4 * i,
                 16 + 16 * i, 14 + 4 * i, 16 + 16 * i, 14 + 2 * i, 32 + 32 * i, 32 + 32 * i);
  add_rows(&d, t.s, false);
  pretend(&d, hs_profile_find(d.own, &d.soc->processors[hs_soc_find(d.soc, "gpu")], HS_FP16, HS_IMAGE), 0);
  ck_assert_int_eq(fit_only(&d.m, 0, "?", &d.fit, &err), HS_USAGE);
  const char *last = strstr(err.text, "saturation at ln 10)");
  ck_assert_msg(last && !strchr(last, ',') && strlen(err.text) > 700, "%s", err.text);
  hs_text_free(&t);
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

static void fill(TCase *t)
{
  tcase_add_unchecked_fixture(t, fit_grids, free_grids); /* in the parent of the processes that each test is */
  tcase_add_loop_test(t, known_coefficients, 0, 2);
  tcase_add_loop_test(t, standard_errors_hold, 0, 2);
  tcase_add_test(t, launched_on_a_mali);
  tcase_add_loop_test(t, what_one_core_set_leaves_open, 0, 2);
  tcase_add_test(t, outliers);
  tcase_add_loop_test(t, not_above_the_peak, 0, 2);
  tcase_add_loop_test(t, above_the_bound, 0, 2);
  tcase_add_test(t, holdout_error);
  tcase_add_test(t, undetermined);
  tcase_add_test(t, one_sided);
  tcase_add_test(t, published);
  tcase_add_test(t, sums_by_cores);
  tcase_add_test(t, same_again);
  tcase_add_test(t, detections_are_fitted);
  tcase_add_test(t, only_what_is_asked);
  tcase_add_loop_test(t, only_what_there_is, 0, sizeof unspoken / sizeof *unspoken);
  tcase_add_test(t, all_there_is_is_named);
  tcase_add_test(t, rows_of_followers);
  tcase_add_test(t, goes_with_another);
}

int main(void) { return hs_test_main("fit_operators", fill); }
