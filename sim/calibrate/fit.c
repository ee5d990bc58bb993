/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "calibrate/fit.h"

#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "calibrate/coefficients.h"
#include "calibrate/core_types.h"
#include "calibrate/measured.h"
#include "calibrate/robust.h"
#include "calibrate/solve.h"

static const double OTHER_UNIT = 100;     /* model and measurement apart by more: the row, or all of them, must be in another unit */
enum { PACE_NETWORKS = 3 };               /* at least, that tell a pace in common */
static const double PACE_MIN = 1.5;       /* a phone further from the one before than that is another one (assumed), up to HS_FIT_ANOTHER_PHONE */
static const double NO_FIT = 3;           /* half of the rows apart by more: as when many are in another unit, and the fit lies in between */

const char *hs_fit_what_was_before(const struct hs_fit *f)
{
  static const char *const was[] = {[HS_BASIS_FITTED] = "the profile before", [HS_BASIS_SIBLING] = "what comes from a sibling",
                                    [HS_BASIS_ESTIMATE] = "the estimate from hardware rates"};
  return was[f->bench->sys.backends[f->bench->processor].basis];
}

/* --- rows --- */

static bool same_kernel(const struct hs_bench *a, const struct hs_bench *b)
{
  const struct hs_backend *x = &a->sys.backends[a->processor], *y = &b->sys.backends[b->processor];
  return a->processor == b->processor && x->precision == y->precision && x->memory_type == y->memory_type;
}

/* Of a rate that the kernel has. */
static bool speaks(const struct hs_fit *f, const struct hs_measurement *r)
{
  const struct hs_operator *op = hs_measured_operator(r);
  return op ? op->work > 0 || (op->class == HS_CLASS_MOVE && f->base->move_half_pixels > 0) : hs_measured_speaks(r);
}

static int turn_of(const struct hs_fit *f, const struct hs_measurement *r) { return r->kept_out ? 2 : speaks(f, r) ? 0 : 1; }

static void collect(struct hs_measurements *m, int first, struct hs_fit *f)
{
  f->rows = hs_realloc(NULL, (size_t)m->n, sizeof *f->rows);
  for (int turn = 0; turn < 3; turn++)
    for (int i = 0; i < m->n; i++) {
      struct hs_measurement *r = &m->rows[i];
      if (!same_kernel(r->bench, m->rows[first].bench) || turn_of(f, r) != turn) continue;
      f->rows[f->n_rows + f->n_kept_out] = r;
      ++*(turn == 2 ? &f->n_kept_out : &f->n_rows);
      f->n_used += turn == 0;
    }
}

/* Where there are other rows, why they aren't fitted to. */
static const char *why_few(const struct hs_fit *f)
{
  bool silent = f->n_rows > f->n_used;
  if (f->n_kept_out) return silent ? " (others are kept out, or only move data or run elsewhere, which says nothing of rates)" : " (others are kept out)";
  return silent ? " (others only move data or run elsewhere, which says nothing of rates)" : "";
}

static enum hs_status check_rows(const struct hs_fit *f, struct hs_error *err)
{
  char buf[80];
  const struct hs_measurement *r = f->rows[0];
  if (f->n_used < HS_FIT_ROWS_MIN)
    return hs_fail_at(err, HS_INPUT, r->file, r->line, 0, NULL, "too few rows for %s: %d to fit to%s, and it takes %d",
                      hs_measured_kernel(f->bench, buf, sizeof buf), f->n_used, why_few(f), HS_FIT_ROWS_MIN);
  bool times_differ = false, work_differs = false;
  for (int i = 1; i < f->n_used; i++) {
    times_differ |= f->rows[i]->latency_s != r->latency_s;
    work_differs |= hs_measurement_model_s(f->rows[i]) != hs_measurement_model_s(r);
  }
  if (!times_differ)
    return hs_fail_at(err, HS_INPUT, r->file, r->line, 0, NULL, "constant column: all latencies of %s are %.6g s",
                      hs_measured_kernel(f->bench, buf, sizeof buf), r->latency_s);
  if (!work_differs)
    return hs_fail_at(err, HS_INPUT, r->file, r->line, 0, NULL, "constant columns: all rows of %s are of the same operator or network, run alike",
                      hs_measured_kernel(f->bench, buf, sizeof buf));
  return HS_OK;
}

static double typical_distance(const struct hs_fit *f)
{
  double *ln = hs_realloc(NULL, (size_t)f->n_rows, sizeof *ln);
  for (int i = 0; i < f->n_rows; i++) ln[i] = fabs(hs_robust_residual(f->rows[i]));
  double median = hs_fit_median(ln, f->n_rows);
  free(ln);
  return exp(median);
}

