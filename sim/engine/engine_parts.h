/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the files of the engine share. For them alone. Jobs offer tasks to the queues of processors (jobs.c), workers take and run them (workers.c). Cores are
 * shared as a fluid, then workers are actors whose tasks are executions of the simulator; or in slices of time, if there is a scheduler, then what runs
 * goes on by the clock (clock.c, cores.c, slices.c, stealing.c). What runs takes time and energy (accounting.c). */
#ifndef HS_ENGINE_PARTS_H
#define HS_ENGINE_PARTS_H

#include "engine/des.h"
#include "engine/engine.h"
#include "engine/flow.h"
#include "model/spin.h"

struct hs_clock;  /* clock.h */
struct hs_cores;  /* slices.h */
struct hs_thread;
struct hs_caller; /* cores.c */

/* A task under way that isn't a delay. */
struct hs_running {
  const struct hs_task *task;
  bool is_rival; /* of another process, not of a request */
  double share_s, energy_j, cycles[HS_DOMAINS_MAX]; /* up to the queue's since_s */
  struct hs_running *next;
};

/* Runs tasks of one processor: one per accelerator, and one per job in flight on a CPU. */
struct hs_worker {
  struct hs_queue *q;
  struct hs_semaphore *wake;  /* of its actor; NULL: it is none */
  struct hs_worker *next_idle;
  struct hs_job *job;         /* whose task it runs, as follows; NULL: none */
  const struct hs_task *task;
  struct hs_task moved;       /* that task, if it was moved to another core */
  struct hs_running own;
  struct hs_event event;
  /* by the clock: */
  struct hs_flow flow;        /* its task in one piece, */
  int n_parts, n_parts_left;  /* or cut into a thread per core, */
  bool steals;                /* which take from each other what others have left */
  struct hs_worker *next_going, *next_ended;
  struct hs_caller *caller;   /* of an accelerator: the thread of the host that calls it; NULL: none has yet */
  struct hs_worker *calls_for; /* of such a thread: the accelerator's worker, else NULL, */
  int calls;                  /* and the accelerator, else the host (0) */
};

/* Of a processor. */
struct hs_queue {
  struct hs_engine *e;
  int processor;
  int n_hosts;                /* cores in use */
  struct hs_host *hosts[HS_CORES_MAX], *lane; /* cores by domain */
  int first_core[HS_DOMAINS_MAX], level[HS_CORES_MAX]; /* of cores: their OPPs */
  int n_workers, cap_workers;
  struct hs_worker **workers;
  struct hs_worker *idle;
  struct hs_running *running;
  int n_running, on_core[HS_CORES_MAX], in_domain[HS_DOMAINS_MAX]; /* tasks in all, on a core, with a core of the domain */
  int n_rivals, rivals_on[HS_CORES_MAX]; /* of these: those of other processes */
  int wanted[HS_CORES_MAX];   /* tasks on a core or about to be */
  double since_s, busy_s[HS_CORES_MAX], energy_j, cycles[HS_DOMAINS_MAX]; /* integrals up to since_s; cycles: of a domain's clock */
  double leakage;             /* factor on static power */
  struct hs_spin spin;        /* threads that wait for the next operator, of whatever job */
  int client;                 /* of a GPU: whose tasks it takes, and since when */
  double client_since_s;
  struct hs_job *invoked_by;  /* of a DSP or NPU: whose invocation it is at; may be NULL */
  struct hs_cores *cores;     /* of a CPU; NULL: they are shared as a fluid */
  double port_bytes_per_s;    /* bandwidth of its port, */
  double lane_bytes_per_s;    /* and of the cores that inferences have threads on, together: theirs */
};

