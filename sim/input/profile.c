/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "input/profile.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/files.h"
#include "input/json_in.h"
#include "input/kernel_numbers.h"
#include "input/sources.h"

const char *const hs_basis_names[] = {[HS_BASIS_FITTED] = "fitted", [HS_BASIS_SIBLING] = "sibling", [HS_BASIS_ESTIMATE] = "estimated"};
const char *const hs_basis_phrases[] = {[HS_BASIS_FITTED] = "fitted to measurements", [HS_BASIS_SIBLING] = "taken from a sibling",
                                        [HS_BASIS_ESTIMATE] = "estimated from hardware rates"};

struct reader {
  struct hs_profile *profile;
  struct hs_error *err;
};

/* *place (may be NULL): where it stands. */
static enum hs_status own_name(struct reader *r, struct hs_json_at *o, const char *key, const char **out, struct hs_place *place)
{
  struct hs_json_at at;
  HS_TRY(hs_json_get(o, key, &at, r->err));
  HS_TRY(hs_json_name(&at, out, r->err));
  *out = hs_arena_strdup(&r->profile->arena, *out);
  if (place) *place = hs_json_place(&at);
  return HS_OK;
}

/* What waits for cache lines has no efficiency, and may not have one that nothing would take. */
static enum hs_status read_efficiency(struct reader *r, struct hs_json_at *o, struct hs_kernel *k)
{
  struct hs_json_at e;
  HS_TRY(hs_json_get_object(o, "efficiency", &e, r->err));
  for (int c = 0; c < HS_CLASS_N; c++) {
    const char *name = hs_op_class_names[c];
    k->efficiency[c] = 1;
    if (!hs_kernel_counts_lines(k, (enum hs_op_class)c))
      HS_TRY(hs_json_get_number(&e, name, HS_EFFICIENCY_MIN, 100, &k->efficiency[c], r->err));
    else if (hs_json_has(&e, name))
      return hs_json_fail(&e, r->err, "has \"%s\", whose rate work_group.lines_per_cycle gives", name);
  }
  return hs_sources_end(&e, r->err);
}

static enum hs_status read_count(struct reader *r, struct hs_json_at *o, const char *key, int64_t low, int64_t high, int *out)
{
  int64_t v = 0;
  HS_TRY(hs_json_get_int(o, key, low, high, &v, r->err));
  *out = (int)v;
  return HS_OK;
}

static enum hs_status read_number(struct reader *r, struct hs_json_at *o, const struct hs_kernel_number *n, struct hs_kernel *k)
{
  double v = hs_kernel_default(k, n), low = n->count ? fmax(n->low, n->follows ? v : n->low) : n->low;
  int count = 0;
  bool said = o && (!n->optional || hs_json_has(o, n->key) || (n->with && hs_json_has(o, n->with)));
  if (said && n->count)
    HS_TRY(read_count(r, o, n->key, (int64_t)low, (int64_t)n->high, &count));
  else if (said)
    HS_TRY(low < 0 ? hs_json_get_positive(o, n->key, n->high, &v, r->err) : hs_json_get_number(o, n->key, low, n->high, &v, r->err));
  hs_kernel_set(k, n, said && n->count ? count : v);
  return HS_OK;
}

/* Those of one object, from the i-th on; of none where the file leaves it out. */
static enum hs_status read_group(struct reader *r, struct hs_json_at *o, int i, struct hs_kernel *k)
{
  struct hs_json_at group, *at = o;
  const char *name = hs_kernel_numbers[i].group;
  if (name) {
    at = hs_json_has(o, name) ? &group : NULL;
    if (at) HS_TRY(hs_json_get_object(o, name, &group, r->err));
  }
  for (int n = hs_kernel_group(i); n > 0; n--) HS_TRY(read_number(r, at, &hs_kernel_numbers[i++], k));
  return name && at ? hs_sources_end(at, r->err) : HS_OK;
}

