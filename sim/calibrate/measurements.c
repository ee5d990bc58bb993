/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "calibrate/measurements.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "calibrate/csv.h"
#include "plan/delegate.h"
#include "plan/estimate.h"
#include "plan/lower.h"
#include "plan/pass.h"

enum { ROWS_MAX = 200000 };

enum column {
  NETWORK, INDEX, PROCESSOR, PRECISION, MEMORY_TYPE, THREADS, CORES, MODEL, OP, H, W, CIN, COUT, KERNEL, STRIDE, PAD, DILATION, GROUP,
  LATENCY_S, LATENCY_MS, LATENCY_US, COLUMN_N
};
static const char *const column_names[COLUMN_N + 1] = {
  "network", "index", "processor", "precision", "memory_type", "threads", "cores", "model", "op", "h", "w", "cin", "cout", "kernel", "stride", "pad",
  "dilation", "group", "latency_s", "latency_ms", "latency_us", NULL};

/* One row while it is read. */
struct reader {
  struct hs_measurements *m;
  const struct hs_csv *csv;
  const struct hs_csv_row *row;
  int at[COLUMN_N]; /* column of the file, or -1 */
  struct hs_error *err;
};

static const char *cell(const struct reader *r, enum column c) { return r->at[c] < 0 ? "" : r->row->cells[r->at[c]]; }

#define REFUSE(r, ...) hs_fail_at((r)->err, HS_INPUT, (r)->csv->file, (r)->row->line, 0, NULL, __VA_ARGS__)

/* --- cells --- */

static enum hs_status whole(const struct reader *r, enum column c, const char *s, int64_t max, int64_t *out)
{
  char *end;
  errno = 0;
  long long v = strtoll(s, &end, 10);
  if (errno || end == s || *end || v < 1 || v > max)
    return REFUSE(r, "%s: \"%.40s\" is not a whole number in [1, %lld]", column_names[c], s, (long long)max);
  *out = v;
  return HS_OK;
}

/* "3" or "3x5" */
static enum hs_status pair(const struct reader *r, enum column c, int64_t out[2])
{
  const char *s = cell(r, c), *x = strchr(s, 'x');
  char first[24];
  out[0] = out[1] = 1;
  if (!*s) return HS_OK;
  if (!x) {
    HS_TRY(whole(r, c, s, 100000, &out[0]));
    out[1] = out[0];
    return HS_OK;
  }
  snprintf(first, sizeof first, "%.*s", (int)(x - s), s);
  HS_TRY(whole(r, c, first, 100000, &out[0]));
  return whole(r, c, x + 1, 100000, &out[1]);
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
  char *end;
  double v = strtod(s, &end);
  if (*end == ',' && !end[strspn(end, ",0123456789")]) return REFUSE(r, "%s: \"%.40s\": a number has a decimal point", column_names[c], s);
  if (end != s && *end && strspn(s, "0123456789+-.eE") < strlen(s) && isfinite(v))
    return REFUSE(r, "%s: \"%.40s\": mixed units, or not a number: the column's name says the unit of all rows", column_names[c], s);
  if (!hs_decimal_parse(s, &v)) return REFUSE(r, "%s: \"%.40s\" is not a number", column_names[c], s);
  *out = v * unit[u];
  if (*out <= 0 || *out > HS_LATENCY_MAX_S)
    return REFUSE(r, "%s: %.12g is not a latency in (0, %g]", column_names[c], v, HS_LATENCY_MAX_S / unit[u]);
  return HS_OK;
}

/* --- what it ran on --- */

enum hs_status hs_measurements_processor(const struct hs_measurements *m, const char *file, int line, const char *name, int *p, struct hs_error *err)
{
  *p = hs_soc_find(m->soc, name);
  if (*p >= 0) return HS_OK;
  struct hs_text list = {0};
  for (int i = 0; i < m->soc->n_processors; i++) hs_text_addf(&list, "%s%s", i ? ", " : "", m->soc->processors[i].name);
  hs_fail_at(err, HS_INPUT, file, line, 0, NULL, "processor: %s has no \"%.40s\" (it has %s)", m->soc->name, name, list.s);
  hs_text_free(&list);
  return err->status;
}

