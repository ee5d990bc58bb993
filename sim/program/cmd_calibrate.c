/* SPDX-License-Identifier: GPL-3.0-or-later */
/* hetsim calibrate: reads measurements, fits kernel profiles to them, writes these and a report. */
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/files.h"
#include "base/inputs.h"
#include "calibrate/write_profile.h"
#include "out/report.h"
#include "program/calibrate_report.h"
#include "program/cli.h"
#include "program/lookup.h"

enum { FITS_MAX = 16, FILES_MAX = HS_CLI_WORDS_MAX + 1 };

struct run {
  struct hs_catalog catalog;
  struct hs_soc *soc;
  struct hs_profile *own, *estimate;
  struct hs_measurements m;
  int n_fits;
  struct hs_fit fits[FITS_MAX];
  int n_files; /* read: the words' and then that of --holdout */
  struct file {
    const char *path;
    int first_row, n_rows; /* of the measurements */
    char sum[65];
  } files[FILES_MAX];
  struct hs_arena arena;
};

/* --- reading --- */

static enum hs_status missing(const char *what, struct hs_error *err) { return hs_fail(err, HS_USAGE, "%s is missing", what); }

/* As a run's: what no CPU of the SoC has isn't the fault of a row. */
static enum hs_status check_cores(struct run *r, const struct hs_cli *cli, const struct hs_runtime *rt, struct hs_error *err)
{
  const struct hs_settings settings = {.runtime = rt, .precision = -1, .memory_type = -1, .threads = cli->threads, .cores = cli->cores};
  const struct hs_system_files files = {r->own, r->estimate, hs_catalog_table, &r->catalog};
  struct hs_system ignored;
  return cli->cores ? hs_system_make(&ignored, r->soc, &settings, &files, err) : HS_OK;
}

static enum hs_status open_inputs(struct run *r, const struct hs_cli *cli, struct hs_error *err)
{
  const struct hs_runtime *rt;
  int precision, memory_type;
  HS_TRY(hs_lookup_runtime(cli->runtime, &rt, err));
  HS_TRY(hs_lookup_word("precision", cli->precision, hs_precision_names, &precision, err));
  HS_TRY(hs_lookup_word("memory type", cli->memory_type, hs_memory_type_names, &memory_type, err));
  HS_TRY(hs_catalog_open(&r->catalog, err));
  HS_TRY(hs_catalog_soc(&r->catalog, cli->soc, &r->soc, err));
  HS_TRY(hs_catalog_profile(&r->catalog, r->soc->name, rt->name, &r->own, err));
  if (r->own) hs_inputs_release(r->own->file);
  HS_TRY(hs_catalog_estimate(&r->catalog, r->soc->name, rt, &r->estimate, err));
  HS_TRY(check_cores(r, cli, rt, err));
  r->m = (struct hs_measurements){.catalog = &r->catalog, .soc = r->soc, .runtime = rt, .own = r->own, .estimate = r->estimate,
                                  .precision = precision, .memory_type = memory_type, .threads = cli->threads, .cores = cli->cores};
  return HS_OK;
}

/* A fit begins with the profile that is there, and leans on it: on the same measurements twice, if that was fitted to them. */
static void note_again(struct run *r, const struct file *f, bool kept_out)
{
  const struct hs_sources *s = &r->own->sources;
  for (int i = 0; i < s->n; i++) {
    if (!strstr(s->list[i].ref, f->sum)) continue;
    hs_measurements_note(&r->m, kept_out ? "%s: %s was fitted to it: its errors say little of others"
                                         : "%s: %s was fitted to it: its measurements count once more (without that profile they count once)",
                         f->path, r->own->file);
    return;
  }
}

/* Of operator profiles: the same operators, each in as long, however the file is laid out. Of tables the cells of each row tell. */
static bool has_same_rows(const struct run *r, const struct file *a, const struct file *b)
{
  bool same = a->n_rows == b->n_rows && a->n_rows > 0;
  for (int i = 0; i < a->n_rows && same; i++) {
    const struct hs_measurement *x = &r->m.rows[a->first_row + i], *y = &r->m.rows[b->first_row + i];
    same = x->op >= 0 && x->op == y->op && x->graph == y->graph && x->bench == y->bench && x->latency_s == y->latency_s;
  }
  return same;
}

/* Notes what was read, rows from `first_row` on. A copy of one would count twice, or what is fitted be kept out: operator profiles have no rows that could
 * tell. */
