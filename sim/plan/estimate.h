/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The duration of a program when nothing else runs and no two tasks share bandwidth or cores: a walk over the tasks in
 * program order with one queue per processor. Policies search with it; the engine must agree with it to 1e-9. */
#ifndef HS_ESTIMATE_H
#define HS_ESTIMATE_H

#include "plan/program.h"

struct hs_estimate {
  double latency_s;
  double energy_j; /* dynamic, and static while busy, of tasks and of threads that wait for the next one (model/spin.h) */
};

/* start_s and end_s (each n_tasks long) may be NULL. */
void hs_estimate_program(const struct hs_system *sys, const struct hs_program *prog, struct hs_estimate *out, double *start_s,
                         double *end_s);

/* Competition on one processor: tasks of others waiting or running there, on average, how long one of them runs, and how long the one that
 * runs now still does (0: none does; NAN: it isn't known). And how far its clock is behind. */
struct hs_competition {
  double others;    /* tasks; of a CPU on the core that has most of them */
  double spread;    /* of a CPU: on how many cores they are at a time, as if all of these had as many */
  double service_s;
  double left_s;
  double lag;       /* how much longer its cycles take than at the system's frequencies, as a part of that: 0 at these, 1 at half of them */
  double outside;   /* of `others`, those that are no inference's: a GPU with context_slice_s keeps them waiting while inferences have something queued */
};

/* Duration of the program among others, delays at any clock: work on a CPU's cores shares them with `others` tasks, of which those on `spread` cores keep the
 * last thread waiting where slices of time are shared, and a task of an accelerator first waits for those before it in the queue. The first time that is what
 * is left of the task in service now, unless it has ended by then, and the queue behind it; whenever the program comes back after it had left the queue, the
 * queue but half of the task in service. In between, those from outside are waited for once per slice of a GPU that has them. load: [processor]. */
double hs_estimate_under(const struct hs_system *sys, const struct hs_program *prog, const struct hs_competition *load);

/* Duration of one task alone. */
double hs_task_seconds(const struct hs_system *sys, const struct hs_task *t);

/* Power of a task while it runs: dynamic, and static of the domains it keeps powered. A delay takes neither. */
double hs_task_dynamic_w(const struct hs_system *sys, const struct hs_task *t);
double hs_task_static_w(const struct hs_system *sys, const struct hs_task *t);

#endif
