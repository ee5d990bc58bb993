/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What networks have in common as PaddlePaddle's model zoos build them.
 */
#ifndef ZOO_PADDLE_H
#define ZOO_PADDLE_H

#include "zoo_blocks.h"

/* The squeezed vector is a quarter of the input's width, not rounded. The gate is a clip, or a hard sigmoid: a clip and a sixth. */
int zoo_paddle_excite(struct zoo *z, int x, bool hard_sigmoid);

/* Convolution and hard swish, of odd kernel. */
int zoo_paddle_conv(struct zoo *z, const char *name, int x, int channels, int kernel, int stride);
/* A depthwise and a 1x1 convolution with hard swish; names are numbered, as several are in one block. */
int zoo_paddle_separable(struct zoo *z, int number, int x, int channels, int kernel, int stride, bool excite);

/* Maps that a detector takes from a backbone: what it leaves at strides 8, 16 and 32. */
enum { ZOO_PADDLE_SCALES = 3 };

/* MobileNet V3 Large as SSDLite has it: without its head, and behind the last halving of the image half as wide. *wide is the expanded
 * map that is halved there. */
int zoo_paddle_v3_narrowed(struct zoo *z, int size, int *wide);

/* PP-LCNet without its classifier: the stem, 13 units. */
void zoo_paddle_lcnet(struct zoo *z, int size, int width_percent, int level[ZOO_PADDLE_SCALES]);

/* ESNet without its classifier: the stem, 13 units of these widths by stage. ratio: eighths of its width that a unit works with. */
enum { ZOO_ESNET_UNITS = 13 };
void zoo_esnet(struct zoo *z, int size, const int width[ZOO_PADDLE_SCALES], const int ratio[ZOO_ESNET_UNITS], int level[ZOO_PADDLE_SCALES]);

/* These without their classifiers: what they leave at strides 4, 8, 16 and 32, of the larger V3 at the first n of these, without what is behind. */
enum { ZOO_PADDLE_LEVELS = 4 };
void zoo_paddle_v2_levels(struct zoo *z, int size, int level[ZOO_PADDLE_LEVELS]);
void zoo_paddle_v3_levels(struct zoo *z, int height, int width, int width_percent, int n, int level[ZOO_PADDLE_LEVELS]);
void zoo_paddle_ghost_levels(struct zoo *z, int size, int level[ZOO_PADDLE_LEVELS]);

#endif
