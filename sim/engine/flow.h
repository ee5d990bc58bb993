/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Work that goes on by the clock, instead of as an execution of the simulator: as fast as its cores let it, or what its bytes pass through, which it shares:
 * an inference's the lane of the cores that inferences have threads on, all the port of their processor, and the memory. */
#ifndef HS_FLOW_H
#define HS_FLOW_H

#include <stdbool.h>

#include "base/instant.h"
#include "input/soc.h"

struct hs_flow {
  int port;                /* number of its processor */
  bool has_lane;           /* else it is another process's, whose cores bound it alone, by `seconds` */
  double seconds, bytes;   /* that all of it takes, alone, and moves; */
  double wants;            /* so many bytes per second */
  double left, pace;       /* fraction of it at since_s, and how fast it goes from then on; alone: 1 */
  double since_s, ends_s;  /* ends_s: at that pace */
};

/* Functions here are where a run spends its time; fmin() and fmax() would be calls. */
static inline double hs_least(double a, double b) { return a < b ? a : b; }
static inline double hs_most(double a, double b) { return a > b ? a : b; }

static inline void hs_flow_time(struct hs_flow *f, double seconds)
{
  f->seconds = seconds;
  f->wants = f->bytes > 0 ? f->bytes / seconds : 0;
}

/* From when it stood still. */
static inline void hs_flow_go(struct hs_flow *f, double now_s, double pace)
{
  f->pace = pace;
  f->since_s = now_s;
  f->ends_s = now_s + f->left * f->seconds / pace;
}

static inline void hs_flow_stop(struct hs_flow *f, double now_s)
{
  if (now_s <= f->since_s) return;
  f->left = hs_most(f->left - (now_s - f->since_s) * f->pace / f->seconds, 0);
  f->since_s = now_s;
}

static inline bool hs_flow_has_ended(const struct hs_flow *f, double now_s) { return f->ends_s <= now_s + HS_TICK_S; }

/* What flows share: bytes per second. */
struct hs_pipes {
  double lane[HS_PROCESSORS_MAX], port[HS_PROCESSORS_MAX], memory;
};

enum { HS_FLOWS_MAX = HS_PROCESSORS_MAX * HS_CORES_MAX };

/* Sets the paces of n <= HS_FLOWS_MAX flows that want bytes, from now on. */
void hs_flows_share(const struct hs_pipes *pipes, struct hs_flow *const *flows, int n, double now_s);

#endif
