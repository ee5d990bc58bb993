/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Branches of a network, found by hand, and another order of its operators. */
#include "tests/policy/cutting.h"

#include "plan/pass.h"
#include "policies/branches.h"

#define RELU(name, from) "{'name': '" name "', 'inputs': ['" from "'], 'op': 'Relu'}, "
#define ADD(name, a, b) "{'name': '" name "', 'inputs': ['" a "','" b "'], 'op': 'Add'}"

/* Branches of the fork at operator `first`: "0 1 1 -> 4", or "none" */
static const struct {
  const char *ops, *output;
  int first;
  const char *expected;
} forks[] = {
  {RELU("a", "x") RELU("b", "x") ADD("o", "a", "b"), "'o'", 0, "0 1 -> 2"},
  {RELU("s", "x") RELU("a", "s") RELU("b", "s") RELU("c", "a") ADD("o", "b", "c"), "'o'", 1, "0 1 0 -> 4"},
  {RELU("s", "x") RELU("a", "s") RELU("b", "s") RELU("c", "a") ADD("o", "b", "c"), "'o'", 0, "none"},  /* s is a chain of its own */
  {RELU("s", "x") RELU("a", "s") RELU("b", "a") ADD("o", "s", "b"), "'o'", 1, "none"},                 /* the other branch has no operator */
  {RELU("a", "x") RELU("b", "x") RELU("c", "b") ADD("o", "a", "b"), "'o','c'", 0, "none"},             /* a result leaves in between */
  {RELU("a", "x") RELU("b", "x") RELU("c", "x") ADD("o", "b", "c"), "'o','a'", 1, "none"},             /* the fork begins before */
  {RELU("a", "x") RELU("b", "a") RELU("c", "a") ADD("d", "b", "c") ", " RELU("e", "x") ADD("o", "d", "e"), "'o'", 0, "0 0 0 0 1 -> 5"},
  {RELU("a", "x") RELU("b", "a") RELU("c", "a") ADD("d", "b", "c") ", " RELU("e", "x") ADD("o", "d", "e"), "'o'", 1, "0 1 -> 3"}, /* inside the branch */
  {RELU("a", "x") RELU("b", "x") RELU("c", "x") RELU("d", "c") ADD("e", "a", "d") ", " ADD("o", "b", "e"), "'o'", 0, "0 1 0 0 0 -> 5"},
};

START_TEST(finds_branches)
{
  struct fixture f;
  struct hs_arena a = {0};
  struct hs_fork fork;
  struct hs_text t = {0};
  make(&f, "mace", HS_BUFFER, -1, forks[_i].ops, forks[_i].output);
  hs_text_add(&t, "");
  if (hs_fork_at(f.graph, forks[_i].first, &fork, &a)) {
    for (int i = 0; i < fork.join - fork.first; i++) hs_text_addf(&t, "%d ", fork.branch[i]);
    hs_text_addf(&t, "-> %d", fork.join);
  } else
    hs_text_add(&t, "none");
  ck_assert_str_eq(t.s, forks[_i].expected);
  hs_text_free(&t);
  hs_arena_free(&a);
  fixture_free(&f);
}
END_TEST

START_TEST(another_order_is_the_same_network)
{
  struct fixture f;
  make(&f, "mace", HS_BUFFER, -1, forks[1].ops, forks[1].output);
  const int order[] = {0, 1, 3, 2, 4};
  struct hs_graph *g = hs_pass_order(f.graph, order);
  ck_assert_int_eq(g->n_ops, 5);
  ck_assert_int_eq(g->n_tensors, f.graph->n_tensors);
  for (int i = 0; i < g->n_ops; i++) {
    ck_assert_str_eq(g->ops[i].name, f.graph->ops[order[i]].name);
    ck_assert_int_eq(g->tensors[g->ops[i].outputs[0]].producer, i);
    for (int k = 0; k < g->ops[i].n_inputs; k++) {
      ck_assert_int_lt(g->tensors[g->ops[i].inputs[k]].producer, i);
      ck_assert_str_eq(g->tensors[g->ops[i].inputs[k]].name, f.graph->tensors[f.graph->ops[order[i]].inputs[k]].name);
    }
  }
  ck_assert_str_eq(g->tensors[g->outputs[0]].name, "o");
  ck_assert(g->tensors[g->outputs[0]].is_output);
  hs_graph_free(g);
  fixture_free(&f);
}
END_TEST

static void fill(TCase *t)
{
  tcase_add_loop_test(t, finds_branches, 0, sizeof forks / sizeof *forks);
  tcase_add_test(t, another_order_is_the_same_network);
}

int main(void) { return hs_test_main("branches", fill); }
