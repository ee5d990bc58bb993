/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/products.h"

#include <math.h>

#include "input/op_work.h"
#include "model/launched.h"
#include "model/packing.h"

static double round_up(double n, int multiple) { return ceil(n / multiple) * multiple; }

/* Work grows where channels are padded to the kernel's block. */
static double channel_padding(const struct hs_portion *p)
{
  int multiple = p->backend->kernel->channel_multiple;
  double out = p->channels / (double)p->op->at.group;
  if (multiple <= 1) return 1;
  if (p->op->class == HS_CLASS_DEPTHWISE) return round_up(p->channels, multiple) / p->channels;
  return round_up(p->group_channels, multiple) / p->group_channels * round_up(out, multiple) / out;
}

/* The largest of which each thread has as many as it computes at a time. */
static int tile_of_threads(const struct hs_portion *p, const struct hs_winograd *w)
{
  double outputs = p->rows / hs_portion_images(p) * p->width;
  int tile = w->tile;
  while (tile > w->small_tile && outputs < (double)w->tiles_per_pass * p->backend->threads * tile * tile) tile -= 2;
  return tile;
}

static double tiles_of_image(const struct hs_portion *p, int tile)
{
  return hs_portion_count(p->rows / hs_portion_images(p) / tile) * ceil(p->width / tile);
}

/* TensorFlow Lite's delegate chooses by size. A part is to the library a convolution of its own. Rows of all images don't make tiles of one. */
static bool is_winograd_by_size(const struct hs_portion *p)
{
  const struct hs_winograd_from *from = &p->runtime_rules->winograd_from;
  bool deep = ceil(p->group_channels / 4) >= from->slices && ceil(p->channels / 4) >= from->slices;
  return from->slices > 0 && p->class == HS_CLASS_CONV_3X3 && deep && tiles_of_image(p, p->runtime_rules->winograd_tile) >= from->tiles;
}

/* Side of the Winograd tiles in which this part is computed; 0: it isn't. */
static int winograd_tile(const struct hs_portion *p)
{
  const struct hs_winograd *w = &p->backend->kernel->winograd;
  if (p->backend->kernel->mali.cores) return is_winograd_by_size(p) ? p->runtime_rules->winograd_tile : 0;
  const struct hs_shape *in = &p->graph->tensors[p->op->inputs[0]].shape;
  if (w->tile == 0 || p->op->class != HS_CLASS_CONV_3X3 || p->group_channels < w->channels || p->channels < w->channels) return 0;
  const struct hs_packing packing = hs_packing_of(p);
  if (packing.rate != HS_CLASS_CONV_3X3) return 0;
  if (w->tiles_per_pass) return tile_of_threads(p, w);
  if (p->backend->kernel->packing.lanes) return packing.whole && hs_packing_has_small_tiles(p->rows / hs_portion_images(p), p->width) ? w->small_tile : w->tile;
  struct hs_range rows = hs_input_range(p->graph, p->op, 0, p->range);
  int64_t height = rows.split == HS_SPLIT_HEIGHT ? rows.end - rows.begin : in->dim[1];
  return height > w->above && in->dim[2] > w->above ? w->tile : w->small_tile;
}

/* Rows of a part belong to several images: none is cut in the middle of a tile. */
static double tiles_of(const struct hs_portion *p, int tile) { return hs_portion_images(p) * tiles_of_image(p, tile); }

/* Is it a convolution of which every output is computed by itself: no matrix product, no Winograd? */
static bool is_direct(enum hs_op_class class) { return class == HS_CLASS_CONV_3X3_STRIDED || class == HS_CLASS_CONV_OTHER; }

/* By how much more a kernel that isn't Winograd's computes than it is asked for, in blocks of channels and columns … */
static double padding(const struct hs_portion *p, enum hs_op_class class)
{
  const struct hs_kernel *k = p->backend->kernel;
  double factor = channel_padding(p), blocks = ceil(p->width / k->width_block[class]);
  factor *= blocks * k->width_block[class] / p->width;
  if (k->matrix_block > 1 && hs_class_is_dense_conv(class)) {
    double columns = p->rows * p->width / p->matrices;
    factor *= round_up(p->channels, k->matrix_block) / p->channels * round_up(columns, k->matrix_block) / columns;
  }
  if (is_direct(class) && k->direct_block) factor *= round_up(p->channels, k->direct_block * p->backend->threads) / p->channels;
  return factor;
}

