/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The memory that a program needs at its peak, and that a runtime needs which keeps each operator's own. */
#include "tests/model/two_convs.h"

#include "input/op_work.h"
#include "model/products.h"
#include "plan/separate.h"

static double peak_of(const struct fixture *f, const struct hs_placement *pl)
{
  struct hs_program *p = NULL;
  struct hs_error err;
  hs_test_accepted(hs_lower(&f->sys, f->graph, pl, &p, &err), &err);
  double bytes = p->peak_memory_bytes;
  hs_program_free(p);
  return bytes;
}

/* Weights and live tensors, by hand: conv a (36·8 + 8 = 296 weights), conv o (72·8 + 8 = 584). When o runs: a and o live, x is gone:
 * (880 + 800 + 800)·4 bytes; when a runs: x and a: (296 + 400 + 800)·4. */
START_TEST(peak_memory)
{
  struct fixture f;
  struct hs_program *p = NULL;
  struct hs_error err;
  make(&f, "[1,10,10,4]", TWO_CONVS, "'o'", HS_BUFFER);
  struct hs_placement *pl = fixture_place_all(&f, 0);
  ck_assert_near(peak_of(&f, pl), 4.0 * (880 + 800 + 800));
  f.soc->memory.capacity_bytes = 9919; /* one byte short */
  ck_assert_int_eq(hs_lower(&f.sys, f.graph, pl, &p, &err), HS_INPUT);
  ck_assert(strstr(err.text, "n needs 9.92 kB of memory (weights and live tensors) under runtime mace, x has 9.92 kB") != NULL);
  fixture_free(&f);
}
END_TEST

static double kept_weights(const struct fixture *f, const struct hs_operator *op, struct hs_range range)
{
  struct hs_portion cpu = hs_portion_of(&f->sys, f->graph, op, 0, range, (struct hs_border){0, 0});
  return hs_products_kept_weights(&cpu);
}

/* By Winograd a kernel keeps its filters transformed. a has too few channels for it; o is 10 × 10, so tiles of 2: 16·8·8 elements. Its upper half
 * needs them all; half of its channels is too few, and where it isn't, half of them in tiles of 6. */
START_TEST(peak_memory_of_winograd)
{
  struct fixture f;
  make(&f, "[1,10,10,4]", TWO_CONVS, "'o'", HS_BUFFER);
  struct hs_kernel k = *f.sys.backends[0].kernel;
  k.winograd = (struct hs_winograd){.tile = 6, .small_tile = 2, .above = 16, .channels = 8, .transform_half = 4};
  f.sys.backends[0].kernel = &k;
  struct hs_placement *pl = fixture_place_all(&f, 0);
  ck_assert_near(peak_of(&f, pl), 4.0 * (880 + 1024 + 800 + 800));
  struct hs_runtime runtime = *f.sys.runtime, *before = (struct hs_runtime *)f.sys.runtime;
  runtime.backends[HS_CPU].releases_weights = true;
  f.sys.runtime = &runtime;
  ck_assert_near(peak_of(&f, pl), 4.0 * (296 + 8 + 1024 + 800 + 800));
  f.sys.runtime = before;
  const struct hs_operator *o = &f.graph->ops[1];
  ck_assert_near(kept_weights(&f, o, (struct hs_range){HS_SPLIT_HEIGHT, 0, 5}), 1024);
  ck_assert_near(kept_weights(&f, o, (struct hs_range){HS_SPLIT_CHANNEL, 0, 4}), 0); /* too few */
  k.winograd.channels = 4;
  k.winograd.above = 8;
  ck_assert_near(kept_weights(&f, o, (struct hs_range){HS_SPLIT_CHANNEL, 0, 4}), 64 * 8 * 4);
  fixture_free(&f);
}
END_TEST

