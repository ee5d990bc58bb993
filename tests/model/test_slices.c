/* SPDX-License-Identifier: GPL-3.0-or-later */
/* CPU cores that are shared in slices of time; MACE's threads spin for 2 ms. */
#include "tests/model/sliced.h"

/* Alone, nothing is different: the same tasks, cores or memory deciding, to the last bit of the clock. */
START_TEST(alone_nothing_changes)
{
  static double fluid[2];
  for (int sliced = 0; sliced < 2; sliced++) {
    struct alive x;
    alive_open(&x, PHONE, NULL, NULL);
    if (sliced) x.r.sys.scheduler = &rules;
    alive_add(&x, CPU, 16e6, 25e6, 45e6);
    alive_add(&x, CPU, 16e6, 25e6, 180e6);
    alive_add(&x, CPU, 0, 5e6, 0);
    x.inferences = 2;
    const struct alive_run *run = alive_go(&x);
    for (int i = 0; i < 2; i++) {
      if (sliced) ck_assert_double_eq(run->done_s[i], fluid[i]);
      fluid[i] = run->done_s[i];
    }
    alive_close(&x);
  }
}
END_TEST

/* Whoever uses less than its share sleeps in between, and goes first when it wakes up: 1 ms of work after each 20 ms of waiting
 * takes 1 ms, whatever k processes always want of that core. As a fluid it would take k + 1. */
START_TEST(who_slept_is_not_delayed)
{
  static const char *const rivals[] = {PROCESS("a", ON("cpu.big"), ALWAYS("1")),
                                       PROCESS("a", ON("cpu.big"), ALWAYS("1")) "," PROCESS("b", ON("cpu.big"), ALWAYS("1"))};
  for (int k = 0; k < 2; k++) {
    struct hs_text all = {0};
    struct alive x;
    hs_text_addf(&all, SCENARIO("'processes': [%s]"), rivals[k]);
    open_sliced(&x, all.s);
    for (int i = 0; i < 20; i++) {
      alive_add(&x, CPU, 0, 0, 0)->delay_s = 20 * MS;
      alive_add(&x, CPU, 0, 2.5e6, 0);
    }
    const struct alive_run *run = alive_go(&x);
    for (int i = 0; i < 20; i++) ALIVE("1 ms", seen(run, 0, 2 * i + 1)->end_s - seen(run, 0, 2 * i + 1)->start_s, 1 * MS);
    hs_text_free(&all);
    alive_close(&x);
  }
}
END_TEST

/* So does the first of all: an app's threads are there before its first request, and sleep. */
START_TEST(who_comes_first_has_slept)
{
  struct alive x;
  open_sliced(&x, SCENARIO("'processes': [" PROCESS("a", ON("cpu.big"), ALWAYS("1")) "]"));
  alive_add(&x, CPU, 0, 2.5e6, 0);
  ALIVE("1 ms", alive_go(&x)->done_s[0], 1 * MS);
  alive_close(&x);
}
END_TEST

/* A chain on one core that never sleeps has 1/(k + 1) of it, to within a round of slices (k + 1 times 5 or 3 ms). */
START_TEST(one_thread_has_its_share)
{
  struct hs_text list = {0};
  for (int k = 1; k <= 3; k++) {
    struct alive x;
    struct hs_text all = {0};
    hs_text_addf(&list, "%s" PROCESS("p%d", ON("cpu.big"), ALWAYS("1")), k > 1 ? ", " : "", k);
    hs_text_addf(&all, SCENARIO("'processes': [%s]"), list.s);
    open_sliced(&x, all.s);
    for (int i = 0; i < 100; i++) alive_add(&x, CPU, 0, 12.5e6, 0);
    const struct alive_run *run = alive_go(&x);
    ck_assert_double_eq_tol(run->done_s[0], (k + 1) * 100 * 5 * MS, 2 * (k + 1) * 5 * MS);
    ALIVE("the core is never idle", run->busy_s[CPU][1][0], run->end_s);
    hs_text_free(&all);
    alive_close(&x);
  }
  hs_text_free(&list);
}
END_TEST

