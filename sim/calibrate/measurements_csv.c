/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rows of measurements from a table with commas. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/spelling.h"
#include "base/text.h"
#include "calibrate/measurements.h"
#include "input/csv.h"

enum column {
  PROCESSOR, PRECISION, MEMORY_TYPE, THREADS, CORES, NETWORK, INDEX, MODEL, OP, H, W, CIN, COUT, KERNEL, STRIDE, PAD, DILATION, GROUP,
  LATENCY_S, LATENCY_MS, LATENCY_US, COLUMN_N
};
static const char *const column_names[COLUMN_N + 1] = {
  "processor", "precision", "memory_type", "threads", "cores", "network", "index", "model", "op", "h", "w", "cin", "cout", "kernel", "stride", "pad",
  "dilation", "group", "latency_s", "latency_ms", "latency_us", NULL};

/* One row while it is read. */
struct reader {
  struct hs_measurements *m;
  struct hs_csv csv;
  int at[COLUMN_N]; /* column of the file, or -1 */
  struct hs_error *err;
};

static const char *cell(const struct reader *r, enum column c) { return r->at[c] < 0 ? "" : r->csv.cells[r->at[c]].text; }

#define REFUSE(r, ...) hs_fail_at((r)->err, HS_INPUT, (r)->csv.file, (r)->csv.line, 0, NULL, __VA_ARGS__)

/* --- cells --- */

static enum hs_status whole(const struct reader *r, enum column c, const char *s, int64_t max, int64_t *out)
{
  long long v;
  if (!hs_whole_parse(s, 1, max, &v))
    return REFUSE(r, "%s: \"%.40s\" is not a whole number in [1, %lld]", column_names[c], s, (long long)max);
  *out = v;
  return HS_OK;
}

/* "3" or "3x5"; a refusal has all of it */
static enum hs_status pair(const struct reader *r, enum column c, int64_t out[2])
{
  const char *s = cell(r, c), *x = strchr(s, 'x');
  char first[24];
  out[0] = out[1] = 1;
  if (!*s) return HS_OK;
  size_t n = x ? (size_t)(x - s) : strlen(s);
  snprintf(first, sizeof first, "%.*s", (int)n, s);
  if (n < sizeof first && !whole(r, c, first, 100000, &out[0]) && !whole(r, c, x ? x + 1 : first, 100000, &out[1])) return HS_OK;
  return REFUSE(r, "%s: \"%.40s\" is not a whole number in [1, 100000], nor two with an x between them", column_names[c], s);
}

static enum hs_status word(const struct reader *r, enum column c, const char *const *words, int *out)
{
  const char *s = cell(r, c);
  if (!*s) return HS_OK;
  for (int i = 0; words[i]; i++)
    if (strcmp(words[i], s) == 0) {
      *out = i;
      return HS_OK;
    }
  struct hs_text list = {0};
  hs_text_words(&list, words);
  REFUSE(r, "%s: \"%.40s\" is not one of %s", column_names[c], s, list.s);
  hs_text_free(&list);
  return r->err->status;
}

static enum hs_status latency(const struct reader *r, double *out)
{
  static const double unit[] = {1, 1e-3, 1e-6};
  int u = r->at[LATENCY_S] >= 0 ? 0 : r->at[LATENCY_MS] >= 0 ? 1 : 2;
  enum column c = LATENCY_S + (enum column)u;
  const char *s = cell(r, c);
  double v;
  const char *end = hs_decimal_prefix(s, &v);
  if (!end) return REFUSE(r, "%s: \"%.40s\" is not a number", column_names[c], s);
  if (*end == ',' && !end[strspn(end, ",0123456789")]) return REFUSE(r, "%s: \"%.40s\": a number has a decimal point", column_names[c], s);
  if (*end) return REFUSE(r, "%s: \"%.40s\": mixed units, or not a number: the column's name says the unit of all rows", column_names[c], s);
  *out = v * unit[u];
  if (*out <= 0 || *out > HS_LATENCY_MAX_S)
    return REFUSE(r, "%s: %.12g is not a latency in (0, %g]", column_names[c], v, HS_LATENCY_MAX_S / unit[u]);
  return HS_OK;
}

/* --- what it ran on --- */

