/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a program is expected to take under a load, of others on the same processors. */
#include "tests/model/serving.h"

#include "tests/model/sealed.h"

/* Work on a CPU with k others: its cores are shared, so the cycles take k + 1 times as long, the bytes as long as before. */
static double among(const struct rig *r, const struct hs_task *t, int k)
{
  struct hs_work cores = t->work, memory = t->work;
  cores.bytes = 0;
  memory.cycles[0] = memory.cycles[1] = memory.caller = 0;
  return fmax((k + 1) * hs_work_seconds(&r->sys, CPU, -1, &cores), hs_work_seconds(&r->sys, CPU, -1, &memory));
}

static const struct hs_scheduler rules = {.latency_s = 12e-3, .min_granularity_s = 1e-3};

/* Estimates under a load: on the idle device that of the program. Here everything is on one line, so that the estimate is a sum. Delays of
 * the host take as long as ever. An invocation of the NPU first waits for the others' service, and one that comes after a gap finds half of
 * the one in service left: it does, after data came from the host. A clock that is behind takes cycles as much longer as others do. */
START_TEST(estimates_under_a_load)
{
  struct rig r;
  struct hs_estimate e;
  rig_open(&r, "tflite");
  rig_read_network(&r, THREE);
  struct hs_placement *pl = rig_place_all(&r, CPU);
  struct hs_program *cpu = rig_lower(&r, pl);
  hs_placement_move(pl, 1, NPU, -1);
  struct hs_program *mixed = rig_lower(&r, pl);
  struct hs_competition idle[HS_PROCESSORS_MAX] = {{0}};
  hs_estimate_program(&r.sys, mixed, &e, NULL, NULL);
  ck_assert_double_eq(hs_estimate_under(&r.sys, mixed, idle), e.latency_s);
  double work[4] = {0}, delays = 0, on_npu = 0, n_npu = 0, alone[4] = {0};
  for (int i = 0; i < mixed->n_tasks; i++) {
    const struct hs_task *t = &mixed->tasks[i];
    on_npu += t->processor == NPU ? hs_task_seconds(&r.sys, t) : 0;
    n_npu += t->processor == NPU && hs_task_calls(t);
    delays += t->processor != NPU ? t->delay_s : 0;
    for (int k = 0; k < 4; k++) work[k] += t->processor != NPU && t->delay_s <= 0 ? among(&r, t, k) : 0;
  }
  for (int i = 0; i < cpu->n_tasks; i++)
    for (int k = 0; k < 4; k++) alone[k] += among(&r, &cpu->tasks[i], k);
  SERVE("one after the other", e.latency_s, work[0] + delays + on_npu);
  for (int k = 1; k <= 3; k++) {
    struct hs_competition load[HS_PROCESSORS_MAX] = {[CPU] = {.others = k, .service_s = 1}};
    SERVE("k others on the CPU", hs_estimate_under(&r.sys, cpu, load), alone[k]);
    SERVE("with delays and the NPU between", hs_estimate_under(&r.sys, mixed, load), work[k] + delays + on_npu);
    load[CPU] = (struct hs_competition){.lag = k};
    SERVE("its clock a (k + 1)-th instead", hs_estimate_under(&r.sys, cpu, load), alone[k]);
    load[CPU].lag = 0;
    load[NPU] = (struct hs_competition){.others = 0.6 * k, .service_s = 3e-4};
    SERVE("others on the NPU", hs_estimate_under(&r.sys, mixed, load),
          work[0] + delays + on_npu + (n_npu * 0.6 * k - fmin(0.6 * k, 1) / 2) * 3e-4);
    SERVE("and none where it doesn't run", hs_estimate_under(&r.sys, cpu, load), alone[0]);
  }
  r.sys.scheduler = &rules;
  ck_assert_double_lt(2 * work[0], e.latency_s);
  const struct hs_competition load[HS_PROCESSORS_MAX] = {[CPU] = {.others = 1, .spread = 4, .service_s = 1}};
  SERVE("who has less than its share to do is served at once", hs_estimate_under(&r.sys, mixed, load), e.latency_s);
  hs_program_free(cpu);
  hs_program_free(mixed);
  rig_close(&r);
}
END_TEST

/* Four threads of 1 ms, or 10, among others that keep cores for slices of 12 ms / (1 + others), of 1 ms at least, or as long as their tasks last; the first of
 * them for twice what is its due at most. With all four shared the last waits 3/8 of that, with two of them 1/4, with one nothing. */
