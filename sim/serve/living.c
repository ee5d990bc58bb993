/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "serve/living.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "device/cache.h"
#include "device/cfs.h"

static const double SAMPLE_S = 1, SLACK_S = 1e-9; /* SLACK: times that were added up and the engine's clock */

/* A frequency domain under a governor. */
struct governed {
  int processor, domain, level;
  struct hs_governor governor;
  struct hs_governor_state state;
  struct hs_pelt pelt[HS_CORES_MAX];
  double busy_s[HS_CORES_MAX]; /* at the last tick */
  double last_s, next_s;
};

struct core {
  int processor, domain, core;
};

/* A thread of a process, or its stream of kernels on an accelerator. */
struct burster {
  const struct hs_process *process;
  int number;      /* of the thread, from 0; -1: an accelerator's */
  int processor;   /* of an accelerator's */
  bool running;
  double next_s;   /* when its next burst comes, or a phase begins in which some come */
  bool counting;   /* to a burst, not a phase */
  struct hs_random *random;
  struct hs_program program; /* its one task */
  struct hs_task task;
};

struct display {
  bool drawing;
  double next_s, vsync_s;
  struct hs_program program;
  struct hs_task tasks[2];
  int deps[1];
  struct hs_frames frames;
};

struct hs_living {
  const struct hs_system *sys;
  const struct hs_scenario *scenario;
  int n_governed, n_bursters;
  struct governed *governed;
  struct burster *bursters;
  struct display display;
  struct hs_thermal_model thermal;
  struct hs_thermal_governor cooling;
  double next_thermal_s, last_thermal_s, energy_j[HS_PROCESSORS_MAX], busy_s[HS_PROCESSORS_MAX]; /* at the last thermal tick */
  double next_sample_s, sample_from_s, sampled_j[HS_PROCESSORS_MAX], total_j[HS_PROCESSORS_MAX];
  double last_tick_s, cycles[HS_PROCESSORS_MAX]; /* of the fastest domain's clock, in this sample */
  int n_samples, cap_samples;
  struct hs_sample *samples;
  double next_cache_s, next_tick_s; /* of all that comes by the clock */
  bool started;
  double lightest; /* weight of a process or an inference */
};

static const struct hs_processor *processor(const struct hs_living *l, int p) { return &l->sys->soc->processors[p]; }

/* --- opening --- */

static void open_governors(struct hs_living *l)
{
  for (int p = 0; p < l->sys->soc->n_processors; p++)
    for (int d = 0; d < processor(l, p)->n_domains; d++) {
      const struct hs_governed *asked = &l->scenario->governed[p][d];
      if (asked->kind < 0) continue;
      struct governed *g = &l->governed[l->n_governed++];
      *g = (struct governed){.processor = p, .domain = d, .level = l->sys->backends[p].opp[d], .governor = hs_governor_default((enum hs_governor_kind)asked->kind)};
      g->governor.level = asked->level;
    }
}

static void open_burster(struct hs_living *l, const struct hs_process *pr, int number, int p, uint64_t seed)
{
  char name[100];
  struct burster *b = &l->bursters[l->n_bursters++];
  snprintf(name, sizeof name, "process/%.60s/%d/%d", pr->name, number, p);
  *b = (struct burster){.process = pr, .number = number, .processor = p < 0 ? 0 : p};
  b->random = hs_random_new(seed, name);
  b->program = (struct hs_program){.n_tasks = 1, .tasks = &b->task};
}

/* As many threads as the process ever has, and one stream per accelerator that it ever loads. */
static void open_bursters(struct hs_living *l, uint64_t seed)
{
  size_t most = 0;
  for (int i = 0; i < l->scenario->n_processes; i++) most += HS_THREADS_MAX + HS_KIND_N;
  l->bursters = hs_realloc(NULL, most + 1, sizeof *l->bursters);
  for (int i = 0; i < l->scenario->n_processes; i++) {
    const struct hs_process *pr = &l->scenario->processes[i];
    int threads = 0;
    bool loads[HS_KIND_N] = {false};
    for (int k = 0; k < pr->n_phases; k++) {
      if (pr->phases[k].threads > threads) threads = pr->phases[k].threads;
      for (int kind = HS_GPU; kind < HS_KIND_N; kind++) loads[kind] |= pr->phases[k].load_frac[kind] > 0;
    }
    for (int t = 0; t < threads; t++) open_burster(l, pr, t, -1, seed);
    for (int kind = HS_GPU; kind < HS_KIND_N; kind++)
      if (loads[kind]) open_burster(l, pr, -1, hs_soc_first(l->sys->soc, (enum hs_kind)kind), seed);
  }
}

