/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a name on the command line stands for: a policy, with its parameters or without, a runtime, a word that an option takes. A wrong name is HS_USAGE, with
 * the nearest right one. Networks, SoCs and scenarios are files: input/catalog.h. */
#ifndef HS_LOOKUP_H
#define HS_LOOKUP_H

#include "base/memory.h"
#include "base/status.h"
#include "input/runtime.h"
#include "policies/policy.h"

/* *policy is NULL for NULL. */
enum hs_status hs_lookup_policy(const char *name, const struct hs_policy **policy, struct hs_error *err);
/* A policy with parameters, "codl:chain=none:cut=height", and into values[HS_PARAMS_MAX] those of all that it has: as spec says, as params[] do
 * ("name=value"), else their defaults. For NULL, *policy is NULL and the values are untouched. The values live as long as the arena and params[]. HS_USAGE also
 * names a wrong parameter, or the mark that is wrong between the parts of spec. */
enum hs_status hs_lookup_policy_spec(struct hs_arena *arena, const char *spec, const char *const *params, int n_params, const struct hs_policy **policy,
                                     const char **values, struct hs_error *err);
/* NULL is no name of a runtime: a caller has looked up what stands for that. */
enum hs_status hs_lookup_runtime(const char *name, const struct hs_runtime **rt, struct hs_error *err);
/* Index of a word that an option gives; *out is -1 for NULL. `words` ends with NULL; `what` is what they are, as an error has it. */
enum hs_status hs_lookup_word(const char *what, const char *name, const char *const *words, int *out, struct hs_error *err);

#endif
