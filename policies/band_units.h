/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Band's sub-graphs (MobiSys 2022): which worker runs which operators, and the units that no sub-graph cuts. */
#ifndef HS_BAND_UNITS_H
#define HS_BAND_UNITS_H

#include "policies/policy.h"

/* One alternative per worker (the first processor of each kind), named after it. With `partition` an operator that a
 * worker doesn't run has no parts there, and supported sets of fewer than `minimum` operators count as unsupported except
 * on the CPU or where nobody else runs them; the network's operators are put in the order of units where they aren't. Without, the worker's
 * interpreter runs all, falling back as TensorFlow Lite does. */
enum hs_status hs_band_plan(const struct hs_view *v, bool partition, int minimum, struct hs_plan *plan, struct hs_error *err);

/* Unit sub-graphs of such a plan: all operators with the same set of workers that can be known when the units before are, whatever branch they are on.
 * Fills unit[n + 1] with the operators where they begin (room for n_ops + 1), and returns n. */
int hs_band_units(const struct hs_plan *plan, int *unit);

/* Which rows of units are one sub-graph where they are on one worker: a unit is, and two neighbours are where what the second reads from before it all comes
 * from the first (MergeUnitSubgraphs()). Fills merges[n * n]: [i * n + j], units i to j. */
void hs_band_merges(const struct hs_graph *g, const int *unit, int n, bool *merges);

#endif
