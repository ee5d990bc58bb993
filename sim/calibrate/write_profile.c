/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "calibrate/write_profile.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/json_put.h"
#include "calibrate/coefficients.h"
#include "input/kernel_numbers.h"

/* What has a source in a kernel: its numbers, what isn't among them, and lists over classes, operators and types of core. */
enum {
  WIDTH = HS_KERNEL_NUMBERS, CURVE, SCATTER, FIT, CLASSES, REFETCH = CLASSES + HS_CLASS_N, OPERATORS = REFETCH + HS_CLASS_N, CORES = OPERATORS + HS_OP_N,
  ITEMS = CORES + HS_CORE_TYPES_MAX * HS_CORE_WORK_N, PATH = 100
};

struct one {
  const struct hs_kernel *kernel;
  const struct hs_fit *fit;               /* NULL: kept as it was */
  const char *ref;                        /* of the source of what was fitted */
  const struct hs_source *source[ITEMS];  /* NULL: what was fitted */
  const char *name[ITEMS];                /* of the source; "": the kernel hasn't it */
  int memory_type;                        /* -1: all */
  const char *note;
};

enum { COLUMNS = 130 };

/* Begins a line where the last one is long. */
static void fold(struct hs_text *t)
{
  const char *last = strrchr(t->s, '\n');
  if (last && hs_text_width(last) > COLUMNS) hs_put_line(t, 5);
}

/* --- sources --- */

/* Source of $.kernels[i].KEY: the number's own path, or that of the whole kernel. */
static int source_at(const struct hs_profile *p, int i, const char *key)
{
  char path[120];
  snprintf(path, sizeof path, "$.kernels[%d].%s", i, key);
  size_t n = strlen(path);
  for (int k = 0; k < p->sources.n_numbers; k++)
    if (strncmp(p->sources.numbers[k].path, path, n) == 0 && strchr("[.", p->sources.numbers[k].path[n])) return p->sources.numbers[k].source;
  return -1;
}

static void path_of(const struct hs_kernel *k, int item, char *path, size_t size)
{
  static const char *const others[] = {[WIDTH - WIDTH] = "width_block", [CURVE - WIDTH] = "saturation", [SCATTER - WIDTH] = "scatter", [FIT - WIDTH] = "fit"};
  if (item < HS_KERNEL_NUMBERS) {
    const struct hs_kernel_number *n = &hs_kernel_numbers[item];
    snprintf(path, size, "%s%s%s", n->group ? n->group : "", n->group ? "." : "", n->key);
  } else if (item < CLASSES)
    snprintf(path, size, "%s", others[item - WIDTH]);
  else if (item < OPERATORS)
    snprintf(path, size, "%s.%s", item < REFETCH ? "efficiency" : "refetch_per_mac", hs_op_class_names[(item - CLASSES) % HS_CLASS_N]);
  else if (item < CORES)
    snprintf(path, size, "operator_cycles.%s", hs_op_name((enum hs_op_type)(item - OPERATORS)));
  else {
    const char *type = k->core_factors[(item - CORES) / HS_CORE_WORK_N].type;
    snprintf(path, size, "core_factors.%s.%s", type ? type : "", hs_core_work_names[(item - CORES) % HS_CORE_WORK_N]);
  }
}

/* Of what the kernel of a profile has; a fit's has types of core behind those. */
static void name_sources(struct one *o, const struct hs_profile *p, const struct hs_kernel *kernel, struct hs_arena *a)
{
  int i = (int)(kernel - p->kernels);
  bool any = strcmp(p->soc, "any") == 0;
  for (int k = 0; k < ITEMS; k++) {
    char path[PATH];
    path_of(kernel, k, path, sizeof path);
    int at = source_at(p, i, path);
    o->source[k] = at < 0 ? NULL : &p->sources.list[at];
    o->name[k] = at < 0 ? "" : any ? hs_arena_printf(a, "any-%s", o->source[k]->name) : o->source[k]->name;
  }
}

static void fitted(struct one *o, int item, const char *name)
{
  o->source[item] = NULL;
  o->name[item] = name;
}

