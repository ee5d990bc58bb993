/* SPDX-License-Identifier: GPL-3.0-or-later */
/* hetsim run: one SoC, one network or several at the same time, a policy each. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/files.h"
#include "engine/engine.h"
#include "out/check.h"
#include "out/report.h"
#include "plan/separate.h"
#include "program/cli.h"
#include "program/interrupt.h"
#include "program/model_word.h"
#include "program/noise_runs.h"
#include "program/progress.h"
#include "program/setup.h"
#include "serve/pieces.h"

struct run {
  const struct hs_cli *cli;
  struct hs_setup setup;
  struct hs_living *living;       /* NULL: nothing else happens */
  struct hs_noise *noise;         /* NULL: durations are exact */
  struct hs_noise_runs others;    /* after the first, where they aren't */
  struct hs_noise_report scatter; /* over all runs */
  struct hs_metrics metrics;      /* of all networks */
  struct hs_metrics *of_networks; /* of each; of one they are those of all */
  int unfinished[HS_NETWORKS_MAX]; /* requests */
  bool stopped;                   /* before its end, by the user, because the device shut down or a network starves */
  struct {
    int request;                      /* the first of each network; -1: none has run yet */
    const struct hs_program *program; /* that it runs; NULL: several, in pieces */
  } ran[HS_NETWORKS_MAX];
  double now_s;                   /* simulated: when the last task ended, and then when the run was over */
  struct hs_progress progress;
  struct hs_outcome *outcomes;    /* only where the run is checked */
  int n_outcomes, cap_outcomes;
  struct hs_timeline timeline;
  struct hs_trace chrome;         /* into trace */
  struct hs_output trace, gantt, curves, result; /* opened before the engine runs: a bad name is told early */
};

static bool several(const struct run *r) { return r->setup.n_networks > 1; }

static void note_program(struct run *r, const struct hs_event *e, int network)
{
  if (r->ran[network].request < 0) {
    r->ran[network].request = e->request;
    r->ran[network].program = e->program;
  } else if (r->ran[network].request == e->request && r->ran[network].program != e->program)
    r->ran[network].program = NULL;
}

/* What the first request of a network ran, if that was one program; what was planned where none came to run. */
static const struct hs_program *program_of(const struct run *r, int network, const struct hs_program *planned)
{
  const struct hs_program *p = r->ran[network].program;
  if (r->ran[network].request < 0) return planned;
  return p && p->from_op == 0 && p->to_op == p->graph->n_ops ? p : NULL;
}

static void on_task(void *state, const struct hs_event *e, int network)
{
  struct run *r = state;
  hs_metrics_task(&r->metrics, e);
  if (several(r)) hs_metrics_task(&r->of_networks[network], e);
  note_program(r, e, network);
  if (r->cli->check || e->request == r->ran[0].request) hs_timeline_add(&r->timeline, e);
  if (r->trace.stream) hs_trace_event(&r->chrome, e, network, r->setup.networks[network].label);
  r->now_s = e->end_s;
  hs_progress_at(&r->progress, r->now_s, r->metrics.n_requests);
}

static void on_ended(void *state, const struct hs_outcome *o)
{
  struct run *r = state;
  hs_metrics_ended(&r->metrics, o);
  if (several(r)) hs_metrics_ended(&r->of_networks[o->network], o);
  if (!r->cli->check) return;
  HS_GROW(r->outcomes, r->n_outcomes, r->cap_outcomes);
  r->outcomes[r->n_outcomes++] = *o;
}

static void on_over(void *state, double now_s)
{
  struct run *r = state;
  r->now_s = fmax(r->now_s, now_s);
}

/* --objective is refused in its own words; an unknown policy is told later. */
static enum hs_status check_objective(const struct hs_cli *c, const char *name, struct hs_error *err)
{
  char plain[60];
  snprintf(plain, sizeof plain, "%.*s", (int)strcspn(name, ":"), name);
  const struct hs_policy *policy = hs_policy_find(plain);
  if (!*c->objective || !policy) return HS_OK;
  for (int i = 0; i < policy->n_params; i++)
    if (strcmp(policy->params[i].name, "objective") == 0) return HS_OK;
  return hs_fail(err, HS_USAGE, "--objective: policy %s%s has no objective to choose (it has no parameter of that name)", policy->name,
                 c->policy ? "" : ", which is the first network's,");
}

