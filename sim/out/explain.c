/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "out/explain.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "plan/estimate.h"
#include "plan/what_if.h"
#include "serve/pieces.h"

static const double SAME_S = 1e-9;   /* shorter differences are rounding */
static const double TIED = 0.995;    /* of the other time: the same three digits */
static const double BALANCED = 0.85; /* parts that differ by less finish "about" together */

static const char *name_of(const struct hs_explained *x, int p) { return x->sys->soc->processors[p].name; }

double hs_explain_opp_hz(const struct hs_system *sys, const struct hs_part *part)
{
  const struct hs_processor *proc = &sys->soc->processors[part->processor];
  int top = proc->n_domains - 1;
  if (part->opp < 0 || part->opp == sys->backends[part->processor].opp[top]) return 0;
  return proc->domains[top].opps[part->opp].freq_hz;
}

/* --- facts --- */

/* NULL if op can run whole on p. */
static const char *obstacle(struct hs_explained *x, const struct hs_operator *op, int p)
{
  char why[300] = "not supported";
  if (!hs_system_supports(x->sys, x->graph, op, p, why, sizeof why)) return hs_arena_strdup(&x->arena, why);
  double limit = x->sys->soc->processors[p].slice_limit_bytes, bytes = hs_slice_bytes(x->sys, x->graph, op, p);
  if (hs_slice_fits(x->sys, x->graph, op, p)) return NULL;
  return hs_arena_printf(&x->arena, "it takes %s of a slice, which may have %s", hs_si_tmp(bytes, "B"), hs_si_tmp(limit, "B"));
}

/* The whole operator there, all others where they ran. */
static struct hs_work work_on(const struct hs_explained *x, int i, int p)
{
  const struct hs_ran_piece *piece = x->ops[i].piece;
  const struct hs_placement *pl = x->network->plan.alternatives[piece->alternative];
  struct hs_work w;
  int joined;
  bool apart = hs_placement_kernel_of(x->sys, x->graph, pl, i, p, piece->from, piece->to, &joined) == HS_KERNEL_APART;
  hs_cost_exec_bordered(x->sys, x->graph, &x->graph->ops[i], p, hs_range_whole, (struct hs_border){0, 0}, apart, &w);
  return w;
}

static void estimate_alone(const struct hs_explained *x, int i, int p)
{
  struct hs_op_facts *f = &x->ops[i];
  f->alone_s[p] = INFINITY;
  if (f->why_not[p]) return;
  struct hs_work w = work_on(x, i, p);
  f->alone_s[p] = hs_work_seconds(x->sys, p, -1, &w);
  f->dram_bytes[p] = w.bytes;
  memset(w.cores, 0, sizeof w.cores);
  f->memory_s[p] = hs_work_seconds(x->sys, p, -1, &w);
}

static void collect(struct hs_explained *x, const struct hs_timeline *timeline, const struct hs_ran_piece *pieces, int n_pieces)
{
  for (int k = 0; k < n_pieces; k++)
    for (int i = pieces[k].from; i < pieces[k].to; i++) {
      x->ops[i].piece = &pieces[k];
      x->ops[i].placed = &x->network->plan.alternatives[pieces[k].alternative]->ops[i];
    }
  for (int i = 0; i < x->graph->n_ops; i++)
    for (int p = 0; p < x->sys->soc->n_processors; p++) {
      x->ops[i].why_not[p] = obstacle(x, &x->graph->ops[i], p);
      estimate_alone(x, i, p);
    }
  for (int k = 0; k < timeline->n; k++) {
    const struct hs_event *e = &timeline->events[k];
    const struct hs_task *t = &e->program->tasks[e->task];
    double seconds = e->end_s - e->start_s;
    if (t->kind == HS_TASK_EXEC) x->ops[t->op].ran_s[t->processor] += seconds;
    x->ops[t->op].start_s += hs_task_start_seconds(x->sys, t);
    if (hs_task_is_communication(t->kind)) x->ops[t->op].communication_s += seconds;
  }
}

static int fastest_but(const struct hs_explained *x, int op, int not_this)
{
  int best = -1;
  for (int p = 0; p < x->sys->soc->n_processors; p++)
    if (p != not_this && !x->ops[op].why_not[p] && (best < 0 || x->ops[op].alone_s[p] < x->ops[op].alone_s[best])) best = p;
  return best;
}

