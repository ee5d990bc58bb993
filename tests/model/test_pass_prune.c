/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which channels pruning takes from small networks: MACs by hand, what is pruned alike, and what keeps all. */
#include "tests/model/passes.h"

static struct hs_graph *prune(const char *text, double ratio)
{
  char why[300] = "";
  struct hs_graph *g = rig_read_graph(text), *out = hs_pass_prune(g, ratio, why, sizeof why);
  ck_assert_msg(out != NULL, "%s", why);
  check_valid(out);
  check_ends(g, out);
  ck_assert_double_lt(hs_graph_macs(out), hs_graph_macs(g));
  hs_graph_free(g);
  return out;
}

START_TEST(prune_chain)
{
  struct hs_graph *g = prune(RIG_NET(IN, "'b'", CONV("a", "i", 32, 3) OP("r", "Relu", "'a'", "") ", " CONV("b", "r", 16, 1)), 0.3);
  DERIVE("0.7 of 32 channels is 22.4, of the multiples of 8: 24", (double)channels(g, "a"), 24);
  DERIVE("MACs", hs_graph_macs(g), 8 * 8 * (9. * 3 * 24 + 24 * 16));
  DERIVE("parameters, biases included", (double)hs_graph_params(g), 9. * 3 * 24 + 24 + 24 * 16 + 16);
  ck_assert_int_eq(channels(g, "b"), 16); /* an output */
  hs_graph_free(g);
}
END_TEST

