/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "policies/layers.h"

#include <math.h>
#include <string.h>

#include "model/comm.h"
#include "policies/single.h"

const char *const hs_objectives[] = {"latency", "energy", "edp", NULL};

enum hs_layer_devices hs_layers_devices_for(const char *objective)
{
  return strcmp(objective, "latency") == 0 ? HS_DEVICES_AS_SET : HS_DEVICES_EVERY_OPP;
}

static void find_layers(const struct hs_view *v, struct hs_layers *l, struct hs_arena *a)
{
  const struct hs_graph *g = v->graph;
  l->first = HS_NEW_ARRAY(a, int, (size_t)g->n_ops + 1);
  for (int i = 0; i < g->n_ops; i++) /* an operator without a label is a layer of its own */
    if (i == 0 || g->ops[i].block == 0 || g->ops[i].block != g->ops[i - 1].block) l->first[l->n++] = i;
  l->first[l->n] = g->n_ops;
}

/* --- execution, Eq. 3–5 --- */

static const struct hs_domain *fastest(const struct hs_view *v, int p) { return hs_processor_fastest(&v->sys->soc->processors[p]); }

/* Time at an OPP from the times at the highest and lowest one: t = γ/f + ε. */
static double scaled_seconds(const struct hs_domain *d, int opp, double at_max, double at_min)
{
  double f_max = hs_domain_top(d)->freq_hz, f_min = d->opps[0].freq_hz;
  if (d->n_opps == 1) return at_max;
  double gamma = (at_min - at_max) / (1 / f_min - 1 / f_max);
  return gamma / d->opps[opp].freq_hz + at_max - gamma / f_max;
}

/* What an operator's costs on a processor come from; the numbers where its OPPs are told apart. */
struct op_work {
  struct hs_work work;
  double at_max_s, at_min_s, dynamic_max_w;
};

static void find_extremes(const struct hs_view *v, int p, enum hs_layer_devices which, struct op_work *w)
{
  int top = fastest(v, p)->n_opps - 1;
  if (which == HS_DEVICES_AS_SET) return;
  w->at_max_s = hs_work_seconds(v->sys, p, top, &w->work);
  w->at_min_s = hs_work_seconds(v->sys, p, 0, &w->work);
  w->dynamic_max_w = hs_work_dynamic_w(v->sys, p, top, &w->work);
}

static void find_work(const struct hs_view *v, const struct hs_operator *op, int p, enum hs_layer_devices which, struct op_work *w)
{
  hs_cost_exec(v->sys, v->graph, op, p, hs_range_whole, &w->work);
  find_extremes(v, p, which, w);
}

static void add_cost(const struct hs_view *v, const struct op_work *w, int p, int opp, struct hs_layer_cost *sum)
{
  const struct hs_domain *d = fastest(v, p);
  double t, dynamic_w;
  if (opp < 0) {
    t = hs_work_seconds(v->sys, p, -1, &w->work);
    dynamic_w = hs_work_dynamic_w(v->sys, p, -1, &w->work);
  } else {
    const struct hs_opp *o = &d->opps[opp], *m = hs_domain_top(d);
    t = scaled_seconds(d, opp, w->at_max_s, w->at_min_s);
    dynamic_w = w->dynamic_max_w * (o->volt * o->volt * o->freq_hz) / (m->volt * m->volt * m->freq_hz);
  }
  sum->seconds += t;
  sum->joules += t * (dynamic_w + hs_work_static_w(v->sys, p, opp, &w->work));
}

static struct hs_layer_cost start_cost(const struct hs_view *v, int p, int opp, enum hs_layer_devices which)
{
  struct op_work start = {.work = hs_cost_start_alone(v->sys, p)};
  struct hs_layer_cost cost = {0, 0};
  find_extremes(v, p, which, &start);
  add_cost(v, &start, p, opp, &cost);
  return cost;
}

/* --- communication, Eq. 1–2 --- */

struct line {
  double alpha_s, beta_s, alpha_j, beta_j; /* over elements */
};

