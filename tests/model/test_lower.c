/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Programs written out: which tasks a placement becomes, on which processor, moving what, after what; and where parts of an operator end. Kernels of a GPU that are
 * cut into launches are in test_lower_launches.c. */
#include "tests/model/two_convs.h"

/* x is 1·10·10·4 fp32 = 1600 bytes, a and o are 3200. Where none of it costs anything the host does it all the same, one after the other: a kernel waits for its
 * launch. */
START_TEST(steps_of_a_gpu_that_cost_nothing)
{
  struct fixture f;
  make(&f, "[1,10,10,4]", TWO_CONVS, "'o'", HS_IMAGE);
  memset(f.soc->sharing, 0, sizeof f.soc->sharing);
  check_program(&f, fixture_place_all(&f, 1),
                "0 map cpu 1600\n1 sync cpu 1600 <0\n2 launch cpu 0\n3 transform gpu 1600 <2\n4 launch cpu 0\n5 exec gpu 0 <4,3\n"
                "6 launch cpu 0\n7 exec gpu 0 <6,5\n8 launch cpu 0\n9 transform gpu 3200 <8,7\n10 sync cpu 3200 <9\n11 map cpu 3200 <10\n");
  fixture_free(&f);
}
END_TEST

/* With images the host waits for a conversion that an idle GPU has to begin with, with buffers for what is done. */
START_TEST(only_a_conversion_has_to_begin)
{
  static const struct {
    int memory_type, sync;
  } cases[] = {{HS_IMAGE, 10}, {HS_BUFFER, 6}};
  for (int i = 0; i < 2; i++) {
    struct fixture f;
    struct hs_program *p = NULL;
    struct hs_error err;
    make(&f, "[1,10,10,4]", TWO_CONVS, "'o'", cases[i].memory_type);
    struct hs_comm_cost *costs = f.soc->sharing[HS_GPU][HS_CPU];
    costs[HS_WAKE] = (struct hs_comm_cost){.fixed_s = 71e-6};
    ck_assert_int_eq(hs_lower(&f.sys, f.graph, fixture_place_all(&f, 1), &p, &err), HS_OK);
    ck_assert_int_eq(p->tasks[cases[i].sync].kind, HS_TASK_SYNC);
    ck_assert_near(p->tasks[cases[i].sync].delay_s, costs[HS_SYNC].fixed_s + costs[HS_SYNC].s_per_byte * 3200 + (i == 0 ? 71e-6 : 0));
    hs_program_free(p);
    fixture_free(&f);
  }
}
END_TEST

/* A chain cut by height, 10 rows: rows [0,5) on the GPU, [5,10) on the CPU. For its 5 rows of o the CPU needs a's rows [4,10), so it
 * computes 6 of a (halo), reading x's rows [3,10); the GPU computes a's [0,6) from x's [0,7). What o pads both compute of a, too: a row
 * below or above, and two columns. Nothing crosses in between. At the end the CPU's 5 rows of o (1600 bytes) go home to the GPU and are
 * given up. x: the GPU's 7 rows are 1120 bytes. Then all of o goes out, from the GPU. */
START_TEST(chain_by_height)
{
  struct fixture f;
  struct hs_program *p = NULL;
  struct hs_error err;
  make(&f, "[1,10,10,4]", TWO_CONVS, "'o'", HS_BUFFER);
  struct hs_placement *pl = hs_placement_new(&f.arena, 2);
  for (int i = 0; i < 2; i++) halve(&pl->ops[i], HS_SPLIT_HEIGHT, 1, 0);
  check_program(&f, pl,
                "0 map cpu 1120\n1 sync cpu 1120 <0\n2 launch cpu 0\n3 exec gpu 0 <2\n4 exec cpu 0\n5 launch cpu 0\n6 exec gpu 0 <5,3\n7 exec cpu 0 <4\n"
                        "8 map cpu 1600 <7\n9 sync cpu 1600 <8\n10 sync cpu 3200 <9,6\n11 map cpu 3200 <10\n");
  ck_assert_int_eq(hs_lower(&f.sys, f.graph, pl, &p, &err), HS_OK);
  ck_assert_near(p->tasks[3].work.cycles[0] - f.sys.backends[1].kernel->overhead_cycles, p->tasks[6].work.cycles[0] * 7 * 12 * 36 / (5 * 10 * 72.0));
  ck_assert_near(p->tasks[4].work.cycles[0], 7 * 12 * 8 * 36 / 4.0); /* 7 rows of a */
  ck_assert_near(p->tasks[7].work.cycles[0], 5 * 10 * 8 * 72 / 4.0); /* 5 rows of o */
  hs_program_free(p);
  fixture_free(&f);
}
END_TEST

