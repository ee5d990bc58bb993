/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "program/calibrate_report.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/json_put.h"
#include "calibrate/coefficients.h"
#include "calibrate/measured.h"
#include "out/table.h"

static const double CONDITION_HIGH = 1e4;
static const double MEDIAN_HIGH_FRAC = 0.25; /* half of the rows off by more: that is no fit */
static const double BEFORE_HIGH = 8;         /* measurements above so many times what they were expected to be, or below: another unit? */
static const double ONE_SIDED_FRAC = 0.1;    /* networks off by more on average, and so much of their errors: that is no scatter */
static const double ONE_SIDED = 0.9;
static const double PEAK_SURE = 0.3;         /* of an efficiency: a standard error below which it is known to be at the peak */
static const double TRAFFIC_HIGH = 3;        /* each byte read so many times more often than the model says: that is no cache (assumed) */
static const double CORES_OFF = 0.05;        /* rows on some cores off by so much more, on average, than all: that is no scatter either */
static const double WORSE = 1.5;             /* rows kept out off by so many times what they were off before: more than which few rows they are, */
static const double WORSE_BY = 0.01;         /* and by so much more: measurements repeat to about a hundredth */

/* --- warnings, of both --- */

/* Classes of which no row was measured, by what became of their rate: a list of each. */
static void warn_classes(const struct hs_fit *f, struct hs_text *out)
{
  enum { STAYS, MOVED, FOLLOWS, N_FATES };
  const char *const fates[N_FATES] = {f->base_unfitted ? "stay as they were" : "stay as in the profile before", "moved with all others",
                                      "are those of a class that is computed alike"};
  struct hs_text list[N_FATES] = {0};
  for (int c = 0; c < HS_CLASS_N; c++) {
    const double *rate = hs_kernel_rate(&f->kernel, (enum hs_op_class)c);
    double before = *hs_kernel_rate(f->base, (enum hs_op_class)c);
    if (hs_fit_looks_for(f, rate) || (f->only && *rate == before)) continue;
    if (c == HS_CLASS_MOVE && f->class_n[c]) {
      hs_text_addf(out, "move: %d row%s fitted: without work only overhead and bandwidth tell, which others determine\n", f->class_n[c],
                   f->class_n[c] == 1 ? " wasn't" : "s weren't");
      continue;
    }
    if (f->class_n[c]) continue; /* one with another class, or one that has no rate */
    struct hs_text *l = &list[*rate == before ? STAYS : hs_fit_leader(f, c) >= 0 ? FOLLOWS : MOVED];
    bool counts_lines = hs_kernel_counts_lines(&f->kernel, (enum hs_op_class)c);
    hs_text_addf(l, "%s%s %.4g%s", l->len ? ", " : "", hs_op_class_names[c], *rate, counts_lines ? " lines per cycle" : "");
  }
  for (int i = 0; i < N_FATES; i++) {
    if (list[i].len) hs_text_addf(out, "of these classes no operator was measured by itself; their efficiencies %s: %s\n", fates[i], list[i].s);
    hs_text_free(&list[i]);
  }
}

/* Of large operators nothing is faster, whatever the rows say; of others what the curve makes of it. */
static void warn_peak(const struct hs_fit *f, struct hs_text *out)
{
  struct hs_text list = {0};
  double most = 1;
  for (int i = 0; i < f->kernel.n_knots; i++) most = fmax(most, f->kernel.knot_frac[i]);
  for (int i = 0; i < f->n_coefficients; i++) {
    const struct hs_coefficient *c = &f->coefficients[i];
    bool efficiency = c->target >= f->kernel.efficiency && c->target < f->kernel.efficiency + HS_CLASS_N;
    bool sure = (c->state == HS_FITTED && c->error < PEAK_SURE * c->value) || f->pace < 1;
    if (efficiency && sure && c->value > 0.999 * c->high) hs_text_addf(&list, "%s%s", list.len ? ", " : "", c->name);
  }
  if (list.len)
    hs_text_addf(out, "at the peak of the SoC's macs_per_cycle and clock, which may be too low there: %s", list.s);
  if (list.len && most > 1.005) hs_text_addf(out, " (by the curve up to %.3g times as fast at some sizes)", most);
  if (list.len) hs_text_add(out, "\n");
  hs_text_free(&list);
}

