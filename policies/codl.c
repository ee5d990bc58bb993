/* SPDX-License-Identifier: GPL-3.0-or-later */
/* CoDL (MobiSys 2022): each convolution, pooling and fully connected operator is cut between CPU and GPU, by height or by
 * output channel, in the proportion that its latency model likes best; consecutive operators cut alike form chains that share
 * data only at their ends.
 *
 * The paper and the release (csu-eis/CoDL@0a0c89d) differ, so both are here: the paper searches, chains by its Algorithm 1 (`greedy`);
 * the release runs plans written into its code (`plan=published`), the same for images and buffers, and chains what happens to be cut
 * alike by height (`heuristic`; it looks at the axis of the second of two neighbours only, which would join a cut by channel to it: here both are by height).
 * Which SoC's plan it takes is a word of its configuration file; on
 * a SoC that isn't among them it has none and stops, so there `plan_of` has to say whose. The pre-sync of the model is the release's constant 1 ms;
 * what the run pays is the SoC's. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "policies/codl_plans.h"
#include "policies/cuts.h"

enum { PLAN, PLAN_OF, CHAIN, CUT, SHARE, PRESYNC };

static const char *const plan_words[] = {"search", "published", NULL};
static const char *const plan_of_words[] = {"auto", "sd855", "sd865", "sd888", "kirin990", NULL};
static const char *const cut_words[] = {"both", "height", "channel", NULL};
static const char *const chain_words[] = {"auto", "greedy", "heuristic", "none", NULL};
static const char *const share_words[] = {"auto", NULL};
static const struct hs_param codl_params[] = {
  [PLAN] = {"plan", "search: the fastest cut of every operator by the latency model; published: what CoDL's release has in its code for this SoC and network",
            "search", plan_words, 0, 0, false},
  [PLAN_OF] = {"plan_of", "the SoC whose published plan is replayed; auto: this one's", "auto", plan_of_words, 0, 0, false},
  [CHAIN] = {"chain",
             "greedy: the chains that gain most by the latency model (the paper's Algorithm 1); heuristic: consecutive operators "
             "cut alike by height, or the published chains; none: every operator by itself; "
             "auto: greedy where plan=search, heuristic where it is published",
             "auto", chain_words, 0, 0, false},
  [CUT] = {"cut", "the dimensions that the search may cut by; what can't be cut by height (fully connected) is cut by channel in any case",
           "both", cut_words, 0, 0, false},
  [SHARE] = {"gpu_share", "auto, or the GPU's share of every operator that can be cut so, 0 to 1", "auto", share_words, 0, 1, false},
  [PRESYNC] = {"presync_ms", "what the latency model takes for the CPU's wait before its share, ms", "1", NULL, 0, 100, false},
};

/* What is decided of a network before it is written down: a cut per operator, and the number of its chain. */
struct decisions {
  struct hs_cuts cuts;
  int n;
  struct hs_cut *cut;
  int *chain;
};

/* Is operator i cut like the one before it, and is there room for it in that one's chain, whose number is its first operator's? */
static bool alike(const struct decisions *d, int i)
{
  int head = d->chain[i - 1];
  return d->cut[i].split == HS_SPLIT_HEIGHT && d->cut[i - 1].split == HS_SPLIT_HEIGHT && d->cut[i].share == d->cut[i - 1].share &&
         hs_cuts_hold(&d->cuts, head, i + 1 - head, d->cut[i]);
}

static void chain_heuristically(struct decisions *d)
{
  for (int i = 1; i < d->n; i++)
    if (hs_cuts_follows(d->cuts.v, i) && alike(d, i)) d->chain[i] = d->chain[i - 1];
}

/* Algorithm 1 for one head: the share within `reach` steps of the head's own, and the length, with the largest gain over
 * operators by themselves. A chain grows while it gains nothing negative. Writes the chain down and returns its length. */
