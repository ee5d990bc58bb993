/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where the kernels of a SoC come from: per runtime, processor, precision and memory type the profile that holds, and what kinds of sources its
 * numbers have. */
#ifndef HS_SHOW_KERNELS_H
#define HS_SHOW_KERNELS_H

#include "base/text.h"
#include "input/catalog.h"

/* A section of `hetsim show soc`, added to `out`: a table, or with `json` a member "kernels". */
enum hs_status hs_show_kernels(struct hs_catalog *c, const struct hs_soc *soc, bool json, struct hs_text *out, struct hs_error *err);

#endif
