/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Several networks at once on the phone of rig.h, each with a policy of the test's own: runs hs_serve() in a child and
 * checks what came out. */
#ifndef HS_TEST_SERVING_H
#define HS_TEST_SERVING_H

#include "tests/model/rig.h"

#include "serve/pieces.h"
#include "serve/serve.h"

/* Networks of one operator, long and short, and of three. */
#define ONE RIG_NET(RIG_IN("i", "1, 60, 70, 8"), "'t'", RIG_OP("t", "Tanh", "'i'", ""))
#define TINY RIG_NET(RIG_IN("i", "1, 6, 7, 5"), "'t'", RIG_OP("t", "Tanh", "'i'", ""))
#define THREE RIG_NET(RIG_IN("image", "1, 40, 50, 3"), "'r'", RIG_OP("c", "Conv", "'image'", ", 'channels': 8, 'kernel': [3, 3], 'pad': 'same'") ","   \
                      RIG_OP("s", "Relu", "'c'", "") "," RIG_OP("r", "Tanh", "'s'", ""))

#define SERVE(situation, is, expected) rig_derive(situation, #expected, is, expected, 1e-9)

enum { SERVED_EVENTS = 40000, SERVED_OUTCOMES = 4000 };

/* The result, in memory that child and parent share. */
struct served {
  enum hs_status status;
  char message[1400];
  int unfinished[4], n_events, n_outcomes; /* the first of each network */
  struct hs_event events[SERVED_EVENTS];
  int networks[SERVED_EVENTS]; /* of the events */
  struct hs_outcome outcomes[SERVED_OUTCOMES];
  double notes[64];            /* whatever a policy wants to tell the test */
};

struct serving {
  struct rig r;
  int n;
  struct hs_network networks[4];
  const struct hs_scenario *scenario; /* NULL: nothing else happens */
  struct hs_noise *noise;              /* NULL: durations are exact; owned by the test */
  struct served *out;
};

static double *serving_notes; /* of the run at hand */

/* s->r is open, everything else zero. */
static inline void serving_share(struct serving *s)
{
  s->out = hs_test_shared(sizeof *s->out);
  serving_notes = s->out->notes;
}

static inline void serving_open(struct serving *s)
{
  *s = (struct serving){0};
  rig_open(&s->r, "tflite");
  serving_share(s);
}

/* Reads and plans one more network, under a policy with one "name=value" of its parameters (or NULL). All pieces are lowered here, so
 * that events of the child can be looked at. */
static inline struct hs_network *serving_add_with(struct serving *s, const char *text, const struct hs_policy *policy, const char *param)
{
  struct hs_network *n = &s->networks[s->n++];
  struct hs_error err;
  rig_read_network(&s->r, text);
  *n = (struct hs_network){.label = policy->name, .policy = policy, .graph = s->r.graph, .deadline_s = INFINITY};
  s->r.graph = NULL;
  hs_test_accepted(hs_policy_values(policy, &param, param != NULL, n->values, &err), &err);
  n->plan = (struct hs_plan){.arena = &s->r.arena, .graph = n->graph};
  const struct hs_view view = {&s->r.sys, n->graph, n->values};
  hs_test_accepted(hs_policy_plan(policy, &view, &n->plan, &err), &err);
  n->pieces = hs_pieces_new(&s->r.sys, n);
  for (int a = 0; a < n->plan.n; a++)
    for (int from = 0; from < n->plan.alternatives[a]->n_ops; from++)
      for (int to = from + 1; to <= n->plan.alternatives[a]->n_ops; to++) hs_pieces_get(n->pieces, a, from, to, NULL);
  return n;
}

static inline struct hs_network *serving_add(struct serving *s, const char *text, const struct hs_policy *policy)
{
  return serving_add_with(s, text, policy, NULL);
}

static inline void serving_rate(struct hs_network *n, double period_s, double deadline_s)
{
  n->pattern = (struct hs_pattern){HS_FIXED, period_s, 0};
  n->deadline_s = deadline_s;
}

/* Of network i alone: alternative 0, whole. */
static inline double serving_alone(const struct serving *s, int i)
{
  return hs_pieces_seconds(s->networks[i].pieces, 0, 0, s->networks[i].plan.alternatives[0]->n_ops);
}

static inline void serving_on_task(void *state, const struct hs_event *e, int network)
{
  struct served *out = state;
  if (out->n_events == SERVED_EVENTS) abort();
  out->networks[out->n_events] = network;
  out->events[out->n_events++] = *e;
}

static inline void serving_on_ended(void *state, const struct hs_outcome *o)
{
  struct served *out = state;
  if (out->n_outcomes == SERVED_OUTCOMES) abort();
  out->outcomes[out->n_outcomes++] = *o;
}

/* What a report would say of network i, or of all (-1). */
static inline void serving_metrics(const struct serving *s, int i, struct hs_metrics *m)
{
  hs_metrics_start(m, &s->r.sys);
  for (int k = 0; k < s->out->n_events; k++)
    if (i < 0 || s->out->networks[k] == i) hs_metrics_task(m, &s->out->events[k]);
  for (int k = 0; k < s->out->n_outcomes; k++)
    if (i < 0 || s->out->outcomes[k].network == i) hs_metrics_ended(m, &s->out->outcomes[k]);
}

