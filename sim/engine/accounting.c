/* SPDX-License-Identifier: GPL-3.0-or-later */
/* OPPs of cores, and time and energy of what runs on them: integrals that are brought up to now before anything changes. */
#include <math.h>
#include <string.h>

#include "engine/clock.h"
#include "engine/slices.h"

/* Level of domain d for who asks for that level, or for the system's (-1): no more than is allowed. */
static int level_at(const struct hs_queue *q, int opp, int d)
{
  int level = hs_system_opp(&q->e->live, q->processor, d, opp), cap = q->e->cap[q->processor][d];
  return level < cap ? level : cap;
}

static int level_of(const struct hs_queue *q, const struct hs_task *t, int d) { return level_at(q, t->opp, d); }

static void set_level(struct hs_queue *q, int host, int level)
{
  if (q->level[host] == level) return;
  q->level[host] = level;
  if (q->e->clock)
    hs_clock_change_level(q);
  else
    hs_host_set_opp(q->hosts[host], level);
}

/* A domain has one clock: the highest of those that tasks on its cores ask for. */
static void set_levels(struct hs_queue *q)
{
  const struct hs_processor *proc = &q->e->sys->soc->processors[q->processor];
  for (int d = 0; d < proc->n_domains; d++) {
    int most = -1;
    for (const struct hs_running *r = q->running; r; r = r->next)
      if (r->task->work.cores[d] && level_of(q, r->task, d) > most) most = level_of(q, r->task, d);
    for (int h = q->first_core[d]; h < q->first_core[d] + proc->domains[d].cores && most >= 0; h++) set_level(q, h, most);
  }
}

int hs_account_domain(const struct hs_queue *q, int host)
{
  int d = 0;
  while (d + 1 < HS_DOMAINS_MAX && q->first_core[d + 1] > 0 && q->first_core[d + 1] <= host) d++;
  return d;
}

double hs_account_hz(const struct hs_queue *q, int host)
{
  return q->e->sys->soc->processors[q->processor].domains[hs_account_domain(q, host)].opps[q->level[host]].freq_hz;
}

double hs_account_attainable(const struct hs_worker *w)
{
  const struct hs_soc *soc = w->q->e->sys->soc;
  const struct hs_processor *proc = &soc->processors[w->q->processor];
  double own = 0; /* of a call, which moves nothing, there may be none */
  for (int d = 0; d < proc->n_domains && w->own.is_rival; d++) own += w->task->work.cores[d] * proc->domains[d].bandwidth_per_core_bytes_per_s;
  return hs_least(hs_least(own > 0 ? own : w->q->lane_bytes_per_s, w->q->port_bytes_per_s), soc->memory.peak_bytes_per_s);
}

/* Cores of a domain are on one level. */
void hs_account_clocks(const struct hs_queue *q, const struct hs_task *t, double *hz)
{
  for (int d = 0; d < HS_DOMAINS_MAX; d++)
    if (t->work.cores[d] > 0) hz[d] = hs_account_hz(q, q->first_core[d] + t->first_core);
}

double hs_account_cores_s(const struct hs_queue *q, const struct hs_task *t)
{
  double hz[HS_DOMAINS_MAX] = {0};
  hs_account_clocks(q, t, hz);
  return hs_work_cores_s(&q->e->sys->soc->processors[q->processor], &t->work, hz);
}

/* Dynamic power of a task on core h, of which a spinning thread has no part that its kernel's vectors make. */
static double core_watts(const struct hs_queue *q, const struct hs_turns *turns, const struct hs_running *r, int h, double dynamic_w, double factor)
{
  if (turns->does[h] != CORE_COMPUTES) return turns->does[h] == CORE_SPINS ? dynamic_w / q->on_core[h] : 0;
  return factor * (turns->of[h] ? (turns->of[h] == r) * dynamic_w : dynamic_w / q->on_core[h]);
}

/* Power of a task now. A core that several tasks are on is busy for each of them in turn; static and shared power are of the domain. */
static double watts(const struct hs_queue *q, const struct hs_turns *turns, const struct hs_running *r)
{
  const struct hs_processor *proc = &q->e->sys->soc->processors[q->processor];
  const struct hs_task *t = r->task;
  const double factor = hs_work_power_factor(q->e->sys, q->processor, &t->work, hs_account_hz(q, q->first_core[0]));
  double sum = 0;
  for (int d = 0; d < proc->n_domains; d++) {
    if (!t->work.cores[d]) continue;
    const struct hs_opp *opp = &proc->domains[d].opps[q->level[q->first_core[d]]];
    for (int c = 0, h = q->first_core[d] + t->first_core; c < t->work.cores[d]; c++, h++) sum += core_watts(q, turns, r, h, opp->dynamic_w, factor);
    sum += (opp->static_w * q->leakage + opp->shared_w) / q->in_domain[d];
  }
  return sum;
}

