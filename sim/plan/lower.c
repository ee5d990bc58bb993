/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plan/lower.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "model/comm.h"
#include "plan/copies.h"

enum { NONE = -1 };

/* A range that a place needs of a tensor, or lacks. */
struct need {
  int tensor;
  struct hs_range range;
};

struct needs {
  int n, cap;
  struct need *at;
};

/* A tensor's range on its way from one place to another. */
struct move {
  int tensor;
  struct hs_range range;
  double elements;
  struct hs_deps ready;
};

struct lower {
  const struct hs_system *sys;
  const struct hs_graph *g;
  const struct hs_placement *pl;
  int from, to;             /* operators [from, to) */
  struct hs_program *prog;
  struct hs_arena scratch;
  struct hs_copy *copies;   /* [tensor][place]; all CPUs share the host's place */
  struct hs_range *ranges;  /* [op][part]: own share */
  struct hs_range *extended; /* [op][part]: with the halo that the chain needs */
  int *readers_left;        /* [tensor] */
  struct hs_deps *early;    /* [tensor]: its conversion for the host that was enqueued early; none: empty */
  int *born;                /* [tensor][place]: operator for which the copy came to be */
  int op;                   /* being lowered */
  int n_accelerators, accelerators[HS_PROCESSORS_MAX]; /* by kind, so that their order in the SoC file changes nothing */
  struct {
    bool started;           /* it has work: what an invocation costs is in there */
    bool open;              /* a slice is running: further kernels need no RPC */
    int chain;
    double given_bytes;     /* what the host has mapped for its next invocation */
    int covered;            /* GPU tasks up to this one are known to be done by the host */
    int covered_by;         /* the SYNC that says so */
    int enqueued;           /* kernels since the host last waited because of the window, */
    struct hs_deps waited;  /* and what the next one waits for because of it */
  } slices[HS_PROCESSORS_MAX];
  double live_bytes, most_live_bytes, weight_bytes;
  struct needs lacking, lacking_at_host; /* of the fetch at hand */
  int n_moves, cap_moves;
  struct move *moves;
};

static enum hs_kind kind_of(const struct lower *l, int p) { return l->sys->soc->processors[p].kind; }
static int place_of(const struct lower *l, int p) { return kind_of(l, p) == HS_CPU ? l->sys->host : p; }
static struct hs_copy *copy_at(struct lower *l, int tensor, int place) { return &l->copies[tensor * l->sys->soc->n_processors + place]; }

static double bytes_at(const struct lower *l, int place, double elements)
{
  return elements * hs_precision_bytes(l->sys->backends[place].precision);
}

/* --- tasks --- */

static struct hs_deps only(const struct lower *l, int task)
{
  struct hs_deps d = {{0}};
  d.newest[l->prog->tasks[task].processor] = task + 1;
  return d;
}

static int emit(struct lower *l, struct hs_task t, const struct hs_deps *deps)
{
  struct hs_program *p = l->prog;
  HS_GROW(p->tasks, p->n_tasks, p->cap_tasks);
  t.op = l->op;
  t.first_dep = p->n_deps;
  for (int i = 0; i < HS_PROCESSORS_MAX; i++) {
    if (deps->newest[i] == 0) continue;
    HS_GROW(p->deps, p->n_deps, p->cap_deps);
    p->deps[p->n_deps++] = deps->newest[i] - 1;
    t.n_deps++;
  }
  p->tasks[p->n_tasks] = t;
  return p->n_tasks++;
}

/* One step of moving `tensor` between kinds; a step without cost makes no task and leaves `ready` as it is. */
static void step(struct lower *l, enum hs_task_kind kind, enum hs_comm comm, int from, int to, int on, int tensor, double bytes,
                 struct hs_deps *ready)
{
  double seconds = hs_comm_seconds(l->sys, kind_of(l, from), kind_of(l, to), comm, bytes);
  if (seconds <= 0) return;
  struct hs_task t = {.kind = kind, .tensor = tensor, .processor = on, .opp = -1, .from = from, .to = to, .moved_bytes = bytes};
  if (kind == HS_TASK_SYNC || kind == HS_TASK_RPC)
    t.delay_s = seconds;
  else
    hs_comm_work(l->sys, on, seconds, &t.work);
  *ready = only(l, emit(l, t, ready));
}

