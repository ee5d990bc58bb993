/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "policies/cuts.h"

#include <math.h>

#include "model/comm.h"
#include "plan/chains.h"

enum hs_status hs_cuts_open(struct hs_cuts *c, const struct hs_view *v, bool height, bool channel, double presync_s, const char *policy,
                            struct hs_error *err)
{
  *c = (struct hs_cuts){.v = v, .cpu = v->sys->host, .gpu = hs_soc_first(v->sys->soc, HS_GPU), .height = height, .channel = channel,
                        .presync_s = presync_s};
  if (c->gpu < 0) return hs_fail(err, HS_USAGE, "policy %s needs a GPU, and %s has none", policy, v->sys->soc->name);
  if (!v->sys->backends[c->gpu].available) return hs_system_refuse(v->sys, c->gpu, policy, err);
  if (!v->sys->backends[c->cpu].available) return hs_system_refuse(v->sys, c->cpu, policy, err);
  if (v->sys->backends[c->gpu].memory_type == HS_BUFFER) c->height = false;
  return HS_OK;
}

bool hs_cuts_partitionable(const struct hs_operator *op)
{
  bool dense_conv = op->type == HS_OP_CONV && op->class != HS_CLASS_DEPTHWISE; /* of groups as many as channels */
  return dense_conv || op->type == HS_OP_MAX_POOL || op->type == HS_OP_AVERAGE_POOL || op->type == HS_OP_GEMM;
}

bool hs_cuts_follows(const struct hs_view *v, int i)
{
  const struct hs_operator *op = &v->graph->ops[i];
  const struct hs_tensor *in = &v->graph->tensors[op->inputs[0]];
  return i > 0 && op->n_inputs == 1 && in->producer == i - 1 && in->n_consumers == 1 && !in->is_output &&
         hs_cuts_partitionable(op) && hs_cuts_partitionable(&v->graph->ops[i - 1]);
}

void hs_cuts_place(const struct hs_cuts *c, int i, struct hs_cut cut, struct hs_op_placement *pl)
{
  hs_place_whole(pl, cut.share <= 0 ? c->cpu : c->gpu);
  if (hs_system_supports(c->v->sys, c->v->graph, &c->v->graph->ops[i], c->gpu, NULL, 0)) pl->home = c->gpu;
  if (cut.share <= 0 || cut.share >= 1) return;
  pl->split = cut.split;
  pl->n_parts = 2;
  pl->parts[0] = (struct hs_part){c->gpu, cut.share, -1};
  pl->parts[1] = (struct hs_part){c->cpu, 1 - cut.share, -1};
}

/* --- prediction --- */

bool hs_cuts_hold(const struct hs_cuts *c, int first, int n, struct hs_cut cut)
{
  struct hs_op_placement pl;
  hs_cuts_place(c, first, cut, &pl);
  return hs_slice_holds(c->v->sys, c->v->graph, first, n, &pl);
}

/* Can `share` of op run at all: is it supported, and is there any? */
static bool part_runs(const struct hs_cuts *c, const struct hs_operator *op, int processor, struct hs_range share)
{
  return hs_system_supports(c->v->sys, c->v->graph, op, processor, NULL, 0) && !hs_range_empty(share);
}

/* What the parts of each operator of a chain compute, which all are placed as `pl` says; false where one can't, or reads what another part makes of the
 * operator before it. */
static bool compute(const struct hs_cuts *c, int first, int n, const struct hs_op_placement *pl, struct hs_computed *out)
{
  const struct hs_graph *g = c->v->graph;
  struct hs_op_placement ops[HS_CUT_CHAIN_MAX];
  for (int j = 0; j < n; j++) {
    if (!hs_splittable(g, &g->ops[first + j], pl->split)) return false;
    ops[j] = *pl;
    ops[j].chain = first;
  }
  if (!hs_slice_holds(c->v->sys, g, first, n, pl)) return false;
  hs_chains_compute(c->v->sys, g, ops, first, first + n, out);
  for (int j = 0; j < n; j++)
    for (int k = 0; k < pl->n_parts; k++) {
      const struct hs_operator *op = &g->ops[first + j];
      if (!part_runs(c, op, pl->parts[k].processor, out[j].share[k])) return false;
      if (j > 0 && hs_input_range(g, op, 0, out[j].range[k]).split != pl->split) return false;
    }
  return true;
}

