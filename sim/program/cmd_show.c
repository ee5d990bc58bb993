/* SPDX-License-Identifier: GPL-3.0-or-later */
/* hetsim show: one SoC with its assumed numbers, one network with its operator × processor matrix, one policy. */
#include <string.h>

#include "program/cli.h"
#include "program/setup.h"
#include "program/show_kernels.h"

static void json_pair(struct hs_text *t, const char *name, double v, const char *after)
{
  hs_text_addf(t, "\"%s\": ", name);
  hs_text_number(t, v);
  hs_text_add(t, after);
}

static void json_string(struct hs_text *t, const char *name, const char *v, const char *after)
{
  hs_text_addf(t, "\"%s\": ", name);
  hs_text_string(t, v);
  hs_text_add(t, after);
}

/* --- SoC --- */

static void soc_processor_text(const struct hs_processor *p, struct hs_text *t)
{
  hs_text_addf(t, "\n%s (%s, %s)  attains %s\n", p->name, hs_kind_names[p->kind], p->discipline == HS_QUEUED ? "queued" : "processor-shared",
               hs_si_tmp(p->bandwidth_bytes_per_s, "B/s"));
  if (p->local_bytes > 0) hs_text_addf(t, "  tensors of up to %s per operator stay on it\n", hs_si_tmp(p->local_bytes, "B"));
  if (p->slice_limit_bytes > 0) hs_text_addf(t, "  a model slice may take %s\n", hs_si_tmp(p->slice_limit_bytes, "B"));
  for (int d = p->n_domains - 1; d >= 0; d--) {
    const struct hs_domain *dom = &p->domains[d];
    const struct hs_opp *low = &dom->opps[0], *top = &dom->opps[dom->n_opps - 1];
    hs_text_addf(t, "  %-7s %d × %s, %d OPP%s %.0f–%.0f MHz, %.2f–%.2f V, at the top %s dynamic per core, %s static\n", dom->name, dom->cores,
                 *dom->core_type ? dom->core_type : "unit", dom->n_opps, dom->n_opps > 1 ? "s" : "", low->freq_hz / 1e6, top->freq_hz / 1e6, low->volt,
                 top->volt, hs_si_tmp(top->dynamic_w, "W"), hs_si_tmp(top->static_w, "W"));
    if (top->shared_w > 0) hs_text_addf(t, "          %s more for all cores together, while one is busy\n", hs_si_tmp(top->shared_w, "W"));
    for (int k = 0; k < HS_PRECISION_N; k++)
      if (dom->macs_per_cycle[k] > 0)
        hs_text_addf(t, "          %s: %g MAC per cycle, %s in all\n", hs_precision_names[k], dom->macs_per_cycle[k],
                     hs_si_tmp(dom->macs_per_cycle[k] * dom->cores * top->freq_hz, "MAC/s"));
  }
}

static void soc_sharing_text(const struct hs_soc *s, struct hs_text *t)
{
  hs_text_add(t, "\nsharing costs: fixed, and per MB\n");
  for (int a = 0; a < HS_KIND_N; a++)
    for (int b = 0; b < HS_KIND_N; b++) {
      if (!s->has_sharing[a][b]) continue;
      hs_text_addf(t, "  %s → %s:", hs_kind_names[a], hs_kind_names[b]);
      for (int k = 0; k < HS_COMM_N; k++) {
        const struct hs_comm_cost *c = &s->sharing[a][b][k];
        if (c->fixed_s > 0 || c->s_per_byte > 0)
          hs_text_addf(t, "  %s %s + %s", hs_comm_names[k], hs_si_tmp(c->fixed_s, "s"), hs_si_tmp(c->s_per_byte * 1e6, "s"));
      }
      hs_text_add(t, "\n");
    }
}

static void soc_node_text(const struct hs_soc *s, int n, struct hs_text *t)
{
  const struct hs_thermal *h = &s->thermal;
  hs_text_addf(t, "  %-8s %.4g J/K", h->nodes[n].name, h->nodes[n].capacitance_j_per_k);
  for (int i = 0; i < h->n_links; i++)
    if (h->links[i].from == n)
      hs_text_addf(t, ", %.4g K/W to %s", h->links[i].resistance_k_per_w, h->links[i].to < 0 ? "ambient" : h->nodes[h->links[i].to].name);
  const char *before = "; heated by ";
  for (int p = 0; p < s->n_processors; p++) {
    if (!(h->nodes[n].processors >> p & 1)) continue;
    hs_text_addf(t, "%s%s", before, s->processors[p].name);
    before = ", ";
  }
  before = h->zones[n].power_allocator ? "; power_allocator: " : "; step_wise: ";
  for (int i = 0; i < h->n_trips; i++) {
    if (h->trips[i].node != n) continue;
    hs_text_addf(t, "%s%s %.4g °C", before, h->trips[i].type, h->trips[i].temperature_c);
    before = ", ";
  }
  hs_text_add(t, "\n");
}

