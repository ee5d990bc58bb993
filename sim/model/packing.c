/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/packing.h"

#include <math.h>

#include "model/packed_shaders.h"

/* Cycles, derived: counted in instructions of ncnn's loops, at the rates of Arm's Cortex-A76 Software Optimization Guide (two loads and two vector operations a
 * cycle; FMLA hands its sum on after two), where they are for a Cortex-A73 as well. */
#define VECTOR_SUM 2.0      /* of a loop for each product of vectors: it waits for the sum before */
#define ACROSS_SUM 5.0      /* where a product is summed up across its lanes: load, multiply, add halves, add across, add */
#define DEPTHWISE_LOADS 1.25 /* pixel and weight at two a cycle, and half of the window's offset */
#define LOOP_INSTRUCTIONS 4  /* of a depthwise loop for each product: two loads, address, multiply-add */
#define IN_FLIGHT 128        /* instructions that the core holds (its reorder buffer) */
#define SCALAR_FACTOR 2.0    /* assumed: a product of scalars, converted to float in fp16, takes so much longer than one of vectors */

/* Single channels on both sides, as every layout has them. In fp32 the kernels are those from before there was packing. */
static enum hs_op_class single_rate(const struct hs_attributes *at, int64_t window, int lanes)
{
  bool old = lanes == 4;
  if (window == 1) return at->stride[0] == 1 || old ? HS_CLASS_CONV_1X1 : HS_CLASS_CONV_OTHER;
  if (!old || window == 0) return HS_CLASS_CONV_OTHER;
  return window == 3 && at->stride[0] == 1 ? HS_CLASS_CONV_3X3 : window <= 7 ? HS_CLASS_CONV_3X3_STRIDED : HS_CLASS_CONV_OTHER;
}

static enum hs_op_class dense_rate(const struct hs_attributes *at, int in, int out, int lanes)
{
  int64_t window = hs_packed_window(at);
  bool strided = at->stride[0] > 1, alike = in == lanes && out == lanes;
  if (in == 1 && out == 1) return single_rate(at, window, lanes);
  if (window == 1) return in == 1 || (in < lanes && out == 1) ? HS_CLASS_CONV_OTHER : HS_CLASS_CONV_1X1;
  if (window == 3 && !strided && in > 1 && in >= out) return in == lanes || out > 1 ? HS_CLASS_CONV_3X3 : HS_CLASS_CONV_OTHER;
  if (window == 3 && (alike || (in == 1 && out == lanes))) return HS_CLASS_CONV_3X3_STRIDED;
  if (window == 5 && alike) return HS_CLASS_CONV_3X3_STRIDED;
  return window == 7 && strided && in == 1 && out == lanes ? HS_CLASS_CONV_3X3_STRIDED : HS_CLASS_CONV_OTHER;
}

static double loop_factor(int in, int out, int lanes)
{
  return out > 1 ? (double)lanes / out : ACROSS_SUM / VECTOR_SUM * lanes / in;
}

static struct hs_packing dense(const struct hs_portion *p, int lanes)
{
  const struct hs_operator *op = p->op;
  int in = hs_packed_channels(hs_shape_channels(&p->graph->tensors[op->inputs[0]].shape) / op->at.group, lanes);
  int out = hs_packed_channels((int64_t)p->channels / op->at.group, lanes);
  enum hs_op_class rate = dense_rate(&op->at, in, out, lanes);
  double factor = in == 4 && out == 4 ? lanes / 4.0 : 1; /* others pair what they have to whole vectors */
  if (rate == HS_CLASS_CONV_3X3 && fmin(p->group_channels, p->channels) < p->backend->kernel->winograd.channels) rate = HS_CLASS_CONV_3X3_STRIDED;
  if (rate == HS_CLASS_CONV_3X3_STRIDED && op->at.kernel[0] == 5) factor = p->backend->kernel->packing.factor_5x5;
  if (rate == HS_CLASS_CONV_OTHER) factor = loop_factor(in, out, lanes);
  return (struct hs_packing){rate, factor, rate == HS_CLASS_CONV_OTHER, in == lanes && out == lanes};
}

/* Of a depthwise loop for each product of vectors, which its own kernels have one of in a cycle. Of large windows too few pixels are in flight to hide that a
 * sum waits for the one before. */
static double depthwise_cycles(const struct hs_attributes *at)
{
  double window = (double)(at->kernel[0] * at->kernel[1]), pixels = fmax(1, IN_FLIGHT / (LOOP_INSTRUCTIONS * window));
  return fmax(DEPTHWISE_LOADS, VECTOR_SUM / pixels);
}

static struct hs_packing depthwise(const struct hs_portion *p, int lanes)
{
  int pack = hs_packed_channels((int64_t)p->channels, lanes);
  int64_t window = hs_packed_window(&p->op->at), most = pack == 1 && lanes > 4 ? 3 : 5;
  bool own = (window == 3 || window == 5) && window <= most && (pack == lanes || pack == 1);
  double loop = depthwise_cycles(&p->op->at) * lanes / pack * (pack == 1 ? SCALAR_FACTOR : 1);
  return (struct hs_packing){HS_CLASS_DEPTHWISE, own ? 1 : loop, !own, pack == lanes};
}

bool hs_packs(const struct hs_portion *p)
{
  bool groups = p->processor->kind == HS_GPU && p->class == HS_CLASS_GROUPED;
  bool dense_conv = p->op->type == HS_OP_CONV && (hs_class_is_dense_conv(p->class) || groups);
  return p->backend->kernel->packing.lanes && (dense_conv || p->class == HS_CLASS_DEPTHWISE);
}

struct hs_packing hs_packing_of(const struct hs_portion *p)
{
  int lanes = p->backend->kernel->packing.lanes;
  if (!hs_packs(p)) return (struct hs_packing){.rate = p->class, .factor = 1};
  if (p->processor->kind == HS_GPU) return hs_packed_shader(p);
  return p->class == HS_CLASS_DEPTHWISE ? depthwise(p, lanes) : dense(p, lanes);
}

/* Outputs along one side, as the source has them: by what a border makes of them, 10 and less, 15 to 18, 21 and 22. */
static bool suits_small_tiles(double outputs) { return outputs <= 8 || (outputs >= 13 && outputs <= 16) || outputs == 19 || outputs == 20; }

bool hs_packing_has_small_tiles(double rows, double columns) { return suits_small_tiles(rows) && suits_small_tiles(columns); }

/* A border of zeros is written around a copy of the input, for Winograd another one to whole tiles, whose result is copied without the rest; and an
 * activation goes over the result again, but in loops. */
double hs_packing_copied(const struct hs_portion *p)
{
  if (!hs_packs(p)) return 0;
  const struct hs_packing packing = hs_packing_of(p);
  const struct hs_operator *op = p->op;
  const struct hs_attributes *at = &op->at;
  double in = hs_range_elements(&p->graph->tensors[op->inputs[0]].shape, hs_input_range(p->graph, op, 0, p->range)), passes = 0;
  if (at->pad[0] || at->pad[1] || at->pad[2] || at->pad[3]) passes += in;
  if (packing.rate == HS_CLASS_CONV_3X3) passes += in + p->elements;
  if (op->n_fused && !packing.loops) passes += p->elements;
  return 2 * passes;
}