static enum hs_status note_file(struct run *r, const char *path, const char *text, size_t len, int first_row, bool kept_out, struct hs_error *err)
{
  struct file *f = &r->files[r->n_files++];
  *f = (struct file){.path = path, .first_row = first_row, .n_rows = r->m.n - first_row};
  hs_sha256_hex(text, len, f->sum);
  for (const struct file *k = r->files; k < f; k++)
    if (strcmp(k->sum, f->sum) == 0 || has_same_rows(r, k, f))
      return hs_fail_at(err, HS_INPUT, path, 0, 0, NULL, "duplicate: the same measurements as in %.200s", k->path);
  if (r->own) note_again(r, f, kept_out);
  return HS_OK;
}

/* "MODEL:PROCESSOR[@CORES]=FILE" is an operator profile of TensorFlow Lite, anything else a CSV file. */
static enum hs_status parse_input(struct run *r, const char *word, const char *file, const char *colon,
                                  const char *text, size_t len, bool kept_out, struct hs_error *err)
{
  if (!colon) return hs_measurements_parse(&r->m, file, text, len, kept_out, err);
  char *model = hs_arena_printf(&r->arena, "%.*s", (int)(colon - word), word);
  char *processor = hs_arena_printf(&r->arena, "%.*s", (int)(file - colon - 2), colon + 1);
  return hs_measurements_parse_tflite(&r->m, file, text, len, model, processor, kept_out, err);
}

/* Is this, up to `end`, a list of cores, as mid:3+big:1? A file of a network may have an @ in its name. */
static bool lists_cores(const char *s, const char *end)
{
  for (;;) {
    size_t name = strcspn(s, ":+="), digits = s[name] == ':' ? strspn(s + name + 1, "0123456789") : 0;
    if (name == 0 || digits == 0) return false;
    s += name + 1 + digits;
    if (s == end) return true;
    if (*s++ != '+') return false;
  }
}

/* The file of a word, FILE or MODEL:PROCESSOR[@CORES]=FILE: a part of it. *colon: the end of MODEL, or NULL where the word is a file only. */
static const char *file_of(const char *word, const char **colon)
{
  const char *equals = strchr(word, '='), *c = equals;
  for (const char *at = word; equals && (at = memchr(at, '@', (size_t)(equals - at))); at++)
    if (lists_cores(at + 1, equals)) c = at;
  while (c && c > word && *c != ':') c--;
  *colon = c && c > word ? c : NULL;
  return *colon ? equals + 1 : word;
}

static enum hs_status read_input(struct run *r, const char *word, bool kept_out, struct hs_error *err)
{
  const char *colon, *file = file_of(word, &colon);
  char *text;
  size_t len;
  if (!colon && strchr(word, '=') && access(word, F_OK) != 0)
    return hs_fail(err, HS_USAGE, "\"%.200s\" is neither a file nor an operator profile, MODEL:PROCESSOR[@CORES]=FILE", word);
  HS_TRY(hs_file_read(file, &text, &len, err));
  int first_row = r->m.n;
  enum hs_status status = parse_input(r, word, file, colon, text, len, kept_out, err);
  if (!status) status = note_file(r, file, text, len, first_row, kept_out, err);
  free(text);
  return status;
}

static enum hs_status keep_out(struct run *r, const char *what, struct hs_error *err)
{
  double fraction;
  if (!what) return HS_OK;
  bool number = hs_decimal_parse(what, &fraction), file = strpbrk(what, "/=") || strstr(what, ".csv") || access(what, F_OK) == 0;
  if (!number && file) return read_input(r, what, true, err);
  if (!number || !(fraction > 0 && fraction < 1)) return hs_fail(err, HS_USAGE, "--holdout: %.40s is not a fraction in (0, 1), nor a file", what);
  hs_measurements_keep_out(&r->m, fraction);
  return HS_OK;
}

/* By processor, and by network or, of an operator, by what is kept out with it. */
static int by_subject(const void *a, const void *b)
{
  const struct hs_measurement *x = *(const struct hs_measurement *const *)a, *y = *(const struct hs_measurement *const *)b;
  if (x->bench->processor != y->bench->processor) return x->bench->processor - y->bench->processor;
  if ((x->op < 0) != (y->op < 0)) return (x->op < 0) - (y->op < 0);
  return x->op < 0 ? strcmp(x->graph->sha256, y->graph->sha256) : strcmp(hs_measurement_subject(x), hs_measurement_subject(y));
}

