/* SPDX-License-Identifier: GPL-3.0-or-later */
/* MOSAIC (Han et al., PACT 2019) on the Kirin 970 of its HiKey 970 board. TF-X-P and TF-X-O are its baselines: X preferred, under
 * the performance or the on-demand governor. "Layers" are the blocks of a workload. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/comm.h"
#include "plan/estimate.h"
#include "plan/lower.h"
#include "policies/layers.h"
#include "program/reproduce.h"

static const char SOC[] = "kirin970";

/* Table I; the plans are Table III and IV, a letter for the processor, the first layer of the slice, and the frequency in MHz. The
 * last three are the smaller models. */
static const struct workload {
  const char *model;
  double latency_ms, size_mb;
  int layers;
  const char *latency_plan, *energy_plan; /* NULL: the paper doesn't give it */
} workloads[] = {
  {"inception_v4", 430.0, 183.7, 20, "N1 N11 B20", "N1@960 N11@960 L20@509"},
  {"mnasnet_1.0", 66.8, 321.9, 20, "N1 B10 G18 B20", "G1@767 L7@509 G12@667 L15@509 G18@667 L20@509"},
  {"mnasnet_1.3", 81.3, 511.6, 20, "N1 B9 G12 B20", "G1@767 L7@509 G12@667 L14@509 G18@667 L20@509"},
  {"mobilenet_v2_1.3", 49.1, 187.8, 18, "N1 G9 N18", "N1@960 L5@509 B7@682 L10@1018 L11@509 L14@1018 L15@509 N18@960"},
  {"mobilenet_v2_1.4", 55.4, 214.7, 18, "N1 G8 N18", "N1@960 L5@1018 L6@509 L10@1018 L11@509 L13@1402 G14@767 N18@960"},
  {"resnet_v2_152_slim", 603.8, 260.4, 53, "B1 N2 B4 N5 B12 N13 N31 B48 N49 B52",
   "B1@682 N2@960 B4@682 N5@960 L12@1018 N13@960 N29@960 L48@1210 N49@960 L52@509 B53@682"},
  {"vgg16", 218.7, 407.4, 16, "N1 G14 B16", "N1@960 G14@550 G15@667 B16@682"},
  {"mnasnet_0.5", 42.7, 98.3, 20, NULL, NULL},
  {"mobilenet_v2_1.0", 36.6, 94.5, 18, NULL, NULL},
  {"squeezenet", 32.5, 34.8, 10, NULL, NULL},
};
enum { N_WORKLOADS = sizeof workloads / sizeof *workloads, N_LARGE = 7 };

static const char *objective(bool energy) { return energy ? "objective=energy" : "objective=latency"; }

/* "1.23 ms against 4.56 ms", with what is between them where the digits don't show it */
static const char *against(struct hs_reproduction *r, double x, double y, const char *unit)
{
  char a[32], b[32];
  const char *both = hs_arena_printf(&r->arena, "%s against %s", hs_finding_number(x, unit, a, sizeof a), hs_finding_number(y, unit, b, sizeof b));
  return x == y || strcmp(a, b) != 0 ? both : hs_arena_printf(&r->arena, "%s (%+.2g %%)", both, 100 * (x / y - 1));
}

/* --- layers of a workload, as MOSAIC profiles them --- */

struct profiled {
  struct hs_setup setup;
  struct hs_view view;
  struct hs_layers *layers;
};

/* false: it can't be planned, and a note says so. profiled_free() in either case. */
static bool profile(struct hs_reproduction *r, const char *model, bool energy, bool with_communication, struct profiled *p)
{
  const struct hs_cell cell = {.soc = SOC, .policy = "mosaic", .model = model, .params = {objective(energy)}};
  if (!hs_cell_plan(r, &cell, &p->setup)) return false;
  const struct hs_network *n = &p->setup.networks[0];
  p->view = (struct hs_view){&p->setup.sys, n->graph, n->values};
  p->layers = hs_layers_make(&p->view, energy ? HS_DEVICES_EVERY_OPP : HS_DEVICES_AS_SET, with_communication, &p->setup.arena);
  return true;
}

