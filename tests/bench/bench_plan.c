/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How long planning takes on this machine, against what the papers report of their phones or what we want: absolute, and as
 * a ratio to a yardstick of fixed arithmetic that is measured in turn with it, because machines are noisy. Medians. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/memory.h"
#include "base/text.h"
#include "policies/layers.h"
#include "program/setup.h"

enum { ROUNDS = 15, ROUND_NS = 20000000 };

static double now_s(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void must(enum hs_status status, const struct hs_error *err)
{
  if (!status) return;
  fprintf(stderr, "%s\n", err->text);
  exit(1);
}

/* --- what is measured --- */

/* A chain of multiplications and additions, each of which waits for the one before: 20000 of them. */
static void yardstick(const struct hs_setup *s)
{
  volatile double start = 0.3; /* so that the result isn't known before */
  double x = start;
  (void)s;
  for (int i = 0; i < 10000; i++) x = x * 0.999 + 0.0007;
  start = x;
}

static void plan(const struct hs_setup *s)
{
  struct hs_arena a = {0};
  struct hs_error err;
  struct hs_plan plan = {.arena = &a, .graph = s->graph};
  const struct hs_view v = {&s->sys, s->graph, s->values};
  must(hs_policy_plan(s->policy, &v, &plan, &err), &err);
  for (int i = 0; i < plan.n; i++) hs_placement_release(plan.alternatives[i]);
  hs_arena_free(&a);
}

/* MOSAIC's cost tables alone. */
static void tables(const struct hs_setup *s)
{
  struct hs_arena a = {0};
  const struct hs_view v = {&s->sys, s->graph, s->values};
  hs_layers_make(&v, hs_layers_devices_for(s->values[0]), true, &a);
  hs_arena_free(&a);
}

/* --- measuring --- */

static double seconds_of(void (*what)(const struct hs_setup *), const struct hs_setup *s)
{
  int n = 0;
  double start = now_s(), taken;
  do {
    what(s);
    n++;
  } while ((taken = now_s() - start) < 1e-9 * ROUND_NS);
  return taken / n;
}

static int by_value(const void *a, const void *b)
{
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static double median(double *x)
{
  qsort(x, ROUNDS, sizeof *x, by_value);
  return x[ROUNDS / 2];
}

static void measure(const char *title, void (*what)(const struct hs_setup *), const struct hs_setup *s, double bar_s)
{
  double seconds[ROUNDS], ratio[ROUNDS];
  char a[32], b[32] = "-";
  for (int i = 0; i < ROUNDS; i++) {
    seconds[i] = seconds_of(what, s);
    ratio[i] = seconds[i] / seconds_of(yardstick, s);
  }
  if (bar_s > 0) hs_si(bar_s, "s", b, sizeof b);
  printf("%-61s %10s %8s   %.3g\n", title, hs_si(median(seconds), "s", a, sizeof a), b, median(ratio));
}

/* --- MOSAIC on a chain --- */

/* 20 convolutions, each a layer. */
static void read_chain(struct hs_setup *s)
{
  enum { LAYERS = 20 };
  struct hs_text t = {0};
  struct hs_error err;
  hs_text_addf(&t, "{\"format\": \"hetsim-workload/1\", \"name\": \"chain\", \"title\": \"t\", \"source\": \"s\", "
                   "\"inputs\": [{\"name\": \"t0\", \"shape\": [1, 28, 28, 64]}], \"outputs\": [\"t%d\"], \"ops\": [", LAYERS);
  for (int i = 1; i <= LAYERS; i++)
    hs_text_addf(&t, "%s{\"name\": \"t%d\", \"op\": \"Conv\", \"inputs\": [\"t%d\"], \"channels\": %d, \"kernel\": [3, 3], "
                     "\"pad\": \"same\", \"block\": %d}",
                 i > 1 ? ", " : "", i, i - 1, 64 + 8 * (i % 3), i);
  hs_text_add(&t, "]}");
  must(hs_graph_parse("chain.json", t.s, t.len, &s->networks[0].file_graph, &err), &err);
  s->graph = s->networks[0].file_graph;
  s->n_networks = 1;
  hs_text_free(&t);
}

/* The Kirin 970 of the paper: 4 devices for latency, 25 pairs of device and OPP for energy. */
static void measure_mosaic(const char *objective, const char *devices, double bar_s)
{
  char param[40], title[80];
  const char *params[] = {param};
  snprintf(param, sizeof param, "objective=%s", objective);
  const struct hs_run_options options = {.soc = "kirin970", .policy = "mosaic", .n_params = 1, .params = params};
  struct hs_setup *s = calloc(1, sizeof *s);
  struct hs_error err;
  must(hs_setup_system(s, &options, &err), &err);
  read_chain(s);
  snprintf(title, sizeof title, "mosaic, 20 layers x %s: plan", devices);
  measure(title, plan, s, bar_s);
  snprintf(title, sizeof title, "mosaic, 20 layers x %s: of which cost tables", devices);
  measure(title, tables, s, 0);
  hs_setup_free(s);
  free(s);
}

/* --- whole policies --- */

static const struct {
  const char *policy, *soc, *model;
  double bar_s;
} plans[] = {
  {"codl", "sd855", "yolov2", 5e-3},
  {"nn-stretch", "sd855", "resnet50", 100e-3},
};

static void measure_policy(const char *policy, const char *soc, const char *model, double bar_s)
{
  const struct hs_run_options options = {.soc = soc, .policy = policy, .model = model};
  char title[80];
  struct hs_setup *s;
  struct hs_error err;
  snprintf(title, sizeof title, "%s, %s on %s", policy, model, soc);
  if (!hs_policy_find(policy)) {
    printf("%-61s skipped: there is no such policy yet\n", title);
    return;
  }
  s = calloc(1, sizeof *s);
  must(hs_setup_system(s, &options, &err), &err);
  must(hs_setup_networks(s, &options, &err), &err);
  measure(title, plan, s, bar_s);
  hs_setup_free(s);
  free(s);
}

int main(void)
{
  printf("planning: median of %d, the goal, and the ratio to 20000 operations of the yardstick\n", ROUNDS);
  printf("%-61s %10s %8s   %s\n", "", "time", "goal", "ratio");
  measure_mosaic("latency", "4 devices", 15e-6);
  measure_mosaic("energy", "25 devices at OPPs", 80e-6);
  for (size_t i = 0; i < sizeof plans / sizeof *plans; i++) measure_policy(plans[i].policy, plans[i].soc, plans[i].model, plans[i].bar_s);
  return 0;
}
