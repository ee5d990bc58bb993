/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How long a network has waited while others were served, and when that is for ever: a scheduler may let it wait for as long as others come, and so may an
 * accelerator whose other clients go first, and a run that waits for it never ends. Waiting for a busy processor or in a long queue is none of it: the first is
 * over after a piece, in the second nobody who came later is served before. */
#ifndef HS_PATIENCE_H
#define HS_PATIENCE_H

#include <stdbool.h>

#include "base/status.h"

struct hs_network;

/* A network starves that waits this many times as long as the longest piece took, while this many requests of others that came later begin; or of which this
 * many requests begin that came later than the first went on, while none ends; or this many are dropped without time passing. */
enum { HS_PASSED_OVER_MAX = 1000 };

/* Of one network; begins with zeros. Simulated times, in seconds. */
struct hs_patience {
  double since_s;  /* when a piece of it last started or ended, or the first of its requests came */
  int passed_over; /* requests of other networks that came after that and have begun */
  double first_s;  /* when a request of it last ended, or a piece of its first in flight started or ended, or that came */
  int overtaken;   /* requests of it that came after that and have begun */
  int refused;     /* requests, one after the other, that were dropped the moment they came */
};

/* A piece of it starts or ends, or a request came where none was in flight; `first`: of its first in flight. */
void hs_patience_moves(struct hs_patience *p, bool first, double now_s);
/* A request that came at arrival_s begins, `own`: one of this network's. */
void hs_patience_passed(struct hs_patience *p, bool own, double arrival_s);
/* One of its requests ends; `refused`: dropped as it came. */
void hs_patience_ended(struct hs_patience *p, bool refused, double now_s);

/* HS_UNMET where a network starves that waits. first_runs, any_runs: its first request in flight, and any of them; longest_s: what a piece of any network took
 * at most. */
enum hs_status hs_patience_check(const struct hs_patience *p, const struct hs_network *n, bool first_runs, bool any_runs, double longest_s, double now_s,
                                 struct hs_error *err);
/* HS_UNMET where all of a network that runs back to back is dropped as it comes, so that the next comes at once, and time stands still. */
enum hs_status hs_patience_check_refused(const struct hs_patience *p, const struct hs_network *n, struct hs_error *err);

#endif
