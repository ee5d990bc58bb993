/* SPDX-License-Identifier: GPL-3.0-or-later */
/* hetsim show: one SoC, one network with its operator × processor matrix, one policy. */
#include <string.h>

#include "base/files.h"
#include "base/json_put.h"
#include "program/cli.h"
#include "program/cli_table.h"
#include "program/lookup.h"
#include "program/setup.h"
#include "program/show_soc.h"

static enum hs_status show_soc(const struct hs_cli *cli, struct hs_text *t, struct hs_error *err)
{
  struct hs_catalog c;
  struct hs_soc *soc = NULL;
  enum hs_status status = hs_catalog_open(&c, err);
  if (!status) status = hs_catalog_soc(&c, cli->words[1], &soc, err);
  if (!status) status = (cli->format == HS_FORMAT_JSON ? hs_show_soc_json : hs_show_soc_text)(&c, soc, t, err);
  hs_soc_free(soc);
  hs_catalog_close(&c);
  return status;
}

/* --- model --- */

/* A column of the operator × processor matrix: a processor of a SoC, or without a SoC a kind of the runtime's. */
struct matrix {
  const struct hs_setup *setup;
  int n;
  const char *names[HS_PROCESSORS_MAX];
  const struct hs_op_support *tables[HS_PROCESSORS_MAX]; /* NULL: the runtime has no code for it */
  enum hs_kind kinds[HS_PROCESSORS_MAX];                 /* without a SoC, and what the runtime prefers to compute in there */
  int bits[HS_PROCESSORS_MAX];
};

static bool supports(const struct matrix *m, const struct hs_graph *g, const struct hs_operator *op, int column, char *why, size_t size)
{
  if (m->setup->soc) return hs_system_supports(&m->setup->sys, g, op, column, why, size);
  return hs_op_supported_on(m->tables[column], m->kinds[column], g, op, m->bits[column], why, size);
}

static double traffic_bytes(const struct hs_graph *g, const struct hs_operator *op)
{
  return 4 * (hs_op_params_read(g, op) + (double)(hs_op_input_elements(g, op) + hs_op_output_elements(g, op)));
}

/* Whose operators they are, and where that was read. */
static void tables_text(const struct matrix *m, struct hs_text *t)
{
  hs_text_add(t, "\n");
  for (int c = 0; c < m->n; c++)
    if (m->tables[c])
      hs_text_addf(t, "%-10s %s: %s; %s\n", m->names[c], hs_op_support_name(m->tables[c]), hs_op_support_title(m->tables[c]),
                   hs_op_support_source(m->tables[c]));
}

static void tables_json(const struct matrix *m, struct hs_text *t)
{
  hs_put_open(t, "op_support", '{');
  for (int c = 0; c < m->n; c++) {
    if (!m->tables[c]) continue;
    hs_put_line(t, 2);
    hs_put_open(t, m->names[c], '{');
    hs_put_string(t, "name", hs_op_support_name(m->tables[c]));
    hs_put_string(t, "title", hs_op_support_title(m->tables[c]));
    hs_put_string(t, "source", hs_op_support_source(m->tables[c]));
    hs_put_close(t, '}');
  }
  hs_put_close(t, '}');
}

static void model_text(const struct hs_graph *g, const struct matrix *m, struct hs_text *t)
{
  char shape[64], why[200];
  double bytes = 0;
  int widest = 8;
  for (int i = 0; i < g->n_ops; i++) {
    bytes += traffic_bytes(g, &g->ops[i]);
    if ((int)strlen(g->ops[i].name) > widest) widest = (int)strlen(g->ops[i].name);
  }
  hs_text_addf(t, "%s: %s\n%d operators, %s, %s parameters, %s moved in fp32, %.3g MAC/B\n\n", g->name, g->title, g->n_ops,
               hs_si_tmp(hs_graph_macs(g), "MAC"), hs_si_tmp((double)hs_graph_params(g), ""), hs_si_tmp(bytes, "B"), hs_graph_macs(g) / bytes);
  if (m->setup->soc) hs_text_addf(t, "y: a kernel on that processor of %s, under runtime %s\n\n", m->setup->soc->name, m->setup->sys.runtime->name);
  hs_text_addf(t, "%5s %-*s %-21s %-16s %10s %9s %8s %8s ", "block", widest, "operator", "type", "output", "MAC", "params", "bytes", "MAC/B");
  for (int c = 0; c < m->n; c++) hs_text_addf(t, " %s", m->names[c]);
  hs_text_add(t, "\n");
  for (int i = 0; i < g->n_ops; i++) {
    const struct hs_operator *op = &g->ops[i];
    hs_text_addf(t, "%5d %-*s %-21s %-16s %10s %9s %8s %8.3g ", op->block, widest, op->name, hs_op_name(op->type),
                 hs_shape_text(&g->tensors[op->outputs[0]].shape, shape, sizeof shape), op->macs > 0 ? hs_si_tmp(op->macs, "") : "-",
                 op->params ? hs_si_tmp((double)op->params, "") : "-", hs_si_tmp(traffic_bytes(g, op), "B"), op->macs / traffic_bytes(g, op));
    for (int c = 0; c < m->n; c++)
      hs_text_addf(t, " %*s", (int)strlen(m->names[c]), supports(m, g, op, c, why, sizeof why) ? "y" : "-");
    hs_text_add(t, "\n");
  }
  tables_text(m, t);
}

