/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Random streams and workload patterns. Tolerances are four standard errors of the statistic at hand: seeds are fixed, so that a test
 * passes always or never; with another seed each would fail once in 16000 times. */
#include "tests/unit/suite.h"

#include <gsl/gsl_cdf.h>
#include <math.h>

#include "base/random.h"
#include "serve/arrivals.h"

/* --- streams --- */

/* Worked out apart from this program: SHA-256 of "SEED:NAME", MT19937 after its paper, von Neumann's comparisons. */
static const struct {
  uint64_t seed;
  const char *name;
  double uniform[3], exponential[2];
} known[] = {
  {1, "a", {0.17673180950805545, 0.21249017026275396, 0.8956094854511321}, {0.17673180950805545, 1.797885343665257}},
  {2, "a", {0.4325405394192785, 0.29995308769866824, 0.3083447099197656}, {1.971543947700411, 2.124753094976768}},
  {1, "b", {0.7278570390772074, 0.6611345284618437, 0.8579521039500833}, {1.132627225946635, 2.7395310127176344}},
  {9007199254740992, "arrivals net 0", {0.5220821057446301, 0.14451550878584385, 0.08375868410803378}, {0.5220821057446301, 0.6314819986000657}},
};

START_TEST(known_numbers)
{
  struct hs_random *r = hs_random_new(known[_i].seed, known[_i].name);
  for (int i = 0; i < 3; i++) ck_assert_double_eq(hs_random_uniform(r), known[_i].uniform[i]);
  hs_random_free(r);
  r = hs_random_new(known[_i].seed, known[_i].name);
  for (int i = 0; i < 2; i++) ck_assert_double_eq(hs_random_exponential(r, 1), known[_i].exponential[i]);
  hs_random_free(r);
  hs_random_free(NULL);
}
END_TEST

/* Reading one stream leaves another where it is. */
START_TEST(streams_are_independent)
{
  struct hs_random *alone = hs_random_new(5, "x"), *beside = hs_random_new(5, "x"), *other = hs_random_new(5, "y");
  int equal = 0;
  for (int i = 0; i < 1000; i++) {
    double u = hs_random_uniform(alone);
    equal += hs_random_uniform(other) == u;
    ck_assert_double_eq(hs_random_uniform(beside), u);
  }
  ck_assert_int_eq(equal, 0);
  hs_random_free(alone);
  hs_random_free(beside);
  hs_random_free(other);
}
END_TEST

/* Pearson's test of 100 cells with equal probability, below the 99.99 % quantile; no 0, and the mean of the exponential in its scale. */
START_TEST(distributions)
{
  enum { N = 200000, CELLS = 100 };
  int uniform[CELLS] = {0}, exponential[CELLS] = {0};
  double sum = 0, chi_u = 0, chi_e = 0, expected = (double)N / CELLS;
  struct hs_random *r = hs_random_new(2385, "distributions");
  for (int i = 0; i < N; i++) {
    double u = hs_random_uniform(r), x = hs_random_exponential(r, 2.385);
    ck_assert(u > 0 && u <= 1 && x > 0);
    uniform[(int)ceil(u * CELLS) - 1]++;
    exponential[(int)ceil(gsl_cdf_exponential_P(x, 2.385) * CELLS) - 1]++;
    sum += x;
  }
  for (int i = 0; i < CELLS; i++) {
    chi_u += pow(uniform[i] - expected, 2) / expected;
    chi_e += pow(exponential[i] - expected, 2) / expected;
  }
  ck_assert_double_lt(chi_u, gsl_cdf_chisq_Pinv(0.9999, CELLS - 1));
  ck_assert_double_lt(chi_e, gsl_cdf_chisq_Pinv(0.9999, CELLS - 1));
  ck_assert_double_eq_tol(sum / N, 2.385, 4 * 2.385 / sqrt(N));
  hs_random_free(r);
}
END_TEST

/* --- patterns as a user writes them --- */

