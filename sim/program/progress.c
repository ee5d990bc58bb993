/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "program/progress.h"

#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "base/text.h"

double hs_wall_clock_s(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

void hs_progress_start(struct hs_progress *p) { *p = (struct hs_progress){isatty(STDERR_FILENO), hs_wall_clock_s() + 1}; }

static bool is_due(struct hs_progress *p)
{
  if (!p->shown || hs_wall_clock_s() < p->next_s) return false;
  p->next_s = hs_wall_clock_s() + 1;
  return true;
}

void hs_progress_at(struct hs_progress *p, double simulated_s, int n_ended)
{
  char buf[32];
  if (is_due(p)) fprintf(stderr, "hetsim: %s simulated, %d inferences\n", hs_si(simulated_s, "s", buf, sizeof buf), n_ended);
}

void hs_progress_runs(struct hs_progress *p, int run, int n)
{
  if (is_due(p)) fprintf(stderr, "hetsim: %d of %d runs\n", run, n);
}
