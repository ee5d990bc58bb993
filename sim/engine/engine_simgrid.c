/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The engine on SimGrid 3.32 or newer: the only file that knows it. A task of ours is one parallel task of the L07 model:
 * cycles on the hosts of its cores, and its bytes over [thread limit,] port and DRAM links to one memory host, which makes
 * its duration the roofline and lets processors share the DRAM. Each processor is one actor that takes its tasks in
 * program order; a driver actor hands out requests. Only hosts, pstates, actors, parallel executions and semaphores are
 * used, so that the file ports to later SimGrid versions with a few lines. */
#define _GNU_SOURCE
#include "engine/engine.h"

#include <math.h>
#include <simgrid/actor.h>
#include <simgrid/engine.h>
#include <simgrid/host.h>
#include <simgrid/semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/text.h"
#include "plan/estimate.h"

enum { IDLE = -1, HOSTS_MAX = HS_CORES_MAX + 2 };

struct worker {
  struct engine *e;
  int processor;
  int n_hosts;                /* cores in use, then the port */
  sg_host_t hosts[HOSTS_MAX]; /* cores by domain */
  int first_core[HS_DOMAINS_MAX];
  sg_sem_t wake;              /* a request started, or the task waited for became ready */
  int waiting_for;            /* task, or IDLE */
  int n_tasks, cap_tasks;
  int *tasks;                 /* of the current program */
};

struct engine {
  const struct hs_system *sys;
  const struct hs_engine_calls *calls;
  sg_host_t memory;
  struct worker workers[HS_PROCESSORS_MAX];
  const struct hs_program *prog; /* current */
  int request, active;           /* workers still busy with it */
  sg_sem_t done;
  int *pending;                  /* [task]: dependencies left */
  int *first_out, *out;          /* successors of each task */
  bool over;
};

/* --- platform --- */

static double port_limit(const struct hs_system *sys, int p)
{
  const struct hs_processor *proc = &sys->soc->processors[p];
  double cores = 0;
  for (int d = 0; d < proc->n_domains; d++)
    cores += sys->backends[p].cores[d] * proc->domains[d].bandwidth_per_core_bytes_per_s;
  return fmin(cores, proc->bandwidth_bytes_per_s);
}

static void write_processor(struct hs_text *x, struct hs_text *routes, const struct hs_system *sys, int p)
{
  const struct hs_processor *proc = &sys->soc->processors[p];
  for (int d = 0; d < proc->n_domains; d++)
    for (int c = 0; c < proc->domains[d].cores; c++) {
      hs_text_addf(x, "<host id=\"p%d.%d.%d\" speed=\"", p, d, c);
      for (int i = 0; i < proc->domains[d].n_opps; i++)
        hs_text_addf(x, "%s%.17gf", i ? "," : "", proc->domains[d].opps[i].freq_hz);
      hs_text_add(x, "\"/>");
    }
  hs_text_addf(x, "<host id=\"p%d.port\" speed=\"1f\"/>", p);
  hs_text_addf(x, "<link id=\"p%d.link\" bandwidth=\"%.17gBps\" latency=\"0s\"/>", p, port_limit(sys, p));
  hs_text_addf(routes, "<route src=\"p%d.port\" dst=\"memory\"><link_ctn id=\"p%d.link\"/><link_ctn id=\"dram\"/></route>", p, p);
}

static void write_platform(struct hs_text *x, const struct hs_system *sys)
{
  struct hs_text routes = {0};
  hs_text_add(x, "<?xml version='1.0'?><!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">"
                 "<platform version=\"4.1\"><zone id=\"soc\" routing=\"Full\"><host id=\"memory\" speed=\"1f\"/>");
  for (int p = 0; p < sys->soc->n_processors; p++) write_processor(x, &routes, sys, p);
  hs_text_addf(x, "<link id=\"dram\" bandwidth=\"%.17gBps\" latency=\"0s\"/>", sys->soc->memory.peak_bytes_per_s);
  hs_text_addf(x, "%s</zone></platform>", routes.s);
  hs_text_free(&routes);
}

