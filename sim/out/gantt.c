/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Gantt charts of the first request: one row per processor that did something. */
#include <math.h>
#include <string.h>

#include "out/chart_text.h"
#include "out/report.h"

enum { COLUMNS = 72 };

static const struct {
  char letter;
  const char *name, *colour;
} kinds[HS_TASK_KIND_N] = {
  [HS_TASK_EXEC] = {'#', "kernel", "#3b6ea8"},   [HS_TASK_TRANSFORM] = {'t', "transform", "#e0912f"}, [HS_TASK_MAP] = {'m', "map", "#d9b84a"},
  [HS_TASK_SYNC] = {'s', "sync", "#b0474a"},     [HS_TASK_LAUNCH] = {'l', "launch", "#8a8a8a"},       [HS_TASK_RPC] = {'r', "RPC", "#7d5ba6"},
};

struct span {
  double from, seconds;
};

/* Of the request that is drawn: from when it could start to the end of its last task. */
static struct span span_of_first(const struct hs_report *r)
{
  double from = INFINITY, to = 0;
  for (int i = 0; i < r->timeline->n; i++)
    if (r->timeline->events[i].request == r->first) {
      from = fmin(from, r->timeline->events[i].ready_s);
      to = fmax(to, r->timeline->events[i].end_s);
    }
  return (struct span){from, to > from ? to - from : 0};
}

static bool shows(const struct hs_report *r, int p)
{
  for (int i = 0; i < r->timeline->n; i++)
    if (r->timeline->events[i].request == r->first && r->timeline->events[i].program->tasks[r->timeline->events[i].task].processor == p) return true;
  return false;
}

/* Letter of the kind that takes most of each column; ' ' where less than a tenth is busy. */
static void row(const struct hs_report *r, int p, struct span s, char *line)
{
  double share[COLUMNS][HS_TASK_KIND_N] = {{0}};
  for (int i = 0; i < r->timeline->n; i++) {
    const struct hs_event *e = &r->timeline->events[i];
    const struct hs_task *t = &e->program->tasks[e->task];
    if (e->request != r->first || t->processor != p) continue;
    double a = (e->start_s - s.from) / s.seconds * COLUMNS, b = (e->end_s - s.from) / s.seconds * COLUMNS;
    for (int c = (int)a; c < COLUMNS && c < b; c++) share[c][t->kind] += fmin(b, c + 1) - fmax(a, c);
  }
  for (int c = 0; c < COLUMNS; c++) {
    int best = 0;
    double busy = 0;
    for (int k = 0; k < HS_TASK_KIND_N; k++) {
      busy += share[c][k];
      if (share[c][k] > share[c][best]) best = k;
    }
    line[c] = busy < 0.1 ? ' ' : kinds[best].letter;
  }
  line[COLUMNS] = 0;
}

void hs_gantt_text(const struct hs_report *r, struct hs_text *t)
{
  struct span s = span_of_first(r);
  char line[COLUMNS + 1], buf[32];
  int names = (int)strlen(hs_report_longest_name(r));
  if (names < 10) names = 10;
  if (s.seconds <= 0) return;
  for (int p = 0; p < r->sys->soc->n_processors; p++) {
    if (!shows(r, p)) continue;
    row(r, p, s, line);
    hs_text_addf(t, "%-*s |%s|\n", names, r->sys->soc->processors[p].name, line);
  }
  const char *right = hs_si(s.seconds, "s", buf, sizeof buf);
  hs_text_addf(t, "%-*s 0", names, "");
  hs_text_pad(t, ' ', COLUMNS - hs_text_width(right));
  hs_text_addf(t, "%s\n", right);
  hs_text_addf(t, "%-*s", names, "");
  for (int k = 0; k < HS_TASK_KIND_N; k++) hs_text_addf(t, "%s%c %s", k ? "  " : " ", kinds[k].letter, kinds[k].name);
  hs_text_add(t, "\n");
}

static void svg_axis(struct hs_text *t, double end, double left, double width, double height)
{
  char buf[32];
  double step = hs_chart_step(end);
  for (int i = 0; i * step <= end * (1 + 1e-9); i++) {
    double x = end > 0 ? left + width * i * step / end : left;
    hs_text_addf(t, "<line x1=\"%.1f\" y1=\"34\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"#ddd\"/>\n", x, x, height - 46);
    hs_text_addf(t, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\">%s</text>\n", x, height - 30, hs_si(i * step, "s", buf, sizeof buf));
  }
}

static void svg_legend(struct hs_text *t, double left, double height)
{
  for (int k = 0; k < HS_TASK_KIND_N; k++) {
    double x = left + 110 * k;
    hs_text_addf(t, "<rect x=\"%.1f\" y=\"%.1f\" width=\"12\" height=\"12\" fill=\"%s\"/>", x, height - 19, kinds[k].colour);
    hs_text_addf(t, "<text x=\"%.1f\" y=\"%.1f\">%s</text>\n", x + 17, height - 9, kinds[k].name);
  }
}

/* The event's box at height y of an axis that begins at `left`, its label as the tooltip. */
static void svg_event(const struct hs_event *e, struct span s, double left, double width, double y, struct hs_text *t)
{
  char buf[32], label[140];
  double wide = width * (e->end_s - e->start_s) / s.seconds;
  hs_text_addf(t, "<rect x=\"%.2f\" y=\"%.1f\" width=\"%.2f\" height=\"26\" fill=\"%s\"%s><title>",
               left + width * (e->start_s - s.from) / s.seconds, y, wide, kinds[e->program->tasks[e->task].kind].colour,
               wide > 1 ? " stroke=\"white\" stroke-width=\"0.3\"" : ""); /* a border would hide what is thinner */
  hs_text_xml(t, hs_task_label(e->program, e->task, label, sizeof label));
  hs_text_addf(t, ": %s</title></rect>\n", hs_si(e->end_s - e->start_s, "s", buf, sizeof buf));
}

void hs_gantt_svg(const struct hs_report *r, struct hs_text *t)
{
  const double left = fmax(90, hs_chart_text_px(hs_report_longest_name(r)) + 12), width = 860, lane = 34;
  struct span s = span_of_first(r);
  double y = 40;
  int lanes = 0;
  char buf[32];
  for (int p = 0; p < r->sys->soc->n_processors; p++) lanes += shows(r, p);
  double height = y + lane * lanes + 56;
  hs_chart_open(t, left + width + 40, height + hs_chart_caption_height(r->command, left, left + width), 12);
  hs_text_addf(t, "<text x=\"%.0f\" y=\"20\" font-size=\"14\">", left);
  hs_text_addf(t, "%s on %s, policy ", r->graph->name, r->sys->soc->name);
  hs_report_policy(r, t);
  hs_text_addf(t, ", runtime %s: %s</text>\n", r->sys->runtime->name, hs_si(s.seconds, "s", buf, sizeof buf));
  svg_axis(t, s.seconds, left, width, height);
  for (int p = 0; p < r->sys->soc->n_processors; p++) {
    if (!shows(r, p)) continue;
    hs_text_addf(t, "<text x=\"%.0f\" y=\"%.1f\" text-anchor=\"end\">%s</text>\n", left - 8, y + 18, r->sys->soc->processors[p].name);
    for (int i = 0; i < r->timeline->n; i++) {
      const struct hs_event *e = &r->timeline->events[i];
      if (e->request == r->first && e->program->tasks[e->task].processor == p && s.seconds > 0) svg_event(e, s, left, width, y, t);
    }
    y += lane;
  }
  svg_legend(t, left, height);
  hs_chart_caption(r->command, left, left + width, height, t);
  hs_text_add(t, "</svg>\n");
}
