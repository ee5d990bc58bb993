/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Operators that have no kernel of their own: what a runtime, or TensorFlow Lite's GPU delegate, compiles into the kernel before or after. */
#ifndef HS_LINKED_H
#define HS_LINKED_H

#include "model/range.h"
#include "model/system.h"

/* Is op compiled into the kernel that computes one of its operands, where nobody else reads that and the others are there before, or into that which
 * reads what it pads? k: the processor's kernel. */
bool hs_is_linked(const struct hs_system *sys, const struct hs_kernel *k, const struct hs_graph *g, const struct hs_operator *op);

/* Elements that a linked operator reads beside the operand whose kernel it is part of, for this part of its output. */
double hs_linked_elements(const struct hs_graph *g, const struct hs_operator *op, struct hs_range range);

#endif
