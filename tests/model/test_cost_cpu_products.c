/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a product takes on a CPU beside its MACs: blocks and threads that take them, windows, packing, layouts, tensors that are turned. Numbers are worked out by
 * hand; what multiplies nothing is in test_cost_cpu_light.c. */
#include "tests/model/costs.h"

#include "model/blocks.h"

/* 1×1 on 1×7×7×16 with 12 channels: 49·16·12 = 9408 MAC, 4 a cycle; in blocks of 8 × 8, 56·16·16 = 14 336. Depthwise 3×3 on the same is no
 * matrix product. */
START_TEST(matrix_blocks)
{
  struct fixture f;
  struct hs_kernel k;
  struct hs_work w;
  make(&f, "[1,7,7,16]", "'op': 'Conv', 'channels': 12, 'kernel': [1,1]", 0, 1, 0);
  w = cost(&f, 0, 0, whole);
  ck_assert_near(w.cycles[0], 2352.0);
  own_kernel(&f, 0, &k)->matrix_block = 8;
  w = cost(&f, 0, 0, whole);
  ck_assert_near(w.cycles[0], 3584.0);
  fixture_free(&f);
  make(&f, "[1,7,7,12]", "'op': 'DepthwiseConv', 'kernel': [3,3], 'pad': 'same'", 0, 1, 0);
  own_kernel(&f, 0, &k)->matrix_block = 8;
  w = cost(&f, 0, 0, whole);
  ck_assert_near(w.cycles[0], 7 * 7 * 12 * 9 / 4.0);
  fixture_free(&f);
}
END_TEST

/* ruy's grids for four threads that have 128 KiB each, in kernels of 8 × 8, and the largest share among three.
 * 64 × 3136, depth 64: 3136 is cut in 32 (49 times 64 is 2^5 and more), 64 isn't (scores for 8, 16, 32, 64: 80, 96, 112, 120), so 8 blocks of 104
 * columns and 24 of 96. Three threads get 312, 312 and 304 columns, seven times 96 more, and two of them another 96: 1080 of 3136.
 * 512 × 49, depth 4608: 56 columns, 512 is cut in 8, and each of these and the columns in 2 more (scores for 8, 16, 32: 64, 64, 48): 16 blocks of
 * 32 rows and 32 columns, then 16 with 24. Three threads get 6, 5 and 5 of the first; the largest has 9728 of 28 672 elements at the end.
 * 1576 × 5792, depth 152: beyond 256 kernels a block isn't better for being larger (scores for 8 to 512: 80, 96, 112, 128, 136, 128, 104), so 8 times 16
 * blocks, of 200 (5) or 192 rows and 368 (4) or 360 columns; a thread that takes the next block as it gets free has 3067200 of 9 128 192 elements at most.
 * 8 × 3136, depth 576: 3136 would be cut in 256, each as long as the rows are, but no part has fewer than eight kernels: in 32, as the first.
 * 16 × 49, depth 64: 2^4 · 2^6 · 2^6 are worth two threads, with 8 rows one. */
