/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The reader of workloads with its inference. */
#include "input/graph.h"

#include "fuzz.h"

static void check_tensor(const struct hs_graph *g, int i)
{
  hs_fuzz_promise(i >= 0 && i < g->n_tensors);
  const struct hs_shape *s = &g->tensors[i].shape;
  hs_fuzz_promise(s->rank >= 1 && s->rank <= HS_RANK_MAX);
  for (int k = 0; k < s->rank; k++) hs_fuzz_promise(s->dim[k] > 0);
  hs_fuzz_promise(hs_shape_elements(s) <= (int64_t)1 << 36);
}

/* Passes infer again what the reader has inferred: nothing may change. */
static void check_operator(struct hs_graph *g, struct hs_operator *op)
{
  char why[200];
  for (int k = 0; k < op->n_inputs; k++) check_tensor(g, op->inputs[k]);
  for (int k = 0; k < op->n_outputs; k++) check_tensor(g, op->outputs[k]);
  struct hs_shape before = g->tensors[op->outputs[0]].shape;
  double macs = op->macs, work = op->work;
  int64_t params = op->params;
  hs_fuzz_promise(hs_op_infer(g, op, why, sizeof why));
  const struct hs_shape *after = &g->tensors[op->outputs[0]].shape;
  hs_fuzz_promise(after->rank == before.rank && memcmp(after->dim, before.dim, (size_t)before.rank * sizeof before.dim[0]) == 0);
  hs_fuzz_promise(op->macs == macs && op->work == work && op->params == params);
  hs_fuzz_promise(macs >= 0 && macs <= 1e300 && work >= macs && params >= 0 && op->class >= 0 && op->class < HS_CLASS_N);
  hs_fuzz_promise(hs_op_reduction_depth(g, op) > 0 && hs_op_input_elements(g, op) > 0 && hs_op_output_elements(g, op) > 0);
}

static void use(struct hs_graph *g)
{
  for (int i = 0; i < g->n_ops; i++) check_operator(g, &g->ops[i]);
  for (int i = 0; i < g->n_outputs; i++) check_tensor(g, g->outputs[i]);
  hs_fuzz_promise(hs_graph_macs(g) >= 0 && hs_graph_params(g) >= 0 && strlen(g->sha256) == 64);
}

HS_FUZZ(hs_graph_parse, struct hs_graph, use, hs_graph_free)
