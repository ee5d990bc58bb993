/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A CPU core that threads share in slices of time, as Linux does (device/cfs.h): whose turn it is, and what happens next by itself. For cores.c, which cuts
 * tasks into threads, and clock.c, which plays all cores in the order of time. */
#ifndef HS_SLICES_H
#define HS_SLICES_H

#include "base/random.h"
#include "device/cfs.h"
#include "engine/engine_parts.h"

/* What a job does on one core, part of a task after part of a task. */
struct hs_thread {
  struct hs_cfs_thread cfs; /* first */
  struct hs_core *core;
  enum { SLEEPS, WORKS, SPINS, UNCUT } state; /* UNCUT: its worker's task goes on in one piece */
  struct hs_worker *worker; /* whose task */
  double whole;             /* what of the task was left as it began, of 1 */
  double cycles, stolen;    /* its part of it, and of that what others may take from it: its last ones; */
  double to_caller;         /* of one that steals: its clock ÷ the caller's, as `cycles` have it, in which it waits for that */
  struct hs_flow flow;      /* it goes on while it has the core */
  double spins_until_s;
  int calls;                /* as its worker's */
  int owner;                /* whose, over all of its jobs */
  struct hs_thread *next_of_job, *next_idle, *next_of_core;
};

struct hs_core {
  struct hs_cores *of;
  int host;
  bool rung, look;          /* who runs has to be chosen anew: if nobody does; anyway */
  struct hs_cfs cfs;
  double since_s, slice_s;  /* up to where all is counted, and what is left of the current thread's slice then */
  double turn_s, stretch;   /* when that thread got the core, and how much longer its slice is than it should be */
  struct hs_thread *left;   /* who had the core for a task in one piece until left_s; NULL: nobody */
  double left_s;
  double event_s;           /* when something happens by itself */
  struct hs_random *random; /* of the lengths of slices; owned */
  struct hs_worker *uncut;  /* that runs a task on it and others, uncut */
  struct hs_thread *idle, *all;
  double *kept;             /* [owner]: virtual time at which its last job left */
  int n_kept, cap_kept;
};

/* All cores of a CPU. */
struct hs_cores {
  struct hs_queue *q;
  int n;
  struct hs_core core[HS_CORES_MAX];
};

static inline struct hs_thread *hs_core_current(const struct hs_core *c) { return (struct hs_thread *)c->cfs.current; }

/* What goes on there; NULL: nothing, or a task that isn't cut. */
static inline struct hs_flow *hs_core_flow(const struct hs_core *c)
{
  struct hs_thread *th = hs_core_current(c);
  return th && th->state == WORKS ? &th->flow : NULL;
}

/* It, or another core of its processor, has another level: threads are slower or faster from now on. */
void hs_core_change_level(struct hs_core *c);
/* What any of its threads wants of the memory, at most: bytes per second; *lane: any that has a lane. */
double hs_core_wants(const struct hs_core *c, double *lane);

/* Time passes in which nothing happens. */
void hs_core_pass(struct hs_core *c, double until_s);
/* Finds when something will. */
void hs_core_find_event(struct hs_core *c);
/* It does. Returns false where a task ends, which is told others. */
bool hs_core_happen(struct hs_core *c);
/* If the current thread has done its part, returns who has waited for it, if it was the last part of a task; else NULL. */
struct hs_worker *hs_core_end_part(struct hs_core *c, double now_s);
/* Gives the core to whose turn it is. Whose task in one piece was cut in this instant, or has ended and another follows, goes on with its turn. */
void hs_core_pick(struct hs_core *c);
/* Somebody woke up or fell asleep there: the current thread's slice is of those who want to run now. */
void hs_core_count_slice(struct hs_core *c);
/* Chooses anew who runs, if it is time. */
void hs_core_take_turn(struct hs_core *c);

/* Its part of the task of worker w, to be begun now: that fraction of the task. */
void hs_thread_take(struct hs_thread *th, struct hs_worker *w, double left);
/* How long its part takes at the level of its core. */
void hs_thread_time(struct hs_thread *th);
struct hs_thread *hs_thread_new(struct hs_core *c);

struct hs_cores *hs_slices_open(struct hs_queue *q);
void hs_slices_free(struct hs_cores *cs);

/* What each core of q does that tasks are on: it computes for one of them (`of`), or for none, whose threads there have done their part and spin, or sleep
 * until the task's slowest has. Else, and where who computes isn't known or cores aren't shared in slices, it computes for all of them alike. */
struct hs_turns {
  enum { CORE_COMPUTES, CORE_SPINS, CORE_IDLES } does[HS_CORES_MAX];
  const struct hs_running *of[HS_CORES_MAX]; /* NULL: all of them */
};
struct hs_turns hs_slices_turns(const struct hs_queue *q);

#endif
