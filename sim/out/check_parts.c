/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "out/check_parts.h"

#include "device/cache.h"

enum hs_status hs_check_breach(struct hs_check *c, const struct hs_event *e, const char *rule)
{
  const struct hs_task *t = &e->program->tasks[e->task];
  char label[140];
  return hs_fail(c->err, HS_UNMET, "invariant broken: request %d, task %d (%s, on %s, %.9g–%.9g s): %s", e->request, e->task,
                 hs_task_label(e->program, e->task, label, sizeof label), c->run->sys->soc->processors[t->processor].name,
                 e->start_s, e->end_s, rule);
}

/* --- what a scenario leaves as it is --- */

/* May a governor set frequencies other than the system's? */
static bool is_governed(const struct hs_check *c)
{
  for (int p = 0; p < HS_PROCESSORS_MAX && c->run->scenario; p++)
    for (int d = 0; d < HS_DOMAINS_MAX; d++)
      if (c->run->scenario->governed[p][d].kind >= 0) return true;
  return false;
}

bool hs_check_is_steady(const struct hs_check *c) { return !c->run->scenario || !(c->run->scenario->thermal || is_governed(c)); }

static bool loads(const struct hs_check *c, const struct hs_process *pr, int p)
{
  enum hs_kind kind = c->run->sys->soc->processors[p].kind;
  for (int i = 0; i < pr->n_phases; i++)
    if (kind == HS_CPU ? pr->phases[i].threads > 0 && pr->clusters >> (p * HS_DOMAINS_MAX) & ((1u << HS_DOMAINS_MAX) - 1) : pr->phases[i].load_frac[kind] > 0)
      return true;
  return false;
}

bool hs_check_has_rivals(const struct hs_check *c, int p)
{
  const struct hs_scenario *s = c->run->scenario;
  enum hs_kind kind = c->run->sys->soc->processors[p].kind;
  for (int i = 0; s && i < s->n_processes; i++)
    if (loads(c, &s->processes[i], p)) return true;
  return s && s->ui_rate_hz > 0 && (kind == HS_CPU || kind == HS_GPU);
}

/* Others only lower the hit rate. */
void hs_check_traffic(const struct hs_check *c, double *least, double *most)
{
  const struct hs_scenario *s = c->run->scenario;
  *least = *most = 1;
  if (!s || c->run->sys->soc->memory.llc_hit_frac < 0) return;
  if (s->cache_hit_frac >= 0)
    *least = *most = hs_cache_traffic(c->run->sys->soc, s->cache_hit_frac);
  else if (s->n_processes)
    *most = hs_cache_traffic(c->run->sys->soc, 0);
}

/* May a task that asks for another OPP be on the same cluster? */
static bool shares_clock(const struct hs_check *c, const struct hs_task *t)
{
  return c->sets_opps && c->run->sys->soc->processors[t->processor].kind == HS_CPU && (c->run->n_networks > 1 || c->run->scenario);
}

/* As a fluid, cores wait for the caller in cycles of the clocks at a task's beginning (doc/design.md): at the fewest, of its own domain's lowest
 * and the caller's highest. */
static void wait_shortest(const struct hs_processor *p, struct hs_work *w)
{
  int lead = hs_lead_domain(p, w->cores);
  for (int d = 0; d < p->n_domains && w->caller > 0; d++) {
    const struct hs_domain *own = &p->domains[d];
    if (d != lead) w->cycles[d] -= w->caller * (hs_domain_top(own)->freq_hz - own->opps[0].freq_hz) / hs_domain_top(&p->domains[lead])->freq_hz;
  }
}

struct hs_task hs_check_at_best(const struct hs_check *c, const struct hs_task *t)
{
  struct hs_task best = *t;
  const struct hs_processor *p = &c->run->sys->soc->processors[t->processor];
  if ((t->opp >= 0 || !is_governed(c)) && !shares_clock(c, t)) return best;
  best.opp = hs_processor_fastest(p)->n_opps - 1;
  if (!c->run->sys->scheduler) wait_shortest(p, &best.work);
  return best;
}

/* The largest factor on static power. */
static double hot_leakage(const struct hs_check *c)
{
  return c->run->scenario && c->run->scenario->thermal ? hs_leakage_factor(HS_TEMPERATURE_MAX_C) : 1;
}

/* Of so many cores at an OPP and what they share, at the hottest. */
static double watts(const struct hs_check *c, const struct hs_opp *o, double cores) { return cores * o->dynamic_w + o->shared_w + hot_leakage(c) * o->static_w; }

/* May anything set other frequencies for the task than the system's or its own? Heat caps these, too. */
static bool may_differ(const struct hs_check *c, const struct hs_task *t)
{
  return (t->opp < 0 && is_governed(c)) || shares_clock(c, t) || (c->run->scenario && c->run->scenario->thermal);
}

/* Clusters have clocks of their own: each may be where it draws most. */
double hs_check_most_task_watts(const struct hs_check *c, const struct hs_task *t)
{
  const struct hs_system *sys = c->run->sys;
  const struct hs_processor *p = &sys->soc->processors[t->processor];
  double sum_w = 0;
  if (!may_differ(c, t)) return hs_task_dynamic_w(sys, t) + hs_task_static_w(sys, t);
  for (int d = 0; d < p->n_domains && t->delay_s <= 0; d++) {
    double most_w = 0;
    for (int i = 0; i < p->domains[d].n_opps && t->work.cores[d] > 0; i++) {
      const struct hs_opp *o = &p->domains[d].opps[i];
      most_w = fmax(most_w, watts(c, o, t->work.cores[d] * hs_work_power_factor(sys, t->processor, &t->work, o->freq_hz)));
    }
    sum_w += most_w;
  }
  return sum_w;
}

double hs_check_most_watts(const struct hs_check *c, const struct hs_domain *d, int cores)
{
  double most_w = 0;
  for (int i = 0; i < d->n_opps; i++) most_w = fmax(most_w, watts(c, &d->opps[i], cores));
  return most_w;
}
