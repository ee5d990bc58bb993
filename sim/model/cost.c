/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/cost.h"

#include <math.h>

#include "model/blocks.h"
#include "model/groups.h"
#include "model/launch.h"
#include "model/linked.h"
#include "model/part.h"
#include "model/shader_cost.h"
#include "model/spread.h"
#include "model/turn.h"

static double round_up(double n, int multiple) { return ceil(n / multiple) * multiple; }

/* Work grows where channels are padded to the kernel's block. */
static double channel_padding(const struct hs_operator *op, const struct hs_part *p, int multiple)
{
  double out = p->channels / (double)op->at.group;
  if (multiple <= 1) return 1;
  if (op->class == HS_CLASS_DEPTHWISE) return round_up(p->channels, multiple) / p->channels;
  return round_up(p->in_channels, multiple) / p->in_channels * round_up(out, multiple) / out;
}

/* Side of the Winograd tiles in which this part is computed; 0: it isn't. */
static int winograd_tile(const struct hs_kernel *k, const struct hs_graph *g, const struct hs_operator *op, struct hs_range range, const struct hs_part *p)
{
  const struct hs_winograd *w = &k->winograd;
  const struct hs_shape *in = &g->tensors[op->inputs[0]].shape;
  if (w->tile == 0 || op->class != HS_CLASS_CONV_3X3 || p->in_channels < w->channels || p->channels < w->channels) return 0;
  struct hs_range rows = hs_input_range(g, op, 0, range);
  int64_t height = rows.split == HS_SPLIT_HEIGHT ? rows.end - rows.begin : in->dim[1];
  return height > w->above && in->dim[2] > w->above ? w->tile : w->small_tile;
}

/* Rows of a part belong to several images: none is cut in the middle of a tile. */
static double tiles_of(const struct hs_graph *g, const struct hs_operator *op, struct hs_range range, const struct hs_part *p, int tile)
{
  double images = (double)g->tensors[op->outputs[0]].shape.dim[0] * (range.split == HS_SPLIT_BATCH ? p->share : 1);
  return images * ceil(p->rows / images / tile) * ceil(p->width / tile);
}

/* Is it a convolution of which every output is computed by itself: no matrix product, no Winograd? */
static bool is_direct(enum hs_op_class class) { return class == HS_CLASS_CONV_3X3_STRIDED || class == HS_CLASS_CONV_OTHER; }

/* By how much more a kernel that isn't Winograd's computes than it is asked for, in blocks of channels and columns … */
static double padding(const struct hs_backend *b, const struct hs_operator *op, enum hs_op_class class, const struct hs_part *p)
{
  const struct hs_kernel *k = b->kernel;
  double factor = channel_padding(op, p, k->channel_multiple), blocks = ceil(p->width / k->width_block[class]);
  factor *= blocks * k->width_block[class] / p->width;
  if (k->matrix_block > 1 && hs_class_is_dense_conv(class)) {
    double columns = p->rows * p->width / p->matrices;
    factor *= round_up(p->channels, k->matrix_block) / p->channels * round_up(columns, k->matrix_block) / columns;
  }
  if (is_direct(class) && k->direct_block) factor *= round_up(p->channels, k->direct_block * b->threads) / p->channels;
  return factor;
}

/* … and in whole waves of these. */
static double waves(const struct hs_kernel *k, const struct hs_operator *op, enum hs_op_class class, const struct hs_part *p)
{
  if (!hs_op_is_conv(op->type) || class == HS_CLASS_DEPTHWISE || k->wave == 0) return 1;
  double items = p->rows * ceil(p->width / k->width_block[class]) * ceil(p->channels / k->channel_multiple);
  return round_up(items, k->wave) / items;
}

/* What a work group reads per step of its loop, in blocks of weights and pixels of input, against one that has as many blocks of
 * channels as items in a row: those share each pixel. With fewer, more columns are in the group, and all of their pixels are its own. */
static double group_reads(const struct hs_kernel *k, const struct hs_operator *op, enum hs_op_class class, const struct hs_part *p)
{
  double items = k->group.blocks, pixels = (double)k->group.rows * k->width_block[class], blocks = ceil(p->channels / k->channel_multiple);
  if (!hs_op_is_conv(op->type) || class == HS_CLASS_DEPTHWISE || class == HS_CLASS_GROUPED || items <= blocks || k->group.lines_per_cycle > 0) return 1;
  return (blocks + pixels * items / blocks) / (items + pixels);
}

