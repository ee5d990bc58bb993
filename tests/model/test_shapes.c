/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What who compares shapes relies on: more work of the same kind never takes less time, on any kernel that is shipped, but where a
 * framework itself has steps (doc/cost-model.md, "Where more work takes less time"). A kernel, a class and a dimension have one of these
 * reasons, or none; no reason is there that nothing needs. */
#include <math.h>

#include "tests/unit/suite.h"

#include "model/cost.h"
#include "model/products.h"
#include "program/setup.h"

static const char *const socs[] = {"kirin960", "kirin970", "kirin985", "kirin990", "sd855", "sd865", "sd870", "sd888", "tensor"};
enum { SOCS = sizeof socs / sizeof *socs, SYSTEMS_MAX = 256 };

/* --- operators: %N, %H, %W, %C and %K are images, rows, columns, channels and what a product or convolution makes of these --- */

enum { N, H, W, C, K, DIMS };
static const char letters[DIMS + 1] = "NHWCK";

#define IMAGE "[%N,%H,%W,%C]"
#define CONV "'op': 'Conv', 'channels': %K, 'pad': 'same', "
static const struct {
  const char *dims, *inputs, *op;
} kinds[] = {
  {"NHWCK", IMAGE, CONV "'kernel': [1,1]"},
  {"NHWCK", IMAGE, CONV "'kernel': [3,3]"},
  {"NHWCK", IMAGE, CONV "'kernel': [3,3], 'stride': [2,2]"},
  {"NHWCK", IMAGE, CONV "'kernel': [7,1]"},
  {"NHWCK", IMAGE, CONV "'kernel': [3,3], 'group': 4"},
  {"NHWCK", IMAGE, "'op': 'ConvTranspose', 'channels': %K, 'kernel': [4,4], 'stride': [2,2], 'pad': 'same'"},
  {"NHWC", IMAGE, "'op': 'DepthwiseConv', 'kernel': [3,3], 'pad': 'same'"},
  {"NHWC", IMAGE, "'op': 'DepthwiseConv', 'kernel': [5,5], 'stride': [2,2], 'pad': 'same'"},
  {"HCK", "[%H,%C]", "'op': 'Gemm', 'channels': %K"},
  {"NHCK", "[%N,%H,%C]}, {'name': 'y', 'shape': [%N,%C,%K]", "'op': 'MatMul'"},
  {"NHWC", IMAGE, "'op': 'MaxPool', 'kernel': [3,3], 'stride': [2,2], 'pad': 'same'"},
  {"NHWC", IMAGE, "'op': 'GlobalAveragePool'"},
  {"NHWC", IMAGE, "'op': 'Relu'"},
  {"NHWC", IMAGE, "'op': 'BatchNormalization'"},
  {"NHC", "[%N,%H,%C]", "'op': 'Softmax'"},
  {"NHWC", IMAGE "}, {'name': 'y', 'shape': " IMAGE, "'op': 'Concat', 'axis': 3"},
};
enum { KINDS = sizeof kinds / sizeof *kinds };

static const int bases[][DIMS] = {{1, 1, 1, 4, 4}, {1, 4, 4, 16, 16}, {1, 7, 7, 64, 64}, {1, 14, 14, 8, 64}, {1, 28, 28, 32, 32},
                                  {1, 1, 1, 1024, 1000}, {1, 112, 112, 3, 32}, {4, 64, 64, 64, 64}};
enum { BASES = sizeof bases / sizeof *bases };

/* The network of operator "o", the only one; NULL where such channels aren't whole groups. */
static struct hs_graph *network(int kind, const int *size)
{
  struct hs_text t = {0};
  struct hs_error err;
  struct hs_graph *g;
  bool two = strstr(kinds[kind].inputs, "'y'") != NULL;
  char format[800];
  if (strstr(kinds[kind].op, "group") && (size[C] % 4 || size[K] % 4)) return NULL;
  snprintf(format, sizeof format,
           "{'format': 'hetsim-workload/1', 'name': 'n', 'title': 't', 'source': 's', 'inputs': [{'name': 'x', 'shape': %s}], 'outputs': ['o'], "
           "'ops': [{'name': 'o', 'inputs': ['x'%s], %s}]}", kinds[kind].inputs, two ? ", 'y'" : "", kinds[kind].op);
  for (const char *c = format; *c; c++)
    if (*c == '%') hs_text_addf(&t, "%d", size[strchr(letters, *++c) - letters]);
    else hs_text_addf(&t, "%c", *c);
  char *json = hs_test_json(t.s);
  ck_assert_msg(hs_graph_parse("n.json", json, strlen(json), &g, &err) == HS_OK, "%s", hs_test_message(&err));
  free(json);
  hs_text_free(&t);
  return g;
}