/* What is fitted, too, on whatever cores, says little of others. */
static void note_known(struct run *r)
{
  const struct hs_measurement **in = hs_realloc(NULL, (size_t)r->m.n + 1, sizeof *in);
  size_t n_in = 0;
  int known[2] = {0}; /* operators, networks */
  for (int i = 0; i < r->m.n; i++)
    if (!r->m.rows[i].kept_out) in[n_in++] = &r->m.rows[i];
  qsort(in, n_in, sizeof *in, by_subject);
  for (int i = 0; i < r->m.n; i++) {
    const struct hs_measurement *out = &r->m.rows[i];
    if (out->kept_out && bsearch(&out, in, n_in, sizeof *in, by_subject)) known[out->op < 0]++;
  }
  free(in);
  if (known[true])
    hs_measurements_note(&r->m, "%d of the rows kept out are of networks that were measured for the fit, too: their errors say little of other networks",
                         known[true]);
  if (known[false])
    hs_measurements_note(&r->m, "%d of the operators kept out were measured for the fit, too, or others of their network: their errors say little of others",
                         known[false]);
}

static enum hs_status check_kept_out(struct run *r, const char *what, struct hs_error *err)
{
  int n = 0;
  note_known(r);
  for (int i = 0; i < r->m.n; i++) n += r->m.rows[i].kept_out;
  if (!what || n > 0) return HS_OK;
  return hs_fail(err, HS_INPUT, "--holdout=%.60s keeps none of %d rows out, as those with one `network` stay together: a larger fraction, or --holdout=FILE",
                 what, r->m.n);
}

/* Rows that are there twice would count twice, and what is fitted isn't kept out. */
static enum hs_status check_words(const struct hs_cli *cli, struct hs_error *err)
{
  for (int i = 0; i < cli->n_words; i++)
    for (int k = 0; k <= i; k++) {
      const char *other = k < i ? cli->words[k] : cli->holdout;
      if (other && strcmp(cli->words[i], other) == 0) return hs_fail(err, HS_USAGE, "%s%.200s is given twice", k < i ? "" : "--holdout: ", other);
    }
  return HS_OK;
}

