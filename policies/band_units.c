/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "policies/band_units.h"

#include "plan/pass.h"
#include "policies/single.h"

static unsigned workers_of(const struct hs_view *v, const struct hs_operator *op, const int *worker, int n)
{
  unsigned mask = 0;
  for (int w = 0; w < n; w++) mask |= (unsigned)hs_runs_on(v->sys, v->graph, op, worker[w]) << w;
  return mask;
}

/* --- sets of operators (model_analyzer.cc) --- */

/* Operators that are taken one set after the other, as what they read becomes known. */
struct sets {
  const struct hs_graph *g;
  bool *taken; /* [operator] */
  int *order;  /* all that were taken, set after set, each in file order */
  int n;
};

static bool is_resolved(const struct sets *s, int op)
{
  bool resolved = !s->taken[op];
  for (int k = 0; k < s->g->ops[op].n_inputs && resolved; k++) {
    int producer = s->g->tensors[s->g->ops[op].inputs[k]].producer;
    resolved = producer < 0 || s->taken[producer];
  }
  return resolved;
}

/* The next set: all whose `mask`, where it is one of `bits`, is `like`, and what follows of these. How many they are. Files have operators behind what they
 * read, so that one pass is enough. */
static int take_set(struct sets *s, const unsigned *mask, unsigned bits, unsigned like)
{
  int before = s->n;
  for (int i = 0; i < s->g->n_ops; i++) {
    if ((mask[i] & bits) != like || !is_resolved(s, i)) continue;
    s->taken[i] = true;
    s->order[s->n++] = i;
  }
  return s->n - before;
}

static struct sets begin_sets(const struct hs_graph *g, struct hs_arena *a)
{
  return (struct sets){g, HS_NEW_ARRAY(a, bool, (size_t)g->n_ops), HS_NEW_ARRAY(a, int, (size_t)g->n_ops), 0};
}

/* Takes worker w off sets that are too small, where somebody else runs them (GetSubgraphsForFallbackOps()): what it runs and what it doesn't by turns. */
static void drop_small(const struct hs_graph *g, unsigned *mask, int w, int minimum, struct hs_arena *a)
{
  struct sets s = begin_sets(g, a);
  for (unsigned runs = 1u << w; s.n < g->n_ops; runs ^= 1u << w) {
    int from = s.n, n = take_set(&s, mask, 1u << w, runs);
    for (int k = from; k < s.n && runs && n < minimum; k++)
      if (mask[s.order[k]] != 1u << w) mask[s.order[k]] &= ~(1u << w);
  }
}

/* The network's operators unit after unit (GetUnitSubgraphs()): all that can be known and have the mask of the first. NULL: as they are. */
static const int *order_by_units(const struct hs_graph *g, const unsigned *mask, struct hs_arena *a)
{
  struct sets s = begin_sets(g, a);
  bool same = true;
  while (s.n < g->n_ops) {
    int first = 0;
    while (!is_resolved(&s, first)) first++;
    take_set(&s, mask, ~0u, mask[first]);
  }
  for (int i = 0; i < s.n; i++) same &= s.order[i] == i;
  return same ? NULL : s.order;
}

/* --- plans --- */

/* A slice is at most one sub-graph, and within the worker's limit. */
static void place_supported(const struct hs_view *v, const unsigned *mask, const int *order, int w, int p, struct hs_placement *pl)
{
  for (int i = 0; i < pl->n_ops; i++) {
    if (mask[order ? order[i] : i] >> w & 1)
      hs_place_whole(&pl->ops[i], p);
    else
      pl->partial = true;
  }
  hs_placement_pack(v->sys, hs_placement_graph(pl, v->graph), pl);
}

/* The alternatives of one plan are of one version of the network. */
static struct hs_placement *add_worker(const struct hs_view *v, const int *order, const char *name, struct hs_plan *plan)
{
  struct hs_placement *pl = hs_plan_add(plan, name);
  if (order && plan->n == 1)
    hs_placement_rewrite(pl, hs_pass_order(v->graph, order));
  else if (order)
    hs_placement_share(pl, plan->alternatives[0]);
  return pl;
}

enum hs_status hs_band_plan(const struct hs_view *v, bool partition, int minimum, struct hs_plan *plan, struct hs_error *err)
{
  int worker[HS_KIND_N], n = 0, n_ops = v->graph->n_ops;
  for (int k = 0; k < HS_KIND_N; k++) {
    int p = hs_soc_first(v->sys->soc, (enum hs_kind)k);
    if (p >= 0 && v->sys->backends[p].available) worker[n++] = p;
  }
  struct hs_arena scratch = {0};
  unsigned *mask = HS_NEW_ARRAY(&scratch, unsigned, (size_t)n_ops);
  enum hs_status status = HS_OK;
  for (int i = 0; i < n_ops && !status; i++)
    if (!(mask[i] = workers_of(v, &v->graph->ops[i], worker, n))) status = hs_runs_nowhere(v, &v->graph->ops[i], err);
  for (int w = 0; w < n; w++)
    if (v->sys->soc->processors[worker[w]].kind != HS_CPU && !status) drop_small(v->graph, mask, w, minimum, &scratch);
  const int *order = partition && !status ? order_by_units(v->graph, mask, &scratch) : NULL;
  for (int w = 0; w < n && !status; w++) {
    struct hs_placement *pl = add_worker(v, order, v->sys->soc->processors[worker[w]].name, plan);
    if (partition)
      place_supported(v, mask, order, w, worker[w], pl);
    else
      status = hs_plan_single(v, worker[w], pl, err);
  }
  hs_arena_free(&scratch);
  return status;
}

static bool same_workers(const struct hs_plan *plan, int a, int b)
{
  for (int w = 0; w < plan->n; w++)
    if ((plan->alternatives[w]->ops[a].n_parts > 0) != (plan->alternatives[w]->ops[b].n_parts > 0)) return false;
  return true;
}

int hs_band_units(const struct hs_plan *plan, int *unit)
{
  int n = 0;
  for (int i = 0; i < plan->graph->n_ops; i++)
    if (i == 0 || !same_workers(plan, i - 1, i)) unit[n++] = i;
  unit[n] = plan->graph->n_ops;
  return n;
}

/* The earliest operator before `from` whose result operators [from, to) read: -1 where that is an input of the network; `from`: none. */
static int reads_back_to(const struct hs_graph *g, int from, int to)
{
  int earliest = from;
  for (int i = from; i < to; i++)
    for (int k = 0; k < g->ops[i].n_inputs; k++) {
      int producer = g->tensors[g->ops[i].inputs[k]].producer;
      if (producer < earliest) earliest = producer;
    }
  return earliest;
}

void hs_band_merges(const struct hs_graph *g, const int *unit, int n, bool *merges)
{
  for (int length = 1; length <= n; length++)
    for (int i = 0; i + length <= n; i++) {
      int last = i + length - 1;
      bool *whole = &merges[i * n + last];
      *whole = length == 1;
      for (int m = i + 1; m <= last && !*whole; m++)
        *whole = merges[i * n + m - 1] && merges[m * n + last] && reads_back_to(g, unit[m], unit[last + 1]) >= unit[i];
    }
}
