/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "out/check.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "plan/estimate.h"

static const double TOLERANCE = 1e-9;

struct check {
  const struct hs_checked_run *run;
  struct hs_error *err;
  double *start, *end;  /* [task] of the request at hand */
  int *last;            /* [processor] task that ran last */
};

static bool about(double a, double b) { return fabs(a - b) <= TOLERANCE * fmax(fmax(fabs(a), fabs(b)), 1e-12); }

static enum hs_status breach(struct check *c, const struct hs_event *e, const char *rule)
{
  const struct hs_task *t = &e->program->tasks[e->task];
  char label[140];
  return hs_fail(c->err, HS_UNMET, "invariant broken: request %d, task %d (%s, on %s, %.9g–%.9g s): %s", e->request, e->task,
                 hs_task_label(e->program, e->task, label, sizeof label), c->run->sys->soc->processors[t->processor].name,
                 e->start_s, e->end_s, rule);
}

static enum hs_status check_order(struct check *c, const struct hs_event *e)
{
  const struct hs_task *t = &e->program->tasks[e->task];
  if (c->end[e->task] >= 0) return breach(c, e, "ran twice");
  c->start[e->task] = e->start_s;
  c->end[e->task] = e->end_s;
  if (e->end_s < e->start_s) return breach(c, e, "ended before it started");
  double alone = hs_task_seconds(c->run->sys, t);
  if (e->end_s - e->start_s < alone - TOLERANCE * fmax(alone, e->end_s)) return breach(c, e, "was faster than alone");
  for (int k = 0; k < t->n_deps; k++) {
    int dep = e->program->deps[t->first_dep + k];
    if (c->end[dep] < 0 || c->end[dep] > e->start_s + TOLERANCE * e->start_s) return breach(c, e, "started before a dependency was done");
  }
  int last = c->last[t->processor];
  c->last[t->processor] = e->task;
  if (last < 0) return HS_OK;
  if (last > e->task) return breach(c, e, "ran out of program order");
  return c->end[last] > e->start_s + TOLERANCE * e->start_s ? breach(c, e, "overlaps another task of its queue") : HS_OK;
}

static enum hs_status check_task(struct check *c, const struct hs_event *e)
{
  const struct hs_task *t = &e->program->tasks[e->task];
  const struct hs_operator *op = &c->run->graph->ops[t->op];
  if (t->kind == HS_TASK_EXEC && !hs_system_supports(c->run->sys, c->run->graph, op, t->processor, NULL, 0))
    return breach(c, e, "ran where its mask forbids");
  if (t->tensor < 0 || !hs_task_is_communication(t->kind)) return HS_OK;
  if (t->kind == HS_TASK_SYNC || t->kind == HS_TASK_RPC) return HS_OK; /* one serves several tensors */
  double elements = (double)hs_shape_elements(&c->run->graph->tensors[t->tensor].shape), widest = 0;
  for (int p = 0; p < HS_PRECISION_N; p++) widest = fmax(widest, hs_precision_bytes((enum hs_precision)p));
  if (t->moved_bytes <= elements * widest * (1 + TOLERANCE)) return HS_OK; /* only what is lacking moves */
  return breach(c, e, "moved more bytes than its tensor has");
}

static enum hs_status check_coverage(struct check *c, const struct hs_program *prog)
{
  int n = c->run->graph->n_ops;
  int *parts = calloc((size_t)n, sizeof *parts);
  if (!parts) abort();
  for (int i = 0; i < prog->n_tasks; i++)
    if (prog->tasks[i].kind == HS_TASK_EXEC) parts[prog->tasks[i].op]++;
  int bad = -1;
  for (int i = 0; i < n && bad < 0; i++)
    if (parts[i] < 1 || parts[i] > c->run->placement->ops[i].n_parts) bad = i;
  free(parts);
  if (bad < 0) return HS_OK;
  return hs_fail(c->err, HS_UNMET, "invariant broken: operator \"%s\" did not run in its parts", c->run->graph->ops[bad].name);
}

static enum hs_status check_request(struct check *c, const struct hs_event *events, int n)
{
  const struct hs_program *prog = events[0].program;
  for (int i = 0; i < prog->n_tasks; i++) c->start[i] = c->end[i] = -1;
  for (int p = 0; p < HS_PROCESSORS_MAX; p++) c->last[p] = -1;
  for (int i = 0; i < n; i++) {
    enum hs_status status = check_order(c, &events[i]);
    if (!status) status = check_task(c, &events[i]);
    if (status) return status;
  }
  if (n != prog->n_tasks)
    return hs_fail(c->err, HS_UNMET, "invariant broken: request %d ran %d of %d tasks", events[0].request, n, prog->n_tasks);
  if (prog->peak_memory_bytes > c->run->sys->soc->memory.capacity_bytes)
    return hs_fail(c->err, HS_UNMET, "invariant broken: more memory in use than there is");
  return check_coverage(c, prog);
}

static enum hs_status check_sums(struct check *c)
{
  const struct hs_metrics *m = c->run->metrics;
  double busy[HS_PROCESSORS_MAX] = {0}, energy[HS_PROCESSORS_MAX] = {0}, kinds[HS_TASK_KIND_N] = {0};
  for (int i = 0; i < c->run->timeline->n; i++) {
    const struct hs_event *e = &c->run->timeline->events[i];
    const struct hs_task *t = &e->program->tasks[e->task];
    double s = e->end_s - e->start_s;
    busy[t->processor] += t->delay_s > 0 ? 0 : e->share_s;
    energy[t->processor] += e->share_s * (hs_task_dynamic_w(c->run->sys, t) + hs_task_static_w(c->run->sys, t));
    kinds[t->kind] += s;
  }
  for (int p = 0; p < c->run->sys->soc->n_processors; p++)
    if (!about(busy[p], m->busy_s[p]) || !about(energy[p], m->energy_j[p]) || busy[p] > m->end_s * (1 + TOLERANCE))
      return hs_fail(c->err, HS_UNMET, "invariant broken: time or energy of %s is not the sum over its tasks",
                     c->run->sys->soc->processors[p].name);
  for (int k = 0; k < HS_TASK_KIND_N; k++)
    if (!about(kinds[k], m->kind_s[k]))
      return hs_fail(c->err, HS_UNMET, "invariant broken: time of %s tasks is not their sum", hs_task_kind_names[k]);
  return HS_OK;
}

enum hs_status hs_check_run(const struct hs_checked_run *run, struct hs_error *err)
{
  int last[HS_PROCESSORS_MAX], most = 1;
  struct check c = {.run = run, .err = err, .last = last};
  enum hs_status status = hs_placement_check(run->sys, run->graph, run->placement, "(checked again)", err);
  for (int i = 0; i < run->timeline->n; i++)
    if (run->timeline->events[i].program->n_tasks > most) most = run->timeline->events[i].program->n_tasks;
  c.start = hs_realloc(NULL, (size_t)most, sizeof *c.start);
  c.end = hs_realloc(NULL, (size_t)most, sizeof *c.end);
  for (int i = 0, n; i < run->timeline->n && !status; i += n) {
    for (n = 1; i + n < run->timeline->n && run->timeline->events[i + n].request == run->timeline->events[i].request;) n++;
    status = check_request(&c, &run->timeline->events[i], n);
  }
  if (!status) status = check_sums(&c);
  free(c.start);
  free(c.end);
  return status;
}
