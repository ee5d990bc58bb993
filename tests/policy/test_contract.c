/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is refused of whoever writes a policy: tables that break policies/policy.h, and plans that come to nothing. Placements are in test_single.c, what
 * a scheduler may not do in tests/model/test_serve_schedulers.c. */
#include "tests/model/rig.h"

#include "policies/policy.h"

/* --- tables --- */

static enum hs_status on_the_cpu(const struct hs_view *view, struct hs_placement *pl, struct hs_error *err)
{
  (void)view, (void)err;
  for (int i = 0; i < pl->n_ops; i++) hs_place_whole(&pl->ops[i], CPU);
  return HS_OK;
}

static enum hs_status no_alternative(const struct hs_view *view, struct hs_plan *plan, struct hs_error *err)
{
  return (void)view, (void)plan, (void)err, HS_OK;
}

/* A good one, which each test spoils. */
static struct hs_param params[HS_PARAMS_MAX + 1];
static struct hs_policy good(void)
{
  static const char *const words[] = {"auto", NULL};
  params[0] = (struct hs_param){"slack", "how much may be lost", "0.5", NULL, 0, 1, false};
  params[1] = (struct hs_param){"steps", "how many", "auto", words, 1, 9, true};
  return (struct hs_policy){.name = "my-2nd", .summary = "s", .reference = "r", .defaults = {"tflite", HS_FP32, NULL}, .plan = on_the_cpu,
                            .params = params, .n_params = 2};
}

static void no_name(struct hs_policy *p) { p->name = NULL; }
static void empty_name(struct hs_policy *p) { p->name = ""; }
static void two_words(struct hs_policy *p) { p->name = "my policy"; }
static void like_a_setting(struct hs_policy *p) { p->name = "my:policy"; }
static void no_summary(struct hs_policy *p) { p->summary = NULL; }
static void no_reference(struct hs_policy *p) { p->reference = NULL; }
static void no_runtime(struct hs_policy *p) { p->defaults.runtime = NULL; }
static void no_plan(struct hs_policy *p) { p->plan = NULL; }
static void both_plans(struct hs_policy *p) { p->plan_all = no_alternative; }
static void too_many(struct hs_policy *p) { p->n_params = HS_PARAMS_MAX + 1; }
static void fewer_than_none(struct hs_policy *p) { p->n_params = -1; }
static void same_name(struct hs_policy *p) { params[1].name = p->params[0].name; }
static void no_fallback(struct hs_policy *p) { (void)p, params[1].fallback = NULL; }
static void no_help(struct hs_policy *p) { (void)p, params[0].help = NULL; }
static void no_param_name(struct hs_policy *p) { (void)p, params[0].name = NULL; }
static void no_value(struct hs_policy *p) { (void)p, params[0].max = 0; }
static void outside(struct hs_policy *p) { (void)p, params[0].fallback = "5"; }
static void a_part(struct hs_policy *p) { (void)p, params[1].fallback = "1.5"; }

static const struct {
  void (*spoil)(struct hs_policy *);
  const char *message;
} tables[] = {
  {no_name, "policy without a name broke its contract: its name is not of a-z, 0-9 and -"},
  {empty_name, "policy  broke its contract: its name is not of a-z, 0-9 and -"},
  {two_words, "policy my policy broke its contract: its name is not of a-z, 0-9 and -"},
  {like_a_setting, "policy my:policy broke its contract: its name is not of a-z, 0-9 and -"},
  {no_summary, "policy my-2nd broke its contract: it lacks its summary or reference"},
  {no_reference, "policy my-2nd broke its contract: it lacks its summary or reference"},
  {no_runtime, "policy my-2nd broke its contract: it has no default runtime"},
  {no_plan, "policy my-2nd broke its contract: it has not one of plan and plan_all"},
  {both_plans, "policy my-2nd broke its contract: it has not one of plan and plan_all"},
  {too_many, "policy my-2nd broke its contract: 9 parameters are not 0 to 8"},
  {fewer_than_none, "policy my-2nd broke its contract: -1 parameters are not 0 to 8"},
  {same_name, "policy my-2nd broke its contract: two parameters are called slack"},
  {no_fallback, "policy my-2nd broke its contract: a parameter lacks its name, help or fallback"},
  {no_help, "policy my-2nd broke its contract: a parameter lacks its name, help or fallback"},
  {no_param_name, "policy my-2nd broke its contract: a parameter lacks its name, help or fallback"},
  {no_value, "policy my-2nd broke its contract: parameter slack takes no value"},
  {outside, "policy my-2nd, parameter slack: its fallback \"5\" is not a number in [0, 1]"},
  {a_part, "policy my-2nd, parameter steps: its fallback \"1.5\" is not auto or a whole number in [1, 9]"},
};

