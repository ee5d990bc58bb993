/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The JSON of runs: valid, with the documented keys, its parts adding up. */
#include "tests/cli/json.h"

/* What is said of patterns; of throughput, late and dropped per network. */
START_TEST(patterns)
{
  cJSON *r = run("--soc sd855 --policy gpu squeezenet@burst:2x3fps,deadline=30ms,priority=4 mobilenet_v1:cpu squeezenet@20fps --duration 2.5 --format=json");
  static const char *const names[] = {"burst", "back-to-back", "fixed"};
  double unfinished = 0, power_w = 0, energy_j = 0;
  const cJSON *p;
  for (int i = 0; i < 3; i++) {
    const cJSON *n = cJSON_GetArrayItem(array(r, "networks"), i);
    ck_assert_str_eq(cJSON_GetObjectItem(n, "pattern")->valuestring, names[i]);
    ck_assert_double_eq_tol(number(n, "throughput_per_s"), number(n, "inferences") / 2.5, 1e-9);
    ck_assert_double_eq(number(n, "priority"), i == 0 ? 4 : 0);
    ck_assert_double_eq(number(n, "dropped"), 0);
    ck_assert_double_eq(number(n, "inferences"), cJSON_GetArraySize(array(n, "latencies_s")));
    unfinished += number(n, "unfinished");
    power_w += number(n, "power_w");
    ck_assert(!cJSON_GetObjectItem(n, "period_s") == (i == 1) && !cJSON_GetObjectItem(n, "burst") == (i != 0));
    ck_assert(!cJSON_GetObjectItem(n, "deadline_s") == (i == 1) && !cJSON_GetObjectItem(n, "late") == (i == 1));
  }
  cJSON_ArrayForEach(p, array(r, "processors")) energy_j += number(p, "energy_j");
  ck_assert_double_eq_tol(number(r, "power_w"), power_w, 1e-9 * power_w);
  ck_assert_double_eq_tol(number(r, "power_w"), energy_j / 2.5, 1e-9 * power_w);
  ck_assert_double_eq(number(r, "unfinished"), unfinished);
  ck_assert_double_ge(unfinished, 1); /* back to back there is always one */
  const cJSON *first = cJSON_GetArrayItem(array(r, "networks"), 0), *recipe = cJSON_GetObjectItem(r, "recipe");
  ck_assert_double_eq(number(first, "burst"), 2);
  ck_assert_double_eq(number(first, "deadline_s"), 0.03);
  ck_assert_double_eq(number(cJSON_GetArrayItem(array(r, "networks"), 2), "deadline_s"), 0.05);
  ck_assert_double_eq(number(r, "run_s"), 2.5);
  ck_assert_double_eq(number(recipe, "duration_s"), 2.5);
  ck_assert(!cJSON_GetObjectItem(recipe, "inferences") && cJSON_IsFalse(cJSON_GetObjectItem(r, "stopped")) && !cJSON_GetObjectItem(r, "stop_reason"));
  int late = 0;
  const cJSON *l;
  cJSON_ArrayForEach(l, array(r, "latencies_s")) late += l->valuedouble > 0.03;
  ck_assert_double_eq(number(first, "late"), late);
  cJSON_Delete(r);
}
END_TEST

