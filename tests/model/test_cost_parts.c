/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What parts of an operator cost and read: rows, channels, their borders, and groups that are written out. Numbers are worked out by hand. */
#include "tests/model/costs.h"

/* Conv 1×1 with two groups on 1×10×10×6 → 6 channels, in float, where groups of whole slices of four have a kernel only: a Split and a Concat, which
 * compute nothing, two convolutions of 100·3·3 = 900 MAC at 4 a cycle, 100 cycles of host for each of the four, and 25 for each result of the Split:
 * 900. Bytes: 1200·4 each of the two that move, (300 + 300 + 12)·4 each of the convolutions. Half the rows: all but the 450 by half. Channels
 * 0 to 2: all of the Split, one convolution, half of the Concat. Rows of groups: channels read, written, groups, and whether they are written out. */
static const struct {
  int in, out, group;
  bool written_out;
} groups_of[] = {{6, 6, 2, true}, {8, 8, 2, false}, {8, 4, 2, true}, {4, 8, 2, true}, {6, 6, 1, false}, {6, 6, 6, false},
                 {24, 12, 3, false}, {192, 192, 64, true}, {130, 65, 65, true}};

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
  ck_assert_near(w.hosted, 400 + 2 * 25.0); /* who makes parts of a tensor is the host, too */
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
    hs_cost_exec_bordered(&f.sys, f.graph, f.graph->ops, 1, rows, (struct hs_border){1, 1}, false, &w);
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

/* Channels [2,5) of a product of an image and a mask: these of the image, but all of a mask of one channel. Groups aren't cut by channel,
 * channels by themselves are. */
START_TEST(parts_by_channel)
{
  struct fixture f;
  struct hs_settings s = on_mace();
  fixture_make(&f, NULL, fixture_profile(0, 1, 0, 0), &s);
  fixture_graph(&f, "[1,4,4,6]",
                "{'name': 'm', 'op': 'Conv', 'inputs': ['x'], 'channels': 1, 'kernel': [1,1]}, {'name': 'p', 'op': 'Mul', 'inputs': ['x', 'm']}, "
                "{'name': 'g', 'op': 'Conv', 'inputs': ['p'], 'channels': 6, 'kernel': [1,1], 'group': 2}, "
                "{'name': 'd', 'op': 'DepthwiseConv', 'inputs': ['g'], 'kernel': [3,3]}", "'d'");
  struct hs_range image = reads(&f, 1, 0, HS_SPLIT_CHANNEL, 2, 5);
  ck_assert(image.split == HS_SPLIT_CHANNEL && image.begin == 2 && image.end == 5);
  ck_assert_int_eq(reads(&f, 1, 1, HS_SPLIT_CHANNEL, 2, 5).split, HS_SPLIT_NONE);
  ck_assert(!hs_splittable(f.graph, &f.graph->ops[2], HS_SPLIT_CHANNEL));
  ck_assert(hs_splittable(f.graph, &f.graph->ops[3], HS_SPLIT_CHANNEL));
  ck_assert(!hs_splittable(f.graph, &f.graph->ops[3], HS_SPLIT_BATCH)); /* one image */
  fixture_free(&f);
}
END_TEST

/* Rows [1,3) of a product of an image and a gate: these of the image, but the one that a gate has. */
START_TEST(parts_of_a_gate)
{
  struct fixture f;
  struct hs_settings s = on_mace();
  fixture_make(&f, NULL, fixture_profile(0, 1, 0, 0), &s);
  fixture_graph(&f, "[1,4,4,6]", "{'name': 'g', 'op': 'GlobalAveragePool', 'inputs': ['x']}, {'name': 'p', 'op': 'Mul', 'inputs': ['x', 'g']}", "'p'");
  struct hs_range image = reads(&f, 1, 0, HS_SPLIT_HEIGHT, 1, 3);
  ck_assert(image.split == HS_SPLIT_HEIGHT && image.begin == 1 && image.end == 3);
  ck_assert_int_eq(reads(&f, 1, 1, HS_SPLIT_HEIGHT, 1, 3).split, HS_SPLIT_NONE);
  fixture_free(&f);
}
END_TEST

