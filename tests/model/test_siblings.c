/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What profiles say of several SoCs holds together: most of them are derived from a sibling, and a derivation that went wrong
 * shows in the order of cores, precisions and generations before any measurement is at hand. */
#include <math.h>

#include "tests/unit/suite.h"

#include "model/cost.h"
#include "model/products.h"
#include "program/setup.h"

static const char *const models[] = {"mobilenet_v1", "mobilenet_v2_1.0", "squeezenet", "resnet50", "inception_v3"};
enum { MODELS = sizeof models / sizeof *models };

/* All operators of a network one after the other on a CPU of four cores; `slowest_hz` is the highest frequency of its slowest core. */
static double seconds(const char *soc, const char *runtime, const char *precision, const char *processor, const char *model, double *slowest_hz)
{
  struct hs_setup s = {0};
  struct hs_error err;
  const struct hs_run_options options = {.soc = soc, .policy = processor, .runtime = runtime, .precision = precision, .model = model, .threads = 4};
  hs_test_accepted(hs_setup_system(&s, &options, &err), &err);
  hs_test_accepted(hs_setup_networks(&s, &options, &err), &err);
  int p = hs_soc_find(s.soc, processor);
  ck_assert_int_ge(p, 0);
  double sum = 0, hz = 1e12;
  for (int i = 0; i < s.graph->n_ops; i++) sum += hs_cost_seconds(&s.sys, s.graph, &s.graph->ops[i], p, -1);
  for (int d = 0; d < s.soc->processors[p].n_domains; d++) {
    const struct hs_domain *domain = &s.soc->processors[p].domains[d];
    double top = domain->opps[domain->n_opps - 1].freq_hz;
    if (top < hz) hz = top;
  }
  if (slowest_hz) *slowest_hz = hz;
  hs_setup_free(&s);
  return sum;
}

static const char *const socs[] = {"kirin960", "kirin970", "kirin985", "kirin990", "sd855", "sd865", "sd870", "sd888", "tensor"};
enum { SOCS = sizeof socs / sizeof *socs };

/* An efficiency core does less per clock than a performance core: in other libraries, one thread, an A53 takes 1.2 to 1.9 times the cycles
 * of an A73 and an A55 3 times those of an A76. Under TensorFlow Lite in fp32 the first were measured by themselves, 1.2, and threads
 * differ. A Cortex-X1, one core of four, has four times the peak of a Cortex-A55 in int8, of which this has 0.66 under XNNPACK. */
START_TEST(efficiency_cores)
{
  static const struct {
    const char *runtime, *precision;
    double least, most;
  } kernels[] = {{"mace", "fp32", 1.3, 6}, {"tflite", "fp32", 1, 6}, {"tflite", "int8", 1.3, 6}, {"paddle-lite", "fp32", 1.2, 6},
                 {"paddle-lite", "int8", 1.2, 6}, {"pytorch", "fp32", 1.3, 6},
                 {"pytorch", "int8", 1.3, 6}, {"tflite-xnnpack", "fp32", 1.3, 6}, {"tflite-xnnpack", "int8", 1.3, 6.1},
                 {"bolt", "fp32", 1.3, 6}, {"bolt", "fp16", 1.3, 6}, {"ncnn", "fp32", 1.2, 6}};
  for (size_t k = 0; k < sizeof kernels / sizeof *kernels; k++)
    for (int m = 0; m < MODELS; m++) {
      double big_hz, little_hz;
      double big = seconds(socs[_i], kernels[k].runtime, kernels[k].precision, "cpu", models[m], &big_hz);
      double little = seconds(socs[_i], kernels[k].runtime, kernels[k].precision, "cpu-little", models[m], &little_hz);
      double per_clock = little / big * little_hz / big_hz;
      ck_assert_msg(per_clock > kernels[k].least && per_clock < kernels[k].most, "%s, %s %s, %s: %.2f times the cycles", socs[_i],
                    kernels[k].runtime, kernels[k].precision, models[m], per_clock);
    }
}
END_TEST

/* Eight bits take less time than 32 where networks are mostly convolutions. */
START_TEST(eight_bits)
{
  for (int m = 0; m < MODELS; m++)
    for (int p = 0; p < 2; p++) {
      const char *processor = p ? "cpu-little" : "cpu";
      double fp32 = seconds(socs[_i], "tflite", "fp32", processor, models[m], NULL);
      double int8 = seconds(socs[_i], "tflite", "int8", processor, models[m], NULL);
      ck_assert_msg(int8 < fp32, "%s, %s, %s: %.1f ms in int8, %.1f in fp32", socs[_i], processor, models[m], int8 * 1e3, fp32 * 1e3);
    }
}
END_TEST

