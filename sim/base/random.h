/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Named random streams of a run: each is a generator of its own, seeded by a hash of (seed, name). So a stream never depends on which
 * others there are or how far they were read, and the same numbers come out on any machine.
 *
 * The generator is MT19937 (Matsumoto and Nishimura 1998) as GSL has it, seeded with the first 32 bits of the SHA-256 of "SEED:NAME". */
#ifndef HS_RANDOM_H
#define HS_RANDOM_H

#include <stdint.h>

struct hs_random;

struct hs_random *hs_random_new(uint64_t seed, const char *name);
void hs_random_free(struct hs_random *r); /* NULL is fine */

/* In (0, 1], in steps of 2^-32. */
double hs_random_uniform(struct hs_random *r);
/* Exponential, > 0. */
double hs_random_exponential(struct hs_random *r, double mean);
/* Normal, of mean 0 and standard deviation 1. */
double hs_random_normal(struct hs_random *r);

#endif
