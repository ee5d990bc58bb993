/* SPDX-License-Identifier: GPL-3.0-or-later */
/* CoDL's search: cuts and chains worked out by hand on a system of two equal processors. */
#include "tests/policy/cutting.h"

#include <math.h>

#include "plan/pass.h"
#include "policies/cuts.h"

#define CONV1(name, from) "{'name': '" name "', 'op': 'Conv', 'inputs': ['" from "'], 'channels': 64, 'kernel': [1,1]}"
#define CONV3(name, from, more) "{'name': '" name "', 'inputs': ['" from "'], 'op': 'Conv', 'channels': 64, 'kernel': [3,3], 'pad': 'same'" more "}"
#define RELU(name, from) "{'name': '" name "', 'op': 'Relu', 'inputs': ['" from "']}"

/* One by one: a by height at 0.5: 3.686 ms + 0.2 ms + 0.4 ns/B · (21 + 20 rows · 10 240 B) = 4.054 ms; by channel the CPU's part reads
 * all 40 rows: 4.132. b: 0.013 ms on the GPU, less than any sharing. c: 0.410 + 0.2 + 0.102 = 0.712 < 0.819 on the GPU. d: 1.843 + 0.2
 * + 0.100 = 2.144. e: 0.160 ms on the GPU.
 * Heuristic: c and d are neighbours alike.
 * Greedy from a at 0.5: ab 3.799 saves 0.268; abc 4.471 saves 0.308; abcd has halo and d's padding (of a 24 rows of 44 columns each, of b and c 12 of
 * 22): 7.563 loses 0.640; e can't be cut by height. So abc. From d nothing follows. */
static const struct {
  const char *chain, *expected;
} chains[] = {
  {"chain=none", "a h0.5 | b gpu | c h0.5 | d h0.5 | e gpu"},
  {"chain=heuristic", "a h0.5 | b gpu | c h0.5 + d h0.5 | e gpu"},
  {"chain=greedy", "a h0.5 + b h0.5 + c h0.5 | d h0.5 | e gpu"},
  {"chain=auto", "a h0.5 + b h0.5 + c h0.5 | d h0.5 | e gpu"},
};

START_TEST(codl_by_hand)
{
  struct fixture f;
  make(&f, "mace", HS_IMAGE, -1, FIVE, "'e'");
  const char *params[] = {"presync_ms=0.11", chains[_i].chain};
  decides(&f, "codl", params, 2, chains[_i].expected);
  fixture_free(&f);
}
END_TEST

/* A chain grows on where the next operator takes back some of the gain, but not all: ab saves 0.200 + 0.164 = 0.364 ms; c as much again, less 0.155 of a and b
 * (22 rows of 42 columns for 20 of 40), 0.635, and a row of x: abc has 0.09 left; d, which has no halo, makes it 0.45. */
START_TEST(a_chain_grows_through_a_dip)
{
  struct fixture f;
  make(&f, "mace", HS_IMAGE, -1,
       "{'name': 'a', 'inputs': ['x'], 'op': 'Conv', 'channels': 64, 'kernel': [3,3], 'pad': 'same'}, "
       "{'name': 'b', 'inputs': ['a'], 'op': 'Conv', 'channels': 64, 'kernel': [1,1]}, "
       "{'name': 'c', 'inputs': ['b'], 'op': 'Conv', 'channels': 64, 'kernel': [3,3], 'pad': 'same'}, "
       "{'name': 'd', 'inputs': ['c'], 'op': 'Conv', 'channels': 64, 'kernel': [1,1]}", "'d'");
  const char *params[] = {"presync_ms=0.11", "gpu_share=0.5", "chain=greedy"};
  decides(&f, "codl", params, 3, "a h0.5 + b h0.5 + c h0.5 + d h0.5");
  fixture_free(&f);
}
END_TEST

/* And on where it gains nothing yet. All is in powers of two: 2^33 MACs per second, x of 32x32x64, so that each half of a takes 2^-12 s. In front of b each
 * computes 18 rows of 34 columns for 16 of 32, 100 / 1024 · 2^-11 s more, which here is all that sharing costs: ab gains nothing, abc another such. */
