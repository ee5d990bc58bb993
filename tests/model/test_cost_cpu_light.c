/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What operators that multiply nothing take on a CPU, by hand: cycles of their own, bytes that are moved, pads, means, detections; what the thread that calls does
 * by itself, and what it costs to wake the others. */
#include "tests/model/costs.h"

#include "model/spread.h"

/* What has cycles of its own has them per element of its output, and neither work nor bytes: 12·12·12 of a Pad, 10·10·12 of a sum. */
START_TEST(cycles_of_an_operator)
{
  static const struct {
    const char *op;
    double elements;
  } cases[] = {{"'op': 'Pad', 'pads': [[0,0],[1,1],[1,1],[0,0]], 'inputs': ['x']", 1728}, {"'op': 'Add', 'inputs': ['x','x']", 1200}};
  struct fixture f;
  struct hs_kernel k;
  struct hs_work w, without;
  struct hs_settings s = on_mace();
  char ops[200];
  fixture_make(&f, NULL, fixture_profile(0, 1, 0, 0), &s);
  snprintf(ops, sizeof ops, "{'name': 'o', %s}", cases[_i].op);
  fixture_graph(&f, "[1,10,10,12]", ops, "'o'");
  own_kernel(&f, 0, &k)->light_move_cycles_per_byte = 2;
  without = cost(&f, 0, 0, whole);
  k.operator_cycles[_i ? HS_OP_MUL : HS_OP_SLICE] = 5;
  w = cost(&f, 0, 0, whole);
  ck_assert_near(w.cycles[0], without.cycles[0]);
  k.operator_cycles[_i ? HS_OP_ADD : HS_OP_PAD] = 3;
  w = cost(&f, 0, 0, whole);
  ck_assert_near(w.cycles[0], 3 * cases[_i].elements);
  ck_assert_near(w.bytes, without.bytes);
  fixture_free(&f);
}
END_TEST

/* Of 144 pixels of 40 channels at 3 cycles: a normalisation computes 64 each, nothing else is padded to that, and an ArgMax compares all of them
 * for its 144 results. */
START_TEST(what_own_cycles_count)
{
  static const struct {
    const char *op;
    double elements;
  } cases[] = {{"'op': 'BatchNormalization'", 144 * 64}, {"'op': 'Sigmoid'", 144 * 40}, {"'op': 'ArgMax'", 144 * 40}};
  struct fixture f;
  struct hs_kernel k;
  make(&f, "[1,12,12,40]", cases[_i].op, 0, 1, 0);
  own_kernel(&f, 0, &k)->operator_cycles[f.graph->ops[0].type] = 3;
  k.norm_block = 32;
  ck_assert_near(cost(&f, 0, 0, whole).cycles[0], 3 * cases[_i].elements);
  fixture_free(&f);
}
END_TEST

/* In a runtime whose windows pad by themselves a Pad that one pooling alone reads takes nothing; one that is a result, too, does. */
START_TEST(windows_that_pad)
{
  struct fixture f;
  struct hs_settings s = on_mace();
  fixture_make(&f, NULL, fixture_profile(100, 1, 0, 0), &s);
  fixture_graph(&f, "[1,10,10,6]",
                "{'name': 'p', 'inputs': ['x'], 'op': 'Pad', 'pads': [[0,0],[1,1],[1,1],[0,0]]}, "
                "{'name': 'm', 'inputs': ['p'], 'op': 'MaxPool', 'kernel': [3,3], 'pad': 'valid'}", _i ? "'m', 'p'" : "'m'");
  double written = cost(&f, 0, 0, whole).bytes;
  f.sys.runtime = hs_runtime_find("pytorch"); /* one of them */
  struct hs_work w = cost(&f, 0, 0, whole);
  ck_assert_near(w.bytes, _i ? written : 0);
  ck_assert_near(w.cycles[0], _i ? 100 : 0);
  fixture_free(&f);
}
END_TEST

/* Nothing else is joined there: neither a Reshape to the same image, nor what follows it element by element. */
START_TEST(windows_only_pad)
{
  struct fixture f;
  struct hs_settings s = on_mace();
  fixture_make(&f, NULL, fixture_profile(100, 1, 0, 0), &s);
  fixture_graph(&f, "[1,10,10,6]", "{'name': 'r', 'inputs': ['x'], 'op': 'Reshape', 'shape': [1,10,10,6]}, {'name': 'e', 'inputs': ['r'], 'op': 'Exp'}", "'e'");
  f.sys.runtime = hs_runtime_find("pytorch");
  for (int op = 0; op < 2; op++) ck_assert_near(cost(&f, op, 0, whole).bytes, 2 * 600 * 4.0);
  fixture_free(&f);
}
END_TEST

