/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "device/thermal.h"

#include <assert.h>
#include <gsl/gsl_errno.h>
#include <gsl/gsl_math.h>
#include <gsl/gsl_odeiv2.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"

/* The state is [temperature of node 0..n-1, heat lost, heat supplied], the heat of the present step only: sums of a whole run in
 * it would lose digits, and their size would decide how exact the temperatures have to be. */
enum { STATE_MAX = HS_THERMAL_MAX + 2 };

/* Of the state, in K and J, per step of the solver: a day of steps of 100 ms can't add up to 1e-3 K. */
#define TOLERANCE 1e-9
/* Enough for an hour within one step, with nodes of 1 ms. */
enum { STEPS_MAX = 10000000 };

struct hs_thermal_solver {
  gsl_odeiv2_system system;
  gsl_odeiv2_driver *driver;
};

static bool is_free(const struct hs_thermal_model *t, int i) { return !t->held[i] && !t->trace[i]; }

/* Net heat flow into each node, and from the whole network to the ambient, in W. */
static double flows(const struct hs_thermal_model *t, const double *temperature_c, double *into)
{
  const struct hs_thermal *net = &t->soc->thermal;
  double lost = 0;
  for (int i = 0; i < net->n_nodes; i++) into[i] = t->power_w[i];
  for (int k = 0; k < net->n_links; k++) {
    int a = net->links[k].from, b = net->links[k].to;
    double ta = a < 0 ? t->ambient_c : temperature_c[a], tb = b < 0 ? t->ambient_c : temperature_c[b];
    double w = (ta - tb) / net->links[k].resistance_k_per_w;
    if (a >= 0) into[a] -= w;
    if (b >= 0) into[b] += w;
    if (a < 0) lost -= w;
    if (b < 0) lost += w;
  }
  return lost;
}

static int derivative(double time_s, const double y[], double dydt[], void *model)
{
  const struct hs_thermal_model *t = model;
  const struct hs_thermal *net = &t->soc->thermal;
  double into[HS_THERMAL_MAX], supplied = 0;
  (void)time_s;
  dydt[net->n_nodes] = flows(t, y, into);
  for (int i = 0; i < net->n_nodes; i++) {
    dydt[i] = is_free(t, i) ? into[i] / net->nodes[i].capacitance_j_per_k : t->slope_k_per_s[i];
    if (!is_free(t, i)) supplied += net->nodes[i].capacitance_j_per_k * t->slope_k_per_s[i] - into[i];
  }
  dydt[net->n_nodes + 1] = supplied;
  return GSL_SUCCESS;
}

static int most_linked(const struct hs_thermal *net)
{
  int links[HS_THERMAL_MAX] = {0}, best = 0;
  for (int k = 0; k < net->n_links; k++)
    if (net->links[k].from >= 0 && net->links[k].to >= 0) {
      links[net->links[k].from]++;
      links[net->links[k].to]++;
    }
  for (int i = 1; i < net->n_nodes; i++)
    if (links[i] > links[best]) best = i;
  return best;
}

void hs_thermal_open(struct hs_thermal_model *t, const struct hs_soc *soc, double ambient_c, double start_c)
{
  *t = (struct hs_thermal_model){.soc = soc, .ambient_c = ambient_c, .idle_node = most_linked(&soc->thermal)};
  for (int i = 0; i < soc->thermal.n_nodes; i++) t->temperature_c[i] = t->start_c[i] = isnan(start_c) ? ambient_c : start_c;
  gsl_set_error_handler_off(); /* its default aborts; statuses are looked at here */
  t->solver = hs_realloc(NULL, 1, sizeof *t->solver);
  t->solver->system = (gsl_odeiv2_system){derivative, NULL, (size_t)soc->thermal.n_nodes + 2, t};
  /* Explicit, as nodes take milliseconds at least and a step of a run is not much longer: 1 us per step, an implicit one (bsimp) 50 */
  t->solver->driver = gsl_odeiv2_driver_alloc_y_new(&t->solver->system, gsl_odeiv2_step_rk8pd, 1e-3, TOLERANCE, 0);
  assert(t->solver->driver);
  gsl_odeiv2_driver_set_nmax(t->solver->driver, STEPS_MAX);
}

void hs_thermal_close(struct hs_thermal_model *t)
{
  if (t->solver) gsl_odeiv2_driver_free(t->solver->driver);
  free(t->solver);
  t->solver = NULL;
}

/* --- held and replayed temperatures --- */

static bool is_in_range(double temperature_c) { return temperature_c >= HS_TEMPERATURE_MIN_C && temperature_c <= HS_TEMPERATURE_MAX_C; }

static void take_node(struct hs_thermal_model *t, int p, double temperature_c)
{
  int i = hs_soc_node(t->soc, p);
  assert(t->now_s == 0 && is_free(t, i) && is_in_range(temperature_c));
  t->follows[i] = p;
  t->temperature_c[i] = t->start_c[i] = temperature_c;
}

void hs_thermal_hold(struct hs_thermal_model *t, int p, double temperature_c)
{
  int i = hs_soc_node(t->soc, p);
  if (t->held[i] && t->temperature_c[i] == temperature_c) return;
  take_node(t, p, temperature_c);
  t->held[i] = true;
}

