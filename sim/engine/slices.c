/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/slices.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "engine/cores.h"

static const double SLACK_S = 1e-9;  /* times that were added up, and the clock */
static const double LINGER_S = 1e-6; /* of a thread that ended: before it sleeps, whoever waits for it may have more for it */

/* Turns to play ahead. If no task ends until then, the next one is looked for again. */
enum { TURNS_AHEAD = 256 };

/* Others may have run so often without a change, before a moment is taken to be over. */
enum { QUIET = 6 };

static struct hs_thread *first(const struct hs_core *c) { return (struct hs_thread *)c->cfs.threads; }
static struct hs_thread *after(const struct hs_thread *th) { return (struct hs_thread *)th->cfs.next; }

void hs_cores_ring(struct hs_cores *cs)
{
  if (cs->rung) return;
  cs->rung = true;
  if (!cs->attended_to) hs_semaphore_release(cs->attend);
}

void hs_core_ring(struct hs_core *c)
{
  c->rung = true;
  hs_cores_ring(c->of);
}

/* --- how long things take --- */

static int domain_of(const struct hs_queue *q, int host)
{
  int d = 0;
  while (d + 1 < HS_DOMAINS_MAX && q->first_core[d + 1] > 0 && q->first_core[d + 1] <= host) d++;
  return d;
}

static double hz_of(const struct hs_queue *q, int host)
{
  return q->e->sys->soc->processors[q->processor].domains[domain_of(q, host)].opps[q->level[host]].freq_hz;
}

static double moving_s(const struct hs_queue *q, double bytes) { return bytes / fmin(q->port_bytes_per_s, q->e->sys->soc->memory.peak_bytes_per_s); }

static void time_part(struct hs_thread *th)
{
  const struct hs_queue *q = th->core->of->q;
  th->flow.seconds = fmax(th->cycles / hz_of(q, th->core->host), moving_s(q, th->flow.bytes));
}

void hs_thread_take(struct hs_thread *th, const struct hs_worker *w, double left, int n)
{
  th->cycles = left * w->task->work.cycles[domain_of(w->q, th->core->host)];
  th->flow = (struct hs_flow){.bytes = left * w->event.bytes / n, .left = 1, .pace = 1, .since_s = hs_des_now_s()};
  time_part(th);
}

void hs_uncut_time(struct hs_worker *w)
{
  const struct hs_queue *q = w->q;
  w->flow.seconds = moving_s(q, w->flow.bytes);
  for (int d = 0; d < HS_DOMAINS_MAX; d++)
    for (int c = 0; c < w->task->work.cores[d]; c++)
      w->flow.seconds = fmax(w->flow.seconds, w->event.stretch * w->task->work.cycles[d] / hz_of(q, q->first_core[d] + w->task->first_core + c));
}

void hs_cores_set_level(struct hs_queue *q, int host, int level)
{
  struct hs_cores *cs = q->cores;
  if (cs) hs_cores_settle(cs);
  q->level[host] = level;
  if (!cs) return;
  for (struct hs_thread *th = first(&cs->core[host]); th; th = after(th)) time_part(th);
  if (cs->core[host].uncut) hs_uncut_time(cs->core[host].uncut);
  if (cs->core[host].cfs.n > 0) hs_cores_ring(cs);
}

/* --- who goes on by the clock --- */

static void pass_time(struct hs_core *c, double until_s)
{
  double dt = until_s - c->since_s;
  if (dt <= 0) return;
  c->since_s = until_s;
  if (!c->cfs.current) return;
  hs_cfs_ran(&c->cfs, dt);
  c->slice_s -= dt;
  if (hs_core_flow(c)) hs_flow_pass(hs_core_flow(c), until_s);
}

static void pass_all_time(struct hs_cores *cs, double until_s)
{
  if (until_s > cs->since_s) cs->since_s = until_s;
  for (int i = 0; i < cs->n; i++) pass_time(&cs->core[i], until_s);
  for (struct hs_worker *w = cs->uncut; w; w = w->next_uncut)
    if (w->uncut == BY_CLOCK) hs_flow_pass(&w->flow, until_s);
}

