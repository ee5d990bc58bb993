/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tables and figures of the papers, run again: what an item is made of (runs, and findings: what the paper says beside what came out).
 * The items themselves are in reproduce_mosaic.c, reproduce_nn_stretch.c, reproduce_nn_stretch_phones.c and reproduce_study.c, the list of them in papers.c,
 * printing is in cmd_reproduce.c. Nothing here is fitted but the study's Table 3: where ours is off, the finding says by how much. */
#ifndef HS_REPRODUCE_H
#define HS_REPRODUCE_H

#include "out/chart_groups.h"
#include "out/metrics.h"
#include "program/claims.h"
#include "program/setup.h"

enum { HS_CELL_INFERENCES_MAX = 256, HS_CELL_LIST_MAX = 4 };

/* One simulation. NULL where it is left to the policy. */
struct hs_cell {
  const char *soc, *policy, *model, *runtime, *precision, *memory_type, *frequency;
  const char *params[HS_CELL_LIST_MAX]; /* "name=value", NULL after the last */
  const char *rivals[HS_CELL_LIST_MAX]; /* networks that run at the same time, MODEL:POLICY, NULL after the last */
  struct hs_scenario_options scenario; /* what else happens on the phone */
  const char *profiler;
  const char *opt;        /* passes between commas */
  int inferences;         /* at most HS_CELL_INFERENCES_MAX; 0: 1 */
};

/* What came out of it, of the cell's own network. */
struct hs_cell_result {
  enum hs_status status;     /* HS_OK, or why it can't run: then numbers are NAN, and `frames` none */
  char reason[600];
  struct hs_summary summary;
  double planning_s;         /* wall clock */
  double estimate_s;         /* what its policy's profiler expected */
  struct hs_frames frames;   /* of the display */
  int n;                     /* inferences that ended; the arrays hold as many */
  double latencies_s[HS_CELL_INFERENCES_MAX];
  char alternatives[HS_CELL_INFERENCES_MAX][24]; /* of the plan, that each ran under */
};

/* The smaller and the larger of two, and which of n is the smallest: NAN and -1 if any is NAN, as nothing is known of what can't run. */
double hs_lesser(double a, double b);
double hs_greater(double a, double b);
int hs_least_of(const double *values, int n);

enum hs_finding_kind {
  HS_FINDING_VALUE,     /* a number of the paper's beside ours */
  HS_FINDING_STATEMENT, /* what the paper says in words, a range or a plan: holds or not */
  HS_FINDING_OPEN,      /* can't be asked yet */
  HS_FINDING_N
};

struct hs_finding {
  enum hs_finding_kind kind;
  const char *where; /* in the paper */
  const char *what;
  const char *unit;  /* of a value: "s", "J", "W", "B", "MAC" (SI), "%", "x" (ratio), "" (count) */
  double paper, ours; /* ours: NAN where it can't run */
  bool holds;
  const char *seen;  /* of a statement: the numbers; of an open one: what it needs */
};

struct hs_reproduction;

struct hs_item {
  const char *name, *title; /* "table-1" */
  enum hs_status (*run)(struct hs_reproduction *r, struct hs_error *err);
  bool draws;               /* it fills the chart */
};

struct hs_paper {
  const char *name, *title;
  const struct hs_item *items; /* in the order of the paper */
  int n;
};

extern const struct hs_paper hs_paper_mosaic, hs_paper_nn_stretch, hs_paper_study;
enum { HS_PAPERS = 3 };
extern const struct hs_paper *const hs_papers[HS_PAPERS];
/* Adds their names. */
void hs_papers_words(const char *between, struct hs_text *out);
/* Calls `each` with every item: "mosaic table-1", and its title. */
void hs_papers_each(void (*each)(void *state, const char *name, const char *title), void *state);

/* One item while it runs, and its result. Zeroed before; hs_reproduction_free(). */
struct hs_reproduction {
  const struct hs_item *item;
  struct hs_arena arena;
  int n_findings, cap_findings, n_notes, cap_notes;
  struct hs_finding *findings;
  const char **notes;
  struct hs_chart chart;
  struct hs_claims published; /* what hs_published() finds */
  bool wall_clock; /* some values are measured on this machine and differ from run to run */
};
void hs_reproduction_free(struct hs_reproduction *r);

/* Simulates the cell in a child process. What can't run is HS_OK with NAN in `out`, and a note says why. */
enum hs_status hs_cell_run(struct hs_reproduction *r, const struct hs_cell *cell, struct hs_cell_result *out, struct hs_error *err);
/* Plans it only, in this process: for what needs no engine. false: a note says why. hs_setup_free(s) in either case. */
bool hs_cell_plan(struct hs_reproduction *r, const struct hs_cell *cell, struct hs_setup *s);

void hs_finding_value(struct hs_reproduction *r, const char *where, const char *unit, double paper, double ours, const char *what, ...) HS_PRINTF(6, 7);
/* Ours must lie in [low, high]. */
void hs_finding_range(struct hs_reproduction *r, const char *where, const char *unit, double low, double high, double ours, const char *what, ...)
  HS_PRINTF(7, 8);
/* `holds` is made by a comparison that is false for NAN. `seen` is copied. */
void hs_finding_statement(struct hs_reproduction *r, const char *where, bool holds, const char *seen, const char *what, ...) HS_PRINTF(5, 6);
void hs_finding_open(struct hs_reproduction *r, const char *where, const char *needs, const char *what, ...) HS_PRINTF(4, 5);
void hs_note(struct hs_reproduction *r, const char *format, ...) HS_PRINTF(2, 3);

/* The paper's numbers that validation/claims.csv has already, by the row's id; NAN where it has none. */
enum hs_status hs_published_read(struct hs_reproduction *r, struct hs_error *err);
double hs_published(const struct hs_reproduction *r, const char *id, ...) HS_PRINTF(2, 3);

/* A bar or a point of the figure. Names are copied. */
void hs_chart_set(struct hs_reproduction *r, const char *group, const char *series, double ours);
void hs_chart_set_both(struct hs_reproduction *r, const char *group, const char *series, double ours, double paper);

/* "12.3 ms", "39.1 %", "1.48 x", "20"; "-" for NAN. Returns buf. */
const char *hs_finding_number(double v, const char *unit, char *buf, size_t size);

#endif
