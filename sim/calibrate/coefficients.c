/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "calibrate/coefficients.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "calibrate/core_types.h"
#include "calibrate/knots.h"
#include "calibrate/measured.h"
#include "input/kernel_numbers.h"
#include "model/groups.h"
#include "model/products.h"

enum { ROWS_PER_CLASS = 3 };
static const double CONSTANT_EFFICIENCY_MAX = 1;
static const double SHARE_MIN = 0.02; /* of the time of networks that a class must take to be looked for in them */
/* How far from what it was before a coefficient of another phone, or version of a runtime, is taken to be (assumed), beside HS_FIT_WIDTH_LN: a standard
 * deviation, */
static const double WIDTH_LN_GUESSED = 1.3863; /* where none was fitted, but it came from a sibling or hardware rates: ln 4, */
static const double WIDTH_FRAC = 0.25;         /* of a serial part, */
static const double WIDTH_NONE = 0.05;         /* of one that a fitted profile says there is none of (Snapdragon 855's, fitted again with it: 0.03, 0, 0, 0) */
static const double WIDTH_BEGIN = 10;          /* of one that wasn't there and has no scale, in times of where its search begins */

double hs_fit_rounded(double v)
{
  char buf[40];
  double r;
  snprintf(buf, sizeof buf, "%.4g", v);
  sscanf(buf, "%lf", &r);
  return r;
}

double hs_coefficient_before(const struct hs_coefficient *c) { return c->leader ? c->before * *c->leader / c->leader_before : c->before; }

double hs_coefficient_from_x(const struct hs_coefficient *c, double x)
{
  double v = c->as_log ? exp(x * c->width) : x * c->width;
  return fmin(fmax(v, c->low), c->high);
}

double hs_coefficient_to_x(const struct hs_coefficient *c, double v) { return (c->as_log ? log(v) : v) / c->width; }

static bool is_fitted(const struct hs_fit *f, const struct hs_kernel_number *n)
{
  for (int i = 0; i < f->n_coefficients; i++)
    if (f->coefficients[i].state != HS_FIT_UNDETERMINED && hs_kernel_number_of(&f->kernel, f->coefficients[i].target) == n) return true;
  return false;
}

/* What a kernel leaves out follows what it has. */
static void follow(struct hs_fit *f)
{
  for (int i = 0; i < HS_KERNEL_NUMBERS; i++) {
    const struct hs_kernel_number *n = &hs_kernel_numbers[i];
    if (n->follows && hs_kernel_get(&f->prior, n) == hs_kernel_default(&f->prior, n) && !is_fitted(f, n))
      hs_kernel_set(&f->kernel, n, hs_kernel_default(&f->kernel, n));
  }
}

/* More than what the SoC file says a core multiplies in a cycle there is not, but for Winograd's multiplications saved on a tile of t × t
 * outputs, 9 t² in (t + 2)² of them: 2.25, 4 or 5.0625. Where the kernel has a `winograd`, these are counted as work already. A higher
 * efficiency would only make up for some other term, and be wrong for operators larger than those that were fitted. */
double hs_fit_efficiency_max(const struct hs_fit *f, int class)
{
  const struct hs_system *sys = &f->bench->sys;
  double t = sys->runtime->backends[sys->soc->processors[f->bench->processor].kind].winograd_tile;
  return class == HS_CLASS_CONV_3X3 && t > 0 && f->prior.winograd.tile == 0 && f->prior.mali.cores == 0 ? 9 * t * t / ((t + 2) * (t + 2)) : 1;
}

/* Dense convolutions are all one product of matrices to a library that gathers windows first (`matrix_block`), with grouped ones one kernel on a Mali, and all
 * that aren't 1×1 or depthwise are one shader: where the profile before has one efficiency for them, they stay one. The class whose efficiency that is, or -1. */