static void set_paces(struct hs_cores *cs)
{
  struct hs_flow *flows[HS_FLOWS_MAX], *f;
  int n = 0;
  for (int i = 0; i < cs->n; i++)
    if ((f = hs_core_flow(&cs->core[i]))) flows[n++] = f;
  for (struct hs_worker *w = cs->uncut; w; w = w->next_uncut)
    if (w->uncut == BY_CLOCK) flows[n++] = &w->flow;
  hs_flows_share(cs->scarce ? cs->q->port_bytes_per_s : INFINITY, flows, n);
}

/* --- what happens by itself --- */

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
  struct hs_flow *f;
  hs_cfs_pick(&c->cfs);
  c->look = false;
  c->slice_s = hs_cfs_slice_s(&c->cfs, c->of->q->e->sys->scheduler) * out_of_step(c);
  if (!(f = hs_core_flow(c))) return;
  f->pace = 1;
  f->since_s = c->since_s;
}

static bool is_over(const struct hs_core *c) { return c->look || (c->cfs.current && c->slice_s <= SLACK_S); }

/* Is whose turn it is more than a matter of counting? */
static bool needs_hands(const struct hs_core *c) { return c->n_in_hand > 0 || c->of->crowded; }

/* Who of those that spin gives up first; NULL: nobody spins. */
static struct hs_thread *first_spinning(const struct hs_core *c)
{
  struct hs_thread *best = NULL;
  for (struct hs_thread *th = first(c); th; th = after(th))
    if (th->state == SPINS && (!best || th->spins_until_s < best->spins_until_s)) best = th;
  return best;
}

static void find_event(struct hs_core *c)
{
  const struct hs_thread *spins = first_spinning(c);
  const struct hs_flow *f = hs_core_flow(c);
  c->event_s = c->cfs.current ? c->since_s + hs_most(c->slice_s, 0) : INFINITY;
  if (f) c->event_s = hs_least(c->event_s, hs_flow_ends_s(f));
  if (spins) c->event_s = hs_least(c->event_s, spins->spins_until_s);
}

static void find_events(struct hs_cores *cs)
{
  for (int i = 0; i < cs->n; i++) find_event(&cs->core[i]);
}