/* CPU first, then GPU. */
static void open_display(struct hs_living *l)
{
  struct display *u = &l->display;
  u->next_s = l->scenario->ui_rate_hz > 0 ? 0 : INFINITY;
  u->program = (struct hs_program){.n_tasks = 2, .tasks = u->tasks, .n_deps = 1, .deps = u->deps};
  u->tasks[1].n_deps = 1;
}

static enum hs_status open_thermal(struct hs_living *l, struct hs_error *err)
{
  const struct hs_scenario *s = l->scenario;
  l->next_thermal_s = INFINITY;
  if (!s->thermal) return HS_OK;
  hs_thermal_open(&l->thermal, l->sys->soc, l->sys->soc->thermal.ambient_c, s->start_c);
  hs_thermal_governor_open(&l->cooling, l->sys->soc, s->thermal_governor, s->sustainable_w);
  for (int p = 0; p < l->sys->soc->n_processors; p++) {
    if (s->held[p]) HS_TRY(hs_thermal_hold(&l->thermal, p, s->held_c[p], err));
    if (s->trace[p].n) HS_TRY(hs_thermal_replay(&l->thermal, p, &s->trace[p], err));
  }
  l->next_thermal_s = 0;
  return HS_OK;
}

enum hs_status hs_living_open(struct hs_living **living, const struct hs_system *sys, const struct hs_scenario *scenario, uint64_t seed,
                              struct hs_error *err)
{
  if (scenario->cache_hit_frac >= 0 && sys->soc->memory.llc_hit_frac < 0)
    return hs_fail(err, HS_USAGE, "a cache hit rate is set, and %s has no memory.llc_hit_frac to compare with", sys->soc->name);
  struct hs_living *l = *living = hs_realloc(NULL, 1, sizeof *l);
  *l = (struct hs_living){.sys = sys, .scenario = scenario, .next_sample_s = SAMPLE_S};
  l->governed = hs_realloc(NULL, HS_PROCESSORS_MAX * HS_DOMAINS_MAX, sizeof *l->governed);
  open_governors(l);
  open_bursters(l, seed);
  for (int i = 0; i < l->n_bursters; i++) hs_program_seal(&l->bursters[i].program);
  open_display(l);
  hs_program_seal(&l->display.program);
  return open_thermal(l, err);
}

static void unseal(struct hs_program *p)
{
  free(p->queue);
  free(p->readers);
  free(p->readers_first);
}

void hs_living_close(struct hs_living *l)
{
  if (!l) return;
  for (int i = 0; i < l->n_bursters; i++) {
    unseal(&l->bursters[i].program);
    hs_random_free(l->bursters[i].random);
  }
  unseal(&l->display.program);
  if (l->scenario->thermal) hs_thermal_close(&l->thermal);
  free(l->governed);
  free(l->bursters);
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
  double dt = now_s - g->last_s, speed = d->opps[g->level].freq_hz / d->opps[d->n_opps - 1].freq_hz;
  struct hs_governor_input in = {.now_s = now_s};
  for (int c = 0; c < d->cores; c++) {
    double busy = hs_engine_busy_s(e, g->processor, g->domain, c), load = dt > 0 ? fmin((busy - g->busy_s[c]) / dt, 1) : 0;
    if (load > 0 || g->pelt[c].util > 0) hs_pelt_advance(&g->pelt[c], dt, load * speed);
    g->busy_s[c] = busy;
    in.load = fmax(in.load, load);
    in.util = fmax(in.util, g->pelt[c].util);
  }
  if (l->scenario->thermal) in.cooling_state = d->n_opps - 1 - hs_system_opp(l->sys, g->processor, g->domain, l->cooling.cap[g->processor]);
  return in;
}

