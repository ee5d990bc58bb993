/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/random.h"

#include <gsl/gsl_rng.h>
#include <stdlib.h>

#include "base/files.h"
#include "base/text.h"

/* What the header calls struct hs_random is GSL's generator. */
static gsl_rng *generator(struct hs_random *r) { return (gsl_rng *)r; }

struct hs_random *hs_random_new(uint64_t seed, const char *name)
{
  struct hs_text key = {0};
  char hex[65];
  gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
  if (!rng) abort();
  hs_text_addf(&key, "%llu:%s", (unsigned long long)seed, name);
  hs_sha256_hex(key.s, key.len, hex);
  hs_text_free(&key);
  hex[8] = 0;
  gsl_rng_set(rng, strtoul(hex, NULL, 16));
  return (struct hs_random *)rng;
}

void hs_random_free(struct hs_random *r)
{
  if (r) gsl_rng_free(generator(r));
}

double hs_random_uniform(struct hs_random *r) { return 1 - gsl_rng_uniform(generator(r)); }

/* Von Neumann's comparisons (1951) instead of -log u: libraries round a logarithm differently, and here equal inputs must give equal bytes.
 * A descending run that starts with x has odd length with probability 1 - x + x²/2 - … = exp(-x); each run refused adds 1. */
double hs_random_exponential(struct hs_random *r, double mean)
{
  for (double refused = 0;; refused++) {
    double first = hs_random_uniform(r), last = first, u;
    int length = 1;
    for (; (u = hs_random_uniform(r)) < last; last = u) length++;
    if (length % 2 == 1) return mean * (refused + first);
  }
}

/* Von Neumann again: an exponential x is taken with probability exp(-(x - 1)²/2), which makes its density that of |z|. */
double hs_random_normal(struct hs_random *r)
{
  for (;;) {
    double x = hs_random_exponential(r, 1), d = x - 1;
    if (hs_random_exponential(r, 1) > d * d / 2) return hs_random_uniform(r) > 0.5 ? x : -x;
  }
}
