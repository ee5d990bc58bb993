/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What holds of any scenario: served networks keep the rules, energies add up, the same seed is the same run; scenarios are made at random. */
#include "tests/model/phone.h"
#include "tests/model/serving.h"

enum { ROUNDS = 12 }; /* of random scenarios */

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
  static const char *const more[] = {"", ", 'governors': {'all': 'schedutil'}",
                                     ", 'thermal': {'start_c': 45}, 'governors': {'cpu': 'interactive', 'gpu': 'simple_ondemand'}",
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
            ck_assert_msg(run->samples[k].freq_hz[p] <= run->samples[k - 1].freq_hz[p] * (1 + 1e-12),
                          "%s under %s: from %g to %g Hz in second %d", governors[i],
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
      ck_assert_msg(llround(run->seen[k].end_s * 1e12) == llround(first[k].end_s * 1e12), "scenario %d: task %d ends at %.15g, not %.15g",
                    i, k, run->seen[k].end_s, first[k].end_s);
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
  tcase_add_loop_test(t, served_networks_keep_the_rules, 0, (int)(sizeof served_beside / sizeof *served_beside));
  tcase_add_test(t, a_stuck_run_ends);
  tcase_add_test(t, one_rival_fewer_never_slows_an_inference);
  tcase_add_test(t, energies_add_up);
  tcase_add_test(t, frequencies_never_rise_while_a_cap_falls);
  tcase_add_test(t, a_scenario_in_which_nothing_happens_changes_nothing);
  tcase_add_test(t, the_same_seed_gives_the_same_run);
}

int main(void) { return hs_test_main("living_rules", fill); }