static void count_cycles(const struct hs_queue *q, struct hs_running *r, double dt)
{
  double hz[HS_DOMAINS_MAX] = {0};
  hs_account_clocks(q, r->task, hz);
  for (int d = 0; d < HS_DOMAINS_MAX; d++)
    if (r->task->work.cores[d]) r->cycles[d] += dt * hz[d];
}

/* Of a core from since_s to `now`, what is the job's whose thread spins there, in seconds: with k of them a k-th. */
static double spun_part_s(const struct hs_queue *q, const struct hs_job *j, int core, double now)
{
  double end = fmin(j->spin[q->processor].until_s[core], now), sum = 0;
  for (double from = q->since_s, to; from < end; from = to) {
    int n = 0;
    to = end;
    for (const struct hs_job *other = q->e->jobs; other; other = other->later) {
      double until = other->spin[q->processor].until_s[core];
      if (until <= from) continue;
      to = fmin(to, until);
      n++;
    }
    sum += (to - from) / n;
  }
  return sum;
}

/* Jobs' threads that wait, since since_s. */
static void settle_spinning(struct hs_queue *q, double now)
{
  const struct hs_processor *proc = &q->e->sys->soc->processors[q->processor];
  struct hs_spin_stretch x = {.from_s = q->since_s, .to_s = now, .leakage = q->leakage, .on_core = q->on_core, .in_domain = q->in_domain};
  struct hs_spun spun;
  for (int d = 0; d < proc->n_domains; d++) x.level[d] = q->in_domain[d] ? q->level[q->first_core[d]] : level_at(q, q->spin.opp, d);
  hs_spin_pass(&q->spin, proc, &x, &spun);
  for (int h = 0; h < q->n_hosts; h++) {
    if (spun.seconds[h] <= 0) continue;
    for (struct hs_job *j = q->e->jobs; j; j = j->later) j->spun_j[q->processor] += spun.joules[h] * spun_part_s(q, j, h, now) / spun.seconds[h];
    q->energy_j += spun.joules[h];
    q->busy_s[h] += spun.seconds[h];
  }
}

/* A busy domain's clock may have been set by a task, else it is the one that it is set to. */
static int clock_level(const struct hs_queue *q, int d) { return q->in_domain[d] ? q->level[q->first_core[d]] : level_at(q, -1, d); }

static double clock_hz(const struct hs_queue *q, int d)
{
  return q->e->sys->soc->processors[q->processor].domains[d].opps[clock_level(q, d)].freq_hz;
}

/* The part of the processor that is a task's own: tasks of requests share it alike, and each core with what other processes have there. Where its thread
 * waits it has none. */
static double part_of(const struct hs_queue *q, const struct hs_turns *turns, const struct hs_running *r)
{
  const struct hs_work *work = &r->task->work;
  double ours = 0;
  int n = 0;
  if (r->is_rival) return 1. / q->n_running;
  for (int d = 0; d < HS_DOMAINS_MAX; d++)
    for (int h = q->first_core[d] + r->task->first_core, i = 0; i < work->cores[d]; i++, h++, n++)
      if (turns->does[h] == CORE_COMPUTES) ours += 1 - (turns->of[h] ? turns->of[h]->is_rival : (double)q->rivals_on[h] / q->on_core[h]);
  return (n ? ours / n : 1) / (q->n_running - q->n_rivals);
}

void hs_account_until(struct hs_queue *q, double now)
{
  double dt = now - q->since_s;
  if (dt <= 0) return;
  const struct hs_turns turns = hs_slices_turns(q);
  if (q->spin.last_s > q->since_s) settle_spinning(q, now);
  q->since_s = now;
  for (int d = 0; d < q->e->sys->soc->processors[q->processor].n_domains; d++) q->cycles[d] += dt * clock_hz(q, d);
  for (struct hs_running *r = q->running; r; r = r->next) {
    double joules = dt * watts(q, &turns, r), share_s = dt * part_of(q, &turns, r);
    r->share_s += share_s;
    count_cycles(q, r, share_s);
    r->energy_j += joules;
    q->energy_j += joules;
  }
  for (int h = 0; h < q->n_hosts; h++)
    if (q->on_core[h] && turns.does[h] != CORE_IDLES) q->busy_s[h] += dt;
}

static void settle(struct hs_queue *q) { hs_account_until(q, hs_des_now_s()); }

