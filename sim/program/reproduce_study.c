/* SPDX-License-Identifier: GPL-3.0-or-later */
/* "Deep Learning Inference on Heterogeneous Mobile Processors: Potentials and Pitfalls" (Liu et al., 2024). Its figures have no numbers but
 * those in the text. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "program/reproduce.h"

static const char NEEDS_REUSE[] = "the network and the share that is reused, which the paper doesn't give (--opt=reuse=1 and 2 quote the table)";

static const char *const models[] = {"yolov2_codl", "vgg16", "posenet", "fst_codl", "retinaface_codl"};
enum { N_MODELS = sizeof models / sizeof *models };

/* --- Fig. 2 --- */

static const struct strategy {
  const char *name, *policy, *memory_type;
} strategies[] = {{"MACE CPU", "cpu", NULL},          {"MACE GPU buffer", "gpu", "buffer"}, {"MACE GPU image", "gpu", "image"},
                  {"uLayer CPU+GPU", "mulayer", NULL}, {"CoDL buffer", "codl", "buffer"},    {"CoDL image", "codl", "image"}};
enum { CPU, GPU_BUFFER, GPU_IMAGE, MULAYER, CODL_BUFFER, CODL_IMAGE, N_STRATEGIES };

/* The six are the execution types of the release's own evaluation (op_chain_adb_run_test.py), in which the uLayer is on buffers, and which runs the
 * networks of the release: its Fast Style Transfer has no transposed convolutions and no normalisation.
 *
 * D1, D7 and D2; the single GPU that the text compares with has the memory type that its architecture prefers. CoDL as released replays
 * plans, and has some for four SoCs only; which one runs elsewhere is a word of a configuration file that whoever runs it writes. On D7
 * that of the same GPU's generation is taken. On D2 it can't have been that of the other Mali if the text is right, as CoDL's own bar of
 * VGG-16 on kirin990 is 0.79 of the GPU's (Fig. 16): D1's is taken, the study's first device, and kirin990's is the last column. */
static const struct device {
  const char *soc, *plan_of;
  int gpu;
} devices[] = {{"sd855", "plan_of=sd855", GPU_IMAGE}, {"sd870", "plan_of=sd865", GPU_IMAGE}, {"kirin985", "plan_of=sd855", GPU_BUFFER}};
enum { D1, D7, D2, N_DEVICES };
static const char OTHER[] = "CoDL image, kirin990's plan", OTHER_PLAN[] = "plan_of=kirin990";

static enum hs_status run_with_other_plan(struct hs_reproduction *r, double *latency_s, struct hs_error *err)
{
  struct hs_cell_result out;
  char group[60];
  for (int m = 0; m < N_MODELS; m++) {
    const struct hs_cell cell = {.soc = devices[D2].soc, .policy = "codl", .model = models[m], .runtime = "mace", .memory_type = "image",
                                 .params = {"plan=published", OTHER_PLAN}};
    HS_TRY(hs_cell_run(r, &cell, &out, err));
    latency_s[m] = out.summary.latency_s;
    snprintf(group, sizeof group, "%s %s", devices[D2].soc, models[m]);
    hs_chart_set(r, group, OTHER, latency_s[m]);
  }
  return HS_OK;
}

static enum hs_status run_all(struct hs_reproduction *r, double (*latency_s)[N_MODELS][N_STRATEGIES], struct hs_error *err)
{
  struct hs_cell_result out;
  char group[60];
  for (int d = 0; d < N_DEVICES; d++)
    for (int m = 0; m < N_MODELS; m++)
      for (int k = 0; k < N_STRATEGIES; k++) {
        struct hs_cell cell = {.soc = devices[d].soc, .policy = strategies[k].policy, .model = models[m], .runtime = "mace",
                               .memory_type = strategies[k].memory_type};
        if (k >= CODL_BUFFER) {
          cell.params[0] = "plan=published";
          cell.params[1] = devices[d].plan_of;
        }
        HS_TRY(hs_cell_run(r, &cell, &out, err));
        latency_s[d][m][k] = out.summary.latency_s;
        snprintf(group, sizeof group, "%s %s", devices[d].soc, models[m]);
        hs_chart_set(r, group, strategies[k].name, out.summary.latency_s);
      }
  return HS_OK;
}