/* … and in whole waves of these. */
static double waves(const struct hs_portion *p, enum hs_op_class class)
{
  const struct hs_kernel *k = p->backend->kernel;
  if (!hs_op_is_conv(p->op->type) || class == HS_CLASS_DEPTHWISE || k->wave == 0) return 1;
  double items = p->rows * ceil(p->width / k->width_block[class]) * ceil(p->channels / k->channel_multiple);
  return round_up(items, k->wave) / items;
}

/* What a work group reads per step of its loop, in blocks of weights and pixels of input, against one that has as many blocks of
 * channels as items in a row: those share each pixel. With fewer, more columns are in the group, and all of their pixels are its own. (Transposed ones
 * have no such kernel.) */
static double group_reads(const struct hs_portion *p, enum hs_op_class class)
{
  const struct hs_kernel *k = p->backend->kernel;
  double row_items = k->group.blocks, pixels = (double)k->group.rows * k->width_block[class], blocks = ceil(p->channels / k->channel_multiple);
  if (!hs_op_is_conv(p->op->type) || class == HS_CLASS_DEPTHWISE || class == HS_CLASS_GROUPED || class == HS_CLASS_TRANSPOSED || row_items <= blocks ||
      k->group.lines_per_cycle > 0)
    return 1;
  return (blocks + pixels * row_items / blocks) / (row_items + pixels);
}

/* Cycles per MAC where the loads of a work group wait for cache lines. A step of its loop is channel_multiple channels of input: as many vectors of
 * weights, and one of each column's pixel. A load of weights touches a line per block of channels, whichever rows share it, one of pixels a line per
 * column and row, whichever blocks share it. A group begins at a multiple of its length in a row of columns · blocks items: where `blocks` is no
 * multiple of that, some hold the end of one column and the beginning of the next, 1 + (length - greatest common divisor) / blocks on average. */
static double load_cycles_per_mac(const struct hs_portion *p, enum hs_op_class class)
{
  const struct hs_backend *b = p->backend;
  const struct hs_work_group *g = &b->kernel->group;
  double vector = b->kernel->channel_multiple, pixels = b->kernel->width_block[class], group_items = (double)g->blocks * g->rows;
  double blocks = ceil(p->channels / vector), columns = 1 + (double)(g->blocks - hs_greatest_divisor(g->blocks, (int64_t)blocks)) / blocks;
  double least = group_items * vector * p->element_bytes / g->bytes_per_cycle;
  double weight = fmax(fmin(g->blocks, blocks) / g->lines_per_cycle, least), pixel = fmax(g->rows * columns / g->lines_per_cycle, least);
  return (vector * weight + pixels * pixel) / (vector * vector * pixels * group_items);
}

/* Does a library have a kernel for depthwise convolutions of this shape, or does it go the long way round? TensorFlow Lite has assembly for int8
 * (v2.10, depthwiseconv_3x3_filter_common.h); QNNPACK (conv_utils.h) and XNNPACK (convolution-nhwc.c, find_dwconv_ukernel()) go by taps. */
static bool has_window_of(const struct hs_depthwise_path *path, const struct hs_attributes *at)
{
  int64_t taps = at->kernel[0] * at->kernel[1];
  if (path->max_taps) return taps <= path->max_taps;
  if (path->taps) return taps == path->taps || taps == path->or_taps;
  return at->kernel[0] == path->kernel && at->kernel[1] == path->kernel && at->dilation[0] == 1 && at->dilation[1] == 1;
}

static bool takes_fast_path(const struct hs_depthwise_path *path, const struct hs_portion *p)
{
  const struct hs_operator *op = p->op;
  const struct hs_attributes *at = &op->at;
  int64_t in = hs_shape_channels(&p->graph->tensors[op->inputs[0]].shape), out = hs_shape_channels(&p->graph->tensors[op->outputs[0]].shape);
  if (!has_window_of(path, at)) return false;
  for (int d = 0; d < 2; d++) {
    if (path->max_stride && (at->stride[d] > path->max_stride || at->stride[0] != at->stride[1])) return false;
    if (path->max_pad >= 0 && (at->pad[d] > path->max_pad || at->pad[0] != at->pad[1] || at->pad[2 + d] > at->pad[d])) return false;
  }
  return path->channel_multiple == 0 || (in == out && in % path->channel_multiple == 0);
}

