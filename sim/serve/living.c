/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "serve/living.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/instant.h"
#include "device/cache.h"

static const double SAMPLE_S = 1;

/* A frequency domain under a governor. */
struct governed {
  int processor, domain, level;
  struct hs_governor governor;
  struct hs_governor_state state;
  struct hs_core_util util[HS_CORES_MAX];
  double busy_s[HS_CORES_MAX]; /* at the last tick */
  double last_s, next_s;
};

struct hs_living {
  const struct hs_system *sys;
  const struct hs_scenario *scenario;
  int n_governed;
  struct governed *governed;
  struct hs_competitors *competitors;
  struct hs_thermal_model thermal;
  struct hs_thermal_governor cooling;
  double next_thermal_s, last_thermal_s, energy_j[HS_PROCESSORS_MAX], busy_s[HS_PROCESSORS_MAX][HS_DOMAINS_MAX]; /* at the last thermal tick */
  double next_sample_s, sample_from_s, sampled_j[HS_PROCESSORS_MAX], total_j[HS_PROCESSORS_MAX];
  double cycles[HS_PROCESSORS_MAX]; /* of the fastest domain's clock, at the last sample */
  int n_samples, cap_samples;
  struct hs_sample start, *samples;
  double next_cache_s, next_tick_s; /* of all that comes by the clock */
  bool started;
};

static const struct hs_processor *processor(const struct hs_living *l, int p) { return &l->sys->soc->processors[p]; }

/* --- opening --- */

/* The phone was idle before the run: whoever samples has long found the lowest OPP. */
static void open_governors(struct hs_living *l)
{
  for (int p = 0; p < l->sys->soc->n_processors; p++)
    for (int d = 0; d < processor(l, p)->n_domains; d++) {
      const struct hs_governed *asked = &l->scenario->governed[p][d];
      if (asked->kind < 0) continue;
      struct governed *g = &l->governed[l->n_governed++];
      *g = (struct governed){.processor = p, .domain = d, .governor = {(enum hs_governor_kind)asked->kind, asked->level}};
      g->level = isfinite(hs_governor_period_s(g->governor.kind)) ? 0 : l->sys->backends[p].opp[d];
    }
}

static void open_thermal(struct hs_living *l)
{
  const struct hs_scenario *s = l->scenario;
  l->next_thermal_s = INFINITY;
  if (!s->thermal) return;
  hs_thermal_open(&l->thermal, l->sys->soc, l->sys->soc->thermal.ambient_c, s->start_c);
  hs_thermal_governor_open(&l->cooling, l->sys->soc, s->thermal_governor, s->sustainable_w);
  for (int p = 0; p < l->sys->soc->n_processors; p++) {
    if (s->held[p]) hs_thermal_hold(&l->thermal, p, s->held_c[p]);
    if (s->trace[p].n) hs_thermal_replay(&l->thermal, p, &s->trace[p]);
  }
  memcpy(l->start.temperature_c, l->thermal.temperature_c, sizeof l->start.temperature_c);
  l->next_thermal_s = 0;
}

struct hs_living *hs_living_open(const struct hs_system *sys, const struct hs_scenario *scenario, uint64_t seed)
{
  struct hs_living *l = hs_realloc(NULL, 1, sizeof *l);
  *l = (struct hs_living){.sys = sys, .scenario = scenario, .next_sample_s = SAMPLE_S};
  l->governed = hs_realloc(NULL, HS_PROCESSORS_MAX * HS_DOMAINS_MAX, sizeof *l->governed);
  open_governors(l);
  l->competitors = hs_competitors_new(sys, scenario, seed);
  open_thermal(l);
  return l;
}

void hs_living_close(struct hs_living *l)
{
  if (!l) return;
  hs_competitors_free(l->competitors);
  if (l->scenario->thermal) hs_thermal_close(&l->thermal);
  free(l->governed);
  free(l->samples);
  free(l);
}

/* Ticks come at whole multiples of their period, which added up would drift. */
static double tick_after(double now_s, double period_s) { return (round(now_s / period_s) + 1) * period_s; }

/* --- frequencies --- */

