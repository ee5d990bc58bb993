/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <string.h>

#include "out/report.h"
#include "out/table.h"

/* How kernels of one processor are cut and waited for, where any ran. */
static void limits(const struct hs_report *r, int p, struct hs_text *t)
{
  const char *name = r->sys->soc->processors[p].name;
  const struct hs_report_kernels k = hs_report_kernels(r, p);
  if (!r->metrics->computed[p]) return;
  if (k.kernel_s > 0) hs_text_addf(t, "%s kernels longer than %s are cut\n", name, hs_si_tmp(k.kernel_s, "s"));
  if (k.window) hs_text_addf(t, "the host waits for the %s after every %d kernels\n", name, k.window);
}

/* Where a network's kernels are in another precision than was asked for, as its runtime or the hardware has none in that; once per runtime. */
static void other_precision(const struct hs_report *r, int p, struct hs_text *t)
{
  const char *told = NULL;
  for (int i = 0; i < r->n_networks && r->precision; i++) {
    const struct hs_system *sys = &r->networks[i].network->sys;
    const char *precision = hs_precision_names[sys->backends[p].precision];
    if (!r->networks[i].metrics->computed[p] || strcmp(precision, r->precision) == 0 || (told && strcmp(told, sys->runtime->name) == 0)) continue;
    told = sys->runtime->name;
    hs_text_addf(t, "no %s on the %s under %s: it computes in %s\n", r->precision, sys->soc->processors[p].name, told, precision);
  }
}

/* What the first network's policy says of its plan, where it has one. */
static void plan_note(const struct hs_report *r, struct hs_text *t)
{
  const struct hs_plan *plan = &r->networks[0].network->plan;
  if (plan->n == 1 && plan->alternatives[0]->note) hs_text_addf(t, "%s\n", plan->alternatives[0]->note);
}

static bool happens(const struct hs_report *r)
{
  bool any = r->scenario->living;
  for (int p = 0; p < r->sys->soc->n_processors; p++) any |= r->scenario->fallback_frac[p] > 0;
  return any;
}

/* What happens beside the networks, where anything does. A table of processes is named as it was given: it has no name of its own. */
static void scenario(const struct hs_report *r, struct hs_text *t)
{
  struct hs_report_setting set[HS_REPORT_SETTINGS_MAX];
  const char *competing = r->scenario_options->competing;
  int n = hs_report_settings(r, set);
  if (!happens(r)) return;
  for (int i = 0; i < n; i++)
    hs_text_addf(t, "%s%s %s", i ? ", " : "on the phone: ", strcmp(set[i].name, "name") == 0 ? "scenario" : set[i].name, set[i].value);
  if (competing) hs_text_addf(t, "%sprocesses of %s", n ? ", " : "on the phone: ", competing);
  if (r->scenario->living && !r->sys->scheduler) hs_text_add(t, "; cores are shared as a fluid, since the SoC's file has no scheduler");
  hs_text_add(t, "\n");
}

static void head(const struct hs_report *r, struct hs_text *t)
{
  const struct hs_network *n = r->networks[0].network;
  hs_text_addf(t, "%s on %s (%s)\npolicy ", r->graph->name, r->sys->soc->name, r->sys->soc->title);
  hs_report_policy(r, t);
  hs_text_addf(t, ", runtime %s (%s)\n", r->sys->runtime->name, r->sys->runtime->title);
  for (int i = 0; i < r->opt->n; i++) hs_text_addf(t, "%s%s", i ? "," : "optimised by ", r->opt->text[i]);
  if (r->opt->on[HS_OPT_PRUNE] || r->opt->on[HS_OPT_LOWRANK])
    hs_text_addf(t, ": %s of %s, %s of %s parameters", hs_si_tmp(hs_graph_macs(n->graph), "MAC"), hs_si_tmp(hs_graph_macs(n->file_graph), "MAC"),
                 hs_si_tmp((double)hs_graph_params(n->graph), ""), hs_si_tmp((double)hs_graph_params(n->file_graph), ""));
  hs_text_add(t, r->opt->n ? "\n" : "");
  scenario(r, t);
  for (int p = 0; p < r->sys->soc->n_processors; p++) other_precision(r, p, t);
  for (int p = 0; p < r->sys->soc->n_processors; p++) limits(r, p, t);
  hs_report_no_effect(r, t);
  plan_note(r, t);
  hs_text_add(t, "\n");
}

/* Of an inference, where one ended. */
static const char *each(const struct hs_report *r, double v, const char *unit) { return r->networks[0].metrics->n_requests ? hs_si_tmp(v, unit) : "-"; }