static double depthwise_factor(const struct hs_portion *p)
{
  const struct hs_kernel *k = p->backend->kernel;
  const struct hs_depthwise_path *path = &k->depthwise_fast_path;
  double strided = p->op->at.stride[0] > 1 || p->op->at.stride[1] > 1 ? k->strided_depthwise_factor : 1;
  return takes_fast_path(path, p) ? strided : strided * path->other_factor;
}

double hs_products_by_place(const struct hs_portion *p)
{
  const int per_pass = p->backend->kernel->winograd.tiles_per_pass, threads = p->backend->threads, places = hs_products_tile_places(p);
  return per_pass && places && hs_products_tiles(p) <= per_pass ? places / ceil((double)places / threads) : 0;
}

/* By Winograd, in tiles; the weights are read for each. Below this depth fewer channels would take longer: transforms aren't shallow, and less of the time is
 * products' where these alone are shared. */
static struct hs_compute winograd(const struct hs_portion *p, int tile, double half)
{
  const struct hs_kernel *k = p->backend->kernel;
  double tiles = tiles_of(p, tile), depth = fmax(p->depth, 3 * sqrt(half * k->winograd.transform_half * fmax(1, hs_products_by_place(p))));
  double products = hs_packing_of(p).factor * p->group_channels * p->channels, transforms = k->winograd.transform_half * (p->group_channels + p->channels);
  double macs = tiles * (tile + 2) * (tile + 2) * (products + transforms);
  return (struct hs_compute){macs * (1 + k->columns_half / tiles) * (depth + half) / depth / k->efficiency[p->class], 0};
}

/* Each output by itself. Reading weights fills no waves. */
static struct hs_compute direct(const struct hs_portion *p, double half)
{
  const struct hs_kernel *k = p->backend->kernel;
  const struct hs_packing packing = hs_packing_of(p);
  const bool missed = packing.rate == HS_CLASS_CONV_3X3 && k->winograd.tile; /* of too few channels for that */
  const enum hs_op_class rate = missed ? HS_CLASS_CONV_OTHER : packing.rate;
  double work = packing.factor * (double)p->op->macs * p->work_share * p->border_factor * padding(p, rate) * group_reads(p, rate);
  if (rate == HS_CLASS_DEPTHWISE)
    work *= waves(p, rate) * depthwise_factor(p);
  else
    work *= waves(p, rate) + k->columns_half / (p->rows * p->width);
  if (rate == HS_CLASS_GROUPED && p->group_channels == 1) work *= k->group_of_one_factor;
  work *= (p->depth + half) / p->depth;
  return hs_kernel_counts_lines(k, rate) ? (struct hs_compute){0, work * load_cycles_per_mac(p, rate)} : (struct hs_compute){work / k->efficiency[rate], 0};
}

/* MACs of a part at the kernel's rate: more of them where the part is small or doesn't fit the kernel's blocks. */
static struct hs_compute products(const struct hs_portion *p)
{
  const struct hs_kernel *k = p->backend->kernel;
  double half = p->class == HS_CLASS_GROUPED ? k->reduction_half_grouped : k->reduction_half;
  int tile = winograd_tile(p);
  struct hs_compute launched;
  if (hs_launched(p, hs_products_tiles(p), &launched)) return launched;
  return tile ? winograd(p, tile, half) : direct(p, half);
}

/* How many channels a filter spans that needs only one, where the kernel runs depthwise convolutions as dense ones; else 1. */
static double dense_factor(const struct hs_kernel *k, const struct hs_graph *g, const struct hs_operator *op)
{
  if (!k->dense_depthwise || op->class != HS_CLASS_DEPTHWISE) return 1;
  return round_up((double)hs_shape_channels(&g->tensors[op->inputs[0]].shape), k->channel_multiple);
}

double hs_products_params(const struct hs_kernel *k, const struct hs_graph *g, const struct hs_operator *op)
{
  if (op->class != HS_CLASS_DEPTHWISE) return (double)op->params;
  double others = (double)(hs_op_fused_params(g, op) + (op->at.bias ? op->at.channels : 0));
  return ((double)op->params - others) * dense_factor(k, g, op) + others;
}

