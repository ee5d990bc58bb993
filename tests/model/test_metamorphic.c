/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What must hold for any network and any SoC: tried on random chains with random placements of the operators. */
#include "tests/model/fixture.h"

#include <gsl/gsl_rng.h>

#include "plan/estimate.h"
#include "policies/policy.h"

enum { TRIALS = 40 };

static gsl_rng *new_rng(unsigned long seed)
{
  gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
  gsl_rng_set(rng, seed);
  return rng;
}

static int pick(gsl_rng *rng, int from, int to) { return from + (int)gsl_rng_uniform_int(rng, (unsigned long)(to - from + 1)); }

/* A chain of n operators t1 … tn on x; the last is called o. */
static void random_chain(gsl_rng *rng, struct fixture *f, int n)
{
  struct hs_text ops = {0};
  char shape[60];
  snprintf(shape, sizeof shape, "[1,%d,%d,%d]", pick(rng, 5, 40), pick(rng, 5, 40), pick(rng, 1, 70));
  for (int i = 1; i <= n; i++) {
    char name[12], from[12];
    snprintf(name, sizeof name, i == n ? "o" : "t%d", i);
    snprintf(from, sizeof from, i == 1 ? "x" : "t%d", i - 1);
    hs_text_addf(&ops, "%s{'name': '%s', 'inputs': ['%s'], ", i > 1 ? ", " : "", name, from);
    switch (pick(rng, 0, 3)) {
    case 0: hs_text_addf(&ops, "'op': 'Conv', 'channels': %d, 'kernel': [3,3], 'pad': 'same'}", pick(rng, 1, 90)); break;
    case 1: hs_text_addf(&ops, "'op': 'DepthwiseConv', 'kernel': [5,3], 'pad': 'same'}"); break;
    case 2: hs_text_addf(&ops, "'op': 'Sigmoid'}"); break;
    default: hs_text_addf(&ops, "'op': 'Conv', 'channels': %d, 'kernel': [1,1]}", pick(rng, 1, 200));
    }
  }
  fixture_graph(f, shape, ops.s, "'o'");
  hs_text_free(&ops);
}

static void random_system(gsl_rng *rng, struct fixture *f, const char *soc)
{
  struct hs_settings s = {.runtime = hs_runtime_find("mace"), .precision = -1, .memory_type = -1};
  fixture_make(f, soc, fixture_profile(pick(rng, 0, 5000), pick(rng, 1, 8), pick(rng, 0, 30), 0.1), &s);
  for (int p = 0; p < f->soc->n_processors; p++) f->soc->processors[p].bandwidth_bytes_per_s *= 0.5 + gsl_rng_uniform(rng);
}

/* Places the operators by the bits of `where`: 0 CPU, 1 GPU. */
static double latency(const struct fixture *f, unsigned where, int opp)
{
  struct hs_arena a = {0};
  struct hs_program *p = NULL;
  struct hs_error err;
  struct hs_estimate e;
  struct hs_placement *pl = hs_placement_new(&a, f->graph->n_ops);
  for (int i = 0; i < f->graph->n_ops; i++) {
    hs_place_whole(&pl->ops[i], (int)(where >> i & 1));
    pl->ops[i].parts[0].opp = opp;
  }
  ck_assert_msg(hs_lower(&f->sys, f->graph, pl, &p, &err) == HS_OK, "%s", err.text);
  hs_estimate_program(&f->sys, p, &e, NULL, NULL);
  hs_program_free(p);
  hs_arena_free(&a);
  return e.latency_s;
}

START_TEST(all_rates_doubled_halve_every_time)
{
  gsl_rng *rng = new_rng(2385);
  for (int trial = 0; trial < TRIALS; trial++) {
    struct fixture f;
    random_system(rng, &f, NULL);
    random_chain(rng, &f, pick(rng, 1, 8));
    unsigned where = (unsigned)pick(rng, 0, 255);
    double before = latency(&f, where, -1);
    f.soc->memory.peak_bytes_per_s *= 2;
    for (int p = 0; p < f.soc->n_processors; p++) {
      struct hs_domain *d = &f.soc->processors[p].domains[0];
      f.soc->processors[p].bandwidth_bytes_per_s *= 2;
      d->bandwidth_per_core_bytes_per_s *= 2;
      for (int i = 0; i < d->n_opps; i++) d->opps[i].freq_hz *= 2;
    }
    for (int from = 0; from < HS_KIND_N; from++)
      for (int to = 0; to < HS_KIND_N; to++)
        for (int k = 0; k < HS_COMM_N; k++) {
          f.soc->sharing[from][to][k].fixed_s /= 2;
          f.soc->sharing[from][to][k].s_per_byte /= 2;
        }
    ck_assert_double_eq_tol(latency(&f, where, -1), before / 2, 1e-12 * before);
    fixture_free(&f);
  }
  gsl_rng_free(rng);
}
END_TEST

