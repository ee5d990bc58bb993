/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A policy that doesn't use a processor plans the same and costs the same to the bit when that processor changes its speed.
 * For policies that prefer one processor whatever it costs in both directions; for those that search, when it becomes
 * slower (a faster one they may take). */
#include "tests/unit/suite.h"

#include "plan/estimate.h"
#include "program/setup.h"

static const struct {
  const char *policy, *param;
  bool searches;
} policies[] = {
  {"cpu", NULL, false}, {"cpu-little", NULL, false}, {"gpu", NULL, false}, {"dsp", NULL, false}, {"npu", NULL, false},
  {"tf-big", "governor=performance", false}, {"tf-little", "governor=performance", false}, {"tf-gpu", "governor=performance", false},
  {"tf-npu", "governor=performance", false}, {"tf-big", "governor=ondemand", false}, {"tf-little", "governor=ondemand", false},
  {"tf-gpu", "governor=ondemand", false}, {"tf-npu", "governor=ondemand", false},
  {"mosaic", "objective=latency", true}, {"mosaic", "objective=energy", true}, {"hca", "objective=latency", true}, {"hcca", "objective=latency", true},
};
static const char *const socs[] = {"kirin970", "sd855", "kirin990"}, *const models[] = {"squeezenet", "vgg16", "mobilenet_v1"};
static const double factors[] = {0.5, 0.37, 2, 3.1};
enum { SLOWER = 2, N_FACTORS = 4 };

/* Plans with MACs per cycle of processor p (-1: none) times `factor`. False where the policy's processor is missing. */
static bool make(struct hs_setup *s, int policy, const char *soc, const char *model, int p, double factor)
{
  const struct hs_run_options options = {.soc = soc, .policy = policies[policy].policy, .model = model, .n_params = policies[policy].param != NULL,
                                 .params = &policies[policy].param};
  struct hs_error err;
  *s = (struct hs_setup){0};
  if (hs_setup_system(s, &options, &err) == HS_USAGE) return false;
  hs_test_accepted(hs_setup_networks(s, &options, &err), &err);
  for (int d = 0; p >= 0 && d < s->soc->processors[p].n_domains; d++)
    for (int k = 0; k < HS_PRECISION_N; k++) s->soc->processors[p].domains[d].macs_per_cycle[k] *= factor;
  hs_test_accepted(hs_setup_plan(s, &err), &err);
  return true;
}

static bool uses(const struct hs_placement *pl, int p)
{
  for (int i = 0; i < pl->n_ops; i++)
    for (int k = 0; k < pl->ops[i].n_parts; k++)
      if (pl->ops[i].parts[k].processor == p) return true;
  return false;
}

static void check_same(const struct hs_setup *a, const struct hs_setup *b, const char *changed)
{
  struct hs_estimate x, y;
  for (int i = 0; i < a->placement->n_ops; i++) {
    const struct hs_op_placement *p = &a->placement->ops[i], *q = &b->placement->ops[i];
    ck_assert_msg(p->n_parts == 1 && q->n_parts == 1 && p->parts[0].processor == q->parts[0].processor && p->parts[0].opp == q->parts[0].opp &&
                    p->chain == q->chain && p->home == q->home && p->fallback == q->fallback,
                  "%s on %s: operator %d moved when %s changed", a->policy->name, a->soc->name, i, changed);
  }
  hs_estimate_program(&a->sys, a->program, &x, NULL, NULL);
  hs_estimate_program(&b->sys, b->program, &y, NULL, NULL);
  ck_assert_msg(memcmp(&x, &y, sizeof x) == 0, "%s on %s: costs more or less when %s changed", a->policy->name, a->soc->name, changed);
}

static int checked, used_and_changed;

static void change_one(const struct hs_setup *plain, int policy, const char *soc, const char *model, int p)
{
  static struct hs_setup s;
  bool used = uses(plain->placement, p);
  int n = policies[policy].searches ? SLOWER : N_FACTORS;
  for (int i = 0; i < n; i++) {
    ck_assert(make(&s, policy, soc, model, p, factors[i]));
    if (!used) {
      check_same(plain, &s, plain->soc->processors[p].name);
      checked++;
    } else {
      struct hs_estimate x, y;
      hs_estimate_program(&plain->sys, plain->program, &x, NULL, NULL);
      hs_estimate_program(&s.sys, s.program, &y, NULL, NULL);
      used_and_changed += x.latency_s != y.latency_s;
    }
    hs_setup_free(&s);
  }
}

START_TEST(unused_processors_do_not_matter)
{
  static struct hs_setup plain;
  checked = used_and_changed = 0;
  for (int k = 0; k < 3; k++)
    for (int m = 0; m < 3; m++) {
      if (make(&plain, _i, socs[k], models[m], -1, 1))
        for (int p = 0; p < plain.soc->n_processors; p++) change_one(&plain, _i, socs[k], models[m], p);
      hs_setup_free(&plain);
    }
  ck_assert_int_gt(checked, 0);
  ck_assert_int_gt(used_and_changed, 0); /* the change isn't without effect */
}
END_TEST

static void fill(TCase *t) { tcase_add_loop_test(t, unused_processors_do_not_matter, 0, (int)(sizeof policies / sizeof *policies)); }

int main(void) { return hs_test_main("indifference", fill); }
