/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "program/show_kernels.h"

#include <stdio.h>
#include <string.h>

#include "base/json_put.h"
#include "input/runtime.h"
#include "out/table.h"

/* What a runtime has on a SoC, and what its kernels come from. */
struct profiles {
  const struct hs_catalog *catalog;
  const struct hs_runtime *runtime;
  struct hs_profile *own, *estimate; /* own NULL: there is none */
};

struct row {
  const struct hs_runtime *runtime;
  const struct hs_processor *processor;
  const struct hs_kernel *kernel;
  enum hs_basis basis;
  const char *file;           /* its profile, below the data or as it was given */
  int n[HS_SOURCE_KIND_N];    /* coefficients by the kind of their source */
};

/* --- rows --- */

static void count_sources(const struct hs_profile *f, const struct hs_kernel *k, int *n)
{
  char before[40], fit[60], scatter[60];
  int len = snprintf(before, sizeof before, "$.kernels[%d].", (int)(k - f->kernels));
  snprintf(fit, sizeof fit, "%sfit.", before);
  snprintf(scatter, sizeof scatter, "%sscatter.", before);
  for (int i = 0; i < f->sources.n_numbers; i++) {
    const struct hs_provenance *p = &f->sources.numbers[i];
    bool about = strncmp(p->path, fit, strlen(fit)) == 0 || strncmp(p->path, scatter, strlen(scatter)) == 0; /* no coefficients */
    if (strncmp(p->path, before, (size_t)len) == 0 && !about) n[f->sources.list[p->source].kind]++;
  }
}

/* The same bytes wherever the data lies. */
static const char *below_root(const struct hs_catalog *c, const char *file)
{
  size_t n = strlen(c->root);
  return strncmp(file, c->root, n) == 0 && file[n] == '/' ? file + n + 1 : file;
}

static bool find_row(const struct profiles *f, const struct hs_processor *p, enum hs_precision precision, enum hs_memory_type type, struct row *row)
{
  *row = (struct row){.runtime = f->runtime, .processor = p};
  if (f->own) row->kernel = hs_profile_find(f->own, p, precision, type);
  if (!row->kernel) row->kernel = hs_profile_find(f->estimate, p, precision, type);
  if (!row->kernel) return false;
  const struct hs_profile *from = hs_profile_of(f->own, row->kernel);
  if (!from) from = hs_profile_of(f->estimate, row->kernel);
  row->basis = hs_profile_basis(from, row->kernel, p);
  row->file = below_root(f->catalog, from->file);
  count_sources(from, row->kernel, row->n);
  return true;
}

typedef void row_function(const struct row *row, void *state);

/* One row for all memory types that share a kernel. */
static void each_row(const struct profiles *f, const struct hs_processor *p, row_function *one, void *state)
{
  static const enum hs_memory_type plain[] = {HS_BUFFER};
  const enum hs_memory_type *types = p->kind == HS_GPU ? p->memory_types : plain;
  int n_types = p->kind == HS_GPU ? p->n_memory_types : 1;
  for (int i = 0; i < f->runtime->backends[p->kind].n_precisions; i++) {
    const struct hs_kernel *last = NULL;
    enum hs_precision precision = f->runtime->backends[p->kind].precisions[i];
    for (int k = 0; k < n_types && hs_processor_computes(p, precision); k++) {
      struct row row;
      if (!find_row(f, p, precision, types[k], &row) || row.kernel == last) continue;
      last = row.kernel;
      one(&row, state);
    }
  }
}

static bool runs_on(const struct profiles *f, const struct hs_processor *p, const struct hs_kernel *k)
{
  if (!hs_processor_computes(p, k->precision)) return false;
  for (int i = 0; i < f->runtime->backends[p->kind].n_precisions; i++)
    for (int type = 0; type < HS_MEMORY_TYPE_N && f->runtime->backends[p->kind].precisions[i] == k->precision; type++) {
      bool there = p->kind != HS_GPU;
      for (int m = 0; m < p->n_memory_types && !there; m++) there = (int)p->memory_types[m] == type;
      if (there && hs_profile_find(f->own, p, k->precision, (enum hs_memory_type)type) == k) return true;
    }
  return false;
}

/* Kernels of the SoC's own profile that nothing of it runs: of a variant with less on it, or a slip. */
static void idle_text(const struct profiles *f, const struct hs_soc *soc, struct hs_text *t)
{
  for (int i = 0; f->own && i < f->own->n_kernels; i++) {
    const struct hs_kernel *k = &f->own->kernels[i];
    bool runs = false;
    for (int p = 0; p < soc->n_processors && !runs; p++)
      runs = f->runtime->backends[soc->processors[p].kind].present && runs_on(f, &soc->processors[p], k);
    if (runs) continue;
    hs_text_addf(t, "  not used: %s: $.kernels[%d] (%s, %s%s%s): nothing of %s runs it\n", below_root(f->catalog, f->own->file), i,
                 k->processor ? k->processor : hs_kind_names[k->kind], hs_precision_names[k->precision], k->memory_type < 0 ? "" : ", ",
                 k->memory_type < 0 ? "" : hs_memory_type_names[k->memory_type], soc->name);
  }
}

