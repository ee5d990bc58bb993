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

/* What passes are made of: a graph of g's names without tensors and operators; room for as many as g has; a copy of an operator, and the
 * network's inputs and outputs, with tensors renumbered by `map`. */
struct hs_graph *hs_pass_empty_like(const struct hs_graph *g);
void hs_pass_make_room(struct hs_graph *out, const struct hs_graph *g);
void hs_pass_copy_op(struct hs_graph *out, const struct hs_operator *from, struct hs_operator *to, const int *map);
void hs_pass_copy_ends(const struct hs_graph *g, struct hs_graph *out, const int *map);

/* --- NN-Stretch: duplicate and scale (MobiSys 2023, Sec. 3 and 4) --- */

enum { HS_STRETCH_BRANCHES_MAX = 4 };

/* Where a network can be cut so that one tensor crosses: unit u is operators [first[u], first[u + 1]) and reads
 * tensor[u] only, of what is before it; the last one leaves tensor[n]. */
struct hs_units {
  int n;
  const int *first, *tensor; /* [n + 1] */
};

/* A scaled copy of a segment. */
struct hs_stretch_branch {
  const int *kept;      /* per stage of the segment: units that stay, the first ones; >= 1 */
  double width;         /* channels ÷ the original's, in (0, 1] */
  int64_t restored;     /* a 1x1 convolution at the end brings it to so many channels; 0: there is none */
  bool split_groups;    /* grouped convolutions become Split, one convolution each, Concat */
};

/* Units that are replaced by branches, all of which read the segment's input and whose results are concatenated. */
struct hs_segment {
  int n_stages;
  const int *stage;     /* [n_stages + 1]: unit at which each stage begins. Within a stage all units but the first keep the shape */
  int64_t grain;        /* channel counts that aren't the original's are multiples of this */
  int n_branches;
  struct hs_stretch_branch branches[HS_STRETCH_BRANCHES_MAX];
};

/* An operator of the result: of which segment and branch it is; segment -1: of none; branch -1: it joins the branches. */
struct hs_stretched {
  int segment, branch;
};

/* Replaces each segment (in order, not overlapping). A branch's channels: those of a unit's result and whatever is narrower
 * scale with the width; what is wider is an expansion of the unit's input (MobileNetV2's) and keeps its ratio to that. A
 * shortcut that then doesn't fit gets a 1x1 convolution. *origin, one per operator of the result, is allocated in `a`.
 * NULL if some operator doesn't take the new shapes; `why` says which. */
struct hs_graph *hs_pass_stretch(const struct hs_graph *g, const struct hs_units *units, const struct hs_segment *segments, int n,
                                 struct hs_stretched **origin, struct hs_arena *a, char *why, size_t size);

#endif
