/* SPDX-License-Identifier: GPL-3.0-or-later */
/* hetsim calibrate: fits kernel profiles to measurements. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "calibrate/write_profile.h"
#include "out/report.h"
#include "out/table.h"
#include "program/cli.h"

enum { FITS_MAX = 16 };
static const double CONDITION_HIGH = 1e4;

struct run {
  struct hs_catalog catalog;
  struct hs_soc *soc;
  struct hs_profile *own, *estimate;
  struct hs_measurements m;
  int n_fits;
  struct hs_fit fits[FITS_MAX];
  struct hs_arena arena;
};

/* --- reading --- */

static enum hs_status missing(const char *what, struct hs_error *err) { return hs_fail(err, HS_USAGE, "%s is missing", what); }

static int word_index(const char *name, const char *const *words)
{
  for (int i = 0; name && words[i]; i++)
    if (strcmp(words[i], name) == 0) return i;
  return -1;
}

static enum hs_status find_word(const char *option, const char *name, const char *const *words, int *out, struct hs_error *err)
{
  *out = word_index(name, words);
  return !name || *out >= 0 ? HS_OK : hs_fail(err, HS_USAGE, "there is no %s \"%.40s\"", option, name);
}

static enum hs_status open_inputs(struct run *r, const struct hs_cli *cli, struct hs_error *err)
{
  const struct hs_runtime *rt = hs_runtime_find(cli->runtime);
  int precision, memory_type;
  if (!rt) return hs_fail(err, HS_USAGE, "there is no runtime \"%.40s\" (hetsim list runtimes)", cli->runtime);
  HS_TRY(find_word("precision", cli->precision, hs_precision_names, &precision, err));
  HS_TRY(find_word("memory type", cli->memory_type, hs_memory_type_names, &memory_type, err));
  HS_TRY(hs_catalog_open(&r->catalog, err));
  HS_TRY(hs_catalog_soc(&r->catalog, cli->soc, &r->soc, err));
  HS_TRY(hs_catalog_profile(&r->catalog, r->soc->name, rt->name, &r->own, err));
  HS_TRY(hs_catalog_profile(&r->catalog, "any", rt->name, &r->estimate, err));
  if (!r->estimate) return hs_fail(err, HS_IO, "%s/socs/profiles/any-%s.json is missing", r->catalog.root, rt->name);
  r->m = (struct hs_measurements){.catalog = &r->catalog, .soc = r->soc, .runtime = rt, .own = r->own, .estimate = r->estimate,
                                  .precision = precision, .memory_type = memory_type, .threads = cli->threads};
  return HS_OK;
}

/* "MODEL:PROCESSOR=FILE" is an operator profile of TensorFlow Lite, anything else a CSV file. */
static enum hs_status read_input(struct run *r, const char *word, bool kept_out, struct hs_error *err)
{
  const char *equals = strchr(word, '='), *colon = equals;
  while (colon && colon > word && *colon != ':') colon--;
  if (colon == word) colon = NULL;
  if (!colon) return hs_measurements_read(&r->m, word, kept_out, err);
  char *model = hs_arena_printf(&r->arena, "%.*s", (int)(colon - word), word);
  char *processor = hs_arena_printf(&r->arena, "%.*s", (int)(equals - colon - 1), colon + 1);
  return hs_measurements_read_tflite(&r->m, equals + 1, model, processor, kept_out, err);
}

static enum hs_status keep_out(struct run *r, const char *what, struct hs_error *err)
{
  char *end;
  if (!what) return HS_OK;
  double fraction = strtod(what, &end);
  if (end == what || *end) return read_input(r, what, true, err);
  if (!(fraction > 0 && fraction < 1)) return hs_fail(err, HS_USAGE, "--holdout: %.40s is not a fraction in (0, 1), nor a file", what);
  hs_measurements_keep_out(&r->m, fraction);
  return HS_OK;
}

static enum hs_status check_kept_out(const struct run *r, const char *what, struct hs_error *err)
{
  int n = 0;
  for (int i = 0; i < r->m.n; i++) n += r->m.rows[i].kept_out;
  if (what && n == 0) return hs_fail(err, HS_INPUT, "--holdout=%.60s keeps none of %d rows out: there are too few (rows with one `network` stay together)", what, r->m.n);
  return HS_OK;
}

static enum hs_status read_inputs(struct run *r, const struct hs_cli *cli, struct hs_error *err)
{
  for (int i = 0; i < cli->n_words; i++) HS_TRY(read_input(r, cli->words[i], false, err));
  HS_TRY(keep_out(r, cli->holdout, err));
  return check_kept_out(r, cli->holdout, err);
}

