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
  /* along one dimension only: rows 7-3+1, columns 7-5+1 */
  {"[1,7,7,3]", "'op': 'Conv', 'channels': 8, 'kernel': [3,3], 'dilation': [1,2]", "1x5x3x8", 3240, 224, HS_CLASS_CONV_OTHER},
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
  {"[1,5]", "'op': 'Gather', 'rows': 100, 'channels': 8", "1x5x8", 0, 800, HS_CLASS_MOVE}, /* a table of 100 rows, 5 of which are copied */
  {"[5]", "'op': 'Gather', 'rows': 2, 'channels': 8", "5x8", 0, 16, HS_CLASS_MOVE},
  {"[1,7,6,3]", "'op': 'ArgMax', 'axis': 1", "1x6x3", 0, 0, HS_CLASS_REDUCE},
  /* same, stride 3: ceil(10/3) = ceil(11/3) = 4; 5·2·2·3 = 60 weights */
  {"[1,10,11,2]", "'op': 'Conv', 'channels': 3, 'kernel': [5,2], 'stride': [3,3], 'pad': 'same'", "1x4x4x3", 16 * 60, 63, HS_CLASS_CONV_OTHER},
  {"[1,7,7,1]", "'op': 'Conv', 'channels': 1, 'kernel': [3,3], 'dilation': [2,2], 'pad': 'same'", "1x7x7x1", 49 * 9, 10, HS_CLASS_CONV_OTHER},
  /* valid: floor((8-3)/2)+1 = 3: the last column is not seen */
  {"[1,8,8,3]", "'op': 'Conv', 'channels': 8, 'kernel': [3,3], 'stride': [2,2], 'pad': 'valid'", "1x3x3x8", 9 * 216, 224, HS_CLASS_CONV_3X3_STRIDED},
  /* top 0, left 1, bottom 2, right 3: rows 5+2-3+1 = 5, columns (9+4-1)/2+1 = 7; 3·1·2·4 = 24 weights */
  {"[1,5,9,2]", "'op': 'Conv', 'channels': 4, 'kernel': [3,1], 'stride': [1,2], 'pad': [0,1,2,3]", "1x5x7x4", 35 * 24, 28, HS_CLASS_CONV_OTHER},
  {"[1,8,8,3]", "'op': 'Conv', 'channels': 8, 'kernel': [3,3], 'stride': [1,2], 'pad': 'same'", "1x8x4x8", 32 * 216, 224, HS_CLASS_CONV_3X3_STRIDED},
  {"[1,8,8,3]", "'op': 'Conv', 'channels': 8, 'kernel': [1,1], 'stride': [2,2]", "1x4x4x8", 16 * 24, 32, HS_CLASS_CONV_1X1},
  /* one input channel per group, two outputs: 9·1·8 weights; grouped, because depthwise kernels have as many outputs as inputs */
  {"[1,5,6,4]", "'op': 'Conv', 'channels': 8, 'kernel': [3,3], 'group': 4", "1x3x4x8", 12 * 72, 80, HS_CLASS_GROUPED},
  {"[1,5,6,1]", "'op': 'Conv', 'channels': 1, 'kernel': [3,3]", "1x3x4x1", 12 * 9, 10, HS_CLASS_CONV_3X3},
  {"[1,9,6,4]", "'op': 'DepthwiseConv', 'kernel': [3,3], 'stride': [2,1], 'dilation': [2,1], 'bias': false", "1x3x4x4", 12 * 36, 36, HS_CLASS_DEPTHWISE},
  {"[1,5,6,4]", "'op': 'ConvTranspose', 'channels': 3, 'kernel': [4,2], 'stride': [3,1], 'pad': 'valid', 'bias': false", "1x16x7x3",
   30 * 96, 96, HS_CLASS_TRANSPOSED},
  {"[3,20]", "'op': 'Gemm', 'channels': 7, 'bias': false", "3x7", 420, 140, HS_CLASS_MATMUL},
  {"[1,7,7,3]", "'op': 'MaxPool', 'kernel': [3,3], 'stride': [2,2], 'pad': 'same'", "1x4x4x3", 0, 0, HS_CLASS_POOL},
  {"[1,7,7,3]", "'op': 'MaxPool', 'kernel': [3,2]", "1x5x6x3", 0, 0, HS_CLASS_POOL},
  /* ceil((8-3)/2)+1 = 4: the last window starts at 6 and hangs over */
  {"[1,8,8,3]", "'op': 'MaxPool', 'kernel': [3,3], 'stride': [2,2], 'ceil': true", "1x4x4x3", 0, 0, HS_CLASS_POOL},
  {"[1,7,7,3]", "'op': 'MaxPool', 'kernel': [3,3], 'stride': [2,2], 'ceil': true", "1x3x3x3", 0, 0, HS_CLASS_POOL},
  /* a window that would start behind the last input is none: 0, 2, not 4 */
  {"[1,4,4,3]", "'op': 'MaxPool', 'kernel': [1,1], 'stride': [2,2], 'ceil': true", "1x2x2x3", 0, 0, HS_CLASS_POOL},
  {"[1,4,4,3]", "'op': 'AveragePool', 'kernel': [2,2], 'stride': [2,2], 'pad': [0,0,1,1], 'ceil': true", "1x2x2x3", 0, 0, HS_CLASS_POOL},
  {"[1,4,4,3]", "'op': 'AveragePool', 'kernel': [2,2], 'stride': [2,2], 'pad': [0,0,2,2], 'ceil': true", "1x2x2x3", 0, 0, HS_CLASS_POOL},
  {"[1,4,4,3]", "'op': 'AveragePool', 'kernel': [2,2], 'stride': [2,2], 'pad': [0,0,2,2]", "1x3x3x3", 0, 0, HS_CLASS_POOL},
  /* starts 0, 2, 4 of 1+4+1 */
  {"[1,4,4,3]", "'op': 'MaxPool', 'kernel': [2,2], 'stride': [2,2], 'pad': [1,1,1,1], 'ceil': true", "1x3x3x3", 0, 0, HS_CLASS_POOL},
  /* rows 1+5+1: starts 0, 2, 4 (and 6 would be padding only); columns without padding: 0, 2, 4 */
  {"[1,5,5,3]", "'op': 'AveragePool', 'kernel': [2,2], 'stride': [2,2], 'pad': [1,0,1,0], 'ceil': true", "1x3x3x3", 0, 0, HS_CLASS_POOL},
  {"[1,7,6,3]", "'op': 'ReduceMax', 'axes': [3]", "1x7x6x1", 0, 0, HS_CLASS_REDUCE},
  {"[1,7,6,3]", "'op': 'ReduceSum', 'axes': [0,1,2,3], 'keepdims': false", "1", 0, 0, HS_CLASS_REDUCE},
  {"[1,7,6,3]", "'op': 'Concat'", "1x7x6x3", 0, 0, HS_CLASS_MOVE},
  {"[1,7,6,3]", "'op': 'Slice', 'begin': [0,2,5,0], 'size': [-1,5,-1,2]", "1x5x1x2", 0, 0, HS_CLASS_MOVE},
  {"[7,6]", "'op': 'Pad', 'pads': [[6,1],[0,5]], 'mode': 'reflect'", "14x11", 0, 0, HS_CLASS_MOVE},
  {"[1,7,6,3]", "'op': 'Reshape', 'shape': [126]", "126", 0, 0, HS_CLASS_MOVE},
  {"[1,7,7,3]", "'op': 'ResizeNearest', 'scale': [1.5,0.3]", "1x10x2x3", 0, 0, HS_CLASS_MOVE}, /* floor(10.5), floor(2.1) */
  {"[1,100,10,3]", "'op': 'ResizeBilinear', 'scale': [0.29,2.9]", "1x29x29x3", 0, 0, HS_CLASS_ELEMENTWISE}, /* 100·0.29 is 28.999… in binary */
  {"[1,7,6,3]", "'op': 'ArgMax'", "1x7x6", 0, 0, HS_CLASS_REDUCE},
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

