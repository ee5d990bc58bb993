/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "program/reproduce.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "program/child.h"
#include "serve/pieces.h"

/* --- one cell --- */

struct cell_run {
  struct hs_setup setup;
  struct hs_metrics metrics; /* of the cell's own network */
  const struct hs_program *ran; /* last */
  struct hs_cell_result *result;
};

static void on_task(void *state, const struct hs_event *e, int network)
{
  struct cell_run *c = state;
  if (network != 0) return;
  hs_metrics_task(&c->metrics, e);
  c->ran = e->program;
}

static void on_ended(void *state, const struct hs_outcome *o)
{
  struct cell_run *c = state;
  const struct hs_network *n = &c->setup.networks[0];
  struct hs_cell_result *r = c->result;
  int alternative, from, to;
  if (o->network != 0) return;
  hs_metrics_ended(&c->metrics, o);
  if (o->dropped || r->n == HS_CELL_INFERENCES_MAX) return;
  bool found = hs_pieces_find(n->pieces, c->ran, &alternative, &from, &to);
  snprintf(r->alternatives[r->n], sizeof r->alternatives[0], "%s", found ? n->plan.names[alternative] : "");
  r->latencies_s[r->n++] = o->end_s - o->arrival_s;
}

static int length(const char *const *list)
{
  int n = 0;
  while (n < HS_CELL_LIST_MAX && list[n]) n++;
  return n;
}

static struct hs_run_options options_of(const struct hs_cell *c)
{
  return (struct hs_run_options){.soc = c->soc, .policy = c->policy, .runtime = c->runtime, .memory_type = c->memory_type,
                             .precision = c->precision, .frequency = c->frequency, .model = c->model, .n_more = length(c->rivals),
                             .more = c->rivals, .n_params = length(c->params), .params = c->params, .scenario = c->scenario,
                             .profiler = c->profiler, .opt = c->opt, .seed = HS_SEED};
}

static enum hs_status simulate(const struct hs_cell *cell, struct hs_cell_result *out, struct hs_error *err)
{
  static struct cell_run c; /* the child ends with it */
  const struct hs_run_options options = options_of(cell);
  c.result = out;
  HS_TRY(hs_setup_make(&c.setup, &options, err));
  struct hs_living *living = hs_setup_living(&c.setup);
  const struct hs_serve_calls calls = {.state = &c, .task = on_task, .ended = on_ended, .living = living};
  hs_metrics_start(&c.metrics, &c.setup.sys);
  HS_TRY(hs_serve(&c.setup.sys, c.setup.networks, c.setup.n_networks, cell->inferences > 0 ? cell->inferences : 1, 0, &calls, NULL, err));
  hs_metrics_summary(&c.metrics, &out->summary);
  out->planning_s = c.setup.networks[0].planning_s;
  out->estimate_s = c.setup.networks[0].estimate_s;
  if (living) out->frames = hs_living_frames(living);
  return out->n ? HS_OK : hs_fail(err, HS_POLICY, "policy %s gave every request up", cell->policy);
}

double hs_lesser(double a, double b) { return isnan(a) || isnan(b) ? NAN : fmin(a, b); }
double hs_greater(double a, double b) { return isnan(a) || isnan(b) ? NAN : fmax(a, b); }

int hs_least_of(const double *values, int n)
{
  int least = 0;
  for (int i = 0; i < n; i++) {
    if (isnan(values[i])) return -1;
    if (values[i] < values[least]) least = i;
  }
  return least;
}

static void child(const void *cell, void *result)
{
  struct hs_error reason = {0};
  struct hs_cell_result *out = result;
  out->status = simulate(cell, out, &reason);
  if (out->status) hs_error_message(&reason, out->reason, sizeof out->reason);
}

static void cannot_run(struct hs_reproduction *r, const struct hs_cell *cell, const char *reason)
{
  hs_note(r, "%s on %s under %s%s%s can't run: %s", cell->model, cell->soc, cell->policy, cell->params[0] ? " " : "",
          cell->params[0] ? cell->params[0] : "", reason);
}

enum hs_status hs_cell_run(struct hs_reproduction *r, const struct hs_cell *cell, struct hs_cell_result *out, struct hs_error *err)
{
  char which[200];
  snprintf(which, sizeof which, "%s on %s under %s", cell->model, cell->soc, cell->policy);
  HS_TRY(hs_in_child(child, cell, out, sizeof *out, which, err));
  if (!out->status) return HS_OK;
  if (out->status == HS_USAGE || out->status == HS_INPUT) {
    struct hs_summary *s = &out->summary;
    cannot_run(r, cell, out->reason);
    s->latency_s = s->max_s = s->energy_j = s->power_w = s->communication_s = s->launch_s = out->planning_s = out->estimate_s = NAN;
    return HS_OK;
  }
  return hs_fail(err, out->status, "%s: %s", which, out->reason);
}

bool hs_cell_plan(struct hs_reproduction *r, const struct hs_cell *cell, struct hs_setup *s)
{
  const struct hs_run_options options = options_of(cell);
  struct hs_error err;
  char message[600];
  memset(s, 0, sizeof *s);
  if (hs_setup_make(s, &options, &err) == HS_OK) return true;
  cannot_run(r, cell, hs_error_message(&err, message, sizeof message));
  return false;
}

