/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a figure is over several runs. */
#ifndef HS_SPREAD_H
#define HS_SPREAD_H

struct hs_spread {
  int n;
  double mean, std; /* std: of the sample (n - 1); 0 for one value */
  double p5, p50, p95;
};

/* Of n values, in any order; they are sorted. NaN for n = 0. */
void hs_spread_of(double *values, int n, struct hs_spread *s);

#endif
