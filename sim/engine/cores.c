/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/cores.h"

#include <math.h>
#include <stdlib.h>

#include "engine/slices.h"

static struct hs_thread *find_thread(const struct hs_worker *w, const struct hs_core *c)
{
  struct hs_thread *th = w->job->threads;
  while (th && (th->core != c || th->calls != w->calls)) th = th->next_of_job;
  return th;
}

static double weight_of(const struct hs_worker *w) { return w->task->weight ? w->task->weight : w->q->e->weight; }

/* The thread of a worker's job on a core. A new one has the virtual time that its client's last one had. */
static struct hs_thread *thread_of(struct hs_worker *w, struct hs_core *c)
{
  struct hs_thread *th = find_thread(w, c);
  if (!th) {
    int client = hs_job_client(w->job);
    th = c->idle;
    if (th)
      c->idle = th->next_idle;
    else
      th = hs_thread_new(c);
    th->state = SLEEPS;
    th->cfs.vruntime_s = client < c->n_kept ? c->kept[client] : 0;
    th->calls = w->calls;
    th->next_of_job = w->job->threads;
    w->job->threads = th;
  }
  th->cfs.weight = weight_of(w);
  return th;
}

/* The core of a task, counted through its domains; NULL after the last. */
static struct hs_core *core_of(const struct hs_queue *q, const struct hs_task *t, int i)
{
  for (int d = 0; d < HS_DOMAINS_MAX; i -= t->work.cores[d++])
    if (i < t->work.cores[d]) return &q->cores->core[q->first_core[d] + t->first_core + i];
  return NULL;
}

/* A task has its cores to itself, and its threads need not be told apart. */
static void occupy(struct hs_worker *w)
{
  struct hs_cores *cs = w->q->cores;
  struct hs_core *c;
  hs_cores_settle(cs);
  for (int i = 0; (c = core_of(w->q, w->task, i)); i++) {
    struct hs_thread *th = thread_of(w, c);
    if (th->state == SLEEPS) hs_cfs_wake(&c->cfs, w->q->e->sys->scheduler, &th->cfs);
    hs_cfs_pick(&c->cfs);
    th->state = UNCUT;
    c->uncut = w;
    c->slice_s = INFINITY;
  }
  w->uncut = BY_CLOCK;
  w->exec = NULL;
  w->flow = (struct hs_flow){.bytes = w->event.bytes * w->event.stretch, .left = 1, .pace = 1, .since_s = hs_des_now_s()};
  hs_uncut_time(w);
  w->next_uncut = cs->uncut;
  cs->uncut = w;
  hs_cores_ring(cs);
}

/* Somebody else wants core c: what is left of the task that has it goes on as threads, which want their cores first. Nobody but the actor that
 * waits for an execution may cancel it, so that actor ends, and another goes on for it. */
static void cut(struct hs_core *c)
{
  hs_actor_yield(); /* what ends in this moment has ended */
  struct hs_worker *w = c->uncut;
  if (!w) return;
  hs_cores_settle(c->of);
  bool by_clock = w->uncut == BY_CLOCK;
  hs_uncut_vacate(w); /* before others run */
  w->is_cut = true;
  if (by_clock) {
    w->left = w->flow.left;
    hs_semaphore_release(w->together);
  } else if (w->exec) {
    w->left *= hs_exec_left_frac(w->exec);
    hs_actor_kill(w->actor);
    hs_worker_restart(w);
  } else
    hs_actor_yield();
}

static void wait_for_end(struct hs_worker *w)
{
  hs_semaphore_acquire(w->together);
  if (w->has_ended) w->q->e->n_ending--;
  w->has_ended = false;
}

static int cores_of(const struct hs_worker *w)
{
  int n = 0;
  while (core_of(w->q, w->task, n)) n++;
  return n;
}

static void give(struct hs_thread *th, struct hs_team *team, double left)
{
  struct hs_core *c = th->core;
  const struct hs_scheduler *rules = c->of->q->e->sys->scheduler;
  while (c->uncut) cut(c); /* others run meanwhile */
  hs_cores_settle(c->of);
  bool slept = th->state == SLEEPS;
  th->team = team;
  th->state = WORKS;
  hs_thread_take(th, team->worker, left, team->n_cores);
  if (slept) { /* else it is spinning: if it has the core it goes on, else when its turn comes */
    hs_cfs_wake(&c->cfs, rules, &th->cfs);
    c->look |= hs_cfs_preempts(&c->cfs, rules, &th->cfs);
    c->slice_s = fmin(c->slice_s, hs_cfs_slice_s(&c->cfs, rules));
  }
  hs_core_ring(c);
}

