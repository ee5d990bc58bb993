/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/groups.h"

enum { READ, PIECE, PIECE_RESULT, RESULT, OPERANDS };

static bool is_written_out(const struct hs_system *sys, const struct hs_graph *g, const struct hs_operator *op, int p)
{
  int64_t slice = sys->runtime->backends[sys->soc->processors[p].kind].group_slice, n = op->at.group;
  if (slice == 0 || op->type != HS_OP_CONV || op->class != HS_CLASS_GROUPED) return false;
  return hs_shape_channels(&g->tensors[op->inputs[0]].shape) / n % slice != 0 || op->at.channels / n % slice != 0;
}

static void put(struct hs_groups *w, int at, enum hs_op_type type, int *inputs, int n_inputs, int *outputs, int n_outputs)
{
  char why[128];
  struct hs_operator *op = &w->op[at];
  op->type = type;
  op->inputs = inputs;
  op->n_inputs = n_inputs;
  op->outputs = outputs;
  op->n_outputs = n_outputs;
  op->n_fused = 0;
  hs_op_infer(&w->graph, op, why, sizeof why);
}

bool hs_groups_write_out(const struct hs_system *sys, const struct hs_graph *g, const struct hs_operator *op, int p, struct hs_groups *out)
{
  if (!is_written_out(sys, g, op, p)) return false;
  const struct hs_tensor *in = &g->tensors[op->inputs[0]];
  int n = (int)op->at.group;
  *out = (struct hs_groups){.graph = {.n_tensors = OPERANDS, .n_ops = HS_GROUPS_N, .tensors = out->tensor, .ops = out->op},
                            .tensor[READ] = *in, .op = {{.name = op->name}, *op, {.name = op->name}}, .ends = {READ, RESULT}};
  out->tensor[READ].producer = -1; /* none of these */
  for (int i = 0; i < n; i++) {
    out->piece[i] = PIECE;
    out->result[i] = PIECE_RESULT;
  }
  out->op[HS_GROUPS_SPLIT].at.axis = out->op[HS_GROUPS_CONCAT].at.axis = in->shape.rank - 1;
  out->op[HS_GROUPS_CONV].at.group = 1;
  out->op[HS_GROUPS_CONV].at.channels /= n;
  put(out, HS_GROUPS_SPLIT, HS_OP_SPLIT, &out->ends[0], 1, out->piece, n);
  put(out, HS_GROUPS_CONV, HS_OP_CONV, out->piece, 1, out->result, 1);
  if (sys->soc->processors[p].kind == HS_CPU) out->op[HS_GROUPS_CONV].n_fused = op->n_fused; /* on a GPU linked to the Concat's kernel */
  put(out, HS_GROUPS_CONCAT, HS_OP_CONCAT, out->result, n, &out->ends[1], 1);
  /* A sum that is fused to it (sim/plan/pass_rules.c, to no grouped one): NN-Stretch narrows a convolution with a group for each channel, but not what the
   * first of a segment reads. */
  for (int i = 1; i < op->n_inputs; i++) {
    out->result[n + i - 1] = out->graph.n_tensors;
    out->tensor[out->graph.n_tensors] = g->tensors[op->inputs[i]];
    out->tensor[out->graph.n_tensors++].producer = -1;
  }
  out->op[HS_GROUPS_CONCAT].n_inputs += op->n_inputs - 1;
  return true;
}
