/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "serve/noise.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/random.h"
#include "serve/pieces.h"

enum { RUNS = HS_NOISE_SOURCES_MAX, STREAMS = RUNS + HS_PROCESSORS_MAX };

struct hs_noise {
  const struct hs_system *sys; /* of the engine: names, and steps of communication */
  const struct hs_network *networks;
  uint64_t seed;
  int run;
  long n_tasks[HS_NOISE_SOURCES_MAX];
  bool scatters[HS_NOISE_SOURCES_MAX]; /* any of these */
  struct hs_random *streams[HS_NETWORKS_MAX][STREAMS]; /* by source, then what kernels of a processor have in common; opened when first read */
};

static const int comm_of[HS_TASK_KIND_N] = {[HS_TASK_EXEC] = -1, [HS_TASK_TRANSFORM] = HS_TRANSFORM, [HS_TASK_MAP] = HS_MAP, [HS_TASK_SYNC] = HS_SYNC,
                                            [HS_TASK_LAUNCH] = HS_LAUNCH, [HS_TASK_RPC] = HS_RPC};

/* Sources are processors (their kernels), then steps. */
static int source_of(const struct hs_system *sys, const struct hs_task *t)
{
  if (t->kind == HS_TASK_EXEC) return t->processor;
  const struct hs_processor *p = sys->soc->processors;
  return HS_PROCESSORS_MAX + ((int)p[t->from].kind * HS_KIND_N + (int)p[t->to].kind) * HS_COMM_N + comm_of[t->kind];
}

static const struct hs_quantiles *quantiles_of(const struct hs_system *sys, int source)
{
  int i = source - HS_PROCESSORS_MAX;
  return &sys->soc->sharing[i / (HS_KIND_N * HS_COMM_N)][i / HS_COMM_N % HS_KIND_N][i % HS_COMM_N].scatter;
}

static struct hs_jitter jitter_of(const struct hs_system *sys, int p)
{
  const struct hs_backend *b = &sys->backends[p];
  return p < sys->soc->n_processors && b->available ? b->kernel->jitter : (struct hs_jitter){0};
}

static bool has_distribution(const struct hs_system *sys, int source)
{
  if (source >= HS_PROCESSORS_MAX) return quantiles_of(sys, source)->n > 0;
  struct hs_jitter j = jitter_of(sys, source);
  return j.run_std_frac > 0 || j.kernel_std_frac > 0;
}

bool hs_noise_scatters(const struct hs_system *sys, const struct hs_task *t) { return has_distribution(sys, source_of(sys, t)); }

bool hs_noise_possible(const struct hs_system *sys)
{
  for (int i = 0; i < HS_NOISE_SOURCES_MAX; i++)
    if (has_distribution(sys, i)) return true;
  return false;
}

struct hs_noise *hs_noise_new(const struct hs_system *sys, const struct hs_network *networks, uint64_t seed, int run)
{
  struct hs_noise *n = hs_realloc(NULL, 1, sizeof *n);
  *n = (struct hs_noise){.sys = sys, .networks = networks, .seed = seed, .run = run};
  return n;
}

void hs_noise_free(struct hs_noise *n)
{
  for (int i = 0; i < HS_NETWORKS_MAX && n; i++)
    for (int k = 0; k < STREAMS; k++) hs_random_free(n->streams[i][k]);
  free(n);
}

static void name_source(const struct hs_system *sys, int source, char *buf, size_t size)
{
  int i = source - HS_PROCESSORS_MAX;
  if (source < HS_PROCESSORS_MAX)
    snprintf(buf, size, "kernels %.63s", sys->soc->processors[source].name);
  else
    snprintf(buf, size, "%s %s-%s", hs_comm_names[i % HS_COMM_N], hs_kind_names[i / (HS_KIND_N * HS_COMM_N)], hs_kind_names[i / HS_COMM_N % HS_KIND_N]);
}

static struct hs_random *stream(struct hs_noise *n, int network, int source)
{
  struct hs_random **r = &n->streams[network][source];
  const char *of = n->networks[network].stream;
  char what[80], name[200], number[20];
  if (*r) return *r;
  snprintf(number, sizeof number, "network %d", network);
  bool common = source >= RUNS;
  name_source(n->sys, common ? source - RUNS : source, what, sizeof what);
  snprintf(name, sizeof name, "noise %d %.100s %s%s", n->run, of ? of : number, common ? "all " : "", what);
  return *r = hs_random_new(n->seed, name);
}

/* Mean 1: what is cut off is cut off at both ends. */
static double normal_factor(struct hs_random *r, double std_frac)
{
  double z;
  do z = hs_random_normal(r);
  while (fabs(z) >= HS_JITTER_REACH);
  return 1 + std_frac * z;
}

void hs_noise_begin(struct hs_noise *n, int network, double common[HS_PROCESSORS_MAX])
{
  for (int p = 0; p < HS_PROCESSORS_MAX; p++) {
    double std_frac = jitter_of(hs_pieces_system(n->networks[network].pieces), p).run_std_frac;
    common[p] = std_frac > 0 ? normal_factor(stream(n, network, RUNS + p), std_frac) : 1;
  }
}

static double draw(struct hs_noise *n, const struct hs_system *sys, int network, const double *common, int source)
{
  if (source >= HS_PROCESSORS_MAX) {
    const struct hs_quantiles *q = quantiles_of(sys, source);
    return q->n ? hs_quantiles_at(q, hs_random_uniform(stream(n, network, source))) : 1;
  }
  double std_frac = jitter_of(sys, source).kernel_std_frac;
  return common[source] * (std_frac > 0 ? normal_factor(stream(n, network, source), std_frac) : 1);
}

void hs_noise_draw(struct hs_noise *n, int network, const double common[HS_PROCESSORS_MAX], const struct hs_program *prog, double *stretch)
{
  for (int i = 0; i < prog->n_tasks; i++) {
    int source = source_of(prog->sys, &prog->tasks[i]);
    stretch[i] = draw(n, prog->sys, network, common, source);
    n->n_tasks[source]++;
    n->scatters[source] |= has_distribution(prog->sys, source);
  }
}

int hs_noise_sources(const struct hs_noise *n, struct hs_noise_source list[HS_NOISE_SOURCES_MAX])
{
  int count = 0;
  for (int i = 0; i < HS_NOISE_SOURCES_MAX; i++) {
    if (n->n_tasks[i] == 0) continue;
    struct hs_noise_source *s = &list[count++];
    *s = (struct hs_noise_source){.scatters = n->scatters[i], .n_tasks = n->n_tasks[i]};
    name_source(n->sys, i, s->name, sizeof s->name);
  }
  return count;
}
