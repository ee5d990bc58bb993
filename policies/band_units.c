/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "policies/band_units.h"

#include "policies/single.h"

static unsigned workers_of(const struct hs_view *v, const struct hs_operator *op, const int *worker, int n)
{
  unsigned mask = 0;
  for (int w = 0; w < n; w++) mask |= (unsigned)hs_runs_on(v->sys, v->graph, op, worker[w]) << w;
  return mask;
}

/* Takes worker w off stretches that are too short, where somebody else runs them. */
static void drop_short(unsigned *mask, int n_ops, int w, int minimum)
{
  for (int from = 0, to; from < n_ops; from = to) {
    bool runs = mask[from] >> w & 1;
    for (to = from + 1; to < n_ops && (mask[to] >> w & 1) == runs; to++)
      ;
    for (int i = from; i < to && runs && to - from < minimum; i++)
      if (mask[i] != 1u << w) mask[i] &= ~(1u << w);
  }
}

/* A slice is at most one sub-graph, and within the worker's limit. */
static void place_supported(const struct hs_view *v, const unsigned *mask, int w, int p, struct hs_placement *pl)
{
  for (int i = 0; i < pl->n_ops; i++) {
    if (mask[i] >> w & 1)
      hs_place_whole(&pl->ops[i], p);
    else
      pl->partial = true;
  }
  hs_placement_pack(v->sys, v->graph, pl);
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
    if (v->sys->soc->processors[worker[w]].kind != HS_CPU) drop_short(mask, n_ops, w, minimum);
  for (int w = 0; w < n && !status; w++) {
    struct hs_placement *pl = hs_plan_add(plan, v->sys->soc->processors[worker[w]].name);
    if (partition)
      place_supported(v, mask, w, worker[w], pl);
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
