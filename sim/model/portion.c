/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/portion.h"

#include <math.h>

bool hs_op_is_pixelwise(const struct hs_operator *op)
{
  const struct hs_attributes *at = &op->at;
  for (int d = 0; d < 2 && hs_op_is_conv(op->type); d++)
    if (at->kernel[d] > 1 || at->stride[d] > 1 || at->dilation[d] > 1 || at->pad[d] || at->pad[2 + d]) return false;
  return true;
}

/* A row of features waits for the weights, each of which it multiplies once; several are columns of a matrix product, as the pixels of a convolution are. */
enum hs_op_class hs_class_on(const struct hs_system *sys, const struct hs_graph *g, const struct hs_operator *op, int p)
{
  const struct hs_runtime_backend *rules = &sys->runtime->backends[sys->soc->processors[p].kind];
  const int64_t *in = g->tensors[op->inputs[0]].shape.dim;
  if (op->class == HS_CLASS_MATMUL && hs_op_output_elements(g, op) > hs_shape_channels(&g->tensors[op->outputs[0]].shape)) return HS_CLASS_CONV_1X1;
  bool pixel = op->class == HS_CLASS_CONV_1X1 && in[1] == 1 && in[2] == 1 && hs_op_is_pixelwise(op);
  bool groups = op->class == HS_CLASS_DEPTHWISE && op->type == HS_OP_CONV;
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

/* Every policy asks for it, of everything, everywhere. All members are given at once: zeroed first, and copied, it took twice as long. */
struct hs_portion hs_portion_of(const struct hs_system *sys, const struct hs_graph *g, const struct hs_operator *op, int p,
                                struct hs_range range, struct hs_border border)
{
  const struct hs_processor *processor = &sys->soc->processors[p];
  const struct hs_backend *backend = &sys->backends[p];
  const struct hs_shape *in = &g->tensors[op->inputs[0]].shape, *out = &g->tensors[op->outputs[0]].shape;
  const bool by_channel = range.split == HS_SPLIT_CHANNEL;
  const double depth = (double)hs_op_reduction_depth(g, op), more = with_border(g, op, range, border);
  double share, weight_share;
  hs_range_shares(g, op, range, &share, &weight_share);
  const double channels = (double)hs_shape_channels(out), pixels = (double)hs_shape_elements(out) / channels, part = by_channel ? 1 : share;
  const double width = out->rank > 2 ? (double)out->dim[out->rank - 2] : pixels * part;
  return (struct hs_portion){.sys = sys, .graph = g, .op = op, .processor = processor, .backend = backend,
                             .runtime_rules = &sys->runtime->backends[processor->kind],
                             .class = hs_class_on(sys, g, op, p), .range = range, .border = border, .pad = NULL,
                             .work_share = share, .weight_share = weight_share, .border_factor = more,
                             .elements = more * hs_range_elements(out, range),
                             .rows = pixels * part / width + (double)(out->dim[0] * border.rows),
                             .width = width + (double)border.columns,
                             .channels = by_channel ? (double)(range.end - range.begin) : channels,
                             .matrices = op->type == HS_OP_MAT_MUL ? pixels * part / (double)out->dim[out->rank - 2] : 1,
                             .group_channels = op->type == HS_OP_GEMM ? depth : (double)hs_shape_channels(in) / (double)op->at.group,
                             .depth = depth,
                             .element_bytes = hs_precision_bytes(backend->precision)};
}

double hs_portion_count(double n) { return ceil(n - 1e-6); }

double hs_portion_images(const struct hs_portion *p)
{
  return (double)p->graph->tensors[p->op->outputs[0]].shape.dim[0] * (p->range.split == HS_SPLIT_BATCH ? p->work_share : 1);
}

struct hs_portion hs_portion_whole(const struct hs_system *sys, const struct hs_graph *g, const struct hs_operator *op, int p)
{
  return hs_portion_of(sys, g, op, p, hs_range_whole, (struct hs_border){0, 0});
}
