/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a policy expects of a CPU that processes' threads compete for, against what the engine makes of it: within a third of each other.
 * doc/policies.md has the same cells. */
#include "tests/unit/child.h"

#include "policies/choose.h"
#include "program/setup.h"

enum { FIRST = 5 }; /* requests, in which the load is measured */
static const double RUN_S = 4;

static struct sums {
  double expected_s, took_s;
  int n;
} *sums;
static double expected_s;

static int note(void *state, const struct hs_queue_view *view, const struct hs_waiting *w)
{
  (void)state;
  expected_s = hs_view_expected(view, w->network, 0, 0, view->plans[w->network]->alternatives[0]->n_ops, w->load);
  return 0;
}

static int schedule(void *state, const struct hs_queue_view *view, struct hs_assignment *out) { return hs_one_at_a_time(state, view, out, note); }

static void finished(void *state, const struct hs_queue_view *view, const struct hs_piece *piece, double seconds)
{
  (void)state;
  (void)view;
  if (piece->request < FIRST) return;
  sums->expected_s += expected_s;
  sums->took_s += seconds;
  sums->n++;
}

static bool run(const char *soc, const char *model, const char *rivals)
{
  static struct hs_setup s;
  static struct hs_policy policy;
  const struct hs_run_options options = {.soc = soc, .policy = "cpu", .runtime = "tflite", .precision = "int8", .model = model, .seed = 1,
                                 .scenario = {.rivals = rivals}};
  struct hs_error err;
  struct hs_serve_calls calls = {0};
  policy = *hs_policy_find("cpu");
  policy.schedule = schedule;
  policy.finished = finished;
  if (hs_setup_make(&s, &options, &err)) return false;
  calls.living = hs_living_open(&s.sys, &s.scenario, options.seed);
  s.networks[0].policy = &policy;
  return !hs_serve(&s.sys, s.networks, 1, 0, RUN_S, &calls, NULL, &err);
}

static const struct cell {
  const char *soc, *model, *rivals;
  double least, most; /* expected ÷ what it took */
} cells[] = {
  {"kirin960", "squeezenet", "cpu=1", 0.85, 1.05},
  {"kirin960", "squeezenet", "cpu=3", 0.75, 1.05},
  {"kirin960", "resnet50", "cpu=1", 0.9, 1.05},
  {"sd855", "mobilenet_v1", "cpu=1", 0.8, 1},
  {"sd855", "mobilenet_v1", "cpu=2", 0.85, 1.05},
  {"sd855", "mobilenet_v1", "cpu=3", 0.65, 1.05},
  {"sd888", "squeezenet", "cpu=1", 0.85, 1},
  {"sd888", "mobilenet_v1", "cpu=1", 0.85, 1.05},
  {"sd888", "resnet50", "cpu=3", 0.7, 1},
};

START_TEST(as_the_engine_has_it)
{
  const struct cell *c = &cells[_i];
  sums = hs_test_shared(sizeof *sums);
  pid_t child = hs_test_fork();
  if (child == 0) _exit(run(c->soc, c->model, c->rivals) ? 0 : 1);
  ck_assert_int_eq(hs_test_wait(child), 0);
  ck_assert_int_gt(sums->n, 2);
  double ratio = sums->expected_s / sums->took_s;
  printf("%-9s %-13s %s: %4d requests, expected %.2f of what they took\n", c->soc, c->model, c->rivals, sums->n, ratio);
  ck_assert_double_ge(ratio, c->least);
  ck_assert_double_le(ratio, c->most);
  munmap(sums, sizeof *sums);
}
END_TEST

static void fill(TCase *t)
{
  tcase_set_timeout(t, 0);
  tcase_add_loop_test(t, as_the_engine_has_it, 0, (int)(sizeof cells / sizeof *cells));
}

int main(void) { return hs_test_main("expected", fill); }
