/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What NN-Stretch makes of a network, whoever asks for it: where its units end, and branches of fewer units and channels, with the convolutions that they need
 * to meet again. */
#include "tests/policy/five.h"

#include "input/catalog.h"
#include "model/groups.h"
#include "plan/pass.h"
#include "policies/stretch_units.h"

/* --- units --- */

/* A unit ends where one tensor leads on, and that isn't a result of the network: behind c, or what follows it, the network's second result would be lost. */
START_TEST(units_end_before_results)
{
  static const char *const outputs[] = {"'e'", "'c', 'e'"};
  static const int n_units[] = {3, 1};
  for (int i = 0; i < 2; i++) {
    char net[1200];
    struct rig r;
    snprintf(net, sizeof net, RIG_NET(RIG_IN("i", "1, 8, 8, 128"), "%s", LAYER("a", "i", "1", "") "," LAYER("b", "a", "1", "") "," LAYER("c", "b", "1", "") ","
                                      LAYER("d", "c", "1", "") "," LAYER("e", "d", "1", "")), outputs[i]);
    open_with(&r, soc, net);
    ck_assert_int_eq(hs_stages_find(r.graph, &r.arena)->units.n, n_units[i]);
    rig_close(&r);
  }
}
END_TEST

/* And where maps end: what a decoder makes of a vector is the head's. */
START_TEST(units_end_with_maps)
{
  struct rig r;
  open_with(&r, soc, RIG_NET(RIG_IN("i", "1, 8, 8, 128"), "'f'", LAYER("a", "i", "1", "") "," LAYER("b", "a", "1", "") "," RIG_OP("c", "GlobalAveragePool", "'b'", "") ","
                             RIG_OP("d", "ResizeNearest", "'c'", ", 'size': [8, 8]") "," LAYER("e", "d", "1", "") "," LAYER("f", "e", "1", "")));
  ck_assert_int_eq(hs_stages_find(r.graph, &r.arena)->units.n, 1);
  rig_close(&r);
}
END_TEST

/* Five groups of 24 channels and five of 16 in one segment: branches are multiples of 48 wide, in one of their stages alone of 24 and 16. */
START_TEST(whole_groups_of_every_width)
{
  struct rig r;
  rig_open(&r, "tflite");
  rig_read_network(&r, RIG_NET(RIG_IN("i", "1, 8, 8, 16"), "'e'", RIG_OP("a", "Conv", "'i'", ", 'channels': 120, 'kernel': [1, 1]") ","
                               RIG_OP("b", "Conv", "'a'", ", 'channels': 120, 'kernel': [1, 1], 'group': 5") ","
                               RIG_OP("c", "Conv", "'b'", ", 'channels': 80, 'kernel': [1, 1]") ","
                               RIG_OP("d", "Conv", "'c'", ", 'channels': 80, 'kernel': [1, 1], 'group': 5") "," RIG_OP("e", "GlobalAveragePool", "'d'", "")));
  struct hs_stages *st = hs_stages_find(r.graph, &r.arena);
  ck_assert_int_eq(st->n, 2);
  ck_assert_int_eq((int)hs_stages_segment(st, r.graph, 0, 1).grain, 24);
  ck_assert_int_eq((int)hs_stages_segment(st, r.graph, 1, 2).grain, 16);
  ck_assert_int_eq((int)hs_stages_segment(st, r.graph, 0, 2).grain, 48);
  rig_close(&r);
}
END_TEST

/* --- the rewrite --- */

