/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Noise: what is drawn has the distribution that was measured, and nothing else moves. Expected values are closed forms; draws are held to them within
 * 4 standard errors, which a right program misses once in 16000. Seeds are fixed, so a test that passes passes always. */
#include "tests/model/serving.h"

#include "base/random.h"
#include "out/distribution.h"
#include "serve/noise.h"

#define RELUS RIG_NET(RIG_IN("i", "1, 40, 50, 3"), "'c'", RIG_OP("a", "Relu", "'i'", "") "," RIG_OP("b", "Tanh", "'a'", "") "," RIG_OP("c", "Relu", "'b'", ""))

enum { DRAWS = 20000, RUNS = 2000 };

static void held(const char *what, double is, double expected, double standard_error)
{
  printf("%-40s expected %.6g +- %.2g, is %.6g\n", what, expected, 4 * standard_error, is);
  fflush(stdout);
  ck_assert_msg(fabs(is - expected) <= 4 * standard_error, "%s: %.9g, not %.9g +- %.3g", what, is, expected, 4 * standard_error);
}

static double mean_of(const double *v, int n)
{
  double sum = 0;
  for (int i = 0; i < n; i++) sum += v[i] / n;
  return sum;
}

static double variance_of(const double *v, int n)
{
  double mean = mean_of(v, n), sum = 0;
  for (int i = 0; i < n; i++) sum += (v[i] - mean) * (v[i] - mean) / (n - 1);
  return sum;
}

static double share_below(const double *v, int n, double limit)
{
  int below = 0;
  for (int i = 0; i < n; i++) below += v[i] < limit;
  return (double)below / n;
}

static double phi(double z) { return erfc(-z / sqrt(2)) / 2; }

/* --- distributions --- */

START_TEST(normal_numbers)
{
  static double v[DRAWS];
  struct hs_random *r = hs_random_new(3, "normal");
  for (int i = 0; i < DRAWS; i++) v[i] = hs_random_normal(r);
  hs_random_free(r);
  held("mean", mean_of(v, DRAWS), 0, 1 / sqrt(DRAWS));
  held("variance", variance_of(v, DRAWS), 1, sqrt(2.0 / DRAWS));
  for (double z = -2.5; z <= 2.5; z += 0.5) held("share below z", share_below(v, DRAWS, z), phi(z), sqrt(phi(z) * phi(-z) / DRAWS));
}
END_TEST

/* Straight lines through (0, 2), (0.5, 3), (0.9, 4), (1, 9): mean 0.5·2.5 + 0.4·3.5 + 0.1·6.5 = 3.3. */
static const struct hs_quantiles lines = {4, {0, 0.5, 0.9, 1}, {2 / 3.3, 3 / 3.3, 4 / 3.3, 9 / 3.3}};
static const char lines_text[] = "'scatter': {'quantiles': [[0, 2], [0.5, 3], [0.9, 4], [1, 9]], 'n': 7, 'source': 'a'}";

/* Of a line from a to b: mean of squares (a² + ab + b²) / 3. */
static double variance_of_lines(const struct hs_quantiles *q)
{
  double sum = -1; /* mean 1 */
  for (int i = 1; i < q->n; i++) {
    double a = q->ratio[i - 1], b = q->ratio[i];
    sum += (q->p[i] - q->p[i - 1]) * (a * a + a * b + b * b) / 3;
  }
  return sum;
}

START_TEST(between_quantiles)
{
  DERIVE("a quantile of the file", hs_quantiles_at(&lines, 0.9), 4 / 3.3);
  DERIVE("between two", hs_quantiles_at(&lines, 0.7), 3.5 / 3.3);
  DERIVE("the least", hs_quantiles_at(&lines, 0), 2 / 3.3);
  DERIVE("the most", hs_quantiles_at(&lines, 1), 9 / 3.3);
  const struct hs_quantiles none = {0};
  DERIVE("not measured", hs_quantiles_at(&none, 0.3), 1);
}
END_TEST

/* --- files --- */

static enum hs_status read_step(const char *scatter, struct hs_soc **soc, struct hs_error *err)
{
  char step[400];
  snprintf(step, sizeof step, "{'fixed_s': 47e-6, 's_per_byte': 0%s%s}", *scatter ? ", " : "", scatter);
  char *with = hs_test_replace(RIG_PHONE("2e9"), RIG_STEP("sync", "47e-6", "0"), "'sync': SYNC"), *all = hs_test_replace(with, "SYNC", step);
  char *text = hs_test_json(all);
  enum hs_status status = hs_soc_parse("soc.json", text, strlen(text), soc, err);
  free(with);
  free(all);
  free(text);
  return status;
}

