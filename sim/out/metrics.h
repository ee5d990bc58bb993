/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Metrics: sums over the events of a run, made as they come, so that memory doesn't grow with the number of tasks. */
#ifndef HS_METRICS_H
#define HS_METRICS_H

#include "engine/engine.h"
#include "serve/serve.h"

/* What tasks took. */
struct hs_spent {
  double busy_s[HS_PROCESSORS_MAX];   /* running a task that is not a delay */
  double energy_j[HS_PROCESSORS_MAX]; /* dynamic, and static while busy; above the idle device */
  double spun_j;                      /* of that by threads that waited for the next operator */
  double kind_s[HS_TASK_KIND_N];      /* task time by kind, all processors */
  double dram_bytes;
};

struct hs_metrics {
  const struct hs_system *sys; /* borrowed */
  int n_requests, cap;
  double *latencies_s;         /* [n_requests], owned */
  int n_late, n_dropped;       /* a dropped request is late and has no latency */
  double end_s;                /* of the last request */
  double run_s;                /* how long the run was; 0: until end_s */
  struct hs_spent all;         /* by whatever ran, */
  struct hs_spent ended;       /* of that for requests that were answered or dropped, and */
  int n_open, cap_open;
  struct hs_spent_on {
    int request;
    struct hs_spent spent;
  } *open;                     /* for those that weren't yet; owned */
  double clocked_s[HS_PROCESSORS_MAX][HS_DOMAINS_MAX]; /* of all.busy_s, with cores of the domain; */
  double cycles[HS_PROCESSORS_MAX][HS_DOMAINS_MAX];    /* its clock's, then */
  bool computed[HS_PROCESSORS_MAX];   /* kernels ran there */
  long n_tasks;
  void *digest;                /* running SHA-256 over the timeline, in whole picoseconds */
};

/* Per request that was answered is what those took that were answered or dropped; NaN where none was. A request that was still under way when the run was
 * over is in the power and in the shares only. */
struct hs_summary {
  double latency_s, min_s, p50_s, p90_s, p99_s, max_s; /* over requests; latency_s is the mean */
  double latency_error_s;                              /* standard error of the mean (batch means), NaN for fewer than 20, */
  double drift_frac;                                   /* and by how much more the later half of the requests took than the earlier;
                                                        * 0 within two of its errors */
  double throughput_per_s;                             /* requests that ended and were not dropped */
  double busy_s[HS_PROCESSORS_MAX], processor_j[HS_PROCESSORS_MAX]; /* per request */
  double energy_j, spun_j;                             /* per request, sum over processors */
  double power_w;                                      /* mean over the run, above the idle device */
  double communication_s, communication_frac;          /* per request; share of the time of all tasks of these */
  double launch_s, dram_bytes;                         /* per request */
  char fingerprint[17];                                /* first 16 hexadecimal digits */
};

/* Empty; hs_metrics_free() frees what is added. */
void hs_metrics_start(struct hs_metrics *m, const struct hs_system *sys);
/* Adds a task that has ended, */
void hs_metrics_task(struct hs_metrics *m, const struct hs_event *e);
/* or a request that was answered or dropped, after its tasks and in the order of their ends. */
void hs_metrics_ended(struct hs_metrics *m, const struct hs_outcome *o);
double hs_metrics_seconds(const struct hs_metrics *m); /* run_s or end_s */
/* Mean frequency of a domain of p while tasks ran on it; 0: none did. */
double hs_metrics_freq_hz(const struct hs_metrics *m, int p, int d);
/* May be asked once: it closes the digest. */
void hs_metrics_summary(struct hs_metrics *m, struct hs_summary *s);
void hs_metrics_free(struct hs_metrics *m);

#endif