static const struct {
  const char *text;
  struct hs_pattern pattern;
} good[] = {
  {"30fps", {HS_FIXED, 1 / 30.0, 0}},
  {"0.25fps", {HS_FIXED, 4, 0}},
  {"1000fps", {HS_FIXED, 1e-3, 0}},
  {"poisson:20fps", {HS_POISSON, 0.05, 0}},
  {"burst:5x10fps", {HS_BURSTS, 0.1, 5}},
  {"burst:1x2.5fps", {HS_BURSTS, 0.4, 1}},
};

START_TEST(accepts)
{
  struct hs_pattern p;
  struct hs_error err;
  hs_test_accepted(hs_pattern_parse(good[_i].text, "net", &p, &err), &err);
  ck_assert_int_eq(p.kind, good[_i].pattern.kind);
  ck_assert_double_eq(p.period_s, good[_i].pattern.period_s);
  ck_assert_int_eq(p.burst, good[_i].pattern.burst);
}
END_TEST

#define RATE "write 30fps, poisson:30fps or burst:5x10fps after the @, rates in (0, 1000]"
#define BURST "write burst:5x10fps for 5 requests at a time, 10 times per second; requests in [1, 1000]"
static const struct {
  const char *text, *message;
} bad[] = {
  {"", "net: \"\" is not a rate: " RATE},
  {"30", "net: \"30\" is not a rate: " RATE},
  {"fps", "net: \"fps\" is not a rate: " RATE},
  {"0fps", "net: \"0fps\" is not a rate: " RATE},
  {"-1fps", "net: \"-1fps\" is not a rate: " RATE},
  {"1000.1fps", "net: \"1000.1fps\" is not a rate: " RATE},
  {"nanfps", "net: \"nanfps\" is not a rate: " RATE},
  {"inffps", "net: \"inffps\" is not a rate: " RATE},
  {" 3fps", "net: \" 3fps\" is not a rate: " RATE},
  {"0x3fps", "net: \"0x3fps\" is not a rate: " RATE},
  {"1.2.3fps", "net: \"1.2.3fps\" is not a rate: " RATE},
  {"30fpss", "net: \"30fpss\" is not a rate: " RATE},
  {"poisson", "net: \"poisson\" is not a rate: " RATE},
  {"poisson:", "net: \"\" is not a rate: " RATE},
  {"poison:3fps", "net: \"poison:3fps\" is not a rate: " RATE},
  {"burst:5fps", "net: \"5fps\" is not a burst: " BURST},
  {"burst:0x5fps", "net: \"0x5fps\" is not a burst: " BURST},
  {"burst:1001x5fps", "net: \"1001x5fps\" is not a burst: " BURST},
  {"burst:99999999999999999999x5fps", "net: \"99999999999999999999x5fps\" is not a burst: " BURST},
  {"burst:-2x5fps", "net: \"-2x5fps\" is not a burst: " BURST},
  {"burst:x5fps", "net: \"x5fps\" is not a burst: " BURST},
  {"burst:5x", "net: \"\" is not a rate: " RATE},
};

START_TEST(refuses)
{
  struct hs_pattern p;
  struct hs_error err;
  ck_assert_int_eq(hs_pattern_parse(bad[_i].text, "net", &p, &err), HS_USAGE);
  ck_assert_str_eq(hs_test_message(&err), bad[_i].message);
}
END_TEST

/* --- arrivals --- */

/* The times of the first n; each ends 0.7 s after it came. */
static void arrivals(const struct hs_pattern *p, uint64_t seed, const char *stream, int n, double *at_s)
{
  struct hs_arrivals a;
  hs_arrivals_open(&a, p, seed, stream);
  for (int i = 0; i < n; i++) {
    at_s[i] = a.next_s;
    hs_arrivals_came(&a);
    if (p->kind == HS_BACK_TO_BACK) ck_assert(isinf(a.next_s));
    hs_arrivals_ended(&a, at_s[i] + 0.7);
  }
  hs_arrivals_close(&a);
}

