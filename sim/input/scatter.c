/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "input/scatter.h"

#include "input/sources.h"

/* How many measurements there are behind it; told to readers of files only. */
static enum hs_status read_n(struct hs_json_at *at, int *out, struct hs_error *err)
{
  int64_t n = 0;
  HS_TRY(hs_json_get_int(at, "n", 2, 1000000000, &n, err));
  *out = (int)n;
  return hs_sources_end(at, err);
}

static enum hs_status read_quantile(const struct hs_json_at *list, int i, struct hs_quantiles *q, struct hs_error *err)
{
  struct hs_json_at row, at;
  bool last = i == q->n - 1;
  HS_TRY(hs_json_element(list, i, &row, err));
  if (!hs_json_is_array(&row) || hs_json_length(&row) != 2) return hs_json_fail(&row, err, "is not [probability, value]");
  HS_TRY(hs_json_element(&row, 0, &at, err));
  HS_TRY(hs_json_number(&at, 0, 1, &q->p[i], err));
  if (i > 0 && q->p[i] <= q->p[i - 1]) return hs_json_fail(&at, err, "probability %g is not above the one before it (%g)", q->p[i], q->p[i - 1]);
  if ((i == 0 && q->p[i] > 0) || (last && q->p[i] < 1))
    return hs_json_fail(&at, err, "the %s probability is %g, not %d", last ? "last" : "first", q->p[i], last);
  HS_TRY(hs_json_element(&row, 1, &at, err));
  HS_TRY(hs_json_positive(&at, 1e9, &q->ratio[i], err));
  if (i > 0 && q->ratio[i] < q->ratio[i - 1]) return hs_json_fail(&at, err, "value %g is below the quantile before it (%g)", q->ratio[i], q->ratio[i - 1]);
  return HS_OK;
}

/* Values become ratios to the mean of the straight lines, so that scatter moves no mean; where they are all equal, exactly 1. */
static void divide_by_mean(struct hs_quantiles *q)
{
  bool wide = q->ratio[0] < q->ratio[q->n - 1];
  double mean = 0;
  for (int i = 1; i < q->n; i++) mean += (q->p[i] - q->p[i - 1]) * (q->ratio[i] + q->ratio[i - 1]) / 2;
  for (int i = 0; i < q->n; i++) q->ratio[i] = wide ? q->ratio[i] / mean : 1;
}

enum hs_status hs_quantiles_read(struct hs_json_at *o, struct hs_quantiles *q, struct hs_error *err)
{
  struct hs_json_at at, list;
  int measurements = 0;
  q->n = 0;
  if (!hs_json_has(o, "scatter")) return HS_OK;
  HS_TRY(hs_json_get_object(o, "scatter", &at, err));
  HS_TRY(hs_json_get_array(&at, "quantiles", 2, HS_QUANTILES_MAX, &list, &q->n, err));
  for (int i = 0; i < q->n; i++) HS_TRY(read_quantile(&list, i, q, err));
  divide_by_mean(q);
  return read_n(&at, &measurements, err);
}

enum hs_status hs_jitter_read(struct hs_json_at *o, struct hs_jitter *j, struct hs_error *err)
{
  struct hs_json_at at;
  *j = (struct hs_jitter){0};
  if (!hs_json_has(o, "scatter")) return HS_OK;
  HS_TRY(hs_json_get_object(o, "scatter", &at, err));
  HS_TRY(hs_json_get_number(&at, "run_std_frac", 0, HS_JITTER_MAX_FRAC, &j->run_std_frac, err));
  HS_TRY(hs_json_get_number(&at, "kernel_std_frac", 0, HS_JITTER_MAX_FRAC, &j->kernel_std_frac, err));
  return read_n(&at, &j->n, err);
}

double hs_quantiles_at(const struct hs_quantiles *q, double p)
{
  int i = 1;
  if (q->n == 0) return 1;
  while (i < q->n - 1 && p > q->p[i]) i++;
  return q->ratio[i - 1] + (p - q->p[i - 1]) / (q->p[i] - q->p[i - 1]) * (q->ratio[i] - q->ratio[i - 1]);
}
