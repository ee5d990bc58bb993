/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Groups of operators of networks that are described from Hugging Face's
 * PyTorch classes, as torch.jit.trace records them and optimize_for_mobile
 * leaves them. Networks themselves are in the family files.
 *
 * Images are NHWC here, as everywhere. In PyTorch they are NCHW, so that a list
 * of tokens made of an image is a transposition, and an image made of a list,
 * too, where something else than a convolution reads it (a convolution computes
 * in NHWC, in which order such an image is already, and so is its result then).
 * A Reshape between an image and its planes stands for nothing that runs.
 *
 * Of batch normalisation only what follows a convolution is folded. A factor
 * of 1 and a sum with 0 are operators of the trace like any others.
 */
#ifndef ZOO_TORCH_H
#define ZOO_TORCH_H

#include "zoo_attention.h"

/* The input, [1, size, size, 3], in the first block. */
int zoo_torch_pixels(struct zoo *z, int size);
/* A convolution with zeros of its own around the image, wider or narrower than half of the window. */
int zoo_torch_conv(struct zoo *z, const char *name, int x, int channels, int kernel, int stride, int padding);

/* flatten(2).transpose(1, 2): from an image to [tokens, channels]. */
int zoo_list_of_planes(struct zoo *z, const char *name, int x);
/* transpose(1, 2).reshape(): from [tokens, channels] to an image. */
int zoo_planes_of_list(struct zoo *z, const char *name, int x, int height, int width);

int zoo_batch_norm(struct zoo *z, const char *name, int x);
/* GroupNorm of one group, by mean and variance of the whole image: no operator here has a mean over a whole tensor, so that it is the one over
 * each channel's image, of as many elements and parameters. */
int zoo_group_norm(struct zoo *z, const char *name, int x);
/* A sum of x and y, which is scaled by channel before. */
int zoo_scaled_sum(struct zoo *z, const char *number, int x, int y);

#endif
