/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a policy is: plain functions that look at a view and return decisions as values. It never emits a transfer, a
 * sync or a time, and it never sees a true duration of what is still to come: only estimates.
 *
 * Order of calls: plan, once per network, before the first request. Most policies are done then: every request runs what
 * was planned as soon as the one before it of its network has ended. A policy with `schedule` is asked whenever a request arrives or a piece of one ends,
 * which piece to start where; `finished` tells it how long a piece took. */
#ifndef HS_POLICY_H
#define HS_POLICY_H

#include "base/text.h"
#include "plan/estimate.h"
#include "plan/placement.h"

enum { HS_PARAMS_MAX = 8, HS_ALTERNATIVES_MAX = 24 };

/* A parameter of a policy: one of `words` (NULL: none), or a number in [min, max] where min < max. */
struct hs_param {
  const char *name, *help;
  const char *fallback; /* the value where the user gives none */
  const char *const *words;
  double min, max;
  bool whole; /* no fractions */
};

/* What a policy may know. Everything is borrowed until the call returns. */
struct hs_view {
  const struct hs_system *sys; /* cost estimates: model/cost.h, model/comm.h */
  const struct hs_graph *graph;
  const char *const *values;   /* of the policy's parameters, in their order, checked */
};

/* What a policy made of one network: one placement, or several of which `schedule` chooses for each request. */
struct hs_plan {
  struct hs_arena *arena;
  const struct hs_graph *graph; /* as given */
  int n;
  struct hs_placement *alternatives[HS_ALTERNATIVES_MAX]; /* each may have its own version of the graph */
  const char *names[HS_ALTERNATIVES_MAX];                 /* for reports */
};

/* A new alternative with an empty placement of the graph as given; NULL beyond HS_ALTERNATIVES_MAX. `name` is copied. */
struct hs_placement *hs_plan_add(struct hs_plan *plan, const char *name);

/* A request that waits for its next piece: operators [next_op, …) of the network. */
struct hs_waiting {
  int request, network;
  int alternative;   /* of the pieces before, or -1 */
  int next_op;
  double arrival_s, deadline_s; /* deadline: absolute, INFINITY if there is none */
  int priority;      /* of its network; higher goes first */
  const struct hs_competition *load; /* [processor]: during the last requests of this network, or, before the first has ended, of what is
                                        in flight */
};

/* A piece under way. */
struct hs_piece {
  int request, network, alternative, from_op, to_op; /* operators [from, to) */
  double start_s, expected_s;
};

/* What a scheduler may know when it is asked. Everything is borrowed until the call returns. */
struct hs_queue_view {
  const struct hs_soc *soc; /* each network has a system of its own: what a piece costs, says hs_view_expected() */
  double now_s;
  int n_networks;
  const struct hs_plan *const *plans; /* [n_networks]: of the networks under this policy; others have NULL */
  const char *const *const *values;   /* [n_networks]: of each one's parameters of this policy */
  int n_waiting, n_running;
  const struct hs_waiting *waiting;   /* of this policy's networks, by priority, then in order of arrival */
  const struct hs_piece *running;     /* of this policy's networks */
  const void *core;                   /* for `expected` and `clocked_s` */
  double (*expected)(const void *core, int network, int alternative, int from_op, int to_op, const struct hs_competition *load);
  double (*clocked_s)(const void *core, int processor);
};

/* Duration of a piece on the idle device; under `load` (of a waiting request) where that isn't NULL. INFINITY: impossible. */
static inline double hs_view_expected(const struct hs_queue_view *v, int network, int alternative, int from_op, int to_op, const struct hs_competition *load)
{
  return v->expected(v->core, network, alternative, from_op, to_op, load);
}

/* The processor that an alternative is named after, whatever falls back from it: networks of one scheduler may be under different runtimes, and so have other
 * alternatives than each other. -1: it is named after none. */
static inline int hs_view_processor(const struct hs_queue_view *v, int network, int alternative)
{
  return hs_soc_find(v->soc, v->plans[network]->names[alternative]);
}

