/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Band (MobiSys 2022; the schedulers of its released code): one worker per kind of processor, which runs one sub-graph at a
 * time. Durations are profiled (here: estimated for the idle device) and then follow what is observed as an exponential
 * moving average. A sub-graph's is with its way from and to the host, and what joins two has no price. All times are whole
 * microseconds, as in Band: two networks that take as long tie, and rounding doesn't decide for good who waits.
 *
 * Worker by worker (no partition): band-fixed, band-round-robin. Sub-graph by sub-graph, along the shortest path
 *   memo[j] = min over i <= j, w of max(wait of w, memo[i - 1]) + expected(units i..j on w)
 * : band-sel, band-heft, band-heft-reserved, band-lst. A request that is picked for a worker past its deadline is dropped (EnqueueToWorker()): by band-sel
 * whenever anything happens, since it tries all, by the others when a worker is free for it, and never by band-fixed, whose workers have queues of their own
 * that nobody looks into. */
#include <gsl/gsl_math.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/instant.h"
#include "policies/band_units.h"

static const double SMOOTHING = 0.1; /* config default: smoothing_factor */

/* Units [from, to) as one sub-graph on a worker that can run it. */
struct subgraph {
  int from, to;
  enum hs_kind worker;
  double us; /* expected */
};

/* What the scheduler knows of one network. */
struct net {
  int n_units, *unit; /* [n_units + 1] */
  int n_subgraphs, cap_subgraphs, *first; /* [unit]: the first that begins there, or after it */
  struct subgraph *subgraphs;             /* by from, to and worker */
};

/* The sub-graph that a request in flight is expected to start next (band-heft-reserved). */
struct reservation {
  int request;
  enum hs_kind worker;
  double us;
};

struct band {
  int n_nets, n_reservations, cap_reservations;
  struct net *nets;
  struct reservation *reservations; /* by request: a long queue has many */
  double reserved_us[HS_KIND_N];    /* sums of these */
};

/* Where a waiting request should go: its first sub-graph, the one after, and when all is done. */
struct path {
  unsigned workers; /* all that it goes over, a bit each */
  enum hs_kind worker, next_worker;
  int to_unit;
  bool ends; /* with its first sub-graph: there is no next one */
  double us, first_us, next_us;
};

/* One planning event. */
struct event {
  struct band *b;
  const struct hs_queue_view *view;
  bool reserved;             /* do paths go beside what others have reserved? */
  double wait_us[HS_KIND_N]; /* until the worker is free */
  bool idle[HS_KIND_N];      /* false as well where no network has such a worker */
  bool *settled;            /* [n_waiting]: assigned, dropped, put back or yields */
  int *kind, *alike;        /* [n_waiting]: of network and operator; the next request of the same kind, or n_waiting */
  int n_kinds, *first, *head; /* of each kind: the first, and the first that may not be settled, */
  bool *searched;           /* and whether that one's path is known, as the waits are */
  struct path *path;
  struct hs_assignment *out;
  int n_out;
};

/* --- reservations --- */

static int by_request(const void *request, const void *reservation)
{
  int a = *(const int *)request, b = ((const struct reservation *)reservation)->request;
  return (a > b) - (a < b);
}

static struct reservation *reservation_of(const struct band *b, int request)
{
  return b->n_reservations ? bsearch(&request, b->reservations, (size_t)b->n_reservations, sizeof *b->reservations, by_request) : NULL;
}

/* A request has one at most. */
static void forget(struct band *b, int request)
{
  struct reservation *r = reservation_of(b, request);
  if (!r) return;
  b->reserved_us[r->worker] -= r->us; /* whole numbers: nothing is lost */
  memmove(r, r + 1, (size_t)(b->reservations + --b->n_reservations - r) * sizeof *r);
}

/* Until its next piece starts, the last one's with nothing, or it is dropped. */
static void reserve(struct band *b, int request, const struct path *p)
{
  forget(b, request);
  if (p->ends) return;
  HS_GROW(b->reservations, b->n_reservations, b->cap_reservations);
  int at = b->n_reservations++;
  for (; at > 0 && b->reservations[at - 1].request > request; at--) b->reservations[at] = b->reservations[at - 1];
  b->reservations[at] = (struct reservation){request, p->next_worker, p->next_us};
  b->reserved_us[p->next_worker] += p->next_us;
}