/* A later SoC of the same maker isn't slower on its performance cores, version for version of the runtime. */
START_TEST(generations)
{
  static const char *const pairs[][2] = {{"sd855", "sd865"}, {"sd865", "sd870"}, {"kirin970", "kirin985"}, {"kirin985", "kirin990"}};
  static const char *const runtimes[] = {"mace", "tflite"};
  for (int r = 0; r < 2; r++)
    for (int m = 0; m < MODELS; m++) {
      double before = seconds(pairs[_i][0], runtimes[r], "fp32", "cpu", models[m], NULL);
      double after = seconds(pairs[_i][1], runtimes[r], "fp32", "cpu", models[m], NULL);
      ck_assert_msg(after < 1.03 * before, "%s, %s: %s %.1f ms, %s %.1f ms", runtimes[r], models[m], pairs[_i][0], before * 1e3, pairs[_i][1], after * 1e3);
    }
}
END_TEST

/* The kernel that a runtime has on a processor, and the peak of a core there, if `macs_per_cycle` isn't NULL. */
static struct hs_kernel kernel_and_peak(const char *soc, const char *runtime, const char *precision, const char *processor, double *macs_per_cycle)
{
  struct hs_setup s = {0};
  struct hs_error err;
  const struct hs_run_options options = {.soc = soc, .policy = processor, .runtime = runtime, .precision = precision};
  hs_test_accepted(hs_setup_system(&s, &options, &err), &err);
  int p = hs_soc_find(s.soc, processor);
  struct hs_kernel k = *s.sys.backends[p].kernel;
  if (macs_per_cycle) *macs_per_cycle = s.soc->processors[p].domains[0].macs_per_cycle[s.sys.backends[p].precision];
  hs_setup_free(&s);
  return k;
}

static struct hs_kernel kernel_of(const char *soc, const char *precision, const char *processor)
{
  return kernel_and_peak(soc, "tflite", precision, processor, NULL);
}

static const struct derived {
  const char *soc, *processor;
  double faster, alone; /* than sd855's, per cycle; alone: in int8, what the thread that calls does by itself, on the Cortex-X1 where there is one */
} derived[] = {{"sd865", "cpu", 1.26, 1.26},   {"sd870", "cpu", 1.26, 1.26},   {"sd888", "cpu", 1.18, 1.32},   {"kirin985", "cpu", 1, 1},
               {"kirin990", "cpu", 1, 1},      {"tensor", "cpu", 1, 1.32},     {"sd865", "cpu-little", 1, 1},  {"sd870", "cpu-little", 1, 1},
               {"sd888", "cpu-little", 1, 1},  {"tensor", "cpu-little", 1, 1}, {"kirin990", "cpu-little", 1, 1}, {"kirin985", "cpu-little", 1, 1}};
enum { DERIVED = sizeof derived / sizeof *derived };

static void check_cycles(const struct derived *d, const char *precision, double faster, const char *what, double here, double there)
{
  if (there < 2e-4) return; /* not determined there, and at its bound */
  ck_assert_msg(fabs(here * faster / there - 1) < 1e-3, "%s, %s %s, %s: %g, %g on sd855", d->soc, d->processor, precision, what, here, there);
}