START_TEST(a_chain_grows_through_nothing)
{
  struct fixture f;
  const char *params[] = {"presync_ms=0", "gpu_share=0.5", "chain=greedy"};
  make(&f, "mace", HS_IMAGE, -1, CONV1("a", "x"), "'a'");
  hs_graph_free(f.graph);
  fixture_graph(&f, "[1,32,32,64]", CONV1("a", "x") ", " CONV3("b", "a", "") ", " CONV1("c", "b"), "'c'");
  for (int p = 0; p < 2; p++) f.soc->processors[p].domains[0].opps[f.sys.backends[p].opp[0]].freq_hz = 0x1p31;
  memset(f.soc->sharing, 0, sizeof f.soc->sharing);
  f.soc->sharing[HS_CPU][HS_GPU][HS_MAP].fixed_s = 100 * 0x1p-21;
  decides(&f, "codl", params, 3, "a h0.5 + b h0.5 + c h0.5");
  fixture_free(&f);
}
END_TEST

/* A chain may have a share as far as 0.3 from what its first operator has by itself. a, 0.051 ms, and b, 0.410, stay on the GPU, as b's 512 channels are too
 * much to share; c, 2.048, is cut in halves for 1.024 + 0.2 + 0.681 = 1.905. bc at 0.7 is 0.287 + 1.434 + 0.2 + 0.018 = 1.939 and saves 0.376; 0.8 saves 0.137,
 * and 0.5 would be better yet. */
START_TEST(a_chain_moves_by_three_tenths)
{
  struct fixture f;
  make(&f, "mace", HS_IMAGE, -1,
       "{'name': 'a', 'inputs': ['x'], 'op': 'Conv', 'channels': 4, 'kernel': [1,1]}, "
       "{'name': 'b', 'inputs': ['a'], 'op': 'Conv', 'channels': 512, 'kernel': [1,1]}, "
       "{'name': 'c', 'inputs': ['b'], 'op': 'Conv', 'channels': 20, 'kernel': [1,1]}", "'c'");
  const char *params[] = {"presync_ms=0.11", "chain=none"};
  decides(&f, "codl", params, 2, "a gpu | b gpu | c h0.5");
  decides(&f, "codl", params, 1, "a gpu | b h0.7 + c h0.7");
  fixture_free(&f);
}
END_TEST

/* Of five rows the longer part is three: a, 0.922 ms, reads little of x by height, and has 0.553 + 0.2 + 0.045 + 0.008 = 0.806, by channel, halved, 0.461 +
 * 0.2 + 0.164 + 0.010 = 0.835; b, 0.819, reads little in any case: 0.492 + 0.2 + 0.016 or 0.410 + 0.2 + 0.031 = 0.640. Together all are cut as the first one
 * is, and take 0.553 + 0.492 + 0.2 + 0.045 + 0.008 = 1.298 instead of 1.446. */
START_TEST(a_chain_is_cut_as_its_first)
{
  struct fixture f;
  make(&f, "mace", HS_IMAGE, -1,
       "{'name': 'a', 'inputs': ['x'], 'op': 'Conv', 'channels': 512, 'kernel': [3,3], 'stride': [8,8], 'pad': 'same'}, "
       "{'name': 'b', 'inputs': ['a'], 'op': 'Conv', 'channels': 512, 'kernel': [1,1]}", "'b'");
  const char *params[] = {"presync_ms=0.11", "chain=none"};
  decides(&f, "codl", params, 2, "a h0.5 | b c0.5");
  decides(&f, "codl", params, 1, "a h0.5 + b h0.5");
  fixture_free(&f);
}
END_TEST

/* Two convolutions are a chain where nobody else needs what is between them, neither another reader nor who called, where no other operator is in between, and
 * both are cut. */
static const struct {
  const char *ops, *outputs;
  bool follows; /* does the last one, alone in that? */
} chained[] = {
  {CONV1("a", "x") ", " CONV1("b", "a"), "'b'", true},
  {CONV1("a", "x") ", " CONV1("b", "a"), "'a', 'b'", false},
  {RELU("c", "x") ", " CONV1("a", "c") ", " CONV1("b", "a"), "'b'", true},
  {CONV1("a", "x") ", " CONV1("b", "a") ", " RELU("c", "a"), "'b', 'c'", false},
  {CONV1("a", "x") ", " CONV1("c", "x") ", " CONV1("b", "a"), "'b', 'c'", false},
  {CONV1("a", "x") ", " RELU("b", "a"), "'b'", false},
  {RELU("a", "x") ", " CONV1("b", "a"), "'b'", false},
};

