/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Kernel profiles: the coefficients of the cost formula (model/cost.h) for one (SoC, runtime, processor, precision,
 * memory type). A file whose SoC is "any" holds the estimate from hardware rates for what has no profile of its own. */
#ifndef HS_PROFILE_H
#define HS_PROFILE_H

#include "input/soc.h"

enum { HS_KERNELS_MAX = 64, HS_KNOTS_MAX = 24 };

struct hs_kernel {
  const char *processor; /* name in the SoC; NULL in an "any" profile */
  enum hs_kind kind;     /* of an "any" profile */
  enum hs_precision precision;
  int memory_type;       /* enum hs_memory_type, or -1: all */
  double overhead_cycles;
  int channel_multiple;
  bool dense_depthwise;  /* depthwise convolutions run as dense ones, their filters padded with zeros */
  double reduction_half;
  double serial_frac;
  double traffic_factor;
  double power_factor;
  double efficiency[HS_CLASS_N];
  int n_knots;
  double knot_ln[HS_KNOTS_MAX], knot_frac[HS_KNOTS_MAX];
  int fit_n;             /* measurements behind it; 0: none */
  double fit_mape_frac;  /* on those */
  const char *fit_note;
};

struct hs_profile {
  struct hs_arena arena;
  const char *soc, *runtime; /* soc "any": the estimate */
  char sha256[65];
  int n_kernels;
  struct hs_kernel kernels[HS_KERNELS_MAX];
  struct hs_sources sources;
};

enum hs_status hs_profile_read(const char *file, struct hs_profile **profile, struct hs_error *err);
enum hs_status hs_profile_parse(const char *file, const char *text, size_t len, struct hs_profile **profile, struct hs_error *err);
void hs_profile_free(struct hs_profile *profile);

/* Kernel of processor p for a precision and memory type, or NULL: the first of the file that fits. */
const struct hs_kernel *hs_profile_find(const struct hs_profile *profile, const struct hs_processor *p,
                                        enum hs_precision precision, enum hs_memory_type type);

#endif
