/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/flow.h"

static const double NOTHING_BYTES_PER_S = 1e-5; /* as in the simulator */

/* The port is shared as the simulator does it, its fair bottleneck: in rounds, in each of which what is left is offered to all alike that want more. What
 * those took who are served is taken away again in every round, so that some of a port can stay unused. */
void hs_flows_share(double port_bytes_per_s, struct hs_flow *const *flows, int n)
{
  double left = port_bytes_per_s, wanted[HS_FLOWS_MAX], took[HS_FLOWS_MAX] = {0}, has[HS_FLOWS_MAX] = {0}, highest = 0;
  int n_left = 0;
  for (int i = 0; i < n; i++) {
    flows[i]->pace = 1;
    n_left += (wanted[i] = hs_flow_wants(flows[i])) > 0;
    highest = hs_most(highest, wanted[i]);
  }
  if (highest * n_left <= left) return; /* all are served in the first round */
  while (n_left > 0 && left > NOTHING_BYTES_PER_S) {
    double share = left / n_left;
    for (int i = 0; i < n; i++) {
      if (wanted[i] > 0) {
        took[i] = hs_least(share, wanted[i]);
        has[i] += took[i];
        wanted[i] -= took[i];
        n_left -= wanted[i] <= 0;
      }
      left -= took[i];
    }
  }
  for (int i = 0; i < n; i++)
    if (has[i] > 0) flows[i]->pace = has[i] / hs_flow_wants(flows[i]);
}
