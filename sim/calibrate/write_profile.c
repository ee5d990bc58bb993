/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "calibrate/write_profile.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "calibrate/coefficients.h"

/* Numbers of a kernel, each with a source of its own: keys of the file in their order, then the classes. */
enum number {
  OVERHEAD, MULTIPLE, REDUCTION, SERIAL, HALF_GROUPED, SERIAL_GROUPED, SERIAL_LIGHT, SERIAL_DEPTHWISE, SERIAL_WINDOW, MOVE, LIGHT_MOVE, WINDOW, PACK, WEIGHT, LAYOUT, TURN, TURN_MISS, TURN_FAR,
  TURN_LINES, TURN_WAYS, FLAT_MEAN,
  START, HALF_PIXELS, SPIN, SPLIT_OUTPUT, FORK, TRAFFIC, POWER, COLUMNS, DIRECT, MATRIX, ROWS, NORM, MAP, WIDTH, WAVE, GROUP, WINOGRAD, FAST_PATH, LAUNCH, STRIDED, LINES, STREAM, TRANSFORM,
  OTHER_FACTOR, PIXEL_READS, LOOP_READS_1X1, LOOP_READS, STORE_READS, SLICE_READS, LAST_ROUND, CONSTANT, ACCESS, READ, FIRST_WAVES, COPY, CURVE, FIT, CLASSES,
  REFETCH = CLASSES + HS_CLASS_N, SCATTER = REFETCH + HS_CLASS_N, OPERATORS, NUMBERS = OPERATORS + HS_OP_N
};
static const char *const keys[CLASSES] = {
  "overhead_cycles", "channel_multiple", "reduction_half", "serial_frac", "reduction_half_grouped", "serial_grouped_frac", "serial_light_frac",
  "serial_depthwise_frac", "serial_window_frac", "move_cycles_per_byte", "light_move_cycles_per_byte", "window_cycles_per_byte", "pack_cycles_per_byte", "weight_cycles_per_byte", "layout_cycles_per_byte", "turn_cycles", "turn_miss_cycles",
  "turn_far_cycles", "turn_cache_lines", "turn_cache_ways", "flat_mean_cycles",
  "start_cycles", "move_half_pixels", "spin_s", "split_output_cycles", "fork_cycles", "traffic_factor", "power_factor", "columns_half", "direct_block", "matrix_block", "rows_per_pass", "norm_block",
  "block_map_bytes", "width_block", "wave", "work_group", "winograd", "depthwise_fast_path", "launch", "strided_depthwise_factor", "work_group.lines_per_cycle", "work_group.bytes_per_cycle", "winograd.transform_half",
  "depthwise_fast_path.other_factor", "launch.pixel_reads", "launch.loop_reads_1x1", "launch.loop_reads", "launch.store_reads", "launch.slice_reads", "launch.last_round", "launch.constant_efficiency",
  "shaders.access_cycles", "shaders.read_cycles", "shaders.first_waves", "shaders.copy_cycles", "saturation", "fit"};

struct one {
  const struct hs_kernel *kernel;
  const struct hs_fit *fit;             /* NULL: kept as it was */
  const struct hs_sources *sources[NUMBERS]; /* NULL: `name` is a new one */
  int index[NUMBERS];                   /* in sources */
  char name[NUMBERS][80];
  int memory_type;                      /* -1: all */
  const char *note;
};

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

static void key_of(int k, char *key, size_t size)
{
  if (k < CLASSES)
    snprintf(key, size, "%s", keys[k]);
  else if (k < SCATTER)
    snprintf(key, size, "%s.%s", k < REFETCH ? "efficiency" : "refetch_per_mac", hs_op_class_names[(k - CLASSES) % HS_CLASS_N]);
  else if (k == SCATTER)
    snprintf(key, size, "scatter");
  else
    snprintf(key, size, "operator_cycles.%s", hs_op_name((enum hs_op_type)(k - OPERATORS)));
}

static void name_sources(struct one *o, const struct hs_profile *p, const struct hs_kernel *kernel)
{
  int i = (int)(kernel - p->kernels);
  bool any = strcmp(p->soc, "any") == 0;
  for (int k = 0; k < NUMBERS; k++) {
    char key[60];
    key_of(k, key, sizeof key);
    o->index[k] = source_at(p, i, key);
    o->sources[k] = o->index[k] < 0 ? NULL : &p->sources;
    o->name[k][0] = 0;
    if (o->index[k] >= 0) snprintf(o->name[k], sizeof o->name[k], "%s%.60s", any ? "any-" : "", p->sources.list[o->index[k]].name);
  }
}

