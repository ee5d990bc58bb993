/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The cost formula against numbers worked out by hand; each test says situation, derivation and expectation. */
#include "tests/model/costs.h"

#include <math.h>

#include "model/products.h"
#include "model/threads.h"

/* Conv 1×1 on 1×10×10×6 → 9 channels: 10·10·6·9 = 5400 MAC. CPU: 8 MAC/cycle at efficiency 0.5: 1350 cycles; plus 100 overhead.
 * At 2 GHz 0.725 µs. Bytes: (600 + 900 + 54 + 9)·4 = 6252 over 1 GB/s: 6.252 µs. The memory decides. */
START_TEST(memory_bound)
{
  struct fixture f;
  make(&f, "[1,10,10,6]", "'op': 'Conv', 'channels': 9, 'kernel': [1,1]", 100, 1, 0);
  struct hs_work w = cost(&f, 0, 0, whole);
  ck_assert_near(w.cycles[0], 1450.0);
  ck_assert_near(w.bytes, 6252.0);
  ck_assert_near(hs_work_seconds(&f.sys, 0, -1, &w), 6.252e-6);
  fixture_free(&f);
}
END_TEST

/* The same on an accelerator with memory of its own, where (600 + 900)·4 = 6000 B fit: it reads weights only, 63·4 = 252 B; of less memory what
 * exceeds it comes, too. Upper half: 3000 B, and all weights. Five of the nine channels: 600 + 500 elements, 4400 B, and 30 + 5 weights. */
START_TEST(tensors_stay_on_the_accelerator)
{
  struct fixture f;
  make(&f, "[1,10,10,6]", "'op': 'Conv', 'channels': 9, 'kernel': [1,1]", 0, 1, 0);
  f.soc->processors[1].local_bytes = 5000;
  ck_assert_near(cost(&f, 0, 1, whole).bytes, 1252.0);
  f.soc->processors[1].local_bytes = 6000;
  struct hs_work w = cost(&f, 0, 1, whole);
  ck_assert_near(w.bytes, 252.0);
  ck_assert_near(w.cycles[0], 1350.0);
  f.soc->processors[1].local_bytes = 3000;
  ck_assert_near(cost(&f, 0, 1, (struct hs_range){HS_SPLIT_HEIGHT, 0, 5}).bytes, 252.0);
  f.soc->processors[1].local_bytes = 4400;
  ck_assert_near(cost(&f, 0, 1, (struct hs_range){HS_SPLIT_CHANNEL, 0, 5}).bytes, 140.0);
  fixture_free(&f);
}
END_TEST

/* A CPU's cache holds 2000 of the 6000 B, and no weights; a kernel that reads twice what exceeds it reads 8000. */
START_TEST(tensors_stay_in_the_cache)
{
  struct fixture f;
  struct hs_kernel k;
  make(&f, "[1,10,10,6]", "'op': 'Conv', 'channels': 9, 'kernel': [1,1]", 0, 1, 0);
  f.soc->processors[0].local_bytes = 2000;
  ck_assert_near(cost(&f, 0, 0, whole).bytes, 4252.0);
  own_kernel(&f, 0, &k)->traffic_factor = 2;
  ck_assert_near(cost(&f, 0, 0, whole).bytes, 8252.0);
  fixture_free(&f);
}
END_TEST

/* A fully connected operator of batch 1 has one MAC per weight: 40·30 of them and 30 biases, 1230·4 B over 1 GB/s are 4.92 µs, whatever stays
 * on the accelerator. Its 1200 MAC at half of 8 a cycle and 2 GHz would take 0.15 µs. */
START_TEST(weights_bound_a_fully_connected_operator)
{
  struct fixture f;
  make(&f, "[1,40]", "'op': 'Gemm', 'channels': 30", 0, 1, 0);
  f.soc->processors[1].local_bytes = 1e6;
  struct hs_work w = cost(&f, 0, 1, whole);
  ck_assert_near(w.cycles[0], 300.0);
  ck_assert_near(hs_work_seconds(&f.sys, 1, -1, &w), 4.92e-6);
  fixture_free(&f);
}
END_TEST

/* The same, whose blocks read 0.5 elements per MAC again: 5400 · 0.5 · 4 = 10 800 B more. Of its upper 4 of 10 rows, 4320 B more than
 * (240 + 360 + 54 + 9)·4 = 2652. */
START_TEST(blocks_read_again)
{
  struct fixture f;
  struct hs_kernel k;
  make(&f, "[1,10,10,6]", "'op': 'Conv', 'channels': 9, 'kernel': [1,1]", 100, 1, 0);
  own_kernel(&f, 0, &k)->refetch[HS_CLASS_CONV_1X1] = 0.5;
  k.refetch[HS_CLASS_CONV_3X3] = 2;
  ck_assert_near(cost(&f, 0, 0, whole).bytes, 6252.0 + 10800);
  ck_assert_near(cost(&f, 0, 0, (struct hs_range){HS_SPLIT_HEIGHT, 0, 4}).bytes, 2652.0 + 4320);
  fixture_free(&f);
}
END_TEST