/* --- every kernel that a SoC has --- */

struct target {
  struct hs_setup *s;
  int p;
};

static int n_targets;
static struct target targets[SYSTEMS_MAX];

/* The processors that compute in this precision, from this memory; CPUs alone with more than one thread. */
static void add_targets(const char *soc, const struct hs_runtime *rt, int precision, const char *memory, int threads)
{
  struct hs_setup *s = calloc(1, sizeof *s);
  struct hs_error err;
  const struct hs_run_options options = {.soc = soc, .runtime = rt->name, .precision = hs_precision_names[precision], .memory_type = memory,
                                         .threads = threads};
  if (hs_setup_system(s, &options, &err) != HS_OK) { /* a GPU without such memory */
    hs_setup_free(s);
    free(s);
    return;
  }
  for (int p = 0; p < s->soc->n_processors; p++) {
    const struct hs_backend *b = &s->sys.backends[p];
    bool cpu = s->soc->processors[p].kind == HS_CPU;
    bool again = cpu ? strcmp(memory, "buffer") != 0 : threads > 1 || strcmp(hs_memory_type_names[b->memory_type], memory) != 0;
    if (s->soc->processors[p].kind != HS_GPU && !cpu) again = threads > 1 || strcmp(memory, "buffer") != 0;
    if (!b->available || (int)b->precision != precision || again) continue;
    ck_assert_int_lt(n_targets, SYSTEMS_MAX);
    targets[n_targets++] = (struct target){s, p};
  }
}

/* Not where a runtime has the kernels of the one that it is based on. */
static void make_targets(const char *soc)
{
  for (int r = 0; r < hs_n_runtimes; r++)
    for (int precision = 0; precision < HS_PRECISION_N && strcmp(hs_runtimes[r].name, "tflite-nnapi") != 0; precision++)
      for (int threads = 1; threads <= 4; threads += 3)
        for (int memory = 0; memory < 2; memory++) add_targets(soc, &hs_runtimes[r], precision, memory ? "image" : "buffer", threads);
}

static double seconds(const struct target *t, const struct hs_graph *g, struct hs_range range, int opp)
{
  struct hs_work w;
  hs_cost_exec(&t->s->sys, g, &g->ops[0], t->p, range, &w);
  return hs_work_seconds(&t->s->sys, t->p, opp, &w);
}

static const char *told(const struct target *t, int kind, const int *size)
{
  static char text[300];
  const struct hs_system *sys = &t->s->sys;
  snprintf(text, sizeof text, "%s %s %s %s %s, %d threads: %s of %d, %d, %d, %d, %d", sys->soc->name, sys->runtime->name, sys->soc->processors[t->p].name,
           hs_precision_names[sys->backends[t->p].precision], hs_memory_type_names[sys->backends[t->p].memory_type],
           sys->backends[t->p].threads, kinds[kind].op, size[N], size[H], size[W], size[C], size[K]);
  return text;
}

/* --- reasons --- */

enum reason { NONE, PACKING, WINOGRAD, RUY, COLUMN, TURNS, LAUNCH, MALI_LAUNCH, SHADERS, FAST_PATH, MATRICES, WRITTEN_OUT, LINES, WIDTH_BLOCK, SHALLOW, REASONS };

