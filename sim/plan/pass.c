/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plan/pass.h"

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
