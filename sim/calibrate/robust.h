/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Huber's robust least squares over the rows of a fit and what its coefficients were before: the values that these ask for, from where the
 * coefficients are, and how the rows scatter then. It neither chooses where to begin nor judges what came out. */
#ifndef HS_ROBUST_H
#define HS_ROBUST_H

#include "calibrate/fit.h"

/* Standard deviations from which on a row pulls no harder: 95 % efficiency where errors are normal. */
#define HS_HUBER_LIMIT 1.345

/* One least-squares problem: the coefficients that are free, and weights of rows. */
struct hs_robust {
  struct hs_fit *fit;
  int n, p;
  int free[HS_COEFFICIENTS_MAX]; /* [p]: indices of the fit's coefficients */
  double *weight;   /* [n + p]: of rows, and of what was before */
  double *residual; /* [n] */
};

/* ln(model / measured), with the kernel as it is. */
double hs_robust_residual(const struct hs_measurement *r);
/* What the coefficient was before as a row of its own, in standard deviations. */
double hs_robust_departure(const struct hs_coefficient *c);
/* Of a residual of t standard deviations: 1, or less beyond the limit. */
double hs_robust_weight(double t);

/* The residuals with the coefficients as they are. */
void hs_robust_measure(struct hs_robust *q);
/* Huber's fit from where the coefficients are, which end at its solution, or near it; weight, residual, and fit->dof. Before: the dof of the fit that they come
 * from, or 0. */
enum hs_robust_way { HS_ROBUST_ROUGHLY, HS_ROBUST_EXACTLY };
void hs_robust_fit(struct hs_robust *q, enum hs_robust_way way);

/* How many rows are left beyond what the coefficients took. */
double hs_robust_rows_left(const struct hs_robust *q);
/* Standard deviation of residuals, of each kind of row: operators [0], networks [1]. Of one row. */
void hs_robust_spreads(const struct hs_robust *q, double spread[2]);
double hs_robust_spread_of(const struct hs_measurement *r, const double spread[2]);

/* The mean of Huber's loss of ln(model ÷ measured), each kind of row by its spread, and of what was before. */
double hs_robust_badness(const struct hs_robust *q, const double spread[2]);
/* -ln of the likelihood, per row: less likely are rows that scatter more, or coefficients further from what was before. */
double hs_robust_unlikelihood(const struct hs_robust *q);

#endif
