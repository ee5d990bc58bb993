/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plan/placement.h"

#include <assert.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "model/products.h"

struct hs_placement *hs_placement_new(struct hs_arena *a, int n_ops)
{
  struct hs_placement *pl = HS_NEW(a, struct hs_placement);
  pl->arena = a;
  pl->n_ops = n_ops;
  pl->ops = HS_NEW_ARRAY(a, struct hs_op_placement, (size_t)n_ops);
  return pl;
}

void hs_placement_release(struct hs_placement *pl)
{
  if (!pl) return;
  if (!pl->shares) hs_graph_free(pl->rewritten);
  pl->rewritten = NULL;
  pl->shares = false;
}

void hs_placement_rewrite(struct hs_placement *pl, struct hs_graph *rewritten)
{
  assert(rewritten);
  hs_placement_release(pl);
  pl->rewritten = rewritten;
  pl->n_ops = rewritten->n_ops;
  pl->ops = HS_NEW_ARRAY(pl->arena, struct hs_op_placement, (size_t)rewritten->n_ops);
}

void hs_placement_share(struct hs_placement *pl, const struct hs_placement *with)
{
  if (!with->rewritten) return;
  hs_placement_rewrite(pl, with->rewritten);
  pl->shares = true;
}

const struct hs_graph *hs_placement_graph(const struct hs_placement *pl, const struct hs_graph *given) { return pl->rewritten ? pl->rewritten : given; }

void hs_place_whole(struct hs_op_placement *op, int p)
{
  *op = (struct hs_op_placement){.split = HS_SPLIT_NONE, .n_parts = 1, .parts = {{p, 1, -1}}, .home = -1, .chain = -1};
}

/* Does a kernel of p compute operator i, all of it? What is nothing there hands on what it reads. */
static bool computed_by(const struct hs_system *sys, const struct hs_graph *g, const struct hs_placement *pl, int i, int p, int from, int to)
{
  while (i >= from && i < to && !hs_placement_elsewhere(pl, i, p)) {
    if (hs_cost_joined_to(sys, g, &g->ops[i], p) != i) return true;
    i = g->tensors[g->ops[i].inputs[0]].producer;
  }
  return false;
}

/* Does operator i, behind `before`, read what that makes, if only through others? */
static bool depends_on(const struct hs_graph *g, int i, int before)
{
  bool *depends = hs_realloc(NULL, (size_t)(i - before + 1), sizeof *depends); /* of before + k */
  depends[0] = true;
  for (int k = 1; k <= i - before; k++) {
    const struct hs_operator *op = &g->ops[before + k];
    depends[k] = false;
    for (int n = 0; n < op->n_inputs; n++) {
      int producer = g->tensors[op->inputs[n]].producer;
      depends[k] |= producer >= before && depends[producer - before];
    }
  }
  bool found = depends[i - before];
  free(depends);
  return found;
}

/* The kernel that operator i is joined to starts before i's other operands are asked for. Is each of them there by then, as it is made on p as well, before
 * the program, or by what the kernel waits for? */
static bool operands_come_first(const struct hs_graph *g, const struct hs_placement *pl, int i, int kernel, int p, int from)
{
  for (int n = 0; n < g->ops[i].n_inputs; n++) {
    int producer = g->tensors[g->ops[i].inputs[n]].producer;
    if (producer >= from && producer < kernel && hs_placement_elsewhere(pl, producer, p) && !depends_on(g, kernel, producer)) return false;
  }
  return true;
}

/* Does operator i read a Pad that would be joined to it on p, but runs elsewhere or in a program before? */
static bool reads_written_padding(const struct hs_system *sys, const struct hs_graph *g, const struct hs_placement *pl, int i, int p, int from)
{
  int pad = g->tensors[g->ops[i].inputs[0]].producer;
  if (pad < 0 || g->ops[pad].type != HS_OP_PAD || hs_cost_joined_to(sys, g, &g->ops[pad], p) != i) return false;
  return pad < from || hs_placement_elsewhere(pl, pad, p);
}

