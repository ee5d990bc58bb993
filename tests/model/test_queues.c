/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Do arrivals, random streams, engine and serving together make the queues of the textbook? Mean waits against closed forms (Kleinrock,
 * Queueing Systems, vol. 1, 1975; priorities: Cobham 1954).
 *
 * Tolerance: arrivals that find the system empty cut a run into cycles that are independent and alike, so the mean wait is a ratio of means
 * over cycles and its standard error follows from theirs (regenerative method, Crane and Iglehart 1974). The closed form must lie in the
 * interval of 99.9 % confidence, 3.29 standard errors, which must be narrow. Seeds are fixed: a test passes always or never. */
#include "tests/model/serving.h"

#include "base/random.h"

enum { CUSTOMERS = 120000, CLASSES = 2, SERVERS = 3 };
static const double QUANTILE = 3.29, NARROW_FRAC = 0.1;

/* --- estimates --- */

struct customer {
  double wait_s;
  int class;
  bool opens; /* a cycle */
};

struct ratio {
  double sum, n, squares, cross, squares_n;
};

static void end_cycle(struct ratio *r, double y, double n)
{
  r->sum += y;
  r->n += n;
  r->squares += y * y;
  r->cross += y * n;
  r->squares_n += n * n;
}

/* The mean wait of a class, or (waits = false) how many of it wait at all. */
static void check_mean(const char *situation, const struct customer *c, int class, bool waits, double expected)
{
  struct ratio r = {0};
  double y = 0, n = 0;
  int cycles = 0;
  for (int i = 0; i < CUSTOMERS; i++) {
    if (c[i].opens && i > 0) {
      end_cycle(&r, y, n);
      cycles++;
      y = n = 0;
    }
    if (c[i].class != class) continue;
    y += waits ? c[i].wait_s : c[i].wait_s > 1e-9;
    n++;
  }
  double mean = r.sum / r.n, variance = (r.squares - 2 * mean * r.cross + mean * mean * r.squares_n) / (cycles - 1);
  double half = QUANTILE * sqrt(variance * cycles) / r.n;
  printf("%-44s expected %.6g, is %.6g ± %.2g over %d cycles\n", situation, expected, mean, half, cycles);
  fflush(stdout);
  ck_assert_int_gt(cycles, 5000);
  ck_assert_msg(fabs(mean - expected) <= half, "%s: is %.6g ± %.2g, not %.6g", situation, mean, half, expected);
  ck_assert_msg(half <= NARROW_FRAC * expected, "%s: ± %.2g says little of %.6g", situation, half, expected);
}

/* --- accelerators as servers --- */

struct queue {
  const struct rig *r;
  int servers;              /* accelerators, which take who waits longest; 1: they wait in the accelerator's own queue */
  bool exponential;
  double service_s, rate_hz[CLASSES]; /* mean; of each class, the first with the higher priority */
  struct hs_arrivals arrivals[CLASSES];
  struct hs_random *service;
  int n_in, n_started, n_inside;
  bool busy[SERVERS];
  struct customer *customers; /* shared with the parent */
  double *arrival_s, *own_s;  /* [customer]: when it came, and its service */
  struct hs_task *tasks;
  struct hs_program *programs, same;
};

static const int servers[SERVERS] = {GPU, DSP, NPU};

/* One task that holds an accelerator for as long as its service takes. */
static void start(struct queue *q, struct hs_engine *e, int customer, int server)
{
  q->tasks[customer] = (struct hs_task){.kind = HS_TASK_RPC, .tensor = -1, .processor = servers[server], .opp = -1, .delay_s = q->own_s[customer]};
  q->programs[customer] = (struct hs_program){.n_tasks = 1, .tasks = &q->tasks[customer], .to_op = 1};
  hs_program_seal(&q->programs[customer]);
  q->busy[server] = true;
  hs_engine_submit_stretched(e, customer, CLASSES - 1 - q->customers[customer].class, &q->programs[customer], NULL);
}

static void come(struct queue *q, int class)
{
  int i = q->n_in++;
  q->customers[i].class = class;
  q->customers[i].opens = q->n_inside++ == 0;
  q->arrival_s[i] = q->arrivals[class].next_s;
  q->own_s[i] = q->exponential ? hs_random_exponential(q->service, q->service_s) : q->service_s;
  hs_arrivals_came(&q->arrivals[class]);
}

static int idle_server(const struct queue *q)
{
  for (int s = 0; s < q->servers; s++)
    if (q->servers == 1 || !q->busy[s]) return s;
  return -1;
}

