/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/cores.h"

#include <assert.h>
#include <limits.h>
#include <math.h>

#include "engine/clock.h"
#include "engine/slices.h"
#include "engine/stealing.h"

/* Whose threads a job has, over all of its requests: those of an app, as each network is one that has a pool of its own and a system by which it is known,
 * or of a process. */
static int owner_of(struct hs_engine *e, const struct hs_job *j)
{
  int n = 0;
  if (j->request < 0) return HS_APPS_MAX - 1 - j->request;
  while (n < e->n_apps && e->apps[n] != j->prog->sys) n++;
  if (n == e->n_apps) {
    assert(n < HS_APPS_MAX);
    e->apps[e->n_apps++] = j->prog->sys;
  }
  return n;
}

static struct hs_thread *find_thread(const struct hs_worker *w, const struct hs_core *c)
{
  struct hs_thread *th = w->job->threads;
  while (th && (th->core != c || th->calls != w->calls)) th = th->next_of_job;
  return th;
}

static double weight_of(const struct hs_worker *w) { return w->task->weight ? w->task->weight : w->q->e->weight; }

/* Virtual time of an owner who comes to a core: what its last thread there had. For the first time it comes from sleep, and so does an app with its first
 * request; what processes do as the run begins they have done before (assumed, of those, too, that don't always compute). */
static double vruntime_of(const struct hs_core *c, int owner)
{
  if (owner >= HS_APPS_MAX && hs_des_now_s() <= 0) return 0;
  return owner < c->n_kept ? c->kept[owner] : -INFINITY;
}

/* The thread of a worker's job on a core. */
static struct hs_thread *thread_of(struct hs_worker *w, struct hs_core *c)
{
  struct hs_thread *th = find_thread(w, c);
  if (!th) {
    int owner = owner_of(w->q->e, w->job);
    th = c->idle;
    if (th)
      c->idle = th->next_idle;
    else
      th = hs_thread_new(c);
    if (th == c->left && th->owner != owner) c->left = NULL; /* the turn was somebody else's */
    th->owner = owner;
    th->state = SLEEPS;
    th->cfs.vruntime_s = vruntime_of(c, owner);
    th->calls = w->calls;
    th->next_of_job = w->job->threads;
    w->job->threads = th;
  }
  th->cfs.weight = weight_of(w);
  return th;
}

static void ring(struct hs_core *c)
{
  c->rung = true;
  hs_clock_ring(c->of->q->e);
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
  struct hs_core *c;
  for (int i = 0; (c = core_of(w->q, w->task, i)); i++) {
    struct hs_thread *th = thread_of(w, c);
    if (th->state == SLEEPS) hs_cfs_wake(&c->cfs, w->q->e->sys->scheduler, &th->cfs);
    if (hs_core_current(c) != th) hs_core_pick(c);
    th->state = UNCUT;
    c->uncut = w;
    c->slice_s = INFINITY;
  }
  hs_clock_begin(w);
}

void hs_cores_vacate(struct hs_worker *w)
{
  struct hs_core *c;
  if (!w->q->cores) return;
  hs_account_until(w->q, hs_des_now_s());
  for (int i = 0; (c = core_of(w->q, w->task, i)); i++) {
    if (c->uncut != w) continue; /* a delay has none */
    struct hs_thread *th = hs_core_current(c);
    hs_cfs_sleep(&c->cfs, &th->cfs);
    th->state = SLEEPS;
    c->left = th;
    c->left_s = c->since_s;
    c->uncut = NULL;
  }
}

static void run_cut(struct hs_worker *w, double left);

/* Somebody else wants core c: what is left of the task that has it goes on as threads, which have their cores. */
static void cut(struct hs_core *c)
{
  struct hs_worker *w = c->uncut;
  hs_clock_break_off(w);
  hs_cores_vacate(w);
  if (hs_flow_has_ended(&w->flow, hs_des_now_s()))
    hs_clock_end(w);
  else {
    run_cut(w, w->flow.left);
    for (int i = 0; i < w->n_parts; i++) hs_core_take_turn(core_of(w->q, w->task, i));
  }
}

static void give(struct hs_thread *th, struct hs_worker *w, double left)
{
  struct hs_core *c = th->core;
  const struct hs_scheduler *rules = w->q->e->sys->scheduler;
  while (c->uncut) cut(c);
  bool slept = th->state == SLEEPS;
  hs_thread_take(th, w, left);
  if (slept) { /* else it is spinning: if it has the core it goes on, else when its turn comes */
    hs_cfs_wake(&c->cfs, rules, &th->cfs);
    c->look |= hs_cfs_preempts(&c->cfs, rules, &th->cfs);
    hs_core_count_slice(c);
  }
  ring(c);
}

/* That fraction of its task, as a thread per core. */
static void run_cut(struct hs_worker *w, double left)
{
  struct hs_core *c;
  w->n_parts = 0;
  while (core_of(w->q, w->task, w->n_parts)) w->n_parts++;
  w->n_parts_left = w->n_parts;
  w->steals = w->n_parts > 1 && hs_work_stolen_s(&w->q->e->sys->soc->processors[w->q->processor], &w->task->work) > 0;
  for (int i = 0; (c = core_of(w->q, w->task, i)); i++) give(thread_of(w, c), w, left * w->event.stretch);
  hs_threads_deal(w, hs_des_now_s());
}

