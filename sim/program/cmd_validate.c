/* SPDX-License-Identifier: GPL-3.0-or-later */
/* hetsim validate: what is claimed or was measured beside what is simulated, row by row and per group. It judges by the rules of the claims
 * file only, and hides no row. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/files.h"
#include "base/json_put.h"
#include "out/table.h"
#include "program/cli.h"
#include "program/validate.h"

static const char *const verdicts[HS_VERDICT_N] = {"pass", "FAIL", "fails, known", "open"};

/* --- cells --- */

static const char *with_unit(const char *number, const struct hs_claim_row *row, char *buf, size_t size)
{
  snprintf(buf, size, "%s%s%s", number, *row->unit ? " " : "", row->unit);
  return buf;
}

static const char *expected_cell(const struct hs_claim_row *row, char *buf, size_t size)
{
  if (row->kind == HS_EXPECT_HOLDS || !*row->expected_text) return *row->expected_text ? row->expected_text : "-";
  return with_unit(row->expected_text, row, buf, size);
}

static const char *simulated_cell(const struct hs_judged *j, char *buf, size_t size)
{
  char number[32];
  if (!isfinite(j->simulated)) return "-";
  if (j->row->kind == HS_EXPECT_HOLDS) return j->simulated > 0 ? "holds" : "doesn't";
  snprintf(number, sizeof number, "%.4g", j->simulated);
  return with_unit(number, j->row, buf, size);
}

static const char *percent(double frac, const char *format, char *buf, size_t size)
{
  snprintf(buf, size, isfinite(frac) ? format : "-", hs_no_minus_zero(100 * frac, 1));
  return buf;
}

/* The numbers of an order, why it can't run, and of what doesn't pass the reason. */
static const char *why_cell(const struct hs_judged *j, struct hs_arena *arena)
{
  if (j->verdict == HS_VERDICT_PASS && *j->row->reason) return "passes, though the file says that it fails";
  if (j->verdict == HS_VERDICT_PASS || !*j->row->reason) return j->seen;
  return *j->seen ? hs_arena_printf(arena, "%s: %s", j->seen, j->row->reason) : j->row->reason;
}

static void group_cells(const struct hs_claim_group *g, struct hs_table *t)
{
  char buf[32];
  hs_table_add(t, "%s", g->name);
  hs_table_add(t, "%s", hs_role_names[g->role]);
  hs_table_add(t, "%d", g->n_claims);
  hs_table_add(t, "%d", g->n_pass);
  hs_table_add(t, "%d", g->n_known);
  hs_table_add(t, "%d", g->n_fail);
  hs_table_add(t, "%d", g->n);
  hs_table_add(t, "%s", percent(g->mape_frac, "%.1f %%", buf, sizeof buf));
  hs_table_add(t, "%d", g->n_fitted);
}

static void claim_cells(const struct hs_judged *j, struct hs_arena *arena, struct hs_table *t)
{
  char buf[80];
  hs_table_add(t, "%s", j->row->id);
  hs_table_add(t, "%s", hs_role_names[j->row->role]);
  hs_table_add(t, "%s", expected_cell(j->row, buf, sizeof buf));
  hs_table_add(t, "%s", simulated_cell(j, buf, sizeof buf));
  hs_table_add(t, "%s", percent(j->error_frac, "%+.1f %%", buf, sizeof buf));
  hs_table_add(t, "%s", verdicts[j->verdict]);
  hs_table_add(t, "%s", why_cell(j, arena));
}

static const char *const claim_heads[] = {"claim", "role", "expected", "simulated", "error", "result", "why"};
static const char *const group_heads[] = {"group", "role", "claims", "pass", "known", "fail", "n", "MAPE", "fitted"};
enum { N_CLAIM_HEADS = sizeof claim_heads / sizeof *claim_heads, N_GROUP_HEADS = sizeof group_heads / sizeof *group_heads };

static void fill(const struct hs_validation *v, struct hs_table *claims, struct hs_table *groups)
{
  claims->n_columns = N_CLAIM_HEADS;
  groups->n_columns = N_GROUP_HEADS;
  for (int i = 0; i < N_CLAIM_HEADS; i++) hs_table_add(claims, "%s", claim_heads[i]);
  for (int i = 0; i < N_GROUP_HEADS; i++) hs_table_add(groups, "%s", group_heads[i]);
  for (int i = 2; i < 5; i++) claims->right[i] = true;
  for (int i = 2; i < N_GROUP_HEADS; i++) groups->right[i] = true;
  for (int i = 0; i < v->n; i++) claim_cells(&v->judged[i], &claims->arena, claims);
  for (int i = 0; i < v->n_groups; i++) group_cells(&v->groups[i], groups);
}

