/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/threads.h"

#include <math.h>

#include "model/blocks.h"
#include "model/packing.h"
#include "model/products.h"

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

/* What a library calls a function for, element by element, where it has no vectors for that. */
static bool computes_function(enum hs_op_type type)
{
  switch (type) {
  case HS_OP_GELU: case HS_OP_SIGMOID: case HS_OP_TANH: case HS_OP_EXP: case HS_OP_ELU: case HS_OP_SOFTMAX: case HS_OP_LOG_SOFTMAX: return true;
  default: return false;
  }
}

static bool has_own_cycles(const struct hs_portion *p) { return p->backend->kernel->operator_cycles[p->op->type] > 0; }

/* Do all threads share it, whatever part of light operators is serial? */
static bool is_shared_function(const struct hs_portion *p) { return computes_function(p->op->type) && has_own_cycles(p) && p->runtime_rules->shares_functions; }

/* Not what pads or resizes, in loops with threads. What shuffles channels is Reshape, Transpose, Reshape here. */
bool hs_threads_copied_alone(const struct hs_portion *p)
{
  switch (p->op->type) {
  case HS_OP_CONCAT: case HS_OP_SPLIT: case HS_OP_SLICE: case HS_OP_RESHAPE: case HS_OP_TRANSPOSE: return p->runtime_rules->copies_alone;
  default: return false;
  }
}

/* Matrices of a product that are multiplied one by one, each on one thread; 0: it isn't done so. */
static double matrices_of(const struct hs_portion *p)
{
  bool one_by_one = p->op->type == HS_OP_MAT_MUL && has_own_cycles(p) && p->runtime_rules->least_matrices > 0;
  return one_by_one ? ceil(p->matrices - 1e-6) : 0;
}

/* How many times faster threads get through channels in steps, of which the one with most of them has so many, the last of all maybe smaller. */
static double in_steps(double channels, int step, int threads) { return channels / fmin(channels, step * ceil(ceil(channels / step - 1e-9) / threads)); }

/* By Winograd, where products, and transforms of what is read and written, are shared each in its own way. */
static double winograd_speedup(const struct hs_portion *p, double of_products, double of_in, double of_out)
{
  const double in = p->group_channels, out = p->channels, half = p->backend->kernel->winograd.transform_half;
  return (in * out + half * (in + out)) / (in * out / of_products + half * (in / of_in + out / of_out));
}

/* Convolutions that are loops over the vectors in which channels stand together: outputs', and where Winograd transforms the input, inputs'. */
static double packed_speedup(const struct hs_portion *p)
{
  const int lanes = p->backend->kernel->packing.lanes, threads = p->backend->threads, step = p->runtime_rules->product_step;
  const double in = p->group_channels, out = p->channels, of_out = in_steps(out, hs_packed_channels((int64_t)out, lanes), threads);
  const enum hs_op_class rate = hs_packing_of(p).rate;
  if (rate != HS_CLASS_CONV_1X1 && rate != HS_CLASS_CONV_3X3) return of_out;
  const double of_products = step ? in_steps(out, step, threads) : of_out;
  return rate == HS_CLASS_CONV_1X1 ? of_products : winograd_speedup(p, of_products, in_steps(in, hs_packed_channels((int64_t)in, lanes), threads), of_out);
}

/* Paddle-Lite's threads take blocks of Winograd's tiles, whole. Of a single block they share the products alone (conv3x3_winograd_fp32_c4.cc:
 * conv_compute_6x6_3x3, _2x2_3x3, _2x2_3x3_small). */
static double tiled_speedup(const struct hs_portion *p)
{
  const double by_place = hs_products_by_place(p);
  return by_place > 0 ? winograd_speedup(p, by_place, 1, 1) : in_steps(hs_products_tiles(p), p->backend->kernel->winograd.tiles_per_pass, p->backend->threads);
}

static double speedup(const struct hs_portion *p, double matrices)
{
  const struct hs_backend *b = p->backend;
  if (matrices > 0) return matrices / ceil(matrices / b->threads);
  if (hs_packs(p)) return packed_speedup(p);
  if (b->kernel->winograd.tiles_per_pass && hs_products_tiles(p) > 0) return tiled_speedup(p);
  if (hs_products_by_column(p)) return fmax(1, fmin(b->threads, floor((double)p->op->macs * p->work_share / p->runtime_rules->column_macs)));
  return b->threads;
}

/* A dense convolution is a product of matrices, a row per output channel and a column per pixel. */
static bool is_in_blocks(const struct hs_portion *p)
{
  return p->backend->kernel->block_map_bytes > 0 && p->backend->threads > 1 && hs_class_is_dense_conv(p->class) && !hs_products_by_column(p);
}

/* Where it is worth fewer threads than there are, these have a part of every core: which cores they are on isn't known. */
static void take_blocks(const struct hs_portion *p, struct hs_threads *t)
{
  const struct hs_product product = {(int64_t)hs_portion_count(p->channels), (int64_t)hs_portion_count(p->rows * p->width / p->matrices), (int64_t)p->depth,
                                     p->element_bytes};
  const int threads = hs_product_threads(&product, p->backend->threads);
  struct hs_blocks blocks;
  t->speedup = threads;
  if (threads == 1) return;
  hs_blocks_choose(&product, threads, p->backend->kernel->matrix_block, p->backend->kernel->block_map_bytes, &blocks);
  t->speedup = threads / hs_blocks_unevenness(&blocks, threads);
  t->steals = true;
  t->pieces = (int)lround(hs_blocks_count(&blocks) * (double)p->backend->threads / threads);
}

/* What no thread helps with, whatever other light operators do. */
static bool is_alone(const struct hs_portion *p)
{
  if (p->op->type == HS_OP_ARG_MAX) return p->runtime_rules->copies_alone;
  return p->op->type == HS_OP_DETECTION_POST_PROCESS || hs_threads_copied_alone(p);
}

/* Where the runtime says who computes what has cycles of its own, it is handed out in equal parts. */
struct hs_threads hs_threads_of(const struct hs_portion *p)
{
  double matrices = matrices_of(p);
  bool function = is_shared_function(p);
  struct hs_threads t = {.speedup = speedup(p, matrices), .steals = p->sys->runtime->steals && matrices <= 0 && !function};
  if (is_in_blocks(p)) take_blocks(p, &t);
  if (is_alone(p))
    t.serial_frac = 1;
  else if (matrices > 0)
    t.serial_frac = matrices < p->runtime_rules->least_matrices;
  else
    t.serial_frac = function ? 0 : serial_part(p->backend->kernel, p->class);
  if (p->backend->threads > 1 && t.speedup <= 1 && !p->sys->runtime->wakes_all) t.serial_frac = 1; /* too small for two */
  return t;
}

/* What is serial has no threads. */
double hs_threads_fork_cycles(const struct hs_portion *p, struct hs_compute shared)
{
  bool loop = shared.per_peak + shared.cycles > 0;
  return loop && p->backend->kernel->fork_cycles > 0 && p->backend->threads > 1 ? p->backend->kernel->fork_cycles * log2(p->backend->threads) : 0;
}
