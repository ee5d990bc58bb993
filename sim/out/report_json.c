/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/json_put.h"
#include "out/report.h"

/* A member on a line of its own, at this depth. */
static void number(struct hs_text *t, int indent, const char *name, double v)
{
  hs_put_line(t, indent);
  hs_put_number(t, name, v);
}

static void string(struct hs_text *t, int indent, const char *name, const char *v)
{
  hs_put_line(t, indent);
  hs_put_string(t, name, v);
}

static void open_at(struct hs_text *t, int indent, const char *name, char bracket)
{
  hs_put_line(t, indent);
  hs_put_open(t, name, bracket);
}

static void close_at(struct hs_text *t, int indent, char bracket)
{
  hs_put_line(t, indent);
  hs_put_close(t, bracket);
}

static void latencies(const struct hs_metrics *m, int indent, struct hs_text *t)
{
  open_at(t, indent, "latencies_s", '[');
  for (int i = 0; i < m->n_requests; i++) {
    if (i && i % 8 == 0) hs_put_line(t, indent + 2);
    hs_put_number(t, NULL, m->latencies_s[i]);
  }
  hs_put_close(t, ']');
}

/* Of the domains that ran. */
static void clocks(const struct hs_report *r, int p, struct hs_text *t)
{
  hs_put_open(t, "freq_hz", '{');
  for (int d = 0; d < r->sys->soc->processors[p].n_domains; d++) {
    double hz = hs_metrics_freq_hz(r->metrics, p, d);
    if (hz > 0) hs_put_number(t, r->sys->soc->processors[p].domains[d].name, hz);
  }
  hs_put_close(t, '}');
}

static void processors(const struct hs_report *r, struct hs_text *t)
{
  const struct hs_soc *soc = r->sys->soc;
  open_at(t, 2, "processors", '[');
  for (int p = 0; p < soc->n_processors; p++) {
    const struct hs_report_kernels k = hs_report_kernels(r, p);
    const struct hs_report_use use = hs_report_use(r, p);
    double run_s = hs_metrics_seconds(r->metrics);
    open_at(t, 4, NULL, '{');
    hs_put_string(t, "name", soc->processors[p].name);
    hs_put_string(t, "kind", hs_kind_names[soc->processors[p].kind]);
    hs_put_number(t, "busy_s", use.busy_s);
    hs_put_number(t, "utilization_frac", run_s > 0 ? r->metrics->all.busy_s[p] / run_s : 0);
    hs_put_number(t, "energy_j", use.energy_j);
    clocks(r, p, t);
    hs_put_bool(t, "available", k.available);
    if (k.available) hs_put_string(t, "kernels", hs_basis_names[k.basis]);
    hs_put_close(t, '}');
  }
  close_at(t, 2, ']');
}

static void recipe_processors(const struct hs_report *r, struct hs_text *t)
{
  const struct hs_soc *soc = r->sys->soc;
  open_at(t, 4, "processors", '[');
  for (int p = 0; p < soc->n_processors; p++) {
    const struct hs_processor *proc = &soc->processors[p];
    const struct hs_backend *b = &r->sys->backends[p];
    const struct hs_report_kernels k = hs_report_kernels(r, p);
    open_at(t, 6, NULL, '{');
    hs_put_string(t, "name", proc->name);
    if (k.available) {
      hs_put_string(t, "precision", k.precision);
      hs_put_string(t, "memory_type", k.memory_type);
      hs_put_string(t, "op_support", k.op_support);
    }
    if (k.kernel_s > 0) hs_put_number(t, "kernel_time_s", k.kernel_s);
    if (k.window) hs_put_number(t, "window", k.window);
    hs_put_number(t, "threads", k.threads);
    if (b->cores_list) hs_put_string(t, "cores", b->cores_list);
    hs_put_open(t, "freq_hz", '{');
    for (int d = 0; d < proc->n_domains; d++) hs_put_number(t, proc->domains[d].name, proc->domains[d].opps[b->opp[d]].freq_hz);
    hs_put_close(t, '}');
    hs_put_close(t, '}');
  }
  close_at(t, 4, ']');
}