/* Why less may take longer along this dimension, the last two for want of a fit; NONE: it may not. */
static enum reason reason_for(const struct target *t, const struct hs_graph *g, int dim)
{
  const struct hs_system *sys = &t->s->sys;
  const struct hs_operator *op = &g->ops[0];
  const struct hs_kernel *k = sys->backends[t->p].kernel;
  enum hs_op_class class = hs_class_on(sys, g, op, t->p);
  enum hs_kind kind = sys->soc->processors[t->p].kind;
  bool dense = hs_class_is_dense_conv(class), rows = dim == N || dim == H, deep = dim == C && class != HS_CLASS_DEPTHWISE && (op->macs > 0);
  bool shader = kind == HS_GPU && class == HS_CLASS_GROUPED; /* on a CPU each group is a convolution of its own */
  if (k->packing.lanes && dim >= C && hs_op_is_conv(op->type) && (dense || class == HS_CLASS_DEPTHWISE || shader)) return PACKING;
  if (k->winograd.tile && class == HS_CLASS_CONV_3X3 && (dim == H || dim == W || k->winograd.channels > 1)) return WINOGRAD;
  bool grouped_3x3 = class == HS_CLASS_GROUPED && op->at.kernel[0] == 3 && (dim == H || dim == W); /* written out, convolutions of their own */
  if (k->packing.lanes && k->winograd.small_tile < k->winograd.tile && grouped_3x3) return WINOGRAD;
  if (k->block_map_bytes > 0 && dense) return RUY;
  bool column = hs_op_output_elements(g, op) == hs_shape_channels(&g->tensors[op->outputs[0]].shape);
  if (k->weight_cycles_per_byte > 0 && (op->type == HS_OP_GEMM ? column || rows : dense && column)) return COLUMN;
  if (k->turn_cycles > 0 && hs_op_is_conv(op->type)) return TURNS;
  if ((k->launch.units || k->mali.cores) && (dense || class == HS_CLASS_GROUPED))
    return sys->runtime->backends[kind].group_slice && class == HS_CLASS_GROUPED && dim >= C ? WRITTEN_OUT : k->launch.units ? LAUNCH : MALI_LAUNCH;
  if (k->shaders.access_cycles > 0 && (rows || dim == W)) return SHADERS;
  if (k->depthwise_fast_path.channel_multiple && class == HS_CLASS_DEPTHWISE) return FAST_PATH;
  if (op->type == HS_OP_MAT_MUL && sys->runtime->backends[kind].least_matrices && dim == N) return MATRICES;
  if (class == HS_CLASS_GROUPED && sys->runtime->backends[kind].group_slice && dim >= C) return WRITTEN_OUT;
  if (k->group.lines_per_cycle > 0 && dense && dim == K) return LINES;
  if (k->columns_half > 0 && k->width_block[class] > 1 && (dim == W || (rows && !hs_op_is_conv(op->type)))) return WIDTH_BLOCK;
  return k->reduction_half > 0 && k->channel_multiple > 1 && deep ? SHALLOW : NONE;
}

static bool needed[REASONS];

/* The largest drop seen, as doc/cost-model.md has it. Prime slices of a launch leave a work group one slice: few items of a wave. */
static const double allowed_frac[REASONS] = {[PACKING] = 0.99, [WINOGRAD] = 0.47, [RUY] = 0.67, [COLUMN] = 0.48, [TURNS] = 0.71, [LAUNCH] = 0.96,
                                             [MALI_LAUNCH] = 0.63, [SHADERS] = 0.04, [FAST_PATH] = 0.855,
                                             [MATRICES] = 0.67, [WRITTEN_OUT] = 0.99, [LINES] = 0.08, [WIDTH_BLOCK] = 0.78, [SHALLOW] = 0.91};

/* --- more of one dimension --- */

static const int sizes[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 13, 15, 16, 17, 20, 24, 25, 28, 32, 33, 48, 49, 56, 57, 64, 65, 96, 112, 127,
                            128, 129, 192, 256, 257, 512, 513, 1432, 1440, 2036, 2048, 3060, 3068};
enum { SIZES = sizeof sizes / sizeof *sizes };

struct most {
  double s;
  enum hs_op_class class;
};