/* Where every network names a policy of its own, the first one's decides what --policy would: whose runtime and parameters. */
static enum hs_status choose_policy(const struct hs_cli *c, const char **name, struct hs_error *err)
{
  const char *without = NULL;
  for (int i = 0; i < c->n_words && !without; i++)
    if (!hs_model_word_policy(c->words[i])) without = c->words[i];
  *name = c->policy ? c->policy : c->n_words && !without ? hs_model_word_policy(c->words[0]) : NULL;
  if (*name) return HS_OK;
  if (c->n_words > 1 && without != c->words[0]) return hs_fail(err, HS_USAGE, "--policy is missing, and \"%.80s\" names none", without);
  return hs_cli_missing(c, "--policy", err);
}

static enum hs_status prepare(struct run *r, struct hs_error *err)
{
  const struct hs_cli *c = r->cli;
  struct hs_run_options options = hs_cli_run_options(c);
  if (!c->soc) return hs_cli_missing(c, "--soc", err);
  HS_TRY(choose_policy(c, &options.policy, err));
  if (c->n_words == 0) return hs_fail(err, HS_USAGE, "MODEL is missing");
  HS_TRY(check_objective(c, options.policy, err));
  HS_TRY(hs_setup_make(&r->setup, &options, err));
  HS_TRY(hs_setup_lasts(&r->setup, c->duration_s, err));
  for (int i = 0; i < r->setup.n_networks; i++)
    if (!c->noise || hs_noise_possible(&r->setup.networks[i].sys)) return HS_OK;
  return hs_fail(err, HS_USAGE, "--noise: nothing is known of how durations scatter on %s with runtime %s", r->setup.soc->name, r->setup.sys.runtime->name);
}

/* Run number 1 is the one of the report. */
static enum hs_status simulate(struct run *r, int number, struct hs_error *err)
{
  if (r->cli->noise) r->noise = hs_noise_new(&r->setup.sys, r->setup.networks, r->cli->seed, number);
  r->living = hs_setup_living(&r->setup);
  const struct hs_serve_calls calls = {r, on_task, on_ended, &hs_interrupted, r->living, r->noise, on_over};
  int n = r->setup.n_networks;
  for (int i = 0; i < n; i++) r->ran[i].request = -1;
  hs_metrics_start(&r->metrics, &r->setup.sys);
  r->of_networks = several(r) ? hs_realloc(NULL, (size_t)n, sizeof *r->of_networks) : &r->metrics;
  for (int i = 0; i < n && several(r); i++) hs_metrics_start(&r->of_networks[i], &r->setup.sys);
  if (r->trace.stream) hs_trace_begin(&r->chrome, r->trace.stream, &r->setup.sys);
  hs_interrupt_catch();
  if (number == 1) hs_progress_start(&r->progress);
  enum hs_status status = hs_serve(&r->setup.sys, r->setup.networks, n, r->cli->inferences, r->cli->duration_s, &calls, r->unfinished, err);
  r->stopped = hs_interrupted || status == HS_UNMET;
  r->metrics.run_s = r->cli->duration_s > 0 && !r->stopped ? r->cli->duration_s : fmax(r->now_s, r->metrics.end_s);
  for (int i = 0; i < n; i++) r->of_networks[i].run_s = r->metrics.run_s;
  return status;
}

static enum hs_status check(struct run *r, struct hs_error *err)
{
  const struct hs_checked_run run = {&r->setup.sys, r->setup.n_networks, r->setup.networks, &r->timeline, r->n_outcomes, r->outcomes,
                                     r->unfinished, &r->metrics, r->of_networks, r->setup.scenario.living ? &r->setup.scenario : NULL, r->noise != NULL};
  return r->cli->check ? hs_check_run(&run, err) : HS_OK;
}

/* --- several runs, where durations scatter --- */

