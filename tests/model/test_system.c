/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a system resolves from what a user asked for: precision, memory type, threads, OPP, kernel, table; and every refusal. */
#include "tests/model/rig.h"

/* A system with one setting changed; the phone of rig.h. */
static void open_with(struct rig *r, const char *runtime, int precision, int memory_type, int threads, const char *frequency)
{
  struct hs_error err;
  struct hs_settings s = rig_settings(runtime);
  s.precision = precision;
  s.memory_type = memory_type;
  s.threads = threads;
  s.frequency = frequency;
  hs_test_accepted(rig_try(r, RIG_PHONE("2e9"), NULL, strcmp(runtime, "mace") == 0 ? RIG_MACE : RIG_TFLITE, &s, &err), &err);
}

/* The precision that was asked for where runtime and hardware have it, else for a float the other one, else the runtime's first
 * that the hardware has: a float model that a phone has in fp32 runs in fp16 on an NPU that has int8 and fp16. */
START_TEST(precision)
{
  static const struct {
    const char *runtime;
    int wanted;
    int expected[5]; /* per processor; -1: not available */
  } cases[] = {
    {"tflite", -1, {HS_FP32, HS_FP32, HS_FP16, HS_INT8, HS_INT8}},
    {"tflite", HS_FP32, {HS_FP32, HS_FP32, HS_FP16, HS_INT8, HS_FP16}},
    {"tflite", HS_FP16, {HS_FP32, HS_FP32, HS_FP16, HS_INT8, HS_FP16}},
    {"tflite", HS_INT8, {HS_INT8, HS_INT8, HS_FP16, HS_INT8, HS_INT8}},
    {"mace", -1, {HS_FP32, HS_FP32, HS_FP32, -1, -1}},
    {"mace", HS_INT8, {HS_FP32, HS_FP32, HS_FP32, -1, -1}},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct rig r;
    open_with(&r, cases[i].runtime, cases[i].wanted, -1, 0, NULL);
    for (int p = 0; p < 5; p++) {
      const struct hs_backend *b = &r.sys.backends[p];
      ck_assert_int_eq(b->available, cases[i].expected[p] >= 0);
      if (b->available) ck_assert_int_eq((int)b->precision, cases[i].expected[p]);
      if (b->available) ck_assert_int_eq((int)b->kernel->precision, cases[i].expected[p]);
    }
    rig_close(&r);
  }
  /* hardware without it: the GPU has fp16 only, mace wants fp32 */
  struct rig r;
  struct hs_error err;
  struct hs_settings s = rig_settings("mace");
  char *soc = hs_test_replace(RIG_PHONE("2e9"), "'fp32': 96, ", "");
  hs_test_accepted(rig_try(&r, soc, NULL, RIG_MACE, &s, &err), &err);
  ck_assert(!r.sys.backends[GPU].available);
  free(soc);
  rig_close(&r);
}
END_TEST

START_TEST(memory_type)
{
  struct rig r;
  struct hs_error err;
  open_with(&r, "mace", -1, -1, 0, NULL);
  ck_assert_int_eq(r.sys.backends[GPU].memory_type, HS_IMAGE); /* the SoC's first */
  ck_assert_int_eq(r.sys.backends[CPU].memory_type, HS_BUFFER);
  ck_assert_double_eq(r.sys.backends[GPU].kernel->overhead_cycles, 2000);
  ck_assert(hs_comm_converts(&r.sys, CPU, GPU)); /* layouts differ */
  rig_close(&r);
  open_with(&r, "mace", -1, HS_BUFFER, 0, NULL);
  ck_assert_int_eq(r.sys.backends[GPU].memory_type, HS_BUFFER);
  ck_assert_double_eq(r.sys.backends[GPU].kernel->overhead_cycles, 3000); /* of the other kernel */
  ck_assert(!hs_comm_converts(&r.sys, CPU, GPU));
  rig_close(&r);
  static const char *const names[] = {"buffer", "image"};
  for (int wanted = 0; wanted < 2; wanted++) {
    char only[40], message[100];
    struct hs_settings s = rig_settings("mace");
    s.memory_type = wanted;
    snprintf(only, sizeof only, "['%s']", names[1 - wanted]);
    char *soc = hs_test_replace(RIG_PHONE("2e9"), "['image', 'buffer']", only);
    snprintf(message, sizeof message, "--memory-type: the GPU of this SoC has no OpenCL %s memory", names[wanted]);
    rig_refused(rig_try(&r, soc, NULL, RIG_MACE, &s, &err), &err, HS_USAGE, message);
    rig_close(&r);
    s.memory_type = 1 - wanted;
    hs_test_accepted(rig_try(&r, soc, NULL, RIG_MACE, &s, &err), &err);
    rig_close(&r);
    free(soc);
  }
}
END_TEST

