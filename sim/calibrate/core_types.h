/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Types of core that the rows of a fit tell apart: which core_factors of a CPU's kernel they can speak of (calibrate/coefficients.c looks for these). */
#ifndef HS_CORE_TYPES_H
#define HS_CORE_TYPES_H

#include "calibrate/fit.h"

/* Core sets of one type alone, measured for two types at least: fit->kernel gets core_factors of 1 for all of these types but the fastest, whose cores have the
 * kernel's numbers, where it has none; and fit->core_types says which of its core_factors are theirs. Before the benches hold the kernel. Names live in `a`. */
void hs_fit_name_core_types(struct hs_fit *fit, struct hs_arena *a);

/* Is it in a row on cores of that type alone? The benches hold the kernel. */
bool hs_fit_shows_on_core(struct hs_fit *fit, int core, enum hs_core_work work);

#endif
