/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "program/quantity.h"

#include <cjson/cJSON.h>
#include <ctype.h>
#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

/* --- parsing --- */

struct parser {
  const char *at;
  int n_commands, depth;
  struct hs_arena *arena;
  struct hs_quantity *q;
  char *why;
  size_t size;
};

enum { DEPTH_MAX = 16 };

static bool refuse(struct parser *p, const char *format, ...) HS_PRINTF(2, 3);
static bool refuse(struct parser *p, const char *format, ...)
{
  va_list args;
  va_start(args, format);
  vsnprintf(p->why, p->size, format, args);
  va_end(args);
  return false;
}

static void skip_spaces(struct parser *p)
{
  while (*p->at == ' ') p->at++;
}

/* The character, which may have spaces on both sides. */
static bool take(struct parser *p, char c)
{
  skip_spaces(p);
  if (*p->at != c) return false;
  p->at++;
  skip_spaces(p);
  return true;
}

static bool emit(struct parser *p, enum hs_quantity_op op, double number, int n)
{
  if (p->q->n == HS_QUANTITY_NODES_MAX) return refuse(p, "the expression has more than %d steps", HS_QUANTITY_NODES_MAX);
  p->q->nodes[p->q->n++] = (struct hs_quantity_node){op, number, n};
  return true;
}

/* Characters of a path at s: members and dots, [selectors], and at the end a {name}; 0 where none begins. */
static size_t path_length(const char *s)
{
  const char *c = s;
  while (isalnum((unsigned char)*c) || *c == '_' || *c == '.' || (*c == '[' && strchr(c, ']'))) c = *c == '[' ? strchr(c, ']') + 1 : c + 1;
  if (*c == '{' && strchr(c, '}')) c = strchr(c, '}') + 1;
  return (size_t)(c - s);
}

/* A dot stands between two members, and one stands behind a selector. */
static bool has_empty_member(const char *path)
{
  for (const char *c = path; *c; c++) {
    if (*c == '[') c = strchr(c, ']'); /* what is in there is no path */
    if (*c == ']' && c[1] && !strchr(".[", c[1])) return true;
    if (*c == '.' && (c == path || !c[1] || strchr(".[{", c[1]))) return true;
  }
  return false;
}

static bool leaf(struct parser *p)
{
  struct hs_quantity_leaf *l = &p->q->leaves[p->q->n_leaves];
  size_t n = path_length(p->at);
  bool lettered = n > 1 && islower((unsigned char)p->at[0]) && strchr(".[{", p->at[1]);
  if (n == 0) return refuse(p, "\"%.40s\": a number, a field, min(…), max(…) or (…) is expected", p->at);
  if (p->q->n_leaves == HS_QUANTITY_LEAVES_MAX) return refuse(p, "the expression has more than %d fields", HS_QUANTITY_LEAVES_MAX);
  *l = (struct hs_quantity_leaf){lettered ? p->at[0] - 'a' : 0, NULL};
  if (l->command >= p->n_commands) return refuse(p, "\"%.*s\": there is no command %c", (int)n, p->at, p->at[0]);
  if (!lettered && p->n_commands > 1) return refuse(p, "\"%.*s\": with several commands a field begins with a letter: a is the first", (int)n, p->at);
  size_t skip = lettered ? 1 + (p->at[1] == '.') : 0;
  l->path = hs_arena_printf(p->arena, "%.*s", (int)(n - skip), p->at + skip);
  if (!*l->path || (*l->path == '{' ? skip > 1 : has_empty_member(l->path))) return refuse(p, "\"%.*s\": a dot stands between two members", (int)n, p->at);
  p->at += n;
  return emit(p, HS_Q_LEAF, 0, p->q->n_leaves++);
}

static bool sum(struct parser *p);

/* What stands between the parentheses of min and max. */
static bool list(struct parser *p, enum hs_quantity_op op)
{
  int n = 0;
  do {
    if (!sum(p)) return false;
    n++;
  } while (take(p, ','));
  if (!take(p, ')')) return refuse(p, "\"%.40s\": a comma or ) is expected", p->at);
  return emit(p, op, 0, n);
}

