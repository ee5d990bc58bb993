/* SPDX-License-Identifier: GPL-3.0-or-later */
/* HEFT by hand, on the phone of five.h at its highest OPPs. */
#include "tests/policy/five.h"

/* Names of one letter. */
static void order_is(const struct hs_placement *pl, const char *order)
{
  struct hs_text is = {0};
  for (int i = 0; i < pl->n_ops; i++) hs_text_add(&is, pl->rewritten->ops[i].name);
  ck_assert_str_eq(is.s, order);
  hs_text_free(&is);
}

/* A chain: a npu 32 + 8 = 40 < gpu 48 < cpu 64; b npu 112 < gpu 40 + 64 + 144; c cpu 112 + 32 + 64 = 208 < little 400;
 * d npu 208 + 32 + 32 = 272 < gpu 304; e npu 304 u. Lowered as HCA's plan: 336 u. */
START_TEST(chain)
{
  struct rig r;
  open_with(&r, soc, FIVE);
  struct hs_placement *pl = plan(&r, "heft", NULL, 0);
  check_plan(&r, pl, "npu | npu | cpu | npu npu");
  DERIVE("chain", lowered(&r, pl).latency_s, 336 * u);
  hs_placement_release(pl);
  rig_close(&r);
}
END_TEST

/* The chain when an invocation of the NPU takes 48 u more: a gpu 48 < cpu 64 < npu 88; b gpu 192 < npu 48 + 64 + 72 + 48 = 232; c cpu 288; d gpu
 * 288 + 32 + 64 = 384 < npu 288 + 32 + 32 + 48 = 400; e gpu 448 u. Lowered: the last result's SYNC, 480 u. If the GPU's take 12 u more (1), that is its first
 * operator's, once: a gpu 60 < cpu 64, not of the way to it, which d has as well. If they take 20 (2), a cpu 64 < gpu 68; b npu 64 + 32 + 48 + 72 = 216 < gpu
 * 64 + 32 + 20 + 144 = 260; c cpu 312; d npu 312 + 32 + 48 + 32 = 424 < gpu 428; e npu 456, and the SYNC. */
START_TEST(start_counts)
{
  static const char *const starts[] = {"0", "12288", "20480"};
  static const char *const plans[] = {"gpu gpu | cpu | gpu gpu", "gpu gpu | cpu | gpu gpu", "cpu | npu | cpu | npu npu"};
  static const double latency_u[] = {480, 492, 488};
  struct rig r;
  struct hs_error err;
  struct hs_settings settings = rig_settings("tflite");
  char *slow = hs_test_replace(profile, "'npu', 'precision': 'fp16', 'overhead_cycles': 0",
                               "'npu', 'precision': 'fp16', 'start_cycles': 49152, 'overhead_cycles': 0");
  char *with = hs_test_replace(slow, "'gpu', 'precision': 'fp16', 'overhead_cycles': 0",
                               "'gpu', 'precision': 'fp16', 'start_cycles': STARTS, 'overhead_cycles': 0");
  char *both = hs_test_replace(with, "STARTS", starts[_i]);
  settings.precision = HS_FP32;
  hs_test_accepted(rig_try(&r, soc, NULL, both, &settings, &err), &err);
  rig_read_network(&r, FIVE);
  struct hs_placement *pl = plan(&r, "heft", NULL, 0);
  check_plan(&r, pl, plans[_i]);
  DERIVE("from a slow start", lowered(&r, pl).latency_s, latency_u[_i] * u);
  hs_placement_release(pl);
  rig_close(&r);
  free(both);
  free(with);
  free(slow);
}
END_TEST

/* Slices of 340 kB: 66 + 66 + 164 fit into one, with 164 more they don't. */
START_TEST(slices)
{
  struct rig r;
  open_with(&r, soc, NET("8", LAYER("a", "i", "1", ""), LAYER("b", "a", "1", ""), LAYER("c", "b", "2", ""), LAYER("d", "c", "2", ""),
                         LAYER("e", "d", "1", "")));
  struct hs_placement *pl = plan(&r, "heft", NULL, 0);
  check_plan(&r, pl, "npu npu npu | npu npu");
  hs_placement_release(pl);
  rig_close(&r);
}
END_TEST

