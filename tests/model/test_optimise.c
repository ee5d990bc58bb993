/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Optimisation passes: what --opt takes, what low rank and fusion do to small networks (MACs and parameters by hand), how passes compose, and what they do
 * to every network that ships. Pruning: test_pass_prune.c. */
#include "tests/model/passes.h"

#include "input/catalog.h"
#include "plan/optimise.h"
#include "program/setup.h"

/* --- low rank --- */

START_TEST(lowrank_two)
{
  char why[300] = "";
  struct hs_graph *g = rig_read_graph(RIG_NET(RIG_IN("i", "1, 9, 7, 12"), "'z'",
    "{'name': 'a', 'op': 'Conv', 'inputs': ['i'], 'channels': 20, 'kernel': [3, 5], 'stride': [2, 1], 'pad': 'same'}"
    OP("r", "Relu", "'a'", "") ", " CONV("b", "r", 20, 1) OP("d", "DepthwiseConv", "'b'", ", 'kernel': [3, 3]")
    OP("z", "Gemm", "'d'", ", 'channels': 30")));
  struct hs_graph *out = hs_pass_lowrank(g, 0.35, why, sizeof why);
  ck_assert_msg(out != NULL, "%s", why);
  check_valid(out);
  check_ends(g, out);
  /* R = min(3·5·12, 20) = 20, r = 7; fully connected: 3·5·20 = 300 features, R = 30, r = 10.5 → 11 */
  DERIVE("MACs of both", find(out, "a_rank7")->macs + find(out, "a")->macs, 5 * 7 * 7. * (180 + 20));
  DERIVE("as the formula has it", (find(out, "a_rank7")->macs + find(out, "a")->macs) / find(g, "a")->macs, 7. * (180 + 20) / (180 * 20));
  DERIVE("parameters, one bias", (double)(find(out, "a_rank7")->params + find(out, "a")->params), 7 * 180 + 7 * 20 + 20.);
  DERIVE("fully connected", (double)(find(out, "z_rank11")->params + find(out, "z")->params), 11 * 300 + 11 * 30 + 30.);
  ck_assert_int_eq(out->n_ops, g->n_ops + 2); /* not the 1x1, not the depthwise one */
  ck_assert_int_eq(find(out, "r")->inputs[0], find(out, "a")->outputs[0]);
  hs_graph_free(out);
  hs_graph_free(g);
}
END_TEST

/* Rank 8 of 9·3 = 27 by 16: 8 · 43 = 344 < 432; rank 11 takes 473: stays, as does rank 96 of 192 by 192, 96 · 384 = 192 · 192. */
START_TEST(lowrank_saves_or_stays)
{
  char why[300] = "";
  struct hs_graph *g = rig_read_graph(RIG_NET(IN, "'z'", CONV("z", "i", 16, 3))), *out;
  ck_assert_ptr_null(hs_pass_lowrank(g, 0.66, why, sizeof why));
  ck_assert_str_eq(why, "no operator would take fewer MACs");
  ck_assert_ptr_nonnull(out = hs_pass_lowrank(g, 0.5, why, sizeof why));
  DERIVE("MACs", hs_graph_macs(out), 64 * 344.);
  hs_graph_free(out);
  ck_assert_ptr_nonnull(out = hs_pass_lowrank(g, 0.01, why, sizeof why)); /* rank 1 at least */
  DERIVE("MACs", hs_graph_macs(out), 64 * 43.);
  hs_graph_free(out);
  hs_graph_free(g);
  g = rig_read_graph(RIG_NET(IN, "'z'", RIG_OP("z", "Gemm", "'i'", ", 'channels': 192")));
  ck_assert_ptr_null(hs_pass_lowrank(g, 0.5, why, sizeof why));
  ck_assert_ptr_nonnull(out = hs_pass_lowrank(g, 0.49, why, sizeof why));
  DERIVE("MACs", hs_graph_macs(out), 94 * 384.);
  hs_graph_free(out);
  hs_graph_free(g);
}
END_TEST

