/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "device/cache.h"

double hs_cache_hit_frac(const struct hs_soc *soc, double others_bytes)
{
  double size = soc->memory.llc_bytes;
  return size > 0 ? soc->memory.llc_hit_frac * size / (size + others_bytes) : soc->memory.llc_hit_frac;
}

double hs_cache_traffic(const struct hs_soc *soc, double hit_frac) { return (1 - hit_frac) / (1 - soc->memory.llc_hit_frac); }