/* Two branches: a 2×2 and b 2×2 (CPUs only) read the input, c 1×1 reads a, d 1×1 reads b, e adds c and d.
 *
 * Mean costs: a (256 + 1024 + 64 + 32)/4 = 344, b (256 + 1024)/2 = 640, c, d (64 + 256 + 16 + 8)/4 = 86, e about 0.7 u. Mean of a move
 * over the 12 pairs of processors: (2·0 + 8·32 + 2·64)/12 = 32 u. Ranks: b 640 + 32 + 86 + 32 + 0.7 > a 344 + … > c = d > e.
 *   b cpu 256 u; a npu 32 + 32 = 64; c npu 72; d npu 256 + 32 + 8 = 296 < gpu 304 < cpu 320; e npu 296 + 1/16 (8192 operations of 128
 *   per cycle at 2^30 Hz).
 * The host begins with a's input at 0, with b at 0, c 64, d's input 256, e 296: a goes first as its input crosses, and c, which reads what the NPU has, and
 * b have nothing to do with each other, so that it joins a's slice. So the host maps (32), a and c run on the NPU beside b
 * (from 32 to 288), d's input is mapped (320), d (328) and e run, SYNC: 360 + 1/16 u. With c behind b it would be in d's slice, which waits for b: 368.
 * Energy: b 512, two MAPs 128, NPU 32 + 8 + 8 + 1/16 uJ. */
static void branches_are(const char *net)
{
  struct rig r;
  open_with(&r, soc, net);
  struct hs_placement *pl = plan(&r, "heft", NULL, 0);
  order_is(pl, "acbde");
  check_plan(&r, pl, "npu npu | cpu | npu npu");
  struct hs_program *prog = NULL;
  struct hs_estimate e;
  struct hs_error err;
  hs_test_accepted(hs_lower(&r.sys, pl->rewritten, pl, &prog, &err), &err);
  hs_estimate_program(&r.sys, prog, &e, NULL, NULL);
  DERIVE("branches", e.latency_s, (360 + 0.0625) * u);
  DERIVE("their energy", e.energy_j, (512 + 128 + 48 + 0.0625) * u);
  hs_program_free(prog);
  hs_placement_release(pl);
  rig_close(&r);
}

START_TEST(branches)
{
  branches_are(NET("8", LAYER("a", "i", "2", ""), LAYER("b", "i", "2", CPUS_ONLY), LAYER("c", "a", "1", ""), LAYER("d", "b", "1", ""),
                   RIG_OP("e", "Add", "'c', 'd'", "")));
}
END_TEST

/* Also where the file has it behind b, which begins at the same time. */
START_TEST(what_crosses_goes_first)
{
  branches_are(NET("8", LAYER("b", "i", "2", CPUS_ONLY), LAYER("a", "i", "2", ""), LAYER("c", "a", "1", ""), LAYER("d", "b", "1", ""),
                   RIG_OP("e", "Add", "'c', 'd'", "")));
}
END_TEST

/* Of two that cross and begin at once, both with the input at 0, a on the NPU (32 + 32 u) and b on the GPU (32 + 64), the first of the file goes first. */
START_TEST(both_cross)
{
#define NOT_ON(name, processor) LAYER(name, "i", "2", ", 'support': {'" processor "': false}")
  static const char *const nets[] = {RIG_NET(RIG_IN("i", "1, 8, 8, 128"), "'a', 'b'", NOT_ON("a", "gpu") "," NOT_ON("b", "npu")),
                                     RIG_NET(RIG_IN("i", "1, 8, 8, 128"), "'a', 'b'", NOT_ON("b", "npu") "," NOT_ON("a", "gpu"))};
  for (int k = 0; k < 2; k++) {
    struct rig r;
    open_with(&r, soc, nets[k]);
    struct hs_placement *pl = plan(&r, "heft", NULL, 0);
    order_is(pl, k == 0 ? "ab" : "ba");
    check_plan(&r, pl, k == 0 ? "npu | gpu" : "gpu | npu");
    hs_placement_release(pl);
    rig_close(&r);
  }
}
END_TEST

/* x, on the CPU, reads a and begins as soon as that is there, as c does on the NPU: it goes first, and c isn't joined to a's slice, for which x would have to
 * wait. */