static bool same_bench(const struct hs_bench *b, int processor, const struct hs_system *sys, int threads, const char *cores)
{
  for (int p = 0; p < sys->soc->n_processors; p++)
    if (b->sys.backends[p].precision != sys->backends[p].precision || b->sys.backends[p].memory_type != sys->backends[p].memory_type) return false;
  return b->processor == processor && b->threads == threads && strcmp(b->cores, cores) == 0;
}

/* The system falls back to what there is where a wish can't be met; a measurement can't. */
static enum hs_status check_wish(const struct hs_system *sys, const char *file, int line, int p, int precision, int memory_type, struct hs_error *err)
{
  const struct hs_backend *b = &sys->backends[p];
  const char *name = sys->soc->processors[p].name;
  if (!b->available) return hs_fail_at(err, HS_INPUT, file, line, 0, NULL, "processor: runtime %s has no code for the %s", sys->runtime->name, name);
  if (precision >= 0 && (int)b->precision != precision)
    return hs_fail_at(err, HS_INPUT, file, line, 0, NULL, "precision: under %s the %s of %s doesn't compute in %s", sys->runtime->name, name, sys->soc->name,
                      hs_precision_names[precision]);
  if (memory_type >= 0 && (int)b->memory_type != memory_type)
    return hs_fail_at(err, HS_INPUT, file, line, 0, NULL, "memory_type: the %s has no %s memory", name, hs_memory_type_names[memory_type]);
  return HS_OK;
}

enum hs_status hs_measurements_bench(struct hs_measurements *m, const char *file, int line, int processor, int precision, int memory_type,
                                     int threads, const char *cores, struct hs_bench **bench, struct hs_error *err)
{
  const struct hs_processor *p = &m->soc->processors[processor];
  if (p->kind != HS_CPU) threads = 0;
  if (*cores && p->kind != HS_CPU) return hs_fail_at(err, HS_INPUT, file, line, 0, NULL, "cores: %s is no CPU", p->name);
  if (threads > hs_processor_cores(p))
    return hs_fail_at(err, HS_INPUT, file, line, 0, NULL, "threads: %d, and %s has %d cores", threads, p->name, hs_processor_cores(p));
  const struct hs_settings settings = {.runtime = m->runtime, .precision = precision, .memory_type = p->kind == HS_GPU ? memory_type : -1, .threads = threads};
  const struct hs_system_files files = {m->own, m->estimate, hs_catalog_table, m->catalog};
  struct hs_bench b = {processor, threads, cores, {0}};
  struct hs_error why;
  if (hs_system_make(&b.sys, m->soc, &settings, &files, &why)) return hs_fail_at(err, HS_INPUT, file, line, 0, NULL, "%.700s", why.text);
  HS_TRY(check_wish(&b.sys, file, line, processor, precision, p->kind == HS_GPU ? memory_type : -1, err));
  for (int i = 0; i < m->n_benches; i++)
    if (same_bench(m->benches[i], processor, &b.sys, threads, cores)) {
      *bench = m->benches[i];
      return HS_OK;
    }
  char reason[160];
  if (*cores && !hs_backend_take_cores(&b.sys.backends[processor], p, cores, reason, sizeof reason))
    return hs_fail_at(err, HS_INPUT, file, line, 0, NULL, "cores: %s", reason);
  HS_GROW(m->benches, m->n_benches, m->cap_benches);
  *bench = m->benches[m->n_benches++] = HS_NEW(&m->arena, struct hs_bench);
  **bench = b;
  return HS_OK;
}