static void fitted(struct one *o, enum number k, const char *name)
{
  o->sources[k] = NULL;
  snprintf(o->name[k], sizeof o->name[k], "%s", name);
}

static double base_value(const struct hs_fit *f, const double *target)
{
  return *(const double *)((const char *)f->base + ((const char *)target - (const char *)&f->kernel));
}

static void name_fitted(struct one *o, const char *name)
{
  const struct hs_fit *f = o->fit;
  const double *const targets[] = {[OVERHEAD] = &f->kernel.overhead_cycles, [FORK] = &f->kernel.fork_cycles, [REDUCTION] = &f->kernel.reduction_half, [SERIAL] = &f->kernel.serial_frac,
                                   [HALF_GROUPED] = &f->kernel.reduction_half_grouped, [SERIAL_GROUPED] = &f->kernel.serial_grouped_frac,
                                   [SERIAL_LIGHT] = &f->kernel.serial_light_frac, [SERIAL_DEPTHWISE] = &f->kernel.serial_depthwise_frac,
                                   [SERIAL_WINDOW] = &f->kernel.serial_window_frac, [MOVE] = &f->kernel.move_cycles_per_byte,
                                   [LIGHT_MOVE] = &f->kernel.light_move_cycles_per_byte, [OTHER_FACTOR] = &f->kernel.depthwise_fast_path.other_factor,
                                   [WINDOW] = &f->kernel.window_cycles_per_byte, [PACK] = &f->kernel.pack_cycles_per_byte, [WEIGHT] = &f->kernel.weight_cycles_per_byte,
                                   [LAYOUT] = &f->kernel.layout_cycles_per_byte,
                                   [TURN] = &f->kernel.turn_cycles, [TURN_MISS] = &f->kernel.turn_miss_cycles, [TURN_FAR] = &f->kernel.turn_far_cycles,
                                   [FLAT_MEAN] = &f->kernel.flat_mean_cycles, [START] = &f->kernel.start_cycles, [HALF_PIXELS] = &f->kernel.move_half_pixels,
                                   [TRAFFIC] = &f->kernel.traffic_factor, [COLUMNS] = &f->kernel.columns_half,
                                   [LINES] = &f->kernel.group.lines_per_cycle, [TRANSFORM] = &f->kernel.winograd.transform_half, [STRIDED] = &f->kernel.strided_depthwise_factor,
                                   [PIXEL_READS] = &f->kernel.launch.pixel_reads, [LOOP_READS_1X1] = &f->kernel.launch.loop_reads_1x1, [LOOP_READS] = &f->kernel.launch.loop_reads,
                                   [STORE_READS] = &f->kernel.launch.store_reads, [SLICE_READS] = &f->kernel.launch.slice_reads, [LAST_ROUND] = &f->kernel.launch.last_round, [CONSTANT] = &f->kernel.launch.constant_efficiency,
                                   [ACCESS] = &f->kernel.shaders.access_cycles, [READ] = &f->kernel.shaders.read_cycles,
                                   [FIRST_WAVES] = &f->kernel.shaders.first_waves, [COPY] = &f->kernel.shaders.copy_cycles};
  for (int i = 0; i < f->n_coefficients; i++) {
    const struct hs_coefficient *c = &f->coefficients[i];
    if (c->state == HS_FIT_UNDETERMINED) continue;
    for (int k = 0; k <= COPY; k++)
      if (targets[k] == c->target) fitted(o, (enum number)k, name);
    for (int k = 0; k < HS_CLASS_N; k++)
      if (c->target == &f->kernel.efficiency[k]) fitted(o, CLASSES + (enum number)k, name);
    for (int k = 0; k < HS_OP_N; k++)
      if (c->target == &f->kernel.operator_cycles[k]) fitted(o, OPERATORS + (enum number)k, name);
    if (f->kernel.n_knots && c->target >= f->kernel.knot_frac && c->target < f->kernel.knot_frac + HS_KNOTS_MAX) fitted(o, CURVE, name);
  }
  for (int k = 0; k < HS_CLASS_N; k++) /* what moved with others, or was above its bound */
    if (f->kernel.efficiency[k] != f->base->efficiency[k]) fitted(o, CLASSES + (enum number)k, name);
  for (int k = 0; k <= COPY; k++) /* what follows another */
    if (targets[k] && *o->name[k] && *targets[k] != base_value(f, targets[k])) fitted(o, (enum number)k, name);
  fitted(o, FIT, name);
}

