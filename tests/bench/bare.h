/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What benches of simulated tasks per second share: a bare SimGrid loop that executes the tasks of a program, on the same hosts with
 * the same amounts, one actor per processor, but without dependencies, requests or observers; and how it is measured. */
#ifndef HS_BENCH_BARE_H
#define HS_BENCH_BARE_H

#define _GNU_SOURCE
#include <simgrid/actor.h>
#include <simgrid/engine.h>
#include <simgrid/host.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "engine/engine.h"
#include "out/metrics.h"
#include "program/setup.h"

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

/* Each measurement is a process of its own, because SimGrid allows one platform. */
/* Of the processor: others on this machine count less than by the clock. */
static double seconds_used(const struct rusage *u)
{
  return (double)(u->ru_utime.tv_sec + u->ru_stime.tv_sec) + 1e-6 * (double)(u->ru_utime.tv_usec + u->ru_stime.tv_usec);
}

static double seconds_of(void (*run)(const struct hs_setup *, int), const struct hs_setup *s, int inferences)
{
  struct rusage used;
  int status;
  fflush(NULL);
  pid_t child = fork();
  if (child == 0) {
    run(s, inferences);
    _exit(0);
  }
  if (wait4(child, &status, 0, &used) != child || !WIFEXITED(status) || WEXITSTATUS(status)) exit(1);
  return seconds_used(&used);
}

static int by_value(const void *a, const void *b)
{
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

#endif