START_TEST(estimates_in_slices)
{
  static const struct {
    double alone_ms, lag, others, spread, service_s, expected_ms;
  } cases[] = {
    {10, 0, 2, 4, 1, 30 + (4 + 4) * 3 / 8.},
    {1, 0, 2, 4, 1, 3 + (2 + 4) * 3 / 8.},
    {10, 0, 2, 4, 1.5e-3, 30 + (1.5 + 1.5) * 3 / 8.}, /* short tasks */
    {1, 0, 20, 4, 1, 21 + 20 * 3 / 8.},               /* the least slices */
    {1, 0, 0.5, 2, 1, 1.5 + 0.5 * 1 / 4.},            /* 2 · 0.5 · 1 ms */
    {1, 0, 1, 1, 1, 2},
    {1, 0, 1, 9, 1, 2 + 2 * 3 / 8.}, /* it has no more cores */
    {1, 1, 1, 4, 1, 4 + 4 * 3 / 8.}, /* half the clock */
  };
  struct rig r;
  rig_open(&r, "tflite");
  rig_read_network(&r, ONE);
  struct hs_program *prog = rig_lower(&r, rig_place_all(&r, CPU));
  struct hs_work *w = &prog->tasks[0].work;
  prog->n_tasks = 1;
  w->bytes = 0; /* nothing but cycles */
  double times = cases[_i].alone_ms * 1e-3 / hs_task_seconds(&r.sys, &prog->tasks[0]);
  for (int d = 0; d < HS_DOMAINS_MAX; d++) w->cycles[d] *= times;
  w->caller *= times;
  r.sys.scheduler = &rules;
  ck_assert_int_eq(hs_work_cores(w), 4);
  const struct hs_competition load[HS_PROCESSORS_MAX] = {
    [CPU] = {.lag = cases[_i].lag, .others = cases[_i].others, .spread = cases[_i].spread, .service_s = cases[_i].service_s}};
  SERVE("in slices", hs_estimate_under(&r.sys, prog, load), cases[_i].expected_ms * 1e-3);
  hs_program_free(prog);
  rig_close(&r);
}
END_TEST

/* Threads that steal, 2.5 ms of work for all four cores at their highest clocks. With the mids at their lowest one, the big core takes more of it: so it does
 * among two others, three times as long. */
START_TEST(work_that_is_stolen_takes_longer_among_others)
{
  struct rig r;
  rig_open(&r, "mace");
  struct hs_task t = {.processor = CPU, .opp = -1,
                      .work = {.cores = {3, 1}, .cycles = {4e6, 6.25e6}, .stolen = {18.25e6, 18.25e6}, .power_factor = 1}};
  struct hs_program prog = {.tasks = &t, .n_tasks = 1};
  hs_program_seal(&prog);
  r.sys.backends[CPU].opp[0] = 0;
  const struct hs_competition load[HS_PROCESSORS_MAX] = {[CPU] = {.others = 2, .service_s = 1}};
  double alone_s = hs_task_seconds(&r.sys, &t);
  SERVE("all end at once", alone_s, 18.25e6 / (3 * 0.6e9 + 2.5e9));
  SERVE("among two others", hs_estimate_under(&r.sys, &prog, load), 3 * alone_s);
  hs_program_unseal(&prog);
  rig_close(&r);
}
END_TEST

/* Mids that wait for 1 ms of the big core, and have 2.5 ms to do: with the big core at its lowest clock it is 3.125 ms that they wait, and among two others three
 * times all that. */
START_TEST(work_that_waits_for_its_caller_takes_longer_among_others)
{
  struct rig r;
  rig_open(&r, "mace");
  struct hs_task t = {.processor = CPU, .opp = -1,
                      .work = {.cores = {3, 1}, .cycles = {1.6e6 + 4e6, 2.5e6}, .caller = 2.5e6, .power_factor = 1}};
  struct hs_program prog = {.tasks = &t, .n_tasks = 1};
  hs_program_seal(&prog);
  r.sys.backends[CPU].opp[1] = 0;
  const struct hs_competition load[HS_PROCESSORS_MAX] = {[CPU] = {.others = 2, .service_s = 1}};
  SERVE("alone", hs_task_seconds(&r.sys, &t), 3.125e-3 + 2.5e-3);
  SERVE("among two others", hs_estimate_under(&r.sys, &prog, load), 3 * (3.125e-3 + 2.5e-3));
  hs_program_unseal(&prog);
  rig_close(&r);
}
END_TEST

