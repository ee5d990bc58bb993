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
  struct hs_layer_cost sum;
  int *from, *device; /* [layer]: the slice that ends there */
};

/* What Eq. 8 takes of a layer on a device, weighed. */
struct bound {
  double before; /* executing all layers before this one */
  double in, out; /* moving the inputs of a slice that begins here, the outputs of one that ends here */
};

/* The search asks of every slice on every device, in this order: devices lie side by side. */
struct search {
  const struct hs_layers *l;
  struct bound *bounds; /* [n + 1][n_devices] */
  double *start;        /* [n_devices]: what an invocation costs, weighed */
  int *first;           /* [n_devices]: the first layer from which on a slice that ends here fits */
  double *best;         /* [n + 1]: cost of the best plan for the layers before */
};

static struct search new_search(const struct hs_layers *l, struct hs_arena *a)
{
  size_t n = (size_t)l->n + 1, devices = (size_t)l->n_devices;
  return (struct search){l, HS_NEW_ARRAY(a, struct bound, n * devices), HS_NEW_ARRAY(a, double, devices),
                         HS_NEW_ARRAY(a, int, devices), HS_NEW_ARRAY(a, double, n)};
}

static double weigh(struct weights w, struct hs_layer_cost c) { return w.seconds * c.seconds + w.joules * c.joules; }

static void weigh_all(struct search *s, struct weights w)
{
  for (int d = 0; d < s->l->n_devices; d++) {
    const struct hs_device *dev = &s->l->devices[d];
    s->first[d] = 0;
    s->start[d] = weigh(w, dev->start);
    for (int k = 0; k <= s->l->n; k++)
      s->bounds[k * s->l->n_devices + d] = (struct bound){weigh(w, dev->exec[k]), weigh(w, dev->in[k]), weigh(w, dev->out[k])};
  }
}

/* Differences of prefix sums round, some 1e-14 of what a plan costs: no more than that may not decide, or slices that cost nothing to cut (HCA's all do) fall
 * apart at random, and pay for it when they run. */
static const double CHEAPER = 1 - 1e-12;

/* The best slice that ends before layer `to`. Strict '<': of equal plans the first by k, then by device, wins. */
static void search_end(struct search *s, int to, struct plan *plan)
{
  const int n = s->l->n_devices;
  const struct bound *end = &s->bounds[to * n], *last = end - n;
  double best = INFINITY;
  for (int d = 0; d < n; d++) /* a slice that doesn't fit doesn't with more layers */
    while (s->first[d] < to && !hs_layers_fits(s->l, d, s->first[d], to)) s->first[d]++;
  for (int k = 0; k < to; k++) {
    const struct bound *begin = &s->bounds[k * n];
    for (int d = 0; d < n && s->best[k] < best; d++) {
      double cost = s->best[k] + (end[d].before - begin[d].before + begin[d].in + last[d].out + s->start[d]);
      if (k < s->first[d] || !(cost < CHEAPER * best)) continue;
      best = cost;
      plan->from[to - 1] = k;
      plan->device[to - 1] = d;
    }
  }
  s->best[to] = best;
}

/* Algorithm 1, O(Λ²·|D|). There is a plan (hs_layers_check()). */
static void search(struct search *s, struct weights w, struct plan *plan)
{
  weigh_all(s, w);
  s->best[0] = 0;
  for (int to = 1; to <= s->l->n; to++) search_end(s, to, plan);
  plan->sum = (struct hs_layer_cost){0, 0};
  for (int to = s->l->n; to > 0; to = plan->from[to - 1]) {
    struct hs_layer_cost c = hs_layers_slice_cost(s->l, plan->device[to - 1], plan->from[to - 1], to);
    plan->sum.seconds += c.seconds;
    plan->sum.joules += c.joules;
  }
}

static struct plan new_plan(const struct hs_layers *l, struct hs_arena *a)
{
  return (struct plan){{0, 0}, HS_NEW_ARRAY(a, int, (size_t)l->n), HS_NEW_ARRAY(a, int, (size_t)l->n)};
}

static double edp(const struct plan *p) { return p->sum.seconds * p->sum.joules; }
static double weighed(struct weights w, const struct plan *p) { return w.seconds * p->sum.seconds + w.joules * p->sum.joules; }

/* What is better than `best` between two corners of the hull: a plan below the line through them, at whose weights both cost the same, and what is between that
 * and either. No plan there takes less time than the one and less energy than the other. */
static void search_between(struct search *s, struct hs_arena *a, const struct plan *fast, const struct plan *frugal, struct plan *best)
{
  double slower_s = frugal->sum.seconds - fast->sum.seconds, saved_j = fast->sum.joules - frugal->sum.joules;
  if (!(slower_s > 0 && saved_j > 0 && fast->sum.seconds * frugal->sum.joules < edp(best))) return;
  const struct weights w = {saved_j / slower_s, 1};
  struct plan p = new_plan(s->l, a);
  search(s, w, &p);
  if (!(weighed(w, &p) < CHEAPER * weighed(w, fast))) return;
  if (edp(&p) < edp(best)) *best = p;
  search_between(s, a, fast, &p, best);
  search_between(s, a, &p, frugal, best);
}

/* The product of time and energy is no sum; its minimum is a corner of the hull that weighted sums trace between the fastest and the most frugal plan. */
static struct plan search_edp(struct search *s, struct hs_arena *a)
{
  struct plan fast = new_plan(s->l, a), frugal = new_plan(s->l, a);
  search(s, (struct weights){1, 0}, &fast);
  search(s, (struct weights){0, 1}, &frugal);
  struct plan best = edp(&frugal) < edp(&fast) ? frugal : fast;
  search_between(s, a, &fast, &frugal, &best);
  return best;
}

static void place(const struct hs_view *v, const struct hs_layers *l, const struct plan *plan, struct hs_placement *pl)
{
  int slice = 0;
  for (int to = l->n; to > 0; to = plan->from[to - 1])
    hs_layers_place(v, l, plan->device[to - 1], plan->from[to - 1], to, slice++, pl);
}

static struct plan plan_for(const char *objective, const struct hs_layers *l, struct hs_arena *a)
{
  struct search s = new_search(l, a);
  if (strcmp(objective, "edp") == 0) return search_edp(&s, a);
  struct plan plan = new_plan(l, a);
  search(&s, strcmp(objective, "latency") == 0 ? (struct weights){1, 0} : (struct weights){0, 1}, &plan);
  return plan;
}

static enum hs_status plan_version(const struct hs_view *v, bool with_communication, bool with_dvfs, struct hs_placement *pl, struct hs_error *err)
{
  struct hs_arena a = {0};
  const struct hs_layers *l = hs_layers_make(v, with_dvfs ? hs_layers_devices_for(v->values[0]) : HS_DEVICES_AS_SET, with_communication, &a);
  enum hs_status status = hs_layers_check(v, l, err);
  if (!status) {
    const struct plan plan = plan_for(v->values[0], l, &a);
    place(v, l, &plan, pl);
  }
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
                                           .defaults = {.runtime = "tflite", .precision = HS_FP32},                    \
                                           .params = params,                                                           \
                                           .n_params = 1,                                                              \
                                           .plan = plan_##id}

SLICED(mosaic, "slices of layers by MOSAIC's dynamic programme", "Sec. IV, Algorithm 1", true, true);
SLICED(hca, "MOSAIC that ignores communication and frequency", "Sec. VI-D", false, false);
SLICED(hcca, "MOSAIC that ignores frequency", "Sec. VI-D", true, false);
