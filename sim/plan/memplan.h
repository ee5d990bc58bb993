/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Memory planning: where in an arena each buffer of a program lies, so that buffers which are never alive at once share memory.
 * Greedy by size, as TensorFlow Lite's arena planner does it (v2.11, arena_planner.cc; Y. Pisarchyk, J. Lee, "Efficient Memory
 * Management for Deep Neural Net Inference", MLSys 2020 workshop, Algorithm 3): the largest buffer first, each into the
 * smallest gap that fits between those which are already placed and alive at some time with it, or else above them.
 *
 * Lives are in program order, as for hs_program.peak_memory_bytes: operators that run ahead of it would have to wait. */
#ifndef HS_MEMPLAN_H
#define HS_MEMPLAN_H

#include "plan/program.h"

struct hs_memplan {
  double arena_bytes;     /* sum of the arenas, one per place */
  double most_live_bytes; /* what no plan is smaller than: of each place what is alive at once, at most */
  double unshared_bytes;  /* without reuse: a place of its own for every buffer */
};

/* All sizes are rounded up to 64 bytes, TensorFlow Lite's alignment. offsets[n], in the arena of the buffer's place, may be NULL. */
void hs_memplan(const struct hs_buffer *buffers, int n, int64_t *offsets, struct hs_memplan *plan);

#endif
