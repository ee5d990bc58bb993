/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The engine on SimGrid 3.32 or newer: the only file that knows it. A task of ours is one parallel task of the L07 model:
 * cycles on the hosts of its cores, and its bytes over [thread limit,] port and DRAM links to one memory host, which makes
 * its duration the roofline and lets processors share the DRAM. An accelerator has one actor that takes its tasks, a CPU
 * one per job in flight; a driver actor takes jobs from the caller. Only hosts, pstates, actors, parallel executions and
 * semaphores are used, so that the file ports to later SimGrid versions with a few lines. */
#define _GNU_SOURCE
#include "engine/engine.h"

#include <math.h>
#include <simgrid/actor.h>
#include <simgrid/engine.h>
#include <simgrid/exec.h>
#include <simgrid/host.h>
#include <simgrid/semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/text.h"
#include "plan/estimate.h"

enum { HOSTS_MAX = HS_CORES_MAX + 2 };

/* An actor that runs tasks of one processor: one per accelerator, and one per job in flight on a CPU. */
struct worker {
  struct queue *q;
  sg_sem_t wake;
  struct worker *next_idle;
};

/* A task under way that isn't a delay. */
struct running {
  const struct hs_task *task;
  double share_s, energy_j; /* up to the queue's since_s */
  struct running *next;
};

struct queue {
  struct hs_engine *e;
  int processor;
  int n_hosts;                /* cores in use, then the port */
  sg_host_t hosts[HOSTS_MAX]; /* cores by domain */
  int first_core[HS_DOMAINS_MAX];
  int n_workers, cap_workers;
  struct worker **workers;
  struct worker *idle;
  struct running *running;
  int n_running, on_core[HOSTS_MAX], in_domain[HS_DOMAINS_MAX]; /* tasks in all, on a core, with a core of the domain */
  int wanted[HOSTS_MAX];      /* tasks on a core or about to be */
  double since_s, busy_s[HOSTS_MAX], energy_j; /* integrals up to since_s */
  double leakage;             /* factor on static power */
  int client;                 /* whose tasks it takes, and since when */
  double client_since_s;
};

struct job {
  int request, priority, tasks_left;
  const struct hs_program *prog;
  const double *stretch;            /* [task]; NULL: all 1 */
  double start_s;
  int *pending, cap_pending;        /* [task]: dependencies left */
  int next[HS_PROCESSORS_MAX];      /* place in each queue */
  enum {WAITS, OFFERED, RUNS} head[HS_PROCESSORS_MAX]; /* the task there: is it ready, and has a worker taken it? */
  double ready_s[HS_PROCESSORS_MAX];
  struct job *later;                /* handed in after this one, or the next free one */
};

struct hs_engine {
  const struct hs_system *sys;
  const struct hs_engine_calls *calls;
  sg_host_t memory, actors; /* where nothing computes: a sleeping actor there changes nobody's rates, so SimGrid need not solve them anew */
  struct hs_system live;       /* its OPPs change under way */
  int weight;                  /* of tasks that have none of their own */
  double traffic;              /* factor on their bytes */
  int cap[HS_PROCESSORS_MAX][HS_DOMAINS_MAX]; /* highest level that is allowed */
  struct queue queues[HS_PROCESSORS_MAX];
  struct job *jobs, **last_job, *free_jobs;
  int n_jobs, n_asked; /* in flight; requests asked of `next` */
  sg_sem_t done;
  bool some_done;              /* the driver has been told, and hasn't looked yet */
  bool over;
};

/* --- platform --- */

static double port_limit(const struct hs_system *sys, int p)
{
  const struct hs_processor *proc = &sys->soc->processors[p];
  double cores = 0;
  for (int d = 0; d < proc->n_domains; d++)
    cores += sys->backends[p].cores[d] * proc->domains[d].bandwidth_per_core_bytes_per_s;
  return fmin(cores, proc->bandwidth_bytes_per_s);
}

