/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plan/pass.h"

struct stretch {
  const struct hs_graph *g;
  const struct hs_units *units;
  struct hs_build build;
  struct hs_graph *out;     /* that grows there */
  int cap_origin;
  struct hs_stretched *origin, at; /* on the heap until its length is known */
  int *map;                 /* [tensor of g]: the one that stands for it here and now */
  int64_t grain;            /* of the segment at hand */
  double width;             /* of the branch at hand; 1 outside */
  const char *prefix;       /* of the branch's names */
  int unit;                 /* at hand, or -1 */
  bool split_groups;
};

static int64_t channels_of(const struct hs_graph *g, int tensor) { return hs_shape_channels(&g->tensors[tensor].shape); }

/* Appends an operator like `like` that reads `inputs`; the first of its results. */
static int put(struct stretch *s, const struct hs_operator *like, const char *name, const char *suffix, const int *inputs, int n_inputs, int n_outputs)
{
  if (s->build.failed) return 0;
  HS_GROW(s->origin, s->out->n_ops, s->cap_origin);
  s->origin[s->out->n_ops] = s->at;
  return hs_build_op(&s->build, like, hs_arena_printf(&s->out->arena, "%s%s%s", s->prefix, name, suffix), inputs, n_inputs, n_outputs);
}

static int pointwise(struct stretch *s, const char *name, const char *suffix, int block, int input, int64_t channels)
{
  struct hs_operator op = hs_build_pointwise(channels, true, block);
  return put(s, &op, name, suffix, &input, 1, 1);
}

static int concat(struct stretch *s, const char *name, const char *suffix, int block, const int *inputs, int n)
{
  if (s->build.failed) return 0; /* what it reads isn't there */
  struct hs_operator op = hs_build_plain(HS_OP_CONCAT, block);
  op.at.axis = s->out->tensors[inputs[0]].shape.rank - 1;
  return put(s, &op, name, suffix, inputs, n, 1);
}

/* --- channels --- */

static int64_t scaled(const struct stretch *s, int64_t channels) { return hs_pass_scale(channels, s->width, s->grain); }

static int64_t new_channels(const struct stretch *s, int64_t channels)
{
  if (s->unit < 0 || channels <= channels_of(s->g, s->units->tensor[s->unit + 1])) return scaled(s, channels);
  int input = s->units->tensor[s->unit];
  return channels * channels_of(s->out, s->map[input]) / channels_of(s->g, input);
}

/* Sizes of a split of the channels, scaled alike. */
static void scale_split(const struct stretch *s, struct hs_operator *op, int old, int new)
{
  int64_t from = channels_of(s->g, old), to = channels_of(s->out, new);
  if (op->at.axis != s->g->tensors[old].shape.rank - 1) return;
  for (int i = 0; i < op->at.n_sizes; i++) op->at.sizes[i] = op->at.sizes[i] * to / from;
}

/* --- operators --- */

/* A grouped convolution as the release of NN-Stretch writes it: what normalises comes after the Concat, where no converter folds it, and the
 * activation joins that. */
static int put_split(struct stretch *s, const struct hs_operator *conv, int input)
{
  int64_t n = conv->at.group;
  int pieces[HS_INPUTS_MAX];
  struct hs_operator split = hs_build_plain(HS_OP_SPLIT, conv->block), norm = hs_build_plain(HS_OP_BATCH_NORMALIZATION, conv->block), one = *conv;
  split.at.axis = 3;
  int first = put(s, &split, conv->name, "_split", &input, 1, (int)n);
  one.at.channels = conv->at.channels / n;
  one.at.group = 1;
  one.n_fused = 0;
  for (int i = 0; i < n; i++) {
    char suffix[24];
    int piece = first + i;
    snprintf(suffix, sizeof suffix, "_group%d", i + 1);
    pieces[i] = put(s, &one, conv->name, suffix, &piece, 1, 1);
  }
  int result = concat(s, conv->name, "_concat", conv->block, pieces, (int)n);
  memcpy(norm.fused, conv->fused, sizeof norm.fused);
  norm.n_fused = conv->n_fused;
  return put(s, &norm, conv->name, "_norm", &result, 1, 1);
}

static bool can_split(const struct hs_operator *op)
{
  return op->class == HS_CLASS_GROUPED && op->at.group > 1 && op->at.group <= HS_INPUTS_MAX && op->n_inputs == 1;
}

/* A shortcut around operators whose width changed is projected to it. Where the sum is fused to a convolution, it is this one's
 * second input. */
static void fit_shortcut(struct stretch *s, const struct hs_operator *from, const struct hs_operator *op, int *inputs)
{
  bool fused = op->type == HS_OP_CONV;
  if (op->n_inputs != 2 || (!fused && op->class != HS_CLASS_ELEMENTWISE) || s->unit < 0) return;
  int64_t old = fused ? from->at.channels : channels_of(s->g, from->inputs[0]);
  int64_t a = fused ? op->at.channels : channels_of(s->out, inputs[0]), b = channels_of(s->out, inputs[1]);
  if (a == b || old != channels_of(s->g, from->inputs[1])) return;
  int unit_input = s->units->tensor[s->unit], shortcut = from->inputs[1] == unit_input ? 1 : from->inputs[0] == unit_input && !fused ? 0 : -1;
  if (shortcut >= 0) inputs[shortcut] = pointwise(s, from->name, "_project", from->block, inputs[shortcut], shortcut ? a : b);
}