/* Operators that keep the shape: work per element of 1x5x2x3, parameters. */
static const struct {
  const char *op;
  int work_per_element, params;
  enum hs_op_class class;
} unary[] = {
  {"Relu", 1, 0, HS_CLASS_ELEMENTWISE}, {"Relu6", 1, 0, HS_CLASS_ELEMENTWISE}, {"LeakyRelu", 1, 0, HS_CLASS_ELEMENTWISE},
  {"PRelu", 1, 3, HS_CLASS_ELEMENTWISE}, {"Sigmoid", 1, 0, HS_CLASS_ELEMENTWISE}, {"Tanh", 1, 0, HS_CLASS_ELEMENTWISE},
  {"Elu", 1, 0, HS_CLASS_ELEMENTWISE}, {"HardSwish", 1, 0, HS_CLASS_ELEMENTWISE}, {"Gelu", 1, 0, HS_CLASS_ELEMENTWISE},
  {"Abs", 1, 0, HS_CLASS_ELEMENTWISE}, {"Neg", 1, 0, HS_CLASS_ELEMENTWISE}, {"Exp", 1, 0, HS_CLASS_ELEMENTWISE},
  {"Log", 1, 0, HS_CLASS_ELEMENTWISE}, {"Sqrt", 1, 0, HS_CLASS_ELEMENTWISE}, {"Rsqrt", 1, 0, HS_CLASS_ELEMENTWISE},
  {"Square", 1, 0, HS_CLASS_ELEMENTWISE}, {"Floor", 1, 0, HS_CLASS_ELEMENTWISE}, {"Quantize", 1, 0, HS_CLASS_ELEMENTWISE},
  {"Dequantize", 1, 0, HS_CLASS_ELEMENTWISE}, {"BatchNormalization", 1, 6, HS_CLASS_ELEMENTWISE},
  {"InstanceNormalization", 2, 6, HS_CLASS_REDUCE}, {"LayerNormalization", 2, 6, HS_CLASS_REDUCE}, {"LRN", 2, 0, HS_CLASS_REDUCE},
  {"L2Normalization", 2, 0, HS_CLASS_REDUCE}, {"Softmax", 2, 0, HS_CLASS_REDUCE}, {"LogSoftmax", 2, 0, HS_CLASS_REDUCE},
};

START_TEST(keeps_shape)
{
  char op[200], shape[64];
  struct hs_graph *g = NULL;
  struct hs_error err;
  snprintf(op, sizeof op, "{'name': 'o', 'op': '%s', 'inputs': ['x']}", unary[_i].op);
  hs_test_accepted(read_ops("[1,5,2,3]", op, &g, &err), &err);
  ck_assert_str_eq(hs_shape_text(&g->tensors[g->outputs[0]].shape, shape, sizeof shape), "1x5x2x3");
  ck_assert_double_eq(g->ops[0].work, 30 * unary[_i].work_per_element);
  ck_assert_double_eq(g->ops[0].macs, 0);
  ck_assert_int_eq(g->ops[0].params, unary[_i].params);
  ck_assert_int_eq(g->ops[0].class, unary[_i].class);
  ck_assert_str_eq(hs_op_name(g->ops[0].type), unary[_i].op);
  hs_graph_free(g);
}
END_TEST

/* Elementary operations of what has no MACs, and the depth of the reduction, on 1x8x6x4. */
static const struct {
  const char *op;
  double work;
  int depth;
} works[] = {
  {"'op': 'Conv', 'channels': 6, 'kernel': [3,5], 'group': 2, 'pad': 'same'", 8 * 6 * 6 * 2 * 15, 30},
  {"'op': 'DepthwiseConv', 'kernel': [3,3], 'multiplier': 2, 'pad': 'same'", 8 * 6 * 8 * 9, 9},
  {"'op': 'ConvTranspose', 'channels': 2, 'kernel': [3,3], 'stride': [2,2]", 8 * 6 * 4 * 2 * 9, 36},
  {"'op': 'Gemm', 'channels': 7", 192 * 7, 192},
  {"'op': 'MaxPool', 'kernel': [3,2], 'stride': [3,2]", 2 * 3 * 4 * 6, 1}, /* window × outputs */
  {"'op': 'GlobalAveragePool'", 192, 1},
  {"'op': 'ReduceMean', 'axes': [1,2]", 192, 1},
  {"'op': 'ArgMax'", 192, 1},
  {"'op': 'ResizeBilinear', 'scale': [2,2]", 4 * 768, 1}, /* four neighbours */
  {"'op': 'ResizeNearest', 'scale': [2,2]", 0, 1},
  {"'op': 'Pad', 'pads': [[0,0],[1,1],[1,1],[0,0]]", 0, 1},
  {"'op': 'Transpose', 'perm': [0,3,1,2]", 0, 1},
  {"'op': 'SpaceToDepth', 'block_size': 2", 0, 1},
};

