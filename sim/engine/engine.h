/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The engine: runs programs on a system, task by task, in simulated time. It knows processors, cores, frequencies and
 * bandwidth, but nothing of neural networks.
 *
 * Contract:
 *  - one run per process (SimGrid aborts on a second platform); whoever needs more forks;
 *  - `next` is asked for a request whenever the one before is done, at simulated time now_s; false ends the run;
 *  - `task` is called once per task in order of completion (ties: by processor), then `done` once per request;
 *  - the run stops early, with HS_OK, when `stop` is set (a signal handler may set it). */
#ifndef HS_ENGINE_H
#define HS_ENGINE_H

#include <signal.h>

#include "plan/program.h"

struct hs_event {
  int request; /* 0, 1, … */
  const struct hs_program *program;
  int task;
  double start_s, end_s;
};

struct hs_engine_calls {
  void *state;
  bool (*next)(void *state, int request, double now_s, const struct hs_program **program);
  void (*task)(void *state, const struct hs_event *e);                       /* may be NULL */
  void (*done)(void *state, int request, double start_s, double end_s);      /* may be NULL */
  const volatile sig_atomic_t *stop;                                         /* may be NULL */
};

enum hs_status hs_engine_run(const struct hs_system *sys, const struct hs_engine_calls *calls, struct hs_error *err);

#endif
