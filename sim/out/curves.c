/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Power, frequency and temperature of a run's processors over time, as SVG. */
#include <math.h>
#include <stddef.h>
#include <stdio.h>

#include "out/chart_text.h"
#include "out/report.h"

enum { WIDTH = 900, PANEL = 190, LEFT = 70, RIGHT = 150, TOP = 46, GAP = 34, KEY = 58, POINTS = 600 }; /* KEY: from a panel to the names in the legend */
static const char *const colours[HS_PROCESSORS_MAX] = {"#3b6ea8", "#49a3a8", "#e0912f", "#5a9a56", "#b0474a", "#7d6aa8", "#8a6a4f", "#777777"};

struct panel {
  const char *title, *unit;
  size_t values; /* in a sample: of each processor */
  double scale; /* what numbers are divided by */
  bool is_mean; /* of the time since the sample before; else it is so at the sample's end */
};

static double value_at(const struct panel *p, const struct hs_sample *s, int k) { return ((const double *)(const void *)((const char *)s + p->values))[k]; }

/* How many samples a point of a line stands for. */
static int samples_per_point(int n) { return n > POINTS ? (n + POINTS - 1) / POINTS : 1; }

/* What one point says of processor k in samples [from, to): where they are more than points, each of them counts. */
static double value_of(const struct panel *p, int k, const struct hs_sample *samples, int from, int to)
{
  double start = from ? samples[from - 1].end_s : 0, sum = 0;
  if (!p->is_mean || to - from == 1) return value_at(p, &samples[to - 1], k);
  for (int i = from; i < to; i++) sum += value_at(p, &samples[i], k) * (samples[i].end_s - (i ? samples[i - 1].end_s : 0));
  return sum / (samples[to - 1].end_s - start);
}

/* What the axis must hold: 0, and every point. */
static void range_of(const struct hs_report *r, const struct panel *p, const struct hs_sample *samples, int n, double *min, double *max)
{
  int every = samples_per_point(n);
  *min = *max = 0;
  for (int k = 0; k < r->sys->soc->n_processors; k++)
    for (int i = p->is_mean ? 0 : -every; i < n; i += every) {
      double value = i < 0 ? value_at(p, hs_living_start(r->living), k) : value_of(p, k, samples, i, i + every < n ? i + every : n);
      *min = fmin(*min, value / p->scale);
      *max = fmax(*max, value / p->scale);
    }
}

/* 1, 2 or 5 times a power of ten: about four lines. */
static double step_of(double max)
{
  double raw = (max > 0 ? max : 1) / 4, ten = pow(10, floor(log10(raw)));
  return ten * (raw / ten < 1.5 ? 1 : raw / ten < 3.5 ? 2 : raw / ten < 7.5 ? 5 : 10);
}

/* Of a panel: where it begins, in pixels, and its lowest and highest value. */
struct axis {
  double top, min, max;
};

static double place(const struct axis *a, double value) { return a->top + PANEL * (a->max - value) / (a->max - a->min); }

/* Of processor k: those of one temperature show through each other's gaps. */
static void stroke(int k, struct hs_text *t)
{
  hs_text_addf(t, " stroke='%s' stroke-width='1.6'", colours[k]);
  if (k) hs_text_addf(t, " stroke-dasharray='9 %d'", 3 * k + 3);
}

static void draw_legend(const struct hs_report *r, struct hs_text *t)
{
  for (int k = 0; k < r->sys->soc->n_processors; k++) {
    int left = WIDTH - RIGHT + 16, y = TOP + 18 * k + 5;
    hs_text_addf(t, "<line x1='%d' y1='%d' x2='%d' y2='%d'", left, y, left + 36, y);
    stroke(k, t);
    hs_text_addf(t, "/><text x='%d' y='%d'>%s</text>\n", WIDTH - RIGHT + KEY, y + 4, r->sys->soc->processors[k].name);
  }
}

/* A mean is a step from the sample before to its own; a line of what isn't one goes from the start from sample to sample. */
static void draw_line(const struct hs_report *r, struct hs_text *t, const struct panel *p, int k, const struct axis *axis,
                      const struct hs_sample *samples, int n)
{
  double scale = (WIDTH - LEFT - RIGHT) / samples[n - 1].end_s;
  int every = samples_per_point(n);
  hs_text_add(t, "<polyline fill='none'");
  stroke(k, t);
  hs_text_add(t, " points='");
  if (!p->is_mean) hs_text_addf(t, "%.1f,%.1f ", (double)LEFT, place(axis, value_at(p, hs_living_start(r->living), k) / p->scale));
  for (int i = 0, next; i < n; i = next) {
    next = i + every < n ? i + every : n;
    double y = place(axis, value_of(p, k, samples, i, next) / p->scale);
    if (p->is_mean) hs_text_addf(t, "%.1f,%.1f ", LEFT + scale * (i ? samples[i - 1].end_s : 0), y);
    hs_text_addf(t, "%.1f,%.1f ", LEFT + scale * samples[next - 1].end_s, y);
  }
  hs_text_add(t, "'/>\n");
}

static void draw_panel(const struct hs_report *r, struct hs_text *t, const struct panel *p, double top, const struct hs_sample *samples, int n)
{
  struct axis a = {.top = top};
  range_of(r, p, samples, n, &a.min, &a.max);
  double step = step_of(a.max - a.min);
  a.min = step * floor(a.min / step - 1e-9 * (a.min < 0));
  a.max = step * ceil(a.max / step + 1e-9);
  hs_text_addf(t, "<text x='%d' y='%.1f' font-weight='bold'>%s</text>\n", LEFT, top - 8, p->title);
  for (int i = 0; a.min + i * step <= a.max + 1e-9 * step; i++) {
    double y = a.min + i * step, at = place(&a, y);
    hs_text_addf(t, "<line x1='%d' y1='%.1f' x2='%d' y2='%.1f' stroke='#ddd'/><text x='%d' y='%.1f' text-anchor='end'>%g %s</text>\n", LEFT, at,
                 WIDTH - RIGHT, at, LEFT - 6, at + 4, y, p->unit);
  }
  for (int k = 0; k < r->sys->soc->n_processors; k++) draw_line(r, t, p, k, &a, samples, n);
}

static void draw_times(struct hs_text *t, double y, double end)
{
  double step = step_of(end);
  for (double x = 0; x <= end * (1 + 1e-9); x += step)
    hs_text_addf(t, "<text x='%.1f' y='%.1f' text-anchor='middle'>%g s</text>\n", LEFT + (WIDTH - LEFT - RIGHT) * x / end, y, x);
}

void hs_curves_svg(const struct hs_report *r, struct hs_text *t)
{
  static const struct panel panels[] = {
    {"Power", "W", offsetof(struct hs_sample, power_w), 1, true},
    {"Frequency", "GHz", offsetof(struct hs_sample, freq_hz), 1e9, true},
    {"Temperature", "°C", offsetof(struct hs_sample, temperature_c), 1, false}};
  int n, n_panels = hs_living_thermal(r->living) ? 3 : 2;
  const struct hs_sample *samples = hs_living_samples(r->living, &n);
  double height = TOP + n_panels * (PANEL + GAP) + 20, width = fmax(WIDTH, WIDTH - RIGHT + KEY + hs_chart_text_px(hs_report_longest_name(r)));
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