/* Never fewer than 8, never more than there were. */
START_TEST(prune_rounds)
{
  static const struct {
    int64_t channels;
    double ratio;
    int64_t kept;
  } cases[] = {{32, 0.3, 24}, {32, 0.99, 8}, {8, 0.5, 8}, {5, 0.5, 5}, {12, 0.5, 8}, {14, 0.05, 14}, {20, 0.4, 16}, {64, 0.3, 48}, {9, 0.1, 8}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    ck_assert_int_eq(hs_pass_scale(cases[i].channels, 1 - cases[i].ratio, 8), cases[i].kept);
}
END_TEST

/* A sum, a gate by channels (squeeze and excitation) and a depthwise convolution all have the channels of what they combine. */
START_TEST(prune_element_wise)
{
  struct hs_graph *g = prune(RIG_NET(IN, "'z'",
    CONV("a", "i", 24, 3) ", " CONV("b", "a", 24, 3) OP("s", "Add", "'a', 'b'", "")
    OP("d", "DepthwiseConv", "'s'", ", 'kernel': [3, 3], 'pad': 'same'") OP("p", "GlobalAveragePool", "'d'", "") ", "
    CONV("e", "p", 16, 1) ", " CONV("f", "e", 24, 1) OP("m", "Mul", "'d', 'f'", "") ", " CONV("z", "m", 10, 1)), 0.4);
  /* 0.6 · 24 = 14.4 → 16; 0.6 · 16 = 9.6 → 8 */
  static const char *const same[] = {"a", "b", "s", "d", "p", "f", "m"};
  for (int i = 0; i < 7; i++) ck_assert_int_eq(channels(g, same[i]), 16);
  ck_assert_int_eq(channels(g, "e"), 8);
  ck_assert_int_eq(find(g, "d")->at.group, 16);
  DERIVE("MACs", hs_graph_macs(g), 64 * (9. * 3 * 16 + 9 * 16 * 16 + 9 * 16 + 16 * 10) + 16 * 8 + 8 * 16);
  hs_graph_free(g);
}
END_TEST

/* What is added to a concatenation loses what its parts lose: 0.7 · 16 → 8, 0.7 · 40 = 28 → 32; not 0.7 · 56 = 39.2 → 40. */
START_TEST(prune_concat)
{
  struct hs_graph *g = prune(RIG_NET(IN, "'z', 'k'",
    CONV("a", "i", 16, 3) ", " CONV("b", "i", 40, 3) OP("c", "Concat", "'a', 'b'", "") ", " CONV("d", "i", 56, 1)
    OP("s", "Add", "'c', 'd'", "") OP("t", "SpaceToDepth", "'s'", ", 'block_size': 2")
    ", {'name': 'h', 'op': 'Split', 'inputs': ['s'], 'axis': -1, 'sizes': [16, 40], 'outputs': ['h1', 'h2']}" ", "
    CONV("y", "h2", 8, 1) OP("f", "Reshape", "'t'", ", 'shape': [1, 3584]") OP("q", "Gemm", "'f'", ", 'channels': 10")
    ", {'name': 'u', 'op': 'Conv', 'inputs': ['y'], 'channels': 4, 'kernel': [8, 8]}" ", "
    CONV("v", "h1", 4, 1) OP("w", "Reshape", "'u'", ", 'shape': [1, 4]") OP("z0", "Concat", "'w', 'q'", "")
    OP("z", "Relu", "'z0'", "") ", {'name': 'k', 'op': 'MaxPool', 'inputs': ['v'], 'kernel': [8, 8]}"), 0.3);
  ck_assert_int_eq(channels(g, "a"), 8);
  ck_assert_int_eq(channels(g, "b"), 32);
  ck_assert_int_eq(channels(g, "c"), 40);
  ck_assert_int_eq(channels(g, "d"), 40);
  ck_assert_int_eq(channels(g, "t"), 160);
  ck_assert_int_eq(find(g, "h")->at.sizes[0], 8);
  ck_assert_int_eq(find(g, "h")->at.sizes[1], 32);
  ck_assert_int_eq(channels(g, "f"), 16 * 160);
  DERIVE("weights of a fully connected operator behind it", (double)find(g, "q")->params, 16 * 160 * 10 + 10.);
  ck_assert_int_eq(channels(g, "u"), 4); /* reaches an output through the flattening and the concatenation */
  hs_graph_free(g);
}
END_TEST

/* What stands above or below the network's input in one map has its channels, and so has what was cut from a map of which another piece is added to an input:
 * a and d lose none, e half. */
START_TEST(prune_maps_of_rows)
{
  struct hs_graph *g = prune(RIG_NET(RIG_IN("i", "1, 8, 8, 24") "," RIG_IN("k", "1, 6, 8, 32"), "'z', 'q'",
    CONV("a", "i", 24, 3) OP("c", "Concat", "'a', 'i'", ", 'axis': 1") ", " CONV("d", "c", 32, 1)
    ", {'name': 'h', 'op': 'Split', 'inputs': ['d'], 'axis': 1, 'sizes': [10, 6], 'outputs': ['h1', 'h2']}"
    OP("s", "Add", "'h2', 'k'", "") ", " CONV("e", "s", 48, 1) ", " CONV("z", "e", 10, 1) ", " CONV("q", "h1", 10, 1)), 0.5);
  ck_assert_int_eq(channels(g, "a"), 24);
  ck_assert_int_eq(channels(g, "d"), 32);
  ck_assert_int_eq(channels(g, "e"), 24);
  hs_graph_free(g);
}
END_TEST

/* Whole groups of 12 go: 48 channels keep 24, the multiple of 8 and 12 nearest to 0.7 · 48 = 33.6. */
START_TEST(prune_groups)
{
  struct hs_graph *g = prune(RIG_NET(IN, "'z'",
    CONV("a", "i", 48, 1) ", {'name': 'b', 'op': 'Conv', 'inputs': ['a'], 'channels': 48, 'kernel': [3, 3], 'pad': 'same', 'group': 4}, "
    CONV("z", "b", 10, 1)), 0.3);
  ck_assert_int_eq(channels(g, "a"), 24);
  ck_assert_int_eq(channels(g, "b"), 24);
  ck_assert_int_eq(find(g, "b")->at.group, 2);
  DERIVE("MACs", hs_graph_macs(g), 64 * (3. * 24 + 9 * 12 * 24 + 24 * 10));
  hs_graph_free(g);
}
END_TEST

/* Groups of 12 and of 16 channels whose results are added: of 96 channels 48 stay, the multiple of both nearest to 0.6 · 96. */
START_TEST(prune_groups_that_meet)
{
#define GROUPS(NAME, IN_NAME, N) \
  ", {'name': '" NAME "', 'op': 'Conv', 'inputs': ['" IN_NAME "'], 'channels': 96, 'kernel': [3, 3], 'pad': 'same', 'group': " N "}"
  struct hs_graph *g = prune(RIG_NET(IN, "'z'",
    CONV("a", "i", 96, 1) ", " CONV("b", "i", 96, 1) GROUPS("c", "a", "8") GROUPS("d", "b", "6") OP("s", "Add", "'c', 'd'", "") ", "
    CONV("z", "s", 10, 1)), 0.4);
  static const char *const same[] = {"a", "b", "c", "d", "s"};
  for (int i = 0; i < 5; i++) ck_assert_int_eq(channels(g, same[i]), 48);
  ck_assert_int_eq(find(g, "c")->at.group, 4);
  ck_assert_int_eq(find(g, "d")->at.group, 3);
  hs_graph_free(g);
}
END_TEST

/* Transposed convolutions, windows and resizing go along. */
START_TEST(prune_others)
{
  struct hs_graph *g = prune(RIG_NET(IN, "'z'",
    CONV("a", "i", 32, 3) OP("t", "ConvTranspose", "'a'", ", 'channels': 20, 'kernel': [2, 2], 'stride': [2, 2]")
    OP("n", "InstanceNormalization", "'t'", "") OP("m", "MaxPool", "'n'", ", 'kernel': [2, 2], 'stride': [2, 2]")
    OP("r", "ReduceMean", "'m'", ", 'axes': [1, 2], 'keepdims': false") OP("z", "Gemm", "'r'", ", 'channels': 5")), 0.4);
  ck_assert_int_eq(channels(g, "t"), 16); /* 0.6 · 20 = 12 → 16 (half away from zero) */
  ck_assert_int_eq(channels(g, "r"), 16);
  DERIVE("MACs", hs_graph_macs(g), 64 * 9. * 3 * 16 + 64 * 4 * 16 * 16 + 16 * 5);
  ck_assert_int_eq(channels(g, "a"), 16); /* 19.2 → 16 */
  hs_graph_free(g);
}
END_TEST

/* A cut in height takes all channels that there are; what is unfolded into an image keeps them, as its pixels are made of all of them. */
START_TEST(prune_cut_and_unfolded)
{
  struct hs_graph *g = prune(RIG_NET(IN, "'z'",
    CONV("a", "i", 32, 3) OP("s", "Slice", "'a'", ", 'begin': [0, 2, 0, 0], 'size': [1, 4, 8, 32]") ", " CONV("b", "s", 64, 1)
    OP("d", "DepthToSpace", "'b'", ", 'block_size': 2") ", " CONV("z", "d", 5, 1)), 0.5);
  ck_assert_int_eq(channels(g, "a"), 16);
  ck_assert_int_eq(find(g, "s")->at.size[3], 16);
  ck_assert_int_eq(channels(g, "b"), 64);
  DERIVE("MACs", hs_graph_macs(g), 64 * 9. * 3 * 16 + 32 * 16 * 64 + 128 * 16 * 5);
  hs_graph_free(g);
}
END_TEST

/* A convolution that is cut by channels loses what its parts do, which nothing else makes: 0.5 · 32 = 16 each. */
START_TEST(prune_split)
{
  struct hs_graph *g = prune(RIG_NET(IN, "'z'",
    CONV("a", "i", 64, 3) ", {'name': 's', 'op': 'Split', 'inputs': ['a'], 'outputs': ['s1', 's2'], 'axis': 3, 'sizes': [32, 32]}, "
    CONV("b", "s1", 32, 3) ", " CONV("c", "s2", 32, 3) OP("j", "Concat", "'b', 'c'", ", 'axis': 3") ", " CONV("z", "j", 10, 1)), 0.5);
  ck_assert_int_eq(channels(g, "a"), 32);
  ck_assert_int_eq(channels(g, "b"), 16);
  DERIVE("MACs", hs_graph_macs(g), 64 * (9. * 3 * 32 + 2 * 9 * 16 * 16 + 32 * 10));
  hs_graph_free(g);
}
END_TEST

/* A list of boxes has the numbers of one box as channels, which stay: so do those of the map that it is made of, and the others lose theirs. */
START_TEST(prune_list)
{
  struct hs_graph *g = prune(RIG_NET(IN, "'r', 'k'",
    CONV("a", "i", 32, 3) ", " CONV("b", "a", 32, 3) OP("r", "Reshape", "'b'", ", 'shape': [1, 256, 8]") ", " CONV("k", "a", 5, 1)), 0.5);
  ck_assert_int_eq(channels(g, "a"), 16);
  ck_assert_int_eq(channels(g, "b"), 32);
  DERIVE("MACs", hs_graph_macs(g), 64 * 9. * 3 * 16 + 64 * 9. * 16 * 32 + 64 * 16 * 5);
  hs_graph_free(g);
}
END_TEST

/* A whole of one part is that part. */
START_TEST(prune_one_part)
{
  static const char *const alone[] = {
    RIG_NET(IN, "'z'", CONV("p", "i", 32, 3) OP("c", "Concat", "'p'", "") OP("s", "Add", "'c', 'p'", "") ", " CONV("z", "s", 9, 1)),
    RIG_NET(IN, "'z'", CONV("p", "i", 32, 3) OP("c", "SpaceToDepth", "'p'", ", 'block_size': 1") OP("s", "Add", "'c', 'p'", "") ", " CONV("z", "s", 9, 1)),
  };
  struct hs_graph *g = prune(alone[_i], 0.5);
  ck_assert_int_eq(channels(g, "c"), 16);
  hs_graph_free(g);
}
END_TEST

/* Eight groups of 12 channels over two parts of 48, or three of 32: parts lose whole groups, and a group that both have keeps all. */
START_TEST(prune_groups_over_parts)
{
  static const struct {
    const char *net;
    int kept;
  } cases[] = {
    {RIG_NET(IN, "'z'", CONV("p", "i", 32, 3) ", " CONV("a", "p", 48, 3) ", " CONV("b", "p", 48, 3) OP("c", "Concat", "'a', 'b'", "")
             OP("d", "Conv", "'c'", ", 'channels': 96, 'kernel': [3, 3], 'group': 8") ", " CONV("z", "d", 9, 1)), 24},
    {RIG_NET(IN, "'z'", CONV("p", "i", 32, 3) ", " CONV("a", "p", 48, 3) ", " CONV("b", "p", 48, 3) OP("c", "Concat", "'a', 'b'", "")
             OP("d", "Conv", "'c'", ", 'channels': 96, 'kernel': [3, 3], 'group': 3") ", " CONV("z", "d", 9, 1)), 48},
  };
  struct hs_graph *g = prune(cases[_i].net, 0.5);
  ck_assert_int_eq(channels(g, "a"), cases[_i].kept);
  ck_assert_int_eq(channels(g, "d") / find(g, "d")->at.group, _i ? 32 : 12);
  hs_graph_free(g);
}
END_TEST

/* Six groups of 24 channels over a Concat and a convolution's: what makes up the Concat, which comes before, loses whole groups, too. 0.7 · 48 is 33.6: 24. */
START_TEST(prune_groups_over_parts_of_parts)
{
  struct hs_graph *g = prune(RIG_NET(IN, "'z'",
    CONV("a", "i", 48, 1) ", " CONV("b", "i", 48, 1) OP("t", "Concat", "'a', 'b'", ", 'axis': 3") ", " CONV("d", "i", 48, 1)
    OP("u", "Concat", "'t', 'd'", ", 'axis': 3") OP("e", "Conv", "'u'", ", 'channels': 144, 'kernel': [3, 3], 'group': 6") ", " CONV("z", "e", 9, 1)), 0.3);
  static const char *const parts[] = {"a", "b", "d"};
  for (int i = 0; i < 3; i++) ck_assert_int_eq(channels(g, parts[i]), 24);
  ck_assert_int_eq(channels(g, "e"), 72);
  ck_assert_int_eq(find(g, "e")->at.group, 3);
  hs_graph_free(g);
}
END_TEST

/* What needs every channel of `a` in its place: that keeps them, and what is before it loses its own. */
#define BEFORE CONV("p", "i", 32, 3) ", " CONV("a", "p", 32, 3)
static const char *const whole[] = {
  RIG_NET(IN, "'z'", BEFORE OP("t", "Transpose", "'a'", ", 'perm': [0, 3, 1, 2]") OP("z", "Relu", "'t'", "")),
  RIG_NET(IN, "'z'", BEFORE OP("z", "ArgMax", "'a'", "")),
  RIG_NET(IN, "'z'", BEFORE OP("r", "Reshape", "'a'", ", 'shape': [1, 64, 32]") ", " CONV("b", "p", 16, 3) OP("q", "Reshape", "'b'", ", 'shape': [1, 64, 16]")
          OP("z", "DetectionPostProcess", "'r', 'q'", ", 'detections': 4")),
  RIG_NET(IN, "'z'", CONV("p", "i", 32, 3) ", " CONV("b", "p", 16, 3) OP("q", "Reshape", "'b'", ", 'shape': [1, 64, 16]") ", " CONV("a", "p", 32, 3)
          OP("r", "Reshape", "'a'", ", 'shape': [1, 64, 32]") OP("z", "DetectionPostProcess", "'q', 'r'", ", 'detections': 4")),
  RIG_NET(IN, "'z'", BEFORE OP("z", "Slice", "'a'", ", 'begin': [0, 0, 0, 8], 'size': [1, 8, 8, 8]")),
  RIG_NET(IN, "'z'", BEFORE OP("b", "Conv", "'a'", ", 'channels': 64, 'kernel': [3, 3], 'group': 4") ", " CONV("z", "b", 9, 1)),
  RIG_NET(IN, "'z'", BEFORE OP("z", "DepthwiseConv", "'a'", ", 'kernel': [3, 3], 'multiplier': 2")),
  RIG_NET(RIG_IN("i", "1, 1, 8, 3") "," RIG_IN("k", "1, 1, 32, 5"), "'z'", CONV("p", "i", 32, 1) ", " CONV("a", "p", 32, 1) OP("z", "MatMul", "'a', 'k'", "")),
  RIG_NET(RIG_IN("i", "1, 1, 8, 3") "," RIG_IN("k", "1, 1, 5, 8"), "'z'", CONV("p", "i", 32, 1) ", " CONV("a", "p", 32, 1) OP("z", "MatMul", "'k', 'a'", "")),
  /* and what such an operator makes, joined with a convolution's: Transpose, Pad, two results of each channel */
  RIG_NET(RIG_IN("i", "1, 32, 32, 3"), "'z'", CONV("p", "i", 32, 1) ", " CONV("b", "p", 32, 1)
          OP("t", "Transpose", "'b'", ", 'perm': [0, 3, 1, 2]") ", " CONV("a", "p", 32, 1) OP("s", "Add", "'t', 'a'", "") ", " CONV("z", "s", 9, 1)),
  RIG_NET(IN, "'z'", CONV("p", "i", 32, 3) ", " CONV("b", "p", 24, 3) OP("t", "Pad", "'b'", ", 'pads': [[0, 0], [0, 0], [0, 0], [0, 8]]") ", "
          CONV("a", "p", 32, 3) OP("s", "Add", "'t', 'a'", "") ", " CONV("z", "s", 9, 1)),
  RIG_NET(IN, "'z'", CONV("p", "i", 32, 3) ", " CONV("b", "p", 16, 3) OP("t", "DepthwiseConv", "'b'", ", 'kernel': [3, 3], 'pad': 'same', 'multiplier': 2") ", "
          CONV("a", "p", 32, 3) OP("s", "Add", "'t', 'a'", "") ", " CONV("z", "s", 9, 1)),
  RIG_NET(RIG_IN("i", "1, 3, 3, 3"), "'z'", BEFORE OP("z", "Reshape", "'a'", ", 'shape': [1, 3, 4, 24]")),
  RIG_NET(IN, "'z'", BEFORE ", " CONV("b", "i", 16, 3) OP("c", "Concat", "'a', 'b'", "") OP("d", "Concat", "'b', 'a'", "") /* divided at 32 and at 16 */
          OP("s", "Add", "'c', 'd'", "") ", " CONV("z", "s", 9, 1)),
};

START_TEST(prune_keeps_what_is_needed_whole)
{
  struct hs_graph *g = prune(whole[_i], 0.5);
  ck_assert_int_eq(channels(g, "p"), 16);
  ck_assert_int_eq(channels(g, "a"), 32);
  hs_graph_free(g);
}
END_TEST

static const struct {
  const char *net, *why;
} refused[] = {
  {RIG_NET(IN, "'z'", CONV("z", "i", 32, 3)), "no convolution would lose channels"},
  {RIG_NET(IN, "'z'", CONV("a", "i", 32, 3) OP("r", "Relu", "'a'", "") OP("z", "Softmax", "'r'", "")), "no convolution would lose channels"},
  {RIG_NET(IN, "'z'", CONV("a", "i", 8, 3) ", " CONV("z", "a", 9, 3)), "no convolution would lose channels"},
  {RIG_NET(IN, "'z'", CONV("a", "i", 32, 3) OP("t", "Transpose", "'a'", ", 'perm': [0, 3, 1, 2]") OP("z", "Relu", "'t'", "")),
   "no convolution would lose channels"},
};

START_TEST(prune_refuses)
{
  char why[300] = "";
  struct hs_graph *g = rig_read_graph(refused[_i].net);
  ck_assert_msg(hs_pass_prune(g, 0.5, why, sizeof why) == NULL, "accepted: %s", refused[_i].net);
  ck_assert_str_eq(why, refused[_i].why);
  hs_graph_free(g);
}
END_TEST

static void fill(TCase *t)
{
  tcase_add_test(t, prune_chain);
  tcase_add_test(t, prune_rounds);
  tcase_add_test(t, prune_element_wise);
  tcase_add_test(t, prune_concat);
  tcase_add_test(t, prune_maps_of_rows);
  tcase_add_test(t, prune_groups);
  tcase_add_test(t, prune_groups_that_meet);
  tcase_add_test(t, prune_others);
  tcase_add_test(t, prune_cut_and_unfolded);
  tcase_add_test(t, prune_split);
  tcase_add_test(t, prune_list);
  tcase_add_loop_test(t, prune_one_part, 0, 2);
  tcase_add_loop_test(t, prune_groups_over_parts, 0, 2);
  tcase_add_test(t, prune_groups_over_parts_of_parts);
  tcase_add_loop_test(t, prune_keeps_what_is_needed_whole, 0, (int)(sizeof whole / sizeof *whole));
  tcase_add_loop_test(t, prune_refuses, 0, (int)(sizeof refused / sizeof *refused));
}

int main(void) { return hs_test_main("pass_prune", fill); }
