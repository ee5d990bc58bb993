/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "policies/stretch_units.h"

#include "model/range.h"

/* The operator after which nobody reads each tensor any more. */
static int *last_readers(const struct hs_graph *g, struct hs_arena *a)
{
  int *last = HS_NEW_ARRAY(a, int, (size_t)g->n_tensors);
  for (int t = 0; t < g->n_tensors; t++) last[t] = g->tensors[t].is_output ? g->n_ops : -1;
  for (int i = 0; i < g->n_ops; i++)
    for (int k = 0; k < g->ops[i].n_inputs; k++)
      if (last[g->ops[i].inputs[k]] < i) last[g->ops[i].inputs[k]] = i;
  return last;
}

/* The one tensor that crosses from operators [0, i] to the rest, or -1 if there are several (or an output of the network among them). */
static int crossing(const struct hs_graph *g, const int *last, int i)
{
  int found = -1;
  for (int t = 0; t < g->n_tensors; t++) {
    if (g->tensors[t].producer > i || last[t] <= i) continue;
    if (found >= 0 || last[t] == g->n_ops) return -1;
    found = t;
  }
  return found;
}

static bool ends_block(const struct hs_graph *g, int i)
{
  return i + 1 == g->n_ops || g->ops[i].block == 0 || g->ops[i].block != g->ops[i + 1].block;
}

static bool is_feature_map(const struct hs_shape *s) { return s->rank == 4 && s->dim[1] * s->dim[2] > 1; }

struct hs_stages *hs_stages_find(const struct hs_graph *g, struct hs_arena *a)
{
  struct hs_stages *s = HS_NEW(a, struct hs_stages);
  int *first = HS_NEW_ARRAY(a, int, (size_t)g->n_ops + 1), *tensor = HS_NEW_ARRAY(a, int, (size_t)g->n_ops + 1), n = 0;
  const int *last = last_readers(g, a);
  s->stage = HS_NEW_ARRAY(a, int, (size_t)g->n_ops + 1);
  for (int i = 0; i + 1 < g->n_ops; i++) {
    int t = ends_block(g, i) ? crossing(g, last, i) : -1;
    if (t < 0) continue;
    if (!is_feature_map(&g->tensors[t].shape)) break;
    first[n] = i + 1;
    tensor[n] = t;
    if (n > 0 && (n == 1 || !hs_shape_equal(&g->tensors[t].shape, &g->tensors[tensor[n - 1]].shape))) s->stage[s->n++] = n - 1;
    n++;
  }
  s->units = (struct hs_units){n > 0 ? n - 1 : 0, first, tensor};
  s->stage[s->n] = s->units.n;
  return s;
}

int64_t hs_stages_channels(const struct hs_stages *s, const struct hs_graph *g, int stage)
{
  return hs_shape_channels(&g->tensors[s->units.tensor[s->stage[stage]]].shape);
}

/* A grouped convolution keeps whole groups, and all that a stage has are scaled alike: the least common multiple. */
static int64_t grain_of(const struct hs_stages *s, const struct hs_graph *g, int first, int last)
{
  int64_t grain = HS_CHANNEL_GRAIN;
  for (int i = s->units.first[s->stage[first]]; i < s->units.first[s->stage[last]]; i++) {
    const struct hs_operator *op = &g->ops[i];
    if (op->class != HS_CLASS_GROUPED) continue;
    grain = hs_least_multiple(grain, op->at.channels / op->at.group);
  }
  return grain;
}

struct hs_segment hs_stages_segment(const struct hs_stages *s, const struct hs_graph *g, int first, int last)
{
  return (struct hs_segment){.n_stages = last - first, .stage = s->stage + first, .grain = grain_of(s, g, first, last)};
}

void hs_segment_restore(struct hs_segment *seg, int64_t channels)
{
  double widths = 0;
  for (int b = 0; b < seg->n_branches; b++) widths += seg->branches[b].width;
  for (int b = 0; b < seg->n_branches; b++) {
    struct hs_stretch_branch *br = &seg->branches[b];
    int64_t n = (int64_t)((double)channels * br->width / widths / HS_CHANNEL_GRAIN + 0.5) * HS_CHANNEL_GRAIN;
    int64_t left = seg->n_branches - b; /* with this one */
    br->restored = left == 1 || n < 1 || n > channels - left + 1 ? channels / left : n;
    channels -= br->restored;
    widths -= br->width;
  }
}
