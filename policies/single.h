/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One processor for a whole network, and what takes over what it can't run. */
#ifndef HS_SINGLE_H
#define HS_SINGLE_H

#include "policies/policy.h"

/* What takes over, the first that can: NPU, GPU, CPU (the baselines of MOSAIC, PACT 2019, Sec. VI-A). */
enum { HS_FALLBACKS = 3 };
extern const enum hs_kind hs_fallbacks[HS_FALLBACKS];

/* The processor that a policy prefers, by name. HS_USAGE where the SoC has none; hs_system_refuse() where it isn't available. */
enum hs_status hs_preferred(const struct hs_view *v, const char *policy, const char *processor, int *p, struct hs_error *err);

/* HS_INPUT: no processor runs op, and why each doesn't. */
enum hs_status hs_runs_nowhere(const struct hs_view *v, const struct hs_operator *op, struct hs_error *err);

/* Everything on the preferred processor, which must be available; what it can't run on the first of NPU, GPU, CPU that can. */
enum hs_status hs_plan_single(const struct hs_view *v, int preferred, struct hs_placement *pl, struct hs_error *err);

#endif