static void profiled_free(struct profiled *p) { hs_setup_free(&p->setup); }

static int device_named(const struct profiled *p, const char *processor)
{
  for (int d = 0; d < p->layers->n_devices; d++)
    if (p->layers->devices[d].processor == hs_soc_find(p->setup.soc, processor)) return d;
  return -1;
}

/* Execution of layers `from` to `to` (numbered from 1, both included) on a device; NAN where it can't. */
static struct hs_layer_cost span_cost(const struct profiled *p, const char *processor, int from, int to)
{
  int d = device_named(p, processor);
  if (d < 0 || !hs_layers_takes(p->layers, d, from - 1, to)) return (struct hs_layer_cost){NAN, NAN};
  return hs_layers_exec_cost(p->layers, d, from - 1, to);
}

/* --- Table I --- */

static double slice_bytes(const struct profiled *p)
{
  int npu = hs_soc_find(p->setup.soc, "npu");
  double bytes = 0;
  for (int i = 0; i < p->view.graph->n_ops; i++) bytes += hs_slice_bytes(&p->setup.sys, p->view.graph, &p->view.graph->ops[i], npu);
  return bytes;
}

static enum hs_status table_1(struct hs_reproduction *r, struct hs_error *err)
{
  struct hs_cell_result out;
  struct profiled p;
  for (int i = 0; i < N_WORKLOADS; i++) {
    const struct workload *w = &workloads[i];
    const struct hs_cell cell = {.soc = SOC, .policy = "tf-gpu", .model = w->model, .params = {"governor=performance"}};
    HS_TRY(hs_cell_run(r, &cell, &out, err));
    hs_finding_value(r, "Table I", "s", 1e-3 * w->latency_ms, out.summary.latency_s, "%s, latency on the GPU", w->model);
  }
  for (int i = 0; i < N_WORKLOADS; i++) {
    const struct workload *w = &workloads[i];
    if (profile(r, w->model, false, false, &p)) {
      hs_finding_value(r, "Table I", "", w->layers, p.layers->n, "%s, layers", w->model);
      hs_finding_value(r, "Table I", "B", 1e6 * w->size_mb, slice_bytes(&p), "%s, model size", w->model);
    }
    profiled_free(&p);
  }
  hs_note(r, "Model size: the paper's is what TensorFlow Lite reports at run time; ours is what counts against the NPU's limit, weights in its "
             "precision and results in fp32.");
  return HS_OK;
}

/* --- Fig. 3 and 4 --- */

struct span {
  const char *model;
  int from, to;
  const char *less, *more; /* processors */
};

static const char *const letters[][2] = {{"cpu", "B"}, {"cpu-little", "L"}, {"gpu", "G"}, {"npu", "N"}};
enum { N_LETTERS = sizeof letters / sizeof *letters };

static void heterogeneity(struct hs_reproduction *r, const char *where, bool energy, const struct span *spans, int n)
{
  static const char *const models[] = {"mnasnet_1.0", "mobilenet_v2_1.4"};
  struct profiled p;
  r->chart.unit = energy ? "J" : "s";
  r->chart.what = energy ? "energy of each layer" : "time of each layer";
  for (int m = 0; m < 2; m++) {
    bool ok = profile(r, models[m], false, false, &p);
    for (int l = 1; ok && l <= p.layers->n; l++)
      for (int k = 0; k < N_LETTERS; k++) {
        struct hs_layer_cost c = span_cost(&p, letters[k][0], l, l);
        hs_chart_set(r, hs_arena_printf(&r->arena, "%s %d", models[m], l), letters[k][0], energy ? c.joules : c.seconds);
      }
    for (int i = 0; ok && i < n; i++) {
      const struct span *s = &spans[i];
      if (strcmp(s->model, models[m]) != 0) continue;
      struct hs_layer_cost less = span_cost(&p, s->less, s->from, s->to), more = span_cost(&p, s->more, s->from, s->to);
      double x = energy ? less.joules : less.seconds, y = energy ? more.joules : more.seconds;
      hs_finding_statement(r, where, x < y, against(r, x, y, r->chart.unit), "%s, layers %d to %d: %s takes less %s than %s", s->model, s->from, s->to,
                           s->less, energy ? "energy" : "time", s->more);
    }
    profiled_free(&p);
  }
}

