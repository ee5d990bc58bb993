/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What Linux does about heat: every polling period, thermal governors look at the nodes that have passive trips (thermal zones, which may
 * have a governor and a longer period of their own, struct hs_zone) and cap the level of the processors that the trips list (cooling
 * devices; states of cooling count down from the highest level).
 *
 * step_wise, trip by trip: reached and warmer than at the last poll, one state more; no longer reached and cooler, one less; else as
 * it was; counted from the state the processor has, which is the deepest that any trip asks for. A trip is reached from its
 * temperature on until its hysteresis below it; one that asks for nothing does so until it is reached.
 * power_allocator, node by node (W, K; e = target - T):
 *   P = P_sus + k e + k_i sum(e) in [0, sum of the processors' most], k = k_po = P_sus / (T_target - T_on) if e < 0, else k_pu = 2 k_po;
 *   k_i = k_pu / 10, summed up only where e < 0 (integral_cutoff 0) and the term stays below the most; k_d = 0. P_sus and the gains are the zone's
 *   where it has some.
 * A processor is granted P in proportion to what it asked for (weights of device trees, `contribution`, are left out), what is more than its most
 * goes to the others by their head-room, and
 * its cap is the highest level whose power at its load, no less than 1 % of one core, isn't above the grant. Its load is that of each of its clusters,
 * the mean since the last look, and asks for what it takes at the level that the cluster has now (cpufreq_cooling.c of 5.10, get_load(), for CPUs; a GPU's
 * is taken alike). Below the switch-on trip, the first passive one, nothing is capped; a node with one alone
 * has no such trip, and T_on is 0 C.
 * Source: Linux drivers/thermal/gov_step_wise.c (@0021102) and gov_power_allocator.c (@03c11eb): trips one after the other, one state
 * down at a time (later kernels drop all at once); a stable temperature above a trip takes no step in any of them, Qualcomm's neither;
 * hysteresis as in later kernels (thermal_trip_desc.threshold). A cooling device is a processor here, a cluster there. */
#ifndef HS_DEVICE_THERMAL_GOVERNOR_H
#define HS_DEVICE_THERMAL_GOVERNOR_H

#include "device/thermal.h"

/* HS_THERMAL_SOC: of every node the one that its zone names, step_wise where none does. */
enum hs_thermal_governor_kind { HS_THERMAL_NONE, HS_STEP_WISE, HS_POWER_ALLOCATOR, HS_THERMAL_SOC, HS_THERMAL_GOVERNOR_N };
extern const char *const hs_thermal_governor_names[HS_THERMAL_GOVERNOR_N + 1]; /* none, step_wise, power_allocator, soc */

#define HS_THERMAL_PERIOD_S 0.1 /* polling-delay-passive of device trees: 20 to 250 ms; a zone with a longer period is looked at at the first poll after it */

/* What a processor did since the last poll. */
struct hs_thermal_use {
  double cores[HS_DOMAINS_MAX]; /* how many of each domain were busy, on average */
  int level[HS_DOMAINS_MAX];    /* that each domain has now */
};

/* What has been since a node's governor last looked. */
struct hs_thermal_looked {
  int polls;
  double cores_sum[HS_PROCESSORS_MAX][HS_DOMAINS_MAX]; /* over these polls */
};

struct hs_thermal_governor {
  const struct hs_soc *soc; /* borrowed */
  enum hs_thermal_governor_kind kind;
  double sustainable_w;
  long polls;
  int cap[HS_PROCESSORS_MAX]; /* highest level allowed, see hs_processor_opp() */
  int allowed[HS_PROCESSORS_MAX]; /* by Linux's governor alone */
  bool vendor[2 * HS_THERMAL_MAX]; /* caps of the vendor that hold */
  double vendor_due[2 * HS_THERMAL_MAX]; /* polls at the level above that each has yet to get: see above_frac */

  struct hs_thermal_looked since[HS_THERMAL_MAX]; /* of each node; the poll of the look included */
  long last_mc[HS_THERMAL_MAX]; /* temperature of each node at the last look, in thousandths of a degree as in Linux */
  bool reached[2 * HS_THERMAL_MAX];
  int state[2 * HS_THERMAL_MAX][HS_PROCESSORS_MAX]; /* asked for by each trip */
  double error_sum_k[HS_THERMAL_MAX];               /* power_allocator's, of each node */
};

/* sustainable_w: what each node with passive trips can dissipate at its target; 0: what its zone says, or else Linux's estimate, the sum of the
 * lowest powers of the processors of its target trip. The first poll counts as warmer than before. */
void hs_thermal_governor_open(struct hs_thermal_governor *g, const struct hs_soc *soc, enum hs_thermal_governor_kind kind, double sustainable_w);

/* One poll; the caller does it every period, whatever the governor. `use`: of each processor, over the period before it. Sets cap[]. Returns the node that
 * makes the device shut down, with which the simulation is to end, or -1: one at a critical trip, or above HS_TEMPERATURE_MAX_C, where no silicon works (device
 * trees without critical trips leave that to the hardware). `hot` trips only notify in Linux, and do nothing here. */
int hs_thermal_govern(struct hs_thermal_governor *g, const struct hs_thermal_model *t, const struct hs_thermal_use *use);

/* Processor p with part of all its cores busy at a level of the processor. */
struct hs_thermal_use hs_thermal_use_at(const struct hs_soc *soc, int p, double part, int level);

/* Levels by which step_wise ever lowers processor p because `node` is held at c: one for each passive trip that this reaches, at the first
 * poll, since no later one is warmer. 0 also under another governor. */
int hs_thermal_steps_held(const struct hs_soc *soc, enum hs_thermal_governor_kind kind, int node, double c, int p);

/* Does power_allocator govern `node` from the coldest on? So it is, as in Linux, where the only passive trip is its target and none switches it on. */
bool hs_thermal_always_on(const struct hs_soc *soc, enum hs_thermal_governor_kind kind, int node);

/* Dynamic power of processor p, all cores busy at a level: what Linux's energy model knows of it. */
double hs_thermal_level_w(const struct hs_soc *soc, int p, int level);

#endif