START_TEST(a_step_with_quantiles)
{
  struct hs_soc *soc = NULL;
  struct hs_error err = {0};
  hs_test_accepted(read_step(lines_text, &soc, &err), &err);
  const struct hs_quantiles *q = &soc->sharing[HS_GPU][HS_CPU][HS_SYNC].scatter;
  ck_assert_int_eq(q->n, lines.n);
  for (int i = 0; i < q->n; i++) DERIVE("ratio to the mean", q->ratio[i], lines.ratio[i]);
  ck_assert_int_eq(soc->sharing[HS_CPU][HS_GPU][HS_SYNC].scatter.n, 0);
  hs_soc_free(soc);
}
END_TEST

/* Without width the ratios are 1 to the bit, whatever sums round to. */
START_TEST(a_step_without_width)
{
  struct hs_soc *soc = NULL;
  struct hs_error err = {0};
  hs_test_accepted(read_step("'scatter': {'quantiles': [[0, 0.11], [0.1, 0.11], [0.3, 0.11], [0.6, 0.11], [1, 0.11]], 'n': 7, "
                             "'source': 'a'}", &soc, &err), &err);
  const struct hs_quantiles *q = &soc->sharing[HS_GPU][HS_CPU][HS_SYNC].scatter;
  ck_assert_int_eq(q->n, 5);
  for (double p = 0; p <= 1; p += 0.05) ck_assert(hs_quantiles_at(q, p) >= 1 && hs_quantiles_at(q, p) <= 1);
  hs_soc_free(soc);
}
END_TEST

static const struct {
  const char *from, *to, *rule;
} step_cases[] = {
  {"[0.5, 3]", "[0.5, 1.9]", "value 1.9 is below the quantile before it (2)"},
  {"[0.5, 3]", "[0, 3]", "probability 0 is not above the one before it (0)"},
  {"[0.5, 3]", "[0.5, -3]", "-3 is not > 0"},
  {"[0.5, 3]", "[0.5, 0]", "0 is not > 0"},
  {"[0.5, 3]", "[0.5]", "is not [probability, value]"},
  {"[0.5, 3]", "[1.5, 3]", "1.5 is not in [0, 1]"},
  {"[0, 2]", "[0.01, 2]", "the first probability is 0.01, not 0"},
  {"[1, 9]", "[0.99, 9]", "the last probability is 0.99, not 1"},
  {"[[0, 2], [0.5, 3], [0.9, 4], [1, 9]]", "[[0, 2]]", "has 1 elements, not 2 to 24"},
  {"'n': 7, ", "", "key \"n\" is missing"},
  {"'n': 7", "'n': 0", "0 is not in [2, 1000000000]"},
  {"'source': 'a'", "'source': 'b'", "\"b\" is not in the table of sources"},
  {"'n': 7", "'n': 7, 'mean_s': 3", "unknown key \"mean_s\""},
};

START_TEST(refused_quantiles)
{
  struct hs_soc *soc = NULL;
  struct hs_error err = {0};
  char *spoilt = hs_test_replace(lines_text, step_cases[_i].from, step_cases[_i].to);
  ck_assert_int_eq(read_step(spoilt, &soc, &err), HS_INPUT);
  ck_assert_msg(strstr(hs_test_message(&err), step_cases[_i].rule) != NULL, "%s", hs_test_message(&err));
  ck_assert_msg(strstr(hs_test_message(&err), ".sync") != NULL, "%s", hs_test_message(&err));
  free(spoilt);
}
END_TEST

static const struct {
  const char *scatter, *rule; /* NULL: accepted */
} kernel_cases[] = {
  {"{'run_std_frac': 0.02, 'kernel_std_frac': 0.25, 'n': 5, 'source': 'a'}", NULL},
  {"{'run_std_frac': 0.02, 'kernel_std_frac': 0.26, 'n': 5, 'source': 'a'}", "kernels[0].scatter.kernel_std_frac: 0.26 is not in [0, 0.25]"},
  {"{'run_std_frac': -0.02, 'kernel_std_frac': 0, 'n': 5, 'source': 'a'}", "kernels[0].scatter.run_std_frac: -0.02 is not in [0, 0.25]"},
  {"{'run_std_frac': 0.02, 'n': 5, 'source': 'a'}", "key \"kernel_std_frac\" is missing"},
  {"{'run_std_frac': 0.02, 'kernel_std_frac': 0, 'n': 1, 'source': 'a'}", "kernels[0].scatter.n: 1 is not in [2, 1000000000]"},
};