/* The host has something for two kernels of the NPU (0), which is called (1) for the first (2); the second (4) waits for the host again
 * (3). One is in the NPU's queue all the time, for 0.4 ms: half of that is waited for at the call and before the second kernel, if that
 * isn't ready when the first has ended, and never between a call and its kernel, whatever else that waits for. */
START_TEST(waits_of_invocations)
{
  for (int late = 0; late < 2; late++) {
    struct rig r;
    struct hs_program prog;
    rig_open(&r, "tflite");
    int deps[] = {0, 0, 1, 0, 2, 3};
    struct hs_task tasks[] = {{.processor = CPU, .to = CPU, .delay_s = 1e-3},
                              {.kind = HS_TASK_RPC, .processor = NPU, .to = NPU, .delay_s = 1e-3, .first_dep = 0, .n_deps = 1},
                              {.processor = NPU, .to = NPU, .delay_s = 1e-3, .first_dep = 1, .n_deps = 2},
                              {.processor = CPU, .to = CPU, .delay_s = late ? 5e-3 : 1e-3, .first_dep = 3, .n_deps = 1},
                              {.processor = NPU, .to = NPU, .delay_s = 1e-3, .first_dep = 4, .n_deps = 2}};
    struct hs_competition load[HS_PROCESSORS_MAX] = {[NPU] = {.others = 1, .service_s = 4e-4}};
    seal(&prog, tasks, 5, deps, 6);
    SERVE("one in the NPU's queue", hs_estimate_under(&r.sys, &prog, load), late ? 1e-3 + 5e-3 + 2e-4 + 1e-3 : 1e-3 + 2e-4 + 3e-3);
    hs_program_unseal(&prog);
    rig_close(&r);
  }
}
END_TEST

/* The host takes 1 ms, then the NPU is called for a kernel, later for another. Of what is there now 3 ms are left, of which we see 2; with
 * 1.5 more in the queue, those as well. It has ended when we come if 0.5 ms are left: then half of the next one. The second invocation
 * finds half, too. */
START_TEST(what_is_left_of_the_one_in_service)
{
  static const struct {
    double others, left_s, wait_s;
  } cases[] = {{1, 3e-3, 2e-3}, {0.3, 3e-3, 2e-3}, {2.5, 3e-3, 2e-3 + 1.5 * 4e-4}, {1, 5e-4, 2e-4}, {1, 0, 2e-4}};
  for (int i = 0; i < 5; i++) {
    struct rig r;
    struct hs_program prog;
    rig_open(&r, "tflite");
    int deps[] = {0, 1, 2, 3};
    struct hs_task tasks[] = {{.processor = CPU, .to = CPU, .delay_s = 1e-3},
                              {.kind = HS_TASK_RPC, .processor = NPU, .to = NPU, .delay_s = 1e-3, .first_dep = 0, .n_deps = 1},
                              {.processor = NPU, .to = NPU, .delay_s = 1e-3, .first_dep = 1, .n_deps = 1},
                              {.processor = CPU, .to = CPU, .delay_s = 1e-3, .first_dep = 2, .n_deps = 1},
                              {.processor = NPU, .to = NPU, .delay_s = 1e-3, .first_dep = 3, .n_deps = 1}};
    struct hs_competition load[HS_PROCESSORS_MAX] = {[NPU] = {.others = cases[i].others, .service_s = 4e-4, .left_s = cases[i].left_s}};
    seal(&prog, tasks, 5, deps, 4);
    double later_s = (cases[i].others - fmin(cases[i].others, 1) / 2) * 4e-4;
    SERVE("the NPU is busy", hs_estimate_under(&r.sys, &prog, load), 5e-3 + cases[i].wait_s + later_s);
    hs_program_unseal(&prog);
    rig_close(&r);
  }
}
END_TEST

/* Two invocations of the NPU, a call and a kernel of 1 ms each, both ready from 1 ms on: the first call comes after a gap and finds half of another's 0.4 ms
 * left, the second one waits for all of the next, and nobody comes between a call and its kernel. */
START_TEST(invocations_one_after_the_other)
{
  struct rig r;
  struct hs_program prog;
  rig_open(&r, "tflite");
  int deps[] = {0, 1, 0, 3};
  struct hs_task tasks[] = {{.processor = CPU, .to = CPU, .delay_s = 1e-3},
                            {.kind = HS_TASK_RPC, .processor = NPU, .to = NPU, .delay_s = 1e-3, .first_dep = 0, .n_deps = 1},
                            {.processor = NPU, .to = NPU, .delay_s = 1e-3, .first_dep = 1, .n_deps = 1},
                            {.kind = HS_TASK_RPC, .processor = NPU, .to = NPU, .delay_s = 1e-3, .first_dep = 2, .n_deps = 1},
                            {.processor = NPU, .to = NPU, .delay_s = 1e-3, .first_dep = 3, .n_deps = 1}};
  struct hs_competition load[HS_PROCESSORS_MAX] = {[NPU] = {.others = 1, .service_s = 4e-4}};
  seal(&prog, tasks, 5, deps, 4);
  SERVE("each waits for another's", hs_estimate_under(&r.sys, &prog, load), 5e-3 + 2e-4 + 4e-4);
  hs_program_unseal(&prog);
  rig_close(&r);
}
END_TEST