/* Where the file says that a convolution doesn't run, neither of the two does that take its place. */
START_TEST(lowrank_runs_where_it_did)
{
  char why[300] = "";
  struct hs_graph *g = rig_read_graph(RIG_NET(IN, "'z'", "{'name': 'z', 'op': 'Conv', 'inputs': ['i'], 'channels': 16, 'kernel': [3, 3], "
                                                         "'support': {'gpu': false, 'dsp': true}}"));
  struct hs_graph *out = hs_pass_lowrank(g, 0.5, why, sizeof why);
  ck_assert_msg(out != NULL && out->n_ops == 2, "%s", why);
  for (int i = 0; i < 2; i++)
    for (int k = 0; k < HS_KIND_N; k++) ck_assert_int_eq(out->ops[i].override[k], g->ops[0].override[k]);
  hs_graph_free(out);
  hs_graph_free(g);
}
END_TEST

/* --- fusion: each rule, and where it must not apply --- */

#define C5 ", 'channels': 3, 'kernel': [3, 3]"
static const struct {
  const char *net;
  int left, fused; /* operators, operators that are fused to others */
  int params;      /* change of parameters */
} rules[] = {
  /* batch normalization: weights take it; a bias where there was none */
  {RIG_NET(IN, "'b'", CONV("a", "i", 6, 3) OP("b", "BatchNormalization", "'a'", "")), 1, 0, -12},
  {RIG_NET(IN, "'b'", RIG_OP("a", "Conv", "'i'", ", 'channels': 6, 'kernel': [1, 1], 'bias': false") OP("b", "BatchNormalization", "'a'", "")), 1, 0, -6},
  {RIG_NET(IN, "'r'", CONV("a", "i", 6, 3) OP("b", "BatchNormalization", "'a'", "") OP("r", "Relu", "'b'", "")), 1, 1, -12},
  {RIG_NET(IN, "'b'", RIG_OP("a", "Gemm", "'i'", ", 'channels': 6") OP("b", "BatchNormalization", "'a'", "")), 1, 0, -12},
  {RIG_NET(IN, "'b', 'a'", CONV("a", "i", 6, 3) OP("b", "BatchNormalization", "'a'", "")), 2, 0, 0},
  {RIG_NET(IN, "'b'", CONV("a", "i", 6, 3) OP("r", "Relu", "'a'", "") OP("b", "BatchNormalization", "'r'", "")), 1, 2, 0}, /* not linear before it: computed */
  /* after a pooling there are no weights to take it: computed, with its parameters */
  {RIG_NET(IN, "'b'", RIG_OP("a", "MaxPool", "'i'", ", 'kernel': [2, 2]") OP("b", "BatchNormalization", "'a'", "")), 1, 1, 0},
  /* padding */
  {RIG_NET(IN, "'a'", RIG_OP("p", "Pad", "'i'", ", 'pads': [[0, 0], [1, 2], [0, 1], [0, 0]]") ", " CONV("a", "p", 6, 3)), 1, 0, 0},
  {RIG_NET(IN, "'a'", RIG_OP("p", "Pad", "'i'", ", 'pads': [[0, 0], [1, 2], [0, 1], [0, 0]], 'mode': 'reflect'") ", " CONV("a", "p", 6, 3)), 2, 0, 0},
  {RIG_NET(IN, "'a'", RIG_OP("p", "Pad", "'i'", ", 'pads': [[0, 0], [1, 1], [1, 1], [0, 1]]") ", " CONV("a", "p", 6, 3)), 2, 0, 0},
  {RIG_NET(IN, "'a'", RIG_OP("p", "Pad", "'i'", ", 'pads': [[0, 0], [1, 1], [1, 1], [0, 0]]") OP("a", "MaxPool", "'p'", ", 'kernel': [3, 3]")), 2, 0, 0},
  {RIG_NET(IN, "'a'", RIG_OP("p", "Pad", "'i'", ", 'pads': [[0, 1], [1, 1], [1, 1], [0, 0]]") ", " CONV("a", "p", 6, 3)), 2, 0, 0}, /* images */
  /* element by element */
  {RIG_NET(IN, "'r'", RIG_OP("a", "Add", "'i', 'i'", "") OP("r", "Relu", "'a'", "")), 1, 1, 0},
  {RIG_NET(IN, "'r'", CONV("a", "i", 6, 3) OP("r", "HardSwish", "'a'", "")), 1, 1, 0},
  {RIG_NET(IN, "'r'", CONV("a", "i", 6, 3) OP("r", "PRelu", "'a'", "")), 1, 1, 0},
  {RIG_NET(IN, "'r'", RIG_OP("a", "AveragePool", "'i'", ", 'kernel': [2, 2]") OP("r", "Tanh", "'a'", "")), 1, 1, 0},
  {RIG_NET(IN, "'r'", RIG_OP("a", "Concat", "'i', 'i'", "") OP("r", "Relu", "'a'", "")), 2, 0, 0},
  {RIG_NET(IN, "'r', 'q'", RIG_OP("a", "Add", "'i', 'i'", "") OP("r", "Relu", "'a'", "") OP("q", "Tanh", "'a'", "")), 3, 0, 0},
  {RIG_NET(IN, "'r'", RIG_OP("a", "Add", "'i', 'i'", ", 'support': {'gpu': false}") OP("r", "Relu", "'a'", "")), 2, 0, 0},
  /* x · sigmoid(x) */
  {RIG_NET(IN, "'m'", CONV("a", "i", 6, 3) OP("s", "Sigmoid", "'a'", "") OP("m", "Mul", "'a', 's'", "")), 1, 2, 0},
  {RIG_NET(IN, "'m'", CONV("a", "i", 6, 3) OP("s", "Sigmoid", "'a'", "") OP("m", "Mul", "'s', 'a'", "")), 1, 2, 0},
  {RIG_NET(IN, "'m', 'n'", CONV("a", "i", 6, 3) OP("s", "Sigmoid", "'a'", "") OP("m", "Mul", "'s', 'a'", "")
           OP("n", "MaxPool", "'a'", ", 'kernel': [2, 2]")), 3, 1, 0},
  {RIG_NET(IN, "'m'", CONV("a", "i", 6, 3) OP("s", "Concat", "'a'", "") OP("m", "Mul", "'s', 'a'", "")), 3, 0, 0},
  /* a shortcut that was there before */
  {RIG_NET(IN, "'s'", CONV("a", "i", 3, 3) OP("s", "Add", "'a', 'i'", "")), 1, 1, 0},
  {RIG_NET(IN, "'r'", CONV("a", "i", 3, 3) OP("s", "Add", "'i', 'a'", "") OP("r", "Relu", "'s'", "")), 1, 2, 0},
  {RIG_NET(IN, "'s'", CONV("a", "i", 6, 3) ", " CONV("b", "i", 6, 1) OP("s", "Add", "'a', 'b'", "")), 2, 1, 0}, /* the later one */
  /* of another shape */
  {RIG_NET(IN, "'s'", CONV("a", "i", 6, 3) OP("p", "GlobalAveragePool", "'i'", "") ", " CONV("b", "p", 6, 1) OP("s", "Add", "'a', 'b'", "")), 4, 0, 0},
  {RIG_NET(IN, "'s'", RIG_OP("p", "GlobalAveragePool", "'i'", "") ", " CONV("b", "p", 6, 1) ", " CONV("a", "i", 6, 3) OP("s", "Add", "'a', 'b'", "")), 4, 0, 0},
  {RIG_NET(IN, "'s'", CONV("a", "i", 6, 3) OP("s", "Add", "'a', 'a'", "")), 2, 0, 0},
  {RIG_NET(IN, "'s'", RIG_OP("a", "Conv", "'i'", ", 'channels': 3, 'kernel': [1, 1], 'group': 3")
           OP("b", "Pad", "'i'", ", 'pads': [[0, 0], [1, 1], [1, 1], [0, 0]]")
           OP("c", "MaxPool", "'b'", ", 'kernel': [3, 3]") OP("s", "Add", "'a', 'c'", "")), 4, 0, 0}, /* made after the convolution */
  {RIG_NET(IN, "'s'", CONV("a", "i", 6, 3) OP("b", "Conv", "'a'", ", 'channels': 6, 'kernel': [1, 1], 'group': 2")
           OP("s", "Add", "'a', 'b'", "")), 3, 0, 0}, /* of groups: no kernel adds */
  /* an input that no operator reads, an output as it is, stays one */
  {RIG_NET(IN ", " RIG_IN("u", "1, 2, 2, 1"), "'r', 'u'", CONV("a", "i", 6, 3) OP("r", "HardSwish", "'a'", "")), 1, 1, 0},
  /* no more than an operator can hold */
  {RIG_NET(IN, "'f'", CONV("a", "i", 6, 3) OP("b", "Elu", "'a'", "") OP("c", "Elu", "'b'", "") OP("d", "Elu", "'c'", "")
           OP("e", "Elu", "'d'", "") OP("f", "Elu", "'e'", "")), 2, 4, 0},
};

