/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Work that a processor does: its duration and power at an operating point, when nothing else runs. What work an operator is, says model/cost.h. */
#ifndef HS_WORK_H
#define HS_WORK_H

#include "model/system.h"

struct hs_work {
  int cores[HS_DOMAINS_MAX];      /* cores of each domain that take part */
  double cycles[HS_DOMAINS_MAX];  /* on each of those cores */
  double bytes;                   /* DRAM traffic */
  double power_factor;            /* mean dynamic power ÷ the OPP's dynamic_w */
};

/* Duration of work on p at OPP level `opp` (-1: the system's), when nothing else runs. */
double hs_work_seconds(const struct hs_system *sys, int p, int opp, const struct hs_work *w);

/* Dynamic power while it runs: Σ cores · dynamic_w(OPP) · power_factor + shared_w(OPP) of the domains it uses. The OPP tables follow MOSAIC Eq. 5 where they
 * are not measured; measured ones are of CoreMark, and power_factor is what a kernel draws beside that. */
double hs_work_dynamic_w(const struct hs_system *sys, int p, int opp, const struct hs_work *w);

/* Static power of the domains that it keeps powered, at the system's leakage. */
double hs_work_static_w(const struct hs_system *sys, int p, int opp, const struct hs_work *w);

#endif
