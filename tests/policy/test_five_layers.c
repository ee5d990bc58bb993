/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What every policy of MOSAIC's family decides about the five layers of five.h, worked out by hand; lowered, it costs what MOSAIC counts. */
#include "tests/policy/five.h"

#include "base/random.h"
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

/* --- weights of EDP --- */

/* A network of one layer of 2^20 MACs for CPUs only, and a CPU of three levels, on which that takes 102.4, 85.3 and 64 u, and 38.4, 44.8 and 64 uJ. */
static void open_three(struct rig *r)
{
  char *text = hs_test_replace(soc, "'fp32': 16}, 'opps': [" RIG_OPP(LOW, "0.5", "0.21875", "0.25") "," RIG_OPP(HIGH, "1", "1.75", "0.25"),
                               "'fp32': 16}, 'opps': [" RIG_OPP("671088640", "1", "0.3125", "0.0625") ","
                               RIG_OPP("805306368", "1", "0.375", "0.15") "," RIG_OPP(HIGH, "1", "0.5", "0.5"));
  open_with(r, text, RIG_NET(RIG_IN("i", "1, 8, 8, 128"), "'a'", LAYER("a", "i", "1", CPUS_ONLY)));
  free(text);
}

/* The level in between has the least product, 3823 to 3932 and 4096, but the least energy + weight · time only for weights from 0.375 W (6.4 uJ less in 17.1 u
 * more) to 0.9 (19.2 in 21.3). The fastest plan has 1 W, so 0.42, 0.56 and 0.75 of 33 weights over four decades find it; nine would be 0.32, 1 and so on. */
START_TEST(weights_are_close)
{
  static const char *const edp[] = {"objective=edp"};
  struct rig r;
  open_three(&r);
  check_plan(&r, plan(&r, "mosaic", edp, 1), "cpu@1");
  rig_close(&r);
}
END_TEST

/* --- exhaustive --- */

/* Where a GPU begins with 200 u, once, and MOSAIC and HCCA count them for each slice, a 2×2 stays on the CPU: 256 < 64 + 64 + 200. A 1×1 takes the GPU 256 u or
 * 96. (It leaks 20 W, so for energy and EDP nobody takes it.)
 *   256: HCA runs the middle one of three on the CPU, for 64, the others on the GPU: 200 + 128 + 64 + 128 = 520. TF-GPU has 200 + 64 + 64 + 256 + 64, all
 *     others the CPU's 576.
 *   96: HCA leaves the GPU for d, too, 64 + 64; TF-GPU doesn't: 200 + 128 + 64 + 64 + 64 + 96 + 64. MOSAIC has a on the CPU, and 808 in all. */
static const struct {
  const char *net, *plan;
  double times, latency_u; /* times: what a 1×1 takes the GPU, of 16 u */
} restarts[] = {
  {RIG_NET(RIG_IN("i", "1, 8, 8, 128"), "'c'", LAYER("a", "i", "2", "") "," LAYER("b", "a", "1", "") "," LAYER("c", "b", "2", "")), "gpu | cpu | gpu", 16, 520},
  {NET("8", LAYER("a", "i", "2", ""), LAYER("b", "a", "1", CPUS_ONLY), LAYER("c", "b", "2", ""), LAYER("d", "c", "1", ""), LAYER("e", "d", "2", "")),
   "gpu | cpu! | gpu gpu gpu", 6, 680},
};

START_TEST(considers_hca_and_tf_gpu)
{
  static const char *const one[] = {"samples=1"};
  struct rig r;
  open_with(&r, soc, restarts[_i].net);
  struct hs_kernel k = *r.sys.backends[FIVE_GPU].kernel;
  k.start_cycles = 200 * u * 0x1p30;
  k.efficiency[HS_CLASS_CONV_1X1] = 1 / restarts[_i].times;
  r.sys.backends[FIVE_GPU].kernel = &k;
  r.sys.backends[FIVE_NPU].available = false;
  for (int level = 0; level < 2; level++) r.soc->processors[FIVE_GPU].domains[0].opps[level].static_w = 20;
  struct hs_placement *pl = plan(&r, "exhaustive", one, 1);
  check_plan(&r, pl, restarts[_i].plan);
  DERIVE("without restarts", lowered(&r, pl).latency_s, restarts[_i].latency_u * u);
  rig_close(&r);
}
END_TEST

