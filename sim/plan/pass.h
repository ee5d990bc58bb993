/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Passes: graph → graph rewrites. The input stays as it is; the result owns all it needs and is freed by the caller. */
#ifndef HS_PASS_H
#define HS_PASS_H

#include "model/system.h"

/* Joins activations to the operator before, as the runtime's converter does: where an activation of rt->fused[] is the
 * only reader of the single output of an operator of rt->hosts[], and no support override differs. */
struct hs_graph *hs_pass_fuse(const struct hs_graph *g, const struct hs_runtime *rt);

/* The same network, operators handed out in another order: operator i of the result is order[i] of g; NULL: in the same one.
 * Nothing may be read before it is computed. */
struct hs_graph *hs_pass_order(const struct hs_graph *g, const int *order);

/* Structured channel pruning: every convolution keeps (1 - ratio) of its output channels, ratio in (0, 1), in multiples of 8 and
 * at least 8; those whose channels reach an output of the network unchanged, or an operator that needs all of them, keep all. Tensors that are combined
 * element by element lose the same channels; a depthwise convolution loses its input's, a grouped one whole groups. NULL if no convolution would lose any,
 * or an operator can't follow what is around it (of no graph is that known); `why` says which. */
struct hs_graph *hs_pass_prune(const struct hs_graph *g, double ratio, char *why, size_t size);

/* Low-rank decomposition: convolutions with windows, neither depthwise nor grouped, and fully connected operators become two of
 * rank ratio · the full one, ratio in (0, 1), where that takes fewer MACs (pass_lowrank.c has the formula). NULL if it never does;
 * `why` says so. */
struct hs_graph *hs_pass_lowrank(const struct hs_graph *g, double ratio, char *why, size_t size);

/* A frame of a video of which the share `ratio` of the rows, in (0, 1), is as in the frame before: the network that computes what the others reach.
 * The changed rows are one run, which doesn't touch the image's edges; see pass_reuse.c. NULL where that is all of every result. */
struct hs_graph *hs_pass_reuse(const struct hs_graph *g, double ratio, char *why, size_t size);

/* Fuses operators by rules beyond what the runtime's converter does, which comes first: the rules are in pass_rules.c. None joins an
 * operator that a processor of `sys` runs and what joins it not. NULL if none applies. */
struct hs_graph *hs_pass_rules(const struct hs_system *sys, const struct hs_graph *g);

/* What passes are made of: a graph of g's names without tensors and operators; room for as many as g has; a copy of an operator, and the
 * network's inputs and outputs, with tensors renumbered by `map`. */
struct hs_graph *hs_pass_empty_like(const struct hs_graph *g);
void hs_pass_make_room(struct hs_graph *out, const struct hs_graph *g);
void hs_pass_copy_op(struct hs_graph *out, const struct hs_operator *from, struct hs_operator *to, const int *map);
void hs_pass_copy_ends(const struct hs_graph *g, struct hs_graph *out, const int *map);

/* Channels are kept, cut and restored in multiples of it: what vector units and image textures take at once. */
enum { HS_CHANNEL_GRAIN = 8 };

/* `channels` · width (in (0, 1]), rounded to a multiple of `grain`: at least one grain, and never more than there were. */
int64_t hs_pass_scale(int64_t channels, double width, int64_t grain);

/* A graph like g that grows operator by operator, shapes inferred on the way. Tensors and operators are on the heap until
 * hs_build_end(). After the first operator that doesn't take its shapes nothing is added any more. */
struct hs_build {
  struct hs_graph *out;
  int cap_tensors, cap_ops;
  bool failed;
  char *why; /* names the operator and the rule */
  size_t size;
};
void hs_build_start(struct hs_build *b, const struct hs_graph *g, char *why, size_t size);
/* Appends the inputs of g; map[input of g] becomes the new number. */
void hs_build_inputs(struct hs_build *b, const struct hs_graph *g, int *map);
/* Appends an operator like `like`, called `name` (which lives in out's arena), that reads `inputs`; the first of its results. */
int hs_build_op(struct hs_build *b, const struct hs_operator *like, const char *name, const int *inputs, int n_inputs, int n_outputs);
/* An operator that g doesn't have. */
struct hs_operator hs_build_plain(enum hs_op_type type, int block);
struct hs_operator hs_build_pointwise(int64_t channels, bool bias, int block);
/* The graph, with the outputs of g; NULL if it failed. */
struct hs_graph *hs_build_end(struct hs_build *b, const struct hs_graph *g, const int *map);

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
  bool split_groups;    /* grouped convolutions become Split, one convolution each, Concat, BatchNormalization */
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