static double turn(void *state, struct hs_engine *e, double now_s)
{
  struct queue *q = state;
  double next = INFINITY;
  for (int k = 0; k < CLASSES; k++)
    while (q->rate_hz[k] > 0 && q->n_in < CUSTOMERS && q->arrivals[k].next_s <= now_s + 1e-12) come(q, k);
  for (int s; q->n_started < q->n_in && (s = idle_server(q)) >= 0;) start(q, e, q->n_started++, s);
  for (int k = 0; k < CLASSES && q->n_in < CUSTOMERS; k++)
    if (q->rate_hz[k] > 0) next = fmin(next, q->arrivals[k].next_s);
  return next;
}

static void done(void *state, int customer, double start_s, double end_s)
{
  struct queue *q = state;
  (void)start_s;
  q->customers[customer].wait_s = end_s - q->arrival_s[customer] - q->own_s[customer];
  q->n_inside--;
  for (int s = 0; s < q->servers; s++)
    if (servers[s] == q->tasks[customer].processor) q->busy[s] = false;
}

/* Single server: the wait of each from the one before (Lindley 1952), without any statistics. */
static void check_lindley(const struct queue *q)
{
  double w = 0;
  for (int i = 0; i < CUSTOMERS; i++) {
    if (i > 0) w = fmax(0, w + q->own_s[i - 1] - (q->arrival_s[i] - q->arrival_s[i - 1]));
    if (fabs(q->customers[i].wait_s - w) > 1e-8) _exit(2);
  }
}

static void run_queue(struct queue *q)
{
  struct hs_error err;
  const struct hs_engine_calls calls = {.state = q, .done = done, .turn = turn};
  for (int k = 0; k < CLASSES; k++) {
    const struct hs_pattern p = {HS_POISSON, 1 / q->rate_hz[k], 0};
    if (q->rate_hz[k] > 0) hs_arrivals_open(&q->arrivals[k], &p, 2385, k ? "second class" : "first class");
  }
  q->service = hs_random_new(2385, "service");
  q->arrival_s = hs_realloc(NULL, CUSTOMERS, sizeof *q->arrival_s);
  q->own_s = hs_realloc(NULL, CUSTOMERS, sizeof *q->own_s);
  q->tasks = hs_realloc(NULL, CUSTOMERS, sizeof *q->tasks);
  q->programs = hs_realloc(NULL, CUSTOMERS, sizeof *q->programs);
  if (hs_engine_run(&q->r->sys, &calls, &err) || q->n_inside) _exit(1);
  if (q->servers == 1 && !(q->rate_hz[1] > 0)) check_lindley(q);
}

static struct customer *open_customers(void) { return hs_test_shared(CUSTOMERS * sizeof(struct customer)); }

static struct customer *simulate(struct queue *q)
{
  struct rig r;
  rig_open(&r, "tflite");
  q->r = &r;
  q->customers = open_customers();
  pid_t child = hs_test_fork();
  if (child == 0) {
    run_queue(q);
    _exit(0);
  }
  ck_assert_msg(hs_test_wait(child) == 0, "the child failed, or the waits are not Lindley's");
  rig_close(&r);
  return q->customers;
}

static void close_customers(struct customer *c) { munmap(c, CUSTOMERS * sizeof *c); }

/* M/M/1: W = ρ / (μ − λ), and ρ of all wait. */
START_TEST(m_m_1)
{
  const double mu = 1 / 0.0123, rho = _i ? 0.7 : 0.45;
  struct queue q = {.servers = 1, .exponential = true, .service_s = 1 / mu, .rate_hz = {rho * mu}};
  struct customer *c = simulate(&q);
  check_mean("M/M/1, mean wait", c, 0, true, rho / (mu - rho * mu));
  check_mean("M/M/1, who waits", c, 0, false, rho);
  close_customers(c);
}
END_TEST

/* M/D/1: W = ρ D / 2 (1 − ρ) (Pollaczek and Khinchine). */
START_TEST(m_d_1)
{
  const double d = 0.0123, rho = _i ? 0.75 : 0.45;
  struct queue q = {.servers = 1, .service_s = d, .rate_hz = {rho / d}};
  struct customer *c = simulate(&q);
  check_mean("M/D/1, mean wait", c, 0, true, rho * d / (2 * (1 - rho)));
  check_mean("M/D/1, who waits", c, 0, false, rho);
  close_customers(c);
}
END_TEST

