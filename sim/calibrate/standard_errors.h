/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How sure the coefficients of a robust fit are (fit.h says by which formulas). */
#ifndef HS_STANDARD_ERRORS_H
#define HS_STANDARD_ERRORS_H

#include "calibrate/robust.h"

/* The size of a coefficient, in which its error is told: its value, or its scale where it may be 0. */
double hs_standard_error_unit(const struct hs_coefficient *c);
/* error[p] in these units, INFINITY for what the rows leave open, and fit->condition. After hs_robust_fit() with p > 0 coefficients. */
void hs_standard_errors(struct hs_robust *q, double *error);

#endif
