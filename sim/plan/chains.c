/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plan/chains.h"

static struct hs_range hull(struct hs_range a, struct hs_range b)
{
  if (a.split == HS_SPLIT_NONE || b.split == HS_SPLIT_NONE) return hs_range_whole;
  return (struct hs_range){a.split, a.begin < b.begin ? a.begin : b.begin, a.end > b.end ? a.end : b.end};
}

/* An operator, where it is placed, and what its parts compute. */
struct placed {
  const struct hs_operator *op;
  const struct hs_op_placement *pl;
  struct hs_computed *out;
};

/* Is the result of `maker` read by the parts of `reader`, each on the processor that computes it, and by nobody else? */
static bool only_read_by(const struct placed *maker, const struct placed *reader, const struct hs_tensor *t)
{
  bool only = maker->pl->n_parts == reader->pl->n_parts && t->n_consumers == 1 && !t->is_output && maker->op->n_outputs == 1;
  for (int k = 0; k < maker->pl->n_parts && only; k++)
    only = maker->pl->parts[k].processor == reader->pl->parts[k].processor && !hs_range_empty(reader->out->range[k]);
  return only;
}

/* What each part of `maker` makes, and with what border, becomes what the same part of a later operator of its chain needs as input n: that
 * alone where nobody else reads the result (as csu-eis/CoDL@0a0c89d, CodlOpTaskChain::UpdatePartitionShape()), else the rows beyond the own
 * share. */
static void extend(const struct hs_graph *g, const struct placed *maker, const struct placed *reader, int n)
{
  const bool only = only_read_by(maker, reader, &g->tensors[reader->op->inputs[n]]);
  for (int k = 0; k < reader->pl->n_parts && k < maker->pl->n_parts; k++) {
    const struct hs_range read = reader->out->range[k];
    if (hs_range_empty(read)) continue;
    struct hs_range *r = &maker->out->range[k], need = hs_input_range(g, reader->op, n, read);
    *r = only ? need : hull(*r, need);
    struct hs_border *b = &maker->out->border[k], beyond = hs_border_for(g, reader->op, read, reader->out->border[k], *r);
    *b = (struct hs_border){b->rows > beyond.rows ? b->rows : beyond.rows, b->columns > beyond.columns ? b->columns : beyond.columns};
  }
}

/* Are operators i and j > i, of a list of their own, of one chain? */
static bool in_one_chain(const struct hs_op_placement *ops, int i, int j)
{
  while (i < j && hs_op_chained(&ops[i])) i++;
  return i == j;
}

/* Shares of every operator, then from the back of each chain what later operators need. */
void hs_chains_compute(const struct hs_system *sys, const struct hs_graph *g, const struct hs_op_placement *ops, int from, int to, struct hs_computed *out)
{
  for (int i = from; i < to; i++) {
    struct hs_computed *c = &out[i - from];
    hs_placement_ranges(sys, g, &g->ops[i], &ops[i - from], c->share);
    for (int k = 0; k < ops[i - from].n_parts; k++) {
      c->range[k] = c->share[k];
      c->border[k] = (struct hs_border){0, 0};
    }
  }
  for (int j = to - 1; j > from; j--) {
    const struct placed reader = {&g->ops[j], &ops[j - from], &out[j - from]};
    if (reader.pl->chain < 0 || (reader.pl->split != HS_SPLIT_HEIGHT && reader.pl->split != HS_SPLIT_BATCH)) continue;
    for (int n = 0; n < reader.op->n_inputs; n++) {
      int i = g->tensors[reader.op->inputs[n]].producer;
      if (i < from || ops[i - from].split != reader.pl->split || !in_one_chain(ops, i - from, j - from)) continue;
      const struct placed maker = {&g->ops[i], &ops[i - from], &out[i - from]};
      extend(g, &maker, &reader, n);
    }
  }
}
