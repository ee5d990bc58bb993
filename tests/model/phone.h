/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The living phone of several tests, and what their scenarios say. Cores: mid 3 × 1.6 GHz, big 2.5 GHz, little 4 × 1.7 GHz; 10 ms are 16e6,
 * 25e6, 17e6 of their cycles, 5.85e6 of the GPU's and 11e6 of the DSP's. */
#ifndef HS_TEST_PHONE_H
#define HS_TEST_PHONE_H

#include "tests/model/alive.h"

#define PHONE RIG_PHONE("2e9")
#define MS 1e-3

#define MALI(slice) hs_test_replace(PHONE, "'memory_types': ['image', 'buffer'], ", "'memory_types': ['image', 'buffer'], 'context_slice_s': " slice ", ")

#define ALWAYS(threads) "'threads': " threads ", 'duty_frac': 1"
#define ON(where) "'affinity': ['" where "'], "

static inline bool covers(const struct seen *s, double t) { return s->start_s <= t + 1e-12 && s->end_s > t + 1e-9; }

/* Cores that a task takes: a thread one, an inference all of its domains. */
static inline bool is_on(const struct alive *x, const struct seen *s, int p, int d, int c)
{
  if (s->processor != p) return false;
  if (s->request < 0) return s->domain == d && s->core == c;
  const struct hs_work *w = &x->tasks[s->task].work;
  return c < w->cores[d];
}

static inline int others_on(const struct alive *x, const struct seen *s, int p, int d, int c, bool submitted_with_it)
{
  int n = 0;
  for (int i = 0; i < x->out->n; i++) {
    const struct seen *o = &x->out->seen[i];
    if (o == s || !is_on(x, o, p, d, c) || !covers(o, s->start_s)) continue;
    n += submitted_with_it || o->start_s < s->start_s - 1e-12;
  }
  return n;
}

/* No burst on a core that has something to do while another core that it may use has nothing. What starts in the same moment may have been
 * placed later. After `until` the run may have cut something off that kept a core. */
static inline void check_placement(const struct alive *x, const unsigned *clusters, double until)
{
  for (int i = 0; i < x->out->n; i++) {
    const struct seen *s = &x->out->seen[i];
    const struct hs_soc *soc = x->r.soc;
    if (s->request >= 0 || soc->processors[s->processor].kind != HS_CPU || s->start_s > until) continue;
    unsigned mask = clusters[-1 - s->request];
    ck_assert_msg(mask >> (s->processor * HS_DOMAINS_MAX + s->domain) & 1, "a thread ran where it must not");
    if (others_on(x, s, s->processor, s->domain, s->core, false) == 0) continue;
    for (int p = 0; p < soc->n_processors; p++)
      for (int d = 0; d < soc->processors[p].n_domains && (mask >> (p * HS_DOMAINS_MAX + d) & 1); d++)
        for (int c = 0; c < soc->processors[p].domains[d].cores; c++)
          ck_assert_msg(others_on(x, s, p, d, c, true) > 0, "a burst at %.9g s shares a core, and %s.%s.%d is idle", s->start_s, soc->processors[p].name,
                        soc->processors[p].domains[d].name, c);
  }
}

/* Masks of the threads and accelerator streams of a scenario, in the order of their request numbers, then the display's. */
static inline void list_clusters(const struct alive *x, unsigned *clusters)
{
  int n = 0;
  for (int i = 0; i < x->scenario.n_processes; i++) {
    const struct hs_process *pr = &x->scenario.processes[i];
    int threads = 0, streams = 0;
    for (int k = HS_GPU; k < HS_KIND_N; k++) streams += pr->phases[0].load_frac[k] > 0;
    for (int k = 0; k < pr->n_phases; k++) threads = pr->phases[k].threads > threads ? pr->phases[k].threads : threads;
    for (int k = 0; k < threads + streams; k++) clusters[n++] = pr->clusters;
  }
  clusters[n] = 0;
  for (int p = 0; p < x->r.soc->n_processors; p++)
    if (x->r.soc->processors[p].kind == HS_CPU) clusters[n] |= ((1u << HS_DOMAINS_MAX) - 1) << (p * HS_DOMAINS_MAX);
  clusters[n + 1] = clusters[n]; /* of the display's second frame under way */
}

static inline double busy(const struct alive_run *run, int p)
{
  double sum = 0;
  for (int d = 0; d < HS_DOMAINS_MAX; d++)
    for (int c = 0; c < HS_CORES_MAX; c++) sum += run->busy_s[p][d][c];
  return sum;
}

#define CACHE hs_test_replace(PHONE, "'llc_bytes': 0", "'llc_bytes': 2e6, 'llc_hit_frac': 0.5")

#define GOVERNOR(name) SCENARIO("'governors': {'all': '" name "'}")

#define TRIPS(list) hs_test_replace(PHONE, "'trips': []", "'trips': [" list "]")
#define TRIP(type, c, processors)                                                                                        \
  "{'node': 'n', 'type': '" type "', 'temperature_c': " c ", 'hysteresis_c': 1, 'processors': [" processors "]}"

#define UI(rate, cpu, gpu) "'ui': {'rate_hz': " rate ", 'cpu_s': " cpu ", 'gpu_s': " gpu "}"

#endif
