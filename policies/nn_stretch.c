/* SPDX-License-Identifier: GPL-3.0-or-later */
/* NN-Stretch: a sequential network becomes one with a branch per processor. Its stages are segments, joined where
 * communication would not be amortised (Eq. 4); each segment is duplicated, every copy scaled in depth and width for its
 * processor within the straggler bound (Eq. 5), work in proportion to throughput (Eq. 6) and capacity bounds; 1x1
 * convolutions restore the channels and a concatenation on the CPU is where the branches meet. Stem and head stay on
 * the CPU, but in what was released for GPU and DSP.
 *
 * Inside a segment the operators stand in the order of the paper's Algorithm 1: branches of the GPU, which the host only
 * enqueues, with what brings their results back, then of DSP and NPU, then the CPU's own, then the meeting point. The thread that waits for a DSP is pinned to
 * little cores there; here an invocation takes none of the host's time. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/order.h"
#include "plan/lower.h"
#include "policies/choose.h"
#include "policies/policy.h"
#include "policies/single.h"
#include "policies/stretch_released.h"
#include "policies/stretch_search.h"

enum { PROCESSORS, STRUCTURE, SCALING, ALPHA, BETA, RATIO_FLOOR, CAPACITY, N_PARAMS };
enum { SETS = 1 << HS_KIND_N };

static const char *const sets[] = {"auto",        "cpu+gpu",     "cpu+dsp",     "cpu+npu",     "gpu+dsp",         "gpu+npu", "dsp+npu",
                                   "cpu+gpu+dsp", "cpu+gpu+npu", "cpu+dsp+npu", "gpu+dsp+npu", "cpu+gpu+dsp+npu", NULL};
static const char *const structures[] = {"search", "published", NULL};
static const char *const scalings[] = {"both", "depth", "width", NULL};
static const struct hs_param params[N_PARAMS] = {
  [PROCESSORS] = {"processors",
                  "that get a branch; auto: of all sets, and of one processor without branches, what is expected to be fastest, anew for each request",
                  "auto", sets, 0, 0, false},
  [STRUCTURE] = {"structure", "branches by the search, or as released with the paper", "search", structures, 0, 0, false},
  [SCALING] = {"scaling", "dimensions that are scaled (Table 9)", "both", scalings, 0, 0, false},
  [ALPHA] = {"alpha", "communication ÷ duration of a segment, at most (Eq. 4)", "0.1", NULL, 0.01, 100, false},
  [BETA] = {"beta", "duration of a branch ÷ that of the original segment on the fastest processor, at most (Eq. 5)", "1.1", NULL, 0.1, 10, false},
  [RATIO_FLOOR] = {"floor", "least ratio of depth and of width (Sec. 4.3)", "0.5", NULL, 0.1, 1, false},
  /* the released structures have 0.60 to 1.07 times the original's MACs, 0.92 in the median */
  [CAPACITY] = {"capacity", "MACs of a segment's branches ÷ the original's, at least", "0.9", NULL, 0.1, 4, false},
};

/* A network for one set of processors. */
struct stretched {
  unsigned set;
  struct hs_branching branching;
  enum hs_kind ends;      /* where stem and head run */
  struct hs_graph *graph; /* NULL: as it is, whole on the one processor of the set */
  struct hs_placement *placement;
  double seconds;
  bool full; /* every processor of the set has work */
};

static void set_name(unsigned set, char *name, size_t size)
{
  size_t n = 0;
  *name = 0;
  for (int k = 0; k < HS_KIND_N; k++)
    if (set >> k & 1 && n < size) n += (size_t)snprintf(name + n, size - n, "%s%s", n ? "+" : "", hs_kind_names[k]);
}

static void look_at_processors(struct hs_stretch *s)
{
  const struct hs_system *sys = s->v->sys;
  for (int k = 0; k < HS_KIND_N; k++) {
    int p = hs_soc_first(sys->soc, (enum hs_kind)k);
    s->processor[k] = p >= 0 && sys->backends[p].available ? p : -1;
  }
}

