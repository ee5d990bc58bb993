/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which operators fall back (--fallback): a part of the time that the processor would take, spread over the network. Chains of small
 * (s: 1x1) and large (L: 7x7, far more than ten times as long) convolutions, the choice worked out by hand. */
#include "tests/unit/suite.h"

#include <stdio.h>
#include <string.h>

#include "program/setup.h"
#include "serve/pieces.h"

static const struct choice {
  const char *network, *option, *falls; /* F: to the CPU, -: stays on the GPU */
} choices[] = {
  {"ssss", "gpu=0.5", "F-F-"},
  {"sssss", "gpu=0.5", "F-F-F"},
  {"ssssssss", "gpu=0.25", "-F---F--"},
  {"sss", "gpu=1", "FFF"},
  {"ssLss", "gpu=0.5", "F-F--"}, /* the large one is more than half of the time: the rest stays */
  {"Lssss", "gpu=0.5", "F----"},
  {"sLsss", "gpu=0.5", "F-FFF"}, /* and if it stays, all others go */
};

/* A file that has it; its path is owned by the caller. */
static char *write_chain(const char *sizes)
{
  struct hs_text t = {0};
  hs_text_addf(&t,
               "{\"format\": \"hetsim-workload/1\", \"name\": \"chain\", \"title\": \"t\", \"source\": \"s\", \"inputs\": [{\"name\": \"c0\", "
               "\"shape\": [1, 32, 32, 64]}], "
               "\"outputs\": [\"c%zu\"], \"ops\": [", strlen(sizes));
  for (int i = 0; sizes[i]; i++)
    hs_text_addf(&t,
                 "%s{\"name\": \"c%d\", \"op\": \"Conv\", \"inputs\": [\"c%d\"], \"channels\": 64, \"kernel\": %s, \"pad\": \"same\", "
                 "\"block\": 1}", i ? ", " : "", i + 1, i,
                 sizes[i] == 'L' ? "[7, 7]" : "[1, 1]");
  hs_text_add(&t, "]}\n");
  char *path = hs_test_file(".json", t.s, t.len);
  hs_text_free(&t);
  return path;
}

START_TEST(part_of_the_time)
{
  const struct choice *c = &choices[_i];
  char *path = write_chain(c->network);
  const struct hs_run_options options = {.soc = "sd855", .policy = "gpu", .runtime = "mace", .model = path, .scenario = {.fallback = c->option}};
  struct hs_setup s = {0};
  struct hs_error err = {0};
  char seen[16] = "";
  enum hs_status status = hs_setup_make(&s, &options, &err);
  remove(path);
  free(path);
  ck_assert_msg(status == HS_OK, "%s", err.text);
  ck_assert_int_eq(s.graph->n_ops, (int)strlen(c->network));
  for (int i = 0; i < s.graph->n_ops; i++) {
    const struct hs_op_placement *pl = &s.placement->ops[i];
    enum hs_kind kind = s.soc->processors[pl->parts[0].processor].kind;
    ck_assert_int_eq(pl->n_parts, 1);
    ck_assert_int_eq(kind, pl->fallback ? HS_CPU : HS_GPU);
    strcat(seen, pl->fallback ? "F" : "-");
  }
  ck_assert_str_eq(seen, c->falls);
  ck_assert_msg(hs_placement_check(&s.sys, s.graph, s.placement, "gpu", &err) == HS_OK, "%s", err.text);
  hs_setup_free(&s);
}
END_TEST

/* A runtime profiler has seen what falls back, an offline one hasn't. */
START_TEST(profilers)
{
  double estimate_s[2][2];
  char *path = write_chain("LLLL");
  for (int live = 0; live < 2; live++)
    for (int falls = 0; falls < 2; falls++) {
      const struct hs_run_options options = {.soc = "sd855", .policy = "gpu", .runtime = "mace", .model = path, .profiler = live ? "runtime" : "offline",
                                     .scenario = {.fallback = falls ? "gpu=0.5" : NULL}};
      struct hs_setup s = {0};
      struct hs_error err = {0};
      ck_assert_msg(hs_setup_make(&s, &options, &err) == HS_OK, "%s", err.text);
      estimate_s[live][falls] = s.networks[0].estimate_s;
      hs_setup_free(&s);
    }
  remove(path);
  free(path);
  ck_assert_double_eq(estimate_s[0][0], estimate_s[0][1]);
  ck_assert_double_eq(estimate_s[0][0], estimate_s[1][0]);
  ck_assert_double_gt(estimate_s[1][1], 1.1 * estimate_s[1][0]);
}
END_TEST

/* Held at 54 C, which caps nothing there, the GPU leaks 1.9 times as much as at 30 C, and the CPU at its 25 C a tenth less: of that only a
 * runtime profiler knows. */
START_TEST(profilers_of_heat)
{
  for (int live = 0; live < 2; live++) {
    const struct hs_run_options options = {.soc = "sd855", .policy = "gpu", .runtime = "mace", .model = "squeezenet", .profiler = live ? "runtime" : "offline",
                                   .scenario = {.temperature = "gpu=54C"}};
    struct hs_setup s = {0};
    struct hs_error err = {0};
    ck_assert_msg(hs_setup_make(&s, &options, &err) == HS_OK, "%s", err.text);
    const struct hs_program *prog = hs_pieces_get(s.networks[0].pieces, 0, 0, s.graph->n_ops, &err);
    struct hs_estimate cool, here;
    double more_j = 0;
    hs_estimate_program(&s.sys, prog, &cool, NULL, NULL);
    hs_estimate_program(&s.networks[0].profiled, prog, &here, NULL, NULL);
    for (int i = 0; i < prog->n_tasks; i++) {
      const struct hs_task *task = &prog->tasks[i];
      double c = s.soc->processors[task->processor].kind == HS_GPU ? 54 : 25;
      more_j += (hs_leakage_factor(c) - 1) * hs_task_static_w(&s.sys, task) * hs_task_seconds(&s.sys, task);
    }
    ck_assert_double_gt(more_j, 1e-6);
    ck_assert_double_eq_tol(here.energy_j - cool.energy_j, live ? more_j : 0, 1e-9 * cool.energy_j);
    ck_assert_double_eq(here.latency_s, cool.latency_s);
    hs_setup_free(&s);
  }
}
END_TEST

static void fill(TCase *t)
{
  tcase_add_loop_test(t, part_of_the_time, 0, sizeof choices / sizeof *choices);
  tcase_add_test(t, profilers);
  tcase_add_test(t, profilers_of_heat);
}

int main(void) { return hs_test_main("fallback", fill); }