static void op_json(const struct hs_graph *g, const struct hs_operator *op, const struct matrix *m, struct hs_text *t)
{
  char why[200], shape[64];
  hs_put_line(t, 2);
  hs_put_open(t, NULL, '{');
  hs_put_string(t, "name", op->name);
  hs_put_string(t, "op", hs_op_name(op->type));
  hs_put_number(t, "block", op->block);
  hs_put_string(t, "output", hs_shape_text(&g->tensors[op->outputs[0]].shape, shape, sizeof shape));
  hs_put_number(t, "macs", op->macs);
  hs_put_number(t, "params", (double)op->params);
  hs_put_number(t, "fp32_bytes", traffic_bytes(g, op));
  hs_put_open(t, "support", '{');
  for (int c = 0; c < m->n; c++) hs_put_bool(t, m->names[c], supports(m, g, op, c, why, sizeof why));
  hs_put_close(t, '}');
  hs_put_open(t, "why_not", '{');
  for (int c = 0; c < m->n; c++)
    if (!supports(m, g, op, c, why, sizeof why)) hs_put_string(t, m->names[c], why);
  hs_put_close(t, '}');
  hs_put_close(t, '}');
}

static void model_json(const struct hs_graph *g, const struct matrix *m, struct hs_text *t)
{
  hs_put_open(t, NULL, '{');
  hs_put_string(t, "name", g->name);
  hs_put_string(t, "title", g->title);
  hs_put_line(t, 1);
  hs_put_string(t, "source", g->source);
  hs_put_line(t, 1);
  hs_put_number(t, "macs", hs_graph_macs(g));
  hs_put_number(t, "params", (double)hs_graph_params(g));
  hs_put_number(t, "n_ops", g->n_ops);
  hs_put_line(t, 1);
  tables_json(m, t);
  hs_put_line(t, 1);
  hs_put_open(t, "ops", '[');
  for (int i = 0; i < g->n_ops; i++) op_json(g, &g->ops[i], m, t);
  hs_put_line(t, 1);
  hs_put_close(t, ']');
  hs_put_line(t, 0);
  hs_put_close(t, '}');
  hs_put_line(t, 0);
}

/* Without a SoC: the kinds that the runtime has code for. */
static enum hs_status runtime_columns(struct hs_setup *s, const char *runtime, struct matrix *m, struct hs_error *err)
{
  const struct hs_runtime *rt;
  HS_TRY(hs_lookup_runtime(runtime ? runtime : "tflite", &rt, err));
  HS_TRY(hs_catalog_open(&s->catalog, err));
  for (int k = 0; k < HS_KIND_N; k++) {
    if (!rt->backends[k].present) continue;
    const struct hs_op_support *table = hs_catalog_table(&s->catalog, rt->backends[k].table[HS_BUFFER], err);
    if (!table) return err->status;
    m->names[m->n] = hs_kind_names[k];
    m->kinds[m->n] = (enum hs_kind)k;
    m->bits[m->n] = 8 * hs_precision_bytes(rt->backends[k].precisions[0]);
    m->tables[m->n++] = table;
  }
  return HS_OK;
}

static enum hs_status show_model_with(const struct hs_cli *cli, struct hs_setup *s, struct hs_text *t, struct hs_error *err)
{
  const struct hs_run_options options = hs_cli_run_options(cli);
  struct matrix m = {.setup = s};
  if (cli->soc) {
    HS_TRY(hs_setup_system(s, &options, err));
    for (m.n = 0; m.n < s->soc->n_processors; m.n++) {
      m.names[m.n] = s->soc->processors[m.n].name;
      m.tables[m.n] = s->sys.backends[m.n].support;
    }
  } else
    HS_TRY(runtime_columns(s, cli->runtime, &m, err));
  s->n_networks = 1;
  HS_TRY(hs_catalog_workload(&s->catalog, cli->words[1], &s->networks[0].file_graph, err));
  (cli->format == HS_FORMAT_JSON ? model_json : model_text)(s->networks[0].file_graph, &m, t);
  return HS_OK;
}