static bool atom(struct parser *p)
{
  if (take(p, '(')) {
    if (!sum(p)) return false;
    return take(p, ')') || refuse(p, "\"%.40s\": ) is expected", p->at);
  }
  if (strncmp(p->at, "min(", 4) == 0 || strncmp(p->at, "max(", 4) == 0) {
    enum hs_quantity_op op = p->at[1] == 'i' ? HS_Q_MIN : HS_Q_MAX;
    p->at += 4;
    return list(p, op);
  }
  if (isdigit((unsigned char)*p->at)) {
    double v;
    const char *end = hs_decimal_prefix(p->at, &v);
    if (!end) return refuse(p, "\"%.40s\" begins with no number", p->at);
    p->at = end;
    return emit(p, HS_Q_NUMBER, v, 0);
  }
  return leaf(p);
}

static bool product(struct parser *p)
{
  if (!atom(p)) return false;
  for (;;) {
    enum hs_quantity_op op = take(p, '*') ? HS_Q_MUL : take(p, '/') ? HS_Q_DIV : HS_Q_NUMBER;
    if (op == HS_Q_NUMBER) return true;
    if (!atom(p) || !emit(p, op, 0, 0)) return false;
  }
}

static bool sum(struct parser *p)
{
  if (++p->depth > DEPTH_MAX) return refuse(p, "the expression is nested more than %d deep", DEPTH_MAX);
  if (!product(p)) return false;
  for (;;) {
    enum hs_quantity_op op = take(p, '+') ? HS_Q_ADD : take(p, '-') ? HS_Q_SUB : HS_Q_NUMBER;
    if (op == HS_Q_NUMBER) break;
    if (!product(p) || !emit(p, op, 0, 0)) return false;
  }
  p->depth--;
  return true;
}

bool hs_quantity_parse(const char *text, int n_commands, struct hs_arena *arena, struct hs_quantity *q, char *why, size_t size)
{
  struct parser p = {text, n_commands, 0, arena, q, why, size};
  int n = 1;
  q->n = q->n_leaves = 0;
  skip_spaces(&p);
  if (!sum(&p)) return false;
  while (take(&p, '<')) {
    if (!sum(&p)) return false;
    n++;
  }
  q->is_order = n > 1;
  if (q->is_order && !emit(&p, HS_Q_LESS, 0, n)) return false;
  return !*p.at || refuse(&p, "\"%.40s\": an operator (+ - * / <) or the end is expected", p.at);
}

/* --- values --- */

static double of_many(enum hs_quantity_op op, const double *v, int n)
{
  double best = v[0];
  bool rises = true;
  for (int i = 0; i < n && op == HS_Q_LESS; i++)
    if (!isfinite(v[i])) return NAN; /* nothing is said of what isn't there */
  for (int i = 1; i < n; i++) {
    rises = rises && v[i - 1] < v[i];
    if (isnan(v[i]) || (op == HS_Q_MIN ? v[i] < best : v[i] > best)) best = isnan(best) ? best : v[i];
  }
  return op == HS_Q_LESS ? rises : best;
}

/* Of the first steps, what is on the stack then. Returns how many. */
static int evaluate(const struct hs_quantity *q, int steps, const double *leaves, double *stack)
{
  int n = 0;
  for (int i = 0; i < steps; i++) {
    const struct hs_quantity_node *node = &q->nodes[i];
    switch (node->op) {
    case HS_Q_NUMBER: stack[n++] = node->number; break;
    case HS_Q_LEAF: stack[n++] = leaves[node->n]; break;
    case HS_Q_ADD: n--, stack[n - 1] += stack[n]; break;
    case HS_Q_SUB: n--, stack[n - 1] -= stack[n]; break;
    case HS_Q_MUL: n--, stack[n - 1] *= stack[n]; break;
    case HS_Q_DIV: n--, stack[n - 1] /= stack[n]; break;
    case HS_Q_MIN:
    case HS_Q_MAX:
    case HS_Q_LESS:
      n -= node->n;
      stack[n] = of_many(node->op, stack + n, node->n);
      n++;
      break;
    }
  }
  return n;
}

double hs_quantity_value(const struct hs_quantity *q, const double *leaves)
{
  double stack[HS_QUANTITY_NODES_MAX];
  evaluate(q, q->n, leaves, stack);
  return stack[0];
}

