/* SPDX-License-Identifier: GPL-3.0-or-later */
/* hetsim run: one policy, one network, one SoC. */
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "engine/engine.h"
#include "input/json_in.h"
#include "out/check.h"
#include "out/report.h"
#include "program/cli.h"
#include "program/setup.h"

struct run {
  const struct hs_cli *cli;
  struct hs_setup setup;
  struct hs_metrics metrics;
  struct hs_timeline timeline;
  struct hs_output trace, gantt, result; /* opened before the engine runs: a bad name is told early */
};

static volatile sig_atomic_t interrupted;
static void on_interrupt(int sig)
{
  (void)sig;
  interrupted = 1;
}

static bool next_request(void *state, int request, double now_s, const struct hs_program **program)
{
  const struct run *r = state;
  (void)now_s;
  *program = r->setup.program;
  return request < r->cli->inferences;
}

static void on_task(void *state, const struct hs_event *e)
{
  struct run *r = state;
  hs_metrics_task(&r->metrics, e);
  hs_timeline_add(&r->timeline, e);
  if (r->trace.stream) hs_trace_event(r->trace.stream, &r->setup.sys, r->setup.graph, e);
}

static void on_done(void *state, int request, double start_s, double end_s)
{
  struct run *r = state;
  (void)request;
  hs_metrics_done(&r->metrics, start_s, end_s);
}

static enum hs_status prepare(struct run *r, struct hs_error *err)
{
  const struct hs_cli *c = r->cli;
  if (!c->soc) return hs_fail(err, HS_USAGE, "--soc is missing");
  if (!c->policy) return hs_fail(err, HS_USAGE, "--policy is missing");
  if (c->n_words != 1) return hs_fail(err, HS_USAGE, c->n_words ? "one MODEL at a time" : "MODEL is missing");
  const struct hs_request req = {c->soc, c->policy, c->runtime, c->memory_type, c->precision, c->frequency, c->words[0], c->threads, c->n_params, c->params};
  return hs_setup_make(&r->setup, &req, err);
}

static enum hs_status simulate(struct run *r, struct hs_error *err)
{
  const struct hs_engine_calls calls = {r, next_request, on_task, on_done, &interrupted, NULL};
  r->timeline.max_requests = r->cli->check ? -1 : 1;
  hs_metrics_start(&r->metrics, &r->setup.sys);
  if (r->trace.stream) hs_trace_begin(r->trace.stream, &r->setup.sys);
  signal(SIGINT, on_interrupt);
  return hs_engine_run(&r->setup.sys, &calls, err);
}

static enum hs_status check(struct run *r, struct hs_error *err)
{
  const struct hs_checked_run run = {&r->setup.sys, r->setup.graph, r->setup.placement, &r->timeline, &r->metrics};
  return r->cli->check ? hs_check_run(&run, err) : HS_OK;
}

static enum hs_status open_outputs(struct run *r, struct hs_error *err)
{
  if (r->cli->timeline) HS_TRY(hs_output_open(&r->trace, r->cli->timeline, err));
  if (r->cli->gantt) HS_TRY(hs_output_open(&r->gantt, r->cli->gantt, err));
  return hs_output_open(&r->result, r->cli->output ? r->cli->output : "-", err);
}

/* All files or none. */
static enum hs_status publish_outputs(struct run *r, struct hs_error *err)
{
  HS_TRY(hs_output_finish(&r->trace, err));
  HS_TRY(hs_output_finish(&r->gantt, err));
  HS_TRY(hs_output_finish(&r->result, err));
  HS_TRY(hs_output_publish(&r->trace, err));
  HS_TRY(hs_output_publish(&r->gantt, err));
  return hs_output_publish(&r->result, err);
}

static enum hs_status report(struct run *r, struct hs_error *err)
{
  static void (*const reports[HS_FORMAT_N])(const struct hs_report *, struct hs_text *) = {hs_report_text, hs_report_json, hs_report_csv};
  struct hs_summary summary;
  struct hs_text result = {0}, gantt = {0};
  const char *names[HS_PARAMS_MAX];
  for (int i = 0; i < r->setup.policy->n_params; i++) names[i] = r->setup.policy->params[i].name;
  hs_metrics_summary(&r->metrics, &summary);
  const struct hs_report rep = {&r->setup.sys, r->setup.graph, r->setup.policy->name, r->setup.program, &r->metrics, &summary,
                                &r->timeline, r->setup.own, r->setup.estimate, r->cli->inferences, r->cli->seed, r->setup.policy->n_params, names, r->setup.values};
  if (r->trace.stream) hs_trace_end(r->trace.stream);
  if (r->gantt.stream) {
    hs_gantt_svg(&rep, &gantt);
    fwrite(gantt.s, 1, gantt.len, r->gantt.stream);
  }
  reports[r->cli->format](&rep, &result);
  fwrite(result.s, 1, result.len, r->result.stream);
  hs_text_free(&result);
  hs_text_free(&gantt);
  return publish_outputs(r, err);
}

enum hs_status hs_cmd_run(const struct hs_cli *cli, struct hs_error *err)
{
  struct run *r = hs_realloc(NULL, 1, sizeof *r);
  memset(r, 0, sizeof *r);
  r->cli = cli;
  enum hs_status status = prepare(r, err);
  if (!status) status = open_outputs(r, err);
  if (!status) status = simulate(r, err);
  if (!status) status = check(r, err);
  if (!status) status = report(r, err);
  hs_output_discard(&r->trace);
  hs_output_discard(&r->gantt);
  hs_output_discard(&r->result);
  hs_timeline_free(&r->timeline);
  hs_metrics_free(&r->metrics);
  hs_setup_free(&r->setup);
  free(r);
  return status;
}
