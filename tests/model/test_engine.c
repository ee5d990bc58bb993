/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Does the engine run what a program says, one request at a time, and is it reported? */
#include "tests/model/pair.h"

static const struct hs_event *event(const struct rig_run *run, int task) { return event_of(run, 0, task); }

/* Both want more than half: 6.5 GB/s each. The CPU's 26 MB take 4 ms; of the GPU's 65 MB are then 39 left, at its own 11 GB/s. */
START_TEST(memory_is_shared_fairly)
{
  struct pair x;
  open_pair(&x);
  add(&x, 0, CPU, -1, 10, 10, 26e6);
  add(&x, 1, GPU, -1, 10, 0, 65e6);
  struct rig_run *run = rig_run(&x.r, x.pl, &x.prog, 1);
  ENGINE("CPU", event(run, 0)->end_s, 26e6 / 6.5e9);
  ENGINE("GPU", event(run, 1)->end_s, 26e6 / 6.5e9 + (65e6 - 26e6) / 11e9);
  ENGINE("latency", run->latency_s[0], 26e6 / 6.5e9 + (65e6 - 26e6) / 11e9);
  ENGINE("energy: power times the stretched time", run->energy_j[GPU], (26e6 / 6.5e9 + 39e6 / 11e9) * (1.9 + 0.09));
  ENGINE("and of the CPU, of which the mids spin for 2 ms", run->energy_j[CPU], 26e6 / 6.5e9 * (3 * 0.57 + 2.39 + 0.021 + 0.037) + 2e-3 * (3 * 0.57 + 0.021));
  close_pair(&x, run);
}
END_TEST

/* The CPU computes for 10 ms (16e6 cycles at 1.6 GHz) and reads 30 MB meanwhile, 3 GB/s: the GPU has the other 10. */
START_TEST(a_small_demand_is_met)
{
  struct pair x;
  open_pair(&x);
  add(&x, 0, CPU, -1, 16e6, 10, 30e6);
  add(&x, 1, GPU, -1, 10, 0, 60e6);
  struct rig_run *run = rig_run(&x.r, x.pl, &x.prog, 1);
  ENGINE("CPU", event(run, 0)->end_s, 10e-3);
  ENGINE("GPU", event(run, 1)->end_s, 60e6 / 10e9);
  close_pair(&x, run);
}
END_TEST

/* The demand is below the memory's 13 GB/s: nobody waits. */
START_TEST(no_contention_below_the_peak)
{
  struct pair x;
  open_pair(&x);
  add(&x, 0, CPU, -1, 16e6, 10, 15e6);
  add(&x, 1, GPU, -1, 10, 0, 60e6);
  struct rig_run *run = rig_run(&x.r, x.pl, &x.prog, 1);
  ENGINE("CPU", event(run, 0)->end_s, 10e-3);
  ENGINE("GPU", event(run, 1)->end_s, 60e6 / 11e9);
  close_pair(&x, run);
}
END_TEST

/* The longer of cycles and bytes, and the slowest of unequal cores. */
START_TEST(roofline)
{
  static const struct {
    double mid, big, bytes, seconds;
  } cases[] = {
    {3.2e6, 1e6, 9e6, 2e-3}, {1e6, 7.5e6, 9e6, 3e-3}, {1e6, 1e6, 9e6, 1e-3}, {3.2e6, 1e6, 0, 2e-3},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct pair x;
    open_pair(&x);
    add(&x, 0, CPU, -1, cases[i].mid, cases[i].big, cases[i].bytes);
    add(&x, 1, GPU, -1, 10, 0, 0);
    struct rig_run *run = rig_run(&x.r, x.pl, &x.prog, 1);
    ENGINE("roofline", event(run, 0)->end_s, cases[i].seconds);
    ENGINE("as the estimate has it", hs_task_seconds(&x.r.sys, &x.tasks[0]), cases[i].seconds);
    close_pair(&x, run);
  }
}
END_TEST

