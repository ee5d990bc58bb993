/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The least squares of a fit: values of its coefficients that its rows ask for, and their standard errors (fit.h says by which formulas). */
#ifndef HS_SOLVE_H
#define HS_SOLVE_H

#include "calibrate/fit.h"

/* ln(model / measured), with the kernel as it is. */
double hs_fit_residual(const struct hs_measurement *r);

/* value, error and state of each coefficient that was chosen, f->kernel with these values, f->condition and f->dof. Its rows are collected. */
void hs_fit_solve(struct hs_fit *f);

#endif
