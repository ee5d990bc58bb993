/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Random DAGs with random placements (whole, cut by height, channel and batch, in chains, with homes, on five processors): the
 * program keeps the order of the data, the run keeps every invariant and isn't faster than the estimate, and the relations of
 * scale hold. */
#include "tests/model/rig.h"

#include <gsl/gsl_rng.h>

#include "policies/policy.h"

enum { TRIALS = 500, RUNS = 60, TENSORS_MAX = 24 };

static int pick(gsl_rng *rng, int from, int to) { return from + (int)gsl_rng_uniform_int(rng, (unsigned long)(to - from + 1)); }
static bool chance(gsl_rng *rng, double p) { return gsl_rng_uniform(rng) < p; }

static gsl_rng *stream(const char *name, int trial)
{
  gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
  unsigned long seed = 5381;
  for (; *name; name++) seed = seed * 33 + (unsigned char)*name;
  gsl_rng_set(rng, seed + (unsigned long)trial);
  return rng;
}

/* --- networks --- */

struct tensors {
  int n;
  struct {
    int h, w, c, readers;
  } t[TENSORS_MAX];
};

/* Another tensor that fits an Add (same channels) or a Concat; or -1. */
static int partner(gsl_rng *rng, const struct tensors *x, int a, bool same_channels)
{
  int first = pick(rng, 0, x->n - 1);
  for (int k = 0; k < x->n; k++) {
    int b = (first + k) % x->n;
    if (b != a && x->t[b].h == x->t[a].h && x->t[b].w == x->t[a].w && (!same_channels || x->t[b].c == x->t[a].c)) return b;
  }
  return -1;
}

static void random_op(gsl_rng *rng, struct tensors *x, struct hs_text *ops)
{
  int a = chance(rng, 0.7) ? x->n - 1 : pick(rng, 0, x->n - 1), b, n = x->n++;
  int size = 1 + 2 * pick(rng, 0, 2), stride = chance(rng, 0.2) ? 2 : 1;
  hs_text_addf(ops, "%s{\"name\": \"t%d\", \"inputs\": [\"t%d\"", n > 1 ? ", " : "", n, a);
  x->t[n] = x->t[a];
  x->t[n].readers = 0;
  x->t[a].readers++;
  x->n--; /* a partner is an older tensor */
  switch (pick(rng, 0, 6)) {
  case 0:
    b = partner(rng, x, a, true);
    if (b >= 0) x->t[b].readers++;
    hs_text_addf(ops, b >= 0 ? ", \"t%d\"], \"op\": \"Add\"}" : "], \"op\": \"Relu\"}", b);
    break;
  case 1:
    b = partner(rng, x, a, false);
    if (b >= 0) {
      x->t[b].readers++;
      x->t[n].c += x->t[b].c;
    }
    hs_text_addf(ops, b >= 0 ? ", \"t%d\"], \"op\": \"Concat\"}" : "], \"op\": \"Tanh\"}", b);
    break;
  case 2: hs_text_addf(ops, "], \"op\": \"DepthwiseConv\", \"kernel\": [%d, 3], \"pad\": \"same\"}", size); break;
  case 3: hs_text_addf(ops, "], \"op\": \"MaxPool\", \"kernel\": [%d, %d], \"pad\": \"same\"}", size, size); break;
  default:
    x->t[n].c = pick(rng, 1, 40);
    x->t[n].h = (x->t[n].h + stride - 1) / stride;
    x->t[n].w = (x->t[n].w + stride - 1) / stride;
    hs_text_addf(ops, "], \"op\": \"Conv\", \"channels\": %d, \"kernel\": [%d, %d], \"stride\": [%d, %d], \"pad\": \"same\"}", x->t[n].c, size, size, stride, stride);
  }
  x->n++;
}

static void random_network(gsl_rng *rng, struct rig *r, int n)
{
  struct tensors x = {.n = 1};
  struct hs_text ops = {0}, outputs = {0}, net = {0};
  x.t[0].h = pick(rng, 8, 40);
  x.t[0].w = pick(rng, 5, 40);
  x.t[0].c = pick(rng, 1, 30);
  int batch = chance(rng, 0.2) ? 3 : 1, h = x.t[0].h, w = x.t[0].w, c = x.t[0].c;
  for (int i = 0; i < n; i++) random_op(rng, &x, &ops);
  for (int i = 1; i < x.n; i++)
    if (x.t[i].readers == 0 || chance(rng, 0.05)) hs_text_addf(&outputs, "%s\"t%d\"", outputs.len ? ", " : "", i);
  hs_text_addf(&net, "{\"format\": \"hetsim-workload/1\", \"name\": \"dag\", \"title\": \"t\", \"source\": \"s\", \"inputs\": [{\"name\": \"t0\", \"shape\": [%d, %d, %d, %d]}], "
                     "\"outputs\": [%s], \"ops\": [%s]}", batch, h, w, c, outputs.s, ops.s);
  rig_read_network(r, net.s);
  hs_text_free(&ops);
  hs_text_free(&outputs);
  hs_text_free(&net);
}

