/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a policy is: plain functions that look at a view and return decisions as values. It never emits a transfer, a
 * sync or a time, and it never sees a true duration: only estimates.
 *
 * Order of calls: plan, once, before the first request. */
#ifndef HS_POLICY_H
#define HS_POLICY_H

#include "plan/placement.h"

/* What a policy may know. Everything is borrowed until the call returns. */
struct hs_view {
  const struct hs_system *sys; /* cost estimates: model/cost.h, model/comm.h */
  const struct hs_graph *graph;
};

struct hs_policy {
  const char *name;
  const char *summary;          /* one line */
  const char *reference;        /* paper and section, or what framework does so */
  const char *needs;            /* processor it can't do without, or NULL */
  const char *default_runtime;
  enum hs_precision default_precision; /* of the model, where the user doesn't say */
  /* Fills pl, which has one zeroed entry per operator. HS_USAGE: this SoC or runtime can't; HS_INPUT: this network can't. */
  enum hs_status (*plan)(const struct hs_view *view, struct hs_placement *pl, struct hs_error *err);
};

extern const struct hs_policy *const hs_policies[];
extern const int hs_n_policies;

/* NULL if there is none of that name. */
const struct hs_policy *hs_policy_find(const char *name);

#endif
