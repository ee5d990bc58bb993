/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which operators of a network a delegate takes, where it doesn't take all that its processor could run. */
#ifndef HS_DELEGATE_H
#define HS_DELEGATE_H

#include "input/graph.h"

/* runs[i]: could a delegate run operator i of g? Clears all but those of the `limit` partitions (0: any number) of most operators, of equals the first ones,
 * and returns how many partitions there were. A partition is what runs without anything of the other kind
 * in between: in the order of the network, all operators of the first one's kind whose inputs are there, then all of the other kind, and so on
 * (TensorFlow Lite v2.10, graph_info.cc, PartitionGraphIntoIndependentNodeSubsets(); delegates/utils.cc, GetFirstNLargestPartitions()). */
int hs_delegated(const struct hs_graph *g, int limit, bool *runs);

#endif
