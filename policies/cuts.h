/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Operators cut between CPU and GPU: the search space and the latency model that CoDL and the µLayer share.
 *
 * Sources: CoDL (MobiSys 2022), Eq. 2: T = T_trans + T_map + T_presync + Σ max(T_cpu, T_gpu), the sharing terms only at the
 * ends of a chain; its release (csu-eis/CoDL@0a0c89d): shares of the GPU 0, 0.1 … 1; with GPU buffers only output channels
 * are searched; ties go to the earlier share and to height (but first to all on the GPU here, where the release tries that last); all on the GPU keeps
 * the tensor there, all on the CPU still pays the sharing because boundary tensors live in GPU memory; a part has at least one row or channel. */
#ifndef HS_CUTS_H
#define HS_CUTS_H

#include "policies/flops.h"
#include "policies/policy.h"

enum {
  HS_SHARE_STEPS = 10,
  HS_CUT_CHAIN_MAX = 29 /* operators of a chain: the release goes on while it has fewer than kMaxChainLength, 30, with the next one */
};

struct hs_cuts {
  const struct hs_view *v;
  int cpu, gpu;
  bool height, channel; /* may cut so. What can't be cut by height (fully connected) is cut by channel even where only height is allowed */
  double presync_s;     /* what the model takes for the CPU's wait before its share, in place of the fixed part of that */
  const struct hs_flops *cpu_flops, *gpu_flops; /* decide by these instead of Eq. 2; NULL: by Eq. 2 */
};

struct hs_cut {
  enum hs_split split; /* HEIGHT or CHANNEL, also where the share leaves nothing to cut */
  double share;        /* of the GPU */
  double seconds;      /* predicted, by itself: by Eq. 2 or by what decided */
};

/* HS_USAGE if there is no GPU; as hs_system_refuse() says where the runtime has no code for it, or for the CPU. `policy` is named. Operators may be cut by
 * height, but not with GPU buffers, and by channel, as said. */
enum hs_status hs_cuts_open(struct hs_cuts *c, const struct hs_view *v, bool height, bool channel, double presync_s, const char *policy,
                            struct hs_error *err);

/* Convolution but a depthwise one, pooling or fully connected: what CoDL cuts. */
bool hs_cuts_partitionable(const struct hs_operator *op);

/* Can operator i share nothing with the one before: is that one's result all it reads, and does nobody else need it? */
bool hs_cuts_follows(const struct hs_view *v, int i);

/* What it takes to bring `in` elements from the GPU to the CPU, which waits for them as the model has it, and `out` elements back. */
double hs_cuts_sharing(const struct hs_cuts *c, double in, double out);

/* Do the parts of the `n` operators from `first` on, all cut like `cut`, fit into one slice of each processor? */
bool hs_cuts_hold(const struct hs_cuts *c, int first, int n, struct hs_cut cut);

/* Eq. 2 for the chain of `n` operators from `first` on, all cut like `cut`, rows that are computed twice (halo) and padding between the operators counted;
 * INFINITY if they can't be. n > 1 needs hs_cuts_follows() inside the chain, n <= HS_CUT_CHAIN_MAX. */
double hs_cuts_predict(const struct hs_cuts *c, int first, int n, struct hs_cut cut);

/* The cut of operator i that is predicted to be fastest; an operator that can't be cut goes to the GPU where that can run it.
 * seconds is INFINITY if neither processor runs it.
 *
 * By regression as in the release: output channels only, the slower part, sharing left out, ties to the GPU's smaller share. */
struct hs_cut hs_cuts_best(const struct hs_cuts *c, int i);

/* The same with the GPU's share given: what can't be cut so goes whole to the GPU, or where it can't run it to the CPU; at
 * share 0 everything goes to the CPU. A cut by channel that leaves the CPU none, the GPU's being fours, is the whole on the GPU. */
struct hs_cut hs_cuts_fixed(const struct hs_cuts *c, int i, double share);

/* HS_INPUT if cut.seconds is INFINITY: nobody runs operator i. */
enum hs_status hs_cuts_check(const struct hs_cuts *c, int i, struct hs_cut cut, struct hs_error *err);

/* Writes the cut of operator i down. The result ends in the GPU's memory; of an operator that the GPU has no kernel for it stays with the CPU,
 * as in any graph of MACE's, until a kernel of the GPU reads it. */
void hs_cuts_place(const struct hs_cuts *c, int i, struct hs_cut cut, struct hs_op_placement *pl);

#endif
