/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Jobs: what they offer, who goes first, and their end. */
#include "engine/cores.h"

#include <stdlib.h>

int hs_job_client(const struct hs_job *j) { return j->request >= 0 ? 0 : -j->request; }

static struct hs_job *new_job(struct hs_engine *e, const struct hs_program *prog)
{
  struct hs_job *j = e->free_jobs;
  if (j)
    e->free_jobs = j->later;
  else {
    j = hs_realloc(NULL, 1, sizeof *j);
    *j = (struct hs_job){0};
  }
  int *pending = j->pending, cap = j->cap_pending;
  double *released_s = j->released_s;
  if (cap < prog->n_tasks) {
    cap = prog->n_tasks;
    pending = hs_realloc(pending, (size_t)cap, sizeof *pending);
    released_s = hs_realloc(released_s, (size_t)cap, sizeof *released_s);
  }
  *j = (struct hs_job){.tasks_left = prog->n_tasks + 1, .prog = prog, .pending = pending, .cap_pending = cap, .released_s = released_s};
  for (int i = 0; i < prog->n_tasks; i++) {
    pending[i] = prog->tasks[i].n_deps;
    released_s[i] = hs_des_now_s();
  }
  return j;
}

/* The task of job j that is first in its queue of p: if it is ready, some worker of p may take it. Returns false if there is none. */
static bool offer(struct hs_engine *e, struct hs_job *j, int p)
{
  struct hs_queue *q = &e->queues[p];
  int at = j->prog->queue_first[p] + j->next[p];
  if (at >= j->prog->queue_first[p + 1] || j->pending[j->prog->queue[at]] > 0 || j->head[p] != WAITS) return false;
  const struct hs_task *t = &j->prog->tasks[j->prog->queue[at]];
  j->head[p] = OFFERED;
  j->ready_s[p] = hs_des_now_s();
  hs_account_want(q, t, 1);
  if (e->calls->ready && !e->over) e->calls->ready(e->calls->state, j->request, t, j->ready_s[p]);
  return true;
}

static void offer_to_idle(struct hs_engine *e, struct hs_job *j, int p)
{
  if (offer(e, j, p)) hs_worker_wake(&e->queues[p]);
}

enum { INFERENCES = 0 }; /* as a client */

/* Of two jobs that offer a task to p: does the task of a go before that of b, which was handed in first? */
static bool goes_before(const struct hs_job *a, const struct hs_job *b, int p)
{
  return a->priority != b->priority ? a->priority > b->priority : a->ready_s[p] < b->ready_s[p];
}

/* The list is in the order of handing in. */
static struct hs_job *first_inference(const struct hs_queue *q)
{
  struct hs_job *best = NULL;
  for (struct hs_job *j = q->e->jobs; j; j = j->later)
    if (j->head[q->processor] == OFFERED && hs_job_client(j) == INFERENCES && (!best || goes_before(j, best, q->processor))) best = j;
  return best;
}

/* Priorities are the inferences' own, who go by the one that they would run: so one that waits behind the others' priorities for ever keeps nobody else
 * waiting. */
static struct hs_job *first_of_all(const struct hs_queue *q)
{
  struct hs_job *best = NULL, *inference = first_inference(q);
  for (struct hs_job *j = q->e->jobs; j; j = j->later)
    if (j->head[q->processor] == OFFERED && (j == inference || hs_job_client(j) != INFERENCES) &&
        (!best || j->ready_s[q->processor] < best->ready_s[q->processor]))
      best = j;
  return best;
}

/* A driver hands a DSP or NPU whole graphs: it goes on with the invocation that it is at, but a call begins another one. */
static struct hs_job *goes_on(const struct hs_queue *q)
{
  struct hs_job *j = q->invoked_by;
  if (!j || j->head[q->processor] != OFFERED) return NULL;
  return hs_task_calls(&j->prog->tasks[j->prog->queue[j->prog->queue_first[q->processor] + j->next[q->processor]]]) ? NULL : j;
}

