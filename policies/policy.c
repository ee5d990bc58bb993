/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "policies/policy.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/spelling.h"
#include "base/text.h"

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

struct hs_placement *hs_plan_add(struct hs_plan *plan, const char *name)
{
  if (plan->n == HS_ALTERNATIVES_MAX) return NULL;
  plan->names[plan->n] = hs_arena_strdup(plan->arena, name);
  return plan->alternatives[plan->n++] = hs_placement_new(plan->arena, plan->graph->n_ops);
}

enum hs_status hs_policy_plan(const struct hs_policy *policy, const struct hs_view *view, struct hs_plan *plan, struct hs_error *err)
{
  err->status = HS_OK;
  enum hs_status status = policy->plan_all ? policy->plan_all(view, plan, err) : policy->plan(view, hs_plan_add(plan, policy->name), err);
  if (status && err->status != status)
    return hs_fail(err, HS_POLICY, "policy %s broke its contract: its plan returned status %d and no error", policy->name, (int)status);
  if (status) return status;
  if (plan->n == 0) return hs_fail(err, HS_POLICY, "policy %s broke its contract: its plan has no alternative", policy->name);
  for (int i = 0; i < plan->n; i++) {
    const struct hs_placement *pl = plan->alternatives[i];
    if (!pl) return hs_fail(err, HS_POLICY, "policy %s broke its contract: its alternative %s has no placement", policy->name, plan->names[i]);
    HS_TRY(hs_placement_check(view->sys, hs_placement_graph(pl, view->graph), pl, policy->name, err));
  }
  return HS_OK;
}

static enum hs_status unknown_param(const struct hs_policy *policy, const char *given, struct hs_error *err)
{
  const char *names[HS_PARAMS_MAX];
  char name[64]; /* a longer one is none, and told so far */
  snprintf(name, sizeof name, "%.*s", (int)strcspn(given, "="), given);
  for (int i = 0; i < policy->n_params; i++) names[i] = policy->params[i].name;
  return hs_fail_unknown(err, name, names, policy->n_params, "policy %s has no parameter", policy->name);
}

/* The parameter that a setting "name=value" is of; -1: there is none. */
static int find_param(const struct hs_policy *policy, const char *given)
{
  size_t n = strcspn(given, "=");
  for (int i = 0; i < policy->n_params; i++)
    if (strlen(policy->params[i].name) == n && strncmp(policy->params[i].name, given, n) == 0) return i;
  return -1;
}

static bool is_number(const struct hs_param *p, const char *value)
{
  double v;
  return p->min < p->max && hs_decimal_parse(value, &v) && v >= p->min && v <= p->max && (!p->whole || v == floor(v));
}

void hs_policy_rule(const struct hs_param *p, struct hs_text *t)
{
  for (int i = 0; p->words && p->words[i]; i++) hs_text_addf(t, "%s%s", i ? ", " : p->words[1] ? "one of " : "", p->words[i]);
  if (p->min < p->max) hs_text_addf(t, "%sa %snumber in [%g, %g]", p->words ? " or " : "", p->whole ? "whole " : "", p->min, p->max);
}

/* status: HS_USAGE of what the user gave, HS_POLICY of what the policy has where the user gives none. */
static enum hs_status check_value(const struct hs_policy *policy, const struct hs_param *p, const char *value, enum hs_status status, struct hs_error *err)
{
  struct hs_text rule = {0};
  if (is_number(p, value)) return HS_OK;
  for (int i = 0; p->words && p->words[i]; i++)
    if (strcmp(p->words[i], value) == 0) return HS_OK;
  hs_policy_rule(p, &rule);
  hs_fail(err, status, "policy %s, parameter %s: %s\"%.40s\" is not %s", policy->name, p->name, status == HS_POLICY ? "its fallback " : "", value, rule.s);
  hs_text_free(&rule);
  return status;
}

/* --- tables --- */