/* Another kernel of the library for a convolution of one pixel, or with a group per channel, is another kind of work. */
static void one_more(const struct target *t, int kind, const struct hs_graph *g, const int *size, int dim, struct most *most)
{
  double s = seconds(t, g, (struct hs_range){HS_SPLIT_NONE, 0, 1}, -1);
  enum hs_op_class class = hs_class_on(&t->s->sys, g, &g->ops[0], t->p);
  enum reason why = reason_for(t, g, dim);
  if (hs_op_is_conv(g->ops[0].type) && class != most->class) most->s = 0;
  most->class = class;
  if (s < most->s * (1 - 1e-12)) {
    ck_assert_msg(why != NONE, "%s: %.6g us, with less of %c %.6g us", told(t, kind, size), s * 1e6, letters[dim], most->s * 1e6);
    ck_assert_msg(s >= most->s * (1 - allowed_frac[why]), "%s: %.6g us, with less of %c %.6g us: more than that may save",
                  told(t, kind, size), s * 1e6, letters[dim], most->s * 1e6);
    needed[why] = true;
  }
  most->s = fmax(most->s, s);
}

static void more_of(int kind, int base, int dim)
{
  struct most most[SYSTEMS_MAX] = {{0}};
  for (int i = 0; i < SIZES; i++) {
    int size[DIMS];
    memcpy(size, bases[base], sizeof size);
    size[dim] = sizes[i];
    if ((dim == N && sizes[i] > 8) || (dim < C && sizes[i] > 257)) break;
    struct hs_graph *g = network(kind, size);
    for (int k = 0; g && k < n_targets; k++)
      if (hs_system_supports(&targets[k].s->sys, g, &g->ops[0], targets[k].p, NULL, 0)) one_more(&targets[k], kind, g, size, dim, &most[k]);
    hs_graph_free(g);
  }
}

/* Which reasons these SoCs need is told by all of them together: this one has all that have no Mali. */
START_TEST(more_work_takes_no_less_time)
{
  make_targets(socs[_i]);
  for (int kind = 0; kind < KINDS; kind++)
    for (int base = 0; base < BASES; base++)
      for (const char *dim = kinds[kind].dims; *dim; dim++) more_of(kind, base, (int)(strchr(letters, *dim) - letters));
  needed[MALI_LAUNCH] |= strcmp(socs[_i], "sd865") == 0;
  ck_assert_msg(needed[MALI_LAUNCH] || strcmp(socs[_i], "tensor") != 0, "no Mali needs a reason");
  for (int why = NONE + 1; why < REASONS && strcmp(socs[_i], "sd865") == 0; why++) ck_assert_msg(needed[why], "nothing needs reason %d", why);
}
END_TEST

/* --- parts --- */

/* Dimension along which a part is cut: of a row of features the rows are images. */
static int cut_dimension(const struct hs_operator *op, enum hs_split split)
{
  bool product = op->type == HS_OP_GEMM;
  return split == HS_SPLIT_HEIGHT ? H : split == HS_SPLIT_BATCH ? (product ? H : N) : hs_op_is_conv(op->type) || product ? K : C;
}

/* How long the memory takes for what two parts read less than the whole: each has the processor's own memory to itself. 0: they read as much, or more. */
static double spared_seconds(const struct target *t, const struct hs_graph *g, enum hs_split split, int64_t at, int64_t end)
{
  const struct hs_range ranges[] = {{HS_SPLIT_NONE, 0, 1}, {split, 0, at}, {split, at, end}};
  struct hs_work w[3];
  for (int i = 0; i < 3; i++) hs_cost_exec(&t->s->sys, g, &g->ops[0], t->p, ranges[i], &w[i]);
  w[0].bytes = fmax(0, w[0].bytes - w[1].bytes - w[2].bytes);
  for (int d = 0; d < HS_DOMAINS_MAX; d++) w[0].cycles[d] = w[0].stolen[d] = 0;
  w[0].caller = 0;
  return hs_work_seconds(&t->s->sys, t->p, -1, &w[0]);
}

/* Two parts take no less than the whole, which pays its overhead once, and one of them no more; but for what stays in a processor's own memory
 * of either, weights larger than the cache that are read again by the row or pixel, and rows that a stride jumps over. */