static enum hs_status read_bench(const struct reader *r, struct hs_bench **bench)
{
  struct hs_measurements *m = r->m;
  int p, precision = m->precision, memory_type = m->memory_type;
  int64_t threads = m->threads;
  HS_TRY(hs_measurements_processor(m, r->csv->file, r->row->line, cell(r, PROCESSOR), &p, r->err));
  HS_TRY(word(r, PRECISION, hs_precision_names, &precision));
  HS_TRY(word(r, MEMORY_TYPE, hs_memory_type_names, &memory_type));
  bool gpu = m->soc->processors[p].kind == HS_GPU, cpu = m->soc->processors[p].kind == HS_CPU;
  if (*cell(r, MEMORY_TYPE) && !gpu) return REFUSE(r, "memory_type: %s is no GPU", m->soc->processors[p].name);
  if (*cell(r, THREADS)) {
    if (!cpu) return REFUSE(r, "threads: %s is no CPU", m->soc->processors[p].name);
    if (*cell(r, CORES)) return REFUSE(r, "threads and cores are both given");
    HS_TRY(whole(r, THREADS, cell(r, THREADS), HS_CORES_MAX, &threads));
  }
  if (*cell(r, CORES)) threads = 0;
  return hs_measurements_bench(m, r->csv->file, r->row->line, p, precision, memory_type, (int)threads, cell(r, CORES), bench, r->err);
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
  return t == HS_OP_GLOBAL_AVERAGE_POOL || t == HS_OP_CONCAT || (t >= HS_OP_ADD && t <= HS_OP_LOG_SOFTMAX) || t == HS_OP_QUANTIZE || t == HS_OP_DEQUANTIZE;
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
  if (strcmp(s, "0") != 0) HS_TRY(whole(r, PAD, s, 1000, &n));
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
  int n = hs_op_arity(type) == 2 ? 2 : 1;
  hs_text_add(t, "{\"format\": \"hetsim-workload/1\", \"name\": \"row\", \"title\": \"row\", \"source\": \"measurements\", \"inputs\": [");
  for (int i = 0; i < n; i++) {
    hs_text_addf(t, "%s{\"name\": \"in%d\", \"shape\": ", i ? ", " : "", i);
    if (flat)
      hs_text_addf(t, "[1, %lld]}", (long long)cin);
    else
      hs_text_addf(t, "[1, %lld, %lld, %lld]}", (long long)h, (long long)w, (long long)cin);
  }
  hs_text_addf(t, "], \"outputs\": [\"out\"], \"ops\": [{\"name\": \"out\", \"op\": \"%s\", \"inputs\": [\"in0\"%s]", hs_op_name(type), n == 2 ? ", \"in1\"" : "");
  HS_TRY(add_attributes(r, type, cin, t));
  hs_text_add(t, "}]}");
  return HS_OK;
}

static enum hs_status unknown_op(const struct reader *r, const char *name)
{
  const char *near = hs_op_nearest(name);
  return REFUSE(r, "op: there is no operator \"%.40s\"%s%s%s", name, near ? "; did you mean " : "", near ? near : "", near ? "?" : "");
}

static void own_graph(struct hs_measurements *m, const char *model, struct hs_graph *g)
{
  HS_GROW(m->graphs, m->n_graphs, m->cap_graphs);
  m->graphs[m->n_graphs++] = (struct hs_measured_graph){model, g};
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
  if (!status && hs_graph_parse(r->csv->file, t.s, t.len, &g, &why)) {
    const char *rule = strncmp(why.text, "operator \"out\": ", 16) == 0 ? why.text + 16 : why.text;
    status = REFUSE(r, "%s: %.600s", name, rule);
  }
  hs_text_free(&t);
  if (status) return status;
  own_graph(r->m, NULL, g);
  row->graph = g;
  row->op = 0;
  return HS_OK;
}