/* After 20 ms of 21 another comes, which gets the core at once and wants it for long: a slice is 0.8 to 1.2 of 10 ms, as the core draws. With a granularity of
 * 10 ms that is more than the 5 ms by which it is behind. */
START_TEST(slices_are_out_of_step)
{
  static const struct hs_scheduler coarse = {10 * MS, 10 * MS, 2 * MS};
  double shortest_s = INFINITY, longest_s = 0;
  for (uint64_t seed = 1; seed <= 20; seed++) {
    struct alive x;
    open_sliced(&x, NULL);
    x.r.sys.scheduler = &coarse;
    x.r.sys.slices_seed = seed;
    alive_add(&x, CPU, 0, 52.5e6, 0);
    alive_rival(&x, 0, 20 * MS, alive_task(CPU, 0, 75e6, 0), 1024);
    double slice_s = alive_go(&x)->done_s[0] - 21 * MS;
    shortest_s = fmin(shortest_s, slice_s);
    longest_s = fmax(longest_s, slice_s);
    alive_close(&x);
  }
  ck_assert_msg(shortest_s >= 8 * MS && shortest_s < 9 * MS, "%g s", shortest_s);
  ck_assert_msg(longest_s > 11 * MS && longest_s <= 12 * MS, "%g s", longest_s);
}
END_TEST

/* A slice counts from when its thread got the core, not from when somebody comes, in one task or in four that follow each other: after 6.5 ms of 8 that of
 * two threads (4 to 6 ms) is over, and who comes then goes first, though nobody breaks in who isn't 20 ms ahead. With a slice from then on 8 ms would pass. */
START_TEST(a_slice_begins_with_the_turn)
{
  struct alive x;
  int tasks = _i ? 4 : 1;
  open_patient(&x, NULL);
  for (int i = 0; i < tasks; i++) alive_add(&x, CPU, 0, 20e6 / tasks, 0);
  alive_rival(&x, 0, 6.5 * MS, alive_task(CPU, 0, 75e6, 0), 1024);
  ck_assert_double_ge(alive_go(&x)->done_s[0], 12 * MS);
  alive_close(&x);
}
END_TEST

/* So it does where a task in one piece follows one that was cut: somebody of eight times the weight breaks in for half a millisecond, and 12 ms of the turn
 * after that are over when another comes, 1 ms into the second task, and goes first. */
START_TEST(a_turn_goes_on_uncut)
{
  struct alive x;
  open_patient(&x, NULL);
  alive_add(&x, CPU, 0, 30e6, 0);
  alive_add(&x, CPU, 0, 7.5e6, 0);
  alive_rival(&x, 0, 1 * MS, alive_task(CPU, 0, 1.25e6, 0), 8192);
  alive_rival(&x, 1, 13.5 * MS, alive_task(CPU, 0, 75e6, 0), 1024);
  const struct alive_run *run = alive_go(&x);
  ALIVE("the first, cut", seen(run, 0, 0)->end_s, 12.5 * MS);
  ck_assert_double_ge(run->done_s[0], 19.5 * MS);
  alive_close(&x);
}
END_TEST

/* And who slept in between has a new turn: 20 ms after 6 ms of work its next 2 are within it, though somebody comes in the middle who is behind. */
START_TEST(a_turn_ends_with_sleep)
{
  struct alive x;
  open_patient(&x, NULL);
  alive_add(&x, CPU, 0, 15e6, 0);
  alive_add(&x, CPU, 0, 0, 0)->delay_s = 20 * MS;
  alive_add(&x, CPU, 0, 5e6, 0);
  alive_rival(&x, 0, 27 * MS, alive_task(CPU, 0, 75e6, 0), 1024);
  ALIVE("6, 20 and 2 ms", alive_go(&x)->done_s[0], 28 * MS);
  alive_close(&x);
}
END_TEST