/* Images [1,3) of 4. A first dimension of four isn't one of images in an operand that is broadcast over them, in the second of two matrices, or where a
 * reduction takes the first away and four of the next are left. */
START_TEST(parts_by_image)
{
  static const struct {
    const char *shape, *op;
    int input;
    bool images;
  } cases[] = {
    {"[4,4,4]", "'op': 'Add', 'inputs': ['x', 'x']", 1, true},
    {"[4,4,4]", "'op': 'Add', 'inputs': ['x', 'y']", 0, true},
    {"[4,4,4]", "'op': 'Add', 'inputs': ['x', 'y']", 1, false},
    {"[4,4]", "'op': 'MatMul', 'inputs': ['x', 'x']", 0, true},
    {"[4,4]", "'op': 'MatMul', 'inputs': ['x', 'x']", 1, false},
    {"[4,4,4]", "'op': 'MatMul', 'inputs': ['x', 'x']", 1, true},
    {"[4,4,4]", "'op': 'ReduceMean', 'inputs': ['x'], 'axes': [-1], 'keepdims': false", 0, true},
    {"[4,4,4]", "'op': 'ReduceMean', 'inputs': ['x'], 'axes': [0], 'keepdims': false", 0, false},
    {"[4,4,4]", "'op': 'ArgMax', 'inputs': ['x'], 'axis': 0", 0, false},
    {"[4,4,4]", "'op': 'Gemm', 'inputs': ['x'], 'channels': 3", 0, true},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct fixture f;
    struct hs_settings s = on_mace();
    char ops[300];
    fixture_make(&f, NULL, fixture_profile(0, 1, 0, 0), &s);
    snprintf(ops, sizeof ops, "{'name': 'y', 'op': 'ReduceMax', 'inputs': ['x'], 'axes': [0], 'keepdims': false}, {'name': 'o', %s}", cases[i].op);
    fixture_graph(&f, cases[i].shape, ops, "'y', 'o'");
    ck_assert_msg(hs_splittable(f.graph, &f.graph->ops[1], HS_SPLIT_BATCH), "%s", cases[i].op);
    struct hs_range in = reads(&f, 1, cases[i].input, HS_SPLIT_BATCH, 1, 3);
    ck_assert_msg(cases[i].images ? in.split == HS_SPLIT_BATCH && in.begin == 1 && in.end == 3 : in.split == HS_SPLIT_NONE, "input %d of %s", cases[i].input,
                  cases[i].op);
    fixture_free(&f);
  }
}
END_TEST

/* A chain's next operator is of 3×3 at stride 2 with its padding around 12×10: its rows 4 and 5 of 6 read rows 8 to 11 and one below the
 * last, and all of its 5 columns one beyond the 10. Reading its own border of 1 row and 2 columns takes 2 more of each per row and column.
 * Of 4 rows of 10 columns the work is 5·11 then, of tensors and of MACs, also of those whose blocks are read again; cut by channel there is
 * none. */