enum hs_kernel_of hs_placement_kernel_of(const struct hs_system *sys, const struct hs_graph *g, const struct hs_placement *pl, int i, int p, int from, int to,
                                         int *joined)
{
  *joined = hs_cost_joined_to(sys, g, &g->ops[i], p);
  if (*joined < 0) return reads_written_padding(sys, g, pl, i, p, from) ? HS_KERNEL_APART : HS_KERNEL_OWN;
  if (*joined == i) return HS_KERNEL_JOINED;
  return computed_by(sys, g, pl, *joined, p, from, to) && operands_come_first(g, pl, i, *joined, p, from) ? HS_KERNEL_JOINED : HS_KERNEL_APART;
}

void hs_placement_move(struct hs_placement *pl, int i, int p, int chain)
{
  int before = pl->ops[i].chain, unused = 0;
  bool in_middle = i > 0 && i + 1 < pl->n_ops && hs_placement_chained(pl, i - 1) && hs_placement_chained(pl, i);
  hs_place_whole(&pl->ops[i], p);
  pl->ops[i].chain = chain;
  if (!in_middle || chain == before) return;
  for (int k = 0; k < pl->n_ops; k++)
    if (pl->ops[k].chain >= unused) unused = pl->ops[k].chain + 1;
  for (int k = i + 1; k < pl->n_ops && pl->ops[k].chain == before; k++) pl->ops[k].chain = unused;
}

/* Where an accelerator's share ends that ought to end at `exact`, as CoDL's partitioner has it (csu-eis/CoDL@0a0c89d): rows are rounded up, from a tenth of
 * a row on (PartPlanUtils::MultipleAndRoundUp()); of channels the fraction is cut off, and the rest filled up to whole blocks (conv_2d_part_plan.cc). */
static int64_t accelerator_end(enum hs_split split, int64_t begin, double exact, int multiple)
{
  static const double error = 1e-6; /* of sums of fractions */
  if (split == HS_SPLIT_HEIGHT) return (int64_t)ceil(floor(10 * exact + error) / 10);
  if (split != HS_SPLIT_CHANNEL) return (int64_t)floor(exact + 0.5);
  int64_t end = (int64_t)floor(exact + error);
  return begin + (end - begin + multiple - 1) / multiple * multiple;
}

/* Channels that stay together: a block of the accelerator's kernel, and where kernels go by how channels are packed, whole vectors of every part. */
static int channel_block(const struct hs_system *sys, const struct hs_op_placement *pl, int p)
{
  int block = sys->backends[p].kernel->channel_multiple;
  for (int k = 0; k < pl->n_parts; k++) {
    int lanes = sys->backends[pl->parts[k].processor].kernel->packing.lanes;
    if (lanes > block) block = lanes;
  }
  return block;
}

void hs_placement_ranges(const struct hs_system *sys, const struct hs_graph *g, const struct hs_operator *op,
                         const struct hs_op_placement *pl, struct hs_range *ranges)
{
  int64_t extent = hs_split_extent(g, op, pl->split), begin = 0;
  double sum = 0;
  for (int k = 0; k < pl->n_parts; k++) {
    int p = pl->parts[k].processor;
    sum += pl->parts[k].fraction;
    int64_t end = (int64_t)floor(sum * (double)extent + 0.5);
    if (sys->soc->processors[p].kind != HS_CPU) end = accelerator_end(pl->split, begin, sum * (double)extent, channel_block(sys, pl, p));
    if (end > extent || k + 1 == pl->n_parts) end = extent;
    if (end < begin) end = begin;
    ranges[k] = (struct hs_range){pl->split, begin, end};
    begin = end;
  }
}

/* Of an operator's weights and results those shares. */
static double bytes_of(const struct hs_system *sys, const struct hs_graph *g, const struct hs_operator *op, int p, double weights, double results)
{
  enum hs_precision own = sys->backends[p].precision, given = own == HS_FP16 ? sys->backends[sys->host].precision : own;
  bool in_place = op->class == HS_CLASS_ELEMENTWISE && op->n_inputs == 1;
  return weights * hs_products_params(sys->backends[p].kernel, g, op) * hs_precision_bytes(own) +
         (in_place ? 0 : results * (double)hs_op_output_elements(g, op) * hs_precision_bytes(given));
}

double hs_slice_bytes(const struct hs_system *sys, const struct hs_graph *g, const struct hs_operator *op, int p) { return bytes_of(sys, g, op, p, 1, 1); }

static bool is_within(const struct hs_system *sys, int p, double bytes)
{
  double limit = sys->soc->processors[p].slice_limit_bytes;
  return limit <= 0 || bytes <= limit;
}

