/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/comm.h"

double hs_comm_seconds(const struct hs_system *sys, enum hs_kind from, enum hs_kind to, enum hs_comm step, double bytes)
{
  if (from == to) return 0;
  const struct hs_comm_cost *c = &sys->soc->sharing[from][to][step];
  return c->fixed_s + c->s_per_byte * bytes;
}

double hs_comm_wait_seconds(const struct hs_system *sys, int p, double bytes)
{
  enum hs_kind kind = sys->soc->processors[p].kind;
  double begins = hs_comm_converts(sys, p, sys->host) ? hs_comm_seconds(sys, kind, HS_CPU, HS_WAKE, bytes) : 0;
  return begins + hs_comm_seconds(sys, kind, HS_CPU, HS_SYNC, bytes);
}

/* A conversion takes the source as it is. Before a DSP or NPU the host converts first, and then maps and gives what came of it. */
static int whose_precision(const struct hs_system *sys, int p, bool to_host, int step)
{
  if (to_host) return p;
  return sys->soc->processors[p].kind == HS_GPU || step == HS_TRANSFORM ? sys->host : p;
}

struct hs_transfer hs_comm_transfer(const struct hs_system *sys, int p, bool to_host, double elements)
{
  struct hs_transfer sum = {0, 0};
  enum hs_kind kind = sys->soc->processors[p].kind;
  if (kind == HS_CPU) return sum;
  bool converts = hs_comm_converts(sys, p, sys->host);
  for (int step = 0; step < HS_COMM_N; step++) {
    if ((step == HS_TRANSFORM || step == HS_WAKE) && !converts) continue;
    if (step == HS_LAUNCH && !(converts && kind == HS_GPU)) continue;
    if (step == HS_RPC && kind == HS_GPU) continue;
    double bytes = hs_place_bytes(sys, whose_precision(sys, p, to_host, step), elements);
    enum hs_kind from = to_host && step != HS_LAUNCH ? kind : HS_CPU, to = from == HS_CPU ? kind : HS_CPU;
    double seconds = hs_comm_seconds(sys, from, to, (enum hs_comm)step, step == HS_LAUNCH ? 0 : bytes);
    int on = step == HS_TRANSFORM && kind == HS_GPU ? p : sys->host;
    struct hs_work w;
    if (step == HS_SYNC || step == HS_WAKE || step == HS_RPC) {
      sum.seconds += seconds;
      continue;
    }
    hs_comm_work(sys, on, seconds, &w);
    double t = hs_work_seconds(sys, on, -1, &w);
    sum.seconds += t;
    sum.joules += t * (hs_work_dynamic_w(sys, on, -1, &w) + hs_work_static_w(sys, on, -1, &w));
  }
  return sum;
}

void hs_comm_work(const struct hs_system *sys, int p, double seconds, struct hs_work *out)
{
  const struct hs_processor *proc = &sys->soc->processors[p];
  *out = hs_work_on_core(proc, hs_lead_domain(proc, sys->backends[p].cores), seconds);
}

bool hs_comm_converts(const struct hs_system *sys, int a, int b)
{
  const struct hs_backend *x = &sys->backends[a], *y = &sys->backends[b];
  return x->precision != y->precision || x->memory_type != y->memory_type;
}
