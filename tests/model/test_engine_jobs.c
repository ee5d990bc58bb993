/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Does the engine run several jobs at a time: who waits for an accelerator, who has how much of a CPU? */
#include "tests/model/pair.h"

/* Jobs that are handed in at their time, in this order; at over_s, where that is > 0, the run is over. */
struct handed {
  struct rig_run *run;
  int n, in;
  struct {
    double at_s;
    struct hs_program *prog;
    int priority;
  } jobs[8];
  double over_s;
};

static double hand_in(void *state, struct hs_engine *e, double now_s)
{
  struct handed *h = state;
  if (h->over_s > 0 && now_s >= h->over_s - 1e-12) return -1;
  while (h->in < h->n && h->jobs[h->in].at_s <= now_s + 1e-12) {
    hs_engine_submit_stretched(e, h->in, h->jobs[h->in].priority, h->jobs[h->in].prog, NULL);
    h->in++;
  }
  return h->in < h->n ? h->jobs[h->in].at_s : h->over_s > 0 ? h->over_s : INFINITY;
}

static void on_task_of_job(void *state, const struct hs_event *e) { rig_on_task(((struct handed *)state)->run, e); }
static void on_job_done(void *state, int request, double start_s, double end_s) { rig_on_done(((struct handed *)state)->run, request, start_s, end_s); }

static void add_job(struct handed *h, double at_s, struct hs_program *prog)
{
  hs_program_seal(prog);
  h->jobs[h->n].at_s = at_s;
  h->jobs[h->n++].prog = prog;
}

static struct rig_run *run_jobs(const struct rig *r, struct handed *h)
{
  struct rig_run *run = h->run = hs_test_shared(sizeof *run);
  pid_t child = hs_test_fork();
  if (child == 0) {
    struct hs_error err = {0};
    const struct hs_engine_calls calls = {.state = h, .task = on_task_of_job, .done = on_job_done, .turn = hand_in};
    hs_metrics_start(&run->metrics, &r->sys);
    run->status = hs_engine_run(&r->sys, &calls, &err);
    run->n_requests = run->metrics.n_requests;
    run->end_s = run->metrics.end_s;
    memcpy(run->energy_j, run->metrics.all.energy_j, sizeof run->energy_j);
    memcpy(run->busy_s, run->metrics.all.busy_s, sizeof run->busy_s);
    _exit(0);
  }
  ck_assert_int_eq(hs_test_wait(child), 0);
  ck_assert_int_eq(run->status, HS_OK);
  for (int i = 0; i < h->n; i++) hs_program_unseal(h->jobs[i].prog);
  return run;
}

enum { MS_CPU_MID = 1600000, MS_CPU_BIG = 2500000, MS_GPU = 585000 }; /* cycles in 1 ms */

/* A program of one task that takes so long alone; the CPU's on all cores. */
static void open_single(struct pair *x, int p, double ms)
{
  open_pair(x);
  add(x, p != CPU, p, -1, ms * (p == CPU ? MS_CPU_MID : MS_GPU), p == CPU ? ms * MS_CPU_BIG : 0, 0);
}

/* 2 ms at 0, 1 ms at 0.5 ms, 1.5 ms at 0.7 ms: 0 – 2 – 3 – 4.5. */
START_TEST(an_accelerator_serves_jobs_as_they_come)
{
  struct pair x[3];
  struct handed h = {0};
  const double ms[3] = {2, 1, 1.5}, at_s[3] = {0, 0.5e-3, 0.7e-3};
  for (int i = 0; i < 3; i++) {
    open_single(&x[i], GPU, ms[i]);
    add_job(&h, at_s[i], &x[i].prog);
  }
  struct rig_run *run = run_jobs(&x[0].r, &h);
  ENGINE("first", event_of(run, 0, 0)->end_s, 2e-3);
  ENGINE("second starts", event_of(run, 1, 0)->start_s, 2e-3);
  ENGINE("second was ready", event_of(run, 1, 0)->ready_s, 0.5e-3);
  ENGINE("third starts", event_of(run, 2, 0)->start_s, 3e-3);
  ENGINE("third ends", event_of(run, 2, 0)->end_s, 4.5e-3);
  ENGINE("latency: from when it was handed in", run->latency_s[2], 4.5e-3 - 0.7e-3);
  ENGINE("busy", run->busy_s[GPU], 4.5e-3);
  for (int i = 0; i < 3; i++) ENGINE("its own share", event_of(run, i, 0)->share_s, ms[i] * 1e-3);
  rig_run_free(run);
  for (int i = 0; i < 3; i++) close_pair(&x[i], NULL);
}
END_TEST

