/* SPDX-License-Identifier: GPL-3.0-or-later */
/* MOSAIC's yardstick (PACT 2019, Sec. VI-A): of many random plans and those of all other versions the one that is best when it
 * runs. The paper runs each on the phone; here each is lowered and estimated. Where every device for every layer makes no more
 * plans than would be drawn, all are tried: the runs of layers on one device are then packed greedily into slices. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "plan/lower.h"
#include "policies/layers.h"

enum { OBJECTIVE, SAMPLES, SEED, N_PARAMS };
static const struct hs_param params[N_PARAMS] = {
  [OBJECTIVE] = {"objective", "what to minimise: latency, energy, or edp (their product)", "latency", hs_objectives, 0, 0, false},
  [SAMPLES] = {"samples", "how many random plans; all plans where there are no more than that", "1000", NULL, 1, 1e6, true}, /* Sec. VI-A */
  [SEED] = {"seed", "of the random plans", "1", NULL, 0, 0x1p53, true},
};

/* The versions whose plans take part. */
static const struct {
  const char *policy, *governor; /* governor NULL: it has our objective instead */
} versions[] = {
  {"mosaic", NULL}, {"hcca", NULL}, {"hca", NULL},
  {"tf-npu", "performance"}, {"tf-gpu", "performance"}, {"tf-big", "performance"}, {"tf-little", "performance"},
  {"tf-npu", "ondemand"}, {"tf-gpu", "ondemand"}, {"tf-big", "ondemand"}, {"tf-little", "ondemand"},
};

struct search {
  const struct hs_view *v;
  const struct hs_layers *l;
  struct hs_placement *tried, *best;
  double best_value; /* seconds, joules or their product; INFINITY: none yet */
  int *device;       /* [layer] */
  struct hs_random *random;
  struct hs_error why; /* of the last plan that can't be lowered */
};

static double value_of(const struct search *s, const struct hs_estimate *e)
{
  const char *objective = s->v->values[OBJECTIVE];
  if (strcmp(objective, "latency") == 0) return e->latency_s;
  return strcmp(objective, "energy") == 0 ? e->energy_j : e->latency_s * e->energy_j;
}

/* Strict '<': of equal plans the first wins. */
static void try_plan(struct search *s)
{
  struct hs_estimate e;
  if (hs_lower_estimate(s->v->sys, s->v->graph, s->tried, 0, s->v->graph->n_ops, &e, &s->why)) return; /* more memory than the phone has */
  if (!(value_of(s, &e) < s->best_value)) return;
  s->best_value = value_of(s, &e);
  struct hs_placement *swap = s->best;
  s->best = s->tried;
  s->tried = swap;
}

static void clear_tried(struct search *s)
{
  for (int i = 0; i < s->tried->n_ops; i++) s->tried->ops[i] = (struct hs_op_placement){0};
}

/* For latency a processor is a device as it is set (Eq. 6): of a plan for energy, or under ondemand, only the slices count. */
static void keep_clocks(struct search *s)
{
  if (hs_layers_devices_for(s->v->values[OBJECTIVE]) != HS_DEVICES_AS_SET) return;
  for (int i = 0; i < s->tried->n_ops; i++) s->tried->ops[i].parts[0].opp = -1;
}

/* A version that can't run here has no plan to offer. */
static void try_version(struct search *s, const char *name, const char *parameter, const char *value)
{
  const struct hs_policy *policy = hs_policy_find(name);
  char setting[60];
  const char *values[HS_PARAMS_MAX], *given = setting;
  const struct hs_view v = {s->v->sys, s->v->graph, values};
  snprintf(setting, sizeof setting, "%s=%s", parameter, value);
  clear_tried(s);
  if (hs_policy_values(policy, &given, 1, values, &s->why) || policy->plan(&v, s->tried, &s->why)) return;
  keep_clocks(s);
  try_plan(s);
}