static void tick_governor(struct hs_living *l, struct governed *g, struct hs_engine *e, double now_s)
{
  const struct hs_domain *d = &processor(l, g->processor)->domains[g->domain];
  double period = hs_governor_period_s(&g->governor);
  struct hs_governor_input in = look(l, g, e, now_s);
  g->level = hs_governor_next(&g->governor, &g->state, d->opps, d->n_opps, g->level, &in);
  hs_engine_set_opp(e, g->processor, g->domain, g->level);
  g->last_s = now_s;
  /* those that don't sample look again when the cap may have changed */
  g->next_s = isfinite(period) ? tick_after(now_s, period) : l->scenario->thermal ? tick_after(now_s, HS_THERMAL_PERIOD_S) : INFINITY;
}

/* --- heat --- */

static double busy_of(struct hs_living *l, struct hs_engine *e, int p)
{
  double sum = 0;
  for (int d = 0; d < processor(l, p)->n_domains; d++)
    for (int c = 0; c < processor(l, p)->domains[d].cores; c++) sum += hs_engine_busy_s(e, p, d, c);
  return sum / hs_processor_cores(processor(l, p));
}

/* Level that processor p is at, which a cap may have lowered since its governor looked. */
static int level_of(const struct hs_living *l, int p)
{
  int last = processor(l, p)->n_domains - 1, level = l->sys->backends[p].opp[last];
  for (int i = 0; i < l->n_governed; i++)
    if (l->governed[i].processor == p && l->governed[i].domain == last) level = l->governed[i].level;
  return l->scenario->thermal && l->cooling.cap[p] < level ? l->cooling.cap[p] : level;
}

static void cool(struct hs_living *l, struct hs_engine *e, int p)
{
  for (int d = 0; d < processor(l, p)->n_domains; d++) hs_engine_set_cap(e, p, d, hs_system_opp(l->sys, p, d, l->cooling.cap[p]));
  hs_engine_set_leakage(e, p, hs_leakage_factor(hs_thermal_temperature(&l->thermal, p)));
}

/* What the power since the last step did. load, level: of processors, meanwhile. */
static enum hs_status heat_up(struct hs_living *l, struct hs_engine *e, double now_s, double *load, int *level, struct hs_error *err)
{
  double dt = now_s - l->last_thermal_s, power_w[HS_PROCESSORS_MAX] = {0};
  for (int p = 0; p < l->sys->soc->n_processors; p++) {
    double joules = hs_engine_energy_j(e, p), busy = busy_of(l, e, p);
    load[p] = dt > 0 ? fmin((busy - l->busy_s[p]) / dt, 1) : 0;
    power_w[p] = dt > 0 ? (joules - l->energy_j[p]) / dt : 0;
    level[p] = level_of(l, p);
    l->energy_j[p] = joules;
    l->busy_s[p] = busy;
  }
  l->last_thermal_s = now_s;
  return dt > 0 ? hs_thermal_step(&l->thermal, power_w, l->sys->soc->idle_w, dt, err) : HS_OK;
}

static enum hs_status tick_thermal(struct hs_living *l, struct hs_engine *e, double now_s, struct hs_error *err)
{
  double load[HS_PROCESSORS_MAX];
  int level[HS_PROCESSORS_MAX];
  HS_TRY(heat_up(l, e, now_s, load, level, err));
  int hot = hs_thermal_govern(&l->cooling, &l->thermal, load, level);
  for (int p = 0; p < l->sys->soc->n_processors; p++) cool(l, e, p);
  l->next_thermal_s = tick_after(now_s, HS_THERMAL_PERIOD_S);
  if (hot < 0) return HS_OK;
  return hs_fail(err, HS_UNMET, "the device shuts down at %.1f s: %s has %.1f C", now_s, l->sys->soc->thermal.nodes[hot].name, l->thermal.temperature_c[hot]);
}

/* --- processes --- */