/* The host enqueues a kernel on p: by itself, ahead of the data. */
static void launch(struct lower *l, int p, struct hs_deps *ready)
{
  struct hs_deps enqueued = l->slices[p].waited;
  l->slices[p].waited = (struct hs_deps){{0}}; /* what comes later is behind this one in its queue */
  step(l, HS_TASK_LAUNCH, HS_LAUNCH, l->sys->host, p, l->sys->host, NONE, 0, &enqueued);
  hs_deps_add(ready, &enqueued);
}

/* --- kernels --- */

/* MACE's WaitForQueueExecution(): right after the kernel that fills the window the host waits for it. */
static void fill_window(struct lower *l, int p, int task)
{
  int window = l->sys->backends[p].window, before = l->prog->n_tasks;
  if (window == 0 || ++l->slices[p].enqueued < window) return;
  l->slices[p].enqueued = 0;
  l->slices[p].waited = only(l, task);
  step(l, HS_TASK_SYNC, HS_SYNC, p, l->sys->host, l->sys->host, NONE, 0, &l->slices[p].waited);
  if (l->prog->n_tasks == before) return; /* it costs nothing on this SoC */
  l->slices[p].covered = task;
  l->slices[p].covered_by = before;
}

/* What MACE cuts a kernel along: rows of all images; where there is one row only, fours of channels. */
static int64_t rows_of(const struct hs_shape *s, struct hs_range range)
{
  if (s->rank != 4 || s->dim[1] == 1) return (int64_t)ceil(hs_range_elements(s, range) / 4);
  int64_t rows = s->dim[0] * s->dim[1];
  return range.split == HS_SPLIT_HEIGHT || range.split == HS_SPLIT_BATCH ? rows * (range.end - range.begin) / hs_shape_extent(s, range.split) : rows;
}

/* A share of a kernel: of its work, but all of its start-up. */
static struct hs_task share_of(const struct hs_task *whole, double start_cycles, double share)
{
  struct hs_task t = *whole;
  for (int d = 0; d < HS_DOMAINS_MAX; d++)
    if (t.work.cores[d]) t.work.cycles[d] = start_cycles + share * (whole->work.cycles[d] - start_cycles);
  t.work.bytes *= share;
  t.moved_bytes *= share;
  return t;
}

/* How many rows a launch takes where none may be longer than the system's limit: as few launches as possible, of about the
 * same size, and at least a row each. */
static int64_t rows_per_launch(const struct lower *l, const struct hs_task *whole, double start_cycles, int64_t rows)
{
  double limit_s = l->sys->backends[whole->processor].kernel_s;
  int64_t fit = limit_s > 0 ? 1 : rows;
  for (int64_t more = rows; fit < more;) {
    int64_t n = fit + (more - fit + 1) / 2;
    struct hs_task t = share_of(whole, start_cycles, (double)n / (double)rows);
    if (hs_work_seconds(l->sys, t.processor, t.opp, &t.work) <= limit_s)
      fit = n;
    else
      more = n - 1;
  }
  int64_t launches = (rows + fit - 1) / fit;
  return (rows + launches - 1) / launches;
}

/* The host enqueues a kernel, in as many launches as it takes, one after the other in the GPU's queue. */
static void enqueue(struct lower *l, const struct hs_task *whole, double start_cycles, int64_t rows, struct hs_deps *ready)
{
  int64_t block = rows_per_launch(l, whole, start_cycles, rows);
  int n = (int)((rows + block - 1) / block), p = whole->processor;
  for (int i = 0; i < n; i++) {
    int64_t left = rows - i * block;
    struct hs_task t = n == 1 ? *whole : share_of(whole, start_cycles, (double)(left < block ? left : block) / (double)rows);
    t.launch = i;
    t.n_launches = n > 1 ? n : 0;
    launch(l, p, ready);
    int task = emit(l, t, ready);
    *ready = only(l, task);
    fill_window(l, p, task);
  }
}