static void two_parts(const struct target *t, int kind, const struct hs_graph *g, const int *size, enum hs_split split, int64_t at)
{
  const struct hs_operator *op = &g->ops[0];
  const struct hs_kernel *k = t->s->sys.backends[t->p].kernel;
  int64_t end = hs_split_extent(g, op, split);
  double weights = hs_products_params(k, g, op) * hs_precision_bytes(t->s->sys.backends[t->p].precision), cache = t->s->soc->memory.llc_bytes;
  bool again = k->rows_per_pass && cache > 0 && weights > cache;
  if (at < 1 || at >= end || reason_for(t, g, cut_dimension(op, split)) != NONE || k->shaders.access_cycles > 0) return;
  if (k->winograd.tile && op->class == HS_CLASS_CONV_3X3) return; /* a part may have too few channels for it, or too few rows for its tiles */
  if (k->group.blocks && split == HS_SPLIT_CHANNEL) return;       /* of fewer channels a work group reads fewer weights */
  double all = seconds(t, g, (struct hs_range){HS_SPLIT_NONE, 0, 1}, -1);
  double first = seconds(t, g, (struct hs_range){split, 0, at}, -1), rest = seconds(t, g, (struct hs_range){split, at, end}, -1);
  ck_assert_msg(fmax(first, rest) <= all * (1 + 1e-12), "%s: %.6g and %.6g us of %.6g us", told(t, kind, size), first * 1e6, rest * 1e6, all * 1e6);
  if (again) return;
  double spared = t->s->soc->processors[t->p].local_bytes > 0 ? spared_seconds(t, g, split, at, end) : 0;
  ck_assert_msg(first + rest >= all * (1 - 1e-12) - spared, "%s: %.6g + %.6g us make %.6g us", told(t, kind, size), first * 1e6, rest * 1e6, all * 1e6);
}

START_TEST(parts_take_no_more_than_the_whole_and_together_no_less)
{
  static const enum hs_split splits[] = {HS_SPLIT_HEIGHT, HS_SPLIT_CHANNEL, HS_SPLIT_BATCH};
  static const int large[] = {1, 196, 1, 2048, 2048}; /* weights that no cache holds, for many rows */
  make_targets(socs[_i]);
  for (int kind = 0; kind < KINDS; kind++)
    for (int base = 0; base <= BASES; base++) {
      const int *size = base < BASES ? bases[base] : large;
      struct hs_graph *g = network(kind, size);
      for (int k = 0; g && k < n_targets; k++)
        for (int i = 0; i < 3 && hs_system_supports(&targets[k].s->sys, g, &g->ops[0], targets[k].p, NULL, 0); i++) {
          int64_t end = hs_split_extent(g, &g->ops[0], splits[i]);
          if (!hs_splittable(g, &g->ops[0], splits[i])) continue;
          for (int sixteenths = 1; sixteenths < 16; sixteenths += 3) two_parts(&targets[k], kind, g, size, splits[i], end * sixteenths / 16);
        }
      hs_graph_free(g);
    }
}
END_TEST

/* --- clocks and cores --- */

/* What doesn't wait for the memory takes less. Efficiency cores are alike: with unequal ones all wait for the slowest, which has the
 * overhead, too. Where handing an operator to more threads takes a time, that is all it may take longer. */
