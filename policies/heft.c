/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Heterogeneous earliest finish time (Topcuoglu et al., IEEE TPDS 2002): operators in order of upward rank, each in the earliest gap of the
 * processor where it ends first. The operators are then handed out in the order in which the host has to begin with them: with their inputs' way to
 * the processor, if there is one; of two at once that goes first. What nothing comes for follows the one before on its DSP or NPU directly.
 *
 * What an invocation costs however much it computes (start_cycles) belongs to a CPU's or GPU's first operator, and to the way of data to a DSP or NPU.
 *
 * As published it looks one operator ahead: one that would be worth the way to an accelerator for what follows, but not for itself, stays, and so
 * does the next. Slower clocks of the rest can so make the whole faster (--frequency=min: 65 of 270 pairs of a SoC and a network, every 14th, up to ten times
 * on a Snapdragon 888, whose NPU has one clock). In all but three of these its own schedule is shorter, too: it isn't misled by its estimates. What
 * these leave out, as the paper does, is that moving data keeps the host from launching what is next, the way of the results to the host, and that a
 * DSP or NPU takes and gives all of a slice at once: runs take 1.0 to 1.6 times its schedule, 1.04 in the median (the same 270), and of hundreds of
 * small operators (NASNet) twice as long. */
#include <gsl/gsl_math.h>
#include <string.h>

#include "base/order.h"
#include "model/comm.h"
#include "plan/pass.h"
#include "policies/single.h"

struct slot {
  double start_s, end_s;
};

/* Of a tensor between a processor and the host's memory, in seconds; CPUs share that. */
struct way {
  double there, back;
};

struct heft {
  const struct hs_view *v;
  struct hs_arena a;
  int n_processors;
  double *cost;          /* [op][processor]: seconds, INFINITY where it can't run */
  struct way *ways;      /* [tensor][processor] */
  double invocation_s[HS_PROCESSORS_MAX]; /* what comes to a processor begins one; 0 where that costs nothing */
  double *rank;          /* [op]: Eq. 8 */
  double *begin_s, *end_s; /* begin: of the inputs' transfer, */
  bool *crosses;         /* if there is one */
  int *on;               /* [op]: processor */
  int n_slots[HS_PROCESSORS_MAX];
  struct slot *slots[HS_PROCESSORS_MAX]; /* taken, in order of time */
};

static double *cost_at(const struct heft *h, int op, int p) { return &h->cost[op * h->n_processors + p]; }

/* It is invoked as often as data comes to it. */
static bool is_remote(const struct heft *h, int p) { return hs_kind_is_remote(h->v->sys->soc->processors[p].kind); }

/* Each is asked for by every pair of processors. */
static void fill_ways(struct heft *h)
{
  const struct hs_system *sys = h->v->sys;
  const struct hs_graph *g = h->v->graph;
  h->ways = HS_NEW_ARRAY(&h->a, struct way, (size_t)g->n_tensors * (size_t)h->n_processors);
  for (int p = 0; p < h->n_processors; p++) {
    if (!sys->backends[p].available) continue;
    h->invocation_s[p] = is_remote(h, p) ? hs_cost_start_seconds(sys, p, -1) : 0;
    for (int t = 0; t < g->n_tensors; t++) {
      double elements = (double)hs_shape_elements(&g->tensors[t].shape);
      h->ways[t * h->n_processors + p] = (struct way){hs_comm_transfer(sys, p, false, elements).seconds, hs_comm_transfer(sys, p, true, elements).seconds};
    }
  }
}

/* CPUs share the host's memory; everything else goes through it. */
static double move_seconds(const struct heft *h, int tensor, int from, int to)
{
  const struct way *ways = &h->ways[tensor * h->n_processors];
  return from == to ? 0 : ways[from].back + ways[to].there + h->invocation_s[to];
}

/* The mean over all pairs of processors. */
static double mean_move_seconds(const struct heft *h, int tensor)
{
  double sum = 0;
  int n = 0;
  for (int p = 0; p < h->n_processors; p++)
    for (int q = 0; q < h->n_processors; q++) {
      if (p == q || !h->v->sys->backends[p].available || !h->v->sys->backends[q].available) continue;
      sum += move_seconds(h, tensor, p, q);
      n++;
    }
  return n ? sum / n : 0;
}

static enum hs_status fill_costs(struct heft *h, struct hs_error *err)
{
  const struct hs_graph *g = h->v->graph;
  for (int i = 0; i < g->n_ops; i++) {
    bool any = false;
    for (int p = 0; p < h->n_processors; p++) {
      bool runs = h->v->sys->backends[p].available && hs_runs_on(h->v->sys, g, &g->ops[i], p);
      *cost_at(h, i, p) = runs ? hs_cost_seconds(h->v->sys, g, &g->ops[i], p, -1) : INFINITY;
      any |= runs;
    }
    if (!any) return hs_runs_nowhere(h->v, &g->ops[i], err);
  }
  return HS_OK;
}