/* Of those it is cut between. Others are no policy's choice here: what is cut could be whole on one of these. */
static int fastest_part(const struct hs_explained *x, int op)
{
  const struct hs_op_facts *f = &x->ops[op];
  int best = -1;
  for (int k = 0; k < f->placed->n_parts; k++) {
    int p = f->placed->parts[k].processor;
    if (!f->why_not[p] && (best < 0 || f->alone_s[p] < f->alone_s[best])) best = p;
  }
  return best;
}

/* How many parts of operators p has in what ran. */
static int parts_on(const struct hs_explained *x, int p)
{
  int n = 0;
  for (int i = 0; i < x->graph->n_ops; i++)
    for (int k = 0; k < x->ops[i].placed->n_parts; k++) n += x->ops[i].placed->parts[k].processor == p;
  return n;
}

double hs_explain_memory_frac(const struct hs_explained *x)
{
  double all = 0, memory = 0;
  for (int i = 0; i < x->graph->n_ops; i++)
    for (int p = 0; p < x->sys->soc->n_processors; p++) {
      const struct hs_op_facts *f = &x->ops[i];
      if (f->why_not[p]) continue;
      all += f->ran_s[p];
      memory += f->memory_s[p] >= f->alone_s[p] ? f->ran_s[p] : 0;
    }
  return all > 0 ? memory / all : 0;
}

bool hs_explain_uses(const struct hs_explained *x, int p) { return parts_on(x, p) > 0; }

double hs_explain_ideal_s(const struct hs_explained *x)
{
  double sum = 0;
  for (int i = 0; i < x->graph->n_ops; i++) {
    double per_s = 0;
    for (int p = 0; p < x->sys->soc->n_processors; p++)
      if (hs_explain_uses(x, p)) per_s += 1 / x->ops[i].alone_s[p]; /* INFINITY where it can't run */
    sum += 1 / per_s;
  }
  return sum;
}

/* How much more the piece takes with op whole on p; false: it can't be there. */
static bool what_if(const struct hs_explained *x, int op, int p, struct hs_totals *more)
{
  const struct hs_ran_piece *piece = x->ops[op].piece;
  const struct hs_program *ran = hs_pieces_get(x->network->pieces, piece->alternative, piece->from, piece->to, NULL);
  return hs_what_if(x->sys, x->graph, x->network->plan.alternatives[piece->alternative], ran, op, p, x->network->policy->name, more);
}

/* --- words --- */

static void more_or_less(const char *before, double v, const char *unit, const char *of, struct hs_text *t)
{
  hs_text_addf(t, "%s%s %s%s", before, hs_si_tmp(fabs(v), unit), v < 0 ? "less" : "more", of);
}

/* The policy's choice c is slower than f. */
static void slower(const struct hs_explained *x, int op, int c, double taken_s, int f, struct hs_text *t)
{
  double saved = taken_s - x->ops[op].alone_s[f];
  struct hs_totals more;
  hs_text_addf(t, "%s would be faster (%s; %s %s)", name_of(x, f), hs_si_tmp(x->ops[op].alone_s[f], "s"), name_of(x, c), hs_si_tmp(taken_s, "s"));
  if (!what_if(x, op, f, &more)) {
    hs_text_add(t, ", but has no memory left for it in this plan");
    return;
  }
  if (more.latency_s > SAME_S && more.communication_s + more.start_s >= saved) {
    hs_text_addf(t, ", but moving its data there and back costs %s", hs_si_tmp(more.communication_s, "s"));
    if (more.start_s > SAME_S) hs_text_addf(t, ", and invoking %s", hs_si_tmp(more.start_s, "s"));
  } else if (more.latency_s > SAME_S) {
    hs_text_addf(t, ", but the inference would take %s longer", hs_si_tmp(more.latency_s, "s"));
    if (more.communication_s > SAME_S) more_or_less(": ", more.communication_s, "s", " communication, and waiting", t);
  } else if (more.latency_s > -SAME_S)
    hs_text_add(t, ", but the inference would not end earlier");
  else {
    more_or_less(", and moved there by itself the inference would take ", more.latency_s, "s", "", t);
    if (fabs(more.communication_s) > SAME_S) more_or_less(", with ", more.communication_s, "s", " communication", t);
    if (more.energy_j > 0) more_or_less(" and ", more.energy_j, "J", "", t);
    if (parts_on(x, f) == 0) hs_text_addf(t, "; this plan leaves %s out", name_of(x, f));
  }
}