/* --- writing --- */

static void add_pair(struct hs_text *t, const char *key, double v)
{
  hs_text_addf(t, "\"%s\": ", key);
  hs_text_number(t, v);
  hs_text_add(t, ", ");
}

/* Tiles and shapes are a choice, the last number may be fitted. */
static void write_choice_source(const struct one *o, enum number choice, const char *const *parts, enum number last, struct hs_text *t)
{
  hs_text_add(t, "{");
  for (int i = 0; parts[i]; i++) {
    hs_text_addf(t, "\"%s\": ", parts[i]);
    hs_text_string(t, o->name[choice]);
    hs_text_add(t, ", ");
  }
  hs_text_addf(t, "\"%s\": ", strchr(keys[last], '.') + 1);
  hs_text_string(t, o->name[last]);
  hs_text_add(t, "}");
}

static void write_winograd_source(const struct one *o, struct hs_text *t)
{
  static const char *const tiles[] = {"tile", "small_tile", "above", "channels", NULL};
  write_choice_source(o, WINOGRAD, tiles, TRANSFORM, t);
}

static void write_group_source(const struct one *o, struct hs_text *t)
{
  static const enum number each[] = {GROUP, GROUP, LINES, STREAM};
  static const char *const parts[] = {"{\"blocks\": ", ", \"rows\": ", ", \"lines_per_cycle\": ", ", \"bytes_per_cycle\": "};
  if (!*o->name[LINES]) {
    hs_text_string(t, o->name[GROUP]);
    return;
  }
  for (int i = 0; i < 4; i++) {
    hs_text_add(t, parts[i]);
    hs_text_string(t, o->name[each[i]]);
  }
  hs_text_add(t, "}");
}

/* What a path leaves open it doesn't name. */
static void write_path_source(const struct one *o, struct hs_text *t)
{
  const struct hs_depthwise_path *p = &o->kernel->depthwise_fast_path;
  const char *shapes[6] = {"kernel"};
  int n = 1;
  if (p->max_kernel > p->kernel) shapes[n++] = "max_kernel";
  if (p->channel_multiple) shapes[n++] = "channel_multiple";
  if (p->max_stride) shapes[n++] = "max_stride";
  if (p->max_pad >= 0) shapes[n++] = "max_pad";
  write_choice_source(o, FAST_PATH, shapes, OTHER_FACTOR, t);
}

static void write_launch_source(const struct one *o, struct hs_text *t)
{
  static const char *const chosen[] = {"{\"units\": ", ", \"waves_1x1\": ", ", \"waves\": "};
  for (int i = 0; i < 3; i++) {
    hs_text_add(t, chosen[i]);
    hs_text_string(t, o->name[LAUNCH]);
  }
  for (int k = PIXEL_READS; k <= CONSTANT; k++) {
    hs_text_addf(t, ", \"%s\": ", strchr(keys[k], '.') + 1);
    hs_text_string(t, o->name[k]);
  }
  hs_text_add(t, "}");
}

static void write_shaders_source(const struct one *o, struct hs_text *t)
{
  for (int k = ACCESS; k <= COPY; k++) {
    hs_text_addf(t, "%s\"%s\": ", k == ACCESS ? "{" : ", ", strchr(keys[k], '.') + 1);
    hs_text_string(t, o->name[k]);
  }
  hs_text_add(t, "}");
}

static void write_refetch_number(const struct one *o, int c, struct hs_text *t) { hs_text_number(t, o->kernel->refetch[c]); }

static void write_refetch_source(const struct one *o, int c, struct hs_text *t) { hs_text_string(t, o->name[REFETCH + c]); }

