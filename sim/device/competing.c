/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tables of processes: what a recorder of a phone's load writes, and a spreadsheet. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/files.h"
#include "base/spelling.h"
#include "base/text.h"
#include "device/scenario_parts.h"
#include "input/csv.h"

/* In the order of the header: those of a row, which are needed, then those of the whole process, in any order and if wanted. */
enum column { TIME, PROCESS, THREADS, DUTY, GPU, DSP, NPU, DRAM, FOOTPRINT, OWN, PERIOD = OWN, NICE, AFFINITY, KERNEL, ARRIVALS, COLUMN_N };
static const char *const columns[COLUMN_N + 1] = {"time_s", "process", "threads", "duty_frac", "gpu_frac", "dsp_frac", "npu_frac", "dram_bytes_per_s",
                                                  "footprint_bytes", "period_s", "nice", "affinity", "kernel_s", "arrivals", NULL};
static const double least[COLUMN_N] = {[PERIOD] = HS_PROCESS_PERIOD_MIN_S, [NICE] = HS_NICE_MIN, [KERNEL] = HS_PROCESS_KERNEL_MIN_S};
static const double most[COLUMN_N] = {HS_TIME_MAX_S, 0, HS_THREADS_MAX, 1, 1, 1, 1, HS_TRAFFIC_MAX_BYTES_PER_S, HS_FOOTPRINT_MAX_BYTES,
                                      [PERIOD] = HS_PROCESS_PERIOD_MAX_S, [NICE] = HS_NICE_MAX, [KERNEL] = HS_PROCESS_KERNEL_MAX_S};

/* Where a process says something of itself. */
struct said {
  const char *cell; /* NULL: nowhere */
  int line, column;
};

struct table {
  struct hs_scenario *s;
  const struct hs_soc *soc;
  struct hs_csv csv;
  struct hs_error *err;
  int first;                             /* process of the table */
  enum column order[HS_CSV_COLUMNS_MAX]; /* of the table's columns */
  struct said said[HS_PROCESSES_MAX][COLUMN_N];
  double time_s; /* of the row before */
  int caps[HS_PROCESSES_MAX];
  bool idle[HS_PROCESSES_MAX]; /* its last row loads nothing */
  double last_s[HS_PROCESSES_MAX];
};

struct row {
  const char *cell[COLUMN_N];
  int column[COLUMN_N]; /* of the text, from 1 */
  double value[COLUMN_N];
};

#define FAIL(t, r, c, ...) hs_fail_at((t)->err, HS_INPUT, (t)->csv.file, (t)->csv.line, (r)->column[c], columns[c], __VA_ARGS__)

static void take_cells(const struct table *t, struct row *r)
{
  for (int c = OWN; c < COLUMN_N; c++) r->cell[c] = "";
  for (int i = 0; i < t->csv.n_columns; i++) {
    r->cell[t->order[i]] = t->csv.cells[i].text;
    r->column[t->order[i]] = t->csv.cells[i].column;
  }
}

/* The i-th column of the table: one of those that come after those of a row. */
static enum hs_status find_column(struct table *t, int i)
{
  const struct hs_csv_cell *name = &t->csv.columns[i];
  int c = OWN;
  while (c < COLUMN_N && strcmp(columns[c], name->text) != 0) c++;
  t->order[i] = (enum column)c;
  if (c < COLUMN_N) return HS_OK;
  struct hs_text list = {0};
  hs_text_words(&list, columns + OWN);
  hs_fail_at(t->err, HS_INPUT, t->csv.file, t->csv.line, name->column, NULL, "\"%.40s\" is not one of %s, which may follow %s", name->text, list.s,
             columns[OWN - 1]);
  hs_text_free(&list);
  return HS_INPUT;
}

static enum hs_status check_header(struct table *t)
{
  HS_TRY(hs_csv_begins(&t->csv, columns, OWN, t->err));
  for (int c = 0; c < OWN; c++) t->order[c] = (enum column)c;
  for (int i = OWN; i < t->csv.n_columns; i++) HS_TRY(find_column(t, i));
  return HS_OK;
}

static enum hs_status read_number(struct table *t, struct row *r, int c)
{
  const char *s = r->cell[c];
  if (!hs_decimal_parse(s, &r->value[c])) return FAIL(t, r, c, "\"%.40s\" is not a number", s);
  if ((c == THREADS || c == NICE) && r->value[c] != floor(r->value[c])) return FAIL(t, r, c, "%s is not a whole number", s);
  if (!(r->value[c] >= least[c] && r->value[c] <= most[c])) return FAIL(t, r, c, "%.40s is not in [%g, %g]", s, least[c], most[c]);
  return HS_OK;
}

