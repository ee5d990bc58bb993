/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fitting to networks as they are lowered where they were measured: groups that are written out, slices, and what falls back to the CPU. */
#include "tests/model/desk.h"

#include "input/kernel_numbers.h"
#include "plan/estimate.h"
#include "plan/lower.h"
#include "policies/single.h"

/* A grouped convolution that the GPU's delegate writes out (groups of no multiple of four channels) is what runs, dense convolutions of one
 * group: by itself (0), and in a network, of which grouped ones are no share then (1, `dla46xc` of groups of two). Groups of eight channels
 * are grouped (2). */
START_TEST(groups_written_out)
{
  struct desk d;
  struct hs_text t = {0};
  int per_group = _i == 2 ? 8 : 6;
  sit_down(&d, "sd855", "tflite");
  hs_text_add(&t, _i == 1 ? "model,processor,latency_s\n" : "processor,op,h,cin,cout,kernel,group,latency_s\n");
  if (_i == 1) {
    static const char *const names[] = {"dla46xc", "dla60xc", "resnext14_32x2d", "resnext26_32x2d", "resnet18", "resnet10", "resnet14",
                                        "resnet26", "resnet12", "resnet16"};
    for (int i = 0; i < 10; i++) hs_text_addf(&t, "%s,gpu,1\n", names[i]);
  } else
    for (int i = 0; i < 12; i++) hs_text_addf(&t, "gpu,Conv,%d,%d,%d,3,%d,1\n", 14 + 7 * i, 4 * per_group, 4 * per_group, 4);
  add_rows(&d, t.s, false);
  hs_text_free(&t);
  const struct hs_kernel truth = *hs_profile_find(d.own, &d.soc->processors[hs_soc_find(d.soc, "gpu")], HS_FP16, HS_IMAGE);
  pretend(&d, &truth, 0.01);
  const struct hs_fit *f = fit(&d, 0);
  bool half = false;
  for (int i = 0; i < f->n_coefficients; i++)
    half |= f->coefficients[i].target == &f->kernel.reduction_half_grouped || f->coefficients[i].target == &f->kernel.efficiency[HS_CLASS_GROUPED];
  ck_assert_int_eq(half, _i == 2);
  ck_assert_int_eq(f->class_n[HS_CLASS_GROUPED], _i == 2 ? 12 : 0);
  ck_assert_int_eq(f->class_n[HS_CLASS_CONV_3X3], _i == 0 ? 12 : 0);
  if (_i == 0) /* the work of one group: 14 x 14 x 6 outputs of 9 x 6 products */
    ck_assert_double_eq_tol(f->class_low[HS_CLASS_CONV_3X3], 14 * 14 * 6 * 54.0, 1);
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
  ck_assert_double_eq_tol(hs_measurement_model_s(r), e.latency_s, 1e-12);
  b->kernel = before;
  hs_program_free(program);
  hs_arena_free(&arena);
  stand_up(&d);
}
END_TEST

/* A row counts what was lowered: an operator whose neighbour fell back to the CPU has a kernel of its own, by which what the rows are held to is the run's. */
START_TEST(beside_fallbacks)
{
  struct desk d;
  sit_down(&d, "sd855", "tflite");
  add_rows(&d, "model,processor,latency_ms\nbert_base_128,gpu,140\n", false);
  const struct hs_measurement *r = &d.m.rows[0];
  struct hs_estimate e;
  int apart = 0;
  ck_assert_int_gt(r->program->n_fallback, 0);
  for (int i = 0; i < r->program->n_tasks; i++) apart += r->program->tasks[i].apart;
  ck_assert_int_gt(apart, 0);
  hs_estimate_program(&r->bench->sys, r->program, &e, NULL, NULL);
  ck_assert_double_eq_tol(hs_measurement_model_s(r), e.latency_s, 1e-12);
  stand_up(&d);
}
END_TEST

static const char both[] =
  "model,processor,precision,cores,latency_s\n"
  "resnet50,cpu,fp32,big:1,1\nmobilenet_v1,cpu,fp32,big:1,1\nsqueezenet,cpu,fp32,big:1,1\ngooglenet,cpu,fp32,big:1,1\nshufflenet_v2,cpu,fp32,big:1,1\n"
  "resnet50,cpu,fp32,mid:3,1\nmobilenet_v1,cpu,fp32,mid:3,1\nsqueezenet,cpu,fp32,mid:3,1\ngooglenet,cpu,fp32,mid:3,1\nshufflenet_v2,cpu,fp32,mid:3,1\n"
  "resnet50,gpu,fp16,,1\nmobilenet_v1,gpu,fp16,,1\nsqueezenet,gpu,fp16,,1\ngooglenet,gpu,fp16,,1\nvgg16,gpu,fp16,,1\ndensenet121,gpu,fp16,,1\n"
  "inception_v3,gpu,fp16,,1\nresnet18,gpu,fp16,,1\nshufflenet_v2,gpu,fp16,,1\nswin_tiny_224,gpu,fp16,,1\n";

/* A phone whose CPU takes twice as long, and whose GPU is as it was: networks that fall back in part say nothing else of the GPU. */
START_TEST(fallback_costs_what_was_fitted)
{
  enum { CPU_ROWS = 10, ROWS = 20 };
  struct desk d;
  struct hs_error err;
  struct hs_fit gpu;
  sit_down(&d, "sd855", "tflite");
  add_rows(&d, both, false);
  ck_assert_int_eq(d.m.n, ROWS);
  const struct hs_kernel *was = d.m.rows[0].bench->sys.backends[0].kernel;
  struct hs_kernel slow = *was;
  hs_kernel_slow_down(&slow, 2);
  for (int i = 0; i < d.m.n_benches; i++) d.m.benches[i]->sys.backends[0].kernel = &slow;
  for (int i = 0; i < ROWS; i++) d.m.rows[i].latency_s = hs_measurement_model_s(&d.m.rows[i]);
  for (int i = 0; i < d.m.n_benches; i++) d.m.benches[i]->sys.backends[0].kernel = was;
  hs_test_accepted(hs_fit_begin(&d.m, 0, NULL, &d.fit, &err), &err);
  hs_test_accepted(hs_fit_begin(&d.m, CPU_ROWS, NULL, &gpu, &err), &err);
  ck_assert_double_gt(gpu.before[0][HS_ROWS_ALL].mape_frac, 0.04);
  hs_test_accepted(hs_fit_kernel(&d.m, &d.fit, &err), &err);
  hs_test_accepted(hs_fit_kernel(&d.m, &gpu, &err), &err);
  hs_test_accepted(hs_fit_judge(&gpu, &err), &err);
  ck_assert_double_lt(gpu.after[0][HS_ROWS_ALL].mape_frac, 0.002);
  for (int i = 0; i < gpu.n_coefficients; i++) {
    const struct hs_coefficient *c = &gpu.coefficients[i];
    ck_assert_msg(fabs(c->value - c->before) <= fmax(c->error, 0.02 * c->before), "%s: %g, was %g, +- %g", c->name, c->value, c->before, c->error);
  }
  hs_fit_free(&gpu);
  stand_up(&d);
}
END_TEST

static void fill(TCase *t)
{
  tcase_add_loop_test(t, groups_written_out, 0, 3);
  tcase_add_loop_test(t, slices, 0, 2);
  tcase_add_test(t, beside_fallbacks);
  tcase_add_test(t, fallback_costs_what_was_fitted);
}

int main(void) { return hs_test_main("fit_lowered", fill); }
