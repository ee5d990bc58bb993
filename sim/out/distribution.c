/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "out/distribution.h"

#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>

void hs_distribution_of(double *values, int n, struct hs_distribution *s)
{
  *s = (struct hs_distribution){n, NAN, NAN, NAN, NAN, NAN};
  if (n == 0) return;
  gsl_sort(values, 1, (size_t)n);
  s->mean = gsl_stats_mean(values, 1, (size_t)n);
  s->std = n > 1 ? gsl_stats_sd_m(values, 1, (size_t)n, s->mean) : 0;
  s->p5 = gsl_stats_quantile_from_sorted_data(values, 1, (size_t)n, 0.05);
  s->p50 = gsl_stats_quantile_from_sorted_data(values, 1, (size_t)n, 0.5);
  s->p95 = gsl_stats_quantile_from_sorted_data(values, 1, (size_t)n, 0.95);
}