/* Conv 3×3 "same" on 1×12×12×64 → 64: 144·576·64 = 5 308 416 MAC, 1 327 104 cycles, 0.663552 ms at 2 GHz. Bytes (9216 + 9216 +
 * 36864 + 64)·4 = 221 440: 0.22144 ms. The cores decide; at 1 GHz twice the time: t = γ/f + ε with ε = 0 (MOSAIC Eq. 3). */
START_TEST(compute_bound_and_frequency)
{
  struct fixture f;
  make(&f, "[1,12,12,64]", "'op': 'Conv', 'channels': 64, 'kernel': [3,3], 'pad': 'same'", 0, 1, 0);
  ck_assert_near(hs_cost_seconds(&f.sys, f.graph, &f.graph->ops[0], 0, -1), 0.663552e-3);
  ck_assert_near(hs_cost_seconds(&f.sys, f.graph, &f.graph->ops[0], 0, 1), 0.663552e-3);
  ck_assert_near(hs_cost_seconds(&f.sys, f.graph, &f.graph->ops[0], 0, 0), 2 * 0.663552e-3);
  fixture_free(&f);
}
END_TEST

/* The GPU's kernel works on blocks of 4 channels: 6 → 8 in, 9 → 12 out; 5400·(8/6)·(12/9) = 9600 MAC, 2400 cycles. The CPU's
 * doesn't: 1350. With reduction_half 6 and depth 6 the rate halves: 2700 on the CPU. */
START_TEST(padding_and_reduction)
{
  struct fixture f;
  make(&f, "[1,10,10,6]", "'op': 'Conv', 'channels': 9, 'kernel': [1,1]", 0, 4, 0);
  ck_assert_near(cost(&f, 0, 1, whole).cycles[0], 2400.0);
  fixture_free(&f);
  make(&f, "[1,10,10,6]", "'op': 'Conv', 'channels': 9, 'kernel': [1,1]", 0, 4, 6);
  ck_assert_near(cost(&f, 0, 0, whole).cycles[0], 2700.0);
  fixture_free(&f);
}
END_TEST

/* Depthwise 3×3 on 1×10×10×6, "same": 600·9 = 5400 MAC. Run as a dense one with blocks of 4 channels its filters span 8 channels: the
 * GPU's 6 channels are padded to 8 as well, 5400·8·8/6 = 57 600 MAC, 14 400 cycles; 1800 without. Filters 54·8 instead of 54; biases
 * stay 6. */
START_TEST(dense_depthwise)
{
  static const char op[] = "'op': 'DepthwiseConv', 'kernel': [3,3], 'pad': 'same'";
  struct fixture f;
  struct hs_kernel k;
  struct hs_work w, dense;
  make(&f, "[1,10,10,6]", op, 0, 4, 0);
  w = cost(&f, 0, 1, whole);
  ck_assert_near(w.cycles[0], 1800.0);
  double bytes = hs_slice_bytes(&f.sys, f.graph, &f.graph->ops[0], 1), element = hs_precision_bytes(f.sys.backends[1].precision);
  own_kernel(&f, 1, &k)->dense_depthwise = true;
  dense = cost(&f, 0, 1, whole);
  ck_assert_near(dense.cycles[0], 14400.0);
  ck_assert_near(dense.bytes - w.bytes, 54 * 7 * element);
  ck_assert_near(hs_slice_bytes(&f.sys, f.graph, &f.graph->ops[0], 1) - bytes, 54 * 7 * element);
  fixture_free(&f);
}
END_TEST

/* 1×10×10×6, an accelerator in fp16 and a host in fp32: a pool's results take 4 B each; an activation writes over its input, a sum of two over
 * neither. */
START_TEST(slice_bytes)
{
  struct fixture f;
  make(&f, "[1,10,10,6]", "'op': 'MaxPool', 'kernel': [1,1]", 0, 1, 0);
  f.sys.backends[1].precision = HS_FP16;
  ck_assert_near(hs_slice_bytes(&f.sys, f.graph, &f.graph->ops[0], 1), 600.0 * 4);
  fixture_free(&f);
  make(&f, "[1,10,10,6]", "'op': 'Relu'", 0, 1, 0);
  ck_assert(hs_slice_bytes(&f.sys, f.graph, &f.graph->ops[0], 1) == 0);
  int operands[2] = {f.graph->ops[0].inputs[0], f.graph->ops[0].inputs[0]};
  f.graph->ops[0].type = HS_OP_ADD;
  f.graph->ops[0].inputs = operands;
  f.graph->ops[0].n_inputs = 2;
  ck_assert_near(hs_slice_bytes(&f.sys, f.graph, &f.graph->ops[0], 1), 600.0 * 4);
  fixture_free(&f);
}
END_TEST

