/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pictures' beginnings, axes, and text in them. SVG can't measure text, so every place for it is reckoned with the widest usual sans-serif font. */
#ifndef HS_CHART_TEXT_H
#define HS_CHART_TEXT_H

#include "base/text.h"

/* The beginning of a white picture of so many pixels, which a document may show at any size. */
void hs_chart_open(struct hs_text *t, double width, double height, int font_size);

/* Width to leave for a text of size 12, and characters of that size that fit a width. */
double hs_chart_text_px(const char *s);
int hs_chart_text_chars(double px);

/* Lines of at most so many characters that a text is broken into, at spaces where there are some. */
int hs_chart_lines(const char *s, int chars);
/* Those lines from x on, the first on baseline y; `attributes` of each <text>. */
void hs_chart_put_lines(const char *s, int chars, double x, double y, const char *attributes, struct hs_text *out);

/* Of an axis as long as this: the largest of 1, 2, 5 times a power of ten that gives at least four steps; of one without length as of 1. */
double hs_chart_step(double length);

/* What was run, below a picture: of size 11, from x to `right`; the command without the program's name. */
double hs_chart_caption_height(const char *command, double x, double right);
void hs_chart_caption(const char *command, double x, double right, double top, struct hs_text *out);

enum { HS_CHART_LINE = 15 }; /* pixels from one line to the next */

#endif
