/* SPDX-License-Identifier: GPL-3.0-or-later */
/* CPU cores that are shared in slices of time, as Linux does (device/cfs.h, slices.h). A task is cut into a thread per core, each with its part of
 * cycles and bytes, and ends with the last; while nobody else wants its cores it stays in one piece, cut when somebody comes. By the clock: nothing
 * here waits (clock.h). */
#ifndef HS_CORES_H
#define HS_CORES_H

#include "engine/engine_parts.h"

/* What the host does for an accelerator, with one thread: where its core is busy, moves it to an idle one of its CPU, or of those that --cores names, as
 * Linux does when it wakes a thread up. Before it is counted as running. */
void hs_cores_move(struct hs_worker *w);
/* Begins the worker's task. */
void hs_cores_run(struct hs_worker *w);
/* An accelerator's worker: its thread on the host calls the accelerator for its task, an RPC. That takes the thread as long on a core as the task
 * says, whatever the clock: what is known of RPCs are durations, most of which pass in the driver and on the other side. */
void hs_cores_call(struct hs_worker *w);
/* Who called has come back. Returns the accelerator's worker. */
struct hs_worker *hs_cores_end_call(struct hs_worker *caller);
/* The worker's task is over, or cut: its cores are free. */
void hs_cores_vacate(struct hs_worker *w);
/* A job has ended and needs its threads no more. */
void hs_cores_leave(struct hs_job *j);

#endif
