/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "serve/serve.h"

#include <math.h>
#include <stdlib.h>

#include "base/instant.h"
#include "serve/load.h"
#include "serve/noise.h"
#include "serve/pieces.h"

_Static_assert((int)HS_NETWORKS_MAX <= (int)HS_APPS_MAX, "the engine tells networks apart");

struct request {
  int number, network;
  double arrival_s;
  bool running;
  int alternative, next_op; /* of the piece under way, or the next one */
  struct hs_piece piece;
  double common[HS_PROCESSORS_MAX], *stretch; /* noise of the inference, and of the tasks of the piece; owned */
  struct request *earlier, *later; /* go before and after this one */
  struct request *next;     /* of its network */
  struct request *beside;   /* runs, too */
};

struct stream {
  struct hs_arrivals arrivals;
  struct request *first, *newest; /* in flight */
  int ended, in_flight, running;
  struct hs_patience patience;
};

/* What a policy is asked about. Queues may be long, and it is asked whenever anything happens: the room stays from one time to the next. */
struct asked {
  const struct hs_policy *policy;
  const struct hs_plan *plans[HS_NETWORKS_MAX];      /* as in the view, */
  const char *const *values[HS_NETWORKS_MAX];        /* these, too */
  int n_waiting;
  size_t room;               /* requests: */
  struct hs_waiting *waiting;
  struct request **requests; /* of waiting */
  struct hs_piece *running;
  struct hs_assignment *out;
};

struct serve {
  const struct hs_system *sys;
  const struct hs_network *networks;
  int n, arrived;
  int requests;                  /* of each network that must end; 0: none */
  double duration_s;             /* INFINITY: until each network has its requests */
  const struct hs_serve_calls *calls;
  struct hs_error *err;
  enum hs_status status;
  struct stream streams[HS_NETWORKS_MAX];
  void *states[HS_NETWORKS_MAX]; /* of the policy of each network; networks under one policy share it */
  double longest_s;              /* of all pieces that were started */
  struct request *in_flight;        /* by priority, then in order of arrival */
  struct request *running;          /* those of them that run: few, where a queue may be long */
  struct asked asked, told;         /* by `schedule`, and of `finished`: what is handed in may end at once */
  struct hs_load_meter meter;
  struct hs_engine *engine;         /* from its first turn on */
};

const struct hs_graph *hs_network_graph(const struct hs_network *n, int alternative)
{
  return hs_placement_graph(n->plan.alternatives[alternative], n->graph);
}

/* --- requests --- */

/* A piece of r starts, or ends. */
static void goes_on(struct serve *s, const struct request *r, double now_s)
{
  struct stream *st = &s->streams[r->network];
  hs_patience_moves(&st->patience, r == st->first, now_s);
}

/* Others wait behind r, of which some came before it. */
static void begins(struct serve *s, const struct request *r)
{
  for (int i = 0; i < s->n; i++) hs_patience_passed(&s->streams[i].patience, i == r->network, r->arrival_s);
}

static int priority_of(const struct serve *s, const struct request *r) { return s->networks[r->network].priority; }

static bool goes_before(const struct serve *s, const struct request *a, const struct request *b)
{
  return priority_of(s, a) != priority_of(s, b) ? priority_of(s, a) > priority_of(s, b) : a->number < b->number;
}

/* The one in flight that goes just before r, which comes now. Of each network that is the newest: a queue may be long, networks are few. */
static struct request *last_before(const struct serve *s, const struct request *r)
{
  struct request *last = NULL;
  for (int i = 0; i < s->n; i++) {
    struct request *newest = s->streams[i].newest;
    if (newest && goes_before(s, newest, r) && (!last || goes_before(s, last, newest))) last = newest;
  }
  return last;
}

