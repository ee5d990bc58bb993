/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The operator profile that TensorFlow Lite's benchmark_model writes (--enable_op_profiling=true --profiling_output_csv_file=FILE):
 * a table of nodes in run order under a line "node type, first, avg_ms, %, cdf%, mem KB, times called, name" (before 2.9 with "start" before "first").
 * The table "Run Order" below the heading of the runs counts; the one of the initialisation, before, doesn't. It holds times and no shapes, so its nodes are
 * matched with a network (tflite_match.c). Commas in a node's type aren't quoted, nor before 2.9 those in its name.
 * (tensorflow/core/util/stats_calculator.cc, tensorflow/lite/profiling/profile_summarizer.cc) */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "calibrate/tflite_match.h"
#include "input/csv.h"

enum { NODES_MAX = 2 * HS_OPS_MAX };

struct reader {
  struct hs_measurements *m;
  const char *file;
  struct hs_error *err;
  int n, cap;
  struct hs_tflite_node *nodes;
};

static bool is_number(const char *s, bool percent)
{
  double v;
  const char *end = hs_decimal_prefix(s, &v);
  return end && (!*end || (percent && strcmp(end, "%") == 0));
}

/* 0.004 is 0.0035 to 0.0045 milliseconds: three digits behind the point, of which a file that was written again may lack zeros, or more. */
static double rounded_s(const char *ms)
{
  const char *point = strchr(ms, '.');
  size_t digits = point ? strspn(point + 1, "0123456789") : 0;
  return 1e-3 * 0.5 * pow(10, -fmax((double)digits, 3));
}

#define REFUSE(r, line, ...) hs_fail_at((r)->err, HS_INPUT, (r)->file, line, 0, NULL, __VA_ARGS__)

/* A node that makes sixty tensors has a name with sixty commas: what is beyond the columns that count doesn't. */
static int cut(struct reader *r, const char *line, struct hs_csv_cell *cells)
{
  int commas = 0;
  const char *end = line;
  while (*end && *end != '\n' && !(*end == ',' && ++commas == HS_CSV_COLUMNS_MAX)) end++;
  char *copy = hs_arena_printf(&r->m->arena, "%.*s", (int)(end - line), line);
  return hs_csv_cut(&copy, cells);
}

/* "[MobilenetV1/Relu6]:12", a line's last cell. No file has a node of more digits. */
static int number_of(const char *line)
{
  enum { DIGITS_MAX = 6 };
  size_t end = strcspn(line, "\r\n"), digits = 0;
  while (end > 0 && (line[end - 1] == '"' || line[end - 1] == ' ')) end--;
  while (digits < end && line[end - 1 - digits] >= '0' && line[end - 1 - digits] <= '9') digits++;
  if (digits == 0 || digits > DIGITS_MAX || digits == end || line[end - 1 - digits] != ':') return -1;
  return atoi(line + end - digits);
}

/* Each operator once per inference: a row of several isn't the latency of one. */
static enum hs_status check_called(struct reader *r, int line, const char *called, bool is_operator)
{
  if (strchr(called, '.'))
    return REFUSE(r, line, "times called: %.40s is no whole number: do the cells stand below their columns? A number has a decimal point", called);
  if (is_operator && !(atof(called) >= 1)) return REFUSE(r, line, "times called: %.40s: an operator runs once per inference, and a number has a decimal point", called);
  if (atof(called) > 1)
    return REFUSE(r, line, "times called: %.40s: the profiler joined several operators of one name; write the profile of a network that "
                  "isn't cut into several delegates", called);
  return HS_OK;
}

/* What a delegate ran is counted by itself, from 0 on in each of its partitions, whose first node may be of an unknown kind. Of the others an unknown kind may
 * be a delegate, which has the number that it was given last. */
