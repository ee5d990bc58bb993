/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Costs of single operators, for the tests of the cost formula. */
#ifndef HS_TEST_COSTS_H
#define HS_TEST_COSTS_H

#include "tests/model/fixture.h"

#include "model/portion.h"

static const struct hs_settings plain = {.precision = -1, .memory_type = -1};
static const struct hs_range whole = {HS_SPLIT_NONE, 0, 1};

static inline struct hs_settings on_mace(void)
{
  struct hs_settings s = plain;
  s.runtime = hs_runtime_find("mace");
  return s;
}

static inline void make(struct fixture *f, const char *shape, const char *op, double overhead, int multiple, double half)
{
  struct hs_settings s = on_mace();
  char ops[600];
  fixture_make(f, NULL, fixture_profile(overhead, multiple, half, 0), &s);
  snprintf(ops, sizeof ops, "{'name': 'o', 'inputs': ['x'], %s}", op);
  fixture_graph(f, shape, ops, "'o'");
}

/* By another runtime's rules, with the kernels that it has. */
static inline void under(struct fixture *f, const char *runtime) { f->sys.runtime = hs_runtime_find(runtime); }

/* A kernel of processor p that a test may change. */
static inline struct hs_kernel *own_kernel(struct fixture *f, int p, struct hs_kernel *k)
{
  *k = *f->sys.backends[p].kernel;
  f->sys.backends[p].kernel = k;
  return k;
}

static inline struct hs_work cost(const struct fixture *f, int op, int p, struct hs_range range)
{
  struct hs_work w;
  hs_cost_exec(&f->sys, f->graph, &f->graph->ops[op], p, range, &w);
  return w;
}

#endif
