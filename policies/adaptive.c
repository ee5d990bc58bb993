/* SPDX-License-Identifier: GPL-3.0-or-later */
/* No granularity fits all: plans of every granularity lie ready, and each request takes the one that is expected to end
 * first under the competition that the network met last: whole on one processor (task), slices one after the other
 * (MOSAIC), branches on several (sub-graph, inter-operator: NN-Stretch), operators cut (CoDL, µLayer). Where requests take
 * longer or shorter than expected, the expectation of that alternative is corrected: for what clocks make of it only when governors have had their
 * time to set them. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/order.h"
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
  int order[HS_ALTERNATIVES_MAX];
  struct hs_error first = {0}; /* where nothing runs, the CPU's reason counts */
  int n = 0;
  for (int i = 0; i < N_SOURCES; i++) {
    struct hs_error reason = {0};
    n = collect(v, sources[i], plan, found, seconds, n, &reason);
    if (!first.status) first = reason;
  }
  hs_order_by(seconds, n, order);
  for (int i = 0; i < n; i++) {
    struct hs_placement *pl = hs_plan_add(plan, found[order[i]].name);
    *pl = *found[order[i]].pl;
  }
  if (n) return HS_OK;
  *err = first;
  return first.status;
}

/* --- choosing --- */

/* Of the latest observation: its weight. Assumed: a load that changes is followed in a few requests. */
static const double LEARNING = 0.5;

/* What trying again what did badly may cost, of all time. Assumed: on a phone that stays as it is nobody notices 2 %. */
static const double BUDGET = 0.02;

/* A governor has its time for as long as a way takes NEAR less in each PERIOD_S (assumed, as it is in steps of OPPs) at the clocks that it meets. Utilisation
 * needs some of its half-lives of 32 ms from one OPP to the next, and what samples does so every 100 ms at most (device/governor.h): two of these. */
static const double PERIOD_S = 0.2, NEAR = 1.05;

/* So long it is kept unless, its clocks set aside, it takes so many times what the best is expected to. Assumed: more than expectations are off. */
static const double HELD = 1.25;

struct way {
  double correction;      /* observed ÷ expected duration */
  double used_s;          /* when last */
  double took_s, least_s; /* by its newest request, and by it or the one before it; INFINITY: it ran none */
  double late_s;          /* what requests took in all that missed their deadlines by it */
  double lost_s;          /* what trying it again has cost */
  bool guessed;           /* the correction is what it might be */
  bool foreseen;          /* so it is: nothing else is known of this way than that its clocks will be low */
};

struct learned {
  bool met;
  int n_ended; /* requests */
  double begun_s;
  struct way ways[HS_ALTERNATIVES_MAX];
  int way;                  /* of the newest request; -1: there was none */
  bool rising;              /* its clocks are low, and governors still have their time */
  bool hasty;               /* the way before it was left while its own still rose: this one is kept until they no longer do */
  double since_s, lag;      /* the present PERIOD_S: since when, and duration at clocks met ÷ at highest ones then; 0: it has just been begun with */
  double foreseen_s;        /* when that was done last */
  double last, last_there;  /* of the request before it: observed ÷ expected, at the highest clocks and at those that it met; INFINITY: there was none */
  int tried;                /* the way that is tried again, until it or another one runs as usual; -1: none is */
  double usual_s, lost_s;   /* what the best way took when that began; what all that was tried has cost beyond it */
  double clock[HS_PROCESSORS_MAX]; /* mean, ÷ the highest, while the newest request ran */
  double may_s;             /* the newest request's deadline, from its arrival on */
  /* of the request under way: as it began */
  double expected_s, clocked_s[HS_PROCESSORS_MAX];
  struct hs_competition load[HS_PROCESSORS_MAX];
};

struct adaptive {
  struct learned *networks;
};

static struct learned *learned(struct adaptive *a, const struct hs_queue_view *view, int network)
{
  if (!a->networks) a->networks = hs_calloc((size_t)view->n_networks, sizeof *a->networks);
  struct learned *l = &a->networks[network];
  if (l->met) return l;
  *l = (struct learned){.met = true, .begun_s = view->now_s, .way = -1, .tried = -1};
  for (int i = 0; i < HS_ALTERNATIVES_MAX; i++) l->ways[i] = (struct way){.correction = 1, .used_s = -INFINITY, .took_s = INFINITY, .least_s = INFINITY};
  for (int p = 0; p < HS_PROCESSORS_MAX; p++) l->clock[p] = 1;
  return l;
}

static double expected_of(const struct hs_queue_view *view, int network, int way, const struct hs_competition *load)
{
  return hs_view_expected(view, network, way, 0, view->plans[network]->alternatives[way]->n_ops, load);
}

