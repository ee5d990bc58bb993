/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Kernel profiles: the coefficients of the cost model (doc/cost-model.md) for one (SoC, runtime, processor, precision,
 * memory type). A file whose SoC is "any" holds, for what has no profile of its own, a sibling's on the same type of core, else an estimate. */
#ifndef HS_PROFILE_H
#define HS_PROFILE_H

#include "input/kernel.h"

enum { HS_KERNELS_MAX = 64 };

struct hs_profile {
  struct hs_arena arena;
  struct hs_profile *next; /* asked where this has no kernel; belongs to this one; NULL */
  const char *soc, *runtime; /* soc "any": the estimate */
  struct hs_place soc_place, runtime_place;
  const char *file;            /* as it was opened */
  char sha256[65];
  int n_kernels;
  struct hs_kernel kernels[HS_KERNELS_MAX];
  struct hs_sources sources;
};

/* Reads and checks a profile. *profile is owned by the caller. HS_IO, or HS_INPUT with the place, the value and the rule. */
enum hs_status hs_profile_read(const char *file, struct hs_profile **profile, struct hs_error *err);
enum hs_status hs_profile_parse(const char *file, const char *text, size_t len, struct hs_profile **profile, struct hs_error *err);
void hs_profile_free(struct hs_profile *profile);

/* Kernel of processor p for a precision and memory type, or NULL: the first of the file that fits, and of the ones after it. */
const struct hs_kernel *hs_profile_find(const struct hs_profile *profile, const struct hs_processor *p,
                                        enum hs_precision precision, enum hs_memory_type type);

/* Which of the kernel's core_factors are of such cores, the first that names them, or -1. Its type is in theirs as whole words, as for_cores' are. */
int hs_kernel_find_core(const struct hs_kernel *kernel, const char *core_type);

/* Which of these profiles has the kernel, or NULL; `profile` may be NULL, too. */
const struct hs_profile *hs_profile_of(const struct hs_profile *profile, const struct hs_kernel *kernel);

/* What a kernel's speed rests on: measurements to which it was fitted; what was fitted to a related SoC's; hardware rates. */
enum hs_basis { HS_BASIS_FITTED, HS_BASIS_SIBLING, HS_BASIS_ESTIMATE, HS_BASIS_N };
extern const char *const hs_basis_names[HS_BASIS_N];   /* as results have them: "fitted", … */
extern const char *const hs_basis_phrases[HS_BASIS_N]; /* as a sentence about kernels has them: "fitted to measurements", … */
/* Of a kernel of this very profile, where processor p runs it. */
enum hs_basis hs_profile_basis(const struct hs_profile *profile, const struct hs_kernel *kernel, const struct hs_processor *p);

#endif
