/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Kernels of a GPU that are cut into launches, since none may take longer than a limit, and the window of launches after which the host waits: which tasks that
 * makes, and how work and start-up are shared out among them. */
#include "tests/model/two_convs.h"

#include "out/check.h"

/* A launch of n rows of a (of 10): 1000 + 720 n cycles at 2 GHz, 598.4 n bytes at 1 GB/s; in 2 µs 3 rows: 3, 3, 3 and 1. Of o: 1000 + 1440
 * n cycles, 873.6 n bytes: 2 rows, 5 times. The 1000 draw no dynamic power, in any of them. After every third launch the host waits; the
 * last wait tells it that o is done. */
START_TEST(cut_kernels_and_a_window)
{
  struct fixture f;
  struct hs_program *p = NULL;
  struct hs_error err;
  struct hs_settings s = {.runtime = hs_runtime_find("mace"), .precision = -1, .memory_type = HS_BUFFER, .gpu_kernel_s = 2e-6, .gpu_window = 3};
  fixture_make(&f, NULL, fixture_profile(1000, 4, 0, 0), &s);
  fixture_graph(&f, "[1,10,10,4]", TWO_CONVS, "'o'");
  struct hs_placement *pl = fixture_place_all(&f, 1);
  check_program(&f, pl, "0 map cpu 1600\n1 sync cpu 1600 <0\n"
                        "2 launch cpu 0\n3 exec gpu 0 <2\n4 launch cpu 0\n5 exec gpu 0 <4,3\n6 launch cpu 0\n7 exec gpu 0 <6,5\n8 sync cpu 0 <7\n"
                        "9 launch cpu 0 <8\n10 exec gpu 0 <9,7\n11 launch cpu 0\n12 exec gpu 0 <11,10\n13 launch cpu 0\n"
                        "14 exec gpu 0 <13,12\n15 sync cpu 0 <14\n"
                        "16 launch cpu 0 <15\n17 exec gpu 0 <16,14\n18 launch cpu 0\n19 exec gpu 0 <18,17\n20 launch cpu 0\n"
                        "21 exec gpu 0 <20,19\n22 sync cpu 0 <21\n"
                        "23 map cpu 3200 <22\n");
  ck_assert_int_eq(hs_lower(&f.sys, f.graph, pl, &p, &err), HS_OK);
  static const struct {
    int task, launch, n_launches;
    double cycles, bytes;
  } launches[] = {{3, 0, 4, 3160, 1795.2}, {5, 1, 4, 3160, 1795.2}, {7, 2, 4, 3160, 1795.2}, {10, 3, 4, 1720, 598.4},
                  {12, 0, 5, 3880, 1747.2}, {14, 1, 5, 3880, 1747.2}, {17, 2, 5, 3880, 1747.2}, {19, 3, 5, 3880, 1747.2}, {21, 4, 5, 3880, 1747.2}};
  for (size_t i = 0; i < sizeof launches / sizeof *launches; i++) {
    const struct hs_task *t = &p->tasks[launches[i].task];
    ck_assert_int_eq(t->launch, launches[i].launch);
    ck_assert_int_eq(t->n_launches, launches[i].n_launches);
    ck_assert_near(t->work.cycles[0], launches[i].cycles);
    ck_assert_near(t->work.bytes, launches[i].bytes);
    ck_assert_near(t->work.hosted, 1000);
  }
  hs_test_accepted(hs_check_program(p, &err), &err);
  hs_program_free(p);
  const struct hs_kernel *before = f.sys.backends[1].kernel;
  struct hs_kernel starting = *before;
  starting.start_cycles = 500; /* the invocation's: the first launch has them, and no part of them is any other's */
  f.sys.backends[1].kernel = &starting;
  ck_assert_int_eq(hs_lower(&f.sys, f.graph, pl, &p, &err), HS_OK);
  for (size_t i = 0; i < sizeof launches / sizeof *launches; i++) {
    const struct hs_task *t = &p->tasks[launches[i].task];
    double cycles = launches[i].cycles + (i == 0 ? 500 : 0);
    ck_assert_int_eq(t->starts, i == 0);
    ck_assert_near(t->work.cycles[0], cycles);
    ck_assert_near(t->work.hosted, 1000 + (i == 0 ? 500 : 0));
  }
  hs_program_free(p);
  f.sys.backends[1].kernel = before;
  pl->ops[0].parts[0].opp = 0; /* where the plan has 1 GHz, one row of a takes 1.72 µs, and two take 2.44 */
  ck_assert_int_eq(hs_lower(&f.sys, f.graph, pl, &p, &err), HS_OK);
  ck_assert_int_eq(p->tasks[3].n_launches, 10);
  hs_program_free(p);
  pl->ops[0].parts[0].opp = -1;
  f.soc->sharing[HS_GPU][HS_CPU][HS_SYNC] = (struct hs_comm_cost){0}; /* where waiting costs nothing, the host waits all the same */
  ck_assert_int_eq(hs_lower(&f.sys, f.graph, pl, &p, &err), HS_OK);
  char *text = listing(&f, p);
  ck_assert_msg(strstr(text, "7 exec gpu 0 <6,5\n8 sync cpu 0 <7\n9 launch cpu 0 <8\n10 exec gpu 0 <9,7\n"), "%s", text);
  free(text);
  hs_program_free(p);
  fixture_free(&f);
}
END_TEST