START_TEST(what_follows)
{
  struct fixture f;
  make(&f, "mace", HS_IMAGE, -1, chained[_i].ops, chained[_i].outputs);
  const struct hs_view v = {&f.sys, f.graph, NULL};
  for (int i = 0; i < f.graph->n_ops; i++) ck_assert_int_eq(hs_cuts_follows(&v, i), i == f.graph->n_ops - 1 && chained[_i].follows);
  fixture_free(&f);
}
END_TEST

/* Nor does a convolution follow that adds a second tensor to its result, as where a shortcut was fused to it: it reads more than the one before makes. */
START_TEST(what_reads_two_tensors_follows_nobody)
{
  struct fixture f;
  make(&f, "mace", HS_IMAGE, -1,
       "{'name': 'a', 'op': 'Conv', 'inputs': ['x'], 'channels': 64, 'kernel': [1,1]}, {'name': 'b', 'op': 'Conv', 'inputs': ['a'], 'channels': 64, "
       "'kernel': [1,1]}, {'name': 's', 'op': 'Add', 'inputs': ['b', 'x']}", "'s'");
  struct hs_graph *fused = hs_pass_rules(&f.sys, f.graph);
  const struct hs_view v = {&f.sys, fused, NULL};
  ck_assert_ptr_nonnull(fused);
  ck_assert_int_eq(fused->n_ops, 2);
  ck_assert_int_eq(fused->ops[1].n_inputs, 2);
  ck_assert(!hs_cuts_follows(&v, 1));
  hs_graph_free(fused);
  fixture_free(&f);
}
END_TEST

/* A depthwise convolution isn't cut, be it written as one of 64 groups. */
START_TEST(depthwise_stays_whole)
{
  static const char *const ways[] = {"'op': 'DepthwiseConv'", "'op': 'Conv', 'channels': 64, 'group': 64", "'op': 'Conv', 'channels': 64, 'group': 32"};
  for (int i = 0; i < 3; i++) {
    struct fixture f;
    char ops[400];
    snprintf(ops, sizeof ops, "{'name': 'a', 'inputs': ['x'], 'kernel': [3,3], 'pad': 'same', %s}", ways[i]);
    make(&f, "mace", HS_IMAGE, -1, ops, "'a'");
    ck_assert_int_eq(hs_cuts_partitionable(&f.graph->ops[0]), i == 2);
    fixture_free(&f);
  }
}
END_TEST

/* Poolings are cut, whichever they are. */
START_TEST(poolings_are_cut)
{
  static const char *const types[] = {"MaxPool", "AveragePool"};
  const char *params[] = {"gpu_share=0.5"};
  struct fixture f;
  char op[200];
  snprintf(op, sizeof op, "{'name': 'a', 'inputs': ['x'], 'op': '%s', 'kernel': [2,2], 'stride': [2,2]}", types[_i]);
  make(&f, "mace", HS_IMAGE, -1, op, "'a'");
  decides(&f, "codl", params, 1, "a h0.5");
  fixture_free(&f);
}
END_TEST

/* A convolution of groups can be cut by height, and is where a share is given, also if the GPU would be faster by itself (before each share is a wait of
 * 100 ms). Where only channels are cut, it's all the GPU's. */
START_TEST(groups_are_cut_by_height)
{
  static const char *const by_height[] = {"gpu_share=0.5", "cut=height"}, *const by_channel[] = {"gpu_share=0.5", "cut=channel"},
                           *const either[] = {"gpu_share=0.5", "presync_ms=100"};
  struct fixture f;
  make(&f, "mace", HS_IMAGE, -1, CONV3("a", "x", ", 'group': 4"), "'a'");
  decides(&f, "codl", by_height, 2, "a h0.5");
  decides(&f, "codl", either, 2, "a h0.5");
  decides(&f, "codl", by_channel, 2, "a gpu");
  fixture_free(&f);
}
END_TEST

/* Cut alike isn't enough for a chain: two that read the same tensor. Nor is a share: a by channel, 0.991 / 2 + 0.2 + 0.4 ns/B · (123.9 + 62.0 kB) = 0.770 ms,
 * as half of 11 rows is six (0.786), and b, which makes ten of them, by height, 3.277 / 2 + 0.2 + 0.4 ns/B · (67.6 + 51.2 kB) = 1.886 (by channel 1.908). */
