/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Wall clock time, and the progress of a long run for a person who waits: a line on standard error per second of it, and only if that is a terminal. */
#ifndef HS_PROGRESS_H
#define HS_PROGRESS_H

#include <stdbool.h>

/* Seconds since some moment; never goes back. */
double hs_wall_clock_s(void);

struct hs_progress {
  bool shown;
  double next_s; /* of the wall clock */
};

void hs_progress_start(struct hs_progress *p);
/* As often as you like: how far the run is. */
void hs_progress_at(struct hs_progress *p, double simulated_s, int n_ended);

/* The same of several runs. */
void hs_progress_runs(struct hs_progress *p, int run, int n);

#endif