/* The classes that the profile before named, each with what `one` says of it. */
static void write_refetch(const struct one *o, struct hs_text *t, const char *before,
                          void (*one)(const struct one *, int, struct hs_text *), const char *behind)
{
  int n = 0;
  for (int c = 0; c < HS_CLASS_N; c++) {
    if (!*o->name[REFETCH + c]) continue;
    hs_text_addf(t, "%s\"%s\": ", n++ ? ", " : before, hs_op_class_names[c]);
    one(o, c, t);
  }
  if (n) hs_text_add(t, behind);
}

static void write_operator_number(const struct one *o, int type, struct hs_text *t) { hs_text_number(t, o->kernel->operator_cycles[type]); }

static void write_operator_source(const struct one *o, int type, struct hs_text *t) { hs_text_string(t, o->name[OPERATORS + type]); }

/* Operators that the profile before named. */
static void write_operators(const struct one *o, struct hs_text *t, void (*one)(const struct one *, int, struct hs_text *))
{
  int n = 0;
  for (int type = 0; type < HS_OP_N; type++) {
    if (!*o->name[OPERATORS + type]) continue;
    hs_text_addf(t, "%s\"%s\": ", n++ ? ", " : "\"operator_cycles\": {", hs_op_name((enum hs_op_type)type));
    one(o, type, t);
  }
  if (n) hs_text_add(t, "}, ");
}

static void write_source(const struct one *o, struct hs_text *t)
{
  bool same = true;
  const char *first = o->name[OVERHEAD];
  for (int k = 0; k < NUMBERS; k++) same &= !*o->name[k] || strcmp(o->name[k], first) == 0;
  hs_text_add(t, "     \"source\": ");
  if (same) {
    hs_text_string(t, first);
    return;
  }
  hs_text_add(t, "{");
  for (int k = 0; k < CLASSES; k++) {
    if (!*o->name[k] || k == LINES || k == STREAM || k == TRANSFORM || (k >= OTHER_FACTOR && k <= CONSTANT) || (k > ACCESS && k <= COPY)) continue;
    hs_text_addf(t, "\"%s\": ", k == ACCESS ? "shaders" : keys[k]);
    if (k == WINOGRAD)
      write_winograd_source(o, t);
    else if (k == GROUP)
      write_group_source(o, t);
    else if (k == FAST_PATH)
      write_path_source(o, t);
    else if (k == LAUNCH)
      write_launch_source(o, t);
    else if (k == ACCESS)
      write_shaders_source(o, t);
    else
      hs_text_string(t, o->name[k]);
    hs_text_add(t, ", ");
  }
  if (*o->name[SCATTER]) {
    hs_text_add(t, "\"scatter\": ");
    hs_text_string(t, o->name[SCATTER]);
    hs_text_add(t, ", ");
  }
  write_refetch(o, t, "\"refetch_per_mac\": {", write_refetch_source, "}, ");
  write_operators(o, t, write_operator_source);
  hs_text_add(t, "\n                \"efficiency\": {");
  const char *comma = "";
  for (int c = 0; c < HS_CLASS_N; c++) {
    if (hs_kernel_counts_lines(o->kernel, (enum hs_op_class)c)) continue;
    hs_text_addf(t, "%s\"%s\": ", comma, hs_op_class_names[c]);
    hs_text_string(t, o->name[CLASSES + c]);
    comma = ", ";
  }
  hs_text_add(t, "}}");
}

static void write_group(const struct hs_work_group *g, struct hs_text *t)
{
  if (g->blocks == 0) return;
  hs_text_addf(t, "\"%s\": {\"blocks\": %d, \"rows\": %d", keys[GROUP], g->blocks, g->rows);
  if (g->lines_per_cycle > 0) {
    hs_text_add(t, ", \"lines_per_cycle\": ");
    hs_text_number(t, g->lines_per_cycle);
    hs_text_add(t, ", \"bytes_per_cycle\": ");
    hs_text_number(t, g->bytes_per_cycle);
  }
  hs_text_add(t, "}, ");
}