static void recipe_scenario(const struct hs_report *r, struct hs_text *t)
{
  struct hs_report_setting set[HS_REPORT_SETTINGS_MAX];
  int n = hs_report_settings(r, set);
  open_at(t, 4, "scenario", '{');
  for (int i = 0; i < n; i++) hs_put_string(t, set[i].name, set[i].value);
  hs_put_close(t, '}');
}

void hs_report_opt(const struct hs_optimisations *opt, struct hs_text *t)
{
  hs_put_open(t, "opt", '[');
  for (int i = 0; i < opt->n; i++) hs_put_string(t, NULL, opt->text[i]);
  hs_put_close(t, ']');
}

void hs_report_params(const struct hs_policy *policy, const char *const *values, struct hs_text *t)
{
  hs_put_open(t, "params", '{');
  for (int i = 0; i < policy->n_params; i++) hs_put_string(t, policy->params[i].name, values[i]);
  hs_put_close(t, '}');
}

/* Latency scaled as somebody measured it, and the quality that they measured: nothing of it is simulated. */
static void reuse(const struct hs_report *r, struct hs_text *t)
{
  const struct hs_reuse *u = r->opt->reuse;
  if (!u) return;
  open_at(t, 2, "reuse", '{');
  string(t, 4, "setup", u->name);
  number(t, 4, "latency_per_frame_s", hs_report_reuse_s(r));
  number(t, 4, "published_latency_frac", u->latency_s / u->latency_without_s);
  number(t, 4, "published_vmaf", u->vmaf);
  number(t, 4, "published_vmaf_without", u->vmaf_without);
  string(t, 4, "source", u->source);
  close_at(t, 2, '}');
}

/* Every file that was read, each once. */
struct inputs {
  struct hs_text *text;
  int n, cap;
  const char **sha256; /* of those that are told */
};

static void input(struct inputs *in, const char *kind, const char *name, const char *sha256)
{
  for (int i = 0; i < in->n; i++)
    if (strcmp(in->sha256[i], sha256) == 0) return;
  HS_GROW(in->sha256, in->n, in->cap);
  in->sha256[in->n++] = sha256;
  open_at(in->text, 6, NULL, '{');
  hs_put_string(in->text, "kind", kind);
  hs_put_string(in->text, "name", name);
  hs_put_string(in->text, "sha256", sha256);
  hs_put_close(in->text, '}');
}

static void tables(const struct hs_system *sys, struct inputs *in)
{
  for (int p = 0; p < sys->soc->n_processors; p++) {
    const struct hs_op_support *s = sys->backends[p].support;
    if (s) input(in, "op-support", hs_op_support_name(s), hs_op_support_sha256(s));
  }
}

static void recipe_inputs(const struct hs_report *r, struct hs_text *t)
{
  struct inputs in = {.text = t};
  open_at(t, 4, "inputs", '[');
  input(&in, "soc", r->sys->soc->name, r->sys->soc->sha256);
  for (int i = 0; i < r->n_networks; i++) input(&in, "workload", r->networks[i].network->graph->name, r->networks[i].network->graph->sha256);
  if (*r->scenario->sha256) input(&in, "scenario", r->scenario->name, r->scenario->sha256);
  for (int i = 0; i < r->scenario->n_competing; i++) input(&in, "processes", r->scenario->competing[i].name, r->scenario->competing[i].sha256);
  for (int i = 0; i < r->n_networks; i++) {
    const struct hs_network *n = r->networks[i].network;
    if (n->own) input(&in, "profile", n->own->soc, n->own->sha256);
    tables(&n->sys, &in);
    for (const struct hs_profile *e = n->estimate; e; e = e->next) input(&in, "profile", e->soc, e->sha256);
  }
  free(in.sha256);
  close_at(t, 4, ']');
}

