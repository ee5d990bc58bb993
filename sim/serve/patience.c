/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "serve/patience.h"

#include "serve/serve.h"

void hs_patience_moves(struct hs_patience *p, bool first, double now_s)
{
  p->since_s = now_s;
  p->passed_over = 0;
  if (!first) return;
  p->first_s = now_s;
  p->overtaken = 0;
}

void hs_patience_passed(struct hs_patience *p, bool own, double arrival_s)
{
  if (own)
    p->overtaken += arrival_s > p->first_s;
  else
    p->passed_over += arrival_s > p->since_s;
}

void hs_patience_ended(struct hs_patience *p, bool refused, double now_s)
{
  p->first_s = now_s;
  p->overtaken = 0;
  p->refused = refused ? p->refused + 1 : 0;
}

enum hs_status hs_patience_check(const struct hs_patience *p, const struct hs_network *n, bool first_runs, bool any_runs, double longest_s, double now_s,
                                 struct hs_error *err)
{
  if (p->overtaken >= HS_PASSED_OVER_MAX && !first_runs)
    return hs_fail(err, HS_UNMET, "%.80s starves: policy %s has begun %d requests that came after one ended or the first went on; "
                   "give it a lower rate, or the run a --duration", n->label, n->policy->name, p->overtaken);
  if (p->passed_over < HS_PASSED_OVER_MAX || now_s - p->since_s < HS_PASSED_OVER_MAX * longest_s) return HS_OK;
  return hs_fail(err, HS_UNMET, "%.80s starves: policy %s lets it wait %ssince %.3g s, and %d requests of others that came later have begun; "
                 "give them rates, or the run a --duration", n->label, n->policy->name, any_runs ? "behind higher priorities " : "",
                 p->since_s, p->passed_over);
}

enum hs_status hs_patience_check_refused(const struct hs_patience *p, const struct hs_network *n, struct hs_error *err)
{
  if (p->refused < HS_PASSED_OVER_MAX) return HS_OK;
  return hs_fail(err, HS_UNMET, "%.80s starves: policy %s drops each of its requests as it comes, and back to back the next comes at "
                 "once; give it a rate, or a later deadline", n->label, n->policy->name);
}