/* What is sd855's by a factor, as the sources in these profiles say, follows when that is fitted again. */
START_TEST(follow_sd855)
{
  static const char *const precisions[] = {"fp32", "int8"};
  const struct derived *d = &derived[_i];
  for (int p = 0; p < 2; p++) {
    const struct hs_kernel there = kernel_of("sd855", precisions[p], d->processor), here = kernel_of(d->soc, precisions[p], d->processor);
    double alone = p == 1 ? d->alone : d->faster;
    check_cycles(d, precisions[p], d->faster, "overhead_cycles", here.overhead_cycles, there.overhead_cycles);
    check_cycles(d, precisions[p], d->faster, "move_cycles_per_byte", here.move_cycles_per_byte, there.move_cycles_per_byte);
    check_cycles(d, precisions[p], alone, "light_move_cycles_per_byte", here.light_move_cycles_per_byte, there.light_move_cycles_per_byte);
    check_cycles(d, precisions[p], alone, "window_cycles_per_byte", here.window_cycles_per_byte, there.window_cycles_per_byte);
    check_cycles(d, precisions[p], d->faster, "pack_cycles_per_byte", here.pack_cycles_per_byte, there.pack_cycles_per_byte);
    check_cycles(d, precisions[p], d->faster, "weight_cycles_per_byte", here.weight_cycles_per_byte, there.weight_cycles_per_byte);
    check_cycles(d, precisions[p], alone, "flat_mean_cycles", here.flat_mean_cycles, there.flat_mean_cycles);
    check_cycles(d, precisions[p], alone, "cycles of a sum", here.operator_cycles[HS_OP_ADD], there.operator_cycles[HS_OP_ADD]);
    check_cycles(d, precisions[p], alone, "cycles of a Pad", here.operator_cycles[HS_OP_PAD], there.operator_cycles[HS_OP_PAD]);
    check_cycles(d, precisions[p], alone, "cycles of a Gelu", here.operator_cycles[HS_OP_GELU], there.operator_cycles[HS_OP_GELU]);
    check_cycles(d, precisions[p], alone, "cycles of a LayerNormalization", here.operator_cycles[HS_OP_LAYER_NORMALIZATION],
                 there.operator_cycles[HS_OP_LAYER_NORMALIZATION]);
    for (int c = HS_CLASS_CONV_1X1; c < HS_CLASS_N; c++)
      ck_assert_double_eq_tol(here.efficiency[c], fmin(1, d->faster * there.efficiency[c]), 1e-3 * here.efficiency[c]);
    ck_assert_double_eq_tol(here.reduction_half, there.reduction_half, 1e-3 * there.reduction_half);
    ck_assert_double_eq_tol(here.reduction_half_grouped, there.reduction_half_grouped, 1e-3 * there.reduction_half_grouped);
    ck_assert_double_eq(here.group_of_one_factor, there.group_of_one_factor);
    ck_assert_double_eq_tol(here.serial_depthwise_frac, there.serial_depthwise_frac, 1e-3);
  }
}
END_TEST

/* Of two GPUs single networks are known: whatever multiplies is another's by one fitted factor, and the rest is its. */
static const struct {
  const char *soc, *of;
  double factor;
} scaled_gpus[] = {{"sd888", "sd855", 0.8174}, {"tensor", "kirin990", 0.78}};

START_TEST(scaled_gpu)
{
  const struct hs_kernel there = kernel_of(scaled_gpus[_i].of, "fp16", "gpu"), here = kernel_of(scaled_gpus[_i].soc, "fp16", "gpu");
  for (int c = HS_CLASS_CONV_1X1; c < HS_CLASS_N; c++) {
    double expected = there.efficiency[c] * (c <= HS_CLASS_MATMUL ? scaled_gpus[_i].factor : 1);
    ck_assert_msg(fabs(here.efficiency[c] / expected - 1) < 2e-3, "%s, %s: %g for %g", scaled_gpus[_i].soc, hs_op_class_names[c], here.efficiency[c], expected);
  }
  for (double ln = 0; ln < 16; ln += 0.5) ck_assert_double_eq(hs_products_saturation(&here, ln), hs_products_saturation(&there, ln));
  ck_assert_double_eq_tol(here.overhead_cycles, there.overhead_cycles, 1);
  ck_assert_double_eq_tol(here.reduction_half, there.reduction_half, 1e-3);
  ck_assert_double_eq(here.mali.pixel_reads, there.mali.pixel_reads);
  ck_assert_double_eq(here.mali.transform_cycles_per_byte, there.mali.transform_cycles_per_byte);
  ck_assert_double_eq_tol(here.launch.constant_efficiency, scaled_gpus[_i].factor * there.launch.constant_efficiency, 1e-3);
}
END_TEST

/* Older cores multiply less per cycle, but in a fully connected operator they wait for its weights as the newer ones do; what is grouped follows the
 * convolutions of kirin960's fp32, by 0.691 of a vector unit half as wide, and by 0.83. */
