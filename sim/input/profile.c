/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "input/profile.h"

#include <string.h>

#include "base/text.h"
#include "input/json_in.h"
#include "input/sources.h"

/* Of the peak: below, kernels take years, and in the end longer than a double can say. */
#define EFFICIENCY_MIN 1e-9
/* Of an element: less is nothing, and a fit would not find its way back from there. */
#define OPERATOR_CYCLES_MIN 1e-3
/* Lines and bytes per cycle: below, kernels take years, too. */
#define LOADS_MIN 1e-6

struct reader {
  struct hs_profile *profile;
  struct hs_error *err;
};

static enum hs_status own_name(struct reader *r, struct hs_json_at *o, const char *key, const char **out)
{
  HS_TRY(hs_json_get_name(o, key, out, r->err));
  *out = hs_arena_strdup(&r->profile->arena, *out);
  return HS_OK;
}

bool hs_kernel_counts_lines(const struct hs_kernel *k, enum hs_op_class class)
{
  return k->group.lines_per_cycle > 0 && hs_class_is_dense_conv(class);
}

const double *hs_kernel_rate(const struct hs_kernel *k, enum hs_op_class class)
{
  return hs_kernel_counts_lines(k, class) ? &k->group.lines_per_cycle : &k->efficiency[class];
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
      HS_TRY(hs_json_get_number(&e, name, EFFICIENCY_MIN, 100, &k->efficiency[c], r->err));
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

/* The same where it may be left out. */
static enum hs_status read_optional_count(struct reader *r, struct hs_json_at *o, const char *key, int64_t low, int64_t high, int *out)
{
  return hs_json_has(o, key) ? read_count(r, o, key, low, high, out) : HS_OK;
}

static enum hs_status read_width_block(struct reader *r, struct hs_json_at *o, struct hs_kernel *k)
{
  struct hs_json_at e;
  for (int c = 0; c < HS_CLASS_N; c++) k->width_block[c] = 1;
  if (!hs_json_has(o, "width_block")) return HS_OK;
  HS_TRY(hs_json_get_object(o, "width_block", &e, r->err));
  for (int c = 0; c < HS_CLASS_N; c++) HS_TRY(read_optional_count(r, &e, hs_op_class_names[c], 1, 1024, &k->width_block[c]));
  return hs_sources_end(&e, r->err);
}

static enum hs_status read_winograd(struct reader *r, struct hs_json_at *o, struct hs_winograd *w)
{
  struct hs_json_at e;
  if (!hs_json_has(o, "winograd")) return HS_OK;
  HS_TRY(hs_json_get_object(o, "winograd", &e, r->err));
  HS_TRY(read_count(r, &e, "tile", 2, 64, &w->tile));
  HS_TRY(read_count(r, &e, "small_tile", 2, 64, &w->small_tile));
  HS_TRY(read_count(r, &e, "above", 0, 65536, &w->above));
  HS_TRY(read_count(r, &e, "channels", 1, 65536, &w->channels));
  HS_TRY(hs_json_get_number(&e, "transform_half", 0, 1e6, &w->transform_half, r->err));
  return hs_sources_end(&e, r->err);
}

static enum hs_status read_group(struct reader *r, struct hs_json_at *o, struct hs_work_group *g)
{
  struct hs_json_at e;
  if (!hs_json_has(o, "work_group")) return HS_OK;
  HS_TRY(hs_json_get_object(o, "work_group", &e, r->err));
  HS_TRY(read_count(r, &e, "blocks", 1, 1024, &g->blocks));
  HS_TRY(read_count(r, &e, "rows", 1, 1024, &g->rows));
  if (hs_json_has(&e, "lines_per_cycle") || hs_json_has(&e, "bytes_per_cycle")) {
    HS_TRY(hs_json_get_number(&e, "lines_per_cycle", LOADS_MIN, 1e6, &g->lines_per_cycle, r->err));
    HS_TRY(hs_json_get_number(&e, "bytes_per_cycle", LOADS_MIN, 1e6, &g->bytes_per_cycle, r->err));
  }
  return hs_sources_end(&e, r->err);
}

static enum hs_status read_launch(struct reader *r, struct hs_json_at *o, struct hs_kernel_launch *l)
{
  struct hs_json_at e;
  if (!hs_json_has(o, "launch")) return HS_OK;
  HS_TRY(hs_json_get_object(o, "launch", &e, r->err));
  HS_TRY(read_count(r, &e, "units", 1, 1024, &l->units));
  HS_TRY(read_count(r, &e, "waves_1x1", 1, 1024, &l->resident[0]));
  HS_TRY(read_count(r, &e, "waves", 1, 1024, &l->resident[1]));
  HS_TRY(hs_json_get_number(&e, "pixel_reads", 0, 1e3, &l->pixel_reads, r->err));
  HS_TRY(hs_json_get_number(&e, "loop_reads_1x1", 0, 1e3, &l->loop_reads_1x1, r->err));
  HS_TRY(hs_json_get_number(&e, "loop_reads", 0, 1e3, &l->loop_reads, r->err));
  HS_TRY(hs_json_get_number(&e, "store_reads", 0, 1e3, &l->store_reads, r->err));
  HS_TRY(hs_json_get_number(&e, "slice_reads", 0, 1e3, &l->slice_reads, r->err));
  HS_TRY(hs_json_get_number(&e, "last_round", 0, 1e3, &l->last_round, r->err));
  HS_TRY(hs_json_get_number(&e, "constant_efficiency", EFFICIENCY_MIN, 100, &l->constant_efficiency, r->err));
  return hs_sources_end(&e, r->err);
}

static enum hs_status read_shaders(struct reader *r, struct hs_json_at *o, struct hs_kernel_shaders *s)
{
  struct hs_json_at e;
  if (!hs_json_has(o, "shaders")) return HS_OK;
  HS_TRY(hs_json_get_object(o, "shaders", &e, r->err));
  HS_TRY(hs_json_get_number(&e, "access_cycles", LOADS_MIN, 1e6, &s->access_cycles, r->err));
  HS_TRY(hs_json_get_number(&e, "read_cycles", 0, 1e6, &s->read_cycles, r->err));
  HS_TRY(hs_json_get_number(&e, "first_waves", 0, 1e6, &s->first_waves, r->err));
  HS_TRY(hs_json_get_number(&e, "copy_cycles", 0, 1e9, &s->copy_cycles, r->err));
  return hs_sources_end(&e, r->err);
}

static enum hs_status read_blocks(struct reader *r, struct hs_json_at *o, struct hs_kernel *k)
{
  if (hs_json_has(o, "columns_half")) HS_TRY(hs_json_get_number(o, "columns_half", 0, 1e6, &k->columns_half, r->err));
  HS_TRY(read_optional_count(r, o, "direct_block", 1, 1024, &k->direct_block));
  k->matrix_block = 1;
  HS_TRY(read_optional_count(r, o, "matrix_block", 1, 1024, &k->matrix_block));
  HS_TRY(read_optional_count(r, o, "rows_per_pass", 1, 1024, &k->rows_per_pass));
  HS_TRY(read_optional_count(r, o, "norm_block", 1, 1024, &k->norm_block));
  if (hs_json_has(o, "block_map_bytes")) HS_TRY(hs_json_get_number(o, "block_map_bytes", 1024, 1e9, &k->block_map_bytes, r->err));
  if (k->block_map_bytes > 0 && (k->matrix_block < 2 || (k->matrix_block & (k->matrix_block - 1))))
    return hs_json_fail(o, r->err, "has block_map_bytes without a matrix_block that is a power of two");
  HS_TRY(read_width_block(r, o, k));
  HS_TRY(read_optional_count(r, o, "wave", 1, 1 << 20, &k->wave));
  HS_TRY(read_group(r, o, &k->group));
  HS_TRY(read_winograd(r, o, &k->winograd));
  HS_TRY(read_launch(r, o, &k->launch));
  HS_TRY(read_shaders(r, o, &k->shaders));
  k->strided_depthwise_factor = 1;
  if (hs_json_has(o, "strided_depthwise_factor")) HS_TRY(hs_json_get_number(o, "strided_depthwise_factor", 1, 100, &k->strided_depthwise_factor, r->err));
  if (k->launch.units && (k->winograd.tile || k->group.blocks)) return hs_json_fail(o, r->err, "has a launch beside a winograd or work_group");
  if (k->shaders.access_cycles > 0 && (k->launch.units || k->winograd.tile || k->group.blocks))
    return hs_json_fail(o, r->err, "has shaders beside a launch, winograd or work_group");
  if (k->winograd.tile == 0 || k->group.lines_per_cycle <= 0) return HS_OK;
  return hs_json_fail(o, r->err, "has a winograd beside work_group.lines_per_cycle, which counts none of its loads");
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
    HS_TRY(hs_json_number(&at, EFFICIENCY_MIN, 10, &k->knot_frac[i], r->err));
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
    HS_TRY(own_name(r, o, "processor", &k->processor));
  HS_TRY(hs_json_get_word(o, "precision", hs_precision_names, &precision, r->err));
  k->precision = (enum hs_precision)precision;
  k->memory_type = -1;
  return hs_json_has(o, "memory_type") ? hs_json_get_word(o, "memory_type", hs_memory_type_names, &k->memory_type, r->err) : HS_OK;
}

static bool covers(const struct hs_kernel *a, const struct hs_kernel *b)
{
  bool same = a->processor && b->processor ? strcmp(a->processor, b->processor) == 0 : !a->processor && (b->processor || a->kind == b->kind);
  return same && a->precision == b->precision && (a->memory_type < 0 || a->memory_type == b->memory_type);
}

/* The first kernel that fits is taken, so what stands behind one that covers it would never be found. */
static enum hs_status check_reachable(struct reader *r, const struct hs_json_at *o, int i)
{
  for (int k = 0; k < i; k++)
    if (covers(&r->profile->kernels[k], &r->profile->kernels[i]))
      return hs_json_fail(o, r->err, "kernels[%d] already holds for this processor, precision and memory type", k);
  return HS_OK;
}

static enum hs_status read_depthwise_path(struct reader *r, struct hs_json_at *o, struct hs_depthwise_path *path)
{
  struct hs_json_at e;
  *path = (struct hs_depthwise_path){.max_pad = -1, .other_factor = 1};
  if (!hs_json_has(o, "depthwise_fast_path")) return HS_OK;
  HS_TRY(hs_json_get_object(o, "depthwise_fast_path", &e, r->err));
  HS_TRY(read_count(r, &e, "kernel", 1, 1024, &path->kernel));
  path->max_kernel = path->kernel;
  HS_TRY(read_optional_count(r, &e, "max_kernel", path->kernel, 1024, &path->max_kernel));
  HS_TRY(read_optional_count(r, &e, "channel_multiple", 1, 1024, &path->channel_multiple));
  HS_TRY(read_optional_count(r, &e, "max_stride", 1, 1024, &path->max_stride));
  HS_TRY(read_optional_count(r, &e, "max_pad", 0, 1024, &path->max_pad));
  HS_TRY(hs_json_get_number(&e, "other_factor", 1, 100, &path->other_factor, r->err));
  return hs_sources_end(&e, r->err);
}

static enum hs_status read_operator_cycles(struct reader *r, struct hs_json_at *o, struct hs_kernel *k)
{
  struct hs_json_at e, at;
  if (!hs_json_has(o, "operator_cycles")) return HS_OK;
  HS_TRY(hs_json_get_object(o, "operator_cycles", &e, r->err));
  for (int i = 0, n = hs_json_length(&e); i < n; i++) {
    HS_TRY(hs_json_child(&e, i, &at, r->err));
    int type = hs_op_find(at.key);
    if (type < 0) return hs_json_fail(&at, r->err, "\"%.60s\" is no operator", at.key);
    if (type != HS_OP_MAT_MUL && hs_op_has_macs((enum hs_op_type)type)) return hs_json_fail(&at, r->err, "%s multiplies: its class has an efficiency", at.key);
    HS_TRY(hs_json_get_number(&e, at.key, OPERATOR_CYCLES_MIN, 1e6, &k->operator_cycles[type], r->err));
  }
  return hs_sources_end(&e, r->err);
}

/* The cache that convolutions' tensors are turned through; without one everything stays in it. */
static enum hs_status read_turning(struct reader *r, struct hs_json_at *o, struct hs_kernel *k)
{
  HS_TRY(read_optional_count(r, o, "turn_cache_ways", 1, 1024, &k->turn_cache_ways));
  HS_TRY(read_optional_count(r, o, "turn_cache_lines", 1, 1 << 30, &k->turn_cache_lines));
  if ((k->turn_cache_lines > 0) != (k->turn_cache_ways > 0) || (k->turn_cache_ways && k->turn_cache_lines % k->turn_cache_ways))
    return hs_json_fail(o, r->err, "has turn_cache_lines that are no multiple of its turn_cache_ways");
  if (k->turn_cycles <= 0 && (k->turn_miss_cycles > 0 || k->turn_far_cycles > 0)) return hs_json_fail(o, r->err, "has turn_miss_cycles or turn_far_cycles without turn_cycles");
  if (k->turn_miss_cycles > 0 && k->turn_cache_lines == 0) return hs_json_fail(o, r->err, "has turn_miss_cycles without turn_cache_lines");
  return HS_OK;
}

/* Members that a file may leave out: then grouped and light classes are as the others, and nothing is moved or started. */
static enum hs_status read_optional(struct reader *r, struct hs_json_at *o, struct hs_kernel *k)
{
  const struct {
    const char *key;
    double high, otherwise, *out;
  } members[] = {
    {"serial_grouped_frac", 1, k->serial_frac, &k->serial_grouped_frac},
    {"serial_light_frac", 1, k->serial_frac, &k->serial_light_frac},
    {"reduction_half_grouped", 1e6, k->reduction_half, &k->reduction_half_grouped},
    {"move_cycles_per_byte", 1e6, 0, &k->move_cycles_per_byte},
    {"window_cycles_per_byte", 1e6, 0, &k->window_cycles_per_byte},
    {"pack_cycles_per_byte", 1e6, 0, &k->pack_cycles_per_byte},
    {"layout_cycles_per_byte", 1e6, 0, &k->layout_cycles_per_byte},
    {"turn_cycles", 1e6, 0, &k->turn_cycles},
    {"turn_miss_cycles", 1e6, 0, &k->turn_miss_cycles},
    {"turn_far_cycles", 1e6, 0, &k->turn_far_cycles},
    {"flat_mean_cycles", 1e6, 0, &k->flat_mean_cycles},
    {"start_cycles", 1e12, 0, &k->start_cycles},
    {"spin_s", 1, -1, &k->spin_s},
    {"move_half_pixels", 1e9, 0, &k->move_half_pixels},
    {"serial_window_frac", 1, k->serial_frac, &k->serial_window_frac},
    {"weight_cycles_per_byte", 1e6, 0, &k->weight_cycles_per_byte},
    {"split_output_cycles", 1e9, 0, &k->split_output_cycles},
    {"fork_cycles", 1e9, 0, &k->fork_cycles},
  };
  for (size_t i = 0; i < sizeof members / sizeof *members; i++) {
    *members[i].out = members[i].otherwise;
    if (hs_json_has(o, members[i].key)) HS_TRY(hs_json_get_number(o, members[i].key, 0, members[i].high, members[i].out, r->err));
  }
  k->serial_depthwise_frac = k->serial_light_frac;
  k->light_move_cycles_per_byte = k->move_cycles_per_byte;
  if (hs_json_has(o, "serial_depthwise_frac")) HS_TRY(hs_json_get_number(o, "serial_depthwise_frac", 0, 1, &k->serial_depthwise_frac, r->err));
  if (hs_json_has(o, "light_move_cycles_per_byte"))
    HS_TRY(hs_json_get_number(o, "light_move_cycles_per_byte", 0, 1e6, &k->light_move_cycles_per_byte, r->err));
  HS_TRY(read_turning(r, o, k));
  HS_TRY(read_depthwise_path(r, o, &k->depthwise_fast_path));
  HS_TRY(read_operator_cycles(r, o, k));
  k->fuses_light = false;
  return hs_json_opt_bool(o, "fuses_light", &k->fuses_light, r->err);
}

static enum hs_status read_kernel(struct reader *r, const struct hs_json_at *array, int i)
{
  struct hs_json_at o;
  struct hs_kernel *k = &r->profile->kernels[i];
  HS_TRY(hs_json_element_object(array, i, &o, r->err));
  HS_TRY(read_key(r, &o, k));
  HS_TRY(check_reachable(r, &o, i));
  HS_TRY(hs_json_get_number(&o, "overhead_cycles", 0, 1e12, &k->overhead_cycles, r->err));
  HS_TRY(read_count(r, &o, "channel_multiple", 1, 1024, &k->channel_multiple));
  HS_TRY(hs_json_opt_bool(&o, "dense_depthwise", &k->dense_depthwise, r->err));
  HS_TRY(hs_json_get_number(&o, "reduction_half", 0, 1e6, &k->reduction_half, r->err));
  HS_TRY(hs_json_get_number(&o, "serial_frac", 0, 1, &k->serial_frac, r->err));
  HS_TRY(read_optional(r, &o, k));
  HS_TRY(hs_json_get_positive(&o, "traffic_factor", 1000, &k->traffic_factor, r->err));
  HS_TRY(hs_json_get_positive(&o, "power_factor", 100, &k->power_factor, r->err));
  HS_TRY(read_blocks(r, &o, k));
  HS_TRY(read_efficiency(r, &o, k)); /* by what the blocks say */
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
  HS_TRY(own_name(r, &root, "soc", &r->profile->soc));
  HS_TRY(own_name(r, &root, "runtime", &r->profile->runtime));
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

const struct hs_kernel *hs_profile_find(const struct hs_profile *profile, const struct hs_processor *p,
                                        enum hs_precision precision, enum hs_memory_type type)
{
  for (int i = 0; i < profile->n_kernels; i++) {
    const struct hs_kernel *k = &profile->kernels[i];
    bool ours = k->processor ? strcmp(k->processor, p->name) == 0 : k->kind == p->kind;
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