/* A process hands in its kernels one by one, each a job: after each it is others' turn. */
static struct hs_job *pick_invocation(struct hs_queue *q)
{
  struct hs_job *j = goes_on(q);
  return q->invoked_by = j ? j : first_of_all(q);
}

/* A GPU stays with the inferences for a slice of time, as long as they have something queued. */
struct hs_job *hs_job_pick(struct hs_queue *q)
{
  const struct hs_processor *p = &q->e->sys->soc->processors[q->processor];
  double now_s = hs_des_now_s();
  if (hs_kind_is_remote(p->kind)) return pick_invocation(q);
  struct hs_job *j = q->client == INFERENCES && now_s < q->client_since_s + p->context_slice_s ? first_inference(q) : NULL;
  if (!j) j = first_of_all(q);
  if (!j || p->context_slice_s <= 0) return j;
  if (hs_job_client(j) != q->client || now_s >= q->client_since_s + p->context_slice_s) q->client_since_s = now_s;
  q->client = hs_job_client(j);
  return j;
}

static void end_job(struct hs_engine *e, struct hs_job *j)
{
  struct hs_job **at = &e->jobs;
  while (*at != j) at = &(*at)->later;
  *at = j->later;
  if (e->last_job == &j->later) e->last_job = at;
  e->n_jobs--;
  if (e->calls->done && !e->over) e->calls->done(e->calls->state, j->request, j->start_s, hs_des_now_s());
  hs_cores_leave(j);
  hs_account_leave(e, j);
  for (int p = 0; p < e->sys->soc->n_processors; p++)
    if (e->queues[p].invoked_by == j) e->queues[p].invoked_by = NULL;
  j->later = e->free_jobs;
  e->free_jobs = j;
  e->some_done = true;
}

/* By the clock it looks itself. */
static void tell_driver(struct hs_engine *e)
{
  if (e->clock || !e->some_done || e->told) return;
  e->told = true; /* before the driver runs */
  hs_semaphore_release(e->done);
}

static void count_down(struct hs_engine *e, struct hs_job *j)
{
  if (--j->tasks_left == 0) end_job(e, j);
  tell_driver(e);
}

void hs_job_finish_task(struct hs_engine *e, struct hs_job *j, int task)
{
  int p = j->prog->tasks[task].processor;
  for (int k = j->prog->readers_first[task]; k < j->prog->readers_first[task + 1]; k++) {
    int reader = j->prog->readers[k], q = j->prog->tasks[reader].processor;
    if (--j->pending[reader] > 0) continue;
    j->released_s[reader] = hs_des_now_s();
    if (q != p) offer_to_idle(e, j, q);
  }
  offer(e, j, p); /* to the worker that ended this one */
  count_down(e, j);
}

void hs_engine_submit(struct hs_engine *e, int request, const struct hs_program *prog) { hs_engine_submit_stretched(e, request, 0, prog, NULL); }

void hs_engine_submit_stretched(struct hs_engine *e, int request, int priority, const struct hs_program *prog, const double *stretch)
{
  struct hs_job *j = new_job(e, prog);
  j->stretch = stretch;
  j->request = request;
  j->priority = priority;
  j->start_s = hs_des_now_s();
  *e->last_job = j;
  e->last_job = &j->later;
  e->n_jobs++;
  for (int p = 0; p < e->sys->soc->n_processors; p++) {
    struct hs_queue *q = &e->queues[p];
    if (e->sys->soc->processors[p].kind == HS_CPU && q->n_workers < e->n_jobs) hs_worker_add(q);
    offer_to_idle(e, j, p);
  }
  count_down(e, j);
}

void hs_jobs_free(struct hs_engine *e)
{
  *e->last_job = e->free_jobs;
  for (struct hs_job *j = e->jobs, *later; j; j = later) {
    later = j->later;
    free(j->pending);
    free(j->released_s);
    free(j);
  }
}