/* Cycles per MAC where the loads of a work group wait for cache lines. A step of its loop is channel_multiple channels of input: as many vectors of
 * weights, and one of each column's pixel. A load of weights touches a line per block of channels, whichever rows share it, one of pixels a line per
 * column and row, whichever blocks share it. A group begins at a multiple of its length in a row of columns · blocks items: where `blocks` is no
 * multiple of that, some hold the end of one column and the beginning of the next, 1 + (length - greatest common divisor) / blocks on average. */
static double load_cycles_per_mac(const struct hs_backend *b, enum hs_op_class class, const struct hs_part *p)
{
  const struct hs_work_group *g = &b->kernel->group;
  double vector = b->kernel->channel_multiple, pixels = b->kernel->width_block[class], items = (double)g->blocks * g->rows;
  double blocks = ceil(p->channels / vector), columns = 1 + (double)(g->blocks - hs_greatest_divisor(g->blocks, (int64_t)blocks)) / blocks;
  double least = items * vector * hs_precision_bytes(b->precision) / g->bytes_per_cycle;
  double weight = fmax(fmin(g->blocks, blocks) / g->lines_per_cycle, least), pixel = fmax(g->rows * columns / g->lines_per_cycle, least);
  return (vector * weight + pixels * pixel) / (vector * vector * pixels * items);
}

/* Does a library have a kernel for depthwise convolutions of this shape, or does it go the long way round? TensorFlow Lite has assembly for int8
 * (v2.10, depthwiseconv_3x3_filter_common.h). */
static bool takes_fast_path(const struct hs_depthwise_path *path, const struct hs_graph *g, const struct hs_operator *op)
{
  const struct hs_attributes *at = &op->at;
  int64_t in = hs_shape_channels(&g->tensors[op->inputs[0]].shape), out = hs_shape_channels(&g->tensors[op->outputs[0]].shape);
  for (int d = 0; d < 2; d++) {
    if (at->kernel[d] < path->kernel || at->kernel[d] > path->max_kernel || at->dilation[d] != 1) return false;
    if (path->max_stride && (at->stride[d] > path->max_stride || at->stride[0] != at->stride[1])) return false;
    if (path->max_pad >= 0 && (at->pad[d] > path->max_pad || at->pad[0] != at->pad[1] || at->pad[2 + d] > at->pad[d])) return false;
  }
  return path->channel_multiple == 0 || (in == out && in % path->channel_multiple == 0);
}

static double depthwise_factor(const struct hs_kernel *k, const struct hs_graph *g, const struct hs_operator *op)
{
  const struct hs_depthwise_path *path = &k->depthwise_fast_path;
  double strided = op->at.stride[0] > 1 || op->at.stride[1] > 1 ? k->strided_depthwise_factor : 1;
  return path->kernel == 0 || takes_fast_path(path, g, op) ? strided : strided * path->other_factor;
}

/* How much a part computes with its border, of what it is asked for. */
static double with_border(const struct hs_graph *g, const struct hs_operator *op, struct hs_range range, struct hs_border border)
{
  const struct hs_shape *s = &g->tensors[op->outputs[0]].shape;
  if (border.rows == 0 && border.columns == 0) return 1;
  return (1 + (double)border.rows / (double)(range.end - range.begin)) * (1 + (double)border.columns / (double)s->dim[2]);
}

/* A row of features waits for the weights, each of which it multiplies once; several are columns of a matrix product, as the pixels of a convolution are. */
enum hs_op_class hs_cost_class(const struct hs_system *sys, const struct hs_graph *g, const struct hs_operator *op, int p)
{
  const int64_t *in = g->tensors[op->inputs[0]].shape.dim;
  if (op->class == HS_CLASS_MATMUL && hs_op_output_elements(g, op) > hs_shape_channels(&g->tensors[op->outputs[0]].shape)) return HS_CLASS_CONV_1X1;
  bool pixel = op->class == HS_CLASS_CONV_1X1 && in[1] == 1 && in[2] == 1, groups = op->class == HS_CLASS_DEPTHWISE && op->type == HS_OP_CONV;
  if (pixel && sys->runtime->backends[sys->soc->processors[p].kind].dense_pixel) return HS_CLASS_MATMUL;
  return groups && sys->runtime->backends[sys->soc->processors[p].kind].plain_groups ? HS_CLASS_GROUPED : op->class;
}

/* 1×1 where nothing is skipped or padded. Rows of features are pixels. */
static bool is_pixelwise(const struct hs_operator *op)
{
  for (int d = 0; d < 2 && hs_op_is_conv(op->type); d++)
    if (op->at.kernel[d] > 1 || op->at.stride[d] > 1 || op->at.pad[d] || op->at.pad[2 + d]) return false;
  return true;
}

