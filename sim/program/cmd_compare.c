/* SPDX-License-Identifier: GPL-3.0-or-later */
/* hetsim compare: policies on one network and SoC, side by side: one request each, on the idle device or in a scenario. Each runs in a child of
 * its own, because the engine allows one run per process; a policy that can't run is a row with its reason, not an end. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/files.h"
#include "base/json_put.h"
#include "out/chart_bars.h"
#include "out/table.h"
#include "program/child.h"
#include "program/cli.h"
#include "program/once.h"

/* What a child tells its parent. */
struct outcome {
  enum hs_status status;
  bool alive, begins_slow, rivals; /* on a living phone; by a governor that has seen no load yet; beside processes on cores */
  char reason[600];
  char runtime[20];
  struct hs_summary summary;
  double kernel_s, communication_alone_s; /* as in struct hs_once */
  int precision[HS_PROCESSORS_MAX]; /* enum hs_precision of its kernels; -1: it ran none */
  bool cores_set[HS_PROCESSORS_MAX]; /* by --cores */
  double arena_bytes; /* 0: not planned */
  char plan[20000]; /* a network has at most 10000 operators, and pieces are told in stretches */
};

enum { ROWS_MAX = 64 };

struct row {
  const struct hs_policy *policy;
  const char *label;                 /* as the user names it: "codl", "codl:chain=none" */
  const char *values[HS_PARAMS_MAX]; /* of all its parameters */
  struct outcome o;
};

struct comparison {
  const struct hs_cli *cli;
  struct hs_catalog catalog;
  struct hs_soc *soc;
  struct hs_graph *graph;
  bool alive, begins_slow, rivals; /* a scenario, or an option of one, was asked for; one with governors that sample; with processes on cores */
  int n;
  struct row rows[ROWS_MAX];
  struct hs_arena arena; /* what the rows' labels and values point into */
};

/* --- one policy --- */

static void find_kernels(const struct hs_once *once, struct outcome *o)
{
  for (int p = 0; p < HS_PROCESSORS_MAX; p++) o->precision[p] = -1;
  for (int p = 0; p < once->setup.soc->n_processors; p++) o->cores_set[p] = once->setup.sys.backends[p].cores_list;
  for (int i = 0; i < once->timeline.n; i++) {
    const struct hs_event *e = &once->timeline.events[i];
    const struct hs_task *task = &e->program->tasks[e->task];
    if (task->kind == HS_TASK_EXEC) o->precision[task->processor] = (int)e->program->sys->backends[task->processor].precision;
  }
}

static enum hs_status simulate(const struct hs_request *req, struct outcome *o, struct hs_error *err)
{
  static struct hs_once once; /* the child ends with it */
  struct hs_text plan = {0};
  HS_TRY(hs_once_run(&once, req, err));
  hs_ran_text(once.setup.soc, &once.setup.networks[0], once.pieces, once.n_pieces, &plan);
  snprintf(o->plan, sizeof o->plan, "%s", plan.s ? plan.s : "");
  snprintf(o->runtime, sizeof o->runtime, "%s", once.setup.sys.runtime->name);
  o->alive = once.setup.scenario.living;
  o->begins_slow = hs_scenario_begins_slow(&once.setup.scenario, once.setup.soc);
  o->rivals = hs_scenario_takes_cores(&once.setup.scenario);
  o->summary = once.summary;
  o->kernel_s = once.kernel_s;
  o->communication_alone_s = once.communication_alone_s;
  o->arena_bytes = once.setup.memory.arena_bytes;
  find_kernels(&once, o);
  hs_text_free(&plan);
  return HS_OK;
}

static void child(const void *request, void *outcome)
{
  struct hs_error reason = {0};
  struct outcome *o = outcome;
  o->status = simulate(request, o, &reason);
  if (o->status) hs_error_message(&reason, o->reason, sizeof o->reason);
}

/* --- which policies --- */

static bool same(const struct row *a, const struct row *b)
{
  if (a->policy != b->policy) return false;
  for (int i = 0; i < a->policy->n_params; i++)
    if (strcmp(a->values[i], b->values[i]) != 0) return false;
  return true;
}

