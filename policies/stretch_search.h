/* SPDX-License-Identifier: GPL-3.0-or-later */
/* NN-Stretch's search (MobiSys 2023, Sec. 4): of which stages a segment is made, and how the branch of each processor is scaled. It knows what an
 * operator costs and nothing of accuracy, for which the bounds stand. */
#ifndef HS_STRETCH_SEARCH_H
#define HS_STRETCH_SEARCH_H

#include "policies/policy.h"
#include "policies/stretch_units.h"

struct hs_stretch_bounds {
  double alpha, beta;  /* Eq. 4 and 5 */
  double floor;        /* least ratio of depth and of width */
  double capacity;     /* MACs of a segment's branches ÷ the original's, at least */
  bool depth, width;   /* what may be scaled */
};

/* What is stretched, over what, and where to put it. */
struct hs_stretch {
  const struct hs_view *v;
  const struct hs_stages *stages;
  int processor[HS_KIND_N]; /* first of each kind that the runtime can use, or -1 */
  struct hs_stretch_bounds bounds;
  struct hs_arena scratch;
  char why[200];            /* the last thing that couldn't be */
  struct hs_stretch_costs *costs; /* the search's own, in `scratch`; NULL before the first search */
};

/* A network cut into segments, and the kind of processor that each branch is for. */
struct hs_branching {
  int n;
  struct hs_segment *segments;
  int (*kinds)[HS_STRETCH_BRANCHES_MAX]; /* [segment][branch] */
};
struct hs_branching hs_branching_new(struct hs_arena *a, int n);
/* Another branch of a segment; it has no 1x1 convolution that restores channels yet. */
void hs_branching_add(struct hs_branching *x, int segment, int kind, const int *kept, double width);

/* Kinds of a set (a bit per enum hs_kind) in the order in which branches are handed out; how many. */
int hs_stretch_kinds(unsigned set, int *kinds);

/* The fastest branches within all bounds, in s->scratch; a segment that has none stays whole, on one of the set. */
void hs_stretch_search(struct hs_stretch *s, unsigned set, struct hs_branching *out);

#endif
