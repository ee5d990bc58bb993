/* SPDX-License-Identifier: GPL-3.0-or-later */
/* NN-Stretch: a sequential network becomes one with a branch per processor. Its stages are segments, joined where
 * communication would not be amortised (Eq. 4); each segment is duplicated, every copy scaled in depth and width for its
 * processor within the straggler bound (Eq. 5), work in proportion to throughput (Eq. 6) and capacity bounds; 1x1
 * convolutions restore the channels and a concatenation on the CPU is where the branches meet. Stem and head stay on
 * the CPU.
 *
 * Inside a segment the operators stand in the order of the paper's Algorithm 1: branches of the GPU, which the host only
 * enqueues, with what brings their results back, then of DSP and NPU, then the CPU's own, then the meeting point. The thread that waits for a DSP is pinned to
 * little cores there; here an invocation takes none of the host's time. */
#include <gsl/gsl_math.h>
#include <gsl/gsl_sort.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/comm.h"
#include "plan/lower.h"
#include "policies/choose.h"
#include "policies/policy.h"
#include "policies/stretch_released.h"
#include "policies/stretch_units.h"

enum { PROCESSORS, STRUCTURE, SCALING, ALPHA, BETA, RATIO_FLOOR, CAPACITY, N_PARAMS };
enum { SETS = 1 << HS_KIND_N, RATIOS = 6, REASON = 200 };

static const enum hs_kind branch_order[HS_KIND_N] = {HS_GPU, HS_DSP, HS_NPU, HS_CPU};

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

struct search {
  const struct hs_view *v;
  struct hs_arena scratch;
  const struct hs_stages *stages;
  int processor[HS_KIND_N];      /* first of each kind that the runtime can use, or -1 */
  double (*stage_s)[HS_KIND_N];  /* [stage]: the original, computation only */
  double *stage_macs;
  double alpha, beta, floor, capacity;
  struct scalings *known;
  char why[REASON]; /* the last thing that couldn't be */
};

/* A network for one set of processors. */
struct stretched {
  unsigned set;
  int n_segments;
  struct hs_segment *segments;
  const int (*kinds)[HS_STRETCH_BRANCHES_MAX]; /* [segment][branch] */
  struct hs_graph *graph;
  struct hs_placement *placement;
  double seconds;
  bool full; /* every processor of the set has work */
};

static int kinds_of(unsigned set, int *kinds)
{
  int n = 0;
  for (int i = 0; i < HS_KIND_N; i++)
    if (set >> branch_order[i] & 1) kinds[n++] = (int)branch_order[i];
  return n;
}

static void set_name(unsigned set, char *name, size_t size)
{
  size_t n = 0;
  *name = 0;
  for (int k = 0; k < HS_KIND_N; k++)
    if (set >> k & 1 && n < size) n += (size_t)snprintf(name + n, size - n, "%s%s", n ? "+" : "", hs_kind_names[k]);
}

/* --- what the processors can do with the original --- */

static void look_at_processors(struct search *s)
{
  const struct hs_system *sys = s->v->sys;
  for (int k = 0; k < HS_KIND_N; k++) {
    int p = hs_soc_first(sys->soc, (enum hs_kind)k);
    s->processor[k] = p >= 0 && sys->backends[p].available ? p : -1;
  }
}

/* Durations of the stages as they are. Groups are written out as convolutions of their own, here and in every plan: so are the graphs
 * of the release, whose TensorFlow Lite has grouped convolutions on the CPU alone, and slow ones. */
static void cost_stages(struct search *s, double (*stage_s)[HS_KIND_N])
{
  struct hs_segment *stages = HS_NEW_ARRAY(&s->scratch, struct hs_segment, (size_t)s->stages->n);
  int *units = HS_NEW_ARRAY(&s->scratch, int, (size_t)s->stages->n);
  struct hs_stretched *origin;
  for (int i = 0; i < s->stages->n; i++) {
    units[i] = s->stages->stage[i + 1] - s->stages->stage[i];
    stages[i] = (struct hs_segment){1, s->stages->stage + i, 1, 1, {{&units[i], 1, 0, true}}};
    s->stage_macs[i] = 0;
  }
  struct hs_graph *g = hs_pass_stretch(s->v->graph, &s->stages->units, stages, s->stages->n, &origin, &s->scratch, s->why, sizeof s->why);
  for (int i = 0; i < g->n_ops; i++) {
    int stage = origin[i].segment;
    if (stage < 0) continue;
    s->stage_macs[stage] += g->ops[i].macs;
    for (int k = 0; k < HS_KIND_N; k++) {
      bool runs = s->processor[k] >= 0 && hs_system_supports(s->v->sys, g, &g->ops[i], s->processor[k], NULL, 0);
      stage_s[stage][k] += runs ? hs_cost_seconds(s->v->sys, g, &g->ops[i], s->processor[k], -1) : INFINITY;
    }
  }
  hs_graph_free(g);
}