/* How much longer a processor's cycles take at its clock of now. */
static double lag_of(const struct learned *l, int p) { return 1 / l->clock[p] - 1; }

/* A competition (NULL: none) at the clocks of now. */
static void at_clocks_of_now(const struct learned *l, const struct hs_queue_view *view, const struct hs_competition *load, struct hs_competition *now)
{
  for (int p = 0; p < view->soc->n_processors; p++) {
    now[p] = load ? load[p] : (struct hs_competition){0};
    now[p].lag = lag_of(l, p);
  }
}

/* With all clocks at their highest, those of who competes, too: what it takes them was measured at the clocks of then. */
static void expect(struct learned *l, const struct hs_queue_view *view, const struct hs_waiting *w, double *expected_s)
{
  struct hs_competition load[HS_PROCESSORS_MAX];
  for (int p = 0; p < view->soc->n_processors; p++) {
    load[p] = w->load[p];
    load[p].others *= l->clock[p];
    load[p].outside *= l->clock[p];
    load[p].service_s *= l->clock[p];
    load[p].left_s *= l->clock[p];
  }
  for (int i = 0; i < view->plans[w->network]->n; i++) expected_s[i] = expected_of(view, w->network, i, load);
}

static double corrected_s(const struct learned *l, const double *expected_s, int i) { return expected_s[i] * l->ways[i].correction; }

/* What a way's busiest processor is at it, of its time, for its clock to rise. schedutil wants 1.25 times the utilisation: below that part it sets clocks lower
 * and lower. */
static const double BUSY = 0.8;

/* Processor p, at these clocks, of a way that takes whole_s then: by what becomes of that when its clock is halved. */
static bool has_no_rest(const struct hs_queue_view *view, int network, int way, const struct hs_competition *clocks, int p, double whole_s)
{
  struct hs_competition halved[HS_PROCESSORS_MAX];
  memcpy(halved, clocks, sizeof halved);
  halved[p].lag = 1 + 2 * clocks[p].lag;
  return expected_of(view, network, way, halved) - whole_s >= BUSY * whole_s;
}

/* What a way takes, beside nobody, when of all clocks only that of a processor rises which then has no rest; INFINITY: there is no such processor. */
static double risen_s(const struct learned *l, const struct hs_queue_view *view, int network, int way)
{
  double least_s = INFINITY;
  for (int p = 0; p < view->soc->n_processors; p++) {
    struct hs_competition clocks[HS_PROCESSORS_MAX];
    at_clocks_of_now(l, view, NULL, clocks);
    clocks[p].lag = 0;
    double whole_s = expected_of(view, network, way, clocks);
    if (has_no_rest(view, network, way, clocks, p, whole_s)) least_s = fmin(least_s, whole_s);
  }
  return least_s;
}

/* Whether a way kept this deadline when it ran last. */
static bool kept(const struct learned *l, int way, double may_s) { return l->ways[way].least_s <= may_s; }

/* What missed its deadline when it ran last may keep it by now: what made it late may have gone. Late requests are worse than slow ones: they may take 0.02 of
 * the 0.02 of all time that trying may cost. */
static bool may_have_changed(const struct way *w, double now_s) { return BUDGET * BUDGET * (now_s - w->used_s) >= w->late_s; }

/* A way that keeps up isn't left for one that wouldn't, at the clocks of now or by its correction, however fast it may be at the highest; nor for one that
 * didn't when it ran, unless it should at half the clocks of now (assumed): they may fall before its own rise. What missed it long ago has
 * only to keep it at the clocks of now: its correction no longer counts. */
static void leave_out_slow(const struct learned *l, const struct hs_queue_view *view, const struct hs_waiting *w, double may_s, double *expected_s)
{
  struct hs_competition load[HS_PROCESSORS_MAX];
  at_clocks_of_now(l, view, w->load, load);
  for (int i = 0; i < view->plans[w->network]->n; i++) {
    double now_s = expected_of(view, w->network, i, load);
    bool missed = l->ways[i].least_s < INFINITY && !kept(l, i, may_s), forgiven = missed && may_have_changed(&l->ways[i], view->now_s);
    bool slow = forgiven ? now_s > may_s : corrected_s(l, expected_s, i) > may_s || (missed ? 2 * now_s : now_s) > may_s;
    if (i != l->way && slow) expected_s[i] = INFINITY;
  }
}

/* One that is sure to keep the deadline, once its clock has risen. */
static bool will_keep(const struct learned *l, const struct hs_queue_view *view, int network, int way, double may_s)
{
  return risen_s(l, view, network, way) * l->ways[way].correction <= may_s;
}