/* A kernel's blocks, waves and Winograd, absent where it has none. */
static void write_blocks(const struct one *o, struct hs_text *t)
{
  const struct hs_kernel *k = o->kernel;
  const struct hs_winograd *w = &k->winograd;
  int n = 0;
  if (*o->name[COLUMNS]) add_pair(t, keys[COLUMNS], k->columns_half);
  if (k->direct_block) add_pair(t, keys[DIRECT], k->direct_block);
  if (k->matrix_block > 1) add_pair(t, keys[MATRIX], k->matrix_block);
  if (k->rows_per_pass) add_pair(t, keys[ROWS], k->rows_per_pass);
  if (k->norm_block) add_pair(t, keys[NORM], k->norm_block);
  if (k->block_map_bytes > 0) add_pair(t, keys[MAP], k->block_map_bytes);
  if (k->wave) add_pair(t, keys[WAVE], k->wave);
  write_group(&k->group, t);
  for (int c = 0; c < HS_CLASS_N; c++)
    if (*o->name[WIDTH] && (k->width_block[c] > 1 || c == 0))
      hs_text_addf(t, "%s\"%s\": %d", n++ ? ", " : "\"width_block\": {", hs_op_class_names[c], k->width_block[c]);
  if (n) hs_text_add(t, "}, ");
  if (w->tile == 0) return;
  hs_text_addf(t, "\"winograd\": {\"tile\": %d, \"small_tile\": %d, \"above\": %d, \"channels\": %d, \"transform_half\": ", w->tile,
               w->small_tile, w->above, w->channels);
  hs_text_number(t, w->transform_half);
  hs_text_add(t, "}, ");
}

static void write_path(const struct hs_depthwise_path *p, struct hs_text *t)
{
  if (p->kernel == 0) return;
  hs_text_addf(t, "\"depthwise_fast_path\": {\"kernel\": %d, ", p->kernel);
  if (p->max_kernel > p->kernel) add_pair(t, "max_kernel", p->max_kernel);
  if (p->channel_multiple) add_pair(t, "channel_multiple", p->channel_multiple);
  if (p->max_stride) add_pair(t, "max_stride", p->max_stride);
  if (p->max_pad >= 0) add_pair(t, "max_pad", p->max_pad);
  hs_text_add(t, "\"other_factor\": ");
  hs_text_number(t, p->other_factor);
  hs_text_add(t, "}, ");
}

static void write_launch(const struct one *o, struct hs_text *t)
{
  const struct hs_kernel *k = o->kernel;
  const struct hs_kernel_launch *l = &k->launch;
  const double fitted[] = {l->pixel_reads, l->loop_reads_1x1, l->loop_reads, l->store_reads, l->slice_reads, l->last_round, l->constant_efficiency};
  if (*o->name[STRIDED]) add_pair(t, keys[STRIDED], k->strided_depthwise_factor);
  if (l->units == 0) return;
  hs_text_addf(t, "\"launch\": {\"units\": %d, \"waves_1x1\": %d, \"waves\": %d", l->units, l->resident[0], l->resident[1]);
  for (int i = 0; i < CONSTANT - PIXEL_READS + 1; i++) {
    hs_text_addf(t, ", \"%s\": ", strchr(keys[PIXEL_READS + i], '.') + 1);
    hs_text_number(t, fitted[i]);
  }
  hs_text_add(t, "}, ");
}

static void write_shaders(const struct hs_kernel_shaders *s, struct hs_text *t)
{
  const double numbers[] = {s->access_cycles, s->read_cycles, s->first_waves, s->copy_cycles};
  if (s->access_cycles <= 0) return;
  for (int i = 0; i < 4; i++) {
    hs_text_addf(t, "%s\"%s\": ", i ? ", " : "\"shaders\": {", strchr(keys[ACCESS + i], '.') + 1);
    hs_text_number(t, numbers[i]);
  }
  hs_text_add(t, "}, ");
}

static void write_curve(const struct hs_kernel *k, struct hs_text *t)
{
  if (k->n_knots == 0) return;
  hs_text_add(t, "     \"saturation\": [");
  for (int i = 0; i < k->n_knots; i++) {
    hs_text_add(t, i ? ", [" : "[");
    hs_text_number(t, k->knot_ln[i]);
    hs_text_add(t, ", ");
    hs_text_number(t, k->knot_frac[i]);
    hs_text_add(t, "]");
  }
  hs_text_add(t, "],\n");
}

