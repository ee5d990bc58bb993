/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A plan of two ways: everything on the CPU, or on the GPU. */
#ifndef HS_TEST_BOTH_H
#define HS_TEST_BOTH_H

#include "policies/policy.h"

static inline enum hs_status plan_both(const struct hs_view *v, struct hs_plan *plan, struct hs_error *err)
{
  static const char *const names[] = {"cpu", "gpu"};
  (void)err;
  for (int a = 0; a < 2; a++) {
    struct hs_placement *pl = hs_plan_add(plan, names[a]);
    for (int i = 0; i < pl->n_ops; i++) hs_place_whole(&pl->ops[i], hs_soc_find(v->sys->soc, names[a]));
  }
  return HS_OK;
}

#endif