static void figure(struct hs_text *t, const char *name, const char *value)
{
  hs_text_column(t, name, 15);
  hs_text_column(t, value, 11);
}

/* Beside rivals few inferences say little of many, heat takes minutes, and a queue of what comes too fast grows. */
static void sureness(const struct hs_summary *s, struct hs_text *t)
{
  static const double MUCH = 0.1;
  char frac[20];
  if (2 * s->latency_error_s > MUCH * s->latency_s) {
    snprintf(frac, sizeof frac, "±%.0f %%", 200 * s->latency_error_s / s->latency_s);
    figure(t, "  uncertain", frac);
    hs_text_add(t, "two standard errors of the mean: a longer run has a surer one\n");
  }
  if (fabs(s->drift_frac) > MUCH) {
    snprintf(frac, sizeof frac, "%+.0f %%", 100 * s->drift_frac);
    figure(t, "  drift", frac);
    hs_text_add(t, "from the first half of the inferences to the second: a longer run has another mean\n");
  }
}

static void latency(const struct hs_report *r, struct hs_text *t)
{
  const struct hs_summary *s = r->summary;
  int n = r->networks[0].metrics->n_requests, ended = n + r->networks[0].metrics->n_dropped;
  hs_text_column(t, "Latency", 15);
  hs_text_column(t, n ? hs_si_tmp(s->latency_s, "s") : "-", n == 1 ? 0 : 11);
  if (n == 0) hs_text_add(t, "no inference ended");
  if (n > 1)
    hs_text_addf(t, "mean of %d inferences; p50 %s, p90 %s, p99 %s, max %s", n, hs_si_tmp(s->p50_s, "s"), hs_si_tmp(s->p90_s, "s"),
                 hs_si_tmp(s->p99_s, "s"), hs_si_tmp(s->max_s, "s"));
  if (ended < r->inferences) hs_text_addf(t, " (stopped after %d of %d)", ended, r->inferences);
  if (r->duration_s > 0 && r->stopped)
    hs_text_addf(t, " (stopped after %s of %s)", hs_si_tmp(hs_metrics_seconds(r->metrics), "s"), hs_si_tmp(r->duration_s, "s"));
  hs_text_add(t, "\n");
  sureness(s, t);
  if (r->living && n && r->networks[0].estimate_s > 0) {
    figure(t, "Expected", hs_si_tmp(r->networks[0].estimate_s, "s"));
    hs_text_addf(t, "by the %s profiler; ", r->profiler ? r->profiler : "offline");
    double error_frac = hs_report_estimate_error_frac(r);
    if (isnan(error_frac))
      hs_text_add(t, "requests may have waited for each other, which it doesn't expect\n");
    else
      hs_text_addf(t, "the latency is %+.1f %% off\n", hs_no_minus_zero(100 * error_frac, 1));
  }
  if (n > 1) {
    char rate[24], buf[20];
    snprintf(rate, sizeof rate, "%s/s", hs_rate(s->throughput_per_s, buf, sizeof buf));
    figure(t, "Throughput", rate);
    hs_text_addf(t, "in %s\n", hs_si_tmp(hs_metrics_seconds(r->metrics), "s"));
  }
}

/* Simulated. */
static void reused_rows(const struct hs_report *r, struct hs_text *t)
{
  char share[20];
  snprintf(share, sizeof share, "%.3g %%", 100 * r->opt->ratio[HS_OPT_REUSE]);
  figure(t, "Reuse", share);
  hs_text_add(t, "of a frame's rows are as in the frame before: every frame of a video but the first; its quality isn't told\n");
}

static void reuse(const struct hs_report *r, struct hs_text *t)
{
  const struct hs_reuse *u = r->opt->reuse;
  if (!u && r->opt->on[HS_OPT_REUSE]) reused_rows(r, t);
  if (!u) return;
  double seconds = hs_report_reuse_s(r);
  figure(t, "With reuse", isnan(seconds) ? "-" : each(r, seconds, "s"));
  hs_text_addf(t, "per frame of a video, not simulated: scaled as in a published table, where VMAF is %g instead of %g\n", u->vmaf, u->vmaf_without);
  if (isnan(seconds) && r->summary->latency_s > 0) {
    hs_text_pad(t, ' ', 26);
    hs_text_add(t, "not told here: requests waited for each other, and a ratio of frame times says nothing of queues\n");
  }
  hs_text_pad(t, ' ', 26);
  hs_text_addf(t, "%s\n", u->source);
}