static void soc_thermal_text(const struct hs_soc *s, struct hs_text *t)
{
  const struct hs_thermal *h = &s->thermal;
  if (h->n_nodes == 0) return;
  hs_text_addf(t, "\nheat: ambient %.4g °C; of each node capacitance, resistances, and trips by its thermal governor\n", h->ambient_c);
  for (int n = 0; n < h->n_nodes; n++) soc_node_text(s, n, t);
  for (int i = 0; i < h->n_vendor_caps; i++) {
    const struct hs_vendor_cap *c = &h->vendor_caps[i];
    const struct hs_processor *p = &s->processors[c->processor];
    const struct hs_opp *at = &p->domains[p->n_domains - 1].opps[c->level];
    double freq_hz = at->freq_hz + (c->above_frac > 0 ? c->above_frac * (at[1].freq_hz - at->freq_hz) : 0);
    hs_text_addf(t, "  from %s %.4g °C the vendor caps %s to %.0f MHz\n", h->nodes[c->node].name, c->temperature_c, p->name, freq_hz / 1e6);
  }
}

static void assumed_text(const struct hs_sources *s, struct hs_text *t)
{
  int n[HS_SOURCE_KIND_N] = {0};
  for (int i = 0; i < s->n_numbers; i++) n[s->list[s->numbers[i].source].kind]++;
  hs_text_addf(t, "\nsources: %d entries measured, %d vendor, %d derived, %d press, %d assumed. Assumed:\n", n[HS_MEASURED], n[HS_VENDOR], n[HS_DERIVED],
               n[HS_PRESS], n[HS_ASSUMED]);
  for (int i = 0; i < s->n_numbers; i++) {
    const struct hs_provenance *p = &s->numbers[i];
    if (s->list[p->source].kind != HS_ASSUMED) continue;
    hs_text_addf(t, "  %-58s ", p->path);
    hs_text_number(t, p->value);
    hs_text_addf(t, "%s  (%s)\n", p->n_values > 1 ? ", …" : "", s->list[p->source].name);
  }
  hs_text_add(t, "because:\n");
  for (int i = 0; i < s->n; i++)
    if (s->list[i].kind == HS_ASSUMED) hs_text_addf(t, "  %-14s %s\n", s->list[i].name, s->list[i].ref);
}

static enum hs_status soc_text(struct hs_catalog *c, const struct hs_soc *s, struct hs_text *t, struct hs_error *err)
{
  hs_text_addf(t, "%s: %s\nidle device %s; memory %s %s, %s peak, shared cache %s\n", s->name, s->title, hs_si_tmp(s->idle_w, "W"),
               hs_si_tmp(s->memory.capacity_bytes, "B"), s->memory.type, hs_si_tmp(s->memory.peak_bytes_per_s, "B/s"),
               hs_si_tmp(s->memory.llc_bytes, "B"));
  for (int p = 0; p < s->n_processors; p++) soc_processor_text(&s->processors[p], t);
  soc_sharing_text(s, t);
  soc_thermal_text(s, t);
  HS_TRY(hs_show_kernels(c, s, false, t, err));
  assumed_text(&s->sources, t);
  return HS_OK;
}

static void soc_domain_json(const struct hs_domain *dom, struct hs_text *t)
{
  hs_text_addf(t, "{\"name\": \"%s\", \"cores\": %d, \"macs_per_cycle\": {", dom->name, dom->cores);
  const char *comma = "";
  for (int k = 0; k < HS_PRECISION_N; k++)
    if (dom->macs_per_cycle[k] > 0) {
      hs_text_add(t, comma);
      json_pair(t, hs_precision_names[k], dom->macs_per_cycle[k], "");
      comma = ", ";
    }
  hs_text_add(t, "}, \"opps\": [");
  for (int i = 0; i < dom->n_opps; i++) {
    hs_text_add(t, i ? ", {" : "{");
    json_pair(t, "freq_hz", dom->opps[i].freq_hz, ", ");
    json_pair(t, "volt", dom->opps[i].volt, ", ");
    json_pair(t, "dynamic_w", dom->opps[i].dynamic_w, ", ");
    json_pair(t, "static_w", dom->opps[i].static_w, ", ");
    json_pair(t, "shared_w", dom->opps[i].shared_w, "}");
  }
  hs_text_add(t, "]}");
}