static void warn_traffic(const struct hs_fit *f, struct hs_text *out)
{
  for (int i = 0; i < f->n_coefficients; i++)
    if (f->coefficients[i].target == &f->kernel.traffic_factor && f->coefficients[i].value > TRAFFIC_HIGH)
      hs_text_addf(out, "traffic_factor %.3g: the memory is probably slower than the SoC's file has it, or this stands for cores that don't scale; reports "
                   "multiply the DRAM traffic by it\n", f->coefficients[i].value);
}

/* Networks that mostly run on another processor, of which there are no rows. */
static void warn_elsewhere(const struct hs_fit *f, struct hs_text *out)
{
  struct hs_text list = {0};
  for (int i = 0; i < f->n_used; i++) {
    const struct hs_measurement *r = f->rows[i];
    if (r->elsewhere_frac > HS_FIT_ELSEWHERE_MUCH) hs_text_addf(&list, "%s%s (%.0f %%)", list.len ? ", " : "", r->graph->name, 100 * r->elsewhere_frac);
  }
  if (list.len)
    hs_text_addf(out, "most of these networks' time is expected on processors to which nothing is fitted, so they say little: %s; "
                 "measure these processors along with it\n", list.s);
  hs_text_free(&list);
}

/* Kept-out operators outside what was fitted, and what a user must know who runs others. */
static void warn_range(const struct hs_fit *f, struct hs_text *out)
{
  int outside = 0;
  char from[40], to[40];
  for (int i = f->n_rows; i < f->n_rows + f->n_kept_out; i++) {
    const struct hs_measurement *r = f->rows[i];
    if (r->op < 0) continue;
    enum hs_op_class class = hs_measured_class(r);
    double work = hs_measured_work(r);
    outside += f->class_n[class] == 0 || work < f->class_low[class] || work > f->class_high[class];
  }
  if (outside) hs_text_addf(out, "%d kept-out operators are outside the range of work that was fitted\n", outside);
  if (f->size_high > 0 && f->n_by_waves == 0)
    hs_text_addf(out, "outputs from %s to %s elements were measured; beyond that the profile extrapolates\n", hs_si(f->size_low, "", from, sizeof from),
                 hs_si(f->size_high, "", to, sizeof to));
}

/* The same of whole networks, by their multiplications. */
static void warn_networks(const struct hs_fit *f, struct hs_text *out)
{
  double low = INFINITY, high = 0;
  int outside = 0;
  char from[40], to[40];
  for (int i = 0; i < f->n_rows + f->n_kept_out; i++) {
    const struct hs_measurement *r = f->rows[i];
    if (r->op >= 0) continue;
    double macs = hs_graph_macs(r->graph);
    if (i >= f->n_rows) {
      outside += macs < low || macs > high;
      continue;
    }
    low = fmin(low, macs);
    high = fmax(high, macs);
  }
  if (high == 0) return;
  hs_text_addf(out, "networks of %s to %s were measured; beyond that the profile extrapolates", hs_si(low, "MAC", from, sizeof from),
               hs_si(high, "MAC", to, sizeof to));
  if (outside) hs_text_addf(out, ": to %d of the rows kept out, too", outside);
  hs_text_add(out, "\n");
}

