/* SPDX-License-Identifier: GPL-3.0-or-later */
/* NN-Stretch (Wei et al., MobiSys 2023) on a Xiaomi 9 (sd855), Pixel 6 (tensor) and Xiaomi 11 (sd888), in TensorFlow Lite with int8
 * on CPU and DSP and fp16 on the GPU. C, G, D: the processors with a branch. Accuracies are no matter of a simulator. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "model/cost.h"
#include "plan/estimate.h"
#include "plan/lower.h"
#include "policies/stretch_units.h"
#include "program/reproduce_nn_stretch.h"

static enum hs_status latency_of(struct hs_reproduction *r, const struct hs_cell *cell, double *seconds, struct hs_error *err)
{
  struct hs_cell_result out;
  HS_TRY(hs_cell_run(r, cell, &out, err));
  *seconds = out.summary.latency_s;
  return HS_OK;
}

/* --- Table 3 --- */

enum { POINTS_MAX = 9, BRANCH_UNITS = 5 }; /* units of a stage's 9 in each branch, as wide as the original: R-56_nds_1gpu.yaml of the authors' mbm-pycls */

/* Both branches alike: units of each stage, and a 1x1 convolution that brings them to half of the original's channels. */
static struct hs_segment two_branches(const struct hs_graph *g, const struct hs_stages *st, const int *at, const int *kept, int n_stages)
{
  int64_t half = hs_shape_channels(&g->tensors[st->units.tensor[at[n_stages]]].shape) / 2;
  return (struct hs_segment){n_stages, at, 8, 2, {{kept, 1, half, false}, {kept, 1, half, false}}};
}

/* Where so many meeting points lie: at ends of stages, the last of them joined where there are fewer points than stages; where there are more,
 * the first stages are cut in equal parts. */
static int meeting_points(const struct hs_graph *g, const struct hs_stages *st, int points, struct hs_segment *segments, struct hs_arena *a)
{
  int n = 0, stage = 0;
  while (n < points) {
    int joined = points < st->n && n + 1 == points ? st->n - stage : 1, parts = points < st->n ? 1 : points / st->n + (stage < points % st->n);
    int from = st->stage[stage], units = st->stage[stage + 1] - from;
    for (int k = 0; k < parts; k++) {
      int *at = HS_NEW_ARRAY(a, int, (size_t)joined + 1), *kept = HS_NEW_ARRAY(a, int, (size_t)joined);
      for (int j = 0; j < joined; j++) {
        at[j] = st->stage[stage + j] + units * k / parts;
        kept[j] = BRANCH_UNITS * (k + 1) / parts - BRANCH_UNITS * k / parts;
      }
      at[joined] = joined > 1 ? st->stage[stage + joined] : from + units * (k + 1) / parts;
      segments[n++] = two_branches(g, st, at, kept, joined);
    }
    stage += joined;
  }
  return n;
}

/* The first branch of each segment on `first`, all else on the CPU. */
static enum hs_status run_branches(const struct hs_setup *s, int first, const struct hs_stretched *origin, struct hs_placement *pl, double *seconds,
                                   struct hs_error *err)
{
  struct hs_estimate e;
  int cpu = hs_soc_find(s->soc, "cpu");
  for (int i = 0, chain = 0; i < pl->n_ops; i++) {
    chain += i && memcmp(&origin[i], &origin[i - 1], sizeof *origin) != 0;
    hs_place_whole(&pl->ops[i], origin[i].segment >= 0 && origin[i].branch == 0 ? first : cpu);
    pl->ops[i].chain = chain;
    pl->ops[i].early = origin[i].segment >= 0 && origin[i].branch == 0 && origin[i + 1].branch != 0;
  }
  HS_TRY(hs_lower_estimate(&s->sys, pl->rewritten, pl, 0, pl->n_ops, &e, err));
  *seconds = e.latency_s;
  return HS_OK;
}