static enum hs_status load_platform(const struct hs_system *sys, struct hs_error *err)
{
  struct hs_text x = {0};
  char path[40];
  write_platform(&x, sys);
  int fd = memfd_create("hetsim-platform", 0);
  bool written = fd >= 0 && write(fd, x.s, x.len) == (ssize_t)x.len;
  hs_text_free(&x);
  if (!written) return hs_fail(err, HS_ENGINE, "can't hand the platform to the engine");
  snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
  simgrid_load_platform(path);
  close(fd);
  return HS_OK;
}

static void start_simgrid(void)
{
  /* SimGrid parses the program's arguments and would answer --help itself: it gets its own. */
  char *args[] = {"hetsim", "--cfg=host/model:ptask_L07", "--cfg=surf/precision:1e-12", "--log=root.thresh:error", NULL};
  int n = 4;
  simgrid_init(&n, args);
}

static void find_hosts(struct engine *e, int p)
{
  struct worker *w = &e->workers[p];
  const struct hs_processor *proc = &e->sys->soc->processors[p];
  char name[40];
  *w = (struct worker){.e = e, .processor = p, .waiting_for = IDLE, .wake = sg_sem_init(0)};
  for (int d = 0; d < proc->n_domains; d++) {
    w->first_core[d] = w->n_hosts;
    for (int c = 0; c < proc->domains[d].cores; c++) {
      snprintf(name, sizeof name, "p%d.%d.%d", p, d, c);
      w->hosts[w->n_hosts] = sg_host_by_name(name);
      sg_host_set_pstate(w->hosts[w->n_hosts++], (unsigned long)e->sys->backends[p].opp[d]);
    }
  }
  snprintf(name, sizeof name, "p%d.port", p);
  w->hosts[w->n_hosts] = sg_host_by_name(name);
}

/* --- workers --- */

/* Puts the domains a task uses on the OPP it asks for. */
static void set_opps(struct worker *w, const struct hs_task *t)
{
  const struct hs_processor *proc = &w->e->sys->soc->processors[w->processor];
  for (int d = 0; d < proc->n_domains; d++) {
    unsigned long want = (unsigned long)hs_system_opp(w->e->sys, w->processor, d, t->opp);
    for (int c = 0; c < t->work.cores[d]; c++)
      if (sg_host_get_pstate(w->hosts[w->first_core[d] + c]) != want) sg_host_set_pstate(w->hosts[w->first_core[d] + c], want);
  }
}

static void execute(struct worker *w, const struct hs_task *t)
{
  if (t->delay_s > 0) {
    sg_actor_sleep_for(t->delay_s);
    return;
  }
  sg_host_t hosts[HOSTS_MAX];
  double cycles[HOSTS_MAX], bytes[HOSTS_MAX * HOSTS_MAX];
  int n = 0;
  set_opps(w, t);
  for (int d = 0; d < HS_DOMAINS_MAX; d++)
    for (int c = 0; c < t->work.cores[d]; c++) {
      hosts[n] = w->hosts[w->first_core[d] + c];
      cycles[n++] = t->work.cycles[d];
    }
  if (t->work.bytes > 0) {
    hosts[n] = w->hosts[w->n_hosts];
    hosts[n + 1] = w->e->memory;
    cycles[n] = cycles[n + 1] = 0;
    n += 2;
    memset(bytes, 0, (size_t)(n * n) * sizeof *bytes);
    bytes[(n - 2) * n + n - 1] = t->work.bytes;
  }
  if (n == 0 || hs_task_seconds(w->e->sys, t) <= 0) return; /* nothing to do: SimGrid wants amounts > 0 */
  sg_actor_parallel_execute(n, hosts, cycles, t->work.bytes > 0 ? bytes : NULL);
}

static void wait_ready(struct worker *w, int task)
{
  if (w->e->pending[task] == 0) return;
  w->waiting_for = task;
  sg_sem_acquire(w->wake);
}

static void release_successors(struct engine *e, int task)
{
  for (int k = e->first_out[task]; k < e->first_out[task + 1]; k++) {
    int next = e->out[k];
    struct worker *w = &e->workers[e->prog->tasks[next].processor];
    if (--e->pending[next] > 0 || w->waiting_for != next) continue;
    w->waiting_for = IDLE;
    sg_sem_release(w->wake);
  }
}

