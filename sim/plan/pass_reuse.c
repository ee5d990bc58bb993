/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Layer-level reuse between the frames of a video: of each frame the share `ratio` of its rows is as in the frame before, and operators
 * compute only what the other rows reach (after DeepCache, M. Xu et al., MobiCom 2018, Sec. 4, whose blocks are a run of rows here).
 *
 * The network of such a frame is the given one with fewer rows. A run of c rows of the input of windows of k rows (dilation counted) at stride s
 * reaches ⌈(c + k - 1) / s⌉ rows of the result; what these windows read beside the run is kept from the frame before, and stands where
 * padding does. Operators by rows pass the run on; of operands with runs of several lengths the shorter ones get kept rows, by a Pad,
 * as a runtime's tensors lie apart from what is kept; likewise what reads all rows, or a result that leaves the network. From where
 * all rows have changed the network is the given one. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "plan/pass.h"

struct reuse {
  struct hs_build b;
  const struct hs_graph *g;
  int *map; /* [tensor of g]: its changed rows in b.out */
  int shorter; /* operators that compute fewer rows */
};

static int64_t rows(const struct hs_graph *g, int tensor)
{
  const struct hs_shape *s = &g->tensors[tensor].shape;
  return s->rank == 4 ? s->dim[1] : 0;
}

static int64_t changed(const struct reuse *u, int tensor) { return rows(u->b.out, u->map[tensor]); }

/* Somebody reads rows of the tensor that haven't changed. */
static void keep(struct reuse *u, int tensor)
{
  struct hs_tensor *t = &u->b.out->tensors[u->map[tensor]];
  t->kept = hs_shape_elements(&u->g->tensors[tensor].shape) - hs_shape_elements(&t->shape);
}

/* At least n rows of the tensor, in one piece. */
static int with_rows(struct reuse *u, int tensor, int64_t n, int block)
{
  int64_t have = changed(u, tensor);
  if (have >= n || u->b.failed) return u->map[tensor];
  struct hs_operator pad = hs_build_plain(HS_OP_PAD, block);
  pad.at.n_size = 4;
  pad.at.pads[1][1] = n - have;
  keep(u, tensor);
  return hs_build_op(&u->b, &pad, hs_arena_printf(&u->b.out->arena, "%s_kept_%d", u->g->tensors[tensor].name, u->b.out->n_ops), &u->map[tensor], 1, 1);
}

static bool same_rows_in_all(const struct hs_graph *g, const struct hs_operator *op)
{
  for (int i = 0; i < op->n_inputs; i++)
    if (rows(g, op->inputs[i]) != rows(g, op->outputs[0])) return false;
  return true;
}

/* Each row of the result follows from a run of rows of what it reads. */
static bool works_by_rows(const struct hs_graph *g, const struct hs_operator *op)
{
  const struct hs_attributes *a = &op->at;
  int64_t in = rows(g, op->inputs[0]), out = rows(g, op->outputs[0]);
  if (in == 0 || out == 0) return false;
  switch (op->type) {
  case HS_OP_CONV:
  case HS_OP_DEPTHWISE_CONV:
  case HS_OP_MAX_POOL:
  case HS_OP_AVERAGE_POOL:
  case HS_OP_PAD:
  case HS_OP_SPACE_TO_DEPTH:
  case HS_OP_DEPTH_TO_SPACE: return true;
  case HS_OP_CONV_TRANSPOSE: return a->pad_mode == HS_PAD_VALID; /* under "same" its rows can't be told apart from its columns */
  case HS_OP_CONCAT:
  case HS_OP_SPLIT: return a->axis != 1;
  case HS_OP_SLICE: return a->begin[1] < a->strides[1] && out == (in - a->begin[1] + a->strides[1] - 1) / a->strides[1]; /* of all rows */
  case HS_OP_RESIZE_NEAREST: return out % in == 0;
  case HS_OP_INSTANCE_NORMALIZATION: return false; /* mean and variance are the image's */
  default: return (op->class == HS_CLASS_ELEMENTWISE || op->class == HS_CLASS_REDUCE) && same_rows_in_all(g, op);
  }
}

/* Changed rows of all operands must be equally many, and whole blocks. All rows, where one operand has changed in all. */
static int64_t rows_to_read(const struct reuse *u, const struct hs_operator *op)
{
  int64_t most = 0;
  for (int i = 0; i < op->n_inputs; i++) {
    int64_t n = works_by_rows(u->g, op) ? changed(u, op->inputs[i]) : rows(u->g, op->inputs[i]);
    if (n > most) most = n;
  }
  if (op->type != HS_OP_SPACE_TO_DEPTH) return most;
  int64_t block = op->at.block_size, whole = (most + 2 * block - 2) / block * block, all = rows(u->g, op->inputs[0]);
  return whole < all ? whole : all; /* every block that the run touches */
}