START_TEST(work_and_depth)
{
  char op[300];
  struct hs_graph *g = NULL;
  struct hs_error err;
  snprintf(op, sizeof op, "{'name': 'o', 'inputs': ['x'], %s}", works[_i].op);
  hs_test_accepted(read_ops("[1,8,6,4]", op, &g, &err), &err);
  ck_assert_double_eq(g->ops[0].work, works[_i].work);
  ck_assert_int_eq(hs_op_reduction_depth(g, &g->ops[0]), works[_i].depth);
  hs_graph_free(g);
}
END_TEST

/* Two inputs a and b; what is "" in `out` is refused. */
static const struct {
  const char *a, *b, *op, *out, *why;
} binary[] = {
  {"[1,7,6,3]", "[1,7,6,3]", "'op': 'Add'", "1x7x6x3", ""},
  {"[1,7,6,3]", "[3]", "'op': 'Sub'", "1x7x6x3", ""},
  {"[3]", "[1,7,6,3]", "'op': 'Mul'", "1x7x6x3", ""},
  {"[1,1,1,3]", "[2,7,6,1]", "'op': 'Div'", "2x7x6x3", ""},
  {"[7,1,3]", "[6,1]", "'op': 'Max'", "7x6x3", ""},
  {"[1]", "[5]", "'op': 'Min'", "5", ""},
  {"[2,3]", "[1,1]", "'op': 'Pow'", "2x3", ""},
  {"[2,3]", "[2,1]", "'op': 'SquaredDifference'", "2x3", ""},
  {"[2,3]", "[2]", "'op': 'Add'", "", "operator \"o\": shapes don't broadcast: dimension 1 is 3 and 2"},
  {"[2,2]", "[3,2,2,2]", "'op': 'Add', 'axis': 1", "", "unknown key \"axis\""},
  {"[1000000,1]", "[1,1000000]", "'op': 'Add'", "", "operator \"o\": the output has more than 2^36 elements"},
  {"[2,3,4]", "[2,4,5]", "'op': 'MatMul'", "2x3x5", ""},
  {"[2,8,4]", "[2,8,3]", "'op': 'DetectionPostProcess', 'detections': 5", "2x5x6", ""},
  {"[1,8,16]", "[1,8,1]", "'op': 'DetectionPostProcess', 'detections': 9", "1x9x6", ""}, /* with keypoints; rows without a detection are written, too */
  {"[1,8,3]", "[1,8,4]", "'op': 'DetectionPostProcess', 'detections': 5", "", "operator \"o\": a box has 3 numbers, not 4 or more: are boxes the first input?"},
  {"[1,8,4]", "[1,9,3]", "'op': 'DetectionPostProcess', 'detections': 5", "", "operator \"o\": 8 boxes of 1 images, and scores for 9 of 1"},
  {"[2,8,4]", "[1,8,3]", "'op': 'DetectionPostProcess', 'detections': 5", "", "operator \"o\": 8 boxes of 2 images, and scores for 8 of 1"},
  {"[8,4]", "[1,8,3]", "'op': 'DetectionPostProcess', 'detections': 5", "",
   "operator \"o\": boxes and scores have ranks 2 and 3, not 3: images, boxes, numbers of each"},
  {"[1,8,4]", "[1,8,3]", "'op': 'DetectionPostProcess'", "", "key \"detections\" is missing"},
  {"[1,8,4]", "[1,8,3]", "'op': 'DetectionPostProcess', 'detections': 0", "", "0 is not in [1, 1000000]"},
  {"[3,4]", "[4,1]", "'op': 'MatMul'", "3x1", ""},
  {"[2,3,4]", "[2,5,4]", "'op': 'MatMul'", "", "operator \"o\": inner dimensions differ: 4 and 5"},
  {"[2,3,4]", "[1,4,5]", "'op': 'MatMul'", "", "operator \"o\": batch dimension 0 differs: 2 and 1"},
  {"[3,4]", "[1,4,5]", "'op': 'MatMul'", "", "operator \"o\": inputs have ranks 2 and 3"},
  {"[4]", "[4]", "'op': 'MatMul'", "", "operator \"o\": inputs have ranks 1 and 1"},
  {"[1,7,6,3]", "[1,7,6,5]", "'op': 'Concat'", "1x7x6x8", ""},
  {"[1,7,6,3]", "[1,2,6,3]", "'op': 'Concat', 'axis': 1", "1x9x6x3", ""},
  {"[1,7,6,3]", "[1,2,6,3]", "'op': 'Concat', 'axis': -3", "1x9x6x3", ""},
  {"[1,7,6,3]", "[1,2,6,4]", "'op': 'Concat', 'axis': 1", "", "operator \"o\": dimension 3 is 3 in the first input and 4 in input 1"},
  {"[7,6,3]", "[1,7,6,3]", "'op': 'Concat'", "", "operator \"o\": inputs have ranks 3 and 4"},
  {"[7,6]", "[7,6]", "'op': 'Concat', 'axis': 2", "", "operator \"o\": axis 2 of a tensor of rank 2"},
  {"[7,6]", "[7,6]", "'op': 'Concat', 'axis': -3", "", "operator \"o\": axis -3 of a tensor of rank 2"},
  {"[7,6]", "[7,6]", "'op': 'Concat', 'axis': 6", "", "$.ops[0].axis: 6 is not in [-6, 5]"},
};

START_TEST(two_inputs)
{
  char json[900], shape[64];
  struct hs_graph *g = NULL;
  struct hs_error err;
  snprintf(json, sizeof json,
           "{'format': 'hetsim-workload/1', 'name': 'n', 'title': 't', 'source': 's', 'inputs': [{'name': 'a', 'shape': %s}, {'name': 'b', 'shape': %s}],"
           "'outputs': ['o'], 'ops': [{'name': 'o', 'inputs': ['a', 'b'], %s}]}", binary[_i].a, binary[_i].b, binary[_i].op);
  char *text = hs_test_json(json);
  enum hs_status status = hs_graph_parse("n.json", text, strlen(text), &g, &err);
  free(text);
  if (binary[_i].out[0]) {
    hs_test_accepted(status, &err);
    ck_assert_str_eq(hs_shape_text(&g->tensors[g->outputs[0]].shape, shape, sizeof shape), binary[_i].out);
    int64_t elements = hs_shape_elements(&g->tensors[g->outputs[0]].shape);
    if (g->ops[0].type == HS_OP_MAT_MUL) {
      ck_assert_int_eq(hs_op_reduction_depth(g, &g->ops[0]), 4);
      ck_assert_double_eq(g->ops[0].macs, 4.0 * (double)elements);
    } else if (g->ops[0].type != HS_OP_DETECTION_POST_PROCESS) /* test_cost_cpu_light.c */
      ck_assert_double_eq(g->ops[0].work, g->ops[0].type == HS_OP_CONCAT ? 0 : (double)elements);
    ck_assert_int_eq(hs_op_output_elements(g, &g->ops[0]), elements);
    hs_graph_free(g);
  } else {
    ck_assert_int_eq(status, HS_INPUT);
    ck_assert_msg(strstr(hs_test_message(&err), binary[_i].why) != NULL, "%s", hs_test_message(&err));
  }
}
END_TEST

