/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "out/chart_groups.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "out/chart_text.h"

static const double TOP = 70, MARGIN = 16, PLOT = 300, WIDTH = 720, BAR = 9, WIDEST_BAR = 22, GAP = 14, POINT = 5;
static const char *const colours[HS_SERIES_MAX] = {"#3b6ea8", "#e0912f", "#5a9a56", "#b0474a", "#7d6aa8", "#8a6a4f",
                                                   "#d58fb5", "#777777", "#b3a63a", "#49a3a8", "#9fc0e0", "#f0c58a"};

static int index_of(const char *const *names, int n, const char *name)
{
  for (int i = 0; i < n; i++)
    if (strcmp(names[i], name) == 0) return i;
  return n;
}

static struct hs_chart_group *group_of(struct hs_chart *g, const char *name)
{
  for (int i = 0; i < g->n; i++)
    if (strcmp(g->groups[i].name, name) == 0) return &g->groups[i];
  HS_GROW(g->groups, g->n, g->cap);
  struct hs_chart_group *new = &g->groups[g->n++];
  new->name = name;
  for (int i = 0; i < HS_SERIES_MAX; i++) new->ours[i] = new->paper[i] = NAN;
  return new;
}

void hs_chart_groups_set(struct hs_chart *g, const char *group, const char *series, double ours, double paper)
{
  int s = index_of(g->series, g->n_series, series);
  assert(s < HS_SERIES_MAX);
  if (s == g->n_series) g->series[g->n_series++] = series;
  struct hs_chart_group *x = group_of(g, group);
  x->ours[s] = ours;
  x->paper[s] = paper;
}

void hs_chart_groups_free(struct hs_chart *g)
{
  free(g->groups);
  *g = (struct hs_chart){0};
}

/* --- drawing --- */

struct frame {
  bool with_paper;            /* some value of the paper's is there */
  double bar, left, bottom;   /* bar: the room of one */
  double step, spare;         /* from group to group of lines; what a group of bars is wider than its bars */
  double end, scale;          /* of the y axis; what its numbers are divided by */
  const char *prefix;
};

static double longest(const struct hs_chart *g, bool *with_paper)
{
  double end = 0;
  for (int i = 0; i < g->n; i++)
    for (int s = 0; s < g->n_series; s++) {
      end = fmax(end, fmax(g->groups[i].ours[s], g->groups[i].paper[s])); /* fmax passes over NAN */
      *with_paper = *with_paper || isfinite(g->groups[i].paper[s]);
    }
  return end;
}

/* A bar for what has a value, and no gap for what has none. */
static int bars_of(const struct hs_chart *g, int group)
{
  int n = 0;
  for (int s = 0; s < g->n_series; s++) n += isfinite(g->groups[group].paper[s]) + isfinite(g->groups[group].ours[s]);
  return n;
}

/* Few groups and bars are wider, so that the plot is filled. */
static void lay_out(const struct hs_chart *g, struct frame *f)
{
  int all = 0;
  for (int i = 0; i < g->n; i++) all += bars_of(g, i);
  f->bar = fmin(fmax((WIDTH - g->n * GAP) / fmax(all, 1), BAR), WIDEST_BAR);
  f->spare = fmax(GAP, (WIDTH - all * f->bar) / fmax(g->n, 1));
  f->step = g->n < 40 ? WIDTH / fmax(g->n, 1) : POINT;
}

/* Where a group begins on the x axis; where the axis ends, of the one behind the last. */
static double begin_of(const struct hs_chart *g, const struct frame *f, int group)
{
  double x = f->left;
  for (int i = 0; i < group; i++) x += g->lines ? f->step : bars_of(g, i) * f->bar + f->spare;
  return x;
}

static double middle_of(const struct hs_chart *g, const struct frame *f, int group) { return (begin_of(g, f, group) + begin_of(g, f, group + 1)) / 2; }

static struct frame frame_of(const struct hs_chart *g)
{
  static const struct {
    double scale;
    const char *prefix;
  } prefixes[] = {{1e9, "G"}, {1e6, "M"}, {1e3, "k"}, {1, ""}, {1e-3, "m"}, {1e-6, "µ"}};
  struct frame f = {.left = 64, .bottom = TOP + PLOT, .scale = 1, .prefix = ""};
  f.end = longest(g, &f.with_paper);
  lay_out(g, &f);
  bool plain = strcmp(g->unit, "%") == 0 || strcmp(g->unit, "x") == 0;
  for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes && !plain; i++)
    if (f.end >= prefixes[i].scale || i + 1 == sizeof prefixes / sizeof *prefixes) {
      f.scale = prefixes[i].scale;
      f.prefix = prefixes[i].prefix;
      break;
    }
  if (f.end <= 0) return f;
  double tick = f.scale * hs_chart_step(f.end / f.scale);
  f.end = tick * ceil(f.end / tick * (1 - 1e-9));
  return f;
}

static double y_of(const struct frame *f, double v) { return f->bottom - PLOT * v / f->end; }