static enum hs_status read_bench(const struct reader *r, struct hs_bench **bench)
{
  struct hs_measurements *m = r->m;
  int p, precision = m->precision, memory_type = m->memory_type;
  int64_t threads = m->threads;
  const char *cores = cell(r, CORES);
  HS_TRY(hs_measurements_processor(m, r->csv.file, r->csv.line, cell(r, PROCESSOR), &p, r->err));
  HS_TRY(word(r, PRECISION, hs_precision_names, &precision));
  HS_TRY(word(r, MEMORY_TYPE, hs_memory_type_names, &memory_type));
  bool gpu = m->soc->processors[p].kind == HS_GPU, cpu = m->soc->processors[p].kind == HS_CPU;
  if (*cell(r, MEMORY_TYPE) && !gpu) return REFUSE(r, "memory_type: %s is no GPU", m->soc->processors[p].name);
  if (*cell(r, THREADS)) {
    if (!cpu) return REFUSE(r, "threads: %s is no CPU", m->soc->processors[p].name);
    if (*cell(r, CORES)) return REFUSE(r, "threads and cores are both given");
    HS_TRY(whole(r, THREADS, cell(r, THREADS), HS_CORES_MAX, &threads));
  }
  if (*cores) threads = 0;
  if (cpu && m->cores && !*cores && !*cell(r, THREADS)) cores = m->cores;
  return hs_measurements_bench(m, r->csv.file, r->csv.line, p, precision, memory_type, (int)threads, cores, bench, r->err);
}

/* --- what ran --- */

#define BIT(c) (1u << (c))
enum { WINDOW = BIT(KERNEL) | BIT(STRIDE) | BIT(PAD) };
/* Operators that one row can describe; others come with a network. */
static const struct {
  enum hs_op_type type;
  unsigned takes, needs; /* columns besides h, w and cin */
} describable[] = {
  {HS_OP_CONV, WINDOW | BIT(DILATION) | BIT(GROUP) | BIT(COUT), BIT(COUT)},
  {HS_OP_DEPTHWISE_CONV, WINDOW | BIT(DILATION) | BIT(COUT), 0},
  {HS_OP_CONV_TRANSPOSE, WINDOW | BIT(COUT), BIT(COUT)},
  {HS_OP_GEMM, BIT(COUT), BIT(COUT)},
  {HS_OP_MAX_POOL, WINDOW, BIT(KERNEL)},
  {HS_OP_AVERAGE_POOL, WINDOW, BIT(KERNEL)},
};
enum { N_DESCRIBABLE = sizeof describable / sizeof *describable };

/* Operators that work on the whole input and have no attributes, or only ones that don't matter here. */
static bool plain(enum hs_op_type t)
{
  return hs_op_keeps_shape(t) || t == HS_OP_GLOBAL_AVERAGE_POOL || t == HS_OP_CONCAT;
}

static enum hs_status check_attributes(const struct reader *r, enum hs_op_type type)
{
  unsigned takes = 0, needs = 0;
  int i = 0;
  while (i < N_DESCRIBABLE && describable[i].type != type) i++;
  if (i < N_DESCRIBABLE) {
    takes = describable[i].takes;
    needs = describable[i].needs;
  } else if (!plain(type))
    return REFUSE(r, "op: a row can't describe %s: measure it in a network (the operator profile of one)", hs_op_name(type));
  for (enum column c = COUT; c <= GROUP; c++) {
    if (*cell(r, c) && !(takes >> c & 1)) return REFUSE(r, "%s: doesn't go with %s", column_names[c], hs_op_name(type));
    if (!*cell(r, c) && needs >> c & 1) return REFUSE(r, "%s: is missing, and %s needs it", column_names[c], hs_op_name(type));
  }
  return *cell(r, CIN) ? HS_OK : REFUSE(r, "cin: is missing");
}

static enum hs_status add_pad(const struct reader *r, struct hs_text *t)
{
  const char *s = cell(r, PAD);
  int64_t n = 0;
  if (!*s || strcmp(s, "same") == 0 || strcmp(s, "valid") == 0) {
    hs_text_addf(t, ", \"pad\": \"%s\"", *s ? s : "same");
    return HS_OK;
  }
  if (strcmp(s, "0") != 0 && whole(r, PAD, s, 1000, &n))
    return REFUSE(r, "pad: \"%.40s\" is not same, valid or a whole number in [0, 1000]", s);
  hs_text_addf(t, ", \"pad\": [%lld, %lld, %lld, %lld]", (long long)n, (long long)n, (long long)n, (long long)n);
  return HS_OK;
}

