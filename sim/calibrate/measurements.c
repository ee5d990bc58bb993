/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "calibrate/measurements.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/files.h"
#include "base/text.h"
#include "plan/delegate.h"
#include "plan/emit.h"
#include "plan/estimate.h"
#include "plan/lower.h"
#include "plan/pass.h"

enum { ROWS_MAX = 200000 };

/* --- what it ran on --- */

/* Whose mistake it is: the file's, or where no file says so the command line's. */
static enum hs_status blame(const char *file) { return file ? HS_INPUT : HS_USAGE; }

enum hs_status hs_measurements_processor(const struct hs_measurements *m, const char *file, int line, const char *name, int *p, struct hs_error *err)
{
  *p = hs_soc_find(m->soc, name);
  if (*p >= 0) return HS_OK;
  struct hs_text list = {0};
  for (int i = 0; i < m->soc->n_processors; i++) hs_text_addf(&list, "%s%s", i ? ", " : "", m->soc->processors[i].name);
  hs_fail_at(err, blame(file), file, line, 0, NULL, "processor: %s has no \"%.40s\" (it has %s)", m->soc->name, name, list.s);
  hs_text_free(&list);
  return err->status;
}

static bool same_bench(const struct hs_bench *b, int processor, const struct hs_system *sys, int threads, const char *cores)
{
  for (int p = 0; p < sys->soc->n_processors; p++)
    if (b->sys.backends[p].precision != sys->backends[p].precision || b->sys.backends[p].memory_type != sys->backends[p].memory_type) return false;
  return b->processor == processor && b->threads == threads && strcmp(b->cores, cores) == 0;
}

/* The system falls back to what there is where a wish can't be met; a measurement can't. */
static enum hs_status check_wish(const struct hs_system *sys, const char *file, int line, int p, int precision, struct hs_error *err)
{
  const struct hs_backend *b = &sys->backends[p];
  char why[160];
  if (!b->available) {
    hs_system_lacks(sys, p, why, sizeof why);
    return hs_fail_at(err, blame(file), file, line, 0, NULL, "processor: %s", why);
  }
  if (precision >= 0 && (int)b->precision != precision)
    return hs_fail_at(err, blame(file), file, line, 0, NULL, "precision: under %s the %s of %s doesn't compute in %s", sys->runtime->name,
                      sys->soc->processors[p].name, sys->soc->name, hs_precision_names[precision]);
  return HS_OK;
}

enum hs_status hs_measurements_bench(struct hs_measurements *m, const char *file, int line, int processor, int precision, int memory_type,
                                     int threads, const char *cores, struct hs_bench **bench, struct hs_error *err)
{
  const struct hs_processor *p = &m->soc->processors[processor];
  if (p->kind != HS_CPU) threads = 0;
  if (*cores && p->kind != HS_CPU) return hs_fail_at(err, blame(file), file, line, 0, NULL, "cores: %s is no CPU", p->name);
  if (threads > hs_processor_cores(p))
    return hs_fail_at(err, blame(file), file, line, 0, NULL, "threads: %d, and %s has %d cores", threads, p->name, hs_processor_cores(p));
  const struct hs_settings settings = {.runtime = m->runtime, .precision = precision, .memory_type = p->kind == HS_GPU ? memory_type : -1, .threads = threads};
  const struct hs_system_files files = {m->own, m->estimate, hs_catalog_table, m->catalog};
  struct hs_bench b = {processor, threads, cores, {0}};
  struct hs_error why;
  if (hs_system_make(&b.sys, m->soc, &settings, &files, &why))
    return hs_fail_at(err, why.status == HS_USAGE ? blame(file) : why.status, file, line, 0, NULL, "%.700s", why.text);
  HS_TRY(check_wish(&b.sys, file, line, processor, precision, err));
  for (int i = 0; i < m->n_benches; i++)
    if (same_bench(m->benches[i], processor, &b.sys, threads, cores)) {
      *bench = m->benches[i];
      return HS_OK;
    }
  char reason[160];
  if (*cores && !hs_backend_take_cores(&b.sys.backends[processor], p, cores, reason, sizeof reason))
    return hs_fail_at(err, blame(file), file, line, 0, NULL, "cores: %s", reason);
  HS_GROW(m->benches, m->n_benches, m->cap_benches);
  *bench = m->benches[m->n_benches++] = HS_NEW(&m->arena, struct hs_bench);
  **bench = b;
  return HS_OK;
}

void hs_measurements_own(struct hs_measurements *m, const char *model, struct hs_graph *g)
{
  HS_GROW(m->graphs, m->n_graphs, m->cap_graphs);
  m->graphs[m->n_graphs++] = (struct hs_measured_graph){model, g};
}

/* One that is called otherwise there; NULL: there is none. */
static struct hs_graph *same_network(const struct hs_measurements *m, const struct hs_graph *g)
{
  for (int i = 0; i < m->n_graphs; i++)
    if (m->graphs[i].model && strcmp(m->graphs[i].graph->sha256, g->sha256) == 0) return m->graphs[i].graph;
  return NULL;
}

enum hs_status hs_measurements_network(struct hs_measurements *m, const char *file, int line, const char *name, const struct hs_graph **graph,
                                       struct hs_error *err)
{
  struct hs_graph *g = NULL;
  struct hs_error why;
  for (int i = 0; i < m->n_graphs; i++)
    if (m->graphs[i].model && strcmp(m->graphs[i].model, name) == 0) {
      *graph = m->graphs[i].graph;
      return HS_OK;
    }
  if (hs_catalog_workload(m->catalog, name, &g, &why)) {
    char text[800];
    hs_error_message(&why, text, sizeof text); /* with its own place in the network's file */
    return hs_fail_at(err, why.status == HS_USAGE ? blame(file) : why.status, file, line, 0, NULL, "model: %.700s", text);
  }
  struct hs_graph *fused = same_network(m, g);
  if (!fused) fused = hs_pass_fuse(g, m->runtime);
  hs_graph_free(g);
  hs_measurements_own(m, hs_arena_strdup(&m->arena, name), fused);
  *graph = fused;
  return HS_OK;
}