/* What Eq. 5 doesn't know: that the lower levels take far more than V²·f says. MOSAIC takes them, HCCA doesn't: 392 uJ, HCA 400. */
START_TEST(considers_hcca)
{
  static const char *const one[] = {"objective=energy", "samples=1"};
  struct rig r;
  open_with(&r, soc, FIVE);
  for (int p = FIVE_CPU; p <= FIVE_GPU; p++) r.soc->processors[p].domains[0].opps[0].dynamic_w *= 16;
  struct hs_placement *pl = plan(&r, "exhaustive", one, 2);
  check_plan(&r, pl, "cpu-little | npu | cpu-little | npu npu");
  DERIVE("at the highest levels", lowered(&r, pl).energy_j, 392 * u);
  rig_close(&r);
}
END_TEST

/* Or that the CPU's lower level takes far less: of 1 V, 1.75 · 0.5 + 0.25 W would be 144 uJ for c, more than 128 of the higher one. The governor takes it: 60.
 * MOSAIC has 464 with a, b, d and e on the NPU, 526 with these on the GPU, and 2432 on the CPU alone. (Little cores would take 30. The random plan of seed 1
 * would be the last of these.) */
static const struct {
  bool gpu, npu;
  const char *plan;
  double energy_u;
} governed[] = {
  {true, true, "npu | npu | cpu@0! | npu npu", 396},
  {true, false, "gpu@0 gpu@0 | cpu@0! | gpu@0 gpu@0", 458},
  {false, false, "cpu@0 cpu@0 cpu@0 cpu@0 cpu@0", 1140},
};

START_TEST(considers_ondemand)
{
  static const char *const one[] = {"objective=energy", "samples=1", "seed=2"};
  struct rig r;
  open_with(&r, soc, FIVE);
  r.soc->processors[FIVE_CPU].domains[0].opps[0].volt = 1;
  r.sys.backends[FIVE_LITTLE].available = false;
  r.sys.backends[FIVE_GPU].available = governed[_i].gpu;
  r.sys.backends[FIVE_NPU].available = governed[_i].npu;
  struct hs_placement *pl = plan(&r, "exhaustive", one, 3);
  check_plan(&r, pl, governed[_i].plan);
  DERIVE("at the lower level", lowered(&r, pl).energy_j, governed[_i].energy_u * u);
  rig_close(&r);
}
END_TEST

/* What Eq. 8 doesn't know: that d adds a, too, whose way takes 32 u, where c is the first of their slice. So plans of TF's are the best. Each 1×1 takes the NPU
 * so and so long, which has a power that makes none of these the best for energy or EDP. (The random plan of seed 1 would be the first.)
 *   44 u per 2^20 MACs: c and d on the NPU would be 64 + 176.125, less than 256 + 1 on the CPU, and are 32 more. With a and b 128 + 256 + 257.
 *   236: the same on little cores, the CPU being eight times as slow: 64 + 944.125 for 1024 + 4. With a and b 512 + 1024 + 1028.
 *   144: b on the CPU between slices for a, and for c and d would be 96 + 64 + 96.0625, less than the NPU's 64 + 32 + 144 + 32.0625, and is 32 more. e: 64. */
#define WIDE(name, input, more) RIG_OP(name, "Conv", "'" input "'", ", 'channels': 256, 'kernel': [1, 1]" more)
#define SKIP RIG_NET(RIG_IN("i", "1, 8, 8, 128"), "'d'", WIDE("a", "i", CPUS_ONLY) "," WIDE("b", "a", CPUS_ONLY) "," WIDE("c", "b", "") "," \
                     RIG_OP("d", "Add", "'c', 'a'", ""))
static const struct {
  const char *net, *plan;
  double slower, npu_u, npu_w, latency_u; /* the CPU, so many times; a 1×1 of 2^20 MACs on the NPU */
} skipped[] = {
  {SKIP, "cpu cpu cpu cpu", 1, 44, 0.01, 641},
  {SKIP, "cpu-little cpu-little cpu-little cpu-little", 8, 236, 0.01, 2564},
  {NET("8", LAYER("a", "i", "2", ""), LAYER("b", "a", "1", ""), LAYER("c", "b", "2", ""), RIG_OP("d", "Add", "'c', 'a'", ""), LAYER("e", "d", "1", CPUS_ONLY)),
   "npu npu npu npu | cpu!", 1, 144, 2, 336.0625},
};

