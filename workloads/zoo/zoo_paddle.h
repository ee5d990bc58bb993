/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What networks have in common as PaddlePaddle's model zoos build them.
 */
#ifndef ZOO_PADDLE_H
#define ZOO_PADDLE_H

#include "zoo_blocks.h"

/* The squeezed vector is a quarter of the input's width, not rounded. The gate is a clip, or a hard sigmoid: a clip and a sixth. */
int zoo_paddle_excite(struct zoo *z, int x, bool hard_sigmoid);

#endif