/* Where the rows are far from all that the model can make of them, or from what it had made of them. */
static void warn_distance(const struct hs_fit *f, struct hs_text *out)
{
  const struct hs_errors *after = &f->after[0][HS_ROWS_ALL], *before = &f->before[0][HS_ROWS_ALL];
  /* by the median, so that one row that is off doesn't speak for all */
  double times = 1 / fmax(1 + before->middle_frac, 1e-9);
  if (after->median_frac > MEDIAN_HIGH_FRAC)
    hs_text_addf(out, "half of the rows are off by more than %.0f %% after the fit: are they of this SoC and runtime, run alike, at the highest "
                 "frequency?\n", 100 * after->median_frac);
  if (times > BEFORE_HIGH || times < 1 / BEFORE_HIGH)
    hs_text_addf(out, "the rows are about %.4g times as long as %s has it: is the unit of the latencies right?\n", times, hs_fit_what_was_before(f));
  for (int i = 0; i < f->n_odd && i < HS_FIT_ODD_MAX; i++)
    hs_text_addf(out, "%s:%d is %.3g times what the other rows make of it: is the number right? (%.100s)\n", f->odd[i].row->file, f->odd[i].row->line,
                 f->odd[i].times, f->odd[i].row->text);
  if (f->n_odd > HS_FIT_ODD_MAX) hs_text_addf(out, "%d more rows are more than %d times off\n", f->n_odd - HS_FIT_ODD_MAX, HS_FIT_ODD);
  const struct hs_errors *kept_out = &f->after[1][HS_ROWS_ALL], *kept_out_before = &f->before[1][HS_ROWS_ALL];
  if (kept_out->n && kept_out->mape_frac > fmax(WORSE * kept_out_before->mape_frac, kept_out_before->mape_frac + WORSE_BY))
    hs_text_addf(out, "the rows kept out are off by %.1f %% after the fit and by %.1f %% with %s: that serves them better\n", 100 * kept_out->mape_frac,
                 100 * kept_out_before->mape_frac, hs_fit_what_was_before(f));
}

/* Networks beside operators that the fit goes by: nothing that it looks for may be what makes them all slower, or faster. */
static void warn_one_sided(const struct hs_fit *f, struct hs_text *out)
{
  const struct hs_errors *e = &f->after[0][HS_ROWS_NETWORKS];
  if (e->n < 3 || fabs(e->bias_frac) < fmax(ONE_SIDED_FRAC, ONE_SIDED * e->mape_frac)) return;
  hs_text_addf(out, "the fit has networks %.1f %% too %s on average, nearly all of them: what makes them so is in no coefficient here (other threads, another "
               "version of the runtime), or they weren't run as the operators were\n", 100 * fabs(e->bias_frac), e->bias_frac > 0 ? "slow" : "fast");
}

/* As --cores has them: "mid:3+big:1". */
static const char *cores_text(const struct hs_bench *b, struct hs_text *out)
{
  const struct hs_processor *p = &b->sys.soc->processors[b->processor];
  const int *cores = b->sys.backends[b->processor].cores;
  for (int d = 0; d < p->n_domains; d++)
    if (cores[d]) hs_text_addf(out, "%s%s:%d", out->len ? "+" : "", p->domains[d].name, cores[d]);
  return out->s;
}

/* Core sets that are off otherwise than the rest, by more than three standard errors of their mean: no coefficient tells these cores apart. */
static void warn_core_sets(const struct hs_fit *f, struct hs_text *out)
{
  struct hs_text list = {0};
  double all = f->after[0][HS_ROWS_ALL].bias_frac;
  for (int i = 0; i < f->n_cores && f->n_cores > 1; i++) {
    const struct hs_errors *e = &f->cores[i].after[0];
    struct hs_text name = {0};
    if (e->n > 2 && fabs(e->bias_frac - all) > fmax(CORES_OFF, 3 * e->std_frac / sqrt(e->n)))
      hs_text_addf(&list, "%s%s %+.1f %%", list.len ? ", " : "", cores_text(f->cores[i].bench, &name), 100 * e->bias_frac);
    hs_text_free(&name);
  }
  if (list.len)
    hs_text_addf(out, "the fit is off one way on these cores (all rows %+.1f %%): %s; clocks that fall with the number of cores, clusters that differ otherwise "
                 "than by clock and macs_per_cycle, or other processes are in no coefficient here\n", 100 * all, list.s);
  hs_text_free(&list);
}

/* Cores on which all rows ran: of others they say nothing. */
static void warn_cores(const struct hs_fit *f, struct hs_text *out)
{
  const int p = f->bench->processor;
  const struct hs_processor *proc = &f->bench->sys.soc->processors[p];
  const struct hs_backend *first = &f->bench->sys.backends[p];
  if (proc->kind != HS_CPU || hs_processor_cores(proc) == 1) return;
  for (int i = 0; i < f->n_rows; i++)
    if (memcmp(f->rows[i]->bench->sys.backends[p].cores, first->cores, sizeof first->cores) != 0) return;
  hs_text_addf(out, "all rows ran on the same %d core%s: how threads scale, and so what other cores take, is as in %s; rows of several core sets in one call "
               "tell\n", first->threads, first->threads > 1 ? "s" : "", hs_fit_what_was_before(f));
}

