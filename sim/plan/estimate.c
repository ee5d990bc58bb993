/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plan/estimate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/spin.h"

double hs_task_seconds(const struct hs_system *sys, const struct hs_task *t)
{
  return t->delay_s > 0 ? t->delay_s : hs_work_seconds(sys, t->processor, t->opp, &t->work);
}

double hs_task_dynamic_w(const struct hs_system *sys, const struct hs_task *t)
{
  return t->delay_s > 0 ? 0 : hs_work_dynamic_w(sys, t->processor, t->opp, &t->work);
}

double hs_task_static_w(const struct hs_system *sys, const struct hs_task *t)
{
  return t->delay_s > 0 ? 0 : hs_work_static_w(sys, t->processor, t->opp, &t->work);
}

/* With `times` the cycles; its bytes take as long as ever. */
static double with_cycles(const struct hs_system *sys, const struct hs_task *t, double times)
{
  struct hs_work w = t->work;
  if (t->delay_s > 0) return t->delay_s;
  for (int d = 0; d < HS_DOMAINS_MAX; d++) {
    w.cycles[d] *= times;
    w.stolen[d] *= times;
  }
  w.caller *= times;
  return hs_work_seconds(sys, t->processor, t->opp, &w);
}

/* Others take their share of the cores; how much of the bandwidth they take isn't known. */
static double on_shared_cores(const struct hs_system *sys, const struct hs_task *t, const struct hs_competition *l)
{
  return with_cycles(sys, t, (1 + l->others) * (1 + l->lag));
}

/* In slices of time (device/cfs.h). Who uses less of the cores than its share sleeps in between, and goes first when it wakes up. Else the last thread to get
 * its core decides: (n - 1) / 2n of what others keep one is what the last of n waits more than the average, which is in the shares. n are the task's cores that
 * others are on. They keep one for a slice each or until their task ends; but the first of them makes way to threads that are behind, after twice what is its
 * due: about what the engine makes of it (doc/policies.md). */
static double on_sliced_cores(const struct hs_system *sys, const struct hs_task *t, const struct hs_competition *l, double use)
{
  double slice_s = fmax(sys->scheduler->latency_s / (1 + l->others), sys->scheduler->min_granularity_s), keeps_s = fmin(slice_s, l->service_s);
  double n = fmax(fmin(hs_work_cores(&t->work), l->spread), 1), first = fmin(l->others, 1), alone_s = with_cycles(sys, t, 1 + l->lag);
  if (use * (1 + l->others) < 1) return alone_s;
  double kept_s = first * fmin(keeps_s, 2 * first * alone_s) + (l->others - first) * keeps_s;
  return on_shared_cores(sys, t, l) + kept_s * (n - 1) / (2 * n);
}

/* A program among others: what there is of them, and the part of its time in which the program alone has a task on each processor. */
struct among {
  const struct hs_competition *load; /* NULL: nobody */
  double use[HS_PROCESSORS_MAX];
  double keeps_until_s[HS_PROCESSORS_MAX]; /* a GPU: until then the program's tasks go before those from outside, if it doesn't leave the queue */
};

/* In an accelerator's queue. One that we come back to after a gap is in the middle of somebody's task, half of which is left on average; of
 * the one that is under way as the program starts what is left may be known. */
static double queue_s(const struct hs_competition *l, double start_s, bool first, bool after_gap)
{
  if (first && start_s <= l->left_s) return l->left_s - start_s + fmax(l->others - 1, 0) * l->service_s;
  return (l->others - (after_gap ? fmin(l->others, 1) / 2 : 0)) * l->service_s;
}

/* A GPU that serves in slices lets those from outside in with the program's first kernel, and with the first after each slice. */
static double wait_s(struct among *a, const struct hs_processor *proc, int p, double start_s, bool first, bool after_gap)
{
  const struct hs_competition *l = &a->load[p];
  if (!first && !after_gap && start_s < a->keeps_until_s[p]) return (l->others - l->outside) * l->service_s;
  double seconds = queue_s(l, start_s, first, after_gap);
  a->keeps_until_s[p] = start_s + seconds + proc->context_slice_s;
  return seconds;
}

/* What the walk takes for a task: alone, or among others. On a DSP or NPU nobody comes between the tasks of an invocation. */
static double duration(const struct hs_system *sys, const struct hs_program *prog, int task, struct among *a, double start_s, bool after_gap)
{
  const struct hs_task *t = &prog->tasks[task];
  double alone = with_cycles(sys, t, a->load ? 1 + a->load[t->processor].lag : 1);
  const struct hs_processor *proc = &sys->soc->processors[t->processor];
  enum hs_kind kind = proc->kind;
  if (!a->load || (!after_gap && hs_kind_is_remote(kind) && hs_task_goes_on(prog, task))) return alone;
  const struct hs_competition *l = &a->load[t->processor];
  if (kind != HS_CPU) return alone + wait_s(a, proc, t->processor, start_s, prog->queue[prog->queue_first[t->processor]] == task, after_gap);
  if (t->delay_s > 0) return alone;
  return sys->scheduler ? on_sliced_cores(sys, t, l, a->use[t->processor]) : on_shared_cores(sys, t, l);
}

