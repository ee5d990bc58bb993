/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "program/claims.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/files.h"
#include "base/text.h"
#include "input/catalog.h"
#include "input/csv.h"
#include "program/cli_table.h"

const char *const hs_role_names[HS_ROLE_N] = {"calibrated", "held-out", "ordering", "open"};

enum column { ID, GROUP, ROLE, COMMAND, FIELD, EXPECTED, UNIT, TOLERANCE, FIT, SOURCE, NOTE, REASON, N_COLUMNS };
static const char *const columns[N_COLUMNS] = {"id",   "group",     "role", "command", "field", "expected",
                                               "unit", "tolerance", "fit",  "source",  "note",  "reason"};

/* Results are in SI; %, x and counts are as they are. */
static const struct {
  const char *name;
  double scale;
  int s, j, b;  /* powers of seconds, joules and bytes */
  bool of_rest; /* and of what has no unit here: per second, bytes per second */
} units[] = {{"", 1, .of_rest = true}, {"s", 1, .s = 1}, {"ms", 1e-3, .s = 1}, {"W", 1, .s = -1, .j = 1}, {"mW", 1e-3, .s = -1, .j = 1},
             {"J", 1, .j = 1}, {"mJ", 1e-3, .j = 1}, {"B", 1, .b = 1}, {"MB", 1e6, .b = 1}, {"GB", 1e9, .b = 1},
             {"%", 1, .of_rest = false}, {"x", 1, .of_rest = false}, {"G", 1e9, .of_rest = true}, {"M", 1e6, .of_rest = true}};
enum { N_UNITS = sizeof units / sizeof *units };

struct reader {
  struct hs_csv csv;
  struct hs_claims *claims;
  struct hs_error *err;
};

#define BAD(r, c, ...) hs_fail_at((r)->err, HS_INPUT, (r)->csv.file, (r)->csv.line, 0, columns[c], __VA_ARGS__)

static const char *cell(const struct reader *r, enum column c) { return r->csv.cells[c].text; }

/* --- cells of a row --- */

static enum hs_status name(struct reader *r, enum column column)
{
  const char *s = cell(r, column);
  if (!*s || s[strspn(s, "abcdefghijklmnopqrstuvwxyz0123456789._-")])
    return BAD(r, column, "\"%.60s\": a name has lower-case letters, digits and . _ -", s);
  return HS_OK;
}

static enum hs_status role(struct reader *r, struct hs_claim_row *row)
{
  for (int i = 0; i < HS_ROLE_N; i++)
    if (strcmp(hs_role_names[i], cell(r, ROLE)) == 0) {
      row->role = (enum hs_role)i;
      return HS_OK;
    }
  return BAD(r, ROLE, "\"%.40s\": calibrated, held-out, ordering or open", cell(r, ROLE));
}

/* "--soc sd855 --policy gpu vgg16 ; --soc …": without the program's name. */
static enum hs_status commands(struct reader *r, struct hs_claim_row *row)
{
  for (const char *s = cell(r, COMMAND), *next; s; s = next) {
    const char *end = strstr(s, " ; ");
    next = end ? end + 3 : NULL;
    if (row->n_commands == HS_QUANTITY_COMMANDS_MAX) return BAD(r, COMMAND, "more than %d commands", HS_QUANTITY_COMMANDS_MAX);
    const char *one = hs_arena_printf(&r->claims->arena, "%.*s", end ? (int)(end - s) : (int)strlen(s), s);
    if (!one[strspn(one, " ")]) return BAD(r, COMMAND, "empty: a command line of hetsim run, compare, explain or reproduce without the program's name");
    row->commands[row->n_commands++] = one;
  }
  return HS_OK;
}

/* A command in one spelling: `x -p gpu --so sd855 --check` and `run --soc=sd855 --policy gpu x` are `run --soc=sd855 --policy=gpu x`. One that can't be
 * parsed stays as it is, which is told when it's run. */
static void add_spelt(const char *command, struct hs_text *out)
{
  struct hs_arena a = {0};
  char *s = hs_arena_strdup(&a, command), **words = HS_NEW_ARRAY(&a, char *, strlen(s) + 2), *save;
  struct hs_cli cli;
  struct hs_error ignored;
  int n = 0;
  words[n++] = "hetsim";
  for (char *w = strtok_r(s, " ", &save); w; w = strtok_r(NULL, " ", &save)) words[n++] = w;
  if (hs_cli_parse(n, words, &cli, &ignored) == HS_OK) {
    hs_text_addf(out, "%s ", hs_command_names[cli.command]);
    hs_cli_command(&cli, out);
  } else
    hs_text_add(out, command);
  hs_arena_free(&a);
}

