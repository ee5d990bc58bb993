/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "calibrate/robust.h"

#include <gsl/gsl_blas.h>
#include <gsl/gsl_multifit_nlinear.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "calibrate/coefficients.h"
#include "calibrate/measured.h"
#include "calibrate/search.h"

enum { REWEIGHTINGS = 100, STEPS = 2, LEAPS = 5 }; /* at most; of the search's steps, between two of these */
static const double ROUGHLY = 0.1, EXACTLY = 0.001; /* no weight changes by more than this part of it */
static const double LEAP = 0.3;           /* of the width of what was before */
static const double MAD_TO_STD = 1.4826;  /* standard deviation ÷ median of |error| where errors are normal: 1 / Φ⁻¹(3/4) */
static const double CLIPPED_MEAN = 0.7102; /* mean of min(|t|, HS_HUBER_LIMIT)² where t is normal */
static const double SPREAD_MIN = 0.005;   /* of ln(model ÷ measured): below that measurements don't repeat */
static const double USUAL_SPREAD = 0.03;  /* of fits to real phones (2 to 5 %), */
static const double USUAL_ROWS = 4;       /* which counts as so many rows (assumed) */
static const double ROWS_LEFT = 0.25;     /* of the rows, which scatter, however many coefficients there are */

double hs_robust_residual(const struct hs_measurement *r) { return log(hs_measurement_model_s(r) / r->latency_s); }

double hs_robust_departure(const struct hs_coefficient *c)
{
  return (c->as_log ? log(*c->target / hs_coefficient_before(c)) : *c->target - c->before) / c->width;
}

/* The odd row may be off, and so may what an odd coefficient was; t in standard deviations. */
double hs_robust_weight(double t) { return fabs(t) <= HS_HUBER_LIMIT ? 1 : HS_HUBER_LIMIT / fabs(t); }
static double huber_loss(double t) { return fabs(t) <= HS_HUBER_LIMIT ? t * t / 2 : HS_HUBER_LIMIT * (fabs(t) - HS_HUBER_LIMIT / 2); }

/* The coefficients and residuals where the search is. */
static void take(struct hs_robust *q, const double *x)
{
  for (int i = 0; i < q->p; i++) {
    const struct hs_coefficient *c = &q->fit->coefficients[q->free[i]];
    *c->target = hs_coefficient_from_x(c, x[i]);
  }
  hs_robust_measure(q);
}

static void residuals(void *data, const double *x, double *out)
{
  struct hs_robust *q = data;
  take(q, x);
  memcpy(out, q->residual, (size_t)q->n * sizeof *out);
  for (int i = 0; i < q->p; i++) out[q->n + i] = hs_robust_departure(&q->fit->coefficients[q->free[i]]);
}

/* Coefficients less what their rows of before hold of them (leverage, the trace of their part of the hat matrix). slope: [row][coefficient]. */
static double degrees_of_freedom(const struct hs_robust *q, const gsl_matrix *of)
{
  double dof = q->p;
  gsl_matrix *slope = gsl_matrix_alloc(of->size1, of->size2);
  gsl_matrix *cov = gsl_matrix_alloc((size_t)q->p, (size_t)q->p);
  gsl_vector *moved = gsl_vector_alloc((size_t)q->p);
  gsl_matrix_memcpy(slope, of);
  for (int i = 0; i < q->n + q->p; i++) {
    gsl_vector_view row = gsl_matrix_row(slope, (size_t)i);
    gsl_vector_scale(&row.vector, sqrt(q->weight[i]));
  }
  gsl_multifit_nlinear_covar(slope, 0, cov);
  for (int i = 0; i < q->p; i++) {
    double part;
    gsl_vector_const_view row = gsl_matrix_const_row(slope, (size_t)(q->n + i));
    gsl_blas_dgemv(CblasNoTrans, 1, cov, &row.vector, 0, moved);
    gsl_blas_ddot(&row.vector, moved, &part);
    dof -= part;
  }
  gsl_vector_free(moved);
  gsl_matrix_free(cov);
  gsl_matrix_free(slope);
  return dof;
}

double hs_robust_rows_left(const struct hs_robust *q) { return fmax(q->n - q->fit->dof, ROWS_LEFT * q->n); }

/* What is usual counts as some rows more. */
static double with_usual(double s, double left) { return sqrt((USUAL_ROWS * USUAL_SPREAD * USUAL_SPREAD + left * s * s) / (USUAL_ROWS + left)); }

/* The larger of two estimates of the standard deviation behind n sizes of residuals, of which `left` are free: by their median, and (Huber's proposal 2) by
 * their squares, none counted as larger than at his limit. The odd row can't move either far; but of few rows a fit may go through more than half, where the
 * median is nothing and the others have it all. More than twice the first (assumed) it isn't, as of few rows two may be odd ones. */
