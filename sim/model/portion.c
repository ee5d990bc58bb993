/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/portion.h"

/* A row of features waits for the weights, each of which it multiplies once; several are columns of a matrix product, as the pixels of a convolution are. */
enum hs_op_class hs_class_on(const struct hs_system *sys, const struct hs_graph *g, const struct hs_operator *op, int p)
{
  const struct hs_runtime_backend *rules = &sys->runtime->backends[sys->soc->processors[p].kind];
  const int64_t *in = g->tensors[op->inputs[0]].shape.dim;
  if (op->class == HS_CLASS_MATMUL && hs_op_output_elements(g, op) > hs_shape_channels(&g->tensors[op->outputs[0]].shape)) return HS_CLASS_CONV_1X1;
  bool pixel = op->class == HS_CLASS_CONV_1X1 && in[1] == 1 && in[2] == 1, groups = op->class == HS_CLASS_DEPTHWISE && op->type == HS_OP_CONV;
  if (pixel && rules->dense_pixel) return HS_CLASS_MATMUL;
  return groups && rules->plain_groups ? HS_CLASS_GROUPED : op->class;
}

/* How much a part computes with its border, of what it is asked for. */
static double with_border(const struct hs_graph *g, const struct hs_operator *op, struct hs_range range, struct hs_border border)
{
  const struct hs_shape *s = &g->tensors[op->outputs[0]].shape;
  if (border.rows == 0 && border.columns == 0) return 1;
  return (1 + (double)border.rows / (double)(range.end - range.begin)) * (1 + (double)border.columns / (double)s->dim[2]);
}

/* Rows, columns and matrices, border included. */
static void measure(struct hs_portion *p)
{
  const struct hs_operator *op = p->op;
  const struct hs_shape *s = &p->graph->tensors[op->outputs[0]].shape;
  double channels = (double)hs_shape_channels(s), pixels = (double)hs_shape_elements(s) / channels, part = p->range.split == HS_SPLIT_CHANNEL ? 1 : p->share;
  p->width = s->rank > 2 ? (double)s->dim[s->rank - 2] : pixels * part;
  p->channels = p->range.split == HS_SPLIT_CHANNEL ? channels * p->share : channels;
  p->rows = pixels * part / p->width + (double)(s->dim[0] * p->border.rows);
  p->matrices = op->type == HS_OP_MAT_MUL ? pixels * part / (double)s->dim[s->rank - 2] : 1;
  p->width += (double)p->border.columns;
}

struct hs_portion hs_portion_of(const struct hs_system *sys, const struct hs_graph *g, const struct hs_operator *op, int p, struct hs_range range, struct hs_border border)
{
  const struct hs_processor *processor = &sys->soc->processors[p];
  struct hs_portion portion = {.sys = sys, .graph = g, .op = op, .processor = processor, .backend = &sys->backends[p], .rules = &sys->runtime->backends[processor->kind],
                         .class = hs_class_on(sys, g, op, p), .range = range, .border = border, .depth = (double)hs_op_reduction_depth(g, op)};
  portion.size = hs_precision_bytes(portion.backend->precision);
  hs_range_shares(g, op, range, &portion.share, &portion.weight_share);
  portion.more = with_border(g, op, range, border);
  portion.elements = portion.more * hs_range_elements(&g->tensors[op->outputs[0]].shape, range);
  portion.in_channels = op->type == HS_OP_GEMM ? portion.depth : (double)hs_shape_channels(&g->tensors[op->inputs[0]].shape) / (double)op->at.group;
  measure(&portion);
  return portion;
}

struct hs_portion hs_portion_whole(const struct hs_system *sys, const struct hs_graph *g, const struct hs_operator *op, int p)
{
  return hs_portion_of(sys, g, op, p, (struct hs_range){HS_SPLIT_NONE, 0, 1}, (struct hs_border){0, 0});
}
