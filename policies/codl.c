/* SPDX-License-Identifier: GPL-3.0-or-later */
/* CoDL (MobiSys 2022): each convolution, pooling and fully connected operator is cut between CPU and GPU, by height or by
 * output channel, in the proportion that its latency model likes best (Eq. 2); consecutive operators cut alike by height form
 * chains that share data only at their ends. And the µLayer that CoDL compares with: output channels only, no chains.
 *
 * Faithful to the paper and the release (csu-eis/CoDL@0a0c89d): shares of the GPU 0, 0.1 … 1; with GPU buffers only output
 * channels are searched; ties go to the earlier share and to height; all on the GPU keeps the tensor there, all on the CPU
 * still pays the sharing because boundary tensors live in GPU memory; a part by height has at least as many rows as the
 * kernel. The pre-sync of the model is the release's constant 1 ms; what the run pays is the SoC's.
 * Chains are the release's heuristic. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/comm.h"
#include "policies/policy.h"

enum { STEPS = 10 };

static const char *const chain_words[] = {"heuristic", "none", NULL};
static const struct hs_param codl_params[] = {
  {"chain", "heuristic: consecutive operators cut alike by height share nothing in between; none: every operator by itself", "heuristic", chain_words, 0, 0},
  {"presync_ms", "what the latency model takes for the CPU's wait before its share, ms", "1", NULL, 0, 100},
};
static const struct hs_param mulayer_params[] = {
  {"presync_ms", "what the latency model takes for the CPU's wait before its share, ms", "1", NULL, 0, 100},
};

struct search {
  const struct hs_view *v;
  int cpu, gpu;
  bool height; /* may cut by height */
  double presync_s;
};

struct cut {
  enum hs_split split;
  int share; /* of the GPU, in tenths */
  double seconds;
};

static bool partitionable(const struct hs_operator *op)
{
  return op->type == HS_OP_CONV || op->type == HS_OP_MAX_POOL || op->type == HS_OP_AVERAGE_POOL || op->type == HS_OP_GEMM;
}

static void place_cut(const struct search *s, struct cut c, struct hs_op_placement *pl)
{
  hs_place_whole(pl, c.share == 0 ? s->cpu : s->gpu);
  pl->home = s->gpu;
  if (c.share == 0 || c.share == STEPS) return;
  double rho = (double)c.share / STEPS;
  pl->split = c.split;
  pl->n_parts = 2;
  pl->parts[0] = (struct hs_part){s->gpu, rho, -1};
  pl->parts[1] = (struct hs_part){s->cpu, 1 - rho, -1};
}

/* Eq. 2 for one operator by itself; INFINITY if it can't be cut so. */
static double predict(const struct search *s, const struct hs_operator *op, struct cut c)
{
  const struct hs_view *v = s->v;
  struct hs_op_placement pl;
  struct hs_range ranges[HS_PARTS_MAX];
  double compute = 0, moved = 0;
  place_cut(s, c, &pl);
  if (!hs_splittable(v->graph, op, pl.split)) return INFINITY;
  hs_placement_ranges(v->sys, v->graph, op, &pl, ranges);
  for (int k = 0; k < pl.n_parts; k++) {
    int p = pl.parts[k].processor;
    struct hs_work w;
    if (!hs_system_supports(v->sys, v->graph, op, p, NULL, 0)) return INFINITY;
    if (pl.n_parts > 1 && ranges[k].end - ranges[k].begin < (c.split == HS_SPLIT_HEIGHT ? op->at.kernel[0] : 1)) return INFINITY;
    hs_cost_exec(v->sys, v->graph, op, p, ranges[k], &w);
    compute = fmax(compute, hs_work_seconds(v->sys, p, -1, &w));
    if (p != s->cpu) continue;
    double in = 0; /* the CPU's share goes there and its result comes back */
    for (int i = 0; i < op->n_inputs; i++)
      in += hs_range_elements(&v->graph->tensors[op->inputs[i]].shape, hs_input_range(v->graph, op, i, ranges[k]));
    double out = hs_range_elements(&v->graph->tensors[op->outputs[0]].shape, ranges[k]);
    const struct hs_comm_cost *sync = &v->sys->soc->sharing[HS_GPU][HS_CPU][HS_SYNC];
    moved += hs_comm_transfer(v->sys, s->gpu, true, in).seconds - sync->fixed_s + s->presync_s + hs_comm_transfer(v->sys, s->gpu, false, out).seconds;
  }
  return compute + moved;
}

