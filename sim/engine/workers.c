/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Workers: they take tasks from the queue of their processor, and run them. */
#include "engine/clock.h"

#include <stdlib.h>
#include <string.h>

#include "engine/cores.h"
#include "plan/estimate.h"

static struct hs_exec *started(int n, struct hs_host *const *cores, const double *cycles, struct hs_host *lane, double bytes)
{
  struct hs_exec *exec = hs_exec_new(n, cores, cycles, lane, bytes);
  hs_exec_start(exec);
  return exec;
}

/* One execution is one share of a core, as a thread of weight 1024 is to CFS; a task of more weight is several. The memory knows nothing of
 * weights: all bytes are in the first one. */
static void run_shares(int n, struct hs_host *const *cores, double *cycles, struct hs_host *lane, double bytes, int shares)
{
  struct hs_exec *execs[HS_WEIGHT_MAX];
  double all = 0;
  for (int i = 0; i < n; i++) {
    all += cycles[i];
    cycles[i] /= shares;
  }
  if (all <= 0) shares = 1; /* executions want amounts > 0 */
  for (int i = 0; i < shares; i++) execs[i] = started(n, cores, cycles, lane, i == 0 ? bytes : 0);
  for (int i = 0; i < shares; i++) hs_exec_wait(execs[i]);
}

/* On all its cores in step, until it is done; who takes from others does so until all end at once, at the levels that they begin with.
 * Bytes are stretched like cycles, so that a task takes so much longer whatever bounds it. */
static void simulate(struct hs_worker *w)
{
  const struct hs_queue *q = w->q;
  const struct hs_task *t = w->task;
  struct hs_host *cores[HS_CORES_MAX];
  const struct hs_processor *proc = &q->e->sys->soc->processors[q->processor];
  double cycles[HS_CORES_MAX], hz[HS_DOMAINS_MAX] = {0};
  int n = 0;
  hs_account_clocks(q, t, hz);
  double all_s = hs_work_cores_s(proc, &t->work, hz);
  for (int d = 0; d < HS_DOMAINS_MAX; d++)
    for (int c = 0; c < t->work.cores[d]; c++) {
      int core = q->first_core[d] + t->first_core + c;
      cores[n] = q->hosts[core];
      cycles[n++] = (t->work.stolen[d] > 0 ? all_s * hs_account_hz(q, core) : hs_work_core_cycles(proc, &t->work, d, hz)) * w->event.stretch;
    }
  run_shares(n, cores, cycles, w->own.is_rival ? NULL : q->lane, w->event.bytes * w->event.stretch, t->weight ? t->weight : q->e->weight);
}

static double delay_s(const struct hs_worker *w)
{
  double seconds = w->task->delay_s * w->event.stretch;
  if (w->task->from_deps) seconds += w->job->released_s[w->event.task] - hs_des_now_s();
  return seconds;
}

/* As a fluid: until it is done. */
static void wait_for_task(struct hs_worker *w)
{
  if (w->task->delay_s > 0)
    hs_actor_sleep(delay_s(w));
  else
    simulate(w);
}

static bool calls_by_thread(const struct hs_worker *w) { return w->task->kind == HS_TASK_RPC && w->q->e->sys->rpc_clusters; }

static void begin_by_clock(struct hs_worker *w)
{
  if (calls_by_thread(w))
    hs_cores_call(w);
  else if (w->task->delay_s > 0)
    hs_clock_begin_delay(w, delay_s(w));
  else if (w->q->cores)
    hs_cores_run(w);
  else
    hs_clock_begin(w);
}

/* What the host does for a GPU in no time: it wants its core all the same, where others may have it. */
static bool wants_core(const struct hs_worker *w) { return w->q->cores && (w->task->kind == HS_TASK_LAUNCH || w->task->kind == HS_TASK_MAP); }

/* What an inference's host does with one thread, beside operators: for an accelerator. */
static bool serves_accelerator(const struct hs_worker *w)
{
  const struct hs_task *t = w->task;
  return w->q->cores && w->job->request >= 0 && t->delay_s <= 0 && (t->kind == HS_TASK_LAUNCH || t->kind == HS_TASK_MAP || t->kind == HS_TASK_TRANSFORM);
}