enum hs_status hs_measurements_network(struct hs_measurements *m, const char *file, int line, const char *name, const struct hs_graph **graph,
                                       struct hs_error *err)
{
  struct hs_graph *g = NULL;
  struct hs_error why;
  for (int i = 0; i < m->n_graphs; i++)
    if (m->graphs[i].model && strcmp(m->graphs[i].model, name) == 0) {
      *graph = m->graphs[i].graph;
      return HS_OK;
    }
  if (hs_catalog_workload(m->catalog, name, &g, &why)) {
    char text[800];
    hs_error_message(&why, text, sizeof text); /* with its own place in the network's file */
    return hs_fail_at(err, why.status == HS_USAGE ? HS_INPUT : why.status, file, line, 0, NULL, "model: %.700s", text);
  }
  struct hs_graph *fused = hs_pass_fuse(g, m->runtime);
  hs_graph_free(g);
  own_graph(m, hs_arena_strdup(&m->arena, name), fused);
  *graph = fused;
  return HS_OK;
}

static bool runs_on(const struct hs_bench *b, const struct hs_graph *g, const struct hs_operator *op, int p, char *why, size_t size)
{
  double limit = b->sys.soc->processors[p].slice_limit_bytes;
  snprintf(why, size, "larger than its slice limit");
  return hs_system_supports(&b->sys, g, op, p, why, size) && (limit <= 0 || hs_slice_bytes(&b->sys, g, op, p) <= limit);
}

/* Which operators the processor runs; to be freed. */
static bool *taken(const struct hs_bench *b, const struct hs_graph *g)
{
  bool *takes = hs_realloc(NULL, (size_t)g->n_ops, sizeof *takes);
  char why[160];
  for (int i = 0; i < g->n_ops; i++) takes[i] = runs_on(b, g, &g->ops[i], b->processor, why, sizeof why);
  hs_delegated(g, b->sys.runtime->backends[b->sys.soc->processors[b->processor].kind].partitions, takes);
  return takes;
}

/* The network on this processor alone, in slices as large as its memory limit allows; what can't run there runs on the host, as a delegate leaves it
 * (the policies of that name ask other accelerators first). */
static enum hs_status place(const struct hs_bench *b, const struct hs_graph *g, const char *file, int line, struct hs_placement *pl, struct hs_error *err)
{
  double bytes = 0;
  bool *takes = taken(b, g);
  enum hs_status status = HS_OK;
  for (int i = 0; i < g->n_ops && !status; i++) {
    int p = takes[i] ? b->processor : b->sys.host;
    char why[160] = "";
    runs_on(b, g, &g->ops[i], b->processor, why, sizeof why);
    if (p != b->processor && !hs_system_supports(&b->sys, g, &g->ops[i], p, NULL, 0))
      status = hs_fail_at(err, HS_INPUT, file, line, 0, NULL, "%s: neither the processor nor %s runs operator \"%s\": %s", g->name,
                          b->sys.soc->processors[p].name, g->ops[i].name, why);
    double limit = b->sys.soc->processors[p].slice_limit_bytes, more = hs_slice_bytes(&b->sys, g, &g->ops[i], p);
    bool next = i == 0 || pl->ops[i - 1].parts[0].processor != p || (limit > 0 && bytes + more > limit);
    bytes = next ? more : bytes + more;
    hs_place_whole(&pl->ops[i], p);
    pl->ops[i].fallback = p != b->processor;
    pl->ops[i].chain = next ? i : pl->ops[i - 1].chain;
  }
  free(takes);
  return status;
}

static enum hs_status read_network(const struct reader *r, struct hs_measurement *row)
{
  HS_TRY(hs_measurements_network(r->m, r->csv->file, r->row->line, cell(r, MODEL), &row->graph, r->err));
  for (enum column c = H; c <= GROUP; c++)
    if (*cell(r, c)) return REFUSE(r, "%s: doesn't go with a whole network", column_names[c]);
  struct hs_placement *pl = hs_placement_new(&r->m->arena, row->graph->n_ops);
  struct hs_error why;
  row->op = -1;
  HS_TRY(place(row->bench, row->graph, r->csv->file, r->row->line, pl, r->err));
  if (hs_lower(&row->bench->sys, row->graph, pl, &row->program, &why)) return REFUSE(r, "%s: %.600s", row->graph->name, why.text);
  return HS_OK;
}