START_TEST(fusion_rules)
{
  struct rig r;
  rig_open(&r, "mace");
  struct hs_graph *file = rig_read_graph(rules[_i].net), *g = hs_pass_fuse(file, r.sys.runtime), *out = hs_pass_rules(&r.sys, g);
  bool nothing = rules[_i].left == g->n_ops && rules[_i].params == 0;
  ck_assert_msg((out == NULL) == nothing, "%s: %s", out ? "applied" : "not applied", rules[_i].net);
  const struct hs_graph *result = out ? out : g;
  int fused = 0;
  for (int i = 0; i < result->n_ops; i++) fused += result->ops[i].n_fused;
  check_valid(result);
  check_ends(g, result);
  ck_assert_msg(result->n_ops == rules[_i].left, "%d operators: %s", result->n_ops, rules[_i].net);
  ck_assert_msg(fused == rules[_i].fused, "%d fused: %s", fused, rules[_i].net);
  ck_assert_msg(hs_graph_params(result) == hs_graph_params(g) + rules[_i].params, "%lld parameters: %s", (long long)hs_graph_params(result), rules[_i].net);
  ck_assert_double_eq(hs_graph_macs(result), hs_graph_macs(g));
  for (int i = 0; out && i < out->n_ops; i++) { /* as passes of policies do, which change shapes */
    struct hs_operator again = out->ops[i];
    char why[160];
    ck_assert(hs_op_infer(out, &again, why, sizeof why));
    ck_assert_msg(again.params == out->ops[i].params, "%lld parameters inferred of %s: %s", (long long)again.params, again.name, rules[_i].net);
  }
  if (out) ck_assert_ptr_null(hs_pass_rules(&r.sys, out)); /* all at once */
  hs_graph_free(out);
  hs_graph_free(g);
  hs_graph_free(file);
  rig_close(&r);
}
END_TEST

