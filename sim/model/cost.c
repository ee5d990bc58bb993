/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/cost.h"

#include <math.h>

#include "model/groups.h"
#include "model/linked.h"
#include "model/packed_shaders.h"
#include "model/products.h"
#include "model/shader_cost.h"
#include "model/threads.h"
#include "model/turn.h"

/* --- what starts --- */

/* A GPU's units wait while its host starts something: `cycles` of the work draw no dynamic power. */
static void wait_for_host(const struct hs_processor *p, double cycles, struct hs_work *w)
{
  if (p->kind == HS_GPU) w->hosted += cycles;
}

void hs_cost_start(const struct hs_system *sys, int p, struct hs_work *w)
{
  double cycles = sys->backends[p].kernel->start_cycles;
  hs_spread_start(&sys->soc->processors[p], &sys->backends[p], cycles, w);
  wait_for_host(&sys->soc->processors[p], cycles, w);
}

struct hs_work hs_cost_start_alone(const struct hs_system *sys, int p)
{
  struct hs_work w = {.power_factor = sys->soc->processors[p].kernel_power_factor};
  for (int d = 0; d < sys->soc->processors[p].n_domains; d++) w.cores[d] = sys->backends[p].cores[d];
  hs_cost_start(sys, p, &w);
  return w;
}

double hs_cost_start_seconds(const struct hs_system *sys, int p, int opp)
{
  struct hs_work w = hs_cost_start_alone(sys, p);
  return hs_work_seconds(sys, p, opp, &w);
}

/* --- what goes through memory --- */

/* Elements that a part reads and writes; in DRAM, of an operator that has no kernel of its own, only those that its neighbours' don't hold. */
struct traffic {
  double tensors, weights;
};

/* Of an operator that makes several, as a Split, those of all, of which any may be the first. */
static double made_elements(const struct hs_portion *p)
{
  double n = 0;
  for (int i = 0; i < p->op->n_outputs; i++) n += hs_range_elements(&p->graph->tensors[p->op->outputs[i]].shape, p->range);
  return n;
}

static double tensor_elements(const struct hs_portion *p)
{
  double n = 0;
  for (int i = 0; i < p->op->n_inputs; i++)
    if (!hs_op_reads_again(p->op, i))
      n += hs_range_elements(&p->graph->tensors[p->op->inputs[i]].shape, hs_input_range(p->graph, p->op, i, p->range)) * (i ? 1 : hs_linked_image_frac(p));
  return n + made_elements(p);
}

/* Weights come through the caches, of a table only the rows that are copied, of filters those that Winograd transformed. */
static struct traffic traffic_of(const struct hs_portion *p, bool linked)
{
  if (linked) return (struct traffic){hs_linked_elements(p), 0};
  double kept = hs_products_kept_weights(p), tensors = p->border_factor * tensor_elements(p);
  if (kept > 0) return (struct traffic){tensors, kept};
  double read = p->op->type == HS_OP_GATHER ? hs_op_params_read(p->graph, p->op) : hs_products_params(p->backend->kernel, p->graph, p->op);
  return (struct traffic){tensors, p->weight_share * read};
}

/* Of a SoC without a last cache nobody tells what its clusters' caches keep of them. */
static bool exceeds_last_cache(const struct hs_portion *p, double weights)
{
  double cache = p->sys->soc->memory.llc_bytes;
  return cache > 0 && weights * p->element_bytes > cache;
}

/* Passes over the weights of a product, each for a block of rows or pixels. */
static double passes_of(const struct hs_portion *p)
{
  const int rows = p->backend->kernel->rows_per_pass;
  return rows ? fmax(1, ceil(p->elements / p->channels / rows)) : 1;
}

/* How often weights come from DRAM: once in each inference, as if no cache kept a network's from one to the next, which is true of all but the smallest.
 * Those of a product of several rows, or those that Winograd transformed, once for each block of rows, or of tiles of all threads, which go through the
 * filters in step, where the last cache doesn't hold them. */
static double times_read(const struct hs_portion *p, double weights)
{
  const int per_pass = p->backend->kernel->winograd.tiles_per_pass;
  if (!exceeds_last_cache(p, weights)) return 1;
  if (p->op->type == HS_OP_GEMM) return passes_of(p);
  return per_pass ? fmax(1, ceil(hs_products_tiles(p) / (per_pass * p->backend->threads))) : 1;
}