static void find_same_commands(struct reader *r, struct hs_claim_row *row)
{
  struct hs_text t = {0};
  for (int i = 0; i < row->n_commands; i++) {
    if (i) hs_text_add(&t, " ; ");
    add_spelt(row->commands[i], &t);
  }
  row->same_commands = hs_arena_strdup(&r->claims->arena, t.s);
  hs_text_free(&t);
}

static enum hs_status quantity(struct reader *r, struct hs_claim_row *row)
{
  char why[200];
  HS_TRY(commands(r, row));
  find_same_commands(r, row);
  if (!hs_quantity_parse(cell(r, FIELD), row->n_commands, &r->claims->arena, &row->quantity, why, sizeof why)) return BAD(r, FIELD, "%s", why);
  if (hs_quantity_dimension(&row->quantity).mixed)
    return BAD(r, FIELD, "\"%.100s\": by the endings of its fields it adds or compares what isn't alike", row->field);
  if (row->quantity.n_leaves == 0) return BAD(r, FIELD, "\"%.100s\" asks for no field of a result", cell(r, FIELD));
  for (int i = 0; i < row->n_commands; i++) {
    bool asked = false;
    for (int k = 0; k < row->quantity.n_leaves; k++) asked |= row->quantity.leaves[k].command == i;
    if (!asked) return BAD(r, COMMAND, "no field is asked of %.200s", row->commands[i]);
  }
  return HS_OK;
}

/* All of [s, end): in "1..2" a number would be "1." otherwise. */
static bool number(const char *s, const char *end, double *v)
{
  char copy[40];
  size_t n = (size_t)(end - s);
  if (end <= s || n >= sizeof copy) return false;
  memcpy(copy, s, n);
  copy[n] = 0;
  return hs_decimal_parse(copy, v);
}

/* 219, 1.4..1.8, <2, >=0, holds */
static enum hs_status expected(struct reader *r, struct hs_claim_row *row)
{
  const char *s = cell(r, EXPECTED), *end = s + strlen(s), *dots = strstr(s, "..");
  bool ok;
  row->low = -INFINITY;
  row->high = INFINITY;
  if (strcmp(s, "holds") == 0) {
    row->kind = HS_EXPECT_HOLDS;
    ok = true;
  } else if (*s == '<' || *s == '>') {
    row->kind = HS_EXPECT_RANGE;
    row->strict = s[1] != '=';
    ok = number(s + 1 + !row->strict, end, *s == '<' ? &row->high : &row->low);
  } else if (dots) {
    row->kind = HS_EXPECT_RANGE;
    ok = number(s, dots, &row->low) && number(dots + 2, end, &row->high) && row->low < row->high;
  } else {
    row->kind = HS_EXPECT_VALUE;
    ok = number(s, end, &row->expected);
  }
  if (!ok) return BAD(r, EXPECTED, "\"%.40s\": a number, LOW..HIGH, <NUMBER, <=NUMBER, >NUMBER, >=NUMBER or holds", s);
  if (row->quantity.is_order && row->kind != HS_EXPECT_HOLDS)
    return BAD(r, EXPECTED, "\"%.40s\": a chain of < holds or not: write holds", s);
  return HS_OK;
}

static bool is_in(const struct hs_dimension *is, int unit)
{
  return is->s == units[unit].s && is->j == units[unit].j && is->b == units[unit].b;
}

static bool has_unit(const struct hs_dimension *is)
{
  for (int i = 0; i < N_UNITS; i++)
    if (is_in(is, i)) return true;
  return false;
}

