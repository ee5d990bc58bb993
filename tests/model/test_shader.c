/* SPDX-License-Identifier: GPL-3.0-or-later */
/* PyTorch's shaders against numbers worked out by hand: what is launched, and what that takes. */
#include "tests/model/fixture.h"

#include "model/shader.h"
#include "program/setup.h"

static const struct hs_range whole = {HS_SPLIT_NONE, 0, 1};

/* 7×7, 128 slices: 2 · 2 · 32 groups; 9 pixels of 128 slices. 1×1 by tiles: 28 × 28 of 16 slices, 7 · 7 · 4. One slice is flat: 8 × 8 a
 * group, or with fewer than 8 rows 16 × 4. Of 1000 columns and a row 500 × 1 tiles, 16 × 4 a group; 512 summed up by twos. A mean's groups
 * are the operand's, 14 · 14 · 4, and each reads a sixteenth of it, 14 · 14 texels, and 16 sums. What is element-wise has no loop, and
 * reads each operand. */
static const struct {
  struct hs_shader_job job;
  struct hs_shader is;
} shaders[] = {
  {{HS_SHADER_CONV, 7, 7, 128, 9, 128, 1}, {128, 1152, 5, 16, 2}},
  {{HS_SHADER_CONV, 112, 112, 1, 9, 1, 1}, {196, 9, 5, 16, 2}},
  {{HS_SHADER_CONV, 40, 4, 1, 9, 1, 1}, {3, 9, 5, 16, 2}},
  {{HS_SHADER_CONV, 40, 8, 1, 9, 1, 1}, {5, 9, 5, 16, 2}},
  {{HS_SHADER_POINTWISE, 56, 56, 16, 1, 64, 1}, {196, 64, 8, 64, 5}},
  {{HS_SHADER_POINTWISE, 1, 1, 250, 1, 320, 1}, {63, 320, 8, 64, 5}},
  {{HS_SHADER_DEPTHWISE, 14, 14, 60, 25, 1, 1}, {240, 25, 2, 4, 2}},
  {{HS_SHADER_PRODUCT, 1000, 1, 1, 1, 512, 1}, {32, 256, 5, 8, 5}},
  {{HS_SHADER_POOL, 27, 27, 32, 9, 1, 1}, {392, 9, 1, 4, 1}},
  {{HS_SHADER_MEAN, 56, 56, 16, 1, 1, 1}, {784, 212, 1, 4, 1}},
  {{HS_SHADER_TEXELS, 7, 7, 64, 1, 1, 2}, {64, 0, 1, 4, 3}},
};

START_TEST(launched)
{
  const struct hs_shader *is = &shaders[_i].is;
  struct hs_shader s;
  hs_shader_choose(&shaders[_i].job, &s);
  ck_assert_near(s.waves, is->waves);
  ck_assert_near(s.steps, is->steps);
  ck_assert_int_eq(s.reads, is->reads);
  ck_assert_int_eq(s.macs, is->macs);
  ck_assert_int_eq(s.accesses, is->accesses);
}
END_TEST

/* On the fixture's GPU, 8 MAC a cycle at 0.5, a wave's step takes 16 cycles for each MAC of an item; `factor` on that rate. An access is 3 cycles, a read 10,
 * and a step takes 2 waves more; a copied image is 700, a shader 100. `fused` activations behind it. */
