/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where NN-Stretch may let branches meet: the units of a network (its building blocks: residual units, fire modules,
 * convolutions) and its stages, runs of units whose results have one shape. */
#ifndef HS_STRETCH_UNITS_H
#define HS_STRETCH_UNITS_H

#include "plan/pass.h"

struct hs_stages {
  struct hs_units units;
  int n;
  int *stage; /* [n + 1]: unit at which each stage begins; in order, the last entry is where the head begins */
};

/* Units end where one tensor crosses and, in a network with block labels, a block ends. What comes before the first stage
 * is the stem (the unit that reads the network's input), what comes after the last the head (from the first result
 * that is no feature map any more). n is 0 where a network has no such middle. All in `a`. */
struct hs_stages *hs_stages_find(const struct hs_graph *g, struct hs_arena *a);

/* Channels of what enters a stage. */
int64_t hs_stages_channels(const struct hs_stages *s, const struct hs_graph *g, int stage);
/* Stages [first, last), which have no branch yet. Its grain, of the widths of branches: multiples of eight, and whole groups of every grouped convolution. */
struct hs_segment hs_stages_segment(const struct hs_stages *s, const struct hs_graph *g, int first, int last);
/* Channels to which the branches' 1x1 convolutions bring them, in proportion to what they have, so that they add up to the original's. None has 0, if there
 * are enough. */
void hs_segment_restore(struct hs_segment *seg, int64_t channels);

#endif
