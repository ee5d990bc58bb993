/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "out/check.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "device/cache.h"
#include "plan/estimate.h"
#include "serve/noise.h"

static const double TOLERANCE = 1e-9;
static const double TIE_S = 1e-12; /* arrivals closer than this come at the same time */

/* A request and the program of it that is under way, or was last. */
struct request {
  int network;                     /* -1: nothing is known of it yet */
  const struct hs_outcome *outcome; /* NULL: it didn't end */
  double arrival_s;
  const struct hs_program *prog;
  int n_ran;
  double *ends;                    /* [task] of prog; -1: not yet */
  int last[HS_PROCESSORS_MAX];     /* task of prog that ran last */
  double prog_start_s, end_s;      /* prog was handed in; the newest task of all programs ended */
};

struct check {
  const struct hs_checked_run *run;
  struct hs_error *err;
  struct hs_arena arena;
  int n_requests;
  struct request *requests; /* by number */
  int n_programs, cap_programs;
  const struct hs_program **programs; /* that ran */
  double free_s[HS_PROCESSORS_MAX];     /* when the task that an accelerator took last ended, */
  const struct hs_program *program[HS_PROCESSORS_MAX]; /* and what it was of, */
  int request[HS_PROCESSORS_MAX];       /* and for */
  double ready_s[HS_PROCESSORS_MAX][HS_NETWORKS_MAX], start_s[HS_PROCESSORS_MAX][HS_NETWORKS_MAX]; /* of the last one of each network; of an
                                                                                                      * invocation's tasks the first */
};

static bool about(double a, double b) { return fabs(a - b) <= TOLERANCE * fmax(fmax(fabs(a), fabs(b)), 1e-12); }
static bool after(double a, double b) { return a > b + TOLERANCE * fmax(fabs(a), fabs(b)); }

static enum hs_status breach(struct check *c, const struct hs_event *e, const char *rule)
{
  const struct hs_task *t = &e->program->tasks[e->task];
  char label[140];
  return hs_fail(c->err, HS_UNMET, "invariant broken: request %d, task %d (%s, on %s, %.9g–%.9g s): %s", e->request, e->task,
                 hs_task_label(e->program, e->task, label, sizeof label), c->run->sys->soc->processors[t->processor].name,
                 e->start_s, e->end_s, rule);
}

/* --- what a scenario leaves as it is --- */

/* May a governor set frequencies other than the system's? */
static bool is_governed(const struct check *c)
{
  for (int p = 0; p < HS_PROCESSORS_MAX && c->run->scenario; p++)
    for (int d = 0; d < HS_DOMAINS_MAX; d++)
      if (c->run->scenario->governed[p][d].kind >= 0) return true;
  return false;
}

/* Are power and frequencies what the system is set to? */
static bool is_steady(const struct check *c) { return !c->run->scenario || !(c->run->scenario->thermal || is_governed(c)); }

static bool loads(const struct check *c, const struct hs_process *pr, int p)
{
  enum hs_kind kind = c->run->sys->soc->processors[p].kind;
  for (int i = 0; i < pr->n_phases; i++)
    if (kind == HS_CPU ? pr->phases[i].threads > 0 && pr->clusters >> (p * HS_DOMAINS_MAX) & ((1u << HS_DOMAINS_MAX) - 1) : pr->phases[i].load_frac[kind] > 0)
      return true;
  return false;
}

/* Does anything but inferences run on p? */
static bool has_rivals(const struct check *c, int p)
{
  const struct hs_scenario *s = c->run->scenario;
  enum hs_kind kind = c->run->sys->soc->processors[p].kind;
  for (int i = 0; s && i < s->n_processes; i++)
    if (loads(c, &s->processes[i], p)) return true;
  return s && s->ui_rate_hz > 0 && (kind == HS_CPU || kind == HS_GPU);
}