/* Which item a coefficient of the fit is; -1: none, but what moves several. */
static int item_of(const struct hs_fit *f, const double *target)
{
  const struct hs_kernel *k = &f->kernel;
  const struct hs_kernel_number *n = hs_kernel_number_of(k, target);
  if (n) return (int)(n - hs_kernel_numbers);
  for (int c = 0; c < HS_CLASS_N; c++)
    if (target == &k->efficiency[c]) return CLASSES + c;
  for (int type = 0; type < HS_OP_N; type++)
    if (target == &k->operator_cycles[type]) return OPERATORS + type;
  for (int i = 0; i < HS_CORE_TYPES_MAX * HS_CORE_WORK_N; i++)
    if (target == &k->core_factors[i / HS_CORE_WORK_N].times[i % HS_CORE_WORK_N]) return CORES + i;
  for (int i = 0; i < k->n_knots; i++)
    if (target == &k->knot_frac[i]) return CURVE;
  return -1;
}

/* Where the rows say nothing of any coefficient, the kernel rests on what it rested on before. */
static bool found_any(const struct hs_fit *f)
{
  bool any = false;
  for (int i = 0; i < f->n_coefficients; i++) any |= f->coefficients[i].state != HS_FIT_UNDETERMINED;
  return any;
}

static void name_fitted(struct one *o, const char *name)
{
  const struct hs_fit *f = o->fit;
  for (int i = 0; i < f->n_coefficients; i++) {
    int item = f->coefficients[i].state == HS_FIT_UNDETERMINED ? -1 : item_of(f, f->coefficients[i].target);
    if (item >= 0) fitted(o, item, name);
  }
  for (int c = 0; c < HS_CLASS_N; c++) /* what moved with others, keeps the pace of all, or was above its bound */
    if (*o->name[CLASSES + c] && f->kernel.efficiency[c] != f->base->efficiency[c]) fitted(o, CLASSES + c, name);
  for (int type = 0; type < HS_OP_N; type++)
    if (f->kernel.operator_cycles[type] != f->base->operator_cycles[type]) fitted(o, OPERATORS + type, name);
  for (int i = 0; i < HS_KERNEL_NUMBERS; i++) /* what follows another */
    if (*o->name[i] && hs_kernel_get(&f->kernel, &hs_kernel_numbers[i]) != hs_kernel_get(f->base, &hs_kernel_numbers[i])) fitted(o, i, name);
  if (found_any(f)) fitted(o, FIT, name);
}

/* One name for all items [from, from + n) that the kernel has, or NULL where they differ or it has none. */
static const char *name_of_all(const struct one *o, int from, int n)
{
  const char *first = NULL;
  for (int i = from; i < from + n; i++) {
    if (!*o->name[i]) continue;
    if (first && strcmp(first, o->name[i]) != 0) return NULL;
    first = o->name[i];
  }
  return first;
}

static bool has_any(const struct one *o, int from, int n)
{
  for (int i = from; i < from + n; i++)
    if (*o->name[i]) return true;
  return false;
}

/* --- writing --- */

typedef void put_function(const struct one *o, int item, const char *key, struct hs_text *t);

static void put_value(const struct one *o, int item, const char *key, struct hs_text *t)
{
  const struct hs_kernel *k = o->kernel;
  hs_put_number(t, key, item < HS_KERNEL_NUMBERS ? hs_kernel_get(k, &hs_kernel_numbers[item]) :
                        item < REFETCH           ? k->efficiency[item - CLASSES] :
                        item < OPERATORS         ? k->refetch[item - REFETCH] :
                        item < CORES             ? k->operator_cycles[item - OPERATORS] :
                                                   k->core_factors[(item - CORES) / HS_CORE_WORK_N].times[(item - CORES) % HS_CORE_WORK_N]);
}

static void put_source(const struct one *o, int item, const char *key, struct hs_text *t) { hs_put_string(t, key, o->name[item]); }

/* What the kernel has of the items [from, from + n), each by what stands behind the last dot of its path. */
static void write_items(const struct one *o, int from, int n, put_function *put, struct hs_text *t)
{
  for (int i = from; i < from + n; i++) {
    char path[PATH];
    if (!*o->name[i]) continue;
    path_of(o->kernel, i, path, sizeof path);
    fold(t);
    put(o, i, strrchr(path, '.') ? strrchr(path, '.') + 1 : path, t);
  }
}

/* The same as an object. */
static void write_object(const struct one *o, const char *key, int from, int n, put_function *put, struct hs_text *t)
{
  if (!has_any(o, from, n)) return;
  hs_put_line(t, 5);
  hs_put_open(t, key, '{');
  write_items(o, from, n, put, t);
  hs_put_close(t, '}');
}

