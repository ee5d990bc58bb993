/* SPDX-License-Identifier: GPL-3.0-or-later */
/* NN-Stretch: the rewrite against counts of the released networks, the bounds, and what is refused. */
#include "tests/policy/five.h"

#include "base/files.h"
#include "model/groups.h"
#include "plan/pass.h"
#include "policies/stretch_units.h"
#include "program/setup.h"

/* --- released structures --- */

static struct hs_setup *set_up(const char *soc_name, const char *model, const char *const *params, int n)
{
  const struct hs_run_options options = {.soc = soc_name, .policy = "nn-stretch", .model = model, .n_params = n, .params = params};
  struct hs_setup *s = calloc(1, sizeof *s);
  struct hs_error err;
  hs_test_accepted(hs_setup_make(s, &options, &err), &err);
  return s;
}

static void tear_down(struct hs_setup *s)
{
  hs_setup_free(s);
  free(s);
}

/* GMAC of the branches on a kind of processor. */
static double gmacs_on(const struct hs_setup *s, enum hs_kind kind)
{
  double sum = 0;
  for (int i = 0; i < s->graph->n_ops; i++)
    if (s->soc->processors[s->placement->ops[i].parts[0].processor].kind == kind) sum += s->graph->ops[i].macs;
  return sum / 1e9;
}

/* Source of the counts: a recount of the released configurations (multiBranchModel, commit 88ad0b7, configs/mi), MACs at 224x224.
 * Stem and head of gpu+dsp are on the DSP in three of them. RegNetX-1.6GF's cpu+gpu+dsp is
 * left out: 696 channels are said to meet in stage 3, and its branches have 624. The Xiaomi 11 has the Xiaomi 9's (Sec. 7.3), the Tensor what is in
 * configs/pixel. */
static const struct {
  const char *soc, *model, *processors;
  double cpu, gpu, dsp;
} counts[] = {
  {"sd855", "resnet34", "cpu+dsp", 1.239, 0, 1.290},        {"sd855", "resnet34", "cpu+gpu", 1.578, 0.967, 0},
  {"sd855", "resnet34", "gpu+dsp", 0.119, 0.967, 1.460},    {"sd855", "resnet34", "cpu+gpu+dsp", 1.044, 0.410, 0.757},
  {"sd855", "resnet50", "cpu+dsp", 2.179, 0, 1.439},        {"sd855", "resnet50", "cpu+gpu", 2.173, 1.439, 0},
  {"sd855", "resnet50", "gpu+dsp", 0, 1.439, 2.173},        {"sd855", "resnet50", "cpu+gpu+dsp", 1.502, 0.926, 1.123},
  {"sd855", "regnetx_1.6gf", "cpu+dsp", 0.973, 0, 0.596},   {"sd855", "regnetx_1.6gf", "cpu+gpu", 0.944, 0.501, 0},
  {"sd855", "regnetx_1.6gf", "gpu+dsp", 0.012, 0.484, 0.988},
  {"sd855", "regnetx_4.0gf", "cpu+dsp", 2.134, 0, 1.583},   {"sd855", "regnetx_4.0gf", "cpu+gpu", 2.490, 1.143, 0},
  {"sd855", "regnetx_4.0gf", "gpu+dsp", 0.013, 1.143, 2.478}, {"sd855", "regnetx_4.0gf", "cpu+gpu+dsp", 1.663, 0.664, 1.297},
  {"sd888", "resnet50", "cpu+dsp", 2.179, 0, 1.439},    {"tensor", "resnet34", "cpu+gpu", 1.578, 0.967, 0},
  {"tensor", "resnet50", "cpu+gpu", 2.194, 1.080, 0},
};

START_TEST(released_counts)
{
  char processors[60];
  snprintf(processors, sizeof processors, "processors=%s", counts[_i].processors);
  const char *const params[] = {"structure=published", processors};
  struct hs_setup *s = set_up(counts[_i].soc, counts[_i].model, params, 2);
  double is[] = {gmacs_on(s, HS_CPU), gmacs_on(s, HS_GPU), gmacs_on(s, HS_DSP)};
  const double expected[] = {counts[_i].cpu, counts[_i].gpu, counts[_i].dsp};
  printf("%s %s: cpu %.3f, gpu %.3f, dsp %.3f GMAC\n", counts[_i].model, counts[_i].processors, is[0], is[1], is[2]);
  for (int k = 0; k < 3; k++)
    ck_assert_msg(fabs(is[k] - expected[k]) <= 0.0006, "%s: %.4f, not %.3f GMAC", hs_kind_names[k], is[k], expected[k]);
  tear_down(s);
}
END_TEST

