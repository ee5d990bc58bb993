/* SPDX-License-Identifier: GPL-3.0-or-later */
/* --help and the man page. */
#include <stdio.h>

#include "out/report.h"
#include "policies/policy.h"
#include "program/cli_table.h"
#include "program/reproduce.h"

static const struct {
  enum hs_command command;
  const char *line;
  void (*words)(const char *between, struct hs_text *out); /* that follow it, and what follows these */
  const char *rest;
} synopsis[] = {
  {HS_COMMAND_RUN, "hetsim [run] --soc NAME --policy POLICY MODEL[@PATTERN][,deadline=TIME][,priority=N][:POLICY]... [OPTION]...", NULL, NULL},
  {HS_COMMAND_COMPARE, "hetsim compare --soc NAME MODEL[@PATTERN][,deadline=TIME] [--policies=POLICY,POLICY...] [--duration=SECONDS] [--svg=FILE] [--format=json]", NULL, NULL},
  {HS_COMMAND_EXPLAIN, "hetsim explain --soc NAME --policy POLICY MODEL [--param NAME=VALUE]... [--format=json]", NULL, NULL},
  {HS_COMMAND_REPRODUCE, "hetsim reproduce [", hs_papers_words, " [TABLE-OR-FIGURE]] [--svg=FILE] [--format=json]"},
  {HS_COMMAND_CALIBRATE, "hetsim calibrate --soc NAME --runtime NAME MEASUREMENTS.csv|MODEL:PROCESSOR[@CORES]=PROFILE.csv... -o FILE.json [--holdout=WHAT] [--only=LIST]", NULL, NULL},
  {HS_COMMAND_VALIDATE, "hetsim validate [--claims=FILE] [--markdown=FILE] [--format=json]", NULL, NULL},
  {HS_COMMAND_LIST, "hetsim list ", hs_list_words, " [--format=json]"},
  {HS_COMMAND_SHOW, "hetsim show soc NAME | model NAME [--soc NAME] | policy NAME [--format=json]", NULL, NULL},
};
enum { N_SYNOPSIS = sizeof synopsis / sizeof *synopsis };

static const struct {
  const char *example, *help;
} patterns[] = {
  {"30fps", "one request every 1/30 s, the first at 0"},
  {"poisson:20fps", "20 requests per second on average, at random (exponential gaps, --seed)"},
  {"burst:5x10fps", "5 requests at a time, 10 times per second on average, at random"},
};
enum { N_PATTERNS = sizeof patterns / sizeof *patterns };

static const char *const exit_codes[] = {
  [HS_OK] = "done, or a run broken off by Ctrl-C and reported as far as it came",
  [HS_UNMET] = "a stated requirement failed (--check, validate), the device shut down, or a network starves; what ran until then is reported",
  [HS_USAGE] = "usage: an option, a name or a value",
  [HS_INPUT] = "an input file, or a network that can't run there",
  [HS_POLICY] = "a policy broke its contract",
  [HS_ENGINE] = "the simulation engine failed",
  [HS_IO] = "reading or writing a file failed"};

static const char completion_help[] = "print what bash completes options and names by: source <(hetsim --completion)";

static void add_synopsis(int i, struct hs_text *t)
{
  hs_text_add(t, synopsis[i].line);
  if (synopsis[i].words) synopsis[i].words("|", t);
  if (synopsis[i].rest) hs_text_add(t, synopsis[i].rest);
}

static void help_options(unsigned commands, struct hs_text *t)
{
  hs_text_add(t, "\nOptions:\n");
  for (int i = 0; i < hs_n_option_rows; i++) {
    char left[40];
    const struct hs_option_row *o = &hs_option_rows[i];
    if (!(o->commands & commands)) continue;
    snprintf(left, sizeof left, "-%c, --%s%s%s", o->id, o->name, o->argument ? "=" : "", o->argument ? o->argument : "");
    hs_text_addf(t, "  %-24s %s\n", left, o->help);
  }
}

static void help_exit_status(struct hs_text *t)
{
  hs_text_add(t, "\nExit status:\n");
  for (size_t i = 0; i < sizeof exit_codes / sizeof *exit_codes; i++) hs_text_addf(t, "  %zu  %s\n", i, exit_codes[i]);
}

static void help_command(enum hs_command command, struct hs_text *t)
{
  for (int i = 0; i < N_SYNOPSIS; i++) {
    if (synopsis[i].command != command) continue;
    hs_text_add(t, "Usage: ");
    add_synopsis(i, t);
    hs_text_add(t, "\n");
  }
  help_options(1u << command, t);
  hs_text_add(t, "\nhetsim --help has what MODEL may be, and the options of all commands.\n");
  help_exit_status(t);
}