/* --- placements --- */

static int random_processor(gsl_rng *rng, const struct rig *r, const struct hs_operator *op)
{
  for (;;) {
    int p = pick(rng, 0, r->soc->n_processors - 1);
    double limit = r->soc->processors[p].slice_limit_bytes;
    if (hs_system_supports(&r->sys, r->graph, op, p, NULL, 0) && (limit <= 0 || hs_slice_bytes(&r->sys, r->graph, op, p) <= limit)) return p;
  }
}

/* Two to four parts, wherever the operator may run: also several on one processor, or a processor twice with another between. */
static void random_cut(gsl_rng *rng, const struct rig *r, const struct hs_operator *op, enum hs_split favourite, struct hs_op_placement *pl)
{
  enum hs_split split = chance(rng, 0.5) ? (enum hs_split)pick(rng, HS_SPLIT_HEIGHT, HS_SPLIT_BATCH) : favourite;
  if (!hs_splittable(r->graph, op, split)) return;
  int tenths = 10;
  *pl = (struct hs_op_placement){.split = split, .n_parts = chance(rng, 0.5) ? 2 : pick(rng, 3, HS_PARTS_MAX), .home = -1, .chain = -1};
  for (int k = 0; k < pl->n_parts; k++) {
    int left = pl->n_parts - 1 - k, share = left ? pick(rng, 1, tenths - left) : tenths;
    pl->parts[k] = (struct hs_part){random_processor(rng, r, op), 0.1 * share, -1};
    tenths -= share;
  }
}

static struct hs_placement *random_placement(gsl_rng *rng, struct rig *r)
{
  static const enum hs_split splits[] = {HS_SPLIT_HEIGHT, HS_SPLIT_HEIGHT, HS_SPLIT_CHANNEL, HS_SPLIT_BATCH};
  enum hs_split favourite = splits[pick(rng, 0, 3)];
  struct hs_placement *pl = hs_placement_new(&r->arena, r->graph->n_ops);
  pl->partial = true; /* until every operator has its place */
  for (int i = 0, chain = 0; i < pl->n_ops; i++) {
    const struct hs_operator *op = &r->graph->ops[i];
    struct hs_op_placement *x = &pl->ops[i], *before = i ? &pl->ops[i - 1] : NULL;
    hs_place_whole(x, random_processor(rng, r, op));
    if (chance(rng, 0.5)) random_cut(rng, r, op, favourite, x);
    if (before && before->n_parts > 1 && before->chain >= 0 && before->split == HS_SPLIT_HEIGHT && hs_splittable(r->graph, op, HS_SPLIT_HEIGHT) &&
        chance(rng, 0.6)) {
      *x = *before; /* a chain is cut alike */
      x->chain = chain;
    } else
      x->chain = chance(rng, 0.2) ? -1 : ++chain;
    if (chance(rng, 0.3)) x->home = pick(rng, 0, r->soc->n_processors - 1);
    while (x->home >= 0 && !r->sys.backends[x->home].available) x->home = pick(rng, 0, r->soc->n_processors - 1);
    for (int k = 0; k < x->n_parts; k++)
      if (chance(rng, 0.2)) x->parts[k].opp = 0;
    struct hs_error err;
    if (hs_placement_check(&r->sys, r->graph, pl, "random", &err) == HS_OK) continue;
    ck_assert_msg(strstr(err.text, "slice_limit_bytes"), "%s", err.text);
    hs_place_whole(x, CPU);
  }
  pl->partial = false;
  return pl;
}

static void open_random(gsl_rng *rng, struct rig *r)
{
  rig_open(r, chance(rng, 0.5) ? "tflite" : "mace");
  r->soc->memory.peak_bytes_per_s *= 0.5 + gsl_rng_uniform(rng);
  for (int p = 0; p < r->soc->n_processors; p++)
    for (int d = 0; d < r->soc->processors[p].n_domains; d++)
      for (int k = 0; k < HS_PRECISION_N; k++) r->soc->processors[p].domains[d].macs_per_cycle[k] *= 0.2 + gsl_rng_uniform(rng);
  random_network(rng, r, pick(rng, 2, 12));
}