static void slower_than_gpu(struct hs_reproduction *r, double (*latency_s)[N_STRATEGIES])
{
  char seen[40];
  int n = 0;
  for (int m = 0; m < N_MODELS; m++) n += latency_s[m][CODL_IMAGE] > latency_s[m][devices[D2].gpu];
  snprintf(seen, sizeof seen, "so for %d of %d", n, N_MODELS);
  hs_finding_statement(r, "Fig. 2, text", n == N_MODELS, seen, "kirin985: CoDL with images is slower than one GPU with every network");
}

static enum hs_status figure_2(struct hs_reproduction *r, struct hs_error *err)
{
  enum { FST = 3 };
  double x[N_DEVICES][N_MODELS][N_STRATEGIES], other[N_MODELS];
  char seen[80], buf[32];
  r->chart.unit = "s";
  r->chart.what = "latency";
  HS_TRY(run_all(r, x, err));
  HS_TRY(run_with_other_plan(r, other, err));
  for (int m = 0; m < N_MODELS; m++) {
    int best = hs_least_of(x[D1][m], N_STRATEGIES);
    if (best < 0) snprintf(seen, sizeof seen, "not all run");
    else snprintf(seen, sizeof seen, "fastest is %s, %s", strategies[best].name, hs_finding_number(x[D1][m][best], "s", buf, sizeof buf));
    hs_finding_statement(r, "Fig. 2, text", best == CODL_IMAGE, seen, "sd855, %s: CoDL with images is fastest of the six", models[m]);
  }
  for (int m = 0; m < N_MODELS; m++)
    hs_finding_range(r, "Fig. 2, text", "x", 1.4, 1.8, x[D2][m][CODL_IMAGE] / x[D2][m][devices[D2].gpu], "kirin985, %s: CoDL with images ÷ GPU", models[m]);
  for (int m = 0; m < N_MODELS; m++)
    hs_finding_range(r, "Fig. 2, text", "x", 1.4, 1.8, other[m] / x[D2][m][devices[D2].gpu], "kirin985, %s: %s ÷ GPU", models[m], OTHER);
  slower_than_gpu(r, x[D2]);
  for (int d = 0; d < N_DEVICES; d++)
    hs_finding_range(r, "Fig. 2, text", "x", 1.9, 3.1, x[d][FST][MULAYER] / x[d][FST][devices[d].gpu], "%s, fst_codl: uLayer ÷ GPU", devices[d].soc);
  hs_note(r, "CoDL replays the plans in its release, on sd870 that of sd865, on kirin985 that of sd855, and once more that of kirin990: the release "
             "has none for these, and the study doesn't say which it took. That of kirin990 can't give what the text says: on kirin990 itself CoDL's "
             "own VGG-16 takes 0.79 of the GPU's time. The single GPU has its preferred memory: images on Adreno, buffers on Mali. Nobody measured "
             "kirin985 and sd870: their kernels are derived from siblings' measurements.");
  return HS_OK;
}

/* --- Fig. 3 --- */

/* Share of the operators as run that are on no accelerator of the scheme: the only reading under which the release of NN-Stretch has the
 * 48 % of the text, as its CPU branch counts, and what TensorFlow Lite's delegates log as "not supported". Its networks take and give unsigned
 * 8-bit numbers, so each input and output has an operator Quantize, which stays on the CPU under every scheme (caoting-dotcom/multiBranchModel,
 * src/tools/run_pipeline.py @14b5d73, sample_output/correctness.log @3225ddb). */
static double not_delegated(struct hs_reproduction *r, const struct hs_cell *cell, unsigned accelerators)
{
  struct hs_setup s;
  double share = NAN;
  if (hs_cell_plan(r, cell, &s)) {
    int quantize = s.graph->n_inputs + s.graph->n_outputs, left = quantize;
    for (int i = 0; i < s.graph->n_ops; i++) left += !(accelerators >> s.soc->processors[s.placement->ops[i].parts[0].processor].kind & 1);
    share = (double)left / (s.graph->n_ops + quantize);
  }
  hs_setup_free(&s);
  return share;
}

