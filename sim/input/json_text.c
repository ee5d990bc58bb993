/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "input/json_text.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

#include "base/text.h"
#include "base/utf8.h"

struct scan {
  const unsigned char *p, *end; /* *end is NUL */
  const char *rule;             /* that is broken at p */
};

static bool refuse(struct scan *s, const char *rule)
{
  if (s->p >= s->end)
    rule = "not JSON: the text ends too early";
  else if (*s->p == 0)
    rule = "a NUL character in the text";
  else if (*s->p < 0x20 && !strchr("\t\n\r", *s->p))
    rule = "not JSON: a control character";
  s->rule = rule;
  return false;
}

static bool unexpected(struct scan *s) { return refuse(s, "not JSON: unexpected character"); }

static void skip_space(struct scan *s)
{
  while (*s->p && strchr(" \t\n\r", *s->p)) s->p++;
}

static bool digits(struct scan *s)
{
  const unsigned char *start = s->p;
  while (*s->p >= '0' && *s->p <= '9') s->p++;
  return s->p > start;
}

static bool number_form(struct scan *s)
{
  if (*s->p == '-') s->p++;
  bool zero = *s->p == '0';
  const unsigned char *start = s->p;
  if (!digits(s) || (zero && s->p > start + 1)) return false;
  if (*s->p == '.' && (s->p++, !digits(s))) return false;
  if (*s->p != 'e' && *s->p != 'E') return true;
  s->p++;
  if (*s->p == '+' || *s->p == '-') s->p++;
  return digits(s);
}

static bool number(struct scan *s)
{
  const unsigned char *start = s->p;
  if (number_form(s) && !(*s->p && strchr("+-.eE", *s->p))) return true;
  s->p = start;
  return refuse(s, "not JSON: a number in another form");
}

static bool escape(struct scan *s) /* after the backslash */
{
  if (*s->p != 'u') return (*s->p && strchr("\"\\/bfnrt", *s->p)) ? (s->p++, true) : unexpected(s);
  if (strncmp((const char *)s->p, "u0000", 5) == 0) {
    s->p--;
    return refuse(s, "a NUL character in the text");
  }
  s->p++;
  for (int i = 0; i < 4; i++, s->p++)
    if (!*s->p || !strchr("0123456789abcdefABCDEF", *s->p)) return unexpected(s);
  return true;
}

static bool string(struct scan *s)
{
  if (*s->p != '"') return unexpected(s);
  for (s->p++; *s->p != '"';) {
    if (*s->p < 0x20) return refuse(s, "not JSON: a control character");
    if (*s->p == '\\') {
      s->p++;
      if (!escape(s)) return false;
      continue;
    }
    int n = hs_utf8_bytes((const char *)s->p);
    if (n == 0) return refuse(s, "not JSON: the text is not UTF-8");
    s->p += n;
  }
  s->p++;
  return true;
}

static bool word(struct scan *s, const char *w)
{
  size_t n = strlen(w);
  if (strncmp((const char *)s->p, w, n) != 0) return unexpected(s);
  s->p += n;
  return true;
}

static bool value(struct scan *s, int level);

static bool member(struct scan *s, int level)
{
  skip_space(s);
  if (!string(s)) return false;
  skip_space(s);
  if (*s->p != ':') return unexpected(s);
  s->p++;
  return value(s, level);
}

/* s at a comma, and stays there */
static bool closes_after_comma(const struct scan *s, unsigned char close)
{
  struct scan next = {s->p + 1, s->end, NULL};
  skip_space(&next);
  return *next.p == close;
}

static bool container(struct scan *s, int level)
{
  bool object = *s->p == '{';
  unsigned char close = object ? '}' : ']';
  if (level == HS_JSON_LEVELS_MAX) return refuse(s, "not JSON: more than 1000 levels");
  s->p++;
  skip_space(s);
  if (*s->p != close)
    for (;; s->p++) {
      if (!(object ? member(s, level + 1) : value(s, level + 1))) return false;
      skip_space(s);
      if (*s->p != ',') break;
      if (closes_after_comma(s, close)) return refuse(s, "not JSON: a comma before the closing bracket");
    }
  if (*s->p != close) return unexpected(s);
  s->p++;
  return true;
}

/* What other languages write for a number that isn't finite (Python's json does). */
static bool is_no_number(const struct scan *s)
{
  static const char *const words[] = {"NaN", "nan", "Infinity", "inf", "-Infinity", "-inf", "-nan"};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
    size_t n = strlen(words[i]);
    bool fits = (size_t)(s->end - s->p) >= n && memcmp(s->p, words[i], n) == 0;
    if (fits && (s->p + n == s->end || !isalnum(s->p[n]))) return true;
  }
  return false;
}

static bool value(struct scan *s, int level)
{
  skip_space(s);
  switch (*s->p) {
  case '{':
  case '[': return container(s, level);
  case '"': return string(s);
  case 't': return word(s, "true");
  case 'f': return word(s, "false");
  case 'n': return word(s, "null");
  default:
    if (is_no_number(s)) return refuse(s, "not JSON: NaN and Infinity are no numbers there");
    return *s->p == '-' || (*s->p >= '0' && *s->p <= '9') ? number(s) : unexpected(s);
  }
}

const char *hs_json_check(const char *text, size_t len, size_t *offset)
{
  struct scan s = {(const unsigned char *)hs_text_unmarked(text), (const unsigned char *)text + len, NULL};
  if (value(&s, 0)) {
    skip_space(&s);
    if (s.p < s.end) unexpected(&s);
  }
  *offset = (size_t)(s.p - (const unsigned char *)text);
  return s.rule;
}