/* In a child, on a copy of what the first run begins with; the trace is of that alone. */
static enum hs_status run_other(const void *state, int number, struct hs_noise_sample *sample, bool *stopped, struct hs_error *err)
{
  struct run *r = hs_realloc(NULL, 1, sizeof *r);
  *r = *(const struct run *)state;
  r->trace.stream = NULL;
  HS_TRY(simulate(r, number, err));
  HS_TRY(check(r, err));
  *stopped = r->stopped;
  for (int i = 0; i < r->setup.n_networks; i++) {
    struct hs_summary s;
    hs_metrics_summary(&r->of_networks[i], &s);
    hs_noise_sample_take(sample, i, r->of_networks[i].n_requests, &s);
  }
  return HS_OK;
}

/* After Ctrl-C, or if one of them can't go on (HS_UNMET), the first run is still made: the report is of it. */
static enum hs_status run_others(struct run *r, struct hs_error *err)
{
  r->others = (struct hs_noise_runs){.n = r->cli->noise, .run = run_other, .state = r, .progress = &r->progress};
  return hs_noise_runs_make(&r->others, err);
}

static void spread_runs(struct run *r, const struct hs_network_report *networks)
{
  struct hs_noise_sample first;
  for (int i = 0; i < r->setup.n_networks; i++) hs_noise_sample_take(&first, i, networks[i].metrics->n_requests, networks[i].summary);
  r->scatter.n_sources = hs_noise_sources(r->noise, r->scatter.sources);
  hs_noise_runs_spread(&r->others, r->stopped ? NULL : &first, r->setup.n_networks, &r->scatter);
}

/* --- the report --- */

/* Curves are drawn of what else happens on the phone: without that nothing changes over time. */
static enum hs_status check_curves(const struct run *r, struct hs_error *err)
{
  if (!r->cli->curves || r->setup.scenario.living) return HS_OK;
  if (r->cli->scenario.file)
    return hs_fail(err, HS_USAGE, "--curves: in scenario %.80s nothing else happens, so nothing changes over time", r->setup.scenario.name);
  return hs_fail(err, HS_USAGE, "--curves: nothing changes without a scenario (--scenario, --governor, --temperature, --rivals, --ui)");
}

static enum hs_status open_outputs(struct run *r, struct hs_error *err)
{
  if (r->cli->timeline) HS_TRY(hs_output_open(&r->trace, "timeline", r->cli->timeline, err));
  if (r->cli->gantt) HS_TRY(hs_output_open(&r->gantt, "gantt", r->cli->gantt, err));
  HS_TRY(check_curves(r, err));
  if (r->cli->curves) HS_TRY(hs_output_open(&r->curves, "curves", r->cli->curves, err));
  return hs_output_open(&r->result, "output", r->cli->output ? r->cli->output : "-", err);
}

static void write_reports(struct run *r, const struct hs_report *rep)
{
  static void (*const reports[HS_FORMAT_N])(const struct hs_report *, struct hs_text *) = {hs_report_text, hs_report_json, hs_report_csv};
  struct hs_text result = {0}, gantt = {0}, curves = {0};
  if (r->trace.stream) hs_trace_end(&r->chrome);
  if (r->gantt.stream) {
    hs_gantt_svg(rep, &gantt);
    fwrite(gantt.s, 1, gantt.len, r->gantt.stream);
  }
  if (r->curves.stream) {
    hs_curves_svg(rep, &curves);
    fwrite(curves.s, 1, curves.len, r->curves.stream);
  }
  reports[r->cli->format](rep, &result);
  fwrite(result.s, 1, result.len, r->result.stream);
  hs_text_free(&result);
  hs_text_free(&gantt);
  hs_text_free(&curves);
}

/* A scheduler may take another alternative than the one that its policy was asked the duration of. */
static struct hs_network_report network_report(struct run *r, int i, const struct hs_summary *summary)
{
  const struct hs_network *n = &r->setup.networks[i];
  const struct hs_placement *pl = n->plan.alternatives[0];
  const struct hs_program *planned = pl->partial ? NULL : hs_pieces_get(n->pieces, 0, 0, pl->n_ops, NULL);
  const struct hs_program *program = program_of(r, i, planned);
  return (struct hs_network_report){n, &r->of_networks[i], summary, program, program == planned ? n->estimate_s : 0, r->unfinished[i]};
}

