/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "serve/load.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/instant.h"

static const double HALF_LIFE_S = 0.032;

void hs_load_open(struct hs_load_meter *m, const struct hs_system *sys) { *m = (struct hs_load_meter){.sys = sys}; }

static void advance(struct hs_load_sums *s, double now_s)
{
  s->present_s += s->present * (now_s - s->since_s);
  s->cores_s += s->on_cores * (now_s - s->since_s);
  s->since_s = now_s;
}

/* A task comes or goes. On a CPU the fullest core counts: the last of a task's threads decides, and others' threads spread over the cores. */
static void change(struct hs_load_meter *m, int who, const struct hs_task *t, double now_s, int by)
{
  struct hs_load_sums *s = &m->sums[who][t->processor];
  const struct hs_processor *p = &m->sys->soc->processors[t->processor];
  int *on_core = m->on_core[who][t->processor];
  advance(s, now_s);
  if (p->kind != HS_CPU) {
    s->present += by;
    return;
  }
  for (int d = 0, first = t->first_core; d < p->n_domains; first += p->domains[d++].cores)
    for (int i = 0; i < t->work.cores[d]; i++) {
      on_core[first + i] += by;
      s->on_cores += by;
    }
  s->present = 0;
  for (int i = 0; i < hs_processor_cores(p); i++) s->present = on_core[i] > s->present ? on_core[i] : s->present;
}

/* Of a CPU each counts on its own fullest core, as if these were the same. */
static struct hs_load_sums others(struct hs_load_meter *m, int network, int p, double now_s)
{
  struct hs_load_sums all = {.since_s = now_s};
  for (int i = 0; i < HS_LOADS_MAX; i++) {
    struct hs_load_sums *s = &m->sums[i][p];
    if (i == network) continue;
    advance(s, now_s);
    all.present_s += s->present_s;
    all.cores_s += s->cores_s;
    if (i == HS_LOAD_OF_OTHERS) all.outside_s = s->present_s;
    all.run_s += s->run_s;
    all.n += s->n;
  }
  return all;
}

void hs_load_begin(struct hs_load_meter *m, int network, double now_s)
{
  m->start_s[network] = now_s;
  for (int p = 0; p < m->sys->soc->n_processors; p++) m->at_start[network][p] = others(m, network, p, now_s);
}

void hs_load_add(struct hs_load_meter *m, int network, const struct hs_program *prog) { m->in_flight[network] = prog; }
void hs_load_remove(struct hs_load_meter *m, int network) { m->in_flight[network] = NULL; }

/* A delay on a CPU takes no core. */
static bool competes(const struct hs_system *sys, const struct hs_task *t)
{
  return t->delay_s <= 0 || sys->soc->processors[t->processor].kind != HS_CPU;
}

static bool is_remote(const struct hs_system *sys, int p) { return hs_kind_is_remote(sys->soc->processors[p].kind); }

/* What others wait for, one by one: tasks, or the invocations of a DSP or NPU, which count with their first. at_once: it was ready when the
 * one before it there had ended. */
static bool counts(const struct hs_system *sys, const struct hs_program *prog, int task, bool at_once)
{
  return !is_remote(sys, prog->tasks[task].processor) || !at_once || !hs_task_goes_on(prog, task);
}

/* How much longer than its work a task keeps its cores, where they are shared in slices of time: threads wait for the next operator. */
static double after_work_s(const struct hs_system *sys, const struct hs_program *prog, const struct hs_task *t)
{
  return hs_work_cores(&t->work) > 1 && sys->scheduler ? hs_program_spin_s(prog, sys, t->processor) : 0;
}

void hs_load_ready(struct hs_load_meter *m, int network, const struct hs_task *t, double now_s)
{
  struct hs_load_sums *s = &m->sums[network][t->processor];
  if (!competes(m->sys, t)) return;
  bool goes_on = is_remote(m->sys, t->processor) && hs_has_come(now_s, s->ended_s) && !hs_task_calls(t);
  if (s->present == 0 && !goes_on) {
    s->ready_s = now_s;
    s->began_s = INFINITY;
  }
  change(m, network, t, now_s, 1);
}

/* The newest one's time and number come together: who waits until an invocation has ended never sees one begin, and would take it for longer and longer. */
static void close_newest(struct hs_load_sums *s)
{
  s->run_s += s->newest_s;
  s->n += s->newest_s > 0;
  s->newest_s = 0;
}

/* Does nothing of its invocation come after it? */
static bool is_last(const struct hs_system *sys, const struct hs_program *prog, int task)
{
  int p = prog->tasks[task].processor;
  return !is_remote(sys, p) || prog->queue[prog->queue_first[p + 1] - 1] == task;
}

void hs_load_task(struct hs_load_meter *m, int network, const struct hs_event *e)
{
  const struct hs_task *t = &e->program->tasks[e->task];
  struct hs_load_sums *s = &m->sums[network][t->processor];
  if (!competes(m->sys, t)) return;
  change(m, network, t, e->end_s, -1);
  if (counts(m->sys, e->program, e->task, s->request == e->request && hs_has_come(e->ready_s, s->ended_s))) {
    close_newest(s);
    s->began_s = is_remote(m->sys, t->processor) ? e->start_s : INFINITY;
  }
  s->newest_s += e->end_s - e->start_s + after_work_s(m->sys, e->program, t);
  if (is_last(m->sys, e->program, e->task)) close_newest(s);
  s->request = e->request;
  s->ended_s = e->end_s;
}