/* Of a narrower result fewer channels stay from the frame before, of the same rows. */
static void copy_kept(struct stretch *s, int old, int new)
{
  const struct hs_tensor *from = &s->g->tensors[old];
  struct hs_tensor *to = &s->out->tensors[new];
  to->kept = from->kept * channels_of(s->out, new) / channels_of(s->g, old);
}

static void copy_op(struct stretch *s, const struct hs_operator *from)
{
  struct hs_operator op = *from;
  int inputs[HS_INPUTS_MAX], first;
  if (s->build.failed) return; /* what it reads has no shape */
  for (int i = 0; i < op.n_inputs; i++) inputs[i] = s->map[from->inputs[i]];
  if (op.type == HS_OP_CONV || op.type == HS_OP_CONV_TRANSPOSE) {
    int64_t group_width = op.at.channels / op.at.group;
    op.at.channels = new_channels(s, op.at.channels);
    if (op.at.group > 1) op.at.group = op.at.channels / group_width;
  }
  if (op.type == HS_OP_SPLIT) scale_split(s, &op, from->inputs[0], inputs[0]);
  fit_shortcut(s, from, &op, inputs);
  if (s->split_groups && can_split(&op))
    first = put_split(s, &op, inputs[0]);
  else
    first = put(s, &op, op.name, "", inputs, op.n_inputs, op.n_outputs);
  for (int i = 0; i < op.n_outputs && !s->build.failed; i++) {
    s->map[from->outputs[i]] = first + i;
    copy_kept(s, from->outputs[i], first + i);
  }
}

/* --- segments --- */

static int copy_branch(struct stretch *s, const struct hs_segment *seg, const struct hs_stretch_branch *branch)
{
  const struct hs_units *u = s->units;
  s->width = branch->width;
  s->split_groups = branch->split_groups;
  for (int stage = 0; stage < seg->n_stages; stage++) {
    int from = seg->stage[stage], to = from + branch->kept[stage];
    for (s->unit = from; s->unit < to; s->unit++)
      for (int i = u->first[s->unit]; i < u->first[s->unit + 1]; i++) copy_op(s, &s->g->ops[i]);
    s->map[u->tensor[seg->stage[stage + 1]]] = s->map[u->tensor[to]];
  }
  s->unit = -1;
  s->width = 1;
  s->split_groups = false;
  int result = s->map[u->tensor[seg->stage[seg->n_stages]]];
  if (s->build.failed || !branch->restored || branch->restored == channels_of(s->out, result)) return result;
  const struct hs_operator *last = &s->g->ops[u->first[seg->stage[seg->n_stages]] - 1];
  return pointwise(s, last->name, "_restore", last->block, result, branch->restored);
}

static void copy_segment(struct stretch *s, int number, const struct hs_segment *seg)
{
  int last = seg->stage[seg->n_stages], results[HS_STRETCH_BRANCHES_MAX], input = s->map[s->units->tensor[seg->stage[0]]];
  const struct hs_operator *end = &s->g->ops[s->units->first[last] - 1];
  char prefix[24];
  s->grain = seg->grain;
  for (int b = 0; b < seg->n_branches; b++) {
    s->at = (struct hs_stretched){number, b};
    s->map[s->units->tensor[seg->stage[0]]] = input;
    snprintf(prefix, sizeof prefix, "branch%d/", b + 1);
    s->prefix = prefix;
    results[b] = copy_branch(s, seg, &seg->branches[b]);
  }
  s->prefix = "";
  s->at = (struct hs_stretched){number, -1};
  s->map[s->units->tensor[last]] = seg->n_branches > 1 ? concat(s, end->name, "_meet", end->block, results, seg->n_branches) : results[0];
  s->at = (struct hs_stretched){-1, -1};
}

struct hs_graph *hs_pass_stretch(const struct hs_graph *g, const struct hs_units *units, const struct hs_segment *segments, int n,
                                 struct hs_stretched **origin, struct hs_arena *a, char *why, size_t size)
{
  struct stretch s = {.g = g, .units = units, .at = {-1, -1}, .grain = 1, .width = 1, .prefix = "", .unit = -1};
  hs_build_start(&s.build, g, why, size);
  s.out = s.build.out;
  s.map = hs_realloc(NULL, (size_t)g->n_tensors, sizeof *s.map);
  hs_build_inputs(&s.build, g, s.map);
  for (int i = 0, k = 0; i < g->n_ops;) {
    if (k < n && i == units->first[segments[k].stage[0]]) {
      copy_segment(&s, k, &segments[k]);
      i = units->first[segments[k].stage[segments[k].n_stages]];
      k++;
    } else
      copy_op(&s, &g->ops[i++]);
  }
  *origin = HS_NEW_ARRAY(a, struct hs_stretched, (size_t)s.out->n_ops);
  memcpy(*origin, s.origin, (size_t)s.out->n_ops * sizeof **origin);
  struct hs_graph *out = hs_build_end(&s.build, g, s.map);
  free(s.origin);
  free(s.map);
  return out;
}
