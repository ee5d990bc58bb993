/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A run: the driver, an actor that takes jobs from the caller until there are no more. */
#include "engine/clock.h"

#include <math.h>

#include "device/cfs.h"

struct hs_task hs_event_task(const struct hs_event *e, const struct hs_soc *soc)
{
  struct hs_task t = e->program->tasks[e->task];
  if (e->elsewhere) t.work = hs_work_moved(&soc->processors[t.processor], &t.work, e->domain);
  return t;
}

void hs_engine_set_weight(struct hs_engine *e, int weight) { e->weight = weight; }
void hs_engine_set_traffic(struct hs_engine *e, double factor) { e->traffic = factor; }

static void open_queue(struct hs_engine *e, int p)
{
  struct hs_queue *q = &e->queues[p];
  const struct hs_processor *proc = &e->sys->soc->processors[p];
  *q = (struct hs_queue){.e = e, .processor = p, .leakage = 1, .lane = hs_host_lane(p), .port_bytes_per_s = proc->bandwidth_bytes_per_s,
                         .lane_bytes_per_s = hs_system_lane_bytes_per_s(e->sys, p)};
  for (int d = 0; d < proc->n_domains; d++) {
    q->first_core[d] = q->n_hosts;
    e->cap[p][d] = proc->domains[d].n_opps - 1;
    for (int c = 0; c < proc->domains[d].cores; c++) {
      struct hs_host *core = q->hosts[q->n_hosts++] = hs_host_core(p, d, c);
      q->level[q->n_hosts - 1] = e->sys->backends[p].opp[d];
      hs_host_set_opp(core, e->sys->backends[p].opp[d]);
    }
  }
}

static bool stopped(const struct hs_engine *e) { return e->calls->stop && *e->calls->stop; }

double hs_engine_ask(struct hs_engine *e)
{
  e->some_done = e->told = false;
  double when_s = stopped(e) ? INFINITY : e->calls->turn(e->calls->state, e, hs_des_now_s());
  return when_s == INFINITY && e->n_jobs == 0 && !e->some_done ? -1 : when_s;
}

static void drive_fluid(struct hs_engine *e)
{
  double when_s;
  while ((when_s = hs_engine_ask(e)) >= 0) {
    double now_s = hs_des_now_s();
    if (when_s == INFINITY)
      hs_semaphore_acquire(e->done);
    else if (when_s > now_s)
      hs_semaphore_acquire_for(e->done, when_s - now_s);
  }
}

static void drive(void *engine)
{
  struct hs_engine *e = engine;
  if (e->clock)
    hs_clock_drive(e);
  else
    drive_fluid(e);
  if (e->calls->over) e->calls->over(e->calls->state, e, hs_des_now_s());
  e->over = true;
  hs_des_end_others();
}

enum hs_status hs_engine_run(const struct hs_system *sys, const struct hs_engine_calls *calls, struct hs_error *err)
{
  struct hs_engine e = {.sys = sys, .calls = calls, .live = *sys, .weight = sys->scheduler ? (int)hs_cfs_weight(0) : 1, .traffic = 1};
  int n = sys->soc->n_processors;
  e.last_job = &e.jobs;
  HS_TRY(hs_des_open(sys, err));
  e.done = hs_semaphore_new();
  for (int p = 0; p < n; p++) open_queue(&e, p);
  if (sys->scheduler) hs_clock_open(&e);
  for (int p = 0; p < n; p++) hs_worker_add(&e.queues[p]);
  hs_actor_start("driver", drive, &e);
  hs_des_run();
  for (int p = 0; p < n; p++) hs_workers_free(&e.queues[p]);
  hs_clock_free(&e);
  hs_jobs_free(&e);
  hs_semaphore_free(e.done);
  return HS_OK;
}