/* Now and then kernels of the GPU are cut, and the host waits for them. */
static void limit_gpu(gsl_rng *rng, struct rig *r)
{
  struct hs_backend *b = &r->sys.backends[GPU];
  double start_s = b->kernel->overhead_cycles / r->soc->processors[GPU].domains[0].opps[b->opp[0]].freq_hz;
  if (chance(rng, 0.5)) b->kernel_s = start_s * (1.1 + 20 * gsl_rng_uniform(rng));
  if (chance(rng, 0.5)) b->window = pick(rng, 1, 6);
}

/* --- the order of the data --- */

/* The task of part k of operator i, its last launch, or -1 where it is empty: accelerators come first. */
static int task_of(const struct rig *r, const struct hs_program *prog, const struct hs_placement *pl, int i, int k)
{
  struct hs_range ranges[HS_PARTS_MAX];
  int tasks[HS_PARTS_MAX], n = 0, nth = 0;
  hs_placement_ranges(&r->sys, r->graph, &r->graph->ops[i], &pl->ops[i], ranges);
  if (ranges[k].split != HS_SPLIT_NONE && ranges[k].end <= ranges[k].begin) return -1;
  for (int t = 0; t < prog->n_tasks; t++)
    if (prog->tasks[t].kind == HS_TASK_EXEC && prog->tasks[t].op == i && (!prog->tasks[t].n_launches || prog->tasks[t].launch + 1 == prog->tasks[t].n_launches)) {
      ck_assert_int_lt(n, HS_PARTS_MAX);
      tasks[n++] = t;
    }
  bool cpu = r->soc->processors[pl->ops[i].parts[k].processor].kind == HS_CPU;
  for (int m = 0; m < pl->ops[i].n_parts; m++) {
    bool other = r->soc->processors[pl->ops[i].parts[m].processor].kind == HS_CPU;
    if (ranges[m].split != HS_SPLIT_NONE && ranges[m].end <= ranges[m].begin) continue;
    if (other < cpu || (other == cpu && m < k)) nth++;
  }
  ck_assert_int_lt(nth, n);
  ck_assert_int_eq(prog->tasks[tasks[nth]].processor, pl->ops[i].parts[k].processor);
  return tasks[nth];
}

/* What is sure to be done when a task starts: all it waits for, directly or not, and all before those in their queues. */
static bool *done_before(const struct hs_program *prog, int task)
{
  bool *done = calloc((size_t)prog->n_tasks, sizeof *done);
  done[task] = true;
  for (int t = task; t >= 0; t--) {
    if (!done[t]) continue;
    for (int k = 0; k < prog->tasks[t].n_deps; k++) done[prog->deps[prog->tasks[t].first_dep + k]] = true;
    for (int q = t - 1; q >= 0; q--)
      if (prog->tasks[q].processor == prog->tasks[t].processor) {
        done[q] = true;
        break;
      }
  }
  return done;
}

static struct hs_range computed(const struct rig *r, const struct hs_program *prog, const struct hs_placement *pl, int i, int k);

/* Does nothing but operator j read what i computes, each part of it on the same processor? */
static bool read_in_parts(const struct rig *r, const struct hs_program *prog, const struct hs_placement *pl, int i, int j)
{
  const struct hs_tensor *t = &r->graph->tensors[r->graph->ops[i].outputs[0]];
  bool in_parts = t->n_consumers == 1 && !t->is_output && r->graph->ops[i].n_outputs == 1 && pl->ops[i].n_parts == pl->ops[j].n_parts;
  for (int k = 0; k < pl->ops[j].n_parts && in_parts; k++) {
    struct hs_range part = computed(r, prog, pl, j, k);
    in_parts = part.begin < part.end && pl->ops[i].parts[k].processor == pl->ops[j].parts[k].processor;
  }
  return in_parts;
}

/* What part k of operator i computes: what its only reader's part needs in its chain, else its share, and the halo that later operators of the chain need. */
static struct hs_range computed(const struct rig *r, const struct hs_program *prog, const struct hs_placement *pl, int i, int k)
{
  const struct hs_op_placement *pi = &pl->ops[i];
  struct hs_range own[HS_PARTS_MAX], range;
  hs_placement_ranges(&r->sys, r->graph, &r->graph->ops[i], pi, own);
  range = own[k];
  for (int j = i + 1; j < prog->to_op && pi->chain >= 0 && pi->split == HS_SPLIT_HEIGHT; j++)
    for (int n = 0; n < r->graph->ops[j].n_inputs && pl->ops[j].chain == pi->chain; n++) {
      if (r->graph->tensors[r->graph->ops[j].inputs[n]].producer != i) continue;
      struct hs_range need = hs_input_range(r->graph, &r->graph->ops[j], n, computed(r, prog, pl, j, k));
      if (read_in_parts(r, prog, pl, i, j)) range = need;
      if (need.begin < range.begin) range.begin = need.begin;
      if (need.end > range.end) range.end = need.end;
    }
  return range;
}