/* Depthwise on 1×10×10×8, 800 outputs: so many MACs for each, 8 a cycle at the class's 0.5, and four times that where the library has no kernel for the window:
 * of side 3, not dilated; of 9 or 25 elements, however they stand; of 25 at most; and, where asked, for as many channels out as in only. */
static const struct {
  struct hs_depthwise_path path;
  const char *window;
  int macs;
} windows[] = {
  {{.kernel = 3, .max_pad = -1}, "'kernel': [3,3]", 9},
  {{.kernel = 3, .max_pad = -1}, "'kernel': [5,5]", 4 * 25},
  {{.kernel = 3, .max_pad = -1}, "'kernel': [1,9]", 4 * 9},
  {{.kernel = 3, .max_pad = -1}, "'kernel': [3,5]", 4 * 15},
  {{.kernel = 3, .max_pad = -1}, "'kernel': [3,3], 'dilation': [2,2]", 4 * 9},
  {{.kernel = 3, .max_pad = -1}, "'kernel': [3,3], 'dilation': [1,2]", 4 * 9},
  {{.taps = 9, .or_taps = 25, .max_pad = -1}, "'kernel': [3,3], 'dilation': [2,2]", 9},
  {{.taps = 9, .or_taps = 25, .max_pad = -1}, "'kernel': [9,1]", 9},
  {{.taps = 9, .or_taps = 25, .max_pad = -1}, "'kernel': [5,5]", 25},
  {{.taps = 9, .or_taps = 25, .max_pad = -1}, "'kernel': [3,5]", 4 * 15},
  {{.taps = 9, .or_taps = 9, .max_pad = -1}, "'kernel': [5,5]", 4 * 25},
  {{.taps = 9, .or_taps = 25, .channel_multiple = 1, .max_pad = -1}, "'kernel': [3,3], 'multiplier': 2", 4 * 18},
  {{.max_taps = 25, .max_pad = -1}, "'kernel': [1,1]", 1},
  {{.max_taps = 25, .max_pad = -1}, "'kernel': [3,5], 'dilation': [2,1]", 15},
  {{.max_taps = 25, .max_pad = -1}, "'kernel': [5,5]", 25},
  {{.max_taps = 25, .max_pad = -1}, "'kernel': [1,27]", 4 * 27},
  {{.max_taps = 25, .channel_multiple = 1, .max_pad = -1}, "'kernel': [3,3]", 9},
};

START_TEST(depthwise_of_other_windows)
{
  struct fixture f;
  struct hs_kernel k;
  char op[120];
  snprintf(op, sizeof op, "'op': 'DepthwiseConv', 'pad': 'same', %s", windows[_i].window);
  make(&f, "[1,10,10,8]", op, 0, 1, 0);
  struct hs_depthwise_path *path = &own_kernel(&f, 0, &k)->depthwise_fast_path;
  *path = windows[_i].path;
  path->other_factor = 4;
  ck_assert_near(cost(&f, 0, 0, whole).cycles[0], 800 * windows[_i].macs / 4.0);
  fixture_free(&f);
}
END_TEST

/* Split of 1×10×10×8 in four: 100 cycles, and 25 for each of the four; a ReLU has the 100 only. */
START_TEST(each_result_of_a_split)
{
  struct fixture f;
  struct hs_kernel k;
  static const struct {
    const char *op, *outputs;
    double more;
  } cases[] = {{"{'name': 's', 'op': 'Split', 'axis': -1, 'sizes': [2, 2, 2, 2], 'inputs': ['x'], 'outputs': ['o', 'p', 'q', 'r']}", "'o', 'p', 'q', 'r'", 100},
               {"{'name': 'o', 'op': 'Relu', 'inputs': ['x']}", "'o'", 0}};
  for (int i = 0; i < 2; i++) {
    struct hs_settings s = on_mace();
    fixture_make(&f, NULL, fixture_profile(100, 1, 0, 0), &s);
    fixture_graph(&f, "[1,10,10,8]", cases[i].op, cases[i].outputs);
    double before = cost(&f, 0, 0, whole).cycles[0];
    own_kernel(&f, 0, &k)->split_output_cycles = 25;
    ck_assert_near(cost(&f, 0, 0, whole).cycles[0], before + cases[i].more);
    fixture_free(&f);
  }
}
END_TEST