/* Factors between which the cache keeps DRAM traffic: others only lower the hit rate. */
static void traffic(const struct check *c, double *least, double *most)
{
  const struct hs_scenario *s = c->run->scenario;
  *least = *most = 1;
  if (!s || c->run->sys->soc->memory.llc_hit_frac < 0) return;
  if (s->cache_hit_frac >= 0)
    *least = *most = hs_cache_traffic(c->run->sys->soc, s->cache_hit_frac);
  else if (s->n_processes)
    *most = hs_cache_traffic(c->run->sys->soc, 0);
}

/* The task at the highest frequencies it can have met. */
static struct hs_task at_best(const struct check *c, const struct hs_task *t)
{
  struct hs_task best = *t;
  const struct hs_processor *p = &c->run->sys->soc->processors[t->processor];
  if (t->opp < 0 && is_governed(c)) best.opp = p->domains[p->n_domains - 1].n_opps - 1;
  return best;
}

static double hot_leakage(const struct check *c)
{
  return c->run->scenario && c->run->scenario->thermal ? hs_leakage_factor(HS_TEMPERATURE_MAX_C) : 1;
}

/* What so many cores of a domain and what they share take at most, at the OPP that needs most: a table needn't ascend in power. */
static double most_watts(const struct check *c, const struct hs_domain *d, int cores)
{
  double most_w = 0;
  for (int i = 0; i < d->n_opps; i++) most_w = fmax(most_w, cores * d->opps[i].dynamic_w + d->opps[i].shared_w + hot_leakage(c) * d->opps[i].static_w);
  return most_w;
}

/* --- what ran --- */

static int network_of(const struct check *c, const struct hs_program *prog)
{
  for (int i = 0; i < c->run->n_networks; i++)
    for (int k = 0; k < c->run->networks[i].plan.n; k++)
      if (c->run->networks[i].plan.alternatives[k] == prog->placement && hs_network_graph(&c->run->networks[i], k) == prog->graph) return i;
  return -1;
}

static enum hs_status list_program(struct check *c, const struct hs_program *prog)
{
  bool checked = false;
  for (int i = 0; i < c->n_programs; i++) {
    if (c->programs[i] == prog) return HS_OK;
    checked |= c->programs[i]->placement == prog->placement;
  }
  HS_GROW(c->programs, c->n_programs, c->cap_programs);
  c->programs[c->n_programs++] = prog;
  return checked ? HS_OK : hs_placement_check(c->run->sys, prog->graph, prog->placement, "(checked again)", c->err);
}

static enum hs_status list_outcomes(struct check *c)
{
  for (int i = 0; i < c->run->n_outcomes; i++) {
    struct request *r = &c->requests[c->run->outcomes[i].request];
    if (r->outcome) return hs_fail(c->err, HS_UNMET, "invariant broken: request %d ended twice", c->run->outcomes[i].request);
    r->outcome = &c->run->outcomes[i];
    r->network = r->outcome->network;
  }
  return HS_OK;
}

static enum hs_status list_requests(struct check *c)
{
  const struct hs_timeline *t = c->run->timeline;
  for (int i = 0; i < t->n; i++) c->n_requests = t->events[i].request >= c->n_requests ? t->events[i].request + 1 : c->n_requests;
  for (int i = 0; i < c->run->n_outcomes; i++)
    c->n_requests = c->run->outcomes[i].request >= c->n_requests ? c->run->outcomes[i].request + 1 : c->n_requests;
  c->requests = HS_NEW_ARRAY(&c->arena, struct request, (size_t)c->n_requests);
  for (int i = 0; i < c->n_requests; i++) c->requests[i].network = -1;
  HS_TRY(list_outcomes(c));
  const struct hs_program *same = NULL; /* as in the event before */
  for (int i = 0, network = -1; i < t->n; i++) {
    struct request *r = &c->requests[t->events[i].request];
    if (t->events[i].program != same) {
      same = t->events[i].program;
      network = network_of(c, same);
      if (network < 0) return breach(c, &t->events[i], "ran of a program that is in no plan");
      HS_TRY(list_program(c, same));
    }
    if (r->network < 0) r->network = network;
    if (r->network != network) return breach(c, &t->events[i], "ran of another network than the request's");
  }
  return HS_OK;
}

