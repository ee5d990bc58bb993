/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "device/scenario_parts.h"

/* What a frame of a scrolling list costs on a phone's fastest cores and GPU: assumed; a third of a 60 Hz frame each. */
static const double UI_CPU_S = 0.005, UI_GPU_S = 0.005;

/* Of bursts and kernels where nobody says: some of each in a frame of the display; assumed. */
static const double PROCESS_PERIOD_S = 0.02, PROCESS_KERNEL_S = 0.005;

const char *const hs_scenario_loads[HS_KIND_N] = {NULL, "gpu_frac", "dsp_frac", "npu_frac"};

void hs_scenario_open(struct hs_scenario *s)
{
  *s = (struct hs_scenario){.name = "", .start_c = NAN, .thermal_governor = HS_THERMAL_SOC, .cache_hit_frac = -1, .ui_cpu_s = UI_CPU_S, .ui_gpu_s = UI_GPU_S};
  for (int p = 0; p < HS_PROCESSORS_MAX; p++)
    for (int d = 0; d < HS_DOMAINS_MAX; d++) s->governed[p][d].kind = -1;
}

void hs_scenario_free(struct hs_scenario *s) { hs_arena_free(&s->arena); }

struct hs_governor_wish hs_scenario_governor(const char *text)
{
  char name[40];
  const char *colon = strchr(text, ':');
  size_t length = colon ? (size_t)(colon - text) : strlen(text);
  if (length >= sizeof name) length = sizeof name - 1; /* longer than any name is none */
  memcpy(name, text, length);
  name[length] = 0;
  return (struct hs_governor_wish){hs_governor_find(name), colon ? colon + 1 : NULL};
}

/* Levels of userspace per domain of `mask`, -1 without a frequency. As with --frequency, an OPP and nothing near one, where the kernel's
 * scaling_setspeed takes the next one above (CPUFREQ_RELATION_L). */
static bool find_levels(const struct hs_soc *soc, unsigned mask, struct hs_governor_wish wish, int level[HS_PROCESSORS_MAX][HS_DOMAINS_MAX],
                        char why[HS_NO_OPP])
{
  if (wish.frequency && wish.kind != HS_USERSPACE) {
    snprintf(why, HS_NO_OPP, "only userspace has a frequency, not %s", hs_governor_names[wish.kind]);
    return false;
  }
  for (int p = 0; p < soc->n_processors; p++)
    for (int d = 0; d < soc->processors[p].n_domains; d++) {
      level[p][d] = -1;
      if (!wish.frequency || !(mask & hs_soc_domain_bit(p, d))) continue;
      level[p][d] = hs_processor_find_opp(&soc->processors[p], d, wish.frequency, why);
      if (level[p][d] < 0) return false;
    }
  return true;
}

bool hs_scenario_govern(struct hs_scenario *s, const struct hs_soc *soc, unsigned mask, enum hs_scope scope, struct hs_governor_wish wish,
                        unsigned *named, char why[HS_NO_OPP])
{
  int level[HS_PROCESSORS_MAX][HS_DOMAINS_MAX];
  if (!find_levels(soc, mask, wish, level, why)) return false;
  mask = hs_soc_name_domains(named, mask, scope);
  for (int p = 0; p < soc->n_processors; p++)
    for (int d = 0; d < soc->processors[p].n_domains; d++)
      if (mask & hs_soc_domain_bit(p, d)) s->governed[p][d] = (struct hs_governed){wish.kind, level[p][d]};
  return s->living = true;
}

const char *hs_scenario_node(const struct hs_soc *soc, int p) { return soc->thermal.nodes[hs_soc_node(soc, p)].name; }

bool hs_scenario_same_node(const struct hs_soc *soc, int p, int q) { return hs_soc_node(soc, p) == hs_soc_node(soc, q); }

int hs_scenario_node_taken(const struct hs_scenario *s, const struct hs_soc *soc, int p)
{
  for (int q = 0; q < soc->n_processors; q++)
    if (q != p && (s->held[q] || s->trace[q].n) && hs_scenario_same_node(soc, p, q)) return q;
  return -1;
}

const char *hs_scenario_no_rpc_thread(const struct hs_soc *soc)
{
  if (hs_soc_first(soc, HS_DSP) < 0 && hs_soc_first(soc, HS_NPU) < 0) return "has neither a DSP nor an NPU to call";
  return soc->scheduler.latency_s > 0 ? NULL : "has no scheduler: nobody waits for its cores";
}

unsigned hs_scenario_rpc_clusters(const struct hs_scenario *s, const struct hs_soc *soc)
{
  int last = 0;
  for (int p = 0; p < soc->n_processors; p++)
    if (soc->processors[p].kind == HS_CPU) last = p;
  return s->rpc_clusters ? s->rpc_clusters : hs_soc_domain_bit(last, 0);
}

/* Polls after which each zone has been looked at that often. */
static int polls_for(const struct hs_thermal *net, int looks)
{
  double period_s = HS_THERMAL_PERIOD_S;
  for (int i = 0; i < net->n_nodes; i++) period_s = fmax(period_s, net->zones[i].period_s);
  return looks * (int)ceil(period_s / HS_THERMAL_PERIOD_S - 1e-9);
}