/* The part of its duration that a program has a task on each processor, and the mean of those tasks. */
static void add_program(const struct hs_system *sys, const struct hs_program *prog, struct hs_competition *load)
{
  double busy[HS_PROCESSORS_MAX] = {0}, n[HS_PROCESSORS_MAX] = {0}, after[HS_PROCESSORS_MAX] = {0}, free_s[HS_PROCESSORS_MAX] = {0};
  double cores_s[HS_PROCESSORS_MAX] = {0};
  double *start_s = hs_realloc(NULL, 2 * (size_t)prog->n_tasks, sizeof *start_s), *end_s = start_s + prog->n_tasks;
  struct hs_estimate e;
  hs_estimate_program(sys, prog, &e, start_s, end_s);
  for (int i = 0; i < prog->n_tasks && e.latency_s > 0; i++) {
    const struct hs_task *t = &prog->tasks[i];
    if (!competes(sys, t)) continue;
    busy[t->processor] += hs_task_seconds(sys, t);
    cores_s[t->processor] += hs_task_seconds(sys, t) * hs_work_cores(&t->work);
    after[t->processor] += after_work_s(sys, prog, t);
    n[t->processor] += counts(sys, prog, i, start_s[i] <= free_s[t->processor]);
    free_s[t->processor] = end_s[i];
  }
  free(start_s);
  for (int p = 0; p < sys->soc->n_processors; p++) {
    if (n[p] == 0) continue;
    double share = busy[p] / e.latency_s, service = (busy[p] + after[p]) / n[p], all = load[p].others + share;
    load[p].service_s = (load[p].service_s * load[p].others + service * share) / all;
    load[p].spread = (load[p].spread * load[p].others + cores_s[p] / e.latency_s) / all;
    load[p].others = all;
  }
}

static void guess(const struct hs_load_meter *m, int network, struct hs_competition *load)
{
  memset(load, 0, HS_PROCESSORS_MAX * sizeof *load);
  for (int i = 0; i < HS_NETWORKS_MAX; i++)
    if (i != network && m->in_flight[i]) add_program(m->sys, m->in_flight[i], load);
}

/* Before the first request ended the guess is all that is known. It fades as if it had been measured for ever, so that one short request, in
 * which others may just have begun, doesn't count for all of the past. */
static void begin_with(struct hs_load_meter *m, int network, const struct hs_competition *guessed)
{
  m->measured[network] = true;
  m->faded_s[network] = HALF_LIFE_S / M_LN2;
  for (int p = 0; p < m->sys->soc->n_processors; p++) {
    double present_s = guessed[p].others * m->faded_s[network];
    double n = guessed[p].service_s > 0 ? present_s / guessed[p].service_s : 0;
    m->faded[network][p] = (struct hs_load_sums){.present_s = present_s, .cores_s = present_s * guessed[p].spread, .run_s = present_s, .n = n};
  }
}

void hs_load_end(struct hs_load_meter *m, int network, double now_s)
{
  double window = now_s - m->start_s[network], keep = exp2(-window / HALF_LIFE_S);
  struct hs_competition guessed[HS_PROCESSORS_MAX];
  if (window <= 0) return;
  guess(m, network, guessed);
  if (!m->measured[network]) begin_with(m, network, guessed);
  m->faded_s[network] = keep * m->faded_s[network] + window;
  for (int p = 0; p < m->sys->soc->n_processors; p++) {
    struct hs_load_sums now = others(m, network, p, now_s), then = m->at_start[network][p], *f = &m->faded[network][p];
    f->present_s = keep * f->present_s + now.present_s - then.present_s;
    f->outside_s = keep * f->outside_s + now.outside_s - then.outside_s;
    f->cores_s = keep * f->cores_s + now.cores_s - then.cores_s;
    f->run_s = keep * f->run_s + now.run_s - then.run_s;
    f->n = keep * f->n + now.n - then.n;
    m->load[network][p] = (struct hs_competition){.others = f->present_s / m->faded_s[network], .outside = f->outside_s / m->faded_s[network],
                                                  .spread = f->present_s > 0 ? f->cores_s / f->present_s : 0,
                                                  .service_s = f->n > 0 ? f->run_s / f->n : guessed[p].service_s};
  }
}

/* Of what others have in service on processor p: an invocation that has begun, or else what was ready first, since the processor was free. NAN: it takes longer
 * than it did so far, or nothing of them has ended yet. */
static double left_s(const struct hs_load_meter *m, int network, int p, double now_s)
{
  const struct hs_load_sums *first = NULL;
  double first_s = INFINITY, free_s = 0;
  bool any = false;
  for (int i = 0; i < HS_LOADS_MAX; i++) {
    const struct hs_load_sums *s = &m->sums[i][p];
    double since_s = s->began_s < INFINITY ? -INFINITY : s->ready_s;
    free_s = fmax(free_s, s->ended_s);
    if (i == network || s->present == 0) continue;
    any = true;
    if (s->n == 0 || since_s >= first_s) continue;
    first = s;
    first_s = since_s;
  }
  if (!first) return any ? NAN : 0;
  double began_s = first->began_s < INFINITY ? first->began_s : fmax(free_s, first->ready_s), ends_s = began_s + first->run_s / first->n;
  return ends_s >= now_s ? ends_s - now_s : NAN;
}

const struct hs_competition *hs_load_of(struct hs_load_meter *m, int network, double now_s)
{
  if (!m->measured[network]) guess(m, network, m->load[network]);
  for (int p = 0; p < m->sys->soc->n_processors; p++) m->load[network][p].left_s = left_s(m, network, p, now_s);
  return m->load[network];
}