/* How many times as long as with the kernels that the benches hold now the fitted rows took: the least and the most. */
static void find_times(const struct hs_fit *f, double *least, double *most)
{
  *least = INFINITY;
  *most = 0;
  for (int i = 0; i < f->n_rows; i++) {
    double times = f->rows[i]->latency_s / hs_measurement_model_s(f->rows[i]);
    *least = fmin(*least, times);
    *most = fmax(*most, times);
  }
}

/* Rates would follow the rows that far; but no engine is that far from itself. */
static enum hs_status check_unit_before(const struct hs_fit *f, struct hs_error *err)
{
  double least, most;
  char buf[80];
  find_times(f, &least, &most);
  if (least <= OTHER_UNIT && most >= 1 / OTHER_UNIT) return HS_OK;
  return hs_fail_at(err, HS_INPUT, f->rows[0]->file, f->rows[0]->line, 0, NULL, "wrong unit? all %d rows of %s are %.4g to %.4g times as long as %s has them",
                    f->n_rows, hs_measured_kernel(f->bench, buf, sizeof buf), least, most, hs_fit_what_was_before(f));
}

/* All rows on one side of what the bounds of the coefficients allow: none is odd among the others. */
static enum hs_status check_unit_of_all(const struct hs_fit *f, struct hs_error *err)
{
  double least, most;
  char buf[80];
  find_times(f, &least, &most);
  if (least <= NO_FIT && most >= 1 / NO_FIT) return HS_OK;
  return hs_fail_at(err, HS_INPUT, f->rows[0]->file, f->rows[0]->line, 0, NULL,
                    "wrong unit%s? all %d rows of %s are %.3g to %.3g times as long as any fit has them",
                    most < 1 ? ", or faster than the peak in the SoC's file" : "", f->n_rows, hs_measured_kernel(f->bench, buf, sizeof buf), least, most);
}

static void note_odd(struct hs_fit *f, const struct hs_measurement *r, double times)
{
  if (fabs(log(times)) <= log(HS_FIT_ODD)) return;
  int i = f->n_odd < HS_FIT_ODD_MAX ? f->n_odd : HS_FIT_ODD_MAX;
  f->n_odd++;
  for (; i > 0 && fabs(log(f->odd[i - 1].times)) < fabs(log(times)); i--)
    if (i < HS_FIT_ODD_MAX) f->odd[i] = f->odd[i - 1];
  if (i < HS_FIT_ODD_MAX) f->odd[i] = (struct hs_odd_row){r, times};
}

/* A robust fit leaves the odd row that is off by a power of ten where it is. */
static enum hs_status check_units(struct hs_fit *f, struct hs_error *err)
{
  HS_TRY(check_unit_of_all(f, err));
  for (int i = 0; i < f->n_rows + f->n_kept_out; i++) {
    const struct hs_measurement *r = f->rows[i];
    double ratio = r->latency_s / hs_measurement_model_s(r);
    if (ratio > OTHER_UNIT || ratio < 1 / OTHER_UNIT)
      return hs_fail_at(err, HS_INPUT, r->file, r->line, 0, NULL, "mixed units? %.6g s is %.3g times what the other rows make of this: %.60s", r->latency_s,
                        ratio, r->text);
    note_odd(f, r, ratio);
  }
  double distance = typical_distance(f);
  char buf[80];
  if (distance > NO_FIT)
    return hs_fail_at(err, HS_INPUT, f->rows[0]->file, f->rows[0]->line, 0, NULL,
                      "mixed units? half of the rows of %s are off by more than %.3g times after any fit", hs_measured_kernel(f->bench, buf, sizeof buf),
                      distance);
  return HS_OK;
}

/* --- errors --- */

static struct hs_errors summarise(double *error, int n)
{
  struct hs_errors e = {.n = n, .middle_frac = hs_fit_median(error, n), .std_frac = n > 1 ? gsl_stats_sd(error, 1, (size_t)n) : 0};
  for (int i = 0; i < n; i++) {
    e.bias_frac += error[i] / n;
    error[i] = fabs(error[i]);
    e.mape_frac += error[i] / n;
  }
  e.median_frac = hs_fit_median(error, n);
  return e;
}

/* Operators of one network that ran on the same cores, in the same precision and memory. */
static bool belong_together(const struct hs_measurement *a, const struct hs_measurement *b)
{
  return a->op >= 0 && b->op >= 0 && a->bench == b->bench && strcmp(a->network, b->network) == 0;
}