static enum hs_status read_numbers(struct reader *r, struct hs_json_at *o, struct hs_kernel *k)
{
  for (int i = 0; i < HS_KERNEL_NUMBERS; i += hs_kernel_group(i)) HS_TRY(read_group(r, o, i, k));
  return HS_OK;
}

static enum hs_status read_width_block(struct reader *r, struct hs_json_at *o, struct hs_kernel *k)
{
  struct hs_json_at e;
  for (int c = 0; c < HS_CLASS_N; c++) k->width_block[c] = 1;
  if (!hs_json_has(o, "width_block")) return HS_OK;
  HS_TRY(hs_json_get_object(o, "width_block", &e, r->err));
  for (int c = 0; c < HS_CLASS_N; c++)
    if (hs_json_has(&e, hs_op_class_names[c])) HS_TRY(read_count(r, &e, hs_op_class_names[c], 1, 1024, &k->width_block[c]));
  return hs_sources_end(&e, r->err);
}

/* With tiles_per_pass sides go down from `tile` by twos: they must come to `small_tile`, and no size of the input decides. Nor do other sizes than its own
 * where channels are packed. */
static enum hs_status check_tiles(const struct reader *r, const struct hs_json_at *o, const struct hs_kernel *k)
{
  const struct hs_winograd *w = &k->winograd;
  if (k->packing.lanes && (w->above > 0 || w->tiles_per_pass))
    return hs_json_fail(o, r->err, "has winograd.%s beside packing, which decides instead", w->above > 0 ? "above" : "tiles_per_pass");
  if (w->tiles_per_pass == 0) return HS_OK;
  if (w->above > 0) return hs_json_fail(o, r->err, "has winograd.above (%d) beside winograd.tiles_per_pass, which decides instead", w->above);
  if (w->small_tile > w->tile || (w->tile - w->small_tile) % 2)
    return hs_json_fail(o, r->err, "has winograd.tiles_per_pass, but winograd.small_tile (%d) is not tile (%d) less a multiple of 2", w->small_tile, w->tile);
  return HS_OK;
}

/* What they are told by. */
static enum hs_status check_windows(const struct reader *r, struct hs_json_at *o, const struct hs_depthwise_path *path)
{
  int said = (path->kernel > 0) + (path->taps > 0) + (path->max_taps > 0);
  if (path->or_taps && !path->taps) return hs_json_fail(o, r->err, "has a depthwise_fast_path with or_taps without taps");
  if (said == 1 || (said == 0 && !hs_json_has(o, "depthwise_fast_path"))) return HS_OK;
  return hs_json_fail(o, r->err, "has a depthwise_fast_path with %s of kernel, taps and max_taps, and needs one of them", said ? "several" : "none");
}

/* Where the file names a processor, the memory type tells a GPU's. */
static enum hs_status check_threads(const struct reader *r, const struct hs_json_at *o, const struct hs_kernel *k)
{
  const char *only = k->packing.factor_5x5 > 1 ? "packing.factor_5x5" : k->spin_s >= 0 ? "spin_s" : k->fork_cycles > 0 ? "fork_cycles" : NULL;
  if (k->core_factors[0].type) only = "core_factors";
  if (!only || (k->memory_type < 0 && (k->processor || k->kind == HS_CPU))) return HS_OK;
  return hs_json_fail(o, r->err, "has %s, which only kernels of a CPU have", only);
}

