/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "calibrate/search.h"

#include <gsl/gsl_errno.h>
#include <gsl/gsl_multifit_nlinear.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

static const double DIFFERENCE = 1e-6; /* of a variable, for slopes: large beside what residuals are rounded by, small beside what they bend in */
static const double SETTLED = 1e-5;    /* the sum falls by less than this part of it */

/* Residuals and slopes at x, also of variables that are held: they may have to be let go. */
static void look_around(struct hs_search *s)
{
  s->residuals(s->data, s->x, s->f);
  for (int k = 0; k < s->p; k++) {
    double at = s->x[k], step = at + DIFFERENCE > s->high[k] ? -DIFFERENCE : DIFFERENCE;
    s->x[k] = at + step;
    s->residuals(s->data, s->x, s->near);
    s->x[k] = at;
    for (int i = 0; i < s->n; i++) gsl_matrix_set(s->slope, (size_t)i, (size_t)k, (s->near[i] - s->f[i]) / step);
  }
}

void hs_search_begin(struct hs_search *s)
{
  s->f = hs_realloc(NULL, (size_t)s->n, sizeof *s->f);
  s->near = hs_realloc(NULL, (size_t)s->n, sizeof *s->near);
  s->trial = hs_realloc(NULL, (size_t)s->p, sizeof *s->trial);
  s->moving = hs_realloc(NULL, (size_t)s->p, sizeof *s->moving);
  s->slope = gsl_matrix_alloc((size_t)s->n, (size_t)s->p);
  for (int k = 0; k < s->p; k++) s->x[k] = fmin(fmax(s->x[k], s->low[k]), s->high[k]);
  look_around(s);
}

void hs_search_end(struct hs_search *s)
{
  free(s->f);
  free(s->near);
  free(s->trial);
  free(s->moving);
  gsl_matrix_free(s->slope);
}

/* --- for GSL, which knows of the variables that aren't held --- */

/* Where it is, as far as that is within the range. */
static const double *within(struct hs_search *s, const gsl_vector *u)
{
  memcpy(s->trial, s->x, (size_t)s->p * sizeof *s->trial);
  for (int i = 0; i < s->n_moving; i++) {
    int k = s->moving[i];
    s->trial[k] = fmin(fmax(gsl_vector_get(u, (size_t)i), s->low[k]), s->high[k]);
  }
  return s->trial;
}

static int residuals(const gsl_vector *u, void *data, gsl_vector *out)
{
  struct hs_search *s = data;
  s->residuals(s->data, within(s, u), s->near);
  for (int i = 0; i < s->n; i++) gsl_vector_set(out, (size_t)i, s->near[i]);
  return GSL_SUCCESS;
}

/* It asks for them at its start, where they are known, and where a step ends. */
static int slopes(const gsl_vector *u, void *data, gsl_matrix *out)
{
  struct hs_search *s = data;
  const double *x = within(s, u);
  if (memcmp(x, s->x, (size_t)s->p * sizeof *x) != 0) {
    memcpy(s->x, x, (size_t)s->p * sizeof *x);
    look_around(s);
  }
  for (int i = 0; i < s->n_moving; i++) {
    gsl_vector_const_view from = gsl_matrix_const_column(s->slope, (size_t)s->moving[i]);
    gsl_matrix_set_col(out, (size_t)i, &from.vector);
  }
  return GSL_SUCCESS;
}

/* --- bounds --- */

static double sum_of_squares(const struct hs_search *s, const double *f)
{
  double sum = 0;
  for (int i = 0; i < s->n; i++) sum += s->weight[i] * f[i] * f[i];
  return sum;
}

/* All but those at an end of their range where the sum falls outwards only. Are they others than before? */
static bool choose_moving(struct hs_search *s)
{
  int n = 0;
  bool others = false;
  for (int k = 0; k < s->p; k++) {
    double rise = 0;
    for (int i = 0; i < s->n; i++) rise += s->weight[i] * s->f[i] * gsl_matrix_get(s->slope, (size_t)i, (size_t)k);
    if ((s->x[k] <= s->low[k] && rise >= 0) || (s->x[k] >= s->high[k] && rise <= 0)) continue;
    others |= n >= s->n_moving || s->moving[n] != k;
    s->moving[n++] = k;
  }
  others |= n != s->n_moving;
  s->n_moving = n;
  return others;
}

static bool left_range(const struct hs_search *s, const gsl_vector *u)
{
  bool left = false;
  for (int i = 0; i < s->n_moving; i++) left |= gsl_vector_get(u, (size_t)i) != s->x[s->moving[i]];
  return left;
}

/* Down with those that move, until one of them comes to the end of its range, no step goes down any more, or all are done. Is it that no step does? */
static bool go_down(struct hs_search *s, int *steps)
{
  gsl_multifit_nlinear_parameters params = gsl_multifit_nlinear_default_parameters();
  gsl_multifit_nlinear_fdf fdf = {.f = residuals, .df = slopes, .n = (size_t)s->n, .p = (size_t)s->n_moving, .params = s};
  gsl_multifit_nlinear_workspace *w = gsl_multifit_nlinear_alloc(gsl_multifit_nlinear_trust, &params, fdf.n, fdf.p);
  gsl_vector *u = gsl_vector_alloc(fdf.p);
  gsl_vector_const_view weight = gsl_vector_const_view_array(s->weight, fdf.n);
  bool settled = false, at_end = false;
  for (int i = 0; i < s->n_moving; i++) gsl_vector_set(u, (size_t)i, s->x[s->moving[i]]);
  gsl_multifit_nlinear_winit(u, &weight.vector, &fdf, w);
  for (; *steps > 0 && !settled && !at_end; --*steps) {
    double before = sum_of_squares(s, s->f);
    settled = gsl_multifit_nlinear_iterate(w) != GSL_SUCCESS || before - sum_of_squares(s, s->f) <= SETTLED * before;
    at_end = left_range(s, gsl_multifit_nlinear_position(w));
  }
  gsl_vector_free(u);
  gsl_multifit_nlinear_free(w);
  return settled;
}

bool hs_search_descend(struct hs_search *s, int steps)
{
  bool settled = false;
  s->n_moving = 0;
  while (choose_moving(s) || !settled) {
    if (s->n_moving == 0) return true;
    if (steps == 0) return false;
    settled = go_down(s, &steps);
  }
  return true;
}

bool hs_search_leap(struct hs_search *s, double leap)
{
  double least = sum_of_squares(s, s->f), before = least;
  for (int k = 0; k < s->p; k++)
    for (int side = -1; side <= 1; side += 2) {
      double at = s->x[k];
      s->x[k] = fmin(fmax(at + side * leap, s->low[k]), s->high[k]);
      s->residuals(s->data, s->x, s->near);
      double sum = sum_of_squares(s, s->near);
      if (least - sum > SETTLED * least) least = sum;
      else s->x[k] = at;
    }
  if (least < before) look_around(s);
  return least < before;
}