static const struct hs_phase *phase_at(const struct hs_process *pr, double now_s, double *next_s)
{
  *next_s = INFINITY;
  for (int i = 0; i < pr->n_phases; i++) {
    const struct hs_phase *ph = &pr->phases[i];
    if (now_s + SLACK_S < ph->from_s) {
      *next_s = ph->from_s;
      return NULL;
    }
    if (now_s + SLACK_S < ph->to_s) {
      *next_s = ph->to_s;
      return ph;
    }
  }
  return NULL;
}

/* Capacity of a core for general code, as its arithmetic rate at the highest OPP. */
static double capacity(const struct hs_living *l, int p, int d)
{
  const struct hs_domain *dom = &processor(l, p)->domains[d];
  double most = 0;
  for (int k = 0; k < HS_PRECISION_N; k++) most = fmax(most, dom->macs_per_cycle[k]);
  return most * dom->opps[dom->n_opps - 1].freq_hz;
}

/* Where CFS with energy-aware scheduling wakes a thread up: on an idle core, the smallest in which it fits (fits_capacity(): its
 * utilisation · 1.25 below the capacity; duties are relative to the core they run on), else the largest; with no core idle, where fewest are,
 * the larger core if as few. */
static struct core wake_up(const struct hs_living *l, const struct hs_engine *e, unsigned clusters, double duty)
{
  struct core best = {-1, 0, 0};
  double best_key = INFINITY;
  for (int p = 0; p < l->sys->soc->n_processors; p++)
    for (int d = 0; d < processor(l, p)->n_domains; d++)
      for (int c = 0; c < processor(l, p)->domains[d].cores && (clusters >> (p * HS_DOMAINS_MAX + d) & 1); c++) {
        int others = hs_engine_tasks_on(e, p, d, c);
        bool fits = duty * 1.25 < 1;
        double size = capacity(l, p, d) / 1e15, key = others + (others == 0 && fits ? size : -size);
        if (key >= best_key) continue;
        best_key = key;
        best = (struct core){p, d, c};
      }
  return best;
}

/* As a fluid, a core has whole shares for an inference (nice 0) and the processes: the lightest of all has one. */
static double lightest(const struct hs_scenario *s)
{
  double least = hs_cfs_weight(0);
  for (int i = 0; i < s->n_processes; i++) least = fmin(least, hs_cfs_weight(s->processes[i].nice));
  return fmax(least, hs_cfs_weight(0) / HS_WEIGHT_MAX);
}

static int shares(const struct hs_living *l, int nice)
{
  if (l->sys->scheduler) return (int)lround(hs_cfs_weight(nice));
  int n = (int)lround(hs_cfs_weight(nice) / l->lightest);
  return n < 1 ? 1 : n > HS_WEIGHT_MAX ? HS_WEIGHT_MAX : n;
}

static void one_core(struct hs_task *t, const struct hs_living *l, struct core at, double seconds, double bytes_per_s)
{
  const struct hs_domain *d = &processor(l, at.processor)->domains[at.domain];
  t->work = (struct hs_work){.bytes = bytes_per_s * seconds, .power_factor = 1};
  t->work.cores[at.domain] = 1;
  t->work.cycles[at.domain] = seconds * d->opps[d->n_opps - 1].freq_hz;
  t->processor = at.processor;
  t->first_core = at.core;
  t->opp = -1;
  t->tensor = -1;
}

/* From burst to burst. */
static double gap_of(const struct hs_living *l, const struct burster *b, const struct hs_phase *ph)
{
  double mean = b->number >= 0 ? b->process->period_s : b->process->kernel_s / ph->load_frac[processor(l, b->processor)->kind];
  return b->process->poisson ? hs_random_exponential(b->random, mean) : mean;
}

/* The program's one queue moves with its task. */
static void start_burst(struct hs_living *l, struct burster *b, struct hs_engine *e, const struct hs_phase *ph)
{
  struct core at = {b->processor, processor(l, b->processor)->n_domains - 1, 0};
  if (b->number >= 0) at = wake_up(l, e, b->process->clusters, ph->duty_frac);
  one_core(&b->task, l, at, b->number >= 0 ? ph->duty_frac * b->process->period_s : b->process->kernel_s, ph->dram_bytes_per_s);
  b->task.weight = shares(l, b->process->nice);
  hs_program_seal(&b->program);
  b->running = true;
  hs_engine_submit(e, -1 - (int)(b - l->bursters), 0, &b->program);
}