/* Nobody is in service when a program comes to the NPU at once: it begins. */
START_TEST(what_is_free_is_begun_at_once)
{
  struct rig r;
  struct hs_program prog;
  rig_open(&r, "tflite");
  struct hs_task task = {.kind = HS_TASK_RPC, .processor = NPU, .to = NPU, .delay_s = 1e-3};
  struct hs_competition load[HS_PROCESSORS_MAX] = {[NPU] = {.others = 0.9, .service_s = 4e-4}};
  seal(&prog, &task, 1, NULL, 0);
  SERVE("free", hs_estimate_under(&r.sys, &prog, load), 1e-3);
  load[NPU].left_s = 3e-4;
  SERVE("in service", hs_estimate_under(&r.sys, &prog, load), 1e-3 + 3e-4);
  load[NPU].left_s = NAN;
  SERVE("for how long isn't known", hs_estimate_under(&r.sys, &prog, load), 1e-3 + 0.9 * 4e-4);
  hs_program_unseal(&prog);
  rig_close(&r);
}
END_TEST

/* Three kernels of a GPU, 1 ms each, in slices of 1.5 ms: tasks of 2 ms from outside are waited for by the first and the third, those of other networks by each.
 * The third may also come from the host at 5.2 ms, when the GPU has had nothing of ours since 4 ms + 2 ms · others: half of one is left, also where a
 * slice of 4 ms isn't over. */
START_TEST(slices_of_a_gpu)
{
  static const struct {
    double others, outside;
  } cases[] = {{1, 0}, {1, 1}, {0.8, 0.5}};
  double others = cases[_i].others, outside = cases[_i].outside;
  struct rig r;
  struct hs_program prog;
  rig_open(&r, "tflite");
  int deps[] = {2};
  struct hs_task tasks[] = {{.processor = GPU, .to = GPU, .delay_s = 1e-3}, {.processor = GPU, .to = GPU, .delay_s = 1e-3},
                            {.processor = CPU, .to = CPU, .delay_s = 5.2e-3}, {.processor = GPU, .to = GPU, .delay_s = 1e-3}};
  struct hs_competition load[HS_PROCESSORS_MAX] = {[GPU] = {.others = others, .outside = outside, .service_s = 2e-3, .left_s = others * 2e-3}};
  r.soc->processors[GPU].context_slice_s = 1.5e-3;
  seal(&prog, tasks, 4, deps, 0);
  SERVE("kernels in a row", hs_estimate_under(&r.sys, &prog, load), fmax(3e-3 + (3 * others - outside) * 2e-3, 5.2e-3));
  hs_program_unseal(&prog);
  r.soc->processors[GPU].context_slice_s = 4e-3;
  tasks[3].n_deps = 1;
  seal(&prog, tasks, 4, deps, 1);
  double free_s = 2e-3 + (2 * others - outside) * 2e-3;
  SERVE("and one after a gap", hs_estimate_under(&r.sys, &prog, load),
        free_s < 5.2e-3 ? 5.2e-3 + (others - fmin(others, 1) / 2) * 2e-3 + 1e-3 : free_s + others * 2e-3 + 1e-3);
  hs_program_unseal(&prog);
  rig_close(&r);
}
END_TEST

static void fill(TCase *t)
{
  tcase_add_test(t, estimates_under_a_load);
  tcase_add_loop_test(t, estimates_in_slices, 0, 8);
  tcase_add_test(t, work_that_is_stolen_takes_longer_among_others);
  tcase_add_test(t, work_that_waits_for_its_caller_takes_longer_among_others);
  tcase_add_test(t, waits_of_invocations);
  tcase_add_test(t, what_is_left_of_the_one_in_service);
  tcase_add_test(t, invocations_one_after_the_other);
  tcase_add_loop_test(t, slices_of_a_gpu, 0, 3);
  tcase_add_test(t, what_is_free_is_begun_at_once);
}

int main(void) { return hs_test_main("estimates under a load", fill); }
