/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "program/lookup.h"

#include <assert.h>
#include <string.h>

#include "base/spelling.h"

enum hs_status hs_lookup_policy(const char *name, const struct hs_policy **policy, struct hs_error *err)
{
  const char *names[64];
  *policy = NULL;
  if (!name) return HS_OK;
  *policy = hs_policy_find(name);
  assert(hs_n_policies <= (int)(sizeof names / sizeof *names));
  for (int i = 0; i < hs_n_policies; i++) names[i] = hs_policies[i]->name;
  return *policy ? HS_OK : hs_fail_unknown(err, name, names, hs_n_policies, "there is no policy");
}

/* Of a policy that was refused: was it more than one thing, written with the wrong mark between them? Names and values have no commas and no @. */
static enum hs_status tell_marks(const char *spec, struct hs_error *err)
{
  if (strchr(spec, '@') || strstr(spec, ",deadline=") || strstr(spec, ",priority="))
    return hs_fail(err, HS_USAGE, "\"%.60s\": a network's policy comes last: MODEL@30fps,deadline=50ms,priority=1:POLICY", spec);
  bool comma = strchr(spec, ','), colon = strchr(spec, ':'), equals = strchr(spec, '=');
  if (colon ? comma : equals)
    return hs_fail(err, HS_USAGE, "\"%.60s\": a policy's parameters follow it with colons: NAME:PARAMETER=VALUE:PARAMETER=VALUE", spec);
  if (!comma) return err->status;
  return hs_fail(err, HS_USAGE, "\"%.60s\": one policy at a time; hetsim compare --policies=%.60s runs one after the other", spec, spec);
}

enum hs_status hs_lookup_policy_spec(struct hs_arena *arena, const char *spec, const char *const *params, int n_params, const struct hs_policy **policy,
                                     const char **values, struct hs_error *err)
{
  const char **all = HS_NEW_ARRAY(arena, const char *, HS_PARAMS_MAX + (size_t)n_params);
  int n = 0;
  char *name = spec ? hs_arena_printf(arena, "%s", spec) : NULL, *next = name ? strchr(name, ':') : NULL;
  if (next) *next++ = 0;
  if (hs_lookup_policy(name, policy, err)) return tell_marks(spec, err);
  for (char *own; (own = next); all[n++] = own) {
    next = strchr(own, ':');
    if (next) *next++ = 0;
    if (!*own) return hs_fail(err, HS_USAGE, "policy \"%.60s\" has an empty parameter; write NAME:PARAMETER=VALUE", spec);
    if (n == HS_PARAMS_MAX) return hs_fail(err, HS_USAGE, "policy \"%.60s\" has too many parameters", spec);
  }
  for (int i = 0; i < n_params; i++) all[n++] = params[i];
  if (!*policy || hs_policy_values(*policy, all, n, values, err) == HS_OK) return HS_OK;
  return tell_marks(spec, err);
}

enum hs_status hs_lookup_runtime(const char *name, const struct hs_runtime **rt, struct hs_error *err)
{
  const char *names[HS_RUNTIMES_MAX];
  *rt = hs_runtime_find(name);
  for (int i = 0; i < hs_n_runtimes; i++) names[i] = hs_runtimes[i].name;
  return *rt ? HS_OK : hs_fail_unknown(err, name, names, hs_n_runtimes, "there is no runtime");
}

enum hs_status hs_lookup_word(const char *what, const char *name, const char *const *words, int *out, struct hs_error *err)
{
  int n = 0;
  *out = -1;
  if (!name) return HS_OK;
  while (words[n]) n++;
  for (int i = 0; i < n; i++)
    if (strcmp(words[i], name) == 0) *out = i;
  return *out >= 0 ? HS_OK : hs_fail_unknown(err, name, words, n, "there is no %s", what);
}
