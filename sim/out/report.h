/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reports of one run: text for a person, JSON and CSV for programs, ASCII and SVG Gantt charts, a Chrome trace. They read
 * what happened (metrics, timeline) and what was asked (recipe), and compute nothing of their own. */
#ifndef HS_REPORT_H
#define HS_REPORT_H

#include <stdint.h>
#include <stdio.h>

#include "base/text.h"
#include "out/metrics.h"
#include "out/distribution.h"
#include "out/timeline.h"
#include "plan/optimise.h"
#include "serve/noise.h"

/* One of the networks that ran. */
struct hs_network_report {
  const struct hs_network *network;
  const struct hs_metrics *metrics; /* of its requests alone */
  const struct hs_summary *summary;
  const struct hs_program *program; /* that its first request ran, or would have; NULL: that ran in pieces */
  double estimate_s;                /* of that program, as the policy's profiler had it; 0: nobody asked it */
  int unfinished;                   /* requests in flight when the run was over */
};

/* Figures that are told over several runs: latency and energy per inference, and throughput, each the mean of a run. */
enum { HS_NOISE_LATENCY, HS_NOISE_ENERGY, HS_NOISE_THROUGHPUT, HS_NOISE_FIGURES };
/* Of a run whose durations scatter. */
struct hs_noise_report {
  int runs, n_runs;    /* asked for; that came to their end */
  int n_sources;       /* of the first run */
  struct hs_noise_source sources[HS_NOISE_SOURCES_MAX];
  struct {
    struct hs_distribution figures[HS_NOISE_FIGURES]; /* over the runs in which an inference of it ended */
  } networks[HS_NETWORKS_MAX];
};

/* Figures per inference, the plan and the head are the first network's. */
struct hs_report {
  const struct hs_system *sys;
  const char *soc_file;         /* as the command line named it */
  const char *command;          /* that line, without what doesn't bear on numbers */
  const struct hs_graph *graph; /* of the first network, as it ran: after the passes */
  const struct hs_program *program; /* that its first request ran; NULL: in pieces, and what is said of a program is left out */
  double separate_bytes;        /* of that program (plan/separate.h) */
  const struct hs_metrics *metrics; /* of all networks */
  const struct hs_summary *summary; /* of the first network */
  int n_networks;
  const struct hs_network_report *networks;
  const char *fingerprint;      /* of all networks */
  double power_w;               /* of all networks, mean over the run, above the idle device */
  const char *stopped;          /* why the run was broken off before its end; NULL: it wasn't */
  const struct hs_timeline *timeline; /* at least the request of Gantt charts */
  int first;                    /* that request: the first one of the first network; -1: none ran */
  const struct hs_optimisations *opt;
  const struct hs_memplan *memory;    /* of the first network's program, where opt says memplan */
  int inferences;                     /* asked for, of each network; 0: until duration_s was over */
  double duration_s;                  /* asked for; 0: not */
  uint64_t seed;
  const struct hs_living *living;     /* NULL: nothing else happened */
  const struct hs_scenario *scenario; /* what was to happen, and how the command line said it */
  const struct hs_scenario_options *scenario_options;
  const char *precision, *memory_type; /* that were asked for; NULL: none was */
  int threads;                        /* the same; 0: none */
  const char *profiler;               /* NULL: not given, which is offline */
  const struct hs_noise_report *noise; /* NULL: durations are exact. Else everything else is of the first run */
};

void hs_report_text(const struct hs_report *r, struct hs_text *out);
void hs_report_json(const struct hs_report *r, struct hs_text *out);
void hs_report_csv(const struct hs_report *r, struct hs_text *out);
/* The first network's policy, as a head has it: its name, and in brackets the parameters that aren't at their defaults. No mark of XML is in it. */
void hs_report_policy(const struct hs_report *r, struct hs_text *out);
/* Of the processors' names, which rows and legends leave room for. */
const char *hs_report_longest_name(const struct hs_report *r);
/* What the command line set of a scenario but a table of processes, in the order of the help; the scenario by its own name, not that of a file somewhere.
 * Returns how many. */
