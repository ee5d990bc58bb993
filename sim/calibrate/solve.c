/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "calibrate/solve.h"

#include <gsl/gsl_blas.h>
#include <gsl/gsl_errno.h>
#include <gsl/gsl_linalg.h>
#include <gsl/gsl_multifit_nlinear.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "calibrate/coefficients.h"
#include "calibrate/measured.h"

enum { REWEIGHTINGS = 12, ITERATIONS = 60 }; /* at most */
static const double HUBER = 1.345;        /* 95 % efficiency where errors are normal */
static const double MAD_TO_STD = 1.4826;  /* standard deviation ÷ median of |error| where errors are normal: 1 / Φ⁻¹(3/4) */
static const double CLIPPED_MEAN = 0.7102; /* mean of min(|t|, HUBER)² where t is normal */
static const double ERROR_MAX = 0.5;      /* a standard error above this part of the value: hardly determined */
static const double NOT_REFUTED = 2;      /* the sum of losses, t²/2 each, rises by less where a value is within two standard deviations */
static const double LEFT_MIN = 0.01;      /* of a residual: where a row alone decides a coefficient, nothing is left of it */
static const double SPREAD_MIN = 0.005;   /* of ln(model ÷ measured): below that measurements don't repeat */
static const double USUAL_SPREAD = 0.03;  /* of fits to real phones (2 to 5 %), */
static const double USUAL_ROWS = 4;       /* which counts as so many rows (assumed) */
static const double LEANING = 0.7;        /* a standard error above this part of the width of what was before: the rows say less
                                           * than that (half of the variance) */
static const double SILENT = 0.98;        /* a standard error above this part of it, and no movement to speak of: the rows say nothing */
static const double ROWS_LEFT = 0.25;     /* of the rows, which scatter, however many coefficients there are */

/* One least-squares problem: the coefficients that are free, and weights of rows. */
struct problem {
  struct hs_fit *fit;
  int n, p;
  int free[HS_COEFFICIENTS_MAX];
  double *weight;   /* [n + p]: of rows, and of what was before */
  double *residual; /* [n] */
};

/* --- least squares --- */

double hs_fit_residual(const struct hs_measurement *r) { return log(hs_measurement_model_s(r) / r->latency_s); }

/* What the coefficient was before as a row of its own, in standard deviations. */
static double departure(const struct hs_coefficient *c)
{
  return (c->as_log ? log(*c->target / hs_coefficient_before(c)) : *c->target - c->before) / c->width;
}

/* The odd row may be off, and so may what an odd coefficient was; t in standard deviations. */
static double huber_weight(double t) { return fabs(t) <= HUBER ? 1 : HUBER / fabs(t); }
static double huber_loss(double t) { return fabs(t) <= HUBER ? t * t / 2 : HUBER * (fabs(t) - HUBER / 2); }

static int residuals(const gsl_vector *u, void *data, gsl_vector *out)
{
  struct problem *q = data;
  for (int i = 0; i < q->p; i++) {
    struct hs_coefficient *c = &q->fit->coefficients[q->free[i]];
    *c->target = hs_coefficient_from_u(c, gsl_vector_get(u, (size_t)i));
  }
  hs_fit_spread_others(q->fit);
  for (int i = 0; i < q->n; i++) gsl_vector_set(out, (size_t)i, hs_fit_residual(q->fit->rows[i]));
  for (int i = 0; i < q->p; i++) gsl_vector_set(out, (size_t)(q->n + i), departure(&q->fit->coefficients[q->free[i]]));
  return GSL_SUCCESS;
}