START_TEST(more_bandwidth_or_a_higher_opp_is_never_slower)
{
  gsl_rng *rng = new_rng(77);
  for (int trial = 0; trial < TRIALS; trial++) {
    struct fixture f;
    random_system(rng, &f, NULL);
    random_chain(rng, &f, pick(rng, 1, 8));
    unsigned where = (unsigned)pick(rng, 0, 255);
    double at_low = latency(&f, where, 0), at_high = latency(&f, where, 1);
    ck_assert_double_le(at_high, at_low);
    for (int p = 0; p < f.soc->n_processors; p++) {
      f.soc->processors[p].bandwidth_bytes_per_s *= 1.3;
      f.soc->processors[p].domains[0].bandwidth_per_core_bytes_per_s *= 1.3;
    }
    ck_assert_double_le(latency(&f, where, 1), at_high);
    fixture_free(&f);
  }
  gsl_rng_free(rng);
}
END_TEST

/* The latency that a policy gets on this SoC. */
static double planned(struct fixture *f, const char *policy)
{
  struct hs_arena a = {0};
  struct hs_program *p = NULL;
  struct hs_error err;
  struct hs_estimate e;
  const struct hs_policy *pol = hs_policy_find(policy);
  const char *values[HS_PARAMS_MAX];
  ck_assert_int_eq(hs_policy_values(pol, NULL, 0, values, &err), HS_OK);
  const struct hs_view v = {&f->sys, f->graph, values};
  struct hs_placement *pl = hs_placement_new(&a, f->graph->n_ops);
  ck_assert_msg(pol->plan(&v, pl, &err) == HS_OK, "%s", err.text);
  ck_assert_msg(hs_lower(&f->sys, f->graph, pl, &p, &err) == HS_OK, "%s", err.text);
  hs_estimate_program(&f->sys, p, &e, NULL, NULL);
  hs_program_free(p);
  hs_arena_free(&a);
  return e.latency_s;
}

/* Between CPU and GPU a DSP is put, for which the runtime has no code: it renumbers the GPU and adds an empty mask. */
START_TEST(a_processor_with_an_empty_mask_and_other_numbers_change_nothing)
{
  static const char *const policies[] = {"cpu", "gpu", "mosaic", "codl", "mulayer"};
  char *seed = hs_test_seed("soc/small");
  char *heated = hs_test_replace(seed, "\"processors\": [\"cpu\", \"gpu\"]", "\"processors\": [\"cpu\", \"gpu\", \"dsp\"]");
  char *named = hs_test_replace(heated, ", {\"name\": \"gpu\"",
                                ", {\"name\": \"dsp\", \"kind\": \"dsp\", \"discipline\": \"queued\", \"bandwidth_bytes_per_s\": 9e9, \"domains\": "
                                "[{\"name\": \"d\", \"cores\": 1, \"bandwidth_per_core_bytes_per_s\": 9e9, \"macs_per_cycle\": {\"int8\": 99}, \"opps\": "
                                "[{\"freq_hz\": 3e9, \"volt\": 1, \"dynamic_w\": 1, \"static_w\": 0}], \"source\": \"a\"}], "
                                "\"source\": \"a\"}, {\"name\": \"gpu\"");
  char *one_way = hs_test_replace(named, "\"sharing_costs\": [",
                                  "\"sharing_costs\": [{\"from\": \"cpu\", \"to\": \"dsp\", \"source\": \"a\", \"transform\": {\"fixed_s\": 0, "
                                  "\"s_per_byte\": 0}, \"map\": {\"fixed_s\": 0, \"s_per_byte\": 0}, "
                                  "\"sync\": {\"fixed_s\": 0, \"s_per_byte\": 0}, \"rpc\": {\"fixed_s\": 0, "
                                  "\"s_per_byte\": 0}, \"launch\": {\"fixed_s\": 0, \"s_per_byte\": 0}}, "
                                  "{\"from\": \"dsp\", \"to\": \"cpu\", \"source\": \"a\", \"transform\": "
                                  "{\"fixed_s\": 0, \"s_per_byte\": 0}, \"map\": {\"fixed_s\": 0, \"s_per_byte\": 0}, "
                                  "\"sync\": {\"fixed_s\": 0, \"s_per_byte\": 0}, \"rpc\": "
                                  "{\"fixed_s\": 0, \"s_per_byte\": 0}, \"launch\": {\"fixed_s\": 0, \"s_per_byte\": 0}}, ");
  for (int trial = 0; trial < TRIALS / 4; trial++)
    for (size_t k = 0; k < sizeof policies / sizeof *policies; k++) {
      double with[2];
      for (int i = 0; i < 2; i++) {
        struct fixture f;
        gsl_rng *rng = new_rng(100 + (unsigned long)trial);
        struct hs_settings s = {.runtime = hs_runtime_find("mace"), .precision = -1, .memory_type = -1};
        fixture_make(&f, i ? one_way : seed, fixture_profile(300, 4, 2, 0), &s);
        random_chain(rng, &f, pick(rng, 1, 8));
        with[i] = planned(&f, policies[k]);
        fixture_free(&f);
        gsl_rng_free(rng);
      }
      ck_assert_double_eq_tol(with[1], with[0], 1e-12 * with[0]);
    }
  free(one_way);
  free(heated);
  free(named);
  free(seed);
}
END_TEST

