/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pieces of a copy against a plain list of who wrote which row, channel and image first. */
#include "tests/unit/suite.h"

#include <gsl/gsl_rng.h>

#include "plan/copies.h"

enum { TRIALS = 3000, HOLDS = 7, EXTENT_MAX = 12, NOBODY = 0 };

static const struct hs_shape shape = {4, {3, 12, 2, 7}};
static const int extent[HS_SPLIT_N] = {1, 12, 7, 3}; /* none, height, channel, batch */

struct plain {
  int writer[HS_SPLIT_N][EXTENT_MAX];
  int whole; /* the dimension in which it is, or -1 */
};

static struct hs_range random_range(gsl_rng *rng, enum hs_split split)
{
  int64_t begin = (int64_t)gsl_rng_uniform_int(rng, (unsigned long)extent[split]);
  return (struct hs_range){split, begin, begin + 1 + (int64_t)gsl_rng_uniform_int(rng, (unsigned long)(extent[split] - begin))};
}

static enum hs_split random_split(gsl_rng *rng)
{
  int n = (int)gsl_rng_uniform_int(rng, 20);
  return n == 0 ? HS_SPLIT_NONE : n < 9 ? HS_SPLIT_HEIGHT : n < 17 ? HS_SPLIT_CHANNEL : HS_SPLIT_BATCH;
}

static void write(struct plain *x, struct hs_range r, int writer)
{
  bool all = true;
  if (x->whole >= 0) return;
  for (int64_t i = r.begin; i < r.end; i++)
    if (x->writer[r.split][i] == NOBODY) x->writer[r.split][i] = writer;
  for (int i = 0; i < extent[r.split]; i++) all &= x->writer[r.split][i] != NOBODY;
  if (all) x->whole = (int)r.split;
}

static bool there(const struct plain *x, enum hs_split split, int64_t i) { return x->whole >= 0 || x->writer[split][i] != NOBODY; }

/* The first stretch of r that is there, or that isn't. */
static struct hs_range stretch(const struct plain *x, struct hs_range r, bool held)
{
  while (r.begin < r.end && there(x, r.split, r.begin) != held) r.begin++;
  int64_t end = r.begin;
  while (end < r.end && there(x, r.split, end) == held) end++;
  return (struct hs_range){r.split, r.begin, end};
}

static void check_stretch(struct hs_range is, struct hs_range expected)
{
  ck_assert_int_eq(hs_range_empty(is), hs_range_empty(expected));
  if (hs_range_empty(expected)) return;
  ck_assert_int_eq(is.split, expected.split);
  ck_assert_int_eq(is.begin, expected.begin);
  ck_assert_int_eq(is.end, expected.end);
}

static void check_ready(const struct hs_copy *c, const struct plain *x, struct hs_range r)
{
  struct hs_deps wait = {{0}};
  bool wanted[HS_PROCESSORS_MAX] = {0};
  int split = x->whole >= 0 ? x->whole : (int)r.split;
  bool own = split == (int)r.split && split != HS_SPLIT_NONE;
  for (int64_t i = own ? r.begin : 0; i < (own ? r.end : extent[split]); i++) wanted[x->writer[split][i]] = true;
  hs_copy_ready(c, r, &wait);
  for (int p = 1; p < HS_PROCESSORS_MAX; p++) ck_assert_int_eq(wait.newest[p], wanted[p] ? 10 * p : 0);
}

static double elements(const struct plain *x)
{
  double sum = 0, all = 3 * 12 * 2 * 7;
  for (int split = HS_SPLIT_HEIGHT; split < HS_SPLIT_N; split++)
    for (int i = 0; i < extent[split]; i++) sum += x->writer[split][i] != NOBODY ? all / extent[split] : 0;
  return x->whole >= 0 || sum > all ? all : sum;
}

START_TEST(pieces_are_what_was_written)
{
  gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
  int covered = 0, wholes = 0;
  for (int trial = 0; trial < TRIALS; trial++) {
    struct hs_arena a = {0};
    struct hs_copy c = {{NULL}, false, 0};
    struct plain x = {.whole = -1};
    for (int writer = 1; writer <= HOLDS; writer++) {
      struct hs_range r = random_range(rng, random_split(rng));
      struct hs_deps ready = {{0}};
      ready.newest[writer] = 10 * writer;
      hs_copy_hold(&c, &a, &shape, r, &ready);
      write(&x, r, writer);
      ck_assert_int_eq(c.whole, x.whole >= 0);
      ck_assert_near(c.elements, elements(&x));
      r = random_range(rng, random_split(rng));
      bool covers = x.whole >= 0 || (r.split != HS_SPLIT_NONE && hs_range_empty(stretch(&x, r, false)));
      ck_assert_int_eq(hs_copy_covers(&c, r), covers);
      if (covers) check_ready(&c, &x, r);
      covered += covers && !c.whole;
      if (r.split == HS_SPLIT_NONE) continue;
      check_stretch(hs_copy_held(&c, r), stretch(&x, r, true));
      check_stretch(hs_copy_lacking(&c, r), stretch(&x, r, false));
    }
    wholes += c.whole;
    hs_arena_free(&a);
  }
  ck_assert_int_gt(covered, TRIALS / 4); /* the cases are all seen */
  ck_assert_int_gt(wholes, TRIALS / 4);
  ck_assert_int_lt(wholes, TRIALS - TRIALS / 20);
  gsl_rng_free(rng);
}
END_TEST

static void fill(TCase *t) { tcase_add_test(t, pieces_are_what_was_written); }

int main(void) { return hs_test_main("copies", fill); }