/* `idle`: NULL, or gets a line for each kernel that nothing runs. */
static enum hs_status each_kernel(struct hs_catalog *c, const struct hs_soc *soc, row_function *one, void *state, struct hs_text *idle, struct hs_error *err)
{
  for (int r = 0; r < hs_n_runtimes; r++) {
    struct profiles f = {.catalog = c, .runtime = &hs_runtimes[r]};
    enum hs_status status = hs_catalog_profile(c, soc->name, f.runtime->name, &f.own, err);
    if (!status) status = hs_catalog_estimate(c, soc->name, f.runtime, &f.estimate, err);
    for (int p = 0; p < soc->n_processors && !status; p++)
      if (f.runtime->backends[soc->processors[p].kind].present) each_row(&f, &soc->processors[p], one, state);
    if (idle && !status) idle_text(&f, soc, idle);
    hs_profile_free(f.own);
    hs_profile_free(f.estimate);
    HS_TRY(status);
  }
  return HS_OK;
}

/* The kind that most coefficients have, or of those left in n; -1: none is left. */
static int most(const int *n)
{
  int best = -1;
  for (int k = 0; k < HS_SOURCE_KIND_N; k++)
    if (n[k] > (best < 0 ? 0 : n[best])) best = k;
  return best;
}

/* --- text --- */

static void row_text(const struct row *row, void *state)
{
  struct hs_table *t = state;
  const struct hs_kernel *k = row->kernel;
  struct hs_text kinds = {0};
  int left[HS_SOURCE_KIND_N];
  memcpy(left, row->n, sizeof left);
  for (int kind; (kind = most(left)) >= 0; left[kind] = 0) hs_text_addf(&kinds, "%s%d %s", kinds.len ? ", " : "", left[kind], hs_source_kind_names[kind]);
  hs_table_add(t, "  %s", row->runtime->name);
  hs_table_add(t, "%s", row->processor->name);
  hs_table_add(t, "%s", hs_precision_names[k->precision]);
  hs_table_add(t, "%s", row->processor->kind != HS_GPU ? "-" : k->memory_type < 0 ? "all" : hs_memory_type_names[k->memory_type]);
  if (row->basis == HS_BASIS_FITTED)
    hs_table_add(t, "fitted to %d", k->fit_n);
  else
    hs_table_add(t, "%s", hs_basis_names[row->basis]);
  hs_table_add(t, "%s", kinds.s);
  hs_table_add(t, "%s", row->file);
  hs_text_free(&kinds);
}

/* --- JSON --- */

static void row_json(const struct row *row, void *state)
{
  struct hs_text *t = state;
  const struct hs_kernel *k = row->kernel;
  hs_put_line(t, 2);
  hs_put_open(t, NULL, '{');
  hs_put_string(t, "runtime", row->runtime->name);
  hs_put_string(t, "processor", row->processor->name);
  hs_put_string(t, "precision", hs_precision_names[k->precision]);
  if (row->processor->kind == HS_GPU) hs_put_string(t, "memory_type", k->memory_type < 0 ? NULL : hs_memory_type_names[k->memory_type]);
  hs_put_string(t, "basis", hs_basis_names[row->basis]);
  hs_put_number(t, "fit_n", k->fit_n);
  hs_put_string(t, "kind", hs_source_kind_names[most(row->n)]);
  hs_put_open(t, "kinds", '{');
  for (int kind = 0; kind < HS_SOURCE_KIND_N; kind++)
    if (row->n[kind] > 0) hs_put_number(t, hs_source_kind_names[kind], row->n[kind]);
  hs_put_close(t, '}');
  hs_put_string(t, "profile", row->file);
  hs_put_close(t, '}');
}

enum hs_status hs_show_kernels(struct hs_catalog *c, const struct hs_soc *soc, bool json, struct hs_text *out, struct hs_error *err)
{
  static const char *const names[] = {"  runtime", "processor", "precision", "memory", "rests on", "coefficients", "profile"};
  struct hs_table t = {.n_columns = 7};
  struct hs_text idle = {0};
  if (json) {
    hs_put_open(out, "kernels", '[');
    HS_TRY(each_kernel(c, soc, row_json, out, NULL, err));
    hs_put_line(out, 1);
    hs_put_close(out, ']');
    return HS_OK;
  }
  for (int i = 0; i < t.n_columns; i++) hs_table_add(&t, "%s", names[i]);
  enum hs_status status = each_kernel(c, soc, row_text, &t, &idle, err);
  hs_text_add(out, "\nkernels: how many measurements each was fitted to, or whether it is a sibling's or estimated from hardware rates, "
                   "and what kinds of sources its coefficients have\n");
  if (!status) hs_table_print(&t, out);
  if (!status && idle.len) hs_text_add(out, idle.s);
  hs_table_free(&t);
  hs_text_free(&idle);
  return status;
}