static void write_processor(struct hs_text *x, struct hs_text *routes, const struct hs_system *sys, int p)
{
  const struct hs_processor *proc = &sys->soc->processors[p];
  for (int d = 0; d < proc->n_domains; d++)
    for (int c = 0; c < proc->domains[d].cores; c++) {
      hs_text_addf(x, "<host id=\"p%d.%d.%d\" speed=\"", p, d, c);
      for (int i = 0; i < proc->domains[d].n_opps; i++)
        hs_text_addf(x, "%s%.17gf", i ? "," : "", proc->domains[d].opps[i].freq_hz);
      hs_text_add(x, "\"/>");
    }
  hs_text_addf(x, "<host id=\"p%d.port\" speed=\"1f\"/>", p);
  hs_text_addf(x, "<link id=\"p%d.link\" bandwidth=\"%.17gBps\" latency=\"0s\"/>", p, port_limit(sys, p));
  hs_text_addf(routes, "<route src=\"p%d.port\" dst=\"memory\"><link_ctn id=\"p%d.link\"/><link_ctn id=\"dram\"/></route>", p, p);
}

static void write_platform(struct hs_text *x, const struct hs_system *sys)
{
  struct hs_text routes = {0};
  hs_text_add(x, "<?xml version='1.0'?><!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">"
                 "<platform version=\"4.1\"><zone id=\"soc\" routing=\"Full\"><host id=\"memory\" speed=\"1f\"/><host id=\"actors\" speed=\"1f\"/>");
  for (int p = 0; p < sys->soc->n_processors; p++) write_processor(x, &routes, sys, p);
  hs_text_addf(x, "<link id=\"dram\" bandwidth=\"%.17gBps\" latency=\"0s\"/>", sys->soc->memory.peak_bytes_per_s);
  hs_text_addf(x, "%s</zone></platform>", routes.s);
  hs_text_free(&routes);
}

static enum hs_status load_platform(const struct hs_system *sys, struct hs_error *err)
{
  struct hs_text x = {0};
  char path[40];
  write_platform(&x, sys);
  int fd = memfd_create("hetsim-platform", 0);
  bool written = fd >= 0 && write(fd, x.s, x.len) == (ssize_t)x.len;
  hs_text_free(&x);
  if (!written) return hs_fail(err, HS_ENGINE, "can't hand the platform to the engine");
  snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
  simgrid_load_platform(path);
  close(fd);
  return HS_OK;
}

static void start_simgrid(void)
{
  /* SimGrid parses the program's arguments and would answer --help itself: it gets its own. */
  char *args[] = {"hetsim", "--cfg=host/model:ptask_L07", "--cfg=surf/precision:1e-12", "--log=root.thresh:error", NULL};
  int n = 4;
  struct sigaction callers;
  sigaction(SIGINT, NULL, &callers);
  simgrid_init(&n, args);
  sigaction(SIGINT, &callers, NULL); /* its own would leave with exit(1) in the middle of the run */
}

static void find_hosts(struct hs_engine *e, int p)
{
  struct queue *q = &e->queues[p];
  const struct hs_processor *proc = &e->sys->soc->processors[p];
  char name[40];
  *q = (struct queue){.e = e, .processor = p, .leakage = 1};
  for (int d = 0; d < proc->n_domains; d++) {
    q->first_core[d] = q->n_hosts;
    e->cap[p][d] = proc->domains[d].n_opps - 1;
    for (int c = 0; c < proc->domains[d].cores; c++) {
      snprintf(name, sizeof name, "p%d.%d.%d", p, d, c);
      q->hosts[q->n_hosts] = sg_host_by_name(name);
      sg_host_set_pstate(q->hosts[q->n_hosts++], (unsigned long)e->sys->backends[p].opp[d]);
    }
  }
  snprintf(name, sizeof name, "p%d.port", p);
  q->hosts[q->n_hosts] = sg_host_by_name(name);
}

/* --- workers --- */

/* Level of domain d for a task: what it asks for, or the system's, and no more than is allowed. */
static int level_of(const struct queue *q, const struct hs_task *t, int d)
{
  int level = hs_system_opp(&q->e->live, q->processor, d, t->opp), cap = q->e->cap[q->processor][d];
  return level < cap ? level : cap;
}

/* Puts the cores that a task uses on its level. */
static void set_levels(struct queue *q, const struct hs_task *t)
{
  for (int d = 0; d < HS_DOMAINS_MAX; d++)
    for (int c = 0; c < t->work.cores[d]; c++) {
      sg_host_t core = q->hosts[q->first_core[d] + t->first_core + c];
      unsigned long want = (unsigned long)level_of(q, t, d);
      if (sg_host_get_pstate(core) != want) sg_host_set_pstate(core, want);
    }
}