static void costs(const struct hs_report *r, struct hs_text *t)
{
  const struct hs_summary *s = r->summary;
  double seconds = hs_metrics_seconds(r->metrics);
  figure(t, "Energy", each(r, s->energy_j, "J"));
  hs_text_addf(t, "per inference%s %s on average, above the idle device's %s\n", r->n_networks > 1 ? "; all networks take" : ",", hs_si_tmp(r->power_w, "W"),
               hs_si_tmp(r->sys->soc->idle_w, "W"));
  if (s->spun_j > 0) {
    figure(t, "  spinning", each(r, s->spun_j, "J"));
    hs_text_add(t, "of that by CPU threads that wait for the next operator\n");
  }
  figure(t, "Communication", each(r, s->communication_s, "s"));
  hs_text_addf(t, "%.1f %% of %s task time (transform, map, sync, RPC)\n", 100 * s->communication_frac, r->n_networks > 1 ? "this network's" : "all");
  figure(t, "Launches", each(r, s->launch_s, "s"));
  hs_text_add(t, "of host time to enqueue kernels\n");
  figure(t, "DRAM traffic", each(r, s->dram_bytes, "B"));
  hs_text_addf(t, r->n_networks > 1 ? "of kernels; of all networks' %s on average\n" : "of kernels, %s on average\n",
               hs_si_tmp(seconds > 0 ? r->metrics->all.dram_bytes / seconds : 0, "B/s"));
}

/* Where the plan is one program. */
static void program(const struct hs_report *r, struct hs_text *t)
{
  char ops[20];
  if (!r->program) return;
  snprintf(ops, sizeof ops, "%d", r->program->n_ops);
  figure(t, "Operators", ops);
  hs_text_addf(t, "%d on a fallback processor\n", r->program->n_fallback);
  figure(t, "Memory", hs_si_tmp(r->program->peak_memory_bytes, "B"));
  hs_text_addf(t, "at the peak (weights%s and live tensors) of %s\n", r->opt->ratio[HS_OPT_REUSE] > 0 ? ", what is kept of the frame before," : "",
               hs_si_tmp(r->sys->soc->memory.capacity_bytes, "B"));
  if (!r->opt->on[HS_OPT_MEMPLAN]) return;
  figure(t, "Arena", hs_si_tmp(r->memory->arena_bytes, "B"));
  hs_text_addf(t, "for all tensors but weights; %s without reuse, at least %s alive at once\n", hs_si_tmp(r->memory->unshared_bytes, "B"),
               hs_si_tmp(r->memory->most_live_bytes, "B"));
}

static void figures(const struct hs_report *r, struct hs_text *t)
{
  latency(r, t);
  reuse(r, t);
  costs(r, t);
  program(r, t);
  hs_text_add(t, "\n");
}

/* Means while tasks ran there: governors, heat and policies change frequencies under way. */
static void frequencies(const struct hs_report *r, int p, struct hs_text *mhz)
{
  bool ran = r->metrics->all.busy_s[p] > 0;
  hs_text_add(mhz, ran ? "" : "-");
  for (int d = r->sys->soc->processors[p].n_domains - 1; d >= 0 && ran; d--) {
    double hz = hs_metrics_freq_hz(r->metrics, p, d);
    if (hz > 0)
      hs_text_addf(mhz, "%.0f", hz / 1e6);
    else
      hs_text_add(mhz, "-");
    hs_text_add(mhz, d ? "+" : "");
  }
}

/* Wider than usual from three clusters in a processor on. */
static int frequencies_width(const struct hs_report *r)
{
  size_t width = 10;
  for (int p = 0; p < r->sys->soc->n_processors; p++) {
    struct hs_text mhz = {0};
    frequencies(r, p, &mhz);
    if (mhz.len > width) width = mhz.len;
    hs_text_free(&mhz);
  }
  return (int)width + 2;
}

/* What kernels run there: precision, and threads or memory. */
static void runs(const struct hs_report *r, int p, char *buf, size_t size)
{
  const struct hs_report_kernels k = hs_report_kernels(r, p);
  enum hs_kind kind = r->sys->soc->processors[p].kind;
  if (!k.available)
    snprintf(buf, size, "not in this runtime");
  else if (kind == HS_CPU)
    snprintf(buf, size, "%s, %d thread%s", k.precision, k.threads, k.threads > 1 ? "s" : "");
  else if (kind == HS_GPU)
    snprintf(buf, size, "%s, %s", k.precision, k.memory_type);
  else
    snprintf(buf, size, "%s", k.precision);
}