/* 0.42 of ten rows are 5 on the GPU, 0.401 are 4. The CPU's share is rounded to the nearest. */
START_TEST(rows_of_the_gpu_are_rounded_up)
{
  struct fixture f;
  struct hs_range ranges[HS_PARTS_MAX];
  make(&f, "[1,10,10,4]", TWO_CONVS, "'o'", HS_BUFFER);
  struct hs_op_placement gpu_first = {.split = HS_SPLIT_HEIGHT, .n_parts = 2, .parts = {{1, 0.42, -1}, {0, 0.58, -1}}, .home = 1, .chain = -1};
  struct hs_op_placement cpu_first = gpu_first;
  hs_placement_ranges(&f.sys, f.graph, &f.graph->ops[0], &gpu_first, ranges);
  ck_assert_int_eq(ranges[0].end, 5);
  ck_assert_int_eq(ranges[1].begin, 5);
  ck_assert_int_eq(ranges[1].end, 10);
  gpu_first.parts[0].fraction = 0.401;
  hs_placement_ranges(&f.sys, f.graph, &f.graph->ops[0], &gpu_first, ranges);
  ck_assert_int_eq(ranges[0].end, 4);
  cpu_first.parts[0].processor = 0;
  cpu_first.parts[1].processor = 1;
  hs_placement_ranges(&f.sys, f.graph, &f.graph->ops[0], &cpu_first, ranges);
  ck_assert_int_eq(ranges[0].end, 4);
  fixture_free(&f);
}
END_TEST

/* What a fraction lacks in binary doesn't count: 0.3 of 57 rows are 17.1, so 18 on the GPU, though 0.3 * 57 is less. And 0.29 of 100 channels are 29, which
 * takes eight fours, though 0.29 * 100 is less, which would be cut off to 28. */
START_TEST(shares_of_the_gpu_are_decimal)
{
  static const struct {
    enum hs_split split;
    double fraction, exact;
    int end;
  } cases[] = {{HS_SPLIT_HEIGHT, 0.3, 17.1, 18}, {HS_SPLIT_CHANNEL, 0.29, 29, 32}};
  struct fixture f;
  struct hs_range ranges[HS_PARTS_MAX];
  make(&f, "[1,57,10,4]", "{'name': 'o', 'inputs': ['x'], 'op': 'Conv', 'channels': 100, 'kernel': [1,1]}", "'o'", HS_BUFFER);
  for (int i = 0; i < 2; i++) {
    double fraction = cases[i].fraction;
    struct hs_op_placement pl = {.split = cases[i].split, .n_parts = 2, .parts = {{1, fraction, -1}, {0, 1 - fraction, -1}}, .home = 1, .chain = -1};
    ck_assert_double_lt(fraction * (double)hs_split_extent(f.graph, f.graph->ops, cases[i].split), cases[i].exact);
    hs_placement_ranges(&f.sys, f.graph, f.graph->ops, &pl, ranges);
    ck_assert_int_eq(ranges[0].end, cases[i].end);
  }
  fixture_free(&f);
}
END_TEST

/* Of 16 channels 0.32 are 5, which takes two fours on the GPU, and 0.05 more would end at the sixth: that part gets none, and the last what is left. */
START_TEST(a_part_may_be_rounded_to_nothing)
{
  struct fixture f;
  struct hs_range ranges[HS_PARTS_MAX];
  make(&f, "[1,10,10,4]", "{'name': 'o', 'inputs': ['x'], 'op': 'Conv', 'channels': 16, 'kernel': [1,1]}", "'o'", HS_BUFFER);
  const struct hs_op_placement pl = {.split = HS_SPLIT_CHANNEL, .n_parts = 3, .parts = {{1, 0.32, -1}, {0, 0.05, -1}, {0, 0.63, -1}}, .home = 1, .chain = -1};
  hs_placement_ranges(&f.sys, f.graph, f.graph->ops, &pl, ranges);
  ck_assert_int_eq(ranges[0].end, 8);
  ck_assert(hs_range_empty(ranges[1]));
  ck_assert_int_eq(ranges[2].begin, 8);
  ck_assert_int_eq(ranges[2].end, 16);
  fixture_free(&f);
}
END_TEST

