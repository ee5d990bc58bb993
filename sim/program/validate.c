/* SPDX-License-Identifier: GPL-3.0-or-later */
#define _GNU_SOURCE
#include "program/validate.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/text.h"
#include "program/child.h"
#include "program/cli.h"
#include "program/progress.h"

/* --- one command --- */

enum { PATHS_MAX = 160, WORDS_MAX = 60 };

struct order {
  const char *command;
  int n;
  const char *paths[PATHS_MAX];
};

struct outcome {
  enum hs_status status;
  char reason[600];
  struct hs_found found[]; /* of each path */
};

static enum hs_status parse_command(const char *command, struct hs_cli *cli, struct hs_error *err)
{
  static char copy[2000]; /* the child ends with it */
  char *argv[WORDS_MAX + 3] = {"hetsim", "--format=json"}, *save; /* first: behind -- it would be a word */
  int n = 2;
  if (snprintf(copy, sizeof copy, "%s", command) >= (int)sizeof copy)
    return hs_fail(err, HS_USAGE, "the command is longer than %zu characters", sizeof copy - 1);
  for (char *word = strtok_r(copy, " ", &save); word; word = strtok_r(NULL, " ", &save)) {
    if (n > WORDS_MAX + 1) return hs_fail(err, HS_USAGE, "the command has more than %d words", WORDS_MAX);
    argv[n++] = word;
  }
  for (int i = 2; i < n; i++)
    if (strncmp(argv[i], "--fo", 4) == 0 || strncmp(argv[i], "-F", 2) == 0)
      return hs_fail(err, HS_USAGE, "a claim's command has no --format: its result is JSON");
  HS_TRY(hs_cli_parse(n, argv, cli, err));
  bool has_result = cli->command == HS_COMMAND_RUN || cli->command == HS_COMMAND_COMPARE || cli->command == HS_COMMAND_EXPLAIN ||
                    (cli->command == HS_COMMAND_REPRODUCE && cli->n_words == 2);
  if (!has_result || cli->help || cli->version || cli->man || hs_cli_writes_files(cli))
    return hs_fail(err, HS_USAGE, "a claim's command is hetsim run, compare, explain, or reproduce with a table or figure, and writes no files");
  return HS_OK;
}

static enum hs_status run_command(const struct hs_cli *cli, struct hs_error *err)
{
  if (cli->command == HS_COMMAND_RUN) return hs_cmd_run(cli, err);
  if (cli->command == HS_COMMAND_COMPARE) return hs_cmd_compare(cli, err);
  return cli->command == HS_COMMAND_EXPLAIN ? hs_cmd_explain(cli, err) : hs_cmd_reproduce(cli, err);
}

/* What the command prints, which the caller frees; in a child, as its standard output becomes a file in memory. */
static enum hs_status printed(const struct hs_cli *cli, char **out, struct hs_error *err)
{
  int fd = memfd_create("result", 0);
  if (fd < 0 || dup2(fd, STDOUT_FILENO) < 0) return hs_fail(err, HS_ENGINE, "no file in memory for the result");
  HS_TRY(run_command(cli, err));
  fflush(stdout);
  off_t size = lseek(fd, 0, SEEK_END);
  *out = hs_realloc(NULL, (size_t)size + 1, 1);
  ssize_t n = pread(fd, *out, (size_t)size, 0);
  (*out)[n < 0 ? 0 : n] = 0;
  return HS_OK;
}

static enum hs_status look_up(const struct order *order, struct outcome *o, struct hs_error *err)
{
  struct hs_cli cli;
  char *json = NULL;
  HS_TRY(parse_command(order->command, &cli, err));
  HS_TRY(printed(&cli, &json, err));
  bool ok = hs_quantity_find(json, order->n, order->paths, o->found);
  free(json);
  return ok ? HS_OK : hs_fail(err, HS_ENGINE, "its result isn't JSON");
}

static void child(const void *order, void *outcome)
{
  struct hs_error reason = {0};
  struct outcome *o = outcome;
  o->status = look_up(order, o, &reason);
  if (o->status) hs_error_message(&reason, o->reason, sizeof o->reason);
}

/* --- each command once --- */

struct command {
  struct order order;
  struct outcome *outcome;
  int line; /* that has it first */
};

struct commands {
  int n, cap;
  struct command *list;
};

static struct command *command_of(struct commands *c, const char *text, int line)
{
  for (int i = 0; i < c->n; i++)
    if (strcmp(c->list[i].order.command, text) == 0) return &c->list[i];
  HS_GROW(c->list, c->n, c->cap);
  c->list[c->n] = (struct command){.order.command = text, .line = line};
  return &c->list[c->n++];
}

