/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What GPUs' kernels do beside their MACs: work items, waves, groups that share a cache, lines of it, moves. Numbers are worked out by hand. */
#include "tests/model/costs.h"

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
  make(&f, "[1,10,10,8]", "'op': 'ConvTranspose', 'channels': 8, 'kernel': [2,2], 'stride': [2,2], 'pad': 'same'", 0, 4, 0); /* is none of these kernels */
  double alone = cost(&f, 0, 1, whole).cycles[0];
  own_kernel(&f, 1, &k)->group = (struct hs_work_group){8, 3, 0, 0};
  ck_assert_near(cost(&f, 0, 1, whole).cycles[0], alone);
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
  under(&f, "tflite");
  ck_assert_near(cost(&f, 0, 1, whole).cycles[0], 100.0);
  own_kernel(&f, 1, &k)->move_half_pixels = 100;
  struct hs_work w = cost(&f, 0, 1, whole);
  double rate = k.efficiency[HS_CLASS_MOVE] * f.sys.soc->processors[1].domains[0].macs_per_cycle[f.sys.backends[1].precision];
  ck_assert_near(w.cycles[0], 100 + 2 * 1600 / rate);
  under(&f, "mace"); /* of which nobody knows that it joins by pixels: 400 slices */
  ck_assert_near(cost(&f, 0, 1, whole).cycles[0], 100 + 1600 * (400 + 100) / 400. / rate);
  fixture_free(&f);
}
END_TEST

/* Others have a thread for each slice of four channels: 100 pixels of two slices are 200, and so are one of 800; few channels are one slice. */
START_TEST(moves_by_slices)
{
  static const struct {
    const char *op;
    double threads;
  } cases[] = {{"'op': 'Reshape', 'shape': [1, 100, 1, 8]", 200}, {"'op': 'Reshape', 'shape': [1, 800]", 200}, {"'op': 'Reshape', 'shape': [1, 20, 20, 2]", 400},
               {"'op': 'Pad', 'pads': [[0,0],[0,10],[0,0],[0,0]]", 400}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct fixture f;
    struct hs_kernel k;
    struct hs_settings s = on_mace();
    char op[120];
    fixture_make(&f, NULL, fixture_profile(100, 1, 0, 0), &s);
    snprintf(op, sizeof op, "{'name': 'o', 'inputs': ['x'], %s}", cases[i].op);
    fixture_graph(&f, "[1,10,10,8]", op, "'o'");
    under(&f, "tflite");
    own_kernel(&f, 1, &k)->move_half_pixels = 100;
    double rate = k.efficiency[HS_CLASS_MOVE] * f.sys.soc->processors[1].domains[0].macs_per_cycle[f.sys.backends[1].precision];
    double made = (double)hs_op_output_elements(f.graph, &f.graph->ops[0]);
    ck_assert_near(cost(&f, 0, 1, whole).cycles[0], 100 + made * (cases[i].threads + 100) / cases[i].threads / rate);
    fixture_free(&f);
  }
}
END_TEST

/* Five of ten rows with two more of border: 7 · 10 pixels of 16 channels. */
START_TEST(moves_a_border)
{
  struct fixture f;
  struct hs_kernel k;
  struct hs_work w;
  struct hs_settings s = on_mace();
  fixture_make(&f, NULL, fixture_profile(100, 1, 0, 0), &s);
  fixture_graph(&f, "[1,10,10,8]", "{'name': 'o', 'inputs': ['x', 'x'], 'op': 'Concat', 'axis': 3}", "'o'");
  under(&f, "tflite");
  own_kernel(&f, 1, &k)->move_half_pixels = 100;
  double rate = k.efficiency[HS_CLASS_MOVE] * f.sys.soc->processors[1].domains[0].macs_per_cycle[f.sys.backends[1].precision];
  hs_cost_exec_bordered(&f.sys, f.graph, &f.graph->ops[0], 1, (struct hs_range){HS_SPLIT_HEIGHT, 0, 5}, (struct hs_border){2, 0}, false, &w);
  ck_assert_near(w.cycles[0], 100 + 1120 * (70 + 100) / 70. / rate);
  fixture_free(&f);
}
END_TEST

/* A Split makes all that it reads, by channels or by rows, whichever part comes first: 800 elements at half the rate. */
START_TEST(moves_all_parts)
{
  static const struct {
    int axis;
    const char *sizes, *more;
  } parts[] = {{3, "2, 6", ", 'p'"}, {3, "6, 2", ", 'p'"}, {3, "8", ""}, {1, "1, 9", ", 'p'"}, {1, "9, 1", ", 'p'"}, {2, "2, 3, 5", ", 'p', 'q'"}};
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
    struct fixture f;
    struct hs_kernel k;
    struct hs_settings s = on_mace();
    char op[200];
    fixture_make(&f, NULL, fixture_profile(100, 1, 0, 0), &s);
    snprintf(op, sizeof op, "{'name': 's', 'inputs': ['x'], 'op': 'Split', 'axis': %d, 'sizes': [%s], 'outputs': ['o'%s]}", parts[i].axis,
             parts[i].sizes, parts[i].more);
    fixture_graph(&f, "[1,10,10,8]", op, "'o'");
    under(&f, "tflite");
    own_kernel(&f, 1, &k)->move_half_pixels = 100;
    double rate = k.efficiency[HS_CLASS_MOVE] * f.sys.soc->processors[1].domains[0].macs_per_cycle[f.sys.backends[1].precision];
    ck_assert_near(cost(&f, 0, 1, whole).cycles[0], 100 + 2 * 800 / rate);
    fixture_free(&f);
  }
}
END_TEST

static void fill(TCase *t)
{
  tcase_add_test(t, moves_by_pixels);
  tcase_add_test(t, moves_by_slices);
  tcase_add_test(t, moves_a_border);
  tcase_add_test(t, moves_all_parts);
  tcase_add_test(t, blocks_and_waves);
  tcase_add_test(t, work_groups);
  tcase_add_test(t, cache_lines);
  tcase_add_test(t, cache_lines_of_parts);
  tcase_add_test(t, no_cache_lines);
}

int main(void) { return hs_test_main("cost_gpu", fill); }
