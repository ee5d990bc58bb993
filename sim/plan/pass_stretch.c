/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plan/pass.h"

struct stretch {
  const struct hs_graph *g;
  const struct hs_units *units;
  struct hs_graph *out;
  int cap_tensors, cap_ops, cap_origin; /* of arrays on the heap until their lengths are known */
  struct hs_stretched *origin, at;
  int *map;                 /* [tensor of g]: the one that stands for it here and now */
  int64_t grain;            /* of the segment at hand */
  double width;             /* of the branch at hand; 1 outside */
  const char *prefix;       /* of the branch's names */
  int unit;                 /* at hand, or -1 */
  bool split_groups, failed;
  char *why;
  size_t size;
};

static int64_t channels_of(const struct hs_graph *g, int tensor) { return hs_shape_channels(&g->tensors[tensor].shape); }

/* Appends an operator like `op` that reads `inputs`; the first of its results. */
static int put(struct stretch *s, const struct hs_operator *like, const char *suffix, const int *inputs, int n_inputs, int n_outputs)
{
  struct hs_graph *out = s->out;
  struct hs_operator op = *like;
  if (s->failed) return 0;
  HS_GROW(out->ops, out->n_ops, s->cap_ops);
  if (out->n_ops == s->cap_origin) s->origin = hs_realloc(s->origin, (size_t)(s->cap_origin = s->cap_ops), sizeof *s->origin);
  op.name = hs_arena_printf(&out->arena, "%s%s%s", s->prefix, like->name, suffix);
  op.n_inputs = n_inputs;
  op.n_outputs = n_outputs;
  op.inputs = HS_NEW_ARRAY(&out->arena, int, (size_t)n_inputs);
  op.outputs = HS_NEW_ARRAY(&out->arena, int, (size_t)n_outputs);
  memcpy(op.inputs, inputs, (size_t)n_inputs * sizeof *inputs);
  for (int i = 0; i < n_inputs; i++) out->tensors[inputs[i]].n_consumers++;
  for (int i = 0; i < n_outputs; i++) {
    HS_GROW(out->tensors, out->n_tensors, s->cap_tensors);
    op.outputs[i] = out->n_tensors;
    out->tensors[out->n_tensors++] = (struct hs_tensor){.name = n_outputs > 1 ? hs_arena_printf(&out->arena, "%s:%d", op.name, i) : op.name,
                                                        .producer = out->n_ops};
  }
  char why[160];
  if (!hs_op_infer(out, &op, why, sizeof why)) {
    s->failed = true;
    snprintf(s->why, s->size, "%s: %s", op.name, why);
  }
  s->origin[out->n_ops] = s->at;
  out->ops[out->n_ops++] = op;
  return op.outputs[0];
}

/* An operator that g doesn't have. */
static struct hs_operator plain(enum hs_op_type type, const char *name, int block)
{
  struct hs_operator op = {.type = type, .name = name, .block = block};
  memset(op.override, -1, sizeof op.override);
  return op;
}

static int pointwise(struct stretch *s, const char *name, const char *suffix, int block, int input, int64_t channels)
{
  struct hs_operator op = plain(HS_OP_CONV, name, block);
  op.at = (struct hs_attributes){.channels = channels, .kernel = {1, 1}, .stride = {1, 1}, .dilation = {1, 1}, .group = 1, .multiplier = 1,
                                 .bias = true};
  return put(s, &op, suffix, &input, 1, 1);
}

static int concat(struct stretch *s, const char *name, const char *suffix, int block, const int *inputs, int n)
{
  struct hs_operator op = plain(HS_OP_CONCAT, name, block);
  op.at.axis = s->out->tensors[inputs[0]].shape.rank - 1;
  return put(s, &op, suffix, inputs, n, 1);
}

/* --- channels --- */

static int64_t scaled(const struct stretch *s, int64_t channels)
{
  int64_t n = (int64_t)llround((double)channels * s->width / (double)s->grain) * s->grain;
  if (s->width >= 1 || channels <= s->grain) return channels;
  return n < s->grain ? s->grain : n;
}

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

/* A grouped convolution as runtimes without one do it. */
static int put_split(struct stretch *s, const struct hs_operator *conv, int input)
{
  int64_t n = conv->at.group;
  int pieces[HS_INPUTS_MAX];
  struct hs_operator split = plain(HS_OP_SPLIT, conv->name, conv->block), one = *conv;
  split.at.axis = 3;
  split.at.n_sizes = (int)n;
  for (int i = 0; i < n; i++) split.at.sizes[i] = channels_of(s->out, input) / n;
  int first = put(s, &split, "_split", &input, 1, (int)n);
  one.at.channels = conv->at.channels / n;
  one.at.group = 1;
  for (int i = 0; i < n; i++) {
    char suffix[24];
    int piece = first + i;
    snprintf(suffix, sizeof suffix, "_group%d", i + 1);
    pieces[i] = put(s, &one, suffix, &piece, 1, 1);
  }
  return concat(s, conv->name, "_concat", conv->block, pieces, (int)n);
}

