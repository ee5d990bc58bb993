/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which units of a network Band joins to one sub-graph. */
#include "tests/model/fixture.h"

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

static void fill(TCase *t)
{
  tcase_add_test(t, what_reads_from_before);
  tcase_add_test(t, what_reads_an_input);
}

int main(void) { return hs_test_main("band_units", fill); }
