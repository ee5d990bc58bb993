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
#include "device/cfs.h"
#include "plan/estimate.h"

enum { HOSTS_MAX = HS_CORES_MAX + 2 };
static const double SLACK_S = 1e-9; /* times that were added up, and the clock */
static const double LINGER_S = 1e-6; /* of a thread that ended: before it sleeps, whoever waits for it may have more for it */

/* A task cut into one thread per core. */
struct team {
  const struct hs_task *task;
  double left, bytes; /* factor on cycles and bytes; bytes of each thread of all of it */
  int n_cores, n_left;
  struct worker *worker;
};

/* What a job does on one core, task after task: an actor, which the core stops and lets go on. */
struct thread {
  struct hs_cfs_thread cfs; /* first */
  struct core *core;
  sg_actor_t actor;
  sg_sem_t go;
  enum { SLEEPS, READY, COMPUTES, SPINS, UNCUT } state; /* UNCUT: its worker does its work */
  bool stopped;             /* while it computes */
  struct team *team;
  struct thread *next_of_job, *next_idle, *next_of_core;
};

/* A core that is shared in slices of time: an actor that gives it to one thread at a time. */
struct core {
  struct queue *q;
  int host;
  sg_sem_t wake;
  bool rung, look;            /* has been woken; and has to choose anew */
  struct hs_cfs cfs;
  double since_s, slice_s;    /* up to where the current thread's time is counted, and what is left of its slice then */
  long turns;
  struct worker *uncut;       /* that runs a task on it and others, uncut */
  struct thread *idle, *all;
  double *kept;               /* [client]: virtual time at which its last job left */
  int n_kept, cap_kept;
};

/* A task under way that isn't a delay. */
struct running {
  const struct hs_task *task;
  double share_s, energy_j; /* up to the queue's since_s */
  struct running *next;
};