/* Is a part launched as TensorFlow Lite's delegate does, and how? */
static bool launch_of(const struct hs_backend *b, const struct hs_operator *op, enum hs_op_class class, const struct hs_part *p, struct hs_launch *out)
{
  const struct hs_kernel_launch *l = &b->kernel->launch;
  if (l->units == 0 || (class != HS_CLASS_GROUPED && !hs_class_is_dense_conv(class))) return false;
  struct hs_launch_conv c = {.width = (int64_t)ceil(p->width - 1e-6), .height = (int64_t)ceil(p->rows - 1e-6), .in_channels = (int64_t)p->in_channels,
                             .channels = (int64_t)ceil(p->channels - 1e-6), .window = 1, .groups = 1, .pixelwise = is_pixelwise(op)};
  if (hs_op_is_conv(op->type)) {
    c.window = op->at.kernel[0] * op->at.kernel[1];
    c.groups = op->at.group;
  }
  hs_launch_choose(&c, l->units, l->resident, out);
  return true;
}

/* What an item reads and does for so many reads, against one that computes most and has many steps: 2 × 2 pixels by 2 slices, 128 MACs a step. */
static double launched_work(const struct hs_kernel *k, const struct hs_launch *l, enum hs_op_class class)
{
  const struct hs_kernel_launch *r = &k->launch;
  if (l->constant) return l->waves * r->units * HS_WAVE_ITEMS * l->steps * 16 * l->outputs / r->constant_efficiency;
  double loop = class == HS_CLASS_CONV_1X1 ? r->loop_reads_1x1 : r->loop_reads, most = 4 * r->pixel_reads + 8 + loop;
  double reads = l->steps * (l->pixels * r->pixel_reads + l->weights * (1 + r->slice_reads * log(l->slices)) + loop) + l->outputs * r->store_reads;
  return (l->rounds + r->last_round * l->last) * l->held * r->units * HS_WAVE_ITEMS * reads * 128 / most / k->efficiency[class];
}

/* MACs of a part at the kernel's rate: more of them where the part is small or doesn't fit the kernel's blocks. */
static struct hs_load products(const struct hs_backend *b, const struct hs_graph *g, const struct hs_operator *op, enum hs_op_class class,
                            struct hs_range range, struct hs_border border, double share)
{
  const struct hs_kernel *k = b->kernel;
  struct hs_part p = hs_part_of(g, op, range, border, share);
  int tile = winograd_tile(k, g, op, range, &p);
  double columns = p.rows * p.width, work, in_waves = 1, depth = (double)hs_op_reduction_depth(g, op);
  double half = class == HS_CLASS_GROUPED ? k->reduction_half_grouped : k->reduction_half;
  struct hs_launch launch;
  if (launch_of(b, op, class, &p, &launch)) {
    depth = 4 * launch.steps; /* whole slices are read */
    double shallow = launch.constant || class == HS_CLASS_GROUPED ? (depth + half) / depth : 1;
    return (struct hs_load){shallow * launched_work(k, &launch, class), 0};
  }
  if (tile) {
    columns = tiles_of(g, op, range, &p, tile);
    work = columns * (tile + 2) * (tile + 2) *
           (p.in_channels * p.channels + k->winograd.transform_half * (p.in_channels + p.channels));
    depth = fmax(depth, 3 * sqrt(half * k->winograd.transform_half)); /* below, fewer channels would take longer: transforms aren't shallow */
  } else {
    if (class == HS_CLASS_CONV_3X3 && k->winograd.tile) class = HS_CLASS_CONV_OTHER;
    work = op->macs * share * with_border(g, op, range, border) * padding(b, op, class, &p) * group_reads(k, op, class, &p);
    in_waves = waves(k, op, class, &p);
  }
  if (class != HS_CLASS_DEPTHWISE) in_waves += k->columns_half / columns; /* reading weights fills no waves */
  work *= in_waves;
  if (class == HS_CLASS_DEPTHWISE) work *= depthwise_factor(k, g, op);
  work *= (depth + half) / depth;
  return hs_kernel_counts_lines(k, class) ? (struct hs_load){0, work * load_cycles_per_mac(b, class, &p)} : (struct hs_load){work / k->efficiency[class], 0};
}

/* How many channels a filter spans that needs only one, where the kernel runs depthwise convolutions as dense ones; else 1. */
static double dense_factor(const struct hs_kernel *k, const struct hs_graph *g, const struct hs_operator *op)
{
  if (!k->dense_depthwise || op->class != HS_CLASS_DEPTHWISE) return 1;
  return round_up((double)hs_shape_channels(&g->tensors[op->inputs[0]].shape), k->channel_multiple);
}

double hs_cost_params(const struct hs_kernel *k, const struct hs_graph *g, const struct hs_operator *op)
{
  double biases = op->class == HS_CLASS_DEPTHWISE && op->at.bias ? (double)op->at.channels : 0;
  return ((double)op->params - biases) * dense_factor(k, g, op) + biases;
}