/* A shortcut around operators whose width changed is projected to it. */
static void fit_shortcut(struct stretch *s, const struct hs_operator *op, int *inputs)
{
  if (op->n_inputs != 2 || op->class != HS_CLASS_ELEMENTWISE || s->unit < 0) return;
  int64_t a = channels_of(s->out, inputs[0]), b = channels_of(s->out, inputs[1]);
  if (a == b || channels_of(s->g, op->inputs[0]) != channels_of(s->g, op->inputs[1])) return;
  int shortcut = op->inputs[1] == s->units->tensor[s->unit] ? 1 : op->inputs[0] == s->units->tensor[s->unit] ? 0 : -1;
  if (shortcut >= 0) inputs[shortcut] = pointwise(s, op->name, "_project", op->block, inputs[shortcut], shortcut ? a : b);
}

static void copy_op(struct stretch *s, const struct hs_operator *from)
{
  struct hs_operator op = *from;
  int inputs[HS_INPUTS_MAX], first;
  if (s->failed) return; /* what it reads has no shape */
  for (int i = 0; i < op.n_inputs; i++) inputs[i] = s->map[from->inputs[i]];
  if (op.type == HS_OP_CONV || op.type == HS_OP_CONV_TRANSPOSE) {
    int64_t group_width = op.at.channels / op.at.group;
    op.at.channels = new_channels(s, op.at.channels);
    if (op.at.group > 1) op.at.group = op.at.channels / group_width;
  }
  if (op.type == HS_OP_SPLIT) scale_split(s, &op, from->inputs[0], inputs[0]);
  fit_shortcut(s, from, inputs);
  if (s->split_groups && op.class == HS_CLASS_GROUPED && op.at.group > 1 && op.at.group <= HS_INPUTS_MAX)
    first = put_split(s, &op, inputs[0]);
  else
    first = put(s, &op, "", inputs, op.n_inputs, op.n_outputs);
  for (int i = 0; i < op.n_outputs; i++) s->map[from->outputs[i]] = first + i;
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
  if (s->failed || !branch->restored || branch->restored == channels_of(s->out, result)) return result;
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

/* From the heap into the arenas that own them. */
static void settle(struct stretch *s, struct hs_stretched **origin, struct hs_arena *a)
{
  struct hs_graph *out = s->out;
  struct hs_tensor *tensors = HS_NEW_ARRAY(&out->arena, struct hs_tensor, (size_t)out->n_tensors);
  struct hs_operator *ops = HS_NEW_ARRAY(&out->arena, struct hs_operator, (size_t)out->n_ops);
  memcpy(tensors, out->tensors, (size_t)out->n_tensors * sizeof *tensors);
  memcpy(ops, out->ops, (size_t)out->n_ops * sizeof *ops);
  *origin = HS_NEW_ARRAY(a, struct hs_stretched, (size_t)out->n_ops);
  memcpy(*origin, s->origin, (size_t)out->n_ops * sizeof **origin);
  free(out->tensors);
  free(out->ops);
  out->tensors = tensors;
  out->ops = ops;
}

static void copy_inputs(struct stretch *s)
{
  for (int i = 0; i < s->g->n_inputs; i++) {
    const struct hs_tensor *from = &s->g->tensors[s->g->inputs[i]];
    HS_GROW(s->out->tensors, s->out->n_tensors, s->cap_tensors);
    s->map[s->g->inputs[i]] = s->out->n_tensors;
    s->out->tensors[s->out->n_tensors++] = (struct hs_tensor){hs_arena_strdup(&s->out->arena, from->name), from->shape, -1, 0, from->is_output};
  }
}

struct hs_graph *hs_pass_stretch(const struct hs_graph *g, const struct hs_units *units, const struct hs_segment *segments, int n,
                                 struct hs_stretched **origin, struct hs_arena *a, char *why, size_t size)
{
  struct stretch s = {.g = g, .units = units, .at = {-1, -1}, .grain = 1, .width = 1, .prefix = "", .unit = -1, .why = why, .size = size};
  s.out = hs_pass_empty_like(g);
  s.map = hs_realloc(NULL, (size_t)g->n_tensors, sizeof *s.map);
  copy_inputs(&s);
  for (int i = 0, k = 0; i < g->n_ops;) {
    if (k < n && i == units->first[segments[k].stage[0]]) {
      copy_segment(&s, k, &segments[k]);
      i = units->first[segments[k].stage[segments[k].n_stages]];
      k++;
    } else
      copy_op(&s, &g->ops[i++]);
  }
  if (!s.failed) hs_pass_copy_ends(g, s.out, s.map);
  for (int i = 0; i < s.out->n_outputs; i++) s.out->tensors[s.out->outputs[i]].is_output = true;
  settle(&s, origin, a);
  free(s.origin);
  free(s.map);
  if (!s.failed) return s.out;
  hs_graph_free(s.out);
  return NULL;
}
