/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Products of matrices and what runs between them, in networks of tokens, against numbers worked out by hand. */
#include "tests/model/costs.h"

#include <math.h>

#include "model/products.h"

/* A product of several rows is a matrix product as a 1×1 convolution is, at half of 8 MAC a cycle: 20·6·9 and packing 20·6 floats in 2 cycles per byte;
 * one row reads all weights for as many MACs, at a quarter. */
START_TEST(rows_of_features)
{
  for (int p = 0; p < 2; p++) {
    struct fixture f;
    struct hs_kernel k;
    make(&f, "[20,6]", "'op': 'Gemm', 'channels': 9", 0, 1, 0);
    own_kernel(&f, p, &k)->efficiency[HS_CLASS_MATMUL] = 0.25;
    k.pack_cycles_per_byte = 2;
    ck_assert_int_eq(hs_class_on(&f.sys, f.graph, f.graph->ops, p), HS_CLASS_CONV_1X1);
    ck_assert_near(cost(&f, 0, p, whole).cycles[0], 270.0 + 960);
    ck_assert_near(cost(&f, 0, p, (struct hs_range){HS_SPLIT_BATCH, 0, 10}).cycles[0], 135.0 + 480);
    fixture_free(&f);
    make(&f, "[1,6]", "'op': 'Gemm', 'channels': 9", 0, 1, 0);
    own_kernel(&f, p, &k)->efficiency[HS_CLASS_MATMUL] = 0.25;
    k.pack_cycles_per_byte = 2;
    ck_assert_int_eq(hs_class_on(&f.sys, f.graph, f.graph->ops, p), HS_CLASS_MATMUL);
    ck_assert_near(cost(&f, 0, p, whole).cycles[0], 27.0);
    fixture_free(&f);
  }
}
END_TEST

/* One row at a tenth of 8 MAC a cycle, 40·30 / 0.8; the product at half, 300 each: up to 5 rows wait for the weights as one does, and more
 * rows never take less. */
START_TEST(few_rows)
{
  double before = 0;
  for (int rows = 1; rows < 9; rows++) {
    struct fixture f;
    struct hs_kernel k;
    char shape[20];
    snprintf(shape, sizeof shape, "[%d,40]", rows);
    make(&f, shape, "'op': 'Gemm', 'channels': 30", 0, 1, 0);
    own_kernel(&f, 0, &k)->efficiency[HS_CLASS_MATMUL] = 0.1;
    double cycles = cost(&f, 0, 0, whole).cycles[0];
    ck_assert_near(cycles, rows <= 5 ? 1500.0 : rows * 300.0);
    ck_assert_double_ge(cycles, before);
    before = cycles;
    fixture_free(&f);
  }
}
END_TEST

/* The row that several take no less than is as small as one: at half its rate where four of them have all of theirs. */
START_TEST(few_rows_are_small)
{
  struct fixture f;
  struct hs_kernel k;
  make(&f, "[4,40]", "'op': 'Gemm', 'channels': 30", 0, 1, 0);
  own_kernel(&f, 0, &k)->efficiency[HS_CLASS_MATMUL] = 0.1;
  k.n_knots = 2;
  k.knot_ln[0] = log(30);
  k.knot_ln[1] = log(120);
  k.knot_frac[0] = 0.5;
  k.knot_frac[1] = 1;
  ck_assert_near(cost(&f, 0, 0, whole).cycles[0], 2 * 1500.0);
  k.efficiency[HS_CLASS_MATMUL] = 0.5; /* 2 · 300 */
  ck_assert_near(cost(&f, 0, 0, whole).cycles[0], 4 * 300.0);
  fixture_free(&f);
}
END_TEST

