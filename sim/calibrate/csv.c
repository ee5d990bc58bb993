/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "calibrate/csv.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

static bool ends_line(char c) { return c == 0 || c == '\n' || c == '\r'; }

/* Of Unix, Windows, and the old Macintosh. */
static void skip_end_of_line(const char **at)
{
  if (**at == '\r') ++*at;
  if (**at == '\n') ++*at;
}

/* A cell in quotes, at the first character behind the opening one; NULL: it isn't closed. */
static const char *cut_quoted(const char **at, struct hs_arena *arena)
{
  size_t n = 0;
  const char *s = *at;
  char *cell = hs_arena_alloc(arena, strcspn(s, "\r\n") + 1);
  for (; !ends_line(*s); s++) {
    if (*s == '"' && *++s != '"') {
      *at = s + strspn(s, " \t");
      return **at == ',' || ends_line(**at) ? cell : NULL;
    }
    cell[n++] = *s;
  }
  return NULL;
}

static const char *cut_plain(const char **at, struct hs_arena *arena)
{
  size_t n = strcspn(*at, ",\r\n");
  const char *from = *at;
  *at += n;
  while (n > 0 && (from[n - 1] == ' ' || from[n - 1] == '\t')) n--;
  return hs_arena_printf(arena, "%.*s", (int)n, from);
}

int hs_csv_cut(const char **at, struct hs_arena *arena, const char **cells)
{
  int n = 0;
  for (;;) {
    *at += strspn(*at, " \t");
    if (n == HS_CSV_COLUMNS_MAX) return -1;
    bool quoted = **at == '"';
    *at += quoted;
    if (!(cells[n++] = quoted ? cut_quoted(at, arena) : cut_plain(at, arena))) return -1;
    if (**at != ',') break;
    ++*at;
  }
  skip_end_of_line(at);
  return n;
}

static enum hs_status check_header(struct hs_csv *csv, struct hs_error *err)
{
  if (csv->n_columns == 1 && strpbrk(csv->columns[0], ";\t"))
    return hs_fail_at(err, HS_INPUT, csv->file, csv->header_line, 0, NULL, "\"%.40s\": commas separate columns, not %s", csv->columns[0],
                      strchr(csv->columns[0], ';') ? "semicolons" : "tabs");
  for (int i = 0; i < csv->n_columns; i++) {
    if (!*csv->columns[i]) return hs_fail_at(err, HS_INPUT, csv->file, csv->header_line, 0, NULL, "column %d has no name", i + 1);
    for (int k = 0; k < i; k++)
      if (strcmp(csv->columns[i], csv->columns[k]) == 0)
        return hs_fail_at(err, HS_INPUT, csv->file, csv->header_line, 0, NULL, "column \"%.40s\" is there twice", csv->columns[i]);
  }
  return HS_OK;
}

/* Nor does a row of empty cells, which spreadsheets leave behind the last one. */
static bool says_nothing(const char *line)
{
  line += strspn(line, " \t");
  return *line == '#' || ends_line(line[strspn(line, " \t,")]);
}

enum hs_status hs_csv_parse(const char *file, const char *text, struct hs_arena *arena, struct hs_csv *csv, struct hs_error *err)
{
  *csv = (struct hs_csv){.file = file};
  int line = 0;
  text = hs_text_unmarked(text);
  while (*text) {
    struct hs_csv_row row = {.line = ++line};
    if (says_nothing(text)) {
      text += strcspn(text, "\r\n");
      skip_end_of_line(&text);
      continue;
    }
    int n = hs_csv_cut(&text, arena, row.cells);
    if (n < 0)
      return hs_fail_at(err, HS_INPUT, file, line, 0, NULL, "a quote that isn't closed, text behind one, or more than %d columns", HS_CSV_COLUMNS_MAX);
    if (csv->n_columns == 0) {
      memcpy(csv->columns, row.cells, sizeof csv->columns);
      csv->n_columns = n;
      csv->header_line = line;
      HS_TRY(check_header(csv, err));
      continue;
    }
    if (n != csv->n_columns)
      return hs_fail_at(err, HS_INPUT, file, line, 0, NULL, "%d cells, where the header names %d columns%s", n, csv->n_columns,
                        n > csv->n_columns ? "; a number has a decimal point, and a cell with a comma stands in quotes" : "");
    HS_GROW(csv->rows, csv->n_rows, csv->cap_rows);
    csv->rows[csv->n_rows++] = row;
  }
  return csv->n_columns ? HS_OK : hs_fail_at(err, HS_INPUT, file, 1, 0, NULL, "is empty: a line with the names of the columns is missing");
}

void hs_csv_free(struct hs_csv *csv)
{
  free(csv->rows);
  *csv = (struct hs_csv){0};
}
