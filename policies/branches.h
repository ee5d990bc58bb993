/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Parallel branches of a network: between a fork (a tensor that several operators read) and a join (the first operator
 * that needs what all of them lead to), as in Inception's and SqueezeNet's blocks. */
#ifndef HS_BRANCHES_H
#define HS_BRANCHES_H

#include "input/graph.h"

enum { HS_BRANCHES_MAX = 16 };

struct hs_fork {
  int tensor;      /* read by all branches */
  int first, join; /* operators [first, join) are the branches' */
  int n;           /* branches with operators, 2 to HS_BRANCHES_MAX; one that hands the tensor on to the join isn't counted */
  int *branch;     /* [join - first]: which branch an operator is of; numbered in the order of their first operators */
};

/* Do parallel branches begin at operator `first`? Every operator of theirs reads only the forked tensor or results of its
 * own branch, and nobody but the branch and the join reads those. A fork inside a branch is part of that branch: it is found
 * by asking for its own first operator. `branch` lives in `a`. */
bool hs_fork_at(const struct hs_graph *g, int first, struct hs_fork *fork, struct hs_arena *a);

#endif