/* Ready counts, not handed in: 0 is on the GPU until 3 ms; 1 came with it but is on the CPU for 1 ms first; 2 came at 0.5 ms. */
START_TEST(an_accelerator_takes_what_was_ready_first)
{
  struct pair x[3];
  struct handed h = {0};
  open_single(&x[0], GPU, 3);
  open_single(&x[1], CPU, 1);
  wait_for(&x[1], add(&x[1], 1, GPU, -1, MS_GPU, 0, 0), 0);
  open_single(&x[2], GPU, 1);
  const double at_s[3] = {0, 0, 0.5e-3};
  for (int i = 0; i < 3; i++) add_job(&h, at_s[i], &x[i].prog);
  struct rig_run *run = run_jobs(&x[0].r, &h);
  ENGINE("ready second", event_of(run, 2, 0)->start_s, 3e-3);
  ENGINE("ready third", event_of(run, 1, 1)->ready_s, 1e-3);
  ENGINE("ready third starts", event_of(run, 1, 1)->start_s, 3e-3 + 1e-3);
  rig_run_free(run);
  for (int i = 0; i < 3; i++) close_pair(&x[i], NULL);
}
END_TEST

/* Both are ready at 0: the job that was handed in first, whatever the requests are called. */
START_TEST(an_accelerator_breaks_ties_by_handing_in)
{
  struct pair x[2];
  struct handed h = {0};
  open_single(&x[0], GPU, 2);
  open_single(&x[1], GPU, 1);
  for (int i = 0; i < 2; i++) add_job(&h, 0, &x[i].prog);
  struct rig_run *run = run_jobs(&x[0].r, &h);
  ENGINE("first", event_of(run, 0, 0)->start_s, 0);
  ENGINE("second", event_of(run, 1, 0)->start_s, 2e-3);
  rig_run_free(run);
  for (int i = 0; i < 2; i++) close_pair(&x[i], NULL);
}
END_TEST

/* 2 ms at 0; at 0.5 ms one of priority 1, at 0.7 ms one of 3, at 0.9 ms another of 3, 1 ms each: none is broken off, then 3, 3, 1. */
START_TEST(an_accelerator_takes_the_highest_priority)
{
  struct pair x[4];
  struct handed h = {0};
  const double ms[4] = {2, 1, 1, 1}, at_s[4] = {0, 0.5e-3, 0.7e-3, 0.9e-3};
  const int priority[4] = {0, 1, 3, 3};
  for (int i = 0; i < 4; i++) {
    open_single(&x[i], GPU, ms[i]);
    h.jobs[h.n].priority = priority[i];
    add_job(&h, at_s[i], &x[i].prog);
  }
  struct rig_run *run = run_jobs(&x[0].r, &h);
  ENGINE("goes on", event_of(run, 0, 0)->end_s, 2e-3);
  ENGINE("highest, first ready", event_of(run, 2, 0)->start_s, 2e-3);
  ENGINE("highest, ready later", event_of(run, 3, 0)->start_s, 3e-3);
  ENGINE("lowest", event_of(run, 1, 0)->start_s, 4e-3);
  rig_run_free(run);
  for (int i = 0; i < 4; i++) close_pair(&x[i], NULL);
}
END_TEST

/* k equal jobs on a CPU take k times as long, whether the cores or the memory is the limit: 1 ms of cycles, or 9 MB at 9 GB/s.
 * Each has 1/k of that time; busy time and energy are those of k jobs one after the other: 3 mid cores at 0.57 W, a big one at
 * 2.39 W, 21 and 37 mW, and 0.3 W for what the big one's cluster shares, once however many jobs there are. */
START_TEST(cpus_share_among_jobs)
{
  for (int bytes = 0; bytes < 2; bytes++)
    for (int k = 1; k <= 5; k++) {
      struct pair x[5];
      struct handed h = {0};
      for (int i = 0; i < k; i++) {
        open_single(&x[i], CPU, bytes ? 0.1 : 1);
        if (bytes) x[i].tasks[0].work.bytes = 9e6;
        add_job(&h, 0, &x[i].prog);
      }
      x[0].r.soc->processors[CPU].domains[1].opps[2].shared_w = 0.3;
      struct rig_run *run = run_jobs(&x[0].r, &h);
      for (int i = 0; i < k; i++) {
        ENGINE("one of k starts", event_of(run, i, 0)->start_s, 0);
        ENGINE("one of k ends", event_of(run, i, 0)->end_s, k * 1e-3);
        ENGINE("its share", event_of(run, i, 0)->share_s, 1e-3);
      }
      ENGINE("busy", run->busy_s[CPU], k * 1e-3);
      ENGINE("energy", run->energy_j[CPU], k * 1e-3 * (3 * 0.57 + 2.39 + 0.021 + 0.037 + 0.3));
      rig_run_free(run);
      for (int i = 0; i < k; i++) close_pair(&x[i], NULL);
    }
}
END_TEST

/* 2 ms of work at 0 and 1 ms at 1 ms: alone to 1 ms; then both have 1 ms left and share: both end at 3 ms. A third with 0.5 ms on
 * other cores isn't touched. */