/* The line through a microbenchmark. Two sizes are all of it: each step of a transfer is a line over its bytes (hs_comm_seconds()). */
static struct line find_line(const struct hs_view *v, int p, bool to_host)
{
  const double many = 1 << 20; /* elements */
  struct hs_transfer none = hs_comm_transfer(v->sys, p, to_host, 0), t = hs_comm_transfer(v->sys, p, to_host, many);
  return (struct line){(t.seconds - none.seconds) / many, none.seconds, (t.joules - none.joules) / many, none.joules};
}

static struct hs_layer_cost on_line(const struct line *l, double elements)
{
  return (struct hs_layer_cost){l->alpha_s * elements + l->beta_s, l->alpha_j * elements + l->beta_j};
}

static double elements(const struct hs_view *v, int tensor) { return (double)hs_shape_elements(&v->graph->tensors[tensor].shape); }

/* Elements that the operators [first, last) of a layer read from before it. What several read, or one twice, is brought once. `reader` is of each tensor the
 * layer that read it last, by its first operator and one. */
static double input_elements(const struct hs_view *v, int first, int last, int *reader)
{
  double n = 0;
  for (int i = first; i < last; i++)
    for (int k = 0; k < v->graph->ops[i].n_inputs; k++) {
      int t = v->graph->ops[i].inputs[k];
      if (reader[t] != first + 1 && v->graph->tensors[t].producer < first) n += elements(v, t);
      reader[t] = first + 1;
    }
  return n;
}

static bool read_after(const struct hs_view *v, int tensor, int last)
{
  return v->graph->tensors[tensor].is_output || hs_graph_read_from(v->graph, tensor, last);
}

static double output_elements(const struct hs_view *v, int first, int last)
{
  double n = 0;
  for (int i = first; i < last; i++)
    for (int k = 0; k < v->graph->ops[i].n_outputs; k++)
      if (read_after(v, v->graph->ops[i].outputs[k], last)) n += elements(v, v->graph->ops[i].outputs[k]);
  return n;
}

/* --- devices --- */

/* What every OPP of a processor has in common. */
static void fill_common(const struct hs_view *v, const struct hs_layers *l, struct hs_device *d, const double *in, const double *out,
                        bool with_communication, struct hs_arena *a)
{
  const struct hs_processor *proc = &v->sys->soc->processors[d->processor];
  size_t n = (size_t)l->n + 1;
  d->bytes = HS_NEW_ARRAY(a, double, n);
  d->limit_bytes = proc->slice_limit_bytes > 0 ? proc->slice_limit_bytes : INFINITY;
  d->unsupported = HS_NEW_ARRAY(a, int, n);
  d->in = HS_NEW_ARRAY(a, struct hs_layer_cost, n);
  d->out = HS_NEW_ARRAY(a, struct hs_layer_cost, n);
  for (int k = 0; k < l->n; k++) {
    bool can = true;
    d->bytes[k + 1] = d->bytes[k];
    for (int i = l->first[k]; i < l->first[k + 1]; i++) {
      const struct hs_operator *op = &v->graph->ops[i];
      can = can && hs_system_supports(v->sys, v->graph, op, d->processor, NULL, 0);
      d->bytes[k + 1] += hs_slice_bytes(v->sys, v->graph, op, d->processor);
    }
    d->unsupported[k + 1] = d->unsupported[k] + !can;
  }
  if (!with_communication || proc->kind == HS_CPU) return;
  struct line to = find_line(v, d->processor, false), from = find_line(v, d->processor, true);
  for (int k = 0; k < l->n; k++) {
    d->in[k] = on_line(&to, in[k]);
    d->out[k] = on_line(&from, out[k]);
  }
}

static void fill_exec(const struct hs_view *v, const struct hs_layers *l, struct hs_device *d, const struct op_work *works, struct hs_arena *a)
{
  d->exec = HS_NEW_ARRAY(a, struct hs_layer_cost, (size_t)l->n + 1);
  struct hs_layer_cost sum = {0, 0};
  for (int k = 0; k < l->n; k++) {
    for (int i = l->first[k]; i < l->first[k + 1]; i++) add_cost(v, &works[i], d->processor, d->opp, &sum);
    d->exec[k + 1] = sum;
  }
}