/* Every stage kept whole as one branch is the network itself. */
START_TEST(identity)
{
  static const char *const models[] = {"resnet50", "regnetx_1.6gf", "efficientnet_lite4", "vgg16", "squeezenet", "inception_v4", "shufflenet_v2"};
  struct hs_catalog c;
  struct hs_error err;
  hs_test_accepted(hs_catalog_open(&c, &err), &err);
  for (size_t m = 0; m < sizeof models / sizeof *models; m++) {
    struct hs_graph *g;
    struct hs_arena a = {0};
    struct hs_stretched *origin;
    char why[200];
    hs_test_accepted(hs_catalog_workload(&c, models[m], &g, &err), &err);
    for (int i = 0; i < g->n_tensors; i++) g->tensors[i].kept = i; /* as if of a frame before */
    struct hs_stages *st = hs_stages_find(g, &a);
    struct hs_segment *seg = HS_NEW_ARRAY(&a, struct hs_segment, (size_t)st->n);
    int *kept = HS_NEW_ARRAY(&a, int, (size_t)st->n);
    ck_assert_msg(st->n > 0, "%s has no stages", models[m]);
    for (int i = 0; i < st->n; i++) {
      kept[i] = st->stage[i + 1] - st->stage[i];
      seg[i] = (struct hs_segment){1, st->stage + i, 8, 1, {{&kept[i], 1, 0, false}}};
    }
    struct hs_graph *same = hs_pass_stretch(g, &st->units, seg, st->n, &origin, &a, why, sizeof why);
    ck_assert_msg(same != NULL, "%s: %s", models[m], why);
    ck_assert_int_eq(same->n_ops, g->n_ops);
    ck_assert_int_eq(same->n_tensors, g->n_tensors);
    for (int i = 0; i < g->n_tensors; i++) ck_assert_int_eq(same->tensors[i].kept, g->tensors[i].kept);
    ck_assert(hs_graph_macs(same) == hs_graph_macs(g));
    ck_assert_int_eq(hs_graph_params(same), hs_graph_params(g));
    for (int i = 0; i < g->n_ops; i++) ck_assert_int_eq(same->ops[i].class, g->ops[i].class);
    hs_graph_free(same);
    hs_graph_free(g);
    hs_arena_free(&a);
  }
  hs_catalog_close(&c);
}
END_TEST

/* Groups that a branch writes out are those of the network that has them so in the catalogue: a ReLU after a grouped convolution comes after
 * what normalises, and isn't joined to the convolutions. */
START_TEST(groups_written_out)
{
  struct hs_catalog c;
  struct hs_error err;
  struct hs_graph *given, *expected;
  struct hs_arena a = {0};
  struct hs_stretched *origin;
  char why[200];
  hs_test_accepted(hs_catalog_open(&c, &err), &err);
  hs_test_accepted(hs_catalog_workload(&c, "regnetx_1.6gf", &given, &err), &err);
  hs_test_accepted(hs_catalog_workload(&c, "regnetx_1.6gf_split", &expected, &err), &err);
  struct hs_graph *fused = hs_pass_fuse(given, hs_runtime_find("tflite")), *expected_fused = hs_pass_fuse(expected, hs_runtime_find("tflite"));
  struct hs_stages *st = hs_stages_find(fused, &a);
  struct hs_segment *seg = HS_NEW_ARRAY(&a, struct hs_segment, (size_t)st->n);
  int *kept = HS_NEW_ARRAY(&a, int, (size_t)st->n);
  for (int i = 0; i < st->n; i++) {
    kept[i] = st->stage[i + 1] - st->stage[i];
    seg[i] = (struct hs_segment){1, st->stage + i, 1, 1, {{&kept[i], 1, 0, true}}};
  }
  struct hs_graph *out = hs_pass_stretch(fused, &st->units, seg, st->n, &origin, &a, why, sizeof why);
  ck_assert_msg(out != NULL, "%s", why);
  ck_assert_int_eq(out->n_ops, expected_fused->n_ops);
  for (int i = 0; i < out->n_ops; i++) {
    ck_assert_msg(out->ops[i].type == expected_fused->ops[i].type, "operator %d: %s", i, out->ops[i].name);
    ck_assert_msg(out->ops[i].work == expected_fused->ops[i].work, "work of operator %d: %s", i, out->ops[i].name);
  }
  hs_graph_free(out);
  hs_graph_free(fused);
  hs_graph_free(expected_fused);
  hs_graph_free(given);
  hs_graph_free(expected);
  hs_arena_free(&a);
  hs_catalog_close(&c);
}
END_TEST

/* As many groups as an operator has inputs at most are written out, since a Concat brings them together: a Split, that, and what normalises. With one more the
 * convolution stays as it is. */
