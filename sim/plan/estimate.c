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

void hs_estimate_program(const struct hs_system *sys, const struct hs_program *prog, struct hs_estimate *out, double *start_s,
                         double *end_s)
{
  double free_s[HS_PROCESSORS_MAX] = {0};
  double *end = end_s ? end_s : hs_realloc(NULL, (size_t)prog->n_tasks, sizeof *end);
  *out = (struct hs_estimate){0, 0};
  for (int i = 0; i < prog->n_tasks; i++) {
    const struct hs_task *t = &prog->tasks[i];
    double start = free_s[t->processor], duration = hs_task_seconds(sys, t);
    for (int k = 0; k < t->n_deps; k++) start = fmax(start, end[prog->deps[t->first_dep + k]]);
    end[i] = free_s[t->processor] = start + duration;
    if (start_s) start_s[i] = start;
    out->latency_s = fmax(out->latency_s, end[i]);
    out->energy_j += duration * (hs_task_dynamic_w(sys, t) + hs_task_static_w(sys, t));
  }
  if (!end_s) free(end);
}
