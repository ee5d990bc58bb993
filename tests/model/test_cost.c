/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The cost formula against numbers worked out by hand; each test says situation, derivation and expectation. */
#include "tests/model/costs.h"

#include <math.h>

#include "model/blocks.h"

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

/* The same on an accelerator with memory of its own, where (600 + 900)·4 = 6000 B fit: it reads weights only, 63·4 = 252 B; in less than that
 * nothing stays. Upper half: 3000 B, and all weights. Five of the nine channels: 600 + 500 elements, 4400 B, and 30 + 5 weights. */
START_TEST(tensors_stay_on_the_accelerator)
{
  struct fixture f;
  make(&f, "[1,10,10,6]", "'op': 'Conv', 'channels': 9, 'kernel': [1,1]", 0, 1, 0);
  f.soc->processors[1].local_bytes = 5999;
  ck_assert_near(cost(&f, 0, 1, whole).bytes, 6252.0);
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

/* 1×10×10×6, an accelerator in fp16 and a host in fp32: a pool's results take 4 B each; an activation writes over its input. */
START_TEST(slice_bytes)
{
  struct fixture f;
  make(&f, "[1,10,10,6]", "'op': 'MaxPool', 'kernel': [1,1]", 0, 1, 0);
  f.sys.backends[1].precision = HS_FP16;
  ck_assert_near(hs_slice_bytes(&f.sys, f.graph, &f.graph->ops[0], 1), 600.0 * 4);
  fixture_free(&f);
  make(&f, "[1,10,10,6]", "'op': 'Relu'", 0, 1, 0);
  ck_assert(hs_slice_bytes(&f.sys, f.graph, &f.graph->ops[0], 1) == 0);
  fixture_free(&f);
}
END_TEST

/* Depthwise on 1×10×10×8: 800·9 = 7200 MAC with 3×3, 800·25 = 20 000 with 5×5, 8 a cycle at the class's 0.5. For a library that has a
 * kernel for 3×3 only the others are 4 times the work; for one that has all from 2×2 to 5×5, none of these. */
START_TEST(depthwise_of_other_windows)
{
  struct fixture f;
  struct hs_work w;
  struct hs_kernel k;
  make(&f, "[1,10,10,8]", "'op': 'DepthwiseConv', 'kernel': [5,5], 'pad': 'same'", 0, 1, 0);
  w = cost(&f, 0, 0, whole);
  ck_assert_near(w.cycles[0], 5000.0);
  own_kernel(&f, 0, &k)->depthwise_fast_path = (struct hs_depthwise_path){.kernel = 3, .max_kernel = 3, .max_pad = -1, .other_factor = 4};
  w = cost(&f, 0, 0, whole);
  ck_assert_near(w.cycles[0], 20000.0);
  k.depthwise_fast_path.kernel = 2;
  k.depthwise_fast_path.max_kernel = 5;
  ck_assert_near(cost(&f, 0, 0, whole).cycles[0], 5000.0);
  k.depthwise_fast_path.max_kernel = 4;
  ck_assert_near(cost(&f, 0, 0, whole).cycles[0], 20000.0);
  fixture_free(&f);
  make(&f, "[1,10,10,8]", "'op': 'DepthwiseConv', 'kernel': [3,3], 'pad': 'same'", 0, 1, 0);
  own_kernel(&f, 0, &k)->depthwise_fast_path = (struct hs_depthwise_path){.kernel = 3, .max_kernel = 3, .max_pad = -1, .other_factor = 4};
  w = cost(&f, 0, 0, whole);
  ck_assert_near(w.cycles[0], 1800.0);
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

/* Three threads of MaxPool 1×1, 25 cycles for each doubling: 25 · log2 3 more. One thread, a Concat, which only copies, and what is serial altogether: none. */
START_TEST(threads_are_woken)
{
  static const struct {
    const char *op;
    int threads;
    double serial, more;
  } cases[] = {{"'op': 'MaxPool', 'kernel': [1,1]", 3, 0.5, 39.624062518028902}, {"'op': 'Conv', 'channels': 9, 'kernel': [1,1]", 4, 0, 50}, {"'op': 'MaxPool', 'kernel': [1,1]", 1, 0.5, 0},
               {"'op': 'Pad', 'pads': [[0,0],[1,1],[1,1],[0,0]]", 3, 0.5, 0}, {"'op': 'MaxPool', 'kernel': [1,1]", 3, 1, 0}};
  for (int i = 0; i < 5; i++) {
    struct fixture f;
    struct hs_kernel k;
    make(&f, "[1,10,10,6]", cases[i].op, 100, 1, 0);
    f.sys.backends[0].threads = cases[i].threads;
    own_kernel(&f, 0, &k);
    k.serial_frac = k.serial_light_frac = cases[i].serial;
    double before = cost(&f, 0, 0, whole).cycles[0];
    k.fork_cycles = 25;
    ck_assert_near(cost(&f, 0, 0, whole).cycles[0], before + cases[i].more);
    fixture_free(&f);
  }
}
END_TEST

/* Conv 1×1 with two groups on 1×10×10×6 → 6 channels, in float, where groups of whole slices of four have a kernel only: a Split and a Concat, which
 * compute nothing, two convolutions of 100·3·3 = 900 MAC at 4 a cycle, 100 cycles of host for each of the four, and 25 for each result of the Split:
 * 900. Bytes: 1200·4 each of the two that move, (300 + 300 + 12)·4 each of the convolutions. Half the rows: all but the 450 by half. Channels
 * 0 to 2: all of the Split, one convolution, half of the Concat. Rows of groups: channels read, written, groups, and whether they are written out. */
static const struct {
  int in, out, group;
  bool written_out;
} groups_of[] = {{6, 6, 2, true}, {8, 8, 2, false}, {8, 4, 2, true}, {4, 8, 2, true}, {6, 6, 1, false}, {6, 6, 6, false}, {24, 12, 3, false}, {192, 192, 64, true}, {130, 65, 65, false}};

START_TEST(groups_are_written_out)
{
  struct fixture f;
  struct hs_kernel k;
  make(&f, "[1,10,10,6]", "'op': 'Conv', 'channels': 6, 'kernel': [1,1], 'group': 2", 100, 1, 0);
  struct hs_runtime runtime = *f.sys.runtime;
  double native = cost(&f, 0, 1, whole).cycles[0];
  ck_assert_near(native, 100 + 450.0);
  runtime.backends[HS_GPU].group_slice = 4;
  f.sys.runtime = &runtime;
  own_kernel(&f, 1, &k)->split_output_cycles = 25;
  struct hs_work w = cost(&f, 0, 1, whole);
  ck_assert_near(w.cycles[0], 900.0);
  ck_assert_int_eq(w.cores[0], 1);
  ck_assert_near(w.bytes, 2 * 4800 + 2 * 2448.0);
  ck_assert_near(w.power_factor, 1.5 * 500 / 900);
  w = cost(&f, 0, 1, (struct hs_range){HS_SPLIT_HEIGHT, 0, 5});
  ck_assert_near(w.cycles[0], 450 + 225.0);
  ck_assert_near(w.bytes, 4800 + 2 * (1200 + 48.0));
  w = cost(&f, 0, 1, (struct hs_range){HS_SPLIT_CHANNEL, 0, 3});
  ck_assert_near(w.cycles[0], 150 + 325 + 100.0);
  ck_assert_near(cost(&f, 0, 0, whole).cycles[0], native);
  int operands[2] = {f.graph->ops[0].inputs[0], f.graph->ops[0].inputs[0]};
  f.graph->ops[0].inputs = operands;
  f.graph->ops[0].n_inputs = 2; /* a sum with x is fused to it */
  ck_assert_near(cost(&f, 0, 1, whole).bytes, 2 * 4800 + 2 * 2448 + 2400.0);
  fixture_free(&f);
}
END_TEST

/* Rows 0 to 5 of a 3×3 one read six, or eleven at steps of 2, which the Split splits; two convolutions make 150 each, with 84 weights; 300 are joined. With a
 * border of a row and a column more these are 6·11 of 5·10, and what is split has a step more of both. */
START_TEST(rows_of_groups)
{
  for (int step = 1; step <= 2; step++) {
    struct fixture f;
    struct hs_work w;
    char op[200], shape[40];
    const struct hs_range rows = {HS_SPLIT_HEIGHT, 0, 5};
    double n = step == 1 ? 6 : 11, read = n * 10 * step * 6, made = 1.2 * 1.1, split = (1 + step / n) * 1.1;
    snprintf(op, sizeof op, "'op': 'Conv', 'channels': 6, 'kernel': [3,3], 'stride': [%d,%d], 'pad': 'same', 'group': 2", step, step);
    snprintf(shape, sizeof shape, "[1,%d,%d,6]", 10 * step, 10 * step);
    make(&f, shape, op, 100, 1, 0);
    struct hs_runtime runtime = *f.sys.runtime;
    runtime.backends[HS_GPU].group_slice = 4;
    f.sys.runtime = &runtime;
    ck_assert_near(cost(&f, 0, 1, rows).bytes, 4 * (2 * read + 2 * (read / 2 + 150 + 84) + 2 * 300));
    hs_cost_exec_bordered(&f.sys, f.graph, f.graph->ops, 1, rows, (struct hs_border){1, 1}, &w);
    ck_assert_near(w.bytes, 4 * (split * 2 * read + 2 * (made * (read / 2 + 150) + 84) + made * 2 * 300));
    fixture_free(&f);
  }
}
END_TEST

START_TEST(groups_of_whole_slices)
{
  struct fixture f;
  char shape[40], op[100];
  snprintf(shape, sizeof shape, "[1,10,10,%d]", groups_of[_i].in);
  snprintf(op, sizeof op, "'op': 'Conv', 'channels': %d, 'kernel': [1,1], 'group': %d", groups_of[_i].out, groups_of[_i].group);
  make(&f, shape, op, 100, 1, 0);
  struct hs_runtime runtime = *f.sys.runtime;
  double native = cost(&f, 0, 1, whole).cycles[0];
  runtime.backends[HS_GPU].group_slice = 4;
  f.sys.runtime = &runtime;
  ck_assert_near(cost(&f, 0, 1, whole).cycles[0], native + (groups_of[_i].written_out ? 100 * (groups_of[_i].group + 1) : 0));
  fixture_free(&f);
}
END_TEST

/* Conv 3×3 stride 2 "same" on 12 rows → 6 rows (padding 0 above, 1 below). Output rows [2,4) read input rows 4 … 3·2+3 = 9: [4,9).
 * Work is 2/6 of the whole, weights all of them. Channels [0,3) of 9: work and weights 1/3, the input whole. */
START_TEST(parts)
{
  struct fixture f;
  struct hs_work w, all;
  make(&f, "[1,12,10,6]", "'op': 'Conv', 'channels': 9, 'kernel': [3,3], 'stride': [2,2], 'pad': 'same'", 0, 1, 0);
  const struct hs_operator *op = &f.graph->ops[0];
  struct hs_range rows = hs_input_range(f.graph, op, 0, (struct hs_range){HS_SPLIT_HEIGHT, 2, 4});
  ck_assert_int_eq(rows.begin, 4);
  ck_assert_int_eq(rows.end, 9);
  rows = hs_input_range(f.graph, op, 0, (struct hs_range){HS_SPLIT_HEIGHT, 4, 6}); /* the last window ends in the padding */
  ck_assert_int_eq(rows.begin, 8);
  ck_assert_int_eq(rows.end, 12);
  all = cost(&f, 0, 0, whole);
  w = cost(&f, 0, 0, (struct hs_range){HS_SPLIT_HEIGHT, 2, 4});
  ck_assert_near(w.cycles[0], all.cycles[0] / 3);
  ck_assert_near(w.bytes, 4.0 * (5 * 10 * 6 + 2 * 5 * 9 + 9 * 54 + 9));
  w = cost(&f, 0, 0, (struct hs_range){HS_SPLIT_CHANNEL, 0, 3});
  ck_assert_near(w.cycles[0], all.cycles[0] / 3);
  ck_assert_near(w.bytes, 4.0 * (12 * 10 * 6 + 6 * 5 * 3 + (9 * 54 + 9) / 3.0));
  fixture_free(&f);
}
END_TEST

static struct hs_range reads(const struct fixture *f, int op, int input, enum hs_split split, int64_t begin, int64_t end)
{
  return hs_input_range(f->graph, &f->graph->ops[op], input, (struct hs_range){split, begin, end});
}

/* 4 rows with 2 of padding on both sides: the first and the last rows of the result see padding only, and read the row beside it. */
START_TEST(parts_of_padding)
{
  struct fixture f;
  make(&f, "[1,4,4,6]", "'op': 'Conv', 'channels': 9, 'kernel': [1,1], 'pad': [2,2,2,2]", 0, 1, 0);
  struct hs_range above = reads(&f, 0, 0, HS_SPLIT_HEIGHT, 0, 1), below = reads(&f, 0, 0, HS_SPLIT_HEIGHT, 7, 8), all = reads(&f, 0, 0, HS_SPLIT_HEIGHT, 0, 8);
  ck_assert(above.begin == 0 && above.end == 1);
  ck_assert(below.begin == 3 && below.end == 4);
  ck_assert(all.begin == 0 && all.end == 4);
  fixture_free(&f);
}
END_TEST

/* Channels [2,5) of a product of an image and a mask: these of the image, but all of a mask of one channel. Groups aren't cut by channel, channels by themselves are. */
START_TEST(parts_by_channel)
{
  struct fixture f;
  struct hs_settings s = on_mace();
  fixture_make(&f, NULL, fixture_profile(0, 1, 0, 0), &s);
  fixture_graph(&f, "[1,4,4,6]", "{'name': 'm', 'op': 'Conv', 'inputs': ['x'], 'channels': 1, 'kernel': [1,1]}, {'name': 'p', 'op': 'Mul', 'inputs': ['x', 'm']}, "
                "{'name': 'g', 'op': 'Conv', 'inputs': ['p'], 'channels': 6, 'kernel': [1,1], 'group': 2}, {'name': 'd', 'op': 'DepthwiseConv', 'inputs': ['g'], 'kernel': [3,3]}", "'d'");
  struct hs_range image = reads(&f, 1, 0, HS_SPLIT_CHANNEL, 2, 5);
  ck_assert(image.split == HS_SPLIT_CHANNEL && image.begin == 2 && image.end == 5);
  ck_assert_int_eq(reads(&f, 1, 1, HS_SPLIT_CHANNEL, 2, 5).split, HS_SPLIT_NONE);
  ck_assert(!hs_splittable(f.graph, &f.graph->ops[2], HS_SPLIT_CHANNEL));
  ck_assert(hs_splittable(f.graph, &f.graph->ops[3], HS_SPLIT_CHANNEL));
  ck_assert(!hs_splittable(f.graph, &f.graph->ops[3], HS_SPLIT_BATCH)); /* one image */
  fixture_free(&f);
}
END_TEST

/* A chain's next operator is of 3×3 at stride 2 with its padding around 12×10: its rows 4 and 5 of 6 read rows 8 to 11 and one below the last, and all of its 5
 * columns one beyond the 10. Reading its own border of 1 row and 2 columns takes 2 more of each per row and column. Of 4 rows of 10 columns the work is
 * 5·11 then, of tensors and of MACs, also of those whose blocks are read again; cut by channel there is none. */
START_TEST(borders)
{
  struct fixture f;
  struct hs_kernel k;
  struct hs_work w;
  make(&f, "[1,12,10,6]", "'op': 'Conv', 'channels': 9, 'kernel': [3,3], 'stride': [2,2], 'pad': 'same'", 0, 1, 0);
  const struct hs_operator *op = &f.graph->ops[0];
  struct hs_range own = {HS_SPLIT_HEIGHT, 8, 12}, reads = {HS_SPLIT_HEIGHT, 4, 6};
  struct hs_border b = hs_border_for(f.graph, op, reads, (struct hs_border){0, 0}, own), more = hs_border_for(f.graph, op, reads, (struct hs_border){1, 2}, own);
  ck_assert_int_eq(b.rows, 1);
  ck_assert_int_eq(b.columns, 1);
  ck_assert_int_eq(more.rows, 3);
  ck_assert_int_eq(more.columns, 5);
  more = hs_border_for(f.graph, op, (struct hs_range){HS_SPLIT_CHANNEL, 0, 3}, (struct hs_border){0, 0}, (struct hs_range){HS_SPLIT_CHANNEL, 0, 3});
  ck_assert_int_eq(more.rows + more.columns, 0);
  fixture_free(&f);
  make(&f, "[1,12,10,6]", "'op': 'Conv', 'channels': 9, 'kernel': [1,1]", 0, 1, 0);
  struct hs_work plain = cost(&f, 0, 0, own);
  hs_cost_exec_bordered(&f.sys, f.graph, &f.graph->ops[0], 0, own, b, &w);
  ck_assert_near(w.cycles[0], plain.cycles[0] * 5 * 11 / (4 * 10));
  ck_assert_near(w.bytes, 4.0 * (5 * 11 * (6 + 9) + 6 * 9 + 9));
  own_kernel(&f, 0, &k)->refetch[HS_CLASS_CONV_1X1] = 0.5;
  hs_cost_exec_bordered(&f.sys, f.graph, &f.graph->ops[0], 0, own, b, &w);
  ck_assert_near(w.bytes, 4.0 * (5 * 11 * (6 + 9) + 6 * 9 + 9 + 0.5 * 5 * 11 * 6 * 9));
  fixture_free(&f);
  make(&f, "[2,12,10,6]", "'op': 'Conv', 'channels': 9, 'kernel': [1,1]", 0, 1, 0); /* two images have it each: 110 pixels */
  hs_cost_exec_bordered(&f.sys, f.graph, &f.graph->ops[0], 0, own, b, &w);
  double before = w.cycles[0];
  own_kernel(&f, 0, &k)->columns_half = 110;
  hs_cost_exec_bordered(&f.sys, f.graph, &f.graph->ops[0], 0, own, b, &w);
  ck_assert_near(w.cycles[0], 2 * before);
  fixture_free(&f);
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
 * 16 × 49, depth 64: 2^4 · 2^6 · 2^6 are worth two threads, with 8 rows one. */
START_TEST(grids)
{
  static const struct {
    struct hs_product product;
    int threads, log2_n[2];
    int64_t small[2], large[2];
    double share;
  } cases[] = {{{64, 3136, 64, 1}, 3, {0, 5}, {64, 96}, {0, 8}, 1080 / 3136.0}, {{512, 49, 4608, 1}, 3, {4, 1}, {32, 24}, {0, 1}, 9728 / 28672.0}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct hs_blocks b;
    ck_assert_int_eq(hs_product_threads(&cases[i].product, cases[i].threads), cases[i].threads);
    hs_blocks_choose(&cases[i].product, 4, 8, 131072, &b);
    for (int d = 0; d < 2; d++) {
      ck_assert_int_eq(b.log2_n[d], cases[i].log2_n[d]);
      ck_assert_int_eq(b.small[d], cases[i].small[d]);
      ck_assert_int_eq(b.large[d], cases[i].large[d]);
    }
    ck_assert_near(hs_blocks_share(&b, 3), cases[i].share);
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
  f.sys.backends[0].threads = 3;
  ck_assert_near(cost(&f, 0, 0, whole).cycles[0], 12845056 / 4.0 / 3);
  k.block_map_bytes = 131072;
  ck_assert_near(cost(&f, 0, 0, whole).cycles[0], 12845056 / 4.0 * 1080 / 3136);
  ck_assert_near(cost(&f, 0, 0, (struct hs_range){HS_SPLIT_HEIGHT, 0, 14}).cycles[0], 12845056 / 16.0 * 296 / 784);
  f.sys.backends[0].threads = 1;
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

/* What has cycles of its own has them per element of its output, and neither work nor bytes: 12·12·12 of a Pad, 10·10·12 of a sum. */
START_TEST(cycles_of_an_operator)
{
  static const struct {
    const char *op;
    double elements;
  } cases[] = {{"'op': 'Pad', 'pads': [[0,0],[1,1],[1,1],[0,0]], 'inputs': ['x']", 1728}, {"'op': 'Add', 'inputs': ['x','x']", 1200}};
  struct fixture f;
  struct hs_kernel k;
  struct hs_work w, without;
  struct hs_settings s = on_mace();
  char ops[200];
  fixture_make(&f, NULL, fixture_profile(0, 1, 0, 0), &s);
  snprintf(ops, sizeof ops, "{'name': 'o', %s}", cases[_i].op);
  fixture_graph(&f, "[1,10,10,12]", ops, "'o'");
  own_kernel(&f, 0, &k)->light_move_cycles_per_byte = 2;
  without = cost(&f, 0, 0, whole);
  k.operator_cycles[_i ? HS_OP_MUL : HS_OP_SLICE] = 5;
  w = cost(&f, 0, 0, whole);
  ck_assert_near(w.cycles[0], without.cycles[0]);
  k.operator_cycles[_i ? HS_OP_ADD : HS_OP_PAD] = 3;
  w = cost(&f, 0, 0, whole);
  ck_assert_near(w.cycles[0], 3 * cases[_i].elements);
  ck_assert_near(w.bytes, without.bytes);
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
  const char *opps = "[{\"freq_hz\": 1000000000.0, \"volt\": 1, \"dynamic_w\": 1, \"static_w\": 0.1}, {\"freq_hz\": 2000000000.0, \"volt\": 1.1, \"dynamic_w\": 2, \"static_w\": 0.1}]";
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
  f.sys.runtime = hs_runtime_find("pytorch"); /* its threads steal */
  ck_assert_near(hs_cost_seconds(&f.sys, f.graph, &f.graph->ops[0], 0, -1), 0.26 * 1327104 / 1e9);
  f.sys.runtime = mace;
  /* what has no threads takes the big core alone, in power as well: 2 W of 2 + 3 */
  struct hs_kernel k;
  struct hs_work w;
  own_kernel(&f, 0, &k)->serial_frac = 1;
  w = cost(&f, 0, 0, whole);
  ck_assert_int_eq(w.cores[0], 0);
  ck_assert_int_eq(w.cores[1], 1);
  ck_assert_near(hs_work_seconds(&f.sys, 0, -1, &w), 1327104 / 2e9);
  ck_assert_near(hs_work_dynamic_w(&f.sys, 0, -1, &w), 2 * k.power_factor);
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
 * 4·4·224 = 3584: 179 200 MAC, 44800 cycles, times (50 + 16)/50: more than half of the whole. 20×16 is as small, whole: 10·8 tiles of 2, 71680 cycles. */
START_TEST(winograd)
{
  struct fixture f;
  struct hs_kernel k;
  make(&f, "[1,20,20,8]", "'op': 'Conv', 'channels': 16, 'kernel': [3,3], 'pad': 'same'", 0, 1, 0);
  own_kernel(&f, 0, &k)->winograd = (struct hs_winograd){6, 2, 16, 8, 4};
  ck_assert_near(cost(&f, 0, 0, whole).cycles[0], 57344.0);
  k.columns_half = 16;
  ck_assert_near(cost(&f, 0, 0, whole).cycles[0], 2 * 57344.0);
  ck_assert_near(cost(&f, 0, 0, (struct hs_range){HS_SPLIT_HEIGHT, 0, 10}).cycles[0], 44800.0 * 66 / 50);
  fixture_free(&f);
  make(&f, "[1,20,16,8]", "'op': 'Conv', 'channels': 16, 'kernel': [3,3], 'pad': 'same'", 0, 1, 0);
  own_kernel(&f, 0, &k)->winograd = (struct hs_winograd){6, 2, 16, 8, 4};
  ck_assert_near(cost(&f, 0, 0, whole).cycles[0], 71680.0);
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

/* 64 · 576 weights of 4 bytes are packed by all three at 0.25 cycles per byte, beside all else. With one pixel, a matrix times one column, each weight is read
 * once and that is all: 256 · 1024 MACs are worth three threads, 256 · 256 one. A depthwise convolution packs none. */
START_TEST(weights_are_packed)
{
  static const struct {
    const char *in, *op;
    double more, alone; /* cycles beside those without; or altogether */
  } rows[] = {{"[1,12,12,64]", "'op': 'Conv', 'channels': 64, 'kernel': [3,3], 'pad': 'same'", 64.0 * 577 / 3, 0},
              {"[1,12,12,64]", "'op': 'DepthwiseConv', 'kernel': [3,3], 'pad': 'same'", 0, 0},
              {"[1,1,1,1024]", "'op': 'Conv', 'channels': 256, 'kernel': [1,1]", 0, 256.0 * 1025 / 3},
              {"[1,1,1,256]", "'op': 'Conv', 'channels': 256, 'kernel': [1,1]", 0, 256.0 * 257}};
  struct fixture f;
  struct hs_kernel k;
  struct hs_work w, without;
  make(&f, rows[_i].in, rows[_i].op, 0, 1, 0);
  f.sys.backends[0].threads = 3;
  own_kernel(&f, 0, &k)->serial_frac = 0;
  hs_cost_exec(&f.sys, f.graph, &f.graph->ops[0], 0, whole, &without);
  k.weight_cycles_per_byte = 0.25;
  hs_cost_exec(&f.sys, f.graph, &f.graph->ops[0], 0, whole, &w);
  ck_assert_near(rows[_i].alone > 0 ? w.cycles[0] - k.overhead_cycles : w.cycles[0] - without.cycles[0], rows[_i].alone + rows[_i].more);
  fixture_free(&f);
}
END_TEST

/* The same again: 144 columns of 576 are packed by all, 4 bytes at 0.25 cycles: 82 944. A depthwise convolution packs none. */
START_TEST(columns_are_packed)
{
  struct fixture f;
  struct hs_kernel k;
  struct hs_work w, without;
  make(&f, "[1,12,12,64]", _i ? "'op': 'DepthwiseConv', 'kernel': [3,3], 'pad': 'same'" : "'op': 'Conv', 'channels': 64, 'kernel': [3,3], 'pad': 'same'", 0, 1, 0);
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

/* Elements read and written take 2 cycles each, 7 where a pass over them doesn't stay in the cache, 13 more where the last one doesn't hold it either. In 64
 * lines of 4 ways 64 places 9 lines apart stay, 144 places 4 lines apart share 4 of 16 sets, and 144 places of half a line each need 72 lines. Three threads
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
               {"[1,12,12,8]", "'op': 'DepthwiseConv', 'kernel': [3,3], 'pad': 'same'", 68, 0, 1152 * 2 + 1152 * 7},
               {"[2,12,12,64]", "'op': 'DepthwiseConv', 'kernel': [3,3], 'pad': 'same'", 64, 0, 2 * (9216 * 2 + 9216 * 7)},
               {"[1,64,64,16]", "'op': 'Conv', 'channels': 16, 'kernel': [1,1]", 64, 0, 65536 * 14 / 3.0},
               {"[1,32,64,16]", "'op': 'Conv', 'channels': 16, 'kernel': [1,1]", 64, 0, 2 * 32768 * 7 / 3.0}, /* as few as threads take */
               {"[1,12,12,8]", "'op': 'DepthwiseConv', 'kernel': [3,3], 'pad': 'same'", 72, 5000, 2 * 1152 * 2}, /* 144 places, two in a line */
               {"[2,12,12,64]", "'op': 'DepthwiseConv', 'kernel': [3,3], 'pad': 'same'", 228, 0, 2 * 2 * 9216 * 2}, /* image by image */
               {"[2,1,1,64]", "'op': 'Conv', 'channels': 64, 'kernel': [1,1]", 64, 0, 0},
               {"[1,12,12,64]", "'op': 'Conv', 'channels': 1, 'kernel': [12,12]", 64, 0, 9216 * 2},
               {"[1,1,1,64]", "'op': 'Conv', 'channels': 64, 'kernel': [1,1]", 64, 0, 0},
               {"[1,12,12,64]", "'op': 'Relu'", 64, 0, 0}};
  struct fixture f;
  struct hs_kernel k;
  make(&f, cases[_i].shape, cases[_i].op, 0, 1, 0);
  struct hs_soc soc = *f.sys.soc;
  soc.memory.llc_bytes = cases[_i].llc;
  f.sys.soc = &soc;
  f.sys.backends[0].threads = 3;
  own_kernel(&f, 0, &k)->serial_frac = k.serial_depthwise_frac = 0;
  double without = cost(&f, 0, 0, whole).cycles[0];
  k.turn_cycles = 2;
  k.turn_miss_cycles = 5;
  k.turn_far_cycles = 13;
  k.turn_cache_lines = cases[_i].lines;
  k.turn_cache_ways = 4;
  ck_assert_near(cost(&f, 0, 0, whole).cycles[0], without + cases[_i].turned);
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

/* 144 pixels of 40 channels are normalised as 64, at 3 cycles each; nothing else is padded to that. */
START_TEST(norms_in_blocks)
{
  static const double cycles[] = {144 * 64 * 3, 144 * 40 * 3};
  struct fixture f;
  struct hs_kernel k;
  make(&f, "[1,12,12,40]", _i ? "'op': 'Sigmoid'" : "'op': 'BatchNormalization'", 0, 1, 0);
  own_kernel(&f, 0, &k)->operator_cycles[f.graph->ops[0].type] = 3;
  k.norm_block = 32;
  ck_assert_near(cost(&f, 0, 0, whole).cycles[0], cycles[_i]);
  fixture_free(&f);
}
END_TEST

/* In a runtime whose windows pad by themselves a Pad that one pooling alone reads takes nothing; one that is a result, too, does. */
START_TEST(windows_that_pad)
{
  struct fixture f;
  struct hs_settings s = on_mace();
  fixture_make(&f, NULL, fixture_profile(100, 1, 0, 0), &s);
  fixture_graph(&f, "[1,10,10,6]",
                "{'name': 'p', 'inputs': ['x'], 'op': 'Pad', 'pads': [[0,0],[1,1],[1,1],[0,0]]}, "
                "{'name': 'm', 'inputs': ['p'], 'op': 'MaxPool', 'kernel': [3,3], 'pad': 'valid'}", _i ? "'m', 'p'" : "'m'");
  double written = cost(&f, 0, 0, whole).bytes;
  f.sys.runtime = hs_runtime_find("pytorch"); /* one of them */
  struct hs_work w = cost(&f, 0, 0, whole);
  ck_assert_near(w.bytes, _i ? written : 0);
  ck_assert_near(w.cycles[0], _i ? 100 : 0);
  fixture_free(&f);
}
END_TEST

/* Nothing else is joined there: neither a Reshape to the same image, nor what follows it element by element. */
START_TEST(windows_only_pad)
{
  struct fixture f;
  struct hs_settings s = on_mace();
  fixture_make(&f, NULL, fixture_profile(100, 1, 0, 0), &s);
  fixture_graph(&f, "[1,10,10,6]", "{'name': 'r', 'inputs': ['x'], 'op': 'Reshape', 'shape': [1,10,10,6]}, {'name': 'e', 'inputs': ['r'], 'op': 'Exp'}", "'e'");
  f.sys.runtime = hs_runtime_find("pytorch");
  for (int op = 0; op < 2; op++) ck_assert_near(cost(&f, op, 0, whole).bytes, 2 * 600 * 4.0);
  fixture_free(&f);
}
END_TEST

/* A mean over 10 × 10 × 12 = 1 200 elements takes 20 cycles each where its result is a row of features; read by a convolution it keeps its dimensions. */
START_TEST(flat_mean)
{
  static const struct {
    const char *next, *outputs;
    bool flat;
  } cases[] = {{"", "'o'", true},
               {", {'name': 'r', 'op': 'Reshape', 'inputs': ['o'], 'shape': [1, 12]}", "'r'", true},
               {", {'name': 'r', 'op': 'Gemm', 'inputs': ['o'], 'channels': 5}", "'r'", true},
               {", {'name': 'r', 'op': 'Conv', 'inputs': ['o'], 'channels': 5, 'kernel': [1, 1]}", "'r'", false},
               {", {'name': 'p', 'op': 'Relu', 'inputs': ['x']}, {'name': 'r', 'op': 'Gemm', 'inputs': ['o'], 'channels': 5}", "'p', 'r'", true}};
  enum { N = sizeof cases / sizeof *cases };
  struct fixture f;
  struct hs_kernel k;
  struct hs_work w, without;
  struct hs_settings s = on_mace();
  char ops[300];
  fixture_make(&f, NULL, fixture_profile(0, 1, 0, 0), &s);
  snprintf(ops, sizeof ops, "{'name': 'o', 'op': '%s', 'inputs': ['x']%s}%s", _i / N ? "ReduceMean" : "GlobalAveragePool",
           _i / N ? ", 'axes': [1, 2]" : "", cases[_i % N].next);
  fixture_graph(&f, "[1,10,10,12]", ops, cases[_i % N].outputs);
  own_kernel(&f, 0, &k);
  without = cost(&f, 0, 0, whole);
  k.flat_mean_cycles = 20;
  w = cost(&f, 0, 0, whole);
  ck_assert_near(w.cycles[0], cases[_i % N].flat ? 24000 : without.cycles[0]);
  fixture_free(&f);
}
END_TEST

/* A sum of two reads both and writes one: 3 · 1 200 elements of 4 bytes at 2 cycles; a concatenation copies 2 400, at 2 cycles a byte. No
 * work but what the sum takes: 1 200 at the efficiency of its class. */
START_TEST(light_moves)
{
  static const struct {
    const char *op;
    double work, moved;
  } cases[] = {{"'op': 'Add', 'inputs': ['x','x']", 1200, 3600}, {"'op': 'Concat', 'inputs': ['x','x']", 0, 2400},
               {"'op': 'Gather', 'inputs': ['x'], 'rows': 9, 'channels': 3", 0, 3600}};
  struct fixture f;
  struct hs_kernel k;
  struct hs_work w;
  struct hs_settings s = on_mace();
  char ops[200];
  fixture_make(&f, NULL, fixture_profile(0, 1, 0, 0), &s);
  snprintf(ops, sizeof ops, "{'name': 'o', %s}", cases[_i].op);
  fixture_graph(&f, "[1,10,10,12]", ops, "'o'");
  own_kernel(&f, 0, &k)->move_cycles_per_byte = 7;
  k.light_move_cycles_per_byte = 2;
  hs_cost_exec(&f.sys, f.graph, &f.graph->ops[0], 0, whole, &w);
  ck_assert_near(w.cycles[0], cases[_i].work / 8 / k.efficiency[HS_CLASS_ELEMENTWISE] + cases[_i].moved * 4 * 2);
  fixture_free(&f);
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
  own_kernel(&f, 0, &k)->depthwise_fast_path = (struct hs_depthwise_path){3, 3, 8, 2, 1, 3};
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
}
END_TEST

/* Two images of 13 rows in tiles of 6: 2·3·2 = 12, not ⌈26/6⌉·2 = 10. One of them: 6. 64·64·12 = 49152 MAC, 12288 cycles. */
/* Where only one size of window is named, it is the only one. */
START_TEST(one_window)
{
  struct fixture f;
  struct hs_settings s = on_mace();
  char *text = fixture_profile(0, 1, 0, 0);
  fixture_make(&f, NULL, hs_test_replace(text, "\"traffic_factor\"", "\"depthwise_fast_path\": {\"kernel\": 3, \"other_factor\": 2}, \"traffic_factor\""), &s);
  const struct hs_depthwise_path *path = &f.sys.backends[0].kernel->depthwise_fast_path;
  ck_assert_int_eq(path->kernel, 3);
  ck_assert_int_eq(path->max_kernel, 3);
  ck_assert_int_eq(path->max_pad, -1); /* any */
  free(text);
  fixture_graph(&f, "[1,8,8,4]", "{'name': 'o', 'op': 'DepthwiseConv', 'inputs': ['x'], 'kernel': [5,5], 'pad': 'same'}", "'o'");
  ck_assert_near(cost(&f, 0, 0, whole).cycles[0], 2 * 64 * 4 * 25 / 4.0);
  fixture_free(&f);
}
END_TEST

START_TEST(winograd_of_several_images)
{
  struct fixture f;
  struct hs_kernel k;
  make(&f, "[2,13,7,8]", "'op': 'Conv', 'channels': 8, 'kernel': [3,3], 'pad': 'same'", 0, 1, 0);
  own_kernel(&f, 0, &k)->winograd = (struct hs_winograd){6, 2, 0, 8, 0};
  ck_assert_near(cost(&f, 0, 0, whole).cycles[0], 12288.0);
  ck_assert_near(cost(&f, 0, 0, (struct hs_range){HS_SPLIT_BATCH, 0, 1}).cycles[0], 6144.0);
  fixture_free(&f);
}
END_TEST

/* 7 input channels are too few for Winograd: 400·63·3 = 75600 MAC, direct, at 0.25 of 8 MAC/cycle 37800 cycles. One thread takes 4 output
 * channels at a time and has 3: 4/3 of that. */
START_TEST(direct)
{
  struct fixture f;
  struct hs_kernel k;
  make(&f, "[1,20,20,7]", "'op': 'Conv', 'channels': 3, 'kernel': [3,3], 'pad': 'same'", 0, 1, 0);
  own_kernel(&f, 0, &k)->winograd = (struct hs_winograd){6, 2, 16, 8, 4};
  k.efficiency[HS_CLASS_CONV_OTHER] = 0.25;
  ck_assert_near(cost(&f, 0, 0, whole).cycles[0], 37800.0);
  k.direct_block = 4;
  ck_assert_int_eq(f.sys.backends[0].threads, 1);
  ck_assert_near(cost(&f, 0, 0, whole).cycles[0], 50400.0);
  fixture_free(&f);
}
END_TEST

/* Conv 1×1 on 1×10×10×8 → 8 on the GPU, 8 MAC/cycle at 0.5. Work items of 4 columns × 4 channels: 10·3·2 = 60, a wave is 64 of them, each 4·4·8
 * MAC: 8192, 2048 cycles. Half of the rows are 30 items, a wave again: as long as the whole. Without waves the 60: 1920. */
START_TEST(blocks_and_waves)
{
  struct fixture f;
  struct hs_kernel k;
  make(&f, "[1,10,10,8]", "'op': 'Conv', 'channels': 8, 'kernel': [1,1]", 0, 4, 0);
  own_kernel(&f, 1, &k)->width_block[HS_CLASS_CONV_1X1] = 4;
  ck_assert_near(cost(&f, 0, 1, whole).cycles[0], 1920.0);
  k.wave = 64;
  ck_assert_near(cost(&f, 0, 1, whole).cycles[0], 2048.0);
  ck_assert_near(cost(&f, 0, 1, (struct hs_range){HS_SPLIT_HEIGHT, 0, 5}).cycles[0], 2048.0);
  fixture_free(&f);
}
END_TEST

/* The same with blocks of 2 columns: 10·5·2 items, 8 of a row and 3 rows to a group. A group of 8 blocks of channels would read those and 3·2
 * pixels: 14. With two blocks of channels its 8 items are 4 pairs of columns: 2 + 4·6 = 26. Half of the channels are 1 block: 1 + 8·6 = 49.
 * With 32 channels, 8 blocks, nothing is read twice. */
START_TEST(work_groups)
{
  struct fixture f;
  struct hs_kernel k;
  make(&f, "[1,10,10,8]", "'op': 'Conv', 'channels': 8, 'kernel': [1,1]", 0, 4, 0);
  own_kernel(&f, 1, &k)->width_block[HS_CLASS_CONV_1X1] = 2;
  k.group = (struct hs_work_group){8, 3, 0, 0};
  ck_assert_near(cost(&f, 0, 1, whole).cycles[0], 1600.0 * 26 / 14);
  ck_assert_near(cost(&f, 0, 1, (struct hs_range){HS_SPLIT_HEIGHT, 0, 5}).cycles[0], 800.0 * 26 / 14);
  ck_assert_near(cost(&f, 0, 1, (struct hs_range){HS_SPLIT_CHANNEL, 0, 4}).cycles[0], 800.0 * 49 / 14);
  fixture_free(&f);
  make(&f, "[1,10,10,8]", "'op': 'Conv', 'channels': 32, 'kernel': [1,1]", 0, 4, 0);
  own_kernel(&f, 1, &k)->group = (struct hs_work_group){8, 3, 0, 0};
  ck_assert_near(cost(&f, 0, 1, whole).cycles[0], 6400.0);
  fixture_free(&f);
}
END_TEST

/* Cycles of a convolution of 1×10×10×8 on a GPU whose groups are 4 blocks of channels by 2 rows, 2 cache lines and 96 bytes per cycle: a load takes
 * 4/3 cycles at least, for 8 items' 16 bytes each. */
static double line_cycles(const char *op, enum hs_op_class class, int width_block, struct hs_range range, double columns_half)
{
  struct fixture f;
  struct hs_kernel k;
  make(&f, "[1,10,10,8]", op, 0, 4, 0);
  own_kernel(&f, 1, &k)->group = (struct hs_work_group){4, 2, 2, 96};
  k.width_block[class] = width_block;
  k.columns_half = columns_half;
  for (int c = 0; c < HS_CLASS_N; c++) k.efficiency[c] = hs_kernel_counts_lines(&k, (enum hs_op_class)c) ? 1e-3 : 0.5; /* of no account */
  ck_assert_int_eq(f.graph->ops[0].class, class);
  double cycles = cost(&f, 0, 1, range).cycles[0];
  fixture_free(&f);
  return cycles;
}

/* 1×1 by 2 columns, a step of 4 channels is 8·4·4·2 = 256 MAC.
 * 16 channels, 4 blocks: 4 loads of weights touch 4 lines, 2 cycles; 2 of pixels the 2 rows', 1 cycle, so the least: 4·2 + 2·4/3. 100·8·16 MAC, 50 steps.
 * 4 channels, 1 block: weights are 1 line, the least; 4 columns of 2 rows are 8 lines: 4·4/3 + 2·4, 12.5 steps.
 * 28 channels, 7 blocks: 3 of 7 groups have two columns, 1 + (4 - 1)/7: 4·2 + 2·10/7, 87.5 steps.
 * 24 channels, 6 blocks: 1 + (4 - 2)/6: 4·2 + 2·4/3, 75 steps.
 * 6 channels pad to 2 blocks, so 2 columns: 4·4/3 + 2·2, 25 steps. */
START_TEST(cache_lines)
{
  const enum hs_op_class c = HS_CLASS_CONV_1X1;
  ck_assert_near(line_cycles("'op': 'Conv', 'channels': 16, 'kernel': [1,1]", c, 2, whole, 0), 50 * (8 + 8 / 3.0));
  ck_assert_near(line_cycles("'op': 'Conv', 'channels': 4, 'kernel': [1,1]", c, 2, whole, 0), 12.5 * (16 / 3.0 + 8));
  ck_assert_near(line_cycles("'op': 'Conv', 'channels': 28, 'kernel': [1,1]", c, 2, whole, 0), 87.5 * (8 + 20 / 7.0));
  ck_assert_near(line_cycles("'op': 'Conv', 'channels': 24, 'kernel': [1,1]", c, 2, whole, 0), 75 * (8 + 8 / 3.0));
  ck_assert_near(line_cycles("'op': 'Conv', 'channels': 6, 'kernel': [1,1]", c, 2, whole, 0), 25 * (16 / 3.0 + 4));
}
END_TEST

/* Of the 16 channels half of the rows, and 12, 3 blocks: weights of 3 lines, columns 1 + 3/3: 4·1.5 + 2·2. Blocks of 4 columns pad 10 to 12 and have 4
 * loads of pixels: 4·2 + 4·4/3 for 512 MAC. columns_half 100 is as much again. 3×3 without blocks: 4·2 + 4/3 for 128 MAC. */
START_TEST(cache_lines_of_parts)
{
  static const char *const op = "'op': 'Conv', 'channels': 16, 'kernel': [1,1]";
  const enum hs_op_class c = HS_CLASS_CONV_1X1;
  ck_assert_near(line_cycles(op, c, 2, (struct hs_range){HS_SPLIT_HEIGHT, 0, 5}, 0), 25 * (8 + 8 / 3.0));
  ck_assert_near(line_cycles(op, c, 2, (struct hs_range){HS_SPLIT_CHANNEL, 0, 12}, 0), 37.5 * 10);
  ck_assert_near(line_cycles(op, c, 4, whole, 0), 30 * (8 + 16 / 3.0));
  ck_assert_near(line_cycles(op, c, 2, whole, 100), 100 * (8 + 8 / 3.0));
  ck_assert_near(line_cycles("'op': 'Conv', 'channels': 16, 'kernel': [3,3], 'pad': 'same'", HS_CLASS_CONV_3X3, 1, whole, 0), 900 * (8 + 4 / 3.0));
}
END_TEST

/* What has no such loads keeps its efficiency, 8 MAC/cycle at 0.5; in groups, 4 channels of 8. */
START_TEST(no_cache_lines)
{
  ck_assert_near(line_cycles("'op': 'DepthwiseConv', 'kernel': [3,3], 'pad': 'same'", HS_CLASS_DEPTHWISE, 1, whole, 0), 100.0 * 8 * 9 / 4);
  ck_assert_near(line_cycles("'op': 'Conv', 'channels': 8, 'kernel': [1,1], 'group': 2", HS_CLASS_GROUPED, 1, whole, 0), 100.0 * 4 * 8 / 4);
}
END_TEST

/* The GPU: 4 MAC/cycle at efficiency 0.5 … a Concat of two 1×10×10×8 moves 1600 elements. At half the rate for 100 pixels (100 of them are
 * as many as half a rate needs) that is 2·1600 operations, like an Add of 3200. Without move_half_pixels it has no work. */
START_TEST(moves_by_pixels)
{
  struct fixture f;
  struct hs_kernel k;
  struct hs_settings s = on_mace();
  fixture_make(&f, NULL, fixture_profile(100, 1, 0, 0), &s);
  fixture_graph(&f, "[1,10,10,8]", "{'name': 'o', 'inputs': ['x', 'x'], 'op': 'Concat', 'axis': 3}", "'o'");
  ck_assert_near(cost(&f, 0, 1, whole).cycles[0], 100.0);
  own_kernel(&f, 1, &k)->move_half_pixels = 100;
  struct hs_work w = cost(&f, 0, 1, whole);
  double rate = k.efficiency[HS_CLASS_MOVE] * f.sys.soc->processors[1].domains[0].macs_per_cycle[f.sys.backends[1].precision];
  ck_assert_near(w.cycles[0], 100 + 2 * 1600 / rate);
  fixture_free(&f);
}
END_TEST

/* A Split makes all that it reads, whichever part comes first: 800 elements at half the rate. */
START_TEST(moves_all_parts)
{
  static const char *const sizes[] = {"2, 6", "6, 2", "8"};
  for (int i = 0; i < 3; i++) {
    struct fixture f;
    struct hs_kernel k;
    struct hs_settings s = on_mace();
    char op[200];
    fixture_make(&f, NULL, fixture_profile(100, 1, 0, 0), &s);
    snprintf(op, sizeof op, "{'name': 's', 'inputs': ['x'], 'op': 'Split', 'axis': 3, 'sizes': [%s], 'outputs': ['o'%s]}", sizes[i], i < 2 ? ", 'p'" : "");
    fixture_graph(&f, "[1,10,10,8]", op, "'o'");
    own_kernel(&f, 1, &k)->move_half_pixels = 100;
    double rate = k.efficiency[HS_CLASS_MOVE] * f.sys.soc->processors[1].domains[0].macs_per_cycle[f.sys.backends[1].precision];
    ck_assert_near(cost(&f, 0, 1, whole).cycles[0], 100 + 2 * 800 / rate);
    fixture_free(&f);
  }
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

/* r is the only reader of what a computes: it costs what it computes, no start-up and no traffic. a reads the network's input, which no kernel
 * computes: it is one of its own, and so is q, whose operand the network returns, too. Pad, which one pooling reads, is free; not where it reflects. */
START_TEST(light_operators_fuse)
{
  struct fixture f;
  struct hs_kernel k;
  struct hs_work w, plain_relu;
  struct hs_settings s = on_mace();
  fixture_make(&f, NULL, fixture_profile(100, 1, 0, 0), &s);
  fixture_graph(&f, "[1,10,10,8]",
                "{'name': 'a', 'inputs': ['x'], 'op': 'Sigmoid'}, {'name': 'r', 'inputs': ['a'], 'op': 'Sigmoid'}, {'name': 'q', 'inputs': ['r'], 'op': 'Sigmoid'},"
                "{'name': 'p', 'inputs': ['q'], 'op': 'Pad', 'pads': [[0,0],[0,2],[0,2],[0,0]]}, {'name': 'm', 'inputs': ['p'], 'op': 'MaxPool', 'kernel': [3,3], 'pad': 'valid'}",
                "'r', 'm'");
  plain_relu = cost(&f, 1, 1, whole);
  ck_assert_near(plain_relu.bytes, 4 * 1600.0);
  own_kernel(&f, 1, &k)->fuses_light = true;
  w = cost(&f, 1, 1, whole);
  ck_assert_near(w.cycles[0], plain_relu.cycles[0] - 100);
  ck_assert_near(w.bytes, 0.0);
  for (int i = 0; i < 3; i += 2) {
    w = cost(&f, i, 1, whole);
    ck_assert(w.cycles[0] > 100 && w.bytes > 0);
  }
  w = cost(&f, 3, 1, whole);
  ck_assert_near(w.cycles[0], 0.0);
  ck_assert_near(w.bytes, 0.0);
  f.graph->ops[3].at.reflect = true;
  w = cost(&f, 3, 1, whole);
  ck_assert(w.cycles[0] > 100 - 1e-9 && w.bytes > 0);
  fixture_free(&f);
}
END_TEST

/* Of a product of two equal images the one computed last takes it, whichever is named first; of a difference, and of unequal images, the first, if
 * the other is there before it. What the other operand is read for remains: 4 bytes of each of 800 elements, or of 8. */
#define OF_A "{'name': 'b', 'inputs': ['a'], 'op': 'Sigmoid'}, "
#define OF_X "{'name': 'b', 'inputs': ['x'], 'op': 'Sigmoid'}, "
#define MEAN "{'name': 'g', 'inputs': ['x'], 'op': 'GlobalAveragePool'}, "
static const struct {
  const char *before, *op, *operands;
  double bytes; /* -1: a kernel of its own */
} sides[] = {
  {OF_A, "Mul", "'a', 'b'", 3200}, /* a has two readers more, b this one: x · f(x) */
  {OF_A, "Mul", "'b', 'a'", 3200},
  {OF_X, "Add", "'a', 'b'", 3200},
  {OF_X, "Add", "'x', 'b'", 3200},
  {OF_A, "Sub", "'a', 'b'", -1},
  {OF_A, "Sub", "'b', 'a'", 3200},
  {MEAN OF_X, "Mul", "'g', 'b'", -1}, /* g, one value per channel, isn't of b's size */
  {MEAN OF_X, "Mul", "'b', 'g'", 32},
  {OF_X MEAN, "Mul", "'g', 'b'", -1}, /* nor where it is computed last */
  {OF_X MEAN, "Mul", "'b', 'g'", -1}, /* where b is computed g isn't there yet */
};

START_TEST(linked_to_what_is_computed_last)
{
  struct fixture f;
  struct hs_kernel k;
  char ops[600];
  struct hs_settings s = on_mace();
  fixture_make(&f, NULL, fixture_profile(100, 1, 0, 0), &s);
  snprintf(ops, sizeof ops, "{'name': 'a', 'inputs': ['x'], 'op': 'Sigmoid'}, {'name': 'n', 'inputs': ['a'], 'op': 'Sigmoid'}, %s{'name': 'm', 'inputs': [%s], 'op': '%s'}",
           sides[_i].before, sides[_i].operands, sides[_i].op);
  fixture_graph(&f, "[1,10,10,8]", ops, "'a', 'n', 'm'");
  int last = f.graph->n_ops - 1;
  struct hs_work plain = cost(&f, last, 1, whole);
  own_kernel(&f, 1, &k)->fuses_light = true;
  struct hs_work w = cost(&f, last, 1, whole);
  bool linked = sides[_i].bytes >= 0;
  ck_assert_near(w.cycles[0], plain.cycles[0] - (linked ? 100 : 0));
  ck_assert_near(w.bytes, linked ? sides[_i].bytes : plain.bytes);
  fixture_free(&f);
}
END_TEST

/* A row of features is an image of one pixel, so that this Reshape is none: free where light operators are compiled in. */
static const struct {
  const char *shape;
  bool free;
} reshapes[] = {
  {"[1, 800]", false}, {"[1, 10, 80]", false}, {"[1, 1, 1, 800]", false}, {"[1, 10, 10, 8]", true}, {"[1, 100, 8]", false},
};

START_TEST(reshapes_to_the_same_image)
{
  struct fixture f;
  struct hs_kernel k;
  char ops[300];
  struct hs_settings s = on_mace();
  fixture_make(&f, NULL, fixture_profile(100, 1, 0, 0), &s);
  snprintf(ops, sizeof ops,
           "{'name': 'g', 'inputs': ['x'], 'op': 'GlobalAveragePool'}, {'name': 'row', 'inputs': ['g'], 'op': 'Reshape', 'shape': [1, 8]}, "
           "{'name': 'back', 'inputs': ['row'], 'op': 'Reshape', 'shape': [1, 1, 8]}, {'name': 'r', 'inputs': ['x'], 'op': 'Reshape', 'shape': %s}",
           reshapes[_i].shape);
  fixture_graph(&f, "[1,10,10,8]", ops, "'back', 'r'");
  for (int i = 1; i < 4; i++) {
    ck_assert(cost(&f, i, 1, whole).cycles[0] > 99);
    own_kernel(&f, 1, &k)->fuses_light = true;
    struct hs_work w = cost(&f, i, 1, whole);
    bool free = i < 3 || reshapes[_i].free;
    ck_assert((w.cycles[0] > 99) == !free);
    ck_assert((w.bytes > 0) == !free);
    k.fuses_light = false;
  }
  fixture_free(&f);
  make(&f, "[2,1,1,8]", "'op': 'Reshape', 'shape': [2, 8]", 100, 1, 0); /* two of them are two images */
  own_kernel(&f, 1, &k)->fuses_light = true;
  ck_assert(cost(&f, 0, 1, whole).cycles[0] < 99);
  fixture_free(&f);
}
END_TEST

/* A convolution of one pixel is a fully connected operator on TensorFlow Lite's GPU, at that one's rate; not on its CPU, in MACE, with more pixels or
 * with a window. */
static const struct {
  const char *shape, *kernel, *runtime;
  int processor;
  double slower;
} pixels[] = {
  {"[1,1,1,64]", "[1,1]", "tflite", 1, 2}, {"[3,1,1,64]", "[1,1]", "tflite", 1, 2}, {"[1,1,1,64]", "[1,1]", "tflite", 0, 1}, {"[1,1,1,64]", "[1,1]", "mace", 1, 1},
  {"[1,1,2,64]", "[1,1]", "tflite", 1, 1}, {"[1,2,1,64]", "[1,1]", "tflite", 1, 1}, {"[1,3,3,64]", "[3,3]", "tflite", 1, 1},
};

START_TEST(convolution_of_one_pixel)
{
  struct fixture f;
  struct hs_kernel k;
  char op[100];
  int p = pixels[_i].processor;
  snprintf(op, sizeof op, "'op': 'Conv', 'channels': 32, 'kernel': %s", pixels[_i].kernel);
  make(&f, pixels[_i].shape, op, 0, 1, 0);
  f.sys.runtime = hs_runtime_find(pixels[_i].runtime);
  own_kernel(&f, p, &k);
  double cycles = cost(&f, 0, p, whole).cycles[0];
  k.efficiency[HS_CLASS_MATMUL] /= 2;
  ck_assert_near(cost(&f, 0, p, whole).cycles[0], pixels[_i].slower * cycles);
  ck_assert_int_eq(hs_cost_class(&f.sys, f.graph, f.graph->ops, p) == HS_CLASS_MATMUL, pixels[_i].slower > 1);
  fixture_free(&f);
}
END_TEST

static void fill(TCase *t)
{
  tcase_add_test(t, groups_are_written_out);
  tcase_add_test(t, rows_of_groups);
  tcase_add_loop_test(t, groups_of_whole_slices, 0, sizeof groups_of / sizeof *groups_of);
  tcase_add_test(t, tensors_stay_on_the_accelerator);
  tcase_add_test(t, weights_bound_a_fully_connected_operator);
  tcase_add_test(t, packing_and_start);
  tcase_add_test(t, windows_on_one_core);
  tcase_add_loop_test(t, columns_are_packed, 0, 2);
  tcase_add_loop_test(t, weights_are_packed, 0, 4);
  tcase_add_loop_test(t, results_in_another_layout, 0, 3);
  tcase_add_test(t, no_other_layout);
  tcase_add_loop_test(t, tensors_are_turned, 0, 14);
  tcase_add_loop_test(t, parts_are_turned, 0, 4);
  tcase_add_loop_test(t, norms_in_blocks, 0, 2);
  tcase_add_loop_test(t, windows_that_pad, 0, 2);
  tcase_add_test(t, windows_only_pad);
  tcase_add_loop_test(t, flat_mean, 0, 10);
  tcase_add_test(t, general_depthwise);
  tcase_add_test(t, one_window);
  tcase_add_test(t, matrix_blocks);
  tcase_add_test(t, grids);
  tcase_add_test(t, threads_take_blocks);
  tcase_add_loop_test(t, cycles_of_an_operator, 0, 2);
  tcase_add_loop_test(t, light_moves, 0, 3);
  tcase_add_test(t, moves_by_pixels);
  tcase_add_test(t, moves_all_parts);
  tcase_add_test(t, light_operators_fuse);
  tcase_add_loop_test(t, linked_to_what_is_computed_last, 0, sizeof sides / sizeof *sides);
  tcase_add_loop_test(t, convolution_of_one_pixel, 0, sizeof pixels / sizeof *pixels);
  tcase_add_loop_test(t, reshapes_to_the_same_image, 0, sizeof reshapes / sizeof *reshapes);
  tcase_add_test(t, memory_bound);
  tcase_add_test(t, blocks_read_again);
  tcase_add_test(t, compute_bound_and_frequency);
  tcase_add_test(t, padding_and_reduction);
  tcase_add_test(t, dense_depthwise);
  tcase_add_test(t, slice_bytes);
  tcase_add_test(t, depthwise_of_other_windows);
  tcase_add_test(t, each_result_of_a_split);
  tcase_add_test(t, threads_are_woken);
  tcase_add_test(t, parts);
  tcase_add_test(t, parts_of_padding);
  tcase_add_test(t, parts_by_channel);
  tcase_add_test(t, borders);
  tcase_add_test(t, power);
  tcase_add_test(t, a_gpu_waits_for_its_host);
  tcase_add_test(t, threads_over_unequal_cores);
  tcase_add_test(t, winograd);
  tcase_add_test(t, winograd_of_several_images);
  tcase_add_test(t, direct);
  tcase_add_test(t, blocks_and_waves);
  tcase_add_test(t, work_groups);
  tcase_add_test(t, cache_lines);
  tcase_add_test(t, cache_lines_of_parts);
  tcase_add_test(t, no_cache_lines);
  tcase_add_test(t, one_column);
}

int main(void) { return hs_test_main("cost", fill); }