static struct cut best_cut(const struct search *s, const struct hs_operator *op)
{
  struct cut best = {HS_SPLIT_HEIGHT, STEPS, predict(s, op, (struct cut){HS_SPLIT_HEIGHT, STEPS, 0})};
  const enum hs_split dims[] = {HS_SPLIT_HEIGHT, HS_SPLIT_CHANNEL};
  for (int d = s->height ? 0 : 1; d < 2 && partitionable(op); d++)
    for (int share = 0; share < STEPS; share++) {
      struct cut c = {dims[d], share, 0};
      c.seconds = predict(s, op, c);
      if (c.seconds < best.seconds) best = c;
    }
  if (best.seconds == INFINITY) best = (struct cut){HS_SPLIT_HEIGHT, 0, predict(s, op, (struct cut){HS_SPLIT_HEIGHT, 0, 0})};
  return best;
}

/* The release's heuristic: an operator joins the chain of the one before if it reads only that one's result and both are cut by
 * height in the same proportion. */
static bool joins(const struct hs_view *v, const struct hs_placement *pl, int i)
{
  const struct hs_op_placement *a = &pl->ops[i - 1], *b = &pl->ops[i];
  const struct hs_operator *op = &v->graph->ops[i];
  return a->n_parts == 2 && b->n_parts == 2 && a->split == HS_SPLIT_HEIGHT && b->split == HS_SPLIT_HEIGHT &&
         a->parts[0].fraction == b->parts[0].fraction && op->n_inputs == 1 && v->graph->tensors[op->inputs[0]].producer == i - 1 &&
         v->graph->tensors[op->inputs[0]].n_consumers == 1;
}

static enum hs_status plan_cuts(const struct hs_view *v, bool height, bool chains, double presync_s, const char *name, struct hs_placement *pl,
                                struct hs_error *err)
{
  struct search s = {v, hs_soc_find(v->sys->soc, "cpu"), hs_soc_first(v->sys->soc, HS_GPU), height, presync_s};
  if (s.cpu < 0 || s.gpu < 0 || !v->sys->backends[s.gpu].available)
    return hs_fail(err, HS_USAGE, "policy %s needs a CPU and a GPU that runtime %s has code for, on %s", name, v->sys->runtime->name, v->sys->soc->name);
  if (v->sys->backends[s.gpu].memory_type == HS_BUFFER) s.height = false;
  for (int i = 0, chain = 0; i < pl->n_ops; i++) {
    const struct hs_operator *op = &v->graph->ops[i];
    struct cut c = best_cut(&s, op);
    if (c.seconds == INFINITY)
      return hs_fail(err, HS_INPUT, "%s: neither CPU nor GPU of %s runs operator \"%s\" (%s) under runtime %s", v->graph->name, v->sys->soc->name, op->name,
                     hs_op_name(op->type), v->sys->runtime->name);
    place_cut(&s, c, &pl->ops[i]);
    pl->ops[i].fallback = c.share == 0 && !hs_system_supports(v->sys, v->graph, op, s.gpu, NULL, 0);
    if (!(i > 0 && chains && joins(v, pl, i))) chain++;
    pl->ops[i].chain = chain;
  }
  return HS_OK;
}

static enum hs_status plan_codl(const struct hs_view *v, struct hs_placement *pl, struct hs_error *err)
{
  return plan_cuts(v, true, strcmp(v->values[0], "heuristic") == 0, 1e-3 * strtod(v->values[1], NULL), "codl", pl, err);
}

static enum hs_status plan_mulayer(const struct hs_view *v, struct hs_placement *pl, struct hs_error *err)
{
  return plan_cuts(v, false, false, 1e-3 * strtod(v->values[0], NULL), "mulayer", pl, err);
}

const struct hs_policy hs_policy_codl = {
  .name = "codl",
  .summary = "operators cut between CPU and GPU by height or output channel, in chains",
  .reference = "CoDL (MobiSys 2022), Sec. 4 and its release",
  .needs = "gpu",
  .default_runtime = "mace",
  .default_precision = HS_FP32,
  .params = codl_params,
  .n_params = 2,
  .plan = plan_codl,
};

const struct hs_policy hs_policy_mulayer = {
  .name = "mulayer",
  .summary = "operators cut between CPU and GPU by output channel, in fp32 buffers, as CoDL's comparison does",
  .reference = "uLayer (EuroSys 2019) as re-implemented in CoDL (MobiSys 2022), Sec. 6",
  .needs = "gpu",
  .default_runtime = "mace",
  .default_precision = HS_FP32,
  .default_memory_type = "buffer",
  .params = mulayer_params,
  .n_params = 1,
  .plan = plan_mulayer,
};
