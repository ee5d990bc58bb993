/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Work, power and sharing on the phone of rig.h, derived by hand from its numbers:
 *   cpu 3 × mid (8 MAC/cycle, 1.6 GHz, 2.5 GB/s) + 1 × big (16, 2.5 GHz, 6 GB/s), 9 GB/s; 4 threads, serial 0.1,
 *       overhead 7000, multiple 4, reduction half 24, traffic 1.3, power 0.9, fp32
 *   gpu 96 MAC/cycle, 585 MHz, 11 GB/s; images: overhead 2000, multiple 4, half 6, traffic 0.8, power 1.1, fp32
 *   saturation (8, 0.2) (12, 0.7) (14, 1.1); efficiencies in RIG_EFFICIENCY */
#include "base/random.h"
#include "tests/model/rig.h"

static const struct hs_range all = {HS_SPLIT_NONE, 0, 1};

static struct hs_work cost(const struct rig *r, int op, int p, struct hs_range range)
{
  struct hs_work w;
  hs_cost_exec(&r->sys, r->graph, &r->graph->ops[op], p, range, &w);
  return w;
}

/* Slow ones come first. In quarters a slow core has one and has reserved another before the fast one is free, which has two, too; in eighths the fast one has
 * six. Too few for all: the last has them. Three alike have two quarters at most, and one that begins late two of four less than the other. */
START_TEST(pieces_are_reserved_one_ahead)
{
  static const struct {
    struct hs_taker takers[3];
    int n, pieces;
    double end_s;
  } cases[] = {{{{0, 0.25}, {0, 1}}, 2, 4, 2},          {{{0, 0.25}, {0, 1}}, 2, 8, 1},  {{{0, 0.25}, {0, 1}}, 2, 1, 1},  {{{0, 0.25}, {0, 1}}, 2, 0, 0.8},
               {{{0, 1}, {0, 1}, {0, 1}}, 3, 4, 0.5},   {{{1, 1}, {0, 1}}, 2, 4, 1.25},  {{{3, 1}, {0, 1}}, 2, 0, 1},     {{{0, 2}}, 1, 3, 0.5}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) DERIVE("end", hs_takers_pieces_end_s(cases[i].takers, cases[i].n, cases[i].pieces), cases[i].end_s);
}
END_TEST

/* As if all pieces were handed out one by one. */
START_TEST(many_pieces_as_one_by_one)
{
  struct hs_random *random = hs_random_new(7, "takers");
  for (int times = 0; times < 2000; times++) {
    struct hs_taker takers[8];
    int n = 1 + (int)(8 * hs_random_uniform(random)), pieces = 1 + (int)(300 * hs_random_uniform(random));
    double starts_s[8], end_s = 0;
    for (int i = 0; i < n; i++) {
      takers[i] = (struct hs_taker){times % 2 ? 0.2 * hs_random_uniform(random) : 0, 0.1 + hs_random_uniform(random)};
      starts_s[i] = takers[i].begins_s;
    }
    for (int k = n; k < pieces; k++) {
      int next = n - 1;
      for (int i = n - 1; i >= 0; i--)
        if (starts_s[i] < starts_s[next]) next = i;
      starts_s[next] += 1 / (pieces * takers[next].per_second);
    }
    for (int i = n > pieces ? n - pieces : 0; i < n; i++) end_s = fmax(end_s, starts_s[i] + 1 / (pieces * takers[i].per_second));
    ck_assert_double_eq_tol(hs_takers_pieces_end_s(takers, n, pieces), end_s, 1e-12 * (1 + end_s));
  }
  hs_random_free(random);
}
END_TEST

static void open_threads(struct rig *r, int n)
{
  struct hs_error err;
  struct hs_settings s = rig_settings("mace");
  s.threads = n;
  hs_test_accepted(rig_try(r, RIG_PHONE("2e9"), NULL, RIG_MACE, &s, &err), &err);
}

/* 1x20x30x5 → 6 channels, 3x3 same: 20·30·9·5·6 = 162 000 MACs; padded to 8 → 8 channels 20·30·9·8·8 = 345 600;
 * depth 9·5 = 45; size 20·30·8 = 4800, ln 4800 = 8.476 between knots 8 and 12; weights 9·5·6 + 6 = 276. */
#define NET_CONV RIG_NET(RIG_IN("image", "1, 20, 30, 5"), "'c'", RIG_OP("c", "Conv", "'image'", ", 'channels': 6, 'kernel': [3, 3], 'pad': 'same'"))

