/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the engine needs of a discrete-event simulator: a clock, actors, semaphores, and work on the cores of a phone whose bytes share
 * ports and memory. It knows no tasks and no jobs. Implemented by SimGrid in engine_simgrid.c.
 *
 * Contract:
 *  - one simulation per process;
 *  - actors take turns: one runs at a time, and only calls of this file (but the clock) let others run, always at the same instant unless
 *    it says "waits". What becomes ready to run at an instant runs in an order that depends on nothing but the calls made;
 *  - whatever was started lives until the process ends; executions until they were waited for. */
#ifndef HS_DES_H
#define HS_DES_H

#include "model/system.h"

struct hs_host;
struct hs_semaphore;
struct hs_exec;

enum hs_status hs_des_open(const struct hs_system *sys, struct hs_error *err);
/* Until all actors have ended, or one ends the others: they go on no more, wherever they are. */
void hs_des_run(void);
void hs_des_end_others(void);
double hs_des_now_s(void);

/* One per core, and one per processor for the lane of the cores that its backend has threads on. A core's bytes, as well as a lane's, go through the
 * processor's port to the memory. */
struct hs_host *hs_host_core(int processor, int domain, int core);
struct hs_host *hs_host_lane(int processor);
/* At once, also for what the core is doing. */
void hs_host_set_opp(struct hs_host *core, int level);

/* An actor that runs code(data), from this instant on. */
void hs_actor_start(const char *name, void (*code)(void *data), void *data);
void hs_actor_sleep(double seconds); /* the calling one; waits */

struct hs_semaphore *hs_semaphore_new(void); /* 0 */
void hs_semaphore_free(struct hs_semaphore *s); /* nobody waits for it any more */
void hs_semaphore_release(struct hs_semaphore *s);
void hs_semaphore_acquire(struct hs_semaphore *s); /* waits */
bool hs_semaphore_acquire_for(struct hs_semaphore *s, double seconds); /* waits so long at most; false: in vain */

/* Work that one actor does: cycles[i] > 0 on cores[i], all in step, and while they last bytes over a lane, or NULL: from its cores, as much from each. Takes
 * as long as what is slowest: a core, the lane or what a core has of bandwidth, the port, the memory; each is shared alike with other executions. Some
 * amount must be > 0. */
struct hs_exec *hs_exec_new(int n_cores, struct hs_host *const *cores, const double *cycles, struct hs_host *lane, double bytes);
void hs_exec_start(struct hs_exec *x);
void hs_exec_wait(struct hs_exec *x); /* for the actor that made it */

#endif
