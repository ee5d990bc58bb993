/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "policies/stretch_search.h"

#include <assert.h>
#include <gsl/gsl_math.h>

#include "model/comm.h"
#include "plan/lower.h"

enum { RATIOS = 6 };
/* "In proportion" (Eq. 6), of shares of the MACs: the paper gives no number, this is assumed. Doubled until a choice is left. */
static const double BAND = 0.1;

static const enum hs_kind branch_order[HS_KIND_N] = {HS_GPU, HS_DSP, HS_NPU, HS_CPU};

int hs_stretch_kinds(unsigned set, int *kinds)
{
  int n = 0;
  for (int i = 0; i < HS_KIND_N; i++)
    if (set >> branch_order[i] & 1) kinds[n++] = (int)branch_order[i];
  return n;
}

struct hs_branching hs_branching_new(struct hs_arena *a, int n)
{
  struct hs_branching b = {n, HS_NEW_ARRAY(a, struct hs_segment, (size_t)n), hs_arena_alloc_array(a, (size_t)n, sizeof *b.kinds)};
  return b;
}

void hs_branching_add(struct hs_branching *x, int segment, int kind, const int *kept, double width)
{
  struct hs_segment *seg = &x->segments[segment];
  x->kinds[segment][seg->n_branches] = kind;
  seg->branches[seg->n_branches++] = (struct hs_stretch_branch){kept, width, 0, true};
}

/* A scaling of a segment and what it costs as a branch. */
struct candidate {
  double depth, width;
  int *kept;
  double macs;
  double seconds[HS_KIND_N]; /* communication included; INFINITY: can't run there */
};

/* All scalings of the stages [first, last) when there are n_branches. */
struct scalings {
  int first, last, n_branches, n;
  struct candidate *at;
  struct scalings *next;
};

struct hs_stretch_costs {
  double (*stage_s)[HS_KIND_N]; /* [stage]: the original, computation only */
  double *stage_macs;
  struct scalings *known;
};

/* --- what the processors can do with the original --- */

/* The stages as they are, one branch each. Groups are written out as convolutions of their own, here and in every plan: so are the graphs
 * of the release, whose TensorFlow Lite has grouped convolutions on the CPU alone, and slow ones. The caller frees the graph. */
static struct hs_graph *original_stages(struct hs_stretch *s, struct hs_stretched **origin)
{
  struct hs_segment *stages = HS_NEW_ARRAY(&s->scratch, struct hs_segment, (size_t)s->stages->n);
  int *units = HS_NEW_ARRAY(&s->scratch, int, (size_t)s->stages->n);
  for (int i = 0; i < s->stages->n; i++) {
    units[i] = s->stages->stage[i + 1] - s->stages->stage[i];
    stages[i] = (struct hs_segment){1, s->stages->stage + i, 1, 1, {{&units[i], 1, 0, true}}};
  }
  struct hs_graph *g = hs_pass_stretch(s->v->graph, &s->stages->units, stages, s->stages->n, origin, &s->scratch, s->why, sizeof s->why);
  assert(g); /* all units and channels stay, so every operator takes its shapes */
  return g;
}

static void cost_stages(struct hs_stretch *s)
{
  struct hs_stretch_costs *costs = s->costs = HS_NEW(&s->scratch, struct hs_stretch_costs);
  costs->stage_s = hs_arena_alloc_array(&s->scratch, (size_t)s->stages->n, sizeof *costs->stage_s);
  costs->stage_macs = HS_NEW_ARRAY(&s->scratch, double, (size_t)s->stages->n);
  struct hs_stretched *origin;
  struct hs_graph *g = original_stages(s, &origin);
  for (int i = 0; i < g->n_ops; i++) {
    int stage = origin[i].segment;
    if (stage < 0) continue;
    costs->stage_macs[stage] += g->ops[i].macs;
    for (int k = 0; k < HS_KIND_N; k++) {
      bool runs = s->processor[k] >= 0 && hs_system_supports(s->v->sys, g, &g->ops[i], s->processor[k], NULL, 0);
      costs->stage_s[stage][k] += runs ? hs_cost_seconds(s->v->sys, g, &g->ops[i], s->processor[k], -1) : INFINITY;
    }
  }
  hs_graph_free(g);
}

static double original_s(const struct hs_stretch *s, int first, int last, int kind)
{
  double sum = 0;
  for (int stage = first; stage < last; stage++) sum += s->costs->stage_s[stage][kind];
  return sum;
}

