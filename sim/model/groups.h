/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Grouped convolutions that a runtime writes out, because its kernel takes groups of whole slices of channels only, or because a loop makes one group
 * after the other (ncnn on a CPU): a Split, a convolution per group, a Concat. */
#ifndef HS_GROUPS_H
#define HS_GROUPS_H

#include "model/range.h"
#include "model/system.h"

enum { HS_GROUPS_SPLIT, HS_GROUPS_CONV, HS_GROUPS_CONCAT, HS_GROUPS_N };

/* The convolution stands for all of them. It refers to itself: not to be copied. */
struct hs_groups {
  struct hs_graph graph;
  struct hs_operator op[HS_GROUPS_N];
  struct hs_tensor tensor[8]; /* read, one group's, its result, the result, other operands of what is fused */
  int piece[HS_GROUPS_MAX], result[HS_GROUPS_MAX + 4], ends[2];
};

/* Is op written out on processor p? What it becomes then, in `out`. */
bool hs_groups_write_out(const struct hs_system *sys, const struct hs_graph *g, const struct hs_operator *op, int p, struct hs_groups *out);

#endif