/* `stopped`: why the run was broken off; NULL: it wasn't. */
static enum hs_status report(struct run *r, const char *stopped, struct hs_error *err)
{
  const struct hs_setup *s = &r->setup;
  struct hs_summary all, each[HS_NETWORKS_MAX];
  struct hs_network_report networks[HS_NETWORKS_MAX];
  hs_metrics_summary(&r->metrics, &all);
  for (int i = 0; i < s->n_networks; i++) {
    hs_metrics_summary(&r->of_networks[i], &each[i]);
    networks[i] = network_report(r, i, &each[i]);
  }
  HS_TRY(hs_setup_memory(&r->setup, networks[0].program, err));
  if (r->noise) spread_runs(r, networks);
  const struct hs_program *ran = networks[0].program;
  struct hs_text command = {0};
  hs_cli_command(r->cli, &command);
  const struct hs_report rep = {.sys = &s->sys, .soc_file = r->cli->soc, .command = command.s, .graph = s->graph, .program = ran,
                                .separate_bytes = ran ? hs_separate_bytes(&s->sys, ran->graph, ran->placement) : 0,
                                .metrics = &r->metrics, .summary = &each[0], .n_networks = s->n_networks, .networks = networks, .stopped = stopped,
                                .first = r->ran[0].request, .fingerprint = all.fingerprint, .power_w = all.power_w, .timeline = &r->timeline,
                                .opt = &s->opt, .memory = &s->memory, .inferences = r->cli->inferences, .duration_s = r->cli->duration_s,
                                .seed = r->cli->seed, .living = r->living, .scenario = &s->scenario, .scenario_options = &r->cli->scenario,
                                .precision = r->cli->precision, .memory_type = r->cli->memory_type, .threads = r->cli->threads,
                                .profiler = r->cli->profiler, .noise = r->noise ? &r->scatter : NULL};
  write_reports(r, &rep);
  hs_text_free(&command);
  return hs_output_publish_all((struct hs_output *[]){&r->trace, &r->gantt, &r->curves, &r->result}, 4, err);
}

/* Where the device shut down or a network starves (HS_UNMET), what ran until then is reported as after Ctrl-C. */
static enum hs_status conclude(struct run *r, enum hs_status simulated, struct hs_error *err)
{
  if (simulated && simulated != HS_UNMET) return simulated;
  const struct hs_error why = *err;
  HS_TRY(check(r, err));
  HS_TRY(report(r, simulated ? why.text : r->stopped ? "interrupted" : NULL, err));
  *err = why;
  return simulated && r->noise ? hs_fail(err, simulated, "run 1 of %d: %s", r->cli->noise, why.text) : simulated;
}

enum hs_status hs_cmd_run(const struct hs_cli *cli, struct hs_error *err)
{
  struct run *r = hs_realloc(NULL, 1, sizeof *r);
  memset(r, 0, sizeof *r);
  r->cli = cli;
  struct hs_error why;
  enum hs_status others = HS_OK, status = prepare(r, err);
  if (!status) status = open_outputs(r, err);
  if (!status && cli->noise) others = run_others(r, &why);
  if (!status && (!others || others == HS_UNMET)) status = conclude(r, simulate(r, 1, err), err);
  if (!status && others) {
    status = others;
    *err = why;
  }
  hs_output_discard(&r->trace);
  hs_output_discard(&r->gantt);
  hs_output_discard(&r->curves);
  hs_output_discard(&r->result);
  hs_trace_free(&r->chrome);
  hs_timeline_free(&r->timeline);
  hs_metrics_free(&r->metrics);
  for (int i = 0; i < r->setup.n_networks && r->of_networks && several(r); i++) hs_metrics_free(&r->of_networks[i]);
  if (several(r)) free(r->of_networks);
  free(r->outcomes);
  hs_living_close(r->living);
  hs_noise_free(r->noise);
  hs_noise_runs_free(&r->others);
  hs_setup_free(&r->setup);
  free(r);
  return status;
}
