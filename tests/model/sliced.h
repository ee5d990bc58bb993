/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The phone of rig.h whose CPU cores are shared in slices of time: mid 3 × 1.6 GHz, big 2.5 GHz; latency 10 ms, granularity 3 ms, wake-up 2 ms. */
#ifndef HS_TEST_SLICED_H
#define HS_TEST_SLICED_H

#include "tests/model/alive.h"

#define PHONE RIG_PHONE("2e9")
#define MS 1e-3
#define ALWAYS(threads) "'threads': " threads ", 'duty_frac': 1"
#define ON(where) "'affinity': ['" where "'], "
#define WITH_MEMORY(peak)                                                                                                                          \
  RIG_HEAD("x", "2e9", peak) RIG_CPU "," RIG_LITTLE "," RIG_GPU "," RIG_DSP "," RIG_NPU "], 'sharing_costs': [" RIG_SHARE_GPU "," RIG_SHARE_DSP    \
  "," RIG_SHARE_NPU RIG_TAIL

static const struct hs_scheduler rules = {10 * MS, 3 * MS, 2 * MS}, patient = {10 * MS, 3 * MS, 20 * MS};

static void open_sliced(struct alive *x, const char *scenario)
{
  alive_open(x, PHONE, NULL, scenario);
  x->r.sys.scheduler = &rules;
}

/* Where who wakes up waits. */
static inline void open_patient(struct alive *x, const char *scenario)
{
  open_sliced(x, scenario);
  x->r.sys.scheduler = &patient;
}

#endif
