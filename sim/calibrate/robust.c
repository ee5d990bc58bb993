/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "calibrate/robust.h"

#include <gsl/gsl_blas.h>
#include <gsl/gsl_errno.h>
#include <gsl/gsl_multifit_nlinear.h>
#include <math.h>
#include <stdlib.h>

#include "calibrate/coefficients.h"
#include "calibrate/measured.h"

enum { REWEIGHTINGS = 12, ITERATIONS = 60 }; /* at most */
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

static int residuals(const gsl_vector *u, void *data, gsl_vector *out)
{
  struct hs_robust *q = data;
  for (int i = 0; i < q->p; i++) {
    struct hs_coefficient *c = &q->fit->coefficients[q->free[i]];
    *c->target = hs_coefficient_from_u(c, gsl_vector_get(u, (size_t)i));
  }
  hs_fit_spread_others(q->fit);
  for (int i = 0; i < q->n; i++) gsl_vector_set(out, (size_t)i, hs_robust_residual(q->fit->rows[i]));
  for (int i = 0; i < q->p; i++) gsl_vector_set(out, (size_t)(q->n + i), hs_robust_departure(&q->fit->coefficients[q->free[i]]));
  return GSL_SUCCESS;
}

/* Coefficients less what their rows of before hold of them (leverage, the trace of their part of the hat matrix). */
static double degrees_of_freedom(const struct hs_robust *q, const gsl_matrix *j)
{
  double dof = q->p;
  gsl_matrix *cov = gsl_matrix_alloc((size_t)q->p, (size_t)q->p);
  gsl_multifit_nlinear_covar(j, 0, cov);
  gsl_vector *moved = gsl_vector_alloc((size_t)q->p);
  for (int i = 0; i < q->p; i++) {
    double part;
    gsl_vector_const_view row = gsl_matrix_const_row(j, (size_t)(q->n + i));
    gsl_blas_dgemv(CblasNoTrans, 1, cov, &row.vector, 0, moved);
    gsl_blas_ddot(&row.vector, moved, &part);
    dof -= part;
  }
  gsl_vector_free(moved);
  gsl_matrix_free(cov);
  return dof;
}

/* One fit with the weights as they are; the coefficients end at its solution. */
static void solve(struct hs_robust *q)
{
  gsl_multifit_nlinear_parameters params = gsl_multifit_nlinear_default_parameters();
  size_t rows = (size_t)(q->n + q->p);
  gsl_multifit_nlinear_fdf fdf = {.f = residuals, .n = rows, .p = (size_t)q->p, .params = q};
  gsl_multifit_nlinear_workspace *w = gsl_multifit_nlinear_alloc(gsl_multifit_nlinear_trust, &params, rows, (size_t)q->p);
  gsl_vector *u = gsl_vector_alloc((size_t)q->p), *r = gsl_vector_alloc(rows);
  gsl_vector_const_view weights = gsl_vector_const_view_array(q->weight, rows);
  int info;
  for (int i = 0; i < q->p; i++) q->weight[q->n + i] = hs_robust_weight(hs_robust_departure(&q->fit->coefficients[q->free[i]]));
  for (int i = 0; i < q->p; i++) {
    const struct hs_coefficient *c = &q->fit->coefficients[q->free[i]];
    gsl_vector_set(u, (size_t)i, hs_coefficient_to_u(c, *c->target));
  }
  gsl_multifit_nlinear_winit(u, &weights.vector, &fdf, w);
  gsl_multifit_nlinear_driver(ITERATIONS, 1e-6, 1e-9, 1e-9, NULL, NULL, &info, w);
  residuals(gsl_multifit_nlinear_position(w), q, r); /* the last try may have been a worse one */
  for (int i = 0; i < q->n; i++) q->residual[i] = gsl_vector_get(r, (size_t)i);
  q->fit->dof = degrees_of_freedom(q, gsl_multifit_nlinear_jac(w));
  gsl_vector_free(u);
  gsl_vector_free(r);
  gsl_multifit_nlinear_free(w);
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

static double reweight(struct hs_robust *q)
{
  double spread[2], change = 0;
  hs_robust_spreads(q, spread);
  for (int i = 0; i < q->n; i++) {
    double s = hs_robust_spread_of(q->fit->rows[i], spread), w = hs_robust_weight(q->residual[i] / s) / (s * s);
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

void hs_robust_fit(struct hs_robust *q)
{
  q->fit->dof = 0;
  for (int i = 0; i < q->n; i++) q->weight[i] = 1;
  hs_robust_measure(q);
  reweight(q);
  for (int k = 0; k < REWEIGHTINGS; k++) {
    if (q->p > 0) solve(q);
    if (reweight(q) < 0.01) break;
  }
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
