/* SPDX-License-Identifier: GPL-3.0-or-later */
/* CoDL on real chips: what must hold whatever the numbers are. */
#include "tests/policy/cutting.h"

/* One dimension only: fully connected operators keep theirs, and neither is faster than both together by the model that decides. */
START_TEST(one_dimension)
{
  static const char *const by[][2] = {{"cut=both", "chain=none"}, {"cut=height", "chain=none"}, {"cut=channel", "chain=none"}};
  double predicted[3] = {0, 0, 0};
  for (int k = 0; k < 3; k++) {
    struct hs_setup s;
    int height = 0, channel = 0;
    set_up(&s, "sd855", "codl", "vgg16", "image", by[k], 2);
    for (int i = 0; i < s.graph->n_ops; i++) {
      const struct hs_op_placement *op = &s.placement->ops[i];
      height += op->split == HS_SPLIT_HEIGHT;
      channel += op->split == HS_SPLIT_CHANNEL && s.graph->ops[i].type != HS_OP_GEMM;
    }
    ck_assert_int_eq(height > 0, k != 2);
    ck_assert_int_eq(channel > 0, k != 1);
    predicted[k] = latency(&s);
    hs_setup_free(&s);
  }
  ck_assert_double_lt(predicted[0], predicted[1]);
  ck_assert_double_lt(predicted[0], predicted[2]);
}
END_TEST

static const struct {
  const char *soc, *memory_type, *model;
} chips[] = {
  {"sd855", "image", "yolov2"}, {"kirin990", "image", "yolov2"}, {"sd855", "image", "vgg16"}, {"sd855", "buffer", "vgg16"},
  {"kirin990", "image", "vgg16"}, {"kirin990", "buffer", "vgg16"},
  {"sd855", "buffer", "yolov2"}, {"kirin990", "buffer", "yolov2"}, /* where the GPU can't run the passthrough's SpaceToDepth */
  {"sd855", "image", "shufflenet_v2"},                              /* nor the shuffles, several operators in a row */
};

enum { GPU_RUNS_ALL = 6, WITH_HEIGHTS = 8 }; /* of the first so many chips */

/* With the whole share CoDL is the GPU alone, also where this has to leave operators to the CPU: what these hand to each other stays there. */
START_TEST(share_1_is_the_gpu)
{
  static const char *const one[] = {"gpu_share=1"};
  struct hs_setup s, gpu;
  set_up(&s, chips[_i].soc, "codl", chips[_i].model, chips[_i].memory_type, one, 1);
  set_up(&gpu, chips[_i].soc, "gpu", chips[_i].model, chips[_i].memory_type, NULL, 0);
  ck_assert_int_eq(s.program->n_fallback, gpu.program->n_fallback);
  ck_assert(_i < GPU_RUNS_ALL ? s.program->n_fallback == 0 : s.program->n_fallback > 0);
  ck_assert_double_eq(latency(&s), latency(&gpu));
  hs_setup_free(&s);
  hs_setup_free(&gpu);
}
END_TEST

/* With none, the CPU computes exactly what it does under policy cpu, and the results go to the GPU's memory, where CoDL's boundary tensors
 * live, but those of operators that the GPU can't run: every task more is sharing. */
START_TEST(share_0_is_the_cpu_and_sharing)
{
  static const char *const zero[] = {"gpu_share=0", "chain=none"};
  struct hs_setup s, cpu;
  set_up(&s, chips[_i].soc, "codl", chips[_i].model, chips[_i].memory_type, zero, 2);
  set_up(&cpu, chips[_i].soc, "cpu", chips[_i].model, chips[_i].memory_type, NULL, 0);
  int shared = 0, execs = 0, at_the_gpu = 0;
  for (int i = 0; i < s.graph->n_ops; i++) {
    const struct hs_op_placement *is = &s.placement->ops[i], *as = &cpu.placement->ops[i];
    int gpu = hs_soc_find(s.soc, "gpu");
    ck_assert_int_eq(is->n_parts, 1);
    ck_assert_int_eq(is->parts[0].processor, as->parts[0].processor);
    ck_assert_int_eq(is->home == gpu, hs_system_supports(&s.sys, s.graph, &s.graph->ops[i], gpu, NULL, 0));
    at_the_gpu += is->home == gpu;
    ck_assert(!is->fallback);
  }
  for (int i = 0; i < s.program->n_tasks; i++) {
    const struct hs_task *t = &s.program->tasks[i];
    shared += hs_task_is_communication(t->kind);
    if (t->kind != HS_TASK_EXEC) continue;
    ck_assert_double_eq(hs_task_seconds(&s.sys, t), hs_task_seconds(&cpu.sys, &cpu.program->tasks[execs])); /* whose tasks are kernels only */
    execs++;
  }
  ck_assert_int_eq(execs, cpu.program->n_tasks);
  ck_assert_int_eq(at_the_gpu == s.graph->n_ops, _i < GPU_RUNS_ALL);
  ck_assert_int_ge(shared, at_the_gpu);
  ck_assert_double_gt(latency(&s), latency(&cpu));
  hs_setup_free(&s);
  hs_setup_free(&cpu);
}
END_TEST