int hs_quantity_compared(const struct hs_quantity *q, const double *leaves, double *out) { return evaluate(q, q->n - q->is_order, leaves, out); }

/* --- dimensions --- */

static struct hs_dimension of_leaf(const char *path)
{
  static const struct {
    const char *ending;
    struct hs_dimension is;
  } endings[] = {{"_s", {.known = true, .s = 1}}, {"_j", {.known = true, .j = 1}}, {"_w", {.known = true, .s = -1, .j = 1}},
                 {"_bytes", {.known = true, .b = 1}}, {"_frac", {.known = true, .is_fraction = true, .times = 1}}};
  size_t end = strlen(path);
  while (end > 0 && path[end - 1] == ']')
    while (end > 0 && path[--end] != '[')
      ;
  for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
    size_t n = strlen(endings[i].ending);
    bool per = end > n + 4 && strncmp(path + end - n - 4, "_per", 4) == 0;
    if (end > n && strncmp(path + end - n, endings[i].ending, n) == 0 && !per) return endings[i].is;
  }
  return (struct hs_dimension){0};
}

static bool is_alike(struct hs_dimension a, struct hs_dimension b) { return a.s == b.s && a.j == b.j && a.b == b.b; }

/* a · b, or a ÷ b (power -1), where a number has a value. */
static struct hs_dimension scaled(struct hs_dimension a, struct hs_dimension b, int power, double of_a, double of_b)
{
  struct hs_dimension is = {.known = a.known && b.known, .mixed = a.mixed || b.mixed, .s = a.s + power * b.s, .j = a.j + power * b.j, .b = a.b + power * b.b,
                            .is_number = a.is_number && b.is_number};
  if (a.is_fraction && b.is_number) is.is_fraction = true, is.times = a.times * pow(of_b, power);
  if (b.is_fraction && a.is_number && power > 0) is.is_fraction = true, is.times = b.times * of_a;
  return is;
}

static bool is_in_units(const struct hs_dimension *d) { return !d->is_number && (d->known || d->s || d->j || d->b); }

/* Of sums and of what min, max and orders take. A number beside fractions of 1 is one. */
static struct hs_dimension alike(const struct hs_dimension *list, int n)
{
  struct hs_dimension is = {.known = true, .is_fraction = true, .is_number = true};
  const struct hs_dimension *first = NULL;
  bool other_times = false; /* a percentage and a fraction of 1 are neither */
  for (int i = 0; i < n; i++) {
    if (!first && is_in_units(&list[i])) first = &list[i];
    is.mixed |= list[i].mixed || (is_in_units(&list[i]) && !is_alike(list[i], *first));
    is.known &= list[i].known && is_alike(list[i], list[0]);
    is.is_fraction &= list[i].is_fraction || list[i].is_number;
    is.is_number &= list[i].is_number;
    other_times |= list[i].is_fraction && is.times != 0 && list[i].times != is.times;
    if (list[i].is_fraction) is.times = list[i].times;
  }
  is.is_fraction &= !is.is_number && !other_times;
  if (first) is.s = first->s, is.j = first->j, is.b = first->b;
  return is;
}

struct hs_dimension hs_quantity_dimension(const struct hs_quantity *q)
{
  struct hs_dimension stack[HS_QUANTITY_NODES_MAX] = {{0}};
  double nothing[HS_QUANTITY_LEAVES_MAX], number[HS_QUANTITY_NODES_MAX];
  int top = 0;
  for (int i = 0; i < HS_QUANTITY_LEAVES_MAX; i++) nothing[i] = NAN;
  for (int i = 0; i < q->n; i++) {
    const struct hs_quantity_node *node = &q->nodes[i];
    int n = node->op == HS_Q_MIN || node->op == HS_Q_MAX || node->op == HS_Q_LESS ? node->n : 2;
    if (node->op == HS_Q_NUMBER)
      stack[top++] = (struct hs_dimension){.known = true, .is_number = true};
    else if (node->op == HS_Q_LEAF)
      stack[top++] = of_leaf(q->leaves[node->n].path);
    else {
      top -= n;
      evaluate(q, i, nothing, number); /* of operands that are numbers */
      bool product = node->op == HS_Q_MUL || node->op == HS_Q_DIV;
      stack[top] = product ? scaled(stack[top], stack[top + 1], node->op == HS_Q_MUL ? 1 : -1, number[top], number[top + 1]) : alike(&stack[top], n);
      top++;
    }
  }
  return stack[0];
}