#define TABLE(ops) "{'format': 'hetsim-op-support/1', 'name': 't', 'title': 't', 'source': 's', 'ops': {" ops "}}"
#define RUNS(op) "'" op "': {'support': true}"

static const struct {
  const char *npu; /* what it runs; everything else runs all */
  const char *net;
  int left;
} alone[] = {
  {TABLE(RUNS("Conv")), RIG_NET(IN, "'r'", CONV("a", "i", 6, 3) OP("r", "HardSwish", "'a'", "")), 2},
  {TABLE(RUNS("HardSwish")), RIG_NET(IN, "'r'", CONV("a", "i", 6, 3) OP("r", "HardSwish", "'a'", "")), 1},
  {TABLE(RUNS("Conv") ", " RUNS("HardSwish")), RIG_NET(IN, "'r'", CONV("a", "i", 6, 3) OP("r", "HardSwish", "'a'", "")), 1},
  {TABLE(RUNS("Conv") ", 'HardSwish': {'support': true, 'when': [{'field': 'output_channels', 'max': 5}]}"),
   RIG_NET(IN, "'r'", CONV("a", "i", 6, 3) OP("r", "HardSwish", "'a'", "")), 2},
  {TABLE(RUNS("Conv")), RIG_NET(IN, "'s'", CONV("a", "i", 3, 3) OP("s", "Add", "'a', 'i'", "")), 2},
  {TABLE(RUNS("Sigmoid")), RIG_NET(IN, "'m'", RIG_OP("s", "Sigmoid", "'i'", "") OP("m", "Mul", "'i', 's'", "")), 2},
  /* into the weights goes what the NPU needn't run, but not what was joined to it */
  {TABLE(RUNS("Conv")), RIG_NET(IN, "'b'", CONV("a", "i", 6, 3) OP("b", "BatchNormalization", "'a'", "")), 1},
  {TABLE(RUNS("Conv")), RIG_NET(IN, "'r'", CONV("a", "i", 6, 3) OP("b", "BatchNormalization", "'a'", "") OP("r", "Relu", "'b'", "")), 2},
  {TABLE(RUNS("Conv") ", " RUNS("Relu")), RIG_NET(IN, "'r'", CONV("a", "i", 6, 3) OP("b", "BatchNormalization", "'a'", "") OP("r", "Relu", "'b'", "")), 1},
};