START_TEST(cpus_share_from_when_a_job_comes)
{
  struct pair x[3];
  struct handed h = {0};
  open_single(&x[0], CPU, 2);
  open_single(&x[1], CPU, 1);
  open_pair(&x[2]);
  struct hs_task *t = add(&x[2], 0, LITTLE, -1, 0.5e-3 * 1.7e9, 0, 0);
  t->work.cores[0] = 4;
  const double at_s[3] = {0, 1e-3, 1.2e-3};
  for (int i = 0; i < 3; i++) add_job(&h, at_s[i], &x[i].prog);
  struct rig_run *run = run_jobs(&x[0].r, &h);
  ENGINE("first", event_of(run, 0, 0)->end_s, 1e-3 + 2 * 1e-3);
  ENGINE("second", event_of(run, 1, 0)->end_s, 1e-3 + 2 * 1e-3);
  ENGINE("share of the first", event_of(run, 0, 0)->share_s, 1e-3 + 2e-3 / 2);
  ENGINE("share of the second", event_of(run, 1, 0)->share_s, 2e-3 / 2);
  ENGINE("other cores", event_of(run, 2, 0)->end_s, 1.2e-3 + 0.5e-3);
  ENGINE("busy", run->busy_s[CPU], 3e-3);
  ENGINE("the efficiency cores", run->busy_s[LITTLE], 0.5e-3);
  rig_run_free(run);
  for (int i = 0; i < 3; i++) close_pair(&x[i], NULL);
}
END_TEST

/* A delay of one job: on a CPU it takes nothing from the work of the others, on an accelerator it keeps them waiting. */
START_TEST(delays_among_jobs)
{
  const int processors[2] = {CPU, GPU};
  for (int k = 0; k < 2; k++) {
    struct pair x[2];
    struct handed h = {0};
    open_pair(&x[0]);
    add(&x[0], k, processors[k], -1, 0, 0, 0);
    x[0].tasks[0].delay_s = 1.3e-3;
    open_single(&x[1], processors[k], 1);
    for (int i = 0; i < 2; i++) add_job(&h, 0, &x[i].prog);
    struct rig_run *run = run_jobs(&x[0].r, &h);
    ENGINE("the delay", event_of(run, 0, 0)->end_s, 1.3e-3);
    ENGINE("work beside it", event_of(run, 1, 0)->end_s, (k ? 1.3e-3 : 0) + 1e-3);
    ENGINE("busy with work only", run->busy_s[processors[k]], 1e-3);
    rig_run_free(run);
    for (int i = 0; i < 2; i++) close_pair(&x[i], NULL);
  }
}
END_TEST

/* At 2.5 ms the run is over: of five jobs of 1 ms on the GPU, handed in every 0.25 ms, two are done, and nothing is heard of the others. */
START_TEST(what_is_in_flight_at_the_end_is_dropped)
{
  struct pair x[5];
  struct handed h = {.over_s = 2.5e-3};
  for (int i = 0; i < 5; i++) {
    open_single(&x[i], GPU, 1);
    add_job(&h, i * 0.25e-3, &x[i].prog);
  }
  struct rig_run *run = run_jobs(&x[0].r, &h);
  ck_assert_int_eq(run->n_requests, 2);
  ck_assert_int_eq(run->n_events, 2);
  ENGINE("the end", run->end_s, 2e-3);
  rig_run_free(run);
  for (int i = 0; i < 5; i++) close_pair(&x[i], NULL);
}
END_TEST

/* A few steps of the clock's rounding after something else: who is asked a little too early names the same time again, and has to be asked then. */
START_TEST(jobs_come_picoseconds_apart)
{
  const struct hs_scheduler slices = {10e-3, 3e-3, 2e-3};
  for (int by_clock = 0; by_clock < 2; by_clock++) {
    struct pair x[3];
    struct handed h = {0};
    for (int i = 0; i < 3; i++) {
      open_single(&x[i], i ? CPU : GPU, 1);
      add_job(&h, 8 + i * 3e-12, &x[i].prog);
    }
    if (by_clock) x[0].r.sys.scheduler = &slices;
    struct rig_run *run = run_jobs(&x[0].r, &h);
    ENGINE("alone on the GPU", event_of(run, 0, 0)->end_s, 8 + 1e-3);
    ck_assert_int_eq(run->n_requests, 3);
    for (int i = 1; i < 3; i++) close_pair(&x[i], NULL);
    close_pair(&x[0], run);
  }
}
END_TEST

static void fill(TCase *t)
{
  tcase_add_test(t, an_accelerator_serves_jobs_as_they_come);
  tcase_add_test(t, an_accelerator_takes_what_was_ready_first);
  tcase_add_test(t, an_accelerator_breaks_ties_by_handing_in);
  tcase_add_test(t, an_accelerator_takes_the_highest_priority);
  tcase_add_test(t, cpus_share_among_jobs);
  tcase_add_test(t, cpus_share_from_when_a_job_comes);
  tcase_add_test(t, delays_among_jobs);
  tcase_add_test(t, jobs_come_picoseconds_apart);
  tcase_add_test(t, what_is_in_flight_at_the_end_is_dropped);
}

int main(void) { return hs_test_main("engine_jobs", fill); }
