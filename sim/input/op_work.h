/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What an operator computes and which parameters it has, by its attributes and the shapes of its tensors: MACs, or elementary operations where there are none.
 * Not what a kernel makes of that, nor how long it takes (model/cost.h). */
#ifndef HS_OP_WORK_H
#define HS_OP_WORK_H

#include "input/graph.h"

/* Sets params, macs and work of op, whose inputs and outputs have their shapes. More than HS_ELEMENTS_MAX params aren't exact: the caller refuses them. */
void hs_op_count_work(const struct hs_graph *g, struct hs_operator *op);

/* How many of its params are of what is fused to it: they belong to elements of the result, not to its filters. */
int64_t hs_op_fused_params(const struct hs_graph *g, const struct hs_operator *op);

#endif