/* An actor that runs tasks of one processor: one per accelerator, and one per job in flight on a CPU. */
struct worker {
  struct queue *q;
  sg_actor_t actor;
  sg_sem_t wake, together; /* together: all threads of its task have ended */
  struct worker *next_idle;
  struct job *job;         /* whose task it runs, as follows; NULL: none */
  const struct hs_task *task;
  struct running own;
  struct hs_event event;
  sg_exec_t uncut;         /* the task's execution, while it has its cores to itself; NULL: it is about to begin */
  bool is_cut;             /* that ended early */
  double left;             /* of the task, then */
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
  struct core *cores;         /* [n_hosts] of a CPU; NULL: cores are shared as a fluid */
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
  struct thread *threads;
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

/* The bytes of parallel executions go from the port, which is the host before the last, to the memory. Returns the number of hosts. */
static int add_bytes(const struct queue *q, sg_host_t *hosts, double *cycles, double *bytes, int n, double moved)
{
  hosts[n] = q->hosts[q->n_hosts];
  hosts[n + 1] = q->e->memory;
  cycles[n] = cycles[n + 1] = 0;
  n += 2;
  memset(bytes, 0, (size_t)(n * n) * sizeof *bytes);
  bytes[(n - 2) * n + n - 1] = moved;
  return n;
}

/* On all its cores in step. Bytes are stretched like cycles, so that a task takes so much longer whatever bounds it. *exec to be waited for, or NULL where that has been done. */
static void start_uncut(struct worker *w, sg_exec_t *exec)
{
  const struct queue *q = w->q;
  const struct hs_task *t = w->task;
  sg_host_t hosts[HOSTS_MAX];
  double cycles[HOSTS_MAX], bytes[HOSTS_MAX * HOSTS_MAX];
  int n = 0, weight = q->e->sys->scheduler ? 1 : t->weight ? t->weight : q->e->weight;
  for (int d = 0; d < HS_DOMAINS_MAX; d++)
    for (int c = 0; c < t->work.cores[d]; c++) {
      hosts[n] = q->hosts[q->first_core[d] + t->first_core + c];
      cycles[n++] = t->work.cycles[d] * w->event.stretch;
    }
  if (w->event.bytes > 0) n = add_bytes(q, hosts, cycles, bytes, n, w->event.bytes * w->event.stretch);
  if (weight > 1) {
    run_shares(n, hosts, cycles, w->event.bytes > 0 ? bytes : NULL, weight);
    *exec = NULL;
    return;
  }
  *exec = sg_actor_parallel_exec_init(n, hosts, cycles, w->event.bytes > 0 ? bytes : NULL);
  sg_exec_start(*exec);
}

/* --- cores in slices of time --- */

static sg_actor_t start_actor(const char *name, sg_host_t host, void *data, void (*code)(int, char **))
{
  sg_actor_t actor = sg_actor_init(name, host);
  sg_actor_set_data(actor, data);
  sg_actor_start(actor, code, 0, NULL);
  return actor;
}

/* Inferences are one process, everything else that runs has a request number of its own below 0. */
static int client_of(const struct job *j) { return j->request >= 0 ? 0 : -j->request; }

/* Time of the current thread up to now; before anything changes. */
static void count_slice(struct core *c)
{
  double now = simgrid_get_clock(), dt = now - c->since_s;
  struct thread *th = (struct thread *)c->cfs.current;
  c->since_s = now;
  if (dt <= 0 || !th) return;
  hs_cfs_ran(&c->cfs, dt);
  c->slice_s -= dt;
}

static void ring(struct core *c)
{
  if (c->rung) return;
  c->rung = true;
  sg_sem_release(c->wake);
}

static int domain_of(const struct queue *q, int host)
{
  int d = 0;
  while (d + 1 < HS_DOMAINS_MAX && q->first_core[d + 1] > 0 && q->first_core[d + 1] <= host) d++;
  return d;
}

static void go_to_sleep(struct thread *th)
{
  struct core *c = th->core;
  count_slice(c);
  bool current = c->cfs.current == &th->cfs;
  hs_cfs_sleep(&c->cfs, &th->cfs);
  th->state = SLEEPS;
  if (current) ring(c);
}

/* The code of a thread's actor: its part of one task after the other. In between it waits actively for a while, by the clock. */
static void be_thread(int argc, char **argv)
{
  (void)argc, (void)argv;
  struct thread *th = sg_actor_self_get_data();
  const struct queue *q = th->core->q;
  for (bool more = false;;) {
    if (!more) sg_sem_acquire(th->go);
    if (!th->team) return;
    struct team *team = th->team;
    sg_host_t hosts[3] = {q->hosts[th->core->host]};
    double cycles[3] = {team->left * team->task->work.cycles[domain_of(q, th->core->host)]}, bytes[9];
    int n = team->bytes > 0 ? add_bytes(q, hosts, cycles, bytes, 1, team->left * team->bytes) : 1;
    if (cycles[0] > 0 || team->bytes > 0) sg_actor_parallel_execute(n, hosts, cycles, team->bytes > 0 ? bytes : NULL);
    th->state = SPINS;
    double spin_s = team->n_cores > 1 ? q->e->sys->runtime->spin_s : LINGER_S;
    if (--team->n_left == 0) sg_sem_release(team->worker->together);
    more = !sg_sem_acquire_timeout(th->go, spin_s);
    if (!more && th->state == SPINS) go_to_sleep(th);
  }
}

static void stop_thread(struct thread *th)
{
  if (!th || th->state != COMPUTES || th->stopped) return;
  sg_actor_suspend(th->actor);
  th->stopped = true;
}

static void let_go_on(struct thread *th)
{
  if (th->state == READY) {
    th->state = COMPUTES;
    sg_sem_release(th->go);
  } else if (th->stopped)
    sg_actor_resume(th->actor);
  th->stopped = false;
}

/* Interrupts make slices longer or shorter, and cores don't take their turns in step. In exact arithmetic they would, and a pattern once found would
 * stay. So a slice is 0.8 to 1.2 of what it should be, by a sequence that is spread evenly (multiples of the golden ratio), another on each core. */
static double out_of_step(struct core *c)
{
  static const double GOLDEN = 0.6180339887498949, SPREAD = 0.4;
  double at = GOLDEN * (double)(++c->turns % 1000003) + GOLDEN * GOLDEN * c->host;
  return 1 + SPREAD * (at - floor(at) - 0.5);
}

/* Who has the core from now on; NULL: nobody. */
static struct thread *choose(struct core *c)
{
  struct thread *before = (struct thread *)c->cfs.current;
  if (before && !c->look && c->slice_s > SLACK_S) return before;
  struct thread *th = (struct thread *)hs_cfs_pick(&c->cfs);
  if (th != before) stop_thread(before);
  c->look = false;
  c->slice_s = hs_cfs_slice_s(&c->cfs, c->q->e->sys->scheduler);
  c->slice_s *= out_of_step(c);
  return th;
}

/* The code of a core's actor. */
static void be_core(int argc, char **argv)
{
  (void)argc, (void)argv;
  struct core *c = sg_actor_self_get_data();
  for (struct thread *th; (th = choose(c)) || !c->q->e->over;) {
    if (th) let_go_on(th);
    if (!th || !isfinite(c->slice_s))
      sg_sem_acquire(c->wake);
    else if (sg_sem_acquire_timeout(c->wake, c->slice_s))
      sg_actor_yield(); /* a thread that ends together with its slice has ended */
    c->rung = sg_sem_would_block(c->wake) == 0;
    count_slice(c);
  }
  for (struct thread *th = c->all; th; th = th->next_of_core) {
    th->team = NULL;
    sg_sem_release(th->go);
  }
}

static struct thread *new_thread(struct core *c)
{
  struct thread *th = hs_realloc(NULL, 1, sizeof *th);
  *th = (struct thread){.core = c, .go = sg_sem_init(0), .next_of_core = c->all};
  c->all = th;
  th->actor = start_actor("thread", c->q->e->actors, th, be_thread);
  return th;
}

/* The thread of a job on a core. A new one has the virtual time that its client's last one had. */
static struct thread *thread_of(struct job *j, struct core *c, double weight)
{
  struct thread *th = j->threads;
  while (th && th->core != c) th = th->next_of_job;
  if (!th) {
    int client = client_of(j);
    th = c->idle ? c->idle : new_thread(c);
    c->idle = th->next_idle;
    th->state = SLEEPS;
    th->cfs.vruntime_s = client < c->n_kept ? c->kept[client] : 0;
    th->next_of_job = j->threads;
    j->threads = th;
  }
  th->cfs.weight = weight;
  return th;
}

/* The core of a task, counted through its domains; NULL after the last. */
static struct core *core_of(const struct queue *q, const struct hs_task *t, int i)
{
  for (int d = 0; d < HS_DOMAINS_MAX; i -= t->work.cores[d++])
    if (i < t->work.cores[d]) return &q->cores[q->first_core[d] + t->first_core + i];
  return NULL;
}

static double weight_of(const struct worker *w) { return w->task->weight ? w->task->weight : w->q->e->weight; }

/* A task has its cores to itself, and its threads need not be told apart. */
static void occupy(struct worker *w)
{
  struct core *c;
  for (int i = 0; (c = core_of(w->q, w->task, i)); i++) {
    struct thread *th = thread_of(w->job, c, weight_of(w));
    count_slice(c);
    if (th->state == SLEEPS) hs_cfs_wake(&c->cfs, c->q->e->sys->scheduler, &th->cfs);
    hs_cfs_pick(&c->cfs);
    th->state = UNCUT;
    c->uncut = w;
    c->slice_s = INFINITY;
  }
}

static void vacate(struct worker *w)
{
  struct core *c;
  for (int i = 0; (c = core_of(w->q, w->task, i)); i++) {
    struct thread *th = thread_of(w->job, c, weight_of(w));
    count_slice(c);
    hs_cfs_sleep(&c->cfs, &th->cfs);
    th->state = SLEEPS;
    c->uncut = NULL;
    if (w->q->e->over) ring(c);
  }
  w->uncut = NULL;
}

static void work(int argc, char **argv);

/* Somebody else wants core c: what is left of the task that has it goes on as threads. SimGrid lets nobody but the actor that waits for an
 * execution cancel it, so that actor ends, and another goes on for it. */
static void cut(struct core *c)
{
  sg_actor_yield(); /* what ends in this moment has ended */
  struct worker *w = c->uncut;
  if (!w) return;
  sg_exec_t exec = w->uncut;
  vacate(w); /* before others run */
  w->is_cut = true;
  if (!exec) return;
  w->left = sg_exec_get_remaining_ratio(exec);
  sg_actor_kill(w->actor);
  w->actor = start_actor(w->q->e->sys->soc->processors[w->q->processor].name, w->q->e->actors, w, work);
}

static void give(struct thread *th, struct team *team)
{
  struct core *c = th->core;
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

static void run_threads(struct worker *w)
{
  struct team team = {.task = w->task, .left = w->left * w->event.stretch, .worker = w};
  struct core *c;
  while (core_of(w->q, w->task, team.n_cores)) team.n_cores++;
  team.n_left = team.n_cores;
  team.bytes = w->event.bytes / team.n_cores;
  for (int i = 0; (c = core_of(w->q, w->task, i)); i++) give(thread_of(w->job, c, weight_of(w)), &team);
  sg_sem_acquire(w->together);
}

/* Makes what can be missing. From here to what follows others may run, but not in it. */
static void prepare(struct worker *w)
{
  struct core *c;
  for (int i = 0; (c = core_of(w->q, w->task, i)); i++) thread_of(w->job, c, weight_of(w));
}

/* Has any core of the task something else to do? Only then is it cut into threads, which costs time. */
static bool is_contended(const struct worker *w)
{
  const struct core *c;
  for (int i = 0; (c = core_of(w->q, w->task, i)); i++) {
    const struct thread *own = w->job->threads;
    while (own && own->core != c) own = own->next_of_job;
    if (c->cfs.n > (own && own->state != SLEEPS)) return true;
  }
  return false;
}

static void leave_cores(struct job *j)
{
  int client = client_of(j);
  for (struct thread *th = j->threads; th; th = th->next_of_job) {
    struct core *c = th->core;
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

static void open_cores(struct queue *q)
{
  q->cores = hs_realloc(NULL, (size_t)q->n_hosts, sizeof *q->cores);
  for (int i = 0; i < q->n_hosts; i++) {
    q->cores[i] = (struct core){.q = q, .host = i, .wake = sg_sem_init(0)};
    start_actor("core", q->e->actors, &q->cores[i], be_core);
  }
}

static void run_uncut(struct worker *w)
{
  sg_exec_t exec;
  occupy(w);
  start_uncut(w, &exec);
  if (w->is_cut) {
    sg_exec_cancel(exec);
    run_threads(w);
    return;
  }
  w->uncut = exec;
  sg_exec_wait(exec);
  vacate(w);
}

static void execute(struct worker *w)
{
  const struct hs_task *t = w->task;
  if (t->delay_s > 0) {
    sg_actor_sleep_for(t->delay_s * w->event.stretch);
    return;
  }
  set_levels(w->q, t);
  if (hs_task_seconds(w->q->e->sys, t) <= 0) return; /* nothing to do: SimGrid wants amounts > 0 */
  if (!w->q->cores) {
    sg_exec_t exec;
    start_uncut(w, &exec);
    if (exec) sg_exec_wait(exec);
    return;
  }
  prepare(w);
  if (is_contended(w))
    run_threads(w);
  else
    run_uncut(w);
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

/* The list is in the order of handing in. */
static struct job *pick_of(const struct queue *q, int client)
{
  struct job *best = NULL;
  for (struct job *j = q->e->jobs; j; j = j->later)
    if (j->head[q->processor] == OFFERED && (client == ANYBODY || client_of(j) == client) && (!best || goes_before(j, best, q->processor))) best = j;
  return best;
}

/* How long an accelerator stays with one client as long as that has something queued: a GPU for a slice of time, a DSP or NPU until the
 * invocation is over, because the driver hands it whole graphs. */
static double stay_s(const struct queue *q)
{
  const struct hs_processor *p = &q->e->sys->soc->processors[q->processor];
  return p->kind == HS_DSP || p->kind == HS_NPU ? INFINITY : p->context_slice_s;
}

/* A process hands in its kernels one by one: after each it is others' turn. */
static struct job *pick(struct queue *q)
{
  double slice_s = stay_s(q), now_s = simgrid_get_clock();
  struct job *j = q->client == 0 && now_s < q->client_since_s + slice_s ? pick_of(q, q->client) : NULL;
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
  leave_cores(j);
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

static void begin_task(struct worker *w, struct job *j)
{
  int p = w->q->processor, task = j->prog->queue[j->prog->queue_first[p] + j->next[p]];
  w->job = j;
  w->task = &j->prog->tasks[task];
  w->event = (struct hs_event){.request = j->request, .program = j->prog, .task = task, .ready_s = j->ready_s[p], .start_s = simgrid_get_clock(),
                               .bytes = w->task->work.bytes * (w->task->weight ? 1 : w->q->e->traffic), .stretch = j->stretch ? j->stretch[task] : 1};
  w->own = (struct running){.task = w->task};
  w->is_cut = false;
  w->left = 1;
  j->head[p] = RUNS;
  if (w->task->delay_s <= 0) begin(w->q, &w->own);
}

static void end_task(struct worker *w)
{
  struct hs_engine *e = w->q->e;
  struct hs_event *event = &w->event;
  struct job *j = w->job;
  event->end_s = simgrid_get_clock();
  if (w->task->delay_s <= 0) end(w->q, &w->own);
  event->share_s = w->task->delay_s > 0 ? event->end_s - event->start_s : w->own.share_s;
  event->energy_j = w->own.energy_j;
  if (e->calls->task && !e->over) e->calls->task(e->calls->state, event);
  j->next[w->q->processor]++;
  j->head[w->q->processor] = WAITS;
  w->job = NULL;
  finish_task(e, j, event->task);
}

/* The code of a worker's actor. */
static void work(int argc, char **argv)
{
  (void)argc, (void)argv;
  struct worker *w = sg_actor_self_get_data();
  if (w->job) { /* goes on for one that ended */
    run_threads(w);
    end_task(w);
  }
  while (!w->q->e->over) {
    struct job *j = pick(w->q);
    if (j) {
      begin_task(w, j);
      execute(w);
      end_task(w);
      continue;
    }
    w->next_idle = w->q->idle;
    w->q->idle = w;
    sg_sem_acquire(w->wake);
  }
}

static void add_worker(struct queue *q)
{
  struct worker *w = hs_realloc(NULL, 1, sizeof *w);
  *w = (struct worker){.q = q, .wake = sg_sem_init(0), .together = sg_sem_init(0)};
  HS_GROW(q->workers, q->n_workers, q->cap_workers);
  q->workers[q->n_workers++] = w;
  w->actor = start_actor(q->e->sys->soc->processors[q->processor].name, q->e->actors, w, work);
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
  for (int p = 0; p < e->sys->soc->n_processors; p++) {
    struct queue *q = &e->queues[p];
    for (struct worker *w = q->idle; w; w = w->next_idle) sg_sem_release(w->wake);
    for (int i = 0; q->cores && i < q->n_hosts; i++) ring(&q->cores[i]);
  }
}

static void free_core(struct core *c)
{
  for (struct thread *th = c->all, *next; th; th = next) {
    next = th->next_of_core;
    free(th);
  }
  free(c->kept);
}

static void free_all(struct hs_engine *e)
{
  for (int p = 0; p < e->sys->soc->n_processors; p++) {
    for (int i = 0; i < e->queues[p].n_workers; i++) free(e->queues[p].workers[i]);
    free(e->queues[p].workers);
    for (int i = 0; e->queues[p].cores && i < e->queues[p].n_hosts; i++) free_core(&e->queues[p].cores[i]);
    free(e->queues[p].cores);
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
  struct hs_engine e = {.sys = sys, .calls = calls, .live = *sys, .weight = sys->scheduler ? (int)hs_cfs_weight(0) : 1, .traffic = 1};
  e.last_job = &e.jobs;
  start_simgrid();
  enum hs_status status = load_platform(sys, err);
  if (status) return status;
  e.memory = sg_host_by_name("memory");
  e.actors = sg_host_by_name("actors");
  e.done = sg_sem_init(0);
  for (int p = 0; p < sys->soc->n_processors; p++) find_hosts(&e, p);
  for (int p = 0; p < sys->soc->n_processors; p++) add_worker(&e.queues[p]);
  for (int p = 0; p < sys->soc->n_processors && sys->scheduler; p++)
    if (sys->soc->processors[p].kind == HS_CPU) open_cores(&e.queues[p]);
  start_actor("driver", e.actors, &e, drive);
  simgrid_run();
  free_all(&e);
  return HS_OK;
}
