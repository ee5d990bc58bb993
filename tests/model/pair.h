/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Programs written by hand: two operators that don't depend on each other, the first on the CPU (9 GB/s), the second on the GPU
 * (11 GB/s), of a memory with 13 GB/s. */
#ifndef HS_TEST_PAIR_H
#define HS_TEST_PAIR_H

#include "tests/model/rig.h"

#define PAIR RIG_NET(RIG_IN("i", "1, 6, 7, 5"), "'a', 'b'", RIG_OP("a", "Relu", "'i'", "") "," RIG_OP("b", "Tanh", "'i'", ""))

struct pair {
  struct rig r;
  struct hs_placement *pl;
  struct hs_task tasks[8];
  int deps[8];
  struct hs_program prog;
};

static inline void open_pair(struct pair *x)
{
  *x = (struct pair){.prog = {.n_ops = 2}};
  rig_open(&x->r, "mace");
  rig_read_network(&x->r, PAIR);
  x->pl = rig_place_all(&x->r, CPU);
  x->pl->ops[1].parts[0].processor = GPU;
  x->prog.tasks = x->tasks;
  x->prog.deps = x->deps;
}

static inline struct hs_task *add(struct pair *x, int op, int p, int opp, double mid_or_gpu, double big, double bytes)
{
  struct hs_task *t = &x->tasks[x->prog.n_tasks++];
  *t = (struct hs_task){.kind = HS_TASK_EXEC, .op = op, .tensor = -1, .processor = p, .opp = opp, .first_dep = x->prog.n_deps};
  t->work = (struct hs_work){.cycles = {mid_or_gpu, big}, .bytes = bytes, .power_factor = 1};
  t->work.cores[0] = p == CPU ? 3 : 1;
  t->work.cores[1] = p == CPU;
  return t;
}

static inline void wait_for(struct pair *x, struct hs_task *t, int task)
{
  x->deps[x->prog.n_deps++] = task;
  t->n_deps++;
}

static inline void close_pair(struct pair *x, struct rig_run *run)
{
  if (run) rig_run_free(run);
  rig_close(&x->r);
}

/* Start, end and shares of a task. */
static inline const struct hs_event *event_of(const struct rig_run *run, int job, int task)
{
  for (int i = 0; i < run->n_events; i++)
    if (run->events[i].task == task && run->events[i].request == job) return &run->events[i];
  ck_abort_msg("task %d of job %d did not run", task, job);
  return NULL;
}

#define ENGINE(situation, is, expected) rig_derive(situation, #expected, is, expected, 1e-9)

#endif
