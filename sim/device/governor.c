/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "device/governor.h"

#include <assert.h>
#include <math.h>
#include <string.h>

const char *const hs_governor_names[HS_GOVERNOR_KIND_N + 1] = {"performance", "powersave",   "userspace",       "ondemand", "conservative",
                                                              "schedutil",   "interactive", "simple_ondemand", NULL};

int hs_governor_find(const char *name)
{
  for (int k = 0; k < HS_GOVERNOR_KIND_N; k++)
    if (strcmp(hs_governor_names[k], name) == 0) return k;
  return -1;
}

/* --- periods --- */

/* cpufreq_policy_transition_delay_us() before Linux 6.9: 1000 times the transition latency, at most 10 ms. A latency of 10 us or more, or
 * one that the driver doesn't know (CPUFREQ_ETERNAL), makes it the cap: so on a Pixel 6 (Q. Yousef, linux-pm, 2024-02-05). It's also
 * more than the two ticks that cpufreq_governor.c asks for. */
static const double transition_delay_s = 10e-3;
/* CONFIG_HZ=250, the default of arm64: schedutil is called by the scheduler, at least at each tick while a core is busy. */
static const double tick_s = 4e-3;
/* DEFAULT_TIMER_RATE of cpufreq_interactive.c */
static const double interactive_period_s = 20e-3;
/* DEFAULT_PM_DVFS_PERIOD of Arm's kbase driver; Qualcomm's Adreno driver calls its governor every 10 ms. */
static const double mali_period_s = 100e-3;

double hs_governor_period_s(enum hs_governor_kind kind)
{
  switch (kind) {
  case HS_ONDEMAND:
  case HS_CONSERVATIVE: return transition_delay_s;
  case HS_SCHEDUTIL: return tick_s;
  case HS_INTERACTIVE: return interactive_period_s;
  case HS_SIMPLE_ONDEMAND: return mali_period_s;
  default: return INFINITY;
  }
}

/* --- the kernel's arithmetic --- */

static long khz(const struct hs_opp *opp)
{
  return lround(opp->freq_hz / 1e3);
}

/* Rounded down; what is lacking of a whole per cent because 0.29 is no binary fraction doesn't count. */
static int percent(double share)
{
  return (int)floor(100 * share + 1e-9);
}

static bool passed(double since_s, double now_s, double delay_s)
{
  return llround((now_s - since_s) * 1e9) >= llround(delay_s * 1e9);
}

/* CPUFREQ_RELATION_L, _H and _C among opps[0..top]. */
static int lowest_from(const struct hs_opp *opps, int top, long target_khz)
{
  int i = 0;
  while (i < top && khz(&opps[i]) < target_khz) i++;
  return i;
}

static int highest_to(const struct hs_opp *opps, int top, long target_khz)
{
  while (top > 0 && khz(&opps[top]) > target_khz) top--;
  return top;
}

static int closest_to(const struct hs_opp *opps, int top, long target_khz)
{
  int above = lowest_from(opps, top, target_khz);
  int below = highest_to(opps, top, target_khz);
  return khz(&opps[above]) - target_khz < target_khz - khz(&opps[below]) ? above : below;
}

/* --- governors: `top` is the highest level allowed; `level` is above it where the load was measured before the cap fell --- */

/* cpufreq_userspace_policy_start(): a cap that ends gives back the frequency that was set. */
static int userspace(const struct hs_governor *g, struct hs_governor_state *s, int level)
{
  if (!s->started) s->found = level;
  s->started = true;
  return g->level >= 0 ? g->level : s->found;
}

/* dbs_update(): the scheduler calls it on cores that do something, so a domain that idles isn't looked at and keeps its frequency. After more than two periods
 * without work the load is what it was before, once, as what comes back is likely to be what was there. */
static double load_after_idling(struct hs_governor_state *s, const struct hs_governor_input *in)
{
  if (in->load <= 0) return 0;
  double idle_s = in->now_s - s->sampled_s - in->load * transition_delay_s, before = s->load;
  bool as_before = percent(before) > 0 && idle_s > 2 * transition_delay_s;
  s->sampled_s = in->now_s;
  s->load = as_before ? 0 : in->load;
  return as_before ? before : in->load;
}

/* od_init(): MICRO_FREQUENCY_UP_THRESHOLD where the kernel knows idle times in us because it is tickless (CONFIG_NO_HZ), as phones' are: hikey970_defconfig
 * (yuweieric/linux@00a6468), sm8150-perf_defconfig (MiCode/Xiaomi_Kernel_OpenSource@74347f5). DEF_FREQUENCY_UP_THRESHOLD, 80, is for those that count it
 * in ticks. */
static const int ondemand_up_threshold_pct = 95;

/* od_update(): a cap cuts off what the load asks of the whole range. */
static int ondemand(struct hs_governor_state *s, const struct hs_opp *opps, int n_opps, int top, int level, const struct hs_governor_input *in)
{
  int load = percent(load_after_idling(s, in));
  if (in->load <= 0) return level;
  if (load > ondemand_up_threshold_pct) return top;
  return closest_to(opps, top, khz(&opps[0]) + load * (khz(&opps[n_opps - 1]) - khz(&opps[0])) / 100);
}

/* cs_dbs_update(), but for one thing: with the wish between two OPPs, the kernel's rounding lets a step up lower the frequency (from L of
 * the wish before to H of this one) and a step down raise it. Here they don't. DEF_FREQUENCY_UP_THRESHOLD, _DOWN_THRESHOLD and _STEP. */
