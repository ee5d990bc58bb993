/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Conditions evaluated on real operators, one at a time. */
#include "tests/unit/suite.h"

#include "input/op_support.h"
#include "input/runtime.h"
#include "plan/pass.h"

static struct hs_graph *graph(const char *ops)
{
  char json[2000];
  struct hs_graph *g = NULL;
  struct hs_error err;
  snprintf(json, sizeof json,
           "{'format': 'hetsim-workload/1', 'name': 'n', 'title': 't', 'source': 's', 'inputs': [{'name': 'x', 'shape': [1,8,8,6]}],"
           "'outputs': ['o'], 'ops': [%s]}", ops);
  char *text = hs_test_json(json);
  ck_assert_msg(hs_graph_parse("n.json", text, strlen(text), &g, &err) == HS_OK, "%s", hs_test_message(&err));
  free(text);
  return g;
}

/* A table that supports every operator of the tests, `op` under one condition. */
static struct hs_op_support *table(const char *op, const char *when)
{
  char json[2000];
  struct hs_op_support *t = NULL;
  struct hs_error err;
  snprintf(json, sizeof json, "{'format': 'hetsim-op-support/1', 'name': 'b', 'title': 't', 'source': 's', 'ops': {'%s': {'support': true, 'when': [%s]}}}",
           op, when);
  char *text = hs_test_json(json);
  ck_assert_msg(hs_op_support_parse("b.json", text, strlen(text), &t, &err) == HS_OK, "%s", hs_test_message(&err));
  free(text);
  return t;
}

