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
  const struct hs_program *sound; /* its tasks were looked at and are what the placement asks for */
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

/* Elements that a step moves. A conversion takes the source as it is; a DSP or NPU is given what the host has converted. */
static double moved_elements(const struct hs_system *sys, const struct hs_task *t)
{
  bool given = t->kind != HS_TASK_TRANSFORM && t->from == sys->host && sys->soc->processors[t->to].kind != HS_GPU;
  return t->moved_bytes / hs_precision_bytes(sys->backends[given ? t->to : t->from].precision);
}

/* Does t move one tensor? SYNC and RPC may serve several. */
static bool moves_one(const struct hs_task *t) { return t->tensor >= 0 && t->from != t->to && (t->kind == HS_TASK_MAP || t->kind == HS_TASK_TRANSFORM); }

static enum hs_status check_task(struct check *c, const struct hs_event *e)
{
  const struct hs_task *t = &e->program->tasks[e->task];
  const struct hs_operator *op = &c->run->graph->ops[t->op];
  if (t->kind == HS_TASK_EXEC && !hs_system_supports(c->run->sys, c->run->graph, op, t->processor, NULL, 0))
    return breach(c, e, "ran where its mask forbids");
  if (!moves_one(t)) return HS_OK;
  double elements = (double)hs_shape_elements(&c->run->graph->tensors[t->tensor].shape);
  return moved_elements(c->run->sys, t) <= elements * (1 + TOLERANCE) ? HS_OK : breach(c, e, "moved more bytes than its tensor has");
}

/* --- parts --- */

/* The first part of op that `t` can be and that none before it was (a bit of *ran each), or -1. */
static int part_of(const struct hs_op_placement *pl, const struct hs_range *ranges, const struct hs_task *t, unsigned ran)
{
  for (int k = 0; k < pl->n_parts; k++)
    if (!(ran >> k & 1) && ranges[k].begin < ranges[k].end && pl->parts[k].processor == t->processor && pl->parts[k].opp == t->opp) return k;
  return -1;
}

static enum hs_status not_in_parts(struct check *c, int op)
{
  return hs_fail(c->err, HS_UNMET, "invariant broken: operator \"%s\" did not run in its parts", c->run->graph->ops[op].name);
}

/* Every part that isn't empty ran once, and no kernel is without a part. */
static enum hs_status check_parts(struct check *c, const struct hs_program *prog, unsigned *ran)
{
  const struct hs_graph *g = c->run->graph;
  struct hs_range ranges[HS_PARTS_MAX];
  for (int i = 0; i < prog->n_tasks; i++) {
    const struct hs_task *t = &prog->tasks[i];
    if (t->kind != HS_TASK_EXEC) continue;
    const struct hs_op_placement *pl = &c->run->placement->ops[t->op];
    hs_placement_ranges(c->run->sys, g, &g->ops[t->op], pl, ranges);
    int k = part_of(pl, ranges, t, ran[t->op]);
    if (k < 0) return not_in_parts(c, t->op);
    ran[t->op] |= 1u << k;
  }
  for (int op = 0; op < g->n_ops; op++) {
    const struct hs_op_placement *pl = &c->run->placement->ops[op];
    hs_placement_ranges(c->run->sys, g, &g->ops[op], pl, ranges);
    for (int k = 0; k < pl->n_parts; k++)
      if (ranges[k].begin < ranges[k].end && !(ran[op] >> k & 1)) return not_in_parts(c, op);
  }
  return HS_OK;
}

/* --- moves --- */

/* Dimensions in which a tensor was or is cut: a place may come to hold an element once in each. A bit of *cuts[tensor] each. */
static void list_cuts(const struct check *c, unsigned *cuts)
{
  const struct hs_graph *g = c->run->graph;
  for (int i = 0; i < g->n_ops; i++) {
    const struct hs_operator *op = &g->ops[i];
    enum hs_split split = c->run->placement->ops[i].split;
    if (split == HS_SPLIT_NONE) continue;
    for (int o = 0; o < op->n_outputs; o++) cuts[op->outputs[o]] |= 1u << split;
    for (int n = 0; n < op->n_inputs; n++) {
      struct hs_range in = hs_input_range(g, op, n, (struct hs_range){split, 0, 1});
      if (in.split != HS_SPLIT_NONE) cuts[op->inputs[n]] |= 1u << in.split;
    }
  }
}