/* Who gets the core as another app leaves it has a turn of its own: of 6 ms after 6 of the other's only half a millisecond is over when somebody comes. */
START_TEST(a_turn_is_ones_own)
{
  struct alive x;
  struct hs_system of_other;
  open_patient(&x, NULL);
  of_other = x.r.sys;
  x.inference.sys = &x.r.sys;
  alive_add(&x, CPU, 0, 15e6, 0);
  alive_other(&x, 6 * MS, alive_task(CPU, 0, 8.75e6, 0), alive_task(DSP, 1e3, 0, 0));
  x.rivals[0].sys = &of_other;
  alive_rival(&x, 2, 6.5 * MS, alive_task(CPU, 0, 75e6, 0), 1024);
  const struct alive_run *run = alive_go(&x);
  ALIVE("the first", run->done_s[0], 6 * MS);
  ALIVE("the other, 3.5 ms", seen(run, ALIVE_OTHER, 0)->end_s, 9.5 * MS);
  alive_close(&x);
}
END_TEST

/* Nice 10 is a weight of 110: of two that always want the core it has 110 / 1134. */
START_TEST(weights_count)
{
  struct alive x;
  open_sliced(&x, SCENARIO("'processes': [" PROCESS("a", "'nice': 10, " ON("cpu.big"), ALWAYS("1")) "]"));
  for (int i = 0; i < 100; i++) alive_add(&x, CPU, 0, 12.5e6, 0);
  const struct alive_run *run = alive_go(&x);
  ck_assert_double_eq_tol(run->done_s[0], 500 * MS * (1 + pow(1.25, -10)), 20 * MS);
  alive_close(&x);
}
END_TEST

/* Four threads that meet after each operator of 0.5 ms, with k others on every core: as a fluid k + 1 times as long. In slices more,
 * because the last thread to get its core decides; less than one round of the others' slices per operator (3 · 3 ms), and each rival more
 * makes it longer. Long operators (50 ms) average over many slices: within 30 % of a fluid. */
START_TEST(the_last_thread_decides)
{
  struct hs_text list = {0};
  double before = 0;
  for (int k = 1; k <= 3; k++) {
    struct hs_text all = {0};
    struct alive x;
    hs_text_addf(&list, "%s" PROCESS("p%d", ON("cpu"), ALWAYS("4")), k > 1 ? ", " : "", k);
    hs_text_addf(&all, SCENARIO("'processes': [%s]"), list.s);
    open_sliced(&x, all.s);
    for (int i = 0; i < 100; i++) alive_add(&x, CPU, 0.8e6, 1.25e6, 0);
    double factor = alive_go(&x)->done_s[0] / (100 * 0.5 * MS);
    ck_assert_msg(factor > 1.1 * (k + 1) && factor < k + 1 + k * 5 / 0.5, "%d rivals: %.2f times as long", k, factor);
    ck_assert_double_gt(factor, before);
    before = factor;
    alive_close(&x);
    open_sliced(&x, all.s);
    for (int i = 0; i < 4; i++) alive_add(&x, CPU, 80e6, 125e6, 0);
    factor = alive_go(&x)->done_s[0] / (4 * 50 * MS);
    ck_assert_msg(factor > k + 0.9 && factor < 1.3 * (k + 1), "long: %d rivals: %.2f times as long", k, factor);
    hs_text_free(&all);
    alive_close(&x);
  }
  hs_text_free(&list);
}
END_TEST

/* What runs when the run is over is finished: nothing hangs, and all work that was begun is counted. */
START_TEST(a_run_ends_in_the_middle_of_slices)
{
  struct alive x;
  open_sliced(&x, SCENARIO("'processes': [" PROCESS("a", ON("cpu"), ALWAYS("4")) "," PROCESS("b", ON("cpu"), ALWAYS("3")) "]"));
  for (int i = 0; i < 10; i++) alive_add(&x, CPU, 16e6, 25e6, 9e6);
  x.until_s = 33 * MS;
  ALIVE("the end", alive_go(&x)->end_s, 33 * MS);
  alive_close(&x);
}
END_TEST

