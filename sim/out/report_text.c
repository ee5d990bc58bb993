/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <string.h>

#include "out/report.h"

static const char *si(double v, const char *unit)
{
  static char buf[8][32];
  static int next;
  next = (next + 1) % 8;
  return hs_si(v, unit, buf[next], sizeof buf[next]);
}

static void head(const struct hs_report *r, struct hs_text *t)
{
  const struct hs_network *n = r->networks[0].network;
  hs_text_addf(t, "%s on %s (%s)\npolicy %s, runtime %s (%s)\n", r->graph->name, r->sys->soc->name, r->sys->soc->title, r->policy,
               r->sys->runtime->name, r->sys->runtime->title);
  for (int i = 0; i < r->opt->n; i++) hs_text_addf(t, "%s%s", i ? "," : "optimised by ", r->opt->text[i]);
  if (r->opt->on[HS_OPT_PRUNE] || r->opt->on[HS_OPT_LOWRANK])
    hs_text_addf(t, ": %s of %s, %s of %s parameters", si(hs_graph_macs(n->graph), "MAC"), si(hs_graph_macs(n->file_graph), "MAC"),
                 si((double)hs_graph_params(n->graph), ""), si((double)hs_graph_params(n->file_graph), ""));
  hs_text_add(t, r->opt->n ? "\n\n" : "\n");
}

static void figure(struct hs_text *t, const char *name, const char *value)
{
  hs_text_column(t, name, 15);
  hs_text_column(t, value, 11);
}

static void figures(const struct hs_report *r, struct hs_text *t)
{
  const struct hs_summary *s = r->summary;
  int n = r->networks[0].metrics->n_requests;
  char ops[20];
  hs_text_column(t, "Latency", 15);
  hs_text_column(t, si(s->latency_s, "s"), n > 1 ? 11 : 0);
  if (n > 1)
    hs_text_addf(t, "mean of %d inferences; p50 %s, p90 %s, p99 %s, max %s", n, si(s->p50_s, "s"), si(s->p90_s, "s"), si(s->p99_s, "s"),
                 si(s->max_s, "s"));
  if (n < r->inferences) hs_text_addf(t, " (stopped after %d of %d)", n, r->inferences);
  hs_text_add(t, "\n");
  if (r->opt->reuse) {
    const struct hs_reuse *u = r->opt->reuse;
    figure(t, "With reuse", si(s->latency_s * u->latency_s / u->latency_without_s, "s"));
    hs_text_addf(t, "per frame of a video, not simulated: scaled as in a published table, where VMAF is %g instead of %g\n", u->vmaf, u->vmaf_without);
    hs_text_pad(t, ' ', 26);
    hs_text_addf(t, "%s\n", u->source);
  }
  figure(t, "Energy", si(s->energy_j, "J"));
  hs_text_addf(t, "per inference, %s on average, above the idle device's %s\n", si(s->power_w, "W"), si(r->sys->soc->idle_w, "W"));
  figure(t, "Communication", si(s->communication_s, "s"));
  hs_text_addf(t, "%.1f %% of all task time (transform, map, sync, RPC)\n", 100 * s->communication_frac);
  figure(t, "Launches", si(s->launch_s, "s"));
  hs_text_add(t, "of host time to enqueue kernels\n");
  if (!r->program) {
    hs_text_add(t, "\n");
    return;
  }
  snprintf(ops, sizeof ops, "%d", r->program->n_ops);
  figure(t, "Operators", ops);
  hs_text_addf(t, "%d on a fallback processor\n", r->program->n_fallback);
  figure(t, "Memory", si(r->program->peak_memory_bytes, "B"));
  hs_text_addf(t, "at the peak (weights and live tensors) of %s\n", si(r->sys->soc->memory.capacity_bytes, "B"));
  if (r->opt->on[HS_OPT_MEMPLAN]) {
    figure(t, "Arena", si(r->memory->arena_bytes, "B"));
    hs_text_addf(t, "for all tensors but weights; %s without reuse, at least %s alive at once\n", si(r->memory->unshared_bytes, "B"),
                 si(r->memory->most_live_bytes, "B"));
  }
  hs_text_add(t, "\n");
}

