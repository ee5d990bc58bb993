/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What competes with inferences for processors in a scenario: processes, which put their bursts on cores and accelerators, and the display,
 * which draws frames. They hand the engine programs of their own, with request numbers < 0. */
#ifndef HS_COMPETITORS_H
#define HS_COMPETITORS_H

#include "device/scenario.h"
#include "engine/engine.h"

/* Frames of the display. A frame is janky if it is done later than one interval after its vsync (AOSP's JankTracker). One that hasn't begun when the next
 * vsync comes, or when the run ends, is dropped; one that is under way when the run ends is neither drawn nor dropped. */
struct hs_frames {
  long vsyncs, begun, drawn, janky;
  double worst_s; /* from a frame's vsync until it is drawn */
};

/* Vsyncs for which no frame was begun ÷ all. */
double hs_frames_dropped_frac(const struct hs_frames *f);

struct hs_competitors;

/* `seed`: of the random streams of processes. Freed by hs_competitors_free(). */
struct hs_competitors *hs_competitors_new(const struct hs_system *sys, const struct hs_scenario *scenario, uint64_t seed);
void hs_competitors_free(struct hs_competitors *c); /* NULL is fine */

/* Submits what comes now; returns when the next comes that doesn't wait for one to end. */
double hs_competitors_turn(struct hs_competitors *c, struct hs_engine *e, double now_s);

/* A job with a request number < 0 has ended. */
void hs_competitors_done(struct hs_competitors *c, int request, double end_s);

/* Of all processes in the last-level cache, until *next_s. */
double hs_competitors_footprint_bytes(const struct hs_competitors *c, double now_s, double *next_s);

/* Of a task of this niceness on a core. */
int hs_competitors_weight(const struct hs_competitors *c, int nice);

struct hs_frames hs_competitors_frames(const struct hs_competitors *c);

#endif
