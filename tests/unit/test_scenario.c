/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a scenario can say, and what its readers refuse: the file, the table of processes, the options of the command line. A small
 * valid text, spoilt in one place at a time. */
#include "tests/unit/suite.h"

#include <math.h>

#include "tests/unit/scenario_soc.h"

static const unsigned CPU_MID = 1u << 0, CPU_BIG = 1u << 1, LITTLE = 1u << HS_DOMAINS_MAX, ALL_CPUS = 0xb;

static enum hs_status parse(struct hs_scenario *s, const struct hs_soc *soc, const char *text, struct hs_error *err)
{
  hs_scenario_open(s);
  return hs_scenario_parse(s, "s.json", text, strlen(text), soc, err);
}

static void check_phase(const struct hs_phase *ph, double from_s, double to_s, int threads, double duty, double gpu, double dsp, double dram, double footprint)
{
  ck_assert_double_eq(ph->from_s, from_s);
  ck_assert_double_eq(ph->to_s, to_s);
  ck_assert_int_eq(ph->threads, threads);
  ck_assert_double_eq(ph->duty_frac, duty);
  ck_assert_double_eq(ph->load_frac[HS_GPU], gpu);
  ck_assert_double_eq(ph->load_frac[HS_DSP], dsp);
  ck_assert_double_eq(ph->load_frac[HS_NPU], 0);
  ck_assert_double_eq(ph->dram_bytes_per_s, dram);
  ck_assert_double_eq(ph->footprint_bytes, footprint);
}

/* --- the file --- */

START_TEST(every_key)
{
  struct hs_scenario s;
  struct hs_error err;
  char *text = hs_test_seed("scenario/small");
  hs_test_accepted(parse(&s, &scenario_soc, text, &err), &err);
  ck_assert(s.living && s.thermal);
  ck_assert_str_eq(s.name, "small");
  ck_assert_int_eq(strlen(s.sha256), 64);
  /* the closer name counts, although "all" and "cpu" come after "cpu.big" */
  ck_assert_int_eq(s.governed[0][0].kind, HS_CONSERVATIVE);
  ck_assert_int_eq(s.governed[0][1].kind, HS_ONDEMAND);
  ck_assert_int_eq(s.governed[1][0].kind, HS_SCHEDUTIL);
  ck_assert_int_eq(s.governed[3][0].kind, HS_SCHEDUTIL);
  ck_assert_double_eq(s.start_c, 31);
  ck_assert_int_eq(s.thermal_governor, HS_POWER_ALLOCATOR);
  ck_assert_double_eq(s.sustainable_w, 2.5);
  ck_assert(s.held[2] && !s.held[0]);
  ck_assert_double_eq(s.held_c[2], 60);
  ck_assert_int_eq(s.trace[0].n, 3);
  ck_assert_double_eq(s.trace[0].time_s[1], 12.5);
  ck_assert_double_eq(s.trace[0].temperature_c[1], 45.5);
  ck_assert_int_eq(s.trace[1].n + s.trace[2].n + s.trace[3].n, 0);
  ck_assert_double_eq(s.ui_rate_hz, 90);
  ck_assert_double_eq(s.ui_cpu_s, 0.002);
  ck_assert_double_eq(s.ui_gpu_s, 0.003);
  ck_assert_double_eq(s.cache_hit_frac, 0.2);
  ck_assert_double_eq(s.fallback_frac[0], 0);
  ck_assert_double_eq(s.fallback_frac[2], 0.5);
  ck_assert_double_eq(s.fallback_frac[3], 0.25);
  hs_scenario_free(&s);
  free(text);
}
END_TEST

START_TEST(processes)
{
  struct hs_scenario s;
  struct hs_error err;
  char *text = hs_test_seed("scenario/small");
  hs_test_accepted(parse(&s, &scenario_soc, text, &err), &err);
  ck_assert_int_eq(s.n_processes, 2);
  const struct hs_process *a = &s.processes[0], *b = &s.processes[1];
  ck_assert_str_eq(a->name, "a");
  ck_assert_double_eq(a->period_s, 0.05);
  ck_assert_double_eq(a->kernel_s, 0.005);
  ck_assert_int_eq(a->nice, -3);
  ck_assert(a->poisson);
  ck_assert_uint_eq(a->clusters, CPU_BIG | LITTLE);
  ck_assert_int_eq(a->n_phases, 3);
  check_phase(&a->phases[0], 1.5, 4, 3, 0.25, 0, 0, 7e8, 65536);
  check_phase(&a->phases[1], 4, 5, 2, 1, 0, 0, 0, 0);
  check_phase(&a->phases[2], 6, INFINITY, 1, 1, 0.3, 0, 0, 0);
  ck_assert_double_eq(b->period_s, 0.02);
  ck_assert_double_eq(b->kernel_s, 0.004);
  ck_assert(!b->poisson && b->nice == 0);
  ck_assert_uint_eq(b->clusters, ALL_CPUS);
  check_phase(&b->phases[0], 0, INFINITY, 0, 1, 0, 0.125, 0, 0);
  hs_scenario_free(&s);
  free(text);
}
END_TEST

/* A file that asks for nothing is the idle phone. */
START_TEST(nothing)
{
  static const char idle[] = "{\"format\": \"hetsim-scenario/1\", \"name\": \"i\", \"title\": \"t\", \"source\": \"s\"}";
  struct hs_scenario s;
  struct hs_error err;
  hs_test_accepted(parse(&s, &scenario_soc, idle, &err), &err);
  ck_assert(!s.living && !s.thermal && s.n_processes == 0);
  ck_assert_double_eq(s.ui_rate_hz, 0);
  ck_assert_double_lt(s.cache_hit_frac, 0);
  ck_assert_int_eq(s.governed[0][0].kind, -1);
  hs_scenario_free(&s);
}
END_TEST

