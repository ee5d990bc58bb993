/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The operator profile that TensorFlow Lite's benchmark_model writes (--enable_op_profiling=true --profiling_output_csv_file=FILE):
 * a table of nodes in run order under a line "node type, first, avg_ms, %, cdf%, mem KB, times called, name" (before 2.9 with "start" before "first").
 * The table "Run Order" below the heading of the runs counts; the one of the initialisation, before, doesn't. It holds times and no shapes, so its nodes are
 * matched with a network. Commas in a node's type aren't quoted, nor before 2.9 those in its name.
 * (tensorflow/core/util/stats_calculator.cc, tensorflow/lite/profiling/profile_summarizer.cc) */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "calibrate/measurements.h"
#include "input/csv.h"

enum { NODES_MAX = 2 * HS_OPS_MAX };

/* Kinds of nodes as TensorFlow Lite and its XNNPACK delegate call them, and the operators that they are. */
static const struct {
  const char *type;  /* begins so */
  const char *within; /* and has this; NULL: nothing more */
  int ops[12];       /* one of these, -1 after the last */
} kinds[] = {
  {"CONV_2D", NULL, {HS_OP_CONV, -1}},
  {"DEPTHWISE_CONV_2D", NULL, {HS_OP_DEPTHWISE_CONV, -1}},
  {"TRANSPOSE_CONV", NULL, {HS_OP_CONV_TRANSPOSE, -1}},
  {"FULLY_CONNECTED", NULL, {HS_OP_GEMM, -1}},
  {"BATCH_MATMUL", NULL, {HS_OP_MAT_MUL, -1}},
  {"MAX_POOL_2D", NULL, {HS_OP_MAX_POOL, -1}},
  {"AVERAGE_POOL_2D", NULL, {HS_OP_AVERAGE_POOL, HS_OP_GLOBAL_AVERAGE_POOL, -1}},
  {"MEAN", NULL, {HS_OP_GLOBAL_AVERAGE_POOL, HS_OP_REDUCE_MEAN, -1}},
  {"REDUCE_MAX", NULL, {HS_OP_REDUCE_MAX, -1}},
  {"SUM", NULL, {HS_OP_REDUCE_SUM, -1}},
  {"ADD", NULL, {HS_OP_ADD, -1}},
  {"SUB", NULL, {HS_OP_SUB, -1}},
  {"MUL", NULL, {HS_OP_MUL, -1}},
  {"DIV", NULL, {HS_OP_DIV, -1}},
  {"MAXIMUM", NULL, {HS_OP_MAX, -1}},
  {"MINIMUM", NULL, {HS_OP_MIN, -1}},
  {"SQUARED_DIFFERENCE", NULL, {HS_OP_SQUARED_DIFFERENCE, -1}},
  {"RELU6", NULL, {HS_OP_RELU6, -1}},
  {"RELU", NULL, {HS_OP_RELU, -1}},
  {"LEAKY_RELU", NULL, {HS_OP_LEAKY_RELU, -1}},
  {"PRELU", NULL, {HS_OP_PRELU, -1}},
  {"LOGISTIC", NULL, {HS_OP_SIGMOID, -1}},
  {"TANH", NULL, {HS_OP_TANH, -1}},
  {"ELU", NULL, {HS_OP_ELU, -1}},
  {"HARD_SWISH", NULL, {HS_OP_HARD_SWISH, -1}},
  {"GELU", NULL, {HS_OP_GELU, -1}},
  {"SOFTMAX", NULL, {HS_OP_SOFTMAX, -1}},
  {"LOG_SOFTMAX", NULL, {HS_OP_LOG_SOFTMAX, -1}},
  {"LOCAL_RESPONSE_NORMALIZATION", NULL, {HS_OP_LRN, -1}},
  {"L2_NORMALIZATION", NULL, {HS_OP_L2_NORMALIZATION, -1}},
  {"CONCATENATION", NULL, {HS_OP_CONCAT, -1}},
  {"SPLIT", NULL, {HS_OP_SPLIT, -1}},
  {"STRIDED_SLICE", NULL, {HS_OP_SLICE, -1}},
  {"SLICE", NULL, {HS_OP_SLICE, -1}},
  {"PAD", NULL, {HS_OP_PAD, -1}},
  {"MIRROR_PAD", NULL, {HS_OP_PAD, -1}},
  {"RESHAPE", NULL, {HS_OP_RESHAPE, -1}},
  {"TRANSPOSE", NULL, {HS_OP_TRANSPOSE, -1}},
  {"RESIZE_BILINEAR", NULL, {HS_OP_RESIZE_BILINEAR, -1}},
  {"RESIZE_NEAREST_NEIGHBOR", NULL, {HS_OP_RESIZE_NEAREST, -1}},
  {"SPACE_TO_DEPTH", NULL, {HS_OP_SPACE_TO_DEPTH, -1}},
  {"DEPTH_TO_SPACE", NULL, {HS_OP_DEPTH_TO_SPACE, -1}},
  {"ARG_MAX", NULL, {HS_OP_ARG_MAX, -1}},
  {"GATHER", NULL, {HS_OP_GATHER, -1}},
  {"TFLite_Detection_PostProcess", NULL, {HS_OP_DETECTION_POST_PROCESS, -1}},
  {"QUANTIZE", NULL, {HS_OP_QUANTIZE, -1}},
  {"DEQUANTIZE", NULL, {HS_OP_DEQUANTIZE, -1}},
  {"Convolution (", "DWConv", {HS_OP_DEPTHWISE_CONV, -1}},
  {"Convolution (", NULL, {HS_OP_CONV, -1}},
  {"Deconvolution (", NULL, {HS_OP_CONV_TRANSPOSE, -1}},
  {"Fully Connected (", NULL, {HS_OP_GEMM, -1}},
  {"Max Pooling (", NULL, {HS_OP_MAX_POOL, -1}},
  {"Average Pooling (", NULL, {HS_OP_AVERAGE_POOL, HS_OP_GLOBAL_AVERAGE_POOL, -1}},
  {"Global Average Pooling (", NULL, {HS_OP_GLOBAL_AVERAGE_POOL, HS_OP_REDUCE_MEAN, -1}},
  {"Mean (", NULL, {HS_OP_GLOBAL_AVERAGE_POOL, HS_OP_REDUCE_MEAN, -1}},
  {"Sum (", NULL, {HS_OP_REDUCE_SUM, -1}},
  {"Batch Matrix Multiply (", NULL, {HS_OP_MAT_MUL, -1}},
  {"Dynamic Fully Connected (", NULL, {HS_OP_MAT_MUL, -1}},
  {"Binary Elementwise (", NULL, {HS_OP_ADD, HS_OP_SUB, HS_OP_MUL, HS_OP_DIV, HS_OP_MAX, HS_OP_MIN, HS_OP_SQUARED_DIFFERENCE, HS_OP_POW, HS_OP_PRELU, -1}},
  {"Unary Elementwise (", NULL, {HS_OP_SIGMOID, HS_OP_HARD_SWISH, HS_OP_LEAKY_RELU, HS_OP_ELU, HS_OP_TANH, HS_OP_GELU, HS_OP_RELU, HS_OP_RELU6, HS_OP_EXP, -1}},
  {"Add (", NULL, {HS_OP_ADD, -1}},
  {"Subtract (", NULL, {HS_OP_SUB, -1}},
  {"Multiply (", NULL, {HS_OP_MUL, -1}},
  {"Divide (", NULL, {HS_OP_DIV, -1}},
  {"Sigmoid (", NULL, {HS_OP_SIGMOID, -1}},
  {"HardSwish (", NULL, {HS_OP_HARD_SWISH, -1}},
  {"Leaky ReLU (", NULL, {HS_OP_LEAKY_RELU, -1}},
  {"PReLU (", NULL, {HS_OP_PRELU, -1}},
  {"LeakyReLU (", NULL, {HS_OP_LEAKY_RELU, -1}},
  {"ELU (", NULL, {HS_OP_ELU, -1}},
  {"Tanh (", NULL, {HS_OP_TANH, -1}},
  {"TanH (", NULL, {HS_OP_TANH, -1}},
  {"Maximum (", NULL, {HS_OP_MAX, -1}},
  {"Minimum (", NULL, {HS_OP_MIN, -1}},
  {"Squared Difference (", NULL, {HS_OP_SQUARED_DIFFERENCE, -1}},
  {"Constant Pad (", NULL, {HS_OP_PAD, -1}},
  {"Transpose (", NULL, {HS_OP_TRANSPOSE, -1}},
  {"Slice (", NULL, {HS_OP_SLICE, -1}},
  {"Resize Bilinear (", NULL, {HS_OP_RESIZE_BILINEAR, -1}},
  {"Depth To Space (", NULL, {HS_OP_DEPTH_TO_SPACE, -1}},
  {"Space To Depth (", NULL, {HS_OP_SPACE_TO_DEPTH, -1}},
  {"Softmax (", NULL, {HS_OP_SOFTMAX, -1}},
};
enum { N_KINDS = sizeof kinds / sizeof *kinds };

