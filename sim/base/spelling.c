/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/spelling.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Whoever writes ReLU or YOLOv2 means what is written with other letters here. */
static int edit_distance(const char *a, const char *b)
{
  enum { MAX = 63 };
  int row[MAX + 1];
  int n = (int)strnlen(a, MAX), m = (int)strnlen(b, MAX);
  for (int j = 0; j <= m; j++) row[j] = j;
  for (int i = 1; i <= n; i++) {
    int diagonal = row[0];
    row[0] = i;
    for (int j = 1; j <= m; j++) {
      int best = diagonal + (tolower((unsigned char)a[i - 1]) != tolower((unsigned char)b[j - 1]));
      diagonal = row[j];
      if (row[j] + 1 < best) best = row[j] + 1;
      if (row[j - 1] + 1 < best) best = row[j - 1] + 1;
      row[j] = best;
    }
  }
  return row[m];
}

bool hs_name_allowed(const char *s, char *rule, size_t size)
{
  static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./:+-";
  size_t n = strlen(s);
  if (n == 0 || n > 63)
    snprintf(rule, size, "a name has 1 to 63 characters, not %zu", n);
  else if (s[strspn(s, letters)])
    snprintf(rule, size, "a name has letters, digits and _ . / : + - only");
  else
    return true;
  return false;
}

/* The next character of a spelling, behind `before`; 0 at its end. */
static int next_of_spelling(const char **s, int before)
{
  size_t separators = strspn(*s, "-_. ");
  *s += separators;
  if (separators && isdigit(before) && isdigit((unsigned char)**s)) return '.';
  return **s ? tolower((unsigned char)*(*s)++) : 0;
}

/* Is all of a spelt as b is? `begins`: or as b begins. */
static bool spelled(const char *a, const char *b, bool begins)
{
  for (int i = 0, j = 0;;) {
    i = next_of_spelling(&a, i);
    j = next_of_spelling(&b, j);
    if (i == 0) return begins || j == 0;
    if (i != j) return false;
  }
}

bool hs_spelled_alike(const char *a, const char *b) { return spelled(a, b, false); }

static int shortest_beginning(const char *name, const char *const *names, int n)
{
  int best = -1;
  for (int i = 0; i < n && strlen(name) >= 3; i++)
    if (spelled(name, names[i], true) && (best < 0 || strlen(names[i]) < strlen(names[best]))) best = i;
  return best;
}

/* With fewer than `least` edits. */
static int nearest(const char *name, const char *const *names, int n, int least)
{
  int best = shortest_beginning(name, names, n);
  if (best >= 0) return best;
  for (int i = 0; i < n; i++) {
    int d = edit_distance(name, names[i]);
    if (d < least) {
      least = d;
      best = i;
    }
  }
  return best;
}

int hs_nearest(const char *name, const char *const *names, int n) { return nearest(name, names, n, 1 + (int)strlen(name) / 2); }

int hs_nearest_key(const char *key, const char *const *keys, int n)
{
  for (int i = 0; i < n; i++)
    if (strlen(keys[i]) >= 3 && spelled(keys[i], key, true)) return i;
  return nearest(key, keys, n, 1 + (int)strlen(key) / 3);
}

void hs_unknown_name(struct hs_text *out, const char *name, const char *const *names, int n)
{
  enum { LIST_MAX = 300 };
  int near = hs_nearest(name, names, n), listed = 0;
  hs_text_addf(out, "\"%.60s\"", name);
  if (near >= 0) hs_text_addf(out, "; did you mean %s?", names[near]);
  hs_text_addf(out, " (there are: %s", n ? "" : "none");
  size_t begin = out->len;
  for (; listed < n && out->len - begin + strlen(names[listed]) < LIST_MAX; listed++) hs_text_addf(out, "%s%s", listed ? ", " : "", names[listed]);
  if (listed < n) hs_text_addf(out, " and %d more", n - listed);
  hs_text_add(out, ")");
}

enum hs_status hs_fail_unknown(struct hs_error *err, const char *name, const char *const *names, int n, const char *what, ...)
{
  char missing[200];
  struct hs_text text = {0};
  va_list args;
  va_start(args, what);
  vsnprintf(missing, sizeof missing, what, args);
  va_end(args);
  hs_unknown_name(&text, name, names, n);
  hs_fail(err, HS_USAGE, "%s %s", missing, text.s);
  hs_text_free(&text);
  return err->status;
}