double hs_cost_kept_weights(const struct hs_system *sys, const struct hs_graph *g, const struct hs_operator *op, int p, struct hs_range range)
{
  double share, weights;
  if (op->class != HS_CLASS_CONV_3X3) return 0;
  hs_range_shares(g, op, range, &share, &weights);
  struct hs_part part = hs_part_of(g, op, range, (struct hs_border){0, 0}, share);
  int tile = winograd_tile(sys->backends[p].kernel, g, op, range, &part);
  return tile ? (tile + 2) * (tile + 2) * part.in_channels * part.channels : 0;
}

/* The curve itself: linear between knots. */
static double interpolated(const struct hs_kernel *k, double ln_size)
{
  if (ln_size <= k->knot_ln[0]) return k->knot_frac[0];
  for (int i = 1; i < k->n_knots; i++)
    if (ln_size <= k->knot_ln[i]) {
      double t = (ln_size - k->knot_ln[i - 1]) / (k->knot_ln[i] - k->knot_ln[i - 1]);
      return k->knot_frac[i - 1] + t * (k->knot_frac[i] - k->knot_frac[i - 1]);
    }
  return k->knot_frac[k->n_knots - 1];
}

/* Where it rises faster than the size, larger operators would take less time: a smaller one has a rate with which it takes no longer than these. Time is the
 * least where the curve is as high as it is steep. */
double hs_cost_saturation(const struct hs_kernel *k, double ln_size)
{
  if (k->n_knots == 0 || isinf(ln_size)) return 1;
  double best = interpolated(k, ln_size);
  for (int i = 1; i < k->n_knots; i++) {
    double rise = (k->knot_frac[i] - k->knot_frac[i - 1]) / (k->knot_ln[i] - k->knot_ln[i - 1]);
    if (rise <= k->knot_frac[i - 1]) continue;
    double least = fmin(k->knot_ln[i], k->knot_ln[i - 1] + 1 - k->knot_frac[i - 1] / rise);
    if (least > ln_size) best = fmax(best, (k->knot_frac[i - 1] + rise * (least - k->knot_ln[i - 1])) * exp(ln_size - least));
  }
  return best;
}

/* What can run in parallel: ln(N·H·W·C), C padded to the kernel's block of channels. */
static double ln_parallelism(double elements, double channels, int multiple)
{
  return log(elements * round_up(channels, multiple) / channels);
}

/* The same, or, where convolutions are launched as the delegate does, ln of the work items: one per pixel where weights are constants, none where waves are
 * counted (INFINITY: the curve isn't theirs); four a slice of a row of features (fully_connected.cc); one a slice and pixel of others. */
static double ln_size(const struct hs_backend *b, const struct hs_graph *g, const struct hs_operator *op, enum hs_op_class class, struct hs_range range,
                      struct hs_border border, double share, double elements, double channels)
{
  struct hs_part p = hs_part_of(g, op, range, border, share);
  struct hs_launch launch;
  double ln = ln_parallelism(elements, channels, b->kernel->channel_multiple);
  if (b->kernel->launch.units == 0) return ln;
  if (launch_of(b, op, class, &p, &launch)) return launch.constant ? log(launch.waves * b->kernel->launch.units * HS_WAVE_ITEMS) : INFINITY;
  return class == HS_CLASS_MATMUL ? ln : fmax(ln - log(4), 0);
}

static struct hs_load scaled(struct hs_load l, double factor) { return (struct hs_load){factor * l.per_peak, factor * l.cycles}; }

/* What multiplies a part of `elements`, at the rate that so many have. */
static struct hs_load saturated(const struct hs_backend *b, const struct hs_graph *g, const struct hs_operator *op, enum hs_op_class class, struct hs_range range,
                                struct hs_border border, double share, double elements, double channels)
{
  double rate = hs_cost_saturation(b->kernel, ln_size(b, g, op, class, range, border, share, elements, channels));
  return scaled(products(b, g, op, class, range, border, share), dense_factor(b->kernel, g, op) / rate);
}

/* Several rows of features take no less than one of them, which waits for the weights: with a few, all of them do. */
static struct hs_load matrix_product(const struct hs_backend *b, const struct hs_domain *d, const struct hs_graph *g, const struct hs_operator *op, struct hs_range range,
                                  struct hs_border border, double share, double elements, double channels)
{
  struct hs_part p = hs_part_of(g, op, range, border, share);
  double rows = p.rows * p.width / p.matrices;
  struct hs_load all = saturated(b, g, op, HS_CLASS_CONV_1X1, range, border, share, elements, channels);
  struct hs_load row = scaled(saturated(b, g, op, HS_CLASS_MATMUL, range, border, share, elements / rows, channels), 1 / rows);
  return hs_load_cycles(row, d, b->precision) > hs_load_cycles(all, d, b->precision) ? row : all;
}