/* Of tensors what exceeds the processor's own memory or cache: as if all else were still there from who wrote it, and stayed for who reads it. */
static double dram_bytes(const struct hs_portion *p, struct traffic t)
{
  const struct hs_kernel *k = p->backend->kernel;
  double beyond = k->traffic_factor * fmax(0, t.tensors - p->processor->local_bytes / p->element_bytes);
  double fetched = beyond + t.weights * times_read(p, t.weights) +
                   k->refetch[p->class] * (double)p->op->macs * p->work_share * p->border_factor;
  return p->sys->traffic * fetched * p->element_bytes;
}

/* --- what cores compute and move --- */

/* Pool, elementwise, reduce, move. */
static bool is_light(enum hs_op_class c) { return c == HS_CLASS_POOL || c == HS_CLASS_ELEMENTWISE || c == HS_CLASS_REDUCE || c == HS_CLASS_MOVE; }

/* A mean of a whole image that is read as a row of features only, or is the result. TensorFlow Lite has a kernel in vectors for int8 where the dimensions
 * are kept; where they are dropped its reference looks the place of each element up (v2.10, kernels/reduce.cc, EvalMean). */
static bool is_flat_mean(const struct hs_portion *p)
{
  const struct hs_graph *g = p->graph;
  if (p->backend->kernel->flat_mean_cycles <= 0 || !hs_op_is_mean(p->op->type)) return false;
  for (const struct hs_operator *reader = p->op + 1; reader < g->ops + g->n_ops; reader++)
    for (int i = 0; i < reader->n_inputs; i++)
      if (reader->inputs[i] == p->op->outputs[0] && reader->type != HS_OP_GEMM && reader->type != HS_OP_RESHAPE) return false;
  return true;
}

/* Cycles that an operator has of its own, for each of what own_count() counts; 0: it has none. */
static double own_cycles(const struct hs_portion *p)
{
  const struct hs_kernel *k = p->backend->kernel;
  double own = is_flat_mean(p) ? k->flat_mean_cycles : k->operator_cycles[p->op->type];
  double floats = p->processor->domains[0].macs_per_cycle[HS_FP32]; /* 0: an accelerator that has none */
  return own > 0 && p->op->macs > 0 && floats > 0 ? fmax(own, 1 / floats) : own;
}

/* Elements that a mean or an ArgMax reads, MACs of a product, operations that find what is detected, else elements of the output, whose channels a
 * normalisation may compute in whole blocks. */
static double own_count(const struct hs_portion *p)
{
  int block = p->backend->kernel->norm_block;
  if (p->op->type == HS_OP_BATCH_NORMALIZATION && block) return p->elements / p->channels * (ceil(p->channels / block) * block);
  if (p->op->type == HS_OP_DETECTION_POST_PROCESS) return p->op->work * p->work_share;
  if (is_flat_mean(p) || p->op->type == HS_OP_ARG_MAX)
    return hs_range_elements(&p->graph->tensors[p->op->inputs[0]].shape, hs_input_range(p->graph, p->op, 0, p->range));
  return p->op->macs > 0 ? (double)p->op->macs * p->work_share : p->elements;
}

/* Work items for `made` elements that are moved: one for each slice of four channels, or for each pixel where a runtime joins and splits channels in a loop; a
 * Split's pixels are those of what it reads, whichever part is the first. */
static double moving_threads(const struct hs_portion *p, double made)
{
  const struct hs_operator *op = p->op;
  const struct hs_shape *in = &p->graph->tensors[op->inputs[0]].shape;
  bool by_pixel = p->runtime_rules->joins_by_pixel;
  if (op->type == HS_OP_SPLIT && by_pixel) return made / (double)hs_shape_channels(in);
  return op->type == HS_OP_CONCAT && by_pixel ? made / p->channels : made / p->channels * fmax(1, p->channels / 4);
}

