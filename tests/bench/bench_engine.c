/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Simulated tasks per second of hs_engine_run() against a bare SimGrid loop that executes the same parallel tasks: the same
 * number, on the same hosts with the same amounts, one actor per processor, but without dependencies, requests or observers.
 * Each measurement is a process of its own (SimGrid allows one platform), A and B in turn; the goal is a ratio of 0.7. */
#include "tests/bench/bare.h"

#include <math.h>

enum { TASKS = 400000, ROUNDS = 5 };

/* --- ours --- */

struct ours {
  const struct hs_program *program;
  struct hs_metrics metrics;
  int inferences, n_in;
};

static double turn(void *state, struct hs_engine *e, double now)
{
  struct ours *o = state;
  (void)now;
  if (o->n_in == o->inferences) return -1;
  hs_engine_submit(e, o->n_in++, o->program);
  return INFINITY;
}

static void on_task(void *state, const struct hs_event *e) { hs_metrics_task(&((struct ours *)state)->metrics, e); }
static void on_done(void *state, int request, double start, double end)
{
  hs_metrics_ended(&((struct ours *)state)->metrics, &(struct hs_outcome){.request = request, .arrival_s = start, .end_s = end});
}

static void run_ours(const struct hs_setup *s, int inferences)
{
  struct ours o = {.program = s->program, .inferences = inferences};
  const struct hs_engine_calls calls = {.state = &o, .turn = turn, .task = on_task, .done = on_done};
  struct hs_error err;
  hs_metrics_start(&o.metrics, &s->sys);
  if (hs_engine_run(&s->sys, &calls, &err)) exit(1);
}

/* --- measuring --- */

static void measure(const char *soc, const char *policy, const char *model)
{
  const struct hs_run_options options = {.soc = soc, .policy = policy, .model = model};
  static struct hs_setup s;
  struct hs_error err;
  double ours[ROUNDS], bare[ROUNDS], ratio[ROUNDS];
  s = (struct hs_setup){0};
  if (hs_setup_make(&s, &options, &err)) {
    fprintf(stderr, "%s\n", err.text);
    exit(1);
  }
  int inferences = TASKS / s.program->n_tasks + 1;
  double tasks = (double)inferences * s.program->n_tasks;
  for (int i = 0; i < ROUNDS; i++) {
    ours[i] = tasks / seconds_of(run_ours, &s, inferences);
    bare[i] = tasks / seconds_of(run_bare, &s, inferences);
    ratio[i] = ours[i] / bare[i];
  }
  qsort(ours, ROUNDS, sizeof *ours, by_value);
  qsort(bare, ROUNDS, sizeof *bare, by_value);
  qsort(ratio, ROUNDS, sizeof *ratio, by_value);
  printf("%-10s %-8s %-14s %10.0f %10.0f   %.2f (%.2f to %.2f)\n", soc, policy, model, ours[ROUNDS / 2], bare[ROUNDS / 2], ratio[ROUNDS / 2], ratio[0],
         ratio[ROUNDS - 1]);
  hs_setup_free(&s);
}

int main(void)
{
  printf("simulated tasks per second, median of %d, and its ratio to a bare SimGrid loop (goal: 0.7)\n", ROUNDS);
  printf("%-10s %-8s %-14s %10s %10s   %s\n", "soc", "policy", "model", "hetsim", "bare", "ratio");
  measure("sd855", "gpu", "yolov2");
  measure("sd855", "cpu", "resnet50");
  measure("sd855", "codl", "yolov2");
  measure("kirin970", "npu", "mobilenet_v1");
  return 0;
}