/* Has any core of the task something else to do? Only then is it cut into threads, which costs time. */
static bool is_contended(const struct hs_worker *w)
{
  const struct hs_core *c;
  for (int i = 0; (c = core_of(w->q, w->task, i)); i++) {
    const struct hs_thread *own = find_thread(w, c);
    if (c->cfs.n > (own && own->state != SLEEPS)) return true;
  }
  return false;
}

static void move_to(struct hs_worker *w, int d, int core)
{
  hs_account_want(w->q, w->task, -1);
  w->event.elsewhere = true;
  w->event.domain = d;
  w->moved = hs_event_task(&w->event, w->q->e->sys->soc);
  w->moved.first_core = core;
  w->task = &w->moved;
  hs_account_want(w->q, w->task, 1);
}

void hs_cores_move(struct hs_worker *w)
{
  const struct hs_queue *q = w->q;
  const struct hs_backend *b = hs_program_backend(w->job->prog, q->e->sys, q->processor);
  const struct hs_processor *p = &q->e->sys->soc->processors[q->processor];
  if (!is_contended(w)) return;
  for (int d = 0; d < p->n_domains; d++)
    for (int i = 0; i < (b->cores_list ? b->cores[d] : p->domains[d].cores); i++) {
      int host = q->first_core[d] + i;
      if (q->cores->core[host].cfs.n > 0 || q->wanted[host] > 0) continue;
      move_to(w, d, i);
      return;
    }
}

void hs_cores_run(struct hs_worker *w)
{
  if (is_contended(w))
    run_cut(w, 1);
  else
    occupy(w);
}

/* Puts a call on a core that its thread may use: of those with the fewest tasks the first. */
static void place_call(const struct hs_engine *e, struct hs_task *call)
{
  int fewest = INT_MAX, domain = 0;
  for (int p = 0; p < e->sys->soc->n_processors; p++)
    for (int d = 0; d < e->sys->soc->processors[p].n_domains; d++)
      for (int c = 0; c < e->sys->soc->processors[p].domains[d].cores && (e->sys->rpc_clusters & hs_soc_domain_bit(p, d)); c++) {
        int tasks = hs_engine_tasks_on(e, p, d, c);
        if (tasks >= fewest) continue;
        fewest = tasks;
        domain = d;
        call->processor = p;
        call->first_core = c;
      }
  call->work = hs_work_on_core(&e->sys->soc->processors[call->processor], domain, 0); /* how long, says who it calls for */
}

/* The thread of the host, which works for a worker of its CPU that does nothing else. */
struct hs_caller {
  struct hs_worker as;
  struct hs_task task;
};

void hs_cores_call(struct hs_worker *w)
{
  struct hs_caller *c = w->caller;
  if (!c) c = w->caller = hs_realloc(NULL, 1, sizeof *c);
  c->task = (struct hs_task){.kind = HS_TASK_RPC, .tensor = -1, .opp = -1};
  place_call(w->q->e, &c->task);
  c->as = (struct hs_worker){.q = &w->q->e->queues[c->task.processor],
                             .job = w->job,
                             .task = &c->task,
                             .own = {.task = &c->task, .is_rival = w->job->request < 0},
                             .event = {.stretch = w->event.stretch},
                             .calls = w->q->processor,
                             .calls_for = w};
  hs_account_want(c->as.q, &c->task, 1);
  hs_account_begin(c->as.q, &c->as.own);
  run_cut(&c->as, 1);
}

struct hs_worker *hs_cores_end_call(struct hs_worker *caller)
{
  struct hs_worker *w = caller->calls_for;
  const struct hs_task *call = caller->task;
  hs_account_end(caller->q, &caller->own);
  w->event.caller.processor = call->processor;
  for (int d = 0; d < HS_DOMAINS_MAX; d++)
    if (call->work.cores[d]) w->event.caller.domain = d;
  w->event.caller.share_s = caller->own.share_s;
  w->event.caller.energy_j = caller->own.energy_j;
  w->event.caller.cycles = caller->own.cycles[w->event.caller.domain];
  return w;
}

void hs_cores_leave(struct hs_job *j)
{
  for (struct hs_thread *th = j->threads; th; th = th->next_of_job) {
    struct hs_core *c = th->core;
    if (th->state != SLEEPS) {
      hs_cfs_sleep(&c->cfs, &th->cfs);
      hs_core_count_slice(c);
      ring(c);
    }
    th->state = SLEEPS;
    while (c->n_kept <= th->owner) {
      HS_GROW(c->kept, c->n_kept, c->cap_kept);
      c->kept[c->n_kept++] = -INFINITY;
    }
    c->kept[th->owner] = th->cfs.vruntime_s;
    th->next_idle = c->idle;
    c->idle = th;
  }
  j->threads = NULL;
}
