/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a figure is over several runs. */
#ifndef HS_DISTRIBUTION_H
#define HS_DISTRIBUTION_H

struct hs_distribution {
  int n;
  double mean, std; /* std: of the sample (n - 1); 0 for one value */
  double p5, p50, p95;
};

/* Of n values, in any order; they are sorted. NaN for n = 0. */
void hs_distribution_of(double *values, int n, struct hs_distribution *s);

#endif