double hs_cost_ln_size(const struct hs_system *sys, const struct hs_graph *g, const struct hs_operator *op, int p)
{
  const struct hs_shape *s = &g->tensors[op->outputs[0]].shape;
  return ln_size(&sys->backends[p], g, op, hs_cost_class(sys, g, op, p), (struct hs_range){HS_SPLIT_NONE, 0, 1}, (struct hs_border){0, 0}, 1,
                 (double)hs_shape_elements(s), (double)hs_shape_channels(s));
}

/* Amdahl's part, by what runs: kernels that multiply, loops over groups, and light ones that a framework threads less well. */
static double serial_part(const struct hs_kernel *k, enum hs_op_class c)
{
  switch (c) {
  case HS_CLASS_CONV_1X1: case HS_CLASS_CONV_3X3: case HS_CLASS_CONV_3X3_STRIDED: case HS_CLASS_CONV_OTHER:
  case HS_CLASS_TRANSPOSED: case HS_CLASS_MATMUL: return k->serial_frac;
  case HS_CLASS_GROUPED: return k->serial_grouped_frac;
  case HS_CLASS_DEPTHWISE: return k->serial_depthwise_frac;
  default: return k->serial_light_frac;
  }
}

/* Pool, elementwise, reduce, move. */
static bool is_light(enum hs_op_class c) { return c == HS_CLASS_POOL || c == HS_CLASS_ELEMENTWISE || c == HS_CLASS_REDUCE || c == HS_CLASS_MOVE; }

/* What a library calls a function for, element by element, where it has no vectors for that. */
static bool computes_function(enum hs_op_type type)
{
  switch (type) {
  case HS_OP_GELU: case HS_OP_SIGMOID: case HS_OP_TANH: case HS_OP_EXP: case HS_OP_ELU: case HS_OP_SOFTMAX: case HS_OP_LOG_SOFTMAX: return true;
  default: return false;
  }
}

/* Are the matrices of this product multiplied one by one, each on one thread? */
static bool by_matrix(const struct hs_system *sys, const struct hs_operator *op, int p)
{
  return op->type == HS_OP_MAT_MUL && sys->backends[p].kernel->operator_cycles[HS_OP_MAT_MUL] > 0 &&
         sys->runtime->backends[sys->soc->processors[p].kind].least_matrices > 0;
}

/* Do all threads share it, whatever part of light operators is serial? */
static bool is_shared_function(const struct hs_system *sys, const struct hs_operator *op, int p)
{
  return computes_function(op->type) && sys->backends[p].kernel->operator_cycles[op->type] > 0 &&
         sys->runtime->backends[sys->soc->processors[p].kind].shares_functions;
}

/* Amdahl's part, where the runtime says who computes what has cycles of its own. */
static double serial_share(const struct hs_system *sys, const struct hs_operator *op, int p, enum hs_op_class c, double matrices)
{
  if (matrices > 0) return matrices < sys->runtime->backends[sys->soc->processors[p].kind].least_matrices;
  return is_shared_function(sys, op, p) ? 0 : serial_part(sys->backends[p].kernel, c);
}

/* A convolution of one pixel, which TensorFlow Lite multiplies as a matrix by one column (v2.10, cpu_backend_gemm_custom_gemv.h): each weight is read once, and
 * that decides. (Fully connected operators of one row are no dense convolution.) */
static bool is_one_column(const struct hs_kernel *k, const struct hs_graph *g, const struct hs_operator *op, enum hs_op_class class)
{
  return k->weight_cycles_per_byte > 0 && hs_class_is_dense_conv(class) &&
         hs_op_output_elements(g, op) == hs_shape_channels(&g->tensors[op->outputs[0]].shape);
}

/* Elements that a convolution gathers through its windows. */
static double window_elements(const struct hs_operator *op, double pixels, double depth)
{
  bool window = hs_op_is_conv(op->type) && op->class != HS_CLASS_DEPTHWISE && op->class != HS_CLASS_GROUPED && op->at.kernel[0] * op->at.kernel[1] > 1;
  return window ? pixels * depth : 0;
}

/* A mean of a whole image that is read as a row of features, or is the result. TensorFlow Lite has a kernel in vectors for int8 where the dimensions
 * are kept; where they are dropped its reference looks the place of each element up (v2.10, kernels/reduce.cc, EvalMean). */