START_TEST(no_heuristic_chain)
{
  const char *params[] = {"presync_ms=0.11", "chain=heuristic", "gpu_share=0.5"};
  struct fixture f;
  make(&f, "mace", HS_IMAGE, -1, CONV1("a", "x") ", " CONV1("b", "x"), "'a', 'b'");
  decides(&f, "codl", params, 3, "a h0.5 | b h0.5");
  hs_graph_free(f.graph);
  fixture_graph(&f, "[1,11,11,256]", "{'name': 'a', 'inputs': ['x'], 'op': 'Conv', 'channels': 256, 'kernel': [1,1]}, "
                                     "{'name': 'b', 'inputs': ['a'], 'op': 'Conv', 'channels': 256, 'kernel': [2,2]}", "'b'");
  decides(&f, "codl", params, 2, "a c0.5 | b h0.5");
  fixture_free(&f);
}
END_TEST

/* Equation 2 written out for the chains above. */
START_TEST(chain_latency_by_hand)
{
  struct fixture f;
  struct hs_cuts c;
  struct hs_error err;
  const double a = 58982400 / RATE, b = 102400 / RATE, k = 6553600 / RATE, d = 29491200 / RATE;
  const double row_x = 40 * 64 * 4, row_b = 20 * 64 * 4, row_c = 20 * 256 * 4, row_d = 20 * 32 * 4, fixed = 90e-6 + 0.11e-3;
  make(&f, "mace", HS_IMAGE, -1, FIVE, "'e'");
  const struct hs_view v = {&f.sys, f.graph, NULL};
  hs_test_accepted(hs_cuts_open(&c, &v, true, true, 0.11e-3, "test", &err), &err);
  const struct hs_cut half = {HS_SPLIT_HEIGHT, 0.5, 0}, most = {HS_SPLIT_HEIGHT, 0.6, 0}, all_cpu = {HS_SPLIT_HEIGHT, 0, 0};
  const struct hs_cut all_gpu = {HS_SPLIT_HEIGHT, 1, 0}, oc = {HS_SPLIT_CHANNEL, 0.5, 0};
  ck_assert_near(hs_cuts_predict(&c, 0, 1, half), a / 2 + fixed + 0.4e-9 * (21 * row_x + 20 * row_x));
  ck_assert_near(hs_cuts_predict(&c, 0, 2, half), a / 2 + b / 2 + fixed + 0.4e-9 * (21 * row_x + 10 * row_b));
  ck_assert_near(hs_cuts_predict(&c, 0, 3, half), a / 2 + b / 2 + k / 2 + fixed + 0.4e-9 * (21 * row_x + 10 * row_c));
  ck_assert_near(hs_cuts_predict(&c, 0, 4, half),
                 a * 24 * 44 / 1600 + (b + k) * 12 * 22 / 400 + d / 2 + fixed + 0.4e-9 * (23 * row_x + 10 * row_d));
  ck_assert_near(hs_cuts_predict(&c, 0, 4, most), /* the GPU has 12 of d's rows, and of the others what those need, padding included */
                 a * 28 * 44 / 1600 + (b + k) * 14 * 22 / 400 + d * 12 / 20 + fixed + 0.4e-9 * (19 * row_x + 8 * row_d));
  ck_assert_near(hs_cuts_predict(&c, 0, 4, all_cpu), a + b + k + d + fixed + 0.4e-9 * (40 * row_x + 20 * row_d));
  ck_assert_near(hs_cuts_predict(&c, 0, 4, all_gpu), a + b + k + d);
  ck_assert_near(hs_cuts_predict(&c, 0, 2, oc), a / 2 + b / 2 + fixed + 0.4e-9 * (40 * row_x + 20 * row_b / 2)); /* pooling keeps to its channels */
  ck_assert_double_eq(hs_cuts_predict(&c, 0, 3, oc), INFINITY); /* a convolution reads all of them */
  ck_assert_double_eq(hs_cuts_predict(&c, 3, 2, half), INFINITY);
  const struct hs_cut sliver = {HS_SPLIT_HEIGHT, 0.1, 0}, nothing = {HS_SPLIT_HEIGHT, 0.004, 0}; /* d: two rows of 20 on the GPU, or none */
  ck_assert_near(hs_cuts_predict(&c, 3, 1, sliver), d * 18 / 20 + fixed + 0.4e-9 * (19 * row_c + 18 * row_d));
  ck_assert_double_eq(hs_cuts_predict(&c, 3, 1, nothing), INFINITY);
  fixture_free(&f);
}
END_TEST