static int conservative(struct hs_governor_state *s, const struct hs_opp *opps, int top, int level, const struct hs_governor_input *in)
{
  const int up_threshold_pct = 80, down_threshold_pct = 20, freq_step_pct = 5;
  int load = percent(in->load);
  long min = khz(&opps[0]), max = khz(&opps[top]), step = freq_step_pct * max / 100;
  if (s->wish_khz < min || s->wish_khz > max) s->wish_khz = khz(&opps[level]);
  if (load > up_threshold_pct) {
    s->wish_khz = s->wish_khz + step < max ? s->wish_khz + step : max;
    int next = highest_to(opps, top, s->wish_khz);
    return next > level ? next : level;
  }
  if (load < down_threshold_pct) {
    s->wish_khz = s->wish_khz - step > min ? s->wish_khz - step : min;
    int next = lowest_from(opps, top, s->wish_khz);
    return next < level ? next : level;
  }
  return level;
}

/* sugov_update_shared(), get_next_freq(): the limit (rate_limit_us, the transition delay) runs from the last change, not from the last time it looked. The
 * scheduler calls it, as ondemand. */
static int schedutil(struct hs_governor_state *s, const struct hs_opp *opps, int n_opps, int top, int level, const struct hs_governor_input *in)
{
  if (in->load <= 0) return level;
  if (s->started && !passed(s->changed_s, in->now_s, transition_delay_s)) return level;
  int next = lowest_from(opps, top, (long)(1.25 * (double)khz(&opps[n_opps - 1]) * in->util));
  if (next != level) {
    s->started = true;
    s->changed_s = in->now_s;
  }
  return next;
}

/* cpufreq_interactive_timer(), with one target load (DEFAULT_TARGET_LOAD), DEFAULT_GO_HISPEED_LOAD, DEFAULT_MIN_SAMPLE_TIME, and load from idle times
 * (use_sched_load 0). Where nobody sets a hispeed_freq it is f_top, above which there is nothing to wait for. */
static int interactive(struct hs_governor_state *s, const struct hs_opp *opps, int n_opps, int level, const struct hs_governor_input *in)
{
  const int target_load_pct = 90, go_hispeed_load_pct = 99;
  const double min_sample_time_s = 80e-3;
  bool busy = percent(in->load) >= go_hispeed_load_pct;
  int next = busy ? n_opps - 1 : lowest_from(opps, n_opps - 1, (long)(in->load * (double)khz(&opps[level])) * 100 / target_load_pct);
  if (!s->started) {
    s->started = true;
    s->floor = level;
  }
  if (next < s->floor && !passed(s->floor_s, in->now_s, min_sample_time_s)) return level;
  s->floor = next;
  s->floor_s = in->now_s;
  return next;
}

/* devfreq_simple_ondemand_func(): DFSO_UPTHRESHOLD, DFSO_DOWNDIFFERENCTIAL */
static int simple_ondemand(const struct hs_opp *opps, int top, int level, const struct hs_governor_input *in)
{
  const int up = 90, differential = 5;
  double load = 100 * in->load;
  if (load > up) return top;
  if (load > up - differential) return level;
  return lowest_from(opps, top, (long)(load * (double)khz(&opps[level]) / (up - differential / 2)));
}

int hs_governor_next(const struct hs_governor *g, struct hs_governor_state *s, const struct hs_opp *opps, int n_opps, int level,
                     const struct hs_governor_input *in)
{
  assert(n_opps > 0 && level >= 0 && level < n_opps && in->load >= 0 && in->util >= 0 && in->cooling_state >= 0);
  int top = in->cooling_state < n_opps ? n_opps - 1 - in->cooling_state : 0;
  int capped = level < top ? level : top, next = capped;
  switch (g->kind) {
  case HS_PERFORMANCE: next = top; break;
  case HS_POWERSAVE: next = 0; break;
  case HS_USERSPACE: next = userspace(g, s, level); break;
  case HS_ONDEMAND: next = ondemand(s, opps, n_opps, top, capped, in); break;
  case HS_CONSERVATIVE: next = conservative(s, opps, top, capped, in); break;
  case HS_SCHEDUTIL: next = schedutil(s, opps, n_opps, top, capped, in); break;
  case HS_INTERACTIVE: next = interactive(s, opps, n_opps, level, in); break;
  case HS_SIMPLE_ONDEMAND: next = simple_ondemand(opps, top, level, in); break;
  case HS_GOVERNOR_KIND_N: assert(false);
  }
  return next < top ? next : top;
}

/* --- PELT --- */

void hs_pelt_advance(struct hs_pelt *p, double dt_s, double running_fraction)
{
  assert(dt_s >= 0 && running_fraction >= 0 && running_fraction <= 1);
  const double half_life_s = 32 * 1024e-6;
  double kept = exp2(-dt_s / half_life_s);
  p->util = p->util * kept + running_fraction * (1 - kept);
}

static void went_to_sleep(struct hs_core_util *u, double util)
{
  const double margin = 0.01;
  u->last = util;
  if (util > u->average)
    u->average = util;
  else if (u->average - util >= margin)
    u->average += (util - u->average) / 4;
}

double hs_core_util_advance(struct hs_core_util *u, double dt_s, double load, double speed)
{
  double before = u->pelt.util;
  if (load <= 0 && before <= 0) return 0; /* most cores, most of the time */
  hs_pelt_advance(&u->pelt, dt_s, load * speed);
  bool slept = u->runs && load < 1 - 1e-9; /* busy times are sums, and a little less than all of a tick is rounding */
  if (slept) went_to_sleep(u, fmax(before, u->pelt.util));
  u->runs = load > 0 && !slept;
  return load > 0 ? fmax(u->pelt.util, fmax(u->last, u->average)) : u->pelt.util;
}
