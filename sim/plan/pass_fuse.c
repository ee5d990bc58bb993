/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <assert.h>
#include <string.h>

#include "plan/pass.h"

static bool contains(const enum hs_op_type *list, int n, enum hs_op_type type)
{
  for (int i = 0; i < n; i++)
    if (list[i] == type) return true;
  return false;
}

static bool joins(const struct hs_runtime *rt, enum hs_op_type type, const struct hs_operator *host)
{
  if (contains(rt->fused, rt->n_fused, type)) return true;
  return rt->dense_fused.instructions > 0 && rt->dense_fused.type == type && host->class != HS_CLASS_DEPTHWISE;
}

/* The operator that operator i joins, or -1. */
static int fuses_into(const struct hs_graph *g, const struct hs_runtime *rt, int i)
{
  const struct hs_operator *op = &g->ops[i];
  const struct hs_tensor *in = &g->tensors[op->inputs[0]];
  if (in->producer < 0 || in->n_consumers != 1 || in->is_output) return -1;
  const struct hs_operator *host = &g->ops[in->producer];
  bool same = memcmp(host->override, op->override, sizeof host->override) == 0;
  return contains(rt->hosts, rt->n_hosts, host->type) && joins(rt, op->type, host) && host->n_outputs == 1 && same ? in->producer : -1;
}

/* Copies the tensors of g that survive; map[old] is the new number. `into` says where each operator goes. */
static void copy_tensors(const struct hs_graph *g, struct hs_graph *out, const int *into, int *map, const int *op_map)
{
  for (int t = 0; t < g->n_tensors; t++) {
    const struct hs_tensor *from = &g->tensors[t];
    if (from->producer >= 0 && into[from->producer] >= 0) {
      map[t] = map[g->ops[into[from->producer]].outputs[0]]; /* the activation's result takes the place of its host's, which nobody else reads */
      struct hs_tensor *result = &out->tensors[map[t]];
      result->n_consumers = from->n_consumers;
      result->is_output = from->is_output;
      result->kept = from->kept;
      continue;
    }
    map[t] = out->n_tensors++;
    out->tensors[map[t]] = *from;
    out->tensors[map[t]].name = hs_arena_strdup(&out->arena, from->name);
    out->tensors[map[t]].producer = from->producer < 0 ? -1 : op_map[from->producer];
  }
}

struct hs_graph *hs_pass_fuse(const struct hs_graph *g, const struct hs_runtime *rt)
{
  struct hs_graph *out = hs_pass_empty_like(g);
  struct hs_arena scratch = {0};
  int *into = HS_NEW_ARRAY(&scratch, int, (size_t)g->n_ops), *op_map = HS_NEW_ARRAY(&scratch, int, (size_t)g->n_ops);
  int *map = HS_NEW_ARRAY(&scratch, int, (size_t)g->n_tensors);
  int n = 0;
  hs_pass_make_room(out, g);
  for (int i = 0; i < g->n_ops; i++) {
    into[i] = fuses_into(g, rt, i);
    op_map[i] = into[i] >= 0 ? op_map[into[i]] : n++;
  }
  copy_tensors(g, out, into, map, op_map);
  for (int i = 0; i < g->n_ops; i++) {
    struct hs_operator *host = &out->ops[op_map[i]];
    if (into[i] < 0)
      hs_pass_copy_op(out, &g->ops[i], host, map);
    else {
      assert(host->n_fused == 0); /* no activation is a host, and a host's result has one reader */
      host->fused[host->n_fused++] = g->ops[i].type;
    }
  }
  out->n_ops = n;
  hs_pass_copy_ends(g, out, map);
  hs_arena_free(&scratch);
  return out;
}
