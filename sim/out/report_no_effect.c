/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the command line set and nothing came of, as no kernel ran where it counts or a policy saw nothing else by it. */
#include <string.h>

#include "out/report.h"

static bool ran_on(const struct hs_report *r, enum hs_kind kind)
{
  for (int p = 0; p < r->sys->soc->n_processors; p++)
    if (r->sys->soc->processors[p].kind == kind && r->metrics->computed[p]) return true;
  return false;
}

static bool clock_asked(const struct hs_system *sys, int p)
{
  bool asked = false;
  for (int d = 0; d < sys->soc->processors[p].n_domains; d++) asked |= (sys->clocks_asked & hs_soc_domain_bit(p, d)) != 0;
  return asked;
}

/* Did any plan have something on p, or fall back, from wherever? */
static bool was_to_run(const struct hs_report *r, int p)
{
  bool any = false;
  for (int i = 0; i < r->n_networks; i++)
    for (int a = 0; a < r->networks[i].network->plan.n; a++) {
      const struct hs_placement *pl = r->networks[i].network->plan.alternatives[a];
      for (int op = 0; op < pl->n_ops; op++) {
        any |= pl->ops[op].fallback;
        for (int k = 0; k < pl->ops[op].n_parts; k++) any |= pl->ops[op].parts[k].processor == p;
      }
    }
  return any;
}

/* What is set of one processor, on which no kernel ran: then it had no effect but on what a policy chose. */
static void of_processor(const struct hs_report *r, int p, struct hs_text *t)
{
  const struct hs_report_kernels k = hs_report_kernels(r, p);
  const char *set[] = {r->sys->backends[p].cores_list ? "cores" : NULL, k.kernel_s > 0 ? "gpu-kernel-time" : NULL, k.window ? "gpu-window" : NULL};
  for (size_t i = 0; i < sizeof set / sizeof *set && !r->metrics->computed[p]; i++)
    if (set[i]) hs_text_addf(t, "--%s: no kernel ran on the %s\n", set[i], r->sys->soc->processors[p].name);
}

/* Those that --frequency and --fallback name. A CPU's clocks count for what the host does for an accelerator as well. */
static void of_named(const struct hs_report *r, struct hs_text *t)
{
  bool asked = false, counts = false, hosts = ran_on(r, HS_GPU) || ran_on(r, HS_DSP) || ran_on(r, HS_NPU);
  for (int p = 0; p < r->sys->soc->n_processors; p++) {
    const struct hs_processor *proc = &r->sys->soc->processors[p];
    asked |= clock_asked(r->sys, p);
    counts |= clock_asked(r->sys, p) && (r->metrics->computed[p] || (hosts && proc->kind == HS_CPU));
    if (r->scenario_options->fallback && r->scenario->fallback_frac[p] > 0 && !was_to_run(r, p))
      hs_text_addf(t, "--fallback: nothing was to run on the %s\n", proc->name);
  }
  if (asked && !counts) hs_text_add(t, "--frequency: no kernel ran where it sets a clock\n");
}

/* Images are as fast as buffers where a kernel was fitted to whatever its runtime took. */
static void one_kernel_for_both(const struct hs_report *r, struct hs_text *t)
{
  for (int p = 0; p < r->sys->soc->n_processors; p++)
    for (int i = 0; i < r->n_networks; i++) {
      const struct hs_system *sys = &r->networks[i].network->sys;
      if (sys->soc->processors[p].kind != HS_GPU || !r->networks[i].metrics->computed[p] || sys->backends[p].kernel->memory_type >= 0) continue;
      hs_text_addf(t, "--memory-type: under %s one kernel of the %s stands for images and buffers\n", sys->runtime->name, sys->soc->processors[p].name);
      return;
    }
}

/* Leakage, with which caps come, the cache and what falls back: is any of them other than on the idle, cool device? */
static bool profiler_sees(const struct hs_report *r)
{
  bool any = false;
  for (int p = 0; p < r->sys->soc->n_processors; p++) {
    any |= r->scenario->fallback_frac[p] > 0;
    for (int i = 0; i < r->n_networks; i++) {
      const struct hs_system *sys = &r->networks[i].network->sys, *seen = &r->networks[i].network->profiled;
      any |= seen->leakage[p] != sys->leakage[p] || seen->traffic != sys->traffic;
    }
  }
  return any;
}

/* What is set of a kind of processors, and of what plans. */
static void of_kinds(const struct hs_report *r, struct hs_text *t)
{
  if (r->threads && !ran_on(r, HS_CPU)) hs_text_add(t, "--threads: no kernel ran on a CPU\n");
  if (r->memory_type && !ran_on(r, HS_GPU)) hs_text_add(t, "--memory-type: no kernel ran on a GPU\n");
  if (r->memory_type) one_kernel_for_both(r, t);
  if (r->profiler && strcmp(r->profiler, "runtime") == 0 && !profiler_sees(r)) hs_text_add(t, "--profiler: at runtime it sees what an offline one does\n");
  if (r->scenario_options->rpc_thread && !ran_on(r, HS_DSP) && !ran_on(r, HS_NPU))
    hs_text_add(t, "--rpc-thread: no kernel ran on a DSP or NPU\n");
}

void hs_report_no_effect(const struct hs_report *r, struct hs_text *t)
{
  for (int p = 0; p < r->sys->soc->n_processors; p++) of_processor(r, p, t);
  of_named(r, t);
  of_kinds(r, t);
}