static void recipe(const struct hs_report *r, struct hs_text *t)
{
  const struct hs_network *first = r->networks[0].network;
  open_at(t, 2, "recipe", '{');
  string(t, 4, "version", hs_version);
  string(t, 4, "soc", r->sys->soc->name);
  string(t, 4, "model", r->graph->name);
  string(t, 4, "policy", first->policy->name);
  hs_put_line(t, 4);
  hs_report_params(first->policy, first->values, t);
  string(t, 4, "runtime", r->sys->runtime->name);
  open_at(t, 4, "networks", '[');
  for (int i = 0; i < r->n_networks; i++) hs_put_string(t, NULL, r->networks[i].network->label);
  hs_put_close(t, ']');
  open_at(t, 4, "runtimes", '[');
  for (int i = 0; i < r->n_networks; i++) hs_put_string(t, NULL, r->networks[i].network->sys.runtime->name);
  hs_put_close(t, ']');
  hs_put_line(t, 4);
  hs_report_opt(r->opt, t);
  if (r->duration_s > 0)
    number(t, 4, "duration_s", r->duration_s);
  else
    number(t, 4, "inferences", r->inferences);
  hs_put_line(t, 4);
  hs_put_whole(t, "seed", r->seed);
  if (r->noise) number(t, 4, "noise", r->noise->runs);
  recipe_scenario(r, t);
  string(t, 4, "profiler", r->profiler ? r->profiler : "offline");
  recipe_processors(r, t);
  recipe_inputs(r, t);
  close_at(t, 2, '}');
}

static void pattern(const struct hs_pattern *p, struct hs_text *t)
{
  hs_put_string(t, "pattern", hs_pattern_names[p->kind]);
  if (p->kind == HS_BACK_TO_BACK) return;
  hs_put_number(t, "period_s", p->period_s);
  if (p->kind == HS_BURSTS) hs_put_number(t, "burst", p->burst);
}

static void network(const struct hs_network_report *n, struct hs_text *t)
{
  const struct hs_summary *s = n->summary;
  char precisions[20];
  hs_report_precisions(n, precisions, sizeof precisions);
  open_at(t, 4, NULL, '{');
  hs_put_string(t, "label", n->network->label);
  hs_put_string(t, "model", n->network->graph->name);
  hs_put_string(t, "policy", n->network->policy->name);
  hs_report_params(n->network->policy, n->network->values, t);
  hs_put_string(t, "runtime", n->network->sys.runtime->name);
  hs_put_string(t, "precision", precisions);
  hs_put_string(t, "kernels", hs_report_basis(n));
  hs_put_number(t, "inferences", n->metrics->n_requests);
  hs_put_number(t, "latency_s", s->latency_s);
  hs_put_number(t, "latency_min_s", s->min_s);
  hs_put_number(t, "latency_p50_s", s->p50_s);
  hs_put_number(t, "latency_p90_s", s->p90_s);
  hs_put_number(t, "latency_p99_s", s->p99_s);
  hs_put_number(t, "latency_max_s", s->max_s);
  hs_put_number(t, "throughput_per_s", s->throughput_per_s);
  hs_put_number(t, "energy_j", s->energy_j);
  hs_put_number(t, "power_w", s->power_w);
  hs_put_number(t, "communication_s", s->communication_s);
  hs_put_number(t, "communication_frac", s->communication_frac);
  hs_put_number(t, "launch_s", s->launch_s);
  hs_put_number(t, "dram_bytes", s->dram_bytes);
  if (n->program) {
    hs_put_number(t, "fallback_ops", n->program->n_fallback);
    hs_put_number(t, "n_ops", n->program->n_ops);
    hs_put_number(t, "peak_memory_bytes", n->program->peak_memory_bytes);
  }
  pattern(&n->network->pattern, t);
  if (isfinite(n->network->deadline_s)) {
    hs_put_number(t, "deadline_s", n->network->deadline_s);
    hs_put_number(t, "late", n->metrics->n_late);
  }
  hs_put_number(t, "dropped", n->metrics->n_dropped);
  hs_put_number(t, "unfinished", n->unfinished);
  hs_put_number(t, "priority", n->network->priority);
  latencies(n->metrics, 6, t);
  hs_put_close(t, '}');
}

