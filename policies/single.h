/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One processor for a whole network, and what takes over what it can't run. */
#ifndef HS_SINGLE_H
#define HS_SINGLE_H

#include "policies/policy.h"

/* HS_INPUT: no processor runs op, and why each doesn't. */
enum hs_status hs_runs_nowhere(const struct hs_view *v, const struct hs_operator *op, struct hs_error *err);

/* Everything on the preferred processor, which must be available; what it can't run on the first of NPU, GPU, CPU that can. */
enum hs_status hs_plan_single(const struct hs_view *v, int preferred, struct hs_placement *pl, struct hs_error *err);

#endif