/* Nothing joins an operator that a processor runs, and not what joins it. */
START_TEST(fusion_keeps_processors)
{
  struct rig r;
  struct hs_error err;
  struct hs_op_support *npu = NULL;
  rig_open(&r, "tflite");
  char *table = hs_test_json(alone[_i].npu);
  hs_test_accepted(hs_op_support_parse("t.json", table, strlen(table), &npu, &err), &err);
  r.sys.backends[NPU].support = npu;
  struct hs_graph *file = rig_read_graph(alone[_i].net), *g = hs_pass_fuse(file, r.sys.runtime), *out = hs_pass_rules(&r.sys, g);
  ck_assert_msg((out ? out : g)->n_ops == alone[_i].left, "%d operators: %s", (out ? out : g)->n_ops, alone[_i].net);
  hs_graph_free(out);
  hs_graph_free(g);
  hs_graph_free(file);
  hs_op_support_free(npu);
  free(table);
  rig_close(&r);
}
END_TEST

/* The padding of both, where it was: [1, 2] rows of the Pad and 1 + 1 of "same". */
START_TEST(padding_adds_up)
{
  struct hs_graph *g = rig_read_graph(RIG_NET(IN, "'a'", RIG_OP("p", "Pad", "'i'", ", 'pads': [[0, 0], [1, 2], [0, 1], [0, 0]]") ", " CONV("a", "p", 6, 3)));
  struct rig r;
  rig_open(&r, "mace");
  struct hs_graph *out = hs_pass_rules(&r.sys, g);
  static const int64_t pad[4] = {2, 1, 3, 2};
  for (int d = 0; d < 4; d++) ck_assert_int_eq(out->ops[0].at.pad[d], pad[d]);
  hs_graph_free(out);
  hs_graph_free(g);
  rig_close(&r);
}
END_TEST

/* The shortcut is read by whoever writes the rows it is added to, and costs its bytes; nothing else changes. */
START_TEST(residual_costs_its_operand)
{
  struct rig r;
  rig_open(&r, "mace");
  rig_read_network(&r, RIG_NET(RIG_IN("i", "1, 8, 8, 6"), "'s'", CONV("a", "i", 6, 3) OP("s", "Add", "'a', 'i'", "")));
  struct hs_graph *out = hs_pass_rules(&r.sys, r.graph);
  const struct hs_range rows = {HS_SPLIT_HEIGHT, 2, 5}, channels4 = {HS_SPLIT_CHANNEL, 1, 5}, all = {HS_SPLIT_NONE, 0, 1};
  struct hs_work alone, fused;
  struct hs_range of_data = hs_input_range(out, &out->ops[0], 0, rows);
  ck_assert(of_data.split == HS_SPLIT_HEIGHT && of_data.begin == 1 && of_data.end == 6);
  struct hs_range of_rows = hs_input_range(out, &out->ops[0], 1, rows), of_channels = hs_input_range(out, &out->ops[0], 1, channels4);
  ck_assert(of_rows.split == HS_SPLIT_HEIGHT && of_rows.begin == 2 && of_rows.end == 5);
  ck_assert(of_channels.split == HS_SPLIT_CHANNEL && of_channels.begin == 1 && of_channels.end == 5);
  hs_cost_exec(&r.sys, r.graph, &r.graph->ops[0], CPU, all, &alone);
  hs_cost_exec(&r.sys, out, &out->ops[0], CPU, all, &fused);
  DERIVE("cycles of the convolution", fused.cycles[0], alone.cycles[0]);
  DERIVE("bytes: 1.3 · 4 · the operand's elements more", fused.bytes - alone.bytes, 1.3 * 4 * 8 * 8 * 6);
  hs_graph_free(out);
  rig_close(&r);
}
END_TEST