static const struct {
  const char *shape, *op;
  double rate;
  int fused;
  double cycles;
} costs[] = {
  /* 32 waves of 1152 steps with 256 cycles each; so fast that a step waits for its 5 reads, 50 cycles; a clamp is the convolution's own */
  {"[1,7,7,512]", "'op': 'Conv', 'channels': 128, 'kernel': [3,3], 'pad': 'same'", 1, 0, 100 + 1152 * 256. * 34 + 32 * 2 * 3},
  {"[1,7,7,512]", "'op': 'Conv', 'channels': 128, 'kernel': [3,3], 'pad': 'same'", 1e6, 0, 100 + 1152 * 50. + 32 * 2 * 3},
  {"[1,7,7,512]", "'op': 'Conv', 'channels': 128, 'kernel': [3,3], 'pad': 'same'", 1e6, 1, 100 + 1152 * 50. + 32 * 2 * 3},
  /* a group of 16 input channels is 4 slices */
  {"[1,7,7,64]", "'op': 'Conv', 'channels': 128, 'kernel': [3,3], 'pad': 'same', 'group': 4", 1, 0, 100 + 36 * 256. * 34 + 32 * 2 * 3},
  /* each of 16 × 16 outputs, 4 slices, reads 3 of the 9 pixels at most where the filter's steps are 2, and 2 slices */
  {"[1,8,8,8]", "'op': 'ConvTranspose', 'channels': 16, 'kernel': [3,3], 'stride': [2,2], 'pad': 'same'", 1, 0, 100 + 6 * 256. * 18 + 16 * 2 * 3},
  /* 4 × 4 tiles of 4 slices: a wave of 2 steps with 1024 cycles, one bias and 4 results; grouped, one slice of input */
  {"[1,8,8,8]", "'op': 'Conv', 'channels': 16, 'kernel': [1,1]", 1, 0, 100 + 2 * 1024. * 3 + 5 * 3},
  {"[1,8,8,8]", "'op': 'Conv', 'channels': 16, 'kernel': [1,1], 'group': 2", 1, 0, 100 + 1024. * 3 + 5 * 3},
  /* 4 waves of 9 steps with 64 cycles; where pixels are skipped one, twice as long a step */
  {"[1,8,8,16]", "'op': 'DepthwiseConv', 'kernel': [3,3], 'pad': 'same'", 1, 0, 100 + 9 * 64. * 6 + 4 * 2 * 3},
  {"[1,8,8,16]", "'op': 'DepthwiseConv', 'kernel': [3,3], 'pad': 'same', 'stride': [2,2]", 1, 0, 100 + 9 * 128. * 3 + 2 * 3},
  {"[1,8,8,16]", "'op': 'DepthwiseConv', 'kernel': [3,3], 'pad': 'same', 'stride': [1,2]", 1, 0, 100 + 9 * 128. * 4 + 2 * 2 * 3},
  {"[1,8,8,16]", "'op': 'MaxPool', 'kernel': [3,3], 'pad': 'same', 'stride': [2,2]", 1, 0, 100 + 9 * 128. * 3 + 3},
  {"[1,8,8,16]", "'op': 'MaxPool', 'kernel': [3,3], 'pad': 'same'", 1, 0, 100 + 9 * 64. * 6 + 4 * 3},
  /* 4 waves read 2 · 2 texels an item, and 16 sums */
  {"[1,8,8,16]", "'op': 'GlobalAveragePool'", 1, 0, 100 + 20 * 64. * 6 + 4 * 3},
  {"[1,8,8,16]", "'op': 'ReduceMean', 'axes': [1, 2]", 1, 0, 100 + 20 * 64. * 6 + 4 * 3},
  /* of 16 tokens, which are no image: a wave of 16 steps */
  {"[1,16,8]", "'op': 'ReduceMean', 'axes': [1]", 1, 0, 100 + 16 * 64. * 3 + 3},
  /* 4 slices of a pixel are a wave */
  {"[1,1,1,16]", "'op': 'GlobalAveragePool'", 1, 0, 100 + 17 * 64. * 3 + 3},
  /* an item of each pixel goes through 4 slices twice, and writes them; 16 pixels of 4 tokens are a wave, too */
  {"[1,1,1,16]", "'op': 'Softmax'", 1, 0, 100 + 8 * 64. * 3 + 4 * 3},
  {"[1,4,4,16]", "'op': 'Softmax'", 1, 0, 100 + 8 * 64. * 3 + 4 * 3},
  /* 50 tiles of columns and a row: 4 groups of 16 × 4; 32 steps with 8 MACs each */
  {"[1,64]", "'op': 'Gemm', 'channels': 100", 1, 0, 100 + 32 * 128. * 6 + 4 * 5 * 3},
  {"[30,64]", "'op': 'Gemm', 'channels': 100", 1, 0, 100 + 32 * 128. * (7 * 2 + 2) + 14 * 5 * 3}, /* 15 rows of tiles, 8 × 8 a group */
  /* 4 waves with one operand; an activation behind it is a shader of its own */
  {"[1,8,8,16]", "'op': 'HardSwish'", 1, 0, 100 + 4 * 2 * 3},
  {"[1,8,8,16]", "'op': 'HardSwish'", 1, 1, 200 + 2 * 4 * 2 * 3},
  {"[1,8,8,6]", "'op': 'HardSwish'", 1, 0, 100 + 4 * 2 * 3}, /* 6 channels are 2 slices, 4 waves as well */
  /* each image that is concatenated is copied; 8 waves */
  {"[1,8,8,16]", "'op': 'Concat', 'inputs': ['x', 'x']", 1, 0, 100 + 2 * 700 + 8 * 2 * 3},
  {"[1,8,8,16]", "'op': 'SpaceToDepth', 'block_size': 2", 1, 0, 100 + 700 + 4 * 2 * 3},
};