/* Where a path's value will be; -1: too many of this command. */
static int place_of(struct command *c, const char *path)
{
  for (int i = 0; i < c->order.n; i++)
    if (strcmp(c->order.paths[i], path) == 0) return i;
  if (c->order.n == PATHS_MAX) return -1;
  c->order.paths[c->order.n] = path;
  return c->order.n++;
}

static enum hs_status collect(const char *file, const struct hs_claims *claims, struct commands *c, struct hs_error *err)
{
  for (int i = 0; i < claims->n; i++) {
    const struct hs_claim_row *row = &claims->rows[i];
    if (row->role == HS_ROLE_OPEN) continue;
    for (int k = 0; k < row->quantity.n_leaves; k++) {
      const struct hs_quantity_leaf *leaf = &row->quantity.leaves[k];
      if (place_of(command_of(c, row->commands[leaf->command], row->line), leaf->path) < 0)
        return hs_fail_at(err, HS_INPUT, file, row->line, 0, "command", "more than %d fields are asked of it", PATHS_MAX);
    }
  }
  return HS_OK;
}

/* What is wrong with the command line itself is the file's fault; what can't run there is a result. */
static bool goes_on(const struct outcome *o) { return !o->status || o->status == HS_INPUT || o->status == HS_UNMET; }

struct running {
  const struct hs_child *children;
  struct hs_progress progress;
  int n, n_ended;
};

static bool ended(void *state, int i)
{
  struct running *r = state;
  hs_progress_runs(&r->progress, ++r->n_ended, r->n);
  return !r->children[i].died && goes_on(r->children[i].answer);
}

/* What began before it has all ended when the first failure is looked for, so that it is the same one each time. */
static enum hs_status first_failure(const char *file, const struct commands *c, const struct hs_child *children, struct hs_error *err)
{
  for (int i = 0; i < c->n; i++) {
    const struct command *one = &c->list[i];
    if (children[i].died) return hs_fail_at(err, HS_ENGINE, file, one->line, 0, "command", "%.200s: the child process that simulates died", one->order.command);
    if (!goes_on(one->outcome)) {
      enum hs_status status = one->outcome->status == HS_USAGE ? HS_INPUT : one->outcome->status;
      return hs_fail_at(err, status, file, one->line, 0, "command", "%.200s: %.400s", one->order.command, one->outcome->reason);
    }
  }
  return HS_OK;
}

static enum hs_status run_all(const char *file, struct commands *c, struct hs_arena *arena, struct hs_error *err)
{
  struct hs_child *children = HS_NEW_ARRAY(arena, struct hs_child, (size_t)c->n);
  struct running r = {.children = children, .n = c->n};
  for (int i = 0; i < c->n; i++) {
    size_t size = sizeof(struct outcome) + (size_t)c->list[i].order.n * sizeof(struct hs_found);
    c->list[i].outcome = hs_arena_alloc(arena, size);
    children[i] = (struct hs_child){&c->list[i].order, c->list[i].outcome, size, false};
  }
  hs_progress_start(&r.progress);
  HS_TRY(hs_in_children(child, c->n, children, ended, &r, err));
  return first_failure(file, c, children, err);
}

/* --- one row --- */

struct leaves {
  const struct hs_found *of[HS_QUANTITY_LEAVES_MAX];
  double values[HS_QUANTITY_LEAVES_MAX];
  const char *reason; /* why one can't run, or NULL */
};

static enum hs_status leaves_of(const char *file, const struct hs_claim_row *row, struct commands *c, struct leaves *out, struct hs_error *err)
{
  static const struct hs_found none = {HS_FOUND_NUMBER, NAN, NAN, ""};
  out->reason = NULL;
  for (int k = 0; k < row->quantity.n_leaves; k++) {
    const struct hs_quantity_leaf *leaf = &row->quantity.leaves[k];
    struct command *one = command_of(c, row->commands[leaf->command], row->line);
    const struct hs_found *f = one->outcome->status ? &none : &one->outcome->found[place_of(one, leaf->path)];
    if (one->outcome->status) out->reason = one->outcome->reason;
    if (f->kind == HS_FOUND_FAILURE) out->reason = f->seen;
    if (f->kind == HS_FOUND_NOTHING)
      return hs_fail_at(err, HS_INPUT, file, row->line, 0, "field", "\"%.300s\": the result of %.200s has no such number, or several", leaf->path,
                        one->order.command);
    out->of[k] = f;
    out->values[k] = f->value;
  }
  return HS_OK;
}

