/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What random placements are lowered to: the program keeps the order of the data, whole and in pieces, and pieces take no less than the whole. */
#include "tests/model/random.h"

/* The task of part k of operator i, its last launch, or -1 where it is empty: accelerators come first. */
static int task_of(const struct rig *r, const struct hs_program *prog, const struct hs_placement *pl, int i, int k)
{
  struct hs_range ranges[HS_PARTS_MAX];
  int tasks[HS_PARTS_MAX], n = 0, nth = 0;
  hs_placement_ranges(&r->sys, r->graph, &r->graph->ops[i], &pl->ops[i], ranges);
  if (ranges[k].split != HS_SPLIT_NONE && ranges[k].end <= ranges[k].begin) return -1;
  for (int t = 0; t < prog->n_tasks; t++)
    if (prog->tasks[t].kind == HS_TASK_EXEC && prog->tasks[t].op == i &&
        (!prog->tasks[t].n_launches || prog->tasks[t].launch + 1 == prog->tasks[t].n_launches)) {
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
  hs_test_accepted(hs_check_program(prog, &err), &err);
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

static void fill(TCase *t)
{
  tcase_add_test(t, data_comes_before_its_readers);
  tcase_add_test(t, pieces_keep_the_invariants);
  tcase_add_test(t, pieces_take_no_less_than_the_whole);
}

int main(void) { return hs_test_main("random_programs", fill); }
