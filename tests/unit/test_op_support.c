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
   "input_channels = 6 is not a multiple of 4"},
  {"ReduceMean", "{'name': 'o', 'op': 'ReduceMean', 'inputs': ['x'], 'axes': [2,1]}", "{'field': 'reduces_spatial', 'equals': 1}", ""},
  {"ReduceMean", "{'name': 'o', 'op': 'ReduceMean', 'inputs': ['x'], 'axes': [3]}", "{'field': 'reduces_spatial', 'equals': 1}", "reduces_spatial = 0 is not 1"},
  {"ReduceMean", "{'name': 'o', 'op': 'ReduceMean', 'inputs': ['x'], 'axes': [-1], 'keepdims': false}", "{'field': 'keepdims', 'equals': 1}", "keepdims = 0 is not 1"},
  {"Pad", "{'name': 'o', 'op': 'Pad', 'inputs': ['x'], 'pads': [[0,0],[1,1],[1,1],[0,0]], 'mode': 'reflect'}", "{'field': 'reflect', 'equals': 0}", "reflect = 1 is not 0"},
  {"Slice", "{'name': 'o', 'op': 'Slice', 'inputs': ['x'], 'begin': [0,0,0,0], 'size': [1,8,8,6], 'strides': [1,2,1,1]}", "{'field': 'strided', 'equals': 0}", "strided = 1 is not 0"},
};

START_TEST(condition)
{
  char why[200] = "";
  struct hs_graph *g = graph(cases[_i].ops);
  struct hs_op_support *t = table(cases[_i].type, cases[_i].when);
  bool yes = hs_op_supported(t, g, &g->ops[g->n_ops - 1], why, sizeof why);
  ck_assert_int_eq(yes, cases[_i].why[0] == 0);
  if (!yes) ck_assert_str_eq(why, cases[_i].why);
  hs_op_support_free(t);
  hs_graph_free(g);
}
END_TEST

/* 0 equal shapes, 1 one value per channel, 2 one channel per pixel, 3 other; whichever operand is the small one */
START_TEST(broadcast_kinds)
{
  static const struct {
    const char *make, *axes;
    int kind;
  } kinds[] = {{"Relu", "", 0}, {"ReduceMean", ", 'axes': [1,2]", 1}, {"ReduceMean", ", 'axes': [3]", 2}, {"ReduceMean", ", 'axes': [1]", 3}};
  for (int k = 0; k < 4; k++)
    for (int swap = 0; swap < 2; swap++) {
      char ops[300], when[60];
      snprintf(ops, sizeof ops, "{'name': 'y', 'op': '%s', 'inputs': ['x']%s}, {'name': 'o', 'op': 'Add', 'inputs': [%s]}", kinds[k].make, kinds[k].axes,
               swap ? "'y', 'x'" : "'x', 'y'");
      snprintf(when, sizeof when, "{'field': 'broadcast', 'equals': %d}", kinds[k].kind);
      struct hs_graph *g = graph(ops);
      struct hs_op_support *t = table("Add", when);
      ck_assert_msg(hs_op_supported(t, g, &g->ops[1], NULL, 0), "kind %d, swapped %d", kinds[k].kind, swap);
      hs_op_support_free(t);
      hs_graph_free(g);
    }
}
END_TEST

START_TEST(not_listed_and_fused)
{
  char why[200];
  struct hs_graph *g = graph("{'name': 'c', 'op': 'Conv', 'inputs': ['x'], 'channels': 6, 'kernel': [1,1]}, {'name': 'o', 'op': 'Relu', 'inputs': ['c']}");
  struct hs_op_support *t = table("Conv", "{'field': 'group', 'equals': 1}");
  ck_assert(!hs_op_supported(t, g, &g->ops[1], why, sizeof why));
  ck_assert_str_eq(why, "Relu is not on the list of b");
  struct hs_graph *fused = hs_pass_fuse(g, hs_runtime_find("tflite"));
  ck_assert_int_eq(fused->n_ops, 1);
  ck_assert(!hs_op_supported(t, fused, &fused->ops[0], why, sizeof why)); /* the activation it carries isn't on the list */
  hs_graph_free(fused);
  hs_op_support_free(t);
  hs_graph_free(g);
}
END_TEST

static void fill(TCase *t)
{
  tcase_add_loop_test(t, condition, 0, sizeof cases / sizeof *cases);
  tcase_add_test(t, broadcast_kinds);
  tcase_add_test(t, not_listed_and_fused);
}

int main(void) { return hs_test_main("op_support", fill); }
