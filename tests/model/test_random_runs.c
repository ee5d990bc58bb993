/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs of random placements keep every invariant and aren't faster than the estimate; limits of the GPU cost time. */
#include "tests/model/random.h"

START_TEST(runs_keep_the_invariants)
{
  for (int trial = 0; trial < RUNS; trial++) {
    struct rig r;
    gsl_rng *rng = stream("runs", trial);
    struct hs_estimate e;
    open_random(rng, &r);
    limit_gpu(rng, &r);
    struct hs_placement *pl = random_placement(rng, &r);
    struct hs_program *prog = rig_lower(&r, pl);
    hs_estimate_program(&r.sys, prog, &e, NULL, NULL);
    struct rig_run *run = rig_run(&r, pl, prog, 2); /* asserts hs_check_run() */
    ck_assert_int_eq(run->n_requests, 2);
    ck_assert_double_ge(run->latency_s[0], e.latency_s * (1 - 1e-9)); /* in-order queues: delays never help */
    ck_assert_double_ge(run->summary.energy_j, e.energy_j * (1 - 1e-9));
    rig_derive("second inference", "first", run->latency_s[1], run->latency_s[0], 1e-9);
    rig_run_free(run);
    hs_program_free(prog);
    rig_close(&r);
    gsl_rng_free(rng);
  }
}
END_TEST

/* As many launches as the result has rows (or fours of channels): shorter they can't be. */
static bool is_one_row(const struct rig *r, const struct hs_task *t)
{
  const struct hs_shape *s = &r->graph->tensors[t->tensor].shape;
  int64_t rows = s->rank == 4 && s->dim[1] > 1 ? s->dim[0] * s->dim[1] : (hs_shape_elements(s) + 3) / 4;
  return t->n_launches == rows;
}

/* On the GPU alone nothing runs meanwhile: limits only add start-ups and waiting, the engine sees them as the estimate does, and nothing but
 * a single row is longer than allowed. */
START_TEST(limits_of_the_gpu_cost_time)
{
  int cut = 0, waits = 0;
  for (int trial = 0; trial < RUNS; trial++) {
    struct rig r;
    gsl_rng *rng = stream("limits", trial);
    struct hs_estimate before, after;
    open_random(rng, &r);
    for (int i = 0; i < r.graph->n_ops; i++) r.graph->ops[i].override[HS_GPU] = true;
    struct hs_placement *pl = rig_place_all(&r, GPU);
    struct hs_program *whole = rig_lower(&r, pl);
    limit_gpu(rng, &r);
    struct hs_program *prog = rig_lower(&r, pl);
    hs_estimate_program(&r.sys, whole, &before, NULL, NULL);
    hs_estimate_program(&r.sys, prog, &after, NULL, NULL);
    ck_assert_double_ge(after.latency_s, before.latency_s * (1 - 1e-12));
    ck_assert_double_ge(after.energy_j, before.energy_j * (1 - 1e-12));
    for (int t = 0; t < prog->n_tasks; t++) {
      const struct hs_task *k = &prog->tasks[t];
      cut += k->n_launches > 0;
      waits += k->kind == HS_TASK_SYNC && k->tensor < 0;
      if (k->n_launches && !is_one_row(&r, k)) ck_assert_double_le(hs_task_seconds(&r.sys, k), r.sys.backends[GPU].kernel_s);
    }
    struct rig_run *run = rig_run(&r, pl, prog, 2);
    rig_derive("limited", "estimate", run->latency_s[0], after.latency_s, 1e-9);
    rig_derive("limited, energy", "estimate", run->summary.energy_j, after.energy_j, 1e-9);
    rig_run_free(run);
    hs_program_free(whole);
    hs_program_free(prog);
    rig_close(&r);
    gsl_rng_free(rng);
  }
  ck_assert_int_gt(cut, RUNS);
  ck_assert_int_gt(waits, RUNS);
}
END_TEST

static void fill(TCase *t)
{
  tcase_add_test(t, runs_keep_the_invariants);
  tcase_add_test(t, limits_of_the_gpu_cost_time);
}

int main(void) { return hs_test_main("random_runs", fill); }
