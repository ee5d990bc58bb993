/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tensors that are turned from one layout into another around a convolution: by a library that computes in NHWC in a network that is NCHW. */
#ifndef HS_TURN_H
#define HS_TURN_H

#include "model/portion.h"
#include "model/spread.h"

/* Adds what it takes to turn what an operator reads before it, and its result behind it, for this part (doc/cost-model.md, What goes
 * through caches). Nothing for operators other than convolutions, and for kernels without turn_cycles. */
void hs_turn_tensors(const struct hs_portion *p, struct hs_compute *serial, struct hs_compute *shared);

#endif
