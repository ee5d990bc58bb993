/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plan/estimate.h"

#include <math.h>
#include <stdlib.h>

double hs_task_seconds(const struct hs_system *sys, const struct hs_task *t)
{
  return t->delay_s > 0 ? t->delay_s : hs_work_seconds(sys, t->processor, t->opp, &t->work);
}

double hs_task_dynamic_w(const struct hs_system *sys, const struct hs_task *t)
{
  return t->delay_s > 0 ? 0 : hs_work_dynamic_w(sys, t->processor, t->opp, &t->work);
}

double hs_task_static_w(const struct hs_system *sys, const struct hs_task *t)
{
  return t->delay_s > 0 ? 0 : hs_work_static_w(sys, t->processor, t->opp, &t->work);
}

/* Others take their share of the cores; how much of the bandwidth they take isn't known. */
static double on_shared_cores(const struct hs_system *sys, const struct hs_task *t, double others)
{
  struct hs_work w = t->work;
  for (int d = 0; d < HS_DOMAINS_MAX; d++) w.cycles[d] *= 1 + others;
  return hs_work_seconds(sys, t->processor, t->opp, &w);
}

/* What the walk takes for a task: alone, or among others. An accelerator's queue that we come back to after a gap is in the
 * middle of somebody's task, half of which is left on average. */
static double duration(const struct hs_system *sys, const struct hs_task *t, const struct hs_load *load, bool after_gap)
{
  double alone = hs_task_seconds(sys, t);
  if (!load) return alone;
  const struct hs_load *l = &load[t->processor];
  if (sys->soc->processors[t->processor].kind != HS_CPU) return alone + (l->others - (after_gap ? fmin(l->others, 1) / 2 : 0)) * l->service_s;
  return t->delay_s > 0 ? alone : on_shared_cores(sys, t, l->others);
}

static void walk(const struct hs_system *sys, const struct hs_program *prog, const struct hs_load *load, struct hs_estimate *out,
                 double *start_s, double *end_s)
{
  double free_s[HS_PROCESSORS_MAX] = {0};
  *out = (struct hs_estimate){0, 0};
  for (int i = 0; i < prog->n_tasks; i++) {
    const struct hs_task *t = &prog->tasks[i];
    double start = free_s[t->processor];
    for (int k = 0; k < t->n_deps; k++) start = fmax(start, end_s[prog->deps[t->first_dep + k]]);
    double taken = duration(sys, t, load, start > free_s[t->processor]);
    end_s[i] = free_s[t->processor] = start + taken;
    if (start_s) start_s[i] = start;
    out->latency_s = fmax(out->latency_s, end_s[i]);
    out->energy_j += taken * (hs_task_dynamic_w(sys, t) + hs_task_static_w(sys, t));
  }
}

void hs_estimate_program(const struct hs_system *sys, const struct hs_program *prog, struct hs_estimate *out, double *start_s,
                         double *end_s)
{
  double *end = end_s ? end_s : hs_realloc(NULL, (size_t)prog->n_tasks, sizeof *end);
  walk(sys, prog, NULL, out, start_s, end);
  if (!end_s) free(end);
}

double hs_estimate_under(const struct hs_system *sys, const struct hs_program *prog, const struct hs_load *load)
{
  struct hs_estimate e;
  double *end = hs_realloc(NULL, (size_t)prog->n_tasks, sizeof *end);
  walk(sys, prog, load, &e, NULL, end);
  free(end);
  return e.latency_s;
}