/* Which processor the policy wanted: what it can't do without, or what the alternative is called after, or else what it uses most of those that can't. What
 * runs the operator isn't it: CoDL can't do without a GPU, but may be told to give it nothing. */
static int wanted(const struct hs_explained *x, int op)
{
  const struct hs_op_facts *f = &x->ops[op];
  const char *names[] = {x->network->policy->needs, x->network->plan.names[f->piece->alternative]};
  int best = -1;
  for (int i = 0; i < 2; i++) {
    int p = names[i] ? hs_soc_find(x->sys->soc, names[i]) : -1;
    if (p >= 0 && p != f->placed->parts[0].processor) return p;
  }
  for (int p = 0; p < x->sys->soc->n_processors; p++) {
    if (!f->why_not[p] || !x->sys->backends[p].available || parts_on(x, p) == 0) continue;
    if (best < 0 || parts_on(x, p) > parts_on(x, best)) best = p;
  }
  return best;
}

static void fell_back(const struct hs_explained *x, int op, struct hs_text *t)
{
  int w = wanted(x, op);
  if (w < 0)
    hs_text_add(t, "what the policy wanted can't run it (fallback); ");
  else if (x->ops[op].why_not[w])
    hs_text_addf(t, "%s can't run it: %s; the policy wanted it (fallback); ", name_of(x, w), x->ops[op].why_not[w]);
  else
    hs_text_addf(t, "%s could run it, but not what the policy keeps together with it (fallback); ", name_of(x, w));
}

/* Slower on purpose: what that costs and saves. */
static void at_opp(const struct hs_explained *x, int op, const struct hs_part *part, struct hs_text *t)
{
  const struct hs_processor *proc = &x->sys->soc->processors[part->processor];
  int opps[] = {part->opp, -1}, top = proc->n_domains - 1;
  if (hs_explain_opp_hz(x->sys, part) <= 0) return;
  const struct hs_work w = work_on(x, op, part->processor);
  for (int k = 0; k < 2; k++) {
    double seconds = hs_work_seconds(x->sys, part->processor, opps[k], &w);
    double watts = hs_work_dynamic_w(x->sys, part->processor, opps[k], &w) + hs_work_static_w(x->sys, part->processor, opps[k], &w);
    int level = hs_system_opp(x->sys, part->processor, top, opps[k]);
    hs_text_addf(t, "%s %s %s and %s", k ? ", at" : "; at", hs_si_tmp(proc->domains[top].opps[level].freq_hz, "Hz"), hs_si_tmp(seconds, "s"),
                 hs_si_tmp(seconds * watts, "J"));
  }
}

static void why_whole(const struct hs_explained *x, int op, struct hs_text *t)
{
  const struct hs_op_facts *f = &x->ops[op];
  const struct hs_part *part = &f->placed->parts[0];
  int c = part->processor, other = fastest_but(x, op, c);
  const struct hs_work w = work_on(x, op, c);
  double taken = hs_work_seconds(x->sys, c, part->opp, &w);
  if (f->placed->fallback) fell_back(x, op, t);
  if (other < 0)
    hs_text_addf(t, "only %s can run it", name_of(x, c));
  else if (fmin(taken, f->alone_s[other]) >= TIED * fmax(taken, f->alone_s[other]))
    hs_text_addf(t, "%s is as fast as %s (%s)", name_of(x, c), name_of(x, other), hs_si_tmp(taken, "s"));
  else if (f->alone_s[c] < f->alone_s[other])
    hs_text_addf(t, "%s is fastest (%s; %s %s)", name_of(x, c), hs_si_tmp(f->alone_s[c], "s"), name_of(x, other), hs_si_tmp(f->alone_s[other], "s"));
  else
    slower(x, op, c, taken, other, t);
  at_opp(x, op, part, t);
}

