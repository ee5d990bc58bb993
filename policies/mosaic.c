/* SPDX-License-Identifier: GPL-3.0-or-later */
/* MOSAIC (PACT 2019): slices of consecutive layers by dynamic programming (Eq. 9, Algorithm 1), for latency, energy or their
 * product; and the versions it is compared with in Sec. VI: HCA ignores communication and frequency, HCCA frequency only: what HCCA
 * saves is attributed to communication there, and what MOSAIC saves beyond it to frequency. */
#include <math.h>
#include <string.h>

#include "policies/layers.h"

static const struct hs_param params[] = {{"objective", "what to minimise: latency, energy, or edp (their product)", "latency", hs_objectives, 0, 0, false}};

/* Weights of the two costs in the sum that the programme minimises. */
struct weights {
  double seconds, joules;
};

struct plan {
  double cost;
  struct hs_layer_cost sum;
  int *from, *device; /* [layer]: the slice that ends there */
};

static double weigh(struct weights w, struct hs_layer_cost c) { return w.seconds * c.seconds + w.joules * c.joules; }

/* Differences of prefix sums round, some 1e-14 of what a plan costs: no more than that may not decide, or slices that cost nothing to cut (HCA's all do) fall
 * apart at random, and pay for it when they run. */
static const double CHEAPER = 1 - 1e-12;

/* Algorithm 1. Strict '<': of equal plans the first by k, then by device, wins. O(Λ²·|D|). */
static void search(const struct hs_layers *l, struct weights w, struct plan *plan, double *best)
{
  best[0] = 0;
  for (int to = 1; to <= l->n; to++) {
    best[to] = INFINITY;
    for (int k = 0; k < to; k++)
      for (int d = 0; d < l->n_devices && best[k] < best[to]; d++) {
        if (!hs_layers_fits(l, d, k, to)) continue;
        double cost = best[k] + weigh(w, hs_layers_slice_cost(l, d, k, to));
        if (!(cost < CHEAPER * best[to])) continue;
        best[to] = cost;
        plan->from[to - 1] = k;
        plan->device[to - 1] = d;
      }
  }
  plan->cost = best[l->n];
  plan->sum = (struct hs_layer_cost){0, 0};
  if (plan->cost < INFINITY)
    for (int to = l->n; to > 0; to = plan->from[to - 1]) {
      struct hs_layer_cost c = hs_layers_slice_cost(l, plan->device[to - 1], plan->from[to - 1], to);
      plan->sum.seconds += c.seconds;
      plan->sum.joules += c.joules;
    }
}

static struct plan new_plan(const struct hs_layers *l, struct hs_arena *a)
{
  return (struct plan){INFINITY, {0, 0}, HS_NEW_ARRAY(a, int, (size_t)l->n), HS_NEW_ARRAY(a, int, (size_t)l->n)};
}

/* The product of time and energy is no sum; its minimum lies on the hull that weighted sums trace between the fastest and
 * the most frugal plan. The weights are spread evenly in ratio over four decades around the fastest plan's. */
static struct plan search_edp(const struct hs_layers *l, double *best, struct hs_arena *a)
{
  enum { STEPS = 33 };
  struct plan chosen = new_plan(l, a), p = new_plan(l, a);
  search(l, (struct weights){1, 0}, &chosen, best);
  double watts = chosen.sum.joules / chosen.sum.seconds;
  for (int i = 0; i < STEPS && chosen.cost < INFINITY; i++) {
    search(l, (struct weights){watts * pow(10, -2 + 4.0 * i / (STEPS - 1)), 1}, &p, best);
    if (!(p.sum.seconds * p.sum.joules < chosen.sum.seconds * chosen.sum.joules)) continue;
    struct plan swap = chosen;
    chosen = p;
    p = swap;
  }
  return chosen;
}

static void place(const struct hs_view *v, const struct hs_layers *l, const struct plan *plan, struct hs_placement *pl)
{
  int slice = 0;
  for (int to = l->n; to > 0; to = plan->from[to - 1])
    hs_layers_place(v, l, plan->device[to - 1], plan->from[to - 1], to, slice++, pl);
}

static enum hs_status plan_version(const struct hs_view *v, bool with_communication, bool with_dvfs, struct hs_placement *pl, struct hs_error *err)
{
  struct hs_arena a = {0};
  bool latency = strcmp(v->values[0], "latency") == 0;
  struct hs_layers *l = hs_layers_make(v, with_dvfs ? hs_layers_devices_for(v->values[0]) : HS_DEVICES_AS_SET, with_communication, &a);
  double *best = HS_NEW_ARRAY(&a, double, (size_t)l->n + 1);
  struct plan plan = new_plan(l, &a);
  if (strcmp(v->values[0], "edp") == 0)
    plan = search_edp(l, best, &a);
  else
    search(l, latency ? (struct weights){1, 0} : (struct weights){0, 1}, &plan, best);
  enum hs_status status = plan.cost < INFINITY ? HS_OK : hs_layers_no_plan(v, l, err);
  if (!status) place(v, l, &plan, pl);
  hs_arena_free(&a);
  return status;
}

#define SLICED(id, text, sections, communication, dvfs)                                                               \
  static enum hs_status plan_##id(const struct hs_view *v, struct hs_placement *pl, struct hs_error *err)             \
  {                                                                                                                    \
    return plan_version(v, communication, dvfs, pl, err);                                                              \
  }                                                                                                                    \
  const struct hs_policy hs_policy_##id = {.name = #id,                                                                \
                                           .summary = text,                                                            \
                                           .reference = "MOSAIC (PACT 2019), " sections,                               \
                                           .default_runtime = "tflite",                                                \
                                           .default_precision = HS_FP32,                                               \
                                           .params = params,                                                           \
                                           .n_params = 1,                                                              \
                                           .plan = plan_##id}

SLICED(mosaic, "slices of layers by MOSAIC's dynamic programme", "Sec. IV, Algorithm 1", true, true);
SLICED(hca, "MOSAIC that ignores communication and frequency", "Sec. VI-D", false, false);
SLICED(hcca, "MOSAIC that ignores frequency", "Sec. VI-D", true, false);