/* Dynamic power is the OPP's per core (2 W at 2 GHz, 1 W at 1 GHz) times the kernel's factor 1.5; static 0.1 W, at the system's leakage. */
START_TEST(power)
{
  struct fixture f;
  make(&f, "[1,10,10,6]", "'op': 'Relu'", 0, 1, 0);
  struct hs_work w = cost(&f, 0, 0, whole);
  ck_assert_near(hs_work_dynamic_w(&f.sys, 0, -1, &w), 3.0);
  ck_assert_near(hs_work_dynamic_w(&f.sys, 0, 0, &w), 1.5);
  ck_assert_near(hs_work_static_w(&f.sys, 0, 0, &w), 0.1);
  f.sys.leakage[0] = 2.3;
  ck_assert_near(hs_work_static_w(&f.sys, 0, 0, &w), 0.23);
  ck_assert_near(hs_work_dynamic_w(&f.sys, 0, 0, &w), 1.5);
  fixture_free(&f);
}
END_TEST

/* Conv 1×1 on 1×10×10×6 → 9 channels takes the GPU 2400 cycles in blocks of 4 channels. Of 600 + 2400 its units wait for the host in 600, and for
 * 1000 more where the program begins: 2 W · 1.5 · 2400 / 3000 and / 4000 at 2 GHz. Cores execute their overhead themselves: 3 W. */
START_TEST(a_gpu_waits_for_its_host)
{
  struct fixture f;
  struct hs_kernel k;
  make(&f, "[1,10,10,6]", "'op': 'Conv', 'channels': 9, 'kernel': [1,1]", 600, 4, 0);
  struct hs_work w = cost(&f, 0, 1, whole);
  ck_assert_near(w.cycles[0], 3000.0);
  ck_assert_near(w.hosted, 600.0);
  w.bytes = 0; /* or the memory decides: test_work.c */
  ck_assert_near(hs_work_dynamic_w(&f.sys, 1, -1, &w), 2.4);
  own_kernel(&f, 1, &k)->start_cycles = 1000;
  hs_cost_start(&f.sys, 1, &w);
  ck_assert_near(w.cycles[0], 4000.0);
  ck_assert_near(hs_work_dynamic_w(&f.sys, 1, -1, &w), 1.8);
  w = cost(&f, 0, 0, whole);
  ck_assert_near(hs_work_dynamic_w(&f.sys, 0, -1, &w), 3.0);
  fixture_free(&f);
}
END_TEST

/* The processor's number is for kernels of networks under any runtime; what competes, and what the host does for others, draws the OPP's 2 W. */
START_TEST(kernels_draw_more_than_other_code)
{
  struct fixture f;
  struct hs_settings s = on_mace();
  fixture_make(&f, NULL, fixture_profile(0, 1, 0, 0), &s);
  fixture_graph(&f, "[1,10,10,6]", "{'name': 'o', 'inputs': ['x'], 'op': 'Conv', 'channels': 9, 'kernel': [1,1]}", "'o'");
  struct hs_work kernel = cost(&f, 0, 0, whole), other = hs_work_on_core(&f.soc->processors[0], 0, 1e-3);
  ck_assert_near(hs_work_dynamic_w(&f.sys, 0, -1, &kernel), 1.5 * 2);
  ck_assert_near(hs_work_dynamic_w(&f.sys, 0, -1, &other), 2);
  fixture_free(&f);
}
END_TEST

/* Two clusters: mid 3 cores at 1 GHz, big 1 core at 2 GHz. Four threads share a static parallel-for: the 1 GHz cores decide. With the
 * serial part 0.2 on the big core alone that is 0.2 at 2 GHz and 0.8/4 at 1 GHz: 0.3 of the whole at 1 GHz. Threads that steal do the 0.8 at
 * 3 · 1 + 2 = 5 GHz: 0.26. One thread goes to the big core. */
