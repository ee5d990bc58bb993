/* SPDX-License-Identifier: GPL-3.0-or-later */
/* For tests of lowering: two convolutions on the fixture's system, and a cut in halves. x is 1·10·10·4 elements, a and o are 1·10·10·8. */
#ifndef HS_TEST_TWO_CONVS_H
#define HS_TEST_TWO_CONVS_H

#include "tests/model/fixture.h"

#define TWO_CONVS                                                                                                      \
  "{'name': 'a', 'inputs': ['x'], 'op': 'Conv', 'channels': 8, 'kernel': [3,3], 'pad': 'same'}, "                      \
  "{'name': 'o', 'inputs': ['a'], 'op': 'Conv', 'channels': 8, 'kernel': [3,3], 'pad': 'same'}"

static inline void make(struct fixture *f, const char *shape, const char *ops, const char *outputs, int memory_type)
{
  struct hs_settings s = {.runtime = hs_runtime_find("mace"), .precision = -1, .memory_type = memory_type};
  fixture_make(f, NULL, fixture_profile(0, 4, 0, 0), &s);
  fixture_graph(f, shape, ops, outputs);
}

/* The first half for the GPU, the second one for the CPU. */
static inline void halve(struct hs_op_placement *op, enum hs_split split, int home, int chain)
{
  *op = (struct hs_op_placement){.split = split, .n_parts = 2, .parts = {{1, 0.5, -1}, {0, 0.5, -1}}, .home = home, .chain = chain};
}

#endif
