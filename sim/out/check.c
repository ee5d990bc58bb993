/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "out/check_parts.h"

#include <stdlib.h>

#include "base/instant.h"
#include "plan/estimate.h"
#include "serve/noise.h"

/* --- what ran --- */

static int network_of(const struct hs_check *c, const struct hs_program *prog)
{
  for (int i = 0; i < c->run->n_networks; i++)
    for (int k = 0; k < c->run->networks[i].plan.n; k++)
      if (c->run->networks[i].plan.alternatives[k] == prog->placement && hs_network_graph(&c->run->networks[i], k) == prog->graph) return i;
  return -1;
}

static enum hs_status list_program(struct hs_check *c, const struct hs_program *prog)
{
  bool checked = false;
  for (int i = 0; i < c->n_programs; i++) {
    if (c->programs[i] == prog) return HS_OK;
    checked |= c->programs[i]->placement == prog->placement;
  }
  HS_GROW(c->programs, c->n_programs, c->cap_programs);
  c->programs[c->n_programs++] = prog;
  return checked ? HS_OK : hs_placement_check(prog->sys, prog->graph, prog->placement, "(checked again)", c->err);
}

static enum hs_status list_outcomes(struct hs_check *c)
{
  for (int i = 0; i < c->run->n_outcomes; i++) {
    struct hs_check_request *r = &c->requests[c->run->outcomes[i].request];
    if (r->outcome) return hs_fail(c->err, HS_UNMET, "invariant broken: request %d ended twice", c->run->outcomes[i].request);
    r->outcome = &c->run->outcomes[i];
    r->network = r->outcome->network;
  }
  return HS_OK;
}

static enum hs_status list_requests(struct hs_check *c)
{
  const struct hs_timeline *t = c->run->timeline;
  for (int i = 0; i < t->n; i++) c->n_requests = t->events[i].request >= c->n_requests ? t->events[i].request + 1 : c->n_requests;
  for (int i = 0; i < c->run->n_outcomes; i++)
    c->n_requests = c->run->outcomes[i].request >= c->n_requests ? c->run->outcomes[i].request + 1 : c->n_requests;
  c->requests = HS_NEW_ARRAY(&c->arena, struct hs_check_request, (size_t)c->n_requests);
  for (int i = 0; i < c->n_requests; i++) c->requests[i].network = -1;
  HS_TRY(list_outcomes(c));
  const struct hs_program *same = NULL; /* as in the event before */
  for (int i = 0, network = -1; i < t->n; i++) {
    struct hs_check_request *r = &c->requests[t->events[i].request];
    if (t->events[i].program != same) {
      same = t->events[i].program;
      network = network_of(c, same);
      if (network < 0) return hs_check_breach(c, &t->events[i], "ran of a program that is in no plan");
      HS_TRY(list_program(c, same));
    }
    if (r->network < 0) r->network = network;
    if (r->network != network) return hs_check_breach(c, &t->events[i], "ran of another network than the request's");
  }
  return HS_OK;
}

/* --- arrivals --- */

/* The network whose request comes next; ties: the first. */
static int earliest(const struct hs_check *c, const struct hs_arrivals *a)
{
  int first = 0;
  for (int i = 1; i < c->run->n_networks; i++)
    if (hs_is_past(a[i].next_s, a[first].next_s)) first = i;
  return first;
}

/* Whose request i is, of which nothing is known: it waited until the run was over, so back to back none came after it. */
static int guess_network(const struct hs_check *c, int i, const struct hs_arrivals *a, const int *last_known)
{
  int first = earliest(c, a);
  for (int k = 0; k < c->run->n_networks; k++)
    if (hs_has_come(a[k].next_s, a[first].next_s) && (a[k].pattern.kind != HS_BACK_TO_BACK || last_known[k] < i)) return k;
  return first;
}

static enum hs_status check_arrival(struct hs_check *c, int i, struct hs_arrivals *a, const int *last_known)
{
  struct hs_check_request *r = &c->requests[i];
  int first = earliest(c, a);
  if (r->network < 0) r->network = guess_network(c, i, a, last_known);
  double came = r->arrival_s = a[r->network].next_s;
  if (!isfinite(came) || hs_check_after(came, a[first].next_s + HS_SLACK_S))
    return hs_fail(c->err, HS_UNMET, "invariant broken: request %d is of %s, whose next one had not come", i, c->run->networks[r->network].label);
  if (r->outcome && !hs_check_about(r->outcome->arrival_s, came))
    return hs_fail(c->err, HS_UNMET, "invariant broken: request %d came at %.9g s, not at %.9g s", i, came, r->outcome->arrival_s);
  hs_arrivals_came(&a[r->network]);
  if (r->outcome) hs_arrivals_ended(&a[r->network], r->outcome->end_s);
  return HS_OK;
}

