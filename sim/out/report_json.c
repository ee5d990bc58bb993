/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <string.h>

#include "out/report.h"
#include "plan/separate.h"

static void key(struct hs_text *t, const char *indent, const char *name)
{
  hs_text_addf(t, "%s\"%s\": ", indent, name);
}

static void number(struct hs_text *t, const char *indent, const char *name, double v)
{
  key(t, indent, name);
  hs_text_number(t, v);
  hs_text_add(t, ",\n");
}

static void string(struct hs_text *t, const char *indent, const char *name, const char *v)
{
  key(t, indent, name);
  hs_text_string(t, v);
  hs_text_add(t, ",\n");
}

static void latencies(const struct hs_report *r, struct hs_text *t)
{
  const struct hs_metrics *m = r->networks[0].metrics;
  hs_text_add(t, "  \"latencies_s\": [");
  for (int i = 0; i < m->n_requests; i++) {
    if (i) hs_text_add(t, i % 8 ? ", " : ",\n    ");
    hs_text_number(t, m->latencies_s[i]);
  }
  hs_text_add(t, "],\n");
}

/* Of the domains that ran. */
static void clocks(const struct hs_report *r, int p, struct hs_text *t)
{
  int n = 0;
  for (int d = 0; d < r->sys->soc->processors[p].n_domains; d++) {
    double hz = hs_metrics_freq_hz(r->metrics, p, d);
    if (hz <= 0) continue;
    hs_text_addf(t, "%s\"%s\": ", n++ ? ", " : "", r->sys->soc->processors[p].domains[d].name);
    hs_text_number(t, hz);
  }
}

static void processors(const struct hs_report *r, struct hs_text *t)
{
  const struct hs_soc *soc = r->sys->soc;
  hs_text_add(t, "  \"processors\": [\n");
  for (int p = 0; p < soc->n_processors; p++) {
    const struct hs_backend *b = &r->sys->backends[p];
    double n = r->n_networks == 1 && r->metrics->n_requests ? r->metrics->n_requests : 1, busy = r->metrics->busy_s[p] / n, end = hs_metrics_seconds(r->metrics) / n;
    hs_text_addf(t, "    {\"name\": \"%s\", \"kind\": \"%s\", \"busy_s\": ", soc->processors[p].name, hs_kind_names[soc->processors[p].kind]);
    hs_text_number(t, busy);
    hs_text_add(t, ", \"utilization_frac\": ");
    hs_text_number(t, end > 0 ? busy / end : 0);
    hs_text_add(t, ", \"energy_j\": ");
    hs_text_number(t, r->metrics->energy_j[p] / n);
    hs_text_add(t, ", \"freq_hz\": {");
    clocks(r, p, t);
    hs_text_add(t, "}");
    hs_text_addf(t, ", \"available\": %s, \"estimated\": %s}%s\n", b->available ? "true" : "false",
                 b->available && b->estimated ? "true" : "false", p + 1 < soc->n_processors ? "," : "");
  }
  hs_text_add(t, "  ],\n");
}

static void recipe_processors(const struct hs_report *r, struct hs_text *t)
{
  const struct hs_soc *soc = r->sys->soc;
  hs_text_add(t, "    \"processors\": [\n");
  for (int p = 0; p < soc->n_processors; p++) {
    const struct hs_processor *proc = &soc->processors[p];
    const struct hs_backend *b = &r->sys->backends[p];
    hs_text_addf(t, "      {\"name\": \"%s\", ", proc->name);
    if (b->available)
      hs_text_addf(t, "\"precision\": \"%s\", \"memory_type\": \"%s\", \"op_support\": \"%s\", ", hs_precision_names[b->precision],
                   hs_memory_type_names[b->memory_type], hs_op_support_name(b->support));
    if (b->kernel_s > 0) {
      hs_text_add(t, "\"kernel_time_s\": ");
      hs_text_number(t, b->kernel_s);
      hs_text_add(t, ", ");
    }
    if (b->window) hs_text_addf(t, "\"window\": %d, ", b->window);
    hs_text_addf(t, "\"threads\": %d, ", b->threads);
    if (b->cores_list) hs_text_addf(t, "\"cores\": \"%s\", ", b->cores_list);
    hs_text_add(t, "\"freq_hz\": {");
    for (int d = 0; d < proc->n_domains; d++) {
      hs_text_addf(t, "%s\"%s\": ", d ? ", " : "", proc->domains[d].name);
      hs_text_number(t, proc->domains[d].opps[b->opp[d]].freq_hz);
    }
    hs_text_addf(t, "}}%s\n", p + 1 < soc->n_processors ? "," : "");
  }
  hs_text_add(t, "    ],\n");
}