/* --- fitting --- */

static bool is_fitted(const struct run *r, const struct hs_measurement *row)
{
  for (int i = 0; i < r->n_fits; i++)
    for (int k = 0; k < r->fits[i].n_rows + r->fits[i].n_kept_out; k++)
      if (r->fits[i].rows[k] == row) return true;
  return false;
}

/* CPUs first: what other processors can't run falls back to them, and costs networks what it costs there. */
static enum hs_status fit_all(struct run *r, struct hs_error *err)
{
  for (int cpu = 1; cpu >= 0; cpu--)
    for (int i = 0; i < r->m.n; i++) {
      const struct hs_measurement *row = &r->m.rows[i];
      if ((r->soc->processors[row->bench->processor].kind == HS_CPU) != cpu || is_fitted(r, row)) continue;
      if (r->n_fits == FITS_MAX) return hs_fail(err, HS_INPUT, "more than %d combinations of processor, precision and memory type", FITS_MAX);
      HS_TRY(hs_fit_kernel(&r->m, i, &r->fits[r->n_fits++], err));
    }
  return HS_OK;
}

/* --- the table --- */

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
  static const char *const states[] = {"", "no data: kept", "not determined by the data: kept", "only bounded by the data"};
  struct hs_table t = {0};
  add_header(&t, 5, names);
  t.right[4] = false;
  for (int i = 0; i < f->n_coefficients; i++) {
    const struct hs_coefficient *c = &f->coefficients[i];
    hs_table_add(&t, "%s", c->name);
    hs_table_add(&t, "%.4g", c->before);
    hs_table_add(&t, "%.4g", c->value);
    if (c->state == HS_FITTED)
      hs_table_add(&t, "%.2g", c->error);
    else
      hs_table_add(&t, "-");
    hs_table_add(&t, "%s", states[c->state]);
  }
  hs_table_print(&t, out);
  hs_table_free(&t);
}

static void error_row(struct hs_table *t, const char *name, struct hs_errors e)
{
  hs_table_add(t, "%s", name);
  hs_table_add(t, "%d", e.n);
  hs_table_add(t, "%.1f %%", 100 * e.mape_frac);
  hs_table_add(t, "%.1f %%", 100 * e.median_frac);
  hs_table_add(t, "%+.1f %%", 100 * e.bias_frac);
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
      hs_table_add(&t, "%+.1f %%", 100 * before->bias_frac);
    }
  hs_table_print(&t, out);
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

/* Classes without a coefficient: what their efficiency now is. */
static void warn_classes(const struct hs_fit *f, struct hs_text *out)
{
  for (int c = 0; c < HS_CLASS_N; c++) {
    bool own = false;
    for (int i = 0; i < f->n_coefficients; i++) own |= f->coefficients[i].target == &f->kernel.efficiency[c];
    if (own) continue;
    if (c == HS_CLASS_MOVE && f->class_n[c]) {
      hs_text_addf(out, "move: %d rows weren't fitted: without work only overhead and bandwidth tell, which others determine\n", f->class_n[c]);
      continue;
    }
    hs_text_addf(out, "%s: %s; its efficiency %s %.4g, %s\n", hs_op_class_names[c],
                 f->class_n[c] ? "too few rows" : "no operator of this class was measured by itself", f->kernel.efficiency[c] == f->base->efficiency[c] ? "stays" : "becomes",
                 f->kernel.efficiency[c], f->kernel.efficiency[c] == f->base->efficiency[c] ? (f->base_estimated ? "an estimate" : "as in the profile before") : "moved with all others");
  }
}

/* Kept-out operators outside what was fitted, and what a user must know who runs others. */
static void warn_range(const struct hs_fit *f, struct hs_text *out)
{
  int outside = 0;
  char from[40], to[40];
  for (int i = f->n_rows; i < f->n_rows + f->n_kept_out; i++) {
    const struct hs_measurement *r = f->rows[i];
    if (r->op < 0) continue;
    const struct hs_operator *op = &r->graph->ops[r->op];
    double work = op->work > 0 ? op->work : (double)hs_op_output_elements(r->graph, op);
    outside += f->class_n[op->class] == 0 || work < f->class_low[op->class] || work > f->class_high[op->class];
  }
  if (outside) hs_text_addf(out, "%d kept-out operators are outside the range of work that was fitted\n", outside);
  if (f->size_high > 0)
    hs_text_addf(out, "outputs from %s to %s elements were measured; beyond that the profile extrapolates\n", hs_si(f->size_low, "", from, sizeof from),
                 hs_si(f->size_high, "", to, sizeof to));
}