/* Errors of one or two networks may be any, and so may what is concluded from them. */
static void warn_few_kept_out(const struct hs_fit *f, struct hs_text *out)
{
  enum { ENOUGH = 3 }; /* assumed */
  const char *subjects[ENOUGH];
  int n = 0;
  for (int i = f->n_rows; i < f->n_rows + f->n_kept_out && n < ENOUGH; i++) {
    const char *subject = hs_measurement_subject(f->rows[i]);
    bool known = false;
    for (int k = 0; k < n; k++) known |= strcmp(subjects[k], subject) == 0;
    if (!known) subjects[n++] = subject;
  }
  if (n > 0 && n < ENOUGH)
    hs_text_addf(out, "kept out: %d row%s, of %s%s%s alone: what it is off by there says little of others\n", f->n_kept_out,
                 f->n_kept_out > 1 ? "s" : "", subjects[0], n > 1 ? " and " : "", n > 1 ? subjects[1] : "");
}

/* A fit through nearly all of its rows has small errors whatever these say. */
static void warn_few_rows(const struct hs_fit *f, struct hs_text *out)
{
  if (f->n_used < 2 * f->dof)
    hs_text_addf(out, "%d rows decide about %.1f coefficients, so that their errors say little: measure more, or fit fewer (--only)\n", f->n_used, f->dof);
}

static void warn_curve(const struct hs_fit *f, struct hs_text *out)
{
  if (!f->only && f->base->n_knots && f->n_on_curve && f->n_on_curve < HS_FIT_CURVE_ROWS)
    hs_text_addf(out, "the curve of rates over sizes (saturation) stays as it was: %d operator%s of it, and %d are needed\n", f->n_on_curve,
                 f->n_on_curve == 1 ? " speaks" : "s speak", HS_FIT_CURVE_ROWS);
}

/* One that wasn't determined keeps what it was, unless it was none of its own, or a knot beside one that moved: then it goes with the one that stands for it. */
static bool goes_with_another(const struct hs_coefficient *c) { return c->state == HS_FIT_UNDETERMINED && c->value != c->before; }

static bool has_error(const struct hs_coefficient *c) { return c->state == HS_FITTED || c->state == HS_FIT_LEANING; }

/* What a user must know, a line each. */
static void warnings(const struct hs_fit *f, struct hs_text *out)
{
  struct hs_text kept = {0}, leaning = {0};
  warn_distance(f, out);
  warn_one_sided(f, out);
  warn_core_sets(f, out);
  warn_few_rows(f, out);
  warn_few_kept_out(f, out);
  for (int i = 0; i < f->n_coefficients; i++) {
    const struct hs_coefficient *c = &f->coefficients[i];
    if (goes_with_another(c))
      hs_text_addf(out, "the data don't determine %s: %s it is %.4g\n", c->name, c->leader ? "beside the next knot" : "without a value of its own", c->value);
    else if (c->state == HS_FIT_UNDETERMINED)
      hs_text_addf(&kept, "%s%s", kept.len ? ", " : "", c->name);
    if (c->state == HS_FIT_LEANING) hs_text_addf(&leaning, "%s%s", leaning.len ? ", " : "", c->name);
  }
  if (kept.len) hs_text_addf(out, "the data don't determine these, which %s: %s\n", f->pace == 1 ? "stay as they were" : "stay as under \"before\"", kept.s);
  if (leaning.len)
    hs_text_addf(out, "the data say less of these than %s, which counts here: %s\n", hs_fit_what_was_before(f), leaning.s);
  hs_text_free(&kept);
  hs_text_free(&leaning);
  if (!(f->condition < CONDITION_HIGH))
    hs_text_addf(out, "the coefficients are hard to tell apart (condition %.2g): look at their standard errors together\n", f->condition);
  warn_elsewhere(f, out);
  warn_peak(f, out);
  warn_traffic(f, out);
  warn_classes(f, out);
  warn_range(f, out);
  warn_networks(f, out);
  warn_curve(f, out);
  warn_cores(f, out);
}

