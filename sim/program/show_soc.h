/* SPDX-License-Identifier: GPL-3.0-or-later */
/* hetsim show soc: what a SoC's file says, and what its kernels rest on. */
#ifndef HS_SHOW_SOC_H
#define HS_SHOW_SOC_H

#include "base/text.h"
#include "input/catalog.h"

/* Both fail where a profile can't be read. */
enum hs_status hs_show_soc_text(struct hs_catalog *c, const struct hs_soc *soc, struct hs_text *out, struct hs_error *err);
enum hs_status hs_show_soc_json(struct hs_catalog *c, const struct hs_soc *soc, struct hs_text *out, struct hs_error *err);

#endif
