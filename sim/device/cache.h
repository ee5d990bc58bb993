/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The last-level cache that all processors share. Kernel profiles hold the DRAM traffic of a phone that an inference has to itself, at
 * the hit rate h0 that the SoC file says; at another hit rate the traffic is (1 - h) / (1 - h0) times that. */
#ifndef HS_CACHE_H
#define HS_CACHE_H

#include "input/soc.h"

/* Hit rate of an inference whose working set fills the cache, beside others with this footprint: it keeps what is its share of
 * all footprints, h = h0 · size / (size + others). The SoC must say h0 (memory.llc_hit_frac >= 0). Where it doesn't know the size
 * (llc_bytes 0) others take nothing. */
double hs_cache_hit_frac(const struct hs_soc *soc, double others_bytes);

/* Traffic at a hit rate, relative to that at h0. */
double hs_cache_traffic(const struct hs_soc *soc, double hit_frac);

#endif
