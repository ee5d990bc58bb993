/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a scheduler knows of the competition, and what a program is expected to take under it. The policies are the tests' own. */
#include "tests/model/serving.h"

#include "serve/load.h"

/* Work on a CPU with k others: its cores are shared, so the cycles take k + 1 times as long, the bytes as long as before. */
static double among(const struct rig *r, const struct hs_task *t, int k)
{
  struct hs_work cores = t->work, memory = t->work;
  cores.bytes = 0;
  memory.cycles[0] = memory.cycles[1] = memory.caller = 0;
  return fmax((k + 1) * hs_work_seconds(&r->sys, CPU, -1, &cores), hs_work_seconds(&r->sys, CPU, -1, &memory));
}

static const struct hs_scheduler rules = {.latency_s = 12e-3, .min_granularity_s = 1e-3};

/* Estimates under a load: on the idle device that of the program. Here everything is on one line, so that the estimate is a sum. Delays of
 * the host take as long as ever. An invocation of the NPU first waits for the others' service, and one that comes after a gap finds half of
 * the one in service left: it does, after data came from the host. A clock that is behind takes cycles as much longer as others do. */
START_TEST(estimates_under_a_load)
{
  struct rig r;
  struct hs_estimate e;
  rig_open(&r, "tflite");
  rig_read_network(&r, THREE);
  struct hs_placement *pl = rig_place_all(&r, CPU);
  struct hs_program *cpu = rig_lower(&r, pl);
  hs_place_whole(&pl->ops[1], NPU);
  struct hs_program *mixed = rig_lower(&r, pl);
  struct hs_competition idle[HS_PROCESSORS_MAX] = {{0}};
  hs_estimate_program(&r.sys, mixed, &e, NULL, NULL);
  ck_assert_double_eq(hs_estimate_under(&r.sys, mixed, idle), e.latency_s);
  double work[4] = {0}, delays = 0, on_npu = 0, n_npu = 0, alone[4] = {0};
  for (int i = 0; i < mixed->n_tasks; i++) {
    const struct hs_task *t = &mixed->tasks[i];
    on_npu += t->processor == NPU ? hs_task_seconds(&r.sys, t) : 0;
    n_npu += t->processor == NPU && hs_task_calls(t);
    delays += t->processor != NPU ? t->delay_s : 0;
    for (int k = 0; k < 4; k++) work[k] += t->processor != NPU && t->delay_s <= 0 ? among(&r, t, k) : 0;
  }
  for (int i = 0; i < cpu->n_tasks; i++)
    for (int k = 0; k < 4; k++) alone[k] += among(&r, &cpu->tasks[i], k);
  SERVE("one after the other", e.latency_s, work[0] + delays + on_npu);
  for (int k = 1; k <= 3; k++) {
    struct hs_competition load[HS_PROCESSORS_MAX] = {[CPU] = {.others = k, .service_s = 1}};
    SERVE("k others on the CPU", hs_estimate_under(&r.sys, cpu, load), alone[k]);
    SERVE("with delays and the NPU between", hs_estimate_under(&r.sys, mixed, load), work[k] + delays + on_npu);
    load[CPU] = (struct hs_competition){.lag = k};
    SERVE("its clock a (k + 1)-th instead", hs_estimate_under(&r.sys, cpu, load), alone[k]);
    load[CPU].lag = 0;
    load[NPU] = (struct hs_competition){.others = 0.6 * k, .service_s = 3e-4};
    SERVE("others on the NPU", hs_estimate_under(&r.sys, mixed, load),
          work[0] + delays + on_npu + (n_npu * 0.6 * k - fmin(0.6 * k, 1) / 2) * 3e-4);
    SERVE("and none where it doesn't run", hs_estimate_under(&r.sys, cpu, load), alone[0]);
  }
  r.sys.scheduler = &rules;
  ck_assert_double_lt(2 * work[0], e.latency_s);
  const struct hs_competition load[HS_PROCESSORS_MAX] = {[CPU] = {.others = 1, .spread = 4, .service_s = 1}};
  SERVE("who has less than its share to do is served at once", hs_estimate_under(&r.sys, mixed, load), e.latency_s);
  hs_program_free(cpu);
  hs_program_free(mixed);
  rig_close(&r);
}
END_TEST

/* Four threads of 1 ms, or 10, among others that keep cores for slices of 12 ms / (1 + others), of 1 ms at least, or as long as their tasks last; the first of
 * them for twice what is its due at most. With all four shared the last waits 3/8 of that, with two of them 1/4, with one nothing. */