/* Cycles of the clock of the processor's fastest domain in use since the run began, in seconds of the frequency that expectations are of: within a
 * second as many as its frequency was of that one, idle or not. What cpufreq's time_in_state and devfreq's trans_stat tell any process. */
static inline double hs_view_clocked_s(const struct hs_queue_view *v, int processor) { return v->clocked_s(v->core, processor); }

/* A decision: start the next piece of a waiting request, up to before to_op, or give the request up. */
struct hs_assignment {
  int waiting; /* index in the view; each at most once */
  int alternative, to_op;
  bool drop;
};

/* How a policy wants the system where the user doesn't say. */
struct hs_preferences {
  const char *runtime;
  enum hs_precision precision; /* of the model */
  const char *memory_type;     /* of the GPU; NULL: the SoC's preferred */
};

/* What may be NULL says so. hs_policy_check() holds policies to it, and to what struct hs_param says. */
struct hs_policy {
  const char *name;             /* of a-z, 0-9 and -: lists on the command line take other characters for their own */
  const char *summary;          /* one line */
  const char *reference;        /* paper and section, or what framework does so */
  const char *needs;            /* processor it can't do without, or NULL */
  struct hs_preferences defaults;
  void (*prefer)(const char *const *values, struct hs_preferences *p); /* changes these where they depend on the parameters; may be NULL */
  const struct hs_param *params; /* [n_params], NULL where that is 0 */
  int n_params;                 /* up to HS_PARAMS_MAX */
  /* Either plan: fills pl, which has one zeroed entry per operator. HS_USAGE: this SoC or runtime can't; HS_INPUT: this
   * network can't. */
  enum hs_status (*plan)(const struct hs_view *view, struct hs_placement *pl, struct hs_error *err);
  /* Or plan_all: adds alternatives, in an order that means something to `schedule` alone (band's are its workers); without one the first is
   * taken. An operator that an alternative can't run has no parts there; pieces must keep clear of it. */
  enum hs_status (*plan_all)(const struct hs_view *view, struct hs_plan *plan, struct hs_error *err);
  /* NULL: every request starts alternative 0, whole, when the one before it of its network has ended. Fills out[n_waiting] and returns how many. */
  int (*schedule)(void *state, const struct hs_queue_view *view, struct hs_assignment *out);
  void (*finished)(void *state, const struct hs_queue_view *view, const struct hs_piece *piece, double seconds); /* may be NULL */
  size_t state_size;            /* of `state`: zeroed before the run, one per policy */
  void (*release)(void *state); /* frees what the state holds; may be NULL */
};

/* Runs plan or plan_all and checks what came out: an error with its words, or at least one alternative, each as hs_placement_check() wants it. */
enum hs_status hs_policy_plan(const struct hs_policy *policy, const struct hs_view *view, struct hs_plan *plan, struct hs_error *err);

extern const struct hs_policy *const hs_policies[];
extern const int hs_n_policies;

/* Whether a policy's table is as this header says; HS_POLICY names policy and field. */
enum hs_status hs_policy_check(const struct hs_policy *policy, struct hs_error *err);
/* All of them, and that no two have one name. The program asks before anything else. */
enum hs_status hs_policies_check(struct hs_error *err);

/* NULL if there is none of that name. */
const struct hs_policy *hs_policy_find(const char *name);

struct hs_preferences hs_policy_preferences(const struct hs_policy *policy, const char *const *values);

/* What the value of a parameter may be, in words: "one of search, published", "auto or a number in [0, 1]". */
void hs_policy_rule(const struct hs_param *p, struct hs_text *out);

/* Whether a checked value is another than who gives none has. */
bool hs_param_changed(const struct hs_param *p, const char *value);

/* Checks `n` settings "name=value" against the policy's parameters and fills values[n_params], the defaults included.
 * The values borrow from `given` and from the policy. HS_USAGE names the parameter and the rule. */
enum hs_status hs_policy_values(const struct hs_policy *policy, const char *const *given, int n, const char **values,
                                struct hs_error *err);

#endif
