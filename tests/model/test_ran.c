/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What ran: pieces of several alternatives told in one line, how much of the latency kernels and communication cover, and the
 * drawing and the table in which both end up. */
#include "tests/model/both.h"
#include "tests/unit/suite.h"

#include <math.h>
#include <unistd.h>

#include "out/chart_bars.h"
#include "out/ran.h"
#include "out/table.h"
#include "program/setup.h"

/* A scheduler that takes two ways by turns, five operators each. */
static bool by_turns; /* else the GPU takes all */

static int schedule(void *state, const struct hs_queue_view *view, struct hs_assignment *out)
{
  const struct hs_waiting *w = view->waiting;
  int n_ops = view->plans[0]->alternatives[0]->n_ops, to = by_turns && w->next_op + 5 < n_ops ? w->next_op + 5 : n_ops;
  (void)state;
  if (view->n_waiting == 0) return 0;
  *out = (struct hs_assignment){.alternative = by_turns ? w->next_op / 10 % 2 : 1, .to_op = to};
  return 1;
}

static const struct hs_policy turns = {.name = "turns", .summary = "", .reference = "", .defaults = {.runtime = "mace", .precision = HS_FP32},
                                       .plan_all = plan_both, .schedule = schedule};

static void on_task(void *state, const struct hs_event *e, int network)
{
  (void)network;
  hs_timeline_add(state, e);
}

/* Ends the test's own process: SimGrid gives its semaphores never back, and a leak checker would count that. */
static void checked(const char *plan, const char *expected)
{
  ck_assert_str_eq(plan, expected);
  _exit(0);
}

static const char *plan_of(const char *policy, const struct hs_policy *instead)
{
  static struct hs_setup s;
  static struct hs_timeline timeline;
  static struct hs_text text;
  struct hs_error err;
  int n;
  const struct hs_run_options options = {.soc = "sd855", .policy = policy, .model = "mobilenet_v1"};
  const struct hs_serve_calls calls = {.state = &timeline, .task = on_task};
  hs_test_accepted(hs_setup_system(&s, &options, &err), &err);
  hs_test_accepted(hs_setup_networks(&s, &options, &err), &err);
  if (instead) s.networks[0].policy = instead;
  hs_test_accepted(hs_setup_plan(&s, &err), &err);
  ck_assert_int_eq(s.graph->n_ops, 31);
  hs_test_accepted(hs_serve(&s.sys, s.networks, 1, 1, 0, &calls, NULL, &err), &err);
  struct hs_ran_piece *pieces = hs_ran(&s.networks[0], &timeline, &n);
  hs_ran_text(s.soc, &s.networks[0], pieces, n, &text);
  free(pieces);
  hs_timeline_free(&timeline);
  hs_setup_free(&s);
  return text.s;
}

START_TEST(static_plan) { checked(plan_of("cpu", NULL), "31 cpu"); }
END_TEST

START_TEST(one_of_several) { checked(plan_of("gpu", &turns), "gpu: 31 gpu"); }
END_TEST

/* Pieces of five: two by two on one processor, which is told as one; the last has one operator. */
START_TEST(pieces)
{
  by_turns = true;
  checked(plan_of("gpu", &turns), "ops 0-9 on cpu, 10-19 on gpu, 20-29 on cpu, 30 on gpu");
}
END_TEST

/* kernels 1-3 and 2.5-4.5, communication 0-2, 4-6 and 7-7.5: kernels cover 3.5, both 6.5 */
START_TEST(covered)
{
  struct hs_task tasks[] = {{.kind = HS_TASK_MAP}, {.kind = HS_TASK_EXEC}, {.kind = HS_TASK_EXEC}, {.kind = HS_TASK_MAP}, {.kind = HS_TASK_SYNC}};
  const struct hs_program program = {.n_tasks = 5, .tasks = tasks};
  static const double start[] = {0, 1, 2.5, 4, 7}, end[] = {2, 3, 4.5, 6, 7.5};
  struct hs_timeline t = {0};
  for (int i = 0; i < 5; i++) {
    const struct hs_event e = {.program = &program, .task = i, .start_s = start[i], .end_s = end[i]};
    hs_timeline_add(&t, &e);
  }
  ck_assert_near(hs_timeline_covered(&t, 1u << HS_TASK_EXEC), 3.5);
  ck_assert_near(hs_timeline_covered(&t, 1u << HS_TASK_MAP), 4);
  ck_assert_near(hs_timeline_covered(&t, 1u << HS_TASK_EXEC | 1u << HS_TASK_MAP | 1u << HS_TASK_SYNC), 6.5);
  ck_assert_double_eq(hs_timeline_covered(&t, 1u << HS_TASK_RPC), 0);
  hs_timeline_free(&t);
}
END_TEST

