/* SPDX-License-Identifier: GPL-3.0-or-later */
/* hetsim reproduce: the papers' tables and figures, run again: the paper's value beside ours, what it says in words as checked
 * statements, and the figure as a drawing. It judges nothing beyond the numbers. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/files.h"
#include "base/json_put.h"
#include "base/spelling.h"
#include "out/table.h"
#include "program/child.h"
#include "program/cli.h"
#include "program/reproduce.h"

/* --- counts --- */

struct score {
  int values, within_10, within_25, statements, hold, open;
};

static double error_of(const struct hs_finding *f) { return f->ours / f->paper - 1; }

static void count(const struct hs_reproduction *r, struct score *s)
{
  for (int i = 0; i < r->n_findings; i++) {
    const struct hs_finding *f = &r->findings[i];
    s->values += f->kind == HS_FINDING_VALUE;
    s->within_10 += f->kind == HS_FINDING_VALUE && fabs(error_of(f)) <= 0.10;
    s->within_25 += f->kind == HS_FINDING_VALUE && fabs(error_of(f)) <= 0.25;
    s->statements += f->kind == HS_FINDING_STATEMENT;
    s->hold += f->kind == HS_FINDING_STATEMENT && f->holds;
    s->open += f->kind == HS_FINDING_OPEN;
  }
}

/* --- text --- */

static void values_text(const struct hs_reproduction *r, struct hs_text *t)
{
  struct hs_table table = {.n_columns = 6, .right = {false, true, true, true}};
  char a[32], b[32];
  hs_table_add(&table, "value");
  hs_table_add(&table, "paper");
  hs_table_add(&table, "ours");
  hs_table_add(&table, "error");
  hs_table_add(&table, " ");
  hs_table_add(&table, "where");
  for (int i = 0; i < r->n_findings; i++) {
    const struct hs_finding *f = &r->findings[i];
    double e = fabs(error_of(f));
    if (f->kind != HS_FINDING_VALUE) continue;
    hs_table_add(&table, "%s", f->what);
    hs_table_add(&table, "%s", hs_finding_number(f->paper, f->unit, a, sizeof a));
    hs_table_add(&table, "%s", hs_finding_number(f->ours, f->unit, b, sizeof b));
    hs_table_add(&table, isfinite(e) ? "%+.1f %%" : "-", hs_no_minus_zero(100 * error_of(f), 1));
    hs_table_add(&table, "%s", e <= 0.10 ? "within 10 %" : e <= 0.25 ? "within 25 %" : isfinite(e) ? "off" : "can't run");
    hs_table_add(&table, "%s", f->where);
  }
  if (table.n > table.n_columns) {
    hs_text_add(t, "\n");
    hs_table_print(&table, t);
  }
  hs_table_free(&table);
}

static void lines_text(const struct hs_reproduction *r, enum hs_finding_kind kind, const char *title, struct hs_text *t)
{
  for (int i = 0; i < r->n_findings; i++) {
    const struct hs_finding *f = &r->findings[i];
    if (f->kind != kind) continue;
    if (title) hs_text_addf(t, "\n%s\n", title);
    title = NULL;
    hs_text_addf(t, "  %s%s: %s (%s)\n", kind == HS_FINDING_OPEN ? "" : f->holds ? "holds   " : "misses  ", f->what, f->seen, f->where);
  }
}

static bool in_paper(const struct hs_chart *g, int series)
{
  for (int i = 0; i < g->n; i++)
    if (isfinite(g->groups[i].paper[series])) return true;
  return false;
}

/* The figure's bars as a table, the paper's beside ours; the points of a line are in the drawing and the JSON only. */
static void chart_text(const struct hs_chart *g, struct hs_text *t)
{
  struct hs_table table = {.n_columns = 1};
  char buf[32];
  if (!g->n || (g->lines && g->n > 40)) return;
  hs_table_add(&table, "%s%sours", g->what ? g->what : "", g->what ? ", " : "");
  for (int s = 0; s < g->n_series; s++) {
    table.right[table.n_columns++] = true;
    hs_table_add(&table, "%s", g->series[s]);
    if (!in_paper(g, s)) continue;
    table.right[table.n_columns++] = true;
    hs_table_add(&table, "paper");
  }
  for (int i = 0; i < g->n; i++) {
    hs_table_add(&table, "%s", g->groups[i].name);
    for (int s = 0; s < g->n_series; s++) {
      hs_table_add(&table, "%s", hs_finding_number(g->groups[i].ours[s], g->unit, buf, sizeof buf));
      if (in_paper(g, s)) hs_table_add(&table, "%s", hs_finding_number(g->groups[i].paper[s], g->unit, buf, sizeof buf));
    }
  }
  hs_text_add(t, "\n");
  hs_table_print(&table, t);
  hs_table_free(&table);
}