enum { G = 1u << HS_GPU, D = 1u << HS_DSP };
static const struct net {
  const char *name, *on_one; /* deployed on one processor: groups written out, where there are some */
} nets[] = {{"resnet34", "resnet34"},
            {"resnet50", "resnet50"},
            {"regnetx_1.6gf", "regnetx_1.6gf_split"},
            {"regnetx_4.0gf", "regnetx_4.0gf_split"}};
static const struct scheme {
  const char *name, *policy, *processors;
  unsigned accelerators;
} schemes[] = {{"TFLite GPU", "gpu", NULL, G},
               {"TFLite DSP", "dsp", NULL, D},
               {"NN-Stretch C+G", "nn-stretch", "processors=cpu+gpu", G},
               {"NN-Stretch C+D", "nn-stretch", "processors=cpu+dsp", D},
               {"NN-Stretch G+D", "nn-stretch", "processors=gpu+dsp", G | D},
               {"NN-Stretch C+G+D", "nn-stretch", "processors=cpu+gpu+dsp", G | D}};
enum { N_NETS = sizeof nets / sizeof *nets, N_SCHEMES = sizeof schemes / sizeof *schemes };

static struct hs_cell deployed(const struct net *net, const struct scheme *scheme)
{
  const bool stretched = scheme->processors;
  return (struct hs_cell){.soc = "sd855", .policy = scheme->policy, .model = stretched ? net->name : net->on_one,
                          .runtime = "tflite", .precision = "int8",
                          .params = {scheme->processors, stretched ? "structure=published" : NULL}};
}

static enum hs_status figure_3(struct hs_reproduction *r, struct hs_error *err)
{
  double x[N_NETS][N_SCHEMES];
  int everywhere = 0, lower = 0;
  char seen[80];
  (void)err;
  r->chart.unit = "%";
  r->chart.what = "operators on no accelerator";
  for (int m = 0; m < N_NETS; m++)
    for (int k = 0; k < N_SCHEMES; k++) {
      const struct hs_cell cell = deployed(&nets[m], &schemes[k]);
      x[m][k] = not_delegated(r, &cell, schemes[k].accelerators);
      hs_chart_set(r, nets[m].name, schemes[k].name, 100 * x[m][k]);
      everywhere += x[m][k] > 0;
      lower += k >= 2 && x[m][k] > fmax(x[m][0], x[m][1]);
    }
  hs_finding_value(r, "Fig. 3, text", "%", 48, 100 * x[1][2], "resnet50, NN-Stretch on CPU+GPU: operators that aren't supported");
  snprintf(seen, sizeof seen, "so for %d of %d", everywhere, N_NETS * N_SCHEMES);
  hs_finding_statement(r, "Fig. 3, text", everywhere == N_NETS * N_SCHEMES, seen, "every scheme has unsupported operators with every model");
  snprintf(seen, sizeof seen, "so for %d of %d", lower, N_NETS * (N_SCHEMES - 2));
  hs_finding_statement(r, "Fig. 3, text", lower == N_NETS * (N_SCHEMES - 2), seen, "a smaller share is supported across processors than on one");
  hs_note(r, "Unsupported is read as: run on no accelerator of the scheme, with the conversions at the ends of a network, as the release of "
             "NN-Stretch deploys it. Of the six schemes and four models the text names only these schemes; the models are ours to choose.");
  return HS_OK;
}

/* --- Table 2 --- */

/* Weights and live tensors at the peak. */
static double memory_of(struct hs_reproduction *r, const struct hs_cell *cell)
{
  struct hs_setup s;
  double bytes = hs_cell_plan(r, cell, &s) ? s.program->peak_memory_bytes : NAN;
  hs_setup_free(&s);
  return bytes;
}