static void arrive(struct serve *s, int network, double arrival_s)
{
  struct stream *st = &s->streams[network];
  struct request *r = hs_realloc(NULL, 1, sizeof *r);
  *r = (struct request){.number = s->arrived++, .network = network, .arrival_s = arrival_s, .alternative = -1};
  r->earlier = last_before(s, r);
  r->later = r->earlier ? r->earlier->later : s->in_flight;
  if (r->later) r->later->earlier = r;
  *(r->earlier ? &r->earlier->later : &s->in_flight) = r;
  *(st->first ? &st->newest->next : &st->first) = r;
  st->newest = r;
  if (st->in_flight++ > 0) return;
  hs_patience_moves(&st->patience, true, arrival_s);
}

static void leave(struct serve *s, struct request *r)
{
  struct stream *st = &s->streams[r->network];
  struct request *before = st->first == r ? NULL : st->first;
  while (before && before->next != r) before = before->next;
  *(before ? &before->next : &st->first) = r->next;
  if (st->newest == r) st->newest = before;
  if (r->later) r->later->earlier = r->earlier;
  *(r->earlier ? &r->earlier->later : &s->in_flight) = r->later;
  st->in_flight--;
}

static void take_arrivals(struct serve *s, double now_s)
{
  for (int i = 0; i < s->n; i++)
    while (hs_has_come(s->streams[i].arrivals.next_s, now_s)) {
      arrive(s, i, s->streams[i].arrivals.next_s);
      hs_arrivals_came(&s->streams[i].arrivals);
    }
}

static void end_request(struct serve *s, struct request *r, double now_s, bool dropped)
{
  const struct hs_network *n = &s->networks[r->network];
  leave(s, r);
  s->streams[r->network].ended++;
  hs_patience_ended(&s->streams[r->network].patience, dropped && hs_has_come(now_s, r->arrival_s), now_s);
  hs_arrivals_ended(&s->streams[r->network].arrivals, now_s);
  const struct hs_outcome o = {r->number, r->network, r->arrival_s, now_s, dropped, dropped || hs_is_past(n->deadline_s, now_s - r->arrival_s)};
  if (s->calls->ended) s->calls->ended(s->calls->state, &o);
  free(r->stretch);
  free(r);
}

/* In the order in which requests start, so that which numbers a request gets depends on no other network. */
static void draw_noise(struct serve *s, struct request *r, const struct hs_program *prog)
{
  struct hs_noise *noise = s->calls->noise;
  if (!noise) return;
  if (r->next_op == 0) hs_noise_begin(noise, r->network, r->common);
  r->stretch = hs_realloc(r->stretch, (size_t)prog->n_tasks, sizeof *r->stretch);
  hs_noise_draw(noise, r->network, r->common, prog, r->stretch);
}

static void start_piece(struct serve *s, struct hs_engine *e, struct request *r, int alternative, int to, double now_s)
{
  struct hs_pieces *pieces = s->networks[r->network].pieces;
  const struct hs_program *prog = hs_pieces_get(pieces, alternative, r->next_op, to, NULL);
  r->running = true;
  r->beside = s->running;
  s->running = r;
  r->alternative = alternative;
  s->streams[r->network].running++;
  goes_on(s, r, now_s);
  if (r->next_op == 0) begins(s, r);
  r->piece = (struct hs_piece){r->number, r->network, alternative, r->next_op, to, now_s, hs_pieces_seconds(pieces, alternative, r->next_op, to)};
  s->longest_s = fmax(s->longest_s, r->piece.expected_s);
  if (r->next_op == 0) hs_load_begin(&s->meter, r->network, now_s);
  hs_load_add(&s->meter, r->network, prog);
  draw_noise(s, r, prog);
  hs_engine_submit_stretched(e, r->number, s->networks[r->network].priority, prog, r->stretch);
}

/* --- policies --- */

