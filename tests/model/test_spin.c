/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Do threads of a pool draw what the model says while they wait for the next operator? By hand: mids 3 × 0.57 W dynamic and 0.021 W static at 1.6 GHz, the
 * big core, where the calling thread is, 2.39 and 0.037 W at 2.5 GHz, the GPU 1.9 and 0.09 W at 585 MHz. 1 ms is 1.6e6, 2.5e6 and 0.585e6 cycles. */
#include "model/spin.h"
#include "plan/estimate.h"
#include "tests/model/alive.h"

#define PHONE RIG_PHONE("2e9")
#define MS 1e-3
#define ALL_W (3 * 0.57 + 0.021 + 2.39 + 0.037)
#define MIDS_W (3 * 0.57 + 0.021)
#define GPU_W (1.9 + 0.09)

/* The engine's energies, and that the estimate has the same sum. */
static void check_sums(const struct alive *x, const struct alive_run *run, double cpu_j, double gpu_j)
{
  struct hs_estimate e;
  hs_estimate_program(&x->r.sys, &x->inference, &e, NULL, NULL);
  ALIVE("energy of the CPU", run->energy_j[CPU], cpu_j);
  ALIVE("energy of the GPU", run->energy_j[GPU], gpu_j);
  ALIVE("as estimated", e.energy_j, cpu_j + gpu_j);
}

/* Between two operators the GPU works for less or more than the threads' 2 ms. */
START_TEST(threads_wait_while_the_gpu_works)
{
  static const struct {
    double gpu_ms, spin_ms;
  } cases[] = {{0.5, 0.5}, {2, 2}, {7, 2}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct alive x;
    alive_open(&x, PHONE, NULL, NULL);
    alive_add(&x, CPU, 1.6e6, 2.5e6, 0);
    alive_add(&x, GPU, cases[i].gpu_ms * 0.585e6, 0, 0);
    alive_add(&x, CPU, 1.6e6, 2.5e6, 0);
    const struct alive_run *run = alive_go(&x);
    ALIVE("nothing before the first", seen(run, 0, 0)->spun_j[CPU], 0);
    ALIVE("told with the next event", seen(run, 0, 1)->spun_j[CPU], cases[i].spin_ms * MS * MIDS_W);
    ALIVE("once", seen(run, 0, 2)->spun_j[CPU], 0);
    ALIVE("a core that spins is busy", run->busy_s[CPU][0][0], (2 + cases[i].spin_ms) * MS);
    ALIVE("the caller's sleeps", run->busy_s[CPU][1][0], 2 * MS);
    check_sums(&x, run, 2 * MS * ALL_W + cases[i].spin_ms * MS * MIDS_W, cases[i].gpu_ms * MS * GPU_W);
    alive_close(&x);
  }
}
END_TEST

/* The job ends 1 ms after the CPU's last operator: its threads are counted until then. */
START_TEST(threads_wait_until_the_job_ends)
{
  struct alive x;
  alive_open(&x, PHONE, NULL, NULL);
  alive_add(&x, CPU, 1.6e6, 2.5e6, 0);
  alive_add(&x, GPU, 0.585e6, 0, 0);
  x.inferences = 2;
  const struct alive_run *run = alive_go(&x);
  for (int k = 0; k < 2; k++) ALIVE("told with the last event", seen(run, k, 1)->spun_j[CPU], MS * MIDS_W);
  ALIVE("energy", run->energy_j[CPU], 2 * MS * (ALL_W + MIDS_W));
  alive_close(&x);
}
END_TEST

/* What isn't cut runs on the big core beside the mids that wait; or on a mid, whose domain it keeps powered: two others wait, and the big core
 * doesn't, as the caller is there. */