static const struct {
  const char *from, *to, *message;
} cases[] = {
  {"hetsim-scenario/1", "hetsim-scenario/2", "1:12: $.format: \"hetsim-scenario/2\" is not \"hetsim-scenario/1\""},
  {"\"name\": \"small\", ", "", "1:1: $: key \"name\" is missing"},
  {"\"name\": \"small\"", "\"name\": \"\"", "2:10: $.name: a name has 1 to 63 characters, not 0"},
  {"\"name\": \"small\"", "\"name\": \"a b\"", "2:10: $.name: a name has letters, digits and _ . / : + - only"},
  {"\"title\": \"t\"", "\"title\": \"\"", "2:28: $.title: is empty"},
  {"\"title\": \"t\", ", "", "1:1: $: key \"title\" is missing"},
  {"\"title\": \"t\"", "\"title\": 3", "2:28: $.title: is not a string, but 3"},
  {"\"source\": \"s\"", "\"source\": \"\"", "2:43: $.source: is empty"},
  {", \"source\": \"s\"", "", "1:1: $: key \"source\" is missing"},
  {"\"title\": \"t\"", "\"title\": \"t\", \"titel\": \"t\"", "2:33: $.titel: unknown key \"titel\"; did you mean title, which is there already?"},
  {"\"title\": \"t\"", "\"title\": \"t\", \"title\": \"t\"", "2:33: $.title: duplicate key"},
  /* governors */
  {"\"cpu.big\": \"ondemand\"", "\"cpu.huge\": \"ondemand\"", "3:28: $.governors.cpu.huge: phone has no processor or cluster of that name"},
  {"\"cpu.big\": \"ondemand\"", "\"npu\": \"ondemand\"", "3:23: $.governors.npu: phone has no processor or cluster of that name"},
  {"\"cpu.big\": \"ondemand\"", "\"\": \"ondemand\"", "3:20: $.governors.: phone has no processor or cluster of that name"},
  {"\"cpu.big\": \"ondemand\"", "\"cpu\": \"ondemand\"", "3:55: $.governors.cpu: duplicate key"},
  {"\"ondemand\"", "\"turbo\"",
   "3:27: $.governors.cpu.big: \"turbo\" is not one of performance, powersave, userspace, ondemand, conservative, schedutil, interactive, simple_ondemand"},
  {"\"ondemand\"", "3", "3:27: $.governors.cpu.big: is not a string, but 3"},
  {"\"ondemand\"", "\"ondemand:min\"", "3:27: $.governors.cpu.big: only userspace has a frequency, not ondemand"},
  {"\"ondemand\"", "\"userspace:1.2GHz\"", "3:27: $.governors.cpu.big: \"1.2GHz\" is not max, min or an OPP of cpu.big (MHz: 800, 1600)"},
  {"\"conservative\"", "\"userspace:600MHz\"", "3:66: $.governors.cpu: \"600MHz\" is not max, min or an OPP of cpu.big (MHz: 800, 1600)"},
  {"{\"cpu.big\": \"ondemand\", \"all\": \"schedutil\", \"cpu\": \"conservative\"}", "{}", "3:15: $.governors: is empty"},
  {"{\"cpu.big\": \"ondemand\", \"all\": \"schedutil\", \"cpu\": \"conservative\"}", "\"schedutil\"", "3:15: $.governors: is not an object, but \"schedutil\""},
  /* temperatures */
  {"\"start_c\": 31", "\"start_c\": 304", "4:25: $.thermal.start_c: 304 is not in [-40, 150]"},
  {"\"start_c\": 31", "\"start_c\": \"31\"", "4:25: $.thermal.start_c: is not a number, but \"31\""},
  {"\"power_allocator\"", "\"fair_share\"", "4:41: $.thermal.governor: \"fair_share\" is not one of none, step_wise, power_allocator, soc"},
  {"\"power_allocator\"", "\"step_wise\"", "4:71: $.thermal.sustainable_w: goes with the governor power_allocator only, not step_wise"},
  {"\"sustainable_w\": 2.5", "\"sustainable_w\": 0", "4:77: $.thermal.sustainable_w: 0 is not > 0"},
  {"\"sustainable_w\": 2.5", "\"sustainable_w\": 2500", "4:77: $.thermal.sustainable_w: 2500 is not <= 1000"},
  {"\"start_c\": 31", "\"ambient_c\": 31", "4:14: $.thermal.ambient_c: unknown key \"ambient_c\""},
  {"{\"gpu\": 60}", "{}", "5:13: $.thermal.hold_c: is empty"},
  {"{\"gpu\": 60}", "{\"npu\": 60}", "5:21: $.thermal.hold_c.npu: phone has no such processor"},
  {"{\"gpu\": 60}", "{\"gpu\": 333}", "5:21: $.thermal.hold_c.gpu: 333 is not in [-40, 150]"},
  {"{\"gpu\": 60}", "{\"gpu\": -41}", "5:21: $.thermal.hold_c.gpu: -41 is not in [-40, 150]"},
  {"{\"gpu\": 60}", "{\"gpu\": 60, \"gpu\": 60}", "5:25: $.thermal.hold_c.gpu: duplicate key"},
  {"{\"gpu\": 60}", "{\"cpu\": 60, \"cpu-little\": 61}",
   "5:39: $.thermal.hold_c.cpu-little: 61 C, but cpu is held at 60 C and heats the same node (cores)"},
  {"{\"gpu\": 60}", "{\"cpu\": 60}", "6:23: $.thermal.replay_c.cpu: is held at 60 C already"},
  {"{\"gpu\": 60}", "{\"cpu-little\": 60}", "6:23: $.thermal.replay_c.cpu: cpu-little has a temperature already and heats the same node (cores)"},
  {"{\"cpu\": [[", "{\"cpu-little\": [[0, 1], [1, 1]], \"cpu\": [[",
   "6:55: $.thermal.replay_c.cpu: cpu-little has a temperature already and heats the same node (cores)"},
  {"{\"cpu\": [[0, 30], [12.5, 45.5], [20, 40]]}", "{}", "6:15: $.thermal.replay_c: is empty"},
  {"{\"cpu\": [[", "{\"npu\": [[", "6:23: $.thermal.replay_c.npu: phone has no such processor"},
  {"[[0, 30], [12.5, 45.5], [20, 40]]", "[[0, 30]]", "6:23: $.thermal.replay_c.cpu: is not a list of 2 to 65536 pairs [time_s, temperature_c]"},
  {"[[0, 30], [12.5, 45.5], [20, 40]]", "30", "6:23: $.thermal.replay_c.cpu: is not a list of 2 to 65536 pairs [time_s, temperature_c]"},
  {"[12.5, 45.5]", "[12.5]", "6:33: $.thermal.replay_c.cpu[1]: is not [time_s, temperature_c]"},
  {"[12.5, 45.5]", "12.5", "6:33: $.thermal.replay_c.cpu[1]: is not [time_s, temperature_c]"},
  {"[0, 30]", "[0.5, 30]", "6:25: $.thermal.replay_c.cpu[0][0]: 0.5: the first time is not 0"},
  {"[0, 30]", "[-1, 30]", "6:25: $.thermal.replay_c.cpu[0][0]: -1 is not in [0, 1e+09]"},
  {"[12.5, 45.5]", "[20, 45.5]", "6:46: $.thermal.replay_c.cpu[2][0]: 20 is not after the time before it (20)"},
  {"[12.5, 45.5]", "[25, 45.5]", "6:46: $.thermal.replay_c.cpu[2][0]: 20 is not after the time before it (25)"},
  {"[12.5, 45.5]", "[0, 45.5]", "6:34: $.thermal.replay_c.cpu[1][0]: 0 is not after the time before it (0)"},
  {"[12.5, 45.5]", "[12.5, 318]", "6:40: $.thermal.replay_c.cpu[1][1]: 318 is not in [-40, 150]"},
  {"[12.5, 45.5]", "[12.5, null]", "6:40: $.thermal.replay_c.cpu[1][1]: is not a number, but null"},
  /* processes */
  {"\"name\": \"b\"", "\"name\": \"a\"", "13:12: $.processes[1].name: there is already a process \"a\""},
  {"\"name\": \"b\"", "\"name\": \"b b\"", "13:12: $.processes[1].name: a name has letters, digits and _ . / : + - only"},
  {"\"name\": \"b\", ", "", "13:3: $.processes[1]: key \"name\" is missing"},
  {"\"period_s\": 0.05", "\"period_s\": 50000", "8:29: $.processes[0].period_s: 50000 is not in [0.0001, 10000]"},
  {"\"period_s\": 0.05", "\"period_s\": -0.05", "8:29: $.processes[0].period_s: -0.05 is not in [0.0001, 10000]"},
  {"\"period_s\": 0.05", "\"period_ms\": 50", "8:17: $.processes[0].period_ms: unknown key \"period_ms\"; did you mean period_s?"},
  {"\"kernel_s\": 0.004", "\"kernel_s\": 0", "13:29: $.processes[1].kernel_s: 0 is not in [1e-06, 10]"},
  {"\"kernel_s\": 0.004", "\"kernel_s\": 0.004, \"period_s\": 1", "13:48: $.processes[1].period_s: goes with threads, and no phase has any"},
  {"\"kernel_s\": 0.004", "\"kernel_s\": 0.004, \"nice\": 0", "13:44: $.processes[1].nice: goes with threads, and no phase has any"},
  {"\"kernel_s\": 0.004", "\"kernel_s\": 0.004, \"affinity\": [\"cpu\"]", "13:48: $.processes[1].affinity: goes with threads, and no phase has any"},
  {", \"gpu_frac\": 0.3}]}", "}], \"kernel_s\": 0.1}",
   "12:47: $.processes[0].kernel_s: goes with gpu_frac, dsp_frac or npu_frac, and no phase has any"},
  {"\"nice\": -3", "\"nice\": -21", "8:43: $.processes[0].nice: -21 is not in [-20, 19]"},
  {"\"nice\": -3", "\"nice\": 1.5", "8:43: $.processes[0].nice: 1.5 is not a whole number"},
  {"\"poisson\"", "\"burst\"", "8:59: $.processes[0].arrivals: \"burst\" is not one of even, poisson"},
  {"[\"cpu.big\", \"cpu-little\"]", "[]", "8:82: $.processes[0].affinity: has 0 elements, not 1 to 24"},
  {"[\"cpu.big\", \"cpu-little\"]", "[\"gpu\"]", "8:83: $.processes[0].affinity[0]: phone has no CPU or cluster \"gpu\""},
  {"[\"cpu.big\", \"cpu-little\"]", "[\"cpu.small\"]", "8:83: $.processes[0].affinity[0]: phone has no CPU or cluster \"cpu.small\""},
  {"[\"cpu.big\", \"cpu-little\"]", "[\"\"]", "8:83: $.processes[0].affinity[0]: phone has no CPU or cluster \"\""},
  {"[\"cpu.big\", \"cpu-little\"]", "[\"cpu.big\", \"cpu\"]", "8:94: $.processes[0].affinity[1]: \"cpu\" is in the list already"},
  {"[\"cpu.big\", \"cpu-little\"]", "\"cpu\"", "8:82: $.processes[0].affinity: is not an array, but \"cpu\""},
  {"[\"cpu.big\", \"cpu-little\"]", "[1]", "8:83: $.processes[0].affinity[0]: is not a string, but 1"},
  {"[{\"dsp_frac\": 0.125}]", "[]", "13:46: $.processes[1].phases: has 0 elements, not 1 to 4096"},
  {", \"phases\": [{\"dsp_frac\": 0.125}]", "", "13:3: $.processes[1]: key \"phases\" is missing"},
  {"[{\"dsp_frac\": 0.125}]", "[3]", "13:47: $.processes[1].phases[0]: is not an object"},
  /* phases */
  {"\"from_s\": 1.5, \"to_s\": 4", "\"from_s\": -1.5, \"to_s\": 4", "10:16: $.processes[0].phases[0].from_s: -1.5 is not in [0, 1e+09]"},
  {"\"from_s\": 1.5, \"to_s\": 4", "\"from_s\": 1.5, \"to_s\": -4", "10:29: $.processes[0].phases[0].to_s: -4 is not in [0, 1e+09]"},
  {"\"from_s\": 1.5, \"to_s\": 4", "\"from_s\": 4, \"to_s\": 1.5", "10:27: $.processes[0].phases[0].to_s: 1.5 is not after the phase begins (4)"},
  {"\"from_s\": 1.5, \"to_s\": 4", "\"from_s\": 4, \"to_s\": 4", "10:27: $.processes[0].phases[0].to_s: 4 is not after the phase begins (4)"},
  {"{\"to_s\": 5", "{\"from_s\": 3, \"to_s\": 5", "11:5: $.processes[0].phases[1]: begins at 3 s, before the one before it ends (4 s)"},
  {"{\"to_s\": 5", "{\"to_s\": 3.5", "11:14: $.processes[0].phases[1].to_s: 3.5 is not after the phase begins (4)"},
  {"{\"to_s\": 5, ", "{", "12:5: $.processes[0].phases[2]: the phase before it has no to_s: nothing can follow"},
  {"\"threads\": 3", "\"threads\": 0", "10:59: $.processes[0].phases[0].duty_frac: goes with threads, and there are none"},
  {"\"threads\": 3", "\"threads\": 17", "10:43: $.processes[0].phases[0].threads: 17 is not in [0, 16]"},
  {"\"threads\": 3", "\"threads\": 2.5", "10:43: $.processes[0].phases[0].threads: 2.5 is not a whole number"},
  {"\"duty_frac\": 0.25", "\"duty_frac\": 25", "10:59: $.processes[0].phases[0].duty_frac: 25 is not in [0.0001, 1]"},
  {"\"duty_frac\": 0.25", "\"duty_frac\": 0", "10:59: $.processes[0].phases[0].duty_frac: 0 is not in [0.0001, 1]"},
  {"\"threads\": 3, ", "", "10:45: $.processes[0].phases[0].duty_frac: goes with threads, and there are none"},
  {"\"threads\": 3, \"duty_frac\": 0.25, ", "",
   "10:5: $.processes[0].phases[0]: loads nothing: it has neither threads nor gpu_frac, dsp_frac or npu_frac"},
  {"\"gpu_frac\": 0.3", "\"gpu_frac\": 1.3", "12:45: $.processes[0].phases[2].gpu_frac: 1.3 is not in [0, 1]"},
  {"\"gpu_frac\": 0.3", "\"gpu_frac\": 1e-5", "12:45: $.processes[0].phases[2].gpu_frac: 1e-05 is neither 0 nor in [0.0001, 1]"},
  {"{\"dsp_frac\": 0.125}", "{\"threads\": 0, \"dsp_frac\": 0}",
   "13:47: $.processes[1].phases[0]: loads nothing: it has neither threads nor gpu_frac, dsp_frac or npu_frac"},
  {"\"gpu_frac\": 0.3", "\"npu_frac\": 0.3", "12:45: $.processes[0].phases[2].npu_frac: phone has no npu"},
  {"\"dram_bytes_per_s\": 7e8", "\"dram_bytes_per_s\": -1", "10:85: $.processes[0].phases[0].dram_bytes_per_s: -1 is not in [0, 1e+12]"},
  {"\"footprint_bytes\": 65536", "\"footprint_bytes\": 1e13", "10:109: $.processes[0].phases[0].footprint_bytes: 1e+13 is not in [0, 1e+12]"},
  {"\"footprint_bytes\": 65536", "\"footprint_mb\": 1", "10:90: $.processes[0].phases[0].footprint_mb: unknown key \"footprint_mb\"; did you mean footprint_bytes?"},
  {"{\"dsp_frac\": 0.125}", "{\"dps_frac\": 0.125}", "13:48: $.processes[1].phases[0].dps_frac: unknown key \"dps_frac\"; did you mean gpu_frac?"},
  {"{\"dsp_frac\": 0.125}", "{}", "13:47: $.processes[1].phases[0]: loads nothing: it has neither threads nor gpu_frac, dsp_frac or npu_frac"},
  {"{\"dsp_frac\": 0.125}", "{\"footprint_bytes\": 5}",
   "13:47: $.processes[1].phases[0]: loads nothing: it has neither threads nor gpu_frac, dsp_frac or npu_frac"},
  /* the table, the display, the cache, the end */
  {"\"ui\": {", "\"processes_csv\": \"missing.csv\", \"ui\": {", "14:19: $.processes_csv: \"missing.csv\": can't open: No such file or directory"},
  {"\"ui\": {", "\"processes_csv\": 3, \"ui\": {", "14:19: $.processes_csv: is not a string, but 3"},
  {"\"ui\": {", "\"processes_csv\": \"\", \"ui\": {", "14:19: $.processes_csv: is the empty string, and not the name of a file"},
  {"\"rate_hz\": 90, ", "", "14:8: $.ui: key \"rate_hz\" is missing"},
  {"\"rate_hz\": 90", "\"rate_hz\": 0", "14:20: $.ui.rate_hz: 0 is not in [1, 240]"},
  {"\"rate_hz\": 90", "\"rate_hz\": 241", "14:20: $.ui.rate_hz: 241 is not in [1, 240]"},
  {"\"cpu_s\": 0.002", "\"cpu_s\": -0.002", "14:33: $.ui.cpu_s: -0.002 is not in [0, 1]"},
  {"\"cpu_s\": 0.002", "\"cpu_ms\": 2", "14:24: $.ui.cpu_ms: unknown key \"cpu_ms\"; did you mean cpu_s?"},
  {"\"cpu_s\": 0.002, \"gpu_s\": 0.003", "\"cpu_s\": 0, \"gpu_s\": 0", "14:8: $.ui: cpu_s and gpu_s are 0: frames cost nothing"},
  {"{\"rate_hz\": 90, \"cpu_s\": 0.002, \"gpu_s\": 0.003}", "60", "14:8: $.ui: is not an object, but 60"},
  {"\"cache_hit_frac\": 0.2", "\"cache_hit_frac\": 20", "15:20: $.cache_hit_frac: 20 is not in [0, 1]"},
  {"\"cache_hit_frac\": 0.2", "\"cache_hit_frac\": -0.1", "15:20: $.cache_hit_frac: -0.1 is not in [0, 1]"},
  {"\"cache_hit_frac\": 0.2", "\"cache_hit_frac\": null", "15:20: $.cache_hit_frac: is not a number, but null"},
  {"\"cpu-little\"}}", "\"cpu-little\"}} {}", "16:80: not JSON: unexpected character"},
};