/* Coefficients less what their rows of before hold of them (leverage, the trace of their part of the hat matrix). */
static double degrees_of_freedom(const struct problem *q, const gsl_matrix *j)
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
static void solve(struct problem *q)
{
  gsl_multifit_nlinear_parameters params = gsl_multifit_nlinear_default_parameters();
  size_t rows = (size_t)(q->n + q->p);
  gsl_multifit_nlinear_fdf fdf = {.f = residuals, .n = rows, .p = (size_t)q->p, .params = q};
  gsl_multifit_nlinear_workspace *w = gsl_multifit_nlinear_alloc(gsl_multifit_nlinear_trust, &params, rows, (size_t)q->p);
  gsl_vector *u = gsl_vector_alloc((size_t)q->p), *r = gsl_vector_alloc(rows);
  gsl_vector_const_view weights = gsl_vector_const_view_array(q->weight, rows);
  int info;
  for (int i = 0; i < q->p; i++) q->weight[q->n + i] = huber_weight(departure(&q->fit->coefficients[q->free[i]]));
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

static double rows_left(const struct problem *q) { return fmax(q->n - q->fit->dof, ROWS_LEFT * q->n); }

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
    for (int i = 0; i < n; i++) sum += pow(fmin(v[i], HUBER * s), 2);
    before = s;
    s = fmin(fmax(s, with_usual(sqrt(sum / left / CLIPPED_MEAN), left)), most);
  }
  return s;
}

/* Of each kind of row (operator, network), which so many coefficients took their part from. */
static void spreads(const struct problem *q, double spread[2])
{
  double *v = hs_realloc(NULL, (size_t)q->n, sizeof *v);
  for (int kind = 0; kind < 2; kind++) {
    int n = 0;
    for (int i = 0; i < q->n; i++)
      if ((q->fit->rows[i]->op < 0) == kind) v[n++] = fabs(q->residual[i]);
    spread[kind] = n ? spread_behind(v, n, n * rows_left(q) / q->n) : USUAL_SPREAD;
  }
  free(v);
}

/* Of a row: that of its kind; what it was rounded by, all of it, since operators that are alike are rounded alike; and of what is elsewhere
 * as much as one phone is from another. */
static double spread_of(const struct hs_measurement *r, const double spread[2])
{
  return hypot(hypot(spread[r->op < 0], r->rounded_s / r->latency_s), HS_FIT_WIDTH_LN * r->elsewhere_frac);
}

static double reweight(struct problem *q)
{
  double spread[2], change = 0;
  spreads(q, spread);
  for (int i = 0; i < q->n; i++) {
    double s = spread_of(q->fit->rows[i], spread), w = huber_weight(q->residual[i] / s) / (s * s);
    change = fmax(change, fabs(w / q->weight[i] - 1));
    q->weight[i] = w;
  }
  return change;
}

static void measure(struct problem *q)
{
  hs_fit_spread_others(q->fit);
  for (int i = 0; i < q->n; i++) q->residual[i] = hs_fit_residual(q->fit->rows[i]);
}

/* Huber's fit from where the coefficients are. */
static void robust(struct problem *q)
{
  q->fit->dof = 0;
  for (int i = 0; i < q->n; i++) q->weight[i] = 1;
  measure(q);
  reweight(q);
  for (int k = 0; k < REWEIGHTINGS; k++) {
    if (q->p > 0) solve(q);
    if (reweight(q) < 0.01) break;
  }
}

/* The mean of Huber's loss of ln(model ÷ measured), each kind of row by its spread, and of what was before. */
static double badness(const struct problem *q, const double spread[2])
{
  double sum = 0;
  for (int i = 0; i < q->n; i++) sum += huber_loss(q->residual[i] / spread_of(q->fit->rows[i], spread));
  for (int i = 0; i < q->p; i++) sum += huber_loss(departure(&q->fit->coefficients[q->free[i]]));
  return sum / q->n;
}

/* What the best start has least of: less likely are rows that scatter more, or coefficients further from what was before (-ln of the likelihood, per row). */
static double unlikelihood(const struct problem *q)
{
  double spread[2], sum = 0;
  spreads(q, spread);
  for (int i = 0; i < q->n; i++) sum += log(spread_of(q->fit->rows[i], spread));
  return sum / q->n + badness(q, spread);
}

/* --- starts --- */

/* Median of model ÷ measured of the operators of one rate, or, NULL, of networks; 0: there are none. */
static double median_ratio(const struct hs_fit *f, const double *rate)
{
  double *ratio = hs_realloc(NULL, (size_t)f->n_rows, sizeof *ratio), median;
  int n = 0;
  for (int k = 0; k < f->n_rows; k++) {
    const struct hs_measurement *r = f->rows[k];
    if (rate ? r->op >= 0 && hs_kernel_rate(&f->kernel, hs_measured_class(r)) == rate : r->op < 0) ratio[n++] = exp(hs_fit_residual(r));
  }
  median = hs_fit_median(ratio, n);
  free(ratio);
  return median;
}