/* Rows of features lie side by side as the columns of an image's row do: with blocks of 4, 18 of them are 20, 20·6·9 / 4. */
START_TEST(rows_in_blocks)
{
  static const char *const as[][2] = {{"[18,6]", "'op': 'Gemm', 'channels': 9"}, {"[1,1,18,6]", "'op': 'Conv', 'channels': 9, 'kernel': [1,1]"}};
  for (int i = 0; i < 2; i++) {
    struct fixture f;
    struct hs_kernel k;
    make(&f, as[i][0], as[i][1], 0, 1, 0);
    own_kernel(&f, 1, &k)->width_block[HS_CLASS_CONV_1X1] = 4;
    ck_assert_near(cost(&f, 0, 1, whole).cycles[0], 270.0);
    if (i == 0) ck_assert_near(cost(&f, 0, 1, (struct hs_range){HS_SPLIT_BATCH, 0, 9}).cycles[0], 162.0); /* 12 */
    fixture_free(&f);
  }
}
END_TEST

/* Three matrices of 4 × 6 · 6 × 2, 48 MACs each: 36 cycles at half of 8 MAC, but a row of each, 12 MACs at a tenth, takes 45. */
START_TEST(few_rows_of_each_matrix)
{
  struct fixture f;
  struct hs_kernel k;
  struct hs_settings s = on_mace();
  fixture_make(&f, NULL, fixture_profile(0, 1, 0, 0), &s);
  fixture_graph(&f, "[3,4,6]",
                "{'name': 'r', 'op': 'Reshape', 'inputs': ['x'], 'shape': [3,6,4]}, {'name': 's', 'op': 'Slice', 'inputs': ['r'], "
                "'begin': [0,0,0], 'size': [3,6,2]}, "
                "{'name': 'o', 'op': 'MatMul', 'inputs': ['x', 's']}", "'o'");
  own_kernel(&f, 0, &k)->efficiency[HS_CLASS_MATMUL] = 0.1;
  ck_assert_near(cost(&f, 2, 0, whole).cycles[0], 45.0);
  k.efficiency[HS_CLASS_MATMUL] = 0.2;
  ck_assert_near(cost(&f, 2, 0, whole).cycles[0], 36.0);
  fixture_free(&f);
}
END_TEST

/* A convolution with a group for each of 8 channels, 3×3 on 4×4: 4·4·8·9 MACs at a quarter as a depthwise one, at an eighth as a grouped
 * one, which is what TensorFlow Lite's CPU makes of it, not its GPU, nor its CPU with XNNPACK, nor MACE; of a DepthwiseConv neither. */
START_TEST(a_group_for_each_channel)
{
  static const struct {
    const char *runtime, *op;
    int processor;
    bool grouped;
  } cases[] = {{"tflite", "'op': 'Conv', 'channels': 8, 'group': 8", 0, true}, {"tflite-nnapi", "'op': 'Conv', 'channels': 8, 'group': 8", 0, true},
               {"tflite-xnnpack", "'op': 'Conv', 'channels': 8, 'group': 8", 0, false}, {"mace", "'op': 'Conv', 'channels': 8, 'group': 8", 0, false},
               {"tflite", "'op': 'Conv', 'channels': 8, 'group': 8", 1, false}, {"tflite", "'op': 'DepthwiseConv'", 0, false}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct fixture f;
    struct hs_kernel k;
    char op[120];
    snprintf(op, sizeof op, "%s, 'kernel': [3,3], 'pad': 'same'", cases[i].op);
    make(&f, "[1,4,4,8]", op, 0, 1, 0);
    f.sys.runtime = hs_runtime_find(cases[i].runtime);
    own_kernel(&f, cases[i].processor, &k)->efficiency[HS_CLASS_DEPTHWISE] = 0.25;
    k.efficiency[HS_CLASS_GROUPED] = 0.125;
    k.depthwise_fast_path = (struct hs_depthwise_path){.kernel = 5, .other_factor = 3, .max_pad = -1}; /* of depthwise ones */
    ck_assert_near(cost(&f, 0, cases[i].processor, whole).cycles[0], cases[i].grouped ? 1152.0 : 3 * 576.0);
    k.group_of_one_factor = 0.75;
    ck_assert_near(cost(&f, 0, cases[i].processor, whole).cycles[0], cases[i].grouped ? 0.75 * 1152.0 : 3 * 576.0);
    fixture_free(&f);
  }
}
END_TEST

