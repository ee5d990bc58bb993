/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "out/chart_bars.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "out/chart_text.h"

static const double PLOT = 520, LANE = 26, TOP = 62, MARGIN = 16;

static const struct {
  const char *colour, *meaning;
} parts[] = {{"#3b6ea8", "kernels run"}, {"#e0912f", "communication alone"}, {"#c4c4c4", "neither: enqueuing, waiting"}};
enum { N_PARTS = sizeof parts / sizeof *parts };

struct layout {
  bool mixed;  /* the runtimes or precisions differ, so each is named */
  double runtime_x, left, energy_x, width, height, bottom; /* bottom: of the lanes */
  double end_s; /* of the axis */
  int line_chars; /* of a reason */
};

/* "166 ms": milliseconds or millijoules with three digits, whatever the size, so that the column compares. */
static const char *milli(double v, const char *unit, char *buf, size_t size)
{
  double x = 1e3 * v;
  snprintf(buf, size, "%.*f m%s", x >= 99.95 ? 0 : x >= 9.995 ? 1 : x >= 0.9995 ? 2 : 3, x, unit);
  return buf;
}

static double lane_of(const struct layout *l, const struct hs_bar *b)
{
  int lines = b->reason ? hs_chart_lines(b->reason, l->line_chars) : 1;
  return LANE + HS_CHART_LINE * (lines > 1 ? lines - 1 : 0);
}

static struct layout lay_out(const struct hs_bars *b, double title_px)
{
  struct layout l = {.runtime_x = MARGIN, .line_chars = hs_chart_text_chars(PLOT + 160)};
  const char *runtime = NULL;
  double widest = 0, longest_s = 0;
  for (int i = 0; i < b->n; i++) {
    l.runtime_x = fmax(l.runtime_x, MARGIN + hs_chart_text_px(b->bars[i].policy) + 8);
    if (b->bars[i].reason) continue;
    if (runtime && strcmp(runtime, b->bars[i].ran_in) != 0) l.mixed = true;
    runtime = b->bars[i].ran_in;
    widest = fmax(widest, hs_chart_text_px(runtime));
    longest_s = fmax(longest_s, b->bars[i].latency_s);
  }
  l.left = l.runtime_x + (l.mixed ? widest + 8 : 0);
  l.energy_x = l.left + PLOT + 160;
  l.width = fmax(l.energy_x, title_px) + MARGIN;
  l.bottom = TOP;
  l.end_s = longest_s;
  for (int i = 0; i < b->n; i++) l.bottom += lane_of(&l, &b->bars[i]);
  l.height = l.bottom + 62;
  return l;
}

