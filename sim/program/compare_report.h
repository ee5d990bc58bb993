/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What `hetsim compare` found, as text, JSON and a bar chart. */
#ifndef HS_COMPARE_REPORT_H
#define HS_COMPARE_REPORT_H

#include "out/metrics.h"
#include "program/cli.h"

/* What a policy came to: filled in a child, so without pointers. */
struct hs_compared {
  enum hs_status status;         /* HS_UNMET: the run was broken off; other errors: it couldn't run */
  char reason[600];              /* of either */
  bool ran;                      /* a request was answered or dropped, maybe before the run was broken off; else there is no rest */
  bool alive, begins_slow, rivals; /* on a living phone; by a governor that has seen no load yet; beside processes on cores */
  char runtime[20];
  struct hs_summary summary;     /* where all were dropped, of processors as of a run */
  int n_requests, n_late, n_dropped, unfinished;
  double deadline_s, run_s;
  double used_frac[HS_PROCESSORS_MAX];    /* of the run */
  double kernel_s, communication_alone_s; /* as in struct hs_trial */
  int precision[HS_PROCESSORS_MAX];       /* enum hs_precision of its kernels; -1: it ran none */
  enum hs_basis basis[HS_PROCESSORS_MAX]; /* of these */
  char no_effect[4000];          /* lines of hs_report_no_effect(), whole: names of processors are short */
  double arena_bytes;                     /* 0: not planned */
  struct hs_frames frames;                /* of the display */
  double hottest_c[HS_PROCESSORS_MAX], end_c[HS_PROCESSORS_MAX]; /* NaN where heat isn't simulated */
  char plan[20000];              /* of the first inference; what is longer (pieces that change from operator to operator) ends in …; empty: none ran */
};

enum { HS_COMPARED_MAX = 64 };

struct hs_comparison {
  const struct hs_cli *cli;
  const struct hs_soc *soc;
  const struct hs_graph *graph;
  int n;
  struct hs_compared_row {
    const struct hs_policy *policy;
    const char *label;                 /* as the user names it: "codl", "codl:chain=none" */
    const char *values[HS_PARAMS_MAX]; /* of all its parameters */
    struct hs_compared o;
  } rows[HS_COMPARED_MAX];
};

void hs_compare_text(const struct hs_comparison *c, struct hs_text *t);
void hs_compare_json(const struct hs_comparison *c, struct hs_text *t);
void hs_compare_svg(const struct hs_comparison *c, struct hs_text *t);

#endif