/* Each part on its own OPP: GPU at 250, 585 and the system's; CPU at level 1: mid 1.2 GHz, big 1.5 GHz. */
START_TEST(opp_per_part)
{
  struct pair x;
  open_pair(&x);
  x.pl->ops[1] = (struct hs_op_placement){HS_SPLIT_HEIGHT, 3, {{GPU, 0.3, 0}, {GPU, 0.3, 1}, {GPU, 0.4, -1}}, .home = -1, .chain = -1};
  add(&x, 1, GPU, 0, 1e6, 0, 0);
  add(&x, 1, GPU, 1, 1e6, 0, 0);
  add(&x, 1, GPU, -1, 1e6, 0, 0);
  add(&x, 0, CPU, 1, 6e6, 3e6, 0);
  x.pl->ops[0].parts[0].opp = 1;
  struct rig_run *run = rig_run(&x.r, x.pl, &x.prog, 2);
  ENGINE("250 MHz", event(run, 0)->end_s - event(run, 0)->start_s, 1e6 / 250e6);
  ENGINE("585 MHz", event(run, 1)->end_s - event(run, 1)->start_s, 1e6 / 585e6);
  ENGINE("the system's", event(run, 2)->end_s - event(run, 2)->start_s, 1e6 / 585e6);
  ENGINE("CPU level 1", event(run, 3)->end_s, 6e6 / 1.2e9);
  ENGINE("cycles of GPU at 250 MHz", event(run, 0)->cycles[0], 1e6);
  ENGINE("of mids at CPU level 1", event(run, 3)->cycles[0], 6e6);
  ENGINE("of big at CPU level 1", event(run, 3)->cycles[1], 5e-3 * 1.5e9);
  ENGINE("GPU energy", run->energy_j[GPU] / 2, 4e-3 * (0.47 + 0.05) + 2 * (1e6 / 585e6) * (1.9 + 0.09));
  ENGINE("CPU energy, and of the mids that spin", run->energy_j[CPU] / 2, 5e-3 * (3 * 0.34 + 0.93 + 0.017 + 0.029) + 2e-3 * (3 * 0.34 + 0.017));
  close_pair(&x, run);
}
END_TEST

/* A system set to low frequencies runs so where a part says nothing. */
START_TEST(opp_of_the_system)
{
  struct pair x;
  struct hs_error err;
  struct hs_settings s = rig_settings("mace");
  open_pair(&x);
  rig_close(&x.r);
  s.frequency = "gpu=min,cpu.mid=1.2GHz";
  hs_test_accepted(rig_try(&x.r, RIG_PHONE("2e9"), NULL, RIG_MACE, &s, &err), &err);
  rig_read_network(&x.r, PAIR);
  x.pl = rig_place_all(&x.r, CPU);
  x.pl->ops[1].parts[0].processor = GPU;
  add(&x, 1, GPU, -1, 1e6, 0, 0);
  add(&x, 0, CPU, -1, 6e6, 3e6, 0);
  struct rig_run *run = rig_run(&x.r, x.pl, &x.prog, 1);
  ENGINE("GPU", event(run, 0)->end_s, 1e6 / 250e6);
  ENGINE("CPU", event(run, 1)->end_s, 6e6 / 1.2e9);
  close_pair(&x, run);
}
END_TEST

/* Queues are in order even when a later task could start; dependencies cross queues; a delay holds its queue and takes no power. */
START_TEST(queues_dependencies_and_delays)
{
  struct pair x;
  open_pair(&x);
  add(&x, 0, CPU, -1, 1.6e6, 0, 0);                               /* 0: 0 … 1 ms */
  struct hs_task *sync = add(&x, 1, GPU, -1, 0, 0, 0);            /* 1: 1 … 3.385 ms, after 0 */
  *sync = (struct hs_task){.kind = HS_TASK_SYNC, .op = 1, .tensor = -1, .processor = GPU, .opp = -1, .delay_s = 2.385e-3, .first_dep = 0};
  wait_for(&x, sync, 0);
  add(&x, 1, GPU, -1, 585e3, 0, 0);                               /* 2: could start at 0, is behind 1: 3.385 … 4.385 ms */
  struct hs_task *last = add(&x, 0, CPU, -1, 3.2e6, 0, 0);        /* 3: after 2 */
  last->kind = HS_TASK_MAP;
  wait_for(&x, last, 2);
  struct rig_run *run = rig_run(&x.r, x.pl, &x.prog, 3);
  ENGINE("0 ends", event(run, 0)->end_s, 1e-3);
  ENGINE("the delay starts", event(run, 1)->start_s, 1e-3);
  ENGINE("behind it", event(run, 2)->start_s, 3.385e-3);
  ENGINE("the last starts", event(run, 3)->start_s, 4.385e-3);
  ENGINE("latency", run->latency_s[0], 6.385e-3);
  ENGINE("second", run->latency_s[1], 6.385e-3);
  ENGINE("third", run->latency_s[2], 6.385e-3);
  ENGINE("the GPU is busy with work only", run->busy_s[GPU], 3 * 1e-3);
  ENGINE("and takes power for work only", run->energy_j[GPU], 3 * 1e-3 * (1.9 + 0.09));
  ENGINE("three requests, one after the other", run->end_s, 3 * 6.385e-3);
  close_pair(&x, run);
}
END_TEST

