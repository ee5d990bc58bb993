/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Frequency governors, as Linux has them: from how busy a frequency domain was to the OPP that it runs at from now on. Pure
 * functions of (which one, state, input); who measures the load, keeps the clock and switches the frequency is elsewhere.
 *
 * Frequencies are compared in whole kHz (OPPs to the nearest, targets down) and loads of CPUs in whole per cent, rounded down, and times in
 * whole nanoseconds, as in the kernel; the target of interactive takes the load as it is. Halves of per cents are whole ones, rounded
 * down. A target frequency becomes an OPP by the relation that the governor's source names: L is the lowest OPP at or above it, H the
 * highest at or below it, C the closest one (the lower of two as close).
 *
 * f_min is the lowest OPP, f_max the highest that is allowed now (policy->max), f_top the highest there is (cpuinfo.max_freq).
 *
 *  performance     f_max                                                          drivers/cpufreq/cpufreq_performance.c
 *  powersave       f_min                                                          drivers/cpufreq/cpufreq_powersave.c
 *  userspace       the level that was set; by itself where it starts              drivers/cpufreq/cpufreq_userspace.c
 *  ondemand        load > up ? f_max : C(f_min + load · (f_top - f_min));         drivers/cpufreq/cpufreq_ondemand.c,
 *                  nothing while the domain idles, the load of before once after  cpufreq_governor.c
 *  conservative    a wish that starts at the frequency of then and moves          drivers/cpufreq/cpufreq_conservative.c
 *                  by step · f_max: load > up: H(wish += step), load < down:
 *                  L(wish -= step); never lower for the first, never higher
 *                  for the second
 *  schedutil       L(1.25 · f_top · util), at most one change per rate limit,     kernel/sched/cpufreq_schedutil.c
 *                  nothing while the domain idles
 *  interactive     load >= go_hispeed_load ? f_top : L(load · f / target load);   drivers/cpufreq/cpufreq_interactive.c of Qualcomm's
 *                  lower only after min_sample_time                               kernel 4.9
 *  simple_ondemand load > up ? f_max : load > up - differential ? f               drivers/devfreq/governor_simpleondemand.c
 *                  : L(load · f / (up - differential / 2))
 *
 * All parameters are the kernel's defaults, which governor.c has beside the formulas.
 *
 * Not here, because nothing simulated would set it off or it is off by default: powersave_bias, sampling_down_factor, the boost for
 * tasks that waited for I/O, real-time and deadline tasks, a hispeed_freq of interactive below f_top and with it above_hispeed_delay,
 * boost pulses, the slack of timers that let an idle core sleep, and that schedutil doesn't lower a core that never idled where a
 * domain has one core only. conservative is asked while a domain idles, too: in the kernel it takes those steps down afterwards, and has
 * ondemand's load of before. schedutil and ondemand are asked at ticks and at the ends of fixed periods; in the kernel when a task wakes up,
 * too, so that a burst has its clock up to a tick, or a period, earlier. (Under ondemand, where the last period's load is of a part of the
 * burst only, one of 26 to 40 ms at 10 Hz takes 16 to 29 % longer here; shorter ones, which the kernel samples only when they wake up,
 * take less.) PELT is that of before 5.1, in which a slow core's utilisation stays below f / f_top; since then time itself is scaled, and
 * such a core grows to 1. Nor is Adreno's msm-adreno-tz here: what is public of it (drivers/devfreq/governor_msm_adreno_tz.c) only guards
 * a decision that is made in TrustZone's firmware. */
#ifndef HS_GOVERNOR_H
#define HS_GOVERNOR_H

#include "input/soc.h"

enum hs_governor_kind {
  HS_PERFORMANCE,
  HS_POWERSAVE,
  HS_USERSPACE,
  HS_ONDEMAND,
  HS_CONSERVATIVE,
  HS_SCHEDUTIL,
  HS_INTERACTIVE,
  HS_SIMPLE_ONDEMAND, /* GPUs */
  HS_GOVERNOR_KIND_N
};