/* One that doesn't is left for those that did, if there are any; else for those that will, before others are tried: meanwhile a queue grows. */
static void leave_out_late(const struct learned *l, const struct hs_queue_view *view, int network, double may_s, double *expected_s)
{
  bool any_kept = false, any = false, stays[HS_ALTERNATIVES_MAX];
  int n = view->plans[network]->n;
  for (int i = 0; i < n; i++) any_kept |= kept(l, i, may_s);
  for (int i = 0; i < n; i++) {
    stays[i] = any_kept ? kept(l, i, may_s) : will_keep(l, view, network, i, may_s);
    any |= stays[i];
  }
  for (int i = 0; i < n && any; i++)
    if (!stays[i]) expected_s[i] = INFINITY;
}

static void keep_deadlines(const struct learned *l, const struct hs_queue_view *view, const struct hs_waiting *w, double *expected_s)
{
  if (isinf(l->may_s) || l->way < 0) return;
  if (kept(l, l->way, l->may_s))
    leave_out_slow(l, view, w, l->may_s, expected_s);
  else
    leave_out_late(l, view, w->network, l->may_s, expected_s);
}

static int fastest(const struct learned *l, const double *expected_s, int n)
{
  int best = 0;
  for (int i = 1; i < n; i++)
    if (corrected_s(l, expected_s, i) < corrected_s(l, expected_s, best)) best = i;
  return best;
}

/* The one that was used the longest ago of those that could be the best; -1: there is none. */
static int oldest(const struct learned *l, const bool *could, int n)
{
  int found = -1;
  for (int i = 0; i < n; i++)
    if (could[i] && (found < 0 || l->ways[i].used_s < l->ways[found].used_s)) found = i;
  return found;
}

/* The oldest that costs no more than may be spent. While an older one still has to wait for that, others may spend only their own part of the budget, or they
 * would use up what it waits for. */
static int affordable(const struct learned *l, double now_s, bool *could, const double *cost_s, int n)
{
  double budget_s = BUDGET * (now_s - l->begun_s), rest_s = budget_s - l->lost_s;
  int n_could = 0;
  bool waits = false;
  for (int i = 0; i < n; i++) n_could += could[i];
  for (int i; (i = oldest(l, could, n)) >= 0; could[i] = false) {
    if (cost_s[i] <= (waits ? fmin(rest_s, budget_s / n_could - l->ways[i].lost_s) : rest_s)) return i;
    waits = true;
  }
  return -1;
}

/* What did badly, or would, in this competition may have become better than the best, if it would be on an idle device: one such way is thought of as if it had
 * become that. */
static void try_again(struct learned *l, const struct hs_queue_view *view, const struct hs_waiting *w, const double *expected_s, int best)
{
  double best_s = corrected_s(l, expected_s, best), idle_s[HS_ALTERNATIVES_MAX], cost_s[HS_ALTERNATIVES_MAX];
  bool could[HS_ALTERNATIVES_MAX];
  int n = view->plans[w->network]->n;
  for (int i = 0; i < n; i++) {
    idle_s[i] = expected_of(view, w->network, i, NULL);
    cost_s[i] = corrected_s(l, expected_s, i) - best_s;
    could[i] = i != best && !l->ways[i].foreseen && idle_s[i] < best_s && cost_s[i] < INFINITY;
  }
  l->tried = affordable(l, view->now_s, could, cost_s, n);
  if (l->tried < 0) return;
  l->ways[l->tried].correction = idle_s[l->tried] / expected_s[l->tried];
  l->ways[l->tried].guessed = true;
  l->usual_s = best_s;
}

static int best_way(struct learned *l, const struct hs_queue_view *view, const struct hs_waiting *w, const double *expected_s)
{
  int n = view->plans[w->network]->n, best = fastest(l, expected_s, n);
  if (l->rising) { /* what is left out as too slow has no time more */
    bool stays = l->hasty ? expected_s[l->way] < INFINITY : corrected_s(l, expected_s, l->way) < HELD * corrected_s(l, expected_s, best);
    return stays ? l->way : best;
  }
  if (l->n_ended == 0 || l->tried >= 0) return best;
  try_again(l, view, w, expected_s, best);
  return fastest(l, expected_s, n);
}

static int choose(void *state, const struct hs_queue_view *view, const struct hs_waiting *w)
{
  struct learned *l = learned(state, view, w->network);
  double expected_s[HS_ALTERNATIVES_MAX];
  l->may_s = w->deadline_s - w->arrival_s;
  expect(l, view, w, expected_s);
  keep_deadlines(l, view, w, expected_s);
  int way = best_way(l, view, w, expected_s);
  if (way != l->way) {
    l->way = way;
    l->hasty = l->rising;
    l->rising = true;
    l->since_s = view->now_s;
    l->lag = 0;
    l->last = l->last_there = INFINITY;
  }
  l->ways[way].used_s = view->now_s;
  l->expected_s = expected_s[way];
  for (int p = 0; p < view->soc->n_processors; p++) {
    l->load[p] = w->load[p];
    l->clocked_s[p] = hs_view_clocked_s(view, p);
  }
  return way;
}

