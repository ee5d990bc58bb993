/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The discrete-event simulator is SimGrid 3.32 or newer: the only file that knows it. An execution is one parallel task of the L07 model: cycles
 * on the hosts of its cores, and its bytes over the links of its cores, its port and the DRAM to one memory host, which makes its duration the
 * roofline and lets processors share the DRAM. Only hosts, pstates, actors, parallel executions and semaphores are used, so that the file
 * ports to later SimGrid versions with a few lines. */
#define _GNU_SOURCE
#include "engine/des.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <simgrid/actor.h>
#include <simgrid/engine.h>
#include <simgrid/exec.h>
#include <simgrid/host.h>
#include <simgrid/semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/text.h"

enum { HOSTS_MAX = HS_CORES_MAX + 2 };

/* Of the one simulation. Nothing computes where the actors are: a sleeping actor there changes nobody's rates, so SimGrid need not solve them anew. */
static sg_host_t memory, actors;

static sg_host_t host(const struct hs_host *h) { return (sg_host_t)h; }
static sg_sem_t semaphore(const struct hs_semaphore *s) { return (sg_sem_t)s; }
static sg_exec_t exec(const struct hs_exec *x) { return (sg_exec_t)x; }

/* --- platform --- */

/* A host, and its way to the memory: a link of its own, the processor's port, and the DRAM. Nothing has one of its own that isn't narrower than the port. */
static void write_way(struct hs_text *x, struct hs_text *routes, const char *host, int p, double bytes_per_s, double port_bytes_per_s)
{
  bool own = bytes_per_s < port_bytes_per_s;
  if (own) hs_text_addf(x, "<link id=\"%s.link\" bandwidth=\"%.17gBps\" latency=\"0s\"/>", host, bytes_per_s);
  hs_text_addf(routes, "<route src=\"%s\" dst=\"memory\">", host);
  if (own) hs_text_addf(routes, "<link_ctn id=\"%s.link\"/>", host);
  hs_text_addf(routes, "<link_ctn id=\"p%d.port\"/><link_ctn id=\"dram\"/></route>", p);
}

static void write_core(struct hs_text *x, struct hs_text *routes, const struct hs_processor *proc, int p, int d, int c)
{
  const struct hs_domain *domain = &proc->domains[d];
  char name[40];
  snprintf(name, sizeof name, "p%d.%d.%d", p, d, c);
  hs_text_addf(x, "<host id=\"%s\" speed=\"", name);
  for (int i = 0; i < domain->n_opps; i++) hs_text_addf(x, "%s%.17gf", i ? "," : "", domain->opps[i].freq_hz);
  hs_text_add(x, "\"/>");
  write_way(x, routes, name, p, domain->bandwidth_per_core_bytes_per_s, proc->bandwidth_bytes_per_s);
}

static void write_processor(struct hs_text *x, struct hs_text *routes, const struct hs_system *sys, int p)
{
  const struct hs_processor *proc = &sys->soc->processors[p];
  char lane[40];
  for (int d = 0; d < proc->n_domains; d++)
    for (int c = 0; c < proc->domains[d].cores; c++) write_core(x, routes, proc, p, d, c);
  snprintf(lane, sizeof lane, "p%d.lane", p);
  hs_text_addf(x, "<host id=\"%s\" speed=\"1f\"/>", lane);
  write_way(x, routes, lane, p, hs_system_lane_bytes_per_s(sys, p), proc->bandwidth_bytes_per_s);
  hs_text_addf(x, "<link id=\"p%d.port\" bandwidth=\"%.17gBps\" latency=\"0s\"/>", p, proc->bandwidth_bytes_per_s);
}

static void write_platform(struct hs_text *x, const struct hs_system *sys)
{
  struct hs_text routes = {0};
  hs_text_add(x, "<?xml version='1.0'?><!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">"
                 "<platform version=\"4.1\"><zone id=\"soc\" routing=\"Full\"><host id=\"memory\" speed=\"1f\"/><host id=\"actors\" speed=\"1f\"/>");
  for (int p = 0; p < sys->soc->n_processors; p++) write_processor(x, &routes, sys, p);
  hs_text_addf(x, "<link id=\"dram\" bandwidth=\"%.17gBps\" latency=\"0s\"/>", sys->soc->memory.peak_bytes_per_s);
  hs_text_addf(x, "%s</zone></platform>", routes.s);
  hs_text_free(&routes);
}

/* SimGrid ends the program where it can't open its file, as without /proc or with no descriptor left: whether it can is asked before. */
static bool opens(const char *path)
{
  int fd = open(path, O_RDONLY);
  if (fd >= 0) close(fd);
  return fd >= 0;
}