/* What has no effect, or nowhere to happen. */
static enum hs_status check_loads(struct table *t, const struct row *r, bool *idle)
{
  const double *v = r->value;
  char why[HS_RULE];
  *idle = v[THREADS] == 0 && v[GPU] + v[DSP] + v[NPU] == 0;
  if (v[THREADS] > 0 && v[DUTY] < HS_LOAD_MIN_FRAC) return FAIL(t, r, DUTY, "%s is not in [%g, 1], and there are threads", r->cell[DUTY], HS_LOAD_MIN_FRAC);
  if (v[THREADS] == 0 && v[DUTY] > 0) return FAIL(t, r, DUTY, "%s goes with threads, and there are none", r->cell[DUTY]);
  for (int kind = HS_GPU; kind < HS_KIND_N; kind++) {
    int c = GPU + kind - HS_GPU;
    if (!hs_scenario_load_allowed(t->soc, (enum hs_kind)kind, v[c], r->cell[c], why)) return FAIL(t, r, c, "%s", why);
  }
  for (int c = DRAM; c <= FOOTPRINT; c++)
    if (*idle && v[c] > 0) return FAIL(t, r, c, "%s, but this row loads no processor", r->cell[c]);
  return HS_OK;
}

static enum hs_status find_process(struct table *t, const struct row *r, int *i)
{
  struct hs_scenario *s = t->s;
  *i = hs_scenario_find_process(s, r->cell[PROCESS]);
  if (*i >= t->first) return HS_OK;
  if (*i >= 0) return FAIL(t, r, PROCESS, "there is already a process \"%s\"", r->cell[PROCESS]);
  if (s->n_processes == HS_PROCESSES_MAX) return FAIL(t, r, PROCESS, "more than %d processes", HS_PROCESSES_MAX);
  *i = s->n_processes++;
  s->processes[*i] = hs_scenario_process(t->soc, hs_arena_strdup(&s->arena, r->cell[PROCESS]));
  t->idle[*i] = true;
  t->last_s[*i] = -1;
  return HS_OK;
}

/* "cpu.mid;cpu-little": names of clusters may have a plus, but no semicolon. */
static enum hs_status read_affinity(struct table *t, const struct row *r, unsigned *clusters)
{
  char why[HS_RULE], *rest = hs_arena_strdup(&t->s->arena, r->cell[AFFINITY]);
  *clusters = 0;
  for (char *name; (name = strsep(&rest, ";"));)
    if (!hs_scenario_add_cluster(t->soc, name, clusters, why)) return FAIL(t, r, AFFINITY, "%s", why);
  return HS_OK;
}

static enum hs_status read_own(struct table *t, struct row *r, int c, struct hs_process *pr)
{
  if (c == AFFINITY) return read_affinity(t, r, &pr->clusters);
  if (c == ARRIVALS) {
    pr->poisson = strcmp(r->cell[c], "poisson") == 0;
    return pr->poisson || strcmp(r->cell[c], "even") == 0 ? HS_OK : FAIL(t, r, c, "\"%.40s\" is not one of even, poisson", r->cell[c]);
  }
  HS_TRY(read_number(t, r, c));
  if (c == PERIOD) pr->period_s = r->value[c];
  if (c == KERNEL) pr->kernel_s = r->value[c];
  if (c == NICE) pr->nice = (int)r->value[c];
  return HS_OK;
}

/* A process says what it is in its first row; others may repeat it. */
static enum hs_status take_own(struct table *t, struct row *r, int i, bool first)
{
  for (int c = OWN; c < COLUMN_N; c++) {
    struct said *said = &t->said[i][c];
    if (!*r->cell[c] || (said->cell && strcmp(said->cell, r->cell[c]) == 0)) continue;
    if (!first) return FAIL(t, r, c, "%.40s, but the first row of \"%s\" says %.40s", r->cell[c], r->cell[PROCESS], said->cell ? said->cell : "nothing");
    HS_TRY(read_own(t, r, c, &t->s->processes[i]));
    *said = (struct said){r->cell[c], t->csv.line, r->column[c]};
  }
  return HS_OK;
}

/* What shapes loads that no row has would be without effect. */
static enum hs_status check_own(struct table *t, int i)
{
  const struct hs_process *pr = &t->s->processes[i];
  bool threads = hs_process_has_threads(pr), kernels = hs_process_has_kernels(pr);
  for (int c = OWN; c < ARRIVALS; c++) {
    const struct said *said = &t->said[i][c];
    if (!said->cell || (c == KERNEL ? kernels : threads)) continue;
    return hs_fail_at(t->err, HS_INPUT, t->csv.file, said->line, said->column, columns[c], "goes with %s, and no row of \"%s\" has any",
                      c == KERNEL ? "gpu_frac, dsp_frac or npu_frac" : "threads", pr->name);
  }
  return HS_OK;
}