static enum hs_status figure_3(struct hs_reproduction *r, struct hs_error *err)
{
  static const struct span spans[] = {{"mobilenet_v2_1.4", 12, 17, "gpu", "npu"}, {"mnasnet_1.0", 2, 9, "npu", "gpu"}};
  (void)err;
  heterogeneity(r, "Fig. 3, text", false, spans, 2);
  return HS_OK;
}

static enum hs_status figure_4(struct hs_reproduction *r, struct hs_error *err)
{
  static const struct span spans[] = {{"mnasnet_1.0", 9, 17, "cpu-little", "npu"}, {"mobilenet_v2_1.4", 1, 7, "npu", "cpu-little"}};
  (void)err;
  heterogeneity(r, "Fig. 4, text", true, spans, 2);
  return HS_OK;
}

/* --- Fig. 5 --- */

/* Places layers [from, to) on the NPU, and those that it can't execute in slices of their own on the GPU, as TF-NPU does. False where
 * a slice doesn't fit. */
static bool place_preferring(const struct profiled *p, int npu, int from, int to, int *slice, struct hs_placement *pl)
{
  int gpu = device_named(p, "gpu");
  bool fits = true;
  for (int next; from < to; from = next) {
    int d = hs_layers_takes(p->layers, npu, from, from + 1) ? npu : gpu;
    for (next = from + 1; d == npu && next < to && hs_layers_takes(p->layers, npu, next, next + 1);) next++;
    fits = fits && hs_layers_fits(p->layers, d, from, next);
    hs_layers_place(&p->view, p->layers, d, from, next, (*slice)++, pl);
  }
  return fits;
}

/* Latency of three slices on the NPU that begin at layers 1, second and third; NAN where one doesn't fit. */
static enum hs_status three_slices(const struct profiled *p, int d, int second, int third, double *seconds, struct hs_error *err)
{
  const int first[] = {0, second - 1, third - 1, p->layers->n};
  struct hs_arena a = {0};
  struct hs_estimate estimate = {NAN, NAN};
  struct hs_placement *pl = hs_placement_new(&a, p->view.graph->n_ops);
  bool fits = true;
  for (int i = 0, slice = 0; i < 3; i++) fits = place_preferring(p, d, first[i], first[i + 1], &slice, pl) && fits;
  enum hs_status status = fits ? hs_lower_estimate(&p->setup.sys, p->view.graph, pl, 0, pl->n_ops, &estimate, err) : HS_OK;
  *seconds = estimate.latency_s;
  hs_placement_release(pl);
  hs_arena_free(&a);
  return status;
}

static enum hs_status slicings(struct hs_reproduction *r, const struct profiled *p, struct hs_error *err)
{
  double best = INFINITY, worst = 0, seconds;
  int d = device_named(p, "npu"), n = 0;
  for (int second = 2; second <= p->layers->n; second++)
    for (int third = second + 1; third <= p->layers->n; third++) {
      HS_TRY(three_slices(p, d, second, third, &seconds, err));
      if (!isfinite(seconds)) continue;
      hs_chart_set(r, hs_arena_printf(&r->arena, "1-%d %d-%d %d-%d", second - 1, second, third - 1, third, p->layers->n), "npu", seconds);
      best = fmin(best, seconds);
      worst = fmax(worst, seconds);
      n++;
    }
  hs_finding_value(r, "Fig. 5, text", "%", 34.1, n ? 100 * (worst / best - 1) : NAN, "worst slicing above the best");
  hs_note(r, "A slicing is named by the layers of its slices, from 1 on. The paper doesn't say which it shows; ours are all %d "
             "that fit on the NPU.", n);
  return HS_OK;
}