/* Executions want amounts > 0. */
static bool has_something_to_do(const struct hs_worker *w)
{
  if (calls_by_thread(w) || wants_core(w)) return true;
  return w->task->delay_s > 0 ? delay_s(w) > 0 : hs_task_seconds(w->q->e->sys, w->task) > 0;
}

static void begin_task(struct hs_worker *w, struct hs_job *j)
{
  int p = w->q->processor, task = j->prog->queue[j->prog->queue_first[p] + j->next[p]];
  w->job = j;
  w->task = &j->prog->tasks[task];
  w->event = (struct hs_event){.request = j->request, .program = j->prog, .task = task, .ready_s = j->ready_s[p], .start_s = hs_des_now_s(),
                               .bytes = w->task->work.bytes * (w->task->weight ? 1 : w->q->e->traffic), .stretch = j->stretch ? j->stretch[task] : 1};
  if (serves_accelerator(w)) hs_cores_move(w);
  w->own = (struct hs_running){.task = w->task, .is_rival = j->request < 0};
  j->head[p] = RUNS;
  if (w->task->delay_s > 0) return;
  hs_account_begin(w->q, &w->own);
}

static void end_task(struct hs_worker *w)
{
  struct hs_engine *e = w->q->e;
  struct hs_event *event = &w->event;
  struct hs_job *j = w->job;
  event->end_s = hs_des_now_s();
  if (w->task->delay_s <= 0) {
    hs_account_end(w->q, &w->own);
    hs_account_spin(w->q, j, w->task);
  }
  hs_account_take_spun(e, j, event->spun_j);
  event->share_s = w->task->delay_s > 0 ? event->end_s - event->start_s : w->own.share_s;
  event->energy_j = w->own.energy_j;
  memcpy(event->cycles, w->own.cycles, sizeof event->cycles);
  if (e->calls->task && !e->over) e->calls->task(e->calls->state, event);
  j->next[w->q->processor]++;
  j->head[w->q->processor] = WAITS;
  w->job = NULL;
  hs_job_finish_task(e, j, event->task);
}

void hs_worker_go_on(struct hs_worker *w)
{
  struct hs_job *j;
  if (w->job) end_task(w);
  while ((j = hs_job_pick(w->q))) {
    begin_task(w, j);
    if (has_something_to_do(w)) {
      if (w->q->e->clock) {
        begin_by_clock(w);
        return;
      }
      wait_for_task(w);
    }
    end_task(w);
  }
  w->next_idle = w->q->idle;
  w->q->idle = w;
}

/* The code of a worker's actor. */
static void work(void *worker)
{
  struct hs_worker *w = worker;
  for (;;) {
    hs_worker_go_on(w);
    hs_semaphore_acquire(w->wake);
  }
}

void hs_worker_add(struct hs_queue *q)
{
  struct hs_worker *w = hs_realloc(NULL, 1, sizeof *w);
  *w = (struct hs_worker){.q = q};
  HS_GROW(q->workers, q->n_workers, q->cap_workers);
  q->workers[q->n_workers++] = w;
  if (q->e->clock) {
    hs_worker_go_on(w);
    return;
  }
  w->wake = hs_semaphore_new();
  hs_actor_start(q->e->sys->soc->processors[q->processor].name, work, w);
}

void hs_worker_wake(struct hs_queue *q)
{
  struct hs_worker *w = q->idle;
  if (!w) return;
  q->idle = w->next_idle;
  if (w->wake)
    hs_semaphore_release(w->wake);
  else
    hs_worker_go_on(w);
}

void hs_workers_free(struct hs_queue *q)
{
  for (int i = 0; i < q->n_workers; i++) {
    if (q->workers[i]->wake) hs_semaphore_free(q->workers[i]->wake);
    free(q->workers[i]->caller);
    free(q->workers[i]);
  }
  free(q->workers);
}