START_TEST(more_groups_than_a_concat_takes)
{
  int first[] = {1, 2}, tensor[] = {1, 2}, stage[] = {0, 1}, kept = 1, groups = HS_INPUTS_MAX + _i;
  const struct hs_units units = {1, first, tensor};
  const struct hs_segment seg = {1, stage, 1, 1, {{&kept, 1, 0, true}}};
  struct hs_stretched *origin;
  struct rig r;
  char why[200] = "", net[500];
  rig_open(&r, "tflite");
  snprintf(net, sizeof net, RIG_NET(RIG_IN("i", "1, 4, 4, %d"), "'b'", RIG_OP("a", "Relu", "'i'", "") ","
                                    RIG_OP("b", "Conv", "'a'", ", 'channels': %d, 'kernel': [1, 1], 'group': %d")), 2 * groups, 2 * groups, groups);
  rig_read_network(&r, net);
  struct hs_graph *g = hs_pass_stretch(r.graph, &units, &seg, 1, &origin, &r.arena, why, sizeof why);
  ck_assert_msg(g != NULL, "%s", why);
  ck_assert_int_eq(g->n_ops, _i ? 2 : 1 + 1 + HS_INPUTS_MAX + 1 + 1);
  hs_graph_free(g);
  rig_close(&r);
}
END_TEST

struct made {
  const char *name;
  int channels;
};

/* Does the network become these operators, by one segment? */
static void stretches_to(struct rig *r, const struct hs_units *units, const struct hs_segment *seg, int n, const struct made *expected)
{
  struct hs_stretched *origin;
  char why[200] = "";
  struct hs_graph *g = hs_pass_stretch(r->graph, units, seg, 1, &origin, &r->arena, why, sizeof why);
  ck_assert_msg(g != NULL, "%s", why);
  ck_assert_int_eq(g->n_ops, n);
  for (int i = 0; i < n; i++) {
    ck_assert_str_eq(g->ops[i].name, expected[i].name);
    ck_assert_int_eq(hs_shape_channels(&g->tensors[g->ops[i].outputs[0]].shape), expected[i].channels);
  }
  hs_graph_free(g);
}

/* Of three quarters of the width 40 channels keep 32, and what a unit expands follows what comes in: b the 32 of the stem, d the 32 of 40, 96 of 120, which by
 * itself would keep 88. The branch writes out its groups; the head's stay. */
START_TEST(what_is_expanded)
{
  int first[] = {1, 3, 5}, tensor[] = {1, 3, 5}, stage[] = {0, 2}, kept = 2;
  const struct hs_units units = {2, first, tensor};
  const struct hs_segment seg = {1, stage, 8, 1, {{&kept, 0.75, 40, true}}};
  static const struct made expected[] = {{"a", 32}, {"branch1/b", 200}, {"branch1/c", 32}, {"branch1/d", 96}, {"branch1/e", 32},
                                         {"branch1/e_restore", 40}, {"f", 40}, {"g", 40}};
  struct rig r;
  rig_open(&r, "tflite");
  rig_read_network(&r, RIG_NET(RIG_IN("i", "1, 6, 6, 32"), "'g'", RIG_OP("a", "Relu", "'i'", "") ","
                               RIG_OP("b", "Conv", "'a'", ", 'channels': 200, 'kernel': [1, 1]") ","
                               RIG_OP("c", "Conv", "'b'", ", 'channels': 40, 'kernel': [1, 1]") ","
                               RIG_OP("d", "Conv", "'c'", ", 'channels': 120, 'kernel': [1, 1]") ","
                               RIG_OP("e", "Conv", "'d'", ", 'channels': 40, 'kernel': [1, 1]") ","
                               RIG_OP("f", "Conv", "'e'", ", 'channels': 40, 'kernel': [1, 1], 'group': 2") "," RIG_OP("g", "Relu", "'f'", "")));
  stretches_to(&r, &units, &seg, 8, expected);
  rig_close(&r);
}
END_TEST

