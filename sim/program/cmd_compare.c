/* SPDX-License-Identifier: GPL-3.0-or-later */
/* hetsim compare: every policy on one network and SoC, side by side. Each runs in a child of its own, because the engine
 * allows one run per process; a policy that can't run is a row with its reason, not an end. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "out/metrics.h"
#include "program/cli.h"
#include "program/setup.h"

/* What a child tells its parent. */
struct outcome {
  enum hs_status status;
  char reason[300];
  char runtime[20], plan[100];
  struct hs_summary summary;
  double busy_frac[HS_KIND_N]; /* highest of the kind's processors */
};

static void on_task(void *state, const struct hs_event *e, int network)
{
  (void)network;
  hs_metrics_task(state, e);
}

static void on_ended(void *state, const struct hs_outcome *o) { hs_metrics_ended(state, o); }

/* "24 gpu, 3 cut cpu+gpu, 2 cpu": how many operators went where. */
static void plan_text(const struct hs_setup *s, char *buf, size_t size)
{
  size_t n = 0;
  int cut = 0;
  buf[0] = 0;
  for (int i = 0; i < s->graph->n_ops; i++) cut += s->placement->ops[i].n_parts > 1;
  if (cut) n += (size_t)snprintf(buf, size, "%d cut", cut);
  for (int p = 0; p < s->soc->n_processors && n < size; p++) {
    int whole = 0;
    for (int i = 0; i < s->graph->n_ops; i++) whole += s->placement->ops[i].n_parts == 1 && s->placement->ops[i].parts[0].processor == p;
    if (whole) n += (size_t)snprintf(buf + n, size - n, "%s%d %s", n ? ", " : "", whole, s->soc->processors[p].name);
  }
}

static enum hs_status simulate(const struct hs_request *req, struct outcome *o, struct hs_error *err)
{
  static struct hs_setup s;
  static struct hs_metrics m;
  const struct hs_serve_calls calls = {&m, on_task, on_ended, NULL};
  enum hs_status status = hs_setup_make(&s, req, err);
  if (status) return status;
  hs_metrics_start(&m, &s.sys);
  status = hs_serve(&s.sys, s.networks, 1, 1, &calls, NULL, err);
  if (status) return status;
  hs_metrics_summary(&m, &o->summary);
  snprintf(o->runtime, sizeof o->runtime, "%s", s.sys.runtime->name);
  plan_text(&s, o->plan, sizeof o->plan);
  for (int p = 0; p < s.soc->n_processors; p++) {
    double used = m.busy_s[p] / m.end_s, *most = &o->busy_frac[s.soc->processors[p].kind];
    if (used > *most) *most = used;
  }
  return HS_OK;
}

static enum hs_status in_child(const struct hs_request *req, struct outcome *o, struct hs_error *err)
{
  int ends[2], status;
  memset(o, 0, sizeof *o);
  if (pipe(ends) != 0) return hs_fail(err, HS_ENGINE, "can't make a pipe");
  fflush(NULL);
  pid_t child = fork();
  if (child < 0) return hs_fail(err, HS_ENGINE, "can't fork");
  if (child == 0) {
    struct hs_error reason = {0};
    o->status = simulate(req, o, &reason);
    snprintf(o->reason, sizeof o->reason, "%.299s", reason.text);
    _exit(write(ends[1], o, sizeof *o) != (ssize_t)sizeof *o);
  }
  close(ends[1]);
  bool whole = read(ends[0], o, sizeof *o) == (ssize_t)sizeof *o;
  close(ends[0]);
  waitpid(child, &status, 0);
  return whole ? HS_OK : hs_fail(err, HS_ENGINE, "the run of policy %s died", req->policy);
}

/* --- output --- */

static const char *si(double v, const char *unit)
{
  static char buf[4][32];
  static int next;
  next = (next + 1) % 4;
  return hs_si(v, unit, buf[next], sizeof buf[next]);
}

static void row_text(const char *policy, const struct outcome *o, struct hs_text *t)
{
  hs_text_column(t, policy, 12);
  if (o->status) {
    hs_text_addf(t, "%s\n", o->reason);
    return;
  }
  hs_text_column(t, o->runtime, 8);
  hs_text_column(t, si(o->summary.latency_s, "s"), 10);
  hs_text_column(t, si(o->summary.energy_j, "J"), 10);
  hs_text_addf(t, "%5.1f %%  ", 100 * o->summary.communication_s / o->summary.latency_s);
  for (int k = 0; k < HS_KIND_N; k++) hs_text_addf(t, "%4.0f", 100 * o->busy_frac[k]);
  hs_text_addf(t, "   %s\n", o->plan);
}

static void row_json(const char *policy, const struct outcome *o, bool first, struct hs_text *t)
{
  hs_text_add(t, first ? "\n  {\"policy\": " : ",\n  {\"policy\": ");
  hs_text_string(t, policy);
  if (o->status) {
    hs_text_add(t, ", \"error\": ");
    hs_text_string(t, o->reason);
    hs_text_add(t, "}");
    return;
  }
  hs_text_addf(t, ", \"runtime\": \"%s\", \"plan\": \"%s\", \"latency_s\": ", o->runtime, o->plan);
  hs_text_number(t, o->summary.latency_s);
  hs_text_add(t, ", \"energy_j\": ");
  hs_text_number(t, o->summary.energy_j);
  hs_text_add(t, ", \"communication_s\": ");
  hs_text_number(t, o->summary.communication_s);
  for (int k = 0; k < HS_KIND_N; k++) {
    hs_text_addf(t, ", \"%s_utilization_frac\": ", hs_kind_names[k]);
    hs_text_number(t, o->busy_frac[k]);
  }
  hs_text_addf(t, ", \"fingerprint\": \"%s\"}", o->summary.fingerprint);
}

static enum hs_status compare(const struct hs_cli *cli, struct hs_text *t, struct hs_error *err)
{
  bool json = cli->format == HS_FORMAT_JSON;
  struct outcome o;
  int ran = 0;
  if (json)
    hs_text_add(t, "[");
  else
    hs_text_addf(t, "%s on %s\n\npolicy      runtime latency   energy    communic.  used %%: cpu gpu dsp npu   operators\n", cli->words[0], cli->soc);
  for (int i = 0; i < hs_n_policies; i++) {
    const struct hs_request req = {.soc = cli->soc, .policy = hs_policies[i]->name, .runtime = cli->runtime, .memory_type = cli->memory_type,
                                   .precision = cli->precision, .frequency = cli->frequency, .model = cli->words[0], .threads = cli->threads};
    enum hs_status status = in_child(&req, &o, err);
    if (status) return status;
    ran += o.status == HS_OK;
    if (json)
      row_json(hs_policies[i]->name, &o, i == 0, t);
    else
      row_text(hs_policies[i]->name, &o, t);
  }
  hs_text_add(t, json ? "\n]\n" : "");
  return ran ? HS_OK : hs_fail(err, o.status, "no policy can run this: %s", o.reason);
}

enum hs_status hs_cmd_compare(const struct hs_cli *cli, struct hs_error *err)
{
  struct hs_text t = {0};
  if (!cli->soc) return hs_fail(err, HS_USAGE, "--soc is missing");
  if (cli->n_words != 1) return hs_fail(err, HS_USAGE, cli->n_words ? "one MODEL at a time" : "MODEL is missing");
  enum hs_status status = compare(cli, &t, err);
  if (!status) status = hs_file_write(cli->output ? cli->output : "-", &t, err);
  hs_text_free(&t);
  return status;
}
