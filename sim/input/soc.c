/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "input/soc.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/spelling.h"
#include "base/text.h"

const char *const hs_precision_names[HS_PRECISION_N + 1] = {"fp32", "fp16", "int8", NULL};
const char *const hs_discipline_names[HS_DISCIPLINE_N + 1] = {"processor-shared", "queued", NULL};
const char *const hs_memory_type_names[HS_MEMORY_TYPE_N + 1] = {"buffer", "image", NULL};
const char *const hs_trip_type_names[HS_TRIP_TYPE_N + 1] = {"passive", "hot", "critical", NULL};
const char *const hs_comm_names[HS_COMM_N + 1] = {"transform", "map", "sync", "rpc", "launch", "wake", NULL};

void hs_soc_free(struct hs_soc *soc)
{
  if (!soc) return;
  struct hs_arena a = soc->arena;
  hs_arena_free(&a);
}

int hs_soc_find(const struct hs_soc *soc, const char *name)
{
  for (int i = 0; i < soc->n_processors; i++)
    if (strcmp(soc->processors[i].name, name) == 0) return i;
  return -1;
}

int hs_soc_first(const struct hs_soc *soc, enum hs_kind kind)
{
  for (int i = 0; i < soc->n_processors; i++)
    if (soc->processors[i].kind == kind) return i;
  return -1;
}

unsigned hs_soc_domain_bit(int processor, int domain)
{
  _Static_assert(HS_PROCESSORS_MAX * HS_DOMAINS_MAX <= 32, "a set of domains is an unsigned");
  return 1u << (processor * HS_DOMAINS_MAX + domain);
}

unsigned hs_soc_cpu_domains(const struct hs_soc *soc)
{
  unsigned set = 0;
  for (int p = 0; p < soc->n_processors; p++)
    for (int d = 0; d < soc->processors[p].n_domains && soc->processors[p].kind == HS_CPU; d++) set |= hs_soc_domain_bit(p, d);
  return set;
}

unsigned hs_soc_domains(const struct hs_soc *soc, const char *where, enum hs_scope *scope)
{
  unsigned mask = 0;
  *scope = where ? HS_SCOPE_PROCESSOR : HS_SCOPE_ALL;
  for (int p = 0; p < soc->n_processors; p++)
    for (int d = 0; d < soc->processors[p].n_domains; d++) {
      char full[140];
      snprintf(full, sizeof full, "%s.%s", soc->processors[p].name, soc->processors[p].domains[d].name);
      if (!where || strcmp(where, soc->processors[p].name) == 0) mask |= hs_soc_domain_bit(p, d);
      if (!where || strcmp(where, full) != 0) continue;
      *scope = HS_SCOPE_DOMAIN;
      return hs_soc_domain_bit(p, d);
    }
  return mask;
}

/* An only domain is its processor, by another name. */
enum hs_status hs_soc_no_place(const struct hs_soc *soc, const char *option, const char *where, bool domains, struct hs_error *err)
{
  enum { MAX = HS_PROCESSORS_MAX * (1 + HS_DOMAINS_MAX) };
  const char *names[MAX];
  char text[MAX][140];
  int n = 0;
  for (int p = 0; p < soc->n_processors; p++) {
    const struct hs_processor *proc = &soc->processors[p];
    names[n++] = proc->name;
    for (int d = 0; d < proc->n_domains && domains && proc->n_domains > 1; d++) {
      snprintf(text[n], sizeof text[n], "%s.%s", proc->name, proc->domains[d].name);
      names[n] = text[n];
      n++;
    }
  }
  return hs_fail_unknown(err, where, names, n, "--%s: %s has no processor%s", option, soc->name, domains ? " or domain" : "");
}

unsigned hs_soc_name_domains(unsigned named[HS_SCOPE_N], unsigned mask, enum hs_scope scope)
{
  named[scope] |= mask;
  for (int closer = (int)scope + 1; closer < HS_SCOPE_N; closer++) mask &= ~named[closer];
  return mask;
}