static enum hs_status meet(struct hs_setup *s, int points, double *seconds, struct hs_error *err)
{
  const struct hs_graph *net = s->networks[0].graph;
  const struct hs_stages *st = hs_stages_find(net, &s->arena);
  struct hs_segment segments[POINTS_MAX];
  struct hs_stretched *origin;
  char why[200] = "";
  int n = meeting_points(net, st, points, segments, &s->arena);
  struct hs_graph *g = hs_pass_stretch(net, &st->units, segments, n, &origin, &s->arena, why, sizeof why);
  if (!g) return hs_fail(err, HS_INPUT, "Table 3: %s", why);
  struct hs_placement *pl = hs_placement_new(&s->arena, g->n_ops);
  hs_placement_rewrite(pl, g);
  enum hs_status status = run_branches(s, hs_soc_find(s->soc, "gpu"), origin, pl, seconds, err);
  hs_placement_release(pl);
  return status;
}

static enum hs_status table_3(struct hs_reproduction *r, struct hs_error *err)
{
  static const struct {
    int points;
    double latency_ms;
  } paper[] = {{1, 13.2}, {2, 13.9}, {3, 14.5}, {4, 15.1}, {5, 15.6}, {6, 16.1}, {POINTS_MAX, 17.9}};
  const struct hs_cell cell = hs_nn_stretch_single("sd855", "cpu", "resnet56");
  struct hs_setup s;
  enum { LAST = sizeof paper / sizeof *paper - 1 };
  double first_s = 0, last_s = 0, seconds = 0;
  bool rises = true;
  const char *seen = "";
  enum hs_status status = HS_OK;
  if (!hs_cell_plan(r, &cell, &s)) {
    hs_setup_free(&s);
    return HS_OK;
  }
  for (size_t i = 0; i < sizeof paper / sizeof *paper && !status; i++) {
    if ((status = meet(&s, paper[i].points, &seconds, err))) break;
    hs_finding_value(r, "Table 3", "s", 1e-3 * paper[i].latency_ms, seconds, "ResNet-56 with %d meeting point%s", paper[i].points,
                     paper[i].points > 1 ? "s" : "");
    rises = rises && seconds > last_s;
    last_s = seconds;
    if (i == 0) first_s = seconds;
    seen = hs_arena_printf(&r->arena, "%s%s%d: %.2f ms", seen, *seen ? ", " : "", paper[i].points, 1e3 * seconds);
  }
  if (!status)
    hs_finding_value(r, "Table 3", "s", 1e-3 * (paper[LAST].latency_ms - paper[0].latency_ms) / (paper[LAST].points - paper[0].points),
                     (last_s - first_s) / (paper[LAST].points - paper[0].points), "what each further meeting point takes");
  if (!status) hs_finding_statement(r, "Table 3", rises, seen, "more meeting points take longer");
  hs_note(r, "CPU and GPU, and branches of 5 of 9 units, as in the authors' configuration of ResNet-56; the paper names neither. Nor does it say "
             "where the points lie: here at ends of stages, more of them in equal parts of the first stages.");
  hs_setup_free(&s);
  return status;
}

/* --- Table 6 --- */

static enum hs_status table_6(struct hs_reproduction *r, struct hs_error *err)
{
  static const struct {
    const char *model;
    double gmacs, mparams;
  } paper[] = {{"resnet34", 3.7, 21.8},       {"resnet50", 4.1, 25.6},           {"regnetx_1.6gf", 1.6, 11.2},
               {"regnetx_4.0gf", 4.0, 20.6}, {"efficientnet_lite4", 2.6, 13.0}, {"efficientnet_b5", 10.3, 30.4}};
  struct hs_catalog c;
  enum hs_status status = hs_catalog_open(&c, err);
  for (size_t i = 0; i < sizeof paper / sizeof *paper && !status; i++) {
    struct hs_graph *g = NULL;
    status = hs_catalog_workload(&c, paper[i].model, &g, err);
    if (status) break;
    hs_finding_value(r, "Table 6", "MAC", 1e9 * paper[i].gmacs, hs_graph_macs(g), "%s, multiply-accumulates", paper[i].model);
    hs_finding_value(r, "Table 6", "", 1e6 * paper[i].mparams, (double)hs_graph_params(g), "%s, parameters", paper[i].model);
    hs_graph_free(g);
  }
  hs_catalog_close(&c);
  hs_note(r, "The paper's FLOPs are multiply-accumulates. Its parameters of RegNetX aren't those of the published networks (9.2 M and 22.1 M).");
  return status;
}

