/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Every policy on every SoC with every network under every runtime: it either says clearly why it can't, or its placement
 * is accepted, the run keeps every invariant, and (the keystone) the engine agrees with the estimate to 1e-9 where no two
 * tasks contend. Where kernels of two processors are at the memory at once the engine may only be slower. */
#include <check.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/text.h"
#include "out/check.h"
#include "plan/estimate.h"
#include "program/setup.h"

enum { INFERENCES = 2 };

struct observed {
  const struct hs_program *program;
  struct hs_metrics metrics;
  struct hs_timeline timeline;
  struct hs_outcome outcomes[INFERENCES];
};

static bool next_request(void *state, int request, double now_s, const struct hs_program **program)
{
  (void)now_s;
  *program = ((struct observed *)state)->program;
  return request < INFERENCES;
}

static void on_task(void *state, const struct hs_event *e)
{
  struct observed *o = state;
  hs_metrics_task(&o->metrics, e);
  hs_timeline_add(&o->timeline, e);
}

static void on_done(void *state, int request, double start_s, double end_s)
{
  struct observed *o = state;
  o->outcomes[request] = (struct hs_outcome){request, 0, start_s, end_s, false, false};
  hs_metrics_done(&o->metrics, start_s, end_s);
}

/* Are ever two tasks that use the DRAM under way at once, by the estimate? */
static bool contends(const struct hs_program *p, const double *start, const double *end)
{
  double busy_until = 0;
  int last = -1;
  for (int i = 0; i < p->n_tasks; i++) {
    if (p->tasks[i].work.bytes <= 0) continue;
    if (last >= 0 && p->tasks[last].processor != p->tasks[i].processor && start[i] < busy_until * (1 - 1e-12)) return true;
    if (end[i] > busy_until) {
      busy_until = end[i];
      last = i;
    }
  }
  return false;
}

static bool near(double a, double b, double scale) { return fabs(a - b) <= 1e-9 * scale; }

static int broken(const char *what, const struct hs_setup *s)
{
  fprintf(stderr, "%s: %s, %s, %s, %s\n", what, s->soc->name, s->graph->name, s->policy->name, s->sys.runtime->name);
  return 1;
}

/* In a child: SimGrid allows one platform per process. */
static int run(const struct hs_setup *s)
{
  struct observed o = {.program = s->program, .timeline = {.max_requests = -1}};
  struct hs_estimate estimate;
  struct hs_error err;
  char message[1400];
  double *start = malloc((size_t)s->program->n_tasks * sizeof *start), *end = malloc((size_t)s->program->n_tasks * sizeof *end);
  const struct hs_engine_calls calls = {&o, next_request, on_task, on_done, NULL, NULL, NULL};
  hs_metrics_start(&o.metrics, &s->sys);
  hs_estimate_program(&s->sys, s->program, &estimate, start, end);
  if (hs_engine_run(&s->sys, &calls, &err)) return broken("engine failed", s);
  const struct hs_checked_run checked = {&s->sys, 1, s->networks, &o.timeline, INFERENCES, o.outcomes, 0, &o.metrics, NULL};
  if (hs_check_run(&checked, &err)) return broken(hs_error_message(&err, message, sizeof message), s);
  if (o.metrics.n_requests != INFERENCES) return broken("other number of inferences", s);
  if (contends(s->program, start, end)) {
    for (int i = 0; i < INFERENCES; i++)
      if (o.metrics.latencies_s[i] < estimate.latency_s * (1 - 1e-9)) return broken("faster than the estimate", s);
    return 0;
  }
  double energy = 0;
  for (int p = 0; p < s->soc->n_processors; p++) energy += o.metrics.energy_j[p];
  if (!near(energy, INFERENCES * estimate.energy_j, energy)) return broken("energy is not the estimate's", s);
  for (int i = 0; i < INFERENCES; i++)
    if (!near(o.metrics.latencies_s[i], estimate.latency_s, estimate.latency_s)) return broken("latency is not the estimate's", s);
  for (int i = 0; i < o.timeline.n; i++) {
    const struct hs_event *e = &o.timeline.events[i];
    double shift = e->request * estimate.latency_s, scale = INFERENCES * estimate.latency_s;
    if (!near(e->start_s, shift + start[e->task], scale) || !near(e->end_s, shift + end[e->task], scale))
      return broken("a task is not where the estimate has it", s);
  }
  return 0;
}