static int sum_networks(const struct hs_fit *f, int from, int to, double *error)
{
  int n = 0;
  for (int i = from; i < to; i++) {
    double measured = 0, model = 0;
    bool first = *f->rows[i]->network && f->rows[i]->op >= 0;
    for (int k = i - 1; k >= from && first; k--) first = !belong_together(f->rows[k], f->rows[i]); /* its other rows are near */
    if (!first) continue;
    for (int k = i; k < to; k++) {
      if (!belong_together(f->rows[k], f->rows[i])) continue;
      measured += f->rows[k]->latency_s;
      model += hs_measurement_model_s(f->rows[k]);
    }
    error[n++] = model / measured - 1;
  }
  return n;
}

static const int *cores_of(const struct hs_bench *b) { return b->sys.backends[b->processor].cores; }

static bool same_cores(const struct hs_bench *a, const struct hs_bench *b)
{
  return memcmp(cores_of(a), cores_of(b), sizeof a->sys.backends[a->processor].cores) == 0;
}

/* Of all that have a say and ran on these cores. */
static struct hs_errors errors_on(const struct hs_fit *f, bool kept_out, const struct hs_bench *b)
{
  int from = kept_out ? f->n_rows : 0, to = kept_out ? f->n_rows + f->n_kept_out : f->n_rows, n = 0;
  double *error = hs_realloc(NULL, (size_t)(to - from) + 1, sizeof *error);
  for (int i = from; i < to; i++)
    if (speaks(f, f->rows[i]) && same_cores(f->rows[i]->bench, b)) error[n++] = hs_measurement_model_s(f->rows[i]) / f->rows[i]->latency_s - 1;
  struct hs_errors e = summarise(error, n);
  free(error);
  return e;
}

static void errors_by_cores(struct hs_fit *f)
{
  if (f->bench->sys.soc->processors[f->bench->processor].kind != HS_CPU) return;
  f->cores = hs_realloc(NULL, (size_t)(f->n_rows + f->n_kept_out), sizeof *f->cores);
  for (int i = 0; i < f->n_rows + f->n_kept_out; i++) {
    const struct hs_bench *b = f->rows[i]->bench;
    int k = 0;
    while (k < f->n_cores && !same_cores(f->cores[k].bench, b)) k++;
    if (k == f->n_cores) f->cores[f->n_cores++] = (struct hs_fit_cores){b, {errors_on(f, false, b), errors_on(f, true, b)}};
  }
}

struct hs_errors hs_fit_errors(const struct hs_fit *f, bool kept_out, enum hs_row_kind kind)
{
  int from = kept_out ? f->n_rows : 0, to = kept_out ? f->n_rows + f->n_kept_out : f->n_rows, n = 0;
  double *error = hs_realloc(NULL, (size_t)(to - from) + 1, sizeof *error);
  if (kind == HS_ROWS_SUMS)
    n = sum_networks(f, from, to, error);
  else
    for (int i = from; i < to; i++) {
      const struct hs_measurement *r = f->rows[i];
      if (speaks(f, r) && (kind == HS_ROWS_ALL || (r->op < 0) == (kind == HS_ROWS_NETWORKS))) error[n++] = hs_measurement_model_s(r) / r->latency_s - 1;
    }
  struct hs_errors e = summarise(error, n);
  free(error);
  return e;
}

static void all_errors(const struct hs_fit *f, struct hs_errors e[2][HS_ROW_KIND_N])
{
  for (int kept_out = 0; kept_out < 2; kept_out++)
    for (int kind = 0; kind < HS_ROW_KIND_N; kind++) e[kept_out][kind] = hs_fit_errors(f, kept_out, (enum hs_row_kind)kind);
}

static void errors_by_class(struct hs_fit *f)
{
  double *error = hs_realloc(NULL, (size_t)f->n_rows, sizeof *error);
  for (int c = 0; c < HS_CLASS_N; c++) {
    int n = 0;
    for (int i = 0; i < f->n_rows; i++)
      if (f->rows[i]->op >= 0 && (int)hs_measured_class(f->rows[i]) == c) error[n++] = hs_measurement_model_s(f->rows[i]) / f->rows[i]->latency_s - 1;
    f->class_error[c] = summarise(error, n);
  }
  free(error);
}

/* --- all of it --- */

/* Not only the rows' own benches: what another processor can't run may fall back to this one. */
static void mount(struct hs_measurements *m, const struct hs_fit *f, const struct hs_kernel *k)
{
  const struct hs_backend *own = &f->bench->sys.backends[f->bench->processor];
  for (int i = 0; i < m->n_benches; i++) {
    struct hs_system *sys = &m->benches[i]->sys;
    struct hs_backend *b = &sys->backends[f->bench->processor];
    if (b->precision == own->precision && b->memory_type == own->memory_type) hs_backend_take_kernel(b, &sys->soc->processors[f->bench->processor], k);
  }
}

