/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One row per network, units in the header: tables of several runs are made by joining rows. */
#include <math.h>

#include "out/report.h"

/* As RFC 4180 has it: labels may have commas and quotes. */
static void quoted(struct hs_text *t, const char *s)
{
  hs_text_add(t, "\"");
  for (; *s; s++) hs_text_addf(t, *s == '"' ? "\"%c" : "%c", *s);
  hs_text_add(t, "\",");
}

static void network(const struct hs_report *r, int i, struct hs_text *t)
{
  const struct hs_network_report *n = &r->networks[i];
  const struct hs_summary *s = n->summary;
  char precisions[20];
  hs_text_addf(t, "%s,%s,%s,%s,", r->sys->soc->name, n->network->graph->name, n->network->policy->name, n->network->sys.runtime->name);
  hs_csv_field(t, n->metrics->n_requests);
  const double values[] = {s->latency_s, s->min_s, s->p50_s, s->p90_s, s->p99_s, s->max_s, s->energy_j, s->power_w, s->communication_s, s->launch_s};
  for (size_t k = 0; k < sizeof values / sizeof *values; k++) hs_csv_field(t, values[k]);
  if (n->program) {
    hs_csv_field(t, n->program->n_fallback);
    hs_csv_field(t, n->program->n_ops);
    hs_csv_field(t, n->program->peak_memory_bytes);
  } else
    hs_text_add(t, ",,,");
  quoted(t, n->network->label);
  hs_csv_field(t, s->throughput_per_s);
  if (isfinite(n->network->deadline_s)) {
    hs_csv_field(t, n->network->deadline_s);
    hs_csv_field(t, n->metrics->n_late);
  } else
    hs_text_add(t, ",,");
  hs_csv_field(t, n->metrics->n_dropped);
  hs_csv_field(t, s->dram_bytes);
  quoted(t, r->soc_file);
  hs_report_precisions(n, precisions, sizeof precisions);
  hs_text_addf(t, "%s,%s,", precisions, hs_report_basis(n));
  hs_csv_field(t, n->unfinished);
  quoted(t, r->stopped ? r->stopped : "");
  quoted(t, r->command); /* threads, clocks, a scenario, what runs beside it: without these a row of a sweep couldn't be told from the next */
  hs_noise_csv(r, i, t);
  hs_text_addf(t, "%s\n", r->fingerprint);
}

void hs_report_csv(const struct hs_report *r, struct hs_text *t)
{
  hs_text_add(t, "soc,model,policy,runtime,inferences,latency_s,latency_min_s,latency_p50_s,latency_p90_s,latency_p99_s,latency_max_s,"
                 "energy_j,power_w,communication_s,launch_s,fallback_ops,n_ops,peak_memory_bytes,"
                 "network,throughput_per_s,deadline_s,late,dropped,dram_bytes,soc_file,precision,kernels,unfinished,stopped,command,");
  hs_noise_csv_head(r, t);
  hs_text_add(t, "fingerprint\n");
  for (int i = 0; i < r->n_networks; i++) network(r, i, t);
}