/* --- time and energy --- */

/* Power of a task now. A core that several tasks are on is busy for each of them in turn; static power is of the domain. */
static double watts(const struct queue *q, const struct hs_task *t)
{
  const struct hs_processor *proc = &q->e->sys->soc->processors[q->processor];
  double dynamic = 0, fixed = 0;
  for (int d = 0; d < proc->n_domains; d++) {
    if (!t->work.cores[d]) continue;
    const struct hs_opp *opp = &proc->domains[d].opps[level_of(q, t, d)];
    for (int c = 0; c < t->work.cores[d]; c++) dynamic += opp->dynamic_w / q->on_core[q->first_core[d] + t->first_core + c];
    fixed += opp->static_w / q->in_domain[d];
  }
  return dynamic * t->work.power_factor + fixed * q->leakage;
}

/* Brings the integrals up to now; before anything changes. */
static void settle(struct queue *q)
{
  double now = simgrid_get_clock(), dt = now - q->since_s;
  q->since_s = now;
  if (dt <= 0 || !q->running) return;
  for (struct running *r = q->running; r; r = r->next) {
    double joules = dt * watts(q, r->task);
    r->share_s += dt / q->n_running;
    r->energy_j += joules;
    q->energy_j += joules;
  }
  for (int h = 0; h < q->n_hosts; h++)
    if (q->on_core[h]) q->busy_s[h] += dt;
}

static void count(struct queue *q, const struct hs_task *t, int change)
{
  q->n_running += change;
  for (int d = 0; d < HS_DOMAINS_MAX; d++) {
    q->in_domain[d] += t->work.cores[d] ? change : 0;
    for (int c = 0; c < t->work.cores[d]; c++) q->on_core[q->first_core[d] + t->first_core + c] += change;
  }
}

static void want(struct queue *q, const struct hs_task *t, int change)
{
  for (int d = 0; d < HS_DOMAINS_MAX; d++)
    for (int c = 0; c < t->work.cores[d]; c++) q->wanted[q->first_core[d] + t->first_core + c] += change;
}

static void begin(struct queue *q, struct running *r)
{
  settle(q);
  r->next = q->running;
  q->running = r;
  count(q, r->task, 1);
}

static void end(struct queue *q, struct running *r)
{
  struct running **at = &q->running;
  settle(q);
  while (*at != r) at = &(*at)->next;
  *at = r->next;
  count(q, r->task, -1);
  want(q, r->task, -1);
}

void hs_engine_set_opp(struct hs_engine *e, int p, int domain, int level)
{
  struct queue *q = &e->queues[p];
  if (e->live.backends[p].opp[domain] == level) return;
  settle(q);
  e->live.backends[p].opp[domain] = level;
  for (struct running *r = q->running; r; r = r->next) set_levels(q, r->task);
}

void hs_engine_set_cap(struct hs_engine *e, int p, int domain, int level)
{
  struct queue *q = &e->queues[p];
  if (e->cap[p][domain] == level) return;
  settle(q);
  e->cap[p][domain] = level;
  for (struct running *r = q->running; r; r = r->next) set_levels(q, r->task);
}

void hs_engine_set_leakage(struct hs_engine *e, int p, double factor)
{
  settle(&e->queues[p]);
  e->queues[p].leakage = factor;
}

void hs_engine_set_weight(struct hs_engine *e, int weight) { e->weight = weight; }
void hs_engine_set_traffic(struct hs_engine *e, double factor) { e->traffic = factor; }

double hs_engine_busy_s(struct hs_engine *e, int p, int domain, int core)
{
  settle(&e->queues[p]);
  return e->queues[p].busy_s[e->queues[p].first_core[domain] + core];
}

int hs_engine_tasks_on(const struct hs_engine *e, int p, int domain, int core)
{
  return e->queues[p].wanted[e->queues[p].first_core[domain] + core];
}

double hs_engine_energy_j(struct hs_engine *e, int p)
{
  settle(&e->queues[p]);
  return e->queues[p].energy_j;
}