/* Has the network the stages, with at least the units, that its name promises? */
static bool is_of(const struct hs_released *r, const struct hs_stages *stages)
{
  if (r->n_stages != stages->n) return false;
  for (int k = 0; k < HS_KIND_N; k++)
    for (int i = 0; i < r->n_stages; i++)
      if (r->branches[k][i].units > stages->stage[i + 1] - stages->stage[i]) return false;
  return true;
}

/* The structure that the authors released for a phone with this SoC; false if there is none. */
static bool released_branching(struct hs_stretch *s, struct stretched *x)
{
  struct hs_branching *out = &x->branching;
  int kinds[HS_KIND_N], n = hs_stretch_kinds(x->set, kinds);
  char name[32];
  set_name(x->set, name, sizeof name);
  const struct hs_released *r = hs_released_find(s->v->sys->soc->name, s->v->graph->name, name);
  if (!r || !is_of(r, s->stages)) return false;
  x->ends = r->ends;
  *out = hs_branching_new(&s->scratch, s->stages->n);
  for (int i = 0; i < out->n; i++) {
    int64_t channels = hs_stages_channels(s->stages, s->v->graph, i + 1);
    out->segments[i] = hs_stages_segment(s->stages, s->v->graph, i, i + 1);
    for (int b = 0; b < n; b++) {
      const struct hs_released_branch *rb = &r->branches[kinds[b]][i]; /* not every stage has one on every processor */
      if (rb->units) hs_branching_add(out, i, kinds[b], &rb->units, (double)rb->width / (double)channels);
    }
    if (r->restored) hs_segment_restore(&out->segments[i], channels);
  }
  return true;
}

/* --- a whole network --- */

static bool place_op(struct hs_stretch *s, const struct hs_graph *g, const struct hs_operator *op, int kind, int chain, struct hs_op_placement *pl)
{
  char why[120];
  int p = s->processor[kind];
  hs_place_whole(pl, p);
  pl->chain = chain;
  if (p >= 0 && hs_system_supports(s->v->sys, g, op, p, why, sizeof why)) return true;
  snprintf(s->why, sizeof s->why, "%.60s on the %s: %.100s", op->name, hs_kind_names[kind], p >= 0 ? why : "there is none");
  return false;
}

static bool is_shared(const struct hs_branching *b, int segment) { return segment < b->n && b->segments[segment].n_branches > 1; }

/* The last operator of what the GPU has of a segment, beside others or before them: what becomes of it is enqueued before the CPU starts its own branch of that
 * segment, and before the GPU's of the next. */
static bool ends_gpu_branch(const struct stretched *x, const struct hs_stretched *at)
{
  const int segment = at[0].segment;
  bool ends = segment != at[1].segment || at[0].branch != at[1].branch;
  if (!ends || segment < 0 || at[0].branch < 0 || x->branching.kinds[segment][at[0].branch] != HS_GPU) return false;
  return is_shared(&x->branching, segment) || is_shared(&x->branching, segment + 1);
}

/* On the idle device; false if it can't run. */
static bool estimate(struct hs_stretch *s, const struct hs_graph *g, struct stretched *x)
{
  struct hs_estimate e;
  struct hs_error err;
  if (hs_placement_check(s->v->sys, g, x->placement, "nn-stretch", &err) || hs_lower_estimate(s->v->sys, g, x->placement, 0, g->n_ops, &e, &err)) {
    snprintf(s->why, sizeof s->why, "%.199s", err.text);
    return false;
  }
  x->seconds = e.latency_s;
  return true;
}

/* Rewrites the graph, places it and estimates it; false if it can't run. */
static bool build(struct hs_stretch *s, struct stretched *x)
{
  struct hs_stretched *origin;
  x->graph = hs_pass_stretch(s->v->graph, &s->stages->units, x->branching.segments, x->branching.n, &origin, &s->scratch, s->why, sizeof s->why);
  if (!x->graph) return false;
  x->placement = hs_placement_new(&s->scratch, x->graph->n_ops);
  bool fits = true;
  for (int i = 0, chain = 0; i < x->graph->n_ops && fits; i++) {
    bool in_branch = origin[i].segment >= 0 && origin[i].branch >= 0, meets = origin[i].segment >= 0;
    int kind = in_branch ? x->branching.kinds[origin[i].segment][origin[i].branch] : meets ? HS_CPU : (int)x->ends;
    if (i && memcmp(&origin[i], &origin[i - 1], sizeof *origin) != 0) chain++;
    fits = place_op(s, x->graph, &x->graph->ops[i], kind, chain, &x->placement->ops[i]);
    x->placement->ops[i].early = i + 1 < x->graph->n_ops && ends_gpu_branch(x, &origin[i]);
  }
  if (fits && estimate(s, x->graph, x)) return true;
  hs_graph_free(x->graph);
  return false;
}