static int count(const struct hs_validation *v, enum hs_verdict verdict)
{
  int n = 0;
  for (int i = 0; i < v->n; i++) n += v->judged[i].verdict == verdict;
  return n;
}

/* Of the rows of each role, how many pass: what an error is worth depends on it. */
static void totals_by_role(const struct hs_validation *v, struct hs_text *t)
{
  const char *separator = "Pass: ";
  for (int role = 0; role < HS_ROLE_N; role++) {
    int n = 0, passed = 0;
    for (int i = 0; i < v->n; i++) {
      if (v->judged[i].row->role != (enum hs_role)role || v->judged[i].verdict == HS_VERDICT_OPEN) continue;
      n++;
      passed += v->judged[i].verdict == HS_VERDICT_PASS;
    }
    if (n == 0) continue;
    hs_text_addf(t, "%s%s %d of %d (%.0f %%)", separator, hs_role_names[role], passed, n, 100.0 * passed / n);
    separator = ", ";
  }
  if (*separator == ',') hs_text_add(t, ".\n");
}

/* These say whether sources agree, and little of other networks. */
static void totals_of_both(const struct hs_validation *v, struct hs_text *t)
{
  int n = 0;
  for (int i = 0; i < v->n; i++) n += v->judged[i].asked_fitted;
  if (n) hs_text_addf(t, "Held out, but measured again by others of what a calibrated row asks: %d.\n", n);
}

static void totals(const struct hs_validation *v, struct hs_text *t)
{
  hs_text_addf(t, "%d claims, %d commands: %d pass, %d fail for a known reason, %d fail without one, %d are open.\n", v->n, v->n_commands,
               count(v, HS_VERDICT_PASS), count(v, HS_VERDICT_KNOWN), count(v, HS_VERDICT_FAIL), count(v, HS_VERDICT_OPEN));
  totals_by_role(v, t);
  totals_of_both(v, t);
}

static const char legend[] = "n, MAPE: rows that expect a number, and the mean size of their error. "
                             "fitted: free parameters that were fitted to rows of the group.";

/* --- text, Markdown, JSON --- */

static void text(const struct hs_validation *v, struct hs_text *t)
{
  struct hs_table claims = {0}, groups = {0};
  fill(v, &claims, &groups);
  hs_table_print(&claims, t);
  hs_text_add(t, "\n");
  hs_table_print(&groups, t);
  hs_text_addf(t, "%s\n\n", legend);
  totals(v, t);
  hs_table_free(&claims);
  hs_table_free(&groups);
}

static void markdown_table(const struct hs_table *table, struct hs_text *t)
{
  for (int i = 0; i < table->n; i++) {
    hs_text_add(t, i % table->n_columns ? " | " : "| ");
    for (const char *c = table->cells[i]; *c; c++) hs_text_addf(t, *c == '|' ? "\\|" : "%c", *c);
    if ((i + 1) % table->n_columns) continue;
    hs_text_add(t, " |\n");
    for (int k = 0; k < table->n_columns && i < table->n_columns; k++)
      hs_text_addf(t, "%s%s%s", k ? "" : "|", table->right[k] ? "--:|" : "---|", k + 1 < table->n_columns ? "" : "\n");
  }
}

static void markdown(const struct hs_validation *v, struct hs_text *t)
{
  struct hs_table claims = {0}, groups = {0};
  fill(v, &claims, &groups);
  hs_text_add(t, "# hetsim validate\n\n");
  totals(v, t);
  hs_text_add(t, "\n## Groups\n\n");
  markdown_table(&groups, t);
  hs_text_addf(t, "\n%s\n\n## Claims\n\n", legend);
  markdown_table(&claims, t);
  hs_table_free(&claims);
  hs_table_free(&groups);
}

static void expected_json(const struct hs_claim_row *row, struct hs_text *t)
{
  if (row->kind == HS_EXPECT_VALUE && *row->expected_text)
    hs_put_number(t, "expected", row->expected);
  else if (row->kind == HS_EXPECT_HOLDS)
    hs_put_bool(t, "expected", true);
  else
    hs_put_string(t, "expected", *row->expected_text ? row->expected_text : NULL);
}