START_TEST(a_higher_clock_or_more_equal_cores_take_no_longer)
{
  make_targets(socs[_i]);
  for (int kind = 0; kind < KINDS; kind++)
    for (int base = 0; base < BASES; base++) {
      struct hs_graph *g = network(kind, bases[base]);
      for (int k = 0; g && k < n_targets; k++) {
        const struct hs_processor *p = &targets[k].s->soc->processors[targets[k].p];
        const struct hs_backend *b = &targets[k].s->sys.backends[targets[k].p];
        const struct hs_range whole = {HS_SPLIT_NONE, 0, 1};
        if (!hs_system_supports(&targets[k].s->sys, g, &g->ops[0], targets[k].p, NULL, 0)) continue;
        for (int opp = 1; opp < p->domains[0].n_opps; opp++)
          ck_assert_msg(seconds(&targets[k], g, whole, opp) <= seconds(&targets[k], g, whole, opp - 1), "%s, level %d",
                        told(&targets[k], kind, bases[base]), opp);
        for (int j = 0; j < n_targets && strcmp(p->name, "cpu-little") == 0 && !b->kernel->direct_block; j++) {
          const struct hs_system *more = &targets[j].s->sys;
          const struct hs_backend *c = &more->backends[targets[j].p];
          if (targets[j].p != targets[k].p || more->runtime != targets[k].s->sys.runtime || c->precision != b->precision || c->threads <= b->threads) continue;
          bool loop = more->runtime->backends[HS_CPU].group_slice && g->ops[0].class == HS_CLASS_GROUPED; /* a convolution for each group */
          double cycles = (loop ? (double)g->ops[0].at.group : 1) * b->kernel->fork_cycles * log2((double)c->threads / b->threads);
          double fork_s = cycles / hs_domain_top(&p->domains[0])->freq_hz;
          ck_assert_msg(seconds(&targets[j], g, whole, -1) <= seconds(&targets[k], g, whole, -1) * (1 + 1e-12) + fork_s, "%s",
                        told(&targets[j], kind, bases[base]));
        }
      }
      hs_graph_free(g);
    }
}
END_TEST

/* One performance core takes no longer than one efficiency core of the same runtime, or policies put light operators there; but for a microsecond, what it
 * takes to begin one being fits of their own. */
START_TEST(performance_cores_are_no_slower)
{
  int n = 0;
  make_targets(socs[_i]);
  for (int kind = 0; kind < KINDS; kind++)
    for (int base = 0; base < BASES; base++) {
      struct hs_graph *g = network(kind, bases[base]);
      for (int k = 0; g && k < n_targets; k++) {
        const struct target *t = &targets[k], little = {t->s, hs_soc_find(t->s->soc, "cpu-little")};
        const struct hs_system *sys = &t->s->sys;
        if (t->p != hs_soc_find(t->s->soc, "cpu") || sys->backends[t->p].threads > 1 || !hs_system_supports(sys, g, &g->ops[0], t->p, NULL, 0)) continue;
        double fast = seconds(t, g, hs_range_whole, -1), slow = seconds(&little, g, hs_range_whole, -1);
        ck_assert_msg(fast <= slow + 1e-6, "%s: %.4g us, %.4g on an efficiency core", told(t, kind, bases[base]), fast * 1e6, slow * 1e6);
        n++;
      }
      hs_graph_free(g);
    }
  ck_assert_int_gt(n, KINDS * BASES);
}
END_TEST

/* --- the forms --- */

/* From ln 8 to 10 the curve is 0.1 + 0.2 · (ln - 8): time is the least where it is 0.2, at 8.5, and smaller sizes take as long. From 10 to
 * 11 it rises by 1.5, which it reaches at 10 2/3; from 11 on by 0.1. The other one rises by 1 from 0.1, but to 0.5 only. */
START_TEST(a_rate_rises_no_faster_than_the_size)
{
  const struct hs_kernel k = {.n_knots = 4, .knot_ln = {8, 10, 11, 13}, .knot_frac = {0.1, 0.5, 2, 2.2}};
  ck_assert_double_eq(hs_products_saturation(&k, 6), 0.1);
  ck_assert_double_eq_tol(hs_products_saturation(&k, 7.9), 0.2 * exp(-0.6), 1e-12);
  ck_assert_double_eq_tol(hs_products_saturation(&k, 8), 0.2 * exp(-0.5), 1e-12);
  ck_assert_double_eq_tol(hs_products_saturation(&k, 8.8), 0.26, 1e-12);
  ck_assert_double_eq_tol(hs_products_saturation(&k, 10), 1.5 * exp(-2. / 3), 1e-12);
  ck_assert_double_eq_tol(hs_products_saturation(&k, 10.8), 1.7, 1e-12);
  ck_assert_double_eq_tol(hs_products_saturation(&k, 12), 2.1, 1e-12);
  ck_assert_double_eq(hs_products_saturation(&k, 14), 2.2);
  const struct hs_kernel flat = {.n_knots = 3, .knot_ln = {8, 8.4, 10}, .knot_frac = {0.1, 0.5, 0.6}};
  ck_assert_double_eq_tol(hs_products_saturation(&flat, 8), 0.5 * exp(-0.4), 1e-12);
  /* from 9 on by less than it is high there: the line through that part lies above the curve before it, and says nothing of smaller sizes */
  const struct hs_kernel bent = {.n_knots = 3, .knot_ln = {8, 9, 10}, .knot_frac = {0.1, 0.5, 0.8}};
  ck_assert_double_eq_tol(hs_products_saturation(&bent, 8), 0.4 * exp(-0.75), 1e-12);
}
END_TEST

