/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The reader of operator-support tables, and every condition on a few operators. */
#include "input/op_support.h"

#include "fuzz.h"

static const char network[] =
  "{\"format\": \"hetsim-workload/1\", \"name\": \"n\", \"title\": \"\", \"source\": \"\", \"inputs\": [{\"name\": \"x\", \"shape\": [1, 8, 8, 6]}],"
  "\"outputs\": [\"k\", \"p\", \"f\"], \"ops\": ["
  "{\"name\": \"c\", \"op\": \"Conv\", \"inputs\": [\"x\"], \"channels\": 6, \"kernel\": [3, 5], \"group\": 2, \"pad\": \"same\"},"
  "{\"name\": \"d\", \"op\": \"DepthwiseConv\", \"inputs\": [\"c\"], \"kernel\": [1, 1], \"multiplier\": 2},"
  "{\"name\": \"m\", \"op\": \"ReduceMean\", \"inputs\": [\"d\"], \"axes\": [1, 2]},"
  "{\"name\": \"a\", \"op\": \"Add\", \"inputs\": [\"m\", \"d\"]},"
  "{\"name\": \"s\", \"op\": \"Split\", \"inputs\": [\"a\"], \"outputs\": [\"s0\", \"s1\"]},"
  "{\"name\": \"r\", \"op\": \"Relu\", \"inputs\": [\"s1\"]},"
  "{\"name\": \"k\", \"op\": \"Concat\", \"inputs\": [\"s0\", \"r\", \"x\"]},"
  "{\"name\": \"l\", \"op\": \"Slice\", \"inputs\": [\"x\"], \"begin\": [0, 0, 0, 0], \"size\": [1, 8, 8, 6], \"strides\": [1, 2, 2, 1]},"
  "{\"name\": \"p\", \"op\": \"Pad\", \"inputs\": [\"l\"], \"pads\": [[0, 0], [1, 1], [1, 1], [0, 0]], \"mode\": \"reflect\"},"
  "{\"name\": \"f\", \"op\": \"Softmax\", \"inputs\": [\"x\"]}]}";

static void use(struct hs_op_support *t)
{
  static struct hs_graph *g;
  struct hs_error err;
  if (!g) hs_fuzz_promise(hs_graph_parse("network", network, sizeof network - 1, &g, &err) == HS_OK);
  hs_fuzz_promise(hs_op_support_name(t)[0] && strlen(hs_op_support_sha256(t)) == 64);
  for (int i = 0; i < g->n_ops; i++) {
    char whole[200] = "", small[20] = "";
    bool yes = hs_op_supported(t, g, &g->ops[i], 32, whole, sizeof whole);
    hs_fuzz_promise(yes == !whole[0]); /* a refusal has a reason */
    hs_fuzz_promise(hs_op_supported(t, g, &g->ops[i], 32, NULL, 0) == yes);
    hs_fuzz_promise(hs_op_supported(t, g, &g->ops[i], 32, small, sizeof small) == yes && strncmp(small, whole, strlen(small)) == 0);
  }
}

HS_FUZZ(hs_op_support_parse, struct hs_op_support, use, hs_op_support_free)
