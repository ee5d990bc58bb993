/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What both readers of scenarios promise. */
#ifndef HS_FUZZ_SCENARIO_H
#define HS_FUZZ_SCENARIO_H

#include <math.h>

#include "device/scenario_parts.h"
#include "fuzz.h"
#include "tests/unit/scenario_soc.h"

typedef enum hs_status hs_fuzz_reader(struct hs_scenario *, const char *, const char *, size_t, const struct hs_soc *, struct hs_error *);

static inline void hs_fuzz_release(struct hs_scenario *s)
{
  hs_scenario_free(s);
  free(s);
}

static inline enum hs_status hs_fuzz_scenario(hs_fuzz_reader *reader, const char *file, const char *text, size_t len, struct hs_scenario **s,
                                              struct hs_error *err)
{
  struct hs_scenario *made = malloc(sizeof *made);
  hs_scenario_open(made);
  enum hs_status status = reader(made, file, text, len, &scenario_soc, err);
  if (status)
    hs_fuzz_release(made);
  else
    *s = made;
  return status;
}

static inline void hs_fuzz_phases(const struct hs_process *pr)
{
  hs_fuzz_promise(pr->n_phases >= 1 && pr->n_phases <= HS_PHASES_MAX);
  for (int i = 0; i < pr->n_phases; i++) {
    const struct hs_phase *ph = &pr->phases[i];
    double load = ph->threads;
    hs_fuzz_promise(ph->from_s >= 0 && ph->from_s < ph->to_s && isfinite(ph->from_s) && (i == 0 || ph->from_s >= pr->phases[i - 1].to_s));
    hs_fuzz_promise(ph->threads >= 0 && ph->threads <= HS_THREADS_MAX && ph->duty_frac > 0 && ph->duty_frac <= 1);
    hs_fuzz_promise(ph->dram_bytes_per_s >= 0 && isfinite(ph->dram_bytes_per_s) && ph->footprint_bytes >= 0 && isfinite(ph->footprint_bytes));
    for (int k = 0; k < HS_KIND_N; k++) {
      hs_fuzz_promise(ph->load_frac[k] >= 0 && ph->load_frac[k] <= 1 && (ph->load_frac[k] == 0 || hs_soc_first(&scenario_soc, (enum hs_kind)k) >= 0));
      load += ph->load_frac[k];
    }
    hs_fuzz_promise(load > 0);
  }
}

static inline void hs_fuzz_temperatures(const struct hs_scenario *s)
{
  for (int p = 0; p < HS_PROCESSORS_MAX; p++) {
    const struct hs_temperature_trace *t = &s->trace[p];
    hs_fuzz_promise(!s->held[p] || (s->thermal && t->n == 0 && s->held_c[p] >= HS_TEMPERATURE_MIN_C && s->held_c[p] <= HS_TEMPERATURE_MAX_C));
    hs_fuzz_promise(t->n == 0 || (s->thermal && t->n >= 2 && t->time_s[0] == 0));
    for (int i = 1; i < t->n; i++) hs_fuzz_promise(t->time_s[i] > t->time_s[i - 1]);
    for (int i = 0; i < t->n; i++) hs_fuzz_promise(t->temperature_c[i] >= HS_TEMPERATURE_MIN_C && t->temperature_c[i] <= HS_TEMPERATURE_MAX_C);
  }
}

static inline void hs_fuzz_use(struct hs_scenario *s)
{
  hs_fuzz_promise(s->n_processes >= 0 && s->n_processes <= HS_PROCESSES_MAX && s->n_competing <= HS_COMPETING_MAX);
  for (int i = 0; i < s->n_processes; i++) {
    const struct hs_process *pr = &s->processes[i];
    hs_fuzz_promise(pr->name[0] && strlen(pr->name) < 64 && pr->clusters && pr->period_s > 0 && pr->kernel_s > 0 && pr->nice >= -20 && pr->nice <= 19);
    for (int k = 0; k < i; k++) hs_fuzz_promise(strcmp(pr->name, s->processes[k].name) != 0);
    hs_fuzz_phases(pr);
  }
  for (int p = 0; p < scenario_soc.n_processors; p++) {
    bool cpu = scenario_soc.processors[p].kind == HS_CPU;
    hs_fuzz_promise(s->fallback_frac[p] >= 0 && s->fallback_frac[p] <= (cpu ? 0 : 1));
    for (int d = 0; d < scenario_soc.processors[p].n_domains; d++) {
      const struct hs_governed *g = &s->governed[p][d];
      hs_fuzz_promise(g->kind < HS_GOVERNOR_KIND_N && g->level < scenario_soc.processors[p].domains[d].n_opps &&
                      (g->kind < 0 || g->level < 0 || g->kind == HS_USERSPACE));
    }
  }
  hs_fuzz_promise((s->rpc_clusters & ~hs_soc_cpu_domains(&scenario_soc)) == 0 && hs_scenario_rpc_clusters(s, &scenario_soc) != 0);
  hs_fuzz_promise(s->thermal_governor < HS_THERMAL_GOVERNOR_N && (s->sustainable_w == 0 || s->thermal_governor == HS_POWER_ALLOCATOR));
  hs_fuzz_temperatures(s);
  hs_fuzz_promise(s->ui_rate_hz == 0 || (s->ui_rate_hz >= 1 && s->ui_rate_hz <= 240 && s->ui_cpu_s + s->ui_gpu_s > 0));
  hs_fuzz_promise(s->cache_hit_frac <= 1 && (s->living || (s->n_processes == 0 && !s->thermal && s->ui_rate_hz == 0)));
}

#endif