static void input(struct hs_text *t, const char *kind, const char *name, const char *sha256, bool last)
{
  hs_text_addf(t, "      {\"kind\": \"%s\", \"name\": ", kind);
  hs_text_string(t, name);
  hs_text_addf(t, ", \"sha256\": \"%s\"}%s\n", sha256, last ? "" : ",");
}

static void recipe_scenario(const struct hs_report *r, struct hs_text *t)
{
  struct hs_report_setting set[HS_REPORT_SETTINGS_MAX];
  int n = hs_report_settings(r, set);
  hs_text_add(t, "    \"scenario\": {");
  for (int i = 0; i < n; i++) {
    hs_text_addf(t, "%s\"%s\": ", i ? ", " : "", set[i].name);
    hs_text_string(t, set[i].value);
  }
  hs_text_add(t, "},\n");
}

void hs_report_opt(const struct hs_optimisations *opt, struct hs_text *t)
{
  hs_text_add(t, "[");
  for (int i = 0; i < opt->n; i++) {
    if (i) hs_text_add(t, ", ");
    hs_text_string(t, opt->text[i]);
  }
  hs_text_add(t, "]");
}

/* Latency scaled as somebody measured it, and the quality that they measured: nothing of it is simulated. */
static void reuse(const struct hs_report *r, struct hs_text *t)
{
  const struct hs_reuse *u = r->opt->reuse;
  if (!u) return;
  hs_text_add(t, "  \"reuse\": {\n");
  string(t, "    ", "setup", u->name);
  number(t, "    ", "latency_per_frame_s", hs_report_reuse_s(r));
  number(t, "    ", "published_latency_frac", u->latency_s / u->latency_without_s);
  number(t, "    ", "published_vmaf", u->vmaf);
  number(t, "    ", "published_vmaf_without", u->vmaf_without);
  key(t, "    ", "source");
  hs_text_string(t, u->source);
  hs_text_add(t, "\n  },\n");
}

/* Every file that was read, each once. */
static void recipe_inputs(const struct hs_report *r, struct hs_text *t)
{
  hs_text_add(t, "    \"inputs\": [\n");
  input(t, "soc", r->sys->soc->name, r->sys->soc->sha256, false);
  for (int i = 0; i < r->n_networks; i++) {
    const struct hs_graph *g = r->networks[i].network->graph;
    bool again = false;
    for (int k = 0; k < i; k++) again |= strcmp(r->networks[k].network->graph->sha256, g->sha256) == 0;
    if (!again) input(t, "workload", g->name, g->sha256, false);
  }
  if (*r->scenario->sha256) input(t, "scenario", r->scenario->name, r->scenario->sha256, false);
  for (int i = 0; i < r->scenario->n_competing; i++) input(t, "processes", r->scenario->competing[i].name, r->scenario->competing[i].sha256, false);
  if (r->own) input(t, "profile", r->own->soc, r->own->sha256, false);
  for (int p = 0; p < r->sys->soc->n_processors; p++) {
    const struct hs_op_support *s = r->sys->backends[p].support;
    bool again = !s;
    for (int q = 0; q < p && !again; q++) again = r->sys->backends[q].support == s;
    if (!again) input(t, "op-support", hs_op_support_name(s), hs_op_support_sha256(s), false);
  }
  for (const struct hs_profile *e = r->estimate; e; e = e->next) input(t, "profile", e->soc, e->sha256, !e->next);
  hs_text_add(t, "    ]\n");
}