START_TEST(table)
{
  struct hs_error err;
  struct hs_policy policy = good();
  hs_test_accepted(hs_policy_check(&policy, &err), &err);
  tables[_i].spoil(&policy);
  rig_refused(hs_policy_check(&policy, &err), &err, HS_POLICY, tables[_i].message);
}
END_TEST

START_TEST(tables_of_all)
{
  struct hs_error err;
  hs_test_accepted(hs_policies_check(&err), &err);
}
END_TEST

/* Both ends of what a number may be are allowed, and the default in other digits is the default. */
START_TEST(values)
{
  static const struct hs_param share = {"share", "how much", "1.0", NULL, 0, 1, false};
  static const char *const given[] = {"share=0", "share=1", "share=1.01"};
  struct hs_policy policy = good();
  const char *value;
  struct hs_error err;
  policy.params = &share;
  policy.n_params = 1;
  for (int i = 0; i < 2; i++) hs_test_accepted(hs_policy_values(&policy, &given[i], 1, &value, &err), &err);
  ck_assert(!hs_param_changed(&share, value));
  ck_assert(hs_param_changed(&share, "0.5"));
  rig_refused(hs_policy_values(&policy, &given[2], 1, &value, &err), &err, HS_USAGE, "policy my-2nd, parameter share: \"1.01\" is not a number in [0, 1]");
}
END_TEST

/* --- plans --- */

static enum hs_status null_alternative(const struct hs_view *view, struct hs_plan *plan, struct hs_error *err)
{
  on_the_cpu(view, hs_plan_add(plan, "good"), err);
  hs_plan_add(plan, "bad");
  plan->alternatives[1] = NULL;
  return HS_OK;
}

static enum hs_status no_operators(const struct hs_view *view, struct hs_plan *plan, struct hs_error *err)
{
  (void)view, (void)err;
  hs_plan_add(plan, "bad")->ops = NULL;
  return HS_OK;
}

static enum hs_status without_words(const struct hs_view *view, struct hs_plan *plan, struct hs_error *err)
{
  return (void)view, (void)plan, (void)err, HS_INPUT;
}

/* What it tried on the way and gave up is no error of its own. */
static enum hs_status tried_before(const struct hs_view *view, struct hs_plan *plan, struct hs_error *err)
{
  hs_fail(err, HS_USAGE, "no other way");
  return on_the_cpu(view, hs_plan_add(plan, "cpu"), err);
}

static enum hs_status with_words(const struct hs_view *view, struct hs_plan *plan, struct hs_error *err)
{
  return (void)view, (void)plan, hs_fail(err, HS_INPUT, "this network is too odd");
}

static const struct {
  enum hs_status (*plan_all)(const struct hs_view *, struct hs_plan *, struct hs_error *);
  enum hs_status status;
  const char *message; /* of HS_OK none */
} plans[] = {
  {no_alternative, HS_POLICY, "policy my-2nd broke its contract: its plan has no alternative"},
  {null_alternative, HS_POLICY, "policy my-2nd broke its contract: its alternative bad has no placement"},
  {no_operators, HS_POLICY, "policy my-2nd broke its contract: it placed no operators"},
  {without_words, HS_POLICY, "policy my-2nd broke its contract: its plan returned status 3 and no error"},
  {with_words, HS_INPUT, "this network is too odd"},
  {tried_before, HS_OK, NULL},
};

START_TEST(plan)
{
  struct rig r;
  struct hs_error err = {.status = HS_IO}; /* of something else before */
  struct hs_policy policy = good();
  const char *values[] = {"0.5", "auto"};
  policy.plan = NULL;
  policy.plan_all = plans[_i].plan_all;
  rig_open(&r, "tflite");
  rig_read_network(&r, RIG_NET(RIG_IN("i", "1, 8"), "'o'", RIG_OP("o", "Relu", "'i'", "")));
  struct hs_plan made = {.arena = &r.arena, .graph = r.graph};
  enum hs_status status = hs_policy_plan(&policy, &(struct hs_view){&r.sys, r.graph, values}, &made, &err);
  if (plans[_i].message)
    rig_refused(status, &err, plans[_i].status, plans[_i].message);
  else
    hs_test_accepted(status, &err);
  rig_close(&r);
}
END_TEST

static void fill(TCase *t)
{
  tcase_add_loop_test(t, table, 0, (int)(sizeof tables / sizeof *tables));
  tcase_add_test(t, tables_of_all);
  tcase_add_test(t, values);
  tcase_add_loop_test(t, plan, 0, (int)(sizeof plans / sizeof *plans));
}

int main(void) { return hs_test_main("contract", fill); }
