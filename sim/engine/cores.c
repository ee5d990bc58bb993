/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/cores.h"

#include <math.h>
#include <stdlib.h>

#include "device/cfs.h"

static const double SLACK_S = 1e-9; /* times that were added up, and the clock */
static const double LINGER_S = 1e-6; /* of a thread that ended: before it sleeps, whoever waits for it may have more for it */

/* A task cut into one thread per core. */
struct team {
  const struct hs_task *task;
  double left, bytes; /* factor on cycles and bytes; bytes of each thread of all of it */
  int n_cores, n_left;
  struct hs_worker *worker;
};

/* What a job does on one core, task after task: an actor, which the core stops and lets go on. */
struct hs_thread {
  struct hs_cfs_thread cfs; /* first */
  struct hs_core *core;
  struct hs_actor *actor;
  struct hs_semaphore *go;
  enum { SLEEPS, READY, COMPUTES, SPINS, UNCUT } state; /* UNCUT: its worker does its work */
  bool stopped;             /* while it computes */
  struct team *team;
  int calls;                /* as its worker's */
  struct hs_thread *next_of_job, *next_idle, *next_of_core;
};

/* An actor that gives its core to one thread at a time. */
struct hs_core {
  struct hs_queue *q;
  int host;
  struct hs_semaphore *wake;
  bool rung, look;            /* has been woken; and has to choose anew */
  struct hs_cfs cfs;
  double since_s, slice_s;    /* up to where the current thread's time is counted, and what is left of its slice then */
  long turns;
  struct hs_worker *uncut;    /* that runs a task on it and others, uncut */
  struct hs_thread *idle, *all;
  double *kept;               /* [client]: virtual time at which its last job left */
  int n_kept, cap_kept;
};

/* Time of the current thread up to now; before anything changes. */
static void count_slice(struct hs_core *c)
{
  double now = hs_des_now_s(), dt = now - c->since_s;
  c->since_s = now;
  if (dt <= 0 || !c->cfs.current) return;
  hs_cfs_ran(&c->cfs, dt);
  c->slice_s -= dt;
}

static void ring(struct hs_core *c)
{
  if (c->rung) return;
  c->rung = true;
  hs_semaphore_release(c->wake);
}

static int domain_of(const struct hs_queue *q, int host)
{
  int d = 0;
  while (d + 1 < HS_DOMAINS_MAX && q->first_core[d + 1] > 0 && q->first_core[d + 1] <= host) d++;
  return d;
}

static void go_to_sleep(struct hs_thread *th)
{
  struct hs_core *c = th->core;
  count_slice(c);
  bool current = c->cfs.current == &th->cfs;
  hs_cfs_sleep(&c->cfs, &th->cfs);
  th->state = SLEEPS;
  if (current) ring(c);
}

/* The code of a thread's actor: its part of one task after the other. In between it waits actively for a while, by the clock. */
static void be_thread(void *data)
{
  struct hs_thread *th = data;
  const struct hs_queue *q = th->core->q;
  for (bool more = false;;) {
    if (!more) hs_semaphore_acquire(th->go);
    struct team *team = th->team;
    double cycles = team->left * team->task->work.cycles[domain_of(q, th->core->host)], bytes = team->left * team->bytes;
    if (cycles > 0 || bytes > 0) hs_exec_wait(hs_exec_new(1, &q->hosts[th->core->host], &cycles, q->port, bytes));
    th->state = SPINS;
    double spin_s = team->n_cores > 1 ? q->e->sys->runtime->spin_s : LINGER_S;
    if (--team->n_left == 0) hs_semaphore_release(team->worker->together);
    more = hs_semaphore_acquire_for(th->go, spin_s);
    if (!more && th->state == SPINS) go_to_sleep(th);
  }
}

static void stop_thread(struct hs_thread *th)
{
  if (!th || th->state != COMPUTES || th->stopped) return;
  hs_actor_suspend(th->actor);
  th->stopped = true;
}

static void let_go_on(struct hs_thread *th)
{
  if (th->state == READY) {
    th->state = COMPUTES;
    hs_semaphore_release(th->go);
  } else if (th->stopped)
    hs_actor_resume(th->actor);
  th->stopped = false;
}

/* Interrupts make slices longer or shorter, and cores don't take their turns in step. In exact arithmetic they would, and a pattern once found would
 * stay. So a slice is 0.8 to 1.2 of what it should be, by a sequence that is spread evenly (multiples of the golden ratio), another on each core. */
static double out_of_step(struct hs_core *c)
{
  static const double GOLDEN = 0.6180339887498949, SPREAD = 0.4;
  double at = GOLDEN * (double)(++c->turns % 1000003) + GOLDEN * GOLDEN * c->host;
  return 1 + SPREAD * (at - floor(at) - 0.5);
}

/* Who has the core from now on; NULL: nobody. */
static struct hs_thread *choose(struct hs_core *c)
{
  struct hs_thread *before = (struct hs_thread *)c->cfs.current;
  if (before && !c->look && c->slice_s > SLACK_S) return before;
  struct hs_thread *th = (struct hs_thread *)hs_cfs_pick(&c->cfs);
  c->look = false;
  c->slice_s = hs_cfs_slice_s(&c->cfs, c->q->e->sys->scheduler) * out_of_step(c);
  if (th != before) stop_thread(before); /* others run meanwhile: who wakes up may want the core to look again */
  return th;
}