START_TEST(older_cores)
{
  static const char *const older[] = {"kirin960", "kirin970"}, *const processors[] = {"cpu", "cpu-little"}, *const precisions[] = {"fp32", "int8"};
  static const double slower[] = {0.3455, 0.83};
  for (int p = 0; p < 2; p++)
    for (int q = 0; q < 2; q++) {
      double peak, peak_there;
      struct hs_kernel here = kernel_and_peak(older[_i], "tflite", precisions[q], processors[p], &peak);
      struct hs_kernel there = kernel_and_peak("sd855", "tflite", precisions[q], processors[p], &peak_there);
      double weights = peak * here.efficiency[HS_CLASS_MATMUL], weights_there = peak_there * there.efficiency[HS_CLASS_MATMUL];
      ck_assert_msg(fabs(weights / weights_there - 1) < 1e-3, "%s, %s %s: %g weights per cycle, %g on sd855", older[_i], processors[p], precisions[q], weights,
                    weights_there);
      double grouped = peak * here.efficiency[HS_CLASS_GROUPED], grouped_there = slower[p] * peak_there * there.efficiency[HS_CLASS_GROUPED];
      ck_assert_msg(fabs(grouped / grouped_there - 1) < 2e-3, "%s, %s %s: %g grouped MACs per cycle for %g", older[_i], processors[p], precisions[q], grouped,
                    grouped_there);
      ck_assert_double_eq_tol(here.reduction_half_grouped, there.reduction_half_grouped, 1e-3 * there.reduction_half_grouped);
      ck_assert_double_eq(here.group_of_one_factor, there.group_of_one_factor);
      static const double scalar[] = {0.691, 0.83}; /* whatever the vector unit's width */
      double gelu = here.operator_cycles[HS_OP_GELU] * scalar[p], norm = here.operator_cycles[HS_OP_LAYER_NORMALIZATION] * scalar[p];
      ck_assert_double_eq_tol(gelu / there.operator_cycles[HS_OP_GELU], 1, 1e-3);
      ck_assert_double_eq_tol(norm / there.operator_cycles[HS_OP_LAYER_NORMALIZATION], 1, 1e-3);
    }
}
END_TEST

/* The GPUs that nobody measured are Malis, and have the rates of one that somebody did: of Valhall, or an older one. */
START_TEST(any_mali)
{
  static const char *const those[] = {"tensor", "kirin990"}, *const these[] = {"kirin985", "kirin960"};
  struct hs_kernel measured = kernel_of(those[_i], "fp16", "gpu"), any = kernel_of(these[_i], "fp16", "gpu");
  for (int c = HS_CLASS_CONV_1X1; c < HS_CLASS_N; c++)
    ck_assert_msg(any.efficiency[c] == measured.efficiency[c], "%s: %g, the fit has %g", hs_op_class_names[c], any.efficiency[c], measured.efficiency[c]);
  for (double ln = 0; ln < 16; ln += 0.5) ck_assert_double_eq(hs_products_saturation(&any, ln), hs_products_saturation(&measured, ln));
  ck_assert_double_eq(any.overhead_cycles, measured.overhead_cycles);
  ck_assert_double_eq_tol(any.start_cycles / measured.start_cycles, _i ? 1 : 700.0 / 848, 2e-3); /* as many milliseconds on a Mali-G76 */
  ck_assert_double_eq(any.move_cycles_per_byte, measured.move_cycles_per_byte);
  ck_assert_double_eq(any.reduction_half, measured.reduction_half);
  ck_assert_int_gt(measured.mali.cores, 0);
  ck_assert_mem_eq(&any.mali, &measured.mali, sizeof any.mali);
}
END_TEST

/* A core without dot products multiplies half of its peak in int8 by widening instructions, one with them a quarter: QNNPACK knows no
 * others. A Cortex-A53 has a share of a Cortex-A73's rates. */
static double of_a76(bool older, int processor, int precision)
{
  static const double little[] = {0.659, 0.589};
  return older ? (precision == 1 ? 2 : 1) * (processor == 1 ? little[precision] : 1) : 1;
}

static void check_follows(const char *what, double here, double there, double share)
{
  ck_assert_msg(fabs(here - there * share) <= 1e-3 * there * share, "%s: %g, %g there", what, here, there);
}

/* PyTorch was measured on sd855 alone: any other CPU has the kernels of its performance cores, but a Cortex-A55 those of its efficiency
 * cores; of_a76() has what older cores have of them. */