/* Numbers that don't go together. */
static enum hs_status check_numbers(const struct reader *r, const struct hs_json_at *o, const struct hs_kernel *k)
{
  if (k->block_map_bytes > 0 && (k->matrix_block < 2 || (k->matrix_block & (k->matrix_block - 1))))
    return hs_json_fail(o, r->err, "has block_map_bytes without a matrix_block that is a power of two");
  if (k->launch.units && (k->winograd.tile || k->group.blocks)) return hs_json_fail(o, r->err, "has a launch beside a winograd or work_group");
  if (k->mali.cores && (k->mali.window_outputs & (k->mali.window_outputs - 1)))
    return hs_json_fail(o, r->err, "has mali_launch.window_outputs (%d), which is none of 1, 2, 4 and 8", k->mali.window_outputs);
  if (k->mali.cores && (k->launch.units || k->winograd.tile || k->group.blocks || k->packing.lanes))
    return hs_json_fail(o, r->err, "has a mali_launch beside a launch, winograd, work_group or packing");
  if ((k->launch.units || k->mali.cores) && !k->processor && k->kind != HS_GPU)
    return hs_json_fail(o, r->err, "has a %s, which only kernels of a GPU have", k->launch.units ? "launch" : "mali_launch");
  if (k->shaders.access_cycles > 0 && (k->launch.units || k->mali.cores || k->winograd.tile || k->group.blocks))
    return hs_json_fail(o, r->err, "has shaders beside a launch, mali_launch, winograd or work_group");
  if (k->shaders.access_cycles > 0 && k->packing.lanes) return hs_json_fail(o, r->err, "has shaders beside packing, which tells them by itself");
  if (k->shaders.access_cycles > 0 && k->strided_depthwise_factor > 1)
    return hs_json_fail(o, r->err, "has a strided_depthwise_factor beside shaders, which have a strided_window_factor");
  if (k->winograd.tile && k->group.lines_per_cycle > 0)
    return hs_json_fail(o, r->err, "has a winograd beside work_group.lines_per_cycle, which counts none of its loads");
  HS_TRY(check_tiles(r, o, k));
  if (k->packing.lanes && k->packing.lanes != 4 && k->packing.lanes != 8)
    return hs_json_fail(o, r->err, "has packing.lanes (%d), which is neither 4 nor 8", k->packing.lanes);
  if (k->memory_type >= 0 && k->packing.lanes > 4)
    return hs_json_fail(o, r->err, "has packing.lanes (%d), and a GPU's shaders read vectors of 4", k->packing.lanes);
  HS_TRY(check_threads(r, o, k));
  if ((k->turn_cache_lines > 0) != (k->turn_cache_ways > 0) || (k->turn_cache_ways && k->turn_cache_lines % k->turn_cache_ways))
    return hs_json_fail(o, r->err, "has turn_cache_lines that are no multiple of its turn_cache_ways");
  if (k->turn_cycles <= 0 && (k->turn_miss_cycles > 0 || k->turn_far_cycles > 0))
    return hs_json_fail(o, r->err, "has turn_miss_cycles or turn_far_cycles without turn_cycles");
  if (k->reread_cycles_per_byte > 0 && k->rows_per_pass == 0) return hs_json_fail(o, r->err, "has reread_cycles_per_byte without rows_per_pass");
  if (k->turn_miss_cycles > 0 && k->turn_cache_lines == 0) return hs_json_fail(o, r->err, "has turn_miss_cycles without turn_cache_lines");
  return HS_OK;
}

static enum hs_status read_refetch(struct reader *r, struct hs_json_at *o, struct hs_kernel *k)
{
  struct hs_json_at e;
  if (!hs_json_has(o, "refetch_per_mac")) return HS_OK;
  HS_TRY(hs_json_get_object(o, "refetch_per_mac", &e, r->err));
  for (int c = 0; c < HS_CLASS_N; c++)
    if (hs_json_has(&e, hs_op_class_names[c])) HS_TRY(hs_json_get_number(&e, hs_op_class_names[c], 0, 2, &k->refetch[c], r->err));
  return hs_sources_end(&e, r->err);
}

