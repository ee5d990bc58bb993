/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Serving: requests for one or several networks arrive, their policies say what runs where, the engine runs it. Between
 * arrival and end a request is one job (policies without `schedule`) or a row of pieces, one after the other. */
#ifndef HS_SERVE_H
#define HS_SERVE_H

#include "engine/engine.h"
#include "policies/policy.h"
#include "serve/living.h"
#include "serve/arrivals.h"
#include "serve/patience.h"

enum { HS_NETWORKS_MAX = 16 };

struct hs_pieces;
struct hs_noise;

/* One network of the run and what its policy made of it. */
struct hs_network {
  const char *label;            /* as the user wrote it */
  const struct hs_policy *policy;
  const char *values[HS_PARAMS_MAX]; /* of the policy's parameters */
  struct hs_system sys;         /* in the runtime, precision and GPU memory that the policy wants where the user doesn't say, */
  struct hs_system profiled;    /* and as the policy sees it */
  const struct hs_profile *own, *estimate; /* whose kernels those are; borrowed, and own may be NULL */
  struct hs_graph *file_graph;  /* as in the file; owned */
  struct hs_graph *graph;       /* after the passes; owned */
  struct hs_plan plan;
  struct hs_pieces *pieces;     /* its programs (serve/pieces.h); owned, and alive as long as events are looked at */
  double planning_s;            /* wall clock time that the policy took */
  double estimate_s;            /* duration of alternative 0 as the policy's profiler had it; 0 where it is partial */
  struct hs_pattern pattern;    /* when requests come */
  uint64_t seed;                /* of the random numbers of that, */
  const char *stream;           /* and the name of their stream (base/random.h); NULL where there are none */
  double deadline_s;            /* after arrival; INFINITY: none */
  int priority;                 /* higher goes first */
};

/* The version of the graph that alternative i is of. */
const struct hs_graph *hs_network_graph(const struct hs_network *n, int alternative);

/* What became of a request. */
struct hs_outcome {
  int request, network;
  double arrival_s, end_s;
  bool dropped; /* given up by the scheduler, at end_s */
  bool late;    /* ended after its deadline, or was dropped */
};

struct hs_serve_calls {
  void *state;
  void (*task)(void *state, const struct hs_event *e, int network); /* may be NULL */
  void (*ended)(void *state, const struct hs_outcome *o);     /* may be NULL */
  const volatile sig_atomic_t *stop;                          /* may be NULL */
  struct hs_living *living;                                   /* what else happens on the phone; may be NULL */
  struct hs_noise *noise;                                     /* durations scatter (serve/noise.h); NULL: they are exact */
  void (*over)(void *state, double now_s);                    /* when the run was over, broken off or not; may be NULL */
};

/* Alternative 0 of a network under a policy without `schedule` must have been lowered before (hs_pieces_get).
 * Every network gets requests until duration_s of simulated time have passed, however many have ended then, or where that is 0
 * until each has had `requests` > 0 of them ended; meanwhile none pauses, so that the competition stays what it is. Requests are
 * numbered over all networks in order of arrival (ties: by network). unfinished[n], if not NULL, is how many of each network were
 * in flight when the run was over.
 * HS_UNMET: a scheduler lets a network starve that has not had its requests, so that the run would not end by itself, or drops
 * all of a network that runs back to back, so that time stands still; or as serve/living.h says. HS_POLICY: a policy broke its contract
 * (policies/policy.h). HS_ENGINE: as the engine says. */
enum hs_status hs_serve(const struct hs_system *sys, const struct hs_network *networks, int n, int requests, double duration_s,
                        const struct hs_serve_calls *calls, int *unfinished, struct hs_error *err);

#endif