/* --- execution --- */

/* One parallel execution is one share of a core, as a thread of weight 1024 is to CFS; a task of more weight is several. The memory
 * knows nothing of weights: all bytes, which come with the last two hosts, are in the first one. */
static void run_shares(int n, const sg_host_t *hosts, double *cycles, double *bytes, int shares)
{
  sg_exec_t execs[HS_WEIGHT_MAX];
  int n_cores = bytes ? n - 2 : n;
  double all = 0;
  for (int i = 0; i < n_cores; i++) {
    all += cycles[i];
    cycles[i] /= shares;
  }
  if (all <= 0) shares = 1; /* SimGrid wants amounts > 0 */
  for (int i = 0; i < shares; i++) {
    execs[i] = i == 0 ? sg_actor_parallel_exec_init(n, hosts, cycles, bytes) : sg_actor_parallel_exec_init(n_cores, hosts, cycles, NULL);
    sg_exec_start(execs[i]);
  }
  for (int i = 0; i < shares; i++) sg_exec_wait(execs[i]);
}

/* `moved` bytes: like cycles it is the amount, so that a task that is stretched takes so much longer whatever bounds it. */
static void execute(struct queue *q, const struct hs_task *t, double moved, double stretch)
{
  if (t->delay_s > 0) {
    sg_actor_sleep_for(t->delay_s * stretch);
    return;
  }
  sg_host_t hosts[HOSTS_MAX];
  double cycles[HOSTS_MAX], bytes[HOSTS_MAX * HOSTS_MAX];
  int n = 0, weight = t->weight ? t->weight : q->e->weight;
  set_levels(q, t);
  for (int d = 0; d < HS_DOMAINS_MAX; d++)
    for (int c = 0; c < t->work.cores[d]; c++) {
      hosts[n] = q->hosts[q->first_core[d] + t->first_core + c];
      cycles[n++] = t->work.cycles[d] * stretch;
    }
  if (moved > 0) {
    hosts[n] = q->hosts[q->n_hosts];
    hosts[n + 1] = q->e->memory;
    cycles[n] = cycles[n + 1] = 0;
    n += 2;
    memset(bytes, 0, (size_t)(n * n) * sizeof *bytes);
    bytes[(n - 2) * n + n - 1] = moved * stretch;
  }
  if (n == 0 || hs_task_seconds(q->e->sys, t) <= 0) return; /* nothing to do: SimGrid wants amounts > 0 */
  if (weight > 1)
    run_shares(n, hosts, cycles, moved > 0 ? bytes : NULL, weight);
  else
    sg_actor_parallel_execute(n, hosts, cycles, moved > 0 ? bytes : NULL);
}

/* The task of job j that is first in its queue of p: if it is ready, some worker of p may take it. */
static void offer(struct hs_engine *e, struct job *j, int p)
{
  struct queue *q = &e->queues[p];
  int at = j->prog->queue_first[p] + j->next[p];
  if (at >= j->prog->queue_first[p + 1] || j->pending[j->prog->queue[at]] > 0 || j->head[p] != WAITS) return;
  const struct hs_task *t = &j->prog->tasks[j->prog->queue[at]];
  j->head[p] = OFFERED;
  j->ready_s[p] = simgrid_get_clock();
  want(q, t, 1);
  if (e->calls->ready && !e->over) e->calls->ready(e->calls->state, j->request, t, j->ready_s[p]);
  if (!q->idle) return;
  struct worker *w = q->idle;
  q->idle = w->next_idle;
  sg_sem_release(w->wake);
}

/* Of two jobs that offer a task to p: does the task of a go before that of b, which was handed in first? */
static bool goes_before(const struct job *a, const struct job *b, int p)
{
  return a->priority != b->priority ? a->priority > b->priority : a->ready_s[p] < b->ready_s[p];
}

enum { ANYBODY = -1 };

/* Inferences are one process, everything else that runs has a request number of its own below 0. */
static int client_of(const struct job *j) { return j->request >= 0 ? 0 : -j->request; }

/* The list is in the order of handing in. */
static struct job *pick_of(const struct queue *q, int client)
{
  struct job *best = NULL;
  for (struct job *j = q->e->jobs; j; j = j->later)
    if (j->head[q->processor] == OFFERED && (client == ANYBODY || client_of(j) == client) && (!best || goes_before(j, best, q->processor))) best = j;
  return best;
}

