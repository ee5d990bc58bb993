/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What hetsim calibrate tells of its fits: coefficients with their standard errors, errors on the rows that were fitted and kept out, by
 * class, and what a user must know of them, as text or JSON. */
#ifndef HS_CALIBRATE_REPORT_H
#define HS_CALIBRATE_REPORT_H

#include "base/text.h"
#include "calibrate/fit.h"

/* Of `n` fits to `m`, added to `out`. `profile`: the file that they are written to. */
void hs_calibration_text(const struct hs_measurements *m, const struct hs_fit *fits, int n, struct hs_text *out);
void hs_calibration_json(const struct hs_measurements *m, const struct hs_fit *fits, int n, const char *profile, struct hs_text *out);

#endif