START_TEST(grids)
{
  static const struct {
    struct hs_product product;
    int threads, log2_n[2];
    int64_t small[2], large[2];
    double share;
  } cases[] = {{{64, 3136, 64, 1}, 3, {0, 5}, {64, 96}, {0, 8}, 1080 / 3136.0},
               {{8, 3136, 576, 1}, 3, {0, 5}, {8, 96}, {0, 8}, 1080 / 3136.0},
               {{512, 49, 4608, 1}, 3, {4, 1}, {32, 24}, {0, 1}, 9728 / 28672.0},
               {{1576, 5792, 152, 1}, 3, {3, 4}, {192, 360}, {5, 4}, 3067200 / 9128192.0}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct hs_blocks b;
    ck_assert_int_eq(hs_product_threads(&cases[i].product, cases[i].threads), cases[i].threads);
    hs_blocks_choose(&cases[i].product, 4, 8, 131072, &b);
    for (int d = 0; d < 2; d++) {
      ck_assert_int_eq(b.log2_n[d], cases[i].log2_n[d]);
      ck_assert_int_eq(b.small[d], cases[i].small[d]);
      ck_assert_int_eq(b.large[d], cases[i].large[d]);
    }
    int n = hs_blocks_count(&b);
    ck_assert_int_eq(n, 1 << (cases[i].log2_n[0] + cases[i].log2_n[1]));
    ck_assert_near(hs_blocks_share(&b, 3), cases[i].share);
    ck_assert_near(hs_blocks_unevenness(&b, 3), cases[i].share / ((n + 2) / 3) * n);
    ck_assert_near(hs_blocks_share(&b, 1), 1.0);
  }
  ck_assert_int_eq(hs_product_threads(&(struct hs_product){16, 49, 64, 1}, 4), 2);
  ck_assert_int_eq(hs_product_threads(&(struct hs_product){8, 49, 64, 1}, 4), 1);
}
END_TEST

/* 1×1 on 56×56×64 with 64 channels: 12 845 056 MAC, 4 a cycle, on three threads 1 070 421.33 cycles in equal shares. In fp32 the grid is the one above
 * (rows and columns of 64 elements in depth 64 are 2^15 bytes, still a quarter of the cache): 1080 of 3136. The upper quarter, 784 columns, is cut in 8:
 * 8 blocks of 96 or (2 of them) 104 columns, and 3 of them are 296: more than a third. A depthwise convolution is no product. */
START_TEST(threads_take_blocks)
{
  struct fixture f;
  struct hs_kernel k;
  make(&f, "[1,56,56,64]", "'op': 'Conv', 'channels': 64, 'kernel': [1,1]", 0, 1, 0);
  own_kernel(&f, 0, &k)->matrix_block = 8;
  f.sys.backends[0].threads = f.sys.backends[0].cores[0] = 3;
  ck_assert_near(cost(&f, 0, 0, whole).cycles[0], 12845056 / 4.0 / 3);
  k.block_map_bytes = 131072;
  ck_assert_near(cost(&f, 0, 0, whole).cycles[0], 12845056 / 4.0 * 1080 / 3136);
  ck_assert_near(cost(&f, 0, 0, (struct hs_range){HS_SPLIT_HEIGHT, 0, 14}).cycles[0], 12845056 / 16.0 * 296 / 784);
  f.sys.backends[0].threads = f.sys.backends[0].cores[0] = 1;
  ck_assert_near(cost(&f, 0, 0, whole).cycles[0], 12845056 / 4.0);
  fixture_free(&f);
  make(&f, "[1,56,56,64]", "'op': 'DepthwiseConv', 'kernel': [3,3], 'pad': 'same'", 0, 1, 0);
  own_kernel(&f, 0, &k)->matrix_block = 8;
  k.block_map_bytes = 131072;
  f.sys.backends[0].threads = 3;
  ck_assert_near(cost(&f, 0, 0, whole).cycles[0], 56 * 56 * 64 * 9 / 4.0 / 3);
  fixture_free(&f);
}
END_TEST

/* Conv 3×3 "same" on 1×12×12×64 → 64 takes 1 327 104 cycles to multiply; (9216 + 36928 + 9216)·4 = 221 440 bytes at 2 cycles are 442 880 more, and
 * 144 windows of 576 at 4 bytes and half a cycle 165 888. One invocation: 1000 cycles on top. */