START_TEST(threads_over_unequal_cores)
{
  struct fixture f;
  struct hs_settings s = on_mace();
  char *seed = hs_test_seed("soc/small");
  const char *opps = "[{\"freq_hz\": 1000000000.0, \"volt\": 1, \"dynamic_w\": 1, \"static_w\": 0.1}, "
                     "{\"freq_hz\": 2000000000.0, \"volt\": 1.1, \"dynamic_w\": 2, \"static_w\": 0.1}]";
  struct hs_text mid = {0};
  hs_text_addf(&mid, "\"domains\": [{\"name\": \"mid\", \"cores\": 3, \"bandwidth_per_core_bytes_per_s\": 3e8, \"macs_per_cycle\": {\"fp32\": 8}, \"opps\": "
                     "[{\"freq_hz\": 1000000000.0, \"volt\": 1, \"dynamic_w\": 1, \"static_w\": 0.1}], \"source\": \"a\"}, {\"name\": \"g\"");
  ck_assert(strstr(seed, opps) != NULL);
  char *two = hs_test_replace(seed, "\"domains\": [{\"name\": \"g\"", mid.s);
  fixture_make(&f, two, fixture_profile(0, 1, 0, 0.2), &s);
  fixture_graph(&f, "[1,12,12,64]", "{'name': 'o', 'inputs': ['x'], 'op': 'Conv', 'channels': 64, 'kernel': [3,3], 'pad': 'same'}", "'o'");
  ck_assert_int_eq(f.sys.backends[0].cores[0], 3);
  ck_assert_int_eq(f.sys.backends[0].cores[1], 1);
  ck_assert_near(hs_cost_seconds(&f.sys, f.graph, &f.graph->ops[0], 0, -1), 0.3 * 1327104 / 1e9);
  const struct hs_runtime *mace = f.sys.runtime;
  static const char *const stealing[] = {"pytorch", "tflite-xnnpack"};
  for (int i = 0; i < 2; i++) {
    f.sys.runtime = hs_runtime_find(stealing[i]);
    ck_assert_near(hs_cost_seconds(&f.sys, f.graph, &f.graph->ops[0], 0, -1), 0.26 * 1327104 / 1e9);
  }
  f.sys.runtime = mace;
  /* what has no threads takes the big core alone, in power as well: 2 W of 2 + 3 */
  struct hs_kernel k;
  struct hs_work w;
  own_kernel(&f, 0, &k)->serial_frac = 1;
  w = cost(&f, 0, 0, whole);
  ck_assert_int_eq(w.cores[0], 0);
  ck_assert_int_eq(w.cores[1], 1);
  ck_assert_near(hs_work_seconds(&f.sys, 0, -1, &w), 1327104 / 2e9);
  ck_assert_near(hs_work_dynamic_w(&f.sys, 0, -1, &w), 2 * 1.5);
  f.sys.backends[0].cores[1] = 0; /* the fastest that is taken */
  w = cost(&f, 0, 0, whole);
  ck_assert_int_eq(w.cores[0], 1);
  ck_assert_near(hs_work_seconds(&f.sys, 0, -1, &w), 1327104 / 1e9);
  /* level 0 of the big core is half of its top; mid has one OPP and keeps it */
  ck_assert_int_eq(hs_system_opp(&f.sys, 0, 1, 0), 0);
  ck_assert_int_eq(hs_system_opp(&f.sys, 0, 0, 0), 0);
  fixture_free(&f);
  s.threads = 1;
  fixture_make(&f, two, fixture_profile(0, 1, 0, 0.2), &s);
  fixture_graph(&f, "[1,12,12,64]", "{'name': 'o', 'inputs': ['x'], 'op': 'Conv', 'channels': 64, 'kernel': [3,3], 'pad': 'same'}", "'o'");
  ck_assert_int_eq(f.sys.backends[0].cores[0], 0);
  ck_assert_near(hs_cost_seconds(&f.sys, f.graph, &f.graph->ops[0], 0, -1), 1327104 / 2e9);
  fixture_free(&f);
  hs_text_free(&mid);
  free(two);
  free(seed);
}
END_TEST

/* Conv 3×3 "same" on 1×20×20×8 → 16 by Winograd, the CPU's 8 MAC/cycle at efficiency 0.5. Tiles of 6: 4·4 = 16, each 8·8·(8·16 + 4·(8 + 16)) =
 * 14336: 229 376 MAC, 57344 cycles. columns_half 16 = tiles: twice that. Rows [0,10) read 11 rows, so tiles of 2: 5·10 = 50, each
 * 4·4·224 = 3584: 179 200 MAC, 44800 cycles, times (50 + 16)/50: more than half of the whole. 20×16 and 16×20 are as
 * small, whole: 10·8 tiles of 2, 71680 cycles. */
START_TEST(winograd)
{
  struct fixture f;
  struct hs_kernel k;
  make(&f, "[1,20,20,8]", "'op': 'Conv', 'channels': 16, 'kernel': [3,3], 'pad': 'same'", 0, 1, 0);
  own_kernel(&f, 0, &k)->winograd = (struct hs_winograd){.tile = 6, .small_tile = 2, .above = 16, .channels = 8, .transform_half = 4};
  ck_assert_near(cost(&f, 0, 0, whole).cycles[0], 57344.0);
  ck_assert_near(cost(&f, 0, 0, (struct hs_range){HS_SPLIT_HEIGHT, 0, 16}).cycles[0], 43008.0); /* 17 rows are read: large tiles */
  k.columns_half = 16;
  ck_assert_near(cost(&f, 0, 0, whole).cycles[0], 2 * 57344.0);
  ck_assert_near(cost(&f, 0, 0, (struct hs_range){HS_SPLIT_HEIGHT, 0, 10}).cycles[0], 44800.0 * 66 / 50);
  fixture_free(&f);
  for (int turned = 0; turned < 2; turned++) {
    make(&f, turned ? "[1,16,20,8]" : "[1,20,16,8]", "'op': 'Conv', 'channels': 16, 'kernel': [3,3], 'pad': 'same'", 0, 1, 0);
    own_kernel(&f, 0, &k)->winograd = (struct hs_winograd){.tile = 6, .small_tile = 2, .above = 16, .channels = 8, .transform_half = 4};
    ck_assert_near(cost(&f, 0, 0, whole).cycles[0], 71680.0);
    fixture_free(&f);
  }
}
END_TEST

