/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "calibrate/standard_errors.h"

#include <gsl/gsl_blas.h>
#include <gsl/gsl_linalg.h>
#include <math.h>
#include <stdlib.h>

static const double LEFT_MIN = 0.01; /* of a residual: where a row alone decides a coefficient, nothing is left of it */

double hs_standard_error_unit(const struct hs_coefficient *c) { return c->scale > 0 ? c->scale : *c->target; }

/* Residual of a row, or of what a coefficient was before, as hs_robust_measure() has left them. */
static double deviation(const struct hs_robust *q, int i) { return i < q->n ? q->residual[i] : hs_robust_departure(&q->fit->coefficients[q->free[i - q->n]]); }

/* Weighted columns d residual / d coefficient, in units of the coefficient's size, by differences to both sides, or to one at the end of its range (beyond, the
 * model has other slopes). Below the rows what was before, one to a coefficient. */
static gsl_matrix *jacobian(struct hs_robust *q)
{
  const int rows = q->n + q->p;
  gsl_matrix *j = gsl_matrix_alloc((size_t)rows, (size_t)q->p);
  for (int k = 0; k < q->p; k++) {
    struct hs_coefficient *c = &q->fit->coefficients[q->free[k]];
    double at = *c->target, h = 1e-4 * hs_standard_error_unit(c), low = fmax(at - h, fmin(c->low, at)), high = fmin(at + h, fmax(c->high, at));
    *c->target = low;
    hs_robust_measure(q);
    for (int i = 0; i < rows; i++) gsl_matrix_set(j, (size_t)i, (size_t)k, -deviation(q, i));
    *c->target = high;
    hs_robust_measure(q);
    for (int i = 0; i < rows; i++) {
      double change = gsl_matrix_get(j, (size_t)i, (size_t)k) + deviation(q, i);
      gsl_matrix_set(j, (size_t)i, (size_t)k, change / (high - low) * hs_standard_error_unit(c));
    }
    *c->target = at;
  }
  hs_robust_measure(q);
  for (int i = 0; i < rows; i++) {
    gsl_vector_view row = gsl_matrix_row(j, (size_t)i);
    gsl_vector_scale(&row.vector, sqrt(i < q->n ? q->weight[i] : hs_robust_weight(deviation(q, i))));
  }
  return j;
}

/* How rows scatter about a robust fit (Huber's M-estimates). */
struct scatter {
  double *e;     /* [n] residuals as they are weighed */
  double mean;   /* of their squares, each no larger than at Huber's limit */
  double factor; /* mean weight ÷ part of the rows inside of the limit: a row beyond has a weight, but no longer pulls harder when it moves */
};

static void find_scatter(const struct hs_robust *q, struct scatter *sc)
{
  double spread[2], inside = 0, weight = 0;
  hs_robust_spreads(q, spread);
  *sc = (struct scatter){.e = hs_realloc(NULL, (size_t)q->n, sizeof *sc->e)};
  for (int i = 0; i < q->n; i++) {
    double s = hs_robust_spread_of(q->fit->rows[i], spread), w = q->weight[i] * s * s;
    inside += fabs(q->residual[i]) <= HS_HUBER_LIMIT * s;
    weight += w;
    sc->e[i] = fmax(fabs(q->residual[i]) * sqrt(q->weight[i]), 1e-6);
    sc->mean += w * sc->e[i] * sc->e[i];
  }
  sc->mean *= q->n / weight / hs_robust_rows_left(q);
  sc->factor = weight / fmax(inside, 1);
}

/* Variance of the k-th coefficient where the weighted columns are U S V', n rows and then what was before, each of variance 1 (fit.h). Of
 * the rows: as if all rows scattered alike, or as each does itself (the sandwich HC3), whichever is more. Small operators scatter more than
 * large ones; but of a few rows the sandwich is itself a guess. */
static double variance_of(size_t n, size_t k, const gsl_matrix *u, const gsl_vector *s, const gsl_matrix *v, const struct scatter *sc)
{
  double alike = 0, each = 0, before = 0;
  for (size_t i = 0; i < u->size1; i++) {
    double a = 0, leverage = 0;
    for (size_t l = 0; l < u->size2; l++) {
      double ul = gsl_matrix_get(u, i, l);
      a += ul * gsl_matrix_get(v, k, l) / fmax(gsl_vector_get(s, l), 1e-12 * gsl_vector_get(s, 0));
      leverage += ul * ul;
    }
    if (i >= n) {
      before += a * a;
      continue;
    }
    alike += a * a * sc->mean;
    each += pow(a * sc->e[i] / fmax(1 - leverage, LEFT_MIN), 2);
  }
  return fmax(alike, each) * sc->factor * sc->factor + before;
}

void hs_standard_errors(struct hs_robust *q, double *error)
{
  size_t p = (size_t)q->p;
  double *norm = hs_realloc(NULL, p, sizeof *norm);
  struct scatter sc;
  gsl_matrix *j = jacobian(q), *v = gsl_matrix_alloc(p, p);
  gsl_vector *s = gsl_vector_alloc(p), *work = gsl_vector_alloc(p);
  find_scatter(q, &sc);
  for (size_t k = 0; k < p; k++) { /* columns of length 1, or the condition would tell of units */
    gsl_vector_view column = gsl_matrix_column(j, k);
    norm[k] = gsl_blas_dnrm2(&column.vector);
    if (norm[k] > 0) gsl_vector_scale(&column.vector, 1 / norm[k]);
  }
  gsl_linalg_SV_decomp(j, v, s, work);
  double least = gsl_vector_get(s, p - 1);
  q->fit->condition = least > 0 ? gsl_vector_get(s, 0) / least : INFINITY;
  for (size_t k = 0; k < p; k++) error[k] = norm[k] > 0 ? sqrt(variance_of((size_t)q->n, k, j, s, v, &sc)) / norm[k] : INFINITY;
  free(norm);
  free(sc.e);
  gsl_vector_free(s);
  gsl_vector_free(work);
  gsl_matrix_free(v);
  gsl_matrix_free(j);
}