/* Of three requests, one is taken, in its order. */
START_TEST(taken)
{
  static const int requests[] = {0, 2, 1, 2, 0, 2};
  struct hs_timeline t = {0};
  for (int i = 0; i < 6; i++) {
    const struct hs_event e = {.request = requests[i], .task = i};
    hs_timeline_add(&t, &e);
  }
  struct hs_timeline two = hs_timeline_take(&t, 2), none = hs_timeline_take(&t, 3);
  ck_assert(two.n == 3 && two.events[0].task == 1 && two.events[1].task == 3 && two.events[2].task == 5);
  ck_assert(t.n == 3 && t.events[0].task == 0 && t.events[1].task == 2 && t.events[2].task == 4);
  ck_assert_int_eq(none.n, 0);
  hs_timeline_free(&t);
  hs_timeline_free(&two);
  hs_timeline_free(&none);
}
END_TEST

START_TEST(table)
{
  struct hs_table t = {.n_columns = 3, .right = {false, true}};
  struct hs_text out = {0};
  hs_table_add(&t, "µs");
  hs_table_add(&t, "%d", 7);
  hs_table_add(&t, "x");
  hs_table_add(&t, "longer");
  hs_table_rest(&t, "and the rest is a sentence");
  hs_table_add(&t, "a");
  hs_table_add(&t, "%d", 1234);
  hs_table_add(&t, "yy");
  for (int i = 0; i < 3; i++) hs_table_add(&t, "%s", i ? "" : "b");
  hs_table_print(&t, &out);
  ck_assert_str_eq(out.s, "µs         7  x\nlonger  and the rest is a sentence\na       1234  yy\nb\n");
  hs_text_free(&out);
  hs_table_free(&t);
}
END_TEST

/* Number after the first `key` behind the first `where`. */
static double after(const char *svg, const char *where, const char *key)
{
  const char *at = strstr(svg, where);
  ck_assert_msg(at && (at = strstr(at, key)), "no %s after %s", key, where);
  return atof(at + strlen(key));
}

/* Lengths of the three segments of a bar that takes the whole plot: proportional to their seconds. */
START_TEST(bar_segments)
{
  const struct hs_bar bars[] = {{"a-policy-with-a-name-of-forty-characters", "mace", NULL, 0.010, 0.006, 0.003, 0.0125},
                                {"b", "mace", NULL, 0.005, 0.005, 0, 1.5}};
  const struct hs_bars all = {"s", "t", "m", "compare --ui=60 m", false, 2, bars};
  struct hs_text t = {0};
  hs_bars_svg(&all, &t);
  double kernel = after(t.s, "</title>", "width=\""), left = after(t.s, "</title>", " x=\"");
  const char *second = strstr(strstr(t.s, "</title>"), "/>");
  ck_assert_double_eq_tol(after(second, "<rect", "width=\"") / kernel, 0.5, 1e-3);
  ck_assert_double_eq_tol(after(second, "<rect", " x=\""), left + kernel, 0.02);
  ck_assert_double_gt(left, 40 * 7); /* names have room */
  ck_assert(strstr(t.s, ">10.0 ms<") && strstr(t.s, ">12.5 mJ<") && strstr(t.s, ">1500 mJ<"));
  ck_assert(strstr(t.s, "runtime mace<") && !strstr(t.s, ">mace<")); /* one for all: in the title only */
  hs_text_free(&t);
}
END_TEST

/* A long reason is broken into lines that have all of it, and makes the drawing higher. */
START_TEST(long_reason)
{
  char reason[260] = "", *word = reason;
  for (int i = 0; i < 50; i++) word += sprintf(word, "%s%d<&", i ? " " : "", i % 10);
  struct hs_bar bars[] = {{"a", "mace", NULL, 1, 1, 0, 1}, {"b", "", "short", 0, 0, 0, 0}};
  const struct hs_bars all = {"s", "t", "m", "compare --ui=60 m", false, 2, bars};
  struct hs_text low = {0}, high = {0};
  hs_bars_svg(&all, &low);
  bars[1].reason = reason;
  hs_bars_svg(&all, &high);
  ck_assert_double_gt(after(high.s, "<svg", "height=\""), after(low.s, "<svg", "height=\"") + 14);
  int words = 0;
  for (const char *at = high.s; (at = strstr(at, "&lt;&amp;")); at++) words++;
  ck_assert_int_eq(words, 50);
  hs_text_free(&low);
  hs_text_free(&high);
}
END_TEST

static void fill(TCase *t)
{
  tcase_add_test(t, static_plan);
  tcase_add_test(t, one_of_several);
  tcase_add_test(t, pieces);
  tcase_add_test(t, covered);
  tcase_add_test(t, taken);
  tcase_add_test(t, table);
  tcase_add_test(t, bar_segments);
  tcase_add_test(t, long_reason);
}

int main(void) { return hs_test_main("what ran", fill); }
