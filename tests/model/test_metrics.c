/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a report sums up: who drew what, how sure a mean is, and what is per request, per second or of the run. By hand. */
#include <math.h>

#include "tests/model/rig.h"

#include "out/metrics.h"

/* An NPU's call of 3 s that a big core makes for 2 s of it at 1.5 GHz, while threads of the CPU's pool wait. */
START_TEST(a_call_counts_where_its_thread_ran)
{
  struct rig r;
  struct hs_metrics m;
  struct hs_summary s;
  rig_open(&r, "tflite");
  struct hs_task task = {.kind = HS_TASK_RPC, .processor = NPU, .delay_s = 3};
  const struct hs_program prog = {.tasks = &task, .n_tasks = 1};
  const struct hs_event e = {.program = &prog, .start_s = 1, .end_s = 4, .share_s = 3, .energy_j = 0, .bytes = 100,
                             .caller = {.processor = CPU, .domain = 1, .share_s = 2, .energy_j = 5, .cycles = 3e9}, .spun_j = {[CPU] = 7, [LITTLE] = 11}};
  hs_metrics_start(&m, &r.sys);
  hs_metrics_task(&m, &e);
  for (int i = 0; i < 2; i++) hs_metrics_ended(&m, &(struct hs_outcome){.end_s = 4});
  DERIVE("a delay doesn't keep the NPU busy", m.all.busy_s[NPU], 0);
  DERIVE("its thread keeps the CPU busy", m.all.busy_s[CPU], 2);
  DERIVE("energy of the CPU", m.all.energy_j[CPU], 5 + 7);
  DERIVE("of the efficiency cores", m.all.energy_j[LITTLE], 11);
  DERIVE("clock of the big core", hs_metrics_freq_hz(&m, CPU, 1), 1.5e9);
  DERIVE("of the mids, which had nothing", hs_metrics_freq_hz(&m, CPU, 0), 0);
  hs_metrics_summary(&m, &s);
  DERIVE("energy per request", s.energy_j, (5 + 7 + 11) / 2.);
  DERIVE("of that waiting", s.spun_j, (7 + 11) / 2.);
  DERIVE("communication per request", s.communication_s, 3 / 2.);
  DERIVE("power over the run", s.power_w, (5 + 7 + 11) / 4.);
  hs_metrics_free(&m);
  rig_close(&r);
}
END_TEST

static void summarise(struct rig *r, const double *latencies_s, int n, struct hs_summary *s)
{
  struct hs_metrics m;
  hs_metrics_start(&m, &r->sys);
  for (int i = 0; i < n; i++) hs_metrics_ended(&m, &(struct hs_outcome){.request = i, .arrival_s = i, .end_s = i + latencies_s[i]});
  hs_metrics_summary(&m, s);
  hs_metrics_free(&m);
}

/* n inferences, of which the first ten take 0.9 and 1.1 s by turns, the others `later` instead of 1 s. Of an odd number, the eleventh takes 1.5 s: it is in
 * neither half. Each by itself, the error of what one half is above the other is 0.1 * √(10 / 9) * √(2 / 10) = 0.0471. */
static void summary_of(struct rig *r, double later, int n, struct hs_summary *s)
{
  double latencies_s[21];
  for (int i = 0; i < n; i++) latencies_s[i] = n % 2 && i == 10 ? 1.5 : (i < 10 ? 1 : later) + (i % 2 ? 0.1 : -0.1);
  summarise(r, latencies_s, n, s);
}

#define MEAN ((5 + 1.8 + 3 * 2 + 5.9 / 3) / 10)

/* Five stretches of two are 1 s on average, then come one of 1.5 and 2.1, three of 2, and the last, of 1.9, 2.1 and 1.9. */
START_TEST(drift_of_a_mean)
{
  struct rig r;
  struct hs_summary s;
  rig_open(&r, "tflite");
  summary_of(&r, 2, 21, &s);
  DERIVE("mean", s.latency_s, 1.5);
  DERIVE("its error, of ten stretches' means", s.latency_error_s, sqrt((5 + 1.8 * 1.8 + 3 * 4 + 5.9 * 5.9 / 9 - 10 * MEAN * MEAN) / 9 / 10));
  DERIVE("the later half took twice as long", s.drift_frac, 1);
  DERIVE("p50", s.p50_s, 1.5);
  DERIVE("p90", s.p90_s, 2.1);
  summary_of(&r, 1.1, 20, &s);
  DERIVE("2.1 of its errors", s.drift_frac, 0.1);
  summary_of(&r, 1.09, 20, &s);
  DERIVE("1.9 of its errors", s.drift_frac, 0);
  summary_of(&r, 1.001, 20, &s);
  DERIVE("its error, each by itself", s.latency_error_s,
         sqrt((5 * (0.81 + 1.21 + 0.901 * 0.901 + 1.101 * 1.101) - 20 * 1.0005 * 1.0005) / 19 / 20));
  summary_of(&r, 2, 19, &s);
  ck_assert(isnan(s.latency_error_s) && isnan(s.drift_frac));
  rig_close(&r);
}
END_TEST