START_TEST(pytorch_follows_sd855)
{
  static const char *const precisions[] = {"fp32", "int8"}, *const processors[] = {"cpu", "cpu-little"};
  bool older = strcmp(socs[_i], "kirin960") == 0 || strcmp(socs[_i], "kirin970") == 0;
  for (int p = 0; p < 2; p++)
    for (int c = 0; c < 2; c++) {
      const struct hs_kernel there = kernel_and_peak("sd855", "pytorch", precisions[p], older ? "cpu" : processors[c], NULL);
      const struct hs_kernel here = kernel_and_peak(socs[_i], "pytorch", precisions[p], processors[c], NULL);
      double rates = of_a76(older, c, p), cycles = rates / of_a76(older, 0, p);
      for (int k = 0; k < HS_CLASS_N; k++) check_follows(hs_op_class_names[k], here.efficiency[k], fmin(1 / rates, there.efficiency[k]), rates);
      for (int k = 0; k < HS_OP_N; k++)
        if (k != HS_OP_DETECTION_POST_PROCESS) /* one number for all cores, until somebody measures it */
          check_follows(hs_op_name((enum hs_op_type)k), here.operator_cycles[k], there.operator_cycles[k], 1 / cycles);
      check_follows("overhead_cycles", here.overhead_cycles, there.overhead_cycles, 1 / cycles);
      check_follows("layout_cycles_per_byte", here.layout_cycles_per_byte, there.layout_cycles_per_byte, 1 / cycles);
      check_follows("reread_cycles_per_byte", here.reread_cycles_per_byte, there.reread_cycles_per_byte, 1 / cycles);
      ck_assert_double_eq(here.gemm_factor, there.gemm_factor);
      check_follows("turn_cycles", here.turn_cycles, there.turn_cycles, 1 / cycles);
      check_follows("turn_miss_cycles", here.turn_miss_cycles, there.turn_miss_cycles, 1 / cycles);
      check_follows("turn_far_cycles", here.turn_far_cycles, there.turn_far_cycles, 1 / cycles);
      ck_assert_double_eq(here.start_cycles, there.start_cycles);
      ck_assert_double_eq(here.reduction_half, there.reduction_half);
      ck_assert_int_eq(here.turn_cache_lines, there.turn_cache_lines);
      ck_assert_int_eq(here.norm_block, there.norm_block);
      ck_assert_double_eq(here.depthwise_fast_path.other_factor, there.depthwise_fast_path.other_factor);
    }
}
END_TEST

/* Of the GPUs Snapdragon 855's Adreno and a Mali were measured under PyTorch. Later Adrenos have the share of the peak that TensorFlow
 * Lite's kernels have there, and cycles of a wave by the peak; all Malis have one kernel. */
START_TEST(pytorch_gpus)
{
  static const double share[] = {1, 1, 1, 1, 1, 0.8, 0.8, 0.72, 1};
  bool adreno = strncmp(socs[_i], "sd", 2) == 0;
  const struct hs_kernel there = kernel_and_peak(adreno ? "sd855" : "kirin990", "pytorch", "fp16", "gpu", NULL);
  const struct hs_kernel here = kernel_and_peak(socs[_i], "pytorch", "fp16", "gpu", NULL);
  for (int c = HS_CLASS_CONV_1X1; c <= HS_CLASS_MATMUL; c++)
    ck_assert_msg(fabs(here.efficiency[c] / there.efficiency[c] / share[_i] - 1) < 2e-3, "%s: %g, %g there", hs_op_class_names[c],
                  here.efficiency[c], there.efficiency[c]);
  ck_assert_double_eq(here.efficiency[HS_CLASS_POOL], there.efficiency[HS_CLASS_POOL]);
  ck_assert_double_eq_tol(here.shaders.access_cycles / there.shaders.access_cycles, share[_i] < 1 ? 0.75 : 1, 1e-3);
  ck_assert_double_eq(here.shaders.read_cycles, there.shaders.read_cycles);
  ck_assert_double_eq(here.shaders.first_waves, there.shaders.first_waves);
  ck_assert_double_eq(here.overhead_cycles, there.overhead_cycles);
}
END_TEST

