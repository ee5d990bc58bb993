/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Random streams and workload patterns. Tolerances are four standard errors of the statistic at hand: seeds are fixed, so that a test
 * passes always or never; with another seed each would fail once in 16000 times. */
#include "tests/unit/suite.h"

#include <gsl/gsl_cdf.h>
#include <math.h>

#include "base/random.h"
#include "program/setup.h"
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

#define RATE "write 30fps, poisson:30fps or burst:5x10fps after the @, rates in [0.001, 1000]"
#define BURST "write burst:5x10fps for 5 requests at a time, 10 times per second; requests in [1, 1000]"
static const struct {
  const char *text, *message;
} bad[] = {
  {"", "net: \"\" is not a rate: " RATE},
  {"30", "net: \"30\" is not a rate: " RATE},
  {"fps", "net: \"fps\" is not a rate: " RATE},
  {"0fps", "net: \"0fps\" is not a rate: " RATE},
  {"-1fps", "net: \"-1fps\" is not a rate: " RATE},
  {"0.0009fps", "net: \"0.0009fps\" is not a rate: " RATE},
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

/* 20 minutes of 7, 24, 30, 60 and 90 frames per second: the one after the last comes at 1200 s, when such a run is over. */
START_TEST(rates_do_not_drift)
{
  static const int fps[] = {7, 24, 30, 60, 90};
  const int n = 1200 * fps[_i];
  double *t = malloc((size_t)(n + 1) * sizeof *t);
  ck_assert_ptr_nonnull(t);
  arrivals(&(struct hs_pattern){HS_FIXED, 1.0 / fps[_i], 0}, 1, NULL, n + 1, t);
  ck_assert_double_eq_tol(t[n], 1200, 5e-13);
  free(t);
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

/* --- networks as a user writes them --- */

static enum hs_status read(struct hs_setup *s, const char *model, int n_more, const char *const *more, struct hs_error *err)
{
  const struct hs_run_options options = {.soc = "sd855", .policy = "gpu", .model = model, .n_more = n_more, .more = more, .seed = 77};
  *s = (struct hs_setup){0};
  hs_test_accepted(hs_setup_system(s, &options, err), err);
  return hs_setup_networks(s, &options, err);
}

static const struct {
  const char *label;
  enum hs_pattern_kind kind;
  double period_s, deadline_s;
  int priority;
  const char *policy;
} labels[] = {
  {"squeezenet", HS_BACK_TO_BACK, 0, INFINITY, 0, "gpu"},
  {"squeezenet:cpu", HS_BACK_TO_BACK, 0, INFINITY, 0, "cpu"},
  {"squeezenet@20fps", HS_FIXED, 0.05, 0.05, 0, "gpu"}, /* late when the next one has come */
  {"squeezenet@20fps,deadline=0.2s", HS_FIXED, 0.05, 0.2, 0, "gpu"},
  {"squeezenet@poisson:20fps", HS_POISSON, 0.05, INFINITY, 0, "gpu"},
  {"squeezenet@poisson:20fps:cpu", HS_POISSON, 0.05, INFINITY, 0, "cpu"},
  {"squeezenet@burst:5x10fps,deadline=800us,priority=99:cpu", HS_BURSTS, 0.1, 800e-6, 99, "cpu"},
  {"squeezenet,priority=2,deadline=50ms", HS_BACK_TO_BACK, 0, 50e-3, 2, "gpu"},
  {"squeezenet,priority=0:cpu", HS_BACK_TO_BACK, 0, INFINITY, 0, "cpu"},
};

START_TEST(accepts_labels)
{
  static const char *const more[] = {"mobilenet_v1"}; /* which has the default */
  struct hs_setup s;
  struct hs_error err;
  hs_test_accepted(read(&s, labels[_i].label, 1, more, &err), &err);
  const struct hs_network *n = &s.networks[0];
  ck_assert_str_eq(n->graph->name, "squeezenet");
  ck_assert_int_eq(n->pattern.kind, labels[_i].kind);
  ck_assert_double_eq(n->pattern.period_s, labels[_i].period_s);
  ck_assert(n->deadline_s == labels[_i].deadline_s || fabs(n->deadline_s - labels[_i].deadline_s) < 1e-15);
  ck_assert_int_eq(n->priority, labels[_i].priority);
  ck_assert_str_eq(n->policy->name, labels[_i].policy);
  hs_setup_free(&s);
}
END_TEST

#define TIME "is not a time: write 50ms, 1.5s or 800us, in (0, 1000 s]"
static const struct {
  const char *label, *message;
} bad_labels[] = {
  {"squeezenet,deadline=50", "squeezenet,deadline=50: deadline: \"50\" " TIME},
  {"squeezenet,deadline=0ms", "squeezenet,deadline=0ms: deadline: \"0ms\" " TIME},
  {"squeezenet,deadline=-1ms", "squeezenet,deadline=-1ms: deadline: \"-1ms\" " TIME},
  {"squeezenet,deadline=1001s", "squeezenet,deadline=1001s: deadline: \"1001s\" " TIME},
  {"squeezenet,deadline=0x1s", "squeezenet,deadline=0x1s: deadline: \"0x1s\" " TIME},
  {"squeezenet,deadline=1m", "squeezenet,deadline=1m: deadline: \"1m\" " TIME},
  {"squeezenet,deadline=", "squeezenet,deadline=: deadline: \"\" " TIME},
  {"squeezenet,priority=100", "squeezenet,priority=100: priority: \"100\" is not a whole number in [0, 99]"},
  {"squeezenet,priority=-1", "squeezenet,priority=-1: priority: \"-1\" is not a whole number in [0, 99]"},
  {"squeezenet,priority=1.5", "squeezenet,priority=1.5: priority: \"1.5\" is not a whole number in [0, 99]"},
  {"squeezenet,priority=", "squeezenet,priority=: priority: \"\" is not a whole number in [0, 99]"},
  {"squeezenet,", "squeezenet,: \"\" is neither deadline=TIME nor priority=N"},
  {"squeezenet,deadline", "squeezenet,deadline: \"deadline\" is neither deadline=TIME nor priority=N"},
  {"squeezenet,dead=1ms", "squeezenet,dead=1ms: \"dead=1ms\" is neither deadline=TIME nor priority=N"},
  {"squeezenet,priority=1@30fps", "squeezenet,priority=1@30fps: priority: \"1@30fps\" is not a whole number in [0, 99]"},
  {"squeezenet@poisson:cpu", "squeezenet@poisson:cpu: \"cpu\" is not a rate: " RATE},
};

START_TEST(refuses_labels)
{
  struct hs_setup s;
  struct hs_error err;
  ck_assert_int_eq(read(&s, bad_labels[_i].label, 0, NULL, &err), HS_USAGE);
  ck_assert_str_eq(hs_test_message(&err), bad_labels[_i].message);
  hs_setup_free(&s);
}
END_TEST

/* The stream is of the model, whatever its rate and policy and whoever is beside it; the second of a model has another. */
START_TEST(streams_of_networks)
{
  static const char *const more[] = {"squeezenet@poisson:10fps:cpu", "mobilenet_v1", "squeezenet@poisson:10fps:cpu"};
  struct hs_setup alone, beside;
  struct hs_error err;
  hs_test_accepted(read(&alone, "squeezenet@poisson:20fps", 0, NULL, &err), &err);
  hs_test_accepted(read(&beside, "mobilenet_v1", 3, more, &err), &err);
  ck_assert_str_eq(alone.networks[0].stream, beside.networks[1].stream);
  for (int i = 0; i < 4; i++) {
    ck_assert_uint_eq(beside.networks[i].seed, 77);
    for (int k = 0; k < i; k++) ck_assert_str_ne(beside.networks[i].stream, beside.networks[k].stream);
  }
  hs_setup_free(&alone);
  hs_setup_free(&beside);
}
END_TEST

static void fill(TCase *t)
{
  tcase_add_loop_test(t, known_numbers, 0, (int)(sizeof known / sizeof *known));
  tcase_add_test(t, streams_are_independent);
  tcase_add_test(t, distributions);
  tcase_add_loop_test(t, accepts, 0, (int)(sizeof good / sizeof *good));
  tcase_add_loop_test(t, refuses, 0, (int)(sizeof bad / sizeof *bad));
  tcase_add_loop_test(t, accepts_labels, 0, (int)(sizeof labels / sizeof *labels));
  tcase_add_loop_test(t, refuses_labels, 0, (int)(sizeof bad_labels / sizeof *bad_labels));
  tcase_add_test(t, streams_of_networks);
  tcase_add_test(t, without_chance);
  tcase_add_loop_test(t, rates_do_not_drift, 0, 5);
  tcase_add_loop_test(t, counts, 1, 4);
  tcase_add_test(t, same_seed_same_times);
}

int main(void) { return hs_test_main("arrivals", fill); }