static enum hs_status add_attributes(const struct reader *r, enum hs_op_type type, int64_t cin, struct hs_text *t)
{
  static const struct {
    enum column column;
    const char *key;
  } pairs[] = {{KERNEL, "kernel"}, {STRIDE, "stride"}, {DILATION, "dilation"}};
  int64_t v[2], cout = 0;
  bool window = hs_op_has_window(type);
  for (int i = 0; i < 3 && window; i++) {
    if (!*cell(r, pairs[i].column) && pairs[i].column != KERNEL) continue;
    HS_TRY(pair(r, pairs[i].column, v));
    hs_text_addf(t, ", \"%s\": [%lld, %lld]", pairs[i].key, (long long)v[0], (long long)v[1]);
  }
  if (window) HS_TRY(add_pad(r, t));
  if (*cell(r, COUT)) HS_TRY(whole(r, COUT, cell(r, COUT), 1000000, &cout));
  if (type == HS_OP_DEPTHWISE_CONV) {
    if (cout % cin) return REFUSE(r, "cout: %lld is not a multiple of cin, %lld", (long long)cout, (long long)cin);
    if (cout) hs_text_addf(t, ", \"multiplier\": %lld", (long long)(cout / cin));
  } else if (cout)
    hs_text_addf(t, ", \"channels\": %lld", (long long)cout);
  if (!*cell(r, GROUP)) return HS_OK;
  HS_TRY(whole(r, GROUP, cell(r, GROUP), 1000000, &v[0]));
  hs_text_addf(t, ", \"group\": %lld", (long long)v[0]);
  return HS_OK;
}

/* A network of this one operator, so that shapes and rules are the workload reader's. */
static enum hs_status describe(const struct reader *r, enum hs_op_type type, struct hs_text *t)
{
  int64_t h = 1, w, cin;
  bool flat = !*cell(r, H);
  HS_TRY(whole(r, CIN, cell(r, CIN), 10000000, &cin));
  if (!flat) HS_TRY(whole(r, H, cell(r, H), 100000, &h));
  w = h;
  if (*cell(r, W)) HS_TRY(whole(r, W, cell(r, W), 100000, &w));
  if (*cell(r, W) && flat) return REFUSE(r, "w: \"%.40s\", and h is empty: an image has both", cell(r, W));
  int n = hs_op_arity(type) == 2 ? 2 : 1;
  hs_text_add(t, "{\"format\": \"hetsim-workload/1\", \"name\": \"row\", \"title\": \"row\", \"source\": \"measurements\", \"inputs\": [");
  for (int i = 0; i < n; i++) {
    hs_text_addf(t, "%s{\"name\": \"in%d\", \"shape\": ", i ? ", " : "", i);
    if (flat)
      hs_text_addf(t, "[1, %lld]}", (long long)cin);
    else
      hs_text_addf(t, "[1, %lld, %lld, %lld]}", (long long)h, (long long)w, (long long)cin);
  }
  hs_text_addf(t, "], \"outputs\": [\"out\"], \"ops\": [{\"name\": \"out\", \"op\": \"%s\", \"inputs\": [\"in0\"%s]",
               hs_op_name(type), n == 2 ? ", \"in1\"" : "");
  HS_TRY(add_attributes(r, type, cin, t));
  hs_text_add(t, "}]}");
  return HS_OK;
}

static enum hs_status unknown_op(const struct reader *r, const char *name)
{
  const char *near = hs_op_nearest(name);
  return REFUSE(r, "op: there is no operator \"%.40s\"%s%s%s", name, near ? "; did you mean " : "", near ? near : "", near ? "?" : "");
}

/* The operator of a graph of one: its shapes and attributes. */
static const char *operator_text(struct hs_arena *arena, const struct hs_graph *g)
{
  const struct hs_operator *op = &g->ops[0];
  const struct hs_attributes *at = &op->at;
  char in[100], out[100];
  return hs_arena_printf(arena, "%s %s to %s, kernel %lldx%lld, stride %lldx%lld, dilation %lldx%lld, pad %lld %lld %lld %lld, group %lld",
                         hs_op_name(op->type), hs_shape_text(&g->tensors[op->inputs[0]].shape, in, sizeof in),
                         hs_shape_text(&g->tensors[op->outputs[0]].shape, out, sizeof out),
                         (long long)at->kernel[0], (long long)at->kernel[1], (long long)at->stride[0], (long long)at->stride[1], (long long)at->dilation[0],
                         (long long)at->dilation[1], (long long)at->pad[0], (long long)at->pad[1], (long long)at->pad[2], (long long)at->pad[3],
                         (long long)at->group);
}

/* Concat has all its inputs in one here, which tables want to be several. */
static enum hs_status check_runs(const struct reader *r, const struct hs_bench *b, const struct hs_graph *g)
{
  char why[160];
  if (g->ops[0].type == HS_OP_CONCAT || hs_system_supports(&b->sys, g, &g->ops[0], b->processor, why, sizeof why)) return HS_OK;
  return REFUSE(r, "op: under %s the %s doesn't run it: %s", r->m->runtime->name, r->m->soc->processors[b->processor].name, why);
}

