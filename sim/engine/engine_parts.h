/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the files of the engine share. For them alone. Jobs offer tasks to the queues of processors (jobs.c), workers take and run them (workers.c), on CPU
 * cores in slices of time if there is a scheduler (cores.c, slices.c); what runs takes time and energy (accounting.c), and wants bytes (traffic.c). */
#ifndef HS_ENGINE_PARTS_H
#define HS_ENGINE_PARTS_H

#include "engine/des.h"
#include "engine/engine.h"
#include "engine/flow.h"
#include "model/spin.h"

struct hs_cores;  /* slices.h */
struct hs_thread;

/* A task under way that isn't a delay. */
struct hs_running {
  const struct hs_task *task;
  double bytes;             /* over the memory */
  double share_s, energy_j, cycles[HS_DOMAINS_MAX]; /* up to the queue's since_s */
  struct hs_running *next;
};

/* An actor that runs tasks of one processor: one per accelerator, and one per job in flight on a CPU. */
struct hs_worker {
  struct hs_queue *q;
  struct hs_actor *actor;
  struct hs_semaphore *wake, *together; /* together: all threads of its task have ended */
  struct hs_worker *next_idle, *next_ended;
  bool has_ended;             /* its task, and it hasn't heard it yet */
  struct hs_job *job;         /* whose task it runs, as follows; NULL: none */
  const struct hs_task *task;
  struct hs_running own;
  struct hs_event event;
  enum hs_uncut { NOT_UNCUT, BY_CLOCK, SIMULATED } uncut; /* its task has its cores to itself */
  struct hs_flow flow;        /* of that, by the clock */
  struct hs_exec *exec;       /* or simulated; NULL: it is about to begin */
  struct hs_worker *next_uncut;
  int calls;                  /* accelerator that its thread calls; the host (0) of a task of the CPU itself */
  bool is_cut;                /* that ended early */
  double left;                /* of the task, then */
};

/* What is wanted of the memory at once, at most: by how many, together, and by who wants most. */
struct hs_wishes {
  int n;
  double all, highest;
};

/* Of a processor. */
struct hs_queue {
  struct hs_engine *e;
  int processor;
  int n_hosts;                /* cores in use */
  struct hs_host *hosts[HS_CORES_MAX], *port; /* cores by domain */
  int first_core[HS_DOMAINS_MAX], level[HS_CORES_MAX]; /* of cores: their OPPs */
  int n_workers, cap_workers;
  struct hs_worker **workers;
  struct hs_worker *idle;
  struct hs_running *running;
  int n_running, on_core[HS_CORES_MAX], in_domain[HS_DOMAINS_MAX]; /* tasks in all, on a core, with a core of the domain */
  int wanted[HS_CORES_MAX];   /* tasks on a core or about to be */
  double since_s, busy_s[HS_CORES_MAX], energy_j; /* integrals up to since_s */
  double leakage;             /* factor on static power */
  struct hs_spin spin;        /* threads that wait for the next operator, */
  struct hs_job *spinning[HS_CORES_MAX]; /* and whose they are */
  int client;                 /* whose tasks it takes, and since when */
  double client_since_s;
  struct hs_cores *cores;     /* of a CPU; NULL: they are shared as a fluid */
  double port_bytes_per_s;    /* bandwidth of its port */
  struct hs_wishes wishes;
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
  double spun_j[HS_PROCESSORS_MAX]; /* by its waiting threads, since its last event */
  struct hs_job *later;             /* handed in after this one, or the next free one */
};

struct hs_engine {
  const struct hs_system *sys;
  const struct hs_engine_calls *calls;
  struct hs_system live;       /* its OPPs change under way */
  int weight;                  /* of tasks that have none of their own */
  double traffic;              /* factor on their bytes */
  bool crowded;                /* more bytes may be wanted than the memory has */
  int cap[HS_PROCESSORS_MAX][HS_DOMAINS_MAX]; /* highest level that is allowed */
  struct hs_queue queues[HS_PROCESSORS_MAX];
  struct hs_job *jobs, **last_job, *free_jobs;
  int n_jobs, n_asked; /* in flight; requests asked of `next` */
  struct hs_semaphore *done;
  bool some_done, told;        /* since the driver looked; and it has been told */
  int n_ending;                /* workers whose task has ended in this moment, who haven't heard it yet */
  bool over;                   /* nobody is told any more what others do in this moment */
};

/* accounting.c: what is about to run, runs, and has run. */
void hs_account_want(struct hs_queue *q, const struct hs_task *t, int change);
void hs_account_begin(struct hs_queue *q, struct hs_running *r);
void hs_account_end(struct hs_queue *q, struct hs_running *r);
/* The threads of an inference's task on a CPU, which has just ended, wait for the next one until the job ends. Who waits on the same core as well isn't
 * counted, nor is another process. */
void hs_account_spin(struct hs_queue *q, struct hs_job *j, const struct hs_task *t);
/* What they have spun on each processor since that was asked last. */
void hs_account_take_spun(struct hs_engine *e, struct hs_job *j, double *spun_j);
/* The job has ended. */
void hs_account_leave(struct hs_engine *e, struct hs_job *j);
/* Puts the cores that a task uses on its level. */
void hs_account_set_levels(struct hs_queue *q, const struct hs_task *t);

#define HS_ROUNDING 1e-9 /* of a sum that may be as large as what there is */

/* traffic.c: what the running tasks of an accelerator want has changed; what anybody wants may have. */
void hs_traffic_count(struct hs_queue *q);
void hs_traffic_weigh(struct hs_engine *e);
void hs_wishes_add(struct hs_wishes *x, double bytes_per_s);
/* Has its port too little for as many as there are of whom wants most? */
bool hs_is_scarce(const struct hs_queue *q);

/* jobs.c */
/* Inferences are one process, everything else that runs has a request number of its own below 0. */
int hs_job_client(const struct hs_job *j);
/* Whose task a free worker of q takes; NULL: nobody has one. */
struct hs_job *hs_job_pick(struct hs_queue *q);
/* The task has ended: offers those that waited for it, and ends the job after its last one. */
void hs_job_finish_task(struct hs_engine *e, struct hs_job *j, int task);
void hs_jobs_free(struct hs_engine *e);

/* workers.c */
void hs_worker_add(struct hs_queue *q);
void hs_worker_wake(struct hs_queue *q); /* one of the idle ones, if there is one */
/* The worker's actor has been killed, or is about to be: another one finishes its task. */
void hs_worker_restart(struct hs_worker *w);
/* Starts its task on all its cores in step; NULL: it is done. */
struct hs_exec *hs_worker_start_task(struct hs_worker *w);
void hs_workers_free(struct hs_queue *q);

#endif