static int place_of(const struct rig *r, int p) { return r->soc->processors[p].kind == HS_CPU ? CPU : p; }

/* Elements of a tensor that were mapped into a place by tasks that are done. */
static double arrived(const struct rig *r, const struct hs_program *prog, const bool *done, int tensor, int place)
{
  double sum = 0;
  for (int t = 0; t < prog->n_tasks; t++) {
    const struct hs_task *k = &prog->tasks[t];
    if (!done[t] || k->kind != HS_TASK_MAP || k->tensor != tensor || k->to != place) continue;
    sum += k->moved_bytes / hs_precision_bytes(r->sys.backends[k->to == DSP || k->to == NPU ? k->to : k->from].precision);
  }
  return sum;
}

/* Of what part k of operator j reads as input n, as much came to its place as wasn't computed there. */
static void check_arrivals(const struct rig *r, const struct hs_program *prog, const struct hs_placement *pl, int j, int k, int n, const bool *done)
{
  const struct hs_operator *op = &r->graph->ops[j];
  const struct hs_shape *shape = &r->graph->tensors[op->inputs[n]].shape;
  int i = r->graph->tensors[op->inputs[n]].producer, place = place_of(r, pl->ops[j].parts[k].processor);
  enum hs_split split = i < 0 ? HS_SPLIT_NONE : pl->ops[i].split;
  struct hs_range need = hs_input_range(r->graph, op, n, computed(r, prog, pl, j, k)), line = need;
  if (need.split != split) line = (struct hs_range){split, 0, hs_shape_extent(shape, split)};
  double lines = 0, all = hs_range_elements(shape, (struct hs_range){HS_SPLIT_NONE, 0, 1});
  for (int64_t x = line.begin; x < line.end; x++) {
    bool own = i < 0 && place == CPU;
    for (int m = 0; i >= 0 && m < pl->ops[i].n_parts; m++) {
      struct hs_range has = computed(r, prog, pl, i, m);
      own |= place_of(r, pl->ops[i].parts[m].processor) == place && task_of(r, prog, pl, i, m) >= 0 &&
             (split == HS_SPLIT_NONE || (x >= has.begin && x < has.end));
    }
    lines += !own;
  }
  double lacking = all * lines / (double)hs_shape_extent(shape, split);
  if (need.split != split && need.split != HS_SPLIT_NONE) lacking *= hs_range_elements(shape, need) / all;
  double came = arrived(r, prog, done, op->inputs[n], place);
  ck_assert_msg(came >= lacking * (1 - 1e-9), "part %d of operator %s needs %g elements of %s from elsewhere, %g came", k, op->name, lacking,
                r->graph->tensors[op->inputs[n]].name, came);
}

/* Every row (channel, image) that part k of operator j needs was computed before, by one part or another. */
static void check_reader(const struct rig *r, const struct hs_program *prog, const struct hs_placement *pl, int j, int k)
{
  const struct hs_operator *op = &r->graph->ops[j];
  int task = task_of(r, prog, pl, j, k);
  if (task < 0) return;
  bool *done = done_before(prog, task);
  for (int n = 0; n < op->n_inputs; n++) {
    int i = r->graph->tensors[op->inputs[n]].producer;
    check_arrivals(r, prog, pl, j, k, n, done);
    if (i < 0) continue;
    enum hs_split split = pl->ops[i].split;
    struct hs_range need = hs_input_range(r->graph, op, n, computed(r, prog, pl, j, k));
    if (need.split != split) need = (struct hs_range){split, 0, hs_split_extent(r->graph, &r->graph->ops[i], split)};
    for (int64_t x = need.begin; x < need.end; x++) {
      bool there = false;
      for (int m = 0; m < pl->ops[i].n_parts; m++) {
        int source = task_of(r, prog, pl, i, m);
        struct hs_range has = computed(r, prog, pl, i, m);
        there |= source >= 0 && done[source] && (split == HS_SPLIT_NONE || (x >= has.begin && x < has.end));
      }
      ck_assert_msg(there, "part %d of operator %s may start before %s %d of %s is there", k, op->name, hs_split_names[split], (int)x, r->graph->ops[i].name);
    }
  }
  free(done);
}