/* Of half the width b makes 16 channels, which a Concat joins with all 32 of the unit's input: only what adds them up needs them alike. */
START_TEST(what_is_joined_stays_as_wide)
{
  int first[] = {1, 4}, tensor[] = {1, 4}, stage[] = {0, 1}, kept = 1;
  const struct hs_units units = {1, first, tensor};
  const struct hs_segment seg = {1, stage, 8, 1, {{&kept, 0.5, 32, false}}};
  static const struct made expected[] = {{"a", 32}, {"branch1/b", 16}, {"branch1/c", 48}, {"branch1/d", 16}, {"branch1/d_restore", 32}, {"e", 32}};
  struct rig r;
  rig_open(&r, "tflite");
  rig_read_network(&r, RIG_NET(RIG_IN("i", "1, 6, 6, 32"), "'e'", RIG_OP("a", "Relu", "'i'", "") ","
                               RIG_OP("b", "Conv", "'a'", ", 'channels': 32, 'kernel': [1, 1]") "," RIG_OP("c", "Concat", "'b', 'a'", ", 'axis': 3") ","
                               RIG_OP("d", "Conv", "'c'", ", 'channels': 32, 'kernel': [1, 1]") "," RIG_OP("e", "Relu", "'d'", "")));
  stretches_to(&r, &units, &seg, 6, expected);
  rig_close(&r);
}
END_TEST

/* Of half the channels half stays from the frame before, of what stands behind the branch all. */
START_TEST(less_of_fewer_channels_is_kept)
{
  int first[] = {1, 2}, tensor[] = {1, 2}, stage[] = {0, 1}, kept = 1;
  const struct hs_units units = {1, first, tensor};
  const struct hs_segment seg = {1, stage, 8, 1, {{&kept, 0.5, 32, false}}};
  struct rig r;
  struct hs_stretched *origin;
  char why[200] = "";
  rig_open(&r, "tflite");
  rig_read_network(&r, RIG_NET(RIG_IN("i", "1, 6, 6, 32"), "'c'", RIG_OP("a", "Relu", "'i'", "") ","
                               RIG_OP("b", "Conv", "'a'", ", 'channels': 32, 'kernel': [1, 1]") "," RIG_OP("c", "Relu", "'b'", "")));
  for (int i = 0; i < r.graph->n_tensors; i++) r.graph->tensors[i].kept = 3 * 6 * 32;
  struct hs_graph *g = hs_pass_stretch(r.graph, &units, &seg, 1, &origin, &r.arena, why, sizeof why);
  ck_assert_msg(g != NULL, "%s", why);
  static const double expected[] = {3 * 6 * 32, 3 * 6 * 16, 0, 3 * 6 * 32}; /* a, b, what restores it, c */
  ck_assert_int_eq(g->n_ops, 4);
  for (int i = 0; i < 4; i++) DERIVE(g->ops[i].name, (double)g->tensors[g->ops[i].outputs[0]].kept, expected[i]);
  hs_graph_free(g);
  rig_close(&r);
}
END_TEST

/* A shortcut around b, which has half the channels now, is projected to as many, whichever of the summands it is. */
START_TEST(shortcuts_are_projected)
{
  int first[] = {1, 3}, tensor[] = {1, 3}, stage[] = {0, 1}, kept = 1;
  const struct hs_units units = {1, first, tensor};
  const struct hs_segment seg = {1, stage, 8, 1, {{&kept, 0.5, 32, false}}};
  static const char *const sums[] = {"'b', 'a'", "'a', 'b'"};
  static const struct made expected[] = {{"a", 32}, {"branch1/b", 16}, {"branch1/s_project", 16}, {"branch1/s", 16}, {"branch1/s_restore", 32}, {"e", 32}};
  struct rig r;
  char net[700];
  rig_open(&r, "tflite");
  snprintf(net, sizeof net, RIG_NET(RIG_IN("i", "1, 6, 6, 32"), "'e'", RIG_OP("a", "Relu", "'i'", "") ","
                                    RIG_OP("b", "Conv", "'a'", ", 'channels': 32, 'kernel': [1, 1]") "," RIG_OP("s", "Add", "%s", "") ","
                                    RIG_OP("e", "Relu", "'s'", "")), sums[_i]);
  rig_read_network(&r, net);
  stretches_to(&r, &units, &seg, 6, expected);
  rig_close(&r);
}
END_TEST