/* --- Table 9 --- */

static enum hs_status table_9(struct hs_reproduction *r, struct hs_error *err)
{
  static const struct {
    const char *param, *name;
    double speedup;
  } paper[] = {{"scaling=depth", "depth only", 1.3}, {"scaling=width", "width only", 1.2}, {"scaling=both", "depth and width", 1.5}};
  const struct hs_cell cpu = hs_nn_stretch_single("sd855", "cpu", "resnet50"), dsp = hs_nn_stretch_single("sd855", "dsp", "resnet50");
  double cpu_s, dsp_s, seconds, speedup[3];
  HS_TRY(latency_of(r, &cpu, &cpu_s, err));
  HS_TRY(latency_of(r, &dsp, &dsp_s, err));
  for (int i = 0; i < 3; i++) {
    const struct hs_cell cell = hs_nn_stretch_branches(r, "sd855", "processors=cpu+dsp", paper[i].param, "resnet50");
    HS_TRY(latency_of(r, &cell, &seconds, err));
    speedup[i] = fmin(cpu_s, dsp_s) / seconds;
    hs_finding_value(r, "Table 9", "x", paper[i].speedup, speedup[i], "ResNet-50 on CPU+DSP, %s: speed-up", paper[i].name);
  }
  hs_finding_statement(r, "Table 9", speedup[2] > speedup[0] && speedup[0] > speedup[1],
                       hs_arena_printf(&r->arena, "%.2f x, %.2f x, %.2f x", speedup[2], speedup[0], speedup[1]),
                       "depth and width gain most, then depth, then width");
  hs_note(r, "Speed-up over the faster of CPU and DSP; " HS_NN_STRETCH_SEARCHED ".");
  return HS_OK;
}

/* --- Fig. 3 --- */

enum { ALL = -1 };

/* Communication that serves an operator, or ALL, all steps one after the other. */
static double communication_of(const struct hs_setup *s, int op)
{
  double seconds = 0;
  for (int i = 0; i < s->program->n_tasks; i++) {
    const struct hs_task *t = &s->program->tasks[i];
    if ((op == ALL || t->op == op) && hs_task_is_communication(t->kind)) seconds += hs_task_seconds(&s->sys, t);
  }
  return seconds;
}

static void layer_by_layer(struct hs_reproduction *r, const struct hs_setup *s)
{
  int cpu = hs_soc_find(s->soc, "cpu"), gpu = hs_soc_find(s->soc, "gpu"), n = 0, above = 0;
  double sum = 0, least = INFINITY, most = 0;
  for (int i = 0; i < s->graph->n_ops; i++) {
    const struct hs_operator *op = &s->graph->ops[i];
    double c = hs_cost_seconds(&s->sys, s->graph, op, cpu, -1), g = hs_cost_seconds(&s->sys, s->graph, op, gpu, -1), x = communication_of(s, i);
    if (s->placement->ops[i].n_parts < 2) continue; /* not cut: nothing to share */
    hs_chart_set(r, op->name, "cpu", c);
    hs_chart_set(r, op->name, "gpu", g);
    hs_chart_set(r, op->name, "communication", x);
    sum += x;
    least = fmin(least, x);
    most = fmax(most, x);
    above += x > c || x > g;
    n++;
  }
  hs_finding_value(r, "Fig. 3, text", "s", 1e-3, n ? sum / n : NAN, "communication of an operator, mean");
  hs_finding_statement(r, "Fig. 3, text", n && most < 2 * sum / n && least > sum / n / 2,
                       hs_arena_printf(&r->arena, "%.2f to %.2f ms", 1e3 * least, 1e3 * most),
                       "communication is about the same for all operators (read as: within a factor of two of the mean)");
  hs_finding_statement(r, "Fig. 3, text", 2 * above > n, hs_arena_printf(&r->arena, "so for %d of %d", above, n),
                       "communication takes longer than most operators on CPU or GPU alone");
  hs_note(r, "The operators that CoDL's cutting can share, half on each processor; without chains. MACE in fp32, GPU on images.");
}

