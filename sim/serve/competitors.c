/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "serve/competitors.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/instant.h"
#include "base/random.h"
#include "device/cfs.h"

struct core {
  int processor, domain, core;
};

/* A thread of a process, or its stream of kernels on an accelerator. */
struct burster {
  const struct hs_process *process;
  int number;      /* of the thread, from 0; -1: an accelerator's */
  int processor;   /* of an accelerator's */
  bool running;
  double next_s;   /* when its next burst comes, or a phase begins in which some come, or that ends by which due_s was counted */
  double due_s;    /* when its next burst comes, if the phase lasts until then */
  const struct hs_phase *phase; /* by which due_s was counted; NULL: it wasn't */
  struct hs_random *random;
  struct hs_program program; /* its one task */
  struct hs_task task;
};

/* A frame under way: work of the CPU, then of the GPU. */
struct frame {
  enum { NO_FRAME, PREPARING, PREPARED, DRAWING } state;
  double vsync_s; /* whose it is */
  struct hs_program program; /* its one task, of the one and then of the other */
  struct hs_task task;
};

/* While the GPU draws a frame the CPU prepares the next, as in Android: with a third buffer on the screen, no more are under way. One thread prepares them. */
enum { FRAMES_IN_FLIGHT = 2 };

struct display {
  double next_s;    /* vsync */
  double waiting_s; /* vsync whose frame waits for the thread or a buffer; NaN: none does */
  struct frame in_flight[FRAMES_IN_FLIGHT];
  struct hs_frames frames;
};

struct hs_competitors {
  const struct hs_system *sys;
  const struct hs_scenario *scenario;
  int n_bursters;
  struct burster *bursters;
  struct display display;
  double lightest; /* weight of a process or an inference */
};

static const struct hs_processor *processor(const struct hs_competitors *c, int p) { return &c->sys->soc->processors[p]; }

/* --- opening --- */

/* As a fluid, a core has whole shares for an inference (nice 0) and the processes: the lightest of all has one. */
static double lightest(const struct hs_scenario *s)
{
  double least = hs_cfs_weight(0);
  for (int i = 0; i < s->n_processes; i++) least = fmin(least, hs_cfs_weight(s->processes[i].nice));
  return fmax(least, hs_cfs_weight(0) / HS_WEIGHT_MAX);
}

static void open_burster(struct hs_competitors *c, const struct hs_process *pr, int number, int p, uint64_t seed)
{
  char name[100];
  struct burster *b = &c->bursters[c->n_bursters++];
  snprintf(name, sizeof name, "process/%.63s/%d/%d", pr->name, number, p);
  *b = (struct burster){.process = pr, .number = number, .processor = p < 0 ? 0 : p};
  b->random = hs_random_new(seed, name);
  b->program = (struct hs_program){.n_tasks = 1, .tasks = &b->task};
}

/* As many threads as the process ever has, and one stream per accelerator that it ever loads. */
static void open_bursters(struct hs_competitors *c, uint64_t seed)
{
  size_t most = 0;
  for (int i = 0; i < c->scenario->n_processes; i++) most += HS_THREADS_MAX + HS_KIND_N;
  c->bursters = hs_realloc(NULL, most + 1, sizeof *c->bursters);
  for (int i = 0; i < c->scenario->n_processes; i++) {
    const struct hs_process *pr = &c->scenario->processes[i];
    int threads = 0;
    bool loads[HS_KIND_N] = {false};
    for (int k = 0; k < pr->n_phases; k++) {
      if (pr->phases[k].threads > threads) threads = pr->phases[k].threads;
      for (int kind = HS_GPU; kind < HS_KIND_N; kind++) loads[kind] |= pr->phases[k].load_frac[kind] > 0;
    }
    for (int t = 0; t < threads; t++) open_burster(c, pr, t, -1, seed);
    for (int kind = HS_GPU; kind < HS_KIND_N; kind++)
      if (loads[kind]) open_burster(c, pr, -1, hs_soc_first(c->sys->soc, (enum hs_kind)kind), seed);
  }
}