/* n threads of the 4 cores: the fastest core first. */
START_TEST(convolution_on_unequal_cores)
{
  for (int n = 1; n <= 4; n++) {
    struct rig r;
    open_threads(&r, n);
    rig_read_network(&r, NET_CONV);
    struct hs_work w = cost(&r, 0, CPU, all);
    double alone = 345600. / 1.6 / (0.2 + (log(4800) - 8) / 4 * 0.5) * (45 + 24) / 45;
    ck_assert_int_eq(w.cores[0], n - 1);
    ck_assert_int_eq(w.cores[1], 1);
    DERIVE("of the caller, cycles", w.caller, 7000 + 0.1 * alone / 16);
    DERIVE("cycles of the big core", w.cycles[1], 7000 + (0.1 + 0.9 / n) * alone / 16);
    DERIVE("cycles of a mid core, which waits for the caller on the big one", w.cycles[0], (7000 + 0.1 * alone / 16) * 1.6 / 2.5 + 0.9 / n * alone / 8);
    DERIVE("seconds: the mid cores are last", hs_work_seconds(&r.sys, CPU, -1, &w),
           n == 1 ? (7000 + alone / 16) / 2.5e9 : ((7000 + 0.1 * alone / 16) * 1.6 / 2.5 + 0.9 / n * alone / 8) / 1.6e9);
    DERIVE("seconds where the mid cores are slowed: not while they wait", hs_work_cores_s(&r.sys.soc->processors[CPU], &w, (double[]){0.6e9, 2.5e9}),
           n == 1 ? (7000 + alone / 16) / 2.5e9 : (7000 + 0.1 * alone / 16) / 2.5e9 + 0.9 / n * alone / 8 / 0.6e9);
    DERIVE("seconds where the big core is slowed, and they wait for longer", hs_work_cores_s(&r.sys.soc->processors[CPU], &w, (double[]){1.6e9, 2e9}),
           n == 1 ? (7000 + alone / 16) / 2e9 : (7000 + 0.1 * alone / 16) / 2e9 + 0.9 / n * alone / 8 / 1.6e9);
    DERIVE("traffic", w.bytes, 4 * (1.3 * (20 * 30 * 5 + 20 * 30 * 6) + 276));
    rig_close(&r);
  }
}
END_TEST

/* 8 channels of 7 × 7 pixels, depth 64, in blocks that threads take: fewer than 2^15 products are worth one thread, the one that calls, on the big core.
 * The others neither work nor draw power, and what they would take decides nothing; in equal shares all four have some. */
START_TEST(product_too_small_for_two)
{
  static const double blocks[] = {0, 131072};
  struct hs_work w[2][2]; /* of equal shares and of blocks, on one thread and on four */
  for (int b = 0; b < 2; b++)
    for (int four = 0; four < 2; four++) {
      struct rig r;
      open_threads(&r, four ? 4 : 1);
      rig_read_network(&r, RIG_NET(RIG_IN("image", "1, 7, 7, 64"), "'c'", RIG_OP("c", "Conv", "'image'", ", 'channels': 8, 'kernel': [1, 1]")));
      struct hs_kernel k = *r.sys.backends[CPU].kernel;
      k.matrix_block = 8;
      k.block_map_bytes = blocks[b];
      r.sys.backends[CPU].kernel = &k;
      w[b][four] = cost(&r, 0, CPU, all);
      rig_close(&r);
    }
  ck_assert_int_eq(w[0][1].cores[0], 3);
  ck_assert_int_eq(w[1][1].cores[0], 0);
  ck_assert_int_eq(w[1][1].cores[1], 1);
  DERIVE("all of it on the thread that calls", w[1][1].cycles[1], w[1][0].cycles[1]);
}
END_TEST

/* 64 channels of 56 × 56 pixels: 32 blocks of 104 or 96 columns, four for each thread with as many of either. Of these a mid core (12.8 MAC/ns) has 6 and
 * the big one (40) 14; with the mid cores at 0.6 GHz 4 and 20. In equal shares all have 8. */
START_TEST(product_in_blocks_on_unequal_cores)
{
  struct rig r;
  open_threads(&r, 4);
  rig_read_network(&r, RIG_NET(RIG_IN("image", "1, 56, 56, 64"), "'c'", RIG_OP("c", "Conv", "'image'", ", 'channels': 64, 'kernel': [1, 1]")));
  struct hs_kernel k = *r.sys.backends[CPU].kernel;
  k.matrix_block = 8;
  r.sys.backends[CPU].kernel = &k;
  struct hs_work equal = cost(&r, 0, CPU, all);
  k.block_map_bytes = 131072;
  struct hs_work w = cost(&r, 0, CPU, all);
  double waits = equal.caller * 1.6 / 2.5, share = equal.cycles[0] - waits;
  const struct hs_processor *p = &r.sys.soc->processors[CPU];
  ck_assert_int_eq(w.pieces, 32);
  DERIVE("of the caller, as before", w.caller, equal.caller);
  DERIVE("cycles of a mid core", w.cycles[0], waits + share * 6 / 8);
  DERIVE("cycles of the big core, which ends when they do", w.cycles[1], (waits + share * 6 / 8) * 2.5 / 1.6);
  DERIVE("seconds", hs_work_seconds(&r.sys, CPU, -1, &w), (waits + share * 6 / 8) / 1.6e9);
  DERIVE("seconds where the mid cores are slowed", hs_work_cores_s(p, &w, (double[]){0.6e9, 2.5e9}), w.caller / 2.5e9 + share * 4 / 8 / 0.6e9);
  DERIVE("seconds in equal shares there", hs_work_cores_s(p, &equal, (double[]){0.6e9, 2.5e9}), w.caller / 2.5e9 + share / 0.6e9);
  rig_close(&r);
}
END_TEST

