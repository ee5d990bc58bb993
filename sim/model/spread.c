/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/spread.h"

double hs_compute_cycles(struct hs_compute l, const struct hs_domain *d, enum hs_precision precision)
{
  return l.per_peak / d->macs_per_cycle[precision] + l.cycles;
}

/* The same with what the kernel says of cores of its type. */
static double core_cycles(const struct hs_processor *p, const struct hs_backend *b, enum hs_core_work peak, struct hs_compute l, int d)
{
  const struct hs_compute there = {l.per_peak * hs_backend_core_factor(b, d, peak), l.cycles * hs_backend_core_factor(b, d, HS_WORK_OTHERS)};
  return hs_compute_cycles(there, &p->domains[d], b->precision);
}

/* How long cores take for what each of them takes more of as it gets free: until the last is done. */
static double stolen_seconds(const struct hs_processor *p, const struct hs_backend *b, const struct hs_parts *parts)
{
  struct hs_taker takers[HS_CORES_MAX];
  int n = 0;
  for (int d = 0; d < p->n_domains; d++) {
    double cycles = core_cycles(p, b, parts->peak, parts->shared, d);
    for (int c = 0; cycles > 0 && c < b->cores[d]; c++) takers[n++] = (struct hs_taker){0, hs_domain_top_hz(&p->domains[d]) / cycles};
  }
  return n > 0 ? hs_takers_pieces_end_s(takers, n, parts->pieces) : 0;
}

/* Cycles of the lead domain's that the other cores wait. */
static void add_caller(const struct hs_processor *p, int lead, double cycles, struct hs_work *out)
{
  if (lead < 0) return;
  out->caller += cycles;
  for (int d = 0; d < p->n_domains; d++) out->cycles[d] += cycles / hs_domain_top_hz(&p->domains[lead]) * hs_domain_top_hz(&p->domains[d]);
}

void hs_spread(const struct hs_processor *p, const struct hs_backend *b, const struct hs_parts *parts, struct hs_work *out)
{
  const struct hs_compute shared = parts->shared;
  double stolen = parts->steals ? stolen_seconds(p, b, parts) : 0;
  int lead = hs_lead_domain(p, b->cores);
  bool threaded = shared.per_peak + shared.cycles > 0; /* else nobody waits for a loop that has no threads */
  double alone = lead < 0 ? 0 : parts->overhead * hs_backend_core_factor(b, lead, HS_WORK_OTHERS) + core_cycles(p, b, parts->peak, parts->serial, lead);
  out->caller = 0;
  out->pieces = parts->pieces;
  for (int d = 0; d < p->n_domains; d++) {
    double whole = core_cycles(p, b, parts->peak, shared, d);
    double own = parts->steals ? stolen * hs_domain_top_hz(&p->domains[d]) * b->threads : whole;
    out->cores[d] = threaded ? b->cores[d] : d == lead;
    out->stolen[d] = parts->steals && threaded && b->threads > 1 ? whole * b->threads / parts->threads : 0;
    out->cycles[d] = parts->fork * hs_backend_core_factor(b, d, HS_WORK_OTHERS) + own / parts->threads;
  }
  add_caller(p, lead, alone, out);
}

void hs_spread_start(const struct hs_processor *p, const struct hs_backend *b, double cycles, struct hs_work *out)
{
  int lead = hs_lead_domain(p, b->cores);
  if (lead >= 0) add_caller(p, lead, cycles * hs_backend_core_factor(b, lead, HS_WORK_OTHERS), out);
}