static void axis(const struct hs_chart *g, const struct frame *f, double right, struct hs_text *t)
{
  double step = hs_chart_step(f->end / f->scale);
  for (int i = 0; i * step <= f->end / f->scale * (1 + 1e-9); i++) {
    double y = y_of(f, i * step * f->scale);
    hs_text_addf(t, "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"#ddd\"/>", f->left, y, right, y);
    hs_text_addf(t, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"end\" fill=\"#555\">%g</text>\n", f->left - 6, y + 4, i * step);
  }
  hs_text_addf(t, "<text x=\"%.1f\" y=\"%.1f\" fill=\"#555\">%s%s%s%s%s</text>\n", MARGIN, TOP - 14, g->what ? g->what : "", g->what ? " (" : "",
               f->prefix, g->unit, g->what ? ")" : "");
}

static void bar(const struct frame *f, double *x_px, double v, const char *colour, bool of_paper, struct hs_text *t)
{
  double x = *x_px;
  if (!isfinite(v)) return;
  *x_px += f->bar;
  const char *style = of_paper ? "fill=\"white\" stroke" : "fill";
  double height = fmax(f->bottom - y_of(f, v), 1); /* zero is a value, too */
  hs_text_addf(t, "<rect x=\"%.1f\" y=\"%.2f\" width=\"%.1f\" height=\"%.2f\" %s=\"%s\"/>", x + 1, f->bottom - height, f->bar - 2, height, style, colour);
}

static void bars(const struct hs_chart *g, const struct frame *f, struct hs_text *t)
{
  for (int i = 0; i < g->n; i++) {
    double x = middle_of(g, f, i) - bars_of(g, i) * f->bar / 2;
    for (int s = 0; s < g->n_series; s++) {
      bar(f, &x, g->groups[i].paper[s], colours[s], true, t);
      bar(f, &x, g->groups[i].ours[s], colours[s], false, t);
    }
    hs_text_add(t, "\n");
  }
}

static void lines(const struct hs_chart *g, const struct frame *f, struct hs_text *t)
{
  for (int s = 0; s < g->n_series; s++) {
    hs_text_addf(t, "<polyline fill=\"none\" stroke=\"%s\" stroke-width=\"2\" points=\"", colours[s]);
    for (int i = 0; i < g->n; i++)
      if (isfinite(g->groups[i].ours[s])) hs_text_addf(t, "%.1f,%.2f ", middle_of(g, f, i), y_of(f, g->groups[i].ours[s]));
    hs_text_add(t, "\"/>\n");
    for (int i = 0; i < g->n; i++)
      if (isfinite(g->groups[i].paper[s]))
        hs_text_addf(t, "<circle cx=\"%.1f\" cy=\"%.2f\" r=\"4\" fill=\"white\" stroke=\"%s\"/>\n", middle_of(g, f, i),
                     y_of(f, g->groups[i].paper[s]), colours[s]);
  }
}

/* Under the axis, slanted; where the groups are closer than a line is high only some are named. */
static double names(const struct hs_chart *g, const struct frame *f, struct hs_text *t)
{
  int every = g->lines ? (int)ceil(20 / f->step) : 1; /* slanted by 45 degrees, 20 px apart are 14 from line to line */
  double widest = 0;
  for (int i = 0; i < g->n; i += every) {
    double x = middle_of(g, f, i), y = f->bottom + 12;
    hs_text_addf(t, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"end\" transform=\"rotate(-45 %.1f %.1f)\">", x, y, x, y);
    hs_text_xml(t, g->groups[i].name);
    hs_text_add(t, "</text>\n");
    widest = fmax(widest, hs_chart_text_px(g->groups[i].name));
  }
  return f->bottom + 24 + 0.71 * widest;
}

/* Returns the height of what it takes: a row of the series, wrapped at the right edge. */
static double legend(const struct hs_chart *g, const struct frame *f, double y, double right, struct hs_text *t)
{
  double x = f->left;
  for (int s = 0; s < g->n_series + f->with_paper; s++) {
    const char *name = s < g->n_series ? g->series[s] : "outlined: the paper";
    if (x > f->left && x + 30 + hs_chart_text_px(name) > right) {
      x = f->left;
      y += 18;
    }
    hs_text_addf(t, "<rect x=\"%.1f\" y=\"%.1f\" width=\"12\" height=\"12\" %s=\"%s\"/>", x, y, s < g->n_series ? "fill" : "fill=\"white\" stroke",
                 s < g->n_series ? colours[s] : "#555");
    hs_text_addf(t, "<text x=\"%.1f\" y=\"%.1f\">", x + 17, y + 10);
    hs_text_xml(t, name);
    hs_text_add(t, "</text>\n");
    x += 17 + hs_chart_text_px(name) + 14;
  }
  return y + 28;
}

void hs_chart_groups_svg(const struct hs_chart *g, struct hs_text *t)
{
  struct frame f = frame_of(g);
  struct hs_text body = {0};
  double right = begin_of(g, &f, g->n);
  if (f.end > 0) {
    axis(g, &f, right, &body);
    (g->lines ? lines : bars)(g, &f, &body);
  }
  double height = legend(g, &f, names(g, &f, &body), right, &body), width = fmax(right, MARGIN + hs_chart_text_px(g->title) * 14 / 12) + MARGIN;
  hs_chart_open(t, width, height, 12);
  hs_text_addf(t, "<text x=\"%.0f\" y=\"22\" font-size=\"14\">", MARGIN);
  hs_text_xml(t, g->title);
  hs_text_addf(t, "</text>\n%s</svg>\n", body.s);
  hs_text_free(&body);
}
