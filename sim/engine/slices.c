/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/slices.h"

#include <math.h>
#include <stdlib.h>

static const double SLACK_S = 1e-9;  /* times that were added up, and the clock */
static const double LINGER_S = 1e-6; /* of a thread that ended: before it sleeps, whoever waits for it may have more for it */

static struct hs_thread *first(const struct hs_core *c) { return (struct hs_thread *)c->cfs.threads; }
static struct hs_thread *after(const struct hs_thread *th) { return (struct hs_thread *)th->cfs.next; }

/* --- how long things take --- */

static void time_part(struct hs_thread *th)
{
  const struct hs_queue *q = th->core->of->q;
  hs_flow_time(&th->flow, hs_most(th->cycles / hs_account_hz(q, th->core->host), hs_account_moving_s(q, th->flow.bytes)));
}

/* --- threads that steal --- */

/* Cycles in which a thread would do all that is taken from each other. */
static double whole_cycles(const struct hs_thread *th) { return th->worker->task->work.stolen[hs_account_domain(th->core->of->q, th->core->host)]; }

static double top_hz(const struct hs_thread *th)
{
  const struct hs_queue *q = th->core->of->q;
  const struct hs_domain *d = &q->e->sys->soc->processors[q->processor].domains[hs_account_domain(q, th->core->host)];
  return d->opps[d->n_opps - 1].freq_hz;
}

/* Those of them that the task has for it. */
static double planned_cycles(const struct hs_thread *th)
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
  time_part(th);
  hs_flow_go(f, now_s, 1);
  hs_core_find_event(th->core);
}

/* Those who have their cores stop. */
static void stop(const struct hs_worker *w, double now_s)
{
  for (struct hs_thread *th = w->job->threads; th; th = th->next_of_job)
    if (works_for(th, w) && hs_core_flow(th->core) == &th->flow) hs_flow_stop(&th->flow, now_s);
}

void hs_threads_deal(struct hs_worker *w, double now_s)
{
  struct hs_taker takers[HS_CORES_MAX];
  double fraction = 0, bytes = 0, serial_left_s, end_s;
  int n = 0;
  if (!w->steals) return;
  stop(w, now_s);
  serial_left_s = serial_s(w);
  for (const struct hs_thread *th = w->job->threads; th; th = th->next_of_job) {
    if (!works_for(th, w)) continue;
    double hz = hs_account_hz(w->q, th->core->host);
    fraction += rest_of(th).fraction;
    bytes += rest_of(th).bytes;
    if (hs_core_flow(th->core) == &th->flow) takers[n++] = (struct hs_taker){own_cycles(th, serial_left_s) / hz, hz / whole_cycles(th)};
  }
  if (n == 0) return;
  end_s = fraction > 0 ? hs_takers_end_s(takers, n, fraction) : 0;
  n = 0;
  for (struct hs_thread *th = w->job->threads; th; th = th->next_of_job) {
    if (!works_for(th, w)) continue;
    const struct hs_taker *taker = hs_core_flow(th->core) == &th->flow ? &takers[n++] : NULL;
    double part = taker && fraction > 0 ? hs_most(end_s - taker->begins_s, 0) * taker->per_second : 0;
    deal_to(th, own_cycles(th, serial_left_s), part, fraction > 0 ? bytes * part / fraction : rest_of(th).bytes, now_s);
  }
}

/* A thread has done its part: if others have a piece or more left of theirs, which it may take, they deal it out anew. */
static bool takes_more(struct hs_thread *th, double now_s)
{
  static const double PIECES = 5; /* for each thread, at least */
  struct hs_worker *w = th->worker;
  double left = 0;
  if (!w->steals) return false;
  stop(w, now_s);
  for (const struct hs_thread *other = w->job->threads; other; other = other->next_of_job)
    if (works_for(other, w)) left += rest_of(other).fraction;
  if (left * PIECES * w->n_parts < w->event.stretch) return false;
  hs_threads_deal(w, now_s);
  return true;
}

void hs_thread_take(struct hs_thread *th, struct hs_worker *w, double left)
{
  double now = hs_des_now_s();
  th->state = WORKS;
  th->worker = w;
  th->cycles = left * w->task->work.cycles[hs_account_domain(w->q, th->core->host)];
  th->stolen = w->steals ? left * planned_cycles(th) : 0;
  th->flow = (struct hs_flow){.port = w->q->processor, .bytes = left * w->event.bytes / w->n_parts, .left = 1};
  time_part(th);
  hs_flow_go(&th->flow, now, 1);
}

void hs_core_change_level(struct hs_core *c)
{
  struct hs_flow *f = hs_core_flow(c);
  if (f) hs_flow_stop(f, c->since_s);
  for (struct hs_thread *th = first(c); th; th = after(th))
    if (th->state == WORKS) time_part(th);
  if (f) hs_flow_go(f, c->since_s, 1);
}

/* Of a thread that steals, whatever it is dealt: none while it does what is its own, and then all of the task's bytes at the rate at which it takes. */
static double wants(const struct hs_thread *th)
{
  const struct hs_worker *w = th->worker;
  const struct hs_queue *q = th->core->of->q;
  if (!w->steals) return th->flow.wants;
  return hs_least(w->event.bytes * hs_account_hz(q, th->core->host) / whole_cycles(th), hs_least(q->port_bytes_per_s, q->e->sys->soc->memory.peak_bytes_per_s));
}

