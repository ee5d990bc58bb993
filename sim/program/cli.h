/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The command line: one table of options that feeds parsing, --help, the man page and the completion. */
#ifndef HS_CLI_H
#define HS_CLI_H

#include <stdint.h>

#include "base/text.h"
#include "program/setup.h"

enum hs_command {
  HS_COMMAND_RUN, HS_COMMAND_LIST, HS_COMMAND_SHOW, HS_COMMAND_COMPARE, HS_COMMAND_EXPLAIN, HS_COMMAND_REPRODUCE, HS_COMMAND_VALIDATE,
  HS_COMMAND_CALIBRATE, HS_COMMAND_N
};
enum hs_format { HS_FORMAT_TEXT, HS_FORMAT_JSON, HS_FORMAT_CSV, HS_FORMAT_N };

enum { HS_OPTIONS_MAX = 64, HS_CLI_WORDS_MAX = HS_NETWORKS_MAX };

struct hs_cli {
  enum hs_command command;
  bool named;            /* by the first word; else it's `run` */
  const char *given[HS_OPTIONS_MAX]; /* of each row of the table of options, its argument as it was written; NULL: not given, or it takes none */
  int n_words;           /* positional arguments after the command */
  const char *words[HS_CLI_WORDS_MAX];
  const char *soc, *policy, *runtime, *memory_type, *precision, *frequency, *opt; /* NULL: not given */
  struct hs_scenario_options scenario;
  const char *profiler;
  const char *holdout;   /* of calibrate: fraction or file */
  const char *only;      /* of calibrate: coefficients, between commas */
  const char *output, *timeline, *gantt, *svg, *curves;
  const char *claims, *markdown; /* of validate */
  const char *policies;  /* of compare: names between commas; NULL: all */
  const char *cores;     /* NULL: not given */
  int threads;           /* 0: not given, */
  double gpu_kernel_s;   /* and so here */
  int gpu_window;
  int n_params;
  const char *params[16]; /* "name=value" of the policy */
  char objective[60];     /* --objective, written as such a parameter; empty: not given */
  int inferences;         /* of each network; 0: until duration_s is over */
  double duration_s;      /* 0: not given */
  uint64_t seed;
  int noise;              /* runs in which durations scatter; 0: they are exact */
  enum hs_format format;
  bool check, help, version, man, completion;
};

/* Parses argv; borrows its strings. HS_USAGE with the place and the rule on a mistake. */
enum hs_status hs_cli_parse(int argc, char **argv, struct hs_cli *cli, struct hs_error *err);

/* The command line of a run without the program's name and what doesn't bear on its numbers (format, files it writes, --check): options by their long names
 * in the order of the help, however they were ordered, then the networks; each word as a shell reads it. */
void hs_cli_command(const struct hs_cli *cli, struct hs_text *out);

/* Is a file named that is written? */
bool hs_cli_writes_files(const struct hs_cli *cli);

/* HS_USAGE: that `what` is missing of `run`, or, as that is also what a misspelt command is taken for, that the first word is no command. */
enum hs_status hs_cli_missing(const struct hs_cli *cli, const char *what, struct hs_error *err);

/* What the options ask for: of `run` with all networks, of other commands with the first word as the model. Borrows from cli. */
struct hs_run_options hs_cli_run_options(const struct hs_cli *cli);

/* Of the command that is named, or of all. */
void hs_cli_help(const struct hs_cli *cli, struct hs_text *out);
void hs_cli_man(struct hs_text *out);
void hs_cli_completion(struct hs_text *out);

/* Adds what hetsim list takes. */
void hs_list_words(const char *between, struct hs_text *out);

enum hs_status hs_cmd_run(const struct hs_cli *cli, struct hs_error *err);
enum hs_status hs_cmd_list(const struct hs_cli *cli, struct hs_error *err);
enum hs_status hs_cmd_show(const struct hs_cli *cli, struct hs_error *err);
enum hs_status hs_cmd_compare(const struct hs_cli *cli, struct hs_error *err);
enum hs_status hs_cmd_explain(const struct hs_cli *cli, struct hs_error *err);
enum hs_status hs_cmd_reproduce(const struct hs_cli *cli, struct hs_error *err);
enum hs_status hs_cmd_validate(const struct hs_cli *cli, struct hs_error *err);
enum hs_status hs_cmd_calibrate(const struct hs_cli *cli, struct hs_error *err);

#endif
