/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plan/copies.h"

void hs_deps_add(struct hs_deps *d, const struct hs_deps *more)
{
  for (int p = 0; p < HS_PROCESSORS_MAX; p++)
    if (more->newest[p] > d->newest[p]) d->newest[p] = more->newest[p];
}

static int64_t least(int64_t a, int64_t b) { return a < b ? a : b; }
static int64_t most(int64_t a, int64_t b) { return a > b ? a : b; }

/* Everything, seen as a range of one dimension. NONE is a dimension of extent 1. */
static struct hs_range all(const struct hs_shape *shape, enum hs_split split) { return (struct hs_range){split, 0, hs_shape_extent(shape, split)}; }

/* The first stretch of r that c lacks, NONE being like any other dimension; begin >= end if there is none. */
static struct hs_range gap(const struct hs_copy *c, struct hs_range r)
{
  int64_t begin = c->whole ? r.end : r.begin, end = r.end;
  for (const struct hs_copy_piece *p = c->pieces[r.split]; p && p->begin < end && begin < end; p = p->next) {
    if (p->begin > begin)
      end = p->begin;
    else
      begin = most(begin, p->end);
  }
  return (struct hs_range){r.split, begin, end};
}

static void insert(struct hs_copy *c, struct hs_arena *a, struct hs_range r, const struct hs_deps *ready)
{
  struct hs_copy_piece **at = &c->pieces[r.split], *piece = HS_NEW(a, struct hs_copy_piece);
  while (*at && (*at)->begin < r.begin) at = &(*at)->next;
  *piece = (struct hs_copy_piece){r.begin, r.end, *ready, *at};
  *at = piece;
}

/* Is c everything now that it holds more of this dimension? Then it needs no other. */
static void complete(struct hs_copy *c, const struct hs_shape *shape, enum hs_split split)
{
  struct hs_range rest = gap(c, all(shape, split));
  c->whole = rest.begin >= rest.end;
  for (int other = 0; other < HS_SPLIT_N && c->whole; other++)
    if (other != (int)split) c->pieces[other] = NULL;
}

void hs_copy_hold(struct hs_copy *c, struct hs_arena *a, const struct hs_shape *shape, struct hs_range r, const struct hs_deps *ready)
{
  if (c->whole) return;
  double everything = (double)hs_shape_elements(shape);
  if (r.split == HS_SPLIT_NONE) r = all(shape, HS_SPLIT_NONE);
  while (r.begin < r.end) {
    struct hs_range lacks = gap(c, r);
    r.begin = lacks.end;
    if (lacks.begin >= lacks.end) continue;
    insert(c, a, lacks, ready);
    c->elements += hs_range_elements(shape, lacks);
  }
  complete(c, shape, r.split);
  if (c->whole || c->elements > everything) c->elements = everything; /* pieces of two dimensions share elements */
}

struct hs_range hs_copy_lacking(const struct hs_copy *c, struct hs_range r) { return gap(c, r); }

struct hs_range hs_copy_held(const struct hs_copy *c, struct hs_range r)
{
  struct hs_range held = {r.split, r.end, r.end};
  if (c->whole) return r;
  for (const struct hs_copy_piece *p = c->pieces[r.split]; p && p->begin < r.end; p = p->next) {
    if (p->end <= r.begin) continue;
    if (held.begin == r.end)
      held.begin = most(p->begin, r.begin);
    else if (p->begin > held.end)
      break;
    held.end = least(p->end, r.end);
  }
  return held;
}

bool hs_copy_covers(const struct hs_copy *c, struct hs_range r)
{
  return c->whole || (r.split != HS_SPLIT_NONE && hs_range_empty(gap(c, r)));
}

void hs_copy_ready(const struct hs_copy *c, struct hs_range r, struct hs_deps *wait)
{
  for (int split = 0; split < HS_SPLIT_N; split++)
    for (const struct hs_copy_piece *p = c->pieces[split]; p; p = p->next)
      if (split != HS_SPLIT_NONE && split == (int)r.split ? p->begin < r.end && p->end > r.begin : c->whole) hs_deps_add(wait, &p->ready);
}