/* The GPU converts what comes to it or leaves it. */
static void convert(struct lower *l, int from, int to, const struct move *m, struct hs_deps *ready)
{
  int p = kind_of(l, from) == HS_GPU ? from : to;
  const struct hs_comm_cost *c = &l->sys->soc->sharing[kind_of(l, from)][kind_of(l, to)][HS_TRANSFORM];
  struct hs_task t = {.kind = HS_TASK_TRANSFORM, .tensor = m->tensor, .processor = p, .opp = -1, .from = from, .to = to};
  struct hs_work start;
  t.moved_bytes = bytes_at(l, from, m->elements);
  double seconds = hs_comm_seconds(l->sys, kind_of(l, from), kind_of(l, to), HS_TRANSFORM, t.moved_bytes);
  if (seconds <= 0) {
    launch(l, p, ready);
    return;
  }
  hs_comm_work(l->sys, p, seconds, &t.work);
  hs_comm_work(l->sys, p, c->fixed_s, &start);
  enqueue(l, &t, start.cycles[l->sys->soc->processors[p].n_domains - 1], rows_of(&l->g->tensors[m->tensor].shape, m->range), ready);
}

/* --- copies --- */

static void hold(struct lower *l, int tensor, int place, struct hs_range range, const struct hs_deps *ready)
{
  struct hs_copy *c = copy_at(l, tensor, place);
  double before = c->elements;
  if (before <= 0) l->born[tensor * l->sys->soc->n_processors + place] = l->op;
  hs_copy_hold(c, &l->scratch, &l->g->tensors[tensor].shape, range, ready);
  l->live_bytes += bytes_at(l, place, c->elements - before);
  l->most_live_bytes = fmax(l->most_live_bytes, l->live_bytes);
}

static void release_at(struct lower *l, int tensor, int place)
{
  struct hs_copy *c = copy_at(l, tensor, place);
  if (c->elements <= 0) return;
  double bytes = bytes_at(l, place, c->elements);
  l->live_bytes -= bytes;
  HS_GROW(l->prog->buffers, l->prog->n_buffers, l->prog->cap_buffers);
  l->prog->buffers[l->prog->n_buffers++] = (struct hs_buffer){tensor, place, l->born[tensor * l->sys->soc->n_processors + place], l->op, bytes};
  *c = (struct hs_copy){0};
}

static void release(struct lower *l, int tensor)
{
  for (int p = 0; p < l->sys->soc->n_processors; p++) release_at(l, tensor, p);
}

/* --- crossings --- */

/* The host learns that the GPU is done with what the moves wait for; one SYNC serves all that is not yet covered. */
static void sync_host(struct lower *l, int from, struct move *moves, int n, bool early)
{
  struct hs_deps wait = {{0}};
  double bytes = 0;
  int newest = NONE;
  for (int i = 0; i < n; i++) {
    if (moves[i].ready.newest[from] - 1 > newest) newest = moves[i].ready.newest[from] - 1;
    hs_deps_add(&wait, &moves[i].ready);
    bytes += bytes_at(l, from, moves[i].elements);
  }
  if (newest == NONE || newest <= l->slices[from].covered) {
    for (int i = 0; i < n; i++)
      if (newest != NONE) moves[i].ready = only(l, l->slices[from].covered_by);
    return;
  }
  int before = l->prog->n_tasks;
  step(l, HS_TASK_SYNC, HS_SYNC, from, l->sys->host, l->sys->host, moves[0].tensor, bytes, &wait);
  if (l->prog->n_tasks == before) return; /* it costs nothing on this SoC */
  l->prog->tasks[before].from_deps = early;
  l->slices[from].covered = newest;
  l->slices[from].covered_by = before;
  for (int i = 0; i < n; i++) moves[i].ready = wait;
}

static void gpu_to_host(struct lower *l, int from, struct move *moves, int n)
{
  int host = l->sys->host;
  bool all_early = true;
  for (int i = 0; i < n; i++) {
    const struct hs_deps *early = &l->early[moves[i].tensor];
    bool is_early = early->newest[from] > 0;
    all_early = all_early && is_early;
    if (is_early)
      moves[i].ready = *early;
    else if (hs_comm_converts(l->sys, from, host))
      convert(l, from, host, &moves[i], &moves[i].ready);
  }
  sync_host(l, from, moves, n, all_early);
  for (int i = 0; i < n; i++)
    step(l, HS_TASK_MAP, HS_MAP, from, host, host, moves[i].tensor, bytes_at(l, from, moves[i].elements), &moves[i].ready);
}