struct hs_worker *hs_thread_end_part(struct hs_thread *th)
{
  struct hs_team *team = th->team;
  th->state = SPINS;
  th->spins_until_s = th->core->since_s + (team->n_cores > 1 ? th->core->of->q->e->sys->backends[th->core->of->q->processor].spin_s : LINGER_S);
  return --team->n_left == 0 ? team->worker : NULL;
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

/* Returns false where it comes to what only who attends to the cores can do: a task ends, or a turn needs hands. */
static bool happen(struct hs_core *c, int *turns)
{
  const struct hs_flow *f = hs_core_flow(c);
  if (f && hs_flow_has_ended(f)) {
    if (hs_core_current(c)->team->n_left == 1) return false;
    hs_thread_end_part(hs_core_current(c));
  }
  fall_asleep(c);
  if (is_over(c)) {
    if (needs_hands(c) || (*turns)-- == 0) return false;
    next_turn(c);
  }
  if (c->of->scarce) {
    pass_all_time(c->of, c->since_s);
    set_paces(c->of);
    find_events(c->of);
  } else
    find_event(c);
  return true;
}

/* Returns false if it stopped before. */
static bool play(struct hs_cores *cs, double until_s, int turns)
{
  for (;;) {
    struct hs_core *next = &cs->core[0];
    double task_s = INFINITY;
    for (int i = 1; i < cs->n; i++)
      if (cs->core[i].event_s < next->event_s) next = &cs->core[i];
    for (const struct hs_worker *w = cs->uncut; w; w = w->next_uncut)
      if (w->uncut == BY_CLOCK) task_s = hs_least(task_s, hs_flow_ends_s(&w->flow));
    double at_s = hs_least(next->event_s, task_s);
    if (at_s > until_s || isinf(at_s)) return true;
    cs->since_s = hs_most(cs->since_s, at_s);
    if (task_s <= at_s) return false;
    pass_time(next, at_s);
    if (!happen(next, &turns)) return false;
  }
}

void hs_cores_settle(struct hs_cores *cs)
{
  double now = hs_des_now_s();
  if (now <= cs->since_s) return;
  play(cs, now - SLACK_S, -1);
  pass_all_time(cs, now);
}

/* --- ahead of time --- */

/* What of a thread changes when it is played with. */
struct hs_saved {
  struct hs_cfs_thread cfs;
  int state, n_left; /* n_left: of its team */
  struct hs_flow flow;
  double spins_until_s;
};

static void save_threads(struct hs_cores *cs)
{
  int n = 0;
  for (int i = 0; i < cs->n; i++)
    for (struct hs_thread *th = first(&cs->core[i]); th; th = after(th)) {
      HS_GROW(cs->saved, n, cs->cap_saved);
      cs->saved[n++] = (struct hs_saved){th->cfs, th->state, th->state == WORKS ? th->team->n_left : 0, th->flow, th->spins_until_s};
    }
}

static void restore_threads(struct hs_cores *cs)
{
  const struct hs_saved *s = cs->saved;
  for (int i = 0; i < cs->n; i++)
    for (struct hs_thread *th = first(&cs->core[i]); th; th = after(th), s++) {
      th->cfs = s->cfs;
      th->state = s->state;
      th->flow = s->flow;
      th->spins_until_s = s->spins_until_s;
      if (th->state == WORKS) th->team->n_left = s->n_left;
    }
}

/* When the cores have to be attended to again if nothing else happens: tries what will. */
static double look_ahead(struct hs_cores *cs)
{
  struct hs_core core[HS_CORES_MAX];
  struct hs_flow uncut[HS_CORES_MAX];
  double since_s = cs->since_s, next_s;
  int n = 0;
  save_threads(cs);
  memcpy(core, cs->core, (size_t)cs->n * sizeof *core);
  for (struct hs_worker *w = cs->uncut; w; w = w->next_uncut) uncut[n++] = w->flow;
  next_s = play(cs, INFINITY, TURNS_AHEAD) ? INFINITY : cs->since_s;
  cs->since_s = since_s;
  memcpy(cs->core, core, (size_t)cs->n * sizeof *core);
  restore_threads(cs);
  n = 0;
  for (struct hs_worker *w = cs->uncut; w; w = w->next_uncut) w->flow = uncut[n++];
  return next_s;
}

/* --- attending --- */

void hs_uncut_vacate(struct hs_worker *w)
{
  struct hs_cores *cs = w->q->cores;
  struct hs_worker **at = &cs->uncut;
  hs_cores_settle(cs);
  for (int i = 0; i < cs->n; i++) {
    struct hs_core *c = &cs->core[i];
    if (c->uncut != w) continue;
    struct hs_thread *th = hs_core_current(c);
    hs_cfs_sleep(&c->cfs, &th->cfs);
    th->state = SLEEPS;
    c->uncut = NULL;
  }
  while (*at != w) at = &(*at)->next_uncut;
  *at = w->next_uncut;
  if (w->uncut == SIMULATED) cs->n_simulated--;
  w->uncut = NOT_UNCUT;
}

/* Who runs a task whose time has come; NULL: nobody more. */
static struct hs_worker *end_task(struct hs_cores *cs)
{
  struct hs_worker *w;
  for (int i = 0; i < cs->n; i++) {
    struct hs_flow *f = hs_core_flow(&cs->core[i]);
    if (f && hs_flow_has_ended(f) && (w = hs_thread_end_part(hs_core_current(&cs->core[i])))) return w;
  }
  for (w = cs->uncut; w; w = w->next_uncut)
    if (w->uncut == BY_CLOCK && hs_flow_has_ended(&w->flow)) {
      hs_uncut_vacate(w);
      return w;
    }
  return NULL;
}

static void take_turns(struct hs_cores *cs)
{
  for (int i = 0; i < cs->n; i++) {
    struct hs_core *c = &cs->core[i];
    if (is_over(c) || (c->rung && !c->cfs.current)) next_turn(c);
    c->rung = false;
  }
}

/* What may be wanted of the memory at once, whoever has the cores. */
static void weigh(struct hs_cores *cs)
{
  struct hs_queue *q = cs->q;
  q->wishes = (struct hs_wishes){0};
  for (int i = 0; i < cs->n; i++) {
    double highest = 0;
    for (const struct hs_thread *th = first(&cs->core[i]); th; th = after(th))
      if (th->state == WORKS) highest = hs_most(highest, hs_flow_wants(&th->flow));
    hs_wishes_add(&q->wishes, highest);
  }
  for (const struct hs_worker *w = cs->uncut; w; w = w->next_uncut) hs_wishes_add(&q->wishes, hs_flow_wants(&w->flow));
  hs_traffic_weigh(q->e);
  cs->scarce = hs_is_scarce(q); /* else hs_flows_share() would serve everybody in its first round */
  cs->crowded = q->wishes.n > 0 && (q->e->crowded || (cs->scarce && cs->n_simulated > 0));
}

/* All up to now. Who has waited for tasks that end now is put behind `ended`. */
static void attend(struct hs_cores *cs, struct hs_worker ***ended)
{
  struct hs_worker *w;
  double now = hs_des_now_s();
  for (bool done = false; !done;) {
    done = play(cs, now + HS_TICK_S, -1);
    pass_all_time(cs, now);
    while ((w = end_task(cs))) {
      w->next_ended = NULL;
      w->has_ended = true;
      cs->q->e->n_ending++;
      **ended = w;
      *ended = &w->next_ended;
    }
    take_turns(cs);
    find_events(cs);
  }
  weigh(cs);
  set_paces(cs);
  find_events(cs);
}

/* A worker whose uncut task has to be simulated; NULL: there is none. */
static struct hs_worker *to_simulate(const struct hs_cores *cs)
{
  struct hs_worker *w = cs->crowded ? cs->uncut : NULL;
  while (w && (w->uncut != BY_CLOCK || w->flow.bytes <= 0)) w = w->next_uncut;
  return w;
}

/* Whoever cuts a task in this very moment comes first: a task that others want bytes beside often begins together with tasks of theirs. */
static void simulate_uncut(struct hs_cores *cs)
{
  struct hs_worker *w;
  for (int i = 0; i < QUIET && !cs->rung && to_simulate(cs); i++) hs_actor_yield();
  while (!cs->rung && (w = to_simulate(cs))) {
    w->uncut = SIMULATED;
    w->left = w->flow.left;
    cs->n_simulated++;
    hs_semaphore_release(w->together);
  }
}

static struct hs_worker *take_first(struct hs_worker **list, struct hs_worker ***last)
{
  struct hs_worker *w = *list;
  *list = w->next_ended;
  if (!*list) *last = list;
  return w;
}

/* What others see of it is done one by one: they run meanwhile, and more may change. */
static void attend_now(struct hs_cores *cs)
{
  struct hs_worker *ended = NULL, **last = &ended;
  do {
    cs->rung = false;
    attend(cs, &last);
    while (ended && !cs->rung) hs_semaphore_release(take_first(&ended, &last)->together);
    for (int i = 0; i < cs->n && !cs->rung; i++) hs_core_use_hands(&cs->core[i]);
    simulate_uncut(cs);
  } while (cs->rung || ended);
}

static void be_cores(void *cores)
{
  struct hs_cores *cs = cores;
  for (;;) {
    cs->attended_to = true;
    attend_now(cs);
    double next_s = look_ahead(cs);
    cs->attended_to = false;
    if (isinf(next_s))
      hs_semaphore_acquire(cs->attend);
    else if (!hs_semaphore_acquire_for(cs->attend, hs_most(next_s - hs_des_now_s(), HS_TICK_S)) && cs->n_simulated > 0)
      hs_actor_yield(); /* a thread that ends together with its slice has ended */
  }
}

void hs_cores_crowd(struct hs_queue *q)
{
  if (q->cores && q->wishes.n > 0) hs_cores_ring(q->cores);
}

struct hs_thread *hs_thread_new(struct hs_core *c)
{
  struct hs_thread *th = hs_realloc(NULL, 1, sizeof *th);
  *th = (struct hs_thread){.core = c, .next_of_core = c->all};
  return c->all = th;
}

struct hs_cores *hs_slices_open(struct hs_queue *q)
{
  struct hs_cores *cs = hs_realloc(NULL, 1, sizeof *cs);
  *cs = (struct hs_cores){.q = q, .n = q->n_hosts, .attend = hs_semaphore_new()};
  for (int i = 0; i < cs->n; i++) cs->core[i] = (struct hs_core){.of = cs, .host = i, .rung = true};
  hs_actor_start("cores", be_cores, cs);
  return cs;
}

static void free_core(struct hs_core *c)
{
  for (struct hs_thread *th = c->all, *next; th; th = next) {
    next = th->next_of_core;
    if (th->go) hs_semaphore_free(th->go);
    free(th);
  }
  free(c->kept);
}

void hs_slices_free(struct hs_cores *cs)
{
  if (!cs) return;
  for (int i = 0; i < cs->n; i++) free_core(&cs->core[i]);
  hs_semaphore_free(cs->attend);
  free(cs->saved);
  free(cs);
}
