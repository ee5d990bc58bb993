/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Why each operator runs where it does: what the cost model, the plan and one inference on the idle device say of it, and a
 * sentence made of these numbers. It knows no policy: it says what a decision is good or bad for, not what the policy thought.
 *
 * "Would be faster there" is found by trying: the same plan with this one operator moved, lowered and estimated again. */
#ifndef HS_EXPLAIN_H
#define HS_EXPLAIN_H

#include "out/ran.h"

struct hs_op_facts {
  const struct hs_ran_piece *piece;       /* in which it ran */
  const struct hs_op_placement *placed;
  double alone_s[HS_PROCESSORS_MAX];      /* the whole operator there, all others where they ran, as the system is set; INFINITY: can't */
  double dram_bytes[HS_PROCESSORS_MAX];   /* then, */
  double memory_s[HS_PROCESSORS_MAX];     /* and how long these take: all of alone_s where memory decides */
  const char *why_not[HS_PROCESSORS_MAX]; /* NULL where it can */
  double ran_s[HS_PROCESSORS_MAX];        /* its kernels as they ran: with what a chain recomputes, sharing the memory */
  double communication_s;                 /* of the tasks that serve it */
  double start_s;                         /* in ran_s: of the invocations that it begins */
  const char *why;
};

struct hs_explained {
  const struct hs_system *sys;
  const struct hs_network *network;
  const struct hs_graph *graph;  /* as it ran */
  struct hs_op_facts *ops;       /* [graph->n_ops] */
  struct hs_arena arena;         /* owns ops and their texts */
};

/* `pieces` are those of the request in the timeline, and borrowed like the rest. */
void hs_explain(struct hs_explained *x, const struct hs_system *sys, const struct hs_network *network, const struct hs_timeline *timeline,
                const struct hs_ran_piece *pieces, int n_pieces);
/* What this plan's processors could reach at best: the operators one after another, each spread over all of them in proportion to their
 * speed, at no cost. No bound where branches run at the same time. */
double hs_explain_ideal_s(const struct hs_explained *x);

/* Of the kernels' time: those of operators of which the bandwidth decides how long they take, not what is computed. */
double hs_explain_memory_frac(const struct hs_explained *x);

/* Does any operator run on p, whole or in part? */
bool hs_explain_uses(const struct hs_explained *x, int p);

void hs_explain_free(struct hs_explained *x);

/* Frequency of the fastest domain at a part's OPP, or 0 where that is what the system is set to. */
double hs_explain_opp_hz(const struct hs_system *sys, const struct hs_part *part);

#endif