static enum hs_status figure_3(struct hs_reproduction *r, struct hs_error *err)
{
  const struct hs_cell cell = {.soc = "sd855", .policy = "codl", .model = "mobilenet_v1", .params = {"gpu_share=0.5", "chain=none"}};
  struct hs_setup s;
  (void)err;
  r->chart.unit = "s";
  r->chart.what = "time of each operator";
  if (hs_cell_plan(r, &cell, &s)) layer_by_layer(r, &s);
  hs_setup_free(&s);
  return HS_OK;
}

/* --- Fig. 7 --- */

static const int channels[] = {16, 32, 64, 128, 256, 512};
enum { N_CHANNELS = sizeof channels / sizeof *channels };

static enum hs_status throughput(const struct hs_setup *s, int c, double *flops_per_s, struct hs_error *err)
{
  struct hs_graph *g = NULL;
  char text[400];
  snprintf(text, sizeof text,
           "{\"format\": \"hetsim-workload/1\", \"name\": \"conv\", \"title\": \"3x3 convolution\", \"source\": \"NN-Stretch, Fig. 7\", "
           "\"inputs\": [{\"name\": \"x\", \"shape\": [1, 28, 28, %d]}], \"outputs\": [\"y\"], "
           "\"ops\": [{\"name\": \"y\", \"op\": \"Conv\", \"inputs\": [\"x\"], \"channels\": %d, \"kernel\": [3, 3], \"pad\": \"same\"}]}",
           c, c);
  HS_TRY(hs_graph_parse("Fig. 7", text, strlen(text), &g, err));
  *flops_per_s = 2 * g->ops[0].macs / hs_cost_seconds(&s->sys, g, &g->ops[0], hs_soc_find(s->soc, "gpu"), -1);
  hs_graph_free(g);
  return HS_OK;
}

static enum hs_status figure_7(struct hs_reproduction *r, struct hs_error *err)
{
  const struct hs_run_options options = {.soc = "sd855", .runtime = "tflite"};
  struct hs_setup s = {0};
  double x[N_CHANNELS] = {0};
  bool rises = true;
  r->chart.unit = "FLOP/s";
  r->chart.what = "throughput";
  r->chart.lines = true;
  enum hs_status status = hs_setup_system(&s, &options, err);
  for (int i = 0; i < N_CHANNELS && !status; i++) {
    status = throughput(&s, channels[i], &x[i], err);
    hs_chart_set(r, hs_arena_printf(&r->arena, "%d channels", channels[i]), "gpu", x[i]);
    rises = rises && (i == 0 || x[i] > x[i - 1]);
  }
  hs_setup_free(&s);
  hs_finding_statement(r, "Fig. 7, text", rises && x[N_CHANNELS - 1] > 2 * x[0],
                       hs_arena_printf(&r->arena, "%.1f GFLOP/s to %.0f GFLOP/s", 1e-9 * x[0], 1e-9 * x[N_CHANNELS - 1]),
                       "the GPU's throughput rises greatly with the channels (read as: always, and more than twofold)");
  return status;
}

/* --- Fig. 8 --- */

