/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fits the coefficients of one kernel (input/profile.h) to measured rows: GSL's non-linear least squares on ln(model ÷ measured) within the
 * range of each coefficient (calibrate/search.h), Huber's weights renewed on the way, several starts in a fixed order.
 *
 * Rows of operators and of networks are two kinds: each is weighed by its own spread.
 *
 * A phone that is much slower or faster than the one before probably is so throughout: `pace` is how much, by the median of its networks,
 * and what was before is taken at that pace. What of a network's time is on processors to which nothing is fitted is as uncertain as a
 * coefficient, and the row counts for so much less.
 *
 * What a coefficient was before is known to `width` (a normal distribution about it), and is a measurement beside the rows: Tikhonov's
 * regularisation, or the mode of the posterior (Tarantola, Inverse Problem Theory, 2005, section 3.2). So one that the rows say little of
 * stays near what it was, and says so. With the rows' Jacobian J, weights W, scatter s^2 and P = diag(1 / width^2) (Huber's weights in
 * both: an odd coefficient may be elsewhere), M = J'WJ + P: covariance = inv(M) (s^2 J'WJ + P) inv(M). Coefficients that aren't looked for
 * (coefficients.c) count as exact: what is uncertain of them isn't in it. A knot of the curve of rates was before what it is beside the next one (`leader`;
 * P then has two rows and columns for it): where another phone's curve is elsewhere, it goes on as this phone's did. */
#ifndef HS_FIT_H
#define HS_FIT_H

#include "calibrate/measurements.h"
#include "input/kernel_numbers.h"

enum {
  HS_FIT_CURVE_ROWS = 30, /* that move a curve of rates */
  HS_COEFFICIENTS_SINGLE = HS_KERNEL_NUMBERS + 1, /* those that a kernel has once, and what classes without one have in common (calibrate/coefficients.c) */
  HS_COEFFICIENTS_CORES = (HS_DOMAINS_MAX - 1) * HS_CORE_WORK_N, /* of a CPU's clusters but one (calibrate/core_types.h) */
  HS_COEFFICIENTS_MAX = HS_COEFFICIENTS_SINGLE + HS_COEFFICIENTS_CORES + HS_CLASS_N + HS_KNOTS_MAX + HS_OP_N,
  HS_FIT_ROWS_MIN = 8,
  HS_FIT_ODD_MAX = 5
};

/* How far from what it was before a coefficient of another phone, or version of a runtime, is taken to be (assumed), of a profile's: a standard deviation of
 * its logarithm, ln 2. */
#define HS_FIT_WIDTH_LN 0.6931

enum hs_fitted {
  HS_FITTED,
  HS_FIT_UNDETERMINED, /* the rows say nothing of it, or too little of one that the kernel didn't have: it keeps its value */
  HS_FIT_LEANING,      /* the rows say less of it than what it was before: between both */
};

struct hs_coefficient {
  char name[HS_CORE_NAME_MAX + 20]; /* "products on Cortex-A75" */
  double *target;     /* in the fit's kernel, or its `others` */
  bool magnitude;     /* of any magnitude; false: a part of a whole, which may be 0 */
  double low, high;   /* range */
  double scale;       /* what it is measured against where it may be 0; 0: itself */
  double begin;       /* the search starts there, if it was below */
  double width;       /* standard deviation of what it was before, in which it is searched for: of its logarithm or (as_log: false) of itself */
  bool as_log;
  double before, value, error; /* error: standard error; 0 where undetermined */
  const double *leader;        /* what it was before moves with this, in the fit's kernel; NULL: with nothing */
  double leader_before;
  enum hs_fitted state;
};

/* Errors of model ÷ measured − 1 over n rows. */
struct hs_errors {
  int n;
  double mape_frac, median_frac, bias_frac; /* mean and median of |error|; mean error */
  double middle_frac, std_frac;             /* median error; standard deviation of errors about their mean, 0 of one */
};

/* A measured row, and how many times as long as the fit has it that it took. */
struct hs_odd_row {
  const struct hs_measurement *row;
  double times;
};

/* Rows that ran on the same cores of a CPU. */
struct hs_fit_cores {
  const struct hs_bench *bench; /* of one of them */
  struct hs_errors after[2];    /* [kept out] */
};

