/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How a framework shares a part of an operator out among the threads of a processor's cores (doc/cost-model.md, Threads). */
#ifndef HS_THREADS_H
#define HS_THREADS_H

#include "model/portion.h"
#include "model/spread.h"

struct hs_threads {
  double serial_frac; /* of what the operator computes: on the thread that calls */
  double speedup;     /* by how many times the rest gets faster: the threads, or fewer */
  bool steals;        /* whoever is done takes what others have left, */
  int pieces;         /* in so many equal pieces; 0: as small as it takes */
};

/* Does the thread that calls copy it by itself, element for element? (Paddle-Lite and ncnn: joining, splitting and shuffling channels.) */
bool hs_threads_copied_alone(const struct hs_portion *p);

struct hs_threads hs_threads_of(const struct hs_portion *p);

/* What waking threads for a loop over `shared` takes, and waiting for the last of them: as in a tree. */
double hs_threads_fork_cycles(const struct hs_portion *p, struct hs_compute shared);

#endif
