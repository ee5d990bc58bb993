/* SPDX-License-Identifier: GPL-3.0-or-later */
/* hetsim compare: policies on one network and SoC, side by side, on the idle device or in a scenario. Each runs in a child of its own, because the
 * engine allows one run per process; a policy that can't run is a row with its reason, not an end. */
#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/files.h"
#include "out/report.h"
#include "program/child.h"
#include "program/compare_report.h"
#include "program/interrupt.h"
#include "program/lookup.h"
#include "program/model_word.h"
#include "program/progress.h"
#include "program/trial.h"

struct comparison {
  struct hs_catalog catalog;
  struct hs_soc *soc;
  struct hs_graph *graph;
  struct hs_comparison found; /* of these two */
  struct hs_arena arena;      /* what the rows' labels and values point into */
  int n_ended;
  struct hs_progress progress;
};

/* Of which a child has one. */
struct order {
  struct hs_run_options request;
  int inferences;
  double duration_s;
};

/* --- one policy --- */

static void take_device(const struct hs_trial *t, struct hs_compared *o)
{
  int n = 0;
  const struct hs_sample *samples = t->living ? hs_living_samples(t->living, &n) : NULL;
  bool heat = t->living && hs_living_thermal(t->living);
  if (t->living) o->frames = hs_living_frames(t->living);
  for (int p = 0; p < HS_PROCESSORS_MAX; p++) o->hottest_c[p] = o->end_c[p] = NAN;
  for (int p = 0; p < t->setup.soc->n_processors && heat; p++) {
    int node = hs_soc_node(t->setup.soc, p);
    o->hottest_c[p] = o->end_c[p] = hs_living_start(t->living)->temperature_c[node];
    for (int i = 0; i < n; i++) {
      o->end_c[p] = samples[i].temperature_c[node];
      o->hottest_c[p] = fmax(o->hottest_c[p], o->end_c[p]);
    }
  }
}

static void take_processors(const struct hs_trial *t, struct hs_compared *o)
{
  const struct hs_system *sys = &t->setup.networks[0].sys;
  for (int p = 0; p < HS_PROCESSORS_MAX; p++) o->precision[p] = -1;
  for (int p = 0; p < sys->soc->n_processors; p++) {
    if (t->metrics.computed[p]) o->precision[p] = (int)sys->backends[p].precision;
    o->basis[p] = sys->backends[p].basis;
    o->used_frac[p] = o->run_s > 0 ? t->metrics.all.busy_s[p] / o->run_s : 0;
    if (o->n_requests) continue;
    o->summary.busy_s[p] = t->metrics.all.busy_s[p]; /* as a run, which has no inference to tell it of */
    o->summary.processor_j[p] = t->metrics.all.energy_j[p];
  }
}

static void take_no_effect(const struct hs_trial *t, const struct hs_run_options *asked, struct hs_compared *o)
{
  const struct hs_network_report network = {.network = &t->setup.networks[0], .metrics = &t->metrics};
  const struct hs_report run = {.sys = &t->setup.sys, .metrics = &t->metrics, .n_networks = 1, .networks = &network, .scenario = &t->setup.scenario,
                                .scenario_options = &asked->scenario, .memory_type = asked->memory_type, .threads = asked->threads,
                                .profiler = asked->profiler};
  struct hs_text lines = {0};
  hs_report_no_effect(&run, &lines);
  assert(lines.len < sizeof o->no_effect);
  snprintf(o->no_effect, sizeof o->no_effect, "%s", lines.s ? lines.s : "");
  hs_text_free(&lines);
}

static void take(const struct hs_trial *t, const struct hs_run_options *asked, struct hs_compared *o)
{
  struct hs_text plan = {0};
  hs_ran_text(t->setup.soc, &t->setup.networks[0], t->pieces, t->n_pieces, &plan);
  size_t room = sizeof o->plan - sizeof "…";
  snprintf(o->plan, sizeof o->plan, "%.*s%s", (int)room, plan.s ? plan.s : "", plan.len > room ? "…" : "");
  hs_text_free(&plan);
  snprintf(o->runtime, sizeof o->runtime, "%s", t->setup.sys.runtime->name);
  o->alive = t->setup.scenario.living;
  o->begins_slow = hs_scenario_begins_slow(&t->setup.scenario, t->setup.soc);
  o->rivals = hs_scenario_takes_cores(&t->setup.scenario);
  o->summary = t->summary;
  o->n_requests = t->metrics.n_requests;
  o->n_late = t->metrics.n_late;
  o->n_dropped = t->metrics.n_dropped;
  o->unfinished = t->unfinished;
  o->deadline_s = t->setup.networks[0].deadline_s;
  o->run_s = hs_metrics_seconds(&t->metrics);
  o->kernel_s = t->kernel_s;
  o->communication_alone_s = t->communication_alone_s;
  o->arena_bytes = t->setup.memory.arena_bytes;
  take_processors(t, o);
  take_device(t, o);
  take_no_effect(t, asked, o);
}