/* TensorFlow puts the odd row of "same" padding at the end: top, left, bottom, right. */
static const struct {
  const char *in, *attributes;
  int64_t pad[4];
} paddings[] = {
  {"[1,7,8,1]", "'stride': [2,2], 'pad': 'same'", {1, 0, 1, 1}}, /* (4-1)·2+3-7 = 2, (4-1)·2+3-8 = 1 */
  {"[1,7,8,1]", "'pad': 'same'", {1, 1, 1, 1}},
  {"[1,7,8,1]", "'dilation': [3,1], 'pad': 'same'", {3, 1, 3, 1}}, /* effective 7 */
  {"[1,7,8,1]", "'stride': [5,1], 'pad': 'same'", {0, 1, 1, 1}}, /* (2-1)·5+3-7 = 1 */
  {"[1,8,8,1]", "'stride': [7,8], 'pad': 'same'", {1, 0, 1, 0}}, /* (2-1)·7+3-8 = 2; 1 window of 3 on 8: none */
  {"[1,7,8,1]", "'pad': 'valid'", {0, 0, 0, 0}},
  {"[1,7,8,1]", "'pad': [1,2,3,4]", {1, 2, 3, 4}},
};

/* Who reads a tensor last; one operator may read it twice. */
START_TEST(readers)
{
  struct hs_graph *g;
  struct hs_error err;
  hs_test_accepted(read_ops("[1,4,4,3]", "{'name': 'a', 'op': 'Relu', 'inputs': ['x']}, {'name': 'b', 'op': 'Mul', 'inputs': ['a', 'a']}, "
                                         "{'name': 'c', 'op': 'Tanh', 'inputs': ['b']}, {'name': 'o', 'op': 'Add', 'inputs': ['a', 'c']}", &g, &err), &err);
  static const int last[] = {0, 3, 2, 3, -1}; /* of x, a, b, c, o */
  for (int t = 0; t < g->n_tensors; t++)
    for (int from = 0; from <= g->n_ops; from++) ck_assert_int_eq(hs_graph_read_from(g, t, from), from <= last[t]);
  hs_graph_free(g);
}
END_TEST

START_TEST(resolved_padding)
{
  char op[300];
  struct hs_graph *g = NULL;
  struct hs_error err;
  snprintf(op, sizeof op, "{'name': 'o', 'op': 'Conv', 'inputs': ['x'], 'channels': 1, 'kernel': [3,3], %s}", paddings[_i].attributes);
  hs_test_accepted(read_ops(paddings[_i].in, op, &g, &err), &err);
  for (int k = 0; k < 4; k++) ck_assert_int_eq(g->ops[0].at.pad[k], paddings[_i].pad[k]);
  hs_graph_free(g);
}
END_TEST

START_TEST(splits_into_equal_parts)
{
  char shape[64];
  struct hs_graph *g = NULL;
  struct hs_error err;
  hs_test_accepted(read_ops("[1,6,2,4]", "{'name': 's', 'op': 'Split', 'inputs': ['x'], 'outputs': ['a', 'o', 'c'], 'axis': 1}", &g, &err), &err);
  for (int k = 0; k < 3; k++) ck_assert_str_eq(hs_shape_text(&g->tensors[g->ops[0].outputs[k]].shape, shape, sizeof shape), "1x2x2x4");
  ck_assert_int_eq(g->ops[0].at.axis, 1);
  ck_assert_int_eq(g->outputs[0], g->ops[0].outputs[1]); /* parts that nobody reads are no mistake */
  ck_assert_int_eq(hs_op_output_elements(g, &g->ops[0]), 48);
  hs_graph_free(g);
}
END_TEST

START_TEST(outlives_its_text)
{
  struct hs_graph *g = NULL;
  struct hs_error err;
  hs_test_accepted(read_ops("[1,8,8,3]", "{'name': 'r', 'op': 'Relu', 'inputs': ['x'], 'block': 2}, "
                                         "{'name': 'o', 'op': 'Gemm', 'inputs': ['r'], 'channels': 5, 'block': 3}", &g, &err), &err);
  ck_assert_str_eq(g->name, "n");
  ck_assert_str_eq(g->title, "t");
  ck_assert_str_eq(g->source, "s");
  ck_assert_uint_eq(strlen(g->sha256), 64);
  ck_assert_str_eq(g->ops[1].name, "o");
  ck_assert_int_eq(g->ops[0].block, 2);
  ck_assert_int_eq(g->ops[1].block, 3);
  ck_assert_int_eq(g->n_inputs, 1);
  ck_assert_str_eq(g->tensors[g->inputs[0]].name, "x");
  ck_assert_int_eq(g->tensors[g->inputs[0]].producer, -1);
  ck_assert_int_eq(g->tensors[g->outputs[0]].producer, 1);
  ck_assert(g->tensors[g->outputs[0]].is_output);
  ck_assert(!g->tensors[g->ops[0].outputs[0]].is_output);
  ck_assert_double_eq(hs_graph_macs(g), 192 * 5);
  ck_assert_int_eq(hs_graph_params(g), 965);
  hs_graph_free(g);
  hs_graph_free(NULL);
}
END_TEST