/* Of half the width two parts of 8 and 24 channels have 4 and 12; of rows they have as many as before. */
START_TEST(splits_are_scaled)
{
  static const struct {
    int axis;
    const char *sizes;
    int first;
  } cases[] = {{3, "8, 24", 4}, {1, "2, 4", 16}};
  int first[] = {1, 5}, tensor[] = {1, 6}, stage[] = {0, 1}, kept = 1;
  const struct hs_units units = {1, first, tensor};
  const struct hs_segment seg = {1, stage, 8, 1, {{&kept, 0.5, 32, false}}};
  const struct made expected[] = {{"a", 32}, {"branch1/b", 16}, {"branch1/s", cases[_i].first}, {"branch1/c", 16}, {"branch1/d", 16},
                                  {"branch1/d_restore", 32}, {"e", 32}};
  struct rig r;
  char net[900];
  rig_open(&r, "tflite");
  snprintf(net, sizeof net, RIG_NET(RIG_IN("i", "1, 6, 6, 32"), "'e'", RIG_OP("a", "Relu", "'i'", "") ","
                                    RIG_OP("b", "Conv", "'a'", ", 'channels': 32, 'kernel': [1, 1]") ","
                                    RIG_OP("s", "Split", "'b'", ", 'outputs': ['x', 'y'], 'axis': %d, 'sizes': [%s]") ","
                                    RIG_OP("c", "Concat", "'x', 'y'", ", 'axis': %d") "," RIG_OP("d", "Conv", "'c'", ", 'channels': 32, 'kernel': [1, 1]") ","
                                    RIG_OP("e", "Relu", "'d'", "")), cases[_i].axis, cases[_i].sizes, cases[_i].axis);
  rig_read_network(&r, net);
  stretches_to(&r, &units, &seg, 7, expected);
  rig_close(&r);
}
END_TEST

/* A convolution with a group for each of 32 channels, to which a sum is fused, has in half the width 16 groups of two channels: written out, with what
 * is added beside the groups' results. */
START_TEST(narrowed_groups_with_a_sum)
{
  int first[] = {1, 2}, tensor[] = {1, 2}, stage[] = {0, 1}, kept = 1;
  const struct hs_units units = {1, first, tensor};
  const struct hs_segment seg = {1, stage, 8, 1, {{&kept, 0.5, 32, false}}};
  struct hs_stretched *origin;
  struct hs_groups w;
  struct rig r;
  char why[200] = "";
  rig_open(&r, "tflite");
  rig_read_network(&r, RIG_NET(RIG_IN("i", "1, 6, 6, 32"), "'e'", RIG_OP("a", "Relu", "'i'", "") ","
                               RIG_OP("b", "Conv", "'a'", ", 'channels': 32, 'kernel': [3, 3], 'pad': 'same', 'group': 32") ","
                               RIG_OP("s", "Add", "'a', 'b'", "") "," RIG_OP("e", "GlobalAveragePool", "'s'", "")));
  struct hs_graph *fused = hs_pass_rules(&r.sys, r.graph);
  ck_assert(fused && fused->n_ops == 3 && fused->ops[1].n_inputs == 2);
  struct hs_graph *g = hs_pass_stretch(fused, &units, &seg, 1, &origin, &r.arena, why, sizeof why);
  ck_assert_msg(g != NULL, "%s", why);
  const struct hs_operator *op = g->ops;
  while (op->type != HS_OP_CONV || op->at.group == 1) op++;
  ck_assert_str_eq(op->name, "branch1/b");
  ck_assert(op->class == HS_CLASS_GROUPED && op->at.group == 16 && op->n_inputs == 2);
  ck_assert(hs_groups_write_out(&r.sys, g, op, hs_soc_find(r.soc, "gpu"), &w));
  ck_assert_int_eq(w.op[HS_GROUPS_CONCAT].n_inputs, 16 + 1);
  ck_assert_int_eq(hs_shape_channels(&w.tensor[w.op[HS_GROUPS_CONCAT].inputs[16]].shape), 16);
  hs_graph_free(g);
  hs_graph_free(fused);
  rig_close(&r);
}
END_TEST