static bool is_flat_mean(const struct hs_graph *g, const struct hs_operator *op)
{
  if (!hs_op_is_mean(op->type)) return false;
  for (const struct hs_operator *reader = op + 1; reader < g->ops + g->n_ops; reader++)
    for (int i = 0; i < reader->n_inputs; i++)
      if (reader->inputs[i] == op->outputs[0]) return reader->type == HS_OP_GEMM || reader->type == HS_OP_RESHAPE;
  return true;
}

static const double COLUMN_MACS = 65536; /* least of a thread where a matrix has one column (optimized_ops.h, LegacyHowManyThreads) */

/* By how many threads what is threaded gets faster. A dense convolution is a product of matrices, a row per output channel and a column per pixel: too
 * small for two threads, or in few blocks, so that one has more than its share. */
static double worth_threads(const struct hs_backend *b, const struct hs_graph *g, const struct hs_operator *op, enum hs_op_class class, struct hs_range range,
                           struct hs_border border, double share, double matrices)
{
  if (matrices > 0) return matrices / ceil(matrices / b->threads);
  if (is_one_column(b->kernel, g, op, class)) return fmax(1, fmin(b->threads, floor((double)op->macs * share / COLUMN_MACS)));
  if (b->kernel->block_map_bytes <= 0 || b->threads < 2 || !hs_class_is_dense_conv(class)) return b->threads;
  struct hs_part p = hs_part_of(g, op, range, border, share);
  struct hs_product product = {(int64_t)ceil(p.channels - 1e-6), (int64_t)ceil(p.rows * p.width / p.matrices - 1e-6), hs_op_reduction_depth(g, op),
                               hs_precision_bytes(b->precision)};
  int threads = hs_product_threads(&product, b->threads);
  struct hs_blocks blocks;
  if (threads == 1) return 1;
  hs_blocks_choose(&product, threads, b->kernel->matrix_block, b->kernel->block_map_bytes, &blocks);
  return 1 / hs_blocks_share(&blocks, threads);
}

/* What waking threads for a loop and waiting for the last of them takes, as in a tree. Copies have no threads (Paddle-Lite, concat.cc), nor has what is serial. */
static double fork_cycles(const struct hs_backend *b, const struct hs_operator *op, struct hs_load shared)
{
  bool loop = op->class != HS_CLASS_MOVE && shared.per_peak + shared.cycles > 0;
  return loop && b->threads > 1 ? b->kernel->fork_cycles * log2(b->threads) : 0;
}

/* A GPU's units wait while its host starts something: `cycles` of the work draw no dynamic power. */
static void wait_for_host(const struct hs_processor *p, double cycles, struct hs_work *w)
{
  if (p->kind == HS_GPU && cycles > 0) w->power_factor *= 1 - cycles / w->cycles[0];
}

void hs_cost_start(const struct hs_system *sys, int p, struct hs_work *w)
{
  double cycles = sys->backends[p].kernel->start_cycles;
  for (int d = 0; d < sys->soc->processors[p].n_domains; d++) w->cycles[d] += cycles;
  wait_for_host(&sys->soc->processors[p], cycles, w);
}

double hs_cost_start_seconds(const struct hs_system *sys, int p, int opp)
{
  struct hs_work w = {.power_factor = 1};
  for (int d = 0; d < sys->soc->processors[p].n_domains; d++) w.cores[d] = sys->backends[p].cores[d];
  hs_cost_start(sys, p, &w);
  return hs_work_seconds(sys, p, opp, &w);
}

/* Elements that an operator makes: a Split those of all its parts, of which any may be the first. */
static double made_elements(const struct hs_graph *g, const struct hs_operator *op, struct hs_range range)
{
  double n = 0;
  for (int i = 0; i < op->n_outputs; i++) n += hs_range_elements(&g->tensors[op->outputs[i]].shape, range);
  return n;
}

static double tensor_elements(const struct hs_graph *g, const struct hs_operator *op, struct hs_range range)
{
  double n = 0;
  for (int i = 0; i < op->n_inputs; i++)
    n += hs_range_elements(&g->tensors[op->inputs[i]].shape, hs_input_range(g, op, i, range));
  return n + made_elements(g, op, range);
}

/* How often a kernel reads the weights of a product of several rows beside the first time: for each block of rows, where the last cache doesn't hold them. Of a SoC
 * without one the file doesn't tell what its clusters' caches hold. */
static double passes_again(const struct hs_system *sys, const struct hs_kernel *k, const struct hs_operator *op, double rows, double bytes)
{
  double cache = sys->soc->memory.llc_bytes;
  if (k->rows_per_pass == 0 || op->type != HS_OP_GEMM || cache <= 0 || bytes <= cache) return 0;
  return fmax(0, ceil(rows / k->rows_per_pass) - 1);
}

