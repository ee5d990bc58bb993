/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Does the engine do what it is told while tasks run: frequencies, caps, leakage, weights, slices of a GPU? */
#include "tests/model/phone.h"

/* 10e6 of 25e6 cycles by 4 ms, the rest at 0.8 GHz. */
START_TEST(frequency_changes_in_the_middle_of_a_task)
{
  struct alive x;
  alive_open(&x, PHONE, NULL, NULL);
  alive_add(&x, CPU, 0, 25e6, 0);
  alive_do(&x, SET_OPP, 4 * MS, CPU, 1, 0);
  const struct alive_run *run = alive_go(&x);
  ALIVE("duration", run->done_s[0], 4 * MS + 15e6 / 0.8e9);
  ALIVE("energy", seen(run, 0, 0)->energy_j, 4 * MS * (2.39 + 0.037) + 15e6 / 0.8e9 * (0.31 + 0.023));
  ALIVE("cycles", seen(run, 0, 0)->cycles[1], 25e6);
  ck_assert_double_eq(seen(run, 0, 0)->cycles[0], 0); /* no core of it took part */
  ALIVE("the core was busy all the time", run->busy_s[CPU][1][0], 4 * MS + 15e6 / 0.8e9);
  ck_assert_double_eq(run->busy_s[CPU][0][0], 0);
  ALIVE("as the engine sums it", run->energy_j[CPU], 4 * MS * (2.39 + 0.037) + 15e6 / 0.8e9 * (0.31 + 0.023));
  alive_close(&x);
}
END_TEST

/* A task of four threads is as slow as its slowest core: of the mids' 16e6 cycles 6.4e6 are done by 4 ms, 9.6e6 take 16 ms at 0.6 GHz. */
START_TEST(the_slowest_core_decides_after_a_change)
{
  struct alive x;
  alive_open(&x, PHONE, NULL, NULL);
  alive_add(&x, CPU, 16e6, 25e6, 0);
  alive_do(&x, SET_OPP, 4 * MS, CPU, 0, 0);
  const struct alive_run *run = alive_go(&x);
  ALIVE("duration", run->done_s[0], 4 * MS + 9.6e6 / 0.6e9);
  ALIVE("energy", run->energy_j[CPU], 4 * MS * (3 * 0.57 + 0.021 + 2.39 + 0.037) + 16 * MS * (3 * 0.11 + 0.013 + 2.39 + 0.037));
  alive_close(&x);
}
END_TEST

/* 4 ms at 2.5 GHz, 3 ms at the cap's 1.5: 14.5e6 of 25e6 cycles; then at 2.5 again. A level that is asked for is capped, too. */
START_TEST(a_cap_holds_while_it_is_there)
{
  for (int opp = -1; opp <= 2; opp += 3) {
    struct alive x;
    alive_open(&x, PHONE, NULL, NULL);
    alive_add(&x, CPU, 0, 25e6, 0)->opp = opp;
    alive_do(&x, SET_CAP, 4 * MS, CPU, 1, 1);
    alive_do(&x, SET_CAP, 7 * MS, CPU, 1, 2);
    const struct alive_run *run = alive_go(&x);
    ALIVE("duration", run->done_s[0], 7 * MS + 10.5e6 / 2.5e9);
    ALIVE("cycles", seen(run, 0, 0)->cycles[1], 25e6);
    ALIVE("energy", run->energy_j[CPU], (4 * MS + 10.5e6 / 2.5e9) * (2.39 + 0.037) + 3 * MS * (0.93 + 0.029));
    alive_close(&x);
  }
}
END_TEST

/* A level set while a cap is lower waits for the end of the cap; a task with a level of its own doesn't hear of it. */
START_TEST(levels_are_set_below_caps)
{
  struct alive x;
  alive_open(&x, PHONE, NULL, NULL);
  alive_add(&x, CPU, 0, 25e6, 0);
  alive_do(&x, SET_CAP, 0, CPU, 1, 0);
  alive_do(&x, SET_OPP, 1 * MS, CPU, 1, 1);
  alive_do(&x, SET_CAP, 5 * MS, CPU, 1, 2);
  const struct alive_run *run = alive_go(&x);
  ALIVE("5 ms at 0.8 GHz, then 1.5", run->done_s[0], 5 * MS + 21e6 / 1.5e9);
  alive_close(&x);
  alive_open(&x, PHONE, NULL, NULL);
  alive_add(&x, CPU, 0, 25e6, 0)->opp = 2;
  alive_do(&x, SET_OPP, 1 * MS, CPU, 1, 0);
  run = alive_go(&x);
  ALIVE("its own level", run->done_s[0], 25e6 / 2.5e9);
  alive_close(&x);
}
END_TEST

