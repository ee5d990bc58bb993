/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plan/delegate.h"

/* Are all inputs of op there, when operators with a partition have run? */
static bool is_ready(const struct hs_graph *g, const struct hs_operator *op, const int *partition)
{
  for (int i = 0; i < op->n_inputs; i++) {
    int producer = g->tensors[op->inputs[i]].producer;
    if (producer >= 0 && partition[producer] < 0) return false;
  }
  return true;
}

/* partition[i]: of operator i; size[k]: operators of partition k that runs on the processor, 0 of others. Returns how many there are. */
static int divide(const struct hs_graph *g, const bool *runs, int *partition, int *size)
{
  int n = 0;
  for (int i = 0; i < g->n_ops; i++) partition[i] = -1;
  for (int first = 0; first < g->n_ops; n++) {
    size[n] = 0;
    for (int i = first; i < g->n_ops; i++) {
      if (partition[i] >= 0 || runs[i] != runs[first] || !is_ready(g, &g->ops[i], partition)) continue;
      partition[i] = n;
      size[n] += runs[i];
    }
    while (first < g->n_ops && partition[first] >= 0) first++;
  }
  return n;
}

int hs_delegated(const struct hs_graph *g, int limit, bool *runs)
{
  struct hs_arena scratch = {0};
  int *partition = HS_NEW_ARRAY(&scratch, int, (size_t)g->n_ops), *size = HS_NEW_ARRAY(&scratch, int, (size_t)g->n_ops);
  bool *taken = HS_NEW_ARRAY(&scratch, bool, (size_t)g->n_ops);
  int n = divide(g, runs, partition, size), there = 0;
  for (int k = 0; k < n; k++) there += size[k] > 0;
  for (int taking = limit > 0 && limit < there ? limit : there, largest; taking > 0; taking--) {
    largest = 0;
    for (int k = 1; k < n; k++)
      if (size[k] > size[largest]) largest = k;
    taken[largest] = true;
    size[largest] = 0;
  }
  for (int i = 0; i < g->n_ops; i++) runs[i] = runs[i] && taken[partition[i]];
  hs_arena_free(&scratch);
  return there;
}