/* A window's padding becomes the rows that are kept beside the run: as many as bring it to all rows that it reaches. */
static void reach(struct reuse *u, const struct hs_operator *op, int64_t have, struct hs_attributes *a)
{
  int64_t window = (a->kernel[0] - 1) * a->dilation[0] + 1, all = rows(u->g, op->outputs[0]);
  int64_t n = (have + window - 1 + a->stride[0] - 1) / a->stride[0];
  int64_t beside = ((n < all ? n : all) - 1) * a->stride[0] + window - have;
  if (beside < 0) beside = 0;
  if (beside > 0) keep(u, op->inputs[0]);
  a->pad_mode = HS_PAD_EXPLICIT;
  a->pad[0] = beside / 2;
  a->pad[2] = beside - a->pad[0];
}

/* op as it works on a run of rows. */
static struct hs_operator on_run(struct reuse *u, const struct hs_operator *op, int64_t have)
{
  struct hs_operator run = *op;
  switch (op->type) {
  case HS_OP_CONV:
  case HS_OP_DEPTHWISE_CONV:
  case HS_OP_MAX_POOL:
  case HS_OP_AVERAGE_POOL: reach(u, op, have, &run.at); break;
  case HS_OP_PAD: run.at.pads[1][0] = run.at.pads[1][1] = 0; break; /* at the image's edges, which the run is taken not to touch */
  case HS_OP_SLICE:
    run.at.begin[1] = 0; /* a run may begin with any row: as many as the one that has most */
    run.at.size[1] = have;
    break;
  case HS_OP_RESIZE_NEAREST:
  case HS_OP_RESIZE_BILINEAR: run.at.scale[0] = (double)(rows(u->g, op->outputs[0]) / rows(u->g, op->inputs[0])); break;
  default: break;
  }
  return run;
}

static void put(struct reuse *u, const struct hs_operator *op)
{
  int inputs[HS_INPUTS_MAX];
  int64_t n = rows_to_read(u, op);
  bool run = works_by_rows(u->g, op) && n < rows(u->g, op->inputs[0]);
  for (int i = 0; i < op->n_inputs; i++) inputs[i] = with_rows(u, op->inputs[i], run ? n : rows(u->g, op->inputs[i]), op->block);
  struct hs_operator like = run ? on_run(u, op, n) : *op;
  int first = hs_build_op(&u->b, &like, hs_arena_strdup(&u->b.out->arena, op->name), inputs, op->n_inputs, op->n_outputs);
  for (int k = 0; k < op->n_outputs && !u->b.failed; k++) {
    u->map[op->outputs[k]] = first + k;
    u->b.out->tensors[first + k].name = hs_arena_strdup(&u->b.out->arena, u->g->tensors[op->outputs[k]].name);
  }
  if (!u->b.failed) u->shorter += changed(u, op->outputs[0]) < rows(u->g, op->outputs[0]);
}

/* Of an image the rows that have changed: what the host hands in, too. */
static void shorten_inputs(struct reuse *u, double ratio)
{
  for (int i = 0; i < u->g->n_inputs; i++) {
    struct hs_shape *s = &u->b.out->tensors[u->map[u->g->inputs[i]]].shape;
    if (s->rank == 4) s->dim[1] = (int64_t)ceil((1 - ratio) * (double)s->dim[1] - 1e-9);
    if (s->rank == 4 && s->dim[1] < 1) s->dim[1] = 1;
  }
}

struct hs_graph *hs_pass_reuse(const struct hs_graph *g, double ratio, char *why, size_t size)
{
  struct reuse u = {.g = g, .map = hs_realloc(NULL, (size_t)g->n_tensors, sizeof(int))};
  hs_build_start(&u.b, g, why, size);
  hs_build_inputs(&u.b, g, u.map);
  shorten_inputs(&u, ratio);
  for (int i = 0; i < g->n_ops; i++) put(&u, &g->ops[i]);
  for (int i = 0; i < g->n_outputs; i++) u.map[g->outputs[i]] = with_rows(&u, g->outputs[i], rows(g, g->outputs[i]), 0);
  struct hs_graph *out = hs_build_end(&u.b, g, u.map);
  free(u.map);
  if (!out || u.shorter > 0) return out;
  snprintf(why, size, "every operator has to compute all rows of its result");
  hs_graph_free(out);
  return NULL;
}