/* Elementary operations of what only moves data, where the kernel has a rate for it. A Split's pixels are those of what it reads, whichever part is the first. */
static double move_work(const struct hs_kernel *k, const struct hs_graph *g, const struct hs_operator *op, double elements, double channels)
{
  double pixels = elements / (op->type == HS_OP_SPLIT ? (double)hs_shape_channels(&g->tensors[op->inputs[0]].shape) : channels);
  return op->class == HS_CLASS_MOVE && k->move_half_pixels > 0 ? elements * (pixels + k->move_half_pixels) / pixels : 0;
}

/* Weights that come through the caches, of a table only the rows that are copied. */
static double weights_read(const struct hs_kernel *k, const struct hs_graph *g, const struct hs_operator *op, double weight_share)
{
  return weight_share * (op->type == HS_OP_GATHER ? hs_op_params_read(g, op) : hs_cost_params(k, g, op));
}

/* What an operator with cycles of its own has them for: elements that a mean reads, MACs of a product, else elements of the output, whose channels a
 * normalisation may compute in whole blocks. */
static double own_count(const struct hs_kernel *k, const struct hs_graph *g, const struct hs_operator *op, struct hs_range range, bool flat_mean, double elements,
                        double channels, double share)
{
  if (op->type == HS_OP_BATCH_NORMALIZATION && k->norm_block) return elements / channels * round_up(channels, k->norm_block);
  if (flat_mean) return hs_range_elements(&g->tensors[op->inputs[0]].shape, hs_input_range(g, op, 0, range));
  return op->macs > 0 ? (double)op->macs * share : elements;
}

static void exec_kernel(const struct hs_system *sys, const struct hs_graph *g, const struct hs_operator *op, int p, struct hs_range range,
                        struct hs_border border, struct hs_work *out)
{
  const struct hs_processor *proc = &sys->soc->processors[p];
  const struct hs_backend *b = &sys->backends[p];
  const struct hs_kernel *k = b->kernel;
  const struct hs_shape *shape = &g->tensors[op->outputs[0]].shape;
  double share, weight_share;
  hs_range_shares(g, op, range, &share, &weight_share);
  double more = with_border(g, op, range, border), elements = more * hs_range_elements(shape, range);
  double channels = (double)hs_shape_channels(shape) * (range.split == HS_SPLIT_CHANNEL ? share : 1);
  double depth = (double)hs_op_reduction_depth(g, op);
  bool linked = hs_is_linked(sys, k, g, op);
  bool flat_mean = k->flat_mean_cycles > 0 && is_flat_mean(g, op);
  double own = flat_mean ? k->flat_mean_cycles : k->operator_cycles[op->type];
  double floats = proc->domains[0].macs_per_cycle[HS_FP32]; /* 0: an accelerator that has none */
  if (own > 0 && op->macs > 0 && floats > 0) own = fmax(own, 1 / floats);
  double work = op->work * share * more + (linked ? 0 : move_work(k, g, op, more * made_elements(g, op, range), channels));
  enum hs_op_class class = hs_cost_class(sys, g, op, p);
  struct hs_load computes = k->shaders.access_cycles > 0 ? (struct hs_load){0, linked ? 0 : hs_shaders_cycles(b, proc->domains, g, op, class, range, border, share)}
                          : own > 0 || is_one_column(k, g, op, class)         ? (struct hs_load){0, 0}
                         : class != op->class && op->class == HS_CLASS_MATMUL ? matrix_product(b, proc->domains, g, op, range, border, share, elements, channels)
                         : op->macs > 0                                      ? saturated(b, g, op, class, range, border, share, elements, channels)
                                                                             : (struct hs_load){work / k->efficiency[op->class], 0};
  double tensors = linked ? hs_linked_elements(g, op, range) : more * tensor_elements(g, op, range), size = hs_precision_bytes(b->precision);
  double weights = linked ? 0 : weights_read(k, g, op, weight_share), moved = tensors + weights;
  double packed = op->type == HS_OP_CONCAT || op->type == HS_OP_GATHER ? elements : moved; /* copied, not computed from: each byte once */
  double moves = size * packed * (is_light(op->class) ? k->light_move_cycles_per_byte : k->move_cycles_per_byte);
  if (hs_class_is_dense_conv(class)) moves += size * k->pack_cycles_per_byte * elements / channels * depth;
  if (hs_class_is_dense_conv(class)) moves += size * k->weight_cycles_per_byte * weights;
  if (own > 0) moves = linked ? 0 : own * own_count(k, g, op, range, flat_mean, elements, channels, share);
  double windows = size * k->window_cycles_per_byte * window_elements(op, elements / channels, depth);
  double matrices = by_matrix(sys, op, p) ? ceil(hs_part_of(g, op, range, border, share).matrices - 1e-6) : 0;
  double s = serial_share(sys, op, p, class, matrices), w = k->serial_window_frac;
  computes.cycles += moves;
  double laid = hs_op_is_conv(op->type) ? size * k->layout_cycles_per_byte * elements : 0;
  struct hs_load serial = {s * computes.per_peak, s * computes.cycles + w * windows + laid};
  struct hs_load shared = {(1 - s) * computes.per_peak, (1 - s) * computes.cycles + (1 - w) * windows};
  hs_turn_tensors(sys, k, g, op, range, elements, channels, &serial, &shared);
  bool stay = tensors * size <= proc->local_bytes;
  double fetched = k->traffic_factor * (stay ? weights : moved) + k->refetch[class] * (double)op->macs * share * more;
  fetched += weights * passes_again(sys, k, op, elements / channels, weights * size);
  *out = (struct hs_work){.bytes = sys->traffic * fetched * size, .power_factor = k->power_factor};
  double overhead = linked ? 0 : hs_shaders_count(k, op) * k->overhead_cycles, outputs = op->type == HS_OP_SPLIT ? op->n_outputs * k->split_output_cycles : 0;
  bool steals = sys->runtime->steals && matrices <= 0 && !is_shared_function(sys, op, p); /* these are handed out in equal parts */
  hs_spread(proc, b, steals, overhead + outputs + fork_cycles(b, op, shared), serial, shared, worth_threads(b, g, op, class, range, border, share, matrices), out);
  wait_for_host(proc, overhead, out);
}