static enum hs_status read_saturation(struct reader *r, struct hs_json_at *o, struct hs_kernel *k)
{
  struct hs_json_at array, row, at;
  if (!hs_json_has(o, "saturation")) return HS_OK;
  HS_TRY(hs_json_get_array(o, "saturation", 2, HS_KNOTS_MAX, &array, &k->n_knots, r->err));
  for (int i = 0; i < k->n_knots; i++) {
    HS_TRY(hs_json_element(&array, i, &row, r->err));
    if (!hs_json_is_array(&row) || hs_json_length(&row) != 2) return hs_json_fail(&row, r->err, "is not [ln(size), fraction]");
    HS_TRY(hs_json_element(&row, 0, &at, r->err));
    HS_TRY(hs_json_number(&at, 0, 40, &k->knot_ln[i], r->err));
    if (i > 0 && k->knot_ln[i] <= k->knot_ln[i - 1]) return hs_json_fail(&at, r->err, "knots must ascend");
    HS_TRY(hs_json_element(&row, 1, &at, r->err));
    HS_TRY(hs_json_number(&at, HS_EFFICIENCY_MIN, HS_SATURATION_MAX, &k->knot_frac[i], r->err));
  }
  return HS_OK;
}

static enum hs_status read_fit(struct reader *r, struct hs_json_at *o, struct hs_kernel *k)
{
  struct hs_json_at fit;
  k->fit_note = "";
  if (!hs_json_has(o, "fit")) return HS_OK;
  HS_TRY(hs_json_get_object(o, "fit", &fit, r->err));
  HS_TRY(read_count(r, &fit, "n", 1, 1000000000, &k->fit_n));
  HS_TRY(hs_json_get_number(&fit, "mape_frac", 0, 100, &k->fit_mape_frac, r->err));
  HS_TRY(hs_json_get_string(&fit, "note", &k->fit_note, r->err));
  k->fit_note = hs_arena_strdup(&r->profile->arena, k->fit_note);
  return hs_sources_end(&fit, r->err);
}

static enum hs_status read_key(struct reader *r, struct hs_json_at *o, struct hs_kernel *k)
{
  int kind = 0, precision = 0;
  if (strcmp(r->profile->soc, "any") == 0 && !hs_json_has(o, "processor")) {
    HS_TRY(hs_json_get_word(o, "kind", hs_kind_names, &kind, r->err));
    k->kind = (enum hs_kind)kind;
  } else
    HS_TRY(own_name(r, o, "processor", &k->processor, NULL));
  HS_TRY(hs_json_get_word(o, "precision", hs_precision_names, &precision, r->err));
  k->precision = (enum hs_precision)precision;
  k->memory_type = -1;
  return hs_json_has(o, "memory_type") ? hs_json_get_word(o, "memory_type", hs_memory_type_names, &k->memory_type, r->err) : HS_OK;
}

/* Types of core, in the estimate for all SoCs. */
static enum hs_status read_core_types(struct reader *r, struct hs_json_at *o, const char *key, const char **types)
{
  struct hs_json_at array, at;
  int n;
  if (!hs_json_has(o, key)) return HS_OK;
  if (strcmp(r->profile->soc, "any") != 0) return hs_json_fail(o, r->err, "has %s in a profile of one SoC, which is for its own cores", key);
  HS_TRY(hs_json_get_array(o, key, 1, HS_CORE_TYPES_MAX, &array, &n, r->err));
  for (int i = 0; i < n; i++) {
    HS_TRY(hs_json_element(&array, i, &at, r->err));
    HS_TRY(hs_json_string(&at, &types[i], r->err));
    if (!*types[i]) return hs_json_fail(&at, r->err, "is empty");
    types[i] = hs_arena_strdup(&r->profile->arena, types[i]);
  }
  return HS_OK;
}

/* Capitals don't matter, and behind a letter a digit begins a word of its own: "ADRENO640" has "Adreno", "Cortex-A76" no "Cortex-A7". */
static bool word_in(const char *text, const char *word)
{
  size_t n = strlen(word);
  bool letter = isalpha((unsigned char)word[n - 1]);
  for (const char *at = text; *at; at++) {
    if (strncasecmp(at, word, n) != 0 || (at > text && isalnum((unsigned char)at[-1]))) continue;
    if (!isalnum((unsigned char)at[n]) || (letter && isdigit((unsigned char)at[n]))) return true;
  }
  return false;
}