/* Busy share of the busiest core since the last tick, and its utilisation. */
static struct hs_governor_input look(struct hs_living *l, struct governed *g, struct hs_engine *e, double now_s)
{
  const struct hs_domain *d = &processor(l, g->processor)->domains[g->domain];
  double dt = now_s - g->last_s, speed = d->opps[hs_engine_level(e, g->processor, g->domain)].freq_hz / hs_domain_top(d)->freq_hz;
  struct hs_governor_input in = {.now_s = now_s};
  for (int c = 0; c < d->cores; c++) {
    double busy = hs_engine_busy_s(e, g->processor, g->domain, c), load = dt > 0 ? fmin((busy - g->busy_s[c]) / dt, 1) : 0;
    in.util = fmax(in.util, hs_core_util_advance(&g->util[c], dt, load, speed));
    g->busy_s[c] = busy;
    in.load = fmax(in.load, load);
  }
  if (l->scenario->thermal) in.cooling_state = d->n_opps - 1 - hs_system_opp(l->sys, g->processor, g->domain, l->cooling.cap[g->processor]);
  return in;
}

static void tick_governor(struct hs_living *l, struct governed *g, struct hs_engine *e, double now_s)
{
  const struct hs_domain *d = &processor(l, g->processor)->domains[g->domain];
  double period = hs_governor_period_s(g->governor.kind);
  struct hs_governor_input in = look(l, g, e, now_s);
  g->level = hs_governor_next(&g->governor, &g->state, d->opps, d->n_opps, g->level, &in);
  hs_engine_set_opp(e, g->processor, g->domain, g->level);
  g->last_s = now_s;
  /* those that don't sample look again when the cap may have changed */
  g->next_s = isfinite(period) ? tick_after(now_s, period) : l->scenario->thermal ? tick_after(now_s, HS_THERMAL_PERIOD_S) : INFINITY;
}

/* --- heat --- */

/* Since the last step, dt s ago. */
static struct hs_thermal_use use_of(struct hs_living *l, struct hs_engine *e, int p, double dt)
{
  struct hs_thermal_use use = {.level = {0}};
  for (int d = 0; d < processor(l, p)->n_domains; d++) {
    int cores = processor(l, p)->domains[d].cores;
    double busy = 0;
    for (int c = 0; c < cores; c++) busy += hs_engine_busy_s(e, p, d, c);
    use.cores[d] = dt > 0 ? fmin((busy - l->busy_s[p][d]) / dt, cores) : 0;
    use.level[d] = hs_engine_level(e, p, d);
    l->busy_s[p][d] = busy;
  }
  return use;
}

static void cool(struct hs_living *l, struct hs_engine *e, int p)
{
  for (int d = 0; d < processor(l, p)->n_domains; d++) hs_engine_set_cap(e, p, d, hs_system_opp(l->sys, p, d, l->cooling.cap[p]));
  hs_engine_set_leakage(e, p, hs_leakage_factor(hs_thermal_temperature(&l->thermal, p)));
}

/* What the power since the last step did. use: of processors, meanwhile. */
static enum hs_status heat_up(struct hs_living *l, struct hs_engine *e, double now_s, struct hs_thermal_use *use, struct hs_error *err)
{
  double dt = now_s - l->last_thermal_s, power_w[HS_PROCESSORS_MAX] = {0};
  for (int p = 0; p < l->sys->soc->n_processors; p++) {
    double joules = hs_engine_energy_j(e, p);
    power_w[p] = dt > 0 ? (joules - l->energy_j[p]) / dt : 0;
    use[p] = use_of(l, e, p, dt);
    l->energy_j[p] = joules;
  }
  l->last_thermal_s = now_s;
  return dt > 0 ? hs_thermal_step(&l->thermal, power_w, l->sys->soc->idle_w, dt, err) : HS_OK;
}

static enum hs_status tick_thermal(struct hs_living *l, struct hs_engine *e, double now_s, struct hs_error *err)
{
  struct hs_thermal_use use[HS_PROCESSORS_MAX];
  HS_TRY(heat_up(l, e, now_s, use, err));
  int hot = hs_thermal_govern(&l->cooling, &l->thermal, use);
  for (int p = 0; p < l->sys->soc->n_processors; p++) cool(l, e, p);
  l->next_thermal_s = tick_after(now_s, HS_THERMAL_PERIOD_S);
  if (hot < 0) return HS_OK;
  return hs_fail(err, HS_UNMET, "the device shuts down at %.1f s: %s has %.1f C", now_s, l->sys->soc->thermal.nodes[hot].name, l->thermal.temperature_c[hot]);
}

/* --- cache --- */