int hs_fit_leader(const struct hs_fit *f, int class)
{
  const struct hs_kernel *b = &f->prior;
  bool shader = b->shaders.access_cycles > 0;
  int first = shader ? HS_CLASS_CONV_3X3 : HS_CLASS_CONV_1X1;
  bool dense = class != HS_CLASS_CONV_1X1 && hs_class_is_dense_conv((enum hs_op_class)class);
  bool one = shader ? class == HS_CLASS_CONV_3X3_STRIDED || class == HS_CLASS_CONV_OTHER || class == HS_CLASS_GROUPED || class == HS_CLASS_TRANSPOSED
                    : (b->matrix_block > 1 && dense) || (b->mali.cores && (dense || class == HS_CLASS_GROUPED));
  return one && b->efficiency[class] == b->efficiency[first] ? first : -1;
}

bool hs_fit_looks_for(const struct hs_fit *f, const double *target)
{
  for (int i = 0; i < f->n_coefficients; i++)
    if (f->coefficients[i].target == target) return true;
  return false;
}

/* Knots of the curve that no row speaks of go on as before from the next one, so that sizes that weren't measured are no other than those that were. */
static void follow_curve(struct hs_fit *f)
{
  struct hs_kernel *k = &f->kernel;
  const struct hs_kernel *b = &f->prior;
  for (int i = b->n_knots - 2; i >= 0 && !f->only; i--) {
    if (hs_fit_looks_for(f, &k->knot_frac[i])) continue;
    bool stays = k->knot_frac[i + 1] == b->knot_frac[i + 1]; /* to the last digit */
    k->knot_frac[i] = stays ? b->knot_frac[i] : fmin(fmax(b->knot_frac[i] * k->knot_frac[i + 1] / b->knot_frac[i + 1], HS_EFFICIENCY_MIN), HS_SATURATION_MAX);
  }
}

/* Classes of networks without a coefficient of their own move together; where only some coefficients were asked for and none is theirs,
 * they stay, beyond a fit's bounds, too. */
void hs_fit_spread_others(struct hs_fit *f)
{
  bool others = hs_fit_looks_for(f, &f->others);
  for (int c = 0; c < HS_CLASS_N; c++)
    if (!hs_fit_looks_for(f, &f->kernel.efficiency[c]) && !hs_kernel_counts_lines(&f->prior, (enum hs_op_class)c)) {
      const double before = f->prior.efficiency[c];
      bool moves = f->shown[c] && (others || !f->only);
      f->kernel.efficiency[c] = moves ? fmin(before * f->others, hs_fit_efficiency_max(f, c)) : before;
    }
  for (int c = 0; c < HS_CLASS_N; c++)
    if (hs_fit_leader(f, c) >= 0) f->kernel.efficiency[c] = f->kernel.efficiency[hs_fit_leader(f, c)];
  follow_curve(f);
  follow(f);
}

void hs_fit_take_pace(struct hs_fit *f)
{
  struct hs_kernel *k = &f->prior;
  hs_kernel_slow_down(k, f->pace);
  for (int i = 0; i < HS_KERNEL_NUMBERS; i++)
    if (hs_kernel_numbers[i].times) hs_kernel_set(k, &hs_kernel_numbers[i], hs_fit_rounded(hs_kernel_get(k, &hs_kernel_numbers[i])));
  for (int type = 0; type < HS_OP_N; type++)
    if (k->operator_cycles[type] > 0) k->operator_cycles[type] = fmax(hs_fit_rounded(k->operator_cycles[type]), HS_OPERATOR_CYCLES_MIN);
  for (int c = 0; c < HS_CLASS_N; c++) k->efficiency[c] = fmin(hs_fit_rounded(k->efficiency[c]), fmax(f->base->efficiency[c], hs_fit_efficiency_max(f, c)));
  k->launch.constant_efficiency = fmin(k->launch.constant_efficiency, fmax(f->base->launch.constant_efficiency, CONSTANT_EFFICIENCY_MAX));
}

