/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Processes beside an inference: where their threads run, what they take of cores, accelerators and memory. */
#include "tests/model/phone.h"

/* k processes with as many threads as the inference: of every core it has 1/(k + 1). */
START_TEST(rivals_make_an_inference_longer)
{
  static const char *const processes[] = {PROCESS("a", ON("cpu"), ALWAYS("4")), PROCESS("b", ON("cpu"), ALWAYS("4")), PROCESS("c", ON("cpu"), ALWAYS("4"))};
  struct hs_text list = {0};
  for (int k = 1; k <= 3; k++) {
    struct alive x;
    hs_text_addf(&list, "%s%s", k > 1 ? ", " : "", processes[k - 1]);
    struct hs_text all = {0};
    hs_text_addf(&all, SCENARIO("'processes': [%s]"), list.s);
    alive_open(&x, PHONE, NULL, all.s);
    alive_add(&x, CPU, 16e6, 25e6, 0);
    x.inferences = 5;
    const struct alive_run *run = alive_go(&x);
    for (int i = 0; i < 5; i++) ALIVE("inference i", run->done_s[i], (i + 1) * (k + 1) * 10 * MS);
    hs_text_free(&all);
    alive_close(&x);
  }
  hs_text_free(&list);
}
END_TEST

/* The big core has half of its time for the inference, the mids wait for it. Elsewhere the rival doesn't matter. */
START_TEST(a_rival_on_one_core_slows_all_threads)
{
  struct alive x;
  alive_open(&x, PHONE, NULL, SCENARIO("'processes': [" PROCESS("a", ON("cpu.big"), ALWAYS("1")) "]"));
  alive_add(&x, CPU, 16e6, 25e6, 0);
  alive_add(&x, CPU, 16e6, 0, 0);
  const struct alive_run *run = alive_go(&x);
  ALIVE("four threads", seen(run, 0, 0)->end_s, 2 * 10 * MS);
  ALIVE("three of them", run->done_s[0], 20 * MS + 10 * MS);
  ALIVE("of four cores one half of the time the rival's", seen(run, 0, 0)->share_s, 20 * MS * (3 + 0.5) / 4);
  ALIVE("and of three none", seen(run, 0, 1)->share_s, 10 * MS);
  ck_assert_int_eq(seen(run, -1, 0)->domain, 1);
  alive_close(&x);
  alive_open(&x, PHONE, NULL, SCENARIO("'processes': [" PROCESS("a", ON("cpu-little"), ALWAYS("4")) "]"));
  alive_add(&x, CPU, 16e6, 25e6, 0);
  ALIVE("on other cores", alive_go(&x)->done_s[0], 10 * MS);
  alive_close(&x);
}
END_TEST

/* Weights 1024 · 1.25^-nice, as whole multiples of the smallest: 1024 to 335.5 is 3 to 1; 1024 to 335.5 to 110 is 9 to 3 to 1;
 * 1024 to 3125 (nice -5) is 1 to 3; and with nice 19 and -20 no more than 16 to 1, beside which 110 keeps its 1.7, 2. */
START_TEST(nice_processes_have_smaller_shares)
{
  static const struct {
    const char *processes;
    double own, all;
  } cases[] = {
    {PROCESS("a", "'nice': 5, " ON("cpu.big"), ALWAYS("1")), 3, 3 + 1},
    {PROCESS("a", "'nice': 5, " ON("cpu.big"), ALWAYS("1")) "," PROCESS("b", "'nice': 10, " ON("cpu.big"), ALWAYS("1")), 9, 9 + 3 + 1},
    {PROCESS("a", "'nice': -5, " ON("cpu.big"), ALWAYS("1")), 1, 1 + 3},
    {PROCESS("a", "'nice': 19, " ON("cpu.big"), ALWAYS("1")), 16, 16 + 1},
    {PROCESS("a", "'nice': -20, " ON("cpu.big"), ALWAYS("1")), 1, 1 + 16},
    {PROCESS("a", "'nice': 10, " ON("cpu.big"), ALWAYS("1")) "," PROCESS("b", "'nice': 19, " ON("cpu.big"), ALWAYS("1")), 16, 16 + 2 + 1},
  };
  for (int i = 0; i < 6; i++) {
    struct hs_text all = {0};
    struct alive x;
    hs_text_addf(&all, SCENARIO("'processes': [%s]"), cases[i].processes);
    alive_open(&x, PHONE, NULL, all.s);
    alive_add(&x, CPU, 0, 2.5e6, 0);
    ALIVE("inference", alive_go(&x)->done_s[0], 1 * MS * cases[i].all / cases[i].own);
    hs_text_free(&all);
    alive_close(&x);
  }
}
END_TEST

