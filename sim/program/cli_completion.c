/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The completion of bash, a script. bash takes "=" and ":" for words of their own. */
#include <string.h>

#include "program/cli_table.h"
#include "program/reproduce.h"

static const char head[] =
  "# bash completion of hetsim, printed from its table of options\n\n"
  "_hetsim_list() { \"${COMP_WORDS[0]/#\\~/$HOME}\" list \"$1\" 2>/dev/null | awk '{ print $1 }'; }\n\n"
  "# Behind the last comma.\n"
  "_hetsim_propose()\n"
  "{\n"
  "  local last=${cur##*,} action=()\n"
  "  [[ $files ]] && action=(-f)\n"
  "  mapfile -t COMPREPLY < <(compgen \"${action[@]}\" -P \"${cur%\"$last\"}\" -W \"$1\" -- \"$last\")\n"
  "  [[ $files ]] && compopt -o filenames 2>/dev/null\n"
  "  [[ ${COMPREPLY[0]} == *= ]] && compopt -o nospace 2>/dev/null\n"
  "  return 0\n"
  "}\n\n"
  "_hetsim()\n"
  "{\n"
  "  local cur=${COMP_WORDS[COMP_CWORD]} option=${COMP_WORDS[COMP_CWORD-1]} command=run word files= options=\n"
  "  if [[ $cur == = ]]; then cur=; elif [[ $option == = ]]; then option=${COMP_WORDS[COMP_CWORD-2]}; fi\n";

/* What comes behind the command, after first_words(); models are also what a command that isn't there yet may be taken for. */
static const char words[] =
  "  show:show) _hetsim_propose 'soc model policy' ;;\n"
  "  show:soc) files=1; _hetsim_propose \"$(_hetsim_list socs)\" ;;\n"
  "  show:policy) _hetsim_propose \"$(_hetsim_list policies)\" ;;\n"
  "  reproduce:*) _hetsim_propose \"$(\"${COMP_WORDS[0]/#\\~/$HOME}\" list reproductions 2>/dev/null | awk -v p=\"$option\" '$1 == p { print $2 }')\" ;;\n"
  "  list:*|validate:*) ;;\n"
  "  calibrate:*) files=1; _hetsim_propose '' ;;\n"
  "  *) files=1; _hetsim_propose \"$([[ $command == \"${COMP_WORDS[1]}\" ]] || echo \"$commands\") $(_hetsim_list models)\" ;;\n"
  "  esac\n"
  "}\n"
  "complete -F _hetsim hetsim\n";

static void first_words(struct hs_text *t)
{
  hs_text_add(t, "  [[ $option == : ]] && { _hetsim_propose \"$(_hetsim_list policies)\"; return; }\n"
                 "  case $command:$option in\n"
                 "  list:list) _hetsim_propose '");
  hs_list_words(" ", t);
  hs_text_add(t, "' ;;\n  reproduce:reproduce) _hetsim_propose '");
  hs_papers_words(" ", t);
  hs_text_add(t, "' ;;\n");
}

static void commands(struct hs_text *t)
{
  hs_text_add(t, "  local commands='");
  for (int k = 0; k < HS_COMMAND_N; k++) hs_text_addf(t, "%s%s", k ? " " : "", hs_command_names[k]);
  hs_text_add(t, " help'\n  for word in $commands; do [[ $COMP_CWORD -gt 1 && ${COMP_WORDS[1]} == \"$word\" ]] && command=$word; done\n");
}

static void propose(const char *const *words, struct hs_text *t)
{
  hs_text_add(t, "_hetsim_propose '");
  for (int i = 0; words && words[i]; i++) hs_text_addf(t, "%s%s", i ? " " : "", words[i]);
  hs_text_add(t, "'; ");
}

/* By what an option's argument may be. */
static void arguments(struct hs_text *t)
{
  hs_text_add(t, "  case $option in\n");
  for (int i = 0; i < hs_n_option_rows; i++) {
    const struct hs_option_row *r = &hs_option_rows[i];
    if (!r->argument) continue;
    hs_text_addf(t, "  -%c|--%s) ", r->id, r->name);
    bool list = r->values && r->values[0][0] == '@', file = strcmp(r->argument, "FILE") == 0 || strstr(r->help, "JSON file") || strstr(r->help, "CSV file");
    if (file) hs_text_add(t, "files=1; ");
    if (list) hs_text_addf(t, "_hetsim_propose \"$(_hetsim_list %s)\"; ", r->values[0] + 1);
    else if (r->values || file) propose(r->values, t);
    hs_text_add(t, "return ;;\n");
  }
  hs_text_add(t, "  esac\n");
}

static void options(struct hs_text *t)
{
  hs_text_add(t, "  case $command in\n");
  for (int k = 0; k < HS_COMMAND_N; k++) {
    hs_text_addf(t, "  %s) options='", hs_command_names[k]);
    for (int i = 0, n = 0; i < hs_n_option_rows; i++)
      if (hs_option_rows[i].commands >> k & 1) hs_text_addf(t, "%s--%s%s", n++ ? " " : "", hs_option_rows[i].name, hs_option_rows[i].argument ? "=" : "");
    hs_text_add(t, "' ;;\n");
  }
  hs_text_add(t, "  esac\n  [[ $cur == -* ]] && { _hetsim_propose \"$options\"; return; }\n");
}

void hs_cli_completion(struct hs_text *t)
{
  hs_text_add(t, head);
  commands(t);
  arguments(t);
  options(t);
  first_words(t);
  hs_text_add(t, words);
}
