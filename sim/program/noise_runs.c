/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "program/noise_runs.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"
#include "out/distribution.h"
#include "program/child.h"
#include "program/interrupt.h"

void hs_noise_sample_take(struct hs_noise_sample *sample, int network, int n_requests, const struct hs_summary *summary)
{
  sample->networks[network].n_requests = n_requests;
  sample->networks[network].figures[HS_NOISE_LATENCY] = summary->latency_s;
  sample->networks[network].figures[HS_NOISE_ENERGY] = summary->energy_j;
  sample->networks[network].figures[HS_NOISE_THROUGHPUT] = summary->throughput_per_s;
}

/* --- a child --- */

struct order {
  const struct hs_noise_runs *runs;
  int number;
};

struct answer {
  enum hs_status status;
  char reason[600];
  bool stopped;
  struct hs_noise_sample sample;
};

static void run_one(const void *state, void *answer)
{
  const struct order *order = state;
  struct answer *a = answer;
  struct hs_error err = {0};
  a->status = order->runs->run(order->runs->state, order->number, &a->sample, &a->stopped, &err);
  snprintf(a->reason, sizeof a->reason, "%.599s", err.text);
}

/* --- all of them --- */

/* Runs that are under way together: few enough for their answers to take no room, and many enough that the last of them is seldom waited for. */
enum { WINDOW = 256 };

struct window {
  struct hs_noise_runs *runs;
  int first, n, n_ended; /* first: its number */
  struct order orders[WINDOW];
  struct answer answers[WINDOW];
  struct hs_child children[WINDOW];
};

static bool one_ended(void *state, int i)
{
  struct window *w = state;
  hs_progress_runs(w->runs->progress, w->first + w->n_ended++, w->runs->n);
  return !w->children[i].died && !w->answers[i].status && !hs_interrupted;
}

/* Those before the first that failed, whichever ended first. */
static enum hs_status take_answers(const struct window *w, struct hs_error *err)
{
  struct hs_noise_runs *r = w->runs;
  for (int i = 0; i < w->n; i++) {
    char which[40];
    snprintf(which, sizeof which, "run %d of %d", w->first + i, r->n);
    HS_TRY(hs_child_lived(&w->children[i], which, err));
    if (w->answers[i].status) return hs_fail(err, w->answers[i].status, "%s: %s", which, w->answers[i].reason);
    if (!w->answers[i].stopped) r->samples[r->n_samples++] = w->answers[i].sample;
  }
  return HS_OK;
}

static enum hs_status run_window(struct window *w, struct hs_error *err)
{
  int left = w->runs->n - w->first + 1;
  w->n = left < WINDOW ? left : WINDOW;
  w->n_ended = 0;
  for (int i = 0; i < w->n; i++) {
    w->orders[i] = (struct order){w->runs, w->first + i};
    w->answers[i].status = HS_OK;
    w->answers[i].stopped = true; /* one that isn't started, after Ctrl-C */
    w->children[i] = (struct hs_child){&w->orders[i], &w->answers[i], sizeof w->answers[i], false};
  }
  HS_TRY(hs_in_children(run_one, w->n, w->children, one_ended, w, err));
  return take_answers(w, err);
}

enum hs_status hs_noise_runs_make(struct hs_noise_runs *r, struct hs_error *err)
{
  struct window *w = hs_realloc(NULL, 1, sizeof *w);
  enum hs_status status = HS_OK;
  w->runs = r;
  r->samples = hs_realloc(NULL, (size_t)r->n, sizeof *r->samples);
  hs_interrupt_catch();
  hs_progress_start(r->progress);
  for (w->first = 2; w->first <= r->n && !hs_interrupted && !status; w->first += WINDOW) status = run_window(w, err);
  hs_interrupted = 0;
  free(w);
  return status;
}

void hs_noise_runs_spread(const struct hs_noise_runs *r, const struct hs_noise_sample *first, int n_networks, struct hs_noise_report *report)
{
  double *values = hs_realloc(NULL, (size_t)r->n, sizeof *values);
  report->runs = r->n;
  report->n_runs = r->n_samples + (first != NULL);
  for (int i = 0; i < n_networks; i++)
    for (int k = 0; k < HS_NOISE_FIGURES; k++) {
      int count = 0;
      for (int run = 0; run < report->n_runs; run++) {
        const struct hs_noise_sample *s = run < r->n_samples ? &r->samples[run] : first;
        if (s->networks[i].n_requests) values[count++] = s->networks[i].figures[k];
      }
      hs_distribution_of(values, count, &report->networks[i].figures[k]);
    }
  free(values);
}

void hs_noise_runs_free(struct hs_noise_runs *r) { free(r->samples); }