/* Where the only thread of a process runs; the phone is idle. */
static const struct seen *first_burst(struct alive *x, const char *scenario)
{
  alive_open(x, PHONE, NULL, scenario);
  x->inferences = 0;
  x->until_s = 100 * MS;
  return seen(alive_go(x), -1, 0);
}

/* fits_capacity(): 1.25 · duty < 1. Little for what fits, else the largest core; affinity first. Of equal cores the first. */
START_TEST(threads_wake_up_where_they_fit)
{
  static const struct {
    const char *scenario;
    int processor, domain;
  } cases[] = {
    {SCENARIO("'processes': [" PROCESS("light", "", "'threads': 1, 'duty_frac': 0.3") "]"), LITTLE, 0},
    {SCENARIO("'processes': [" PROCESS("just", "", "'threads': 1, 'duty_frac': 0.79") "]"), LITTLE, 0},
    {SCENARIO("'processes': [" PROCESS("heavy", "", "'threads': 1, 'duty_frac': 0.81") "]"), CPU, 1},
    {SCENARIO("'processes': [" PROCESS("light", ON("cpu"), "'threads': 1, 'duty_frac': 0.3") "]"), CPU, 0},
    {SCENARIO("'processes': [" PROCESS("heavy", ON("cpu.mid"), "'threads': 1, 'duty_frac': 0.9") "]"), CPU, 0},
    {SCENARIO("'processes': [" PROCESS("heavy", ON("cpu-little"), "'threads': 1, 'duty_frac': 0.9") "]"), LITTLE, 0},
  };
  for (int i = 0; i < 6; i++) {
    struct alive x;
    const struct seen *s = first_burst(&x, cases[i].scenario);
    ck_assert_msg(s->processor == cases[i].processor && s->domain == cases[i].domain && s->core == 0, "case %d: on %d.%d.%d", i, s->processor, s->domain, s->core);
    alive_close(&x);
  }
}
END_TEST

START_TEST(threads_take_idle_cores)
{
  struct alive x;
  unsigned clusters[HS_PROCESSES_MAX * HS_THREADS_MAX];
  alive_open(&x, PHONE, NULL,
             SCENARIO("'processes': [" PROCESS("a", "", "'threads': 3, 'duty_frac': 0.9") ","
                      PROCESS("b", "'arrivals': 'poisson', ", "'threads': 3, 'duty_frac': 0.5") ","
                      PROCESS("c", "'period_s': 0.007, " ON("cpu"), "'threads': 2, 'duty_frac': 0.4") "], 'ui': {'rate_hz': 60}"));
  x.inferences = 20;
  x.until_s = 3;
  alive_add(&x, CPU, 16e6, 25e6, 0);
  alive_add(&x, GPU, 5.85e6, 0, 0);
  alive_go(&x);
  ck_assert_int_gt(x.out->n, 1000);
  list_clusters(&x, clusters);
  check_placement(&x, clusters, 2.5);
  alive_close(&x);
}
END_TEST

