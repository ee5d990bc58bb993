/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What every policy of MOSAIC's family decides about the five layers of five.h, worked out by hand; lowered, it costs what MOSAIC counts. */
#include "tests/policy/five.h"

#include "policies/layers.h"

/* --- the cost tables are what the heading says --- */

START_TEST(tables)
{
  static const double time_u[] = {128, 64, 512, 256, 32, 16, 8}, energy_u[] = {60, 128, 30, 64, 15, 32, 8};
  static const int macs[] = {1, 9, 1, 4, 4}, kilobytes[] = {66, 328, 66, 164, 164};
  struct rig r;
  open_with(&r, soc, FIVE);
  const struct hs_view v = {&r.sys, r.graph, NULL};
  struct hs_layers *l = hs_layers_make(&v, HS_DEVICES_EVERY_OPP, true, &r.arena);
  ck_assert_int_eq(l->n, 5);
  ck_assert_int_eq(l->n_devices, 7);
  for (int d = 0; d < 7; d++)
    for (int k = 0; k < 5; k++) {
      struct hs_layer_cost c = hs_layers_slice_cost(l, d, k, k + 1);
      bool apart = l->devices[d].processor >= FIVE_GPU;
      DERIVE("slice of one layer", c.seconds, (macs[k] * time_u[d] + (apart ? 64 : 0)) * u);
      DERIVE("its energy", c.joules, (macs[k] * energy_u[d] + (apart ? 64 : 0)) * u);
    }
  for (int k = 0; k < 5; k++) ck_assert_int_eq((int)round(hs_slice_bytes(&r.sys, r.graph, &r.graph->ops[k], FIVE_NPU) / 1e3), kilobytes[k]);
  ck_assert(!hs_layers_fits(l, 6, 0, 2) && hs_layers_fits(l, 6, 3, 5) && !hs_layers_fits(l, 6, 2, 3));
  rig_close(&r);
}
END_TEST

/* What leaks is that of the level, too: 1/8 W less at the CPU's lower one is 128 u · 1/8 W = 16 uJ. */
START_TEST(static_power_is_of_the_level)
{
  struct rig r;
  open_with(&r, soc, FIVE);
  r.soc->processors[FIVE_CPU].domains[0].opps[0].static_w = 0.125;
  const struct hs_view v = {&r.sys, r.graph, NULL};
  struct hs_layers *l = hs_layers_make(&v, HS_DEVICES_EVERY_OPP, false, &r.arena);
  DERIVE("level 0", hs_layers_slice_cost(l, 0, 0, 1).joules, (60 - 16) * u);
  DERIVE("level 1", hs_layers_slice_cost(l, 1, 0, 1).joules, 128 * u);
  rig_close(&r);
}
END_TEST

/* Where memory decides, 32896 numbers of 4 bytes at 1 GB/s, the clock doesn't: neither of the CPU's, of 64 and 128 u; the small one is slower than that. */
START_TEST(no_faster_than_memory)
{
  static const double seconds[] = {131.584e-6, 131.584e-6, 512 * 0x1p-20, 256 * 0x1p-20};
  struct rig r;
  open_with(&r, soc, FIVE);
  struct hs_soc slow = *r.sys.soc;
  const struct hs_soc *own = r.sys.soc;
  slow.memory.peak_bytes_per_s = 1e9;
  r.sys.soc = &slow;
  const struct hs_view v = {&r.sys, r.graph, NULL};
  struct hs_layers *l = hs_layers_make(&v, HS_DEVICES_EVERY_OPP, false, &r.arena);
  for (int d = 0; d < 4; d++) DERIVE("slice of one layer", hs_layers_slice_cost(l, d, 0, 1).seconds, seconds[d]);
  r.sys.soc = own;
  rig_close(&r);
}
END_TEST

/* A slice may be as large as the limit, and no larger: d and e. What the NPU's invocation costs, 2^14 cycles at 2^30 Hz and 1 W, each slice
 * has: 16 u, 16 uJ. */