/* Bytes per second of n threads: the least of 6 GB/s for the big core and 2.5 for each mid one, 9 of the processor,
 * 13 of the memory. Transpose of 1x80x50x70 = 280 000 elements, 4 bytes, in and out, factor 1.3: 2.912 MB. */
START_TEST(memory_bound)
{
  static const double rate[] = {6e9, 8.5e9, 9e9, 9e9};
  for (int n = 1; n <= 4; n++) {
    struct rig r;
    open_threads(&r, n);
    rig_read_network(&r, RIG_NET(RIG_IN("i", "1, 80, 50, 70"), "'t'", RIG_OP("t", "Transpose", "'i'", ", 'perm': [0, 2, 1, 3]")));
    struct hs_work w = cost(&r, 0, CPU, all);
    DERIVE("transpose: no operations, overhead only", w.cycles[1], 7000);
    DERIVE("transpose: bytes", w.bytes, 1.3 * 4 * 280000 * 2);
    DERIVE("transpose: seconds by bandwidth", hs_work_seconds(&r.sys, CPU, -1, &w), 2.912e6 / rate[n - 1]);
    DERIVE("transpose: the clock doesn't matter", hs_work_seconds(&r.sys, CPU, 0, &w), 2.912e6 / rate[n - 1]);
    const struct hs_soc *soc = r.sys.soc;
    struct hs_soc slow = *soc;
    slow.memory.peak_bytes_per_s = 5e9;
    r.sys.soc = &slow;
    DERIVE("transpose: seconds by a slower memory", hs_work_seconds(&r.sys, CPU, -1, &w), 2.912e6 / 5e9);
    r.sys.soc = soc;
    rig_close(&r);
  }
}
END_TEST

/* Of a table of 4000 x 64 only the 50 rows are read that are copied: 50 numbers, 3200 elements, and 3200 written. */
START_TEST(lookup)
{
  struct rig r;
  rig_open(&r, "mace");
  rig_read_network(&r, RIG_NET(RIG_IN("i", "50"), "'t'", RIG_OP("t", "Gather", "'i'", ", 'rows': 4000, 'channels': 64")));
  struct hs_work w = cost(&r, 0, CPU, all);
  DERIVE("lookup: no operations, overhead only", w.cycles[1], 7000);
  DERIVE("lookup: bytes", w.bytes, 4 * (1.3 * (50 + 3200) + 3200));
  DERIVE("lookup: the whole table is in memory", hs_slice_bytes(&r.sys, r.graph, &r.graph->ops[0], CPU), 4 * (256000 + 3200));
  rig_close(&r);
}
END_TEST