struct hs_job {
  int request, priority;
  int tasks_left;                   /* and one more while it is handed in, as tasks that have nothing to do end meanwhile */
  const struct hs_program *prog;
  const double *stretch;            /* [task]; NULL: all 1 */
  double start_s;
  int *pending, cap_pending;        /* [task]: dependencies left, */
  double *released_s;               /* and when there were none left any more */
  int next[HS_PROCESSORS_MAX];      /* place in each queue */
  enum {WAITS, OFFERED, RUNS} head[HS_PROCESSORS_MAX]; /* the task there: is it ready, and has a worker taken it? */
  double ready_s[HS_PROCESSORS_MAX];
  struct hs_thread *threads;
  struct hs_spin spin[HS_PROCESSORS_MAX]; /* its threads that wait for the next operator, on CPUs, */
  double spun_j[HS_PROCESSORS_MAX]; /* and what they took since its last event */
  struct hs_job *later;             /* handed in after this one, or the next free one */
};

struct hs_engine {
  const struct hs_system *sys;
  const struct hs_engine_calls *calls;
  struct hs_system live;       /* its OPPs change under way */
  int weight;                  /* of tasks that have none of their own */
  double traffic;              /* factor on their bytes */
  struct hs_clock *clock;      /* NULL: cores are shared as a fluid */
  int cap[HS_PROCESSORS_MAX][HS_DOMAINS_MAX]; /* highest level that is allowed */
  struct hs_queue queues[HS_PROCESSORS_MAX];
  const struct hs_system *apps[HS_APPS_MAX]; /* whose threads came to cores, in the order in which they first did */
  int n_apps;
  struct hs_job *jobs, **last_job, *free_jobs;
  int n_jobs;                  /* in flight */
  struct hs_semaphore *done;
  bool some_done, told;        /* since the driver looked; and it has been told */
  bool over;                   /* nobody is told any more what others do in this moment */
};

/* accounting.c: what is about to run, runs, and has run. */
void hs_account_want(struct hs_queue *q, const struct hs_task *t, int change);
/* Brings the integrals up to a moment, before anything changes: who runs, levels, or whose turn it is on a core. */
void hs_account_until(struct hs_queue *q, double now);
void hs_account_begin(struct hs_queue *q, struct hs_running *r);
void hs_account_end(struct hs_queue *q, struct hs_running *r);
/* The threads of an inference's task on a CPU, which has just ended, wait for the next one until the job ends. Jobs whose threads wait on the same core
 * share it. Another process isn't counted. */
void hs_account_spin(struct hs_queue *q, struct hs_job *j, const struct hs_task *t);
/* What they have spun on each processor since that was asked last. */
void hs_account_take_spun(struct hs_engine *e, struct hs_job *j, double *spun_j);
/* The job has ended. */
void hs_account_leave(struct hs_engine *e, struct hs_job *j);
/* Of a core: its domain, and its frequency. */
int hs_account_domain(const struct hs_queue *q, int host);
double hs_account_hz(const struct hs_queue *q, int host);
/* What the worker's task can move, alone: bytes per second. */
double hs_account_attainable(const struct hs_worker *w);
/* Frequencies of the domains that a task has cores of, at the levels that these have now. And how long its cores take then, alone. */
void hs_account_clocks(const struct hs_queue *q, const struct hs_task *t, double *hz);
double hs_account_cores_s(const struct hs_queue *q, const struct hs_task *t);

/* engine.c: asks the caller. Returns when to ask again, INFINITY: when a job is done; < 0: the run is over. */
double hs_engine_ask(struct hs_engine *e);

/* jobs.c */
/* Whose task an accelerator is at: to it inferences are one process, and everything else that runs has a request number of its own below 0. */
int hs_job_client(const struct hs_job *j);
/* Whose task a free worker of q takes; NULL: nobody has one. */
struct hs_job *hs_job_pick(struct hs_queue *q);
/* The task has ended: offers those that waited for it, and ends the job after its last one. */
void hs_job_finish_task(struct hs_engine *e, struct hs_job *j, int task);
void hs_jobs_free(struct hs_engine *e);

/* workers.c */
void hs_worker_add(struct hs_queue *q);
void hs_worker_wake(struct hs_queue *q); /* one of the idle ones, if there is one */
/* Its task, if it has one, has ended: it goes on to others. Returns when it has begun one that goes on by the clock, or is idle. */
void hs_worker_go_on(struct hs_worker *w);
void hs_workers_free(struct hs_queue *q);

#endif