START_TEST(cycles)
{
  struct fixture f;
  const struct hs_settings s = {.precision = -1, .memory_type = -1, .runtime = hs_runtime_find("mace")};
  char ops[600];
  fixture_make(&f, NULL, fixture_profile(100, 4, 0, 0), &s);
  snprintf(ops, sizeof ops, strstr(costs[_i].op, "'inputs'") ? "{'name': 'o', %s}" : "{'name': 'o', 'inputs': ['x'], %s}", costs[_i].op);
  fixture_graph(&f, costs[_i].shape, ops, "'o'");
  struct hs_kernel k = *f.sys.backends[1].kernel;
  k.shaders = (struct hs_kernel_shaders){.access_cycles = 3, .read_cycles = 10, .first_waves = 2, .copy_cycles = 700, .strided_window_factor = 2};
  for (int c = 0; c < HS_CLASS_N; c++) k.efficiency[c] *= costs[_i].rate;
  if (strstr(costs[_i].op, "'group': 2")) k.efficiency[HS_CLASS_GROUPED] = 7; /* 1×1: a pointwise shader's rate; and a product's, however many rows it has */
  if (strstr(costs[_i].op, "Gemm")) k.efficiency[HS_CLASS_CONV_1X1] = 7;
  f.sys.backends[1].kernel = &k;
  f.graph->ops[0].n_fused = costs[_i].fused;
  f.graph->ops[0].fused[0] = HS_OP_RELU;
  struct hs_work w;
  hs_cost_exec(&f.sys, f.graph, &f.graph->ops[0], 1, whole, &w);
  ck_assert_msg(fabs(w.cycles[0] / costs[_i].cycles - 1) < 1e-9, "%s: %.9g cycles, not %.9g", costs[_i].op, w.cycles[0], costs[_i].cycles);
  int shaders = hs_op_is_conv(f.graph->ops[0].type) ? 1 : 1 + costs[_i].fused; /* whose start-ups draw no dynamic power */
  ck_assert_near(w.hosted, 100. * shaders);
  fixture_free(&f);
}
END_TEST