START_TEST(limits_and_starts)
{
  struct rig r;
  open_with(&r, soc, FIVE);
  const struct hs_soc *own = r.sys.soc;
  const struct hs_kernel *own_kernel = r.sys.backends[FIVE_NPU].kernel;
  struct hs_kernel slow = *own_kernel;
  slow.start_cycles = 0x1p14;
  r.sys.backends[FIVE_NPU].kernel = &slow;
  double bytes = hs_slice_bytes(&r.sys, r.graph, &r.graph->ops[3], FIVE_NPU) + hs_slice_bytes(&r.sys, r.graph, &r.graph->ops[4], FIVE_NPU);
  for (int less = 0; less < 2; less++) {
    struct hs_soc limited = *own;
    limited.processors[FIVE_NPU].slice_limit_bytes = bytes - less;
    r.sys.soc = &limited;
    const struct hs_view v = {&r.sys, r.graph, NULL};
    struct hs_layers *l = hs_layers_make(&v, HS_DEVICES_EVERY_OPP, true, &r.arena);
    ck_assert_int_eq(hs_layers_fits(l, 6, 3, 5), !less);
    struct hs_layer_cost one = hs_layers_slice_cost(l, 6, 3, 4), two = hs_layers_slice_cost(l, 6, 3, 5);
    DERIVE("d", one.seconds, (4 * 8 + 64 + 16) * u);
    DERIVE("its energy", one.joules, (4 * 8 + 64 + 16) * u);
    DERIVE("d and e", two.seconds, (8 * 8 + 64 + 16) * u);
    DERIVE("their energy", two.joules, (8 * 8 + 64 + 16) * u);
  }
  r.sys.soc = own;
  r.sys.backends[FIVE_NPU].kernel = own_kernel;
  rig_close(&r);
}
END_TEST

/* --- decisions --- */

static const struct {
  const char *policy, *param, *plan;
  double latency_u, energy_u; /* lowered */
} decisions[] = {
  /* a, b: cpu 64 + npu 72 + 64 = 200 < npu, npu 72 + 136 = 208 < gpu 10·16 + 64 = 224; c: 64; d, e: npu 64 + 64 = 128 < gpu 192:
   * 392 u. 128 + 136 + 128 + 128 = 520 uJ. */
  {"mosaic", "objective=latency", "cpu | npu | cpu | npu npu", 392, 520},
  /* a, b: little@0 30 + npu 72 + 64 = 166 < npu, npu 208 < gpu@0 10·15 + 64 = 214; c: little@0 30; d, e: npu 128 < gpu@0 184:
   * 324 uJ. 512 + 136 + 512 + 128 u. */
  {"mosaic", "objective=energy", "cpu-little@0 | npu@0 | cpu-little@0 | npu@0 npu@0", 1288, 324},
  /* With b, d, e on the NPU (264 u, 264 uJ) and a, c each of cpu@1 (64, 128), cpu@0 (128, 60), little@0 (512, 30), a also npu
   * (72, 72): npu + cpu@0 464 · 396 = 183744 < npu + cpu@1 400 · 464 = 185600 < cpu@0 + cpu@0 520 · 384 < cpu@1 + cpu@1 392 · 520
   * < npu + little@0 848 · 366. */
  {"mosaic", "objective=edp", "npu@0 | npu@0 | cpu@0 | npu@0 npu@0", 464, 396},
  /* Without communication the NPU takes all it can: 8 + 72 + 64 + 64 u. One slice for d, e costs as much as two; the first by k wins.
   * Lowered 72 + 136 + 64 + 128 u, 72 + 136 + 128 + 128 uJ. */
  {"hca", "objective=latency", "npu | npu | cpu | npu npu", 400, 464},
  /* c: cpu (208 u, 128 uJ), little (256 u, 64 uJ), without communication: 208 · 272 = 56576 < 400 · 208 */
  {"hca", "objective=energy", "npu | npu | cpu-little | npu npu", 592, 400},
  {"hca", "objective=edp", "npu | npu | cpu | npu npu", 400, 464},
  /* All at the highest OPP. Latency as MOSAIC; energy: a little 64 < npu 72 < cpu 128; c little 64. 392 uJ, 256 + 136 + 256 + 128 u. */
  {"hcca", "objective=latency", "cpu | npu | cpu | npu npu", 392, 520},
  {"hcca", "objective=energy", "cpu-little | npu | cpu-little | npu npu", 776, 392},
  /* a npu (72, 72), cpu (64, 128), little (256, 64); c cpu, little: npu + cpu 400 · 464 = 185600 < cpu + cpu 392 · 520 = 203840 <
   * npu + little 592 · 400 = 236800 */
  {"hcca", "objective=edp", "npu | npu | cpu | npu npu", 400, 464},
  /* 19 · 64 u at 2 W; 19 · 256 u at 0.25 W */
  {"tf-big", "governor=performance", "cpu cpu cpu cpu cpu", 1216, 2432},
  {"tf-little", "governor=performance", "cpu-little cpu-little cpu-little cpu-little cpu-little", 4864, 1216},
  /* c breaks the slice: 10·16 + 64, 64, 8·16 + 64 u; 18·32 + 2·64 + 128 uJ */
  {"tf-gpu", "governor=performance", "gpu gpu | cpu! | gpu gpu", 480, 832},
  /* memory breaks the slice between a and b: as HCA for latency */
  {"tf-npu", "governor=performance", "npu | npu | cpu! | npu npu", 400, 464},
  /* 10 ms are 10486 u, and even the little cores need only 19 · 512 = 9728: before the first sample everybody stays at level 0. The
   * NPU has no other. Crossings are the host's, as the system is set. */
  {"tf-big", "governor=ondemand", "cpu@0 cpu@0 cpu@0 cpu@0 cpu@0", 2432, 1140},
  {"tf-little", "governor=ondemand", "cpu-little@0 cpu-little@0 cpu-little@0 cpu-little@0 cpu-little@0", 9728, 570},
  {"tf-gpu", "governor=ondemand", "gpu@0 gpu@0 | cpu@0! | gpu@0 gpu@0", 832, 458},
  {"tf-npu", "governor=ondemand", "npu | npu | cpu@0! | npu npu", 464, 396},
  /* The yardstick lowers: of all drawn none is better than MOSAIC's, whose estimates are exact where layers follow each other in a row. */
  {"exhaustive", "objective=latency", "cpu | npu | cpu | npu npu", 392, 520},
  {"exhaustive", "objective=energy", "cpu-little@0 | npu@0 | cpu-little@0 | npu@0 npu@0", 1288, 324},
  {"exhaustive", "objective=edp", "npu@0 | npu@0 | cpu@0 | npu@0 npu@0", 464, 396},
};

