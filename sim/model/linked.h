/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Operators that have no kernel of their own: what a runtime, or TensorFlow Lite's GPU delegate, compiles into the kernel before or after. */
#ifndef HS_LINKED_H
#define HS_LINKED_H

#include "model/portion.h"

/* Is op compiled into the kernel that computes one of its operands, where nobody else reads that and the others are there before, or into that which
 * reads what it pads? */
bool hs_is_linked(const struct hs_portion *p);

/* Elements that a linked operator reads beside the operand whose kernel it is part of. */
double hs_linked_elements(const struct hs_portion *p);

#endif