START_TEST(considers_performance)
{
  static const char *const one[] = {"samples=1", "seed=2"};
  struct rig r;
  open_with(&r, soc, skipped[_i].net);
  struct hs_kernel cpu = *r.sys.backends[FIVE_CPU].kernel, npu = *r.sys.backends[FIVE_NPU].kernel;
  struct hs_processor *p = &r.soc->processors[FIVE_NPU];
  for (int k = 0; k < HS_CLASS_N; k++) cpu.efficiency[k] /= skipped[_i].slower;
  npu.efficiency[HS_CLASS_CONV_1X1] = 8 / skipped[_i].npu_u;
  p->domains[0].opps[0].dynamic_w = p->domains[0].opps[0].static_w = skipped[_i].npu_w;
  p->slice_limit_bytes = 0;
  r.sys.backends[FIVE_CPU].kernel = &cpu;
  r.sys.backends[FIVE_NPU].kernel = &npu;
  r.sys.backends[FIVE_GPU].available = false;
  struct hs_placement *pl = plan(&r, "exhaustive", one, 2);
  check_plan(&r, pl, skipped[_i].plan);
  DERIVE("without a skip between slices", lowered(&r, pl).latency_s, skipped[_i].latency_u * u);
  rig_close(&r);
}
END_TEST

/* As many random plans as asked for. Of twice the voltage, by Eq. 5, the CPU's level in between would take far more than it does, so no version has it, and
 * it's found by the first draw of this device, the second of five that run the layer. (Another number of each draw is the length.) */
START_TEST(draws_as_many_as_asked_for)
{
  int tried = 0;
  struct rig r;
  open_three(&r);
  r.soc->processors[FIVE_CPU].domains[0].opps[1].volt = 2;
  for (uint64_t seed = 1; seed <= 10; seed++) {
    struct hs_random *random = hs_random_new(seed, "plans");
    int first = 1;
    for (; ceil(5 * hs_random_uniform(random)) != 2; first++) hs_random_uniform(random);
    hs_random_free(random);
    for (int less = 0; less < 2 && first > 1 && first < 8; less++, tried++) { /* of eight devices all are tried */
      char samples[40], seeded[40];
      const char *params[] = {"objective=edp", samples, seeded};
      snprintf(samples, sizeof samples, "samples=%d", first - less);
      snprintf(seeded, sizeof seeded, "seed=%d", (int)seed);
      check_plan(&r, plan(&r, "exhaustive", params, 3), less ? "cpu@0" : "cpu@1");
    }
  }
  ck_assert_int_gt(tried, 0);
  rig_close(&r);
}
END_TEST

/* a, b and e are 1×1 and for CPUs only, c is 2×2, d adds a to c: 8192 elements, 1/16 uJ on the NPU and 15/64 on a little core at its
 * lowest. MOSAIC counts what the first layer of a slice reads: c and d on the NPU 32 + 64 + 1/16. But a must come, too, for another 64.
 * The best leaves d to the little cores; of the versions the best is all on these, c for 4 · 30. */
#define IN_BETWEEN NET("8", LAYER("a", "i", "1", CPUS_ONLY), LAYER("b", "a", "1", CPUS_ONLY), LAYER("c", "b", "2", ""), \
                       RIG_OP("d", "Add", "'c', 'a'", ""), LAYER("e", "d", "1", CPUS_ONLY))

START_TEST(finds_what_no_version_has)
{
  static const char *const energy[] = {"objective=energy"}, *const all[] = {"objective=energy", "samples=16807"},
                    *const some[] = {"objective=energy", "samples=1000", "seed=3"}, *const few[] = {"objective=energy", "samples=1"},
                    *const many[] = {"objective=energy", "samples=16800"};
  const double versions = (60 + 120 + 15 / 64. + 30) * u, best = (60 + 64 + 32 + 15 / 64. + 30) * u;
  struct rig r;
  open_with(&r, soc, IN_BETWEEN);
  struct hs_placement *pl = plan(&r, "mosaic", energy, 1);
  check_plan(&r, pl, "cpu-little@0 cpu-little@0 | npu@0 npu@0 | cpu-little@0");
  DERIVE("mosaic", lowered(&r, pl).energy_j, (60 + 64 + 32 + 1 / 16. + 64 + 30) * u);
  pl = plan(&r, "exhaustive", all, 2); /* 7^5 = 16807 */
  check_plan(&r, pl, "cpu-little@0 cpu-little@0 | npu@0 | cpu-little@0 cpu-little@0");
  DERIVE("all plans", lowered(&r, pl).energy_j, best);
  double random = lowered(&r, plan(&r, "exhaustive", some, 3)).energy_j;
  ck_assert(best <= random && random <= versions);
  DERIVE("random plans: c's slice may be shorter than it could", lowered(&r, plan(&r, "exhaustive", many, 2)).energy_j, best);
  DERIVE("one random plan, and the versions'", lowered(&r, plan(&r, "exhaustive", few, 2)).energy_j, versions);
  rig_close(&r);
}
END_TEST