START_TEST(decides)
{
  struct rig r;
  open_with(&r, soc, FIVE);
  struct hs_placement *pl = plan(&r, decisions[_i].policy, &decisions[_i].param, 1);
  check_plan(&r, pl, decisions[_i].plan);
  struct hs_estimate e = lowered(&r, pl);
  DERIVE(decisions[_i].policy, e.latency_s, decisions[_i].latency_u * u);
  DERIVE(decisions[_i].param, e.energy_j, decisions[_i].energy_u * u);
  rig_close(&r);
}
END_TEST

/* --- what a slice hands over --- */

/* Two slices on the NPU, a and b, then their sum. Both results leave the first one, in one crossing: MAP 32 u, a 8, b 8, SYNC 32; the second one's
 * NPU keeps neither: two MAPs, the sum of 8192 elements at 128 per cycle, SYNC 32. */
START_TEST(slices_hand_over_all)
{
  struct rig r;
  open_with(&r, soc, RIG_NET(RIG_IN("i", "1, 8, 8, 128"), "'c'", LAYER("a", "i", "1", "") "," LAYER("b", "a", "1", "") "," RIG_OP("c", "Add", "'a', 'b'", "")));
  struct hs_placement *pl = hs_placement_new(&r.arena, 3);
  for (int i = 0; i < 3; i++) {
    hs_place_whole(&pl->ops[i], FIVE_NPU);
    pl->ops[i].chain = i == 2;
    pl->ops[i].home = FIVE_CPU;
  }
  DERIVE("two slices", lowered(&r, pl).latency_s, (32 + 8 + 8 + 32 + 64 + 0.0625 + 32) * u);
  hs_placement_release(pl);
  rig_close(&r);
}
END_TEST

/* A way of 1 ns per byte. Layers: a; b, which reads a and the input, c, which reads a twice, and their sum; what is behind it. On the NPU the second brings a
 * and i and takes the sum back: as it is lowered. */
START_TEST(a_layer_brings_each_tensor_once)
{
  char *slow = hs_test_replace(soc, "'map': {'fixed_s': " CROSSING ", 's_per_byte': 0}", "'map': {'fixed_s': 0, 's_per_byte': 1e-9}");
  char *slower = hs_test_replace(slow, "'map': {'fixed_s': " CROSSING ", 's_per_byte': 0}", "'map': {'fixed_s': 0, 's_per_byte': 1e-9}");
  struct rig r;
  open_with(&r, slower, RIG_NET(RIG_IN("i", "1, 8, 8, 128"), "'d'", LAYER("a", "i", "1", ", 'block': 1") "," RIG_OP("b", "Add", "'a', 'i'", ", 'block': 2") ","
                              RIG_OP("c", "Mul", "'a', 'a'", ", 'block': 2") "," RIG_OP("s", "Add", "'b', 'c'", ", 'block': 2") ","
                                RIG_OP("d", "Relu", "'s'", ", 'block': 3")));
  const struct hs_view v = {&r.sys, r.graph, NULL};
  struct hs_layers *l = hs_layers_make(&v, HS_DEVICES_AS_SET, true, &r.arena);
  ck_assert_int_eq(l->n, 3);
  const struct hs_device *npu = &l->devices[3];
  ck_assert_int_eq(npu->processor, FIVE_NPU);
  const double tensor_s = npu->in[0].seconds; /* a reads i */
  ck_assert_double_gt(tensor_s, 8192e-9);
  DERIVE("two come", npu->in[1].seconds, 2 * tensor_s);
  DERIVE("one comes", npu->in[2].seconds, tensor_s);
  struct hs_placement *pl = hs_placement_new(&r.arena, 5);
  for (int i = 0; i < 5; i++) {
    bool second = i > 0 && i < 4;
    hs_place_whole(&pl->ops[i], second ? FIVE_NPU : FIVE_CPU);
    pl->ops[i].chain = second ? 1 : i;
    pl->ops[i].home = FIVE_CPU;
  }
  double sum = hs_layers_slice_cost(l, 3, 1, 2).seconds + hs_layers_slice_cost(l, 0, 0, 1).seconds + hs_layers_slice_cost(l, 0, 2, 3).seconds;
  DERIVE("lowered", lowered(&r, pl).latency_s, sum);
  hs_placement_release(pl);
  rig_close(&r);
  free(slower);
  free(slow);
}
END_TEST