double hs_cuts_sharing(const struct hs_cuts *c, double in, double out)
{
  const struct hs_system *sys = c->v->sys;
  return hs_comm_transfer(sys, c->gpu, true, in).seconds - hs_comm_wait_seconds(sys, c->gpu, 0) + c->presync_s +
         hs_comm_transfer(sys, c->gpu, false, out).seconds;
}

/* The CPU's part of the chain's inputs goes there and its part of the result comes back. */
static double sharing(const struct hs_cuts *c, int first, int n, struct hs_range head, struct hs_range tail)
{
  const struct hs_graph *g = c->v->graph;
  const struct hs_operator *from = &g->ops[first], *to = &g->ops[first + n - 1];
  double in = 0, out = hs_range_elements(&g->tensors[to->outputs[0]].shape, tail);
  for (int i = 0; i < from->n_inputs; i++) in += hs_range_elements(&g->tensors[from->inputs[i]].shape, hs_input_range(g, from, i, head));
  return hs_cuts_sharing(c, in, out);
}

double hs_cuts_predict(const struct hs_cuts *c, int first, int n, struct hs_cut cut)
{
  struct hs_op_placement pl;
  struct hs_computed computed[HS_CUT_CHAIN_MAX];
  double sum = 0;
  hs_cuts_place(c, first, cut, &pl);
  if (!compute(c, first, n, &pl, computed)) return INFINITY;
  for (int j = 0; j < n; j++) {
    double slowest = 0;
    for (int k = 0; k < pl.n_parts; k++) {
      struct hs_work w;
      hs_cost_exec_bordered(c->v->sys, c->v->graph, &c->v->graph->ops[first + j], pl.parts[k].processor, computed[j].range[k], computed[j].border[k],
                            false, &w);
      slowest = fmax(slowest, hs_work_seconds(c->v->sys, pl.parts[k].processor, -1, &w));
    }
    sum += slowest;
  }
  for (int k = 0; k < pl.n_parts; k++)
    if (pl.parts[k].processor == c->cpu) sum += sharing(c, first, n, computed[0].range[k], computed[n - 1].range[k]);
  return sum;
}

/* --- search --- */

static struct hs_cut predicted(const struct hs_cuts *c, int i, enum hs_split split, double share)
{
  struct hs_cut cut = {split, share, 0};
  cut.seconds = hs_cuts_predict(c, i, 1, cut);
  return cut;
}

/* Whole on the GPU, which the release calls a cut by height; on the CPU where the GPU can't. */
static struct hs_cut whole(const struct hs_cuts *c, int i)
{
  enum hs_split split = c->height ? HS_SPLIT_HEIGHT : HS_SPLIT_CHANNEL;
  struct hs_cut cut = predicted(c, i, split, 1);
  return cut.seconds < INFINITY ? cut : predicted(c, i, split, 0);
}

static const enum hs_split dims[] = {HS_SPLIT_HEIGHT, HS_SPLIT_CHANNEL};

static bool allowed(const struct hs_cuts *c, int i, enum hs_split split)
{
  if (split == HS_SPLIT_HEIGHT) return c->height;
  return c->channel || !hs_splittable(c->v->graph, &c->v->graph->ops[i], HS_SPLIT_HEIGHT);
}