/* Which operators the processor runs; to be freed. */
static bool *taken(const struct hs_bench *b, const struct hs_graph *g)
{
  bool *takes = hs_realloc(NULL, (size_t)g->n_ops, sizeof *takes);
  for (int i = 0; i < g->n_ops; i++) takes[i] = hs_runs_on(&b->sys, g, &g->ops[i], b->processor);
  hs_delegated(g, b->sys.runtime->backends[b->sys.soc->processors[b->processor].kind].partitions, takes);
  return takes;
}

/* The network on this processor alone, in slices as large as its memory limit allows; what can't run there runs on the host, as a delegate leaves it
 * (the policies of that name ask other accelerators first). */
static enum hs_status place(const struct hs_bench *b, const struct hs_graph *g, const char *file, int line, struct hs_placement *pl, struct hs_error *err)
{
  bool *takes = taken(b, g);
  enum hs_status status = HS_OK;
  for (int i = 0; i < g->n_ops && !status; i++) {
    int p = takes[i] ? b->processor : b->sys.host;
    char why[160];
    if (p != b->processor && !hs_system_supports(&b->sys, g, &g->ops[i], p, NULL, 0))
      status = hs_fail_at(err, HS_INPUT, file, line, 0, NULL, "%s: neither the processor nor %s runs operator \"%s\": %s", g->name,
                          b->sys.soc->processors[p].name, g->ops[i].name,
                          hs_runs_on(&b->sys, g, &g->ops[i], b->processor) ? "in no partition that its delegate takes"
                            : hs_why_not_on(&b->sys, g, &g->ops[i], b->processor, why, sizeof why));
    hs_place_whole(&pl->ops[i], p);
    pl->ops[i].fallback = p != b->processor;
  }
  hs_placement_pack(&b->sys, g, pl);
  free(takes);
  return status;
}

enum hs_status hs_measurements_lower(struct hs_measurements *m, const char *file, int line, const struct hs_bench *bench, const struct hs_graph *graph,
                                     struct hs_program **program, struct hs_error *err)
{
  struct hs_placement *pl = hs_placement_new(&m->arena, graph->n_ops);
  struct hs_error why;
  HS_TRY(place(bench, graph, file, line, pl, err));
  if (hs_lower(&bench->sys, graph, pl, program, &why)) return hs_fail_at(err, HS_INPUT, file, line, 0, NULL, "%s: %.600s", graph->name, why.text);
  return HS_OK;
}

enum hs_status hs_measurements_add(struct hs_measurements *m, const struct hs_measurement *row, struct hs_error *err)
{
  if (m->n == ROWS_MAX) return hs_fail_at(err, HS_INPUT, row->file, row->line, 0, NULL, "more than %d rows", ROWS_MAX);
  HS_GROW(m->rows, m->n, m->cap);
  m->rows[m->n++] = *row;
  return HS_OK;
}

static double hash_fraction(const char *s)
{
  char hex[65];
  unsigned n = 0;
  hs_sha256_hex(s, strlen(s), hex);
  sscanf(hex, "%8x", &n);
  return n / 4294967296.0;
}

const char *hs_measurement_subject(const struct hs_measurement *row) { return row->op < 0 ? row->graph->name : *row->network ? row->network : row->operator; }

/* Rows of one network go together, on whatever cores it ran and whatever `network` calls that: one that was fitted says nothing new on
 * others. So do those of one operator. Each by itself, not the nearest to the fraction: rows that are measured later move none from one
 * side to the other. */
void hs_measurements_keep_out(struct hs_measurements *m, double fraction)
{
  for (int i = 0; i < m->n; i++) m->rows[i].kept_out = hash_fraction(hs_measurement_subject(&m->rows[i])) < fraction;
}

double hs_measurement_model_s(const struct hs_measurement *row)
{
  const struct hs_system *sys = &row->bench->sys;
  struct hs_estimate e;
  if (row->op >= 0) return hs_cost_seconds(sys, row->graph, &row->graph->ops[row->op], row->bench->processor, -1);
  hs_emit_recount(sys, row->program);
  hs_estimate_program(sys, row->program, &e, NULL, NULL);
  return e.latency_s;
}

void hs_measurements_note(struct hs_measurements *m, const char *format, ...)
{
  char buf[600];
  va_list args;
  va_start(args, format);
  vsnprintf(buf, sizeof buf, format, args);
  va_end(args);
  HS_GROW(m->notes, m->n_notes, m->cap_notes);
  m->notes[m->n_notes++] = hs_arena_strdup(&m->arena, buf);
}

void hs_measurements_free(struct hs_measurements *m)
{
  for (int i = 0; i < m->n; i++) hs_program_free(m->rows[i].program);
  for (int i = 0; i < m->n_graphs; i++) {
    bool shared = false;
    for (int k = 0; m->graphs[i].model && k < i; k++) shared |= m->graphs[k].graph == m->graphs[i].graph;
    if (!shared) hs_graph_free(m->graphs[i].graph);
  }
  free(m->rows);
  free(m->graphs);
  free(m->benches);
  free(m->notes);
  hs_arena_free(&m->arena);
  *m = (struct hs_measurements){0};
}