static void remote_to_host(struct lower *l, int from, struct move *moves, int n)
{
  int host = l->sys->host;
  struct hs_deps all = {{0}};
  double bytes = 0;
  for (int i = 0; i < n; i++) {
    hs_deps_add(&all, &moves[i].ready);
    bytes += bytes_at(l, from, moves[i].elements);
  }
  step(l, HS_TASK_RPC, HS_RPC, from, host, from, moves[0].tensor, bytes, &all);
  step(l, HS_TASK_SYNC, HS_SYNC, from, host, host, moves[0].tensor, bytes, &all);
  l->slices[from].open = false;
  for (int i = 0; i < n; i++) {
    moves[i].ready = all;
    step(l, HS_TASK_MAP, HS_MAP, from, host, host, moves[i].tensor, bytes_at(l, from, moves[i].elements), &moves[i].ready);
    if (hs_comm_converts(l->sys, from, host))
      step(l, HS_TASK_TRANSFORM, HS_TRANSFORM, from, host, host, moves[i].tensor, bytes_at(l, from, moves[i].elements), &moves[i].ready);
  }
}

static void host_to_gpu(struct lower *l, int to, struct move *moves, int n)
{
  int host = l->sys->host;
  struct hs_deps mapped = {{0}};
  double bytes = 0;
  for (int i = 0; i < n; i++) {
    step(l, HS_TASK_MAP, HS_MAP, host, to, host, moves[i].tensor, bytes_at(l, host, moves[i].elements), &moves[i].ready);
    hs_deps_add(&mapped, &moves[i].ready);
    bytes += bytes_at(l, host, moves[i].elements);
  }
  step(l, HS_TASK_SYNC, HS_SYNC, host, to, host, moves[0].tensor, bytes, &mapped);
  for (int i = 0; i < n; i++) {
    moves[i].ready = mapped;
    if (hs_comm_converts(l->sys, host, to)) convert(l, host, to, &moves[i], &moves[i].ready);
  }
}

/* The host converts, so that what is mapped and given has the accelerator's precision. */
static void host_to_remote(struct lower *l, int to, struct move *moves, int n)
{
  int host = l->sys->host;
  struct hs_deps mapped = {{0}};
  double bytes = 0;
  l->slices[to].open = false; /* a remote graph takes its inputs when it is invoked */
  for (int i = 0; i < n; i++) {
    if (hs_comm_converts(l->sys, host, to))
      step(l, HS_TASK_TRANSFORM, HS_TRANSFORM, host, to, host, moves[i].tensor, bytes_at(l, host, moves[i].elements), &moves[i].ready);
    step(l, HS_TASK_MAP, HS_MAP, host, to, host, moves[i].tensor, bytes_at(l, to, moves[i].elements), &moves[i].ready);
    hs_deps_add(&mapped, &moves[i].ready);
    bytes += bytes_at(l, to, moves[i].elements);
  }
  step(l, HS_TASK_SYNC, HS_SYNC, host, to, host, moves[0].tensor, bytes, &mapped);
  for (int i = 0; i < n; i++) moves[i].ready = mapped;
  l->slices[to].given_bytes += bytes;
}

static void cross(struct lower *l, int from, int to, struct move *moves, int n)
{
  if (from != l->sys->host)
    (kind_of(l, from) == HS_GPU ? gpu_to_host : remote_to_host)(l, from, moves, n);
  else
    (kind_of(l, to) == HS_GPU ? host_to_gpu : host_to_remote)(l, to, moves, n);
  for (int i = 0; i < n; i++) hold(l, moves[i].tensor, to, moves[i].range, &moves[i].ready);
}

/* --- fetching --- */

/* Do the places hold r together? */
static bool together(struct lower *l, int tensor, struct hs_range r)
{
  for (int64_t next; r.begin < r.end; r.begin = next) {
    next = r.begin;
    for (int p = 0; p < l->sys->soc->n_processors && next < r.end; p++) {
      struct hs_range held = hs_copy_held(copy_at(l, tensor, p), r);
      if (held.begin == r.begin && held.end > next) next = held.end;
    }
    if (next == r.begin) return false;
  }
  return true;
}