struct node {
  int line, kind; /* -1: none that we know */
  bool delegated; /* a delegate says that it ran it */
  int number;     /* behind its name, by which the profiler counts nodes as they run; -1: none */
  const char *type;
  double latency_s, rounded_s;
};

struct reader {
  struct hs_measurements *m;
  const char *file;
  struct hs_error *err;
  const struct hs_processor *processor;
  int n, cap;
  struct node *nodes;
  bool scales; /* MULs are the network's scalings by a constant, too */
};

static int find_kind(const char *type)
{
  for (int i = 0; i < N_KINDS; i++) {
    size_t n = strlen(kinds[i].type);
    if (strncmp(type, kinds[i].type, n) != 0 || (kinds[i].within && !strstr(type, kinds[i].within))) continue;
    if (kinds[i].type[n - 1] == '(' || !type[n] || strcmp(type + n, "_V") == 0 || strcmp(type + n, "V2") == 0) return i; /* SPLIT_V, PADV2 */
  }
  return -1;
}

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
  if (is_operator && !(atof(called) >= 1)) return REFUSE(r, line, "times called: %.40s: an operator runs once per inference", called);
  if (atof(called) > 1)
    return REFUSE(r, line, "times called: %.40s: the profiler joined several operators of one name; write the profile of a network that "
                  "isn't cut into several delegates", called);
  return HS_OK;
}