/* At the limit all are tried, and below it not: of a, c and d, 7^3, the best isn't among the 342 that this seed draws. */
START_TEST(all_at_the_limit)
{
  static const char *const all[] = {"objective=energy", "samples=343", "seed=1"}, *const fewer[] = {"objective=energy", "samples=342", "seed=2"};
  struct rig r;
  open_with(&r, soc, RIG_NET(RIG_IN("i", "1, 8, 8, 128"), "'d'", LAYER("a", "i", "1", CPUS_ONLY) "," LAYER("c", "a", "2", "") "," RIG_OP("d", "Add", "'c', 'i'", "")));
  const double best = (30 + 64 + 32 + 15 / 64.) * u;
  DERIVE("all", lowered(&r, plan(&r, "exhaustive", all, 3)).energy_j, best);
  ck_assert_double_gt(lowered(&r, plan(&r, "exhaustive", fewer, 3)).energy_j, best * 1.01);
  rig_close(&r);
}
END_TEST

/* Random slices have several layers: the same with two on the NPU, c and a 1×1 behind it, 96 + 8, where each by itself would pay 64. */
START_TEST(random_slices_are_long)
{
  static const char *const many[] = {"objective=energy", "samples=16800"};
  struct rig r;
  open_with(&r, soc, NET("8", LAYER("a", "i", "1", CPUS_ONLY), LAYER("b", "a", "1", CPUS_ONLY), LAYER("c", "b", "2", ""), LAYER("d", "c", "1", ""),
                         RIG_OP("e", "Add", "'d', 'a'", "")));
  struct hs_placement *pl = plan(&r, "exhaustive", many, 2);
  DERIVE("random plans", lowered(&r, pl).energy_j, (60 + 64 + 32 + 8 + 15 / 64.) * u);
  rig_close(&r);
}
END_TEST

/* The least latency of all ways to give layers [op, 5) a processor each; slices are packed greedily. */
static double best_of_all(const struct rig *r, struct hs_placement *pl, int op, double bytes)
{
  double best = INFINITY;
  if (op == pl->n_ops) return lowered(r, pl).latency_s;
  for (int p = 0; p < r->soc->n_processors; p++) {
    if (!hs_system_supports(&r->sys, r->graph, &r->graph->ops[op], p, NULL, 0)) continue;
    double more = hs_slice_bytes(&r->sys, r->graph, &r->graph->ops[op], p), limit = p == FIVE_NPU ? 340e3 : INFINITY;
    bool goes_on = op > 0 && pl->ops[op - 1].parts[0].processor == p && bytes + more <= limit;
    hs_place_whole(&pl->ops[op], p);
    pl->ops[op].home = FIVE_CPU;
    pl->ops[op].chain = op == 0 ? 0 : pl->ops[op - 1].chain + !goes_on;
    best = fmin(best, best_of_all(r, pl, op + 1, goes_on ? bytes + more : more));
  }
  return best;
}

START_TEST(equals_brute_force)
{
  static const char *const nets[] = {FIVE, IN_BETWEEN, NET("8", LAYER("a", "i", "2", ""), LAYER("b", "a", "2", ""), LAYER("c", "b", "2", ""), D, E)};
  static const char *const all[] = {"samples=1024"};
  for (int i = 0; i < 3; i++) {
    struct rig r;
    open_with(&r, soc, nets[i]);
    double best = best_of_all(&r, hs_placement_new(&r.arena, 5), 0, 0);
    DERIVE("exhaustive", lowered(&r, plan(&r, "exhaustive", all, 1)).latency_s, best);
    rig_close(&r);
  }
}
END_TEST

