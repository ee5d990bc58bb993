/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Work that a processor does: its duration and power at an operating point, when nothing else runs. What work an operator is, says model/cost.h. */
#ifndef HS_WORK_H
#define HS_WORK_H

#include "model/system.h"

struct hs_work {
  int cores[HS_DOMAINS_MAX];      /* cores of each domain that take part */
  double cycles[HS_DOMAINS_MAX];  /* on each of those cores, where all are at their highest frequencies: its own and those in which it waits for the caller */
  double caller;                  /* of the fastest domain's, those in which the thread that calls works alone there, and all others wait */
  double stolen[HS_DOMAINS_MAX];  /* cycles in which one core of the domain would do all of the work that threads share by stealing;
                                   * 0: shares are fixed. A core's part of it is the last of its `cycles`, and such that all cores end
                                   * at once at their highest frequencies */
  int pieces;                     /* equal ones in which that is taken, the next by whoever is free; 0: as small as it takes */
  double bytes;                   /* DRAM traffic */
  double power_factor;            /* dynamic power ÷ the OPP's dynamic_w, but in those that follow */
  double hosted;                  /* of a GPU's cycles, those in which its host starts something: its units wait, and draw no dynamic power */
};

/* Work that takes one core of domain d so long at its highest frequency. */
struct hs_work hs_work_on_core(const struct hs_processor *proc, int d, double seconds);

/* The work of one core that hs_work_on_core() made, done by a core of domain d instead: as long, at their highest frequencies. */
struct hs_work hs_work_moved(const struct hs_processor *proc, const struct hs_work *w, int d);

/* How many cores take part. */
int hs_work_cores(const struct hs_work *w);

/* Duration of work on p at OPP level `opp` (-1: the system's), when nothing else runs. */
double hs_work_seconds(const struct hs_system *sys, int p, int opp, const struct hs_work *w);

/* Cycles of a core of domain d (with cores in w), clocks being hz[]: a core that is slowed by itself waits in fewer of its own. */
double hs_work_core_cycles(const struct hs_processor *proc, const struct hs_work *w, int d, const double *hz);

/* How long its cores take, domains' clocks being hz[]: fixed shares end with the slowest core; what is stolen is dealt out anew for these clocks. */
double hs_work_cores_s(const struct hs_processor *proc, const struct hs_work *w, const double *hz);

/* How long a core that does its part at the highest frequency works on what is taken from each other; 0: nothing is. */
double hs_work_stolen_s(const struct hs_processor *proc, const struct hs_work *w);

/* A thread that steals: busy with its own part until begins_s, then it does per_second of all that is stolen (a fraction, 1/s). */
struct hs_taker {
  double begins_s, per_second;
};

/* When n takers have done `part` of it together, if each goes on until nothing is left. */
double hs_takers_end_s(const struct hs_taker *takers, int n, double part);

/* When the last of n takers has done all of it in equal pieces: each has one, and whenever it starts one it reserves the next that nobody has, before it
 * knows who will be free first. At once those come first that are last in the list, as the fastest core is; where there are too few, the others have none.
 * 0 pieces: as small as it takes. */
double hs_takers_pieces_end_s(const struct hs_taker *takers, int n, int pieces);

/* Mean dynamic power ÷ the OPP's dynamic_w over the time that it takes at a clock of hz (of a GPU's domain) with the memory to itself, whatever bounds that. */
double hs_work_power_factor(const struct hs_system *sys, int p, const struct hs_work *w, double hz);

/* Dynamic power while it runs: Σ cores · dynamic_w(OPP) · mean power_factor + shared_w(OPP) of the domains it uses. The OPP tables follow MOSAIC Eq. 5
 * where they are not measured; measured ones are of CoreMark, and power_factor is what a kernel draws beside that: its processor's kernel_power_factor. */
double hs_work_dynamic_w(const struct hs_system *sys, int p, int opp, const struct hs_work *w);

/* Static power of the domains that it keeps powered, at the system's leakage. */
double hs_work_static_w(const struct hs_system *sys, int p, int opp, const struct hs_work *w);

#endif
