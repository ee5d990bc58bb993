/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/stealing.h"

/* Cycles in which a thread would do all that is taken from each other. */
static double whole_cycles(const struct hs_thread *th) { return th->worker->task->work.stolen[hs_account_domain(th->core->of->q, th->core->host)]; }

static double top_hz(const struct hs_thread *th)
{
  const struct hs_queue *q = th->core->of->q;
  return hs_domain_top(&q->e->sys->soc->processors[q->processor].domains[hs_account_domain(q, th->core->host)])->freq_hz;
}

double hs_thread_planned_cycles(const struct hs_thread *th)
{
  const struct hs_queue *q = th->core->of->q;
  return hs_work_stolen_s(&q->e->sys->soc->processors[q->processor], &th->worker->task->work) * top_hz(th);
}

static bool works_for(const struct hs_thread *th, const struct hs_worker *w) { return th->state == WORKS && th->worker == w; }

/* What a thread has left, as parts: before anybody takes, and as a fraction of all that is taken. */
struct rest {
  double own_cycles, fraction, bytes;
};

static struct rest rest_of(const struct hs_thread *th)
{
  double cycles = th->flow.left * th->cycles, stolen = hs_least(cycles, th->stolen);
  return (struct rest){cycles - stolen, stolen / whole_cycles(th), th->flow.left * th->flow.bytes};
}

double hs_thread_to_caller(const struct hs_thread *th)
{
  const struct hs_queue *q = th->core->of->q;
  const struct hs_task *t = th->worker->task;
  double hz[HS_DOMAINS_MAX] = {0};
  if (t->work.caller <= 0) return 1;
  hs_account_clocks(q, t, hz);
  return hz[hs_account_domain(q, th->core->host)] / hz[hs_lead_domain(&q->e->sys->soc->processors[q->processor], t->work.cores)];
}

void hs_thread_wait_anew(struct hs_thread *th)
{
  const struct rest rest = rest_of(th);
  double before = th->to_caller;
  th->to_caller = hs_thread_to_caller(th);
  th->stolen = rest.fraction * whole_cycles(th);
  th->cycles = rest.own_cycles * th->to_caller / before + th->stolen;
  th->flow.bytes = rest.bytes;
  th->flow.left = 1;
}

static double speed(const struct hs_thread *th) { return top_hz(th) / whole_cycles(th); }

/* How long the thread that calls, on the fastest core, still does what is its own. For the others that is waiting, whether they have their cores or not. */
static double serial_s(const struct hs_worker *w)
{
  const struct hs_thread *lead = NULL;
  for (const struct hs_thread *th = w->job->threads; th; th = th->next_of_job) {
    if (th->worker != w || whole_cycles(th) <= 0) continue;
    if (!lead || speed(th) > speed(lead) || (speed(th) == speed(lead) && th->core->host < lead->core->host)) lead = th;
  }
  return lead && lead->state == WORKS ? rest_of(lead).own_cycles / hs_account_hz(w->q, lead->core->host) : 0;
}

static double own_cycles(const struct hs_thread *th, double serial_left_s)
{
  return hs_least(rest_of(th).own_cycles, serial_left_s * hs_account_hz(th->core->of->q, th->core->host));
}

static void deal_to(struct hs_thread *th, double own, double fraction, double bytes, double now_s)
{
  struct hs_flow *f = &th->flow;
  th->stolen = fraction * whole_cycles(th);
  th->cycles = own + th->stolen;
  f->bytes = bytes;
  f->left = 1;
  hs_thread_time(th);
  hs_flow_go(f, now_s, 1);
  hs_core_find_event(th->core);
}

/* Those who have their cores stop. */
static void stop(const struct hs_worker *w, double now_s)
{
  for (struct hs_thread *th = w->job->threads; th; th = th->next_of_job)
    if (works_for(th, w) && hs_core_flow(th->core) == &th->flow) hs_flow_stop(&th->flow, now_s);
}

/* What of its rest nobody takes from a thread: the piece that it has begun, and the next, which it has reserved (hs_takers_pieces_end_s()). */
static double held(const struct hs_thread *th)
{
  const struct hs_worker *w = th->worker;
  return w->task->work.pieces > 0 ? hs_least(rest_of(th).fraction, 2 * w->event.stretch / w->task->work.pieces) : 0;
}

static double left_to_others(const struct hs_thread *th) { return rest_of(th).fraction - held(th); }

void hs_threads_deal(struct hs_worker *w, double now_s)
{
  struct hs_taker takers[HS_CORES_MAX];
  double fraction = 0, all = 0, bytes = 0, serial_left_s, end_s;
  int n = 0;
  if (!w->steals) return;
  stop(w, now_s);
  serial_left_s = serial_s(w);
  for (const struct hs_thread *th = w->job->threads; th; th = th->next_of_job) {
    if (!works_for(th, w)) continue;
    double hz = hs_account_hz(w->q, th->core->host), per_second = hz / whole_cycles(th);
    fraction += left_to_others(th);
    all += rest_of(th).fraction;
    bytes += rest_of(th).bytes;
    if (hs_core_flow(th->core) == &th->flow) takers[n++] = (struct hs_taker){own_cycles(th, serial_left_s) / hz + held(th) / per_second, per_second};
  }
  if (n == 0) return;
  end_s = fraction > 0 ? hs_takers_end_s(takers, n, fraction) : 0;
  n = 0;
  for (struct hs_thread *th = w->job->threads; th; th = th->next_of_job) {
    if (!works_for(th, w)) continue;
    const struct hs_taker *taker = hs_core_flow(th->core) == &th->flow ? &takers[n++] : NULL;
    double part = held(th) + (taker && fraction > 0 ? hs_most(end_s - taker->begins_s, 0) * taker->per_second : 0);
    deal_to(th, own_cycles(th, serial_left_s), part, all > 0 ? bytes * part / all : rest_of(th).bytes, now_s);
  }
}

bool hs_thread_takes_more(struct hs_thread *th, double now_s)
{
  static const double PIECES = 5; /* for each thread, at least (assumed) */
  struct hs_worker *w = th->worker;
  double left = 0;
  if (!w->steals) return false;
  stop(w, now_s);
  for (const struct hs_thread *other = w->job->threads; other; other = other->next_of_job)
    if (works_for(other, w)) left += left_to_others(other);
  if (left * PIECES * w->n_parts < w->event.stretch) return false;
  hs_threads_deal(w, now_s);
  return true;
}

double hs_thread_wants(const struct hs_thread *th)
{
  const struct hs_worker *w = th->worker;
  const struct hs_queue *q = th->core->of->q;
  if (!w->steals) return th->flow.wants;
  return hs_least(w->event.bytes * hs_account_hz(q, th->core->host) / whole_cycles(th), hs_account_attainable(w));
}