START_TEST(what_does_not_join)
{
  struct rig r;
  open_with(&r, soc, RIG_NET(RIG_IN("i", "1, 8, 8, 128"), "'d'", LAYER("a", "i", "2", "") "," LAYER("c", "a", "1", "") "," LAYER("x", "a", "1", CPUS_ONLY) ","
                             RIG_OP("d", "Add", "'c', 'x'", "")));
  struct hs_placement *pl = plan(&r, "heft", NULL, 0);
  order_is(pl, "axcd");
  check_plan(&r, pl, "npu | cpu | npu | cpu");
  hs_placement_release(pl);
  rig_close(&r);
}
END_TEST

/* The gap: x (CPUs only, 3×3: 576 u) is ready when a is, on the NPU, back on the host: at 40 + 32. Before that the cpu is free,
 * and z (CPUs only, 1×1: 64 u, and of 144 channels exactly 72), which has the least rank, fits there. In file order z would be last. */
START_TEST(gap)
{
  static const char *const nets[] = {
    RIG_NET(RIG_IN("i", "1, 8, 8, 128"), "'y', 'z'", LAYER("a", "i", "1", "") "," LAYER("x", "a", "3", CPUS_ONLY) "," LAYER("y", "x", "1", CPUS_ONLY) ","
            LAYER("z", "i", "1", CPUS_ONLY)),
    RIG_NET(RIG_IN("i", "1, 8, 8, 128"), "'y', 'z'", LAYER("a", "i", "1", "") "," LAYER("x", "a", "3", CPUS_ONLY) "," LAYER("y", "x", "1", CPUS_ONLY) ","
            RIG_OP("z", "Conv", "'i'", ", 'channels': 144, 'kernel': [1, 1]" CPUS_ONLY))};
  for (int k = 0; k < 2; k++) {
    struct rig r;
    open_with(&r, soc, nets[k]);
    struct hs_placement *pl = plan(&r, "heft", NULL, 0);
    order_is(pl, "azxy");
    check_plan(&r, pl, "npu | cpu cpu cpu");
    hs_placement_release(pl);
    rig_close(&r);
  }
}
END_TEST

#define INVOKED /* 32 u at any clock, as a driver's call takes */ \
  RIG_STEP("transform", "0", "0") "," RIG_STEP("map", "0", "0") "," RIG_STEP("sync", "0", "0") "," \
  RIG_STEP("rpc", CROSSING, "0") "," RIG_STEP("launch", "0", "0")
static const char far_npu[] =
  RIG_HEAD("x", "8e9", "1e13")
  RIG_PROCESSOR("cpu", "cpu", "processor-shared", "1e13", "", ONE_CORE("big", "'fp32': 16", RIG_OPP(LOW, "0.5", "0.21875", "0.25") ","
                RIG_OPP(HIGH, "1", "1.75", "0.25"))) ","
  RIG_PROCESSOR("npu", "npu", "queued", "1e13", "", ONE_CORE("npu", "'fp16': 128", RIG_OPP(HIGH, "1", "0.75", "0.25")))
  "], 'sharing_costs': [" RIG_SHARE("cpu", "npu", INVOKED) "," RIG_SHARE("npu", "cpu", STEPS("0", CROSSING)) RIG_TAIL_OF("'cpu', 'npu'");

#define FIVE_SMALL                                                                                                                      \
  RIG_NET(RIG_IN("i", "1, 8, 4, 128"), "'e'", LAYER("a", "i", "1", "") "," LAYER("b", "a", "1", "") "," LAYER("c", "b", "1", "") ","    \
          LAYER("d", "c", "1", "") "," LAYER("e", "d", "1", ""))

/* HEFT looks one operator ahead, so a slower CPU can make it faster. Five layers of 2^19 MACs: 32 u on the CPU, 4 u on the NPU behind a call of 32
 * u. The first ends on the CPU at 32 < 36 u, and so does each after it: 160 u. At half the clock the CPU takes 64 u, all go to the NPU: 32 + 5 · 4 +
 * SYNC 32 = 84 u, which they could have had before. */
START_TEST(greedy)
{
  struct rig r;
  open_with(&r, far_npu, FIVE_SMALL);
  static const struct {
    const char *plan;
    double latency_u;
  } at[] = {{"npu npu npu npu npu", 84}, {"cpu cpu cpu cpu cpu", 160}};
  for (int level = 1; level >= 0; level--) {
    r.sys.backends[0].opp[0] = level;
    struct hs_placement *pl = plan(&r, "heft", NULL, 0);
    check_plan(&r, pl, at[level].plan);
    DERIVE("their latency", lowered(&r, pl).latency_s, at[level].latency_u * u);
    hs_placement_release(pl);
  }
  rig_close(&r);
}
END_TEST

