/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How measured durations scatter round their mean, as SoC files and kernel profiles say it (doc/formats.md). The mean itself stays
 * the model's: what is kept here are ratios to it. */
#ifndef HS_SCATTER_H
#define HS_SCATTER_H

#include "input/json_in.h"

enum { HS_QUANTILES_MAX = 24 };

/* Measured quantiles, joined by straight lines. */
struct hs_quantiles {
  int n;                         /* 0: nobody measured it */
  double p[HS_QUANTILES_MAX];    /* rising from 0 to 1 */
  double ratio[HS_QUANTILES_MAX]; /* to the mean of what is drawn, > 0 */
};

/* Where only mean and standard deviation were published: normal, within 4 standard deviations. Standard deviations ÷ mean. */
struct hs_jitter {
  double run_std_frac;    /* what all kernels of an inference have in common */
  double kernel_std_frac; /* of each kernel by itself */
  int n;                  /* measurements behind both; 0: nobody measured it */
};

/* Where 4 standard deviations reach 0. */
#define HS_JITTER_MAX_FRAC 0.25
enum { HS_JITTER_REACH = 4 };

/* Member "scatter" of an object, which may be absent (all 0 then). */
enum hs_status hs_quantiles_read(struct hs_json_at *o, struct hs_quantiles *q, struct hs_error *err);
enum hs_status hs_jitter_read(struct hs_json_at *o, struct hs_jitter *j, struct hs_error *err);

/* Ratio at p in [0, 1]; 1 where n is 0. */
double hs_quantiles_at(const struct hs_quantiles *q, double p);

#endif
