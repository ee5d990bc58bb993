/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The rules by which one CPU core is shared in time: Linux's Completely Fair Scheduler (kernel/sched/fair.c of Linux 4.14 to 5.x, which
 * phones of these SoCs run). Times are in seconds, virtual time is time weighed by 1024 / weight. Ticks are left out: a slice ends when it
 * is over, not at the next tick; who is still furthest behind then has another, in the kernel only the time up to the first tick at
 * which somebody else is. Groups, buddies and moves from core to core are left out, too, and that a slice ends early where somebody is behind by more. */
#ifndef HS_CFS_H
#define HS_CFS_H

#include "input/soc.h"

struct hs_cfs_thread {
  double vruntime_s, weight;
  struct hs_cfs_thread *next;
};

/* A core's run queue. Zeroed: nothing there. */
struct hs_cfs {
  struct hs_cfs_thread *threads; /* those that want to run, the current one included; who waits longest is first */
  struct hs_cfs_thread *current; /* NULL: none */
  double min_vruntime_s;
  int n;
};

/* Of nice in [-20, 19], by the kernel's table sched_prio_to_weight (kernel/sched/core.c): 1024 at 0, a step is a factor of about 1.25. */
double hs_cfs_weight(int nice);

/* The thread wants to run from now on. Who slept long gets half a latency of credit, not more (GENTLE_FAIR_SLEEPERS). */
void hs_cfs_wake(struct hs_cfs *q, const struct hs_scheduler *rules, struct hs_cfs_thread *t);
void hs_cfs_sleep(struct hs_cfs *q, struct hs_cfs_thread *t);

/* Does a thread that just woke up take the core from the current one at once? */
bool hs_cfs_preempts(const struct hs_cfs *q, const struct hs_scheduler *rules, const struct hs_cfs_thread *t);

/* Makes the thread with the least virtual time the current one, of several the one that waits longest; NULL: nobody wants to run. */
struct hs_cfs_thread *hs_cfs_pick(struct hs_cfs *q);

/* How long the current thread may run from when it was picked, by how many want to run now; INFINITY if it is alone. */
double hs_cfs_slice_s(const struct hs_cfs *q, const struct hs_scheduler *rules);

/* The current thread ran for that time. */
void hs_cfs_ran(struct hs_cfs *q, double seconds);

#endif