/* A mean over 10 × 10 × 12 = 1 200 elements takes 20 cycles each where its result is a row of features; read by a convolution it keeps its dimensions. */
START_TEST(flat_mean)
{
  static const struct {
    const char *next, *outputs;
    bool flat;
  } cases[] = {{"", "'o'", true},
               {", {'name': 'r', 'op': 'Reshape', 'inputs': ['o'], 'shape': [1, 12]}", "'r'", true},
               {", {'name': 'r', 'op': 'Gemm', 'inputs': ['o'], 'channels': 5}", "'r'", true},
               {", {'name': 'r', 'op': 'Conv', 'inputs': ['o'], 'channels': 5, 'kernel': [1, 1]}", "'r'", false},
               {", {'name': 'p', 'op': 'Relu', 'inputs': ['x']}, {'name': 'r', 'op': 'Gemm', 'inputs': ['o'], 'channels': 5}", "'p', 'r'", true},
               {", {'name': 'r', 'op': 'Reshape', 'inputs': ['o'], 'shape': [1, 12]}, {'name': 'p', 'op': 'Relu', 'inputs': ['o']}", "'p', 'r'", false}};
  enum { N = sizeof cases / sizeof *cases };
  struct fixture f;
  struct hs_kernel k;
  struct hs_work w, without;
  struct hs_settings s = on_mace();
  char ops[300];
  fixture_make(&f, NULL, fixture_profile(0, 1, 0, 0), &s);
  snprintf(ops, sizeof ops, "{'name': 'o', 'op': '%s', 'inputs': ['x']%s}%s", _i / N ? "ReduceMean" : "GlobalAveragePool",
           _i / N ? ", 'axes': [1, 2]" : "", cases[_i % N].next);
  fixture_graph(&f, "[1,10,10,12]", ops, cases[_i % N].outputs);
  own_kernel(&f, 0, &k);
  without = cost(&f, 0, 0, whole);
  k.flat_mean_cycles = 20;
  w = cost(&f, 0, 0, whole);
  ck_assert_near(w.cycles[0], cases[_i % N].flat ? 24000 : without.cycles[0]);
  fixture_free(&f);
}
END_TEST

/* A sum of two reads both and writes one: 3 · 1 200 elements of 4 bytes at 2 cycles, of a tensor with itself 2 · 1 200; a concatenation copies 2 400, at 2 cycles a byte. No
 * work but what the sum takes: 1 200 at the efficiency of its class. */
START_TEST(light_moves)
{
  static const struct {
    const char *op;
    double work, moved;
  } cases[] = {{"'op': 'Add', 'inputs': ['x','r']", 1200, 3600}, {"'op': 'Add', 'inputs': ['x','x']", 1200, 2400},
               {"'op': 'Concat', 'inputs': ['x','x']", 0, 2400},
               {"'op': 'Gather', 'inputs': ['x'], 'rows': 9, 'channels': 3", 0, 3600}};
  struct fixture f;
  struct hs_kernel k;
  struct hs_work w;
  struct hs_settings s = on_mace();
  char ops[200];
  fixture_make(&f, NULL, fixture_profile(0, 1, 0, 0), &s);
  snprintf(ops, sizeof ops, "{'name': 'r', 'op': 'Relu', 'inputs': ['x']}, {'name': 'o', %s}", cases[_i].op);
  fixture_graph(&f, "[1,10,10,12]", ops, "'r', 'o'");
  own_kernel(&f, 0, &k)->move_cycles_per_byte = 7;
  k.light_move_cycles_per_byte = 2;
  hs_cost_exec(&f.sys, f.graph, &f.graph->ops[1], 0, whole, &w);
  ck_assert_near(w.cycles[0], cases[_i].work / 8 / k.efficiency[HS_CLASS_ELEMENTWISE] + cases[_i].moved * 4 * 2);
  fixture_free(&f);
}
END_TEST

/* 64 boxes of two images with eleven classes, five kept: 54 + 2 · 11 + 4 · log2 64 + 16 · 5 = 180 operations each, at what
 * the kernel says for one, on the thread that calls, whatever other light operators share and however many bytes the lists have. */