/* Nothing computes faster than the cores' vector units, but by what Winograd saves: F(6×6, 3×3) has 8² products for 36 · 9. */
static void check_peaks(const struct hs_setup *s, int p, const char *what)
{
  const struct hs_processor *proc = &s->soc->processors[p];
  const struct hs_backend *b = &s->sys.backends[p];
  double peak = 0;
  for (int d = 0; d < proc->n_domains; d++)
    peak += b->cores[d] * proc->domains[d].macs_per_cycle[b->precision] * proc->domains[d].opps[proc->domains[d].n_opps - 1].freq_hz;
  for (int i = 0; i < s->graph->n_ops; i++) {
    const struct hs_operator *op = &s->graph->ops[i];
    double took = hs_cost_seconds(&s->sys, s->graph, op, p, -1), saved = op->class == HS_CLASS_CONV_3X3 && b->kernel->winograd.tile ? 36 * 9 / 64. : 1;
    ck_assert_msg(op->macs <= 1.001 * saved * peak * took, "%s, operator %d, %s: %.2f of the peak", what, i, hs_op_class_names[op->class],
                  op->macs / took / peak);
  }
}

START_TEST(peaks)
{
  static const char *const kernels[][2] = {{"mace", "fp32"}, {"tflite", "fp32"}, {"tflite", "int8"}, {"tflite-xnnpack", "fp32"}, {"tflite-xnnpack", "int8"},
                                              {"pytorch", "fp32"}, {"pytorch", "int8"}, {"paddle-lite", "fp32"}, {"paddle-lite", "fp16"},
                                           {"paddle-lite", "int8"}};
  static const char *const networks[] = {"vgg16", "mobilenet_v1", "posenet"}, *const processors[] = {"cpu", "cpu-little"};
  for (size_t k = 0; k < sizeof kernels / sizeof *kernels; k++)
    for (int m = 0; m < 3; m++)
      for (int p = 0; p < 2; p++) {
        struct hs_setup s = {0};
        struct hs_error err;
        const struct hs_run_options options = {.soc = socs[_i], .policy = processors[p], .runtime = kernels[k][0], .precision = kernels[k][1],
                                               .model = networks[m]};
        char what[128];
        hs_test_accepted(hs_setup_system(&s, &options, &err), &err);
        hs_test_accepted(hs_setup_networks(&s, &options, &err), &err);
        snprintf(what, sizeof what, "%s, %s, %s %s, %s", socs[_i], processors[p], kernels[k][0], kernels[k][1], networks[m]);
        check_peaks(&s, hs_soc_find(s.soc, processors[p]), what);
        hs_setup_free(&s);
      }
}
END_TEST

static const struct {
  const char *soc, *runtime;
} dsps[] = {{"sd865", "tflite"}, {"sd870", "tflite"}, {"sd888", "tflite"}, {"sd855", "tflite-nnapi"}, {"sd865", "tflite-nnapi"}, {"sd870", "tflite-nnapi"}};
enum { DSPS = sizeof dsps / sizeof *dsps };

/* A DSP that nobody measured by itself has the rates of sd855's; what an invocation costs through NNAPI is another matter. */
START_TEST(dsp_follows_sd855)
{
  const struct hs_kernel there = kernel_of("sd855", "int8", "dsp"), here = kernel_and_peak(dsps[_i].soc, dsps[_i].runtime, "int8", "dsp", NULL);
  ck_assert_double_eq(here.overhead_cycles, there.overhead_cycles);
  ck_assert_double_eq(here.columns_half, there.columns_half);
  for (int c = 0; c < HS_CLASS_N; c++) ck_assert_double_eq(here.efficiency[c], there.efficiency[c]);
}
END_TEST

static void check_kernel(const struct hs_kernel *here, const struct hs_kernel *there, double share, const char *what)
{
  for (int c = 0; c < HS_CLASS_N; c++)
    ck_assert_msg(fabs(here->efficiency[c] / there->efficiency[c] / share - 1) < 2e-3, "%s, %s: %g, %g there", what, hs_op_class_names[c],
                  here->efficiency[c], there->efficiency[c]);
  ck_assert_double_eq(here->reduction_half, there->reduction_half);
  ck_assert_double_eq(here->serial_frac, there->serial_frac);
  ck_assert_double_eq(here->winograd.transform_half, there->winograd.transform_half);
  ck_assert_int_eq(here->winograd.tile, there->winograd.tile);
  ck_assert_double_eq_tol(here->overhead_cycles * share, there->overhead_cycles, 1);
  ck_assert_double_eq_tol(here->fork_cycles * share, there->fork_cycles, 1);
  ck_assert_double_eq_tol(here->light_move_cycles_per_byte * share, there->light_move_cycles_per_byte, 1e-4);
}