#define CONV(attributes) "{'name': 'o', 'op': 'Conv', 'inputs': ['x'], 'channels': 6, 'kernel': [3,5]" attributes "}"
static const struct {
  const char *type, *ops, *when, *why; /* why "": supported */
} cases[] = {
  {"Conv", CONV(""), "{'field': 'group', 'equals': 1}", ""},
  {"Conv", CONV(", 'group': 2"), "{'field': 'group', 'equals': 1}", "group = 2 is not 1"},
  {"Conv", CONV(", 'group': 2"), "{'field': 'channels_per_group', 'in': [1, 2, 4]}", "channels_per_group = 3 is not one of 1, 2, 4"},
  {"Conv", CONV(""), "{'field': 'input_channels', 'multiple_of': 4}", "input_channels = 6 is not a multiple of 4"},
  {"Conv", CONV(""), "{'field': 'output_channels', 'multiple_of': 3}", ""},
  {"Conv", CONV(", 'stride': [4,2]"), "{'field': 'stride_h', 'max': 3}", "stride_h = 4 is not at most 3"},
  {"Conv", CONV(", 'stride': [4,2]"), "{'field': 'stride_w', 'max': 3}", ""},
  {"Conv", CONV(""), "{'field': 'nonunit_window', 'min': 16}", "nonunit_window = 15 is not at least 16"},
  {"Conv", CONV(", 'dilation': [2,1]"), "{'field': 'dilation_h', 'equals': 1}", "dilation_h = 2 is not 1"},
  {"Conv", CONV(", 'stride': [2,2], 'dilation': [2,1]"), "{'if': {'field': 'stride_h', 'equals': 1}, 'field': 'dilation_h', 'equals': 1}", ""},
  {"Conv", CONV(""), "{'field': 'rank', 'in': [2]}", "rank = 4 is not one of 2"},
  {"Concat", "{'name': 'o', 'op': 'Concat', 'inputs': ['x', 'x'], 'axis': 1}", "{'field': 'axis_from_end', 'equals': 0}", "axis_from_end = 2 is not 0"},
  {"Concat", "{'name': 'o', 'op': 'Concat', 'inputs': ['x', 'x']}", "{'field': 'axis_from_end', 'equals': 0}", ""},
  {"Concat", "{'name': 'o', 'op': 'Concat', 'inputs': ['x', 'x']}", "{'if': {'field': 'inputs', 'min': 3}, 'field': 'input_channels', 'multiple_of': 4}", ""},
  {"Concat", "{'name': 'o', 'op': 'Concat', 'inputs': ['x', 'x', 'x']}", "{'if': {'field': 'inputs', 'min': 3}, 'field': 'input_channels', 'multiple_of': 4}",
   "input_channels = 6 is not a multiple of 4 (with inputs = 3)"},
  {"ReduceMean", "{'name': 'o', 'op': 'ReduceMean', 'inputs': ['x'], 'axes': [2,1]}", "{'field': 'reduces_spatial', 'equals': 1}", ""},
  {"ReduceMean", "{'name': 'o', 'op': 'ReduceMean', 'inputs': ['x'], 'axes': [3]}", "{'field': 'reduces_spatial', 'equals': 1}",
   "reduces_spatial = 0 is not 1"},
  {"ReduceMean", "{'name': 'o', 'op': 'ReduceMean', 'inputs': ['x'], 'axes': [-1], 'keepdims': false}",
   "{'field': 'keepdims', 'equals': 1}", "keepdims = 0 is not 1"},
  {"Pad", "{'name': 'o', 'op': 'Pad', 'inputs': ['x'], 'pads': [[0,0],[1,1],[1,1],[0,0]], 'mode': 'reflect'}",
   "{'field': 'reflect', 'equals': 0}", "reflect = 1 is not 0"},
  {"Slice", "{'name': 'o', 'op': 'Slice', 'inputs': ['x'], 'begin': [0,0,0,0], 'size': [1,8,8,6], 'strides': [1,2,1,1]}",
   "{'field': 'strided', 'equals': 0}", "strided = 1 is not 0"},
  {"Slice", "{'name': 'o', 'op': 'Slice', 'inputs': ['x'], 'begin': [0,1,0,0], 'size': [1,2,8,6]}", "{'field': 'strided', 'equals': 0}", ""},
  /* every field once at the edge of passing, once beyond it */
  {"Conv", CONV(""), "{'field': 'rank', 'equals': 4}", ""},
  {"Conv", CONV(""), "{'field': 'kernel_h', 'max': 3}, {'field': 'kernel_w', 'max': 5}", ""},
  {"Conv", CONV(""), "{'field': 'kernel_h', 'min': 4}", "kernel_h = 3 is not at least 4"},
  {"Conv", CONV(""), "{'field': 'kernel_w', 'max': 4}", "kernel_w = 5 is not at most 4"},
  {"Conv", CONV(", 'stride': [4,2]"), "{'field': 'stride_w', 'min': 3}", "stride_w = 2 is not at least 3"},
  {"Conv", CONV(", 'dilation': [1,2], 'pad': 'same'"), "{'field': 'dilation_h', 'equals': 1}, {'field': 'dilation_w', 'equals': 1}", "dilation_w = 2 is not 1"},
  {"Conv", CONV(""), "{'field': 'batch', 'equals': 1}", ""},
  {"Conv", CONV(""), "{'field': 'batch', 'multiple_of': 2}", "batch = 1 is not a multiple of 2"},
  {"Conv", CONV(", 'group': 2"), "{'field': 'channels_per_group', 'equals': 3}", ""},
  {"Conv", CONV(""), "{'field': 'output_channels', 'multiple_of': 4}", "output_channels = 6 is not a multiple of 4"},
  {"Conv", CONV(""), "{'field': 'nonunit_window', 'max': 15}", ""},
  {"Conv", CONV(""), "{'field': 'input_channels', 'in': [3, 6]}", ""},
  {"DepthwiseConv", "{'name': 'o', 'op': 'DepthwiseConv', 'inputs': ['x'], 'kernel': [3,3], 'multiplier': 2}",
   "{'field': 'multiplier', 'equals': 1}", "multiplier = 2 is not 1"},
  {"DepthwiseConv", "{'name': 'o', 'op': 'DepthwiseConv', 'inputs': ['x'], 'kernel': [3,3]}",
   "{'field': 'group', 'equals': 6}, {'field': 'multiplier', 'equals': 1}", ""},
  {"Reshape", "{'name': 'o', 'op': 'Reshape', 'inputs': ['x'], 'shape': [1,8,8,3,2]}", "{'field': 'rank', 'max': 4}", "rank = 5 is not at most 4"},
  {"Reshape", "{'name': 'o', 'op': 'Reshape', 'inputs': ['x'], 'shape': [384]}",
   "{'field': 'rank', 'max': 4}, {'field': 'input_rank', 'max': 3}", "input_rank = 4 is not at most 3"},
  {"Add", "{'name': 'y', 'op': 'ReduceMean', 'inputs': ['x'], 'axes': [0,1,2], 'keepdims': false}, {'name': 'o', 'op': 'Add', 'inputs': ['y', 'x']}",
   "{'field': 'input_rank', 'equals': 4}, {'field': 'inputs', 'equals': 2}", ""}, /* the largest of ranks 1 and 4 */
  {"Split", "{'name': 's', 'op': 'Split', 'inputs': ['x'], 'outputs': ['o', 'p'], 'sizes': [4, 2]}", "{'field': 'outputs', 'max': 1}",
   "outputs = 2 is not at most 1"},
  {"Split", "{'name': 's', 'op': 'Split', 'inputs': ['x'], 'outputs': ['o', 'p'], 'sizes': [4, 2]}", "{'field': 'output_channels', 'multiple_of': 4}",
   "output_channels = 2 is not a multiple of 4"}, /* the second part */
  {"Split", "{'name': 's', 'op': 'Split', 'inputs': ['x'], 'outputs': ['o', 'p'], 'axis': 2}", "{'field': 'axis_from_end', 'equals': 1}", ""},
  {"Concat", "{'name': 'y', 'op': 'Conv', 'inputs': ['x'], 'channels': 8, 'kernel': [1,1]}, {'name': 'o', 'op': 'Concat', 'inputs': ['y', 'x']}",
   "{'field': 'input_channels', 'multiple_of': 4}", "input_channels = 6 is not a multiple of 4"}, /* the second input */
  {"ArgMax", "{'name': 'o', 'op': 'ArgMax', 'inputs': ['x'], 'axis': 0}", "{'field': 'axis_from_end', 'max': 2}", "axis_from_end = 3 is not at most 2"},
  {"ArgMax", "{'name': 'o', 'op': 'ArgMax', 'inputs': ['x']}", "{'field': 'axis_from_end', 'equals': 0}", ""},
  {"Softmax", "{'name': 'o', 'op': 'Softmax', 'inputs': ['x']}", "{'field': 'axis_from_end', 'equals': 0}", ""},
  {"ReduceSum", "{'name': 'o', 'op': 'ReduceSum', 'inputs': ['x'], 'axes': [1]}", "{'field': 'axis_from_end', 'equals': 2}", ""},
  {"ReduceSum", "{'name': 'o', 'op': 'ReduceSum', 'inputs': ['x'], 'axes': [1,3]}", "{'field': 'axis_from_end', 'equals': -1}", ""},
  {"Relu", "{'name': 'o', 'op': 'Relu', 'inputs': ['x']}", "{'field': 'axis_from_end', 'min': 0}", "axis_from_end = -1 is not at least 0"},
  {"Relu", "{'name': 'o', 'op': 'Relu', 'inputs': ['x']}", "{'field': 'broadcast', 'equals': 0}", ""},
  {"ReduceMax", "{'name': 'o', 'op': 'ReduceMax', 'inputs': ['x'], 'axes': [-1]}", "{'field': 'reduces_channel', 'equals': 1}", ""},
  {"ReduceMax", "{'name': 'o', 'op': 'ReduceMax', 'inputs': ['x'], 'axes': [2,3]}", "{'field': 'reduces_channel', 'equals': 1}",
   "reduces_channel = 0 is not 1"},
  {"ReduceMax", "{'name': 'o', 'op': 'ReduceMax', 'inputs': ['x'], 'axes': [1,2,3]}", "{'field': 'reduces_spatial', 'equals': 1}",
   "reduces_spatial = 0 is not 1"},
  /* one of them from the end */
  {"ReduceMax", "{'name': 'o', 'op': 'ReduceMax', 'inputs': ['x'], 'axes': [-2,1]}", "{'field': 'reduces_spatial', 'equals': 1}", ""},
  {"GlobalAveragePool", "{'name': 'o', 'op': 'GlobalAveragePool', 'inputs': ['x']}",
   "{'field': 'reduces_spatial', 'equals': 1}, {'field': 'reduces_channel', 'equals': 0}", ""},
  {"SpaceToDepth", "{'name': 'o', 'op': 'SpaceToDepth', 'inputs': ['x'], 'block_size': 4}", "{'field': 'block_size', 'in': [2, 4]}", ""},
  {"SpaceToDepth", "{'name': 'o', 'op': 'SpaceToDepth', 'inputs': ['x'], 'block_size': 4}", "{'field': 'block_size', 'in': [2, 8]}",
   "block_size = 4 is not one of 2, 8"},
  {"Pad", "{'name': 'o', 'op': 'Pad', 'inputs': ['x'], 'pads': [[0,0],[1,1],[1,1],[0,0]]}", "{'field': 'reflect', 'equals': 0}", ""},
  /* guards: a test with every word; all conditions must hold; the first that fails is named */
  {"Conv", CONV(""), "{'if': {'field': 'kernel_h', 'equals': 3}, 'field': 'kernel_w', 'equals': 3}", "kernel_w = 5 is not 3 (with kernel_h = 3)"},
  {"Conv", CONV(""), "{'if': {'field': 'kernel_h', 'in': [1, 3]}, 'field': 'kernel_w', 'equals': 3}", "kernel_w = 5 is not 3 (with kernel_h = 3)"},
  {"Conv", CONV(""), "{'if': {'field': 'kernel_h', 'max': 2}, 'field': 'kernel_w', 'equals': 3}", ""},
  {"Conv", CONV(""), "{'if': {'field': 'input_channels', 'multiple_of': 4}, 'field': 'kernel_w', 'equals': 3}", ""},
  {"Conv", CONV(""), "{'if': {'field': 'input_channels', 'multiple_of': 3}, 'field': 'kernel_w', 'equals': 3}", "kernel_w = 5 is not 3 (with input_channels = 6)"},
  {"Conv", CONV(""), "{'field': 'group', 'equals': 1}, {'field': 'kernel_h', 'max': 2}, {'field': 'kernel_w', 'max': 2}", "kernel_h = 3 is not at most 2"},
};