START_TEST(detections)
{
  struct fixture f;
  struct hs_kernel k;
  struct hs_work w;
  struct hs_settings s = on_mace();
  fixture_make(&f, NULL, fixture_profile(0, 1, 0, 0), &s);
  fixture_graph(&f, "[2,64,11]", "{'name': 'o', 'op': 'DetectionPostProcess', 'inputs': ['x', 'x'], 'detections': 5}", "'o'");
  ck_assert_double_eq(f.graph->ops[0].work, 2 * 64 * 180);
  ck_assert_int_eq(f.graph->ops[0].params, 4 * 64);
  own_kernel(&f, 0, &k)->serial_light_frac = 0.25;
  k.light_move_cycles_per_byte = 3;
  f.sys.backends[0].threads = 3;
  for (double cycles = 0.75; cycles <= 2; cycles += 1.25) {
    k.operator_cycles[HS_OP_DETECTION_POST_PROCESS] = cycles;
    hs_cost_exec(&f.sys, f.graph, &f.graph->ops[0], 0, whole, &w);
    ck_assert_near(w.cycles[0], cycles * 2 * 64 * 180);
    ck_assert_int_eq(w.cores[0], 1);
  }
  fixture_free(&f);
}
END_TEST

/* Three threads of MaxPool 1×1, 25 cycles for each doubling: 25 · log2 3 more. One thread, what is only copied where that has no threads, an ArgMax
 * there, and what is serial altogether: none. */
START_TEST(threads_are_woken)
{
  static const struct {
    const char *op;
    int threads;
    double serial, more;
  } cases[] = {{"'op': 'MaxPool', 'kernel': [1,1]", 3, 0.5, 39.624062518028902}, {"'op': 'Conv', 'channels': 9, 'kernel': [1,1]", 4, 0, 50},
               {"'op': 'MaxPool', 'kernel': [1,1]", 1, 0.5, 0},
               {"'op': 'Transpose', 'perm': [0,1,3,2]", 3, 0.5, 0}, {"'op': 'ResizeNearest', 'size': [20,20]", 3, 0.5, 39.624062518028902},
               {"'op': 'MaxPool', 'kernel': [1,1]", 3, 1, 0}, {"'op': 'ArgMax'", 3, 0.5, 0}, {"'op': 'ReduceMax', 'axes': [3]", 3, 0.5, 39.624062518028902}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct fixture f;
    struct hs_kernel k;
    make(&f, "[1,10,10,6]", cases[i].op, 100, 1, 0);
    struct hs_runtime runtime = *f.sys.runtime;
    runtime.backends[HS_CPU].copies_alone = true;
    f.sys.runtime = &runtime;
    f.sys.backends[0].threads = cases[i].threads;
    own_kernel(&f, 0, &k);
    k.serial_frac = k.serial_light_frac = cases[i].serial;
    k.light_move_cycles_per_byte = 0.5;
    double before = cost(&f, 0, 0, whole).cycles[0];
    k.fork_cycles = 25;
    ck_assert_near(cost(&f, 0, 0, whole).cycles[0], before + cases[i].more);
    fixture_free(&f);
  }
}
END_TEST

/* The upper five of ten rows of a Slice of half the channels, with two more of border: 7 · 10 · 3 elements of 4 bytes, half a cycle for each. */
START_TEST(copies_a_border)
{
  struct fixture f;
  struct hs_kernel k;
  struct hs_work w;
  make(&f, "[1,10,10,6]", "'op': 'Slice', 'begin': [0,0,0,0], 'size': [1,10,10,3]", 0, 1, 0);
  struct hs_runtime runtime = *f.sys.runtime;
  runtime.backends[HS_CPU].copies_alone = true;
  f.sys.runtime = &runtime;
  own_kernel(&f, 0, &k)->light_move_cycles_per_byte = 0.5;
  hs_cost_exec_bordered(&f.sys, f.graph, &f.graph->ops[0], 0, (struct hs_range){HS_SPLIT_HEIGHT, 0, 5}, (struct hs_border){2, 0}, false, &w);
  ck_assert_near(w.cycles[0], 420.0);
  fixture_free(&f);
}
END_TEST

/* Half a cycle for a byte of 600 elements that are shuffled: 2 · 2400 · 0.5 / 4 on each of four cores, or, where the thread that calls copies them by
 * itself, 2400 · 0.5 on its own. An enlarged image is made by all four all the same, 600 · 4 bytes read and four times as many written. */