/* A GPU stays with one client's queue as long as there is something in it, for a slice of time. */
static struct job *pick(struct queue *q)
{
  double slice_s = q->e->sys->soc->processors[q->processor].context_slice_s, now_s = simgrid_get_clock();
  struct job *j = slice_s > 0 && now_s < q->client_since_s + slice_s ? pick_of(q, q->client) : NULL;
  if (!j) j = pick_of(q, ANYBODY);
  if (!j || slice_s <= 0) return j;
  if (client_of(j) != q->client || now_s >= q->client_since_s + slice_s) q->client_since_s = now_s;
  q->client = client_of(j);
  return j;
}

static void end_job(struct hs_engine *e, struct job *j)
{
  struct job **at = &e->jobs;
  while (*at != j) at = &(*at)->later;
  *at = j->later;
  if (e->last_job == &j->later) e->last_job = at;
  e->n_jobs--;
  if (e->calls->done && !e->over) e->calls->done(e->calls->state, j->request, j->start_s, simgrid_get_clock());
  j->later = e->free_jobs;
  e->free_jobs = j;
  if (e->some_done) return;
  e->some_done = true; /* before the driver runs */
  sg_sem_release(e->done);
}

static void finish_task(struct hs_engine *e, struct job *j, int task)
{
  int p = j->prog->tasks[task].processor;
  for (int k = j->prog->readers_first[task]; k < j->prog->readers_first[task + 1]; k++) {
    int reader = j->prog->readers[k], q = j->prog->tasks[reader].processor;
    if (--j->pending[reader] == 0 && q != p) offer(e, j, q);
  }
  offer(e, j, p);
  if (--j->tasks_left == 0) end_job(e, j);
}

static void run_task(struct queue *q, struct job *j)
{
  struct hs_engine *e = q->e;
  int p = q->processor, task = j->prog->queue[j->prog->queue_first[p] + j->next[p]];
  const struct hs_task *t = &j->prog->tasks[task];
  struct hs_event event = {.request = j->request, .program = j->prog, .task = task, .ready_s = j->ready_s[p], .start_s = simgrid_get_clock(),
                           .bytes = t->work.bytes * (t->weight ? 1 : e->traffic), .stretch = j->stretch ? j->stretch[task] : 1};
  struct running own = {.task = t};
  j->head[p] = RUNS;
  if (t->delay_s <= 0) begin(q, &own);
  execute(q, t, event.bytes, event.stretch);
  event.end_s = simgrid_get_clock();
  if (t->delay_s <= 0) end(q, &own);
  event.share_s = t->delay_s > 0 ? event.end_s - event.start_s : own.share_s;
  event.energy_j = own.energy_j;
  if (e->calls->task && !e->over) e->calls->task(e->calls->state, &event);
  j->next[p]++;
  j->head[p] = WAITS;
  finish_task(e, j, task);
}

static void work(int argc, char **argv)
{
  (void)argc, (void)argv;
  struct worker *w = sg_actor_self_get_data();
  while (!w->q->e->over) {
    struct job *j = pick(w->q);
    if (j) {
      run_task(w->q, j);
      continue;
    }
    w->next_idle = w->q->idle;
    w->q->idle = w;
    sg_sem_acquire(w->wake);
  }
}

static void start_actor(const char *name, sg_host_t host, void *data, void (*code)(int, char **))
{
  sg_actor_t actor = sg_actor_init(name, host);
  sg_actor_set_data(actor, data);
  sg_actor_start(actor, code, 0, NULL);
}

static void add_worker(struct queue *q)
{
  struct worker *w = hs_realloc(NULL, 1, sizeof *w);
  *w = (struct worker){.q = q, .wake = sg_sem_init(0)};
  HS_GROW(q->workers, q->n_workers, q->cap_workers);
  q->workers[q->n_workers++] = w;
  start_actor(q->e->sys->soc->processors[q->processor].name, q->e->actors, w, work);
}

/* --- jobs --- */

