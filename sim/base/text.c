/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/text.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/memory.h"
#include "base/utf8.h"

void hs_text_free(struct hs_text *t)
{
  free(t->s);
  *t = (struct hs_text){0};
}

static void reserve(struct hs_text *t, size_t more)
{
  if (t->len + more + 1 <= t->cap) return;
  t->cap = 2 * (t->len + more + 1);
  t->s = hs_realloc(t->s, t->cap, 1);
}

void hs_text_add(struct hs_text *t, const char *s)
{
  size_t n = strlen(s);
  reserve(t, n);
  memcpy(t->s + t->len, s, n + 1);
  t->len += n;
}

void hs_text_addf(struct hs_text *t, const char *format, ...)
{
  va_list args, again;
  va_start(args, format);
  va_copy(again, args);
  int n = vsnprintf(NULL, 0, format, args);
  reserve(t, (size_t)n);
  vsnprintf(t->s + t->len, (size_t)n + 1, format, again);
  t->len += (size_t)n;
  va_end(again);
  va_end(args);
}

void hs_text_pad(struct hs_text *t, char c, int n)
{
  for (int i = 0; i < n; i++) hs_text_addf(t, "%c", c);
}

static int width_of(const char *s, size_t bytes)
{
  int n = 0;
  for (size_t i = 0; i < bytes; i++) n += ((unsigned char)s[i] & 0xC0) != 0x80; /* the first bytes of UTF-8's characters */
  return n;
}

int hs_text_width(const char *s) { return width_of(s, strlen(s)); }

void hs_text_column(struct hs_text *t, const char *s, int width)
{
  hs_text_add(t, s);
  hs_text_pad(t, ' ', width - hs_text_width(s));
}

void hs_text_wrap(struct hs_text *t, const char *s, int width)
{
  for (int column = 0; *s;) {
    int bytes = (int)strcspn(s, " "), n = width_of(s, (size_t)bytes);
    bool breaks = column > 0 && column + 1 + n > width;
    hs_text_addf(t, "%s%.*s", breaks ? "\n" : column ? " " : "", bytes, s);
    column = breaks || column == 0 ? n : column + 1 + n;
    s += bytes + strspn(s + bytes, " ");
  }
  hs_text_add(t, "\n");
}

void hs_text_words(struct hs_text *t, const char *const *words)
{
  for (int i = 0; words[i]; i++) hs_text_addf(t, "%s%s", i ? ", " : "", words[i]);
}

void hs_text_number(struct hs_text *t, double v)
{
  if (!isfinite(v))
    hs_text_add(t, "null");
  else
    hs_text_addf(t, "%.12g", v == 0 ? 0.0 : v); /* no "-0" */
}

/* The character at s as it is, U+FFFD for a byte of none; returns what is behind it. */
static const char *add_character(struct hs_text *t, const char *s, bool allowed)
{
  int n = hs_utf8_bytes(s);
  hs_text_addf(t, "%.*s", n && allowed ? n : 3, n && allowed ? s : "\xef\xbf\xbd");
  return s + (n ? n : 1);
}

void hs_text_string(struct hs_text *t, const char *s)
{
  hs_text_add(t, "\"");
  while (*s)
    if (*s == '"' || *s == '\\')
      hs_text_addf(t, "\\%c", *s++);
    else if ((unsigned char)*s < 0x20)
      hs_text_addf(t, "\\u%04x", *s++);
    else
      s = add_character(t, s, true);
  hs_text_add(t, "\"");
}

void hs_text_xml(struct hs_text *t, const char *s)
{
  while (*s) {
    const char *entity = *s == '<' ? "&lt;" : *s == '>' ? "&gt;" : *s == '&' ? "&amp;" : *s == '"' ? "&quot;" : NULL;
    if (entity) hs_text_add(t, entity);
    bool none = (unsigned char)*s < 0x20 || strncmp(s, "\xef\xbf\xbe", 3) == 0 || strncmp(s, "\xef\xbf\xbf", 3) == 0;
    s = entity ? s + 1 : add_character(t, s, !none); /* XML has no control characters, not even quoted, and neither U+FFFE nor U+FFFF */
  }
}

double hs_no_minus_zero(double v, int decimals) { return v <= 0 && v >= -0.5 * pow(10, -decimals) ? 0 : v; }

