/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "input/op_work.h"

#include <math.h>

enum { ANCHOR_NUMBERS = 4 }; /* of the box that a detection starts from: its centre and its size */

struct counted {
  const struct hs_graph *g;
  struct hs_operator *op;
  const struct hs_shape *in, *out; /* the first of each */
};

/* Weights as a double, so that absurd attributes can't overflow before the limit is checked. */
static void weigh(const struct counted *c, double weights, double positions)
{
  double params = weights + (c->op->at.bias ? (double)c->op->at.channels : 0);
  c->op->params = params < 1e18 ? (int64_t)params : INT64_MAX;
  c->op->macs = weights * positions;
}

static double positions(const struct hs_shape *s) { return (double)s->dim[0] * (double)s->dim[1] * (double)s->dim[2]; }

static double window_area(const struct hs_attributes *a) { return (double)a->kernel[0] * (double)a->kernel[1]; }

static void work_conv(const struct counted *c)
{
  const struct hs_attributes *a = &c->op->at;
  weigh(c, window_area(a) * (double)(c->in->dim[3] / a->group) * (double)a->channels, positions(c->out));
}

static void work_conv_transpose(const struct counted *c)
{
  const struct hs_attributes *a = &c->op->at;
  weigh(c, window_area(a) * (double)c->in->dim[3] * (double)a->channels, positions(c->in));
}

static void work_gemm(const struct counted *c)
{
  double features = (double)(hs_shape_elements(c->in) / c->in->dim[0]);
  weigh(c, features * (double)c->op->at.channels, (double)c->in->dim[0]);
}

static void work_mat_mul(const struct counted *c)
{
  c->op->macs = (double)hs_shape_elements(c->out) * (double)c->in->dim[c->in->rank - 1];
}

static void work_window(const struct counted *c)
{
  c->op->work = (double)hs_shape_elements(c->out) * (double)(c->op->at.kernel[0] * c->op->at.kernel[1]);
}

static void work_per_output(const struct counted *c)
{
  c->op->work = (double)hs_shape_elements(c->out);
  if (c->op->type == HS_OP_BATCH_NORMALIZATION) c->op->params = 2 * hs_shape_channels(c->in);
  if (c->op->type == HS_OP_PRELU) c->op->params = hs_shape_channels(c->in);
}

static void work_per_input(const struct counted *c) { c->op->work = (double)hs_shape_elements(c->in); }

/* Two passes over the data: statistics, then scaling. */
static void work_normalize(const struct counted *c)
{
  c->op->work = 2 * (double)hs_shape_elements(c->in);
  if (c->op->type == HS_OP_INSTANCE_NORMALIZATION || c->op->type == HS_OP_LAYER_NORMALIZATION)
    c->op->params = 2 * hs_shape_channels(c->in);
}

/* Four neighbours per output. */
static void work_interpolate(const struct counted *c) { c->op->work = 4 * (double)hs_shape_elements(c->out); }

/* Copies only; the table is its parameters. */
static void work_gather(const struct counted *c)
{
  c->op->params = c->op->at.rows * c->op->at.channels;
}

/* As TensorFlow Lite computes it, with what it calls fast non-maximum suppression and a threshold that all boxes pass (v2.10,
 * kernels/detection_postprocess.cc). Per box: its corners, with two exponentials of some 20 operations (DecodeCenterSizeBoxes); the best of its classes,
 * each compared and given a place in a list of indices; its place among all by score, log2 comparisons of four operations, two of them looking a score up;
 * and how far it overlaps with each box that is kept, 16 operations (ComputeIntersectionOverUnion). The boxes' anchors are parameters. */
static void work_detections(const struct counted *c)
{
  const struct hs_shape *scores = &c->g->tensors[c->op->inputs[1]].shape;
  const double corners = 54, per_class = 2, per_comparison = 4, per_overlap = 16;
  double boxes = (double)c->in->dim[1], classes = (double)scores->dim[2];
  double per_box = corners + per_class * classes + per_comparison * log2(boxes) + per_overlap * (double)c->op->at.detections;
  c->op->work = (double)c->in->dim[0] * boxes * per_box;
  c->op->params = ANCHOR_NUMBERS * c->in->dim[1];
}

static void work_none(const struct counted *c) { c->op->work = 0; }

/* Passes fuse what works on each element of the result: of that only these have parameters, per channel. */
int64_t hs_op_fused_params(const struct hs_graph *g, const struct hs_operator *op)
{
  int64_t per_channel = 0;
  for (int k = 0; k < op->n_fused; k++) per_channel += op->fused[k] == HS_OP_BATCH_NORMALIZATION ? 2 : op->fused[k] == HS_OP_PRELU ? 1 : 0;
  return per_channel * hs_shape_channels(&g->tensors[op->outputs[0]].shape);
}

/* --- table --- */

#define work_CONV work_conv
#define work_CONV_TRANSPOSE work_conv_transpose
#define work_GEMM work_gemm
#define work_MAT_MUL work_mat_mul
#define work_WINDOW work_window
#define work_PER_OUTPUT work_per_output
#define work_PER_INPUT work_per_input
#define work_NORMALIZE work_normalize
#define work_INTERPOLATE work_interpolate
#define work_GATHER work_gather
#define work_DETECTIONS work_detections
#define work_NONE work_none

static void (*const rules[HS_OP_N])(const struct counted *) = {
#define HS_OPERATOR(id, name, n_inputs, shape, work, class) work_##work,
#include "input/op_list.def"
#undef HS_OPERATOR
};

void hs_op_count_work(const struct hs_graph *g, struct hs_operator *op)
{
  const struct counted c = {g, op, &g->tensors[op->inputs[0]].shape, &g->tensors[op->outputs[0]].shape};
  op->params = 0;
  op->macs = op->work = 0;
  rules[op->type](&c);
  if (op->macs > 0) op->work = op->macs;
  op->params += op->params < HS_ELEMENTS_MAX ? hs_op_fused_params(g, op) : 0;
}
