/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "out/chart_text.h"

#include <math.h>
#include <string.h>

static const double CHAR = 7.8, CAPTION_CHAR = 7.15; /* pixels per character of a line's many at sizes 12 and 11 */

/* At size 12; assumed: no less than DejaVu Sans and Verdana have for any letter of its group (0.46, 1.08, 0.84 and 0.65 of the size). */
static double char_px(char c)
{
  if (strchr(" fijlrtI!'(),-./:;[]|", c)) return 5.5;
  if (strchr("mwMW@%", c)) return 13;
  return (c >= 'A' && c <= 'Z') || strchr("+<=>#&~", c) ? 10.1 : CHAR;
}

double hs_chart_text_px(const char *s)
{
  double px = 0;
  for (; *s; s++)
    if (((unsigned char)*s & 0xC0) != 0x80) px += char_px(*s);
  return px;
}
int hs_chart_text_chars(double px) { return (int)(px / CHAR); }

/* Bytes of the next line of `s`: up to a space, or as many as fit where there's none. */
static size_t line_of(const char *s, int chars)
{
  size_t space = 0, i = 0;
  for (int n = 0; s[i]; i++) {
    n += ((unsigned char)s[i] & 0xC0) != 0x80;
    if (s[i] == ' ') space = i; /* also behind as many as fit */
    if (n > chars) return space ? space : i;
  }
  return i;
}

int hs_chart_lines(const char *s, int chars)
{
  int n = 0;
  for (size_t take; *s; s += take + (s[take] == ' '), n++) take = line_of(s, chars);
  return n;
}

void hs_chart_put_lines(const char *s, int chars, double x, double y, const char *attributes, struct hs_text *t)
{
  for (size_t take; *s; s += take + (s[take] == ' '), y += HS_CHART_LINE) {
    struct hs_text line = {0};
    take = line_of(s, chars);
    hs_text_addf(&line, "%.*s", (int)take, s);
    hs_text_addf(t, "<text x=\"%.1f\" y=\"%.1f\" %s>", x, y, attributes);
    hs_text_xml(t, line.s);
    hs_text_add(t, "</text>\n");
    hs_text_free(&line);
  }
}

static int caption_chars(double x, double right) { return (int)((right - x) / CAPTION_CHAR); }

double hs_chart_step(double length)
{
  double raw = (length > 0 ? length : 1) / 4, power = pow(10, floor(log10(raw))), x = raw / power;
  return power * (x >= 5 ? 5 : x >= 2 ? 2 : 1);
}

double hs_chart_caption_height(const char *command, double x, double right)
{
  struct hs_text all = {0};
  hs_text_addf(&all, "hetsim %s", command);
  int lines = hs_chart_lines(all.s, caption_chars(x, right));
  hs_text_free(&all);
  return HS_CHART_LINE * lines + 6;
}

void hs_chart_caption(const char *command, double x, double right, double top, struct hs_text *t)
{
  struct hs_text all = {0};
  hs_text_addf(&all, "hetsim %s", command);
  hs_chart_put_lines(all.s, caption_chars(x, right), x, top + 11, "font-size=\"11\" fill=\"#777\"", t);
  hs_text_free(&all);
}

void hs_chart_open(struct hs_text *t, double width, double height, int font_size)
{
  hs_text_addf(t, "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" height=\"%.0f\" viewBox=\"0 0 %.0f %.0f\" ", width, height, width, height);
  hs_text_addf(t, "font-family=\"sans-serif\" font-size=\"%d\">\n<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>\n", font_size);
}
