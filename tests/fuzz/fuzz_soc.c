/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The reader of SoCs. */
#include <math.h>

#include "device/thermal_governor.h"
#include "fuzz.h"

static void check_domain(const struct hs_domain *d)
{
  hs_fuzz_promise(d->cores >= 1 && d->cores <= HS_CORES_MAX && d->n_opps >= 1 && d->n_opps <= HS_OPPS_MAX);
  for (int i = 0; i < d->n_opps; i++) {
    hs_fuzz_promise(d->opps[i].freq_hz > 0 && d->opps[i].volt > 0 && d->opps[i].dynamic_w >= 0 && d->opps[i].static_w >= 0 && d->opps[i].shared_w >= 0);
    if (i) hs_fuzz_promise(d->opps[i].freq_hz > d->opps[i - 1].freq_hz && d->opps[i].volt >= d->opps[i - 1].volt);
  }
}

static bool has_passive(const struct hs_thermal *t, int node)
{
  for (int k = 0; k < t->n_trips; k++)
    if (t->trips[k].node == node && t->trips[k].type == HS_TRIP_PASSIVE) return true;
  return false;
}

static void check_zone(const struct hs_thermal *t, int node)
{
  const struct hs_zone *z = &t->zones[node];
  double most = fmax(fmax(z->sustainable_w, z->k_i_w_per_k), fmax(z->k_po_w_per_k, z->k_pu_w_per_k));
  hs_fuzz_promise(z->said ? node < t->n_nodes && has_passive(t, node) : !z->power_allocator && z->period_s == 0);
  hs_fuzz_promise(z->period_s == 0 || (z->period_s >= .01 && z->period_s <= 60));
  hs_fuzz_promise(most <= (z->power_allocator ? 1000 : 0));
}

/* Whatever trips, zones and caps say, what they allow is a level there is. */
static void govern(const struct hs_soc *s, enum hs_thermal_governor_kind kind)
{
  static const double temperatures_c[] = {95, 42, 0, 75, 200, 90, -40};
  struct hs_thermal_model t = {.soc = s};
  struct hs_thermal_governor g;
  struct hs_thermal_use use[HS_PROCESSORS_MAX];
  hs_thermal_governor_open(&g, s, kind, 0);
  for (int poll = 0; poll < 28; poll++) {
    for (int p = 0; p < s->n_processors; p++) {
      const struct hs_processor *processor = &s->processors[p];
      hs_fuzz_promise(g.cap[p] >= 0 && g.cap[p] < processor->domains[processor->n_domains - 1].n_opps);
      use[p] = hs_thermal_use_at(s, p, (poll + p) % 3 / 2., g.cap[p]);
    }
    for (int k = 0; k < s->thermal.n_nodes; k++) t.temperature_c[k] = temperatures_c[(poll + k) % 7];
    hs_fuzz_promise(hs_thermal_govern(&g, &t, use) < s->thermal.n_nodes);
  }
}

static void use(struct hs_soc *s)
{
  hs_fuzz_promise(s->n_processors >= 1 && s->processors[0].kind == HS_CPU && strlen(s->sha256) == 64);
  for (int i = 0; i < s->n_processors; i++) {
    const struct hs_processor *p = &s->processors[i];
    hs_fuzz_promise(hs_soc_find(s, p->name) == i && hs_soc_first(s, p->kind) <= i && hs_processor_cores(p) >= p->n_domains);
    hs_fuzz_promise(p->kind == HS_CPU || (s->has_sharing[HS_CPU][p->kind] && s->has_sharing[p->kind][HS_CPU]));
    for (int k = 0; k < p->n_domains; k++) check_domain(&p->domains[k]);
    int heats = 0;
    for (int k = 0; k < s->thermal.n_nodes; k++) heats += s->thermal.nodes[k].processors >> i & 1;
    hs_fuzz_promise(heats == 1);
  }
  for (int k = 0; k < HS_THERMAL_MAX; k++) check_zone(&s->thermal, k);
  for (int k = 0; k < HS_THERMAL_GOVERNOR_N; k++) govern(s, (enum hs_thermal_governor_kind)k);
  for (int i = 0; i < s->sources.n_numbers; i++)
    hs_fuzz_promise(s->sources.numbers[i].source >= 0 && s->sources.numbers[i].source < s->sources.n && s->sources.numbers[i].n_values >= 1);
}

HS_FUZZ(hs_soc_parse, struct hs_soc, use, hs_soc_free)