/* --- looking up --- */

/* The one element of a list whose `member` is `text` (NULL where none or several are), or the one at a position; of an object the member of that name, which
 * may have a minus in it. */
static const cJSON *element(const cJSON *list, const char *selector)
{
  const cJSON *e, *only = NULL;
  const char *eq = strchr(selector, '=');
  char member[80];
  if (cJSON_IsObject(list)) return cJSON_GetObjectItemCaseSensitive(list, selector);
  if (!cJSON_IsArray(list)) return NULL;
  long long at;
  if (!eq) return hs_whole_parse(selector, 0, INT_MAX, &at) ? cJSON_GetArrayItem(list, (int)at) : NULL;
  snprintf(member, sizeof member, "%.*s", (int)(eq - selector), selector);
  cJSON_ArrayForEach(e, list)
  {
    const char *s = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(e, member));
    if (!s || strcmp(s, eq + 1) != 0) continue;
    if (only) return NULL;
    only = e;
  }
  return only;
}

/* What can't run, as in a comparison, has an `error` in place of its numbers. */
static const cJSON *walk(const cJSON *item, const char *path, const char **error)
{
  char step[400];
  *error = NULL;
  while (*path && item) {
    const char *end = *path == '[' ? strchr(path, ']') : path + strcspn(path, ".[");
    size_t n = (size_t)(end - path), skip = *path == '[';
    snprintf(step, sizeof step, "%.*s", (int)(n - skip), path + skip);
    item = skip ? element(item, step) : cJSON_GetObjectItemCaseSensitive(item, step);
    path = end + skip;
    path += *path == '.';
    if (cJSON_IsObject(item)) *error = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(item, "error"));
  }
  return item;
}

/* {TEXT}: the value or statement of that name of a reproduced table or figure. */
static void find_reproduced(const cJSON *root, const char *path, struct hs_found *f)
{
  char selector[400];
  snprintf(selector, sizeof selector, "what=%.*s", (int)strlen(path) - 2, path + 1);
  const cJSON *claim = element(cJSON_GetObjectItemCaseSensitive(cJSON_GetArrayItem(root, 0), "claims"), selector);
  const cJSON *holds = cJSON_GetObjectItemCaseSensitive(claim, "holds"), *ours = cJSON_GetObjectItemCaseSensitive(claim, "ours");
  const cJSON *paper = cJSON_GetObjectItemCaseSensitive(claim, "paper");
  if (holds) {
    f->kind = HS_FOUND_TRUTH;
    f->value = cJSON_IsTrue(holds);
    snprintf(f->seen, sizeof f->seen, "%s", cJSON_IsString(ours) ? ours->valuestring : "");
  } else if (ours) {
    f->kind = HS_FOUND_NUMBER;
    f->value = cJSON_IsNumber(ours) ? ours->valuedouble : NAN;
    f->paper = cJSON_IsNumber(paper) ? paper->valuedouble : NAN;
  }
}

static void find(const cJSON *root, const char *path, struct hs_found *f)
{
  *f = (struct hs_found){.value = NAN, .paper = NAN};
  if (*path == '{') {
    find_reproduced(root, path, f);
    return;
  }
  const char *error;
  const cJSON *item = walk(root, path, &error);
  if (!item && error) {
    f->kind = HS_FOUND_FAILURE;
    snprintf(f->seen, sizeof f->seen, "%s", error);
  }
  if (cJSON_IsBool(item) || cJSON_IsNumber(item) || cJSON_IsNull(item)) {
    f->kind = cJSON_IsBool(item) ? HS_FOUND_TRUTH : HS_FOUND_NUMBER;
    f->value = cJSON_IsBool(item) ? cJSON_IsTrue(item) : cJSON_IsNumber(item) ? item->valuedouble : NAN;
  }
}

bool hs_quantity_find(const char *json, int n, const char *const *paths, struct hs_found *found)
{
  cJSON *root = cJSON_Parse(json);
  for (int i = 0; i < n && root; i++) find(root, paths[i], &found[i]);
  cJSON_Delete(root);
  return root != NULL;
}
