/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/launched.h"

#include <math.h>

#include "model/launch.h"

/* Compute units are the phone's where its file tells them, else those of the phone that the kernel was measured on. */
static int units_of(const struct hs_portion *p)
{
  const struct hs_kernel *k = p->backend->kernel;
  int units = p->processor->domains[0].compute_units;
  return units ? units : k->launch.units ? k->launch.units : k->mali.cores;
}

static bool is_launched(const struct hs_portion *p)
{
  const struct hs_kernel *k = p->backend->kernel;
  return (k->launch.units || k->mali.cores) && (p->class == HS_CLASS_GROUPED || hs_class_is_dense_conv(p->class));
}

static int64_t whole(double n) { return (int64_t)hs_portion_count(n); }

/* As the delegate has them: images side by side, a Gemm's rows of features in one row, and a MatMul's a row for each matrix, with a filter of its own. */
static struct hs_launch_conv conv_of(const struct hs_portion *p)
{
  const struct hs_operator *op = p->op;
  const bool conv = hs_op_is_conv(op->type), matrices = op->type == HS_OP_MAT_MUL;
  const double images = conv ? hs_portion_images(p) : matrices ? 1 : p->rows, total = (double)hs_shape_channels(&p->graph->tensors[op->outputs[0]].shape);
  return (struct hs_launch_conv){.width = whole(p->width * images), .height = whole(p->rows / images), .in_channels = (int64_t)p->group_channels,
                                 .channels = whole(p->channels), .window = conv ? op->at.kernel[0] * op->at.kernel[1] : 1,
                                 .groups = conv ? whole((double)op->at.group * p->channels / total) : 1,
                                 .pixelwise = hs_op_is_pixelwise(op) && !p->pad, .filters = matrices ? whole(p->rows) : 1, .product = !conv};
}

/* --- on an Adreno --- */

static void launch_of(const struct hs_portion *p, struct hs_launch *out)
{
  const struct hs_launch_conv c = conv_of(p);
  hs_launch_choose(&c, units_of(p), p->backend->kernel->launch.resident, out);
}

/* How long the waves on a unit take, in rounds of as many as it holds. Waves that start together wait together: so do those of the first round and, as groups
 * end together, those of the second; after these somebody computes whenever others wait. Items that compute less need fewer registers: twice as many are
 * held. */
static double rounds(const struct hs_kernel_launch *k, const struct hs_launch *l)
{
  const int kind = !l->pixelwise;
  double all = l->waves / l->held, time = fmax(all - 2, 0);
  if (!l->full) return fmax(k->small_wait, all / 2);
  for (int round = 0; round < 2 && all > round; round++) time += k->wait[kind] + k->fill[kind] * fmin(all - round, 1);
  return time;
}

/* What an item reads and does for so many reads, against one that computes most and has many steps: 2 × 2 pixels by 2 slices, 128 MACs a step. A step goes
 * through a loop over the window also where a 1×1 skips or pads (conv_generic.cc, x_kernel_is_1), though its class is that of those that don't. */
static double work_by_waves(const struct hs_portion *p, const struct hs_launch *l)
{
  const struct hs_kernel_launch *r = &p->backend->kernel->launch;
  double items = units_of(p) * HS_WAVE_ITEMS; /* of a wave on each unit */
  if (l->constant) return l->waves * items * l->steps * 16 * l->outputs / r->constant_efficiency;
  double loop = l->pixelwise ? r->loop_reads_1x1 : r->loop_reads;
  double most = 4 * r->pixel_reads + 8 + (p->class == HS_CLASS_CONV_1X1 ? r->loop_reads_1x1 : r->loop_reads);
  double reads = l->steps * (l->pixels * r->pixel_reads + l->weights * (1 + r->slice_reads * log(l->slices)) + loop) + l->outputs * r->store_reads;
  return rounds(r, l) * l->held * items * reads * 128 / most / p->backend->kernel->efficiency[p->class];
}