/* The code of a core's actor. */
static void be_core(void *data)
{
  struct hs_core *c = data;
  for (;;) {
    struct hs_thread *th = choose(c);
    if (th) let_go_on(th);
    if (!th || !isfinite(c->slice_s))
      hs_semaphore_acquire(c->wake);
    else if (!hs_semaphore_acquire_for(c->wake, c->slice_s))
      hs_actor_yield(); /* a thread that ends together with its slice has ended */
    c->rung = !hs_semaphore_would_block(c->wake);
    count_slice(c);
  }
}

static struct hs_thread *new_thread(struct hs_core *c)
{
  struct hs_thread *th = hs_realloc(NULL, 1, sizeof *th);
  *th = (struct hs_thread){.core = c, .go = hs_semaphore_new(), .next_of_core = c->all};
  c->all = th;
  th->actor = hs_actor_start("thread", be_thread, th);
  return th;
}

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
      th = new_thread(c); /* others run meanwhile */
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
    if (i < t->work.cores[d]) return &q->cores[q->first_core[d] + t->first_core + i];
  return NULL;
}

/* A task has its cores to itself, and its threads need not be told apart. */
static void occupy(struct hs_worker *w)
{
  struct hs_core *c;
  for (int i = 0; (c = core_of(w->q, w->task, i)); i++) {
    struct hs_thread *th = thread_of(w, c);
    count_slice(c);
    if (th->state == SLEEPS) hs_cfs_wake(&c->cfs, c->q->e->sys->scheduler, &th->cfs);
    hs_cfs_pick(&c->cfs);
    th->state = UNCUT;
    c->uncut = w;
    c->slice_s = INFINITY;
  }
}

static void vacate(struct hs_worker *w)
{
  struct hs_core *c;
  for (int i = 0; (c = core_of(w->q, w->task, i)); i++) {
    struct hs_thread *th = thread_of(w, c);
    count_slice(c);
    hs_cfs_sleep(&c->cfs, &th->cfs);
    th->state = SLEEPS;
    c->uncut = NULL;
  }
  w->uncut = NULL;
}

/* Somebody else wants core c: what is left of the task that has it goes on as threads. Nobody but the actor that waits
 * for an execution may cancel it, so that actor ends, and another goes on for it. */
static void cut(struct hs_core *c)
{
  hs_actor_yield(); /* what ends in this moment has ended */
  struct hs_worker *w = c->uncut;
  if (!w) return;
  struct hs_exec *exec = w->uncut;
  vacate(w); /* before others run */
  w->is_cut = true;
  if (!exec) return;
  w->left = hs_exec_left_frac(exec);
  hs_actor_kill(w->actor);
  hs_worker_restart(w);
}

static void give(struct hs_thread *th, struct team *team)
{
  struct hs_core *c = th->core;
  const struct hs_scheduler *rules = c->q->e->sys->scheduler;
  while (c->uncut) cut(c); /* others run meanwhile */
  count_slice(c);
  th->team = team;
  bool slept = th->state == SLEEPS;
  th->state = READY;
  if (!slept) {
    if (c->cfs.current == &th->cfs) let_go_on(th); /* it has the core, spinning; else when its turn comes */
    return;
  }
  hs_cfs_wake(&c->cfs, rules, &th->cfs);
  c->look |= hs_cfs_preempts(&c->cfs, rules, &th->cfs);
  c->slice_s = fmin(c->slice_s, hs_cfs_slice_s(&c->cfs, rules));
  ring(c);
}

void hs_cores_run_rest(struct hs_worker *w)
{
  struct team team = {.task = w->task, .left = w->left * w->event.stretch, .worker = w};
  struct hs_core *c;
  while (core_of(w->q, w->task, team.n_cores)) team.n_cores++;
  team.n_left = team.n_cores;
  team.bytes = w->event.bytes / team.n_cores;
  for (int i = 0; (c = core_of(w->q, w->task, i)); i++) give(thread_of(w, c), &team);
  hs_semaphore_acquire(w->together);
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
  for (int i = 0; (c = core_of(w->q, w->task, i)); i++) {
    const struct hs_thread *own = find_thread(w, c);
    if (c->cfs.n > (own && own->state != SLEEPS)) return true;
  }
  return false;
}

static void run_uncut(struct hs_worker *w)
{
  occupy(w);
  struct hs_exec *exec = hs_worker_start_task(w);
  if (w->is_cut) {
    hs_exec_cancel(exec);
    hs_cores_run_rest(w);
    return;
  }
  w->uncut = exec;
  hs_exec_wait(exec);
  vacate(w);
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
    count_slice(c);
    if (th->state != SLEEPS) {
      hs_cfs_sleep(&c->cfs, &th->cfs);
      ring(c);
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

void hs_cores_open(struct hs_queue *q)
{
  q->cores = hs_realloc(NULL, (size_t)q->n_hosts, sizeof *q->cores);
  for (int i = 0; i < q->n_hosts; i++) {
    q->cores[i] = (struct hs_core){.q = q, .host = i, .wake = hs_semaphore_new()};
    hs_actor_start("core", be_core, &q->cores[i]);
  }
}

static void free_core(struct hs_core *c)
{
  for (struct hs_thread *th = c->all, *next; th; th = next) {
    next = th->next_of_core;
    hs_semaphore_free(th->go);
    free(th);
  }
  hs_semaphore_free(c->wake);
  free(c->kept);
}

void hs_cores_free(struct hs_queue *q)
{
  for (int i = 0; q->cores && i < q->n_hosts; i++) free_core(&q->cores[i]);
  free(q->cores);
}
