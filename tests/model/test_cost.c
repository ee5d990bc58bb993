/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The cost formula against numbers worked out by hand; each test says situation, derivation and expectation. */
#include "tests/model/fixture.h"

#include <math.h>

static const struct hs_settings plain = {.precision = -1, .memory_type = -1};
static const struct hs_range whole = {HS_SPLIT_NONE, 0, 1};

static struct hs_settings on_mace(void)
{
  struct hs_settings s = plain;
  s.runtime = hs_runtime_find("mace");
  return s;
}

static void make(struct fixture *f, const char *shape, const char *op, double overhead, int multiple, double half)
{
  struct hs_settings s = on_mace();
  char ops[600];
  fixture_make(f, NULL, fixture_profile(overhead, multiple, half, 0), &s);
  snprintf(ops, sizeof ops, "{'name': 'o', 'inputs': ['x'], %s}", op);
  fixture_graph(f, shape, ops, "'o'");
}

/* Conv 1×1 on 1×10×10×6 → 9 channels: 10·10·6·9 = 5400 MAC. CPU: 8 MAC/cycle at efficiency 0.5: 1350 cycles; plus 100 overhead.
 * At 2 GHz 0.725 µs. Bytes: (600 + 900 + 54 + 9)·4 = 6252 over 1 GB/s: 6.252 µs. The memory decides. */
START_TEST(memory_bound)
{
  struct fixture f;
  struct hs_work w;
  make(&f, "[1,10,10,6]", "'op': 'Conv', 'channels': 9, 'kernel': [1,1]", 100, 1, 0);
  hs_cost_exec(&f.sys, f.graph, &f.graph->ops[0], 0, whole, &w);
  ck_assert_near(w.cycles[0], 1450.0);
  ck_assert_near(w.bytes, 6252.0);
  ck_assert_near(hs_work_seconds(&f.sys, 0, -1, &w), 6.252e-6);
  fixture_free(&f);
}
END_TEST

/* Conv 3×3 "same" on 1×12×12×64 → 64: 144·576·64 = 5 308 416 MAC, 1 327 104 cycles, 0.663552 ms at 2 GHz. Bytes (9216 + 9216 +
 * 36864 + 64)·4 = 221 440: 0.22144 ms. The cores decide; at 1 GHz twice the time: t = γ/f + ε with ε = 0 (MOSAIC Eq. 3). */
START_TEST(compute_bound_and_frequency)
{
  struct fixture f;
  make(&f, "[1,12,12,64]", "'op': 'Conv', 'channels': 64, 'kernel': [3,3], 'pad': 'same'", 0, 1, 0);
  ck_assert_near(hs_cost_seconds(&f.sys, f.graph, &f.graph->ops[0], 0, -1), 0.663552e-3);
  ck_assert_near(hs_cost_seconds(&f.sys, f.graph, &f.graph->ops[0], 0, 1), 0.663552e-3);
  ck_assert_near(hs_cost_seconds(&f.sys, f.graph, &f.graph->ops[0], 0, 0), 2 * 0.663552e-3);
  fixture_free(&f);
}
END_TEST

/* The GPU's kernel works on blocks of 4 channels: 6 → 8 in, 9 → 12 out; 5400·(8/6)·(12/9) = 9600 MAC, 2400 cycles. The CPU's
 * doesn't: 1350. With reduction_half 6 and depth 6 the rate halves: 2700 on the CPU. */
START_TEST(padding_and_reduction)
{
  struct fixture f;
  struct hs_work w;
  make(&f, "[1,10,10,6]", "'op': 'Conv', 'channels': 9, 'kernel': [1,1]", 0, 4, 0);
  hs_cost_exec(&f.sys, f.graph, &f.graph->ops[0], 1, whole, &w);
  ck_assert_near(w.cycles[0], 2400.0);
  fixture_free(&f);
  make(&f, "[1,10,10,6]", "'op': 'Conv', 'channels': 9, 'kernel': [1,1]", 0, 4, 6);
  hs_cost_exec(&f.sys, f.graph, &f.graph->ops[0], 0, whole, &w);
  ck_assert_near(w.cycles[0], 2700.0);
  fixture_free(&f);
}
END_TEST

