/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Bytes that running tasks want of the memory per second, at most. As long as they fit no processor waits for another, and what happens on a CPU is a
 * matter of arithmetic (slices.h). */
#include "engine/cores.h"

#include <math.h>

/* Of an accelerator's task, as fast as its cores and its port let it be. */
static double wanted(const struct hs_queue *q, const struct hs_running *r)
{
  const struct hs_processor *p = &q->e->sys->soc->processors[q->processor];
  double seconds = r->bytes / q->port_bytes_per_s;
  for (int d = 0; d < p->n_domains; d++)
    for (int c = 0; c < r->task->work.cores[d]; c++)
      seconds = fmax(seconds, r->task->work.cycles[d] / p->domains[d].opps[q->level[q->first_core[d] + r->task->first_core + c]].freq_hz);
  return r->bytes / seconds;
}

void hs_wishes_add(struct hs_wishes *x, double bytes_per_s)
{
  x->n += bytes_per_s > 0;
  x->all += bytes_per_s;
  x->highest = fmax(x->highest, bytes_per_s);
}

void hs_traffic_count(struct hs_queue *q)
{
  if (q->cores) return; /* its threads are weighed one by one */
  q->wishes = (struct hs_wishes){0};
  for (const struct hs_running *r = q->running; r; r = r->next)
    if (r->bytes > 0) hs_wishes_add(&q->wishes, wanted(q, r));
  hs_traffic_weigh(q->e);
}

/* The simulator offers what there is in rounds (its fair bottleneck), and takes away in each what it gave to those who were served before. So for nobody to
 * wait it isn't enough that the sum fits. It is, if all but one are served in the first round; or if there is enough for more rounds than there are. */
static bool is_crowded(const struct hs_engine *e)
{
  enum { ROUNDS = 3 };
  double room = e->sys->soc->memory.peak_bytes_per_s * (1 + HS_ROUNDING), all = 0, cpus = 0, highest = 0;
  int n = 0, processors = 0, accelerators = 0;
  bool scarce = false;
  for (int p = 0; p < e->sys->soc->n_processors; p++) {
    const struct hs_queue *q = &e->queues[p];
    all += fmin(q->wishes.all, q->port_bytes_per_s);
    n += q->wishes.n;
    processors += q->wishes.n > 0;
    if (q->cores) {
      cpus += q->wishes.all;
      highest = fmax(highest, q->wishes.highest);
      scarce |= hs_is_scarce(q);
    } else
      accelerators += q->wishes.n;
  }
  if (all > room) return true;
  return processors > 1 && (scarce || accelerators > 1 || n * highest > room) && all + (ROUNDS - 1) * cpus > room;
}

bool hs_is_scarce(const struct hs_queue *q) { return q->wishes.n * q->wishes.highest > q->port_bytes_per_s * (1 + HS_ROUNDING); }

void hs_traffic_weigh(struct hs_engine *e)
{
  bool before = e->crowded;
  if (!e->sys->scheduler) return;
  e->crowded = is_crowded(e);
  for (int p = 0; p < e->sys->soc->n_processors && e->crowded && !before; p++) hs_cores_crowd(&e->queues[p]);
}