static int grow_chain(struct decisions *d, int head, int reach)
{
  int middle = (int)lround(d->cut[head].share * HS_SHARE_STEPS), length = 1;
  double most = 0;
  struct hs_cut best = d->cut[head];
  for (int step = middle - reach; step <= middle + reach; step++) {
    if (step < 0 || step > HS_SHARE_STEPS) continue;
    struct hs_cut cut = {d->cut[head].split, reach ? (double)step / HS_SHARE_STEPS : d->cut[head].share, 0};
    double apart = d->cut[head].seconds;
    for (int n = 2; n <= HS_CUT_CHAIN_MAX && head + n <= d->n && hs_cuts_follows(d->cuts.v, head + n - 1); n++) {
      apart += d->cut[head + n - 1].seconds;
      double gain = apart - hs_cuts_predict(&d->cuts, head, n, cut);
      if (!(gain >= 0)) break;
      if (gain <= most) continue;
      most = gain;
      length = n;
      best = cut;
    }
  }
  for (int i = head; i < head + length && length > 1; i++) {
    d->cut[i].split = best.split;
    d->cut[i].share = best.share;
    d->chain[i] = d->chain[head];
  }
  return length;
}

/* Of a given share all of a chain has it: an operator that can't (no kernel, too small) begins none, or those behind it would go where it goes. */
static void chain_greedily(struct decisions *d, const char *share)
{
  bool automatic = strcmp(share, "auto") == 0;
  for (int head = 0; head < d->n;)
    head += automatic || d->cut[head].share == strtod(share, NULL) ? grow_chain(d, head, automatic ? 3 : 0) : 1; /* Alg. 1: the head's share ± 0.3 */
}

static enum hs_status search(struct decisions *d, const char *chain, const char *share, struct hs_error *err)
{
  bool automatic = strcmp(share, "auto") == 0;
  for (int i = 0; i < d->n; i++) {
    d->cut[i] = automatic ? hs_cuts_best(&d->cuts, i) : hs_cuts_fixed(&d->cuts, i, strtod(share, NULL));
    HS_TRY(hs_cuts_check(&d->cuts, i, d->cut[i], err));
  }
  if (strcmp(chain, "heuristic") == 0) chain_heuristically(d);
  if (strcmp(chain, "greedy") == 0 || strcmp(chain, "auto") == 0) chain_greedily(d, share);
  return HS_OK;
}

/* --- published plans --- */

/* An operator that the release's network doesn't have is placed as the search would; a fully connected one can only be cut by
 * output channel, whatever the list says; what the GPU can't run or hold stays on the CPU. */
static struct hs_cut published_cut(const struct decisions *d, int i, const struct hs_published_cut *p)
{
  const struct hs_view *v = d->cuts.v;
  struct hs_cut cut = {p->split, (double)p->tenths / HS_SHARE_STEPS, 0};
  if (p->chain < 0 || !hs_system_supports(v->sys, v->graph, &v->graph->ops[i], d->cuts.gpu, NULL, 0) ||
      !hs_system_supports(v->sys, v->graph, &v->graph->ops[i], d->cuts.cpu, NULL, 0))
    return hs_cuts_best(&d->cuts, i);
  if (!hs_splittable(v->graph, &v->graph->ops[i], cut.split)) cut.split = HS_SPLIT_CHANNEL;
  return hs_cuts_hold(&d->cuts, i, 1, cut) ? cut : hs_cuts_best(&d->cuts, i);
}

/* A published chain ends early where the network has an operator in between that the release leaves out. */
static enum hs_status replay(struct decisions *d, bool chains, struct hs_error *err)
{
  const struct hs_view *v = d->cuts.v;
  struct hs_arena scratch = {0};
  struct hs_published_cut *published = HS_NEW_ARRAY(&scratch, struct hs_published_cut, (size_t)d->n), *next = published;
  const struct hs_published_cut *before = NULL;
  const char *of = strcmp(v->values[PLAN_OF], "auto") == 0 ? v->sys->soc->name : v->values[PLAN_OF];
  int n = 0;
  for (int i = 0; i < d->n; i++) n += hs_cuts_partitionable(&v->graph->ops[i]);
  enum hs_status status = hs_codl_published(v->graph->name, of, n, published, err);
  for (int i = 0; i < d->n && !status; i++) {
    const struct hs_published_cut *p = hs_cuts_partitionable(&v->graph->ops[i]) ? next++ : NULL;
    d->cut[i] = p ? published_cut(d, i, p) : hs_cuts_best(&d->cuts, i);
    status = hs_cuts_check(&d->cuts, i, d->cut[i], err);
    if (chains && p && before && p->chain >= 0 && p->chain == before->chain && hs_cuts_follows(v, i) && alike(d, i)) d->chain[i] = d->chain[i - 1];
    before = p;
  }
  hs_arena_free(&scratch);
  return status;
}