START_TEST(condition)
{
  char why[200] = "";
  struct hs_graph *g = graph(cases[_i].ops);
  struct hs_op_support *t = table(cases[_i].type, cases[_i].when);
  bool yes = hs_op_supported(t, g, &g->ops[g->n_ops - 1], 32, why, sizeof why);
  ck_assert_int_eq(yes, cases[_i].why[0] == 0);
  if (!yes) ck_assert_str_eq(why, cases[_i].why);
  hs_op_support_free(t);
  hs_graph_free(g);
}
END_TEST

/* A batch of images of one channel and one image of several: neither has the result's shape, whichever comes first. */
START_TEST(both_are_broadcast)
{
  for (int swap = 0; swap < 2; swap++) {
    char ops[400];
    snprintf(ops, sizeof ops, "{'name': 'm', 'op': 'ReduceMean', 'inputs': ['x'], 'axes': [3]}, {'name': 'y', 'op': 'Pad', 'inputs': ['m'], "
             "'pads': [[1,0],[0,0],[0,0],[0,0]]}, {'name': 'o', 'op': 'Add', 'inputs': [%s]}", swap ? "'y', 'x'" : "'x', 'y'");
    struct hs_graph *g = graph(ops);
    struct hs_op_support *t = table("Add", "{'field': 'broadcast', 'equals': 4}");
    ck_assert(hs_op_supported(t, g, &g->ops[2], 32, NULL, 0));
    hs_op_support_free(t);
    hs_graph_free(g);
  }
}
END_TEST