static void recipe(const struct hs_report *r, struct hs_text *t)
{
  hs_text_add(t, "  \"recipe\": {\n");
  string(t, "    ", "version", hs_version);
  string(t, "    ", "soc", r->sys->soc->name);
  string(t, "    ", "model", r->graph->name);
  string(t, "    ", "policy", r->policy);
  hs_text_add(t, "    \"params\": {");
  for (int i = 0; i < r->n_params; i++) {
    hs_text_addf(t, "%s\"%s\": ", i ? ", " : "", r->param_names[i]);
    hs_text_string(t, r->param_values[i]);
  }
  hs_text_add(t, "},\n");
  string(t, "    ", "runtime", r->sys->runtime->name);
  hs_text_add(t, "    \"networks\": [");
  for (int i = 0; i < r->n_networks; i++) {
    hs_text_add(t, i ? ", " : "");
    hs_text_string(t, r->networks[i].network->label);
  }
  hs_text_add(t, "],\n");
  key(t, "    ", "opt");
  hs_report_opt(r->opt, t);
  hs_text_add(t, ",\n");
  if (r->duration_s > 0)
    number(t, "    ", "duration_s", r->duration_s);
  else
    number(t, "    ", "inferences", r->inferences);
  number(t, "    ", "seed", (double)r->seed);
  if (r->noise) number(t, "    ", "noise", r->noise->runs);
  recipe_scenario(r, t);
  string(t, "    ", "profiler", r->profiler ? r->profiler : "offline");
  recipe_processors(r, t);
  recipe_inputs(r, t);
  hs_text_add(t, "  },\n");
}

static void pattern(const struct hs_pattern *p, struct hs_text *t)
{
  hs_text_addf(t, ", \"pattern\": \"%s\"", hs_pattern_names[p->kind]);
  if (p->kind == HS_BACK_TO_BACK) return;
  hs_text_add(t, ", \"period_s\": ");
  hs_text_number(t, p->period_s);
  if (p->kind == HS_BURSTS) hs_text_addf(t, ", \"burst\": %d", p->burst);
}

static void network(const struct hs_network_report *n, bool last, struct hs_text *t)
{
  const struct hs_summary *s = n->summary;
  hs_text_add(t, "    {\"label\": ");
  hs_text_string(t, n->network->label);
  hs_text_addf(t, ", \"model\": \"%s\", \"policy\": \"%s\", \"inferences\": %d", n->network->graph->name, n->network->policy->name, n->metrics->n_requests);
  const struct {
    const char *name;
    double value;
  } figures[] = {{"latency_s", s->latency_s}, {"latency_p50_s", s->p50_s}, {"latency_p90_s", s->p90_s}, {"latency_p99_s", s->p99_s},
                 {"latency_max_s", s->max_s}, {"throughput_per_s", s->throughput_per_s}, {"energy_j", s->energy_j}};
  for (size_t i = 0; i < sizeof figures / sizeof *figures; i++) {
    hs_text_addf(t, ", \"%s\": ", figures[i].name);
    hs_text_number(t, figures[i].value);
  }
  pattern(&n->network->pattern, t);
  if (isfinite(n->network->deadline_s)) {
    hs_text_add(t, ", \"deadline_s\": ");
    hs_text_number(t, n->network->deadline_s);
    hs_text_addf(t, ", \"late\": %d", n->metrics->n_late);
  }
  hs_text_addf(t, ", \"dropped\": %d, \"priority\": %d}%s\n", n->metrics->n_dropped, n->network->priority, last ? "" : ",");
}

