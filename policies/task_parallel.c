/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Task granularity: every request whole on one processor, as an interpreter with a delegate runs it, and requests spread
 * over the processors: in order of arrival each goes where it is expected to end first, and waits if that is busy. */
#include <math.h>

#include "policies/single.h"

static enum hs_status plan_task_parallel(const struct hs_view *v, struct hs_plan *plan, struct hs_error *err)
{
  for (int p = 0; p < v->sys->soc->n_processors; p++) {
    if (!v->sys->backends[p].available) continue;
    struct hs_placement *pl = hs_plan_add(plan, v->sys->soc->processors[p].name);
    HS_TRY(hs_plan_single(v, p, pl, err));
  }
  return HS_OK;
}

static void add_busy(const struct hs_queue_view *view, double *busy_s)
{
  for (int i = 0; i < view->n_running; i++) {
    const struct hs_piece *r = &view->running[i];
    double left = r->start_s + r->expected_s - view->now_s;
    busy_s[hs_view_processor(view, r->network, r->alternative)] += left > 0 ? left : 0;
  }
}

/* Marks the processors that any network has and no request runs on. Returns how many. */
static int find_idle(const struct hs_queue_view *view, bool *idle)
{
  int n = 0;
  for (int i = 0; i < view->n_networks; i++)
    for (int a = 0; view->plans[i] && a < view->plans[i]->n; a++) idle[hs_view_processor(view, i, a)] = true;
  for (int i = 0; i < view->n_running; i++) idle[hs_view_processor(view, view->running[i].network, view->running[i].alternative)] = false;
  for (int p = 0; p < view->soc->n_processors; p++) n += idle[p];
  return n;
}

static int schedule_task_parallel(void *state, const struct hs_queue_view *view, struct hs_assignment *out)
{
  double busy_s[HS_PROCESSORS_MAX] = {0};
  bool idle[HS_PROCESSORS_MAX] = {false};
  int n = 0, n_idle = find_idle(view, idle);
  (void)state;
  add_busy(view, busy_s);
  for (int i = 0; i < view->n_waiting && n < n_idle; i++) {
    const struct hs_waiting *w = &view->waiting[i];
    const struct hs_plan *plan = view->plans[w->network];
    double best_s = INFINITY;
    int best = 0;
    for (int a = 0; a < plan->n; a++) {
      double s = busy_s[hs_view_processor(view, w->network, a)] + hs_view_expected(view, w->network, a, 0, plan->alternatives[a]->n_ops, NULL);
      if (s >= best_s) continue;
      best_s = s;
      best = a;
    }
    int p = hs_view_processor(view, w->network, best);
    busy_s[p] = best_s;
    if (!idle[p]) continue;
    idle[p] = false;
    out[n++] = (struct hs_assignment){i, best, plan->alternatives[best]->n_ops, false};
  }
  return n;
}

const struct hs_policy hs_policy_task_parallel = {.name = "task-parallel",
                                                  .summary = "each request whole on one processor, requests spread over all",
                                                  .reference = "task granularity of the study; TensorFlow Lite with a delegate per interpreter",
                                                  .defaults = {.runtime = "tflite", .precision = HS_INT8},
                                                  .plan_all = plan_task_parallel,
                                                  .schedule = schedule_task_parallel};