static double expected(const void *core, int network, int alternative, int from_op, int to_op, const struct hs_competition *load)
{
  const struct serve *s = core;
  struct hs_pieces *pieces = s->networks[network].pieces;
  if (!load) return hs_pieces_seconds(pieces, alternative, from_op, to_op);
  const struct hs_program *prog = hs_pieces_get(pieces, alternative, from_op, to_op, NULL);
  return prog ? hs_estimate_under(hs_pieces_system(pieces), prog, load) : INFINITY;
}

static double clocked_s(const void *core, int processor)
{
  const struct serve *s = core;
  const struct hs_processor *proc = &s->sys->soc->processors[processor];
  const struct hs_backend *b = &s->sys->backends[processor];
  int lead = hs_lead_domain(proc, b->cores);
  if (lead < 0) lead = proc->n_domains - 1; /* nothing runs there */
  return hs_engine_cycles(s->engine, processor, lead) / proc->domains[lead].opps[b->opp[lead]].freq_hz;
}

static enum hs_status broke(struct serve *s, const struct hs_policy *policy, const char *rule)
{
  return s->status = hs_fail(s->err, HS_POLICY, "policy %s broke its contract: %s", policy->name, rule);
}

/* The rule that an assignment breaks; NULL: none. */
static const char *breach(const struct serve *s, const struct asked *a, const struct hs_assignment *d)
{
  if (d->waiting < 0 || d->waiting >= a->n_waiting || !a->requests[d->waiting]) return "it doesn't wait";
  const struct request *r = a->requests[d->waiting];
  const struct hs_network *n = &s->networks[r->network];
  if (d->drop) return NULL;
  if (d->alternative < 0 || d->alternative >= n->plan.n) return "there is no such alternative";
  if (r->next_op > 0 && hs_network_graph(n, d->alternative) != hs_network_graph(n, r->alternative))
    return "the request goes on in another version of its network";
  if (d->to_op <= r->next_op) return "it has no operators";
  if (d->to_op > n->plan.alternatives[d->alternative]->n_ops) return "it ends behind its network";
  return hs_pieces_get(n->pieces, d->alternative, r->next_op, d->to_op, NULL) ? NULL : "it can't run there";
}

/* "request 3 of vgg16, from operator 5 to before 9 under gpu: …": the rule with what the policy assigned. */
static void broke_with(struct serve *s, const struct asked *a, const struct hs_assignment *d, const char *rule)
{
  const struct request *r = d->waiting >= 0 && d->waiting < a->n_waiting ? a->requests[d->waiting] : NULL;
  struct hs_text t = {0};
  if (r) {
    const struct hs_network *n = &s->networks[r->network];
    hs_text_addf(&t, "request %d of %s, from operator %d to before %d under ", r->number, n->graph->name, r->next_op, d->to_op);
    if (d->alternative >= 0 && d->alternative < n->plan.n) hs_text_addf(&t, "%s: ", n->plan.names[d->alternative]);
    else hs_text_addf(&t, "alternative %d: ", d->alternative);
  } else
    hs_text_addf(&t, "waiting request %d: ", d->waiting);
  hs_text_add(&t, rule);
  broke(s, a->policy, t.s);
  hs_text_free(&t);
}

static void apply(struct serve *s, struct asked *a, struct hs_engine *e, const struct hs_assignment *d, double now_s)
{
  const char *rule = breach(s, a, d);
  if (rule) {
    broke_with(s, a, d, rule);
    return;
  }
  struct request *r = a->requests[d->waiting];
  a->requests[d->waiting] = NULL;
  if (d->drop) end_request(s, r, now_s, true);
  else start_piece(s, e, r, d->alternative, d->to_op, now_s);
}

/* Is a request through with its network? It is in flight until `finished` was told of its last piece. */
static bool is_through(const struct serve *s, const struct request *r)
{
  return r->alternative >= 0 && r->next_op == s->networks[r->network].plan.alternatives[r->alternative]->n_ops;
}