/* XNNPACK in int8 was measured on a Cortex-X1 alone, which is in two SoCs. What a Cortex-A76 has of its peak, of which that has 0.78, others have of theirs. In
 * fp32 Kirin 990 and Snapdragon 865 share their rates, and Snapdragon 855 has a factor of its own. */
START_TEST(xnnpack)
{
  static const char runtime[] = "tflite-xnnpack";
  const struct hs_kernel x1 = kernel_and_peak("tensor", runtime, "int8", "cpu", NULL), same = kernel_and_peak("sd888", runtime, "int8", "cpu", NULL);
  const struct hs_kernel a76 = kernel_and_peak("sd855", runtime, "int8", "cpu", NULL), shared = kernel_and_peak("kirin990", runtime, "fp32", "cpu", NULL);
  const struct hs_kernel newer = kernel_and_peak("sd865", runtime, "fp32", "cpu", NULL), own = kernel_and_peak("sd855", runtime, "fp32", "cpu", NULL);
  check_kernel(&same, &x1, 1, "sd888");
  for (int c = HS_CLASS_CONV_1X1; c <= HS_CLASS_DEPTHWISE; c++) {
    ck_assert_double_eq_tol(a76.efficiency[c], (c == HS_CLASS_DEPTHWISE ? 1 : 0.78) * x1.efficiency[c], 1e-3);
    ck_assert_double_eq_tol(newer.efficiency[c], 1.26 * shared.efficiency[c], 1e-3);
    ck_assert_double_eq_tol(own.efficiency[c], 1.172 * shared.efficiency[c], 1e-3);
  }
}
END_TEST

/* Paddle-Lite on cores that nobody measured has sd855's rates, and a Cortex-A73 those of a Snapdragon 835; efficiency cores have a share of them. */
START_TEST(paddle_lite)
{
  static const char *const precisions[] = {"fp32", "fp16", "int8"};
  static const double little[] = {0.659, 0.659, 0.589};
  const char *soc = socs[_i];
  bool older = strcmp(soc, "kirin960") == 0 || strcmp(soc, "kirin970") == 0;
  for (int p = 0; p < 3; p++) {
    const struct hs_kernel there = kernel_and_peak(older ? "kirin970" : "sd855", "paddle-lite", precisions[p], "cpu", NULL);
    const struct hs_kernel here = kernel_and_peak(soc, "paddle-lite", precisions[p], "cpu", NULL);
    const struct hs_kernel small = kernel_and_peak(soc, "paddle-lite", precisions[p], "cpu-little", NULL);
    check_kernel(&here, &there, 1, soc);
    check_kernel(&small, &there, older ? little[p] : 0.66, soc);
    ck_assert_double_gt(there.fork_cycles, 0);
    ck_assert_int_eq(here.precision, p == 2 ? HS_INT8 : p == 1 && !older ? HS_FP16 : HS_FP32); /* a Cortex-A73 multiplies no halves */
  }
  for (int m = 0; m < MODELS; m++) {
    double fp32 = seconds(soc, "paddle-lite", "fp32", "cpu", models[m], NULL), fp16 = seconds(soc, "paddle-lite", "fp16", "cpu", models[m], NULL);
    double int8 = seconds(soc, "paddle-lite", "int8", "cpu", models[m], NULL);
    ck_assert_msg(older ? fp16 == fp32 : fp16 < 0.7 * fp32 && fp16 > 0.5 * fp32, "%s, %s: %g ms in fp16, %g in fp32", soc, models[m], fp16 * 1e3, fp32 * 1e3);
    /* MobileNet V2 takes 1.11 to 1.15 times as long as in fp16 on one core of three phones (Paddle-Lite @4b337d8c, docs/performance/benchmark.md) */
    double most = strcmp(models[m], "mobilenet_v2_1.0") == 0 ? 1.15 : 1;
    ck_assert_msg(int8 < most * fp16, "%s, %s: %g ms in int8, %g in fp16", soc, models[m], int8 * 1e3, fp16 * 1e3);
  }
}
END_TEST

