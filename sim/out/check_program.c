/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "out/check.h"

static const double TOLERANCE = 1e-9;

struct check {
  const struct hs_system *sys;
  const struct hs_program *prog;
  const struct hs_graph *g;
  const struct hs_placement *pl;
  struct hs_error *err;
};

static enum hs_status breach(const struct check *c, int task, const char *rule)
{
  char label[140];
  return hs_fail(c->err, HS_UNMET, "invariant broken: task %d (%s, on %s): %s", task, hs_task_label(c->prog, task, label, sizeof label),
                 c->sys->soc->processors[c->prog->tasks[task].processor].name, rule);
}

/* --- tasks --- */

/* Elements that a step moves. A conversion takes the source as it is; a DSP or NPU is given what the host has converted. */
static double moved_elements(const struct hs_system *sys, const struct hs_task *t)
{
  bool given = t->kind != HS_TASK_TRANSFORM && t->from == sys->host && sys->soc->processors[t->to].kind != HS_GPU;
  return t->moved_bytes / hs_precision_bytes(sys->backends[given ? t->to : t->from].precision);
}

/* Does t move one tensor? SYNC and RPC may serve several. */
static bool moves_one(const struct hs_task *t) { return t->tensor >= 0 && t->from != t->to && (t->kind == HS_TASK_MAP || t->kind == HS_TASK_TRANSFORM); }

static enum hs_status check_tasks(const struct check *c)
{
  for (int i = 0; i < c->prog->n_tasks; i++) {
    const struct hs_task *t = &c->prog->tasks[i];
    if (t->op < c->prog->from_op || t->op >= c->prog->to_op) return breach(c, i, "is of an operator outside the piece");
    if (t->kind == HS_TASK_EXEC && !hs_system_supports(c->sys, c->g, &c->g->ops[t->op], t->processor, NULL, 0))
      return breach(c, i, "ran where its mask forbids");
    if (!moves_one(t)) continue;
    double elements = (double)hs_shape_elements(&c->g->tensors[t->tensor].shape);
    if (moved_elements(c->sys, t) > elements * (1 + TOLERANCE)) return breach(c, i, "moved more bytes than its tensor has");
  }
  return HS_OK;
}

/* --- parts --- */

/* A kernel in several launches: is t the one that must follow `last` (the EXEC before it on its processor, or NULL)? */
static bool follows(const struct hs_task *t, const struct hs_task *last)
{
  bool goes_on = last && last->launch + 1 < last->n_launches;
  if (t->launch == 0) return !goes_on;
  return goes_on && t->launch == last->launch + 1 && t->n_launches == last->n_launches && t->op == last->op && t->opp == last->opp;
}

/* The first part of op that `t` can be and that none before it was (a bit of *ran each), or -1. */
static int part_of(const struct hs_op_placement *pl, const struct hs_range *ranges, const struct hs_task *t, unsigned ran)
{
  for (int k = 0; k < pl->n_parts; k++)
    if (!(ran >> k & 1) && ranges[k].begin < ranges[k].end && pl->parts[k].processor == t->processor && pl->parts[k].opp == t->opp) return k;
  return -1;
}

static enum hs_status not_in_parts(const struct check *c, int op)
{
  return hs_fail(c->err, HS_UNMET, "invariant broken: operator \"%s\" did not run in its parts", c->g->ops[op].name);
}

/* Every part that isn't empty ran once, with all its launches, and no kernel is without a part. */
static enum hs_status check_parts(const struct check *c, unsigned *ran)
{
  struct hs_range ranges[HS_PARTS_MAX];
  const struct hs_task *last[HS_PROCESSORS_MAX] = {NULL};
  for (int i = 0; i < c->prog->n_tasks; i++) {
    const struct hs_task *t = &c->prog->tasks[i];
    if (t->kind != HS_TASK_EXEC) continue;
    if (!follows(t, last[t->processor])) return not_in_parts(c, t->op);
    last[t->processor] = t;
    if (t->launch > 0) continue;
    hs_placement_ranges(c->sys, c->g, &c->g->ops[t->op], &c->pl->ops[t->op], ranges);
    int k = part_of(&c->pl->ops[t->op], ranges, t, ran[t->op]);
    if (k < 0) return not_in_parts(c, t->op);
    ran[t->op] |= 1u << k;
  }
  for (int p = 0; p < c->sys->soc->n_processors; p++)
    if (last[p] && last[p]->launch + 1 < last[p]->n_launches) return not_in_parts(c, last[p]->op);
  for (int op = c->prog->from_op; op < c->prog->to_op; op++) {
    const struct hs_op_placement *pl = &c->pl->ops[op];
    hs_placement_ranges(c->sys, c->g, &c->g->ops[op], pl, ranges);
    for (int k = 0; k < pl->n_parts; k++)
      if (ranges[k].begin < ranges[k].end && !(ran[op] >> k & 1)) return not_in_parts(c, op);
  }
  return HS_OK;
}