/* A delay from the end of what it waits for (the GPU's 1 ms): the host that comes to it at 1 ms waits until 1.5 ms, at 3 ms not at all. */
START_TEST(delays_that_count_from_their_dependencies)
{
  for (int late = 0; late < 2; late++) {
    struct pair x;
    open_pair(&x);
    add(&x, 1, GPU, -1, 585e3, 0, 0);
    add(&x, 0, CPU, -1, late ? 4.8e6 : 1.6e6, 0, 0);
    struct hs_task *sync = add(&x, 0, CPU, -1, 0, 0, 0);
    *sync = (struct hs_task){.kind = HS_TASK_SYNC, .op = 0, .tensor = -1, .processor = CPU, .opp = -1, .delay_s = 0.5e-3, .from_deps = true, .first_dep = 0};
    wait_for(&x, sync, 0);
    struct rig_run *run = rig_run(&x.r, x.pl, &x.prog, 1);
    ENGINE("the host comes to it", event(run, 2)->start_s, late ? 3e-3 : 1e-3);
    ENGINE("and goes on", event(run, 2)->end_s, late ? 3e-3 : 1.5e-3);
    struct hs_estimate e; /* by which policies decide */
    hs_estimate_program(&x.r.sys, &x.prog, &e, NULL, NULL);
    ENGINE("as estimated", e.latency_s, late ? 3e-3 : 1.5e-3);
    close_pair(&x, run);
  }
}
END_TEST

/* The contract: events come in order of completion, ties by processor. */
START_TEST(order_of_events)
{
  struct pair x;
  open_pair(&x);
  add(&x, 1, GPU, -1, 585e3, 0, 0); /* both 1 ms; the GPU's is first in the program */
  add(&x, 0, CPU, -1, 1.6e6, 0, 0);
  add(&x, 1, GPU, -1, 585e3, 0, 0);
  x.pl->ops[1] = (struct hs_op_placement){HS_SPLIT_HEIGHT, 2, {{GPU, 0.5, -1}, {GPU, 0.5, -1}}, .home = -1, .chain = -1};
  struct rig_run *run = rig_run(&x.r, x.pl, &x.prog, 1);
  ck_assert_int_eq(run->n_events, 3);
  ck_assert_int_eq(run->events[0].task, 1);
  ck_assert_int_eq(run->events[1].task, 0);
  ck_assert_int_eq(run->events[2].task, 2);
  close_pair(&x, run);
}
END_TEST

/* A real program with everything in it: many inferences are alike, and two runs give the same fingerprint. */
START_TEST(many_inferences_and_fingerprints)
{
  struct rig r;
  char first[17] = "";
  rig_open(&r, "tflite");
  rig_read_network(&r, RIG_NET(RIG_IN("i", "1, 20, 30, 8"), "'d'", RIG_OP("a", "Conv", "'i'", ", 'channels': 24, 'kernel': [3, 3], 'pad': 'same'") ","
                               RIG_OP("b", "Relu", "'a'", "") "," RIG_OP("c", "DepthwiseConv", "'b'", ", 'kernel': [3, 3], 'pad': 'same'") ","
                               RIG_OP("d", "Add", "'c', 'b'", "")));
  struct hs_placement *pl = rig_place_all(&r, GPU);
  rig_place_cut(&pl->ops[0], HS_SPLIT_HEIGHT, GPU, 0.6, CPU);
  hs_place_whole(&pl->ops[1], DSP);
  rig_place_cut(&pl->ops[3], HS_SPLIT_CHANNEL, NPU, 0.5, CPU);
  struct hs_program *prog = rig_lower(&r, pl);
  pl->ops[0].home = DSP; /* the same kernels, other transfers */
  struct hs_program *other = rig_lower(&r, pl);
  for (int k = 0; k < 2; k++) {
    struct rig_run *run = rig_run(&r, pl, prog, 12);
    ck_assert_int_eq(run->n_requests, 12);
    for (int i = 1; i < 12; i++) rig_derive("every inference", "as the first", run->latency_s[i], run->latency_s[0], 1e-9);
    if (k == 0) memcpy(first, run->summary.fingerprint, sizeof first);
    ck_assert_int_eq((int)strlen(first), 16);
    ck_assert_str_eq(run->summary.fingerprint, first);
    rig_run_free(run);
  }
  struct rig_run *run = rig_run(&r, pl, prog, 11); /* another run has another one */
  ck_assert_str_ne(run->summary.fingerprint, first);
  rig_run_free(run);
  /* programs may alternate */
  struct hs_estimate e[2];
  hs_estimate_program(&r.sys, prog, &e[0], NULL, NULL);
  hs_estimate_program(&r.sys, other, &e[1], NULL, NULL);
  ck_assert_int_ne(other->n_tasks, prog->n_tasks);
  run = rig_run_two(&r, pl, prog, other, 4, 0);
  rig_derive("even requests", "first program", run->latency_s[2], run->latency_s[0], 1e-9);
  rig_derive("odd requests", "second program, by the estimate", run->latency_s[3], e[1].latency_s, 1e-9);
  ck_assert_double_ge(run->latency_s[0], e[0].latency_s * (1 - 1e-9));
  rig_run_free(run);
  hs_program_free(prog);
  hs_program_free(other);
  rig_close(&r);
}
END_TEST

