/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "serve/arrivals.h"

#include <math.h>
#include <string.h>

#include "base/random.h"
#include "base/text.h"

const char *const hs_pattern_names[HS_PATTERN_N + 1] = {"back-to-back", "fixed", "poisson", "burst", NULL};

static const double RATE_MIN = 0.001, RATE_MAX = 1000; /* beyond, the clock would come to infinity */
enum { BURST_MAX = 1000 };

/* --- reading --- */

/* What follows prefix in s, or NULL. */
static const char *after(const char *s, const char *prefix) { return strncmp(s, prefix, strlen(prefix)) == 0 ? s + strlen(prefix) : NULL; }

static bool is_rate(const char *s, double *rate)
{
  const char *unit = hs_decimal_prefix(s, rate);
  return unit && strcmp(unit, "fps") == 0 && *rate >= RATE_MIN && *rate <= RATE_MAX;
}

static enum hs_status read_rate(const char *s, const char *label, struct hs_pattern *p, struct hs_error *err)
{
  double rate;
  if (!is_rate(s, &rate))
    return hs_fail(err, HS_USAGE, "%.80s: \"%.40s\" is not a rate: write 30fps, poisson:30fps or burst:5x10fps after the @, rates in [%g, %g]", label, s,
                   RATE_MIN, RATE_MAX);
  p->period_s = 1 / rate;
  return HS_OK;
}

static enum hs_status read_bursts(const char *s, const char *label, struct hs_pattern *p, struct hs_error *err)
{
  double n;
  const char *end = hs_decimal_prefix(s, &n);
  if (!end || n != floor(n) || n < 1 || n > BURST_MAX || *end != 'x')
    return hs_fail(err, HS_USAGE, "%.80s: \"%.40s\" is not a burst: write burst:5x10fps for 5 requests at a time, 10 times per second; requests in [1, %d]",
                   label, s, BURST_MAX);
  p->burst = (int)n;
  return read_rate(end + 1, label, p, err);
}

enum hs_status hs_pattern_parse(const char *text, const char *label, struct hs_pattern *p, struct hs_error *err)
{
  const char *rest;
  *p = (struct hs_pattern){.kind = HS_FIXED};
  if ((rest = after(text, "poisson:"))) {
    p->kind = HS_POISSON;
    return read_rate(rest, label, p, err);
  }
  if ((rest = after(text, "burst:"))) {
    p->kind = HS_BURSTS;
    return read_bursts(rest, label, p, err);
  }
  return read_rate(text, label, p, err);
}

/* --- arrivals --- */

/* From one request to the next, or from one burst to the next. */
static double gap(struct hs_arrivals *a) { return hs_random_exponential(a->random, a->pattern.period_s); }

void hs_arrivals_open(struct hs_arrivals *a, const struct hs_pattern *pattern, uint64_t seed, const char *stream)
{
  bool random = pattern->kind == HS_POISSON || pattern->kind == HS_BURSTS;
  *a = (struct hs_arrivals){.pattern = *pattern, .random = random ? hs_random_new(seed, stream) : NULL, .left = pattern->burst};
  if (random) a->next_s = gap(a);
}

void hs_arrivals_came(struct hs_arrivals *a)
{
  if (a->pattern.kind == HS_BACK_TO_BACK) {
    a->next_s = INFINITY;
    return;
  }
  if (a->pattern.kind == HS_FIXED) { /* a multiple: periods added up would drift, and one request too many come in a long run */
    a->next_s = (double)++a->n_came * a->pattern.period_s;
    return;
  }
  if (a->pattern.kind == HS_BURSTS && --a->left > 0) return;
  a->left = a->pattern.burst;
  a->next_s += gap(a);
}

void hs_arrivals_ended(struct hs_arrivals *a, double end_s)
{
  if (a->pattern.kind == HS_BACK_TO_BACK) a->next_s = end_s;
}

void hs_arrivals_close(struct hs_arrivals *a)
{
  hs_random_free(a->random);
  a->random = NULL;
}
