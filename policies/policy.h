/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a policy is: plain functions that look at a view and return decisions as values. It never emits a transfer, a
 * sync or a time, and it never sees a true duration: only estimates.
 *
 * Order of calls: plan, once, before the first request. */
#ifndef HS_POLICY_H
#define HS_POLICY_H

#include "plan/placement.h"

enum { HS_PARAMS_MAX = 8 };

/* A parameter of a policy: one of `words`, or a number in [min, max] where words is NULL. */
struct hs_param {
  const char *name, *help;
  const char *fallback; /* the value where the user gives none */
  const char *const *words;
  double min, max;
};

/* What a policy may know. Everything is borrowed until the call returns. */
struct hs_view {
  const struct hs_system *sys; /* cost estimates: model/cost.h, model/comm.h */
  const struct hs_graph *graph;
  const char *const *values;   /* of the policy's parameters, in their order, checked */
};

struct hs_policy {
  const char *name;
  const char *summary;          /* one line */
  const char *reference;        /* paper and section, or what framework does so */
  const char *needs;            /* processor it can't do without, or NULL */
  const char *default_runtime;
  enum hs_precision default_precision; /* of the model, where the user doesn't say */
  const char *default_memory_type; /* of the GPU, where the user doesn't say; NULL: the SoC's preferred */
  const struct hs_param *params; /* [n_params] */
  int n_params;
  /* Fills pl, which has one zeroed entry per operator. HS_USAGE: this SoC or runtime can't; HS_INPUT: this network can't. */
  enum hs_status (*plan)(const struct hs_view *view, struct hs_placement *pl, struct hs_error *err);
};

extern const struct hs_policy *const hs_policies[];
extern const int hs_n_policies;

/* NULL if there is none of that name. */
const struct hs_policy *hs_policy_find(const char *name);

/* Checks `n` settings "name=value" against the policy's parameters and fills values[n_params], the defaults included.
 * The values borrow from `given` and from the policy. HS_USAGE names the parameter and the rule. */
enum hs_status hs_policy_values(const struct hs_policy *policy, const char *const *given, int n, const char **values,
                                struct hs_error *err);

#endif