/* Arrivals follow from patterns and ends alone. */
static enum hs_status check_arrivals(struct hs_check *c)
{
  struct hs_arrivals arrivals[HS_NETWORKS_MAX];
  int last_known[HS_NETWORKS_MAX];
  enum hs_status status = HS_OK;
  const struct hs_network *n = c->run->networks;
  for (int i = 0; i < c->run->n_networks; i++) last_known[i] = -1;
  for (int i = 0; i < c->n_requests; i++)
    if (c->requests[i].network >= 0) last_known[c->requests[i].network] = i;
  for (int i = 0; i < c->run->n_networks; i++) hs_arrivals_open(&arrivals[i], &n[i].pattern, n[i].seed, n[i].stream);
  for (int i = 0; i < c->n_requests && !status; i++) status = check_arrival(c, i, arrivals, last_known);
  for (int i = 0; i < c->run->n_networks; i++) hs_arrivals_close(&arrivals[i]);
  return status;
}

/* --- order --- */

static enum hs_status cut_short(struct hs_check *c, const struct hs_check_request *r)
{
  return hs_fail(c->err, HS_UNMET, "invariant broken: request %d ran %d of %d tasks", (int)(r - c->requests), r->n_ran, r->prog->n_tasks);
}

/* The first task of a program of the request that has ended; all its first tasks were ready when it was handed in. */
static enum hs_status start_program(struct hs_check *c, struct hs_check_request *r, const struct hs_event *e)
{
  const struct hs_program *before = r->prog;
  if (before && r->n_ran < before->n_tasks) return cut_short(c, r);
  if (e->program->from_op != (before ? before->to_op : 0)) return hs_check_breach(c, e, "ran of a piece that doesn't follow the one before");
  if (before && before->graph != e->program->graph) return hs_check_breach(c, e, "ran of another version of the network than the piece before");
  if (hs_check_after(before ? r->end_s : r->arrival_s, e->ready_s + HS_SLACK_S)) return hs_check_breach(c, e, "was ready before its request had come so far");
  r->prog = e->program;
  r->prog_start_s = e->ready_s;
  r->n_ran = 0;
  r->ends = HS_NEW_ARRAY(&c->arena, double, (size_t)e->program->n_tasks);
  for (int i = 0; i < e->program->n_tasks; i++) r->ends[i] = -1;
  for (int p = 0; p < HS_PROCESSORS_MAX; p++) r->last[p] = -1;
  return HS_OK;
}

/* Against the tasks of the same program; *ready_s: when it can have been ready. */
static enum hs_status check_own(struct hs_check *c, const struct hs_check_request *r, const struct hs_event *e, double *ready_s)
{
  const struct hs_task *t = &e->program->tasks[e->task];
  struct hs_task ran = hs_event_task(e, c->run->sys->soc), best = hs_check_at_best(c, &ran);
  best.work.bytes = e->bytes;
  double alone = hs_task_seconds(c->run->sys, &best) * e->stretch;
  int last = r->last[t->processor];
  bool exact = !c->run->noise || !hs_noise_scatters(e->program->sys, t);
  if (r->ends[e->task] >= 0) return hs_check_breach(c, e, "ran twice");
  if (exact ? e->stretch < 1 || e->stretch > 1 : !(e->stretch > 0)) return hs_check_breach(c, e, "was stretched, and nothing is known of its scatter");
  if (e->end_s < e->start_s) return hs_check_breach(c, e, "ended before it started");
  *ready_s = r->prog_start_s;
  for (int k = 0; k < t->n_deps; k++) {
    double end = r->ends[e->program->deps[t->first_dep + k]];
    if (end < 0 || hs_check_after(end, e->start_s)) return hs_check_breach(c, e, "started before a dependency was done");
    *ready_s = fmax(*ready_s, end);
  }
  double since_s = t->from_deps ? *ready_s : e->start_s;
  if (e->end_s - since_s < alone - fmax(HS_TICK_S, HS_CHECK_TOLERANCE * fmax(alone, e->end_s))) return hs_check_breach(c, e, "was faster than alone");
  if (last < 0) return HS_OK;
  if (last > e->task) return hs_check_breach(c, e, "ran out of program order");
  if (hs_check_after(r->ends[last], e->start_s)) return hs_check_breach(c, e, "overlaps another task of its queue");
  *ready_s = fmax(*ready_s, r->ends[last]);
  return HS_OK;
}