static enum hs_status add_row(struct comparison *c, const char *label, struct hs_error *err)
{
  struct row *row = &c->rows[c->n];
  if (c->n == ROWS_MAX) return hs_fail(err, HS_USAGE, "--policies: more than %d", ROWS_MAX);
  row->label = label;
  HS_TRY(hs_setup_choose(&c->arena, label, NULL, 0, &row->policy, row->values, err));
  for (int i = 0; i < c->n; i++)
    if (same(&c->rows[i], row)) return hs_fail(err, HS_USAGE, "--policies: %.60s is named twice", label);
  c->n++;
  return HS_OK;
}

/* Names between commas, each with its parameters; all policies where the user names none. */
static enum hs_status choose(struct comparison *c, struct hs_error *err)
{
  const char *list = c->cli->policies;
  for (int i = 0; i < hs_n_policies && !list; i++) HS_TRY(add_row(c, hs_policies[i]->name, err));
  if (!list) return HS_OK;
  char *next = hs_arena_printf(&c->arena, "%s", list);
  for (char *label; (label = strsep(&next, ","));) {
    if (!*label || *label == ':') return hs_fail(err, HS_USAGE, "--policies: \"%.60s\" has an empty name; write NAME or NAME,NAME", list);
    HS_TRY(add_row(c, label, err));
  }
  return HS_OK;
}

/* What no policy can do anything about is told before any is asked. */
static enum hs_status prepare(struct comparison *c, struct hs_error *err)
{
  if (!c->cli->soc) return hs_fail(err, HS_USAGE, "--soc is missing");
  struct hs_optimisations opt;
  HS_TRY(hs_optimisations_parse(c->cli->opt, &opt, err));
  if (c->cli->n_words != 1) return hs_fail(err, HS_USAGE, c->cli->n_words ? "one MODEL at a time" : "MODEL is missing");
  if (*hs_setup_end_of_model(c->cli->words[0]))
    return hs_fail(err, HS_USAGE, "%.80s: a rate, deadline, priority or policy of its own goes with hetsim run only", c->cli->words[0]);
  HS_TRY(choose(c, err));
  HS_TRY(hs_catalog_open(&c->catalog, err));
  HS_TRY(hs_catalog_soc(&c->catalog, c->cli->soc, &c->soc, err));
  return hs_catalog_workload(&c->catalog, c->cli->words[0], &c->graph, err);
}

static enum hs_status run_all(struct comparison *c, struct hs_error *err)
{
  struct hs_request requests[ROWS_MAX];
  struct hs_child children[ROWS_MAX];
  bool ran = false;
  for (int i = 0; i < c->n; i++) {
    struct row *row = &c->rows[i];
    requests[i] = hs_cli_request(c->cli);
    requests[i].policy = row->label;
    children[i] = (struct hs_child){&requests[i], &row->o, sizeof row->o, false};
  }
  HS_TRY(hs_in_children(child, c->n, children, NULL, NULL, err));
  for (int i = 0; i < c->n; i++) {
    HS_TRY(hs_child_lived(&children[i], err));
    ran |= c->rows[i].o.status == HS_OK;
    c->alive |= c->rows[i].o.alive;
    c->begins_slow |= c->rows[i].o.begins_slow;
    c->rivals |= c->rows[i].o.rivals;
  }
  const struct outcome *last = &c->rows[c->n - 1].o;
  return ran ? HS_OK : hs_fail(err, last->status, "no policy can run this: %s", last->reason);
}

/* --- output --- */

/* "int8+fp16": those of all kernels, each once, by processor. */
static const char *precisions(const struct comparison *c, const struct outcome *o, char *buf, size_t size)
{
  size_t n = 0;
  *buf = 0;
  for (int p = 0; p < c->soc->n_processors; p++) {
    bool said = o->precision[p] < 0;
    for (int k = 0; k < p; k++) said |= o->precision[k] == o->precision[p];
    if (!said) n += (size_t)snprintf(buf + n, size - n, "%s%s", n ? "+" : "", hs_precision_names[o->precision[p]]);
  }
  return buf;
}

/* Whether --opt=memplan laid tensors into an arena. */
static bool planned(const struct comparison *c)
{
  for (int i = 0; i < c->n; i++)
    if (c->rows[i].o.arena_bytes > 0) return true;
  return false;
}

