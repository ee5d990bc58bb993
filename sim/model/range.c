/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/range.h"

const char *const hs_split_names[HS_SPLIT_N + 1] = {"none", "height", "channel", "batch", NULL};
const struct hs_range hs_range_whole = {HS_SPLIT_NONE, 0, 1};

/* Works on each channel by itself. */
static bool by_channel(const struct hs_operator *op)
{
  return op->class == HS_CLASS_DEPTHWISE || op->class == HS_CLASS_POOL || op->class == HS_CLASS_ELEMENTWISE;
}

static int split_dimension(enum hs_split split, const struct hs_shape *s)
{
  switch (split) {
  case HS_SPLIT_HEIGHT: return s->rank == 4 ? 1 : -1;
  case HS_SPLIT_CHANNEL: return s->rank - 1;
  case HS_SPLIT_BATCH: return 0;
  default: return -1;
  }
}

int64_t hs_greatest_divisor(int64_t a, int64_t b)
{
  while (b) {
    int64_t rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}

int64_t hs_least_multiple(int64_t a, int64_t b) { return a / hs_greatest_divisor(a, b) * b; }

int64_t hs_shape_extent(const struct hs_shape *s, enum hs_split split)
{
  int d = split_dimension(split, s);
  return d < 0 ? 1 : s->dim[d];
}

int64_t hs_split_extent(const struct hs_graph *g, const struct hs_operator *op, enum hs_split split)
{
  return hs_shape_extent(&g->tensors[op->outputs[0]].shape, split);
}

bool hs_splittable(const struct hs_graph *g, const struct hs_operator *op, enum hs_split split)
{
  const struct hs_shape *s = &g->tensors[op->outputs[0]].shape;
  switch (split) {
  case HS_SPLIT_NONE: return true;
  case HS_SPLIT_HEIGHT:
    return s->rank == 4 && op->type != HS_OP_RESIZE_BILINEAR &&
           (hs_op_has_window(op->type) || op->class == HS_CLASS_ELEMENTWISE) && op->type != HS_OP_CONV_TRANSPOSE;
  case HS_SPLIT_CHANNEL:
    return s->rank >= 2 && (hs_op_has_window(op->type) || op->class == HS_CLASS_ELEMENTWISE || op->type == HS_OP_GEMM) &&
           op->class != HS_CLASS_GROUPED;
  case HS_SPLIT_BATCH: return s->dim[0] > 1 && op->class != HS_CLASS_MOVE;
  default: return false;
  }
}

/* Are the images of input i those of the result? Not where an operand is broadcast over them, is the other factor of a product of matrices, or is reduced along
 * them. */
static bool has_images(const struct hs_graph *g, const struct hs_operator *op, int i)
{
  const struct hs_shape *in = &g->tensors[op->inputs[i]].shape, *out = &g->tensors[op->outputs[0]].shape;
  if (in->dim[0] != out->dim[0]) return false;
  if (op->type == HS_OP_MAT_MUL) return i == 0 || in->rank > 2;
  if (op->class == HS_CLASS_ELEMENTWISE) return in->rank == out->rank;
  for (int k = 0; k < op->at.n_axes && op->class == HS_CLASS_REDUCE; k++)
    if (op->at.axes[k] == 0) return false;
  return true;
}

struct hs_range hs_input_range(const struct hs_graph *g, const struct hs_operator *op, int i, struct hs_range out)
{
  const struct hs_shape *in = &g->tensors[op->inputs[i]].shape;
  if (i > 0 && hs_op_is_conv(op->type)) return out.split == HS_SPLIT_NONE ? hs_range_whole : out; /* a shortcut that is added where the result is written */
  if (out.split == HS_SPLIT_BATCH) return has_images(g, op, i) ? out : hs_range_whole;
  if (out.split == HS_SPLIT_CHANNEL) {
    bool same = hs_shape_channels(in) == hs_split_extent(g, op, HS_SPLIT_CHANNEL);
    return by_channel(op) && same ? out : hs_range_whole;
  }
  if (out.split != HS_SPLIT_HEIGHT) return hs_range_whole;
  if (!hs_op_has_window(op->type)) return in->rank == 4 && in->dim[1] == hs_split_extent(g, op, HS_SPLIT_HEIGHT) ? out : hs_range_whole;
  int64_t reach = (op->at.kernel[0] - 1) * op->at.dilation[0];
  int64_t begin = out.begin * op->at.stride[0] - op->at.pad[0], end = (out.end - 1) * op->at.stride[0] - op->at.pad[0] + reach + 1;
  struct hs_range r = {HS_SPLIT_HEIGHT, begin < 0 ? 0 : begin, end > in->dim[1] ? in->dim[1] : end};
  if (r.begin >= in->dim[1]) r.begin = in->dim[1] - 1; /* rows that see padding only still read one */
  if (r.end <= r.begin) r.end = r.begin + 1;
  return r;
}

static int64_t beyond_edge(int64_t outputs, int64_t stride, int64_t reach, int64_t own)
{
  int64_t reads = (outputs - 1) * stride + reach + 1;
  return reads > own ? reads - own : 0;
}

struct hs_border hs_border_for(const struct hs_graph *g, const struct hs_operator *reader, struct hs_range reads, struct hs_border beyond, struct hs_range own)
{
  const struct hs_attributes *at = &reader->at;
  bool window = hs_op_has_window(reader->type);
  int64_t rows = reads.end - reads.begin + beyond.rows;
  if (own.split != HS_SPLIT_HEIGHT || reads.split != HS_SPLIT_HEIGHT) return (struct hs_border){0, 0};
  int64_t columns = g->tensors[reader->outputs[0]].shape.dim[2] + beyond.columns, width = g->tensors[reader->inputs[0]].shape.dim[2];
  return (struct hs_border){beyond_edge(rows, window ? at->stride[0] : 1, window ? (at->kernel[0] - 1) * at->dilation[0] : 0, own.end - own.begin),
                            beyond_edge(columns, window ? at->stride[1] : 1, window ? (at->kernel[1] - 1) * at->dilation[1] : 0, width)};
}

double hs_range_elements(const struct hs_shape *s, struct hs_range r)
{
  int d = split_dimension(r.split, s);
  double n = (double)hs_shape_elements(s);
  return d < 0 ? n : n * (double)(r.end - r.begin) / (double)s->dim[d];
}

void hs_range_shares(const struct hs_graph *g, const struct hs_operator *op, struct hs_range r, double *work, double *weights)
{
  *work = *weights = 1;
  if (r.split == HS_SPLIT_NONE) return;
  *work = (double)(r.end - r.begin) / (double)hs_split_extent(g, op, r.split);
  if (r.split == HS_SPLIT_CHANNEL) *weights = *work;
}
