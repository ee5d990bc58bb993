/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/linked.h"

#include <string.h>

/* Rows and columns alone, with zeros: no window has others. */
static bool pads_image(const struct hs_attributes *a)
{
  return !a->reflect && a->pads[0][0] + a->pads[0][1] + a->pads[3][0] + a->pads[3][1] == 0;
}

/* The operator of windows that alone reads what op makes; NULL: there is none. Those of other branches may stand in between. */
static const struct hs_operator *only_window(const struct hs_graph *g, const struct hs_operator *op)
{
  const struct hs_operator *reader = op + 1, *end = g->ops + g->n_ops;
  while (reader < end && (reader->n_inputs == 0 || reader->inputs[0] != op->outputs[0])) reader++;
  return reader < end && hs_op_has_window(reader->type) && hs_op_reads_alone(g, reader, op->outputs[0]) ? reader : NULL;
}

/* The operator that does this padding by itself; NULL: it's an operator of its own. A convolution with groups is none of those that take it in, nor is one in
 * int8: XNNPACK gets no Pad then (tflite-xnnpack-int8). */
static const struct hs_operator *padded_inside(const struct hs_portion *p, enum hs_pads_inside which)
{
  const struct hs_graph *g = p->graph;
  if (which == HS_PADS_WRITTEN || p->op->type != HS_OP_PAD || !pads_image(&p->op->at)) return NULL;
  const struct hs_operator *window = only_window(g, p->op);
  if (!window || which == HS_PADS_OF_WINDOWS) return window;
  bool convolution = window->type == HS_OP_CONV || window->type == HS_OP_DEPTHWISE_CONV;
  if (!convolution || p->backend->precision == HS_INT8 || window->at.pad_mode == HS_PAD_SAME) return NULL;
  return hs_class_on(p->sys, g, window, (int)(p->processor - p->sys->soc->processors)) != HS_CLASS_GROUPED ? window : NULL;
}

/* The operand whose kernel could take an element-wise operator: of a sum or a product of equal images the one that is computed last, else the first
 * (tensorflow/lite, delegates/gpu/common/gpu_model.cc, IsAssociativeLinkableOp and MergeNodes). */
static int linking_operand(const struct hs_graph *g, const struct hs_operator *op)
{
  const struct hs_tensor *tensors = g->tensors;
  if (op->type != HS_OP_ADD && op->type != HS_OP_MUL) return 0;
  for (int i = 0; i < 2; i++)
    if (!hs_shape_equal(&tensors[op->inputs[i]].shape, &tensors[op->outputs[0]].shape)) return 0;
  return tensors[op->inputs[1]].producer > tensors[op->inputs[0]].producer;
}

/* The delegate counts every tensor as batch, height, width and channels: a row of features is an image of one pixel. */
static bool same_as_image(const struct hs_shape *a, const struct hs_shape *b)
{
  const struct hs_shape *shapes[2] = {a, b};
  int64_t dim[2][4];
  for (int k = 0; k < 2; k++) {
    int rank = shapes[k]->rank;
    if (rank < 2 || rank > 4) return false;
    dim[k][0] = shapes[k]->dim[0];
    for (int i = 1; i < 4; i++) dim[k][i] = i + rank < 5 ? 1 : shapes[k]->dim[i + rank - 4];
  }
  return memcmp(dim[0], dim[1], sizeof dim[0]) == 0;
}

/* A Reshape that changes nothing for the delegate, which takes it out (remove_noop.cc, RemoveIdentityReshape). */
static bool is_no_op(const struct hs_graph *g, const struct hs_operator *op)
{
  return op->type == HS_OP_RESHAPE && same_as_image(&g->tensors[op->inputs[0]].shape, &g->tensors[op->outputs[0]].shape);
}

/* Is there a kernel that op could be compiled into, as it alone reads what that makes? A Reshape that is taken out hands on what it reads, if it alone does. */
static bool reads_kernel_alone(const struct hs_graph *g, const struct hs_operator *op, int operand)
{
  while (g->tensors[operand].producer >= 0 && hs_op_reads_alone(g, op, operand)) {
    op = &g->ops[g->tensors[operand].producer];
    if (!is_no_op(g, op)) return true;
    operand = op->inputs[0];
  }
  return false;
}

int hs_linked_to(const struct hs_portion *p)
{
  const struct hs_graph *g = p->graph;
  const struct hs_operator *op = p->op;
  const int own = (int)(op - g->ops);
  const int operand = op->inputs[linking_operand(g, op)];
  const struct hs_tensor *t = &g->tensors[operand];
  const bool fuses = p->backend->kernel->fuses_light;
  const enum hs_pads_inside pads = fuses ? HS_PADS_OF_WINDOWS : p->runtime_rules->pads_inside;
  const struct hs_operator *window = padded_inside(p, pads);
  if (window) return (int)(window - g->ops);
  if (fuses && is_no_op(g, op)) return own;
  for (int i = 0; i < op->n_inputs; i++)
    if (g->tensors[op->inputs[i]].producer > t->producer) return -1;
  bool linked = fuses && op->class == HS_CLASS_ELEMENTWISE && op->type != HS_OP_RESIZE_BILINEAR && reads_kernel_alone(g, op, operand) &&
                hs_shape_elements(&t->shape) == hs_op_output_elements(g, op);
  return linked ? t->producer : -1;
}

double hs_linked_elements(const struct hs_portion *p)
{
  int linked = p->op->inputs[linking_operand(p->graph, p->op)];
  double n = 0;
  for (int i = 0; i < p->op->n_inputs; i++)
    if (p->op->inputs[i] != linked) n += hs_range_elements(&p->graph->tensors[p->op->inputs[i]].shape, hs_input_range(p->graph, p->op, i, p->range));
  return n;
}

const struct hs_operator *hs_linked_pad(const struct hs_portion *p)
{
  const struct hs_graph *g = p->graph;
  const struct hs_tensor *read = &g->tensors[p->op->inputs[0]];
  if (read->producer < 0 || g->ops[read->producer].type != HS_OP_PAD) return NULL;
  struct hs_portion pad = *p;
  pad.op = &g->ops[read->producer];
  return pad.op < p->op && hs_linked_to(&pad) == (int)(p->op - g->ops) ? pad.op : NULL;
}

double hs_linked_image_frac(const struct hs_portion *p)
{
  if (!p->pad) return 1;
  const struct hs_tensor *tensors = p->graph->tensors;
  return (double)hs_shape_elements(&tensors[p->pad->inputs[0]].shape) / (double)hs_shape_elements(&tensors[p->pad->outputs[0]].shape);
}