/* 50 bursts of 0.3 · 20 ms in a second; the phase from 1 to 2 s has two threads of half of that. */
START_TEST(duty_cycles_are_kept)
{
  struct alive x;
  alive_open(&x, PHONE, NULL,
             SCENARIO("'processes': [{'name': 'a', 'phases': [{'to_s': 1, 'threads': 1, 'duty_frac': 0.3}, "
                      "{'from_s': 2, 'to_s': 3, 'threads': 2, 'duty_frac': 0.15}]}]"));
  x.inferences = 0;
  x.until_s = 4;
  const struct alive_run *run = alive_go(&x);
  ALIVE("a burst", seen(run, -1, 0)->end_s - seen(run, -1, 0)->start_s, 0.3 * 20 * MS);
  ALIVE("busy", busy(run, LITTLE), 1 * 0.3 + 2 * 0.15);
  int early = 0, late = 0;
  for (int i = 0; i < run->n; i++) {
    early += run->seen[i].start_s < 1;
    late += run->seen[i].start_s >= 2 && run->seen[i].start_s < 3;
  }
  ck_assert_int_eq(early, 50);
  ck_assert_int_eq(late, 2 * 50);
  ck_assert_int_eq(run->n, 150);
  alive_close(&x);
}
END_TEST

/* Bursts that come at random keep the mean: 5000 of them in 100 s, so within 5 / √5000 = 7 %; that they wait for each other changes
 * nothing. (If the next came only after the one before had ended, a duty of 0.6 would become 0.6 / (0.6 + e^-0.6) = 0.52.) */
START_TEST(bursts_at_random_keep_the_mean)
{
  struct alive x;
  alive_open(&x, PHONE, NULL, SCENARIO("'processes': [" PROCESS("a", "'arrivals': 'poisson', ", "'threads': 1, 'duty_frac': 0.6, 'gpu_frac': 0.6") "]"));
  x.inferences = 0;
  x.until_s = 100;
  const struct alive_run *run = alive_go(&x);
  rig_derive("load of a core", "0.6", busy(run, LITTLE) / 100, 0.6, 5 / sqrt(5000));
  rig_derive("load of the GPU, kernels of 5 ms", "0.6", busy(run, GPU) / 100, 0.6, 5 / sqrt(12000));
  double first = seen(run, -1, 0)->start_s;
  x.seed = 2;
  ck_assert_double_ne(seen(alive_go(&x), -1, 0)->start_s, first);
  alive_close(&x);
}
END_TEST

/* Kernels of k rivals, 5 ms each, run one after the other. Each of the inference's of 3 ms waits for one of all of them on the GPU, of which
 * the SoC file says nothing more; on the DSP the first does, and the invocation isn't broken off. */
START_TEST(rivals_on_an_accelerator_take_turns)
{
  static const char *const scenarios[] = {
    SCENARIO("'processes': [" PROCESS("a", "", "'gpu_frac': 1") "]"),
    SCENARIO("'processes': [" PROCESS("a", "", "'gpu_frac': 1") "," PROCESS("b", "", "'gpu_frac': 1") "]"),
    SCENARIO("'processes': [" PROCESS("a", "", "'dsp_frac': 1") "]"),
    SCENARIO("'processes': [" PROCESS("a", "", "'dsp_frac': 1") "," PROCESS("b", "", "'dsp_frac': 1") "]"),
  };
  for (int i = 0; i < 4; i++) {
    struct alive x;
    int p = i < 2 ? GPU : DSP, k = 1 + i % 2;
    alive_open(&x, PHONE, NULL, scenarios[i]);
    for (int n = 0; n < 4; n++) alive_add(&x, p, 3 * MS * (p == GPU ? 585e6 : 1.1e9), 0, 0);
    const struct alive_run *run = alive_go(&x);
    ALIVE("inference of four kernels", run->done_s[0], (p == GPU ? 4 * (3 + k * 5) : k * 5 + 4 * 3) * MS);
    ck_assert_double_eq(busy(run, CPU) + busy(run, LITTLE), 0);
    alive_close(&x);
  }
}
END_TEST

/* A load of 0.25: 5 ms in each 20. */
START_TEST(a_load_of_an_accelerator_is_kept)
{
  struct alive x;
  alive_open(&x, PHONE, NULL, SCENARIO("'processes': [" PROCESS("a", "", "'gpu_frac': 0.25, 'dsp_frac': 0.5") "]"));
  x.inferences = 0;
  x.until_s = 1;
  const struct alive_run *run = alive_go(&x);
  ALIVE("GPU", busy(run, GPU), 0.25);
  ALIVE("DSP", busy(run, DSP), 0.5);
  alive_close(&x);
}
END_TEST