/* --- the list --- */

static const struct {
  const char *list, *message;
} lists[] = {
  {"", "--opt: a pass has no name; write PASS or PASS,PASS, as in prune=0.3,fuse"},
  {"fuse,", "--opt: a pass has no name; write PASS or PASS,PASS, as in prune=0.3,fuse"},
  {"pruen=0.3", "--opt: there is no pass \"pruen\"; did you mean prune? (there are: prune, lowrank, quantize, fuse, memplan, reuse)"},
  {"fuse,memplan,fuse", "--opt: fuse is named twice"},
  {"prune=0x1p-1", "--opt: prune=0x1p-1: it takes a ratio between 0 and 1, as in 0.3"},
  {"prune=0.3,prune=0.4", "--opt: prune is named twice"},
  {"prune", "--opt: prune: it takes a ratio between 0 and 1, as in 0.3"},
  {"prune=", "--opt: prune=: it takes a ratio between 0 and 1, as in 0.3"},
  {"prune=0", "--opt: prune=0: it takes a ratio between 0 and 1, as in 0.3"},
  {"prune=1", "--opt: prune=1: it takes a ratio between 0 and 1, as in 0.3"},
  {"prune=nan", "--opt: prune=nan: it takes a ratio between 0 and 1, as in 0.3"},
  {"prune=0.3x", "--opt: prune=0.3x: it takes a ratio between 0 and 1, as in 0.3"},
  {"lowrank=-0.5", "--opt: lowrank=-0.5: it takes a ratio between 0 and 1, as in 0.3"},
  {"quantize", "--opt: quantize: it takes int8 or fp16"},
  {"quantize=fp32", "--opt: quantize=fp32: it takes int8 or fp16"},
  {"fuse=1", "--opt: fuse=1: it takes no value"},
  {"reuse=frame", "--opt: reuse=frame: it takes a ratio between 0 and 1, the share of a frame's rows that stays, or 1 or 2, the setups that were published"},
  {"prune=0.300000000000000000000000", "--opt: \"prune=0.300000000000000000000000\xe2\x80\xa6\" is longer than any pass with its value"}, /* 32 characters */
  {"prune=0.30000000000000000000000000000000001", "--opt: \"prune=0.30000000000000000000000000000000\xe2\x80\xa6\" is longer than any pass with its value"},
};

START_TEST(list_refused)
{
  struct hs_optimisations o;
  struct hs_error err = {0};
  rig_refused(hs_optimisations_parse(lists[_i].list, &o, &err), &err, HS_USAGE, lists[_i].message);
}
END_TEST

