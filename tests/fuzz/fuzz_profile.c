/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The reader of kernel profiles. */
#include "input/profile.h"

#include "fuzz.h"

static void use(struct hs_profile *p)
{
  hs_fuzz_promise(p->n_kernels >= 1 && p->n_kernels <= HS_KERNELS_MAX && strlen(p->sha256) == 64);
  for (int i = 0; i < p->n_kernels; i++) {
    const struct hs_kernel *k = &p->kernels[i];
    struct hs_processor processor = {.name = k->processor ? k->processor : "", .kind = k->kind};
    enum hs_memory_type type = k->memory_type < 0 ? HS_BUFFER : (enum hs_memory_type)k->memory_type;
    const struct hs_kernel *found = hs_profile_find(p, &processor, k->precision, type);
    hs_fuzz_promise(found && found <= k && (k->memory_type < 0 || found == k)); /* none is hidden */
    for (int c = 0; c < HS_CLASS_N; c++) hs_fuzz_promise(k->efficiency[c] > 0);
    for (int n = 1; n < k->n_knots; n++) hs_fuzz_promise(k->knot_ln[n] > k->knot_ln[n - 1]);
  }
}

HS_FUZZ(hs_profile_parse, struct hs_profile, use, hs_profile_free)
