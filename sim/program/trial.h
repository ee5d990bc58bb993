/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A trial: one network under one policy, on the idle device or in a scenario, and what is known of it afterwards. What `compare` and `explain` share. */
#ifndef HS_TRIAL_H
#define HS_TRIAL_H

#include "out/metrics.h"
#include "out/ran.h"
#include "program/setup.h"

struct hs_trial {
  struct hs_setup setup;
  struct hs_living *living;      /* NULL: nothing else happens */
  struct hs_metrics metrics;
  struct hs_summary summary;
  int unfinished;                /* requests */
  bool ended;                    /* a request was answered or dropped; without there is no summary, and what follows is empty */
  int first;                     /* request that ran; -1: none has. Of it: */
  struct hs_timeline timeline;
  int n_pieces;
  struct hs_ran_piece *pieces;
  struct hs_timeline under_way;  /* of requests that haven't ended */
  double kernel_s;               /* of the mean latency (NaN where all were dropped): with at least one kernel of that inference running */
  double communication_alone_s;  /* of the mean latency: with communication of it and no kernel of it running */
};

/* Sets up, plans and runs, for duration_s of simulated time, or where that is 0 until `inferences` > 0 have ended; `trial` is zeroed before, and freed by
 * hs_trial_free() in any state. The engine allows it once per process. HS_UNMET: the run was broken off, because the device shut down or the network starves,
 * or by Ctrl-C (hs_interrupted, which it sets); where a request had ended by then, all is filled in. HS_USAGE if none ends in duration_s. */
enum hs_status hs_trial_run(struct hs_trial *trial, const struct hs_run_options *options, int inferences, double duration_s, struct hs_error *err);
void hs_trial_free(struct hs_trial *trial);

#endif