START_TEST(refused)
{
  struct hs_scenario s;
  struct hs_error err = {0};
  char *text = hs_test_seed("scenario/small"), *spoilt = hs_test_replace(text, cases[_i].from, cases[_i].to), message[700];
  snprintf(message, sizeof message, "s.json:%s", cases[_i].message);
  hs_test_refused(parse(&s, &scenario_soc, spoilt, &err), &err, message);
  hs_scenario_free(&s);
  free(spoilt);
  free(text);
}
END_TEST

#define OF_FALLBACK(what) "{\"format\": \"hetsim-scenario/1\", \"name\": \"f\", \"title\": \"t\", \"source\": \"s\", \"fallback\": " what "}"

START_TEST(fallback_of_a_file)
{
  struct hs_scenario s;
  struct hs_error err;
  hs_test_accepted(parse(&s, &scenario_soc, OF_FALLBACK("{\"gpu\": {\"frac\": 0.5, \"to\": \"cpu-little\"}, \"dsp\": {\"frac\": 0.25}}"), &err), &err);
  ck_assert_double_eq(s.fallback_frac[2], 0.5);
  ck_assert_int_eq(s.fallback_to[2], 1);
  ck_assert_double_eq(s.fallback_frac[3], 0.25);
  ck_assert_int_eq(s.fallback_to[3], 0);
  hs_scenario_free(&s);
  static const struct {
    const char *text, *message;
  } bad[] = {
    {OF_FALLBACK("{}"), "$.fallback: is empty"},
    {OF_FALLBACK("{\"npu\": {\"frac\": 0.5}}"), "$.fallback.npu: phone has no such processor"},
    {OF_FALLBACK("{\"cpu\": {\"frac\": 0.5}}"), "$.fallback.cpu: is a CPU: operators fall back to it, not from it"},
    {OF_FALLBACK("{\"gpu\": 0.5}"), "$.fallback.gpu: is not an object"},
    {OF_FALLBACK("{\"gpu\": {\"frac\": 1.5}}"), "$.fallback.gpu.frac: 1.5 is not in [0, 1]"},
    {OF_FALLBACK("{\"gpu\": {\"frac\": 0.5, \"to\": \"dsp\"}}"), "$.fallback.gpu.to: phone has no CPU \"dsp\""},
  };
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    ck_assert_int_eq(parse(&s, &scenario_soc, bad[i].text, &err), HS_INPUT);
    ck_assert_msg(strstr(hs_test_message(&err), bad[i].message) != NULL, "%s", hs_test_message(&err));
    hs_scenario_free(&s);
  }
}
END_TEST

#define OF_RPC_THREAD(what) "{\"format\": \"hetsim-scenario/1\", \"name\": \"f\", \"title\": \"t\", \"source\": \"s\", \"rpc_thread\": " what "}"

