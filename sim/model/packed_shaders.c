/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/packed_shaders.h"

#include <math.h>

enum { WINOGRAD_CHANNELS = 16 }; /* on both sides, from which ncnn has Winograd (convolution_vulkan.cpp) */

/* Vectors of four channels, or single numbers, that a shader reads for each multiplication. That of 1×1 computes four pixels: four of them and as many of
 * weights where channels are whole vectors, else one vector of pixels and a weight. All others compute one pixel, of a vector of outputs or of one. */
static double shader_reads(bool pointwise, int in, int out)
{
  if (pointwise) return in == 4 ? 8.0 / 64 : 2.0 / 4;
  double weights = in == 4 && out == 4 ? 4 : 1;
  return (1 + weights) / (in * out);
}

struct hs_packing hs_packed_shader(const struct hs_portion *p)
{
  const struct hs_attributes *at = &p->op->at;
  int in = hs_packed_channels(hs_shape_channels(&p->graph->tensors[p->op->inputs[0]].shape) / at->group, 4);
  int out = hs_packed_channels((int64_t)p->channels / at->group, 4);
  bool plain = at->group == 1 && at->stride[0] == 1, whole = in == 4 && out == 4;
  int64_t window = plain ? hs_packed_window(at) : 0;
  if (p->class == HS_CLASS_DEPTHWISE) return (struct hs_packing){HS_CLASS_DEPTHWISE, 4 / hs_packed_channels((int64_t)p->channels, 4), false, false};
  if (window == 3 && whole && fmin(p->group_channels, p->channels) >= WINOGRAD_CHANNELS) return (struct hs_packing){HS_CLASS_CONV_3X3, 1, false, true};
  bool pointwise = window == 1 && in == out;
  double factor = shader_reads(pointwise, in, out) / shader_reads(pointwise, 4, 4);
  return (struct hs_packing){pointwise ? HS_CLASS_CONV_1X1 : HS_CLASS_CONV_OTHER, factor, false, whole};
}

/* A border, and for Winograd two transforms, and a crop of the result, be it as large. (One more, to whole tiles of two, of odd rows or columns isn't counted:
 * parts would begin with more than the whole.) */
static int shaders_of_convolution(const struct hs_portion *p)
{
  const int64_t *pad = p->op->at.pad;
  bool winograd = p->op->type == HS_OP_CONV && hs_packed_shader(p).rate == HS_CLASS_CONV_3X3;
  return 1 + (pad[0] || pad[1] || pad[2] || pad[3]) + (winograd ? 3 : 0);
}

int hs_packed_shaders(const struct hs_portion *p)
{
  enum { SOFTMAX = 4 }; /* largest, exponentials, sum, quotients */
  const struct hs_operator *op = p->op;
  if (!p->backend->kernel->packing.lanes || p->processor->kind != HS_GPU) return 1;
  if (hs_op_is_conv(op->type)) return shaders_of_convolution(p);
  int own = op->type == HS_OP_CONCAT ? op->n_inputs : op->type == HS_OP_SPLIT ? op->n_outputs : op->type == HS_OP_SOFTMAX ? SOFTMAX : 1;
  return own + op->n_fused;
}
