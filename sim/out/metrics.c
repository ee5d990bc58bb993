/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "out/metrics.h"

#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <sha2.h>
#include <stdlib.h>
#include <string.h>

void hs_metrics_start(struct hs_metrics *m, const struct hs_system *sys)
{
  *m = (struct hs_metrics){.sys = sys};
  m->digest = hs_realloc(NULL, 1, sizeof(SHA2_CTX));
  SHA256Init(m->digest);
}

/* Little-endian, whole picoseconds: the same bytes on every machine. */
static void digest_number(struct hs_metrics *m, int64_t v)
{
  uint8_t bytes[8];
  for (int i = 0; i < 8; i++) bytes[i] = (uint8_t)((uint64_t)v >> (8 * i));
  SHA256Update(m->digest, bytes, sizeof bytes);
}

static void count_clock(struct hs_metrics *m, int p, int d, double seconds, double cycles)
{
  m->clocked_s[p][d] += seconds;
  m->cycles[p][d] += cycles;
}

static void spend(const struct hs_event *e, struct hs_spent *s)
{
  const struct hs_task *t = &e->program->tasks[e->task];
  if (t->delay_s <= 0) s->busy_s[t->processor] += e->share_s;
  s->energy_j[t->processor] += e->energy_j;
  s->busy_s[e->caller.processor] += e->caller.share_s;
  s->energy_j[e->caller.processor] += e->caller.energy_j;
  for (int p = 0; p < HS_PROCESSORS_MAX; p++) {
    s->energy_j[p] += e->spun_j[p];
    s->spun_j += e->spun_j[p];
  }
  s->kind_s[t->kind] += e->end_s - e->start_s;
  s->dram_bytes += e->bytes;
}

static void add_spent(struct hs_spent *sum, const struct hs_spent *s)
{
  for (int p = 0; p < HS_PROCESSORS_MAX; p++) {
    sum->busy_s[p] += s->busy_s[p];
    sum->energy_j[p] += s->energy_j[p];
  }
  sum->spun_j += s->spun_j;
  for (int k = 0; k < HS_TASK_KIND_N; k++) sum->kind_s[k] += s->kind_s[k];
  sum->dram_bytes += s->dram_bytes;
}

/* Few requests are under way at a time; the newest stand last. */
static struct hs_spent_on *find_open(const struct hs_metrics *m, int request)
{
  for (int i = m->n_open - 1; i >= 0; i--)
    if (m->open[i].request == request) return &m->open[i];
  return NULL;
}

static struct hs_spent *open_for(struct hs_metrics *m, int request)
{
  struct hs_spent_on *found = find_open(m, request);
  if (found) return &found->spent;
  HS_GROW(m->open, m->n_open, m->cap_open);
  m->open[m->n_open] = (struct hs_spent_on){.request = request};
  return &m->open[m->n_open++].spent;
}

/* One that was dropped before anything of it ran took nothing. */
static void close_request(struct hs_metrics *m, int request)
{
  struct hs_spent_on *found = find_open(m, request);
  if (!found) return;
  add_spent(&m->ended, &found->spent);
  *found = m->open[--m->n_open];
}

void hs_metrics_task(struct hs_metrics *m, const struct hs_event *e)
{
  const struct hs_task t = hs_event_task(e, m->sys->soc);
  spend(e, &m->all);
  spend(e, open_for(m, e->request));
  for (int d = 0; d < HS_DOMAINS_MAX; d++)
    if (t.work.cores[d] && t.delay_s <= 0) count_clock(m, t.processor, d, e->share_s, e->cycles[d]);
  count_clock(m, e->caller.processor, e->caller.domain, e->caller.share_s, e->caller.cycles);
  m->computed[t.processor] |= t.kind == HS_TASK_EXEC;
  m->n_tasks++;
  digest_number(m, e->request);
  digest_number(m, e->task);
  digest_number(m, llround(e->start_s * 1e12));
  digest_number(m, llround(e->end_s * 1e12));
}

void hs_metrics_ended(struct hs_metrics *m, const struct hs_outcome *o)
{
  close_request(m, o->request);
  m->n_late += o->late;
  m->n_dropped += o->dropped;
  m->end_s = o->end_s;
  if (o->dropped) return;
  HS_GROW(m->latencies_s, m->n_requests, m->cap);
  m->latencies_s[m->n_requests++] = o->end_s - o->arrival_s;
}

double hs_metrics_freq_hz(const struct hs_metrics *m, int p, int d)
{
  return m->clocked_s[p][d] > 0 ? hs_domain_mean_hz(&m->sys->soc->processors[p].domains[d], m->cycles[p][d], m->clocked_s[p][d]) : 0;
}

double hs_metrics_seconds(const struct hs_metrics *m) { return m->run_s > 0 ? m->run_s : m->end_s; }

static void close_digest(struct hs_metrics *m, char *hex)
{
  uint8_t bytes[SHA256_DIGEST_LENGTH];
  SHA256Final(bytes, m->digest);
  for (int i = 0; i < 8; i++) {
    static const char digits[] = "0123456789abcdef";
    hex[2 * i] = digits[bytes[i] >> 4];
    hex[2 * i + 1] = digits[bytes[i] & 15];
  }
  hex[16] = 0;
}