/* cpu has two clusters, cpu-little one, which is the last CPU's first. */
START_TEST(where_accelerators_are_called_from)
{
  static const struct {
    const char *text, *message;
    unsigned clusters;
    bool sliced;
  } cases[] = {{OF_RPC_THREAD("[\"cpu\"]"), NULL, 3, true},
               {OF_RPC_THREAD("[\"cpu.big\", \"cpu-little\"]"), NULL, 2 | 1u << HS_DOMAINS_MAX, true},
               {OF_RPC_THREAD("[]"), "$.rpc_thread: has 0 elements, not 1 to 24", 0, true},
               {OF_RPC_THREAD("\"cpu\""), "$.rpc_thread: is not an array", 0, true},
               {OF_RPC_THREAD("[\"gpu\"]"), "$.rpc_thread[0]: phone has no CPU or cluster \"gpu\"", 0, true},
               {OF_RPC_THREAD("[\"cpu\", \"cpu.big\"]"), "$.rpc_thread[1]: \"cpu.big\" is in the list already", 0, true},
               {OF_RPC_THREAD("[\"cpu\"]"), "$.rpc_thread: phone has no scheduler: nobody waits for its cores", 0, false}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct hs_scenario s;
    struct hs_error err;
    struct hs_soc soc = scenario_soc;
    if (!cases[i].sliced) soc.scheduler = (struct hs_scheduler){0};
    enum hs_status status = parse(&s, &soc, cases[i].text, &err);
    if (cases[i].message) {
      ck_assert_int_eq(status, HS_INPUT);
      ck_assert_msg(strstr(hs_test_message(&err), cases[i].message) != NULL, "%s", hs_test_message(&err));
    } else {
      hs_test_accepted(status, &err);
      ck_assert_uint_eq(hs_scenario_rpc_clusters(&s, &soc), cases[i].clusters);
      ck_assert(s.living);
    }
    hs_scenario_free(&s);
  }
  struct hs_scenario nothing;
  hs_scenario_open(&nothing);
  ck_assert_uint_eq(hs_scenario_rpc_clusters(&nothing, &scenario_soc), 1u << HS_DOMAINS_MAX);
}
END_TEST

/* What a SoC may lack. */
START_TEST(lacking)
{
  struct hs_scenario s;
  struct hs_error err;
  struct hs_soc soc = scenario_soc;
  char *text = hs_test_seed("scenario/small");
  soc.memory.llc_hit_frac = -1;
  hs_test_refused(parse(&s, &soc, text, &err), &err, "s.json:15:20: $.cache_hit_frac: phone has no memory.llc_hit_frac to compare with");
  hs_scenario_free(&s);
  soc.processors[2].kind = HS_NPU;
  char *no_load = hs_test_replace(text, ", \"gpu_frac\": 0.3", "");
  hs_test_refused(parse(&s, &soc, no_load, &err), &err, "s.json:14:8: $.ui: phone has no GPU");
  hs_scenario_free(&s);
  free(no_load);
  free(text);
}
END_TEST

/* 0 says none, as in a table, also of what the SoC lacks. */
START_TEST(zero_loads)
{
  struct hs_scenario s;
  struct hs_error err;
  char *text = hs_test_seed("scenario/small"), *zeros = hs_test_replace(text, "\"dsp_frac\": 0.125", "\"dsp_frac\": 0.125, \"threads\": 0, \"npu_frac\": 0");
  hs_test_accepted(parse(&s, &scenario_soc, zeros, &err), &err);
  check_phase(&s.processes[1].phases[0], 0, INFINITY, 0, 1, 0, 0.125, 0, 0);
  hs_scenario_free(&s);
  free(zeros);
  free(text);
}
END_TEST

START_TEST(too_many)
{
  struct hs_scenario s;
  struct hs_error err;
  struct hs_text t = {0};
  hs_text_add(&t, "{\"format\": \"hetsim-scenario/1\", \"name\": \"many\", \"title\": \"t\", \"source\": \"s\", \"processes\": [");
  for (int i = 0; i < 33; i++) hs_text_addf(&t, "%s{\"name\": \"p%d\", \"phases\": [{\"threads\": 1}]}", i ? ", " : "", i);
  hs_text_add(&t, "]}");
  hs_test_refused(parse(&s, &scenario_soc, t.s, &err), &err, "s.json:1:91: $.processes: has 33 elements, not 1 to 32");
  hs_scenario_free(&s);
  hs_text_free(&t);
}
END_TEST

/* The longest trace there may be is read in a moment: no list is searched from its start for each element. */
START_TEST(long_trace)
{
  struct hs_scenario s;
  struct hs_error err;
  struct hs_text t = {0};
  hs_text_add(&t, "{\"format\": \"hetsim-scenario/1\", \"name\": \"l\", \"title\": \"t\", \"source\": \"s\", \"thermal\": {\"replay_c\": {\"gpu\": [[0, 30]");
  for (int i = 1; i < HS_POINTS_MAX; i++) hs_text_addf(&t, ", [%d, %d]", i, 30 + i % 7);
  hs_text_add(&t, "]}}}");
  hs_test_accepted(parse(&s, &scenario_soc, t.s, &err), &err);
  ck_assert_int_eq(s.trace[2].n, HS_POINTS_MAX);
  ck_assert_double_eq(s.trace[2].time_s[HS_POINTS_MAX - 1], HS_POINTS_MAX - 1);
  ck_assert_double_eq(s.trace[2].temperature_c[6], 36);
  hs_scenario_free(&s);
  hs_text_free(&t);
}
END_TEST

/* --- tables of processes --- */

static char *table(void)
{
  char path[600], *text = NULL;
  size_t len;
  struct hs_error err;
  const char *root = getenv("srcdir");
  snprintf(path, sizeof path, "%s/tests/fuzz/corpus/competing/small.csv", root ? root : ".");
  hs_test_accepted(hs_file_read(path, &text, &len, &err), &err);
  return text;
}

static enum hs_status parse_table(struct hs_scenario *s, const char *text, struct hs_error *err)
{
  hs_scenario_open(s);
  return hs_competing_parse(s, "folder/t.csv", text, strlen(text), &scenario_soc, err);
}

static void check_table(const struct hs_scenario *s)
{
  ck_assert(s->living);
  ck_assert_int_eq(s->n_processes, 2);
  const struct hs_process *x = &s->processes[0], *y = &s->processes[1];
  ck_assert_str_eq(x->name, "x");
  ck_assert_int_eq(x->n_phases, 1);
  check_phase(&x->phases[0], 1.5, INFINITY, 1, 1, 0, 0, 0, 0);
  ck_assert_str_eq(y->name, "y");
  ck_assert_uint_eq(y->clusters, ALL_CPUS);
  ck_assert_double_eq(y->period_s, 0.02);
  ck_assert_double_eq(y->kernel_s, 0.005);
  ck_assert_int_eq(y->n_phases, 3);
  check_phase(&y->phases[0], 0.5, 2, 2, 0.25, 0.5, 0, 7e8, 65536);
  check_phase(&y->phases[1], 2, 3, 0, 1, 0, 0.125, 1e6, 0);
  check_phase(&y->phases[2], 4, INFINITY, 4, 0.75, 0, 0, 0, 1024);
}

START_TEST(table_is_valid)
{
  struct hs_scenario s;
  struct hs_error err;
  char *text = table();
  hs_test_accepted(parse_table(&s, text, &err), &err);
  check_table(&s);
  ck_assert_int_eq(s.n_competing, 1);
  ck_assert_str_eq(s.competing[0].name, "t.csv");
  ck_assert_int_eq(strlen(s.competing[0].sha256), 64);
  hs_scenario_free(&s);
  free(text);
}
END_TEST

/* As a spreadsheet writes it, and without the last end of line. */
START_TEST(table_lines)
{
  struct hs_scenario s;
  struct hs_error err;
  struct hs_text crlf = {0};
  char *text = table();
  hs_text_add(&crlf, "\xef\xbb\xbf");
  for (const char *c = text; *c; c++) hs_text_addf(&crlf, "%s%c", *c == '\n' ? "\r" : "", *c);
  hs_test_accepted(parse_table(&s, crlf.s, &err), &err);
  check_table(&s);
  hs_scenario_free(&s);
  text[strlen(text) - 1] = 0;
  hs_test_accepted(parse_table(&s, text, &err), &err);
  check_table(&s);
  hs_scenario_free(&s);
  hs_text_free(&crlf);
  struct hs_text noted = {0};
  hs_text_addf(&noted, "# recorded, by hand\n\n%s\n# the end", text);
  hs_test_accepted(parse_table(&s, noted.s, &err), &err);
  check_table(&s);
  hs_scenario_free(&s);
  hs_text_free(&noted);
  free(text);
}
END_TEST

