/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "calibrate/core_types.h"

#include <math.h>
#include <string.h>

typedef char name_of_core[HS_CORE_NAME_MAX + 1];

/* What a vendor's name stands for, in brackets at its end, else all of it: "Kryo 485 Gold (Cortex-A76)" and its prime are one type. Empty: none, or none
 * that a profile may name. */
static void name_core(const char *core_type, name_of_core name)
{
  const char *open = strrchr(core_type, '(');
  size_t n = strlen(core_type);
  bool inside = open && core_type[n - 1] == ')';
  const char *from = inside ? open + 1 : core_type;
  n = inside ? n - (size_t)(from - core_type) - 1 : n;
  if (n > HS_CORE_NAME_MAX) n = 0;
  memcpy(name, from, n);
  name[n] = '\0';
}

static const struct hs_backend *backend_of(const struct hs_fit *f, int row) { return &f->rows[row]->bench->sys.backends[f->bench->processor]; }

static bool has_rows_alone(const struct hs_fit *f, const name_of_core *names, int n_domains, const char *name)
{
  for (int i = 0; i < f->n_used; i++) {
    bool alone = true;
    for (int d = 0; d < n_domains; d++) alone &= backend_of(f, i)->cores[d] == 0 || strcmp(names[d], name) == 0;
    if (alone) return true;
  }
  return false;
}

/* That of the kernel's core_factors which cores of domain d have, or get now; -1: they can't have any that cores of the reference haven't, too. */
static int factors_for(struct hs_kernel *k, const struct hs_processor *p, int d, const char *name, int reference, struct hs_arena *a)
{
  int i = hs_kernel_find_core(k, p->domains[d].core_type), n = 0;
  while (n < HS_CORE_TYPES_MAX && k->core_factors[n].type) n++;
  if (i < 0 && n == HS_CORE_TYPES_MAX) return -1;
  if (i < 0) k->core_factors[i = n] = (struct hs_core_factors){hs_arena_strdup(a, name), {1, 1, 1}};
  return hs_kernel_find_core(k, p->domains[reference].core_type) == i ? -1 : i;
}

void hs_fit_name_core_types(struct hs_fit *f, struct hs_arena *a)
{
  const struct hs_processor *p = &f->bench->sys.soc->processors[f->bench->processor];
  name_of_core names[HS_DOMAINS_MAX];
  bool alone[HS_DOMAINS_MAX];
  int reference = -1;
  if (p->kind != HS_CPU) return;
  for (int d = 0; d < p->n_domains; d++) name_core(p->domains[d].core_type, names[d]);
  for (int d = 0; d < p->n_domains; d++) {
    alone[d] = *names[d] && has_rows_alone(f, names, p->n_domains, names[d]);
    if (alone[d]) reference = d;
  }
  for (int d = 0; d < p->n_domains; d++) {
    if (!alone[d] || strcmp(names[d], names[reference]) == 0) continue;
    int i = factors_for(&f->kernel, p, d, names[d], reference, a);
    if (i >= 0) f->core_types |= 1u << i;
  }
}

static bool is_alone_on(const struct hs_fit *f, int row, int core)
{
  const struct hs_backend *b = backend_of(f, row);
  bool alone = true;
  for (int d = 0; d < HS_DOMAINS_MAX; d++) alone &= b->cores[d] == 0 || b->core_factors[d] == core + 1;
  return alone;
}

bool hs_fit_shows_on_core(struct hs_fit *f, int core, enum hs_core_work work)
{
  double *times = &f->kernel.core_factors[core].times[work], at = *times;
  bool moves = false;
  for (int i = 0; i < f->n_used && !moves; i++) {
    if (!is_alone_on(f, i, core)) continue;
    double before = hs_measurement_model_s(f->rows[i]);
    *times = 0.9 * at;
    moves = fabs(hs_measurement_model_s(f->rows[i]) / before - 1) > 1e-9;
    *times = at;
  }
  return moves;
}
