/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which operators of a network the nodes of a profile are: by their kinds, in order. Where their numbers differ it isn't the profile of this network, or
 * converters made more or fewer of them. */
#include "calibrate/tflite_match.h"

#include <string.h>

#include "base/text.h"

/* Kinds of nodes as TensorFlow Lite and its XNNPACK delegate call them, and the operators that they are. The first versions of XNNPACK that profile (2022,
 * xnn_profile_info_operator_name) name no microkernel: then depthwise convolutions have the name of all others. */
static const struct {
  const char *type;   /* begins so */
  const char *kernel; /* has this behind its parentheses, or nothing there (""); NULL: whatever it has there */
  int ops[12];        /* one of these, -1 after the last */
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
  {"Convolution (", "", {HS_OP_CONV, HS_OP_DEPTHWISE_CONV, -1}},
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

static bool has_kernel(const char *type, const char *kernel)
{
  const char *end = strrchr(type, ')');
  return !kernel || (end && (kernel[0] ? strstr(end, kernel) != NULL : !end[1]));
}

int hs_tflite_kind(const char *type)
{
  for (int i = 0; i < N_KINDS; i++) {
    size_t n = strlen(kinds[i].type);
    if (strncmp(type, kinds[i].type, n) != 0 || !has_kernel(type, kinds[i].kernel)) continue;
    if (kinds[i].type[n - 1] == '(' || !type[n] || strcmp(type + n, "_V") == 0 || strcmp(type + n, "V2") == 0) return i; /* SPLIT_V, PADV2 */
  }
  return -1;
}

/* What ran, and what it is matched with. */
struct run {
  struct hs_measurements *m;
  const char *file;
  struct hs_error *err;
  const struct hs_processor *processor;
  int n;
  struct hs_tflite_node *nodes;
  bool scales; /* MULs are the network's scalings by a constant, too */
};

#define REFUSE(r, line, ...) hs_fail_at((r)->err, HS_INPUT, (r)->file, line, 0, NULL, __VA_ARGS__)

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

static bool already(const struct run *r, int i)
{
  for (int k = 0; k < i; k++)
    if (r->nodes[k].kind >= 0 && same_kind(r->nodes[k].kind, r->nodes[i].kind)) return true;
  return false;
}

static bool is_mul(int kind) { return kinds[kind].ops[0] == HS_OP_MUL; }

static bool of_kind(const struct run *r, int kind, const struct hs_operator *op)
{
  if (r->scales && is_mul(kind) && op->type == HS_OP_BATCH_NORMALIZATION) return true;
  for (int i = 0; i < r->n; i++)
    if (r->nodes[i].kind >= 0 && same_kind(r->nodes[i].kind, kind) && is_op(r->nodes[i].kind, op->type)) return true;
  return false;
}

static int count_ops(const struct run *r, int kind, const struct hs_graph *g)
{
  int n = 0;
  for (int k = 0; k < g->n_ops; k++) n += of_kind(r, kind, &g->ops[k]);
  return n;
}

/* What a network multiplies by constants is a BatchNormalization here (the sixth of a hard sigmoid): a MUL, where nothing is added to it. Only where the
 * numbers are right then: one with an addition is a MUL and an ADD. */
static int count_with_scales(struct run *r, int kind, const struct hs_graph *g, int n_nodes)
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

/* "Conv", "Conv or DepthwiseConv": what a node of a kind may be. */
static const char *ops_of(struct run *r, int kind)
{
  const char *names = hs_op_name((enum hs_op_type)kinds[kind].ops[0]);
  for (int i = 1; kinds[kind].ops[i] >= 0; i++) names = hs_arena_printf(&r->m->arena, "%s or %s", names, hs_op_name((enum hs_op_type)kinds[kind].ops[i]));
  return names;
}

/* The k-th node of a kind is the network's k-th operator of it. Kinds that only one of them has are left out, and those of which converters
 * make more or fewer, or that may be of others. */
static enum hs_status match_kind(struct run *r, int i, const struct hs_graph *g, struct hs_bench *bench, bool kept_out)
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
                  ops_of(r, kind));
  for (int k = i; k < r->n; k++) {
    const struct hs_tflite_node *node = &r->nodes[k];
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

static bool is_xnnpack(const struct hs_tflite_node *n) { return n->kind >= 0 && strchr(kinds[n->kind].type, '('); }

/* What no delegate ran, and what XNNPACK did, ran on a CPU. */
static bool ran_there(const struct run *r, const struct hs_tflite_node *n) { return r->processor->kind == HS_CPU || (n->delegated && !is_xnnpack(n)); }

/* A profile of other kernels than the runtime's on the CPU is known by the names of its nodes. */
static void warn_of_kernels(const struct run *r)
{
  const struct hs_tflite_node *own = NULL, *xnnpack = NULL;
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
static int precision_of(const struct hs_tflite_node *n)
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
static enum hs_status check_precision(const struct run *r, enum hs_precision precision)
{
  for (int i = 0; i < r->n; i++) {
    const struct hs_tflite_node *n = &r->nodes[i];
    if (!is_xnnpack(n) || !hs_op_has_macs((enum hs_op_type)kinds[n->kind].ops[0])) continue;
    int of = precision_of(n);
    if (of >= 0 && of != (int)precision)
      return REFUSE(r, n->line, "%s doesn't compute in %s: --precision says how it ran", n->type, hs_precision_names[precision]);
  }
  return HS_OK;
}

static bool is_delegate(const struct hs_tflite_node *n) { return strncmp(n->type, "TfLite", 6) == 0 || strcmp(n->type, "DELEGATE") == 0; }

/* Nodes that aren't to be matched with any operator become of no kind; a note per type. */
static void leave_out(struct run *r)
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
static bool is_shown(const struct run *r, enum hs_op_type type, bool xnnpack)
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
static void note_missing(const struct run *r, const struct hs_graph *g)
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

static enum hs_status match(struct run *r, const struct hs_graph *g, struct hs_bench *bench, bool kept_out)
{
  int known = 0, delegate = -1, before = r->m->n;
  leave_out(r);
  for (int i = 0; i < r->n; i++) {
    known += r->nodes[i].kind >= 0;
    if (is_delegate(&r->nodes[i])) delegate = i;
  }
  if (!known && delegate >= 0)
    return REFUSE(r, r->nodes[delegate].line, "%s hides its operators: measure whole networks instead%s", r->nodes[delegate].type,
                  strstr(r->nodes[delegate].type, "XNNPack") ? ", or build benchmark_model with XNNPACK's profiling" : "");
  for (int i = 0; i < r->n; i++)
    if (r->nodes[i].kind >= 0 && !already(r, i)) HS_TRY(match_kind(r, i, g, bench, kept_out));
  note_missing(r, g);
  if (r->m->n > before) return HS_OK;
  return REFUSE(r, r->nodes[0].line,
                "too few rows: of %d nodes, from %s on, none is an operator of %s that ran on the %s and took time: "
                "measure whole networks instead", r->n, r->nodes[0].type, g->name, r->processor->name);
}

enum hs_status hs_tflite_match(struct hs_measurements *m, const char *file, struct hs_tflite_node *nodes, int n, const struct hs_graph *g,
                               struct hs_bench *bench, bool kept_out, struct hs_error *err)
{
  struct run r = {.m = m, .file = file, .err = err, .processor = &m->soc->processors[bench->processor], .n = n, .nodes = nodes};
  warn_of_kernels(&r);
  HS_TRY(check_precision(&r, bench->sys.backends[bench->processor].precision));
  return match(&r, g, bench, kept_out);
}