/* Elementary operations. What only moves data has some where the kernel has a rate for it. */
static double light_work(const struct hs_portion *p, bool linked)
{
  double half = p->backend->kernel->move_half_pixels, made = p->border_factor * made_elements(p), threads = moving_threads(p, made);
  bool moves = !linked && p->op->class == HS_CLASS_MOVE && half > 0;
  return p->op->work * p->work_share * p->border_factor + (moves ? made * (threads + half) / threads : 0);
}

/* Of an activation in the convolution's loop, in vectors at the peak; what 8 bits make is computed in floats before it's rounded again, at the rate of 8 bits
 * where the file has none of floats (no CPU in `socs/` is without), as own_cycles() has no bound there. */
static double epilogue_work(const struct hs_portion *p)
{
  const struct hs_epilogue *e = &p->sys->runtime->dense_fused;
  const double *macs = p->processor->domains[0].macs_per_cycle;
  bool slower = p->backend->precision == HS_INT8 && macs[HS_FP32] > 0;
  double vectors = slower ? macs[HS_INT8] / macs[HS_FP32] : 1, work = 0;
  for (int k = 0; k < p->op->n_fused; k++)
    if (p->op->fused[k] == e->type) work += e->instructions * vectors * p->elements;
  return work;
}

static struct hs_compute computed(const struct hs_portion *p, bool linked, double own)
{
  const struct hs_kernel *k = p->backend->kernel;
  if (k->shaders.access_cycles > 0) return (struct hs_compute){0, linked ? 0 : hs_shaders_cycles(p)};
  if (own > 0 || hs_products_one_pixel(p)) return (struct hs_compute){0, 0};
  if (p->op->macs > 0) {
    struct hs_compute products = hs_products(p);
    return (struct hs_compute){products.per_peak + epilogue_work(p), products.cycles};
  }
  return (struct hs_compute){light_work(p, linked) / k->efficiency[p->op->class], 0};
}

/* Elements that go through the caches; what is copied, not computed from, once. */
static double moved_elements(const struct hs_portion *p, struct traffic t)
{
  if (p->op->type == HS_OP_CONCAT || p->op->type == HS_OP_GATHER) return p->elements;
  return hs_threads_copied_alone(p) ? p->border_factor * made_elements(p) : t.tensors + t.weights;
}

static double weight_cycles(const struct hs_portion *p, struct traffic t) { return p->element_bytes * p->backend->kernel->weight_cycles_per_byte * t.weights; }

/* Cycles in which data goes through the caches, or an operator's own instead. */
static double moving_cycles(const struct hs_portion *p, bool linked, double own, struct traffic t)
{
  const struct hs_kernel *k = p->backend->kernel;
  double cycles = p->element_bytes * moved_elements(p, t) * (is_light(p->op->class) ? k->light_move_cycles_per_byte : k->move_cycles_per_byte);
  cycles += p->element_bytes * hs_packing_copied(p) * k->light_move_cycles_per_byte;
  if (own > 0) return linked ? 0 : own * own_count(p);
  if (!hs_class_is_dense_conv(p->class)) return cycles;
  cycles += p->element_bytes * k->pack_cycles_per_byte * p->elements / p->channels * p->depth;
  return cycles + (hs_products_by_column(p) ? weight_cycles(p, t) : 0);
}

/* ruy packs weights in every run, at the pace of the memory: threads share that, but it takes no less time. Of one column each reads its own rows. */
static double packing_cycles(const struct hs_portion *p, double own, struct traffic t)
{
  return own > 0 || !hs_class_is_dense_conv(p->class) || hs_products_by_column(p) ? 0 : weight_cycles(p, t);
}

/* Bytes that a convolution gathers through its windows, or sums up. */
static double window_bytes(const struct hs_portion *p)
{
  const struct hs_operator *op = p->op;
  if (!hs_op_is_conv(op->type) || op->class == HS_CLASS_DEPTHWISE || op->class == HS_CLASS_GROUPED || op->at.kernel[0] * op->at.kernel[1] == 1) return 0;
  if (op->type == HS_OP_CONV_TRANSPOSE && p->runtime_rules->sums_windows) return 4 * (double)op->macs * p->work_share * p->border_factor / p->group_channels;
  return p->element_bytes * p->elements / p->channels * p->depth;
}

