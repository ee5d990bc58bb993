/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A good run of one network on the phone of rig.h, of which tests spoil one thing at a time. */
#ifndef HS_TEST_SPOILT_H
#define HS_TEST_SPOILT_H

#include "tests/model/rig.h"

struct spoilt {
  struct rig r;
  struct hs_placement *pl;
  struct hs_program *prog;
  struct hs_event events[64];
  int n;
  struct hs_metrics metrics;
  struct hs_outcome outcomes[2];
  double period_s;
  struct hs_scenario *scenario;
};

static inline void run_twice(struct spoilt *x)
{
  x->prog = rig_lower(&x->r, x->pl);
  struct rig_run *run = rig_run(&x->r, x->pl, x->prog, 2);
  ck_assert_int_le(run->n_events, (int)(sizeof x->events / sizeof *x->events));
  rig_seal(&x->r, x->pl, x->prog);
  x->n = run->n_events;
  memcpy(x->events, run->events, (size_t)x->n * sizeof *x->events);
  hs_metrics_start(&x->metrics, &x->r.sys);
  for (int i = 0; i < x->n; i++) hs_metrics_task(&x->metrics, &x->events[i]);
  for (int i = 0; i < 2; i++) {
    x->outcomes[i] = run->outcomes[i];
    hs_metrics_ended(&x->metrics, &x->outcomes[i]);
  }
  rig_run_free(run);
}

static inline void open_phone(struct spoilt *x)
{
  *x = (struct spoilt){0};
  rig_open(&x->r, "mace");
  rig_read_network(&x->r, RIG_NET(RIG_IN("image", "1, 40, 50, 3"), "'p'", RIG_OP("c", "Conv", "'image'", ", 'channels': 8, 'kernel': [3, 3], 'pad': 'same'") ","
                                  RIG_OP("p", "MaxPool", "'c'", ", 'kernel': [2, 2], 'stride': [2, 2]")));
}

static inline void place_on_gpu(struct spoilt *x)
{
  open_phone(x);
  x->pl = rig_place_all(&x->r, GPU);
}

/* 0 map, 1 sync, 2 launch, 3 transform (gpu), 4 launch, 5 exec c, 6 launch, 7 exec p, 8 launch, 9 transform, 10 sync, 11 map; twice */
static inline void open_spoilt(struct spoilt *x)
{
  place_on_gpu(x);
  run_twice(x);
  ck_assert_int_eq(x->n, 24);
}

static inline int position(const struct spoilt *x, int request, int task)
{
  for (int i = 0; i < x->n; i++)
    if (x->events[i].request == request && x->events[i].task == task) return i;
  return -1;
}
static inline struct hs_event *at(struct spoilt *x, int request, int task) { return &x->events[position(x, request, task)]; }

static inline enum hs_status check(struct spoilt *x, struct hs_error *err)
{
  const struct hs_timeline t = {.n = x->n, .events = x->events};
  struct hs_network network = rig_network(&x->r, x->pl);
  network.pattern = (struct hs_pattern){x->period_s > 0 ? HS_FIXED : HS_BACK_TO_BACK, x->period_s, 0};
  const struct hs_checked_run run = {&x->r.sys, 1, &network, &t, 2, x->outcomes, NULL, &x->metrics, NULL, x->scenario, false};
  return hs_check_run(&run, err);
}

static inline void scale_share(struct hs_event *e, double factor)
{
  e->share_s *= factor;
  for (int d = 0; d < HS_DOMAINS_MAX; d++) e->cycles[d] *= factor;
}

static inline void close_spoilt(struct spoilt *x)
{
  struct hs_summary s;
  hs_metrics_summary(&x->metrics, &s);
  hs_metrics_free(&x->metrics);
  hs_program_free(x->prog);
  rig_close(&x->r);
}

#endif
