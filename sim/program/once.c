/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "program/once.h"

#include <math.h>
#include <stdlib.h>

#include "serve/pieces.h"

static void on_task(void *state, const struct hs_event *e, int network)
{
  struct hs_once *once = state;
  (void)network;
  hs_metrics_task(&once->metrics, e);
  hs_timeline_add(&once->timeline, e);
}

static void on_ended(void *state, const struct hs_outcome *o) { hs_metrics_ended(&((struct hs_once *)state)->metrics, o); }

/* For what ran, which a scheduler may have chosen otherwise than was planned for. */
static enum hs_status plan_memory(struct hs_once *once, struct hs_error *err)
{
  const struct hs_network *network = &once->setup.networks[0];
  const struct hs_ran_piece *first = &once->pieces[0];
  bool whole = once->n_pieces == 1 && first->from == 0 && first->to == network->plan.alternatives[first->alternative]->n_ops;
  const struct hs_program *program = whole ? hs_pieces_get(network->pieces, first->alternative, first->from, first->to, NULL) : NULL;
  return hs_setup_memory(&once->setup, program, err);
}

enum hs_status hs_once_run(struct hs_once *once, const struct hs_request *req, struct hs_error *err)
{
  unsigned kernels = 1u << HS_TASK_EXEC, communication = 0;
  HS_TRY(hs_setup_make(&once->setup, req, err));
  const struct hs_network *network = &once->setup.networks[0];
  if (network->pattern.kind != HS_BACK_TO_BACK || isfinite(network->deadline_s) || network->priority || network->policy != once->setup.policy)
    return hs_fail(err, HS_USAGE, "%.80s: a rate, deadline, priority or policy of its own goes with hetsim run only", network->label);
  if (once->setup.opt.reuse) return hs_fail(err, HS_USAGE, "--opt: reuse is about a stream of frames, and goes with hetsim run only");
  if (once->setup.scenario.living) HS_TRY(hs_living_open(&once->living, &once->setup.sys, &once->setup.scenario, 1, err));
  const struct hs_serve_calls calls = {.state = once, .task = on_task, .ended = on_ended, .living = once->living};
  once->timeline.max_requests = 1;
  hs_metrics_start(&once->metrics, &once->setup.sys);
  HS_TRY(hs_serve(&once->setup.sys, network, 1, 1, &calls, NULL, err));
  if (once->metrics.n_requests == 0) return hs_fail(err, HS_POLICY, "policy %s gave the request up", network->policy->name);
  hs_metrics_summary(&once->metrics, &once->summary);
  once->pieces = hs_ran(network, &once->timeline, &once->n_pieces);
  HS_TRY(plan_memory(once, err));
  for (int k = 0; k < HS_TASK_KIND_N; k++)
    if (hs_task_is_communication((enum hs_task_kind)k)) communication |= 1u << k;
  once->kernel_s = hs_timeline_covered(&once->timeline, kernels);
  once->communication_alone_s = hs_timeline_covered(&once->timeline, kernels | communication) - once->kernel_s;
  return HS_OK;
}

void hs_once_free(struct hs_once *once)
{
  free(once->pieces);
  hs_timeline_free(&once->timeline);
  hs_metrics_free(&once->metrics);
  hs_living_close(once->living);
  hs_setup_free(&once->setup);
}