/* A kernel that runs depthwise convolutions as dense ones has their filters padded with zeros: 8·9·8 elements and 8 biases, not 8·9 and 8. What is joined to it
 * isn't: a PRelu has 8 slopes, a BatchNormalization 16 numbers. */
START_TEST(peak_memory_of_dense_filters)
{
  struct fixture f;
  make(&f, "[1,10,10,8]", "{'name': 'o', 'op': 'DepthwiseConv', 'inputs': ['x'], 'kernel': [3,3], 'pad': 'same'}", "'o'", HS_BUFFER);
  struct hs_kernel k = *f.sys.backends[0].kernel;
  k.channel_multiple = 8;
  f.sys.backends[0].kernel = &k;
  ck_assert_near(peak_of(&f, fixture_place_all(&f, 0)), 4.0 * (800 + 800 + 72 + 8));
  k.dense_depthwise = true;
  ck_assert_near(peak_of(&f, fixture_place_all(&f, 0)), 4.0 * (800 + 800 + 576 + 8));
  struct hs_operator *op = &f.graph->ops[0];
  op->fused[op->n_fused++] = HS_OP_PRELU;
  op->fused[op->n_fused++] = HS_OP_BATCH_NORMALIZATION;
  hs_op_count_work(f.graph, op);
  ck_assert_near(peak_of(&f, fixture_place_all(&f, 0)), 4.0 * (800 + 800 + 576 + 8 + 24));
  k.dense_depthwise = false;
  ck_assert_near(peak_of(&f, fixture_place_all(&f, 0)), 4.0 * (800 + 800 + 72 + 8 + 24));
  fixture_free(&f);
}
END_TEST

/* o, cut by channel for the GPU's memory: while its halves are computed there are a on both sides, as the host gives its copy up only then, all of o with the
 * GPU and half of it with the CPU: 3200 · 3 + 1600 bytes. Weights: 4·8·9 + 8 + 8·8·9 + 8, four bytes each. */
START_TEST(peak_memory_of_a_cut_result)
{
  struct fixture f;
  make(&f, "[1,10,10,4]", TWO_CONVS, "'o'", HS_BUFFER);
  struct hs_placement *pl = fixture_place_all(&f, 1);
  halve(&pl->ops[1], HS_SPLIT_CHANNEL, 1, -1);
  ck_assert_near(peak_of(&f, pl), 3200 * 3 + 1600 + 4.0 * (4 * 8 * 9 + 8 + 8 * 8 * 9 + 8));
  fixture_free(&f);
}
END_TEST

/* Parts by channel share an operator's weights out, of parts by height each has all: with 100 more these are 400 bytes more, or 800. */
START_TEST(peak_memory_of_parts)
{
  static const enum hs_split splits[] = {HS_SPLIT_CHANNEL, HS_SPLIT_HEIGHT};
  struct fixture f;
  make(&f, "[1,10,10,4]", TWO_CONVS, "'o'", HS_BUFFER);
  struct hs_placement *pl = fixture_place_all(&f, 0);
  for (int i = 0; i < 2; i++) {
    double bytes[2];
    halve(&pl->ops[1], splits[i], 0, -1);
    for (int more = 0; more < 2; more++) {
      f.graph->ops[1].params += more ? 100 : 0;
      bytes[more] = peak_of(&f, pl);
    }
    ck_assert_near(bytes[1] - bytes[0], splits[i] == HS_SPLIT_CHANNEL ? 400.0 : 800.0);
  }
  fixture_free(&f);
}
END_TEST

/* As above, each operator by itself: a 296 + 400 + 800, o 584 + 800 + 800 elements. Cut by height, 8 of a's 10 rows on the GPU, where it
 * ends, the CPU needs all weights of it once more, 3 rows of x and 2 of its own; o by channel, 4 of 8: half the weights (288 + 4), all of
 * a, half of itself. Of each the larger. */