/* A call of 16 u, and an invocation that costs 16 u more (2^14 cycles at 2^30 Hz) whatever it computes, are the call of 32 u: neither is for the sake
 * of one layer. Without that cost each layer would go to the NPU, at 16 + 4 < 32 u. */
START_TEST(what_an_invocation_costs)
{
  char *near = hs_test_replace(far_npu, "'rpc': {'fixed_s': " CROSSING, "'rpc': {'fixed_s': 1.52587890625e-05");
  for (int starts = 0; starts < 2; starts++) {
    struct rig r;
    open_with(&r, near, FIVE_SMALL);
    struct hs_kernel k = *r.sys.backends[1].kernel;
    k.start_cycles = starts * 0x1p14;
    r.sys.backends[1].kernel = &k;
    struct hs_placement *pl = plan(&r, "heft", NULL, 0);
    check_plan(&r, pl, starts ? "cpu cpu cpu cpu cpu" : "npu npu npu npu npu");
    hs_placement_release(pl);
    rig_close(&r);
  }
  free(near);
}
END_TEST

/* Who is planned first, by hand, and so begins first on the CPU. A move takes 32 u in the mean over pairs of different processors (those of
 * one with itself, which take none, would make it 24). a and b, for CPUs only, have (64 + 256)/2 = 160 u each: a's rank is 352, and x's, of
 * 278 channels, 347.5. So a, x, b; x would be before a. A tensor that several read has the greatest of their ranks: b's of 160 or c's of
 * 640, so that a has 832, and x of 144 channels and 2×2 720: a, x (64 to 352 u), c (on the CPU behind it), b (on little cores beside x, and
 * in file order before it). */
START_TEST(ranks)
{
#define RANKED(name, input, channels, k) RIG_OP(name, "Conv", "'" input "'", ", 'channels': " channels ", 'kernel': [" k ", " k "], 'pad': 'same'" CPUS_ONLY)
  static const struct {
    const char *net, *order;
  } cases[] = {
    {RIG_NET(RIG_IN("i", "1, 8, 8, 128"), "'b', 'x'", RANKED("a", "i", "128", "1") "," RANKED("b", "a", "128", "1") "," RANKED("x", "i", "278", "1")), "axb"},
    {RIG_NET(RIG_IN("i", "1, 8, 8, 128"), "'b', 'c', 'x'", RANKED("a", "i", "128", "1") "," RANKED("b", "a", "128", "1") "," RANKED("c", "a", "128", "2") ","
             RANKED("x", "i", "144", "2")), "abxc"}};
  for (int i = 0; i < 2; i++) {
    struct rig r;
    open_with(&r, soc, cases[i].net);
    struct hs_placement *pl = plan(&r, "heft", NULL, 0);
    order_is(pl, cases[i].order);
    hs_placement_release(pl);
    rig_close(&r);
  }
}
END_TEST

/* One decision each: the network, in which order its operators are handed out, and where each is. */
#define NO_NPU(name, input, k) LAYER(name, input, k, ", 'support': {'npu': false}")
static const struct {
  const char *outputs, *ops, *order, *plan;
} small[] = {
  /* An operator with two results has the greater of their ranks: s that of the first, which b reads, so s is planned before b, on the CPU, where it ends
   * sooner. b takes 288 u there (1152 on little cores), c 32 behind it or 128 on little cores beside it. */
  {"'b', 'c'", RIG_OP("s", "Split", "'i'", ", 'axis': 3, 'outputs': ['p', 'q']" CPUS_ONLY) "," RANKED("b", "p", "128", "3") "," RANKED("c", "q", "128", "1"),
   "sbc", "cpu cpu | cpu-little"},
  /* a, for 576 u on the CPU, and b, for 256 u on little cores, both from 0 on. c needs both and begins at 576, d only b, and begins at 256. */
  {"'c', 'd'", RANKED("a", "i", "128", "3") "," RANKED("b", "i", "128", "1") "," RIG_OP("c", "Add", "'a', 'b'", CPUS_ONLY) "," RANKED("d", "b", "128", "1"),
   "abdc", "cpu | cpu-little cpu-little | cpu"},
  /* Nothing crosses to little cores, as CPUs share the host's memory: b, which begins there at 0, stays behind a, which does on the CPU (576 u; with b 640). */
  {"'a', 'b'", RANKED("a", "i", "128", "3") "," RANKED("b", "i", "128", "1"), "ab", "cpu | cpu-little"},
  /* Equal ends: behind a, 192 u, b ends at 256 on the CPU, as on little cores. */
  {"'a', 'b'", RANKED("a", "i", "384", "1") "," RANKED("b", "i", "128", "1"), "ab", "cpu cpu"},
  /* A GPU isn't invoked by slices: c, whose input a made there, stays behind b, which begins when a does. */
  {"'b', 'c'", NO_NPU("a", "i", "2") "," LAYER("b", "i", "2", CPUS_ONLY) "," NO_NPU("c", "a", "1"), "abc", "gpu | cpu | gpu"},
};