/* Threads of one CPU's pool, counted up to since_s. */
struct pool {
  struct hs_spin spin;
  double since_s;
};

/* What they draw until to_s, when nothing runs there but `t` (NULL: nothing), which sets the clock of its domains. */
static double spun_j(const struct hs_system *sys, int p, struct pool *pool, double to_s, const struct hs_task *t)
{
  const struct hs_processor *proc = &sys->soc->processors[p];
  int on_core[HS_CORES_MAX] = {0}, in_domain[HS_DOMAINS_MAX] = {0};
  struct hs_spin_stretch x = {.from_s = pool->since_s, .to_s = to_s, .leakage = sys->leakage[p], .on_core = on_core, .in_domain = in_domain};
  struct hs_spun spun;
  double joules = 0;
  pool->since_s = to_s;
  if (pool->spin.last_s <= x.from_s || to_s <= x.from_s) return 0;
  for (int d = 0, first = t ? t->first_core : 0; d < proc->n_domains; first += proc->domains[d++].cores) {
    in_domain[d] = t && t->work.cores[d] > 0;
    x.level[d] = hs_system_opp(sys, p, d, in_domain[d] ? t->opp : pool->spin.opp);
    for (int c = 0; t && c < t->work.cores[d]; c++) on_core[first + c] = 1;
  }
  hs_spin_pass(&pool->spin, proc, &x, &spun);
  for (int h = 0; h < hs_processor_cores(proc); h++) joules += spun.joules[h];
  return joules;
}

/* While a task runs, and what it leaves behind. */
static double spun_around(const struct hs_system *sys, const struct hs_task *t, struct pool *pool, double start_s, double end_s)
{
  double joules = spun_j(sys, t->processor, pool, start_s, NULL) + spun_j(sys, t->processor, pool, end_s, t);
  hs_spin_start(&pool->spin, &sys->soc->processors[t->processor], &t->work, t->first_core, t->opp, end_s, sys->backends[t->processor].spin_s);
  return joules;
}

static void walk(const struct hs_system *sys, const struct hs_program *prog, struct among *a, struct hs_estimate *out, double *start_s,
                 double *end_s)
{
  double free_s[HS_PROCESSORS_MAX] = {0};
  struct pool pools[HS_PROCESSORS_MAX];
  memset(pools, 0, (size_t)sys->soc->n_processors * sizeof *pools);
  *out = (struct hs_estimate){0, 0};
  for (int i = 0; i < prog->n_tasks; i++) {
    const struct hs_task *t = &prog->tasks[i];
    double start = free_s[t->processor], released_s = 0;
    for (int k = 0; k < t->n_deps; k++) released_s = fmax(released_s, end_s[prog->deps[t->first_dep + k]]);
    start = fmax(start, released_s);
    double taken = duration(sys, prog, i, a, start, start > free_s[t->processor]);
    if (t->from_deps) taken = fmax(released_s + taken - start, 0);
    end_s[i] = free_s[t->processor] = start + taken;
    if (start_s) start_s[i] = start;
    out->latency_s = fmax(out->latency_s, end_s[i]);
    out->energy_j += taken * (hs_task_dynamic_w(sys, t) + hs_task_static_w(sys, t));
    if (sys->backends[t->processor].spin_s > 0 && t->delay_s <= 0) out->energy_j += spun_around(sys, t, &pools[t->processor], start, end_s[i]);
  }
  for (int p = 0; p < sys->soc->n_processors; p++) out->energy_j += spun_j(sys, p, &pools[p], out->latency_s, NULL);
}

static void measure_use(const struct hs_system *sys, const struct hs_program *prog, double latency_s, double *use)
{
  for (int i = 0; i < prog->n_tasks && latency_s > 0; i++)
    if (prog->tasks[i].delay_s <= 0) use[prog->tasks[i].processor] += hs_task_seconds(sys, &prog->tasks[i]) / latency_s;
}

void hs_estimate_program(const struct hs_system *sys, const struct hs_program *prog, struct hs_estimate *out, double *start_s,
                         double *end_s)
{
  double *end = end_s ? end_s : hs_realloc(NULL, (size_t)prog->n_tasks, sizeof *end);
  walk(sys, prog, &(struct among){.load = NULL}, out, start_s, end);
  if (!end_s) free(end);
}

double hs_estimate_under(const struct hs_system *sys, const struct hs_program *prog, const struct hs_competition *load)
{
  struct hs_estimate e;
  double *end = hs_realloc(NULL, (size_t)prog->n_tasks, sizeof *end);
  struct among a = {.load = NULL};
  walk(sys, prog, &a, &e, NULL, end);
  measure_use(sys, prog, e.latency_s, a.use);
  a.load = load;
  walk(sys, prog, &a, &e, NULL, end);
  free(end);
  return e.latency_s;
}
