/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Optimisations of a network before it runs, as on the command line: a list of passes between commas, each at most once.
 *
 *  prune=RATIO, lowrank=RATIO  rewrite the network, in the order in which they are given (frontend)
 *  quantize=int8|fp16          the precision of the model
 *  fuse                        fuses operators by rules, after the runtime's converter (backend)
 *  memplan                     plans an arena for the activations of the program (backend)
 *  reuse=RATIO                 a frame of a video that shares rows with the one before (frontend, after the others)
 *  reuse=1|2                   what published reuse between frames of a video saves; see struct hs_reuse
 *
 * None of them knows what accuracy is left. */
#ifndef HS_OPTIMISE_H
#define HS_OPTIMISE_H

#include "plan/memplan.h"
#include "plan/pass.h"

enum hs_opt { HS_OPT_PRUNE, HS_OPT_LOWRANK, HS_OPT_QUANTIZE, HS_OPT_FUSE, HS_OPT_MEMPLAN, HS_OPT_REUSE, HS_OPT_N };

/* A row of a table of measurements of somebody else. It names neither the network nor what part of frames and layers is reused,
 * and raises frame-level and layer-level reuse together. So the latency is scaled as theirs was, and nothing is simulated. */
struct hs_reuse {
  const char *name;              /* "1": the setup's number, for both levels */
  double latency_s, latency_without_s; /* per frame */
  double vmaf, vmaf_without;     /* visual quality */
  const char *source;
};

struct hs_optimisations {
  int n;
  enum hs_opt order[HS_OPT_N];   /* as given */
  char text[HS_OPT_N][32];       /* as given: "prune=0.3" */
  bool on[HS_OPT_N];
  double ratio[HS_OPT_N];        /* of prune, lowrank and reuse; 0 of the others and of a published reuse */
  const char *precision;         /* NULL where it isn't set */
  const struct hs_reuse *reuse;  /* likewise */
};

/* NULL is no pass at all. HS_USAGE for a pass that doesn't exist or is named twice, and for a value that it doesn't take. */
enum hs_status hs_optimisations_parse(const char *list, struct hs_optimisations *o, struct hs_error *err);

/* The network after the frontend's passes, owned by the caller: a copy where there are none. HS_INPUT for a pass that the network doesn't allow,
 * or that changes nothing. */
enum hs_status hs_optimise_frontend(const struct hs_optimisations *o, const struct hs_graph *g, struct hs_graph **out, struct hs_error *err);

/* The same after the runtime's converter, of its result, which *g owns before and after, for what `sys` can run. */
enum hs_status hs_optimise_backend(const struct hs_optimisations *o, const struct hs_system *sys, struct hs_graph **g, struct hs_error *err);

/* Memory of a program. HS_INPUT where nothing can be shared. */
enum hs_status hs_optimise_memory(const struct hs_program *program, struct hs_memplan *plan, struct hs_error *err);

#endif
