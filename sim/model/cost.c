/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/cost.h"

#include <math.h>

const char *const hs_split_names[HS_SPLIT_N + 1] = {"none", "height", "channel", "batch", NULL};

static bool is_conv(const struct hs_operator *op)
{
  return op->type == HS_OP_CONV || op->type == HS_OP_DEPTHWISE_CONV || op->type == HS_OP_CONV_TRANSPOSE;
}

static bool is_window(const struct hs_operator *op)
{
  return is_conv(op) || op->type == HS_OP_MAX_POOL || op->type == HS_OP_AVERAGE_POOL;
}

/* Works on each channel by itself. */
static bool by_channel(const struct hs_operator *op)
{
  return op->class == HS_CLASS_DEPTHWISE || op->class == HS_CLASS_POOL || op->class == HS_CLASS_ELEMENTWISE;
}

static int split_dimension(enum hs_split split, const struct hs_shape *s)
{
  switch (split) {
  case HS_SPLIT_HEIGHT: return s->rank == 4 ? 1 : -1;
  case HS_SPLIT_CHANNEL: return s->rank - 1;
  case HS_SPLIT_BATCH: return 0;
  default: return -1;
  }
}

int64_t hs_shape_extent(const struct hs_shape *s, enum hs_split split)
{
  int d = split_dimension(split, s);
  return d < 0 ? 1 : s->dim[d];
}

int64_t hs_split_extent(const struct hs_graph *g, const struct hs_operator *op, enum hs_split split)
{
  return hs_shape_extent(&g->tensors[op->outputs[0]].shape, split);
}

bool hs_splittable(const struct hs_graph *g, const struct hs_operator *op, enum hs_split split)
{
  const struct hs_shape *s = &g->tensors[op->outputs[0]].shape;
  switch (split) {
  case HS_SPLIT_NONE: return true;
  case HS_SPLIT_HEIGHT:
    return s->rank == 4 && op->type != HS_OP_RESIZE_BILINEAR &&
           (is_window(op) || op->class == HS_CLASS_ELEMENTWISE) && op->type != HS_OP_CONV_TRANSPOSE;
  case HS_SPLIT_CHANNEL:
    return s->rank >= 2 && (is_window(op) || op->class == HS_CLASS_ELEMENTWISE || op->type == HS_OP_GEMM) &&
           op->class != HS_CLASS_GROUPED;
  case HS_SPLIT_BATCH: return s->dim[0] > 1 && op->class != HS_CLASS_MOVE;
  default: return false;
  }
}

struct hs_range hs_input_range(const struct hs_graph *g, const struct hs_operator *op, int i, struct hs_range out)
{
  const struct hs_shape *in = &g->tensors[op->inputs[i]].shape;
  const struct hs_range all = {HS_SPLIT_NONE, 0, 1};
  if (i > 0 && is_conv(op)) return out.split == HS_SPLIT_NONE ? all : out; /* a shortcut that is added where the result is written */
  if (out.split == HS_SPLIT_BATCH) return in->dim[0] == hs_split_extent(g, op, HS_SPLIT_BATCH) ? out : all;
  if (out.split == HS_SPLIT_CHANNEL) {
    bool same = hs_shape_channels(in) == hs_split_extent(g, op, HS_SPLIT_CHANNEL);
    return by_channel(op) && same ? out : all;
  }
  if (out.split != HS_SPLIT_HEIGHT) return all;
  if (!is_window(op)) return in->rank == 4 && in->dim[1] == hs_split_extent(g, op, HS_SPLIT_HEIGHT) ? out : all;
  int64_t reach = (op->at.kernel[0] - 1) * op->at.dilation[0];
  int64_t begin = out.begin * op->at.stride[0] - op->at.pad[0], end = (out.end - 1) * op->at.stride[0] - op->at.pad[0] + reach + 1;
  struct hs_range r = {HS_SPLIT_HEIGHT, begin < 0 ? 0 : begin, end > in->dim[1] ? in->dim[1] : end};
  if (r.begin >= in->dim[1]) r.begin = in->dim[1] - 1; /* rows that see padding only still read one */
  if (r.end <= r.begin) r.end = r.begin + 1;
  return r;
}

double hs_range_elements(const struct hs_shape *s, struct hs_range r)
{
  int d = split_dimension(r.split, s);
  double n = (double)hs_shape_elements(s);
  return d < 0 ? n : n * (double)(r.end - r.begin) / (double)s->dim[d];
}

void hs_range_shares(const struct hs_graph *g, const struct hs_operator *op, struct hs_range r, double *work, double *weights)
{
  *work = *weights = 1;
  if (r.split == HS_SPLIT_NONE) return;
  *work = (double)(r.end - r.begin) / (double)hs_split_extent(g, op, r.split);
  if (r.split == HS_SPLIT_CHANNEL) *weights = *work;
}

static double round_up(double n, int multiple) { return ceil(n / multiple) * multiple; }

/* Work grows where channels are padded to the kernel's block. */
static double padding(const struct hs_graph *g, const struct hs_operator *op, double out_channels, int multiple)
{
  if (op->macs <= 0 || multiple <= 1) return 1;
  double in = op->type == HS_OP_GEMM ? (double)hs_op_reduction_depth(g, op)
                                     : (double)hs_shape_channels(&g->tensors[op->inputs[0]].shape);
  double groups = (double)op->at.group;
  if (op->class == HS_CLASS_DEPTHWISE) return round_up(out_channels, multiple) / out_channels;
  return round_up(in / groups, multiple) / (in / groups) * round_up(out_channels / groups, multiple) / (out_channels / groups);
}

