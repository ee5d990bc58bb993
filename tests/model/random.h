/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Random DAGs with random placements (whole, cut by height, channel and batch, in chains, with homes, on five processors) on the phone of rig.h. */
#ifndef HS_TEST_RANDOM_H
#define HS_TEST_RANDOM_H

#include "tests/model/rig.h"

#include <gsl/gsl_rng.h>

enum { TRIALS = 500, RUNS = 60, TENSORS_MAX = 24 };

static inline int pick(gsl_rng *rng, int from, int to) { return from + (int)gsl_rng_uniform_int(rng, (unsigned long)(to - from + 1)); }
static inline bool chance(gsl_rng *rng, double p) { return gsl_rng_uniform(rng) < p; }

static inline gsl_rng *stream(const char *name, int trial)
{
  gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
  unsigned long seed = 5381;
  for (; *name; name++) seed = seed * 33 + (unsigned char)*name;
  gsl_rng_set(rng, seed + (unsigned long)trial);
  return rng;
}

struct tensors {
  int n;
  struct {
    int h, w, c, readers;
  } t[TENSORS_MAX];
};

/* Another tensor that fits an Add (same channels) or a Concat; or -1. */
static inline int partner(gsl_rng *rng, const struct tensors *x, int a, bool same_channels)
{
  int first = pick(rng, 0, x->n - 1);
  for (int k = 0; k < x->n; k++) {
    int b = (first + k) % x->n;
    if (b != a && x->t[b].h == x->t[a].h && x->t[b].w == x->t[a].w && (!same_channels || x->t[b].c == x->t[a].c)) return b;
  }
  return -1;
}

static inline void random_op(gsl_rng *rng, struct tensors *x, struct hs_text *ops)
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
    hs_text_addf(ops, "], \"op\": \"Conv\", \"channels\": %d, \"kernel\": [%d, %d], \"stride\": [%d, %d], \"pad\": \"same\"}", x->t[n].c,
                 size, size, stride, stride);
  }
  x->n++;
}

static inline void random_network(gsl_rng *rng, struct rig *r, int n)
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
  hs_text_addf(&net,
               "{\"format\": \"hetsim-workload/1\", \"name\": \"dag\", \"title\": \"t\", \"source\": \"s\", "
               "\"inputs\": [{\"name\": \"t0\", \"shape\": [%d, %d, %d, %d]}], "
                     "\"outputs\": [%s], \"ops\": [%s]}", batch, h, w, c, outputs.s, ops.s);
  rig_read_network(r, net.s);
  hs_text_free(&ops);
  hs_text_free(&outputs);
  hs_text_free(&net);
}

static inline int random_processor(gsl_rng *rng, const struct rig *r, const struct hs_operator *op)
{
  for (;;) {
    int p = pick(rng, 0, r->soc->n_processors - 1);
    double limit = r->soc->processors[p].slice_limit_bytes;
    if (hs_system_supports(&r->sys, r->graph, op, p, NULL, 0) && (limit <= 0 || hs_slice_bytes(&r->sys, r->graph, op, p) <= limit)) return p;
  }
}

/* Two to four parts, wherever the operator may run: also several on one processor, or a processor twice with another between. */
static inline void random_cut(gsl_rng *rng, const struct rig *r, const struct hs_operator *op, enum hs_split favourite, struct hs_op_placement *pl)
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

static inline struct hs_placement *random_placement(gsl_rng *rng, struct rig *r)
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

static inline void open_random(gsl_rng *rng, struct rig *r)
{
  rig_open(r, chance(rng, 0.5) ? "tflite" : "mace");
  r->soc->memory.peak_bytes_per_s *= 0.5 + gsl_rng_uniform(rng);
  for (int p = 0; p < r->soc->n_processors; p++)
    for (int d = 0; d < r->soc->processors[p].n_domains; d++)
      for (int k = 0; k < HS_PRECISION_N; k++) r->soc->processors[p].domains[d].macs_per_cycle[k] *= 0.2 + gsl_rng_uniform(rng);
  random_network(rng, r, pick(rng, 2, 12));
}

/* Now and then kernels of the GPU are cut, and the host waits for them. */
static inline void limit_gpu(gsl_rng *rng, struct rig *r)
{
  struct hs_backend *b = &r->sys.backends[GPU];
  double start_s = b->kernel->overhead_cycles / r->soc->processors[GPU].domains[0].opps[b->opp[0]].freq_hz;
  if (chance(rng, 0.5)) b->kernel_s = start_s * (1.1 + 20 * gsl_rng_uniform(rng));
  if (chance(rng, 0.5)) b->window = pick(rng, 1, 6);
}

#endif