START_TEST(a_kernel_with_scatter)
{
  struct hs_profile *p = NULL;
  struct hs_error err = {0};
  char more[200];
  snprintf(more, sizeof more, "'scatter': %s, 'overhead_cycles': 7000", kernel_cases[_i].scatter);
  char *with = hs_test_replace(RIG_TFLITE, "'overhead_cycles': 7000", more), *text = hs_test_json(with);
  enum hs_status status = hs_profile_parse("p.json", text, strlen(text), &p, &err);
  if (kernel_cases[_i].rule) {
    ck_assert_int_eq(status, HS_INPUT);
    ck_assert_msg(strstr(hs_test_message(&err), kernel_cases[_i].rule) != NULL, "%s", hs_test_message(&err));
  } else {
    hs_test_accepted(status, &err);
    DERIVE("common", p->kernels[0].jitter.run_std_frac, 0.02);
    DERIVE("of each", p->kernels[0].jitter.kernel_std_frac, 0.25);
    ck_assert(p->kernels[1].jitter.run_std_frac <= 0);
    hs_profile_free(p);
  }
  free(with);
  free(text);
}
END_TEST

/* --- runs --- */

static void set_jitter(struct serving *s, int p, double run_std_frac, double kernel_std_frac)
{
  for (int i = 0; i < s->r.any->n_kernels; i++)
    if (&s->r.any->kernels[i] == s->r.sys.backends[p].kernel)
      s->r.any->kernels[i].jitter = (struct hs_jitter){.run_std_frac = run_std_frac, .kernel_std_frac = kernel_std_frac};
}

static void set_quantiles(struct serving *s, enum hs_kind from, enum hs_kind to, enum hs_comm step, const struct hs_quantiles *q)
{
  s->r.soc->sharing[from][to][step].scatter = *q;
}

/* Runs and checks with noise; what came before is forgotten. */
static void run_noisy(struct serving *s, uint64_t seed, int run, int requests)
{
  s->out->n_events = s->out->n_outcomes = 0;
  s->noise = hs_noise_new(&s->r.sys, s->networks, seed, run);
  serving_run(s, requests);
  hs_noise_free(s->noise);
  s->noise = NULL;
}

static void run_exact(struct serving *s, int requests)
{
  s->out->n_events = s->out->n_outcomes = 0;
  serving_run(s, requests);
}

static void latencies(const struct serving *s, double *v)
{
  for (int i = 0; i < s->out->n_outcomes; i++) v[i] = s->out->outcomes[i].end_s - s->out->outcomes[i].arrival_s;
}

/* One kernel on the CPU: latency is normal round d with 10 % of it. */
START_TEST(a_kernel_end_to_end)
{
  struct serving s;
  static double v[RUNS];
  serving_open(&s);
  serving_add(&s, ONE, &serving_cpu);
  set_jitter(&s, CPU, 0, 0.1);
  run_noisy(&s, 1, 1, RUNS);
  double d = serving_alone(&s, 0), std = 0.1 * d;
  ck_assert_int_eq(s.out->n_outcomes, RUNS);
  latencies(&s, v);
  held("mean", mean_of(v, RUNS), d, std / sqrt(RUNS));
  held("variance", variance_of(v, RUNS), std * std, std * std * sqrt(2.0 / RUNS));
  for (double z = -1.6448536; z < 2; z += 1.6448536) /* p5, p50, p95 */
    held("share below a quantile", share_below(v, RUNS, d + z * std), phi(z), sqrt(phi(z) * phi(-z) / RUNS));
  for (int i = 0; i < 5; i++) rig_derive("what was drawn is what it took", "d * stretch", v[i], d * s.out->events[i].stretch, 1e-9);
  serving_close(&s);
}
END_TEST