/* Of those with an objective all: they minimise estimates, by which another's plan may be the best. */
static void try_versions(struct search *s)
{
  for (size_t i = 0; i < sizeof versions / sizeof *versions; i++)
    if (versions[i].governor)
      try_version(s, versions[i].policy, "governor", versions[i].governor);
    else
      for (int o = 0; hs_objectives[o]; o++) try_version(s, versions[i].policy, "objective", hs_objectives[o]);
}

/* Below n. */
static int draw(struct search *s, int n) { return (int)ceil(hs_random_uniform(s->random) * n) - 1; }

/* One of the devices that can execute `layer`; there must be one. */
static int draw_device(struct search *s, int layer)
{
  int n = 0;
  for (int d = 0; d < s->l->n_devices; d++) n += hs_layers_fits(s->l, d, layer, layer + 1);
  for (int d = 0, nth = draw(s, n);; d++)
    if (hs_layers_fits(s->l, d, layer, layer + 1) && nth-- == 0) return d;
}

/* Slices from the first layer on: any device that can start there, and any length that fits. */
static void try_random(struct search *s)
{
  clear_tried(s);
  for (int from = 0, to, slice = 0; from < s->l->n; from = to, slice++) {
    int d = draw_device(s, from), longest = 1;
    while (from + longest < s->l->n && hs_layers_fits(s->l, d, from, from + longest + 1)) longest++;
    to = from + 1 + draw(s, longest);
    hs_layers_place(s->v, s->l, d, from, to, slice, s->tried);
  }
  try_plan(s);
}

/* The plan that s->device says, if every layer can be executed there. */
static void try_devices(struct search *s)
{
  clear_tried(s);
  for (int from = 0, to, slice = 0; from < s->l->n; from = to, slice++) {
    int d = s->device[from];
    if (!hs_layers_fits(s->l, d, from, from + 1)) return;
    for (to = from + 1; to < s->l->n && s->device[to] == d && hs_layers_fits(s->l, d, from, to + 1);) to++;
    hs_layers_place(s->v, s->l, d, from, to, slice, s->tried);
  }
  try_plan(s);
}

static void try_all(struct search *s)
{
  for (int k = 0; k < s->l->n;) { /* s->device counts up, its first digit fastest */
    if (k == 0) try_devices(s);
    bool carry = ++s->device[k] == s->l->n_devices;
    if (carry) s->device[k] = 0;
    k = carry ? k + 1 : 0;
  }
}

static enum hs_status search(struct search *s, double samples, struct hs_error *err)
{
  HS_TRY(hs_layers_check(s->v, s->l, err));
  try_versions(s);
  if (pow(s->l->n_devices, s->l->n) <= samples)
    try_all(s);
  else
    for (int i = 0; i < samples; i++) try_random(s);
  if (s->best_value < INFINITY) return HS_OK;
  *err = s->why;
  return err->status;
}

static enum hs_status plan_exhaustive(const struct hs_view *v, struct hs_placement *pl, struct hs_error *err)
{
  struct hs_arena a = {0};
  double samples = strtod(v->values[SAMPLES], NULL), seed = strtod(v->values[SEED], NULL);
  struct search s = {.v = v, .random = hs_random_new((uint64_t)seed, "plans"), .best_value = INFINITY};
  s.l = hs_layers_make(v, hs_layers_devices_for(v->values[OBJECTIVE]), true, &a);
  s.tried = hs_placement_new(&a, pl->n_ops);
  s.best = hs_placement_new(&a, pl->n_ops);
  s.device = HS_NEW_ARRAY(&a, int, (size_t)s.l->n);
  enum hs_status status = search(&s, samples, err);
  for (int i = 0; i < pl->n_ops && !status; i++) pl->ops[i] = s.best->ops[i];
  hs_random_free(s.random);
  hs_arena_free(&a);
  return status;
}

const struct hs_policy hs_policy_exhaustive = {.name = "exhaustive",
                                               .summary = "the best of 1000 random plans in slices and of MOSAIC's and its baselines'",
                                               .reference = "MOSAIC (PACT 2019), Sec. VI-A",
                                               .defaults = {.runtime = "tflite", .precision = HS_FP32},
                                               .params = params,
                                               .n_params = N_PARAMS,
                                               .plan = plan_exhaustive};
