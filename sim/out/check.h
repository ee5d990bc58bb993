/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The invariants every timeline must keep, whatever the policies: a run that breaks one is a bug of ours. The tests check
 * every simulation they make; `hetsim run --check` does so for a user. */
#ifndef HS_CHECK_H
#define HS_CHECK_H

#include "out/metrics.h"
#include "out/timeline.h"
#include "serve/serve.h"

/* What was run: a timeline with all its requests, and what was reported of it. */
struct hs_checked_run {
  const struct hs_system *sys;
  int n_networks;
  const struct hs_network *networks;
  const struct hs_timeline *timeline;
  int n_outcomes;
  const struct hs_outcome *outcomes;    /* of the requests that ended, in that order */
  const int *unfinished;                /* [n_networks]; requests that came and did not end: of them less than everything may have run.
                                         * NULL: all ended */
  const struct hs_metrics *metrics;     /* of all networks */
  const struct hs_metrics *of_networks; /* [n_networks]; NULL: there is one network */
  const struct hs_scenario *scenario;   /* what else happened; NULL: nothing */
  bool noise;                           /* durations scatter where something is known of it (serve/noise.h) */
};

/* HS_UNMET, with the rule and the task, at the first breach of the rules below; HS_POLICY where a placement that ran breaks
 * its contract. A request runs one program after the other (the whole network, or pieces of alternatives of its plan).
 *  - Every task of every program of a request ran once, as soon as its dependencies, the task before it in its queue and
 *    its processor allowed, and not faster than alone. A request that ended ran all operators of its network, in order.
 *  - Of one request no two tasks overlap on one processor, and they ran in program order. An accelerator runs one task at a
 *    time over all requests, by priority and then in the order in which they became ready. Requests share a CPU: their shares of its time add up
 *    to the time in which it worked.
 *  - Requests came when their network's pattern, or the end of the one before, says; numbers are in order of arrival. What
 *    was reported of their ends is when their last task was done.
 *  - Busy times, energies, task times and latencies of the report are those of the tasks and requests.
 *  - A task takes its power times its share, and moves its bytes.
 *  - hs_check_program() of every program that ran.
 *  - Tasks take their exact time; with noise those that have a distribution a factor > 0 of it.
 * A scenario leaves of that:
 *  - with processes or a display: an accelerator that they use may keep a task waiting for no other request, and shares of a CPU
 *    that they use add up to no more than the time in which it worked;
 *  - with governors: a task is not faster than alone at the highest frequencies (as a fluid, but for cores that wait for the
 *    one that calls in cycles of the clocks at the beginning), and takes no more power than there; with temperatures: no more than
 *    at the highest one there can be (HS_TEMPERATURE_MAX_C);
 *  - with a hit rate of the cache that is set: bytes are (1 - h) / (1 - h0) times the task's own; with processes: no less than
 *    its own, no more than with no hit at all. */
enum hs_status hs_check_run(const struct hs_checked_run *run, struct hs_error *err);

/* What holds for a program, whenever it runs:
 *  - every operator of it runs where its mask allows, each of its parts once; the phone's memory suffices;
 *  - a task moves no more than its tensor has, and all together bring no more of it to a place than the place doesn't
 *    compute itself (for a tensor that is cut in several dimensions: once in each). */
enum hs_status hs_check_program(const struct hs_program *prog, struct hs_error *err);

#endif