/* ncnn has kernels for buffers only. A table that the SoC's file names for it says which operators these take, and brings no others. */
START_TEST(table_is_no_kernel)
{
  char *soc = hs_test_replace(RIG_PHONE("2e9"), "'memory_types': ['image', 'buffer'], ", "'memory_types': ['image', 'buffer'], 'op_support': {'ncnn': 'none'}, ");
  struct hs_settings s = rig_settings("ncnn");
  struct hs_error err;
  struct rig r;
  char why[200];
  hs_test_accepted(rig_try(&r, soc, NULL, RIG_TFLITE, &s, &err), &err);
  ck_assert_int_eq(r.sys.backends[GPU].memory_type, HS_BUFFER);
  ck_assert(r.sys.backends[GPU].available);
  ck_assert_ptr_eq(r.sys.backends[GPU].support, r.none);
  rig_close(&r);
  s.memory_type = HS_IMAGE;
  hs_test_accepted(rig_try(&r, soc, NULL, RIG_TFLITE, &s, &err), &err);
  ck_assert(!r.sys.backends[GPU].available);
  hs_system_lacks(&r.sys, GPU, why, sizeof why);
  ck_assert_str_eq(why, "runtime ncnn has no kernels for the gpu's image memory");
  rig_close(&r);
  free(soc);
}
END_TEST

START_TEST(thread_counts)
{
  static const struct {
    int asked, cpu, mid, big, little;
  } cases[] = {{0, 4, 3, 1, 4}, {1, 1, 0, 1, 1}, {2, 2, 1, 1, 2}, {4, 4, 3, 1, 4}};
  struct rig r;
  struct hs_error err;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    open_with(&r, "mace", -1, -1, cases[i].asked, NULL);
    ck_assert_int_eq(r.sys.backends[CPU].threads, cases[i].cpu);
    ck_assert_int_eq(r.sys.backends[CPU].cores[0], cases[i].mid);
    ck_assert_int_eq(r.sys.backends[CPU].cores[1], cases[i].big);
    ck_assert_int_eq(r.sys.backends[LITTLE].threads, cases[i].little);
    ck_assert_int_eq(r.sys.backends[LITTLE].cores[0], cases[i].little);
    ck_assert_int_eq(r.sys.backends[GPU].threads, 1);
    ck_assert_int_eq(r.sys.backends[GPU].cores[0], 1);
    rig_close(&r);
  }
  struct hs_settings s = rig_settings("mace");
  static const struct {
    int threads;
    const char *message;
  } refused[] = {{5, "--threads: 5 is not in [1, 4]: no CPU processor of x has more than 4 cores"},
                 {-1, "--threads: -1 is not in [1, 4]: no CPU processor of x has more than 4 cores"}};
  for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
    s.threads = refused[i].threads;
    rig_refused(rig_try(&r, RIG_PHONE("2e9"), NULL, RIG_MACE, &s, &err), &err, HS_USAGE, refused[i].message);
    rig_close(&r);
  }
}
END_TEST