/* 0 equal shapes, 1 one value per channel, 2 one channel per pixel, 3 any other; whichever operand is the small one */
START_TEST(broadcast_kinds)
{
  static const struct {
    const char *make, *axes;
    int kind;
  } kinds[] = {{"Relu", "", 0}, {"ReduceMean", ", 'axes': [1,2]", 1}, {"ReduceMean", ", 'axes': [3]", 2}, {"ReduceMean", ", 'axes': [1]", 3},
               {"Pad", ", 'pads': [[1,0],[0,0],[0,0],[0,0]]", 3}}; /* another batch */
  for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
    for (int swap = 0; swap < 2; swap++) {
      char ops[300], when[60];
      snprintf(ops, sizeof ops, "{'name': 'y', 'op': '%s', 'inputs': ['x']%s}, {'name': 'o', 'op': 'Add', 'inputs': [%s]}", kinds[k].make, kinds[k].axes,
               swap ? "'y', 'x'" : "'x', 'y'");
      snprintf(when, sizeof when, "{'field': 'broadcast', 'equals': %d}", kinds[k].kind);
      struct hs_graph *g = graph(ops);
      struct hs_op_support *t = table("Add", when);
      ck_assert_msg(hs_op_supported(t, g, &g->ops[1], 32, NULL, 0), "kind %d, swapped %d", kinds[k].kind, swap);
      hs_op_support_free(t);
      hs_graph_free(g);
    }
}
END_TEST

