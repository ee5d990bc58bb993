/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What convolutions and products of several rows take that TensorFlow Lite's GPU delegate launches by its rules (launch.h; doc/cost-model.md, Launched
 * convolutions): those that are neither depthwise nor transposed, with kernels that have a `launch` or a `mali_launch`. */
#ifndef HS_LAUNCHED_H
#define HS_LAUNCHED_H

#include "model/portion.h"
#include "model/spread.h"

/* Is a part launched like this, and what does it take (as hs_products())? tiles: of outputs, in which Winograd computes it; 0: it isn't. */
bool hs_launched(const struct hs_portion *p, double tiles, struct hs_compute *out);

/* Is it, and over how many work items does the curve `saturation` of the kernel reach? INFINITY: over none, as it isn't theirs. */
bool hs_launched_items(const struct hs_portion *p, double *items);

#endif