static double spread_behind(double *v, int n, double left)
{
  enum { TRIES = 40 };
  double s = with_usual(fmax(MAD_TO_STD * sqrt(n / left) * hs_fit_median(v, n), SPREAD_MIN), left), most = 2 * s, before = 0;
  for (int k = 0; k < TRIES && s > 1.001 * before; k++) {
    double sum = 0;
    for (int i = 0; i < n; i++) sum += pow(fmin(v[i], HS_HUBER_LIMIT * s), 2);
    before = s;
    s = fmin(fmax(s, with_usual(sqrt(sum / left / CLIPPED_MEAN), left)), most);
  }
  return s;
}

/* Of each kind of row (operator, network), which so many coefficients took their part from. */
void hs_robust_spreads(const struct hs_robust *q, double spread[2])
{
  double *v = hs_realloc(NULL, (size_t)q->n, sizeof *v);
  for (int kind = 0; kind < 2; kind++) {
    int n = 0;
    for (int i = 0; i < q->n; i++)
      if ((q->fit->rows[i]->op < 0) == kind) v[n++] = fabs(q->residual[i]);
    spread[kind] = n ? spread_behind(v, n, n * hs_robust_rows_left(q) / q->n) : USUAL_SPREAD;
  }
  free(v);
}

/* Of a row: that of its kind; what it was rounded by, all of it, since operators that are alike are rounded alike; and of what is elsewhere
 * as much as one phone is from another. */
double hs_robust_spread_of(const struct hs_measurement *r, const double spread[2])
{
  return hypot(hypot(spread[r->op < 0], r->rounded_s / r->latency_s), HS_FIT_WIDTH_LN * r->elsewhere_frac);
}

/* By how much of itself a weight changes, at most. */
static double reweight(struct hs_robust *q)
{
  double spread[2], change = 0;
  hs_robust_spreads(q, spread);
  for (int i = 0; i < q->n + q->p; i++) {
    double s = i < q->n ? hs_robust_spread_of(q->fit->rows[i], spread) : 1;
    double t = i < q->n ? q->residual[i] / s : hs_robust_departure(&q->fit->coefficients[q->free[i - q->n]]), w = hs_robust_weight(t) / (s * s);
    change = fmax(change, fabs(w / q->weight[i] - 1));
    q->weight[i] = w;
  }
  return change;
}

void hs_robust_measure(struct hs_robust *q)
{
  hs_fit_spread_others(q->fit);
  for (int i = 0; i < q->n; i++) q->residual[i] = hs_robust_residual(q->fit->rows[i]);
}

/* Steps and weights in turn: while weights aren't those of the solution, the way to theirs is wasted. */
static void search(struct hs_robust *q, double enough, int leaps)
{
  double x[HS_COEFFICIENTS_MAX], low[HS_COEFFICIENTS_MAX], high[HS_COEFFICIENTS_MAX];
  struct hs_search s = {.n = q->n + q->p, .p = q->p, .low = low, .high = high, .weight = q->weight, .residuals = residuals, .data = q, .x = x};
  for (int i = 0; i < q->p; i++) {
    const struct hs_coefficient *c = &q->fit->coefficients[q->free[i]];
    x[i] = hs_coefficient_to_x(c, *c->target);
    low[i] = hs_coefficient_to_x(c, c->low);
    high[i] = hs_coefficient_to_x(c, c->high);
  }
  hs_search_begin(&s);
  for (int k = 0; k < REWEIGHTINGS; k++) {
    bool there = hs_search_descend(&s, STEPS);
    take(q, x);
    q->fit->dof = degrees_of_freedom(q, s.slope);
    bool stay = reweight(q) < enough;
    if (there && stay && (leaps-- <= 0 || !hs_search_leap(&s, LEAP))) break;
  }
  hs_search_end(&s);
  take(q, x);
}

void hs_robust_fit(struct hs_robust *q, enum hs_robust_way way)
{
  for (int i = 0; i < q->n + q->p; i++) q->weight[i] = 1;
  hs_robust_measure(q);
  reweight(q);
  if (q->p > 0) search(q, way == HS_ROBUST_ROUGHLY ? ROUGHLY : EXACTLY, way == HS_ROBUST_ROUGHLY ? 0 : LEAPS);
}

double hs_robust_badness(const struct hs_robust *q, const double spread[2])
{
  double sum = 0;
  for (int i = 0; i < q->n; i++) sum += huber_loss(q->residual[i] / hs_robust_spread_of(q->fit->rows[i], spread));
  for (int i = 0; i < q->p; i++) sum += huber_loss(hs_robust_departure(&q->fit->coefficients[q->free[i]]));
  return sum / q->n;
}

double hs_robust_unlikelihood(const struct hs_robust *q)
{
  double spread[2], sum = 0;
  hs_robust_spreads(q, spread);
  for (int i = 0; i < q->n; i++) sum += log(hs_robust_spread_of(q->fit->rows[i], spread));
  return sum / q->n + hs_robust_badness(q, spread);
}