static double mean_cost(const struct heft *h, int op)
{
  double sum = 0;
  int n = 0;
  for (int p = 0; p < h->n_processors; p++)
    if (isfinite(*cost_at(h, op, p))) {
      sum += *cost_at(h, op, p);
      n++;
    }
  return sum / n;
}

/* rank(i) = mean cost + max over its readers of (mean communication + rank); readers stand behind in file order. */
static void fill_ranks(struct heft *h)
{
  const struct hs_graph *g = h->v->graph;
  double *of_readers = HS_NEW_ARRAY(&h->a, double, (size_t)g->n_tensors);
  for (int i = g->n_ops - 1; i >= 0; i--) {
    const struct hs_operator *op = &g->ops[i];
    for (int k = 0; k < op->n_outputs; k++) {
      int t = op->outputs[k];
      if (g->tensors[t].n_consumers) h->rank[i] = GSL_MAX(h->rank[i], mean_move_seconds(h, t) + of_readers[t]);
    }
    h->rank[i] += mean_cost(h, i);
    for (int k = 0; k < op->n_inputs; k++) of_readers[op->inputs[k]] = GSL_MAX(of_readers[op->inputs[k]], h->rank[i]);
  }
}

/* When the inputs are at p; *made_s: when they are computed. Inputs of the network are in the host's memory. */
static double ready_s(const struct heft *h, int op, int p, double *made_s)
{
  const struct hs_operator *o = &h->v->graph->ops[op];
  double ready = 0;
  *made_s = 0;
  for (int k = 0; k < o->n_inputs; k++) {
    int producer = h->v->graph->tensors[o->inputs[k]].producer;
    double made = producer < 0 ? 0 : h->end_s[producer];
    *made_s = GSL_MAX(*made_s, made);
    ready = GSL_MAX(ready, made + move_seconds(h, o->inputs[k], producer < 0 ? h->v->sys->host : h->on[producer], p));
  }
  return ready;
}

/* The earliest gap of p that is long enough. */
static double earliest_s(const struct heft *h, int p, double ready, double duration)
{
  for (int i = 0; i < h->n_slots[p]; i++) {
    if (ready + duration <= h->slots[p][i].start_s) return ready;
    ready = GSL_MAX(ready, h->slots[p][i].end_s);
  }
  return ready;
}

static void take_slot(struct heft *h, int p, struct slot s)
{
  int at = h->n_slots[p]++;
  while (at > 0 && h->slots[p][at - 1].start_s > s.start_s) at--;
  memmove(&h->slots[p][at + 1], &h->slots[p][at], (size_t)(h->n_slots[p] - 1 - at) * sizeof s);
  h->slots[p][at] = s;
}

/* Of the first operator on a CPU or GPU, with what a program costs there however much it computes. */
static double first_seconds(const struct heft *h, int op, int p)
{
  struct hs_work w;
  hs_cost_exec(h->v->sys, h->v->graph, &h->v->graph->ops[op], p, hs_range_whole, &w);
  hs_cost_start(h->v->sys, p, &w);
  return hs_work_seconds(h->v->sys, p, -1, &w);
}

/* Is something that op reads in another memory? CPUs share the host's. */
static bool crosses(const struct heft *h, int op)
{
  const struct hs_operator *o = &h->v->graph->ops[op];
  const struct hs_processor *all = h->v->sys->soc->processors;
  for (int k = 0; k < o->n_inputs; k++) {
    int producer = h->v->graph->tensors[o->inputs[k]].producer, from = producer < 0 ? h->v->sys->host : h->on[producer];
    if (from != h->on[op] && !(all[from].kind == HS_CPU && all[h->on[op]].kind == HS_CPU)) return true;
  }
  return false;
}

static void assign(struct heft *h, int op)
{
  double best_end = INFINITY, best_start = 0;
  for (int p = 0; p < h->n_processors; p++) {
    double cost = *cost_at(h, op, p), made;
    if (!isfinite(cost)) continue;
    if (h->n_slots[p] == 0 && !is_remote(h, p)) cost = first_seconds(h, op, p);
    double ready = ready_s(h, op, p, &made), start = earliest_s(h, p, ready, cost);
    if (start + cost >= best_end) continue;
    best_end = start + cost;
    best_start = start;
    h->begin_s[op] = start > ready ? start - (ready - made) : made;
    h->on[op] = p;
  }
  h->end_s[op] = best_end;
  h->crosses[op] = crosses(h, op);
  take_slot(h, h->on[op], (struct slot){best_start, best_end});
}