void hs_thermal_replay(struct hs_thermal_model *t, int p, const struct hs_temperature_trace *trace)
{
  assert(trace->n > 0 && trace->time_s[0] >= 0 && gsl_finite(trace->time_s[trace->n - 1]));
  for (int k = 0; k < trace->n; k++) assert(is_in_range(trace->temperature_c[k]) && (k == 0 || trace->time_s[k] > trace->time_s[k - 1]));
  take_node(t, p, trace->temperature_c[0]);
  t->trace[hs_soc_node(t->soc, p)] = trace;
}

enum hs_status hs_temperature_trace_reaches(const struct hs_temperature_trace *trace, double end_s, const char *processor, struct hs_error *err)
{
  char path[192];
  double last_s = trace->time_s[trace->n - 1];
  if (last_s >= end_s) return HS_OK;
  snprintf(path, sizeof path, "$.thermal.replay_c.%s", processor);
  return hs_fail_at(err, HS_INPUT, trace->file, trace->place.line, trace->place.column, trace->file ? path : NULL,
                    "temperature trace of %s: ends at %g s, before the run does", processor, last_s);
}

/* First point of the trace that is later than now; n if none is. */
static int next_point(const struct hs_temperature_trace *trace, double now_s)
{
  int low = 0, high = trace->n;
  while (low < high) {
    int middle = (low + high) / 2;
    if (trace->time_s[middle] > now_s)
      high = middle;
    else
      low = middle + 1;
  }
  return low;
}

/* Sets the slopes of the nodes that aren't free, from now until the first of their traces bends, or until end_s; returns when. */
static enum hs_status set_slopes(struct hs_thermal_model *t, double *end_s, struct hs_error *err)
{
  for (int i = 0; i < t->soc->thermal.n_nodes; i++) {
    const struct hs_temperature_trace *trace = t->trace[i];
    t->slope_k_per_s[i] = 0;
    if (!trace) continue;
    int k = next_point(trace, t->now_s);
    if (k == trace->n) return hs_temperature_trace_reaches(trace, *end_s, t->soc->processors[t->follows[i]].name, err);
    if (k > 0) t->slope_k_per_s[i] = (trace->temperature_c[k] - t->temperature_c[i]) / (trace->time_s[k] - t->now_s);
    if (trace->time_s[k] < *end_s) *end_s = trace->time_s[k];
  }
  return HS_OK;
}

/* --- integration --- */

static void set_power(struct hs_thermal_model *t, const double *power_w, double idle_w)
{
  for (int i = 0; i < t->soc->thermal.n_nodes; i++) t->power_w[i] = 0;
  for (int p = 0; p < t->soc->n_processors; p++) {
    assert(power_w[p] >= 0 && gsl_finite(power_w[p]));
    t->power_w[hs_soc_node(t->soc, p)] += power_w[p];
  }
  assert(idle_w >= 0 && gsl_finite(idle_w));
  t->power_w[t->idle_node] += idle_w;
}

static enum hs_status integrate(struct hs_thermal_model *t, double until_s, struct hs_error *err)
{
  double y[STATE_MAX] = {0}, at = 0, dt = until_s - t->now_s;
  int n = t->soc->thermal.n_nodes;
  for (int i = 0; i < n; i++) y[i] = t->temperature_c[i];
  /* the driver may not go on with derivatives of the step before, as the power has changed */
  gsl_odeiv2_driver_reset_hstart(t->solver->driver, dt);
  int failed = gsl_odeiv2_driver_apply(t->solver->driver, &at, dt, y);
  if (failed) return hs_fail(err, HS_ENGINE, "thermal network of %s, step of %g s at %g s: %s", t->soc->name, dt, t->now_s, gsl_strerror(failed));
  for (int i = 0; i < n; i++) {
    t->temperature_c[i] = y[i];
    t->in_j += t->power_w[i] * dt;
  }
  t->lost_j += y[n];
  t->supplied_j += y[n + 1];
  t->now_s = until_s;
  return HS_OK;
}

enum hs_status hs_thermal_step(struct hs_thermal_model *t, const double *power_w, double idle_w, double dt_s, struct hs_error *err)
{
  double end_s = t->now_s + dt_s;
  assert(dt_s >= 0 && gsl_finite(dt_s));
  set_power(t, power_w, idle_w);
  while (t->now_s < end_s) {
    double until_s = end_s;
    HS_TRY(set_slopes(t, &until_s, err));
    HS_TRY(integrate(t, until_s, err));
  }
  return HS_OK;
}

double hs_thermal_temperature(const struct hs_thermal_model *t, int p) { return t->temperature_c[hs_soc_node(t->soc, p)]; }

double hs_thermal_stored_j(const struct hs_thermal_model *t)
{
  double j = 0;
  for (int i = 0; i < t->soc->thermal.n_nodes; i++) j += t->soc->thermal.nodes[i].capacitance_j_per_k * (t->temperature_c[i] - t->start_c[i]);
  return j;
}

static double leakage(double c) { return 48020 + 2120 * c - 50 * c * c + c * c * c; }

double hs_leakage_factor(double temperature_c) { return leakage(GSL_MAX(temperature_c, 0.)) / leakage(HS_LEAKAGE_REFERENCE_C); }