/* Is one of the types in this one, as words? "Adreno" is in "Adreno 640". */
static bool named_by(const char *type, const char *const *types)
{
  for (int i = 0; i < HS_CORE_TYPES_MAX && types[i]; i++)
    if (word_in(type, types[i])) return true;
  return false;
}

int hs_kernel_find_core(const struct hs_kernel *kernel, const char *core_type)
{
  for (int i = 0; i < HS_CORE_TYPES_MAX && kernel->core_factors[i].type; i++)
    if (word_in(core_type, kernel->core_factors[i].type)) return i;
  return -1;
}

static bool all_named_by(const char *const *narrow, const char *const *types)
{
  for (int i = 0; i < HS_CORE_TYPES_MAX && narrow[i]; i++)
    if (!named_by(narrow[i], types)) return false;
  return true;
}

/* Which cores two lists of types have in common isn't known, unless all that one names the other does, too. */
static bool covers(const struct hs_kernel *a, const struct hs_kernel *b)
{
  bool same = a->processor && b->processor ? strcmp(a->processor, b->processor) == 0 : !a->processor && (b->processor || a->kind == b->kind);
  bool cores = !a->for_cores[0] || (b->for_cores[0] && all_named_by(b->for_cores, a->for_cores));
  return same && cores && a->precision == b->precision && (a->memory_type < 0 || a->memory_type == b->memory_type);
}

/* The first kernel that fits is taken, so what stands behind one that covers it would never be found. */
static enum hs_status check_reachable(struct reader *r, const struct hs_json_at *o, int i)
{
  for (int k = 0; k < i; k++)
    if (covers(&r->profile->kernels[k], &r->profile->kernels[i]))
      return hs_json_fail(o, r->err, "kernels[%d] already holds for this processor, precision and memory type", k);
  return HS_OK;
}

static enum hs_status read_operator_cycles(struct reader *r, struct hs_json_at *o, struct hs_kernel *k)
{
  struct hs_json_at e, at;
  if (!hs_json_has(o, "operator_cycles")) return HS_OK;
  HS_TRY(hs_json_get_object(o, "operator_cycles", &e, r->err));
  for (int i = 0, n = hs_json_length(&e); i < n; i++) {
    HS_TRY(hs_json_child(&e, i, &at, r->err));
    int type = hs_op_find(at.key);
    if (strcmp(at.key, "source") == 0) continue;
    if (type < 0) return hs_json_fail(&at, r->err, "\"%.60s\" is no operator", at.key);
    if (type != HS_OP_MAT_MUL && hs_op_has_macs((enum hs_op_type)type)) return hs_json_fail(&at, r->err, "%s multiplies: its class has an efficiency", at.key);
    HS_TRY(hs_json_get_number(&e, at.key, HS_OPERATOR_CYCLES_MIN, 1e6, &k->operator_cycles[type], r->err));
  }
  return hs_sources_end(&e, r->err);
}

/* Types are told apart: of two that name the same cores only one would count. */
static enum hs_status check_core(const struct reader *r, const struct hs_json_at *at, const struct hs_kernel *k)
{
  size_t n = strlen(at->key);
  if (n == 0 || n > HS_CORE_NAME_MAX) return hs_json_fail(at, r->err, "a type of core has 1 to %d characters, not %zu", HS_CORE_NAME_MAX, n);
  for (int i = 0; i < HS_CORE_TYPES_MAX && k->core_factors[i].type; i++)
    if (word_in(at->key, k->core_factors[i].type) || word_in(k->core_factors[i].type, at->key))
      return hs_json_fail(at, r->err, "names cores that \"%s\" names, too", k->core_factors[i].type);
  return HS_OK;
}