/* Whole slices are read. */
static struct hs_compute on_adreno(const struct hs_portion *p)
{
  const struct hs_kernel *k = p->backend->kernel;
  struct hs_launch l;
  launch_of(p, &l);
  double depth = 4 * l.steps, half = p->class == HS_CLASS_GROUPED ? k->reduction_half_grouped : k->reduction_half;
  double shallow = l.constant || p->class == HS_CLASS_GROUPED ? (depth + half) / depth : 1;
  return (struct hs_compute){shallow * work_by_waves(p, &l), 0};
}

/* --- on a Mali --- */

/* A core with fewer items than keep it busy waits part of the time; with many, some read while others compute. A step reads pixels and weights and multiplies
 * each by each: of an item that computes most, 4 pixels by 8 channels, 4 · pixel_reads + 8 + 32 for 128 MACs. */
static double work_by_warps(const struct hs_portion *p, const struct hs_launch_mali *l, bool pixelwise)
{
  const struct hs_kernel_mali *m = &p->backend->kernel->mali;
  double busy = l->warps * m->warp / m->items, wait = m->wait[!pixelwise];
  double times = busy < 1 ? wait + (1 - wait) * busy : fmin(busy, 2) + m->later * fmax(0, busy - 2);
  double reads = l->steps * (l->pixels * m->pixel_reads + l->weights + l->pixels * l->weights), most = 4 * m->pixel_reads + 40;
  return times * m->items * units_of(p) * reads * 128 / most / p->backend->kernel->efficiency[p->class];
}

/* Pixels of the image that a window of 3 × 3 reads, without the border. */
static double pixels_read(const struct hs_portion *p)
{
  const int64_t *own = p->op->at.pad;
  int64_t border[2] = {own[0] + own[2], own[1] + own[3]};
  for (int d = 0; p->pad && d < 2; d++) border[d] += p->pad->at.pads[d + 1][0] + p->pad->at.pads[d + 1][1];
  return (p->rows + hs_portion_images(p) * (2 - (double)border[0])) * (p->width + 2 - (double)border[1]);
}

/* By Winograd the same kernel has a row for each place of a tile, with filters of its own; an item's outputs are chosen by the image that is read
 * (conv_generic.cc, GuessBestParamsPointwise(); operation_selector.cc, WinogradFromNode()). */
static struct hs_launch_conv places_of(const struct hs_portion *p, const struct hs_launch_conv *c, double tiles)
{
  int places = (p->runtime_rules->winograd_tile + 2) * (p->runtime_rules->winograd_tile + 2);
  return (struct hs_launch_conv){.width = whole(tiles), .height = places, .in_channels = c->in_channels, .channels = c->channels, .window = 1, .groups = 1,
                                 .pixelwise = true, .filters = places, .chosen_by = whole(pixels_read(p))};
}

/* Elements of whole slices in all tiles, read before and written after. */
static double transformed(const struct hs_launch_conv *places)
{
  double slices = ceil((double)places->in_channels / 4) + ceil((double)places->channels / 4);
  return (double)places->width * (double)places->height * 4 * slices;
}

static struct hs_compute on_mali(const struct hs_portion *p, double tiles)
{
  const struct hs_kernel_mali *m = &p->backend->kernel->mali;
  struct hs_launch_conv c = conv_of(p);
  struct hs_launch_mali l;
  if (tiles > 0) c = places_of(p, &c, tiles);
  hs_launch_choose_mali(&c, units_of(p), m->warp, m->window_outputs, &l);
  double cycles = l.weights_read * m->weight_cycles_per_byte + l.written * m->store_cycles_per_byte;
  if (tiles > 0) cycles += transformed(&c) * m->transform_cycles_per_byte;
  return (struct hs_compute){work_by_warps(p, &l, c.pixelwise), p->element_bytes * cycles / units_of(p)};
}

bool hs_launched(const struct hs_portion *p, double tiles, struct hs_compute *out)
{
  if (!is_launched(p)) return false;
  *out = p->backend->kernel->mali.cores ? on_mali(p, tiles) : on_adreno(p);
  return true;
}

bool hs_launched_items(const struct hs_portion *p, double *items)
{
  struct hs_launch l = {.constant = false};
  if (!is_launched(p)) return false;
  if (p->backend->kernel->launch.units) launch_of(p, &l);
  *items = l.constant ? l.waves * units_of(p) * HS_WAVE_ITEMS : INFINITY;
  return true;
}