/* Of an open row, which is asked for no field, it is what it may be; what holds or not has none. */
static enum hs_status check_unit(struct reader *r, const struct hs_claim_row *row, int unit)
{
  struct hs_dimension is = hs_quantity_dimension(&row->quantity);
  if (row->role == HS_ROLE_OPEN || row->kind == HS_EXPECT_HOLDS || !is.known) return HS_OK;
  if (!is_in(&is, unit) && (has_unit(&is) || !units[unit].of_rest))
    return BAD(r, UNIT, "\"%s\": by the endings of its fields %.100s is in another one", units[unit].name, row->field);
  const double percent_min = 10; /* 100 times a tenth: less than that was no 100 */
  if (is.is_fraction && fabs(is.times) < percent_min && strcmp(units[unit].name, "%") == 0)
    return BAD(r, UNIT, "\"%%\": %.100s is a fraction of 1: write 100 * (%.100s)", row->field, row->field);
  return HS_OK;
}

static enum hs_status unit(struct reader *r, struct hs_claim_row *row)
{
  if (row->kind == HS_EXPECT_HOLDS && *cell(r, UNIT)) return BAD(r, UNIT, "\"%.20s\": what holds or not has none", cell(r, UNIT));
  for (int i = 0; i < N_UNITS; i++)
    if (strcmp(units[i].name, cell(r, UNIT)) == 0) {
      row->scale = units[i].scale;
      return check_unit(r, row, i);
    }
  return BAD(r, UNIT, "\"%.20s\": s, ms, W, mW, J, mJ, B, MB, GB, %%, x, G, M or empty", cell(r, UNIT));
}

/* "10%" of the value, or "5" of its unit; values that are run have one, nothing else has. */
static enum hs_status tolerance(struct reader *r, struct hs_claim_row *row)
{
  const char *s = cell(r, TOLERANCE);
  size_t n = strlen(s);
  bool relative = n && s[n - 1] == '%', wanted = row->kind == HS_EXPECT_VALUE && row->role != HS_ROLE_OPEN;
  size_t digits = n - relative - (relative && n > 1 && s[n - 2] == ' ');
  if (!wanted) return n ? BAD(r, TOLERANCE, "\"%.20s\": only a value that is run has one", s) : HS_OK;
  if (!number(s, s + digits, &row->tolerance) || row->tolerance <= 0)
    return BAD(r, TOLERANCE, "\"%.20s\": a positive number with %% (of the value) or without (in its unit)", s);
  if (relative) row->tolerance *= fabs(row->expected) / 100;
  return row->tolerance > 0 ? HS_OK : BAD(r, TOLERANCE, "\"%.20s\" of 0 is nothing: give it in the unit", s);
}

/* "sd855-mace/cpu:5 sd855/gpu-power:1": of a calibrated row, and of no other. */
static enum hs_status fits(struct reader *r, struct hs_claim_row *row)
{
  const char *s = cell(r, FIT);
  if (row->role == HS_ROLE_CALIBRATED && !*s) return BAD(r, FIT, "empty: a calibrated row names the fit that used it, as NAME:FREE-PARAMETERS");
  if (row->role != HS_ROLE_CALIBRATED && *s) return BAD(r, FIT, "\"%.60s\": what was fitted to is calibrated, not %s", s, hs_role_names[row->role]);
  while (*s) {
    size_t n = strcspn(s, " "), word = strcspn(s, ": ");
    double v;
    if (row->n_fits == HS_CLAIM_FITS_MAX) return BAD(r, FIT, "more than %d fits", HS_CLAIM_FITS_MAX);
    if (word == 0 || word == n || !number(s + word + 1, s + n, &v) || v < 1 || v > 1000 || v != floor(v))
      return BAD(r, FIT, "\"%.*s\": NAME:FREE-PARAMETERS, a whole number in [1, 1000]", (int)n, s);
    const char *name = hs_arena_printf(&r->claims->arena, "%.*s", (int)word, s);
    for (int k = 0; k < row->n_fits; k++)
      if (strcmp(row->fits[k].name, name) == 0) return BAD(r, FIT, "%s is named twice", name); /* its parameters would count twice */
    row->fits[row->n_fits++] = (struct hs_claim_fit){name, (int)v};
    s += n;
    s += strspn(s, " ");
  }
  return HS_OK;
}

/* --- rows against each other --- */

static bool same(const char *a, const char *b) { return strcmp(a, b) == 0; }