int hs_soc_node(const struct hs_soc *soc, int p)
{
  for (int i = 0; i < soc->thermal.n_nodes; i++)
    if (soc->thermal.nodes[i].processors >> p & 1) return i;
  abort(); /* the reader sees to it that every processor heats a node */
}

int hs_soc_bare_nodes(const struct hs_soc *soc, int nodes[HS_THERMAL_MAX])
{
  int n = 0;
  for (int i = 0; i < soc->thermal.n_nodes; i++)
    if (!soc->thermal.nodes[i].processors) nodes[n++] = i;
  return n;
}

double hs_processor_lane_bytes_per_s(const struct hs_processor *p, const int *cores)
{
  double taken = 0;
  for (int d = 0; d < p->n_domains; d++) taken += cores[d] * p->domains[d].bandwidth_per_core_bytes_per_s;
  return fmin(taken, p->bandwidth_bytes_per_s);
}

int hs_processor_cores(const struct hs_processor *p)
{
  int n = 0;
  for (int i = 0; i < p->n_domains; i++) n += p->domains[i].cores;
  return n;
}

int hs_lead_domain(const struct hs_processor *p, const int *cores)
{
  int d = p->n_domains - 1;
  while (d >= 0 && cores[d] == 0) d--;
  return d;
}

/* Index into opps, or -1. */
static int opp_near(const struct hs_domain *d, const char *value)
{
  double hz;
  if (strcmp(value, "max") == 0) return d->n_opps - 1;
  if (strcmp(value, "min") == 0) return 0;
  const char *end = hs_decimal_prefix(value, &hz);
  if (!end) return -1;
  double scale = strcmp(end, "") == 0 || strcmp(end, "Hz") == 0 ? 1
               : strcmp(end, "MHz") == 0                         ? 1e6
               : strcmp(end, "GHz") == 0                         ? 1e9
                                                                 : 0;
  for (int i = 0; i < d->n_opps; i++)
    if (fabs(d->opps[i].freq_hz - hz * scale) <= 1e-3 * d->opps[i].freq_hz) return i;
  return -1;
}

int hs_processor_find_opp(const struct hs_processor *p, int d, const char *value, char why[HS_NO_OPP])
{
  const struct hs_domain *domain = &p->domains[d];
  struct hs_text list = {0};
  int opp = opp_near(domain, value);
  if (opp >= 0) return opp;
  if (*value && !value[strspn(value, "0123456789.")]) {
    snprintf(why, HS_NO_OPP, "\"%.40s\" is no frequency of %s.%s without a unit: write %.40sMHz, or in GHz", value, p->name, domain->name, value);
    return -1;
  }
  for (int i = 0; i < domain->n_opps; i++) hs_text_addf(&list, "%s%g", i ? ", " : "", domain->opps[i].freq_hz / 1e6);
  snprintf(why, HS_NO_OPP, "\"%.40s\" is not max, min or an OPP of %s.%s (MHz: %.500s)", value, p->name, domain->name, list.s ? list.s : "");
  hs_text_free(&list);
  return -1;
}

int hs_processor_opp(const struct hs_processor *p, int d, int level)
{
  const struct hs_domain *top = hs_processor_fastest(p), *dom = &p->domains[d];
  if (dom == top) return level;
  double relative = top->opps[level].freq_hz / hs_domain_top(top)->freq_hz;
  int i = 0;
  while (i < dom->n_opps - 1 && dom->opps[i].freq_hz / hs_domain_top(dom)->freq_hz < relative) i++;
  return i;
}

double hs_domain_mean_hz(const struct hs_domain *d, double cycles, double seconds)
{
  static const double rounding_frac = 1e-10; /* of sums of some 10^5 stretches, each to 1e-16: OPPs are 1e-2 apart */
  double hz = cycles / seconds;
  for (int i = 0; i < d->n_opps; i++)
    if (fabs(hz - d->opps[i].freq_hz) <= rounding_frac * hz) return d->opps[i].freq_hz;
  return hz;
}

bool hs_processor_computes(const struct hs_processor *p, enum hs_precision precision)
{
  return p->domains[0].macs_per_cycle[precision] > 0;
}