/* With a `low` of 0 it is a part of a whole. */
static struct hs_coefficient *add(struct hs_fit *f, const char *name, double *target, double low, double high, double scale)
{
  assert(f->n_coefficients < HS_COEFFICIENTS_MAX);
  struct hs_coefficient *c = &f->coefficients[f->n_coefficients++];
  *c = (struct hs_coefficient){.target = target, .magnitude = low > 0, .low = low, .high = high, .scale = scale, .before = *target, .value = *target};
  snprintf(c->name, sizeof c->name, "%s", name);
  return c;
}

/* By the key that it has in a profile. */
static struct hs_coefficient *add_number(struct hs_fit *f, double *number, double low, double high, double scale)
{
  return add(f, hs_kernel_number_of(&f->kernel, number)->key, number, low, high, scale);
}

/* --- what the rows show --- */

static bool has_macs(const struct hs_measurement *r) { return r->op >= 0 && hs_measured_operator(r)->macs > 0; }

/* Does the curve of the rates speak of it? Not where waves are counted. */
static bool is_on_curve(const struct hs_measurement *r) { return has_macs(r) && !isinf(hs_measured_ln_size(r)); }

static int compare_doubles(const void *a, const void *b)
{
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

double hs_fit_median(double *v, int n)
{
  if (n == 0) return 0;
  qsort(v, (size_t)n, sizeof *v, compare_doubles);
  return n % 2 ? v[n / 2] : (v[n / 2 - 1] + v[n / 2]) / 2;
}

/* Adds the time of an operator of a network to its class; of what is written out, each part's to its own. Returns the sum. */
static double add_seconds(const struct hs_system *sys, const struct hs_graph *g, const struct hs_operator *op, int p, double *of)
{
  struct hs_groups w;
  double sum = 0;
  if (!hs_groups_write_out(sys, g, op, p, &w)) {
    sum = hs_cost_seconds(sys, g, op, p, -1);
    of[hs_class_on(sys, g, op, p)] += sum;
    return sum;
  }
  for (int i = 0; i < HS_GROUPS_N; i++) {
    double s = hs_cost_seconds(sys, &w.graph, &w.op[i], p, -1) * (i == HS_GROUPS_CONV ? (double)op->at.group : 1);
    of[hs_class_on(sys, &w.graph, &w.op[i], p)] += s;
    sum += s;
  }
  return sum;
}

/* Share of each class in the kernel time of the fitted networks, on average. */
static void network_shares(const struct hs_fit *f, double *share, int *n_networks)
{
  *n_networks = 0;
  for (int i = 0; i < f->n_rows; i++) {
    const struct hs_measurement *r = f->rows[i];
    double sum = 0, of[HS_CLASS_N] = {0};
    if (r->op >= 0) continue;
    const struct hs_system *sys = &r->bench->sys;
    const int p = r->bench->processor;
    ++*n_networks;
    for (int k = 0; k < r->graph->n_ops; k++) {
      const struct hs_operator *op = &r->graph->ops[k];
      if (hs_system_supports(sys, r->graph, op, p, NULL, 0)) sum += add_seconds(sys, r->graph, op, p, of);
    }
    for (int c = 0; c < HS_CLASS_N && sum > 0; c++) share[c] += of[c] / sum;
  }
  for (int c = 0; c < HS_CLASS_N && *n_networks; c++) share[c] /= *n_networks;
}

void hs_fit_note_ranges(struct hs_fit *f)
{
  f->size_low = INFINITY;
  for (int i = 0; i < f->n_rows; i++) {
    const struct hs_measurement *r = f->rows[i];
    if (r->op < 0) continue;
    double work = hs_measured_work(r);
    enum hs_op_class class = hs_measured_class(r);
    if (f->class_n[class]++ == 0) f->class_low[class] = work;
    f->class_low[class] = fmin(f->class_low[class], work);
    f->class_high[class] = fmax(f->class_high[class], work);
    f->n_by_waves += has_macs(r) && !is_on_curve(r);
    if (!is_on_curve(r)) continue;
    f->size_low = fmin(f->size_low, exp(hs_measured_ln_size(r)));
    f->size_high = fmax(f->size_high, exp(hs_measured_ln_size(r)));
  }
  if (f->size_high == 0) f->size_low = 0;
}

static int distinct_threads(const struct hs_fit *f)
{
  int seen[HS_CORES_MAX * HS_DOMAINS_MAX + 1] = {0}, n = 0;
  for (int i = 0; i < f->n_rows; i++) {
    int t = f->rows[i]->bench->sys.backends[f->bench->processor].threads;
    n += seen[t]++ == 0;
  }
  return n;
}

/* Does the kernel say it itself, other than what follows another number? */
static bool is_known(const struct hs_fit *f, const double *number)
{
  const struct hs_kernel_number *n = hs_kernel_number_of(&f->kernel, number);
  double v = hs_kernel_get(&f->prior, n);
  return v > 0 && !(n->follows && v == hs_kernel_default(&f->prior, n));
}

/* Does any row's time depend on it, by more than rounding? The benches hold the fit's kernel. */
static bool moves_rows(const struct hs_fit *f, double *number)
{
  double at = *number;
  bool moves = false;
  for (int i = 0; i < f->n_used && !moves; i++) {
    double before = hs_measurement_model_s(f->rows[i]);
    *number = 0.9 * at;
    moves = fabs(hs_measurement_model_s(f->rows[i]) / before - 1) > 1e-9;
    *number = at;
  }
  return moves;
}

/* A curve that there is keeps its knots; without one there is one that does nothing. Of those that rows speak of the last stays: what is left is the
 * efficiency of the classes. */
static void add_curve(struct hs_fit *f)
{
  struct hs_kernel *k = &f->kernel;
  const bool had = k->n_knots > 0;
  int n = 0;
  if (k->shaders.access_cycles > 0) return; /* waves say what is too small */
  double *ln = hs_realloc(NULL, (size_t)f->n_rows + 1, sizeof *ln);
  for (int i = 0; i < f->n_rows; i++)
    if (is_on_curve(f->rows[i])) ln[n++] = hs_measured_ln_size(f->rows[i]);
  qsort(ln, (size_t)n, sizeof *ln, compare_doubles);
  f->n_on_curve = n;
  if (n < HS_FIT_CURVE_ROWS) n = 0;
  if (n && !had) k->n_knots = hs_knots_where_rows_are(ln, n, k->knot_ln);
  for (int i = 0; !had && i < k->n_knots; i++) k->knot_frac[i] = 1;
  if (n && had) hs_knots_refine(&f->prior, ln, n);
  if (had) hs_knots_copy(&f->prior, k);
  int last = k->n_knots - 1;
  while (last > 0 && !hs_knots_have_rows(k, last, ln, n)) last--;
  for (int i = 0; n && i < last; i++) {
    char name[40];
    if (!hs_knots_have_rows(k, i, ln, n)) continue;
    snprintf(name, sizeof name, "saturation at ln %g", k->knot_ln[i]);
    struct hs_coefficient *c = add(f, name, &k->knot_frac[i], HS_EFFICIENCY_MIN, HS_SATURATION_MAX, 0);
    if (had) c->leader = &k->knot_frac[i + 1], c->leader_before = f->prior.knot_frac[i + 1];
  }
  free(ln);
}

/* Do networks show grouped convolutions? */
static bool shows_grouped(const struct hs_fit *f, const double *share)
{
  return f->class_n[HS_CLASS_GROUPED] >= HS_FIT_ROWS_MIN || share[HS_CLASS_GROUPED] >= SHARE_MIN;
}

/* Reduction depths of the operators with multiplications: how many there are, whether they differ, and what they are on average. */
static double reduction_depth(const struct hs_fit *f, int *n, bool *differ)
{
  double least = INFINITY, most = 0, sum = 0;
  *n = 0;
  for (int i = 0; i < f->n_rows; i++) {
    if (!has_macs(f->rows[i])) continue;
    double d = (double)hs_op_reduction_depth(f->rows[i]->graph, hs_measured_operator(f->rows[i]));
    ++*n;
    least = fmin(least, d);
    most = fmax(most, d);
    sum += d;
  }
  *differ = most > least;
  return *n ? sum / *n : 0;
}

/* Median latency of an operator. */
static double typical_seconds(const struct hs_fit *f)
{
  double *all = hs_realloc(NULL, (size_t)f->n_rows, sizeof *all);
  for (int i = 0; i < f->n_rows; i++) all[i] = f->rows[i]->latency_s / (f->rows[i]->op < 0 ? f->rows[i]->graph->n_ops : 1);
  double typical = hs_fit_median(all, f->n_rows);
  free(all);
  return typical;
}

/* --- the coefficients --- */

static void add_overhead(struct hs_fit *f)
{
  const struct hs_processor *p = &f->bench->sys.soc->processors[f->bench->processor];
  add_number(f, &f->kernel.overhead_cycles, 1, 1e9, typical_seconds(f) * hs_domain_top(hs_processor_fastest(p))->freq_hz);
}

/* Rows of operators that a class is seen in, and its share of the networks' time. */
struct seen {
  int rows;
  double share;
};

static struct seen see(const struct hs_fit *f, const double *share, int class)
{
  struct seen s = {f->class_n[class], share[class]};
  for (int c = 0; c < HS_CLASS_N; c++) {
    if (hs_fit_leader(f, c) != class) continue;
    s.rows += f->class_n[c];
    s.share += share[c];
  }
  return s;
}

static bool suffices(struct seen s, int n_networks) { return s.rows > 0 || (n_networks >= ROWS_PER_CLASS && s.share >= SHARE_MIN); }

static void add_launch(struct hs_fit *f)
{
  add_number(f, &f->kernel.launch.constant_efficiency, 1e-6, CONSTANT_EFFICIENCY_MAX, 0);
  add_number(f, &f->kernel.launch.pixel_reads, 0.01, 1e3, 0);
  add_number(f, &f->kernel.launch.loop_reads_1x1, 0.01, 1e3, 0);
  add_number(f, &f->kernel.launch.loop_reads, 0.01, 1e3, 0);
  add_number(f, &f->kernel.launch.store_reads, 0.01, 1e3, 0);
  add_number(f, &f->kernel.launch.slice_reads, 0.001, 10, 0);
  if (f->n_by_waves < HS_FIT_CURVE_ROWS) return; /* networks have waves of all kinds */
  for (int i = 0; i < 2; i++) {
    add_number(f, &f->kernel.launch.wait[i], 0.001, 10, 0);
    add_number(f, &f->kernel.launch.fill[i], 0.001, 10, 0);
  }
  add_number(f, &f->kernel.launch.small_wait, 0.001, 10, 0);
}

static void add_mali(struct hs_fit *f)
{
  struct hs_kernel_mali *m = &f->kernel.mali;
  add_number(f, &m->pixel_reads, 0.01, 1e3, 0);
  for (int i = 0; i < 2; i++) add_number(f, &m->wait[i], 0.001, 1, 0);
  add_number(f, &m->later, 0.001, 1, 0);
  add_number(f, &m->weight_cycles_per_byte, 1e-4, 1e3, 0);
  add_number(f, &m->store_cycles_per_byte, 1e-4, 1e3, 0);
  if (moves_rows(f, &m->transform_cycles_per_byte)) add_number(f, &m->transform_cycles_per_byte, 1e-4, 1e3, 0);
}

static void add_shaders(struct hs_fit *f, int n_networks)
{
  add_number(f, &f->kernel.shaders.access_cycles, 0.01, 1e6, 0);
  add_number(f, &f->kernel.shaders.read_cycles, 0.01, 1e6, 0);
  add_number(f, &f->kernel.shaders.first_waves, 0.01, 1e6, 0);
  if (n_networks) add_number(f, &f->kernel.shaders.copy_cycles, 0.01, 1e9, 0);
}

static void add_efficiencies(struct hs_fit *f, const double *share, int n_networks)
{
  struct seen lines = {0};
  bool shaders = f->prior.shaders.access_cycles > 0;
  for (int c = 0; c < HS_CLASS_N; c++) {
    char name[40];
    struct seen s = see(f, share, c);
    if (hs_kernel_counts_lines(&f->kernel, (enum hs_op_class)c)) {
      lines.rows += s.rows;
      lines.share += s.share;
      continue;
    }
    if (hs_fit_leader(f, c) >= 0) continue;
    if (c == HS_CLASS_MOVE && f->prior.move_half_pixels == 0) continue; /* no work: overhead and bandwidth decide */
    if (c == HS_CLASS_ELEMENTWISE && shaders) continue; /* nor has this: what it reads and writes does */
    if (!suffices(s, n_networks)) continue;
    snprintf(name, sizeof name, "efficiency %s", hs_op_class_names[c]);
    add(f, name, &f->kernel.efficiency[c], 1e-6, hs_fit_efficiency_max(f, c), 0);
  }
  if (f->prior.launch.units) add_launch(f);
  if (f->prior.mali.cores) add_mali(f);
  if (shaders) add_shaders(f, n_networks);
  if (suffices(lines, n_networks)) add_number(f, &f->kernel.group.lines_per_cycle, 1e-3, 1e3, 0);
  if (n_networks) add(f, "efficiency of others", &f->others, 1e-3, 1e3, 0);
}

/* Sizes at which half of a rate is reached. */
static void add_halves(struct hs_fit *f, const double *share, int n_networks)
{
  int n_macs;
  bool differ;
  if (f->prior.shaders.access_cycles > 0) return; /* its loops have none */
  double depth = reduction_depth(f, &n_macs, &differ);
  if (n_networks || (n_macs >= HS_FIT_ROWS_MIN && differ)) add_number(f, &f->kernel.reduction_half, 0.01, 1e4, n_macs ? depth : 100);
  if (f->kernel.columns_half > 0) add_number(f, &f->kernel.columns_half, 0.01, 1e5, 0);
  if (f->kernel.winograd.tile && f->kernel.winograd.transform_half > 0)
    add_number(f, &f->kernel.winograd.transform_half, 0.01, 1e5, 0);
  if (shows_grouped(f, share)) add_number(f, &f->kernel.reduction_half_grouped, 0.01, 1e4, 0)->begin = 1;
}

/* What only a CPU has. Networks show cycles per byte, and several thread counts serial parts, also those that the kernel didn't have. Any other that the rows
 * depend on is looked for, too, if they can't tell it from the rest: it is only as well known as before, and so is what they say of the rest. */
static void add_cpu(struct hs_fit *f, const double *share, int n_networks)
{
  struct hs_kernel *k = &f->kernel;
  const bool threads = distinct_threads(f) > 1, networks = n_networks > 0;
  const struct {
    double *number;
    bool shown;
    double low, high, begin; /* low 0: a part of the whole */
  } numbers[] = {
    {&k->serial_frac, threads, 0, 1, 0},
    {&k->fork_cycles, false, 1, 1e9, 0},
    {&k->serial_light_frac, threads && networks, 0, 1, 0},
    {&k->serial_grouped_frac, threads && shows_grouped(f, share), 0, 1, 0},
    {&k->serial_depthwise_frac, threads && networks && share[HS_CLASS_DEPTHWISE] >= SHARE_MIN, 0, 1, 0},
    {&k->move_cycles_per_byte, networks, 1e-4, 1e3, 0.1},
    {&k->light_move_cycles_per_byte, networks, 1e-4, 1e3, 0.1},
    {&k->window_cycles_per_byte, networks, 1e-4, 1e3, 0.1},
    {&k->pack_cycles_per_byte, false, 1e-4, 1e3, 0},
    {&k->weight_cycles_per_byte, false, 1e-4, 1e3, 0},
    {&k->reread_cycles_per_byte, false, 1e-4, 1e3, 0},
    {&k->layout_cycles_per_byte, false, 1e-4, 1e3, 0},
    {&k->turn_cycles, false, 1e-3, 1e3, 0},
    {&k->turn_miss_cycles, false, 1e-3, 1e3, 0},
    {&k->turn_far_cycles, false, 1e-3, 1e4, 0},
    {&k->flat_mean_cycles, false, 1e-3, 1e3, 0},
  };
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
    if (!numbers[i].shown && !(is_known(f, numbers[i].number) && moves_rows(f, numbers[i].number))) continue;
    add_number(f, numbers[i].number, numbers[i].low, numbers[i].high, numbers[i].low == 0 ? 1 : 0)->begin = numbers[i].begin;
  }
}