/* Whatever decides how long a task takes: cores, the memory, nothing but time, and a rival on its core. */
START_TEST(a_stretched_task_takes_so_much_longer)
{
  static const double stretch[20] = {1.5, 2, 3, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2};
  struct alive x;
  open_sliced(&x, NULL);
  x.stretch = stretch;
  alive_add(&x, CPU, 16e6, 25e6, 9e6);
  alive_add(&x, CPU, 16e6, 25e6, 180e6);
  alive_add(&x, CPU, 0, 0, 0)->delay_s = 7 * MS;
  alive_add(&x, GPU, 0.585e6, 0, 0);
  const struct alive_run *run = alive_go(&x);
  for (int i = 0; i < 4; i++) {
    static const double alone[] = {10 * MS, 20 * MS, 7 * MS, 1 * MS};
    ALIVE("so many times as long as alone", seen(run, 0, i)->end_s - seen(run, 0, i)->start_s, alone[i] * stretch[i]);
  }
  alive_close(&x);
  open_sliced(&x, SCENARIO("'processes': [" PROCESS("a", ON("cpu.big"), ALWAYS("1")) "]"));
  x.stretch = stretch;
  for (int i = 0; i < 20; i++) alive_add(&x, CPU, 0, 12.5e6, 0);
  ck_assert_double_eq_tol(alive_go(&x)->done_s[0], 2 * (1.5 + 3 + 18 * 2) * 5 * MS, 2 * 2 * 5 * MS); /* half of the core */
  alive_close(&x);
}
END_TEST

/* A wait of the host goes on while the clock changes at which somebody else works beside it: 4 ms at 1.6 GHz are 1 ms of that and 3 · 1.6 / 0.6 ms. */
START_TEST(a_clock_that_changes_leaves_waits_as_they_are)
{
  struct alive x;
  open_sliced(&x, NULL);
  alive_add(&x, CPU, 0, 0, 0)->delay_s = 7 * MS;
  alive_rival(&x, 0, 1 * MS, alive_task(CPU, 6.4e6, 0, 0), 1024);
  alive_do(&x, SET_OPP, 2 * MS, CPU, 0, 0);
  const struct alive_run *run = alive_go(&x);
  ALIVE("the wait", seen(run, 0, 0)->end_s, 7 * MS);
  ALIVE("the other's work", seen(run, ALIVE_RIVAL, 0)->end_s, 2 * MS + 3 * MS * 1.6 / 0.6);
  alive_close(&x);
}
END_TEST

/* A job whose only task has nothing to do ends while it is handed in. */
START_TEST(nothing_to_do_takes_no_time)
{
  static const int processors[] = {CPU, LITTLE, GPU};
  for (int i = 0; i < 6; i++) {
    struct alive x;
    alive_open(&x, PHONE, NULL, NULL);
    if (i >= 3) x.r.sys.scheduler = &rules;
    alive_add(&x, processors[i % 3], 0, 0, 0);
    x.inferences = 3;
    const struct alive_run *run = alive_go(&x);
    ck_assert_int_eq(run->n_done, 3);
    ALIVE("no time", run->end_s, 0);
    alive_close(&x);
  }
}
END_TEST

/* The end comes at the moment at which a task begins that shares one of its cores with a rival: */
START_TEST(a_run_ends_as_a_task_begins)
{
  static const char *const where[] = {"cpu.big", "cpu.mid"};
  for (int i = 0; i < 2; i++) {
    struct alive x;
    struct hs_text all = {0};
    hs_text_addf(&all, SCENARIO("'processes': [%s'affinity': ['%s'], 'phases': [{" ALWAYS("1") "}]}]"), "{'name': 'a', ", where[i]);
    open_sliced(&x, all.s);
    alive_add(&x, CPU, 0, 0, 0)->delay_s = 10 * MS;
    alive_add(&x, CPU, 16e6, 25e6, 9e6);
    x.until_s = 10 * MS;
    ALIVE("the end", alive_go(&x)->end_s, 10 * MS);
    hs_text_free(&all);
    alive_close(&x);
  }
}
END_TEST

/* Another has the big core for 3 ms, and then the operator for its 12 ms: waiting is neither work nor power, of which the domain's 0.037 W are shared by who
 * is there. Cut in two by 3 ms of another that comes after 4 ms, it is told alike. */
