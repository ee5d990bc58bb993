/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One row per run, units in the header: tables of several runs are made by joining rows. */
#include "out/report.h"

static void field(struct hs_text *t, double v)
{
  hs_text_number(t, v);
  hs_text_add(t, ",");
}

void hs_report_csv(const struct hs_report *r, struct hs_text *t)
{
  const struct hs_summary *s = r->summary;
  hs_text_add(t, "soc,model,policy,runtime,inferences,latency_s,latency_min_s,latency_p50_s,latency_p90_s,latency_p99_s,latency_max_s,"
                 "energy_j,power_w,communication_s,launch_s,fallback_ops,n_ops,peak_memory_bytes,fingerprint\n");
  hs_text_addf(t, "%s,%s,%s,%s,", r->sys->soc->name, r->graph->name, r->policy, r->sys->runtime->name);
  field(t, r->networks[0].metrics->n_requests);
  const double values[] = {s->latency_s, s->min_s, s->p50_s, s->p90_s, s->p99_s, s->max_s, s->energy_j, s->power_w, s->communication_s, s->launch_s};
  for (size_t i = 0; i < sizeof values / sizeof *values; i++) field(t, values[i]);
  if (r->program) {
    field(t, r->program->n_fallback);
    field(t, r->program->n_ops);
    field(t, r->program->peak_memory_bytes);
  } else
    hs_text_add(t, ",,,");
  hs_text_addf(t, "%s\n", r->fingerprint);
}