/* --- workers --- */

static enum hs_kind worker_of(const struct hs_queue_view *view, int network, int alternative)
{
  return view->soc->processors[hs_view_processor(view, network, alternative)].kind;
}

/* -1: the network has no such worker. */
static int alternative_of(const struct hs_queue_view *view, int network, enum hs_kind worker)
{
  int a = view->plans[network]->n - 1;
  while (a >= 0 && worker_of(view, network, a) != worker) a--;
  return a;
}

/* --- durations --- */

/* What a clock of whole microseconds shows; a nanosecond is what adding up may have lost. */
static double microseconds(double seconds) { return floor(seconds * 1e6 + 1e-3); }

static void list_subgraphs(struct net *net, const struct hs_queue_view *view, int network)
{
  int n = net->n_units;
  bool *merges = hs_realloc(NULL, (size_t)n * (size_t)n, sizeof *merges);
  hs_band_merges(hs_placement_graph(view->plans[network]->alternatives[0], view->plans[network]->graph), net->unit, n, merges);
  for (int i = 0; i < n; i++) {
    net->first[i] = net->n_subgraphs;
    for (int j = i + 1; j <= n; j++)
      for (int a = 0; a < view->plans[network]->n && merges[i * n + j - 1]; a++) {
        double us = microseconds(hs_view_expected(view, network, a, net->unit[i], net->unit[j], NULL));
        if (isinf(us)) continue;
        HS_GROW(net->subgraphs, net->n_subgraphs, net->cap_subgraphs);
        net->subgraphs[net->n_subgraphs++] = (struct subgraph){i, j, worker_of(view, network, a), us};
      }
  }
  free(merges);
}

static struct net *net_of(struct band *b, const struct hs_queue_view *view, int network)
{
  if (!b->nets) b->nets = hs_calloc((size_t)view->n_networks, sizeof *b->nets);
  b->n_nets = view->n_networks;
  struct net *net = &b->nets[network];
  if (net->unit) return net;
  const struct hs_plan *plan = view->plans[network];
  net->unit = hs_realloc(NULL, (size_t)plan->graph->n_ops + 1, sizeof *net->unit);
  net->n_units = hs_band_units(plan, net->unit);
  net->first = hs_realloc(NULL, (size_t)net->n_units, sizeof *net->first);
  list_subgraphs(net, view, network);
  return net;
}

static int unit_at(const struct net *net, int op)
{
  int u = 0;
  while (net->unit[u] < op) u++;
  return u;
}

/* Of a piece that was started, and so is in the list. */
static double *expected_us(struct band *b, const struct hs_queue_view *view, const struct hs_piece *piece)
{
  const struct net *net = net_of(b, view, piece->network);
  int to = unit_at(net, piece->to_op);
  enum hs_kind worker = worker_of(view, piece->network, piece->alternative);
  struct subgraph *s = &net->subgraphs[net->first[unit_at(net, piece->from_op)]];
  while (s->to != to || s->worker != worker) s++;
  return &s->us;
}

/* --- paths --- */

/* The shortest path of what is left of a request. steps[j]: units before j are done at `us`, and the last sub-graph of these is `by`. */
static struct path shortest(struct event *e, const struct hs_waiting *w)
{
  struct step {
    double us;
    int n; /* sub-graphs */
    struct subgraph by;
  };
  const struct net *net = net_of(e->b, e->view, w->network);
  int start = unit_at(net, w->next_op), n = net->n_units;
  struct step *steps = hs_realloc(NULL, (size_t)n + 1, sizeof *steps);
  for (int j = start; j <= n; j++) steps[j] = (struct step){INFINITY, 0, {j - 1, j, HS_CPU, INFINITY}}; /* if nothing is possible there */
  steps[start].us = 0;
  for (int i = net->first[start]; i < net->n_subgraphs; i++) {
    const struct subgraph *s = &net->subgraphs[i];
    double us = GSL_MAX(e->wait_us[s->worker], steps[s->from].us) + s->us;
    int subgraphs = steps[s->from].n + 1;
    if (us < steps[s->to].us || (us == steps[s->to].us && subgraphs < steps[s->to].n)) steps[s->to] = (struct step){us, subgraphs, *s};
  }
  struct path p = {.us = steps[n].us};
  for (int j = n; j > start; j = steps[j].by.from) {
    p.ends = j == n;
    p.next_worker = p.worker;
    p.next_us = p.first_us;
    p.worker = steps[j].by.worker;
    p.workers |= 1u << p.worker;
    p.to_unit = j;
    p.first_us = steps[j].by.us;
  }
  free(steps);
  return p;
}