static enum hs_status parse_when(const char *when, struct hs_error *err)
{
  char json[4000];
  struct hs_op_support *t = NULL;
  snprintf(json, sizeof json, "{'format': 'hetsim-op-support/1', 'name': 'b', 'title': 't', 'source': 's', 'ops': {\n'Conv': %s}}", when);
  char *text = hs_test_json(json);
  enum hs_status status = hs_op_support_parse("b.json", text, strlen(text), &t, err);
  hs_op_support_free(t);
  free(text);
  return status;
}

static const struct {
  const char *entry, *message;
} refusals[] = {
  {"true", "b.json:2:9: $.ops.Conv: is not an object"},
  {"{}", "b.json:2:9: $.ops.Conv: key \"support\" is missing"},
  {"{'support': 1}", "b.json:2:21: $.ops.Conv.support: is not true or false, but 1"},
  {"{'support': true, 'why': ''}", "b.json:2:27: $.ops.Conv.why: unknown key \"why\""},
  {"{'support': true, 'support': true}", "b.json:2:27: $.ops.Conv.support: duplicate key"},
  {"{'support': true}, 'Conv': {'support': false}", "b.json:2:28: $.ops.Conv: duplicate key"},
  {"{'support': true}, 'Convolution': {'support': true}", "b.json:2:43: $.ops.Convolution: \"Convolution\" is not an operator hetsim knows"},
  {"{'support': false, 'when': [{'field': 'group', 'min': 2}]}",
   "b.json:2:36: $.ops.Conv.when: goes with \"support\": true: what isn't supported isn't under any condition"},
  {"{'support': true, 'when': []}", "b.json:2:35: $.ops.Conv.when: has 0 elements, not 1 to 16"},
  {"{'support': true, 'when': {'field': 'group', 'equals': 1}}", "b.json:2:35: $.ops.Conv.when: is not an array, but an object"},
  {"{'support': true, 'when': [{'equals': 1}]}", "b.json:2:36: $.ops.Conv.when[0]: key \"field\" is missing"},
  {"{'support': true, 'when': [{'field': 'group'}]}", "b.json:2:36: $.ops.Conv.when[0]: needs exactly one of equals, in, min, max, multiple_of"},
  {"{'support': true, 'when': [{'field': 'group', 'min': 1, 'max': 2}]}",
   "b.json:2:36: $.ops.Conv.when[0]: needs exactly one of equals, in, min, max, multiple_of"},
  {"{'support': true, 'when': [{'field': 'group', 'above': 1}]}", "b.json:2:36: $.ops.Conv.when[0]: needs exactly one of equals, in, min, max, multiple_of"},
  {"{'support': true, 'when': [{'field': 'group', 'equals': 1, 'above': 1}]}", "b.json:2:68: $.ops.Conv.when[0].above: unknown key \"above\""},
  {"{'support': true, 'when': [{'field': 'group', 'equals': '1'}]}", "b.json:2:65: $.ops.Conv.when[0].equals: is not a number, but \"1\""},
  {"{'support': true, 'when': [{'field': 'group', 'equals': 0.5}]}", "b.json:2:65: $.ops.Conv.when[0].equals: 0.5 is not a whole number"},
  {"{'support': true, 'when': [{'field': 'group', 'equals': 1e10}]}",
   "b.json:2:65: $.ops.Conv.when[0].equals: 10000000000 is not in [-1000000000, 1000000000]"},
  {"{'support': true, 'when': [{'field': 'group', 'multiple_of': 0}]}", "b.json:2:70: $.ops.Conv.when[0].multiple_of: 0 is not in [1, 1000000000]"},
  {"{'support': true, 'when': [{'field': 'group', 'in': []}]}", "b.json:2:61: $.ops.Conv.when[0].in: has 0 elements, not 1 to 16"},
  {"{'support': true, 'when': [{'field': 'group', 'in': 1}]}", "b.json:2:61: $.ops.Conv.when[0].in: is not an array, but 1"},
  {"{'support': true, 'when': [{'if': {'field': 'rank'}, 'field': 'group', 'equals': 1}]}",
   "b.json:2:43: $.ops.Conv.when[0].if: needs exactly one of equals, in, min, max, multiple_of"},
  {"{'support': true, 'when': [{'if': true, 'field': 'group', 'equals': 1}]}", "b.json:2:43: $.ops.Conv.when[0].if: is not an object, but true"},
  {"{'support': true, 'when': [{'if': {'field': 'rank', 'equals': 4}}]}", "b.json:2:36: $.ops.Conv.when[0]: key \"field\" is missing"},
  {"{'support': true, 'when': [{'if': {'if': {}, 'field': 'rank', 'equals': 4}, 'field': 'group', 'equals': 1}]}",
   "b.json:2:44: $.ops.Conv.when[0].if.if: unknown key \"if\"; did you mean in?"},
};