static enum hs_status show_model(const struct hs_cli *cli, struct hs_text *t, struct hs_error *err)
{
  static struct hs_setup s; /* too large for comfort on the stack */
  enum hs_status status = show_model_with(cli, &s, t, err);
  hs_setup_free(&s);
  return status;
}

/* --- policy --- */

static void policy_text(const struct hs_policy *p, struct hs_text *t)
{
  hs_text_addf(t, "%s: %s\nneeds            %s\ndefault runtime  %s\nmodel precision  %s\nmemory of a GPU  %s\nreference        %s\n", p->name, p->summary,
               p->needs ? p->needs : "nothing", p->defaults.runtime, hs_precision_names[p->defaults.precision],
               p->defaults.memory_type ? p->defaults.memory_type : "the SoC's preferred", p->reference);
  for (int i = 0; i < p->n_params; i++) {
    hs_text_addf(t, "--param %s=%s  %s (", p->params[i].name, p->params[i].fallback, p->params[i].help);
    hs_policy_rule(&p->params[i], t);
    hs_text_add(t, ")\n");
  }
}

static void param_json(const struct hs_param *param, struct hs_text *t)
{
  hs_put_open(t, NULL, '{');
  hs_put_string(t, "name", param->name);
  hs_put_string(t, "default", param->fallback);
  hs_put_open(t, "words", '[');
  for (int k = 0; param->words && param->words[k]; k++) hs_put_string(t, NULL, param->words[k]);
  hs_put_close(t, ']');
  if (param->min < param->max) {
    hs_put_number(t, "min", param->min);
    hs_put_number(t, "max", param->max);
    hs_put_bool(t, "whole", param->whole);
  }
  hs_put_string(t, "help", param->help);
  hs_put_close(t, '}');
}

static void policy_json(const struct hs_policy *p, struct hs_text *t)
{
  hs_put_open(t, NULL, '{');
  hs_put_string(t, "name", p->name);
  hs_put_string(t, "summary", p->summary);
  hs_put_string(t, "needs", p->needs ? p->needs : "");
  hs_put_string(t, "default_runtime", p->defaults.runtime);
  hs_put_string(t, "default_precision", hs_precision_names[p->defaults.precision]);
  hs_put_string(t, "default_memory_type", p->defaults.memory_type);
  hs_put_string(t, "reference", p->reference);
  hs_put_open(t, "params", '[');
  for (int i = 0; i < p->n_params; i++) param_json(&p->params[i], t);
  hs_put_close(t, ']');
  hs_put_close(t, '}');
  hs_put_line(t, 0);
}

static enum hs_status show_policy(const struct hs_cli *cli, struct hs_text *t, struct hs_error *err)
{
  const struct hs_policy *p;
  HS_TRY(hs_lookup_policy(cli->words[1], &p, err));
  (cli->format == HS_FORMAT_JSON ? policy_json : policy_text)(p, t);
  return HS_OK;
}

static bool is_among(const char *name, const char *const *names)
{
  while (*names && strcmp(*names, name) != 0) names++;
  return *names;
}

/* Which operators of a network run goes by the phone and its kernels, or without a phone by the runtime. Nothing else that is shown depends on options. */
static enum hs_status check_options(const struct hs_cli *cli, struct hs_error *err)
{
  static const char *const always[] = {"format", "output", NULL}, *const of_model[] = {"format", "output", "runtime", NULL};
  bool model = strcmp(cli->words[0], "model") == 0;
  for (int i = 0; i < hs_n_option_rows && !(model && cli->soc); i++)
    if (cli->given[i] && !is_among(hs_option_rows[i].name, model ? of_model : always))
      return hs_fail(err, HS_USAGE, "--%s does not go with hetsim show %s%s", hs_option_rows[i].name, cli->words[0], model ? " without --soc" : "");
  return HS_OK;
}

enum hs_status hs_cmd_show(const struct hs_cli *cli, struct hs_error *err)
{
  static const struct {
    const char *word;
    enum hs_status (*show)(const struct hs_cli *, struct hs_text *, struct hs_error *);
  } shows[] = {{"soc", show_soc}, {"model", show_model}, {"policy", show_policy}};
  if (cli->n_words == 2)
    for (size_t i = 0; i < sizeof shows / sizeof *shows; i++) {
      if (strcmp(shows[i].word, cli->words[0]) != 0) continue;
      HS_TRY(check_options(cli, err));
      struct hs_text t = {0};
      enum hs_status status = shows[i].show(cli, &t, err);
      if (!status) status = hs_file_write(cli->output ? cli->output : "-", &t, err);
      hs_text_free(&t);
      return status;
    }
  return hs_fail(err, HS_USAGE, "hetsim show takes soc, model or policy, and a name");
}
