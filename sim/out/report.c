/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What several formats tell alike. */
#include "out/report.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

const char *const hs_version = PACKAGE_VERSION;

void hs_report_policy(const struct hs_report *r, struct hs_text *t)
{
  const struct hs_network *n = r->networks[0].network;
  const char *mark = " (";
  hs_text_add(t, n->policy->name);
  for (int i = 0; i < n->policy->n_params; i++) {
    const struct hs_param *param = &n->policy->params[i];
    if (!hs_param_changed(param, n->values[i])) continue;
    hs_text_addf(t, "%s%s=%s", mark, param->name, n->values[i]);
    mark = ", ";
  }
  hs_text_add(t, *mark == ',' ? ")" : "");
}

const char *hs_report_longest_name(const struct hs_report *r)
{
  const char *longest = "";
  for (int p = 0; p < r->sys->soc->n_processors; p++)
    if (strlen(r->sys->soc->processors[p].name) > strlen(longest)) longest = r->sys->soc->processors[p].name;
  return longest;
}

/* Appends a word to "a+b", unless it is there. */
static void join(char *list, size_t size, const char *word)
{
  size_t n = strlen(list), length = strlen(word);
  bool there = false;
  for (const char *s = list; *s; s += strcspn(s, "+"), s += *s == '+') there |= strcspn(s, "+") == length && strncmp(s, word, length) == 0;
  if (!there) snprintf(list + n, size - n, "%s%s", n ? "+" : "", word);
}

static void join_kernels(const struct hs_backend *b, struct hs_report_kernels *k)
{
  join(k->precision, sizeof k->precision, hs_precision_names[b->precision]);
  join(k->memory_type, sizeof k->memory_type, hs_memory_type_names[b->memory_type]);
  if (b->support) join(k->op_support, sizeof k->op_support, hs_op_support_name(b->support));
  if (b->threads > k->threads) k->threads = b->threads;
  if (b->kernel_s > 0) k->kernel_s = b->kernel_s;
  if (b->window) k->window = b->window;
  if (b->basis > k->basis) k->basis = b->basis;
}

struct hs_report_kernels hs_report_kernels(const struct hs_report *r, int p)
{
  struct hs_report_kernels k = {0};
  const struct hs_backend *idle = NULL;
  enum hs_basis weakest = HS_BASIS_FITTED;
  for (int i = 0; i < r->n_networks; i++) {
    const struct hs_backend *b = &r->networks[i].network->sys.backends[p];
    if (b->available && !k.available) idle = b;
    if (b->available && b->basis > weakest) weakest = b->basis;
    k.available |= b->available;
    if (r->networks[i].metrics->computed[p]) join_kernels(b, &k);
  }
  if (!idle || *k.precision) return k;
  join_kernels(idle, &k);
  k.basis = weakest; /* whoever is first */
  return k;
}

struct hs_report_use hs_report_use(const struct hs_report *r, int p)
{
  const struct hs_metrics *m = r->metrics;
  if (r->n_networks == 1 && m->n_requests) return (struct hs_report_use){r->summary->busy_s[p], r->summary->processor_j[p]};
  return (struct hs_report_use){m->all.busy_s[p], m->all.energy_j[p]};
}

void hs_report_precisions(const struct hs_network_report *n, char *buf, size_t size)
{
  const struct hs_system *sys = &n->network->sys;
  *buf = 0;
  for (int p = 0; p < sys->soc->n_processors; p++)
    if (n->metrics->computed[p]) join(buf, size, hs_precision_names[sys->backends[p].precision]);
}

const char *hs_report_basis(const struct hs_network_report *n)
{
  const struct hs_system *sys = &n->network->sys;
  int weakest = -1;
  for (int p = 0; p < sys->soc->n_processors; p++)
    if (n->metrics->computed[p] && (int)sys->backends[p].basis > weakest) weakest = (int)sys->backends[p].basis;
  return weakest < 0 ? "" : hs_basis_names[weakest];
}

int hs_report_settings(const struct hs_report *r, struct hs_report_setting *out)
{
  const struct hs_scenario_options *o = r->scenario_options;
  const struct hs_report_setting all[HS_REPORT_SETTINGS_MAX] = {
    {"name", o->file ? r->scenario->name : NULL}, {"governor", o->governor}, {"temperature", o->temperature}, {"rivals", o->rivals},
    {"ui", o->ui}, {"cache_hit", o->cache_hit}, {"fallback", o->fallback}, {"rpc_thread", o->rpc_thread}};
  int n = 0;
  for (int i = 0; i < HS_REPORT_SETTINGS_MAX; i++)
    if (all[i].value) out[n++] = all[i];
  return n;
}

int hs_report_unfinished(const struct hs_report *r)
{
  int n = 0;
  for (int i = 0; i < r->n_networks; i++) n += r->networks[i].unfinished;
  return n;
}

/* May requests of the first network have waited for each other? */
static bool may_wait(const struct hs_report *r)
{
  const struct hs_pattern *p = &r->networks[0].network->pattern;
  return p->kind != HS_BACK_TO_BACK && (p->kind != HS_FIXED || r->summary->max_s > p->period_s);
}

double hs_report_estimate_error_frac(const struct hs_report *r)
{
  double estimate_s = r->networks[0].estimate_s;
  return estimate_s > 0 && !may_wait(r) ? r->summary->latency_s / estimate_s - 1 : NAN;
}

double hs_report_reuse_s(const struct hs_report *r)
{
  const struct hs_reuse *u = r->opt->reuse;
  return !may_wait(r) ? r->summary->latency_s * u->latency_s / u->latency_without_s : NAN;
}

void hs_csv_field(struct hs_text *t, double v)
{
  if (!isnan(v)) hs_text_number(t, v);
  hs_text_add(t, ",");
}
