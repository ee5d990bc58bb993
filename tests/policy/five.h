/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A phone on which one can work out by hand what a policy decides about five layers.
 *
 * All numbers are powers of two, so that sums are exact and ties are ties. Unit of time u = 2^-20 s. Each processor has one
 * core; V is halved where f is, so that dynamic power falls to 1/8 (MOSAIC, Eq. 5, then holds exactly):
 *
 *   of 2^20 MACs   level 0 (2^29 Hz)            level 1 (2^30 Hz)
 *   cpu            128 u, 0.46875 W:  60 uJ      64 u, 2 W:    128 uJ     (uJ = u · 1 W)
 *   cpu-little     512 u, 0.05859 W:  30 uJ     256 u, 0.25 W:  64 uJ
 *   gpu             32 u, 0.46875 W:  15 uJ      16 u, 2 W:     32 uJ
 *   npu                                           8 u, 1 W:      8 uJ     (one level: 0)
 *
 * A slice on GPU or NPU pays MAP (32 u of the host at 2 W: 64 uJ) on the way in and SYNC (32 u, no energy) on the way out.
 * Tensors have 8·8·128 = 8192 elements; a convolution k×k has k² · 2^20 MACs and takes k²·16384 + 128 times 2 B (the NPU's) and
 * 8192 times 4 B (the runtime's) of a slice's memory: 66 kB (1×1), 164 kB (2×2), 328 kB (3×3). The NPU takes slices of 340 kB.
 *
 *   layer        a 1×1   b 3×3   c 1×1, CPUs only   d 2×2   e 2×2
 *   2^20 MACs    1       9       1                  4       4
 *
 * On the NPU a and b don't fit into one slice; d and e do. */
#ifndef HS_TEST_FIVE_H
#define HS_TEST_FIVE_H

#include "tests/model/rig.h"

#include "policies/policy.h"

enum { FIVE_CPU, FIVE_LITTLE, FIVE_GPU, FIVE_NPU };
static const double u = 0x1p-20;

#define LOW "536870912"
#define HIGH "1073741824"
#define ONE_CORE(name, rate, opps) RIG_DOMAIN(name, "1", "1e13", rate, opps)
#define STEPS(map, sync)                                                                                                 \
  RIG_STEP("transform", "0", "0") "," RIG_STEP("map", map, "0") "," RIG_STEP("sync", sync, "0") "," RIG_STEP("rpc", "0", "0") ","   \
  RIG_STEP("launch", "0", "0")
#define CROSSING "3.0517578125e-05" /* 32 u */
#define GPU_OPPS RIG_OPP(LOW, "0.5", "0.21875", "0.25") "," RIG_OPP(HIGH, "1", "1.75", "0.25")

static const char soc[] =
  RIG_HEAD("x", "8e9", "1e13")
  RIG_PROCESSOR("cpu", "cpu", "processor-shared", "1e13", "", ONE_CORE("big", "'fp32': 16", RIG_OPP(LOW, "0.5", "0.21875", "0.25") ","
                RIG_OPP(HIGH, "1", "1.75", "0.25"))) ","
  RIG_PROCESSOR("cpu-little", "cpu", "processor-shared", "1e13", "", ONE_CORE("little", "'fp32': 4", RIG_OPP(LOW, "0.5", "0.02734375", "0.03125") ","
                RIG_OPP(HIGH, "1", "0.21875", "0.03125"))) ","
  RIG_PROCESSOR("gpu", "gpu", "queued", "1e13", "'memory_types': ['buffer'], ", ONE_CORE("gpu", "'fp16': 64", GPU_OPPS)) ","
  RIG_PROCESSOR("npu", "npu", "queued", "1e13", "'slice_limit_bytes': 340e3, ", ONE_CORE("npu", "'fp16': 128", RIG_OPP(HIGH, "1", "0.75", "0.25")))
  "], 'sharing_costs': ["
  RIG_SHARE("cpu", "gpu", STEPS(CROSSING, "0")) "," RIG_SHARE("gpu", "cpu", STEPS("0", CROSSING)) ","
  RIG_SHARE("cpu", "npu", STEPS(CROSSING, "0")) "," RIG_SHARE("npu", "cpu", STEPS("0", CROSSING))
  RIG_TAIL_OF("'cpu', 'cpu-little', 'gpu', 'npu'");

#define KERNEL(kind, precision)                                                                                          \
  "{'kind': '" kind "', 'precision': '" precision "', 'overhead_cycles': 0, 'channel_multiple': 1, 'reduction_half': 0, 'serial_frac': 0, " \
  "'traffic_factor': 1, 'efficiency': {'conv_1x1': 1, 'conv_3x3': 1, 'conv_3x3_strided': 1, 'conv_other': 1, 'depthwise': 1, " \
  "'grouped': 1, 'transposed': 1, 'matmul': 1, 'pool': 1, 'elementwise': 1, 'reduce': 1, 'move': 1}, 'source': 'a'}"
static const char profile[] = RIG_PROFILE("any", "tflite", KERNEL("cpu", "fp32") "," KERNEL("gpu", "fp16") "," KERNEL("npu", "fp16"));

#define CPUS_ONLY ", 'support': {'gpu': false, 'npu': false}"
#define LAYER(name, input, k, more) RIG_OP(name, "Conv", "'" input "'", ", 'channels': 128, 'kernel': [" k ", " k "], 'pad': 'same'" more)
#define NET(side, a, b, c, d, e) RIG_NET(RIG_IN("i", "1, " side ", " side ", 128"), "'e'", a "," b "," c "," d "," e)
#define A LAYER("a", "i", "1", "")
#define B LAYER("b", "a", "3", "")
#define C LAYER("c", "b", "1", CPUS_ONLY)
#define D LAYER("d", "c", "2", "")
#define E LAYER("e", "d", "2", "")
#define FIVE NET("8", A, B, C, D, E)

static inline void open_with(struct rig *r, const char *text, const char *net)
{
  struct hs_settings settings = rig_settings("tflite");
  struct hs_error err;
  settings.precision = HS_FP32;
  hs_test_accepted(rig_try(r, text, NULL, profile, &settings, &err), &err);
  rig_read_network(r, net);
}

static inline struct hs_placement *plan(struct rig *r, const char *policy, const char *const *given, int n)
{
  const struct hs_policy *p = hs_policy_find(policy);
  const char *values[HS_PARAMS_MAX];
  struct hs_error err;
  hs_test_accepted(hs_policy_values(p, given, n, values, &err), &err);
  const struct hs_view view = {&r->sys, r->graph, values};
  struct hs_plan all = {.arena = &r->arena, .graph = r->graph};
  hs_test_accepted(hs_policy_plan(p, &view, &all, &err), &err);
  ck_assert_int_eq(all.n, 1);
  return all.alternatives[0];
}

/* "cpu | npu npu@0 | cpu!": slices, levels that aren't the system's, operators on a fallback */
static inline void check_plan(const struct rig *r, const struct hs_placement *pl, const char *expected)
{
  struct hs_text x = {0};
  for (int i = 0; i < pl->n_ops; i++) {
    const struct hs_op_placement *op = &pl->ops[i];
    ck_assert_int_eq(op->n_parts, 1);
    hs_text_addf(&x, "%s%s", i == 0 ? "" : pl->ops[i - 1].chain == op->chain ? " " : " | ", r->soc->processors[op->parts[0].processor].name);
    if (op->parts[0].opp >= 0) hs_text_addf(&x, "@%d", op->parts[0].opp);
    if (op->fallback) hs_text_add(&x, "!");
  }
  ck_assert_str_eq(x.s, expected);
  hs_text_free(&x);
}

static inline struct hs_estimate lowered(const struct rig *r, const struct hs_placement *pl)
{
  struct hs_program *prog = rig_lower(r, pl);
  struct hs_estimate e;
  hs_estimate_program(&r->sys, prog, &e, NULL, NULL);
  hs_program_free(prog);
  return e;
}

#endif