static void open_display(struct hs_competitors *c)
{
  struct display *u = &c->display;
  u->next_s = c->scenario->ui_rate_hz > 0 ? 0 : INFINITY;
  u->waiting_s = NAN;
  for (int i = 0; i < FRAMES_IN_FLIGHT; i++) {
    struct frame *fr = &u->in_flight[i];
    fr->program = (struct hs_program){.n_tasks = 1, .tasks = &fr->task};
    hs_program_seal(&fr->program);
  }
}

struct hs_competitors *hs_competitors_new(const struct hs_system *sys, const struct hs_scenario *scenario, uint64_t seed)
{
  struct hs_competitors *c = hs_realloc(NULL, 1, sizeof *c);
  *c = (struct hs_competitors){.sys = sys, .scenario = scenario, .lightest = lightest(scenario)};
  open_bursters(c, seed);
  for (int i = 0; i < c->n_bursters; i++) hs_program_seal(&c->bursters[i].program);
  open_display(c);
  return c;
}

void hs_competitors_free(struct hs_competitors *c)
{
  if (!c) return;
  for (int i = 0; i < c->n_bursters; i++) {
    hs_program_unseal(&c->bursters[i].program);
    hs_random_free(c->bursters[i].random);
  }
  for (int i = 0; i < FRAMES_IN_FLIGHT; i++) hs_program_unseal(&c->display.in_flight[i].program);
  free(c->bursters);
  free(c);
}

/* --- cores --- */

/* Capacity of a core for general code, as its arithmetic rate at the highest OPP. */
static double capacity(const struct hs_competitors *c, int p, int d)
{
  const struct hs_domain *dom = &processor(c, p)->domains[d];
  double most = 0;
  for (int k = 0; k < HS_PRECISION_N; k++) most = fmax(most, dom->macs_per_cycle[k]);
  return most * hs_domain_top(dom)->freq_hz;
}

/* A core on which so many run, of such a capacity, against another. */
static bool is_better(int others, double size, int other_others, double other_size, bool fits)
{
  if (others != other_others) return others < other_others;
  return others == 0 && fits ? size < other_size : size > other_size;
}

/* Where CFS with energy-aware scheduling wakes a thread up: on an idle core, the smallest in which it fits (fits_capacity(): its
 * utilisation · 1.25 below the capacity; duties are relative to the core they run on), else the largest; with no core idle, where fewest are,
 * the larger core if as few. */
static struct core wake_up(const struct hs_competitors *c, const struct hs_engine *e, unsigned clusters, double duty)
{
  struct core best = {-1, 0, 0};
  double best_size = 0;
  int fewest = INT_MAX;
  for (int p = 0; p < c->sys->soc->n_processors; p++)
    for (int d = 0; d < processor(c, p)->n_domains; d++)
      for (int i = 0; i < processor(c, p)->domains[d].cores && (clusters & hs_soc_domain_bit(p, d)); i++) {
        int others = hs_engine_tasks_on(e, p, d, i);
        double size = capacity(c, p, d);
        if (!is_better(others, size, fewest, best_size, duty * 1.25 < 1)) continue;
        fewest = others;
        best_size = size;
        best = (struct core){p, d, i};
      }
  return best;
}

static void one_core(struct hs_task *t, const struct hs_competitors *c, struct core at, double seconds, double bytes_per_s)
{
  t->work = hs_work_on_core(processor(c, at.processor), at.domain, seconds);
  t->work.bytes = bytes_per_s * seconds;
  t->processor = at.processor;
  t->first_core = at.core;
  t->opp = -1;
  t->tensor = -1;
}

int hs_competitors_weight(const struct hs_competitors *c, int nice)
{
  if (c->sys->scheduler) return (int)lround(hs_cfs_weight(nice));
  int n = (int)lround(hs_cfs_weight(nice) / c->lightest);
  return n < 1 ? 1 : n > HS_WEIGHT_MAX ? HS_WEIGHT_MAX : n;
}

/* --- processes --- */