/* The cap of processor p while all its cores compute and nothing else does; of two that take turns, the one that holds for longer. */
static int settled_cap(const struct hs_scenario *s, const struct hs_soc *soc, const struct hs_thermal_model *t, int p)
{
  enum { LOOKS = 200, SETTLED = 100 }; /* step_wise takes one for each level; what power_allocator adds up is at its limits by then */
  const int polls = polls_for(&soc->thermal, LOOKS), settled = polls_for(&soc->thermal, SETTLED);
  double sum = 0;
  struct hs_thermal_use use[HS_PROCESSORS_MAX];
  struct hs_thermal_governor g;
  hs_thermal_governor_open(&g, soc, s->thermal_governor, s->sustainable_w);
  for (int i = 0; i < polls; i++) {
    for (int q = 0; q < soc->n_processors; q++) use[q] = hs_thermal_use_at(soc, q, q == p, g.cap[q]);
    hs_thermal_govern(&g, t, use);
    if (i >= settled) sum += g.cap[p];
  }
  return (int)lround(sum / (polls - settled));
}

int hs_scenario_find_process(const struct hs_scenario *s, const char *name)
{
  for (int i = 0; i < s->n_processes; i++)
    if (strcmp(s->processes[i].name, name) == 0) return i;
  return -1;
}

struct hs_process hs_scenario_process(const struct hs_soc *soc, const char *name)
{
  return (struct hs_process){.name = name, .period_s = PROCESS_PERIOD_S, .kernel_s = PROCESS_KERNEL_S, .clusters = hs_soc_cpu_domains(soc)};
}

bool hs_scenario_load_allowed(const struct hs_soc *soc, enum hs_kind kind, double frac, const char *written, char why[HS_RULE])
{
  const bool small = frac > 0 && frac < HS_LOAD_MIN_FRAC, nowhere = frac > 0 && hs_soc_first(soc, kind) < 0;
  if (small)
    snprintf(why, HS_RULE, "%.40s is neither 0 nor in [%g, 1]", written, HS_LOAD_MIN_FRAC);
  else if (nowhere)
    snprintf(why, HS_RULE, "%.60s has no %s", soc->name, hs_kind_names[kind]);
  return !small && !nowhere;
}

bool hs_scenario_add_cluster(const struct hs_soc *soc, const char *name, unsigned *clusters, char why[HS_RULE])
{
  enum hs_scope scope;
  unsigned mask = hs_soc_domains(soc, name, &scope) & hs_soc_cpu_domains(soc);
  const bool taken = mask & *clusters;
  if (!mask)
    snprintf(why, HS_RULE, "%.60s has no CPU or cluster \"%.60s\"", soc->name, name);
  else if (taken)
    snprintf(why, HS_RULE, "\"%.60s\" is in the list already", name);
  else
    *clusters |= mask;
  return mask && !taken;
}

bool hs_process_has_threads(const struct hs_process *pr)
{
  for (int k = 0; k < pr->n_phases; k++)
    if (pr->phases[k].threads > 0) return true;
  return false;
}

bool hs_process_has_kernels(const struct hs_process *pr)
{
  for (int k = 0; k < pr->n_phases; k++)
    for (int kind = HS_GPU; kind < HS_KIND_N; kind++)
      if (pr->phases[k].load_frac[kind] > 0) return true;
  return false;
}

bool hs_scenario_takes_cores(const struct hs_scenario *s)
{
  for (int i = 0; i < s->n_processes; i++)
    if (hs_process_has_threads(&s->processes[i])) return true;
  return false;
}

bool hs_scenario_begins_slow(const struct hs_scenario *s, const struct hs_soc *soc)
{
  for (int p = 0; p < soc->n_processors; p++)
    for (int d = 0; d < soc->processors[p].n_domains; d++) {
      const struct hs_governed *asked = &s->governed[p][d];
      if (asked->kind < 0) continue;
      if (isfinite(hs_governor_period_s((enum hs_governor_kind)asked->kind))) return true;
    }
  return false;
}

void hs_scenario_caps(const struct hs_scenario *s, const struct hs_soc *soc, int *cap, double *leakage)
{
  struct hs_thermal_model t;
  for (int p = 0; p < soc->n_processors; p++) {
    cap[p] = hs_processor_fastest(&soc->processors[p])->n_opps - 1;
    leakage[p] = 1;
  }
  if (!s->thermal) return;
  hs_thermal_open(&t, soc, soc->thermal.ambient_c, s->start_c);
  for (int p = 0; p < soc->n_processors; p++) {
    if (s->held[p]) hs_thermal_hold(&t, p, s->held_c[p]);
    if (s->trace[p].n) hs_thermal_hold(&t, p, s->trace[p].temperature_c[0]);
  }
  for (int p = 0; p < soc->n_processors; p++) {
    cap[p] = settled_cap(s, soc, &t, p);
    leakage[p] = hs_leakage_factor(hs_thermal_temperature(&t, p));
  }
  hs_thermal_close(&t);
}
