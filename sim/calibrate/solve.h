/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A fit, from its starts to what is told of it: values of its coefficients that its rows ask for, their standard errors, and which the rows don't determine. */
#ifndef HS_SOLVE_H
#define HS_SOLVE_H

#include "calibrate/fit.h"

/* value, error and state of each coefficient that was chosen, f->kernel with these values, f->condition and f->dof. Its rows are collected. */
void hs_fit_solve(struct hs_fit *f);

#endif
