/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What single libraries do with a network, on a SoC as it comes with hetsim: what Paddle-Lite, Bolt and TensorFlow Lite join, and what ncnn has kernels for. */
#include <math.h>
#include <string.h>

#include "tests/unit/suite.h"

#include "model/cost.h"
#include "model/groups.h"
#include "program/setup.h"

/* A joined HardSwish is five instructions for each vector, also in 8 bits one of floats: 16 × 12 × 12 elements on a core that does 8 in
 * fp32 and 16 in fp16. */
START_TEST(paddle_lite_epilogue)
{
  static const struct {
    const char *precision;
    double lanes;
  } cases[] = {{"fp32", 8}, {"fp16", 16}, {"int8", 8}};
  for (int i = 0; i < 3; i++) {
    struct hs_setup s = {0};
    struct hs_error err;
    const struct hs_run_options options = {.soc = "sd855", .policy = "cpu", .runtime = "paddle-lite", .precision = cases[i].precision, .threads = 1,
                                   .model = "lcnet_1.0"};
    struct hs_work with, without;
    hs_test_accepted(hs_setup_system(&s, &options, &err), &err);
    hs_test_accepted(hs_setup_networks(&s, &options, &err), &err);
    struct hs_operator op = s.graph->ops[0];
    ck_assert(op.type == HS_OP_CONV && op.n_fused == 1 && op.fused[0] == HS_OP_HARD_SWISH);
    hs_cost_exec(&s.sys, s.graph, &op, 0, (struct hs_range){HS_SPLIT_NONE, 0, 1}, &with);
    op.n_fused = 0;
    hs_cost_exec(&s.sys, s.graph, &op, 0, (struct hs_range){HS_SPLIT_NONE, 0, 1}, &without);
    double elements = (double)hs_shape_elements(&s.graph->tensors[op.outputs[0]].shape);
    int big = s.sys.soc->processors[0].n_domains - 1;
    while (big > 0 && with.cores[big] == 0) big--;
    ck_assert_double_eq_tol(with.cycles[big] - without.cycles[big], 5 * elements / cases[i].lanes, 1e-6 * elements);
    ck_assert_double_eq(with.bytes, without.bytes);
    hs_setup_free(&s);
  }
}
END_TEST

/* What joining saved on one core of Snapdragon 855 (Paddle-Lite's pull requests 7403 and 7505), beside what the same operators take by
 * themselves: within 7 %. */
START_TEST(paddle_lite_joined)
{
  static const struct {
    const char *precision, *model;
    double saved_s;
  } cases[] = {{"fp16", "mobilenet_v3_large_paddle", 1.24682e-3}, {"fp16", "mobilenet_v3_small_paddle", 0.65877e-3},
               {"int8", "mobilenet_v3_large_paddle", 1.94676e-3}, {"int8", "mobilenet_v3_small_paddle", 0.98354e-3}};
  for (int i = 0; i < 4; i++) {
    struct hs_setup s = {0};
    struct hs_error err;
    const struct hs_run_options options = {.soc = "sd855", .policy = "cpu", .runtime = "paddle-lite", .precision = cases[i].precision, .threads = 1,
                                   .model = cases[i].model};
    double saved = 0;
    hs_test_accepted(hs_setup_system(&s, &options, &err), &err);
    hs_test_accepted(hs_setup_networks(&s, &options, &err), &err);
    for (int k = 0; k < s.graph->n_ops; k++) {
      struct hs_operator conv = s.graph->ops[k], swish = conv;
      if (conv.n_fused == 0 || conv.fused[0] != HS_OP_HARD_SWISH) continue;
      double joined = hs_cost_seconds(&s.sys, s.graph, &conv, 0, -1);
      conv.n_fused = swish.n_fused = 0;
      swish.type = HS_OP_HARD_SWISH;
      swish.class = HS_CLASS_ELEMENTWISE;
      swish.macs = 0;
      swish.params = 0;
      swish.inputs = swish.outputs; /* the same shape */
      saved += hs_cost_seconds(&s.sys, s.graph, &conv, 0, -1) + hs_cost_seconds(&s.sys, s.graph, &swish, 0, -1) - joined;
    }
    ck_assert_msg(fabs(saved / cases[i].saved_s - 1) < 0.07, "%s, %s: %g ms saved", cases[i].model, cases[i].precision, saved * 1e3);
    hs_setup_free(&s);
  }
}
END_TEST

