/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plan/separate.h"

#include <math.h>

struct largest {
  double in, out;
};

static double elements(const struct hs_graph *g, int tensor) { return (double)hs_shape_elements(&g->tensors[tensor].shape); }

static double whole_bytes(const struct hs_system *sys, const struct hs_graph *g, const struct hs_operator *op, int home)
{
  double sum = (double)op->params;
  for (int i = 0; i < op->n_inputs; i++) sum += elements(g, op->inputs[i]);
  for (int i = 0; i < op->n_outputs; i++) sum += elements(g, op->outputs[i]);
  return hs_place_bytes(sys, home, sum);
}

/* A part that isn't computed where the whole is; returns its weights. */
static double part_bytes(const struct hs_system *sys, const struct hs_graph *g, const struct hs_operator *op, int p,
                         struct hs_range range, struct largest *largest)
{
  double work, weights, in = 0, out = 0;
  hs_range_shares(g, op, range, &work, &weights);
  for (int i = 0; i < op->n_inputs; i++) in += hs_range_elements(&g->tensors[op->inputs[i]].shape, hs_input_range(g, op, i, range));
  for (int i = 0; i < op->n_outputs; i++) out += hs_range_elements(&g->tensors[op->outputs[i]].shape, range);
  largest->in = fmax(largest->in, hs_place_bytes(sys, p, in));
  largest->out = fmax(largest->out, hs_place_bytes(sys, p, out));
  return hs_place_bytes(sys, p, (double)op->params * weights);
}

double hs_separate_bytes(const struct hs_system *sys, const struct hs_graph *g, const struct hs_placement *pl)
{
  struct largest largest[HS_PROCESSORS_MAX] = {{0}};
  double sum = 0;
  for (int i = 0; i < g->n_ops; i++) {
    const struct hs_op_placement *op = &pl->ops[i];
    struct hs_range ranges[HS_PARTS_MAX];
    if (op->n_parts == 0) continue;
    int home = op->home >= 0 ? op->home : op->parts[0].processor;
    sum += whole_bytes(sys, g, &g->ops[i], home);
    hs_placement_ranges(sys, g, &g->ops[i], op, ranges);
    for (int k = 0; k < op->n_parts; k++) {
      int p = op->parts[k].processor;
      if (p == home || hs_range_empty(ranges[k])) continue;
      double weights = part_bytes(sys, g, &g->ops[i], p, ranges[k], &largest[p]);
      if (op->n_parts > 1) sum += weights;
    }
  }
  for (int p = 0; p < HS_PROCESSORS_MAX; p++) sum += largest[p].in + largest[p].out;
  return sum;
}