static enum hs_status soc_json(struct hs_catalog *c, const struct hs_soc *s, struct hs_text *t, struct hs_error *err)
{
  hs_text_add(t, "{");
  json_string(t, "name", s->name, ", ");
  json_string(t, "title", s->title, ", ");
  json_pair(t, "idle_device_w", s->idle_w, ",\n \"memory\": {");
  json_pair(t, "capacity_bytes", s->memory.capacity_bytes, ", ");
  json_string(t, "type", s->memory.type, ", ");
  json_pair(t, "peak_bytes_per_s", s->memory.peak_bytes_per_s, ", ");
  json_pair(t, "llc_bytes", s->memory.llc_bytes, "},\n \"processors\": [\n");
  for (int p = 0; p < s->n_processors; p++) {
    hs_text_addf(t, "  {\"name\": \"%s\", \"kind\": \"%s\", \"domains\": [", s->processors[p].name, hs_kind_names[s->processors[p].kind]);
    for (int d = 0; d < s->processors[p].n_domains; d++) {
      hs_text_add(t, d ? ", " : "");
      soc_domain_json(&s->processors[p].domains[d], t);
    }
    hs_text_add(t, p + 1 < s->n_processors ? "]},\n" : "]}\n");
  }
  hs_text_add(t, " ],\n");
  HS_TRY(hs_show_kernels(c, s, true, t, err));
  hs_text_add(t, " \"numbers\": [\n");
  for (int i = 0; i < s->sources.n_numbers; i++) {
    const struct hs_provenance *n = &s->sources.numbers[i];
    const struct hs_source *from = &s->sources.list[n->source];
    hs_text_add(t, "  {");
    json_string(t, "path", n->path, ", ");
    json_pair(t, "value", n->value, ", ");
    json_pair(t, "n_values", n->n_values, ", ");
    json_string(t, "kind", hs_source_kind_names[from->kind], ", ");
    json_string(t, "ref", from->ref, i + 1 < s->sources.n_numbers ? "},\n" : "}\n");
  }
  hs_text_add(t, " ]\n}\n");
  return HS_OK;
}

static enum hs_status show_soc(const struct hs_cli *cli, struct hs_text *t, struct hs_error *err)
{
  struct hs_catalog c;
  struct hs_soc *soc = NULL;
  enum hs_status status = hs_catalog_open(&c, err);
  if (!status) status = hs_catalog_soc(&c, cli->words[1], &soc, err);
  if (!status) status = (cli->format == HS_FORMAT_JSON ? soc_json : soc_text)(&c, soc, t, err);
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
  /* without a SoC: */
  enum hs_kind kinds[HS_PROCESSORS_MAX];
  const struct hs_op_support *tables[HS_PROCESSORS_MAX];
};

static bool supports(const struct matrix *m, const struct hs_graph *g, const struct hs_operator *op, int column, char *why, size_t size)
{
  if (m->setup->soc) return hs_system_supports(&m->setup->sys, g, op, column, why, size);
  return hs_op_supported_on(m->tables[column], m->kinds[column], g, op, why, size);
}

static double traffic_bytes(const struct hs_graph *g, const struct hs_operator *op)
{
  return 4 * (hs_op_params_read(g, op) + (double)(hs_op_input_elements(g, op) + hs_op_output_elements(g, op)));
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
}

static void op_json(const struct hs_graph *g, const struct hs_operator *op, const struct matrix *m, struct hs_text *t)
{
  char why[200], shape[64];
  hs_text_add(t, "  {");
  json_string(t, "name", op->name, ", ");
  json_string(t, "op", hs_op_name(op->type), ", ");
  hs_text_addf(t, "\"block\": %d, \"output\": \"%s\", ", op->block, hs_shape_text(&g->tensors[op->outputs[0]].shape, shape, sizeof shape));
  json_pair(t, "macs", op->macs, ", ");
  json_pair(t, "params", (double)op->params, ", ");
  json_pair(t, "fp32_bytes", traffic_bytes(g, op), ", \"support\": {");
  for (int c = 0; c < m->n; c++)
    hs_text_addf(t, "%s\"%s\": %s", c ? ", " : "", m->names[c], supports(m, g, op, c, why, sizeof why) ? "true" : "false");
  hs_text_add(t, "}, \"why_not\": {");
  const char *comma = "";
  for (int c = 0; c < m->n; c++) {
    if (supports(m, g, op, c, why, sizeof why)) continue;
    hs_text_add(t, comma);
    json_string(t, m->names[c], why, "");
    comma = ", ";
  }
  hs_text_add(t, "}}");
}