/* Depthwise 3×3 on 1×10×10×6, "same": 600·9 = 5400 MAC. Run as a dense one with blocks of 4 channels its filters span 8 channels: the
 * GPU's 6 channels are padded to 8 as well, 5400·8·8/6 = 57 600 MAC, 14 400 cycles; 1800 without. Weights (54 + 6)·8 instead of 60. */
START_TEST(dense_depthwise)
{
  static const char op[] = "'op': 'DepthwiseConv', 'kernel': [3,3], 'pad': 'same'";
  struct fixture f;
  struct hs_work w, dense;
  make(&f, "[1,10,10,6]", op, 0, 4, 0);
  hs_cost_exec(&f.sys, f.graph, &f.graph->ops[0], 1, whole, &w);
  ck_assert_near(w.cycles[0], 1800.0);
  double bytes = hs_slice_bytes(&f.sys, f.graph, &f.graph->ops[0], 1), element = hs_precision_bytes(f.sys.backends[1].precision);
  struct hs_kernel k = *f.sys.backends[1].kernel;
  k.dense_depthwise = true;
  f.sys.backends[1].kernel = &k;
  hs_cost_exec(&f.sys, f.graph, &f.graph->ops[0], 1, whole, &dense);
  ck_assert_near(dense.cycles[0], 14400.0);
  ck_assert_near(dense.bytes - w.bytes, 60 * 7 * element);
  ck_assert_near(hs_slice_bytes(&f.sys, f.graph, &f.graph->ops[0], 1) - bytes, 60 * 7 * element);
  fixture_free(&f);
}
END_TEST

/* Conv 3×3 stride 2 "same" on 12 rows → 6 rows (padding 0 above, 1 below). Output rows [2,4) read input rows 4 … 3·2+3 = 9: [4,9).
 * Work is 2/6 of the whole, weights all of them. Channels [0,3) of 9: work and weights 1/3, the input whole. */
START_TEST(parts)
{
  struct fixture f;
  struct hs_work w, all;
  make(&f, "[1,12,10,6]", "'op': 'Conv', 'channels': 9, 'kernel': [3,3], 'stride': [2,2], 'pad': 'same'", 0, 1, 0);
  const struct hs_operator *op = &f.graph->ops[0];
  struct hs_range rows = hs_input_range(f.graph, op, 0, (struct hs_range){HS_SPLIT_HEIGHT, 2, 4});
  ck_assert_int_eq(rows.begin, 4);
  ck_assert_int_eq(rows.end, 9);
  rows = hs_input_range(f.graph, op, 0, (struct hs_range){HS_SPLIT_HEIGHT, 4, 6}); /* the last window ends in the padding */
  ck_assert_int_eq(rows.begin, 8);
  ck_assert_int_eq(rows.end, 12);
  hs_cost_exec(&f.sys, f.graph, op, 0, whole, &all);
  hs_cost_exec(&f.sys, f.graph, op, 0, (struct hs_range){HS_SPLIT_HEIGHT, 2, 4}, &w);
  ck_assert_near(w.cycles[0], all.cycles[0] / 3);
  ck_assert_near(w.bytes, 4.0 * (5 * 10 * 6 + 2 * 5 * 9 + 9 * 54 + 9));
  hs_cost_exec(&f.sys, f.graph, op, 0, (struct hs_range){HS_SPLIT_CHANNEL, 0, 3}, &w);
  ck_assert_near(w.cycles[0], all.cycles[0] / 3);
  ck_assert_near(w.bytes, 4.0 * (12 * 10 * 6 + 6 * 5 * 3 + (9 * 54 + 9) / 3.0));
  fixture_free(&f);
}
END_TEST

