/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What an operator takes in PyTorch's shaders: which of them it is, and their cycles by the rates of a kernel. How they are launched is in shader.h. */
#ifndef HS_SHADER_COST_H
#define HS_SHADER_COST_H

#include "model/range.h"
#include "model/system.h"

/* Shaders that an operator is: only a convolution's clamps what it writes, behind anything else each activation is another. A Split is a Slice for each part. */
int hs_shaders_count(const struct hs_kernel *k, const struct hs_operator *op);
/* Cycles of all of them besides their overhead, on a GPU of domain d. `class` is that which the operator has here; range, border and share as in part.h. */
double hs_shaders_cycles(const struct hs_backend *b, const struct hs_domain *d, const struct hs_graph *g, const struct hs_operator *op, enum hs_op_class class,
                         struct hs_range range, struct hs_border border, double share);

#endif