static void frequencies(const struct hs_system *sys, int p, char *buf, size_t size)
{
  const struct hs_processor *proc = &sys->soc->processors[p];
  size_t n = 0;
  for (int d = proc->n_domains - 1; d >= 0 && n < size; d--) {
    double mhz = proc->domains[d].opps[sys->backends[p].opp[d]].freq_hz / 1e6;
    n += (size_t)snprintf(buf + n, size - n, "%.0f%s", mhz, d ? "+" : "");
  }
}

static void table(const struct hs_report *r, struct hs_text *t)
{
  const struct hs_system *sys = r->sys;
  if (r->n_networks > 1) hs_text_add(t, "Over the whole run, all networks:\n");
  hs_text_add(t, "processor   runs                 MHz         busy        used   energy     kernels\n");
  for (int p = 0; p < sys->soc->n_processors; p++) {
    const struct hs_backend *b = &sys->backends[p];
    char how[40] = "not in this runtime", mhz[40];
    double end = r->metrics->end_s, n = r->n_networks == 1 && r->metrics->n_requests ? r->metrics->n_requests : 1;
    bool gpu = sys->soc->processors[p].kind == HS_GPU, cpu = sys->soc->processors[p].kind == HS_CPU;
    if (b->available && cpu)
      snprintf(how, sizeof how, "%s, %d thread%s", hs_precision_names[b->precision], b->threads, b->threads > 1 ? "s" : "");
    else if (b->available)
      snprintf(how, sizeof how, "%s%s%s", hs_precision_names[b->precision], gpu ? ", " : "", gpu ? hs_memory_type_names[b->memory_type] : "");
    frequencies(sys, p, mhz, sizeof mhz);
    hs_text_addf(t, "%-11s %-20s %-11s ", sys->soc->processors[p].name, how, mhz);
    hs_text_column(t, si(r->metrics->busy_s[p] / n, "s"), 11);
    hs_text_addf(t, "%5.1f %%  ", end > 0 ? 100 * r->metrics->busy_s[p] / end : 0);
    hs_text_column(t, si(r->metrics->energy_j[p] / n, "J"), 11);
    hs_text_addf(t, "%s\n", !b->available ? "-" : b->estimated ? "estimated from hardware rates" : "fitted to measurements");
  }
}

/* Where several ran, or deadlines were to be met. */
static void networks(const struct hs_report *r, struct hs_text *t)
{
  if (r->n_networks == 1 && r->networks[0].network->period_s <= 0) return;
  hs_text_add(t, "\nnetwork                    policy             inferences  latency    p90        p99        late  dropped\n");
  for (int i = 0; i < r->n_networks; i++) {
    const struct hs_network_report *n = &r->networks[i];
    hs_text_column(t, n->network->label, 27);
    hs_text_column(t, n->network->policy->name, 19);
    hs_text_addf(t, "%10d  ", n->metrics->n_requests);
    hs_text_column(t, si(n->summary->latency_s, "s"), 11);
    hs_text_column(t, si(n->summary->p90_s, "s"), 11);
    hs_text_column(t, si(n->summary->p99_s, "s"), 11);
    if (n->network->period_s > 0)
      hs_text_addf(t, "%4d  %7d\n", n->metrics->n_late, n->metrics->n_dropped);
    else
      hs_text_add(t, "   -        -\n");
  }
  if (r->unfinished) hs_text_addf(t, "%d in flight when every network had its inferences: not counted\n", r->unfinished);
}

void hs_report_text(const struct hs_report *r, struct hs_text *t)
{
  head(r, t);
  figures(r, t);
  table(r, t);
  networks(r, t);
  hs_text_add(t, "\n");
  hs_gantt_text(r, t);
  hs_text_addf(t, "\nfingerprint %s, hetsim %s\n", r->fingerprint, hs_version);
}