/* Who reads two tensors fetches both, of a sum of a and x the CPU's part of each: 102 400 additions. */
START_TEST(sharing_is_of_all_inputs)
{
  struct fixture f;
  struct hs_cuts c;
  struct hs_error err;
  const double sum = 102400 / RATE, all = 40 * 40 * 64 * 4, fixed = 90e-6 + 0.11e-3;
  make(&f, "mace", HS_IMAGE, -1,
       "{'name': 'a', 'inputs': ['x'], 'op': 'Relu'}, {'name': 's', 'inputs': ['a', 'x'], 'op': 'Add'}", "'s'");
  const struct hs_view v = {&f.sys, f.graph, NULL};
  hs_test_accepted(hs_cuts_open(&c, &v, true, true, 0.11e-3, "test", &err), &err);
  const struct hs_cut half = {HS_SPLIT_HEIGHT, 0.5, 0}, all_cpu = {HS_SPLIT_HEIGHT, 0, 0};
  ck_assert_near(hs_cuts_predict(&c, 1, 1, all_cpu), sum + fixed + 0.4e-9 * 3 * all);
  ck_assert_near(hs_cuts_predict(&c, 1, 1, half), sum / 2 + fixed + 0.4e-9 * 3 * all / 2);
  fixture_free(&f);
}
END_TEST

/* Buffers: output channels only. a 3.686 + 0.16 + 0.3 ns/B · (409 600 + 204 800) = 4.031; c 0.662; d 2.134, and more at 0.4, where the GPU has 12 channels of
 * 32. Greedy: pooling keeps to its channels, and leaves a quarter to be shared: ab 3.686 + 0.006 + 0.16 + 0.3 ns/B · (409 600 + 51 200) = 3.991 saves 0.053. */
START_TEST(buffers_are_cut_by_channel)
{
  struct fixture f;
  const char *params[] = {"presync_ms=0.11", "predictor=exact"};
  make(&f, "mace", HS_BUFFER, -1, FIVE, "'e'");
  decides(&f, "codl", params, 1, "a c0.5 + b c0.5 | c c0.5 | d c0.5 | e gpu");
  decides(&f, "mulayer", params, 2, "a c0.5 | b gpu | c c0.5 | d c0.5 | e gpu");
  fixture_free(&f);
}
END_TEST

/* The uLayer cuts by channel from images, too: a, where CoDL's choice is h0.5, as above. */
START_TEST(the_ulayer_cuts_by_channel)
{
  struct fixture f;
  const char *params[] = {"presync_ms=0.11", "predictor=exact"};
  make(&f, "mace", HS_IMAGE, -1, FIVE, "'e'");
  decides(&f, "mulayer", params, 2, "a c0.5 | b gpu | c c0.5 | d c0.5 | e gpu");
  fixture_free(&f);
}
END_TEST

/* A given share. Greedy leaves d out of the chain: its halo and padding would cost the CPU 0.185 of a, b and c, 0.84 ms (34 rows of 44 columns of a), and save
 * 0.2 + 0.4 ns/B · (15 + 16 rows of c) = 0.454. 0 and 1 leave nothing to cut. */
static const struct {
  const char *share, *chain, *expected;
} shares[] = {
  {"gpu_share=0.25", "chain=none", "a h0.25 | b h0.25 | c h0.25 | d h0.25 | e c0.25"},
  {"gpu_share=0.25", "chain=heuristic", "a h0.25 + b h0.25 + c h0.25 + d h0.25 | e c0.25"},
  {"gpu_share=0.25", "chain=greedy", "a h0.25 + b h0.25 + c h0.25 | d h0.25 | e c0.25"},
  {"gpu_share=0", "chain=none", "a cpu | b cpu | c cpu | d cpu | e cpu"},
  {"gpu_share=1", "chain=none", "a gpu | b gpu | c gpu | d gpu | e gpu"},
};

START_TEST(given_shares)
{
  struct fixture f;
  const char *params[] = {"presync_ms=0.11", shares[_i].share, shares[_i].chain};
  make(&f, "mace", HS_IMAGE, -1, FIVE, "'e'");
  decides(&f, "codl", params, 3, shares[_i].expected);
  fixture_free(&f);
}
END_TEST

