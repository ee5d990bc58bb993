/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where in a program an invocation begins, and that its cost is there and nowhere else. */
#include "tests/model/rig.h"

#include "plan/what_if.h"

/* Which operators' kernels begin an invocation, in the order of the tasks; what that costs (977 cycles) is in their work and in no other's. */
static void starts_are(struct rig *r, const struct hs_placement *pl, int p, const char *expected)
{
  struct hs_kernel k = *r->sys.backends[p].kernel;
  const struct hs_kernel *before = r->sys.backends[p].kernel;
  struct hs_text begun = {0};
  k.start_cycles = 977;
  r->sys.backends[p].kernel = &k;
  struct hs_program *prog = rig_lower(r, pl);
  for (int i = 0; i < prog->n_tasks; i++) {
    const struct hs_task *t = &prog->tasks[i];
    struct hs_work w;
    if (t->processor != p || t->kind != HS_TASK_EXEC) {
      ck_assert(!t->starts || t->kind == HS_TASK_EXEC);
      continue;
    }
    hs_cost_exec(&r->sys, r->graph, &r->graph->ops[t->op], p, (struct hs_range){HS_SPLIT_NONE, 0, 1}, &w);
    ck_assert_double_eq_tol(t->work.cycles[0] - w.cycles[0], t->starts ? 977 : 0, 1e-9 * w.cycles[0]);
    if (t->starts) hs_text_add(&begun, r->graph->ops[t->op].name);
  }
  ck_assert_str_eq(begun.s ? begun.s : "", expected);
  hs_text_free(&begun);
  hs_program_free(prog);
  r->sys.backends[p].kernel = before;
}

/* b reads a on the CPU: c is in a slice of its own, which is invoked again, though c has what it reads and is in the chain of the first. */
START_TEST(a_slice_that_returned_is_over)
{
  struct rig r;
  int invoked = 0;
  rig_open(&r, "tflite");
  rig_read_network(&r, RIG_NET(RIG_IN("i", "1, 6, 5, 8"), "'b', 'c'", RIG_OP("a", "Relu", "'i'", "") "," RIG_OP("b", "Relu", "'a'", "") ","
                               RIG_OP("c", "Tanh", "'a'", "")));
  struct hs_placement *pl = rig_place_all(&r, NPU);
  hs_place_whole(&pl->ops[1], CPU);
  pl->ops[1].chain = 0;
  struct hs_program *prog = rig_lower(&r, pl);
  for (int i = 0; i < prog->n_tasks; i++) invoked += prog->tasks[i].kind == HS_TASK_RPC && prog->tasks[i].to == NPU;
  ck_assert_int_eq(invoked, 2);
  hs_program_free(prog);
  starts_are(&r, pl, NPU, "ac");
  rig_close(&r);
}
END_TEST

/* b, which reads nothing of a slice, leaves its middle: the NPU is invoked again behind it. */
START_TEST(a_slice_ends_where_an_operator_leaves)
{
  struct rig r;
  rig_open(&r, "tflite");
  rig_read_network(&r, RIG_NET(RIG_IN("i", "1, 6, 5, 8") "," RIG_IN("k", "1, 6, 5, 8"), "'b', 'd'", RIG_OP("a", "Relu", "'i'", "") ","
                               RIG_OP("b", "Relu", "'k'", "") "," RIG_OP("c", "Tanh", "'a'", "") "," RIG_OP("d", "Relu", "'c'", "")));
  struct hs_placement *pl = rig_place_all(&r, NPU);
  starts_are(&r, pl, NPU, "a");
  struct hs_program *prog = rig_lower(&r, pl);
  struct hs_totals more;
  struct hs_estimate now, moved;
  struct hs_error err;
  ck_assert(hs_what_if(&r.sys, r.graph, pl, prog, 1, CPU, "test", &more));
  hs_estimate_program(&r.sys, prog, &now, NULL, NULL);
  hs_program_free(prog);
  hs_placement_move(pl, 1, CPU, -1);
  starts_are(&r, pl, NPU, "ac");
  hs_test_accepted(hs_lower_estimate(&r.sys, r.graph, pl, 0, 4, &moved, &err), &err);
  DERIVE("what the same takes if it is only asked", more.latency_s, moved.latency_s - now.latency_s);
  rig_close(&r);
}
END_TEST