/* Enough tensors for the table of names to grow twice; every operator reads the one before it and the first. */
START_TEST(long_networks)
{
  enum { N = 3000 };
  struct hs_text t = {0};
  struct hs_graph *g = NULL;
  struct hs_error err;
  for (int extra = 0; extra < 2; extra++) {
    int n = extra ? HS_OPS_MAX + 1 : N;
    hs_text_free(&t);
    hs_text_add(&t, "{\"format\": \"hetsim-workload/1\", \"name\": \"n\", \"title\": \"\", \"source\": \"\","
                    "\"inputs\": [{\"name\": \"t0\", \"shape\": [4]}], \"outputs\": [\"t3000\"], \"ops\": [");
    for (int i = 1; i <= n; i++)
      hs_text_addf(&t, "%s{\"name\": \"t%d\", \"op\": \"Add\", \"inputs\": [\"t%d\", \"t0\"]}", i > 1 ? "," : "", i, i - 1);
    hs_text_add(&t, "]}");
    enum hs_status status = hs_graph_parse("n.json", t.s, t.len, &g, &err);
    if (extra) {
      ck_assert_int_eq(status, HS_INPUT);
      ck_assert_str_eq(err.text, "has 10001 elements, not 1 to 10000");
      continue;
    }
    hs_test_accepted(status, &err);
    ck_assert_int_eq(g->n_ops, N);
    for (int i = 0; i < N; i++) {
      ck_assert_int_eq(g->ops[i].inputs[0], i);
      ck_assert_int_eq(g->ops[i].inputs[1], 0);
      ck_assert_int_eq(g->ops[i].outputs[0], i + 1);
    }
    hs_graph_free(g);
  }
  hs_text_free(&t);
}
END_TEST

/* Whatever stands after a cut is missed: no prefix of a file is a network. */
START_TEST(truncated_files)
{
  static const char json[] = "{'format': 'hetsim-workload/1', 'name': 'n', 'title': 't', 'source': 's', 'inputs': [{'name': 'x', 'shape': [1,8,8,3]}],"
                             "'outputs': ['o'], 'ops': [{'name': 'o', 'op': 'Conv', 'inputs': ['x'], 'kernel': [3,3], 'channels': 4}]}";
  char *text = hs_test_json(json);
  struct hs_graph *g = NULL;
  struct hs_error err;
  for (size_t n = 0; n < strlen(text); n++) {
    ck_assert_int_eq(hs_graph_parse("n.json", text, n, &g, &err), HS_INPUT);
    ck_assert_str_eq(err.text, "not JSON: the text ends too early");
  }
  hs_test_accepted(hs_graph_parse("n.json", text, strlen(text), &g, &err), &err);
  hs_graph_free(g);
  free(text);
}
END_TEST

