/* SPDX-License-Identifier: GPL-3.0-or-later */
/* No granularity fits all: plans of every granularity lie ready, and each request takes the one that is expected to end
 * first under the competition that the network met last: whole on one processor (task), slices one after the other
 * (MOSAIC), branches on several (sub-graph, inter-operator: NN-Stretch), operators cut (CoDL, µLayer). Where requests take
 * longer or shorter than expected, the expectation of that alternative is corrected. */
#include <gsl/gsl_sort.h>
#include <stdlib.h>

#include "plan/lower.h"
#include "policies/choose.h"
#include "policies/policy.h"

static const char *const sources[] = {"cpu", "cpu-little", "gpu", "dsp", "npu", "mosaic", "codl", "mulayer", "nn-stretch"};
enum { N_SOURCES = sizeof sources / sizeof *sources };

/* On the idle device. */
static bool estimate(const struct hs_view *v, const struct hs_placement *pl, struct hs_estimate *e, struct hs_error *err)
{
  const struct hs_graph *g = hs_placement_graph(pl, v->graph);
  return hs_lower_estimate(v->sys, g, pl, 0, g->n_ops, e, err) == HS_OK;
}

struct found {
  struct hs_placement *pl;
  const char *name;
  double joules;
};

/* A plan that takes exactly as long and as much energy as another is the same one under another name. */
static bool known(const struct found *found, const double *seconds, int n, const struct hs_estimate *e)
{
  for (int i = 0; i < n; i++)
    if (seconds[i] == e->latency_s && found[i].joules == e->energy_j) return true;
  return false;
}

/* What one policy makes of the network; what doesn't fit the phone is left out, and *err then says why. How many there are now. */
static int collect(const struct hs_view *v, const char *source, struct hs_plan *plan, struct found *found, double *seconds, int n,
                   struct hs_error *err)
{
  const struct hs_policy *policy = hs_policy_find(source);
  const char *values[HS_PARAMS_MAX];
  const struct hs_view own = {v->sys, v->graph, values};
  struct hs_plan its = {.arena = plan->arena, .graph = v->graph};
  bool there = !policy->needs || hs_soc_find(v->sys->soc, policy->needs) >= 0;
  bool fits = there && !hs_policy_values(policy, NULL, 0, values, err) && !hs_policy_plan(policy, &own, &its, err);
  for (int i = 0; i < its.n; i++) {
    struct hs_estimate e;
    bool runs = fits && n < HS_ALTERNATIVES_MAX && estimate(v, its.alternatives[i], &e, err);
    if (!runs || known(found, seconds, n, &e)) {
      hs_placement_release(its.alternatives[i]);
      continue;
    }
    found[n] = (struct found){its.alternatives[i], its.n > 1 ? hs_arena_printf(plan->arena, "%s %s", source, its.names[i]) : source, e.energy_j};
    seconds[n++] = e.latency_s;
  }
  return n;
}

static enum hs_status plan_adaptive(const struct hs_view *v, struct hs_plan *plan, struct hs_error *err)
{
  struct found found[HS_ALTERNATIVES_MAX];
  double seconds[HS_ALTERNATIVES_MAX];
  size_t order[HS_ALTERNATIVES_MAX];
  struct hs_error first = {0}; /* where nothing runs, the CPU's reason counts */
  int n = 0;
  for (int i = 0; i < N_SOURCES; i++) {
    struct hs_error reason = {0};
    n = collect(v, sources[i], plan, found, seconds, n, &reason);
    if (!first.status) first = reason;
  }
  gsl_sort_index(order, seconds, 1, (size_t)n);
  for (int i = 0; i < n; i++) {
    struct hs_placement *pl = hs_plan_add(plan, found[order[i]].name);
    *pl = *found[order[i]].pl;
  }
  if (n) return HS_OK;
  *err = first;
  return first.status;
}

/* --- choosing --- */

/* Observed ÷ expected duration of each alternative of a network; what isn't used is forgotten. */
struct learned {
  bool known;
  int n_ended; /* requests */
  double correction[HS_ALTERNATIVES_MAX];
  double expected_s; /* of the request under way */
};

struct adaptive {
  struct learned *networks;
};

/* Per request: the weight of the newest observation, and how much of the way back to 1 the others go. Both assumed: a load that changes is
 * followed in a few requests, and an alternative that did badly under it is tried again some tens of requests later. */
static const double LEARNING = 0.5, FORGETTING = 0.05;

static int choose(void *state, const struct hs_queue_view *view, const struct hs_waiting *w)
{
  struct adaptive *a = state;
  if (!a->networks) a->networks = hs_calloc((size_t)view->n_networks, sizeof *a->networks);
  struct learned *l = &a->networks[w->network];
  for (int i = 0; i < HS_ALTERNATIVES_MAX && !l->known; i++) l->correction[i] = 1;
  l->known = true;
  return hs_choose_fastest(view, w, l->correction, &l->expected_s);
}

static int schedule_adaptive(void *state, const struct hs_queue_view *view, struct hs_assignment *out)
{
  return hs_one_at_a_time(state, view, out, choose);
}

static void finished_adaptive(void *state, const struct hs_queue_view *view, const struct hs_piece *piece, double seconds)
{
  struct learned *l = &((struct adaptive *)state)->networks[piece->network];
  (void)view;
  if (l->n_ended++ == 0) return; /* its competition had been guessed: what it took says more of the guess than of the alternative */
  for (int i = 0; i < HS_ALTERNATIVES_MAX; i++)
    if (i != piece->alternative) l->correction[i] += FORGETTING * (1 - l->correction[i]);
  l->correction[piece->alternative] += LEARNING * (seconds / l->expected_s - l->correction[piece->alternative]);
}

static void release_adaptive(void *state) { free(((struct adaptive *)state)->networks); }

const struct hs_policy hs_policy_adaptive = {.name = "adaptive",
                                             .summary = "the granularity and processors that fit the competition, anew for each request",
                                             .reference = "hetsim's own, after the study's conclusion that no granularity fits all",
                                             .defaults = {.runtime = "tflite", .precision = HS_INT8},
                                             .plan_all = plan_adaptive,
                                             .schedule = schedule_adaptive,
                                             .finished = finished_adaptive,
                                             .state_size = sizeof(struct adaptive),
                                             .release = release_adaptive};