START_TEST(separate_memory)
{
  struct fixture f;
  make(&f, "[1,10,10,4]", TWO_CONVS, "'o'", HS_BUFFER);
  struct hs_placement *pl = fixture_place_all(&f, 1);
  ck_assert_near(hs_separate_bytes(&f.sys, f.graph, pl), 4.0 * (1496 + 2184));
  pl->ops[0] = (struct hs_op_placement){.split = HS_SPLIT_HEIGHT, .n_parts = 2, .parts = {{1, 0.8, -1}, {0, 0.2, -1}}, .home = 1, .chain = -1};
  ck_assert_near(hs_separate_bytes(&f.sys, f.graph, pl), 4.0 * (1496 + 2184 + 296 + 3 * 40 + 2 * 80));
  halve(&pl->ops[1], HS_SPLIT_CHANNEL, 1, -1);
  ck_assert_near(hs_separate_bytes(&f.sys, f.graph, pl), 4.0 * (1496 + 2184 + 296 + 292 + 800 + 400));
  hs_place_whole(&pl->ops[1], 0); /* on the CPU, for the GPU: no weights twice */
  pl->ops[1].home = 1;
  ck_assert_near(hs_separate_bytes(&f.sys, f.graph, pl), 4.0 * (1496 + 2184 + 296 + 800 + 800));
  hs_place_whole(&pl->ops[0], 0); /* the first reads and writes more than the part of o that comes after it: 3 rows of a and 2 of its own */
  pl->ops[0].home = 1;
  pl->ops[1] = (struct hs_op_placement){.split = HS_SPLIT_HEIGHT, .n_parts = 2, .parts = {{1, 0.8, -1}, {0, 0.2, -1}}, .home = 1, .chain = -1};
  ck_assert_near(hs_separate_bytes(&f.sys, f.graph, pl), 4.0 * (1496 + 2184 + 584 + 400 + 800));
  fixture_free(&f);
}
END_TEST

/* What is joined to another's kernel has no memory of its own: r is written in place of a (1·10·10·8 elements), and nobody writes what p pads, 12·12·8, so
 * that s stays until m is done. Conv a has 16 weights, o 9. x is 100 elements on the host and 100 on the GPU: beside both a kernel makes 800. Without that: a
 * and r, 1600; s and p, p and m, 1952. */
static const struct {
  const char *ops;
  double joined, alone; /* at the peak */
  double lies;          /* elements that lie on the GPU over all operators, where they are joined */
} joins[] = {
  {"{'name': 'a', 'inputs': ['x'], 'op': 'Conv', 'channels': 8, 'kernel': [1,1]}, {'name': 'r', 'inputs': ['a'], 'op': 'Sigmoid'}, "
   "{'name': 'o', 'inputs': ['r'], 'op': 'Conv', 'channels': 1, 'kernel': [1,1]}", 16 + 9 + 1000, 16 + 9 + 1600, 100 + 800 + 100},
  {"{'name': 's', 'inputs': ['x'], 'op': 'Conv', 'channels': 8, 'kernel': [1,1]}, {'name': 'p', 'inputs': ['s'], 'op': 'Pad', 'pads': [[0,0],[1,1],[1,1],[0,0]]}, "
   "{'name': 'm', 'inputs': ['p'], 'op': 'MaxPool', 'kernel': [3,3], 'pad': 'valid'}, {'name': 'o', 'inputs': ['m'], 'op': 'Conv', 'channels': 1, 'kernel': [1,1]}",
   16 + 9 + 1600, 16 + 9 + 1952, 100 + 800 + 800 + 100},
  /* a row of a row of features: the memory of g, which q reads, too, and r is written in; t doesn't see g's any more */
  {"{'name': 'g', 'inputs': ['x'], 'op': 'Conv', 'channels': 800, 'kernel': [10,10], 'pad': 'valid', 'bias': false}, "
   "{'name': 'v', 'inputs': ['g'], 'op': 'Reshape', 'shape': [1, 800]}, {'name': 'w', 'inputs': ['v'], 'op': 'Reshape', 'shape': [1, 1, 1, 800]}, "
   "{'name': 'q', 'inputs': ['g'], 'op': 'Conv', 'channels': 2, 'kernel': [1,1], 'bias': false}, "
   "{'name': 'o', 'inputs': ['w'], 'op': 'Conv', 'channels': 1, 'kernel': [1,1], 'bias': false}", 80000 + 1600 + 800 + 1000, 80000 + 1600 + 800 + 2400,
   100 + 800 + 2 + 1},
};