/* As wide as a file may say. Of 300 000 normal numbers about 19 lie beyond 4 standard deviations, where durations would be negative. */
START_TEST(no_kernel_takes_negative_time)
{
  struct serving s;
  double common[HS_PROCESSORS_MAX];
  serving_open(&s);
  serving_add(&s, ONE, &serving_cpu);
  set_jitter(&s, CPU, HS_JITTER_MAX_FRAC, 0);
  struct hs_noise *n = hs_noise_new(&s.r.sys, s.networks, 1, 1);
  for (int i = 0; i < 300000; i++) {
    hs_noise_begin(n, 0, common);
    ck_assert_msg(common[CPU] > 0 && common[CPU] < 2, "%g", common[CPU]);
  }
  hs_noise_free(n);
  serving_close(&s);
}
END_TEST

/* Everything but the wait of 47 us for the GPU is exact: latency is d + 47 us (x - 1), x of the lines above. Its power is none, so energy stays. */
START_TEST(a_wait_end_to_end)
{
  struct serving s;
  static double v[RUNS];
  serving_open(&s);
  serving_add(&s, ONE, &serving_gpu);
  set_quantiles(&s, HS_GPU, HS_CPU, HS_SYNC, &lines);
  run_noisy(&s, 1, 1, RUNS);
  double d = serving_alone(&s, 0), variance = variance_of_lines(&lines);
  latencies(&s, v);
  for (int i = 0; i < RUNS; i++) v[i] = (v[i] - d) / 47e-6 + 1;
  held("mean", mean_of(v, RUNS), 1, sqrt(variance / RUNS));
  const double p[] = {0.05, 0.5, 0.7, 0.95};
  for (int i = 0; i < 4; i++) held("share below a quantile", share_below(v, RUNS, hs_quantiles_at(&lines, p[i])), p[i], sqrt(p[i] * (1 - p[i]) / RUNS));
  ck_assert_double_ge(v[0], 2 / 3.3 - 1e-6);
  serving_close(&s);
}
END_TEST

/* A kernel's energy is its power over its time. */
START_TEST(energy_follows)
{
  struct serving s;
  serving_open(&s);
  serving_add(&s, ONE, &serving_cpu);
  run_exact(&s, 1);
  double joules = s.out->events[0].energy_j, bytes = s.out->events[0].bytes;
  set_jitter(&s, CPU, 0.2, 0);
  run_noisy(&s, 1, 1, 1);
  ck_assert_msg(fabs(s.out->events[0].stretch - 1) > 1e-3, "nothing was drawn");
  rig_derive("energy of a stretched kernel", "joules * stretch", s.out->events[0].energy_j, joules * s.out->events[0].stretch, 1e-9);
  ck_assert(s.out->events[0].bytes >= bytes && s.out->events[0].bytes <= bytes);
  serving_close(&s);
}
END_TEST

/* Also where the memory bounds it. */
START_TEST(bound_by_memory)
{
  struct serving s;
  serving_open(&s);
  for (int i = 0; i < s.r.any->n_kernels; i++) s.r.any->kernels[i].traffic_factor = 900;
  serving_add(&s, ONE, &serving_cpu);
  set_jitter(&s, CPU, 0, 0.2);
  const struct hs_program *prog = hs_pieces_get(s.networks[0].pieces, 0, 0, 1, NULL);
  struct hs_work cycles_alone = prog->tasks[0].work;
  cycles_alone.bytes = 0;
  double d = serving_alone(&s, 0);
  ck_assert_double_gt(d, 2 * hs_work_seconds(&s.r.sys, CPU, -1, &cycles_alone));
  run_noisy(&s, 1, 1, 5);
  for (int i = 0; i < 5; i++)
    rig_derive("stretched", "d * stretch", s.out->events[i].end_s - s.out->events[i].start_s, d * s.out->events[i].stretch, 1e-9);
  serving_close(&s);
}
END_TEST