START_TEST(who_waits_does_not_work)
{
  for (int late = 0; late < 2; late++) {
    struct alive x;
    open_sliced(&x, NULL);
    alive_add(&x, CPU, 0, 30e6, 0);
    alive_rival(&x, 0, late ? 4 * MS : 0, alive_task(CPU, 0, 7.5e6, 0), 1024);
    const struct alive_run *run = alive_go(&x);
    const struct seen *op = seen(run, 0, 0), *rival = seen(run, ALIVE_RIVAL, 0);
    double both_s = fmin(op->end_s, rival->end_s) - fmax(op->start_s, rival->start_s), all_s = fmax(op->end_s, rival->end_s);
    ALIVE("all of it", all_s, 15 * MS);
    ALIVE("its part", op->share_s, 12 * MS);
    ALIVE("cycles", op->cycles[1], 30e6);
    ALIVE("energy", op->energy_j, 12 * MS * 2.39 + 0.037 * (op->end_s - op->start_s - both_s / 2));
    ALIVE("the other's", rival->energy_j, 3 * MS * 2.39 + 0.037 * (rival->end_s - rival->start_s - both_s / 2));
    alive_close(&x);
  }
}
END_TEST

/* Another takes the big core from 3 to 6 ms of an operator that needs it for five, which is cut: of the three threads' half a millisecond on the other cores
 * two fifths are left. Then they spin for two, without what a kernel's vectors draw, and sleep until it ends. In one piece it has all of its cores. */
START_TEST(who_is_done_spins_and_sleeps)
{
  struct alive x;
  open_sliced(&x, NULL);
  alive_add(&x, CPU, 0.8e6, 12.5e6, 0)->work.power_factor = 0.8;
  alive_rival(&x, 0, 3 * MS, alive_task(CPU, 0, 7.5e6, 0), 1024);
  const struct seen *op = seen(alive_go(&x), 0, 0);
  ALIVE("when its slowest has", op->end_s, 8 * MS);
  ALIVE("energy", op->energy_j, MS * (3 * 0.57 * (0.8 * (3 + 0.2) + 2) + 8 * 0.021 + 5 * 0.8 * 2.39 + 0.037 * (8 - 3 / 2.)));
  ALIVE("its part, of four cores", op->share_s, MS * (3 + 0.2 * 3 / 4 + 2 / 4.));
  alive_close(&x);
}
END_TEST

/* One task per core, so that slices change nothing, with and without slices: what the engine counts is what the simulator would do. Tasks want more
 * and less of the port than their share; with kernels of the GPU beside them also of the memory (40 GB/s, or 7); and the frequency changes. */
START_TEST(counted_as_simulated)
{
  static const char *const phones[] = {WITH_MEMORY("40e9"), WITH_MEMORY("7e9")};
  static double fluid[400];
  for (int i = 0; i < 8; i++) {
    struct alive x;
    int n = 0;
    alive_open(&x, phones[i / 4], NULL, NULL);
    if (i % 2) x.r.sys.scheduler = &rules;
    for (int k = 0; k < 12; k++) alive_add(&x, CPU, 0, (1 + k % 5) * 2.5e6, (1 + k % 4) * 4e6);
    for (int k = 0; k < 3; k++) {
      struct hs_task t = alive_task(CPU, (20 + 7 * k) * 1.6e6, 0, (20 + 30 * k) * 1e6);
      t.work.cores[0] = 1;
      t.first_core = k;
      alive_rival(&x, k, (3 + 5 * k) * MS, t, 1);
    }
    if (i / 2 % 2) alive_rival(&x, 3, 7 * MS, alive_task(GPU, 10e6, 0, 60e6), 1);
    alive_do(&x, SET_OPP, 11 * MS, CPU, 1, 1);
    alive_do(&x, SET_OPP, 19 * MS, CPU, 0, 1);
    const struct alive_run *run = alive_go(&x);
    for (int k = 0; k < run->n; k++) {
      if (i % 2) ck_assert_double_eq_tol(seen(run, run->seen[k].request, run->seen[k].task)->end_s, fluid[n], 1e-11);
      fluid[n++] = seen(run, run->seen[k].request, run->seen[k].task)->end_s;
    }
    alive_close(&x);
  }
}
END_TEST

/* A task has had its cores to itself for 100 ms when another comes for two of them. Whoever is new has half a latency of credit, and shares alike from then
 * on: 50 ms of work take 100 ms, to within a round of slices, also where the core isn't the first one of the task that is cut. */