/* Of an object whose numbers have one source it is named once. */
static void write_object_source(const struct one *o, const char *key, int from, int n, struct hs_text *t)
{
  const char *one = name_of_all(o, from, n);
  if (!one) {
    write_object(o, key, from, n, put_source, t);
    return;
  }
  fold(t);
  hs_put_string(t, key, one);
}

/* Type by type. */
static void write_cores(const struct one *o, put_function *put, struct hs_text *t)
{
  if (!has_any(o, CORES, ITEMS - CORES)) return;
  hs_put_line(t, 5);
  hs_put_open(t, "core_factors", '{');
  for (int i = 0; i < HS_CORE_TYPES_MAX; i++) {
    const int from = CORES + i * HS_CORE_WORK_N;
    if (!has_any(o, from, HS_CORE_WORK_N)) continue;
    hs_put_open(t, o->kernel->core_factors[i].type, '{');
    write_items(o, from, HS_CORE_WORK_N, put, t);
    hs_put_close(t, '}');
  }
  hs_put_close(t, '}');
}

static void write_source(const struct one *o, struct hs_text *t)
{
  hs_put_line(t, 5);
  if (name_of_all(o, 0, ITEMS)) {
    hs_put_string(t, "source", name_of_all(o, 0, ITEMS));
    return;
  }
  hs_put_open(t, "source", '{');
  for (int i = 0, n; i < HS_KERNEL_NUMBERS; i += n) {
    n = hs_kernel_group(i);
    if (hs_kernel_numbers[i].group)
      write_object_source(o, hs_kernel_numbers[i].group, i, n, t);
    else
      write_items(o, i, n, put_source, t);
  }
  write_items(o, WIDTH, CLASSES - WIDTH, put_source, t);
  if (name_of_all(o, CORES, ITEMS - CORES))
    write_object_source(o, "core_factors", CORES, ITEMS - CORES, t);
  else
    write_cores(o, put_source, t);
  write_object_source(o, "operator_cycles", OPERATORS, HS_OP_N, t);
  write_object_source(o, "efficiency", CLASSES, HS_CLASS_N, t);
  write_object_source(o, "refetch_per_mac", REFETCH, HS_CLASS_N, t);
  hs_put_close(t, '}');
}

static void write_numbers(const struct one *o, struct hs_text *t)
{
  hs_put_line(t, 5);
  for (int i = 0, n; i < HS_KERNEL_NUMBERS; i += n) {
    n = hs_kernel_group(i);
    if (hs_kernel_numbers[i].group)
      write_object(o, hs_kernel_numbers[i].group, i, n, put_value, t);
    else
      write_items(o, i, n, put_value, t);
  }
  if (o->kernel->dense_depthwise) hs_put_bool(t, "dense_depthwise", true);
  if (o->kernel->fuses_light) hs_put_bool(t, "fuses_light", true);
}

static void write_width_block(const struct one *o, struct hs_text *t)
{
  if (!*o->name[WIDTH]) return;
  hs_put_line(t, 5);
  hs_put_open(t, "width_block", '{');
  for (int c = 0; c < HS_CLASS_N; c++)
    if (o->kernel->width_block[c] > 1 || c == 0) hs_put_number(t, hs_op_class_names[c], o->kernel->width_block[c]);
  hs_put_close(t, '}');
}

static void write_curve(const struct hs_kernel *k, struct hs_text *t)
{
  if (k->n_knots == 0) return;
  hs_put_line(t, 5);
  hs_put_open(t, "saturation", '[');
  for (int i = 0; i < k->n_knots; i++) hs_put_numbers(t, NULL, (const double[]){k->knot_ln[i], k->knot_frac[i]}, 2);
  hs_put_close(t, ']');
}

static void write_scatter(const struct one *o, struct hs_text *t)
{
  if (!*o->name[SCATTER]) return;
  hs_put_line(t, 5);
  hs_put_open(t, "scatter", '{');
  hs_put_number(t, "run_std_frac", o->kernel->jitter.run_std_frac);
  hs_put_number(t, "kernel_std_frac", o->kernel->jitter.kernel_std_frac);
  hs_put_number(t, "n", o->kernel->jitter.n);
  hs_put_close(t, '}');
}

