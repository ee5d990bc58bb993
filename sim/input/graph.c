/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What can be asked of a graph. */
#include "input/graph.h"

#include <stdio.h>
#include <string.h>

const char *const hs_kind_names[HS_KIND_N + 1] = {"cpu", "gpu", "dsp", "npu", NULL};

void hs_graph_free(struct hs_graph *g)
{
  if (!g) return;
  struct hs_arena a = g->arena; /* the graph itself lives in its arena */
  hs_arena_free(&a);
}

bool hs_shape_equal(const struct hs_shape *a, const struct hs_shape *b)
{
  return a->rank == b->rank && memcmp(a->dim, b->dim, (size_t)a->rank * sizeof *a->dim) == 0;
}

const char *hs_shape_text(const struct hs_shape *s, char *buf, size_t size)
{
  size_t n = 0;
  buf[0] = 0;
  for (int i = 0; i < s->rank && n < size; i++)
    n += (size_t)snprintf(buf + n, size - n, "%s%lld", i ? "x" : "", (long long)s->dim[i]);
  return buf;
}

bool hs_graph_read_from(const struct hs_graph *g, int tensor, int from)
{
  const struct hs_tensor *t = &g->tensors[tensor];
  int seen = 0; /* of its readers, the last of which is near in most networks, however long these are */
  for (int i = t->producer + 1; i < g->n_ops && seen < t->n_consumers; i++)
    for (int k = 0; k < g->ops[i].n_inputs; k++) {
      if (g->ops[i].inputs[k] != tensor) continue;
      if (i >= from) return true;
      seen++;
    }
  return false;
}

double hs_graph_macs(const struct hs_graph *g)
{
  double macs = 0;
  for (int i = 0; i < g->n_ops; i++) macs += g->ops[i].macs;
  return macs;
}

int64_t hs_graph_params(const struct hs_graph *g)
{
  int64_t params = 0;
  for (int i = 0; i < g->n_ops; i++) params += g->ops[i].params;
  return params;
}

bool hs_op_reads_again(const struct hs_operator *op, int i)
{
  for (int k = 0; k < i && op->class == HS_CLASS_ELEMENTWISE; k++)
    if (op->inputs[k] == op->inputs[i]) return true;
  return false;
}

bool hs_op_reads_alone(const struct hs_graph *g, const struct hs_operator *op, int tensor)
{
  int reads = 0;
  for (int i = 0; i < op->n_inputs; i++) reads += op->inputs[i] == tensor;
  return reads == g->tensors[tensor].n_consumers && !g->tensors[tensor].is_output;
}

int64_t hs_op_input_elements(const struct hs_graph *g, const struct hs_operator *op)
{
  int64_t n = 0;
  for (int i = 0; i < op->n_inputs; i++)
    if (!hs_op_reads_again(op, i)) n += hs_shape_elements(&g->tensors[op->inputs[i]].shape);
  return n;
}

int64_t hs_op_output_elements(const struct hs_graph *g, const struct hs_operator *op)
{
  int64_t n = 0;
  for (int i = 0; i < op->n_outputs; i++) n += hs_shape_elements(&g->tensors[op->outputs[i]].shape);
  return n;
}

double hs_op_params_read(const struct hs_graph *g, const struct hs_operator *op)
{
  return (double)(op->type == HS_OP_GATHER ? hs_op_output_elements(g, op) : op->params);
}

int64_t hs_op_reduction_depth(const struct hs_graph *g, const struct hs_operator *op)
{
  const struct hs_shape *in = &g->tensors[op->inputs[0]].shape;
  switch (op->type) {
  case HS_OP_CONV:
  case HS_OP_DEPTHWISE_CONV:
  case HS_OP_CONV_TRANSPOSE:
    return hs_shape_channels(in) / op->at.group * op->at.kernel[0] * op->at.kernel[1];
  case HS_OP_GEMM: return hs_shape_elements(in) / in->dim[0];
  case HS_OP_MAT_MUL: return hs_shape_channels(in);
  default: return 1;
  }
}
