/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plan/emit.h"

#include <assert.h>
#include <math.h>

#include "model/comm.h"

enum { NONE = -1 };

static enum hs_kind kind_of(const struct hs_emitter *e, int p) { return e->sys->soc->processors[p].kind; }

void hs_emitter_open(struct hs_emitter *e, const struct hs_system *sys, const struct hs_graph *g, struct hs_program *program)
{
  *e = (struct hs_emitter){.sys = sys, .graph = g, .program = program};
  for (int p = 0; p < HS_PROCESSORS_MAX; p++) e->slices[p].covered = e->slices[p].covered_by = NONE;
}

/* --- tasks --- */

static struct hs_deps only(const struct hs_emitter *e, int task)
{
  struct hs_deps d = {{0}};
  d.newest[e->program->tasks[task].processor] = task + 1;
  return d;
}

static int emit(struct hs_emitter *e, struct hs_task t, const struct hs_deps *deps)
{
  struct hs_program *p = e->program;
  HS_GROW(p->tasks, p->n_tasks, p->cap_tasks);
  t.op = e->op;
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

/* A step of moving `tensor` that takes `seconds`. Those of a GPU are tasks however little they take, since the host does them one after the
 * other, and a kernel can't run before it has come to it. Of a DSP or NPU, whose graph runs by itself, one without cost isn't the host's. */
static void timed_step(struct hs_emitter *e, enum hs_task_kind kind, double seconds, int from, int to, int on, int tensor, double bytes,
                       struct hs_deps *ready)
{
  if (seconds <= 0 && kind_of(e, from) != HS_GPU && kind_of(e, to) != HS_GPU) return;
  struct hs_task t = {.kind = kind, .tensor = tensor, .processor = on, .opp = -1, .from = from, .to = to, .moved_bytes = bytes};
  if (kind == HS_TASK_SYNC || kind == HS_TASK_RPC)
    t.delay_s = seconds;
  else
    hs_comm_work(e->sys, on, seconds, &t.work);
  *ready = only(e, emit(e, t, ready));
}

static void step(struct hs_emitter *e, enum hs_task_kind kind, enum hs_comm comm, int from, int to, int on, int tensor, double bytes,
                 struct hs_deps *ready)
{
  timed_step(e, kind, hs_comm_seconds(e->sys, kind_of(e, from), kind_of(e, to), comm, bytes), from, to, on, tensor, bytes, ready);
}

/* The host enqueues a kernel on p: by itself, ahead of the data. */
static void launch(struct hs_emitter *e, int p, struct hs_deps *ready)
{
  struct hs_deps enqueued = e->slices[p].waited;
  e->slices[p].waited = (struct hs_deps){{0}}; /* what comes later is behind this one in its queue */
  step(e, HS_TASK_LAUNCH, HS_LAUNCH, e->sys->host, p, e->sys->host, NONE, 0, &enqueued);
  hs_deps_add(ready, &enqueued);
}

/* --- kernels --- */

/* MACE's WaitForQueueExecution(): right after the kernel that fills the window the host waits for it; for what it converts for the host as it does anyway. */
static void fill_window(struct hs_emitter *e, int p, int task)
{
  const struct hs_task *t = &e->program->tasks[task];
  int window = e->sys->backends[p].window, host = e->sys->host;
  if (window == 0 || ++e->slices[p].enqueued < window) return;
  double seconds = t->kind == HS_TASK_TRANSFORM && t->to == host ? hs_comm_wait_seconds(e->sys, p, t->moved_bytes)
                                                                 : hs_comm_seconds(e->sys, kind_of(e, p), kind_of(e, host), HS_SYNC, 0);
  e->slices[p].enqueued = 0;
  e->slices[p].waited = only(e, task);
  timed_step(e, HS_TASK_SYNC, seconds, p, host, host, NONE, 0, &e->slices[p].waited);
  e->slices[p].covered = task;
  e->slices[p].covered_by = e->program->n_tasks - 1;
}

/* What MACE cuts a kernel along: rows of all images; where there is one row only, fours of channels. */
static int64_t rows_of(const struct hs_shape *s, struct hs_range range)
{
  if (s->rank != 4 || s->dim[1] == 1) return (int64_t)ceil(hs_range_elements(s, range) / 4);
  int64_t rows = s->dim[0] * s->dim[1];
  return range.split == HS_SPLIT_HEIGHT || range.split == HS_SPLIT_BATCH ? rows * (range.end - range.begin) / hs_shape_extent(s, range.split) : rows;
}

/* A share of a GPU's kernel: of its work, but all of its start-up. */
static struct hs_task share_of(const struct hs_task *whole, double overhead_cycles, double share)
{
  struct hs_task t = *whole;
  for (int d = 0; d < HS_DOMAINS_MAX; d++)
    if (t.work.cores[d]) t.work.cycles[d] = overhead_cycles + share * (whole->work.cycles[d] - overhead_cycles);
  if (t.work.hosted > 0) t.work.hosted = overhead_cycles + share * (whole->work.hosted - overhead_cycles);
  t.work.bytes *= share;
  t.moved_bytes *= share;
  return t;
}

/* How many rows a launch takes where none may be longer than the system's limit, not counting what an invocation costs, which no cut makes less: as few
 * launches as possible, of about the same size, and at least a row each. */
static int64_t rows_per_launch(const struct hs_emitter *e, const struct hs_task *whole, double overhead_cycles, int64_t rows)
{
  double limit_s = e->sys->backends[whole->processor].kernel_s;
  int64_t fit = limit_s > 0 ? 1 : rows;
  for (int64_t more = rows; fit < more;) {
    int64_t n = fit + (more - fit + 1) / 2;
    struct hs_task t = share_of(whole, overhead_cycles, (double)n / (double)rows);
    if (hs_work_seconds(e->sys, t.processor, t.opp, &t.work) <= limit_s)
      fit = n;
    else
      more = n - 1;
  }
  int64_t launches = (rows + fit - 1) / fit;
  return (rows + launches - 1) / launches;
}

/* The host enqueues a kernel, in as many launches as it takes, one after the other in the GPU's queue. The first has what an invocation costs. */
static void enqueue(struct hs_emitter *e, const struct hs_task *whole, double overhead_cycles, int64_t rows, struct hs_deps *ready)
{
  int64_t block = rows_per_launch(e, whole, overhead_cycles, rows);
  int n = (int)((rows + block - 1) / block), p = whole->processor;
  for (int i = 0; i < n; i++) {
    int64_t left = rows - i * block;
    struct hs_task t = n == 1 ? *whole : share_of(whole, overhead_cycles, (double)(left < block ? left : block) / (double)rows);
    t.starts = whole->starts && i == 0;
    if (t.starts) hs_cost_start(e->sys, p, &t.work);
    t.launch = i;
    t.n_launches = n > 1 ? n : 0;
    launch(e, p, ready);
    int task = emit(e, t, ready);
    *ready = only(e, task);
    fill_window(e, p, task);
  }
}

/* A remote graph is invoked once per slice, with all inputs that came for it, also what only its later operators read. Is that here? */
static bool invoke(struct hs_emitter *e, int p, int chain, int tensor, struct hs_deps *wait)
{
  if (e->slices[p].open && chain >= 0 && e->slices[p].chain == chain) return false;
  hs_deps_add(wait, &e->slices[p].given);
  step(e, HS_TASK_RPC, HS_RPC, e->sys->host, p, p, tensor, e->slices[p].given_bytes, wait);
  e->slices[p].given = (struct hs_deps){{0}};
  e->slices[p].given_bytes = 0;
  e->slices[p].open = true;
  e->slices[p].chain = chain;
  e->slices[p].first = e->program->n_tasks;
  return true;
}

struct hs_deps hs_emit_exec(struct hs_emitter *e, const struct hs_operator *op, const struct hs_part *part, int chain, struct hs_range range,
                            struct hs_border border, enum hs_kernel_of of, struct hs_deps wait)
{
  int p = part->processor;
  bool apart = of == HS_KERNEL_APART;
  struct hs_task t = {.kind = HS_TASK_EXEC, .tensor = op->outputs[0], .processor = p, .opp = part->opp, .apart = apart};
  bool remote = hs_kind_is_remote(kind_of(e, p));
  t.starts = remote ? invoke(e, p, chain, op->inputs[0], &wait) : !e->slices[p].started;
  e->slices[p].started = true;
  hs_cost_exec_bordered(e->sys, e->graph, op, p, range, border, apart, &t.work);
  if (kind_of(e, p) == HS_CPU || of == HS_KERNEL_JOINED) {
    if (t.starts) hs_cost_start(e->sys, p, &t.work);
    wait = only(e, emit(e, t, &wait));
  } else {
    enqueue(e, &t, e->sys->backends[p].kernel->overhead_cycles, rows_of(&e->graph->tensors[op->outputs[0]].shape, range), &wait);
  }
  e->slices[p].last = e->program->n_tasks - 1;
  return wait;
}

void hs_emit_recount(const struct hs_system *sys, struct hs_program *program)
{
  const struct hs_graph *g = program->graph;
  for (struct hs_task *t = program->tasks; t < program->tasks + program->n_tasks; t++) {
    if (t->kind != HS_TASK_EXEC) continue;
    assert(t->n_launches == 0);
    hs_cost_exec_bordered(sys, g, &g->ops[t->op], t->processor, hs_range_whole, (struct hs_border){0, 0}, t->apart, &t->work);
    if (t->starts) hs_cost_start(sys, t->processor, &t->work);
  }
}

/* --- crossings --- */

/* The GPU converts what comes to it or leaves it. */
static void convert(struct hs_emitter *e, int from, int to, const struct hs_move *m, struct hs_deps *ready)
{
  int p = kind_of(e, from) == HS_GPU ? from : to;
  const struct hs_comm_cost *c = &e->sys->soc->sharing[kind_of(e, from)][kind_of(e, to)][HS_TRANSFORM];
  struct hs_task t = {.kind = HS_TASK_TRANSFORM, .tensor = m->tensor, .processor = p, .opp = -1, .from = from, .to = to};
  t.moved_bytes = hs_place_bytes(e->sys, from, m->elements);
  double seconds = hs_comm_seconds(e->sys, kind_of(e, from), kind_of(e, to), HS_TRANSFORM, t.moved_bytes);
  hs_comm_work(e->sys, p, seconds, &t.work);
  double start_cycles = c->fixed_s * hs_domain_top(hs_processor_fastest(&e->sys->soc->processors[p]))->freq_hz;
  enqueue(e, &t, start_cycles, rows_of(&e->graph->tensors[m->tensor].shape, m->range), ready);
}

struct hs_deps hs_emit_early(struct hs_emitter *e, int from, const struct hs_move *m)
{
  struct hs_deps ready = m->ready;
  if (hs_comm_converts(e->sys, from, e->sys->host)) convert(e, from, e->sys->host, m, &ready);
  return ready;
}

/* The host learns that the GPU is done with what the moves wait for; one SYNC serves all that is not yet covered. */
static void sync_host(struct hs_emitter *e, int from, struct hs_move *moves, int n)
{
  struct hs_deps wait = {{0}};
  double bytes = 0;
  int newest = NONE;
  bool early = true;
  for (int i = 0; i < n; i++) {
    early = early && moves[i].early;
    if (moves[i].ready.newest[from] - 1 > newest) newest = moves[i].ready.newest[from] - 1;
    hs_deps_add(&wait, &moves[i].ready);
    bytes += hs_place_bytes(e->sys, from, moves[i].elements);
  }
  if (newest == NONE || newest <= e->slices[from].covered) {
    for (int i = 0; i < n; i++)
      if (newest != NONE) moves[i].ready = only(e, e->slices[from].covered_by);
    return;
  }
  int before = e->program->n_tasks;
  timed_step(e, HS_TASK_SYNC, hs_comm_wait_seconds(e->sys, from, bytes), from, e->sys->host, e->sys->host, moves[0].tensor, bytes, &wait);
  e->program->tasks[before].from_deps = early;
  e->slices[from].covered = newest;
  e->slices[from].covered_by = before;
  for (int i = 0; i < n; i++) moves[i].ready = wait;
}

static void gpu_to_host(struct hs_emitter *e, int from, struct hs_move *moves, int n)
{
  int host = e->sys->host;
  for (int i = 0; i < n; i++)
    if (!moves[i].early) moves[i].ready = hs_emit_early(e, from, &moves[i]);
  sync_host(e, from, moves, n);
  for (int i = 0; i < n; i++)
    step(e, HS_TASK_MAP, HS_MAP, from, host, host, moves[i].tensor, hs_place_bytes(e->sys, from, moves[i].elements), &moves[i].ready);
}

/* A remote graph gives its results when all of it has run. */
static void remote_to_host(struct hs_emitter *e, int from, struct hs_move *moves, int n)
{
  int host = e->sys->host;
  struct hs_deps all = {{0}};
  double bytes = 0;
  for (int i = 0; i < n; i++) {
    hs_deps_add(&all, &moves[i].ready);
    if (moves[i].ready.newest[from] > e->slices[from].first) all.newest[from] = e->slices[from].last + 1;
    bytes += hs_place_bytes(e->sys, from, moves[i].elements);
  }
  step(e, HS_TASK_RPC, HS_RPC, from, host, from, moves[0].tensor, bytes, &all);
  step(e, HS_TASK_SYNC, HS_SYNC, from, host, host, moves[0].tensor, bytes, &all);
  e->slices[from].open = false;
  for (int i = 0; i < n; i++) {
    moves[i].ready = all;
    step(e, HS_TASK_MAP, HS_MAP, from, host, host, moves[i].tensor, hs_place_bytes(e->sys, from, moves[i].elements), &moves[i].ready);
    if (hs_comm_converts(e->sys, from, host))
      step(e, HS_TASK_TRANSFORM, HS_TRANSFORM, from, host, host, moves[i].tensor, hs_place_bytes(e->sys, from, moves[i].elements), &moves[i].ready);
  }
}

static void host_to_gpu(struct hs_emitter *e, int to, struct hs_move *moves, int n)
{
  int host = e->sys->host;
  struct hs_deps mapped = {{0}};
  double bytes = 0;
  for (int i = 0; i < n; i++) {
    step(e, HS_TASK_MAP, HS_MAP, host, to, host, moves[i].tensor, hs_place_bytes(e->sys, host, moves[i].elements), &moves[i].ready);
    hs_deps_add(&mapped, &moves[i].ready);
    bytes += hs_place_bytes(e->sys, host, moves[i].elements);
  }
  step(e, HS_TASK_SYNC, HS_SYNC, host, to, host, moves[0].tensor, bytes, &mapped);
  for (int i = 0; i < n; i++) {
    moves[i].ready = mapped;
    if (hs_comm_converts(e->sys, host, to)) convert(e, host, to, &moves[i], &moves[i].ready);
  }
}

/* The host converts, so that what is mapped and given has the accelerator's precision. */
static void host_to_remote(struct hs_emitter *e, int to, struct hs_move *moves, int n)
{
  int host = e->sys->host;
  struct hs_deps mapped = {{0}};
  double bytes = 0;
  e->slices[to].open = false; /* a remote graph takes its inputs when it is invoked */
  for (int i = 0; i < n; i++) {
    if (hs_comm_converts(e->sys, host, to))
      step(e, HS_TASK_TRANSFORM, HS_TRANSFORM, host, to, host, moves[i].tensor, hs_place_bytes(e->sys, host, moves[i].elements), &moves[i].ready);
    step(e, HS_TASK_MAP, HS_MAP, host, to, host, moves[i].tensor, hs_place_bytes(e->sys, to, moves[i].elements), &moves[i].ready);
    hs_deps_add(&mapped, &moves[i].ready);
    bytes += hs_place_bytes(e->sys, to, moves[i].elements);
  }
  step(e, HS_TASK_SYNC, HS_SYNC, host, to, host, moves[0].tensor, bytes, &mapped);
  for (int i = 0; i < n; i++) moves[i].ready = mapped;
  hs_deps_add(&e->slices[to].given, &mapped);
  e->slices[to].given_bytes += bytes;
}

void hs_emit_crossing(struct hs_emitter *e, int from, int to, struct hs_move *moves, int n)
{
  if (from != e->sys->host)
    (kind_of(e, from) == HS_GPU ? gpu_to_host : remote_to_host)(e, from, moves, n);
  else
    (kind_of(e, to) == HS_GPU ? host_to_gpu : host_to_remote)(e, to, moves, n);
}
