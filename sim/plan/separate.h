/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Memory of a runtime that shares none: every operator has its weights, inputs and output to itself, for as long as the network is loaded. */
#ifndef HS_SEPARATE_H
#define HS_SEPARATE_H

#include "plan/placement.h"

/* Of each operator its weights and what it reads and writes, whole, where its result belongs. A part of it that is computed elsewhere has the weights
 * that it needs once more; what a processor reads and writes elsewhere is there once, for the largest of each. So CoDL's release counts what its paper
 * shows as memory (csu-eis/CoDL@0a0c89d, op_chain_helper.cc, CalcTotalMemoryUsage). */
double hs_separate_bytes(const struct hs_system *sys, const struct hs_graph *g, const struct hs_placement *pl);

#endif
