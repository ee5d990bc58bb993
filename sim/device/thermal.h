/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Temperatures of a device over time: the RC network of the SoC file (struct hs_thermal),
 *   C_i dT_i/dt = P_i - sum over links (T_i - T_j) / R_ij,
 * driven by the power of the processors. Nodes can also be held at a temperature, or follow a recorded one.
 * It knows neither who draws the power nor what is done about the heat (thermal_governor.h). */
#ifndef HS_DEVICE_THERMAL_H
#define HS_DEVICE_THERMAL_H

#include "base/status.h"
#include "input/soc.h"

/* A recorded temperature, linear between its points. Before the first point it has the first value. */
struct hs_temperature_trace {
  int n;
  const double *time_s; /* ascending, from the start of the run */
  const double *temperature_c;
  const char *file; /* it is from, for errors; NULL: none */
  struct hs_place place; /* of it there */
};

/* HS_INPUT if it ends before end_s; `processor` is the name of who has it. */
enum hs_status hs_temperature_trace_reaches(const struct hs_temperature_trace *trace, double end_s, const char *processor, struct hs_error *err);

/* Of what is held or replayed: beyond, silicon doesn't work (assumed; automotive parts are rated -40 to 150 C). */
enum { HS_TEMPERATURE_MIN_C = -40, HS_TEMPERATURE_MAX_C = 150 };

struct hs_thermal_model {
  const struct hs_soc *soc; /* borrowed */
  double ambient_c, now_s;
  int idle_node; /* where the device's idle power goes, see hs_thermal_open() */
  double temperature_c[HS_THERMAL_MAX];
  /* since the start: heat the device's power brought in, heat that left for the ambient, and heat that keeps held and replayed
   * nodes at their temperature (negative: cools them); 0 without such nodes */
  double in_j, lost_j, supplied_j;

  double start_c[HS_THERMAL_MAX];
  const struct hs_temperature_trace *trace[HS_THERMAL_MAX]; /* borrowed; NULL: none */
  bool held[HS_THERMAL_MAX];
  int follows[HS_THERMAL_MAX];                               /* processor that named the node to hold() or replay() */
  double power_w[HS_THERMAL_MAX], slope_k_per_s[HS_THERMAL_MAX]; /* of the step; slope of nodes that aren't free */
  struct hs_thermal_solver *solver;
};

/* All nodes at start_c (NaN: ambient_c). The model owns memory until hs_thermal_close(). The device's idle power (display, radios, memory, rails)
 * will go to the node with the most links to other nodes, the first of them: `soc` in the files that come with hetsim. */
void hs_thermal_open(struct hs_thermal_model *t, const struct hs_soc *soc, double ambient_c, double start_c);
void hs_thermal_close(struct hs_thermal_model *t);

/* Before the first step: keeps the node of processor p at a temperature, or lets it follow a trace (which has to outlive the model). Temperatures are in the
 * range above, the trace has a point or more, times are ascending from 0 or later, and no other processor has given the node another temperature: readers of
 * scenarios refuse all else, with its place. */
void hs_thermal_hold(struct hs_thermal_model *t, int p, double temperature_c);
void hs_thermal_replay(struct hs_thermal_model *t, int p, const struct hs_temperature_trace *trace);

/* dt_s with constant power: power_w[processor] all of a processor, static power included; idle_w see hs_thermal_open().
 * All >= 0. HS_INPUT if a trace ends before the step does; HS_ENGINE if the solver gives up. */
enum hs_status hs_thermal_step(struct hs_thermal_model *t, const double *power_w, double idle_w, double dt_s, struct hs_error *err);

/* Of the node that processor p heats. */
double hs_thermal_temperature(const struct hs_thermal_model *t, int p);

/* Heat in the nodes since the start: sum of C (T - T_start). in_j + supplied_j = stored + lost_j. */
double hs_thermal_stored_j(const struct hs_thermal_model *t);

/* Static power at a temperature, relative to that at 30 C, which the static_w of SoC files are taken to be of (the idle device of
 * the study's profiles). Below 0 C as at 0 C. The curve is the temperature scaling of Arm's mali-simple-power-model with the
 * coefficients of HiSilicon's device trees, ts = <48020 2120 (-50) 1>: hi3660-gpu.dtsi (@6ebc1c7) and kirin970-gpu.dtsi (@2240090),
 * the same in both; no other SoC of ours has a public one. At 25 C 0.91, 60 C 2.3, 90 C 6.0. */
double hs_leakage_factor(double temperature_c);
#define HS_LEAKAGE_REFERENCE_C 30.

#endif
