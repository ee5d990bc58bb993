/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "policies/choose.h"

#include <math.h>

static bool is_running(const struct hs_queue_view *view, int network)
{
  for (int i = 0; i < view->n_running; i++)
    if (view->running[i].network == network) return true;
  return false;
}

int hs_one_at_a_time(void *state, const struct hs_queue_view *view, struct hs_assignment *out, hs_chooser choose)
{
  int n = 0;
  for (int i = 0; i < view->n_waiting; i++) {
    const struct hs_waiting *w = &view->waiting[i];
    bool started = is_running(view, w->network);
    for (int k = 0; k < n; k++) started = started || view->waiting[out[k].waiting].network == w->network;
    if (started) continue;
    int alternative = choose(state, view, w);
    out[n++] = (struct hs_assignment){i, alternative, view->plans[w->network]->alternatives[alternative]->n_ops, false};
  }
  return n;
}

static int fastest(void *state, const struct hs_queue_view *view, const struct hs_waiting *w)
{
  const struct hs_plan *plan = view->plans[w->network];
  double best_s = INFINITY;
  int best = 0;
  (void)state;
  for (int i = 0; i < plan->n; i++) {
    double s = hs_view_expected(view, w->network, i, 0, plan->alternatives[i]->n_ops, w->load);
    if (s >= best_s) continue;
    best_s = s;
    best = i;
  }
  return best;
}

int hs_schedule_fastest(void *state, const struct hs_queue_view *view, struct hs_assignment *out)
{
  return hs_one_at_a_time(state, view, out, fastest);
}