/* A mean of one of two images has half of the groups, each of which reads its own image only (mean.glsl): 4 of 8 waves of 2 · 2 texels and 16 sums. */
START_TEST(one_image_of_a_mean)
{
  struct fixture f;
  struct hs_work w;
  const struct hs_settings s = {.precision = -1, .memory_type = -1, .runtime = hs_runtime_find("mace")};
  fixture_make(&f, NULL, fixture_profile(100, 4, 0, 0), &s);
  fixture_graph(&f, "[2,8,8,16]", "{'name': 'o', 'inputs': ['x'], 'op': 'GlobalAveragePool'}", "'o'");
  struct hs_kernel k = *f.sys.backends[1].kernel;
  k.shaders = (struct hs_kernel_shaders){.access_cycles = 3, .read_cycles = 10, .first_waves = 2, .strided_window_factor = 1};
  f.sys.backends[1].kernel = &k;
  hs_cost_exec(&f.sys, f.graph, &f.graph->ops[0], 1, (struct hs_range){HS_SPLIT_BATCH, 1, 2}, &w);
  ck_assert_near(w.cycles[0], 100 + 20 * 64. * 6 + 4 * 3);
  hs_cost_exec(&f.sys, f.graph, &f.graph->ops[0], 1, whole, &w);
  ck_assert_near(w.cycles[0], 100 + 20 * 64. * 10 + 8 * 3);
  fixture_free(&f);
}
END_TEST

/* A Split in one slice and five: a flat wave and 8 of them, each part a shader that copies an image, and reads and writes. */
START_TEST(parts_of_a_split)
{
  static const char *const sizes[] = {"4, 20", "20, 4"};
  for (int i = 0; i < 2; i++) {
    struct fixture f;
    struct hs_work w;
    char op[200];
    const struct hs_settings s = {.precision = -1, .memory_type = -1, .runtime = hs_runtime_find("mace")};
    fixture_make(&f, NULL, fixture_profile(100, 4, 0, 0), &s);
    snprintf(op, sizeof op, "{'name': 's', 'inputs': ['x'], 'op': 'Split', 'axis': 3, 'sizes': [%s], 'outputs': ['o', 'p']}", sizes[i]);
    fixture_graph(&f, "[1,8,8,24]", op, "'o', 'p'");
    struct hs_kernel k = *f.sys.backends[1].kernel;
    k.shaders = (struct hs_kernel_shaders){.access_cycles = 3, .read_cycles = 10, .first_waves = 2, .copy_cycles = 700, .strided_window_factor = 1};
    f.sys.backends[1].kernel = &k;
    hs_cost_exec(&f.sys, f.graph, &f.graph->ops[0], 1, whole, &w);
    ck_assert_near(w.cycles[0], 2 * 100 + 2 * 700 + (1 + 8) * 2 * 3);
    ck_assert_near(w.hosted, 200);
    fixture_free(&f);
  }
}
END_TEST

/* Where the runtime's windows, or its convolutions without groups that don't pad as "same", pad by themselves there is no shader for a Pad before one,
 * but for one of channels, of images, or of what is reflected. */