/* Bolt has one thread, pads inside of windows, and joins an activation to the sum before it. */
START_TEST(bolt_networks)
{
  static const char *const models_of[] = {"mnasnet_1.0_tf2cv", "resnet50"};
  for (int m = 0; m < 2; m++) {
    struct hs_setup s = {0};
    struct hs_error err;
    const struct hs_run_options options = {.soc = "kirin990", .policy = "cpu", .runtime = "bolt", .model = models_of[m]};
    int pads = 0, joined = 0;
    hs_test_accepted(hs_setup_system(&s, &options, &err), &err);
    hs_test_accepted(hs_setup_networks(&s, &options, &err), &err);
    ck_assert_int_eq(s.sys.backends[0].threads, 1);
    for (int i = 0; i < s.graph->n_ops; i++) {
      const struct hs_operator *op = &s.graph->ops[i];
      if (op->type == HS_OP_PAD && hs_op_has_window(op[1].type)) {
        ck_assert_double_eq(hs_cost_seconds(&s.sys, s.graph, op, 0, -1), 0);
        pads++;
      }
      joined += op->type == HS_OP_ADD && op->n_fused == 1;
    }
    ck_assert_int_eq(m ? joined : pads, m ? 16 : 17);
    hs_setup_free(&s);
  }
}
END_TEST

/* ncnn has kernels for buffers only, whatever memory the SoC prefers. */
START_TEST(ncnn_buffers)
{
  struct hs_setup s = {0};
  struct hs_error err;
  struct hs_run_options options = {.soc = "sd855", .policy = "gpu", .runtime = "ncnn", .model = "squeezenet"};
  hs_test_accepted(hs_setup_system(&s, &options, &err), &err);
  ck_assert_int_eq(s.sys.backends[hs_soc_find(s.soc, "gpu")].memory_type, HS_BUFFER);
  hs_setup_free(&s);
  options.memory_type = "image";
  s = (struct hs_setup){0};
  hs_test_accepted(hs_setup_system(&s, &options, &err), &err);
  ck_assert(!s.sys.backends[hs_soc_find(s.soc, "gpu")].available);
  ck_assert(s.sys.backends[0].available);
  hs_setup_free(&s);
}
END_TEST

static int named(const struct hs_graph *g, const char *name)
{
  int i = 0;
  while (i < g->n_ops && strcmp(g->ops[i].name, name) != 0) i++;
  ck_assert_msg(i < g->n_ops, "no %s", name);
  return i;
}

/* TensorFlow Lite's GPU delegate computes a sum with what it computes last of that. In tf2cv's files this is the shortcut's convolution, or the product that
 * excites; in the second stage of DLA-46-C, whose shortcut is a pooling that its root reads, too, nothing. So has it that network's measured list of operators,
 * and in ResNet-18's the order is the same (tests/data/sd855-tflite-gpu-operators.csv). */
START_TEST(tf2cv_sums)
{
  static const struct {
    const char *model, *sum, *with;
  } cases[] = {{"dla46c", "stage1_unit1_add", "stage1_unit1_shortcut"}, {"dla46c", "stage1_unit2_add", "stage1_unit2_conv3"},
               {"dla46c", "stage2_unit1_add", NULL}, {"dla46c", "stage3_unit1_add", "stage3_unit1_shortcut"},
               {"resnet18_0.25", "unit3_add", "unit3_shortcut"}, {"sepreresnet10", "unit2_add", "unit2_se_scale"},
               {"seresnet10", "unit2_add", "unit2_se_scale"},
               {"resneta10", "unit2_add", "unit2_shortcut"}, {"regnetx_0.4gf", "unit1_add", "unit1_shortcut"},
               {"xception", "unit1_add", "unit1_shortcut"}, {"hrnet_w18", "unit1_add", "unit1_shortcut"}};
  struct hs_setup s = {0};
  struct hs_error err;
  const struct hs_run_options options = {.soc = "sd855", .policy = "gpu", .runtime = "tflite", .model = cases[_i].model};
  hs_test_accepted(hs_setup_system(&s, &options, &err), &err);
  hs_test_accepted(hs_setup_networks(&s, &options, &err), &err);
  const struct hs_operator *sum = &s.graph->ops[named(s.graph, cases[_i].sum)];
  int with = cases[_i].with ? named(s.graph, cases[_i].with) : -1;
  ck_assert_int_eq(hs_cost_joined_to(&s.sys, s.graph, sum, hs_soc_find(s.soc, "gpu")), with);
  hs_setup_free(&s);
}
END_TEST