/* What the host waits for is converted by a GPU that has to begin with it (wake), whether the wait is a crossing's or fills a window: of four launches
 * (a conversion for the GPU, a, o, a conversion for the host) the last ends windows of 1, 2 and 4, and none of 3. The other waits take a SYNC. */
START_TEST(window_ends_with_a_conversion)
{
  for (int window = 0; window <= 4; window++) {
    struct fixture f;
    struct hs_program *p = NULL;
    struct hs_error err;
    struct hs_settings s = {.runtime = hs_runtime_find("mace"), .precision = -1, .memory_type = HS_IMAGE, .gpu_window = window};
    fixture_make(&f, NULL, fixture_profile(1000, 4, 0, 0), &s);
    fixture_graph(&f, "[1,10,10,4]", TWO_CONVS, "'o'");
    f.soc->sharing[HS_GPU][HS_CPU][HS_WAKE] = (struct hs_comm_cost){.fixed_s = 3e-4};
    double sync_s = hs_comm_seconds(&f.sys, HS_GPU, HS_CPU, HS_SYNC, 3200), last_s = 0;
    hs_test_accepted(hs_lower(&f.sys, f.graph, fixture_place_all(&f, 1), &p, &err), &err);
    for (int i = 0; i < p->n_tasks; i++) {
      const struct hs_task *t = &p->tasks[i];
      if (t->kind != HS_TASK_SYNC || t->from != 1) continue;
      if (last_s > 0) ck_assert_near(last_s, hs_comm_seconds(&f.sys, HS_GPU, HS_CPU, HS_SYNC, 0));
      last_s = t->delay_s;
    }
    ck_assert_near(last_s, sync_s + 3e-4);
    hs_program_free(p);
    fixture_free(&f);
  }
}
END_TEST

/* Under a limit that no launch keeps, 0.1 ns behind the 1000 cycles of any, each has the least that it can: one of 4 rows; of a result with one row, or of
 * features, four channels of 10 · 6, or of 30, the last of which are less. */
START_TEST(cut_to_the_least)
{
  static const struct {
    const char *shape, *op;
    int launches;
  } cases[] = {{"[1,4,10,8]", "'Conv', 'channels': 6, 'kernel': [1,1]", 4},
               {"[1,1,10,8]", "'Conv', 'channels': 6, 'kernel': [1,1]", 15},
               {"[1,8]", "'Gemm', 'channels': 30", 8}};
  struct hs_settings s = {.runtime = hs_runtime_find("mace"), .precision = -1, .memory_type = HS_BUFFER, .gpu_kernel_s = 500.1e-9};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct fixture f;
    struct hs_program *p = NULL;
    struct hs_error err;
    char op[120];
    int launches = 0;
    fixture_make(&f, NULL, fixture_profile(1000, 1, 0, 0), &s);
    snprintf(op, sizeof op, "{'name': 'o', 'inputs': ['x'], 'op': %s}", cases[i].op);
    fixture_graph(&f, cases[i].shape, op, "'o'");
    ck_assert_int_eq(hs_lower(&f.sys, f.graph, fixture_place_all(&f, 1), &p, &err), HS_OK);
    for (int k = 0; k < p->n_tasks; k++) launches += p->tasks[k].kind == HS_TASK_EXEC;
    ck_assert_int_eq(launches, cases[i].launches);
    hs_program_free(p);
    fixture_free(&f);
  }
}
END_TEST

/* A grouped convolution that is written out has the start-up of four kernels: that of one is in each launch, and of the others each has its share. */
START_TEST(cut_groups)
{
  struct fixture f;
  struct hs_program *p = NULL;
  struct hs_error err;
  struct hs_settings s = {.runtime = hs_runtime_find("mace"), .precision = -1, .memory_type = HS_BUFFER, .gpu_kernel_s = 3e-6};
  fixture_make(&f, NULL, fixture_profile(1000, 1, 0, 0), &s);
  struct hs_runtime runtime = *f.sys.runtime;
  runtime.backends[HS_GPU].group_slice = 4;
  f.sys.runtime = &runtime;
  fixture_graph(&f, "[1,10,10,6]", "{'name': 'o', 'inputs': ['x'], 'op': 'Conv', 'channels': 6, 'kernel': [1,1], 'group': 2}", "'o'");
  ck_assert_int_eq(hs_lower(&f.sys, f.graph, fixture_place_all(&f, 1), &p, &err), HS_OK);
  int launches = 0;
  double hosted = 0;
  for (int i = 0; i < p->n_tasks; i++) {
    if (p->tasks[i].kind != HS_TASK_EXEC) continue;
    launches++;
    hosted += p->tasks[i].work.hosted;
  }
  ck_assert_int_gt(launches, 1);
  ck_assert_near(hosted, launches * 1000 + 3000.0);
  hs_program_free(p);
  fixture_free(&f);
}
END_TEST

static void fill(TCase *t)
{
  tcase_add_test(t, window_ends_with_a_conversion);
  tcase_add_test(t, cut_kernels_and_a_window);
  tcase_add_test(t, cut_to_the_least);
  tcase_add_test(t, cut_groups);
}

int main(void) { return hs_test_main("lower_launches", fill); }
