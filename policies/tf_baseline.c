/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The baselines of MOSAIC (PACT 2019, Sec. VI-A): consecutive layers are packed greedily on the preferred device until a
 * constraint breaks. Where memory breaks it, the next slice is on the same device; a layer it can't execute is a slice of
 * its own on the first of NPU, GPU, big cores that can. The paper runs each with Android's performance governor (TF-X-P) and
 * its on-demand governor (TF-X-O). */
#include <math.h>
#include <string.h>

#include "device/governor.h"
#include "policies/layers.h"
#include "policies/single.h"

static const char *const governors[] = {"performance", "ondemand", NULL};
static const struct hs_param params[] = {
  {"governor", "performance: the OPPs as the system is set (highest, unless --frequency says otherwise); ondemand: from the lowest, by load",
   "performance", governors, 0, 0, false}};

static int device_of(const struct hs_layers *l, int processor)
{
  for (int d = 0; d < l->n_devices && processor >= 0; d++)
    if (l->devices[d].processor == processor) return d;
  return -1;
}

static int fallback(const struct hs_view *v, const struct hs_layers *l, int layer)
{
  for (int i = 0; i < HS_FALLBACKS; i++) {
    int d = device_of(l, hs_soc_first(v->sys->soc, hs_fallbacks[i]));
    if (d >= 0 && hs_layers_fits(l, d, layer, layer + 1)) return d;
  }
  return -1;
}

/* --- ondemand --- */

/* Linux's ondemand (device/governor.h), as far as a placement can say it, which has one OPP for each operator: an operator keeps the OPP that it starts at, so
 * that one much longer than the sampling period runs slower than on a phone. When the request comes the device has been idle, and every processor stands at
 * its lowest OPP. Crossings pass time without loading the processor, and their tasks on the host run as the system is set. All processors have this
 * governor, as the paper names one. */
static const struct hs_governor ondemand = {.kind = HS_ONDEMAND};

struct load {
  double now_s, sample_s; /* sample_s: when the next sample is due */
  double busy_s[HS_PROCESSORS_MAX];
  int opp[HS_PROCESSORS_MAX];
  struct hs_governor_state state[HS_PROCESSORS_MAX];
  bool begun[HS_PROCESSORS_MAX]; /* has it had a slice? */
};

/* The highest OPP it may take, as the system is set. */
static int ceiling_opp(const struct hs_view *v, int p)
{
  return v->sys->backends[p].opp[v->sys->soc->processors[p].n_domains - 1];
}

/* What the ceiling withholds is withheld like a thermal governor's cap: by the domain's highest frequency (policy->max). */
static void sample(const struct hs_view *v, struct load *o)
{
  double period_s = hs_governor_period_s(ondemand.kind);
  for (int p = 0; p < v->sys->soc->n_processors; p++) {
    const struct hs_domain *d = hs_processor_fastest(&v->sys->soc->processors[p]);
    const struct hs_governor_input in = {.now_s = o->sample_s, .load = fmin(o->busy_s[p] / period_s, 1), .cooling_state = d->n_opps - 1 - ceiling_opp(v, p)};
    o->opp[p] = hs_governor_next(&ondemand, &o->state[p], d->opps, d->n_opps, o->opp[p], &in);
    o->busy_s[p] = 0;
  }
  o->sample_s += period_s;
}

/* `seconds` pass, in which processor p works; -1: none. */
static void pass(const struct hs_view *v, struct load *o, int p, double seconds)
{
  while (o->now_s + seconds >= o->sample_s) {
    double until = o->sample_s - o->now_s;
    if (p >= 0) o->busy_s[p] += until;
    seconds -= until;
    o->now_s = o->sample_s;
    sample(v, o);
  }
  if (p >= 0) o->busy_s[p] += seconds;
  o->now_s += seconds;
}