/* What a delegate ran is counted by itself, from 0 on in each of its partitions, whose first node may be of an unknown kind. Of the others an unknown kind may
 * be a delegate, which has the number that it was given last. */
static enum hs_status check_order(struct reader *r, const struct node *node)
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
  struct node node = {.line = line, .kind = find_kind(type.s), .delegated = delegated, .number = number_of(text), .type = hs_arena_strdup(&r->m->arena, type.s),
                      .latency_s = 1e-3 * atof(cells[avg].text), .rounded_s = rounded_s(cells[avg].text)};
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
  return REFUSE(r, line + 1, "has no columns avg_ms and times called, with commas in between, as benchmark_model writes them");
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

static bool is_op(int kind, enum hs_op_type type)
{
  for (int i = 0; kinds[kind].ops[i] >= 0; i++)
    if (kinds[kind].ops[i] == (int)type) return true;
  return false;
}

/* Two kinds of nodes for the same operators (two names of one thing) are one. */
static bool same_kind(int a, int b)
{
  return is_op(a, (enum hs_op_type)kinds[b].ops[0]) || is_op(b, (enum hs_op_type)kinds[a].ops[0]);
}

static bool already(const struct reader *r, int i)
{
  for (int k = 0; k < i; k++)
    if (r->nodes[k].kind >= 0 && same_kind(r->nodes[k].kind, r->nodes[i].kind)) return true;
  return false;
}

static bool is_mul(int kind) { return kinds[kind].ops[0] == HS_OP_MUL; }

static bool of_kind(const struct reader *r, int kind, const struct hs_operator *op)
{
  if (r->scales && is_mul(kind) && op->type == HS_OP_BATCH_NORMALIZATION) return true;
  for (int i = 0; i < r->n; i++)
    if (r->nodes[i].kind >= 0 && same_kind(r->nodes[i].kind, kind) && is_op(r->nodes[i].kind, op->type)) return true;
  return false;
}

