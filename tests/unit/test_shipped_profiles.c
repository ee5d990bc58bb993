/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The tables of operators and the profiles that ship: readable, and none with an impossible kernel. */
#include "tests/unit/shipped.h"

#include "input/kernel_numbers.h"
#include "input/runtime.h"

static void visit_table(const char *path, const char *name)
{
  struct hs_op_support *t = NULL;
  struct hs_error err;
  ck_assert_msg(hs_op_support_read(path, &t, &err) == HS_OK, "%s", hs_test_message(&err));
  ck_assert_str_eq(hs_op_support_name(t), name);
  hs_op_support_free(t);
}

/* A multiply-add of a plain loop is some ten instructions, so no kernel for CPUs takes 16 cycles of a core for one, where the reduction is deep enough. */
static void no_slower_than_a_loop(const struct hs_profile *p)
{
  if (strcmp(p->soc, "any") == 0) return; /* its rates are of every core */
  struct hs_soc *s = shipped(p->soc);
  for (int i = 0; i < p->n_kernels; i++) {
    const struct hs_kernel *k = &p->kernels[i];
    const struct hs_processor *proc = &s->processors[hs_soc_find(s, k->processor)];
    for (int class = HS_CLASS_CONV_1X1; proc->kind == HS_CPU && class <= HS_CLASS_TRANSPOSED; class++) {
      double half = class == HS_CLASS_GROUPED ? k->reduction_half_grouped : class == HS_CLASS_DEPTHWISE ? 0 : k->reduction_half;
      double cycles = (1 + half / 256) / (proc->domains[0].macs_per_cycle[k->precision] * k->efficiency[class]);
      ck_assert_msg(cycles < 16, "%s-%s, %s: %g cycles per multiply-add of %s", p->soc, p->runtime, k->processor, cycles, hs_op_class_names[class]);
    }
  }
  hs_soc_free(s);
}

static void visit_profile(const char *path, const char *name)
{
  struct hs_profile *p = NULL;
  struct hs_error err;
  char expected[200];
  ck_assert_msg(hs_profile_read(path, &p, &err) == HS_OK, "%s", hs_test_message(&err));
  snprintf(expected, sizeof expected, "%s-%s", p->soc, p->runtime);
  ck_assert_str_eq(expected, name);
  int fitted = 0;
  for (int i = 0; i < p->n_kernels; i++) fitted += p->kernels[i].fit_n > 0;
  if (strcmp(p->soc, "any") == 0) ck_assert_int_eq(fitted, 0); /* it is the estimate for what has no measurement */
  no_slower_than_a_loop(p);
  hs_profile_free(p);
}

START_TEST(tables_and_profiles)
{
  struct hs_catalog c;
  open_catalog(&c);
  ck_assert_int_eq(each_file(&c, "workloads/op-support", visit_table), 30);
  ck_assert_int_ge(each_file(&c, "socs/profiles", visit_profile), 2);
  hs_catalog_close(&c);
}
END_TEST

/* What reports say of a kernel's speed. Nobody measured kernels on Snapdragon 870 and Kirin 985, and sd855's efficiency cores keep MACE's estimate. */
START_TEST(bases)
{
  static const struct {
    const char *soc, *runtime, *processor;
    enum hs_precision precision;
    enum hs_basis basis;
  } cases[] = {{"sd855", "mace", "cpu", HS_FP32, HS_BASIS_FITTED},       {"sd855", "mace", "cpu-little", HS_FP32, HS_BASIS_ESTIMATE},
               {"sd870", "mace", "cpu", HS_FP32, HS_BASIS_SIBLING},      {"sd870", "tflite", "cpu", HS_INT8, HS_BASIS_SIBLING},
               {"kirin985", "mace", "gpu", HS_FP32, HS_BASIS_SIBLING},   {"any", "mace", "cpu", HS_FP32, HS_BASIS_ESTIMATE},
               {"any", "tflite", "cpu", HS_INT8, HS_BASIS_SIBLING},      {"any", "tflite", "npu", HS_INT8, HS_BASIS_ESTIMATE},
               {"kirin960", "tflite", "cpu", HS_FP32, HS_BASIS_FITTED}};
  struct hs_catalog c;
  struct hs_error err;
  open_catalog(&c);
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char path[900];
    snprintf(path, sizeof path, "%s/socs/profiles/%s-%s.json", c.root, cases[i].soc, cases[i].runtime);
    struct hs_soc *s = shipped(strcmp(cases[i].soc, "any") == 0 ? "sd855" : cases[i].soc);
    struct hs_profile *p = NULL;
    ck_assert_msg(hs_profile_read(path, &p, &err) == HS_OK, "%s", hs_test_message(&err));
    const struct hs_processor *processor = &s->processors[hs_soc_find(s, cases[i].processor)];
    const struct hs_kernel *k = hs_profile_find(p, processor, cases[i].precision, HS_BUFFER);
    ck_assert_ptr_nonnull(k);
    enum hs_basis basis = hs_profile_basis(p, k, processor);
    ck_assert_msg(basis == cases[i].basis, "%s, %s: %d", path, cases[i].processor, (int)basis);
    hs_profile_free(p);
    hs_soc_free(s);
  }
  hs_catalog_close(&c);
}
END_TEST

