/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "calibrate/measured.h"

#include <math.h>
#include <stdio.h>

#include "input/kernel_numbers.h"
#include "model/groups.h"
#include "model/products.h"

const char *hs_measured_kernel(const struct hs_bench *bench, char *buf, size_t size)
{
  const struct hs_backend *b = &bench->sys.backends[bench->processor];
  const struct hs_processor *p = &bench->sys.soc->processors[bench->processor];
  snprintf(buf, size, "%s, %s%s%s", p->name, hs_precision_names[b->precision], p->kind == HS_GPU ? ", " : "",
           p->kind == HS_GPU ? hs_memory_type_names[b->memory_type] : "");
  return buf;
}

const struct hs_operator *hs_measured_operator(const struct hs_measurement *r) { return r->op < 0 ? NULL : &r->graph->ops[r->op]; }

/* What runs of an operator, held by `w` where that is one group of a convolution that is written out. */
struct run {
  const struct hs_graph *graph;
  const struct hs_operator *op;
};

static struct run run_of(const struct hs_measurement *r, struct hs_groups *w)
{
  const struct hs_operator *op = hs_measured_operator(r);
  if (hs_groups_write_out(&r->bench->sys, r->graph, op, r->bench->processor, w)) return (struct run){&w->graph, &w->op[HS_GROUPS_CONV]};
  return (struct run){r->graph, op};
}

enum hs_op_class hs_measured_class(const struct hs_measurement *r)
{
  struct hs_groups w;
  struct run run = run_of(r, &w);
  return hs_class_on(&r->bench->sys, run.graph, run.op, r->bench->processor);
}

double hs_measured_work(const struct hs_measurement *r)
{
  struct hs_groups w;
  struct run run = run_of(r, &w);
  return run.op->work > 0 ? run.op->work : (double)hs_op_output_elements(run.graph, run.op);
}

double hs_measured_ln_size(const struct hs_measurement *r)
{
  struct hs_groups w;
  struct run run = run_of(r, &w);
  struct hs_portion whole = hs_portion_whole(&r->bench->sys, run.graph, run.op, r->bench->processor);
  return hs_products_ln_size(&whole);
}

static const double SLOWED = 1.01;

/* Of the expected time, how much a processor's kernel takes: by what becomes of it when all that the kernel does takes a hundredth longer. */
static double part_of(const struct hs_measurement *r, int p)
{
  struct hs_backend *b = &r->bench->sys.backends[p];
  const struct hs_kernel *before = b->kernel;
  if (!b->available) return 0;
  struct hs_kernel slower = *before;
  double was = hs_measurement_model_s(r);
  hs_kernel_slow_down(&slower, SLOWED);
  b->kernel = &slower;
  double is = hs_measurement_model_s(r);
  b->kernel = before;
  return (is / was - 1) / (SLOWED - 1);
}

bool hs_measured_speaks(const struct hs_measurement *r)
{
  bool runs = false;
  for (int i = 0; i < r->program->n_tasks; i++) runs |= r->program->tasks[i].kind == HS_TASK_EXEC && r->program->tasks[i].processor == r->bench->processor;
  return runs;
}

double hs_measured_elsewhere_frac(const struct hs_measurements *m, const struct hs_measurement *r)
{
  const struct hs_system *sys = &r->bench->sys;
  double sum = 0;
  for (int p = 0; p < sys->soc->n_processors; p++) {
    const struct hs_kernel *k = sys->backends[p].kernel;
    if (p != r->bench->processor && k && (!m || hs_profile_of(m->own, k) || hs_profile_of(m->estimate, k))) sum += part_of(r, p);
  }
  return fmin(fmax(sum, 0), 1);
}