START_TEST(packing_and_start)
{
  struct fixture f;
  struct hs_kernel k;
  make(&f, "[1,12,12,64]", "'op': 'Conv', 'channels': 64, 'kernel': [3,3], 'pad': 'same'", 0, 1, 0);
  own_kernel(&f, 0, &k)->move_cycles_per_byte = 2;
  k.window_cycles_per_byte = 0.5;
  k.start_cycles = 1000;
  struct hs_work w = cost(&f, 0, 0, whole);
  ck_assert_near(w.cycles[0], 1327104.0 + 442880 + 165888);
  hs_cost_start(&f.sys, 0, &w);
  ck_assert_near(w.cycles[0], 1327104.0 + 442880 + 165888 + 1000);
  fixture_free(&f);
}
END_TEST

/* A transposed one to 32 channels that sums up what each of 144 pixels makes of a window of 9: 4 bytes each, whatever it multiplies in and how far apart windows
 * are. The upper half of the result has half of it. */
START_TEST(windows_of_transposed)
{
  for (int stride = 1; stride <= 4; stride *= 2) {
    struct fixture f;
    struct hs_kernel k;
    char op[120];
    const struct hs_range rows = {HS_SPLIT_HEIGHT, 0, 6 * stride};
    snprintf(op, sizeof op, "'op': 'ConvTranspose', 'channels': 32, 'kernel': [3,3], 'stride': [%d,%d], 'pad': 'same'", stride, stride);
    make(&f, "[1,12,12,64]", op, 0, 1, 0);
    double without = cost(&f, 0, 0, whole).cycles[0], half = cost(&f, 0, 0, rows).cycles[0];
    struct hs_runtime runtime = *f.sys.runtime;
    f.sys.runtime = &runtime;
    own_kernel(&f, 0, &k)->window_cycles_per_byte = 0.5;
    ck_assert_near(cost(&f, 0, 0, whole).cycles[0], without + 0.5 * 4 * 144 * stride * stride * 9 * 64); /* as other convolutions */
    runtime.backends[HS_CPU].sums_windows = true;
    ck_assert_near(cost(&f, 0, 0, whole).cycles[0], without + 0.5 * 4 * 144 * 9 * 32);
    ck_assert_near(cost(&f, 0, 0, rows).cycles[0], half + 0.5 * 4 * 72 * 9 * 32);
    fixture_free(&f);
  }
}
END_TEST

/* The same on three cores: windows are gathered by one, the rest is divided. */
START_TEST(windows_on_one_core)
{
  struct fixture f;
  struct hs_kernel k;
  struct hs_work w;
  make(&f, "[1,12,12,64]", "'op': 'Conv', 'channels': 64, 'kernel': [3,3], 'pad': 'same'", 0, 1, 0);
  f.sys.backends[0].threads = 3;
  own_kernel(&f, 0, &k)->move_cycles_per_byte = 2;
  k.window_cycles_per_byte = 0.5;
  k.serial_frac = 0;
  k.serial_window_frac = 1;
  hs_cost_exec(&f.sys, f.graph, &f.graph->ops[0], 0, whole, &w);
  ck_assert_near(w.cycles[0], (1327104.0 + 442880) / 3 + 165888);
  k.serial_window_frac = 0;
  hs_cost_exec(&f.sys, f.graph, &f.graph->ops[0], 0, whole, &w);
  ck_assert_near(w.cycles[0], (1327104.0 + 442880 + 165888) / 3);
  fixture_free(&f);
}
END_TEST

/* 64 · 576 weights of 4 bytes, and 64 biases, take 0.25 cycles per byte beside all else, on three threads as on one. With one pixel, a matrix times one column,
 * each weight is read once and that is all: 256 · 1024 MACs are worth three threads, 256 · 512 two, half of these one, and as many fewer
 * ones. A depthwise convolution packs none. */
