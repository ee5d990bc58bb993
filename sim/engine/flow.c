/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/flow.h"

static const double NOTHING_BYTES_PER_S = 1e-5; /* as in the simulator */

enum { PORTS, LANES = PORTS + HS_PROCESSORS_MAX, MEMORY = LANES + HS_PROCESSORS_MAX, PIPES };

/* A lane, a port or the memory, and a flow, while they are shared. */
struct pipe {
  double left;
  int n; /* flows that want more of it */
};
struct taker {
  double wants, took, has; /* wants: more than it has; took: in the last round in which it did */
};

/* The pipes that a flow passes through. Returns how many. */
static int pass(const struct hs_flow *f, int *through)
{
  int n = 0;
  through[n++] = MEMORY;
  through[n++] = PORTS + f->port;
  if (f->has_lane) through[n++] = LANES + f->port;
  return n;
}

/* What is left of a pipe is offered to all alike that want more. */
static void take(const struct pipe *pipes, struct hs_flow *const *flows, struct taker *takers, int n)
{
  for (int i = 0, through[3]; i < n; i++) {
    struct taker *t = &takers[i];
    if (t->wants <= 0) continue;
    t->took = t->wants;
    for (int k = pass(flows[i], through) - 1; k >= 0; k--) t->took = hs_least(t->took, pipes[through[k]].left / pipes[through[k]].n);
    t->has += t->took;
    /* a remainder that is rounding is none, or the rounds would go on for it */
    t->wants = t->wants - t->took <= NOTHING_BYTES_PER_S ? 0 : t->wants - t->took;
  }
}

/* Who gets no more of one pipe wants no more of the others. Returns how many still want some. */
static int count(struct pipe *pipes, struct hs_flow *const *flows, struct taker *takers, int n)
{
  for (int k = 0; k < PIPES; k++) pipes[k].n = 0;
  for (int i = 0, through[3]; i < n; i++) {
    int passes = pass(flows[i], through);
    for (int k = 0; k < passes; k++)
      if (pipes[through[k]].left <= NOTHING_BYTES_PER_S) takers[i].wants = 0;
    for (int k = 0; k < passes && takers[i].wants > 0; k++) pipes[through[k]].n++;
  }
  return pipes[MEMORY].n;
}

/* In rounds, as SimGrid's fair bottleneck does it, which takes away in every later round, too, what a flow took that has been served: so
 * some of the bandwidth can stay unused. The engine must agree with it to 1e-9: this isn't to be mended. */
void hs_flows_share(const struct hs_pipes *all, struct hs_flow *const *flows, int n, double now_s)
{
  struct pipe pipes[PIPES];
  struct taker takers[HS_FLOWS_MAX];
  for (int p = 0; p < HS_PROCESSORS_MAX; p++) pipes[PORTS + p].left = all->port[p];
  for (int p = 0; p < HS_PROCESSORS_MAX; p++) pipes[LANES + p].left = all->lane[p];
  pipes[MEMORY].left = all->memory;
  for (int i = 0; i < n; i++) takers[i] = (struct taker){.wants = flows[i]->wants};
  while (count(pipes, flows, takers, n) > 0) {
    take(pipes, flows, takers, n);
    for (int i = 0, through[3]; i < n; i++)
      for (int k = pass(flows[i], through) - 1; k >= 0; k--) pipes[through[k]].left -= takers[i].took;
  }
  for (int i = 0; i < n; i++) {
    double pace = takers[i].has / flows[i]->wants;
    if (pace == flows[i]->pace) continue;
    hs_flow_stop(flows[i], now_s);
    hs_flow_go(flows[i], now_s, pace);
  }
}