/* The same when other requests take what they have reserved first. */
static struct path shortest_beside(struct event *e, const struct hs_waiting *w)
{
  double before[HS_KIND_N];
  const struct reservation *own = reservation_of(e->b, w->request);
  memcpy(before, e->wait_us, sizeof before);
  for (int k = 0; k < HS_KIND_N; k++) e->wait_us[k] += e->b->reserved_us[k] - (own && (int)own->worker == k ? own->us : 0);
  struct path p = shortest(e, w);
  memcpy(e->wait_us, before, sizeof before);
  return p;
}

/* Of a kind. It holds until a worker on it is waited for longer: with longer waits elsewhere no other path becomes shorter. So it is searched again where the
 * head, whose own reservation doesn't count, gives way to the next: it went to that worker, or waits for it. */
static const struct path *path_of(struct event *e, int kind)
{
  const struct hs_waiting *waiting = e->view->waiting;
  if (!e->searched[kind]) e->path[kind] = (e->reserved ? shortest_beside : shortest)(e, &waiting[e->head[kind]]);
  e->searched[kind] = true;
  return &e->path[kind];
}

static void wait_longer(struct event *e, enum hs_kind worker, double us)
{
  e->wait_us[worker] += us;
  for (int k = 0; k < e->n_kinds; k++) e->searched[k] = e->searched[k] && !(e->path[k].workers & 1u << worker);
}

/* --- events --- */

static void start(struct event *e, int waiting, enum hs_kind worker, int to_op)
{
  e->settled[waiting] = true;
  e->idle[worker] = false;
  e->out[e->n_out++] = (struct hs_assignment){waiting, alternative_of(e->view, e->view->waiting[waiting].network, worker), to_op, false};
}

static void drop(struct event *e, int waiting)
{
  e->settled[waiting] = true;
  forget(e->b, e->view->waiting[waiting].request);
  e->out[e->n_out++] = (struct hs_assignment){.waiting = waiting, .drop = true};
}

static bool is_late(const struct event *e, int waiting) { return hs_is_past(e->view->waiting[waiting].deadline_s, e->view->now_s); }

/* A late one is dropped instead, and the worker stays as it was. */
static void enqueue(struct event *e, int waiting, const struct path *p)
{
  if (is_late(e, waiting)) {
    drop(e, waiting);
    return;
  }
  start(e, waiting, p->worker, net_of(e->b, e->view, e->view->waiting[waiting].network)->unit[p->to_unit]);
  wait_longer(e, p->worker, p->first_us);
}

static void drop_late(struct event *e)
{
  for (int i = 0; i < e->view->n_waiting; i++)
    if (is_late(e, i)) drop(e, i);
}

/* Requests of one network at one operator are alike: what is left takes each as long, and the first has the earliest deadline. So the first
 * that isn't settled stands for all, as in Band, which looks at one of each model and set of units left, and a long queue costs no search per request.
 * (Under `reserved` each may have reserved something else, which doesn't count against itself: the first's is taken for all.) */
static void sort_out(struct event *e)
{
  const struct hs_queue_view *v = e->view;
  int *last = hs_realloc(NULL, (size_t)v->n_waiting + 1, sizeof *last);
  e->kind = hs_realloc(NULL, (size_t)v->n_waiting + 1, sizeof *e->kind);
  e->alike = hs_realloc(NULL, (size_t)v->n_waiting + 1, sizeof *e->alike);
  e->first = hs_realloc(NULL, (size_t)v->n_waiting + 1, sizeof *e->first);
  e->head = hs_realloc(NULL, (size_t)v->n_waiting + 1, sizeof *e->head);
  for (int i = 0; i < v->n_waiting; i++) {
    int k = 0;
    while (k < e->n_kinds && (v->waiting[e->first[k]].network != v->waiting[i].network || v->waiting[e->first[k]].next_op != v->waiting[i].next_op)) k++;
    if (k == e->n_kinds)
      e->first[e->n_kinds++] = i;
    else
      e->alike[last[k]] = i;
    e->kind[i] = k;
    e->alike[i] = v->n_waiting;
    last[k] = i;
  }
  memcpy(e->head, e->first, (size_t)e->n_kinds * sizeof *e->head);
  e->searched = hs_calloc((size_t)e->n_kinds + 1, sizeof *e->searched);
  e->path = hs_calloc((size_t)e->n_kinds + 1, sizeof *e->path);
  free(last);
}

