/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "calibrate/solve.h"

#include <gsl/gsl_errno.h>
#include <math.h>
#include <stdlib.h>

#include "calibrate/coefficients.h"
#include "calibrate/measured.h"
#include "calibrate/standard_errors.h"

static const double ERROR_MAX = 0.5;      /* a standard error above this part of the value: hardly determined */
static const double NOT_REFUTED = 2;      /* the sum of losses, t²/2 each, rises by less where a value is within two standard deviations */
static const double LEANING = 0.7;        /* a standard error above this part of the width of what was before: the rows say less
                                           * than that (half of the variance) */
static const double SILENT = 0.98;        /* a standard error above this part of it, and no movement to speak of: the rows say nothing */

/* --- starts --- */

/* Median of model ÷ measured of the operators of one rate, or, NULL, of networks; 0: there are none. */
static double median_ratio(const struct hs_fit *f, const double *rate)
{
  double *ratio = hs_realloc(NULL, (size_t)f->n_rows, sizeof *ratio), median;
  int n = 0;
  for (int k = 0; k < f->n_rows; k++) {
    const struct hs_measurement *r = f->rows[k];
    if (rate ? r->op >= 0 && hs_kernel_rate(&f->kernel, hs_measured_class(r)) == rate : r->op < 0) ratio[n++] = exp(hs_robust_residual(r));
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

static void start(struct hs_robust *q, int which)
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

/* The most likely end so far. */
struct end {
  double unlikelihood, dof;
};

/* From where the coefficients are, to where it goes; kept, if rows and coefficients are more likely there. To tell ends apart they needn't be reached. */
static void try_from_here(struct hs_robust *q, struct end *best)
{
  q->fit->dof = 0;
  hs_robust_fit(q, HS_ROBUST_ROUGHLY);
  double unlikelihood = hs_robust_unlikelihood(q);
  if (unlikelihood >= best->unlikelihood - 1e-4) return;
  *best = (struct end){unlikelihood, q->fit->dof};
  keep(q->fit);
}

/* Does bandwidth decide an operator, or arithmetic? A search by slopes hardly finds from one to the other, as nothing changes until both take equally long. So
 * from the best end, too, with another bandwidth, and each rate so that its operators take what they took. (Of 496 tables of networks alone one had a better
 * end.) */
static void try_other_bandwidths(struct hs_robust *q, struct end *best)
{
  static const double times[] = {0.5, 2};
  struct hs_fit *f = q->fit;
  bool operators = false;
  for (int i = 0; i < f->n_used; i++) operators |= f->rows[i]->op >= 0;
  for (size_t i = 0; i < sizeof times / sizeof *times && operators && hs_fit_looks_for(f, &f->kernel.traffic_factor); i++) {
    recall(f);
    f->kernel.traffic_factor *= times[i];
    scale_rates(f);
    try_from_here(q, best);
  }
}

/* Goes on from the best of all ends. */
static void best_start(struct hs_robust *q, double spread[2])
{
  struct end best = {INFINITY, 0};
  for (int which = 0; which < N_STARTS; which++) {
    start(q, which);
    try_from_here(q, &best);
  }
  try_other_bandwidths(q, &best);
  recall(q->fit);
  q->fit->dof = best.dof;
  hs_robust_fit(q, HS_ROBUST_EXACTLY);
  hs_robust_spreads(q, spread);
}

/* --- what the rows determine --- */

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
static double worse_at(struct hs_robust *q, int k, double value, const double spread[2])
{
  struct hs_coefficient *c = &q->fit->coefficients[q->free[k]];
  double at = *c->target, bad = hs_robust_badness(q, spread);
  *c->target = value;
  hs_robust_measure(q);
  double there = hs_robust_badness(q, spread);
  *c->target = at;
  hs_robust_measure(q);
  return q->n * (there - bad);
}

/* Where bandwidth begins to decide, a slope on the one side passes for a standard error, but on the other any value fits as well. Such a one is as uncertain as
 * it was before, or as its range goes on. */
static void widen_one_sided(struct hs_robust *q, double *error, const double spread[2])
{
  for (int k = 0; k < q->p; k++) {
    const struct hs_coefficient *c = &q->fit->coefficients[q->free[k]];
    double at = *c->target, width = c->as_log ? c->width * at : c->width, unit = hs_standard_error_unit(c);
    double far[2] = {c->as_log ? at * exp(-c->width) : at - c->width, c->as_log ? at * exp(c->width) : at + c->width};
    for (int side = 0; side < 2; side++) {
      double value = fmin(fmax(far[side], c->low), c->high), open = value == far[side] ? width : fabs(value - at);
      if (fabs(value - at) > 3 * error[k] * unit && worse_at(q, k, value, spread) < NOT_REFUTED) error[k] = open / unit;
    }
  }
}

/* How much the rows say of it: nothing, little or less than what it was before, as far as that still counts, or enough. */
static enum hs_fitted state_of(const struct hs_coefficient *c)
{
  double unit = c->as_log ? c->value : 1, width = c->width / sqrt(hs_robust_weight(hs_robust_departure(c)));
  if (c->error >= SILENT * c->width * unit && fabs(hs_robust_departure(c)) < 1 - SILENT) return HS_FIT_UNDETERMINED;
  return c->error > LEANING * width * unit || (c->magnitude && c->error > ERROR_MAX * c->value) ? HS_FIT_LEANING : HS_FITTED;
}

/* What the kernel didn't have, and the rows hardly determine, it still hasn't. */
static bool drop_new(struct hs_robust *q, const double *error)
{
  int n = 0;
  for (int k = 0; k < q->p; k++) {
    struct hs_coefficient *c = &q->fit->coefficients[q->free[k]];
    bool was = !c->magnitude || c->before >= c->low, ends_low = *c->target < 1.01 * c->low;
    if (was || (!ends_low && error[k] * hs_standard_error_unit(c) <= ERROR_MAX * *c->target)) {
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

static void conclude(struct hs_robust *q, const double spread[2])
{
  double error[HS_COEFFICIENTS_MAX];
  hs_standard_errors(q, error);
  if (drop_new(q, error)) {
    q->fit->condition = 1; /* unless there are others */
    if (q->p > 0) hs_robust_fit(q, HS_ROBUST_EXACTLY);
    if (q->p > 0) hs_standard_errors(q, error);
  }
  widen_one_sided(q, error, spread);
  keep(q->fit);
  for (int k = q->p - 1; k >= 0; k--) { /* leaders first */
    struct hs_coefficient *c = &q->fit->coefficients[q->free[k]];
    c->error = error[k] * hs_standard_error_unit(c);
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
  struct hs_robust q = {.fit = f, .n = f->n_used, .p = f->n_coefficients};
  for (int i = 0; i < q.p; i++) q.free[i] = i;
  q.weight = hs_realloc(NULL, (size_t)(q.n + q.p), sizeof *q.weight);
  q.residual = hs_realloc(NULL, (size_t)q.n, sizeof *q.residual);
  best_start(&q, spread);
  conclude(&q, spread);
  gsl_set_error_handler(handler);
  free(q.weight);
  free(q.residual);
}
