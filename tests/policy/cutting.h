/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the tests of policies that cut operators share: a system of two equal processors, real chips, and plans in words. */
#ifndef HS_TEST_CUTTING_H
#define HS_TEST_CUTTING_H

#include "tests/model/fixture.h"

#include "plan/estimate.h"
#include "program/setup.h"

/* A system with round numbers: CPU and GPU both do 8e9 MAC or elementary operations per second (2 GHz · 8 · 0.5; int8 on the CPU four times that, fp16 on the
 * GPU twice), the memory is never slow. Each step of a crossing takes 10 µs and 0.1 ns per byte, and a map twice that:
 *   images or two precisions: transform, map, sync, launch = 50 µs + 0.4 ns/B; else map, sync = 30 µs + 0.3 ns/B.
 * The model replaces the 10 µs of the sync to the CPU by presync_ms, which is 0.11 here. */
static const double RATE = 8e9;

static inline char *fast_memory(void)
{
  char *text = hs_test_seed("soc/small"), *next;
  for (int i = 0; i < 4; i++) {
    next = hs_test_replace(text, "bytes_per_s\": 1000000000.0", "bytes_per_s\": 1e12");
    free(text);
    text = next;
  }
  next = hs_test_replace(text, "\"peak_bytes_per_s\": 10000000000.0", "\"peak_bytes_per_s\": 5e12");
  free(text);
  for (int i = 0; i < 2; i++) {
    text = next;
    next = hs_test_replace(text, "{\"fp32\": 8}", i ? "{\"fp32\": 8.0, \"fp16\": 16}" : "{\"fp32\": 8.0, \"int8\": 32}");
    free(text);
  }
  return next;
}

static inline char *profile(const char *runtime)
{
  static const char *const kernels[4][2] = {{"cpu", "fp32"}, {"cpu", "int8"}, {"gpu", "fp32"}, {"gpu", "fp16"}};
  struct hs_text t = {0};
  hs_text_addf(&t,
               "{\"format\": \"hetsim-profile/1\", \"soc\": \"any\", \"runtime\": \"%s\", \"sources\": {\"a\": {\"kind\": \"assumed\", "
               "\"ref\": \"r\"}}, \"kernels\": [", runtime);
  for (int k = 0; k < 4; k++) {
    hs_text_addf(&t, "%s{\"kind\": \"%s\", \"precision\": \"%s\", \"overhead_cycles\": 0, \"channel_multiple\": 4, \"reduction_half\": 0, \"serial_frac\": 0, "
                     "\"traffic_factor\": 1, \"source\": \"a\", \"efficiency\": {", k ? ", " : "", kernels[k][0], kernels[k][1]);
    for (int c = 0; c < HS_CLASS_N; c++) hs_text_addf(&t, "%s\"%s\": 0.5", c ? ", " : "", hs_op_class_names[c]);
    hs_text_add(&t, "}}");
  }
  hs_text_add(&t, "]}");
  return t.s;
}

/* x: 40x40x64 (10 240 bytes a row), a: 58 982 400 MAC, b: 102 400 operations, c: 6 553 600, d: 29 491 200, e: 1 280 000 MAC. */
#define FIVE                                                                                                             \
  "{'name': 'a', 'inputs': ['x'], 'op': 'Conv', 'channels': 64, 'kernel': [3,3], 'pad': 'same'}, "                       \
  "{'name': 'b', 'inputs': ['a'], 'op': 'MaxPool', 'kernel': [2,2], 'stride': [2,2]}, "                                  \
  "{'name': 'c', 'inputs': ['b'], 'op': 'Conv', 'channels': 256, 'kernel': [1,1]}, "                                     \
  "{'name': 'd', 'inputs': ['c'], 'op': 'Conv', 'channels': 32, 'kernel': [3,3], 'pad': 'same'}, "                       \
  "{'name': 'e', 'inputs': ['d'], 'op': 'Gemm', 'channels': 100}"

static inline void make(struct fixture *f, const char *runtime, int memory_type, int precision, const char *ops, const char *output)
{
  struct hs_settings s = {.runtime = hs_runtime_find(runtime), .precision = precision, .memory_type = memory_type};
  char *soc = fast_memory();
  fixture_make(f, soc, profile(runtime), &s);
  f->soc->sharing[HS_CPU][HS_GPU][HS_MAP] = f->soc->sharing[HS_GPU][HS_CPU][HS_MAP] = (struct hs_comm_cost){.fixed_s = 2e-5, .s_per_byte = 2e-10};
  fixture_graph(f, "[1,40,40,64]", ops, output);
  free(soc);
}

static inline struct hs_placement *plan(struct fixture *f, const char *policy, const char *const *params, int n, struct hs_arena *a, struct hs_error *err)
{
  const struct hs_policy *p = hs_policy_find(policy);
  const char *values[HS_PARAMS_MAX];
  struct hs_plan made = {.arena = a, .graph = f->graph};
  hs_test_accepted(hs_policy_values(p, params, n, values, err), err);
  const struct hs_view view = {&f->sys, f->graph, values};
  return hs_policy_plan(p, &view, &made, err) == HS_OK ? made.alternatives[0] : NULL;
}

/* "a h0.5 + b gpu | c c0.3": each operator's cut with the GPU's share, + inside a chain, | between chains */
static inline char *text_of(const struct hs_system *sys, const struct hs_graph *g, const struct hs_placement *pl)
{
  struct hs_text t = {0};
  for (int i = 0; i < g->n_ops; i++) {
    const struct hs_op_placement *op = &pl->ops[i];
    if (i) hs_text_add(&t, op->chain >= 0 && op->chain == op[-1].chain ? " + " : " | ");
    hs_text_addf(&t, "%s ", g->ops[i].name);
    if (op->n_parts == 1)
      hs_text_add(&t, sys->soc->processors[op->parts[0].processor].name);
    else
      hs_text_addf(&t, "%c%g", hs_split_names[op->split][0], op->parts[0].fraction);
  }
  return t.s;
}

static inline void decides(struct fixture *f, const char *policy, const char *const *params, int n, const char *expected)
{
  struct hs_arena a = {0};
  struct hs_error err = {0};
  struct hs_placement *pl = plan(f, policy, params, n, &a, &err);
  ck_assert_msg(pl != NULL, "%s", hs_test_message(&err));
  char *is = text_of(&f->sys, pl->rewritten ? pl->rewritten : f->graph, pl);
  ck_assert_str_eq(is, expected);
  free(is);
  hs_placement_release(pl);
  hs_arena_free(&a);
}

static inline void set_up(struct hs_setup *s, const char *soc, const char *policy, const char *model, const char *memory_type, const char *const *params, int n)
{
  const struct hs_run_options options = {.soc = soc, .policy = policy, .model = model, .memory_type = memory_type, .params = params, .n_params = n};
  struct hs_error err;
  *s = (struct hs_setup){0};
  hs_test_accepted(hs_setup_make(s, &options, &err), &err);
}

static inline double latency(const struct hs_setup *s)
{
  struct hs_estimate e;
  hs_estimate_program(&s->sys, s->program, &e, NULL, NULL);
  return e.latency_s;
}

#endif
