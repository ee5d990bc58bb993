/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The invariants every timeline must keep, whatever the policy: a run that breaks one is a bug of ours. The tests check
 * every simulation they make; `hetsim run --check` does so for a user. */
#ifndef HS_CHECK_H
#define HS_CHECK_H

#include "out/metrics.h"
#include "out/timeline.h"
#include "plan/placement.h"

/* What was run: a timeline with all its requests, and what was reported of it. */
struct hs_checked_run {
  const struct hs_system *sys;
  const struct hs_graph *graph;
  const struct hs_placement *placement;
  const struct hs_timeline *timeline;
  const struct hs_metrics *metrics;
  double period_s; /* between arrivals, the first at 0; or 0: one after the other */
};

/* HS_UNMET, with the rule and the task, at the first breach of:
 *  - every task of every request ran once, after its dependencies, not faster than alone;
 *  - no two tasks overlap on one processor, and they ran in program order;
 *  - every operator ran where its mask allows, each of its parts once; slices and the phone's memory suffice;
 *  - a task moves no more than its tensor has, and all together bring no more of it to a place than the place doesn't
 *    compute itself (for a tensor that is cut in several dimensions: once in each);
 *  - busy times, energies and communication of the report are the sums over the tasks, latencies the time from a
 *    request's arrival to its last task. */
enum hs_status hs_check_run(const struct hs_checked_run *run, struct hs_error *err);

#endif