START_TEST(estimates_in_slices)
{
  static const struct {
    double alone_ms, lag, others, spread, service_s, expected_ms;
  } cases[] = {
    {10, 0, 2, 4, 1, 30 + (4 + 4) * 3 / 8.},
    {1, 0, 2, 4, 1, 3 + (2 + 4) * 3 / 8.},
    {10, 0, 2, 4, 1.5e-3, 30 + (1.5 + 1.5) * 3 / 8.}, /* short tasks */
    {1, 0, 20, 4, 1, 21 + 20 * 3 / 8.},               /* the least slices */
    {1, 0, 0.5, 2, 1, 1.5 + 0.5 * 1 / 4.},            /* 2 · 0.5 · 1 ms */
    {1, 0, 1, 1, 1, 2},
    {1, 0, 1, 9, 1, 2 + 2 * 3 / 8.}, /* it has no more cores */
    {1, 1, 1, 4, 1, 4 + 4 * 3 / 8.}, /* half the clock */
  };
  struct rig r;
  rig_open(&r, "tflite");
  rig_read_network(&r, ONE);
  struct hs_program *prog = rig_lower(&r, rig_place_all(&r, CPU));
  struct hs_work *w = &prog->tasks[0].work;
  prog->n_tasks = 1;
  w->bytes = 0; /* nothing but cycles */
  double times = cases[_i].alone_ms * 1e-3 / hs_task_seconds(&r.sys, &prog->tasks[0]);
  for (int d = 0; d < HS_DOMAINS_MAX; d++) w->cycles[d] *= times;
  w->caller *= times;
  r.sys.scheduler = &rules;
  ck_assert_int_eq(hs_work_cores(w), 4);
  const struct hs_competition load[HS_PROCESSORS_MAX] = {
    [CPU] = {.lag = cases[_i].lag, .others = cases[_i].others, .spread = cases[_i].spread, .service_s = cases[_i].service_s}};
  SERVE("in slices", hs_estimate_under(&r.sys, prog, load), cases[_i].expected_ms * 1e-3);
  hs_program_free(prog);
  rig_close(&r);
}
END_TEST

/* Threads that steal, 2.5 ms of work for all four cores at their highest clocks. With the mids at their lowest one, the big core takes more of it: so it does
 * among two others, three times as long. */
START_TEST(work_that_is_stolen_takes_longer_among_others)
{
  struct rig r;
  rig_open(&r, "mace");
  struct hs_task t = {.processor = CPU, .opp = -1,
                      .work = {.cores = {3, 1}, .cycles = {4e6, 6.25e6}, .stolen = {18.25e6, 18.25e6}, .power_factor = 1}};
  struct hs_program prog = {.tasks = &t, .n_tasks = 1};
  hs_program_seal(&prog);
  r.sys.backends[CPU].opp[0] = 0;
  const struct hs_competition load[HS_PROCESSORS_MAX] = {[CPU] = {.others = 2, .service_s = 1}};
  double alone_s = hs_task_seconds(&r.sys, &t);
  SERVE("all end at once", alone_s, 18.25e6 / (3 * 0.6e9 + 2.5e9));
  SERVE("among two others", hs_estimate_under(&r.sys, &prog, load), 3 * alone_s);
  hs_program_unseal(&prog);
  rig_close(&r);
}
END_TEST

/* Mids that wait for 1 ms of the big core, and have 2.5 ms to do: with the big core at its lowest clock it is 3.125 ms that they wait, and among two others three
 * times all that. */
START_TEST(work_that_waits_for_its_caller_takes_longer_among_others)
{
  struct rig r;
  rig_open(&r, "mace");
  struct hs_task t = {.processor = CPU, .opp = -1,
                      .work = {.cores = {3, 1}, .cycles = {1.6e6 + 4e6, 2.5e6}, .caller = 2.5e6, .power_factor = 1}};
  struct hs_program prog = {.tasks = &t, .n_tasks = 1};
  hs_program_seal(&prog);
  r.sys.backends[CPU].opp[1] = 0;
  const struct hs_competition load[HS_PROCESSORS_MAX] = {[CPU] = {.others = 2, .service_s = 1}};
  SERVE("alone", hs_task_seconds(&r.sys, &t), 3.125e-3 + 2.5e-3);
  SERVE("among two others", hs_estimate_under(&r.sys, &prog, load), 3 * (3.125e-3 + 2.5e-3));
  hs_program_unseal(&prog);
  rig_close(&r);
}
END_TEST

/* A rival that always has a task on the GPU, for a request that doesn't care where it runs. */
static int note_load(void *state, const struct hs_queue_view *v, struct hs_assignment *out)
{
  (void)state;
  for (int i = 0; i < v->n_waiting; i++) {
    const struct hs_waiting *w = &v->waiting[i];
    double *note = &serving_notes[w->request == 0 ? 0 : 16];
    for (int p = 0; p < v->soc->n_processors; p++) {
      note[2 * p] = w->load[p].others;
      note[2 * p + 1] = w->load[p].service_s;
    }
    out[i] = (struct hs_assignment){i, 0, v->plans[w->network]->alternatives[0]->n_ops, false};
  }
  return v->n_waiting;
}
static const struct hs_policy noting = {.name = "noting", .plan_all = serving_plan_three, .schedule = note_load};

/* The rival runs one kernel after the other on the CPU, of requests that are longer and shorter than ours: in each of our requests there
 * is one other task on the CPU, all the time. */