static double elements_lacking(const struct hs_copy *c, const struct hs_shape *s, struct hs_range r)
{
  double sum = 0;
  for (struct hs_range gap; !hs_range_empty(gap = hs_copy_lacking(c, r)); r.begin = gap.end) sum += hs_range_elements(s, gap);
  return sum;
}

/* What a place that lacks some of `need` has to end up with: that, if it is a part which the places hold together in its own
 * dimension; else everything, along the dimension in which the place lacks least. There always is one: how the tensor was computed. */
static struct hs_range along(struct lower *l, struct need need, int place)
{
  const struct hs_shape *s = &l->g->tensors[need.tensor].shape;
  struct hs_range best = {HS_SPLIT_HEIGHT, 0, 0};
  double least = INFINITY;
  bool part = need.range.split != HS_SPLIT_NONE && need.range.end - need.range.begin < hs_shape_extent(s, need.range.split);
  if (part && together(l, need.tensor, need.range)) return need.range;
  for (enum hs_split split = HS_SPLIT_HEIGHT; split < HS_SPLIT_N; split++) {
    struct hs_range r = {split, 0, hs_shape_extent(s, split)};
    double lacking = elements_lacking(copy_at(l, need.tensor, place), s, r);
    if (lacking >= least || !together(l, need.tensor, r)) continue;
    least = lacking;
    best = r;
  }
  return best;
}

static void list_lacking(struct lower *l, struct need need, int place, struct needs *list)
{
  const struct hs_copy *own = copy_at(l, need.tensor, place);
  if (hs_copy_covers(own, need.range)) return;
  struct hs_range r = along(l, need, place);
  for (struct hs_range gap; !hs_range_empty(gap = hs_copy_lacking(own, r)); r.begin = gap.end) {
    HS_GROW(list->at, list->n, list->cap);
    list->at[list->n++] = (struct need){need.tensor, gap};
  }
}

static void add_move(struct lower *l, int tensor, struct hs_range range, const struct hs_copy *source)
{
  struct move m = {tensor, range, hs_range_elements(&l->g->tensors[tensor].shape, range), {{0}}};
  hs_copy_ready(source, range, &m.ready);
  HS_GROW(l->moves, l->n_moves, l->cap_moves);
  l->moves[l->n_moves++] = m;
}

/* Moves from one place to another what is lacking there and hasn't come from elsewhere. */
static void fetch_from(struct lower *l, int from, int to, const struct needs *lacking)
{
  l->n_moves = 0;
  for (int i = 0; i < lacking->n; i++) {
    int tensor = lacking->at[i].tensor;
    const struct hs_copy *source = copy_at(l, tensor, from), *own = copy_at(l, tensor, to);
    struct hs_range r = lacking->at[i].range;
    for (struct hs_range gap; !hs_range_empty(gap = hs_copy_lacking(own, r)); r.begin = gap.end)
      for (struct hs_range part = gap, held; !hs_range_empty(held = hs_copy_held(source, part)); part.begin = held.end)
        add_move(l, tensor, held, source);
  }
  if (l->n_moves) cross(l, from, to, l->moves, l->n_moves);
}

/* Makes sure that `place` holds what it needs: what only other accelerators have goes to the host first. */
static void fetch(struct lower *l, int place, const struct need *needs, int n)
{
  int host = l->sys->host;
  l->lacking.n = l->lacking_at_host.n = 0;
  for (int i = 0; i < n; i++) {
    bool again = false; /* who reads a tensor twice reads the same of it */
    for (int k = 0; k < i; k++) again |= needs[k].tensor == needs[i].tensor;
    if (!again) list_lacking(l, needs[i], place, &l->lacking);
  }
  if (place != host)
    for (int i = 0; i < l->lacking.n; i++) list_lacking(l, l->lacking.at[i], host, &l->lacking_at_host);
  for (int k = 0; k < l->n_accelerators; k++)
    if (l->accelerators[k] != place) fetch_from(l, l->accelerators[k], host, place == host ? &l->lacking : &l->lacking_at_host);
  if (place != host) fetch_from(l, host, place, &l->lacking);
}

/* --- operators --- */