/* Units and channels of the branch of stage 5 on a processor: its projections say both. */
static void branch_of(const struct hs_setup *s, int processor, int *units, int64_t *width)
{
  *units = 0;
  *width = 0;
  for (int i = 0; i < s->graph->n_ops; i++) {
    const struct hs_operator *op = &s->graph->ops[i];
    size_t n = strlen(op->name);
    if (!strstr(op->name, "/stage5_unit") || n < 8 || strcmp(op->name + n - 8, "_project") != 0) continue;
    if (s->placement->ops[i].parts[0].processor != processor) continue;
    ++*units;
    *width = hs_shape_channels(&s->graph->tensors[op->outputs[0]].shape);
  }
}

static enum hs_status figure_8(struct hs_reproduction *r, struct hs_error *err)
{
  const struct hs_cell cell = {.soc = "sd855", .policy = "nn-stretch", .model = "efficientnet_b5_relu6_224",
                               .params = {"processors=cpu+dsp", "alpha=0.1", "beta=1.0", "floor=0.5"}};
  struct hs_setup s;
  int units[2] = {0};
  int64_t width[2] = {0};
  (void)err;
  if (hs_cell_plan(r, &cell, &s)) {
    branch_of(&s, hs_soc_find(s.soc, "cpu"), &units[0], &width[0]);
    branch_of(&s, hs_soc_find(s.soc, "dsp"), &units[1], &width[1]);
  }
  hs_setup_free(&s);
  hs_finding_statement(r, "Fig. 8, text", units[0] == 6 && width[0] == 136 && units[1] == 4 && width[1] == 160,
                       hs_arena_printf(&r->arena, "ours are CPU (%d; %lld) and DSP (%d; %lld)", units[0], (long long)width[0], units[1], (long long)width[1]),
                       "EfficientNet, stage 5 of 7 blocks and 176 channels: the branches (blocks; channels) are CPU (6; 136) and DSP (4; 160)");
  return HS_OK;
}

/* --- Fig. 11 --- */

/* As the paper measures it (Sec. 7.1): from the command to the GPU's first kernel, and from its last one on, whether or not the CPU waits. */
static double stretched_communication(struct hs_reproduction *r, const struct hs_cell *cell)
{
  struct hs_setup s;
  double seconds = hs_cell_plan(r, cell, &s) ? communication_of(&s, ALL) : NAN;
  hs_setup_free(&s);
  return seconds;
}

/* On one phone, of one network. */
struct beside_codl {
  double gpu_s, codl_s, codl_communication_s, stretched_s[2], communication_s[2]; /* [search, released] */
};

/* The paper runs all in CoDL's code, which is MACE, INT8 on the CPU and fp16 on the GPU (Sec. 7.2; what keeps EfficientNet out in Sec. 7.3 is
 * that CoDL has no INT8 depthwise convolution). Of MACE we know fp32 only, so TensorFlow Lite's kernels stand for it, in the paper's precisions.
 * CoDL cuts by output channel (Sec. 7.2). */
static enum hs_status run_beside_codl(struct hs_reproduction *r, const char *soc, const char *model, struct beside_codl *out, struct hs_error *err)
{
  const char *group = hs_arena_printf(&r->arena, "%s %s", soc, model);
  const struct hs_cell cpu = hs_nn_stretch_single(soc, "cpu", model), gpu = hs_nn_stretch_single(soc, "gpu", model);
  const struct hs_cell codl = {.soc = soc, .policy = "codl", .model = model, .runtime = "tflite", .precision = "int8", .params = {"cut=channel"}};
  double cpu_s;
  struct hs_cell_result of_codl;
  HS_TRY(latency_of(r, &cpu, &cpu_s, err));
  HS_TRY(latency_of(r, &gpu, &out->gpu_s, err));
  HS_TRY(hs_cell_run(r, &codl, &of_codl, err));
  out->codl_s = of_codl.summary.latency_s;
  out->codl_communication_s = of_codl.summary.communication_s;
  hs_chart_set(r, group, "cpu", cpu_s);
  hs_chart_set(r, group, "gpu", out->gpu_s);
  hs_chart_set(r, group, "CoDL", out->codl_s);
  for (int t = 0; t < 2; t++) {
    const struct hs_cell branches = hs_nn_stretch_branches(r, soc, "processors=cpu+gpu", t ? "structure=published" : "structure=search", model);
    HS_TRY(latency_of(r, &branches, &out->stretched_s[t], err));
    out->communication_s[t] = stretched_communication(r, &branches);
    hs_chart_set(r, group, t ? "C+G released" : "C+G search", out->stretched_s[t]);
  }
  return HS_OK;
}