/* Bursts at random come whether or not the one before has ended, and wait for it. An even thread sleeps for what is left of its
 * period, from when its burst began. */
static void turn_burster(struct hs_living *l, struct burster *b, struct hs_engine *e, double now_s)
{
  double change_s;
  if (b->running || b->next_s > now_s + SLACK_S) return;
  const struct hs_phase *ph = phase_at(b->process, now_s, &change_s);
  if (!ph || !(b->number >= 0 ? b->number < ph->threads : ph->load_frac[processor(l, b->processor)->kind] > 0)) {
    b->next_s = change_s;
    b->counting = false;
    return;
  }
  if (!b->counting && b->process->poisson) { /* none comes at the very start of a phase */
    b->next_s = now_s + gap_of(l, b, ph);
    b->counting = true;
    return;
  }
  b->next_s = (b->process->poisson ? b->next_s : now_s) + gap_of(l, b, ph);
  start_burst(l, b, e, ph);
}

/* --- cache --- */

/* Until the next phase begins or ends. */
static void share_cache(struct hs_living *l, struct hs_engine *e, double now_s)
{
  const struct hs_soc *soc = l->sys->soc;
  double others = 0, hit = l->scenario->cache_hit_frac;
  l->next_cache_s = INFINITY;
  for (int i = 0; i < l->scenario->n_processes && hit < 0; i++) {
    double change_s;
    const struct hs_phase *ph = phase_at(&l->scenario->processes[i], now_s, &change_s);
    others += ph ? ph->footprint_bytes : 0;
    l->next_cache_s = fmin(l->next_cache_s, change_s);
  }
  if (soc->memory.llc_hit_frac >= 0) hs_engine_set_traffic(e, hs_cache_traffic(soc, hit >= 0 ? hit : hs_cache_hit_frac(soc, others)));
}

/* --- display --- */

static void turn_display(struct hs_living *l, struct hs_engine *e, double now_s)
{
  struct display *u = &l->display;
  if (u->next_s > now_s + SLACK_S) return;
  u->frames.vsyncs++;
  double vsync_s = u->next_s;
  u->next_s = u->frames.vsyncs / l->scenario->ui_rate_hz;
  if (u->drawing) return;
  unsigned cpus = 0;
  for (int p = 0; p < l->sys->soc->n_processors; p++)
    for (int d = 0; d < processor(l, p)->n_domains && processor(l, p)->kind == HS_CPU; d++) cpus |= 1u << (p * HS_DOMAINS_MAX + d);
  int gpu = hs_soc_first(l->sys->soc, HS_GPU);
  one_core(&u->tasks[0], l, wake_up(l, e, cpus, 1), l->scenario->ui_cpu_s, 0);
  one_core(&u->tasks[1], l, (struct core){gpu, processor(l, gpu)->n_domains - 1, 0}, l->scenario->ui_gpu_s, 0);
  u->tasks[0].weight = u->tasks[1].weight = shares(l, 0);
  hs_program_seal(&u->program);
  u->drawing = true;
  u->vsync_s = vsync_s;
  hs_engine_submit(e, -1 - l->n_bursters, 0, &u->program);
}

void hs_living_done(struct hs_living *l, int request, double start_s, double end_s)
{
  int i = -1 - request;
  (void)start_s;
  if (i < l->n_bursters) {
    l->bursters[i].running = false;
    return;
  }
  struct display *u = &l->display;
  double taken = end_s - u->vsync_s;
  u->drawing = false;
  u->frames.drawn++;
  u->frames.janky += taken > (1 + SLACK_S) / l->scenario->ui_rate_hz;
  u->frames.worst_s = fmax(u->frames.worst_s, taken);
}

/* --- turns --- */

