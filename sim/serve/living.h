/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The living phone: what a scenario asks for, done to the engine while networks are served. Governors set frequencies from how busy
 * cores were, heat follows from the energy that was spent and caps frequencies, processes and the display compete
 * (serve/competitors.h). All of it in turns of the driver; between two of them nothing changes. */
#ifndef HS_LIVING_H
#define HS_LIVING_H

#include <stddef.h>

#include "serve/competitors.h"

/* How the device was in a second of the run, or what was left of it at its end: means, temperatures at its end. */
struct hs_sample {
  double end_s;
  double power_w[HS_PROCESSORS_MAX], freq_hz[HS_PROCESSORS_MAX]; /* freq: of the processor's fastest domain */
  double temperature_c[HS_THERMAL_MAX]; /* of each node */
};

/* The k-th of the numbers that stand at `offset` in a sample: for who lists one kind after the other. */
static inline double hs_sample_number(const struct hs_sample *s, size_t offset, int k)
{
  return ((const double *)(const void *)((const char *)s + offset))[k];
}

struct hs_living;

/* `seed`: of the random streams of processes. Freed by hs_living_close(). */
struct hs_living *hs_living_open(const struct hs_system *sys, const struct hs_scenario *scenario, uint64_t seed);
void hs_living_close(struct hs_living *l); /* NULL is fine */

/* Called by serve: at each turn (returns when it wants the next one), and when a job with a request number < 0, which is its own, ends.
 * *status: HS_UNMET where the device shut itself down, or as of hs_thermal_step(), say that a trace ended early. */
double hs_living_turn(struct hs_living *l, struct hs_engine *e, double now_s, enum hs_status *status, struct hs_error *err);
void hs_living_done(struct hs_living *l, int request, double end_s);

/* Called by serve when the run is over. Errors: of hs_thermal_step(). */
enum hs_status hs_living_end(struct hs_living *l, struct hs_engine *e, double now_s, struct hs_error *err);

/* After the run. */
const struct hs_sample *hs_living_samples(const struct hs_living *l, int *n);
const struct hs_sample *hs_living_start(const struct hs_living *l); /* of no time: temperatures only */
struct hs_frames hs_living_frames(const struct hs_living *l);
const struct hs_thermal_model *hs_living_thermal(const struct hs_living *l); /* NULL: none */
/* Of processor p, by everything that ran. */
double hs_living_energy_j(const struct hs_living *l, int p);

#endif