static enum hs_status read_operator(const struct reader *r, struct hs_measurement *row)
{
  const char *name = cell(r, OP);
  int type = hs_op_find(name);
  if (type < 0) return unknown_op(r, name);
  HS_TRY(check_attributes(r, (enum hs_op_type)type));
  struct hs_text t = {0};
  struct hs_graph *g = NULL;
  struct hs_error why;
  enum hs_status status = describe(r, (enum hs_op_type)type, &t);
  if (!status && hs_graph_parse(r->csv.file, t.s, t.len, &g, &why)) {
    const char *rule = strncmp(why.text, "operator \"out\": ", 16) == 0 ? why.text + 16 : why.text;
    status = REFUSE(r, "%s: %.600s", name, rule);
  }
  hs_text_free(&t);
  if (status) return status;
  hs_measurements_own(r->m, NULL, g);
  HS_TRY(check_runs(r, row->bench, g));
  row->graph = g;
  row->op = 0;
  row->operator = operator_text(&r->m->arena, g);
  return HS_OK;
}

static enum hs_status read_network(const struct reader *r, struct hs_measurement *row)
{
  HS_TRY(hs_measurements_network(r->m, r->csv.file, r->csv.line, cell(r, MODEL), &row->graph, r->err));
  for (enum column c = H; c <= GROUP; c++)
    if (*cell(r, c)) return REFUSE(r, "%s: doesn't go with a whole network", column_names[c]);
  row->op = -1;
  row->operator = "";
  return hs_measurements_lower(r->m, r->csv.file, r->csv.line, row->bench, row->graph, &row->program, r->err);
}

/* --- rows --- */

/* The cells but the latency, in whatever order the file has them. */
static const char *row_text(const struct reader *r)
{
  struct hs_text t = {0};
  for (enum column c = PROCESSOR; c < LATENCY_S; c++)
    if (*cell(r, c)) hs_text_addf(&t, "%s%s %s", t.len ? ", " : "", column_names[c], cell(r, c));
  const char *s = hs_arena_strdup(&r->m->arena, t.s ? t.s : "");
  hs_text_free(&t);
  return s;
}

static enum hs_status read_row(const struct reader *r, bool kept_out)
{
  struct hs_measurement row = {.file = r->csv.file, .line = r->csv.line, .network = cell(r, NETWORK), .index = cell(r, INDEX), .text = row_text(r),
                               .kept_out = kept_out};
  HS_TRY(latency(r, &row.latency_s));
  if (!*cell(r, MODEL) == !*cell(r, OP))
    return REFUSE(r, "a row is of an operator (op) or of a whole network (model): %s", *cell(r, OP) ? "both are given" : "neither is given");
  HS_TRY(read_bench(r, &row.bench));
  enum hs_status status = *cell(r, OP) ? read_operator(r, &row) : read_network(r, &row);
  if (!status) status = hs_measurements_add(r->m, &row, r->err);
  if (status) hs_program_free(row.program);
  return status;
}

static enum hs_status find_columns(struct reader *r)
{
  const struct hs_csv *csv = &r->csv;
  int units = 0;
  for (int c = 0; c < COLUMN_N; c++) r->at[c] = -1;
  if (strstr(csv->columns[0].text, "Profiling Info for"))
    return hs_fail_at(r->err, HS_INPUT, csv->file, csv->line, 0, NULL,
                      "is an operator profile of benchmark_model, which is given as MODEL:PROCESSOR=%s", csv->file);
  for (int i = 0; i < csv->n_columns; i++) {
    int c = 0;
    while (c < COLUMN_N && strcmp(column_names[c], csv->columns[i].text) != 0) c++;
    int near = hs_nearest(csv->columns[i].text, column_names, COLUMN_N);
    if (c == COLUMN_N)
      return hs_fail_at(r->err, HS_INPUT, csv->file, csv->line, 0, NULL, "unknown column \"%.40s\"%s%s%s", csv->columns[i].text,
                        near >= 0 ? "; did you mean " : "", near >= 0 ? column_names[near] : "", near >= 0 ? "?" : "");
    r->at[c] = i;
    units += c >= LATENCY_S;
  }
  if (units != 1)
    return hs_fail_at(r->err, HS_INPUT, csv->file, csv->line, 0, NULL, "%s: one of latency_s, latency_ms and latency_us is needed",
                      units ? "mixed units" : "no latency");
  if (r->at[PROCESSOR] < 0) return hs_fail_at(r->err, HS_INPUT, csv->file, csv->line, 0, NULL, "column processor is missing");
  return HS_OK;
}

