/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "policies/policy.h"

#include <string.h>

#define HS_POLICY_ENTRY(id) extern const struct hs_policy hs_policy_##id;
#include "policies/policy_list.def"
#undef HS_POLICY_ENTRY

const struct hs_policy *const hs_policies[] = {
#define HS_POLICY_ENTRY(id) &hs_policy_##id,
#include "policies/policy_list.def"
#undef HS_POLICY_ENTRY
};
const int hs_n_policies = sizeof hs_policies / sizeof *hs_policies;

const struct hs_policy *hs_policy_find(const char *name)
{
  for (int i = 0; i < hs_n_policies; i++)
    if (strcmp(hs_policies[i]->name, name) == 0) return hs_policies[i];
  return NULL;
}
