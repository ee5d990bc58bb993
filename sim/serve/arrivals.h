/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Workload patterns: when requests for a network come. They are what the user says of the network and a random stream of its own, and
 * know nothing of what the requests meet: the same ones come under every policy, and beside any other networks. */
#ifndef HS_ARRIVALS_H
#define HS_ARRIVALS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"

enum hs_pattern_kind {
  HS_BACK_TO_BACK, /* the next one when the one before has ended */
  HS_FIXED,        /* at 0 and then once per period */
  HS_POISSON,      /* independent exponential gaps, the first from 0 on */
  HS_BURSTS,       /* several at the same time, the bursts as a Poisson process */
  HS_PATTERN_N
};
extern const char *const hs_pattern_names[HS_PATTERN_N + 1]; /* NULL at the end */

struct hs_pattern {
  enum hs_pattern_kind kind;
  double period_s; /* between requests, or bursts; the mean where it is random; 0: back to back */
  int burst;       /* requests in one */
};

/* "30fps", "poisson:20fps" or "burst:5x10fps" (5 at a time, 10 times per second). HS_USAGE with `label`, what is wrong and the rule. */
enum hs_status hs_pattern_parse(const char *text, const char *label, struct hs_pattern *p, struct hs_error *err);

struct hs_random;

/* The arrivals of one network in one run. */
struct hs_arrivals {
  struct hs_pattern pattern;
  struct hs_random *random;
  double next_s; /* when the next request comes; INFINITY: when the one before has ended */
  int left;      /* of a burst, with that one */
  long n_came;   /* once per period */
};

/* seed, stream: of the random numbers (base/random.h). Freed by hs_arrivals_close(). */
void hs_arrivals_open(struct hs_arrivals *a, const struct hs_pattern *pattern, uint64_t seed, const char *stream);
/* It has come; or (back to back) the one before has ended at end_s. */
void hs_arrivals_came(struct hs_arrivals *a);
void hs_arrivals_ended(struct hs_arrivals *a, double end_s);
void hs_arrivals_close(struct hs_arrivals *a);

#endif