/* --- ondemand over several samples --- */

/* 16×16: four times the work. Little cores at level 0 need 2048 u for a and 18432 for b; samples at 10486 and 20972 u find them
 * busy. c starts at 20480, after the first sample: level 1, which is how the system is set. */
START_TEST(load_raises)
{
  static const char *const ondemand[] = {"governor=ondemand"};
  struct rig r;
  open_with(&r, soc, NET("16", A, B, C, D, E));
  struct hs_placement *pl = plan(&r, "tf-little", ondemand, 1);
  check_plan(&r, pl, "cpu-little@0 cpu-little@0 cpu-little cpu-little cpu-little");
  DERIVE("little cores", lowered(&r, pl).latency_s, 4 * (10 * 512 + 9 * 256) * u);
  r.sys.backends[FIVE_LITTLE].opp[0] = 0; /* --frequency cpu-little=min: no higher than that */
  check_plan(&r, plan(&r, "tf-little", ondemand, 1), "cpu-little cpu-little cpu-little cpu-little cpu-little");
  rig_close(&r);
}
END_TEST

/* What an invocation costs is load, too: of 9000 u at the lowest level, a ends at 11048, behind the first sample, and b starts at level 1; of
 * 8000 u it ends before that sample. */
START_TEST(a_start_is_load)
{
  static const char *const ondemand[] = {"governor=ondemand"}, *const plans[] = {"cpu-little@0 cpu-little@0 cpu-little cpu-little cpu-little",
                                                                                "cpu-little@0 cpu-little cpu-little cpu-little cpu-little"};
  struct rig r;
  open_with(&r, soc, NET("16", A, B, C, D, E));
  struct hs_kernel starts = *r.sys.backends[FIVE_LITTLE].kernel;
  r.sys.backends[FIVE_LITTLE].kernel = &starts;
  for (int i = 0; i < 2; i++) {
    starts.start_cycles = (8000 + 1000 * i) * u * hs_processor_fastest(&r.soc->processors[FIVE_LITTLE])->opps[0].freq_hz;
    check_plan(&r, plan(&r, "tf-little", ondemand, 1), plans[i]);
  }
  rig_close(&r);
}
END_TEST

/* The GPU gets a level in between, of 19/32. c is 5×5: on the cpu at level 0 it takes 4·25·128 = 12800 u, from 4·10·32 + 64 = 1344 on, over
 * one sample, which finds the GPU busy for 1280 of 10486 u: 12 %, target 0.561 of the highest, so the level in between, 0.594, is closer
 * than 0.5; of 5/8 it isn't. With c of 7×7 (25088 u) the second sample finds it idle: level 0 again. */
#define BETWEEN(hz) \
  "'fp16': 64}, 'opps': [" RIG_OPP(LOW, "0.5", "0.21875", "0.25") "," RIG_OPP(hz, "0.625", "0.42724609375", "0.25") "," RIG_OPP(HIGH, "1", "1.75", "0.25")
START_TEST(load_in_between)
{
  static const struct {
    const char *opps, *net, *plan;
  } cases[] = {{BETWEEN("637534208"), NET("16", A, B, LAYER("c", "b", "5", CPUS_ONLY), D, E), "gpu@0 gpu@0 | cpu@0! | gpu@1 gpu@1"},
               {BETWEEN("671088640"), NET("16", A, B, LAYER("c", "b", "5", CPUS_ONLY), D, E), "gpu@0 gpu@0 | cpu@0! | gpu@0 gpu@0"},
               {BETWEEN("637534208"), NET("16", A, B, LAYER("c", "b", "7", CPUS_ONLY), D, E), "gpu@0 gpu@0 | cpu@0! | gpu@0 gpu@0"}};
  static const char *const ondemand[] = {"governor=ondemand"};
  for (int i = 0; i < 3; i++) {
    struct rig r;
    char *text = hs_test_replace(soc, "'fp16': 64}, 'opps': [" GPU_OPPS, cases[i].opps);
    open_with(&r, text, cases[i].net);
    check_plan(&r, plan(&r, "tf-gpu", ondemand, 1), cases[i].plan);
    rig_close(&r);
    free(text);
  }
}
END_TEST

/* --frequency is a ceiling and nothing else: the formula ends at the highest there is, so that the level in between, now the highest allowed, is still the
 * closest to 0.561; of 0.5 + 12 % of the way up to it, 0.511, it wouldn't be. */