START_TEST(threads_wait_beside_what_is_not_cut)
{
  static const struct {
    double mid, big, power_w, spin_w;
    int mids;
  } cases[] = {{0, 2.5e6, 2.39 + 0.037, MIDS_W, 0}, {1.6e6, 0, 0.57 + 0.021, 2 * 0.57, 1}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct alive x;
    alive_open(&x, PHONE, NULL, NULL);
    alive_add(&x, CPU, 1.6e6, 2.5e6, 0);
    alive_add(&x, CPU, cases[i].mid, cases[i].big, 0)->work.cores[0] = cases[i].mids;
    alive_add(&x, CPU, 1.6e6, 2.5e6, 0);
    const struct alive_run *run = alive_go(&x);
    ALIVE("its own power", seen(run, 0, 1)->energy_j, MS * cases[i].power_w);
    check_sums(&x, run, MS * (2 * ALL_W + cases[i].power_w + cases[i].spin_w), 0);
    alive_close(&x);
  }
}
END_TEST

/* Waits of the host take no core: threads wait on. After two operators they wait from the end of the last. */
START_TEST(threads_wait_through_delays)
{
  struct alive x;
  alive_open(&x, PHONE, NULL, NULL);
  alive_add(&x, CPU, 1.6e6, 2.5e6, 0);
  alive_add(&x, CPU, 1.6e6, 2.5e6, 0);
  *alive_add(&x, CPU, 0, 0, 0) = (struct hs_task){.kind = HS_TASK_SYNC, .tensor = -1, .processor = CPU, .opp = -1, .delay_s = 1.5 * MS,
                                                  .first_dep = 1, .n_deps = 1};
  alive_add(&x, GPU, 5.85e6, 0, 0);
  const struct alive_run *run = alive_go(&x);
  check_sums(&x, run, MS * (2 * ALL_W + 2 * MIDS_W), 10 * MS * GPU_W);
  alive_close(&x);
}
END_TEST

/* 2 ms at the mids' 0.57 W, of which a cap at 0.34 W has the second; leakage doubles after half of that. */
START_TEST(frequency_and_heat_change_meanwhile)
{
  for (int what = SET_OPP; what <= SET_CAP; what++) {
    struct alive x;
    alive_open(&x, PHONE, NULL, NULL);
    alive_add(&x, CPU, 1.6e6, 2.5e6, 0);
    alive_add(&x, GPU, 5.85e6, 0, 0);
    alive_do(&x, what, 2 * MS, CPU, 0, 1);
    alive_do(&x, SET_LEAKAGE, 2.5 * MS, CPU, 0, 2);
    const struct alive_run *run = alive_go(&x);
    ALIVE("energy", run->energy_j[CPU], MS * (ALL_W + MIDS_W + 3 * 0.34 + 0.5 * 0.017 + 0.5 * 2 * 0.017));
    alive_close(&x);
  }
}
END_TEST

/* A task that asks for a level: its threads wait there. */
START_TEST(threads_wait_at_the_level_of_their_task)
{
  struct alive x;
  alive_open(&x, PHONE, NULL, NULL);
  alive_add(&x, CPU, 1.2e6, 1.5e6, 0)->opp = 1;
  alive_add(&x, GPU, 0.585e6, 0, 0);
  const struct alive_run *run = alive_go(&x);
  check_sums(&x, run, MS * (3 * 0.34 + 0.017 + 0.93 + 0.029 + 3 * 0.34 + 0.017), MS * GPU_W);
  alive_close(&x);
}
END_TEST

/* From 1.5 to 2.5 ms somebody else has the mids: they, and what is static of them, are his. The threads had until 3 ms. */
START_TEST(cores_with_work_of_others_are_theirs)
{
  struct alive x;
  alive_open(&x, PHONE, NULL, NULL);
  alive_add(&x, CPU, 1.6e6, 2.5e6, 0);
  alive_add(&x, GPU, 5.85e6, 0, 0);
  alive_rival(&x, 0, 1.5 * MS, alive_task(CPU, 1.6e6, 0, 0), 1);
  const struct alive_run *run = alive_go(&x);
  ALIVE("his energy", seen(run, ALIVE_RIVAL, 0)->energy_j, MS * MIDS_W);
  ALIVE("energy", seen(run, 0, 1)->spun_j[CPU], MS * MIDS_W);
  alive_close(&x);
}
END_TEST

