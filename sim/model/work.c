/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/work.h"

#include <math.h>

struct hs_work hs_work_on_core(const struct hs_processor *proc, int d, double seconds)
{
  struct hs_work w = {.power_factor = 1};
  w.cores[d] = 1;
  w.cycles[d] = seconds * hs_domain_top_hz(&proc->domains[d]);
  return w;
}

struct hs_work hs_work_moved(const struct hs_processor *proc, const struct hs_work *w, int d)
{
  int lead = hs_lead_domain(proc, w->cores);
  return hs_work_on_core(proc, d, w->cycles[lead] / hs_domain_top_hz(&proc->domains[lead]));
}

double hs_work_core_cycles(const struct hs_processor *proc, const struct hs_work *w, int d, const double *hz)
{
  int lead = hs_lead_domain(proc, w->cores);
  return w->cycles[d] + w->caller * (hz[d] / hz[lead] - hs_domain_top_hz(&proc->domains[d]) / hs_domain_top_hz(&proc->domains[lead]));
}

double hs_work_stolen_s(const struct hs_processor *proc, const struct hs_work *w)
{
  struct hs_taker takers[HS_CORES_MAX];
  int n = 0;
  for (int d = 0; d < proc->n_domains; d++)
    for (int c = 0; w->stolen[d] > 0 && c < w->cores[d]; c++) takers[n++] = (struct hs_taker){0, hs_domain_top_hz(&proc->domains[d]) / w->stolen[d]};
  return n > 0 ? hs_takers_pieces_end_s(takers, n, w->pieces) : 0;
}

/* Who begins after the end takes nothing. Counted, it would take away: the end is earlier without. */
double hs_takers_end_s(const struct hs_taker *takers, int n, double part)
{
  for (double end_s = INFINITY, before;;) {
    double per_second = 0, missed = 0;
    before = end_s;
    for (int i = 0; i < n; i++) {
      if (takers[i].begins_s >= before) continue;
      per_second += takers[i].per_second;
      missed += takers[i].per_second * takers[i].begins_s;
    }
    if (per_second <= 0) return before;
    end_s = (part + missed) / per_second;
    if (end_s >= before) return end_s;
  }
}

/* Passes over all pieces that are reserved before t: their number. starts_s: when each taker starts the last that it has then. */
static int reserved_before(double t, const struct hs_taker *takers, int n, double piece, double *starts_s)
{
  int reserved = 0;
  for (int i = 0; i < n; i++) {
    double takes_s = piece / takers[i].per_second, more = t > takers[i].begins_s ? ceil((t - takers[i].begins_s) / takes_s) : 0;
    starts_s[i] = takers[i].begins_s + more * takes_s;
    reserved += 1 + (int)more;
  }
  return reserved;
}

double hs_takers_pieces_end_s(const struct hs_taker *takers, int n, int pieces)
{
  double starts_s[HS_CORES_MAX], piece = 1.0 / pieces, longest_s = 0, last_s = 0;
  if (pieces <= 0) return hs_takers_end_s(takers, n, 1);
  for (int i = 0; i < n; i++) longest_s = fmax(longest_s, piece / takers[i].per_second);
  int reserved = reserved_before(hs_takers_end_s(takers, n, 1) - 2 * longest_s, takers, n, piece, starts_s);
  if (reserved > pieces) reserved = reserved_before(0, takers, n, piece, starts_s); /* some begin too late for any */
  for (; reserved < pieces; reserved++) {
    int next = n - 1;
    for (int i = n - 2; i >= 0; i--)
      if (starts_s[i] < starts_s[next]) next = i;
    starts_s[next] += piece / takers[next].per_second;
  }
  for (int i = n > pieces ? n - pieces : 0; i < n; i++) last_s = fmax(last_s, starts_s[i] + piece / takers[i].per_second);
  return last_s;
}

/* As planned, where all run at their highest frequency. */
double hs_work_cores_s(const struct hs_processor *proc, const struct hs_work *w, const double *hz)
{
  struct hs_taker takers[HS_CORES_MAX];
  double slowest = 0, stolen_s = 0;
  bool planned = true;
  int n = 0;
  for (int d = 0; d < proc->n_domains; d++) {
    if (w->cores[d] == 0) continue;
    slowest = fmax(slowest, hs_work_core_cycles(proc, w, d, hz) / hz[d]);
    planned &= w->stolen[d] <= 0 || hz[d] == hs_domain_top_hz(&proc->domains[d]);
  }
  if (planned) return slowest;
  stolen_s = hs_work_stolen_s(proc, w);
  slowest = 0;
  for (int d = 0; d < proc->n_domains; d++) {
    if (w->cores[d] == 0) continue;
    double before_s = fmax(hs_work_core_cycles(proc, w, d, hz) - stolen_s * hs_domain_top_hz(&proc->domains[d]), 0) / hz[d];
    slowest = fmax(slowest, before_s);
    for (int c = 0; c < w->cores[d]; c++) takers[n++] = (struct hs_taker){before_s, hz[d] / w->stolen[d]};
  }
  return fmax(slowest, hs_takers_pieces_end_s(takers, n, w->pieces));
}

static double moving_s(const struct hs_system *sys, int p, const struct hs_work *w)
{
  return w->bytes > 0 ? w->bytes / fmin(hs_system_lane_bytes_per_s(sys, p), sys->soc->memory.peak_bytes_per_s) : 0;
}

int hs_work_cores(const struct hs_work *w)
{
  int n = 0;
  for (int d = 0; d < HS_DOMAINS_MAX; d++) n += w->cores[d];
  return n;
}

double hs_work_seconds(const struct hs_system *sys, int p, int opp, const struct hs_work *w)
{
  const struct hs_processor *proc = &sys->soc->processors[p];
  double hz[HS_DOMAINS_MAX] = {0}, t;
  for (int d = 0; d < proc->n_domains; d++) hz[d] = proc->domains[d].opps[hs_system_opp(sys, p, d, opp)].freq_hz;
  t = hs_work_cores_s(proc, w, hz);
  return fmax(t, moving_s(sys, p, w));
}

double hs_work_power_factor(const struct hs_system *sys, int p, const struct hs_work *w, double hz)
{
  if (w->hosted <= 0) return w->power_factor;
  double cycles = fmax(w->cycles[0], moving_s(sys, p, w) * hz);
  return w->power_factor * fmax(0, 1 - w->hosted / cycles); /* rounded, they may be more than all */
}

double hs_work_dynamic_w(const struct hs_system *sys, int p, int opp, const struct hs_work *w)
{
  const struct hs_processor *proc = &sys->soc->processors[p];
  double cores = 0, shared = 0;
  for (int d = 0; d < proc->n_domains; d++) {
    const struct hs_opp *o = &proc->domains[d].opps[hs_system_opp(sys, p, d, opp)];
    cores += w->cores[d] * o->dynamic_w;
    if (w->cores[d] > 0) shared += o->shared_w;
  }
  return cores * hs_work_power_factor(sys, p, w, proc->domains[0].opps[hs_system_opp(sys, p, 0, opp)].freq_hz) + shared;
}

double hs_work_static_w(const struct hs_system *sys, int p, int opp, const struct hs_work *w)
{
  const struct hs_processor *proc = &sys->soc->processors[p];
  double watts = 0;
  for (int d = 0; d < proc->n_domains; d++)
    if (w->cores[d] > 0) watts += proc->domains[d].opps[hs_system_opp(sys, p, d, opp)].static_w;
  return watts * sys->leakage[p];
}