static double seconds_of(struct hs_setup *s, double overhead_cycles, const struct hs_operator *op)
{
  struct hs_kernel k = *s->sys.backends[0].kernel;
  const struct hs_kernel *before = s->sys.backends[0].kernel;
  k.overhead_cycles = overhead_cycles;
  s->sys.backends[0].kernel = &k;
  double seconds = hs_cost_seconds(&s->sys, s->graph, op, 0, -1);
  s->sys.backends[0].kernel = before;
  return seconds;
}

/* Each beginning takes as long: of ncnn's loop what brings channels apart and together, not each of 32 groups; of Paddle-Lite's product one. */
START_TEST(groups_begin_once)
{
  static const char *const runtimes[] = {"ncnn", "paddle-lite"};
  static const double begins[] = {2, 1};
  struct hs_setup s = {0};
  struct hs_error err;
  const struct hs_run_options options = {.soc = "sd855", .policy = "cpu", .runtime = runtimes[_i], .model = "resnext50_32x4d", .threads = 1};
  hs_test_accepted(hs_setup_system(&s, &options, &err), &err);
  hs_test_accepted(hs_setup_networks(&s, &options, &err), &err);
  const struct hs_operator *op = s.graph->ops;
  while (op->class != HS_CLASS_GROUPED) op++;
  const struct hs_domain *d = &s.soc->processors[0].domains[s.soc->processors[0].n_domains - 1]; /* of the thread that calls */
  double more_s = seconds_of(&s, 1e6, op) - seconds_of(&s, 0, op);
  ck_assert_double_eq_tol(more_s * hs_domain_top_hz(d) / 1e6, begins[_i], 1e-6);
  hs_setup_free(&s);
}
END_TEST

/* Its loop over groups on a CPU is a convolution for each, with its activation; shaders take groups as they are, and Paddle-Lite's product does. */
START_TEST(ncnn_groups)
{
  static const char *const runtimes[] = {"ncnn", "paddle-lite"};
  for (int r = 0; r < 2; r++) {
    struct hs_setup s = {0};
    struct hs_error err;
    struct hs_groups w;
    const struct hs_run_options options = {.soc = "sd855", .policy = "cpu", .runtime = runtimes[r], .model = "resnext50_32x4d"};
    int n = 0;
    hs_test_accepted(hs_setup_system(&s, &options, &err), &err);
    hs_test_accepted(hs_setup_networks(&s, &options, &err), &err);
    for (int i = 0; i < s.graph->n_ops; i++) {
      const struct hs_operator *op = &s.graph->ops[i];
      if (op->class != HS_CLASS_GROUPED) continue;
      ck_assert(!hs_groups_write_out(&s.sys, s.graph, op, hs_soc_find(s.soc, "gpu"), &w));
      ck_assert(hs_groups_write_out(&s.sys, s.graph, op, 0, &w) == (r == 0));
      if (r == 0) ck_assert_int_eq(w.op[HS_GROUPS_CONCAT].n_inputs, 32);
      if (r == 0) ck_assert(op->n_fused == 1 && w.op[HS_GROUPS_CONV].n_fused == 1 && w.op[HS_GROUPS_CONCAT].n_fused == 0);
      n++;
    }
    ck_assert_int_eq(n, 16);
    hs_setup_free(&s);
  }
}
END_TEST

static void fill(TCase *t)
{
  tcase_add_test(t, paddle_lite_epilogue);
  tcase_add_test(t, paddle_lite_joined);
  tcase_add_test(t, bolt_networks);
  tcase_add_loop_test(t, tf2cv_sums, 0, 11);
  tcase_add_test(t, ncnn_buffers);
  tcase_add_test(t, ncnn_groups);
  tcase_add_loop_test(t, groups_begin_once, 0, 2);
}

int main(void) { return hs_test_main("libraries", fill); }