/* --- the policy --- */

static enum hs_status check_values(const struct hs_cuts *c, const char *const *values, struct hs_error *err)
{
  const struct hs_system *sys = c->v->sys;
  if (strcmp(values[CUT], "height") == 0 && sys->backends[c->gpu].memory_type == HS_BUFFER)
    return hs_fail(err, HS_USAGE, "policy codl: cut=height needs images, and the GPU of %s keeps its tensors in buffers here (--memory-type=image)",
                   sys->soc->name);
  if (strcmp(values[PLAN], "published") != 0) {
    if (strcmp(values[PLAN_OF], "auto") == 0) return HS_OK;
    return hs_fail(err, HS_USAGE, "policy codl: plan_of=%s says whose plan plan=published replays, and plan=search replays none", values[PLAN_OF]);
  }
  if (strcmp(values[CUT], "both") != 0)
    return hs_fail(err, HS_USAGE, "policy codl: plan=published has dimensions of its own, and cut=%s gives others", values[CUT]);
  if (strcmp(values[CHAIN], "greedy") == 0)
    return hs_fail(err, HS_USAGE, "policy codl: chain=greedy searches, and plan=published doesn't: give chain=heuristic (the published chains) or none");
  if (strcmp(values[SHARE], "auto") != 0)
    return hs_fail(err, HS_USAGE, "policy codl: plan=published has shares of its own, and gpu_share=%s gives others", values[SHARE]);
  if (hs_param_changed(&codl_params[PRESYNC], values[PRESYNC]))
    return hs_fail(err, HS_USAGE, "policy codl: presync_ms=%s is for a search, and plan=published doesn't", values[PRESYNC]);
  return HS_OK;
}

static void write_down(const struct decisions *d, int wanted, struct hs_placement *pl)
{
  const struct hs_view *v = d->cuts.v;
  for (int i = 0; i < d->n; i++) {
    hs_cuts_place(&d->cuts, i, d->cut[i], &pl->ops[i]);
    pl->ops[i].chain = d->chain[i];
    pl->ops[i].fallback = pl->ops[i].n_parts == 1 && pl->ops[i].parts[0].processor != wanted &&
                          !hs_runs_on(v->sys, v->graph, &v->graph->ops[i], wanted);
  }
}

static enum hs_status plan_codl(const struct hs_view *v, struct hs_placement *pl, struct hs_error *err)
{
  struct decisions d = {.n = pl->n_ops};
  struct hs_arena scratch = {0};
  const char *share = v->values[SHARE], *cut = v->values[CUT];
  HS_TRY(hs_cuts_open(&d.cuts, v, strcmp(cut, "channel") != 0, strcmp(cut, "height") != 0, 1e-3 * strtod(v->values[PRESYNC], NULL), "codl", err));
  HS_TRY(check_values(&d.cuts, v->values, err));
  d.cut = HS_NEW_ARRAY(&scratch, struct hs_cut, (size_t)d.n);
  d.chain = HS_NEW_ARRAY(&scratch, int, (size_t)d.n);
  for (int i = 0; i < d.n; i++) d.chain[i] = i;
  enum hs_status status = strcmp(v->values[PLAN], "published") == 0 ? replay(&d, strcmp(v->values[CHAIN], "none") != 0, err)
                                                                    : search(&d, v->values[CHAIN], share, err);
  if (!status) write_down(&d, strcmp(share, "auto") != 0 && strtod(share, NULL) <= 0 ? d.cuts.cpu : d.cuts.gpu, pl);
  hs_arena_free(&scratch);
  return status;
}

const struct hs_policy hs_policy_codl = {
  .name = "codl",
  .summary = "operators cut between CPU and GPU by height or output channel, in chains",
  .reference = "CoDL (MobiSys 2022), Sec. 4 and its release",
  .needs = "gpu",
  .defaults = {.runtime = "mace", .precision = HS_FP32},
  .params = codl_params,
  .n_params = sizeof codl_params / sizeof *codl_params,
  .plan = plan_codl,
};