static enum hs_status figure_5(struct hs_reproduction *r, struct hs_error *err)
{
  struct profiled p;
  r->chart.unit = "s";
  r->chart.what = "latency";
  r->chart.lines = true;
  enum hs_status status = profile(r, "mobilenet_v2_1.4", false, true, &p) ? slicings(r, &p, err) : HS_OK;
  profiled_free(&p);
  return status;
}

/* --- Fig. 7 --- */

static enum hs_status figure_7(struct hs_reproduction *r, struct hs_error *err)
{
  static const char *const names[] = {"gpu", "npu"};
  enum { SIZES = 8 };
  double slope[2], bend = 0;
  struct profiled p;
  (void)err;
  r->chart.unit = "s";
  r->chart.what = "communication";
  r->chart.lines = true;
  if (!profile(r, "squeezenet", false, false, &p)) {
    profiled_free(&p);
    return HS_OK;
  }
  for (int k = 0; k < 2; k++) {
    int processor = hs_soc_find(p.setup.soc, names[k]);
    double t[SIZES + 1];
    for (int i = 0; i <= SIZES; i++) {
      double elements = 1e6 * i / SIZES;
      t[i] = hs_comm_transfer(&p.setup.sys, processor, false, elements).seconds;
      hs_chart_set(r, hs_arena_printf(&r->arena, "%.1f MB in fp32", 4e-6 * elements), names[k], t[i]);
    }
    slope[k] = (t[SIZES] - t[0]) / 1e6;
    for (int i = 0; i <= SIZES; i++) bend = fmax(bend, fabs(t[i] - t[0] - (t[SIZES] - t[0]) * i / SIZES) / t[SIZES]);
  }
  hs_finding_statement(r, "Fig. 7, text", bend < 0.05, hs_arena_printf(&r->arena, "at most %.2g %% from a line", 100 * bend),
                       "communication with GPU and NPU is linear in the size of the tensor");
  hs_finding_statement(r, "Fig. 7, text", slope[1] > slope[0],
                       hs_arena_printf(&r->arena, "%.0f µs per million elements against %.0f µs", 1e12 * slope[1], 1e12 * slope[0]),
                       "communication with the NPU costs more than with the GPU");
  profiled_free(&p);
  return HS_OK;
}

/* --- Fig. 8 to 13: versions side by side --- */

struct version {
  const char *name, *policy, *param; /* param NULL: what is compared is its objective */
};
enum { BIG_P, LITTLE_P, GPU_P, NPU_P, BIG_O, LITTLE_O, GPU_O, NPU_O, N_BASELINES, EXHAUSTIVE = N_BASELINES, HCA, HCCA, MOSAIC, N_VERSIONS };

static const struct version versions[N_VERSIONS] = {
  [BIG_P] = {"TF-BIG-P", "tf-big", "governor=performance"},    [LITTLE_P] = {"TF-LITTLE-P", "tf-little", "governor=performance"},
  [GPU_P] = {"TF-GPU-P", "tf-gpu", "governor=performance"},    [NPU_P] = {"TF-NPU-P", "tf-npu", "governor=performance"},
  [BIG_O] = {"TF-BIG-O", "tf-big", "governor=ondemand"},       [LITTLE_O] = {"TF-LITTLE-O", "tf-little", "governor=ondemand"},
  [GPU_O] = {"TF-GPU-O", "tf-gpu", "governor=ondemand"},       [NPU_O] = {"TF-NPU-O", "tf-npu", "governor=ondemand"},
  [EXHAUSTIVE] = {"exhaustive", "exhaustive", NULL},           [HCA] = {"HCA", "hca", NULL},
  [HCCA] = {"HCCA", "hcca", NULL},                             [MOSAIC] = {"MOSAIC", "mosaic", NULL},
};

static enum hs_status cost_of(struct hs_reproduction *r, int version, const char *model, bool energy, double *cost, struct hs_error *err)
{
  const struct version *v = &versions[version];
  const struct hs_cell cell = {.soc = SOC, .policy = v->policy, .model = model, .params = {v->param ? v->param : objective(energy)}};
  struct hs_cell_result out;
  HS_TRY(hs_cell_run(r, &cell, &out, err));
  *cost = energy ? out.summary.energy_j : out.summary.latency_s;
  return HS_OK;
}

