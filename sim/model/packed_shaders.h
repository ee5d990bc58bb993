/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which shader ncnn takes on a GPU for a convolution whose channels stand together in vectors, and how many shaders an operator is. It packs four channels or
 * one, whatever the precision, and what a shader reads decides (Tencent/ncnn @efcf582f, src/layer/vulkan/convolution_vulkan.cpp; shaders as until 2021, of one
 * pixel). */
#ifndef HS_PACKED_SHADERS_H
#define HS_PACKED_SHADERS_H

#include "model/packing.h"

/* Of a convolution: 1×1 and Winograd have shaders of their own between channels that are packed alike, 1×1 single ones as well, and groups are no loop. */
struct hs_packing hs_packed_shader(const struct hs_portion *p);

/* Shaders that an operator is where channels are packed (src/layer/vulkan): a convolution's border is another, Winograd's transforms and crop, a part that is
 * joined or split, what a softmax goes over, and an activation behind anything but a convolution. 1 where they aren't. */
int hs_packed_shaders(const struct hs_portion *p);

#endif
