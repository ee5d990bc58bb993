/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a scenario's file can say, and what its reader refuses. A small valid text, spoilt in one place at a time. */
#include "tests/unit/scenario_text.h"

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
  {"[[0, 30], [12.5, 45.5], [20, 40]]", "[]", "6:23: $.thermal.replay_c.cpu: is not a list of 2 to 65536 pairs [time_s, temperature_c]"},
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
  {"\"footprint_bytes\": 65536", "\"footprint_mb\": 1",
   "10:90: $.processes[0].phases[0].footprint_mb: unknown key \"footprint_mb\"; did you mean footprint_bytes?"},
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
  struct hs_soc three = scenario_soc; /* CPUs */
  three.processors[2].kind = HS_CPU;
  ck_assert_uint_eq(hs_scenario_rpc_clusters(&nothing, &three), 1u << 2 * HS_DOMAINS_MAX);
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

/* Each section by itself: where none does, the run takes place as if there were no scenario. Operators that fall back need no phone beside them. */
START_TEST(which_sections_bring_the_phone_to_life)
{
  static const struct {
    const char *section;
    bool living, thermal;
  } cases[] = {{"\"governors\": {\"gpu\": \"powersave\"}", true, false},
               {"\"thermal\": {}", true, true},
               {"\"processes\": [{\"name\": \"a\", \"phases\": [{\"gpu_frac\": 0.5}]}]", true, false},
               {"\"ui\": {\"rate_hz\": 60, \"cpu_s\": 0.001, \"gpu_s\": 0}", true, false},
               {"\"cache_hit_frac\": 0.2", true, false},
               {"\"rpc_thread\": [\"cpu\"]", true, false},
               {"\"fallback\": {\"gpu\": {\"frac\": 0.5}}", false, false}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct hs_scenario s;
    struct hs_error err;
    char text[256];
    snprintf(text, sizeof text, "{\"format\": \"hetsim-scenario/1\", \"name\": \"f\", \"title\": \"t\", \"source\": \"s\", %s}", cases[i].section);
    hs_test_accepted(parse(&s, &scenario_soc, text, &err), &err);
    ck_assert_msg(s.living == cases[i].living && s.thermal == cases[i].thermal, "%s", cases[i].section);
    hs_scenario_free(&s);
  }
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

static void fill(TCase *t)
{
  tcase_add_test(t, every_key);
  tcase_add_test(t, processes);
  tcase_add_test(t, nothing);
  tcase_add_loop_test(t, refused, 0, sizeof cases / sizeof *cases);
  tcase_add_test(t, fallback_of_a_file);
  tcase_add_test(t, where_accelerators_are_called_from);
  tcase_add_test(t, lacking);
  tcase_add_test(t, which_sections_bring_the_phone_to_life);
  tcase_add_test(t, zero_loads);
  tcase_add_test(t, too_many);
  tcase_add_test(t, long_trace);
}

int main(void) { return hs_test_main("scenario", fill); }