/* Matrices are multiplied one by one: each of 12 × 12 · 12 × 12 is padded to 16 × 16, (16/12)² of 3·12³ MAC, and each of 24 × 24 · 24 × 24,
 * sizes rounded up 2^15 multiplications, is too small for two threads, of which eight as one would have some. */
START_TEST(matrices_by_themselves)
{
  static const struct {
    const char *shape;
    double cycles;
  } cases[] = {{"[3,12,12]", 3 * 12 * 16 * 16 / 4.0}, {"[1,3,12,12]", 3 * 12 * 16 * 16 / 4.0}, {"[8,24,24]", 8 * 24 * 24 * 24 / 4.0},
               {"[2,4,24,24]", 8 * 24 * 24 * 24 / 4.0}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct fixture f;
    struct hs_kernel k;
    struct hs_settings s = on_mace();
    fixture_make(&f, NULL, fixture_profile(0, 1, 0, 0), &s);
    fixture_graph(&f, cases[i].shape, "{'name': 'o', 'op': 'MatMul', 'inputs': ['x', 'x']}", "'o'");
    own_kernel(&f, 0, &k)->matrix_block = 8;
    k.block_map_bytes = 131072;
    f.sys.backends[0].threads = 3;
    ck_assert_near(cost(&f, 0, 0, whole).cycles[0], cases[i].cycles);
    fixture_free(&f);
  }
  struct fixture f; /* half of four: rows of 24 fill blocks, as those of all four do */
  struct hs_kernel k;
  struct hs_settings s = on_mace();
  fixture_make(&f, NULL, fixture_profile(0, 1, 0, 0), &s);
  fixture_graph(&f, "[4,24,24]", "{'name': 'o', 'op': 'MatMul', 'inputs': ['x', 'x']}", "'o'");
  own_kernel(&f, 0, &k)->matrix_block = 8;
  ck_assert_near(cost(&f, 0, 0, (struct hs_range){HS_SPLIT_BATCH, 0, 2}).cycles[0], 2 * 24 * 24 * 24 / 4.0);
  k.operator_cycles[HS_OP_MAT_MUL] = 3;
  ck_assert_near(cost(&f, 0, 0, (struct hs_range){HS_SPLIT_BATCH, 0, 2}).cycles[0], 2 * 24 * 24 * 24 * 3.0 / f.sys.backends[0].threads);
  fixture_free(&f);
}
END_TEST

/* A MatMul with cycles of its own has them per MAC, n³ for each matrix, whatever blocks and packing others have. Where the runtime hands
 * whole matrices to threads, from four on: 4 to 3 threads are 2, 1 and 1, 5 are 2, 2 and 1; three are all the calling thread's, which is
 * the only core then. No core multiplies more floats a cycle than its 8. A Gemm is a convolution still. */
