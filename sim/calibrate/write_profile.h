/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A fitted kernel as a profile file: the SoC's other kernels stay as they are, with their sources. */
#ifndef HS_WRITE_PROFILE_H
#define HS_WRITE_PROFILE_H

#include "base/text.h"
#include "calibrate/fit.h"

/* Text of the profile of m->soc under m->runtime with the kernels of fits[0..n) in place of those they were made from, or before
 * the others. refs[] say what they were fitted to, notes[] what else to know; what a fit didn't determine keeps its value and
 * source. `tag` tells this calibration's sources from those of earlier ones. */
void hs_profile_write(const struct hs_measurements *m, const struct hs_fit *fits, int n, const char *const *refs, const char *const *notes, const char *tag,
                      struct hs_text *out);

#endif
