/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/part.h"

struct hs_part hs_part_of(const struct hs_graph *g, const struct hs_operator *op, struct hs_range range, struct hs_border border, double share)
{
  const struct hs_shape *s = &g->tensors[op->outputs[0]].shape;
  double channels = (double)hs_shape_channels(s), pixels = (double)hs_shape_elements(s) / channels, part = range.split == HS_SPLIT_CHANNEL ? 1 : share;
  struct hs_part p = {.width = s->rank > 2 ? (double)s->dim[s->rank - 2] : pixels * part, .matrices = 1, .channels = range.split == HS_SPLIT_CHANNEL ? channels * share : channels, .share = share};
  p.rows = pixels * part / p.width + (double)(s->dim[0] * border.rows);
  if (op->type == HS_OP_MAT_MUL) p.matrices = pixels * part / (double)s->dim[s->rank - 2];
  p.width += (double)border.columns;
  p.in_channels = op->type == HS_OP_GEMM ? (double)hs_op_reduction_depth(g, op)
                                         : (double)hs_shape_channels(&g->tensors[op->inputs[0]].shape) / (double)op->at.group;
  return p;
}
