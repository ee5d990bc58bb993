/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/flow.h"

static const double NOTHING_BYTES_PER_S = 1e-5; /* as in the simulator */

enum { MEMORY = HS_PROCESSORS_MAX, PIPES };

/* A port or the memory, and a flow, while they are shared. */
struct pipe {
  double left;
  int n; /* flows that want more of it */
};
struct taker {
  double wants, took, has; /* wants: more than it has; took: in the last round in which it did */
};

/* What is left of a pipe is offered to all alike that want more. */
static void take(const struct pipe *pipes, struct hs_flow *const *flows, struct taker *takers, int n)
{
  const struct pipe *memory = &pipes[MEMORY];
  for (int i = 0; i < n; i++) {
    const struct pipe *port = &pipes[flows[i]->port];
    struct taker *t = &takers[i];
    if (t->wants <= 0) continue;
    t->took = hs_least(t->wants, hs_least(port->left / port->n, memory->left / memory->n));
    t->has += t->took;
    t->wants -= t->took;
  }
}

/* Who gets no more of one pipe wants no more of the other. Returns how many still want some. */
static int count(struct pipe *pipes, struct hs_flow *const *flows, struct taker *takers, int n)
{
  int n_left = 0;
  for (int k = 0; k < PIPES; k++) pipes[k].n = 0;
  for (int i = 0; i < n; i++) {
    struct pipe *port = &pipes[flows[i]->port];
    if (port->left <= NOTHING_BYTES_PER_S || pipes[MEMORY].left <= NOTHING_BYTES_PER_S) takers[i].wants = 0;
    if (takers[i].wants <= 0) continue;
    port->n++;
    n_left++;
  }
  return pipes[MEMORY].n = n_left;
}

/* In rounds, as SimGrid's fair bottleneck does it, which takes away in every later round, too, what a flow took that has been served: so
 * some of the bandwidth can stay unused. The engine must agree with it to 1e-9: this isn't to be mended. */
void hs_flows_share(const struct hs_pipes *all, struct hs_flow *const *flows, int n, double now_s)
{
  struct pipe pipes[PIPES];
  struct taker takers[HS_FLOWS_MAX];
  for (int p = 0; p < HS_PROCESSORS_MAX; p++) pipes[p].left = all->port[p];
  pipes[MEMORY].left = all->memory;
  for (int i = 0; i < n; i++) takers[i] = (struct taker){.wants = flows[i]->wants};
  while (count(pipes, flows, takers, n) > 0) {
    take(pipes, flows, takers, n);
    for (int i = 0; i < n; i++) {
      pipes[flows[i]->port].left -= takers[i].took;
      pipes[MEMORY].left -= takers[i].took;
    }
  }
  for (int i = 0; i < n; i++) {
    double pace = takers[i].has / flows[i]->wants;
    if (pace == flows[i]->pace) continue;
    hs_flow_stop(flows[i], now_s);
    hs_flow_go(flows[i], now_s, pace);
  }
}
