/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a row measured, as the cost model sees it. */
#ifndef HS_MEASURED_H
#define HS_MEASURED_H

#include "calibrate/measurements.h"
#include "model/products.h"

/* The kernel that a bench measures, for people: processor, precision and, of a GPU, memory type. Returns buf. */
const char *hs_measured_kernel(const struct hs_bench *bench, char *buf, size_t size);

/* The operator that was measured by itself; NULL: the row is a network. */
const struct hs_operator *hs_measured_operator(const struct hs_measurement *row);

/* Of a row of an operator, of what runs: of a grouped convolution that the runtime writes out, of that of one group. Class; work (elements, where it has
 * none); logarithm of the size that the curve of a kernel's rates speaks of, infinite where it doesn't. */
enum hs_op_class hs_measured_class(const struct hs_measurement *row);
double hs_measured_work(const struct hs_measurement *row);
double hs_measured_ln_size(const struct hs_measurement *row);

/* Of a row of a network, by the kernels that its bench holds: does it say anything of the bench's own? And how much of its time is that of kernels of other
 * processors, as they are in a profile of m, so that nobody knows how long they take on this phone; m NULL: of any of theirs, fitted or not? */
bool hs_measured_speaks(const struct hs_measurement *row);
double hs_measured_elsewhere_frac(const struct hs_measurements *m, const struct hs_measurement *row);

#endif