static enum hs_status check_order(struct reader *r, const struct hs_tflite_node *node)
{
  if (node->number < 0 || (node->delegated ? node->number == 0 : node->kind < 0)) return HS_OK;
  int i = r->n - 1;
  while (i >= 0 && (r->nodes[i].delegated != node->delegated || (!node->delegated && r->nodes[i].kind < 0))) i--;
  if (i < 0 || r->nodes[i].number < node->number) return HS_OK;
  return REFUSE(r, node->line, "number %d (%s) comes after number %d (%s, line %d): the table isn't in the order in which they ran", node->number, node->type,
                r->nodes[i].number, r->nodes[i].type, r->nodes[i].line);
}

/* A line of the table: a type, which may hold commas, then numbers from column `first` on. Nodes of one name are joined, and the table is sorted
 * by the number of names less the number of the node, as text: where the first is smaller the rest is listed backwards. */
static enum hs_status read_node(struct reader *r, int line, const char *text, int avg_column, int called_column)
{
  struct hs_csv_cell cells[HS_CSV_COLUMNS_MAX];
  int n = cut(r, text, cells), first = 1;
  if (n < 0) return REFUSE(r, line, "is no line of an operator profile: a quote is open at its end, or inside a cell");
  while (first < n && !is_number(cells[first].text, true)) first++;
  int avg = first + avg_column - 1, called = first + called_column - 1;
  if (called >= n) return REFUSE(r, line, "is no line of an operator profile: it has %d cells, and `times called` is number %d", n, called + 1);
  if (!is_number(cells[avg].text, false)) return REFUSE(r, line, "avg_ms: \"%.40s\" is not a number", cells[avg].text);
  if (!is_number(cells[called].text, false)) return REFUSE(r, line, "times called: \"%.40s\" is not a number", cells[called].text);
  struct hs_text type = {0};
  for (int i = 0; i < first; i++) hs_text_addf(&type, "%s%s", i ? ", " : "", cells[i].text);
  bool delegated = called + 1 < n && strncmp(cells[called + 1].text, "Delegate/", 9) == 0;
  struct hs_tflite_node node = {.line = line, .kind = hs_tflite_kind(type.s), .delegated = delegated, .number = number_of(text),
                                .type = hs_arena_strdup(&r->m->arena, type.s), .latency_s = 1e-3 * atof(cells[avg].text),
                                .rounded_s = rounded_s(cells[avg].text)};
  hs_text_free(&type);
  if (!(node.latency_s >= 0 && node.latency_s <= HS_LATENCY_MAX_S))
    return REFUSE(r, line, "avg_ms: %.40s is not a latency in [0, %g]", cells[avg].text, 1e3 * HS_LATENCY_MAX_S);
  HS_TRY(check_called(r, line, cells[called].text, node.kind >= 0));
  HS_TRY(check_order(r, &node));
  if (r->n == NODES_MAX) return REFUSE(r, line, "more than %d nodes", NODES_MAX);
  HS_GROW(r->nodes, r->n, r->cap);
  r->nodes[r->n++] = node;
  return HS_OK;
}

/* Which columns hold avg_ms and times called; false: this line isn't the table's header, and they stay. */
static bool is_header(struct reader *r, const char *text, int *avg, int *called)
{
  struct hs_csv_cell cells[HS_CSV_COLUMNS_MAX];
  int a = -1, c = -1;
  if (strncmp(text, "node type", 9) != 0) return false;
  int n = cut(r, text, cells);
  for (int i = 0; i < n; i++) {
    if (strcmp(cells[i].text, "avg_ms") == 0) a = i;
    if (strcmp(cells[i].text, "times called") == 0) c = i;
  }
  if (a <= 0 || c <= a) return false;
  *avg = a;
  *called = c;
  return true;
}

static bool is_blank(const char *line) { return line[strspn(line, " \t\r")] == '\n' || line[strspn(line, " \t\r")] == 0; }

static bool has(const char *line, const char *next, const char *words)
{
  const char *found = strstr(line, words);
  return found && found < next;
}