/* Of a chain in which nothing but o reads a by parts, a part of a is what o's needs, though a's own share of it is larger: 2 of 10 rows of
 * o on the GPU need 3 of a's, whose share were 8, with a row and two columns of padding; the CPU computes the other 9 (8 and a row of halo), with the same
 * padding. Where somebody else reads a, too, the GPU's share of it stays: its 8 rows are more than the 4 that o takes with its padding. */
START_TEST(a_chain_computes_what_its_end_needs)
{
  struct fixture f;
  struct hs_program *p = NULL;
  struct hs_error err;
  struct hs_work w;
  make(&f, "[1,10,10,4]", TWO_CONVS, _i ? "'a', 'o'" : "'o'", HS_BUFFER);
  struct hs_placement *pl = hs_placement_new(&f.arena, 2);
  for (int i = 0; i < 2; i++) halve(&pl->ops[i], HS_SPLIT_HEIGHT, 1, 0);
  pl->ops[0].parts[0].fraction = 0.8;
  pl->ops[0].parts[1].fraction = 0.2;
  pl->ops[1].parts[0].fraction = 0.2;
  pl->ops[1].parts[1].fraction = 0.8;
  ck_assert_int_eq(hs_lower(&f.sys, f.graph, pl, &p, &err), HS_OK);
  double cycles[2] = {0, 0};
  for (int i = 0; i < p->n_tasks; i++)
    if (p->tasks[i].kind == HS_TASK_EXEC && p->tasks[i].op == 0) cycles[p->tasks[i].processor] += p->tasks[i].work.cycles[0];
  ck_assert_near(cycles[0], 10 * 12 * 8 * 36 / 4.0);
  hs_cost_exec_bordered(&f.sys, f.graph, &f.graph->ops[0], 1, (struct hs_range){HS_SPLIT_HEIGHT, 0, _i ? 8 : 3}, (struct hs_border){_i ? 0 : 1, 2}, false,
                        &w);
  hs_cost_start(&f.sys, 1, &w);
  ck_assert_near(cycles[1], w.cycles[0]);
  hs_program_free(p);
  fixture_free(&f);
}
END_TEST

/* What reads one tensor twice fetches it once. */
START_TEST(fetches_once)
{
  struct fixture f;
  make(&f, "[1,10,10,4]", "{'name': 'o', 'inputs': ['x', 'x'], 'op': 'Add'}", "'o'", HS_BUFFER);
  check_program(&f, fixture_place_all(&f, 1), "0 map cpu 1600\n1 sync cpu 1600 <0\n2 launch cpu 0\n3 exec gpu 0 <2\n4 sync cpu 1600 <3\n5 map cpu 1600 <4\n");
  fixture_free(&f);
}
END_TEST

#define TWO_READERS                                                                       \
  "{'name': 'a', 'inputs': ['x'], 'op': 'Conv', 'channels': 8, 'kernel': [1,1]}, "        \
  "{'name': 'b', 'inputs': ['a'], 'op': 'Conv', 'channels': 8, 'kernel': [1,1]}, "        \
  "{'name': 'o', 'inputs': ['a'], 'op': 'Conv', 'channels': 8, 'kernel': [1,1]}"

/* Two read a, which the GPU computes: the CPU's half of each needs all of it (3200 bytes), and fetches it for itself; that the GPU is done it knows by then.
 * The network's input stays where it was. */
START_TEST(each_fetches_for_itself)
{
  struct fixture f;
  make(&f, "[1,10,10,4]", TWO_READERS, "'b', 'o'", HS_BUFFER);
  struct hs_placement *pl = fixture_place_all(&f, 1);
  for (int i = 1; i < 3; i++) halve(&pl->ops[i], HS_SPLIT_CHANNEL, 1, -1);
  check_program(&f, pl, "0 map cpu 1600\n1 sync cpu 1600 <0\n2 launch cpu 0\n3 exec gpu 0 <2\n"
                        "4 sync cpu 3200 <3\n5 map cpu 3200 <4\n6 launch cpu 0\n7 exec gpu 0 <6,3\n8 exec cpu 0 <5\n9 map cpu 1600 <8\n10 sync cpu 1600 <9\n"
                        "11 map cpu 3200 <4\n12 launch cpu 0\n13 exec gpu 0 <12,3\n14 exec cpu 0 <11\n15 map cpu 1600 <14\n16 sync cpu 1600 <15\n"
                        "17 sync cpu 6400 <16,13\n18 map cpu 3200 <17\n19 map cpu 3200 <17\n");
  fixture_free(&f);
}
END_TEST