/* Bolt on Kirin 985 has Kirin 990's rates, anything else a Cortex-A76's and on efficiency cores 0.66 of these; fp16 is what it is for. */
START_TEST(bolt)
{
  static const char *const precisions[] = {"fp32", "fp16"}, *const processors[] = {"cpu", "cpu-little"};
  for (int p = 0; p < 2; p++)
    for (int k = 0; k < 2; k++) {
      const struct hs_kernel there = kernel_and_peak("kirin990", "bolt", precisions[p], processors[k], NULL);
      const struct hs_kernel here = kernel_and_peak("kirin985", "bolt", precisions[p], processors[k], NULL);
      check_kernel(&here, &there, 1, processors[k]);
      ck_assert_int_eq(there.fit_n, 2);
      ck_assert_int_eq(here.fit_n, 0);
      const struct hs_kernel other = kernel_and_peak("sd888", "bolt", precisions[p], processors[k], NULL);
      const struct hs_kernel big = kernel_and_peak("kirin990", "bolt", precisions[p], "cpu", NULL);
      check_kernel(&other, &big, k ? 0.66 : 1, "sd888");
    }
  for (int m = 0; m < MODELS; m++)
    for (int k = 0; k < 2; k++) {
      double fp32 = seconds("kirin990", "bolt", "fp32", processors[k], models[m], NULL);
      double fp16 = seconds("kirin990", "bolt", "fp16", processors[k], models[m], NULL);
      ck_assert_msg(fp16 < 0.6 * fp32 && fp16 > 0.3 * fp32, "%s, %s: %g ms in fp16, %g in fp32", processors[k], models[m], fp16 * 1e3, fp32 * 1e3);
    }
}
END_TEST

/* ncnn on cores that nobody measured has sd855's rates, and Kirin 960 those of Kirin 970; efficiency cores have 0.66 of them. A GPU of a Snapdragon is as
 * sd855's, any other a Mali as Kirin 970's, but for what its driver takes for an operator. */
START_TEST(ncnn)
{
  const char *soc = socs[_i];
  bool older = strcmp(soc, "kirin960") == 0 || strcmp(soc, "kirin970") == 0, adreno = soc[0] == 's';
  for (int p = 0; p < 2 - older; p++) {
    const char *precision = p ? "fp16" : "fp32";
    const struct hs_kernel there = kernel_and_peak(older ? "kirin970" : "sd855", "ncnn", precision, "cpu", NULL);
    const struct hs_kernel here = kernel_and_peak(soc, "ncnn", precision, "cpu", NULL), small = kernel_and_peak(soc, "ncnn", precision, "cpu-little", NULL);
    check_kernel(&here, &there, 1, soc);
    check_kernel(&small, &there, 0.66, soc);
    ck_assert_int_eq(there.fit_n, 18);
    ck_assert_int_eq(small.fit_n, 0);
  }
  const struct hs_kernel there = kernel_and_peak(adreno ? "sd855" : "kirin970", "ncnn", "fp16", "gpu", NULL);
  const struct hs_kernel here = kernel_and_peak(soc, "ncnn", "fp16", "gpu", NULL);
  for (int c = 0; c < HS_CLASS_N; c++) ck_assert_double_eq(here.efficiency[c], there.efficiency[c]);
  if (older || adreno)
    ck_assert_double_eq(here.overhead_cycles, there.overhead_cycles);
  else
    ck_assert_double_lt(here.overhead_cycles, there.overhead_cycles);
  ck_assert_int_eq(there.fit_n, 9);
}
END_TEST

static void fill(TCase *t)
{
  tcase_add_loop_test(t, efficiency_cores, 0, SOCS);
  tcase_add_loop_test(t, eight_bits, 0, SOCS);
  tcase_add_loop_test(t, generations, 0, 4);
  tcase_add_loop_test(t, follow_sd855, 0, DERIVED);
  tcase_add_loop_test(t, scaled_gpu, 0, 2);
  tcase_add_loop_test(t, older_cores, 0, 2);
  tcase_add_loop_test(t, any_mali, 0, 2);
  tcase_add_loop_test(t, pytorch_follows_sd855, 0, SOCS);
  tcase_add_loop_test(t, pytorch_gpus, 0, SOCS);
  tcase_add_loop_test(t, peaks, 0, SOCS);
  tcase_add_test(t, xnnpack);
  tcase_add_loop_test(t, paddle_lite, 0, SOCS);
  tcase_add_test(t, bolt);
  tcase_add_loop_test(t, ncnn, 0, SOCS);
  tcase_add_loop_test(t, dsp_follows_sd855, 0, DSPS);
}

int main(void)
{
  return hs_test_main("siblings", fill);
}
