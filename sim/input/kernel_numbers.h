/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Every number of a kernel that has a key of its own in a profile, once: for who reads profiles, who fits kernels and who writes profiles. Lists over
 * classes and operators, curves, scatter and the fit are theirs. */
#ifndef HS_KERNEL_NUMBERS_H
#define HS_KERNEL_NUMBERS_H

#include <stddef.h>

#include "input/kernel.h"

/* Of the peak: below, kernels take years, and in the end longer than a double can say. */
#define HS_EFFICIENCY_MIN 1e-9
/* Of a knot of the curve `saturation`, whose least is HS_EFFICIENCY_MIN, too. */
#define HS_SATURATION_MAX 10.0
/* Cycles of an element of an operator: less is nothing, and a fit would not find its way back from there. */
#define HS_OPERATOR_CYCLES_MIN 1e-3

struct hs_kernel_number {
  const char *group; /* the object that holds it; those of a group stand together; NULL: the kernel itself */
  const char *key;
  size_t offset;     /* in struct hs_kernel: of a double, or of an int where it is a count */
  bool count;
  int times;         /* 1: what takes longer has more of it; -1: less; 0: it is no time */
  double low, high;  /* [low, high], or (0, high] where low is negative */
  bool optional;
  const char *with;  /* optional, but where this one of its group stands */
  double otherwise;  /* what it is where the file leaves it or its group out, */
  size_t follows;    /* or, with an offset here, what that earlier number is, below which a count never is */
};

enum { HS_KERNEL_NUMBERS = 88 };
/* In the order in which they are read and written. */
extern const struct hs_kernel_number hs_kernel_numbers[HS_KERNEL_NUMBERS];

/* Which of k's numbers stands at this address; NULL: none that has a key of its own (an efficiency, a knot), or none of k's. */
const struct hs_kernel_number *hs_kernel_number_of(const struct hs_kernel *k, const void *number);

double hs_kernel_get(const struct hs_kernel *k, const struct hs_kernel_number *n);
void hs_kernel_set(struct hs_kernel *k, const struct hs_kernel_number *n, double v);
/* All that it does takes so many times as long, but for what waits for the memory: the bytes are as they were. */
void hs_kernel_slow_down(struct hs_kernel *k, double times);
/* What it is where it is left out. */
double hs_kernel_default(const struct hs_kernel *k, const struct hs_kernel_number *n);

/* How many numbers from i on stand in one object with it. */
int hs_kernel_group(int i);

#endif