START_TEST(refused)
{
  struct hs_error err = {0};
  hs_test_refused(parse_when(refusals[_i].entry, &err), &err, refusals[_i].message);
}
END_TEST

START_TEST(unknown_field_lists_them_all)
{
  struct hs_error err = {0};
  ck_assert_int_eq(parse_when("{'support': true, 'when': [{'field': 'channels', 'equals': 1}]}", &err), HS_INPUT);
  ck_assert_str_eq(err.path, "$.ops.Conv.when[0].field");
  ck_assert(strstr(err.text, "\"channels\" is not one of rank, input_rank, inputs,") != NULL);
  ck_assert(strstr(err.text, "keepdims, nonunit_window") != NULL);
}
END_TEST

START_TEST(a_list_gives_its_reason)
{
  char why[200], small[12];
  struct hs_op_support *t = NULL;
  struct hs_error err;
  struct hs_graph *g = graph(CONV(""));
  char *text = hs_test_json("{'format': 'hetsim-op-support/1', 'name': 'some-npu', 'title': 't', 'source': 's', 'ops': {"
                            "'Conv': {'support': false, 'note': 'only fully connected', 'confidence': 'sure'}}}");
  hs_test_accepted(hs_op_support_parse("b.json", text, strlen(text), &t, &err), &err);
  ck_assert_str_eq(hs_op_support_name(t), "some-npu");
  ck_assert_uint_eq(strlen(hs_op_support_sha256(t)), 64);
  free(text);
  ck_assert(!hs_op_supported(t, g, &g->ops[0], 32, why, sizeof why));
  ck_assert_str_eq(why, "Conv is not on the list of some-npu: only fully connected");
  ck_assert(!hs_op_supported(t, g, &g->ops[0], 32, NULL, 0));
  ck_assert(!hs_op_supported(t, g, &g->ops[0], 32, small, sizeof small));
  ck_assert_str_eq(small, "Conv is not");
  hs_op_support_free(t);
  hs_op_support_free(NULL);
  hs_graph_free(g);
}
END_TEST

static const struct {
  const char *when, *whole;
} reasons[] = {
  {"{'field': 'channels_per_group', 'in': [100000, 200000, 300000]}", "channels_per_group = 3 is not one of 100000, 200000, 300000"},
  {"{'field': 'channels_per_group', 'min': 1000000000}", "channels_per_group = 3 is not at least 1000000000"},
  {"{'field': 'channels_per_group', 'equals': 4}", "channels_per_group = 3 is not 4"},
};

START_TEST(long_reasons_are_cut)
{
  struct hs_graph *g = graph(CONV(", 'group': 2"));
  struct hs_op_support *t = table("Conv", reasons[_i].when);
  const char *whole = reasons[_i].whole;
  char why[100];
  for (size_t size = 1; size <= sizeof why; size++) {
    memset(why, 'x', sizeof why);
    ck_assert(!hs_op_supported(t, g, &g->ops[0], 32, why, size));
    ck_assert_uint_lt(strlen(why), size);
    ck_assert_int_eq(strncmp(why, whole, strlen(why)), 0);
    for (size_t i = size; i < sizeof why; i++) ck_assert_int_eq(why[i], 'x'); /* nothing behind the end */
  }
  ck_assert_str_eq(why, whole);
  hs_op_support_free(t);
  hs_graph_free(g);
}
END_TEST