/* Geometric mean over models of a's cost ÷ b's. */
static double mean_ratio(double (*cost)[N_VERSIONS], int n, int a, int b)
{
  double sum = 0;
  for (int i = 0; i < n; i++) sum += log(cost[i][a] / cost[i][b]);
  return exp(sum / n);
}

struct comparison {
  const char *where, *models; /* models: in words */
  int from, n;                /* of the workloads */
  bool energy;
  double reduction[4], exhaustive; /* %: against big, little, GPU, NPU; and what is left to exhaustive */
  bool npu_is_alike;               /* the paper says of two networks that TF-NPU-P is like MOSAIC */
};

/* What all versions but MOSAIC's relatives cost. */
static enum hs_status costs_of(struct hs_reproduction *r, const struct comparison *c, double (*cost)[N_VERSIONS], struct hs_error *err)
{
  r->chart.unit = "x";
  r->chart.what = c->energy ? "energy ÷ that of TF-GPU-O" : "latency ÷ that of TF-GPU-O";
  for (int i = 0; i < c->n; i++)
    for (int v = 0; v < N_VERSIONS; v++)
      if (v != HCA && v != HCCA) HS_TRY(cost_of(r, v, workloads[c->from + i].model, c->energy, &cost[i][v], err));
  for (int i = 0; i < c->n; i++)
    for (int v = 0; v < N_VERSIONS; v++)
      if (v != HCA && v != HCCA) hs_chart_set(r, workloads[c->from + i].model, versions[v].name, cost[i][v] / cost[i][GPU_O]);
  for (int v = 0; v < N_VERSIONS; v++)
    if (v != HCA && v != HCCA) hs_chart_set(r, "geometric mean", versions[v].name, mean_ratio(cost, c->n, v, GPU_O));
  hs_note(r, "The figure is %s ÷ that of TF-GPU-O.", c->energy ? "energy" : "latency");
  return HS_OK;
}

static void reductions(struct hs_reproduction *r, const struct comparison *c, double (*cost)[N_VERSIONS])
{
  const char *what = c->energy ? "energy" : "latency";
  int first = c->energy ? BIG_O : BIG_P, ahead = 0;
  for (int k = 0; k < 4; k++)
    hs_finding_value(r, c->where, "%", c->reduction[k], 100 * (1 - mean_ratio(cost, c->n, MOSAIC, first + k)), "%s of MOSAIC below %s, %s", what,
                     versions[first + k].name, c->models);
  hs_finding_value(r, c->where, "%", c->exhaustive, 100 * (mean_ratio(cost, c->n, MOSAIC, EXHAUSTIVE) - 1), "%s of MOSAIC above exhaustive, %s", what,
                   c->models);
  for (int i = 0; i < c->n; i++) {
    bool best = true;
    for (int v = 0; v < N_BASELINES; v++) best = best && cost[i][MOSAIC] <= cost[i][v] * (1 + 1e-9);
    ahead += best;
  }
  hs_finding_statement(r, c->where, ahead == c->n, hs_arena_printf(&r->arena, "so for %d of %d", ahead, c->n),
                       "MOSAIC is at least as good as every TF version with each workload");
}

static void like_npu(struct hs_reproduction *r, double (*cost)[N_VERSIONS])
{
  static const char *const models[] = {"inception_v4", "resnet_v2_152_slim"};
  for (int i = 0; i < N_LARGE; i++)
    for (int m = 0; m < 2; m++) {
      double x = 100 * (cost[i][NPU_P] / cost[i][MOSAIC] - 1);
      if (strcmp(workloads[i].model, models[m]) != 0) continue;
      hs_finding_statement(r, "Sec. VI-B", fabs(x) <= 10, hs_arena_printf(&r->arena, "%.1f %% above it", x),
                           "%s: the latency of TF-NPU-P is like MOSAIC's (read as: within 10 %%)", models[m]);
    }
}