START_TEST(a_task_that_is_cut_keeps_its_place)
{
  for (int core = 0; core <= 1; core++) {
    struct alive x;
    open_sliced(&x, NULL);
    struct hs_task t = alive_task(CPU, 50 * MS * 1.6e9, 0, 0);
    t.work.cores[0] = 2;
    t.first_core = core;
    alive_add(&x, CPU, 300 * MS * 1.6e9, 300 * MS * 2.5e9, 0);
    alive_rival(&x, 0, 100 * MS, t, 1024);
    ck_assert_double_eq_tol(seen(alive_go(&x), ALIVE_RIVAL, 0)->end_s, 200 * MS, 2 * 5 * MS);
    alive_close(&x);
  }
}
END_TEST

/* Drawn by lot, each on a core or accelerator of its own: operators of an inference that don't wait for each other, and four of others; and OPPs. */
static void draw(struct alive *x, struct hs_random *r)
{
  static const int processors[] = {CPU, GPU, DSP, NPU};
  static const double most_cycles[] = {25e6, 5e6, 10e6, 9e6};
  for (int k = 0; k < 40; k++) {
    double cycles = hs_random_uniform(r) * most_cycles[k % 4], bytes = hs_random_uniform(r) < 0.2 ? 0 : pow(hs_random_uniform(r), 2) * 90e6;
    alive_add(x, processors[k % 4], k % 4 ? cycles : 0, k % 4 ? 0 : cycles, bytes)->n_deps = 0;
  }
  x->inference.n_deps = 0;
  for (int k = 0; k < 4; k++) {
    struct hs_task t = alive_task(k < 3 ? CPU : LITTLE, hs_random_uniform(r) * 160e6, 0, hs_random_uniform(r) * 300e6);
    t.work.cores[0] = 1;
    t.first_core = k < 3 ? k : 2;
    alive_rival(x, k, hs_random_uniform(r) * 30 * MS, t, 1);
  }
  alive_do(x, SET_OPP, hs_random_uniform(r) * 40 * MS, CPU, 1, 1);
  alive_do(x, SET_OPP, hs_random_uniform(r) * 40 * MS, CPU, 0, 1);
  alive_do(x, SET_OPP, hs_random_uniform(r) * 40 * MS, GPU, 0, 0);
}

/* Whatever wants bytes at once, of a memory that is shorter and less short: each task ends when the simulator would end it. */
START_TEST(memory_is_shared_as_simulated)
{
  static const char *const phones[] = {WITH_MEMORY("5e9"), WITH_MEMORY("9e9"), WITH_MEMORY("16e9"), WITH_MEMORY("27e9")};
  static double fluid[44];
  double longer = 0;
  for (int i = 0; i < 80; i++) {
    struct alive x;
    char name[20];
    snprintf(name, sizeof name, "case %d", i / 2);
    struct hs_random *r = hs_random_new(1, name);
    alive_open(&x, phones[i / 2 % 4], NULL, NULL);
    if (i % 2) x.r.sys.scheduler = &rules;
    draw(&x, r);
    const struct alive_run *run = alive_go(&x);
    ck_assert_int_eq(run->n, 44);
    for (int k = 0; k < 44; k++) {
      const struct seen *s = k < 40 ? seen(run, 0, k) : seen(run, ALIVE_RIVAL - (k - 40), 0);
      if (i % 2) ck_assert_double_eq_tol(s->end_s, fluid[k], 1e-11);
      longer = fmax(longer, fluid[k] = s->end_s);
    }
    hs_random_free(r);
    alive_close(&x);
  }
  ck_assert_double_gt(longer, 100 * MS); /* where nothing waits for the memory all have ended by then */
}
END_TEST

/* Inferences on one mid and the big core have 2.5 + 6 GB/s. Two of 10 ms, one on each, would move 44 MB each meanwhile, 8.8 GB/s, which the port, of 9, lets
 * pass: they take so much longer. */
