/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Work spread over the cores of a processor: in equal parts, so that all wait for the slowest, or taken by whoever gets free. */
#ifndef HS_SPREAD_H
#define HS_SPREAD_H

#include "model/work.h"

/* What cores do: multiplications at the peak rate of each, and cycles that are the same on any. */
struct hs_compute {
  double per_peak, cycles;
};

/* Cycles of a core of d, as its macs_per_cycle says. */
double hs_compute_cycles(struct hs_compute l, const struct hs_domain *d, enum hs_precision precision);

/* What an operator is to threads. */
struct hs_parts {
  double overhead;         /* cycles of the thread that calls, */
  double fork;             /* and of each */
  struct hs_compute serial;   /* on the thread that calls */
  struct hs_compute shared;   /* by all */
  enum hs_core_work peak;  /* what the multiplications at the peak rate are; all cycles are others */
  double threads;          /* whose equal shares take as long as shared does */
  bool steals;             /* threads take what others have left, */
  int pieces;              /* in so many equal pieces; 0: as small as it takes */
};

/* out->cores, ->cycles and ->stolen: on every core taken the time of what the fastest does alone, its fork, and its share, or, where
 * threads steal, until the last is done. Where nothing is shared, the fastest core alone. */
void hs_spread(const struct hs_processor *p, const struct hs_backend *b, const struct hs_parts *parts, struct hs_work *out);

/* Adds cycles of the thread that calls, before any is shared. */
void hs_spread_start(const struct hs_processor *p, const struct hs_backend *b, double cycles, struct hs_work *out);

#endif