START_TEST(whole_matrices)
{
  static const struct {
    const char *shape;
    double own, least, cycles;
  } cases[] = {{"[3,12,12]", 2, 0, 3 * 1728 * 2 / 3.0}, {"[3,12,12]", 2, 4, 3 * 1728 * 2}, {"[4,12,12]", 2, 4, 2 * 1728 * 2}, {"[5,12,12]", 2, 4, 2 * 1728 * 2},
               {"[2,3,12,12]", 2, 4, 2 * 1728 * 2}, {"[12,12]", 2, 4, 1728 * 2}, {"[4,12,12]", 0.1, 4, 2 * 1728 / 8.0}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct fixture f;
    struct hs_kernel k;
    struct hs_settings s = on_mace();
    fixture_make(&f, NULL, fixture_profile(0, 1, 0, 0), &s);
    fixture_graph(&f, cases[i].shape, "{'name': 'o', 'op': 'MatMul', 'inputs': ['x', 'x']}", "'o'");
    struct hs_runtime runtime = *f.sys.runtime;
    runtime.backends[HS_CPU].least_matrices = (int)cases[i].least;
    f.sys.runtime = &runtime;
    own_kernel(&f, 0, &k)->operator_cycles[HS_OP_MAT_MUL] = cases[i].own;
    k.matrix_block = 8;
    k.pack_cycles_per_byte = k.move_cycles_per_byte = 3;
    f.sys.backends[0].threads = 3;
    ck_assert_near(cost(&f, 0, 0, whole).cycles[0], cases[i].cycles);
    fixture_free(&f);
  }
  struct fixture f;
  struct hs_kernel k;
  struct hs_settings s = on_mace();
  fixture_make(&f, NULL, fixture_profile(0, 1, 0, 0), &s); /* an accelerator without floats has what the profile says */
  fixture_graph(&f, "[4,12,12]", "{'name': 'o', 'op': 'MatMul', 'inputs': ['x', 'x']}", "'o'");
  own_kernel(&f, 1, &k)->operator_cycles[HS_OP_MAT_MUL] = 2;
  f.soc->processors[1].domains[0].macs_per_cycle[HS_FP32] = 0;
  f.soc->processors[1].domains[0].macs_per_cycle[HS_INT8] = 8;
  f.sys.backends[1].precision = HS_INT8;
  ck_assert_near(cost(&f, 0, 1, whole).cycles[0], 4 * 1728 * 2.0);
  fixture_free(&f);
  for (int n = 3; n <= 4; n++) { /* PyTorch's: four matrices are handed out, three aren't */
    char shape[30];
    snprintf(shape, sizeof shape, "[%d,12,12]", n);
    fixture_make(&f, NULL, fixture_profile(0, 1, 0, 0), &s);
    fixture_graph(&f, shape, "{'name': 'o', 'op': 'MatMul', 'inputs': ['x', 'x']}", "'o'");
    f.sys.runtime = hs_runtime_find("pytorch");
    own_kernel(&f, 0, &k)->operator_cycles[HS_OP_MAT_MUL] = 2;
    f.sys.backends[0].threads = 4;
    ck_assert_near(cost(&f, 0, 0, whole).cycles[0], 1728 * 2.0 * (n == 3 ? 3 : 1));
    fixture_free(&f);
  }
  make(&f, "[12,24]", "'op': 'Gemm', 'channels': 16", 0, 1, 0);
  double before = cost(&f, 0, 0, whole).cycles[0];
  own_kernel(&f, 0, &k)->operator_cycles[HS_OP_MAT_MUL] = 5;
  ck_assert_near(cost(&f, 0, 0, whole).cycles[0], before);
  fixture_free(&f);
}
END_TEST

/* Weights of 24 · 16 floats and 16 biases are 1600 bytes, read once, whatever part of the rows' tensors is. Where the cache doesn't hold as much, and
 * a pass over them serves 5 of 12 rows, they are read twice more; one row is one pass; nor are they where no cache is told. */
static const struct {
  int rows, pass;
  double cache, again;
} passes[] = {{12, 0, 1, 0}, {12, 5, 1, 2}, {12, 5, 1599, 2}, {12, 5, 1600, 0}, {12, 5, 0, 0}, {12, 12, 1, 0}, {1, 5, 1, 0}};

START_TEST(passes_over_weights)
{
  struct fixture f;
  struct hs_kernel k;
  char shape[30];
  snprintf(shape, sizeof shape, "[%d,24]", passes[_i].rows);
  make(&f, shape, "'op': 'Gemm', 'channels': 16", 0, 1, 0);
  own_kernel(&f, 0, &k)->traffic_factor = 0.5;
  double once = cost(&f, 0, 0, whole).bytes;
  ck_assert_near(once, 1600 + 0.5 * passes[_i].rows * (24 + 16) * 4);
  k.rows_per_pass = passes[_i].pass;
  if (_i % 2) k.winograd = (struct hs_winograd){.tile = 6, .small_tile = 6, .channels = 1, .tiles_per_pass = 8}; /* of convolutions alone */
  f.soc->memory.llc_bytes = passes[_i].cache;
  ck_assert_near(cost(&f, 0, 0, whole).bytes, once + passes[_i].again * 1600);
  fixture_free(&f);
}
END_TEST