static struct hs_op_support *shipped(const char *name)
{
  char path[600];
  struct hs_op_support *t = NULL;
  struct hs_error err;
  const char *root = getenv("HETSIM_DATA");
  snprintf(path, sizeof path, "%s/workloads/op-support/%s.json", root ? root : ".", name);
  hs_test_accepted(hs_op_support_read(path, &t, &err), &err);
  return t;
}

/* What is known of real backends, on real operators. */
static const struct {
  const char *table, *ops, *why;
} known[] = {
  {"codl-gpu-image", "{'name': 'o', 'op': 'Concat', 'inputs': ['x', 'x', 'x']}", "input_channels = 6 is not a multiple of 4 (with inputs = 3)"},
  {"codl-gpu-image", "{'name': 'o', 'op': 'Concat', 'inputs': ['x', 'x']}", ""},
  {"codl-gpu-image", CONV(", 'group': 2"), "group = 2 is not 1"},
  {"codl-gpu-image", "{'name': 'o', 'op': 'Transpose', 'inputs': ['x'], 'perm': [0,2,1,3]}", ""},
  {"codl-gpu-image",
   "{'name': 'r', 'op': 'Reshape', 'inputs': ['x'], 'shape': [1,8,8,3,2]}, {'name': 'o', 'op': 'Transpose', 'inputs': ['r'], 'perm': [0,1,2,4,3]}",
   "rank = 5 is not one of 2, 4"}, /* an image has no place for five dimensions */
  {"mace-cpu", CONV(", 'group': 2"), "group = 2 is not 1"},
  {"tflite-gpu", CONV(", 'group': 2"), ""}, /* since TFLite 2.9 */
  {"tflite-gpu", "{'name': 'o', 'op': 'Reshape', 'inputs': ['x'], 'shape': [1,8,8,3,2]}", "rank = 5 is not at most 4"}, /* ShuffleNet's shuffle in 5-D */
  {"nnapi-1.0", "{'name': 'o', 'op': 'Transpose', 'inputs': ['x'], 'perm': [0,3,1,2]}", "Transpose is not on the list of nnapi-1.0: needs NNAPI 1.1"},
  {"nnapi-1.1", "{'name': 'o', 'op': 'Transpose', 'inputs': ['x'], 'perm': [0,3,1,2]}", ""},
  {"tflite-cpu", CONV(", 'group': 2"), ""},
  {"pytorch-gpu", CONV(", 'group': 2"), ""},
  {"pytorch-gpu", "{'name': 'o', 'op': 'Concat', 'axis': 3, 'inputs': ['x', 'x']}", ""},
  {"pytorch-gpu", "{'name': 'o', 'op': 'Concat', 'axis': 2, 'inputs': ['x', 'x']}", "axis_from_end = 1 is not one of 0, 2"}, /* no cat along the width */
  {"pytorch-gpu", "{'name': 'o', 'op': 'GlobalAveragePool', 'inputs': ['x']}", ""},
  {"pytorch-gpu", "{'name': 'o', 'op': 'ReduceMean', 'axes': [3], 'inputs': ['x']}", "reduces_spatial = 0 is not 1"},
  {"pytorch-gpu", "{'name': 't', 'op': 'Transpose', 'inputs': ['x'], 'perm': [0,1,3,2]}, {'name': 'o', 'op': 'MatMul', 'inputs': ['x', 't']}",
   "MatMul is not on the list of pytorch-gpu: mm.glsl multiplies matrices only, and there is no batch (bmm) in v2.0"},
};

START_TEST(known_limits)
{
  char why[300] = "";
  struct hs_graph *g = graph(known[_i].ops);
  struct hs_op_support *t = shipped(known[_i].table);
  bool yes = hs_op_supported(t, g, &g->ops[g->n_ops - 1], 32, why, sizeof why);
  ck_assert_str_eq(yes ? "" : why, known[_i].why);
  hs_op_support_free(t);
  hs_graph_free(g);
}
END_TEST

