/* SPDX-License-Identifier: GPL-3.0-or-later */
/* hetsim list: what there is, by name. */
#include <string.h>

#include "base/files.h"
#include "base/json_put.h"
#include "input/catalog.h"
#include "input/runtime.h"
#include "out/table.h"
#include "policies/policy.h"
#include "program/cli.h"
#include "program/reproduce.h"

struct list {
  bool json;
  struct hs_text text; /* JSON */
  struct hs_table table;
};

static void row(struct list *l, const char *name, const char *title)
{
  if (!l->json) {
    hs_table_add(&l->table, "%s", name);
    hs_table_rest(&l->table, title);
    return;
  }
  hs_put_line(&l->text, 2);
  hs_put_open(&l->text, NULL, '{');
  hs_put_string(&l->text, "name", name);
  hs_put_string(&l->text, "title", title);
  hs_put_close(&l->text, '}');
}

static enum hs_status list_socs(struct list *l, struct hs_error *err)
{
  struct hs_catalog c;
  enum hs_status status = hs_catalog_open(&c, err);
  for (int i = 0; !status && i < c.n_names[HS_SOCS]; i++) {
    struct hs_soc *soc = NULL;
    status = hs_catalog_soc(&c, c.names[HS_SOCS][i], &soc, err);
    if (!status) row(l, c.names[HS_SOCS][i], soc->title);
    hs_soc_free(soc);
  }
  hs_catalog_close(&c);
  return status;
}

static enum hs_status list_models(struct list *l, struct hs_error *err)
{
  struct hs_catalog c;
  enum hs_status status = hs_catalog_open(&c, err);
  for (int i = 0; !status && i < c.n_names[HS_WORKLOADS]; i++) {
    struct hs_graph *g = NULL;
    status = hs_catalog_workload(&c, c.names[HS_WORKLOADS][i], &g, err);
    if (!status) row(l, c.names[HS_WORKLOADS][i], g->title);
    hs_graph_free(g);
  }
  hs_catalog_close(&c);
  return status;
}

static enum hs_status list_policies(struct list *l, struct hs_error *err)
{
  (void)err;
  for (int i = 0; i < hs_n_policies; i++) row(l, hs_policies[i]->name, hs_policies[i]->summary);
  return HS_OK;
}

static enum hs_status list_runtimes(struct list *l, struct hs_error *err)
{
  (void)err;
  for (int i = 0; i < hs_n_runtimes; i++) row(l, hs_runtimes[i].name, hs_runtimes[i].title);
  return HS_OK;
}

static enum hs_status list_scenarios(struct list *l, struct hs_error *err)
{
  struct hs_catalog c;
  enum hs_status status = hs_catalog_open(&c, err);
  for (int i = 0; !status && i < c.n_names[HS_SCENARIOS]; i++) {
    char path[HS_CATALOG_PATH];
    const char *title;
    status = hs_catalog_scenario(&c, c.names[HS_SCENARIOS][i], path, err);
    if (!status) status = hs_scenario_title(path, &c.arena, &title, err);
    if (!status) row(l, c.names[HS_SCENARIOS][i], title);
  }
  hs_catalog_close(&c);
  return status;
}

static void reproduction(void *state, const char *name, const char *title) { row(state, name, title); }

static enum hs_status list_reproductions(struct list *l, struct hs_error *err)
{
  (void)err;
  hs_papers_each(reproduction, l);
  return HS_OK;
}

static const struct {
  const char *word;
  enum hs_status (*list)(struct list *, struct hs_error *);
} lists[] = {{"socs", list_socs}, {"models", list_models}, {"policies", list_policies}, {"runtimes", list_runtimes},
             {"scenarios", list_scenarios}, {"reproductions", list_reproductions}};
enum { N_LISTS = sizeof lists / sizeof *lists };

void hs_list_words(const char *between, struct hs_text *out)
{
  for (int i = 0; i < N_LISTS; i++) hs_text_addf(out, "%s%s", i ? between : "", lists[i].word);
}

static enum hs_status refuse(const char *given, struct hs_error *err)
{
  struct hs_text words = {0};
  hs_list_words(", ", &words);
  hs_fail(err, HS_USAGE, "hetsim list takes one of %s%s%.60s", words.s, given ? ", not " : "", given ? given : "");
  hs_text_free(&words);
  return HS_USAGE;
}

enum hs_status hs_cmd_list(const struct hs_cli *cli, struct hs_error *err)
{
  if (cli->n_words == 1)
    for (int i = 0; i < N_LISTS; i++) {
      if (strcmp(lists[i].word, cli->words[0]) != 0) continue;
      struct list l = {.json = cli->format == HS_FORMAT_JSON, .table.n_columns = 2};
      hs_text_add(&l.text, l.json ? "[" : "");
      enum hs_status status = lists[i].list(&l, err);
      hs_text_add(&l.text, l.json ? "\n]\n" : "");
      if (!l.json) hs_table_print(&l.table, &l.text);
      if (!status) status = hs_file_write(cli->output ? cli->output : "-", &l.text, err);
      hs_table_free(&l.table);
      hs_text_free(&l.text);
      return status;
    }
  if (cli->n_words > 1) return hs_fail(err, HS_USAGE, "hetsim list takes one word, not %.60s as well", cli->words[1]);
  return refuse(cli->n_words ? cli->words[0] : NULL, err);
}