/* The view of a policy: its networks, what waits and what runs of them. */
static void collect(struct serve *s, struct asked *a, struct hs_queue_view *v)
{
  const struct hs_competition *load[HS_NETWORKS_MAX] = {NULL};
  for (int i = 0; i < s->n; i++) {
    const struct hs_network *n = &s->networks[i];
    a->plans[i] = n->policy == a->policy ? &n->plan : NULL;
    a->values[i] = n->policy == a->policy ? n->values : NULL;
  }
  for (struct request *r = s->in_flight; r; r = r->later) {
    const struct hs_network *n = &s->networks[r->network];
    if (n->policy != a->policy || is_through(s, r)) continue;
    if (r->running) {
      a->running[v->n_running++] = r->piece;
      continue;
    }
    if (!load[r->network]) load[r->network] = hs_load_of(&s->meter, r->network, v->now_s);
    a->requests[v->n_waiting] = r;
    a->waiting[v->n_waiting++] = (struct hs_waiting){r->number, r->network, r->alternative, r->next_op, r->arrival_s,
                                                     r->arrival_s + n->deadline_s, n->priority, load[r->network]};
  }
  a->n_waiting = v->n_waiting;
}

static void make_room(struct asked *a, size_t n)
{
  if (n <= a->room) return;
  a->room = 2 * n;
  a->waiting = hs_realloc(a->waiting, a->room, sizeof *a->waiting);
  a->requests = hs_realloc(a->requests, a->room, sizeof *a->requests);
  a->running = hs_realloc(a->running, a->room, sizeof *a->running);
  a->out = hs_realloc(a->out, a->room, sizeof *a->out);
}

static void free_room(struct asked *a)
{
  free(a->waiting);
  free(a->requests);
  free(a->running);
  free(a->out);
}

/* In `a`, until the next one there. */
static struct hs_queue_view make_view(struct serve *s, struct asked *a, const struct hs_policy *policy, double now_s)
{
  struct hs_queue_view v = {.soc = s->sys->soc, .now_s = now_s, .n_networks = s->n, .plans = a->plans, .values = a->values, .core = s, .expected = expected,
                            .clocked_s = clocked_s};
  size_t n = 0;
  for (int i = 0; i < s->n; i++) n += (size_t)s->streams[i].in_flight;
  a->policy = policy;
  make_room(a, n);
  collect(s, a, &v);
  v.waiting = a->waiting;
  v.running = a->running;
  return v;
}

static void ask(struct serve *s, struct hs_engine *e, int network, double now_s)
{
  struct asked *a = &s->asked;
  struct hs_queue_view v = make_view(s, a, s->networks[network].policy, now_s);
  int n = v.n_waiting ? a->policy->schedule(s->states[network], &v, a->out) : 0;
  if (n < 0 || n > v.n_waiting) broke(s, a->policy, "it made other than from none to as many assignments as requests wait");
  for (int i = 0; i < n && !s->status; i++) apply(s, a, e, &a->out[i], now_s);
}

/* --- what starts now --- */

/* The first that waits, of networks that weren't tried yet. */
static struct request *next_waiting(const struct serve *s, const bool *tried)
{
  struct request *next = NULL;
  for (int i = 0; i < s->n; i++) {
    struct request *r = tried[i] ? NULL : s->streams[i].first;
    while (r && r->running) r = r->next;
    if (r && (!next || goes_before(s, r, next))) next = r;
  }
  return next;
}

/* What runs as it was planned is known before anybody is asked, though it may start after that. */
static void announce_planned(struct serve *s)
{
  for (int i = 0; i < s->n; i++) {
    const struct hs_network *n = &s->networks[i];
    if (!n->policy->schedule && s->streams[i].first) hs_load_add(&s->meter, i, hs_pieces_get(n->pieces, 0, 0, n->plan.alternatives[0]->n_ops, NULL));
  }
}

/* By priority and in order of arrival, whoever schedules it: so stands in every queue what comes at the same time. A policy that schedules is
 * asked once for all of its networks, when the first of their requests has its turn; else an interpreter runs one inference at a time. */
