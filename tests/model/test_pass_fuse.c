/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which activations join the operator before, and what must not change when they do. */
#include "tests/model/rig.h"

#include "plan/pass.h"

#define CONV(name, in, more) "{'name': '" name "', 'op': 'Conv', 'inputs': ['" in "'], 'channels': 6, 'kernel': [3, 3]" more "}, "
#define ACT(name, op, in, more) "{'name': '" name "', 'op': '" op "', 'inputs': ['" in "']" more "}"
#define NET(outputs, ops) RIG_NET(RIG_IN("i", "1, 9, 9, 5"), outputs, ops)

static const struct {
  const char *net;
  int mace, tflite; /* operators left */
} cases[] = {
  {NET("'r'", CONV("c", "i", "") ACT("r", "Relu", "c", "")), 1, 1},
  {NET("'r'", CONV("c", "i", "") ACT("r", "Relu6", "c", "")), 1, 1},
  {NET("'r'", CONV("c", "i", "") ACT("r", "LeakyRelu", "c", "")), 1, 2}, /* MACE joins more activations */
  {NET("'r'", CONV("c", "i", "") ACT("r", "Sigmoid", "c", "")), 1, 2},
  {NET("'r'", CONV("c", "i", "") ACT("r", "Tanh", "c", "")), 1, 2},
  {NET("'r'", CONV("c", "i", "") ACT("r", "HardSwish", "c", "")), 2, 2}, /* nobody */
  {NET("'r'", CONV("c", "i", "") ACT("r", "PRelu", "c", "")), 2, 2},
  {NET("'r'", "{'name': 'c', 'op': 'DepthwiseConv', 'inputs': ['i'], 'kernel': [3, 3]}, " ACT("r", "Relu", "c", "")), 1, 1},
  {NET("'r'", "{'name': 'c', 'op': 'ConvTranspose', 'inputs': ['i'], 'channels': 4, 'kernel': [2, 2]}, " ACT("r", "Relu", "c", "")), 1, 2},
  {NET("'r'", "{'name': 'c', 'op': 'Gemm', 'inputs': ['i'], 'channels': 4}, " ACT("r", "Relu", "c", "")), 1, 1},
  {NET("'r'", "{'name': 'c', 'op': 'Add', 'inputs': ['i', 'i']}, " ACT("r", "Relu", "c", "")), 2, 1}, /* TFLite joins to more operators */
  {NET("'r'", "{'name': 'c', 'op': 'MaxPool', 'inputs': ['i'], 'kernel': [3, 3]}, " ACT("r", "Relu", "c", "")), 2, 1},
  {NET("'r'", ACT("c", "BatchNormalization", "i", "") ", " ACT("r", "Relu", "c", "")), 1, 1}, /* TFLite's sum at its end has it */
  {NET("'r'", ACT("c", "BatchNormalization", "i", "") ", " ACT("r", "LeakyRelu", "c", "")), 1, 2},
  {NET("'r'", "{'name': 'c', 'op': 'Div', 'inputs': ['i', 'i']}, " ACT("r", "Relu", "c", "")), 2, 1},
  {NET("'r'", "{'name': 'c', 'op': 'Max', 'inputs': ['i', 'i']}, " ACT("r", "Relu", "c", "")), 2, 2},
  {NET("'r'", ACT("r", "Relu", "i", "")), 1, 1},                                                    /* nobody before it */
  {NET("'s'", CONV("c", "i", "") ACT("r", "Relu", "c", "") ", " ACT("s", "Relu6", "r", "")), 2, 2}, /* the second's producer is no host */
  {NET("'r', 's'", CONV("c", "i", "") ACT("r", "Relu", "c", "") ", " ACT("s", "Relu6", "c", "")), 3, 3}, /* two readers */
  {NET("'s'", CONV("c", "i", "") ACT("r", "Relu", "c", "") ", {'name': 's', 'op': 'Add', 'inputs': ['c', 'r']}"), 3, 3},
  {NET("'r', 'c'", CONV("c", "i", "") ACT("r", "Relu", "c", "")), 2, 2}, /* what is before the activation is an output */
  {NET("'r'", CONV("c", "i", ", 'support': {'gpu': false}") ACT("r", "Relu", "c", "")), 2, 2}, /* other processors may run it */
  {NET("'r'", CONV("c", "i", ", 'support': {'gpu': false}") ACT("r", "Relu", "c", ", 'support': {'gpu': false}")), 1, 1},
  {NET("'r'", CONV("c", "i", ", 'support': {'gpu': false}") ACT("r", "Relu", "c", ", 'support': {'gpu': true}")), 2, 2},
  {NET("'r1', 'r2'", CONV("c1", "i", "") CONV("c2", "i", "") ACT("r2", "Relu", "c2", "") ", " ACT("r1", "Relu", "c1", "")), 2, 2}, /* not adjacent */
};

