/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Lite-HRNet, a backbone that others build on.
 */
#ifndef ZOO_LITEHRNET_H
#define ZOO_LITEHRNET_H

#include "zoo.h"

/* Lite-HRNet-18 of an image of size by size, a multiple of 32: what it leaves at strides 4, 8, 16 and 32. Blocks: the stem, every
 * module, the head. */
enum { ZOO_LITE_HRNET_LEVELS = 4 };
void zoo_lite_hrnet_18(struct zoo *z, int size, int level[ZOO_LITE_HRNET_LEVELS]);

#endif
