/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plan/pass.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void hs_pass_copy_op(struct hs_graph *out, const struct hs_operator *from, struct hs_operator *to, const int *map)
{
  *to = *from;
  to->name = hs_arena_strdup(&out->arena, from->name);
  to->inputs = HS_NEW_ARRAY(&out->arena, int, (size_t)from->n_inputs);
  to->outputs = HS_NEW_ARRAY(&out->arena, int, (size_t)from->n_outputs);
  for (int i = 0; i < from->n_inputs; i++) to->inputs[i] = map[from->inputs[i]];
  for (int i = 0; i < from->n_outputs; i++) to->outputs[i] = map[from->outputs[i]];
}

struct hs_graph *hs_pass_empty_like(const struct hs_graph *g)
{
  struct hs_arena arena = {0};
  struct hs_graph *out = HS_NEW(&arena, struct hs_graph);
  out->arena = arena;
  out->name = hs_arena_strdup(&out->arena, g->name);
  out->title = hs_arena_strdup(&out->arena, g->title);
  out->source = hs_arena_strdup(&out->arena, g->source);
  memcpy(out->sha256, g->sha256, sizeof out->sha256);
  return out;
}

void hs_pass_make_room(struct hs_graph *out, const struct hs_graph *g)
{
  out->tensors = HS_NEW_ARRAY(&out->arena, struct hs_tensor, (size_t)g->n_tensors);
  out->ops = HS_NEW_ARRAY(&out->arena, struct hs_operator, (size_t)g->n_ops);
}

void hs_pass_copy_ends(const struct hs_graph *g, struct hs_graph *out, const int *map)
{
  out->n_inputs = g->n_inputs;
  out->n_outputs = g->n_outputs;
  out->inputs = HS_NEW_ARRAY(&out->arena, int, (size_t)g->n_inputs);
  out->outputs = HS_NEW_ARRAY(&out->arena, int, (size_t)g->n_outputs);
  for (int i = 0; i < g->n_inputs; i++) out->inputs[i] = map[g->inputs[i]];
  for (int i = 0; i < g->n_outputs; i++) out->outputs[i] = map[g->outputs[i]];
}

int64_t hs_pass_scale(int64_t channels, double width, int64_t grain)
{
  int64_t n = (int64_t)llround((double)channels * width / (double)grain) * grain;
  if (width >= 1 || channels <= grain || n > channels) return channels;
  return n < grain ? grain : n;
}

/* --- graphs that grow --- */

void hs_build_start(struct hs_build *b, const struct hs_graph *g, char *why, size_t size)
{
  *b = (struct hs_build){.out = hs_pass_empty_like(g), .why = why, .size = size};
}

void hs_build_inputs(struct hs_build *b, const struct hs_graph *g, int *map)
{
  struct hs_graph *out = b->out;
  for (int i = 0; i < g->n_inputs; i++) {
    const struct hs_tensor *from = &g->tensors[g->inputs[i]];
    HS_GROW(out->tensors, out->n_tensors, b->cap_tensors);
    map[g->inputs[i]] = out->n_tensors;
    out->tensors[out->n_tensors++] = (struct hs_tensor){.name = hs_arena_strdup(&out->arena, from->name), .shape = from->shape,
                                                        .producer = -1, .is_output = from->is_output, .kept = from->kept};
  }
}

int hs_build_op(struct hs_build *b, const struct hs_operator *like, const char *name, const int *inputs, int n_inputs, int n_outputs)
{
  struct hs_graph *out = b->out;
  struct hs_operator op = *like;
  if (b->failed) return 0;
  HS_GROW(out->ops, out->n_ops, b->cap_ops);
  op.name = name;
  op.n_inputs = n_inputs;
  op.n_outputs = n_outputs;
  op.inputs = HS_NEW_ARRAY(&out->arena, int, (size_t)n_inputs);
  op.outputs = HS_NEW_ARRAY(&out->arena, int, (size_t)n_outputs);
  memcpy(op.inputs, inputs, (size_t)n_inputs * sizeof *inputs);
  for (int i = 0; i < n_inputs; i++) out->tensors[inputs[i]].n_consumers++;
  for (int i = 0; i < n_outputs; i++) {
    HS_GROW(out->tensors, out->n_tensors, b->cap_tensors);
    op.outputs[i] = out->n_tensors;
    out->tensors[out->n_tensors++] = (struct hs_tensor){.name = n_outputs > 1 ? hs_arena_printf(&out->arena, "%s:%d", op.name, i) : op.name,
                                                        .producer = out->n_ops};
  }
  char why[160];
  if (!hs_op_infer(out, &op, why, sizeof why)) {
    b->failed = true;
    snprintf(b->why, b->size, "%s: %s", op.name, why);
  }
  out->ops[out->n_ops++] = op;
  return op.outputs[0];
}

struct hs_operator hs_build_plain(enum hs_op_type type, int block)
{
  struct hs_operator op = {.type = type, .block = block, .at = hs_op_defaults(type)};
  memset(op.override, -1, sizeof op.override);
  return op;
}

struct hs_operator hs_build_pointwise(int64_t channels, bool bias, int block)
{
  struct hs_operator op = hs_build_plain(HS_OP_CONV, block);
  op.at.channels = channels;
  op.at.bias = bias;
  return op;
}

/* From the heap into the arena that owns them. */
static void settle(struct hs_graph *out)
{
  struct hs_tensor *tensors = HS_NEW_ARRAY(&out->arena, struct hs_tensor, (size_t)out->n_tensors);
  struct hs_operator *ops = HS_NEW_ARRAY(&out->arena, struct hs_operator, (size_t)out->n_ops);
  memcpy(tensors, out->tensors, (size_t)out->n_tensors * sizeof *tensors);
  memcpy(ops, out->ops, (size_t)out->n_ops * sizeof *ops);
  free(out->tensors);
  free(out->ops);
  out->tensors = tensors;
  out->ops = ops;
}

struct hs_graph *hs_build_end(struct hs_build *b, const struct hs_graph *g, const int *map)
{
  struct hs_graph *out = b->out;
  if (!b->failed) hs_pass_copy_ends(g, out, map);
  for (int i = 0; i < out->n_outputs; i++) out->tensors[out->outputs[i]].is_output = true;
  settle(out);
  if (!b->failed) return out;
  hs_graph_free(out);
  return NULL;
}