double hs_core_wants(const struct hs_core *c)
{
  double highest = 0;
  for (const struct hs_thread *th = first(c); th; th = after(th))
    if (th->state == WORKS) highest = hs_most(highest, wants(th));
  return highest;
}

/* --- what happens by itself --- */

void hs_core_pass(struct hs_core *c, double until_s)
{
  double dt = until_s - c->since_s;
  if (dt <= 0) return;
  c->since_s = until_s;
  if (!c->cfs.current) return;
  hs_cfs_ran(&c->cfs, dt);
  c->slice_s -= dt;
}

/* Interrupts make slices longer or shorter, and cores don't take their turns in step. In exact arithmetic they would, and a pattern once found would
 * stay. So a slice is 0.8 to 1.2 of what it should be, by a sequence that is spread evenly (multiples of the golden ratio), another on each core. */
static double out_of_step(struct hs_core *c)
{
  static const double GOLDEN = 0.6180339887498949, SILVER = 0.41421356237309515, SPREAD = 0.4;
  double at = GOLDEN * (double)(++c->turns % 1000003) + SILVER * c->host;
  return 1 + SPREAD * (at - floor(at) - 0.5);
}

static void next_turn(struct hs_core *c)
{
  struct hs_flow *f = hs_core_flow(c);
  if (f) hs_flow_stop(f, c->since_s);
  hs_cfs_pick(&c->cfs);
  c->look = false;
  c->slice_s = hs_cfs_slice_s(&c->cfs, c->of->q->e->sys->scheduler) * out_of_step(c);
  if ((f = hs_core_flow(c))) hs_flow_go(f, c->since_s, 1);
  if (f) hs_threads_deal(hs_core_current(c)->worker, c->since_s);
}

static bool is_over(const struct hs_core *c) { return c->look || (c->cfs.current && c->slice_s <= SLACK_S); }

/* Who of those that spin gives up first; NULL: nobody spins. */
static struct hs_thread *first_spinning(const struct hs_core *c)
{
  struct hs_thread *best = NULL;
  for (struct hs_thread *th = first(c); th; th = after(th))
    if (th->state == SPINS && (!best || th->spins_until_s < best->spins_until_s)) best = th;
  return best;
}

void hs_core_find_event(struct hs_core *c)
{
  const struct hs_thread *spins = first_spinning(c);
  const struct hs_flow *f = hs_core_flow(c);
  c->event_s = c->cfs.current ? c->since_s + hs_most(c->slice_s, 0) : INFINITY;
  if (f) c->event_s = hs_least(c->event_s, f->ends_s);
  if (spins) c->event_s = hs_least(c->event_s, spins->spins_until_s);
}

/* Returns who has waited for it, if it was the last part of a task. */
static struct hs_worker *end_part(struct hs_thread *th)
{
  struct hs_worker *w = th->worker;
  th->state = SPINS;
  th->spins_until_s = th->core->since_s + (w->n_parts > 1 ? w->q->e->sys->backends[w->q->processor].spin_s : LINGER_S);
  return --w->n_parts_left == 0 ? w : NULL;
}

struct hs_worker *hs_core_end_part(struct hs_core *c, double now_s)
{
  const struct hs_flow *f = hs_core_flow(c);
  return f && hs_flow_has_ended(f, now_s) && !takes_more(hs_core_current(c), now_s) ? end_part(hs_core_current(c)) : NULL;
}

static void fall_asleep(struct hs_core *c)
{
  struct hs_thread *th;
  while ((th = first_spinning(c)) && th->spins_until_s <= c->since_s) {
    c->look |= c->cfs.current == &th->cfs;
    hs_cfs_sleep(&c->cfs, &th->cfs);
    th->state = SLEEPS;
  }
}

bool hs_core_happen(struct hs_core *c)
{
  const struct hs_flow *f = hs_core_flow(c);
  if (f && hs_flow_has_ended(f, c->since_s) && !takes_more(hs_core_current(c), c->since_s)) {
    if (hs_core_current(c)->worker->n_parts_left == 1) return false;
    end_part(hs_core_current(c));
  }
  fall_asleep(c);
  if (is_over(c)) next_turn(c);
  return true;
}

void hs_core_take_turn(struct hs_core *c)
{
  if (is_over(c) || (c->rung && !c->cfs.current)) next_turn(c);
  c->rung = false;
}

/* --- beginning and end --- */

struct hs_thread *hs_thread_new(struct hs_core *c)
{
  struct hs_thread *th = hs_realloc(NULL, 1, sizeof *th);
  *th = (struct hs_thread){.core = c, .next_of_core = c->all};
  return c->all = th;
}

struct hs_cores *hs_slices_open(struct hs_queue *q)
{
  struct hs_cores *cs = hs_realloc(NULL, 1, sizeof *cs);
  *cs = (struct hs_cores){.q = q, .n = q->n_hosts};
  for (int i = 0; i < cs->n; i++) cs->core[i] = (struct hs_core){.of = cs, .host = i, .rung = true, .event_s = INFINITY};
  return cs;
}

static void free_core(struct hs_core *c)
{
  for (struct hs_thread *th = c->all, *next; th; th = next) {
    next = th->next_of_core;
    free(th);
  }
  free(c->kept);
}

void hs_slices_free(struct hs_cores *cs)
{
  if (!cs) return;
  for (int i = 0; i < cs->n; i++) free_core(&cs->core[i]);
  free(cs);
}