/* What each class counts. Operations of pools and element-wise operators aren't padded, saturated or slowed by depth. */
START_TEST(classes)
{
  struct rig r;
  rig_open(&r, "mace");
  rig_read_network(&r, RIG_NET(
    RIG_IN("i", "2, 15, 21, 10"), "'dw', 'g', 't', 'fc', 'p', 'a', 'm', 's'",
    RIG_OP("dw", "DepthwiseConv", "'i'", ", 'kernel': [5, 3], 'pad': 'same'") ","
    RIG_OP("g", "Conv", "'i'", ", 'channels': 6, 'kernel': [1, 1], 'group': 2") ","
    RIG_OP("t", "ConvTranspose", "'i'", ", 'channels': 7, 'kernel': [2, 2], 'stride': [2, 2], 'pad': 'same'") ","
    RIG_OP("fc", "Gemm", "'i'", ", 'channels': 13") ","
    RIG_OP("p", "MaxPool", "'i'", ", 'kernel': [3, 3], 'stride': [2, 2], 'pad': 'same'") ","
    RIG_OP("a", "Add", "'i', 'dw'", "") ","
    RIG_OP("m", "GlobalAveragePool", "'i'", "") ","
    RIG_OP("s", "Conv", "'i'", ", 'channels': 12, 'kernel': [3, 3], 'stride': [2, 2], 'pad': 'same'")));
  double n = 2 * 15 * 21; /* positions */
  /* channels 10 → 12 once; depth 1·5·3 = 15; size n·12 = 7560 */
  DERIVE("depthwise", cost(&r, 0, GPU, all).cycles[0], 2000 + n * 15 * 12 / 96 / 0.25 / (0.2 + (log(7560) - 8) / 8) * (15 + 6) / 15);
  /* group 2: 5 → 8 in, 3 → 4 out per group; depth 5; size: 6 → 8 channels, n·8 = 5040 */
  DERIVE("grouped 1x1", cost(&r, 1, GPU, all).cycles[0], 2000 + n * 2 * 8 * 4 / 96 / 0.35 / (0.2 + (log(5040) - 8) / 8) * (5 + 6) / 5);
  /* work at the input: n·2·2·10·7 → n·4·12·8; depth 10·2·2; size 2·30·42·8 = 20160 */
  DERIVE("transposed", cost(&r, 2, GPU, all).cycles[0], 2000 + n * 4 * 12 * 8 / 96 / 0.45 / (0.2 + (log(20160) - 8) / 8) * (40 + 6) / 40);
  /* features 15·21·10 = 3150 → 3152, 13 → 16 outputs, batch 2, which takes as long as one: as 1×1 it would be less;
   * size 2·16 = 32: below the first knot */
  DERIVE("fully connected", cost(&r, 3, GPU, all).cycles[0], 2000 + 3152. * 16 / 96 / 0.15 / 0.2 * (3150 + 6) / 3150);
  DERIVE("fully connected, bytes", cost(&r, 3, GPU, all).bytes, 4 * (0.8 * (6300 + 26) + 3150 * 13 + 13));
  DERIVE("pool: 9 operations per output", cost(&r, 4, GPU, all).cycles[0], 2000 + 2. * 8 * 11 * 10 * 9 / 96 / 0.22);
  DERIVE("add: 1 operation per output", cost(&r, 5, GPU, all).cycles[0], 2000 + 6300. / 96 / 0.12);
  DERIVE("add, bytes: two inputs", cost(&r, 5, GPU, all).bytes, 0.8 * 4 * 3 * 6300);
  DERIVE("reduce: 1 operation per input", cost(&r, 6, GPU, all).cycles[0], 2000 + 6300. / 96 / 0.17);
  /* ln(2·8·11·12) = 7.66: below the knots */
  DERIVE("strided 3x3", cost(&r, 7, GPU, all).cycles[0], 2000 + 2. * 8 * 11 * 9 * 12 * 12 / 96 / 0.3 / 0.2 * (90 + 6) / 90);
  /* 300·400·16 = 1.92e6, ln = 14.47: above the last knot */
  rig_read_network(&r, RIG_NET(RIG_IN("i", "1, 300, 400, 4"), "'c'", RIG_OP("c", "Conv", "'i'", ", 'channels': 16, 'kernel': [1, 1]")));
  DERIVE("above the last knot", cost(&r, 0, GPU, all).cycles[0], 2000 + 300. * 400 * 4 * 16 / 96 / 0.8 / 1.1 * (4 + 6) / 4);
  /* 100·100·64 = 640 000, ln = 13.369: between 12 and 14 */
  rig_read_network(&r, RIG_NET(RIG_IN("i", "1, 100, 100, 4"), "'c'", RIG_OP("c", "Conv", "'i'", ", 'channels': 64, 'kernel': [1, 1]")));
  DERIVE("between the last knots", cost(&r, 0, GPU, all).cycles[0],
         2000 + 100. * 100 * 4 * 64 / 96 / 0.8 / (0.7 + (log(640000) - 12) / 2 * 0.4) * (4 + 6) / 4);
  rig_close(&r);
}
END_TEST

/* --- parts --- */

START_TEST(height_part)
{
  struct rig r;
  rig_open(&r, "mace");
  rig_read_network(&r, NET_CONV);
  struct hs_work w = cost(&r, 0, GPU, (struct hs_range){HS_SPLIT_HEIGHT, 7, 12}); /* 5 of 20, reads rows 6…13 */
  DERIVE("5 of 20 rows: cycles", w.cycles[0], 2000 + 345600. / 4 / 96 / 1.6 / 0.2 * (45 + 6) / 45); /* size 5·30·8 = 1200 */
  DERIVE("5 of 20 rows: all weights, 7 rows in", w.bytes, 4 * (0.8 * (7 * 30 * 5 + 5 * 30 * 6) + 276));
  rig_close(&r);
}
END_TEST

