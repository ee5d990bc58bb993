/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Passes: graph → graph rewrites. The input stays as it is; the result owns all it needs and is freed by the caller. */
#ifndef HS_PASS_H
#define HS_PASS_H

#include "input/runtime.h"

/* Joins activations to the operator before, as the runtime's converter does: where an activation of rt->fused[] is the
 * only reader of the single output of an operator of rt->hosts[], and no support override differs. */
struct hs_graph *hs_pass_fuse(const struct hs_graph *g, const struct hs_runtime *rt);

#endif