static struct job *new_job(struct hs_engine *e, const struct hs_program *prog)
{
  struct job *j = e->free_jobs;
  if (j)
    e->free_jobs = j->later;
  else {
    j = hs_realloc(NULL, 1, sizeof *j);
    *j = (struct job){0};
  }
  int *pending = j->pending, cap = j->cap_pending;
  if (cap < prog->n_tasks) pending = hs_realloc(pending, (size_t)(cap = prog->n_tasks), sizeof *pending);
  *j = (struct job){.tasks_left = prog->n_tasks, .prog = prog, .pending = pending, .cap_pending = cap};
  for (int i = 0; i < prog->n_tasks; i++) pending[i] = prog->tasks[i].n_deps;
  return j;
}

void hs_engine_submit(struct hs_engine *e, int request, int priority, const struct hs_program *prog)
{
  hs_engine_submit_stretched(e, request, priority, prog, NULL);
}

void hs_engine_submit_stretched(struct hs_engine *e, int request, int priority, const struct hs_program *prog, const double *stretch)
{
  struct job *j = new_job(e, prog);
  j->stretch = stretch;
  j->request = request;
  j->priority = priority;
  j->start_s = simgrid_get_clock();
  *e->last_job = j;
  e->last_job = &j->later;
  e->n_jobs++;
  for (int p = 0; p < e->sys->soc->n_processors; p++) {
    struct queue *q = &e->queues[p];
    if (e->sys->soc->processors[p].kind == HS_CPU && q->n_workers < e->n_jobs) add_worker(q);
    offer(e, j, p);
  }
  if (j->tasks_left == 0) end_job(e, j);
}

/* One request at a time. */
static double take_next(struct hs_engine *e)
{
  const struct hs_program *prog = NULL;
  if (e->n_jobs > 0) return INFINITY;
  if (!e->calls->next(e->calls->state, e->n_asked, simgrid_get_clock(), &prog)) return -1;
  hs_engine_submit(e, e->n_asked++, 0, prog);
  return INFINITY;
}

static bool stopped(const struct hs_engine *e) { return e->calls->stop && *e->calls->stop; }

static void drive(int argc, char **argv)
{
  (void)argc, (void)argv;
  struct hs_engine *e = sg_actor_self_get_data();
  double when = 0;
  while (when >= 0) {
    double now = simgrid_get_clock();
    e->some_done = false;
    when = stopped(e) ? INFINITY : e->calls->turn ? e->calls->turn(e->calls->state, e, now) : take_next(e);
    if (when < 0 || (when == INFINITY && e->n_jobs == 0)) break;
    if (when == INFINITY)
      sg_sem_acquire(e->done);
    else if (when > now)
      sg_sem_acquire_timeout(e->done, when - now);
  }
  if (e->calls->over) e->calls->over(e->calls->state, e, simgrid_get_clock());
  e->over = true;
  for (int p = 0; p < e->sys->soc->n_processors; p++)
    for (struct worker *w = e->queues[p].idle; w; w = w->next_idle) sg_sem_release(w->wake);
}

static void free_all(struct hs_engine *e)
{
  for (int p = 0; p < e->sys->soc->n_processors; p++) {
    for (int i = 0; i < e->queues[p].n_workers; i++) free(e->queues[p].workers[i]);
    free(e->queues[p].workers);
  }
  *e->last_job = e->free_jobs;
  for (struct job *j = e->jobs, *later; j; j = later) {
    later = j->later;
    free(j->pending);
    free(j);
  }
}

enum hs_status hs_engine_run(const struct hs_system *sys, const struct hs_engine_calls *calls, struct hs_error *err)
{
  struct hs_engine e = {.sys = sys, .calls = calls, .live = *sys, .weight = 1, .traffic = 1};
  e.last_job = &e.jobs;
  start_simgrid();
  enum hs_status status = load_platform(sys, err);
  if (status) return status;
  e.memory = sg_host_by_name("memory");
  e.actors = sg_host_by_name("actors");
  e.done = sg_sem_init(0);
  for (int p = 0; p < sys->soc->n_processors; p++) find_hosts(&e, p);
  for (int p = 0; p < sys->soc->n_processors; p++) add_worker(&e.queues[p]);
  start_actor("driver", e.actors, &e, drive);
  simgrid_run();
  free_all(&e);
  return HS_OK;
}