/* The accelerator should have taken e before the last task of another network that it took: that was ready when e was, of no
 * higher priority, and started while e waited or was ready later. */
static bool was_overtaken(const struct hs_check *c, const struct hs_event *e, int p)
{
  const struct hs_network *n = c->run->networks;
  int own = n[c->requests[e->request].network].priority;
  for (int i = 0; i < c->run->n_networks; i++)
    if (n[i].priority < own ? hs_check_after(c->start_s[p][i], e->ready_s) : n[i].priority == own && hs_check_after(c->ready_s[p][i], e->ready_s)) return true;
  return false;
}

/* Does it belong to the invocation that a DSP or NPU is at? That isn't broken off, not by a higher priority either. */
static bool goes_on(const struct hs_check *c, const struct hs_event *e, int p)
{
  enum hs_kind kind = c->run->sys->soc->processors[p].kind;
  return hs_kind_is_remote(kind) && !hs_task_calls(&e->program->tasks[e->task]) && c->program[p] == e->program &&
         c->request[p] == e->request && hs_check_about(e->ready_s, c->free_s[p]);
}

/* All that e waited for ran where it runs itself, so that it was ready as soon as the task before it was done. */
static bool follows_at_once(const struct hs_check *c, const struct hs_event *e, int p)
{
  const struct hs_check_request *r = &c->requests[e->request];
  const struct hs_task *t = &e->program->tasks[e->task];
  enum hs_kind kind = c->run->sys->soc->processors[p].kind;
  bool here = hs_kind_is_remote(kind) && !hs_task_calls(t) && r->last[p] >= 0;
  for (int k = 0; k < t->n_deps; k++) here = here && e->program->tasks[e->program->deps[t->first_dep + k]].processor == p;
  return here;
}

/* Against the tasks of all requests. */
static enum hs_status check_queue(struct hs_check *c, const struct hs_event *e, double ready_s)
{
  int p = e->program->tasks[e->task].processor;
  bool cpu = c->run->sys->soc->processors[p].kind == HS_CPU;
  if (!hs_check_about(e->ready_s, ready_s)) return hs_check_breach(c, e, "was ready at another time than what it waited for");
  if (!cpu && hs_check_after(c->free_s[p], e->start_s)) return hs_check_breach(c, e, "overlaps another task of its queue");
  if (!cpu && was_overtaken(c, e, p)) return hs_check_breach(c, e, "had to wait for a task that should have come later");
  if (follows_at_once(c, e, p) && hs_check_after(e->start_s, e->ready_s)) return hs_check_breach(c, e, "had to wait in the middle of an invocation");
  bool same = goes_on(c, e, p);
  if (hs_check_after(e->start_s, cpu ? ready_s : fmax(ready_s, c->free_s[p])) && (cpu || same || !hs_check_has_rivals(c, p)))
    return hs_check_breach(c, e, "waited for nothing");
  c->free_s[p] = e->end_s;
  c->program[p] = e->program;
  c->request[p] = e->request;
  if (same) return HS_OK;
  c->ready_s[p][c->requests[e->request].network] = e->ready_s;
  c->start_s[p][c->requests[e->request].network] = e->start_s;
  return HS_OK;
}

/* Threads wait after a task of their program, and draw no more than all cores of the pool at most. */
static enum hs_status check_waiting(struct hs_check *c, const struct hs_check_request *r, const struct hs_event *e)
{
  for (int p = 0; p < c->run->sys->soc->n_processors; p++) {
    const struct hs_processor *proc = &c->run->sys->soc->processors[p];
    const struct hs_backend *b = hs_program_backend(e->program, c->run->sys, p);
    double most_w = 0;
    for (int d = 0; d < proc->n_domains && hs_program_spin_s(e->program, c->run->sys, p) > 0; d++)
      if (b->cores[d]) most_w += hs_check_most_watts(c, &proc->domains[d], b->cores[d]);
    if (!(e->spun_j[p] >= 0) || hs_check_after(e->spun_j[p], r->n_ran ? (e->end_s - r->end_s) * most_w : 0))
      return hs_check_breach(c, e, "comes after threads that took more than their cores' power");
  }
  return HS_OK;
}

