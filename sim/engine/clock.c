/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/clock.h"

#include <math.h>
#include <stdlib.h>

#include "engine/cores.h"
#include "engine/slices.h"

struct hs_clock {
  struct hs_engine *e;
  struct hs_pipes pipes;
  int n_cores;
  struct hs_core *cores[HS_PROCESSORS_MAX * HS_CORES_MAX]; /* of all CPUs */
  struct hs_worker *going;                /* those whose task goes on in one piece, or is a delay */
  struct hs_worker *ended;                /* those that haven't heard it yet, by processor */
  double since_s;                         /* up to where all is counted */
  bool rung;                              /* something has changed since then */
  bool scarce;                            /* more bytes may be wanted than a lane, a port or the memory has */
};

static const double ROUNDING = 1e-9; /* of a sum that may be as large as what there is */

void hs_clock_ring(struct hs_engine *e) { e->clock->rung = true; }

/* --- tasks in one piece --- */

static bool is_delay(const struct hs_worker *w) { return w->task->delay_s > 0; }

/* How long the task takes, alone. */
static double seconds_of(const struct hs_worker *w)
{
  return hs_most(w->flow.bytes / hs_account_attainable(w), w->event.stretch * hs_account_cores_s(w->q, w->task));
}

static void begin(struct hs_worker *w, double bytes)
{
  struct hs_clock *k = w->q->e->clock;
  w->flow = (struct hs_flow){.port = w->q->processor, .has_lane = !w->own.is_rival, .bytes = bytes, .left = 1};
  w->next_going = k->going;
  k->going = w;
  k->rung = true;
}

void hs_clock_begin(struct hs_worker *w)
{
  begin(w, w->event.bytes * w->event.stretch);
  hs_flow_time(&w->flow, seconds_of(w));
  hs_flow_go(&w->flow, hs_des_now_s(), 1);
}

void hs_clock_begin_delay(struct hs_worker *w, double seconds)
{
  begin(w, 0);
  hs_flow_time(&w->flow, seconds);
  hs_flow_go(&w->flow, hs_des_now_s(), 1);
}

void hs_clock_break_off(struct hs_worker *w)
{
  struct hs_clock *k = w->q->e->clock;
  struct hs_worker **at = &k->going;
  while (*at != w) at = &(*at)->next_going;
  *at = w->next_going;
  hs_flow_stop(&w->flow, hs_des_now_s());
  k->rung = true;
}

void hs_clock_end(struct hs_worker *w)
{
  struct hs_worker **at = &w->q->e->clock->ended;
  while (*at && (*at)->q->processor <= w->q->processor) at = &(*at)->next_ended;
  w->next_ended = *at;
  *at = w;
}

void hs_clock_change_level(struct hs_queue *q)
{
  struct hs_clock *k = q->e->clock;
  double now = hs_des_now_s();
  for (int i = 0; q->cores && i < q->n_hosts; i++) hs_core_change_level(&q->cores->core[i]); /* of other cores, too: there threads wait for the caller */
  for (struct hs_worker *w = k->going; w; w = w->next_going) {
    if (w->q != q || is_delay(w)) continue;
    hs_flow_stop(&w->flow, now);
    hs_flow_time(&w->flow, seconds_of(w));
    hs_flow_go(&w->flow, now, 1);
  }
  k->rung = true;
}

/* --- what is wanted of ports and memory --- */

/* By how many, and who wants most. */
struct wishes {
  int n;
  double highest;
};

static void add_wish(struct wishes *x, double bytes_per_s)
{
  if (bytes_per_s <= 0) return;
  x->n++;
  x->highest = hs_most(x->highest, bytes_per_s);
}

static bool is_too_much(const struct wishes *x, double bytes_per_s) { return x->n * x->highest > bytes_per_s * (1 + ROUNDING); }

/* Could bandwidth be short, whoever has the cores? As many users as there are, times the largest wish, is a bound: below it
 * hs_flows_share() would serve all in full. */
static bool is_scarce(const struct hs_clock *k)
{
  struct wishes lanes[HS_PROCESSORS_MAX] = {0}, ports[HS_PROCESSORS_MAX] = {0}, memory = {0};
  bool scarce = false;
  for (int i = 0; i < k->n_cores; i++) {
    double lane, wants = hs_core_wants(k->cores[i], &lane);
    add_wish(&lanes[k->cores[i]->of->q->processor], lane);
    add_wish(&ports[k->cores[i]->of->q->processor], wants);
    add_wish(&memory, wants);
  }
  for (const struct hs_worker *w = k->going; w; w = w->next_going) {
    if (w->flow.has_lane) add_wish(&lanes[w->flow.port], w->flow.wants);
    add_wish(&ports[w->flow.port], w->flow.wants);
    add_wish(&memory, w->flow.wants);
  }
  for (int p = 0; p < k->e->sys->soc->n_processors; p++)
    scarce |= is_too_much(&lanes[p], k->pipes.lane[p]) || is_too_much(&ports[p], k->pipes.port[p]);
  return scarce || is_too_much(&memory, k->pipes.memory);
}