enum { WIDTH = 120 }; /* of notes; tables are as wide as what is in them */

static void text(const struct hs_reproduction *r, struct hs_text *t)
{
  struct score s = {0};
  count(r, &s);
  hs_text_addf(t, "%s\n", r->chart.title);
  chart_text(&r->chart, t);
  values_text(r, t);
  lines_text(r, HS_FINDING_STATEMENT, "The paper says:", t);
  lines_text(r, HS_FINDING_OPEN, "Can't be compared:", t);
  for (int i = 0; i < r->n_notes; i++) {
    hs_text_add(t, i ? "" : "\n");
    hs_text_wrap(t, r->notes[i], WIDTH);
  }
  if (s.values) hs_text_addf(t, "\n%d value%s: %d within 10 %%, %d within 25 %%.", s.values, s.values > 1 ? "s" : "", s.within_10, s.within_25);
  if (s.statements)
    hs_text_addf(t, "%s%d statement%s: %d hold%s.", s.values ? " " : "\n", s.statements, s.statements > 1 ? "s" : "", s.hold, s.hold == 1 ? "s" : "");
  hs_text_addf(t, "%s%s", s.values + s.statements ? "\n" : "", r->wall_clock ? "Wall clock times are of this machine, and differ from run to run.\n" : "");
}

/* What an item's child brings back: result and drawing one behind the other. */
struct item_answer {
  enum hs_status status;
  struct hs_error error;
  struct score score;
  size_t result_len, drawing_len;
  char bytes[1 << 19]; /* the longest of today's has a tenth of it */
};

static void score_row(struct hs_table *t, const char *name, const struct score *s)
{
  const int counts[] = {s->values, s->within_10, s->within_25, s->statements, s->hold, s->open};
  hs_table_add(t, "%s", name);
  for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) hs_table_add(t, "%d", counts[i]);
}

static void summary_text(const struct hs_paper *paper, const struct item_answer *answers, struct hs_text *t)
{
  static const char *const heads[] = {"item", "values", "within 10 %", "within 25 %", "statements", "hold", "not yet"};
  struct hs_table table = {.n_columns = sizeof heads / sizeof *heads, .right = {false, true, true, true, true, true, true}};
  struct score all = {0};
  for (int i = 0; i < table.n_columns; i++) hs_table_add(&table, "%s", heads[i]);
  for (int i = 0; i < paper->n; i++) {
    const struct score *s = &answers[i].score;
    score_row(&table, paper->items[i].name, s);
    all = (struct score){all.values + s->values,         all.within_10 + s->within_10, all.within_25 + s->within_25,
                         all.statements + s->statements, all.hold + s->hold,           all.open + s->open};
  }
  score_row(&table, "all", &all);
  hs_text_add(t, "\n");
  hs_table_print(&table, t);
  hs_table_free(&table);
}

/* --- JSON --- */

static void finding_json(const struct hs_finding *f, struct hs_text *t)
{
  static const char *const kinds[HS_FINDING_N] = {"value", "statement", "not yet"};
  hs_put_line(t, 4);
  hs_put_open(t, NULL, '{');
  hs_put_string(t, "kind", kinds[f->kind]);
  hs_put_string(t, "what", f->what);
  hs_put_string(t, "where", f->where);
  if (f->kind == HS_FINDING_VALUE) {
    hs_put_string(t, "unit", f->unit);
    hs_put_number(t, "paper", f->paper);
    hs_put_number(t, "ours", f->ours);
    hs_put_number(t, "error_frac", error_of(f));
  } else {
    if (f->kind == HS_FINDING_STATEMENT) hs_put_bool(t, "holds", f->holds);
    hs_put_string(t, f->kind == HS_FINDING_STATEMENT ? "ours" : "needs", f->seen);
  }
  hs_put_close(t, '}');
}