/* A runtime that is based on another has its kernels where it says nothing: first those of the SoC, then the estimate's. */
START_TEST(kernels_of_the_base)
{
  static const struct {
    const char *soc, *processor;
    enum hs_precision precision;
    const char *from, *runtime; /* the profile that the kernel is in */
  } cases[] = {{"sd855", "cpu", HS_FP32, "any", "tflite-xnnpack"}, {"sd855", "gpu", HS_FP16, "sd855", "tflite"}, {"sd855", "npu", HS_INT8, "any", "tflite"}};
  struct hs_catalog c;
  struct hs_error err;
  open_catalog(&c);
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct hs_soc *s = shipped(cases[i].soc);
    struct hs_profile *estimate = NULL;
    const struct hs_processor *p = &s->processors[hs_soc_find(s, cases[i].processor)];
    ck_assert_msg(hs_catalog_estimate(&c, s->name, hs_runtime_find("tflite-xnnpack"), &estimate, &err) == HS_OK, "%s", hs_test_message(&err));
    const struct hs_profile *from = hs_profile_of(estimate, hs_profile_find(estimate, p, cases[i].precision, p->memory_types[0]));
    ck_assert_ptr_nonnull(from);
    ck_assert_str_eq(from->soc, cases[i].from);
    ck_assert_str_eq(from->runtime, cases[i].runtime);
    ck_assert_ptr_null(hs_profile_of(estimate->next, &estimate->kernels[0]));
    hs_profile_free(estimate);
    hs_soc_free(s);
  }
  hs_catalog_close(&c);
}
END_TEST

static const struct hs_profile *read_shipped(const struct hs_catalog *c, const char *soc, const char *runtime, struct hs_profile **p)
{
  char path[900];
  struct hs_error err;
  snprintf(path, sizeof path, "%s/socs/profiles/%s-%s.json", c->root, soc, runtime);
  ck_assert_msg(hs_profile_read(path, p, &err) == HS_OK, "%s", hs_test_message(&err));
  return *p;
}

static void check_same_kernel(const struct hs_kernel *here, const struct hs_kernel *there, const char *what)
{
  for (int n = 0; n < HS_KERNEL_NUMBERS; n++)
    ck_assert_msg(hs_kernel_get(here, &hs_kernel_numbers[n]) == hs_kernel_get(there, &hs_kernel_numbers[n]), "%s: %s", what, hs_kernel_numbers[n].key);
  for (int k = 0; k < HS_CLASS_N; k++) ck_assert_double_eq(here->efficiency[k], there->efficiency[k]);
  for (int k = 0; k < HS_OP_N; k++) ck_assert_msg(here->operator_cycles[k] == there->operator_cycles[k], "%s: cycles %s", what, hs_op_name((enum hs_op_type)k));
  for (int k = 0; k < HS_CLASS_N; k++) ck_assert_int_eq(here->width_block[k], there->width_block[k]);
  ck_assert_int_eq(here->n_knots, there->n_knots);
  for (int k = 0; k < here->n_knots; k++) ck_assert(here->knot_ln[k] == there->knot_ln[k] && here->knot_frac[k] == there->knot_frac[k]);
  ck_assert_int_eq(here->fuses_light, there->fuses_light);
}