static enum hs_status figure_11(struct hs_reproduction *r, struct hs_error *err)
{
  static const char *const socs[] = {"sd855", "sd888"}, *const names[] = {"search", "released"};
  struct beside_codl x;
  double over_gpu[2] = {0}, over_codl[2] = {0};
  r->chart.unit = "s";
  r->chart.what = "latency";
  for (int i = 0; i < 4; i++) { /* the last one is ResNet-50 on the sd888, of which the paper tells the times */
    HS_TRY(run_beside_codl(r, socs[i / 2], hs_nn_stretch_models[i % 2], &x, err));
    for (int t = 0; t < 2; t++) {
      over_gpu[t] = hs_greater(over_gpu[t], x.gpu_s / x.stretched_s[t]);
      over_codl[t] = hs_greater(over_codl[t], x.codl_s / x.stretched_s[t]);
    }
  }
  hs_finding_value(r, "Sec. 7.3", "s", 12.2e-3, x.codl_communication_s, "sd888, ResNet-50: communication of CoDL");
  hs_finding_value(r, "Sec. 7.3", "s", 34.6e-3, x.codl_s, "sd888, ResNet-50: CoDL");
  for (int t = 0; t < 2; t++) {
    hs_finding_value(r, "Sec. 7.3", "s", 3.0e-3, x.communication_s[t], "%s, sd888, ResNet-50: communication of NN-Stretch", names[t]);
    hs_finding_value(r, "Sec. 7.3", "x", 1.9, over_gpu[t], "%s: NN-Stretch over the GPU, the most", names[t]);
    hs_finding_value(r, "Sec. 7.3", "x", 1.6, over_codl[t], "%s: NN-Stretch over CoDL, the most", names[t]);
  }
  hs_note(r, "INT8 on the CPU and fp16 on the GPU, as in the paper. Its engine is CoDL's MACE, whose kernels we know in fp32 only: these are "
             "TensorFlow Lite's.");
  return HS_OK;
}

/* --- Fig. 13 --- */

/* 200 inferences of ResNet-34 in three phases beside a benchmark of rooflines (Gables), as --rivals has it. Each phase is a run of its own, so that
 * NN-Stretch starts each without knowing of the competition. */
static const struct phase {
  int first, n;
  const char *rivals, *expected; /* expected: the set that the paper runs */
} phases[] = {{0, 50, "gpu=1", "cpu+dsp"}, {50, 105, "cpu=1", "gpu+dsp"}, {155, 45, "gpu=1", "cpu+dsp"}};
enum { N_PHASES = sizeof phases / sizeof *phases };

/* The set that most inferences of the second half of a phase ran under: by then it has seen the competition. */
static const char *settled(const struct hs_cell_result *out)
{
  int best = 0;
  const char *set = "";
  for (int i = out->n / 2; i < out->n; i++) {
    int same = 0;
    for (int k = out->n / 2; k < out->n; k++) same += strcmp(out->alternatives[i], out->alternatives[k]) == 0;
    if (same > best) set = out->alternatives[i];
    best = same > best ? same : best;
  }
  return set;
}

struct extremes {
  double least, most;
};

static void widen(struct extremes *e, const struct hs_cell_result *out)
{
  if (out->status) e->least = e->most = NAN;
  for (int i = out->n / 2; i < out->n; i++) {
    e->least = hs_lesser(e->least, out->latencies_s[i]);
    e->most = hs_greater(e->most, out->latencies_s[i]);
  }
}