/* `times` the same work behind what `sum` has. */
static void add_work(struct hs_work *sum, const struct hs_work *w, double times)
{
  double before = sum->cycles[0], more = times * w->cycles[0];
  for (int d = 0; d < HS_DOMAINS_MAX; d++) {
    sum->cores[d] = w->cores[d];
    sum->cycles[d] += times * w->cycles[d];
    sum->stolen[d] += times * w->stolen[d];
  }
  sum->bytes += times * w->bytes;
  if (before + more > 0) sum->power_factor = (before * sum->power_factor + more * w->power_factor) / (before + more);
}

/* Of a part by channels the Split reads all, and as many convolutions are done as make its share. What a border reads is split, and what it makes joined. */
static void exec_groups(const struct hs_system *sys, const struct hs_groups *groups, double n, int p, struct hs_range range, struct hs_border border,
                        struct hs_work *out)
{
  const struct hs_operator *split = &groups->op[HS_GROUPS_SPLIT], *conv = &groups->op[HS_GROUPS_CONV], *concat = &groups->op[HS_GROUPS_CONCAT];
  struct hs_range piece = range.split == HS_SPLIT_CHANNEL ? (struct hs_range){HS_SPLIT_NONE, 0, 1} : range;
  struct hs_border read = {border.rows * conv->at.stride[0], border.columns * conv->at.stride[1]};
  struct hs_work w;
  *out = (struct hs_work){.power_factor = 0};
  exec_kernel(sys, &groups->graph, split, p, hs_input_range(&groups->graph, conv, 0, piece), read, &w);
  add_work(out, &w, 1);
  exec_kernel(sys, &groups->graph, conv, p, piece, border, &w);
  add_work(out, &w, n);
  exec_kernel(sys, &groups->graph, concat, p, range, border, &w);
  add_work(out, &w, 1);
}

void hs_cost_exec(const struct hs_system *sys, const struct hs_graph *g, const struct hs_operator *op, int p,
                  struct hs_range range, struct hs_work *out)
{
  hs_cost_exec_bordered(sys, g, op, p, range, (struct hs_border){0, 0}, out);
}

void hs_cost_exec_bordered(const struct hs_system *sys, const struct hs_graph *g, const struct hs_operator *op, int p, struct hs_range range,
                           struct hs_border border, struct hs_work *out)
{
  struct hs_groups groups;
  double share = 1, weight_share;
  if (!hs_groups_write_out(sys, g, op, p, &groups)) {
    exec_kernel(sys, g, op, p, range, border, out);
    return;
  }
  if (range.split == HS_SPLIT_CHANNEL) hs_range_shares(g, op, range, &share, &weight_share);
  exec_groups(sys, &groups, share * (double)op->at.group, p, range, border, out);
}

double hs_cost_seconds(const struct hs_system *sys, const struct hs_graph *g, const struct hs_operator *op, int p, int opp)
{
  struct hs_work w;
  hs_cost_exec(sys, g, op, p, (struct hs_range){HS_SPLIT_NONE, 0, 1}, &w);
  return hs_work_seconds(sys, p, opp, &w);
}