START_TEST(list_accepted)
{
  struct hs_optimisations o;
  struct hs_error err = {0};
  hs_test_accepted(hs_optimisations_parse(NULL, &o, &err), &err);
  ck_assert_int_eq(o.n, 0);
  hs_test_accepted(hs_optimisations_parse("memplan,lowrank=0.25,quantize=int8,prune=3e-1,reuse=2", &o, &err), &err);
  ck_assert_int_eq(o.n, 5);
  ck_assert_int_eq((int)o.order[1], HS_OPT_LOWRANK);
  ck_assert_str_eq(o.text[3], "prune=3e-1");
  ck_assert_double_eq(o.ratio[HS_OPT_PRUNE], 0.3);
  ck_assert_double_eq(o.ratio[HS_OPT_LOWRANK], 0.25);
  ck_assert_str_eq(o.precision, "int8");
  ck_assert(o.on[HS_OPT_MEMPLAN] && !o.on[HS_OPT_FUSE]);
  ck_assert_double_eq(o.reuse->vmaf, 42);
}
END_TEST

/* --- together --- */

/* In the order in which they are given: 64 channels keep 48 and then have rank 24, or have rank 32, of which 24 are kept, as of the 64 48. */
START_TEST(order_counts)
{
  static const char *const list[] = {"prune=0.3,lowrank=0.5", "lowrank=0.5,prune=0.3"};
  struct hs_graph *g = rig_read_graph(RIG_NET(IN, "'z'", CONV("a", "i", 64, 3) ", " CONV("b", "a", 64, 3) ", " CONV("z", "b", 10, 1))), *out;
  for (int i = 0; i < 2; i++) {
    struct hs_optimisations o;
    struct hs_error err = {0};
    hs_test_accepted(hs_optimisations_parse(list[i], &o, &err), &err);
    hs_test_accepted(hs_optimise_frontend(&o, g, &out, &err), &err);
    check_valid(out);
    check_ends(g, out);
    /* a's windows have 27 inputs: rank 14 (13.5) of 27, pruned to 8 (9.8) where that comes after */
    double a = i ? 27 * 8 + 8 * 48 : 27 * 14 + 14 * 48, b = 9 * 48 * 24 + 24 * 48;
    DERIVE(list[i], hs_graph_macs(out), 64 * (a + b + 48 * 10));
    hs_graph_free(out);
  }
  hs_graph_free(g);
}
END_TEST

/* Of these nothing can be pruned: dense layers of transformers keep all channels, and so does whatever a sum joins with them; so do groups of which there
 * aren't as many behind a convolution, and channels that are padded with others. */
static bool is_unprunable(const char *name)
{
  static const char *const list[] = {"vit_b", "vit_msn_", "deit_", "beit_", "dinov2_", "swin", "focalnet_", "cvt_", "bert_", "tinybert", "mobilebert_",
                                     "alexnet_caffe", "shufflenet_v1", "blazeface"};
  for (size_t i = 0; i < sizeof list / sizeof *list; i++)
    if (strncmp(name, list[i], strlen(list[i])) == 0) return true;
  return false;
}

/* Every network that ships: each pass works, and does what it is for, or says why not. */
START_TEST(zoo)
{
  static const char *const list[] = {"prune=0.3", "prune=0.9", "lowrank=0.5", "lowrank=0.1", "prune=0.5,lowrank=0.25", "lowrank=0.25,prune=0.5"};
  struct hs_catalog c;
  struct hs_graph *g = NULL, *out = NULL;
  struct hs_error err;
  struct hs_optimisations o;
  hs_test_accepted(hs_catalog_open(&c, &err), &err);
  const char *name = c.names[HS_WORKLOADS][_i];
  hs_test_accepted(hs_catalog_workload(&c, name, &g, &err), &err);
  for (size_t k = 0; k < sizeof list / sizeof *list; k++) {
    hs_test_accepted(hs_optimisations_parse(list[k], &o, &err), &err);
    if (hs_optimise_frontend(&o, g, &out, &err) != HS_OK) {
      ck_assert_msg(is_unprunable(name) && o.on[HS_OPT_PRUNE], "%s", hs_test_message(&err));
      ck_assert_msg(strstr(hs_test_message(&err), "no convolution would lose channels") != NULL, "%s", hs_test_message(&err));
      ck_assert_int_eq(err.status, HS_INPUT);
      continue;
    }
    ck_assert(!is_unprunable(name) || o.on[HS_OPT_LOWRANK]); /* whose narrow middles can be */
    check_valid(out);
    check_ends(g, out);
    ck_assert_double_lt(hs_graph_macs(out), hs_graph_macs(g));
    ck_assert_int_lt(hs_graph_params(out), hs_graph_params(g));
    hs_graph_free(out);
  }
  struct rig r;
  rig_open(&r, "mace");
  struct hs_graph *fused = hs_pass_rules(&r.sys, g);
  if (fused) {
    check_valid(fused);
    check_ends(g, fused);
    ck_assert_double_eq(hs_graph_macs(fused), hs_graph_macs(g));
    ck_assert_int_lt(fused->n_ops, g->n_ops);
    ck_assert_ptr_null(hs_pass_rules(&r.sys, fused));
  }
  hs_graph_free(fused);
  rig_close(&r);
  hs_graph_free(g);
  hs_catalog_close(&c);
}
END_TEST