/* What an inference has in common doesn't average out over its kernels; what each has of its own does. */
START_TEST(common_and_own)
{
  for (int common = 0; common < 2; common++) {
    struct serving s;
    static double v[RUNS];
    double squares = 0, d = 0;
    serving_open(&s);
    serving_add(&s, RELUS, &serving_cpu);
    const struct hs_program *prog = hs_pieces_get(s.networks[0].pieces, 0, 0, 3, NULL);
    set_jitter(&s, CPU, common ? 0.05 : 0, common ? 0 : 0.05);
    run_noisy(&s, 1, 1, RUNS);
    for (int i = 0; i < 3; i++) {
      double seconds = hs_task_seconds(&s.r.sys, &prog->tasks[i]);
      squares += seconds * seconds;
      d += seconds;
    }
    latencies(&s, v);
    double variance = 0.05 * 0.05 * (common ? d * d : squares);
    held("mean", mean_of(v, RUNS), d, sqrt(variance / RUNS));
    held(common ? "variance of a common factor" : "variance of three factors", variance_of(v, RUNS), variance, variance * sqrt(2.0 / RUNS));
    serving_close(&s);
  }
}
END_TEST

static int one_by_one(void *state, const struct hs_queue_view *view, struct hs_assignment *out)
{
  (void)state;
  for (int i = 0; i < view->n_waiting; i++) out[i] = (struct hs_assignment){i, 0, view->waiting[i].next_op + 1, false};
  return view->n_waiting;
}
static const struct hs_policy piecewise = {.name = "piecewise", .plan_all = serving_plan_three, .schedule = one_by_one};

/* A request that runs in pieces keeps what its kernels have in common. */
START_TEST(pieces_of_an_inference)
{
  struct serving s;
  serving_open(&s);
  serving_add(&s, RELUS, &piecewise);
  set_jitter(&s, CPU, 0.05, 0);
  run_noisy(&s, 1, 1, 2);
  ck_assert_int_eq(s.out->n_events, 6);
  for (int i = 0; i < 6; i++) DERIVE("as the first of its request", s.out->events[i].stretch, s.out->events[i / 3 * 3].stretch);
  ck_assert_msg(fabs(s.out->events[0].stretch - s.out->events[3].stretch) > 1e-6, "two requests have the same noise");
  serving_close(&s);
}
END_TEST

static bool same_events(const struct hs_event *a, const struct hs_event *b, int n)
{
  bool same = true;
  for (int i = 0; i < n; i++)
    same &= a[i].task == b[i].task && memcmp(&a[i].start_s, &b[i].start_s, sizeof(double)) == 0 && memcmp(&a[i].end_s, &b[i].end_s, sizeof(double)) == 0 &&
            memcmp(&a[i].energy_j, &b[i].energy_j, sizeof(double)) == 0;
  return same;
}

/* To the bit. A distribution of no width is one nevertheless: numbers are drawn. */
START_TEST(no_width_is_exact)
{
  static struct hs_event exact[200];
  struct serving s;
  const struct hs_quantiles narrow = {3, {0, 0.3, 1}, {1, 1, 1}};
  serving_open(&s);
  serving_add(&s, RELUS, &serving_gpu);
  run_exact(&s, 5);
  int n = s.out->n_events;
  ck_assert_int_le(n, 200);
  memcpy(exact, s.out->events, (size_t)n * sizeof *exact);
  for (int step = 0; step < HS_COMM_N; step++) set_quantiles(&s, HS_GPU, HS_CPU, (enum hs_comm)step, &narrow);
  run_noisy(&s, 1, 1, 5);
  ck_assert_int_eq(s.out->n_events, n);
  ck_assert(same_events(exact, s.out->events, n));
  set_quantiles(&s, HS_GPU, HS_CPU, HS_SYNC, &lines);
  run_noisy(&s, 1, 1, 5);
  ck_assert(!same_events(exact, s.out->events, n));
  serving_close(&s);
}
END_TEST

/* Factors of the events of a network's tasks of one kind, in order. */
static int factors(const struct serving *s, int network, enum hs_task_kind kind, double *v)
{
  int n = 0;
  for (int i = 0; i < s->out->n_events; i++)
    if (s->out->networks[i] == network && s->out->events[i].program->tasks[s->out->events[i].task].kind == kind) v[n++] = s->out->events[i].stretch;
  return n;
}

static bool same_factors(const double *a, const double *b, int n) { return memcmp(a, b, (size_t)n * sizeof *a) == 0; }