static void row_text(const struct comparison *c, const struct row *r, struct hs_table *t)
{
  char buf[40];
  hs_table_add(t, "%s", r->label);
  if (r->o.status) {
    hs_table_rest(t, r->o.reason);
    return;
  }
  hs_table_add(t, "%s", r->o.runtime);
  hs_table_add(t, "%s", precisions(c, &r->o, buf, sizeof buf));
  hs_table_add(t, "%s", hs_si_tmp(r->o.summary.latency_s, "s"));
  hs_table_add(t, "%s", hs_si_tmp(r->o.summary.energy_j, "J"));
  hs_table_add(t, "%.1f %%", 100 * r->o.summary.communication_frac);
  for (int p = 0; p < c->soc->n_processors; p++) hs_table_add(t, "%.0f %%", 100 * r->o.summary.busy_s[p] / r->o.summary.latency_s);
  if (planned(c)) hs_table_add(t, "%s", hs_si_tmp(r->o.arena_bytes, "B"));
  hs_table_add(t, "%s", r->o.plan);
}

/* What was set of a processor on which some rows ran no kernel. */
static void no_effect(const struct comparison *c, const char *option, int processor, struct hs_text *t)
{
  int n = 0;
  for (int i = 0; i < c->n; i++) {
    const struct row *r = &c->rows[i];
    if (!r->o.status && r->o.precision[processor] < 0) hs_text_addf(t, "%s%s", n++ ? ", " : "\n", r->label);
  }
  if (n) hs_text_addf(t, ": --%s has no effect: no kernel ran on the %s\n", option, c->soc->processors[processor].name);
}

static void limits(const struct comparison *c, struct hs_text *t)
{
  for (int p = 0; p < c->soc->n_processors; p++) {
    bool cores = false, gpu = c->soc->processors[p].kind == HS_GPU;
    for (int i = 0; i < c->n; i++) cores |= c->rows[i].o.cores_set[p];
    if (cores) no_effect(c, "cores", p, t);
    if (gpu && c->cli->gpu_kernel_s > 0) no_effect(c, "gpu-kernel-time", p, t);
    if (gpu && c->cli->gpu_window) no_effect(c, "gpu-window", p, t);
  }
}

static void text(const struct comparison *c, struct hs_text *t)
{
  static const char *const left[] = {"policy", "runtime", "precision", "latency", "energy", "communic."};
  enum { N_LEFT = sizeof left / sizeof *left };
  struct hs_table table = {.n_columns = N_LEFT + c->soc->n_processors + planned(c) + 1};
  for (int i = 0; i < N_LEFT; i++) hs_table_add(&table, "%s", left[i]);
  for (int p = 0; p < c->soc->n_processors; p++) hs_table_add(&table, "%s", c->soc->processors[p].name);
  if (planned(c)) hs_table_add(&table, "arena");
  hs_table_add(&table, "plan");
  for (int i = 3; i + 1 < table.n_columns; i++) table.right[i] = true;
  for (int i = 0; i < c->n; i++) row_text(c, &c->rows[i], &table);
  hs_text_addf(t, "%s on %s (%s): one inference%s\n", c->graph->name, c->soc->name, c->soc->title,
               c->alive ? " on the living phone" : " on the idle device");
  if (c->cli->opt) hs_text_addf(t, "optimised by %s\n", c->cli->opt);
  hs_text_addf(t, "communic.: share of all task time; of each processor: the part of the latency that it works%s\n\n",
               planned(c) ? "; arena: for all tensors but weights" : "");
  hs_table_print(&table, t);
  hs_table_free(&table);
  limits(c, t);
  if (c->begins_slow)
    hs_text_add(t, "\nGovernors' clocks begin at the lowest OPP, as after idling: later inferences take less time (hetsim run, --inferences=N).\n");
  if (c->rivals)
    hs_text_add(t, "\nThreads that have slept go before processes for some milliseconds: inferences that follow at once may take longer (hetsim run, --inferences=N).\n");
}

