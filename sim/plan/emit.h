/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The tasks that lowering emits for one operator's kernel, or for one crossing between the host's memory and an accelerator's: the steps
 * that plan/lower.h lists, LAUNCHes, windows and limits of kernels included. Knows what each accelerator's queue has been told and what the
 * host knows of it, not which ranges lie where. */
#ifndef HS_EMIT_H
#define HS_EMIT_H

#include "plan/copies.h"
#include "plan/placement.h"
#include "plan/program.h"

/* A tensor's range on its way from one place to another. */
struct hs_move {
  int tensor;
  struct hs_range range;
  double elements;
  struct hs_deps ready; /* when it is where it comes from; after hs_emit_crossing(), where it goes to */
  bool early;           /* `ready` is what hs_emit_early() returned */
};

struct hs_emitter {
  const struct hs_system *sys;
  const struct hs_graph *graph;
  struct hs_program *program;
  int op;                   /* being lowered */
  struct {
    bool started;           /* it has work: on a CPU or GPU what an invocation costs is in there, */
    bool open;              /* on a DSP or NPU while a slice is running: further kernels need no RPC and no start */
    int chain, first, last; /* of the latest slice: its chain, its first and its newest kernel */
    double given_bytes;     /* what the host has mapped for its next invocation, */
    struct hs_deps given;   /* and when all of that is there */
    int covered;            /* GPU tasks up to this one are known to be done by the host */
    int covered_by;         /* the SYNC that says so */
    int enqueued;           /* kernels since the host last waited because of the window, */
    struct hs_deps waited;  /* and what the next one waits for because of it */
  } slices[HS_PROCESSORS_MAX];
};

/* Everything is borrowed; tasks are added to `program`. */
void hs_emitter_open(struct hs_emitter *e, const struct hs_system *sys, const struct hs_graph *g, struct hs_program *program);

/* `range` of op's result, computed on the processor of `part` after `wait`; returns when it is there. chain: the first operator of op's chain, or -1: of none. */
struct hs_deps hs_emit_exec(struct hs_emitter *e, const struct hs_operator *op, const struct hs_part *part, int chain, struct hs_range range,
                            struct hs_border border, enum hs_kernel_of of, struct hs_deps wait);

/* Counts the work of all kernels anew, by those that `sys` has now: each gets all of its operator's. So of a program in which every operator is whole and every
 * kernel one launch, as without gpu_kernel_s. */
void hs_emit_recount(const struct hs_system *sys, struct hs_program *program);

/* Moves what is listed together, n > 0; exactly one of the two places is the host's. */
void hs_emit_crossing(struct hs_emitter *e, int from, int to, struct hs_move *moves, int n);

/* What converts a GPU's result for the host, enqueued ahead of the crossing; returns when that is done. The crossing's SYNC counts from there. */
struct hs_deps hs_emit_early(struct hs_emitter *e, int from, const struct hs_move *m);

#endif