/* Cycles per MAC of an operator, with a kernel in which depthwise convolutions off the fast path are 3 times the work,
 * and nothing but multiplications counts. */
static double depthwise_cycles(const char *shape, const char *op)
{
  struct fixture f;
  struct hs_kernel k;
  struct hs_work w;
  make(&f, shape, op, 0, 1, 0);
  own_kernel(&f, 0, &k)->depthwise_fast_path = (struct hs_depthwise_path){.kernel = 3, .channel_multiple = 8, .max_stride = 2, .max_pad = 1, .other_factor = 3};
  hs_cost_exec(&f.sys, f.graph, &f.graph->ops[0], 0, whole, &w);
  double macs = (double)f.graph->ops[0].macs;
  fixture_free(&f);
  return w.cycles[0] / macs;
}

START_TEST(general_depthwise)
{
  double fast = depthwise_cycles("[1,16,16,24]", "'op': 'DepthwiseConv', 'kernel': [3,3], 'pad': 'same'");
  ck_assert_near(depthwise_cycles("[1,17,17,24]", "'op': 'DepthwiseConv', 'kernel': [3,3], 'stride': [2,2], 'pad': 'valid'"), fast);
  ck_assert_near(depthwise_cycles("[1,17,17,24]", "'op': 'DepthwiseConv', 'kernel': [3,3], 'stride': [2,2], 'pad': 'same'"), fast); /* 1 on both sides */
  ck_assert_near(depthwise_cycles("[1,16,16,24]", "'op': 'DepthwiseConv', 'kernel': [3,3], 'stride': [2,2], 'pad': 'same'"), 3 * fast); /* 0, 1 */
  ck_assert_near(depthwise_cycles("[1,16,16,24]", "'op': 'DepthwiseConv', 'kernel': [3,3], 'pad': [2,2,0,0]"), 3 * fast);
  ck_assert_near(depthwise_cycles("[1,16,16,20]", "'op': 'DepthwiseConv', 'kernel': [3,3], 'pad': 'same'"), 3 * fast);
  ck_assert_near(depthwise_cycles("[1,16,16,24]", "'op': 'DepthwiseConv', 'kernel': [2,2], 'pad': 'valid'"), 3 * fast);
  ck_assert_near(depthwise_cycles("[1,17,17,24]", "'op': 'DepthwiseConv', 'kernel': [3,3], 'stride': [4,4], 'pad': 'valid'"), 3 * fast);
  /* other rows than columns */
  ck_assert_near(depthwise_cycles("[1,16,17,24]", "'op': 'DepthwiseConv', 'kernel': [3,3], 'stride': [1,2], 'pad': 'valid'"), 3 * fast);
  ck_assert_near(depthwise_cycles("[1,16,16,24]", "'op': 'DepthwiseConv', 'kernel': [3,3], 'pad': [1,0,1,0]"), 3 * fast);
  ck_assert_near(depthwise_cycles("[1,16,16,24]", "'op': 'DepthwiseConv', 'kernel': [3,3], 'dilation': [1,2], 'pad': 'valid'"), 3 * fast);
}
END_TEST

/* The largest tile of which each thread has as many as it computes at a time: 24 × 24 = 576 outputs are two threads' of 8 tiles of 6 each (4·4 tiles,
 * 64·64·16 = 65536 MAC), not three's (6·6 of 4), and five have none of 4 (12·12 of 2). Rows [0,12) are 288: one thread's. */
START_TEST(winograd_by_threads)
{
  struct fixture f;
  struct hs_kernel k;
  make(&f, "[1,24,24,8]", "'op': 'Conv', 'channels': 8, 'kernel': [3,3], 'pad': 'same'", 0, 1, 0);
  own_kernel(&f, 0, &k)->winograd = (struct hs_winograd){.tile = 6, .small_tile = 2, .channels = 1, .tiles_per_pass = 8};
  const struct hs_range half = {HS_SPLIT_HEIGHT, 0, 12};
  struct hs_portion p = hs_portion_whole(&f.sys, f.graph, &f.graph->ops[0], 0);
  const int threads[] = {1, 2, 3, 4, 5}, tiles[] = {16, 16, 36, 36, 144}, side[] = {6, 6, 4, 4, 2};
  for (int i = 0; i < 5; i++) {
    f.sys.backends[0].threads = threads[i];
    ck_assert_near(hs_products_tiles(&p), tiles[i]);
    ck_assert_near(hs_products_kept_weights(&p), (side[i] + 2) * (side[i] + 2) * 64);
  }
  f.sys.backends[0].threads = 1;
  ck_assert_near(cost(&f, 0, 0, whole).cycles[0], 65536 / 4.0);
  p = hs_portion_of(&f.sys, f.graph, &f.graph->ops[0], 0, half, (struct hs_border){0, 0});
  ck_assert_near(hs_products_tiles(&p), 2 * 4);
  f.sys.backends[0].threads = 2;
  ck_assert_near(hs_products_tiles(&p), 3 * 6);
  k.winograd.small_tile = 6; /* as others have it: whatever the size */
  ck_assert_near(hs_products_tiles(&p), 2 * 4);
  fixture_free(&f);
}
END_TEST