START_TEST(leakage_is_a_factor_on_static_power)
{
  struct alive x;
  alive_open(&x, PHONE, NULL, NULL);
  alive_add(&x, GPU, 5.85e6, 0, 0);
  alive_do(&x, SET_LEAKAGE, 4 * MS, GPU, 0, 3);
  const struct alive_run *run = alive_go(&x);
  ALIVE("energy", run->energy_j[GPU], 10 * MS * 1.9 + (4 * MS + 3 * 6 * MS) * 0.09);
  ck_assert_double_eq(run->energy_j[CPU], 0);
  alive_close(&x);
}
END_TEST

/* Of the core 3/4 and 1/4: the inference's 30e6 cycles take 16 ms, the rival has then 10e6 of its 30e6 and goes on alone. */
START_TEST(weights_share_a_core)
{
  struct alive x;
  alive_open(&x, PHONE, NULL, NULL);
  alive_add(&x, CPU, 0, 30e6, 0);
  alive_do(&x, SET_WEIGHT, 0, 0, 0, 3);
  alive_rival(&x, 0, 0, alive_task(CPU, 0, 30e6, 0), 1);
  const struct alive_run *run = alive_go(&x);
  ALIVE("inference", run->done_s[0], 30e6 / 2.5e9 / (3. / 4));
  ALIVE("rival", seen(run, ALIVE_RIVAL, 0)->end_s, 16 * MS + 20e6 / 2.5e9);
  ALIVE("both: the time of all cycles", run->busy_s[CPU][1][0], 60e6 / 2.5e9);
  ALIVE("energy of the core", run->energy_j[CPU], 60e6 / 2.5e9 * (2.39 + 0.037));
  alive_close(&x);
}
END_TEST

/* The memory knows of no weights: 6.5 GB/s each until the inference has its 26 MB, at 4 ms. */
START_TEST(weights_do_not_share_the_memory)
{
  struct alive x;
  alive_open(&x, PHONE, NULL, NULL);
  alive_add(&x, CPU, 10, 10, 26e6);
  alive_do(&x, SET_WEIGHT, 0, 0, 0, 3);
  alive_rival(&x, 0, 0, alive_task(GPU, 10, 0, 65e6), 1);
  const struct alive_run *run = alive_go(&x);
  ALIVE("inference", run->done_s[0], 26e6 / 6.5e9);
  ALIVE("rival", seen(run, ALIVE_RIVAL, 0)->end_s, 4 * MS + 39e6 / 11e9);
  alive_close(&x);
}
END_TEST

/* Alone a weight changes nothing, be it the cores or the memory (9 GB/s) that decide, or be there bytes only. */
START_TEST(a_weight_alone_changes_nothing)
{
  struct alive x;
  alive_open(&x, PHONE, NULL, NULL);
  alive_add(&x, CPU, 16e6, 25e6, 45e6);
  alive_add(&x, CPU, 16e6, 25e6, 180e6);
  alive_add(&x, GPU, 0, 0, 0)->work = (struct hs_work){.cores = {1}, .bytes = 11e6, .power_factor = 1};
  alive_do(&x, SET_WEIGHT, 0, 0, 0, HS_WEIGHT_MAX);
  const struct alive_run *run = alive_go(&x);
  ALIVE("cores decide", seen(run, 0, 0)->end_s, 10 * MS);
  ALIVE("memory decides", seen(run, 0, 1)->end_s, 10 * MS + 20 * MS);
  ALIVE("bytes only", seen(run, 0, 2)->end_s, 30 * MS + 1 * MS);
  alive_close(&x);
}
END_TEST