/* One source more, or one network more, and nobody else's numbers change; another seed or run, and all do. */
START_TEST(streams_are_independent)
{
  struct serving s;
  double first[60], other[60];
  serving_open(&s);
  serving_add(&s, RELUS, &serving_gpu);
  set_jitter(&s, GPU, 0, 0.1);
  run_noisy(&s, 1, 1, 10);
  ck_assert_int_eq(factors(&s, 0, HS_TASK_EXEC, first), 30);
  run_noisy(&s, 1, 1, 10);
  factors(&s, 0, HS_TASK_EXEC, other);
  ck_assert_msg(same_factors(first, other, 30), "the same seed gives other numbers");
  set_quantiles(&s, HS_GPU, HS_CPU, HS_SYNC, &lines);
  set_jitter(&s, CPU, 0.1, 0.1);
  run_noisy(&s, 1, 1, 10);
  factors(&s, 0, HS_TASK_EXEC, other);
  ck_assert_msg(same_factors(first, other, 30), "another source moves the numbers");
  double waits[60], waited[60];
  ck_assert_int_eq(factors(&s, 0, HS_TASK_SYNC, waits), 20); /* before and after */
  set_jitter(&s, GPU, 0, 0);
  run_noisy(&s, 1, 1, 10);
  factors(&s, 0, HS_TASK_SYNC, waited);
  ck_assert_msg(same_factors(waits, waited, 20), "a source less moves the numbers");
  set_jitter(&s, GPU, 0, 0.1);
  run_noisy(&s, 2, 1, 10);
  factors(&s, 0, HS_TASK_EXEC, other);
  for (int i = 0; i < 30; i++) ck_assert_msg(fabs(first[i] - other[i]) > 1e-9, "another seed gives the same number");
  run_noisy(&s, 1, 2, 10);
  factors(&s, 0, HS_TASK_EXEC, other);
  for (int i = 0; i < 30; i++) ck_assert_msg(fabs(first[i] - other[i]) > 1e-9, "another run gives the same number");
  serving_add(&s, RELUS, &serving_gpu);
  run_noisy(&s, 1, 1, 10);
  factors(&s, 0, HS_TASK_EXEC, other);
  ck_assert_msg(same_factors(first, other, 30), "another network moves the numbers");
  factors(&s, 1, HS_TASK_EXEC, other);
  for (int i = 0; i < 30; i++) ck_assert_msg(fabs(first[i] - other[i]) > 1e-9, "two networks have the same number");
  serving_close(&s);
}
END_TEST

/* What an inference has in common and what its kernel has of its own are two sources, whose factors multiply. */
START_TEST(common_times_own)
{
  struct serving s;
  double common[10], own[10], both[10];
  serving_open(&s);
  serving_add(&s, ONE, &serving_cpu);
  set_jitter(&s, CPU, 0.1, 0);
  run_noisy(&s, 1, 1, 10);
  ck_assert_int_eq(factors(&s, 0, HS_TASK_EXEC, common), 10);
  set_jitter(&s, CPU, 0, 0.1);
  run_noisy(&s, 1, 1, 10);
  factors(&s, 0, HS_TASK_EXEC, own);
  set_jitter(&s, CPU, 0.1, 0.1);
  run_noisy(&s, 1, 1, 10);
  factors(&s, 0, HS_TASK_EXEC, both);
  for (int i = 0; i < 10; i++) {
    ck_assert_msg(fabs(common[i] - own[i]) > 1e-9, "both have the same number");
    DERIVE("factors multiply", both[i], common[i] * own[i]);
  }
  serving_close(&s);
}
END_TEST

/* --- what is said of it --- */

/* Mean 20 / 5; squares of distances 0, 9, 1, 4, 36; p5 at 0.05 · 4 = 0.2 of the way from the first to the second, p95 at 3.8. */
START_TEST(spread)
{
  double values[] = {4, 1, 3, 2, 10}, one[] = {7};
  struct hs_distribution s;
  hs_distribution_of(values, 5, &s);
  DERIVE("mean", s.mean, 4);
  DERIVE("std", s.std, sqrt(50.0 / 4));
  DERIVE("p5", s.p5, 1 + 0.2 * (2 - 1));
  DERIVE("p50", s.p50, 3);
  DERIVE("p95", s.p95, 4 + 0.8 * (10 - 4));
  hs_distribution_of(one, 1, &s);
  ck_assert(s.n == 1 && s.std <= 0 && s.p5 >= 7 && s.p95 <= 7);
  hs_distribution_of(one, 0, &s);
  ck_assert(s.n == 0 && isnan(s.mean) && isnan(s.std) && isnan(s.p5) && isnan(s.p50) && isnan(s.p95));
}
END_TEST