START_TEST(frequencies)
{
  static const struct {
    const char *spec;
    int mid, big, little, gpu, dsp, npu;
  } cases[] = {
    {NULL, 2, 2, 1, 1, 1, 0},
    {"max", 2, 2, 1, 1, 1, 0},
    {"min", 0, 0, 0, 0, 0, 0},
    {"cpu=min", 0, 0, 1, 1, 1, 0},
    {"cpu.mid=min", 0, 2, 1, 1, 1, 0},
    {"cpu.big=1.5e9,gpu=min", 2, 1, 1, 0, 1, 0},
    {"cpu.big=1.5GHz,gpu=250MHz,dsp.dsp=5e8Hz", 2, 1, 1, 0, 0, 0},
    {"min,cpu.big=max", 0, 2, 0, 0, 0, 0},
    {"cpu.big=max,min", 0, 2, 0, 0, 0, 0}, /* in any order what names it most closely counts */
    {"cpu.big=max,cpu=min", 0, 2, 1, 1, 1, 0},
    {"cpu=max,gpu=max,min", 2, 2, 0, 1, 0, 0},
    {"gpu.gpu=min,max,gpu=max", 2, 2, 1, 0, 1, 0},
    {"gpu=250.2MHz", 2, 2, 1, 0, 1, 0}, /* to 1e-3 */
    {"npu=960MHz", 2, 2, 1, 1, 1, 0},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct rig r;
    open_with(&r, "tflite", -1, -1, 0, cases[i].spec);
    ck_assert_int_eq(r.sys.backends[CPU].opp[0], cases[i].mid);
    ck_assert_int_eq(r.sys.backends[CPU].opp[1], cases[i].big);
    ck_assert_int_eq(r.sys.backends[LITTLE].opp[0], cases[i].little);
    ck_assert_int_eq(r.sys.backends[GPU].opp[0], cases[i].gpu);
    ck_assert_int_eq(r.sys.backends[DSP].opp[0], cases[i].dsp);
    ck_assert_int_eq(r.sys.backends[NPU].opp[0], cases[i].npu);
    ck_assert_int_eq(hs_system_opp(&r.sys, CPU, 0, -1), cases[i].mid);
    rig_close(&r);
  }
}
END_TEST

#define NOT_OPP(value, where, list) "--frequency: \"" value "\" is not max, min or an OPP of " where " (MHz: " list ")"
#define PLACES "(there are: cpu, cpu.mid, cpu.big, cpu-little, gpu, dsp, npu)"

#define NO_NAME(spec) "--frequency: \"" spec "\" has an empty name or an empty place in the list"

START_TEST(frequencies_refused)
{
  static const struct {
    const char *spec, *message;
  } cases[] = {
    {"fast", NOT_OPP("fast", "cpu.mid", "600, 1200, 1600")},
    {"gpu", NOT_OPP("gpu", "cpu.mid", "600, 1200, 1600")},
    {"cpu.big=1.6GHz", NOT_OPP("1.6GHz", "cpu.big", "800, 1500, 2500")},
    {"cpu=1.5e9", NOT_OPP("1.5e9", "cpu.mid", "600, 1200, 1600")}, /* big has it, mid hasn't */
    {"gpu=", NOT_OPP("", "gpu.gpu", "250, 585")},
    {"gpu=585", "--frequency: \"585\" is no frequency of gpu.gpu without a unit: write 585MHz, or in GHz"},
    {"gpu=585kHz", NOT_OPP("585kHz", "gpu.gpu", "250, 585")},
    {"gpu=585 MHz", NOT_OPP("585 MHz", "gpu.gpu", "250, 585")},
    {"gpu=nan", NOT_OPP("nan", "gpu.gpu", "250, 585")},
    {"gpu=inf", NOT_OPP("inf", "gpu.gpu", "250, 585")},
    {"gpu=-2.5e8", NOT_OPP("-2.5e8", "gpu.gpu", "250, 585")},
    {"gpu=250.5MHz", NOT_OPP("250.5MHz", "gpu.gpu", "250, 585")},
    {"tpu=min", "--frequency: x has no processor or domain \"tpu\"; did you mean cpu? " PLACES},
    {"cpu.little=min", "--frequency: x has no processor or domain \"cpu.little\"; did you mean cpu-little? " PLACES},
    {"gpu=min,tpu=min", "--frequency: x has no processor or domain \"tpu\"; did you mean cpu? " PLACES},
    {"cpu=max,gpu=min,cpu=min", "--frequency: cpu is named twice"},
    {"cpu.big=max,min,cpu.big=max", "--frequency: cpu.big is named twice"},
    {"min,gpu=max,max", "--frequency: a frequency of all processors is named twice"},
    {"", NO_NAME("")},
    {"gpu=min,", NO_NAME("gpu=min,")},
    {"gpu=min,,cpu=max", NO_NAME("gpu=min,,cpu=max")},
    {"=min", NO_NAME("=min")},
  };
  struct rig r;
  struct hs_error err;
  struct hs_settings s = rig_settings("tflite");
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    s.frequency = cases[i].spec;
    rig_refused(rig_try(&r, RIG_PHONE("2e9"), NULL, RIG_TFLITE, &s, &err), &err, HS_USAGE, cases[i].message);
    rig_close(&r);
  }
}
END_TEST

