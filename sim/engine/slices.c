/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/slices.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/instant.h"
#include "engine/stealing.h"

static const double LINGER_S = 1e-6; /* of a thread that ended: before it sleeps, whoever waits for it may have more for it (assumed) */

static struct hs_thread *first(const struct hs_core *c) { return (struct hs_thread *)c->cfs.threads; }
static struct hs_thread *after(const struct hs_thread *th) { return (struct hs_thread *)th->cfs.next; }

/* --- how long things take --- */

void hs_thread_time(struct hs_thread *th)
{
  const struct hs_queue *q = th->core->of->q;
  hs_flow_time(&th->flow, hs_most(th->cycles / hs_account_hz(q, th->core->host), th->flow.bytes / hs_account_attainable(th->worker)));
}

/* Of its core, for all of a task, at the levels that the task's cores have now. A call takes as long at any clock. */
static double cycles_of(const struct hs_thread *th, const struct hs_worker *w)
{
  double hz[HS_DOMAINS_MAX] = {0};
  if (w->calls_for) return w->calls_for->task->delay_s * hs_account_hz(w->q, th->core->host);
  hs_account_clocks(w->q, w->task, hz);
  return hs_work_core_cycles(&w->q->e->sys->soc->processors[w->q->processor], &w->task->work, hs_account_domain(w->q, th->core->host), hz);
}

void hs_thread_take(struct hs_thread *th, struct hs_worker *w, double left)
{
  double now = hs_des_now_s();
  th->state = WORKS;
  th->worker = w;
  th->whole = left;
  th->cycles = left * cycles_of(th, w);
  th->stolen = w->steals ? left * hs_thread_planned_cycles(th) : 0;
  th->to_caller = w->steals ? hs_thread_to_caller(th) : 1;
  th->flow = (struct hs_flow){.port = w->q->processor, .has_lane = !w->own.is_rival, .bytes = left * w->event.bytes / w->n_parts, .left = 1};
  hs_thread_time(th);
  hs_flow_go(&th->flow, now, 1);
}

void hs_core_change_level(struct hs_core *c)
{
  struct hs_flow *f = hs_core_flow(c);
  if (f) hs_flow_stop(f, c->since_s);
  for (struct hs_thread *th = first(c); th; th = after(th)) {
    if (th->state != WORKS) continue;
    /* it waits for the caller at other clocks now */
    if (th->worker->steals)
      hs_thread_wait_anew(th);
    else
      th->cycles = th->whole * cycles_of(th, th->worker);
    hs_thread_time(th);
  }
  if (f) hs_flow_go(f, c->since_s, 1);
}

double hs_core_wants(const struct hs_core *c, double *lane)
{
  double highest = *lane = 0;
  for (const struct hs_thread *th = first(c); th; th = after(th)) {
    if (th->state != WORKS) continue;
    double wants = hs_thread_wants(th);
    highest = hs_most(highest, wants);
    if (th->flow.has_lane) *lane = hs_most(*lane, wants);
  }
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
 * stay. So a slice is 0.8 to 1.2 of what it should be (assumed), at random: each core draws from a stream of its own. */
static double out_of_step(struct hs_core *c)
{
  static const double SPREAD = 0.4;
  return 1 + SPREAD * (hs_random_uniform(c->random) - 0.5);
}

/* check_preempt_tick(): of how many want to run now, from when the thread got the core. */
void hs_core_count_slice(struct hs_core *c)
{
  c->slice_s = hs_cfs_slice_s(&c->cfs, c->of->q->e->sys->scheduler) * c->stretch - (c->since_s - c->turn_s);
}

void hs_core_pick(struct hs_core *c)
{
  hs_cfs_pick(&c->cfs);
  if (hs_core_current(c) != c->left || c->left_s < c->since_s) c->turn_s = c->since_s;
  c->left = NULL;
}

static void next_turn(struct hs_core *c)
{
  struct hs_flow *f = hs_core_flow(c);
  if (f) hs_flow_stop(f, c->since_s);
  hs_account_until(c->of->q, c->since_s);
  hs_core_pick(c);
  c->look = false;
  c->stretch = out_of_step(c);
  hs_core_count_slice(c);
  if ((f = hs_core_flow(c))) hs_flow_go(f, c->since_s, 1);
  if (f) hs_threads_deal(hs_core_current(c)->worker, c->since_s);
}

static bool is_over(const struct hs_core *c) { return c->look || (c->cfs.current && c->slice_s <= HS_SLACK_S); }

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
  hs_account_until(w->q, th->core->since_s);
  th->state = SPINS;
  th->spins_until_s = th->core->since_s + (w->n_parts > 1 ? hs_program_spin_s(w->job->prog, w->q->e->sys, w->q->processor) : LINGER_S);
  return --w->n_parts_left == 0 ? w : NULL;
}

struct hs_worker *hs_core_end_part(struct hs_core *c, double now_s)
{
  const struct hs_flow *f = hs_core_flow(c);
  return f && hs_flow_has_ended(f, now_s) && !hs_thread_takes_more(hs_core_current(c), now_s) ? end_part(hs_core_current(c)) : NULL;
}

static void fall_asleep(struct hs_core *c)
{
  struct hs_thread *th;
  while ((th = first_spinning(c)) && th->spins_until_s <= c->since_s) {
    hs_account_until(c->of->q, c->since_s);
    c->look |= c->cfs.current == &th->cfs;
    hs_cfs_sleep(&c->cfs, &th->cfs);
    th->state = SLEEPS;
    hs_core_count_slice(c);
  }
}

bool hs_core_happen(struct hs_core *c)
{
  const struct hs_flow *f = hs_core_flow(c);
  if (f && hs_flow_has_ended(f, c->since_s) && !hs_thread_takes_more(hs_core_current(c), c->since_s)) {
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
  for (int i = 0; i < cs->n; i++) {
    char stream[60];
    snprintf(stream, sizeof stream, "slices %s %d", q->e->sys->soc->processors[q->processor].name, i);
    cs->core[i] = (struct hs_core){.of = cs, .host = i, .rung = true, .stretch = 1, .event_s = INFINITY,
                                   .random = hs_random_new(q->e->sys->slices_seed, stream)};
  }
  return cs;
}

static void free_core(struct hs_core *c)
{
  for (struct hs_thread *th = c->all, *next; th; th = next) {
    next = th->next_of_core;
    free(th);
  }
  free(c->kept);
  hs_random_free(c->random);
}

void hs_slices_free(struct hs_cores *cs)
{
  if (!cs) return;
  for (int i = 0; i < cs->n; i++) free_core(&cs->core[i]);
  free(cs);
}

/* --- whose turn it is, for the accounts --- */

/* NULL: it isn't counted as running. */
static const struct hs_running *running_of(const struct hs_queue *q, const struct hs_worker *w)
{
  const struct hs_running *r = q->running;
  while (r && r != &w->own) r = r->next;
  return r;
}

struct hs_turns hs_slices_turns(const struct hs_queue *q)
{
  struct hs_turns turns = {{CORE_COMPUTES}, {NULL}};
  for (int h = 0; h < q->n_hosts && q->cores; h++) {
    const struct hs_core *c = &q->cores->core[h];
    const struct hs_thread *th = hs_core_current(c);
    const struct hs_worker *w = c->uncut ? c->uncut : th && th->state == WORKS ? th->worker : NULL;
    if (w)
      turns.of[h] = running_of(q, w);
    else
      turns.does[h] = th ? CORE_SPINS : CORE_IDLES;
  }
  return turns;
}