/* A core waits 3 cycles for each of these bytes, two of them as one for a quarter; so it does in a convolution of as many pixels, whose weights count as
 * traffic once. */
START_TEST(waits_for_weights)
{
  static const char *const ops[] = {"'op': 'Gemm', 'channels': 16", "'op': 'Conv', 'channels': 16, 'kernel': [1,1]"};
  for (int conv = 0; conv < 2; conv++)
    for (int threads = 1; threads <= 2; threads++) {
      struct fixture f;
      struct hs_kernel k;
      char shape[30];
      snprintf(shape, sizeof shape, conv ? "[1,1,%d,24]" : "[%d,24]", passes[_i].rows);
      make(&f, shape, ops[conv], 0, 1, 0);
      f.sys.backends[0].threads = threads;
      own_kernel(&f, 0, &k)->rows_per_pass = passes[_i].pass ? passes[_i].pass : 12;
      f.soc->memory.llc_bytes = passes[_i].cache;
      struct hs_work before = cost(&f, 0, 0, whole);
      k.reread_cycles_per_byte = 3;
      ck_assert_near(cost(&f, 0, 0, whole).cycles[0] - before.cycles[0], 3 * 1600 * passes[_i].again / threads / threads);
      ck_assert_double_eq(cost(&f, 0, 0, whole).bytes, before.bytes);
      fixture_free(&f);
    }
}
END_TEST

/* Of twelve rows, not of one, nor of a convolution of twelve pixels. */
START_TEST(rows_at_a_rate_of_their_own)
{
  static const struct {
    const char *shape, *op;
    double times;
  } cases[] = {{"[12,24]", "'op': 'Gemm', 'channels': 16", 1.5}, {"[1,24]", "'op': 'Gemm', 'channels': 16", 1},
               {"[1,3,4,24]", "'op': 'Conv', 'channels': 16, 'kernel': [1,1]", 1}};
  struct fixture f;
  struct hs_kernel k;
  make(&f, cases[_i].shape, cases[_i].op, 0, 1, 0);
  double before = cost(&f, 0, 0, whole).cycles[0];
  own_kernel(&f, 0, &k)->gemm_factor = 1.5;
  ck_assert_double_gt(before, 0);
  ck_assert_near(cost(&f, 0, 0, whole).cycles[0], before * cases[_i].times);
  fixture_free(&f);
}
END_TEST

/* Half of light operators is serial, so that 4 threads take 0.5 + 0.5 / 4 of 1200 elements at 3 cycles; a quarter where threads share what computes a
 * function of each element, and it has cycles of its own: a sum is no such function. */
START_TEST(threads_share_functions)
{
  static const struct {
    const char *op;
    enum hs_op_type type;
    bool shares;
    double part;
  } cases[] = {{"'op': 'Gelu', 'inputs': ['x']", HS_OP_GELU, false, 0.625}, {"'op': 'Gelu', 'inputs': ['x']", HS_OP_GELU, true, 0.25},
               {"'op': 'Softmax', 'inputs': ['x']", HS_OP_SOFTMAX, true, 0.25}, {"'op': 'Tanh', 'inputs': ['x']", HS_OP_TANH, true, 0.25},
               {"'op': 'Add', 'inputs': ['x','x']", HS_OP_ADD, true, 0.625}, {"'op': 'Sigmoid', 'inputs': ['x']", HS_OP_GELU, true, 0}};
  struct fixture f;
  struct hs_kernel k;
  struct hs_settings s = on_mace();
  char ops[100];
  fixture_make(&f, NULL, fixture_profile(0, 1, 0, 0), &s);
  snprintf(ops, sizeof ops, "{'name': 'o', %s}", cases[_i].op);
  fixture_graph(&f, "[1,10,10,12]", ops, "'o'");
  struct hs_runtime runtime = *f.sys.runtime;
  own_kernel(&f, 0, &k)->serial_light_frac = 0.5;
  f.sys.backends[0].threads = 4;
  double before = cost(&f, 0, 0, whole).cycles[0];
  runtime.backends[HS_CPU].shares_functions = cases[_i].shares;
  f.sys.runtime = &runtime;
  k.operator_cycles[cases[_i].type] = 3;
  ck_assert_near(cost(&f, 0, 0, whole).cycles[0], cases[_i].part > 0 ? 3 * 1200 * cases[_i].part : before);
  fixture_free(&f);
}
END_TEST

