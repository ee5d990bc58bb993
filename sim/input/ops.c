/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What can be asked of an operator before it stands in a graph. */
#include <string.h>

#include "base/spelling.h"
#include "input/graph.h"

const char *const hs_op_class_names[HS_CLASS_N + 1] = {"conv_1x1",  "conv_3x3", "conv_3x3_strided", "conv_other",
                                                       "depthwise", "grouped",  "transposed",       "matmul",
                                                       "pool",      "elementwise", "reduce",        "move", NULL};

static const struct {
  const char *name;
  int n_inputs;
  enum hs_op_class class;
} ops[HS_OP_N] = {
#define HS_OPERATOR(id, name, n_inputs, shape, work, class) {name, n_inputs, HS_CLASS_##class},
#include "input/op_list.def"
#undef HS_OPERATOR
};

const char *hs_op_name(enum hs_op_type type) { return ops[type].name; }
int hs_op_arity(enum hs_op_type type) { return ops[type].n_inputs; }

bool hs_op_has_macs(enum hs_op_type type) { return ops[type].class < HS_CLASS_POOL; }

int hs_op_find(const char *name)
{
  for (int i = 0; i < HS_OP_N; i++)
    if (strcmp(ops[i].name, name) == 0) return i;
  return -1;
}

struct hs_attributes hs_op_defaults(enum hs_op_type type)
{
  struct hs_attributes a = {.kernel = {1, 1}, .stride = {1, 1}, .dilation = {1, 1}, .group = 1, .multiplier = 1, .block_size = 1, .bias = true,
                            .keepdims = true, .axis = -1, .pad_mode = type == HS_OP_CONV_TRANSPOSE ? HS_PAD_SAME : HS_PAD_VALID};
  for (int i = 0; i < HS_RANK_MAX; i++) a.strides[i] = 1;
  return a;
}

const char *hs_op_nearest(const char *name)
{
  const char *names[HS_OP_N];
  for (int i = 0; i < HS_OP_N; i++) names[i] = ops[i].name;
  int near = hs_nearest(name, names, HS_OP_N);
  return near < 0 ? NULL : names[near];
}