static const struct {
  const char *from, *to, *message;
} table_cases[] = {
  {"time_s,process", "time,process",
   "1:1: the first line is not time_s,process,threads,duty_frac,gpu_frac,dsp_frac,npu_frac,dram_bytes_per_s,footprint_bytes"},
  {"time_s,process,", "process,time_s,",
   "1:1: the first line is not time_s,process,threads,duty_frac,gpu_frac,dsp_frac,npu_frac,dram_bytes_per_s,footprint_bytes"},
  {",footprint_bytes\n", "\n",
   "1:1: the first line is not time_s,process,threads,duty_frac,gpu_frac,dsp_frac,npu_frac,dram_bytes_per_s,footprint_bytes"},
  {"0.5,y,2", "0.5,y", "3:1: fewer than 9 values, separated by commas"},
  {"0.5,y,2", "0.5,y,2,2", "3:1: more than 9 values, separated by commas"},
  {"0.5,y,2,0.25", "0.5,y,2,2", "3:9: duty_frac: 2 is not in [0, 1]"},
  {"0,x,0,0,0,0,0,0,0\n", " \n0,x,0,0,0,0,0,0,0\n", "2:1: fewer than 9 values, separated by commas"},
  {"0.5,y,2", "-0.5,y,2", "3:1: time_s: -0.5 is not in [0, 1e+09]"},
  {"0.5,y,2", "0.5s,y,2", "3:1: time_s: \"0.5s\" is not a number"},
  {"0.5,y,2", ",y,2", "3:1: time_s: \"\" is not a number"},
  {"0.5,y,2", "nan,y,2", "3:1: time_s: \"nan\" is not a number"},
  {"0.5,y,2", " 0.5,y,2", "3:1: time_s: \" 0.5\" is not a number"},
  {"0.5,y,2", "1e400,y,2", "3:1: time_s: 1e400 is not in [0, 1e+09]"},
  {"1.5,x,1,1", "0.5,y,1,1", "4:1: time_s: 0.5 is not after the row of this process before it (0.5)"},
  {"0.5,y,2", "0.5,y,2,0.25,0,0,0,0,0,0,2", "3:1: more than 9 values, separated by commas"},
  {"1.5,x", "0.25,x", "4:1: time_s: 0.25 is before the row above (0.5)"},
  {"2,y,0,0", "0.5,y,0,0", "5:1: time_s: 0.5 is before the row above (1.5)"},
  {"0.5,y,2", "0.5,,2", "3:5: process: a name has 1 to 63 characters, not 0"},
  {"0.5,y,2", "0.5,\"y\",2", "3:5: process: a name has letters, digits and _ . / : + - only"},
  {"0.5,y,2", "0.5,y,2.5", "3:7: threads: 2.5 is not a whole number"},
  {"0.5,y,2", "0.5,y,17", "3:7: threads: 17 is not in [0, 16]"},
  {"2,0.25,0.5", "2,0.25,1.5", "3:14: gpu_frac: 1.5 is not in [0, 1]"},
  {"2,0.25,0.5", "2,0.25,1e-9", "3:14: gpu_frac: 1e-9 is neither 0 nor in [0.0001, 1]"},
  {"2,0.25,0.5", "2,0,0.5", "3:9: duty_frac: 0 is not in [0.0001, 1], and there are threads"},
  {"2,0.25,0.5", "0,0.25,0.5", "3:9: duty_frac: 0.25 goes with threads, and there are none"},
  {"0.5,0,0,7e8", "0.5,0,0.5,7e8", "3:20: npu_frac: phone has no npu"},
  {"7e8,65536", "7e13,65536", "3:22: dram_bytes_per_s: 7e13 is not in [0, 1e+12]"},
  {"7e8,65536", "7e8,-1", "3:26: footprint_bytes: -1 is not in [0, 1e+12]"},
  {"0,x,0,0,0,0,0,0,0", "0,x,0,0,0,0,0,5,0", "2:15: dram_bytes_per_s: 5, but this row loads no processor"},
  {"0,x,0,0,0,0,0,0,0", "0,x,0,0,0,0,0,0,5", "2:17: footprint_bytes: 5, but this row loads no processor"},
  {"0,x,0,0,0,0,0,0,0", "0,z,0,0,0,0,0,0,0", "7:1: process \"z\" never loads a processor"},
};

START_TEST(table_refused)
{
  struct hs_scenario s;
  struct hs_error err = {0};
  char *text = table(), *spoilt = hs_test_replace(text, table_cases[_i].from, table_cases[_i].to), message[700];
  snprintf(message, sizeof message, "folder/t.csv:%s", table_cases[_i].message);
  hs_test_refused(parse_table(&s, spoilt, &err), &err, message);
  hs_scenario_free(&s);
  free(spoilt);
  free(text);
}
END_TEST

/* --- what a process says of itself in a table --- */

#define ROW "time_s,process,threads,duty_frac,gpu_frac,dsp_frac,npu_frac,dram_bytes_per_s,footprint_bytes"
/* In another order than the documentation's, with one cell repeated and others left out. */
static const char own_table[] = ROW ",arrivals,nice,affinity,kernel_s,period_s\n"
                                "0,a,0,0,0,0,0,0,0,poisson,-3,cpu.big;cpu-little,0.004,0.05\n"
                                "1,a,2,0.5,0.25,0,0,0,0,,,cpu.big;cpu-little,,\n"
                                "1,b,1,1,0,0,0,0,0,,,,,\n";

START_TEST(table_with_own_columns)
{
  struct hs_scenario s;
  struct hs_error err;
  hs_test_accepted(parse_table(&s, own_table, &err), &err);
  const struct hs_process *a = &s.processes[0], *b = &s.processes[1];
  ck_assert(a->poisson && !b->poisson);
  ck_assert_int_eq(a->nice, -3);
  ck_assert_uint_eq(a->clusters, CPU_BIG | LITTLE);
  ck_assert_double_eq(a->kernel_s, 0.004);
  ck_assert_double_eq(a->period_s, 0.05);
  check_phase(&a->phases[0], 1, INFINITY, 2, 0.5, 0.25, 0, 0, 0);
  ck_assert_int_eq(b->nice, 0);
  ck_assert_uint_eq(b->clusters, ALL_CPUS);
  ck_assert_double_eq(b->kernel_s, 0.005);
  ck_assert_double_eq(b->period_s, 0.02);
  hs_scenario_free(&s);
}
END_TEST

static const struct {
  const char *from, *to, *message;
} own_cases[] = {
  {",arrivals,nice", ",arrivals,niceness", "1:103: \"niceness\" is not one of period_s, nice, affinity, kernel_s, arrivals, which may follow footprint_bytes"},
  {",arrivals,nice", ",arrivals,", "1:103: \"\" is not one of period_s, nice, affinity, kernel_s, arrivals, which may follow footprint_bytes"},
  {",arrivals,nice", ",arrivals,arrivals", "1:103: the column arrivals stands there already"},
  {",arrivals,nice", ",arrivals,threads", "1:103: \"threads\" is not one of period_s, nice, affinity, kernel_s, arrivals, which may follow footprint_bytes"},
  {",kernel_s,period_s", ",kernel_s", "2:1: more than 13 values, separated by commas"},
  {",0.004,0.05\n", ",0.004\n", "2:1: fewer than 14 values, separated by commas"},
  {"poisson", "burst", "2:19: arrivals: \"burst\" is not one of even, poisson"},
  {"-3", "-21", "2:27: nice: -21 is not in [-20, 19]"},
  {"-3", "20", "2:27: nice: 20 is not in [-20, 19]"},
  {"-3", "1.5", "2:27: nice: 1.5 is not a whole number"},
  {"-3", "low", "2:27: nice: \"low\" is not a number"},
  {"cpu.big;cpu-little,0.004", "gpu,0.004", "2:30: affinity: phone has no CPU or cluster \"gpu\""},
  {"cpu.big;cpu-little,0.004", "cpu;cpu.big,0.004", "2:30: affinity: \"cpu.big\" is in the list already"},
  {"cpu.big;cpu-little,0.004", ";cpu,0.004", "2:30: affinity: phone has no CPU or cluster \"\""},
  {"0.004", "0", "2:49: kernel_s: 0 is not in [1e-06, 10]"},
  {"0.05\n", "50000\n", "2:55: period_s: 50000 is not in [0.0001, 10000]"},
  {",,,cpu.big;cpu-little,,\n", ",,,cpu,,\n", "3:26: affinity: cpu, but the first row of \"a\" says cpu.big;cpu-little"},
  {"0.5,0.25,0,0,0,0,,,", "0.5,0.25,0,0,0,0,even,,", "3:24: arrivals: even, but the first row of \"a\" says poisson"},
  {"0.5,0.25,", "0.5,0,", "2:49: kernel_s: goes with gpu_frac, dsp_frac or npu_frac, and no row of \"a\" has any"},
  {"1,a,2,0.5,0.25", "1,a,0,0,0.25", "2:55: period_s: goes with threads, and no row of \"a\" has any"},
};

START_TEST(own_columns_refused)
{
  struct hs_scenario s;
  struct hs_error err = {0};
  char *spoilt = hs_test_replace(own_table, own_cases[_i].from, own_cases[_i].to), message[700];
  snprintf(message, sizeof message, "folder/t.csv:%s", own_cases[_i].message);
  hs_test_refused(parse_table(&s, spoilt, &err), &err, message);
  hs_scenario_free(&s);
  free(spoilt);
}
END_TEST