static void write_fit(const struct one *o, struct hs_text *t)
{
  const struct hs_fit *f = o->fit && found_any(o->fit) ? o->fit : NULL;
  int n = f ? f->n_used : o->kernel->fit_n;
  if (n == 0) return;
  hs_put_line(t, 5);
  hs_put_open(t, "fit", '{');
  hs_put_number(t, "n", n);
  hs_put_number(t, "mape_frac", f ? hs_fit_rounded(f->after[0][HS_ROWS_ALL].mape_frac) : o->kernel->fit_mape_frac);
  hs_put_string(t, "note", f ? o->note : o->kernel->fit_note);
  hs_put_close(t, '}');
}

static void write_kernel(const struct one *o, struct hs_text *t)
{
  const struct hs_bench *b = o->fit ? o->fit->bench : NULL;
  hs_put_line(t, 4);
  hs_put_open(t, NULL, '{');
  hs_put_string(t, "processor", b ? b->sys.soc->processors[b->processor].name : o->kernel->processor);
  hs_put_string(t, "precision", hs_precision_names[o->kernel->precision]);
  if (o->memory_type >= 0) hs_put_string(t, "memory_type", hs_memory_type_names[o->memory_type]);
  write_numbers(o, t);
  write_cores(o, put_value, t);
  write_width_block(o, t);
  write_object(o, "operator_cycles", OPERATORS, HS_OP_N, put_value, t);
  write_object(o, "efficiency", CLASSES, HS_CLASS_N, put_value, t);
  write_object(o, "refetch_per_mac", REFETCH, HS_CLASS_N, put_value, t);
  write_curve(o->kernel, t);
  write_scatter(o, t);
  write_fit(o, t);
  write_source(o, t);
  hs_put_close(t, '}');
}

static void write_one_source(struct hs_text *t, const char *name, const char *kind, const char *ref)
{
  hs_put_line(t, 4);
  hs_put_open(t, name, '{');
  hs_put_string(t, "kind", kind);
  hs_put_string(t, "ref", ref);
  hs_put_close(t, '}');
}

/* A source as it is written. */
struct written {
  const char *name, *kind, *ref;
};

static struct written source_of(const struct one *o, int item)
{
  const struct hs_source *s = o->source[item];
  return (struct written){o->name[item], s ? hs_source_kind_names[s->kind] : "derived", s ? s->ref : o->ref};
}

static bool same_source(const struct written *a, const struct written *b) { return strcmp(a->kind, b->kind) == 0 && strcmp(a->ref, b->ref) == 0; }

/* Where profiles call different sources alike, the later ones have a number behind their name. False: it is in the list. */
static bool name_apart(const struct written *list, int n, struct written *s, struct hs_arena *a)
{
  const char *name = s->name;
  for (int number = 2, i = 0; i < n; i++) {
    if (strcmp(list[i].name, s->name) != 0) continue;
    if (same_source(&list[i], s)) return false;
    s->name = hs_arena_printf(a, "%s-%d", name, number++);
    i = -1;
  }
  return true;
}

/* Only what a number names. */
static void write_sources(struct one *list, int n, struct hs_arena *a, struct hs_text *t)
{
  int n_written = 0, cap = 0;
  struct written *written = NULL;
  hs_put_line(t, 2);
  hs_put_open(t, "sources", '{');
  for (int i = 0; i < n; i++)
    for (int k = 0; k < ITEMS; k++) {
      if (!*list[i].name[k]) continue;
      struct written s = source_of(&list[i], k);
      bool is_new = name_apart(written, n_written, &s, a);
      list[i].name[k] = s.name;
      if (!is_new) continue;
      HS_GROW(written, n_written, cap);
      written[n_written++] = s;
      write_one_source(t, s.name, s.kind, s.ref);
    }
  hs_put_line(t, 2);
  hs_put_close(t, '}');
  free(written);
}

static int n_from(const struct hs_fit *fits, int n, const struct hs_kernel *base)
{
  int same = 0;
  for (int i = 0; i < n; i++) same += fits[i].base == base;
  return same;
}