/* c, behind b in the NPU's slice, reads what the CPU made before the slice: it is brought before the slice is invoked, which is once. */
START_TEST(a_slice_is_given_what_its_later_operators_read)
{
  struct rig r;
  int invoked = 0, brought = 0;
  rig_open(&r, "tflite");
  rig_read_network(&r, RIG_NET(RIG_IN("i", "1, 6, 5, 8"), "'c'", RIG_OP("a", "Relu", "'i'", "") "," RIG_OP("e", "Tanh", "'i'", "") ","
                               RIG_OP("b", "Relu", "'a'", "") "," RIG_OP("c", "Add", "'b', 'e'", "")));
  struct hs_placement *pl = rig_place_all(&r, NPU);
  for (int i = 0; i < 2; i++) {
    hs_place_whole(&pl->ops[i], CPU);
    pl->ops[i].chain = -1;
  }
  struct hs_program *prog = rig_lower(&r, pl);
  for (int i = 0; i < prog->n_tasks; i++) {
    const struct hs_task *t = &prog->tasks[i];
    brought += t->kind == HS_TASK_MAP && t->to == NPU;
    if (t->kind != HS_TASK_RPC || t->to != NPU) continue;
    ck_assert_int_eq(brought, 2);
    invoked++;
  }
  ck_assert_int_eq(invoked, 1);
  hs_program_free(prog);
  starts_are(&r, pl, NPU, "b");
  rig_close(&r);
}
END_TEST

#define FOUR RIG_NET(RIG_IN("i", "1, 6, 5, 8"), "'d'", RIG_OP("a", "Relu", "'i'", "") "," RIG_OP("b", "Tanh", "'a'", "") ","        \
                     RIG_OP("c", "Relu", "'b'", "") "," RIG_OP("d", "Tanh", "'c'", ""))

/* A DSP or NPU is invoked for each slice, a GPU has a start in a program, however often results cross: lower.h has what crossing costs. */
START_TEST(what_an_invocation_costs)
{
  for (int p = GPU; p <= NPU; p++) {
    struct rig r;
    rig_open(&r, "tflite");
    rig_read_network(&r, FOUR);
    starts_are(&r, rig_place_all(&r, p), p, "a");
    struct hs_placement *pl = rig_place_all(&r, p); /* two slices, one behind the other */
    pl->ops[2].chain = pl->ops[3].chain = 1;
    starts_are(&r, pl, p, p == GPU ? "a" : "ac");
    hs_place_whole(&pl->ops[1], CPU); /* and the CPU in between */
    starts_are(&r, pl, p, p == GPU ? "a" : "ac");
    for (int i = 0; i < 4; i++) { /* each operator by itself */
      hs_place_whole(&pl->ops[i], p);
      pl->ops[i].chain = -1;
    }
    starts_are(&r, pl, p, p == GPU ? "a" : "abcd");
    hs_place_whole(&pl->ops[0], CPU); /* not before its first */
    starts_are(&r, pl, p, p == GPU ? "b" : "bcd");
    rig_close(&r);
  }
}
END_TEST

/* Of a request that runs in pieces each is a program of its own. */
START_TEST(each_piece_starts)
{
  for (int p = CPU; p <= NPU; p++) {
    struct rig r;
    struct hs_program *prog;
    struct hs_error err;
    rig_open(&r, "tflite");
    rig_read_network(&r, FOUR);
    struct hs_placement *pl = rig_place_all(&r, p);
    for (int from = 0; from < 4; from += 2) {
      int starts = 0;
      hs_test_accepted(hs_lower_piece(&r.sys, r.graph, pl, from, from + 2, &prog, &err), &err);
      for (int i = 0; i < prog->n_tasks; i++) starts += prog->tasks[i].starts;
      ck_assert_int_eq(starts, 1);
      hs_program_free(prog);
    }
    rig_close(&r);
  }
}
END_TEST

/* An invocation of 1000 cycles on the prime core of a phone, at whatever clock the other cores would be the last. */
START_TEST(start_of_the_caller)
{
  struct rig r;
  rig_open(&r, "mace");
  struct hs_kernel k = *r.sys.backends[0].kernel;
  k.start_cycles = 1000;
  r.sys.backends[0].kernel = &k;
  const struct hs_domain *prime = &r.sys.soc->processors[0].domains[1], *mid = &r.sys.soc->processors[0].domains[0];
  ck_assert_int_eq(r.sys.backends[0].cores[1], 1);
  ck_assert(r.sys.backends[0].cores[0] > 0 && mid->opps[mid->n_opps - 1].freq_hz < prime->opps[prime->n_opps - 1].freq_hz);
  ck_assert_near(1e6 * hs_cost_start_seconds(&r.sys, 0, -1), 1e6 * 1000 / prime->opps[prime->n_opps - 1].freq_hz);
  rig_close(&r);
}
END_TEST

static void fill(TCase *t)
{
  tcase_add_test(t, start_of_the_caller);
  tcase_add_test(t, a_slice_that_returned_is_over);
  tcase_add_test(t, a_slice_ends_where_an_operator_leaves);
  tcase_add_test(t, a_slice_is_given_what_its_later_operators_read);
  tcase_add_test(t, what_an_invocation_costs);
  tcase_add_test(t, each_piece_starts);
}

int main(void) { return hs_test_main("program_starts", fill); }
