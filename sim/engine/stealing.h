/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Threads of one task that take from each other what others have left (hs_work.stolen), on cores that they share with others in slices of
 * time: it goes to those who have their cores, so that these end together, whenever one gets its core or has done its part. Who hasn't its
 * core has none of it then, and ends only when it had it: a pool's threads all report back. Where it is taken in pieces, nobody takes from
 * another the one that this has begun and the one that it has reserved. Together they have as much to do as at the highest frequencies. */
#ifndef HS_STEALING_H
#define HS_STEALING_H

#include "engine/slices.h"

/* Cycles of what is taken that the task has for this thread. */
double hs_thread_planned_cycles(const struct hs_thread *th);

/* Its core's clock ÷ that of the thread that calls, now; 1 where nobody waits for that one. */
double hs_thread_to_caller(const struct hs_thread *th);
/* Clocks have changed: until the thread that calls has done what it does alone, the others wait in other cycles of their own. */
void hs_thread_wait_anew(struct hs_thread *th);

/* When all threads of a task that is cut have their parts, and each time one gets its core: they deal out what is left anew. Nothing, where
 * they don't steal. */
void hs_threads_deal(struct hs_worker *w, double now_s);

/* It has done its part: if others have a piece or more left of theirs, which it may take, they deal it out anew. */
bool hs_thread_takes_more(struct hs_thread *th, double now_s);

/* Bytes per second of the memory. Of one that steals, whatever it is dealt: none while it does what is its own, and then all of the task's
 * bytes at the rate at which it takes. */
double hs_thread_wants(const struct hs_thread *th);

#endif
