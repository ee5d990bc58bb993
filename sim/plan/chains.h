/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the parts of operators compute: at the end of a chain their shares, and since its parts share nothing in between, before that the rows that the
 * same part of the next operator reads: more than the share (halo), or fewer. A policy that weighs a chain counts with the rows that run. */
#ifndef HS_CHAINS_H
#define HS_CHAINS_H

#include "plan/placement.h"

/* Of an operator, by part; entries behind its last part mean nothing. */
struct hs_computed {
  struct hs_range share[HS_PARTS_MAX];   /* its own (hs_placement_ranges()) */
  struct hs_range range[HS_PARTS_MAX];   /* what it computes: that, or what later operators of its chain need */
  struct hs_border border[HS_PARTS_MAX]; /* and what it computes beyond the edges for them (hs_border_for()) */
};

/* Of operators [from, to), placed as ops[0 ... to - from - 1] say, into out[0 ... to - from - 1]. Chains by height or by images have a halo where they go on
 * before `to`; those by channel have none. */
void hs_chains_compute(const struct hs_system *sys, const struct hs_graph *g, const struct hs_op_placement *ops, int from, int to, struct hs_computed *out);

#endif
