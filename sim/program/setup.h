/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From names on the command line to a system and a network, ready to run: what `run` and `show` share, and the tests
 * use to run what a user would run. */
#ifndef HS_SETUP_H
#define HS_SETUP_H

#include "input/catalog.h"
#include "model/system.h"
#include "plan/placement.h"
#include "plan/program.h"
#include "policies/policy.h"

/* Names and values as on the command line; NULL or 0 where not given. `policy` may be NULL when only a system is wanted. */
struct hs_request {
  const char *soc, *policy, *runtime, *memory_type, *precision, *frequency, *model;
  int threads;
  int n_params;
  const char *const *params; /* "name=value" of the policy */
};

/* Everything one run needs, in the order it comes to be. Zeroed before hs_setup_*; freed by hs_setup_free() in any state. */
struct hs_setup {
  struct hs_catalog catalog;
  struct hs_soc *soc;
  struct hs_profile *own, *estimate;
  struct hs_system sys;
  const struct hs_policy *policy;
  const char *values[HS_PARAMS_MAX]; /* of the policy's parameters */
  struct hs_graph *file_graph; /* as in the file */
  struct hs_graph *graph;      /* after the passes */
  struct hs_arena arena;
  struct hs_placement *placement;
  struct hs_program *program;
};

/* All three steps below. Where the request names no runtime, the policy's comes first, and if that can't run the network
 * (HS_INPUT) the others are tried; if none can, the error is the first one's. */
enum hs_status hs_setup_make(struct hs_setup *s, const struct hs_request *req, struct hs_error *err);

/* Opens the catalogue, reads the SoC and makes the system. */
enum hs_status hs_setup_system(struct hs_setup *s, const struct hs_request *req, struct hs_error *err);
/* Reads the network and runs the passes; after hs_setup_system(). */
enum hs_status hs_setup_network(struct hs_setup *s, const struct hs_request *req, struct hs_error *err);
/* Asks the policy, checks its placement and lowers it; after hs_setup_network(). */
enum hs_status hs_setup_program(struct hs_setup *s, struct hs_error *err);
void hs_setup_free(struct hs_setup *s);

#endif