/* At least two processors, all there, and such as the parameter asks for. */
static bool allowed(const struct hs_stretch *s, unsigned set)
{
  const char *wanted = s->v->values[PROCESSORS];
  char name[32];
  for (int k = 0; k < HS_KIND_N; k++)
    if (set >> k & 1 && s->processor[k] < 0) return false;
  set_name(set, name, sizeof name);
  return (set & (set - 1)) && (strcmp(wanted, "auto") == 0 || strcmp(wanted, name) == 0);
}

/* Is there work for every processor of the set? The CPU has stem and head. */
static bool uses_all(const struct stretched *x)
{
  unsigned used = x->set & 1u << HS_CPU;
  for (int i = 0; i < x->branching.n; i++)
    for (int b = 0; b < x->branching.segments[i].n_branches; b++) used |= 1u << x->branching.kinds[i][b];
  return used == x->set;
}

static bool same_branch(const struct hs_segment *a, const struct hs_segment *b, int branch)
{
  const struct hs_stretch_branch *x = &a->branches[branch], *y = &b->branches[branch];
  return x->width == y->width && memcmp(x->kept, y->kept, (size_t)a->n_stages * sizeof *x->kept) == 0;
}

/* The same branches of the same segments, each on the same processor? */
static bool same_network(const struct stretched *x, const struct stretched *y)
{
  if (x->branching.n != y->branching.n || x->ends != y->ends) return false;
  for (int i = 0; i < x->branching.n; i++) {
    const struct hs_segment *a = &x->branching.segments[i], *b = &y->branching.segments[i];
    if (a->n_stages != b->n_stages || a->stage[0] != b->stage[0] || a->n_branches != b->n_branches) return false;
    for (int k = 0; k < a->n_branches; k++)
      if (x->branching.kinds[i][k] != y->branching.kinds[i][k] || !same_branch(a, b, k)) return false;
  }
  return true;
}

/* A set that leaves a processor idle goes where another has its network: one that uses all of its own, or the first. */
static int keep_different(struct stretched *found, int n)
{
  bool goes[SETS] = {false};
  int kept = 0;
  for (int i = 0; i < n; i++)
    for (int k = 0; k < n && !found[i].full; k++) goes[i] |= k != i && (found[k].full || k < i) && same_network(&found[i], &found[k]);
  for (int i = 0; i < n; i++) {
    if (goes[i])
      hs_graph_free(found[i].graph);
    else
      found[kept++] = found[i];
  }
  return kept;
}

/* All sets that the parameter allows, each with its network; how many there are. */
static int stretch_for_sets(struct hs_stretch *s, struct stretched *found)
{
  bool released = strcmp(s->v->values[STRUCTURE], "published") == 0;
  int n = 0;
  for (unsigned set = 1; set < SETS; set++) {
    struct stretched *x = &found[n];
    if (!allowed(s, set)) continue;
    *x = (struct stretched){.set = set};
    if (released && !released_branching(s, x)) continue;
    if (!released) hs_stretch_search(s, set, &x->branching);
    if (!build(s, x)) continue;
    x->full = uses_all(x);
    n++;
  }
  return keep_different(found, n);
}

/* One branch (Table 2: 1 to as many as there are processors), with nothing scaled: the network as it is, on each processor. */
static int leave_unbranched(struct hs_stretch *s, struct stretched *found)
{
  int n = 0;
  for (int k = 0; k < HS_KIND_N; k++) {
    struct stretched *x = &found[n];
    struct hs_error ignored;
    if (s->processor[k] < 0) continue;
    *x = (struct stretched){.set = 1u << k, .placement = hs_placement_new(&s->scratch, s->v->graph->n_ops)};
    if (!hs_plan_single(s->v, s->processor[k], x->placement, &ignored) && estimate(s, s->v->graph, x)) n++;
  }
  return n;
}