START_TEST(without_chance)
{
  double t[100];
  arrivals(&(struct hs_pattern){HS_BACK_TO_BACK, 0, 0}, 1, NULL, 100, t);
  for (int i = 0; i < 100; i++) ck_assert_double_eq_tol(t[i], 0.7 * i, 1e-13 * (i + 1));
  arrivals(&(struct hs_pattern){HS_FIXED, 0.3, 0}, 1, NULL, 100, t);
  for (int i = 0; i < 100; i++) ck_assert_double_eq_tol(t[i], 0.3 * i, 1e-13 * (i + 1));
}
END_TEST

/* In windows of w seconds a Poisson process of rate r has counts with mean and variance r w; the variance of the sample variance of a
 * Poisson count m is about (2 m² + m) / windows. Bursts of k: mean k r w, variance k² r w, and k at a time. */
static void count(const struct hs_pattern *p, uint64_t seed, int k)
{
  enum { WINDOWS = 4000, MEAN = 10 };
  const int n = WINDOWS * MEAN * 11 / 10 * k;
  double *t = malloc((size_t)n * sizeof *t), width = MEAN * p->period_s, counts[WINDOWS] = {0}, sum = 0, squares = 0;
  arrivals(p, seed, "counts", n, t);
  ck_assert_double_gt(t[n - 1], WINDOWS * width);
  for (int i = 0; i < n; i++) {
    ck_assert(t[i] > 0 && (i == 0 || (i % k ? t[i] == t[i - 1] : t[i] > t[i - 1])));
    if (t[i] < WINDOWS * width) counts[(int)(t[i] / width)]++;
  }
  for (int i = 0; i < WINDOWS; i++) {
    sum += counts[i] / k;
    squares += pow(counts[i] / k - MEAN, 2);
  }
  ck_assert_double_eq_tol(sum / WINDOWS, MEAN, 4 * sqrt((double)MEAN / WINDOWS));
  ck_assert_double_eq_tol(squares / WINDOWS, MEAN, 4 * sqrt((2.0 * MEAN * MEAN + MEAN) / WINDOWS));
  free(t);
}

START_TEST(counts)
{
  count(&(struct hs_pattern){HS_POISSON, 0.0385, 0}, (uint64_t)_i, 1);
  count(&(struct hs_pattern){HS_BURSTS, 0.0385, 5}, (uint64_t)_i, 5);
}
END_TEST

/* The same seed and name: the same times. Another: none in common. Another rate: the same, stretched. */
START_TEST(same_seed_same_times)
{
  enum { N = 500 };
  const struct hs_pattern p = {HS_POISSON, 0.05, 0}, slow = {HS_POISSON, 0.1, 0};
  double a[N], b[N], c[N], d[N], e[N];
  arrivals(&p, 7, "net 0", N, a);
  arrivals(&p, 7, "net 0", N, b);
  arrivals(&p, 8, "net 0", N, c);
  arrivals(&p, 7, "net 1", N, d);
  arrivals(&slow, 7, "net 0", N, e);
  ck_assert_mem_eq(a, b, sizeof a);
  for (int i = 0; i < N; i++) {
    ck_assert(a[i] != c[i] && a[i] != d[i]);
    ck_assert_double_eq_tol(e[i], 2 * a[i], 1e-12 * e[i]);
  }
}
END_TEST

static void fill(TCase *t)
{
  tcase_add_loop_test(t, known_numbers, 0, (int)(sizeof known / sizeof *known));
  tcase_add_test(t, streams_are_independent);
  tcase_add_test(t, distributions);
  tcase_add_loop_test(t, accepts, 0, (int)(sizeof good / sizeof *good));
  tcase_add_loop_test(t, refuses, 0, (int)(sizeof bad / sizeof *bad));
  tcase_add_test(t, without_chance);
  tcase_add_loop_test(t, counts, 1, 4);
  tcase_add_test(t, same_seed_same_times);
}

int main(void) { return hs_test_main("arrivals", fill); }
