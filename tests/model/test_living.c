/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Does the living phone do what its models say? First what the engine does when it is told, then what a scenario tells it. Cores of the
 * phone: mid 3 × 1.6 GHz, big 2.5 GHz, little 4 × 1.7 GHz; 10 ms are 16e6, 25e6, 17e6 of their cycles, 5.85e6 of the GPU's and
 * 11e6 of the DSP's. */
#include "tests/model/alive.h"
#include "tests/model/serving.h"

#define PHONE RIG_PHONE("2e9")
#define MS 1e-3
enum { ROUNDS = 12 }; /* of random scenarios */

/* --- the engine is told --- */

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

#define MALI(slice) hs_test_replace(PHONE, "'memory_types': ['image', 'buffer'], ", "'memory_types': ['image', 'buffer'], 'context_slice_s': " slice ", ")

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

/* --- processes on CPUs --- */

#define ALWAYS(threads) "'threads': " threads ", 'duty_frac': 1"
#define ON(where) "'affinity': ['" where "'], "

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
  for (int i = 0; i < 5; i++) {
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

/* fits_capacity(): 1.25 · duty < 1. Little for what fits, else the largest core; affinity first. */
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
    ck_assert_msg(s->processor == cases[i].processor && s->domain == cases[i].domain, "case %d: on %d.%d", i, s->processor, s->domain);
    alive_close(&x);
  }
}
END_TEST

static bool covers(const struct seen *s, double t) { return s->start_s <= t + 1e-12 && s->end_s > t + 1e-9; }

/* Cores that a task takes: a thread one, an inference all of its domains. */
static bool is_on(const struct alive *x, const struct seen *s, int p, int d, int c)
{
  if (s->processor != p) return false;
  if (s->request < 0) return s->domain == d && s->core == c;
  const struct hs_work *w = &x->tasks[s->task].work;
  return c < w->cores[d];
}

static int others_on(const struct alive *x, const struct seen *s, int p, int d, int c, bool submitted_with_it)
{
  int n = 0;
  for (int i = 0; i < x->out->n; i++) {
    const struct seen *o = &x->out->seen[i];
    if (o == s || !is_on(x, o, p, d, c) || !covers(o, s->start_s)) continue;
    n += submitted_with_it || o->start_s < s->start_s - 1e-12;
  }
  return n;
}

/* No burst on a core that has something to do while another core that it may use has nothing. What starts in the same moment may have been
 * placed later. After `until` the run may have cut something off that kept a core. */
static void check_placement(const struct alive *x, const unsigned *clusters, double until)
{
  for (int i = 0; i < x->out->n; i++) {
    const struct seen *s = &x->out->seen[i];
    const struct hs_soc *soc = x->r.soc;
    if (s->request >= 0 || soc->processors[s->processor].kind != HS_CPU || s->start_s > until) continue;
    unsigned mask = clusters[-1 - s->request];
    ck_assert_msg(mask >> (s->processor * HS_DOMAINS_MAX + s->domain) & 1, "a thread ran where it must not");
    if (others_on(x, s, s->processor, s->domain, s->core, false) == 0) continue;
    for (int p = 0; p < soc->n_processors; p++)
      for (int d = 0; d < soc->processors[p].n_domains && (mask >> (p * HS_DOMAINS_MAX + d) & 1); d++)
        for (int c = 0; c < soc->processors[p].domains[d].cores; c++)
          ck_assert_msg(others_on(x, s, p, d, c, true) > 0, "a burst at %.9g s shares a core, and %s.%s.%d is idle", s->start_s, soc->processors[p].name,
                        soc->processors[p].domains[d].name, c);
  }
}

/* Masks of the threads and accelerator streams of a scenario, in the order of their request numbers, then the display's. */
static void list_clusters(const struct alive *x, unsigned *clusters)
{
  int n = 0;
  for (int i = 0; i < x->scenario.n_processes; i++) {
    const struct hs_process *pr = &x->scenario.processes[i];
    int threads = 0, streams = 0;
    for (int k = HS_GPU; k < HS_KIND_N; k++) streams += pr->phases[0].load_frac[k] > 0;
    for (int k = 0; k < pr->n_phases; k++) threads = pr->phases[k].threads > threads ? pr->phases[k].threads : threads;
    for (int k = 0; k < threads + streams; k++) clusters[n++] = pr->clusters;
  }
  clusters[n] = 0;
  for (int p = 0; p < x->r.soc->n_processors; p++)
    if (x->r.soc->processors[p].kind == HS_CPU) clusters[n] |= ((1u << HS_DOMAINS_MAX) - 1) << (p * HS_DOMAINS_MAX);
  clusters[n + 1] = clusters[n]; /* of the display's second frame under way */
}

