/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Comma-separated tables: a line of column names, then rows, read one at a time. Cells may stand in quotes ("" is a quote inside them); blanks around
 * a cell don't count, nor do empty lines, rows of empty cells, which spreadsheets leave behind the last one, and lines that begin with #. */
#ifndef HS_CSV_H
#define HS_CSV_H

#include <stdbool.h>

#include "base/status.h"

enum { HS_CSV_COLUMNS_MAX = 40 };

struct hs_csv_cell {
  const char *text;
  int column; /* where it begins in its line, in bytes, from 1 */
};

struct hs_csv {
  const char *file;
  int n_columns;
  struct hs_csv_cell columns[HS_CSV_COLUMNS_MAX]; /* their names, each there once */
  int line;                                       /* of the header, then of the row; in a table without rows of its last line */
  struct hs_csv_cell cells[HS_CSV_COLUMNS_MAX];   /* [n_columns] of the row */
  char *rest;                                     /* of the text, from the next line on; `next_line` is its number */
  int next_line;
};

/* Reads the header. `text` is cut in place: cells lie in it and last as long as it does; `file` is borrowed. HS_INPUT with file and line. */
enum hs_status hs_csv_open(struct hs_csv *csv, const char *file, char *text, struct hs_error *err);

/* Do the columns begin with these, in this order? HS_INPUT with the first that doesn't, and all that belong there. */
enum hs_status hs_csv_begins(const struct hs_csv *csv, const char *const *names, int n, struct hs_error *err);

/* Is there another row? */
bool hs_csv_more(struct hs_csv *csv);

/* Reads it: as many cells as there are columns. HS_INPUT with file and line. */
enum hs_status hs_csv_next(struct hs_csv *csv, struct hs_error *err);

/* Cuts the line at *at into cells, in place, and moves on to the next line; the number of cells, or -1 - i where cell i has a quote that
 * isn't closed or is inside it, or is one too many. Cells after a free text with commas are the caller's to join. */
int hs_csv_cut(char **at, struct hs_csv_cell cells[HS_CSV_COLUMNS_MAX]);

#endif