static void take_sample(struct hs_living *l, struct hs_engine *e, double now_s)
{
  HS_GROW(l->samples, l->n_samples, l->cap_samples);
  struct hs_sample *s = &l->samples[l->n_samples++];
  *s = (struct hs_sample){.end_s = now_s};
  for (int p = 0; p < l->sys->soc->n_processors; p++) {
    double joules = hs_engine_energy_j(e, p);
    s->power_w[p] = (joules - l->sampled_j[p]) / (now_s - l->sample_from_s);
    s->freq_hz[p] = l->cycles[p] / (now_s - l->sample_from_s);
    l->cycles[p] = 0;
    s->temperature_c[p] = l->scenario->thermal ? hs_thermal_temperature(&l->thermal, p) : 0;
    l->sampled_j[p] = joules;
  }
  l->sample_from_s = now_s;
  l->next_sample_s = tick_after(now_s, SAMPLE_S);
}

/* Frequencies have been what they are since the last tick. */
static void count_cycles(struct hs_living *l, double now_s)
{
  for (int p = 0; p < l->sys->soc->n_processors; p++)
    l->cycles[p] += (now_s - l->last_tick_s) * processor(l, p)->domains[processor(l, p)->n_domains - 1].opps[level_of(l, p)].freq_hz;
  l->last_tick_s = now_s;
}

enum hs_status hs_living_end(struct hs_living *l, struct hs_engine *e, double now_s, struct hs_error *err)
{
  double load[HS_PROCESSORS_MAX];
  int level[HS_PROCESSORS_MAX];
  enum hs_status status = l->scenario->thermal ? heat_up(l, e, now_s, load, level, err) : HS_OK;
  count_cycles(l, now_s);
  for (int p = 0; p < l->sys->soc->n_processors; p++) l->total_j[p] = hs_engine_energy_j(e, p);
  if (now_s > l->sample_from_s + SLACK_S) take_sample(l, e, now_s);
  return status;
}

/* What comes by the clock. */
static void tick(struct hs_living *l, struct hs_engine *e, double now_s, enum hs_status *status, struct hs_error *err)
{
  count_cycles(l, now_s);
  if (l->next_cache_s <= now_s + SLACK_S) share_cache(l, e, now_s);
  if (l->next_thermal_s <= now_s + SLACK_S) *status = tick_thermal(l, e, now_s, err);
  l->next_tick_s = fmin(l->next_thermal_s, l->next_cache_s);
  for (int i = 0; i < l->n_governed; i++) {
    if (l->governed[i].next_s <= now_s + SLACK_S) tick_governor(l, &l->governed[i], e, now_s);
    l->next_tick_s = fmin(l->next_tick_s, l->governed[i].next_s);
  }
  if (l->next_sample_s <= now_s + SLACK_S) take_sample(l, e, now_s);
  l->next_tick_s = fmin(l->next_tick_s, l->next_sample_s);
}

double hs_living_turn(struct hs_living *l, struct hs_engine *e, double now_s, enum hs_status *status, struct hs_error *err)
{
  if (!l->started) {
    l->lightest = lightest(l->scenario);
    hs_engine_set_weight(e, shares(l, 0));
    l->started = true;
  }
  if (l->next_tick_s <= now_s + SLACK_S) tick(l, e, now_s, status, err);
  for (int i = 0; i < l->n_bursters; i++) turn_burster(l, &l->bursters[i], e, now_s);
  turn_display(l, e, now_s);
  double next = fmin(l->next_tick_s, l->display.next_s);
  for (int i = 0; i < l->n_bursters; i++)
    if (!l->bursters[i].running) next = fmin(next, l->bursters[i].next_s);
  return next;
}

const struct hs_sample *hs_living_samples(const struct hs_living *l, int *n)
{
  *n = l->n_samples;
  return l->samples;
}

double hs_frames_dropped_frac(const struct hs_frames *f) { return f->vsyncs ? 1 - (double)f->drawn / (double)f->vsyncs : 0; }

struct hs_frames hs_living_frames(const struct hs_living *l) { return l->display.frames; }
const struct hs_thermal_model *hs_living_thermal(const struct hs_living *l) { return l->scenario->thermal ? &l->thermal : NULL; }
double hs_living_energy_j(const struct hs_living *l, int p) { return l->total_j[p]; }