/* --- moves --- */

/* Dimensions in which a tensor was or is cut: a place may come to hold an element once in each. A bit of *cuts[tensor] each. */
static void list_cuts(const struct check *c, unsigned *cuts)
{
  for (int i = c->prog->from_op; i < c->prog->to_op; i++) {
    const struct hs_operator *op = &c->g->ops[i];
    enum hs_split split = c->pl->ops[i].split;
    if (split == HS_SPLIT_NONE) continue;
    for (int o = 0; o < op->n_outputs; o++) cuts[op->outputs[o]] |= 1u << split;
    for (int n = 0; n < op->n_inputs; n++) {
      struct hs_range in = hs_input_range(c->g, op, n, (struct hs_range){split, 0, 1});
      if (in.split != HS_SPLIT_NONE) cuts[op->inputs[n]] |= 1u << in.split;
    }
  }
}

static bool chain_goes_on(const struct check *c, int i) { return i + 1 < c->prog->to_op && hs_placement_chained(c->pl, i); }

/* The accelerator in whose memory an operator's result is brought together, so that the host gives up what it has of it; -1: none. */
static int accelerator_home(const struct check *c, int i)
{
  const struct hs_op_placement *pl = &c->pl->ops[i];
  int home = pl->home >= 0 ? pl->home : pl->parts[0].processor;
  return !chain_goes_on(c, i) && (pl->home >= 0 || pl->n_parts > 1) && c->sys->soc->processors[home].kind != HS_CPU ? home : -1;
}

/* Does a slice on this accelerator end with operator i, its result in the host's memory? The accelerator then gives up what the host has too. */
static bool closes_slice(const struct check *c, int i, int place)
{
  const struct hs_op_placement *pl = &c->pl->ops[i];
  return pl->chain >= 0 && !chain_goes_on(c, i) && pl->n_parts == 1 && pl->parts[0].processor == place && pl->home >= 0 &&
         c->sys->soc->processors[pl->home].kind == HS_CPU && c->sys->soc->processors[place].kind != HS_CPU;
}

static bool reads_on(const struct check *c, int i, int tensor, int place)
{
  bool reads = false, there = false;
  for (int n = 0; n < c->g->ops[i].n_inputs; n++) reads |= c->g->ops[i].inputs[n] == tensor;
  for (int k = 0; k < c->pl->ops[i].n_parts; k++) there |= c->pl->ops[i].parts[k].processor == place;
  return reads && there;
}

/* How often an accelerator may need a tensor again that it gave up. */
static int needed_again(const struct check *c, int tensor, int place)
{
  int from = c->g->tensors[tensor].producer, times = 0;
  bool given_up = false;
  for (int i = from > c->prog->from_op ? from : c->prog->from_op; i < c->prog->to_op; i++) {
    bool again = given_up && reads_on(c, i, tensor, place);
    times += again;
    given_up = closes_slice(c, i, place) || (given_up && !again);
  }
  return times;
}

/* How often the host may give up what it has of a tensor, and so have to fetch all of it again: whoever reads it there for an accelerator's memory does. */
static int times_given_up(const struct check *c, int tensor)
{
  int times = 0;
  for (int i = c->prog->from_op; i < c->prog->to_op; i++) {
    const struct hs_op_placement *pl = &c->pl->ops[i];
    bool reads = false, there = false;
    for (int n = 0; n < c->g->ops[i].n_inputs; n++) reads |= c->g->ops[i].inputs[n] == tensor;
    for (int k = 0; k < pl->n_parts; k++) there |= c->sys->soc->processors[pl->parts[k].processor].kind == HS_CPU;
    times += reads && there && pl->home >= 0 && c->sys->soc->processors[pl->home].kind != HS_CPU;
  }
  return times;
}