/* A cut whose longest part takes so long, beside the operator whole on one of its processors. Communication is named where it takes what the cut saves. */
static void beside_whole(const struct hs_explained *x, int op, double longest_s, struct hs_text *t)
{
  const struct hs_op_facts *f = &x->ops[op];
  int whole = fastest_part(x, op);
  struct hs_totals more;
  if (whole < 0) return;
  bool saves = longest_s < f->alone_s[whole], pays = longest_s + f->communication_s < f->alone_s[whole];
  if (saves && !pays) hs_text_addf(t, ", communication %s", hs_si_tmp(f->communication_s, "s"));
  hs_text_addf(t, ", %s alone %s %s", name_of(x, whole), pays ? "takes" : "would take", hs_si_tmp(f->alone_s[whole], "s"));
  if (what_if(x, op, whole, &more) && more.latency_s < -SAME_S)
    hs_text_addf(t, "; whole on %s the inference would take %s less", name_of(x, whole), hs_si_tmp(-more.latency_s, "s"));
}

static void why_cut(const struct hs_explained *x, int op, struct hs_text *t)
{
  const struct hs_op_facts *f = &x->ops[op];
  double longest = 0, shortest = INFINITY;
  int last = f->placed->parts[0].processor, working = 0;
  for (int k = 0; k < f->placed->n_parts; k++) {
    double seconds = f->ran_s[f->placed->parts[k].processor];
    hs_text_addf(t, "%s%.2g", k ? "/" : "split ", f->placed->parts[k].fraction);
    if (seconds <= 0) continue; /* a part may be rounded to nothing */
    working++;
    last = f->placed->parts[k].processor;
    longest = fmax(longest, seconds);
    shortest = fmin(shortest, seconds);
  }
  if (working < 2)
    hs_text_addf(t, ": in whole rows or channels that is all of it on %s", name_of(x, last));
  else if (shortest >= BALANCED * longest)
    hs_text_addf(t, ": %s finish after about %s", working > 2 ? "all" : "both", hs_si_tmp(longest, "s"));
  else
    for (int k = 0; k < f->placed->n_parts; k++)
      hs_text_addf(t, "%s%s %s%s", k ? ", " : ": ", name_of(x, f->placed->parts[k].processor), k ? "" : "takes ",
                   hs_si_tmp(f->ran_s[f->placed->parts[k].processor], "s"));
  beside_whole(x, op, longest, t);
}

/* What it shares with its neighbours. */
static void why_chain(const struct hs_explained *x, int op, struct hs_text *t)
{
  const struct hs_op_facts *f = &x->ops[op], *before = f - 1;
  if (f->placed->chain < 0 || op == f->piece->from || before->placed->chain != f->placed->chain) return;
  enum hs_kind kind = x->sys->soc->processors[f->placed->parts[0].processor].kind;
  if (f->placed->n_parts > 1)
    hs_text_add(t, "; part of a chain with the operators before: no data is shared in between");
  else if (hs_kind_is_remote(kind) && before->placed->parts[0].processor == f->placed->parts[0].processor)
    hs_text_add(t, "; in one slice with the operator before");
}

/* What makes it take longer than its kernel does. */
static void why_start(const struct hs_op_facts *f, struct hs_text *t)
{
  if (f->start_s > 0) hs_text_addf(t, "; begins an invocation, which costs %s by itself", hs_si_tmp(f->start_s, "s"));
}

void hs_explain(struct hs_explained *x, const struct hs_system *sys, const struct hs_network *network, const struct hs_timeline *timeline,
                const struct hs_ran_piece *pieces, int n_pieces)
{
  *x = (struct hs_explained){.sys = sys, .network = network, .graph = hs_network_graph(network, pieces[0].alternative)};
  x->ops = HS_NEW_ARRAY(&x->arena, struct hs_op_facts, (size_t)x->graph->n_ops);
  collect(x, timeline, pieces, n_pieces);
  for (int i = 0; i < x->graph->n_ops; i++) {
    struct hs_text t = {0};
    (x->ops[i].placed->n_parts > 1 ? why_cut : why_whole)(x, i, &t);
    why_chain(x, i, &t);
    why_start(&x->ops[i], &t);
    x->ops[i].why = hs_arena_strdup(&x->arena, t.s);
    hs_text_free(&t);
  }
}

void hs_explain_free(struct hs_explained *x) { hs_arena_free(&x->arena); }
