/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Threads of a CPU's pool that wait for the next operator. Before they sleep they spin for a while (hs_backend.spin_s), and the core stays as busy
 * as at work. It draws the dynamic power of its OPP then: assumed, as no measurement tells a loop that polls from CoreMark, of which the OPP tables are.
 * The thread that calls doesn't wait so: it goes on with what isn't cut, on the fastest core, or sleeps until an accelerator is done. */
#ifndef HS_SPIN_H
#define HS_SPIN_H

#include "model/cost.h"

/* Of one CPU. Zeroed: nobody spins. Cores are in the order of their domains. */
struct hs_spin {
  double until_s[HS_CORES_MAX];
  double last_s; /* the latest of these, or later */
  int opp;       /* level that the threads' task had asked for, or -1 */
};

/* How a CPU is from from_s to to_s. What a core or a domain draws while it has a task is counted to the task, not to who waits. */
struct hs_spin_stretch {
  double from_s, to_s, leakage;  /* leakage: factor on static power */
  int level[HS_DOMAINS_MAX];     /* OPPs */
  const int *on_core, *in_domain; /* tasks: [HS_CORES_MAX], [HS_DOMAINS_MAX] */
};

struct hs_spun {
  double seconds[HS_CORES_MAX], joules[HS_CORES_MAX]; /* static and shared power are counted to the core of the domain that spins longest */
};

/* A task with that work, on its domains' cores from first_core on, has ended at now_s. False: nobody waits then, as it had one core only or spin_s is 0. */
bool hs_spin_start(struct hs_spin *s, const struct hs_processor *p, const struct hs_work *w, int first_core, int opp, double now_s, double spin_s);

/* What the threads that spin then take, core by core. */
void hs_spin_pass(const struct hs_spin *s, const struct hs_processor *p, const struct hs_spin_stretch *x, struct hs_spun *out);

#endif