static enum hs_status table_2(struct hs_reproduction *r, struct hs_error *err)
{
  static const struct {
    const char *name, *policy, *opt;
    double latency_ms, memory_mb;
  } rows[] = {{"ResNet-18", "gpu", NULL, 213.24, 47.24},
              {"low-rank decomposition", "gpu", "lowrank=0.23", 197.53, 15.61},
              {"channel pruning", "gpu", "prune=0.3", 146.73, 23.91},
              {"CoDL", "codl", NULL, 189.01, 47.24},
              {"operator fusion", "gpu", "fuse", 136.66, 47.24},
              {"CoDL and low-rank decomposition", "codl", "lowrank=0.23", 132.96, 15.60},
              {"CoDL and pruning", "codl", "prune=0.3", 131.46, 23.89},
              {"CoDL, pruning, fusion and memory allocation", "codl", "prune=0.3,fuse,memplan", 103.23, 11.53}};
  double base_s = NAN, base_bytes = NAN;
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    const struct hs_cell cell = {.soc = "sd855", .policy = rows[i].policy, .model = "resnet18", .runtime = "mace", .opt = rows[i].opt};
    struct hs_cell_result out;
    HS_TRY(hs_cell_run(r, &cell, &out, err));
    double bytes = memory_of(r, &cell);
    if (i == 0) {
      base_s = out.summary.latency_s;
      base_bytes = bytes;
      hs_finding_value(r, "Table 2", "s", 1e-3 * rows[0].latency_ms, base_s, "%s", rows[0].name);
      hs_finding_value(r, "Table 2", "B", 1e6 * rows[0].memory_mb, bytes, "%s, memory", rows[0].name);
      continue;
    }
    hs_finding_value(r, "Table 2", "x", rows[i].latency_ms / rows[0].latency_ms, out.summary.latency_s / base_s, "%s ÷ ResNet-18", rows[i].name);
    hs_finding_value(r, "Table 2", "x", rows[i].memory_mb / rows[0].memory_mb, bytes / base_bytes, "%s, memory ÷ ResNet-18's", rows[i].name);
  }
  hs_note(r, "The paper names neither the baseline's processor nor the ratios of pruning (ours: 0.3 of the channels) and decomposition (ours: 0.23 "
             "of the rank, which leaves the paper's memory). Ours is MACE on the GPU, which fuses convolutions with activations already; memory is "
             "weights and live tensors.");
  return HS_OK;
}

/* --- Fig. 4 --- */

enum { MAX_RIVALS = 3, INFERENCES = 8 };
static const char DSP_LEVEL[] = "dsp=min"; /* at which NN-Stretch's release runs ResNet-50 (Hexagon power-save level 255) */
static const double NN_STRETCH_S = 19e-3, CODL_RATIO = 1.48; /* of the text, without competitors */
static const struct way {
  const char *name, *policy, *processors;
} ways[] = {{"sub-graph: NN-Stretch C+G+D", "nn-stretch", "processors=cpu+gpu+dsp"},
            {"inter-operator: NN-Stretch C+G", "nn-stretch", "processors=cpu+gpu"},
            {"intra-operator: CoDL C+G", "codl", NULL},
            {"task: TFLite CPU", "cpu", NULL},
            {"task: TFLite GPU", "gpu", NULL},
            {"task: TFLite DSP", "dsp", NULL}};
enum { SUB_GRAPH, INTER, INTRA, TASK_CPU, TASK_GPU, TASK_DSP, N_WAYS };

/* Mean latency with so many rivals on the CPU, each another inference of the same network, back to back. */
static enum hs_status under_load(struct hs_reproduction *r, const struct way *w, int rivals, struct hs_summary *out, struct hs_error *err)
{
  struct hs_cell cell = {.soc = "sd855", .policy = w->policy, .model = "resnet50", .runtime = "tflite", .precision = "int8",
                         .params = {w->processors}, .inferences = INFERENCES, .frequency = DSP_LEVEL,
                         .scenario = {.governor = "performance,dsp=userspace"}}; /* a living phone: cores are shared in slices of time */
  struct hs_cell_result result;
  for (int i = 0; i < rivals; i++) cell.rivals[i] = "resnet50:cpu";
  HS_TRY(hs_cell_run(r, &cell, &result, err));
  *out = result.summary;
  return HS_OK;
}

/* -1: not all run. */
static int fastest_way(const struct hs_summary (*x)[N_WAYS], int rivals)
{
  double latency_s[N_WAYS];
  for (int w = 0; w < N_WAYS; w++) latency_s[w] = x[rivals][w].latency_s;
  return hs_least_of(latency_s, N_WAYS);
}