/* A convolution whose weights are constants on an Adreno under TensorFlow Lite reads whole slices of four channels, and fewer than four take as long. */
START_TEST(channels_of_one_slice_take_as_long)
{
  struct target t = {calloc(1, sizeof *t.s), 0};
  struct hs_error err;
  const struct hs_run_options options = {.soc = "sd855", .runtime = "tflite", .precision = "fp16"};
  double cycles[4];
  hs_test_accepted(hs_setup_system(t.s, &options, &err), &err);
  t.p = hs_soc_find(t.s->soc, "gpu");
  for (int channels = 1; channels <= 4; channels++) {
    struct hs_work w;
    struct hs_graph *g = network(0, (const int[]){1, 28, 28, channels, 32});
    hs_cost_exec(&t.s->sys, g, &g->ops[0], t.p, (struct hs_range){HS_SPLIT_NONE, 0, 1}, &w);
    cycles[channels - 1] = w.cycles[0];
    hs_graph_free(g);
  }
  for (int i = 1; i < 4; i++) ck_assert_double_eq_tol(cycles[i], cycles[0], 1e-9 * cycles[0]);
  hs_setup_free(t.s);
  free(t.s);
}
END_TEST

/* Where a loop makes one group after the other, one thread splits and joins, but all compute, and the slowest core decides. */
START_TEST(groups_are_computed_by_all_threads)
{
  static struct hs_setup s[2];
  struct hs_error err;
  int n = 0;
  for (int slow = 0; slow < 2; slow++) {
    const struct hs_run_options options = {.soc = "sd855", .policy = "cpu", .runtime = "ncnn", .model = "regnetx_0.2gf",
                                           .frequency = slow ? "cpu.mid=min" : NULL};
    ck_assert_msg(hs_setup_make(&s[slow], &options, &err) == HS_OK, "%s", hs_test_message(&err));
  }
  for (int i = 0; i < s[0].graph->n_ops; i++) {
    const struct hs_operator *op = &s[0].graph->ops[i];
    struct hs_work w;
    if (op->class != HS_CLASS_GROUPED) continue;
    n++;
    hs_cost_exec(&s[0].sys, s[0].graph, op, 0, hs_range_whole, &w);
    for (int d = 0; d < HS_DOMAINS_MAX; d++) ck_assert_int_eq(w.cores[d], s[0].sys.backends[0].cores[d]);
    ck_assert_double_gt(w.caller, 0);
    ck_assert_double_lt(w.caller, 0.9 * w.cycles[1]);
    ck_assert_msg(hs_work_seconds(&s[1].sys, 0, -1, &w) > 1.3 * hs_work_seconds(&s[0].sys, 0, -1, &w), "%s doesn't wait for the slowest", op->name);
  }
  ck_assert_int_gt(n, 10);
  for (int slow = 0; slow < 2; slow++) hs_setup_free(&s[slow]);
}
END_TEST

static void fill(TCase *t)
{
  tcase_add_loop_test(t, more_work_takes_no_less_time, 0, SOCS);
  tcase_add_loop_test(t, parts_take_no_more_than_the_whole_and_together_no_less, 0, SOCS);
  tcase_add_loop_test(t, a_higher_clock_or_more_equal_cores_take_no_longer, 0, SOCS);
  tcase_add_loop_test(t, performance_cores_are_no_slower, 0, SOCS);
  tcase_add_test(t, groups_are_computed_by_all_threads);
  tcase_add_test(t, a_rate_rises_no_faster_than_the_size);
  tcase_add_test(t, channels_of_one_slice_take_as_long);
}

int main(void) { return hs_test_main("shapes", fill); }
