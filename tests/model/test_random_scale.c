/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Relations of scale that hold of any network and placement: faster hardware, and the order in which it is listed. */
#include "tests/model/random.h"

#include "policies/policy.h"

static struct hs_estimate estimate(const struct rig *r, const struct hs_placement *pl)
{
  struct hs_estimate e;
  struct hs_program *prog = rig_lower(r, pl);
  hs_estimate_program(&r->sys, prog, &e, NULL, NULL);
  hs_program_free(prog);
  return e;
}

static void double_all_rates(struct hs_soc *soc)
{
  soc->memory.peak_bytes_per_s *= 2;
  for (int p = 0; p < soc->n_processors; p++) {
    soc->processors[p].bandwidth_bytes_per_s *= 2;
    for (int d = 0; d < soc->processors[p].n_domains; d++) {
      soc->processors[p].domains[d].bandwidth_per_core_bytes_per_s *= 2;
      for (int i = 0; i < soc->processors[p].domains[d].n_opps; i++) soc->processors[p].domains[d].opps[i].freq_hz *= 2;
    }
  }
  for (int from = 0; from < HS_KIND_N; from++)
    for (int to = 0; to < HS_KIND_N; to++)
      for (int k = 0; k < HS_COMM_N; k++) {
        soc->sharing[from][to][k].fixed_s /= 2;
        soc->sharing[from][to][k].s_per_byte /= 2;
      }
}

START_TEST(doubled_rates_halve_time_and_energy)
{
  for (int trial = 0; trial < TRIALS; trial++) {
    struct rig r;
    gsl_rng *rng = stream("double", trial);
    open_random(rng, &r);
    struct hs_placement *pl = random_placement(rng, &r);
    struct hs_estimate before = estimate(&r, pl);
    double_all_rates(r.soc);
    for (int p = 0; p < r.soc->n_processors; p++) r.sys.backends[p].spin_s /= 2;
    struct hs_estimate after = estimate(&r, pl);
    ck_assert_near(after.latency_s, before.latency_s / 2);
    ck_assert_near(after.energy_j, before.energy_j / 2); /* the same power, half the time */
    rig_close(&r);
    gsl_rng_free(rng);
  }
}
END_TEST

START_TEST(faster_hardware_is_never_slower)
{
  for (int trial = 0; trial < TRIALS; trial++) {
    struct rig r;
    gsl_rng *rng = stream("faster", trial);
    open_random(rng, &r);
    struct hs_placement *pl = random_placement(rng, &r);
    double best = estimate(&r, pl).latency_s, at;
    int p = pick(rng, 0, r.soc->n_processors - 1), opp[HS_DOMAINS_MAX];
    memcpy(opp, r.sys.backends[p].opp, sizeof opp);
    memset(r.sys.backends[p].opp, 0, sizeof opp);
    ck_assert_double_ge(estimate(&r, pl).latency_s, best);
    memcpy(r.sys.backends[p].opp, opp, sizeof opp);
    r.soc->processors[p].bandwidth_bytes_per_s *= 1.7;
    at = estimate(&r, pl).latency_s;
    ck_assert_double_le(at, best);
    r.soc->memory.peak_bytes_per_s *= 1.3;
    ck_assert_double_le(estimate(&r, pl).latency_s, at);
    rig_close(&r);
    gsl_rng_free(rng);
  }
}
END_TEST

#define PERMUTED(a, b, c) RIG_HEAD("x", "2e9", "13e9") RIG_CPU "," a "," b "," c "," RIG_LITTLE "], 'sharing_costs': [" \
                          RIG_SHARE_NPU "," RIG_SHARE_DSP "," RIG_SHARE_GPU RIG_TAIL

START_TEST(order_in_the_file_changes_nothing)
{
  static const char *const socs[] = {RIG_PHONE("2e9"), PERMUTED(RIG_NPU, RIG_DSP, RIG_GPU), PERMUTED(RIG_DSP, RIG_GPU, RIG_NPU)};
  static const char *const policies[] = {"cpu", "cpu-little", "gpu", "dsp", "npu"};
  for (int trial = 0; trial < 20; trial++)
    for (int k = 0; k < 5; k++) {
      struct hs_estimate e[3];
      double peak[3];
      for (int i = 0; i < 3; i++) {
        struct rig r;
        struct hs_error err;
        struct hs_settings s = rig_settings("tflite");
        gsl_rng *rng = stream("permuted", trial);
        hs_test_accepted(rig_try(&r, socs[i], NULL, RIG_TFLITE, &s, &err), &err);
        random_network(rng, &r, pick(rng, 2, 12));
        for (int o = 0; o < r.graph->n_ops; o++) /* holes in the masks, so that fallback crosses */
          for (int kind = HS_GPU; kind < HS_KIND_N; kind++) r.graph->ops[o].override[kind] = chance(rng, 0.7);
        const char *values[HS_PARAMS_MAX];
        hs_test_accepted(hs_policy_values(hs_policy_find(policies[k]), NULL, 0, values, &err), &err);
        const struct hs_view v = {&r.sys, r.graph, values};
        struct hs_placement *pl = hs_placement_new(&r.arena, r.graph->n_ops);
        hs_test_accepted(hs_policy_find(policies[k])->plan(&v, pl, &err), &err);
        e[i] = estimate(&r, pl);
        struct hs_program *prog = rig_lower(&r, pl);
        peak[i] = prog->peak_memory_bytes;
        hs_program_free(prog);
        rig_close(&r);
        gsl_rng_free(rng);
      }
      for (int i = 1; i < 3; i++) {
        ck_assert_near(e[i].latency_s, e[0].latency_s);
        ck_assert_near(e[i].energy_j, e[0].energy_j);
        ck_assert_double_eq(peak[i], peak[0]);
      }
    }
}
END_TEST

static void fill(TCase *t)
{
  tcase_add_test(t, doubled_rates_halve_time_and_energy);
  tcase_add_test(t, faster_hardware_is_never_slower);
  tcase_add_test(t, order_in_the_file_changes_nothing);
}

int main(void) { return hs_test_main("random_scale", fill); }