/* Brings the inputs of part k of operator i to its place. */
static void fetch_part(struct lower *l, int i, int k)
{
  const struct hs_operator *op = &l->g->ops[i];
  struct hs_range range = l->extended[i * HS_PARTS_MAX + k];
  struct need needs[HS_INPUTS_MAX];
  for (int n = 0; n < op->n_inputs; n++) needs[n] = (struct need){op->inputs[n], hs_input_range(l->g, op, n, range)};
  fetch(l, place_of(l, l->pl->ops[i].parts[k].processor), needs, op->n_inputs);
}

/* A remote graph is invoked once per slice, with the inputs that just came. */
static void invoke(struct lower *l, int p, int chain, int tensor, struct hs_deps *wait)
{
  if (l->slices[p].open && chain >= 0 && l->slices[p].chain == chain) return;
  step(l, HS_TASK_RPC, HS_RPC, l->sys->host, p, p, tensor, l->slices[p].given_bytes, wait);
  l->slices[p].given_bytes = 0;
  l->slices[p].open = true;
  l->slices[p].chain = chain;
}

static struct hs_deps exec(struct lower *l, const struct hs_operator *op, const struct hs_task *t, struct hs_range range, struct hs_deps wait)
{
  const struct hs_backend *b = &l->sys->backends[t->processor];
  if (place_of(l, t->processor) == l->sys->host) return only(l, emit(l, *t, &wait));
  enqueue(l, t, b->kernel->overhead_cycles, rows_of(&l->g->tensors[op->outputs[0]].shape, range), &wait);
  return wait;
}

static void exec_part(struct lower *l, int i, int k)
{
  const struct hs_operator *op = &l->g->ops[i];
  const struct hs_part *part = &l->pl->ops[i].parts[k];
  struct hs_range range = l->extended[i * HS_PARTS_MAX + k];
  int p = part->processor, place = place_of(l, p);
  struct hs_deps wait = {{0}};
  for (int n = 0; n < op->n_inputs; n++) hs_copy_ready(copy_at(l, op->inputs[n], place), hs_input_range(l->g, op, n, range), &wait);
  if (kind_of(l, p) == HS_DSP || kind_of(l, p) == HS_NPU) invoke(l, p, l->pl->ops[i].chain, op->inputs[0], &wait);
  struct hs_task t = {.kind = HS_TASK_EXEC, .tensor = op->outputs[0], .processor = p, .opp = part->opp};
  hs_cost_exec(l->sys, l->g, op, p, range, &t.work);
  if (!l->slices[p].started) hs_cost_start(l->sys, p, &t.work);
  l->slices[p].started = true;
  struct hs_deps done = exec(l, op, &t, range, wait);
  double share, weights;
  hs_range_shares(l->g, op, range, &share, &weights);
  l->weight_bytes += bytes_at(l, p, (double)op->params * weights + hs_cost_kept_weights(l->sys, l->g, op, p, range));
  for (int o = 0; o < op->n_outputs; o++) hold(l, op->outputs[o], place, range, &done);
}

static bool chain_goes_on(const struct lower *l, int i)
{
  const struct hs_op_placement *a = &l->pl->ops[i];
  return i + 1 < l->to && a->chain >= 0 && l->pl->ops[i + 1].chain == a->chain;
}

/* Brings a cut or displaced result together at its home. Where that is an accelerator, the tensor between operators is the accelerator's: what the
 * host computed is written into it and given up. Who needs it there later fetches it again, as CoDL's executor does for every operator or chain. */
static void bring_home(struct lower *l, int i)
{
  const struct hs_operator *op = &l->g->ops[i];
  const struct hs_op_placement *pl = &l->pl->ops[i];
  int home = pl->home >= 0 ? pl->home : pl->parts[0].processor;
  if (pl->home < 0 && pl->n_parts == 1) return;
  struct need needs[HS_INPUTS_MAX];
  for (int o = 0; o < op->n_outputs; o++) needs[o] = (struct need){op->outputs[o], {HS_SPLIT_NONE, 0, 1}};
  fetch(l, place_of(l, home), needs, op->n_outputs);
  if (place_of(l, home) == l->sys->host) return;
  for (int o = 0; o < op->n_outputs; o++) release_at(l, op->outputs[o], l->sys->host);
}