START_TEST(names_of_operators)
{
  for (int i = 0; i < HS_OP_N; i++) ck_assert_int_eq(hs_op_find(hs_op_name((enum hs_op_type)i)), i);
  ck_assert_int_eq(hs_op_find("conv"), -1);
  ck_assert_int_eq(hs_op_arity(HS_OP_CONCAT), -1);
  ck_assert_int_eq(hs_op_arity(HS_OP_ADD), 2);
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
  char *with = hs_test_replace(all, "{'name': 'o'",
                               "{'name': 't', 'op': 'Transpose', 'inputs': ['c'], 'perm': [0,1,3,2], 'block': 2}, {'block': 2, 'name': 'o'");
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
  {"[1,8,8,3]", "{'name': 'enc1', 'op': 'Relu', 'inputs': ['x']}, {'name': 'o', 'op': 'Relu', 'inputs': ['Enc_1']}",
   "$.ops[1].inputs[0]: there is no tensor \"Enc_1\"; did you mean enc1?"},
  {"[1,8,8,3]", "{'name': 'p', 'op': 'Relu', 'inputs': ['x']}", "$.outputs[0]: there is no tensor \"o\""},
  {"[1,8,8,3]", "{'name': 'o', 'op': 'Relu', 'inputs': ['x']}, {'name': 'o', 'op': 'Relu', 'inputs': ['x']}", "there is already a tensor \"o\""},
  {"[1,8,8,3]", "{'name': 'x', 'op': 'Relu', 'inputs': ['x']}", "there is already a tensor \"x\""},
  {"[1,8,8,3]", "{'name': 'u', 'op': 'Relu', 'inputs': ['x']}, {'name': 'o', 'op': 'Relu', 'inputs': ['x']}", "nobody reads the result of operator \"u\""},
  {"[1,8,8,3]", "{'name': 'a', 'op': 'Relu', 'inputs': ['x']}, [1]", "$.ops[1]: is not an object"},
  {"[1,8,8,3]", "{'name': 'o', 'op': 'Reluu', 'inputs': ['x']}", "$.ops[0].op: \"Reluu\" is not an operator hetsim knows; did you mean Relu?"},
  {"[1,8,8,3]", "{'name': 'o', 'op': 'Conv2D', 'inputs': ['x']}", "$.ops[0].op: \"Conv2D\" is not an operator hetsim knows; did you mean Conv?"},
  {"[1,8,8,3]", "{'name': 'o', 'op': 'Linear', 'inputs': ['x']}",
   "$.ops[0].op: \"Linear\" is not an operator hetsim knows (doc/formats.md, \"Workload\", has the list, and other frameworks' names)"},
  {"[1,8,8,3]", "{'name': 'o', 'op': 'Add', 'inputs': ['x']}", "Add has 2 inputs, not 1"},
  {"[1,8,8,3]", "{'name': 'o', 'op': 'Relu', 'inputs': ['x'], 'kernel': [1,1]}", "unknown key \"kernel\""},
  {"[1,8,8,3]", "{'name': 'o', 'op': 'Relu', 'inputs': ['x'], 'channels': 3}", "unknown key \"channels\""},
  {"[1,8,8,3]", "{'name': 'o', 'op': 'MaxPool', 'inputs': ['x'], 'kernel': [2,2], 'activation': 'relu6'}",
   "unknown key \"activation\": an activation is an operator of its own, as Relu6"},
  {"[1,8,8,3]", "{'name': 'o', 'op': 'MaxPool', 'inputs': ['x'], 'kernel': [2,2], 'strides': [2,2]}", "unknown key \"strides\"; did you mean stride?"},
  {"[1,8,8,3]", "{'name': 'o', 'op': 'Conv', 'inputs': ['x'], 'kernel': [9,9], 'channels': 4}",
   "a window of 9 doesn't fit in 8 with padding 0: the input is 1x8x8x3, NHWC"},
  {"[1,8,8,3]", "{'name': 'o', 'op': 'Conv', 'inputs': ['x'], 'kernel': [3,3], 'channels': 0}", "$.ops[0].channels: 0 is not in [1, 1000000]"},
  {"[1,8,8,3]", "{'name': 'o', 'op': 'Conv', 'inputs': ['x'], 'kernel': [3,-3], 'channels': 4}", "$.ops[0].kernel[1]: -3 is not in [1, 1024]"},
  {"[1,8,8,3]", "{'name': 'o', 'op': 'Conv', 'inputs': ['x'], 'kernel': [3,3], 'channels': 4, 'group': 2}", "3 input channels are not a multiple of group 2"},
  {"[1,8,8]", "{'name': 'o', 'op': 'Conv', 'inputs': ['x'], 'kernel': [3,3], 'channels': 4}", "input has rank 3, not 4 (NHWC)"},
  {"[1,8,8,3]", "{'name': 'r', 'op': 'Reshape', 'inputs': ['x'], 'shape': [1,8,4,6]}, {'name': 'o', 'op': 'Add', 'inputs': ['x', 'r']}",
   "shapes don't broadcast"},
  {"[1,8,8,3]", "{'name': 'r', 'op': 'Reshape', 'inputs': ['x'], 'shape': [1,8,4,6]}, {'name': 'o', 'op': 'Concat', 'inputs': ['x', 'r']}",
   "dimension 2 is 8 in the first input and 4 in input 1"},
  {"[1,8,8,3]", "{'name': 'o', 'op': 'Reshape', 'inputs': ['x'], 'shape': [1,-1,7]}", "192 elements don't fit the shape"},
  {"[1,8,8,3]", "{'name': 'o', 'op': 'Reshape', 'inputs': ['x'], 'shape': [0,192]}", "$.ops[0].shape[0]: 0 is not -1 or > 0"},
  {"[1,8,8,3]", "{'name': 'o', 'op': 'Transpose', 'inputs': ['x'], 'perm': [0,1,1,2]}", "perm is not a permutation"},
  {"[1,8,8,3]", "{'name': 'o', 'op': 'Split', 'inputs': ['x'], 'outputs': ['o', 'p']}", "3 doesn't split into 2 equal parts"},
  {"[1,8,8,3]", "{'name': 'o', 'op': 'Softmax', 'inputs': ['x'], 'block': 2}, {'name': 'p', 'op': 'Relu', 'inputs': ['o'], 'block': 1}",
   "block 1 after block 2"},
  {"[0,8,8,3]", "{'name': 'o', 'op': 'Relu', 'inputs': ['x']}", "$.inputs[0].shape[0]: 0 is not in [1, 1000000]"},
  {"[1000000,1000000,8,3]", "{'name': 'o', 'op': 'Relu', 'inputs': ['x']}", "more than 2^36 elements"},
  {"[1,1000000,60000,1]", "{'name': 'o', 'op': 'Conv', 'inputs': ['x'], 'kernel': [1,1], 'channels': 1000000}", "more than 2^36 elements"},
  {"[1,8,8,1000000]", "{'name': 'o', 'op': 'Conv', 'inputs': ['x'], 'kernel': [8,8], 'channels': 1000000}", "more than 2^36 parameters"},
  {"[1,8,8,3]", "{'name': 'o', 'op': 'Pad', 'inputs': ['x'], 'pads': [[0,0],[8,0],[0,0],[0,0]], 'mode': 'reflect'}", "reflecting pad of dimension 1"},
  {"[1,8,8,3]", "{'name': 'o', 'op': 'Relu', 'inputs': ['x'], 'support': {'tpu': true}}", "unknown key \"tpu\"; did you mean cpu?"},
  {"[1,8,8,3]", "{'name': 'o', 'op': 'Relu', 'inputs': ['x'], 'support': {'gpu': 1}}", "$.ops[0].support.gpu: is not true or false"},
  /* a cycle through an operator that names its outputs */
  {"[1,8,8,4]", "{'name': 'o', 'op': 'Relu', 'inputs': ['b']}, {'name': 's', 'op': 'Split', 'inputs': ['o'], 'outputs': ['a', 'b']}",
   "$.ops[0].inputs[0]: tensor \"b\" is made by this or a later operator"},
  {"[1,8,8,4]", "{'name': 'o', 'op': 'Relu', 'inputs': ['s']}, {'name': 's', 'op': 'Split', 'inputs': ['o'], 'outputs': ['a', 'b']}",
   "$.ops[0].inputs[0]: there is no tensor \"s\""},
  /* two operators of one name, though their tensors differ */
  {"[1,8,8,4]", "{'name': 's', 'op': 'Split', 'inputs': ['x'], 'outputs': ['o', 'a']}, {'name': 's', 'op': 'Split', 'inputs': ['a'], 'outputs': ['b', 'c']}",
   "$.ops[1]: there is already an operator \"s\""},
  {"[1,8,8,4]", "{'name': 's', 'op': 'Split', 'inputs': ['x'], 'outputs': ['o', 'a']}, {'name': 's', 'op': 'Relu', 'inputs': ['a']}",
   "$.ops[1]: there is already an operator \"s\""},
  {"[1,8,8,4]", "{'name': 'r', 'op': 'Relu', 'inputs': ['x']}, {'name': 'r', 'op': 'Split', 'inputs': ['r'], 'outputs': ['o', 'a']}",
   "$.ops[1]: there is already an operator \"r\""},
  {"[1,8,8,4]", "{'name': 's', 'op': 'Split', 'inputs': ['x'], 'outputs': ['o', 'o']}", "$.ops[0].outputs[1]: there is already a tensor \"o\""},
  {"[1,8,8,4]", "{'name': 's', 'op': 'Split', 'inputs': ['x'], 'outputs': ['o', 'b'], 'sizes': [2]}", "operator \"s\": 1 sizes for 2 outputs"},
  {"[1,8,8,4]", "{'name': 's', 'op': 'Split', 'inputs': ['x'], 'outputs': ['o', 'b'], 'sizes': [2, 3]}", "operator \"s\": sizes add up to 5, not 4"},
  {"[1,8,8,4]", "{'name': 's', 'op': 'Split', 'inputs': ['x'], 'outputs': ['o', 'b'], 'sizes': [4, 0]}", "$.ops[0].sizes[1]: 0 is not in [1, "},
  {"[1,8,8,4]", "{'name': 's', 'op': 'Split', 'inputs': ['x'], 'outputs': ['a', 'b']}, {'name': 'o', 'op': 'Relu', 'inputs': ['x']}",
   "$.ops[0]: nobody reads the result of operator \"s\" and it is no output"},
  {"[1,8,8,4]}, {'name': 'm', 'shape': [1,8,8,4]", "{'name': 'o', 'op': 'Add', 'inputs': ['x', 'x']}",
   "$.inputs[1]: nobody reads input \"m\" and it is no output"},
  {"[1,8,8,4]", "{'name': 'o', 'op': 'Relu', 'inputs': ['x'], 'outputs': ['p']}", "unknown key \"outputs\"; did you mean inputs, which is there already?"},
  {"[1,8,8,4]", "{'name': 'o', 'op': 'Relu', 'inputs': []}", "$.ops[0].inputs: has 0 elements, not 1 to 64"},
  {"[1,8,8,4]", "{'name': 'o', 'op': 'relu', 'inputs': ['x']}", "\"relu\" is not an operator hetsim knows; did you mean Relu?"},
  {"[1,8,8,4]", "{'name': 'o', 'op': 'Relu', 'inputs': ['x'], 'block': 0}", "$.ops[0].block: 0 is not in [1, 1000000]"},
  {"[1,8,8,4]", "{'name': 'o', 'op': 'Relu', 'inputs': ['x'], 'block': 1.5}", "$.ops[0].block: 1.5 is not a whole number"},
  {"[1,8,8,4]", "{'name': 'p', 'op': 'Relu', 'inputs': ['x'], 'block': 2}, {'name': 'o', 'op': 'Relu', 'inputs': ['p'], 'block': 1}",
   "block 1 after block 2: labels must not descend"},
  {"[1,8,8,4]", "{'name': 'p', 'op': 'Relu', 'inputs': ['x'], 'block': 1}, {'name': 'o', 'op': 'Relu', 'inputs': ['p']}",
   "$.ops[1]: has no block, and the operator before has one: all have one, or none has"},
  {"[1,8,8,4]", "{'name': 'p', 'op': 'Relu', 'inputs': ['x']}, {'name': 'o', 'op': 'Relu', 'inputs': ['p'], 'block': 1}",
   "$.ops[1]: has a block, and the operator before has none: all have one, or none has"},
  {"[1,8,8,4]", "{'name': 'o', 'op': 'ResizeBilinear', 'inputs': ['x'], 'size': [4, 4], 'scale': [2, 2]}",
   "$.ops[0]: has both size and scale: one says how large the result is"},
  {"[1,8,8,4]", "{'name': 'o', 'op': 'ResizeBilinear', 'inputs': ['x']}", "$.ops[0]: has neither size nor scale: one says how large the result is"},
  {"[-1,8,8,4]", "{'name': 'o', 'op': 'Relu', 'inputs': ['x']}", "$.inputs[0].shape[0]: -1 is not in [1, 1000000]"},
  {"[1e999]", "{'name': 'o', 'op': 'Relu', 'inputs': ['x']}", "$.inputs[0].shape[0]: is not a finite number"},
  {"[1,1,1,1,1,1,1]", "{'name': 'o', 'op': 'Relu', 'inputs': ['x']}", "$.inputs[0].shape: has 7 elements, not 1 to 6"},
  {"[]", "{'name': 'o', 'op': 'Relu', 'inputs': ['x']}", "$.inputs[0].shape: has 0 elements, not 1 to 6"},
  {"[1,8,8,4]", "", "$.ops: has 0 elements, not 1 to 10000"},
  {"[1,8,8,4]", "{'name': 'o', 'op': 'Conv', 'inputs': ['x'], 'kernel': [3,3], 'channels': 4, 'stride': [0,1]}", "$.ops[0].stride[0]: 0 is not in [1, 1024]"},
  {"[1,8,8,4]", "{'name': 'o', 'op': 'Conv', 'inputs': ['x'], 'kernel': [3,3], 'channels': 4, 'pad': 'full'}",
   "$.ops[0].pad: \"full\" is not \"valid\", \"same\" or [top, left, bottom, right]"},
  {"[1,8,8,3]", "{'name': 'o', 'op': 'MaxPool', 'inputs': ['x'], 'kernel': [2,2], 'pad': 1}",
   "$.ops[0].pad: is not \"valid\", \"same\" or [top, left, bottom, right]"},
  {"[1,8,8,4]", "{'name': 'o', 'op': 'Conv', 'inputs': ['x'], 'kernel': [3,3], 'channels': 4, 'pad': [1,1]}", "$.ops[0].pad: has 2 elements, not 4"},
  {"[1,8,8,4]", "{'name': 'o', 'op': 'Conv', 'inputs': ['x'], 'kernel': [3,3], 'channels': 4, 'pad': [-1,0,0,0]}", "$.ops[0].pad[0]: -1 is not in [0, 1024]"},
  {"[1,8,8,4]", "{'name': 'o', 'op': 'Conv', 'inputs': ['x'], 'kernel': [3,3], 'channels': 6, 'group': 4}", "6 output channels are not a multiple of group 4"},
  {"[1,8,8,2050]", "{'name': 'o', 'op': 'Conv', 'inputs': ['x'], 'kernel': [3,3], 'channels': 2050, 'group': 1025}",
   "1025 groups, at most 1024 where there aren't as many channels"},
  {"[1,8,8,4]", "{'name': 'o', 'op': 'Conv', 'inputs': ['x'], 'kernel': [3,3], 'channels': 4, 'dilation': [4,4]}",
   "a window of 9 doesn't fit in 8 with padding 0: the input is 1x8x8x4, NHWC"},
  {"[1,8,8,4]", "{'name': 'o', 'op': 'ConvTranspose', 'inputs': ['x'], 'kernel': [3,3], 'channels': 4, 'pad': [1,1,1,1]}",
   "pad of ConvTranspose is \"same\" or \"valid\""},
  {"[8]", "{'name': 'o', 'op': 'Gemm', 'inputs': ['x'], 'channels': 4}", "input has rank 1, not 2 or more"},
  {"[1,8,8]", "{'name': 'o', 'op': 'MaxPool', 'inputs': ['x'], 'kernel': [2,2]}", "input has rank 3, not 4 (NHWC)"},
  {"[1,8,8]", "{'name': 'o', 'op': 'GlobalAveragePool', 'inputs': ['x']}", "input has rank 3, not 4 (NHWC)"},
  {"[1,8,8]", "{'name': 'o', 'op': 'ReduceSum', 'inputs': ['x'], 'axes': [3]}", "axis 3 of a tensor of rank 3"},
  {"[1,8,8]", "{'name': 'o', 'op': 'ReduceMean', 'inputs': ['x'], 'axes': [1,1]}", "axis 1 is twice in axes"},
  {"[1,8,8]", "{'name': 'o', 'op': 'ReduceSum', 'inputs': ['x'], 'axes': [2,-1]}", "axis -1 is twice in axes"},
  {"[1,8,8]", "{'name': 'o', 'op': 'ArgMax', 'inputs': ['x'], 'axis': -4}", "axis -4 of a tensor of rank 3"},
  {"[1,8]", "{'name': 'o', 'op': 'Slice', 'inputs': ['x'], 'begin': [0,1], 'size': [1,8]}", "[1, 9) of dimension 1, which has 8"},
  {"[1,8]", "{'name': 'o', 'op': 'Slice', 'inputs': ['x'], 'begin': [0,8], 'size': [1,-1]}", "[8, 8) of dimension 1, which has 8"},
  {"[1,8]", "{'name': 'o', 'op': 'Slice', 'inputs': ['x'], 'begin': [0,0], 'size': [1,0]}", "[0, 0) of dimension 1, which has 8"},
  {"[1,8]", "{'name': 'o', 'op': 'Slice', 'inputs': ['x'], 'begin': [0,0], 'size': [1,-2]}", "$.ops[0].size[1]: -2 is not in [-1, "},
  {"[1,8]", "{'name': 'o', 'op': 'Slice', 'inputs': ['x'], 'begin': [0,-1], 'size': [1,1]}", "$.ops[0].begin[1]: -1 is not in [0, "},
  {"[1,8]", "{'name': 'o', 'op': 'Slice', 'inputs': ['x'], 'begin': [0], 'size': [1]}", "begin and size have 1 entries for rank 2"},
  {"[1,8]", "{'name': 'o', 'op': 'Slice', 'inputs': ['x'], 'begin': [0,0], 'size': [1,8], 'strides': [1]}", "$.ops[0].strides: has 1 elements, not 2"},
  {"[1,8]", "{'name': 'o', 'op': 'Pad', 'inputs': ['x'], 'pads': [[0,0]]}", "1 pads for rank 2"},
  {"[1,8]", "{'name': 'o', 'op': 'Pad', 'inputs': ['x'], 'pads': [[0,0],[7,8]], 'mode': 'reflect'}", "reflecting pad of dimension 1 is not smaller than it"},
  {"[1,8]", "{'name': 'o', 'op': 'Pad', 'inputs': ['x'], 'pads': [[0,0],[1]]}", "$.ops[0].pads[1]: is not [before, after]"},
  {"[1,8]", "{'name': 'o', 'op': 'Reshape', 'inputs': ['x'], 'shape': [-1,-1]}", "more than one -1 in shape"},
  {"[1,8]", "{'name': 'o', 'op': 'Reshape', 'inputs': ['x'], 'shape': [68719476736,68719476736]}", "shape has too many elements"},
  {"[1,8]", "{'name': 'o', 'op': 'Reshape', 'inputs': ['x'], 'shape': [4,3]}", "8 elements don't fit the shape"},
  {"[1,8]", "{'name': 'o', 'op': 'Transpose', 'inputs': ['x'], 'perm': [0]}", "perm has 1 entries for rank 2"},
  {"[1,8]", "{'name': 'o', 'op': 'Transpose', 'inputs': ['x'], 'perm': [0,2]}", "perm is not a permutation"},
  {"[1,8,8,3]", "{'name': 'o', 'op': 'ResizeNearest', 'inputs': ['x'], 'scale': [0.1,1]}", "resized to 0"},
  {"[1,1000,1,1]", "{'name': 'o', 'op': 'ResizeNearest', 'inputs': ['x'], 'scale': [1001,1]}", "resized to 1.001e+06"},
  {"[1,8,8,3]", "{'name': 'o', 'op': 'ResizeNearest', 'inputs': ['x'], 'scale': [0,1]}", "$.ops[0].scale[0]: 0 is not > 0"},
  {"[1,8,8,3]", "{'name': 'o', 'op': 'ResizeNearest', 'inputs': ['x'], 'scale': [1,1], 'size': [8,8]}", "has both size and scale"},
  {"[1,8,8,3]", "{'name': 'o', 'op': 'ResizeNearest', 'inputs': ['x']}", "has neither size nor scale"},
  {"[1,8]", "{'name': 'o', 'op': 'Gather', 'inputs': ['x'], 'channels': 4}", "key \"rows\" is missing"},
  {"[1,8]", "{'name': 'o', 'op': 'Gather', 'inputs': ['x'], 'rows': 0, 'channels': 4}", "$.ops[0].rows: 0 is not in [1, 100000000]"},
  {"[1,8]", "{'name': 'o', 'op': 'Gather', 'inputs': ['x'], 'rows': 100000000, 'channels': 1000}", "more than 2^36 parameters"},
  {"[1,1,1,1,1,8]", "{'name': 'o', 'op': 'Gather', 'inputs': ['x'], 'rows': 2, 'channels': 4}", "input has rank 6, the most there is"},
  {"[1,8,6,3]", "{'name': 'o', 'op': 'SpaceToDepth', 'inputs': ['x'], 'block_size': 4}", "height or width is not a multiple of block_size 4: 8 and 6"},
  {"[1,8,6,6]", "{'name': 'o', 'op': 'DepthToSpace', 'inputs': ['x'], 'block_size': 2}", "channels are not a multiple of block_size² 4: 6"},
};

