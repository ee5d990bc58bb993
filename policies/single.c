/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One processor: everything on the preferred one, packed greedily into slices as large as its memory limit allows; an
 * operator it can't run goes to the first of NPU, GPU, CPU that can (the order of the baselines in MOSAIC, Sec. VI-A). */
#include <stdio.h>

#include "policies/single.h"

bool hs_runs_on(const struct hs_view *v, const struct hs_operator *op, int p)
{
  double limit = v->sys->soc->processors[p].slice_limit_bytes;
  return hs_system_supports(v->sys, v->graph, op, p, NULL, 0) &&
         (limit <= 0 || hs_slice_bytes(v->sys, v->graph, op, p) <= limit);
}

static int fallback(const struct hs_view *v, const struct hs_operator *op)
{
  static const enum hs_kind order[] = {HS_NPU, HS_GPU, HS_CPU};
  for (size_t i = 0; i < sizeof order / sizeof *order; i++) {
    int p = hs_soc_first(v->sys->soc, order[i]);
    if (p >= 0 && hs_runs_on(v, op, p)) return p;
  }
  return -1;
}

enum hs_status hs_runs_nowhere(const struct hs_view *v, const struct hs_operator *op, struct hs_error *err)
{
  char reasons[600] = "", why[160];
  size_t n = 0;
  for (int p = 0; p < v->sys->soc->n_processors && n < sizeof reasons; p++) {
    snprintf(why, sizeof why, "larger than its slice limit");
    hs_system_supports(v->sys, v->graph, op, p, why, sizeof why);
    n += (size_t)snprintf(reasons + n, sizeof reasons - n, "%s%s: %s", p ? "; " : "", v->sys->soc->processors[p].name, why);
  }
  return hs_fail(err, HS_INPUT, "%s: no processor of %s runs operator \"%s\" (%s) under runtime %s: %s", v->graph->name,
                 v->sys->soc->name, op->name, hs_op_name(op->type), v->sys->runtime->name, reasons);
}

/* Somebody runs it, but nobody who takes over what `preferred` can't. */
static enum hs_status no_fallback(const struct hs_view *v, const struct hs_operator *op, int preferred, struct hs_error *err)
{
  const struct hs_processor *processors = v->sys->soc->processors;
  char runs[HS_PROCESSORS_MAX * 24] = "";
  size_t n = 0;
  for (int p = 0; p < v->sys->soc->n_processors && n < sizeof runs; p++)
    if (hs_runs_on(v, op, p)) n += (size_t)snprintf(runs + n, sizeof runs - n, "%s%s", n ? ", " : "", processors[p].name);
  if (!n) return hs_runs_nowhere(v, op, err);
  return hs_fail(err, HS_INPUT, "%s: of %s only %s runs operator \"%s\" (%s) under runtime %s, and what the %s can't run goes to NPU, GPU or CPU",
                 v->graph->name, v->sys->soc->name, runs, op->name, hs_op_name(op->type), v->sys->runtime->name, processors[preferred].name);
}

enum hs_status hs_plan_single(const struct hs_view *v, int preferred, struct hs_placement *pl, struct hs_error *err)
{
  int slice = 0, before = -1;
  double bytes = 0;
  for (int i = 0; i < pl->n_ops; i++) {
    const struct hs_operator *op = &v->graph->ops[i];
    int p = hs_runs_on(v, op, preferred) ? preferred : fallback(v, op);
    if (p < 0) return no_fallback(v, op, preferred, err);
    double limit = v->sys->soc->processors[p].slice_limit_bytes, more = hs_slice_bytes(v->sys, v->graph, op, p);
    if (p != before || (limit > 0 && bytes + more > limit)) {
      slice++;
      bytes = 0;
    }
    bytes += more;
    before = p;
    hs_place_whole(&pl->ops[i], p);
    pl->ops[i].chain = slice;
    pl->ops[i].fallback = p != preferred;
  }
  return HS_OK;
}

static enum hs_status plan_on(const struct hs_view *v, const char *name, struct hs_placement *pl, struct hs_error *err)
{
  int preferred = hs_soc_find(v->sys->soc, name);
  if (preferred < 0) return hs_fail(err, HS_USAGE, "policy %s: %s has no %s", name, v->sys->soc->name, name);
  if (!v->sys->backends[preferred].available)
    return hs_fail(err, HS_USAGE, "policy %s: runtime %s has no code for the %s of %s", name, v->sys->runtime->name, name,
                   v->sys->soc->name);
  return hs_plan_single(v, preferred, pl, err);
}

#define SINGLE(id, processor, text, runtime, precision)                                                                 \
  static enum hs_status plan_##id(const struct hs_view *v, struct hs_placement *pl, struct hs_error *err)             \
  {                                                                                                                    \
    return plan_on(v, processor, pl, err);                                                                             \
  }                                                                                                                    \
  const struct hs_policy hs_policy_##id = {.name = processor,                                                          \
                                           .summary = text,                                                            \
                                           .reference = "MOSAIC (PACT 2019), Sec. VI-A: order of the fallback",        \
                                           .needs = processor,                                                         \
                                           .default_runtime = runtime,                                                 \
                                           .default_precision = precision,                                             \
                                           .plan = plan_##id}

SINGLE(cpu, "cpu", "everything on the performance cores", "mace", HS_FP32);
SINGLE(cpu_little, "cpu-little", "everything on the efficiency cores", "mace", HS_FP32);
SINGLE(gpu, "gpu", "everything on the GPU; what it can't run on NPU or CPU", "mace", HS_FP32);
SINGLE(dsp, "dsp", "everything on the DSP; what it can't run on NPU, GPU or CPU", "tflite", HS_INT8);
SINGLE(npu, "npu", "everything on the NPU; what it can't run on GPU or CPU", "tflite", HS_INT8);
