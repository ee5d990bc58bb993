/* SPDX-License-Identifier: GPL-3.0-or-later */
/* MOSAIC's baselines under Linux's ondemand, over several samples, on the phone of five.h; and where an operator falls back to. */
#include "tests/policy/five.h"

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
 * than 0.5; of 5/8 it isn't. With c of 7×7 (25088 u) the second sample finds it idle, and Linux doesn't look at what idles: the level stays. */
#define BETWEEN(hz) \
  "'fp16': 64}, 'opps': [" RIG_OPP(LOW, "0.5", "0.21875", "0.25") "," RIG_OPP(hz, "0.625", "0.42724609375", "0.25") "," RIG_OPP(HIGH, "1", "1.75", "0.25")
START_TEST(load_in_between)
{
  static const struct {
    const char *opps, *net, *plan;
  } cases[] = {{BETWEEN("637534208"), NET("16", A, B, LAYER("c", "b", "5", CPUS_ONLY), D, E), "gpu@0 gpu@0 | cpu@0! | gpu@1 gpu@1"},
               {BETWEEN("671088640"), NET("16", A, B, LAYER("c", "b", "5", CPUS_ONLY), D, E), "gpu@0 gpu@0 | cpu@0! | gpu@0 gpu@0"},
               {BETWEEN("637534208"), NET("16", A, B, LAYER("c", "b", "7", CPUS_ONLY), D, E), "gpu@0 gpu@0 | cpu@0! | gpu@1 gpu@1"}};
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

/* 32×32: a 2×2 and b keep the GPU busy for 16·13·32 = 6656 of 10486 u, 63 %, so it takes the level in between, of 63/64, which is the closest to 0.5 + 0.5·0.63
 * of the highest but 0.5. a 3×3 and b do for 9216 u, 87 %: no more than 95 % either, and 0.94 is closest to the level in between. a 4×4 and a 2×2 for b do for
 * 10240 u, 97 %, and it takes the highest, not what is closest to 0.985 of it. c 2×2 starts at 10336 u at the latest and takes 16·4·128 = 8192 u: the second
 * sample is at 20972. */
START_TEST(load_and_the_threshold)
{
#define WITH(a, b) NET("32", LAYER("a", "i", a, ""), LAYER("b", "a", b, ""), LAYER("c", "b", "2", CPUS_ONLY), D, E)
  static const struct {
    const char *net, *plan;
  } cases[] = {{WITH("2", "3"), "gpu@0 gpu@0 | cpu@0! | gpu@1 gpu@1"}, {WITH("3", "3"), "gpu@0 gpu@0 | cpu@0! | gpu@1 gpu@1"},
               {WITH("4", "2"), "gpu@0 gpu@0 | cpu@0! | gpu gpu"}};
  static const char *const ondemand[] = {"governor=ondemand"};
  char *text = hs_test_replace(soc, "'fp16': 64}, 'opps': [" GPU_OPPS, "'fp16': 64}, 'opps': [" RIG_OPP(LOW, "0.5", "0.21875", "0.25") ","
                               RIG_OPP("1056964608", "0.984375", "1.66926", "0.25") "," RIG_OPP(HIGH, "1", "1.75", "0.25"));
  struct rig r;
  open_with(&r, text, cases[_i].net);
  check_plan(&r, plan(&r, "tf-gpu", ondemand, 1), cases[_i].plan);
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

static void fill(TCase *t)
{
  tcase_add_test(t, load_raises);
  tcase_add_test(t, a_start_is_load);
  tcase_add_test(t, load_in_between);
  tcase_add_test(t, load_under_a_ceiling);
  tcase_add_loop_test(t, load_and_the_threshold, 0, 3);
  tcase_add_test(t, the_way_back_passes_time);
  tcase_add_test(t, a_gpu_starts_once);
  tcase_add_test(t, a_way_passes_time);
  tcase_add_test(t, each_slice_of_an_npu_has_its_start);
  tcase_add_test(t, falls_back_to_the_npu_first);
}

int main(void) { return hs_test_main("tf baseline", fill); }