/* Of half the width are left 16 channels, in three groups of five: c has no shape then, and d nothing to read. */
START_TEST(what_cannot_be_scaled)
{
  int first[] = {1, 4}, tensor[] = {1, 4}, stage[] = {0, 1}, kept = 1;
  const struct hs_units units = {1, first, tensor};
  const struct hs_segment seg = {1, stage, 8, 1, {{&kept, 0.5, 30, false}}};
  struct hs_stretched *origin;
  struct rig r;
  char why[200];
  rig_open(&r, "tflite");
  rig_read_network(&r, RIG_NET(RIG_IN("i", "1, 6, 6, 32"), "'e'", RIG_OP("a", "Relu", "'i'", "") ","
                               RIG_OP("b", "Conv", "'a'", ", 'channels': 24, 'kernel': [1, 1]") ","
                               RIG_OP("c", "Conv", "'b'", ", 'channels': 30, 'kernel': [1, 1], 'group': 6") ","
                               RIG_OP("d", "Add", "'c', 'c'", "") "," RIG_OP("e", "Relu", "'d'", "")));
  ck_assert_ptr_null(hs_pass_stretch(r.graph, &units, &seg, 1, &origin, &r.arena, why, sizeof why));
  ck_assert_str_eq(why, "branch1/c: 16 input channels are not a multiple of group 3");
  rig_close(&r);
}
END_TEST

/* Where branches meet they have all channels together, each in proportion to its width, by eights but for the last; alike where eights are too coarse. None is
 * left without one. */
static const struct {
  int64_t channels;
  int n;
  double widths[4];
  int64_t restored[4];
} meetings[] = {{96, 3, {1, 1, 1}, {32, 32, 32}},       {98, 2, {0.5, 0.5}, {48, 50}}, /* 6.1 eights */
                {100, 3, {1, 0.5, 0.5}, {48, 24, 28}}, /* 6.25 and, of the 52 that are left, 3.25 eights */
                {4, 2, {1, 1}, {2, 2}},                 {16, 2, {1, 0.01}, {8, 8}},
                {9, 3, {1, 0.5, 0.5}, {3, 3, 3}}, /* eight of nine leave one for two */
                {10, 3, {1, 0.5, 0.5}, {8, 1, 1}},      {10, 4, {1, 0.5, 0.5, 0.5}, {2, 2, 3, 3}}};

START_TEST(channels_where_branches_meet)
{
  struct hs_segment seg = {.n_branches = meetings[_i].n};
  for (int b = 0; b < seg.n_branches; b++) seg.branches[b].width = meetings[_i].widths[b];
  hs_segment_restore(&seg, meetings[_i].channels);
  for (int b = 0; b < seg.n_branches; b++) ck_assert_int_eq(seg.branches[b].restored, meetings[_i].restored[b]);
}
END_TEST

static void fill(TCase *t)
{
  tcase_set_timeout(t, 60);
  tcase_add_test(t, identity);
  tcase_add_test(t, groups_written_out);
  tcase_add_loop_test(t, more_groups_than_a_concat_takes, 0, 2);
  tcase_add_test(t, narrowed_groups_with_a_sum);
  tcase_add_test(t, whole_groups_of_every_width);
  tcase_add_loop_test(t, channels_where_branches_meet, 0, sizeof meetings / sizeof *meetings);
  tcase_add_test(t, what_is_expanded);
  tcase_add_test(t, what_is_joined_stays_as_wide);
  tcase_add_test(t, less_of_fewer_channels_is_kept);
  tcase_add_loop_test(t, shortcuts_are_projected, 0, 2);
  tcase_add_loop_test(t, splits_are_scaled, 0, 2);
  tcase_add_test(t, what_cannot_be_scaled);
  tcase_add_test(t, units_end_before_results);
  tcase_add_test(t, units_end_with_maps);
}

int main(void) { return hs_test_main("stretch-rewrite", fill); }