bool hs_slice_fits(const struct hs_system *sys, const struct hs_graph *g, const struct hs_operator *op, int p)
{
  return is_within(sys, p, hs_slice_bytes(sys, g, op, p));
}

bool hs_runs_on(const struct hs_system *sys, const struct hs_graph *g, const struct hs_operator *op, int p)
{
  return hs_system_supports(sys, g, op, p, NULL, 0) && hs_slice_fits(sys, g, op, p);
}

const char *hs_why_not_on(const struct hs_system *sys, const struct hs_graph *g, const struct hs_operator *op, int p, char *buf, size_t size)
{
  snprintf(buf, size, "larger than its slice limit");
  hs_system_supports(sys, g, op, p, buf, size);
  return buf;
}

void hs_placement_pack(const struct hs_system *sys, const struct hs_graph *g, struct hs_placement *pl)
{
  double bytes = 0;
  int slice = 0, before = -1;
  for (int i = 0; i < pl->n_ops; i++) {
    struct hs_op_placement *op = &pl->ops[i];
    int p = op->n_parts ? op->parts[0].processor : -1;
    if (p >= 0) {
      double more = hs_slice_bytes(sys, g, &g->ops[i], p);
      bool goes_on = p == before && is_within(sys, p, bytes + more);
      bytes = (goes_on ? bytes : 0) + more;
      slice += !goes_on;
      op->chain = slice;
    }
    before = p;
  }
}

static enum hs_status HS_PRINTF(5, 6) refuse(struct hs_error *err, const char *policy, const struct hs_operator *op, const char *processor,
                                             const char *format, ...)
{
  char rule[200];
  va_list args;
  va_start(args, format);
  vsnprintf(rule, sizeof rule, format, args);
  va_end(args);
  return hs_fail(err, HS_POLICY, "policy %s broke its contract: operator \"%s\"%s%s: %s", policy, op->name,
                 *processor ? " on " : "", processor, rule);
}

static enum hs_status check_op(const struct hs_system *sys, const struct hs_graph *g, const struct hs_operator *op,
                               const struct hs_op_placement *pl, const char *policy, struct hs_error *err)
{
  double sum = 0;
  if (pl->n_parts < 1 || pl->n_parts > HS_PARTS_MAX) return refuse(err, policy, op, "", "has %d parts, not 1 to %d", pl->n_parts, HS_PARTS_MAX);
  if ((pl->split == HS_SPLIT_NONE) != (pl->n_parts == 1)) return refuse(err, policy, op, "", "is cut exactly if it has several parts");
  if (!hs_splittable(g, op, pl->split)) return refuse(err, policy, op, "", "can't be cut in this dimension");
  if (pl->home < -1 || pl->home >= sys->soc->n_processors) return refuse(err, policy, op, "", "home is %d, which is no processor", pl->home);
  if (pl->home >= 0 && sys->soc->processors[pl->home].kind != HS_CPU && !sys->backends[pl->home].available)
    return refuse(err, policy, op, sys->soc->processors[pl->home].name, "home is a processor that the runtime has no code for");
  for (int k = 0; k < pl->n_parts; k++) {
    int p = pl->parts[k].processor;
    char why[200];
    if (p < 0 || p >= sys->soc->n_processors) return refuse(err, policy, op, "", "a part is on %d, which is no processor", p);
    const struct hs_processor *proc = &sys->soc->processors[p];
    if (!(pl->parts[k].fraction > 0)) return refuse(err, policy, op, proc->name, "fraction %g is not > 0", pl->parts[k].fraction);
    if (pl->parts[k].opp < -1 || pl->parts[k].opp >= hs_processor_fastest(proc)->n_opps)
      return refuse(err, policy, op, proc->name, "OPP %d is not in [-1, %d]", pl->parts[k].opp, hs_processor_fastest(proc)->n_opps - 1);
    if (!hs_system_supports(sys, g, op, p, why, sizeof why)) return refuse(err, policy, op, proc->name, "%s", why);
    sum += pl->parts[k].fraction;
  }
  if (pl->early && (pl->n_parts > 1 || sys->soc->processors[pl->parts[0].processor].kind != HS_GPU))
    return refuse(err, policy, op, "", "is early, and not whole on a GPU");
  return fabs(sum - 1) <= 1e-9 ? HS_OK : refuse(err, policy, op, "", "fractions add up to %.10g, not 1", sum);
}