START_TEST(weights_are_packed)
{
  static const struct {
    const char *in, *op;
    double more, alone; /* cycles beside those without; or altogether */
  } rows[] = {{"[1,12,12,64]", "'op': 'Conv', 'channels': 64, 'kernel': [3,3], 'pad': 'same'", 64.0 * 577, 0},
              {"[1,12,12,64]", "'op': 'DepthwiseConv', 'kernel': [3,3], 'pad': 'same'", 0, 0},
              {"[1,1,1,1024]", "'op': 'Conv', 'channels': 256, 'kernel': [1,1]", 0, 256.0 * 1025 / 3},
              {"[1,1,1,512]", "'op': 'Conv', 'channels': 256, 'kernel': [1,1]", 0, 256.0 * 513 / 2},
              {"[1,1,1,384]", "'op': 'Conv', 'channels': 256, 'kernel': [1,1]", 0, 256.0 * 385},
              {"[1,1,1,256]", "'op': 'Conv', 'channels': 256, 'kernel': [1,1]", 0, 256.0 * 257},
              {"[1,1,1,128]", "'op': 'Conv', 'channels': 256, 'kernel': [1,1]", 0, 256.0 * 129},
              {"[1,1,1,1024]", "'op': 'DepthwiseConv', 'kernel': [1,1]", 0, 0}};
  struct fixture f;
  struct hs_kernel k;
  struct hs_work w, without;
  make(&f, rows[_i].in, rows[_i].op, 0, 1, 0);
  under(&f, "tflite");
  f.sys.backends[0].threads = 3;
  own_kernel(&f, 0, &k)->serial_frac = 0;
  hs_cost_exec(&f.sys, f.graph, &f.graph->ops[0], 0, whole, &without);
  k.weight_cycles_per_byte = 0.25;
  hs_cost_exec(&f.sys, f.graph, &f.graph->ops[0], 0, whole, &w);
  ck_assert_near(rows[_i].alone > 0 ? w.cycles[0] - k.overhead_cycles : w.cycles[0] - without.cycles[0], rows[_i].alone + rows[_i].more);
  if (_i == 3) { /* 256 · 512: of half of the channels */
    hs_cost_exec(&f.sys, f.graph, &f.graph->ops[0], 0, (struct hs_range){HS_SPLIT_CHANNEL, 0, 128}, &w);
    ck_assert_near(w.cycles[0] - k.overhead_cycles, 128.0 * 513);
  }
  fixture_free(&f);
}
END_TEST

/* So is a fully connected operator of one row, by its 256 · 1024, 512 or 384 MACs; two rows are no column, and worth all three, but
 * packing their 256 · 129 weights and biases takes as long as on one. Where a runtime has no kernel of
 * its own for a column, or nobody measured what its weights take there, all share one row, too. */
START_TEST(threads_of_one_row)
{
  static const struct {
    const char *in;
    int threads;
    double packed;
  } rows[] = {{"[1,1024]", 3, 0}, {"[1,512]", 2, 0}, {"[1,384]", 1, 0}, {"[2,128]", 3, 256 * 129}};
  struct fixture f;
  struct hs_kernel k;
  struct hs_work one, three;
  make(&f, rows[_i].in, "'op': 'Gemm', 'channels': 256", 0, 1, 0);
  own_kernel(&f, 0, &k)->serial_frac = 0;
  k.weight_cycles_per_byte = 0.25;
  under(&f, "tflite");
  hs_cost_exec(&f.sys, f.graph, &f.graph->ops[0], 0, whole, &one);
  f.sys.backends[0].threads = 3;
  hs_cost_exec(&f.sys, f.graph, &f.graph->ops[0], 0, whole, &three);
  const double packed = rows[_i].packed, multiplied = one.cycles[0] - k.overhead_cycles - packed;
  ck_assert_near(three.cycles[0] - k.overhead_cycles, multiplied / rows[_i].threads + packed);
  under(&f, "mace");
  ck_assert_near(cost(&f, 0, 0, whole).cycles[0] - k.overhead_cycles, multiplied / 3 + packed);
  under(&f, "tflite");
  k.weight_cycles_per_byte = 0; /* which rows that are pixels pay beside their products */
  if (_i < 3) ck_assert_near(cost(&f, 0, 0, whole).cycles[0] - k.overhead_cycles, (one.cycles[0] - k.overhead_cycles) / 3);
  fixture_free(&f);
}
END_TEST

