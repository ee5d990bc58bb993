/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A placement: what a policy decided, as plain values. Per operator: how it is cut, which processor takes which share at
 * which OPP, where its whole result must end up, and which chain it belongs to. It holds no time and no transfer.
 *
 * Shares are fractions of the split dimension, in order: the first part takes the first rows or channels. An operator
 * that isn't cut has one part with fraction 1. */
#ifndef HS_PLACEMENT_H
#define HS_PLACEMENT_H

#include "model/cost.h"

enum { HS_PARTS_MAX = 4 };

struct hs_part {
  int processor;
  double fraction; /* (0, 1] */
  int opp;         /* level of the processor's fastest domain, or -1: as the system is set */
};

struct hs_op_placement {
  enum hs_split split; /* NONE if and only if there's one part */
  int n_parts;
  struct hs_part parts[HS_PARTS_MAX];
  int home;      /* processor in whose memory the whole result must lie when the chain ends, an accelerator's only where the runtime has code for it;
                    -1: the first part's, of an uncut operator where it was computed. Where a slice on an accelerator ends with the host as home, every
                    result of its operators with that home that somebody still reads is copied to the host, and the accelerator's copy is freed */
  int chain;     /* operators next to each other with the same number ≥ 0 share no data between parts in between (halo is
                    recomputed), and on an accelerator form one slice, invoked once, of no more than its slice_limit_bytes (hs_slice_bytes());
                    -1: a chain of its own. A number doesn't come back once another operator, of another chain or without parts, stood in
                    between. Not checked: that all parts of a chain are on the same processors; one that has none of an operator ends its slice
                    there as far as the limit goes */
  bool fallback; /* the policy wanted another processor, which couldn't */
  bool early;    /* uncut, on a GPU: the conversion for the host is enqueued right behind the kernel, and the host goes on with others; the SYNC
                    that follows counts from the end of that conversion */
};

struct hs_placement {
  struct hs_arena *arena;      /* of whoever made it; holds ops */
  int n_ops;
  struct hs_op_placement *ops; /* [n_ops] */
  struct hs_graph *rewritten;  /* the network as the policy changed it, which the operators are then of; NULL: as given. Owned, but for
                                  hs_placement_share(): hs_placement_release() */
  bool shares;
  const char *note;            /* what the policy says of how it decided, for reports; in the arena, or NULL */
  bool partial;                /* operators may have no parts: it serves for pieces of the network only */
};

struct hs_placement *hs_placement_new(struct hs_arena *a, int n_ops);
void hs_placement_release(struct hs_placement *pl);

/* From now on the placement is of `rewritten`, not NULL, which it owns, with one zeroed entry per operator. */
void hs_placement_rewrite(struct hs_placement *pl, struct hs_graph *rewritten);
/* From now on the placement is of the version of the network that `with` is of, which `with` goes on owning. */
void hs_placement_share(struct hs_placement *pl, const struct hs_placement *with);
/* The network whose operators the placement places: `given`, or as the policy changed it. */
const struct hs_graph *hs_placement_graph(const struct hs_placement *pl, const struct hs_graph *given);

/* op runs whole on p. */
void hs_place_whole(struct hs_op_placement *op, int p);

/* Are an operator and the one behind it, which must be there, of one chain? This is the one rule of where chains end. */
static inline bool hs_op_chained(const struct hs_op_placement *op) { return op[0].chain >= 0 && op[1].chain == op[0].chain; }
static inline bool hs_placement_chained(const struct hs_placement *pl, int i) { return hs_op_chained(&pl->ops[i]); }

/* Does operator i run elsewhere than on processor p, if only in part? */
static inline bool hs_placement_elsewhere(const struct hs_placement *pl, int i, int p)
{
  for (int k = 0; k < pl->ops[i].n_parts; k++)
    if (pl->ops[i].parts[k].processor != p) return true;
  return false;
}

/* Whose kernel computes an operator (hs_cost_joined_to()): its own; its own since that which it would be joined to runs elsewhere, or would start before
 * another operand comes from elsewhere, or a window's that would take its Pad in, which has one of its own; or another's, which is enqueued with that. */
enum hs_kernel_of { HS_KERNEL_OWN, HS_KERNEL_APART, HS_KERNEL_JOINED };

/* Of operator i, whole on p, in a program of operators [from, to) of g. joined: hs_cost_joined_to() of it. */
enum hs_kernel_of hs_placement_kernel_of(const struct hs_system *sys, const struct hs_graph *g, const struct hs_placement *pl, int i, int p, int from, int to,
                                         int *joined);

/* Operator i runs whole on p, in the chain of that number. If it stood in the middle of another, what follows there becomes a chain of a number of its own. */
void hs_placement_move(struct hs_placement *pl, int i, int p, int chain);

/* The ranges that the parts of op compute, with the rounding that kernels need: an accelerator's share of channels is cut to whole ones, and these are rounded
 * up to a multiple of its kernel's, and of the vectors of both parts where kernels pack channels; of rows an accelerator's is rounded up from a
 * tenth of one on, a CPU's to the nearest. A part may come out empty (begin = end) and then does nothing. */
void hs_placement_ranges(const struct hs_system *sys, const struct hs_graph *g, const struct hs_operator *op,
                         const struct hs_op_placement *pl, struct hs_range *ranges);

/* Memory of one operator inside a slice: weights, as the kernel keeps them in p's precision, and results as the runtime has them: a float network's are
 * the host's (NNAPI 1.0 knows fp32 only) though p computes in fp16. An activation or a normalisation by itself works in place. MOSAIC's Table I, ten
 * networks: 7.0 % off; fitted freely its sizes are 2.0 B a weight of a depthwise convolution's dense filter, 2.3 B any other, 3.8 B an element of a result. */
double hs_slice_bytes(const struct hs_system *sys, const struct hs_graph *g, const struct hs_operator *op, int p);

/* Is one operator by itself no larger than a slice of p may be? */
bool hs_slice_fits(const struct hs_system *sys, const struct hs_graph *g, const struct hs_operator *op, int p);

/* May op run on p by itself, mask and slice limit considered? */
bool hs_runs_on(const struct hs_system *sys, const struct hs_graph *g, const struct hs_operator *op, int p);
/* Why it may not, in words; returns buf. */
const char *hs_why_not_on(const struct hs_system *sys, const struct hs_graph *g, const struct hs_operator *op, int p, char *buf, size_t size);

/* Are the operators [first, first + n), all placed as `pl`, no larger in one chain than slices of the processors may be? */
bool hs_slice_holds(const struct hs_system *sys, const struct hs_graph *g, int first, int n, const struct hs_op_placement *pl);

/* Sets the chains where operators run whole, those without parts apart: neighbours on one processor are one slice, as far as its limit goes. */
void hs_placement_pack(const struct hs_system *sys, const struct hs_graph *g, struct hs_placement *pl);

/* Refuses (HS_POLICY) what breaks the contract, naming policy, operator and processor; never repairs. */
enum hs_status hs_placement_check(const struct hs_system *sys, const struct hs_graph *g, const struct hs_placement *pl,
                                  const char *policy, struct hs_error *err);

#endif
