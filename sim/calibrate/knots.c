/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "calibrate/knots.h"

#include <math.h>
#include <string.h>

#include "calibrate/coefficients.h"
#include "model/products.h"

enum { ROWS_PER_KNOT = 10 };

int hs_knots_where_rows_are(const double *ln, int n, double *at)
{
  int knots = 0;
  at[knots++] = fmax(0, hs_fit_rounded(ln[ROWS_PER_KNOT / 2]));
  for (int from = 0, i = 0; i < n && knots < HS_KNOTS_MAX; i++) {
    double next = floor(ln[i]);
    if (next < at[knots - 1] + 1 || i - from < ROWS_PER_KNOT || n - i < ROWS_PER_KNOT) continue;
    at[knots++] = next;
    from = i;
  }
  return knots < 3 ? 0 : knots;
}

void hs_knots_copy(const struct hs_kernel *from, struct hs_kernel *to)
{
  to->n_knots = from->n_knots;
  memcpy(to->knot_ln, from->knot_ln, sizeof to->knot_ln);
  memcpy(to->knot_frac, from->knot_frac, sizeof to->knot_frac);
}

bool hs_knots_have_rows(const struct hs_kernel *k, int knot, const double *ln, int n)
{
  for (int i = 0; i < n; i++)
    if ((knot == 0 || ln[i] > k->knot_ln[knot - 1]) && (knot == k->n_knots - 1 || ln[i] < k->knot_ln[knot + 1])) return true;
  return false;
}

static void insert_knot(struct hs_kernel *k, double ln)
{
  double frac = hs_products_curve(k, ln);
  int i = k->n_knots++;
  for (; i > 0 && k->knot_ln[i - 1] > ln; i--) k->knot_ln[i] = k->knot_ln[i - 1], k->knot_frac[i] = k->knot_frac[i - 1];
  k->knot_ln[i] = ln;
  k->knot_frac[i] = frac;
}

void hs_knots_refine(struct hs_kernel *k, const double *ln, int n)
{
  for (double at = ceil(ln[ROWS_PER_KNOT / 2]); at <= ln[n - 1] && k->n_knots < HS_KNOTS_MAX; at++) {
    bool rows = false, near = false;
    for (int i = 0; i < n; i++) rows |= fabs(ln[i] - at) < 1;
    for (int i = 0; i < k->n_knots; i++) near |= fabs(k->knot_ln[i] - at) < 1;
    if (rows && !near && at < k->knot_ln[k->n_knots - 1]) insert_knot(k, at);
  }
}
