/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Operator fusion by rules, on the graph that the runtime's converter left. Which kinds of operators fuse is DNNFusion's (Niu et
 * al., PLDI 2021, mapping types): what works element by element (one-to-one) joins whatever it reads from, and what is linear in
 * constants (batch normalization, padding with zeros) goes into a convolution's own.
 *
 * Fused operators cost what they read beyond their host's result and nothing else, as those that the converter joins: the result
 * is still in registers. None joins a host that some processor runs and not the operator: the host would fall back with it. The graph at
 * hand is a copy with the original numbers in which operators go out of use; it is packed at the end. */
#include <stdlib.h>
#include <string.h>

#include "plan/pass.h"

struct rules {
  const struct hs_system *sys;
  struct hs_graph *g;
  bool *gone; /* [operator] */
};

enum { NOBODY = -2 }; /* made a tensor that is out of use; one of the network's inputs, which may have no reader either, is made by -1 */

static void drop_tensor(struct rules *r, int tensor)
{
  r->g->tensors[tensor].producer = NOBODY;
  r->g->tensors[tensor].n_consumers = 0;
}

/* Element by element, from one input. */
static bool is_unary(const struct hs_operator *op)
{
  bool converts = op->type == HS_OP_QUANTIZE || op->type == HS_OP_DEQUANTIZE || op->type == HS_OP_RESIZE_BILINEAR;
  return op->class == HS_CLASS_ELEMENTWISE && op->n_inputs == 1 && !converts;
}

static bool is_host(const struct hs_operator *op)
{
  return hs_op_is_conv(op->type) || op->type == HS_OP_GEMM || op->class == HS_CLASS_POOL ||
         (op->class == HS_CLASS_ELEMENTWISE && op->type != HS_OP_RESIZE_BILINEAR);
}

/* The operator that makes input k of op i, if nobody but i reads its only result. */
static struct hs_operator *maker(const struct rules *r, int i, int k)
{
  const struct hs_tensor *in = &r->g->tensors[r->g->ops[i].inputs[k]];
  if (in->producer < 0 || in->n_consumers != 1 || in->is_output) return NULL;
  struct hs_operator *op = &r->g->ops[in->producer];
  bool same = memcmp(op->override, r->g->ops[i].override, sizeof op->override) == 0;
  return op->n_outputs == 1 && same ? op : NULL;
}

/* Does every processor that runs `a` run b, too? */
static bool runs_wherever(const struct rules *r, const struct hs_operator *b, const struct hs_operator *a)
{
  for (int p = 0; p < r->sys->soc->n_processors; p++)
    if (hs_system_supports(r->sys, r->g, a, p, NULL, 0) && !hs_system_supports(r->sys, r->g, b, p, NULL, 0)) return false;
  return true;
}

static bool same_shape(const struct rules *r, int a, int b)
{
  return hs_shape_equal(&r->g->tensors[a].shape, &r->g->tensors[b].shape);
}

/* op i is gone, its result is now host's. */
static void absorb(struct rules *r, struct hs_operator *host, int i)
{
  const struct hs_operator *op = &r->g->ops[i];
  drop_tensor(r, host->outputs[0]);
  host->outputs[0] = op->outputs[0];
  r->g->tensors[op->outputs[0]].producer = (int)(host - r->g->ops);
  r->gone[i] = true;
}

/* And is computed with host's: false where it has no room for what is fused to i, or a processor for both. */
static bool fuse(struct rules *r, struct hs_operator *host, int i)
{
  const struct hs_operator *op = &r->g->ops[i];
  int room = (int)(sizeof host->fused / sizeof *host->fused) - host->n_fused;
  if (op->n_fused + 1 > room || !runs_wherever(r, op, host)) return false;
  host->fused[host->n_fused++] = op->type;
  for (int k = 0; k < op->n_fused; k++) host->fused[host->n_fused++] = op->fused[k];
  host->params += op->params;
  absorb(r, host, i);
  return true;
}

/* --- rules: does this one apply to operator i? Then it was applied. --- */

/* BatchNormalization after a convolution or a fully connected operator: scale and shift go into its weights and bias, and the activation
 * that joined it joins the host. */
static bool batch_normalization(struct rules *r, int i)
{
  struct hs_operator *host = maker(r, i, 0);
  const struct hs_operator *op = &r->g->ops[i];
  if (op->type != HS_OP_BATCH_NORMALIZATION || !host || host->n_fused) return false;
  if (!hs_op_is_conv(host->type) && host->type != HS_OP_GEMM) return false;
  struct hs_operator folded = *host;
  if (!host->at.bias) folded.params += host->at.channels;
  folded.at.bias = true;
  memcpy(folded.fused, op->fused, sizeof folded.fused);
  folded.n_fused = op->n_fused;
  if (!runs_wherever(r, &folded, host)) return false;
  *host = folded;
  absorb(r, host, i);
  return true;
}