static void chart_json(const struct hs_chart *g, struct hs_text *t)
{
  hs_put_line(t, 3);
  hs_put_open(t, "figure", '{');
  hs_put_string(t, "unit", g->unit);
  hs_put_strings(t, "series", g->series, g->n_series);
  hs_put_open(t, "groups", '[');
  for (int i = 0; i < g->n; i++) {
    hs_put_line(t, 4);
    hs_put_open(t, NULL, '{');
    hs_put_string(t, "name", g->groups[i].name);
    hs_put_numbers(t, "ours", g->groups[i].ours, g->n_series);
    hs_put_numbers(t, "paper", g->groups[i].paper, g->n_series);
    hs_put_close(t, '}');
  }
  hs_put_close(t, ']');
  hs_put_close(t, '}');
}

static void json(const struct hs_paper *paper, const struct hs_reproduction *r, struct hs_text *t)
{
  hs_put_open(t, NULL, '{');
  hs_put_string(t, "paper", paper->name);
  hs_put_string(t, "item", r->item->name);
  hs_put_string(t, "title", r->item->title);
  hs_put_bool(t, "wall_clock", r->wall_clock);
  hs_put_line(t, 3);
  hs_put_open(t, "claims", '[');
  for (int i = 0; i < r->n_findings; i++) finding_json(&r->findings[i], t);
  hs_put_close(t, ']');
  hs_put_line(t, 3);
  hs_put_open(t, "notes", '[');
  for (int i = 0; i < r->n_notes; i++) hs_put_string(t, NULL, r->notes[i]);
  hs_put_close(t, ']');
  if (r->chart.n) chart_json(&r->chart, t);
  hs_put_close(t, '}');
}

/* --- which --- */

static enum hs_status find(const struct hs_cli *cli, const struct hs_paper **paper, const struct hs_item **item, struct hs_error *err)
{
  const char *names[40];
  if (cli->n_words > 2) return hs_fail(err, HS_USAGE, "one table or figure at a time, not %.60s as well", cli->words[2]);
  for (int p = 0; p < HS_PAPERS; p++) {
    names[p] = hs_papers[p]->name;
    if (strcmp(names[p], cli->words[0]) == 0) *paper = hs_papers[p];
  }
  if (!*paper) return hs_fail_unknown(err, cli->words[0], names, HS_PAPERS, "there is no paper");
  for (int i = 0; i < (*paper)->n && cli->n_words > 1; i++) {
    names[i] = (*paper)->items[i].name;
    if (strcmp(names[i], cli->words[1]) == 0) *item = &(*paper)->items[i];
  }
  if (!*item && cli->n_words > 1) return hs_fail_unknown(err, cli->words[1], names, (*paper)->n, "there is no table or figure");
  if (cli->svg && !*item) return hs_fail(err, HS_USAGE, "--svg needs one figure, not all of %s", (*paper)->name);
  if (cli->svg && !(*item)->draws) return hs_fail(err, HS_USAGE, "--svg: there is nothing to draw of %s", (*item)->name);
  return HS_OK;
}

/* --- running --- */

struct item_run {
  const struct hs_cli *cli;
  const struct hs_paper *paper;
  const struct hs_item *item;
};

static enum hs_status run_item(const struct item_run *run, struct score *score, struct hs_text *result, struct hs_text *drawing, struct hs_error *err)
{
  struct hs_reproduction r = {.item = run->item, .chart.unit = ""};
  r.chart.title = hs_arena_printf(&r.arena, "%s, %s: %s", run->paper->title, run->item->name, run->item->title);
  enum hs_status status = run->item->run(&r, err);
  if (!status) {
    count(&r, score);
    if (run->cli->format == HS_FORMAT_JSON)
      json(run->paper, &r, result);
    else
      text(&r, result);
    if (run->cli->svg) hs_chart_groups_svg(&r.chart, drawing);
  }
  hs_reproduction_free(&r);
  return status;
}

static void child(const void *state, void *answer)
{
  const struct item_run *run = state;
  struct item_answer *a = answer;
  struct hs_text result = {0}, drawing = {0};
  a->status = run_item(run, &a->score, &result, &drawing, &a->error);
  if (!a->status && result.len + drawing.len > sizeof a->bytes)
    a->status = hs_fail(&a->error, HS_ENGINE, "what %s says is longer than %zu bytes", run->item->name, sizeof a->bytes);
  if (a->status) return;
  a->result_len = result.len;
  a->drawing_len = drawing.len;
  if (result.len) memcpy(a->bytes, result.s, result.len);
  if (drawing.len) memcpy(a->bytes + result.len, drawing.s, drawing.len);
}