START_TEST(inferences_share_what_their_cores_move)
{
  struct alive x;
  open_sliced(&x, NULL);
  x.r.sys.backends[CPU].cores[0] = 1;
  alive_add(&x, CPU, 16e6, 0, 44e6)->work.cores[0] = 1;
  alive_other(&x, 0, alive_task(CPU, 0, 25e6, 44e6), alive_task(DSP, 1.1e6, 0, 0));
  const struct alive_run *run = alive_go(&x);
  ALIVE("the one", seen(run, 0, 0)->end_s, 2 * 44e6 / 8.5e9);
  ALIVE("the other", seen(run, ALIVE_OTHER, 0)->end_s, 2 * 44e6 / 8.5e9);
  alive_close(&x);
}
END_TEST

/* Somebody comes to the big core while an inference, whose thread there sleeps, is on the GPU. Its next operator, 30 ms alone, takes turns with him: about twice
 * as long, less what it gains by having slept. Both have their cycles. */
START_TEST(who_comes_back_shares_its_core)
{
  struct alive x;
  open_sliced(&x, NULL);
  alive_add(&x, CPU, 0, 2.5e6, 0);
  alive_add(&x, GPU, 7 * 0.585e6, 0, 0);
  alive_add(&x, CPU, 0, 30 * 2.5e6, 0);
  alive_rival(&x, 0, 3 * MS, alive_task(CPU, 0, 100 * 2.5e6, 0), 1024);
  const struct alive_run *run = alive_go(&x);
  const struct seen *s = seen(run, 0, 2);
  ck_assert_double_ge(s->end_s - s->start_s, (2 * 30 - 10) * MS);
  ALIVE("its share", s->share_s, 30 * MS);
  ALIVE("the other's end", seen(run, ALIVE_RIVAL, 0)->end_s, (3 + 100 + 30) * MS);
  alive_close(&x);
}
END_TEST

/* Each network is an app with threads of its own: one whose request comes after a pause has slept and breaks in, though requests of another follow each other
 * on the same core, beside somebody who always computes. Only where that other one has just woken up, too, it waits for its 1 ms; else it takes 1 ms itself. */
START_TEST(another_app_has_slept)
{
  enum { TIMES = 10 };
  double sum_s = 0;
  for (int i = 0; i < TIMES; i++) {
    struct alive x;
    struct hs_system of_other;
    open_sliced(&x, NULL);
    of_other = x.r.sys;
    x.inferences = 60;
    x.inference.sys = &x.r.sys;
    alive_add(&x, CPU, 0, 2.5e6, 0);
    alive_rival(&x, 2, 0, alive_task(CPU, 0, 200 * 2.5e6, 0), 1024);
    alive_other(&x, (50 + i) * MS, alive_task(CPU, 0, 2.5e6, 0), alive_task(DSP, 1e3, 0, 0));
    x.rivals[0].sys = &of_other;
    const struct seen *s = seen(alive_go(&x), ALIVE_OTHER, 0);
    sum_s += s->end_s - s->start_s;
    alive_close(&x);
  }
  ck_assert_double_lt(sum_s / TIMES, 1.3 * MS); /* 1.86 with one virtual time for both */
}
END_TEST

/* On the big core the thread of one inference waits for its next operator, for 30 ms, and takes turns with somebody else meanwhile. That of another, whose operator
 * has no other thread, doesn't wait when it is done: somebody else has its 1 ms less, and not a part of the core for as long as the first one waits. */
START_TEST(who_does_not_wait_leaves_its_core)
{
  double end_s[2];
  for (int other = 0; other < 2; other++) {
    struct alive x;
    open_sliced(&x, NULL);
    x.r.sys.backends[CPU].spin_s = 30 * MS;
    alive_add(&x, CPU, 1.6e6, 2.5e6, 0);
    alive_add(&x, GPU, 90 * 0.585e6, 0, 0);
    alive_rival(&x, 2, 0, alive_task(CPU, 0, 100 * 2.5e6, 0), 1024);
    if (other) alive_other(&x, 8 * MS, alive_task(CPU, 0, 2.5e6, 0), alive_task(DSP, 90 * 1.1e6, 0, 0));
    end_s[other] = seen(alive_go(&x), ALIVE_RIVAL - 2, 0)->end_s;
    alive_close(&x);
  }
  ck_assert_double_eq_tol(end_s[1] - end_s[0], 1 * MS, 1 * MS); /* turns aren't the same ones */
}
END_TEST