/* M/M/c: C of all wait (Erlang's C formula), W = C / (c μ − λ). */
START_TEST(m_m_c)
{
  const int n = _i;
  const double mu = 1 / 0.0123, rho = 0.7, load = n * rho;
  double term = 1, sum = 0; /* load^k / k! */
  for (int k = 0; k < n; k++) {
    sum += term;
    term *= load / (k + 1);
  }
  double all_busy = term / (1 - rho) / (sum + term / (1 - rho));
  struct queue q = {.servers = n, .exponential = true, .service_s = 1 / mu, .rate_hz = {load * mu}};
  struct customer *c = simulate(&q);
  check_mean("M/M/c, mean wait", c, 0, true, all_busy / (n * mu - load * mu));
  check_mean("M/M/c, who waits", c, 0, false, all_busy);
  close_customers(c);
}
END_TEST

/* One server, two priorities, nobody is broken off: W0 = Σ λ E[S²] / 2 is left of who is in service; W1 = W0 / (1 − ρ1) and
 * W2 = W0 / (1 − ρ1) (1 − ρ1 − ρ2). */
START_TEST(priorities)
{
  const double mu = 1 / 0.0123, rho1 = 0.3, rho2 = 0.4, left = (rho1 + rho2) / mu;
  struct queue q = {.servers = 1, .exponential = true, .service_s = 1 / mu, .rate_hz = {rho1 * mu, rho2 * mu}};
  struct customer *c = simulate(&q);
  check_mean("two priorities, the higher", c, 0, true, left / (1 - rho1));
  check_mean("two priorities, the lower", c, 1, true, left / ((1 - rho1) * (1 - rho1 - rho2)));
  close_customers(c);
}
END_TEST

/* --- an interpreter as a server: serving, with a policy that runs one inference after the other --- */

struct server {
  struct customer *customers;
  double service_s, free_s;
  int n;
};

static void ended(void *state, const struct hs_outcome *o)
{
  struct server *s = state;
  s->customers[s->n].wait_s = o->end_s - o->arrival_s - s->service_s;
  s->customers[s->n++].opens = o->arrival_s >= s->free_s;
  s->free_s = o->end_s;
}

/* Requests by a pattern of the period for a load of ρ; every inference takes as long as alone. */
static struct customer *serve(struct hs_pattern p, double rho, double *service_s)
{
  struct serving s;
  serving_open(&s);
  struct hs_network *n = serving_add(&s, ONE, &serving_cpu);
  *service_s = serving_alone(&s, 0);
  p.period_s = *service_s * (p.kind == HS_BURSTS ? p.burst : 1) / rho;
  n->pattern = p;
  n->seed = 2385;
  n->stream = "arrivals net 0";
  struct server server = {.customers = open_customers(), .service_s = *service_s};
  const struct hs_serve_calls calls = {.state = &server, .ended = ended};
  pid_t child = hs_test_fork();
  if (child == 0) {
    struct hs_error err;
    _exit(hs_serve(&s.r.sys, s.networks, 1, CUSTOMERS, 0, &calls, NULL, &err) || server.n != CUSTOMERS);
  }
  ck_assert_msg(hs_test_wait(child) == 0, "the child failed, or the waits are not Lindley's");
  serving_close(&s);
  return server.customers;
}

START_TEST(served_m_d_1)
{
  double d, rho = 0.7;
  struct customer *c = serve((struct hs_pattern){HS_POISSON, 0, 0}, rho, &d);
  check_mean("M/D/1 by serving, mean wait", c, 0, true, rho * d / (2 * (1 - rho)));
  close_customers(c);
}
END_TEST

/* Bursts of k: the first of one waits as in M/D/1 with a service of k D, the jth for j − 1 more. */
START_TEST(served_bursts)
{
  const int k = 4;
  double d, rho = 0.5;
  struct customer *c = serve((struct hs_pattern){HS_BURSTS, 0, k}, rho, &d);
  check_mean("bursts by serving, mean wait", c, 0, true, rho * k * d / (2 * (1 - rho)) + (k - 1) * d / 2);
  close_customers(c);
}
END_TEST

static void fill(TCase *t)
{
  tcase_add_loop_test(t, m_m_1, 0, 2);
  tcase_add_loop_test(t, m_d_1, 0, 2);
  tcase_add_loop_test(t, m_m_c, 2, SERVERS + 1);
  tcase_add_test(t, priorities);
  tcase_add_test(t, served_m_d_1);
  tcase_add_test(t, served_bursts);
}

int main(void) { return hs_test_main("queues", fill); }
