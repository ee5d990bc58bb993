/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/work.h"

#include <math.h>

double hs_work_seconds(const struct hs_system *sys, int p, int opp, const struct hs_work *w)
{
  const struct hs_processor *proc = &sys->soc->processors[p];
  double t = 0;
  for (int d = 0; d < proc->n_domains; d++)
    if (w->cores[d] > 0) t = fmax(t, w->cycles[d] / proc->domains[d].opps[hs_system_opp(sys, p, d, opp)].freq_hz);
  if (w->bytes <= 0) return t;
  return fmax(t, w->bytes / fmin(hs_system_port_bytes_per_s(sys, p), sys->soc->memory.peak_bytes_per_s));
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
  return cores * w->power_factor + shared;
}

double hs_work_static_w(const struct hs_system *sys, int p, int opp, const struct hs_work *w)
{
  const struct hs_processor *proc = &sys->soc->processors[p];
  double watts = 0;
  for (int d = 0; d < proc->n_domains; d++)
    if (w->cores[d] > 0) watts += proc->domains[d].opps[hs_system_opp(sys, p, d, opp)].static_w;
  return watts * sys->leakage[p];
}