/* Operator numbers by ascending key; equal ones stay in file order. */
static int *sorted(struct heft *h, const double *key, double sign)
{
  int n = h->v->graph->n_ops, *order = HS_NEW_ARRAY(&h->a, int, (size_t)n);
  double *signed_key = HS_NEW_ARRAY(&h->a, double, (size_t)n);
  for (int i = 0; i < n; i++) signed_key[i] = sign * key[i];
  hs_order_by(signed_key, n, order);
  return order;
}

static bool reads(const struct hs_graph *g, int op, int producer)
{
  for (int k = 0; k < g->ops[op].n_inputs; k++)
    if (g->tensors[g->ops[op].inputs[k]].producer == producer) return true;
  return false;
}

/* In the order in which the host has to begin with them. Of two that begin at once the one whose inputs cross goes first, as the schedule has both side by
 * side: the host hands it out and then computes. */
static int *in_order_of_beginning(struct heft *h)
{
  int *order = sorted(h, h->begin_s, 1);
  for (int i = 0; i < h->v->graph->n_ops; i++) {
    int at = i, op = order[i];
    if (!h->crosses[op]) continue;
    for (; at > 0 && h->begin_s[order[at - 1]] == h->begin_s[op] && !h->crosses[order[at - 1]] && !reads(h->v->graph, op, order[at - 1]); at--)
      order[at] = order[at - 1];
    order[at] = op;
  }
  return order;
}

/* Does one of these operators read what processor p made? */
static bool any_reads_from(const struct heft *h, int p, const int *ops, int n)
{
  const struct hs_graph *g = h->v->graph;
  for (int i = 0; i < n; i++)
    for (int k = 0; k < g->ops[ops[i]].n_inputs; k++) {
      int producer = g->tensors[g->ops[ops[i]].inputs[k]].producer;
      if (producer >= 0 && h->on[producer] == p) return true;
    }
  return false;
}

/* An operator of a DSP or NPU for which nothing comes, so that no other processor makes what it reads, joins the one before there, as another invocation isn't
 * in the schedule; but not where an operator that begins in between reads from there, as it would have to wait for this one, too. */
static void join_slices(struct heft *h, int *order)
{
  int newest[HS_PROCESSORS_MAX];
  for (int p = 0; p < h->n_processors; p++) newest[p] = -1;
  for (int i = 0; i < h->v->graph->n_ops; i++) {
    int op = order[i], p = h->on[op], at = newest[p] + 1;
    bool joins = is_remote(h, p) && at > 0 && !h->crosses[op] && !any_reads_from(h, p, &order[at], i - at);
    if (!joins) at = i;
    memmove(&order[at + 1], &order[at], (size_t)(i - at) * sizeof *order);
    order[at] = op;
    for (int q = 0; q < h->n_processors; q++) newest[q] += newest[q] >= at;
    newest[p] = at;
  }
}

static enum hs_status plan_heft(const struct hs_view *v, struct hs_placement *pl, struct hs_error *err)
{
  struct heft h = {.v = v, .n_processors = v->sys->soc->n_processors};
  size_t n = (size_t)v->graph->n_ops;
  h.cost = HS_NEW_ARRAY(&h.a, double, n * (size_t)h.n_processors);
  h.rank = HS_NEW_ARRAY(&h.a, double, n);
  h.begin_s = HS_NEW_ARRAY(&h.a, double, n);
  h.end_s = HS_NEW_ARRAY(&h.a, double, n);
  h.crosses = HS_NEW_ARRAY(&h.a, bool, n);
  h.on = HS_NEW_ARRAY(&h.a, int, n);
  for (int p = 0; p < h.n_processors; p++) h.slots[p] = HS_NEW_ARRAY(&h.a, struct slot, n);
  enum hs_status status = fill_costs(&h, err);
  if (!status) {
    fill_ways(&h);
    fill_ranks(&h);
    int *order = sorted(&h, h.rank, -1);
    for (size_t i = 0; i < n; i++) assign(&h, order[i]);
    order = in_order_of_beginning(&h);
    join_slices(&h, order);
    hs_placement_rewrite(pl, hs_pass_order(v->graph, order));
    for (size_t i = 0; i < n; i++) hs_place_whole(&pl->ops[i], h.on[order[i]]);
    hs_placement_pack(v->sys, pl->rewritten, pl);
  }
  hs_arena_free(&h.a);
  return status;
}

const struct hs_policy hs_policy_heft = {.name = "heft",
                                         .summary = "operators in order of upward rank, each where it ends first",
                                         .reference = "Topcuoglu et al., IEEE TPDS 13(3), 2002",
                                         .defaults = {.runtime = "tflite", .precision = HS_INT8},
                                         .plan = plan_heft};