/* The numbers of the papers stand in the tables of hetsim reproduce, too: both must say the same, but for rounding. */
static enum hs_status agrees(const char *file, const struct hs_claim_row *row, const struct leaves *l, struct hs_error *err)
{
  double paper = row->quantity.n == 1 && row->quantity.n_leaves == 1 && row->kind == HS_EXPECT_VALUE ? l->of[0]->paper / row->scale : NAN;
  if (!isfinite(paper) || fabs(paper - row->expected) <= 1e-3 * fabs(paper)) return HS_OK;
  return hs_fail_at(err, HS_INPUT, file, row->line, 0, "expected", "%s, but hetsim %s has %.12g for it", row->expected_text, row->command_text, paper);
}

static enum hs_status is_as_expected(const char *file, const struct hs_claim_row *row, const struct leaves *l, struct hs_error *err)
{
  const struct hs_quantity *q = &row->quantity;
  bool truth = q->is_order || (q->n == 1 && q->n_leaves == 1 && l->of[0]->kind == HS_FOUND_TRUTH);
  for (int k = 0; k < q->n_leaves && q->n > 1; k++)
    if (l->of[k]->kind == HS_FOUND_TRUTH)
      return hs_fail_at(err, HS_INPUT, file, row->line, 0, "field", "\"%.100s\": %.100s holds or not, and is no number", row->field, q->leaves[k].path);
  if (l->reason || truth == (row->kind == HS_EXPECT_HOLDS)) return HS_OK;
  return hs_fail_at(err, HS_INPUT, file, row->line, 0, "expected", truth ? "\"%.40s\": the field holds or not" : "\"%.40s\": the field is a number",
                    row->expected_text);
}

static const char *seen_of(const struct hs_claim_row *row, const struct leaves *l, struct hs_arena *arena)
{
  struct hs_text t = {0};
  if (l->reason) return l->reason;
  if (!isfinite(hs_quantity_value(&row->quantity, l->values))) return "is no finite number";
  if (!row->quantity.is_order) return l->of[0]->kind == HS_FOUND_TRUTH ? l->of[0]->seen : "";
  double compared[HS_QUANTITY_NODES_MAX];
  int n = hs_quantity_compared(&row->quantity, l->values, compared);
  for (int k = 0; k < n; k++) hs_text_addf(&t, "%s%.4g", k ? ", " : "", compared[k]);
  const char *s = hs_arena_strdup(arena, t.s);
  hs_text_free(&t);
  return s;
}

static double outside(double x, const struct hs_claim_row *row)
{
  double bound = x < row->low ? row->low : row->high;
  if (x >= row->low && x <= row->high) return 0;
  return bound != 0 ? copysign(x / bound - 1, x - bound) : NAN;
}

static void judge(const struct hs_claim_row *row, const struct leaves *l, struct hs_judged *j)
{
  double x = hs_quantity_value(&row->quantity, l->values);
  bool truth = row->kind == HS_EXPECT_HOLDS, pass;
  j->simulated = l->reason ? NAN : truth ? x : x / row->scale;
  x = j->simulated;
  if (truth) {
    pass = x > 0;
  } else if (row->kind == HS_EXPECT_RANGE) {
    pass = row->strict ? x > row->low && x < row->high : x >= row->low && x <= row->high;
    j->error_frac = isfinite(x) ? outside(x, row) : NAN;
  } else {
    pass = fabs(x - row->expected) <= row->tolerance;
    j->error_frac = row->expected != 0 ? x / row->expected - 1 : NAN;
  }
  j->verdict = pass ? HS_VERDICT_PASS : *row->reason ? HS_VERDICT_KNOWN : HS_VERDICT_FAIL;
}

static enum hs_status judge_all(const char *file, const struct hs_claims *claims, struct commands *c, struct hs_validation *v, struct hs_error *err)
{
  v->n = claims->n;
  v->judged = HS_NEW_ARRAY(&v->arena, struct hs_judged, (size_t)claims->n);
  for (int i = 0; i < claims->n; i++) {
    const struct hs_claim_row *row = &claims->rows[i];
    struct leaves l;
    v->judged[i] = (struct hs_judged){row, HS_VERDICT_OPEN, NAN, NAN, "", false};
    if (row->role == HS_ROLE_OPEN) continue;
    HS_TRY(leaves_of(file, row, c, &l, err));
    HS_TRY(is_as_expected(file, row, &l, err));
    HS_TRY(agrees(file, row, &l, err));
    judge(row, &l, &v->judged[i]);
    v->judged[i].seen = seen_of(row, &l, &v->arena);
  }
  return HS_OK;
}