/* Is there another kernel for other memory types of it? One for all would stand before that. */
static bool has_typed(const struct hs_measurements *m, const struct hs_fit *fits, int n, const struct hs_fit *f)
{
  const struct hs_backend *b = &f->bench->sys.backends[f->bench->processor];
  const char *processor = f->bench->sys.soc->processors[f->bench->processor].name;
  for (int i = 0; i < n; i++) {
    const struct hs_bench *other = fits[i].bench;
    if (fits[i].base != f->base && other->processor == f->bench->processor && other->sys.backends[other->processor].precision == b->precision) return true;
  }
  for (int i = 0; m->own && i < m->own->n_kernels; i++) {
    const struct hs_kernel *k = &m->own->kernels[i];
    if (!n_from(fits, n, k) && k->memory_type >= 0 && k->precision == b->precision && strcmp(k->processor, processor) == 0) return true;
  }
  return false;
}

/* Types that no core of the processor is of: an estimate for all SoCs may have them, a SoC's own profile may not. */
static void leave_out_other_cores(struct one *o, const struct hs_processor *p)
{
  bool there[HS_CORE_TYPES_MAX] = {false};
  for (int d = 0; d < p->n_domains; d++) {
    int i = hs_kernel_find_core(o->kernel, p->domains[d].core_type);
    if (i >= 0) there[i] = true;
  }
  for (int i = 0; i < HS_CORE_TYPES_MAX * HS_CORE_WORK_N; i++)
    if (!there[i / HS_CORE_WORK_N]) o->name[CORES + i] = "";
}

/* The kernel of fit i, of n that are written. */
static struct one of_fit(const struct hs_measurements *m, const struct hs_fit *fits, int n, int i, const char *tag, struct hs_arena *a)
{
  const struct hs_fit *f = &fits[i];
  const struct hs_backend *b = &f->bench->sys.backends[f->bench->processor];
  const struct hs_processor *p = &f->bench->sys.soc->processors[f->bench->processor];
  const struct hs_profile *own = hs_profile_of(m->own, f->base);
  /* one kernel for both memory types stays one, unless both were measured */
  bool all = (p->n_memory_types < 2 || (f->base->memory_type < 0 && n_from(fits, n, f->base) == 1)) && !has_typed(m, fits, n, f);
  struct one o = {.kernel = &f->kernel, .fit = f, .memory_type = all ? -1 : (int)b->memory_type};
  name_sources(&o, own ? own : hs_profile_of(m->estimate, f->base), f->base, a);
  leave_out_other_cores(&o, p);
  /* of its own for each kernel: a source's text has this fit's errors */
  name_fitted(&o, hs_arena_printf(a, "%s-%s%s%s-%.8s", p->name, all ? "" : hs_memory_type_names[b->memory_type], all ? "" : "-",
                                  hs_precision_names[b->precision], tag));
  return o;
}

/* A kernel of the profile before, to which nothing is fitted. */
static struct one kept(const struct hs_profile *own, const struct hs_kernel *k, struct hs_arena *a)
{
  struct one o = {.kernel = k, .memory_type = k->memory_type};
  name_sources(&o, own, k, a);
  return o;
}

void hs_profile_write(const struct hs_measurements *m, const struct hs_fit *fits, int n, const char *const *refs, const char *const *notes, const char *tag,
                      struct hs_text *out)
{
  struct one *list = hs_realloc(NULL, HS_KERNELS_MAX + (size_t)n, sizeof *list);
  struct hs_arena names = {0};
  int count = 0;
  for (int i = 0; i < n; i++) {
    list[count] = of_fit(m, fits, n, i, tag, &names);
    list[count].ref = refs[i];
    list[count++].note = notes[i];
  }
  for (int i = 0; m->own && i < m->own->n_kernels; i++)
    if (!n_from(fits, n, &m->own->kernels[i])) list[count++] = kept(m->own, &m->own->kernels[i], &names);
  hs_put_open(out, NULL, '{');
  hs_put_line(out, 2);
  hs_put_string(out, "format", "hetsim-profile/1");
  hs_put_line(out, 2);
  hs_put_string(out, "soc", m->soc->name);
  hs_put_string(out, "runtime", m->runtime->name);
  write_sources(list, count, &names, out);
  hs_put_line(out, 2);
  hs_put_open(out, "kernels", '[');
  for (int i = 0; i < count; i++) write_kernel(&list[i], out);
  hs_put_line(out, 2);
  hs_put_close(out, ']');
  hs_put_line(out, 0);
  hs_put_close(out, '}');
  hs_put_line(out, 0);
  hs_arena_free(&names);
  free(list);
}
