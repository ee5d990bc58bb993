/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fitting a kernel to whole networks on several core sets, and to networks and operators together. */
#include "tests/model/desk.h"

#include "calibrate/coefficients.h"
#include "program/calibrate_report.h"

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

/* What handing an operator to threads takes, four times as long as the profile before has it: small operators tell it. */
START_TEST(time_of_a_fork)
{
  struct desk d;
  sit_down(&d, "sd855", "paddle-lite");
  add_networks(&d);
  add_rows(&d, "model,processor,precision,cores,latency_ms\nshufflenet_v2,cpu,fp32,mid:2,1\nshufflenet_v2,cpu,fp32,mid:3,1\n"
               "shufflenet_v2,cpu,fp32,mid:3+big:1,1\n", false);
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

/* What alone is asked for, and the kernel didn't have, and the rows have none of: it still has none, and nothing is left to determine. */
START_TEST(nothing_left_to_fit)
{
  struct desk d;
  struct hs_error err;
  sit_down(&d, "sd855", "mace");
  add_networks(&d);
  pretend(&d, hs_profile_find(d.own, &d.soc->processors[0], HS_FP32, HS_BUFFER), 0);
  hs_test_accepted(fit_only(&d.m, 0, "start_cycles", &d.fit, &err), &err);
  ck_assert_int_eq(find(&d.fit, "start_cycles")->state, HS_FIT_UNDETERMINED);
  ck_assert(d.fit.kernel.start_cycles == 0 && d.fit.condition == 1);
  stand_up(&d);
}
END_TEST

/* Convolutions of every kind, grouped and light ones, in sizes that networks have, one so small that an invocation counts: names of the
 * catalogue. On every core set, or every step-th. */
static void add_many_networks(struct desk *d, size_t step)
{
  static const char *const names[] = {"squeezenet", "mobilenet_v1", "mobilenet_v2_1.0", "mobilenet_v2_1.4", "mnasnet_0.5", "mnasnet_1.3",
                                      "resnet18", "mobilenet_v1_0.25_tf2cv",
                                      "resnet50", "vgg16", "regnetx_1.6gf", "regnetx_4.0gf", "shufflenet_v2", "inception_v4", "yolov2", "posenet"};
  static const char *const cores[] = {"big:1", "mid:1", "mid:2", "mid:3", "mid:1+big:1"};
  struct hs_text t = {0};
  hs_text_add(&t, "model,processor,precision,cores,latency_ms\n");
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    for (size_t k = 0; k < sizeof cores / sizeof *cores; k += step) hs_text_addf(&t, "%s,cpu,fp32,%s,1\n", names[i], cores[k]);
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
  k.serial_frac = 0.08;
  k.serial_light_frac = 0.45;
  k.serial_depthwise_frac = 0.2;
  k.serial_grouped_frac = 0.7;
  k.window_cycles_per_byte = 1.2;
  k.start_cycles = 3e6;
  for (int c = 0; c < HS_CLASS_N; c++) k.efficiency[c] = fmin(k.efficiency[c] * (c % 2 ? 1.3 : 0.7), 0.95);
  return k;
}

/* From the SoC's profile, which has these members, and from the estimate for any SoC, which doesn't. In both no part of a dense layer is serial. */
START_TEST(core_sets)
{
  static const char *const needed[] = {"serial_grouped_frac", "serial_depthwise_frac", "serial_light_frac", "start_cycles",
                                       "window_cycles_per_byte", "serial_frac"};
  struct desk d;
  sit_down(&d, "sd855", "tflite");
  if (_i) d.m.own = NULL;
  add_many_networks(&d, 1);
  const struct hs_bench *b = d.m.rows[0].bench;
  const struct hs_kernel truth = known_cpu(b->sys.backends[b->processor].kernel);
  pretend(&d, &truth, 0.01);
  struct hs_fit *f = fit(&d, 0);
  ck_assert(f->base_unfitted == (_i == 1));
  for (int i = 0; i < f->n_coefficients; i++) {
    const struct hs_coefficient *c = &f->coefficients[i];
    if (c->state != HS_FITTED || c->target == &f->others) continue;
    ck_assert_msg(fabs(c->value - true_value(&truth, f, i)) < 4 * c->error, "%s: %g +- %g, is %g", c->name, c->value, c->error, true_value(&truth, f, i));
  }
  for (size_t i = 0; i < sizeof needed / sizeof *needed; i++) {
    const struct hs_coefficient *c = find(f, needed[i]);
    ck_assert_msg(c->state == HS_FITTED && c->error < 0.25 * c->value, "%s: %g +- %g says nothing", c->name, c->value, c->error);
  }
  ck_assert_double_lt(f->after[0][HS_ROWS_ALL].mape_frac, 0.01); /* 0.8 of the deviation */
  ck_assert_double_gt(f->before[0][HS_ROWS_ALL].mape_frac, 0.1);
  stand_up(&d);
}
END_TEST

static const struct hs_fit_cores *on_cores(const struct hs_fit *f, const char *cores)
{
  for (int i = 0; i < f->n_cores; i++)
    if (strcmp(f->cores[i].bench->cores, cores) == 0) return &f->cores[i];
  ck_abort_msg("no %s", cores);
}

/* What is 1.3 times as slow on two middle cores and not on three, is no serial part: the errors by cores tell, and a warning. */
START_TEST(cores_that_do_otherwise)
{
  struct desk d;
  struct hs_error err;
  struct hs_text t = {0};
  sit_down(&d, "sd855", "tflite");
  add_many_networks(&d, 1);
  const struct hs_bench *b = d.m.rows[0].bench;
  const struct hs_kernel truth = *b->sys.backends[b->processor].kernel;
  pretend(&d, &truth, 0.01);
  for (int i = 0; i < d.m.n; i++) {
    if (strcmp(d.m.rows[i].bench->cores, "mid:2") == 0) d.m.rows[i].latency_s *= 1.3;
    d.m.rows[i].kept_out = i % 10 > 4;
  }
  hs_test_accepted(fit_only(&d.m, 0, "serial_frac", &d.fit, &err), &err);
  ck_assert_int_eq(d.fit.n_cores, 5);
  int n[2] = {0};
  for (int i = 0; i < 5; i++)
    for (int out = 0; out < 2; out++) n[out] += d.fit.cores[i].after[out].n;
  ck_assert_int_eq(n[0], d.fit.n_rows);
  ck_assert_int_eq(n[1], d.fit.n_kept_out);
  ck_assert_double_lt(on_cores(&d.fit, "mid:2")->after[0].bias_frac, -0.1);
  ck_assert_double_eq_tol(on_cores(&d.fit, "big:1")->after[1].bias_frac, 0, 0.02);
  hs_calibration_text(&d.m, &d.fit, 1, &t);
  ck_assert_ptr_nonnull(strstr(t.s, "\nwarning: the fit is off one way on these cores (all rows "));
  ck_assert_ptr_nonnull(strstr(t.s, "%): mid:2 -"));
  ck_assert_ptr_nonnull(strstr(t.s, "\nmid:1+big:1 "));
  hs_text_free(&t);
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
  add_many_networks(&d, 4);
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

/* They tell rates of classes that they show, and hardly what short sums lose, which leans on what it was. */
START_TEST(few_networks_on_a_gpu)
{
  struct desk d;
  sit_down(&d, "sd855", "tflite");
  add_networks_on_a_gpu(&d);
  d.m.rows[d.m.n - 1].kept_out = true;
  struct hs_kernel truth = *hs_profile_find(d.own, &d.soc->processors[hs_soc_find(d.soc, "gpu")], HS_FP16, HS_IMAGE);
  truth.efficiency[HS_CLASS_CONV_1X1] *= 0.5;
  truth.efficiency[HS_CLASS_DEPTHWISE] *= 1.5;
  pretend(&d, &truth, 0);
  struct hs_fit *f = fit(&d, 0);
  ck_assert_int_gt(f->n_coefficients, f->n_used);
  ck_assert_double_eq_tol(find(f, "efficiency conv_1x1")->value / truth.efficiency[HS_CLASS_CONV_1X1], 1, 0.05);
  const struct hs_coefficient *depthwise = find(f, "efficiency depthwise"); /* which they tell from its strided ones a little less well */
  ck_assert_double_lt(fabs(depthwise->value - truth.efficiency[HS_CLASS_DEPTHWISE]), 1.96 * depthwise->error);
  ck_assert_int_eq(depthwise->state, HS_FITTED);
  ck_assert_double_lt(f->after[0][HS_ROWS_ALL].mape_frac, 0.01);
  ck_assert_int_eq(find(f, "efficiency conv_1x1")->state, HS_FITTED);
  ck_assert_int_eq(find(f, "reduction_half")->state, HS_FIT_LEANING);
  ck_assert_double_eq_tol(find(f, "reduction_half")->value / truth.reduction_half, 1, 0.5);
  find(f, "start_cycles");
  find(f, "traffic_factor");
  stand_up(&d);
}
END_TEST

/* Four networks on four core sets of a CPU tell the rates and serial parts that take most of their time (seeds). Networks that weren't
 * measured are met then, not only those that were. */
START_TEST(few_networks_on_a_cpu)
{
  static const char *const names[] = {"mobilenet_v1", "resnet18", "squeezenet", "mnasnet_1.0", "mobilenet_v2_1.4", "resnet34", "googlenet",
                                      "mobilenet_v3_large"};
  static const char *const cores[] = {"big:1", "mid:1", "mid:2", "mid:3"};
  struct desk d;
  struct hs_text t = {0};
  sit_down(&d, "sd855", "tflite");
  hs_text_add(&t, "model,processor,precision,cores,latency_ms\n");
  for (int i = 0; i < 8; i++)
    for (int k = 0; k < 4; k++) hs_text_addf(&t, "%s,cpu,fp32,%s,1\n", names[i], cores[k]);
  add_rows(&d, t.s, false);
  hs_text_free(&t);
  struct hs_kernel truth = *hs_profile_find(d.own, &d.soc->processors[0], HS_FP32, HS_BUFFER);
  truth.efficiency[HS_CLASS_CONV_1X1] *= 0.5;
  truth.efficiency[HS_CLASS_CONV_3X3] *= 1.2;
  truth.efficiency[HS_CLASS_DEPTHWISE] *= 0.6;
  truth.serial_depthwise_frac = 0.6;
  pretend_noisy(&d, &truth, 0.01, 1, (uint64_t)(7 + _i));
  for (int i = 16; i < d.m.n; i++) d.m.rows[i].kept_out = true;
  struct hs_fit *f = fit(&d, 0);
  ck_assert_int_eq(f->n_used, 16);
  ck_assert_double_eq_tol(find(f, "efficiency conv_1x1")->value / truth.efficiency[HS_CLASS_CONV_1X1], 1, 0.15);
  ck_assert_double_eq_tol(find(f, "serial_depthwise_frac")->value, 0.6, 0.15);
  ck_assert_double_gt(f->before[1][HS_ROWS_ALL].mape_frac, 0.15);
  ck_assert_double_lt(f->after[1][HS_ROWS_ALL].mape_frac, 0.06);
  stand_up(&d);
}
END_TEST

/* Six networks on up to so many efficiency cores; by which kernel. */
static struct hs_kernel on_little_cores(struct desk *d, const char *runtime, const char *const names[6], int most)
{
  struct hs_text t = {0};
  sit_down(d, "sd855", runtime);
  hs_text_add(&t, "model,processor,precision,cores,latency_s\n");
  for (int i = 0; i < 6; i++)
    for (int threads = 1; threads <= most; threads++) hs_text_addf(&t, "%s,cpu-little,fp32,little:%d,1\n", names[i], threads);
  add_rows(d, t.s, false);
  hs_text_free(&t);
  const struct hs_bench *b = d->m.rows[0].bench;
  return *b->sys.backends[b->processor].kernel;
}

/* Transformers whose weights exceed the cache and others, on one to three efficiency cores, say how long cores wait for weights that they read again, and at
 * which rate they multiply rows. */
START_TEST(rows_and_their_weights)
{
  static const char *const names[] = {"deit_tiny_224", "deit_small_224", "vit_b32_224", "mit_b2", "resnet18", "mnasnet_1.0_tf2cv"};
  struct desk d;
  struct hs_kernel truth = on_little_cores(&d, "pytorch", names, 3);
  truth.gemm_factor *= 1.4;
  truth.reread_cycles_per_byte *= 0.4;
  pretend(&d, &truth, 0);
  const struct hs_fit *f = fit(&d, 0);
  ck_assert_double_eq_tol(find(f, "gemm_factor")->value / truth.gemm_factor, 1, 0.05);
  ck_assert_double_eq_tol(find(f, "reread_cycles_per_byte")->value / truth.reread_cycles_per_byte, 1, 0.3);
  stand_up(&d);
}
END_TEST

/* So do networks with a group per channel, beside others with wider groups, of what such a group takes. */
START_TEST(groups_of_one)
{
  static const char *const names[] = {"mit_b2", "mobilevit_xxs", "regnetx_0.2gf", "regnety_0.6gf", "resnet18", "mnasnet_1.0_tf2cv"};
  struct desk d;
  struct hs_kernel truth = on_little_cores(&d, "tflite", names, 2);
  truth.group_of_one_factor *= 1.5;
  pretend(&d, &truth, 0);
  ck_assert_double_eq_tol(find(fit(&d, 0), "group_of_one_factor")->value / truth.group_of_one_factor, 1, 0.05);
  stand_up(&d);
}
END_TEST

static struct hs_kernel planted(const struct desk *d, uint64_t seed)
{
  const struct hs_bench *b = d->m.rows[0].bench;
  struct hs_kernel k = *b->sys.backends[b->processor].kernel;
  struct hs_random *random = hs_random_new(seed, "planted");
  double *const members[] = {&k.overhead_cycles, &k.reduction_half, &k.reduction_half_grouped, &k.window_cycles_per_byte,
                             &k.light_move_cycles_per_byte, &k.weight_cycles_per_byte,
                             &k.pack_cycles_per_byte, &k.flat_mean_cycles, &k.traffic_factor};
  double *const reads[] = {&k.launch.pixel_reads, &k.launch.loop_reads_1x1, &k.launch.loop_reads, &k.launch.store_reads}; /* of a GPU's kernel */
  for (size_t i = 0; i < sizeof members / sizeof *members; i++) *members[i] *= exp(log(2) * (2 * hs_random_uniform(random) - 1));
  double dense = exp(log(2) * (2 * hs_random_uniform(random) - 1)); /* one product of matrices in int8: one rate */
  for (int c = 0; c < HS_CLASS_N; c++)
    k.efficiency[c] = fmin(1, k.efficiency[c] * (hs_class_is_dense_conv((enum hs_op_class)c) ? dense : exp(log(2) * (2 * hs_random_uniform(random) - 1))));
  k.serial_light_frac = hs_random_uniform(random);
  for (size_t i = 0; i < sizeof reads / sizeof *reads; i++) *reads[i] *= exp(log(2) * (2 * hs_random_uniform(random) - 1));
  hs_random_free(random);
  return k;
}

/* Coefficients; those of which the rows say little or nothing; and those within two standard errors of the truth, or within two widths of what was before where
 * the rows say nothing. */
struct coverage {
  int n, leaning, within;
};

static void cover(const struct hs_fit *f, const struct hs_kernel *truth, struct coverage *sum)
{
  for (int i = 0; i < f->n_coefficients; i++) {
    const struct hs_coefficient *c = &f->coefficients[i];
    double error = c->state == HS_FIT_UNDETERMINED ? c->width * (c->as_log ? c->value : 1) : c->error;
    if (c->target == &f->others) continue;
    sum->n++;
    sum->leaning += c->state != HS_FITTED;
    sum->within += fabs(c->value - true_value(truth, f, i)) < 1.96 * error;
  }
}

/* Phones whose every coefficient is up to twice or half of the profile's, four networks on four core sets each (0: fp32, 1: int8), 3 %
 * noise. Two standard errors hold nine of ten of what is true, however few the rows; what they say less of than the profile is told; and
 * networks that weren't measured are better off than before. */
START_TEST(planted_phones)
{
  static const char *const names[] = {"mobilenet_v1", "resnet18", "squeezenet", "mnasnet_1.0", "mobilenet_v2_1.4", "googlenet",
                                      "mobilenet_v3_small", "densenet121"};
  static const char *const cores[] = {"big:1", "mid:1", "mid:2", "mid:3"};
  struct coverage all = {0};
  double before = 0, after = 0;
  for (uint64_t seed = 1; seed <= 2; seed++) {
    struct desk d;
    struct hs_text t = {0};
    struct hs_error err;
    sit_down(&d, "sd855", "tflite");
    hs_text_add(&t, "model,processor,precision,cores,latency_ms\n");
    for (int i = 0; i < 8; i++)
      for (int k = 0; k < 4; k++) hs_text_addf(&t, "%s,cpu,%s,%s,1\n", names[i], _i ? "int8" : "fp32", cores[k]);
    add_rows(&d, t.s, false);
    hs_text_free(&t);
    const struct hs_kernel truth = planted(&d, seed);
    pretend_noisy(&d, &truth, 0.03, 1, seed);
    for (int i = 0; i < d.m.n; i++) d.m.rows[i].kept_out = ((uint64_t)i / 4 + seed) % 2;
    hs_test_accepted(fit_only(&d.m, d.m.rows[0].kept_out ? 4 : 0, NULL, &d.fit, &err), &err);
    cover(&d.fit, &truth, &all);
    before += d.fit.before[1][HS_ROWS_ALL].mape_frac / 2;
    after += d.fit.after[1][HS_ROWS_ALL].mape_frac / 2;
    stand_up(&d);
  }
  ck_assert_int_gt(all.n, 25);
  ck_assert_int_gt(all.leaning, all.n / 3);
  ck_assert_int_lt(all.leaning, all.n);
  ck_assert_msg(all.within > 0.9 * all.n, "%d of %d", all.within, all.n);
  ck_assert_msg(after < 0.75 * before, "%g -> %g", before, after);
}
END_TEST

/* The same on a GPU, of which each network is one row: twelve of them, and six that weren't measured. */
START_TEST(planted_gpus)
{
  struct coverage all = {0};
  double before = 0, after = 0;
  for (uint64_t seed = 1; seed <= 3; seed++) {
    struct desk d;
    struct hs_error err;
    sit_down(&d, "sd855", "tflite");
    add_networks_on_a_gpu(&d);
    const struct hs_kernel truth = planted(&d, seed);
    pretend_noisy(&d, &truth, 0.03, 1, seed);
    for (int i = 0; i < d.m.n; i++) d.m.rows[i].kept_out = ((uint64_t)i + seed) % 3 == 0;
    hs_test_accepted(fit_only(&d.m, d.m.rows[0].kept_out, NULL, &d.fit, &err), &err);
    ck_assert_int_eq(d.fit.n_used, 12);
    ck_assert_double_lt(d.fit.dof, 12); /* of more coefficients: rows determine no more than there are */
    ck_assert_int_gt(d.fit.n_coefficients, 12);
    cover(&d.fit, &truth, &all);
    before += d.fit.before[1][HS_ROWS_ALL].mape_frac / 3;
    after += d.fit.after[1][HS_ROWS_ALL].mape_frac / 3;
    stand_up(&d);
  }
  ck_assert_int_gt(all.n, 45);
  ck_assert_int_gt(all.leaning, all.n / 3);
  ck_assert_int_lt(all.leaning, all.n);
  ck_assert_msg(all.within > 0.9 * all.n, "%d of %d", all.within, all.n);
  ck_assert_msg(after < 0.5 * before, "%g -> %g", before, after);
}
END_TEST

/* Networks as a phone ran them on core sets of its CPU, fp32 (0, 1) and int8 (2): kept out is a network with a class that the others don't have
 * (grouped convolutions, 0), or one like them. */
START_TEST(published_networks)
{
  static const struct {
    const char *kept_out;
    int first;
    double fitted, out; /* MAPE at most */
  } cases[] = {{"regnetx_1.6gf", 0, 0.03, 0.1}, {"resnet18", 0, 0.03, 0.1}, {"mnasnet_1.0_tf2cv", 20, 0.05, 0.1}};
  struct desk d;
  sit_down(&d, "sd855", "tflite");
  add_data(&d, "sd855-tflite-cpu-networks.csv");
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

/* What no network has doesn't move with those that are in some: the rows say nothing of it. */
START_TEST(others_are_of_the_networks)
{
  struct desk d;
  int moved = 0, stayed = 0;
  sit_down(&d, "sd855", "tflite");
  add_networks(&d);
  pretend(&d, d.m.rows[0].bench->sys.backends[d.m.rows[0].bench->processor].kernel, 0);
  fit(&d, 0);
  d.fit.others = 0.5;
  hs_fit_spread_others(&d.fit);
  for (int c = 0; c < HS_CLASS_N; c++) {
    bool own = false;
    for (int i = 0; i < d.fit.n_coefficients; i++) own |= d.fit.coefficients[i].target == &d.fit.kernel.efficiency[c];
    moved += !own && d.fit.kernel.efficiency[c] == 0.5 * d.fit.base->efficiency[c];
    stayed += !own && d.fit.kernel.efficiency[c] == d.fit.base->efficiency[c];
  }
  ck_assert_int_gt(moved, 0);
  ck_assert_int_gt(stayed, 0);
  ck_assert_double_eq(d.fit.kernel.efficiency[HS_CLASS_TRANSPOSED], d.fit.base->efficiency[HS_CLASS_TRANSPOSED]);
  stand_up(&d);
}
END_TEST

/* Published latencies of networks that no fit has seen, on a Mali-G76 of 12 cores, where kirin990's has 16. */
START_TEST(networks_on_a_mali)
{
  struct desk d;
  sit_down(&d, "kirin990", "tflite");
  struct hs_domain *gpu = &d.soc->processors[hs_soc_find(d.soc, "gpu")].domains[0];
  ck_assert_int_eq(gpu->compute_units, 16);
  gpu->compute_units = 12;
  for (int p = 0; p < HS_PRECISION_N; p++) gpu->macs_per_cycle[p] *= 12.0 / 16;
  gpu->opps[gpu->n_opps - 1].freq_hz = 702e6;
  add_data(&d, "mali-g76-tflite-gpu-networks.csv");
  double error = 0;
  ck_assert_int_eq(d.m.n, 26);
  for (int i = 0; i < d.m.n; i++) error += fabs(hs_measurement_model_s(&d.m.rows[i]) / d.m.rows[i].latency_s - 1);
  ck_assert_msg(error < 0.04 * d.m.n, "%g", error / d.m.n);
  stand_up(&d);
}
END_TEST

static void add_networks_of_a_mali(struct desk *d, const char *soc, double move_cycles)
{
  static const char *const names[] = {"squeezenet", "mobilenet_v1", "mobilenet_v2_1.0", "mnasnet_1.0", "resnet18", "resnet34", "resnet50", "vgg16"};
  struct hs_text t = {0};
  sit_down(d, soc, "tflite");
  hs_text_add(&t, "model,processor,latency_ms\n");
  for (int i = 0; i < 8; i++) hs_text_addf(&t, "%s,gpu,1\n", names[i]);
  add_rows(d, t.s, false);
  hs_text_free(&t);
  struct hs_kernel truth = *hs_profile_find(d->own, &d->soc->processors[hs_soc_find(d->soc, "gpu")], HS_FP16, HS_IMAGE);
  truth.move_cycles_per_byte = truth.light_move_cycles_per_byte = move_cycles; /* the second, which no profile of a GPU says, follows */
  pretend(d, &truth, 0);
}

/* What tensors cost a GPU in networks is looked for where its kernel has it (as kirin990's, and Tensor's not), and found. */
START_TEST(tensors_of_a_gpu)
{
  static const char *const socs[] = {"kirin990", "tensor"};
  const bool known = _i == 0;
  struct desk d;
  struct hs_error err;
  add_networks_of_a_mali(&d, socs[_i], 0.03);
  ck_assert_int_eq(fit_only(&d.m, 0, "move_cycles_per_byte", &d.fit, &err) == HS_OK, known);
  if (known) {
    ck_assert_double_eq_tol(d.fit.kernel.move_cycles_per_byte, 0.03, 1e-4);
    ck_assert_double_eq(d.fit.kernel.light_move_cycles_per_byte, d.fit.kernel.move_cycles_per_byte);
  }
  stand_up(&d);
  add_networks_of_a_mali(&d, socs[_i], 0.03);
  const struct hs_fit *f = fit(&d, 0);
  bool looked_for = false;
  for (int i = 0; i < f->n_coefficients; i++) {
    looked_for |= strcmp(f->coefficients[i].name, "move_cycles_per_byte") == 0;
    ck_assert_str_ne(f->coefficients[i].name, "light_move_cycles_per_byte");
  }
  ck_assert_int_eq(looked_for, known);
  stand_up(&d);
}
END_TEST

static void fill(TCase *t)
{
  tcase_add_test(t, networks_on_a_mali);
  tcase_add_loop_test(t, tensors_of_a_gpu, 0, 2);
  tcase_add_test(t, rows_and_their_weights);
  tcase_add_test(t, groups_of_one);
  tcase_add_test(t, whole_networks);
  tcase_add_test(t, time_of_a_fork);
  tcase_add_test(t, nothing_left_to_fit);
  tcase_add_test(t, cores_that_do_otherwise);
  tcase_add_loop_test(t, core_sets, 0, 2);
  tcase_add_loop_test(t, one_matrix_product, 0, 3);
  tcase_add_test(t, both_kinds);
  tcase_add_test(t, few_networks_on_a_gpu);
  tcase_add_loop_test(t, few_networks_on_a_cpu, 0, 3);
  tcase_add_loop_test(t, planted_phones, 0, 2);
  tcase_add_test(t, planted_gpus);
  tcase_add_loop_test(t, published_networks, 0, 3);
  tcase_add_test(t, others_are_of_the_networks);
}

int main(void) { return hs_test_main("fit_networks", fill); }
