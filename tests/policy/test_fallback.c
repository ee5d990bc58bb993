/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which operators fall back (--fallback): a part of the time that the processor would take, spread over the network. Chains of small
 * (s: 1x1) and large (L: 7x7, far more than ten times as long) convolutions, the choice worked out by hand. */
#include "tests/unit/suite.h"

#include <stdio.h>
#include <string.h>

#include "program/setup.h"

static const char FILE_NAME[] = "./test_fallback.json";

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

static void write_chain(const char *sizes)
{
  FILE *f = fopen(FILE_NAME, "w");
  ck_assert_ptr_nonnull(f);
  fprintf(f, "{\"format\": \"hetsim-workload/1\", \"name\": \"chain\", \"title\": \"t\", \"source\": \"s\", \"inputs\": [{\"name\": \"c0\", \"shape\": [1, 32, 32, 64]}], "
             "\"outputs\": [\"c%zu\"], \"ops\": [", strlen(sizes));
  for (int i = 0; sizes[i]; i++)
    fprintf(f, "%s{\"name\": \"c%d\", \"op\": \"Conv\", \"inputs\": [\"c%d\"], \"channels\": 64, \"kernel\": %s, \"pad\": \"same\", \"block\": 1}", i ? ", " : "", i + 1, i,
            sizes[i] == 'L' ? "[7, 7]" : "[1, 1]");
  fprintf(f, "]}\n");
  fclose(f);
}

START_TEST(part_of_the_time)
{
  const struct choice *c = &choices[_i];
  const struct hs_request req = {.soc = "sd855", .policy = "gpu", .runtime = "mace", .model = FILE_NAME, .scenario = {.fallback = c->option}};
  struct hs_setup s = {0};
  struct hs_error err = {0};
  char seen[16] = "";
  write_chain(c->network);
  enum hs_status status = hs_setup_make(&s, &req, &err);
  remove(FILE_NAME);
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
  hs_setup_free(&s);
}
END_TEST

/* A runtime profiler has seen what falls back, an offline one hasn't. */
START_TEST(profilers)
{
  double estimate_s[2][2];
  write_chain("LLLL");
  for (int live = 0; live < 2; live++)
    for (int falls = 0; falls < 2; falls++) {
      const struct hs_request req = {.soc = "sd855", .policy = "gpu", .runtime = "mace", .model = FILE_NAME, .profiler = live ? "runtime" : "offline",
                                     .scenario = {.fallback = falls ? "gpu=0.5" : NULL}};
      struct hs_setup s = {0};
      struct hs_error err = {0};
      ck_assert_msg(hs_setup_make(&s, &req, &err) == HS_OK, "%s", err.text);
      estimate_s[live][falls] = s.networks[0].estimate_s;
      hs_setup_free(&s);
    }
  remove(FILE_NAME);
  ck_assert_double_eq(estimate_s[0][0], estimate_s[0][1]);
  ck_assert_double_eq(estimate_s[0][0], estimate_s[1][0]);
  ck_assert_double_gt(estimate_s[1][1], 1.1 * estimate_s[1][0]);
}
END_TEST

static void fill(TCase *t)
{
  tcase_add_loop_test(t, part_of_the_time, 0, sizeof choices / sizeof *choices);
  tcase_add_test(t, profilers);
}

int main(void) { return hs_test_main("fallback", fill); }
