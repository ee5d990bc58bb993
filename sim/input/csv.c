/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "input/csv.h"

#include <string.h>

#include "base/text.h"

static bool ends_line(char c) { return c == 0 || c == '\n' || c == '\r'; }

/* Of Unix, Windows, and the old Macintosh. */
static void skip_end_of_line(char **at)
{
  if (**at == '\r') ++*at;
  if (**at == '\n') ++*at;
}

/* A cell in quotes, at the first character behind the opening one; its end, or NULL: it isn't closed. Written over itself, as "" becomes one. */
static char *cut_quoted(char **at)
{
  char *end = *at;
  for (char *s = *at; !ends_line(*s); s++) {
    if (*s == '"' && *++s != '"') {
      *at = s + strspn(s, " \t");
      return **at == ',' || ends_line(**at) ? end : NULL;
    }
    *end++ = *s;
  }
  return NULL;
}

/* NULL: a quote is inside. */
static char *cut_plain(char **at)
{
  char *from = *at, *end = from + strcspn(from, ",\"\r\n");
  if (*end == '"') return NULL;
  *at = end;
  while (end > from && (end[-1] == ' ' || end[-1] == '\t')) end--;
  return end;
}

int hs_csv_cut(char **at, struct hs_csv_cell cells[HS_CSV_COLUMNS_MAX])
{
  const char *line = *at;
  char after = ',';
  int n = 0;
  for (; after == ','; n++) {
    *at += strspn(*at, " \t");
    if (n == HS_CSV_COLUMNS_MAX) return -1 - n;
    bool quoted = **at == '"';
    cells[n].column = 1 + (int)(*at - line);
    *at += quoted;
    cells[n].text = *at;
    char *end = quoted ? cut_quoted(at) : cut_plain(at);
    if (!end) return -1 - n;
    after = **at;
    if (after == ',') ++*at;
    else skip_end_of_line(at);
    *end = 0;
  }
  return n;
}

static bool says_nothing(const char *line)
{
  line += strspn(line, " \t");
  return *line == '#' || ends_line(line[strspn(line, " \t,")]);
}

bool hs_csv_more(struct hs_csv *csv)
{
  for (; *csv->rest && says_nothing(csv->rest); csv->next_line++) {
    csv->rest += strcspn(csv->rest, "\r\n");
    skip_end_of_line(&csv->rest);
  }
  return *csv->rest;
}

static enum hs_status cut_line(struct hs_csv *csv, int *n, struct hs_error *err)
{
  csv->line = csv->next_line++;
  *n = hs_csv_cut(&csv->rest, csv->cells);
  if (*n >= 0) return HS_OK;
  int cell = -1 - *n;
  if (cell == HS_CSV_COLUMNS_MAX) return hs_fail_at(err, HS_INPUT, csv->file, csv->line, 1, NULL, "more than %d columns", HS_CSV_COLUMNS_MAX);
  return hs_fail_at(err, HS_INPUT, csv->file, csv->line, csv->cells[cell].column, NULL,
                    "a quote that isn't closed, or is inside a cell: the whole cell goes into quotes, and a quote in it is doubled");
}

enum hs_status hs_csv_open(struct hs_csv *csv, const char *file, char *text, struct hs_error *err)
{
  *csv = (struct hs_csv){.file = file, .rest = text + (hs_text_unmarked(text) - text), .next_line = 1};
  if (!hs_csv_more(csv)) return hs_fail_at(err, HS_INPUT, file, 1, 1, NULL, "is empty: a line with the names of the columns is missing");
  HS_TRY(cut_line(csv, &csv->n_columns, err));
  memcpy(csv->columns, csv->cells, sizeof csv->columns);
  const char *first = csv->columns[0].text;
  if (csv->n_columns == 1 && strpbrk(first, ";\t"))
    return hs_fail_at(err, HS_INPUT, file, csv->line, 1, NULL, "\"%.40s%s\": commas separate columns, not %s", first, strlen(first) > 40 ? "..." : "",
                      strchr(first, ';') ? "semicolons" : "tabs");
  for (int i = 0; i < csv->n_columns; i++) {
    const struct hs_csv_cell *c = &csv->columns[i];
    if (!*c->text) return hs_fail_at(err, HS_INPUT, file, csv->line, c->column, NULL, "column %d has no name", i + 1);
    for (int k = 0; k < i; k++)
      if (strcmp(c->text, csv->columns[k].text) == 0)
        return hs_fail_at(err, HS_INPUT, file, csv->line, c->column, NULL, "column \"%.40s\" is there twice", c->text);
  }
  return HS_OK;
}

enum hs_status hs_csv_begins(const struct hs_csv *csv, const char *const *names, int n, struct hs_error *err)
{
  int i = 0;
  while (i < n && i < csv->n_columns && strcmp(csv->columns[i].text, names[i]) == 0) i++;
  if (i == n) return HS_OK;
  struct hs_text all = {0};
  for (int k = 0; k < n; k++) hs_text_addf(&all, "%s%s", k ? "," : "", names[k]);
  if (i == csv->n_columns)
    hs_fail_at(err, HS_INPUT, csv->file, csv->line, 1, NULL, "column \"%s\" is missing after %s: %s", names[i], csv->columns[i - 1].text, all.s);
  else
    hs_fail_at(err, HS_INPUT, csv->file, csv->line, csv->columns[i].column, NULL, "\"%.40s\" stands where column \"%s\" belongs: %s", csv->columns[i].text,
               names[i], all.s);
  hs_text_free(&all);
  return HS_INPUT;
}

enum hs_status hs_csv_next(struct hs_csv *csv, struct hs_error *err)
{
  int n;
  HS_TRY(cut_line(csv, &n, err));
  if (n == csv->n_columns) return HS_OK;
  return hs_fail_at(err, HS_INPUT, csv->file, csv->line, 1, NULL, "%d cells, where the header names %d columns%s", n, csv->n_columns,
                    n > csv->n_columns ? "; a number has a decimal point, and a cell with a comma stands in quotes" : "");
}