/* All that a file can say of processes a table can say too: the same struct comes out. */
START_TEST(table_says_what_the_file_says)
{
  struct hs_scenario file, csv;
  struct hs_error err;
  char *text = hs_test_seed("scenario/small");
  hs_test_accepted(parse(&file, &scenario_soc, text, &err), &err);
  hs_test_accepted(parse_table(&csv, ROW ",period_s,nice,arrivals,affinity,kernel_s\n"
                                     "0,b,0,0,0,0.125,0,0,0,,,,,0.004\n"
                                     "1.5,a,3,0.25,0,0,0,7e8,65536,0.05,-3,poisson,cpu.big;cpu-little,\n"
                                     "4,a,2,1,0,0,0,0,0,,,,,\n"
                                     "5,a,0,0,0,0,0,0,0,,,,,\n"
                                     "6,a,1,1,0.3,0,0,0,0,,,,,\n", &err), &err);
  for (int i = 0; i < 2; i++) {
    const struct hs_process *a = &file.processes[i], *b = &csv.processes[1 - i];
    ck_assert_str_eq(a->name, b->name);
    ck_assert(a->period_s == b->period_s && a->kernel_s == b->kernel_s && a->poisson == b->poisson);
    ck_assert(a->nice == b->nice && a->clusters == b->clusters && a->n_phases == b->n_phases);
    for (int k = 0; k < a->n_phases; k++) {
      const struct hs_phase *p = &a->phases[k];
      check_phase(&b->phases[k], p->from_s, p->to_s, p->threads, p->duty_frac, p->load_frac[HS_GPU], p->load_frac[HS_DSP], p->dram_bytes_per_s, p->footprint_bytes);
    }
  }
  hs_scenario_free(&file);
  hs_scenario_free(&csv);
  free(text);
}
END_TEST

static const char header[] = "time_s,process,threads,duty_frac,gpu_frac,dsp_frac,npu_frac,dram_bytes_per_s,footprint_bytes\n";

START_TEST(table_of_nothing)
{
  struct hs_scenario s;
  struct hs_error err;
  hs_test_refused(parse_table(&s, "", &err), &err, "folder/t.csv:1:1: the table has no rows");
  hs_scenario_free(&s);
  hs_test_refused(parse_table(&s, header, &err), &err, "folder/t.csv:1:1: the table has no rows");
  hs_scenario_free(&s);
  hs_test_refused(parse_table(&s, "# a\n\ntime\n", &err), &err, "folder/t.csv:3:1: the first line is not time_s,process,threads,duty_frac,gpu_frac,dsp_frac,npu_frac,dram_bytes_per_s,footprint_bytes");
  hs_scenario_free(&s);
  hs_scenario_open(&s);
  hs_test_refused(hs_competing_parse(&s, "t.csv", "a\nb\0c", 5, &scenario_soc, &err), &err, "t.csv:2:2: is no text: it has a zero byte");
  hs_scenario_free(&s);
}
END_TEST

/* A process of the scenario, and one more row or process than there may be. */
START_TEST(table_too_many)
{
  struct hs_scenario s;
  struct hs_error err;
  struct hs_text t = {0};
  char *text = hs_test_seed("scenario/small");
  hs_test_accepted(parse(&s, &scenario_soc, text, &err), &err);
  hs_text_addf(&t, "%s0,a,1,1,0,0,0,0,0\n", header);
  hs_test_refused(hs_competing_parse(&s, "t.csv", t.s, t.len, &scenario_soc, &err), &err, "t.csv:2:3: process: there is already a process \"a\"");
  hs_text_free(&t);
  hs_scenario_free(&s);
  hs_text_add(&t, header);
  for (int i = 0; i < 33; i++) hs_text_addf(&t, "0,p%d,1,1,0,0,0,0,0\n", i);
  hs_test_refused(parse_table(&s, t.s, &err), &err, "folder/t.csv:34:3: process: more than 32 processes");
  hs_text_free(&t);
  hs_scenario_free(&s);
  hs_text_add(&t, header);
  for (int i = 0; i <= HS_PHASES_MAX; i++) hs_text_addf(&t, "%d,p,1,1,0,0,0,0,0\n", i);
  hs_test_refused(parse_table(&s, t.s, &err), &err, "folder/t.csv:4098:6: process: more than 4096 rows of \"p\"");
  hs_text_free(&t);
  hs_scenario_free(&s);
  free(text);
}
END_TEST

/* A scenario's table is beside it, wherever the scenario is. */
START_TEST(table_of_a_scenario)
{
  struct hs_scenario s;
  struct hs_error err;
  char file[600];
  const char *root = getenv("srcdir");
  snprintf(file, sizeof file, "%s/tests/fuzz/corpus/scenario/table.json", root ? root : ".");
  hs_scenario_open(&s);
  hs_test_accepted(hs_scenario_read(&s, file, &scenario_soc, &err), &err);
  check_table(&s);
  ck_assert_str_eq(s.competing[0].name, "small.csv");
  hs_scenario_free(&s);
}
END_TEST

/* The piece of doc/formats.md from `start` to the end of its block. */
static char *documented(const char *start)
{
  char path[600], *text = NULL;
  size_t len;
  struct hs_error err;
  const char *root = getenv("srcdir");
  snprintf(path, sizeof path, "%s/doc/formats.md", root ? root : ".");
  hs_test_accepted(hs_file_read(path, &text, &len, &err), &err);
  char *from = strstr(text, start), *to = from ? strstr(from, "```") : NULL;
  ck_assert_msg(to != NULL, "%s is not in doc/formats.md", start);
  *to = 0;
  memmove(text, from, strlen(from) + 1);
  return text;
}

START_TEST(examples_of_the_documentation)
{
  struct hs_scenario s;
  struct hs_error err;
  char *scenario = documented("{\n  \"format\": \"hetsim-scenario/1\""), *processes = documented("time_s,process"), *own = documented(ROW ",nice");
  char *alone = hs_test_replace(scenario, "\"processes_csv\": \"evening.csv\",", "");
  hs_test_accepted(parse(&s, &scenario_soc, alone, &err), &err);
  ck_assert_int_eq(s.n_processes, 2);
  hs_test_accepted(hs_competing_parse(&s, "evening.csv", processes, strlen(processes), &scenario_soc, &err), &err);
  ck_assert_int_eq(s.n_processes, 4);
  hs_test_accepted(hs_competing_parse(&s, "evening.csv", own, strlen(own), &scenario_soc, &err), &err);
  ck_assert_int_eq(s.n_processes, 5);
  hs_scenario_free(&s);
  free(own);
  free(alone);
  free(scenario);
  free(processes);
}
END_TEST

/* --- the command line --- */

static enum hs_status make(struct hs_scenario *s, struct hs_scenario_options o, struct hs_error *err)
{
  return hs_scenario_make(s, &o, &scenario_soc, err);
}

static void refuse(struct hs_scenario_options o, const char *message)
{
  struct hs_scenario s;
  struct hs_error err = {0};
  enum hs_status status = make(&s, o, &err);
  ck_assert_msg(status == HS_USAGE && err.status == HS_USAGE, "accepted, not refused with \"%s\"", message);
  ck_assert_str_eq(hs_test_message(&err), message);
  hs_scenario_free(&s);
}

#define GOVERNORS "performance, powersave, userspace, ondemand, conservative, schedutil, interactive, simple_ondemand"
#define PLACE "has an empty name or an empty place in the list"