/* Until the next phase begins or ends; a hit rate that was set stays. */
static void share_cache(struct hs_living *l, struct hs_engine *e, double now_s)
{
  const struct hs_soc *soc = l->sys->soc;
  double hit = l->scenario->cache_hit_frac;
  l->next_cache_s = INFINITY;
  if (hit < 0) hit = hs_cache_hit_frac(soc, hs_competitors_footprint_bytes(l->competitors, now_s, &l->next_cache_s));
  if (soc->memory.llc_hit_frac >= 0) hs_engine_set_traffic(e, hs_cache_traffic(soc, hit));
}

/* --- turns --- */

static void take_sample(struct hs_living *l, struct hs_engine *e, double now_s)
{
  HS_GROW(l->samples, l->n_samples, l->cap_samples);
  struct hs_sample *s = &l->samples[l->n_samples++];
  *s = (struct hs_sample){.end_s = now_s};
  for (int p = 0; p < l->sys->soc->n_processors; p++) {
    double joules = hs_engine_energy_j(e, p), cycles = hs_engine_cycles(e, p, processor(l, p)->n_domains - 1);
    s->power_w[p] = (joules - l->sampled_j[p]) / (now_s - l->sample_from_s);
    s->freq_hz[p] = hs_domain_mean_hz(hs_processor_fastest(processor(l, p)), cycles - l->cycles[p], now_s - l->sample_from_s);
    l->cycles[p] = cycles;
    l->sampled_j[p] = joules;
  }
  memcpy(s->temperature_c, l->thermal.temperature_c, sizeof s->temperature_c); /* 0 without heat */
  l->sample_from_s = now_s;
  l->next_sample_s = tick_after(now_s, SAMPLE_S);
}

enum hs_status hs_living_end(struct hs_living *l, struct hs_engine *e, double now_s, struct hs_error *err)
{
  struct hs_thermal_use use[HS_PROCESSORS_MAX];
  enum hs_status status = l->scenario->thermal ? heat_up(l, e, now_s, use, err) : HS_OK;
  for (int p = 0; p < l->sys->soc->n_processors; p++) l->total_j[p] = hs_engine_energy_j(e, p);
  if (hs_is_past(l->sample_from_s, now_s)) take_sample(l, e, now_s);
  return status;
}

/* What comes by the clock. */
static void tick(struct hs_living *l, struct hs_engine *e, double now_s, enum hs_status *status, struct hs_error *err)
{
  if (hs_has_come(l->next_cache_s, now_s)) share_cache(l, e, now_s);
  if (hs_has_come(l->next_thermal_s, now_s)) *status = tick_thermal(l, e, now_s, err);
  l->next_tick_s = fmin(l->next_thermal_s, l->next_cache_s);
  for (int i = 0; i < l->n_governed; i++) {
    if (hs_has_come(l->governed[i].next_s, now_s)) tick_governor(l, &l->governed[i], e, now_s);
    l->next_tick_s = fmin(l->next_tick_s, l->governed[i].next_s);
  }
  if (hs_has_come(l->next_sample_s, now_s)) take_sample(l, e, now_s);
  l->next_tick_s = fmin(l->next_tick_s, l->next_sample_s);
}

double hs_living_turn(struct hs_living *l, struct hs_engine *e, double now_s, enum hs_status *status, struct hs_error *err)
{
  if (!l->started) hs_engine_set_weight(e, hs_competitors_weight(l->competitors, 0));
  l->started = true;
  if (hs_has_come(l->next_tick_s, now_s)) tick(l, e, now_s, status, err);
  return fmin(hs_competitors_turn(l->competitors, e, now_s), l->next_tick_s);
}

void hs_living_done(struct hs_living *l, int request, double end_s) { hs_competitors_done(l->competitors, request, end_s); }

const struct hs_sample *hs_living_start(const struct hs_living *l) { return &l->start; }

const struct hs_sample *hs_living_samples(const struct hs_living *l, int *n)
{
  *n = l->n_samples;
  return l->samples;
}

struct hs_frames hs_living_frames(const struct hs_living *l) { return hs_competitors_frames(l->competitors); }
const struct hs_thermal_model *hs_living_thermal(const struct hs_living *l) { return l->scenario->thermal ? &l->thermal : NULL; }
double hs_living_energy_j(const struct hs_living *l, int p) { return l->total_j[p]; }