/* An Adreno without a profile of its own has Snapdragon 865's kernels under every runtime, a Mali under MACE Kirin 990's, and neither has the other's. */
START_TEST(any_gpu)
{
  static const struct {
    const char *runtime, *as, *other;
    enum hs_precision precision;
    enum hs_memory_type type;
  } cases[] = {{"tflite", "sd865", "kirin990", HS_FP16, HS_IMAGE}, {"pytorch", "sd865", "kirin990", HS_FP16, HS_IMAGE},
               {"ncnn", "sd865", "kirin990", HS_FP16, HS_BUFFER},  {"mace", "sd865", "kirin990", HS_FP32, HS_IMAGE},
               {"mace", "sd865", "kirin990", HS_FP32, HS_BUFFER},  {"mace", "kirin990", "sd865", HS_FP32, HS_IMAGE},
               {"mace", "kirin990", "sd865", HS_FP32, HS_BUFFER}};
  struct hs_catalog c;
  open_catalog(&c);
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct hs_profile *any, *measured;
    struct hs_soc *as = shipped(cases[i].as), *other = shipped(cases[i].other);
    const struct hs_processor *p = &as->processors[hs_soc_find(as, "gpu")], *q = &other->processors[hs_soc_find(other, "gpu")];
    const struct hs_kernel *here = hs_profile_find(read_shipped(&c, "any", cases[i].runtime, &any), p, cases[i].precision, cases[i].type);
    const struct hs_kernel *there = hs_profile_find(read_shipped(&c, cases[i].as, cases[i].runtime, &measured), p, cases[i].precision, cases[i].type);
    check_same_kernel(here, there, cases[i].runtime);
    ck_assert_ptr_ne(hs_profile_find(any, q, cases[i].precision, cases[i].type), here);
    hs_profile_free(any);
    hs_profile_free(measured);
    hs_soc_free(as);
    hs_soc_free(other);
  }
  hs_catalog_close(&c);
}
END_TEST

/* A core of a type that was measured has the kernel that SoCs with a profile have on it, and no other type has that. */
START_TEST(any_core)
{
  static const struct {
    const char *runtime, *as, *processor;
    enum hs_precision precision;
    enum hs_basis basis;
  } cases[] = {{"tflite", "sd855", "cpu-little", HS_FP32, HS_BASIS_SIBLING},     {"tflite", "sd855", "cpu-little", HS_INT8, HS_BASIS_SIBLING},
               {"tflite", "kirin960", "cpu", HS_FP32, HS_BASIS_SIBLING},         {"tflite", "kirin960", "cpu", HS_INT8, HS_BASIS_SIBLING},
               {"tflite", "kirin960", "cpu-little", HS_FP32, HS_BASIS_SIBLING},  {"tflite", "kirin960", "cpu-little", HS_INT8, HS_BASIS_ESTIMATE},
               {"pytorch", "sd855", "cpu-little", HS_FP32, HS_BASIS_SIBLING},    {"pytorch", "sd855", "cpu-little", HS_INT8, HS_BASIS_SIBLING},
               {"pytorch", "kirin960", "cpu", HS_INT8, HS_BASIS_ESTIMATE}};
  struct hs_catalog c;
  open_catalog(&c);
  struct hs_soc *a76 = shipped("kirin990");
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct hs_profile *any, *measured;
    struct hs_soc *as = shipped(cases[i].as);
    const struct hs_processor *p = &as->processors[hs_soc_find(as, cases[i].processor)], *q = &a76->processors[hs_soc_find(a76, "cpu")];
    const struct hs_kernel *here = hs_profile_find(read_shipped(&c, "any", cases[i].runtime, &any), p, cases[i].precision, HS_BUFFER);
    const struct hs_kernel *there = hs_profile_find(read_shipped(&c, cases[i].as, cases[i].runtime, &measured), p, cases[i].precision, HS_BUFFER);
    check_same_kernel(here, there, p->domains[0].core_type);
    ck_assert_int_eq(hs_profile_basis(any, here, p), cases[i].basis);
    ck_assert_ptr_ne(hs_profile_find(any, q, cases[i].precision, HS_BUFFER), here);
    hs_profile_free(any);
    hs_profile_free(measured);
    hs_soc_free(as);
  }
  hs_soc_free(a76);
  hs_catalog_close(&c);
}
END_TEST

