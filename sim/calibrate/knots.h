/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where a kernel's curve of rates over sizes has its knots, so that rows can be fitted to it. */
#ifndef HS_KNOTS_H
#define HS_KNOTS_H

#include "input/kernel.h"

/* Knots one apart in ln(size), or further where fewer than ten rows lie in between. The first stands where the rows begin: one below them would only be the
 * end of a line through them, and the line may come down to nothing there. ln: of n rows, ascending. at[HS_KNOTS_MAX]: where they are; returns how many, three
 * at least or 0. */
int hs_knots_where_rows_are(const double *ln, int n, double *at);

/* One kernel's curve to another. */
void hs_knots_copy(const struct hs_kernel *from, struct hs_kernel *to);

/* Are there rows between the knots beside it? ln: of n rows. What they say with the curve of before is another thing, which may have been too steep to matter. */
bool hs_knots_have_rows(const struct hs_kernel *k, int knot, const double *ln, int n);

/* Knots of a coarser curve at whole numbers where rows are, on its own lines, so that it says what it said and can be fitted. ln: of n rows, ascending. */
void hs_knots_refine(struct hs_kernel *k, const double *ln, int n);

#endif
