/* SPDX-License-Identifier: GPL-3.0-or-later */
/* CPU cores that are shared in slices of time, as Linux does (device/cfs.h, slices.h). A task is cut into a thread per core, each with its part of
 * cycles and bytes, and ends with the last; while nobody else wants its cores it stays one execution, cut when somebody comes. */
#ifndef HS_CORES_H
#define HS_CORES_H

#include "engine/engine_parts.h"

void hs_cores_open(struct hs_queue *q);
/* For the worker's actor: runs its task; waits until it is done. */
void hs_cores_run(struct hs_worker *w);
/* The same for the actor that goes on after the task was cut and the one before killed. */
void hs_cores_run_rest(struct hs_worker *w);
/* For an accelerator's worker: its thread on the host calls the accelerator for its task, an RPC, which takes that thread as long as the task says,
 * on a core at its highest OPP. */
void hs_cores_call(struct hs_worker *w);
/* Frequency of a core. */
void hs_cores_set_level(struct hs_queue *q, int host, int level);
/* Memory is short: who is counted on by the clock alone has to be simulated. */
void hs_cores_crowd(struct hs_queue *q);
/* A job has ended and needs its threads no more. */
void hs_cores_leave(struct hs_job *j);
void hs_cores_free(struct hs_queue *q);

#endif