/* What differs from run to run, on a line of its own at the end. */
static void wall_clock(const struct hs_report *r, struct hs_text *t)
{
  double planning = 0;
  for (int i = 0; i < r->n_networks; i++) planning += r->networks[i].network->planning_s;
  open_at(t, 2, "wall_clock", '{');
  hs_put_number(t, "planning_s", planning);
  hs_put_close(t, '}');
}

static void times(const struct hs_report *r, struct hs_text *t)
{
  const struct hs_summary *s = r->summary;
  number(t, 2, "latency_s", s->latency_s);
  number(t, 2, "latency_min_s", s->min_s);
  number(t, 2, "latency_p50_s", s->p50_s);
  number(t, 2, "latency_p90_s", s->p90_s);
  number(t, 2, "latency_p99_s", s->p99_s);
  number(t, 2, "latency_max_s", s->max_s);
  number(t, 2, "latency_error_s", s->latency_error_s);
  number(t, 2, "latency_drift_frac", s->drift_frac);
  number(t, 2, "throughput_per_s", s->throughput_per_s);
  if (r->networks[0].estimate_s > 0) {
    number(t, 2, "estimate_s", r->networks[0].estimate_s);
    number(t, 2, "estimate_error_frac", hs_report_estimate_error_frac(r));
  }
  latencies(r->networks[0].metrics, 2, t);
}

static void costs(const struct hs_report *r, struct hs_text *t)
{
  const struct hs_summary *s = r->summary;
  number(t, 2, "energy_j", s->energy_j);
  number(t, 2, "spinning_j", s->spun_j);
  number(t, 2, "power_w", r->power_w);
  number(t, 2, "idle_device_w", r->sys->soc->idle_w);
  number(t, 2, "communication_s", s->communication_s);
  number(t, 2, "communication_frac", s->communication_frac);
  number(t, 2, "launch_s", s->launch_s);
}

static void program(const struct hs_report *r, struct hs_text *t)
{
  if (!r->program) return;
  number(t, 2, "fallback_ops", r->program->n_fallback);
  number(t, 2, "n_ops", r->program->n_ops);
  number(t, 2, "n_tasks", r->program->n_tasks);
  number(t, 2, "peak_memory_bytes", r->program->peak_memory_bytes);
  number(t, 2, "separate_memory_bytes", r->separate_bytes);
  if (!r->opt->on[HS_OPT_MEMPLAN]) return;
  number(t, 2, "arena_bytes", r->memory->arena_bytes);
  number(t, 2, "arena_least_bytes", r->memory->most_live_bytes);
  number(t, 2, "arena_unshared_bytes", r->memory->unshared_bytes);
}

void hs_report_json(const struct hs_report *r, struct hs_text *t)
{
  hs_put_open(t, NULL, '{');
  string(t, 2, "soc", r->sys->soc->name);
  string(t, 2, "model", r->graph->name);
  string(t, 2, "policy", r->networks[0].network->policy->name);
  string(t, 2, "runtime", r->sys->runtime->name);
  times(r, t);
  costs(r, t);
  program(r, t);
  reuse(r, t);
  number(t, 2, "dram_bytes", r->summary->dram_bytes);
  processors(r, t);
  open_at(t, 2, "networks", '[');
  for (int i = 0; i < r->n_networks; i++) network(&r->networks[i], t);
  close_at(t, 2, ']');
  if (r->living) hs_device_json(r, t);
  hs_noise_json(r, t);
  number(t, 2, "run_s", hs_metrics_seconds(r->metrics));
  hs_put_line(t, 2);
  hs_put_bool(t, "stopped", r->stopped);
  if (r->stopped) string(t, 2, "stop_reason", r->stopped);
  number(t, 2, "unfinished", hs_report_unfinished(r));
  string(t, 2, "fingerprint", r->fingerprint);
  recipe(r, t);
  wall_clock(r, t);
  close_at(t, 0, '}');
  hs_put_line(t, 0);
}