/* How the branches of EfficientNets begin and end (1x1 convolutions) isn't among the configurations' numbers, so that their MACs aren't told. But a unit
 * expands what it reads six times (in the first stage not at all): the first of a stage all channels of the original, the others the branch's width. From the
 * configurations' depths and widths follow the channels of all depthwise convolutions. And where branches meet there are as many as in the original. */
static const struct {
  const char *soc, *model, *processors;
  int64_t expanded[HS_KIND_N];
} efficientnets[] = {
  {"sd855", "efficientnet_lite4_224", "cpu+dsp", {[HS_CPU] = 15872, [HS_DSP] = 13536}},
  {"sd855", "efficientnet_lite4_224", "cpu+gpu", {[HS_CPU] = 17984, [HS_GPU] = 12096}},
  {"sd855", "efficientnet_lite4_224", "gpu+dsp", {[HS_DSP] = 17984, [HS_GPU] = 12096}},
  {"sd855", "efficientnet_b5_224", "cpu+dsp", {[HS_CPU] = 27168, [HS_DSP] = 20280}},
  {"sd855", "efficientnet_b5_224", "cpu+gpu", {[HS_CPU] = 27168, [HS_GPU] = 19152}},
  {"sd855", "efficientnet_b5_224", "gpu+dsp", {[HS_DSP] = 27168, [HS_GPU] = 19152}},
  {"tensor", "efficientnet_lite4_224", "cpu+gpu", {[HS_CPU] = 17984, [HS_GPU] = 12128}},
  {"tensor", "efficientnet_b5_224", "cpu+gpu", {[HS_CPU] = 26784, [HS_GPU] = 12720}},
};

START_TEST(released_efficientnets)
{
  char processors[60];
  snprintf(processors, sizeof processors, "processors=%s", efficientnets[_i].processors);
  const char *const params[] = {"structure=published", processors};
  struct hs_setup *s = set_up(efficientnets[_i].soc, efficientnets[_i].model, params, 2);
  const struct hs_graph *original = s->networks[0].graph;
  int64_t expanded[HS_KIND_N] = {0};
  int meetings = 0;
  for (int i = 0; i < s->graph->n_ops; i++) {
    const struct hs_operator *op = &s->graph->ops[i];
    int64_t channels = hs_shape_channels(&s->graph->tensors[op->outputs[0]].shape);
    size_t before_meet = strlen(op->name) - strlen("_meet");
    if (op->type == HS_OP_DEPTHWISE_CONV) expanded[s->soc->processors[s->placement->ops[i].parts[0].processor].kind] += channels;
    for (int k = 0; k < original->n_ops && strstr(op->name, "_meet"); k++) {
      const struct hs_operator *o = &original->ops[k];
      if (strlen(o->name) != before_meet || strncmp(o->name, op->name, before_meet) != 0) continue;
      ck_assert_int_eq(channels, hs_shape_channels(&original->tensors[o->outputs[0]].shape));
      meetings++;
    }
  }
  ck_assert_int_gt(meetings, 4);
  for (int k = 0; k < HS_KIND_N; k++) ck_assert_msg(expanded[k] == efficientnets[_i].expanded[k], "%s: %d", hs_kind_names[k], (int)expanded[k]);
  tear_down(s);
}
END_TEST

/* Where the set is chosen, too, a network that was released is stretched: no processor has it as it is. ResNet-34 was released for the three pairs of the
 * Snapdragon 855's CPU, GPU and DSP and for all three, for the Tensor on CPU and GPU. */
static const struct {
  const char *soc;
  int n;
} released_sets[] = {{"sd855", 4}, {"tensor", 1}};