/* So do two that the CPU computes whole for the GPU's memory, as CoDL's executor runs them. */
START_TEST(each_whole_one_fetches_for_itself)
{
  struct fixture f;
  make(&f, "[1,10,10,4]", "{'name': 'a', 'inputs': ['x'], 'op': 'Conv', 'channels': 8, 'kernel': [1,1]}, "
                          "{'name': 'b', 'inputs': ['a'], 'op': 'Conv', 'channels': 8, 'kernel': [1,1]}, "
                          "{'name': 'c', 'inputs': ['a'], 'op': 'Conv', 'channels': 8, 'kernel': [1,1]}, "
                          "{'name': 'o', 'inputs': ['b', 'c'], 'op': 'Add'}", "'o'", HS_BUFFER);
  struct hs_placement *pl = fixture_place_all(&f, 1);
  for (int i = 1; i < 3; i++) {
    hs_place_whole(&pl->ops[i], 0);
    pl->ops[i].home = 1;
  }
  check_program(&f, pl, "0 map cpu 1600\n1 sync cpu 1600 <0\n2 launch cpu 0\n3 exec gpu 0 <2\n"
                        "4 sync cpu 3200 <3\n5 map cpu 3200 <4\n6 exec cpu 0 <5\n7 map cpu 3200 <6\n8 sync cpu 3200 <7\n"
                        "9 map cpu 3200 <4\n10 exec cpu 0 <9\n11 map cpu 3200 <10\n12 sync cpu 3200 <11\n"
                        "13 launch cpu 0\n14 exec gpu 0 <13\n15 sync cpu 3200 <14\n16 map cpu 3200 <15\n");
  fixture_free(&f);
}
END_TEST

/* What the CPU computed for itself it keeps, though the GPU, which then has a copy, computes with that in between. */
START_TEST(the_host_keeps_what_it_made)
{
  struct fixture f;
  make(&f, "[1,10,10,4]", TWO_READERS, "'b', 'o'", HS_BUFFER);
  struct hs_placement *pl = fixture_place_all(&f, 0);
  hs_place_whole(&pl->ops[1], 1);
  pl->ops[1].home = 1;
  check_program(&f, pl, "0 exec cpu 0\n1 map cpu 3200 <0\n2 sync cpu 3200 <1\n3 launch cpu 0\n4 exec gpu 0 <3\n5 exec cpu 0 <0\n"
                        "6 sync cpu 3200 <4\n7 map cpu 3200 <6\n");
  fixture_free(&f);
}
END_TEST

/* Where channels are packed, both parts get whole vectors: of 40, half with the GPU, which packs four, ends behind 24, as the CPU packs eight. */
START_TEST(channels_round_to_vectors)
{
  struct fixture f;
  struct hs_range r[HS_PARTS_MAX];
  make(&f, "[1,10,10,4]", "{'name': 'o', 'inputs': ['x'], 'op': 'Conv', 'channels': 40, 'kernel': [1,1]}", "'o'", HS_BUFFER);
  struct hs_kernel k[2] = {*f.sys.backends[0].kernel, *f.sys.backends[1].kernel};
  struct hs_placement *pl = hs_placement_new(&f.arena, 1);
  halve(&pl->ops[0], HS_SPLIT_CHANNEL, 1, -1);
  for (int p = 0; p < 2; p++) {
    k[p].packing.lanes = p == 0 ? 8 : 4;
    f.sys.backends[p].kernel = &k[p];
  }
  hs_placement_ranges(&f.sys, f.graph, &f.graph->ops[0], &pl->ops[0], r);
  ck_assert_int_eq(r[0].end, 24);
  fixture_free(&f);
}
END_TEST

