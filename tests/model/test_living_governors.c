/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Governors and heat while tasks run: what is sampled, when a frequency changes, which trip caps it. */
#include "tests/model/phone.h"

/* --- frequencies --- */

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
  for (int i = 0; i < 4; i++)
    rig_derive("after i + 1 s", "25 + 9.6 (1 - e^-t/3)", run->samples[i].temperature_c[hs_soc_node(x.r.soc, GPU)], 25 + 9.6 * (1 - exp(-(i + 1) / 3.)), 1e-9);
  double hot = 25 + 9.6 * (1 - exp(-4 / 3.)), goal = 25 + 3 * 1.3;
  rig_derive("a second after", "28.9 + (T - 28.9) e^-1/3", run->samples[4].temperature_c[hs_soc_node(x.r.soc, GPU)], goal + (hot - goal) * exp(-1 / 3.), 1e-9);
  ALIVE("energy in", run->in_j, 4 * 1.9 + 5.05 * 1.3);
  rig_derive("stored and lost", "in", run->stored_j + run->lost_j, run->in_j, 1e-9);
  ck_assert_double_eq(run->supplied_j, 0);
  alive_close(&x);
  free(soc);
}
END_TEST

/* Nobody says how warm the phone is: as the room. */
START_TEST(begins_as_warm_as_the_room)
{
  struct alive x;
  char *hot = hs_test_replace(PHONE, "'ambient_c': 25", "'ambient_c': 38.5"), *soc = hs_test_replace(hot, "'static_w': 0.09", "'static_w': 0");
  alive_open(&x, soc, NULL, SCENARIO("'thermal': {'governor': 'none'}"));
  alive_add(&x, GPU, 4 * 585e6, 0, 0);
  x.until_s = 2.05;
  rig_derive("after 1 s", "38.5 + 9.6 (1 - e^-1/3)", alive_go(&x)->samples[0].temperature_c[hs_soc_node(x.r.soc, GPU)], 38.5 + 9.6 * (1 - exp(-1 / 3.)), 1e-9);
  alive_close(&x);
  free(soc);
  free(hot);
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

/* Governors that don't sample look again when a cap may have gone. */
START_TEST(performance_is_back_after_a_cap)
{
  struct alive x;
  char *soc = TRIPS(TRIP("passive", "50", "'gpu'"));
  alive_open(&x, soc, NULL, SCENARIO("'governors': {'all': 'performance'}, 'thermal': {'replay_c': {'gpu': [[0, 60], [0.15, 60], [0.25, 40], [10, 40]]}}"));
  alive_add(&x, GPU, 0.3 * 0.25e9 + 5.85e6, 0, 0);
  ALIVE("GPU", alive_go(&x)->done_s[0], 310 * MS);
  alive_close(&x);
  free(soc);
}
END_TEST

/* Two processors under one trip: power_allocator must be told the levels that their clusters have, not those that they are set to nor, where a governor keeps
 * one at the lowest, its cap; and which cores are busy. CPU and GPU are always busy, or two of the CPU's cores, the faster ones or not; asked are the powers of
 * busy cores at their levels of then, so that the level of an idle cluster is all the same. The test walks the same polls through. */
START_TEST(power_allocator_sees_levels)
{
  static const struct {
    const char *governors, *where, *threads;
    double busy[2]; /* cores of each cluster */
    bool lowest[2];
  } cases[] = {{"", "cpu", "4", {3, 1}, {false, false}},
               {"'governors': {'cpu': 'powersave'}, ", "cpu", "4", {3, 1}, {true, true}},
               {"'governors': {'cpu.mid': 'powersave'}, ", "cpu", "4", {3, 1}, {true, false}},
               {"", "cpu.big", "1", {0, 1}, {false, false}},
               {"", "cpu.mid", "2", {2, 0}, {false, false}},
               {"'governors': {'cpu.big': 'powersave'}, ", "cpu.mid", "2", {2, 0}, {false, true}}};
  struct alive x;
  struct hs_thermal_governor g;
  char *soc = TRIPS(TRIP("passive", "40", "'cpu', 'gpu'") "," TRIP("passive", "60", "'cpu', 'gpu'"));
  char *governed = hs_test_replace(SCENARIO("GOVERNORS'thermal': {'governor': 'power_allocator', 'sustainable_w': 3, "
                                            "'replay_c': {'cpu': [[0, 30], [30, 90]]}}, "
                                            "'processes': [" PROCESS("a", ON("WHERE"), ALWAYS("THREADS")) "," PROCESS("b", "", "'gpu_frac': 1") "]"),
                                   "GOVERNORS", cases[_i].governors);
  char *placed = hs_test_replace(governed, "WHERE", cases[_i].where), *scenario = hs_test_replace(placed, "THREADS", cases[_i].threads);
  alive_open(&x, soc, NULL, scenario);
  x.inferences = 0;
  x.until_s = 20;
  const struct alive_run *run = alive_go(&x);
  hs_thermal_governor_open(&g, x.r.soc, HS_POWER_ALLOCATOR, 3);
  struct hs_thermal_model t = {.soc = x.r.soc};
  double mean[HS_PROCESSORS_MAX] = {0};
  for (int poll = 0; poll < 200; poll++) {
    t.temperature_c[0] = 30 + 2 * 0.1 * poll;
    struct hs_thermal_use use[HS_PROCESSORS_MAX];
    for (int p = 0; p < x.r.soc->n_processors; p++) use[p] = hs_thermal_use_at(x.r.soc, p, p == GPU && poll > 0, g.cap[p]);
    for (int d = 0; d < 2; d++) {
      use[CPU].cores[d] = poll > 0 ? cases[_i].busy[d] : 0;
      if (cases[_i].lowest[d]) use[CPU].level[d] = 0;
    }
    hs_thermal_govern(&g, &t, use);
    for (int p = CPU; p <= GPU; p++)
      mean[p] += x.r.soc->processors[p].domains[x.r.soc->processors[p].n_domains - 1].opps[p == CPU && cases[_i].lowest[1] ? 0 : g.cap[p]].freq_hz / 10;
    if (poll % 10 < 9) continue;
    rig_derive("CPU in this second", "walked through", run->samples[poll / 10].freq_hz[CPU], mean[CPU], 1e-9);
    rig_derive("GPU", "walked through", run->samples[poll / 10].freq_hz[GPU], mean[GPU], 1e-9);
    memset(mean, 0, sizeof mean);
  }
  alive_close(&x);
  free(soc);
  free(scenario);
  free(placed);
  free(governed);
}
END_TEST

/* A GPU whose tasks ask for their lowest OPP asks for the power of that, as one that is set to it: of the 4.8 + 0.48 W that there are 1 K below the target, the
 * CPU's 4.1 W beside its 0.4 leave it its level; beside 1.9 W they wouldn't. */
START_TEST(power_allocator_sees_levels_of_tasks)
{
  struct alive x;
  char *soc = TRIPS(TRIP("passive", "40", "'cpu', 'gpu'") "," TRIP("passive", "60", "'cpu', 'gpu'"));
  alive_open(&x, soc, _i ? "gpu=250MHz" : NULL,
             SCENARIO("'thermal': {'governor': 'power_allocator', 'sustainable_w': 4.8, 'hold_c': {'cpu': 59}}, "
                      "'processes': [" PROCESS("a", ON("cpu"), ALWAYS("4")) "]"));
  alive_add(&x, GPU, 10 * 0.25e9, 0, 0)->opp = _i ? -1 : 0;
  const struct alive_run *run = alive_go(&x);
  ALIVE("the GPU's task", run->done_s[0], 10);
  ALIVE("CPU", run->samples[5].freq_hz[CPU], 2.5e9);
  alive_close(&x);
  free(soc);
}
END_TEST

/* Threads that wait after a task that asked for its lowest OPPs wait there, and ask for the power of that, whatever the cap lets others have: of the 2.7 +
 * 0.27 W that there are 1 K below the target three mids' 0.33 W beside the GPU's 0.47 have 1.23, enough for the OPP above (1.02 W). At that they would ask for
 * as much, have 2.03 W, and so the highest (1.71 W). */
START_TEST(power_allocator_sees_levels_of_threads_that_wait)
{
  struct alive x;
  char *soc = TRIPS(TRIP("passive", "40", "'cpu', 'gpu'") "," TRIP("passive", "60", "'cpu', 'gpu'"));
  alive_open(&x, soc, NULL, SCENARIO("'thermal': {'governor': 'power_allocator', 'sustainable_w': 2.7, 'hold_c': {'cpu': 59}}"));
  x.r.sys.backends[CPU].spin_s = 20;
  alive_add(&x, CPU, 0.6e6, 0.8e6, 0)->opp = 0;
  alive_add(&x, GPU, 8 * 0.25e9, 0, 0)->opp = 0;
  const struct alive_run *run = alive_go(&x);
  ALIVE("the GPU's task", run->done_s[0], 1 * MS + 8);
  ALIVE("CPU", run->samples[5].freq_hz[CPU], 1.5e9);
  alive_close(&x);
  free(soc);
}
END_TEST

static void fill(TCase *t)
{
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
  tcase_add_test(t, begins_as_warm_as_the_room);
  tcase_add_test(t, a_critical_trip_ends_the_run);
  tcase_add_test(t, performance_is_back_after_a_cap);
  tcase_add_loop_test(t, power_allocator_sees_levels, 0, 6);
  tcase_add_loop_test(t, power_allocator_sees_levels_of_tasks, 0, 2);
  tcase_add_test(t, power_allocator_sees_levels_of_threads_that_wait);
}

int main(void) { return hs_test_main("living_governors", fill); }