/* A kernel of the SoC's own profile comes first, the estimate fills what it lacks. */
START_TEST(kernels)
{
  static const char own[] = RIG_PROFILE("x", "mace", RIG_KERNEL("'processor': 'gpu'", "fp32",
                                                                "'memory_type': 'image', 'fit': {'n': 3, 'mape_frac': 0.1, 'note': ''}, ",
                                                                "4321", "4", "1", "0", "1"));
  struct rig r;
  struct hs_error err;
  struct hs_settings s = rig_settings("mace");
  hs_test_accepted(rig_try(&r, RIG_PHONE("2e9"), own, RIG_MACE, &s, &err), &err);
  ck_assert_double_eq(r.sys.backends[GPU].kernel->overhead_cycles, 4321);
  ck_assert_int_eq(r.sys.backends[GPU].basis, HS_BASIS_FITTED);
  ck_assert_double_eq(r.sys.backends[CPU].kernel->overhead_cycles, 7000);
  ck_assert_int_eq(r.sys.backends[CPU].basis, HS_BASIS_ESTIMATE);
  rig_close(&r);
  s.memory_type = HS_BUFFER; /* no own kernel for buffers */
  hs_test_accepted(rig_try(&r, RIG_PHONE("2e9"), own, RIG_MACE, &s, &err), &err);
  ck_assert_double_eq(r.sys.backends[GPU].kernel->overhead_cycles, 3000);
  ck_assert_int_eq(r.sys.backends[GPU].basis, HS_BASIS_ESTIMATE);
  rig_close(&r);
  s = rig_settings("mace");
  rig_refused(rig_try(&r, RIG_PHONE("2e9"), NULL, RIG_PROFILE("any", "mace", RIG_KERNELS_CPU), &s, &err), &err, HS_INPUT,
              "no kernel profile for mace, gpu, fp32, image");
  rig_close(&r);
}
END_TEST

#define NET RIG_NET(RIG_IN("i", "1, 4, 4, 5"), "'b'", \
                    RIG_OP("a", "Relu", "'i'", ", 'support': {'dsp': false, 'npu': true}") "," RIG_OP("b", "Tanh", "'a'", ""))