/* Many inferences in one phase of the interference, each drawn. */
static enum hs_status interfere(struct hs_reproduction *r, int phase, struct hs_cell cell, const char *name, struct hs_cell_result *out,
                                struct hs_error *err)
{
  cell.scenario.rivals = phases[phase].rivals;
  cell.inferences = phases[phase].n;
  HS_TRY(hs_cell_run(r, &cell, out, err));
  for (int i = 0; i < out->n && i < phases[phase].n; i++)
    hs_chart_set(r, hs_arena_printf(&r->arena, "%d", phases[phase].first + i), name, out->latencies_s[i]);
  return HS_OK;
}

static enum hs_status figure_13(struct hs_reproduction *r, struct hs_error *err)
{
  static const char *const names[] = {"cpu", "NN-Stretch"};
  const struct hs_cell cells[] = {hs_nn_stretch_single("sd855", "cpu", "resnet34"),
                                  {.soc = "sd855", .policy = "nn-stretch", .model = "resnet34", .precision = "int8",
                                   .frequency = hs_nn_stretch_dsp_level("sd855", "resnet34"),
                                   .params = {"structure=published"}}};
  struct hs_cell_result out;
  struct extremes settled_s[2] = {{INFINITY, 0}, {INFINITY, 0}};
  double worst_s = 0;
  const char *moves = "";
  bool moved = true;
  r->chart.unit = "s";
  r->chart.what = "latency, inference by inference";
  r->chart.lines = true;
  for (int k = 0; k < N_PHASES; k++) {
    for (int c = 0; c < 2; c++) {
      HS_TRY(interfere(r, k, cells[c], names[c], &out, err));
      widen(&settled_s[c], &out);
      if (c == 0) worst_s = hs_greater(worst_s, out.summary.max_s);
    }
    moved = moved && strcmp(settled(&out), phases[k].expected) == 0;
    moves = hs_arena_printf(&r->arena, "%s%s%s", moves, k ? ", then " : "", settled(&out));
  }
  hs_finding_value(r, "Fig. 13, text", "s", 222e-3, worst_s, "worst latency of the CPU alone");
  hs_finding_statement(r, "Fig. 13, text", moved, moves, "NN-Stretch runs on CPU+DSP, moves to GPU+DSP while the CPU is contended, and back");
  double stretch = settled_s[1].most / settled_s[1].least, cpu = settled_s[0].most / settled_s[0].least;
  hs_finding_statement(r, "Fig. 13, text", stretch < cpu, hs_arena_printf(&r->arena, "longest ÷ shortest, once settled: %.2f against %.2f", stretch, cpu),
                       "NN-Stretch's latency is steadier than that of the CPU alone");
  hs_note(r, "The paper doesn't say how many roofline kernels interfere; ours is one process (--rivals=gpu=1, cpu=1). Structures are the release's.");
  return HS_OK;
}

static const struct hs_item items[] = {
  {"table-3", "ResNet-56 over the number of meeting points", table_3, false},
  {"table-6", "multiply-accumulates and parameters", table_6, false},
  {"table-9", "ways to scale the branches of ResNet-50", table_9, false},
  {"figure-3", "MobileNetV1 operator by operator on CPU and GPU, and what sharing each costs", figure_3, true},
  {"figure-7", "throughput of a 3x3 convolution at 28x28 on the GPU over its channels", figure_7, true},
  {"figure-8", "branches of a stage of EfficientNet", figure_8, false},
  {"figure-9", "latency on one processor and several", hs_nn_stretch_figure_9, true},
  {"figure-10", "power and energy on one processor and several", hs_nn_stretch_figure_10, true},
  {"figure-11", "latency beside CoDL's, CPU+GPU", figure_11, true},
  {"figure-13", "ResNet-34 under interference", figure_13, true},
};
const struct hs_paper hs_paper_nn_stretch = {"nn-stretch", "NN-Stretch (MobiSys 2023)", items, sizeof items / sizeof *items};
