/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What MOSAIC and its baselines decide about: layers (the blocks of a workload) and devices (a processor at an OPP), with
 * prefix sums, so that the cost of a slice of consecutive layers on a device is O(1).
 *
 * Source: MOSAIC (PACT 2019), Sec. IV: communication by linear regression (Eq. 1–2), execution over frequency t = γ/f + ε
 * from the two extreme OPPs (Eq. 3), power P_dyn,max · V²f/(V²f)_max + P_static (Eq. 4–5), slice cost (Eq. 8). */
#ifndef HS_LAYERS_H
#define HS_LAYERS_H

#include "policies/policy.h"

/* Cost of something as MOSAIC estimates it. */
struct hs_layer_cost {
  double seconds, joules;
};

struct hs_device {
  int processor;
  int opp;   /* level, or -1: as the system is set */
  /* all arrays have n_layers + 1 entries, prefix sums from layer 0; those of one processor are shared but for exec */
  struct hs_layer_cost *exec;
  struct hs_layer_cost start; /* what an invocation costs however much it computes: each slice pays it; in a program a CPU and a GPU pay it once. 0 without
                               * communication */
  double *bytes;     /* memory of the layers, */
  double limit_bytes; /* for that of a slice, or INFINITY */
  int *unsupported;  /* how many layers it can't execute */
  struct hs_layer_cost *in, *out; /* [layer]: moving the inputs of a slice that starts there, the outputs of one that ends there */
};

struct hs_layers {
  int n;
  int *first;        /* [n + 1]: first operator of each layer; first[n] is the number of operators */
  int n_devices;
  struct hs_device *devices; /* in the order of the SoC's processors, OPPs ascending */
};

enum hs_layer_devices {
  HS_DEVICES_AS_SET,  /* each processor once, at the system's OPP */
  HS_DEVICES_EVERY_OPP
};

/* Values of the parameter "objective" of the policies that have one: latency, energy, edp (their product). */
extern const char *const hs_objectives[];

/* The devices to choose from, MOSAIC Eq. 6–7: for latency each processor as it is set, else every OPP. */
enum hs_layer_devices hs_layers_devices_for(const char *objective);

/* Everything lives in `a`. Processors the runtime has no code for are no devices. */
struct hs_layers *hs_layers_make(const struct hs_view *v, enum hs_layer_devices which, bool with_communication, struct hs_arena *a);

/* Here, as searches ask for every slice: has device d code for all operators of layers [from, to)? */
static inline bool hs_layers_takes(const struct hs_layers *l, int d, int from, int to)
{
  return l->devices[d].unsupported[to] == l->devices[d].unsupported[from];
}

/* And are they within its memory limit, as one slice? */
static inline bool hs_layers_fits(const struct hs_layers *l, int d, int from, int to)
{
  const struct hs_device *dev = &l->devices[d];
  return hs_layers_takes(l, d, from, to) && dev->bytes[to] - dev->bytes[from] <= dev->limit_bytes;
}

/* Execution alone, of layers that it takes. */
static inline struct hs_layer_cost hs_layers_exec_cost(const struct hs_layers *l, int d, int from, int to)
{
  const struct hs_layer_cost *e = l->devices[d].exec;
  return (struct hs_layer_cost){e[to].seconds - e[from].seconds, e[to].joules - e[from].joules};
}

/* Eq. 8; the slice must fit. */
static inline struct hs_layer_cost hs_layers_slice_cost(const struct hs_layers *l, int d, int from, int to)
{
  const struct hs_device *dev = &l->devices[d];
  const struct hs_layer_cost exec = hs_layers_exec_cost(l, d, from, to), in = dev->in[from], out = dev->out[to - 1];
  return (struct hs_layer_cost){exec.seconds + in.seconds + out.seconds + dev->start.seconds, exec.joules + in.joules + out.joules + dev->start.joules};
}

/* HS_INPUT: no device can execute layer k, as no processor runs an operator of it, and why, or as none runs all of them. */
enum hs_status hs_layers_stranded(const struct hs_view *v, const struct hs_layers *l, int k, struct hs_error *err);

/* HS_INPUT, of the first layer that no device can execute: there is no plan. Else there is one, each layer being a slice. */
enum hs_status hs_layers_check(const struct hs_view *v, const struct hs_layers *l, struct hs_error *err);

/* Places layers [from, to) on device d as slice number `slice`; results that leave the slice go to the host's memory. */
void hs_layers_place(const struct hs_view *v, const struct hs_layers *l, int d, int from, int to, int slice, struct hs_placement *pl);

#endif