static void table(const struct hs_report *r, struct hs_text *t)
{
  const struct hs_system *sys = r->sys;
  if (r->n_networks > 1) hs_text_add(t, "Over the whole run, all networks:\n");
  int width = frequencies_width(r), names = (int)strlen(hs_report_longest_name(r));
  if (names < 11) names = 11;
  hs_text_column(t, "processor", names + 1);
  hs_text_add(t, "runs                 ");
  hs_text_column(t, "mean MHz", width);
  hs_text_add(t, "busy        used   energy     kernels\n");
  for (int p = 0; p < sys->soc->n_processors; p++) {
    const struct hs_report_kernels k = hs_report_kernels(r, p);
    char how[60];
    const struct hs_report_use use = hs_report_use(r, p);
    double run_s = hs_metrics_seconds(r->metrics);
    runs(r, p, how, sizeof how);
    hs_text_addf(t, "%-*s %-20s ", names, sys->soc->processors[p].name, how);
    struct hs_text mhz = {0};
    frequencies(r, p, &mhz);
    hs_text_column(t, mhz.s, width);
    hs_text_free(&mhz);
    hs_text_column(t, hs_si_tmp(use.busy_s, "s"), 11);
    hs_text_addf(t, "%5.1f %%  ", run_s > 0 ? 100 * r->metrics->all.busy_s[p] / run_s : 0);
    hs_text_column(t, hs_si_tmp(use.energy_j, "J"), 11);
    hs_text_addf(t, "%s\n", k.available ? hs_basis_phrases[k.basis] : "-");
  }
}

static void network(const struct hs_network_report *n, struct hs_table *table)
{
  const struct hs_summary *s = n->summary;
  bool deadline = isfinite(n->network->deadline_s);
  char late[20];
  hs_table_add(table, "%s", n->network->label);
  hs_table_add(table, "%s", n->network->policy->name);
  hs_table_add(table, "%s", n->network->sys.runtime->name);
  hs_table_add(table, "%d", n->metrics->n_requests);
  hs_table_add(table, "%s", hs_rate(s->throughput_per_s, late, sizeof late));
  const double latencies[] = {s->latency_s, s->p50_s, s->p90_s, s->p99_s};
  for (size_t i = 0; i < sizeof latencies / sizeof *latencies; i++) hs_table_add(table, "%s", n->metrics->n_requests ? hs_si_tmp(latencies[i], "s") : "-");
  snprintf(late, sizeof late, "%d", n->metrics->n_late);
  hs_table_add(table, "%s", deadline ? hs_si_tmp(n->network->deadline_s, "s") : "-");
  hs_table_add(table, "%s", deadline ? late : "-");
  hs_table_add(table, "%d", n->metrics->n_dropped);
  hs_table_add(table, "%d", n->unfinished);
}

/* Where several ran, at a rate, or with deadlines to be met. */
static void networks(const struct hs_report *r, struct hs_text *t)
{
  static const char *const heads[] = {"network", "policy", "runtime", "inferences", "per second", "latency",
                                      "p50", "p90", "p99", "deadline", "late", "dropped", "unfinished"};
  enum { N = sizeof heads / sizeof *heads };
  const struct hs_network *first = r->networks[0].network;
  struct hs_table table = {.n_columns = N};
  if (r->n_networks == 1 && first->pattern.kind == HS_BACK_TO_BACK && !isfinite(first->deadline_s)) return;
  for (int i = 0; i < N; i++) {
    table.right[i] = i >= 3;
    hs_table_add(&table, "%s", heads[i]);
  }
  for (int i = 0; i < r->n_networks; i++) network(&r->networks[i], &table);
  hs_text_add(t, "\n");
  hs_table_print(&table, t);
  hs_table_free(&table);
  if (hs_report_unfinished(r))
    hs_text_addf(t, "%d unfinished, waiting or in flight when %s: not counted\n", hs_report_unfinished(r),
                 r->stopped ? "the run was stopped" : r->duration_s > 0 ? "the time was up" : "every network had its inferences");
}

void hs_report_text(const struct hs_report *r, struct hs_text *t)
{
  head(r, t);
  figures(r, t);
  if (r->living) hs_device_text(r, t);
  table(r, t);
  networks(r, t);
  hs_noise_text(r, t);
  hs_text_add(t, "\n");
  hs_gantt_text(r, t);
  hs_text_addf(t, "\nfingerprint %s, hetsim %s\n", r->fingerprint, hs_version);
}