static enum hs_status compare(struct hs_reproduction *r, const struct comparison *c, struct hs_error *err)
{
  double cost[N_WORKLOADS][N_VERSIONS];
  HS_TRY(costs_of(r, c, cost, err));
  reductions(r, c, cost);
  if (c->npu_is_alike) like_npu(r, cost);
  return HS_OK;
}

enum { N_SMALL = N_WORKLOADS - N_LARGE };
static const struct comparison fig_8 = {"Sec. VI-B", "large models", 0, N_LARGE, false, {70.3, 86.1, 39.1, 29.2}, 0.67, true},
                               fig_9 = {"Sec. VI-C", "large models", 0, N_LARGE, true, {91.0, 80.5, 83.4, 36.6}, 0.53, false},
                               fig_12 = {"Sec. VI-E", "smaller models", N_LARGE, N_SMALL, false, {58.8, 80.4, 29.5, 9.2}, 0.89, false},
                               fig_13 = {"Sec. VI-E", "smaller models", N_LARGE, N_SMALL, true, {87.6, 74.5, 78.2, 22.9}, 0.32, false};

static enum hs_status figure_8(struct hs_reproduction *r, struct hs_error *err) { return compare(r, &fig_8, err); }
static enum hs_status figure_9(struct hs_reproduction *r, struct hs_error *err) { return compare(r, &fig_9, err); }
static enum hs_status figure_12(struct hs_reproduction *r, struct hs_error *err) { return compare(r, &fig_12, err); }
static enum hs_status figure_13(struct hs_reproduction *r, struct hs_error *err) { return compare(r, &fig_13, err); }

/* --- Fig. 10 and 11: what each component brings --- */

/* The versions must get strictly better, in the geometric mean over all workloads. */
static enum hs_status components(struct hs_reproduction *r, const int *version, int n, bool energy, struct hs_error *err)
{
  double log_mean[4] = {0}, cost[4];
  r->chart.unit = "x";
  r->chart.what = energy ? "energy ÷ that of TF-GPU-O" : "latency ÷ that of TF-GPU-O";
  for (int i = 0; i < N_WORKLOADS; i++)
    for (int v = 0; v < n; v++) {
      HS_TRY(cost_of(r, version[v], workloads[i].model, energy, &cost[v], err));
      hs_chart_set(r, workloads[i].model, versions[version[v]].name, cost[v] / cost[0]);
      log_mean[v] += log(cost[v] / cost[0]) / N_WORKLOADS;
    }
  for (int v = 0; v < n; v++) hs_chart_set(r, "geometric mean", versions[version[v]].name, exp(log_mean[v]));
  for (int v = 0; v + 1 < n; v++)
    hs_finding_statement(r, "Sec. VI-D", log_mean[v + 1] < log_mean[v],
                         hs_arena_printf(&r->arena, "%s of TF-GPU-O's", against(r, exp(log_mean[v + 1]), exp(log_mean[v]), "x")),
                         "%s has a lower %s than %s", versions[version[v + 1]].name, energy ? "energy" : "latency", versions[version[v]].name);
  return HS_OK;
}

static enum hs_status figure_10(struct hs_reproduction *r, struct hs_error *err)
{
  return components(r, (const int[]){GPU_O, HCA, MOSAIC}, 3, false, err);
}

static enum hs_status figure_11(struct hs_reproduction *r, struct hs_error *err)
{
  return components(r, (const int[]){GPU_O, HCA, HCCA, MOSAIC}, 4, true, err);
}

/* --- plans: Table III and IV, and what MOSAIC expects of them (Fig. 14 and 15) --- */

/* The slice of a plan that begins at layer `from` (from 0): its end, and its device; -1: the plan isn't made of slices. */
static int slice_at(const struct profiled *p, int from, int *device)
{
  const struct hs_placement *pl = p->setup.placement;
  const struct hs_op_placement *head = &pl->ops[p->layers->first[from]];
  int to = from + 1;
  while (to < p->layers->n && pl->ops[p->layers->first[to]].chain == head->chain) to++;
  for (*device = p->layers->n_devices - 1; *device >= 0; --*device)
    if (p->layers->devices[*device].processor == head->parts[0].processor && p->layers->devices[*device].opp == head->parts[0].opp) break;
  return to;
}