static enum hs_status load_platform(const struct hs_system *sys, struct hs_error *err)
{
  struct hs_text x = {0};
  char path[40];
  write_platform(&x, sys);
  int fd = memfd_create("hetsim-platform", 0);
  ssize_t n = fd >= 0 ? write(fd, x.s, x.len) : -1;
  snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
  bool written = n == (ssize_t)x.len, opened = written && opens(path);
  int why = n < 0 || written ? errno : EFBIG;
  hs_text_free(&x);
  if (opened) simgrid_load_platform(path);
  if (fd >= 0) close(fd);
  return opened ? HS_OK : hs_fail(err, HS_ENGINE, "can't hand the platform to the engine as %s: %s", fd < 0 ? "a file in memory" : path, strerror(why));
}

static void start_simgrid(void)
{
  /* SimGrid parses the program's arguments and would answer --help itself: it gets its own. */
  char *args[] = {"hetsim", "--cfg=host/model:ptask_L07", "--cfg=surf/precision:1e-12", "--log=root.thresh:error", NULL};
  int n = 4;
  struct sigaction callers;
  sigaction(SIGINT, NULL, &callers);
  simgrid_init(&n, args);
  sigaction(SIGINT, &callers, NULL); /* its own would leave with exit(1) in the middle of the run */
}

enum hs_status hs_des_open(const struct hs_system *sys, struct hs_error *err)
{
  start_simgrid();
  HS_TRY(load_platform(sys, err));
  memory = sg_host_by_name("memory");
  actors = sg_host_by_name("actors");
  return HS_OK;
}

void hs_des_run(void) { simgrid_run(); }
void hs_des_end_others(void) { sg_actor_kill_all(); }
double hs_des_now_s(void) { return simgrid_get_clock(); }

/* --- hosts --- */

struct hs_host *hs_host_core(int processor, int domain, int core)
{
  char name[40];
  snprintf(name, sizeof name, "p%d.%d.%d", processor, domain, core);
  return (struct hs_host *)sg_host_by_name(name);
}

struct hs_host *hs_host_lane(int processor)
{
  char name[40];
  snprintf(name, sizeof name, "p%d.lane", processor);
  return (struct hs_host *)sg_host_by_name(name);
}

void hs_host_set_opp(struct hs_host *core, int level)
{
  if (sg_host_get_pstate(host(core)) != (unsigned long)level) sg_host_set_pstate(host(core), (unsigned long)level);
}

/* --- actors --- */

struct code {
  void (*run)(void *data);
  void *data;
};

static void run_code(int argc, char **argv)
{
  (void)argc, (void)argv;
  struct code *allocated = sg_actor_self_get_data(), code = *allocated;
  free(allocated);
  code.run(code.data);
}

void hs_actor_start(const char *name, void (*code)(void *data), void *data)
{
  sg_actor_t a = sg_actor_init(name, actors);
  struct code *c = hs_realloc(NULL, 1, sizeof *c);
  *c = (struct code){code, data};
  sg_actor_set_data(a, c);
  sg_actor_start(a, run_code, 0, NULL);
}

void hs_actor_sleep(double seconds) { sg_actor_sleep_for(seconds); }

/* --- semaphores --- */

struct hs_semaphore *hs_semaphore_new(void) { return (struct hs_semaphore *)sg_sem_init(0); }
void hs_semaphore_free(struct hs_semaphore *s) { sg_sem_destroy(semaphore(s)); }
void hs_semaphore_release(struct hs_semaphore *s) { sg_sem_release(semaphore(s)); }
void hs_semaphore_acquire(struct hs_semaphore *s) { sg_sem_acquire(semaphore(s)); }
bool hs_semaphore_acquire_for(struct hs_semaphore *s, double seconds) { return !sg_sem_acquire_timeout(semaphore(s), seconds); }

/* --- executions --- */

struct hs_exec *hs_exec_new(int n_cores, struct hs_host *const *cores, const double *cycles, struct hs_host *lane, double bytes)
{
  sg_host_t hosts[HOSTS_MAX];
  double amounts[HOSTS_MAX] = {0}, moved[HOSTS_MAX * HOSTS_MAX];
  int n = n_cores;
  for (int i = 0; i < n_cores; i++) {
    hosts[i] = host(cores[i]);
    amounts[i] = cycles[i];
  }
  if (bytes > 0) {
    int from = lane ? n_cores : 0, senders = lane ? 1 : n_cores;
    if (lane) hosts[n++] = host(lane);
    hosts[n++] = memory;
    memset(moved, 0, (size_t)(n * n) * sizeof *moved);
    for (int i = from; i < from + senders; i++) moved[i * n + n - 1] = bytes / senders;
  }
  return (struct hs_exec *)sg_actor_parallel_exec_init(n, hosts, amounts, bytes > 0 ? moved : NULL);
}

void hs_exec_start(struct hs_exec *x) { sg_exec_start(exec(x)); }
void hs_exec_wait(struct hs_exec *x) { sg_exec_wait(exec(x)); }