/* An operator that can't have the given share takes none of those behind it along: in a chain with it, on its processor, they would share nothing, which
 * saves more than they lose there. */
#define CHAIN_OF(a, b) CONV3("a", "x", a) ", " CONV3("b", "a", b) ", " CONV3("c", "b", "") ", " CONV3("d", "c", "")
static const struct {
  const char *ops, *share, *expected;
} impossible[] = {
  {CHAIN_OF("", ", 'support': {'cpu': false}"), "gpu_share=0", "a cpu | b gpu | c cpu + d cpu"},
  {CHAIN_OF("", ", 'support': {'gpu': false}"), "gpu_share=1", "a gpu | b cpu | c gpu | d gpu"},
  {CHAIN_OF("", ", 'support': {'cpu': false}"), "gpu_share=0.5", "a h0.5 | b gpu | c h0.5 + d h0.5"},
};

START_TEST(given_share_of_those_behind)
{
  struct fixture f;
  const char *params[] = {"presync_ms=10", impossible[_i].share};
  make(&f, "mace", HS_IMAGE, -1, impossible[_i].ops, "'d'");
  decides(&f, "codl", params, 2, impossible[_i].expected);
  fixture_free(&f);
}
END_TEST

/* Of three channels the GPU, with blocks of four, computes all when they are to be halved: 4/3 · 2 764 800 MAC, 0.461 ms. By height it is half of that, and
 * 0.15 + 0.05 ms + 0.4 ns/B · (21 rows of x + 20 of a) = 0.290 for sharing. */
START_TEST(few_channels_are_the_gpus)
{
  struct fixture f;
  const char *params[] = {"presync_ms=0.11", "gpu_share=0.5", "cut=height"};
  make(&f, "mace", HS_IMAGE, -1, "{'name': 'a', 'inputs': ['x'], 'op': 'Conv', 'channels': 3, 'kernel': [3,3], 'pad': 'same'}", "'a'");
  decides(&f, "codl", params, 2, "a gpu");
  decides(&f, "codl", params, 3, "a h0.5");
  fixture_free(&f);
}
END_TEST

/* Where only heights are cut, what has none is cut by channel, as the header of policies/cuts.h has it: e, fully connected. */
START_TEST(fully_connected_has_no_height)
{
  struct fixture f;
  const char *params[] = {"presync_ms=0.11", "chain=none", "cut=height", "gpu_share=0.25"};
  make(&f, "mace", HS_IMAGE, -1, FIVE, "'e'");
  decides(&f, "codl", params, 4, "a h0.25 | b h0.25 | c h0.25 | d h0.25 | e c0.25");
  fixture_free(&f);
}
END_TEST

/* Of 32 equal 1×1 convolutions, which gain the more the more of them share nothing, the first 29 are a chain and the last three another: the release adds
 * an operator to fewer than 30 with the next one. */
START_TEST(no_chain_is_longer_than_the_releases)
{
  struct fixture f;
  struct hs_arena a = {0};
  struct hs_error err;
  struct hs_text ops = {0};
  const char *params[] = {"presync_ms=0.11", "gpu_share=0.5", "chain=greedy"};
  hs_text_add(&ops, "{'name': 't0', 'inputs': ['x'], 'op': 'Conv', 'channels': 64, 'kernel': [1,1]}");
  for (int i = 1; i < 32; i++) hs_text_addf(&ops, ", {'name': 't%d', 'inputs': ['t%d'], 'op': 'Conv', 'channels': 64, 'kernel': [1,1]}", i, i - 1);
  make(&f, "mace", HS_IMAGE, -1, ops.s, "'t31'");
  struct hs_placement *pl = plan(&f, "codl", params, 3, &a, &err);
  ck_assert(pl != NULL);
  for (int i = 1; i < 32; i++) ck_assert_int_eq(pl->ops[i].chain == pl->ops[i - 1].chain, i != 29);
  hs_arena_free(&a);
  fixture_free(&f);
  hs_text_free(&ops);
}
END_TEST

/* A GPU whose slices take 410 kB. a at 0.5 has 147.7 kB of weights and 204.8 of results, b 51.2 of these: together 403.7; c 66.6 and 204.8 is too much for their
 * chain, and with d's 295.0 and 25.6 for one of these two; a tenth of e, rounded up to 12 channels, is 614. */