/* From 1.5 to 2 ms another inference has the mids, and then the DSP for some ms, in which two of its threads wait: the caller's, on the first mid, doesn't.
 * They share these two cores with those that have waited since 1 ms and do until 3 ms, and go on alone until 4 ms, whoever came last, and whoever's inference
 * has ended. What is static (0.021 W) is of the core that waits longest: of the first mid, or with 2 ms of the DSP of the second from 2 to 4 ms. */
START_TEST(threads_of_two_inferences_share_what_they_draw)
{
  static const struct {
    double dsp_ms, first_j, other_j, busy_ms;
  } cases[] = {{0, 1.5 * MS * MIDS_W, 0, 3},
               {1, MS * (0.5 * MIDS_W + 0.57 + 0.021 + 2 * 0.5 * 0.57), MS * 2 * 0.5 * 0.57, 3},
               {2, MS * (0.5 * MIDS_W + 0.57 + 2 * 0.5 * 0.57 + 0.5 * 0.021), MS * (2 * 1.5 * 0.57 + 1.5 * 0.021), 4}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct alive x;
    alive_open(&x, PHONE, NULL, NULL);
    alive_add(&x, CPU, 1.6e6, 2.5e6, 0);
    alive_add(&x, GPU, 5.85e6, 0, 0);
    alive_other(&x, 1.5 * MS, alive_task(CPU, 0.8e6, 0, 0), alive_task(DSP, cases[i].dsp_ms * 1.1e6, 0, 0));
    const struct alive_run *run = alive_go(&x);
    ALIVE("of the first", seen(run, 0, 1)->spun_j[CPU], cases[i].first_j);
    ALIVE("of the other", seen(run, ALIVE_OTHER, 1)->spun_j[CPU], cases[i].other_j);
    ALIVE("a core that spins is busy", run->busy_s[CPU][0][1], cases[i].busy_ms * MS);
    ALIVE("energy", run->energy_j[CPU], MS * (ALL_W + 0.5 * MIDS_W) + cases[i].first_j + cases[i].other_j);
    alive_close(&x);
  }
}
END_TEST

/* Beside another inference of which no thread waits, those of the first do, whoever came later. */
START_TEST(threads_wait_beside_an_inference_without)
{
  struct alive x;
  alive_open(&x, PHONE, NULL, NULL);
  alive_add(&x, CPU, 1.6e6, 2.5e6, 0);
  alive_add(&x, GPU, 5.85e6, 0, 0);
  alive_other(&x, 0.5 * MS, alive_task(DSP, 4.4e6, 0, 0), alive_task(DSP, 1.1e6, 0, 0));
  ALIVE("2 ms", seen(alive_go(&x), 0, 1)->spun_j[CPU], 2 * MS * MIDS_W);
  alive_close(&x);
}
END_TEST

/* A pool that doesn't spin, and one of a single thread. */
START_TEST(who_does_not_spin_draws_nothing)
{
  for (int pool = 0; pool < 2; pool++) {
    struct alive x;
    alive_open(&x, PHONE, NULL, NULL);
    if (pool) x.r.sys.backends[CPU].spin_s = 0;
    alive_add(&x, CPU, pool ? 1.6e6 : 0, 2.5e6, 0);
    alive_add(&x, GPU, 0.585e6, 0, 0);
    const struct alive_run *run = alive_go(&x);
    check_sums(&x, run, MS * (pool ? ALL_W : 2.39 + 0.037), MS * GPU_W);
    alive_close(&x);
  }
}
END_TEST