static int count_devices(const struct hs_view *v, enum hs_layer_devices which)
{
  int n = 0;
  for (int p = 0; p < v->sys->soc->n_processors; p++)
    if (v->sys->backends[p].available) n += which == HS_DEVICES_AS_SET ? 1 : fastest(v, p)->n_opps;
  return n;
}

struct hs_layers *hs_layers_make(const struct hs_view *v, enum hs_layer_devices which, bool with_communication, struct hs_arena *a)
{
  struct hs_layers *l = HS_NEW(a, struct hs_layers);
  find_layers(v, l, a);
  double *in = HS_NEW_ARRAY(a, double, (size_t)l->n), *out = HS_NEW_ARRAY(a, double, (size_t)l->n);
  int *reader = HS_NEW_ARRAY(a, int, (size_t)v->graph->n_tensors);
  for (int k = 0; k < l->n; k++) {
    in[k] = input_elements(v, l->first[k], l->first[k + 1], reader);
    out[k] = output_elements(v, l->first[k], l->first[k + 1]);
  }
  struct op_work *works = HS_NEW_ARRAY(a, struct op_work, (size_t)v->graph->n_ops);
  l->devices = HS_NEW_ARRAY(a, struct hs_device, (size_t)count_devices(v, which));
  for (int p = 0; p < v->sys->soc->n_processors; p++) {
    if (!v->sys->backends[p].available) continue;
    int opps = which == HS_DEVICES_AS_SET ? 1 : fastest(v, p)->n_opps;
    struct hs_device common = {.processor = p};
    fill_common(v, l, &common, in, out, with_communication, a);
    for (int i = 0; i < v->graph->n_ops; i++) find_work(v, &v->graph->ops[i], p, which, &works[i]);
    for (int o = 0; o < opps; o++) {
      struct hs_device *d = &l->devices[l->n_devices++];
      *d = common;
      d->opp = which == HS_DEVICES_AS_SET ? -1 : o;
      fill_exec(v, l, d, works, a);
      if (with_communication) d->start = start_cost(v, p, d->opp, which); /* who doesn't see what slices cost doesn't see this */
    }
  }
  return l;
}

static bool runs_somewhere(const struct hs_view *v, const struct hs_operator *op)
{
  bool any = false;
  for (int p = 0; p < v->sys->soc->n_processors; p++) any |= hs_runs_on(v->sys, v->graph, op, p);
  return any;
}

enum hs_status hs_layers_stranded(const struct hs_view *v, const struct hs_layers *l, int k, struct hs_error *err)
{
  const struct hs_operator *ops = v->graph->ops;
  for (int i = l->first[k]; i < l->first[k + 1]; i++)
    if (!runs_somewhere(v, &ops[i])) return hs_runs_nowhere(v, &ops[i], err);
  return hs_fail(err, HS_INPUT, "%s: no device of %s can execute layer %d (operators \"%s\" to \"%s\") under runtime %s", v->graph->name,
                 v->sys->soc->name, k + 1, ops[l->first[k]].name, ops[l->first[k + 1] - 1].name, v->sys->runtime->name);
}

enum hs_status hs_layers_check(const struct hs_view *v, const struct hs_layers *l, struct hs_error *err)
{
  for (int k = 0; k < l->n; k++) {
    bool any = false;
    for (int d = 0; d < l->n_devices; d++) any |= hs_layers_fits(l, d, k, k + 1);
    if (!any) return hs_layers_stranded(v, l, k, err);
  }
  return HS_OK;
}

void hs_layers_place(const struct hs_view *v, const struct hs_layers *l, int d, int from, int to, int slice, struct hs_placement *pl)
{
  const struct hs_device *dev = &l->devices[d];
  for (int i = l->first[from]; i < l->first[to]; i++) {
    hs_place_whole(&pl->ops[i], dev->processor);
    pl->ops[i].parts[0].opp = dev->opp;
    pl->ops[i].chain = slice;
    for (int k = 0; k < v->graph->ops[i].n_outputs; k++)
      if (read_after(v, v->graph->ops[i].outputs[k], l->first[to])) pl->ops[i].home = v->sys->host;
  }
}