/* Cycles in which one thread makes room for a convolution's result in a layout of the library's own. */
static double layout_cycles(const struct hs_portion *p)
{
  return hs_op_is_conv(p->op->type) ? p->element_bytes * p->backend->kernel->layout_cycles_per_byte * p->elements : 0;
}

/* Cycles in which cores wait for weights that the last cache doesn't hold, for each block of rows or pixels but the first. A core's wait is shorter the more of
 * them there are: as 1 / threads² in all (doc/cost-model.md). */
static double reread_cycles(const struct hs_portion *p, struct traffic t)
{
  bool products = hs_class_is_dense_conv(p->class) || p->op->type == HS_OP_GEMM;
  if (!products || !exceeds_last_cache(p, t.weights)) return 0;
  return p->backend->kernel->reread_cycles_per_byte * p->element_bytes * t.weights * (passes_of(p) - 1) / p->backend->threads;
}

/* A loop over groups and a depthwise convolution multiply vectors, not matrices. */
static enum hs_core_work work_at_peak(const struct hs_portion *p)
{
  bool products = hs_class_is_dense_conv(p->class) || p->class == HS_CLASS_TRANSPOSED || p->class == HS_CLASS_MATMUL;
  return products ? HS_WORK_PRODUCTS : HS_WORK_VECTORS;
}

/* --- together --- */

/* How a kernel begins: within a neighbour's where it may (hs_linked_to()), by itself, or in the loop of an operator that has begun. */
enum begun { MAYBE_LINKED, APART, IN_LOOP };

static void exec_kernel(const struct hs_system *sys, const struct hs_graph *g, const struct hs_operator *op, int processor, struct hs_range range,
                        struct hs_border border, enum begun begun, struct hs_work *out)
{
  struct hs_portion portion = hs_portion_of(sys, g, op, processor, range, border);
  if (begun != APART) portion.pad = hs_linked_pad(&portion);
  const struct hs_portion *p = &portion;
  const struct hs_kernel *k = p->backend->kernel;
  const bool linked = begun != APART && hs_linked_to(p) >= 0;
  const double own = own_cycles(p), windows = window_bytes(p) * k->window_cycles_per_byte, w = k->serial_window_frac;
  const struct traffic traffic = traffic_of(p, linked);
  struct hs_compute computes = computed(p, linked, own);
  computes.cycles += moving_cycles(p, linked, own, traffic);
  const struct hs_threads threads = hs_threads_of(p);
  const double s = threads.serial_frac;
  const double kernels = linked || begun == IN_LOOP ? 0 : hs_shaders_count(k, op) * hs_packed_shaders(p) * hs_products_kernels(p);
  const double outputs = op->type == HS_OP_SPLIT ? op->n_outputs * k->split_output_cycles : 0;
  struct hs_parts parts = {
    .overhead = kernels * k->overhead_cycles + outputs,
    .serial = {s * computes.per_peak, s * computes.cycles + w * windows + layout_cycles(p) + packing_cycles(p, own, traffic)},
    .shared = {(1 - s) * computes.per_peak, (1 - s) * computes.cycles + (1 - w) * windows + reread_cycles(p, traffic)},
    .peak = work_at_peak(p),
    .threads = threads.speedup,
    .steals = threads.steals,
    .pieces = threads.pieces,
  };
  hs_turn_tensors(p, &parts.serial, &parts.shared);
  parts.fork = hs_threads_fork_cycles(p, parts.shared);
  *out = (struct hs_work){.bytes = dram_bytes(p, traffic), .power_factor = p->processor->kernel_power_factor};
  hs_spread(p->processor, p->backend, &parts, out);
  wait_for_host(p->processor, parts.overhead, out);
}

/* `times` the same work behind what `sum` has. Whoever takes no part in it waits for it, in cycles that it has. */
static void add_work(struct hs_work *sum, const struct hs_work *w, double times)
{
  double before = sum->cycles[0], more = times * w->cycles[0];
  for (int d = 0; d < HS_DOMAINS_MAX; d++) {
    if (w->cores[d] > sum->cores[d]) sum->cores[d] = w->cores[d];
    sum->cycles[d] += times * w->cycles[d];
    sum->stolen[d] += times * w->stolen[d];
  }
  if (w->pieces > 0) sum->pieces = w->pieces;
  sum->caller += times * w->caller;
  sum->hosted += times * w->hosted;
  sum->bytes += times * w->bytes;
  if (before + more > 0) sum->power_factor = (before * sum->power_factor + more * w->power_factor) / (before + more);
}

