/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "policies/branches.h"

/* Last operator that reads tensor t; n_ops if the network ends with it. */
static int last_reader(const struct hs_graph *g, int t)
{
  int last = g->tensors[t].producer;
  if (g->tensors[t].is_output) return g->n_ops;
  for (int i = last + 1; i < g->n_ops; i++)
    for (int k = 0; k < g->ops[i].n_inputs; k++)
      if (g->ops[i].inputs[k] == t) last = i;
  return last;
}

/* The first operator after `first` from which on nothing is read that was computed between them, nor `tensor`; -1 if an
 * operator before it reads anything else, or if there is none. */
static int find_join(const struct hs_graph *g, int first, int tensor)
{
  int reach = last_reader(g, tensor);
  for (int i = first; i < g->n_ops; i++) {
    const struct hs_operator *op = &g->ops[i];
    if (i > first && i == reach) return i;
    for (int k = 0; k < op->n_inputs; k++)
      if (op->inputs[k] != tensor && g->tensors[op->inputs[k]].producer < first) return -1;
    for (int k = 0; k < op->n_outputs; k++) {
      int last = last_reader(g, op->outputs[k]);
      if (last > reach) reach = last;
    }
    if (reach == g->n_ops) return -1;
  }
  return -1;
}

/* Every operator takes the branch of what it reads; where it reads of several, they become one. A branch is named by its first
 * operator until all are known, and then numbered. */
static int colour(const struct hs_graph *g, int first, int join, int *branch)
{
  int n = 0;
  for (int i = first; i < join; i++) {
    int mine = -1;
    for (int k = 0; k < g->ops[i].n_inputs; k++) {
      int producer = g->tensors[g->ops[i].inputs[k]].producer;
      if (producer < first) continue;
      int other = branch[producer - first];
      if (mine < 0) mine = other;
      for (int j = first; j < i; j++)
        if (branch[j - first] == other) branch[j - first] = mine;
    }
    branch[i - first] = mine >= 0 ? mine : i;
  }
  for (int i = 0; i < join - first; i++) {
    int name = branch[i];
    if (name < 0) continue; /* numbered: n is ~n until all are */
    for (int j = i; j < join - first; j++)
      if (branch[j] == name) branch[j] = ~n;
    n++;
  }
  for (int i = 0; i < join - first; i++) branch[i] = ~branch[i];
  return n;
}

static bool read_before(const struct hs_graph *g, int t, int first)
{
  for (int i = 0; i < first; i++)
    for (int k = 0; k < g->ops[i].n_inputs; k++)
      if (g->ops[i].inputs[k] == t) return true;
  return false;
}

bool hs_fork_at(const struct hs_graph *g, int first, struct hs_fork *fork, struct hs_arena *a)
{
  int tensor = g->ops[first].inputs[0], join = find_join(g, first, tensor);
  if (join < 0 || read_before(g, tensor, first)) return false;
  *fork = (struct hs_fork){tensor, first, join, 0, HS_NEW_ARRAY(a, int, (size_t)(join - first))};
  fork->n = colour(g, first, join, fork->branch);
  return fork->n >= 2 && fork->n <= HS_BRANCHES_MAX;
}