/* The first request of a kind that isn't settled; -1: none. */
static int first_of(struct event *e, int kind)
{
  while (e->head[kind] < e->view->n_waiting && e->settled[e->head[kind]]) e->head[kind] = e->alike[e->head[kind]];
  return e->head[kind] < e->view->n_waiting ? e->head[kind] : -1;
}

static void open_event(struct event *e, struct band *b, const struct hs_queue_view *view, struct hs_assignment *out)
{
  *e = (struct event){.b = b, .view = view, .out = out};
  for (int i = 0; i < view->n_networks; i++)
    for (int a = 0; view->plans[i] && a < view->plans[i]->n; a++) e->idle[worker_of(view, i, a)] = true;
  for (int i = 0; i < view->n_running; i++) {
    const struct hs_piece *r = &view->running[i];
    double us = *expected_us(b, view, r);
    enum hs_kind worker = worker_of(view, r->network, r->alternative);
    e->idle[worker] = false;
    e->wait_us[worker] += GSL_MAX(us - microseconds(view->now_s - r->start_s), 0);
  }
  e->settled = hs_calloc((size_t)view->n_waiting, sizeof *e->settled);
  sort_out(e);
}

static bool any_idle(const struct event *e)
{
  for (int k = 0; k < HS_KIND_N; k++)
    if (e->idle[k]) return true;
  return false;
}

static int close_event(struct event *e)
{
  free(e->settled);
  free(e->kind);
  free(e->alike);
  free(e->first);
  free(e->head);
  free(e->searched);
  free(e->path);
  return e->n_out;
}

/* --- schedulers --- */

/* Of the requests that are left, of those with the highest priority, the one whose shortest latency is longest; of several the first. */
static int pick_longest(struct event *e, struct path *path)
{
  const struct hs_waiting *waiting = e->view->waiting;
  int best = -1;
  for (int k = 0, i; k < e->n_kinds; k++) {
    if ((i = first_of(e, k)) < 0) continue;
    int before = best < 0 ? 1 : waiting[i].priority - waiting[best].priority;
    if (before < 0) continue;
    const struct path *p = path_of(e, k);
    if (before == 0 && !(p->us > path->us || (!(p->us < path->us) && i < best))) continue;
    best = i;
    *path = *p;
  }
  return best;
}

static int schedule_sel(void *state, const struct hs_queue_view *view, struct hs_assignment *out)
{
  struct event e;
  struct path p;
  open_event(&e, state, view, out);
  drop_late(&e);
  for (int i; (i = pick_longest(&e, &p)) >= 0;) {
    e.settled[i] = true; /* a busy worker puts it back until the next event */
    if (e.idle[p.worker]) enqueue(&e, i, &p);
  }
  return close_event(&e);
}

/* Can anybody that waits begin with an idle worker, however long all others are waited for? */
static bool any_fits(struct event *e)
{
  for (int k = 0, i; k < e->n_kinds; k++) {
    if ((i = first_of(e, k)) < 0) continue;
    const struct hs_waiting *w = &e->view->waiting[i];
    const struct net *net = net_of(e->b, e->view, w->network);
    int from = unit_at(net, w->next_op);
    for (int g = net->first[from]; g < net->n_subgraphs && net->subgraphs[g].from == from; g++)
      if (e->idle[net->subgraphs[g].worker]) return true;
  }
  return false;
}

/* Who finds its worker busy counts as waiting for it, and yields, until somebody else gets an idle one. False: nobody does. */
static bool place_longest(struct event *e)
{
  int *yields = hs_realloc(NULL, (size_t)e->view->n_waiting + 1, sizeof *yields), n = 0, i;
  double before[HS_KIND_N];
  struct path p;
  memcpy(before, e->wait_us, sizeof before);
  while ((i = pick_longest(e, &p)) >= 0 && !e->idle[p.worker]) {
    e->settled[i] = true;
    yields[n++] = i;
    wait_longer(e, p.worker, p.first_us);
  }
  memcpy(e->wait_us, before, sizeof before);
  memset(e->searched, 0, (size_t)e->n_kinds * sizeof *e->searched);
  memcpy(e->head, e->first, (size_t)e->n_kinds * sizeof *e->head);
  while (n > 0) e->settled[yields[--n]] = false;
  free(yields);
  if (i < 0) return false;
  enqueue(e, i, &p);
  if (e->reserved && !is_late(e, i)) reserve(e->b, e->view->waiting[i].request, &p);
  return true;
}