START_TEST(run_result)
{
  cJSON *r = run("--soc kirin990 --policy npu resnet50 -n 5 --format=json");
  const cJSON *p, *hz;
  double energy = 0, sum = 0;
  ck_assert_int_eq(cJSON_GetArraySize(array(r, "latencies_s")), 5);
  cJSON_ArrayForEach(p, array(r, "latencies_s")) sum += p->valuedouble;
  ck_assert_double_eq_tol(number(r, "latency_s"), sum / 5, 1e-9 * sum);
  ck_assert_double_eq_tol(number(r, "estimate_error_frac"), number(r, "latency_s") / number(r, "estimate_s") - 1, 1e-9);
  cJSON_ArrayForEach(p, array(r, "processors"))
  {
    energy += number(p, "energy_j");
    ck_assert(cJSON_IsString(cJSON_GetObjectItem(p, "name")) && cJSON_IsString(cJSON_GetObjectItem(p, "kind")));
    ck_assert_double_eq_tol(number(p, "utilization_frac"), number(p, "busy_s") / number(r, "latency_s"), 1e-6);
    ck_assert_double_le(number(p, "utilization_frac"), 1 + 1e-9);
    cJSON_ArrayForEach(hz, cJSON_GetObjectItem(p, "freq_hz")) ck_assert_double_gt(hz->valuedouble, 0); /* a domain that didn't run has none */
  }
  ck_assert_double_eq_tol(number(r, "energy_j"), energy, 1e-9 * energy);
  ck_assert_double_gt(number(r, "communication_s"), 0);
  ck_assert_double_gt(number(r, "peak_memory_bytes"), 25e6); /* its weights in int8 alone */
  ck_assert_double_ge(number(r, "n_ops"), number(r, "fallback_ops"));
  ck_assert_int_eq(strlen(cJSON_GetObjectItem(r, "fingerprint")->valuestring), 16);
  const cJSON *recipe = cJSON_GetObjectItem(r, "recipe");
  ck_assert_double_eq(number(recipe, "inferences"), 5);
  ck_assert_double_eq(number(recipe, "seed"), 1);
  ck_assert_str_eq(cJSON_GetObjectItem(recipe, "runtime")->valuestring, "tflite");
  cJSON_ArrayForEach(p, array(recipe, "inputs")) ck_assert_int_eq(strlen(cJSON_GetObjectItem(p, "sha256")->valuestring), 64);
  cJSON_Delete(r);
}
END_TEST

/* What each network's policy had for parameters, those that it was given and its defaults. */
START_TEST(params_of_each_network)
{
  cJSON *r = run("--soc sd855 --policy codl mobilenet_v1 vgg16:codl:chain=none squeezenet:cpu --format=json");
  static const char *const chains[] = {"auto", "none"};
  const cJSON *networks = array(r, "networks"), *first = cJSON_GetArrayItem(networks, 0), *last = cJSON_GetArrayItem(networks, 2);
  for (int i = 0; i < 2; i++) {
    const cJSON *params = cJSON_GetObjectItem(cJSON_GetArrayItem(networks, i), "params");
    ck_assert_str_eq(cJSON_GetObjectItem(params, "chain")->valuestring, chains[i]);
    ck_assert_str_eq(cJSON_GetObjectItem(params, "presync_ms")->valuestring, "1");
  }
  ck_assert(cJSON_Compare(cJSON_GetObjectItem(first, "params"), cJSON_GetObjectItem(cJSON_GetObjectItem(r, "recipe"), "params"), true));
  ck_assert_str_eq(cJSON_GetObjectItem(last, "policy")->valuestring, "cpu");
  ck_assert(cJSON_IsObject(cJSON_GetObjectItem(last, "params")) && cJSON_GetArraySize(cJSON_GetObjectItem(last, "params")) == 0);
  cJSON_Delete(r);
}
END_TEST

/* Rates are of the time that was asked for, however short, though the last inference ends before it is over, and the next one after: of which the
 * power has what ran, and an inference has nothing. */
START_TEST(rates_of_a_short_run)
{
  cJSON *r = run("--soc sd855 --policy cpu squeezenet --duration=0.3 --format=json");
  int n = cJSON_GetArraySize(array(r, "latencies_s"));
  ck_assert_int_gt(n, 1);
  ck_assert_double_lt(n * number(r, "latency_s"), 0.29);
  ck_assert_double_eq_tol(number(r, "throughput_per_s"), n / 0.3, 1e-9);
  cJSON *one = run("--soc sd855 --policy cpu squeezenet --format=json");
  ck_assert_double_eq_tol(number(r, "energy_j"), number(one, "energy_j"), 1e-9);
  ck_assert_double_eq_tol(number(r, "dram_bytes"), number(one, "dram_bytes"), 1);
  ck_assert_double_gt(number(r, "power_w"), number(r, "energy_j") * n / 0.3);
  ck_assert_double_lt(number(r, "power_w"), number(r, "energy_j") * (n + 1) / 0.3);
  cJSON_Delete(one);
  cJSON_Delete(r);
}
END_TEST

/* Two requests at a time, each of 22 ms: the second waits, and what the profiler expects says nothing of that. At one per second none did. */
START_TEST(expected_without_a_queue)
{
  cJSON *r = run("--soc sd855 --policy cpu squeezenet@burst:2x50fps --inferences=4 --format=json");
  ck_assert_double_gt(number(r, "estimate_s"), 0);
  ck_assert(cJSON_IsNull(cJSON_GetObjectItem(r, "estimate_error_frac")));
  cJSON_Delete(r);
  r = run("--soc sd855 --policy cpu squeezenet@1fps --inferences=4 --format=json");
  ck_assert_double_eq_tol(number(r, "estimate_error_frac"), 0, 1e-9);
  cJSON_Delete(r);
}
END_TEST