/* What a user must know, a line each. */
static void warnings(const struct hs_fit *f, struct hs_text *out)
{
  for (int i = 0; i < f->n_coefficients; i++) {
    const struct hs_coefficient *c = &f->coefficients[i];
    if (c->state == HS_FIT_UNDETERMINED) hs_text_addf(out, "the data don't determine %s: it keeps %.4g\n", c->name, c->value);
    if (c->state == HS_FIT_BOUND) hs_text_addf(out, "the data only say on which side of %.4g %s is: it was not looked for further\n", c->value, c->name);
  }
  if (!(f->condition < CONDITION_HIGH)) hs_text_addf(out, "the coefficients are hard to tell apart (condition %.2g): look at their standard errors together\n", f->condition);
  warn_classes(f, out);
  warn_range(f, out);
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

static void warning_text(struct hs_text *out, int i, const char *line)
{
  (void)i;
  hs_text_addf(out, "warning: %s\n", line);
}

static const char *title(const struct run *r, const struct hs_fit *f, char *buf, size_t size)
{
  const struct hs_processor *p = &r->soc->processors[f->bench->processor];
  const struct hs_backend *b = &f->bench->sys.backends[f->bench->processor];
  snprintf(buf, size, "%s, %s%s%s", p->name, hs_precision_names[b->precision], p->kind == HS_GPU ? ", " : "",
           p->kind == HS_GPU ? hs_memory_type_names[b->memory_type] : "");
  return buf;
}

static void report(const struct run *r, struct hs_text *out)
{
  char buf[80];
  for (int i = 0; i < r->m.n_notes; i++) hs_text_addf(out, "note: %s\n", r->m.notes[i]);
  for (int i = 0; i < r->n_fits; i++) {
    const struct hs_fit *f = &r->fits[i];
    hs_text_addf(out, "%s%s under %s: %s, %d rows%s\n\n", i || r->m.n_notes ? "\n" : "", r->soc->name, r->m.runtime->name, title(r, f, buf, sizeof buf), f->n_rows,
                 f->base_estimated ? "; before: the estimate from hardware rates" : "");
    coefficients(f, out);
    hs_text_addf(out, "condition %.3g\n\n", f->condition);
    errors(f, out);
    classes(f, out);
    hs_text_add(out, "\n");
    each_warning(f, out, warning_text);
  }
}

/* --- the same as JSON --- */

static void member(struct hs_text *t, const char *name, double v)
{
  hs_text_addf(t, ", \"%s\": ", name);
  if (isfinite(v))
    hs_text_number(t, v);
  else
    hs_text_add(t, "null");
}

static void coefficients_json(const struct hs_fit *f, struct hs_text *t)
{
  static const char *const states[] = {[HS_FITTED] = "fitted", [HS_FIT_NO_DATA] = "no data", [HS_FIT_UNDETERMINED] = "undetermined", [HS_FIT_BOUND] = "bounded"};
  hs_text_add(t, "     \"coefficients\": [");
  for (int i = 0; i < f->n_coefficients; i++) {
    const struct hs_coefficient *c = &f->coefficients[i];
    hs_text_addf(t, "%s\n      {\"name\": \"%s\"", i ? "," : "", c->name);
    member(t, "before", c->before);
    member(t, "value", c->value);
    member(t, "standard_error", c->state == HS_FITTED ? c->error : NAN);
    hs_text_addf(t, ", \"state\": \"%s\"}", states[c->state]);
  }
  hs_text_add(t, "],\n");
}

static void error_members(struct hs_text *t, const struct hs_errors *e)
{
  member(t, "mape_frac", e->mape_frac);
  member(t, "median_frac", e->median_frac);
  member(t, "mean_frac", e->bias_frac);
}

static void errors_json(const struct hs_fit *f, struct hs_text *t)
{
  static const char *const kinds[HS_ROW_KIND_N] = {[HS_ROWS_OPERATORS] = "operators", [HS_ROWS_SUMS] = "sums", [HS_ROWS_NETWORKS] = "networks"};
  int n = 0;
  hs_text_add(t, "     \"errors\": [");
  for (int kept_out = 0; kept_out < 2; kept_out++)
    for (int k = HS_ROWS_OPERATORS; k < HS_ROW_KIND_N; k++) {
      if (f->before[kept_out][k].n == 0) continue;
      hs_text_addf(t, "%s\n      {\"rows\": \"%s\", \"kept_out\": %s, \"n\": %d", n++ ? "," : "", kinds[k], kept_out ? "true" : "false", f->after[kept_out][k].n);
      error_members(t, &f->after[kept_out][k]);
      hs_text_addf(t, ", \"before\": {\"n\": %d", f->before[kept_out][k].n);
      error_members(t, &f->before[kept_out][k]);
      hs_text_add(t, "}}");
    }
  hs_text_add(t, "],\n");
}

static void classes_json(const struct hs_fit *f, struct hs_text *t)
{
  int n = 0;
  hs_text_add(t, "     \"classes\": [");
  for (int c = 0; c < HS_CLASS_N; c++) {
    if (f->class_n[c] == 0) continue;
    hs_text_addf(t, "%s\n      {\"name\": \"%s\", \"n\": %d", n++ ? "," : "", hs_op_class_names[c], f->class_error[c].n);
    error_members(t, &f->class_error[c]);
    member(t, "work_low", f->class_low[c]);
    member(t, "work_high", f->class_high[c]);
    hs_text_add(t, "}");
  }
  hs_text_add(t, "],\n");
}

static void warning_json(struct hs_text *t, int i, const char *line)
{
  hs_text_addf(t, "%s\n      ", i ? "," : "");
  hs_text_string(t, line);
}

static void fit_json(const struct run *r, const struct hs_fit *f, struct hs_text *t)
{
  const struct hs_processor *p = &r->soc->processors[f->bench->processor];
  const struct hs_backend *b = &f->bench->sys.backends[f->bench->processor];
  hs_text_addf(t, "    {\"processor\": \"%s\", \"precision\": \"%s\"", p->name, hs_precision_names[b->precision]);
  if (p->kind == HS_GPU) hs_text_addf(t, ", \"memory_type\": \"%s\"", hs_memory_type_names[b->memory_type]);
  hs_text_addf(t, ", \"n\": %d, \"n_used\": %d, \"n_kept_out\": %d, \"before_estimated\": %s", f->n_rows, f->n_used, f->n_kept_out, f->base_estimated ? "true" : "false");
  member(t, "condition", f->condition);
  hs_text_add(t, ",\n");
  coefficients_json(f, t);
  errors_json(f, t);
  classes_json(f, t);
  hs_text_add(t, "     \"warnings\": [");
  each_warning(f, t, warning_json);
  hs_text_add(t, "]}");
}

static void report_json(const struct run *r, const char *profile, struct hs_text *t)
{
  hs_text_addf(t, "{\n  \"soc\": \"%s\", \"runtime\": \"%s\", \"profile\": ", r->soc->name, r->m.runtime->name);
  hs_text_string(t, profile);
  hs_text_add(t, ",\n  \"notes\": [");
  for (int i = 0; i < r->m.n_notes; i++) {
    hs_text_add(t, i ? ",\n    " : "\n    ");
    hs_text_string(t, r->m.notes[i]);
  }
  hs_text_add(t, "],\n  \"kernels\": [\n");
  for (int i = 0; i < r->n_fits; i++) {
    fit_json(r, &r->fits[i], t);
    hs_text_add(t, i + 1 < r->n_fits ? ",\n" : "\n");
  }
  hs_text_add(t, "  ]\n}\n");
}

/* --- the profile --- */

static enum hs_status hash_files(struct run *r, const struct hs_cli *cli, struct hs_text *names, char *all, struct hs_error *err)
{
  struct hs_text sums = {0};
  enum hs_status status = HS_OK;
  for (int i = 0; i < cli->n_words && !status; i++) {
    const char *equals = strchr(cli->words[i], '='), *path = equals && strchr(cli->words[i], ':') ? equals + 1 : cli->words[i];
    const char *slash = strrchr(path, '/');
    char *text, hex[65];
    size_t len;
    status = hs_file_read(path, &text, &len, err);
    if (status) break;
    hs_sha256_hex(text, len, hex);
    hs_text_addf(names, "%s%s (SHA-256 %s)", i ? ", " : "", slash ? slash + 1 : path, hex);
    hs_text_add(&sums, hex);
    free(text);
  }
  if (!status) hs_sha256_hex(sums.s, sums.len, all);
  hs_text_free(&sums);
  (void)r;
  return status;
}

static const char *reference(struct run *r, const struct hs_fit *f, const char *files)
{
  return hs_arena_printf(&r->arena, "measurements in %s, fitted by hetsim calibrate %s: n = %d, MAPE %.1f %%", files, hs_version, f->n_used, 100 * f->after[0][HS_ROWS_ALL].mape_frac);
}

/* Coefficients of a state by their names, behind `before`. */
static void list_state(const struct hs_fit *f, enum hs_fitted state, const char *before, struct hs_text *t)
{
  int n = 0;
  for (int i = 0; i < f->n_coefficients; i++)
    if (f->coefficients[i].state == state) hs_text_addf(t, "%s%s", n++ ? ", " : before, f->coefficients[i].name);
}

static const char *note(struct run *r, const struct hs_fit *f)
{
  int fitted = 0;
  char from[40], to[40];
  struct hs_text t = {0};
  for (int i = 0; i < f->n_coefficients; i++) fitted += f->coefficients[i].state == HS_FITTED;
  hs_text_addf(&t, "by hetsim calibrate, %d free coefficients", fitted);
  list_state(f, HS_FIT_BOUND, "; only bounded: ", &t);
  list_state(f, HS_FIT_UNDETERMINED, "; not determined, as before: ", &t);
  if (f->n_kept_out) hs_text_addf(&t, "; on %d rows kept out MAPE %.1f %%, median %.1f %%", f->n_kept_out, 100 * f->after[1][HS_ROWS_ALL].mape_frac, 100 * f->after[1][HS_ROWS_ALL].median_frac);
  if (f->size_high > 0)
    hs_text_addf(&t, "; outputs of %s to %s elements", hs_si(f->size_low, "", from, sizeof from), hs_si(f->size_high, "", to, sizeof to));
  const char *s = hs_arena_strdup(&r->arena, t.s);
  hs_text_free(&t);
  return s;
}

static enum hs_status make_profile(struct run *r, const struct hs_cli *cli, struct hs_text *t, struct hs_error *err)
{
  const char *refs[FITS_MAX], *notes[FITS_MAX];
  struct hs_text names = {0};
  struct hs_profile *again = NULL;
  char tag[65] = "";
  enum hs_status status = hash_files(r, cli, &names, tag, err);
  for (int i = 0; i < r->n_fits && !status; i++) {
    refs[i] = reference(r, &r->fits[i], names.s);
    notes[i] = note(r, &r->fits[i]);
  }
  if (!status) {
    hs_profile_write(&r->m, r->fits, r->n_fits, refs, notes, tag, t);
    status = hs_profile_parse(cli->output, t->s, t->len, &again, err); /* what we write, we must be able to read */
  }
  hs_profile_free(again);
  hs_text_free(&names);
  return status;
}

/* Both or none. */
static enum hs_status publish(struct hs_output *profile, const struct hs_text *kernels, struct hs_output *result, const struct hs_text *report, struct hs_error *err)
{
  fwrite(kernels->s, 1, kernels->len, profile->stream);
  fwrite(report->s, 1, report->len, result->stream);
  HS_TRY(hs_output_finish(profile, err));
  HS_TRY(hs_output_finish(result, err));
  return hs_output_publish(profile, err);
}

static void add_report(const struct run *r, const struct hs_cli *cli, struct hs_text *t)
{
  if (cli->format == HS_FORMAT_JSON) {
    report_json(r, cli->output, t);
    return;
  }
  report(r, t);
  hs_text_addf(t, "\nwritten: %s\n", cli->output);
}

static enum hs_status calibrate(struct run *r, const struct hs_cli *cli, struct hs_error *err)
{
  struct hs_text kernels = {0}, t = {0};
  struct hs_output profile = {0}, result = {0};
  HS_TRY(open_inputs(r, cli, err));
  HS_TRY(read_inputs(r, cli, err));
  HS_TRY(fit_all(r, err));
  add_report(r, cli, &t);
  enum hs_status status = make_profile(r, cli, &kernels, err);
  if (!status) status = hs_output_open(&profile, cli->output, err);
  if (!status) status = hs_output_open(&result, "-", err);
  if (!status) status = publish(&profile, &kernels, &result, &t, err);
  hs_output_discard(&profile);
  hs_output_discard(&result);
  hs_text_free(&kernels);
  hs_text_free(&t);
  return status;
}

enum hs_status hs_cmd_calibrate(const struct hs_cli *cli, struct hs_error *err)
{
  if (!cli->soc) return missing("--soc", err);
  if (!cli->runtime) return missing("--runtime: measurements are of one runtime's kernels; it", err);
  if (cli->n_words == 0) return missing("MEASUREMENTS.csv", err);
  if (!cli->output || strcmp(cli->output, "-") == 0) return missing("--output=FILE.json", err);
  struct run *r = hs_realloc(NULL, 1, sizeof *r);
  memset(r, 0, sizeof *r);
  enum hs_status status = calibrate(r, cli, err);
  for (int i = 0; i < r->n_fits; i++) hs_fit_free(&r->fits[i]);
  hs_measurements_free(&r->m);
  hs_profile_free(r->own);
  hs_profile_free(r->estimate);
  hs_soc_free(r->soc);
  hs_catalog_close(&r->catalog);
  hs_arena_free(&r->arena);
  free(r);
  return status;
}