/* What the network returns leaves a slice as what is read behind it does, whoever else reads it: of the first layer a, of the second b and c, of the third d,
 * and of b and c nothing. */
START_TEST(results_leave)
{
  char *slow = hs_test_replace(soc, "'sync': {'fixed_s': " CROSSING ", 's_per_byte': 0}", "'sync': {'fixed_s': 0, 's_per_byte': 1e-9}");
  struct rig r;
  open_with(&r, slow, RIG_NET(RIG_IN("i", "1, 8, 8, 128"), "'b', 'c', 'd'", RIG_OP("a", "Relu", "'i'", ", 'block': 1") ","
                              RIG_OP("b", "Relu", "'a'", ", 'block': 2") "," RIG_OP("c", "Relu", "'b'", ", 'block': 2") ","
                              RIG_OP("d", "Relu", "'c'", ", 'block': 3")));
  r.soc->sharing[HS_NPU][HS_CPU][HS_SYNC] = (struct hs_comm_cost){.fixed_s = 0, .s_per_byte = 1e-9};
  const struct hs_view v = {&r.sys, r.graph, NULL};
  struct hs_layers *l = hs_layers_make(&v, HS_DEVICES_AS_SET, true, &r.arena);
  const struct hs_device *npu = &l->devices[3];
  const double tensor_s = npu->out[0].seconds;
  ck_assert_double_ge(tensor_s, 8192e-9);
  DERIVE("two leave", npu->out[1].seconds, 2 * tensor_s);
  DERIVE("one leaves", npu->out[2].seconds, tensor_s);
  struct hs_placement *pl = hs_placement_new(&r.arena, 4);
  hs_layers_place(&v, l, 3, 0, 3, 0, pl);
  for (int i = 0; i < 4; i++) ck_assert_int_eq(pl->ops[i].home, i == 0 ? -1 : FIVE_CPU);
  rig_close(&r);
  free(slow);
}
END_TEST

/* Each operator of the second layer runs somewhere, and the layer as a whole nowhere: b on CPUs, c on the NPU alone. */
START_TEST(nobody_runs_the_layer)
{
  static const char *const policies[] = {"mosaic", "hca", "hcca", "exhaustive", "tf-npu"};
  const struct hs_policy *policy = hs_policy_find(policies[_i]);
  const char *values[HS_PARAMS_MAX];
  struct rig r;
  struct hs_error err;
  open_with(&r, soc, RIG_NET(RIG_IN("i", "1, 8, 8, 128"), "'c'", LAYER("a", "i", "1", ", 'block': 1") ","
                             LAYER("b", "a", "1", ", 'block': 2, 'support': {'gpu': false, 'npu': false}") ","
                             LAYER("c", "b", "1", ", 'block': 2, 'support': {'cpu': false, 'gpu': false}")));
  hs_test_accepted(hs_policy_values(policy, NULL, 0, values, &err), &err);
  const struct hs_view v = {&r.sys, r.graph, values};
  rig_refused(policy->plan(&v, hs_placement_new(&r.arena, 3), &err), &err, HS_INPUT,
              "net: no device of x can execute layer 2 (operators \"b\" to \"c\") under runtime tflite");
  rig_close(&r);
}
END_TEST

static void fill(TCase *t)
{
  tcase_add_test(t, a_layer_brings_each_tensor_once);
  tcase_add_test(t, tables);
  tcase_add_test(t, static_power_is_of_the_level);
  tcase_add_test(t, results_leave);
  tcase_add_test(t, no_faster_than_memory);
  tcase_add_test(t, limits_and_starts);
  tcase_add_loop_test(t, decides, 0, (int)(sizeof decisions / sizeof *decisions));
  tcase_add_test(t, slices_hand_over_all);
  tcase_add_loop_test(t, nobody_runs_the_layer, 0, 5);
}

int main(void) { return hs_test_main("five layers", fill); }
