/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the parts of hs_check_run() share, for them alone: requests as their tasks are followed, and what a scenario leaves of the rules. */
#ifndef HS_CHECK_PARTS_H
#define HS_CHECK_PARTS_H

#include <math.h>

#include "base/memory.h"
#include "out/check.h"

static const double HS_CHECK_TOLERANCE = 1e-9;

/* A request and the program of it that is under way, or was last. */
struct hs_check_request {
  int network;                     /* -1: nothing is known of it yet */
  const struct hs_outcome *outcome; /* NULL: it didn't end */
  double arrival_s;
  const struct hs_program *prog;
  int n_ran;
  double *ends;                    /* [task] of prog; -1: not yet */
  int last[HS_PROCESSORS_MAX];     /* task of prog that ran last */
  double prog_start_s, end_s;      /* prog was handed in; the newest task of all programs ended */
};

struct hs_check {
  const struct hs_checked_run *run;
  struct hs_error *err;
  struct hs_arena arena;
  int n_requests;
  struct hs_check_request *requests; /* by number */
  bool sets_opps;                  /* some plan gives an operator an OPP of its own */
  int n_unfinished;                /* of all networks */
  int n_programs, cap_programs;
  const struct hs_program **programs; /* that ran */
  double free_s[HS_PROCESSORS_MAX];     /* when the task that an accelerator took last ended, */
  const struct hs_program *program[HS_PROCESSORS_MAX]; /* and what it was of, */
  int request[HS_PROCESSORS_MAX];       /* and for */
  double ready_s[HS_PROCESSORS_MAX][HS_NETWORKS_MAX], start_s[HS_PROCESSORS_MAX][HS_NETWORKS_MAX]; /* of the last one of each network; of an
                                                                                                      * invocation's tasks the first */
};

static inline bool hs_check_about(double a, double b) { return fabs(a - b) <= HS_CHECK_TOLERANCE * fmax(fmax(fabs(a), fabs(b)), 1e-12); }
static inline bool hs_check_after(double a, double b) { return a > b + HS_CHECK_TOLERANCE * fmax(fabs(a), fabs(b)); }

/* Does the task take cores or an accelerator? A delay takes none. */
static inline bool hs_check_takes_core(const struct hs_event *e) { return e->program->tasks[e->task].delay_s <= 0; }

/* HS_UNMET: the task broke this rule. */
enum hs_status hs_check_breach(struct hs_check *c, const struct hs_event *e, const char *rule);

/* --- what a scenario leaves as it is --- */

/* Are power and frequencies what the system is set to? */
bool hs_check_is_steady(const struct hs_check *c);
/* Does anything but inferences run on p? */
bool hs_check_has_rivals(const struct hs_check *c, int p);
/* Factors between which the cache keeps DRAM traffic. */
void hs_check_traffic(const struct hs_check *c, double *least, double *most);
/* The task at the highest frequencies it can have met. */
struct hs_task hs_check_at_best(const struct hs_check *c, const struct hs_task *t);
/* Most that it takes, and that so many cores of a domain and what they share do, at the hottest: governors and heat may choose any OPP, and a table
 * needn't ascend in power. */
double hs_check_most_task_watts(const struct hs_check *c, const struct hs_task *t);
double hs_check_most_watts(const struct hs_check *c, const struct hs_domain *d, int cores);

/* --- rules that follow those of order --- */

/* Shares of processors, power, frequencies and bytes of every task (check_shares.c). */
enum hs_status hs_check_shares(struct hs_check *c);
/* What is reported is the sum over tasks and requests (check_report.c). */
enum hs_status hs_check_report(struct hs_check *c);

#endif
