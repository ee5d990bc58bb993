/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shapes, MACs, parameters and classes inferred, each expectation worked out by hand; and what the reader refuses. */
#include "tests/unit/suite.h"

#include "input/graph.h"

/* A network of one or more operators on input x of the given shape, with output o. */
static enum hs_status read_ops(const char *shape, const char *ops, struct hs_graph **g, struct hs_error *err)
{
  char json[4000];
  snprintf(json, sizeof json,
           "{'format': 'hetsim-workload/1', 'name': 'n', 'title': 't', 'source': 's', 'inputs': [{'name': 'x', 'shape': %s}],\n"
           "'outputs': ['o'], 'ops': [\n%s]}", shape, ops);
  char *text = hs_test_json(json);
  enum hs_status status = hs_graph_parse("n.json", text, strlen(text), g, err);
  free(text);
  return status;
}

static const struct {
  const char *in, *op, *out;
  double macs;
  int params;
  enum hs_op_class class;
} shapes[] = {
  /* same, stride 2 on odd 7: out = ceil(7/2) = 4; 4·4·(3·3·3·8) = 3456 MACs; 216 weights + 8 biases */
  {"[1,7,7,3]", "'op': 'Conv', 'channels': 8, 'kernel': [3,3], 'stride': [2,2], 'pad': 'same'", "1x4x4x8", 3456, 224, HS_CLASS_CONV_3X3_STRIDED},
  /* valid: (7−3)/1+1 = 5; 25·216 */
  {"[1,7,7,3]", "'op': 'Conv', 'channels': 8, 'kernel': [3,3], 'bias': false", "1x5x5x8", 5400, 216, HS_CLASS_CONV_3X3},
  /* explicit [1,1,0,0]: rows (7+1+0−3)/2+1 = 3, columns the same */
  {"[1,7,7,3]", "'op': 'Conv', 'channels': 8, 'kernel': [3,3], 'stride': [2,2], 'pad': [1,1,0,0]", "1x3x3x8", 1944, 224, HS_CLASS_CONV_3X3_STRIDED},
  /* dilation 2: effective 5, 7−5+1 = 3 */
  {"[1,7,7,3]", "'op': 'Conv', 'channels': 8, 'kernel': [3,3], 'dilation': [2,2]", "1x3x3x8", 1944, 224, HS_CLASS_CONV_OTHER},
  {"[2,5,6,4]", "'op': 'Conv', 'channels': 6, 'kernel': [1,1]", "2x5x6x6", 2 * 5 * 6 * 24, 30, HS_CLASS_CONV_1X1},
  /* group 2: 3·3·(4/2)·6 = 108 weights; out 3·4 */
  {"[1,5,6,4]", "'op': 'Conv', 'channels': 6, 'kernel': [3,3], 'group': 2", "1x3x4x6", 12 * 108, 114, HS_CLASS_GROUPED},
  {"[1,5,6,4]", "'op': 'Conv', 'channels': 4, 'kernel': [3,3], 'group': 4", "1x3x4x4", 12 * 36, 40, HS_CLASS_DEPTHWISE},
  {"[1,5,6,4]", "'op': 'DepthwiseConv', 'kernel': [3,3], 'pad': 'same', 'multiplier': 2", "1x5x6x8", 30 * 72, 80, HS_CLASS_DEPTHWISE},
  /* transposed: 3·3·4·2 = 72 weights, 30 input positions */
  {"[1,5,6,4]", "'op': 'ConvTranspose', 'channels': 2, 'kernel': [3,3], 'stride': [2,2]", "1x10x12x2", 30 * 72, 74, HS_CLASS_TRANSPOSED},
  {"[1,5,6,4]", "'op': 'ConvTranspose', 'channels': 2, 'kernel': [3,3], 'stride': [2,2], 'pad': 'valid'", "1x11x13x2", 30 * 72, 74, HS_CLASS_TRANSPOSED},
  {"[3,2,2,5]", "'op': 'Gemm', 'channels': 7", "3x7", 3 * 20 * 7, 147, HS_CLASS_MATMUL},
  {"[1,7,7,3]", "'op': 'MaxPool', 'kernel': [2,2], 'stride': [2,2]", "1x3x3x3", 0, 0, HS_CLASS_POOL},
  {"[1,7,7,3]", "'op': 'AveragePool', 'kernel': [2,2], 'stride': [2,2], 'ceil': true", "1x4x4x3", 0, 0, HS_CLASS_POOL},
  {"[1,7,7,3]", "'op': 'GlobalAveragePool'", "1x1x1x3", 0, 0, HS_CLASS_REDUCE},
  {"[1,7,6,3]", "'op': 'ReduceMean', 'axes': [1,-2], 'keepdims': false", "1x3", 0, 0, HS_CLASS_REDUCE},
  {"[1,7,6,3]", "'op': 'Softmax'", "1x7x6x3", 0, 0, HS_CLASS_REDUCE},
  {"[1,7,6,3]", "'op': 'BatchNormalization'", "1x7x6x3", 0, 6, HS_CLASS_ELEMENTWISE},
  {"[1,7,6,3]", "'op': 'Slice', 'begin': [0,1,0,0], 'size': [1,5,-1,3], 'strides': [1,2,1,1]", "1x3x6x3", 0, 0, HS_CLASS_MOVE},
  {"[1,7,6,3]", "'op': 'Pad', 'pads': [[0,0],[2,1],[0,4],[0,0]]", "1x10x10x3", 0, 0, HS_CLASS_MOVE},
  {"[1,7,6,3]", "'op': 'Reshape', 'shape': [1,-1,9]", "1x14x9", 0, 0, HS_CLASS_MOVE},
  {"[1,7,6,3]", "'op': 'Transpose', 'perm': [0,3,1,2]", "1x3x7x6", 0, 0, HS_CLASS_MOVE},
  {"[1,7,6,3]", "'op': 'ResizeBilinear', 'size': [14,3]", "1x14x3x3", 0, 0, HS_CLASS_ELEMENTWISE},
  {"[1,7,6,3]", "'op': 'ResizeNearest', 'scale': [2,0.5]", "1x14x3x3", 0, 0, HS_CLASS_MOVE},
  {"[1,8,6,3]", "'op': 'SpaceToDepth', 'block_size': 2", "1x4x3x12", 0, 0, HS_CLASS_MOVE},
  {"[1,4,3,12]", "'op': 'DepthToSpace', 'block_size': 2", "1x8x6x3", 0, 0, HS_CLASS_MOVE},
  {"[1,7,6,3]", "'op': 'ArgMax', 'axis': 1", "1x6x3", 0, 0, HS_CLASS_REDUCE},
};

