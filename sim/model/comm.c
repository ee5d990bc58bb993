/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/comm.h"

double hs_comm_seconds(const struct hs_system *sys, enum hs_kind from, enum hs_kind to, enum hs_comm step, double bytes)
{
  if (from == to) return 0;
  const struct hs_comm_cost *c = &sys->soc->sharing[from][to][step];
  return c->fixed_s + c->s_per_byte * bytes;
}

void hs_comm_work(const struct hs_system *sys, int p, double seconds, struct hs_work *out)
{
  const struct hs_processor *proc = &sys->soc->processors[p];
  int d = proc->n_domains - 1;
  *out = (struct hs_work){.power_factor = 1};
  out->cores[d] = 1;
  out->cycles[d] = seconds * proc->domains[d].opps[proc->domains[d].n_opps - 1].freq_hz;
}

bool hs_comm_converts(const struct hs_system *sys, int a, int b)
{
  const struct hs_backend *x = &sys->backends[a], *y = &sys->backends[b];
  return x->precision != y->precision || x->memory_type != y->memory_type;
}