START_TEST(bad_options)
{
  static const struct {
    struct hs_scenario_options options;
    const char *message;
  } bad[] = {
    {{.governor = "turbo"}, "--governor: \"turbo\" is not one of " GOVERNORS},
    {{.governor = "gpu=turbo"}, "--governor: \"turbo\" is not one of " GOVERNORS},
    {{.governor = "gpu="}, "--governor: \"\" is not one of " GOVERNORS},
    {{.governor = "npu=ondemand"}, "--governor: phone has no processor or cluster \"npu\""},
    {{.governor = "cpu.little=ondemand"}, "--governor: phone has no processor or cluster \"cpu.little\""},
    {{.governor = "gpu=ondemand,gpu=ondemand"}, "--governor: gpu is named twice"},
    {{.governor = "cpu=ondemand,cpu.big=ondemand,cpu=schedutil"}, "--governor: cpu is named twice"},
    {{.governor = "ondemand,schedutil"}, "--governor: a governor of all processors is named twice"},
    {{.governor = ""}, "--governor: is empty or longer than 599 characters"},
    {{.governor = "=ondemand"}, "--governor: \"=ondemand\" " PLACE},
    {{.governor = "ondemand,"}, "--governor: \"ondemand,\" " PLACE},
    {{.governor = ",ondemand"}, "--governor: \",ondemand\" " PLACE},
    {{.governor = "gpu=userspace:500MHz"}, "--governor: \"500MHz\" is not max, min or an OPP of gpu.gpu (MHz: 257, 427)"},
    {{.governor = "gpu=userspace:"}, "--governor: \"\" is not max, min or an OPP of gpu.gpu (MHz: 257, 427)"},
    {{.governor = "gpu=userspace:427THz"}, "--governor: \"427THz\" is not max, min or an OPP of gpu.gpu (MHz: 257, 427)"},
    {{.governor = "cpu=userspace:600MHz"}, "--governor: \"600MHz\" is not max, min or an OPP of cpu.big (MHz: 800, 1600)"},
    {{.governor = "gpu=schedutil:427MHz"}, "--governor: only userspace has a frequency, not schedutil"},
    {{.governor = "gpu=turbo:427MHz"}, "--governor: \"turbo:427MHz\" is not one of " GOVERNORS},
    {{.temperature = "60C"}, "--temperature: \"60C\" is neither simulated nor PROCESSOR=TEMPERATURE, as gpu=60C"},
    {{.temperature = "npu=60C"}, "--temperature: phone has no processor \"npu\""},
    {{.temperature = "cpu.big=60C"}, "--temperature: phone has no processor \"cpu.big\""},
    {{.temperature = "gpu=151"}, "--temperature: gpu=151 is not a temperature in [-40, 150] C"},
    {{.temperature = "gpu=-41C"}, "--temperature: gpu=-41C is not a temperature in [-40, 150] C"},
    {{.temperature = "gpu=60F"}, "--temperature: gpu=60F is not a temperature in [-40, 150] C"},
    {{.temperature = "gpu=0x3C"}, "--temperature: gpu=0x3C is not a temperature in [-40, 150] C"},
    {{.temperature = "gpu=nan"}, "--temperature: gpu=nan is not a temperature in [-40, 150] C"},
    {{.temperature = "gpu= 60"}, "--temperature: gpu= 60 is not a temperature in [-40, 150] C"},
    {{.temperature = "gpu="}, "--temperature: gpu= is not a temperature in [-40, 150] C"},
    {{.temperature = "gpu=60,gpu=60"}, "--temperature: gpu is named twice"},
    {{.temperature = "simulated,simulated"}, "--temperature: simulated is named twice"},
    {{.temperature = "cpu=60,cpu-little=61.5"}, "--temperature: cpu-little=61.5C, but cpu is held at 60 C and heats the same node (cores)"},
    {{.rivals = "npu=1"}, "--rivals: phone has no \"npu\" (write 2, or cpu=2,gpu=1)"},
    {{.rivals = "cpu-little=1"}, "--rivals: phone has no \"cpu-little\" (write 2, or cpu=2,gpu=1)"},
    {{.rivals = "cpu=9"}, "--rivals: \"9\" is not a whole number in [0, 8]"},
    {{.rivals = "cpu=-1"}, "--rivals: \"-1\" is not a whole number in [0, 8]"},
    {{.rivals = "cpu=-0"}, "--rivals: \"-0\" is not a whole number in [0, 8]"},
    {{.rivals = "cpu=1.5"}, "--rivals: \"1.5\" is not a whole number in [0, 8]"},
    {{.rivals = "cpu=2.0"}, "--rivals: \"2.0\" is not a whole number in [0, 8]"},
    {{.rivals = "cpu=+2"}, "--rivals: \"+2\" is not a whole number in [0, 8]"},
    {{.rivals = "cpu="}, "--rivals: \"\" is not a whole number in [0, 8]"},
    {{.rivals = "gpu=1,gpu=2"}, "--rivals: gpu is named twice"},
    {{.rivals = "1,cpu=2"}, "--rivals: cpu is named twice"},
    {{.ui = "0.5"}, "--ui: \"0.5\" is not a rate in [1, 240] Hz"},
    {{.ui = "241"}, "--ui: \"241\" is not a rate in [1, 240] Hz"},
    {{.ui = "60fps"}, "--ui: \"60fps\" is not a rate in [1, 240] Hz"},
    {{.ui = ""}, "--ui: \"\" is not a rate in [1, 240] Hz"},
    {{.cache_hit = "20"}, "--cache-hit: \"20\" is not a fraction in [0, 1]"},
    {{.cache_hit = "-0.2"}, "--cache-hit: \"-0.2\" is not a fraction in [0, 1]"},
    {{.cache_hit = "0.2.1"}, "--cache-hit: \"0.2.1\" is not a fraction in [0, 1]"},
    {{.cache_hit = "20%"}, "--cache-hit: \"20%\" is not a fraction in [0, 1]"},
    {{.fallback = "0.5"}, "--fallback: phone has no accelerator \"\" (write gpu=0.5)"},
    {{.fallback = "cpu=0.5"}, "--fallback: phone has no accelerator \"cpu\" (write gpu=0.5)"},
    {{.fallback = "npu=0.5"}, "--fallback: phone has no accelerator \"npu\" (write gpu=0.5)"},
    {{.fallback = "gpu=1.5"}, "--fallback: \"1.5\" is not a fraction in [0, 1]"},
    {{.fallback = "gpu=50%"}, "--fallback: \"50%\" is not a fraction in [0, 1]"},
    {{.fallback = "gpu=0.5,gpu=0.5"}, "--fallback: gpu is named twice"},
    {{.cache_hit = ""}, "--cache-hit: \"\" is not a fraction in [0, 1]"},
  };
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) refuse(bad[i].options, bad[i].message);
}
END_TEST

START_TEST(options_of_a_soc_that_lacks)
{
  struct hs_scenario s;
  struct hs_error err;
  struct hs_soc soc = scenario_soc;
  soc.processors[2].kind = HS_NPU;
  soc.memory.llc_hit_frac = -1;
  ck_assert_int_eq(hs_scenario_make(&s, &(struct hs_scenario_options){.ui = "60"}, &soc, &err), HS_USAGE);
  ck_assert_str_eq(hs_test_message(&err), "--ui: phone has no GPU");
  hs_scenario_free(&s);
  ck_assert_int_eq(hs_scenario_make(&s, &(struct hs_scenario_options){.cache_hit = "0.2"}, &soc, &err), HS_USAGE);
  ck_assert_str_eq(hs_test_message(&err), "--cache-hit: phone has no memory.llc_hit_frac to compare with");
  hs_scenario_free(&s);
  ck_assert_int_eq(hs_scenario_make(&s, &(struct hs_scenario_options){.rivals = "gpu=1"}, &soc, &err), HS_USAGE);
  ck_assert_str_eq(hs_test_message(&err), "--rivals: phone has no \"gpu\" (write 2, or cpu=2,gpu=1)");
  hs_scenario_free(&s);
}
END_TEST

START_TEST(no_options)
{
  struct hs_scenario s;
  struct hs_error err;
  hs_test_accepted(make(&s, (struct hs_scenario_options){0}, &err), &err);
  ck_assert(!s.living && !s.thermal && s.n_processes == 0 && s.sha256[0] == 0);
  hs_scenario_free(&s);
}
END_TEST

START_TEST(governor_option)
{
  struct hs_scenario s;
  struct hs_error err;
  hs_test_accepted(make(&s, (struct hs_scenario_options){.governor = "cpu.big=interactive,cpu=ondemand,schedutil,gpu=simple_ondemand"}, &err), &err);
  ck_assert(s.living && !s.thermal);
  ck_assert_int_eq(s.governed[0][0].kind, HS_ONDEMAND);
  ck_assert_int_eq(s.governed[0][1].kind, HS_INTERACTIVE);
  ck_assert_int_eq(s.governed[1][0].kind, HS_SCHEDUTIL);
  ck_assert_int_eq(s.governed[2][0].kind, HS_SIMPLE_ONDEMAND);
  ck_assert_int_eq(s.governed[3][0].kind, HS_SCHEDUTIL);
  hs_scenario_free(&s);
  hs_test_accepted(make(&s, (struct hs_scenario_options){.governor = "gpu=userspace"}, &err), &err);
  ck_assert_int_eq(s.governed[2][0].kind, HS_USERSPACE);
  ck_assert_int_eq(s.governed[2][0].level, -1); /* stays where the system is set */
  ck_assert_int_eq(s.governed[0][0].kind, -1);
  hs_scenario_free(&s);
  hs_test_accepted(make(&s, (struct hs_scenario_options){.governor = "gpu=userspace:427MHz,cpu=userspace:1.6GHz,cpu.big=userspace:800e6,dsp=userspace:min"}, &err), &err);
  ck_assert(s.governed[2][0].kind == HS_USERSPACE && s.governed[2][0].level == 1);
  ck_assert_int_eq(s.governed[0][0].level, 1);
  ck_assert_int_eq(s.governed[0][1].level, 0);
  ck_assert_int_eq(s.governed[3][0].level, 0);
  hs_scenario_free(&s);
}
END_TEST

START_TEST(temperature_option)
{
  struct hs_scenario s;
  struct hs_error err;
  hs_test_accepted(make(&s, (struct hs_scenario_options){.temperature = "simulated"}, &err), &err);
  ck_assert(s.living && s.thermal && !s.held[0] && !s.held[2]);
  ck_assert_double_eq(s.start_c, 25);
  ck_assert_int_eq(s.thermal_governor, HS_THERMAL_SOC);
  hs_scenario_free(&s);
  hs_test_accepted(make(&s, (struct hs_scenario_options){.temperature = "gpu=60C,simulated,dsp=-7.5,cpu=70,cpu-little=70C"}, &err), &err);
  ck_assert(s.thermal && s.held[0] && s.held[1] && s.held[2] && s.held[3]);
  ck_assert_double_eq(s.held_c[2], 60);
  ck_assert_double_eq(s.held_c[3], -7.5);
  ck_assert_double_eq(s.held_c[1], 70);
  hs_scenario_free(&s);
}
END_TEST

