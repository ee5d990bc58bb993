/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The baselines of MOSAIC (PACT 2019, Sec. VI-A): consecutive layers are packed greedily on the preferred device until a
 * constraint breaks. Where memory breaks it, the next slice is on the same device; a layer it can't execute is a slice of
 * its own on the first of NPU, GPU, big cores that can. */
#include "policies/layers.h"

static int device_of(const struct hs_view *v, const struct hs_layers *l, int processor)
{
  for (int d = 0; d < l->n_devices && processor >= 0; d++)
    if (l->devices[d].processor == processor) return d;
  (void)v;
  return -1;
}

static int fallback(const struct hs_view *v, const struct hs_layers *l, int layer)
{
  static const enum hs_kind order[] = {HS_NPU, HS_GPU, HS_CPU};
  for (size_t i = 0; i < sizeof order / sizeof *order; i++) {
    int d = device_of(v, l, hs_soc_first(v->sys->soc, order[i]));
    if (d >= 0 && hs_layers_fits(v, l, d, layer, layer + 1)) return d;
  }
  return -1;
}

static enum hs_status pack(const struct hs_view *v, const struct hs_layers *l, int preferred, struct hs_placement *pl, struct hs_error *err)
{
  for (int from = 0, to, slice = 0; from < l->n; from = to, slice++) {
    int d = preferred;
    for (to = from; to < l->n && hs_layers_fits(v, l, d, from, to + 1);) to++;
    if (to == from) {
      d = fallback(v, l, from);
      if (d < 0)
        return hs_fail(err, HS_INPUT, "%s: no device of %s can execute layer %d (from operator \"%s\") under runtime %s", v->graph->name,
                       v->sys->soc->name, from + 1, v->graph->ops[l->first[from]].name, v->sys->runtime->name);
      to = from + 1;
    }
    hs_layers_place(v, l, d, from, to, slice, pl);
    for (int i = l->first[from]; i < l->first[to]; i++) pl->ops[i].fallback = d != preferred;
  }
  return HS_OK;
}

static enum hs_status plan_on(const struct hs_view *v, const char *processor, struct hs_placement *pl, struct hs_error *err)
{
  struct hs_arena a = {0};
  struct hs_layers *l = hs_layers_make(v, HS_DEVICES_AS_SET, true, &a);
  int d = device_of(v, l, hs_soc_find(v->sys->soc, processor));
  enum hs_status status = d >= 0 ? pack(v, l, d, pl, err)
                                 : hs_fail(err, HS_USAGE, "runtime %s has no code for the %s of %s", v->sys->runtime->name, processor, v->sys->soc->name);
  hs_arena_free(&a);
  return status;
}

#define BASELINE(id, title, processor)                                                                                   \
  static enum hs_status plan_##id(const struct hs_view *v, struct hs_placement *pl, struct hs_error *err)             \
  {                                                                                                                    \
    return plan_on(v, processor, pl, err);                                                                             \
  }                                                                                                                    \
  const struct hs_policy hs_policy_##id = {.name = title,                                                              \
                                           .summary = "whole layers on the " processor " where it can, else NPU, GPU, big cores", \
                                           .reference = "MOSAIC (PACT 2019), Sec. VI-A: TF-X-P",                       \
                                           .needs = processor,                                                         \
                                           .default_runtime = "tflite",                                                \
                                           .default_precision = HS_FP32,                                               \
                                           .plan = plan_##id}

BASELINE(tf_big, "tf-big", "cpu");
BASELINE(tf_little, "tf-little", "cpu-little");
BASELINE(tf_gpu, "tf-gpu", "gpu");
BASELINE(tf_npu, "tf-npu", "npu");
