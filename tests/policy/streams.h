/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Networks of five layers (five.h) that are served, and where their layers ran. */
#ifndef HS_TEST_STREAMS_H
#define HS_TEST_STREAMS_H

#include "tests/policy/five.h"

#include "tests/model/serving.h"

/* n networks of this text under a policy. period_u: of each; 0 for back to back. What ran keeps every invariant. */
static inline void serve(struct serving *s, const char *net, const char *policy, const char *param, double period_u, int n, int requests)
{
  *s = (struct serving){0};
  open_with(&s->r, soc, net);
  serving_share(s);
  for (int i = 0; i < n; i++) {
    struct hs_network *added = serving_add_with(s, net, hs_policy_find(policy), param);
    if (period_u > 0) serving_rate(added, period_u * u, period_u * u);
  }
  serving_run(s, requests);
}

static inline const struct hs_outcome *outcome(const struct serving *s, int request)
{
  const struct served *res = s->out;
  for (int i = 0; i < res->n_outcomes; i++)
    if (res->outcomes[i].request == request) return &res->outcomes[i];
  ck_abort_msg("request %d didn't end", request);
  return NULL;
}

/* "npu npu cpu npu npu": where the layers of a request ran */
static inline void check_ran(const struct serving *s, int request, const char *expected)
{
  struct hs_text x = {0};
  for (int op = 0; op < 5; op++)
    for (int i = 0; i < s->out->n_events; i++) {
      const struct hs_event *e = &s->out->events[i];
      const struct hs_task *t = &e->program->tasks[e->task];
      if (e->request == request && t->kind == HS_TASK_EXEC && t->op == op)
        hs_text_addf(&x, "%s%s", op ? " " : "", s->r.soc->processors[t->processor].name);
    }
  ck_assert_str_eq(x.s ? x.s : "", expected);
  hs_text_free(&x);
}

#endif