/* Of one thread no two tasks overlap (viewers would drop one); they come in order. */
static void check_thread(const cJSON *events, int tid)
{
  double end_us = 0;
  const cJSON *e;
  cJSON_ArrayForEach(e, events)
  {
    if (strcmp(cJSON_GetObjectItem(e, "ph")->valuestring, "X") != 0 || number(e, "tid") != tid) continue;
    ck_assert_double_ge(number(e, "ts"), end_us - 2e-6); /* printed in whole ps */
    end_us = number(e, "ts") + number(e, "dur");
  }
}

/* Two networks of one thread share the cores under a governor: what the counter adds up to is the energy of the processor's tasks. Viewers show a
 * processor's lanes one below the other, and then the next processor. */
START_TEST(trace_of_networks)
{
  static const char line[] = "--soc sd855 --policy cpu squeezenet mobilenet_v1 --threads=1 --governor=schedutil --duration=0.3";
  char command[300];
  double joules = 0, watts = 0, since_us = 0, places[3] = {-1, -1, -1};
  static const char *const lanes[] = {"cpu", "cpu (2)", "cpu-little"};
  int threads = 0, lane = -1;
  snprintf(command, sizeof command, "%s --format=json", line);
  cJSON *r = run(command);
  snprintf(command, sizeof command, "%s --timeline=- --output=/dev/null", line);
  cJSON *trace = run(command);
  const cJSON *e, *events = array(trace, "traceEvents"), *cpu = cJSON_GetArrayItem(array(r, "processors"), 0);
  cJSON_ArrayForEach(e, events)
  {
    const char *ph = cJSON_GetObjectItem(e, "ph")->valuestring, *name = cJSON_GetObjectItem(e, "name")->valuestring;
    if (strcmp(name, "thread_name") == 0) {
      check_thread(events, (int)number(e, "tid"));
      const char *of = cJSON_GetObjectItem(cJSON_GetObjectItem(e, "args"), "name")->valuestring;
      threads += strncmp(of, "cpu", 3) == 0;
      for (lane = 2; lane >= 0 && strcmp(of, lanes[lane]) != 0;) lane--;
    }
    if (strcmp(name, "thread_sort_index") == 0 && lane >= 0) places[lane] = number(cJSON_GetObjectItem(e, "args"), "sort_index");
    if (strcmp(ph, "C") != 0 || strcmp(name, "power of cpu (W)") != 0) continue;
    joules += watts * (number(e, "ts") - since_us) * 1e-6;
    since_us = number(e, "ts");
    watts = number(cJSON_GetObjectItem(e, "args"), "W");
  }
  ck_assert_int_eq(threads, 3); /* two of cpu, one of cpu-little */
  ck_assert_double_ge(places[0], 0);
  ck_assert_double_gt(places[1], places[0]);
  ck_assert_double_gt(places[2], places[1]);
  ck_assert_double_eq(watts, 0);
  ck_assert_double_eq_tol(joules, number(cpu, "energy_j"), 1e-4 * joules);
  ck_assert_double_gt(joules, 0.05);
  cJSON_Delete(trace);
  cJSON_Delete(r);
}
END_TEST

/* One task after the other, each with its mean: so the runs have the estimate as their mean, within 4 standard errors. Sums of many draws are about
 * normal, with p5 and p95 1.645 standard deviations from the mean (of 400 runs within 4 standard errors, 0.106 each). */
START_TEST(noise)
{
  static const char *const figures[] = {"latency_s", "energy_j", "throughput_per_s"};
  cJSON *r = run("--soc sd855 --policy gpu --runtime tflite resnet18 --noise=400 --format=json");
  const cJSON *noise = cJSON_GetObjectItem(r, "noise"), *network = cJSON_GetArrayItem(array(noise, "networks"), 0);
  ck_assert_double_eq(number(noise, "runs"), 400);
  ck_assert_double_eq(number(network, "runs"), 400);
  ck_assert_double_eq(number(cJSON_GetObjectItem(r, "recipe"), "noise"), 400);
  ck_assert_str_eq(cJSON_GetObjectItem(network, "label")->valuestring, "resnet18");
  for (int i = 0; i < 3; i++) {
    const cJSON *f = cJSON_GetObjectItem(network, figures[i]);
    double mean = number(f, "mean"), std = number(f, "std");
    ck_assert_double_gt(std, 0);
    ck_assert_double_eq_tol(number(f, "p50"), mean, 0.3 * std);
    ck_assert_double_eq_tol((mean - number(f, "p5")) / std, 1.645, 0.43);
    ck_assert_double_eq_tol((number(f, "p95") - mean) / std, 1.645, 0.43);
  }
  const cJSON *latency = cJSON_GetObjectItem(network, "latency_s");
  ck_assert_double_eq_tol(number(latency, "mean"), number(r, "estimate_s"), 4 * number(latency, "std") / 20);
  cJSON_Delete(r);
}
END_TEST