/* --- findings --- */

static const char *text_of(struct hs_reproduction *r, const char *format, va_list args)
{
  va_list again;
  va_copy(again, args);
  size_t size = (size_t)vsnprintf(NULL, 0, format, args) + 1;
  char *text = hs_arena_alloc(&r->arena, size); /* notes run to several sentences */
  vsnprintf(text, size, format, again);
  va_end(again);
  return text;
}

static struct hs_finding *add(struct hs_reproduction *r, enum hs_finding_kind kind, const char *where, const char *what, va_list args)
{
  HS_GROW(r->findings, r->n_findings, r->cap_findings);
  struct hs_finding *f = &r->findings[r->n_findings++];
  *f = (struct hs_finding){.kind = kind, .where = where, .what = text_of(r, what, args), .unit = "", .paper = NAN, .ours = NAN};
  return f;
}

void hs_finding_value(struct hs_reproduction *r, const char *where, const char *unit, double paper, double ours, const char *what, ...)
{
  va_list args;
  va_start(args, what);
  struct hs_finding *f = add(r, HS_FINDING_VALUE, where, what, args);
  va_end(args);
  f->unit = unit;
  f->paper = paper;
  f->ours = ours;
}

void hs_finding_range(struct hs_reproduction *r, const char *where, const char *unit, double low, double high, double ours, const char *what, ...)
{
  char least[32], most[32], seen[32];
  va_list args;
  va_start(args, what);
  struct hs_finding *f = add(r, HS_FINDING_STATEMENT, where, what, args);
  va_end(args);
  hs_finding_number(low, unit, least, sizeof least);
  hs_finding_number(high, unit, most, sizeof most);
  hs_finding_number(ours, unit, seen, sizeof seen);
  f->what = hs_arena_printf(&r->arena, "%s: %s to %s", f->what, least, most);
  f->holds = ours >= low && ours <= high;
  f->seen = hs_arena_printf(&r->arena, "%s%s", seen, /* what rounds to a bound that it misses */
                            ours < low && strcmp(seen, least) == 0 ? ", just below" : ours > high && strcmp(seen, most) == 0 ? ", just above" : "");
}

void hs_finding_statement(struct hs_reproduction *r, const char *where, bool holds, const char *seen, const char *what, ...)
{
  va_list args;
  va_start(args, what);
  struct hs_finding *f = add(r, HS_FINDING_STATEMENT, where, what, args);
  va_end(args);
  f->holds = holds;
  f->seen = hs_arena_strdup(&r->arena, seen);
}

void hs_finding_open(struct hs_reproduction *r, const char *where, const char *needs, const char *what, ...)
{
  va_list args;
  va_start(args, what);
  add(r, HS_FINDING_OPEN, where, what, args)->seen = needs;
  va_end(args);
}

void hs_note(struct hs_reproduction *r, const char *format, ...)
{
  va_list args;
  va_start(args, format);
  const char *note = text_of(r, format, args);
  va_end(args);
  for (int i = 0; i < r->n_notes; i++)
    if (strcmp(r->notes[i], note) == 0) return;
  HS_GROW(r->notes, r->n_notes, r->cap_notes);
  r->notes[r->n_notes++] = note;
}

enum hs_status hs_published_read(struct hs_reproduction *r, struct hs_error *err)
{
  char file[600];
  HS_TRY(hs_claims_path(file, sizeof file, err));
  return hs_claims_read(file, &r->published, err);
}

double hs_published(const struct hs_reproduction *r, const char *id, ...)
{
  char name[120];
  va_list args;
  va_start(args, id);
  vsnprintf(name, sizeof name, id, args);
  va_end(args);
  for (int i = 0; i < r->published.n; i++) {
    const struct hs_claim_row *row = &r->published.rows[i];
    if (row->kind == HS_EXPECT_VALUE && strcmp(row->id, name) == 0) return row->expected * row->scale;
  }
  return NAN;
}

void hs_chart_set_both(struct hs_reproduction *r, const char *group, const char *series, double ours, double paper)
{
  hs_chart_groups_set(&r->chart, hs_arena_strdup(&r->arena, group), hs_arena_strdup(&r->arena, series), ours, paper);
}

void hs_chart_set(struct hs_reproduction *r, const char *group, const char *series, double ours) { hs_chart_set_both(r, group, series, ours, NAN); }

const char *hs_finding_number(double v, const char *unit, char *buf, size_t size)
{
  if (!isfinite(v))
    snprintf(buf, size, "-");
  else if (strcmp(unit, "%") == 0)
    snprintf(buf, size, fabs(v) < 9.95 ? "%.2f %%" : "%.1f %%", hs_no_minus_zero(v, 2));
  else if (strcmp(unit, "x") == 0)
    snprintf(buf, size, fabs(v) < 0.0995 && v != 0 ? "%.2g x" : "%.2f x", v == 0 ? 0 : v); /* what is small isn't none */
  else if (!*unit && fabs(v) < 1e4)
    snprintf(buf, size, "%g", v);
  else
    hs_si(v, unit, buf, size);
  return buf;
}

void hs_reproduction_free(struct hs_reproduction *r)
{
  free(r->findings);
  free(r->notes);
  hs_claims_free(&r->published);
  hs_chart_groups_free(&r->chart);
  hs_arena_free(&r->arena);
}
