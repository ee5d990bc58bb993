/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/shader_cost.h"

#include <math.h>

#include "model/shader.h"

/* A Softmax of one pixel leaves as many elements, and is none. */
static bool is_image_mean(const struct hs_graph *g, const struct hs_operator *op)
{
  const struct hs_shape *in = &g->tensors[op->inputs[0]].shape;
  return hs_op_is_mean(op->type) && in->rank == 4 && hs_op_output_elements(g, op) == in->dim[0] * hs_shape_channels(in);
}

/* By the class that the operator has here, but a grouped convolution 1×1 is a pointwise one (ops/Convolution.cpp, determine_method). */
static enum hs_shader_kind shader_kind(const struct hs_portion *p)
{
  const struct hs_operator *op = p->op;
  if (op->type == HS_OP_SOFTMAX || op->type == HS_OP_LOG_SOFTMAX) return HS_SHADER_SOFTMAX;
  switch (p->class) {
  case HS_CLASS_CONV_1X1: return hs_op_is_conv(op->type) ? HS_SHADER_POINTWISE : HS_SHADER_PRODUCT;
  case HS_CLASS_GROUPED: return op->at.kernel[0] * op->at.kernel[1] == 1 ? HS_SHADER_POINTWISE : HS_SHADER_CONV;
  case HS_CLASS_CONV_3X3: case HS_CLASS_CONV_3X3_STRIDED: case HS_CLASS_CONV_OTHER: case HS_CLASS_TRANSPOSED: return HS_SHADER_CONV;
  case HS_CLASS_DEPTHWISE: return HS_SHADER_DEPTHWISE;
  case HS_CLASS_MATMUL: return HS_SHADER_PRODUCT;
  case HS_CLASS_POOL: return HS_SHADER_POOL;
  case HS_CLASS_REDUCE: return is_image_mean(p->graph, op) ? HS_SHADER_MEAN : HS_SHADER_POOL;
  default: return HS_SHADER_TEXELS;
  }
}

/* Pixels that one output reads, in four channels of input each. */
static int64_t shader_window(const struct hs_portion *p, enum hs_shader_kind kind)
{
  const struct hs_operator *op = p->op;
  int64_t window = op->at.kernel[0] * op->at.kernel[1], skipped = op->at.stride[0] * op->at.stride[1];
  if (op->type == HS_OP_CONV_TRANSPOSE) return (window + skipped - 1) / skipped;
  if (hs_op_has_window(op->type)) return window;
  if (kind != HS_SHADER_POOL) return 1;
  return hs_shape_elements(&p->graph->tensors[op->inputs[0]].shape) / hs_shape_elements(&p->graph->tensors[op->outputs[0]].shape);
}

static int64_t whole(double n) { return (int64_t)ceil(n - 1e-6); }

static void shader_job(const struct hs_portion *p, struct hs_shader_job *j)
{
  const struct hs_operator *op = p->op;
  const struct hs_shape *in = &p->graph->tensors[op->inputs[0]].shape;
  enum hs_shader_kind kind = shader_kind(p);
  int read = 0, n_inputs = p->class == HS_CLASS_MOVE ? 1 : op->n_inputs;
  for (int i = 0; i < n_inputs; i++) read += !hs_op_reads_again(op, i);
  *j = (struct hs_shader_job){kind, whole(p->width), whole(p->rows), whole(p->channels / 4), shader_window(p, kind), 1, read};
  if (kind == HS_SHADER_CONV || kind == HS_SHADER_POINTWISE) j->depth = whole(p->group_channels / 4);
  if (kind == HS_SHADER_MEAN) { /* images lie one behind the other */
    j->slices *= whole(p->rows * p->width);
    j->height = in->dim[1];
    j->width = in->dim[2];
  }
  if (kind != HS_SHADER_PRODUCT) return;
  j->height = whole(p->rows * p->width);
  j->width = whole(p->channels);
  j->depth = (int64_t)p->depth;
}

/* A rate is that of the shader: several rows of features are a product, too. */
static double shader_efficiency(const struct hs_kernel *k, enum hs_shader_kind kind, enum hs_op_class class)
{
  return k->efficiency[kind == HS_SHADER_POINTWISE ? HS_CLASS_CONV_1X1 : kind == HS_SHADER_PRODUCT ? HS_CLASS_MATMUL : class];
}

int hs_shaders_count(const struct hs_kernel *k, const struct hs_operator *op)
{
  if (k->shaders.access_cycles > 0 && op->type == HS_OP_SPLIT) return op->n_outputs;
  return k->shaders.access_cycles > 0 && !hs_op_is_conv(op->type) ? 1 + op->n_fused : 1;
}

/* Of an operator that makes one part. */
static double shader_cycles(const struct hs_portion *p)
{
  const struct hs_kernel *k = p->backend->kernel;
  const struct hs_operator *op = p->op;
  struct hs_shader_job job;
  struct hs_shader s, texels;
  shader_job(p, &job);
  hs_shader_choose(&job, &s);
  double wave = HS_SHADER_ITEMS * s.macs / p->processor->domains->macs_per_cycle[p->backend->precision] / shader_efficiency(k, job.kind, p->class);
  bool skips = (p->class == HS_CLASS_DEPTHWISE || p->class == HS_CLASS_POOL) && (op->at.stride[0] > 1 || op->at.stride[1] > 1);
  if (skips) wave *= k->shaders.strided_window_factor;
  double cycles = s.steps * fmax(k->shaders.read_cycles * s.reads, wave * (s.waves + k->shaders.first_waves)) + s.waves * s.accesses * k->shaders.access_cycles;
  if (p->class == HS_CLASS_MOVE) cycles += op->n_inputs * k->shaders.copy_cycles;
  job = (struct hs_shader_job){HS_SHADER_TEXELS, whole(p->width), whole(p->rows), whole(p->channels / 4), 1, 1, 1};
  hs_shader_choose(&job, &texels);
  return cycles + (hs_shaders_count(k, op) - 1) * texels.waves * texels.accesses * k->shaders.access_cycles;
}

double hs_shaders_cycles(const struct hs_portion *p)
{
  double cycles = 0;
  if (p->op->type != HS_OP_SPLIT) return shader_cycles(p);
  for (int i = 0; i < p->op->n_outputs; i++) {
    struct hs_operator slice = *p->op;
    slice.outputs = &p->op->outputs[i];
    slice.n_outputs = 1;
    struct hs_portion part = hs_portion_of(p->sys, p->graph, &slice, (int)(p->processor - p->sys->soc->processors), p->range, p->border);
    cycles += shader_cycles(&part);
  }
  return cycles;
}