/* What an invocation costs at the OPP that p stands at: in every slice, on a CPU or GPU in its first. */
static double start_s(const struct hs_view *v, const struct hs_device *dev, const struct load *o)
{
  int p = dev->processor;
  const struct hs_opp *opps = hs_processor_fastest(&v->sys->soc->processors[p])->opps;
  if (o->begun[p] && !hs_kind_is_remote(v->sys->soc->processors[p].kind)) return 0;
  return dev->start.seconds * opps[ceiling_opp(v, p)].freq_hz / opps[o->opp[p]].freq_hz;
}

static void govern(const struct hs_view *v, const struct hs_layers *l, int d, int from, int to, struct load *o, struct hs_placement *pl)
{
  const struct hs_device *dev = &l->devices[d];
  int p = dev->processor;
  pass(v, o, -1, dev->in[from].seconds);
  double begins_s = start_s(v, dev, o);
  o->begun[p] = true;
  for (int i = l->first[from]; i < l->first[to]; i++) {
    int opp = o->opp[p] == ceiling_opp(v, p) ? -1 : o->opp[p];
    pl->ops[i].parts[0].opp = opp;
    pass(v, o, p, hs_cost_seconds(v->sys, v->graph, &v->graph->ops[i], p, opp) + (i == l->first[from] ? begins_s : 0));
  }
  pass(v, o, -1, dev->out[to - 1].seconds);
}

/* --- packing --- */

static enum hs_status pack(const struct hs_view *v, const struct hs_layers *l, int preferred, struct hs_placement *pl, struct hs_error *err)
{
  bool by_load = strcmp(v->values[0], "ondemand") == 0;
  struct load o = {.sample_s = hs_governor_period_s(ondemand.kind)};
  for (int from = 0, to, slice = 0; from < l->n; from = to, slice++) {
    int d = preferred;
    for (to = from; to < l->n && hs_layers_fits(l, d, from, to + 1);) to++;
    if (to == from) {
      d = fallback(v, l, from);
      if (d < 0) return hs_layers_stranded(v, l, from, err);
      to = from + 1;
    }
    hs_layers_place(v, l, d, from, to, slice, pl);
    if (by_load) govern(v, l, d, from, to, &o, pl);
    for (int i = l->first[from]; i < l->first[to]; i++) pl->ops[i].fallback = d != preferred;
  }
  return HS_OK;
}

static enum hs_status plan_on(const struct hs_view *v, const char *policy, const char *processor, struct hs_placement *pl, struct hs_error *err)
{
  struct hs_arena a = {0};
  int p;
  HS_TRY(hs_preferred(v, policy, processor, &p, err));
  struct hs_layers *l = hs_layers_make(v, HS_DEVICES_AS_SET, true, &a);
  enum hs_status status = pack(v, l, device_of(l, p), pl, err);
  hs_arena_free(&a);
  return status;
}

#define BASELINE(id, title, processor)                                                                                   \
  static enum hs_status plan_##id(const struct hs_view *v, struct hs_placement *pl, struct hs_error *err)             \
  {                                                                                                                    \
    return plan_on(v, title, processor, pl, err);                                                                      \
  }                                                                                                                    \
  const struct hs_policy hs_policy_##id = {.name = title,                                                              \
                                           .summary = "whole layers on the " processor " where it can, else NPU, GPU, big cores", \
                                           .reference = "MOSAIC (PACT 2019), Sec. VI-A: TF-X-P, TF-X-O",               \
                                           .needs = processor,                                                         \
                                           .defaults = {.runtime = "tflite", .precision = HS_FP32},                    \
                                           .params = params,                                                           \
                                           .n_params = 1,                                                              \
                                           .plan = plan_##id}

BASELINE(tf_big, "tf-big", "cpu");
BASELINE(tf_little, "tf-little", "cpu-little");
BASELINE(tf_gpu, "tf-gpu", "gpu");
BASELINE(tf_npu, "tf-npu", "npu");