/* Phases that load one accelerator each: 0.25 of the GPU in the first second, half of the DSP in the next. And threads of the first of two phases, as many
 * as the process ever has. */
START_TEST(phases_load_what_others_do_not)
{
  struct alive x;
  alive_open(&x, PHONE, NULL,
             SCENARIO("'processes': [{'name': 'a', 'phases': [{'to_s': 1, 'gpu_frac': 0.25}, {'from_s': 1, 'to_s': 2, 'dsp_frac': 0.5}]}, "
                      "{'name': 'b', 'phases': [{'to_s': 1, 'threads': 2, 'duty_frac': 0.3}, {'from_s': 1, 'to_s': 2, 'threads': 1, 'duty_frac': 0.3}]}]"));
  x.inferences = 0;
  x.until_s = 3;
  const struct alive_run *run = alive_go(&x);
  ALIVE("GPU", busy(run, GPU), 1 * 0.25);
  ALIVE("DSP", busy(run, DSP), 1 * 0.5);
  ALIVE("two threads, then one", busy(run, LITTLE), 2 * 0.3 + 0.3);
  alive_close(&x);
}
END_TEST

/* At 1 s, 4 of the 5 s from kernel to kernel are left, which at 500 times the load are 8 ms: 1.008, 1.018 ... 1.998 s. That one ends after the phase does, at
 * whose end 8 ms were left to the next, 16 at half the load: 2.016, 2.036 ... 2.996 s. After a phase without kernels one comes at once. */
START_TEST(a_quiet_phase_takes_no_kernels_of_the_next)
{
  struct alive x;
  alive_open(&x, PHONE, NULL,
             SCENARIO("'processes': [{'name': 'a', 'phases': [{'to_s': 1, 'gpu_frac': 0.001}, {'to_s': 2, 'gpu_frac': 0.5}, {'to_s': 3, 'gpu_frac': 0.25}, "
                      "{'to_s': 4, 'dsp_frac': 1}, {'to_s': 5, 'gpu_frac': 0.001}]}]"));
  static const double starts_s[] = {0, 1.008, 1.018}, later_s[] = {1.998, 2.016, 2.036}, last_s[] = {2.996, 4};
  double gpu_s[160];
  int n = 0;
  x.inferences = 0;
  x.until_s = 5;
  const struct alive_run *run = alive_go(&x);
  for (int i = 0; i < run->n; i++)
    if (run->seen[i].processor == GPU && n < 160) gpu_s[n++] = run->seen[i].start_s;
  ck_assert_int_eq(n, 1 + 100 + 50 + 1);
  for (int i = 0; i < 3; i++) ALIVE("at the change to 500 times the load", gpu_s[i], starts_s[i]);
  for (int i = 0; i < 3; i++) ALIVE("at the change to half of it", gpu_s[100 + i], later_s[i]);
  for (int i = 0; i < 2; i++) ALIVE("at the pause", gpu_s[150 + i], last_s[i]);
  alive_close(&x);
  alive_open(&x, PHONE, NULL,
             SCENARIO("'processes': [{'name': 'a', 'arrivals': 'poisson', 'phases': [{'to_s': 1, 'gpu_frac': 1e-4}, {'to_s': 101, 'gpu_frac': 0.6}]}]"));
  x.inferences = 0;
  x.until_s = 101;
  rig_derive("load of the GPU by kernels at random, after a second that has one in 50 s", "0.6", busy(alive_go(&x), GPU) / 100, 0.6, 5 / sqrt(12000));
  alive_close(&x);
}
END_TEST

/* A thread keeps its period over a pause that is shorter: what comes meanwhile doesn't make it begin anew. */
START_TEST(a_short_pause_leaves_a_thread_its_period)
{
  struct alive x;
  alive_open(&x, PHONE, NULL,
             SCENARIO("'processes': [{'name': 'a', 'period_s': 0.3, 'phases': [{'to_s': 0.1, 'threads': 1, 'duty_frac': 0.1}, "
                      "{'from_s': 0.2, 'to_s': 1, 'threads': 1, 'duty_frac': 0.1}]}]"));
  x.inferences = 0;
  x.until_s = 1;
  const struct alive_run *run = alive_go(&x);
  ck_assert_int_eq(run->n, 4);
  for (int i = 0; i < 4; i++) ALIVE("burst i", run->seen[i].start_s, i * 0.3);
  alive_close(&x);
}
END_TEST

