/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Thermal networks made by hand, and a governor that polls them. */
#ifndef HS_TEST_THERMAL_H
#define HS_TEST_THERMAL_H

#include "tests/unit/shipped.h"

#include "device/thermal_governor.h"

#define AMBIENT (-1)

static inline int node(struct hs_soc *s, const char *name, unsigned processors, double j_per_k)
{
  int i = s->thermal.n_nodes++;
  s->thermal.nodes[i].name = name;
  s->thermal.nodes[i].processors = processors;
  s->thermal.nodes[i].capacitance_j_per_k = j_per_k;
  return i;
}

static inline void join(struct hs_soc *s, int from, int to, double k_per_w)
{
  int i = s->thermal.n_links++;
  s->thermal.links[i].from = from;
  s->thermal.links[i].to = to;
  s->thermal.links[i].resistance_k_per_w = k_per_w;
}

static inline void trip(struct hs_soc *s, int at, enum hs_trip_type type, double c, double hysteresis, unsigned processors)
{
  s->thermal.trips[s->thermal.n_trips++] = (struct hs_trip){at, type, c, hysteresis, processors};
}

/* One core; powers of its levels up to the first 0. */
static inline void processor(struct hs_soc *s, const char *name, const double *watts)
{
  struct hs_processor *p = &s->processors[s->n_processors++];
  p->name = name;
  p->n_domains = 1;
  p->domains[0].cores = 1;
  for (int i = 0; watts[i] > 0; i++)
    p->domains[0].opps[p->domains[0].n_opps++] = (struct hs_opp){.freq_hz = (i + 1) * 1e9, .volt = 1, .dynamic_w = watts[i], .static_w = .1};
}

static inline struct hs_soc one_node(void)
{
  struct hs_soc s = {.name = "one"};
  static const double watts[] = {1, 2, 3, 4, 0};
  processor(&s, "cpu", watts);
  join(&s, node(&s, "n", 1, 2.385), AMBIENT, 7.31);
  return s;
}

/* cpu (0) heats a small node, the gpu (1) a large one in front of the ambient */
static inline struct hs_soc two_nodes(void)
{
  struct hs_soc s = {.name = "two"};
  static const double cpu[] = {1, 2, 4, 0}, gpu[] = {1.5, 3, 0};
  processor(&s, "cpu", cpu);
  processor(&s, "gpu", gpu);
  int small = node(&s, "small", 1, .73), large = node(&s, "large", 2, 61.7);
  join(&s, small, large, 3.19);
  join(&s, AMBIENT, large, 5.43);
  return s;
}

static inline void step(struct hs_thermal_model *t, const double *power_w, double idle_w, double dt_s)
{
  struct hs_error err;
  ck_assert_msg(hs_thermal_step(t, power_w, idle_w, dt_s, &err) == HS_OK, "%s", hs_test_message(&err));
}

static inline int poll(struct hs_thermal_governor *g, struct hs_thermal_model *t, double c, const double *load)
{
  struct hs_thermal_use use[HS_PROCESSORS_MAX];
  for (int p = 0; p < g->soc->n_processors; p++) use[p] = hs_thermal_use_at(g->soc, p, load ? load[p] : 1, g->cap[p]);
  t->temperature_c[0] = c;
  return hs_thermal_govern(g, t, use);
}

#endif