/* Members that a file may leave out: those that the profile before had or that were fitted, so those that have a source. */
static void add_optional(const struct one *o, struct hs_text *t)
{
  const struct hs_kernel *k = o->kernel;
  const struct {
    enum number key;
    double value;
  } members[] = {
    {HALF_GROUPED, k->reduction_half_grouped}, {SERIAL_GROUPED, k->serial_grouped_frac}, {SERIAL_LIGHT, k->serial_light_frac},
    {SERIAL_DEPTHWISE, k->serial_depthwise_frac}, {SERIAL_WINDOW, k->serial_window_frac}, {MOVE, k->move_cycles_per_byte},
    {LIGHT_MOVE, k->light_move_cycles_per_byte}, {WINDOW, k->window_cycles_per_byte}, {PACK, k->pack_cycles_per_byte}, {WEIGHT, k->weight_cycles_per_byte}, {LAYOUT, k->layout_cycles_per_byte},
    {TURN, k->turn_cycles}, {TURN_MISS, k->turn_miss_cycles}, {TURN_FAR, k->turn_far_cycles},
    {TURN_LINES, k->turn_cache_lines}, {TURN_WAYS, k->turn_cache_ways},
    {FLAT_MEAN, k->flat_mean_cycles}, {START, k->start_cycles},
    {HALF_PIXELS, k->move_half_pixels}, {SPIN, k->spin_s}, {SPLIT_OUTPUT, k->split_output_cycles}, {FORK, k->fork_cycles},
  };
  bool any = false;
  for (size_t i = 0; i < sizeof members / sizeof *members; i++) {
    if (!*o->name[members[i].key]) continue;
    if (!any) hs_text_add(t, "\n     ");
    any = true;
    add_pair(t, keys[members[i].key], members[i].value);
  }
}

static void write_scatter(const struct one *o, struct hs_text *t)
{
  if (!*o->name[SCATTER]) return;
  hs_text_add(t, "     \"scatter\": {");
  add_pair(t, "run_std_frac", o->kernel->jitter.run_std_frac);
  add_pair(t, "kernel_std_frac", o->kernel->jitter.kernel_std_frac);
  hs_text_addf(t, "\"n\": %d},\n", o->kernel->jitter.n);
}

static void write_fit(const struct one *o, struct hs_text *t)
{
  int n = o->fit ? o->fit->n_rows : o->kernel->fit_n;
  if (n == 0) return;
  hs_text_addf(t, "     \"fit\": {\"n\": %d, \"mape_frac\": ", n);
  hs_text_number(t, o->fit ? hs_fit_rounded(o->fit->after[0][HS_ROWS_ALL].mape_frac) : o->kernel->fit_mape_frac);
  hs_text_add(t, ", \"note\": ");
  hs_text_string(t, o->fit ? o->note : o->kernel->fit_note);
  hs_text_add(t, "},\n");
}

static void write_kernel(const struct one *o, struct hs_text *t)
{
  const struct hs_kernel *k = o->kernel;
  const struct hs_bench *b = o->fit ? o->fit->bench : NULL;
  const char *processor = b ? b->sys.soc->processors[b->processor].name : k->processor;
  hs_text_add(t, "    {\"processor\": ");
  hs_text_string(t, processor);
  hs_text_addf(t, ", \"precision\": \"%s\"", hs_precision_names[k->precision]);
  if (o->memory_type >= 0) hs_text_addf(t, ", \"memory_type\": \"%s\"", hs_memory_type_names[o->memory_type]);
  hs_text_add(t, ",\n     ");
  add_pair(t, keys[OVERHEAD], k->overhead_cycles);
  add_pair(t, keys[MULTIPLE], k->channel_multiple);
  if (k->dense_depthwise) hs_text_add(t, "\"dense_depthwise\": true, ");
  add_pair(t, keys[REDUCTION], k->reduction_half);
  add_pair(t, keys[SERIAL], k->serial_frac);
  add_pair(t, keys[TRAFFIC], k->traffic_factor);
  add_pair(t, keys[POWER], k->power_factor);
  write_blocks(o, t);
  write_path(&k->depthwise_fast_path, t);
  write_launch(o, t);
  write_shaders(&k->shaders, t);
  add_optional(o, t);
  if (k->fuses_light) hs_text_add(t, "\"fuses_light\": true, ");
  write_operators(o, t, write_operator_number);
  hs_text_add(t, "\n     \"efficiency\": {");
  const char *comma = "";
  for (int c = 0; c < HS_CLASS_N; c++) {
    if (hs_kernel_counts_lines(k, (enum hs_op_class)c)) continue;
    hs_text_addf(t, "%s\"%s\": ", c == HS_CLASS_TRANSPOSED ? ",\n                    " : comma, hs_op_class_names[c]);
    hs_text_number(t, k->efficiency[c]);
    comma = ", ";
  }
  hs_text_add(t, "},\n");
  write_refetch(o, t, "     \"refetch_per_mac\": {", write_refetch_number, "},\n");
  write_curve(k, t);
  write_scatter(o, t);
  write_fit(o, t);
  write_source(o, t);
  hs_text_add(t, "}");
}

