/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the options of the command line say of a scenario, alone and on top of a file, and which are refused. */
#include "tests/unit/scenario_text.h"

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

#define GOVERNORS "(there are: performance, powersave, userspace, ondemand, conservative, schedutil, interactive, simple_ondemand)"
#define PROCESSORS "(there are: cpu, cpu-little, gpu, dsp)"
#define PLACES "(there are: cpu, cpu.mid, cpu.big, cpu-little, gpu, dsp)"
#define PLACE "has an empty name or an empty place in the list"

START_TEST(bad_options)
{
  static const struct {
    struct hs_scenario_options options;
    const char *message;
  } bad[] = {
    {{.governor = "turbo"}, "--governor: there is no governor \"turbo\" " GOVERNORS},
    {{.governor = "gpu=turbo"}, "--governor: there is no governor \"turbo\" " GOVERNORS},
    {{.governor = "gpu=ondemnd:427MHz"}, "--governor: there is no governor \"ondemnd\"; did you mean ondemand? " GOVERNORS},
    {{.governor = "gpu="}, "--governor: there is no governor \"\" " GOVERNORS},
    {{.governor = "npu=ondemand"}, "--governor: phone has no processor or domain \"npu\"; did you mean cpu? " PLACES},
    {{.governor = "cpu.little=ondemand"}, "--governor: phone has no processor or domain \"cpu.little\"; did you mean cpu-little? " PLACES},
    {{.governor = "gpu=ondemand,gpu=ondemand"}, "--governor: gpu is named twice"},
    {{.governor = "cpu=ondemand,cpu.big=ondemand,cpu=schedutil"}, "--governor: cpu is named twice"},
    {{.governor = "ondemand,schedutil"}, "--governor: a governor of all processors is named twice"},
    {{.governor = ""}, "--governor: \"\" has an empty name or an empty place in the list"},
    {{.governor = "=ondemand"}, "--governor: \"=ondemand\" " PLACE},
    {{.governor = "ondemand,"}, "--governor: \"ondemand,\" " PLACE},
    {{.governor = ",ondemand"}, "--governor: \",ondemand\" " PLACE},
    {{.governor = "gpu=userspace:500MHz"}, "--governor: \"500MHz\" is not max, min or an OPP of gpu.gpu (MHz: 257, 427)"},
    {{.governor = "gpu=userspace:"}, "--governor: \"\" is not max, min or an OPP of gpu.gpu (MHz: 257, 427)"},
    {{.governor = "gpu=userspace:427THz"}, "--governor: \"427THz\" is not max, min or an OPP of gpu.gpu (MHz: 257, 427)"},
    {{.governor = "cpu=userspace:600MHz"}, "--governor: \"600MHz\" is not max, min or an OPP of cpu.big (MHz: 800, 1600)"},
    {{.governor = "gpu=schedutil:427MHz"}, "--governor: only userspace has a frequency, not schedutil"},
    {{.governor = "gpu=turbo:427MHz"}, "--governor: there is no governor \"turbo\" " GOVERNORS},
    {{.temperature = "60C"}, "--temperature: \"60C\" is neither simulated nor PROCESSOR=TEMPERATURE, as gpu=60C"},
    {{.temperature = "npu=60C"}, "--temperature: phone has no processor \"npu\"; did you mean cpu? " PROCESSORS},
    {{.temperature = "cpu.big=60C"}, "--temperature: phone has no processor \"cpu.big\" " PROCESSORS},
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
    {{.rivals = "cpu-little=1"}, "--rivals: \"cpu-little\" is the name of a processor, and rivals go by kind: cpu, gpu, dsp, npu"},
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
    {{.fallback = "0.5"}, "--fallback: \"0.5\" says no part of whose operators (write gpu=0.5)"},
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
  const struct hs_scenario_options four = {.governor = "gpu=userspace:427MHz,cpu=userspace:1.6GHz,cpu.big=userspace:800e6,dsp=userspace:min"};
  hs_test_accepted(make(&s, four, &err), &err);
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
  ck_assert(isnan(s.start_c)); /* the SoC's ambient */
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

START_TEST(rpc_thread_option)
{
  struct hs_scenario s;
  struct hs_error err;
  hs_test_accepted(make(&s, (struct hs_scenario_options){.rpc_thread = "cpu"}, &err), &err);
  ck_assert_uint_eq(s.rpc_clusters, CPU_MID | CPU_BIG);
  hs_scenario_free(&s);
  hs_test_accepted(make(&s, (struct hs_scenario_options){.rpc_thread = "cpu.big"}, &err), &err);
  ck_assert_uint_eq(s.rpc_clusters, CPU_BIG);
  hs_scenario_free(&s);
  refuse((struct hs_scenario_options){.rpc_thread = "gpu"}, "--rpc-thread: phone has no CPU or cluster \"gpu\"");
}
END_TEST

/* Each by itself: where nothing else has the cores, the run takes place as if there were no scenario, and what the option says is without effect.
 * Operators that fall back need no phone beside them. */
START_TEST(which_options_bring_the_phone_to_life)
{
  static const struct {
    struct hs_scenario_options options;
    bool living;
  } cases[] = {{{.governor = "gpu=powersave"}, true}, {{.temperature = "gpu=60C"}, true}, {{.temperature = "simulated"}, true},
               {{.rivals = "gpu=1"}, true},           {{.rivals = "gpu=0"}, false},       {{.rivals = "cpu=1,gpu=0"}, true},
               {{.ui = "60"}, true},                  {{.cache_hit = "0.2"}, true},       {{.rpc_thread = "cpu"}, true},
               {{.fallback = "gpu=0.5"}, false}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct hs_scenario s;
    struct hs_error err;
    hs_test_accepted(make(&s, cases[i].options, &err), &err);
    ck_assert_msg(s.living == cases[i].living, "case %zu", i);
    hs_scenario_free(&s);
  }
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

/* A file may hold two processors of a node at one temperature; another one on the command line is the node's, whichever of the two it names. */
START_TEST(a_temperature_takes_its_node_from_the_file)
{
  struct hs_scenario s;
  struct hs_error err;
  char file[600];
  const char *root = getenv("srcdir");
  snprintf(file, sizeof file, "%s/tests/fuzz/corpus/scenario/held.json", root ? root : ".");
  hs_test_accepted(make(&s, (struct hs_scenario_options){.file = file}, &err), &err);
  ck_assert(s.held[0] && s.held_c[0] == 60 && s.held[1] && s.held_c[1] == 60 && s.held[3]);
  hs_scenario_free(&s);
  hs_test_accepted(make(&s, (struct hs_scenario_options){.file = file, .temperature = "cpu-little=50C"}, &err), &err);
  ck_assert(!s.held[0]);
  ck_assert(s.held[1] && s.held_c[1] == 50);
  ck_assert(s.held[3] && s.held_c[3] == -40);
  hs_scenario_free(&s);
}
END_TEST

/* A rival's name is a random stream's: a process of the file keeps it to itself. */
START_TEST(rivals_beside_a_rival)
{
  struct hs_scenario s;
  struct hs_error err;
  char *text = hs_test_seed("scenario/small"), *renamed = hs_test_replace(text, "\"name\": \"b\"", "\"name\": \"cpu-rival-2\"");
  char *path = hs_test_file(".json", renamed, strlen(renamed));
  enum hs_status status = make(&s, (struct hs_scenario_options){.file = path, .rivals = "2"}, &err);
  remove(path);
  hs_test_accepted(status, &err);
  ck_assert_int_eq(s.n_processes, 4);
  ck_assert_str_eq(s.processes[2].name, "cpu-rival-1");
  ck_assert_str_eq(s.processes[3].name, "cpu-rival-3");
  hs_scenario_free(&s);
  free(path);
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
  char *path = hs_test_file(".csv", t.s, t.len);
  enum hs_status status = make(&s, (struct hs_scenario_options){.competing = path, .rivals = "gpu=1,cpu=1"}, &err);
  remove(path);
  free(path);
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
  tcase_add_test(t, bad_options);
  tcase_add_test(t, options_of_a_soc_that_lacks);
  tcase_add_test(t, no_options);
  tcase_add_test(t, governor_option);
  tcase_add_test(t, temperature_option);
  tcase_add_test(t, rivals_option);
  tcase_add_test(t, fallback_option);
  tcase_add_test(t, ui_and_cache_options);
  tcase_add_test(t, rpc_thread_option);
  tcase_add_test(t, which_options_bring_the_phone_to_life);
  tcase_add_test(t, on_top_of_a_file);
  tcase_add_test(t, a_temperature_takes_its_node_from_the_file);
  tcase_add_test(t, rivals_beside_a_rival);
  tcase_add_test(t, too_many_rivals);
  tcase_add_test(t, missing_files);
}

int main(void) { return hs_test_main("scenario_options", fill); }