static enum hs_status bad_table(const struct hs_policy *policy, const char *rule, struct hs_error *err)
{
  return hs_fail(err, HS_POLICY, "policy %s broke its contract: %s", policy->name ? policy->name : "without a name", rule);
}

static enum hs_status check_param(const struct hs_policy *policy, int i, struct hs_error *err)
{
  const struct hs_param *p = &policy->params[i];
  if (!p->name || !p->help || !p->fallback) return bad_table(policy, "a parameter lacks its name, help or fallback", err);
  for (int k = 0; k < i; k++)
    if (strcmp(policy->params[k].name, p->name) == 0)
      return hs_fail(err, HS_POLICY, "policy %s broke its contract: two parameters are called %s", policy->name, p->name);
  if (!p->words && !(p->min < p->max)) return hs_fail(err, HS_POLICY, "policy %s broke its contract: parameter %s takes no value", policy->name, p->name);
  return check_value(policy, p, p->fallback, HS_POLICY, err);
}

enum hs_status hs_policy_check(const struct hs_policy *policy, struct hs_error *err)
{
  if (!policy->name || !*policy->name || policy->name[strspn(policy->name, "abcdefghijklmnopqrstuvwxyz0123456789-")])
    return bad_table(policy, "its name is not of a-z, 0-9 and -", err);
  if (!policy->summary || !policy->reference) return bad_table(policy, "it lacks its summary or reference", err);
  if (!policy->defaults.runtime) return bad_table(policy, "it has no default runtime", err);
  if (!policy->plan == !policy->plan_all) return bad_table(policy, "it has not one of plan and plan_all", err);
  if (policy->n_params < 0 || policy->n_params > HS_PARAMS_MAX)
    return hs_fail(err, HS_POLICY, "policy %s broke its contract: %d parameters are not 0 to %d", policy->name, policy->n_params, HS_PARAMS_MAX);
  for (int i = 0; i < policy->n_params; i++) HS_TRY(check_param(policy, i, err));
  return HS_OK;
}

enum hs_status hs_policies_check(struct hs_error *err)
{
  for (int i = 0; i < hs_n_policies; i++) {
    HS_TRY(hs_policy_check(hs_policies[i], err));
    if (hs_policy_find(hs_policies[i]->name) != hs_policies[i]) return bad_table(hs_policies[i], "another policy has its name", err);
  }
  return HS_OK;
}

/* --- values --- */

bool hs_param_changed(const struct hs_param *p, const char *value)
{
  if (strcmp(value, p->fallback) == 0) return false;
  return !is_number(p, value) || !is_number(p, p->fallback) || strtod(value, NULL) != strtod(p->fallback, NULL);
}

struct hs_preferences hs_policy_preferences(const struct hs_policy *policy, const char *const *values)
{
  struct hs_preferences p = policy->defaults;
  if (policy->prefer) policy->prefer(values, &p);
  return p;
}

enum hs_status hs_policy_values(const struct hs_policy *policy, const char *const *given, int n, const char **values,
                                struct hs_error *err)
{
  bool is_given[HS_PARAMS_MAX] = {false};
  for (int i = 0; i < policy->n_params; i++) values[i] = policy->params[i].fallback;
  for (int k = 0; k < n; k++) {
    int i = find_param(policy, given[k]);
    const char *name = i >= 0 ? policy->params[i].name : NULL, *eq = strchr(given[k], '=');
    if (!name) return unknown_param(policy, given[k], err);
    if (!eq) return hs_fail(err, HS_USAGE, "policy %s, parameter %s has no value: write %s=VALUE", policy->name, name, name);
    if (is_given[i]) return hs_fail(err, HS_USAGE, "policy %s, parameter %s is given twice", policy->name, name);
    HS_TRY(check_value(policy, &policy->params[i], eq + 1, HS_USAGE, err));
    is_given[i] = true;
    values[i] = eq + 1;
  }
  return HS_OK;
}