static void child(const void *state, void *answer)
{
  static struct hs_trial trial; /* the child ends with it */
  const struct order *order = state;
  struct hs_error reason = {0};
  struct hs_compared *o = answer;
  hs_interrupt_let_go(); /* it has nothing to tell before its run */
  o->status = hs_trial_run(&trial, &order->request, order->inferences, order->duration_s, &reason);
  if (o->status) hs_error_message(&reason, o->reason, sizeof o->reason);
  o->ran = !o->status || (o->status == HS_UNMET && trial.ended);
  if (o->ran) take(&trial, &order->request, o);
}

/* --- which policies --- */

static bool same(const struct hs_compared_row *a, const struct hs_compared_row *b)
{
  if (a->policy != b->policy) return false;
  for (int i = 0; i < a->policy->n_params; i++)
    if (strcmp(a->values[i], b->values[i]) != 0) return false;
  return true;
}

static enum hs_status add_row(struct comparison *c, const char *label, struct hs_error *err)
{
  struct hs_compared_row *row = &c->found.rows[c->found.n];
  if (c->found.n == HS_COMPARED_MAX) return hs_fail(err, HS_USAGE, "--policies: more than %d", HS_COMPARED_MAX);
  row->label = label;
  HS_TRY(hs_lookup_policy_spec(&c->arena, label, NULL, 0, &row->policy, row->values, err));
  for (int i = 0; i < c->found.n; i++)
    if (same(&c->found.rows[i], row)) return hs_fail(err, HS_USAGE, "--policies: %.60s is named twice", label);
  c->found.n++;
  return HS_OK;
}

/* Names between commas, each with its parameters; all policies where the user names none. */
static enum hs_status choose(struct comparison *c, struct hs_error *err)
{
  const char *list = c->found.cli->policies;
  for (int i = 0; i < hs_n_policies && !list; i++) HS_TRY(add_row(c, hs_policies[i]->name, err));
  if (!list) return HS_OK;
  char *next = hs_arena_printf(&c->arena, "%s", list);
  for (char *label; (label = strsep(&next, ","));) {
    if (!*label || *label == ':') return hs_fail(err, HS_USAGE, "--policies: \"%.60s\" has an empty name; write NAME or NAME,NAME", list);
    HS_TRY(add_row(c, label, err));
  }
  return HS_OK;
}

/* Trials read it again, after the results are opened: one in its place is known here. */
static enum hs_status check_scenario(struct comparison *c, struct hs_error *err)
{
  struct hs_scenario s = {0};
  enum hs_status status = hs_setup_scenario(&c->catalog, &c->found.cli->scenario, c->soc, &s, err);
  hs_scenario_free(&s);
  return status;
}

/* The run of each policy reads its inputs itself, and a pipe gives them to the first that asks. A name without a folder may be one of the catalogue's. */
static enum hs_status check_reread(const struct hs_cli *cli, const char *model, struct hs_error *err)
{
  const char *const files[] = {cli->soc, model, cli->scenario.file, cli->scenario.competing};
  struct stat s;
  for (size_t i = 0; i < sizeof files / sizeof *files; i++)
    if (files[i] && strchr(files[i], '/') && stat(files[i], &s) == 0 && !S_ISREG(s.st_mode) && !S_ISDIR(s.st_mode))
      return hs_fail(err, HS_USAGE, "%.200s is a pipe or a device, and hetsim compare reads it once for each policy: write it to a file", files[i]);
  return HS_OK;
}

/* What no policy can do anything about is told before any is asked. */
static enum hs_status prepare(struct comparison *c, struct hs_error *err)
{
  const struct hs_cli *cli = c->found.cli;
  const char *word = cli->words[0];
  if (!cli->soc) return hs_fail(err, HS_USAGE, "--soc is missing");
  struct hs_optimisations opt;
  HS_TRY(hs_optimisations_parse(cli->opt, &opt, err));
  if (cli->n_words != 1) return hs_fail(err, HS_USAGE, cli->n_words ? "one MODEL at a time" : "MODEL is missing");
  if (hs_model_word_policy(word)) return hs_fail(err, HS_USAGE, "%.80s: a policy of its own goes with hetsim run only; name it in --policies", word);
  if (strstr(hs_model_word_end(word), ",priority="))
    return hs_fail(err, HS_USAGE, "%.80s: a priority does not go with hetsim compare: each of its runs has one network", word);
  HS_TRY(choose(c, err));
  const char *model = hs_arena_printf(&c->arena, "%.*s", (int)(hs_model_word_end(word) - word), word);
  HS_TRY(check_reread(cli, model, err));
  HS_TRY(hs_catalog_open(&c->catalog, err));
  HS_TRY(hs_catalog_soc(&c->catalog, cli->soc, &c->soc, err));
  HS_TRY(hs_catalog_workload(&c->catalog, model, &c->graph, err));
  c->found.soc = c->soc;
  c->found.graph = c->graph;
  return check_scenario(c, err);
}