static const char *name_of(int way) { return way < 0 ? "not all run" : ways[way].name; }

/* How many times as long a network takes with three processes that always compute on its processor. */
static enum hs_status sensitivity_of(struct hs_reproduction *r, int way, const char *rivals, double alone_s, double *factor, struct hs_error *err)
{
  struct hs_cell cell = {.soc = "sd855", .policy = ways[way].policy, .model = "resnet50", .runtime = "tflite", .precision = "int8",
                         .frequency = DSP_LEVEL, .inferences = INFERENCES, .scenario = {.rivals = rivals}};
  struct hs_cell_result result;
  HS_TRY(hs_cell_run(r, &cell, &result, err));
  *factor = result.summary.latency_s / alone_s;
  return HS_OK;
}

static enum hs_status findings_of_sensitivity(struct hs_reproduction *r, const struct hs_summary (*x)[N_WAYS], struct hs_error *err)
{
  static const struct {
    double paper;
    const char *rivals;
  } of[] = {{10.2, "cpu=3"}, {2.1, "gpu=3"}, {1.8, "dsp=3"}};
  double factor[3];
  char seen[120];
  for (int i = 0; i < 3; i++) {
    HS_TRY(sensitivity_of(r, TASK_CPU + i, of[i].rivals, x[0][TASK_CPU + i].latency_s, &factor[i], err));
    hs_finding_value(r, "Sec. 3.2.1", "x", of[i].paper, factor[i], "%s, 3 competitors there ÷ none", ways[TASK_CPU + i].name);
  }
  snprintf(seen, sizeof seen, "%.1f against %.1f and %.1f times as long", factor[0], factor[1], factor[2]);
  hs_finding_statement(r, "Sec. 3.2.1", factor[0] > hs_greater(factor[1], factor[2]), seen, "the CPU is more sensitive to competitors than GPU and DSP");
  return HS_OK;
}

static void findings_of_load(struct hs_reproduction *r, const struct hs_summary (*x)[N_WAYS])
{
  int idle = fastest_way(x, 0), loaded = fastest_way(x, 2);
  bool single = false;
  hs_finding_value(r, "Fig. 4, text", "s", NN_STRETCH_S, x[0][SUB_GRAPH].latency_s, "NN-Stretch on C+G+D, no competitor");
  hs_finding_value(r, "Fig. 4, text", "x", CODL_RATIO, x[0][INTRA].latency_s / x[0][SUB_GRAPH].latency_s, "CoDL ÷ NN-Stretch, no competitor");
  for (int w = TASK_CPU; w <= TASK_DSP; w++)
    for (int across = SUB_GRAPH; across <= INTRA; across++) single = single || x[MAX_RIVALS][w].latency_s < x[MAX_RIVALS][across].latency_s;
  hs_finding_statement(r, "Fig. 4, text", idle == SUB_GRAPH, name_of(idle), "without competitors the coarsest, sub-graphs, is fastest");
  hs_finding_statement(r, "Fig. 4, text", loaded == INTRA, name_of(loaded), "with 2 competitors the finest, intra-operator, is fastest");
  hs_finding_statement(r, "Sec. 3.2.1", single, single ? "so for some" : "so for none", "under load one processor can be faster than several");
  double saved_s = x[MAX_RIVALS][TASK_GPU].latency_s - x[MAX_RIVALS][INTER].latency_s;
  hs_finding_value(r, "Sec. 3.2.1", "x", 2.5, x[MAX_RIVALS][TASK_GPU].launch_s / saved_s, "enqueuing for the GPU ÷ what CPU+GPU saves, 3 competitors");
}