/* The same again: 144 columns of 576 are packed by all, 4 bytes at 0.25 cycles: 82 944. A depthwise convolution packs none. */
START_TEST(columns_are_packed)
{
  struct fixture f;
  struct hs_kernel k;
  struct hs_work w, without;
  make(&f, "[1,12,12,64]",
       _i ? "'op': 'DepthwiseConv', 'kernel': [3,3], 'pad': 'same'" : "'op': 'Conv', 'channels': 64, 'kernel': [3,3], 'pad': 'same'", 0, 1, 0);
  f.sys.backends[0].threads = 3;
  own_kernel(&f, 0, &k)->serial_frac = 0;
  hs_cost_exec(&f.sys, f.graph, &f.graph->ops[0], 0, whole, &without);
  k.pack_cycles_per_byte = 0.25;
  hs_cost_exec(&f.sys, f.graph, &f.graph->ops[0], 0, whole, &w);
  ck_assert_near(w.cycles[0] - without.cycles[0], _i ? 0 : 82944.0 / 3);
  fixture_free(&f);
}
END_TEST

/* A convolution of 12 × 12 × 64 results takes 1 327 104 cycles on three cores, and 36 864 bytes of results at 2 cycles on the one that calls; a
 * depthwise one has 82 944 MACs at 8 · 0.5, a ReLU no layout of its own. */
START_TEST(results_in_another_layout)
{
  static const struct {
    const char *op;
    double shared, laid;
  } cases[] = {{"'op': 'Conv', 'channels': 64, 'kernel': [3,3], 'pad': 'same'", 1327104, 73728},
               {"'op': 'DepthwiseConv', 'kernel': [3,3], 'pad': 'same'", 20736, 73728},
               {"'op': 'Relu'", -1, 0}};
  struct fixture f;
  struct hs_kernel k;
  make(&f, "[1,12,12,64]", cases[_i].op, 0, 1, 0);
  f.sys.backends[0].threads = 3;
  own_kernel(&f, 0, &k)->serial_frac = k.serial_depthwise_frac = 0;
  double without = cost(&f, 0, 0, whole).cycles[0];
  if (cases[_i].shared > 0) ck_assert_near(without, cases[_i].shared / 3);
  k.layout_cycles_per_byte = 2;
  ck_assert_near(cost(&f, 0, 0, whole).cycles[0], without + cases[_i].laid);
  fixture_free(&f);
}
END_TEST

/* Nor has a product of rows of features. */
START_TEST(no_other_layout)
{
  struct fixture f;
  struct hs_kernel k;
  make(&f, "[20,6]", "'op': 'Gemm', 'channels': 9", 0, 1, 0);
  own_kernel(&f, 0, &k)->layout_cycles_per_byte = 2;
  ck_assert_near(cost(&f, 0, 0, whole).cycles[0], 270.0);
  fixture_free(&f);
}
END_TEST

/* Elements read and written take 2 cycles each, 5 more for each line of a pass that doesn't stay in the cache, 13 more where the last one doesn't hold it either.
 * In 64 lines of 4 ways 64 places 9 lines apart stay, 144 places 4 lines apart share 4 of 16 sets, and 144 places of half a line each need 72 lines. Three threads
 * share 65 536 elements. */