static void work(int argc, char **argv)
{
  (void)argc, (void)argv;
  struct worker *w = sg_actor_self_get_data();
  struct engine *e = w->e;
  for (;;) {
    sg_sem_acquire(w->wake);
    if (e->over) return;
    for (int i = 0; i < w->n_tasks; i++) {
      int task = w->tasks[i];
      wait_ready(w, task);
      struct hs_event event = {e->request, e->prog, task, simgrid_get_clock(), 0};
      execute(w, &e->prog->tasks[task]);
      event.end_s = simgrid_get_clock();
      if (e->calls->task) e->calls->task(e->calls->state, &event);
      release_successors(e, task);
    }
    if (--e->active == 0) sg_sem_release(e->done);
  }
}

/* --- requests --- */

/* Queues and successor lists of a program; kept while requests repeat the same one. */
static void take_program(struct engine *e, const struct hs_program *prog)
{
  if (prog == e->prog) return;
  int n = prog->n_tasks;
  e->prog = prog;
  e->pending = hs_realloc(e->pending, (size_t)n, sizeof *e->pending);
  e->first_out = hs_realloc(e->first_out, (size_t)n + 2, sizeof *e->first_out);
  e->out = hs_realloc(e->out, (size_t)prog->n_deps, sizeof *e->out);
  memset(e->first_out, 0, ((size_t)n + 2) * sizeof *e->first_out);
  for (int k = 0; k < prog->n_deps; k++) e->first_out[prog->deps[k] + 2]++;
  for (int i = 0; i < n; i++) e->first_out[i + 2] += e->first_out[i + 1];
  for (int p = 0; p < e->sys->soc->n_processors; p++) e->workers[p].n_tasks = 0;
  for (int i = 0; i < n; i++) {
    const struct hs_task *t = &prog->tasks[i];
    struct worker *w = &e->workers[t->processor];
    for (int k = 0; k < t->n_deps; k++) e->out[e->first_out[prog->deps[t->first_dep + k] + 1]++] = i;
    HS_GROW(w->tasks, w->n_tasks, w->cap_tasks);
    w->tasks[w->n_tasks++] = i;
  }
}

static void start_request(struct engine *e)
{
  int started = 0;
  for (int i = 0; i < e->prog->n_tasks; i++) e->pending[i] = e->prog->tasks[i].n_deps;
  for (int p = 0; p < e->sys->soc->n_processors; p++) e->active += e->workers[p].n_tasks > 0;
  for (int p = 0; p < e->sys->soc->n_processors; p++)
    if (e->workers[p].n_tasks > 0) {
      sg_sem_release(e->workers[p].wake);
      started++;
    }
  if (started) sg_sem_acquire(e->done);
}

static void drive(int argc, char **argv)
{
  (void)argc, (void)argv;
  struct engine *e = sg_actor_self_get_data();
  const struct hs_program *prog = NULL;
  for (; !(e->calls->stop && *e->calls->stop); e->request++) {
    double start = simgrid_get_clock();
    if (!e->calls->next(e->calls->state, e->request, start, &prog)) break;
    take_program(e, prog);
    start_request(e);
    if (e->calls->done) e->calls->done(e->calls->state, e->request, start, simgrid_get_clock());
  }
  e->over = true;
  for (int p = 0; p < e->sys->soc->n_processors; p++) sg_sem_release(e->workers[p].wake);
}

static void start_actor(const char *name, sg_host_t host, void *data, void (*code)(int, char **))
{
  sg_actor_t actor = sg_actor_init(name, host);
  sg_actor_set_data(actor, data);
  sg_actor_start(actor, code, 0, NULL);
}

enum hs_status hs_engine_run(const struct hs_system *sys, const struct hs_engine_calls *calls, struct hs_error *err)
{
  struct engine e = {.sys = sys, .calls = calls};
  start_simgrid();
  enum hs_status status = load_platform(sys, err);
  if (status) return status;
  e.memory = sg_host_by_name("memory");
  e.done = sg_sem_init(0);
  for (int p = 0; p < sys->soc->n_processors; p++) find_hosts(&e, p);
  for (int p = 0; p < sys->soc->n_processors; p++)
    start_actor(sys->soc->processors[p].name, e.workers[p].hosts[0], &e.workers[p], work);
  start_actor("driver", e.memory, &e, drive);
  simgrid_run();
  for (int p = 0; p < sys->soc->n_processors; p++) free(e.workers[p].tasks);
  free(e.pending);
  free(e.first_out);
  free(e.out);
  return HS_OK;
}