/* --- arrivals --- */

/* The network whose request comes next; ties: the first. */
static int earliest(const struct check *c, const struct hs_arrivals *a)
{
  int first = 0;
  for (int i = 1; i < c->run->n_networks; i++)
    if (a[i].next_s < a[first].next_s - TIE_S) first = i;
  return first;
}

/* Whose request i is, of which nothing is known: it waited until the run was over, so back to back none came after it. */
static int guess_network(const struct check *c, int i, const struct hs_arrivals *a, const int *last_known)
{
  int first = earliest(c, a);
  for (int k = 0; k < c->run->n_networks; k++)
    if (a[k].next_s <= a[first].next_s + TIE_S && (a[k].pattern.kind != HS_BACK_TO_BACK || last_known[k] < i)) return k;
  return first;
}

static enum hs_status check_arrival(struct check *c, int i, struct hs_arrivals *a, const int *last_known)
{
  struct request *r = &c->requests[i];
  int first = earliest(c, a);
  if (r->network < 0) r->network = guess_network(c, i, a, last_known);
  double came = r->arrival_s = a[r->network].next_s;
  if (!isfinite(came) || after(came, a[first].next_s + TIE_S))
    return hs_fail(c->err, HS_UNMET, "invariant broken: request %d is of %s, whose next one had not come", i, c->run->networks[r->network].label);
  if (r->outcome && !about(r->outcome->arrival_s, came))
    return hs_fail(c->err, HS_UNMET, "invariant broken: request %d came at %.9g s, not at %.9g s", i, came, r->outcome->arrival_s);
  hs_arrivals_came(&a[r->network]);
  if (r->outcome) hs_arrivals_ended(&a[r->network], r->outcome->end_s);
  return HS_OK;
}

/* Arrivals follow from patterns and ends alone. */
static enum hs_status check_arrivals(struct check *c)
{
  struct hs_arrivals arrivals[HS_NETWORKS_MAX];
  int last_known[HS_NETWORKS_MAX] = {0};
  enum hs_status status = HS_OK;
  const struct hs_network *n = c->run->networks;
  for (int i = 0; i < c->n_requests; i++)
    if (c->requests[i].network >= 0) last_known[c->requests[i].network] = i;
  for (int i = 0; i < c->run->n_networks; i++) hs_arrivals_open(&arrivals[i], &n[i].pattern, n[i].seed, n[i].stream);
  for (int i = 0; i < c->n_requests && !status; i++) status = check_arrival(c, i, arrivals, last_known);
  for (int i = 0; i < c->run->n_networks; i++) hs_arrivals_close(&arrivals[i]);
  return status;
}

/* --- order --- */

static enum hs_status cut_short(struct check *c, const struct request *r)
{
  return hs_fail(c->err, HS_UNMET, "invariant broken: request %d ran %d of %d tasks", (int)(r - c->requests), r->n_ran, r->prog->n_tasks);
}

/* The first task of a program of the request that has ended; all its first tasks were ready when it was handed in. */
static enum hs_status start_program(struct check *c, struct request *r, const struct hs_event *e)
{
  const struct hs_program *before = r->prog;
  if (before && r->n_ran < before->n_tasks) return cut_short(c, r);
  if (e->program->from_op != (before ? before->to_op : 0)) return breach(c, e, "ran of a piece that doesn't follow the one before");
  if (before && before->graph != e->program->graph) return breach(c, e, "ran of another version of the network than the piece before");
  if (after(before ? r->end_s : r->arrival_s, e->ready_s)) return breach(c, e, "was ready before its request had come so far");
  r->prog = e->program;
  r->prog_start_s = e->ready_s;
  r->n_ran = 0;
  r->ends = HS_NEW_ARRAY(&c->arena, double, (size_t)e->program->n_tasks);
  for (int i = 0; i < e->program->n_tasks; i++) r->ends[i] = -1;
  for (int p = 0; p < HS_PROCESSORS_MAX; p++) r->last[p] = -1;
  return HS_OK;
}