/* What the part of op in `range` adds to a slice of p: its share of weights and results. */
static double part_bytes(const struct hs_system *sys, const struct hs_graph *g, const struct hs_operator *op, struct hs_range range, int p)
{
  double share, weights;
  hs_range_shares(g, op, range, &share, &weights);
  return bytes_of(sys, g, op, p, weights, share);
}

/* Memory that op takes in each processor's slice; below 0 where it has no part. */
static void op_slices(const struct hs_system *sys, const struct hs_graph *g, const struct hs_operator *op, const struct hs_op_placement *pl,
                      double *bytes)
{
  struct hs_range ranges[HS_PARTS_MAX];
  hs_placement_ranges(sys, g, op, pl, ranges);
  for (int p = 0; p < HS_PROCESSORS_MAX; p++) bytes[p] = -1;
  for (int k = 0; k < pl->n_parts; k++) {
    int p = pl->parts[k].processor;
    if (ranges[k].begin < ranges[k].end) bytes[p] = fmax(bytes[p], 0) + part_bytes(sys, g, op, ranges[k], p);
  }
}

/* Adds op to the slices, which go on or begin with it, and those of other processors end. Whose limit is broken; -1: no one's. */
static int add_to_slices(const struct hs_system *sys, const struct hs_graph *g, const struct hs_operator *op, const struct hs_op_placement *pl, bool goes_on,
                         double *slices)
{
  double more[HS_PROCESSORS_MAX];
  op_slices(sys, g, op, pl, more);
  for (int p = 0; p < sys->soc->n_processors; p++) {
    slices[p] = more[p] >= 0 ? more[p] + (goes_on ? slices[p] : 0) : 0;
    if (!is_within(sys, p, slices[p])) return p;
  }
  return -1;
}

bool hs_slice_holds(const struct hs_system *sys, const struct hs_graph *g, int first, int n, const struct hs_op_placement *pl)
{
  double slices[HS_PROCESSORS_MAX] = {0};
  bool limited = false;
  for (int k = 0; k < pl->n_parts; k++) limited |= sys->soc->processors[pl->parts[k].processor].slice_limit_bytes > 0;
  for (int i = first; i < first + n && limited; i++)
    if (add_to_slices(sys, g, &g->ops[i], pl, true, slices) >= 0) return false;
  return true;
}

/* Has the number of operator i's chain been an earlier one's? */
static bool stood_before(const struct hs_placement *pl, int i)
{
  for (int k = 0; k < i && pl->ops[i].chain >= 0; k++)
    if (pl->ops[k].n_parts > 0 && pl->ops[k].chain == pl->ops[i].chain) return true;
  return false;
}

enum hs_status hs_placement_check(const struct hs_system *sys, const struct hs_graph *g, const struct hs_placement *pl,
                                  const char *policy, struct hs_error *err)
{
  double slices[HS_PROCESSORS_MAX] = {0}; /* a slice is what follows each other on p in one chain */
  int chain = -1, highest = -1; /* of those that stood before: most policies count up, so that nothing is looked for */
  if (!pl->ops) return hs_fail(err, HS_POLICY, "policy %s broke its contract: it placed no operators", policy);
  if (pl->n_ops != g->n_ops)
    return hs_fail(err, HS_POLICY, "policy %s broke its contract: it placed %d of %d operators", policy, pl->n_ops, g->n_ops);
  for (int i = 0; i < g->n_ops; i++) {
    const struct hs_op_placement *op = &pl->ops[i];
    bool left_out = pl->partial && op->n_parts == 0;
    if (!left_out) HS_TRY(check_op(sys, g, &g->ops[i], op, policy, err));
    bool goes_on = !left_out && op->chain >= 0 && op->chain == chain;
    if (!left_out && !goes_on && op->chain <= highest && stood_before(pl, i)) return refuse(err, policy, &g->ops[i], "", "chain %d has ended before", op->chain);
    chain = left_out ? -1 : op->chain;
    if (chain > highest) highest = chain;
    int over = add_to_slices(sys, g, &g->ops[i], op, goes_on, slices);
    if (over >= 0) return refuse(err, policy, &g->ops[i], sys->soc->processors[over].name, "its slice is larger than slice_limit_bytes");
  }
  return HS_OK;
}