static int count_ops(const struct reader *r, int kind, const struct hs_graph *g)
{
  int n = 0;
  for (int k = 0; k < g->n_ops; k++) n += of_kind(r, kind, &g->ops[k]);
  return n;
}

/* What a network multiplies by constants is a BatchNormalization here (the sixth of a hard sigmoid): a MUL, where nothing is added to it. Only where the
 * numbers are right then: one with an addition is a MUL and an ADD. */
static int count_with_scales(struct reader *r, int kind, const struct hs_graph *g, int n_nodes)
{
  int n = count_ops(r, kind, g);
  if (!is_mul(kind) || n == 0 || n == n_nodes) return n;
  r->scales = true;
  if (count_ops(r, kind, g) == n_nodes) return n_nodes;
  r->scales = false;
  return n;
}

/* Newer versions of XNNPACK have one name for many operators, those that add and multiply constants among them. */
static bool is_mixed(int kind) { return strstr(kinds[kind].type, "Elementwise ("); }

/* Converters add these, fold them, or write one in place of two: their number tells nothing of the network. */
static bool is_converters(int kind)
{
  static const int types[] = {HS_OP_RESHAPE, HS_OP_TRANSPOSE, HS_OP_PAD, HS_OP_SLICE, HS_OP_QUANTIZE, HS_OP_DEQUANTIZE};
  for (size_t i = 0; i < sizeof types / sizeof *types; i++)
    if (kinds[kind].ops[0] == types[i]) return true;
  return false;
}

/* The k-th node of a kind is the network's k-th operator of it. Kinds that only one of them has are left out, and those of which converters
 * make more or fewer, or that may be of others. */
static enum hs_status match_kind(struct reader *r, int i, const struct hs_graph *g, struct hs_bench *bench, bool kept_out)
{
  int n_nodes = 0, n_mixed = 0, n_short = 0, n_foreign = 0, op = -1, kind = r->nodes[i].kind;
  char why[160] = "";
  for (int k = i; k < r->n; k++) {
    bool same = r->nodes[k].kind >= 0 && same_kind(r->nodes[k].kind, kind);
    n_nodes += same;
    n_mixed += same && is_mixed(r->nodes[k].kind);
  }
  int n_ops = count_with_scales(r, kind, g, n_nodes);
  if (n_ops == 0) {
    hs_measurements_note(r->m, "%s: %d of %s left out: %s has none", r->file, n_nodes, r->nodes[i].type, g->name);
    return HS_OK;
  }
  if (n_ops != n_nodes && (is_converters(kind) || n_mixed)) {
    hs_measurements_note(r->m, "%s:%d: %d of %s left out: %s has %d", r->file, r->nodes[i].line, n_nodes, r->nodes[i].type, g->name, n_ops);
    return HS_OK;
  }
  if (n_ops != n_nodes)
    return REFUSE(r, r->nodes[i].line, "%d of %s, and %s has %d of %s: is it the profile of this network?", n_nodes, r->nodes[i].type, g->name, n_ops,
                  hs_op_name((enum hs_op_type)kinds[kind].ops[0]));
  for (int k = i; k < r->n; k++) {
    const struct node *node = &r->nodes[k];
    if (node->kind < 0 || !same_kind(node->kind, kind)) continue;
    do op++;
    while (!of_kind(r, kind, &g->ops[op]));
    if (node->latency_s <= 0) {
      n_short++;
      continue;
    }
    if (!hs_system_supports(&bench->sys, g, &g->ops[op], bench->processor, why, sizeof why)) {
      n_foreign++;
      continue;
    }
    struct hs_measurement row = {.file = r->file, .line = node->line, .bench = bench, .graph = g, .op = op, .latency_s = node->latency_s,
                                 .rounded_s = node->rounded_s, .network = g->name, .index = "", .operator = "", .kept_out = kept_out};
    row.text = hs_arena_printf(&r->m->arena, "%s:%d:%s", g->name, op, g->ops[op].name);
    HS_TRY(hs_measurements_add(r->m, &row, r->err));
  }
  if (n_short) hs_measurements_note(r->m, "%s: %d of %s left out: below the profiler's microsecond", r->file, n_short, r->nodes[i].type);
  if (n_foreign)
    hs_measurements_note(r->m, "%s:%d: %d of %s left out: by hetsim's table the %s doesn't run them: %s", r->file, r->nodes[i].line, n_foreign,
                         r->nodes[i].type, r->processor->name, why);
  return HS_OK;
}