START_TEST(inference)
{
  char op[600], shape[64];
  struct hs_graph *g = NULL;
  struct hs_error err;
  snprintf(op, sizeof op, "{'name': 'o', 'inputs': ['x'], %s}", shapes[_i].op);
  ck_assert_msg(read_ops(shapes[_i].in, op, &g, &err) == HS_OK, "%s", hs_test_message(&err));
  ck_assert_str_eq(hs_shape_text(&g->tensors[g->outputs[0]].shape, shape, sizeof shape), shapes[_i].out);
  ck_assert_double_eq(g->ops[0].macs, shapes[_i].macs);
  ck_assert_int_eq(g->ops[0].params, shapes[_i].params);
  ck_assert_int_eq(g->ops[0].class, shapes[_i].class);
  hs_graph_free(g);
}
END_TEST

START_TEST(several_inputs_and_outputs)
{
  struct hs_graph *g = NULL;
  struct hs_error err;
  char shape[64];
  const char *ops = "{'name': 's', 'op': 'Split', 'inputs': ['x'], 'outputs': ['a', 'b'], 'sizes': [1, 3], 'block': 1},\n"
                    "{'name': 'm', 'op': 'Mul', 'inputs': ['b', 'a'], 'block': 1},\n"
                    "{'name': 'c', 'op': 'Concat', 'inputs': ['m', 'a', 'b'], 'axis': 3, 'block': 2, 'support': {'gpu': false}},\n"
                    "{'name': 'o', 'op': 'MatMul', 'inputs': ['c', 't']}";
  /* MatMul: [1,5,2,7] × [1,5,7,2] */
  char all[1200];
  snprintf(all, sizeof all, "%s", ops);
  char *with = hs_test_replace(all, "{'name': 'o'", "{'name': 't', 'op': 'Transpose', 'inputs': ['c'], 'perm': [0,1,3,2], 'block': 2}, {'block': 2, 'name': 'o'");
  ck_assert_msg(read_ops("[1,5,2,4]", with, &g, &err) == HS_OK, "%s", hs_test_message(&err));
  ck_assert_str_eq(hs_shape_text(&g->tensors[g->ops[2].outputs[0]].shape, shape, sizeof shape), "1x5x2x7");
  ck_assert_str_eq(hs_shape_text(&g->tensors[g->outputs[0]].shape, shape, sizeof shape), "1x5x2x2");
  ck_assert_double_eq(g->ops[4].macs, 5 * 2 * 2 * 7);
  ck_assert_int_eq(g->ops[2].block, 2);
  ck_assert_int_eq(g->ops[2].override[HS_GPU], 0);
  ck_assert_int_eq(g->ops[2].override[HS_CPU], -1);
  ck_assert_int_eq(g->tensors[g->ops[0].outputs[0]].n_consumers, 2);
  free(with);
  hs_graph_free(g);
}
END_TEST

