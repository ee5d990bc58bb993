/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How much others compete for each processor, as a runtime can know it: measured while requests of a network run, the
 * past counting half after 32 ms (as the load that Linux tracks per entity does), from a guess by what is in flight, which fades like
 * the rest. What is said of a network is for policies that run one request of it at a time: where several are in flight, it is from the
 * newest one's beginning to the first end. */
#ifndef HS_SERVE_LOAD_H
#define HS_SERVE_LOAD_H

#include "serve/serve.h"

/* Sums over the tasks of one network on one processor. */
struct hs_load_sums {
  double present_s; /* waiting or running, of a CPU on the core that has most of them, up to since_s */
  double outside_s; /* of that what is no network's, where several are added up */
  double cores_s;   /* of a CPU: the same, counted on each core */
  double since_s;
  int present, on_cores; /* now: of these present_s and cores_s are the integrals */
  double run_s, n;  /* of those that ended: invocations of a DSP or NPU, else tasks */
  int request;      /* the newest task that ended: of which request, and when */
  double ended_s;
  double ready_s;   /* what is present: since when */
  double began_s;   /* an invocation of a DSP or NPU of which a task has ended: when it began; INFINITY: what is present is none */
  double newest_s;  /* of an invocation of which a task has ended, so far; 0 when it is among those that ended */
};

/* Behind the networks: everything else that runs. */
enum { HS_LOAD_OF_OTHERS = HS_NETWORKS_MAX, HS_LOADS_MAX };

struct hs_load_meter {
  const struct hs_system *sys;
  struct hs_load_sums sums[HS_LOADS_MAX][HS_PROCESSORS_MAX];
  int on_core[HS_LOADS_MAX][HS_PROCESSORS_MAX][HS_CORES_MAX];       /* present there, of a CPU; domain by domain */
  struct hs_load_sums at_start[HS_NETWORKS_MAX][HS_PROCESSORS_MAX]; /* of all others, when its request began */
  struct hs_load_sums faded[HS_NETWORKS_MAX][HS_PROCESSORS_MAX];    /* of all others, while requests ran */
  double start_s[HS_NETWORKS_MAX], faded_s[HS_NETWORKS_MAX];        /* how long that was */
  bool measured[HS_NETWORKS_MAX];
  const struct hs_program *in_flight[HS_NETWORKS_MAX]; /* newest, until any has ended */
  struct hs_competition load[HS_NETWORKS_MAX][HS_PROCESSORS_MAX];
};

/* Nothing runs. It owns nothing; the system is borrowed. */
void hs_load_open(struct hs_load_meter *m, const struct hs_system *sys);

/* A request of the network starts, and has ended. */
void hs_load_begin(struct hs_load_meter *m, int network, double now_s);
void hs_load_end(struct hs_load_meter *m, int network, double now_s);

/* What the network has in flight, or is expected to: others guess by it. The newest one counts; it is borrowed until it is removed. */
void hs_load_add(struct hs_load_meter *m, int network, const struct hs_program *prog);
void hs_load_remove(struct hs_load_meter *m, int network);

/* A task became ready, and has ended; a network's, or HS_LOAD_OF_OTHERS. */
void hs_load_ready(struct hs_load_meter *m, int network, const struct hs_task *t, double now_s);
void hs_load_task(struct hs_load_meter *m, int network, const struct hs_event *e);

/* [processor], valid until the next call of anything here. */
const struct hs_competition *hs_load_of(struct hs_load_meter *m, int network, double now_s);

#endif