/* Only of a kernel that says that such products aren't as 1×1 convolutions are, or such groups as others. */
static void add_factors(struct hs_fit *f)
{
  struct hs_kernel *k = &f->kernel;
  if (f->prior.gemm_factor != 1 && moves_rows(f, &k->gemm_factor)) add_number(f, &k->gemm_factor, 0.01, 100, 0);
  if (f->prior.group_of_one_factor != 1 && moves_rows(f, &k->group_of_one_factor)) add_number(f, &k->group_of_one_factor, 0.01, 100, 0);
}

/* What tensors cost a GPU in a network, if the kernel had it: an operator that is measured by itself, again and again, finds its own in the caches. */
static void add_gpu(struct hs_fit *f, int n_networks)
{
  struct hs_kernel *k = &f->kernel;
  double *const numbers[] = {&k->move_cycles_per_byte, &k->light_move_cycles_per_byte};
  for (int i = 0; i < 2 && n_networks; i++)
    if (is_known(f, numbers[i]) && moves_rows(f, numbers[i])) add_number(f, numbers[i], 1e-4, 1e3, 0)->begin = 0.1;
}

/* How much slower another type of core is, kind of work by kind of work. */
static void add_core_types(struct hs_fit *f)
{
  for (int core = 0; core < HS_CORE_TYPES_MAX; core++)
    for (int work = 0; work < HS_CORE_WORK_N && (f->core_types >> core & 1); work++) {
      struct hs_core_factors *factors = &f->kernel.core_factors[core];
      char name[HS_CORE_NAME_MAX + 20];
      if (!hs_fit_shows_on_core(f, core, (enum hs_core_work)work)) continue;
      snprintf(name, sizeof name, "%s on %s", hs_core_work_names[work], factors->type);
      add(f, name, &factors->times[work], HS_CORE_FACTOR_MIN, HS_CORE_FACTOR_MAX, 0);
    }
}