START_TEST(a_rival_that_always_runs)
{
  for (int longer = 0; longer < 2; longer++) {
    struct serving s;
    serving_open(&s);
    serving_add(&s, longer ? TINY : ONE, &noting);
    serving_add(&s, longer ? ONE : TINY, &serving_cpu);
    serving_run(&s, 20);
    const double *last = &s.out->notes[16];
    SERVE("others on the CPU", last[2 * CPU], 1);
    for (int p = 1; p < 5; p++) SERVE("idle", last[2 * p], 0);
    ck_assert_double_ge(last[2 * CPU + 1], serving_alone(&s, 1) * (1 - 1e-9)); /* shared, never faster than alone */
    ck_assert_double_le(last[2 * CPU + 1], 2 * serving_alone(&s, 1) * (1 + 1e-9));
    serving_close(&s);
  }
}
END_TEST

/* Operator after operator on the CPU; notes what of the GPU is known when the second request begins. */
static int in_pieces(void *state, const struct hs_queue_view *v, struct hs_assignment *out)
{
  (void)state;
  for (int i = 0; i < v->n_waiting; i++) {
    const struct hs_waiting *w = &v->waiting[i];
    if (w->request == 2 && w->next_op == 0) serving_notes[0] = w->load[GPU].others;
    out[i] = (struct hs_assignment){i, 0, w->next_op + 1, false};
  }
  return v->n_waiting;
}
static const struct hs_policy pieces = {.name = "pieces", .plan_all = serving_plan_three, .schedule = in_pieces};

/* A rival is on the GPU during the first piece of a request only: what is known afterwards is of the whole request, beside a past that was guessed when it
 * ended and the rival was gone. */
START_TEST(load_of_a_request_in_pieces)
{
  struct serving s;
  double there_s = 0;
  serving_open(&s);
  serving_add(&s, RIG_NET(RIG_IN("i", "1, 60, 70, 8"), "'d'", RIG_OP("c", "Conv", "'i'", ", 'channels': 64, 'kernel': [3, 3]") ","
                          RIG_OP("d", "Conv", "'c'", ", 'channels': 8, 'kernel': [1, 1]")), &pieces);
  serving_rate(serving_add(&s, TINY, &serving_gpu), 1, INFINITY);
  serving_run_for(&s, 0.1);
  for (int i = 0; i < s.out->n_events; i++) {
    const struct hs_event *e = &s.out->events[i];
    if (s.out->networks[i] == 1 && e->program->tasks[e->task].processor == GPU) there_s += e->end_s - e->ready_s;
  }
  double request_s = serving_latency(&s, 0, 0), past_s = 0.032 / M_LN2;
  ck_assert_double_lt(serving_outcome(&s, 1, 0)->end_s, hs_pieces_seconds(s.networks[0].pieces, 0, 0, 1));
  SERVE("the whole request counts", s.out->notes[0], there_s / (exp2(-request_s / 0.032) * past_s + request_s));
  serving_close(&s);
}
END_TEST

/* A rival's task on the GPU is ready at 1 s, runs from 1.4 s to 3 s; of a second one from 3.5 s on no end is known. Between 2 s and 4 s one was
 * there for 1 + 0.5 s of 2 s, and what ended took 1.6 s. Between 4 s and 4.02 s one was there all the time: what was before counts
 * 2^(-0.02 / 0.032), and it says how long one takes. A delay on the CPU, and our own task, are no competition. The rival is a network, or from outside. */
START_TEST(load_over_a_window)
{
  struct rig r;
  static struct hs_load_meter m;
  int rival = _i ? HS_LOAD_OF_OTHERS : 1;
  rig_open(&r, "tflite");
  struct hs_task tasks[3] = {{.processor = GPU}, {.processor = CPU, .delay_s = 1}, {.processor = GPU}};
  const struct hs_program prog = {.tasks = tasks, .n_tasks = 3};
  const struct hs_event first = {.program = &prog, .task = 0, .ready_s = 1, .start_s = 1.4, .end_s = 3};
  const struct hs_event own = {.program = &prog, .task = 2, .ready_s = 2.1, .start_s = 3, .end_s = 3.5};
  hs_load_open(&m, &r.sys);
  hs_load_ready(&m, rival, &tasks[0], 1);
  hs_load_begin(&m, 0, 2);
  hs_load_ready(&m, rival, &tasks[1], 2.2);
  hs_load_ready(&m, 0, &tasks[2], 2.1);
  hs_load_task(&m, rival, &first);
  hs_load_ready(&m, rival, &tasks[0], 3.5);
  hs_load_task(&m, 0, &own);
  hs_load_end(&m, 0, 4);
  SERVE("others on the GPU", hs_load_of(&m, 0, 4)[GPU].others, (3 - 2 + 4 - 3.5) / (4 - 2));
  SERVE("of them from outside", hs_load_of(&m, 0, 4)[GPU].outside, _i ? 0.75 : 0);
  SERVE("how long one takes", hs_load_of(&m, 0, 0)[GPU].service_s, 3 - 1.4);
  SERVE("none on the CPU", hs_load_of(&m, 0, 0)[CPU].others, 0);
  hs_load_begin(&m, 0, 4);
  hs_load_end(&m, 0, 4.02);
  double keep = exp2(-0.02 / 0.032);
  SERVE("still there", hs_load_of(&m, 0, 0)[GPU].others, (keep * 1.5 + 0.02) / (keep * 2 + 0.02));
  SERVE("from outside", hs_load_of(&m, 0, 0)[GPU].outside, _i ? hs_load_of(&m, 0, 0)[GPU].others : 0);
  SERVE("as long as the one before", hs_load_of(&m, 0, 0)[GPU].service_s, 3 - 1.4);
  rig_close(&r);
}
END_TEST

