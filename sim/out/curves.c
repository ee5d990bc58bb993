/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Power, frequency and temperature of a run's processors over time, as SVG. */
#include <math.h>
#include <stddef.h>
#include <stdio.h>

#include "out/chart_text.h"
#include "out/report.h"

enum { WIDTH = 900, PANEL = 190, LEFT = 70, RIGHT = 150, TOP = 46, GAP = 34, KEY = 58, POINTS = 600 }; /* KEY: from a panel to the names in the legend */
static const char *const colours[HS_PROCESSORS_MAX] = {"#3b6ea8", "#49a3a8", "#e0912f", "#5a9a56", "#b0474a", "#7d6aa8", "#8a6a4f", "#777777"};

/* Lines by number: of each processor, then, of temperatures, of each node that no processor heats itself. */
struct panel {
  const char *title, *unit;
  size_t numbers; /* in a sample: of each processor, or, where it has lines of nodes, of each node */
  double scale; /* what numbers are divided by */
  bool is_mean; /* of the time since the sample before; else it is so at the sample's end */
  bool nodes;   /* has lines of nodes */
};

static int node_of(const struct hs_soc *soc, int k)
{
  int bare[HS_THERMAL_MAX];
  if (k < soc->n_processors) return hs_soc_node(soc, k);
  hs_soc_bare_nodes(soc, bare);
  return bare[k - soc->n_processors];
}

static double value_at(const struct hs_soc *soc, const struct panel *p, const struct hs_sample *s, int k)
{
  return hs_sample_number(s, p->numbers, p->nodes ? node_of(soc, k) : k);
}

static int n_lines(const struct hs_report *r, bool nodes)
{
  int bare[HS_THERMAL_MAX];
  return r->sys->soc->n_processors + (nodes ? hs_soc_bare_nodes(r->sys->soc, bare) : 0);
}

/* How many samples a point of a line stands for. */
static int samples_per_point(int n) { return n > POINTS ? (n + POINTS - 1) / POINTS : 1; }

/* What one point of line k says of samples [from, to): where they are more than points, each of them counts. */
static double value_of(const struct hs_soc *soc, const struct panel *p, int k, const struct hs_sample *samples, int from, int to)
{
  double start = from ? samples[from - 1].end_s : 0, sum = 0;
  if (!p->is_mean || to - from == 1) return value_at(soc, p, &samples[to - 1], k);
  for (int i = from; i < to; i++) sum += value_at(soc, p, &samples[i], k) * (samples[i].end_s - (i ? samples[i - 1].end_s : 0));
  return sum / (samples[to - 1].end_s - start);
}

/* What the axis must hold: 0, and every point. */
static void range_of(const struct hs_report *r, const struct panel *p, const struct hs_sample *samples, int n, double *min, double *max)
{
  const struct hs_soc *soc = r->sys->soc;
  int every = samples_per_point(n);
  *min = *max = 0;
  for (int k = 0; k < n_lines(r, p->nodes); k++)
    for (int i = p->is_mean ? 0 : -every; i < n; i += every) {
      double value = i < 0 ? value_at(soc, p, hs_living_start(r->living), k) : value_of(soc, p, k, samples, i, i + every < n ? i + every : n);
      *min = fmin(*min, value / p->scale);
      *max = fmax(*max, value / p->scale);
    }
}

/* Of a panel: where it begins, in pixels, and its lowest and highest value. */
struct axis {
  double top, min, max;
};

static double place(const struct axis *a, double value) { return a->top + PANEL * (a->max - value) / (a->max - a->min); }

/* Of line k: those of one temperature show through each other's gaps; nodes are black and dotted. */
static void stroke(const struct hs_soc *soc, int k, struct hs_text *t)
{
  int node = k - soc->n_processors;
  hs_text_addf(t, " stroke='%s' stroke-width='1.6'", node < 0 ? colours[k] : "#222222");
  if (node >= 0)
    hs_text_addf(t, " stroke-dasharray='2 %d'", 2 * node + 3);
  else if (k)
    hs_text_addf(t, " stroke-dasharray='9 %d'", 3 * k + 3);
}

static const char *line_name(const struct hs_soc *soc, int k)
{
  return k < soc->n_processors ? soc->processors[k].name : soc->thermal.nodes[node_of(soc, k)].name;
}

static double longest_name_px(const struct hs_report *r)
{
  double longest = 0;
  for (int k = 0; k < n_lines(r, hs_living_thermal(r->living)); k++) longest = fmax(longest, hs_chart_text_px(line_name(r->sys->soc, k)));
  return longest;
}

static void draw_legend(const struct hs_report *r, struct hs_text *t)
{
  const struct hs_soc *soc = r->sys->soc;
  for (int k = 0; k < n_lines(r, hs_living_thermal(r->living)); k++) {
    int left = WIDTH - RIGHT + 16, y = TOP + 18 * k + 5;
    hs_text_addf(t, "<line x1='%d' y1='%d' x2='%d' y2='%d'", left, y, left + 36, y);
    stroke(soc, k, t);
    hs_text_addf(t, "/><text x='%d' y='%d'>%s</text>\n", WIDTH - RIGHT + KEY, y + 4, line_name(soc, k));
  }
}

