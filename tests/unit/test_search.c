/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Least squares within bounds. */
#include "tests/unit/suite.h"

#include <math.h>

#include "calibrate/search.h"

/* What is looked for within bounds, and by how many looks. */
struct problem {
  void (*residuals)(const double *x, double *out);
  int n, p;
  double x[3], low[3], high[3], weight[4];
  int looks;
};

static void look(void *data, const double *x, double *out)
{
  struct problem *q = data;
  for (int k = 0; k < q->p; k++) ck_assert_msg(x[k] >= q->low[k] && x[k] <= q->high[k], "%d: %g is outside", k, x[k]);
  q->looks++;
  q->residuals(x, out);
}

static struct hs_search begin(struct problem *q)
{
  struct hs_search s = {.n = q->n, .p = q->p, .low = q->low, .high = q->high, .weight = q->weight, .residuals = look, .data = q, .x = q->x};
  hs_search_begin(&s);
  return s;
}

/* Steps until it is there, two at a time. */
static int steps_to_the_end(struct hs_search *s)
{
  int steps = 2;
  while (!hs_search_descend(s, 2)) {
    ck_assert_int_lt(steps, 100);
    steps += 2;
  }
  return steps;
}

static void plane(const double *x, double *out)
{
  out[0] = x[0] + x[1] - 3;
  out[1] = x[0] - x[1];
  out[2] = x[2] - x[1] + 1;
}

/* The end of a range holds one, the others are where the sum is least then: of (x1 - 2)^2 and (1 - x1)^2. */
START_TEST(held)
{
  struct problem q = {.residuals = plane, .n = 3, .p = 3, .x = {0, 0, 9}, .low = {-5, -5, -5}, .high = {1, 5, 5}, .weight = {1, 1, 1}};
  struct hs_search s = begin(&q);
  steps_to_the_end(&s);
  ck_assert_double_eq(q.x[0], 1);
  ck_assert_double_eq_tol(q.x[1], 1.5, 1e-3);
  ck_assert_double_eq_tol(q.x[2], 0.5, 1e-3);
  ck_assert_int_eq(s.n_moving, 2);
  ck_assert_double_eq_tol(gsl_matrix_get(s.slope, 0, 0), 1, 1e-6); /* there are slopes of what is held, too */
  hs_search_end(&s);
}
END_TEST

/* All begin at an end of their range, or beyond, and none belongs there: they leave it at once. */
START_TEST(let_go)
{
  struct problem q = {.residuals = plane, .n = 3, .p = 3, .x = {-5, 7, 5}, .low = {-5, -5, -5}, .high = {5, 5, 5}, .weight = {1, 1, 1}};
  struct hs_search s = begin(&q);
  ck_assert_int_le(steps_to_the_end(&s), 10);
  for (int k = 0; k < 2; k++) ck_assert_double_eq_tol(q.x[k], 1.5, 1e-3);
  ck_assert_double_eq_tol(q.x[2], 0.5, 1e-3);
  ck_assert_int_lt(q.looks, 60);
  hs_search_end(&s);
}
END_TEST

/* Nothing moves, where all are held. */
START_TEST(all_held)
{
  struct problem q = {.residuals = plane, .n = 3, .p = 3, .x = {1, 1, 0}, .low = {-5, -5, 0}, .high = {1, 1, 0.5}, .weight = {1, 1, 1}};
  struct hs_search s = begin(&q);
  ck_assert(hs_search_descend(&s, 1));
  ck_assert_double_eq(q.x[0], 1);
  ck_assert_double_eq(q.x[1], 1);
  hs_search_end(&s);
}
END_TEST

/* Weights may change on the way: of two that disagree, the heavier. */
static void two_minds(const double *x, double *out)
{
  out[0] = x[0] - 1;
  out[1] = x[0] - 2;
}

START_TEST(weights)
{
  struct problem q = {.residuals = two_minds, .n = 2, .p = 1, .x = {0}, .low = {-5}, .high = {5}, .weight = {3, 1}};
  struct hs_search s = begin(&q);
  steps_to_the_end(&s);
  ck_assert_double_eq_tol(q.x[0], 1.25, 1e-3);
  q.weight[1] = 9;
  steps_to_the_end(&s);
  ck_assert_double_eq_tol(q.x[0], 1.75, 1e-3);
  hs_search_end(&s);
}
END_TEST

/* A narrow valley that bends (Rosenbrock's), and its bottom behind the end of a range. */
static void valley(const double *x, double *out)
{
  out[0] = 10 * (x[1] - x[0] * x[0]);
  out[1] = 1 - x[0];
}

START_TEST(bends)
{
  struct problem q = {.residuals = valley, .n = 2, .p = 2, .x = {-1.2, 1}, .low = {-2, -2}, .high = {_i ? 0.5 : 2, 2}, .weight = {1, 1}};
  struct hs_search s = begin(&q);
  steps_to_the_end(&s);
  ck_assert_double_eq_tol(q.x[0], _i ? 0.5 : 1, 1e-3);
  ck_assert_double_eq_tol(q.x[1], _i ? 0.25 : 1, 1e-3);
  ck_assert_int_lt(q.looks, 300);
  hs_search_end(&s);
}
END_TEST

/* It rises to both sides of 0, but falls from 0.2 on, to nothing at 0.6. */
static void corner(const double *x, double *out) { *out = fabs(x[0]) < 0.2 ? 1 + fabs(x[0]) : x[0] < 0 ? 1.2 : 1.2 - 3 * (x[0] - 0.2); }

START_TEST(leaps)
{
  struct problem q = {.residuals = corner, .n = 1, .p = 1, .x = {0}, .low = {-1}, .high = {1}, .weight = {1}};
  struct hs_search s = begin(&q);
  steps_to_the_end(&s);
  ck_assert_double_lt(fabs(q.x[0]), 0.01);
  ck_assert(!hs_search_leap(&s, 0.1));
  ck_assert_double_lt(fabs(q.x[0]), 0.01);
  ck_assert(hs_search_leap(&s, 0.4));
  steps_to_the_end(&s);
  ck_assert_double_eq_tol(q.x[0], 0.6, 1e-3);
  ck_assert(!hs_search_leap(&s, 0.9));
  hs_search_end(&s);
}
END_TEST

static void fill(TCase *t)
{
  tcase_add_test(t, held);
  tcase_add_test(t, let_go);
  tcase_add_test(t, all_held);
  tcase_add_test(t, weights);
  tcase_add_loop_test(t, bends, 0, 2);
  tcase_add_test(t, leaps);
}

int main(void) { return hs_test_main("search", fill); }