/* Does the host map this tensor after `task` is done? The CPUs' results are where the host is. */
static bool reaches_host(const struct rig *r, const struct hs_program *prog, int tensor, int task)
{
  bool after = r->soc->processors[prog->tasks[task].processor].kind == HS_CPU;
  for (int t = task + 1; t < prog->n_tasks && !after; t++) {
    if (prog->tasks[t].kind != HS_TASK_MAP || prog->tasks[t].tensor != tensor) continue;
    bool *done = done_before(prog, t);
    after = done[task];
    free(done);
  }
  return after;
}

/* A tensor ends in the host's memory, every row of it. */
static void check_output(const struct rig *r, const struct hs_program *prog, const struct hs_placement *pl, int tensor)
{
  int i = r->graph->tensors[tensor].producer;
  int64_t extent = hs_split_extent(r->graph, &r->graph->ops[i], pl->ops[i].split);
  for (int64_t x = 0; x < extent; x++) {
    bool there = false;
    for (int k = 0; k < pl->ops[i].n_parts && !there; k++) {
      int task = task_of(r, prog, pl, i, k);
      struct hs_range has = computed(r, prog, pl, i, k);
      if (task < 0 || (has.split != HS_SPLIT_NONE && (x < has.begin || x >= has.end))) continue;
      there = reaches_host(r, prog, tensor, task);
    }
    ck_assert_msg(there, "%d of output %s does not reach the host", (int)x, r->graph->tensors[tensor].name);
  }
}

static void check_outputs(const struct rig *r, const struct hs_program *prog, const struct hs_placement *pl)
{
  for (int o = 0; o < r->graph->n_outputs; o++) check_output(r, prog, pl, r->graph->outputs[o]);
}

START_TEST(data_comes_before_its_readers)
{
  for (int trial = 0; trial < TRIALS; trial++) {
    struct rig r;
    gsl_rng *rng = stream("order", trial);
    open_random(rng, &r);
    limit_gpu(rng, &r);
    struct hs_placement *pl = random_placement(rng, &r);
    struct hs_program *prog = rig_lower(&r, pl);
    for (int j = 0; j < r.graph->n_ops; j++)
      for (int k = 0; k < pl->ops[j].n_parts; k++) check_reader(&r, prog, pl, j, k);
    check_outputs(&r, prog, pl);
    for (int t = 0; t < prog->n_tasks; t++) {
      ck_assert(prog->tasks[t].delay_s >= 0 && prog->tasks[t].moved_bytes >= 0);
      for (int k = 0; k < prog->tasks[t].n_deps; k++) ck_assert_int_lt(prog->deps[prog->tasks[t].first_dep + k], t);
    }
    hs_program_free(prog);
    rig_close(&r);
    gsl_rng_free(rng);
  }
}
END_TEST

START_TEST(runs_keep_the_invariants)
{
  for (int trial = 0; trial < RUNS; trial++) {
    struct rig r;
    gsl_rng *rng = stream("runs", trial);
    struct hs_estimate e;
    open_random(rng, &r);
    limit_gpu(rng, &r);
    struct hs_placement *pl = random_placement(rng, &r);
    struct hs_program *prog = rig_lower(&r, pl);
    hs_estimate_program(&r.sys, prog, &e, NULL, NULL);
    struct rig_run *run = rig_run(&r, pl, prog, 2); /* asserts hs_check_run() */
    ck_assert_int_eq(run->n_requests, 2);
    ck_assert_double_ge(run->latency_s[0], e.latency_s * (1 - 1e-9)); /* in-order queues: delays never help */
    ck_assert_double_ge(run->summary.energy_j, e.energy_j * (1 - 1e-9));
    rig_derive("second inference", "first", run->latency_s[1], run->latency_s[0], 1e-9);
    rig_run_free(run);
    hs_program_free(prog);
    rig_close(&r);
    gsl_rng_free(rng);
  }
}
END_TEST

/* As many launches as the result has rows (or fours of channels): shorter they can't be. */
static bool is_one_row(const struct rig *r, const struct hs_task *t)
{
  const struct hs_shape *s = &r->graph->tensors[t->tensor].shape;
  int64_t rows = s->rank == 4 && s->dim[1] > 1 ? s->dim[0] * s->dim[1] : (hs_shape_elements(s) + 3) / 4;
  return t->n_launches == rows;
}

/* On the GPU alone nothing runs meanwhile: limits only add start-ups and waiting, the engine sees them as the estimate does, and nothing but
 * a single row is longer than allowed. */