void hs_cores_run_rest(struct hs_worker *w)
{
  struct hs_team team = {.n_cores = cores_of(w), .n_left = cores_of(w), .worker = w};
  double left = w->left * w->event.stretch;
  struct hs_core *c;
  for (int i = 0; (c = core_of(w->q, w->task, i)); i++) give(thread_of(w, c), &team, left);
  wait_for_end(w);
}

/* Makes what can be missing. From here to what follows others may run, but not in it. */
static void prepare(struct hs_worker *w)
{
  struct hs_core *c;
  for (int i = 0; (c = core_of(w->q, w->task, i)); i++) thread_of(w, c);
}

/* Has any core of the task something else to do? Only then is it cut into threads, which costs time. */
static bool is_contended(const struct hs_worker *w)
{
  const struct hs_core *c;
  hs_cores_settle(w->q->cores);
  for (int i = 0; (c = core_of(w->q, w->task, i)); i++) {
    const struct hs_thread *own = find_thread(w, c);
    if (c->cfs.n > (own && own->state != SLEEPS)) return true;
  }
  return false;
}

/* The memory is short: the simulator goes on with what is left. */
static void simulate(struct hs_worker *w)
{
  struct hs_exec *exec = hs_worker_start_task(w);
  if (w->is_cut) {
    hs_exec_cancel(exec);
    return;
  }
  w->exec = exec;
  hs_exec_wait(exec);
  hs_uncut_vacate(w);
  hs_cores_ring(w->q->cores);
}

static void run_uncut(struct hs_worker *w)
{
  occupy(w);
  wait_for_end(w);
  if (w->uncut == SIMULATED) simulate(w);
  if (w->is_cut) hs_cores_run_rest(w);
}

void hs_cores_run(struct hs_worker *w)
{
  prepare(w);
  if (is_contended(w))
    hs_cores_run_rest(w);
  else
    run_uncut(w);
}

/* Puts a call on a core that its thread may use: of those with the fewest tasks the first. */
static void place_call(const struct hs_engine *e, struct hs_task *call, double seconds)
{
  int fewest = 0;
  for (int p = 0; p < e->sys->soc->n_processors; p++)
    for (int d = 0; d < e->sys->soc->processors[p].n_domains; d++)
      for (int c = 0; c < e->sys->soc->processors[p].domains[d].cores && (e->sys->rpc_clusters >> (p * HS_DOMAINS_MAX + d) & 1); c++) {
        const struct hs_domain *domain = &e->sys->soc->processors[p].domains[d];
        int tasks = hs_engine_tasks_on(e, p, d, c);
        if (call->work.power_factor > 0 && tasks >= fewest) continue;
        fewest = tasks;
        call->processor = p;
        call->first_core = c;
        call->work = (struct hs_work){.power_factor = 1};
        call->work.cores[d] = 1;
        call->work.cycles[d] = seconds * domain->opps[domain->n_opps - 1].freq_hz;
      }
}

void hs_cores_call(struct hs_worker *w)
{
  struct hs_task call = {.kind = HS_TASK_RPC, .tensor = -1, .opp = -1};
  place_call(w->q->e, &call, w->task->delay_s);
  struct hs_worker caller = {.q = &w->q->e->queues[call.processor], .together = w->together, .job = w->job, .task = &call, .own = {.task = &call},
                             .event = {.stretch = w->event.stretch}, .calls = w->q->processor, .left = 1};
  hs_account_want(caller.q, &call, 1);
  hs_account_begin(caller.q, &caller.own);
  hs_account_set_levels(caller.q, &call);
  hs_cores_run_rest(&caller);
  hs_account_end(caller.q, &caller.own);
  w->event.caller.processor = call.processor;
  for (int d = 0; d < HS_DOMAINS_MAX; d++)
    if (call.work.cores[d]) w->event.caller.domain = d;
  w->event.caller.share_s = caller.own.share_s;
  w->event.caller.energy_j = caller.own.energy_j;
  w->event.caller.cycles = caller.own.cycles[w->event.caller.domain];
}

void hs_cores_leave(struct hs_job *j)
{
  int client = hs_job_client(j);
  for (struct hs_thread *th = j->threads; th; th = th->next_of_job) {
    struct hs_core *c = th->core;
    hs_cores_settle(c->of);
    if (th->state != SLEEPS) {
      hs_cfs_sleep(&c->cfs, &th->cfs);
      hs_core_ring(c);
    }
    th->state = SLEEPS;
    while (c->n_kept <= client) {
      HS_GROW(c->kept, c->n_kept, c->cap_kept);
      c->kept[c->n_kept++] = 0;
    }
    c->kept[client] = th->cfs.vruntime_s;
    th->next_idle = c->idle;
    c->idle = th;
  }
  j->threads = NULL;
}

void hs_cores_open(struct hs_queue *q) { q->cores = hs_slices_open(q); }
void hs_cores_free(struct hs_queue *q) { hs_slices_free(q->cores); }
