/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the readers of measurements need, read once, and what they promise. Their errors have a line; a column has only a byte that
 * no text has. */
#ifndef HS_FUZZ_DESK_H
#define HS_FUZZ_DESK_H

#include <math.h>

#include "calibrate/measurements.h"
#include "fuzz.h"

static inline struct hs_measurements *hs_fuzz_desk(void)
{
  static struct hs_catalog catalog;
  static struct hs_soc *soc;
  static struct hs_profile *own, *estimate;
  struct hs_error err;
  if (!soc) {
    hs_fuzz_promise(hs_catalog_open(&catalog, &err) == HS_OK && hs_catalog_soc(&catalog, "sd855", &soc, &err) == HS_OK);
    hs_fuzz_promise(hs_catalog_profile(&catalog, "sd855", "tflite", &own, &err) == HS_OK &&
                    hs_catalog_profile(&catalog, "any", "tflite", &estimate, &err) == HS_OK);
  }
  struct hs_measurements *m = malloc(sizeof *m);
  *m = (struct hs_measurements){.catalog = &catalog, .soc = soc, .runtime = hs_runtime_find("tflite"), .own = own, .estimate = estimate,
                                .precision = -1, .memory_type = -1};
  return m;
}

static inline void hs_fuzz_release(struct hs_measurements *m)
{
  hs_measurements_free(m);
  free(m);
}

/* Readers want a zero byte behind the text. */
static inline char *hs_fuzz_copy(const char *text, size_t len)
{
  char *copy = malloc(len + 1);
  memcpy(copy, text, len);
  copy[len] = 0;
  return copy;
}

/* A network's file that can't be opened is HS_IO, of the row that names it. */
static inline enum hs_status hs_fuzz_measured(enum hs_status status, struct hs_measurements *made, struct hs_measurements **m, struct hs_error *err)
{
  if (!status) {
    *m = made;
    return HS_OK;
  }
  hs_fuzz_release(made);
  hs_fuzz_promise(err->line > 0 && err->column >= 0 && (status == HS_INPUT || status == HS_IO));
  if (!err->column) err->column = 1;
  return err->status = HS_INPUT;
}

static inline void hs_fuzz_use(struct hs_measurements *m)
{
  for (int i = 0; i < m->n; i++) {
    const struct hs_measurement *r = &m->rows[i];
    hs_fuzz_promise(r->latency_s > 0 && isfinite(r->latency_s) && r->line > 0 && r->bench && r->graph && r->text && r->network);
    hs_fuzz_promise(r->op >= 0 ? r->op < r->graph->n_ops && !r->program : r->program != NULL);
    double s = hs_measurement_model_s(r);
    hs_fuzz_promise(s > 0 && isfinite(s));
  }
  hs_measurements_keep_out(m, 0.5);
}

#endif