static const struct {
  const char *in, *ops, *message;
} refusals[] = {
  {"[1,8,8,3]", "{'name': 'a', 'op': 'Add', 'inputs': ['x', 'o']}, {'name': 'o', 'op': 'Relu', 'inputs': ['a']}",
   "$.ops[0].inputs[1]: tensor \"o\" is made by this or a later operator (a cycle, or not in execution order)"},
  {"[1,8,8,3]", "{'name': 'o', 'op': 'Relu', 'inputs': ['o']}", "is made by this or a later operator"},
  {"[1,8,8,3]", "{'name': 'o', 'op': 'Relu', 'inputs': ['y']}", "$.ops[0].inputs[0]: there is no tensor \"y\""},
  {"[1,8,8,3]", "{'name': 'p', 'op': 'Relu', 'inputs': ['x']}", "$.outputs[0]: there is no tensor \"o\""},
  {"[1,8,8,3]", "{'name': 'o', 'op': 'Relu', 'inputs': ['x']}, {'name': 'o', 'op': 'Relu', 'inputs': ['x']}", "there is already a tensor \"o\""},
  {"[1,8,8,3]", "{'name': 'x', 'op': 'Relu', 'inputs': ['x']}", "there is already a tensor \"x\""},
  {"[1,8,8,3]", "{'name': 'u', 'op': 'Relu', 'inputs': ['x']}, {'name': 'o', 'op': 'Relu', 'inputs': ['x']}", "nobody reads the result of operator \"u\""},
  {"[1,8,8,3]", "{'name': 'o', 'op': 'Reluu', 'inputs': ['x']}", "$.ops[0].op: \"Reluu\" is not an operator hetsim knows"},
  {"[1,8,8,3]", "{'name': 'o', 'op': 'Add', 'inputs': ['x']}", "Add has 2 inputs, not 1"},
  {"[1,8,8,3]", "{'name': 'o', 'op': 'Relu', 'inputs': ['x'], 'kernel': [1,1]}", "unknown key \"kernel\""},
  {"[1,8,8,3]", "{'name': 'o', 'op': 'Conv', 'inputs': ['x'], 'kernel': [9,9], 'channels': 4}", "a window of 9 doesn't fit in 8 with padding 0"},
  {"[1,8,8,3]", "{'name': 'o', 'op': 'Conv', 'inputs': ['x'], 'kernel': [3,3], 'channels': 0}", "$.ops[0].channels: 0 is not in [1, 1000000]"},
  {"[1,8,8,3]", "{'name': 'o', 'op': 'Conv', 'inputs': ['x'], 'kernel': [3,-3], 'channels': 4}", "$.ops[0].kernel[1]: -3 is not in [1, 1024]"},
  {"[1,8,8,3]", "{'name': 'o', 'op': 'Conv', 'inputs': ['x'], 'kernel': [3,3], 'channels': 4, 'group': 2}", "3 input channels are not a multiple of group 2"},
  {"[1,8,8]", "{'name': 'o', 'op': 'Conv', 'inputs': ['x'], 'kernel': [3,3], 'channels': 4}", "input has rank 3, not 4 (NHWC)"},
  {"[1,8,8,3]", "{'name': 'r', 'op': 'Reshape', 'inputs': ['x'], 'shape': [1,8,4,6]}, {'name': 'o', 'op': 'Add', 'inputs': ['x', 'r']}", "shapes don't broadcast"},
  {"[1,8,8,3]", "{'name': 'r', 'op': 'Reshape', 'inputs': ['x'], 'shape': [1,8,4,6]}, {'name': 'o', 'op': 'Concat', 'inputs': ['x', 'r']}",
   "dimension 2 is 8 in the first input and 4 in input 1"},
  {"[1,8,8,3]", "{'name': 'o', 'op': 'Reshape', 'inputs': ['x'], 'shape': [1,-1,7]}", "192 elements don't fit the shape"},
  {"[1,8,8,3]", "{'name': 'o', 'op': 'Reshape', 'inputs': ['x'], 'shape': [0,192]}", "$.ops[0].shape[0]: 0 is not -1 or > 0"},
  {"[1,8,8,3]", "{'name': 'o', 'op': 'Transpose', 'inputs': ['x'], 'perm': [0,1,1,2]}", "perm is not a permutation"},
  {"[1,8,8,3]", "{'name': 'o', 'op': 'Split', 'inputs': ['x'], 'outputs': ['o', 'p']}", "3 doesn't split into 2 equal parts"},
  {"[1,8,8,3]", "{'name': 'o', 'op': 'Softmax', 'inputs': ['x'], 'block': 2}, {'name': 'p', 'op': 'Relu', 'inputs': ['o'], 'block': 1}", "block 1 after block 2"},
  {"[0,8,8,3]", "{'name': 'o', 'op': 'Relu', 'inputs': ['x']}", "$.inputs[0].shape[0]: 0 is not in [1, 1000000]"},
  {"[1000000,1000000,8,3]", "{'name': 'o', 'op': 'Relu', 'inputs': ['x']}", "more than 2^36 elements"},
  {"[1,1000000,60000,1]", "{'name': 'o', 'op': 'Conv', 'inputs': ['x'], 'kernel': [1,1], 'channels': 1000000}", "more than 2^36 elements"},
  {"[1,8,8,1000000]", "{'name': 'o', 'op': 'Conv', 'inputs': ['x'], 'kernel': [8,8], 'channels': 1000000}", "more than 2^36 parameters"},
  {"[1,8,8,3]", "{'name': 'o', 'op': 'Pad', 'inputs': ['x'], 'pads': [[0,0],[8,0],[0,0],[0,0]], 'mode': 'reflect'}", "reflecting pad of dimension 1"},
  {"[1,8,8,3]", "{'name': 'o', 'op': 'Relu', 'inputs': ['x'], 'support': {'tpu': true}}", "unknown key \"tpu\""},
};

START_TEST(refused)
{
  struct hs_graph *g = NULL;
  struct hs_error err = {0};
  ck_assert_int_eq(read_ops(refusals[_i].in, refusals[_i].ops, &g, &err), HS_INPUT);
  ck_assert_msg(strstr(hs_test_message(&err), refusals[_i].message) != NULL, "%s", hs_test_message(&err));
  ck_assert_int_gt(err.line, 0);
}
END_TEST

static void fill(TCase *t)
{
  tcase_add_loop_test(t, inference, 0, sizeof shapes / sizeof *shapes);
  tcase_add_test(t, several_inputs_and_outputs);
  tcase_add_loop_test(t, refused, 0, sizeof refusals / sizeof *refusals);
}

int main(void) { return hs_test_main("graph", fill); }