/* Without rows that aren't fitted (below: n_used), or wouldn't be; but HS_ROWS_SUMS, sums over the operators of each `network`, have all of them. */
enum hs_row_kind { HS_ROWS_ALL, HS_ROWS_OPERATORS, HS_ROWS_SUMS, HS_ROWS_NETWORKS, HS_ROW_KIND_N };

struct hs_fit {
  const struct hs_bench *bench; /* processor, precision and memory type that the kernel is for */
  const struct hs_kernel *base; /* before: the SoC's profile, or the estimate */
  double pace;                  /* how many times as long as with that its networks take on the whole, where that is another phone's; else 1 */
  struct hs_kernel prior;       /* base at this pace: what a coefficient was before, and what has none is; strings borrowed */
  bool base_unfitted;           /* it came from a sibling or hardware rates */
  const char *only;             /* what was asked for; borrowed */
  struct hs_kernel kernel;      /* after; strings borrowed from base */
  double others;                /* factor on the efficiency of classes that only networks show: */
  bool shown[HS_CLASS_N];       /* those that take any of their time */
  unsigned core_types;          /* bit mask: of which of the kernel's core_factors the rows can speak */
  int n_rows, n_kept_out;
  int n_used;                   /* of n_rows: operators that only move data have no coefficient of their own and may not bend those of others */
  struct hs_measurement **rows; /* used ones first, kept-out ones last; owned */
  double dof;                   /* coefficients that the rows determine, fewer than there are where they lean */
  int n_coefficients;
  struct hs_coefficient coefficients[HS_COEFFICIENTS_MAX];
  double condition;             /* of the scaled Jacobian: 1 is best */
  struct hs_errors before[2][HS_ROW_KIND_N], after[2][HS_ROW_KIND_N]; /* [kept out], with base and with kernel */
  int class_n[HS_CLASS_N];      /* operator rows that were fitted */
  double class_low[HS_CLASS_N], class_high[HS_CLASS_N]; /* their work: MACs or elementary operations; 0 where none */
  struct hs_errors class_error[HS_CLASS_N];
  double size_low, size_high;   /* H·W·C of what has MACs */
  int n_on_curve;               /* operators that the curve of rates speaks of: too few of them don't move it */
  int n_by_waves;               /* others with MACs, whose waves are counted, as sizes don't decide: too few don't move how long rounds of these take */
  int n_odd;                        /* rows that the fit leaves more than HS_FIT_ODD times off, kept out or not; of these */
  struct hs_odd_row odd[HS_FIT_ODD_MAX]; /* the furthest, that one first */
  int n_cores;                      /* of a CPU: */
  struct hs_fit_cores *cores;       /* each core set on which rows ran, in the order of these; owned */
};

/* Times as slow or as fast as the phone before, at most (assumed): units are 1000 apart. */
#define HS_FIT_ANOTHER_PHONE 30

/* A row is odd that is so many times off, either way (assumed): rows scatter by some per cent, and a formula that is wrong for a network by half. */
#define HS_FIT_ODD 3

/* Of the time of a network: where so much of it is on processors to which nothing is fitted, it says little. */
#define HS_FIT_ELSEWHERE_MUCH 0.5

/* Order of calls: begin of all kernels, so that `before` is before any fit; then kernel by kernel, first what others fall back to; judge of all.
 *
 * Finds the rows of the same processor, precision and memory type as rows[first]. `only`: names of the coefficients to look for, between commas, all others
 * keeping their values; NULL: all. HS_INPUT: too few rows, rows that don't differ, all of them in another unit. */
enum hs_status hs_fit_begin(struct hs_measurements *m, int first, const char *only, struct hs_fit *fit, struct hs_error *err);
/* Fits to them what they can speak of. All benches that have this kernel hold fit->kernel from now on, so `fit` stays where it is. HS_USAGE: a name in `only`
 * that they can't speak of. */
enum hs_status hs_fit_kernel(struct hs_measurements *m, struct hs_fit *fit, struct hs_error *err);
/* The errors after, with the kernels that the benches hold now. HS_INPUT: a row in another unit. */
enum hs_status hs_fit_judge(struct hs_fit *fit, struct hs_error *err);
void hs_fit_free(struct hs_fit *fit);

/* To name the kernel from which a fit began. */
const char *hs_fit_what_was_before(const struct hs_fit *fit);

/* Of fitted or kept-out rows of a kind, with the kernel that the benches hold now. */
struct hs_errors hs_fit_errors(const struct hs_fit *fit, bool kept_out, enum hs_row_kind kind);

#endif