/* A core at 2 GHz and one at 1 GHz, whose threads steal: 2400 and 1200 cycles of 3600 take 1.2 us. What the runtime hands out in equal parts, functions and
 * matrices, the slower one decides: 1800 cycles, 1.8 us. What is serial altogether takes the faster one alone. */
START_TEST(equal_parts)
{
  static const struct {
    const char *shape, *op;
    double own, serial, seconds;
  } cases[] = {{"[1,10,10,12]", "'op': 'Add', 'inputs': ['x','x']", 3, 0, 1.2e-6}, {"[1,10,10,12]", "'op': 'Gelu', 'inputs': ['x']", 3, 0, 1.8e-6},
               {"[1,10,10,12]", "'op': 'Add', 'inputs': ['x','x']", 3, 1, 1.8e-6}, {"[4,10,10]", "'op': 'MatMul', 'inputs': ['x','x']", 0.9, 0, 1.8e-6}};
  struct fixture f;
  struct hs_kernel k;
  struct hs_settings s = on_mace();
  char ops[100], *seed = hs_test_seed("soc/small");
  char *two = hs_test_replace(seed, "\"domains\": [{\"name\": \"g\"",
                              "\"domains\": [{\"name\": \"mid\", \"cores\": 1, \"bandwidth_per_core_bytes_per_s\": 3e10, "
                              "\"macs_per_cycle\": {\"fp32\": 8}, \"opps\": "
                              "[{\"freq_hz\": 1000000000.0, \"volt\": 1, \"dynamic_w\": 1, \"static_w\": 0.1}], \"source\": \"a\"}, {\"name\": \"g\"");
  fixture_make(&f, two, fixture_profile(0, 1, 0, 0), &s);
  snprintf(ops, sizeof ops, "{'name': 'o', %s}", cases[_i].op);
  fixture_graph(&f, cases[_i].shape, ops, "'o'");
  struct hs_runtime runtime = *f.sys.runtime;
  runtime.steals = runtime.backends[HS_CPU].shares_functions = true;
  runtime.backends[HS_CPU].least_matrices = 4;
  f.sys.runtime = &runtime;
  f.sys.traffic = 0;
  f.sys.backends[0].cores[0] = f.sys.backends[0].cores[1] = 1;
  f.sys.backends[0].threads = 2;
  own_kernel(&f, 0, &k)->operator_cycles[f.graph->ops[0].type] = cases[_i].own;
  k.serial_light_frac = cases[_i].serial;
  ck_assert_int_eq(cost(&f, 0, 0, whole).cores[0], cases[_i].serial < 1);
  ck_assert_near(hs_cost_seconds(&f.sys, f.graph, &f.graph->ops[0], 0, -1), cases[_i].seconds);
  fixture_free(&f);
  free(two);
  free(seed);
}
END_TEST

/* TensorFlow Lite's GPU delegate does 3×3 convolutions by Winograd on a Mali from 16 slices of channels on both sides and 32 tiles of 4 × 4 outputs in an
 * image. 61 channels are 16 slices, 60 are 15; 21 × 29 outputs are 6 · 8 = 48 tiles, 12 × 29 3 · 8 = 24, of which two images have no more. Not what isn't 3×3
 * of stride 1 without dilation and groups, and no other runtime. A part of rows is by its own tiles. */