static enum hs_status figure_4(struct hs_reproduction *r, struct hs_error *err)
{
  struct hs_summary x[MAX_RIVALS + 1][N_WAYS];
  char group[24];
  r->chart.unit = "s";
  r->chart.what = "latency";
  for (int n = 0; n <= MAX_RIVALS; n++)
    for (int w = 0; w < N_WAYS; w++) {
      HS_TRY(under_load(r, &ways[w], n, &x[n][w], err));
      snprintf(group, sizeof group, "%d competitor%s", n, n == 1 ? "" : "s");
      bool told = n == 0 && (w == SUB_GRAPH || w == INTRA);
      hs_chart_set_both(r, group, ways[w].name, x[n][w].latency_s, !told ? NAN : w == SUB_GRAPH ? NN_STRETCH_S : CODL_RATIO * NN_STRETCH_S);
    }
  findings_of_load(r, (const struct hs_summary(*)[N_WAYS])x);
  HS_TRY(findings_of_sensitivity(r, (const struct hs_summary(*)[N_WAYS])x, err));
  hs_note(r, "A competitor of the granularities is another ResNet-50, back to back on the CPU; one of a processor a process that always computes "
             "there (of the GPU and DSP kernels of 5 ms, assumed). All run under TensorFlow Lite in int8 (GPU: fp16), CoDL too, so that "
             "granularities and not kernels are compared. 0 or less: CPU+GPU saves nothing. Cores are shared as Linux does, in slices of time, and "
             "an operator ends when the last of its four threads has had its slices: hence the factors on the CPU.");
  return HS_OK;
}

/* --- Table 3 --- */

enum { N_CONDITIONS = 5, INFERENCES_OF_TABLE_3 = 4 }; /* over which caps between two OPPs even out */

static const struct condition {
  const char *scenario, *what, *name;
} conditions[N_CONDITIONS] = {{"study-s0", "idle at 30 °C", "idle"},
                              {"study-s1", "GPU at 60 °C", "60 °C"},
                              {"study-s2", "GPU at 70 °C", "70 °C"},
                              {"study-s3", "cache hit rate 20 %", "cache 20 %"},
                              {"study-s4", "half of the operators fall back", "fallback"}};

static const struct measured {
  const char *model, *policy;
  double latency_ms[N_CONDITIONS];
} measured[] = {{"yolov2_codl", "gpu", {219, 262, 320, 270, 372}},  {"yolov2_codl", "codl", {170, 217, 277, 263, 315}},
                {"vgg16", "gpu", {240, 272, 312, 301, 464}},   {"vgg16", "codl", {171, 220, 307, 326, 387}},
                {"posenet", "gpu", {430, 442, 503, 637, 768}}, {"posenet", "codl", {328, 335, 395, 648, 725}}};
enum { N_MEASURED = sizeof measured / sizeof *measured };

static enum hs_status in_condition(struct hs_reproduction *r, const struct measured *m, int c, const char *profiler, struct hs_cell_result *out,
                                   struct hs_error *err)
{
  const struct hs_cell cell = {.soc = "sd855", .policy = m->policy, .model = m->model, .runtime = "mace",
                               .scenario = {.file = conditions[c].scenario}, .profiler = profiler,
                               .inferences = INFERENCES_OF_TABLE_3, .params = {strcmp(m->policy, "codl") == 0 ? "plan=published" : NULL}};
  return hs_cell_run(r, &cell, out, err);
}

static double off(const struct hs_cell_result *out) { return fabs(out->summary.latency_s / out->estimate_s - 1); }

/* How far latencies are from what the profiler said: the mean over the table's rows, in %. */
static enum hs_status mean_off(struct hs_reproduction *r, int c, const char *profiler, double *percent, struct hs_error *err)
{
  struct hs_cell_result out;
  *percent = 0;
  for (int i = 0; i < N_MEASURED; i++) {
    HS_TRY(in_condition(r, &measured[i], c, profiler, &out, err));
    *percent += 100 * off(&out) / N_MEASURED;
  }
  return HS_OK;
}

static enum hs_status compare_profilers(struct hs_reproduction *r, struct hs_error *err)
{
  double offline, live;
  struct hs_text t = {0};
  enum hs_status status = HS_OK;
  for (int c = 0; c < N_CONDITIONS && status == HS_OK; c++) {
    status = mean_off(r, c, "offline", &offline, err);
    if (status == HS_OK) status = mean_off(r, c, "runtime", &live, err);
    if (status == HS_OK) hs_text_addf(&t, "%s%s %.0f %% and %.0f %%", c ? ", " : "", conditions[c].what, offline, live);
  }
  if (status == HS_OK)
    hs_note(r, "How far latencies are from what policies know, mean of the rows, with --profiler=offline (the SoC file's idle phone) and runtime "
               "(as it is): %s.", t.s);
  hs_text_free(&t);
  return status;
}