void hs_cli_help(const struct hs_cli *cli, struct hs_text *t)
{
  if (cli->named) {
    help_command(cli->command, t);
    return;
  }
  hs_text_add(t, "Simulates deep-learning inference on the processors of mobile SoCs.\n\n");
  for (int i = 0; i < N_SYNOPSIS; i++) {
    hs_text_add(t, i ? "       " : "Usage: ");
    add_synopsis(i, t);
    hs_text_add(t, "\n");
  }
  hs_text_addf(t, "\nhetsim COMMAND --help has the options of one of these.\n\nMODEL is a name (hetsim list models) or a JSON file. Up to %d run at the same time, each under a policy of its own or\n"
                  "else --policy. Its requests come back to back, or by a PATTERN:\n", HS_NETWORKS_MAX);
  for (int i = 0; i < N_PATTERNS; i++) hs_text_addf(t, "  %-15s %s\n", patterns[i].example, patterns[i].help);
  hs_text_add(t, "A request is late after its deadline (50ms, 1.5s), for NAME@30fps by default the next frame. Priority is 0 to 99, default 0: of\n"
                 "requests that wait for a policy or an accelerator, the highest goes first. A POLICY is a name, or one with parameters:\n"
                 "codl:chain=none (hetsim show policy NAME).\n");
  help_options(~0u, t);
  hs_text_addf(t, "  %-24s %s\n", "    --completion", completion_help);
  hs_text_add(t, "\nPolicies:");
  for (int i = 0; i < hs_n_policies; i++) hs_text_addf(t, "%s %s", i ? "," : "", hs_policies[i]->name);
  hs_text_add(t, "\n");
  help_exit_status(t);
}

/* roff wants its own escape for a dash that is a dash */
static void roff(struct hs_text *t, const char *s)
{
  for (; *s; s++)
    if (*s == '-')
      hs_text_add(t, "\\-");
    else if (*s == '\\')
      hs_text_add(t, "\\e");
    else
      hs_text_addf(t, "%c", *s);
}

static void man_head(struct hs_text *t)
{
  hs_text_addf(t, ".TH HETSIM 1 \"\" \"hetsim %s\" \"User Commands\"\n.SH NAME\n", hs_version);
  hs_text_add(t, "hetsim \\- simulate deep\\-learning inference on the processors of mobile SoCs\n.SH SYNOPSIS\n");
  for (int i = 0; i < N_SYNOPSIS; i++) {
    struct hs_text line = {0};
    add_synopsis(i, &line);
    hs_text_add(t, i ? ".br\n" : "");
    roff(t, line.s);
    hs_text_add(t, "\n");
    hs_text_free(&line);
  }
}

static void man_description(struct hs_text *t)
{
  hs_text_addf(t, ".SH DESCRIPTION\nA discrete\\-event simulator of heterogeneous mobile SoCs (CPU clusters, GPU, DSP, NPU on one memory) running "
                  "neural networks: what does this way of running this network cost on this chip?\n.PP\nMODEL is a name or a JSON file. Up to %d run "
                  "at the same time, each under a policy of its own or else that of \\-\\-policy. Its requests come back to back, or by a PATTERN:\n",
               HS_NETWORKS_MAX);
  for (int i = 0; i < N_PATTERNS; i++) {
    hs_text_addf(t, ".TP\n%s\n", patterns[i].example);
    roff(t, patterns[i].help);
    hs_text_add(t, "\n");
  }
  hs_text_add(t, ".PP\nA request is late after its deadline (50ms, 1.5s), for NAME@30fps by default the next frame. Priority is 0 to 99, default 0: "
                 "of requests that wait for a policy or an accelerator, the highest goes first. A POLICY is a name, or one with parameters: "
                 "codl:chain=none (hetsim show policy NAME).\n");
}

static void man_options(struct hs_text *t)
{
  hs_text_add(t, ".SH OPTIONS\n");
  for (int i = 0; i < hs_n_option_rows; i++) {
    hs_text_addf(t, ".TP\n\\fB\\-%c\\fR, \\fB", hs_option_rows[i].id);
    hs_text_add(t, "\\-\\-");
    roff(t, hs_option_rows[i].name);
    hs_text_add(t, "\\fR");
    if (hs_option_rows[i].argument) hs_text_addf(t, "=\\fI%s\\fR", hs_option_rows[i].argument);
    hs_text_add(t, "\n");
    roff(t, hs_option_rows[i].help);
    hs_text_add(t, "\n");
  }
  hs_text_add(t, ".TP\n\\fB\\-\\-completion\\fR\n");
  roff(t, completion_help);
  hs_text_add(t, "\n");
}

static void man_policies(struct hs_text *t)
{
  hs_text_add(t, ".SH POLICIES\n");
  for (int i = 0; i < hs_n_policies; i++) {
    hs_text_add(t, ".TP\n\\fB");
    roff(t, hs_policies[i]->name);
    hs_text_add(t, "\\fR\n");
    roff(t, hs_policies[i]->summary);
    hs_text_add(t, "\n");
  }
}

void hs_cli_man(struct hs_text *t)
{
  man_head(t);
  man_description(t);
  man_options(t);
  man_policies(t);
  hs_text_add(t, ".SH \"EXIT STATUS\"\n");
  for (size_t i = 0; i < sizeof exit_codes / sizeof *exit_codes; i++) hs_text_addf(t, ".TP\n%zu\n%s\n", i, exit_codes[i]);
  hs_text_add(t, ".SH ENVIRONMENT\n.TP\nHETSIM_DATA\nfolder that has socs/ and workloads/, traces/ where it has scenarios, and validation/ for validate\n.SH EXAMPLE\n.nf\n"
                 "hetsim \\-\\-soc sd855 \\-\\-policy gpu yolov2\n.fi\n");
}
