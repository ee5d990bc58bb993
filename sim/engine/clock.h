/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A living phone, whose CPU cores are shared in slices of time (slices.h), by the clock: what runs goes as fast as follows from cores, ports and memory
 * (flow.h) until something happens to it, so all of it is played in arithmetic, in the order of time, up to when the caller wants to be asked or a
 * task ends. The simulator's clock is moved on to that moment, and workers, which are no actors here, are told. */
#ifndef HS_CLOCK_H
#define HS_CLOCK_H

#include "engine/engine_parts.h"

void hs_clock_open(struct hs_engine *e);
void hs_clock_free(struct hs_engine *e);
/* The run. */
void hs_clock_drive(struct hs_engine *e);

/* Something has changed: it is looked at in this instant. */
void hs_clock_ring(struct hs_engine *e);
/* The worker's task goes on in one piece, alone on its cores. */
void hs_clock_begin(struct hs_worker *w);
void hs_clock_begin_delay(struct hs_worker *w, double seconds);
/* It doesn't any more: w->flow.left is what is left of it. */
void hs_clock_break_off(struct hs_worker *w);
/* It has ended, and hears it in this instant. */
void hs_clock_end(struct hs_worker *w);
/* A core has another level. */
void hs_clock_change_level(struct hs_queue *q);

#endif
