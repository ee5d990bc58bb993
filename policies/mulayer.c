/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The µLayer (EuroSys 2019). By default the version that CoDL compares with (MobiSys 2022, Sec. 6): operators cut between CPU
 * and GPU by output channel, in fp32 and buffers, each by itself, by a regression over FLOPs (policies/flops.h). In the release that
 * regression stands for the two computations only: what sharing costs is left out of the decision, and paid.
 *
 * `predictor=exact` decides with CoDL's Eq. 2 on the cost model itself, sharing included: what the method could reach.
 *
 * Of the original's own ideas: `branches=distribute` gives whole parallel branches to one processor each where that is
 * predicted to beat cutting every operator, and `quantization=friendly` computes in int8 on the CPU and in fp16 on the GPU.
 * The original keeps tensors in 8 bits everywhere and converts inside the GPU's kernels; here the conversion is paid where
 * data crosses. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "model/comm.h"
#include "plan/pass.h"
#include "policies/branches.h"
#include "policies/cuts.h"

enum { PREDICTOR, BRANCHES, QUANTIZATION, PRESYNC };

static const char *const predictor_words[] = {"flops", "exact", NULL};
static const char *const branches_words[] = {"split", "distribute", NULL};
static const char *const quantization_words[] = {"none", "friendly", NULL};
static const struct hs_param mulayer_params[] = {
  [PREDICTOR] = {"predictor", "flops: a regression over the FLOPs of a layer, as in CoDL's comparison; exact: the cost model, sharing included",
                 "flops", predictor_words, 0, 0, false},
  [BRANCHES] = {"branches", "split: every operator is cut; distribute: parallel branches go whole to one processor each where that is predicted to be faster",
                "split", branches_words, 0, 0, false},
  [QUANTIZATION] = {"quantization", "none: one precision; friendly: int8 on the CPU, fp16 on the GPU", "none", quantization_words, 0, 0, false},
  [PRESYNC] = {"presync_ms", "what predictor=exact, and branches=distribute, take for the CPU's wait before its share, ms", "1", NULL, 0, 100, false},
};

struct decisions {
  struct hs_cuts cuts;
  struct hs_flops cpu_flops, gpu_flops;
  const struct hs_graph *g;
  struct hs_cut *cut; /* [operator] */
  int *whole_on;      /* [operator]: processor of its branch, or -1: cut as above */
  int *order;         /* as the operators are handed out */
  bool reordered;
};

/* --- branch distribution --- */

struct branch {
  double cpu_s, gpu_s; /* of all its operators; INFINITY where one isn't supported */
  double out;          /* elements that others read */
};

static double whole_seconds(const struct decisions *d, int i, int p)
{
  const struct hs_system *sys = d->cuts.v->sys;
  return hs_runs_on(sys, d->g, &d->g->ops[i], p) ? hs_cost_seconds(sys, d->g, &d->g->ops[i], p, -1) : INFINITY;
}

static void measure(const struct decisions *d, const struct hs_fork *f, struct branch *branches)
{
  for (int b = 0; b < f->n; b++) branches[b] = (struct branch){0};
  for (int i = f->first; i < f->join; i++) {
    struct branch *b = &branches[f->branch[i - f->first]];
    b->cpu_s += whole_seconds(d, i, d->cuts.cpu);
    b->gpu_s += whole_seconds(d, i, d->cuts.gpu);
    for (int k = 0; k < d->g->ops[i].n_outputs; k++) {
      int t = d->g->ops[i].outputs[k];
      if (hs_graph_read_from(d->g, t, f->join)) b->out += (double)hs_shape_elements(&d->g->tensors[t].shape);
    }
  }
}

/* The slower side when the branches of `mask` run on the CPU: it has to get the forked tensor first and to give its results back. */
static double slower_side(const struct decisions *d, const struct hs_fork *f, const struct branch *branches, unsigned mask)
{
  double cpu = 0, gpu = 0, out = 0, in = (double)hs_shape_elements(&d->g->tensors[f->tensor].shape);
  for (int b = 0; b < f->n; b++)
    if (mask >> b & 1) {
      cpu += branches[b].cpu_s;
      out += branches[b].out;
    } else
      gpu += branches[b].gpu_s;
  return fmax(cpu + hs_cuts_sharing(&d->cuts, in, out), gpu);
}