/* Of a CPU the fullest core counts: two threads are on cores of their own from 2 s on, a third joins one of them from 3 s on, and the first ends at 3.5 s. So
 * the most on a core are 1, 2 and 2 for 1, 0.5 and 0.5 s of 2 s, on all cores 2, 3 and 2. Then 2 and 2 for 0.02 s. */
START_TEST(load_of_a_cpus_cores)
{
  struct rig r;
  static struct hs_load_meter m;
  rig_open(&r, "tflite");
  struct hs_task tasks[3] = {{.processor = CPU, .first_core = 1, .work = {.cores = {1}}},
                             {.processor = CPU, .first_core = 0, .work = {.cores = {0, 1}}},
                             {.processor = CPU, .first_core = 0, .work = {.cores = {0, 1}}}};
  const struct hs_program prog = {.tasks = tasks, .n_tasks = 3};
  const struct hs_event first = {.program = &prog, .task = 0, .ready_s = 2, .start_s = 2, .end_s = 3.5};
  hs_load_open(&m, &r.sys);
  hs_load_begin(&m, 0, 2);
  hs_load_ready(&m, HS_LOAD_OF_OTHERS, &tasks[0], 2);
  hs_load_ready(&m, HS_LOAD_OF_OTHERS, &tasks[1], 2);
  hs_load_ready(&m, HS_LOAD_OF_OTHERS, &tasks[2], 3);
  hs_load_task(&m, HS_LOAD_OF_OTHERS, &first);
  hs_load_end(&m, 0, 4);
  SERVE("others on the fullest core", hs_load_of(&m, 0, 4)[CPU].others, (1 * 1 + 2 * 1) / 2.);
  SERVE("on so many cores", hs_load_of(&m, 0, 4)[CPU].spread, (2 * 1 + 3 * 0.5 + 2 * 0.5) / (1 * 1 + 2 * 1));
  hs_load_begin(&m, 0, 4);
  hs_load_end(&m, 0, 4.02);
  double keep = exp2(-0.02 / 0.032);
  SERVE("on so many cores", hs_load_of(&m, 0, 4)[CPU].spread, (keep * 4.5 + 2 * 0.02) / (keep * 3 + 2 * 0.02));
  rig_close(&r);
}
END_TEST

/* Where cores are shared in slices of time, two threads keep theirs for the 2 ms that they wait for the next operator; one thread doesn't wait. */
START_TEST(load_of_threads_that_wait)
{
  for (int threads = 1; threads <= 2; threads++)
    for (int sliced = 0; sliced < 2; sliced++) {
      struct rig r;
      static struct hs_load_meter m;
      rig_open(&r, "tflite");
      struct hs_task task = {.processor = CPU, .work = {.cores = {threads}}};
      const struct hs_program prog = {.tasks = &task, .n_tasks = 1};
      const struct hs_event e = {.program = &prog, .task = 0, .ready_s = 1, .start_s = 1, .end_s = 1.5};
      r.sys.backends[CPU].spin_s = 2e-3;
      r.sys.scheduler = sliced ? &r.soc->scheduler : NULL;
      hs_load_open(&m, &r.sys);
      hs_load_begin(&m, 0, 1);
      hs_load_ready(&m, 1, &task, 1);
      hs_load_task(&m, 1, &e);
      hs_load_end(&m, 0, 2);
      SERVE("how long one takes", hs_load_of(&m, 0, 0)[CPU].service_s, 0.5 + (sliced && threads > 1 ? 2e-3 : 0));
      rig_close(&r);
    }
}
END_TEST

/* A program of the test's own. */
static void seal(struct hs_program *prog, struct hs_task *tasks, int n_tasks, int *deps, int n_deps)
{
  *prog = (struct hs_program){.tasks = tasks, .n_tasks = n_tasks, .deps = deps, .n_deps = n_deps};
  hs_program_seal(prog);
}

/* The host has something for two kernels of the NPU (0), which is called (1) for the first (2); the second (4) waits for the host again
 * (3). One is in the NPU's queue all the time, for 0.4 ms: half of that is waited for at the call and before the second kernel, if that
 * isn't ready when the first has ended, and never between a call and its kernel, whatever else that waits for. */
