/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which kernel a library takes for a convolution whose channels stand together in vectors. ncnn packs as many channels as a vector has lanes where
 * their number is a multiple of it, else four, else one, and has kernels of its own only for some pairs of input and output (Tencent/ncnn @efcf582f,
 * src/layer/arm/convolution_arm.cpp; depthwise ones @ac629604, convolutiondepthwise_arm.cpp). On a GPU it packs four or one, whatever the precision, and
 * what a shader reads decides (src/layer/vulkan/convolution_vulkan.cpp @efcf582f; shaders as until 2021, of one pixel). */
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

/* Of a dense or depthwise convolution, where the kernel has `packing`; else its class and 1. */
struct hs_packing hs_packing_of(const struct hs_portion *p);

/* Has a Winograd convolution so many rows and columns of outputs that ncnn does it in tiles of 4 instead of 6, between whole vectors and from February 2021
 * on (Tencent/ncnn pull request 2664)? */
bool hs_packing_has_small_tiles(double rows, double columns);

/* Shaders that an operator is on a GPU where channels are packed (src/layer/vulkan): a convolution's border is another, Winograd's transforms and crop, a part
 * that is joined or split, what a softmax goes over, and an activation behind anything but a convolution. 1 where they aren't. */
int hs_packing_shaders(const struct hs_portion *p);

/* Elements that it reads and writes through caches beside its operands: a border around the input, whole tiles, an activation in a pass of its own. */
double hs_packing_copied(const struct hs_portion *p);

#endif
