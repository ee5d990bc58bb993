/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plan/program.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *const hs_task_kind_names[HS_TASK_KIND_N + 1] = {"exec", "transform", "map", "sync", "launch", "rpc", NULL};

static void fill_queues(struct hs_program *p)
{
  int n = 0;
  p->queue = hs_realloc(p->queue, (size_t)p->n_tasks, sizeof *p->queue);
  for (int q = 0; q < HS_PROCESSORS_MAX; q++) {
    p->queue_first[q] = n;
    for (int i = 0; i < p->n_tasks; i++)
      if (p->tasks[i].processor == q) p->queue[n++] = i;
  }
  p->queue_first[HS_PROCESSORS_MAX] = n;
}

static void fill_readers(struct hs_program *p)
{
  size_t n = (size_t)p->n_tasks;
  p->readers = hs_realloc(p->readers, (size_t)p->n_deps, sizeof *p->readers);
  p->readers_first = hs_realloc(p->readers_first, n + 2, sizeof *p->readers_first);
  memset(p->readers_first, 0, (n + 2) * sizeof *p->readers_first);
  for (int k = 0; k < p->n_deps; k++) p->readers_first[p->deps[k] + 2]++;
  for (size_t i = 0; i < n; i++) p->readers_first[i + 2] += p->readers_first[i + 1];
  for (int i = 0; i < p->n_tasks; i++)
    for (int k = 0; k < p->tasks[i].n_deps; k++) p->readers[p->readers_first[p->deps[p->tasks[i].first_dep + k] + 1]++] = i;
}

void hs_program_seal(struct hs_program *p)
{
  fill_queues(p);
  fill_readers(p);
}

static bool is_amount(double x) { return x >= 0 && isfinite(x); }

static bool ends(const struct hs_task *t)
{
  bool all = is_amount(t->delay_s) && is_amount(t->work.bytes) && is_amount(t->work.caller) && is_amount(t->work.hosted);
  for (int d = 0; d < HS_DOMAINS_MAX; d++) all = all && is_amount(t->work.cycles[d]) && is_amount(t->work.stolen[d]);
  return all;
}

enum hs_status hs_program_ends(const struct hs_program *p, struct hs_error *err)
{
  for (const struct hs_task *t = p->tasks; t < p->tasks + p->n_tasks; t++)
    if (!ends(t))
      return hs_fail(err, HS_ENGINE, "operator \"%s\" on %s: what its %s takes is no finite number: %g cycles, %g B, %g s", p->graph->ops[t->op].name,
                     p->sys->soc->processors[t->processor].name, hs_task_kind_names[t->kind], t->work.cycles[0], t->work.bytes, t->delay_s);
  return HS_OK;
}

void hs_program_unseal(struct hs_program *p)
{
  free(p->queue);
  free(p->readers_first);
  free(p->readers);
  p->queue = p->readers_first = p->readers = NULL;
}

void hs_program_free(struct hs_program *p)
{
  if (!p) return;
  free(p->tasks);
  free(p->deps);
  free(p->buffers);
  hs_program_unseal(p);
  free(p);
}

bool hs_task_is_communication(enum hs_task_kind kind)
{
  return kind == HS_TASK_TRANSFORM || kind == HS_TASK_MAP || kind == HS_TASK_SYNC || kind == HS_TASK_RPC;
}

bool hs_task_calls(const struct hs_task *t) { return t->kind == HS_TASK_RPC && t->to == t->processor; }

bool hs_task_goes_on(const struct hs_program *p, int task)
{
  const struct hs_task *t = &p->tasks[task];
  return !hs_task_calls(t) && p->queue[p->queue_first[t->processor]] != task;
}