static void run_in_child(const struct hs_setup *s)
{
  int status = -1;
  fflush(NULL);
  pid_t child = fork();
  ck_assert(child >= 0);
  if (child == 0) _exit(run(s));
  ck_assert_int_eq(waitpid(child, &status, 0), child);
  ck_assert_msg(WIFEXITED(status) && WEXITSTATUS(status) == 0, "child failed: %s, %s, %s, %s", s->soc->name, s->graph->name, s->policy->name,
                s->sys.runtime->name);
}

/* A refusal must be legitimate: the processor or the runtime's code is missing, or one operator runs nowhere. */
static void check_refusal(const struct hs_setup *s, enum hs_status status, const struct hs_error *err)
{
  ck_assert_msg(status == HS_USAGE || status == HS_INPUT, "%s", err->text);
  if (status == HS_USAGE) {
    int p = hs_soc_find(s->soc, s->policy->needs);
    ck_assert_msg(p < 0 || !s->sys.backends[p].available, "%s", err->text);
    return;
  }
  bool stranded = false;
  for (int i = 0; i < s->graph->n_ops && !stranded; i++) {
    stranded = true;
    for (int p = 0; p < s->soc->n_processors; p++) stranded &= !hs_system_supports(&s->sys, s->graph, &s->graph->ops[i], p, NULL, 0);
  }
  ck_assert_msg(stranded, "%s", err->text);
}

static int counts[2]; /* ran, refused */

static void one(const char *soc, const char *policy, const char *runtime, const char *model)
{
  const struct hs_request req = {.soc = soc, .policy = policy, .runtime = runtime, .model = model};
  struct hs_setup *s = calloc(1, sizeof *s);
  struct hs_error err = {0};
  enum hs_status status = hs_setup_system(s, &req, &err);
  if (!status) status = hs_setup_networks(s, &req, &err);
  if (!status) status = hs_setup_plan(s, &err);
  counts[status != HS_OK]++;
  if (status)
    check_refusal(s, status, &err);
  else
    run_in_child(s);
  hs_setup_free(s);
  free(s);
}

START_TEST(every_combination_of_a_policy)
{
  struct hs_catalog c;
  struct hs_error err;
  ck_assert_int_eq(hs_catalog_open(&c, &err), HS_OK);
  ck_assert_int_eq(c.n_names[HS_SOCS], 9);
  ck_assert_int_eq(c.n_names[HS_WORKLOADS], 25);
  memset(counts, 0, sizeof counts);
  for (int k = 0; k < c.n_names[HS_SOCS]; k++)
    for (int r = 0; r < hs_n_runtimes; r++)
      for (int m = 0; m < c.n_names[HS_WORKLOADS]; m++)
        one(c.names[HS_SOCS][k], hs_policies[_i]->name, hs_runtimes[r].name, c.names[HS_WORKLOADS][m]);
  ck_assert_int_eq(counts[0] + counts[1], 9 * 25 * hs_n_runtimes);
  /* MACE runs 23 networks (no grouped convolution) on CPU and GPU of all SoCs; TensorFlow Lite all 25 where the processor exists */
  const char *needs = hs_policies[_i]->needs ? hs_policies[_i]->needs : "cpu";
  int tflite = strcmp(needs, "dsp") == 0 ? 4 : strcmp(needs, "npu") == 0 ? 8 : 9;
  int mace = strcmp(needs, "dsp") == 0 || strcmp(needs, "npu") == 0 ? 0 : 9;
  ck_assert_int_eq(counts[0], 25 * tflite + 23 * mace);
  hs_catalog_close(&c);
}
END_TEST

int main(void)
{
  Suite *suite = suite_create("conformance");
  TCase *t = tcase_create("every policy, SoC, runtime and network");
  tcase_set_timeout(t, 600);
  tcase_add_loop_test(t, every_combination_of_a_policy, 0, hs_n_policies);
  suite_add_tcase(suite, t);
  SRunner *r = srunner_create(suite);
  srunner_run_all(r, CK_NORMAL);
  int failed = srunner_ntests_failed(r);
  srunner_free(r);
  return failed != 0;
}