START_TEST(tables_and_overrides)
{
  struct rig r;
  struct hs_error err;
  struct hs_settings s = rig_settings("tflite");
  char why[200];
  char *soc = hs_test_replace(RIG_PHONE("2e9"), "'slice_limit_bytes': 150e3, ", "'slice_limit_bytes': 150e3, 'op_support': {'tflite': 'none'}, ");
  hs_test_accepted(rig_try(&r, soc, NULL, RIG_TFLITE, &s, &err), &err);
  rig_read_network(&r, NET);
  const struct hs_operator *a = &r.graph->ops[0], *b = &r.graph->ops[1];
  ck_assert(hs_system_supports(&r.sys, r.graph, a, CPU, NULL, 0));
  ck_assert(hs_system_supports(&r.sys, r.graph, b, DSP, NULL, 0));
  ck_assert(!hs_system_supports(&r.sys, r.graph, a, DSP, why, sizeof why)); /* the model file against the table */
  ck_assert_str_eq(why, "the model file says so");
  ck_assert(hs_system_supports(&r.sys, r.graph, a, NPU, NULL, 0)); /* and for it */
  ck_assert(!hs_system_supports(&r.sys, r.graph, b, NPU, why, sizeof why)); /* the SoC's table in place of the runtime's */
  ck_assert_str_eq(why, "Tanh is not on the list of none");
  rig_close(&r);
  s = rig_settings("mace"); /* the SoC's table is for tflite only; mace has no code for the NPU, whatever the model says */
  hs_test_accepted(rig_try(&r, soc, NULL, RIG_MACE, &s, &err), &err);
  rig_read_network(&r, NET);
  ck_assert(!hs_system_supports(&r.sys, r.graph, &r.graph->ops[0], NPU, why, sizeof why));
  ck_assert_str_eq(why, "runtime mace has no code for the npu");
  rig_close(&r);
  free(soc);
  /* a runtime that is based on another has its tables where it has none of its own */
  static const struct {
    const char *tables;
    bool runs;
  } based[] = {{"'tflite': 'none'", false}, {"'tflite-xnnpack': 'none'", false}, {"'tflite': 'none', 'tflite-xnnpack': 'all'", true}};
  for (int i = 0; i < 3; i++) {
    char text[100];
    snprintf(text, sizeof text, "'slice_limit_bytes': 150e3, 'op_support': {%s}, ", based[i].tables);
    soc = hs_test_replace(RIG_PHONE("2e9"), "'slice_limit_bytes': 150e3, ", text);
    s = rig_settings("tflite-xnnpack");
    hs_test_accepted(rig_try(&r, soc, NULL, RIG_TFLITE, &s, &err), &err);
    rig_read_network(&r, NET);
    ck_assert_msg(hs_system_supports(&r.sys, r.graph, &r.graph->ops[1], NPU, NULL, 0) == based[i].runs, "%s", based[i].tables);
    rig_close(&r);
    free(soc);
  }
  /* a table that isn't there */
  soc = hs_test_replace(RIG_PHONE("2e9"), "'slice_limit_bytes': 150e3, ", "'op_support': {'tflite': 'missing'}, ");
  s = rig_settings("tflite");
  rig_refused(rig_try(&r, soc, NULL, RIG_TFLITE, &s, &err), &err, HS_IO, "there is no table \"missing\"");
  rig_close(&r);
  free(soc);
}
END_TEST

/* All but a GPU may have memory of their own; a wrong size is refused with its place. */
START_TEST(memory_of_its_own)
{
  struct rig r;
  struct hs_error err;
  struct hs_settings s = rig_settings("tflite");
  char *soc = hs_test_replace(RIG_PHONE("2e9"), "'slice_limit_bytes': 150e3, ", "'local_bytes': 2.5e6, ");
  hs_test_accepted(rig_try(&r, soc, NULL, RIG_TFLITE, &s, &err), &err);
  ck_assert_double_eq(r.soc->processors[NPU].local_bytes, 2.5e6);
  ck_assert_double_eq(r.soc->processors[DSP].local_bytes, 0);
  rig_close(&r);
  free(soc);
  soc = hs_test_replace(RIG_PHONE("2e9"), "'bandwidth_bytes_per_s': 9e9", "'bandwidth_bytes_per_s': 9e9, 'local_bytes': 3e6");
  hs_test_accepted(rig_try(&r, soc, NULL, RIG_TFLITE, &s, &err), &err);
  ck_assert_double_eq(r.soc->processors[0].local_bytes, 3e6);
  rig_close(&r);
  free(soc);
  soc = hs_test_replace(RIG_PHONE("2e9"), "'slice_limit_bytes': 150e3, ", "'local_bytes': 999, ");
  char *json = hs_test_json(soc);
  rig_refused(hs_soc_parse("soc.json", json, strlen(json), &r.soc, &err), &err, HS_INPUT,
              "soc.json:1:2470: $.processors[4].local_bytes: 999 is not in [1000, 1e+09]");
  free(json);
  free(soc);
}
END_TEST

