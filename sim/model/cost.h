/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The cost model: work of one operator, or of one part of it, on one processor. Work, not time: cycles per core and DRAM bytes, so that the engine can
 * stretch it when frequency or bandwidth change under way. doc/cost-model.md has every term, where it comes from, and two operators by hand.
 *
 *   time   = max(cycles / f of the slowest core, bytes / bandwidth)
 *   cycles = (overhead + serial) on the fastest core, for which the others wait + fork + shared / threads, of every core taken
 *   serial + shared = work / rate + cycles in which data goes through caches
 *   rate   = macs_per_cycle(precision) · efficiency(class) · saturation(ln N·H·W·C↑) · depth / (depth + reduction_half)
 *   bytes  = traffic_factor · max(0, (input + output) · element size - local_bytes) + (weights + refetch(class) · MACs) · element size
 *
 * portion.h is the part as its kernel sees it; products.h what multiplies (launch.h, and shader_cost.h of PyTorch's Vulkan, where that is launched otherwise;
 * packing.h, ncnn's choice of kernels); turn.h what changes layouts; threads.h who does which share of it (blocks.h, ruy's); spread.h what that is on each
 * core; linked.h what has no kernel of its own, groups.h what is written out as several. Here are what starts, what is light, what goes through caches, and
 * what goes to DRAM.
 *
 * More work of the same kind takes no less time, but by steps of a framework's own, and two artefacts: doc/cost-model.md says which. */
#ifndef HS_COST_H
#define HS_COST_H

#include "model/range.h"
#include "model/work.h"

/* Work of `range` of op on processor p, which must support it. op is one of g->ops: the operators beside it decide, too, what is joined to it. */
void hs_cost_exec(const struct hs_system *sys, const struct hs_graph *g, const struct hs_operator *op, int p,
                  struct hs_range range, struct hs_work *out);

/* The same, with a border, of which all is taken to be computed, read and written. apart: op isn't joined to that which hs_cost_joined_to() names, and has
 * a kernel of its own; nor is a Pad joined to op that would be. */
void hs_cost_exec_bordered(const struct hs_system *sys, const struct hs_graph *g, const struct hs_operator *op, int p, struct hs_range range,
                           struct hs_border border, bool apart, struct hs_work *out);

/* Elements of transformed filters that processor p keeps for `range` of op (hs_products_kept_weights()), of all groups where it writes these out. */
double hs_cost_kept_weights(const struct hs_system *sys, const struct hs_graph *g, const struct hs_operator *op, int p, struct hs_range range);

/* The operator to whose kernel op is joined on p, if that runs there, too, itself if it is nothing there; -1: it has a kernel of its own. */
int hs_cost_joined_to(const struct hs_system *sys, const struct hs_graph *g, const struct hs_operator *op, int p);

/* Adds what an invocation costs: to the first work of each on a DSP or NPU, of a program on a CPU or GPU. */
void hs_cost_start(const struct hs_system *sys, int p, struct hs_work *w);

/* That by itself, on all units; and how long it takes, at a level or (-1) as the system is set. */
struct hs_work hs_cost_start_alone(const struct hs_system *sys, int p);
double hs_cost_start_seconds(const struct hs_system *sys, int p, int opp);

/* hs_cost_exec() and hs_work_seconds() of the whole operator: what a policy asks most often. */
double hs_cost_seconds(const struct hs_system *sys, const struct hs_graph *g, const struct hs_operator *op, int p, int opp);

#endif
