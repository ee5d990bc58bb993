/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/files.h"
#include "base/inputs.h"
#include "out/report.h"
#include "policies/policy.h"
#include "program/cli.h"

static enum hs_status dispatch(const struct hs_cli *cli, struct hs_error *err)
{
  static enum hs_status (*const commands[HS_COMMAND_N])(const struct hs_cli *, struct hs_error *) = {
    [HS_COMMAND_RUN] = hs_cmd_run, [HS_COMMAND_LIST] = hs_cmd_list, [HS_COMMAND_SHOW] = hs_cmd_show, [HS_COMMAND_COMPARE] = hs_cmd_compare,
    [HS_COMMAND_EXPLAIN] = hs_cmd_explain, [HS_COMMAND_REPRODUCE] = hs_cmd_reproduce, [HS_COMMAND_VALIDATE] = hs_cmd_validate,
    [HS_COMMAND_CALIBRATE] = hs_cmd_calibrate};
  struct hs_text t = {0};
  if (!cli->help && !cli->version && !cli->man && !cli->completion) return commands[cli->command](cli, err);
  if (cli->help)
    hs_cli_help(cli, &t);
  else if (cli->man)
    hs_cli_man(&t);
  else if (cli->completion)
    hs_cli_completion(&t);
  else
    hs_text_addf(&t, "hetsim %s\n", hs_version);
  enum hs_status status = hs_file_write("-", &t, err);
  hs_text_free(&t);
  return status;
}

/* Nothing half-written stays behind. */
static void on_end(int sig)
{
  hs_output_abandon_all();
  signal(sig, SIG_DFL);
  raise(sig);
}

static void catch_ends(void)
{
  static const int ends[] = {SIGINT, SIGTERM, SIGHUP, SIGPIPE, SIGQUIT, SIGXCPU, SIGABRT};
  for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
    if (signal(ends[i], on_end) == SIG_IGN) signal(ends[i], SIG_IGN); /* nohup */
  signal(SIGXFSZ, SIG_IGN); /* a file that gets too large is told as any other that can't be written */
}

int main(int argc, char **argv)
{
  struct hs_cli cli;
  struct hs_error err;
  char message[1900];
  catch_ends();
  hs_inputs_open();
  enum hs_status status = hs_policies_check(&err); /* who writes one is told before help or a manual page reads its table */
  if (!status) status = hs_cli_parse(argc, argv, &cli, &err);
  if (!status) status = dispatch(&cli, &err);
  if (status) fprintf(stderr, "hetsim: %s\n", hs_error_message(&err, message, sizeof message));
  if (status == HS_USAGE) fprintf(stderr, "Try 'hetsim --help'.\n");
  if (fflush(NULL) == 0) quick_exit((int)status); /* the destructors of SimGrid's libraries take longer than a small run */
  return (int)status;
}