START_TEST(waits_of_invocations)
{
  for (int late = 0; late < 2; late++) {
    struct rig r;
    struct hs_program prog;
    rig_open(&r, "tflite");
    int deps[] = {0, 0, 1, 0, 2, 3};
    struct hs_task tasks[] = {{.processor = CPU, .to = CPU, .delay_s = 1e-3},
                              {.kind = HS_TASK_RPC, .processor = NPU, .to = NPU, .delay_s = 1e-3, .first_dep = 0, .n_deps = 1},
                              {.processor = NPU, .to = NPU, .delay_s = 1e-3, .first_dep = 1, .n_deps = 2},
                              {.processor = CPU, .to = CPU, .delay_s = late ? 5e-3 : 1e-3, .first_dep = 3, .n_deps = 1},
                              {.processor = NPU, .to = NPU, .delay_s = 1e-3, .first_dep = 4, .n_deps = 2}};
    struct hs_competition load[HS_PROCESSORS_MAX] = {[NPU] = {.others = 1, .service_s = 4e-4}};
    seal(&prog, tasks, 5, deps, 6);
    SERVE("one in the NPU's queue", hs_estimate_under(&r.sys, &prog, load), late ? 1e-3 + 5e-3 + 2e-4 + 1e-3 : 1e-3 + 2e-4 + 3e-3);
    hs_program_unseal(&prog);
    rig_close(&r);
  }
}
END_TEST

/* The host takes 1 ms, then the NPU is called for a kernel, later for another. Of what is there now 3 ms are left, of which we see 2; with
 * 1.5 more in the queue, those as well. It has ended when we come if 0.5 ms are left: then half of the next one. The second invocation
 * finds half, too. */
START_TEST(what_is_left_of_the_one_in_service)
{
  static const struct {
    double others, left_s, wait_s;
  } cases[] = {{1, 3e-3, 2e-3}, {0.3, 3e-3, 2e-3}, {2.5, 3e-3, 2e-3 + 1.5 * 4e-4}, {1, 5e-4, 2e-4}, {1, 0, 2e-4}};
  for (int i = 0; i < 5; i++) {
    struct rig r;
    struct hs_program prog;
    rig_open(&r, "tflite");
    int deps[] = {0, 1, 2, 3};
    struct hs_task tasks[] = {{.processor = CPU, .to = CPU, .delay_s = 1e-3},
                              {.kind = HS_TASK_RPC, .processor = NPU, .to = NPU, .delay_s = 1e-3, .first_dep = 0, .n_deps = 1},
                              {.processor = NPU, .to = NPU, .delay_s = 1e-3, .first_dep = 1, .n_deps = 1},
                              {.processor = CPU, .to = CPU, .delay_s = 1e-3, .first_dep = 2, .n_deps = 1},
                              {.processor = NPU, .to = NPU, .delay_s = 1e-3, .first_dep = 3, .n_deps = 1}};
    struct hs_competition load[HS_PROCESSORS_MAX] = {[NPU] = {.others = cases[i].others, .service_s = 4e-4, .left_s = cases[i].left_s}};
    seal(&prog, tasks, 5, deps, 4);
    double later_s = (cases[i].others - fmin(cases[i].others, 1) / 2) * 4e-4;
    SERVE("the NPU is busy", hs_estimate_under(&r.sys, &prog, load), 5e-3 + cases[i].wait_s + later_s);
    hs_program_unseal(&prog);
    rig_close(&r);
  }
}
END_TEST

/* Two invocations of the NPU, a call and a kernel of 1 ms each, both ready from 1 ms on: the first call comes after a gap and finds half of another's 0.4 ms
 * left, the second one waits for all of the next, and nobody comes between a call and its kernel. */
START_TEST(invocations_one_after_the_other)
{
  struct rig r;
  struct hs_program prog;
  rig_open(&r, "tflite");
  int deps[] = {0, 1, 0, 3};
  struct hs_task tasks[] = {{.processor = CPU, .to = CPU, .delay_s = 1e-3},
                            {.kind = HS_TASK_RPC, .processor = NPU, .to = NPU, .delay_s = 1e-3, .first_dep = 0, .n_deps = 1},
                            {.processor = NPU, .to = NPU, .delay_s = 1e-3, .first_dep = 1, .n_deps = 1},
                            {.kind = HS_TASK_RPC, .processor = NPU, .to = NPU, .delay_s = 1e-3, .first_dep = 2, .n_deps = 1},
                            {.processor = NPU, .to = NPU, .delay_s = 1e-3, .first_dep = 3, .n_deps = 1}};
  struct hs_competition load[HS_PROCESSORS_MAX] = {[NPU] = {.others = 1, .service_s = 4e-4}};
  seal(&prog, tasks, 5, deps, 4);
  SERVE("each waits for another's", hs_estimate_under(&r.sys, &prog, load), 5e-3 + 2e-4 + 4e-4);
  hs_program_unseal(&prog);
  rig_close(&r);
}
END_TEST