/* How many times as long as expected the part of a network that runs there takes, by the median of its rows; 0: most of it runs elsewhere. */
static double pace_of_network(const struct hs_fit *f, const struct hs_graph *network)
{
  double *times = hs_realloc(NULL, (size_t)f->n_used, sizeof *times);
  int n = 0;
  for (int i = 0; i < f->n_used; i++) {
    const struct hs_measurement *r = f->rows[i];
    if (r->op >= 0 || r->graph != network) continue;
    double others = hs_measured_elsewhere_frac(NULL, r), own = (exp(-hs_robust_residual(r)) - others) / (1 - others);
    if (others < HS_FIT_ELSEWHERE_MUCH && own > 0) times[n++] = own;
  }
  double median = hs_fit_median(times, n);
  free(times);
  return median;
}

static bool is_first_of_network(const struct hs_fit *f, int row)
{
  bool first = f->rows[row]->op < 0;
  for (int i = 0; i < row; i++) first = first && (f->rows[i]->op >= 0 || f->rows[i]->graph != f->rows[row]->graph);
  return first;
}

/* By the median of the networks; the benches hold base, and of others what was fitted. Operators are of a few classes, and have rates of their own. */
static double pace_of(const struct hs_fit *f)
{
  double *paces = hs_realloc(NULL, (size_t)f->n_used, sizeof *paces);
  int n = 0;
  for (int i = 0; i < f->n_used; i++) {
    double pace = is_first_of_network(f, i) ? pace_of_network(f, f->rows[i]->graph) : 0;
    if (pace > 0) paces[n++] = pace;
  }
  double pace = hs_fit_median(paces, n), far = pace > 0 ? fmax(pace, 1 / pace) : 1;
  free(paces);
  return n < PACE_NETWORKS || far < PACE_MIN || far > HS_FIT_ANOTHER_PHONE ? 1 : pace;
}

/* What is fitted began at its bound, then. */
static void note_above_bounds(struct hs_measurements *m, const struct hs_fit *f)
{
  char kernel[160];
  for (int c = 0; c < HS_CLASS_N; c++) {
    double was = f->prior.efficiency[c], most = hs_fit_efficiency_max(f, c);
    if (was > most && f->kernel.efficiency[c] <= most)
      hs_measurements_note(m, "%s: efficiency %s was %.4g, and a fit allows no more than %.4g", hs_measured_kernel(f->bench, kernel, sizeof kernel),
                           hs_op_class_names[c], was, most);
  }
}

static void find_pace(const struct hs_measurements *m, struct hs_fit *f)
{
  for (int i = 0; i < f->n_rows + f->n_kept_out; i++)
    if (f->rows[i]->op < 0) f->rows[i]->elsewhere_frac = hs_measured_elsewhere_frac(m, f->rows[i]);
  f->pace = f->only ? 1 : pace_of(f);
  if (f->pace != 1) hs_fit_take_pace(f);
  f->kernel = f->prior;
  for (int c = 0; c < HS_CLASS_N; c++) f->kernel.efficiency[c] = fmin(f->kernel.efficiency[c], hs_fit_efficiency_max(f, c));
}

enum hs_status hs_fit_begin(struct hs_measurements *m, int first, const char *only, struct hs_fit *f, struct hs_error *err)
{
  *f = (struct hs_fit){.bench = m->rows[first].bench, .only = only, .pace = 1, .others = 1};
  const struct hs_backend *b = &f->bench->sys.backends[f->bench->processor];
  f->base = b->kernel;
  f->base_unfitted = b->basis != HS_BASIS_FITTED;
  f->prior = *b->kernel;
  collect(m, first, f);
  HS_TRY(check_rows(f, err));
  HS_TRY(check_unit_before(f, err));
  all_errors(f, f->before);
  hs_fit_note_ranges(f);
  return HS_OK;
}

enum hs_status hs_fit_kernel(struct hs_measurements *m, struct hs_fit *f, struct hs_error *err)
{
  find_pace(m, f);
  hs_fit_name_core_types(f, &m->arena);
  mount(m, f, &f->kernel);
  HS_TRY(hs_fit_choose_coefficients(f, err));
  hs_fit_solve(f);
  note_above_bounds(m, f);
  return HS_OK;
}

enum hs_status hs_fit_judge(struct hs_fit *f, struct hs_error *err)
{
  all_errors(f, f->after);
  errors_by_class(f);
  errors_by_cores(f);
  return check_units(f, err);
}

void hs_fit_free(struct hs_fit *f)
{
  free(f->rows);
  free(f->cores);
  *f = (struct hs_fit){0};
}