START_TEST(padding_of_a_window)
{
#define AROUND "[[0, 0], [1, 1], [1, 1], [0, 0]]"
  static const struct {
    const char *pads, *reader;
    int waves; /* 10 × 10 pixels of 4 slices: 3 · 3; 10 × 8 of 5: 3 · 2 · 2; two images, 10 × 20: 3 · 5; of 5 slices: 3 · 3 · 2 */
    bool inside[3]; /* by enum hs_pads_inside */
  } cases[] = {{AROUND, "'op': 'Conv', 'channels': 16, 'kernel': [3,3]", 9, {false, true, true}},
               {AROUND, "'op': 'DepthwiseConv', 'kernel': [3,3], 'pad': [0,1,0,1]", 9, {false, true, true}},
               {AROUND, "'op': 'Conv', 'channels': 16, 'kernel': [3,3], 'group': 16", 9, {false, true, true}},
               {AROUND, "'op': 'Conv', 'channels': 16, 'kernel': [3,3], 'group': 4", 9, {false, true, false}},
               {AROUND, "'op': 'DepthwiseConv', 'kernel': [3,3], 'pad': 'same'", 9, {false, true, false}},
               {AROUND, "'op': 'ConvTranspose', 'channels': 16, 'kernel': [3,3], 'pad': 'valid'", 9, {false, true, false}},
               {AROUND, "'op': 'MaxPool', 'kernel': [3,3]", 9, {false, true, false}},
               {AROUND, "'op': 'Relu'", 9, {false, false, false}},
               {"[[0, 0], [1, 1], [0, 0], [0, 4]]", "'op': 'Conv', 'channels': 16, 'kernel': [3,3]", 12, {false, false, false}},
               {"[[0, 1], [1, 1], [1, 1], [0, 0]]", "'op': 'Conv', 'channels': 16, 'kernel': [3,3]", 15, {false, false, false}},
               {"[[0, 0], [1, 1], [1, 1], [1, 0]]", "'op': 'Conv', 'channels': 16, 'kernel': [3,3]", 18, {false, false, false}},
               {AROUND ", 'mode': 'reflect'", "'op': 'Conv', 'channels': 16, 'kernel': [3,3]", 9, {false, false, false}}};
  char ops[300];
  struct fixture f;
  const struct hs_settings s = {.precision = -1, .memory_type = -1, .runtime = hs_runtime_find("mace")};
  fixture_make(&f, NULL, fixture_profile(100, 4, 0, 0), &s);
  snprintf(ops, sizeof ops, "{'name': 'p', 'inputs': ['x'], 'op': 'Pad', 'pads': %s}, {'name': 'o', 'inputs': ['p'], %s}",
           cases[_i].pads, cases[_i].reader);
  fixture_graph(&f, "[1,8,8,16]", ops, "'o'");
  struct hs_kernel k = *f.sys.backends[1].kernel;
  k.shaders = (struct hs_kernel_shaders){.access_cycles = 3, .read_cycles = 10, .copy_cycles = 700, .strided_window_factor = 1};
  f.sys.backends[1].kernel = &k;
  struct hs_runtime runtime = *f.sys.runtime;
  f.sys.runtime = &runtime;
  for (int which = HS_PADS_WRITTEN; which <= HS_PADS_OF_CONVOLUTIONS; which++) {
    struct hs_work w;
    runtime.backends[HS_GPU].pads_inside = (enum hs_pads_inside)which;
    hs_cost_exec(&f.sys, f.graph, &f.graph->ops[0], 1, whole, &w);
    ck_assert_near(w.cycles[0], cases[_i].inside[which] ? 0 : 100 + 700 + cases[_i].waves * 2 * 3.0);
    f.sys.backends[1].precision = HS_INT8; /* in which convolutions take none in */
    ck_assert_int_eq(hs_cost_joined_to(&f.sys, f.graph, &f.graph->ops[0], 1), which == HS_PADS_OF_WINDOWS && cases[_i].inside[which] ? 1 : -1);
    f.sys.backends[1].precision = HS_FP32;
  }
  fixture_free(&f);
}
END_TEST

/* It is written where somebody else reads it too: another operator, or whoever runs the network. */
START_TEST(padding_that_others_read)
{
  static const struct {
    const char *more, *outputs;
    int joined;
  } cases[] = {{"", "'o'", 1}, {", {'name': 'r', 'inputs': ['p'], 'op': 'Relu'}", "'o', 'r'", -1}, {"", "'o', 'p'", -1}};
  const struct hs_settings s = {.precision = -1, .memory_type = -1, .runtime = hs_runtime_find("mace")};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct fixture f;
    char ops[300];
    fixture_make(&f, NULL, fixture_profile(100, 4, 0, 0), &s);
    snprintf(ops, sizeof ops, "{'name': 'p', 'inputs': ['x'], 'op': 'Pad', 'pads': " AROUND "}, "
             "{'name': 'o', 'inputs': ['p'], 'op': 'Conv', 'channels': 16, 'kernel': [3,3]}%s", cases[i].more);
    fixture_graph(&f, "[1,8,8,16]", ops, cases[i].outputs);
    struct hs_runtime runtime = *f.sys.runtime;
    f.sys.runtime = &runtime;
    runtime.backends[HS_GPU].pads_inside = HS_PADS_OF_WINDOWS;
    ck_assert_int_eq(hs_cost_joined_to(&f.sys, f.graph, &f.graph->ops[0], 1), cases[i].joined);
    fixture_free(&f);
  }
}
END_TEST