/* QNNPACK uses no dot products: cores without them, whose peak is lower, take as many cycles as those with them; a Cortex-A53 1 / 0.83 of a Cortex-A55's. */
START_TEST(any_core_without_dot_products)
{
  static const struct {
    char type[40];
    const char *as; /* whose processor has the cycles */
    double faster;
  } cases[] = {{"Cortex-A72", "cpu", 1},       {"Kryo 360 Gold (Cortex-A75)", "cpu", 1},
               {"Cortex-A53", "cpu-little", 0.83}, {"Kryo 360 Silver (Cortex-A55)", "cpu-little", 1}};
  struct hs_catalog c;
  struct hs_profile *any, *measured;
  open_catalog(&c);
  struct hs_soc *with = shipped("sd855"), *without = shipped("kirin960");
  read_shipped(&c, "any", "pytorch", &any);
  read_shipped(&c, "sd855", "pytorch", &measured);
  struct hs_processor *p = &without->processors[hs_soc_find(without, "cpu")];
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    const struct hs_processor *q = &with->processors[hs_soc_find(with, cases[i].as)];
    p->domains[0].core_type = cases[i].type;
    const struct hs_kernel *here = hs_profile_find(any, p, HS_INT8, HS_BUFFER), *there = hs_profile_find(measured, q, HS_INT8, HS_BUFFER);
    for (int k = HS_CLASS_CONV_1X1; k <= HS_CLASS_MOVE; k++) {
      if (k == HS_CLASS_GROUPED) continue; /* below */
      double faster = k <= HS_CLASS_MATMUL ? cases[i].faster : 1;
      double cycles = here->efficiency[k] * p->domains[0].macs_per_cycle[HS_INT8] / (there->efficiency[k] * q->domains[0].macs_per_cycle[HS_INT8]);
      ck_assert_msg(cycles > 0.999 * faster && cycles < 1.001 * faster, "%s, %s: %g of the rate", cases[i].type, hs_op_class_names[k], cycles);
    }
    /* a few elements deep, as deep as they are: those of more than the peak have as much less of reduction_half_grouped */
    double here_grouped = here->efficiency[HS_CLASS_GROUPED] / here->reduction_half_grouped * p->domains[0].macs_per_cycle[HS_INT8];
    double there_grouped = there->efficiency[HS_CLASS_GROUPED] / there->reduction_half_grouped * q->domains[0].macs_per_cycle[HS_INT8];
    ck_assert_double_eq_tol(here_grouped / there_grouped, cases[i].faster, 1e-3);
    ck_assert(here->efficiency[HS_CLASS_GROUPED] <= 1);
    ck_assert_double_eq(here->overhead_cycles, there->overhead_cycles);
    ck_assert_double_eq_tol(here->operator_cycles[HS_OP_MAT_MUL] * cases[i].faster / there->operator_cycles[HS_OP_MAT_MUL], 1, 1e-3);
    ck_assert_double_eq(here->operator_cycles[HS_OP_ADD], there->operator_cycles[HS_OP_ADD]);
    ck_assert_int_eq(hs_profile_basis(any, here, p), HS_BASIS_ESTIMATE);
  }
  hs_profile_free(any);
  hs_profile_free(measured);
  hs_soc_free(with);
  hs_soc_free(without);
  hs_catalog_close(&c);
}
END_TEST

static void fill(TCase *t)
{
  tcase_add_test(t, any_gpu);
  tcase_add_test(t, any_core);
  tcase_add_test(t, any_core_without_dot_products);
  tcase_add_test(t, tables_and_profiles);
  tcase_add_test(t, bases);
  tcase_add_test(t, kernels_of_the_base);
}

int main(void) { return hs_test_main("shipped_profiles", fill); }