/* Cutting by height is for images: in buffers both ways are channels, and there are cuts. */
START_TEST(memory_type_decides_the_dimension)
{
  static const char *const by_search[] = {"chain=heuristic", "chain=greedy"};
  for (int k = 0; k < 2; k++) {
    struct hs_setup s;
    int count[HS_SPLIT_N] = {0};
    set_up(&s, chips[_i].soc, "codl", chips[_i].model, chips[_i].memory_type, &by_search[k], 1);
    for (int i = 0; i < s.graph->n_ops; i++) count[s.placement->ops[i].split]++;
    if (strcmp(chips[_i].memory_type, "buffer") == 0) {
      ck_assert_int_eq(count[HS_SPLIT_HEIGHT], 0);
      ck_assert_int_gt(count[HS_SPLIT_CHANNEL], 0);
    } else
      ck_assert_int_gt(count[HS_SPLIT_HEIGHT], 0);
    hs_setup_free(&s);
  }
}
END_TEST

/* What a policy ignores doesn't matter to it: every rate of the DSP ten times higher. A faster GPU does matter. */
static void quicken(struct hs_soc *soc, enum hs_kind kind, double factor)
{
  struct hs_processor *p = &soc->processors[hs_soc_first(soc, kind)];
  p->bandwidth_bytes_per_s *= factor;
  for (int d = 0; d < p->n_domains; d++) {
    p->domains[d].bandwidth_per_core_bytes_per_s *= factor;
    for (int i = 0; i < HS_PRECISION_N; i++) p->domains[d].macs_per_cycle[i] *= factor;
  }
}

static const char *const all_params[][2] = {{"chain=heuristic", "plan=search"}, {"chain=greedy", "plan=search"}, {"chain=none", "plan=published"}};

START_TEST(ignores_the_dsp)
{
  struct hs_setup s;
  struct hs_error err;
  char *before, *after;
  set_up(&s, "sd855", "codl", "vgg16", NULL, all_params[_i], 2);
  double latency_before = latency(&s);
  for (int k = 0; k < 2; k++) {
    struct hs_plan again = {.arena = &s.arena, .graph = s.graph};
    struct hs_program *prog;
    struct hs_estimate e;
    const struct hs_view v = {&s.sys, s.graph, s.values};
    before = text_of(&s.sys, s.graph, s.placement);
    quicken(s.soc, k ? HS_GPU : HS_DSP, 10);
    hs_test_accepted(hs_policy_plan(s.policy, &v, &again, &err), &err);
    after = text_of(&s.sys, s.graph, again.alternatives[0]);
    hs_test_accepted(hs_lower(&s.sys, s.graph, again.alternatives[0], &prog, &err), &err);
    hs_estimate_program(&s.sys, prog, &e, NULL, NULL);
    ck_assert_int_eq(strcmp(before, after) == 0, k == 0 || _i == 2); /* a published plan stays what it is */
    ck_assert_int_eq(e.latency_s == latency_before, k == 0);
    hs_program_free(prog);
    free(before);
    free(after);
  }
  hs_setup_free(&s);
}
END_TEST

static void fill(TCase *t)
{
  tcase_add_test(t, one_dimension);
  tcase_add_loop_test(t, share_1_is_the_gpu, 0, sizeof chips / sizeof *chips);
  tcase_add_loop_test(t, share_0_is_the_cpu_and_sharing, 0, sizeof chips / sizeof *chips);
  tcase_add_loop_test(t, memory_type_decides_the_dimension, 0, WITH_HEIGHTS);
  tcase_add_loop_test(t, ignores_the_dsp, 0, sizeof all_params / sizeof *all_params);
}

int main(void) { return hs_test_main("codl_chips", fill); }
