/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/json_put.h"

#include <string.h>

/* Only what follows a value needs a comma. Where a line was begun for it, it ends the line before. */
static void separate(struct hs_text *t)
{
  size_t end = t->len;
  while (end > 0 && strchr(" \n", t->s[end - 1])) end--;
  if (end == 0 || strchr("{[", t->s[end - 1])) return;
  hs_text_add(t, end == t->len ? ", " : ",");
  if (t->s[end] == ',') return;
  memmove(t->s + end + 1, t->s + end, t->len - end - 1);
  t->s[end] = ',';
}

static void begin(struct hs_text *t, const char *name)
{
  separate(t);
  if (!name) return;
  hs_text_string(t, name);
  hs_text_add(t, ": ");
}

void hs_put_open(struct hs_text *t, const char *name, char bracket)
{
  begin(t, name);
  hs_text_pad(t, bracket, 1);
}

void hs_put_close(struct hs_text *t, char bracket) { hs_text_pad(t, bracket, 1); }

void hs_put_number(struct hs_text *t, const char *name, double v)
{
  begin(t, name);
  hs_text_number(t, v);
}

void hs_put_whole(struct hs_text *t, const char *name, unsigned long long v)
{
  begin(t, name);
  hs_text_addf(t, "%llu", v);
}

void hs_put_string(struct hs_text *t, const char *name, const char *v)
{
  begin(t, name);
  if (v)
    hs_text_string(t, v);
  else
    hs_text_add(t, "null");
}

void hs_put_bool(struct hs_text *t, const char *name, bool v)
{
  begin(t, name);
  hs_text_add(t, v ? "true" : "false");
}

void hs_put_json(struct hs_text *t, const char *name, const char *json, size_t len)
{
  begin(t, name);
  hs_text_addf(t, "%.*s", (int)len, json);
}

void hs_put_numbers(struct hs_text *t, const char *name, const double *v, int n)
{
  hs_put_open(t, name, '[');
  for (int i = 0; i < n; i++) hs_put_number(t, NULL, v[i]);
  hs_put_close(t, ']');
}

void hs_put_strings(struct hs_text *t, const char *name, const char *const *v, int n)
{
  hs_put_open(t, name, '[');
  for (int i = 0; i < n; i++) hs_put_string(t, NULL, v[i]);
  hs_put_close(t, ']');
}

void hs_put_line(struct hs_text *t, int indent)
{
  hs_text_add(t, "\n");
  hs_text_pad(t, ' ', indent);
}
