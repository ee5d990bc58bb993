/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "input/graph.h"

#include "fuzz.h"

HS_FUZZ(hs_graph_parse, struct hs_graph, hs_graph_free)