START_TEST(copied_by_the_caller)
{
  static const struct {
    const char *op;
    double shared, alone;
  } cases[] = {{"'op': 'Transpose', 'perm': [0,1,3,2]", 600, 1200}, {"'op': 'ResizeNearest', 'size': [20,20]", 1500, 1500}};
  for (int i = 0; i < 2; i++) {
    struct fixture f;
    struct hs_kernel k;
    make(&f, "[1,10,10,6]", cases[i].op, 0, 1, 0);
    struct hs_runtime runtime = *f.sys.runtime;
    f.sys.runtime = &runtime;
    f.sys.backends[0].threads = f.sys.backends[0].cores[0] = 4;
    own_kernel(&f, 0, &k)->light_move_cycles_per_byte = 0.5;
    k.serial_frac = k.serial_light_frac = 0;
    ck_assert_near(cost(&f, 0, 0, whole).cycles[0], cases[i].shared);
    runtime.backends[HS_CPU].copies_alone = true;
    ck_assert_near(cost(&f, 0, 0, whole).cycles[0], cases[i].alone);
    fixture_free(&f);
  }
}
END_TEST

/* One core at 4 GHz and three at 2: 1000 cycles of the thread that calls are 0.25 µs to all, 500 cycles of a slow core; each has the 10 of
 * its own fork and a quarter of 800. What is nearly all serial takes as long as what is (1), on all cores and on one. */
START_TEST(overhead_of_the_caller)
{
  struct hs_processor p = {.kind = HS_CPU, .n_domains = 2};
  p.domains[0] = (struct hs_domain){.cores = 3, .n_opps = 1, .opps = {{.freq_hz = 2e9}}, .macs_per_cycle = {8, 8, 8}};
  p.domains[1] = (struct hs_domain){.cores = 1, .n_opps = 1, .opps = {{.freq_hz = 4e9}}, .macs_per_cycle = {8, 8, 8}};
  const struct hs_backend b = {.threads = 4, .cores = {3, 1}};
  struct hs_parts parts = {.overhead = 1000, .fork = 10, .serial = {0, 100}, .shared = {0, 800}, .threads = 4};
  struct hs_work w = {0}, alone = {0};
  hs_spread(&p, &b, &parts, &w);
  ck_assert_near(w.cycles[0], 1100 / 2.0 + 10 + 200);
  ck_assert_near(w.cycles[1], 1100 + 10 + 200);
  hs_spread_start(&p, &b, 400, &w);
  ck_assert_near(w.cycles[0], 1100 / 2.0 + 10 + 200 + 200);
  ck_assert_near(w.cycles[1], 1100 + 10 + 200 + 400);
  parts = (struct hs_parts){.overhead = 1000, .serial = {0, 1e4}, .shared = {0, 1e-12}, .threads = 4};
  hs_spread(&p, &b, &parts, &w);
  parts.shared.cycles = 0;
  hs_spread(&p, &b, &parts, &alone);
  ck_assert_int_eq(w.cores[0], 3);
  ck_assert_int_eq(alone.cores[0], 0);
  const double hz[] = {2e9, 4e9};
  ck_assert_near(1e6 * hs_work_cores_s(&p, &w, hz), 1e6 * hs_work_cores_s(&p, &alone, hz));
  parts.serial.cycles = 0; /* nor takes an overhead of its own more than one core */
  hs_spread(&p, &b, &parts, &alone);
  ck_assert_int_eq(alone.cores[0], 0);
  ck_assert_int_eq(alone.cores[1], 1);
  ck_assert_near(alone.cycles[1], 1000);
}
END_TEST

static void fill(TCase *t)
{
  tcase_add_test(t, overhead_of_the_caller);
  tcase_add_test(t, threads_are_woken);
  tcase_add_test(t, copied_by_the_caller);
  tcase_add_test(t, copies_a_border);
  tcase_add_loop_test(t, what_own_cycles_count, 0, 3);
  tcase_add_loop_test(t, windows_that_pad, 0, 2);
  tcase_add_test(t, windows_only_pad);
  tcase_add_loop_test(t, flat_mean, 0, 12);
  tcase_add_loop_test(t, cycles_of_an_operator, 0, 2);
  tcase_add_loop_test(t, light_moves, 0, 4);
  tcase_add_test(t, detections);
}

int main(void) { return hs_test_main("cost_cpu_light", fill); }