static enum hs_status read_inputs(struct run *r, const struct hs_cli *cli, struct hs_error *err)
{
  HS_TRY(check_words(cli, err));
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

/* CPUs first, then GPUs: what other processors can't run falls back to them, and costs networks what it costs there. */
static enum hs_status fit_all(struct run *r, const char *only, struct hs_error *err)
{
  static const enum hs_kind order[HS_KIND_N] = {HS_CPU, HS_GPU, HS_NPU, HS_DSP};
  for (int k = 0; k < HS_KIND_N; k++)
    for (int i = 0; i < r->m.n; i++) {
      const struct hs_measurement *row = &r->m.rows[i];
      if (r->soc->processors[row->bench->processor].kind != order[k] || is_fitted(r, row)) continue;
      if (r->n_fits == FITS_MAX) return hs_fail(err, HS_INPUT, "more than %d combinations of processor, precision and memory type", FITS_MAX);
      HS_TRY(hs_fit_begin(&r->m, i, only, &r->fits[r->n_fits++], err));
    }
  for (int i = 0; i < r->n_fits; i++) HS_TRY(hs_fit_kernel(&r->m, &r->fits[i], err));
  for (int i = 0; i < r->n_fits; i++) HS_TRY(hs_fit_judge(&r->fits[i], err));
  return HS_OK;
}

/* --- the profile --- */

/* What was fitted to, by name, and a sum over all of it. */
static void name_files(const struct run *r, int n, struct hs_text *names, char *all)
{
  struct hs_text sums = {0};
  for (int i = 0; i < n; i++) {
    const char *path = r->files[i].path, *slash = strrchr(path, '/');
    hs_text_addf(names, "%s%s (SHA-256 %s)", i ? ", " : "", slash ? slash + 1 : path, r->files[i].sum);
    hs_text_add(&sums, r->files[i].sum);
  }
  hs_sha256_hex(sums.s, sums.len, all);
  hs_text_free(&sums);
}

static const char *reference(struct run *r, const struct hs_fit *f, const char *files)
{
  return hs_arena_printf(&r->arena, "measurements in %s, fitted by hetsim calibrate %s: n = %d, MAPE %.1f %%", files, hs_version, f->n_used,
                         100 * f->after[0][HS_ROWS_ALL].mape_frac);
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
  for (int i = 0; i < f->n_coefficients; i++) fitted += f->coefficients[i].state == HS_FITTED || f->coefficients[i].state == HS_FIT_LEANING;
  hs_text_addf(&t, "by hetsim calibrate, %d free coefficients", fitted);
  if (f->pace != 1) hs_text_addf(&t, "; what was before at the pace of the networks, which take %.3g times as long", f->pace);
  list_state(f, HS_FIT_LEANING, "; more by what they were before than by these: ", &t);
  list_state(f, HS_FIT_UNDETERMINED, "; not determined, as before: ", &t);
  if (f->only) hs_text_addf(&t, "; no others were looked for than %s", f->only);
  if (f->n_kept_out)
    hs_text_addf(&t, "; on %d rows kept out MAPE %.1f %%, median %.1f %%", f->n_kept_out, 100 * f->after[1][HS_ROWS_ALL].mape_frac,
                 100 * f->after[1][HS_ROWS_ALL].median_frac);
  if (f->size_high > 0 && f->n_by_waves == 0)
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
  name_files(r, cli->n_words, &names, tag);
  for (int i = 0; i < r->n_fits; i++) {
    refs[i] = reference(r, &r->fits[i], names.s);
    notes[i] = note(r, &r->fits[i]);
  }
  hs_profile_write(&r->m, r->fits, r->n_fits, refs, notes, tag, t);
  enum hs_status status = hs_profile_parse(cli->output, t->s, t->len, &again, err); /* what we write, we must be able to read */
  hs_profile_free(again);
  hs_text_free(&names);
  return status;
}

/* Both or none. */
static enum hs_status publish(struct hs_output *profile, const struct hs_text *kernels,
                              struct hs_output *result, const struct hs_text *report, struct hs_error *err)
{
  fwrite(kernels->s, 1, kernels->len, profile->stream);
  fwrite(report->s, 1, report->len, result->stream);
  return hs_output_publish_all((struct hs_output *[]){profile, result}, 2, err); /* in this order: the report says that there is a profile */
}

/* Does it go into a folder of profiles? There hetsim finds it by its name, and another profile's name breaks the runs that find it. */
static bool is_among_profiles(const char *path)
{
  char *copy = hs_realloc(NULL, strlen(path) + 1, 1), *written = dirname(strcpy(copy, path)), *folder = realpath(written, NULL);
  bool is = (folder && strcmp(strrchr(folder, '/') + 1, "profiles") == 0) || strcmp(basename(written), "profiles") == 0; /* or a link of that name */
  free(folder);
  free(copy);
  return is;
}

static const char *profile_name(struct run *r) { return hs_arena_printf(&r->arena, "%s-%s.json", r->soc->name, r->m.runtime->name); }

static enum hs_status check_output(struct run *r, const char *path, struct hs_error *err)
{
  const char *slash = strrchr(path, '/');
  if (!is_among_profiles(path) || strcmp(slash ? slash + 1 : path, profile_name(r)) == 0) return HS_OK;
  return hs_fail(err, HS_USAGE, "--output: %.200s: in a folder of profiles its name must be %.200s", path, profile_name(r));
}

static void add_report(struct run *r, const struct hs_cli *cli, struct hs_text *t)
{
  if (cli->format == HS_FORMAT_JSON) {
    hs_calibration_json(&r->m, r->fits, r->n_fits, cli->output, t);
    return;
  }
  hs_calibration_text(&r->m, r->fits, r->n_fits, t);
  hs_text_addf(t, "\nwritten: %s\n", cli->output);
  if (!is_among_profiles(cli->output)) hs_text_addf(t, "hetsim reads it as profiles/%s beside the SoC's file\n", profile_name(r));
}

static enum hs_status calibrate(struct run *r, const struct hs_cli *cli, struct hs_error *err)
{
  struct hs_text kernels = {0}, t = {0};
  struct hs_output profile = {0}, result = {0};
  HS_TRY(open_inputs(r, cli, err));
  HS_TRY(check_output(r, cli->output, err));
  HS_TRY(read_inputs(r, cli, err));
  HS_TRY(hs_output_open(&profile, "output", cli->output, err)); /* before a fit that takes minutes */
  enum hs_status status = fit_all(r, cli->only, err);
  if (!status) add_report(r, cli, &t);
  if (!status) status = make_profile(r, cli, &kernels, err);
  if (!status) status = hs_output_open(&result, "output", "-", err);
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
  for (int i = 0; i < r->m.n_notes && status; i++) fprintf(stderr, "hetsim: note: %s\n", r->m.notes[i]); /* may be why: else the report has them */
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