/* MACE's kernels on the CPU were never measured so: what is exact has the same value in every run. */
START_TEST(noise_of_nothing)
{
  cJSON *r = run("--soc sd855 --policy cpu --runtime mace squeezenet --noise=3 --format=json");
  cJSON *exact = run("--soc sd855 --policy cpu --runtime mace squeezenet --format=json");
  const cJSON *noise = cJSON_GetObjectItem(r, "noise"), *latency = cJSON_GetObjectItem(cJSON_GetArrayItem(array(noise, "networks"), 0), "latency_s");
  ck_assert_int_eq(cJSON_GetArraySize(array(noise, "drawn")), 0);
  ck_assert_str_eq(cJSON_GetArrayItem(array(noise, "exact"), 0)->valuestring, "kernels cpu");
  ck_assert_double_eq(number(latency, "std"), 0);
  ck_assert_double_eq(number(latency, "p5"), number(exact, "latency_s"));
  ck_assert_double_eq(number(latency, "p95"), number(exact, "latency_s"));
  ck_assert(!cJSON_GetObjectItem(exact, "noise"));
  ck_assert_str_eq(cJSON_GetObjectItem(r, "fingerprint")->valuestring, cJSON_GetObjectItem(exact, "fingerprint")->valuestring);
  cJSON_Delete(r);
  cJSON_Delete(exact);
}
END_TEST

/* What the command line set, and the files behind it. */
START_TEST(recipe_of_a_scenario)
{
  cJSON *r = run("--soc sd855 --policy gpu squeezenet --scenario browsing --governor cpu=ondemand --temperature gpu=60C,simulated --rivals 2 --ui 60"
                 " --fallback gpu=0.5 --profiler runtime --format=json");
  const cJSON *recipe = cJSON_GetObjectItem(r, "recipe"), *set = cJSON_GetObjectItem(recipe, "scenario"), *input;
  int scenarios = 0, tables = 0;
  ck_assert_int_eq(cJSON_GetArraySize(set), 6);
  ck_assert_str_eq(text(set, "name"), "browsing");
  ck_assert_str_eq(text(set, "governor"), "cpu=ondemand");
  ck_assert_str_eq(text(set, "temperature"), "gpu=60C,simulated");
  ck_assert_str_eq(text(set, "rivals"), "2");
  ck_assert_str_eq(text(set, "ui"), "60");
  ck_assert_str_eq(text(set, "fallback"), "gpu=0.5");
  ck_assert_str_eq(text(recipe, "profiler"), "runtime");
  cJSON_ArrayForEach(input, array(recipe, "inputs"))
  {
    bool scenario = strcmp(text(input, "kind"), "scenario") == 0, table = strcmp(text(input, "kind"), "processes") == 0;
    ck_assert_int_eq(strlen(text(input, "sha256")), 64);
    if (scenario) ck_assert_str_eq(text(input, "name"), "browsing");
    if (table) ck_assert_str_eq(text(input, "name"), "browsing.csv");
    scenarios += scenario;
    tables += table;
  }
  ck_assert_int_eq(scenarios, 1);
  ck_assert_int_eq(tables, 1);
  cJSON_Delete(r);
  r = run("--soc sd855 --policy gpu squeezenet --format=json");
  recipe = cJSON_GetObjectItem(r, "recipe");
  ck_assert_int_eq(cJSON_GetArraySize(cJSON_GetObjectItem(recipe, "scenario")), 0);
  ck_assert_str_eq(text(recipe, "profiler"), "offline");
  cJSON_ArrayForEach(input, array(recipe, "inputs")) ck_assert_str_ne(text(input, "kind"), "scenario");
  cJSON_Delete(r);
}
END_TEST