static void start_waiting(struct serve *s, struct hs_engine *e, double now_s)
{
  bool tried[HS_NETWORKS_MAX] = {false};
  announce_planned(s);
  for (struct request *r; !s->status && (r = next_waiting(s, tried));) {
    const struct hs_network *n = &s->networks[r->network];
    for (int i = 0; i < s->n; i++) tried[i] = tried[i] || i == r->network || (n->policy->schedule && s->networks[i].policy == n->policy);
    if (n->policy->schedule) ask(s, e, r->network, now_s);
    else if (!s->streams[r->network].running) start_piece(s, e, r, 0, n->plan.alternatives[0]->n_ops, now_s);
  }
}

/* --- what the engine calls --- */

static bool has_all(const struct serve *s)
{
  for (int i = 0; i < s->n; i++)
    if (s->streams[i].ended < s->requests) return false;
  return true;
}

static bool is_over(const struct serve *s, double now_s) { return s->duration_s < INFINITY ? hs_has_come(s->duration_s, now_s) : has_all(s); }

/* Without an end of its own, a run in which requests wait, none runs and none will come goes on for nothing but the scenario. */
static bool is_stuck(const struct serve *s)
{
  if (s->duration_s < INFINITY) return false;
  for (int i = 0; i < s->n; i++)
    if (isfinite(s->streams[i].arrivals.next_s)) return false;
  return !s->running;
}

/* Only where a network that starves keeps the run from its end: one that hasn't had its requests, which others wait for, or one that has, or runs until a
 * time, and lets none pass. */
static void check_starving(struct serve *s, double now_s)
{
  const bool for_ever = s->duration_s == INFINITY;
  if (for_ever && has_all(s)) return;
  for (int i = 0; i < s->n && !s->status; i++) {
    const struct stream *st = &s->streams[i];
    const struct hs_network *n = &s->networks[i];
    const bool has_its_own = !for_ever || st->ended >= s->requests;
    if (!has_its_own && st->in_flight > 0)
      s->status = hs_patience_check(&st->patience, n, st->first->running, st->running > 0, s->longest_s, now_s, s->err);
    if (has_its_own && n->pattern.kind == HS_BACK_TO_BACK) s->status = hs_patience_check_refused(&st->patience, n, s->err);
  }
}

static double turn(void *state, struct hs_engine *e, double now_s)
{
  struct serve *s = state;
  double next = s->duration_s;
  s->engine = e;
  if (is_over(s, now_s) || s->status) return -1;
  if (s->calls->living) next = fmin(next, hs_living_turn(s->calls->living, e, now_s, &s->status, s->err));
  take_arrivals(s, now_s);
  start_waiting(s, e, now_s);
  check_starving(s, now_s);
  for (int i = 0; i < s->n; i++) next = fmin(next, s->streams[i].arrivals.next_s);
  return s->status || is_stuck(s) || is_over(s, now_s) ? -1 : next; /* a drop may have been the last that was waited for */
}

static struct request *find(const struct serve *s, int number)
{
  struct request *r = s->running;
  while (r->number != number) r = r->beside;
  return r;
}

static void stops_running(struct serve *s, struct request *r)
{
  struct request **at = &s->running;
  while (*at != r) at = &(*at)->beside;
  *at = r->beside;
  r->running = false;
}

static void on_ready(void *state, int number, const struct hs_task *t, double now_s)
{
  struct serve *s = state;
  hs_load_ready(&s->meter, number < 0 ? HS_LOAD_OF_OTHERS : find(s, number)->network, t, now_s);
}

static void on_task(void *state, const struct hs_event *e)
{
  struct serve *s = state;
  int network = e->request < 0 ? HS_LOAD_OF_OTHERS : find(s, e->request)->network;
  hs_load_task(&s->meter, network, e);
  if (s->calls->task && e->request >= 0) s->calls->task(s->calls->state, e, network);
}