static enum hs_status table_3(struct hs_reproduction *r, struct hs_error *err)
{
  struct hs_cell_result out;
  char row[40];
  r->chart.unit = "%";
  r->chart.what = "estimation error";
  for (int i = 0; i < N_MEASURED; i++) {
    const struct measured *m = &measured[i];
    double idle_s = NAN;
    snprintf(row, sizeof row, "%s under %s", m->model, m->policy);
    for (int c = 0; c < N_CONDITIONS; c++) {
      HS_TRY(in_condition(r, m, c, NULL, &out, err));
      hs_finding_value(r, "Table 3", "s", 1e-3 * m->latency_ms[c], out.summary.latency_s, "%s, %s", row, conditions[c].what);
      if (c == 0) idle_s = out.summary.latency_s;
      if (c > 0) hs_chart_set_both(r, row, conditions[c].name, 100 * (out.summary.latency_s / idle_s - 1), 100 * (m->latency_ms[c] / m->latency_ms[0] - 1));
    }
  }
  hs_note(r, "The upper table is the estimation error of an offline profile as the paper has it: latency ÷ that of the idle phone, less 1. Ours is "
             "fitted to the lower one: the SoC file's caps below the device tree's trips, what the kernels read again, the phone's hit rate when "
             "idle, what takes the cache and where operators fall back to (validation/fits.md). CoDL replays the plans in its release.");
  return compare_profilers(r, err);
}

/* --- Fig. 5 --- */

/* Percent, while the network runs by one of Fig. 2's strategies. */
static enum hs_status dropped_frames(struct hs_reproduction *r, const struct strategy *w, const char *network, double *percent, struct hs_error *err)
{
  const struct hs_cell cell = {.soc = "sd855", .policy = w->policy, .memory_type = w->memory_type, .model = network,
                               .runtime = "mace", .scenario = {.ui = "60"}, .inferences = 20,
                               .params = {strcmp(w->policy, "codl") == 0 ? "plan=published" : NULL}};
  struct hs_cell_result out;
  HS_TRY(hs_cell_run(r, &cell, &out, err));
  *percent = out.status ? NAN : 100 * hs_frames_dropped_frac(&out.frames);
  return HS_OK;
}

static enum hs_status figure_5(struct hs_reproduction *r, struct hs_error *err)
{
  static const char *const networks[] = {"vgg16", "yolov2_codl", "posenet"};
  double dropped[3][N_STRATEGIES];
  char seen[80];
  bool fewer = true;
  r->chart.unit = "%";
  r->chart.what = "frames dropped";
  for (int m = 0; m < 3; m++)
    for (int i = 0; i < N_STRATEGIES; i++) {
      HS_TRY(dropped_frames(r, &strategies[i], networks[m], &dropped[m][i], err));
      hs_chart_set(r, networks[m], strategies[i].name, dropped[m][i]);
    }
  hs_finding_range(r, "Fig. 5, text", "%", 90, 100, dropped[0][GPU_BUFFER], "frames dropped while VGG-16 runs on the GPU with buffers");
  for (int i = MULAYER; i < N_STRATEGIES; i++) fewer = fewer && dropped[0][i] < dropped[0][GPU_BUFFER];
  snprintf(seen, sizeof seen, "%.0f %% against %.0f, %.0f and %.0f %%", dropped[0][GPU_BUFFER], dropped[0][MULAYER],
           dropped[0][CODL_BUFFER], dropped[0][CODL_IMAGE]);
  hs_finding_statement(r, "Fig. 5, text", fewer, seen, "parallel inference of VGG-16 drops fewer frames than the GPU alone with buffers");
  hs_note(r, "The display draws 60 frames per second, each with 5 ms of a core and 5 ms of the GPU at their highest frequencies (assumed). Dropped: "
             "vsyncs for which none was begun. CoDL replays the plans in its release.");
  return HS_OK;
}

/* --- Table 4 --- */