/* Nobody is in service when a program comes to the NPU at once: it begins. */
START_TEST(what_is_free_is_begun_at_once)
{
  struct rig r;
  struct hs_program prog;
  rig_open(&r, "tflite");
  struct hs_task task = {.kind = HS_TASK_RPC, .processor = NPU, .to = NPU, .delay_s = 1e-3};
  struct hs_competition load[HS_PROCESSORS_MAX] = {[NPU] = {.others = 0.9, .service_s = 4e-4}};
  seal(&prog, &task, 1, NULL, 0);
  SERVE("free", hs_estimate_under(&r.sys, &prog, load), 1e-3);
  load[NPU].left_s = 3e-4;
  SERVE("in service", hs_estimate_under(&r.sys, &prog, load), 1e-3 + 3e-4);
  load[NPU].left_s = NAN;
  SERVE("for how long isn't known", hs_estimate_under(&r.sys, &prog, load), 1e-3 + 0.9 * 4e-4);
  hs_program_unseal(&prog);
  rig_close(&r);
}
END_TEST

/* A call of the NPU and its kernel. */
static void seal_invocation(struct hs_program *prog)
{
  static int deps[] = {0};
  static struct hs_task tasks[] = {{.kind = HS_TASK_RPC, .processor = NPU, .to = NPU}, {.processor = NPU, .to = NPU, .first_dep = 0, .n_deps = 1}};
  seal(prog, tasks, 2, deps, 1);
}

/* An invocation of 2 ms and one of 4 end; then somebody looks thrice, each time between the end of an invocation and the beginning of the next: it takes 3 ms
 * still, however long ago the last beginning was. */
START_TEST(load_of_who_never_sees_one_begin)
{
  struct rig r;
  static struct hs_load_meter m;
  struct hs_program prog;
  rig_open(&r, "tflite");
  seal_invocation(&prog);
  hs_load_open(&m, &r.sys);
  hs_load_begin(&m, 0, 0);
  for (int i = 0; i < 5; i++) {
    double start_s = 10e-3 * i, half_s = i % 2 ? 2e-3 : 1e-3;
    const struct hs_event call = {.program = &prog, .task = 0, .request = i, .ready_s = start_s, .start_s = start_s, .end_s = start_s + half_s};
    const struct hs_event kernel = {.program = &prog, .task = 1, .request = i, .ready_s = call.end_s, .start_s = call.end_s, .end_s = call.end_s + half_s};
    hs_load_ready(&m, 1, &prog.tasks[0], start_s);
    hs_load_task(&m, 1, &call);
    hs_load_ready(&m, 1, &prog.tasks[1], call.end_s);
    if (i > 1) hs_load_begin(&m, 0, call.end_s);
    hs_load_task(&m, 1, &kernel);
    if (i == 1) hs_load_end(&m, 0, 20e-3);
    if (i > 1) hs_load_end(&m, 0, kernel.end_s);
  }
  double service_s = hs_load_of(&m, 0, 0)[NPU].service_s;
  ck_assert_msg(service_s >= 2e-3 && service_s <= 4e-3, "%g s", service_s);
  hs_program_unseal(&prog);
  rig_close(&r);
}
END_TEST

/* Three kernels of a GPU, 1 ms each, in slices of 1.5 ms: tasks of 2 ms from outside are waited for by the first and the third, those of other networks by each.
 * The third may also come from the host at 5.2 ms, when the GPU has had nothing of ours since 4 ms + 2 ms · others: half of one is left, also where a
 * slice of 4 ms isn't over. */
START_TEST(slices_of_a_gpu)
{
  static const struct {
    double others, outside;
  } cases[] = {{1, 0}, {1, 1}, {0.8, 0.5}};
  double others = cases[_i].others, outside = cases[_i].outside;
  struct rig r;
  struct hs_program prog;
  rig_open(&r, "tflite");
  int deps[] = {2};
  struct hs_task tasks[] = {{.processor = GPU, .to = GPU, .delay_s = 1e-3}, {.processor = GPU, .to = GPU, .delay_s = 1e-3},
                            {.processor = CPU, .to = CPU, .delay_s = 5.2e-3}, {.processor = GPU, .to = GPU, .delay_s = 1e-3}};
  struct hs_competition load[HS_PROCESSORS_MAX] = {[GPU] = {.others = others, .outside = outside, .service_s = 2e-3, .left_s = others * 2e-3}};
  r.soc->processors[GPU].context_slice_s = 1.5e-3;
  seal(&prog, tasks, 4, deps, 0);
  SERVE("kernels in a row", hs_estimate_under(&r.sys, &prog, load), fmax(3e-3 + (3 * others - outside) * 2e-3, 5.2e-3));
  hs_program_unseal(&prog);
  r.soc->processors[GPU].context_slice_s = 4e-3;
  tasks[3].n_deps = 1;
  seal(&prog, tasks, 4, deps, 1);
  double free_s = 2e-3 + (2 * others - outside) * 2e-3;
  SERVE("and one after a gap", hs_estimate_under(&r.sys, &prog, load),
        free_s < 5.2e-3 ? 5.2e-3 + (others - fmin(others, 1) / 2) * 2e-3 + 1e-3 : free_s + others * 2e-3 + 1e-3);
  hs_program_unseal(&prog);
  rig_close(&r);
}
END_TEST

