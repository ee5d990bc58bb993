/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plan/what_if.h"

#include <stdlib.h>
#include <string.h>

double hs_task_start_seconds(const struct hs_system *sys, const struct hs_task *t)
{
  return t->starts ? hs_cost_start_seconds(sys, t->processor, t->opp) : 0;
}

static struct hs_totals totals_of(const struct hs_system *sys, const struct hs_program *program)
{
  struct hs_estimate e;
  double communication = 0, start = 0;
  hs_estimate_program(sys, program, &e, NULL, NULL);
  for (int i = 0; i < program->n_tasks; i++) {
    start += hs_task_start_seconds(sys, &program->tasks[i]);
    if (hs_task_is_communication(program->tasks[i].kind)) communication += hs_task_seconds(sys, &program->tasks[i]);
  }
  return (struct hs_totals){e.latency_s, e.energy_j, communication, start};
}

/* Chain of a neighbour that runs whole on p: the moved operator joins its slice. */
static int chain_beside(const struct hs_placement *pl, int op, int p)
{
  for (int i = op - 1; i <= op + 1; i += 2)
    if (i >= 0 && i < pl->n_ops && pl->ops[i].n_parts == 1 && pl->ops[i].parts[0].processor == p) return pl->ops[i].chain;
  return -1;
}

bool hs_what_if(const struct hs_system *sys, const struct hs_graph *g, const struct hs_placement *pl, const struct hs_program *program, int op, int p,
                const char *by, struct hs_totals *more)
{
  struct hs_placement changed = *pl;
  struct hs_program *moved = NULL;
  struct hs_error ignored;
  int chains[] = {chain_beside(pl, op, p), -1};
  size_t n = (size_t)pl->n_ops;
  changed.ops = hs_realloc(NULL, n, sizeof *changed.ops);
  for (int k = 0; k < 2 && !moved; k++) { /* a slice that is full takes no more: then by itself */
    memcpy(changed.ops, pl->ops, n * sizeof *changed.ops);
    hs_placement_move(&changed, op, p, chains[k]);
    if (hs_placement_check(sys, g, &changed, by, &ignored) == HS_OK) hs_lower_piece(sys, g, &changed, program->from_op, program->to_op, &moved, &ignored);
  }
  free(changed.ops);
  if (!moved) return false;
  const struct hs_totals now = totals_of(sys, program), then = totals_of(sys, moved);
  hs_program_free(moved);
  *more = (struct hs_totals){then.latency_s - now.latency_s, then.energy_j - now.energy_j, then.communication_s - now.communication_s,
                             then.start_s - now.start_s};
  return true;
}