static void each_warning(const struct hs_fit *f, struct hs_text *out, void (*one)(struct hs_text *, int, const char *))
{
  struct hs_text lines = {0};
  warnings(f, &lines);
  char *rest = lines.s;
  int n = 0;
  for (char *line; (line = strsep(&rest, "\n"));)
    if (*line) one(out, n++, line);
  hs_text_free(&lines);
}

/* --- text --- */

static void add_header(struct hs_table *t, int n, const char *const *names)
{
  t->n_columns = n;
  for (int i = 0; i < n; i++) {
    t->right[i] = i > 0;
    hs_table_add(t, "%s", names[i]);
  }
}

static void coefficients(const struct hs_fit *f, struct hs_text *out)
{
  static const char *const names[] = {"coefficient", "before", "fitted", "standard error", ""};
  static const char *const states[] = {"", "not determined by the data: kept", "hardly determined: leans on before"};
  struct hs_table t = {0};
  add_header(&t, 5, names);
  t.right[4] = false;
  for (int i = 0; i < f->n_coefficients; i++) {
    const struct hs_coefficient *c = &f->coefficients[i];
    hs_table_add(&t, "%s", c->name);
    hs_table_add(&t, "%.4g", c->before);
    hs_table_add(&t, "%.4g", c->value);
    if (has_error(c))
      hs_table_add(&t, "%.2g", c->error);
    else
      hs_table_add(&t, "-");
    hs_table_add(&t, "%s", !goes_with_another(c) ? states[c->state] : c->leader ? "not determined by the data: goes with the next knot"
                                                                                : "not determined by the data: none of its own");
  }
  hs_table_print(&t, out);
  hs_table_free(&t);
}

/* Of another phone's rows. */
static void pace(const struct hs_fit *f, struct hs_text *out)
{
  if (f->pace != 1)
    hs_text_addf(out, "the networks take %.3g times as long as with %s, whose numbers are taken at that pace, as under \"before\"\n\n",
                 f->pace, hs_fit_what_was_before(f));
}

static void error_cells(struct hs_table *t, struct hs_errors e)
{
  hs_table_add(t, "%d", e.n);
  if (e.n == 0) {
    for (int i = 0; i < 3; i++) hs_table_add(t, "-");
    return;
  }
  hs_table_add(t, "%.1f %%", 100 * e.mape_frac);
  hs_table_add(t, "%.1f %%", 100 * e.median_frac);
  hs_table_add(t, "%+.1f %%", hs_no_minus_zero(100 * e.bias_frac, 1));
}

static void error_row(struct hs_table *t, const char *name, struct hs_errors e)
{
  hs_table_add(t, "%s", name);
  error_cells(t, e);
}

static void errors(const struct hs_fit *f, struct hs_text *out)
{
  static const char *const names[] = {"error", "n", "MAPE", "median", "mean", "with the profile before", "", ""};
  static const char *const kinds[HS_ROW_KIND_N] = {[HS_ROWS_OPERATORS] = "operators", [HS_ROWS_SUMS] = "sums of a network's operators",
                                                   [HS_ROWS_NETWORKS] = "networks, end to end"};
  struct hs_table t = {0};
  add_header(&t, 8, names);
  for (int kept_out = 0; kept_out < 2; kept_out++)
    for (int k = HS_ROWS_OPERATORS; k < HS_ROW_KIND_N; k++) {
      char name[60];
      const struct hs_errors *before = &f->before[kept_out][k];
      snprintf(name, sizeof name, "%s: %s", kept_out ? "kept out" : "fitted", kinds[k]);
      if (before->n == 0) continue;
      error_row(&t, name, f->after[kept_out][k]);
      hs_table_add(&t, "%.1f %%", 100 * before->mape_frac);
      hs_table_add(&t, "%.1f %%", 100 * before->median_frac);
      hs_table_add(&t, "%+.1f %%", hs_no_minus_zero(100 * before->bias_frac, 1));
    }
  hs_table_print(&t, out);
  hs_table_free(&t);
}

static void core_sets(const struct hs_fit *f, struct hs_text *out)
{
  static const char *const names[] = {"fitted, on cores", "n", "MAPE", "median", "mean", "kept out, n", "", "", ""};
  struct hs_table t = {0};
  add_header(&t, 9, names);
  for (int i = 0; i < f->n_cores; i++) {
    struct hs_text name = {0};
    error_row(&t, cores_text(f->cores[i].bench, &name), f->cores[i].after[0]);
    error_cells(&t, f->cores[i].after[1]);
    hs_text_free(&name);
  }
  if (f->n_cores > 1) {
    hs_text_add(out, "\n");
    hs_table_print(&t, out);
  }
  hs_table_free(&t);
}

