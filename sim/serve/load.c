/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "serve/load.h"

#include <math.h>
#include <string.h>

static const double HALF_LIFE_S = 0.032;

void hs_load_open(struct hs_load_meter *m, const struct hs_system *sys) { *m = (struct hs_load_meter){.sys = sys}; }

static struct hs_load_sums others(const struct hs_load_meter *m, int network, int p)
{
  struct hs_load_sums s = {0, 0, 0};
  for (int i = 0; i < HS_NETWORKS_MAX; i++) {
    if (i == network) continue;
    s.present_s += m->sums[i][p].present_s;
    s.run_s += m->sums[i][p].run_s;
    s.n += m->sums[i][p].n;
  }
  return s;
}

void hs_load_add(struct hs_load_meter *m, int network, const struct hs_program *prog) { m->in_flight[network] = prog; }
void hs_load_remove(struct hs_load_meter *m, int network) { m->in_flight[network] = NULL; }

void hs_load_task(struct hs_load_meter *m, int network, const struct hs_event *e)
{
  const struct hs_task *t = &e->program->tasks[e->task];
  struct hs_load_sums *s = &m->sums[network][t->processor];
  if (t->delay_s > 0 && m->sys->soc->processors[t->processor].kind == HS_CPU) return; /* it takes no core */
  s->present_s += e->end_s - e->ready_s;
  s->run_s += e->end_s - e->start_s;
  s->n++;
}

void hs_load_end(struct hs_load_meter *m, int network, double now_s)
{
  double window = now_s - m->start_s[network], keep = exp2(-window / HALF_LIFE_S);
  if (window <= 0) return;
  m->measured[network] = true;
  m->faded_s[network] = keep * m->faded_s[network] + window;
  for (int p = 0; p < m->sys->soc->n_processors; p++) {
    struct hs_load_sums now = others(m, network, p), then = m->at_start[network][p], *f = &m->faded[network][p];
    f->present_s = keep * f->present_s + now.present_s - then.present_s;
    f->run_s = keep * f->run_s + now.run_s - then.run_s;
    f->n = keep * f->n + now.n - then.n;
    m->load[network][p] = (struct hs_load){f->present_s / m->faded_s[network], f->n > 0 ? f->run_s / f->n : 0};
  }
}

/* The part of its duration that a program has a task on each processor, and the mean of those tasks. */
static void add_program(const struct hs_system *sys, const struct hs_program *prog, struct hs_load *load)
{
  double busy[HS_PROCESSORS_MAX] = {0}, n[HS_PROCESSORS_MAX] = {0};
  struct hs_estimate e;
  hs_estimate_program(sys, prog, &e, NULL, NULL);
  for (int i = 0; i < prog->n_tasks && e.latency_s > 0; i++) {
    const struct hs_task *t = &prog->tasks[i];
    if (t->delay_s > 0 && sys->soc->processors[t->processor].kind == HS_CPU) continue;
    busy[t->processor] += hs_task_seconds(sys, t);
    n[t->processor]++;
  }
  for (int p = 0; p < sys->soc->n_processors; p++) {
    if (n[p] == 0) continue;
    double share = busy[p] / e.latency_s, service = busy[p] / n[p], all = load[p].others + share;
    load[p].service_s = (load[p].service_s * load[p].others + service * share) / all;
    load[p].others = all;
  }
}

const struct hs_load *hs_load_of(struct hs_load_meter *m, int network)
{
  if (m->measured[network]) return m->load[network];
  memset(m->load[network], 0, sizeof m->load[network]);
  for (int i = 0; i < HS_NETWORKS_MAX; i++)
    if (i != network && m->in_flight[i]) add_program(m->sys, m->in_flight[i], m->load[network]);
  return m->load[network];
}

/* Before anything is measured, what is in flight counts as if it had been seen for one half-life: a long task that began before
 * the window and hasn't ended is in no measurement. */
static void start_from_guess(struct hs_load_meter *m, int network)
{
  const struct hs_load *guess = hs_load_of(m, network);
  m->faded_s[network] = HALF_LIFE_S;
  for (int p = 0; p < m->sys->soc->n_processors; p++) {
    double s = guess[p].others * HALF_LIFE_S;
    m->faded[network][p] = (struct hs_load_sums){s, s, guess[p].service_s > 0 ? s / guess[p].service_s : 0};
  }
}

void hs_load_begin(struct hs_load_meter *m, int network, double now_s)
{
  m->start_s[network] = now_s;
  if (!m->measured[network]) start_from_guess(m, network);
  for (int p = 0; p < m->sys->soc->n_processors; p++) m->at_start[network][p] = others(m, network, p);
}