int hs_products_tile_places(const struct hs_portion *p)
{
  int tile = winograd_tile(p);
  return tile ? (tile + 2) * (tile + 2) : 0;
}

int hs_products_kernels(const struct hs_portion *p) { return p->backend->kernel->mali.cores && winograd_tile(p) ? 3 : 1; }

double hs_products_kept_weights(const struct hs_portion *p) { return hs_products_tile_places(p) * p->group_channels * p->channels; }

double hs_products_tiles(const struct hs_portion *p)
{
  int tile = winograd_tile(p);
  return tile ? tiles_of(p, tile) : 0;
}

double hs_products_curve(const struct hs_kernel *k, double ln_size)
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
double hs_products_saturation(const struct hs_kernel *k, double ln_size)
{
  if (k->n_knots == 0 || isinf(ln_size)) return 1;
  double best = hs_products_curve(k, ln_size);
  for (int i = 1; i < k->n_knots; i++) {
    double rise = (k->knot_frac[i] - k->knot_frac[i - 1]) / (k->knot_ln[i] - k->knot_ln[i - 1]);
    if (rise <= k->knot_frac[i - 1]) continue;
    double least = fmin(k->knot_ln[i], k->knot_ln[i - 1] + 1 - k->knot_frac[i - 1] / rise);
    if (least > ln_size) best = fmax(best, (k->knot_frac[i - 1] + rise * (least - k->knot_ln[i - 1])) * exp(ln_size - least));
  }
  return best;
}

/* In parallel runs what is computed; where convolutions are launched as the delegate does, work items: one per pixel where weights are constants, none where
 * waves are counted (INFINITY: the curve isn't theirs); four a slice of a row of features (fully_connected.cc); one a slice and pixel of others. */
double hs_products_ln_size(const struct hs_portion *p)
{
  const struct hs_kernel *k = p->backend->kernel;
  double ln = log(p->elements * round_up(p->channels, k->channel_multiple) / p->channels), items;
  if (hs_launched_items(p, &items)) return log(items);
  if (k->launch.units == 0) return ln;
  return p->class == HS_CLASS_MATMUL ? ln : fmax(ln - log(4), 0);
}

static struct hs_compute scaled(struct hs_compute l, double factor) { return (struct hs_compute){factor * l.per_peak, factor * l.cycles}; }

/* At the rate that so many elements have. Most kernels have the same for any number. */
static struct hs_compute saturated(const struct hs_portion *p)
{
  const struct hs_kernel *k = p->backend->kernel;
  double rate = k->n_knots ? hs_products_saturation(k, hs_products_ln_size(p)) : 1;
  return scaled(products(p), dense_factor(k, p->graph, p->op) / rate);
}

/* Several rows of features take no less than one of them, which waits for the weights: with a few, all of them do. */
static struct hs_compute matrix_product(const struct hs_portion *p)
{
  struct hs_portion one = *p;
  double rows = p->rows * p->width / p->matrices;
  one.class = HS_CLASS_MATMUL;
  one.elements /= rows;
  struct hs_compute all = scaled(saturated(p), p->backend->kernel->gemm_factor), row = scaled(saturated(&one), 1 / rows);
  const struct hs_domain *d = p->processor->domains;
  enum hs_precision precision = p->backend->precision;
  return hs_compute_cycles(row, d, precision) > hs_compute_cycles(all, d, precision) ? row : all;
}

struct hs_compute hs_products(const struct hs_portion *p)
{
  return p->class != p->op->class && p->op->class == HS_CLASS_MATMUL ? matrix_product(p) : saturated(p);
}

/* Where nobody measured what that takes, it's a product as any other. */
bool hs_products_by_column(const struct hs_portion *p)
{
  bool multiplies = hs_class_is_dense_conv(p->class) || p->op->type == HS_OP_GEMM;
  return p->runtime_rules->column_macs > 0 && p->backend->kernel->weight_cycles_per_byte > 0 && multiplies &&
         hs_op_output_elements(p->graph, p->op) == hs_shape_channels(&p->graph->tensors[p->op->outputs[0]].shape);
}

/* Each weight is read once, and that decides. */
bool hs_products_one_pixel(const struct hs_portion *p) { return hs_class_is_dense_conv(p->class) && hs_products_by_column(p); }
