/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/turn.h"

#include <math.h>

enum { CACHE_LINE = 64 }; /* bytes */

/* Does a pass over `lines` places of memory, `stride` bytes apart, stay in this cache? Strides of many lines share few of its sets. */
static bool stays(double lines, double stride, int64_t cache_lines, int64_t ways)
{
  int64_t sets = cache_lines / ways, step = fmod(stride, CACHE_LINE) == 0 ? (int64_t)(stride / CACHE_LINE) : 1;
  return lines * fmin(stride / CACHE_LINE, 1) <= (double)(sets / hs_greatest_divisor(sets, step) * ways);
}

/* Turns `elements` whose innermost loop reads `lines` places, `stride` bytes apart, and the next time the elements beside these. */
static void turn(const struct hs_portion *p, double elements, double lines, double stride, struct hs_compute *serial, struct hs_compute *shared)
{
  const struct hs_kernel *k = p->backend->kernel;
  double cycles = k->turn_cycles, llc = p->sys->soc->memory.llc_bytes, missed = fmin(stride / CACHE_LINE, 1);
  if (k->turn_miss_cycles > 0 && !stays(lines, stride, k->turn_cache_lines, k->turn_cache_ways)) cycles += missed * k->turn_miss_cycles;
  if (llc > 0 && lines * fmin(stride, CACHE_LINE) > llc) cycles += missed * k->turn_far_cycles;
  (elements < p->runtime_rules->shared_turn ? serial : shared)->cycles += cycles * elements;
}

void hs_turn_tensors(const struct hs_portion *p, struct hs_compute *serial, struct hs_compute *shared)
{
  const struct hs_kernel *k = p->backend->kernel;
  const struct hs_shape *in = &p->graph->tensors[p->op->inputs[0]].shape;
  double size = p->element_bytes, elements = p->elements, channels = p->channels;
  if (k->turn_cycles <= 0 || !hs_op_is_conv(p->op->type)) return;
  struct hs_range part = hs_input_range(p->graph, p->op, 0, p->range);
  double read = hs_range_elements(in, part), images = p->range.split == HS_SPLIT_BATCH ? (double)(p->range.end - p->range.begin) : (double)in->dim[0];
  double deep = part.split == HS_SPLIT_CHANNEL ? (double)(part.end - part.begin) : (double)hs_shape_channels(in);
  if (read > deep * images && deep > 1) turn(p, read, deep, size * read / deep / images, serial, shared);
  if (elements > channels * images && channels > 1) turn(p, elements, elements / channels / images, size * channels, serial, shared);
}