/* Against the tasks of the same program; *ready_s: when it can have been ready. */
static enum hs_status check_own(struct check *c, const struct request *r, const struct hs_event *e, double *ready_s)
{
  const struct hs_task *t = &e->program->tasks[e->task];
  struct hs_task best = at_best(c, t);
  best.work.bytes = e->bytes;
  double alone = hs_task_seconds(c->run->sys, &best) * e->stretch;
  int last = r->last[t->processor];
  bool exact = !c->run->noise || !hs_noise_scatters(c->run->sys, t);
  if (r->ends[e->task] >= 0) return breach(c, e, "ran twice");
  if (exact ? e->stretch < 1 || e->stretch > 1 : !(e->stretch > 0)) return breach(c, e, "was stretched, and nothing is known of its scatter");
  if (e->end_s < e->start_s) return breach(c, e, "ended before it started");
  *ready_s = r->prog_start_s;
  for (int k = 0; k < t->n_deps; k++) {
    double end = r->ends[e->program->deps[t->first_dep + k]];
    if (end < 0 || after(end, e->start_s)) return breach(c, e, "started before a dependency was done");
    *ready_s = fmax(*ready_s, end);
  }
  double since_s = t->from_deps ? *ready_s : e->start_s;
  if (e->end_s - since_s < alone - TOLERANCE * fmax(alone, e->end_s)) return breach(c, e, "was faster than alone");
  if (last < 0) return HS_OK;
  if (last > e->task) return breach(c, e, "ran out of program order");
  if (after(r->ends[last], e->start_s)) return breach(c, e, "overlaps another task of its queue");
  *ready_s = fmax(*ready_s, r->ends[last]);
  return HS_OK;
}

/* The accelerator should have taken e before the last task of another network that it took: that was ready when e was, of no
 * higher priority, and started while e waited or was ready later. */
static bool was_overtaken(const struct check *c, const struct hs_event *e, int p)
{
  const struct hs_network *n = c->run->networks;
  int own = n[c->requests[e->request].network].priority;
  for (int i = 0; i < c->run->n_networks; i++)
    if (n[i].priority < own ? after(c->start_s[p][i], e->ready_s) : n[i].priority == own && after(c->ready_s[p][i], e->ready_s)) return true;
  return false;
}

/* Does it belong to the invocation that a DSP or NPU is at? That isn't broken off, not by a higher priority either. */
static bool goes_on(const struct check *c, const struct hs_event *e, int p)
{
  enum hs_kind kind = c->run->sys->soc->processors[p].kind;
  return (kind == HS_DSP || kind == HS_NPU) && !hs_task_calls(&e->program->tasks[e->task]) && c->program[p] == e->program &&
         c->request[p] == e->request && about(e->ready_s, c->free_s[p]);
}

/* All that e waited for ran where it runs itself, so that it was ready as soon as the task before it was done. */
static bool follows_at_once(const struct check *c, const struct hs_event *e, int p)
{
  const struct request *r = &c->requests[e->request];
  const struct hs_task *t = &e->program->tasks[e->task];
  enum hs_kind kind = c->run->sys->soc->processors[p].kind;
  bool here = (kind == HS_DSP || kind == HS_NPU) && !hs_task_calls(t) && r->last[p] >= 0;
  for (int k = 0; k < t->n_deps; k++) here = here && e->program->tasks[e->program->deps[t->first_dep + k]].processor == p;
  return here;
}

