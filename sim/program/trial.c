/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "program/trial.h"

#include <math.h>
#include <stdlib.h>

#include "program/interrupt.h"
#include "serve/pieces.h"

static void on_task(void *state, const struct hs_event *e, int network)
{
  struct hs_trial *t = state;
  (void)network;
  if (t->first < 0) t->first = e->request;
  if (e->request == t->first) hs_timeline_add(&t->timeline, e);
  hs_timeline_add(&t->under_way, e);
  hs_metrics_task(&t->metrics, e);
}

static void on_ended(void *state, const struct hs_outcome *o)
{
  struct hs_trial *t = state;
  struct hs_timeline own = hs_timeline_take(&t->under_way, o->request);
  unsigned kernels = 1u << HS_TASK_EXEC, both = kernels;
  for (int k = 0; k < HS_TASK_KIND_N; k++)
    if (hs_task_is_communication((enum hs_task_kind)k)) both |= 1u << k;
  if (!o->dropped) {
    double kernel_s = hs_timeline_covered(&own, kernels);
    t->kernel_s += kernel_s; /* sums, until all have ended */
    t->communication_alone_s += hs_timeline_covered(&own, both) - kernel_s;
  }
  hs_timeline_free(&own);
  hs_metrics_ended(&t->metrics, o);
}

static void on_over(void *state, double now_s) { ((struct hs_trial *)state)->metrics.run_s = now_s; }

/* For what ran, which a scheduler may have chosen otherwise than was planned for. */
static enum hs_status plan_memory(struct hs_trial *t, struct hs_error *err)
{
  const struct hs_network *network = &t->setup.networks[0];
  const struct hs_ran_piece *first = &t->pieces[0];
  bool whole = t->n_pieces == 1 && first->from == 0 && first->to == network->plan.alternatives[first->alternative]->n_ops;
  const struct hs_program *program = whole ? hs_pieces_get(network->pieces, first->alternative, first->from, first->to, NULL) : NULL;
  return hs_setup_memory(&t->setup, program, err);
}

static enum hs_status conclude(struct hs_trial *t, struct hs_error *err)
{
  double n = t->metrics.n_requests > 0 ? t->metrics.n_requests : NAN;
  hs_metrics_summary(&t->metrics, &t->summary);
  t->kernel_s /= n;
  t->communication_alone_s /= n;
  t->pieces = hs_ran(&t->setup.networks[0], &t->timeline, &t->n_pieces);
  return t->n_pieces > 0 ? plan_memory(t, err) : HS_OK; /* of what was planned it is there */
}

enum hs_status hs_trial_run(struct hs_trial *t, const struct hs_run_options *options, int inferences, double duration_s, struct hs_error *err)
{
  HS_TRY(hs_setup_make(&t->setup, options, err));
  HS_TRY(hs_setup_lasts(&t->setup, duration_s, err));
  const struct hs_network *network = &t->setup.networks[0];
  if (t->setup.opt.reuse) return hs_fail(err, HS_USAGE, "--opt: reuse is about a stream of frames, and goes with hetsim run only");
  t->living = hs_setup_living(&t->setup);
  const struct hs_serve_calls calls = {.state = t, .task = on_task, .ended = on_ended, .stop = &hs_interrupted, .living = t->living, .over = on_over};
  t->first = -1;
  hs_metrics_start(&t->metrics, &t->setup.sys);
  hs_interrupt_catch();
  enum hs_status ran = hs_serve(&t->setup.sys, network, 1, inferences, duration_s, &calls, &t->unfinished, err);
  if (!ran && hs_interrupted) ran = hs_fail(err, HS_UNMET, "interrupted");
  t->ended = t->metrics.n_requests + t->metrics.n_dropped > 0;
  if (ran && (ran != HS_UNMET || !t->ended)) return ran;
  if (!t->ended) return hs_fail(err, HS_USAGE, "no inference ended in %s", hs_si_tmp(duration_s, "s"));
  struct hs_error why;
  enum hs_status status = conclude(t, &why);
  if (!status) return ran;
  *err = why;
  return status;
}

void hs_trial_free(struct hs_trial *t)
{
  free(t->pieces);
  hs_timeline_free(&t->timeline);
  hs_timeline_free(&t->under_way);
  hs_metrics_free(&t->metrics);
  hs_living_close(t->living);
  hs_setup_free(&t->setup);
}