/* Whose inference ends while it waits on a core for its other threads leaves that to two, who have 5 ms each (4 to 6 as the core draws) instead of 3.3 (2.7 to 4)
 * from when the turn in course began: the first, whose turn begins at 2.7 to 4 ms, is done with its 4.05 ms in one, as the inference ends after 5. */
START_TEST(who_leaves_a_core_makes_slices_longer)
{
  struct alive x;
  open_patient(&x, NULL);
  x.r.sys.backends[CPU].spin_s = 30 * MS;
  alive_add(&x, CPU, 5 * 1.6e6, 0.5 * 2.5e6, 0);
  alive_rival(&x, 0, 1 * MS, alive_task(CPU, 0, 4.05 * 2.5e6, 0), 1024);
  alive_rival(&x, 1, 1 * MS, alive_task(CPU, 0, 60 * 2.5e6, 0), 1024);
  const struct alive_run *run = alive_go(&x);
  ALIVE("the inference", run->done_s[0], 5 * MS);
  ck_assert_double_le(seen(run, ALIVE_RIVAL, 0)->end_s, (4 + 4.05) * MS);
  alive_close(&x);
}
END_TEST

/* So do the threads of one: 10 ms on two mids, of 5 GB/s together, and 60 MB. Somebody has the first one until 1 ms. The second thread, which begins at 0.5 ms,
 * moves 3 GB/s alone, then 2.5, and has 9.5 ms of its work left then: it ends at 12.4 ms, and the first one, with half a ms of its own left, at 12.9. */
START_TEST(threads_share_what_their_cores_move)
{
  struct alive x;
  struct hs_task t = alive_task(CPU, 1.6e6, 0, 0);
  t.work.cores[0] = 1;
  open_patient(&x, NULL);
  x.r.sys.backends[CPU].cores[0] = 2;
  x.r.sys.backends[CPU].cores[1] = 0;
  alive_rival(&x, 0, 0, t, 1024);
  alive_add(&x, CPU, 0, 0, 0)->delay_s = 0.5 * MS;
  alive_add(&x, CPU, 16e6, 0, 60e6)->work.cores[0] = 2;
  ALIVE("end", alive_go(&x)->done_s[0], 12.9 * MS);
  alive_close(&x);
}
END_TEST

static void fill(TCase *t)
{
  tcase_add_test(t, memory_is_shared_as_simulated);
  tcase_add_test(t, inferences_share_what_their_cores_move);
  tcase_add_test(t, who_comes_back_shares_its_core);
  tcase_add_test(t, another_app_has_slept);
  tcase_add_test(t, who_does_not_wait_leaves_its_core);
  tcase_add_test(t, who_leaves_a_core_makes_slices_longer);
  tcase_add_test(t, threads_share_what_their_cores_move);
  tcase_add_test(t, a_task_that_is_cut_keeps_its_place);
  tcase_add_test(t, counted_as_simulated);
  tcase_add_test(t, who_waits_does_not_work);
  tcase_add_test(t, who_is_done_spins_and_sleeps);
  tcase_add_test(t, a_run_ends_as_a_task_begins);
  tcase_add_test(t, a_stretched_task_takes_so_much_longer);
  tcase_add_test(t, a_clock_that_changes_leaves_waits_as_they_are);
  tcase_add_test(t, nothing_to_do_takes_no_time);
  tcase_add_test(t, alone_nothing_changes);
  tcase_add_test(t, who_slept_is_not_delayed);
  tcase_add_test(t, who_comes_first_has_slept);
  tcase_add_test(t, one_thread_has_its_share);
  tcase_add_test(t, slices_are_out_of_step);
  tcase_add_loop_test(t, a_slice_begins_with_the_turn, 0, 2);
  tcase_add_test(t, a_turn_goes_on_uncut);
  tcase_add_test(t, a_turn_ends_with_sleep);
  tcase_add_test(t, a_turn_is_ones_own);
  tcase_add_test(t, weights_count);
  tcase_add_test(t, the_last_thread_decides);
  tcase_add_test(t, a_run_ends_in_the_middle_of_slices);
}

int main(void) { return hs_test_main("slices", fill); }
