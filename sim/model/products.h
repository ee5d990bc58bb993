/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What multiplies, at the rate that a kernel has for so much of it (doc/cost-model.md, What multiplies). */
#ifndef HS_PRODUCTS_H
#define HS_PRODUCTS_H

#include "model/portion.h"
#include "model/spread.h"

/* Multiply-accumulates of a part, more of them for padding, waves that aren't full, Winograd's transforms and low saturation, and divided
 * by its efficiency: so that they take as long at the peak. Only for operators that have some. */
struct hs_compute hs_products(const struct hs_portion *p);

/* Does the library multiply it as a matrix by one column: a convolution that makes one pixel, or a fully connected operator of one row? Is it the first,
 * whose weights alone cost? */
bool hs_products_by_column(const struct hs_portion *p);
bool hs_products_one_pixel(const struct hs_portion *p);

/* ln of what runs in parallel: N·H·W·C of the first output, with channels padded to the kernel's multiple. The curve `saturation` of a
 * kernel is over it; INFINITY where it isn't (launched convolutions). */
double hs_products_ln_size(const struct hs_portion *p);
double hs_products_saturation(const struct hs_kernel *k, double ln_size);
/* The curve itself, of a kernel that has one: linear between knots, constant outside. */
double hs_products_curve(const struct hs_kernel *k, double ln_size);

/* Weights, biases and what is fused to the operator, as the kernel keeps them: filters are padded with zeros where it runs depthwise convolutions as dense
 * ones. */
double hs_products_params(const struct hs_kernel *k, const struct hs_graph *g, const struct hs_operator *op);

/* Elements of the transformed filters that a kernel keeps beside the network's own, and reads instead of them: (t + 2)² · C_in · C under Winograd,
 * else 0 (XiaoMi/mace @2895c3e, ops/arm/fp32/conv_2d_3x3_winograd.cc; PaddlePaddle/Paddle-Lite, lite/kernels/arm/conv_winograd.cc). */
double hs_products_kept_weights(const struct hs_portion *p);

/* Kernels of TensorFlow Lite's GPU delegate that it takes: Winograd's transforms are two more than the products. */
int hs_products_kernels(const struct hs_portion *p);

/* Tiles of outputs in which Winograd computes a part, and the elements of one when it is transformed, (t + 2)²; 0: it isn't. */
double hs_products_tiles(const struct hs_portion *p);
int hs_products_tile_places(const struct hs_portion *p);

/* By how much threads speed up products that they share place by place, where tiles_per_pass makes a single block of all tiles, which one thread
 * transforms; 0: they don't. */
double hs_products_by_place(const struct hs_portion *p);

#endif
