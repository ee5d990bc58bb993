/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plan/placement.h"

#include <math.h>

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
  hs_graph_free(pl->rewritten);
  pl->rewritten = NULL;
}

void hs_placement_rewrite(struct hs_placement *pl, struct hs_graph *rewritten)
{
  hs_placement_release(pl);
  pl->rewritten = rewritten;
  pl->n_ops = rewritten->n_ops;
  pl->ops = HS_NEW_ARRAY(pl->arena, struct hs_op_placement, (size_t)rewritten->n_ops);
}

void hs_place_whole(struct hs_op_placement *op, int p)
{
  *op = (struct hs_op_placement){.split = HS_SPLIT_NONE, .n_parts = 1, .parts = {{p, 1, -1}}, .home = -1, .chain = -1};
}

void hs_placement_ranges(const struct hs_system *sys, const struct hs_graph *g, const struct hs_operator *op,
                         const struct hs_op_placement *pl, struct hs_range *ranges)
{
  int64_t extent = hs_split_extent(g, op, pl->split), begin = 0;
  double sum = 0;
  for (int k = 0; k < pl->n_parts; k++) {
    int p = pl->parts[k].processor;
    sum += pl->parts[k].fraction;
    int64_t end = k + 1 == pl->n_parts ? extent : (int64_t)floor(sum * (double)extent + 0.5);
    if (pl->split == HS_SPLIT_CHANNEL && sys->soc->processors[p].kind != HS_CPU && end < extent) {
      int multiple = sys->backends[p].kernel->channel_multiple;
      end = begin + (end - begin + multiple - 1) / multiple * multiple;
    }
    if (end > extent) end = extent;
    if (end < begin) end = begin;
    ranges[k] = (struct hs_range){pl->split, begin, end};
    begin = end;
  }
}

double hs_slice_bytes(const struct hs_system *sys, const struct hs_graph *g, const struct hs_operator *op, int p)
{
  return (double)(op->params + hs_op_output_elements(g, op)) * hs_precision_bytes(sys->backends[p].precision);
}

static enum hs_status refuse(struct hs_error *err, const char *policy, const struct hs_operator *op, const char *processor,
                             const char *rule)
{
  return hs_fail(err, HS_POLICY, "policy %s broke its contract: operator \"%s\"%s%s: %s", policy, op->name,
                 *processor ? " on " : "", processor, rule);
}

static enum hs_status check_op(const struct hs_system *sys, const struct hs_graph *g, const struct hs_operator *op,
                               const struct hs_op_placement *pl, const char *policy, struct hs_error *err)
{
  double sum = 0;
  if (pl->n_parts < 1 || pl->n_parts > HS_PARTS_MAX) return refuse(err, policy, op, "", "has no parts or too many");
  if ((pl->split == HS_SPLIT_NONE) != (pl->n_parts == 1)) return refuse(err, policy, op, "", "is cut exactly if it has several parts");
  if (!hs_splittable(g, op, pl->split)) return refuse(err, policy, op, "", "can't be cut in this dimension");
  if (pl->home < -1 || pl->home >= sys->soc->n_processors) return refuse(err, policy, op, "", "home is no processor");
  for (int k = 0; k < pl->n_parts; k++) {
    int p = pl->parts[k].processor;
    char why[200];
    if (p < 0 || p >= sys->soc->n_processors) return refuse(err, policy, op, "", "a part is on no processor");
    const struct hs_processor *proc = &sys->soc->processors[p];
    if (!(pl->parts[k].fraction > 0)) return refuse(err, policy, op, proc->name, "fraction is not > 0");
    if (pl->parts[k].opp < -1 || pl->parts[k].opp >= proc->domains[proc->n_domains - 1].n_opps)
      return refuse(err, policy, op, proc->name, "there is no such OPP");
    if (!hs_system_supports(sys, g, op, p, why, sizeof why)) return refuse(err, policy, op, proc->name, why);
    sum += pl->parts[k].fraction;
  }
  return fabs(sum - 1) <= 1e-9 ? HS_OK : refuse(err, policy, op, "", "fractions don't add up to 1");
}

static bool same_slice(const struct hs_op_placement *a, const struct hs_op_placement *b)
{
  return a->n_parts == 1 && b->n_parts == 1 && a->parts[0].processor == b->parts[0].processor && a->chain >= 0 && a->chain == b->chain;
}

enum hs_status hs_placement_check(const struct hs_system *sys, const struct hs_graph *g, const struct hs_placement *pl,
                                  const char *policy, struct hs_error *err)
{
  double slice = 0;
  if (pl->n_ops != g->n_ops)
    return hs_fail(err, HS_POLICY, "policy %s broke its contract: it placed %d of %d operators", policy, pl->n_ops, g->n_ops);
  for (int i = 0; i < g->n_ops; i++) {
    if (pl->partial && pl->ops[i].n_parts == 0) continue;
    enum hs_status status = check_op(sys, g, &g->ops[i], &pl->ops[i], policy, err);
    if (status) return status;
    int p = pl->ops[i].parts[0].processor;
    const struct hs_processor *proc = &sys->soc->processors[p];
    slice = (i > 0 && same_slice(&pl->ops[i - 1], &pl->ops[i]) ? slice : 0) + hs_slice_bytes(sys, g, &g->ops[i], p);
    if (proc->slice_limit_bytes > 0 && slice > proc->slice_limit_bytes)
      return refuse(err, policy, &g->ops[i], proc->name, "its slice is larger than slice_limit_bytes");
  }
  return HS_OK;
}