/* The GPU's branches are handed out first: enqueueing them takes no time, and the CPU would else finish its own before. */
static void reorder(struct decisions *d, const struct hs_fork *f)
{
  int n = f->first;
  for (int cpu = 0; cpu < 2; cpu++)
    for (int i = f->first; i < f->join; i++)
      if ((d->whole_on[i] == d->cuts.cpu) == (cpu == 1)) d->order[n++] = i;
  d->reordered = true;
}

/* Returns whether distributing beats cutting every operator, both by the cost model: the regression knows no sharing, and only layers. */
static bool distribute(struct decisions *d, const struct hs_fork *f)
{
  struct branch branches[HS_BRANCHES_MAX];
  double least = 0;
  unsigned best = 0;
  for (int i = f->first; i < f->join; i++) least += hs_cuts_predict(&d->cuts, i, 1, d->cut[i]);
  measure(d, f, branches);
  for (unsigned mask = 1; mask < 1u << f->n; mask++) { /* none on the CPU is the GPU alone, and no distribution */
    double seconds = slower_side(d, f, branches, mask);
    if (seconds >= least) continue;
    least = seconds;
    best = mask;
  }
  for (int i = f->first; i < f->join && best; i++) d->whole_on[i] = best >> f->branch[i - f->first] & 1 ? d->cuts.cpu : d->cuts.gpu;
  if (best) reorder(d, f);
  return best != 0;
}

/* Forks inside a branch get their turn where the outer ones aren't distributed. */
static void distribute_all(struct decisions *d, struct hs_arena *a)
{
  struct hs_fork f;
  for (int i = 0; i < d->g->n_ops;) i = hs_fork_at(d->g, i, &f, a) && distribute(d, &f) ? f.join : i + 1;
}

/* --- the policy --- */

/* With a conversion on the GPU in between, the forked tensor's is enqueued before the GPU's branches, or it would queue behind them; the host waits for it
 * once it has enqueued these. Where the producer is cut, it crosses at once. */
static void share_early(const struct decisions *d, const int *position, struct hs_placement *pl)
{
  if (!hs_comm_converts(d->cuts.v->sys, d->cuts.gpu, d->cuts.cpu)) return;
  for (int i = 0; i < d->g->n_ops; i++) {
    int producer = d->g->tensors[d->g->ops[i].inputs[0]].producer;
    if (d->whole_on[i] != d->cuts.cpu || producer < 0 || d->whole_on[producer] == d->cuts.cpu) continue;
    struct hs_op_placement *from = &pl->ops[position[producer]];
    if (from->n_parts == 1 && from->parts[0].processor == d->cuts.gpu)
      from->early = true;
    else
      from->home = d->cuts.cpu;
  }
}

static void write_down(const struct decisions *d, struct hs_arena *a, struct hs_placement *pl)
{
  const struct hs_view *v = d->cuts.v;
  int *position = HS_NEW_ARRAY(a, int, (size_t)d->g->n_ops);
  if (d->reordered) hs_placement_rewrite(pl, hs_pass_order(d->g, d->order));
  for (int k = 0; k < d->g->n_ops; k++) {
    int i = d->order[k];
    struct hs_op_placement *op = &pl->ops[k];
    position[i] = k;
    if (d->whole_on[i] >= 0)
      hs_place_whole(op, d->whole_on[i]);
    else
      hs_cuts_place(&d->cuts, i, d->cut[i], op);
    op->fallback = op->n_parts == 1 && op->parts[0].processor == d->cuts.cpu && !hs_runs_on(v->sys, d->g, &d->g->ops[i], d->cuts.gpu);
  }
  share_early(d, position, pl);
}

static enum hs_status check_quantization(const struct hs_cuts *c, const char *value, struct hs_error *err)
{
  const struct hs_system *sys = c->v->sys;
  enum hs_precision cpu = sys->backends[c->cpu].precision, gpu = sys->backends[c->gpu].precision;
  if (strcmp(value, "friendly") != 0 || (cpu == HS_INT8 && gpu == HS_FP16)) return HS_OK;
  return hs_fail(err, HS_USAGE, "policy mulayer: quantization=friendly needs int8 on the CPU and fp16 on the GPU, and runtime %s computes in %s and %s on %s",
                 sys->runtime->name, hs_precision_names[cpu], hs_precision_names[gpu], sys->soc->name);
}