/* Threads take blocks of eight tiles, whole: of 10·10 tiles of 6, 13 blocks, four threads have 4 at most, two 7, one all; of 5·5 two have 2 of 4 blocks, 16
 * tiles. One block (6·4 outputs, 3·2 tiles of 2) is shared by the 16 places of a tile, and one thread transforms: of 8·8 + 3·(8 + 8) = 112 multiply-adds
 * at each, four threads take 64/4 + 48 = 64, five 64·4/16 + 48, three 64·6/16 + 48 = 72, one all. */
static const struct {
  const char *input;
  int threads;
  double speedup;
} blocks[] = {{"[1,60,60,8]", 4, 100 / 32.}, {"[1,60,60,8]", 2, 100 / 56.}, {"[1,60,60,8]", 1, 1}, {"[1,30,30,8]", 2, 25 / 16.},
              {"[1,6,4,8]", 4, 112 / 64.}, {"[1,6,4,8]", 5, 112 / 64.}, {"[1,6,4,8]", 3, 112 / 72.}, {"[1,6,4,8]", 1, 1}};

START_TEST(winograd_in_blocks)
{
  struct fixture f;
  struct hs_kernel k;
  make(&f, blocks[_i].input, "'op': 'Conv', 'channels': 8, 'kernel': [3,3], 'pad': 'same'", 0, 1, 0);
  own_kernel(&f, 0, &k)->winograd = (struct hs_winograd){.tile = 6, .small_tile = 2, .channels = 1, .tiles_per_pass = 8, .transform_half = 3};
  f.sys.backends[0].threads = blocks[_i].threads;
  struct hs_portion p = hs_portion_whole(&f.sys, f.graph, f.graph->ops, 0);
  ck_assert_near(hs_threads_of(&p).speedup, blocks[_i].speedup);
  k.winograd.tiles_per_pass = 0; /* other libraries' threads have equal parts */
  ck_assert_near(hs_threads_of(&p).speedup, blocks[_i].threads);
  fixture_free(&f);
}
END_TEST

/* What is read are the filters that were transformed, 64·8·8 elements instead of 9·8·8: 16384 bytes, and 24·24·8·4 twice for the images. Four
 * tiles at a time, of 16, read them four times where the last cache doesn't hold them; two threads, which read the same at the same time, twice. */
START_TEST(winograd_reads_transformed_filters)
{
  struct fixture f;
  struct hs_kernel k;
  make(&f, "[1,24,24,8]", "'op': 'Conv', 'channels': 8, 'kernel': [3,3], 'pad': 'same', 'bias': false", 0, 1, 0);
  own_kernel(&f, 0, &k)->winograd = (struct hs_winograd){.tile = 6, .small_tile = 6, .channels = 1};
  k.traffic_factor = 1;
  struct hs_soc soc = *f.sys.soc;
  f.sys.soc = &soc;
  f.sys.traffic = 1;
  const double images = 2 * 24 * 24 * 8 * 4;
  soc.memory.llc_bytes = 16383;
  ck_assert_near(cost(&f, 0, 0, whole).bytes, images + 16384);
  k.winograd.tiles_per_pass = 4;
  ck_assert_near(cost(&f, 0, 0, whole).bytes, images + 4 * 16384);
  f.sys.backends[0].threads = 2;
  ck_assert_near(cost(&f, 0, 0, whole).bytes, images + 2 * 16384);
  soc.memory.llc_bytes = 16384;
  ck_assert_near(cost(&f, 0, 0, whole).bytes, images + 16384);
  soc.memory.llc_bytes = 0; /* nobody tells what the clusters' caches hold */
  ck_assert_near(cost(&f, 0, 0, whole).bytes, images + 16384);
  fixture_free(&f);
}
END_TEST

/* Two images of 13 rows in tiles of 6: 2·3·2 = 12, not ⌈26/6⌉·2 = 10. One of them: 6. 64·64·12 = 49152 MAC, 12288 cycles. */
START_TEST(winograd_of_several_images)
{
  struct fixture f;
  struct hs_kernel k;
  make(&f, "[2,13,7,8]", "'op': 'Conv', 'channels': 8, 'kernel': [3,3], 'pad': 'same'", 0, 1, 0);
  own_kernel(&f, 0, &k)->winograd = (struct hs_winograd){.tile = 6, .small_tile = 2, .above = 0, .channels = 8, .transform_half = 0};
  ck_assert_near(cost(&f, 0, 0, whole).cycles[0], 12288.0);
  ck_assert_near(cost(&f, 0, 0, (struct hs_range){HS_SPLIT_BATCH, 0, 1}).cycles[0], 6144.0);
  fixture_free(&f);
}
END_TEST

