/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Work spread over the cores of a processor: in equal parts, so that all wait for the slowest, or taken by whoever gets free. */
#ifndef HS_SPREAD_H
#define HS_SPREAD_H

#include "model/work.h"

/* What cores do: multiplications at the peak rate of each, and cycles that are the same on any. */
struct hs_load {
  double per_peak, cycles;
};

/* Cycles of a core of d. */
double hs_load_cycles(struct hs_load l, const struct hs_domain *d, enum hs_precision precision);

/* out->cores, ->cycles and ->stolen: on every core taken `overhead` cycles, the time of `serial` on the fastest, and `shared` as if in equal shares of so many
 * threads, or, where threads steal, until all are done at once. Where nothing is shared, the fastest core alone. */
void hs_spread(const struct hs_processor *p, const struct hs_backend *b, bool steals, double overhead, struct hs_load serial, struct hs_load shared, double threads,
               struct hs_work *out);

#endif
