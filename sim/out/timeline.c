/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "out/timeline.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

void hs_timeline_add(struct hs_timeline *t, const struct hs_event *e)
{
  HS_GROW(t->events, t->n, t->cap);
  t->events[t->n++] = *e;
}

void hs_timeline_free(struct hs_timeline *t)
{
  free(t->events);
  t->events = NULL;
  t->n = t->cap = 0;
}

struct hs_timeline hs_timeline_take(struct hs_timeline *from, int request)
{
  struct hs_timeline taken = {0};
  int kept = 0;
  for (int i = 0; i < from->n; i++)
    if (from->events[i].request == request)
      hs_timeline_add(&taken, &from->events[i]);
    else
      from->events[kept++] = from->events[i];
  from->n = kept;
  return taken;
}

/* From the back: the events come in order of their end, so each adds what lies before all seen. */
double hs_timeline_covered(const struct hs_timeline *t, unsigned kinds)
{
  double sum = 0, from = INFINITY;
  for (int i = t->n - 1; i >= 0; i--) {
    const struct hs_event *e = &t->events[i];
    if (!(kinds >> e->program->tasks[e->task].kind & 1) || e->start_s >= from) continue;
    sum += fmin(e->end_s, from) - e->start_s;
    from = e->start_s;
  }
  return sum;
}

const char *hs_task_label(const struct hs_program *prog, int task, char *buf, size_t size)
{
  const struct hs_task *t = &prog->tasks[task];
  const char *what = t->kind != HS_TASK_EXEC && t->tensor >= 0 ? prog->graph->tensors[t->tensor].name : prog->graph->ops[t->op].name;
  char which[32] = "";
  if (t->n_launches) snprintf(which, sizeof which, " %d/%d", t->launch + 1, t->n_launches);
  if (t->kind == HS_TASK_EXEC)
    snprintf(buf, size, "%s%s", what, which);
  else
    snprintf(buf, size, "%s %s%s", hs_task_kind_names[t->kind], what, which);
  return buf;
}