static void claim_json(const struct hs_judged *j, struct hs_text *t)
{
  const struct hs_claim_row *row = j->row;
  hs_put_line(t, 4);
  hs_put_open(t, NULL, '{');
  hs_put_string(t, "id", row->id);
  hs_put_string(t, "group", row->group);
  hs_put_string(t, "role", hs_role_names[row->role]);
  expected_json(row, t);
  if (row->kind == HS_EXPECT_HOLDS && isfinite(j->simulated))
    hs_put_bool(t, "simulated", j->simulated > 0);
  else
    hs_put_number(t, "simulated", j->simulated);
  hs_put_string(t, "unit", row->unit);
  hs_put_number(t, "error_frac", j->error_frac);
  if (j->verdict == HS_VERDICT_OPEN)
    hs_put_string(t, "pass", NULL);
  else
    hs_put_bool(t, "pass", j->verdict == HS_VERDICT_PASS);
  hs_put_bool(t, "known", j->verdict == HS_VERDICT_KNOWN);
  hs_put_line(t, 5);
  hs_put_string(t, "command", row->command_text);
  hs_put_string(t, "field", row->field);
  hs_put_string(t, "seen", j->seen);
  hs_put_string(t, "source", row->source);
  hs_put_string(t, "note", row->note);
  hs_put_string(t, "reason", row->reason);
  hs_put_close(t, '}');
}

static void group_json(const struct hs_claim_group *g, struct hs_text *t)
{
  hs_put_line(t, 4);
  hs_put_open(t, NULL, '{');
  hs_put_string(t, "name", g->name);
  hs_put_string(t, "role", hs_role_names[g->role]);
  hs_put_number(t, "n", g->n);
  hs_put_number(t, "mape", g->mape_frac);
  hs_put_number(t, "n_fitted", g->n_fitted);
  hs_put_number(t, "n_claims", g->n_claims);
  hs_put_number(t, "n_pass", g->n_pass);
  hs_put_number(t, "n_known", g->n_known);
  hs_put_number(t, "n_fail", g->n_fail);
  hs_put_close(t, '}');
}

static void json(const struct hs_validation *v, struct hs_text *t)
{
  hs_put_open(t, NULL, '{');
  hs_put_line(t, 2);
  hs_put_open(t, "claims", '[');
  for (int i = 0; i < v->n; i++) claim_json(&v->judged[i], t);
  hs_put_line(t, 2);
  hs_put_close(t, ']');
  hs_put_line(t, 2);
  hs_put_open(t, "groups", '[');
  for (int i = 0; i < v->n_groups; i++) group_json(&v->groups[i], t);
  hs_put_line(t, 2);
  hs_put_close(t, ']');
  hs_put_line(t, 0);
  hs_put_close(t, '}');
  hs_put_line(t, 0);
}

/* --- the command --- */

/* All files or none. */
static enum hs_status publish(const struct hs_cli *cli, const struct hs_validation *v, struct hs_output *result, struct hs_output *md, struct hs_error *err)
{
  struct hs_text table = {0}, page = {0};
  (cli->format == HS_FORMAT_JSON ? json : text)(v, &table);
  fwrite(table.s, 1, table.len, result->stream);
  if (md->stream) {
    markdown(v, &page);
    fwrite(page.s, 1, page.len, md->stream);
  }
  hs_text_free(&table);
  hs_text_free(&page);
  return hs_output_publish_all((struct hs_output *[]){md, result}, 2, err);
}

/* own: room for the path of hetsim's own. */
static enum hs_status read_claims(const struct hs_cli *cli, char *own, size_t size, const char **file, struct hs_claims *claims, struct hs_error *err)
{
  if (cli->n_words) return hs_fail(err, HS_USAGE, "hetsim validate takes no name: %.60s", cli->words[0]);
  *file = cli->claims ? cli->claims : own;
  if (!cli->claims) HS_TRY(hs_claims_path(own, size, err));
  return hs_claims_read(*file, claims, err);
}

enum hs_status hs_cmd_validate(const struct hs_cli *cli, struct hs_error *err)
{
  char own[600];
  const char *file = NULL;
  struct hs_claims claims = {0};
  struct hs_validation v = {0};
  struct hs_output result = {0}, md = {0};
  enum hs_status status = read_claims(cli, own, sizeof own, &file, &claims, err);
  if (!status && cli->markdown) status = hs_output_open(&md, "markdown", cli->markdown, err); /* a bad name is told before anything runs */
  if (!status) status = hs_output_open(&result, "output", cli->output ? cli->output : "-", err);
  if (!status) status = hs_validate(file, &claims, &v, err);
  if (!status) status = publish(cli, &v, &result, &md, err);
  int failed = status ? 0 : count(&v, HS_VERDICT_FAIL);
  if (failed) status = hs_fail(err, HS_UNMET, "%d claim%s fail%s without a known reason", failed, failed > 1 ? "s" : "", failed > 1 ? "" : "s");
  hs_output_discard(&result);
  hs_output_discard(&md);
  hs_validation_free(&v);
  hs_claims_free(&claims);
  return status;
}