/* A step is told apart by its direction, too. */
static const struct {
  enum hs_kind from, to;
  enum hs_comm comm;
  const char *name;
} sources_of_steps[] = {{HS_GPU, HS_CPU, HS_SYNC, "sync gpu-cpu"}, {HS_CPU, HS_GPU, HS_MAP, "map cpu-gpu"}, {HS_GPU, HS_CPU, HS_MAP, "map gpu-cpu"}};

START_TEST(sources)
{
  struct serving s;
  struct hs_noise_source list[HS_NOISE_SOURCES_MAX];
  double common[HS_PROCESSORS_MAX], stretch[100];
  serving_open(&s);
  serving_add(&s, ONE, &serving_gpu);
  ck_assert(!hs_noise_possible(&s.r.sys));
  set_quantiles(&s, sources_of_steps[_i].from, sources_of_steps[_i].to, sources_of_steps[_i].comm, &lines);
  ck_assert(hs_noise_possible(&s.r.sys));
  const struct hs_program *prog = hs_pieces_get(s.networks[0].pieces, 0, 0, 1, NULL);
  ck_assert_int_le(prog->n_tasks, 100);
  struct hs_noise *noise = hs_noise_new(&s.r.sys, s.networks, 1, 1);
  ck_assert_int_eq(hs_noise_sources(noise, list), 0);
  hs_noise_begin(noise, 0, common);
  hs_noise_draw(noise, 0, common, prog, stretch);
  int n = hs_noise_sources(noise, list), tasks = 0, drawn = 0;
  ck_assert_str_eq(list[0].name, "kernels gpu");
  ck_assert(!list[0].scatters);
  for (int i = 0; i < n; i++) {
    tasks += (int)list[i].n_tasks;
    drawn += list[i].scatters;
    if (list[i].scatters) ck_assert_str_eq(list[i].name, sources_of_steps[_i].name);
  }
  ck_assert_int_eq(tasks, prog->n_tasks);
  ck_assert_int_eq(drawn, 1);
  hs_noise_free(noise);
  serving_close(&s);
}
END_TEST

/* The checker knows what may be stretched. */
START_TEST(checked)
{
  struct serving s;
  struct hs_error err = {0};
  serving_open(&s);
  serving_add(&s, ONE, &serving_cpu);
  set_jitter(&s, CPU, 0, 0.1);
  run_noisy(&s, 1, 1, 3);
  ck_assert_int_eq(serving_check(&s, &err), HS_UNMET);
  ck_assert_msg(strstr(hs_test_message(&err), "was stretched, and nothing is known of its scatter") != NULL, "%s", hs_test_message(&err));
  s.noise = hs_noise_new(&s.r.sys, s.networks, 1, 1);
  hs_test_accepted(serving_check(&s, &err), &err);
  s.out->events[1].stretch *= 1.5;
  ck_assert_int_eq(serving_check(&s, &err), HS_UNMET);
  ck_assert_msg(strstr(hs_test_message(&err), "was faster than alone") != NULL, "%s", hs_test_message(&err));
  hs_noise_free(s.noise);
  serving_close(&s);
}
END_TEST

static void fill(TCase *t)
{
  tcase_add_test(t, normal_numbers);
  tcase_add_test(t, between_quantiles);
  tcase_add_test(t, a_step_with_quantiles);
  tcase_add_test(t, a_step_without_width);
  tcase_add_loop_test(t, refused_quantiles, 0, (int)(sizeof step_cases / sizeof *step_cases));
  tcase_add_loop_test(t, a_kernel_with_scatter, 0, (int)(sizeof kernel_cases / sizeof *kernel_cases));
  tcase_add_test(t, a_kernel_end_to_end);
  tcase_add_test(t, no_kernel_takes_negative_time);
  tcase_add_test(t, a_wait_end_to_end);
  tcase_add_test(t, energy_follows);
  tcase_add_test(t, bound_by_memory);
  tcase_add_test(t, common_and_own);
  tcase_add_test(t, pieces_of_an_inference);
  tcase_add_test(t, no_width_is_exact);
  tcase_add_test(t, streams_are_independent);
  tcase_add_test(t, common_times_own);
  tcase_add_test(t, spread);
  tcase_add_loop_test(t, sources, 0, 3);
  tcase_add_test(t, checked);
}

int main(void) { return hs_test_main("noise", fill); }