static const struct {
  const char *policy, *how, *expected;
  int memory_type;
} limited[] = {
  {"codl", "chain=none", "a h0.5 | b gpu | c h0.5 | d h0.5 | e cpu", HS_IMAGE},
  {"codl", "chain=heuristic", "a h0.5 | b gpu | c h0.5 | d h0.5 | e cpu", HS_IMAGE},
  {"codl", "chain=greedy", "a h0.5 + b h0.5 | c h0.5 | d h0.5 | e cpu", HS_IMAGE},
  {"codl", "gpu_share=1", "a cpu | b gpu | c cpu | d gpu | e cpu", HS_IMAGE}, /* a has 557 kB, c 476, d 346 */
  {"mulayer", "predictor=exact", "a c0.5 | b gpu | c c0.5 | d c0.5 | e cpu", HS_BUFFER},
};

START_TEST(slices_have_a_limit)
{
  struct fixture f;
  const char *params[] = {"presync_ms=0.11", limited[_i].how};
  make(&f, "mace", limited[_i].memory_type, -1, FIVE, "'e'");
  f.soc->processors[hs_soc_first(f.soc, HS_GPU)].slice_limit_bytes = 410e3;
  decides(&f, limited[_i].policy, params, 2, limited[_i].expected);
  fixture_free(&f);
}
END_TEST

/* Each of the GPU's kernels begins with 2e7 cycles, 10 ms: all of a, 7.373 ms, is the CPU's by choice, and only b, which the GPU has no kernel for, falls
 * back. */
START_TEST(a_choice_is_no_fallback)
{
  static const char *const policies[] = {"codl", "mulayer"};
  const char *params[][2] = {{"presync_ms=0.11", "chain=none"}, {"presync_ms=0.11", "predictor=exact"}};
  struct fixture f;
  struct hs_arena a = {0};
  struct hs_error err;
  make(&f, "mace", HS_BUFFER, -1, CONV3("a", "x", "") ", " CONV3("b", "a", ", 'support': {'gpu': false}"), "'b'");
  struct hs_kernel late = *f.sys.backends[1].kernel;
  late.overhead_cycles = 2e7;
  f.sys.backends[1].kernel = &late;
  decides(&f, policies[_i], params[_i], 2, "a cpu | b cpu");
  struct hs_placement *pl = plan(&f, policies[_i], params[_i], 2, &a, &err);
  ck_assert(!pl->ops[0].fallback);
  ck_assert(pl->ops[1].fallback);
  hs_arena_free(&a);
  fixture_free(&f);
}
END_TEST

static void fill(TCase *t)
{
  tcase_add_loop_test(t, a_choice_is_no_fallback, 0, 2);
  tcase_add_loop_test(t, slices_have_a_limit, 0, sizeof limited / sizeof *limited);
  tcase_add_test(t, fully_connected_has_no_height);
  tcase_add_test(t, no_chain_is_longer_than_the_releases);
  tcase_add_loop_test(t, codl_by_hand, 0, sizeof chains / sizeof *chains);
  tcase_add_test(t, a_chain_grows_through_a_dip);
  tcase_add_test(t, a_chain_grows_through_nothing);
  tcase_add_test(t, a_chain_moves_by_three_tenths);
  tcase_add_test(t, a_chain_is_cut_as_its_first);
  tcase_add_test(t, chain_latency_by_hand);
  tcase_add_test(t, sharing_is_of_all_inputs);
  tcase_add_test(t, buffers_are_cut_by_channel);
  tcase_add_test(t, the_ulayer_cuts_by_channel);
  tcase_add_loop_test(t, given_share_of_those_behind, 0, sizeof impossible / sizeof *impossible);
  tcase_add_loop_test(t, given_shares, 0, sizeof shares / sizeof *shares);
  tcase_add_test(t, few_channels_are_the_gpus);
  tcase_add_loop_test(t, what_follows, 0, sizeof chained / sizeof *chained);
  tcase_add_loop_test(t, poolings_are_cut, 0, 2);
  tcase_add_test(t, groups_are_cut_by_height);
  tcase_add_test(t, no_heuristic_chain);
  tcase_add_test(t, what_reads_two_tensors_follows_nobody);
  tcase_add_test(t, depthwise_stays_whole);
}

int main(void) { return hs_test_main("codl", fill); }