/* Against the tasks of all requests. */
static enum hs_status check_queue(struct check *c, const struct hs_event *e, double ready_s)
{
  int p = e->program->tasks[e->task].processor;
  bool cpu = c->run->sys->soc->processors[p].kind == HS_CPU;
  if (!about(e->ready_s, ready_s)) return breach(c, e, "was ready at another time than what it waited for");
  if (!cpu && after(c->free_s[p], e->start_s)) return breach(c, e, "overlaps another task of its queue");
  if (!cpu && was_overtaken(c, e, p)) return breach(c, e, "had to wait for a task that should have come later");
  if (follows_at_once(c, e, p) && after(e->start_s, e->ready_s)) return breach(c, e, "had to wait in the middle of an invocation");
  bool same = goes_on(c, e, p);
  if (after(e->start_s, cpu ? ready_s : fmax(ready_s, c->free_s[p])) && (cpu || same || !has_rivals(c, p))) return breach(c, e, "waited for nothing");
  c->free_s[p] = e->end_s;
  c->program[p] = e->program;
  c->request[p] = e->request;
  if (same) return HS_OK;
  c->ready_s[p][c->requests[e->request].network] = e->ready_s;
  c->start_s[p][c->requests[e->request].network] = e->start_s;
  return HS_OK;
}

/* Threads wait after a task of their program, and draw no more than all cores of the pool at most. */
static enum hs_status check_waiting(struct check *c, const struct request *r, const struct hs_event *e)
{
  for (int p = 0; p < c->run->sys->soc->n_processors; p++) {
    const struct hs_processor *proc = &c->run->sys->soc->processors[p];
    const struct hs_backend *b = &c->run->sys->backends[p];
    double most_w = 0;
    for (int d = 0; d < proc->n_domains && b->spin_s > 0; d++)
      if (b->cores[d]) most_w += most_watts(c, &proc->domains[d], b->cores[d]);
    if (!(e->spun_j[p] >= 0) || after(e->spun_j[p], r->n_ran ? (e->end_s - r->end_s) * most_w : 0)) return breach(c, e, "comes after threads that took more than their cores' power");
  }
  return HS_OK;
}