/* Operators whose own cycles the profile names. */
static void add_operators(struct hs_fit *f)
{
  for (int type = 0; type < HS_OP_N; type++) {
    char name[40];
    if (f->prior.operator_cycles[type] <= 0 || !moves_rows(f, &f->kernel.operator_cycles[type])) continue;
    snprintf(name, sizeof name, "cycles %s", hs_op_name((enum hs_op_type)type));
    add(f, name, &f->kernel.operator_cycles[type], HS_OPERATOR_CYCLES_MIN, 1e3, 0);
  }
}

/* As many as a message has room for beside a kernel's title, the name that was asked for, and the words around these. */
static void name_candidates(const struct hs_fit *f, struct hs_text *t)
{
  enum { ROOM = sizeof ((struct hs_error *)NULL)->text - 250 };
  for (int i = 0; i < f->n_coefficients; i++) {
    bool fits = t->len + strlen(f->coefficients[i].name) < ROOM;
    hs_text_addf(t, "%s%s", i ? ", " : "", fits ? f->coefficients[i].name : "and others");
    if (!fits) return;
  }
}

/* Of these only what was asked for. A curve of which nothing is, is the one there was, or none. */
static enum hs_status keep_only(struct hs_fit *f, struct hs_error *err)
{
  struct hs_coefficient *c = f->coefficients;
  bool asked[HS_COEFFICIENTS_MAX] = {false}, curve = false;
  int n = 0;
  for (const char *s = f->only, *end; s; s = *end ? end + 1 : NULL) {
    int i = 0;
    s += strspn(s, " ");
    end = s + strcspn(s, ",");
    while (i < f->n_coefficients && (strlen(c[i].name) != (size_t)(end - s) || strncmp(c[i].name, s, (size_t)(end - s)) != 0)) i++;
    if (i < f->n_coefficients) {
      if (asked[i]) return hs_fail(err, HS_USAGE, "--only: \"%s\" is named twice", c[i].name);
      asked[i] = true;
      continue;
    }
    char title[80];
    struct hs_text all = {0};
    name_candidates(f, &all);
    enum hs_status status = hs_fail(err, HS_USAGE, "--only: the rows of %s don't speak of a coefficient \"%.*s\" (but of: %s)",
                                    hs_measured_kernel(f->bench, title, sizeof title), end - s > 60 ? 60 : (int)(end - s), s,
                                    all.s ? all.s : "none");
    hs_text_free(&all);
    return status;
  }
  for (int i = 0; i < f->n_coefficients; i++) {
    if (!asked[i]) continue;
    curve |= c[i].target >= f->kernel.knot_frac && c[i].target < f->kernel.knot_frac + HS_KNOTS_MAX;
    c[n++] = c[i];
  }
  f->n_coefficients = n;
  if (curve) return HS_OK;
  hs_knots_copy(f->base, &f->prior);
  hs_knots_copy(f->base, &f->kernel);
  return HS_OK;
}