const char *hs_si_fine(double v, double fine, const char *unit, char *buf, size_t size)
{
  static const struct {
    double scale;
    const char *prefix;
  } steps[] = {{1e12, "T"}, {1e9, "G"}, {1e6, "M"}, {1e3, "k"}, {1, ""}, {1e-3, "m"}, {1e-6, "µ"}, {1e-9, "n"}};
  size_t i = 4;
  if (v != 0)
    for (i = strcmp(unit, "s") == 0 ? 4 : 0 /* nobody says kiloseconds */; i + 1 < sizeof steps / sizeof *steps && fabs(v) < 0.9995 * steps[i].scale; i++)
      ;
  double x = v / steps[i].scale;
  int digits = fabs(x) >= 99.95 ? 0 : fabs(x) >= 9.995 ? 1 : 2;
  while (digits < 6 && fine > 0 && pow(10, -digits) > fine / steps[i].scale) digits++;
  snprintf(buf, size, "%.*f%s%s%s", v == 0 ? 0 : digits, hs_no_minus_zero(x, digits), *steps[i].prefix || *unit ? " " : "", steps[i].prefix, unit);
  return buf;
}

const char *hs_si(double v, const char *unit, char *buf, size_t size) { return hs_si_fine(v, 0, unit, buf, size); }

const char *hs_si_tmp(double v, const char *unit)
{
  static char buffers[8][32];
  static int next;
  next = (next + 1) % 8;
  return hs_si(v, unit, buffers[next], sizeof buffers[next]);
}

const char *hs_rate(double per_second, char *buf, size_t size)
{
  snprintf(buf, size, per_second < 999.5 ? "%.3g" : "%.0f", per_second);
  return buf;
}

enum hs_status hs_each_setting(const char *option, const char *list,
                               enum hs_status (*one)(void *state, const char *where, const char *value, struct hs_error *err), void *state,
                               struct hs_error *err)
{
  size_t size = strlen(list) + 1;
  char *copy = hs_realloc(NULL, size, 1), *rest = copy;
  enum hs_status status = HS_OK;
  memcpy(copy, list, size);
  for (char *item; !status && (item = strsep(&rest, ","));) {
    char *eq = strchr(item, '=');
    if (!*item || eq == item) {
      status = hs_fail(err, HS_USAGE, "--%s: \"%.60s\" has an empty name or an empty place in the list", option, list);
      break;
    }
    if (eq) *eq = 0;
    status = one(state, eq ? item : NULL, eq ? eq + 1 : item, err);
  }
  free(copy);
  return status;
}

const char *hs_text_unmarked(const char *s) { return strncmp(s, "\xef\xbb\xbf", 3) == 0 ? s + 3 : s; }

bool hs_text_is_utf16(const char *s, size_t len) { return len > 1 && (memcmp(s, "\xFF\xFE", 2) == 0 || memcmp(s, "\xFE\xFF", 2) == 0); }

enum hs_status hs_text_check(const char *file, const char *s, size_t len, struct hs_error *err)
{
  const char *zero = len ? memchr(s, 0, len) : NULL;
  if (hs_text_is_utf16(s, len)) return hs_fail_at(err, HS_INPUT, file, 1, 0, NULL, HS_TEXT_UTF16);
  int line = 1, column = 1;
  for (const char *c = s; zero && c < zero; c++) {
    column = *c == '\n' ? 1 : column + 1;
    line += *c == '\n';
  }
  return zero ? hs_fail_at(err, HS_INPUT, file, line, column, NULL, "is no text: it has a zero byte") : HS_OK;
}

const char *hs_decimal_prefix(const char *s, double *v)
{
  const char *digits = s + strspn(s, "+-.");
  char *end;
  if (!isdigit((unsigned char)*digits) || strncasecmp(digits, "0x", 2) == 0) return NULL;
  *v = strtod(s, &end);
  return end != s && isfinite(*v) ? end : NULL;
}

bool hs_decimal_parse(const char *s, double *v)
{
  const char *end = hs_decimal_prefix(s, v);
  return end && !*end;
}

bool hs_whole_parse(const char *s, long long min, long long max, long long *v)
{
  errno = 0;
  *v = strtoll(s, NULL, 10);
  return *s && !s[strspn(s, "0123456789")] && !errno && *v >= min && *v <= max;
}

bool hs_time_parse(const char *s, double *seconds)
{
  static const struct {
    const char *unit;
    double s;
  } units[] = {{"s", 1}, {"ms", 1e-3}, {"us", 1e-6}};
  double v;
  const char *unit = hs_decimal_prefix(s, &v);
  for (size_t i = 0; unit && v >= 0 && i < sizeof units / sizeof *units; i++)
    if (strcmp(unit, units[i].unit) == 0) {
      *seconds = v * units[i].s;
      return true;
    }
  return false;
}