static enum hs_status decide(struct decisions *d, bool distributes, struct hs_arena *a, struct hs_error *err)
{
  int n = d->g->n_ops;
  d->cut = HS_NEW_ARRAY(a, struct hs_cut, (size_t)n);
  d->whole_on = HS_NEW_ARRAY(a, int, (size_t)n);
  d->order = HS_NEW_ARRAY(a, int, (size_t)n);
  for (int i = 0; i < n; i++) {
    d->cut[i] = hs_cuts_best(&d->cuts, i);
    d->whole_on[i] = -1;
    d->order[i] = i;
    HS_TRY(hs_cuts_check(&d->cuts, i, d->cut[i], err));
  }
  if (distributes) distribute_all(d, a);
  return HS_OK;
}

static void describe(const struct decisions *d, struct hs_placement *pl)
{
  static const char *const layers[HS_LAYER_N] = {"convolutions", "poolings", "fully connected"};
  const struct hs_processor *all = d->cuts.v->sys->soc->processors;
  const struct hs_flops *cpu = &d->cpu_flops, *gpu = &d->gpu_flops;
  struct hs_text t = {0};
  hs_text_add(&t, "regressions, of the layers that they weren't trained on within 10 %:");
  for (int k = 0; k < HS_LAYER_N; k++)
    hs_text_addf(&t, "%s %s %s %d of %d, %s %d of %d", k ? ";" : "", layers[k], all[d->cuts.cpu].name, cpu->n_within[k], cpu->n_tested[k],
                 all[d->cuts.gpu].name, gpu->n_within[k], gpu->n_tested[k]);
  pl->note = hs_arena_strdup(pl->arena, t.s);
  hs_text_free(&t);
}

static void train(struct decisions *d)
{
  hs_flops_train(d->cuts.v->sys, d->cuts.cpu, &d->cpu_flops);
  hs_flops_train(d->cuts.v->sys, d->cuts.gpu, &d->gpu_flops);
  d->cuts.cpu_flops = &d->cpu_flops;
  d->cuts.gpu_flops = &d->gpu_flops;
}

static enum hs_status check_presync(const char *const *values, struct hs_error *err)
{
  bool taken = strcmp(values[PREDICTOR], "exact") == 0 || strcmp(values[BRANCHES], "distribute") == 0;
  if (taken || !hs_param_changed(&mulayer_params[PRESYNC], values[PRESYNC])) return HS_OK;
  return hs_fail(err, HS_USAGE, "policy mulayer: presync_ms=%s is for predictor=exact and branches=distribute, and neither is given", values[PRESYNC]);
}

static enum hs_status plan_mulayer(const struct hs_view *v, struct hs_placement *pl, struct hs_error *err)
{
  struct decisions d = {.g = v->graph};
  struct hs_arena scratch = {0};
  HS_TRY(hs_cuts_open(&d.cuts, v, false, true, 1e-3 * strtod(v->values[PRESYNC], NULL), "mulayer", err));
  HS_TRY(check_presync(v->values, err));
  HS_TRY(check_quantization(&d.cuts, v->values[QUANTIZATION], err));
  bool regresses = strcmp(v->values[PREDICTOR], "flops") == 0;
  if (regresses) train(&d);
  enum hs_status status = decide(&d, strcmp(v->values[BRANCHES], "distribute") == 0, &scratch, err);
  if (!status) write_down(&d, &scratch, pl);
  if (!status && regresses) describe(&d, pl);
  hs_arena_free(&scratch);
  return status;
}

/* MACE has neither int8 kernels on the CPU nor fp16 on the GPU: TensorFlow Lite has both. */
static void prefer(const char *const *values, struct hs_preferences *p)
{
  if (strcmp(values[QUANTIZATION], "friendly") != 0) return;
  p->runtime = "tflite";
  p->precision = HS_INT8;
}

const struct hs_policy hs_policy_mulayer = {
  .name = "mulayer",
  .summary = "operators cut between CPU and GPU by output channel, in fp32 buffers, as CoDL's comparison does",
  .reference = "uLayer (EuroSys 2019) as re-implemented in CoDL (MobiSys 2022), Sec. 6",
  .needs = "gpu",
  .defaults = {.runtime = "mace", .precision = HS_FP32, .memory_type = "buffer"},
  .prefer = prefer,
  .params = mulayer_params,
  .n_params = sizeof mulayer_params / sizeof *mulayer_params,
  .plan = plan_mulayer,
};