/* Three threads of a task end at 1 s and wait for 2 s, but the caller's on the first core. Until 2.5 s the second core has other work: the third takes
 * 1.5 s · (0.5 W + 3 · 0.1 W static + 0.2 W shared), unless somebody's task keeps the domain powered. One thread alone has nobody to wait. */
START_TEST(one_pool_by_hand)
{
  const struct hs_processor p = {.kind = HS_CPU, .n_domains = 1,
                                 .domains = {{.cores = 4, .n_opps = 1,
                                              .opps = {{.freq_hz = 1e9, .volt = 1, .dynamic_w = 0.5, .static_w = 0.1, .shared_w = 0.2}}}}};
  const struct hs_work three = {.cores = {3}}, one = {.cores = {1}};
  int on_core[HS_CORES_MAX] = {0, 1}, in_domain[HS_DOMAINS_MAX] = {0};
  const struct hs_spin_stretch x = {.from_s = 1, .to_s = 2.5, .leakage = 3, .on_core = on_core, .in_domain = in_domain};
  struct hs_spin s = {0};
  struct hs_spun spun;
  ck_assert(!hs_spin_start(&s, &p, &one, 0, -1, 1, 2));
  ck_assert(!hs_spin_start(&s, &p, &three, 0, -1, 1, 0));
  ck_assert(hs_spin_start(&s, &p, &three, 0, -1, 1, 2));
  hs_spin_pass(&s, &p, &x, &spun);
  ALIVE("the caller's core", spun.joules[0], 0);
  ALIVE("a core with other work", spun.seconds[1], 0);
  ALIVE("who waits", spun.joules[2], 1.5 * (0.5 + 3 * 0.1 + 0.2));
  ALIVE("a core without a thread", spun.joules[3], 0);
  in_domain[0] = 1;
  hs_spin_pass(&s, &p, &x, &spun);
  ALIVE("who waits beside others", spun.joules[2], 1.5 * 0.5);
}
END_TEST

/* One network's threads wait for 20 ms, as ncnn's do; another's, for 2 ms, begin 5 ms later on other cores. What is left of the first
 * still counts when the second ones sleep. */
START_TEST(who_waits_longer_outlasts_others)
{
  const struct hs_processor p = {.kind = HS_CPU, .n_domains = 1,
                                 .domains = {{.cores = 4, .n_opps = 1, .opps = {{.freq_hz = 1e9, .volt = 1, .dynamic_w = 0.5}}}}};
  const struct hs_work two = {.cores = {2}};
  struct hs_spin s = {0};
  ck_assert(hs_spin_start(&s, &p, &two, 0, -1, 1, 20 * MS));
  ck_assert(hs_spin_start(&s, &p, &two, 2, -1, 1 + 5 * MS, 2 * MS));
  ALIVE("the first network's thread", s.until_s[1], 1 + 20 * MS);
  ALIVE("the second's", s.until_s[3], 1 + 7 * MS);
  ck_assert_msg(s.last_s >= s.until_s[1], "nobody is counted after %g s, and a thread waits until %g s", s.last_s, s.until_s[1]);
}
END_TEST

static void fill(TCase *t)
{
  tcase_add_test(t, threads_wait_while_the_gpu_works);
  tcase_add_test(t, threads_wait_until_the_job_ends);
  tcase_add_test(t, threads_wait_beside_what_is_not_cut);
  tcase_add_test(t, threads_wait_through_delays);
  tcase_add_test(t, frequency_and_heat_change_meanwhile);
  tcase_add_test(t, threads_wait_at_the_level_of_their_task);
  tcase_add_test(t, cores_with_work_of_others_are_theirs);
  tcase_add_test(t, threads_of_two_inferences_share_what_they_draw);
  tcase_add_test(t, threads_wait_beside_an_inference_without);
  tcase_add_test(t, who_does_not_spin_draws_nothing);
  tcase_add_test(t, one_pool_by_hand);
  tcase_add_test(t, who_waits_longer_outlasts_others);
}

int main(void) { return hs_test_main("spin", fill); }