static void axis(const struct layout *l, struct hs_text *t)
{
  double step = hs_chart_step(1e3 * l->end_s);
  for (int i = 0; i * step <= 1e3 * l->end_s * (1 + 1e-9); i++) {
    double x = l->left + PLOT * i * step / (1e3 * l->end_s);
    hs_text_addf(t, "<line x1=\"%.1f\" y1=\"%.0f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"#ddd\"/>", x, TOP - 4, x, l->bottom);
    hs_text_addf(t, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\" fill=\"#555\">%g%s</text>\n", x, l->bottom + 16, i * step, i ? "" : " ms");
  }
}

static void legend(const struct layout *l, struct hs_text *t)
{
  double x = l->left;
  for (int k = 0; k < N_PARTS; k++) {
    hs_text_addf(t, "<rect x=\"%.1f\" y=\"%.1f\" width=\"12\" height=\"12\" fill=\"%s\"/>", x, l->height - 26, parts[k].colour);
    hs_text_addf(t, "<text x=\"%.1f\" y=\"%.1f\">%s</text>\n", x + 17, l->height - 16, parts[k].meaning);
    x += 17 + hs_chart_text_px(parts[k].meaning) + 14;
  }
}

static void reason(const struct layout *l, const char *s, double y, struct hs_text *t)
{
  hs_text_addf(t, "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"white\"/>\n", l->left, y, l->energy_x - l->left,
               LANE + HS_CHART_LINE * (hs_chart_lines(s, l->line_chars) - 1));
  hs_chart_put_lines(s, l->line_chars, l->left + 4, y + 17, "fill=\"#b0474a\"", t);
}

static void bar(const struct layout *l, const struct hs_bar *b, double y, struct hs_text *t)
{
  double seconds[N_PARTS] = {b->kernel_s, b->communication_s, fmax(0, b->latency_s - b->kernel_s - b->communication_s)}, x = l->left;
  char buf[32];
  hs_text_add(t, "<g><title>");
  hs_text_xml(t, b->policy);
  for (int k = 0; k < N_PARTS; k++) hs_text_addf(t, "%s %s: %s", k ? "," : ";", parts[k].meaning, milli(seconds[k], "s", buf, sizeof buf));
  hs_text_add(t, "</title>");
  for (int k = 0; k < N_PARTS; k++) {
    double w = PLOT * seconds[k] / l->end_s;
    if (w > 0) hs_text_addf(t, "<rect x=\"%.2f\" y=\"%.1f\" width=\"%.2f\" height=\"%.0f\" fill=\"%s\"/>", x, y + 4, w, LANE - 8, parts[k].colour);
    x += w;
  }
  milli(b->latency_s, "s", buf, sizeof buf);
  hs_text_addf(t, "</g><rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.0f\" fill=\"white\"/>", x + 3, y + 4, hs_chart_text_px(buf) + 3, LANE - 8);
  hs_text_addf(t, "<text x=\"%.1f\" y=\"%.1f\">%s</text>", x + 6, y + 17, buf);
  hs_text_addf(t, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"end\">%s</text>\n", l->energy_x, y + 17, milli(b->energy_j, "J", buf, sizeof buf));
}

static void lane(const struct layout *l, const struct hs_bar *b, double y, struct hs_text *t)
{
  hs_text_addf(t, "<text x=\"%.0f\" y=\"%.1f\">", MARGIN, y + 17);
  hs_text_xml(t, b->policy);
  hs_text_add(t, "</text>");
  if (b->reason) {
    reason(l, b->reason, y, t);
    return;
  }
  if (l->mixed) hs_text_addf(t, "<text x=\"%.1f\" y=\"%.1f\" fill=\"#777\">%s</text>", l->runtime_x, y + 17, b->ran_in);
  bar(l, b, y, t);
}

/* What all bars that ran have in common. */
static const char *common_runtime(const struct hs_bars *b)
{
  const char *runtime = NULL;
  for (int i = 0; i < b->n; i++) {
    if (b->bars[i].reason) continue;
    if (runtime && strcmp(runtime, b->bars[i].ran_in) != 0) return "as named beside each bar";
    runtime = b->bars[i].ran_in;
  }
  return runtime ? runtime : "none";
}

void hs_bars_svg(const struct hs_bars *b, struct hs_text *t)
{
  struct hs_text title = {0};
  hs_text_addf(&title, "%s on %s (%s), runtime %s", b->model, b->soc, b->soc_title, common_runtime(b));
  const struct layout l = lay_out(b, MARGIN + hs_chart_text_px(title.s) * 14 / 12);
  hs_chart_open(t, l.width, l.height + hs_chart_caption_height(b->command, MARGIN, l.width - MARGIN), 12);
  hs_text_addf(t, "<text x=\"%.0f\" y=\"22\" font-size=\"14\">", MARGIN);
  hs_text_xml(t, title.s);
  hs_text_free(&title);
  hs_text_addf(t, "</text>\n<text x=\"%.1f\" y=\"48\" fill=\"#555\">%s</text>", l.left, b->means ? "mean latency" : "latency");
  hs_text_addf(t, "<text x=\"%.1f\" y=\"48\" text-anchor=\"end\" fill=\"#555\">%s</text>\n", l.energy_x,
               b->means ? "mean energy" : "energy");
  if (l.end_s > 0) axis(&l, t);
  double y = TOP;
  for (int i = 0; i < b->n; i++) {
    lane(&l, &b->bars[i], y, t);
    y += lane_of(&l, &b->bars[i]);
  }
  legend(&l, t);
  hs_chart_caption(b->command, MARGIN, l.width - MARGIN, l.height, t);
  hs_text_add(t, "</svg>\n");
}