static enum hs_status against(struct reader *r, const struct hs_claim_row *row, const struct hs_claim_row *before)
{
  bool fitted = row->role == HS_ROLE_CALIBRATED, was_fitted = before->role == HS_ROLE_CALIBRATED;
  if (same(row->id, before->id)) return BAD(r, ID, "\"%s\" is in line %d, too", row->id, before->line);
  if (fitted != was_fitted && row->role != HS_ROLE_OPEN && before->role != HS_ROLE_OPEN) {
    if (same(row->group, before->group))
      return BAD(r, GROUP, "\"%s\" has calibrated and %s rows (line %d): a group is one of both", row->group, hs_role_names[fitted ? before->role : row->role],
                 before->line);
    if (same(row->same_commands, before->same_commands) && same(row->field, before->field) && same(row->source, before->source))
      return BAD(r, ROLE, "%s, but the same figure of the same source is %s in line %d: nothing is both fitted and held out", hs_role_names[row->role],
                 hs_role_names[before->role], before->line);
  }
  for (int i = 0; i < row->n_fits; i++)
    for (int k = 0; k < before->n_fits; k++)
      if (same(row->fits[i].name, before->fits[k].name) && row->fits[i].n_free != before->fits[k].n_free)
        return BAD(r, FIT, "%s has %d free parameters here and %d in line %d", row->fits[i].name, row->fits[i].n_free, before->fits[k].n_free, before->line);
  return HS_OK;
}

static enum hs_status add_row(struct reader *r)
{
  struct hs_claims *c = r->claims;
  HS_GROW(c->rows, c->n, c->cap);
  struct hs_claim_row *row = &c->rows[c->n];
  *row = (struct hs_claim_row){.line = r->csv.line, .id = cell(r, ID), .group = cell(r, GROUP), .command_text = cell(r, COMMAND), .field = cell(r, FIELD),
                               .expected_text = cell(r, EXPECTED), .unit = cell(r, UNIT), .source = cell(r, SOURCE), .note = cell(r, NOTE),
                               .reason = cell(r, REASON)};
  HS_TRY(name(r, ID));
  HS_TRY(name(r, GROUP));
  HS_TRY(role(r, row));
  if (row->role != HS_ROLE_OPEN) HS_TRY(quantity(r, row));
  if (row->role != HS_ROLE_OPEN || *cell(r, EXPECTED)) HS_TRY(expected(r, row));
  HS_TRY(unit(r, row));
  HS_TRY(tolerance(r, row));
  HS_TRY(fits(r, row));
  if (!*row->source) return BAD(r, SOURCE, "empty: who measured or says so, and where");
  if (row->role == HS_ROLE_OPEN && !*row->reason) return BAD(r, REASON, "empty: an open row says what it needs");
  for (int i = 0; i < c->n; i++) HS_TRY(against(r, row, &c->rows[i]));
  c->n++;
  return HS_OK;
}

/* --- the file --- */

enum hs_status hs_claims_parse(const char *file, const char *text, struct hs_claims *claims, struct hs_error *err)
{
  struct reader r = {.claims = claims, .err = err};
  HS_TRY(hs_csv_open(&r.csv, file, hs_arena_strdup(&claims->arena, text), err));
  HS_TRY(hs_csv_begins(&r.csv, columns, N_COLUMNS, err));
  if (r.csv.n_columns > N_COLUMNS)
    return hs_fail_at(err, HS_INPUT, file, r.csv.line, r.csv.columns[N_COLUMNS].column, NULL, "no column follows \"%s\"", columns[N_COLUMNS - 1]);
  while (hs_csv_more(&r.csv)) {
    HS_TRY(hs_csv_next(&r.csv, err));
    HS_TRY(add_row(&r));
  }
  return claims->n ? HS_OK : hs_fail_at(err, HS_INPUT, file, r.csv.line, 0, NULL, "no row");
}

enum hs_status hs_claims_read(const char *file, struct hs_claims *claims, struct hs_error *err)
{
  char *text = NULL;
  size_t len;
  HS_TRY(hs_file_read(file, &text, &len, err));
  enum hs_status status = hs_text_check(file, text, len, err);
  if (!status) status = hs_claims_parse(file, text, claims, err);
  free(text);
  return status;
}

enum hs_status hs_claims_path(char *file, size_t size, struct hs_error *err)
{
  struct hs_catalog c = {0};
  HS_TRY(hs_catalog_open(&c, err));
  snprintf(file, size, "%s/validation/claims.csv", c.root);
  hs_catalog_close(&c);
  return HS_OK;
}

void hs_claims_free(struct hs_claims *claims)
{
  free(claims->rows);
  hs_arena_free(&claims->arena);
}
