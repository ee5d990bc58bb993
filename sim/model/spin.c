/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/spin.h"

#include <math.h>

bool hs_spin_start(struct hs_spin *s, const struct hs_processor *p, const struct hs_work *w, int first_core, int opp, double now_s, double spin_s)
{
  int lead = hs_lead_domain(p, w->cores);
  if (hs_work_cores(w) < 2 || spin_s <= 0) return false;
  for (int d = 0, first = first_core; d < p->n_domains; first += p->domains[d++].cores)
    for (int c = 0; c < w->cores[d]; c++) s->until_s[first + c] = d == lead && c == 0 ? 0 : now_s + spin_s;
  s->last_s = fmax(s->last_s, now_s + spin_s);
  s->opp = opp;
  return true;
}

void hs_spin_pass(const struct hs_spin *s, const struct hs_processor *p, const struct hs_spin_stretch *x, struct hs_spun *out)
{
  for (int d = 0, core = 0; d < p->n_domains; d++) {
    const struct hs_opp *opp = &p->domains[d].opps[x->level[d]];
    int longest = core;
    for (int c = 0; c < p->domains[d].cores; c++, core++) {
      double seconds = x->on_core[core] ? 0 : fmax(fmin(s->until_s[core], x->to_s) - x->from_s, 0);
      out->seconds[core] = seconds;
      out->joules[core] = seconds * opp->dynamic_w;
      if (seconds > out->seconds[longest]) longest = core;
    }
    if (!x->in_domain[d]) out->joules[longest] += out->seconds[longest] * (opp->static_w * x->leakage + opp->shared_w);
  }
}
