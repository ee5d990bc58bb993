/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What an operator takes in PyTorch's shaders: which of them it is, and their cycles by the rates of a kernel. How they are launched is in shader.h. */
#ifndef HS_SHADER_COST_H
#define HS_SHADER_COST_H

#include "model/portion.h"

/* Shaders that an operator is: only a convolution's clamps what it writes, behind anything else each activation is another. A Split is a
 * Slice for each part. */
int hs_shaders_count(const struct hs_kernel *k, const struct hs_operator *op);
/* Cycles of all of them besides their overhead. */
double hs_shaders_cycles(const struct hs_portion *p);

#endif