/* Two branches that meet on the CPU. Early: the GPU's result is converted before the CPU turns to its own, and the sync counts from there. */
START_TEST(early_results)
{
  struct fixture f;
  make(&f, "[1,10,10,4]",
       "{'name': 'a', 'inputs': ['x'], 'op': 'Conv', 'channels': 8, 'kernel': [3,3], 'pad': 'same'}, "
       "{'name': 'b', 'inputs': ['x'], 'op': 'Conv', 'channels': 8, 'kernel': [3,3], 'pad': 'same'}, "
       "{'name': 'o', 'inputs': ['a', 'b'], 'op': 'Add'}",
       "'o'", HS_IMAGE);
  struct hs_placement *pl = fixture_place_all(&f, 0);
  hs_place_whole(&pl->ops[0], 1);
  check_program(&f, pl, "0 map cpu 1600\n1 sync cpu 1600 <0\n2 launch cpu 0\n3 transform gpu 1600 <2\n4 launch cpu 0\n5 exec gpu 0 <4,3\n6 exec cpu 0\n"
                        "7 launch cpu 0\n8 transform gpu 3200 <7,5\n9 sync cpu 3200 <8\n10 map cpu 3200 <9\n11 exec cpu 0 <10\n");
  pl->ops[0].early = true;
  check_program(&f, pl, "0 map cpu 1600\n1 sync cpu 1600 <0\n2 launch cpu 0\n3 transform gpu 1600 <2\n4 launch cpu 0\n5 exec gpu 0 <4,3\n"
                        "6 launch cpu 0\n7 transform gpu 3200 <6,5\n8 exec cpu 0\n9 sync cpu 3200 <7\n10 map cpu 3200 <9\n11 exec cpu 0 <10\n");
  struct hs_program *p = NULL;
  struct hs_error err;
  ck_assert_int_eq(hs_lower(&f.sys, f.graph, pl, &p, &err), HS_OK);
  for (int i = 0; i < p->n_tasks; i++) ck_assert_int_eq(p->tasks[i].from_deps, i == 9);
  hs_program_free(p);
  fixture_free(&f);
}
END_TEST

/* Of two results that one sync serves one is early, whichever is read first: the host waits for the other from when it asks for it. */
START_TEST(a_sync_serves_an_early_result_and_another)
{
  struct fixture f;
  struct hs_program *p = NULL;
  struct hs_error err;
  int serves_both = 0;
  make(&f, "[1,10,10,4]",
       "{'name': 'a', 'inputs': ['x'], 'op': 'Conv', 'channels': 8, 'kernel': [3,3], 'pad': 'same'}, "
       "{'name': 'b', 'inputs': ['x'], 'op': 'Conv', 'channels': 8, 'kernel': [3,3], 'pad': 'same'}, "
       "{'name': 'o', 'inputs': ['a', 'b'], 'op': 'Add'}",
       "'o'", HS_IMAGE);
  struct hs_placement *pl = fixture_place_all(&f, 1);
  hs_place_whole(&pl->ops[2], 0);
  pl->ops[_i].early = true;
  hs_test_accepted(hs_lower(&f.sys, f.graph, pl, &p, &err), &err);
  for (int i = 0; i < p->n_tasks; i++) {
    ck_assert(!p->tasks[i].from_deps);
    serves_both += p->tasks[i].kind == HS_TASK_SYNC && p->tasks[i].moved_bytes == 6400;
  }
  ck_assert_int_eq(serves_both, 1);
  hs_program_free(p);
  fixture_free(&f);
}
END_TEST

static void fill(TCase *t)
{
  tcase_add_test(t, steps_of_a_gpu_that_cost_nothing);
  tcase_add_test(t, only_a_conversion_has_to_begin);
  tcase_add_test(t, chain_by_height);
  tcase_add_test(t, rows_of_the_gpu_are_rounded_up);
  tcase_add_test(t, shares_of_the_gpu_are_decimal);
  tcase_add_test(t, a_part_may_be_rounded_to_nothing);
  tcase_add_loop_test(t, a_chain_computes_what_its_end_needs, 0, 2);
  tcase_add_test(t, fetches_once);
  tcase_add_test(t, each_fetches_for_itself);
  tcase_add_test(t, each_whole_one_fetches_for_itself);
  tcase_add_test(t, the_host_keeps_what_it_made);
  tcase_add_test(t, channels_round_to_vectors);
  tcase_add_test(t, early_results);
  tcase_add_loop_test(t, a_sync_serves_an_early_result_and_another, 0, 2);
}

int main(void) { return hs_test_main("lower", fill); }