static bool ended(void *state, int i)
{
  struct comparison *c = state;
  (void)i;
  hs_progress_runs(&c->progress, ++c->n_ended, c->found.n);
  return !hs_interrupted;
}

/* After Ctrl-C some have ended before their runs, and some weren't started. */
static enum hs_status take_answer(const struct hs_child *child, struct hs_compared_row *row, struct hs_error *err)
{
  struct hs_compared *o = &row->o;
  if (hs_interrupted && !o->ran && !o->status) {
    o->status = HS_UNMET;
    snprintf(o->reason, sizeof o->reason, "interrupted");
    return HS_OK;
  }
  return hs_child_lived(child, row->label, err);
}

static enum hs_status run_all(struct comparison *c, struct hs_error *err)
{
  struct hs_comparison *f = &c->found;
  struct order orders[HS_COMPARED_MAX];
  struct hs_child children[HS_COMPARED_MAX];
  const struct hs_compared *why = NULL;
  bool ran = false, alike = true;
  for (int i = 0; i < f->n; i++) {
    orders[i] = (struct order){hs_cli_run_options(f->cli), f->cli->inferences, f->cli->duration_s};
    orders[i].request.policy = f->rows[i].label;
    children[i] = (struct hs_child){&orders[i], &f->rows[i].o, sizeof f->rows[i].o, false};
  }
  hs_interrupt_catch();
  hs_progress_start(&c->progress);
  HS_TRY(hs_in_children(child, f->n, children, ended, c, err));
  for (int i = 0; i < f->n; i++) {
    HS_TRY(take_answer(&children[i], &f->rows[i], err));
    ran |= f->rows[i].o.ran;
    alike &= strcmp(f->rows[i].o.reason, f->rows[0].o.reason) == 0; /* it's no policy's fault */
    if (!why || why->status != HS_UNMET) why = &f->rows[i].o;       /* the last, unless one was broken off */
  }
  return ran ? HS_OK : hs_fail(err, why->status, "%s%s", alike ? "" : "no policy can run this: ", why->reason);
}

/* --- the command --- */

/* All files or none. */
static enum hs_status write_both(const struct hs_comparison *c, struct hs_output *result, struct hs_output *svg, struct hs_error *err)
{
  struct hs_text table = {0}, drawing = {0};
  (c->cli->format == HS_FORMAT_JSON ? hs_compare_json : hs_compare_text)(c, &table);
  fwrite(table.s, 1, table.len, result->stream);
  if (svg->stream) {
    hs_compare_svg(c, &drawing);
    fwrite(drawing.s, 1, drawing.len, svg->stream);
  }
  hs_text_free(&table);
  hs_text_free(&drawing);
  return hs_output_publish_all((struct hs_output *[]){svg, result}, 2, err);
}

/* One that came to its end is enough: what broke the others off is what was asked. So it is after Ctrl-C, as of a run. */
static enum hs_status all_broken_off(const struct hs_comparison *c, struct hs_error *err)
{
  if (hs_interrupted) return HS_OK;
  for (int i = 0; i < c->n; i++)
    if (!c->rows[i].o.status) return HS_OK;
  return hs_fail(err, HS_UNMET, "no policy came to the end");
}

enum hs_status hs_cmd_compare(const struct hs_cli *cli, struct hs_error *err)
{
  struct comparison *c = hs_realloc(NULL, 1, sizeof *c);
  struct hs_output result = {0}, svg = {0};
  memset(c, 0, sizeof *c);
  c->found.cli = cli;
  enum hs_status status = prepare(c, err);
  if (!status && cli->svg) status = hs_output_open(&svg, "svg", cli->svg, err);
  if (!status) status = hs_output_open(&result, "output", cli->output ? cli->output : "-", err);
  if (!status) status = run_all(c, err);
  if (!status) status = write_both(&c->found, &result, &svg, err);
  if (!status) status = all_broken_off(&c->found, err);
  hs_output_discard(&result);
  hs_output_discard(&svg);
  hs_graph_free(c->graph);
  hs_soc_free(c->soc);
  hs_catalog_close(&c->catalog);
  hs_arena_free(&c->arena);
  free(c);
  return status;
}
