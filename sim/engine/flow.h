/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Work that goes on by the clock, instead of as an execution of the simulator: as fast as its cores let it, or the port that it shares. */
#ifndef HS_FLOW_H
#define HS_FLOW_H

#include <stdbool.h>

struct hs_flow {
  double seconds, bytes; /* that all of it takes, alone, and moves */
  double left, pace;     /* fraction of it at since_s, and how fast it goes from then on; alone: 1 */
  double since_s;
};

static const double HS_TICK_S = 1e-11; /* of the clock, which may come so much too early */

/* Functions here are where a run spends its time; fmin() and fmax() would be calls. */
static inline double hs_least(double a, double b) { return a < b ? a : b; }
static inline double hs_most(double a, double b) { return a > b ? a : b; }

/* Bytes per second, alone. */
static inline double hs_flow_wants(const struct hs_flow *f) { return f->bytes > 0 ? f->bytes / f->seconds : 0; }
static inline double hs_flow_ends_s(const struct hs_flow *f) { return f->since_s + f->left * f->seconds / f->pace; }
static inline bool hs_flow_has_ended(const struct hs_flow *f) { return hs_flow_ends_s(f) <= f->since_s + HS_TICK_S; }

static inline void hs_flow_pass(struct hs_flow *f, double until_s)
{
  if (until_s <= f->since_s) return;
  if (f->left > 0) f->left = hs_most(f->left - (until_s - f->since_s) * f->pace / f->seconds, 0);
  f->since_s = until_s;
}

enum { HS_FLOWS_MAX = 32 };

/* Sets the paces of n <= HS_FLOWS_MAX flows through a port. */
void hs_flows_share(double port_bytes_per_s, struct hs_flow *const *flows, int n);

#endif
