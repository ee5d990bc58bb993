/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a living phone costs. (a) Simulated tasks per second with governors, heat, two rivals and a display, those of rivals and display counted,
 * against the bare SimGrid loop that executes the network's tasks alone: the goal is a ratio of 0.5. (b) hetsim itself, 20 minutes of VGG-16
 * beside a display at 60 Hz, with heat and schedutil: the goals are 10 s and 100 MB. */
#include "tests/bench/bare.h"

#include <math.h>

enum { TASKS = 200000, ROUNDS = 5 };

/* --- (a) --- */

struct phone {
  const struct hs_setup *setup;
  struct hs_living *living;
  struct hs_metrics metrics;
  struct hs_error err;
  enum hs_status status;
  int inferences, n_done;
  bool in_flight;
};

static double turn(void *state, struct hs_engine *e, double now)
{
  struct phone *x = state;
  if (x->n_done == x->inferences || x->status) return -1;
  double next = hs_living_turn(x->living, e, now, &x->status, &x->err);
  if (!x->in_flight) hs_engine_submit(e, x->n_done, x->setup->program);
  x->in_flight = true;
  return next;
}

static void on_task(void *state, const struct hs_event *e) { hs_metrics_task(&((struct phone *)state)->metrics, e); }
static void on_done(void *state, int request, double start, double end)
{
  struct phone *x = state;
  if (request < 0) {
    hs_living_done(x->living, request, end);
    return;
  }
  hs_metrics_ended(&x->metrics, &(struct hs_outcome){.request = request, .arrival_s = start, .end_s = end});
  x->n_done++;
  x->in_flight = false;
}

static long *n_tasks; /* of one run, in memory that child and parent share */

static void run_living(const struct hs_setup *s, int inferences)
{
  struct phone x = {.setup = s, .inferences = inferences};
  const struct hs_engine_calls calls = {.state = &x, .task = on_task, .done = on_done, .turn = turn};
  hs_metrics_start(&x.metrics, &s->sys);
  x.living = hs_living_open(&s->sys, &s->scenario, 1);
  if (hs_engine_run(&s->sys, &calls, &x.err) || x.status) exit(1);
  *n_tasks = x.metrics.n_tasks;
}

static void measure(const char *soc, const char *policy, const char *model, const char *rivals)
{
  const struct hs_run_options options = {.soc = soc, .policy = policy, .model = model,
                                 .scenario = {.governor = "schedutil", .temperature = "simulated", .rivals = rivals, .ui = "60"}};
  static struct hs_setup s;
  struct hs_error err;
  double living[ROUNDS], bare[ROUNDS], ratio[ROUNDS];
  s = (struct hs_setup){0};
  if (hs_setup_make(&s, &options, &err)) {
    fprintf(stderr, "%s\n", err.text);
    exit(1);
  }
  int inferences = TASKS / s.program->n_tasks + 1;
  for (int i = 0; i < ROUNDS; i++) {
    double seconds = seconds_of(run_living, &s, inferences);
    living[i] = (double)*n_tasks / seconds;
    bare[i] = (double)inferences * s.program->n_tasks / seconds_of(run_bare, &s, inferences);
    ratio[i] = living[i] / bare[i];
  }
  qsort(living, ROUNDS, sizeof *living, by_value);
  qsort(bare, ROUNDS, sizeof *bare, by_value);
  qsort(ratio, ROUNDS, sizeof *ratio, by_value);
  printf("%-10s %-8s %-14s %-12s %10.0f %10.0f   %.2f (%.2f to %.2f)\n", soc, policy, model, rivals, living[ROUNDS / 2], bare[ROUNDS / 2],
         ratio[ROUNDS / 2], ratio[0], ratio[ROUNDS - 1]);
  fflush(stdout);
  hs_setup_free(&s);
}

/* --- (b) --- */

static void twenty_minutes(void)
{
  const char *hetsim = getenv("HETSIM");
  struct rusage used;
  int status;
  fflush(NULL);
  pid_t child = fork();
  if (child == 0) {
    execl(hetsim ? hetsim : "./hetsim", "hetsim", "--soc=sd855", "--policy=gpu", "vgg16", "--memory-type=buffer", "--duration=1200", "--ui=60",
          "--governor=schedutil", "--temperature=simulated", "--output=/dev/null", (char *)NULL);
    _exit(1);
  }
  if (wait4(child, &status, 0, &used) != child || !WIFEXITED(status) || WEXITSTATUS(status)) exit(1);
  printf("20 minutes of vgg16 beside a display: %.2f s of one core (goal 10), peak memory %ld KiB (goal 100 MB)\n", seconds_used(&used), used.ru_maxrss);
}

int main(void)
{
  n_tasks = mmap(NULL, sizeof *n_tasks, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (n_tasks == MAP_FAILED) return 1;
  twenty_minutes();
  printf("simulated tasks per second on a living phone, median of %d, and its ratio to a bare SimGrid loop (goal: 0.5)\n", ROUNDS);
  printf("%-10s %-8s %-14s %-12s %10s %10s   %s\n", "soc", "policy", "model", "rivals", "hetsim", "bare", "ratio");
  measure("sd855", "gpu", "yolov2", "cpu=2");
  measure("sd855", "cpu", "resnet50", "cpu=2");
  measure("sd855", "codl", "yolov2", "cpu=1,gpu=1");
  measure("kirin970", "npu", "mobilenet_v1", "cpu=1,npu=1");
  return 0;
}