static char letter_of(const struct hs_soc *soc, int processor)
{
  for (int k = 0; k < N_LETTERS; k++)
    if (strcmp(letters[k][0], soc->processors[processor].name) == 0) return *letters[k][1];
  return '?';
}

static void plan_text(const struct profiled *p, struct hs_text *t)
{
  for (int from = 0, to, d; from < p->layers->n; from = to) {
    to = slice_at(p, from, &d);
    const struct hs_part *part = &p->setup.placement->ops[p->layers->first[from]].parts[0];
    const struct hs_processor *proc = &p->setup.soc->processors[part->processor];
    hs_text_addf(t, "%s%c%d", from ? " " : "", letter_of(p->setup.soc, part->processor), from + 1);
    if (part->opp >= 0) hs_text_addf(t, "@%.0f", hs_processor_fastest(proc)->opps[part->opp].freq_hz / 1e6);
  }
}

/* The processor's letter of each layer of a plan in the paper's notation. */
static void letters_of(const char *plan, int n, char *of_layer)
{
  for (const char *s = plan; *s; s += strcspn(s, " "), s += *s == ' ')
    for (int l = atoi(s + 1); l <= n; l++) of_layer[l] = *s;
}

static enum hs_status plans(struct hs_reproduction *r, const char *where, bool energy)
{
  struct profiled p;
  int same = 0, all = 0;
  for (int i = 0; i < N_LARGE; i++) {
    const char *paper = energy ? workloads[i].energy_plan : workloads[i].latency_plan;
    char theirs[64] = {0}, ours[64] = {0};
    struct hs_text t = {0};
    if (profile(r, workloads[i].model, energy, true, &p)) {
      int agree = 0, n = p.layers->n < 63 ? p.layers->n : 63;
      plan_text(&p, &t);
      letters_of(paper, n, theirs);
      letters_of(t.s, n, ours);
      for (int l = 1; l <= n; l++) agree += theirs[l] == ours[l];
      hs_finding_statement(r, where, strcmp(t.s, paper) == 0, hs_arena_printf(&r->arena, "ours is %s, %d of %d layers on the same processor", t.s, agree, n),
                           "%s: the plan is %s", workloads[i].model, paper);
      same += agree;
      all += n;
    }
    hs_text_free(&t);
    profiled_free(&p);
  }
  hs_note(r, "Of all layers, %d of %d are on the same processor.", same, all);
  return HS_OK;
}

static enum hs_status table_3(struct hs_reproduction *r, struct hs_error *err)
{
  (void)err;
  return plans(r, "Table III", false);
}

static enum hs_status table_4(struct hs_reproduction *r, struct hs_error *err)
{
  (void)err;
  return plans(r, "Table IV", true);
}

/* What MOSAIC's estimators say of its own plan (Eq. 8). */
static struct hs_layer_cost expected(const struct profiled *p)
{
  struct hs_layer_cost sum = {0, 0};
  for (int from = 0, to, d; from < p->layers->n; from = to) {
    to = slice_at(p, from, &d);
    if (d < 0) return (struct hs_layer_cost){NAN, NAN};
    struct hs_layer_cost c = hs_layers_slice_cost(p->layers, d, from, to);
    sum.seconds += c.seconds;
    sum.joules += c.joules;
  }
  return sum;
}

static enum hs_status estimation(struct hs_reproduction *r, bool energy, double paper, struct hs_error *err)
{
  double sum = 0;
  r->chart.unit = "%";
  r->chart.what = "estimation error";
  for (int i = 0; i < N_WORKLOADS; i++) {
    struct profiled p;
    double is, expects = NAN;
    if (profile(r, workloads[i].model, energy, true, &p)) expects = energy ? expected(&p).joules : expected(&p).seconds;
    profiled_free(&p);
    HS_TRY(cost_of(r, MOSAIC, workloads[i].model, energy, &is, err));
    hs_chart_set(r, workloads[i].model, "error", 100 * fabs(expects / is - 1));
    sum += 100 * fabs(expects / is - 1);
  }
  hs_chart_set_both(r, "mean", "error", sum / N_WORKLOADS, paper);
  hs_finding_value(r, "Sec. VI-E", "%", paper, sum / N_WORKLOADS, "mean error of the estimated %s", energy ? "energy" : "latency");
  return HS_OK;
}

