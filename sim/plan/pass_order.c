/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plan/pass.h"

struct hs_graph *hs_pass_order(const struct hs_graph *g, const int *order)
{
  struct hs_graph *out = hs_pass_empty_like(g);
  struct hs_arena scratch = {0};
  hs_pass_make_room(out, g);
  int *same = HS_NEW_ARRAY(&scratch, int, (size_t)g->n_tensors);
  for (int t = 0; t < g->n_tensors; t++) {
    same[t] = t;
    out->tensors[t] = g->tensors[t];
    out->tensors[t].name = hs_arena_strdup(&out->arena, g->tensors[t].name);
  }
  for (int i = 0; i < g->n_ops; i++) {
    hs_pass_copy_op(out, &g->ops[order ? order[i] : i], &out->ops[i], same);
    for (int k = 0; k < out->ops[i].n_outputs; k++) out->tensors[out->ops[i].outputs[k]].producer = i;
  }
  out->n_tensors = g->n_tensors;
  out->n_ops = g->n_ops;
  hs_pass_copy_ends(g, out, same);
  hs_arena_free(&scratch);
  return out;
}