static enum hs_status read_factors_of_core(struct reader *r, struct hs_json_at *cores, const char *type, struct hs_core_factors *out)
{
  struct hs_json_at e;
  int n = 0;
  HS_TRY(hs_json_get_object(cores, type, &e, r->err));
  *out = (struct hs_core_factors){.type = hs_arena_strdup(&r->profile->arena, type)};
  for (int i = 0; i < HS_CORE_WORK_N; i++) {
    const char *key = hs_core_work_names[i];
    out->times[i] = 1;
    if (!hs_json_has(&e, key)) continue;
    HS_TRY(hs_json_get_number(&e, key, HS_CORE_FACTOR_MIN, HS_CORE_FACTOR_MAX, &out->times[i], r->err));
    n++;
  }
  HS_TRY(hs_sources_end(&e, r->err));
  return n ? HS_OK : hs_json_fail(&e, r->err, "has none of products, vectors and others");
}

static enum hs_status read_core_factors(struct reader *r, struct hs_json_at *o, struct hs_kernel *k)
{
  struct hs_json_at e, at;
  int n = 0;
  if (!hs_json_has(o, "core_factors")) return HS_OK;
  HS_TRY(hs_json_get_object(o, "core_factors", &e, r->err));
  for (int i = 0; i < hs_json_length(&e); i++) {
    HS_TRY(hs_json_child(&e, i, &at, r->err));
    if (strcmp(at.key, "source") == 0) continue;
    if (n == HS_CORE_TYPES_MAX) return hs_json_fail(&e, r->err, "has more than %d types of core", HS_CORE_TYPES_MAX);
    HS_TRY(check_core(r, &at, k));
    HS_TRY(read_factors_of_core(r, &e, at.key, &k->core_factors[n++]));
  }
  return n ? hs_sources_end(&e, r->err) : hs_json_fail(&e, r->err, "names no type of core");
}

static enum hs_status read_kernel(struct reader *r, const struct hs_json_at *array, int i)
{
  struct hs_json_at o;
  struct hs_kernel *k = &r->profile->kernels[i];
  HS_TRY(hs_json_element_object(array, i, &o, r->err));
  HS_TRY(read_key(r, &o, k));
  HS_TRY(read_core_types(r, &o, "for_cores", k->for_cores));
  HS_TRY(read_core_types(r, &o, "sibling_cores", k->sibling_cores));
  HS_TRY(read_core_factors(r, &o, k));
  HS_TRY(check_reachable(r, &o, i));
  HS_TRY(read_numbers(r, &o, k));
  HS_TRY(check_numbers(r, &o, k));
  HS_TRY(check_windows(r, &o, &k->depthwise_fast_path));
  HS_TRY(hs_json_opt_bool(&o, "dense_depthwise", &k->dense_depthwise, r->err));
  HS_TRY(hs_json_opt_bool(&o, "fuses_light", &k->fuses_light, r->err));
  HS_TRY(read_width_block(r, &o, k));
  HS_TRY(read_operator_cycles(r, &o, k));
  HS_TRY(read_efficiency(r, &o, k)); /* by what the numbers say */
  HS_TRY(read_refetch(r, &o, k));
  HS_TRY(read_saturation(r, &o, k));
  HS_TRY(hs_jitter_read(&o, &k->jitter, r->err));
  HS_TRY(read_fit(r, &o, k));
  return hs_sources_end(&o, r->err);
}

static enum hs_status read_root(struct reader *r, const struct hs_json *doc)
{
  struct hs_json_at root, array;
  int n;
  HS_TRY(hs_json_root(doc, &root, r->err));
  HS_TRY(hs_json_format(&root, "hetsim-profile/1", r->err));
  HS_TRY(own_name(r, &root, "soc", &r->profile->soc, &r->profile->soc_place));
  HS_TRY(own_name(r, &root, "runtime", &r->profile->runtime, &r->profile->runtime_place));
  HS_TRY(hs_json_get_array(&root, "kernels", 1, HS_KERNELS_MAX, &array, &n, r->err));
  for (int i = 0; i < n; i++) HS_TRY(read_kernel(r, &array, i));
  r->profile->n_kernels = n;
  r->profile->file = hs_arena_strdup(&r->profile->arena, doc->file);
  HS_TRY(hs_sources_read(&root, &r->profile->arena, &r->profile->sources, r->err));
  hs_sha256_hex(doc->text, doc->len, r->profile->sha256);
  return HS_OK;
}