/* The row holds until the next one of its process. */
static enum hs_status add_phase(struct table *t, struct row *r, bool idle)
{
  int i;
  HS_TRY(find_process(t, r, &i));
  struct hs_process *pr = &t->s->processes[i];
  const double *v = r->value;
  if (v[TIME] <= t->last_s[i]) return FAIL(t, r, TIME, "%s is not after the row of this process before it (%g)", r->cell[TIME], t->last_s[i]);
  HS_TRY(take_own(t, r, i, t->last_s[i] < 0));
  if (!t->idle[i]) pr->phases[pr->n_phases - 1].to_s = v[TIME];
  t->last_s[i] = v[TIME];
  t->idle[i] = idle;
  if (idle) return HS_OK;
  if (pr->n_phases == HS_PHASES_MAX) return FAIL(t, r, PROCESS, "more than %d rows of \"%s\"", HS_PHASES_MAX, pr->name);
  HS_GROW(pr->phases, pr->n_phases, t->caps[i]);
  pr->phases[pr->n_phases++] = (struct hs_phase){.from_s = v[TIME], .to_s = INFINITY, .threads = (int)v[THREADS], .duty_frac = v[THREADS] > 0 ? v[DUTY] : 1,
                                                 .load_frac = {0, v[GPU], v[DSP], v[NPU]}, .dram_bytes_per_s = v[DRAM], .footprint_bytes = v[FOOTPRINT]};
  return HS_OK;
}

static enum hs_status read_row(struct table *t)
{
  struct row r;
  bool idle;
  char rule[80];
  HS_TRY(hs_csv_next(&t->csv, t->err));
  take_cells(t, &r);
  for (int c = 0; c < OWN; c++)
    if (c != PROCESS) HS_TRY(read_number(t, &r, c));
  if (!hs_name_allowed(r.cell[PROCESS], rule, sizeof rule)) return FAIL(t, &r, PROCESS, "%s", rule);
  HS_TRY(check_loads(t, &r, &idle));
  if (r.value[TIME] < t->time_s) return FAIL(t, &r, TIME, "%s is before the row above (%g)", r.cell[TIME], t->time_s);
  t->time_s = r.value[TIME];
  return add_phase(t, &r, idle);
}

static enum hs_status read_rows(struct table *t, const char *file, char *text)
{
  HS_TRY(hs_csv_open(&t->csv, file, text, t->err));
  HS_TRY(check_header(t));
  if (!hs_csv_more(&t->csv)) return hs_fail_at(t->err, HS_INPUT, file, t->csv.line, 1, NULL, "the table has no rows");
  while (hs_csv_more(&t->csv)) HS_TRY(read_row(t));
  for (int i = t->first; i < t->s->n_processes; i++) {
    if (t->s->processes[i].n_phases == 0)
      return hs_fail_at(t->err, HS_INPUT, t->csv.file, t->csv.line, 1, NULL, "process \"%s\" never loads a processor", t->s->processes[i].name);
    HS_TRY(check_own(t, i));
  }
  return HS_OK;
}

/* From growing arrays into the arena, which owns what a scenario has; also what was read before an error. */
static void keep_phases(struct table *t)
{
  for (int i = t->first; i < t->s->n_processes; i++) {
    struct hs_process *pr = &t->s->processes[i];
    struct hs_phase *grown = pr->phases;
    pr->phases = HS_NEW_ARRAY(&t->s->arena, struct hs_phase, (size_t)pr->n_phases);
    if (pr->n_phases) memcpy(pr->phases, grown, (size_t)pr->n_phases * sizeof *grown);
    free(grown);
  }
}

enum hs_status hs_competing_parse(struct hs_scenario *s, const char *file, const char *text, size_t len, const struct hs_soc *soc, struct hs_error *err)
{
  struct table t = {.s = s, .soc = soc, .err = err, .first = s->n_processes};
  const char *slash = strrchr(file, '/');
  HS_TRY(hs_text_check(file, text, len, err));
  if (s->n_competing == HS_COMPETING_MAX) return hs_fail(err, HS_INPUT, "more than %d tables of processes", HS_COMPETING_MAX);
  s->competing[s->n_competing].name = hs_arena_strdup(&s->arena, slash ? slash + 1 : file);
  hs_sha256_hex(text, len, s->competing[s->n_competing++].sha256);
  char *copy = hs_realloc(NULL, len + 1, 1);
  if (len) memcpy(copy, text, len);
  copy[len] = 0;
  enum hs_status status = read_rows(&t, file, copy);
  keep_phases(&t);
  free(copy);
  s->living = true;
  return status;
}

enum hs_status hs_competing_read(struct hs_scenario *s, const char *file, const struct hs_soc *soc, struct hs_error *err)
{
  char *text;
  size_t len;
  HS_TRY(hs_file_read(file, &text, &len, err));
  enum hs_status status = hs_competing_parse(s, file, text, len, soc, err);
  free(text);
  return status;
}