START_TEST(threads_take_idle_cores)
{
  struct alive x;
  unsigned clusters[HS_PROCESSES_MAX * HS_THREADS_MAX];
  alive_open(&x, PHONE, NULL,
             SCENARIO("'processes': [" PROCESS("a", "", "'threads': 3, 'duty_frac': 0.9") "," PROCESS("b", "'arrivals': 'poisson', ", "'threads': 3, 'duty_frac': 0.5") ","
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

static double busy(const struct alive_run *run, int p)
{
  double sum = 0;
  for (int d = 0; d < HS_DOMAINS_MAX; d++)
    for (int c = 0; c < HS_CORES_MAX; c++) sum += run->busy_s[p][d][c];
  return sum;
}

/* 50 bursts of 0.3 · 20 ms in a second; the phase from 1 to 2 s has two threads of half of that. */
START_TEST(duty_cycles_are_kept)
{
  struct alive x;
  alive_open(&x, PHONE, NULL,
             SCENARIO("'processes': [{'name': 'a', 'phases': [{'to_s': 1, 'threads': 1, 'duty_frac': 0.3}, {'from_s': 2, 'to_s': 3, 'threads': 2, 'duty_frac': 0.15}]}]"));
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

/* --- accelerators and memory --- */

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

/* The GPU attains 11 GB/s of the memory's 13. A thread that computes and takes 3 of them leaves it 10; two leave it 7; its own bytes
 * don't slow a kernel that computes. */
START_TEST(traffic_of_rivals_slows_what_memory_limits)
{
  static const char *const scenarios[] = {
    SCENARIO("'processes': [" PROCESS("a", ON("cpu.mid"), ALWAYS("1") ", 'dram_bytes_per_s': 3e9") "]"),
    SCENARIO("'processes': [" PROCESS("a", ON("cpu.mid"), ALWAYS("1") ", 'dram_bytes_per_s': 3e9") "," PROCESS("b", ON("cpu-little"), ALWAYS("1") ", 'dram_bytes_per_s': 3e9") "]"),
  };
  for (int k = 1; k <= 2; k++) {
    struct alive x;
    alive_open(&x, PHONE, NULL, scenarios[k - 1]);
    alive_add(&x, GPU, 10, 0, 30e6);
    alive_add(&x, GPU, 5.85e6, 0, 1e6);
    const struct alive_run *run = alive_go(&x);
    ALIVE("memory decides", seen(run, 0, 0)->end_s, 30e6 / (13e9 - k * 3e9));
    ALIVE("the GPU decides", run->done_s[0] - seen(run, 0, 0)->end_s, 10 * MS);
    alive_close(&x);
  }
}
END_TEST

#define CACHE hs_test_replace(PHONE, "'llc_bytes': 0", "'llc_bytes': 2e6, 'llc_hit_frac': 0.5")

/* h0 = 0.5. As large a footprint as the cache: h = 0.5 · 2 / (2 + 2), traffic (1 - 0.25) / (1 - 0.5); only while the phase lasts.
 * A hit rate that is set: (1 - 0.8) / (1 - 0.5). */
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
}
END_TEST

/* --- frequencies --- */

#define GOVERNOR(name) SCENARIO("'governors': {'all': '" name "'}")

/* The phone is set to its lowest frequencies; the governor sets others, from the start. */
START_TEST(governors_that_do_not_look)
{
  static const struct {
    const char *scenario, *frequency;
    double end_s;
  } cases[] = {
    {GOVERNOR("performance"), "min", 25e6 / 2.5e9},
    {GOVERNOR("powersave"), "max", 25e6 / 0.8e9},
    {GOVERNOR("userspace"), "min", 25e6 / 0.8e9},
    {SCENARIO("'governors': {'cpu': 'userspace:min', 'cpu.big': 'userspace:1.5GHz'}"), "max", 25e6 / 1.5e9},
    {SCENARIO("'governors': {'cpu.big': 'performance', 'gpu': 'powersave'}"), "min", 25e6 / 2.5e9},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct alive x;
    alive_open(&x, PHONE, cases[i].frequency, cases[i].scenario);
    alive_add(&x, CPU, 0, 25e6, 0);
    ALIVE(cases[i].scenario, alive_go(&x)->done_s[0], cases[i].end_s);
    alive_close(&x);
  }
}
END_TEST

/* A sample after 10 ms at 0.8 GHz: load 100 %, above 95: 2.5 GHz for the other 25e6 of 33e6 cycles. */
START_TEST(ondemand_is_at_the_top_after_its_period)
{
  struct alive x;
  alive_open(&x, PHONE, "min", GOVERNOR("ondemand"));
  alive_add(&x, CPU, 0, 33e6, 0);
  ALIVE("inference", alive_go(&x)->done_s[0], 10 * MS + 25e6 / 2.5e9);
  alive_close(&x);
}
END_TEST

/* Idle before the run: from 0.8 GHz, wherever the phone was set. Conservative steps by 5 % of 2.5 GHz every 10 ms: 1.5 GHz after six, 2.5 after 14;
 * interactive is there after its 20 ms. */
START_TEST(whoever_samples_begins_at_the_lowest)
{
  static const struct {
    const char *scenario;
    double cycles, end_s;
  } cases[] = {
    {GOVERNOR("conservative"), 60e3 * 800 + 80e3 * 1500 + 25e6, 150 * MS},
    {GOVERNOR("interactive"), 20e3 * 800 + 25e6, 30 * MS},
    {GOVERNOR("ondemand"), 10e3 * 800 + 25e6, 20 * MS},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct alive x;
    alive_open(&x, PHONE, "max", cases[i].scenario);
    alive_add(&x, CPU, 0, cases[i].cycles, 0);
    ALIVE(cases[i].scenario, alive_go(&x)->done_s[0], cases[i].end_s);
    alive_close(&x);
  }
}
END_TEST

/* The busiest core decides: a thread on a mid of 50 % (10 of 20 ms, at the highest OPP: 16e6 cycles). At 0.6 GHz it takes longer than a
 * period, so ondemand goes to 1.6 GHz, where a burst fills one of two samples. */
START_TEST(the_busiest_core_of_a_domain_decides)
{
  struct alive x;
  alive_open(&x, PHONE, "min", SCENARIO("'governors': {'cpu': 'ondemand'}, 'processes': [" PROCESS("a", ON("cpu.mid"), "'threads': 1, 'duty_frac': 0.5") "]"));
  x.inferences = 0;
  x.until_s = 40 * MS;
  const struct alive_run *run = alive_go(&x);
  ALIVE("its burst", seen(run, -1, 0)->end_s, 10 * MS + (16e6 - 6e6) / 1.6e9);
  alive_close(&x);
}
END_TEST

/* Utilisation u = s - (s - u0) · 2^(-t / 32.768 ms) on a core that is busy at speed s = f / 2.5 GHz, and the lowest OPP from 3.125 GHz · u on.
 * At 0 idle: 0.8 GHz, s = 0.32, which asks for more than 0.8 GHz when u > 0.256: after 76.1 ms, seen at the tick at 80 ms, u = 0.2611.
 * At 1.5 GHz, s = 0.6, u > 0.48 comes 49.1 ms later, seen at 132 ms. 80 ms · 0.8 + 52 ms · 1.5 = 142e6 cycles. */
START_TEST(schedutil_follows_utilisation)
{
  struct alive x;
  alive_open(&x, PHONE, "max", GOVERNOR("schedutil"));
  alive_add(&x, CPU, 0, 192e6, 0);
  const struct alive_run *run = alive_go(&x);
  ALIVE("inference", run->done_s[0], 132 * MS + (192e6 - 142e6) / 2.5e9);
  ALIVE("energy", run->energy_j[CPU], 80 * MS * (0.31 + 0.023) + 52 * MS * (0.93 + 0.029) + 20 * MS * (2.39 + 0.037));
  alive_close(&x);
}
END_TEST

/* Means over a second, and over what is left: 100 ms at 0.8 GHz and 900 at 2.5 (the governor looks every 10 ms, the load comes with the
 * phase at 90 ms). */
START_TEST(samples_are_means)
{
  struct alive x;
  alive_open(&x, PHONE, "min",
             SCENARIO("'governors': {'cpu': 'ondemand'}, 'processes': [{'name': 'a', 'period_s': 100, 'affinity': ['cpu.big'], "
                      "'phases': [{'from_s': 0.09, 'threads': 1}]}]"));
  x.inferences = 0;
  x.until_s = 1.5;
  const struct alive_run *run = alive_go(&x);
  ck_assert_int_eq(run->n_samples, 2);
  ALIVE("frequency", run->samples[0].freq_hz[CPU], 0.1 * 0.8e9 + 0.9 * 2.5e9);
  ALIVE("power", run->samples[0].power_w[CPU], 10 * MS * (0.31 + 0.023) + 0.9 * (2.39 + 0.037));
  ALIVE("the rest", run->samples[1].end_s, 1.5);
  ALIVE("its power", run->samples[1].power_w[CPU], 2.39 + 0.037);
  ALIVE("energy", run->total_j[CPU], 10 * MS * (0.31 + 0.023) + 1.4 * (2.39 + 0.037));
  alive_close(&x);
}
END_TEST

/* 0.5 s of the GPU at the OPP that its task asks for, 0.25 GHz, and 0.5 s idle where it is set; the CPU is idle. */
START_TEST(samples_know_levels_of_tasks)
{
  struct alive x;
  alive_open(&x, PHONE, "max", SCENARIO("'processes': [" PROCESS("a", "", "'dsp_frac': 0.001") "]"));
  alive_add(&x, GPU, 0.125e9, 0, 0)->opp = 0;
  x.until_s = 1;
  const struct alive_run *run = alive_go(&x);
  ALIVE("GPU", run->samples[0].freq_hz[GPU], 0.5 * 0.25e9 + 0.5 * 0.585e9);
  ALIVE("CPU", run->samples[0].freq_hz[CPU], 2.5e9);
  alive_close(&x);
}
END_TEST

/* --- heat --- */

#define TRIPS(list) hs_test_replace(PHONE, "'trips': []", "'trips': [" list "]")
#define TRIP(type, c, processors)                                                                                        \
  "{'node': 'n', 'type': '" type "', 'temperature_c': " c ", 'hysteresis_c': 1, 'processors': [" processors "]}"

/* ts = 48020 + 2120 T - 50 T² + T³ over 93620: 2.256 at 60 °C. No trip, no cap. What cores share doesn't leak. */
START_TEST(a_held_temperature_leaks)
{
  struct alive x;
  char *soc = hs_test_replace(PHONE, "'static_w': 0.09", "'static_w': 0.09, 'shared_w': 0.4");
  alive_open(&x, soc, NULL, SCENARIO("'thermal': {'hold_c': {'gpu': 60}}"));
  alive_add(&x, GPU, 5.85e6, 0, 0);
  const struct alive_run *run = alive_go(&x);
  ALIVE("duration", run->done_s[0], 10 * MS);
  ALIVE("energy", run->energy_j[GPU], 10 * MS * (1.9 + 0.4 + 0.09 * (48020 + 2120 * 60 - 50 * 3600 + 216000) / 93620));
  alive_close(&x);
  free(soc);
}
END_TEST

/* The first poll, at 0, counts as warmer: one state, which is the GPU's lower OPP, 0.25 GHz; the CPU isn't in the list. */
START_TEST(step_wise_caps_what_its_trip_lists)
{
  struct alive x;
  char *soc = TRIPS(TRIP("passive", "50", "'gpu'"));
  alive_open(&x, soc, NULL, SCENARIO("'governors': {'all': 'performance'}, 'thermal': {'hold_c': {'gpu': 60}}"));
  alive_add(&x, GPU, 5.85e6, 0, 0);
  alive_add(&x, CPU, 0, 25e6, 0);
  const struct alive_run *run = alive_go(&x);
  ALIVE("GPU", seen(run, 0, 0)->end_s, 5.85e6 / 0.25e9);
  ALIVE("CPU", run->done_s[0] - seen(run, 0, 0)->end_s, 10 * MS);
  ALIVE("what is shown", run->samples[0].freq_hz[GPU], 0.25e9);
  alive_close(&x);
  alive_open(&x, soc, NULL, SCENARIO("'thermal': {'governor': 'none', 'hold_c': {'gpu': 60}}"));
  alive_add(&x, GPU, 5.85e6, 0, 0);
  ALIVE("nobody caps", alive_go(&x)->done_s[0], 10 * MS);
  alive_close(&x);
  free(soc);
}
END_TEST

/* A trace from 20 °C at 0 to 120 at 10 s crosses 50 at 3 s: the poll there takes one state of two, the next ones the other; all domains
 * follow: 2.5 GHz, then 1.5, then 0.8. The big core's task of 3.2 s: 3 s · 2.5 + 0.1 s · 1.5, then 0.8. */
START_TEST(a_rising_trace_lowers_the_cap)
{
  struct alive x;
  char *soc = TRIPS(TRIP("passive", "50", "'cpu'"));
  alive_open(&x, soc, NULL, SCENARIO("'thermal': {'replay_c': {'cpu': [[0, 20], [10, 120]]}}"));
  alive_add(&x, CPU, 0, 8e9, 0);
  ALIVE("inference", alive_go(&x)->done_s[0], 3.1 + (8e9 - 7.5e9 - 0.15e9) / 0.8e9);
  alive_close(&x);
  free(soc);
}
END_TEST

START_TEST(a_trace_that_ends_early_is_an_error)
{
  struct alive x;
  alive_open(&x, PHONE, NULL, SCENARIO("'thermal': {'replay_c': {'cpu': [[0, 20], [1, 30]]}}"));
  alive_add(&x, CPU, 0, 8e9, 0);
  const struct alive_run *run = alive_try(&x);
  ck_assert_int_eq(run->status, HS_INPUT);
  ck_assert_msg(strstr(run->message, "ends at 1 s"), "%s", run->message);
  alive_close(&x);
}
END_TEST

/* One node, 1 J/K and 3 K/W to 25 °C, 1.9 W of the GPU and 1.3 W of the idle device (no static power here, so nothing feeds back):
 * T = 25 + 9.6 (1 - e^(-t / 3 s)). */
START_TEST(temperatures_rise_with_load)
{
  struct alive x;
  char *soc = hs_test_replace(PHONE, "'static_w': 0.09", "'static_w': 0");
  alive_open(&x, soc, NULL, SCENARIO("'thermal': {'start_c': 25}"));
  alive_add(&x, GPU, 4 * 585e6, 0, 0);
  x.until_s = 5.05;
  const struct alive_run *run = alive_go(&x);
  ck_assert_int_eq(run->n_samples, 6);
  for (int i = 0; i < 4; i++) rig_derive("after i + 1 s", "25 + 9.6 (1 - e^-t/3)", run->samples[i].temperature_c[GPU], 25 + 9.6 * (1 - exp(-(i + 1) / 3.)), 1e-9);
  double hot = 25 + 9.6 * (1 - exp(-4 / 3.)), goal = 25 + 3 * 1.3;
  rig_derive("a second after", "28.9 + (T - 28.9) e^-1/3", run->samples[4].temperature_c[GPU], goal + (hot - goal) * exp(-1 / 3.), 1e-9);
  ALIVE("energy in", run->in_j, 4 * 1.9 + 5.05 * 1.3);
  rig_derive("stored and lost", "in", run->stored_j + run->lost_j, run->in_j, 1e-9);
  ck_assert_double_eq(run->supplied_j, 0);
  alive_close(&x);
  free(soc);
}
END_TEST

/* 27 °C would come at 0.70 s, the next poll is at 0.8 s: 25 + 9.6 (1 - e^(-0.8/3)) = 27.2. What ran until then is there. */
START_TEST(a_critical_trip_ends_the_run)
{
  struct alive x;
  char *hot = TRIPS(TRIP("critical", "27", "'gpu'")), *soc = hs_test_replace(hot, "'static_w': 0.09", "'static_w': 0");
  alive_open(&x, soc, NULL, SCENARIO("'thermal': {}"));
  alive_add(&x, GPU, 0.1 * 585e6, 0, 0);
  x.inferences = 100;
  const struct alive_run *run = alive_try(&x);
  ck_assert_int_eq(run->status, HS_UNMET);
  ck_assert_str_eq(run->message, "the device shuts down at 0.8 s: n has 27.2 C");
  ALIVE("the run", run->end_s, 0.8);
  ck_assert_int_ge(run->n_done, 7);
  rig_derive("heat up to the end", "in", run->stored_j + run->lost_j, run->in_j, 1e-9);
  alive_close(&x);
  free(soc);
  free(hot);
}
END_TEST

/* Two processors under one trip and no frequency governors: power_allocator must be told the level that they have, not the one that they are
 * set to. CPU and GPU are always busy; asked are their powers at their levels of then. The test walks the same polls through. */
START_TEST(power_allocator_sees_capped_levels)
{
  struct alive x;
  struct hs_thermal_governor g;
  double load[HS_PROCESSORS_MAX] = {[CPU] = 1, [GPU] = 1};
  int level[HS_PROCESSORS_MAX] = {0};
  char *soc = TRIPS(TRIP("passive", "40", "'cpu', 'gpu'") "," TRIP("passive", "60", "'cpu', 'gpu'"));
  alive_open(&x, soc, NULL, SCENARIO("'thermal': {'governor': 'power_allocator', 'sustainable_w': 3, 'replay_c': {'cpu': [[0, 30], [30, 90]]}}, "
                                     "'processes': [" PROCESS("a", ON("cpu"), ALWAYS("4")) "," PROCESS("b", "", "'gpu_frac': 1") "]"));
  x.inferences = 0;
  x.until_s = 20;
  const struct alive_run *run = alive_go(&x);
  hs_thermal_governor_open(&g, x.r.soc, HS_POWER_ALLOCATOR, 3);
  struct hs_thermal_model t = {.soc = x.r.soc};
  double mean[HS_PROCESSORS_MAX] = {0};
  for (int poll = 0; poll < 200; poll++) {
    t.temperature_c[0] = 30 + 2 * 0.1 * poll;
    for (int p = 0; p < x.r.soc->n_processors; p++) level[p] = p == CPU || p == GPU ? g.cap[p] : 0;
    load[CPU] = load[GPU] = poll > 0;
    hs_thermal_govern(&g, &t, load, level);
    for (int p = CPU; p <= GPU; p++) mean[p] += x.r.soc->processors[p].domains[x.r.soc->processors[p].n_domains - 1].opps[g.cap[p]].freq_hz / 10;
    if (poll % 10 < 9) continue;
    rig_derive("CPU in this second", "walked through", run->samples[poll / 10].freq_hz[CPU], mean[CPU], 1e-9);
    rig_derive("GPU", "walked through", run->samples[poll / 10].freq_hz[GPU], mean[GPU], 1e-9);
    memset(mean, 0, sizeof mean);
  }
  alive_close(&x);
  free(soc);
}
END_TEST

/* --- display --- */

#define UI(rate, cpu, gpu) "'ui': {'rate_hz': " rate ", 'cpu_s': " cpu ", 'gpu_s': " gpu "}"

/* Vsyncs at 0, 1/60, …, 29/60; each frame takes 5 ms on the big core and 5 ms on the GPU. */
START_TEST(an_idle_phone_draws_every_frame)
{
  struct alive x;
  alive_open(&x, PHONE, NULL, SCENARIO(UI("60", "0.005", "0.005")));
  x.inferences = 0;
  x.until_s = 0.5;
  const struct alive_run *run = alive_go(&x);
  ck_assert_int_eq(run->frames.vsyncs, 30);
  ck_assert_int_eq(run->frames.drawn, 30);
  ck_assert_int_eq(run->frames.janky, 0);
  ALIVE("a frame", run->frames.worst_s, 10 * MS);
  ALIVE("on the largest idle core", run->busy_s[CPU][1][0], 30 * 5 * MS);
  ALIVE("on the GPU", busy(run, GPU), 30 * 5 * MS);
  ck_assert_double_eq(hs_frames_dropped_frac(&run->frames), 0);
  alive_close(&x);
}
END_TEST

/* 50 Hz, 2 + 3 ms per frame, beside three kernels of 70 ms. The frames of 0 and 20 are ready at 2 and 22 and wait until 70, before the second
 * kernel, which was ready later: drawn at 73 and 76; with both under way, 40 and 60 were dropped. Those of 80 and 100 wait for the kernel of 76 to 146:
 * drawn at 149 and 152; 120, 140 dropped. Those of 160 and 180 for 152 to 222: 225, 228; 200, 220 dropped. 240, 260, 280 meet an idle GPU. */
START_TEST(frames_wait_for_long_kernels)
{
  struct alive x;
  alive_open(&x, PHONE, NULL, SCENARIO(UI("50", "0.002", "0.003")));
  for (int i = 0; i < 3; i++) alive_add(&x, GPU, 70 * 585e3, 0, 0);
  x.until_s = 0.3;
  const struct alive_run *run = alive_go(&x);
  ck_assert_int_eq(run->frames.vsyncs, 15);
  ck_assert_int_eq(run->frames.drawn, 3 * 2 + 3);
  ck_assert_int_eq(run->frames.janky, 6);
  ALIVE("the worst", run->frames.worst_s, 73 * MS);
  ALIVE("dropped", hs_frames_dropped_frac(&run->frames), 6. / 15);
  ALIVE("the inference waits for four frames", run->done_s[0], 3 * 70 * MS + 4 * 3 * MS);
  alive_close(&x);
}
END_TEST

/* A frame that the end of the run cuts off was not dropped: vsyncs at 0, 20 and 40 ms, 10 ms per frame, and the run is over at 45. */
START_TEST(a_frame_under_way_at_the_end)
{
  struct alive x;
  alive_open(&x, PHONE, NULL, SCENARIO(UI("50", "0.005", "0.005")));
  x.inferences = 0;
  x.until_s = 0.045;
  const struct alive_run *run = alive_go(&x);
  ck_assert_int_eq(run->frames.vsyncs, 3);
  ck_assert_int_eq(run->frames.begun, 3);
  ck_assert_int_eq(run->frames.drawn, 2);
  ck_assert_double_eq(hs_frames_dropped_frac(&run->frames), 0);
  alive_close(&x);
}
END_TEST

/* Kernels of 0.3 ms: a frame waits for one of them at most. With slices of 30.1 ms it waits for the rest of a slice: those of 0 and 20 until the kernel
 * end at 30.3 (drawn at 33.3 and 36.3), those of 40 and 60 for the slice that begins there, until 66.6 (69.6, 72.6), and so on. With two
 * under way none is dropped; walked through in this way, 29 of 50 take more than 20 ms, and the worst 37.7. */
START_TEST(short_kernels_let_frames_pass_unless_there_are_slices)
{
  for (int slices = 0; slices < 2; slices++) {
    struct alive x;
    char *soc = MALI("0.0301");
    alive_open(&x, slices ? soc : PHONE, NULL, SCENARIO(UI("50", "0.002", "0.003")));
    for (int i = 0; i < 100; i++) alive_add(&x, GPU, 0.3 * 585e3, 0, 0);
    x.inferences = 300;
    x.until_s = 1;
    const struct alive_run *run = alive_go(&x);
    ck_assert_int_eq(run->frames.vsyncs, 50);
    if (slices) {
      ck_assert_int_eq(run->frames.drawn, 50);
      ck_assert_int_eq(run->frames.janky, 29);
      ALIVE("the worst", run->frames.worst_s, 37.7 * MS);
    } else {
      ck_assert_int_eq(run->frames.drawn, 50);
      ck_assert_int_eq(run->frames.janky, 0);
      ck_assert_double_le(run->frames.worst_s, (2 + 0.3 + 3) * MS + 1e-12);
    }
    free(soc);
    alive_close(&x);
  }
}
END_TEST

/* --- networks, served --- */

#define NETWORK RIG_NET(RIG_IN("image", "1, 40, 50, 3"), "'r'", RIG_OP("c", "Conv", "'image'", ", 'channels': 8, 'kernel': [3, 3], 'pad': 'same'") ","   \
                        RIG_OP("p", "MaxPool", "'c'", ", 'kernel': [2, 2], 'stride': [2, 2]") "," RIG_OP("r", "Relu", "'p'", ""))

/* What hs_check_run() holds of any scenario, for networks on all processors at once. */
static const char *const served_beside[] = {
  SCENARIO("'processes': [" PROCESS("a", "'nice': 3, ", "'threads': 4, 'duty_frac': 0.7, 'dram_bytes_per_s': 2e9, 'footprint_bytes': 1e6") "]"),
  SCENARIO("'processes': [" PROCESS("a", "'arrivals': 'poisson', 'kernel_s': 0.0005, ", "'gpu_frac': 0.5, 'dsp_frac': 0.7") "]"),
  GOVERNOR("schedutil"),
  SCENARIO("'governors': {'all': 'performance'}, 'thermal': {'hold_c': {'cpu': 80}}"),
  SCENARIO("'cache_hit_frac': 0.9"),
  SCENARIO(UI("120", "0.001", "0.002") ", 'thermal': {'start_c': 50}"),
};

START_TEST(served_networks_keep_the_rules)
{
  struct serving s;
  struct hs_scenario scenario;
  struct hs_error err;
  char *text = hs_test_json(served_beside[_i]);
  serving_open(&s);
  s.r.soc->memory.llc_hit_frac = 0.5;
  s.r.soc->memory.llc_bytes = 1e6;
  for (int p = 0; p < s.r.soc->n_processors && _i > 1; p++) /* governors have somewhere to go */
    for (int d = 0; d < s.r.soc->processors[p].n_domains; d++) s.r.sys.backends[p].opp[d] = 0;
  s.r.soc->processors[GPU].context_slice_s = _i % 2 ? 0.002 : 0;
  hs_scenario_open(&scenario);
  hs_test_accepted(hs_scenario_parse(&scenario, "scenario.json", text, strlen(text), s.r.soc, &err), &err);
  s.scenario = &scenario;
  serving_add(&s, NETWORK, &serving_cpu);
  serving_rate(serving_add(&s, NETWORK, &serving_gpu), 2 * MS, 2 * MS);
  serving_add(&s, NETWORK, &serving_dsp);
  serving_add(&s, NETWORK, &serving_rotating);
  serving_run(&s, 30);
  ck_assert_int_ge(s.out->n_outcomes, 4 * 30);
  serving_close(&s);
  hs_scenario_free(&scenario);
  free(text);
}
END_TEST

/* A scheduler that starts nothing: also beside a scenario, which goes on for ever, the run ends with the error. */
static int start_nothing(void *state, const struct hs_queue_view *view, struct hs_assignment *out)
{
  (void)state, (void)view, (void)out;
  return 0;
}
START_TEST(a_stuck_run_ends)
{
  static const struct hs_policy policy = {.name = "stuck", .plan_all = serving_plan_three, .schedule = start_nothing};
  struct serving s;
  struct hs_scenario scenario;
  hs_scenario_open(&scenario);
  serving_open(&s);
  s.scenario = &scenario;
  serving_add(&s, NETWORK, &policy);
  serving_try(&s, 1);
  ck_assert_int_eq(s.out->status, HS_POLICY);
  ck_assert_msg(strstr(s.out->message, "requests wait, nothing runs and it starts nothing"), "%s", s.out->message);
  serving_close(&s);
}
END_TEST

/* --- whatever the scenario --- */

static double draw(struct hs_random *r, double from, double to) { return from + (to - from) * hs_random_uniform(r); }
static int pick(struct hs_random *r, int n) { return (int)fmin(n * hs_random_uniform(r), n - 1); }

/* Processes that come and go until to_s. */
static char *random_scenario(struct hs_random *r, int n, double to_s, const char *more)
{
  static const char *const where[] = {"cpu", "cpu.big", "cpu.mid", "cpu-little"};
  struct hs_text t = {0};
  hs_text_addf(&t, "{'format': 'hetsim-scenario/1', 'name': 'n', 'title': 't', 'source': 's'%s", more);
  for (int i = 0; i < n; i++) {
    bool kernels = pick(r, 2);
    hs_text_addf(&t, "%s{'name': 'p%d', 'nice': %d, 'arrivals': '%s', 'period_s': %.3f, ", i ? ", " : ", 'processes': [", i, pick(r, 20) - 5,
                 pick(r, 2) ? "even" : "poisson", draw(r, 0.002, 0.05));
    if (kernels) hs_text_addf(&t, "'kernel_s': %.4f, ", draw(r, 0.0005, 0.01));
    if (pick(r, 3)) hs_text_addf(&t, "'affinity': ['%s'], ", where[pick(r, 4)]);
    hs_text_addf(&t, "'phases': [{'to_s': %g, 'threads': %d, 'duty_frac': %.3f, ", to_s, 1 + pick(r, 4), draw(r, 0.05, 1));
    if (kernels) hs_text_addf(&t, "'gpu_frac': %.3f, ", draw(r, 0.01, 1));
    hs_text_addf(&t, "'dram_bytes_per_s': %.3g}]}", draw(r, 0, 4e9));
  }
  hs_text_addf(&t, "%s}", n ? "]" : "");
  return t.s;
}

/* Rivals that always compute, with a thread for each core of where they are; the same n first ones each time. */
static char *always(struct hs_random *r, int n)
{
  static const char *const where[] = {"cpu", "cpu.big", "cpu.mid", "cpu-little"};
  static const int threads[] = {4, 1, 3, 4};
  struct hs_text t = {0};
  hs_text_add(&t, "{'format': 'hetsim-scenario/1', 'name': 'n', 'title': 't', 'source': 's'");
  for (int i = 0; i < n; i++) {
    int k = pick(r, 4);
    hs_text_addf(&t, "%s{'name': 'p%d', 'period_s': %.3f, 'affinity': ['%s'], ", i ? ", " : ", 'processes': [", i, draw(r, 0.002, 0.05), where[k]);
    hs_text_addf(&t, "'phases': [{'threads': %d, 'dram_bytes_per_s': %.3g}]}", threads[k], draw(r, 0, 1e9));
  }
  hs_text_addf(&t, "%s}", n ? "]" : "");
  return t.s;
}

/* Without the last rival a chain is never slower. (This holds of rivals that stay where they are and always compute; one that comes and goes,
 * looks for a core or waits in a queue can be met at a worse moment when another is gone.) */
START_TEST(one_rival_fewer_never_slows_an_inference)
{
  for (int round = 0; round < ROUNDS; round++) {
    double before = 0;
    for (int n = 0; n <= 4; n++) {
      char name[20];
      struct alive x;
      snprintf(name, sizeof name, "fewer/%d", round);
      struct hs_random *r = hs_random_new(1, name);
      char *text = always(r, n);
      alive_open(&x, PHONE, NULL, text);
      alive_add(&x, CPU, 16e6, 25e6, 20e6);
      alive_add(&x, GPU, 5.85e6, 0, 30e6);
      alive_add(&x, LITTLE, 17e6, 0, 0);
      alive_add(&x, CPU, 8e6, 2e6, 0);
      x.inferences = 6;
      double end = alive_go(&x)->done_s[5];
      ck_assert_msg(end >= before * (1 - 1e-9), "round %d: %.9g s with %d rivals, %.9g s with one fewer", round, end, n, before);
      before = end;
      hs_random_free(r);
      free(text);
      alive_close(&x);
    }
  }
}
END_TEST

/* Rivals that end after 0.4 s, frames, heat and governors; at the end nothing is in flight. */
START_TEST(energies_add_up)
{
  static const char *const more[] = {"", ", 'governors': {'all': 'schedutil'}", ", 'thermal': {'start_c': 45}, 'governors': {'cpu': 'interactive', 'gpu': 'simple_ondemand'}",
                                     ", 'ui': {'rate_hz': 10}, 'thermal': {'hold_c': {'cpu': 50}}"};
  for (int round = 0; round < ROUNDS; round++) {
    char name[24];
    struct alive x;
    double sum[HS_PROCESSORS_MAX] = {0};
    unsigned clusters[HS_PROCESSES_MAX * HS_THREADS_MAX];
    snprintf(name, sizeof name, "energies/%d", round);
    struct hs_random *r = hs_random_new(1, name);
    char *text = random_scenario(r, 1 + pick(r, 4), 0.4, more[round % 4]);
    alive_open(&x, PHONE, round % 2 ? "min" : NULL, text);
    alive_add(&x, CPU, 4e6, 5e6, 2e6);
    alive_add(&x, GPU, 1e6, 0, 3e6);
    x.inferences = 8;
    x.until_s = 2.995; /* the last frame, of 2.9 s, is drawn then */
    const struct alive_run *run = alive_go(&x);
    ck_assert_int_eq(run->n_done, 8);
    for (int i = 0; i < run->n; i++) {
      ck_assert_double_ge(run->seen[i].energy_j, 0);
      sum[run->seen[i].processor] += run->seen[i].energy_j;
      for (int p = 0; p < x.r.soc->n_processors; p++) sum[p] += run->seen[i].spun_j[p];
    }
    for (int p = 0; p < x.r.soc->n_processors; p++) {
      rig_derive("energy of a processor", "sum over tasks", run->energy_j[p], sum[p], 1e-9);
      ck_assert_double_eq(run->energy_j[p], run->total_j[p]);
    }
    list_clusters(&x, clusters);
    check_placement(&x, clusters, 2);
    hs_random_free(r);
    free(text);
    alive_close(&x);
  }
}
END_TEST

/* The GPU is always busy and gets warmer all the time (a trace sees to it): trips only take OPPs away, and governors follow once they had a
 * second to see the load. */
START_TEST(frequencies_never_rise_while_a_cap_falls)
{
  static const char *const governors[] = {"performance", "powersave", "ondemand", "conservative", "schedutil", "interactive", "simple_ondemand", "userspace"};
  char *soc = TRIPS(TRIP("passive", "40", "'cpu', 'gpu'") "," TRIP("passive", "60", "'cpu'"));
  for (int i = 0; i < 8; i++)
    for (int kind = HS_STEP_WISE; kind <= HS_POWER_ALLOCATOR; kind++) {
      struct alive x;
      struct hs_text t = {0};
      hs_text_addf(&t, SCENARIO("'governors': {'all': '%s'}, 'thermal': {'governor': '%s', 'replay_c': {'cpu': [[0, 30], [12, 80]]}}, "
                                "'processes': [" PROCESS("a", ON("cpu"), ALWAYS("4")) "," PROCESS("b", "", "'gpu_frac': 1") "]"), governors[i],
                   hs_thermal_governor_names[kind]);
      alive_open(&x, soc, NULL, t.s);
      x.inferences = 0;
      x.until_s = 11.5;
      const struct alive_run *run = alive_go(&x);
      ck_assert_int_eq(run->n_samples, 12);
      for (int k = 2; k < run->n_samples; k++)
        for (int p = 0; p < x.r.soc->n_processors; p++)
          if (p == CPU || p == GPU)
            ck_assert_msg(run->samples[k].freq_hz[p] <= run->samples[k - 1].freq_hz[p] * (1 + 1e-12), "%s under %s: from %g to %g Hz in second %d", governors[i],
                          hs_thermal_governor_names[kind], run->samples[k - 1].freq_hz[p], run->samples[k].freq_hz[p], k);
      hs_text_free(&t);
      alive_close(&x);
    }
  free(soc);
}
END_TEST

/* Every task of the inference at the same time, to the picosecond, as where nothing else happens at all. */
START_TEST(a_scenario_in_which_nothing_happens_changes_nothing)
{
  static const char *const scenarios[] = {
    NULL,
    SCENARIO("'processes': [" PROCESS("a", "'nice': 5, ", "'from_s': 1e6, 'threads': 4, 'gpu_frac': 1, 'dram_bytes_per_s': 5e9, 'footprint_bytes': 1e9") "]"),
    GOVERNOR("performance"),
    SCENARIO("'thermal': {'hold_c': {'cpu': 30}}"),
  };
  static struct seen first[1000];
  int n = 0;
  for (int i = 0; i < 4; i++) {
    struct alive x;
    char *soc = CACHE;
    alive_open(&x, soc, NULL, scenarios[i]);
    for (int k = 0; k < 20; k++) {
      alive_add(&x, CPU, 16e6 + k, 25e6, 20e6);
      alive_add(&x, GPU, 5.85e6, 0, 300e6);
    }
    x.inferences = 8;
    const struct alive_run *run = alive_go(&x);
    if (i == 0) {
      n = run->n;
      memcpy(first, run->seen, (size_t)n * sizeof *first);
    }
    ck_assert_int_eq(run->n, n);
    for (int k = 0; k < n; k++) {
      ck_assert_msg(llround(run->seen[k].end_s * 1e12) == llround(first[k].end_s * 1e12), "scenario %d: task %d ends at %.15g, not %.15g", i, k, run->seen[k].end_s,
                    first[k].end_s);
      ck_assert_double_eq_tol(run->seen[k].energy_j, first[k].energy_j, 1e-12 * first[k].energy_j);
    }
    free(soc);
    alive_close(&x);
  }
}
END_TEST

START_TEST(the_same_seed_gives_the_same_run)
{
  struct alive x;
  static struct seen first[ALIVE_SEEN];
  struct hs_random *r = hs_random_new(1, "same");
  char *text = random_scenario(r, 4, 100, ", 'governors': {'all': 'schedutil'}, 'thermal': {'start_c': 40}, 'ui': {'rate_hz': 60}");
  alive_open(&x, PHONE, NULL, text);
  alive_add(&x, CPU, 4e6, 5e6, 2e6);
  alive_add(&x, GPU, 1e6, 0, 3e6);
  x.inferences = 20;
  x.until_s = 2;
  int n = alive_go(&x)->n;
  memcpy(first, x.out->seen, (size_t)n * sizeof *first);
  ck_assert_int_eq(alive_go(&x)->n, n);
  ck_assert_int_eq(memcmp(first, x.out->seen, (size_t)n * sizeof *first), 0);
  x.seed = 2;
  alive_go(&x);
  ck_assert(memcmp(first, x.out->seen, (size_t)n * sizeof *first) != 0);
  hs_random_free(r);
  free(text);
  alive_close(&x);
}
END_TEST

static void fill(TCase *t)
{
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
  tcase_add_test(t, rivals_make_an_inference_longer);
  tcase_add_test(t, a_rival_on_one_core_slows_all_threads);
  tcase_add_test(t, nice_processes_have_smaller_shares);
  tcase_add_test(t, threads_wake_up_where_they_fit);
  tcase_add_test(t, threads_take_idle_cores);
  tcase_add_test(t, duty_cycles_are_kept);
  tcase_add_test(t, bursts_at_random_keep_the_mean);
  tcase_add_test(t, rivals_on_an_accelerator_take_turns);
  tcase_add_test(t, a_load_of_an_accelerator_is_kept);
  tcase_add_test(t, traffic_of_rivals_slows_what_memory_limits);
  tcase_add_test(t, footprints_turn_into_traffic);
  tcase_add_test(t, governors_that_do_not_look);
  tcase_add_test(t, ondemand_is_at_the_top_after_its_period);
  tcase_add_test(t, whoever_samples_begins_at_the_lowest);
  tcase_add_test(t, the_busiest_core_of_a_domain_decides);
  tcase_add_test(t, schedutil_follows_utilisation);
  tcase_add_test(t, samples_are_means);
  tcase_add_test(t, samples_know_levels_of_tasks);
  tcase_add_test(t, a_held_temperature_leaks);
  tcase_add_test(t, step_wise_caps_what_its_trip_lists);
  tcase_add_test(t, a_rising_trace_lowers_the_cap);
  tcase_add_test(t, a_trace_that_ends_early_is_an_error);
  tcase_add_test(t, temperatures_rise_with_load);
  tcase_add_test(t, a_critical_trip_ends_the_run);
  tcase_add_test(t, power_allocator_sees_capped_levels);
  tcase_add_test(t, an_idle_phone_draws_every_frame);
  tcase_add_test(t, frames_wait_for_long_kernels);
  tcase_add_test(t, a_frame_under_way_at_the_end);
  tcase_add_test(t, short_kernels_let_frames_pass_unless_there_are_slices);
  tcase_add_loop_test(t, served_networks_keep_the_rules, 0, (int)(sizeof served_beside / sizeof *served_beside));
  tcase_add_test(t, a_stuck_run_ends);
  tcase_add_test(t, one_rival_fewer_never_slows_an_inference);
  tcase_add_test(t, energies_add_up);
  tcase_add_test(t, frequencies_never_rise_while_a_cap_falls);
  tcase_add_test(t, a_scenario_in_which_nothing_happens_changes_nothing);
  tcase_add_test(t, the_same_seed_gives_the_same_run);
}

int main(void) { return hs_test_main("living", fill); }