/* A mean is a step from the sample before to its own; a line of what isn't one goes from the start from sample to sample. */
static void draw_line(const struct hs_report *r, struct hs_text *t, const struct panel *p, int k, const struct axis *axis,
                      const struct hs_sample *samples, int n)
{
  const struct hs_soc *soc = r->sys->soc;
  double scale = (WIDTH - LEFT - RIGHT) / samples[n - 1].end_s;
  int every = samples_per_point(n);
  hs_text_add(t, "<polyline fill='none'");
  stroke(soc, k, t);
  hs_text_add(t, " points='");
  if (!p->is_mean) hs_text_addf(t, "%.1f,%.1f ", (double)LEFT, place(axis, value_at(soc, p, hs_living_start(r->living), k) / p->scale));
  for (int i = 0, next; i < n; i = next) {
    next = i + every < n ? i + every : n;
    double y = place(axis, value_of(soc, p, k, samples, i, next) / p->scale);
    if (p->is_mean) hs_text_addf(t, "%.1f,%.1f ", LEFT + scale * (i ? samples[i - 1].end_s : 0), y);
    hs_text_addf(t, "%.1f,%.1f ", LEFT + scale * samples[next - 1].end_s, y);
  }
  hs_text_add(t, "'/>\n");
}

static void draw_panel(const struct hs_report *r, struct hs_text *t, const struct panel *p, double top, const struct hs_sample *samples, int n)
{
  struct axis a = {.top = top};
  range_of(r, p, samples, n, &a.min, &a.max);
  double step = hs_chart_step(a.max - a.min);
  a.min = step * floor(a.min / step - 1e-9 * (a.min < 0));
  a.max = step * ceil(a.max / step + 1e-9);
  hs_text_addf(t, "<text x='%d' y='%.1f' font-weight='bold'>%s</text>\n", LEFT, top - 8, p->title);
  for (int i = 0; a.min + i * step <= a.max + 1e-9 * step; i++) {
    double y = a.min + i * step, at = place(&a, y);
    hs_text_addf(t, "<line x1='%d' y1='%.1f' x2='%d' y2='%.1f' stroke='#ddd'/><text x='%d' y='%.1f' text-anchor='end'>%g %s</text>\n", LEFT, at,
                 WIDTH - RIGHT, at, LEFT - 6, at + 4, y, p->unit);
  }
  for (int k = 0; k < n_lines(r, p->nodes); k++) draw_line(r, t, p, k, &a, samples, n);
}

static void draw_times(struct hs_text *t, double y, double end)
{
  double step = hs_chart_step(end);
  for (double x = 0; x <= end * (1 + 1e-9); x += step)
    hs_text_addf(t, "<text x='%.1f' y='%.1f' text-anchor='middle'>%g s</text>\n", LEFT + (WIDTH - LEFT - RIGHT) * x / end, y, x);
}

void hs_curves_svg(const struct hs_report *r, struct hs_text *t)
{
  static const struct panel panels[] = {
    {"Power", "W", offsetof(struct hs_sample, power_w), 1, true, false},
    {"Frequency", "GHz", offsetof(struct hs_sample, freq_hz), 1e9, true, false},
    {"Temperature", "°C", offsetof(struct hs_sample, temperature_c), 1, false, true}};
  int n, n_panels = hs_living_thermal(r->living) ? 3 : 2;
  const struct hs_sample *samples = hs_living_samples(r->living, &n);
  double height = TOP + n_panels * (PANEL + GAP) + 20, width = fmax(WIDTH, WIDTH - RIGHT + KEY + longest_name_px(r));
  hs_chart_open(t, width, height + hs_chart_caption_height(r->command, LEFT, WIDTH - RIGHT), 11);
  hs_text_addf(t, "<text x='%d' y='18' font-size='14'>%s on %s, policy ", LEFT, r->graph->name, r->sys->soc->name);
  hs_report_policy(r, t);
  if (r->n_networks > 1) hs_text_addf(t, ", and %d more network%s", r->n_networks - 1, r->n_networks > 2 ? "s" : "");
  hs_text_addf(t, "%s%s</text>\n", r->scenario_options->file ? ", scenario " : "", r->scenario_options->file ? r->scenario->name : "");
  draw_legend(r, t);
  for (int i = 0; i < n_panels && n; i++) draw_panel(r, t, &panels[i], TOP + i * (PANEL + GAP), samples, n);
  if (n)
    draw_times(t, height - 14, samples[n - 1].end_s);
  else
    hs_text_addf(t, "<text x='%d' y='%d'>the run ended as it began</text>\n", LEFT, TOP);
  hs_chart_caption(r->command, LEFT, WIDTH - RIGHT, height, t);
  hs_text_add(t, "</svg>\n");
}