static void count(struct hs_queue *q, const struct hs_running *r, int change)
{
  const struct hs_task *t = r->task;
  q->n_running += change;
  q->n_rivals += r->is_rival ? change : 0;
  for (int d = 0; d < HS_DOMAINS_MAX; d++) {
    q->in_domain[d] += t->work.cores[d] ? change : 0;
    for (int c = 0; c < t->work.cores[d]; c++) {
      q->on_core[q->first_core[d] + t->first_core + c] += change;
      q->rivals_on[q->first_core[d] + t->first_core + c] += r->is_rival ? change : 0;
    }
  }
}

void hs_account_want(struct hs_queue *q, const struct hs_task *t, int change)
{
  for (int d = 0; d < HS_DOMAINS_MAX; d++)
    for (int c = 0; c < t->work.cores[d]; c++) q->wanted[q->first_core[d] + t->first_core + c] += change;
}

void hs_account_begin(struct hs_queue *q, struct hs_running *r)
{
  settle(q);
  r->next = q->running;
  q->running = r;
  count(q, r, 1);
  set_levels(q);
}

void hs_account_end(struct hs_queue *q, struct hs_running *r)
{
  struct hs_running **at = &q->running;
  settle(q);
  while (*at != r) at = &(*at)->next;
  *at = r->next;
  count(q, r, -1);
  set_levels(q);
  hs_account_want(q, r->task, -1);
}

/* A core is busy as long as anybody's thread spins there. */
static void join_spins(struct hs_queue *q)
{
  q->spin.last_s = 0;
  memset(q->spin.until_s, 0, sizeof q->spin.until_s);
  for (const struct hs_job *j = q->e->jobs; j; j = j->later) {
    const struct hs_spin *own = &j->spin[q->processor];
    q->spin.last_s = fmax(q->spin.last_s, own->last_s);
    for (int h = 0; h < q->n_hosts; h++) q->spin.until_s[h] = fmax(q->spin.until_s[h], own->until_s[h]);
  }
}

void hs_account_spin(struct hs_queue *q, struct hs_job *j, const struct hs_task *t)
{
  const struct hs_system *sys = q->e->sys;
  if (j->request < 0) return;
  double spin_s = hs_program_spin_s(j->prog, sys, q->processor);
  if (!hs_spin_start(&j->spin[q->processor], &sys->soc->processors[q->processor], &t->work, t->first_core, t->opp, q->since_s, spin_s)) return;
  q->spin.opp = t->opp;
  join_spins(q);
}

void hs_account_take_spun(struct hs_engine *e, struct hs_job *j, double *spun_j)
{
  for (int p = 0; p < e->sys->soc->n_processors; p++) {
    if (e->queues[p].spin.last_s > e->queues[p].since_s) settle(&e->queues[p]);
    spun_j[p] = j->spun_j[p];
    j->spun_j[p] = 0;
  }
}

void hs_account_leave(struct hs_engine *e, struct hs_job *j)
{
  for (int p = 0; p < e->sys->soc->n_processors; p++)
    if (j->spin[p].last_s > 0) join_spins(&e->queues[p]);
}

void hs_engine_set_opp(struct hs_engine *e, int p, int domain, int level)
{
  struct hs_queue *q = &e->queues[p];
  if (e->live.backends[p].opp[domain] == level) return;
  settle(q);
  e->live.backends[p].opp[domain] = level;
  set_levels(q);
}

void hs_engine_set_cap(struct hs_engine *e, int p, int domain, int level)
{
  struct hs_queue *q = &e->queues[p];
  if (e->cap[p][domain] == level) return;
  settle(q);
  e->cap[p][domain] = level;
  set_levels(q);
}

void hs_engine_set_leakage(struct hs_engine *e, int p, double factor)
{
  settle(&e->queues[p]);
  e->queues[p].leakage = factor;
}

double hs_engine_busy_s(struct hs_engine *e, int p, int domain, int core)
{
  settle(&e->queues[p]);
  return e->queues[p].busy_s[e->queues[p].first_core[domain] + core];
}

int hs_engine_tasks_on(const struct hs_engine *e, int p, int domain, int core)
{
  return e->queues[p].wanted[e->queues[p].first_core[domain] + core];
}

int hs_engine_level(const struct hs_engine *e, int p, int domain)
{
  const struct hs_queue *q = &e->queues[p];
  bool spins = !q->in_domain[domain] && q->spin.last_s > hs_des_now_s();
  return spins ? level_at(q, q->spin.opp, domain) : clock_level(q, domain);
}

double hs_engine_cycles(struct hs_engine *e, int p, int domain)
{
  settle(&e->queues[p]);
  return e->queues[p].cycles[domain];
}

double hs_engine_energy_j(struct hs_engine *e, int p)
{
  settle(&e->queues[p]);
  return e->queues[p].energy_j;
}