/* What differs from run to run, on a line of its own at the end. */
static void wall_clock(const struct hs_report *r, struct hs_text *t)
{
  double planning = 0;
  for (int i = 0; i < r->n_networks; i++) planning += r->networks[i].network->planning_s;
  hs_text_add(t, "  \"wall_clock\": {\"planning_s\": ");
  hs_text_number(t, planning);
  hs_text_add(t, "}\n");
}

static void times(const struct hs_report *r, struct hs_text *t)
{
  const struct hs_summary *s = r->summary;
  number(t, "  ", "latency_s", s->latency_s);
  number(t, "  ", "latency_min_s", s->min_s);
  number(t, "  ", "latency_p50_s", s->p50_s);
  number(t, "  ", "latency_p90_s", s->p90_s);
  number(t, "  ", "latency_p99_s", s->p99_s);
  number(t, "  ", "latency_max_s", s->max_s);
  number(t, "  ", "throughput_per_s", s->throughput_per_s);
  if (r->networks[0].estimate_s > 0) {
    number(t, "  ", "estimate_s", r->networks[0].estimate_s);
    number(t, "  ", "estimate_error_frac", s->latency_s / r->networks[0].estimate_s - 1);
  }
  latencies(r, t);
}

static void costs(const struct hs_report *r, struct hs_text *t)
{
  const struct hs_summary *s = r->summary;
  number(t, "  ", "energy_j", s->energy_j);
  number(t, "  ", "spinning_j", s->spun_j);
  number(t, "  ", "power_w", s->power_w);
  number(t, "  ", "idle_device_w", r->sys->soc->idle_w);
  number(t, "  ", "communication_s", s->communication_s);
  number(t, "  ", "communication_frac", s->communication_frac);
  number(t, "  ", "launch_s", s->launch_s);
}

static void program(const struct hs_report *r, struct hs_text *t)
{
  if (!r->program) return;
  number(t, "  ", "fallback_ops", r->program->n_fallback);
  number(t, "  ", "n_ops", r->program->n_ops);
  number(t, "  ", "n_tasks", r->program->n_tasks);
  number(t, "  ", "peak_memory_bytes", r->program->peak_memory_bytes);
  number(t, "  ", "separate_memory_bytes", hs_separate_bytes(r->sys, r->program->graph, r->program->placement));
  if (!r->opt->on[HS_OPT_MEMPLAN]) return;
  number(t, "  ", "arena_bytes", r->memory->arena_bytes);
  number(t, "  ", "arena_least_bytes", r->memory->most_live_bytes);
  number(t, "  ", "arena_unshared_bytes", r->memory->unshared_bytes);
}

void hs_report_json(const struct hs_report *r, struct hs_text *t)
{
  hs_text_add(t, "{\n");
  string(t, "  ", "soc", r->sys->soc->name);
  string(t, "  ", "model", r->graph->name);
  string(t, "  ", "policy", r->policy);
  string(t, "  ", "runtime", r->sys->runtime->name);
  times(r, t);
  costs(r, t);
  program(r, t);
  reuse(r, t);
  number(t, "  ", "dram_bytes", r->metrics->n_requests ? r->metrics->dram_bytes / r->metrics->n_requests : NAN);
  processors(r, t);
  hs_text_add(t, "  \"networks\": [\n");
  for (int i = 0; i < r->n_networks; i++) network(&r->networks[i], i + 1 == r->n_networks, t);
  hs_text_add(t, "  ],\n");
  if (r->living) hs_device_json(r, t);
  hs_noise_json(r, t);
  number(t, "  ", "run_s", hs_metrics_seconds(r->metrics));
  hs_text_addf(t, "  \"stopped\": %s,\n", r->stopped ? "true" : "false");
  number(t, "  ", "unfinished", r->unfinished);
  string(t, "  ", "fingerprint", r->fingerprint);
  recipe(r, t);
  wall_clock(r, t);
  hs_text_add(t, "}\n");
}
