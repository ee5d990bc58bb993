/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a scheduler knows of the competition: the load that networks meet, as it is measured. The policies are the tests' own. */
#include "tests/model/serving.h"

#include "tests/model/sealed.h"

#include "serve/load.h"

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
  tcase_add_test(t, a_rival_that_always_runs);
  tcase_add_test(t, load_of_a_request_in_pieces);
  tcase_add_loop_test(t, load_over_a_window, 0, 2);
  tcase_add_test(t, load_of_a_cpus_cores);
  tcase_add_test(t, load_of_threads_that_wait);
  tcase_add_test(t, load_of_who_never_sees_one_begin);
  tcase_add_test(t, how_long_the_one_in_service_still_takes);
  tcase_add_test(t, how_long_a_kernel_still_takes);
  tcase_add_test(t, load_of_invocations);
  tcase_add_loop_test(t, load_begins_with_a_guess, 0, 2); /* on a GPU, on two cores of a CPU */
}

int main(void) { return hs_test_main("load", fill); }