START_TEST(limits_of_the_gpu_cost_time)
{
  int cut = 0, waits = 0;
  for (int trial = 0; trial < RUNS; trial++) {
    struct rig r;
    gsl_rng *rng = stream("limits", trial);
    struct hs_estimate before, after;
    open_random(rng, &r);
    for (int i = 0; i < r.graph->n_ops; i++) r.graph->ops[i].override[HS_GPU] = true;
    struct hs_placement *pl = rig_place_all(&r, GPU);
    struct hs_program *whole = rig_lower(&r, pl);
    limit_gpu(rng, &r);
    struct hs_program *prog = rig_lower(&r, pl);
    hs_estimate_program(&r.sys, whole, &before, NULL, NULL);
    hs_estimate_program(&r.sys, prog, &after, NULL, NULL);
    ck_assert_double_ge(after.latency_s, before.latency_s * (1 - 1e-12));
    ck_assert_double_ge(after.energy_j, before.energy_j * (1 - 1e-12));
    for (int t = 0; t < prog->n_tasks; t++) {
      const struct hs_task *k = &prog->tasks[t];
      cut += k->n_launches > 0;
      waits += k->kind == HS_TASK_SYNC && k->tensor < 0;
      if (k->n_launches && !is_one_row(&r, k)) ck_assert_double_le(hs_task_seconds(&r.sys, k), r.sys.backends[GPU].kernel_s);
    }
    struct rig_run *run = rig_run(&r, pl, prog, 2);
    rig_derive("limited", "estimate", run->latency_s[0], after.latency_s, 1e-9);
    rig_derive("limited, energy", "estimate", run->summary.energy_j, after.energy_j, 1e-9);
    rig_run_free(run);
    hs_program_free(whole);
    hs_program_free(prog);
    rig_close(&r);
    gsl_rng_free(rng);
  }
  ck_assert_int_gt(cut, RUNS);
  ck_assert_int_gt(waits, RUNS);
}
END_TEST

/* --- pieces --- */

static struct hs_program *lower_piece(const struct rig *r, const struct hs_placement *pl, int from, int to)
{
  struct hs_error err;
  struct hs_program *prog = NULL;
  hs_test_accepted(hs_lower_piece(&r->sys, r->graph, pl, from, to, &prog, &err), &err);
  return prog;
}

static double seconds(const struct rig *r, const struct hs_program *prog)
{
  struct hs_estimate e;
  hs_estimate_program(&r->sys, prog, &e, NULL, NULL);
  return e.latency_s;
}

/* What is read of before the piece comes from the host, what is read after it ends there. */
static void check_piece(const struct rig *r, const struct hs_program *prog, const struct hs_placement *pl)
{
  struct hs_error err;
  hs_test_accepted(hs_check_program(&r->sys, prog, &err), &err);
  ck_assert_int_eq(prog->n_ops, prog->to_op - prog->from_op);
  for (int i = prog->from_op; i < prog->to_op; i++)
    for (int o = 0; o < r->graph->ops[i].n_outputs; o++) {
      int tensor = r->graph->ops[i].outputs[o];
      bool needed = r->graph->tensors[tensor].is_output;
      for (int k = prog->to_op; k < r->graph->n_ops; k++)
        for (int n = 0; n < r->graph->ops[k].n_inputs; n++) needed |= r->graph->ops[k].inputs[n] == tensor;
      if (needed) check_output(r, prog, pl, tensor);
    }
}

/* The sum over pieces, cut anywhere. */
static double in_pieces(gsl_rng *rng, const struct rig *r, const struct hs_placement *pl)
{
  double sum = 0;
  for (int from = 0, to; from < pl->n_ops; from = to) {
    to = pick(rng, from + 1, pl->n_ops);
    struct hs_program *piece = lower_piece(r, pl, from, to);
    check_piece(r, piece, pl);
    sum += seconds(r, piece);
    hs_program_free(piece);
  }
  return sum;
}

START_TEST(pieces_keep_the_invariants)
{
  for (int trial = 0; trial < TRIALS; trial++) {
    struct rig r;
    gsl_rng *rng = stream("pieces", trial);
    open_random(rng, &r);
    limit_gpu(rng, &r);
    struct hs_placement *pl = random_placement(rng, &r);
    struct hs_program *whole = rig_lower(&r, pl), *same = lower_piece(&r, pl, 0, pl->n_ops);
    ck_assert_int_eq(same->n_tasks, whole->n_tasks);
    ck_assert_double_eq(seconds(&r, same), seconds(&r, whole));
    in_pieces(rng, &r, pl);
    hs_program_free(whole);
    hs_program_free(same);
    rig_close(&r);
    gsl_rng_free(rng);
  }
}
END_TEST