static bool is_rate(const struct hs_fit *f, const struct hs_coefficient *c)
{
  bool rate = false;
  for (int class = 0; class < HS_CLASS_N; class++) rate |= c->target == hs_kernel_rate(&f->kernel, (enum hs_op_class)class);
  return rate;
}

/* Each rate times that of its classes, or that of networks where no operator shows them, so that the search starts in the right decade also where these are too
 * few to tell a pace in common. What is further off is in the wrong unit. */
static void scale_rates(struct hs_fit *f)
{
  double factor[HS_COEFFICIENTS_MAX], networks = median_ratio(f, NULL);
  if (networks < 1 / HS_FIT_ANOTHER_PHONE || networks > HS_FIT_ANOTHER_PHONE) networks = 1;
  for (int i = 0; i < f->n_coefficients; i++) {
    const struct hs_coefficient *c = &f->coefficients[i];
    double own = is_rate(f, c) ? median_ratio(f, c->target) : 0;
    factor[i] = own > 0 ? own : is_rate(f, c) || c->target == &f->others ? networks : 1;
  }
  for (int i = 0; i < f->n_coefficients; i++) *f->coefficients[i].target *= factor[i];
}

/* Starts, as factors on what the kernel has: none, then more or less of the time in invocations, bytes and work, since a search only goes to
 * the nearest minimum. */
static const struct {
  double overhead, efficiency, traffic;
} factors[] = {{1, 1, 1}, {0.2, 1, 3}, {5, 1, 0.3}, {1, 3, 1}, {1, 1 / 3.0, 1}};
enum { N_STARTS = sizeof factors / sizeof *factors };

static void start(struct problem *q, int which)
{
  struct hs_fit *f = q->fit;
  f->others = 1;
  for (int i = 0; i < f->n_coefficients; i++) {
    const struct hs_coefficient *c = &f->coefficients[i];
    *c->target = fmax(c->before, fmax(c->low, c->begin));
  }
  hs_fit_spread_others(f);
  for (int i = 0; i < f->n_coefficients; i++) {
    double *target = f->coefficients[i].target;
    if (target == &f->kernel.overhead_cycles) *target *= factors[which].overhead;
    if (target == &f->kernel.traffic_factor) *target *= factors[which].traffic;
  }
  scale_rates(f);
  for (int i = 0; i < f->n_coefficients; i++)
    if (is_rate(f, &f->coefficients[i])) *f->coefficients[i].target *= factors[which].efficiency;
}

static void keep(struct hs_fit *f)
{
  for (int i = 0; i < f->n_coefficients; i++) f->coefficients[i].value = *f->coefficients[i].target;
}

static void recall(struct hs_fit *f)
{
  for (int i = 0; i < f->n_coefficients; i++) *f->coefficients[i].target = f->coefficients[i].value;
  hs_fit_spread_others(f);
}

static void best_start(struct problem *q, double spread[2])
{
  double best = INFINITY;
  for (int which = 0; which < N_STARTS; which++) {
    start(q, which);
    robust(q);
    double bad = unlikelihood(q);
    if (bad >= best - 1e-4) continue;
    best = bad;
    keep(q->fit);
  }
  recall(q->fit);
  robust(q);
  spreads(q, spread);
}

/* --- standard errors --- */

/* Step of coefficient c in which its column of the Jacobian is taken: of its value, or of its scale where it may be 0. */
static double unit_of(const struct hs_coefficient *c) { return c->scale > 0 ? c->scale : *c->target; }

/* Residual of a row, or of what a coefficient was before, as measure() has left them. */
static double deviation(const struct problem *q, int i) { return i < q->n ? q->residual[i] : departure(&q->fit->coefficients[q->free[i - q->n]]); }

/* Weighted columns d residual / d coefficient, in units of the coefficient's size, by differences to both sides, or to one at the end of its range (beyond, the
 * model has other slopes). Below the rows what was before, one to a coefficient. */