START_TEST(decides)
{
  struct rig r;
  struct hs_text net = {0};
  hs_text_addf(&net, RIG_NET(RIG_IN("i", "1, 8, 8, 128"), "%s", "%s"), small[_i].outputs, small[_i].ops);
  open_with(&r, soc, net.s);
  struct hs_placement *pl = plan(&r, "heft", NULL, 0);
  order_is(pl, small[_i].order);
  check_plan(&r, pl, small[_i].plan);
  hs_placement_release(pl);
  rig_close(&r);
  hs_text_free(&net);
}
END_TEST

/* a begins at 0, as its input crosses, but so does r, which makes that and takes no time on the CPU, whose own memory it doesn't leave. */
START_TEST(who_makes_it_goes_first)
{
  struct rig r;
  open_with(&r, soc, RIG_NET(RIG_IN("i", "1, 64, 1, 128"), "'a'", RIG_OP("r", "Reshape", "'i'", ", 'shape': [1, 8, 8, 128]") "," LAYER("a", "r", "1", "")));
  r.soc->processors[FIVE_CPU].local_bytes = 1e6;
  struct hs_placement *pl = plan(&r, "heft", NULL, 0);
  order_is(pl, "ra");
  check_plan(&r, pl, "cpu | npu");
  hs_placement_release(pl);
  rig_close(&r);
}
END_TEST

/* Two NPUs: a and b begin at 0, one on each (32 + 32 u; b behind a would end at 96), c and d, which read them, at 64. c joins a's slice, in front of b, and
 * d that of b. */
START_TEST(slices_side_by_side)
{
  char *two = hs_test_replace(far_npu, "], 'sharing_costs'", "," RIG_PROCESSOR("npu-2", "npu", "queued", "1e13", "", ONE_CORE("npu-2", "'fp16': 128",
                              RIG_OPP(HIGH, "1", "0.75", "0.25"))) "], 'sharing_costs'");
  char *all = hs_test_replace(two, "'cpu', 'npu'", "'cpu', 'npu', 'npu-2'");
  struct rig r;
  open_with(&r, all, RIG_NET(RIG_IN("i", "1, 8, 8, 128"), "'c', 'd'", LAYER("a", "i", "2", "") "," LAYER("b", "i", "2", "") "," LAYER("c", "a", "1", "") ","
                             LAYER("d", "b", "1", "")));
  struct hs_placement *pl = plan(&r, "heft", NULL, 0);
  order_is(pl, "acbd");
  check_plan(&r, pl, "npu npu | npu-2 npu-2");
  hs_placement_release(pl);
  rig_close(&r);
  free(all);
  free(two);
}
END_TEST

static void fill(TCase *t)
{
  tcase_add_loop_test(t, decides, 0, sizeof small / sizeof *small);
  tcase_add_test(t, who_makes_it_goes_first);
  tcase_add_test(t, slices_side_by_side);
  tcase_add_test(t, ranks);
  tcase_add_test(t, what_an_invocation_costs);
  tcase_add_test(t, greedy);
  tcase_add_test(t, chain);
  tcase_add_loop_test(t, start_counts, 0, 3);
  tcase_add_test(t, slices);
  tcase_add_test(t, branches);
  tcase_add_test(t, what_crosses_goes_first);
  tcase_add_test(t, both_cross);
  tcase_add_test(t, what_does_not_join);
  tcase_add_test(t, gap);
}

int main(void) { return hs_test_main("heft", fill); }