START_TEST(tensors_are_turned)
{
  static const struct {
    const char *shape, *op;
    int lines;
    double llc, turned;
  } cases[] = {{"[1,12,12,64]", "'op': 'DepthwiseConv', 'kernel': [3,3], 'pad': 'same'", 4096, 0, 2 * 9216 * 2},
               {"[1,12,12,64]", "'op': 'DepthwiseConv', 'kernel': [3,3], 'pad': 'same'", 64, 0, 9216 * 2 + 9216 * 7},
               {"[1,12,12,64]", "'op': 'DepthwiseConv', 'kernel': [3,3], 'pad': 'same'", 64, 4096, 9216 * 2 + 9216 * 20},
               {"[1,12,12,8]", "'op': 'DepthwiseConv', 'kernel': [3,3], 'pad': 'same'", 72, 0, 2 * 1152 * 2},
               {"[1,12,12,8]", "'op': 'DepthwiseConv', 'kernel': [3,3], 'pad': 'same'", 68, 0, 1152 * 2 + 1152 * 4.5}, /* every second */
               {"[1,12,12,8]", "'op': 'DepthwiseConv', 'kernel': [3,3], 'pad': 'same'", 68, 4096, 1152 * 2 + 1152 * 11},
               {"[2,12,12,64]", "'op': 'DepthwiseConv', 'kernel': [3,3], 'pad': 'same'", 64, 0, 2 * (9216 * 2 + 9216 * 7)},
               {"[1,64,64,16]", "'op': 'Conv', 'channels': 16, 'kernel': [1,1]", 64, 0, 65536 * 14 / 3.0},
               {"[1,32,64,16]", "'op': 'Conv', 'channels': 16, 'kernel': [1,1]", 64, 0, 2 * 32768 * 7 / 3.0}, /* as few as threads take */
               {"[1,12,12,8]", "'op': 'DepthwiseConv', 'kernel': [3,3], 'pad': 'same'", 72, 5000, 2 * 1152 * 2}, /* 144 places, two in a line */
               {"[2,12,12,64]", "'op': 'DepthwiseConv', 'kernel': [3,3], 'pad': 'same'", 228, 0, 2 * 2 * 9216 * 2}, /* image by image */
               {"[2,1,1,64]", "'op': 'Conv', 'channels': 64, 'kernel': [1,1]", 64, 0, 0},
               {"[1,12,12,64]", "'op': 'Conv', 'channels': 1, 'kernel': [12,12]", 64, 0, 9216 * 2},
               {"[1,12,12,64]", "'op': 'Conv', 'channels': 1, 'kernel': [1,1]", 64, 0, 9216 * 2}, /* one channel is alike in both layouts */
               {"[1,12,12,1]", "'op': 'Conv', 'channels': 64, 'kernel': [1,1]", 4096, 0, 9216 * 2},
               {"[1,1,1,64]", "'op': 'Conv', 'channels': 64, 'kernel': [1,1]", 64, 0, 0},
               {"[1,12,12,64]", "'op': 'Relu'", 64, 0, 0}};
  struct fixture f;
  struct hs_kernel k;
  make(&f, cases[_i].shape, cases[_i].op, 0, 1, 0);
  struct hs_soc soc = *f.sys.soc;
  soc.memory.llc_bytes = cases[_i].llc;
  f.sys.soc = &soc;
  struct hs_runtime equal = *hs_runtime_find("pytorch");
  equal.steals = false;
  f.sys.runtime = &equal;
  f.sys.backends[0].threads = 3;
  own_kernel(&f, 0, &k)->serial_frac = k.serial_depthwise_frac = 0;
  double without = cost(&f, 0, 0, whole).cycles[0];
  k.turn_cycles = 2;
  k.turn_miss_cycles = 5;
  k.turn_far_cycles = 13;
  k.turn_cache_lines = cases[_i].lines;
  k.turn_cache_ways = 4;
  ck_assert_near(cost(&f, 0, 0, whole).cycles[0], without + cases[_i].turned);
  under(&f, "mace"); /* whose threads share any number */
  ck_assert_near(cost(&f, 0, 0, whole).cycles[0], without + cases[_i].turned / (hs_op_output_elements(f.graph, f.graph->ops) < 32768 ? 3 : 1));
  fixture_free(&f);
}
END_TEST

/* A half of a convolution's channels reads all that it reads, and of a depthwise one half of it: 32 places, of which a cache holds 40. Of two of four images
 * each is turned by itself, 144 pixels, of which a cache of 100 doesn't hold the result's. */