/* From its next task on, and for inferences only: 22 MB at 11 GB/s, then 44; the rival's 11 MB as ever. */
START_TEST(traffic_is_a_factor_on_bytes)
{
  struct alive x;
  alive_open(&x, PHONE, NULL, NULL);
  alive_add(&x, GPU, 10, 0, 22e6);
  alive_add(&x, GPU, 10, 0, 22e6);
  alive_do(&x, SET_TRAFFIC, 1 * MS, 0, 0, 2);
  alive_rival(&x, 0, 10 * MS, alive_task(GPU, 10, 0, 11e6), 1);
  const struct alive_run *run = alive_go(&x);
  ALIVE("the one before", seen(run, 0, 0)->end_s, 2 * MS);
  ALIVE("the next", seen(run, 0, 1)->end_s, 2 * MS + 4 * MS);
  ALIVE("its bytes", seen(run, 0, 1)->bytes, 2 * 22e6);
  ALIVE("the rival", seen(run, ALIVE_RIVAL, 0)->end_s, 10 * MS + 1 * MS);
  alive_close(&x);
}
END_TEST

/* An inference of nine kernels of 3 ms has the GPU; others want 1 ms of it from 1 and from 14 ms on. Kernel by kernel they wait for the one
 * that runs: until 3 ms, and from 13 ms (3 + 1 + 3·3, another has begun) until 16. With slices of 10 ms for the first kernel end
 * after 10 ms: 12; and, the next slice beginning at 13, for the first after 23: 25. */
START_TEST(a_gpu_with_slices_stays_with_a_client)
{
  for (int slices = 0; slices < 2; slices++) {
    struct alive x;
    char *soc = MALI("0.01");
    alive_open(&x, slices ? soc : PHONE, NULL, NULL);
    for (int i = 0; i < 9; i++) alive_add(&x, GPU, 3 * 585e3, 0, 0);
    alive_rival(&x, 0, 1 * MS, alive_task(GPU, 585e3, 0, 0), 1);
    alive_rival(&x, 1, 14 * MS, alive_task(GPU, 585e3, 0, 0), 1);
    const struct alive_run *run = alive_go(&x);
    ALIVE(slices ? "after a slice" : "after a kernel", seen(run, ALIVE_RIVAL, 0)->start_s, (slices ? 12 : 3) * MS);
    ALIVE(slices ? "after the next" : "after another", seen(run, ALIVE_RIVAL - 1, 0)->start_s, (slices ? 25 : 16) * MS);
    ALIVE("nothing is lost", run->done_s[0], (9 * 3 + 2) * MS);
    free(soc);
    alive_close(&x);
  }
}
END_TEST

/* Of tasks that end at one time the processor's number decides who is told first, where cores are shared in slices as well. */
START_TEST(what_ends_at_once_is_told_by_processor)
{
  const struct hs_scheduler slices = {10e-3, 3e-3, 2e-3};
  static const int added[] = {NPU, GPU, DSP}, told[] = {GPU, DSP, NPU};
  for (int sliced = 0; sliced < 2; sliced++) {
    struct alive x;
    alive_open(&x, PHONE, NULL, NULL);
    x.r.sys.scheduler = sliced ? &slices : NULL;
    for (int i = 0; i < 3; i++)
      alive_add(&x, added[i], 5 * MS * hs_domain_top(&x.r.soc->processors[added[i]].domains[0])->freq_hz, 0, 0)->n_deps = 0;
    x.inference.n_deps = 0;
    const struct alive_run *run = alive_go(&x);
    ck_assert_int_eq(run->n, 3);
    for (int i = 0; i < 3; i++) ck_assert_int_eq(run->seen[i].processor, told[i]);
    alive_close(&x);
  }
}
END_TEST

static void fill(TCase *t)
{
  tcase_add_test(t, what_ends_at_once_is_told_by_processor);
  tcase_add_test(t, frequency_changes_in_the_middle_of_a_task);
  tcase_add_test(t, the_slowest_core_decides_after_a_change);
  tcase_add_test(t, a_cap_holds_while_it_is_there);
  tcase_add_test(t, levels_are_set_below_caps);
  tcase_add_test(t, leakage_is_a_factor_on_static_power);
  tcase_add_test(t, weights_share_a_core);
  tcase_add_test(t, weights_do_not_share_the_memory);
  tcase_add_test(t, a_weight_alone_changes_nothing);
  tcase_add_test(t, traffic_is_a_factor_on_bytes);
  tcase_add_test(t, a_gpu_with_slices_stays_with_a_client);
}

int main(void) { return hs_test_main("living", fill); }
