/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A part of an operator's output, as its kernel sees it: what the work of any kernel is counted over. */
#ifndef HS_PART_H
#define HS_PART_H

#include "model/range.h"

struct hs_part {
  double rows, width, channels; /* rows of all images; rows of features, and of each matrix, lie side by side */
  double matrices;              /* products that are computed one by one */
  double in_channels;           /* of one group */
  double share;                 /* of the operator's work */
};

/* `border`: rows and columns that are computed around it; `share`: of the operator's output elements that are in the range. */
struct hs_part hs_part_of(const struct hs_graph *g, const struct hs_operator *op, struct hs_range range, struct hs_border border, double share);

#endif