static void classes(const struct hs_fit *f, struct hs_text *out)
{
  static const char *const names[] = {"operators", "n", "MAPE", "median", "mean", "work from", "to"};
  struct hs_table t = {0};
  char from[40], to[40];
  add_header(&t, 7, names);
  for (int c = 0; c < HS_CLASS_N; c++) {
    if (f->class_n[c] == 0) continue;
    error_row(&t, hs_op_class_names[c], f->class_error[c]);
    hs_table_add(&t, "%s", hs_si(f->class_low[c], "", from, sizeof from));
    hs_table_add(&t, "%s", hs_si(f->class_high[c], "", to, sizeof to));
  }
  if (t.n > t.n_columns) {
    hs_text_add(out, "\n");
    hs_table_print(&t, out);
  }
  hs_table_free(&t);
}

static void warning_text(struct hs_text *out, int i, const char *line)
{
  (void)i;
  hs_text_addf(out, "warning: %s\n", line);
}

void hs_calibration_text(const struct hs_measurements *m, const struct hs_fit *fits, int n, struct hs_text *out)
{
  char buf[80];
  for (int i = 0; i < m->n_notes; i++) hs_text_addf(out, "note: %s\n", m->notes[i]);
  for (int i = 0; i < n; i++) {
    const struct hs_fit *f = &fits[i];
    hs_text_addf(out, "%s%s under %s: %s, %d rows%s%s\n\n", i || m->n_notes ? "\n" : "", m->soc->name, m->runtime->name,
                 hs_measured_kernel(f->bench, buf, sizeof buf), f->n_rows, f->base_unfitted ? "; before: " : "",
                 f->base_unfitted ? hs_fit_what_was_before(f) : "");
    pace(f, out);
    coefficients(f, out);
    hs_text_addf(out, "condition %.3g\n\n", f->condition);
    errors(f, out);
    core_sets(f, out);
    classes(f, out);
    hs_text_add(out, "\n");
    each_warning(f, out, warning_text);
  }
}

/* --- JSON --- */

static void coefficients_json(const struct hs_fit *f, struct hs_text *t)
{
  static const char *const states[] = {[HS_FITTED] = "fitted", [HS_FIT_UNDETERMINED] = "undetermined", [HS_FIT_LEANING] = "leaning"};
  hs_put_open(t, "coefficients", '[');
  for (int i = 0; i < f->n_coefficients; i++) {
    const struct hs_coefficient *c = &f->coefficients[i];
    hs_put_line(t, 6);
    hs_put_open(t, NULL, '{');
    hs_put_string(t, "name", c->name);
    hs_put_number(t, "before", c->before);
    hs_put_number(t, "value", c->value);
    hs_put_number(t, "standard_error", has_error(c) ? c->error : NAN);
    hs_put_string(t, "state", states[c->state]);
    hs_put_close(t, '}');
  }
  hs_put_close(t, ']');
}

static void error_members(struct hs_text *t, const struct hs_errors *e)
{
  hs_put_number(t, "n", e->n);
  hs_put_number(t, "mape_frac", e->mape_frac);
  hs_put_number(t, "median_frac", e->median_frac);
  hs_put_number(t, "mean_frac", e->bias_frac);
}

static void errors_json(const struct hs_fit *f, struct hs_text *t)
{
  static const char *const kinds[HS_ROW_KIND_N] = {[HS_ROWS_OPERATORS] = "operators", [HS_ROWS_SUMS] = "sums", [HS_ROWS_NETWORKS] = "networks"};
  hs_put_open(t, "errors", '[');
  for (int kept_out = 0; kept_out < 2; kept_out++)
    for (int k = HS_ROWS_OPERATORS; k < HS_ROW_KIND_N; k++) {
      if (f->before[kept_out][k].n == 0) continue;
      hs_put_line(t, 6);
      hs_put_open(t, NULL, '{');
      hs_put_string(t, "rows", kinds[k]);
      hs_put_bool(t, "kept_out", kept_out);
      error_members(t, &f->after[kept_out][k]);
      hs_put_open(t, "before", '{');
      error_members(t, &f->before[kept_out][k]);
      hs_put_close(t, '}');
      hs_put_close(t, '}');
    }
  hs_put_close(t, ']');
}