static int heft(void *state, const struct hs_queue_view *view, struct hs_assignment *out, bool reserved)
{
  struct event e;
  open_event(&e, state, view, out);
  e.reserved = reserved;
  while (any_fits(&e) && place_longest(&e))
    ;
  return close_event(&e);
}

static int schedule_heft(void *state, const struct hs_queue_view *view, struct hs_assignment *out) { return heft(state, view, out, false); }
static int schedule_heft_reserved(void *state, const struct hs_queue_view *view, struct hs_assignment *out) { return heft(state, view, out, true); }

struct slack {
  int priority;
  double s;
  int waiting;
};

static int by_slack(const void *a, const void *b)
{
  const struct slack *x = a, *y = b;
  if (x->priority != y->priority) return y->priority - x->priority;
  return x->s < y->s ? -1 : x->s > y->s ? 1 : x->waiting - y->waiting;
}

/* By priority, then by slack: until the deadline, less the shortest latency as the event finds the workers; without a deadline it is endless. */
static struct slack *sort_by_slack(struct event *e)
{
  const struct hs_queue_view *v = e->view;
  struct slack *list = hs_realloc(NULL, (size_t)v->n_waiting + 1, sizeof *list);
  for (int i = 0; i < v->n_waiting; i++) {
    const struct hs_waiting *w = &v->waiting[i];
    list[i] = (struct slack){w->priority, w->deadline_s - v->now_s - path_of(e, e->kind[i])->us * 1e-6, i};
  }
  qsort(list, (size_t)v->n_waiting, sizeof *list, by_slack);
  return list;
}

/* A worker that was idle counts what it is given, whether or not somebody has it already, who then puts the request back; a busy one doesn't. */
static void take_by_slack(struct event *e, const struct slack *list)
{
  const struct hs_queue_view *v = e->view;
  bool was_idle[HS_KIND_N];
  int n_bound = v->n_waiting; /* by deadlines: of those behind none is dropped, nor started once no worker is idle */
  memcpy(was_idle, e->idle, sizeof was_idle);
  while (n_bound > 0 && isinf(v->waiting[list[n_bound - 1].waiting].deadline_s)) n_bound--;
  for (int k = 0; k < v->n_waiting && (k < n_bound || any_idle(e)); k++) {
    int i = list[k].waiting;
    if (e->settled[i]) continue;
    struct path p = *path_of(e, e->kind[i]);
    if (hs_is_past(v->waiting[i].deadline_s, v->now_s + p.us * 1e-6)) {
      drop(e, i);
      continue;
    }
    if (!was_idle[p.worker]) continue;
    if (e->idle[p.worker])
      enqueue(e, i, &p);
    else
      wait_longer(e, p.worker, p.first_us);
  }
}

static int schedule_lst(void *state, const struct hs_queue_view *view, struct hs_assignment *out)
{
  struct event e;
  open_event(&e, state, view, out);
  if (!any_idle(&e)) return close_event(&e);
  struct slack *list = sort_by_slack(&e);
  take_by_slack(&e, list);
  free(list);
  return close_event(&e);
}

/* Every network of this policy on a worker of its own, in their order, or on the one that its parameter names. */
static enum hs_kind fixed_worker(const struct hs_queue_view *view, int network)
{
  const struct hs_plan *plan = view->plans[network];
  int before = 0;
  for (int a = 0; a < plan->n; a++)
    if (strcmp(plan->names[a], view->values[network][0]) == 0) return worker_of(view, network, a);
  for (int i = 0; i < network; i++) before += view->plans[i] != NULL;
  return worker_of(view, network, before % plan->n);
}

static int schedule_fixed(void *state, const struct hs_queue_view *view, struct hs_assignment *out)
{
  struct event e;
  open_event(&e, state, view, out);
  for (int i = 0; i < view->n_waiting; i++) {
    int network = view->waiting[i].network;
    enum hs_kind w = fixed_worker(view, network);
    if (e.idle[w]) start(&e, i, w, view->plans[network]->graph->n_ops);
  }
  return close_event(&e);
}