/* The slower part by the regressions; a processor without a part takes no time. */
static double by_regression(const struct hs_cuts *c, int i, struct hs_cut cut)
{
  struct hs_op_placement pl;
  struct hs_computed computed;
  hs_cuts_place(c, i, cut, &pl);
  if (!compute(c, i, 1, &pl, &computed)) return INFINITY;
  double slowest = pl.n_parts == 1 ? 0 : -INFINITY;
  for (int k = 0; k < pl.n_parts; k++) {
    const struct hs_flops *flops = pl.parts[k].processor == c->cpu ? c->cpu_flops : c->gpu_flops;
    slowest = fmax(slowest, hs_flops_seconds(flops, c->v->graph, &c->v->graph->ops[i], computed.share[k]));
  }
  return slowest;
}

static struct hs_cut best_by_regression(const struct hs_cuts *c, int i)
{
  struct hs_cut best = {.seconds = INFINITY};
  for (int step = 0; step <= HS_SHARE_STEPS; step++) {
    struct hs_cut cut = {HS_SPLIT_CHANNEL, (double)step / HS_SHARE_STEPS, 0};
    cut.seconds = by_regression(c, i, cut);
    if (cut.seconds < best.seconds) best = cut;
  }
  return best.seconds < INFINITY ? best : whole(c, i);
}

struct hs_cut hs_cuts_best(const struct hs_cuts *c, int i)
{
  const struct hs_operator *op = &c->v->graph->ops[i];
  struct hs_cut best = whole(c, i);
  if (!hs_cuts_partitionable(op)) return best;
  if (c->cpu_flops) return hs_splittable(c->v->graph, op, HS_SPLIT_CHANNEL) ? best_by_regression(c, i) : best;
  for (int d = 0; d < 2; d++)
    for (int step = 0; step < HS_SHARE_STEPS && allowed(c, i, dims[d]); step++) {
      struct hs_cut cut = predicted(c, i, dims[d], (double)step / HS_SHARE_STEPS);
      if (cut.seconds < best.seconds) best = cut;
    }
  return best;
}

/* Of few channels the GPU's share, rounded up to its blocks of four, may be all of them: then it computes the operator whole, as the release's
 * partitioner has it (conv_2d_part_plan.cc). */
static struct hs_cut cut_at(const struct hs_cuts *c, int i, enum hs_split split, double share)
{
  struct hs_cut cut = predicted(c, i, split, share);
  bool few = split == HS_SPLIT_CHANNEL && share > 0 && !(cut.seconds < INFINITY) && hs_splittable(c->v->graph, &c->v->graph->ops[i], split);
  return few ? whole(c, i) : cut;
}

struct hs_cut hs_cuts_fixed(const struct hs_cuts *c, int i, double share)
{
  struct hs_cut best = {HS_SPLIT_HEIGHT, share, INFINITY};
  bool cuts = share <= 0 || hs_cuts_partitionable(&c->v->graph->ops[i]);
  for (int d = 0; d < 2 && cuts; d++) {
    if (!allowed(c, i, dims[d])) continue;
    struct hs_cut cut = cut_at(c, i, dims[d], share);
    if (cut.seconds < best.seconds) best = cut;
  }
  return best.seconds < INFINITY ? best : whole(c, i);
}

enum hs_status hs_cuts_check(const struct hs_cuts *c, int i, struct hs_cut cut, struct hs_error *err)
{
  const struct hs_soc *soc = c->v->sys->soc;
  const struct hs_operator *op = &c->v->graph->ops[i];
  char on_cpu[160], on_gpu[160];
  if (cut.seconds < INFINITY) return HS_OK;
  return hs_fail(err, HS_INPUT, "%s: neither CPU nor GPU of %s runs operator \"%s\" (%s) under runtime %s: %s: %s; %s: %s", c->v->graph->name, soc->name,
                 op->name, hs_op_name(op->type), c->v->sys->runtime->name, soc->processors[c->cpu].name,
                 hs_why_not_on(c->v->sys, c->v->graph, op, c->cpu, on_cpu, sizeof on_cpu), soc->processors[c->gpu].name,
                 hs_why_not_on(c->v->sys, c->v->graph, op, c->gpu, on_gpu, sizeof on_gpu));
}
