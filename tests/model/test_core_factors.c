/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Cores of different types in one processor: what a kernel's core_factors make of an operator's cycles. On the phone of rig.h, whose mids (1.6 GHz, 8 MAC a
 * cycle) are Cortex-A75, with twice the cycles for products, three times those for vectors and 1.5 times all others; the big core (2.5 GHz, 16) has the
 * kernel's numbers: efficiency 0.5, 1000 cycles per operator, 300 per fork, 2000 per start. */
#include "tests/model/rig.h"

#include "model/spread.h"

#define FACTORS "'core_factors': {'Cortex-A75': {'products': 2, 'vectors': 3, 'others': 1.5}}, "
#define KERNEL(key, serial, more)                                                                                                                  \
  "{" key ", 'precision': 'fp32', 'overhead_cycles': 1000, 'channel_multiple': 1, 'reduction_half': 0, 'serial_frac': " serial ", " more          \
  "'fork_cycles': 300, 'start_cycles': 2000, 'operator_cycles': {'Pad': 4}, 'source': 'a', 'efficiency': {'conv_1x1': 0.5, 'conv_3x3': 0.5, "     \
  "'conv_3x3_strided': 0.5, 'conv_other': 0.5, 'depthwise': 0.5, 'grouped': 0.5, 'transposed': 0.5, 'matmul': 0.5, 'pool': 0.5, "                 \
  "'elementwise': 0.5, 'reduce': 0.5, 'move': 0.5}}"
#define OWN(serial, more) RIG_PROFILE("x", "mace", KERNEL("'processor': 'cpu'", serial, more))
#define ESTIMATE(more) \
  RIG_PROFILE("any", "mace", KERNEL("'kind': 'cpu'", "0", more) "," RIG_KERNEL("'kind': 'gpu'", "fp32", "", "1", "4", "6", "0", "1"))
/* 1×10×10×8 → 8 channels, 6400 MAC or 12 800 at the peak. */
#define CONV "'op': 'Conv', 'channels': 8, 'kernel': [1,1]"

static char *two_types(void)
{
  char *mid = hs_test_replace(RIG_PHONE("2e9"), "'name': 'mid', ", "'name': 'mid', 'core_type': 'Kryo Gold (Cortex-A75)', ");
  char *both = hs_test_replace(mid, "'name': 'big', ", "'name': 'big', 'core_type': 'Exynos M4', ");
  free(mid);
  return both;
}

static enum hs_status try_profiles(struct rig *r, const char *own, const char *any, const char *cores, struct hs_error *err)
{
  struct hs_settings s = rig_settings("mace");
  char *soc = two_types();
  s.cores = cores;
  enum hs_status status = rig_try(r, soc, own, any, &s, err);
  free(soc);
  return status;
}

static struct hs_work cost_of(struct rig *r, const char *own, const char *cores, bool steals, const char *op)
{
  struct hs_error err;
  struct hs_work w;
  char net[500];
  hs_test_accepted(try_profiles(r, own, RIG_MACE, cores, &err), &err);
  struct hs_runtime runtime = *r->sys.runtime;
  runtime.steals = steals;
  r->sys.runtime = &runtime;
  snprintf(net, sizeof net, "{'format': 'hetsim-workload/1', 'name': 'n', 'title': 't', 'source': 's', 'inputs': [{'name': 'x', 'shape': [1,10,10,8]}], "
                            "'outputs': ['o'], 'ops': [{'name': 'o', 'inputs': ['x'], %s}]}", op);
  rig_read_network(r, net);
  hs_cost_exec(&r->sys, r->graph, &r->graph->ops[0], CPU, hs_range_whole, &w);
  return w;
}

/* Each of two threads has half: the mid's takes 12 800 / 8 · 2 / 2 cycles and a fork of 450, the big one's 400 and 300. Both wait for 1000 cycles of
 * the big core, which are 640 of the mid's. The slowest decides. Without factors the mid has 800 and 300. */
START_TEST(equal_parts)
{
  for (int named = 0; named < 2; named++) {
    struct rig r;
    struct hs_work w = cost_of(&r, named ? OWN("0", FACTORS) : OWN("0", ""), "mid:1+big:1", false, CONV);
    DERIVE("the mid's cycles", w.cycles[0], named ? 1600 + 450 + 640.0 : 800 + 300 + 640.0);
    DERIVE("the big core's", w.cycles[1], 400 + 300 + 1000.0);
    DERIVE("the caller's, on the big core", w.caller, 1000.0);
    DERIVE("time", hs_work_seconds(&r.sys, CPU, -1, &w), fmax(named ? 2690 / 1.6e9 : 1740 / 1.6e9, w.bytes / 8.5e9));
    rig_close(&r);
  }
}
END_TEST

/* Alone the mid would take 3200 cycles or 2 µs, the big core 800 or 0.32: together 1 / (1 / 2 + 1 / 0.32) µs, which end at once. */
START_TEST(stealing)
{
  struct rig r;
  struct hs_work w = cost_of(&r, OWN("0", FACTORS), "mid:1+big:1", true, CONV);
  const double together_s = 1e-6 / (1 / 2.0 + 1 / 0.32);
  DERIVE("all of it on a mid", w.stolen[0], 3200.0);
  DERIVE("and on the big core", w.stolen[1], 800.0);
  DERIVE("the mid's cycles", w.cycles[0], together_s * 1.6e9 + 450 + 640);
  DERIVE("the big core's", w.cycles[1], together_s * 2.5e9 + 300 + 1000);
  rig_close(&r);
}
END_TEST