static bool is_xnnpack(const struct node *n) { return n->kind >= 0 && strchr(kinds[n->kind].type, '('); }

/* What no delegate ran, and what XNNPACK did, ran on a CPU. */
static bool ran_there(const struct reader *r, const struct node *n) { return r->processor->kind == HS_CPU || (n->delegated && !is_xnnpack(n)); }

/* A profile of other kernels than the runtime's on the CPU is known by the names of its nodes. */
static void warn_of_kernels(const struct reader *r)
{
  const struct node *own = NULL, *xnnpack = NULL;
  for (int i = r->n - 1; i >= 0; i--) {
    if (r->nodes[i].kind >= 0) *(is_xnnpack(&r->nodes[i]) ? &xnnpack : &own) = &r->nodes[i];
  }
  if (r->processor->kind != HS_CPU) return;
  if (!r->m->runtime->xnnpack && xnnpack)
    hs_measurements_note(r->m, "%s:%d: %s is a kernel of XNNPACK's, which are those of tflite-xnnpack, not of %s "
                         "(which has those of benchmark_model --use_xnnpack=false)",
                         r->file, xnnpack->line, xnnpack->type, r->m->runtime->name);
  if (r->m->runtime->xnnpack && !xnnpack && own)
    hs_measurements_note(r->m, "%s:%d: %s, as all others here, is no kernel of XNNPACK's, which %s has "
                         "(and benchmark_model --use_xnnpack=true)",
                         r->file, own->line, own->type, r->m->runtime->name);
}

/* What XNNPACK's kernel computes in, by its name: "Convolution (NHWC, QC8) IGEMM", "Fully Connected (NC, QS8, QC8W) GEMM". -1: neither says, or integers and
 * floats meet in it (QD8: a layer of floats in integers; F32, QC8W and such: weights in integers). */
static int precision_of(const struct node *n)
{
  static const struct {
    const char *word;
    int is;
  } words[] = {{"QD8", -1}, {"QS8", HS_INT8}, {"QU8", HS_INT8}, {"QC8W", -1}, {"QC4W", -1}, {"QB4W", -1}, {"QC8", HS_INT8}, {"F32", HS_FP32}, {"F16", HS_FP16}};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (strstr(n->type, words[i].word)) return words[i].is;
  return -1;
}

/* In another precision than the command line says. */
static enum hs_status check_precision(const struct reader *r, enum hs_precision precision)
{
  for (int i = 0; i < r->n; i++) {
    const struct node *n = &r->nodes[i];
    if (!is_xnnpack(n) || !hs_op_has_macs((enum hs_op_type)kinds[n->kind].ops[0])) continue;
    int of = precision_of(n);
    if (of >= 0 && of != (int)precision)
      return REFUSE(r, n->line, "%s doesn't compute in %s: --precision says how it ran", n->type, hs_precision_names[precision]);
  }
  return HS_OK;
}

static bool is_delegate(const struct node *n) { return strncmp(n->type, "TfLite", 6) == 0 || strcmp(n->type, "DELEGATE") == 0; }

/* Nodes that aren't to be matched with any operator become of no kind; a note per type. */
static void leave_out(struct reader *r)
{
  for (int i = 0; i < r->n; i++) {
    bool first = true, elsewhere = r->nodes[i].kind >= 0 && !ran_there(r, &r->nodes[i]);
    int n = 0;
    if (r->nodes[i].kind >= 0 && !elsewhere) continue;
    for (int k = 0; k < r->n; k++) {
      bool same = strcmp(r->nodes[k].type, r->nodes[i].type) == 0 && r->nodes[k].delegated == r->nodes[i].delegated;
      n += same;
      first &= !same || k >= i;
    }
    r->nodes[i].kind = -1;
    if (first)
      hs_measurements_note(r->m, "%s:%d: %d of %s left out: %s", r->file, r->nodes[i].line, n, r->nodes[i].type,
                           elsewhere ? "ran on the CPU" : is_delegate(&r->nodes[i]) ? "all that a delegate ran" : "no operator that is known here");
  }
}

