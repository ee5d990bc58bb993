/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lowering: placement → program. The one place where communication is born, so that every policy pays the same prices:
 *
 *  host → GPU          MAP (host), SYNC (host), and where layout or precision differ LAUNCH (host) + TRANSFORM (GPU)
 *  GPU → host          where they differ LAUNCH + TRANSFORM (GPU), then SYNC (host) once for everything it covers, MAP (host).
 *                      SYNC is longer where they differ, as an idle GPU has to begin with the conversion (hs_comm_wait_seconds())
 *                      Of an operator placed `early`, LAUNCH and TRANSFORM stand right behind its kernel, and SYNC counts from their end
 *  host → DSP or NPU   TRANSFORM (host) where precision differs, then MAP and SYNC (host) of what it made, and RPC when the slice is
 *                      invoked
 *  DSP or NPU → host   RPC when the slice returns, SYNC and MAP (host), TRANSFORM (host) where precision differs
 *  between accelerators  through the host
 *  every kernel of an accelerator that the host enqueues   LAUNCH (host)
 *
 * What an invocation costs besides (start_cycles) is in the first kernel of each slice that a DSP or NPU is invoked for, and in the first of the program on
 * a CPU or GPU: there the steps above were measured between one kernel and the next (doc/cost-model.md, What starts).
 *
 * Of a range that a place needs only what it lacks moves, from wherever that lies; of a whole tensor what it lacks along one
 * dimension. A task waits for the pieces that it reads. (plan/copies.h; the tasks themselves: plan/emit.h)
 *
 * Where the system limits kernels of the GPU to kernel_s, a longer one (conversions, too) becomes as few launches as keep within it (the
 * first one but for what an invocation costs), one after the other in the GPU's queue: each does its share of the rows of the result (fours
 * of channels where that has one row), at least one, so of the work and the traffic, and has its LAUNCH and the start-up of a whole kernel.
 * That few rows fill the GPU less well, or read weights again, isn't modelled. Where the system has a window of N, the host waits (SYNC)
 * for every N-th launch before it does anything else, as MACE's enqueuing thread does; the count starts anew with each program.
 *
 * Inputs of the network start in the host's memory and its outputs end there. Steps of a GPU's crossings and its LAUNCHes are tasks however
 * little they cost, so that a cost of 0 is the limit of small ones. Of a DSP or NPU, which is handed whole graphs, a step that costs nothing makes
 * no task: the host's thread has no part in it and goes on meanwhile, as where all that a call takes was measured as RPC.
 * Parts of a chain share nothing in between: each computes what its part of the next operator reads, which may be more than its share
 * (halo: rows that both read are computed twice) or less, and what that pads, too (hs_border_for()); at the end of the chain the result is
 * brought together in the memory of `home`. Where that is an accelerator's, the host gives up what it computed of it, as CoDL's executor
 * does, and fetches it again where it is read there; so it does with what it fetched for its part of an operator or for all of it, where
 * the accelerator has all of that. */
#ifndef HS_LOWER_H
#define HS_LOWER_H

#include "plan/estimate.h"
#include "plan/placement.h"
#include "plan/program.h"

/* pl must have passed hs_placement_check(). Fails when the network doesn't fit the phone's memory (HS_INPUT), or a task would never end (HS_ENGINE,
 * hs_program_ends()). The program is owned by the caller. */
enum hs_status hs_lower(const struct hs_system *sys, const struct hs_graph *g, const struct hs_placement *pl,
                        struct hs_program **program, struct hs_error *err);

/* The same for operators [from, to) alone: what they read from before starts in the host's memory, and what is read after
 * them ends there. Every operator of the piece must have parts. */
enum hs_status hs_lower_piece(const struct hs_system *sys, const struct hs_graph *g, const struct hs_placement *pl, int from, int to,
                              struct hs_program **program, struct hs_error *err);

/* What operators [from, to) take, whose program nobody needs. */
enum hs_status hs_lower_estimate(const struct hs_system *sys, const struct hs_graph *g, const struct hs_placement *pl, int from, int to,
                                 struct hs_estimate *out, struct hs_error *err);

#endif