/* Rows a window needs: stride·first − pad … stride·last − pad + (kernel − 1)·dilation. */
START_TEST(halo_of_windows)
{
  static const struct {
    const char *attributes;
    int64_t begin, end, in_begin, in_end;
  } cases[] = {
    {"'kernel': [3, 3], 'pad': 'same'", 0, 12, 0, 13},                        /* no halo above the first row */
    {"'kernel': [3, 3], 'pad': 'same'", 12, 40, 11, 40},                      /* nor below the last */
    {"'kernel': [5, 1], 'pad': 'same'", 10, 11, 8, 13},                       /* 2 + 1 + 2 */
    {"'kernel': [3, 3], 'stride': [2, 2], 'pad': 'same'", 4, 6, 8, 13},       /* out 20 of 40: pad top 0; rows 8…10 and 10…12 */
    {"'kernel': [3, 3], 'stride': [2, 2], 'pad': [1, 1, 1, 1]", 4, 6, 7, 12}, /* rows 7…9 and 9…11 */
    {"'kernel': [3, 3], 'dilation': [4, 4], 'pad': 'same'", 10, 12, 6, 16},   /* pad 4; 6…14 and 7…15 */
    {"'kernel': [7, 7], 'stride': [3, 3]", 0, 2, 0, 10},                      /* 0…6 and 3…9 */
    {"'kernel': [1, 1], 'stride': [4, 4]", 3, 5, 12, 17},                     /* 12 and 16: the rows between are held */
    {"'kernel': [3, 3], 'pad': [9, 0, 0, 0]", 0, 2, 0, 1},                    /* sees padding only: still one row */
    {"'kernel': [3, 3], 'pad': [0, 0, 9, 0]", 42, 47, 39, 40},                /* and below the last */
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct rig r;
    struct hs_text x = {0};
    rig_open(&r, "mace");
    hs_text_addf(&x, RIG_NET(RIG_IN("i", "1, 40, 40, 5"), "'c'", "{'name': 'c', 'op': 'Conv', 'inputs': ['i'], 'channels': 6, %s}"), cases[i].attributes);
    rig_read_network(&r, x.s);
    struct hs_range in = hs_input_range(r.graph, &r.graph->ops[0], 0, (struct hs_range){HS_SPLIT_HEIGHT, cases[i].begin, cases[i].end});
    ck_assert_msg(in.begin == cases[i].in_begin && in.end == cases[i].in_end, "rows %d…%d of %s need %d…%d", (int)cases[i].begin, (int)cases[i].end,
                  cases[i].attributes, (int)in.begin, (int)in.end);
    hs_text_free(&x);
    rig_close(&r);
  }
}
END_TEST

START_TEST(channel_and_batch_parts)
{
  struct rig r;
  rig_open(&r, "mace");
  rig_read_network(&r, RIG_NET(RIG_IN("i", "3, 20, 30, 8"), "'c', 'dw', 'p', 'a', 'fc'",
                               RIG_OP("c", "Conv", "'i'", ", 'channels': 24, 'kernel': [3, 3], 'pad': 'same'") ","
                               RIG_OP("dw", "DepthwiseConv", "'i'", ", 'kernel': [3, 3], 'pad': 'same'") ","
                               RIG_OP("p", "AveragePool", "'i'", ", 'kernel': [2, 2], 'stride': [2, 2]") ","
                               RIG_OP("a", "Add", "'i', 'dw'", "") ","
                               RIG_OP("fc", "Gemm", "'i'", ", 'channels': 10")));
  const struct hs_range some = {HS_SPLIT_CHANNEL, 3, 9}; /* 6 of 24, padded to 8 */
  ck_assert_int_eq(hs_input_range(r.graph, &r.graph->ops[0], 0, some).split, HS_SPLIT_NONE); /* needs all input channels */
  struct hs_work w = cost(&r, 0, GPU, some);
  /* MACs 3·20·30·9·8·6, with 8 channels for 6; size 3·20·30·8 = 14400 */
  DERIVE("6 of 24 channels: cycles", w.cycles[0], 2000 + 3. * 600 * 9 * 8 * 8 / 96 / 1.6 / (0.2 + (log(14400) - 8) / 8) * (72 + 6) / 72);
  DERIVE("6 of 24 channels: a quarter of the weights, all inputs", w.bytes, 4 * ((9 * 8 * 24 + 24) * 0.25 + 0.8 * (3 * 600 * 8 + 3 * 600 * 6)));
  const struct hs_range two = {HS_SPLIT_CHANNEL, 2, 4}; /* of 8: channel by channel */
  for (int op = 1; op <= 3; op++) {
    struct hs_range in = hs_input_range(r.graph, &r.graph->ops[op], 0, two);
    ck_assert_int_eq(in.split, HS_SPLIT_CHANNEL);
    ck_assert_int_eq(in.begin, 2);
    ck_assert_int_eq(in.end, 4);
  }
  DERIVE("depthwise, 2 of 8 channels: bytes", cost(&r, 1, GPU, two).bytes, 4 * (80 * 0.25 + 0.8 * 2 * 3 * 600 * 2));
  DERIVE("add, 2 of 8 channels: bytes", cost(&r, 3, GPU, two).bytes, 0.8 * 4 * (3 * 3 * 600 * 2));
  DERIVE("fully connected, 3 of 10 outputs: bytes", cost(&r, 4, GPU, (struct hs_range){HS_SPLIT_CHANNEL, 0, 3}).bytes,
         4 * ((4800 * 10 + 10) * 0.3 + 0.8 * (14400 + 3 * 3)));
  const struct hs_range images = {HS_SPLIT_BATCH, 1, 3}; /* 2 of 3 */
  struct hs_range in = hs_input_range(r.graph, &r.graph->ops[0], 0, images);
  ck_assert_int_eq(in.split, HS_SPLIT_BATCH);
  ck_assert_int_eq(in.begin, 1);
  DERIVE("2 of 3 images: all weights", cost(&r, 0, GPU, images).bytes, 4 * (1752 + 0.8 * (2 * 600 * 8 + 2 * 600 * 24)));
  rig_close(&r);
}
END_TEST

