/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Small networks for tests of passes, and what holds of every graph that a pass makes. */
#ifndef HS_TEST_PASSES_H
#define HS_TEST_PASSES_H

#include "tests/model/rig.h"

#include "plan/pass.h"

#define IN RIG_IN("i", "1, 8, 8, 3")
#define CONV(name, in, channels, k) \
  "{'name': '" name "', 'op': 'Conv', 'inputs': ['" in "'], 'channels': " #channels ", 'kernel': [" #k ", " #k "], 'pad': 'same'}"
#define OP(name, op, inputs, more) ", " RIG_OP(name, op, inputs, more)

static inline void check_shape(const struct hs_shape *a, const struct hs_shape *b)
{
  ck_assert_int_eq(a->rank, b->rank);
  for (int d = 0; d < a->rank; d++) ck_assert_int_eq(a->dim[d], b->dim[d]);
}

/* A graph that holds what a reader would have made of it. */
static inline void check_valid(const struct hs_graph *g)
{
  struct hs_graph *again = hs_pass_order(g, NULL);
  int *readers = calloc((size_t)g->n_tensors, sizeof *readers);
  for (int i = 0; i < g->n_ops; i++) {
    const struct hs_operator *op = &g->ops[i];
    char why[160];
    ck_assert_msg(hs_op_infer(again, &again->ops[i], why, sizeof why), "%s, %s: %s", g->name, op->name, why);
    ck_assert_double_eq(again->ops[i].macs, op->macs);
    ck_assert_int_eq(again->ops[i].class, op->class);
    for (int k = 0; k < op->n_inputs; k++) {
      ck_assert_int_lt(g->tensors[op->inputs[k]].producer, i);
      readers[op->inputs[k]]++;
    }
    for (int k = 0; k < op->n_outputs; k++) {
      ck_assert_int_eq(g->tensors[op->outputs[k]].producer, i);
      check_shape(&g->tensors[op->outputs[k]].shape, &again->tensors[op->outputs[k]].shape);
    }
  }
  for (int t = 0; t < g->n_tensors; t++) ck_assert_int_eq(readers[t], g->tensors[t].n_consumers);
  free(readers);
  hs_graph_free(again);
}

/* What comes in and what goes out stays. */
static inline void check_ends(const struct hs_graph *g, const struct hs_graph *out)
{
  ck_assert_int_eq(out->n_inputs, g->n_inputs);
  ck_assert_int_eq(out->n_outputs, g->n_outputs);
  for (int i = 0; i < g->n_inputs; i++)
    check_shape(&g->tensors[g->inputs[i]].shape, &out->tensors[out->inputs[i]].shape);
  for (int i = 0; i < g->n_outputs; i++) {
    const struct hs_tensor *a = &g->tensors[g->outputs[i]], *b = &out->tensors[out->outputs[i]];
    ck_assert(b->is_output);
    check_shape(&a->shape, &b->shape);
  }
}

static inline const struct hs_operator *find(const struct hs_graph *g, const char *name)
{
  for (int i = 0; i < g->n_ops; i++)
    if (strcmp(g->ops[i].name, name) == 0) return &g->ops[i];
  ck_abort_msg("no operator %s", name);
  return NULL;
}

static inline int64_t channels(const struct hs_graph *g, const char *name) { return hs_shape_channels(&g->tensors[find(g, name)->outputs[0]].shape); }

#endif