static const struct {
  const char *shape, *op;
  int tiles;
} sizes_3x3[] = {
  {"[1,21,29,61]", "'channels': 61, 'kernel': [3,3], 'pad': 'same'", 48},
  {"[1,21,29,60]", "'channels': 61, 'kernel': [3,3], 'pad': 'same'", 0},
  {"[1,21,29,61]", "'channels': 60, 'kernel': [3,3], 'pad': 'same'", 0},
  {"[1,12,29,61]", "'channels': 61, 'kernel': [3,3], 'pad': 'same'", 0},
  {"[2,12,29,61]", "'channels': 61, 'kernel': [3,3], 'pad': 'same'", 0},
  {"[2,21,29,61]", "'channels': 61, 'kernel': [3,3], 'pad': 'same'", 96},
  {"[1,16,32,61]", "'channels': 61, 'kernel': [3,3], 'pad': 'same'", 32},
  {"[1,16,32,61]", "'channels': 61, 'kernel': [3,3], 'pad': 'valid'", 32},
  {"[1,16,28,61]", "'channels': 61, 'kernel': [3,3], 'pad': 'same'", 0},
  {"[1,48,48,64]", "'channels': 64, 'kernel': [3,3], 'stride': [2,2], 'pad': 'same'", 0},
  {"[1,24,24,64]", "'channels': 64, 'kernel': [3,3], 'dilation': [2,2], 'pad': 'same'", 0},
  {"[1,24,24,128]", "'channels': 128, 'kernel': [3,3], 'group': 2, 'pad': 'same'", 0},
  {"[1,24,24,64]", "'channels': 64, 'kernel': [1,1]", 0},
};

START_TEST(winograd_by_size)
{
  static const struct hs_range upper = {HS_SPLIT_HEIGHT, 0, 12};
  struct fixture f;
  struct hs_kernel k;
  char op[200];
  snprintf(op, sizeof op, "'op': 'Conv', %s", sizes_3x3[_i].op);
  make(&f, sizes_3x3[_i].shape, op, 0, 1, 0);
  own_kernel(&f, 1, &k);
  under(&f, "tflite");
  struct hs_portion all = hs_portion_whole(&f.sys, f.graph, f.graph->ops, 1);
  ck_assert_near(hs_products_tiles(&all), 0); /* by another kernel */
  k.mali.cores = 12;
  ck_assert_near(hs_products_tiles(&all), sizes_3x3[_i].tiles);
  ck_assert_int_eq(hs_products_kernels(&all), sizes_3x3[_i].tiles ? 3 : 1);
  struct hs_portion part = hs_portion_of(&f.sys, f.graph, f.graph->ops, 1, upper, (struct hs_border){0, 0});
  if (_i == 0) ck_assert_near(hs_products_tiles(&part), 0);
  under(&f, "mace");
  all = hs_portion_whole(&f.sys, f.graph, f.graph->ops, 1);
  ck_assert_near(hs_products_tiles(&all), 0);
  fixture_free(&f);
}
END_TEST

static void fill(TCase *t)
{
  tcase_add_loop_test(t, winograd_by_size, 0, sizeof sizes_3x3 / sizeof *sizes_3x3);
  tcase_add_test(t, rows_of_features);
  tcase_add_test(t, few_rows);
  tcase_add_test(t, few_rows_are_small);
  tcase_add_test(t, rows_in_blocks);
  tcase_add_test(t, few_rows_of_each_matrix);
  tcase_add_test(t, a_group_for_each_channel);
  tcase_add_test(t, matrices_by_themselves);
  tcase_add_test(t, whole_matrices);
  tcase_add_loop_test(t, passes_over_weights, 0, 7);
  tcase_add_loop_test(t, waits_for_weights, 0, 7);
  tcase_add_loop_test(t, rows_at_a_rate_of_their_own, 0, 3);
  tcase_add_loop_test(t, threads_share_functions, 0, 6);
  tcase_add_loop_test(t, equal_parts, 0, 4);
}

int main(void) { return hs_test_main("products", fill); }