static int schedule_adaptive(void *state, const struct hs_queue_view *view, struct hs_assignment *out)
{
  return hs_one_at_a_time(state, view, out, choose);
}

/* --- learning --- */

/* What was to be expected at the clocks that the request met. */
static double expected_there(struct learned *l, const struct hs_queue_view *view, const struct hs_piece *piece)
{
  for (int p = 0; p < view->soc->n_processors; p++) {
    double clock = (hs_view_clocked_s(view, p) - l->clocked_s[p]) / (view->now_s - piece->start_s);
    l->load[p].lag = 1 / clock - 1;
    l->clock[p] = fmin(clock, 1);
  }
  return hs_view_expected(view, piece->network, piece->alternative, piece->from_op, piece->to_op, l->load);
}

/* At these clocks no processor is busy enough: they wait for each other. */
static bool takes_turns(const struct hs_queue_view *view, int network, int way, const struct hs_competition *clocks)
{
  double whole_s = expected_of(view, network, way, clocks);
  for (int p = 0; p < view->soc->n_processors; p++)
    if (has_no_rest(view, network, way, clocks, p, whole_s)) return false;
  return true;
}

/* When the clocks of a way whose processors take turns have stayed low, so will those of other such ways that nothing is known of yet: they take what they
 * would at the clocks of now, as these change. */
static void foresee(struct learned *l, const struct hs_queue_view *view, int network, bool stayed_low)
{
  struct hs_competition clocks[HS_PROCESSORS_MAX];
  at_clocks_of_now(l, view, NULL, clocks);
  bool more = stayed_low && takes_turns(view, network, l->way, clocks);
  l->foreseen_s = view->now_s;
  for (int i = 0; i < view->plans[network]->n; i++) {
    struct way *way = &l->ways[i];
    way->foreseen |= more && isinf(way->used_s) && takes_turns(view, network, i, clocks);
    if (!way->foreseen) continue;
    way->correction = expected_of(view, network, i, clocks) / expected_of(view, network, i, NULL);
    way->guessed = true;
  }
}

/* The first request of a way, however long, only says from where clocks may rise. */
static void look_at_clocks(struct learned *l, const struct hs_queue_view *view, int network, double lag)
{
  bool first = l->lag <= 0;
  if (first) l->lag = lag;
  if (lag >= NEAR && (first || view->now_s - l->since_s < PERIOD_S)) return;
  l->rising = lag >= NEAR && NEAR * lag < l->lag;
  bool stayed_low = lag >= NEAR && !l->rising;
  if (stayed_low || view->now_s - l->foreseen_s >= PERIOD_S) foresee(l, view, network, stayed_low);
  l->since_s = view->now_s;
  l->lag = lag;
}

static void count_losses(struct learned *l, double seconds)
{
  if (l->tried < 0) return;
  double lost_s = fmax(seconds - l->usual_s, 0);
  l->lost_s += lost_s;
  l->ways[l->tried].lost_s += lost_s;
  if (!l->rising && (l->way != l->tried || seconds < l->usual_s)) l->tried = -1;
}

/* At clocks that rise yet, what would be left at the highest is the least that it can be. Of two requests the lesser counts, so that what happens once is not
 * the way's. */
static void learn(struct learned *l, double observed, double observed_there)
{
  struct way *way = &l->ways[l->way];
  double lesser = l->rising ? fmin(observed_there, l->last_there) : fmin(observed, l->last);
  l->last = observed;
  l->last_there = observed_there;
  if (l->rising && lesser <= way->correction) return;
  way->correction += (way->guessed && !l->rising ? 1 : LEARNING) * (lesser - way->correction);
  way->guessed &= l->rising;
  way->foreseen = false;
}

static void finished_adaptive(void *state, const struct hs_queue_view *view, const struct hs_piece *piece, double seconds)
{
  struct learned *l = &((struct adaptive *)state)->networks[piece->network];
  if (l->expected_s <= 0 || view->now_s <= piece->start_s) return; /* there is nothing to do */
  double there_s = expected_there(l, view, piece);
  struct way *way = &l->ways[l->way];
  way->least_s = fmin(seconds, way->took_s);
  way->took_s = seconds;
  way->late_s += seconds > l->may_s ? seconds : 0;
  look_at_clocks(l, view, piece->network, there_s / l->expected_s);
  count_losses(l, seconds);
  if (l->n_ended++ == 0) return; /* its competition had been guessed: what it took says more of the guess than of the alternative */
  learn(l, seconds / l->expected_s, seconds / there_s);
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