static enum hs_status figure_14(struct hs_reproduction *r, struct hs_error *err) { return estimation(r, false, 3.0, err); }
static enum hs_status figure_15(struct hs_reproduction *r, struct hs_error *err) { return estimation(r, true, 4.3, err); }

/* --- Fig. 16 and 17 --- */

/* The least of several plannings, averaged over all workloads: what the machine does otherwise only adds. */
static double planning(struct hs_reproduction *r, bool energy, bool in_chart)
{
  double sum = 0;
  for (int i = 0; i < N_WORKLOADS; i++) {
    double least = INFINITY;
    for (int k = 0; k < 5; k++) {
      const struct hs_cell cell = {.soc = SOC, .policy = "mosaic", .model = workloads[i].model, .params = {objective(energy)}};
      struct hs_setup s;
      if (hs_cell_plan(r, &cell, &s)) least = fmin(least, s.networks[0].planning_s);
      hs_setup_free(&s);
    }
    if (in_chart) hs_chart_set(r, workloads[i].model, "planning", least);
    sum += least;
  }
  return sum / N_WORKLOADS;
}

static enum hs_status overheads(struct hs_reproduction *r, bool energy, double paper_s)
{
  r->chart.unit = "s";
  r->chart.what = "planning";
  r->wall_clock = true;
  double latency_s = planning(r, false, !energy), energy_s = planning(r, true, energy);
  hs_chart_set_both(r, "mean", "planning", energy ? energy_s : latency_s, paper_s);
  hs_finding_value(r, "Sec. VI-E", "s", paper_s, energy ? energy_s : latency_s, "mean planning time for %s", energy ? "energy" : "latency");
  hs_finding_statement(r, "Sec. VI-E", energy_s > latency_s, against(r, energy_s, latency_s, "s"), "planning for energy takes longer than for latency");
  hs_note(r, "The paper's is on the phone, from profiles; ours makes the profiles from the cost model, too.");
  return HS_OK;
}

static enum hs_status figure_16(struct hs_reproduction *r, struct hs_error *err)
{
  (void)err;
  return overheads(r, false, 0.15e-3);
}

static enum hs_status figure_17(struct hs_reproduction *r, struct hs_error *err)
{
  (void)err;
  return overheads(r, true, 0.82e-3);
}

static const struct hs_item items[] = {
  {"table-1", "the workloads: latency on the GPU, model size and layers", table_1, false},
  {"figure-3", "time of each layer on each processor", figure_3, true},
  {"figure-4", "energy of each layer on each processor", figure_4, true},
  {"figure-5", "MobileNetV2 1.4 in three slices on the NPU", figure_5, true},
  {"figure-7", "communication over the size of a tensor", figure_7, true},
  {"table-3", "plans for latency", table_3, false},
  {"figure-8", "latency with large models", figure_8, true},
  {"table-4", "plans for energy", table_4, false},
  {"figure-9", "energy with large models", figure_9, true},
  {"figure-10", "what the components bring: latency", figure_10, true},
  {"figure-11", "what the components bring: energy", figure_11, true},
  {"figure-12", "latency with smaller models", figure_12, true},
  {"figure-13", "energy with smaller models", figure_13, true},
  {"figure-14", "error of the estimated latency", figure_14, true},
  {"figure-15", "error of the estimated energy", figure_15, true},
  {"figure-16", "planning time for latency", figure_16, true},
  {"figure-17", "planning time for energy", figure_17, true},
};
const struct hs_paper hs_paper_mosaic = {"mosaic", "MOSAIC (PACT 2019)", items, sizeof items / sizeof *items};