static int schedule_round_robin(void *state, const struct hs_queue_view *view, struct hs_assignment *out)
{
  struct event e;
  open_event(&e, state, view, out);
  for (int w = 0; w < HS_KIND_N; w++)
    for (int i = 0; i < view->n_waiting && e.idle[w]; i++) {
      int network = view->waiting[i].network;
      if (e.settled[i] || alternative_of(view, network, (enum hs_kind)w) < 0) continue;
      if (is_late(&e, i))
        drop(&e, i);
      else
        start(&e, i, (enum hs_kind)w, view->plans[network]->graph->n_ops);
    }
  return close_event(&e);
}

/* --- what all share --- */

static void finished(void *state, const struct hs_queue_view *view, const struct hs_piece *piece, double seconds)
{
  double *us = expected_us(state, view, piece);
  *us = floor(SMOOTHING * microseconds(seconds) + (1 - SMOOTHING) * *us + 1e-6);
}

static void release(void *state)
{
  struct band *b = state;
  for (int i = 0; i < b->n_nets; i++) {
    free(b->nets[i].unit);
    free(b->nets[i].first);
    free(b->nets[i].subgraphs);
  }
  free(b->nets);
  free(b->reservations);
}

static enum hs_status plan_partitioned(const struct hs_view *v, struct hs_plan *plan, struct hs_error *err)
{
  return hs_band_plan(v, true, (int)strtod(v->values[0], NULL), plan, err);
}

static enum hs_status plan_whole(const struct hs_view *v, struct hs_plan *plan, struct hs_error *err) { return hs_band_plan(v, false, 1, plan, err); }

static enum hs_status plan_fixed(const struct hs_view *v, struct hs_plan *plan, struct hs_error *err)
{
  const char *worker = v->values[0];
  HS_TRY(plan_whole(v, plan, err));
  for (int k = 0; k < plan->n; k++)
    if (strcmp(worker, "spread") == 0 || strcmp(worker, plan->names[k]) == 0) return HS_OK;
  return hs_fail(err, HS_USAGE, "policy band-fixed, worker=%s: %s has none under runtime %s", worker, v->sys->soc->name, v->sys->runtime->name);
}

static const char *const workers[] = {"spread", "cpu", "gpu", "dsp", "npu", NULL};
static const struct hs_param fixed_params[] = {
  {"worker", "that all networks are pinned to; spread: one after the other in the order given", "spread", workers, 0, 0, false}};
static const struct hs_param partition_params[] = {
  {"minimum_subgraph_size", "operators; shorter stretches of an accelerator are left to others", "7", NULL, 1, 10000, true}};

#define BAND(id, title, text, planner, parameters, count, scheduler)                                                    \
  const struct hs_policy hs_policy_band_##id = {.name = title,                                                          \
                                                .summary = text,                                                        \
                                                .reference = "Band (MobiSys 2022), released code",                     \
                                                .defaults = {.runtime = "tflite", .precision = HS_INT8},               \
                                                .params = parameters,                                                   \
                                                .n_params = count,                                                      \
                                                .plan_all = planner,                                                    \
                                                .schedule = scheduler,                                                  \
                                                .finished = finished,                                                   \
                                                .state_size = sizeof(struct band),                                      \
                                                .release = release}

BAND(fixed, "band-fixed", "Band: every network whole on a worker of its own", plan_fixed, fixed_params, 1, schedule_fixed);
BAND(round_robin, "band-round-robin", "Band: idle workers take the first request in the queue", plan_whole, NULL, 0, schedule_round_robin);
BAND(sel, "band-sel", "Band: sub-graphs, largest shortest expected latency first", plan_partitioned, partition_params, 1, schedule_sel);
BAND(heft, "band-heft", "Band: sub-graphs, heterogeneous earliest finish time", plan_partitioned, partition_params, 1, schedule_heft);
BAND(heft_reserved, "band-heft-reserved", "Band: the same, beside what other requests have reserved", plan_partitioned, partition_params, 1,
     schedule_heft_reserved);
BAND(lst, "band-lst", "Band: sub-graphs, least slack first; drops what would be late", plan_partitioned, partition_params, 1, schedule_lst);