#define WITHOUT_GPU RIG_HEAD("x", "2e9", "13e9") RIG_CPU "," RIG_LITTLE "], 'sharing_costs': [" RIG_TAIL_OF("'cpu', 'cpu-little'")

/* The buffer kernel starts in 3000 cycles: at 250 MHz 12 µs. */
START_TEST(limits_of_the_gpu)
{
  static const struct {
    const char *soc, *runtime, *frequency;
    double kernel_s;
    int window;
    const char *message; /* NULL: accepted */
  } cases[] = {
    {RIG_PHONE("2e9"), "mace", "min", 12.01e-6, 1, NULL},
    {RIG_PHONE("2e9"), "mace", "min", 12e-6, 1, "--gpu-kernel-time: 12.0 µs is not longer than the 12.0 µs that a kernel takes to start on gpu at 250 MHz"},
    {RIG_PHONE("2e9"), "mace", "max", 12e-6, 10000, NULL},
    {RIG_PHONE("2e9"), "mace", NULL, 1, 0, NULL},
    {RIG_PHONE("2e9"), "mace", NULL, 1.01, 0, "--gpu-kernel-time: 1.01 is not in (0, 1]"},
    {RIG_PHONE("2e9"), "mace", NULL, -1e-3, 0, "--gpu-kernel-time: -0.001 is not in (0, 1]"},
    {RIG_PHONE("2e9"), "mace", NULL, NAN, 0, "--gpu-kernel-time: nan is not in (0, 1]"},
    {RIG_PHONE("2e9"), "mace", NULL, 0, -1, "--gpu-window: -1 is not in [1, 10000]"},
    {RIG_PHONE("2e9"), "mace", NULL, 0, 10001, "--gpu-window: 10001 is not in [1, 10000]"},
    {RIG_PHONE("2e9"), "tflite", NULL, 1e-3, 0, "--gpu-kernel-time: runtime tflite can't do that; --runtime=mace can"},
    {RIG_PHONE("2e9"), "tflite", NULL, 0, 4, "--gpu-window: runtime tflite can't do that; --runtime=mace can"},
    {WITHOUT_GPU, "mace", NULL, 1e-3, 0, "--gpu-kernel-time: x has no GPU"},
    {WITHOUT_GPU, "mace", NULL, 0, 4, "--gpu-window: x has no GPU"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct rig r;
    struct hs_error err;
    struct hs_settings s = rig_settings(cases[i].runtime);
    s.memory_type = strcmp(cases[i].soc, WITHOUT_GPU) == 0 ? -1 : HS_BUFFER;
    s.frequency = cases[i].frequency;
    s.gpu_kernel_s = cases[i].kernel_s;
    s.gpu_window = cases[i].window;
    enum hs_status status = rig_try(&r, cases[i].soc, NULL, strcmp(cases[i].runtime, "mace") == 0 ? RIG_MACE : RIG_TFLITE, &s, &err);
    if (cases[i].message)
      rig_refused(status, &err, HS_USAGE, cases[i].message);
    else {
      hs_test_accepted(status, &err);
      ck_assert_double_eq(r.sys.backends[GPU].kernel_s, cases[i].kernel_s);
      ck_assert_int_eq(r.sys.backends[GPU].window, cases[i].window);
      ck_assert(r.sys.backends[CPU].kernel_s == 0 && r.sys.backends[CPU].window == 0);
    }
    rig_close(&r);
  }
}
END_TEST

static void fill(TCase *t)
{
  tcase_add_test(t, precision);
  tcase_add_test(t, memory_type);
  tcase_add_test(t, table_is_no_kernel);
  tcase_add_test(t, thread_counts);
  tcase_add_test(t, frequencies);
  tcase_add_test(t, frequencies_refused);
  tcase_add_test(t, kernels);
  tcase_add_test(t, tables_and_overrides);
  tcase_add_test(t, memory_of_its_own);
  tcase_add_test(t, limits_of_the_gpu);
}

int main(void) { return hs_test_main("system", fill); }