static void random_line(gsl_rng *rng, struct rig *r)
{
  struct hs_text ops = {0}, net = {0};
  int n = pick(rng, 2, 12);
  for (int i = 1; i <= n; i++) {
    hs_text_addf(&ops, "%s{\"name\": \"t%d\", \"inputs\": [\"t%d\"], ", i > 1 ? ", " : "", i, i - 1);
    if (chance(rng, 0.5))
      hs_text_addf(&ops, "\"op\": \"Conv\", \"channels\": %d, \"kernel\": [3, 3], \"pad\": \"same\"}", pick(rng, 1, 40));
    else
      hs_text_add(&ops, "\"op\": \"Tanh\"}");
  }
  hs_text_addf(&net, "{\"format\": \"hetsim-workload/1\", \"name\": \"line\", \"title\": \"t\", \"source\": \"s\", "
                     "\"inputs\": [{\"name\": \"t0\", \"shape\": [1, %d, %d, %d]}], \"outputs\": [\"t%d\"], \"ops\": [%s]}",
               pick(rng, 8, 40), pick(rng, 5, 40), pick(rng, 1, 30), n, ops.s);
  rig_read_network(r, net.s);
  hs_text_free(&ops);
  hs_text_free(&net);
}

/* Whole operators one after the other, each of which reads the one before: every task of the whole is in some piece, a cut adds the way
 * through the host where there was none, and nothing of a piece overlaps the next. So pieces take no less than the whole, and just as
 * long where all is on a CPU. (In general they may: a crossing at a cut can serve several tensors at once, which the whole moves one by one;
 * and a chain that is cut computes less halo.) */
START_TEST(pieces_take_no_less_than_the_whole)
{
  int longer = 0;
  for (int trial = 0; trial < TRIALS; trial++) {
    struct rig r;
    gsl_rng *rng = stream("line", trial);
    rig_open(&r, chance(rng, 0.5) ? "tflite" : "mace");
    random_line(rng, &r);
    struct hs_placement *pl = hs_placement_new(&r.arena, r.graph->n_ops);
    bool cpu = chance(rng, 0.2);
    for (int i = 0, p = CPU; i < pl->n_ops; i++) {
      if (!cpu && (i == 0 || chance(rng, 0.4))) p = random_processor(rng, &r, &r.graph->ops[i]);
      hs_place_whole(&pl->ops[i], p);
    }
    struct hs_program *whole = rig_lower(&r, pl);
    double sum = in_pieces(rng, &r, pl), all = seconds(&r, whole);
    ck_assert_msg(sum >= all * (1 - 1e-9), "trial %d: pieces %g s, whole %g s", trial, sum, all);
    if (cpu) ck_assert_double_eq_tol(sum, all, 1e-9 * all);
    longer += sum > all * (1 + 1e-9);
    hs_program_free(whole);
    rig_close(&r);
    gsl_rng_free(rng);
  }
  ck_assert_int_gt(longer, TRIALS / 4);
}
END_TEST

/* --- scale --- */

static struct hs_estimate estimate(const struct rig *r, const struct hs_placement *pl)
{
  struct hs_estimate e;
  struct hs_program *prog = rig_lower(r, pl);
  hs_estimate_program(&r->sys, prog, &e, NULL, NULL);
  hs_program_free(prog);
  return e;
}

static void double_all_rates(struct hs_soc *soc)
{
  soc->memory.peak_bytes_per_s *= 2;
  for (int p = 0; p < soc->n_processors; p++) {
    soc->processors[p].bandwidth_bytes_per_s *= 2;
    for (int d = 0; d < soc->processors[p].n_domains; d++) {
      soc->processors[p].domains[d].bandwidth_per_core_bytes_per_s *= 2;
      for (int i = 0; i < soc->processors[p].domains[d].n_opps; i++) soc->processors[p].domains[d].opps[i].freq_hz *= 2;
    }
  }
  for (int from = 0; from < HS_KIND_N; from++)
    for (int to = 0; to < HS_KIND_N; to++)
      for (int k = 0; k < HS_COMM_N; k++) {
        soc->sharing[from][to][k].fixed_s /= 2;
        soc->sharing[from][to][k].s_per_byte /= 2;
      }
}