/* The GPU attains 11 GB/s of the memory's 13. A thread that computes and takes 2.5 of them leaves it 10.5; another that takes 1.5 leaves it 9; its own
 * bytes don't slow a kernel that computes. */
START_TEST(traffic_of_rivals_slows_what_memory_limits)
{
  static const char *const scenarios[] = {
    SCENARIO("'processes': [" PROCESS("a", ON("cpu.mid"), ALWAYS("1") ", 'dram_bytes_per_s': 2.5e9") "]"),
    SCENARIO("'processes': [" PROCESS("a", ON("cpu.mid"), ALWAYS("1") ", 'dram_bytes_per_s': 2.5e9") ","
             PROCESS("b", ON("cpu-little"), ALWAYS("1") ", 'dram_bytes_per_s': 1.5e9") "]"),
  };
  for (int k = 1; k <= 2; k++) {
    struct alive x;
    alive_open(&x, PHONE, NULL, scenarios[k - 1]);
    alive_add(&x, GPU, 10, 0, 30e6);
    alive_add(&x, GPU, 5.85e6, 0, 1e6);
    const struct alive_run *run = alive_go(&x);
    ALIVE("memory decides", seen(run, 0, 0)->end_s, 30e6 / (k == 1 ? 10.5e9 : 9e9));
    ALIVE("the GPU decides", run->done_s[0] - seen(run, 0, 0)->end_s, 10 * MS);
    alive_close(&x);
  }
}
END_TEST

/* One thread, on the big core, gets its 6 GB/s of the CPU's 9 beside a rival that takes 2 on another core. Of three rivals' 2.5 and its own 6 all four get as
 * much. A rival's own core gives it 2.5, whatever it asks for and wherever the inference's threads are. */
START_TEST(bandwidth_of_cores_is_of_who_runs_on_them)
{
  static const struct {
    const char *phase;
    double inference, rival; /* bytes per second */
  } cases[] = {{"'threads': 1, 'duty_frac': 1, 'dram_bytes_per_s': 2e9", 6e9, 2e9},
               {"'threads': 3, 'duty_frac': 1, 'dram_bytes_per_s': 2.5e9", 2.25e9, 0},
               {"'threads': 1, 'duty_frac': 1, 'dram_bytes_per_s': 5e9", 6e9, 2.5e9}};
  const struct hs_scheduler slices = {10e-3, 3e-3, 2e-3};
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    struct alive x;
    struct hs_text scenario = {0};
    hs_text_addf(&scenario, SCENARIO("'processes': [{'name': 'a', 'period_s': 0.004, " ON("cpu.mid") "'phases': [{%s}]}]"), cases[k].phase);
    alive_open(&x, PHONE, NULL, scenario.s);
    x.r.sys.backends[CPU].cores[0] = 0;
    x.r.sys.scheduler = _i ? &slices : NULL; /* as a fluid, or by the clock */
    alive_add(&x, CPU, 0, 10, 60e6);
    const struct alive_run *run = alive_go(&x);
    ALIVE("inference", run->done_s[0], 60e6 / cases[k].inference);
    double asked = k == 2 ? 5e9 : 2e9;
    if (cases[k].rival > 0) ALIVE("burst", seen(run, -1, 0)->end_s, 0.004 * asked / cases[k].rival);
    hs_text_free(&scenario);
    alive_close(&x);
  }
}
END_TEST

/* h0 = 0.5. As large a footprint as the cache: h = 0.5 · 2 / (2 + 2), traffic (1 - 0.25) / (1 - 0.5); only while the phase lasts.
 * A hit rate that is set: (1 - 0.8) / (1 - 0.5). Where nothing hits in what was measured: (1 - 0.8) / 1. */