START_TEST(load_under_a_ceiling)
{
  static const char *const ondemand[] = {"governor=ondemand"};
  struct rig r;
  char *text = hs_test_replace(soc, "'fp16': 64}, 'opps': [" GPU_OPPS, BETWEEN("637534208"));
  open_with(&r, text, NET("16", A, B, LAYER("c", "b", "5", CPUS_ONLY), D, E));
  r.sys.backends[FIVE_GPU].opp[0] = 1;
  check_plan(&r, plan(&r, "tf-gpu", ondemand, 1), "gpu@0 gpu@0 | cpu@0! | gpu gpu");
  rig_close(&r);
  free(text);
}
END_TEST

/* 32×32: a 2×2 and b keep the GPU busy for 16·13·32 = 6656 of 10486 u, 63 %: no more than 80 %, so it takes the level in between, of 15/16, which is above
 * 0.5 + 0.5·0.63 of the highest. a 3×3 and b do for 9216 u, 88 %, and it takes the highest, not what is closest to 0.94 of it. c 2×2 starts at 6720 or
 * 9280 and takes 16·4·128 = 8192 u: the second sample is at 20972. */
START_TEST(load_and_the_threshold)
{
#define WITH(a) NET("32", LAYER("a", "i", a, ""), B, LAYER("c", "b", "2", CPUS_ONLY), D, E)
  static const char *const ondemand[] = {"governor=ondemand"}, *const nets[] = {WITH("2"), WITH("3")},
                    *const plans[] = {"gpu@0 gpu@0 | cpu@0! | gpu@1 gpu@1", "gpu@0 gpu@0 | cpu@0! | gpu gpu"};
  char *text = hs_test_replace(soc, "'fp16': 64}, 'opps': [" GPU_OPPS, "'fp16': 64}, 'opps': [" RIG_OPP(LOW, "0.5", "0.21875", "0.25") ","
                               RIG_OPP("1006632960", "0.9375", "1.44197", "0.25") "," RIG_OPP(HIGH, "1", "1.75", "0.25"));
  struct rig r;
  open_with(&r, text, nets[_i]);
  check_plan(&r, plan(&r, "tf-gpu", ondemand, 1), plans[_i]);
  rig_close(&r);
  free(text);
}
END_TEST

/* The way to the GPU is time: 315 u of it and 16·(16 + 4)·32 = 10240 of a 4×4 and b 2×2 pass the first sample, which finds the GPU busy for 97 %. */
START_TEST(a_way_passes_time)
{
  static const char *const ondemand[] = {"governor=ondemand"};
  char *text = hs_test_replace(soc, RIG_SHARE("cpu", "gpu", STEPS(CROSSING, "0")), RIG_SHARE("cpu", "gpu", STEPS("3e-4", "0")));
  struct rig r;
  open_with(&r, text, NET("32", LAYER("a", "i", "4", ""), LAYER("b", "a", "2", ""), LAYER("c", "b", "1", ""), D, E));
  check_plan(&r, plan(&r, "tf-gpu", ondemand, 1), "gpu@0 gpu@0 gpu gpu gpu");
  rig_close(&r);
  free(text);
}
END_TEST

/* So is the way back: behind 315 u of it, d begins at 32 + 10240 + 315 + 16 + 32 u, c being 131072 operations on the CPU; with 32 it would at 10352. */
START_TEST(the_way_back_passes_time)
{
  static const char *const ondemand[] = {"governor=ondemand"};
  char *text = hs_test_replace(soc, RIG_SHARE("gpu", "cpu", STEPS("0", CROSSING)), RIG_SHARE("gpu", "cpu", STEPS("0", "3e-4")));
  struct rig r;
  open_with(&r, text, NET("32", LAYER("a", "i", "4", ""), LAYER("b", "a", "2", ""), RIG_OP("c", "Relu", "'b'", CPUS_ONLY), D, E));
  check_plan(&r, plan(&r, "tf-gpu", ondemand, 1), "gpu@0 gpu@0 | cpu@0! | gpu gpu");
  rig_close(&r);
  free(text);
}
END_TEST

/* A GPU starts once: of 5000 u at its lowest level, e begins at 32 + 5000 + 10·32 + 32 + 128 + 32 + 128 = 5672 u; with as much in front of d it would be behind
 * the first sample. */