static void row_json(const struct comparison *c, const struct row *r, struct hs_text *t)
{
  const struct hs_summary *s = &r->o.summary;
  hs_put_line(t, 2);
  hs_put_open(t, NULL, '{');
  hs_put_string(t, "policy", r->policy->name);
  hs_put_open(t, "params", '{');
  for (int i = 0; i < r->policy->n_params; i++) hs_put_string(t, r->policy->params[i].name, r->values[i]);
  hs_put_close(t, '}');
  hs_put_line(t, 3);
  if (r->o.status) {
    hs_put_string(t, "error", r->o.reason);
    hs_put_close(t, '}');
    return;
  }
  hs_put_string(t, "runtime", r->o.runtime);
  hs_put_string(t, "plan", r->o.plan);
  hs_put_number(t, "latency_s", s->latency_s);
  hs_put_number(t, "energy_j", s->energy_j);
  hs_put_number(t, "communication_s", s->communication_s);
  hs_put_number(t, "communication_frac", s->communication_frac);
  hs_put_number(t, "kernel_covered_s", r->o.kernel_s);
  hs_put_number(t, "communication_alone_s", r->o.communication_alone_s);
  if (r->o.arena_bytes > 0) hs_put_number(t, "arena_bytes", r->o.arena_bytes);
  hs_put_line(t, 3);
  hs_put_open(t, "processors", '[');
  for (int p = 0; p < c->soc->n_processors; p++) {
    if (p) hs_put_line(t, 18);
    hs_put_open(t, NULL, '{');
    hs_put_string(t, "name", c->soc->processors[p].name);
    hs_put_string(t, "kind", hs_kind_names[c->soc->processors[p].kind]);
    if (r->o.precision[p] >= 0) hs_put_string(t, "precision", hs_precision_names[r->o.precision[p]]);
    hs_put_number(t, "busy_s", r->o.summary.busy_s[p]);
    hs_put_number(t, "utilization_frac", r->o.summary.busy_s[p] / s->latency_s);
    hs_put_number(t, "energy_j", r->o.summary.processor_j[p]);
    hs_put_close(t, '}');
  }
  hs_put_close(t, ']');
  hs_put_line(t, 3);
  hs_put_string(t, "fingerprint", s->fingerprint);
  hs_put_close(t, '}');
}

static void json(const struct comparison *c, struct hs_text *t)
{
  hs_put_open(t, NULL, '[');
  for (int i = 0; i < c->n; i++) row_json(c, &c->rows[i], t);
  hs_put_line(t, 0);
  hs_put_close(t, ']');
  hs_put_line(t, 0);
}

static void chart(const struct comparison *c, struct hs_text *t)
{
  struct hs_bar bars[ROWS_MAX];
  struct hs_text command = {0};
  char ran_in[ROWS_MAX][70], buf[40];
  for (int i = 0; i < c->n; i++) {
    const struct outcome *o = &c->rows[i].o;
    if (!o->status) snprintf(ran_in[i], sizeof ran_in[i], "%s, %s", o->runtime, precisions(c, o, buf, sizeof buf));
    bars[i] = (struct hs_bar){c->rows[i].label, ran_in[i], o->status ? o->reason : NULL, o->summary.latency_s,
                              o->kernel_s, o->communication_alone_s, o->summary.energy_j};
  }
  hs_text_add(&command, "compare ");
  hs_cli_command(c->cli, &command);
  const struct hs_bars all = {c->soc->name, c->soc->title, c->graph->name, command.s, c->n, bars};
  hs_bars_svg(&all, t);
  hs_text_free(&command);
}

/* All files or none. */
static enum hs_status write_both(const struct comparison *c, struct hs_output *result, struct hs_output *svg, struct hs_error *err)
{
  struct hs_text table = {0}, drawing = {0};
  (c->cli->format == HS_FORMAT_JSON ? json : text)(c, &table);
  fwrite(table.s, 1, table.len, result->stream);
  if (svg->stream) {
    chart(c, &drawing);
    fwrite(drawing.s, 1, drawing.len, svg->stream);
  }
  hs_text_free(&table);
  hs_text_free(&drawing);
  return hs_output_publish_all((struct hs_output *[]){svg, result}, 2, err);
}

enum hs_status hs_cmd_compare(const struct hs_cli *cli, struct hs_error *err)
{
  struct comparison *c = hs_realloc(NULL, 1, sizeof *c);
  struct hs_output result = {0}, svg = {0};
  memset(c, 0, sizeof *c);
  c->cli = cli;
  enum hs_status status = prepare(c, err);
  if (!status) status = run_all(c, err);
  if (!status && cli->svg) status = hs_output_open(&svg, cli->svg, err);
  if (!status) status = hs_output_open(&result, cli->output ? cli->output : "-", err);
  if (!status) status = write_both(c, &result, &svg, err);
  hs_output_discard(&result);
  hs_output_discard(&svg);
  hs_graph_free(c->graph);
  hs_soc_free(c->soc);
  hs_catalog_close(&c->catalog);
  hs_arena_free(&c->arena);
  free(c);
  return status;
}
