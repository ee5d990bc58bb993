/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Weighted least squares within bounds: GSL's trust region (Levenberg-Marquardt), which knows none, over the variables that aren't held at an end of their
 * range. One is held there while the sum of squares falls outwards only, and let go where it falls inwards. A step that would leave the range ends at its
 * end (projection; Kanzow, Yamashita and Fukushima, Journal of Computational and Applied Mathematics 172, 2004).
 *
 * A transform of the range to all numbers (logistic) would need none of this, but its slope vanishes at the ends. A variable that is to leave one is sent
 * across the whole range, so that the trust region shrinks to nothing and takes a dozen steps to grow again; and one that belongs there runs on until its
 * slopes are 0, or too small for the covariance of all. */
#ifndef HS_SEARCH_H
#define HS_SEARCH_H

#include <gsl/gsl_matrix.h>
#include <stdbool.h>

/* Variables should be of like size: a change by 1 is a large one. */
struct hs_search {
  int n, p;                                                    /* residuals, variables; n >= p */
  const double *low, *high;                                    /* [p] */
  const double *weight;                                        /* [n] of squares; they may change between calls */
  void (*residuals)(void *data, const double *x, double *out); /* [n], for x within the range */
  void *data;
  double *x;                                                   /* [p] where the search is; the caller's. The rest is the search's own: */
  double *f;                                                   /* [n] residuals there */
  gsl_matrix *slope;                                           /* [n][p] of residuals there, at the upper end of a range taken inwards */
  double *trial, *near;                                        /* [p] where GSL is; [n] residuals beside x */
  int *moving, n_moving;                                       /* variables that aren't held */
};

/* Looks around at x, which it takes to the nearest point within the range. */
void hs_search_begin(struct hs_search *search);
/* Goes down by so many steps at most. Is x then where no step goes down by more than 1e-5 of the sum? */
bool hs_search_descend(struct hs_search *search, int steps);
/* A search by slopes also ends in a corner that is no minimum, where residuals have another slope on either side. So tries each variable by itself so far
 * off on both sides, and goes where the sum is lower. Was there such a place? */
bool hs_search_leap(struct hs_search *search, double distance);
void hs_search_end(struct hs_search *search);

#endif
