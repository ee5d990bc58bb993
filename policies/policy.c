/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "policies/policy.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

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
  if (policy->plan_all)
    HS_TRY(policy->plan_all(view, plan, err));
  else
    HS_TRY(policy->plan(view, hs_plan_add(plan, policy->name), err));
  for (int i = 0; i < plan->n; i++) {
    const struct hs_placement *pl = plan->alternatives[i];
    HS_TRY(hs_placement_check(view->sys, hs_placement_graph(pl, view->graph), pl, policy->name, err));
  }
  return HS_OK;
}

static enum hs_status unknown_param(const struct hs_policy *policy, const char *given, struct hs_error *err)
{
  struct hs_text list = {0};
  size_t n = strcspn(given, "=");
  for (int i = 0; i < policy->n_params; i++) hs_text_addf(&list, "%s%s", i ? ", " : "", policy->params[i].name);
  hs_fail(err, HS_USAGE, "policy %s has no parameter \"%.*s\" (it has: %s)", policy->name, n < 60 ? (int)n : 60, given, list.s ? list.s : "none");
  hs_text_free(&list);
  return err->status;
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

static enum hs_status check_value(const struct hs_policy *policy, const struct hs_param *p, const char *value, struct hs_error *err)
{
  struct hs_text rule = {0};
  if (is_number(p, value)) return HS_OK;
  for (int i = 0; p->words && p->words[i]; i++)
    if (strcmp(p->words[i], value) == 0) return HS_OK;
  hs_policy_rule(p, &rule);
  hs_fail(err, HS_USAGE, "policy %s, parameter %s: \"%.40s\" is not %s", policy->name, p->name, value, rule.s);
  hs_text_free(&rule);
  return err->status;
}

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
    HS_TRY(check_value(policy, &policy->params[i], eq + 1, err));
    is_given[i] = true;
    values[i] = eq + 1;
  }
  return HS_OK;
}
