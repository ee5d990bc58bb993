/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "device/cfs.h"

#include <math.h>

static const double NICE_0_WEIGHT = 1024;

double hs_cfs_weight(int nice)
{
  static const double weights[] = {88761, 71755, 56483, 46273, 36291, 29154, 23254, 18705, 14949, 11916, /* of nice -20 to 19 */
                                   9548,  7620,  6100,  4904,  3906,  3121,  2501,  1991,  1586,  1277,
                                   1024,  820,   655,   526,   423,   335,   272,   215,   172,   137,
                                   110,   87,    70,    56,    45,    36,    29,    23,    18,    15};
  return weights[nice + 20];
}

static void update_min(struct hs_cfs *q)
{
  double least = INFINITY;
  for (const struct hs_cfs_thread *t = q->threads; t; t = t->next) least = fmin(least, t->vruntime_s);
  if (isfinite(least)) q->min_vruntime_s = fmax(q->min_vruntime_s, least);
}

/* place_entity() */
void hs_cfs_wake(struct hs_cfs *q, const struct hs_scheduler *rules, struct hs_cfs_thread *t)
{
  struct hs_cfs_thread **end = &q->threads;
  update_min(q);
  t->vruntime_s = fmax(t->vruntime_s, q->min_vruntime_s - rules->latency_s / 2);
  while (*end) end = &(*end)->next;
  *end = t;
  t->next = NULL;
  q->n++;
}

void hs_cfs_sleep(struct hs_cfs *q, struct hs_cfs_thread *t)
{
  struct hs_cfs_thread **at = &q->threads;
  update_min(q); /* dequeue_entity() counts what ran first: who leaves a core that it had to itself leaves it at its virtual time */
  while (*at != t) at = &(*at)->next;
  *at = t->next;
  if (q->current == t) q->current = NULL;
  q->n--;
  update_min(q);
}

/* wakeup_preempt_entity() */
bool hs_cfs_preempts(const struct hs_cfs *q, const struct hs_scheduler *rules, const struct hs_cfs_thread *t)
{
  return !q->current || q->current->vruntime_s - t->vruntime_s > rules->wakeup_granularity_s * NICE_0_WEIGHT / t->weight;
}

struct hs_cfs_thread *hs_cfs_pick(struct hs_cfs *q)
{
  struct hs_cfs_thread *best = NULL, **at = &q->threads;
  if (q->n == 1) return q->current = q->threads;
  for (struct hs_cfs_thread *t = q->threads; t; t = t->next)
    if (!best || t->vruntime_s < best->vruntime_s || (best == q->current && t->vruntime_s <= best->vruntime_s)) best = t;
  if (!best || best == q->current) return q->current = best;
  while (*at != best) at = &(*at)->next; /* to the end: who waits longest is first */
  *at = best->next;
  for (at = &q->threads; *at;) at = &(*at)->next;
  *at = best;
  best->next = NULL;
  return q->current = best;
}

/* sched_slice() with __sched_period(): of more threads than fit into the latency each has the least that it may. */
double hs_cfs_slice_s(const struct hs_cfs *q, const struct hs_scheduler *rules)
{
  double all = 0;
  if (!q->current || q->n < 2) return INFINITY;
  for (const struct hs_cfs_thread *t = q->threads; t; t = t->next) all += t->weight;
  double fit = ceil(rules->latency_s / rules->min_granularity_s - 1e-9); /* sched_nr_latency */
  return (q->n > fit ? q->n * rules->min_granularity_s : rules->latency_s) * q->current->weight / all;
}

void hs_cfs_ran(struct hs_cfs *q, double seconds)
{
  if (!q->current) return;
  q->current->vruntime_s += seconds * NICE_0_WEIGHT / q->current->weight;
}