/* Always computing: a thread per fast core, or kernel after kernel; a tenth of the memory's bandwidth, all of the cache. */
START_TEST(rivals_option)
{
  struct hs_scenario s;
  struct hs_error err;
  hs_test_accepted(make(&s, (struct hs_scenario_options){.rivals = "cpu=2,dsp=1,gpu=0"}, &err), &err);
  ck_assert_int_eq(s.n_processes, 3);
  ck_assert_str_eq(s.processes[0].name, "cpu-rival-1");
  ck_assert_str_eq(s.processes[1].name, "cpu-rival-2");
  ck_assert_str_eq(s.processes[2].name, "dsp-rival-1");
  ck_assert_uint_eq(s.processes[1].clusters, CPU_MID | CPU_BIG);
  check_phase(&s.processes[1].phases[0], 0, INFINITY, 4, 1, 0, 0, 0.1 * 32e9 / 4, 3e6);
  check_phase(&s.processes[2].phases[0], 0, INFINITY, 0, 1, 0, 1, 0.1 * 32e9, 3e6);
  hs_scenario_free(&s);
  hs_test_accepted(make(&s, (struct hs_scenario_options){.rivals = "3"}, &err), &err);
  ck_assert_int_eq(s.n_processes, 3);
  ck_assert_str_eq(s.processes[2].name, "cpu-rival-3");
  hs_scenario_free(&s);
}
END_TEST

START_TEST(fallback_option)
{
  struct hs_scenario s;
  struct hs_error err;
  hs_test_accepted(make(&s, (struct hs_scenario_options){.fallback = "gpu=0.5,dsp=1", .temperature = "gpu=60C"}, &err), &err);
  ck_assert_double_eq(s.fallback_frac[2], 0.5);
  ck_assert_double_eq(s.fallback_frac[3], 1);
  ck_assert_double_eq(s.fallback_frac[0], 0);
  ck_assert(s.thermal);
  hs_scenario_free(&s);
}
END_TEST

START_TEST(ui_and_cache_options)
{
  struct hs_scenario s;
  struct hs_error err;
  hs_test_accepted(make(&s, (struct hs_scenario_options){.ui = "59.94Hz", .cache_hit = "0.2"}, &err), &err);
  ck_assert(s.living && !s.thermal);
  ck_assert_double_eq(s.ui_rate_hz, 59.94);
  ck_assert_double_eq(s.ui_cpu_s, 0.005);
  ck_assert_double_eq(s.cache_hit_frac, 0.2);
  hs_scenario_free(&s);
  hs_test_accepted(make(&s, (struct hs_scenario_options){.ui = "240", .cache_hit = "1"}, &err), &err);
  ck_assert_double_eq(s.cache_hit_frac, 1);
  hs_scenario_free(&s);
}
END_TEST

/* Each option changes what it names, and leaves the rest of the file as it is. */
START_TEST(on_top_of_a_file)
{
  struct hs_scenario s;
  struct hs_error err;
  char file[600], csv[600];
  const char *root = getenv("srcdir");
  snprintf(file, sizeof file, "%s/tests/fuzz/corpus/scenario/small.json", root ? root : ".");
  snprintf(csv, sizeof csv, "%s/tests/fuzz/corpus/competing/small.csv", root ? root : ".");
  const struct hs_scenario_options all = {.file = file, .governor = "cpu=performance", .temperature = "cpu-little=50C", .competing = csv,
                                          .rivals = "cpu=1", .ui = "60", .cache_hit = "0.4", .fallback = "gpu=0"};
  hs_test_accepted(make(&s, all, &err), &err);
  ck_assert_str_eq(s.name, "small");
  ck_assert_int_eq(s.governed[0][0].kind, HS_PERFORMANCE);
  ck_assert_int_eq(s.governed[0][1].kind, HS_PERFORMANCE); /* although the file names cpu.big */
  ck_assert_int_eq(s.governed[2][0].kind, HS_SCHEDUTIL);
  ck_assert(s.held[1] && s.held_c[1] == 50);
  ck_assert_int_eq(s.trace[0].n, 0); /* the file's trace is of the same node */
  ck_assert(s.held[2] && s.held_c[2] == 60);
  ck_assert_int_eq(s.thermal_governor, HS_POWER_ALLOCATOR);
  ck_assert_int_eq(s.n_processes, 5);
  ck_assert_str_eq(s.processes[1].name, "b");
  ck_assert_str_eq(s.processes[2].name, "x");
  ck_assert_str_eq(s.processes[4].name, "cpu-rival-1");
  ck_assert_double_eq(s.ui_rate_hz, 60);
  ck_assert_double_eq(s.ui_gpu_s, 0.003);
  ck_assert_double_eq(s.cache_hit_frac, 0.4);
  ck_assert_double_eq(s.fallback_frac[2], 0);
  ck_assert_double_eq(s.fallback_frac[3], 0.25);
  hs_scenario_free(&s);
  hs_test_accepted(make(&s, (struct hs_scenario_options){.file = file, .temperature = "gpu=70C"}, &err), &err);
  ck_assert_double_eq(s.held_c[2], 70);
  ck_assert_int_eq(s.trace[0].n, 3);
  hs_scenario_free(&s);
}
END_TEST

/* A rival's name is a random stream's: a process of the file keeps it to itself. */
START_TEST(rivals_beside_a_rival)
{
  struct hs_scenario s;
  struct hs_error err;
  char *text = hs_test_seed("scenario/small"), *renamed = hs_test_replace(text, "\"name\": \"b\"", "\"name\": \"cpu-rival-2\"");
  FILE *f = fopen("test_scenario.tmp", "w");
  ck_assert(f && fputs(renamed, f) >= 0 && fclose(f) == 0);
  enum hs_status status = make(&s, (struct hs_scenario_options){.file = "./test_scenario.tmp", .rivals = "2"}, &err);
  remove("test_scenario.tmp");
  hs_test_accepted(status, &err);
  ck_assert_int_eq(s.n_processes, 4);
  ck_assert_str_eq(s.processes[2].name, "cpu-rival-1");
  ck_assert_str_eq(s.processes[3].name, "cpu-rival-3");
  hs_scenario_free(&s);
  free(renamed);
  free(text);
}
END_TEST

START_TEST(too_many_rivals)
{
  struct hs_scenario s;
  struct hs_error err;
  struct hs_text t = {0};
  hs_text_add(&t, header);
  for (int i = 0; i < 31; i++) hs_text_addf(&t, "0,p%d,1,1,0,0,0,0,0\n", i);
  FILE *f = fopen("test_scenario.tmp", "w");
  ck_assert(f && fputs(t.s, f) >= 0 && fclose(f) == 0);
  enum hs_status status = make(&s, (struct hs_scenario_options){.competing = "test_scenario.tmp", .rivals = "gpu=1,cpu=1"}, &err);
  remove("test_scenario.tmp");
  ck_assert_int_eq(status, HS_USAGE);
  ck_assert_str_eq(hs_test_message(&err), "--rivals: with cpu=1 there are more than 32 processes");
  hs_scenario_free(&s);
  hs_text_free(&t);
}
END_TEST

START_TEST(missing_files)
{
  struct hs_scenario s;
  struct hs_error err;
  ck_assert_int_eq(make(&s, (struct hs_scenario_options){.file = "./missing.json"}, &err), HS_IO);
  ck_assert_str_eq(hs_test_message(&err), "./missing.json: can't open: No such file or directory");
  hs_scenario_free(&s);
  ck_assert_int_eq(make(&s, (struct hs_scenario_options){.competing = "missing.csv"}, &err), HS_IO);
  ck_assert_str_eq(hs_test_message(&err), "missing.csv: can't open: No such file or directory");
  hs_scenario_free(&s);
}
END_TEST

static void fill(TCase *t)
{
  tcase_add_test(t, every_key);
  tcase_add_test(t, processes);
  tcase_add_test(t, nothing);
  tcase_add_loop_test(t, refused, 0, sizeof cases / sizeof *cases);
  tcase_add_test(t, fallback_of_a_file);
  tcase_add_test(t, where_accelerators_are_called_from);
  tcase_add_test(t, lacking);
  tcase_add_test(t, zero_loads);
  tcase_add_test(t, too_many);
  tcase_add_test(t, long_trace);
  tcase_add_test(t, table_is_valid);
  tcase_add_test(t, table_lines);
  tcase_add_loop_test(t, table_refused, 0, sizeof table_cases / sizeof *table_cases);
  tcase_add_test(t, table_with_own_columns);
  tcase_add_loop_test(t, own_columns_refused, 0, sizeof own_cases / sizeof *own_cases);
  tcase_add_test(t, table_says_what_the_file_says);
  tcase_add_test(t, table_of_nothing);
  tcase_add_test(t, table_too_many);
  tcase_add_test(t, table_of_a_scenario);
  tcase_add_test(t, examples_of_the_documentation);
  tcase_add_test(t, bad_options);
  tcase_add_test(t, options_of_a_soc_that_lacks);
  tcase_add_test(t, no_options);
  tcase_add_test(t, governor_option);
  tcase_add_test(t, temperature_option);
  tcase_add_test(t, rivals_option);
  tcase_add_test(t, fallback_option);
  tcase_add_test(t, ui_and_cache_options);
  tcase_add_test(t, on_top_of_a_file);
  tcase_add_test(t, rivals_beside_a_rival);
  tcase_add_test(t, too_many_rivals);
  tcase_add_test(t, missing_files);
}

int main(void) { return hs_test_main("scenario", fill); }