/* As the kernel writes them. */
extern const char *const hs_governor_names[HS_GOVERNOR_KIND_N + 1];

/* A governor's kind by name, or -1. */
int hs_governor_find(const char *name);

/* Which governor. */
struct hs_governor {
  enum hs_governor_kind kind;
  int level; /* userspace: -1 keeps the level that it finds */
};

/* What a governor remembers of one domain. Zeroed when it starts, at time 0. */
struct hs_governor_state {
  bool started;     /* userspace, interactive: was asked; schedutil: has changed the frequency */
  int found;        /* userspace: the level at its start */
  double sampled_s, load; /* ondemand: when the domain last had a load, and that; 0: none, or used already */
  long wish_khz;    /* conservative: requested_freq */
  double changed_s; /* schedutil: when it changed the frequency */
  int floor;        /* interactive: no lower than this before min_sample_time from floor_s on */
  double floor_s;
};

struct hs_governor_input {
  double now_s;      /* since the governor started; never less than before */
  double load;       /* busy share of the domain's busiest core in the last period, at the frequency of then: 0 to 1 */
  double util;       /* utilisation of its busiest core (hs_core_util_advance()): share of the capacity at the highest frequency, 0 to 1; for schedutil
                     * only. The caller advances it once per tick, with the mean load of that */
  int cooling_state; /* how many of the highest OPPs a thermal governor withholds now, as in drivers/thermal/cpufreq_cooling.c; 0: none */
};

/* The level from now on, for a domain that was at `level`: 0 to n_opps - 1 - cooling_state (0 if that is negative). To be asked at the
 * end of each period, schedutil at any time, and those that don't sample at the start and whenever cooling_state changes. Between samples
 * a falling cap lowers the level at once, which is the caller's min(level, n_opps - 1 - cooling_state). */
int hs_governor_next(const struct hs_governor *g, struct hs_governor_state *s, const struct hs_opp *opps, int n_opps, int level,
                     const struct hs_governor_input *in);

/* Seconds from sample to sample: sampling_rate, timer_rate, polling_ms, and the tick for schedutil; or INFINITY for performance,
 * powersave and userspace, which don't sample. */
double hs_governor_period_s(enum hs_governor_kind kind);

/* Per-entity load tracking (kernel/sched/pelt.c): a geometric series over periods of 1024 us of which the 32nd before now counts half.
 * Zeroed: idle since ever. */
struct hs_pelt {
  double util; /* 0 to 1 */
};

/* dt_s >= 0 pass in which the core ran for running_fraction of the time (0 to 1). Time at a lower frequency counts as less: a core that was
 * busy at f for all of dt_s has run for f / f_top of it. Exact at whole periods where running_fraction holds for each; within
 * a period the kernel's series is a broken line, this one its smooth continuation. */
void hs_pelt_advance(struct hs_pelt *p, double dt_s, double running_fraction);

/* What schedutil goes by, cpu_util_cfs(): PELT forgets a task that sleeps, so a task has an estimate, too (util_est, on by default since 4.17,
 * kernel/sched/fair.c of 5.10): what its PELT was when it last went to sleep, or the moving average of that, which rises at once and falls by a
 * quarter of the way (UTIL_EST_FASTUP, UTIL_EST_WEIGHT_SHIFT; not for changes below 1 %). It counts from when the task is back. What runs on a core
 * is taken for one task. Zeroed: idle since ever. */
struct hs_core_util {
  struct hs_pelt pelt;
  double last, average; /* of when it went to sleep */
  bool runs;            /* at the end of the last tick, as far as its load tells: what woke up in it, or didn't sleep */
};

/* The utilisation at the end of a tick of dt_s in which the core was busy for the share `load` of the time, at f / f_top = `speed`. */
double hs_core_util_advance(struct hs_core_util *u, double dt_s, double load, double speed);

#endif