static double fastest_s(const struct hs_stretch *s, int first, int last, unsigned set)
{
  double best = INFINITY;
  for (int k = 0; k < HS_KIND_N; k++)
    if (set >> k & 1) best = GSL_MIN(best, original_s(s, first, last, k));
  return best;
}

static double macs_of(const struct hs_stretch *s, int first, int last)
{
  double sum = 0;
  for (int stage = first; stage < last; stage++) sum += s->costs->stage_macs[stage];
  return sum;
}

static int64_t channels_at(const struct hs_stretch *s, int stage) { return hs_stages_channels(s->stages, s->v->graph, stage); }

/* --- scalings of a segment --- */

static bool fits_slice(const struct hs_stretch *s, const struct hs_graph *g, int from, int to, int p)
{
  struct hs_op_placement whole;
  for (int i = from; i < to; i++)
    if (!hs_system_supports(s->v->sys, g, &g->ops[i], p, NULL, 0)) return false;
  hs_place_whole(&whole, p);
  return hs_slice_holds(s->v->sys, g, from, to - from, &whole);
}

/* Operators [from, to) on p, with what it takes to bring their input there and their result back. */
static double piece_seconds(const struct hs_stretch *s, const struct hs_graph *g, struct hs_placement *pl, int from, int to, int p)
{
  struct hs_estimate e;
  struct hs_error ignored;
  if (!fits_slice(s, g, from, to, p)) return INFINITY;
  for (int i = from; i < to; i++) {
    hs_place_whole(&pl->ops[i], p);
    pl->ops[i].chain = 0;
  }
  return hs_lower_estimate(s->v->sys, g, pl, from, to, &e, &ignored) ? INFINITY : e.latency_s;
}

/* What a program takes to begin on a CPU or GPU, once, however many segments are there; each on a DSP or NPU is an invocation, and has that in its cost. */
static double start_s(const struct hs_stretch *s, int kind)
{
  bool once = !hs_kind_is_remote((enum hs_kind)kind);
  return once && s->processor[kind] >= 0 ? hs_cost_start_seconds(s->v->sys, s->processor[kind], -1) : 0;
}

/* Fills what the candidate costs on each processor that has begun, brought to so many channels at its end; INFINITY where it can't run. */
static void cost_candidate(struct hs_stretch *s, const struct scalings *sc, struct candidate *c, int64_t restored)
{
  for (int k = 0; k < HS_KIND_N; k++) c->seconds[k] = INFINITY;
  struct hs_stretched *origin;
  struct hs_arena a = {0};
  struct hs_segment seg = hs_stages_segment(s->stages, s->v->graph, sc->first, sc->last);
  seg.n_branches = 1;
  seg.branches[0] = (struct hs_stretch_branch){c->kept, c->width, restored, true};
  struct hs_graph *g = hs_pass_stretch(s->v->graph, &s->stages->units, &seg, 1, &origin, &a, s->why, sizeof s->why);
  if (g) {
    struct hs_placement *pl = hs_placement_new(&a, g->n_ops);
    int from = 0, to = g->n_ops;
    while (origin[from].segment < 0) from++;
    while (origin[to - 1].segment < 0) to--;
    c->macs = 0;
    for (int i = from; i < to; i++) c->macs += g->ops[i].macs;
    for (int k = 0; k < HS_KIND_N; k++)
      if (s->processor[k] >= 0) c->seconds[k] = piece_seconds(s, g, pl, from, to, s->processor[k]) - start_s(s, k);
  }
  hs_graph_free(g);
  hs_arena_free(&a);
}

static double ratio(const struct hs_stretch *s, int i) { return 1 - i * (1 - s->bounds.floor) / (RATIOS - 1); }

/* Units that stay, per stage; false if the last candidate of this width keeps the same ones. */
static bool keep_units(struct hs_stretch *s, const struct scalings *sc, struct candidate *c)
{
  const struct candidate *before = sc->n ? &sc->at[sc->n - 1] : NULL;
  bool differs = !before || before->width != c->width;
  c->kept = HS_NEW_ARRAY(&s->scratch, int, (size_t)(sc->last - sc->first));
  for (int stage = sc->first; stage < sc->last; stage++) {
    int units = s->stages->stage[stage + 1] - s->stages->stage[stage], *kept = &c->kept[stage - sc->first];
    *kept = GSL_MAX((int)ceil(c->depth * units - 1e-9), 1);
    differs = differs || before->kept[stage - sc->first] != *kept;
  }
  return differs;
}