/* Dynamic power is the OPP's per core (2 W at 2 GHz, 1 W at 1 GHz) times the kernel's factor 1.5; static 0.1 W. */
START_TEST(power)
{
  struct fixture f;
  struct hs_work w;
  make(&f, "[1,10,10,6]", "'op': 'Relu'", 0, 1, 0);
  hs_cost_exec(&f.sys, f.graph, &f.graph->ops[0], 0, whole, &w);
  ck_assert_near(hs_work_dynamic_w(&f.sys, 0, -1, &w), 3.0);
  ck_assert_near(hs_work_dynamic_w(&f.sys, 0, 0, &w), 1.5);
  ck_assert_near(hs_work_static_w(&f.sys, 0, 0, &w), 0.1);
  fixture_free(&f);
}
END_TEST

/* Two clusters: mid 3 cores at 1 GHz, big 1 core at 2 GHz. Four threads share a static parallel-for: the 1 GHz cores decide. With
 * serial part 0.2 each core gets 0.2 + 0.8/4 = 0.4 of the work. One thread goes to the big core. */
START_TEST(threads_over_unequal_cores)
{
  struct fixture f;
  struct hs_settings s = on_mace();
  char *seed = hs_test_seed("soc/small");
  const char *opps = "[{\"freq_hz\": 1000000000.0, \"volt\": 1, \"dynamic_w\": 1, \"static_w\": 0.1}, {\"freq_hz\": 2000000000.0, \"volt\": 1.1, \"dynamic_w\": 2, \"static_w\": 0.1}]";
  struct hs_text mid = {0};
  hs_text_addf(&mid, "\"domains\": [{\"name\": \"mid\", \"cores\": 3, \"bandwidth_per_core_bytes_per_s\": 3e8, \"macs_per_cycle\": {\"fp32\": 8}, \"opps\": "
                     "[{\"freq_hz\": 1000000000.0, \"volt\": 1, \"dynamic_w\": 1, \"static_w\": 0.1}], \"source\": \"a\"}, {\"name\": \"g\"");
  ck_assert(strstr(seed, opps) != NULL);
  char *two = hs_test_replace(seed, "\"domains\": [{\"name\": \"g\"", mid.s);
  fixture_make(&f, two, fixture_profile(0, 1, 0, 0.2), &s);
  fixture_graph(&f, "[1,12,12,64]", "{'name': 'o', 'inputs': ['x'], 'op': 'Conv', 'channels': 64, 'kernel': [3,3], 'pad': 'same'}", "'o'");
  ck_assert_int_eq(f.sys.backends[0].cores[0], 3);
  ck_assert_int_eq(f.sys.backends[0].cores[1], 1);
  ck_assert_near(hs_cost_seconds(&f.sys, f.graph, &f.graph->ops[0], 0, -1), 0.4 * 1327104 / 1e9);
  /* level 0 of the big core is half of its top; mid has one OPP and keeps it */
  ck_assert_int_eq(hs_system_opp(&f.sys, 0, 1, 0), 0);
  ck_assert_int_eq(hs_system_opp(&f.sys, 0, 0, 0), 0);
  fixture_free(&f);
  s.threads = 1;
  fixture_make(&f, two, fixture_profile(0, 1, 0, 0.2), &s);
  fixture_graph(&f, "[1,12,12,64]", "{'name': 'o', 'inputs': ['x'], 'op': 'Conv', 'channels': 64, 'kernel': [3,3], 'pad': 'same'}", "'o'");
  ck_assert_int_eq(f.sys.backends[0].cores[0], 0);
  ck_assert_near(hs_cost_seconds(&f.sys, f.graph, &f.graph->ops[0], 0, -1), 1327104 / 2e9);
  fixture_free(&f);
  hs_text_free(&mid);
  free(two);
  free(seed);
}
END_TEST

static void fill(TCase *t)
{
  tcase_add_test(t, memory_bound);
  tcase_add_test(t, compute_bound_and_frequency);
  tcase_add_test(t, padding_and_reduction);
  tcase_add_test(t, dense_depthwise);
  tcase_add_test(t, parts);
  tcase_add_test(t, power);
  tcase_add_test(t, threads_over_unequal_cores);
}

int main(void) { return hs_test_main("cost", fill); }