/* NN-Stretch's Algorithm 1: what the host will read is converted behind the kernel that computed it, before the host turns to its own branch. */
static void convert_early(struct lower *l, int i)
{
  const struct hs_operator *op = &l->g->ops[i];
  int p = l->pl->ops[i].parts[0].processor;
  const struct hs_range whole = {HS_SPLIT_NONE, 0, 1};
  for (int o = 0; o < op->n_outputs; o++) {
    int t = op->outputs[o];
    struct move m = {t, whole, (double)hs_shape_elements(&l->g->tensors[t].shape), {{0}}};
    hs_copy_ready(copy_at(l, t, p), whole, &m.ready);
    if (hs_comm_converts(l->sys, p, l->sys->host)) convert(l, p, l->sys->host, &m, &m.ready);
    l->early[t] = m.ready;
  }
}

/* First the inputs of all parts move (a conversion on the GPU must not queue behind the GPU's own share), then the
 * accelerators' kernels are enqueued, then the CPU starts its share. */
static void lower_op(struct lower *l, int i)
{
  const struct hs_operator *op = &l->g->ops[i];
  const struct hs_op_placement *pl = &l->pl->ops[i];
  l->op = i;
  for (int k = 0; k < pl->n_parts; k++)
    if (!hs_range_empty(l->ranges[i * HS_PARTS_MAX + k])) fetch_part(l, i, k);
  for (int accelerators = 1; accelerators >= 0; accelerators--)
    for (int k = 0; k < pl->n_parts; k++)
      if ((kind_of(l, pl->parts[k].processor) != HS_CPU) == accelerators && !hs_range_empty(l->ranges[i * HS_PARTS_MAX + k]))
        exec_part(l, i, k);
  if (!chain_goes_on(l, i)) bring_home(l, i);
  if (pl->early) convert_early(l, i);
  for (int n = 0; n < op->n_inputs; n++)
    if (--l->readers_left[op->inputs[n]] == 0) release(l, op->inputs[n]);
  l->prog->n_fallback += pl->fallback;
}

static struct hs_range hull(struct hs_range a, struct hs_range b)
{
  if (a.split == HS_SPLIT_NONE || b.split == HS_SPLIT_NONE) return (struct hs_range){HS_SPLIT_NONE, 0, 1};
  return (struct hs_range){a.split, a.begin < b.begin ? a.begin : b.begin, a.end > b.end ? a.end : b.end};
}

/* Shares of every operator, then from the back of each chain the rows that later operators need beyond them. */
static void extend_chains(struct lower *l)
{
  for (int i = l->from; i < l->to; i++) {
    hs_placement_ranges(l->sys, l->g, &l->g->ops[i], &l->pl->ops[i], &l->ranges[i * HS_PARTS_MAX]);
    memcpy(&l->extended[i * HS_PARTS_MAX], &l->ranges[i * HS_PARTS_MAX], HS_PARTS_MAX * sizeof *l->extended);
  }
  for (int j = l->to - 1; j > l->from; j--) {
    const struct hs_operator *reader = &l->g->ops[j];
    const struct hs_op_placement *pj = &l->pl->ops[j];
    if (pj->chain < 0 || (pj->split != HS_SPLIT_HEIGHT && pj->split != HS_SPLIT_BATCH)) continue;
    for (int n = 0; n < reader->n_inputs; n++) {
      int i = l->g->tensors[reader->inputs[n]].producer;
      if (i < l->from || l->pl->ops[i].chain != pj->chain || l->pl->ops[i].split != pj->split) continue;
      for (int k = 0; k < pj->n_parts && k < l->pl->ops[i].n_parts; k++) {
        struct hs_range *r = &l->extended[i * HS_PARTS_MAX + k], own = l->extended[j * HS_PARTS_MAX + k];
        if (!hs_range_empty(own)) *r = hull(*r, hs_input_range(l->g, reader, n, own));
      }
    }
  }
}

static void list_accelerators(struct lower *l)
{
  for (int kind = HS_CPU + 1; kind < HS_KIND_N; kind++)
    for (int p = 0; p < l->sys->soc->n_processors; p++)
      if ((int)kind_of(l, p) == kind) l->accelerators[l->n_accelerators++] = p;
}