/* The sum of a network's kernels under `runtime` on a SoC's GPU, and how many operators this leaves to others. */
static double gpu_seconds(const char *soc, const char *runtime, const char *model, int *others)
{
  struct hs_setup s = {0};
  struct hs_error err;
  const struct hs_run_options options = {.soc = soc, .policy = "gpu", .runtime = runtime, .model = model};
  hs_test_accepted(hs_setup_system(&s, &options, &err), &err);
  hs_test_accepted(hs_setup_networks(&s, &options, &err), &err);
  int p = hs_soc_find(s.soc, "gpu");
  double sum = 0;
  *others = 0;
  for (int i = 0; i < s.graph->n_ops; i++) {
    if (hs_system_supports(&s.sys, s.graph, &s.graph->ops[i], p, NULL, 0))
      sum += hs_cost_seconds(&s.sys, s.graph, &s.graph->ops[i], p, -1);
    else
      ++*others;
  }
  ck_assert_int_eq(s.sys.backends[p].precision, HS_FP16);
  hs_setup_free(&s);
  return sum;
}

/* PyTorch's loops read five texels for 16 MACs and share none: on no SoC are they faster than TensorFlow Lite's. Convolutional networks leave only their last
 * Softmax, which is of a row; attention is left to the CPU, as there is no product of many matrices. */
START_TEST(every_soc)
{
  static const char *const socs[] = {"sd855", "sd865", "sd870", "sd888", "kirin960", "kirin970", "kirin985", "kirin990", "tensor"};
  int others;
  double torch = gpu_seconds(socs[_i], "pytorch", "resnet50", &others);
  ck_assert_int_eq(others, 1);
  double lite = gpu_seconds(socs[_i], "tflite", "resnet50", &others);
  ck_assert_msg(torch > lite && torch < 12 * lite, "%s: %.1f ms, %.1f under TensorFlow Lite", socs[_i], torch * 1e3, lite * 1e3);
  gpu_seconds(socs[_i], "pytorch", "deit_tiny_224", &others);
  ck_assert_int_ge(others, 24);
}
END_TEST

/* A newer Adreno isn't slower. */
START_TEST(generations)
{
  static const char *const pairs[][2] = {{"sd855", "sd865"}, {"sd865", "sd870"}, {"sd870", "sd888"}};
  int others;
  double before = gpu_seconds(pairs[_i][0], "pytorch", "mobilenet_v1", &others), after = gpu_seconds(pairs[_i][1], "pytorch", "mobilenet_v1", &others);
  ck_assert_msg(after <= before, "%s: %.2f ms, %s: %.2f ms", pairs[_i][0], before * 1e3, pairs[_i][1], after * 1e3);
}
END_TEST

static void fill(TCase *t)
{
  tcase_add_loop_test(t, launched, 0, sizeof shaders / sizeof *shaders);
  tcase_add_loop_test(t, cycles, 0, sizeof costs / sizeof *costs);
  tcase_add_test(t, one_image_of_a_mean);
  tcase_add_test(t, parts_of_a_split);
  tcase_add_loop_test(t, padding_of_a_window, 0, 12);
  tcase_add_test(t, padding_that_others_read);
  tcase_add_loop_test(t, every_soc, 0, 9);
  tcase_add_loop_test(t, generations, 0, 3);
}

int main(void) { return hs_test_main("shader", fill); }