struct item_runs {
  int n;
  struct item_run *list;
  struct hs_child *children;
  struct item_answer *answers;
};

static bool ended(void *state, int i)
{
  const struct item_runs *runs = state;
  return !runs->children[i].died && !runs->answers[i].status;
}

/* The first failure in the order of the paper is told: none that stands before it was left out. */
static enum hs_status answers_of(const struct item_runs *runs, struct hs_error *err)
{
  for (int i = 0; i < runs->n; i++) {
    HS_TRY(hs_child_lived(&runs->children[i], runs->list[i].item->name, err));
    if (!runs->answers[i].status) continue;
    *err = runs->answers[i].error;
    return runs->answers[i].status;
  }
  return HS_OK;
}

static void put_together(const struct hs_cli *cli, const struct item_runs *runs, struct hs_text *result, struct hs_text *drawing)
{
  for (int i = 0; i < runs->n; i++) {
    const struct item_answer *a = &runs->answers[i];
    if (cli->format == HS_FORMAT_JSON) {
      hs_put_line(result, 2);
      hs_put_json(result, NULL, a->bytes, a->result_len);
    } else
      hs_text_addf(result, "%s%.*s", i ? "\n\n" : "", (int)a->result_len, a->bytes);
    hs_text_addf(drawing, "%.*s", (int)a->drawing_len, a->bytes + a->result_len);
  }
}

static enum hs_status run_all(const struct hs_cli *cli, const struct hs_paper *paper, const struct hs_item *only, struct hs_text *result,
                              struct hs_text *drawing, struct hs_error *err)
{
  struct hs_arena arena = {0};
  const size_t n = only ? 1 : (size_t)paper->n;
  struct item_runs runs = {(int)n, HS_NEW_ARRAY(&arena, struct item_run, n), HS_NEW_ARRAY(&arena, struct hs_child, n),
                           HS_NEW_ARRAY(&arena, struct item_answer, n)};
  for (int i = 0; i < runs.n; i++) {
    runs.list[i] = (struct item_run){cli, paper, only ? only : &paper->items[i]};
    runs.children[i] = (struct hs_child){&runs.list[i], &runs.answers[i], sizeof runs.answers[i], false};
  }
  enum hs_status status = hs_in_children(child, runs.n, runs.children, ended, &runs, err);
  if (!status) status = answers_of(&runs, err);
  if (!status) {
    hs_text_add(result, cli->format == HS_FORMAT_JSON ? "[" : "");
    put_together(cli, &runs, result, drawing);
    if (cli->format == HS_FORMAT_JSON)
      hs_text_add(result, "\n]\n");
    else if (!only)
      summary_text(paper, runs.answers, result);
  }
  hs_arena_free(&arena);
  return status;
}

static enum hs_status write_both(const struct hs_text *text, const struct hs_text *drawing, struct hs_output *result, struct hs_output *svg,
                                 struct hs_error *err)
{
  fwrite(text->s, 1, text->len, result->stream);
  if (svg->stream) fwrite(drawing->s, 1, drawing->len, svg->stream);
  return hs_output_publish_all((struct hs_output *[]){svg, result}, 2, err);
}

static enum hs_status list(const struct hs_cli *cli, struct hs_error *err)
{
  struct hs_cli as_list = *cli;
  as_list.n_words = 1;
  as_list.words[0] = "reproductions";
  return cli->svg ? hs_fail(err, HS_USAGE, "--svg needs one figure") : hs_cmd_list(&as_list, err);
}

enum hs_status hs_cmd_reproduce(const struct hs_cli *cli, struct hs_error *err)
{
  const struct hs_paper *paper = NULL;
  const struct hs_item *item = NULL;
  struct hs_output result = {0}, svg = {0};
  struct hs_text text = {0}, drawing = {0};
  if (cli->n_words == 0) return list(cli, err);
  enum hs_status status = find(cli, &paper, &item, err);
  if (!status && cli->svg) status = hs_output_open(&svg, "svg", cli->svg, err); /* a bad name is told before anything runs */
  if (!status) status = hs_output_open(&result, "output", cli->output ? cli->output : "-", err);
  if (!status) status = run_all(cli, paper, item, &text, &drawing, err);
  if (!status) status = write_both(&text, &drawing, &result, &svg, err);
  hs_output_discard(&result);
  hs_output_discard(&svg);
  hs_text_free(&text);
  hs_text_free(&drawing);
  return status;
}