static void share(struct hs_clock *k, double now_s)
{
  struct hs_flow *flows[HS_FLOWS_MAX], *f;
  int n = 0;
  for (int i = 0; i < k->n_cores; i++)
    if ((f = hs_core_flow(k->cores[i])) && f->wants > 0) flows[n++] = f;
  for (struct hs_worker *w = k->going; w; w = w->next_going)
    if (w->flow.wants > 0) flows[n++] = &w->flow;
  hs_flows_share(&k->pipes, flows, n, now_s);
}

static void find_events(struct hs_clock *k)
{
  for (int i = 0; i < k->n_cores; i++) hs_core_find_event(k->cores[i]);
}

/* --- what happens --- */

static bool happen(struct hs_clock *k, struct hs_core *c)
{
  if (!hs_core_happen(c)) return false;
  if (k->scarce) {
    share(k, c->since_s);
    find_events(k);
  } else
    hs_core_find_event(c);
  return true;
}

/* Returns when a task ends; INFINITY: not until then. */
static double play(struct hs_clock *k, double until_s)
{
  for (;;) {
    struct hs_core *next = k->cores[0];
    double task_s = INFINITY;
    for (int i = 1; i < k->n_cores; i++)
      if (k->cores[i]->event_s < next->event_s) next = k->cores[i];
    for (const struct hs_worker *w = k->going; w; w = w->next_going) task_s = hs_least(task_s, w->flow.ends_s);
    double at_s = hs_least(next->event_s, task_s);
    if (at_s > until_s || isinf(at_s)) return INFINITY;
    if (task_s <= at_s) return task_s;
    hs_core_pass(next, at_s);
    if (!happen(k, next)) return at_s;
  }
}

static void end_tasks(struct hs_clock *k, double now_s)
{
  struct hs_worker *w;
  for (int i = 0; i < k->n_cores; i++)
    if ((w = hs_core_end_part(k->cores[i], now_s))) hs_clock_end(w);
  for (struct hs_worker *next = k->going; (w = next);) {
    next = w->next_going;
    if (!hs_flow_has_ended(&w->flow, now_s)) continue;
    hs_clock_break_off(w);
    hs_cores_vacate(w);
    hs_clock_end(w);
  }
}

/* Whatever happens up to now, if anything does. */
static void catch_up(struct hs_clock *k, double now_s)
{
  bool stopped, was_scarce = k->scarce;
  do {
    stopped = isfinite(play(k, now_s + HS_TICK_S));
    for (int i = 0; i < k->n_cores; i++) hs_core_pass(k->cores[i], now_s);
    k->since_s = now_s;
    if (!stopped && !k->rung) return; /* for its own sake nobody has to be looked at */
    end_tasks(k, now_s);
    for (int i = 0; i < k->n_cores; i++) hs_core_take_turn(k->cores[i]);
    find_events(k);
  } while (stopped);
  k->rung = false;
  k->scarce = is_scarce(k);
  if (!k->scarce && !was_scarce) return;
  share(k, now_s);
  find_events(k);
}

static struct hs_worker *take_first(struct hs_clock *k)
{
  struct hs_worker *w = k->ended;
  k->ended = w->next_ended;
  return w->calls_for ? hs_cores_end_call(w) : w;
}

/* Who hears of an end may change more. */
static void attend(struct hs_clock *k, double now_s)
{
  if (!k->rung && k->since_s >= now_s) return;
  do {
    catch_up(k, now_s);
    while (k->ended && !k->rung) hs_worker_go_on(take_first(k));
  } while (k->rung || k->ended);
}

void hs_clock_drive(struct hs_engine *e)
{
  struct hs_clock *k = e->clock;
  double ask_s = 0;
  for (;;) {
    double now = hs_des_now_s();
    attend(k, now);
    if (e->some_done || ask_s <= now) {
      ask_s = hs_engine_ask(e);
      if (ask_s < 0) return;
      continue;
    }
    double next_s = hs_least(play(k, ask_s), ask_s);
    if (isinf(next_s))
      hs_semaphore_acquire(e->done); /* for ever: the simulator complains */
    else if (next_s > now)
      hs_actor_sleep(hs_most(next_s - now, HS_TICK_S));
    else
      k->rung = true; /* something takes no time */
  }
}

/* --- beginning and end --- */

void hs_clock_open(struct hs_engine *e)
{
  struct hs_clock *k = e->clock = hs_realloc(NULL, 1, sizeof *k);
  *k = (struct hs_clock){.e = e, .rung = true, .pipes = {.memory = e->sys->soc->memory.peak_bytes_per_s}};
  for (int p = 0; p < e->sys->soc->n_processors; p++) {
    struct hs_queue *q = &e->queues[p];
    k->pipes.port[p] = q->port_bytes_per_s;
    k->pipes.lane[p] = q->lane_bytes_per_s;
    if (e->sys->soc->processors[p].kind != HS_CPU) continue;
    q->cores = hs_slices_open(q);
    for (int i = 0; i < q->n_hosts; i++) k->cores[k->n_cores++] = &q->cores->core[i];
  }
}

void hs_clock_free(struct hs_engine *e)
{
  if (!e->clock) return;
  for (int p = 0; p < e->sys->soc->n_processors; p++) hs_slices_free(e->queues[p].cores);
  free(e->clock);
}