/* NULL: between two, or after the last. A process may have thousands, and every burst asks. */
static const struct hs_phase *phase_at(const struct hs_process *pr, double now_s, double *next_s)
{
  int low = 0, high = pr->n_phases;
  while (low < high) { /* for the first that hasn't ended */
    int middle = (low + high) / 2;
    if (!hs_has_come(pr->phases[middle].to_s, now_s))
      high = middle;
    else
      low = middle + 1;
  }
  const struct hs_phase *ph = low < pr->n_phases ? &pr->phases[low] : NULL;
  bool has_begun = ph && hs_has_come(ph->from_s, now_s);
  *next_s = has_begun ? ph->to_s : ph ? ph->from_s : INFINITY;
  return has_begun ? ph : NULL;
}

static double load_of(const struct hs_competitors *c, const struct burster *b, const struct hs_phase *ph)
{
  return ph->load_frac[processor(c, b->processor)->kind];
}

static bool has_bursts(const struct hs_competitors *c, const struct burster *b, const struct hs_phase *ph)
{
  return ph && (b->number >= 0 ? b->number < ph->threads : load_of(c, b, ph) > 0);
}

/* From burst to burst. */
static double gap_of(const struct hs_competitors *c, const struct burster *b, const struct hs_phase *ph)
{
  double mean = b->number >= 0 ? b->process->period_s : b->process->kernel_s / load_of(c, b, ph);
  return b->process->poisson ? hs_random_exponential(b->random, mean) : mean;
}

/* A thread's gap is the same in all phases, a kernel's is looked at again where its phase ends. */
static void wait_for(struct burster *b, const struct hs_phase *ph, double due_s)
{
  b->phase = ph;
  b->due_s = due_s;
  b->next_s = b->number >= 0 ? due_s : fmin(due_s, ph->to_s);
}

/* Kernels come as often as the load of now says, and what is left of a gap takes as long as that makes it: else a quiet phase's, of minutes maybe, would
 * take a busy one's kernels with it. After a phase without any they begin anew. */
static void follow_phases(const struct hs_competitors *c, struct burster *b, double now_s)
{
  while (b->number < 0 && b->phase && b->due_s > b->phase->to_s && hs_has_come(b->phase->to_s, now_s)) {
    double at_s = b->phase->to_s, change_s, was = load_of(c, b, b->phase);
    const struct hs_phase *ph = phase_at(b->process, at_s, &change_s);
    bool goes_on = has_bursts(c, b, ph), same = goes_on && load_of(c, b, ph) == was;
    if (goes_on)
      wait_for(b, ph, same ? b->due_s : at_s + (b->due_s - at_s) * was / load_of(c, b, ph));
    else {
      b->phase = NULL;
      b->next_s = change_s;
    }
  }
}

/* The program's one queue moves with its task. */
static void start_burst(struct hs_competitors *c, struct burster *b, struct hs_engine *e, const struct hs_phase *ph)
{
  struct core at = {b->processor, processor(c, b->processor)->n_domains - 1, 0};
  if (b->number >= 0) at = wake_up(c, e, b->process->clusters, ph->duty_frac);
  one_core(&b->task, c, at, b->number >= 0 ? ph->duty_frac * b->process->period_s : b->process->kernel_s, ph->dram_bytes_per_s);
  b->task.weight = hs_competitors_weight(c, b->process->nice);
  hs_program_seal(&b->program);
  b->running = true;
  hs_engine_submit(e, -1 - (int)(b - c->bursters), &b->program);
}

/* Bursts at random come whether or not the one before has ended, and wait for it. An even thread sleeps for what is left of its
 * period, from when its burst began. */
static void turn_burster(struct hs_competitors *c, struct burster *b, struct hs_engine *e, double now_s)
{
  double change_s;
  if (b->running) return;
  follow_phases(c, b, now_s);
  if (!hs_has_come(b->next_s, now_s)) return;
  const struct hs_phase *ph = phase_at(b->process, now_s, &change_s);
  if (!has_bursts(c, b, ph)) {
    b->next_s = change_s;
    b->phase = NULL;
    return;
  }
  if (!b->phase && b->process->poisson) { /* none comes at the very start of a phase */
    wait_for(b, ph, now_s + gap_of(c, b, ph));
    return;
  }
  wait_for(b, ph, (b->process->poisson ? b->due_s : now_s) + gap_of(c, b, ph));
  start_burst(c, b, e, ph);
}