/* --- rows --- */

enum hs_status hs_measurements_add(struct hs_measurements *m, const struct hs_measurement *row, struct hs_error *err)
{
  if (m->n == ROWS_MAX) return hs_fail_at(err, HS_INPUT, row->file, row->line, 0, NULL, "more than %d rows", ROWS_MAX);
  HS_GROW(m->rows, m->n, m->cap);
  m->rows[m->n++] = *row;
  return HS_OK;
}

static const char *row_text(const struct reader *r)
{
  struct hs_text t = {0};
  for (int i = 0; i < r->csv->n_columns; i++) hs_text_addf(&t, "%s%s", i ? "," : "", r->row->cells[i]);
  const char *s = hs_arena_strdup(&r->m->arena, t.s);
  hs_text_free(&t);
  return s;
}

static enum hs_status read_row(const struct reader *r, bool kept_out)
{
  struct hs_measurement row = {.file = r->csv->file, .line = r->row->line, .network = cell(r, NETWORK), .text = row_text(r), .kept_out = kept_out};
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
  const struct hs_csv *csv = r->csv;
  int units = 0;
  for (int c = 0; c < COLUMN_N; c++) r->at[c] = -1;
  for (int i = 0; i < csv->n_columns; i++) {
    int c = 0;
    while (c < COLUMN_N && strcmp(column_names[c], csv->columns[i]) != 0) c++;
    int near = hs_nearest(csv->columns[i], column_names, COLUMN_N);
    if (c == COLUMN_N)
      return hs_fail_at(r->err, HS_INPUT, csv->file, csv->header_line, 0, NULL, "unknown column \"%.40s\"%s%s%s", csv->columns[i],
                        near >= 0 ? "; did you mean " : "", near >= 0 ? column_names[near] : "", near >= 0 ? "?" : "");
    r->at[c] = i;
    units += c >= LATENCY_S;
  }
  if (units != 1)
    return hs_fail_at(r->err, HS_INPUT, csv->file, csv->header_line, 0, NULL, "%s: one of latency_s, latency_ms and latency_us is needed",
                      units ? "mixed units" : "no latency");
  if (r->at[PROCESSOR] < 0) return hs_fail_at(r->err, HS_INPUT, csv->file, csv->header_line, 0, NULL, "column processor is missing");
  return HS_OK;
}

/* By their cells, and then in the order in which they were read. */
static int by_text(const void *a, const void *b)
{
  const struct hs_measurement *x = *(const struct hs_measurement *const *)a, *y = *(const struct hs_measurement *const *)b;
  int order = strcmp(x->text, y->text);
  return order ? order : (x > y) - (x < y);
}

/* The same cells twice are a copy of a row, not a second measurement; also in two files, where one could be fitted and the other kept out.
 * `from`: the first row of this file. */
static enum hs_status check_duplicates(const struct hs_measurements *m, int from, struct hs_error *err)
{
  const struct hs_measurement **sorted = hs_realloc(NULL, (size_t)m->n + 1, sizeof *sorted), *first = NULL, *second = NULL;
  for (int i = 0; i < m->n; i++) sorted[i] = &m->rows[i];
  qsort(sorted, (size_t)m->n, sizeof *sorted, by_text);
  for (int i = 1; i < m->n; i++)
    if (strcmp(sorted[i - 1]->text, sorted[i]->text) == 0 && sorted[i] >= &m->rows[from] && (!second || sorted[i] < second)) {
      first = sorted[i - 1];
      second = sorted[i];
    }
  free(sorted);
  if (!second) return HS_OK;
  bool other = first < &m->rows[from];
  return hs_fail_at(err, HS_INPUT, second->file, second->line, 0, NULL,
                    "duplicate: the same row as line %d%s%s (the columns network and index tell operators apart that are alike)", first->line, other ? " of " : "",
                    other ? first->file : "");
}

