/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A chart of the figures of papers: groups along the x axis, a bar (or a point of a line) per series in each, and beside it what the
 * paper gives where it gives a number. */
#ifndef HS_CHART_GROUPS_H
#define HS_CHART_GROUPS_H

#include "base/text.h"

enum { HS_SERIES_MAX = 12 };

struct hs_chart_group {
  const char *name;
  double ours[HS_SERIES_MAX], paper[HS_SERIES_MAX]; /* NAN: there is none */
};

struct hs_chart {
  const char *title, *unit; /* "s", "J", …: shown with an SI prefix; "%" and "x" as they are */
  const char *what;         /* is drawn: "latency"; NULL: the title says it */
  bool lines;
  int n_series;
  const char *series[HS_SERIES_MAX];
  int n, cap;
  struct hs_chart_group *groups;  /* [n], left to right; owned */
};

/* Sets one value; a name that is new makes a new group or series. The names are borrowed. No more than HS_SERIES_MAX series. */
void hs_chart_groups_set(struct hs_chart *g, const char *group, const char *series, double ours, double paper);
void hs_chart_groups_svg(const struct hs_chart *g, struct hs_text *out);
void hs_chart_groups_free(struct hs_chart *g);

#endif