static void add_macs(const struct hs_setup *s, double *macs)
{
  for (int i = 0; i < s->graph->n_ops; i++)
    for (int p = 0; p < s->sys.soc->n_processors; p++)
      if (hs_system_supports(&s->sys, s->graph, &s->graph->ops[i], p, NULL, 0)) macs[p] += s->graph->ops[i].macs;
}

/* And so none on a phone computes less of any network. */
START_TEST(zoo_keeps_processors)
{
  static const char *const socs[] = {"kirin970", "sd855", "sd888", "tensor"};
  struct hs_catalog c;
  struct hs_error err;
  hs_test_accepted(hs_catalog_open(&c, &err), &err);
  double macs[2][HS_PROCESSORS_MAX] = {{0}};
  for (int fused = 0; fused < 2; fused++) {
    struct hs_setup s = {0};
    const struct hs_run_options options = {.soc = socs[_i % 4], .policy = "cpu", .runtime = "tflite", .model = c.names[HS_WORKLOADS][_i],
                                           .opt = fused ? "fuse" : NULL};
    enum hs_status status = hs_setup_system(&s, &options, &err);
    if (!status) status = hs_setup_networks(&s, &options, &err);
    ck_assert_msg(!status || strstr(hs_test_message(&err), "no rule applies"), "%s", hs_test_message(&err));
    if (!status) add_macs(&s, macs[fused]);
    for (int p = 0; p < HS_PROCESSORS_MAX && status; p++) macs[1][p] = macs[0][p];
    hs_setup_free(&s);
  }
  for (int p = 0; p < HS_PROCESSORS_MAX; p++)
    ck_assert_msg(macs[1][p] >= macs[0][p], "%s on %s, processor %d: %g of %g MACs", c.names[HS_WORKLOADS][_i], socs[_i % 4], p, macs[1][p], macs[0][p]);
  hs_catalog_close(&c);
}
END_TEST

/* Nothing can be asserted before tests run: one of them says why the catalogue can't be opened. */
static int n_networks(void)
{
  struct hs_catalog c;
  struct hs_error err;
  if (hs_catalog_open(&c, &err)) return 1;
  int n = c.n_names[HS_WORKLOADS];
  hs_catalog_close(&c);
  return n;
}

static void fill(TCase *t)
{
  tcase_add_test(t, lowrank_two);
  tcase_add_test(t, lowrank_saves_or_stays);
  tcase_add_test(t, lowrank_runs_where_it_did);
  tcase_add_loop_test(t, fusion_rules, 0, (int)(sizeof rules / sizeof *rules));
  tcase_add_loop_test(t, fusion_keeps_processors, 0, (int)(sizeof alone / sizeof *alone));
  tcase_add_test(t, padding_adds_up);
  tcase_add_test(t, residual_costs_its_operand);
  tcase_add_loop_test(t, list_refused, 0, (int)(sizeof lists / sizeof *lists));
  tcase_add_test(t, list_accepted);
  tcase_add_test(t, order_counts);
  tcase_add_loop_test(t, zoo, 0, n_networks());
  tcase_add_loop_test(t, zoo_keeps_processors, 0, n_networks());
}

int main(void) { return hs_test_main("optimise", fill); }