static void core_sets_json(const struct hs_fit *f, struct hs_text *t)
{
  hs_put_open(t, "cores", '[');
  for (int i = 0; i < f->n_cores; i++)
    for (int kept_out = 0; kept_out < 2; kept_out++) {
      struct hs_text name = {0};
      if (f->cores[i].after[kept_out].n == 0) continue;
      hs_put_line(t, 6);
      hs_put_open(t, NULL, '{');
      hs_put_string(t, "cores", cores_text(f->cores[i].bench, &name));
      hs_put_bool(t, "kept_out", kept_out);
      error_members(t, &f->cores[i].after[kept_out]);
      hs_put_close(t, '}');
      hs_text_free(&name);
    }
  hs_put_close(t, ']');
}

static void classes_json(const struct hs_fit *f, struct hs_text *t)
{
  hs_put_open(t, "classes", '[');
  for (int c = 0; c < HS_CLASS_N; c++) {
    if (f->class_n[c] == 0) continue;
    hs_put_line(t, 6);
    hs_put_open(t, NULL, '{');
    hs_put_string(t, "name", hs_op_class_names[c]);
    error_members(t, &f->class_error[c]);
    hs_put_number(t, "work_low", f->class_low[c]);
    hs_put_number(t, "work_high", f->class_high[c]);
    hs_put_close(t, '}');
  }
  hs_put_close(t, ']');
}

static void warning_json(struct hs_text *t, int i, const char *line)
{
  (void)i;
  hs_put_line(t, 6);
  hs_put_string(t, NULL, line);
}

static void fit_json(const struct hs_measurements *m, const struct hs_fit *f, struct hs_text *t)
{
  const struct hs_processor *p = &m->soc->processors[f->bench->processor];
  const struct hs_backend *b = &f->bench->sys.backends[f->bench->processor];
  hs_put_line(t, 4);
  hs_put_open(t, NULL, '{');
  hs_put_string(t, "processor", p->name);
  hs_put_string(t, "precision", hs_precision_names[b->precision]);
  if (p->kind == HS_GPU) hs_put_string(t, "memory_type", hs_memory_type_names[b->memory_type]);
  hs_put_number(t, "n", f->n_rows);
  hs_put_number(t, "n_used", f->n_used);
  hs_put_number(t, "n_kept_out", f->n_kept_out);
  hs_put_bool(t, "before_estimated", f->base_unfitted);
  hs_put_number(t, "pace", f->pace);
  hs_put_number(t, "condition", f->condition);
  hs_put_line(t, 5);
  coefficients_json(f, t);
  hs_put_line(t, 5);
  errors_json(f, t);
  hs_put_line(t, 5);
  core_sets_json(f, t);
  hs_put_line(t, 5);
  classes_json(f, t);
  hs_put_line(t, 5);
  hs_put_open(t, "warnings", '[');
  each_warning(f, t, warning_json);
  hs_put_close(t, ']');
  hs_put_close(t, '}');
}

void hs_calibration_json(const struct hs_measurements *m, const struct hs_fit *fits, int n, const char *profile, struct hs_text *t)
{
  hs_put_open(t, NULL, '{');
  hs_put_line(t, 2);
  hs_put_string(t, "soc", m->soc->name);
  hs_put_string(t, "runtime", m->runtime->name);
  hs_put_string(t, "profile", profile);
  hs_put_line(t, 2);
  hs_put_open(t, "notes", '[');
  for (int i = 0; i < m->n_notes; i++) {
    hs_put_line(t, 4);
    hs_put_string(t, NULL, m->notes[i]);
  }
  hs_put_close(t, ']');
  hs_put_line(t, 2);
  hs_put_open(t, "kernels", '[');
  for (int i = 0; i < n; i++) fit_json(m, &fits[i], t);
  hs_put_line(t, 2);
  hs_put_close(t, ']');
  hs_put_line(t, 0);
  hs_put_close(t, '}');
  hs_put_line(t, 0);
}