enum { STRETCHES = 10 }; /* of the latencies of a run */

/* Of n ≥ STRETCHES latencies that came one after the other. */
static void stretch_means(const double *x, size_t n, double means[STRETCHES])
{
  for (size_t i = 0; i < STRETCHES; i++) {
    size_t from = i * n / STRETCHES;
    means[i] = gsl_stats_mean(x + from, 1, (i + 1) * n / STRETCHES - from);
  }
}

/* Variance of a stretch's mean by how neighbours differ (von Neumann): a slow change between the first and the last isn't in it. */
static double variance_of_neighbours(const double means[STRETCHES])
{
  double sum = 0;
  for (int i = 1; i < STRETCHES; i++) sum += (means[i] - means[i - 1]) * (means[i] - means[i - 1]);
  return sum / (2 * (STRETCHES - 1));
}

/* Of the mean of all, and of how much the mean of the later half is above that of the earlier: as if each latency were drawn by itself, or, where that is
 * more, as the means of stretches say, since neighbours may be alike (batch means). A phone that heats up changes slowly, also within a half; so the second
 * goes by neighbours. Where all are alike but for rounding, without error. */
static void sureness(const double *latencies_s, size_t n, struct hs_summary *s)
{
  size_t half = n / 2;
  const double *later = latencies_s + (n - half);
  double means[STRETCHES], first = gsl_stats_mean(latencies_s, 1, half), second = gsl_stats_mean(later, 1, half);
  if (s->max_s - s->min_s < 1e-9 * s->max_s) {
    s->latency_error_s = s->drift_frac = 0;
    return;
  }
  stretch_means(latencies_s, n, means);
  s->latency_error_s = sqrt(fmax(gsl_stats_variance(latencies_s, 1, n) / (double)n, gsl_stats_variance(means, 1, STRETCHES) / STRETCHES));
  double alone = (gsl_stats_variance(latencies_s, 1, half) + gsl_stats_variance(later, 1, half)) / (double)half;
  double error = sqrt(fmax(alone, 2 * variance_of_neighbours(means) / (STRETCHES / 2)));
  s->drift_frac = fabs(second - first) > 2 * error ? second / first - 1 : 0;
}

static void latencies(const struct hs_metrics *m, struct hs_summary *s)
{
  size_t n = (size_t)m->n_requests;
  double *sorted = hs_realloc(NULL, n, sizeof *sorted);
  memcpy(sorted, m->latencies_s, n * sizeof *sorted);
  gsl_sort(sorted, 1, n);
  s->latency_s = gsl_stats_mean(sorted, 1, n);
  s->min_s = sorted[0];
  s->p50_s = gsl_stats_quantile_from_sorted_data(sorted, 1, n, 0.5);
  s->p90_s = gsl_stats_quantile_from_sorted_data(sorted, 1, n, 0.9);
  s->p99_s = gsl_stats_quantile_from_sorted_data(sorted, 1, n, 0.99);
  s->max_s = sorted[n - 1];
  if (n >= 2 * STRETCHES) sureness(m->latencies_s, n, s);
  free(sorted);
}

static double communication_s(const struct hs_spent *s)
{
  double sum = 0;
  for (int k = 0; k < HS_TASK_KIND_N; k++)
    if (hs_task_is_communication((enum hs_task_kind)k)) sum += s->kind_s[k];
  return sum;
}

static void per_request(const struct hs_spent *ended, double n, struct hs_summary *s)
{
  s->energy_j = 0;
  for (int p = 0; p < HS_PROCESSORS_MAX; p++) {
    s->busy_s[p] = ended->busy_s[p] / n;
    s->processor_j[p] = ended->energy_j[p] / n;
    s->energy_j += s->processor_j[p];
  }
  s->spun_j = ended->spun_j / n;
  s->communication_s = communication_s(ended) / n;
  s->launch_s = ended->kind_s[HS_TASK_LAUNCH] / n;
  s->dram_bytes = ended->dram_bytes / n;
}

void hs_metrics_summary(struct hs_metrics *m, struct hs_summary *s)
{
  double energy_j = 0, all_s = 0, run_s = hs_metrics_seconds(m);
  *s = (struct hs_summary){.latency_s = NAN, .min_s = NAN, .p50_s = NAN, .p90_s = NAN, .p99_s = NAN, .max_s = NAN, .latency_error_s = NAN, .drift_frac = NAN};
  close_digest(m, s->fingerprint);
  if (m->n_requests) latencies(m, s);
  per_request(&m->ended, m->n_requests > 0 ? m->n_requests : NAN, s);
  for (int p = 0; p < m->sys->soc->n_processors; p++) energy_j += m->all.energy_j[p];
  for (int k = 0; k < HS_TASK_KIND_N; k++) all_s += m->all.kind_s[k];
  s->communication_frac = all_s > 0 ? communication_s(&m->all) / all_s : 0;
  if (run_s <= 0) return;
  s->power_w = energy_j / run_s;
  s->throughput_per_s = m->n_requests / run_s;
}

void hs_metrics_free(struct hs_metrics *m)
{
  free(m->latencies_s);
  free(m->open);
  free(m->digest);
  m->latencies_s = NULL;
  m->open = NULL;
  m->digest = NULL;
}