static enum hs_status read_document(struct hs_json *doc, struct hs_profile **out, struct hs_error *err)
{
  struct hs_arena arena = {0};
  struct hs_profile *p = HS_NEW(&arena, struct hs_profile);
  p->arena = arena;
  struct reader r = {p, err};
  enum hs_status status = read_root(&r, doc);
  if (status)
    hs_profile_free(p);
  else
    *out = p;
  hs_json_close(doc);
  return status;
}

enum hs_status hs_profile_read(const char *file, struct hs_profile **profile, struct hs_error *err)
{
  struct hs_json doc;
  HS_TRY(hs_json_open(&doc, file, err));
  return read_document(&doc, profile, err);
}

enum hs_status hs_profile_parse(const char *file, const char *text, size_t len, struct hs_profile **profile, struct hs_error *err)
{
  struct hs_json doc;
  HS_TRY(hs_json_parse(&doc, file, text, len, err));
  return read_document(&doc, profile, err);
}

void hs_profile_free(struct hs_profile *profile)
{
  if (!profile) return;
  hs_profile_free(profile->next);
  struct hs_arena a = profile->arena;
  hs_arena_free(&a);
}

/* --- which kernel, and what it rests on --- */

/* Are all clusters of one of these types of core? */
static bool has_cores(const struct hs_processor *p, const char *const *types)
{
  for (int d = 0; d < p->n_domains; d++)
    if (!named_by(p->domains[d].core_type, types)) return false;
  return true;
}

const struct hs_kernel *hs_profile_find(const struct hs_profile *profile, const struct hs_processor *p,
                                        enum hs_precision precision, enum hs_memory_type type)
{
  for (int i = 0; i < profile->n_kernels; i++) {
    const struct hs_kernel *k = &profile->kernels[i];
    bool ours = (k->processor ? strcmp(k->processor, p->name) == 0 : k->kind == p->kind) && (!k->for_cores[0] || has_cores(p, k->for_cores));
    if (ours && k->precision == precision && (k->memory_type < 0 || k->memory_type == (int)type)) return k;
  }
  return profile->next ? hs_profile_find(profile->next, p, precision, type) : NULL;
}

const struct hs_profile *hs_profile_of(const struct hs_profile *profile, const struct hs_kernel *kernel)
{
  for (; profile; profile = profile->next)
    for (int i = 0; i < profile->n_kernels; i++)
      if (&profile->kernels[i] == kernel) return profile;
  return NULL;
}

/* The rate of 1x1 convolutions, or of what they wait for, stands for all: derived from a sibling's, or assumed. */
enum hs_basis hs_profile_basis(const struct hs_profile *profile, const struct hs_kernel *kernel, const struct hs_processor *p)
{
  char path[80];
  if (kernel->fit_n > 0) return HS_BASIS_FITTED;
  if (strcmp(profile->soc, "any") == 0 && !has_cores(p, kernel->sibling_cores)) return HS_BASIS_ESTIMATE;
  if (hs_kernel_counts_lines(kernel, HS_CLASS_CONV_1X1))
    snprintf(path, sizeof path, "$.kernels[%d].work_group.lines_per_cycle", (int)(kernel - profile->kernels));
  else
    snprintf(path, sizeof path, "$.kernels[%d].efficiency.%s", (int)(kernel - profile->kernels), hs_op_class_names[HS_CLASS_CONV_1X1]);
  const struct hs_sources *s = &profile->sources;
  for (int i = 0; i < s->n_numbers; i++)
    if (strcmp(s->numbers[i].path, path) == 0) return s->list[s->numbers[i].source].kind == HS_ASSUMED ? HS_BASIS_ESTIMATE : HS_BASIS_SIBLING;
  return HS_BASIS_ESTIMATE;
}