static inline enum hs_status serving_check(const struct serving *s, struct hs_error *err)
{
  struct hs_metrics all, each[4];
  const struct hs_timeline t = {.n = s->out->n_events, .events = s->out->events};
  serving_metrics(s, -1, &all);
  for (int i = 0; i < s->n; i++) serving_metrics(s, i, &each[i]);
  const struct hs_checked_run run = {&s->r.sys, s->n, s->networks, &t, s->out->n_outcomes, s->out->outcomes, s->out->unfinished, &all, each,
                                     s->scenario, s->noise != NULL};
  enum hs_status status = hs_check_run(&run, err);
  hs_metrics_free(&all);
  for (int i = 0; i < s->n; i++) hs_metrics_free(&each[i]);
  return status;
}

/* In a child, because SimGrid allows one platform per process. For a time where that is > 0, else so many requests. */
static inline void serving_try_for(struct serving *s, int requests, double duration_s)
{
  pid_t child = hs_test_fork();
  if (child == 0) {
    struct hs_error err = {0};
    struct hs_living *living = s->scenario ? hs_living_open(&s->r.sys, s->scenario, 1) : NULL;
    const struct hs_serve_calls calls = {.state = s->out, .task = serving_on_task, .ended = serving_on_ended, .living = living, .noise = s->noise};
    s->out->status = hs_serve(&s->r.sys, s->networks, s->n, requests, duration_s, &calls, s->out->unfinished, &err);
    hs_error_message(&err, s->out->message, sizeof s->out->message);
    _exit(0);
  }
  ck_assert_int_eq(hs_test_wait(child), 0);
}

static inline void serving_try(struct serving *s, int requests) { serving_try_for(s, requests, 0); }

static inline void serving_good(const struct serving *s)
{
  struct hs_error err;
  ck_assert_msg(s->out->status == HS_OK, "%s", s->out->message);
  hs_test_accepted(serving_check(s, &err), &err);
}

/* Runs that must be good. */
static inline void serving_run(struct serving *s, int requests)
{
  serving_try(s, requests);
  serving_good(s);
}

/* However many requests are asked for. */
static inline void serving_run_for(struct serving *s, double duration_s)
{
  serving_try_for(s, 1000000, duration_s);
  serving_good(s);
}

static inline int serving_n_outcomes(const struct serving *s, int network)
{
  int n = 0;
  for (int i = 0; i < s->out->n_outcomes; i++) n += s->out->outcomes[i].network == network;
  return n;
}

/* The kth outcome of a network. */
static inline const struct hs_outcome *serving_outcome(const struct serving *s, int network, int k)
{
  for (int i = 0; i < s->out->n_outcomes; i++)
    if (s->out->outcomes[i].network == network && k-- == 0) return &s->out->outcomes[i];
  ck_abort_msg("network %d has no such outcome", network);
  return NULL;
}

static inline double serving_latency(const struct serving *s, int network, int k)
{
  return serving_outcome(s, network, k)->end_s - serving_outcome(s, network, k)->arrival_s;
}

static inline void serving_close(struct serving *s)
{
  for (int i = 0; i < s->n; i++) {
    hs_pieces_free(s->networks[i].pieces);
    for (int k = 0; k < s->networks[i].plan.n; k++) hs_placement_release(s->networks[i].plan.alternatives[k]);
    hs_graph_free(s->networks[i].graph);
  }
  munmap(s->out, sizeof *s->out);
  rig_close(&s->r);
}

/* --- policies --- */

static inline enum hs_status serving_all_on(const struct hs_view *view, struct hs_placement *pl, int p)
{
  for (int i = 0; i < view->graph->n_ops; i++) hs_place_whole(&pl->ops[i], p);
  return HS_OK;
}
static inline enum hs_status serving_plan_cpu(const struct hs_view *view, struct hs_placement *pl, struct hs_error *err)
{
  (void)err;
  return serving_all_on(view, pl, CPU);
}
static inline enum hs_status serving_plan_gpu(const struct hs_view *view, struct hs_placement *pl, struct hs_error *err)
{
  (void)err;
  return serving_all_on(view, pl, GPU);
}
static inline enum hs_status serving_plan_dsp(const struct hs_view *view, struct hs_placement *pl, struct hs_error *err)
{
  (void)err;
  return serving_all_on(view, pl, DSP);
}
static const struct hs_policy serving_cpu = {.name = "on-cpu", .plan = serving_plan_cpu};
static const struct hs_policy serving_gpu = {.name = "on-gpu", .plan = serving_plan_gpu};
static const struct hs_policy serving_dsp = {.name = "on-dsp", .plan = serving_plan_dsp};

/* One alternative for each of CPU, GPU and DSP. */
static inline enum hs_status serving_plan_three(const struct hs_view *view, struct hs_plan *plan, struct hs_error *err)
{
  (void)err;
  serving_all_on(view, hs_plan_add(plan, "cpu"), CPU);
  serving_all_on(view, hs_plan_add(plan, "gpu"), GPU);
  return serving_all_on(view, hs_plan_add(plan, "dsp"), DSP);
}

/* Operator after operator, each on the next processor; as many requests at a time as come. */
static inline int serving_rotate(void *state, const struct hs_queue_view *view, struct hs_assignment *out)
{
  (void)state;
  for (int i = 0; i < view->n_waiting; i++)
    out[i] = (struct hs_assignment){i, (view->waiting[i].request + view->waiting[i].next_op) % 3, view->waiting[i].next_op + 1, false};
  return view->n_waiting;
}
static const struct hs_policy serving_rotating = {.name = "rotating", .plan_all = serving_plan_three, .schedule = serving_rotate};

#endif