static void set_widths(struct hs_fit *f)
{
  for (int i = 0; i < f->n_coefficients; i++) {
    struct hs_coefficient *c = &f->coefficients[i];
    double least = fmax(c->low, c->begin);
    c->as_log = c->magnitude && c->before >= least;
    if (!c->magnitude) c->width = c->before > 0 || f->base_unfitted ? WIDTH_FRAC : WIDTH_NONE;
    else if (!c->as_log) c->width = fmax(c->scale, WIDTH_BEGIN * least);
    else c->width = f->base_unfitted ? WIDTH_LN_GUESSED : HS_FIT_WIDTH_LN;
  }
}

/* What the rows can speak of at all. */
enum hs_status hs_fit_choose_coefficients(struct hs_fit *f, struct hs_error *err)
{
  double share[HS_CLASS_N] = {0};
  int n_networks = 0;
  network_shares(f, share, &n_networks);
  for (int c = 0; c < HS_CLASS_N; c++) f->shown[c] = share[c] > 0;
  add_overhead(f);
  add_efficiencies(f, share, n_networks);
  add_halves(f, share, n_networks);
  const enum hs_kind kind = f->bench->sys.soc->processors[f->bench->processor].kind;
  if (kind == HS_CPU) add_cpu(f, share, n_networks);
  if (kind == HS_GPU) add_gpu(f, n_networks);
  add_core_types(f);
  if (f->prior.depthwise_fast_path.other_factor > 1 && moves_rows(f, &f->kernel.depthwise_fast_path.other_factor))
    add(f, "depthwise other_factor", &f->kernel.depthwise_fast_path.other_factor, 1, 100, 0);
  if (f->prior.strided_depthwise_factor > 1 && moves_rows(f, &f->kernel.strided_depthwise_factor))
    add_number(f, &f->kernel.strided_depthwise_factor, 1, 100, 0);
  if (f->prior.shaders.strided_window_factor > 1 && moves_rows(f, &f->kernel.shaders.strided_window_factor))
    add_number(f, &f->kernel.shaders.strided_window_factor, 1, 100, 0);
  add_factors(f);
  add_operators(f);
  if (f->prior.move_half_pixels > 0 && f->class_n[HS_CLASS_MOVE] >= HS_FIT_ROWS_MIN)
    add_number(f, &f->kernel.move_half_pixels, 1, 1e7, 0);
  if (n_networks) add_number(f, &f->kernel.start_cycles, 1, 1e10, 0)->begin = 1e5;
  add_number(f, &f->kernel.traffic_factor, 0.01, 100, 0);
  add_curve(f);
  if (f->only) HS_TRY(keep_only(f, err));
  set_widths(f);
  return HS_OK;
}