START_TEST(doubled_rates_halve_time_and_energy)
{
  for (int trial = 0; trial < TRIALS; trial++) {
    struct rig r;
    gsl_rng *rng = stream("double", trial);
    open_random(rng, &r);
    struct hs_placement *pl = random_placement(rng, &r);
    struct hs_estimate before = estimate(&r, pl);
    double_all_rates(r.soc);
    for (int p = 0; p < r.soc->n_processors; p++) r.sys.backends[p].spin_s /= 2;
    struct hs_estimate after = estimate(&r, pl);
    ck_assert_near(after.latency_s, before.latency_s / 2);
    ck_assert_near(after.energy_j, before.energy_j / 2); /* the same power, half the time */
    rig_close(&r);
    gsl_rng_free(rng);
  }
}
END_TEST

START_TEST(faster_hardware_is_never_slower)
{
  for (int trial = 0; trial < TRIALS; trial++) {
    struct rig r;
    gsl_rng *rng = stream("faster", trial);
    open_random(rng, &r);
    struct hs_placement *pl = random_placement(rng, &r);
    double best = estimate(&r, pl).latency_s, at;
    int p = pick(rng, 0, r.soc->n_processors - 1), opp[HS_DOMAINS_MAX];
    memcpy(opp, r.sys.backends[p].opp, sizeof opp);
    memset(r.sys.backends[p].opp, 0, sizeof opp);
    ck_assert_double_ge(estimate(&r, pl).latency_s, best);
    memcpy(r.sys.backends[p].opp, opp, sizeof opp);
    r.soc->processors[p].bandwidth_bytes_per_s *= 1.7;
    at = estimate(&r, pl).latency_s;
    ck_assert_double_le(at, best);
    r.soc->memory.peak_bytes_per_s *= 1.3;
    ck_assert_double_le(estimate(&r, pl).latency_s, at);
    rig_close(&r);
    gsl_rng_free(rng);
  }
}
END_TEST

/* --- names and numbers of processors --- */

#define PERMUTED(a, b, c) RIG_HEAD("x", "2e9", "13e9") RIG_CPU "," a "," b "," c "," RIG_LITTLE "], 'sharing_costs': [" \
                          RIG_SHARE_NPU "," RIG_SHARE_DSP "," RIG_SHARE_GPU RIG_TAIL

START_TEST(order_in_the_file_changes_nothing)
{
  static const char *const socs[] = {RIG_PHONE("2e9"), PERMUTED(RIG_NPU, RIG_DSP, RIG_GPU), PERMUTED(RIG_DSP, RIG_GPU, RIG_NPU)};
  static const char *const policies[] = {"cpu", "cpu-little", "gpu", "dsp", "npu"};
  for (int trial = 0; trial < 20; trial++)
    for (int k = 0; k < 5; k++) {
      struct hs_estimate e[3];
      double peak[3];
      for (int i = 0; i < 3; i++) {
        struct rig r;
        struct hs_error err;
        struct hs_settings s = rig_settings("tflite");
        gsl_rng *rng = stream("permuted", trial);
        hs_test_accepted(rig_try(&r, socs[i], NULL, RIG_TFLITE, &s, &err), &err);
        random_network(rng, &r, pick(rng, 2, 12));
        for (int o = 0; o < r.graph->n_ops; o++) /* holes in the masks, so that fallback crosses */
          for (int kind = HS_GPU; kind < HS_KIND_N; kind++) r.graph->ops[o].override[kind] = chance(rng, 0.7);
        const struct hs_view v = {&r.sys, r.graph, NULL};
        struct hs_placement *pl = hs_placement_new(&r.arena, r.graph->n_ops);
        hs_test_accepted(hs_policy_find(policies[k])->plan(&v, pl, &err), &err);
        e[i] = estimate(&r, pl);
        struct hs_program *prog = rig_lower(&r, pl);
        peak[i] = prog->peak_memory_bytes;
        hs_program_free(prog);
        rig_close(&r);
        gsl_rng_free(rng);
      }
      for (int i = 1; i < 3; i++) {
        ck_assert_near(e[i].latency_s, e[0].latency_s);
        ck_assert_near(e[i].energy_j, e[0].energy_j);
        ck_assert_double_eq(peak[i], peak[0]);
      }
    }
}
END_TEST

static void fill(TCase *t)
{
  tcase_add_test(t, data_comes_before_its_readers);
  tcase_add_test(t, runs_keep_the_invariants);
  tcase_add_test(t, limits_of_the_gpu_cost_time);
  tcase_add_test(t, pieces_keep_the_invariants);
  tcase_add_test(t, pieces_take_no_less_than_the_whole);
  tcase_add_test(t, doubled_rates_halve_time_and_energy);
  tcase_add_test(t, faster_hardware_is_never_slower);
  tcase_add_test(t, order_in_the_file_changes_nothing);
}

int main(void) { return hs_test_main("random", fill); }