/* Passes are in the recipe; the arena is between its bounds; what is quoted says from where. */
/* What a held temperature throttles, as the text report says it; nothing where it is below the trips. */
START_TEST(held_heat)
{
  cJSON *hot = run("--soc sd888 --policy gpu squeezenet --temperature=gpu=100C,cpu=100C --format=json");
  const cJSON *below = cJSON_GetObjectItemCaseSensitive(cJSON_GetObjectItemCaseSensitive(hot, "device"), "held_opps_below");
  ck_assert_int_eq(cJSON_GetArraySize(below), 3);
  ck_assert_double_eq(number(below, "cpu"), 2);
  ck_assert_double_eq(number(below, "cpu-little"), 2);
  ck_assert_double_eq(number(below, "gpu"), 1);
  cJSON_Delete(hot);
  cJSON *cool = run("--soc sd888 --policy gpu squeezenet --temperature=gpu=30C --format=json");
  const cJSON *device = cJSON_GetObjectItemCaseSensitive(cool, "device");
  ck_assert(cJSON_IsObject(device));
  ck_assert_ptr_null(cJSON_GetObjectItemCaseSensitive(device, "held_opps_below"));
  cJSON_Delete(cool);
}
END_TEST

START_TEST(optimised)
{
  cJSON *plain = run("--soc sd855 --policy cpu resnet50 --format=json");
  cJSON *r = run("--soc sd855 --policy cpu resnet50 --opt=memplan,prune=0.5,fuse,reuse=2 --format=json");
  const cJSON *opt = array(cJSON_GetObjectItem(r, "recipe"), "opt"), *reuse = cJSON_GetObjectItem(r, "reuse");
  ck_assert_int_eq(cJSON_GetArraySize(array(cJSON_GetObjectItem(plain, "recipe"), "opt")), 0);
  ck_assert(!cJSON_GetObjectItem(plain, "arena_bytes") && !cJSON_GetObjectItem(plain, "reuse"));
  ck_assert_int_eq(cJSON_GetArraySize(opt), 4);
  ck_assert_str_eq(cJSON_GetArrayItem(opt, 1)->valuestring, "prune=0.5");
  ck_assert_double_ge(number(r, "arena_bytes"), number(r, "arena_least_bytes"));
  ck_assert_double_lt(number(r, "arena_bytes"), number(r, "arena_unshared_bytes"));
  ck_assert_double_lt(number(r, "arena_least_bytes"), number(r, "peak_memory_bytes"));
  ck_assert_double_lt(number(r, "latency_s"), number(plain, "latency_s") / 2);
  ck_assert_double_lt(number(r, "peak_memory_bytes"), number(plain, "peak_memory_bytes") / 2);
  ck_assert_double_eq_tol(number(reuse, "latency_per_frame_s"), number(r, "latency_s") * 86.2 / 99.8, 1e-9);
  ck_assert(strstr(cJSON_GetObjectItem(reuse, "source")->valuestring, "Table 4") != NULL);
  cJSON *waits = run("--soc sd855 --policy cpu resnet50@100fps -n 3 --opt=reuse=2 --format=json");
  cJSON *fits = run("--soc sd855 --policy cpu resnet50@1fps -n 3 --opt=reuse=2 --format=json");
  ck_assert(cJSON_IsNull(cJSON_GetObjectItem(cJSON_GetObjectItem(waits, "reuse"), "latency_per_frame_s")));
  ck_assert_double_eq_tol(number(cJSON_GetObjectItem(fits, "reuse"), "latency_per_frame_s"), number(plain, "latency_s") * 86.2 / 99.8, 1e-9);
  cJSON_Delete(waits);
  cJSON_Delete(fits);
  cJSON_Delete(plain);
  cJSON_Delete(r);
}
END_TEST

static void fill(TCase *t)
{
  tcase_add_test(t, held_heat);
  tcase_add_test(t, optimised);
  tcase_add_test(t, run_result);
  tcase_add_test(t, rates_of_a_short_run);
  tcase_add_test(t, expected_without_a_queue);
  tcase_add_test(t, trace_of_networks);
  tcase_add_test(t, noise);
  tcase_add_test(t, noise_of_nothing);
  tcase_add_test(t, patterns);
  tcase_add_test(t, params_of_each_network);
  tcase_add_test(t, recipe_of_a_scenario);
}

int main(void) { return hs_test_main("json output of runs", fill); }
