/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Whose turn it is: priorities, who comes at once, and invocations that nobody breaks off. */
#include "tests/model/serving.h"

/* Three networks under a scheduler that starts one request at a time, the first that waits: the higher priority although it came with the
 * others. notes: how often a lower one was shown before a higher one. */
static int first_of_all(void *state, const struct hs_queue_view *v, struct hs_assignment *out)
{
  (void)state;
  for (int i = 1; i < v->n_waiting; i++) {
    const struct hs_waiting *a = &v->waiting[i - 1], *b = a + 1;
    serving_notes[0] += a->priority < b->priority || (a->priority == b->priority && a->request > b->request);
  }
  out[0] = (struct hs_assignment){0, 0, 1, false};
  return v->n_running == 0;
}

START_TEST(schedulers_see_priorities)
{
  const struct hs_policy policy = {.name = "first", .plan_all = serving_plan_three, .schedule = first_of_all};
  struct serving s;
  serving_open(&s);
  for (int i = 0; i < 3; i++) {
    struct hs_network *n = serving_add(&s, ONE, &policy);
    serving_rate(n, 3.7 * serving_alone(&s, i), INFINITY);
    n->priority = i == 1 ? 7 : 2;
  }
  serving_run(&s, 8);
  double d = serving_alone(&s, 0);
  for (int k = 0; k < 8; k++) {
    SERVE("highest", serving_latency(&s, 1, k), d);
    SERVE("first of the others", serving_latency(&s, 0, k), 2 * d);
    SERVE("second of them", serving_latency(&s, 2, k), 3 * d);
  }
  ck_assert_double_eq(s.out->notes[0], 0);
  serving_close(&s);
}
END_TEST

static enum hs_status plan_npu(const struct hs_view *view, struct hs_placement *pl, struct hs_error *err)
{
  (void)err;
  return serving_all_on(view, pl, NPU);
}

/* A driver hands a DSP or NPU whole graphs: a kernel, and the return, follows its call (here there is one for each), though somebody else waits and has the
 * higher priority. */
START_TEST(invocations_are_not_broken_off)
{
  struct serving s;
  int last = -1, n[2] = {0, 0}, p = _i ? NPU : DSP;
  const struct hs_policy npu = {.name = "on-npu", .plan = plan_npu};
  serving_open(&s);
  for (int i = 0; i < 2; i++) serving_add(&s, THREE, _i ? &npu : &serving_dsp)->priority = 1 - i;
  serving_run(&s, 20);
  for (int i = 0; i < s.out->n_events; i++) {
    const struct hs_event *e = &s.out->events[i];
    const struct hs_task *t = &e->program->tasks[e->task];
    if (t->processor != p) continue;
    n[s.out->networks[i]]++;
    if (!hs_task_calls(t)) ck_assert_int_eq(last, e->request);
    last = e->request;
  }
  ck_assert_int_ge(n[0], 20 * 7); /* a call and a kernel for each operator, and the return */
  ck_assert_int_ge(n[1], 20 * 7);
  serving_close(&s);
}
END_TEST

/* The host maps (0), the DSP is called (1) and computes (2), something else that waits for the host, too (3), and returns (4); the NPU computes without a call
 * (5, 6). What begins is a call, or the first there is. */
START_TEST(what_goes_on_with_an_invocation)
{
  static const bool calls[] = {false, true, false, false, false, false, false}, goes_on[] = {false, false, true, true, true, false, true};
  int deps[] = {0, 1, 2, 0, 3, 5};
  struct hs_task tasks[] = {{.kind = HS_TASK_MAP, .processor = CPU, .to = DSP}, {.kind = HS_TASK_RPC, .processor = DSP, .to = DSP, .first_dep = 0, .n_deps = 1},
                            {.kind = HS_TASK_EXEC, .processor = DSP, .to = DSP, .first_dep = 1, .n_deps = 1},
                            {.kind = HS_TASK_EXEC, .processor = DSP, .to = DSP, .first_dep = 2, .n_deps = 2},
                            {.kind = HS_TASK_RPC, .processor = DSP, .to = CPU, .first_dep = 4, .n_deps = 1},
                            {.kind = HS_TASK_EXEC, .processor = NPU, .to = NPU},
                            {.kind = HS_TASK_EXEC, .processor = NPU, .to = NPU, .first_dep = 5, .n_deps = 1}};
  struct hs_program *prog = calloc(1, sizeof *prog);
  *prog = (struct hs_program){.tasks = tasks, .n_tasks = 7, .deps = deps, .n_deps = 6};
  hs_program_seal(prog);
  for (int i = 0; i < 7; i++) {
    ck_assert_int_eq(hs_task_calls(&tasks[i]), calls[i]);
    ck_assert_int_eq(hs_task_goes_on(prog, i), goes_on[i]);
  }
  prog->tasks = NULL;
  prog->deps = NULL;
  hs_program_free(prog);
}
END_TEST

/* On the GPU at once, and notes whether it knew of anybody there. */
static int at_once(void *state, const struct hs_queue_view *v, struct hs_assignment *out)
{
  (void)state;
  for (int i = 0; i < v->n_waiting; i++) {
    const struct hs_waiting *w = &v->waiting[i];
    if (w->request < 2) serving_notes[0] = w->load[GPU].others;
    out[i] = (struct hs_assignment){i, 1, v->plans[w->network]->alternatives[1]->n_ops, false};
  }
  return v->n_waiting;
}

/* Of two that come at once, one of which is scheduled: whichever is named first goes first, or the one of the higher priority. That the other one is there is
 * known though it starts later. */
START_TEST(who_comes_at_once)
{
  const struct hs_policy scheduled = {.name = "at-once", .plan_all = serving_plan_three, .schedule = at_once};
  for (int which = 0; which < 4; which++) {
    struct serving s;
    bool second = which & 1, higher = which & 2;
    serving_open(&s);
    serving_add(&s, ONE, second ? &serving_gpu : &scheduled);
    serving_add(&s, ONE, second ? &scheduled : &serving_gpu)->priority = higher;
    serving_run(&s, 1);
    ck_assert_double_gt(s.out->notes[0], 0);
    ck_assert_double_lt(serving_outcome(&s, higher ? 1 : 0, 0)->end_s, serving_outcome(&s, higher ? 0 : 1, 0)->end_s);
    serving_close(&s);
  }
}
END_TEST

/* Of three on the DSP two have the higher priority, and while the host is busy for one the DSP is for the other: the third waits there, and
 * the run would wait for it for ever. */
START_TEST(behind_higher_priorities)
{
  struct serving s;
  serving_open(&s);
  for (int i = 0; i < 3; i++) serving_add(&s, THREE, &serving_dsp)->priority = i > 0;
  serving_try(&s, 1);
  ck_assert_int_eq(s.out->status, HS_UNMET);
  ck_assert_msg(strstr(s.out->message, "lets it wait behind higher priorities since"), "%s", s.out->message);
  ck_assert_int_eq(serving_n_outcomes(&s, 0), 0);
  serving_close(&s);
}
END_TEST

static void fill(TCase *t)
{
  tcase_add_test(t, schedulers_see_priorities);
  tcase_add_loop_test(t, invocations_are_not_broken_off, 0, 2);
  tcase_add_test(t, what_goes_on_with_an_invocation);
  tcase_add_test(t, who_comes_at_once);
  tcase_add_test(t, behind_higher_priorities);
}

int main(void) { return hs_test_main("serve_turns", fill); }