/* 7 input channels are too few for Winograd: 400·63·3 = 75600 MAC, direct, at 0.25 of 8 MAC/cycle 37800 cycles. One thread takes 4 output
 * channels at a time and has 3: 4/3 of that; of three each has 4. */
START_TEST(direct)
{
  struct fixture f;
  struct hs_kernel k;
  make(&f, "[1,20,20,7]", "'op': 'Conv', 'channels': 3, 'kernel': [3,3], 'pad': 'same'", 0, 1, 0);
  own_kernel(&f, 0, &k)->winograd = (struct hs_winograd){.tile = 6, .small_tile = 2, .above = 16, .channels = 8, .transform_half = 4};
  k.efficiency[HS_CLASS_CONV_OTHER] = 0.25;
  ck_assert_near(cost(&f, 0, 0, whole).cycles[0], 37800.0);
  k.direct_block = 4;
  ck_assert_int_eq(f.sys.backends[0].threads, 1);
  ck_assert_near(cost(&f, 0, 0, whole).cycles[0], 50400.0);
  f.sys.backends[0].threads = 3;
  ck_assert_near(cost(&f, 0, 0, whole).cycles[0], 50400.0); /* a third of 3 · 50400 */
  fixture_free(&f);
}
END_TEST

/* Fully connected 64 → 32 is a matrix product of one column: 2048 MAC, with columns_half 9 ten times as long: 5120 cycles. A block of four
 * columns pads all of it. As a convolution it has 32 work items: a wave of 64 doubles the first of the ten times only. A depthwise one of 7×7×64·9 MAC
 * reads each weight for its own channel: 7056 cycles with it or without. */
START_TEST(one_column)
{
  struct fixture f;
  struct hs_kernel k;
  make(&f, "[1,64]", "'op': 'Gemm', 'channels': 32", 0, 1, 0);
  own_kernel(&f, 0, &k)->columns_half = 9;
  ck_assert_near(cost(&f, 0, 0, whole).cycles[0], 5120.0);
  k.width_block[HS_CLASS_MATMUL] = 4;
  ck_assert_near(cost(&f, 0, 0, whole).cycles[0], 512.0 * 4 * (1 + 9));
  fixture_free(&f);
  make(&f, "[1,1,1,64]", "'op': 'Conv', 'channels': 32, 'kernel': [1,1]", 0, 1, 0);
  own_kernel(&f, 0, &k)->columns_half = 9;
  k.wave = 64;
  ck_assert_near(cost(&f, 0, 0, whole).cycles[0], 512.0 * (2 + 9));
  fixture_free(&f);
  make(&f, "[1,7,7,64]", "'op': 'DepthwiseConv', 'kernel': [3,3], 'pad': 'same'", 0, 1, 0);
  own_kernel(&f, 0, &k)->columns_half = 9;
  ck_assert_near(cost(&f, 0, 0, whole).cycles[0], 7056.0);
  fixture_free(&f);
}
END_TEST

static void fill(TCase *t)
{
  tcase_add_test(t, tensors_stay_on_the_accelerator);
  tcase_add_test(t, tensors_stay_in_the_cache);
  tcase_add_test(t, weights_bound_a_fully_connected_operator);
  tcase_add_test(t, general_depthwise);
  tcase_add_test(t, memory_bound);
  tcase_add_test(t, blocks_read_again);
  tcase_add_test(t, compute_bound_and_frequency);
  tcase_add_test(t, padding_and_reduction);
  tcase_add_test(t, dense_depthwise);
  tcase_add_test(t, slice_bytes);
  tcase_add_loop_test(t, depthwise_of_other_windows, 0, sizeof windows / sizeof *windows);
  tcase_add_test(t, each_result_of_a_split);
  tcase_add_test(t, power);
  tcase_add_test(t, a_gpu_waits_for_its_host);
  tcase_add_test(t, kernels_draw_more_than_other_code);
  tcase_add_test(t, threads_over_unequal_cores);
  tcase_add_test(t, winograd);
  tcase_add_test(t, winograd_by_threads);
  tcase_add_loop_test(t, winograd_in_blocks, 0, (int)(sizeof blocks / sizeof *blocks));
  tcase_add_test(t, winograd_reads_transformed_filters);
  tcase_add_test(t, winograd_of_several_images);
  tcase_add_test(t, direct);
  tcase_add_test(t, one_column);
}

int main(void) { return hs_test_main("cost", fill); }