START_TEST(refused)
{
  struct hs_graph *g = NULL;
  struct hs_error err = {0};
  ck_assert_int_eq(read_ops(refusals[_i].in, refusals[_i].ops, &g, &err), HS_INPUT);
  ck_assert_msg(strstr(hs_test_message(&err), refusals[_i].message) != NULL, "%s", hs_test_message(&err));
  ck_assert_msg(!strstr(hs_test_message(&err), "did you mean") || strstr(refusals[_i].message, "did you mean"), "%s", hs_test_message(&err));
  ck_assert_int_gt(err.line, 0);
}
END_TEST

static void fill(TCase *t)
{
  tcase_add_loop_test(t, inference, 0, sizeof shapes / sizeof *shapes);
  tcase_add_loop_test(t, keeps_shape, 0, sizeof unary / sizeof *unary);
  tcase_add_loop_test(t, work_and_depth, 0, sizeof works / sizeof *works);
  tcase_add_loop_test(t, two_inputs, 0, sizeof binary / sizeof *binary);
  tcase_add_test(t, readers);
  tcase_add_loop_test(t, resolved_padding, 0, sizeof paddings / sizeof *paddings);
  tcase_add_test(t, splits_into_equal_parts);
  tcase_add_test(t, outlives_its_text);
  tcase_add_test(t, long_networks);
  tcase_add_test(t, truncated_files);
  tcase_add_test(t, names_of_operators);
  tcase_add_test(t, several_inputs_and_outputs);
  tcase_add_loop_test(t, refused, 0, sizeof refusals / sizeof *refusals);
}

int main(void) { return hs_test_main("graph", fill); }