START_TEST(footprints_turn_into_traffic)
{
  struct alive x;
  char *soc = CACHE;
  alive_open(&x, soc, NULL, SCENARIO("'processes': [{'name': 'a', 'phases': [{'to_s': 0.002, 'dsp_frac': 0.001, 'footprint_bytes': 2e6}]}]"));
  alive_add(&x, GPU, 10, 0, 22e6);
  alive_add(&x, GPU, 10, 0, 22e6);
  const struct alive_run *run = alive_go(&x);
  ALIVE("beside a footprint", seen(run, 0, 0)->end_s, 1.5 * 22e6 / 11e9);
  ALIVE("without", run->done_s[0] - seen(run, 0, 0)->end_s, 22e6 / 11e9);
  alive_close(&x);
  alive_open(&x, soc, NULL, SCENARIO("'cache_hit_frac': 0.8, 'processes': [" PROCESS("a", "", "'dsp_frac': 0.001, 'footprint_bytes': 2e6") "]"));
  alive_add(&x, GPU, 10, 0, 22e6);
  ALIVE("set by hand", alive_go(&x)->done_s[0], 0.2 / 0.5 * 22e6 / 11e9);
  alive_close(&x);
  free(soc);
  soc = hs_test_replace(PHONE, "'llc_bytes': 0", "'llc_bytes': 2e6, 'llc_hit_frac': 0");
  alive_open(&x, soc, NULL, SCENARIO("'cache_hit_frac': 0.8"));
  alive_add(&x, GPU, 10, 0, 22e6);
  ALIVE("where nothing hits", alive_go(&x)->done_s[0], 0.2 * 22e6 / 11e9);
  alive_close(&x);
  free(soc);
}
END_TEST

/* Bursts at random: none comes just because a phase begins, neither the first nor one after a pause. */
START_TEST(phases_of_bursts_at_random_begin_with_none)
{
  struct alive x;
  double first_s[2] = {INFINITY, INFINITY};
  alive_open(&x, PHONE, NULL,
             SCENARIO("'processes': [{'name': 'a', 'arrivals': 'poisson', 'period_s': 0.02, 'phases': [{'to_s': 0.3, 'threads': 1, 'duty_frac': 0.1}, "
                      "{'from_s': 0.5, 'to_s': 0.8, 'threads': 1, 'duty_frac': 0.1}]}]"));
  x.inferences = 0;
  x.until_s = 1;
  const struct alive_run *run = alive_go(&x);
  for (int i = 0; i < run->n; i++) {
    double *first = &first_s[run->seen[i].start_s >= 0.5 - 1e-9];
    *first = fmin(*first, run->seen[i].start_s);
  }
  ck_assert_msg(first_s[0] > 1e-6 && first_s[0] < 0.3, "the first comes at %g s", first_s[0]);
  ck_assert_msg(first_s[1] > 0.5 + 1e-6 && first_s[1] < 0.8, "the first after the pause comes at %g s", first_s[1]);
  alive_close(&x);
}
END_TEST

/* Where every core has a thread, another that would fit anywhere goes to the largest. */
START_TEST(threads_share_the_largest_core)
{
  struct alive x;
  alive_open(&x, PHONE, NULL, SCENARIO("'processes': [" PROCESS("a", "", ALWAYS("8")) "," PROCESS("b", "", "'threads': 1, 'duty_frac': 0.2") "]"));
  x.inferences = 0;
  x.until_s = 0.1;
  const struct alive_run *run = alive_go(&x);
  ck_assert_int_eq(seen(run, -9, 0)->processor, CPU);
  ck_assert_int_eq(seen(run, -9, 0)->domain, 1);
  alive_close(&x);
}
END_TEST

/* Each of three tasks takes a mid, two of them the first one: these draw its power by turns, 2 ms long, the third draws that of its own for 1 ms. What is
 * static is of all who run. */
