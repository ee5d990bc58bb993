/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The engine: runs jobs on a system, task by task, in simulated time. A job is one program handed in for one request. It
 * knows processors, cores, frequencies and bandwidth, but nothing of neural networks.
 *
 * Contract:
 *  - one run per process (SimGrid aborts on a second platform); whoever needs more forks;
 *  - the tasks that a job has on one processor run in program order; between jobs an accelerator that is free takes the task
 *    that became ready first (ties: the job handed in first) among those of other processes (jobs with a request below 0) and the one that
 *    goes first of the inferences: of the highest priority, of these by when it became ready. It never breaks off the task it runs, a DSP or NPU
 *    not the invocation either: from a job's call, or its first task there, as long as the next one is ready and is no call.
 *    CPUs run the tasks of all jobs at once, which share the cores alike, whatever their priority. Where cores are shared in slices, the jobs of one system
 *    are those of one app, of which there are HS_APPS_MAX at most;
 *  - jobs come from `turn`, asked at the start, after jobs were done and at the time it named: it hands in any number of
 *    jobs and returns when it wants to be asked again, INFINITY: when a job is done, < 0: the run is over. A run also
 *    ends when nothing is left to wait for;
 *  - `ready` is called when a task's turn in its job has come and it waits for its processor, before it starts;
 *  - `task` is called once per task in order of completion (ties: by processor), then `done` once per job;
 *  - the run stops early, with HS_OK, when `stop` is set (a signal handler may set it): what is in flight is finished. */
#ifndef HS_ENGINE_H
#define HS_ENGINE_H

#include <signal.h>

#include "plan/program.h"

enum { HS_APPS_MAX = 16 };

struct hs_event {
  int request; /* as handed in */
  const struct hs_program *program;
  int task;
  double ready_s, start_s, end_s; /* ready: first in its queue and all dependencies done */
  double share_s; /* of the processor's time that was its own: where k tasks of requests run 1/k for each, less other processes' part of its cores. That part
                   * is all of a core that is shared in slices while they compute there, none while others do, else as many of k tasks as are theirs. Of a
                   * core in slices whose threads have done their parts nothing is anybody's */
  double energy_j; /* dynamic power of its cores (of one that k tasks are on, a k-th, or in slices while it computes or spins there) and its share of their
                    * domains' static power */
  double cycles[HS_DOMAINS_MAX]; /* of the clock of each domain that it has cores of, in its share of the time */
  bool elsewhere;  /* where cores are shared in slices: on a core of domain `domain` instead of its task's, which was busy (hs_event_task()) */
  int domain;
  struct {
    int processor, domain;
    double share_s, energy_j, cycles;
  } caller;        /* of an RPC, where cores are shared in slices: the CPU whose core the calling thread took, and what of it; else 0 */
  double spun_j[HS_PROCESSORS_MAX]; /* by threads of its job that waited for the next operator on CPUs (model/spin.h), since the event before of that job */
  double bytes;    /* over the memory */
  double stretch;  /* factor on its duration that it was handed in with */
};

/* The event's task, as it ran, whichever core of its domain that was. */
struct hs_task hs_event_task(const struct hs_event *e, const struct hs_soc *soc);

struct hs_engine;

struct hs_engine_calls {
  void *state;
  double (*turn)(void *state, struct hs_engine *e, double now_s);
  void (*task)(void *state, const struct hs_event *e);                       /* may be NULL */
  void (*done)(void *state, int request, double start_s, double end_s);      /* may be NULL */
  const volatile sig_atomic_t *stop;                                         /* may be NULL */
  void (*ready)(void *state, int request, const struct hs_task *task, double now_s); /* may be NULL */
  void (*over)(void *state, struct hs_engine *e, double now_s); /* the last call, of a run that was stopped, too; may be NULL */
};

/* HS_ENGINE: the simulator can't be started. */
enum hs_status hs_engine_run(const struct hs_system *sys, const struct hs_engine_calls *calls, struct hs_error *err);

/* Inside `turn`: starts the program now, for that request. It must stay as it is until the run is over. */
void hs_engine_submit(struct hs_engine *e, int request, const struct hs_program *program);
/* The same with a factor > 0 on the duration of each task, [n_tasks], which stay as they are until the job is done; NULL: all 1. A task's
 * power and the bytes that its event tells are as without. */
void hs_engine_submit_stretched(struct hs_engine *e, int request, int priority, const struct hs_program *program, const double *stretch);

/* Inside any call: what the device does with itself. A level holds for tasks that ask for none, at once and mid-task; a cap for
 * all. Leakage is a factor on static power (1 at the start). */
void hs_engine_set_opp(struct hs_engine *e, int processor, int domain, int level);
void hs_engine_set_cap(struct hs_engine *e, int processor, int domain, int level);
void hs_engine_set_leakage(struct hs_engine *e, int processor, double factor);

/* Of tasks that have no weight of their own, from their next start on: their weight (hs_task.weight), and a factor on their bytes. The memory
 * knows of no weights. */
void hs_engine_set_weight(struct hs_engine *e, int weight);
void hs_engine_set_traffic(struct hs_engine *e, double factor);

/* Since the start: time in which a core had a task or a thread that spun, and energy of all of these on a processor. And tasks on a core now, those included
 * that became ready in this very moment. */
double hs_engine_busy_s(struct hs_engine *e, int processor, int domain, int core);
double hs_engine_cycles(struct hs_engine *e, int processor, int domain); /* of its clock, idle or not */
double hs_engine_energy_j(struct hs_engine *e, int processor);
int hs_engine_tasks_on(const struct hs_engine *e, int processor, int domain, int core);
/* That a domain's clock has now: a task's own, also of threads that spin after it, or the one that is set; no more than the cap. */
int hs_engine_level(const struct hs_engine *e, int processor, int domain);

#endif