START_TEST(what_can_be_cut)
{
  static const struct {
    const char *op;
    bool height, channel, batch;
  } cases[] = {
    {"{'name': 'o', 'op': 'Conv', 'inputs': ['i'], 'channels': 6, 'kernel': [3, 3]}", true, true, true},
    {"{'name': 'o', 'op': 'Conv', 'inputs': ['i'], 'channels': 6, 'kernel': [1, 1], 'group': 3}", true, false, true},
    {"{'name': 'o', 'op': 'DepthwiseConv', 'inputs': ['i'], 'kernel': [3, 3]}", true, true, true},
    {"{'name': 'o', 'op': 'ConvTranspose', 'inputs': ['i'], 'channels': 6, 'kernel': [2, 2], 'stride': [2, 2]}", false, true, true},
    {"{'name': 'o', 'op': 'MaxPool', 'inputs': ['i'], 'kernel': [3, 3]}", true, true, true},
    {"{'name': 'o', 'op': 'Relu', 'inputs': ['i']}", true, true, true},
    {"{'name': 'o', 'op': 'ResizeBilinear', 'inputs': ['i'], 'scale': [2, 2]}", false, true, true},
    {"{'name': 'o', 'op': 'Gemm', 'inputs': ['i'], 'channels': 6}", false, true, true},
    {"{'name': 'o', 'op': 'GlobalAveragePool', 'inputs': ['i']}", false, false, true},
    {"{'name': 'o', 'op': 'Softmax', 'inputs': ['i']}", false, false, true},
    {"{'name': 'o', 'op': 'Concat', 'inputs': ['i', 'i']}", false, false, false},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct rig r;
    struct hs_text x = {0};
    rig_open(&r, "mace");
    hs_text_addf(&x, RIG_NET(RIG_IN("i", "2, 12, 12, 9"), "'o'", "%s"), cases[i].op);
    rig_read_network(&r, x.s);
    const struct hs_operator *op = &r.graph->ops[0];
    ck_assert(hs_splittable(r.graph, op, HS_SPLIT_NONE));
    ck_assert_msg(hs_splittable(r.graph, op, HS_SPLIT_HEIGHT) == cases[i].height, "height of %s", cases[i].op);
    ck_assert_msg(hs_splittable(r.graph, op, HS_SPLIT_CHANNEL) == cases[i].channel, "channels of %s", cases[i].op);
    ck_assert_msg(hs_splittable(r.graph, op, HS_SPLIT_BATCH) == cases[i].batch, "batch of %s", cases[i].op);
    hs_text_free(&x);
    rig_close(&r);
  }
}
END_TEST

/* --- frequency and energy --- */

/* t = γ/f + ε of two domains on one level, and of bytes that no clock moves. */
START_TEST(clock_of_two_domains)
{
  struct rig r;
  rig_open(&r, "mace");
  rig_read_network(&r, NET_CONV);
  /* level 1 of big is 1.5 of 2.5 GHz = 0.6; the lowest of mid that is no slower: 1.2 of 1.6 = 0.75.
   * level 0 of big is 0.32; of mid 0.6 of 1.6 = 0.375 */
  for (int level = 0; level < 3; level++) ck_assert_int_eq(hs_system_opp(&r.sys, CPU, 0, level), level);
  ck_assert_int_eq(hs_system_opp(&r.sys, CPU, 1, 1), 1);
  ck_assert_int_eq(hs_system_opp(&r.sys, CPU, 0, -1), 2); /* the system's own: max */
  struct hs_work w = cost(&r, 0, CPU, all);
  double shared = w.cycles[0] - w.caller * 1.6 / 2.5;
  DERIVE("CPU at level 1: big at 1.5 GHz, mid at 1.2", hs_work_seconds(&r.sys, CPU, 1, &w), w.caller / 1.5e9 + shared / 1.2e9);
  DERIVE("CPU at level 0: big at 0.8 GHz, mid at 0.6", hs_work_seconds(&r.sys, CPU, 0, &w), w.caller / 0.8e9 + shared / 0.6e9);
  w.bytes = 9e9 * 1.7 * w.cycles[0] / 1.6e9; /* 1.7 times as long as the cycles at 1.6 GHz take */
  DERIVE("bytes bound it at 1.6 GHz", hs_work_seconds(&r.sys, CPU, 2, &w), 1.7 * w.cycles[0] / 1.6e9);
  DERIVE("cycles at 0.6 GHz, 2.67 times slower", hs_work_seconds(&r.sys, CPU, 0, &w), w.caller / 0.8e9 + shared / 0.6e9);
  rig_close(&r);
}
END_TEST