static enum hs_status check_event(struct check *c, const struct hs_event *e)
{
  struct request *r = &c->requests[e->request];
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

static enum hs_status check_events(struct check *c)
{
  for (int i = 0; i < c->run->timeline->n; i++) HS_TRY(check_event(c, &c->run->timeline->events[i]));
  return HS_OK;
}

/* --- ends --- */

static enum hs_status check_end(struct check *c, const struct request *r)
{
  const struct hs_outcome *o = r->outcome;
  const struct hs_network *n = &c->run->networks[o->network];
  if (r->prog && r->n_ran < r->prog->n_tasks) return cut_short(c, r);
  if (after(r->end_s, o->end_s)) return hs_fail(c->err, HS_UNMET, "invariant broken: request %d ran on after its end", o->request);
  double late_by = o->end_s - o->arrival_s - n->deadline_s;
  if (o->dropped || fabs(late_by) > TOLERANCE * o->end_s) /* not on the verge */
    if (o->late != (o->dropped || late_by > 0)) return hs_fail(c->err, HS_UNMET, "invariant broken: request %d is %slate", o->request, o->late ? "not " : "");
  if (o->dropped) return HS_OK;
  if (!r->prog || r->prog->to_op < r->prog->graph->n_ops)
    return hs_fail(c->err, HS_UNMET, "invariant broken: request %d ended after %d operators", o->request, r->prog ? r->prog->to_op : 0);
  if (about(r->end_s, o->end_s)) return HS_OK;
  return hs_fail(c->err, HS_UNMET, "invariant broken: request %d ended at %.9g s, its last task at %.9g s", o->request, o->end_s, r->end_s);
}

static enum hs_status check_ends(struct check *c)
{
  int open = 0;
  for (int i = 0; i < c->n_requests; i++) {
    const struct request *r = &c->requests[i];
    open += !r->outcome && r->prog;
    if (r->outcome) HS_TRY(check_end(c, r));
  }
  if (open <= c->run->unfinished) return HS_OK;
  return hs_fail(c->err, HS_UNMET, "invariant broken: %d requests did not end, not %d", open, c->run->unfinished);
}

/* --- sharing --- */

static bool takes_core(const struct hs_event *e) { return e->program->tasks[e->task].delay_s <= 0; }

/* Only work on a CPU is shared; a delay takes no core and keeps no other request waiting. */
static enum hs_status check_share(struct check *c, const struct hs_event *e)
{
  bool shared = c->run->sys->soc->processors[e->program->tasks[e->task].processor].kind == HS_CPU && takes_core(e);
  double all = e->end_s - e->start_s;
  if (e->share_s >= 0 && (shared ? !after(e->share_s, all) : about(e->share_s, all))) return HS_OK;
  return breach(c, e, "has another share of its processor than its time there");
}

/* The thread that calls an accelerator takes no more than a core of its clusters. */
static enum hs_status check_caller(struct check *c, const struct hs_event *e)
{
  const struct hs_system *sys = c->run->sys;
  const struct hs_processor *p = &sys->soc->processors[e->caller.processor];
  double most_w = 0, all = e->end_s - e->start_s;
  bool calls = sys->rpc_clusters && e->program->tasks[e->task].kind == HS_TASK_RPC;
  for (int d = 0; d < p->n_domains && calls; d++)
    if (sys->rpc_clusters & hs_soc_domain_bit(e->caller.processor, d)) most_w = fmax(most_w, most_watts(c, &p->domains[d], 1));
  if (e->caller.share_s >= 0 && !after(e->caller.share_s, calls ? all : 0) && !after(e->caller.energy_j, all * most_w)) return HS_OK;
  return breach(c, e, "has a caller that takes more than a core");
}

/* A governor may choose any OPP: what the task takes at the one that needs most. */
static double most_task_watts(const struct check *c, const struct hs_task *t)
{
  const struct hs_processor *p = &c->run->sys->soc->processors[t->processor];
  struct hs_task at = *t;
  bool governed = t->opp < 0 && is_governed(c);
  double most_w = 0;
  for (int i = 0, n = governed ? p->domains[p->n_domains - 1].n_opps : 1; i < n; i++) {
    if (governed) at.opp = i;
    most_w = fmax(most_w, hs_task_dynamic_w(c->run->sys, &at) + hot_leakage(c) * hs_task_static_w(c->run->sys, &at));
  }
  return most_w;
}

/* Alone it takes its power all the time; beside others no more than that, nor at other frequencies and temperatures. */
static enum hs_status check_energy(struct check *c, const struct hs_event *e)
{
  double all = e->end_s - e->start_s, most = all * most_task_watts(c, &e->program->tasks[e->task]);
  bool alone = about(e->share_s, all) && is_steady(c);
  if (e->energy_j >= 0 && (alone ? about(e->energy_j, most) : !after(e->energy_j, most))) return HS_OK;
  return breach(c, e, "takes another energy than its power over its time");
}

/* A clock runs at no more than the highest OPP and no less than the lowest. */
static bool is_clock(const struct hs_domain *d, double seconds, double cycles)
{
  return !after(cycles, seconds * d->opps[d->n_opps - 1].freq_hz) && !after(seconds * d->opps[0].freq_hz, cycles);
}

static enum hs_status check_clocks(struct check *c, const struct hs_event *e)
{
  const struct hs_task *t = &e->program->tasks[e->task];
  const struct hs_soc *soc = c->run->sys->soc;
  bool good = is_clock(&soc->processors[e->caller.processor].domains[e->caller.domain], e->caller.share_s, e->caller.cycles);
  for (int d = 0; d < soc->processors[t->processor].n_domains && good; d++)
    good = is_clock(&soc->processors[t->processor].domains[d], takes_core(e) && t->work.cores[d] ? e->share_s : 0, e->cycles[d]);
  return good ? HS_OK : breach(c, e, "ran at a frequency outside of its OPPs");
}

static enum hs_status check_bytes(struct check *c, const struct hs_event *e)
{
  double own = e->program->tasks[e->task].work.bytes, least, most;
  traffic(c, &least, &most);
  return after(own * least, e->bytes) || after(e->bytes, own * most) ? breach(c, e, "moves other bytes than its own and what the cache lacks") : HS_OK;
}

static bool works_on(const struct hs_event *e, int p)
{
  return (takes_core(e) && e->program->tasks[e->task].processor == p) || (e->caller.share_s > 0 && e->caller.processor == p);
}

/* The time in which p worked: the events come in order of their ends, so they are joined from the last. */
static double worked(const struct hs_timeline *t, int p)
{
  double sum = 0, from = INFINITY, to = INFINITY;
  for (int i = t->n - 1; i >= 0; i--) {
    const struct hs_event *e = &t->events[i];
    if (!works_on(e, p)) continue;
    if (e->end_s < from) {
      sum += isfinite(to) ? to - from : 0;
      to = e->end_s;
      from = e->start_s;
    }
    from = fmin(from, e->start_s);
  }
  return sum + (isfinite(to) ? to - from : 0);
}

static enum hs_status check_shares(struct check *c)
{
  const struct hs_timeline *t = c->run->timeline;
  double shares[HS_PROCESSORS_MAX] = {0};
  for (int i = 0; i < t->n; i++) {
    HS_TRY(check_share(c, &t->events[i]));
    HS_TRY(check_energy(c, &t->events[i]));
    HS_TRY(check_caller(c, &t->events[i]));
    HS_TRY(check_clocks(c, &t->events[i]));
    HS_TRY(check_bytes(c, &t->events[i]));
    shares[t->events[i].caller.processor] += t->events[i].caller.share_s;
    if (takes_core(&t->events[i])) shares[t->events[i].program->tasks[t->events[i].task].processor] += t->events[i].share_s;
  }
  for (int p = 0; p < c->run->sys->soc->n_processors; p++) {
    double all = worked(t, p);
    /* whoever ran beside tasks that were cut off, or aren't of requests, had less */
    if (c->run->unfinished || has_rivals(c, p) ? after(shares[p], all) : !about(shares[p], all))
      return hs_fail(c->err, HS_UNMET, "invariant broken: shares of %s are %.9g s, it worked for %.9g s", c->run->sys->soc->processors[p].name, shares[p], all);
  }
  return HS_OK;
}

/* --- the report --- */

/* Of one network, or of all (-1). */
static bool counts(const struct check *c, int network, int request) { return network < 0 || c->requests[request].network == network; }

static enum hs_status check_frequencies(struct check *c, const struct hs_metrics *m, int network)
{
  double cycles[HS_PROCESSORS_MAX][HS_DOMAINS_MAX] = {0};
  for (int i = 0; i < c->run->timeline->n; i++) {
    const struct hs_event *e = &c->run->timeline->events[i];
    if (!counts(c, network, e->request)) continue;
    for (int d = 0; d < HS_DOMAINS_MAX; d++) cycles[e->program->tasks[e->task].processor][d] += e->cycles[d];
    cycles[e->caller.processor][e->caller.domain] += e->caller.cycles;
  }
  for (int p = 0; p < c->run->sys->soc->n_processors; p++)
    for (int d = 0; d < HS_DOMAINS_MAX; d++)
      if (!about(cycles[p][d], hs_metrics_freq_hz(m, p, d) * m->clocked_s[p][d]))
        return hs_fail(c->err, HS_UNMET, "invariant broken: frequency of %s is not the mean over its tasks", c->run->sys->soc->processors[p].name);
  return HS_OK;
}

static enum hs_status check_sums(struct check *c, const struct hs_metrics *m, int network)
{
  double busy[HS_PROCESSORS_MAX] = {0}, energy[HS_PROCESSORS_MAX] = {0}, kinds[HS_TASK_KIND_N] = {0}, bytes = 0;
  long n = 0;
  for (int i = 0; i < c->run->timeline->n; i++) {
    const struct hs_event *e = &c->run->timeline->events[i];
    const struct hs_task *t = &e->program->tasks[e->task];
    if (!counts(c, network, e->request)) continue;
    busy[t->processor] += takes_core(e) ? e->share_s : 0;
    energy[t->processor] += e->energy_j;
    busy[e->caller.processor] += e->caller.share_s;
    energy[e->caller.processor] += e->caller.energy_j;
    for (int p = 0; p < c->run->sys->soc->n_processors; p++) energy[p] += e->spun_j[p];
    kinds[t->kind] += e->end_s - e->start_s;
    bytes += e->bytes;
    n++;
  }
  for (int p = 0; p < c->run->sys->soc->n_processors; p++)
    if (!about(busy[p], m->busy_s[p]) || !about(energy[p], m->energy_j[p]))
      return hs_fail(c->err, HS_UNMET, "invariant broken: time or energy of %s is not the sum over its tasks",
                     c->run->sys->soc->processors[p].name);
  for (int k = 0; k < HS_TASK_KIND_N; k++)
    if (!about(kinds[k], m->kind_s[k]))
      return hs_fail(c->err, HS_UNMET, "invariant broken: time of %s tasks is not their sum", hs_task_kind_names[k]);
  return n == m->n_tasks && about(bytes, m->dram_bytes) ? HS_OK : hs_fail(c->err, HS_UNMET, "invariant broken: other tasks or DRAM bytes than ran");
}

static enum hs_status check_latencies(struct check *c, const struct hs_metrics *m, int network)
{
  int n = 0, late = 0, dropped = 0;
  double end_s = 0;
  for (int i = 0; i < c->run->n_outcomes; i++) {
    const struct hs_outcome *o = &c->run->outcomes[i];
    if (!counts(c, network, o->request)) continue;
    late += o->late;
    dropped += o->dropped;
    end_s = fmax(end_s, o->end_s);
    if (o->dropped) continue;
    if (n < m->n_requests && !about(o->end_s - o->arrival_s, m->latencies_s[n]))
      return hs_fail(c->err, HS_UNMET, "invariant broken: request %d took %.9g s, not the latency of %.9g s", o->request, o->end_s - o->arrival_s,
                     m->latencies_s[n]);
    n++;
  }
  if (n != m->n_requests) return hs_fail(c->err, HS_UNMET, "invariant broken: %d requests ran, and there are latencies of %d", n, m->n_requests);
  if (late != m->n_late || dropped != m->n_dropped) return hs_fail(c->err, HS_UNMET, "invariant broken: %d late and %d dropped", late, dropped);
  if (about(end_s, m->end_s)) return HS_OK;
  return hs_fail(c->err, HS_UNMET, "invariant broken: the last request ended at %.9g s, not the run at %.9g s", end_s, m->end_s);
}

static enum hs_status check_report(struct check *c)
{
  HS_TRY(check_sums(c, c->run->metrics, -1));
  HS_TRY(check_frequencies(c, c->run->metrics, -1));
  HS_TRY(check_latencies(c, c->run->metrics, -1));
  for (int i = 0; i < c->run->n_networks && c->run->of_networks; i++) {
    HS_TRY(check_sums(c, &c->run->of_networks[i], i));
    HS_TRY(check_latencies(c, &c->run->of_networks[i], i));
  }
  return HS_OK;
}

static enum hs_status check_all(struct check *c)
{
  HS_TRY(list_requests(c));
  HS_TRY(check_arrivals(c));
  HS_TRY(check_events(c));
  HS_TRY(check_ends(c));
  for (int i = 0; i < c->n_programs; i++) HS_TRY(hs_check_program(c->run->sys, c->programs[i], c->err));
  HS_TRY(check_shares(c));
  return check_report(c);
}

enum hs_status hs_check_run(const struct hs_checked_run *run, struct hs_error *err)
{
  struct check c = {.run = run, .err = err};
  enum hs_status status = check_all(&c);
  free(c.programs);
  hs_arena_free(&c.arena);
  return status;
}
