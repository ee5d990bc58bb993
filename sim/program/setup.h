/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From names on the command line to a system and networks, ready to run: what the commands share, and the tests use to run what
 * a user would run. */
#ifndef HS_SETUP_H
#define HS_SETUP_H

#include "input/catalog.h"
#include "model/system.h"
#include "plan/optimise.h"
#include "plan/placement.h"
#include "plan/program.h"
#include "device/scenario.h"
#include "policies/policy.h"
#include "serve/living.h"
#include "serve/serve.h"

enum { HS_SEED = 1 };

/* Names and values as on the command line; NULL or 0 where not given. `policy` may be NULL when only a system is wanted. */
struct hs_run_options {
  const char *soc, *policy, *runtime, *memory_type, *precision, *frequency;
  const char *opt;           /* passes between commas (plan/optimise.h) */
  struct hs_scenario_options scenario; /* what else happens on the phone; file: or the name of one */
  const char *profiler;      /* offline: policies see the idle device; runtime: held temperatures and the cache as they are, and in the
                                estimate what falls back */
  const char *model;         /* a word of program/model_word.h */
  int n_more;
  const char *const *more;   /* networks that run at the same time, written alike */
  int threads;
  const char *cores;         /* of one CPU: both of struct hs_settings */
  double gpu_kernel_s;       /* of struct hs_settings */
  int gpu_window;
  uint64_t seed;             /* of all random streams; HS_SEED where nobody says otherwise */
  int n_params;
  const char *const *params; /* "name=value" of the policy */
};

/* Everything one run needs, in the order it comes to be. Zeroed before hs_setup_*; freed by hs_setup_free() in any state. */
struct hs_setup {
  struct hs_catalog catalog;
  struct hs_soc *soc;
  struct {
    struct hs_profile *own, *estimate; /* NULL: not read, or, own, there is none */
  } profiles[HS_RUNTIMES_MAX];  /* of hs_runtimes[] */
  struct hs_settings settings; /* as asked for; a network's policy says what they leave open, the runtime too */
  struct hs_system sys;        /* as the first network's policy wants it: that of the engine, to which it is the SoC and how it runs */
  struct hs_scenario scenario;
  bool several;                /* networks */
  bool live;                   /* a runtime profiler shows policies the device as it is */
  uint64_t seed;               /* of what is drawn */
  const struct hs_policy *policy; /* of networks that name none */
  const char *values[HS_PARAMS_MAX]; /* of its parameters */
  struct hs_optimisations opt;
  struct hs_memplan memory;  /* see hs_setup_memory() */
  struct hs_arena arena;
  int n_networks;
  struct hs_network networks[HS_NETWORKS_MAX];
  /* Of the first network: the graph as it runs, what its policy planned for a device where nothing else runs, and that
   * lowered. NULL until then. */
  const struct hs_graph *graph;
  const struct hs_placement *placement;
  const struct hs_program *program; /* NULL too where the policy starts pieces only */
};

/* All three steps below. */
enum hs_status hs_setup_make(struct hs_setup *s, const struct hs_run_options *options, struct hs_error *err);

/* What else happens on the phone; options->file may be the name of a scenario. hs_scenario_free(s) in any case, zeroed before. */
enum hs_status hs_setup_scenario(struct hs_catalog *catalog, const struct hs_scenario_options *options, const struct hs_soc *soc, struct hs_scenario *s,
                                 struct hs_error *err);

/* Opens the catalogue, reads the SoC and makes the system. */
enum hs_status hs_setup_system(struct hs_setup *s, const struct hs_run_options *options, struct hs_error *err);
/* Reads the networks and runs the passes, the request's and the runtime's; after hs_setup_system(). */
enum hs_status hs_setup_networks(struct hs_setup *s, const struct hs_run_options *options, struct hs_error *err);
/* Asks the policies, checks their plans and lowers the first; after hs_setup_networks(). Where the request names no runtime and a policy's own can't
 * run its network (HS_INPUT, HS_USAGE), that network gets the first one that can; if none can, the error is the first one's. */
enum hs_status hs_setup_plan(struct hs_setup *s, struct hs_error *err);
/* Plans s->memory where the passes say memplan: for s->program at the end of hs_setup_plan(), and for what the first request ran once that
 * is known. HS_USAGE where `program` is NULL, because it ran in pieces. */
enum hs_status hs_setup_memory(struct hs_setup *s, const struct hs_program *program, struct hs_error *err);
/* HS_INPUT where it is known before the run that it fails in duration_s, after some hours of simulated time maybe: a temperature trace ends. */
enum hs_status hs_setup_lasts(const struct hs_setup *s, double duration_s, struct hs_error *err);
/* The device that lives (serve/living.h), NULL where nothing else happens; after hs_setup_system(). */
struct hs_living *hs_setup_living(const struct hs_setup *s);
void hs_setup_free(struct hs_setup *s);

#endif
