/* SPDX-License-Identifier: GPL-3.0-or-later */
/* NN-Stretch: the rewrite against counts of the released networks, the search by hand, the bounds, and what is refused. */
#include "tests/policy/five.h"

#include "base/files.h"
#include "plan/pass.h"
#include "policies/stretch_units.h"
#include "program/setup.h"

/* --- released structures --- */

static struct hs_setup *set_up(const char *soc_name, const char *model, const char *const *params, int n)
{
  const struct hs_request req = {.soc = soc_name, .policy = "nn-stretch", .model = model, .n_params = n, .params = params};
  struct hs_setup *s = calloc(1, sizeof *s);
  struct hs_error err;
  hs_test_accepted(hs_setup_make(s, &req, &err), &err);
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
 * left out: 696 channels are said to meet in stage 3, and its branches have 624. Of EfficientNet only what the CPU has counts: how its branches begin and
 * end (1x1 convolutions) isn't among the configurations' numbers. Below 0: not told. */
static const struct {
  const char *model, *processors;
  double cpu, gpu, dsp;
} counts[] = {
  {"resnet34", "cpu+dsp", 1.239, 0, 1.290},        {"resnet34", "cpu+gpu", 1.578, 0.967, 0},
  {"resnet34", "gpu+dsp", 0.119, 0.967, 1.460},    {"resnet34", "cpu+gpu+dsp", 1.044, 0.410, 0.757},
  {"resnet50", "cpu+dsp", 2.179, 0, 1.439},        {"resnet50", "cpu+gpu", 2.173, 1.439, 0},
  {"resnet50", "gpu+dsp", 0, 1.439, 2.173},        {"resnet50", "cpu+gpu+dsp", 1.502, 0.926, 1.123},
  {"regnetx_1.6gf", "cpu+dsp", 0.973, 0, 0.596},   {"regnetx_1.6gf", "cpu+gpu", 0.944, 0.501, 0},
  {"regnetx_1.6gf", "gpu+dsp", 0.012, 0.484, 0.988},
  {"regnetx_4.0gf", "cpu+dsp", 2.134, 0, 1.583},   {"regnetx_4.0gf", "cpu+gpu", 2.490, 1.143, 0},
  {"regnetx_4.0gf", "gpu+dsp", 0.013, 1.143, 2.478}, {"regnetx_4.0gf", "cpu+gpu+dsp", 1.663, 0.664, 1.297},
  {"efficientnet_lite4_224", "gpu+dsp", 0, -1, -1}, {"efficientnet_b5_224", "gpu+dsp", 0, -1, -1},
};

START_TEST(released_counts)
{
  char processors[60];
  snprintf(processors, sizeof processors, "processors=%s", counts[_i].processors);
  const char *const params[] = {"structure=published", processors};
  struct hs_setup *s = set_up("sd855", counts[_i].model, params, 2);
  double is[] = {gmacs_on(s, HS_CPU), gmacs_on(s, HS_GPU), gmacs_on(s, HS_DSP)};
  const double expected[] = {counts[_i].cpu, counts[_i].gpu, counts[_i].dsp};
  printf("%s %s: cpu %.3f, gpu %.3f, dsp %.3f GMAC\n", counts[_i].model, counts[_i].processors, is[0], is[1], is[2]);
  for (int k = 0; k < 3; k++)
    if (expected[k] >= 0) ck_assert_msg(fabs(is[k] - expected[k]) <= 0.0006, "%s: %.4f, not %.3f GMAC", hs_kind_names[k], is[k], expected[k]);
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

/* Of three quarters of the width 40 channels keep 32, and what a unit expands follows what comes in: b the 32 of the stem, d the 32 of 40, 96 of 120, which by
 * itself would keep 88. The branch writes out its groups; the head's stay. */
START_TEST(what_is_expanded)
{
  int first[] = {1, 3, 5}, tensor[] = {1, 3, 5}, stage[] = {0, 2}, kept = 2;
  const struct hs_units units = {2, first, tensor};
  const struct hs_segment seg = {1, stage, 8, 1, {{&kept, 0.75, 40, true}}};
  static const struct {
    const char *name;
    int channels;
  } expected[] = {{"a", 32}, {"branch1/b", 200}, {"branch1/c", 32}, {"branch1/d", 96}, {"branch1/e", 32}, {"branch1/e_restore", 40}, {"f", 40}, {"g", 40}};
  struct hs_stretched *origin;
  struct rig r;
  char why[200] = "";
  rig_open(&r, "tflite");
  rig_read_network(&r, RIG_NET(RIG_IN("i", "1, 6, 6, 32"), "'g'", RIG_OP("a", "Relu", "'i'", "") ","
                               RIG_OP("b", "Conv", "'a'", ", 'channels': 200, 'kernel': [1, 1]") ","
                               RIG_OP("c", "Conv", "'b'", ", 'channels': 40, 'kernel': [1, 1]") ","
                               RIG_OP("d", "Conv", "'c'", ", 'channels': 120, 'kernel': [1, 1]") ","
                               RIG_OP("e", "Conv", "'d'", ", 'channels': 40, 'kernel': [1, 1]") ","
                               RIG_OP("f", "Conv", "'e'", ", 'channels': 40, 'kernel': [1, 1], 'group': 2") "," RIG_OP("g", "Relu", "'f'", "")));
  struct hs_graph *g = hs_pass_stretch(r.graph, &units, &seg, 1, &origin, &r.arena, why, sizeof why);
  ck_assert_msg(g != NULL, "%s", why);
  ck_assert_int_eq(g->n_ops, 8);
  for (int i = 0; i < 8; i++) {
    ck_assert_str_eq(g->ops[i].name, expected[i].name);
    ck_assert_int_eq(hs_shape_channels(&g->tensors[g->ops[i].outputs[0]].shape), expected[i].channels);
  }
  hs_graph_free(g);
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

/* --- the search, by hand --- */

/* The phone of five.h, its NPU without a limit, and a network of 32×32×128: stem, three units of one 1×1 convolution each, and a head,
 * which is the network's output. A 1×1 from m to n channels takes 1024·m·n/2^14 u on the cpu, a 4th on the GPU, an 8th on the NPU.
 *
 * processors=gpu+npu: the stage takes 768 u on the GPU, 384 on the NPU: straggler bound 1.1·384 = 422.4 u (Eq. 5). Communication, 64 u,
 * isn't amortised (38.4 u, Eq. 4), but there is only one stage to join. Of a branch that keeps d units with w = width/128:
 * w + (d - 1)·w² + w/2 times 2^24 MACs, the last term for the 1×1 that restores 64 channels where there are others; 64 u and 256 (GPU), 128
 * (NPU) times that. Widths: 128, 112, 104, 88, 80, 64; units: 3, 2 (d of 2.7, 2.4, 2.1 are 3).
 *   GPU within the bound: (2, 64) 0.75 → 256 u; (3, 64) 1 → 320; (2, 80) 1.328 → 404
 *   NPU within the bound: … (2, 128) 2.5 → 384; (3, 104) 2.539 → 389; (2, 112) 2.078 → 330; (3, 88) 1.977 → 317; (2, 104) 1.879 → 304.5
 * Capacity: 0.9·3 = 2.7. The least maximum is the NPU's 317, beside which the GPU's (2, 64) makes 2.727 in all. The GPU's part of it, 0.275,
 * is within 0.1 of a third (Eq. 6). Channels: 128·64/152 = 53.9 → 56 for the GPU, 72 for the NPU. */
#define UNIT(name, input) LAYER(name, input, "1", "")

static struct hs_plan stretch(struct rig *r, const char *const *given, int n, struct hs_error *err, enum hs_status *status)
{
  const struct hs_policy *p = hs_policy_find("nn-stretch");
  static const char *values[HS_PARAMS_MAX];
  hs_test_accepted(hs_policy_values(p, given, n, values, err), err);
  const struct hs_view view = {&r->sys, r->graph, values};
  struct hs_plan all = {.arena = &r->arena, .graph = r->graph};
  *status = hs_policy_plan(p, &view, &all, err);
  return all;
}

static void open_unlimited(struct rig *r, const char *net)
{
  char *text = hs_test_replace(soc, "'slice_limit_bytes': 340e3, ", "");
  open_with(r, text, net);
  free(text);
}

START_TEST(by_hand)
{
  static const char *const given[] = {"processors=gpu+npu"};
  static const struct {
    const char *name;
    int channels, processor;
  } expected[] = {{"a", 128, FIVE_CPU},
                  {"branch1/b", 64, FIVE_GPU}, {"branch1/c", 64, FIVE_GPU}, {"branch1/d_restore", 56, FIVE_GPU},
                  {"branch2/b", 88, FIVE_NPU}, {"branch2/c", 88, FIVE_NPU}, {"branch2/d", 88, FIVE_NPU}, {"branch2/d_restore", 72, FIVE_NPU},
                  {"d_meet", 128, FIVE_CPU}, {"e", 128, FIVE_CPU}};
  struct rig r;
  struct hs_error err;
  enum hs_status status;
  open_unlimited(&r, NET("32", UNIT("a", "i"), UNIT("b", "a"), UNIT("c", "b"), UNIT("d", "c"), UNIT("e", "d")));
  struct hs_plan all = stretch(&r, given, 1, &err, &status);
  hs_test_accepted(status, &err);
  ck_assert_int_eq(all.n, 1);
  ck_assert_str_eq(all.names[0], "gpu+npu");
  const struct hs_graph *g = all.alternatives[0]->rewritten;
  ck_assert_int_eq(g->n_ops, 10);
  for (int i = 0; i < g->n_ops; i++) {
    ck_assert_str_eq(g->ops[i].name, expected[i].name);
    ck_assert_int_eq((int)hs_shape_channels(&g->tensors[g->ops[i].outputs[0]].shape), expected[i].channels);
    ck_assert_int_eq(all.alternatives[0]->ops[i].parts[0].processor, expected[i].processor);
  }
  /* Stem 1024; the host maps for the GPU (32), then for the NPU (32). GPU: 256·(0.5 + 0.25 + 0.5·0.4375) = 248 from 1056, SYNC: 1336.
   * NPU: 128·(0.6875 + 2·0.47265625 + 0.6875·0.5625) = 258.5 from 1088, SYNC 1378.5. The concatenation moves bytes only (1e13 B/s). */
  struct hs_program *prog = NULL;
  struct hs_estimate e;
  hs_test_accepted(hs_lower(&r.sys, g, all.alternatives[0], &prog, &err), &err);
  hs_estimate_program(&r.sys, prog, &e, NULL, NULL);
  double concat_s = 2.0 * 32 * 32 * 128 * 4 / 1e13;
  DERIVE("stretched", e.latency_s, (1024 + 64 + 258.5 + 32 + 1024) * u + concat_s);
  hs_program_free(prog);
  hs_placement_release(all.alternatives[0]);
  rig_close(&r);
}
END_TEST

/* Where nobody says which processors, one branch is a choice, too: the network as it is on each of them, here 5·16 = 80 u on the CPU, 5·4 + 64 on the GPU,
 * 5·2 + 64 on the NPU, beside the sets of two and three, whose stem and head on the CPU alone take 32. */
START_TEST(unbranched)
{
  static const char *const given[] = {"processors=cpu+npu"};
  struct rig r;
  struct hs_error err;
  enum hs_status status;
  open_unlimited(&r, NET("4", UNIT("a", "i"), UNIT("b", "a"), UNIT("c", "b"), UNIT("d", "c"), UNIT("e", "d")));
  struct hs_plan all = stretch(&r, NULL, 0, &err, &status);
  hs_test_accepted(status, &err);
  int alone = 0;
  for (int i = 0; i < all.n; i++) {
    if (strchr(all.names[i], '+')) continue;
    alone++;
    ck_assert_ptr_null(all.alternatives[i]->rewritten);
  }
  ck_assert_int_eq(alone, 3);
  ck_assert_str_eq(all.names[0], "npu");
  DERIVE("as it is", lowered(&r, all.alternatives[0]).latency_s, (5 * 2 + 64) * u);
  for (int i = 0; i < all.n; i++) hs_placement_release(all.alternatives[i]);
  all = stretch(&r, given, 1, &err, &status);
  hs_test_accepted(status, &err);
  ck_assert_int_eq(all.n, 1);
  ck_assert_str_eq(all.names[0], "cpu+npu");
  hs_placement_release(all.alternatives[0]);
  rig_close(&r);
}
END_TEST

/* No two branches have four times the original's MACs, so the segment stays whole. Of 4×4×128 a unit takes 16 u on the cpu, where the
 * segment would be fastest: 48 u, against 12 + 64 (GPU) and 6 + 64 (NPU). But the CPU has stem and head only. */
START_TEST(whole_within_the_set)
{
  static const char *const given[] = {"processors=gpu+npu", "capacity=4"};
  static const int expected[] = {FIVE_CPU, FIVE_NPU, FIVE_NPU, FIVE_NPU, FIVE_CPU};
  struct rig r;
  struct hs_error err;
  enum hs_status status;
  open_unlimited(&r, NET("4", UNIT("a", "i"), UNIT("b", "a"), UNIT("c", "b"), UNIT("d", "c"), UNIT("e", "d")));
  struct hs_plan all = stretch(&r, given, 2, &err, &status);
  hs_test_accepted(status, &err);
  ck_assert_int_eq(all.alternatives[0]->n_ops, 5);
  for (int i = 0; i < 5; i++) ck_assert_int_eq(all.alternatives[0]->ops[i].parts[0].processor, expected[i]);
  hs_placement_release(all.alternatives[0]);
  rig_close(&r);
}
END_TEST

/* Of what is above within 422.4 u the most is (2, 80) and (3, 104), 1.328 + 2.539: less than 1.3·3 = 3.9. Beyond it, beside the GPU's (2, 80),
 * there would be the NPU's (3, 112): 2.84 in 428 u. */
START_TEST(stragglers_stay_out)
{
  static const char *const given[] = {"processors=gpu+npu", "capacity=1.3"};
  struct rig r;
  struct hs_error err;
  enum hs_status status;
  open_unlimited(&r, NET("32", UNIT("a", "i"), UNIT("b", "a"), UNIT("c", "b"), UNIT("d", "c"), UNIT("e", "d")));
  struct hs_plan all = stretch(&r, given, 2, &err, &status);
  hs_test_accepted(status, &err);
  ck_assert_int_eq(all.alternatives[0]->n_ops, 5);
  hs_placement_release(all.alternatives[0]);
  rig_close(&r);
}
END_TEST

/* The CPU is the faster here: a 1×1 takes 1024 u, on the GPU 4096. By Eq. 6 (a fifth for the GPU) its (2, 64), 0.75, would go best with a wide branch of the
 * CPU, (3, 112). But the CPU's is no wider than the other: (3, 64) with (2, 64) makes 1.75, with (3, 64) 2, less than 2.7; (3, 80) with (2, 80)
 * 1.719 + 1.328. Channels: 64 each. */
START_TEST(the_cpus_branch_is_narrow)
{
  static const char *const given[] = {"processors=cpu+gpu", "beta=10"};
  static const struct {
    const char *name;
    int channels;
  } expected[] = {{"a", 128}, {"branch1/b", 80}, {"branch1/c", 80}, {"branch1/d_restore", 64}, {"branch2/b", 80}, {"branch2/c", 80}, {"branch2/d", 80},
                  {"branch2/d_restore", 64}, {"d_meet", 128}, {"e", 128}};
  struct rig r;
  struct hs_error err;
  enum hs_status status;
  char *text = hs_test_replace(soc, "'fp16': 64", "'fp16': 4");
  open_with(&r, text, NET("32", UNIT("a", "i"), UNIT("b", "a"), UNIT("c", "b"), UNIT("d", "c"), UNIT("e", "d")));
  struct hs_plan all = stretch(&r, given, 2, &err, &status);
  hs_test_accepted(status, &err);
  const struct hs_graph *g = all.alternatives[0]->rewritten;
  ck_assert_int_eq(g->n_ops, 10);
  for (int i = 0; i < g->n_ops; i++) {
    ck_assert_str_eq(g->ops[i].name, expected[i].name);
    ck_assert_int_eq((int)hs_shape_channels(&g->tensors[g->ops[i].outputs[0]].shape), expected[i].channels);
  }
  hs_placement_release(all.alternatives[0]);
  rig_close(&r);
  free(text);
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

/* So is invoking an NPU, where the first stage takes 3 · 4608 u, the second 512 + 2 · 1152: a tenth of either is more than the 64 u of communication.
 * With 400 u for each invocation the second doesn't amortise it, and is left over for the first. */
START_TEST(amortised_with_its_start)
{
#define THREE(name, input) RIG_OP(name, "Conv", "'" input "'", ", 'channels': 128, 'kernel': [3, 3], 'pad': 'same'")
  static const char *const given[] = {"processors=gpu+npu"};
  for (int starts = 0; starts < 2; starts++) {
    struct rig r;
    struct hs_error err;
    enum hs_status status;
    int meetings = 0;
    open_unlimited(&r, RIG_NET(RIG_IN("i", "1, 64, 64, 128"), "'h'", UNIT("a", "i") "," THREE("b", "a") "," THREE("c", "b") "," THREE("d", "c") ","
                               RIG_OP("e", "Conv", "'d'", ", 'channels': 128, 'kernel': [2, 2], 'stride': [2, 2]") "," THREE("f", "e") ","
                               THREE("g", "f") "," UNIT("h", "g")));
    struct hs_kernel k = *r.sys.backends[FIVE_NPU].kernel;
    k.start_cycles = starts * 400 * 1024;
    r.sys.backends[FIVE_NPU].kernel = &k;
    struct hs_plan all = stretch(&r, given, 1, &err, &status);
    hs_test_accepted(status, &err);
    const struct hs_graph *g = all.alternatives[0]->rewritten;
    for (int i = 0; i < g->n_ops; i++) meetings += strstr(g->ops[i].name, "_meet") != NULL;
    ck_assert_int_eq(meetings, starts ? 1 : 2);
    hs_placement_release(all.alternatives[0]);
    rig_close(&r);
  }
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
  {"sd855", "tflite", "resnet50", 1, {"floor=0.05"}, HS_USAGE, "policy nn-stretch, parameter floor: \"0.05\" is not a number in [0.1, 1]"},
};

START_TEST(refusals)
{
  const struct hs_request req = {.soc = refused[_i].soc, .policy = "nn-stretch", .runtime = refused[_i].runtime, .model = refused[_i].model,
                                 .n_params = refused[_i].n, .params = refused[_i].params};
  struct hs_setup *s = calloc(1, sizeof *s);
  struct hs_error err;
  enum hs_status status = hs_setup_make(s, &req, &err);
  rig_refused(status, &err, refused[_i].status, refused[_i].message);
  tear_down(s);
}
END_TEST

/* Where branches meet they have all channels together, each in proportion to its width, by eights but for the last; alike where eights are too coarse. */
static const struct {
  int64_t channels;
  int n;
  double widths[3];
  int64_t restored[3];
} meetings[] = {{96, 3, {1, 1, 1}, {32, 32, 32}},       {98, 2, {0.5, 0.5}, {48, 50}}, /* 6.1 eights */
                {100, 3, {1, 0.5, 0.5}, {48, 24, 28}}, /* 6.25 and, of the 52 that are left, 3.25 eights */
                {4, 2, {1, 1}, {2, 2}},                 {16, 2, {1, 0.01}, {8, 8}}};

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
  char from[400], path[] = "test-stretch-XXXXXX.json", here[60], *text = NULL;
  struct hs_error err;
  size_t len;
  snprintf(from, sizeof from, "%s/workloads/resnet18.json", getenv("HETSIM_DATA"));
  hs_test_accepted(hs_file_read(from, &text, &len, &err), &err);
  char *renamed = hs_test_replace(text, "\"name\": \"resnet18\"", "\"name\": \"resnet34\"");
  int fd = mkstemps(path, 5);
  ck_assert_int_ge(fd, 0);
  FILE *f = fdopen(fd, "w");
  fputs(renamed, f);
  fclose(f);
  snprintf(here, sizeof here, "./%s", path);
  const struct hs_request req = {.soc = "sd855", .policy = "nn-stretch", .model = here, .n_params = 2, .params = params};
  struct hs_setup *s = calloc(1, sizeof *s);
  enum hs_status status = hs_setup_make(s, &req, &err);
  remove(path);
  rig_refused(status, &err, HS_INPUT, "policy nn-stretch, structure=published: none was released of resnet34 for processors=cpu+gpu of sd855");
  tear_down(s);
  free(renamed);
  free(text);
}
END_TEST

/* What a branch of the GPU ends with is brought to the CPU before that has computed its own branch; what is in the middle of it, or of stem and head, which
 * are the CPU's, is not. All four stages of this structure have a branch on both. */
START_TEST(ends_of_gpu_branches_are_early)
{
  static const char *const params[] = {"structure=published", "processors=cpu+gpu"};
  struct hs_setup *s = set_up("sd855", "resnet34", params, 2);
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
  ck_assert_int_eq(n, 4);
  tear_down(s);
}
END_TEST

static void fill(TCase *t)
{
  tcase_set_timeout(t, 60);
  tcase_add_loop_test(t, released_counts, 0, (int)(sizeof counts / sizeof *counts));
  tcase_add_test(t, identity);
  tcase_add_test(t, groups_written_out);
  tcase_add_loop_test(t, channels_where_branches_meet, 0, sizeof meetings / sizeof *meetings);
  tcase_add_test(t, the_name_of_another);
  tcase_add_test(t, ends_of_gpu_branches_are_early);
  tcase_add_test(t, what_is_expanded);
  tcase_add_test(t, what_cannot_be_scaled);
  tcase_add_test(t, by_hand);
  tcase_add_test(t, whole_within_the_set);
  tcase_add_test(t, unbranched);
  tcase_add_test(t, stragglers_stay_out);
  tcase_add_test(t, the_cpus_branch_is_narrow);
  tcase_add_test(t, bounds);
  tcase_add_test(t, amortised);
  tcase_add_test(t, amortised_with_its_start);
  tcase_add_loop_test(t, refusals, 0, (int)(sizeof refused / sizeof *refused));
}

int main(void) { return hs_test_main("nn-stretch", fill); }
