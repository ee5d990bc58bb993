/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Band's units, across branches, and which of them it joins to one sub-graph. */
#include "tests/model/fixture.h"
#include "tests/model/rig.h"

#include "policies/band_units.h"

#define CONV(name, from) "{'name': '" name "', 'op': 'Conv', 'inputs': ['" from "'], 'channels': 4, 'kernel': [1, 1]}"

/* a · b · (c, d) · e + a's result: e's unit reads a's result, too, which is in the unit before only if that has begun with a. */
START_TEST(what_reads_from_before)
{
  struct fixture f = {0};
  bool merges[16];
  const int unit[] = {0, 1, 2, 4, 6};
  fixture_graph(&f, "[1, 4, 4, 4]", CONV("a", "x") ", " CONV("b", "a") ", " CONV("c", "b") ", " CONV("d", "c")
                ", {'name': 'e', 'op': 'Add', 'inputs': ['d', 'a']}, " CONV("z", "e"), "'z'");
  hs_band_merges(f.graph, unit, 4, merges);
  const bool expected[4][4] = {{true, true, true, true}, {false, true, true, false}, {false, false, true, false}, {false, false, false, true}};
  for (int i = 0; i < 4; i++)
    for (int j = i; j < 4; j++) ck_assert_msg(merges[4 * i + j] == expected[i][j], "units %d to %d", i, j);
  hs_graph_free(f.graph);
}
END_TEST

/* An input of the network comes from no unit. */
START_TEST(what_reads_an_input)
{
  struct fixture f = {0};
  bool merges[4];
  const int unit[] = {0, 1, 2};
  fixture_graph(&f, "[1, 4, 4, 4]", CONV("a", "x") ", {'name': 'b', 'op': 'Add', 'inputs': ['a', 'x']}", "'b'");
  hs_band_merges(f.graph, unit, 2, merges);
  ck_assert(merges[0] && merges[3] && !merges[1]);
  hs_graph_free(f.graph);
}
END_TEST

/* --- units --- */

#define LAYER(name, from, support) RIG_OP(name, "Conv", "'" from "'", ", 'channels': 4, 'kernel': [1, 1]" support)
#define NOT_ON_GPU ", 'support': {'gpu': false}"
#define BRANCHES                                                                                                                                      \
  RIG_NET(RIG_IN("i", "1, 4, 4, 4"), "'g'",                                                                                                           \
          LAYER("a", "i", "") "," LAYER("b", "a", NOT_ON_GPU) "," LAYER("c", "b", "") "," LAYER("d", "a", "") "," LAYER("e", "d", NOT_ON_GPU) ","     \
          LAYER("f", "e", "") "," RIG_OP("g", "Add", "'c', 'f'", ""))

/* a leads to b and c on one branch, to d, e and f on the other; the GPU can't run b and e. What it can is a and d, and then c, f and g: sets of two and three,
 * though d stands behind c in the file. */
static const struct {
  int minimum, n_units;
  const char *order; /* of the operators, with a bar before each unit; upper case: on the GPU as well */
} units[] = {{1, 3, "|AD|be|CFG"}, {2, 3, "|AD|be|CFG"}, {3, 2, "|abde|CFG"}, {4, 1, "|abcdefg"}};

START_TEST(units_go_across_branches)
{
  struct rig r;
  struct hs_error err;
  struct hs_text is = {0};
  int unit[8];
  rig_open(&r, "mace");
  rig_read_network(&r, BRANCHES);
  struct hs_plan plan = {.arena = &r.arena, .graph = r.graph};
  const struct hs_view view = {&r.sys, r.graph, NULL};
  hs_test_accepted(hs_band_plan(&view, true, units[_i].minimum, &plan, &err), &err);
  ck_assert_int_eq(plan.n, 2);
  const struct hs_graph *g = hs_placement_graph(plan.alternatives[0], r.graph);
  ck_assert_ptr_eq(g, hs_placement_graph(plan.alternatives[1], r.graph));
  ck_assert_int_eq(hs_band_units(&plan, unit), units[_i].n_units);
  for (int i = 0, u = 0; i < g->n_ops; i++) {
    if (unit[u] == i) hs_text_add(&is, "|");
    u += unit[u] == i;
    ck_assert_int_eq(plan.alternatives[0]->ops[i].n_parts, 1);
    hs_text_addf(&is, "%c", *g->ops[i].name - (plan.alternatives[1]->ops[i].n_parts ? 'a' - 'A' : 0));
  }
  ck_assert_str_eq(is.s, units[_i].order);
  for (int a = 0; a < plan.n; a++) hs_placement_release(plan.alternatives[a]);
  hs_text_free(&is);
  rig_close(&r);
}
END_TEST

/* Of a network whose units are stretches of the file nothing is changed. */
START_TEST(units_in_file_order)
{
  struct rig r;
  struct hs_error err;
  rig_open(&r, "mace");
  rig_read_network(&r, RIG_NET(RIG_IN("i", "1, 4, 4, 4"), "'c'", LAYER("a", "i", "") "," LAYER("b", "a", NOT_ON_GPU) "," LAYER("c", "b", "")));
  struct hs_plan plan = {.arena = &r.arena, .graph = r.graph};
  const struct hs_view view = {&r.sys, r.graph, NULL};
  hs_test_accepted(hs_band_plan(&view, true, 1, &plan, &err), &err);
  for (int a = 0; a < plan.n; a++) ck_assert_ptr_null(plan.alternatives[a]->rewritten);
  rig_close(&r);
}
END_TEST

static void fill(TCase *t)
{
  tcase_add_loop_test(t, units_go_across_branches, 0, (int)(sizeof units / sizeof *units));
  tcase_add_test(t, units_in_file_order);
  tcase_add_test(t, what_reads_from_before);
  tcase_add_test(t, what_reads_an_input);
}

int main(void) { return hs_test_main("band_units", fill); }
