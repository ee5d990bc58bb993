/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Noise: durations drawn from measured distributions, request by request. What scatters stands in the SoC file (steps of sharing
 * data) and in the kernel profile; what has no distribution there keeps its exact duration. Plans and estimates know nothing of it.
 *
 * Each source (a step between two kinds, all kernels of a processor, one kernel of it) has a random stream per network, named by run,
 * network and source: draws of one depend on no other. */
#ifndef HS_NOISE_H
#define HS_NOISE_H

#include "plan/program.h"
#include "serve/serve.h"

struct hs_noise;

/* What was handed in for one source, of all networks. */
struct hs_noise_source {
  char name[80];   /* "sync gpu-cpu", "kernels gpu" */
  bool scatters;   /* has a distribution */
  long n_tasks;
};

/* Can any task of this system scatter? */
bool hs_noise_possible(const struct hs_system *sys);

/* Of one run: numbers from 1 differ in all draws. `networks` is borrowed. */
struct hs_noise *hs_noise_new(const struct hs_system *sys, const struct hs_network *networks, uint64_t seed, int run);
void hs_noise_free(struct hs_noise *n); /* NULL is fine */

/* An inference of a network begins: factors that its kernels on each processor have in common. */
void hs_noise_begin(struct hs_noise *n, int network, double common[HS_PROCESSORS_MAX]);
/* Factors > 0 on the durations of prog's tasks, into stretch[n_tasks]. */
void hs_noise_draw(struct hs_noise *n, int network, const double common[HS_PROCESSORS_MAX], const struct hs_program *prog, double *stretch);

/* Does the task have a distribution? */
bool hs_noise_scatters(const struct hs_system *sys, const struct hs_task *t);

/* Sources that had a task so far: kernels by processor, then steps. Returns how many; at most HS_NOISE_SOURCES_MAX. */
enum { HS_NOISE_SOURCES_MAX = HS_PROCESSORS_MAX + HS_KIND_N * HS_KIND_N * HS_COMM_N };
int hs_noise_sources(const struct hs_noise *n, struct hs_noise_source list[HS_NOISE_SOURCES_MAX]);

#endif
