/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What cutting kernels and a window of them are for: VGG-16 on the GPU in buffers while the display draws 60 frames per second. Fewer
 * are dropped, no frame waits for longer than a window of launches, and the inference takes somewhat longer. */
#include "tests/unit/suite.h"

#include <math.h>

#include "out/metrics.h"
#include "plan/estimate.h"
#include "program/child.h"
#include "program/setup.h"
#include "serve/living.h"

enum { INFERENCES = 3 };

struct drawn {
  const char *soc, *ui;
  double kernel_s;
  int window;
  enum hs_status status;
  char message[300];
  int n;
  double latency_s, longest_s; /* mean of the inferences; the longest launch */
  double frame_cpu_s, frame_gpu_s;
  struct hs_frames frames;
};

static void on_ended(void *state, const struct hs_outcome *o)
{
  struct drawn *d = state;
  d->latency_s += (o->end_s - o->arrival_s) / INFERENCES;
  d->n++;
}

static enum hs_status simulate(struct drawn *d, struct hs_setup *s, struct hs_error *err)
{
  const struct hs_run_options options = {.soc = d->soc, .policy = "gpu", .runtime = "mace", .memory_type = "buffer", .model = "vgg16", .seed = 1,
                                 .gpu_kernel_s = d->kernel_s, .gpu_window = d->window, .scenario = {.ui = d->ui}};
  struct hs_living *living = NULL;
  HS_TRY(hs_setup_make(s, &options, err));
  for (int t = 0; t < s->program->n_tasks; t++)
    if (s->program->tasks[t].kind == HS_TASK_EXEC) d->longest_s = fmax(d->longest_s, hs_task_seconds(&s->sys, &s->program->tasks[t]));
  if (s->scenario.living) living = hs_living_open(&s->sys, &s->scenario, options.seed);
  const struct hs_serve_calls calls = {.state = d, .ended = on_ended, .living = living};
  enum hs_status status = hs_serve(&s->sys, s->networks, 1, INFERENCES, 0, &calls, NULL, err);
  if (living) d->frames = hs_living_frames(living);
  d->frame_cpu_s = s->scenario.ui_cpu_s;
  d->frame_gpu_s = s->scenario.ui_gpu_s;
  hs_living_close(living);
  return status;
}

static void child(const void *state, void *answer)
{
  struct drawn *d = answer;
  struct hs_setup s = {0};
  struct hs_error err = {0};
  *d = *(const struct drawn *)state;
  d->status = simulate(d, &s, &err);
  snprintf(d->message, sizeof d->message, "%.200s", err.text);
  hs_setup_free(&s);
}

static struct drawn run(const char *soc, const char *ui, double kernel_s, int window)
{
  const struct drawn how = {.soc = soc, .ui = ui, .kernel_s = kernel_s, .window = window};
  struct drawn d;
  struct hs_error err;
  hs_test_accepted(hs_in_child(child, &how, &d, sizeof d, "jank", &err), &err);
  ck_assert_msg(d.status == HS_OK, "%s", d.message);
  ck_assert_int_eq(d.n, INFERENCES);
  return d;
}

static double dropped(const struct drawn *d) { return hs_frames_dropped_frac(&d->frames); }

START_TEST(limits_help_the_display)
{
  static const char *const socs[] = {"sd855", "sd888", "kirin990", "tensor"};
  static const double on_mali[] = {0, 0, 0.55, 0.45}; /* a Mali stays with a client for 50 ms */
  struct drawn free_running = run(socs[_i], "60", 0, 0), cut = run(socs[_i], "60", 1e-3, 0), window = run(socs[_i], "60", 0, 4),
               both = run(socs[_i], "60", 1e-3, 4), alone = run(socs[_i], NULL, 0, 0), both_alone = run(socs[_i], NULL, 1e-3, 4);
  printf("%-9s dropped %.1f %%, cut %.1f %%, window %.1f %%, both %.1f %% (worst frame %.1f ms); idle %.1f and %.1f ms\n", socs[_i],
         100 * dropped(&free_running), 100 * dropped(&cut), 100 * dropped(&window), 100 * dropped(&both), 1e3 * both.frames.worst_s, 1e3 * alone.latency_s,
         1e3 * both_alone.latency_s);
  /* An Adreno stays with a client until its queue is empty. So two frames of each inference, which were under way when it began, aren't dropped, and one
   * under way when the run ends: at most 7 of more than 110. */
  if (on_mali[_i] > 0) ck_assert_double_gt(dropped(&free_running), on_mali[_i]);
  else ck_assert_double_le((1 - dropped(&free_running)) * free_running.frames.vsyncs, 2 * INFERENCES + 1 + 1e-9);
  ck_assert_double_lt(dropped(&both), 0.25 * dropped(&free_running));
  ck_assert_double_lt(dropped(&both), dropped(&cut));
  ck_assert_double_lt(dropped(&both), dropped(&window));
  ck_assert_double_lt(both.longest_s, alone.longest_s);
  /* CPU stage, beside the host's thread; the launches that were enqueued; GPU stage */
  ck_assert_double_le(both.frames.worst_s, 2 * both.frame_cpu_s + 4 * both.longest_s + both.frame_gpu_s);
  ck_assert_double_gt(both_alone.latency_s, alone.latency_s);
  ck_assert_double_lt(both_alone.latency_s, 1.25 * alone.latency_s);
}
END_TEST

static void fill(TCase *t)
{
  tcase_set_timeout(t, 120);
  tcase_add_loop_test(t, limits_help_the_display, 0, 4);
}

int main(void) { return hs_test_main("jank", fill); }