static void on_done(void *state, int number, double start_s, double end_s)
{
  struct serve *s = state;
  if (number < 0) {
    hs_living_done(s->calls->living, number, end_s);
    return;
  }
  struct request *r = find(s, number);
  const struct hs_network *n = &s->networks[r->network];
  hs_load_remove(&s->meter, r->network);
  stops_running(s, r);
  r->next_op = r->piece.to_op;
  s->streams[r->network].running--;
  s->longest_s = fmax(s->longest_s, end_s - start_s);
  goes_on(s, r, end_s);
  bool whole = is_through(s, r);
  if (whole) hs_load_end(&s->meter, r->network, end_s);
  if (n->policy->finished) {
    struct hs_queue_view v = make_view(s, &s->told, n->policy, end_s);
    n->policy->finished(s->states[r->network], &v, &r->piece, end_s - start_s);
  }
  if (whole) end_request(s, r, end_s, false);
}

static void on_over(void *state, struct hs_engine *e, double now_s)
{
  struct serve *s = state;
  struct hs_error err;
  if (s->calls->over) s->calls->over(s->calls->state, now_s);
  enum hs_status status = s->calls->living ? hs_living_end(s->calls->living, e, now_s, &err) : HS_OK;
  if (!status || s->status) return;
  s->status = status;
  *s->err = err;
}

/* --- the run --- */

static bool first_of_its_policy(const struct serve *s, int network)
{
  for (int i = 0; i < network; i++)
    if (s->networks[i].policy == s->networks[network].policy) return false;
  return true;
}

static void open_streams(struct serve *s)
{
  for (int i = 0; i < s->n; i++) {
    const struct hs_network *n = &s->networks[i];
    const struct hs_policy *policy = n->policy;
    hs_arrivals_open(&s->streams[i].arrivals, &n->pattern, n->seed, n->stream);
    if (first_of_its_policy(s, i)) s->states[i] = hs_calloc(1, policy->state_size + 1);
    for (int k = 0; k < i && !s->states[i]; k++)
      if (s->networks[k].policy == policy) s->states[i] = s->states[k];
  }
}

static void close_streams(struct serve *s)
{
  free_room(&s->asked);
  free_room(&s->told);
  for (int i = 0; i < s->n; i++) {
    hs_arrivals_close(&s->streams[i].arrivals);
    if (!first_of_its_policy(s, i)) continue;
    if (s->networks[i].policy->release) s->networks[i].policy->release(s->states[i]);
    free(s->states[i]);
  }
  for (struct request *r = s->in_flight, *later; r; r = later) {
    later = r->later;
    free(r->stretch);
    free(r);
  }
}

enum hs_status hs_serve(const struct hs_system *sys, const struct hs_network *networks, int n, int requests, double duration_s,
                        const struct hs_serve_calls *calls, int *unfinished, struct hs_error *err)
{
  struct serve s = {.sys = sys, .networks = networks, .n = n, .calls = calls, .err = err};
  const struct hs_engine_calls engine = {.state = &s, .task = on_task, .done = on_done, .stop = calls->stop, .turn = turn, .ready = on_ready,
                                         .over = on_over};
  s.requests = duration_s > 0 ? 0 : requests;
  s.duration_s = duration_s > 0 ? duration_s : INFINITY;
  hs_load_open(&s.meter, sys);
  open_streams(&s);
  enum hs_status status = hs_engine_run(sys, &engine, err);
  bool stopped = calls->stop && *calls->stop;
  if (!status) status = s.status;
  if (!status && !has_all(&s) && !stopped)
    status = broke(&s, networks[s.in_flight ? s.in_flight->network : 0].policy, "requests wait, nothing runs and it starts nothing");
  for (int i = 0; i < n && unfinished; i++) unfinished[i] = s.streams[i].in_flight;
  close_streams(&s);
  return status;
}