double hs_competitors_footprint_bytes(const struct hs_competitors *c, double now_s, double *next_s)
{
  double sum = 0;
  *next_s = INFINITY;
  for (int i = 0; i < c->scenario->n_processes; i++) {
    double change_s;
    const struct hs_phase *ph = phase_at(&c->scenario->processes[i], now_s, &change_s);
    sum += ph ? ph->footprint_bytes : 0;
    *next_s = fmin(*next_s, change_s);
  }
  return sum;
}

/* --- display --- */

static void start_stage(struct hs_competitors *c, struct hs_engine *e, int number, struct core at, double seconds)
{
  struct frame *fr = &c->display.in_flight[number];
  one_core(&fr->task, c, at, seconds, 0);
  fr->task.weight = hs_competitors_weight(c, 0);
  hs_program_seal(&fr->program);
  fr->state++;
  hs_engine_submit(e, -1 - c->n_bursters - number, &fr->program);
}

/* The waiting vsync's, if the thread and a buffer are free. */
static void begin_frame(struct hs_competitors *c, struct hs_engine *e)
{
  struct display *u = &c->display;
  int number = -1;
  for (int i = 0; i < FRAMES_IN_FLIGHT; i++) {
    if (u->in_flight[i].state == PREPARING) return;
    if (u->in_flight[i].state == NO_FRAME) number = i;
  }
  if (number < 0 || isnan(u->waiting_s)) return;
  u->frames.begun++;
  u->in_flight[number].vsync_s = u->waiting_s;
  u->waiting_s = NAN;
  start_stage(c, e, number, wake_up(c, e, hs_soc_cpu_domains(c->sys->soc), 1), c->scenario->ui_cpu_s);
}

/* As Android's Choreographer has it: a frame that couldn't begin at its vsync begins as soon as it can; until then the next vsync takes its place, and
 * it is dropped. */
static void turn_display(struct hs_competitors *c, struct hs_engine *e, double now_s)
{
  struct display *u = &c->display;
  int gpu = hs_soc_first(c->sys->soc, HS_GPU);
  if (hs_has_come(u->next_s, now_s)) {
    u->frames.vsyncs++;
    u->waiting_s = u->next_s;
    u->next_s = u->frames.vsyncs / c->scenario->ui_rate_hz;
  }
  for (int i = 0; i < FRAMES_IN_FLIGHT; i++)
    if (u->in_flight[i].state == PREPARED) start_stage(c, e, i, (struct core){gpu, processor(c, gpu)->n_domains - 1, 0}, c->scenario->ui_gpu_s);
  begin_frame(c, e);
}

double hs_frames_dropped_frac(const struct hs_frames *f) { return f->vsyncs ? 1 - (double)f->begun / (double)f->vsyncs : 0; }

struct hs_frames hs_competitors_frames(const struct hs_competitors *c) { return c->display.frames; }

/* --- turns --- */

double hs_competitors_turn(struct hs_competitors *c, struct hs_engine *e, double now_s)
{
  for (int i = 0; i < c->n_bursters; i++) turn_burster(c, &c->bursters[i], e, now_s);
  turn_display(c, e, now_s);
  double next = c->display.next_s;
  for (int i = 0; i < c->n_bursters; i++)
    if (!c->bursters[i].running) next = fmin(next, c->bursters[i].next_s);
  return next;
}

void hs_competitors_done(struct hs_competitors *c, int request, double end_s)
{
  int i = -1 - request;
  if (i < c->n_bursters) {
    c->bursters[i].running = false;
    return;
  }
  struct display *u = &c->display;
  struct frame *fr = &u->in_flight[i - c->n_bursters];
  double taken = end_s - fr->vsync_s;
  if (fr->state == PREPARING && c->scenario->ui_gpu_s > 0) { /* else there is nothing to queue for */
    fr->state = PREPARED;
    return;
  }
  fr->state = NO_FRAME;
  u->frames.drawn++;
  u->frames.janky += hs_is_past(1 / c->scenario->ui_rate_hz, taken);
  u->frames.worst_s = fmax(u->frames.worst_s, taken);
}