enum { BRANCHES = 3, LONGEST = 4 };

/* Branches of convolutions on x, each different from the others, with a Concat of their ends. */
struct branches {
  int length[BRANCHES];
  char op[BRANCHES][LONGEST][160];
};

static void random_branches(gsl_rng *rng, struct branches *b)
{
  for (int k = 0; k < BRANCHES; k++) {
    b->length[k] = pick(rng, 1, LONGEST);
    for (int i = 0; i < b->length[k]; i++) {
      char from[16] = "x";
      if (i) snprintf(from, sizeof from, "b%u_%u", (unsigned char)k, (unsigned char)(i - 1));
      snprintf(b->op[k][i], sizeof b->op[k][i],
               "{'name': 'b%d_%d', 'inputs': ['%s'], 'op': 'Conv', 'channels': %d, 'kernel': [%d,%d], 'pad': 'same'}, ", k, i, from,
               16 * k + pick(rng, 1, 16), pick(rng, 1, 5), pick(rng, 1, 3));
    }
  }
}

/* The operators in a random order in which each comes after what it reads; false where it's the one of the branches. */
static bool in_random_order(gsl_rng *rng, const struct branches *b, struct hs_text *ops)
{
  int done[BRANCHES] = {0}, left = 0, last = 0;
  bool other = false;
  for (int k = 0; k < BRANCHES; k++) left += b->length[k];
  for (; left > 0; left--) {
    int k = rng ? pick(rng, 0, BRANCHES - 1) : 0;
    while (done[k] == b->length[k]) k = (k + 1) % BRANCHES;
    other |= k < last;
    last = k;
    hs_text_add(ops, b->op[k][done[k]++]);
  }
  hs_text_add(ops, "{'name': 'o', 'op': 'Concat', 'inputs': [");
  for (int k = 0; k < BRANCHES; k++) hs_text_addf(ops, "%s'b%d_%d'", k ? ", " : "", k, b->length[k] - 1);
  hs_text_add(ops, "]}");
  return other;
}

/* On one processor, whose launches take no time: a GPU with a short kernel first waits for the next one's launch. Where there are several,
 * which of two is handed out first does matter, and where nothing else decides the file does. */
START_TEST(order_of_independent_operators_changes_nothing)
{
  static const char *const policies[] = {"cpu", "gpu"};
  gsl_rng *rng = new_rng(31);
  int n_other = 0;
  for (int trial = 0; trial < TRIALS; trial++) {
    struct branches b;
    struct hs_text ops[2] = {{0}, {0}};
    char shape[40];
    random_branches(rng, &b);
    in_random_order(NULL, &b, &ops[0]);
    n_other += in_random_order(rng, &b, &ops[1]);
    snprintf(shape, sizeof shape, "[1,%d,%d,%d]", pick(rng, 5, 40), pick(rng, 5, 40), pick(rng, 1, 70));
    for (size_t k = 0; k < sizeof policies / sizeof *policies; k++) {
      double latency_s[2];
      for (int i = 0; i < 2; i++) {
        struct fixture f;
        struct hs_settings s = {.runtime = hs_runtime_find("mace"), .precision = -1, .memory_type = -1};
        fixture_make(&f, NULL, fixture_profile(300, 4, 2, 0), &s);
        f.soc->sharing[HS_CPU][HS_GPU][HS_LAUNCH].fixed_s = 0;
        fixture_graph(&f, shape, ops[i].s, "'o'");
        latency_s[i] = planned(&f, policies[k]);
        fixture_free(&f);
      }
      ck_assert_msg(fabs(latency_s[1] - latency_s[0]) <= 1e-12 * latency_s[0], "%s, trial %d: %g ms, in another order %g: %s", policies[k],
                    trial, 1e3 * latency_s[0], 1e3 * latency_s[1], ops[1].s);
    }
    for (int i = 0; i < 2; i++) hs_text_free(&ops[i]);
  }
  ck_assert_int_gt(n_other, TRIALS / 2);
  gsl_rng_free(rng);
}
END_TEST

static void fill(TCase *t)
{
  tcase_add_test(t, all_rates_doubled_halve_every_time);
  tcase_add_test(t, more_bandwidth_or_a_higher_opp_is_never_slower);
  tcase_add_test(t, a_processor_with_an_empty_mask_and_other_numbers_change_nothing);
  tcase_add_test(t, order_of_independent_operators_changes_nothing);
}

int main(void) { return hs_test_main("metamorphic", fill); }
