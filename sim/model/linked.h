/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Operators that have no kernel of their own: what a runtime, or TensorFlow Lite's GPU delegate, compiles into the kernel before or after. */
#ifndef HS_LINKED_H
#define HS_LINKED_H

#include "model/portion.h"

/* The operator into whose kernel this one is compiled: that which computes one of its operands, where nobody else reads that and the others are there
 * before, or that which reads what it pads; itself, if it is nothing at all there; -1: it has a kernel of its own. Whether that one runs there, too, the
 * placement says. */
int hs_linked_to(const struct hs_portion *p);

/* Elements that a linked operator reads beside the operand whose kernel it is part of. */
double hs_linked_elements(const struct hs_portion *p);

/* The Pad that makes an operator's first input and may be compiled into it, as hs_linked_to() has it; NULL: none may. Borrowed from the graph. */
const struct hs_operator *hs_linked_pad(const struct hs_portion *p);

/* What of its first input an operator reads: without the border that a Pad would have made which is compiled into it (p->pad). */
double hs_linked_image_frac(const struct hs_portion *p);

#endif
