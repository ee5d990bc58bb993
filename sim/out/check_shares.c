/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "out/check_parts.h"

/* Only work on a CPU is shared; a delay takes no core and keeps no other request waiting. */
static enum hs_status check_share(struct hs_check *c, const struct hs_event *e)
{
  bool shared = c->run->sys->soc->processors[e->program->tasks[e->task].processor].kind == HS_CPU && hs_check_takes_core(e);
  double all = e->end_s - e->start_s;
  if (e->share_s >= 0 && (shared ? !hs_check_after(e->share_s, all) : hs_check_about(e->share_s, all))) return HS_OK;
  return hs_check_breach(c, e, "has another share of its processor than its time there");
}

/* The thread that calls an accelerator takes no more than a core of its clusters. */
static enum hs_status check_caller(struct hs_check *c, const struct hs_event *e)
{
  const struct hs_system *sys = c->run->sys;
  const struct hs_processor *p = &sys->soc->processors[e->caller.processor];
  double most_w = 0, all = e->end_s - e->start_s;
  bool calls = sys->rpc_clusters && e->program->tasks[e->task].kind == HS_TASK_RPC;
  for (int d = 0; d < p->n_domains && calls; d++)
    if (sys->rpc_clusters & hs_soc_domain_bit(e->caller.processor, d)) most_w = fmax(most_w, hs_check_most_watts(c, &p->domains[d], 1));
  if (e->caller.share_s >= 0 && !hs_check_after(e->caller.share_s, calls ? all : 0) && !hs_check_after(e->caller.energy_j, all * most_w)) return HS_OK;
  return hs_check_breach(c, e, "has a caller that takes more than a core");
}

/* Dynamic power of its cores alone, without what clusters share. */
static double core_watts(const struct hs_check *c, const struct hs_task *t)
{
  const struct hs_system *sys = c->run->sys;
  double watts = hs_task_dynamic_w(sys, t);
  for (int d = 0; d < HS_DOMAINS_MAX; d++)
    if (t->work.cores[d]) watts -= sys->soc->processors[t->processor].domains[d].opps[hs_system_opp(sys, t->processor, d, t->opp)].shared_w;
  return t->delay_s > 0 ? 0 : watts;
}

/* With its cores to itself it takes their power all the time, and that of its clusters, too, unless another process is on others of their
 * cores. Beside others it takes no more than that, nor at other frequencies and temperatures; but where cores are shared in slices, its threads that
 * wait for each other spin, at the power of a core without what a kernel draws beside it. */
static enum hs_status check_energy(struct hs_check *c, const struct hs_event *e)
{
  const struct hs_system *sys = c->run->sys;
  const struct hs_task t = hs_event_task(e, sys->soc);
  struct hs_task spinning = t;
  double all = e->end_s - e->start_s, least = 0;
  bool whole = hs_check_about(e->share_s, all);
  if (whole && hs_check_is_steady(c))
    least = all * (hs_check_has_rivals(c, t.processor) ? core_watts(c, &t) : hs_task_dynamic_w(sys, &t) + hs_task_static_w(sys, &t));
  if (!whole && sys->scheduler && sys->soc->processors[t.processor].kind == HS_CPU) spinning.work.power_factor = fmax(t.work.power_factor, 1);
  if (!hs_check_after(least, e->energy_j) && !hs_check_after(e->energy_j, all * hs_check_most_task_watts(c, &spinning))) return HS_OK;
  return hs_check_breach(c, e, "takes another energy than its power over its time");
}

/* A clock runs at no more than the highest OPP and no less than the lowest. */
static bool is_clock(const struct hs_domain *d, double seconds, double cycles)
{
  return !hs_check_after(cycles, seconds * hs_domain_top(d)->freq_hz) && !hs_check_after(seconds * d->opps[0].freq_hz, cycles);
}

static enum hs_status check_clocks(struct hs_check *c, const struct hs_event *e)
{
  const struct hs_soc *soc = c->run->sys->soc;
  const struct hs_task t = hs_event_task(e, soc);
  bool good = is_clock(&soc->processors[e->caller.processor].domains[e->caller.domain], e->caller.share_s, e->caller.cycles);
  for (int d = 0; d < soc->processors[t.processor].n_domains && good; d++)
    good = is_clock(&soc->processors[t.processor].domains[d], hs_check_takes_core(e) && t.work.cores[d] ? e->share_s : 0, e->cycles[d]);
  return good ? HS_OK : hs_check_breach(c, e, "ran at a frequency outside of its OPPs");
}

static enum hs_status check_bytes(struct hs_check *c, const struct hs_event *e)
{
  double own = e->program->tasks[e->task].work.bytes, least, most;
  hs_check_traffic(c, &least, &most);
  if (!hs_check_after(own * least, e->bytes) && !hs_check_after(e->bytes, own * most)) return HS_OK;
  return hs_check_breach(c, e, "moves other bytes than its own and what the cache lacks");
}

static bool works_on(const struct hs_event *e, int p)
{
  return (hs_check_takes_core(e) && e->program->tasks[e->task].processor == p) || (e->caller.share_s > 0 && e->caller.processor == p);
}

/* The time in which p worked, and whether it ever did two things at a time: the events come in order of their ends, so they are joined from the last. */
static double worked(const struct hs_timeline *t, int p, bool *together)
{
  double sum = 0, from = INFINITY, to = INFINITY;
  *together = false;
  for (int i = t->n - 1; i >= 0; i--) {
    const struct hs_event *e = &t->events[i];
    if (!works_on(e, p)) continue;
    if (e->end_s < from) {
      sum += isfinite(to) ? to - from : 0;
      to = e->end_s;
      from = e->start_s;
    } else
      *together |= hs_check_after(e->end_s, from);
    from = fmin(from, e->start_s);
  }
  return sum + (isfinite(to) ? to - from : 0);
}

/* May threads of a task have waited for its slowest, which is nobody's time? They begin together and have as much to do, but for what else is on their cores
 * and for clocks that move. */
static bool may_wait(const struct hs_check *c, int p, bool together)
{
  return c->run->sys->scheduler && c->run->sys->soc->processors[p].kind == HS_CPU && (together || !hs_check_is_steady(c));
}

enum hs_status hs_check_shares(struct hs_check *c)
{
  const struct hs_timeline *t = c->run->timeline;
  double shares[HS_PROCESSORS_MAX] = {0};
  for (int i = 0; i < t->n; i++) {
    HS_TRY(check_share(c, &t->events[i]));
    HS_TRY(check_energy(c, &t->events[i]));
    HS_TRY(check_caller(c, &t->events[i]));
    HS_TRY(check_clocks(c, &t->events[i]));
    HS_TRY(check_bytes(c, &t->events[i]));
    shares[t->events[i].caller.processor] += t->events[i].caller.share_s;
    if (hs_check_takes_core(&t->events[i])) shares[t->events[i].program->tasks[t->events[i].task].processor] += t->events[i].share_s;
  }
  for (int p = 0; p < c->run->sys->soc->n_processors; p++) {
    bool together;
    double all = worked(t, p, &together);
    /* whoever ran beside tasks that were cut off, or aren't of requests, had less */
    bool less = may_wait(c, p, together) || c->n_unfinished || hs_check_has_rivals(c, p);
    if (less ? hs_check_after(shares[p], all) : !hs_check_about(shares[p], all))
      return hs_fail(c->err, HS_UNMET, "invariant broken: shares of %s are %.9g s, it worked for %.9g s", c->run->sys->soc->processors[p].name, shares[p], all);
  }
  return HS_OK;
}