/* An interrupt, whose handler is ours and not SimGrid's, sets it. */
START_TEST(stop_flag)
{
  struct pair x;
  open_pair(&x);
  add(&x, 0, CPU, -1, 1.6e6, 0, 0);
  add(&x, 1, GPU, -1, 585e3, 0, 0);
  struct rig_run *run = rig_run_two(&x.r, x.pl, &x.prog, NULL, 10, 3);
  ck_assert_int_eq(run->n_requests, 3);
  ck_assert_int_eq(run->n_events, 6);
  ENGINE("three requests", run->end_s, 3e-3);
  rig_run_free(run);
  run = rig_run(&x.r, x.pl, &x.prog, 0); /* and none at all */
  ck_assert_int_eq(run->n_requests, 0);
  close_pair(&x, run);
}
END_TEST

/* Two programs in turn: 1, 2, 1, 2, 1 ms. */
START_TEST(summary)
{
  struct pair x, y;
  open_pair(&x);
  add(&x, 0, CPU, -1, 1.6e6, 0, 0);
  add(&x, 1, GPU, -1, 58.5e3, 0, 7e3);
  open_pair(&y);
  add(&y, 0, CPU, -1, 3.2e6, 0, 0);
  struct hs_task *t = add(&y, 1, GPU, -1, 58.5e3, 0, 0);
  t = add(&y, 0, CPU, -1, 160e3, 0, 0);
  t->kind = HS_TASK_MAP; /* 0.1 ms */
  t = add(&y, 0, CPU, -1, 320e3, 0, 0);
  t->kind = HS_TASK_LAUNCH; /* 0.2 ms */
  struct rig_run *run = rig_run_two(&x.r, x.pl, &x.prog, &y.prog, 5, 0);
  ENGINE("mean", run->summary.latency_s, (3 * 1e-3 + 2 * 2.3e-3) / 5);
  ENGINE("least", run->summary.min_s, 1e-3);
  ENGINE("median", run->summary.p50_s, 1e-3);
  ENGINE("90 %: linear between the 4th and the 5th of 1, 1, 1, 2.3, 2.3", run->summary.p90_s, 2.3e-3);
  ENGINE("most", run->summary.max_s, 2.3e-3);
  ENGINE("communication: map, not launch", run->summary.communication_s, 2 * 0.1e-3 / 5);
  ENGINE("its share of all task time", run->summary.communication_frac, 0.2 / (3 * 1.1 + 2 * 2.4));
  ENGINE("launches", run->summary.launch_s, 2 * 0.2e-3 / 5);
  ENGINE("energy per inference: sum of the processors'", run->summary.energy_j, (run->energy_j[CPU] + run->energy_j[GPU]) / 5);
  ENGINE("of the CPU: busy all the time", run->energy_j[CPU], 7.6e-3 * (3 * 0.57 + 2.39 + 0.021 + 0.037));
  ENGINE("power", run->summary.power_w, (run->energy_j[CPU] + run->energy_j[GPU]) / 7.6e-3);
  rig_close(&y.r);
  close_pair(&x, run);
}
END_TEST

static void fill(TCase *t)
{
  tcase_add_test(t, memory_is_shared_fairly);
  tcase_add_test(t, a_small_demand_is_met);
  tcase_add_test(t, no_contention_below_the_peak);
  tcase_add_test(t, roofline);
  tcase_add_test(t, opp_per_part);
  tcase_add_test(t, opp_of_the_system);
  tcase_add_test(t, queues_dependencies_and_delays);
  tcase_add_test(t, delays_that_count_from_their_dependencies);
  tcase_add_test(t, order_of_events);
  tcase_add_test(t, many_inferences_and_fingerprints);
  tcase_add_test(t, stop_flag);
  tcase_add_test(t, summary);
}

int main(void) { return hs_test_main("engine", fill); }