static void add_alternative(struct hs_plan *plan, const struct stretched *x)
{
  char name[32];
  set_name(x->set, name, sizeof name);
  struct hs_placement *pl = hs_plan_add(plan, name);
  if (x->graph)
    hs_placement_rewrite(pl, x->graph);
  else
    pl->note = "one branch: the network as it is, expected to be faster than over any set of processors";
  memcpy(pl->ops, x->placement->ops, (size_t)pl->n_ops * sizeof *pl->ops);
}

static enum hs_status none_found(const struct hs_stretch *s, struct hs_error *err)
{
  const char *net = s->v->graph->name, *soc = s->v->sys->soc->name, *wanted = s->v->values[PROCESSORS];
  bool any = false;
  for (unsigned set = 1; set < SETS; set++) any = any || allowed(s, set);
  if (!any)
    return hs_fail(err, HS_USAGE, "policy nn-stretch, processors=%s: %s under runtime %s has no such two processors", wanted, soc,
                   s->v->sys->runtime->name);
  if (!s->stages->n)
    return hs_fail(err, HS_INPUT, "policy nn-stretch: %s has no stages between stem and head that one tensor leads into and out of", net);
  if (strcmp(s->v->values[STRUCTURE], "published") == 0 && !*s->why)
    return hs_fail(err, HS_INPUT, "policy nn-stretch, structure=published: none was released of %s for processors=%s of %s", net, wanted, soc);
  return hs_fail(err, HS_INPUT, "policy nn-stretch: %s can't be stretched over processors=%s of %s: %s", net, wanted, soc, s->why);
}

/* What was released has bounds and dimensions of its own. */
static enum hs_status check_values(const char *const *values, struct hs_error *err)
{
  for (int i = SCALING; i < N_PARAMS && strcmp(values[STRUCTURE], "published") == 0; i++)
    if (hs_param_changed(&params[i], values[i]))
      return hs_fail(err, HS_USAGE, "policy nn-stretch: %s=%s is for a search, and structure=published takes branches as they were released",
                     params[i].name, values[i]);
  return HS_OK;
}

static struct hs_stretch_bounds bounds_of(const struct hs_view *v)
{
  const char *scaled = v->values[SCALING];
  return (struct hs_stretch_bounds){.alpha = strtod(v->values[ALPHA], NULL), .beta = strtod(v->values[BETA], NULL),
                                    .floor = strtod(v->values[RATIO_FLOOR], NULL), .capacity = strtod(v->values[CAPACITY], NULL),
                                    .depth = strcmp(scaled, "width") != 0, .width = strcmp(scaled, "depth") != 0};
}

static enum hs_status plan_nn_stretch(const struct hs_view *v, struct hs_plan *plan, struct hs_error *err)
{
  struct hs_stretch s = {.v = v, .bounds = bounds_of(v)};
  struct stretched found[SETS];
  double seconds[SETS];
  int order[SETS];
  int n = 0;
  HS_TRY(check_values(v->values, err));
  s.stages = hs_stages_find(v->graph, &s.scratch);
  look_at_processors(&s);
  if (s.stages->n) n = stretch_for_sets(&s, found);
  if (n && strcmp(v->values[PROCESSORS], "auto") == 0 && strcmp(v->values[STRUCTURE], "search") == 0) n += leave_unbranched(&s, found + n);
  for (int i = 0; i < n; i++) seconds[i] = found[i].seconds;
  hs_order_by(seconds, n, order);
  for (int i = 0; i < n; i++) add_alternative(plan, &found[order[i]]);
  enum hs_status status = n ? HS_OK : none_found(&s, err);
  hs_arena_free(&s.scratch);
  return status;
}

const struct hs_policy hs_policy_nn_stretch = {.name = "nn-stretch",
                                               .summary = "stretches the network into one with a branch per processor",
                                               .reference = "NN-Stretch (MobiSys 2023), Sec. 4 and 5",
                                               .defaults = {.runtime = "tflite", .precision = HS_INT8},
                                               .params = params,
                                               .n_params = N_PARAMS,
                                               .plan_all = plan_nn_stretch,
                                               .schedule = hs_schedule_fastest};