/* NNAPI's 1 / square root is of floats, and so is what needs it. */
START_TEST(floats_only)
{
  char why[200];
  static const char *const ops[] = {"{'name': 'o', 'op': 'Rsqrt', 'inputs': ['x']}", "{'name': 'o', 'op': 'LayerNormalization', 'inputs': ['x']}"};
  struct hs_graph *g = graph(ops[_i]);
  struct hs_op_support *t = shipped("nnapi-1.3");
  for (int bits = 16; bits <= 32; bits *= 2) ck_assert(hs_op_supported(t, g, &g->ops[0], bits, NULL, 0));
  ck_assert(!hs_op_supported(t, g, &g->ops[0], 8, why, sizeof why));
  ck_assert_str_eq(why, "bits = 8 is not at least 16");
  hs_op_support_free(t);
  hs_graph_free(g);
}
END_TEST

START_TEST(not_listed_and_fused)
{
  char why[200];
  struct hs_graph *g = graph("{'name': 'c', 'op': 'Conv', 'inputs': ['x'], 'channels': 6, 'kernel': [1,1]}, {'name': 'o', 'op': 'Relu', 'inputs': ['c']}");
  struct hs_op_support *t = table("Conv", "{'field': 'group', 'equals': 1}");
  ck_assert(!hs_op_supported(t, g, &g->ops[1], 32, why, sizeof why));
  ck_assert_str_eq(why, "Relu is not on the list of b");
  struct hs_graph *fused = hs_pass_fuse(g, hs_runtime_find("tflite"));
  ck_assert_int_eq(fused->n_ops, 1);
  ck_assert(!hs_op_supported(t, fused, &fused->ops[0], 32, why, sizeof why)); /* the activation it carries isn't on the list */
  hs_graph_free(fused);
  hs_op_support_free(t);
  hs_graph_free(g);
}
END_TEST

START_TEST(fused_activations_are_looked_up_too)
{
  char why[200];
  struct hs_op_support *t = NULL;
  struct hs_error err;
  struct hs_graph *g = graph("{'name': 'c', 'op': 'Conv', 'inputs': ['x'], 'channels': 6, 'kernel': [1,1]}, {'name': 'o', 'op': 'Relu6', 'inputs': ['c']}");
  struct hs_graph *fused = hs_pass_fuse(g, hs_runtime_find("tflite"));
  ck_assert_int_eq(fused->ops[0].n_fused, 1);
  for (int yes = 0; yes < 2; yes++) {
    char *text = hs_test_json("{'format': 'hetsim-op-support/1', 'name': 'b', 'title': 't', 'source': 's',"
                              "'ops': {'Conv': {'support': true}, 'Relu6': {'support': false, 'note': 'clamps'}}}");
    char *other = yes ? hs_test_replace(text, "\"support\": false", "\"support\": true") : strdup(text);
    hs_test_accepted(hs_op_support_parse("b.json", other, strlen(other), &t, &err), &err);
    ck_assert_int_eq(hs_op_supported(t, fused, &fused->ops[0], 32, why, sizeof why), yes);
    if (!yes) ck_assert_str_eq(why, "Relu6 is not on the list of b: clamps");
    hs_op_support_free(t);
    free(other);
    free(text);
  }
  hs_graph_free(fused);
  hs_graph_free(g);
}
END_TEST

static void fill(TCase *t)
{
  tcase_add_loop_test(t, condition, 0, sizeof cases / sizeof *cases);
  tcase_add_test(t, broadcast_kinds);
  tcase_add_test(t, both_are_broadcast);
  tcase_add_loop_test(t, floats_only, 0, 2);
  tcase_add_test(t, not_listed_and_fused);
  tcase_add_test(t, fused_activations_are_looked_up_too);
  tcase_add_loop_test(t, refused, 0, sizeof refusals / sizeof *refusals);
  tcase_add_test(t, unknown_field_lists_them_all);
  tcase_add_test(t, a_list_gives_its_reason);
  tcase_add_loop_test(t, long_reasons_are_cut, 0, sizeof reasons / sizeof *reasons);
  tcase_add_loop_test(t, known_limits, 0, sizeof known / sizeof *known);
}

int main(void) { return hs_test_main("op_support", fill); }