double hs_cost_dense_factor(const struct hs_kernel *k, const struct hs_graph *g, const struct hs_operator *op)
{
  if (!k->dense_depthwise || op->class != HS_CLASS_DEPTHWISE) return 1;
  return round_up((double)hs_shape_channels(&g->tensors[op->inputs[0]].shape), k->channel_multiple);
}

double hs_cost_saturation(const struct hs_kernel *k, double ln_size)
{
  int n = k->n_knots;
  if (n == 0) return 1;
  if (ln_size <= k->knot_ln[0]) return k->knot_frac[0];
  for (int i = 1; i < n; i++)
    if (ln_size <= k->knot_ln[i]) {
      double t = (ln_size - k->knot_ln[i - 1]) / (k->knot_ln[i] - k->knot_ln[i - 1]);
      return k->knot_frac[i - 1] + t * (k->knot_frac[i] - k->knot_frac[i - 1]);
    }
  return k->knot_frac[n - 1];
}

/* Elements per pixel channel block that can run in parallel: ln(N·H·W·C padded). */
static double ln_parallelism(double elements, double channels, int multiple)
{
  return log(elements * round_up(channels, multiple) / channels);
}

double hs_cost_ln_size(const struct hs_graph *g, const struct hs_operator *op, int multiple)
{
  const struct hs_shape *s = &g->tensors[op->outputs[0]].shape;
  return ln_parallelism((double)hs_shape_elements(s), (double)hs_shape_channels(s), multiple);
}

static double traffic(const struct hs_graph *g, const struct hs_operator *op, struct hs_range range, double weight_share)
{
  double n = (double)op->params * weight_share;
  for (int i = 0; i < op->n_inputs; i++)
    n += hs_range_elements(&g->tensors[op->inputs[i]].shape, hs_input_range(g, op, i, range));
  for (int i = 0; i < op->n_outputs; i++) n += hs_range_elements(&g->tensors[op->outputs[i]].shape, range);
  return n;
}

void hs_cost_exec(const struct hs_system *sys, const struct hs_graph *g, const struct hs_operator *op, int p,
                  struct hs_range range, struct hs_work *out)
{
  const struct hs_processor *proc = &sys->soc->processors[p];
  const struct hs_backend *b = &sys->backends[p];
  const struct hs_kernel *k = b->kernel;
  const struct hs_shape *shape = &g->tensors[op->outputs[0]].shape;
  double share, weight_share;
  hs_range_shares(g, op, range, &share, &weight_share);
  double elements = hs_range_elements(shape, range);
  double channels = (double)hs_shape_channels(shape) * (range.split == HS_SPLIT_CHANNEL ? share : 1);
  double depth = (double)hs_op_reduction_depth(g, op);
  double per_peak = op->work * share * padding(g, op, channels, k->channel_multiple) / k->efficiency[op->class] *
                    (op->macs > 0 ? (depth + k->reduction_half) / depth : 1);
  double dense = hs_cost_dense_factor(k, g, op);
  per_peak *= dense;
  weight_share *= dense;
  if (op->macs > 0) per_peak /= hs_cost_saturation(k, ln_parallelism(elements, channels, k->channel_multiple));
  double spread = k->serial_frac + (1 - k->serial_frac) / b->threads;
  *out = (struct hs_work){.bytes = sys->traffic * k->traffic_factor * traffic(g, op, range, weight_share) * hs_precision_bytes(b->precision),
                          .power_factor = k->power_factor};
  for (int d = 0; d < proc->n_domains; d++) {
    out->cores[d] = b->cores[d];
    out->cycles[d] = k->overhead_cycles + spread * per_peak / proc->domains[d].macs_per_cycle[b->precision];
  }
}

double hs_work_seconds(const struct hs_system *sys, int p, int opp, const struct hs_work *w)
{
  const struct hs_processor *proc = &sys->soc->processors[p];
  double t = 0, cores_bandwidth = 0;
  for (int d = 0; d < proc->n_domains; d++) {
    if (w->cores[d] == 0) continue;
    const struct hs_domain *dom = &proc->domains[d];
    t = fmax(t, w->cycles[d] / dom->opps[hs_system_opp(sys, p, d, opp)].freq_hz);
    cores_bandwidth += w->cores[d] * dom->bandwidth_per_core_bytes_per_s;
  }
  if (w->bytes <= 0) return t;
  double bandwidth = fmin(fmin(proc->bandwidth_bytes_per_s, cores_bandwidth), sys->soc->memory.peak_bytes_per_s);
  return fmax(t, w->bytes / bandwidth);
}

double hs_work_dynamic_w(const struct hs_system *sys, int p, int opp, const struct hs_work *w)
{
  const struct hs_processor *proc = &sys->soc->processors[p];
  double watts = 0;
  for (int d = 0; d < proc->n_domains; d++)
    watts += w->cores[d] * proc->domains[d].opps[hs_system_opp(sys, p, d, opp)].dynamic_w;
  return watts * w->power_factor;
}

double hs_work_static_w(const struct hs_system *sys, int p, int opp, const struct hs_work *w)
{
  const struct hs_processor *proc = &sys->soc->processors[p];
  double watts = 0;
  for (int d = 0; d < proc->n_domains; d++)
    if (w->cores[d] > 0) watts += proc->domains[d].opps[hs_system_opp(sys, p, d, opp)].static_w;
  return watts;
}

double hs_cost_seconds(const struct hs_system *sys, const struct hs_graph *g, const struct hs_operator *op, int p, int opp)
{
  struct hs_work w;
  hs_cost_exec(sys, g, op, p, (struct hs_range){HS_SPLIT_NONE, 0, 1}, &w);
  return hs_work_seconds(sys, p, opp, &w);
}
