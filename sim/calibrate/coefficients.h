/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which coefficients of a kernel the rows of a fit can speak of, within which bounds, and what follows from them. For the fit, and the
 * writer of its profile. */
#ifndef HS_COEFFICIENTS_H
#define HS_COEFFICIENTS_H

#include "calibrate/fit.h"

/* To the four digits that profiles have. */
double hs_fit_rounded(double v);

double hs_fit_median(double *v, int n); /* sorts v; 0 where n is */

/* What the rows show, into fit->size_low and the like; and then what they can speak of at all, of it what fit->only names (NULL: all), into
 * fit->coefficients. HS_USAGE: a name that isn't among them. */
void hs_fit_note_ranges(struct hs_fit *f);
enum hs_status hs_fit_choose_coefficients(struct hs_fit *f, struct hs_error *err);

/* A coefficient as it is searched for, in widths of what it was before, and back. */
double hs_coefficient_to_x(const struct hs_coefficient *c, double value);
double hs_coefficient_from_x(const struct hs_coefficient *c, double x);
/* What it was before, beside what its leader is now. */
double hs_coefficient_before(const struct hs_coefficient *c);
/* Is a number of the fit's kernel, or its `others`, a coefficient of its own? */
bool hs_fit_looks_for(const struct hs_fit *f, const double *target);

/* Brings fit->prior to fit->pace. No class gets beyond what a fit may find, unless it was. */
void hs_fit_take_pace(struct hs_fit *f);
/* After coefficients have changed: whatever in the kernel has none of its own. */
void hs_fit_spread_others(struct hs_fit *f);
double hs_fit_efficiency_max(const struct hs_fit *f, int class);
/* The class whose efficiency a class has, as the library computes both alike, or -1. */
int hs_fit_leader(const struct hs_fit *f, int class);

#endif