/* MACs, parameters and what leaves the graph stay. */
static void check_same(const struct hs_graph *g, const struct hs_graph *f)
{
  ck_assert_double_eq(hs_graph_macs(f), hs_graph_macs(g));
  ck_assert_int_eq(hs_graph_params(f), hs_graph_params(g));
  ck_assert_str_eq(f->name, g->name);
  ck_assert_str_eq(f->sha256, g->sha256);
  ck_assert_int_eq(f->n_inputs, g->n_inputs);
  ck_assert_int_eq(f->n_outputs, g->n_outputs);
  for (int i = 0; i < g->n_outputs; i++) {
    const struct hs_tensor *a = &g->tensors[g->outputs[i]], *b = &f->tensors[f->outputs[i]];
    ck_assert(b->is_output);
    ck_assert_int_eq(b->n_consumers, a->n_consumers);
    ck_assert_mem_eq(&a->shape, &b->shape, sizeof a->shape);
  }
  int fused = 0;
  for (int i = 0; i < f->n_ops; i++) {
    fused += f->ops[i].n_fused;
    for (int k = 0; k < f->ops[i].n_outputs; k++) ck_assert_int_eq(f->tensors[f->ops[i].outputs[k]].producer, i);
    for (int k = 0; k < f->ops[i].n_inputs; k++) ck_assert_int_lt(f->tensors[f->ops[i].inputs[k]].producer, i); /* still in order */
  }
  ck_assert_int_eq(f->n_ops + fused, g->n_ops);
  ck_assert_int_eq(f->n_tensors + fused, g->n_tensors);
}

START_TEST(what_joins)
{
  struct hs_graph *g = rig_read_graph(cases[_i].net);
  for (int k = 0; k < 2; k++) {
    struct hs_graph *f = hs_pass_fuse(g, hs_runtime_find(k ? "tflite" : "mace"));
    ck_assert_msg(f->n_ops == (k ? cases[_i].tflite : cases[_i].mace), "%d operators under %s: %s", f->n_ops, k ? "tflite" : "mace", cases[_i].net);
    check_same(g, f);
    hs_graph_free(f);
  }
  for (int i = 0; i < g->n_ops; i++) ck_assert_int_eq(g->ops[i].n_fused, 0); /* the input stays as it is */
  hs_graph_free(g);
}
END_TEST

/* Paddle-Lite joins HardSwish to all convolutions but depthwise ones (conv_activation_fuse_pass.cc), to nothing else, and no function that it hasn't. */
START_TEST(dense_only)
{
  static const struct {
    const char *net;
    int ops;
  } nets[] = {
    {NET("'r'", CONV("c", "i", "") ACT("r", "HardSwish", "c", "")), 1},
    {NET("'r'", CONV("c", "i", "") ACT("r", "Sigmoid", "c", "")), 2},
    {NET("'r'", "{'name': 'c', 'op': 'ConvTranspose', 'inputs': ['i'], 'channels': 4, 'kernel': [2, 2]}, " ACT("r", "HardSwish", "c", "")), 1},
    {NET("'r'", "{'name': 'c', 'op': 'DepthwiseConv', 'inputs': ['i'], 'kernel': [3, 3]}, " ACT("r", "HardSwish", "c", "")), 2},
    {NET("'r'", "{'name': 'c', 'op': 'Conv', 'inputs': ['i'], 'channels': 5, 'kernel': [3, 3], 'group': 5}, " ACT("r", "HardSwish", "c", "")), 2},
    {NET("'r'", "{'name': 'c', 'op': 'DepthwiseConv', 'inputs': ['i'], 'kernel': [3, 3]}, " ACT("r", "Relu6", "c", "")), 1},
    {NET("'r'", "{'name': 'c', 'op': 'Gemm', 'inputs': ['i'], 'channels': 4}, " ACT("r", "HardSwish", "c", "")), 2},
    {NET("'r'", "{'name': 'c', 'op': 'Add', 'inputs': ['i', 'i']}, " ACT("r", "HardSwish", "c", "")), 2},
  };
  for (size_t k = 0; k < sizeof nets / sizeof *nets; k++) {
    struct hs_graph *g = rig_read_graph(nets[k].net), *f = hs_pass_fuse(g, hs_runtime_find("paddle-lite"));
    ck_assert_msg(f->n_ops == nets[k].ops, "%d operators: %s", f->n_ops, nets[k].net);
    check_same(g, f);
    hs_graph_free(f);
    hs_graph_free(g);
  }
}
END_TEST

