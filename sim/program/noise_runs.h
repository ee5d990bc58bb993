/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Many runs of one simulation whose durations scatter (serve/noise.h): all but the first have a child process each, since the engine runs once per process,
 * and are spread into distributions (out/report.h). The first, which the report is of, is its caller's to make. */
#ifndef HS_NOISE_RUNS_H
#define HS_NOISE_RUNS_H

#include "out/report.h"
#include "program/progress.h"

/* What one run came to. */
struct hs_noise_sample {
  struct {
    int n_requests; /* that ended */
    double figures[HS_NOISE_FIGURES];
  } networks[HS_NETWORKS_MAX];
};

/* Makes run `number`, 2 or more, in a child process: what it changes or leaves open ends with that. With HS_OK, *stopped says whether it was broken off, by
 * hs_interrupted; if it wasn't, its sample counts, every network of which is filled in. Of an error only the text is passed on. */
typedef enum hs_status hs_noise_run(const void *state, int number, struct hs_noise_sample *sample, bool *stopped, struct hs_error *err);

/* Zeroed, or as hs_noise_runs_make() has left it, it may go to hs_noise_runs_free(). */
struct hs_noise_runs {
  int n;                           /* asked for, the first among them */
  hs_noise_run *run;
  const void *state;               /* borrowed, as progress is */
  struct hs_progress *progress;    /* started here */
  int n_samples;                   /* of runs after the first that came to their end, by number */
  struct hs_noise_sample *samples; /* owned; room for n */
};

/* A sample of a network's summary. */
void hs_noise_sample_take(struct hs_noise_sample *sample, int network, int n_requests, const struct hs_summary *summary);

/* Makes runs 2 to n, as many at a time as there are processors. The first of them that fails ends it, with its status and its number before its text; samples
 * of those before it are there nevertheless. Ctrl-C, which the children get, too, ends it with HS_OK, and is forgotten: the first run is still to be made. */
enum hs_status hs_noise_runs_make(struct hs_noise_runs *r, struct hs_error *err);
/* What all runs came to, into all of `report` but its sources; the first run's sample is NULL where that was broken off. */
void hs_noise_runs_spread(const struct hs_noise_runs *r, const struct hs_noise_sample *first, int n_networks, struct hs_noise_report *report);
void hs_noise_runs_free(struct hs_noise_runs *r);

#endif
