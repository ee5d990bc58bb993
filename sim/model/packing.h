/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which kernel a library takes for a convolution whose channels stand together in vectors. ncnn packs as many channels as a vector has lanes where
 * their number is a multiple of it, else four, else one, and has kernels of its own only for some pairs of input and output (Tencent/ncnn @efcf582f,
 * src/layer/arm/convolution_arm.cpp; depthwise ones @ac629604, convolutiondepthwise_arm.cpp). On a GPU shaders are told apart (model/packed_shaders.h). */
#ifndef HS_PACKING_H
#define HS_PACKING_H

#include "model/portion.h"

struct hs_packing {
  enum hs_op_class rate; /* whose efficiency it has: conv_1x1 as a matrix product, conv_3x3 by Winograd, conv_3x3_strided by a kernel of its own, conv_other
                          * by a loop that sums up one pixel after the other; depthwise */
  double factor;         /* work, against that of whole vectors; 1 or more */
  bool loops;            /* one pixel after the other, with its activation */
  bool whole;            /* vectors on both sides */
};

/* How many channels stand together: lanes, 4 or 1. Those of a part that is cut by channel are a layer's of their own. (This and the next are
 * inline for packed_shaders.c, which packing.c calls: so it needn't call back.) */
static inline int hs_packed_channels(int64_t channels, int lanes) { return channels % lanes == 0 ? lanes : channels % 4 == 0 ? 4 : 1; }

/* Side of a square window that skips as many pixels both ways, two at most, and isn't dilated; 0: it is another. */
static inline int64_t hs_packed_window(const struct hs_attributes *at)
{
  bool plain = at->kernel[0] == at->kernel[1] && at->stride[0] == at->stride[1] && at->dilation[0] == 1 && at->dilation[1] == 1 && at->stride[0] <= 2;
  return plain ? at->kernel[0] : 0;
}

/* Is it a convolution whose channels stand together? A dense or depthwise one under a kernel with `packing`, on a GPU one of groups, too. */
bool hs_packs(const struct hs_portion *p);

/* Of such a one; of others their class and 1. */
struct hs_packing hs_packing_of(const struct hs_portion *p);

/* Has a Winograd convolution so many rows and columns of outputs that ncnn does it in tiles of 4 instead of 6, between whole vectors and from February 2021
 * on (Tencent/ncnn pull request 2664)? */
bool hs_packing_has_small_tiles(double rows, double columns);

/* Elements that it reads and writes through caches beside its operands: a border around the input, whole tiles, an activation in a pass of its own. */
double hs_packing_copied(const struct hs_portion *p);

#endif
