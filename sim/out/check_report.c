/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "out/check_parts.h"

/* Of one network, or of all (-1). */
static bool counts(const struct hs_check *c, int network, int request) { return network < 0 || c->requests[request].network == network; }

static enum hs_status check_frequencies(struct hs_check *c, const struct hs_metrics *m, int network)
{
  double cycles[HS_PROCESSORS_MAX][HS_DOMAINS_MAX] = {0};
  for (int i = 0; i < c->run->timeline->n; i++) {
    const struct hs_event *e = &c->run->timeline->events[i];
    if (!counts(c, network, e->request)) continue;
    for (int d = 0; d < HS_DOMAINS_MAX; d++) cycles[e->program->tasks[e->task].processor][d] += e->cycles[d];
    cycles[e->caller.processor][e->caller.domain] += e->caller.cycles;
  }
  for (int p = 0; p < c->run->sys->soc->n_processors; p++)
    for (int d = 0; d < HS_DOMAINS_MAX; d++)
      if (!hs_check_about(cycles[p][d], hs_metrics_freq_hz(m, p, d) * m->clocked_s[p][d]))
        return hs_fail(c->err, HS_UNMET, "invariant broken: frequency of %s is not the mean over its tasks", c->run->sys->soc->processors[p].name);
  return HS_OK;
}

/* Written out here, as the metrics do it on their way: the timeline alone must give what they tell. */
static void add_event(const struct hs_event *e, struct hs_spent *sum)
{
  const struct hs_task *t = &e->program->tasks[e->task];
  sum->busy_s[t->processor] += hs_check_takes_core(e) ? e->share_s : 0;
  sum->energy_j[t->processor] += e->energy_j;
  sum->busy_s[e->caller.processor] += e->caller.share_s;
  sum->energy_j[e->caller.processor] += e->caller.energy_j;
  for (int p = 0; p < HS_PROCESSORS_MAX; p++) {
    sum->energy_j[p] += e->spun_j[p];
    sum->spun_j += e->spun_j[p];
  }
  sum->kind_s[t->kind] += e->end_s - e->start_s;
  sum->dram_bytes += e->bytes;
}

static enum hs_status compare_spent(struct hs_check *c, const struct hs_spent *sum, const struct hs_spent *told, const char *whose)
{
  for (int p = 0; p < c->run->sys->soc->n_processors; p++)
    if (!hs_check_about(sum->busy_s[p], told->busy_s[p]) || !hs_check_about(sum->energy_j[p], told->energy_j[p]))
      return hs_fail(c->err, HS_UNMET, "invariant broken: time or energy of %s is not the sum over %s", c->run->sys->soc->processors[p].name, whose);
  if (!hs_check_about(sum->spun_j, told->spun_j)) return hs_fail(c->err, HS_UNMET, "invariant broken: energy of what spins is not the sum over %s", whose);
  for (int k = 0; k < HS_TASK_KIND_N; k++)
    if (!hs_check_about(sum->kind_s[k], told->kind_s[k]))
      return hs_fail(c->err, HS_UNMET, "invariant broken: time of %s tasks is not the sum over %s", hs_task_kind_names[k], whose);
  if (hs_check_about(sum->dram_bytes, told->dram_bytes)) return HS_OK;
  return hs_fail(c->err, HS_UNMET, "invariant broken: DRAM bytes are not the sum over %s", whose);
}

/* Of the run it is the sum over all tasks, per inference over those of requests that ended. */
static enum hs_status check_sums(struct hs_check *c, const struct hs_metrics *m, int network)
{
  struct hs_spent all = {.spun_j = 0}, ended = {.spun_j = 0};
  long n = 0;
  for (int i = 0; i < c->run->timeline->n; i++) {
    const struct hs_event *e = &c->run->timeline->events[i];
    if (!counts(c, network, e->request)) continue;
    add_event(e, &all);
    if (c->requests[e->request].outcome) add_event(e, &ended);
    n++;
  }
  if (n != m->n_tasks) return hs_fail(c->err, HS_UNMET, "invariant broken: other tasks than ran");
  HS_TRY(compare_spent(c, &all, &m->all, "its tasks"));
  return compare_spent(c, &ended, &m->ended, "the tasks of requests that ended");
}

static enum hs_status check_latencies(struct hs_check *c, const struct hs_metrics *m, int network)
{
  int n = 0, late = 0, dropped = 0;
  double end_s = 0;
  for (int i = 0; i < c->run->n_outcomes; i++) {
    const struct hs_outcome *o = &c->run->outcomes[i];
    if (!counts(c, network, o->request)) continue;
    late += o->late;
    dropped += o->dropped;
    end_s = fmax(end_s, o->end_s);
    if (o->dropped) continue;
    if (n < m->n_requests && !hs_check_about(o->end_s - o->arrival_s, m->latencies_s[n]))
      return hs_fail(c->err, HS_UNMET, "invariant broken: request %d took %.9g s, not the latency of %.9g s", o->request, o->end_s - o->arrival_s,
                     m->latencies_s[n]);
    n++;
  }
  if (n != m->n_requests) return hs_fail(c->err, HS_UNMET, "invariant broken: %d requests ran, and there are latencies of %d", n, m->n_requests);
  if (late != m->n_late || dropped != m->n_dropped) return hs_fail(c->err, HS_UNMET, "invariant broken: %d late and %d dropped", late, dropped);
  if (hs_check_about(end_s, m->end_s)) return HS_OK;
  return hs_fail(c->err, HS_UNMET, "invariant broken: the last request ended at %.9g s, not the run at %.9g s", end_s, m->end_s);
}

enum hs_status hs_check_report(struct hs_check *c)
{
  HS_TRY(check_sums(c, c->run->metrics, -1));
  HS_TRY(check_frequencies(c, c->run->metrics, -1));
  HS_TRY(check_latencies(c, c->run->metrics, -1));
  for (int i = 0; i < c->run->n_networks && c->run->of_networks; i++) {
    HS_TRY(check_sums(c, &c->run->of_networks[i], i));
    HS_TRY(check_latencies(c, &c->run->of_networks[i], i));
  }
  return HS_OK;
}