enum { HS_REPORT_SETTINGS_MAX = 8 };
struct hs_report_setting {
  const char *name, *value;
};
int hs_report_settings(const struct hs_report *r, struct hs_report_setting *out);
/* What the kernels on p are, of all networks that ran there; where none did, of the first, but for the basis. */
struct hs_report_kernels {
  bool available;                      /* in the runtime of any network */
  char precision[20], memory_type[20], op_support[200]; /* "int8+fp32" where they differ */
  int threads;                         /* the most */
  double kernel_s;                     /* GPU: longest kernel, 0: any, and how many the host enqueues at a time, 0: any, of those networks
                                        * whose runtime limits them */
  int window;
  enum hs_basis basis;                 /* the weakest; where none ran, of all networks */
};
struct hs_report_kernels hs_report_kernels(const struct hs_report *r, int p);
/* What p did for inferences: of one network per inference, where one ended; else all of the run. */
struct hs_report_use {
  double busy_s, energy_j;
};
struct hs_report_use hs_report_use(const struct hs_report *r, int p);
/* The precisions that the kernels of one network ran in, "int8+fp16", by processor. */
void hs_report_precisions(const struct hs_network_report *n, char *buf, size_t size);
/* What they rest on, the weakest ("estimated"); "" where none ran. */
const char *hs_report_basis(const struct hs_network_report *n);
/* A cell of it and its comma; empty where v is none (NaN). */
void hs_csv_field(struct hs_text *out, double v);

/* Requests of all networks that were in flight when the run was over. */
int hs_report_unfinished(const struct hs_report *r);
/* By how much the first network's latency is above what its profiler expected, which knows of no queue: NaN where requests may have waited for each other,
 * or it wasn't asked. */
double hs_report_estimate_error_frac(const struct hs_report *r);
/* Of a run with r->opt->reuse: seconds per frame, scaled as published. NaN where requests may have waited for each other: a ratio of
 * frame times says nothing of queues. */
double hs_report_reuse_s(const struct hs_report *r);
/* The passes as given, member "opt" of a JSON object. */
void hs_report_opt(const struct hs_optimisations *opt, struct hs_text *out);
/* The policy's parameters, all of them, with the values that they had, member "params" of a JSON object. */
void hs_report_params(const struct hs_policy *policy, const char *const *values, struct hs_text *out);

/* What the command line set and had no effect, a line each: "--threads: no kernel ran on a CPU". Reads of r the system, the networks with their metrics, the
 * metrics of all, the scenario and its options, memory_type, threads and profiler. */
void hs_report_no_effect(const struct hs_report *r, struct hs_text *out);

/* Of a run with r->living: lines of the text report, member "device" of the JSON report, and curves over time as SVG. */
void hs_device_text(const struct hs_report *r, struct hs_text *out);
void hs_device_json(const struct hs_report *r, struct hs_text *out);
void hs_curves_svg(const struct hs_report *r, struct hs_text *out);

/* Of runs with r->noise, nothing for others: lines of the text report, member "noise" of the JSON report, columns of the CSV report. */
void hs_noise_text(const struct hs_report *r, struct hs_text *out);
void hs_noise_json(const struct hs_report *r, struct hs_text *out);
void hs_noise_csv_head(const struct hs_report *r, struct hs_text *out);
void hs_noise_csv(const struct hs_report *r, int network, struct hs_text *out);

/* Gantt charts of the first request of the first network, from when it started. */
void hs_gantt_text(const struct hs_report *r, struct hs_text *out);
void hs_gantt_svg(const struct hs_report *r, struct hs_text *out);

enum { HS_TRACE_LANES_MAX = 64 };

/* When the power changes that a processor's tasks draw. */
struct hs_trace_step {
  int64_t at_ps;
  double watts;
  int processor, tasks; /* 1: one begins; -1: one ends */
};

struct hs_trace {
  FILE *f;                   /* borrowed, as the system is */
  const struct hs_system *sys;
  int n_lanes[HS_PROCESSORS_MAX];
  int64_t lane_end_ps[HS_PROCESSORS_MAX][HS_TRACE_LANES_MAX];
  int n_steps, cap_steps;
  struct hs_trace_step *steps;
};

/* Chrome trace event format: complete events and counters only, because Perfetto doesn't draw JSON instant events. A counter is the power of the
 * tasks that are on a processor, each with its mean. Times in it are microseconds, as the format wants. */
void hs_trace_begin(struct hs_trace *t, FILE *f, const struct hs_system *sys);
void hs_trace_event(struct hs_trace *t, const struct hs_event *e, int network, const char *label);
void hs_trace_end(struct hs_trace *t);
void hs_trace_free(struct hs_trace *t); /* zeroed is fine */

/* Version of the program, as in its recipe. */
extern const char *const hs_version;

#endif