/* Zeros around a convolution's input become its own padding. */
static bool padding(struct rules *r, int i)
{
  struct hs_operator *op = &r->g->ops[i], *pad = maker(r, i, 0);
  if ((op->type != HS_OP_CONV && op->type != HS_OP_DEPTHWISE_CONV) || !pad || pad->type != HS_OP_PAD || pad->at.reflect) return false;
  if (pad->at.pads[0][0] || pad->at.pads[0][1] || pad->at.pads[3][0] || pad->at.pads[3][1]) return false;
  op->at.pad_mode = HS_PAD_EXPLICIT;
  for (int d = 0; d < 2; d++) {
    op->at.pad[d] += pad->at.pads[d + 1][0];
    op->at.pad[d + 2] += pad->at.pads[d + 1][1];
  }
  drop_tensor(r, op->inputs[0]);
  op->inputs[0] = pad->inputs[0];
  r->gone[pad - r->g->ops] = true;
  return true;
}

/* x · f(x), as in x · sigmoid(x): the product joins f, which then is element by element from x alone. */
static bool gate(struct rules *r, int i)
{
  const struct hs_operator *op = &r->g->ops[i];
  for (int k = 0; k < 2 && op->type == HS_OP_MUL; k++) {
    struct hs_operator *f = maker(r, i, k);
    if (!f || !is_unary(f) || f->inputs[0] != op->inputs[1 - k] || !fuse(r, f, i)) continue;
    r->g->tensors[f->inputs[0]].n_consumers--;
    return true;
  }
  return false;
}

/* An element-wise operator of one input joins what makes this. */
static bool element_wise(struct rules *r, int i)
{
  struct hs_operator *host = maker(r, i, 0);
  return is_unary(&r->g->ops[i]) && host && is_host(host) && fuse(r, host, i);
}

/* A shortcut is added where the convolution writes its result; it must have been computed before that runs. */
static bool residual(struct rules *r, int i)
{
  const struct hs_operator *op = &r->g->ops[i];
  if (op->type != HS_OP_ADD) return false;
  for (int k = 1; k >= 0; k--) { /* of two branches the later one is mostly named second */
    struct hs_operator *host = maker(r, i, k);
    int other = op->inputs[1 - k];
    if (!host || host->type != HS_OP_CONV || host->class == HS_CLASS_GROUPED || host->n_inputs > 1) continue;
    if (r->g->tensors[other].producer >= (int)(host - r->g->ops) || !same_shape(r, other, op->outputs[0])) continue;
    if (!same_shape(r, op->inputs[k], op->outputs[0])) continue;
    struct hs_operator joined = *host;
    joined.inputs = HS_NEW_ARRAY(&r->g->arena, int, 2);
    joined.inputs[0] = host->inputs[0];
    joined.inputs[1] = other;
    joined.n_inputs = 2;
    if (!runs_wherever(r, &joined, host) || !fuse(r, host, i)) continue;
    host->inputs = joined.inputs;
    host->n_inputs = 2;
    return true;
  }
  return false;
}

/* In the order in which they are tried. */
static bool (*const rules[])(struct rules *, int) = {batch_normalization, padding, gate, element_wise, residual};

/* --- */

/* Without what is gone. Takes g. */
static struct hs_graph *pack(struct hs_graph *g, const bool *gone)
{
  struct hs_graph *out = hs_pass_empty_like(g);
  int *map = hs_realloc(NULL, (size_t)g->n_tensors, sizeof *map), *op_map = hs_realloc(NULL, (size_t)g->n_ops, sizeof *op_map);
  hs_pass_make_room(out, g);
  for (int i = 0, n = 0; i < g->n_ops; i++) op_map[i] = gone[i] ? -1 : n++;
  for (int t = 0; t < g->n_tensors; t++) {
    struct hs_tensor *from = &g->tensors[t];
    if (from->producer == NOBODY) continue;
    map[t] = out->n_tensors++;
    out->tensors[map[t]] = *from;
    out->tensors[map[t]].name = hs_arena_strdup(&out->arena, from->name);
    out->tensors[map[t]].producer = from->producer < 0 ? -1 : op_map[from->producer];
  }
  for (int i = 0; i < g->n_ops; i++)
    if (!gone[i]) hs_pass_copy_op(out, &g->ops[i], &out->ops[out->n_ops++], map);
  hs_pass_copy_ends(g, out, map);
  free(map);
  free(op_map);
  hs_graph_free(g);
  return out;
}

struct hs_graph *hs_pass_rules(const struct hs_system *sys, const struct hs_graph *g)
{
  struct rules r = {.sys = sys, .g = hs_pass_order(g, NULL), .gone = hs_calloc((size_t)g->n_ops, sizeof *r.gone)};
  bool any = false;
  for (bool again = true; again; any |= again) {
    again = false;
    for (size_t k = 0; k < sizeof rules / sizeof *rules; k++)
      for (int i = 0; i < g->n_ops; i++)
        while (!r.gone[i] && rules[k](&r, i)) again = true;
  }
  struct hs_graph *out = any ? pack(r.g, r.gone) : NULL;
  if (!any) hs_graph_free(r.g);
  free(r.gone);
  return out;
}