/* Elements of a tensor that its place doesn't compute itself and so may have to be moved there; the halo is left out. */
static double lacking(const struct check *c, int tensor, int place, unsigned cuts)
{
  const struct hs_system *sys = c->run->sys;
  const struct hs_graph *g = c->run->graph;
  const struct hs_shape *shape = &g->tensors[tensor].shape;
  double all = (double)hs_shape_elements(shape), own = 0;
  int producer = g->tensors[tensor].producer, dimensions = 0;
  if (producer < 0) {
    own = place == sys->host ? all : 0;
  } else {
    const struct hs_op_placement *pl = &c->run->placement->ops[producer];
    struct hs_range ranges[HS_PARTS_MAX];
    hs_placement_ranges(sys, g, &g->ops[producer], pl, ranges);
    for (int k = 0; k < pl->n_parts; k++) {
      int p = pl->parts[k].processor;
      if ((sys->soc->processors[p].kind == HS_CPU ? sys->host : p) == place) own += hs_range_elements(shape, ranges[k]);
    }
  }
  for (; cuts; cuts &= cuts - 1) dimensions++;
  return own >= all ? 0 : all - own + all * (dimensions > 1 ? dimensions - 1 : 0);
}

/* What came to a place of a tensor, all moves together. moved[tensor][place] is zeroed. */
static enum hs_status check_moves(struct check *c, const struct hs_program *prog, enum hs_task_kind kind, const unsigned *cuts, double *moved)
{
  int n = c->run->sys->soc->n_processors;
  for (int i = 0; i < prog->n_tasks; i++) {
    const struct hs_task *t = &prog->tasks[i];
    if (t->kind != kind || !moves_one(t)) continue;
    double *sum = &moved[t->tensor * n + t->to];
    *sum += moved_elements(c->run->sys, t);
    if (*sum > lacking(c, t->tensor, t->to, cuts[t->tensor]) * (1 + TOLERANCE))
      return hs_fail(c->err, HS_UNMET, "invariant broken: task %d (%s): more of \"%s\" came to %s than that lacked", i, hs_task_kind_names[kind],
                     c->run->graph->tensors[t->tensor].name, c->run->sys->soc->processors[t->to].name);
  }
  return HS_OK;
}

/* What holds for the program, whenever it runs. */
static enum hs_status check_program(struct check *c, const struct hs_program *prog)
{
  const struct hs_graph *g = c->run->graph;
  struct hs_arena scratch = {0};
  if (prog == c->sound) return HS_OK;
  size_t places = (size_t)c->run->sys->soc->n_processors, n = (size_t)g->n_tensors;
  unsigned *cuts = HS_NEW_ARRAY(&scratch, unsigned, n);
  list_cuts(c, cuts);
  enum hs_status status = check_parts(c, prog, HS_NEW_ARRAY(&scratch, unsigned, (size_t)g->n_ops));
  if (!status) status = check_moves(c, prog, HS_TASK_MAP, cuts, HS_NEW_ARRAY(&scratch, double, n * places));
  if (!status) status = check_moves(c, prog, HS_TASK_TRANSFORM, cuts, HS_NEW_ARRAY(&scratch, double, n * places));
  hs_arena_free(&scratch);
  if (!status) c->sound = prog;
  return status;
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
  return check_program(c, prog);
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

/* Every latency that was reported is the time from the request's arrival (where none is given: when its first task was ready) to when
 * its last task was done. */
static enum hs_status check_latencies(struct check *c)
{
  const struct hs_metrics *m = c->run->metrics;
  const struct hs_timeline *t = c->run->timeline;
  double arrival_s = INFINITY, end_s = 0;
  int k = 0;
  for (int i = 0; i < t->n; i++) {
    const struct hs_event *e = &t->events[i];
    arrival_s = c->run->period_s > 0 ? e->request * c->run->period_s : fmin(arrival_s, e->ready_s);
    end_s = fmax(end_s, e->end_s);
    if (i + 1 < t->n && t->events[i + 1].request == e->request) continue;
    if (k < m->n_requests && fabs(end_s - arrival_s - m->latencies_s[k]) > TOLERANCE * end_s)
      return hs_fail(c->err, HS_UNMET, "invariant broken: request %d took %.9g s, not the latency of %.9g s", e->request, end_s - arrival_s,
                     m->latencies_s[k]);
    k++;
    arrival_s = INFINITY;
  }
  if (k != m->n_requests) return hs_fail(c->err, HS_UNMET, "invariant broken: %d requests ran, and there are latencies of %d", k, m->n_requests);
  if (about(end_s, m->end_s)) return HS_OK;
  return hs_fail(c->err, HS_UNMET, "invariant broken: the last task ended at %.9g s, not the run at %.9g s", end_s, m->end_s);
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
  if (!status) status = check_latencies(&c);
  free(c.start);
  free(c.end);
  return status;
}
