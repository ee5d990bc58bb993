/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Low-rank decomposition. The weights of a convolution are a matrix of k_h·k_w·C_in rows and C_out columns, of full rank
 * R = min(k_h·k_w·C_in, C_out). Its singular value decomposition, cut after r = ratio · R values, is a convolution of the same
 * window with r channels, and a 1x1 convolution from these to C_out (X. Zhang, J. Zou, K. He, J. Sun, "Accelerating Very Deep
 * Convolutional Networks for Classification and Detection", TPAMI 2016, Sec. 3.1). MACs and weights become
 * r · (k_h·k_w·C_in + C_out) / (k_h·k_w·C_in · C_out) of what they were, whatever stride and padding. A fully connected
 * operator is the same with its features for k_h·k_w·C_in. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "plan/pass.h"

/* Rank of what takes op's place; 0: op stays, because it is of another kind or two would not be cheaper. */
static int64_t rank_of(const struct hs_graph *g, const struct hs_operator *op, double ratio)
{
  bool window = op->type == HS_OP_CONV && op->class != HS_CLASS_DEPTHWISE && op->at.group == 1 && op->at.kernel[0] * op->at.kernel[1] > 1;
  if (!window && op->type != HS_OP_GEMM) return 0;
  int64_t depth = hs_op_reduction_depth(g, op), channels = op->at.channels;
  int64_t rank = llround(ratio * (double)(depth < channels ? depth : channels));
  if (rank < 1) rank = 1;
  return (double)rank * (double)(depth + channels) < (double)depth * (double)channels ? rank : 0;
}

static int put_two(struct hs_build *b, const struct hs_operator *op, int64_t rank, const char *name, int input)
{
  struct hs_operator first = *op, second = op->type == HS_OP_GEMM ? *op : hs_build_pointwise(op->at.channels, op->at.bias, op->block);
  for (int k = 0; k < HS_KIND_N; k++) second.override[k] = op->override[k];
  for (int k = 0; k < op->n_fused; k++) second.fused[k] = op->fused[k];
  second.n_fused = op->n_fused;
  first.n_fused = 0;
  first.at.channels = rank;
  first.at.bias = false; /* the second's is the whole one's */
  int between = hs_build_op(b, &first, hs_arena_printf(&b->out->arena, "%s_rank%lld", name, (long long)rank), &input, 1, 1);
  return hs_build_op(b, &second, name, &between, 1, 1);
}

static void copy(struct hs_build *b, const struct hs_graph *g, const struct hs_operator *op, int64_t rank, int *map)
{
  int inputs[HS_INPUTS_MAX], first;
  const char *name = hs_arena_strdup(&b->out->arena, op->name);
  for (int k = 0; k < op->n_inputs; k++) inputs[k] = map[op->inputs[k]];
  if (rank > 0)
    first = put_two(b, op, rank, name, inputs[0]);
  else
    first = hs_build_op(b, op, name, inputs, op->n_inputs, op->n_outputs);
  for (int k = 0; k < op->n_outputs && !b->failed; k++) {
    map[op->outputs[k]] = first + k;
    b->out->tensors[first + k].name = hs_arena_strdup(&b->out->arena, g->tensors[op->outputs[k]].name);
  }
}

struct hs_graph *hs_pass_lowrank(const struct hs_graph *g, double ratio, char *why, size_t size)
{
  struct hs_build b;
  int *map = hs_realloc(NULL, (size_t)g->n_tensors, sizeof *map), decomposed = 0;
  hs_build_start(&b, g, why, size);
  hs_build_inputs(&b, g, map);
  for (int i = 0; i < g->n_ops; i++) {
    int64_t rank = rank_of(g, &g->ops[i], ratio);
    decomposed += rank > 0;
    copy(&b, g, &g->ops[i], rank, map);
  }
  struct hs_graph *out = hs_build_end(&b, g, map);
  free(map);
  if (!out || decomposed) return out;
  snprintf(why, size, "no operator would take fewer MACs");
  hs_graph_free(out);
  return NULL;
}