/* What the piece reads from before it (or the network's inputs) is in the host's memory. */
static void start_inputs(struct lower *l)
{
  const struct hs_deps none = {{0}};
  for (int t = 0; t < l->g->n_tensors; t++) l->readers_left[t] = l->g->tensors[t].n_consumers + l->g->tensors[t].is_output;
  for (int i = l->from; i < l->to; i++)
    for (int n = 0; n < l->g->ops[i].n_inputs; n++) {
      int t = l->g->ops[i].inputs[n];
      if (l->g->tensors[t].producer < l->from && !copy_at(l, t, l->sys->host)->whole)
        hold(l, t, l->sys->host, (struct hs_range){HS_SPLIT_NONE, 0, 1}, &none);
    }
}

/* And what is read after it (or is an output of the network) ends there. */
static void finish_outputs(struct lower *l)
{
  struct need needs[HS_INPUTS_MAX];
  int n = 0;
  l->op = l->to - 1;
  for (int i = l->from; i < l->to; i++)
    for (int o = 0; o < l->g->ops[i].n_outputs; o++) {
      int t = l->g->ops[i].outputs[o];
      if (l->readers_left[t] == 0) continue;
      if (n == HS_INPUTS_MAX) {
        fetch(l, l->sys->host, needs, n);
        n = 0;
      }
      needs[n++] = (struct need){t, {HS_SPLIT_NONE, 0, 1}};
    }
  fetch(l, l->sys->host, needs, n);
  for (int t = 0; t < l->g->n_tensors; t++) release(l, t);
}

enum hs_status hs_lower(const struct hs_system *sys, const struct hs_graph *g, const struct hs_placement *pl,
                        struct hs_program **program, struct hs_error *err)
{
  return hs_lower_piece(sys, g, pl, 0, g->n_ops, program, err);
}

enum hs_status hs_lower_piece(const struct hs_system *sys, const struct hs_graph *g, const struct hs_placement *pl, int from, int to,
                              struct hs_program **program, struct hs_error *err)
{
  struct lower l = {.sys = sys, .g = g, .pl = pl, .from = from, .to = to, .op = from};
  l.prog = hs_realloc(NULL, 1, sizeof *l.prog);
  *l.prog = (struct hs_program){.graph = g, .placement = pl, .from_op = from, .to_op = to, .n_ops = to - from};
  l.copies = HS_NEW_ARRAY(&l.scratch, struct hs_copy, (size_t)g->n_tensors * (size_t)sys->soc->n_processors);
  l.ranges = HS_NEW_ARRAY(&l.scratch, struct hs_range, (size_t)g->n_ops * HS_PARTS_MAX);
  l.extended = HS_NEW_ARRAY(&l.scratch, struct hs_range, (size_t)g->n_ops * HS_PARTS_MAX);
  l.born = HS_NEW_ARRAY(&l.scratch, int, (size_t)g->n_tensors * (size_t)sys->soc->n_processors);
  l.readers_left = HS_NEW_ARRAY(&l.scratch, int, (size_t)g->n_tensors);
  l.early = HS_NEW_ARRAY(&l.scratch, struct hs_deps, (size_t)g->n_tensors);
  for (int p = 0; p < HS_PROCESSORS_MAX; p++) l.slices[p].covered = l.slices[p].covered_by = NONE;
  list_accelerators(&l);
  extend_chains(&l);
  start_inputs(&l);
  for (int i = from; i < to; i++) lower_op(&l, i);
  finish_outputs(&l);
  hs_arena_free(&l.scratch);
  free(l.lacking.at);
  free(l.lacking_at_host.at);
  free(l.moves);
  l.prog->peak_memory_bytes = l.most_live_bytes + l.weight_bytes; /* a runtime loads all weights before it runs */
  double need = l.prog->peak_memory_bytes, have = sys->soc->memory.capacity_bytes;
  hs_program_seal(l.prog);
  *program = l.prog;
  if (need <= have) return HS_OK;
  char a[32], b[32];
  hs_program_free(l.prog);
  *program = NULL;
  return hs_fail(err, HS_INPUT, "%s needs %s of memory (weights and live tensors), %s has %s", g->name, hs_si(need, "B", a, sizeof a),
                 sys->soc->name, hs_si(have, "B", b, sizeof b));
}