/* conv1 + relu → conv2 + relu → add(relu1, relu2): readers of an activation read its host. */
START_TEST(residual)
{
  struct hs_graph *g = rig_read_graph(RIG_NET(RIG_IN("i", "1, 9, 9, 6"), "'s'",
    "{'name': 'c1', 'op': 'Conv', 'inputs': ['i'], 'channels': 6, 'kernel': [1, 1], 'block': 1}, " ACT("r1", "Relu", "c1", ", 'block': 1") ", "
    "{'name': 'c2', 'op': 'Conv', 'inputs': ['r1'], 'channels': 6, 'kernel': [1, 1], 'block': 2}, " ACT("r2", "Relu6", "c2", ", 'block': 2") ", "
    "{'name': 's', 'op': 'Add', 'inputs': ['r1', 'r2'], 'block': 2}"));
  struct hs_graph *f = hs_pass_fuse(g, hs_runtime_find("mace"));
  check_same(g, f);
  hs_graph_free(g); /* the result owns all it needs */
  ck_assert_int_eq(f->n_ops, 3);
  ck_assert_str_eq(f->ops[0].name, "c1");
  ck_assert_str_eq(f->ops[1].name, "c2");
  ck_assert_str_eq(f->ops[2].name, "s");
  ck_assert_int_eq(f->ops[0].n_fused, 1);
  ck_assert_int_eq((int)f->ops[0].fused[0], HS_OP_RELU);
  ck_assert_int_eq((int)f->ops[1].fused[0], HS_OP_RELU6);
  ck_assert_int_eq(f->ops[1].block, 2);
  ck_assert_int_eq(f->ops[2].inputs[0], f->ops[0].outputs[0]);
  ck_assert_int_eq(f->ops[2].inputs[1], f->ops[1].outputs[0]);
  ck_assert_int_eq(f->ops[1].inputs[0], f->ops[0].outputs[0]);
  ck_assert_int_eq(f->tensors[f->ops[0].outputs[0]].n_consumers, 2);
  ck_assert_int_eq(f->tensors[f->ops[1].outputs[0]].n_consumers, 1);
  hs_graph_free(f);
}
END_TEST

/* A processor that can run the convolution but not the activation can't run both joined. */
START_TEST(support_asks_for_both)
{
  static const char table[] = "{\"format\": \"hetsim-op-support/1\", \"name\": \"b\", \"title\": \"t\", \"source\": \"s\", "
                              "\"ops\": {\"Conv\": {\"support\": true}}}";
  struct hs_op_support *t = NULL;
  struct hs_error err;
  char why[160];
  struct hs_graph *g = rig_read_graph(cases[0].net), *f = hs_pass_fuse(g, hs_runtime_find("mace"));
  hs_test_accepted(hs_op_support_parse("t.json", table, strlen(table), &t, &err), &err);
  ck_assert(hs_op_supported(t, g, &g->ops[0], 32, NULL, 0));
  ck_assert(!hs_op_supported(t, f, &f->ops[0], 32, why, sizeof why));
  ck_assert_str_eq(why, "Relu is not on the list of b");
  hs_op_support_free(t);
  hs_graph_free(f);
  hs_graph_free(g);
}
END_TEST

static void fill(TCase *t)
{
  tcase_add_loop_test(t, what_joins, 0, (int)(sizeof cases / sizeof *cases));
  tcase_add_test(t, dense_only);
  tcase_add_test(t, residual);
  tcase_add_test(t, support_asks_for_both);
}

int main(void) { return hs_test_main("pass_fuse", fill); }