/* A task of the given program in the meter's eyes: ready and running. */
static void pass(struct hs_load_meter *m, int network, const struct hs_program *prog, int task, double ready_s, double start_s, double end_s)
{
  const struct hs_event e = {.program = prog, .task = task, .ready_s = ready_s, .start_s = start_s, .end_s = end_s};
  hs_load_ready(m, network, &prog->tasks[task], ready_s);
  hs_load_task(m, network, &e);
}

/* Rivals' invocations of the NPU, a call of 1 ms and a kernel of 2: after one that is through, another one is ready at 10 ms, or as soon as we leave the NPU at
 * 10.5 ms. Once its call is over it is the one in service, whoever came before. Of what has taken longer than usual nobody knows when it ends. */
START_TEST(how_long_the_one_in_service_still_takes)
{
  struct rig r;
  static struct hs_load_meter m;
  struct hs_program prog;
  rig_open(&r, "tflite");
  seal_invocation(&prog);
  hs_load_open(&m, &r.sys);
  SERVE("nobody yet", hs_load_of(&m, 0, 0)[NPU].left_s, 0);
  for (int i = 1; i <= 2; i++) {
    pass(&m, i, &prog, 0, 0, 3e-3 * i, 3e-3 * i + 1e-3);
    hs_load_ready(&m, i, &prog.tasks[1], 3e-3 * i + 1e-3);
    ck_assert(isnan(hs_load_of(&m, 0, 3e-3 * i + 1e-3)[NPU].left_s)); /* the first, nothing is known */
    hs_load_task(&m, i, &(struct hs_event){.program = &prog, .task = 1, .ready_s = 3e-3 * i + 1e-3, .start_s = 3e-3 * i + 1e-3, .end_s = 3e-3 * i + 3e-3});
  }
  SERVE("nobody there", hs_load_of(&m, 0, 10e-3)[NPU].left_s, 0);
  hs_load_ready(&m, 1, &prog.tasks[0], 10e-3);
  SERVE("just begun", hs_load_of(&m, 0, 10e-3)[NPU].left_s, 3e-3);
  SERVE("a while ago", hs_load_of(&m, 0, 10.4e-3)[NPU].left_s, 2.6e-3);
  SERVE("none of its own", hs_load_of(&m, 1, 10.4e-3)[NPU].left_s, 0);
  pass(&m, 0, &prog, 0, 9e-3, 9.5e-3, 10.5e-3);
  SERVE("since we left", hs_load_of(&m, 0, 11e-3)[NPU].left_s, 2.5e-3);
  hs_load_ready(&m, 2, &prog.tasks[0], 9.9e-3);
  hs_load_task(&m, 1, &(struct hs_event){.program = &prog, .task = 0, .ready_s = 10e-3, .start_s = 10.5e-3, .end_s = 11.5e-3});
  hs_load_ready(&m, 1, &prog.tasks[1], 11.5e-3);
  SERVE("in its second task", hs_load_of(&m, 0, 12e-3)[NPU].left_s, 1.5e-3);
  ck_assert(isnan(hs_load_of(&m, 0, 14e-3)[NPU].left_s)); /* longer than usual */
  hs_load_task(&m, 1, &(struct hs_event){.program = &prog, .task = 1, .ready_s = 11.5e-3, .start_s = 11.5e-3, .end_s = 15.5e-3});
  SERVE("then the other", hs_load_of(&m, 0, 16e-3)[NPU].left_s, 2.5e-3);
  hs_program_unseal(&prog);
  rig_close(&r);
}
END_TEST

/* On a GPU each task is by itself: of rivals that have one each the one that was ready first, since the task before it ended, or since it was ready itself
 * where the GPU had nothing to do. */
START_TEST(how_long_a_kernel_still_takes)
{
  struct rig r;
  static struct hs_load_meter m;
  struct hs_program prog;
  rig_open(&r, "tflite");
  struct hs_task task = {.processor = GPU, .to = GPU};
  seal(&prog, &task, 1, NULL, 0);
  hs_load_open(&m, &r.sys);
  pass(&m, 1, &prog, 0, 1e-3, 1e-3, 3e-3);
  pass(&m, 2, &prog, 0, 1e-3, 3e-3, 7e-3);
  hs_load_ready(&m, 2, &task, 7e-3);
  hs_load_ready(&m, 1, &task, 6.5e-3);
  SERVE("two wait", hs_load_of(&m, 0, 7.5e-3)[GPU].left_s, 2e-3 - 0.5e-3);
  hs_load_task(&m, 1, &(struct hs_event){.program = &prog, .ready_s = 6.5e-3, .start_s = 7e-3, .end_s = 9e-3});
  hs_load_task(&m, 2, &(struct hs_event){.program = &prog, .ready_s = 7e-3, .start_s = 9e-3, .end_s = 13e-3});
  hs_load_ready(&m, 1, &task, 20e-3);
  SERVE("after a pause", hs_load_of(&m, 0, 20.5e-3)[GPU].left_s, 2e-3 - 0.5e-3);
  hs_program_unseal(&prog);
  rig_close(&r);
}
END_TEST

