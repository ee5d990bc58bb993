/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A domain of six OPPs, and what a governor answers there. */
#ifndef HS_TEST_GOVERNOR_H
#define HS_TEST_GOVERNOR_H

#include "tests/unit/suite.h"

#include <math.h>

#include "device/governor.h"

/* f in kHz:                                         0                         1                         2 */
static const struct hs_opp opps[] = {{.freq_hz = 300.0e6}, {.freq_hz = 576.0e6}, {.freq_hz = 825.6e6},
/*                                                   3                         4                         5 */
                                     {.freq_hz = 1056.0e6}, {.freq_hz = 1401.6e6}, {.freq_hz = 1785.6e6}};
enum { N = sizeof opps / sizeof opps[0], TOP = N - 1 };

static inline int ask(const struct hs_governor *g, struct hs_governor_state *s, int level, double now_s, double load)
{
  struct hs_governor_input in = {.now_s = now_s, .load = load, .util = load};
  return hs_governor_next(g, s, opps, N, level, &in);
}

static inline int ask_capped(const struct hs_governor *g, struct hs_governor_state *s, int level, double load, int cooling_state)
{
  struct hs_governor_input in = {.load = load, .util = load, .cooling_state = cooling_state};
  return hs_governor_next(g, s, opps, N, level, &in);
}

#endif