static double bytes_on_gpu(const struct fixture *f, const struct hs_placement *pl)
{
  struct hs_program *p = NULL;
  struct hs_error err;
  double bytes = 0;
  hs_test_accepted(hs_lower(&f->sys, f->graph, pl, &p, &err), &err);
  for (int i = 0; i < p->n_buffers; i++) bytes += p->buffers[i].place == 1 ? p->buffers[i].bytes : 0;
  hs_program_free(p);
  return bytes;
}

START_TEST(peak_memory_of_joined)
{
  struct fixture f;
  make(&f, "[1,10,10,1]", joins[_i].ops, _i == 2 ? "'q', 'o'" : "'o'", HS_BUFFER);
  struct hs_kernel k = *f.sys.backends[1].kernel;
  f.sys.backends[1].kernel = &k;
  struct hs_placement *pl = fixture_place_all(&f, 1);
  ck_assert_near(peak_of(&f, pl), 4 * joins[_i].alone);
  k.fuses_light = true;
  ck_assert_near(peak_of(&f, pl), 4 * joins[_i].joined);
  ck_assert_near(bytes_on_gpu(&f, pl), 4 * joins[_i].lies);
  fixture_free(&f);
}
END_TEST

/* Of groups that are written out each keeps its own filters transformed: 2·16·8·8 elements beside 2·9·8·8 and 16 biases; half of the channels is one group. */
START_TEST(peak_memory_of_groups)
{
  struct fixture f;
  make(&f, "[1,10,10,16]", "{'name': 'o', 'inputs': ['x'], 'op': 'Conv', 'channels': 16, 'kernel': [3,3], 'group': 2, 'pad': 'same'}", "'o'", HS_BUFFER);
  struct hs_kernel k = *f.sys.backends[0].kernel;
  k.winograd = (struct hs_winograd){.tile = 6, .small_tile = 2, .above = 16, .channels = 8, .transform_half = 4};
  f.sys.backends[0].kernel = &k;
  struct hs_placement *pl = fixture_place_all(&f, 0);
  ck_assert_near(peak_of(&f, pl), 4.0 * (1152 + 16 + 1600 + 1600));
  struct hs_runtime runtime = *f.sys.runtime;
  runtime.backends[HS_CPU].group_slice = 1 << 20;
  f.sys.runtime = &runtime;
  ck_assert_near(peak_of(&f, pl), 4.0 * (1152 + 16 + 2048 + 1600 + 1600));
  ck_assert_near(hs_cost_kept_weights(&f.sys, f.graph, f.graph->ops, 0, (struct hs_range){HS_SPLIT_CHANNEL, 0, 8}), 1024);
  fixture_free(&f);
}
END_TEST

static void fill(TCase *t)
{
  tcase_add_test(t, peak_memory);
  tcase_add_test(t, peak_memory_of_winograd);
  tcase_add_test(t, peak_memory_of_dense_filters);
  tcase_add_test(t, peak_memory_of_a_cut_result);
  tcase_add_test(t, peak_memory_of_parts);
  tcase_add_loop_test(t, peak_memory_of_joined, 0, (int)(sizeof joins / sizeof *joins));
  tcase_add_test(t, peak_memory_of_groups);
  tcase_add_test(t, separate_memory);
}

int main(void) { return hs_test_main("lower_memory", fill); }