static void model_json(const struct hs_graph *g, const struct matrix *m, struct hs_text *t)
{
  hs_text_add(t, "{");
  json_string(t, "name", g->name, ", ");
  json_string(t, "title", g->title, ",\n ");
  json_string(t, "source", g->source, ",\n ");
  json_pair(t, "macs", hs_graph_macs(g), ", ");
  json_pair(t, "params", (double)hs_graph_params(g), ", ");
  json_pair(t, "n_ops", g->n_ops, ",\n \"ops\": [\n");
  for (int i = 0; i < g->n_ops; i++) {
    op_json(g, &g->ops[i], m, t);
    hs_text_add(t, i + 1 < g->n_ops ? ",\n" : "\n");
  }
  hs_text_add(t, " ]\n}\n");
}

/* Without a SoC: the kinds that the runtime has code for. */
static enum hs_status runtime_columns(struct hs_setup *s, const char *runtime, struct matrix *m, struct hs_error *err)
{
  const struct hs_runtime *rt;
  HS_TRY(hs_setup_runtime(runtime ? runtime : "tflite", &rt, err));
  HS_TRY(hs_catalog_open(&s->catalog, err));
  for (int k = 0; k < HS_KIND_N; k++) {
    if (!rt->backends[k].present) continue;
    const struct hs_op_support *table = hs_catalog_table(&s->catalog, rt->backends[k].table[HS_BUFFER], err);
    if (!table) return err->status;
    m->names[m->n] = hs_kind_names[k];
    m->kinds[m->n] = (enum hs_kind)k;
    m->tables[m->n++] = table;
  }
  return HS_OK;
}

static enum hs_status show_model_with(const struct hs_cli *cli, struct hs_setup *s, struct hs_text *t, struct hs_error *err)
{
  const struct hs_request req = hs_cli_request(cli);
  struct matrix m = {.setup = s};
  if (cli->soc) {
    HS_TRY(hs_setup_system(s, &req, err));
    for (m.n = 0; m.n < s->soc->n_processors; m.n++) m.names[m.n] = s->soc->processors[m.n].name;
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
  hs_text_addf(t, "%s: %s\nneeds            %s\ndefault runtime  %s\nmodel precision  %s\nreference        %s\n", p->name, p->summary,
               p->needs ? p->needs : "nothing", p->default_runtime, hs_precision_names[p->default_precision], p->reference);
  for (int i = 0; i < p->n_params; i++) {
    hs_text_addf(t, "--param %s=%s  %s (", p->params[i].name, p->params[i].fallback, p->params[i].help);
    hs_policy_rule(&p->params[i], t);
    hs_text_add(t, ")\n");
  }
}

static void policy_json(const struct hs_policy *p, struct hs_text *t)
{
  hs_text_add(t, "{");
  json_string(t, "name", p->name, ", ");
  json_string(t, "summary", p->summary, ", ");
  json_string(t, "needs", p->needs ? p->needs : "", ", ");
  json_string(t, "default_runtime", p->default_runtime, ", ");
  json_string(t, "default_precision", hs_precision_names[p->default_precision], ", ");
  json_string(t, "reference", p->reference, ", \"params\": [");
  for (int i = 0; i < p->n_params; i++) {
    const struct hs_param *param = &p->params[i];
    hs_text_add(t, i ? ", {" : "{");
    json_string(t, "name", param->name, ", ");
    json_string(t, "default", param->fallback, ", ");
    hs_text_add(t, "\"words\": [");
    for (int k = 0; param->words && param->words[k]; k++) hs_text_addf(t, "%s\"%s\"", k ? ", " : "", param->words[k]);
    hs_text_add(t, "], ");
    if (param->min < param->max) {
      json_pair(t, "min", param->min, ", ");
      json_pair(t, "max", param->max, ", ");
      hs_text_addf(t, "\"whole\": %s, ", param->whole ? "true" : "false");
    }
    json_string(t, "help", param->help, "}");
  }
  hs_text_add(t, "]}\n");
}

static enum hs_status show_policy(const struct hs_cli *cli, struct hs_text *t, struct hs_error *err)
{
  const struct hs_policy *p;
  HS_TRY(hs_setup_policy(cli->words[1], &p, err));
  (cli->format == HS_FORMAT_JSON ? policy_json : policy_text)(p, t);
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
      struct hs_text t = {0};
      enum hs_status status = shows[i].show(cli, &t, err);
      if (!status) status = hs_file_write(cli->output ? cli->output : "-", &t, err);
      hs_text_free(&t);
      return status;
    }
  return hs_fail(err, HS_USAGE, "hetsim show takes soc, model or policy, and a name");
}
