/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Branch structures that NN-Stretch's authors released: units (depth) and channels (width) of every stage and branch. */
#ifndef HS_STRETCH_RELEASED_H
#define HS_STRETCH_RELEASED_H

#include "input/graph.h"

enum { HS_RELEASED_STAGES_MAX = 7 };

struct hs_released_branch {
  int units, width;
};

struct hs_released {
  const char *socs;  /* of the phones that it was made for, with a space before and after each */
  const char *model, *processors; /* "cpu+gpu" */
  int n_stages;
  bool restored;     /* 1x1 convolutions bring the branches to the original's channels; else they meet as wide as they are */
  enum hs_kind ends; /* where stem and head run */
  struct hs_released_branch branches[HS_KIND_N][HS_RELEASED_STAGES_MAX]; /* [kind][stage] */
};

/* NULL if nothing was released. */
const struct hs_released *hs_released_find(const char *soc, const char *model, const char *processors);

#endif