/* In ten stretches that go up and down the halves differ by 0.04 s, 2.8 times what they would by chance if each inference took its time by itself. */
START_TEST(drift_of_what_gets_hot)
{
  struct rig r;
  struct hs_summary s;
  double throttled_s[20], up_and_down_s[200];
  rig_open(&r, "tflite");
  for (int i = 0; i < 20; i++) throttled_s[i] = i < 4 ? 1 : 1.1;
  for (int i = 0; i < 200; i++) up_and_down_s[i] = i / 20 % 2 ? 1.1 : 0.9;
  summarise(&r, throttled_s, 20, &s);
  DERIVE("a step in the first half", s.drift_frac, 1.1 / 1.06 - 1);
  summarise(&r, up_and_down_s, 200, &s);
  DERIVE("up and down", s.drift_frac, 0);
  rig_close(&r);
}
END_TEST

/* Answered at 2 and 3 s, dropped at 5: the rate is of those that were answered, until the last request was over or, if the run has a length, over all of it. */
START_TEST(drops_have_no_latency)
{
  for (int k = 0; k < 2; k++) {
    static const struct hs_outcome outcomes[] = {{0, 0, 0, 2, false, false}, {1, 0, 1, 3, false, true}, {2, 0, 1.5, 5, true, true}};
    struct rig r;
    struct hs_metrics m;
    struct hs_summary s;
    rig_open(&r, "tflite");
    hs_metrics_start(&m, &r.sys);
    for (int i = 0; i < 3; i++) hs_metrics_ended(&m, &outcomes[i]);
    m.run_s = k ? 8 : 0;
    hs_metrics_summary(&m, &s);
    ck_assert_int_eq(m.n_late, 2);
    ck_assert_int_eq(m.n_dropped, 1);
    DERIVE("latency", s.latency_s, 2);
    DERIVE("rate", s.throughput_per_s, k ? 2 / 8. : 2 / 5.);
    hs_metrics_free(&m);
    rig_close(&r);
  }
}
END_TEST

/* Of four requests, the first took 5 J and 100 bytes in two tasks, the second 3 J. The third was dropped after 2 J and an RPC of 1 s: what that took is a price
 * of the two that were answered. The fourth is still under way, with 30 J: those are in what the run drew only. */
START_TEST(unfinished_work_belongs_to_no_request)
{
  struct rig r;
  struct hs_metrics m;
  struct hs_summary s;
  rig_open(&r, "tflite");
  struct hs_task tasks[] = {{.kind = HS_TASK_EXEC, .processor = GPU}, {.kind = HS_TASK_RPC, .processor = NPU, .delay_s = 1}};
  const struct hs_program prog = {.tasks = tasks, .n_tasks = 2};
  const struct hs_event events[] = {
    {.request = 0, .program = &prog, .start_s = 0, .end_s = 1, .share_s = 1, .energy_j = 4, .bytes = 60},
    {.request = 1, .program = &prog, .start_s = 1, .end_s = 2, .share_s = 1, .energy_j = 3},
    {.request = 0, .program = &prog, .start_s = 2, .end_s = 3, .share_s = 1, .energy_j = 1, .bytes = 40},
    {.request = 2, .program = &prog, .start_s = 3, .end_s = 4, .share_s = 1, .energy_j = 2, .task = 1},
    {.request = 3, .program = &prog, .start_s = 4, .end_s = 5, .share_s = 1, .energy_j = 30, .bytes = 1000, .task = 0},
    {.request = 3, .program = &prog, .start_s = 5, .end_s = 6, .share_s = 1, .task = 1},
  };
  const struct hs_outcome outcomes[] = {{0, 0, 0, 3, false, false}, {1, 0, 0, 2, false, false}, {2, 0, 0, 4, true, true}};
  hs_metrics_start(&m, &r.sys);
  for (size_t i = 0; i < sizeof events / sizeof *events; i++) hs_metrics_task(&m, &events[i]);
  for (int i = 0; i < 3; i++) hs_metrics_ended(&m, &outcomes[i]);
  m.run_s = 8;
  hs_metrics_summary(&m, &s);
  DERIVE("energy per request", s.energy_j, (5 + 3 + 2) / 2.);
  DERIVE("of that the GPU's", s.processor_j[GPU], (5 + 3) / 2.);
  DERIVE("how long that was busy", s.busy_s[GPU], 3 / 2.);
  DERIVE("bytes", s.dram_bytes, 100 / 2.);
  DERIVE("communication", s.communication_s, 1 / 2.);
  DERIVE("its part of all time", s.communication_frac, 2 / 6.);
  DERIVE("power", s.power_w, 40 / 8.);
  DERIVE("bytes of the run", m.all.dram_bytes, 1100);
  hs_metrics_free(&m);
  rig_close(&r);
}
END_TEST

static void fill(TCase *t)
{
  tcase_add_test(t, a_call_counts_where_its_thread_ran);
  tcase_add_test(t, drift_of_a_mean);
  tcase_add_test(t, drift_of_what_gets_hot);
  tcase_add_test(t, drops_have_no_latency);
  tcase_add_test(t, unfinished_work_belongs_to_no_request);
}

int main(void) { return hs_test_main("metrics", fill); }
