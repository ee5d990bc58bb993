/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Simulated tasks per second of hs_engine_run() against a bare SimGrid loop that executes the same parallel tasks: the same
 * number, on the same hosts with the same amounts, one actor per processor, but without dependencies, requests or observers.
 * Each measurement is a process of its own (SimGrid allows one platform), A and B in turn; the goal is a ratio of 0.7. */
#define _GNU_SOURCE
#include <simgrid/actor.h>
#include <simgrid/engine.h>
#include <simgrid/host.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "engine/engine.h"
#include "out/metrics.h"
#include "program/setup.h"

enum { TASKS = 400000, ROUNDS = 5 };

static double now_s(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* --- ours --- */

struct ours {
  const struct hs_program *program;
  struct hs_metrics metrics;
  int inferences;
};

static bool next_request(void *state, int request, double now, const struct hs_program **program)
{
  const struct ours *o = state;
  (void)now;
  *program = o->program;
  return request < o->inferences;
}

static void on_task(void *state, const struct hs_event *e) { hs_metrics_task(&((struct ours *)state)->metrics, e); }
static void on_done(void *state, int request, double start, double end)
{
  (void)request;
  hs_metrics_done(&((struct ours *)state)->metrics, start, end);
}

static void run_ours(const struct hs_setup *s, int inferences)
{
  struct ours o = {.program = s->program, .inferences = inferences};
  const struct hs_engine_calls calls = {&o, next_request, on_task, on_done, NULL, NULL, NULL, NULL};
  struct hs_error err;
  hs_metrics_start(&o.metrics, &s->sys);
  if (hs_engine_run(&s->sys, &calls, &err)) exit(1);
}

/* --- the yardstick --- */

static const struct hs_setup *setup;
static int repeats;
static sg_host_t memory, port[HS_PROCESSORS_MAX], core[HS_PROCESSORS_MAX][HS_CORES_MAX];

static void bare_worker(int argc, char **argv)
{
  (void)argc, (void)argv;
  int p = (int)(long)sg_actor_self_get_data();
  const struct hs_program *prog = setup->program;
  for (int r = 0; r < repeats; r++)
    for (int i = 0; i < prog->n_tasks; i++) {
      const struct hs_task *t = &prog->tasks[i];
      sg_host_t hosts[HS_CORES_MAX + 2];
      double cycles[HS_CORES_MAX + 2] = {0}, bytes[(HS_CORES_MAX + 2) * (HS_CORES_MAX + 2)] = {0};
      int n = 0;
      if (t->processor != p) continue;
      if (t->delay_s > 0) {
        sg_actor_sleep_for(t->delay_s);
        continue;
      }
      for (int d = 0; d < HS_DOMAINS_MAX; d++)
        for (int c = 0; c < t->work.cores[d]; c++, n++) {
          hosts[n] = core[p][n];
          cycles[n] = t->work.cycles[d];
        }
      if (t->work.bytes > 0) {
        hosts[n++] = port[p];
        hosts[n++] = memory;
        bytes[(n - 2) * n + n - 1] = t->work.bytes;
      }
      sg_actor_parallel_execute(n, hosts, cycles, t->work.bytes > 0 ? bytes : NULL);
    }
}

static void write_platform(FILE *f, const struct hs_soc *soc)
{
  fprintf(f, "<?xml version='1.0'?><!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\"><platform version=\"4.1\">"
             "<zone id=\"z\" routing=\"Full\"><host id=\"m\" speed=\"1f\"/>");
  for (int p = 0; p < soc->n_processors; p++) {
    for (int c = 0; c < hs_processor_cores(&soc->processors[p]); c++) fprintf(f, "<host id=\"h%d.%d\" speed=\"1e9f\"/>", p, c);
    fprintf(f, "<host id=\"p%d\" speed=\"1f\"/><link id=\"l%d\" bandwidth=\"2e10Bps\" latency=\"0s\"/>", p, p);
  }
  fprintf(f, "<link id=\"d\" bandwidth=\"3e10Bps\" latency=\"0s\"/>");
  for (int p = 0; p < soc->n_processors; p++)
    fprintf(f, "<route src=\"p%d\" dst=\"m\"><link_ctn id=\"l%d\"/><link_ctn id=\"d\"/></route>", p, p);
  fprintf(f, "</zone></platform>");
}

static void run_bare(const struct hs_setup *s, int inferences)
{
  char *args[] = {"bench", "--cfg=host/model:ptask_L07", "--log=root.thresh:error", NULL}, path[40], name[20];
  int n = 3, fd = memfd_create("platform", 0);
  simgrid_init(&n, args);
  FILE *f = fdopen(dup(fd), "w");
  write_platform(f, s->soc);
  fclose(f);
  snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
  simgrid_load_platform(path);
  setup = s;
  repeats = inferences;
  memory = sg_host_by_name("m");
  for (int p = 0; p < s->soc->n_processors; p++) {
    for (int c = 0; c < hs_processor_cores(&s->soc->processors[p]); c++) {
      snprintf(name, sizeof name, "h%d.%d", p, c);
      core[p][c] = sg_host_by_name(name);
    }
    snprintf(name, sizeof name, "p%d", p);
    port[p] = sg_host_by_name(name);
    sg_actor_t actor = sg_actor_init(name, memory);
    sg_actor_set_data(actor, (void *)(long)p);
    sg_actor_start(actor, bare_worker, 0, NULL);
  }
  simgrid_run();
}

/* --- measuring --- */

static double seconds_of(void (*run)(const struct hs_setup *, int), const struct hs_setup *s, int inferences)
{
  double start = now_s();
  int status;
  fflush(NULL);
  pid_t child = fork();
  if (child == 0) {
    run(s, inferences);
    _exit(0);
  }
  if (waitpid(child, &status, 0) != child || !WIFEXITED(status) || WEXITSTATUS(status)) exit(1);
  return now_s() - start;
}

static int by_value(const void *a, const void *b)
{
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static void measure(const char *soc, const char *policy, const char *model)
{
  const struct hs_request req = {.soc = soc, .policy = policy, .model = model};
  static struct hs_setup s;
  struct hs_error err;
  double ours[ROUNDS], bare[ROUNDS], ratio[ROUNDS];
  s = (struct hs_setup){0};
  if (hs_setup_make(&s, &req, &err)) {
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