static enum hs_status read_rows(struct hs_measurements *m, const struct hs_csv *csv, bool kept_out, struct hs_error *err)
{
  struct reader r = {.m = m, .csv = csv, .err = err};
  int from = m->n;
  HS_TRY(find_columns(&r));
  if (csv->n_rows == 0) return hs_fail_at(err, HS_INPUT, csv->file, csv->header_line, 0, NULL, "too few rows: there is none");
  for (int i = 0; i < csv->n_rows; i++) {
    r.row = &csv->rows[i];
    HS_TRY(read_row(&r, kept_out));
  }
  return check_duplicates(m, from, err);
}

enum hs_status hs_measurements_parse(struct hs_measurements *m, const char *file, const char *text, size_t len, bool kept_out, struct hs_error *err)
{
  struct hs_csv csv;
  HS_TRY(hs_text_check(file, text, len, err));
  if (strstr(text, "node type, ") && strstr(text, "avg_ms"))
    return hs_fail_at(err, HS_INPUT, file, 1, 0, NULL,
                      "is an operator profile of TensorFlow Lite, which doesn't say of which network: write MODEL:PROCESSOR=%.100s", file);
  enum hs_status status = hs_csv_parse(file, text, &m->arena, &csv, err);
  if (!status) status = read_rows(m, &csv, kept_out, err);
  hs_csv_free(&csv);
  return status;
}

enum hs_status hs_measurements_read(struct hs_measurements *m, const char *file, bool kept_out, struct hs_error *err)
{
  char *text;
  size_t len;
  HS_TRY(hs_file_read(file, &text, &len, err));
  enum hs_status status = hs_measurements_parse(m, file, text, len, kept_out, err);
  free(text);
  return status;
}

static double hash_fraction(const char *s)
{
  char hex[65];
  unsigned n = 0;
  hs_sha256_hex(s, strlen(s), hex);
  sscanf(hex, "%8x", &n);
  return n / 4294967296.0;
}

/* Rows of one network go together, on whatever cores it ran and whatever `network` calls that: one that was fitted says nothing new on others. */
void hs_measurements_keep_out(struct hs_measurements *m, double fraction)
{
  for (int i = 0; i < m->n; i++) {
    struct hs_measurement *r = &m->rows[i];
    r->kept_out = hash_fraction(r->op < 0 ? r->graph->name : *r->network ? r->network : r->text) < fraction;
  }
}

double hs_measurement_seconds(const struct hs_measurement *row)
{
  const struct hs_system *sys = &row->bench->sys;
  struct hs_estimate e;
  if (row->op >= 0) return hs_cost_seconds(sys, row->graph, &row->graph->ops[row->op], row->bench->processor, -1);
  for (int i = 0; i < row->program->n_tasks; i++) {
    struct hs_task *t = &row->program->tasks[i];
    if (t->kind != HS_TASK_EXEC) continue;
    hs_cost_exec(sys, row->graph, &row->graph->ops[t->op], t->processor, (struct hs_range){HS_SPLIT_NONE, 0, 1}, &t->work);
    if (t->starts) hs_cost_start(sys, t->processor, &t->work);
  }
  hs_estimate_program(sys, row->program, &e, NULL, NULL);
  return e.latency_s;
}

void hs_measurements_note(struct hs_measurements *m, const char *format, ...)
{
  char buf[600];
  va_list args;
  va_start(args, format);
  vsnprintf(buf, sizeof buf, format, args);
  va_end(args);
  HS_GROW(m->notes, m->n_notes, m->cap_notes);
  m->notes[m->n_notes++] = hs_arena_strdup(&m->arena, buf);
}

void hs_measurements_free(struct hs_measurements *m)
{
  for (int i = 0; i < m->n; i++) hs_program_free(m->rows[i].program);
  for (int i = 0; i < m->n_graphs; i++) hs_graph_free(m->graphs[i].graph);
  free(m->rows);
  free(m->graphs);
  free(m->benches);
  free(m->notes);
  hs_arena_free(&m->arena);
  *m = (struct hs_measurements){0};
}
