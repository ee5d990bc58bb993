/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Threads that share the cores of a CPU in slices of time, as Linux does (device/cfs.h). For cores.c, which cuts tasks into threads.
 *
 * Whose turn it is on a core matters to others only when a task ends. So slices aren't simulated one by one, which takes several microseconds each: they are
 * played in arithmetic, in the order of time, when somebody looks at the cores (hs_cores_settle()), and ahead of time to know when the next task ends.
 * An actor per CPU sleeps until then, or until something changes. That gives what the simulator would give as long as how fast
 * everybody goes follows from the cores and the CPU's own port (flow.h). When more bytes may be wanted than the memory has for all processors (traffic.c)
 * work becomes executions of the simulator, which knows how memory is shared, and each thread has a hand (hands.c). */
#ifndef HS_SLICES_H
#define HS_SLICES_H

#include "device/cfs.h"
#include "engine/engine_parts.h"

/* A task cut into one thread per core. */
struct hs_team {
  int n_cores, n_left;
  struct hs_worker *worker;
};

/* What a job does on one core, part of a task after part of a task. */
struct hs_thread {
  struct hs_cfs_thread cfs; /* first */
  struct hs_core *core;
  enum { SLEEPS, WORKS, SPINS, UNCUT } state; /* UNCUT: its worker does its work */
  struct hs_team *team;
  double cycles;            /* its part of the task, */
  struct hs_flow flow;      /* which goes on while it has the core, if it isn't in hand */
  double spins_until_s;
  bool in_hand, stopped;    /* its part is an execution that the hand waits for; and stands still */
  struct hs_actor *hand;
  struct hs_semaphore *go;
  int calls;                /* as its worker's */
  struct hs_thread *next_of_job, *next_idle, *next_of_core;
};

struct hs_core {
  struct hs_cores *of;
  int host;
  bool rung, look;          /* something has changed; and it has to be chosen anew who runs */
  struct hs_cfs cfs;
  double since_s, slice_s;  /* up to where all is counted, and what is left of the current thread's slice then */
  double event_s;           /* when something happens by itself */
  long turns;
  int n_in_hand;
  struct hs_worker *uncut;  /* that runs a task on it and others, uncut */
  struct hs_thread *idle, *all;
  double *kept;             /* [client]: virtual time at which its last job left */
  int n_kept, cap_kept;
};

/* All cores of a CPU. */
struct hs_cores {
  struct hs_queue *q;
  int n;
  struct hs_core core[HS_CORES_MAX];
  struct hs_worker *uncut;  /* those that run a task uncut */
  double since_s;           /* up to where cores are played */
  struct hs_semaphore *attend; /* to them, as something has changed, */
  bool rung;                /* if that has been said and not heard yet, */
  bool attended_to;         /* or is being heard anyway */
  int n_simulated;          /* tasks and threads that are executions */
  bool scarce, crowded;     /* since since_s more bytes may be wanted than the port has; and work that wants bytes has to be simulated */
  struct hs_saved *saved;   /* room to play ahead */
  int cap_saved;
};

static inline struct hs_thread *hs_core_current(const struct hs_core *c) { return (struct hs_thread *)c->cfs.current; }

/* What goes on by the clock on a core; NULL: nothing. */
static inline struct hs_flow *hs_core_flow(const struct hs_core *c)
{
  struct hs_thread *th = hs_core_current(c);
  return th && th->state == WORKS && !th->in_hand ? &th->flow : NULL;
}

/* Plays all up to now; before anything changes. */
void hs_cores_settle(struct hs_cores *cs);
/* Something has changed: the cores are attended to in this instant, when others have run. */
void hs_cores_ring(struct hs_cores *cs);
void hs_core_ring(struct hs_core *c);

/* Its part of the task of worker w, to be begun now: that fraction of the task, which n cores share. */
void hs_thread_take(struct hs_thread *th, const struct hs_worker *w, double left, int n);
struct hs_thread *hs_thread_new(struct hs_core *c);
/* Returns who has waited for it, if it was the last part of a task. */
struct hs_worker *hs_thread_end_part(struct hs_thread *th);
/* How long an uncut task takes its cores. */
void hs_uncut_time(struct hs_worker *w);
/* It is over, or cut: its cores are free. */
void hs_uncut_vacate(struct hs_worker *w);

/* hands.c: stops and lets go on those that are in hand, and takes the current thread in hand if it has to be. Others run meanwhile. */
void hs_core_use_hands(struct hs_core *c);

struct hs_cores *hs_slices_open(struct hs_queue *q);
void hs_slices_free(struct hs_cores *cs);

#endif