/* A quarter is serial: on the big core 3200 / 16 cycles, where two mids are alone 3200 / 8 · 2, beside an overhead of 1000 · 1.5. */
START_TEST(serial_part)
{
  struct rig r;
  struct hs_work w = cost_of(&r, OWN("0.25", FACTORS), "mid:1+big:1", false, CONV);
  DERIVE("caller on the big core", w.caller, 1000 + 200.0);
  DERIVE("the mid's cycles", w.cycles[0], 9600 / 8 * 2 / 2 + 450 + 1200 / 2.5 * 1.6);
  rig_close(&r);
  w = cost_of(&r, OWN("0.25", FACTORS), "mid:2", false, CONV);
  DERIVE("caller on a mid", w.caller, 1500 + 800.0);
  DERIVE("cycles of each", w.cycles[0], 1200 + 450 + 2300.0);
  ck_assert_int_eq(w.cores[1], 0);
  rig_close(&r);
}
END_TEST

/* One mid: a depthwise convolution of 7200 MAC and 800 sums of light work are vectors, products of features are matrices' (640 MAC), and what has cycles of
 * its own, as a start, has others: 144 pixels of 8 channels are padded at 4 cycles each. */
START_TEST(kinds_of_work)
{
  static const struct {
    const char *op;
    double cycles;
  } cases[] = {{"'op': 'DepthwiseConv', 'kernel': [3,3], 'pad': 'same'", 7200 / 0.5 / 8 * 3},
               {"'op': 'Relu'", 800 / 0.5 / 8 * 3},
               {"'op': 'Conv', 'channels': 8, 'kernel': [1,1], 'group': 2", 3200 / 0.5 / 8 * 3},
               {CONV, 6400 / 0.5 / 8 * 2},
               {"'op': 'ConvTranspose', 'channels': 8, 'kernel': [1,1]", 6400 / 0.5 / 8 * 2},
               {"'op': 'Pad', 'pads': [[0,0],[1,1],[1,1],[0,0]]", 144 * 8 * 4 * 1.5}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct rig r;
    struct hs_work w = cost_of(&r, OWN("0", FACTORS), "mid:1", false, cases[i].op);
    DERIVE(cases[i].op, w.cycles[0], 1500 + cases[i].cycles);
    DERIVE("a start", hs_cost_start_seconds(&r.sys, CPU, -1), 2000 * 1.5 / 1.6e9);
    rig_close(&r);
    w = cost_of(&r, OWN("0", FACTORS), "big:1", false, cases[i].op);
    rig_close(&r);
    ck_assert_double_eq(w.cycles[1], cost_of(&r, OWN("0", ""), "big:1", false, cases[i].op).cycles[1]);
    rig_close(&r);
  }
}
END_TEST

/* What isn't said is 1, to the last bit. The first type that a core's words name counts, in the SoC's profile and in the estimate for any. */
START_TEST(which_cores)
{
  static const struct {
    const char *more;
    double products, others;
  } cases[] = {{"", 1, 1},
               {"'core_factors': {'kryo gold': {'products': 0.5}}, ", 0.5, 1},
               {"'core_factors': {'Exynos': {'others': 4}, 'A75': {'others': 3}}, ", 1, 3},
               {"'core_factors': {'Cortex-A75': {'vectors': 7}}, ", 1, 1}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    for (int any = 0; any < 2; any++) {
      struct rig r;
      struct hs_error err;
      char own[1600], estimate[2400];
      snprintf(own, sizeof own, RIG_PROFILE("x", "mace", KERNEL("'processor': 'cpu'", "0", "%s")), cases[i].more);
      snprintf(estimate, sizeof estimate, ESTIMATE("%s"), cases[i].more);
      hs_test_accepted(try_profiles(&r, any ? NULL : own, any ? estimate : RIG_MACE, NULL, &err), &err);
      const struct hs_backend *b = &r.sys.backends[CPU];
      ck_assert_double_eq(hs_backend_core_factor(b, 0, HS_WORK_PRODUCTS), cases[i].products);
      ck_assert_double_eq(hs_backend_core_factor(b, 0, HS_WORK_OTHERS), cases[i].others);
      ck_assert_double_eq(hs_backend_core_factor(b, 1, HS_WORK_PRODUCTS), 1);
      ck_assert_double_eq(hs_backend_core_factor(b, 1, HS_WORK_OTHERS), i == 2 ? 4 : 1);
      rig_close(&r);
    }
}
END_TEST

/* A SoC's own profile doesn't name cores that the processor hasn't; the estimate has those of other SoCs. */
START_TEST(unknown_cores)
{
  struct rig r;
  struct hs_error err;
  rig_refused(try_profiles(&r, OWN("0", "'core_factors': {'Cortex-A7': {'others': 2}}, "), RIG_MACE, NULL, &err), &err, HS_INPUT,
              "own.json: $.kernels[0].core_factors: no core of cpu is a \"Cortex-A7\"");
  rig_close(&r);
  hs_test_accepted(try_profiles(&r, NULL, ESTIMATE("'core_factors': {'Cortex-A7': {'others': 2}}, "), NULL, &err), &err);
  ck_assert_int_eq(r.sys.backends[CPU].core_factors[0], 0);
  rig_close(&r);
}
END_TEST

static void fill(TCase *t)
{
  tcase_add_test(t, equal_parts);
  tcase_add_test(t, stealing);
  tcase_add_test(t, serial_part);
  tcase_add_test(t, kinds_of_work);
  tcase_add_test(t, which_cores);
  tcase_add_test(t, unknown_cores);
}

int main(void) { return hs_test_main("core_factors", fill); }