START_TEST(borders)
{
  struct fixture f;
  struct hs_kernel k;
  struct hs_work w;
  make(&f, "[1,12,10,6]", "'op': 'Conv', 'channels': 9, 'kernel': [3,3], 'stride': [2,2], 'pad': 'same'", 0, 1, 0);
  const struct hs_operator *op = &f.graph->ops[0];
  struct hs_range own = {HS_SPLIT_HEIGHT, 8, 12}, reads = {HS_SPLIT_HEIGHT, 4, 6};
  struct hs_border b = hs_border_for(f.graph, op, reads, (struct hs_border){0, 0}, own);
  struct hs_border more = hs_border_for(f.graph, op, reads, (struct hs_border){1, 2}, own);
  ck_assert_int_eq(b.rows, 1);
  ck_assert_int_eq(b.columns, 1);
  ck_assert_int_eq(more.rows, 3);
  ck_assert_int_eq(more.columns, 5);
  more = hs_border_for(f.graph, op, (struct hs_range){HS_SPLIT_CHANNEL, 0, 3}, (struct hs_border){0, 0}, (struct hs_range){HS_SPLIT_CHANNEL, 0, 3});
  ck_assert_int_eq(more.rows + more.columns, 0);
  fixture_free(&f);
  /* rows 4 and 5 of 3×5, apart by 2 and 3 and at strides 1 and 2, read 6 where 3 are its own, and all 5 columns 21 of 10 */
  make(&f, "[1,12,10,6]", "'op': 'Conv', 'channels': 9, 'kernel': [3,5], 'stride': [1,2], 'dilation': [2,3], 'pad': 'same'", 0, 1, 0);
  more = hs_border_for(f.graph, f.graph->ops, reads, (struct hs_border){0, 0}, (struct hs_range){HS_SPLIT_HEIGHT, 3, 6});
  ck_assert_int_eq(more.rows, 3);
  ck_assert_int_eq(more.columns, 11);
  fixture_free(&f);
  make(&f, "[1,12,10,6]", "'op': 'Conv', 'channels': 9, 'kernel': [1,1]", 0, 1, 0);
  struct hs_work plain = cost(&f, 0, 0, own);
  hs_cost_exec_bordered(&f.sys, f.graph, &f.graph->ops[0], 0, own, b, false, &w);
  ck_assert_near(w.cycles[0], plain.cycles[0] * 5 * 11 / (4 * 10));
  ck_assert_near(w.bytes, 4.0 * (5 * 11 * (6 + 9) + 6 * 9 + 9));
  own_kernel(&f, 0, &k)->refetch[HS_CLASS_CONV_1X1] = 0.5;
  hs_cost_exec_bordered(&f.sys, f.graph, &f.graph->ops[0], 0, own, b, false, &w);
  ck_assert_near(w.bytes, 4.0 * (5 * 11 * (6 + 9) + 6 * 9 + 9 + 0.5 * 5 * 11 * 6 * 9));
  fixture_free(&f);
  make(&f, "[2,12,10,6]", "'op': 'Conv', 'channels': 9, 'kernel': [1,1]", 0, 1, 0); /* two images have it each: 110 pixels */
  hs_cost_exec_bordered(&f.sys, f.graph, &f.graph->ops[0], 0, own, b, false, &w);
  double before = w.cycles[0];
  own_kernel(&f, 0, &k)->columns_half = 110;
  hs_cost_exec_bordered(&f.sys, f.graph, &f.graph->ops[0], 0, own, b, false, &w);
  ck_assert_near(w.cycles[0], 2 * before);
  fixture_free(&f);
}
END_TEST

/* A pooling in a chain has the border, too: 3×3 over rows 8 to 11 of 10 columns and 6 channels are 2160 elementary operations at 4 a cycle, 5·11 of 4·10
 * times as many with a row and a column more. */
START_TEST(borders_of_poolings)
{
  struct fixture f;
  struct hs_work w;
  const struct hs_range own = {HS_SPLIT_HEIGHT, 8, 12};
  make(&f, "[1,12,10,6]", "'op': 'MaxPool', 'kernel': [3,3], 'stride': [1,1], 'pad': 'same'", 0, 1, 0);
  ck_assert_near(cost(&f, 0, 0, own).cycles[0], 540.0);
  hs_cost_exec_bordered(&f.sys, f.graph, &f.graph->ops[0], 0, own, (struct hs_border){1, 1}, false, &w);
  ck_assert_near(w.cycles[0], 540.0 * 5 * 11 / (4 * 10));
  fixture_free(&f);
}
END_TEST

/* What a part makes around its own rows and columns is packed, laid out and clamped as these are: 5·11 pixels of 6 channels read and 9
 * made, where it has 4·10 of its own. Of channels 0 to 3 a third is laid out and clamped, and all packed. Five instructions of an
 * activation are 5/8 of a cycle for each output. */