START_TEST(cores_draw_for_who_is_on_them)
{
  struct alive x;
  alive_open(&x, PHONE, NULL, NULL);
  alive_add(&x, GPU, 5.85e6, 0, 0);
  for (int i = 0; i < 3; i++) {
    struct hs_task t = alive_task(CPU, 1.6e6, 0, 0);
    t.work.cores[0] = 1;
    t.first_core = i / 2;
    alive_rival(&x, i, 0, t, 1);
  }
  const struct alive_run *run = alive_go(&x);
  for (int i = 0; i < 3; i++)
    ALIVE("energy", seen(run, ALIVE_RIVAL - i, 0)->energy_j, MS * (0.57 + 0.021 / 3 + (i < 2 ? 0.021 / 2 : 0)));
  alive_close(&x);
}
END_TEST

/* An inference asks for 0.6 GHz on two mids; from 0.2 to 0.7 ms somebody's task on the third wants 1.6 GHz, and there is one clock. */
START_TEST(the_highest_level_that_is_asked_for_is_the_clock)
{
  struct alive x;
  alive_open(&x, PHONE, NULL, NULL);
  struct hs_task *t = alive_add(&x, CPU, 1.6e6, 0, 0), other = alive_task(CPU, 0.8e6, 0, 0);
  t->opp = 0;
  t->work.cores[0] = 2;
  other.work.cores[0] = 1;
  other.first_core = 2;
  alive_rival(&x, 0, 0.2 * MS, other, 1);
  const struct alive_run *run = alive_go(&x);
  ALIVE("the other's", seen(run, ALIVE_RIVAL, 0)->end_s, 0.7 * MS);
  ALIVE("the inference", run->done_s[0], 0.7 * MS + (1.6e6 - 0.2 * MS * 0.6e9 - 0.5 * MS * 1.6e9) / 0.6e9);
  alive_close(&x);
}
END_TEST

/* A GPU that stays with its client for 10 ms, and kernels of 4 ms: at 12 ms nobody else wants it, and another 10 ms begin. Who comes at 13 ms waits for the
 * kernels that begin at 16 and 20 ms, whatever the priority of the inference: other processes know none. */
START_TEST(a_client_that_goes_on_has_a_slice_again)
{
  struct alive x;
  char *soc = MALI("0.01");
  alive_open(&x, soc, NULL, NULL);
  x.priority = _i;
  for (int i = 0; i < 8; i++) alive_add(&x, GPU, 4 * 0.585e6, 0, 0);
  alive_rival(&x, 0, 13 * MS, alive_task(GPU, 0.585e6, 0, 0), 1);
  const struct alive_run *run = alive_go(&x);
  ALIVE("the other's kernel", seen(run, ALIVE_RIVAL, 0)->start_s, 24 * MS);
  ALIVE("the inference", run->done_s[0], 33 * MS);
  alive_close(&x);
  free(soc);
}
END_TEST

static void fill(TCase *t)
{
  tcase_add_test(t, rivals_make_an_inference_longer);
  tcase_add_test(t, a_rival_on_one_core_slows_all_threads);
  tcase_add_test(t, nice_processes_have_smaller_shares);
  tcase_add_test(t, threads_wake_up_where_they_fit);
  tcase_add_test(t, threads_take_idle_cores);
  tcase_add_test(t, duty_cycles_are_kept);
  tcase_add_test(t, bursts_at_random_keep_the_mean);
  tcase_add_test(t, rivals_on_an_accelerator_take_turns);
  tcase_add_test(t, a_load_of_an_accelerator_is_kept);
  tcase_add_test(t, phases_load_what_others_do_not);
  tcase_add_test(t, a_quiet_phase_takes_no_kernels_of_the_next);
  tcase_add_test(t, a_short_pause_leaves_a_thread_its_period);
  tcase_add_test(t, traffic_of_rivals_slows_what_memory_limits);
  tcase_add_loop_test(t, bandwidth_of_cores_is_of_who_runs_on_them, 0, 2);
  tcase_add_test(t, footprints_turn_into_traffic);
  tcase_add_test(t, phases_of_bursts_at_random_begin_with_none);
  tcase_add_test(t, threads_share_the_largest_core);
  tcase_add_test(t, cores_draw_for_who_is_on_them);
  tcase_add_test(t, the_highest_level_that_is_asked_for_is_the_clock);
  tcase_add_loop_test(t, a_client_that_goes_on_has_a_slice_again, 0, 2);
}

int main(void) { return hs_test_main("living_rivals", fill); }
