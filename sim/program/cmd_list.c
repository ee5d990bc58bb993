/* SPDX-License-Identifier: GPL-3.0-or-later */
/* hetsim list: what there is, by name. */
#include <string.h>

#include "input/catalog.h"
#include "input/runtime.h"
#include "policies/policy.h"
#include "program/cli.h"
#include "program/reproduce.h"

static void row(struct hs_text *t, bool json, bool first, const char *name, const char *title)
{
  if (!json) {
    hs_text_addf(t, "%-20s %s\n", name, title);
    return;
  }
  hs_text_add(t, first ? "\n  {\"name\": " : ",\n  {\"name\": ");
  hs_text_string(t, name);
  hs_text_add(t, ", \"title\": ");
  hs_text_string(t, title);
  hs_text_add(t, "}");
}

static enum hs_status list_socs(struct hs_text *t, bool json, struct hs_error *err)
{
  struct hs_catalog c;
  enum hs_status status = hs_catalog_open(&c, err);
  for (int i = 0; !status && i < c.n_names[HS_SOCS]; i++) {
    struct hs_soc *soc = NULL;
    status = hs_catalog_soc(&c, c.names[HS_SOCS][i], &soc, err);
    if (!status) row(t, json, i == 0, c.names[HS_SOCS][i], soc->title);
    hs_soc_free(soc);
  }
  hs_catalog_close(&c);
  return status;
}

static enum hs_status list_models(struct hs_text *t, bool json, struct hs_error *err)
{
  struct hs_catalog c;
  enum hs_status status = hs_catalog_open(&c, err);
  for (int i = 0; !status && i < c.n_names[HS_WORKLOADS]; i++) {
    struct hs_graph *g = NULL;
    status = hs_catalog_workload(&c, c.names[HS_WORKLOADS][i], &g, err);
    if (!status) row(t, json, i == 0, c.names[HS_WORKLOADS][i], g->title);
    hs_graph_free(g);
  }
  hs_catalog_close(&c);
  return status;
}

static enum hs_status list_policies(struct hs_text *t, bool json, struct hs_error *err)
{
  (void)err;
  for (int i = 0; i < hs_n_policies; i++) row(t, json, i == 0, hs_policies[i]->name, hs_policies[i]->summary);
  return HS_OK;
}

static enum hs_status list_runtimes(struct hs_text *t, bool json, struct hs_error *err)
{
  (void)err;
  for (int i = 0; i < hs_n_runtimes; i++) row(t, json, i == 0, hs_runtimes[i].name, hs_runtimes[i].title);
  return HS_OK;
}

static enum hs_status list_scenarios(struct hs_text *t, bool json, struct hs_error *err)
{
  struct hs_catalog c;
  enum hs_status status = hs_catalog_open(&c, err);
  for (int i = 0; !status && i < c.n_names[HS_SCENARIOS]; i++) {
    char path[HS_CATALOG_PATH];
    const char *title;
    status = hs_catalog_scenario(&c, c.names[HS_SCENARIOS][i], path, err);
    if (!status) status = hs_scenario_title(path, &c.arena, &title, err);
    if (!status) row(t, json, i == 0, c.names[HS_SCENARIOS][i], title);
  }
  hs_catalog_close(&c);
  return status;
}

struct reproductions {
  struct hs_text *t;
  bool json, first;
};

static void reproduction(void *state, const char *name, const char *title)
{
  struct reproductions *l = state;
  row(l->t, l->json, l->first, name, title);
  l->first = false;
}

static enum hs_status list_reproductions(struct hs_text *t, bool json, struct hs_error *err)
{
  struct reproductions l = {t, json, true};
  (void)err;
  hs_reproduce_each(reproduction, &l);
  return HS_OK;
}

enum hs_status hs_cmd_list(const struct hs_cli *cli, struct hs_error *err)
{
  static const struct {
    const char *word;
    enum hs_status (*list)(struct hs_text *, bool, struct hs_error *);
  } lists[] = {{"socs", list_socs}, {"models", list_models}, {"policies", list_policies}, {"runtimes", list_runtimes},
               {"scenarios", list_scenarios}, {"reproductions", list_reproductions}};
  bool json = cli->format == HS_FORMAT_JSON;
  if (cli->n_words == 1)
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
      if (strcmp(lists[i].word, cli->words[0]) != 0) continue;
      struct hs_text t = {0};
      hs_text_add(&t, json ? "[" : "");
      enum hs_status status = lists[i].list(&t, json, err);
      hs_text_add(&t, json ? "\n]\n" : "");
      if (!status) status = hs_file_write(cli->output ? cli->output : "-", &t, err);
      hs_text_free(&t);
      return status;
    }
  return hs_fail(err, HS_USAGE, "hetsim list takes one of socs, models, policies, runtimes, scenarios, reproductions%s%.60s", cli->n_words ? ", not " : "",
                 cli->n_words ? cli->words[0] : "");
}
