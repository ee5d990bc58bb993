/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Workers: actors that take tasks from the queue of their processor, and run them. */
#include "engine/cores.h"

#include <stdlib.h>
#include <string.h>

#include "plan/estimate.h"

static struct hs_exec *started(int n, struct hs_host *const *cores, const double *cycles, struct hs_host *port, double bytes)
{
  struct hs_exec *exec = hs_exec_new(n, cores, cycles, port, bytes);
  hs_exec_start(exec);
  return exec;
}

/* One execution is one share of a core, as a thread of weight 1024 is to CFS; a task of more weight is several. The memory knows nothing of
 * weights: all bytes are in the first one. */
static void run_shares(int n, struct hs_host *const *cores, double *cycles, struct hs_host *port, double bytes, int shares)
{
  struct hs_exec *execs[HS_WEIGHT_MAX];
  double all = 0;
  for (int i = 0; i < n; i++) {
    all += cycles[i];
    cycles[i] /= shares;
  }
  if (all <= 0) shares = 1; /* executions want amounts > 0 */
  for (int i = 0; i < shares; i++) execs[i] = started(n, cores, cycles, port, i == 0 ? bytes : 0);
  for (int i = 0; i < shares; i++) hs_exec_wait(execs[i]);
}

/* What is left of it. Bytes are stretched like cycles, so that a task takes so much longer whatever bounds it. */
struct hs_exec *hs_worker_start_task(struct hs_worker *w)
{
  const struct hs_queue *q = w->q;
  const struct hs_task *t = w->task;
  struct hs_host *cores[HS_CORES_MAX];
  double cycles[HS_CORES_MAX], rest = w->event.stretch * w->left, bytes = w->event.bytes * rest;
  int n = 0, weight = q->e->sys->scheduler ? 1 : t->weight ? t->weight : q->e->weight;
  for (int d = 0; d < HS_DOMAINS_MAX; d++)
    for (int c = 0; c < t->work.cores[d]; c++) {
      cores[n] = q->hosts[q->first_core[d] + t->first_core + c];
      cycles[n++] = t->work.cycles[d] * rest;
    }
  if (weight <= 1) return started(n, cores, cycles, q->port, bytes);
  run_shares(n, cores, cycles, q->port, bytes, weight);
  return NULL;
}

static void sleep_out(const struct hs_worker *w)
{
  double seconds = w->task->delay_s * w->event.stretch;
  if (w->task->from_deps) seconds += w->job->released_s[w->event.task] - hs_des_now_s();
  if (seconds > 0) hs_actor_sleep(seconds);
}

static void execute(struct hs_worker *w)
{
  const struct hs_task *t = w->task;
  if (t->kind == HS_TASK_RPC && w->q->e->sys->rpc_clusters) {
    hs_cores_call(w);
    return;
  }
  if (t->delay_s > 0) {
    sleep_out(w);
    return;
  }
  hs_account_set_levels(w->q, t);
  if (hs_task_seconds(w->q->e->sys, t) <= 0) return; /* nothing to do: executions want amounts > 0 */
  if (w->q->cores) {
    hs_cores_run(w);
    return;
  }
  struct hs_exec *exec = hs_worker_start_task(w);
  if (exec) hs_exec_wait(exec);
}

static void begin_task(struct hs_worker *w, struct hs_job *j)
{
  int p = w->q->processor, task = j->prog->queue[j->prog->queue_first[p] + j->next[p]];
  w->job = j;
  w->task = &j->prog->tasks[task];
  w->event = (struct hs_event){.request = j->request, .program = j->prog, .task = task, .ready_s = j->ready_s[p], .start_s = hs_des_now_s(),
                               .bytes = w->task->work.bytes * (w->task->weight ? 1 : w->q->e->traffic), .stretch = j->stretch ? j->stretch[task] : 1};
  w->own = (struct hs_running){.task = w->task, .bytes = w->event.bytes};
  w->is_cut = false;
  w->left = 1;
  j->head[p] = RUNS;
  if (w->task->delay_s <= 0) hs_account_begin(w->q, &w->own);
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

/* The code of a worker's actor. */
static void work(void *data)
{
  struct hs_worker *w = data;
  if (w->job) { /* goes on for one that was killed */
    hs_cores_run_rest(w);
    end_task(w);
  }
  for (;;) {
    struct hs_job *j = hs_job_pick(w->q);
    if (j) {
      begin_task(w, j);
      execute(w);
      end_task(w);
      continue;
    }
    w->next_idle = w->q->idle;
    w->q->idle = w;
    hs_semaphore_acquire(w->wake);
  }
}

void hs_worker_restart(struct hs_worker *w)
{
  w->actor = hs_actor_start(w->q->e->sys->soc->processors[w->q->processor].name, work, w);
}

void hs_worker_add(struct hs_queue *q)
{
  struct hs_worker *w = hs_realloc(NULL, 1, sizeof *w);
  *w = (struct hs_worker){.q = q, .wake = hs_semaphore_new(), .together = hs_semaphore_new()};
  HS_GROW(q->workers, q->n_workers, q->cap_workers);
  q->workers[q->n_workers++] = w;
  hs_worker_restart(w);
}

void hs_worker_wake(struct hs_queue *q)
{
  struct hs_worker *w = q->idle;
  if (!w) return;
  q->idle = w->next_idle;
  hs_semaphore_release(w->wake);
}

void hs_workers_free(struct hs_queue *q)
{
  for (int i = 0; i < q->n_workers; i++) {
    hs_semaphore_free(q->workers[i]->wake);
    hs_semaphore_free(q->workers[i]->together);
    free(q->workers[i]);
  }
  free(q->workers);
}