static gsl_matrix *jacobian(struct problem *q)
{
  const int rows = q->n + q->p;
  gsl_matrix *j = gsl_matrix_alloc((size_t)rows, (size_t)q->p);
  for (int k = 0; k < q->p; k++) {
    struct hs_coefficient *c = &q->fit->coefficients[q->free[k]];
    double at = *c->target, h = 1e-4 * unit_of(c), low = fmax(at - h, fmin(c->low, at)), high = fmin(at + h, fmax(c->high, at));
    *c->target = low;
    measure(q);
    for (int i = 0; i < rows; i++) gsl_matrix_set(j, (size_t)i, (size_t)k, -deviation(q, i));
    *c->target = high;
    measure(q);
    for (int i = 0; i < rows; i++) {
      double change = gsl_matrix_get(j, (size_t)i, (size_t)k) + deviation(q, i);
      gsl_matrix_set(j, (size_t)i, (size_t)k, change / (high - low) * unit_of(c));
    }
    *c->target = at;
  }
  measure(q);
  for (int i = 0; i < rows; i++) {
    gsl_vector_view row = gsl_matrix_row(j, (size_t)i);
    gsl_vector_scale(&row.vector, sqrt(i < q->n ? q->weight[i] : huber_weight(deviation(q, i))));
  }
  return j;
}

/* How rows scatter about a robust fit (Huber's M-estimates). */
struct scatter {
  double *e;     /* [n] residuals as they are weighed */
  double mean;   /* of their squares, each no larger than at Huber's limit */
  double factor; /* mean weight ÷ part of the rows inside of the limit: a row beyond has a weight, but no longer pulls harder when it moves */
};