/* Has the profile nodes of its own for it? XNNPACK's has them for a few kinds only: it copies what joins and splits. */
static bool is_shown(const struct reader *r, enum hs_op_type type, bool xnnpack)
{
  bool named = false;
  for (int i = 0; i < r->m->runtime->n_fused; i++)
    if (r->m->runtime->fused[i] == type) return false;
  for (int k = 0; k < N_KINDS; k++) {
    if (!is_op(k, type)) continue;
    if (is_converters(k)) return false;
    named |= !xnnpack || strchr(kinds[k].type, '(');
  }
  return named;
}

/* Operators of the network that no node of a CPU's profile is: the profile may be cut off, or the file another network. */
static void note_missing(const struct reader *r, const struct hs_graph *g)
{
  struct hs_text missing = {0};
  bool xnnpack = false;
  for (int i = 0; i < r->n; i++) xnnpack |= is_xnnpack(&r->nodes[i]);
  for (int type = 0; type < HS_OP_N && r->processor->kind == HS_CPU; type++) {
    int n_ops = 0, n_nodes = 0;
    for (int k = 0; k < g->n_ops; k++) n_ops += g->ops[k].type == (enum hs_op_type)type;
    for (int i = 0; i < r->n; i++) n_nodes += r->nodes[i].kind >= 0 && is_op(r->nodes[i].kind, (enum hs_op_type)type);
    if (n_ops && !n_nodes && is_shown(r, (enum hs_op_type)type, xnnpack))
      hs_text_addf(&missing, "%s%s (%d)", missing.len ? ", " : "", hs_op_name((enum hs_op_type)type), n_ops);
  }
  if (missing.len) hs_measurements_note(r->m, "%s: has none of %s's %s", r->file, g->name, missing.s);
  hs_text_free(&missing);
}

static enum hs_status match(struct reader *r, const struct hs_graph *g, struct hs_bench *bench, bool kept_out)
{
  int known = 0, delegate = -1, before = r->m->n;
  leave_out(r);
  for (int i = 0; i < r->n; i++) {
    known += r->nodes[i].kind >= 0;
    if (is_delegate(&r->nodes[i])) delegate = i;
  }
  if (!known && delegate >= 0)
    return REFUSE(r, r->nodes[delegate].line, "%s hides its operators: measure whole networks instead, or build benchmark_model with the delegate's profiling",
                  r->nodes[delegate].type);
  for (int i = 0; i < r->n; i++)
    if (r->nodes[i].kind >= 0 && !already(r, i)) HS_TRY(match_kind(r, i, g, bench, kept_out));
  note_missing(r, g);
  if (r->m->n > before) return HS_OK;
  return REFUSE(r, r->nodes[0].line,
                "too few rows: of %d nodes, from %s on, none is an operator of %s that ran on the %s and took time: "
                "measure whole networks instead", r->n, r->nodes[0].type, g->name, r->processor->name);
}

/* What it was measured on, as the command line has it: no mistake there is the file's. */
static enum hs_status measured_on(struct hs_measurements *m, const char *model, const char *processor, const struct hs_graph **g, struct hs_bench **bench,
                                  struct hs_error *err)
{
  int p;
  HS_TRY(hs_measurements_processor(m, NULL, 0, processor, &p, err));
  const char *cores = m->cores && m->soc->processors[p].kind == HS_CPU ? m->cores : "";
  HS_TRY(hs_measurements_bench(m, NULL, 0, p, m->precision, m->memory_type, m->threads, cores, bench, err));
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
  r.processor = &m->soc->processors[bench->processor];
  enum hs_status status = read_nodes(&r, text);
  if (!status) warn_of_kernels(&r);
  if (!status) status = check_precision(&r, bench->sys.backends[bench->processor].precision);
  if (!status) status = match(&r, g, bench, kept_out);
  free(r.nodes);
  return status;
}