static const struct scalings *scalings_of(struct hs_stretch *s, int first, int last, int n_branches)
{
  for (struct scalings *k = s->costs->known; k; k = k->next)
    if (k->first == first && k->last == last && k->n_branches == n_branches) return k;
  struct scalings *sc = HS_NEW(&s->scratch, struct scalings);
  *sc = (struct scalings){first, last, n_branches, 0, HS_NEW_ARRAY(&s->scratch, struct candidate, RATIOS * RATIOS), s->costs->known};
  s->costs->known = sc;
  for (int w = 0; w < RATIOS; w++)
    for (int d = 0; d < RATIOS; d++) {
      struct candidate *c = &sc->at[sc->n];
      *c = (struct candidate){.depth = ratio(s, d), .width = ratio(s, w)};
      if (!keep_units(s, sc, c)) continue;
      cost_candidate(s, sc, c, GSL_MAX(channels_at(s, sc->last) / sc->n_branches, 1));
      sc->n++;
    }
  return sc;
}

/* --- the choice for a segment --- */

struct choice {
  const struct candidate *of[HS_STRETCH_BRANCHES_MAX];
  double seconds, macs;
};

struct chooser {
  struct hs_stretch *s;
  const struct scalings *sc;
  const int *kinds;
  const double *yet_s;                   /* [kind]: what it takes to begin there, where no segment before has */
  double straggler_s, least_macs, band; /* Eq. 5, capacity, Eq. 6 */
  double share[HS_STRETCH_BRANCHES_MAX]; /* of the throughput */
  struct choice now, best;
};

static double branch_s(const struct chooser *ch, const struct candidate *c, int kind) { return c->seconds[kind] + ch->yet_s[kind]; }

/* Only what may be scaled; and the CPU's branch is the deep and narrow one. */
static bool scales_so(const struct chooser *ch, const struct candidate *c, int kind, int n)
{
  const struct hs_stretch_bounds *bounds = &ch->s->bounds;
  if ((c->depth < 1 && !bounds->depth) || (c->width < 1 && !bounds->width)) return false;
  for (int b = 0; b < n; b++) /* the CPU comes last */
    if (kind == HS_CPU && (c->depth < ch->now.of[b]->depth || c->width > ch->now.of[b]->width)) return false;
  return true;
}

static bool in_proportion(const struct chooser *ch)
{
  for (int b = 0; b < ch->sc->n_branches; b++)
    if (fabs(ch->now.of[b]->macs / ch->now.macs - ch->share[b]) > ch->band) return false;
  return true;
}

/* Are the bounds kept by what would be built? Candidates are costed with equal shares of the result's channels, branches bring theirs by their widths. */
static bool holds_as_built(const struct chooser *ch)
{
  struct hs_segment seg = {.n_branches = ch->sc->n_branches};
  double macs = 0;
  for (int b = 0; b < seg.n_branches; b++) seg.branches[b].width = ch->now.of[b]->width;
  hs_segment_restore(&seg, channels_at(ch->s, ch->sc->last));
  for (int b = 0; b < seg.n_branches; b++) {
    struct candidate built = *ch->now.of[b];
    cost_candidate(ch->s, ch->sc, &built, seg.branches[b].restored);
    if (branch_s(ch, &built, ch->kinds[b]) > ch->straggler_s) return false;
    macs += built.macs;
  }
  return macs >= ch->least_macs;
}

static void choose_branch(struct chooser *ch, int b)
{
  if (b == ch->sc->n_branches) {
    bool better = ch->now.seconds < ch->best.seconds || (ch->now.seconds == ch->best.seconds && ch->now.macs > ch->best.macs);
    if (better && ch->now.macs >= ch->least_macs && in_proportion(ch) && holds_as_built(ch)) ch->best = ch->now;
    return;
  }
  const struct choice before = ch->now;
  for (int i = 0; i < ch->sc->n; i++) {
    const struct candidate *c = &ch->sc->at[i];
    double seconds = branch_s(ch, c, ch->kinds[b]);
    if (seconds > ch->straggler_s || seconds > ch->best.seconds || !scales_so(ch, c, ch->kinds[b], b)) continue;
    ch->now.of[b] = c;
    ch->now.seconds = GSL_MAX(before.seconds, seconds);
    ch->now.macs = before.macs + c->macs;
    choose_branch(ch, b + 1);
    ch->now = before;
  }
}