/* Another's call and two kernels of 1 ms: on a DSP or NPU one invocation of 3 ms is under way all the time, on the GPU three tasks. If the
 * second kernel waits for the host, until 4 ms, there are two invocations, of 2 and 1 ms. As guessed from the program, and as measured. */
START_TEST(load_of_invocations)
{
  for (int which = 0; which < 6; which++) {
    struct rig r;
    static struct hs_load_meter m;
    struct hs_program prog;
    int p = GPU + which % 3;
    double starts[] = {0, 0, 1e-3, which < 3 ? 2e-3 : 4e-3}, one = p == GPU ? 1e-3 : which < 3 ? 3e-3 : 1.5e-3;
    rig_open(&r, "tflite");
    int deps[] = {1, 2, 0};
    struct hs_task tasks[] = {{.processor = CPU, .to = CPU, .delay_s = which < 3 ? 1e-3 : 4e-3},
                              {.kind = HS_TASK_RPC, .processor = p, .to = p, .delay_s = 1e-3},
                              {.processor = p, .to = p, .delay_s = 1e-3, .first_dep = 0, .n_deps = 1},
                              {.processor = p, .to = p, .delay_s = 1e-3, .first_dep = 1, .n_deps = 2}};
    seal(&prog, tasks, 4, deps, 3);
    hs_load_open(&m, &r.sys);
    hs_load_add(&m, 1, &prog);
    SERVE("guessed", hs_load_of(&m, 0, 0)[p].service_s, one);
    hs_load_remove(&m, 1);
    hs_load_begin(&m, 0, 0);
    for (int i = 1; i < 4; i++) {
      const struct hs_event e = {.program = &prog, .task = i, .ready_s = starts[i], .start_s = starts[i], .end_s = starts[i] + 1e-3};
      hs_load_ready(&m, 1, &tasks[i], e.ready_s);
      hs_load_task(&m, 1, &e);
    }
    hs_load_end(&m, 0, 5e-3);
    SERVE("measured", hs_load_of(&m, 0, 0)[p].service_s, one);
    hs_program_unseal(&prog);
    rig_close(&r);
  }
}
END_TEST

/* Of somebody who computes on the GPU all the time nothing was seen in the first 20 ms: the guess that one is there stays, as if it had held for ever
 * (a sum of 0.032 s / ln 2), and counts 2^(-0.02 / 0.032). */
START_TEST(load_begins_with_a_guess)
{
  struct rig r;
  static struct hs_load_meter m;
  rig_open(&r, "tflite");
  int p = _i ? CPU : GPU;
  struct hs_task task = {.processor = p, .opp = -1, .work = {.cores = {1 + _i}, .cycles = {585e3}, .power_factor = 1}};
  struct hs_program prog;
  double past = 0.032 / log(2) * exp2(-0.02 / 0.032);
  seal(&prog, &task, 1, NULL, 0);
  hs_load_open(&m, &r.sys);
  hs_load_add(&m, 1, &prog);
  SERVE("the guess", hs_load_of(&m, 0, 0)[p].others, 1);
  hs_load_begin(&m, 0, 2);
  hs_load_end(&m, 0, 2.02);
  SERVE("fades", hs_load_of(&m, 0, 0)[p].others, past / (past + 0.02));
  SERVE("how long one takes", hs_load_of(&m, 0, 0)[p].service_s, hs_task_seconds(&r.sys, &task));
  if (_i) SERVE("on so many cores", hs_load_of(&m, 0, 0)[p].spread, 2);
  hs_program_unseal(&prog);
  rig_close(&r);
}
END_TEST

static void fill(TCase *t)
{
  tcase_add_test(t, estimates_under_a_load);
  tcase_add_loop_test(t, estimates_in_slices, 0, 8);
  tcase_add_test(t, work_that_is_stolen_takes_longer_among_others);
  tcase_add_test(t, work_that_waits_for_its_caller_takes_longer_among_others);
  tcase_add_test(t, a_rival_that_always_runs);
  tcase_add_test(t, load_of_a_request_in_pieces);
  tcase_add_loop_test(t, load_over_a_window, 0, 2);
  tcase_add_test(t, load_of_a_cpus_cores);
  tcase_add_test(t, load_of_threads_that_wait);
  tcase_add_test(t, waits_of_invocations);
  tcase_add_test(t, what_is_left_of_the_one_in_service);
  tcase_add_test(t, invocations_one_after_the_other);
  tcase_add_loop_test(t, slices_of_a_gpu, 0, 3);
  tcase_add_test(t, what_is_free_is_begun_at_once);
  tcase_add_test(t, load_of_who_never_sees_one_begin);
  tcase_add_test(t, how_long_the_one_in_service_still_takes);
  tcase_add_test(t, how_long_a_kernel_still_takes);
  tcase_add_test(t, load_of_invocations);
  tcase_add_loop_test(t, load_begins_with_a_guess, 0, 2); /* on a GPU, on two cores of a CPU */
}

int main(void) { return hs_test_main("competition", fill); }