/* P = Σ cores · P_dyn(OPP) · factor + P_static + P_shared of each domain in use. */
START_TEST(power_and_energy)
{
  struct rig r;
  rig_open(&r, "mace");
  rig_read_network(&r, NET_CONV);
  struct hs_work w = cost(&r, 0, CPU, all);
  DERIVE("dynamic power, highest OPPs", hs_work_dynamic_w(&r.sys, CPU, -1, &w), 0.9 * (3 * 0.57 + 1 * 2.39));
  DERIVE("static power, both domains", hs_work_static_w(&r.sys, CPU, -1, &w), 0.021 + 0.037);
  DERIVE("dynamic power at level 1", hs_work_dynamic_w(&r.sys, CPU, 1, &w), 0.9 * (3 * 0.34 + 1 * 0.93));
  DERIVE("static power at level 1", hs_work_static_w(&r.sys, CPU, 1, &w), 0.017 + 0.029);
  w.cores[0] = 0;
  DERIVE("one core: the other domain is off", hs_work_static_w(&r.sys, CPU, -1, &w), 0.037);
  DERIVE("one core: dynamic power", hs_work_dynamic_w(&r.sys, CPU, -1, &w), 0.9 * 2.39);
  r.soc->processors[CPU].domains[0].opps[2].shared_w = 0.7;
  r.soc->processors[CPU].domains[1].opps[2].shared_w = 0.3;
  DERIVE("and what its cluster shares, by no factor of the kernel", hs_work_dynamic_w(&r.sys, CPU, -1, &w), 0.9 * 2.39 + 0.3);
  w.cores[0] = 2;
  DERIVE("once for two cores", hs_work_dynamic_w(&r.sys, CPU, -1, &w), 0.9 * (2 * 0.57 + 2.39) + 0.3 + 0.7);
  rig_close(&r);
  rig_open(&r, "mace");
  /* of a GPU's time that the host takes, 2000 cycles, there is no dynamic power, and of no more, whether the memory decides (1 ms, as 585e3 cycles) or not */
  w = (struct hs_work){.cores = {1}, .cycles = {2000}, .power_factor = 1.1, .hosted = 2000, .bytes = 11e6};
  DERIVE("moved data, nothing computed", hs_work_power_factor(&r.sys, GPU, &w, 585e6), 1.1 * (1 - 2000 / 585e3));
  DERIVE("at half of the clock", hs_work_power_factor(&r.sys, GPU, &w, 292.5e6), 1.1 * (1 - 2000 / 292.5e3));
  w.cycles[0] = 1e6;
  DERIVE("computed for longer", hs_work_power_factor(&r.sys, GPU, &w, 585e6), 1.1 * (1 - 2000 / 1e6));
  w = (struct hs_work){.cores = {1}, .cycles = {2000}, .power_factor = 1.1, .hosted = 2000};
  ck_assert_double_eq(hs_work_power_factor(&r.sys, GPU, &w, 585e6), 0);
  rig_close(&r);
  /* MOSAIC Eq. 5: P(V, f) = P(V0, f0) · V²f / (V0²f0), so the energy of given cycles (Eq. 4) goes with V²: 2.39 W at
   * 1.05 V and 2.5 GHz is 0.9397 W at 0.85 V and 1.5 GHz */
  struct hs_error err;
  struct hs_settings s = rig_settings("mace");
  char number[40];
  snprintf(number, sizeof number, "'dynamic_w': %.17g", 2.39 * (0.85 * 0.85 * 1.5e9) / (1.05 * 1.05 * 2.5e9));
  char *soc = hs_test_replace(RIG_PHONE("2e9"), "'dynamic_w': 0.93", number);
  hs_test_accepted(rig_try(&r, soc, NULL, RIG_MACE, &s, &err), &err);
  w = (struct hs_work){.cores = {0, 1}, .cycles = {0, 3.7e6}, .power_factor = 1};
  double fast = hs_work_seconds(&r.sys, CPU, 2, &w) * hs_work_dynamic_w(&r.sys, CPU, 2, &w);
  double slow = hs_work_seconds(&r.sys, CPU, 1, &w) * hs_work_dynamic_w(&r.sys, CPU, 1, &w);
  DERIVE("energy of cycles goes with V²", slow / fast, (0.85 * 0.85) / (1.05 * 1.05));
  free(soc);
  rig_close(&r);
}
END_TEST

/* --- sharing --- */