/* The fastest choice within all bounds; "in proportion" gives way first, as Eq. 6 asks for no more than about. None without a channel for each branch. */
static struct choice choose(struct hs_stretch *s, const struct scalings *sc, const int *kinds, const double *yet_s, unsigned set)
{
  struct chooser ch = {.s = s, .sc = sc, .kinds = kinds, .yet_s = yet_s, .best = {.seconds = INFINITY}};
  double total = 0;
  if (channels_at(s, sc->last) < sc->n_branches) return ch.best;
  ch.straggler_s = s->bounds.beta * fastest_s(s, sc->first, sc->last, set);
  ch.least_macs = s->bounds.capacity * macs_of(s, sc->first, sc->last);
  for (int b = 0; b < sc->n_branches; b++) total += 1 / original_s(s, sc->first, sc->last, kinds[b]);
  for (int b = 0; b < sc->n_branches; b++) ch.share[b] = 1 / original_s(s, sc->first, sc->last, kinds[b]) / total;
  for (ch.band = BAND; ch.band < 2 && ch.best.seconds == INFINITY; ch.band *= 2) choose_branch(&ch, 0); /* shares differ by 1 at most */
  return ch.best;
}

/* --- segments --- */

/* Eq. 4: bringing the input to the slowest to reach of the set, invoking it, and its share of the result back. */
static bool amortised(const struct hs_stretch *s, int first, int last, unsigned set, int n)
{
  const struct hs_graph *g = s->v->graph;
  const int *tensor = s->stages->units.tensor, *stage = s->stages->stage;
  double in = (double)hs_shape_elements(&g->tensors[tensor[stage[first]]].shape), most = 0;
  double out = (double)hs_shape_elements(&g->tensors[tensor[stage[last]]].shape);
  for (int k = 0; k < HS_KIND_N; k++) {
    if (!(set >> k & 1) || k == HS_CPU) continue;
    double there = hs_comm_transfer(s->v->sys, s->processor[k], false, in).seconds;
    if (hs_kind_is_remote((enum hs_kind)k)) there += hs_cost_start_seconds(s->v->sys, s->processor[k], -1); /* each time; a program has one of a GPU's */
    most = GSL_MAX(most, there + hs_comm_transfer(s->v->sys, s->processor[k], true, out / n).seconds);
  }
  return most <= s->bounds.alpha * fastest_s(s, first, last, set);
}

/* Stages at which segments begin: as many as amortise their communication; the last one takes what is left over. */
static int find_segments(const struct hs_stretch *s, unsigned set, int n_branches, int *starts)
{
  int n = 0, first = 0;
  for (int stage = 0; stage < s->stages->n; stage++)
    if (amortised(s, first, stage + 1, set, n_branches)) {
      starts[n++] = first;
      first = stage + 1;
    }
  if (n == 0) starts[n++] = 0;
  starts[n] = s->stages->n;
  return n;
}

/* A segment that nothing can be gained from runs whole, with nothing to restore, on the fastest of the set; on the CPU, as stem and head, where none can. */
static void leave_whole(struct hs_stretch *s, const struct scalings *sc, const double *yet_s, unsigned set, struct hs_branching *x, int segment)
{
  struct candidate whole = sc->at[0];
  cost_candidate(s, sc, &whole, 0);
  double best_s = INFINITY;
  int best = HS_CPU;
  for (int k = 0; k < HS_KIND_N; k++) {
    if (!(set >> k & 1) || whole.seconds[k] + yet_s[k] >= best_s) continue;
    best_s = whole.seconds[k] + yet_s[k];
    best = k;
  }
  hs_branching_add(x, segment, best, whole.kept, 1);
}

void hs_stretch_search(struct hs_stretch *s, unsigned set, struct hs_branching *out)
{
  int kinds[HS_KIND_N], n = hs_stretch_kinds(set, kinds), *starts = HS_NEW_ARRAY(&s->scratch, int, (size_t)s->stages->n + 1);
  double yet_s[HS_KIND_N] = {[HS_GPU] = start_s(s, HS_GPU)}; /* the CPU has begun with the stem */
  if (!s->costs) cost_stages(s);
  *out = hs_branching_new(&s->scratch, find_segments(s, set, n, starts));
  for (int i = 0; i < out->n; i++) {
    const struct scalings *sc = scalings_of(s, starts[i], starts[i + 1], n);
    out->segments[i] = hs_stages_segment(s->stages, s->v->graph, sc->first, sc->last);
    struct choice best = choose(s, sc, kinds, yet_s, set);
    if (best.seconds == INFINITY) {
      leave_whole(s, sc, yet_s, set, out, i);
    } else {
      for (int b = 0; b < n; b++) hs_branching_add(out, i, kinds[b], best.of[b]->kept, best.of[b]->width);
      hs_segment_restore(&out->segments[i], channels_at(s, sc->last));
    }
    for (int b = 0; b < out->segments[i].n_branches; b++) yet_s[out->kinds[i][b]] = 0;
  }
}
