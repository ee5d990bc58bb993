/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Passes: graph → graph rewrites. The input stays as it is; the result owns all it needs and is freed by the caller. */
#ifndef HS_PASS_H
#define HS_PASS_H

#include "input/runtime.h"

/* Joins activations to the operator before, as the runtime's converter does: where an activation of rt->fused[] is the
 * only reader of the single output of an operator of rt->hosts[], and no support override differs. */
struct hs_graph *hs_pass_fuse(const struct hs_graph *g, const struct hs_runtime *rt);

/* The same network, operators handed out in another order: operator i of the result is order[i] of g. Nothing may be read
 * before it is computed. */
struct hs_graph *hs_pass_order(const struct hs_graph *g, const int *order);

/* What passes are made of: a graph of g's names with room for its tensors and operators; a copy of an operator, and the
 * network's inputs and outputs, with tensors renumbered by `map`. */
struct hs_graph *hs_pass_empty_like(const struct hs_graph *g);
void hs_pass_copy_op(struct hs_graph *out, const struct hs_operator *from, struct hs_operator *to, const int *map);
void hs_pass_copy_ends(const struct hs_graph *g, struct hs_graph *out, const int *map);

#endif
