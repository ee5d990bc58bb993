/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the places (the host's memory, or an accelerator's) hold of a tensor while a placement is lowered: pieces, each a
 * range of one dimension, and the tasks after which a piece is there. Pieces are never joined, so that who reads one
 * doesn't wait for its neighbour; how many there are is bounded by the parts that write and the readers that fetch. */
#ifndef HS_COPIES_H
#define HS_COPIES_H

#include "model/cost.h"

/* Tasks to wait for: per processor the newest, which implies all before it because queues are in order. Numbers are
 * task + 1, so that zeroed memory waits for nothing. */
struct hs_deps {
  int newest[HS_PROCESSORS_MAX];
};

struct hs_copy_piece {
  int64_t begin, end;
  struct hs_deps ready;
  struct hs_copy_piece *next;
};

/* One place's copy of one tensor; zeroed, it holds nothing. */
struct hs_copy {
  struct hs_copy_piece *pieces[HS_SPLIT_N]; /* by dimension; in order, none touches another's range. NONE: all as [0, 1) */
  bool whole;                          /* one dimension's pieces are everything; the other lists are then empty */
  double elements;                     /* that lie there */
};

void hs_deps_add(struct hs_deps *d, const struct hs_deps *more);

/* From now on c holds r too, which is of a tensor of this shape. What it held before keeps its own tasks. */
void hs_copy_hold(struct hs_copy *c, struct hs_arena *a, const struct hs_shape *shape, struct hs_range r, const struct hs_deps *ready);

/* The first stretch of r that c holds, or that it lacks; empty if there is none. r isn't NONE. */
struct hs_range hs_copy_held(const struct hs_copy *c, struct hs_range r);
struct hs_range hs_copy_lacking(const struct hs_copy *c, struct hs_range r);

/* Does c hold all of r, which may be NONE (everything)? */
bool hs_copy_covers(const struct hs_copy *c, struct hs_range r);

/* Adds to *wait the tasks after which r, which c covers, is there. */
void hs_copy_ready(const struct hs_copy *c, struct hs_range r, struct hs_deps *wait);

#endif
