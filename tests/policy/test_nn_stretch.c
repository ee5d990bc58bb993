/* SPDX-License-Identifier: GPL-3.0-or-later */
/* NN-Stretch on SoCs and networks that ship: the released structures against counts of them, who runs which branch and where branches meet, how many
 * segments a search joins, and what is refused. The search by hand is in test_stretch_search.c, what becomes of a network in test_stretch_rewrite.c. */
#include "tests/model/rig.h"

#include "base/files.h"
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

static const struct early_case {
  const char *soc, *model;
  int n_params, n;
} early_cases[] = {
  {"sd855", "resnet34", 2, 4},     /* the released structure: all four stages have a branch on both */
  {"tensor", "densenet121", 1, 3}, /* by search: the first segment is whole on the GPU, then a branch beside the CPU's reads from it; so does a later one */
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

/* --- bounds --- */

/* Each segment of the plan has at least the capacity asked for, and with scaling=depth all channels, with scaling=width all units. */
START_TEST(bounds)
{
  static const char *const ways[] = {"scaling=both", "scaling=depth", "scaling=width"};
  for (int w = 0; w < 3; w++) {
    const char *const params[] = {"processors=cpu+gpu", ways[w], "capacity=0.8", "alpha=10", "beta=1.5"};
    struct hs_setup *s = set_up("sd855", "resnet50", params, 5);
    int width_kept = 0, n = 0;
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
      }
    }
    for (int k = 0; k < s->networks[0].graph->n_ops; k++)
      if (strncmp(s->networks[0].graph->ops[k].name, "stage", 5) == 0) original += s->networks[0].graph->ops[k].macs;
    ck_assert_msg(macs >= 0.8 * original, "%s: %g of %g MACs", ways[w], macs, original);
    if (w == 1) ck_assert_int_eq(width_kept, n);
    if (w == 2) ck_assert_int_eq(n, 2 * (3 * 16 + 4)); /* ResNet-50: 16 units of three, 4 projections; two branches */
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

static void fill(TCase *t)
{
  tcase_set_timeout(t, 60);
  tcase_add_loop_test(t, released_counts, 0, (int)(sizeof counts / sizeof *counts));
  tcase_add_loop_test(t, released_efficientnets, 0, (int)(sizeof efficientnets / sizeof *efficientnets));
  tcase_add_loop_test(t, released_for_all_sets, 0, (int)(sizeof released_sets / sizeof *released_sets));
  tcase_add_test(t, the_name_of_another);
  tcase_add_loop_test(t, ends_of_gpu_branches_are_early, 0, sizeof early_cases / sizeof *early_cases);
  tcase_add_test(t, bounds);
  tcase_add_test(t, an_idle_processor_but_another_network);
  tcase_add_test(t, amortised);
  tcase_add_test(t, branches_meet_on_the_cpu);
  tcase_add_test(t, pieces_in_order);
  tcase_add_loop_test(t, refusals, 0, (int)(sizeof refused / sizeof *refused));
}

int main(void) { return hs_test_main("nn-stretch", fill); }