/* Elements of a tensor that its place doesn't compute itself and so may have to be moved there; the halo is left out. What is of
 * before the piece lies with the host. */
static double lacking(const struct check *c, int tensor, int place, unsigned cuts)
{
  const struct hs_shape *shape = &c->g->tensors[tensor].shape;
  double all = (double)hs_shape_elements(shape), own = 0;
  int producer = c->g->tensors[tensor].producer, dimensions = 0;
  if (producer < c->prog->from_op) {
    own = place == c->sys->host ? all : 0;
  } else {
    const struct hs_op_placement *pl = &c->pl->ops[producer];
    struct hs_range ranges[HS_PARTS_MAX];
    hs_placement_ranges(c->sys, c->g, &c->g->ops[producer], pl, ranges);
    int home = place == c->sys->host ? accelerator_home(c, producer) : -1;
    for (int k = 0; k < pl->n_parts; k++) {
      int p = pl->parts[k].processor;
      bool on_cpu = c->sys->soc->processors[p].kind == HS_CPU;
      if (home < 0 && (on_cpu ? c->sys->host : p) == place) own += hs_range_elements(shape, ranges[k]);
      if (home >= 0 && !on_cpu && p != home) own -= hs_range_elements(shape, ranges[k]); /* passed through on its way */
    }
  }
  for (; cuts; cuts &= cuts - 1) dimensions++;
  if (dimensions == 0) dimensions = 1;
  int again = needed_again(c, tensor, place) + (place == c->sys->host && producer >= c->prog->from_op ? times_given_up(c, tensor) : 0);
  return (own >= all ? 0 : all * dimensions - own) + all * dimensions * again;
}

/* What came to a place of a tensor, all moves together. moved[tensor][place] is zeroed. */
static enum hs_status check_moves(const struct check *c, enum hs_task_kind kind, const unsigned *cuts, double *moved)
{
  int n = c->sys->soc->n_processors;
  for (int i = 0; i < c->prog->n_tasks; i++) {
    const struct hs_task *t = &c->prog->tasks[i];
    if (t->kind != kind || !moves_one(t)) continue;
    double *sum = &moved[t->tensor * n + t->to];
    *sum += moved_elements(c->sys, t);
    if (*sum > lacking(c, t->tensor, t->to, cuts[t->tensor]) * (1 + TOLERANCE))
      return hs_fail(c->err, HS_UNMET, "invariant broken: task %d (%s): more of \"%s\" came to %s than that lacked", i, hs_task_kind_names[kind],
                     c->g->tensors[t->tensor].name, c->sys->soc->processors[t->to].name);
  }
  return HS_OK;
}

enum hs_status hs_check_program(const struct hs_program *prog, struct hs_error *err)
{
  const struct hs_system *sys = prog->sys;
  const struct check c = {sys, prog, prog->graph, prog->placement, err};
  struct hs_arena scratch = {0};
  size_t places = (size_t)sys->soc->n_processors, n = (size_t)c.g->n_tensors;
  unsigned *cuts = HS_NEW_ARRAY(&scratch, unsigned, n);
  list_cuts(&c, cuts);
  enum hs_status status = check_tasks(&c);
  if (!status) status = check_parts(&c, HS_NEW_ARRAY(&scratch, unsigned, (size_t)c.g->n_ops));
  if (!status) status = check_moves(&c, HS_TASK_MAP, cuts, HS_NEW_ARRAY(&scratch, double, n * places));
  if (!status) status = check_moves(&c, HS_TASK_TRANSFORM, cuts, HS_NEW_ARRAY(&scratch, double, n * places));
  hs_arena_free(&scratch);
  if (!status && prog->peak_memory_bytes > sys->soc->memory.capacity_bytes)
    return hs_fail(err, HS_UNMET, "invariant broken: more memory in use than there is");
  return status;
}