/* A table's title and the line below, `at`. Subgraphs and what runs within a delegate have tables of their own, but share the numbers by which each is
 * sorted: see read_node(). */
static enum hs_status open_table(struct reader *r, int line, const char *at, int *avg, int *called)
{
  if (r->n)
    return REFUSE(r, line,
                  "a second table \"Run Order\": of another benchmark, which goes into a file of its own; or of a subgraph or of what ran "
                  "within a delegate: then neither is in the order in which they ran; measure whole networks instead");
  if (is_header(r, at, avg, called)) return HS_OK;
  return REFUSE(r, line + 1, "has no columns avg_ms and times called, with commas in between, as benchmark_model "
                "--profiling_output_csv_file=FILE writes them");
}

/* Headings, and below them tables, each under its title and up to an empty line. Of the initialisation, whose nodes run as often as there are delegates, none
 * is read. */
static enum hs_status read_nodes(struct reader *r, const char *text)
{
  bool inside = false, titled = false, initialisation = false;
  int avg = 0, called = 0, line = 0;
  for (const char *at = hs_text_unmarked(text), *next; *at; at = next) {
    next = at + strcspn(at, "\n");
    next += *next == '\n';
    line++;
    if (has(at, next, "Profiling Info for")) initialisation = has(at, next, "Initialization");
    if (strncmp(at, "=====", 5) == 0) {
      titled = inside = has(at, next, "Run Order") && !initialisation;
      if (titled) HS_TRY(open_table(r, line, next, &avg, &called));
    } else if (is_blank(at))
      inside = false;
    else if (inside && !titled)
      HS_TRY(read_node(r, line, at, avg, called));
    else
      titled = false;
  }
  if (r->n) return HS_OK;
  return REFUSE(r, 1, "has no table \"Run Order\" of runs as benchmark_model --enable_op_profiling=true "
                "--profiling_output_csv_file=FILE writes it");
}

/* What it was measured on, as the command line has it: no mistake there is the file's. Cores of its own come before those of all. */
static enum hs_status measured_on(struct hs_measurements *m, const char *model, const char *processor, const struct hs_graph **g, struct hs_bench **bench,
                                  struct hs_error *err)
{
  int p;
  const char *at = strchr(processor, '@');
  if (at && !at[1]) return hs_fail(err, HS_USAGE, "cores: %.60s names none, as mid:3+big:1", processor);
  if (at) processor = hs_arena_printf(&m->arena, "%.*s", (int)(at - processor), processor);
  HS_TRY(hs_measurements_processor(m, NULL, 0, processor, &p, err));
  const char *cores = at ? at + 1 : m->cores && m->soc->processors[p].kind == HS_CPU ? m->cores : "";
  HS_TRY(hs_measurements_bench(m, NULL, 0, p, m->precision, m->memory_type, at ? 0 : m->threads, cores, bench, err));
  return hs_measurements_network(m, NULL, 0, model, g, err);
}

enum hs_status hs_measurements_parse_tflite(struct hs_measurements *m, const char *file, const char *text, size_t len, const char *model,
                                            const char *processor, bool kept_out, struct hs_error *err)
{
  struct reader r = {.m = m, .file = file, .err = err};
  const struct hs_graph *g = NULL;
  struct hs_bench *bench = NULL;
  if (strcmp(m->runtime->base ? m->runtime->base : m->runtime->name, "tflite") != 0)
    return hs_fail_at(err, HS_INPUT, file, 0, 0, NULL,
                      "after MODEL:PROCESSOR= it is read as an operator profile of TensorFlow Lite, which says nothing of %s", m->runtime->name);
  HS_TRY(measured_on(m, model, processor, &g, &bench, err));
  HS_TRY(hs_text_check(file, text, len, err));
  enum hs_status status = read_nodes(&r, text);
  if (!status) status = hs_tflite_match(m, file, r.nodes, r.n, g, bench, kept_out, err);
  free(r.nodes);
  return status;
}