/* --- rows against each other --- */

static bool asks_the_same(const struct hs_claim_row *a, const struct hs_claim_row *b)
{
  return strcmp(a->same_commands, b->same_commands) == 0 && strcmp(a->field, b->field) == 0;
}

/* One figure of one source that the model meets with the same number, however the command is spelt. */
static bool is_the_same(const struct hs_judged *a, const struct hs_judged *b)
{
  const struct hs_claim_row *x = a->row, *y = b->row;
  return x->kind == HS_EXPECT_VALUE && y->kind == HS_EXPECT_VALUE && x->expected == y->expected && x->scale == y->scale && a->simulated == b->simulated &&
         strcmp(x->source, y->source) == 0;
}

static enum hs_status check_held_out(const char *file, struct hs_validation *v, struct hs_error *err)
{
  for (int i = 0; i < v->n; i++) {
    struct hs_judged *held_out = &v->judged[i];
    if (held_out->row->role != HS_ROLE_HELD_OUT) continue;
    for (int k = 0; k < v->n; k++) {
      const struct hs_judged *fitted = &v->judged[k];
      if (fitted->row->role != HS_ROLE_CALIBRATED) continue;
      if (is_the_same(held_out, fitted))
        return hs_fail_at(err, HS_INPUT, file, held_out->row->line, 0, "role",
                          "held-out, but line %d, calibrated, has the same figure of the same source, and the same result: nothing is both", fitted->row->line);
      held_out->asked_fitted |= asks_the_same(held_out->row, fitted->row);
    }
  }
  return HS_OK;
}

/* --- groups --- */

static struct hs_claim_group *group_of(struct hs_validation *v, const struct hs_claim_row *row)
{
  for (int i = 0; i < v->n_groups; i++)
    if (strcmp(v->groups[i].name, row->group) == 0 && v->groups[i].role == row->role) return &v->groups[i];
  v->groups[v->n_groups] = (struct hs_claim_group){.name = row->group, .role = row->role, .mape_frac = NAN};
  return &v->groups[v->n_groups++];
}

/* Free parameters of the row's fits that no row before it in its group has named. */
static int newly_fitted(const struct hs_validation *v, int row)
{
  const struct hs_claim_row *r = v->judged[row].row;
  int n = 0;
  for (int f = 0; f < r->n_fits; f++) {
    bool known = false;
    for (int i = 0; i < row; i++)
      for (int k = 0; k < v->judged[i].row->n_fits; k++)
        known = known || (strcmp(v->judged[i].row->group, r->group) == 0 && strcmp(v->judged[i].row->fits[k].name, r->fits[f].name) == 0);
    n += known ? 0 : r->fits[f].n_free;
  }
  return n;
}

static void sum_up(struct hs_validation *v)
{
  v->groups = HS_NEW_ARRAY(&v->arena, struct hs_claim_group, (size_t)v->n);
  for (int i = 0; i < v->n; i++) {
    const struct hs_judged *j = &v->judged[i];
    struct hs_claim_group *g = group_of(v, j->row);
    g->n_claims++;
    g->n_pass += j->verdict == HS_VERDICT_PASS;
    g->n_known += j->verdict == HS_VERDICT_KNOWN;
    g->n_fail += j->verdict == HS_VERDICT_FAIL;
    g->n_fitted += newly_fitted(v, i);
    if (j->row->kind != HS_EXPECT_VALUE || !isfinite(j->error_frac)) continue;
    g->mape_frac = ((g->n ? g->mape_frac : 0) * g->n + fabs(j->error_frac)) / (g->n + 1);
    g->n++;
  }
}

enum hs_status hs_validate(const char *file, const struct hs_claims *claims, struct hs_validation *v, struct hs_error *err)
{
  struct commands c = {0};
  enum hs_status status = collect(file, claims, &c, err);
  if (!status) status = run_all(file, &c, &v->arena, err);
  if (!status) status = judge_all(file, claims, &c, v, err);
  if (!status) status = check_held_out(file, v, err);
  if (!status) sum_up(v);
  v->n_commands = c.n;
  free(c.list);
  return status;
}

void hs_validation_free(struct hs_validation *v) { hs_arena_free(&v->arena); }