START_TEST(sharing_steps)
{
  struct rig r;
  rig_open(&r, "tflite");
  DERIVE("map cpu → gpu", hs_comm_seconds(&r.sys, HS_CPU, HS_GPU, HS_MAP, 7e5), 11e-6 + 0.6e-10 * 7e5);
  DERIVE("map gpu → cpu", hs_comm_seconds(&r.sys, HS_GPU, HS_CPU, HS_MAP, 7e5), 13e-6 + 0.7e-10 * 7e5);
  DERIVE("transform gpu → cpu", hs_comm_seconds(&r.sys, HS_GPU, HS_CPU, HS_TRANSFORM, 7e5), 23e-6 + 1.9e-10 * 7e5);
  DERIVE("rpc cpu → dsp", hs_comm_seconds(&r.sys, HS_CPU, HS_DSP, HS_RPC, 7e5), 61e-6 + 0.3e-10 * 7e5);
  DERIVE("launch", hs_comm_seconds(&r.sys, HS_CPU, HS_GPU, HS_LAUNCH, 0), 9e-6);
  DERIVE("nothing within a kind", hs_comm_seconds(&r.sys, HS_CPU, HS_CPU, HS_MAP, 7e5), 0);
  struct hs_work w;
  hs_comm_work(&r.sys, CPU, 23e-6, &w);
  ck_assert_int_eq(w.cores[0], 0);
  ck_assert_int_eq(w.cores[1], 1); /* one core, the fastest */
  DERIVE("host work: cycles at 2.5 GHz", w.cycles[1], 23e-6 * 2.5e9);
  DERIVE("host work: no traffic of its own", w.bytes, 0);
  DERIVE("host work at 1.5 GHz: longer", hs_work_seconds(&r.sys, CPU, 1, &w), 23e-6 * 2.5 / 1.5);
  ck_assert(hs_comm_converts(&r.sys, CPU, GPU)); /* fp32 and fp16 */
  DERIVE("wait for the GPU", hs_comm_wait_seconds(&r.sys, GPU, 7e5), 47e-6);
  double whole = hs_comm_transfer(&r.sys, GPU, true, 1000).seconds, there = hs_comm_transfer(&r.sys, GPU, false, 1000).seconds;
  r.soc->sharing[HS_GPU][HS_CPU][HS_WAKE] = (struct hs_comm_cost){.fixed_s = 79e-6, .s_per_byte = 1e-11};
  DERIVE("wait for its conversion, too", hs_comm_wait_seconds(&r.sys, GPU, 7e5), 47e-6 + 79e-6 + 7e-6);
  DERIVE("in a transfer of 2 bytes", hs_comm_transfer(&r.sys, GPU, true, 1000).seconds - whole, 79e-6 + 2e-8);
  DERIVE("not on the way there", hs_comm_transfer(&r.sys, GPU, false, 1000).seconds - there, 0);
  ck_assert(!hs_comm_converts(&r.sys, CPU, LITTLE));
  rig_close(&r);
}
END_TEST

/* In all: the way there and back of 1000 elements. */
START_TEST(whole_transfers)
{
  struct rig r;
  rig_open(&r, "tflite"); /* cpu fp32, gpu fp16, dsp int8, npu int8 */
  struct hs_transfer t = hs_comm_transfer(&r.sys, GPU, false, 1000);
  DERIVE("to the GPU: transform, map, sync, launch; 4 bytes", t.seconds, (31e-6 + 1.7e-10 * 4000) + (11e-6 + 0.6e-10 * 4000) + 53e-6 + 9e-6);
  DERIVE("its energy: transform on the GPU, the rest on a big core", t.joules,
         (31e-6 + 1.7e-10 * 4000) * (1.9 + 0.09) + (11e-6 + 0.6e-10 * 4000 + 9e-6) * (2.39 + 0.037));
  t = hs_comm_transfer(&r.sys, GPU, true, 1000);
  DERIVE("from the GPU: 2 bytes", t.seconds, (23e-6 + 1.9e-10 * 2000) + (13e-6 + 0.7e-10 * 2000) + 47e-6 + 9e-6);
  t = hs_comm_transfer(&r.sys, DSP, false, 1000);
  DERIVE("to the DSP: transform of 4 bytes, map and rpc of 1", t.seconds, (19e-6 + 2.1e-10 * 4000) + (7e-6 + 0.5e-10 * 1000) + (61e-6 + 0.3e-10 * 1000));
  DERIVE("its energy: transform and map on a big core", t.joules, (26e-6 + 2.1e-10 * 4000 + 0.5e-10 * 1000) * (2.39 + 0.037));
  t = hs_comm_transfer(&r.sys, NPU, true, 1000);
  DERIVE("from the NPU: rpc, sync, map, transform; 1 byte", t.seconds, (14e-6 + 2.9e-10 * 1000) + (6e-6 + 0.8e-10 * 1000) + 37e-6 + 71e-6);
  t = hs_comm_transfer(&r.sys, LITTLE, true, 1000);
  DERIVE("between CPUs: nothing", t.seconds + t.joules, 0);
  rig_close(&r);
}
END_TEST

static void fill(TCase *t)
{
  tcase_add_test(t, convolution_on_unequal_cores);
  tcase_add_test(t, product_too_small_for_two);
  tcase_add_test(t, product_in_blocks_on_unequal_cores);
  tcase_add_test(t, pieces_are_reserved_one_ahead);
  tcase_add_test(t, many_pieces_as_one_by_one);
  tcase_add_test(t, memory_bound);
  tcase_add_test(t, lookup);
  tcase_add_test(t, classes);
  tcase_add_test(t, height_part);
  tcase_add_test(t, halo_of_windows);
  tcase_add_test(t, channel_and_batch_parts);
  tcase_add_test(t, what_can_be_cut);
  tcase_add_test(t, clock_of_two_domains);
  tcase_add_test(t, power_and_energy);
  tcase_add_test(t, sharing_steps);
  tcase_add_test(t, whole_transfers);
}

int main(void) { return hs_test_main("work", fill); }