static void write_one_source(struct hs_text *t, int *n, const char *name, const char *kind, const char *ref)
{
  hs_text_addf(t, "%s    ", (*n)++ ? ",\n" : "\n");
  hs_text_string(t, name);
  hs_text_addf(t, ": {\"kind\": \"%s\", \"ref\": ", kind);
  hs_text_string(t, ref);
  hs_text_add(t, "}");
}

/* Only what a number names. */
static void write_sources(const struct one *list, int n, const char *const *refs, int n_fits, struct hs_text *t)
{
  struct hs_text seen = {0};
  int written = 0;
  hs_text_add(t, "  \"sources\": {");
  hs_text_add(&seen, "\n");
  for (int i = 0; i < n; i++)
    for (int k = 0; k < NUMBERS; k++) {
      char mark[84];
      if (!*list[i].name[k]) continue;
      snprintf(mark, sizeof mark, "\n%s\n", list[i].name[k]);
      if (strstr(seen.s, mark)) continue;
      hs_text_addf(&seen, "%s", mark);
      const struct hs_source *s = list[i].sources[k] ? &list[i].sources[k]->list[list[i].index[k]] : NULL;
      write_one_source(t, &written, list[i].name[k], s ? hs_source_kind_names[s->kind] : "measured", s ? s->ref : i < n_fits ? refs[i] : "");
    }
  hs_text_add(t, "\n  },\n");
  hs_text_free(&seen);
}

static int n_from(const struct hs_fit *fits, int n, const struct hs_kernel *base)
{
  int same = 0;
  for (int i = 0; i < n; i++) same += fits[i].base == base;
  return same;
}

void hs_profile_write(const struct hs_measurements *m, const struct hs_fit *fits, int n, const char *const *refs, const char *const *notes, const char *tag,
                      struct hs_text *out)
{
  struct one *list = hs_realloc(NULL, HS_KERNELS_MAX + (size_t)n, sizeof *list);
  int count = 0;
  for (int i = 0; i < n; i++) {
    struct one *o = &list[count++];
    char name[80];
    const struct hs_backend *b = &fits[i].bench->sys.backends[fits[i].bench->processor];
    const struct hs_processor *p = &fits[i].bench->sys.soc->processors[fits[i].bench->processor];
    /* one kernel for both memory types stays one, unless both were measured */
    bool all = p->n_memory_types < 2 || (fits[i].base->memory_type < 0 && n_from(fits, n, fits[i].base) == 1);
    *o = (struct one){.kernel = &fits[i].kernel, .fit = &fits[i], .memory_type = all ? -1 : (int)b->memory_type, .note = notes[i]};
    snprintf(name, sizeof name, "%.20s-%s-%.8s", p->name, hs_precision_names[b->precision], tag);
    const struct hs_profile *own = hs_profile_of(m->own, fits[i].base);
    name_sources(o, own ? own : hs_profile_of(m->estimate, fits[i].base), fits[i].base);
    name_fitted(o, name);
  }
  for (int i = 0; m->own && i < m->own->n_kernels; i++) {
    if (n_from(fits, n, &m->own->kernels[i])) continue;
    list[count] = (struct one){.kernel = &m->own->kernels[i], .memory_type = m->own->kernels[i].memory_type};
    name_sources(&list[count++], m->own, &m->own->kernels[i]);
  }
  hs_text_addf(out, "{\n  \"format\": \"hetsim-profile/1\",\n  \"soc\": \"%s\", \"runtime\": \"%s\",\n", m->soc->name, m->runtime->name);
  write_sources(list, count, refs, n, out);
  hs_text_add(out, "  \"kernels\": [\n");
  for (int i = 0; i < count; i++) {
    write_kernel(&list[i], out);
    hs_text_add(out, i + 1 < count ? ",\n" : "\n");
  }
  hs_text_add(out, "  ]\n}\n");
  free(list);
}
