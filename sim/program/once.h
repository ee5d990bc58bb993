/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One inference of one network, on the idle device or in a scenario, and what is known of it afterwards: what `compare` and `explain` share. */
#ifndef HS_ONCE_H
#define HS_ONCE_H

#include "out/metrics.h"
#include "out/ran.h"
#include "program/setup.h"

struct hs_once {
  struct hs_setup setup;
  struct hs_living *living;
  struct hs_metrics metrics;
  struct hs_timeline timeline;
  struct hs_summary summary;
  int n_pieces;
  struct hs_ran_piece *pieces;
  double kernel_s;              /* of the latency: with at least one kernel running */
  double communication_alone_s; /* of the latency: with communication and no kernel running */
};

/* Sets up, plans and runs; `once` is zeroed before, and freed by hs_once_free() in any state. HS_POLICY if the policy gives the
 * request up. The engine allows it once per process. */
enum hs_status hs_once_run(struct hs_once *once, const struct hs_request *req, struct hs_error *err);
void hs_once_free(struct hs_once *once);

#endif