static void find_scatter(const struct problem *q, struct scatter *sc)
{
  double spread[2], inside = 0, weight = 0;
  spreads(q, spread);
  *sc = (struct scatter){.e = hs_realloc(NULL, (size_t)q->n, sizeof *sc->e)};
  for (int i = 0; i < q->n; i++) {
    double s = spread_of(q->fit->rows[i], spread), w = q->weight[i] * s * s;
    inside += fabs(q->residual[i]) <= HUBER * s;
    weight += w;
    sc->e[i] = fmax(fabs(q->residual[i]) * sqrt(q->weight[i]), 1e-6);
    sc->mean += w * sc->e[i] * sc->e[i];
  }
  sc->mean *= q->n / weight / rows_left(q);
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

/* Standard errors in units of each coefficient's size; INFINITY for what the rows leave open. */
static void standard_errors(struct problem *q, double *error)
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

/* A curve that wasn't there before and that nothing determines is none. */
static void drop_flat_curve(struct hs_fit *f)
{
  if (f->prior.n_knots) return;
  for (int i = 0; i < f->kernel.n_knots; i++)
    if (f->kernel.knot_frac[i] != 1) return;
  f->kernel.n_knots = 0;
}

/* What was fitted has as many digits as will be written, so that the errors are those of the profile; what wasn't stays as it is. A part of the whole that the
 * search took towards 0 is none. */
static void round_fitted(struct hs_fit *f)
{
  for (int i = 0; i < f->n_coefficients; i++) {
    struct hs_coefficient *c = &f->coefficients[i];
    if (c->value != c->before) c->value = c->low == 0 && c->value < 1e-6 ? 0 : hs_fit_rounded(c->value);
  }
  recall(f);
  for (int c = 0; c < HS_CLASS_N; c++)
    if (f->kernel.efficiency[c] != f->prior.efficiency[c]) f->kernel.efficiency[c] = hs_fit_rounded(f->kernel.efficiency[c]);
  for (int i = 0; i < f->kernel.n_knots; i++)
    if (f->kernel.knot_frac[i] != f->prior.knot_frac[i]) f->kernel.knot_frac[i] = hs_fit_rounded(f->kernel.knot_frac[i]);
}

/* Sum of losses with one coefficient elsewhere, less that where it is. */
static double worse_at(struct problem *q, int k, double value, const double spread[2])
{
  struct hs_coefficient *c = &q->fit->coefficients[q->free[k]];
  double at = *c->target, bad = badness(q, spread);
  *c->target = value;
  measure(q);
  double there = badness(q, spread);
  *c->target = at;
  measure(q);
  return q->n * (there - bad);
}

/* Where bandwidth begins to decide, a slope on the one side passes for a standard error, but on the other any value fits as well. Such a one is as uncertain as
 * it was before, or as its range goes on. */
static void widen_one_sided(struct problem *q, double *error, const double spread[2])
{
  for (int k = 0; k < q->p; k++) {
    const struct hs_coefficient *c = &q->fit->coefficients[q->free[k]];
    double at = *c->target, width = c->as_log ? c->width * at : c->width;
    double far[2] = {c->as_log ? at * exp(-c->width) : at - c->width, c->as_log ? at * exp(c->width) : at + c->width};
    for (int side = 0; side < 2; side++) {
      double value = fmin(fmax(far[side], c->low), c->high), open = value == far[side] ? width : fabs(value - at);
      if (fabs(value - at) > 3 * error[k] * unit_of(c) && worse_at(q, k, value, spread) < NOT_REFUTED) error[k] = open / unit_of(c);
    }
  }
}

/* How much the rows say of it: nothing, little or less than what it was before, as far as that still counts, or enough. */
static enum hs_fitted state_of(const struct hs_coefficient *c)
{
  double unit = c->as_log ? c->value : 1, width = c->width / sqrt(huber_weight(departure(c)));
  if (c->error >= SILENT * c->width * unit && fabs(departure(c)) < 1 - SILENT) return HS_FIT_UNDETERMINED;
  return c->error > LEANING * width * unit || (c->log && c->error > ERROR_MAX * c->value) ? HS_FIT_LEANING : HS_FITTED;
}

/* What the kernel didn't have, and the rows hardly determine, it still hasn't. */
static bool drop_new(struct problem *q, const double *error)
{
  int n = 0;
  for (int k = 0; k < q->p; k++) {
    struct hs_coefficient *c = &q->fit->coefficients[q->free[k]];
    bool was = !c->log || c->before >= c->low, ends_low = *c->target < 1.01 * c->low;
    if (was || (!ends_low && error[k] * unit_of(c) <= ERROR_MAX * *c->target)) {
      q->free[n++] = q->free[k];
      continue;
    }
    c->state = HS_FIT_UNDETERMINED;
    *c->target = c->before;
  }
  bool dropped = n < q->p;
  q->p = n;
  return dropped;
}

static void conclude(struct problem *q, const double spread[2])
{
  double error[HS_COEFFICIENTS_MAX];
  standard_errors(q, error);
  if (drop_new(q, error)) {
    q->fit->condition = 1; /* unless there are others */
    if (q->p > 0) robust(q);
    if (q->p > 0) standard_errors(q, error);
  }
  widen_one_sided(q, error, spread);
  keep(q->fit);
  for (int k = q->p - 1; k >= 0; k--) { /* leaders first */
    struct hs_coefficient *c = &q->fit->coefficients[q->free[k]];
    c->error = error[k] * unit_of(c);
    c->state = state_of(c);
    if (c->state != HS_FIT_UNDETERMINED) continue;
    c->error = 0;
    c->value = *c->target = hs_coefficient_before(c);
    hs_fit_spread_others(q->fit); /* knots between this and the next may follow it */
  }
  round_fitted(q->fit);
  drop_flat_curve(q->fit);
}

void hs_fit_solve(struct hs_fit *f)
{
  double spread[2];
  gsl_error_handler_t *handler = gsl_set_error_handler_off(); /* its default aborts; a fit that stops early is still the best there is */
  struct problem q = {.fit = f, .n = f->n_used, .p = f->n_coefficients};
  for (int i = 0; i < q.p; i++) q.free[i] = i;
  q.weight = hs_realloc(NULL, (size_t)(q.n + q.p), sizeof *q.weight);
  q.residual = hs_realloc(NULL, (size_t)q.n, sizeof *q.residual);
  best_start(&q, spread);
  conclude(&q, spread);
  gsl_set_error_handler(handler);
  free(q.weight);
  free(q.residual);
}