static void look_at_stages(struct search *s)
{
  size_t n = (size_t)s->stages->n;
  s->stage_s = hs_arena_alloc_array(&s->scratch, n, sizeof *s->stage_s);
  s->stage_macs = HS_NEW_ARRAY(&s->scratch, double, n);
  cost_stages(s, s->stage_s);
}

static double original_s(const struct search *s, int first, int last, int kind)
{
  double sum = 0;
  for (int stage = first; stage < last; stage++) sum += s->stage_s[stage][kind];
  return sum;
}

static double fastest_s(const struct search *s, int first, int last, unsigned set)
{
  double best = INFINITY;
  for (int k = 0; k < HS_KIND_N; k++)
    if (set >> k & 1) best = GSL_MIN(best, original_s(s, first, last, k));
  return best;
}

static double macs_of(const struct search *s, int first, int last)
{
  double sum = 0;
  for (int stage = first; stage < last; stage++) sum += s->stage_macs[stage];
  return sum;
}

static int64_t channels_at(const struct search *s, int stage)
{
  return hs_shape_channels(&s->v->graph->tensors[s->stages->units.tensor[s->stages->stage[stage]]].shape);
}

/* Kernels take channels by eights; a grouped convolution whole groups. */
static int64_t grain_of(const struct search *s, int first, int last)
{
  const struct hs_units *u = &s->stages->units;
  int64_t grain = 8;
  for (int i = u->first[s->stages->stage[first]]; i < u->first[s->stages->stage[last]]; i++) {
    const struct hs_operator *op = &s->v->graph->ops[i];
    if (op->class == HS_CLASS_GROUPED && op->at.channels / op->at.group > grain) grain = op->at.channels / op->at.group;
  }
  return grain;
}

static struct hs_segment segment_of(const struct search *s, int first, int last, int n_branches)
{
  return (struct hs_segment){.n_stages = last - first, .stage = s->stages->stage + first, .grain = grain_of(s, first, last),
                             .n_branches = n_branches};
}

/* --- scalings of a segment --- */

static bool fits_slice(const struct search *s, const struct hs_graph *g, int from, int to, int p)
{
  double bytes = 0, limit = s->v->sys->soc->processors[p].slice_limit_bytes;
  for (int i = from; i < to; i++) {
    if (!hs_system_supports(s->v->sys, g, &g->ops[i], p, NULL, 0)) return false;
    bytes += hs_slice_bytes(s->v->sys, g, &g->ops[i], p);
  }
  return limit <= 0 || bytes <= limit;
}

/* Operators [from, to) on p, with what it takes to bring their input there and their result back. */
static double piece_seconds(const struct search *s, const struct hs_graph *g, struct hs_placement *pl, int from, int to, int p)
{
  struct hs_program *prog;
  struct hs_estimate e;
  struct hs_error ignored;
  if (!fits_slice(s, g, from, to, p)) return INFINITY;
  for (int i = from; i < to; i++) {
    hs_place_whole(&pl->ops[i], p);
    pl->ops[i].chain = 0;
  }
  if (hs_lower_piece(s->v->sys, g, pl, from, to, &prog, &ignored)) return INFINITY;
  hs_estimate_program(s->v->sys, prog, &e, NULL, NULL);
  hs_program_free(prog);
  return e.latency_s;
}

/* Fills what the candidate costs on each processor. */
static void cost_candidate(struct search *s, const struct scalings *sc, struct candidate *c)
{
  struct hs_stretched *origin;
  struct hs_arena a = {0};
  struct hs_segment seg = segment_of(s, sc->first, sc->last, 1);
  seg.branches[0] = (struct hs_stretch_branch){c->kept, c->width, GSL_MAX(channels_at(s, sc->last) / sc->n_branches, 1), true};
  struct hs_graph *g = hs_pass_stretch(s->v->graph, &s->stages->units, &seg, 1, &origin, &a, s->why, sizeof s->why);
  if (g) {
    struct hs_placement *pl = hs_placement_new(&a, g->n_ops);
    int from = 0, to = g->n_ops;
    while (origin[from].segment < 0) from++;
    while (origin[to - 1].segment < 0) to--;
    c->macs = 0;
    for (int i = from; i < to; i++) c->macs += g->ops[i].macs;
    for (int k = 0; k < HS_KIND_N; k++)
      if (s->processor[k] >= 0) c->seconds[k] = piece_seconds(s, g, pl, from, to, s->processor[k]);
  }
  hs_graph_free(g);
  hs_arena_free(&a);
}