static enum hs_status check_event(struct hs_check *c, const struct hs_event *e)
{
  struct hs_check_request *r = &c->requests[e->request];
  double ready_s = 0;
  if (r->prog != e->program) HS_TRY(start_program(c, r, e));
  HS_TRY(check_own(c, r, e, &ready_s));
  HS_TRY(check_waiting(c, r, e));
  HS_TRY(check_queue(c, e, ready_s));
  r->ends[e->task] = e->end_s;
  r->last[e->program->tasks[e->task].processor] = e->task;
  r->end_s = fmax(r->end_s, e->end_s);
  r->n_ran++;
  return HS_OK;
}

static enum hs_status check_events(struct hs_check *c)
{
  for (int i = 0; i < c->run->timeline->n; i++) HS_TRY(check_event(c, &c->run->timeline->events[i]));
  return HS_OK;
}

/* --- ends --- */

static enum hs_status check_end(struct hs_check *c, const struct hs_check_request *r)
{
  const struct hs_outcome *o = r->outcome;
  const struct hs_network *n = &c->run->networks[o->network];
  if (r->prog && r->n_ran < r->prog->n_tasks) return cut_short(c, r);
  if (hs_check_after(r->end_s, o->end_s)) return hs_fail(c->err, HS_UNMET, "invariant broken: request %d ran on after its end", o->request);
  double late_by = o->end_s - o->arrival_s - n->deadline_s;
  if (o->dropped || fabs(late_by) > fmax(HS_SLACK_S, HS_CHECK_TOLERANCE * o->end_s)) /* not on the verge */
    if (o->late != (o->dropped || late_by > 0)) return hs_fail(c->err, HS_UNMET, "invariant broken: request %d is %slate", o->request, o->late ? "not " : "");
  if (o->dropped) return HS_OK;
  if (!r->prog || r->prog->to_op < r->prog->graph->n_ops)
    return hs_fail(c->err, HS_UNMET, "invariant broken: request %d ended after %d operators", o->request, r->prog ? r->prog->to_op : 0);
  if (hs_check_about(r->end_s, o->end_s)) return HS_OK;
  return hs_fail(c->err, HS_UNMET, "invariant broken: request %d ended at %.9g s, its last task at %.9g s", o->request, o->end_s, r->end_s);
}

static int unfinished(const struct hs_checked_run *run, int network) { return run->unfinished ? run->unfinished[network] : 0; }

static enum hs_status check_ends(struct hs_check *c)
{
  int open[HS_NETWORKS_MAX] = {0};
  for (int i = 0; i < c->n_requests; i++) {
    const struct hs_check_request *r = &c->requests[i];
    if (r->outcome) HS_TRY(check_end(c, r));
    else if (r->prog) open[r->network]++;
  }
  for (int i = 0; i < c->run->n_networks; i++)
    if (open[i] > unfinished(c->run, i))
      return hs_fail(c->err, HS_UNMET, "invariant broken: %d requests of network %d did not end, not %d", open[i], i, unfinished(c->run, i));
  return HS_OK;
}

static enum hs_status check_all(struct hs_check *c)
{
  HS_TRY(list_requests(c));
  HS_TRY(check_arrivals(c));
  HS_TRY(check_events(c));
  HS_TRY(check_ends(c));
  for (int i = 0; i < c->n_programs; i++) HS_TRY(hs_check_program(c->programs[i], c->err));
  HS_TRY(hs_check_shares(c));
  return hs_check_report(c);
}

static bool sets_opps(const struct hs_plan *plan)
{
  bool any = false;
  for (int a = 0; a < plan->n; a++)
    for (int i = 0; i < plan->alternatives[a]->n_ops; i++)
      for (int k = 0; k < plan->alternatives[a]->ops[i].n_parts; k++) any |= plan->alternatives[a]->ops[i].parts[k].opp >= 0;
  return any;
}

enum hs_status hs_check_run(const struct hs_checked_run *run, struct hs_error *err)
{
  struct hs_check c = {.run = run, .err = err};
  for (int i = 0; i < run->n_networks; i++) {
    c.sets_opps |= sets_opps(&run->networks[i].plan);
    c.n_unfinished += unfinished(run, i);
  }
  enum hs_status status = check_all(&c);
  free(c.programs);
  hs_arena_free(&c.arena);
  return status;
}