START_TEST(parts_are_turned)
{
  static const struct {
    const char *shape, *op;
    struct hs_range part;
    int lines;
    double turned;
  } cases[] = {{"[1,12,12,64]", "'op': 'Conv', 'channels': 64, 'kernel': [3,3], 'pad': 'same'", {HS_SPLIT_CHANNEL, 0, 32}, 4096, 2 * 9216 + 2 * 4608},
               {"[1,12,12,64]", "'op': 'DepthwiseConv', 'kernel': [3,3], 'pad': 'same'", {HS_SPLIT_CHANNEL, 0, 32}, 4096, 2 * 4608 + 2 * 4608},
               {"[1,12,12,64]", "'op': 'DepthwiseConv', 'kernel': [3,3], 'pad': 'same'", {HS_SPLIT_CHANNEL, 0, 32}, 40, 2 * 4608 + 7 * 4608},
               {"[4,12,12,64]", "'op': 'DepthwiseConv', 'kernel': [3,3], 'pad': 'same'", {HS_SPLIT_BATCH, 1, 3}, 100, 2 * 2 * 9216 + 2 * 7 * 9216}};
  struct fixture f;
  struct hs_kernel k;
  make(&f, cases[_i].shape, cases[_i].op, 0, 1, 0);
  own_kernel(&f, 0, &k)->serial_frac = k.serial_depthwise_frac = 0;
  double without = cost(&f, 0, 0, cases[_i].part).cycles[0];
  k.turn_cycles = 2;
  k.turn_miss_cycles = 5;
  k.turn_cache_lines = cases[_i].lines;
  k.turn_cache_ways = 4;
  ck_assert_near(cost(&f, 0, 0, cases[_i].part).cycles[0], without + cases[_i].turned);
  fixture_free(&f);
}
END_TEST

/* Conv 3×3 "same" in two groups on 1×20×20×8 → 16: 400·36·16 = 230 400 MAC, 4 a cycle. With one thread 57 600 cycles, and as many with three if all of a
 * loop over groups is serial. */
START_TEST(groups_have_a_serial_part_of_their_own)
{
  struct fixture f;
  struct hs_kernel k;
  make(&f, "[1,20,20,8]", "'op': 'Conv', 'channels': 16, 'kernel': [3,3], 'pad': 'same', 'group': 2", 0, 1, 0);
  own_kernel(&f, 0, &k)->serial_grouped_frac = 1;
  for (int threads = 1; threads <= 3; threads += 2) {
    f.sys.backends[0].threads = threads;
    ck_assert_near(cost(&f, 0, 0, whole).cycles[0], 57600.0);
  }
  k.serial_grouped_frac = 0;
  ck_assert_near(cost(&f, 0, 0, whole).cycles[0], 19200.0);
  fixture_free(&f);
}
END_TEST

static void fill(TCase *t)
{
  tcase_add_test(t, groups_have_a_serial_part_of_their_own);
  tcase_add_test(t, packing_and_start);
  tcase_add_test(t, windows_of_transposed);
  tcase_add_test(t, windows_on_one_core);
  tcase_add_loop_test(t, columns_are_packed, 0, 2);
  tcase_add_loop_test(t, threads_of_one_row, 0, 4);
  tcase_add_loop_test(t, weights_are_packed, 0, 8);
  tcase_add_loop_test(t, results_in_another_layout, 0, 3);
  tcase_add_test(t, no_other_layout);
  tcase_add_loop_test(t, tensors_are_turned, 0, 17);
  tcase_add_loop_test(t, parts_are_turned, 0, 4);
  tcase_add_test(t, matrix_blocks);
  tcase_add_test(t, grids);
  tcase_add_test(t, threads_take_blocks);
}

int main(void) { return hs_test_main("cost_cpu_products", fill); }