/* What it ran on however the cells say it: a runtime's own precision and threads may be left out, and core sets stand in any order. */
static int by_bench(const struct hs_bench *x, const struct hs_bench *y)
{
  const struct hs_backend *a = &x->sys.backends[x->processor], *b = &y->sys.backends[y->processor];
  int order = x->processor - y->processor;
  if (!order) order = (int)a->precision - (int)b->precision;
  if (!order) order = (int)a->memory_type - (int)b->memory_type;
  if (!order) order = a->threads - b->threads;
  for (int d = 0; !order && d < HS_DOMAINS_MAX; d++) order = a->cores[d] - b->cores[d];
  return order;
}

/* An operator where it was measured; a network however it is called, but another file's is another. */
static int by_what(const struct hs_measurement *x, const struct hs_measurement *y)
{
  int order = (x->op < 0) - (y->op < 0);
  if (order) return order;
  if (x->op < 0) return strcmp(x->graph->sha256, y->graph->sha256);
  order = strcmp(x->operator, y->operator);
  if (!order) order = strcmp(x->network, y->network);
  return order ? order : strcmp(x->index, y->index);
}

static int by_bench_and_what(const struct hs_measurement *x, const struct hs_measurement *y)
{
  int order = by_bench(x->bench, y->bench);
  return order ? order : by_what(x, y);
}

/* And then by latency, and in the order in which they were read. */
static int by_cells_and_place(const void *a, const void *b)
{
  const struct hs_measurement *x = *(const struct hs_measurement *const *)a, *y = *(const struct hs_measurement *const *)b;
  int order = by_bench_and_what(x, y);
  if (!order) order = (x->latency_s > y->latency_s) - (x->latency_s < y->latency_s);
  return order ? order : (x > y) - (x < y);
}

/* A unit may round the last digit of a latency. */
static bool same_cells(const struct hs_measurement *x, const struct hs_measurement *y)
{
  return by_bench_and_what(x, y) == 0 && fabs(x->latency_s / y->latency_s - 1) < 1e-12;
}

/* The same cells twice are a copy of a row, not a second measurement; also in two files, where one could be fitted and the other kept out.
 * `from`: the first row of this file. */
static enum hs_status check_duplicates(const struct hs_measurements *m, int from, struct hs_error *err)
{
  const struct hs_measurement **sorted = hs_realloc(NULL, (size_t)m->n + 1, sizeof *sorted), *first = NULL, *second = NULL;
  for (int i = 0; i < m->n; i++) sorted[i] = &m->rows[i];
  qsort(sorted, (size_t)m->n, sizeof *sorted, by_cells_and_place);
  for (int i = 1; i < m->n; i++)
    if (same_cells(sorted[i - 1], sorted[i])) {
      const struct hs_measurement *earlier = sorted[i - 1] < sorted[i] ? sorted[i - 1] : sorted[i], *later = earlier == sorted[i] ? sorted[i - 1] : sorted[i];
      if (later < &m->rows[from] || (second && second < later)) continue;
      first = earlier;
      second = later;
    }
  free(sorted);
  if (!second) return HS_OK;
  bool other = first < &m->rows[from];
  return hs_fail_at(err, HS_INPUT, second->file, second->line, 0, NULL,
                    "duplicate: the same row as line %d%s%s%s", first->line, other ? " of " : "", other ? first->file : "",
                    second->op < 0 ? "" : " (the columns network and index tell operators apart that are alike)");
}

enum hs_status hs_measurements_parse(struct hs_measurements *m, const char *file, const char *text, size_t len, bool kept_out, struct hs_error *err)
{
  struct reader r = {.m = m, .err = err};
  int from = m->n;
  HS_TRY(hs_text_check(file, text, len, err));
  if (strstr(text, "node type, ") && strstr(text, "avg_ms"))
    return hs_fail_at(err, HS_INPUT, file, 1, 0, NULL,
                      "is an operator profile of TensorFlow Lite, which doesn't say of which network: write MODEL:PROCESSOR=%.100s", file);
  HS_TRY(hs_csv_open(&r.csv, file, hs_arena_strdup(&m->arena, text), err));
  HS_TRY(find_columns(&r));
  if (!hs_csv_more(&r.csv)) return hs_fail_at(err, HS_INPUT, file, r.csv.line, 0, NULL, "too few rows: there is none");
  while (hs_csv_more(&r.csv)) {
    HS_TRY(hs_csv_next(&r.csv, err));
    HS_TRY(read_row(&r, kept_out));
  }
  return check_duplicates(m, from, err);
}