START_TEST(released_for_all_sets)
{
  static const char *const params[] = {"structure=published"};
  struct hs_setup *s = set_up(released_sets[_i].soc, "resnet34", params, 1);
  const struct hs_plan *plan = &s->networks[0].plan;
  ck_assert_int_eq(plan->n, released_sets[_i].n);
  for (int i = 0; i < plan->n; i++) ck_assert_msg(strchr(plan->names[i], '+') != NULL, "%s", plan->names[i]);
  tear_down(s);
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

/* Its groups written out, a Snapdragon 855's DSP runs the middle of RegNetX whole; with the GPU idle, gpu+dsp has a network that no other set has. */
START_TEST(an_idle_processor_but_another_network)
{
  struct hs_setup *s = set_up("sd855", "regnetx_1.6gf", NULL, 0);
  const struct hs_plan *plan = &s->networks[0].plan;
  int a = 0;
  while (a < plan->n && strcmp(plan->names[a], "gpu+dsp") != 0) a++;
  ck_assert_int_lt(a, plan->n);
  bool dsp = false;
  for (int i = 0; i < plan->alternatives[a]->n_ops; i++) {
    enum hs_kind kind = s->soc->processors[plan->alternatives[a]->ops[i].parts[0].processor].kind;
    ck_assert(kind == HS_CPU || kind == HS_DSP);
    dsp |= kind == HS_DSP;
  }
  ck_assert(dsp);
  tear_down(s);
}
END_TEST

/* --- bounds --- */

/* Each segment of the plan has at least the capacity asked for, and with scaling=depth all channels, with scaling=width all units. */
START_TEST(bounds)
{
  static const char *const ways[] = {"scaling=both", "scaling=depth", "scaling=width"};
  for (int w = 0; w < 3; w++) {
    const char *const params[] = {"processors=cpu+gpu", ways[w], "capacity=0.8", "alpha=10", "beta=1.5"};
    struct hs_setup *s = set_up("sd855", "resnet50", params, 5);
    int depth_kept = 0, width_kept = 0, n = 0;
    double macs = 0, original = 0;
    for (int i = 0; i < s->graph->n_ops; i++) {
      const char *name = s->graph->ops[i].name, *slash = strchr(name, '/');
      if (!slash) continue;
      macs += s->graph->ops[i].macs;
      for (int k = 0; k < s->networks[0].graph->n_ops; k++) {
        const struct hs_operator *o = &s->networks[0].graph->ops[k];
        if (strcmp(o->name, slash + 1) != 0 || o->type != HS_OP_CONV) continue;
        n++;
        width_kept += o->at.channels == s->graph->ops[i].at.channels;
        depth_kept++;
      }
    }
    for (int k = 0; k < s->networks[0].graph->n_ops; k++)
      if (strncmp(s->networks[0].graph->ops[k].name, "stage", 5) == 0) original += s->networks[0].graph->ops[k].macs;
    ck_assert_msg(macs >= 0.8 * original, "%s: %g of %g MACs", ways[w], macs, original);
    if (w == 1) ck_assert_int_eq(width_kept, n);
    if (w == 2) ck_assert_int_eq(depth_kept, 2 * (3 * 16 + 4)); /* ResNet-50: 16 units of three, 4 projections; two branches */
    tear_down(s);
  }
}
END_TEST

/* Eq. 4: with alpha=0.1 fewer segments than stages meet, with alpha=100 every stage does. */
static int count_meetings(const char *alpha)
{
  const char *const params[] = {"processors=cpu+gpu", alpha, "beta=1.5"};
  struct hs_setup *s = set_up("sd855", "resnet50", params, 3);
  int n = 0;
  for (int i = 0; i < s->graph->n_ops; i++) n += strstr(s->graph->ops[i].name, "_meet") != NULL;
  tear_down(s);
  return n;
}

START_TEST(amortised)
{
  ck_assert_int_eq(count_meetings("alpha=100"), 4);
  ck_assert_int_lt(count_meetings("alpha=0.1"), 4);
  ck_assert_int_ge(count_meetings("alpha=0.1"), 1);
}
END_TEST

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

/* Branches meet on the CPU (Algorithm 1) also where stem and head were released for the DSP. */
START_TEST(branches_meet_on_the_cpu)
{
  static const char *const params[] = {"structure=published", "processors=gpu+dsp"};
  struct hs_setup *s = set_up("sd855", "resnet50", params, 2);
  int n = 0;
  for (int i = 0; i < s->graph->n_ops; i++) {
    bool meets = strstr(s->graph->ops[i].name, "_meet") != NULL;
    int kind = s->soc->processors[s->placement->ops[i].parts[0].processor].kind;
    ck_assert_msg((kind == HS_CPU) == meets, "%s", s->graph->ops[i].name);
    n += meets;
  }
  ck_assert_int_eq(n, 4);
  tear_down(s);
}
END_TEST

/* 1 and up: of a branch; 0: stem or head; -1: where branches meet */
static int piece_of(const char *name)
{
  int branch = 0;
  if (strstr(name, "_meet")) return -1;
  return sscanf(name, "branch%d/", &branch) == 1 ? branch : 0;
}

/* Algorithm 1: in each stage first what the GPU has, then the DSP's, then the CPU's own, each in one piece. */
START_TEST(pieces_in_order)
{
  static const char *const params[] = {"structure=published", "processors=cpu+gpu+dsp"};
  static const enum hs_kind order[] = {HS_GPU, HS_DSP, HS_CPU};
  struct hs_setup *s = set_up("sd855", "resnet50", params, 2);
  for (int i = 0; i < s->graph->n_ops; i++) {
    const char *name = s->graph->ops[i].name;
    int piece = piece_of(name), before = i ? piece_of(s->graph->ops[i - 1].name) : 0;
    enum hs_kind kind = s->soc->processors[s->placement->ops[i].parts[0].processor].kind;
    ck_assert_msg(piece < 1 || kind == order[piece - 1], "%s", name);
    ck_assert_msg(piece <= 0 || piece == before || piece == (before < 0 ? 0 : before) + 1, "%s", name);
    if (i) ck_assert_msg(hs_placement_chained(s->placement, i - 1) == (piece == before), "%s", name);
  }
  tear_down(s);
}
END_TEST

/* --- refusals --- */

static const struct {
  const char *soc, *runtime, *model;
  int n;
  const char *params[2];
  enum hs_status status;
  const char *message;
} refused[] = {
  {"sd855", "tflite", "resnet50", 1, {"processors=cpu+fpga"}, HS_USAGE,
   "policy nn-stretch, parameter processors: \"cpu+fpga\" is not one of auto, cpu+gpu, cpu+dsp, cpu+npu, gpu+dsp, gpu+npu, dsp+npu, cpu+gpu+dsp, "
   "cpu+gpu+npu, cpu+dsp+npu, gpu+dsp+npu, cpu+gpu+dsp+npu"},
  {"kirin960", "tflite", "resnet50", 1, {"processors=cpu+dsp"}, HS_USAGE,
   "policy nn-stretch, processors=cpu+dsp: kirin960 under runtime tflite has no such two processors"},
  {"sd855", "ncnn", "resnet50", 1, {"processors=cpu+dsp"}, HS_USAGE,
   "policy nn-stretch, processors=cpu+dsp: sd855 under runtime ncnn has no such two processors"}, /* the SoC has a DSP, and ncnn no code for it */
  {"sd855", "tflite", "vgg16", 1, {"structure=published"}, HS_INPUT,
   "policy nn-stretch, structure=published: none was released of vgg16 for processors=auto of sd855"},
  {"sd865", "tflite", "resnet50", 2, {"structure=published", "processors=cpu+gpu"}, HS_INPUT,
   "policy nn-stretch, structure=published: none was released of resnet50 for processors=cpu+gpu of sd865"},
  {"sd855", "tflite", "resnet50", 2, {"structure=published", "capacity=0.5"}, HS_USAGE,
   "policy nn-stretch: capacity=0.5 is for a search, and structure=published takes branches as they were released"},
  {"sd855", "tflite", "resnet50", 2, {"structure=published", "scaling=depth"}, HS_USAGE,
   "policy nn-stretch: scaling=depth is for a search, and structure=published takes branches as they were released"},
  {"sd855", "tflite", "resnet50", 1, {"floor=0.05"}, HS_USAGE, "policy nn-stretch, parameter floor: \"0.05\" is not a number in [0.1, 1]"},
};

START_TEST(refusals)
{
  const struct hs_run_options options = {.soc = refused[_i].soc, .policy = "nn-stretch", .runtime = refused[_i].runtime, .model = refused[_i].model,
                                 .n_params = refused[_i].n, .params = refused[_i].params};
  struct hs_setup *s = calloc(1, sizeof *s);
  struct hs_error err;
  enum hs_status status = hs_setup_make(s, &options, &err);
  rig_refused(status, &err, refused[_i].status, refused[_i].message);
  tear_down(s);
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

/* A network that is called as one of the released, with as many stages, and fewer units in them: the structure isn't of it. */
START_TEST(the_name_of_another)
{
  static const char *const params[] = {"structure=published", "processors=cpu+gpu"};
  char from[400], *text = NULL;
  struct hs_error err;
  size_t len;
  snprintf(from, sizeof from, "%s/workloads/resnet18.json", getenv("HETSIM_DATA"));
  hs_test_accepted(hs_file_read(from, &text, &len, &err), &err);
  char *renamed = hs_test_replace(text, "\"name\": \"resnet18\"", "\"name\": \"resnet34\"");
  char *path = hs_test_file(".json", renamed, strlen(renamed));
  const struct hs_run_options options = {.soc = "sd855", .policy = "nn-stretch", .model = path, .n_params = 2, .params = params};
  struct hs_setup *s = calloc(1, sizeof *s);
  enum hs_status status = hs_setup_make(s, &options, &err);
  remove(path);
  rig_refused(status, &err, HS_INPUT, "policy nn-stretch, structure=published: none was released of resnet34 for processors=cpu+gpu of sd855");
  tear_down(s);
  free(path);
  free(renamed);
  free(text);
}
END_TEST

static const struct early_case {
  const char *soc, *model;
  int n_params, n;
} early_cases[] = {
  {"sd855", "resnet34", 2, 4},     /* the released structure: all four stages have a branch on both */
  {"tensor", "densenet121", 1, 2}, /* by search: the first segment is whole on the GPU, then a branch beside the CPU's reads from it */
};

/* What a branch of the GPU ends with is brought to the CPU before that has computed its own branch, and what a segment that is whole there ends with before the
 * GPU's branch of the next; what is in the middle of it, or of stem and head, which are the CPU's, is not. */
START_TEST(ends_of_gpu_branches_are_early)
{
  static const char *const params[] = {"processors=cpu+gpu", "structure=published"};
  const struct early_case *c = &early_cases[_i];
  struct hs_setup *s = set_up(c->soc, c->model, params, c->n_params);
  int n = 0, gpu = hs_soc_first(s->soc, HS_GPU);
  for (int i = 0; i < s->graph->n_ops; i++) {
    const struct hs_op_placement *op = &s->placement->ops[i];
    bool leaves = false;
    for (int k = i + 1; k < s->graph->n_ops; k++)
      for (int j = 0; j < s->graph->ops[k].n_inputs; j++)
        leaves |= s->graph->ops[k].inputs[j] == s->graph->ops[i].outputs[0] && s->placement->ops[k].parts[0].processor != gpu;
    ck_assert_msg(op->early == (op->parts[0].processor == gpu && leaves), "%s", s->graph->ops[i].name);
    n += op->early;
  }
  ck_assert_int_eq(n, c->n);
  tear_down(s);
}
END_TEST

static void fill(TCase *t)
{
  tcase_set_timeout(t, 60);
  tcase_add_loop_test(t, released_counts, 0, (int)(sizeof counts / sizeof *counts));
  tcase_add_loop_test(t, released_efficientnets, 0, (int)(sizeof efficientnets / sizeof *efficientnets));
  tcase_add_loop_test(t, released_for_all_sets, 0, (int)(sizeof released_sets / sizeof *released_sets));
  tcase_add_test(t, identity);
  tcase_add_test(t, groups_written_out);
  tcase_add_loop_test(t, more_groups_than_a_concat_takes, 0, 2);
  tcase_add_test(t, narrowed_groups_with_a_sum);
  tcase_add_test(t, whole_groups_of_every_width);
  tcase_add_loop_test(t, channels_where_branches_meet, 0, sizeof meetings / sizeof *meetings);
  tcase_add_test(t, the_name_of_another);
  tcase_add_loop_test(t, ends_of_gpu_branches_are_early, 0, sizeof early_cases / sizeof *early_cases);
  tcase_add_test(t, what_is_expanded);
  tcase_add_test(t, what_is_joined_stays_as_wide);
  tcase_add_test(t, less_of_fewer_channels_is_kept);
  tcase_add_loop_test(t, shortcuts_are_projected, 0, 2);
  tcase_add_test(t, what_cannot_be_scaled);
  tcase_add_test(t, bounds);
  tcase_add_test(t, an_idle_processor_but_another_network);
  tcase_add_test(t, amortised);
  tcase_add_test(t, units_end_before_results);
  tcase_add_test(t, units_end_with_maps);
  tcase_add_test(t, branches_meet_on_the_cpu);
  tcase_add_test(t, pieces_in_order);
  tcase_add_loop_test(t, refusals, 0, (int)(sizeof refused / sizeof *refused));
}

int main(void) { return hs_test_main("nn-stretch", fill); }
