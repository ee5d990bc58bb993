/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a plan would take with one operator moved. */
#ifndef HS_WHAT_IF_H
#define HS_WHAT_IF_H

#include "plan/lower.h"

/* Of a program when nothing contends; differences, too, which may be negative. */
struct hs_totals {
  double latency_s, energy_j;
  double communication_s, start_s; /* sums of tasks; start_s: of what invocations cost that begin with one */
};

/* How much more `program`, a piece of pl lowered, would take with its operator op whole on processor p, in the slice of a neighbour there or by itself; `by`:
 * whose plan it is, for checks. False: it can't be there. */
bool hs_what_if(const struct hs_system *sys, const struct hs_graph *g, const struct hs_placement *pl, const struct hs_program *program, int op, int p,
                const char *by, struct hs_totals *more);

/* What the invocation costs that begins with a task; 0: none does. */
double hs_task_start_seconds(const struct hs_system *sys, const struct hs_task *t);

#endif