static double ratio(const struct search *s, int i) { return 1 - i * (1 - s->floor) / (RATIOS - 1); }

/* Units that stay, per stage; false if the last candidate of this width keeps the same ones. */
static bool keep_units(struct search *s, const struct scalings *sc, struct candidate *c)
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

static const struct scalings *scalings_of(struct search *s, int first, int last, int n_branches)
{
  for (struct scalings *k = s->known; k; k = k->next)
    if (k->first == first && k->last == last && k->n_branches == n_branches) return k;
  struct scalings *sc = HS_NEW(&s->scratch, struct scalings);
  *sc = (struct scalings){first, last, n_branches, 0, HS_NEW_ARRAY(&s->scratch, struct candidate, RATIOS * RATIOS), s->known};
  s->known = sc;
  for (int w = 0; w < RATIOS; w++)
    for (int d = 0; d < RATIOS; d++) {
      struct candidate *c = &sc->at[sc->n];
      *c = (struct candidate){.depth = ratio(s, d), .width = ratio(s, w)};
      if (!keep_units(s, sc, c)) continue;
      for (int k = 0; k < HS_KIND_N; k++) c->seconds[k] = INFINITY;
      cost_candidate(s, sc, c);
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
  const struct search *s;
  const struct scalings *sc;
  const int *kinds;
  double straggler_s, least_macs, band; /* Eq. 5, capacity, Eq. 6 */
  double share[HS_STRETCH_BRANCHES_MAX]; /* of the throughput */
  struct choice now, best;
};

/* Words of the parameter `scaling`: which dimensions are scaled. With both, the CPU's branch is the deep and narrow one. */
static bool scales_so(const struct chooser *ch, const struct candidate *c, int kind, int n)
{
  const char *how = ch->s->v->values[SCALING];
  if (strcmp(how, "depth") == 0 && c->width < 1) return false;
  if (strcmp(how, "width") == 0 && c->depth < 1) return false;
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

static void choose_branch(struct chooser *ch, int b)
{
  if (b == ch->sc->n_branches) {
    bool better = ch->now.seconds < ch->best.seconds || (ch->now.seconds == ch->best.seconds && ch->now.macs > ch->best.macs);
    if (better && ch->now.macs >= ch->least_macs && in_proportion(ch)) ch->best = ch->now;
    return;
  }
  const struct choice before = ch->now;
  for (int i = 0; i < ch->sc->n; i++) {
    const struct candidate *c = &ch->sc->at[i];
    double seconds = c->seconds[ch->kinds[b]];
    if (seconds > ch->straggler_s || seconds > ch->best.seconds || !scales_so(ch, c, ch->kinds[b], b)) continue;
    ch->now.of[b] = c;
    ch->now.seconds = GSL_MAX(before.seconds, seconds);
    ch->now.macs = before.macs + c->macs;
    choose_branch(ch, b + 1);
    ch->now = before;
  }
}

/* The fastest choice within all bounds; "in proportion" gives way first, as Eq. 6 asks for no more than about. */
static struct choice choose(struct search *s, const struct scalings *sc, const int *kinds, unsigned set)
{
  struct chooser ch = {.s = s, .sc = sc, .kinds = kinds, .best = {.seconds = INFINITY}};
  double total = 0;
  ch.straggler_s = s->beta * fastest_s(s, sc->first, sc->last, set);
  ch.least_macs = s->capacity * macs_of(s, sc->first, sc->last);
  for (int b = 0; b < sc->n_branches; b++) total += 1 / original_s(s, sc->first, sc->last, kinds[b]);
  for (int b = 0; b < sc->n_branches; b++) ch.share[b] = 1 / original_s(s, sc->first, sc->last, kinds[b]) / total;
  for (ch.band = 0.1; ch.band < 2 && ch.best.seconds == INFINITY; ch.band *= 2) choose_branch(&ch, 0);
  return ch.best;
}

/* --- segments --- */

/* Eq. 4: bringing the input to the slowest to reach of the set, and its share of the result back. */
static bool amortised(const struct search *s, int first, int last, unsigned set, int n)
{
  const struct hs_graph *g = s->v->graph;
  const int *tensor = s->stages->units.tensor, *stage = s->stages->stage;
  double in = (double)hs_shape_elements(&g->tensors[tensor[stage[first]]].shape), most = 0;
  double out = (double)hs_shape_elements(&g->tensors[tensor[stage[last]]].shape);
  for (int k = 0; k < HS_KIND_N; k++) {
    if (!(set >> k & 1) || k == HS_CPU) continue;
    double there = hs_comm_transfer(s->v->sys, s->processor[k], false, in).seconds;
    most = GSL_MAX(most, there + hs_comm_transfer(s->v->sys, s->processor[k], true, out / n).seconds);
  }
  return most <= s->alpha * fastest_s(s, first, last, set);
}

/* Stages at which segments begin: as many as amortise their communication; the last one takes what is left over. */
static int find_segments(const struct search *s, unsigned set, int n_branches, int *starts)
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

/* Channels of the branches that add up to the original's, in proportion to what they have. */
static void restore_channels(const struct search *s, struct hs_segment *seg, int last)
{
  int64_t left = channels_at(s, last);
  double widths = 0;
  for (int b = 0; b < seg->n_branches; b++) widths += seg->branches[b].width;
  for (int b = 0; b < seg->n_branches; b++) {
    struct hs_stretch_branch *br = &seg->branches[b];
    int64_t n = (int64_t)((double)left * br->width / widths / 8 + 0.5) * 8;
    br->restored = b + 1 == seg->n_branches || n < 1 || n >= left ? left / (seg->n_branches - b) : n;
    if (b + 1 == seg->n_branches) br->restored = left;
    left -= br->restored;
    widths -= br->width;
  }
}

/* A segment that nothing can be gained from runs whole on the fastest of the set; on the CPU, as stem and head, where none can. */
static void leave_whole(const struct scalings *sc, unsigned set, struct hs_segment *seg, int *kinds)
{
  const struct candidate *whole = &sc->at[0];
  double best_s = INFINITY;
  int best = HS_CPU;
  for (int k = 0; k < HS_KIND_N; k++) {
    if (!(set >> k & 1) || whole->seconds[k] >= best_s) continue;
    best_s = whole->seconds[k];
    best = k;
  }
  seg->n_branches = 1;
  seg->branches[0] = (struct hs_stretch_branch){whole->kept, 1, 0, true};
  kinds[0] = best;
}

static void search_segments(struct search *s, struct stretched *x)
{
  int kinds[HS_KIND_N], n = kinds_of(x->set, kinds), *starts = HS_NEW_ARRAY(&s->scratch, int, (size_t)s->stages->n + 1);
  int (*kinds_at)[HS_STRETCH_BRANCHES_MAX];
  x->n_segments = find_segments(s, x->set, n, starts);
  x->segments = HS_NEW_ARRAY(&s->scratch, struct hs_segment, (size_t)x->n_segments);
  kinds_at = hs_arena_alloc_array(&s->scratch, (size_t)x->n_segments, sizeof *kinds_at);
  for (int i = 0; i < x->n_segments; i++) {
    struct hs_segment *seg = &x->segments[i];
    const struct scalings *sc = scalings_of(s, starts[i], starts[i + 1], n);
    *seg = segment_of(s, sc->first, sc->last, n);
    struct choice best = choose(s, sc, kinds, x->set);
    memcpy(kinds_at[i], kinds, (size_t)n * sizeof *kinds);
    if (best.seconds == INFINITY) {
      leave_whole(sc, x->set, seg, kinds_at[i]);
      continue;
    }
    for (int b = 0; b < n; b++) seg->branches[b] = (struct hs_stretch_branch){best.of[b]->kept, best.of[b]->width, 0, true};
    restore_channels(s, seg, sc->last);
  }
  x->kinds = (const int (*)[HS_STRETCH_BRANCHES_MAX])kinds_at;
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
static bool released_segments(struct search *s, struct stretched *x)
{
  int kinds[HS_KIND_N], n = kinds_of(x->set, kinds), (*kinds_at)[HS_STRETCH_BRANCHES_MAX];
  char name[32];
  set_name(x->set, name, sizeof name);
  const struct hs_released *r = hs_released_find(s->v->sys->soc->name, s->v->graph->name, name);
  if (!r || !is_of(r, s->stages)) return false;
  x->n_segments = s->stages->n;
  x->segments = HS_NEW_ARRAY(&s->scratch, struct hs_segment, (size_t)x->n_segments);
  kinds_at = hs_arena_alloc_array(&s->scratch, (size_t)x->n_segments, sizeof *kinds_at);
  for (int i = 0; i < x->n_segments; i++) {
    struct hs_segment *seg = &x->segments[i];
    *seg = segment_of(s, i, i + 1, 0);
    for (int b = 0; b < n; b++) {
      const struct hs_released_branch *rb = &r->branches[kinds[b]][i];
      if (!rb->units) continue; /* not every stage has a branch on every processor */
      kinds_at[i][seg->n_branches] = kinds[b];
      double width = (double)rb->width / (double)channels_at(s, i + 1);
      seg->branches[seg->n_branches++] = (struct hs_stretch_branch){&rb->units, width, 0, true};
    }
    if (r->restored) restore_channels(s, seg, i + 1);
  }
  x->kinds = (const int (*)[HS_STRETCH_BRANCHES_MAX])kinds_at;
  return true;
}

/* --- a whole network --- */

static bool place_op(struct search *s, const struct hs_graph *g, const struct hs_operator *op, int kind, int chain, struct hs_op_placement *pl)
{
  char why[120];
  int p = s->processor[kind];
  hs_place_whole(pl, p);
  pl->chain = chain;
  if (p >= 0 && hs_system_supports(s->v->sys, g, op, p, why, sizeof why)) return true;
  snprintf(s->why, sizeof s->why, "%.60s on the %s: %.100s", op->name, hs_kind_names[kind], p >= 0 ? why : "there is none");
  return false;
}

/* The last operator of a branch beside others, on the GPU: what becomes of it is enqueued before the CPU starts its own branch. */
static bool ends_gpu_branch(const struct stretched *x, const struct hs_stretched *at)
{
  bool ends = at[0].segment != at[1].segment || at[0].branch != at[1].branch;
  if (!ends || at[0].segment < 0 || at[0].branch < 0) return false;
  return x->segments[at[0].segment].n_branches > 1 && x->kinds[at[0].segment][at[0].branch] == HS_GPU;
}

/* Rewrites the graph, places it and estimates it; false if it can't run. */
static bool build(struct search *s, struct stretched *x)
{
  struct hs_stretched *origin;
  struct hs_program *prog;
  struct hs_estimate e;
  struct hs_error err;
  x->graph = hs_pass_stretch(s->v->graph, &s->stages->units, x->segments, x->n_segments, &origin, &s->scratch, s->why, sizeof s->why);
  if (!x->graph) return false;
  x->placement = hs_placement_new(&s->scratch, x->graph->n_ops);
  bool fits = true;
  for (int i = 0, chain = 0; i < x->graph->n_ops && fits; i++) {
    bool in_branch = origin[i].segment >= 0 && origin[i].branch >= 0;
    if (i && memcmp(&origin[i], &origin[i - 1], sizeof *origin) != 0) chain++;
    fits = place_op(s, x->graph, &x->graph->ops[i], in_branch ? x->kinds[origin[i].segment][origin[i].branch] : HS_CPU, chain, &x->placement->ops[i]);
    x->placement->ops[i].early = i + 1 < x->graph->n_ops && ends_gpu_branch(x, &origin[i]);
  }
  if (fits && (hs_placement_check(s->v->sys, x->graph, x->placement, "nn-stretch", &err) ||
               hs_lower(s->v->sys, x->graph, x->placement, &prog, &err))) {
    snprintf(s->why, sizeof s->why, "%.199s", err.text);
    fits = false;
  }
  if (!fits) {
    hs_graph_free(x->graph);
    return false;
  }
  hs_estimate_program(s->v->sys, prog, &e, NULL, NULL);
  hs_program_free(prog);
  x->seconds = e.latency_s;
  return true;
}

/* At least two processors, all there, and such as the parameter asks for. */
static bool allowed(const struct search *s, unsigned set)
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
  for (int i = 0; i < x->n_segments; i++)
    for (int b = 0; b < x->segments[i].n_branches; b++) used |= 1u << x->kinds[i][b];
  return used == x->set;
}

/* A set that leaves a processor idle has another set's network. */
static int keep_full(struct stretched *found, int n)
{
  int kept = 0;
  for (int i = 0; i < n; i++) {
    if (found[i].full)
      found[kept++] = found[i];
    else
      hs_graph_free(found[i].graph);
  }
  return kept;
}

/* All sets that the parameter allows, each with its network; how many there are. */
static int stretch_for_sets(struct search *s, struct stretched *found)
{
  bool released = strcmp(s->v->values[STRUCTURE], "published") == 0;
  int n = 0, n_full = 0;
  for (unsigned set = 1; set < SETS; set++) {
    struct stretched *x = &found[n];
    if (!allowed(s, set)) continue;
    *x = (struct stretched){.set = set};
    if (released && !released_segments(s, x)) continue;
    if (!released) search_segments(s, x);
    if (!build(s, x)) continue;
    n_full += x->full = uses_all(x);
    n++;
  }
  return n_full ? keep_full(found, n) : n;
}

static void add_alternative(struct hs_plan *plan, const struct stretched *x)
{
  char name[32];
  set_name(x->set, name, sizeof name);
  struct hs_placement *pl = hs_plan_add(plan, name);
  hs_placement_rewrite(pl, x->graph);
  memcpy(pl->ops, x->placement->ops, (size_t)pl->n_ops * sizeof *pl->ops);
}

static enum hs_status none_found(const struct search *s, struct hs_error *err)
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

static enum hs_status plan_nn_stretch(const struct hs_view *v, struct hs_plan *plan, struct hs_error *err)
{
  struct search s = {.v = v, .alpha = atof(v->values[ALPHA]), .beta = atof(v->values[BETA]), .floor = atof(v->values[RATIO_FLOOR]),
                     .capacity = atof(v->values[CAPACITY])};
  struct stretched found[SETS];
  double seconds[SETS];
  size_t order[SETS];
  int n = 0;
  s.stages = hs_stages_find(v->graph, &s.scratch);
  look_at_processors(&s);
  look_at_stages(&s);
  if (s.stages->n) n = stretch_for_sets(&s, found);
  for (int i = 0; i < n; i++) seconds[i] = found[i].seconds;
  gsl_sort_index(order, seconds, 1, (size_t)n);
  for (int i = 0; i < n; i++) add_alternative(plan, &found[order[i]]);
  enum hs_status status = n ? HS_OK : none_found(&s, err);
  hs_arena_free(&s.scratch);
  return status;
}

static const char *const sets[] = {"auto",        "cpu+gpu",     "cpu+dsp",     "cpu+npu",     "gpu+dsp",         "gpu+npu", "dsp+npu",
                                   "cpu+gpu+dsp", "cpu+gpu+npu", "cpu+dsp+npu", "gpu+dsp+npu", "cpu+gpu+dsp+npu", NULL};
static const char *const structures[] = {"search", "published", NULL};
static const char *const scalings[] = {"both", "depth", "width", NULL};
static const struct hs_param params[N_PARAMS] = {
  [PROCESSORS] = {"processors", "that get a branch; auto: of all sets the one that is expected to be fastest, anew for each request", "auto",
                  sets, 0, 0},
  [STRUCTURE] = {"structure", "branches by the search, or as released with the paper", "search", structures, 0, 0},
  [SCALING] = {"scaling", "dimensions that are scaled (Table 9)", "both", scalings, 0, 0},
  [ALPHA] = {"alpha", "communication ÷ duration of a segment, at most (Eq. 4)", "0.1", NULL, 0.01, 100},
  [BETA] = {"beta", "duration of a branch ÷ that of the original segment on the fastest processor, at most (Eq. 5)", "1.1", NULL, 0.1, 10},
  [RATIO_FLOOR] = {"floor", "least ratio of depth and of width (Sec. 4.3)", "0.5", NULL, 0.1, 1},
  /* the released structures have 0.60 to 1.07 times the original's MACs, 0.92 in the median */
  [CAPACITY] = {"capacity", "MACs of a segment's branches ÷ the original's, at least", "0.9", NULL, 0.1, 4},
};

const struct hs_policy hs_policy_nn_stretch = {.name = "nn-stretch",
                                               .summary = "stretches the network into one with a branch per processor",
                                               .reference = "NN-Stretch (MobiSys 2023), Sec. 4 and 5",
                                               .default_runtime = "tflite",
                                               .default_precision = HS_INT8,
                                               .params = params,
                                               .n_params = N_PARAMS,
                                               .plan_all = plan_nn_stretch,
                                               .schedule = hs_schedule_fastest};