START_TEST(a_gpu_starts_once)
{
  static const char *const ondemand[] = {"governor=ondemand"};
  struct rig r;
  open_with(&r, soc, FIVE);
  struct hs_kernel starts = *r.sys.backends[FIVE_GPU].kernel;
  r.sys.backends[FIVE_GPU].kernel = &starts;
  starts.start_cycles = 5000 * u * 536870912;
  check_plan(&r, plan(&r, "tf-gpu", ondemand, 1), "gpu@0 gpu@0 | cpu@0! | gpu@0 gpu@0");
  rig_close(&r);
}
END_TEST

/* Five 3×3, each a slice of the NPU for its memory, which here has a lower level, too: each is an invocation of 4000 u there, and takes 9·16 + 64. The third
 * begins at 8416 u and passes the first sample. */
START_TEST(each_slice_of_an_npu_has_its_start)
{
  static const char *const ondemand[] = {"governor=ondemand"};
  char *text = hs_test_replace(soc, "'fp16': 128}, 'opps': [", "'fp16': 128}, 'opps': [" RIG_OPP(LOW, "0.5", "0.09375", "0.25") ",");
  struct rig r;
  open_with(&r, text, NET("8", LAYER("a", "i", "3", ""), LAYER("b", "a", "3", ""), LAYER("c", "b", "3", ""), LAYER("d", "c", "3", ""), LAYER("e", "d", "3", "")));
  struct hs_kernel starts = *r.sys.backends[FIVE_NPU].kernel;
  r.sys.backends[FIVE_NPU].kernel = &starts;
  starts.start_cycles = 4000 * u * 536870912;
  check_plan(&r, plan(&r, "tf-npu", ondemand, 1), "npu@0 | npu@0 | npu@0 | npu | npu");
  rig_close(&r);
  free(text);
}
END_TEST

/* What the CPUs can't run goes to the NPU first, then to the GPU: layers as operators. */
START_TEST(falls_back_to_the_npu_first)
{
  static const char *const performance[] = {"governor=performance"}, *const plans[] = {"cpu cpu | npu! | cpu cpu", "cpu cpu | gpu! | cpu cpu"};
  for (int i = 0; i < 2; i++) {
    struct rig r;
    open_with(&r, soc, NET("8", A, B, LAYER("c", "b", "1", ", 'support': {'cpu': false}"), D, E));
    r.sys.backends[FIVE_NPU].available = i == 0;
    check_plan(&r, plan(&r, "tf-big", performance, 1), plans[i]);
    check_plan(&r, plan(&r, "cpu", NULL, 0), plans[i]);
    rig_close(&r);
  }
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
  tcase_add_test(t, random_slices_are_long);
  tcase_add_test(t, all_at_the_limit);
  tcase_add_test(t, no_faster_than_memory);
  tcase_add_test(t, limits_and_starts);
  tcase_add_loop_test(t, decides, 0, (int)(sizeof decisions / sizeof *decisions));
  tcase_add_test(t, weights_are_close);
  tcase_add_loop_test(t, considers_hca_and_tf_gpu, 0, sizeof restarts / sizeof *restarts);
  tcase_add_test(t, considers_hcca);
  tcase_add_loop_test(t, considers_performance, 0, sizeof skipped / sizeof *skipped);
  tcase_add_loop_test(t, considers_ondemand, 0, sizeof governed / sizeof *governed);
  tcase_add_test(t, draws_as_many_as_asked_for);
  tcase_add_test(t, finds_what_no_version_has);
  tcase_add_test(t, equals_brute_force);
  tcase_add_test(t, slices_hand_over_all);
  tcase_add_loop_test(t, nobody_runs_the_layer, 0, 5);
  tcase_add_test(t, load_raises);
  tcase_add_test(t, a_start_is_load);
  tcase_add_test(t, load_in_between);
  tcase_add_test(t, load_under_a_ceiling);
  tcase_add_loop_test(t, load_and_the_threshold, 0, 2);
  tcase_add_test(t, the_way_back_passes_time);
  tcase_add_test(t, a_gpu_starts_once);
  tcase_add_test(t, a_way_passes_time);
  tcase_add_test(t, each_slice_of_an_npu_has_its_start);
  tcase_add_test(t, falls_back_to_the_npu_first);
}

int main(void) { return hs_test_main("five layers", fill); }