/* Of a part by channels the Split reads all, and as many convolutions are done as make its share. What a border reads is split, and what it makes joined. On a
 * CPU (ncnn) they are calls in one operator's loop. */
static void exec_groups(const struct hs_system *sys, const struct hs_groups *groups, double n, int p, struct hs_range range, struct hs_border border,
                        struct hs_work *out)
{
  const struct hs_operator *split = &groups->op[HS_GROUPS_SPLIT], *conv = &groups->op[HS_GROUPS_CONV], *concat = &groups->op[HS_GROUPS_CONCAT];
  struct hs_range piece = range.split == HS_SPLIT_CHANNEL ? hs_range_whole : range;
  struct hs_border read = {border.rows * conv->at.stride[0], border.columns * conv->at.stride[1]};
  struct hs_work w;
  *out = (struct hs_work){.power_factor = 0};
  exec_kernel(sys, &groups->graph, split, p, hs_input_range(&groups->graph, conv, 0, piece), read, MAYBE_LINKED, &w);
  add_work(out, &w, 1);
  exec_kernel(sys, &groups->graph, conv, p, piece, border, sys->soc->processors[p].kind == HS_CPU ? IN_LOOP : MAYBE_LINKED, &w);
  add_work(out, &w, n);
  exec_kernel(sys, &groups->graph, concat, p, range, border, MAYBE_LINKED, &w);
  add_work(out, &w, 1);
}

void hs_cost_exec(const struct hs_system *sys, const struct hs_graph *g, const struct hs_operator *op, int p,
                  struct hs_range range, struct hs_work *out)
{
  hs_cost_exec_bordered(sys, g, op, p, range, (struct hs_border){0, 0}, false, out);
}

/* Groups that are written out of which a part by channels is made. */
static double n_groups(const struct hs_graph *g, const struct hs_operator *op, struct hs_range range)
{
  double share = 1, weight_share;
  if (range.split == HS_SPLIT_CHANNEL) hs_range_shares(g, op, range, &share, &weight_share);
  return share * (double)op->at.group;
}

void hs_cost_exec_bordered(const struct hs_system *sys, const struct hs_graph *g, const struct hs_operator *op, int p, struct hs_range range,
                           struct hs_border border, bool apart, struct hs_work *out)
{
  struct hs_groups groups;
  if (hs_groups_write_out(sys, g, op, p, &groups))
    exec_groups(sys, &groups, n_groups(g, op, range), p, range, border, out);
  else
    exec_kernel(sys, g, op, p, range, border, apart ? APART : MAYBE_LINKED, out);
}

double hs_cost_kept_weights(const struct hs_system *sys, const struct hs_graph *g, const struct hs_operator *op, int p, struct hs_range range)
{
  struct hs_groups groups;
  bool written_out = hs_groups_write_out(sys, g, op, p, &groups);
  const struct hs_range piece = written_out && range.split == HS_SPLIT_CHANNEL ? hs_range_whole : range;
  struct hs_portion portion = written_out ? hs_portion_of(sys, &groups.graph, &groups.op[HS_GROUPS_CONV], p, piece, (struct hs_border){0, 0})
                                          : hs_portion_of(sys, g, op, p, piece, (struct hs_border){0, 0});
  return hs_products_kept_weights(&portion) * (written_out ? n_groups(g, op, range) : 1);
}

int hs_cost_joined_to(const struct hs_system *sys, const struct hs_graph *g, const struct hs_operator *op, int p)
{
  const struct hs_portion portion = hs_portion_whole(sys, g, op, p);
  return hs_linked_to(&portion);
}

double hs_cost_seconds(const struct hs_system *sys, const struct hs_graph *g, const struct hs_operator *op, int p, int opp)
{
  struct hs_work w;
  hs_cost_exec(sys, g, op, p, hs_range_whole, &w);
  return hs_work_seconds(sys, p, opp, &w);
}
