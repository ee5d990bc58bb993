/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Classifiers for the Edge TPU, without what classifies: what segmentation stands on (zoo_edgetpu_seg.c).
 */
#ifndef ZOO_EDGETPU_H
#define ZOO_EDGETPU_H

#include "zoo.h"

enum { ZOO_EDGETPU_LEVELS = 4 };

enum zoo_edgetpu_v2 { ZOO_EDGETPU_V2_XS, ZOO_EDGETPU_V2_S, ZOO_EDGETPU_V2_M };

/* The last maps at strides 4, 8, 16 and 32 of an image of so many pixels each way. Blocks: the stem, every unit. */
void zoo_edgetpu_v2_levels(struct zoo *z, enum zoo_edgetpu_v2 width, int size, int level[ZOO_EDGETPU_LEVELS]);
void zoo_autoseg_levels(struct zoo *z, bool is_s, int size, int level[ZOO_EDGETPU_LEVELS]);

#endif