START_TEST(beside_products)
{
  static const struct {
    struct hs_range range;
    struct hs_border border;
    double pixels, made;
  } parts_of[] = {{{HS_SPLIT_NONE, 0, 1}, {0, 0}, 120, 120 * 9}, {{HS_SPLIT_HEIGHT, 8, 12}, {0, 0}, 40, 40 * 9}, {{HS_SPLIT_HEIGHT, 8, 12}, {1, 1}, 55, 55 * 9},
                  {{HS_SPLIT_CHANNEL, 0, 3}, {0, 0}, 120, 120 * 3}};
  for (size_t i = 0; i < sizeof parts_of / sizeof *parts_of; i++) {
    struct fixture f;
    struct hs_kernel k;
    struct hs_work before, packed, laid, joined;
    make(&f, "[1,12,10,6]", "'op': 'Conv', 'channels': 9, 'kernel': [1,1]", 0, 1, 0);
    struct hs_operator *op = &f.graph->ops[0];
    struct hs_runtime runtime = *f.sys.runtime;
    runtime.dense_fused = (struct hs_epilogue){HS_OP_HARD_SWISH, 5};
    f.sys.runtime = &runtime;
    own_kernel(&f, 0, &k);
    hs_cost_exec_bordered(&f.sys, f.graph, op, 0, parts_of[i].range, parts_of[i].border, false, &before);
    k.pack_cycles_per_byte = 2;
    hs_cost_exec_bordered(&f.sys, f.graph, op, 0, parts_of[i].range, parts_of[i].border, false, &packed);
    ck_assert_near(packed.cycles[0] - before.cycles[0], 2 * 4 * 6 * parts_of[i].pixels);
    k.pack_cycles_per_byte = 0;
    k.layout_cycles_per_byte = 3;
    hs_cost_exec_bordered(&f.sys, f.graph, op, 0, parts_of[i].range, parts_of[i].border, false, &laid);
    ck_assert_near(laid.cycles[0] - before.cycles[0], 3 * 4 * parts_of[i].made);
    k.layout_cycles_per_byte = 0;
    op->fused[op->n_fused++] = HS_OP_HARD_SWISH;
    hs_cost_exec_bordered(&f.sys, f.graph, op, 0, parts_of[i].range, parts_of[i].border, false, &joined);
    ck_assert_near(joined.cycles[0] - before.cycles[0], 5. / 8 * parts_of[i].made);
    fixture_free(&f);
  }
}
END_TEST

/* Of a core whose floats the file has no rate of, an activation of 8 bits is computed as if in 8 bits: 5/16 of a cycle for each output, not 5/8, nor for
 * ever. */
START_TEST(beside_products_in_int8)
{
  for (int floats = 0; floats <= 8; floats += 8) {
    struct fixture f;
    struct hs_work before, joined;
    make(&f, "[1,12,10,6]", "'op': 'Conv', 'channels': 9, 'kernel': [1,1]", 0, 1, 0);
    struct hs_operator *op = &f.graph->ops[0];
    struct hs_runtime runtime = *f.sys.runtime;
    double *macs = f.soc->processors[0].domains[0].macs_per_cycle;
    runtime.dense_fused = (struct hs_epilogue){HS_OP_HARD_SWISH, 5};
    f.sys.runtime = &runtime;
    f.sys.backends[0].precision = HS_INT8;
    macs[HS_FP32] = floats;
    macs[HS_INT8] = 16;
    before = cost(&f, 0, 0, whole);
    op->fused[op->n_fused++] = HS_OP_HARD_SWISH;
    joined = cost(&f, 0, 0, whole);
    ck_assert_near(joined.cycles[0] - before.cycles[0], (floats > 0 ? 5. / 8 : 5. / 16) * 120 * 9);
    fixture_free(&f);
  }
}
END_TEST

static void fill(TCase *t)
{
  tcase_add_test(t, groups_are_written_out);
  tcase_add_test(t, rows_of_groups);
  tcase_add_loop_test(t, groups_of_whole_slices, 0, sizeof groups_of / sizeof *groups_of);
  tcase_add_test(t, parts);
  tcase_add_test(t, parts_of_padding);
  tcase_add_test(t, parts_by_channel);
  tcase_add_test(t, parts_of_a_gate);
  tcase_add_test(t, parts_by_image);
  tcase_add_test(t, borders);
  tcase_add_test(t, borders_of_poolings);
  tcase_add_test(t, beside_products);
  tcase_add_test(t, beside_products_in_int8);
}

int main(void) { return hs_test_main("cost_parts", fill); }