static const struct {
  int level;
  double latency_ms, vmaf;
} reused[] = {{0, 99.8, 49}, {1, 93.2, 47}, {2, 86.2, 42}};
enum { N_SHARES = 6 };
static const struct {
  double ratio;
  const char *opt, *name;
} shares[N_SHARES] = {{0, NULL, "all rows"},            {0.1, "reuse=0.1", "0.1 reused"}, {0.3, "reuse=0.3", "0.3 reused"},
                      {0.5, "reuse=0.5", "0.5 reused"}, {0.7, "reuse=0.7", "0.7 reused"}, {0.9, "reuse=0.9", "0.9 reused"}};

/* The share of reused rows at which the latency is `frac` of the whole; NAN where it never falls so far. */
static double share_for(const double *latency_s, double frac)
{
  for (int k = 1; k < N_SHARES; k++) {
    double before = latency_s[k - 1] / latency_s[0], after = latency_s[k] / latency_s[0];
    if (after <= frac) return shares[k - 1].ratio + (shares[k].ratio - shares[k - 1].ratio) * (before - frac) / (before - after);
  }
  return NAN;
}

static enum hs_status run_shares(struct hs_reproduction *r, double (*latency_s)[N_SHARES], struct hs_error *err)
{
  struct hs_cell_result out;
  for (int m = 0; m < N_MODELS; m++)
    for (int k = 0; k < N_SHARES; k++) {
      const struct hs_cell cell = {.soc = "sd855", .policy = "codl", .model = models[m], .runtime = "mace", .memory_type = "image", .opt = shares[k].opt};
      HS_TRY(hs_cell_run(r, &cell, &out, err));
      latency_s[m][k] = out.summary.latency_s;
      hs_chart_set(r, models[m], shares[k].name, latency_s[m][k]);
    }
  return HS_OK;
}

static enum hs_status table_4(struct hs_reproduction *r, struct hs_error *err)
{
  double x[N_MODELS][N_SHARES];
  struct hs_text needed = {0};
  int falling = 0;
  char seen[40];
  r->chart.unit = "s";
  r->chart.what = "latency";
  HS_TRY(run_shares(r, x, err));
  for (int m = 0; m < N_MODELS; m++) {
    bool falls = true;
    for (int k = 1; k < N_SHARES; k++) falls &= x[m][k] < x[m][k - 1];
    falling += falls;
    hs_text_addf(&needed, "%s%s %.2f and %.2f", m ? ", " : "", models[m], share_for(x[m], reused[1].latency_ms / reused[0].latency_ms),
                 share_for(x[m], reused[2].latency_ms / reused[0].latency_ms));
  }
  snprintf(seen, sizeof seen, "so for %d of %d", falling, N_MODELS);
  hs_finding_statement(r, "Table 4", falling == N_MODELS, seen, "the more is reused in parallel inference, the lower its latency");
  for (int i = 0; i < 3; i++)
    hs_finding_open(r, "Table 4", NEEDS_REUSE, "frame-level reuse %d, layer-level reuse %d: %.1f ms per frame, VMAF %g", reused[i].level, reused[i].level,
                    reused[i].latency_ms, reused[i].vmaf);
  hs_note(r, "Reused is a share of the frame's rows (--opt=reuse=RATIO), under CoDL on sd855. "
             "For the %.1f and %.1f %% that the table saves it would have to be: %s.",
          100 * (1 - reused[1].latency_ms / reused[0].latency_ms), 100 * (1 - reused[2].latency_ms / reused[0].latency_ms), needed.s);
  hs_text_free(&needed);
  return HS_OK;
}

static const struct hs_item items[] = {
  {"figure-2", "six strategies on three devices", figure_2, true},
  {"figure-3", "operators that aren't supported", figure_3, true},
  {"table-2", "optimisations of ResNet-18 across levels", table_2, false},
  {"figure-4", "ResNet-50 at four granularities, with competitors", figure_4, true},
  {"figure-5", "frames dropped while a network runs", figure_5, true},
  {"table-3", "latency, and estimation error, when the device isn't as it was profiled", table_3, true},
  {"table-4", "reuse between frames of a video", table_4, true},
};
const struct hs_paper hs_paper_study = {"study", "Potentials and Pitfalls (2024)", items, sizeof items / sizeof *items};
