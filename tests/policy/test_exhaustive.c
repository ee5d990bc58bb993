/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What Algorithm 1 of MOSAIC doesn't find by itself, on the phone of five.h: the weights of EDP, and the plans that exhaustive considers and draws. */
#include "tests/policy/five.h"

#include "base/random.h"

/* --- weights of EDP --- */

/* A network of one layer of 2^20 MACs for CPUs only, and a CPU of three levels. Of the first on which that takes 102.4, 85.3 and 64 u, and 38.4, 44.8 and 64 uJ:
 * the level in between has the least product, 3823 to 3932 and 4096. It has the least energy + weight · time for weights from 0.375 W (6.4 uJ less in 17.1 u
 * more) to 0.9 (19.2 in 21.3). On the second, 76.8, 70.4 and 64 u, and 64, 69.8 and 76.8 uJ, its product is 4913.4, of either other 4915.2, and the weights are
 * from 0.905 to 1.095 W. */
static const char *const three[] = {RIG_OPP("671088640", "1", "0.3125", "0.0625") "," RIG_OPP("805306368", "1", "0.375", "0.15") "," RIG_OPP(HIGH, "1", "0.5", "0.5"),
                                    RIG_OPP("894784853", "1", "0.5", "0.33333333") "," RIG_OPP("976128930", "1", "0.54545454", "0.44590909") ","
                                    RIG_OPP(HIGH, "1", "0.6", "0.6")};

static void open_three(struct rig *r, int which)
{
  char opps[600];
  snprintf(opps, sizeof opps, "'fp32': 16}, 'opps': [%s", three[which]);
  char *text = hs_test_replace(soc, "'fp32': 16}, 'opps': [" RIG_OPP(LOW, "0.5", "0.21875", "0.25") "," RIG_OPP(HIGH, "1", "1.75", "0.25"), opps);
  open_with(r, text, RIG_NET(RIG_IN("i", "1, 8, 8, 128"), "'a'", LAYER("a", "i", "1", CPUS_ONLY)));
  free(text);
}

START_TEST(corners_of_the_hull)
{
  static const char *const edp[] = {"objective=edp"};
  struct rig r;
  open_three(&r, _i);
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

/* For latency clocks stay as they are set. At the lower levels a is 128 u on the CPU, and on the NPU, with a map of 64 u, 104. The CPU's lower level is of 1 V,
 * so by Eq. 5 it takes 144 uJ for c, and MOSAIC's plans for energy and EDP have the higher one, 64 u less. */
START_TEST(latency_keeps_clocks)
{
  static const char *const latency[] = {"objective=latency", "samples=1"};
  struct rig r;
  open_with(&r, soc, FIVE);
  for (int p = FIVE_CPU; p <= FIVE_GPU; p++) r.sys.backends[p].opp[0] = 0;
  r.soc->processors[FIVE_CPU].domains[0].opps[0].volt = 1;
  r.sys.backends[FIVE_LITTLE].available = false;
  struct hs_placement *pl = plan(&r, "exhaustive", latency, 2);
  check_plan(&r, pl, "npu | npu | cpu | npu npu");
  DERIVE("at the lower levels", lowered(&r, pl).latency_s, (104 + 168 + 128 + 160) * u);
  rig_close(&r);
}
END_TEST

/* As many random plans as asked for. Of twice the voltage, by Eq. 5, the CPU's level in between would take far more than it does, so no version has it, and
 * it's found by the first draw of this device, the second of five that run the layer. (Another number of each draw is the length.) */
START_TEST(draws_as_many_as_asked_for)
{
  int tried = 0;
  struct rig r;
  open_three(&r, 0);
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

static void fill(TCase *t)
{
  tcase_add_test(t, random_slices_are_long);
  tcase_add_test(t, all_at_the_limit);
  tcase_add_loop_test(t, corners_of_the_hull, 0, 2);
  tcase_add_loop_test(t, considers_hca_and_tf_gpu, 0, sizeof restarts / sizeof *restarts);
  tcase_add_test(t, considers_hcca);
  tcase_add_loop_test(t, considers_performance, 0, sizeof skipped / sizeof *skipped);
  tcase_add_loop_test(t, considers_ondemand, 0, sizeof governed / sizeof *governed);
  tcase_add_test(t, latency_keeps_clocks);
  tcase_add_test(t, draws_as_many_as_asked_for);
  tcase_add_test(t, finds_what_no_version_has);
  tcase_add_test(t, equals_brute_force);
}

int main(void) { return hs_test_main("exhaustive", fill); }
