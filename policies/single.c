/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One processor: everything on the preferred one, packed greedily into slices as large as its memory limit allows; an
 * operator it can't run goes to the first of NPU, GPU, CPU that can (the order of the baselines in MOSAIC, Sec. VI-A). Or as a delegate has it that takes
 * so many partitions of a network and no more: the CPU runs the rest, whatever else could. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plan/delegate.h"
#include "policies/single.h"

const enum hs_kind hs_fallbacks[HS_FALLBACKS] = {HS_NPU, HS_GPU, HS_CPU};

enum hs_status hs_preferred(const struct hs_view *v, const char *policy, const char *processor, int *p, struct hs_error *err)
{
  *p = hs_soc_find(v->sys->soc, processor);
  if (*p < 0) return hs_fail(err, HS_USAGE, "policy %s: %s has no %s", policy, v->sys->soc->name, processor);
  return v->sys->backends[*p].available ? HS_OK : hs_system_refuse(v->sys, *p, policy, err);
}

/* The first processor of this kind, if it runs op; -1: it doesn't, or there is none. */
static int first_of(const struct hs_view *v, const struct hs_operator *op, enum hs_kind kind)
{
  int p = hs_soc_first(v->sys->soc, kind);
  return p >= 0 && hs_runs_on(v->sys, v->graph, op, p) ? p : -1;
}

static int fallback(const struct hs_view *v, const struct hs_operator *op, bool host_first)
{
  int p = host_first ? first_of(v, op, HS_CPU) : -1;
  for (int i = 0; i < HS_FALLBACKS && p < 0; i++) p = first_of(v, op, hs_fallbacks[i]);
  return p;
}

enum hs_status hs_runs_nowhere(const struct hs_view *v, const struct hs_operator *op, struct hs_error *err)
{
  char reasons[600] = "", why[160];
  size_t n = 0;
  for (int p = 0; p < v->sys->soc->n_processors && n < sizeof reasons; p++)
    n += (size_t)snprintf(reasons + n, sizeof reasons - n, "%s%s: %s", p ? "; " : "", v->sys->soc->processors[p].name,
                          hs_why_not_on(v->sys, v->graph, op, p, why, sizeof why));
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
    if (hs_runs_on(v->sys, v->graph, op, p)) n += (size_t)snprintf(runs + n, sizeof runs - n, "%s%s", n ? ", " : "", processors[p].name);
  if (!n) return hs_runs_nowhere(v, op, err);
  return hs_fail(err, HS_INPUT, "%s: of %s only %s runs operator \"%s\" (%s) under runtime %s, and what the %s can't run goes to NPU, GPU or CPU",
                 v->graph->name, v->sys->soc->name, runs, op->name, hs_op_name(op->type), v->sys->runtime->name, processors[preferred].name);
}

static enum hs_status place(const struct hs_view *v, int preferred, const bool *takes, bool host_first, struct hs_placement *pl, struct hs_error *err)
{
  for (int i = 0; i < pl->n_ops; i++) {
    const struct hs_operator *op = &v->graph->ops[i];
    int p = takes[i] ? preferred : fallback(v, op, host_first);
    if (p < 0) return no_fallback(v, op, preferred, err);
    hs_place_whole(&pl->ops[i], p);
    pl->ops[i].fallback = p != preferred;
  }
  hs_placement_pack(v->sys, v->graph, pl);
  return HS_OK;
}

/* More partitions than the runtime's own delegate would take, each with its crossings: that may be what a number tells most of. */
static void note_partitions(const struct hs_view *v, int preferred, int n, struct hs_placement *pl)
{
  struct hs_text t = {0};
  const struct hs_processor *p = &v->sys->soc->processors[preferred];
  int own = v->sys->runtime->backends[p->kind].partitions;
  if (own == 0 || n <= own) return;
  hs_text_addf(&t, "%d partitions on the %s, of which the delegate of %s takes the largest, and no more than %d, unless told otherwise (partitions=runtime)", n,
               p->name, v->sys->runtime->name, own);
  pl->note = hs_arena_strdup(pl->arena, t.s);
  hs_text_free(&t);
}

/* With at most `limit` partitions there; 0: any number. */
static enum hs_status plan_within(const struct hs_view *v, int preferred, int limit, struct hs_placement *pl, struct hs_error *err)
{
  struct hs_arena scratch = {0};
  bool *takes = HS_NEW_ARRAY(&scratch, bool, (size_t)pl->n_ops);
  for (int i = 0; i < pl->n_ops; i++) takes[i] = hs_runs_on(v->sys, v->graph, &v->graph->ops[i], preferred);
  int n = hs_delegated(v->graph, limit, takes);
  if (limit == 0) note_partitions(v, preferred, n, pl);
  enum hs_status status = place(v, preferred, takes, limit > 0, pl, err);
  hs_arena_free(&scratch);
  return status;
}

enum hs_status hs_plan_single(const struct hs_view *v, int preferred, struct hs_placement *pl, struct hs_error *err)
{
  return plan_within(v, preferred, 0, pl, err);
}

static const char *const limits[] = {"all", "runtime", NULL};
static const struct hs_param params[] = {
  {"partitions",
   "most stretches of the network that it takes, those of most operators, all else being the CPU's; runtime: as many as the runtime's "
   "delegate unless told otherwise, of TensorFlow Lite's that for the GPU 1, Hexagon's 4, NNAPI's 3",
   "all", limits, 1, 10000, true}};

static int limit_of(const struct hs_view *v, int p, const char *value)
{
  if (strcmp(value, "all") == 0) return 0;
  return strcmp(value, "runtime") == 0 ? v->sys->runtime->backends[v->sys->soc->processors[p].kind].partitions : (int)strtod(value, NULL);
}

static enum hs_status plan_on(const struct hs_view *v, const char *name, int n_params, struct hs_placement *pl, struct hs_error *err)
{
  int preferred;
  HS_TRY(hs_preferred(v, name, name, &preferred, err));
  return plan_within(v, preferred, n_params ? limit_of(v, preferred, v->values[0]) : 0, pl, err);
}

#define SINGLE(id, processor, text, framework, computes_in, count)                                                     \
  static enum hs_status plan_##id(const struct hs_view *v, struct hs_placement *pl, struct hs_error *err)             \
  {                                                                                                                    \
    return plan_on(v, processor, count, pl, err);                                                                      \
  }                                                                                                                    \
  const struct hs_policy hs_policy_##id = {.name = processor,                                                          \
                                           .summary = text,                                                            \
                                           .reference = "MOSAIC (PACT 2019), Sec. VI-A: order of the fallback",        \
                                           .needs = processor,                                                         \
                                           .defaults = {.runtime = framework, .precision = computes_in},               \
                                           .params = params,                                                           \
                                           .n_params = count,                                                          \
                                           .plan = plan_##id}

SINGLE(cpu, "cpu", "everything on the performance cores", "mace", HS_FP32, 0);
SINGLE(cpu_little, "cpu-little", "everything on the efficiency cores", "mace", HS_FP32, 0);
SINGLE(gpu, "gpu", "everything on the GPU; what it can't run on NPU or CPU", "mace", HS_FP32, 1);
SINGLE(dsp, "dsp", "everything on the DSP; what it can't run on NPU, GPU or CPU", "tflite", HS_INT8, 1);
SINGLE(npu, "npu", "everything on the NPU; what it can't run on GPU or CPU", "tflite", HS_INT8, 1);
