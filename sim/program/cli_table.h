/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table of options, in the order of the help: parsing, --help, the man page and the completion are made of it. */
#ifndef HS_CLI_TABLE_H
#define HS_CLI_TABLE_H

#include "program/cli.h"

struct hs_option_row {
  char id; /* a letter: the short option */
  const char *name, *argument, *help;
  unsigned commands;  /* bit mask of enum hs_command */
  /* What a shell proposes, NULL after the last: words, or "@socs": what hetsim list socs names. NULL: files where the argument is one. */
  const char *const *values;
  /* Offset in struct hs_cli: of a text, kept as it was written; of a whole number from 1 to max; of what is true where it's given. All 0: taken by itself. */
  size_t text, count, flag;
  int max;
  bool is_output;  /* a file that is written */
};
extern const struct hs_option_row hs_option_rows[];
extern const int hs_n_option_rows;

extern const char *const hs_command_names[HS_COMMAND_N + 1]; /* the last is NULL */

#endif
