/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "input/op_support.h"

#include <stdio.h>
#include <string.h>

#include "base/files.h"
#include "input/json_in.h"

/* What a condition may look at. Several values (one per input or output) must all pass. */
enum field {
  F_RANK, F_INPUT_RANK, F_INPUTS, F_OUTPUTS, F_BATCH, F_GROUP, F_INPUT_CHANNELS, F_OUTPUT_CHANNELS, F_CHANNELS_PER_GROUP,
  F_KERNEL_H, F_KERNEL_W, F_STRIDE_H, F_STRIDE_W, F_DILATION_H, F_DILATION_W, F_MULTIPLIER, F_AXIS_FROM_END, F_BROADCAST,
  F_BLOCK_SIZE, F_REFLECT, F_STRIDED, F_REDUCES_SPATIAL, F_REDUCES_CHANNEL, F_KEEPDIMS, F_NONUNIT_WINDOW, F_BITS, F_N
};
static const char *const field_names[F_N + 1] = {
  "rank", "input_rank", "inputs", "outputs", "batch", "group", "input_channels", "output_channels", "channels_per_group",
  "kernel_h", "kernel_w", "stride_h", "stride_w", "dilation_h", "dilation_w", "multiplier", "axis_from_end", "broadcast",
  "block_size", "reflect", "strided", "reduces_spatial", "reduces_channel", "keepdims", "nonunit_window", "bits", NULL};

enum test { T_EQUALS, T_IN, T_MIN, T_MAX, T_MULTIPLE_OF, T_N };
static const char *const test_names[T_N] = {"equals", "in", "min", "max", "multiple_of"};

enum { IN_MAX = 16, CONDITIONS_MAX = 16, WHY_MAX = IN_MAX * 16 + 80 };

struct predicate {
  enum field field;
  enum test test;
  int64_t value;
  int n_in;
  int64_t in[IN_MAX];
};

struct condition {
  bool guarded;
  struct predicate guard, must;
};

struct entry {
  bool listed, support;
  const char *note;
  int n_conditions;
  struct condition *conditions;
};

struct hs_op_support {
  struct hs_arena arena;
  const char *name, *title, *source;
  struct hs_place name_place;
  char sha256[65];
  struct entry entries[HS_OP_N];
};

static enum hs_status read_predicate(struct hs_json_at *o, struct predicate *p, struct hs_error *err)
{
  struct hs_json_at array, at;
  int field = 0, n_tests = 0;
  HS_TRY(hs_json_get_word(o, "field", field_names, &field, err));
  p->field = (enum field)field;
  for (int t = 0; t < T_N; t++) {
    if (!hs_json_has(o, test_names[t])) continue;
    p->test = (enum test)t;
    n_tests++;
    if (t == T_IN) {
      HS_TRY(hs_json_get_array(o, "in", 1, IN_MAX, &array, &p->n_in, err));
      for (int i = 0; i < p->n_in; i++) {
        HS_TRY(hs_json_element(&array, i, &at, err));
        HS_TRY(hs_json_int(&at, -1000000000, 1000000000, &p->in[i], err));
      }
    } else
      HS_TRY(hs_json_get_int(o, test_names[t], t == T_MULTIPLE_OF ? 1 : -1000000000, 1000000000, &p->value, err));
  }
  if (n_tests != 1) return hs_json_fail(o, err, "needs exactly one of equals, in, min, max, multiple_of");
  return HS_OK;
}

static enum hs_status read_condition(const struct hs_json_at *array, int i, struct condition *c, struct hs_error *err)
{
  struct hs_json_at o, guard;
  HS_TRY(hs_json_element_object(array, i, &o, err));
  if (hs_json_has(&o, "if")) {
    c->guarded = true;
    HS_TRY(hs_json_get_object(&o, "if", &guard, err));
    HS_TRY(read_predicate(&guard, &c->guard, err));
    HS_TRY(hs_json_end(&guard, err));
  }
  HS_TRY(read_predicate(&o, &c->must, err));
  return hs_json_end(&o, err);
}

static enum hs_status read_entry(struct hs_op_support *t, struct hs_json_at *o, struct entry *e, struct hs_error *err)
{
  struct hs_json_at array;
  const char *note = "", *confidence = "";
  e->listed = true;
  HS_TRY(hs_json_opt_bool(o, "support", &e->support, err));
  if (!hs_json_has(o, "support")) return hs_json_fail(o, err, "key \"support\" is missing");
  if (hs_json_has(o, "when")) {
    HS_TRY(hs_json_get_array(o, "when", 1, CONDITIONS_MAX, &array, &e->n_conditions, err));
    if (!e->support) return hs_json_fail(&array, err, "goes with \"support\": true: what isn't supported isn't under any condition");
    e->conditions = HS_NEW_ARRAY(&t->arena, struct condition, (size_t)e->n_conditions);
    for (int i = 0; i < e->n_conditions; i++) HS_TRY(read_condition(&array, i, &e->conditions[i], err));
  }
  HS_TRY(hs_json_opt_string(o, "note", &note, err));
  HS_TRY(hs_json_opt_string(o, "confidence", &confidence, err));
  e->note = hs_arena_strdup(&t->arena, note);
  return hs_json_end(o, err);
}

static enum hs_status read_root(struct hs_op_support *t, const struct hs_json *doc, struct hs_error *err)
{
  struct hs_json_at root, ops, at;
  HS_TRY(hs_json_root(doc, &root, err));
  HS_TRY(hs_json_format(&root, "hetsim-op-support/1", err));
  HS_TRY(hs_json_get(&root, "name", &at, err));
  HS_TRY(hs_json_name(&at, &t->name, err));
  t->name_place = hs_json_place(&at);
  HS_TRY(hs_json_get_string(&root, "title", &t->title, err));
  HS_TRY(hs_json_get_string(&root, "source", &t->source, err));
  HS_TRY(hs_json_get_object(&root, "ops", &ops, err));
  int n = hs_json_length(&ops);
  if (n > 4 * HS_OP_N) return hs_json_fail(&ops, err, "has %d keys", n);
  for (int i = 0; i < n; i++) {
    HS_TRY(hs_json_child(&ops, i, &at, err));
    int op = hs_op_find(at.key);
    if (op < 0) return hs_json_fail(&at, err, "\"%.60s\" is not an operator hetsim knows", at.key);
    if (!hs_json_is_object(&at)) return hs_json_fail(&at, err, "is not an object");
    HS_TRY(read_entry(t, &at, &t->entries[op], err));
  }
  HS_TRY(hs_json_end(&root, err));
  t->name = hs_arena_strdup(&t->arena, t->name);
  t->title = hs_arena_strdup(&t->arena, t->title);
  t->source = hs_arena_strdup(&t->arena, t->source);
  hs_sha256_hex(doc->text, doc->len, t->sha256);
  return HS_OK;
}

static enum hs_status read_document(struct hs_json *doc, struct hs_op_support **out, struct hs_error *err)
{
  struct hs_arena arena = {0};
  struct hs_op_support *t = HS_NEW(&arena, struct hs_op_support);
  t->arena = arena;
  enum hs_status status = read_root(t, doc, err);
  if (status)
    hs_op_support_free(t);
  else
    *out = t;
  hs_json_close(doc);
  return status;
}

enum hs_status hs_op_support_read(const char *file, struct hs_op_support **table, struct hs_error *err)
{
  struct hs_json doc;
  HS_TRY(hs_json_open(&doc, file, err));
  return read_document(&doc, table, err);
}

enum hs_status hs_op_support_parse(const char *file, const char *text, size_t len, struct hs_op_support **table,
                                   struct hs_error *err)
{
  struct hs_json doc;
  HS_TRY(hs_json_parse(&doc, file, text, len, err));
  return read_document(&doc, table, err);
}

void hs_op_support_free(struct hs_op_support *table)
{
  if (!table) return;
  struct hs_arena a = table->arena;
  hs_arena_free(&a);
}

const char *hs_op_support_name(const struct hs_op_support *table) { return table->name; }
struct hs_place hs_op_support_name_place(const struct hs_op_support *table) { return table->name_place; }
const char *hs_op_support_title(const struct hs_op_support *table) { return table->title; }
const char *hs_op_support_source(const struct hs_op_support *table) { return table->source; }
const char *hs_op_support_sha256(const struct hs_op_support *table) { return table->sha256; }

/* --- evaluation --- */

/* 0 equal shapes, 1 the smaller operand is one value per channel, 2 one channel per pixel, 3 any other, 4 each is the smaller one in some dimension. */
static int broadcast_kind(const struct hs_graph *g, const struct hs_operator *op)
{
  if (op->n_inputs < 2) return 0;
  const struct hs_shape *a = &g->tensors[op->inputs[0]].shape, *b = &g->tensors[op->inputs[1]].shape;
  if (hs_shape_equal(a, b)) return 0;
  const struct hs_shape *small = hs_shape_elements(a) >= hs_shape_elements(b) ? b : a, *big = small == b ? a : b;
  if (!hs_shape_equal(big, &g->tensors[op->outputs[0]].shape)) return 4;
  if (hs_shape_elements(small) == hs_shape_channels(big) && hs_shape_channels(small) == hs_shape_channels(big)) return 1;
  if (small->rank == 4 && big->rank == 4 && small->dim[3] == 1 && small->dim[1] == big->dim[1] && small->dim[2] == big->dim[2])
    return 2;
  return 3;
}

static int64_t axis_from_end(const struct hs_graph *g, const struct hs_operator *op)
{
  int rank = g->tensors[op->inputs[0]].shape.rank;
  switch (op->type) {
  case HS_OP_CONCAT:
  case HS_OP_SPLIT:
  case HS_OP_ARG_MAX: return rank - 1 - op->at.axis;
  case HS_OP_SOFTMAX:
  case HS_OP_LOG_SOFTMAX: return 0;
  case HS_OP_REDUCE_MEAN:
  case HS_OP_REDUCE_MAX:
  case HS_OP_REDUCE_SUM: return op->at.n_axes == 1 ? rank - 1 - op->at.axes[0] : -1;
  default: return -1;
  }
}

static bool reduces(const struct hs_graph *g, const struct hs_operator *op, bool spatial)
{
  if (op->type == HS_OP_GLOBAL_AVERAGE_POOL) return spatial;
  bool axes[HS_RANK_MAX] = {false};
  int n = op->at.n_axes;
  for (int i = 0; i < n; i++) axes[op->at.axes[i]] = true;
  if (g->tensors[op->inputs[0]].shape.rank != 4) return false;
  return spatial ? n == 2 && axes[1] && axes[2] : n == 1 && axes[3];
}

static int64_t largest_input_rank(const struct hs_graph *g, const struct hs_operator *op)
{
  int64_t rank = 0;
  for (int i = 0; i < op->n_inputs; i++)
    if (g->tensors[op->inputs[i]].shape.rank > rank) rank = g->tensors[op->inputs[i]].shape.rank;
  return rank;
}

static bool strided(const struct hs_operator *op)
{
  for (int i = 0; i < HS_RANK_MAX; i++)
    if (op->at.strides[i] != 1) return true;
  return false;
}

/* Value number i of a field; false when there are no more. */
static bool field_value(const struct hs_graph *g, const struct hs_operator *op, int bits, enum field field, int i, int64_t *v)
{
  const struct hs_attributes *a = &op->at;
  const struct hs_shape *out = &g->tensors[op->outputs[0]].shape;
  if (field == F_INPUT_CHANNELS && i < op->n_inputs) {
    *v = hs_shape_channels(&g->tensors[op->inputs[i]].shape);
    return true;
  }
  if (field == F_OUTPUT_CHANNELS && i < op->n_outputs) {
    *v = hs_shape_channels(&g->tensors[op->outputs[i]].shape);
    return true;
  }
  if (i > 0 || field == F_INPUT_CHANNELS || field == F_OUTPUT_CHANNELS) return false;
  switch (field) {
  case F_RANK: *v = out->rank; break;
  case F_INPUT_RANK: *v = largest_input_rank(g, op); break;
  case F_INPUTS: *v = op->n_inputs; break;
  case F_OUTPUTS: *v = op->n_outputs; break;
  case F_BATCH: *v = g->tensors[op->inputs[0]].shape.dim[0]; break;
  case F_GROUP: *v = a->group; break;
  case F_CHANNELS_PER_GROUP: *v = hs_shape_channels(&g->tensors[op->inputs[0]].shape) / a->group; break;
  case F_KERNEL_H: *v = a->kernel[0]; break;
  case F_KERNEL_W: *v = a->kernel[1]; break;
  case F_STRIDE_H: *v = a->stride[0]; break;
  case F_STRIDE_W: *v = a->stride[1]; break;
  case F_DILATION_H: *v = a->dilation[0]; break;
  case F_DILATION_W: *v = a->dilation[1]; break;
  case F_MULTIPLIER: *v = a->multiplier; break;
  case F_AXIS_FROM_END: *v = axis_from_end(g, op); break;
  case F_BROADCAST: *v = broadcast_kind(g, op); break;
  case F_BLOCK_SIZE: *v = a->block_size; break;
  case F_REFLECT: *v = a->reflect; break;
  case F_STRIDED: *v = strided(op); break;
  case F_REDUCES_SPATIAL: *v = reduces(g, op, true); break;
  case F_REDUCES_CHANNEL: *v = reduces(g, op, false); break;
  case F_KEEPDIMS: *v = a->keepdims; break;
  case F_NONUNIT_WINDOW: *v = a->kernel[0] * a->kernel[1]; break;
  case F_BITS: *v = bits; break;
  default: return false;
  }
  return true;
}

static bool passes(const struct predicate *p, int64_t v)
{
  switch (p->test) {
  case T_EQUALS: return v == p->value;
  case T_MIN: return v >= p->value;
  case T_MAX: return v <= p->value;
  case T_MULTIPLE_OF: return v % p->value == 0;
  default: break;
  }
  for (int i = 0; i < p->n_in; i++)
    if (p->in[i] == v) return true;
  return false;
}

static void explain(const struct predicate *p, int64_t v, char *why, size_t size)
{
  static const char *const words[T_N] = {"", "one of ", "at least ", "at most ", "a multiple of "};
  char values[IN_MAX * 16]; /* each has at most 11 characters and a comma and a space */
  int n = 0;
  if (!why) return;
  if (p->test != T_IN) snprintf(values, sizeof values, "%lld", (long long)p->value);
  for (int i = 0; p->test == T_IN && i < p->n_in; i++)
    n += snprintf(values + n, sizeof values - (size_t)n, "%s%lld", i ? ", " : "", (long long)p->in[i]);
  snprintf(why, size, "%s = %lld is not %s%s", field_names[p->field], (long long)v, words[p->test], values);
}

static bool holds(const struct predicate *p, const struct hs_graph *g, const struct hs_operator *op, int bits, char *why, size_t size)
{
  int64_t v;
  for (int i = 0; field_value(g, op, bits, p->field, i, &v); i++)
    if (!passes(p, v)) {
      explain(p, v, why, size);
      return false;
    }
  return true;
}

static bool entry_allows(const struct entry *e, const struct hs_graph *g, const struct hs_operator *op, int bits, char *why, size_t size)
{
  for (int i = 0; i < e->n_conditions; i++) {
    const struct condition *c = &e->conditions[i];
    char must[WHY_MAX];
    int64_t v;
    if (c->guarded && !holds(&c->guard, g, op, bits, NULL, 0)) continue;
    if (holds(&c->must, g, op, bits, must, sizeof must)) continue;
    if (why && c->guarded && field_value(g, op, bits, c->guard.field, 0, &v))
      snprintf(why, size, "%s (with %s = %lld)", must, field_names[c->guard.field], (long long)v);
    else if (why)
      snprintf(why, size, "%s", must);
    return false;
  }
  return true;
}

bool hs_op_supported(const struct hs_op_support *table, const struct hs_graph *g, const struct hs_operator *op, int bits, char *why,
                     size_t size)
{
  for (int i = -1; i < op->n_fused; i++) {
    enum hs_op_type type = i < 0 ? op->type : op->fused[i];
    const struct entry *e = &table->entries[type];
    if (!e->listed || !e->support) {
      if (why)
        snprintf(why, size, "%s is not on the list of %s%s%s", hs_op_name(type), table->name, e->listed && *e->note ? ": " : "",
                 e->listed ? e->note : "");
      return false;
    }
    if (i < 0 && !entry_allows(e, g, op, bits, why, size)) return false;
  }
  return true;
}

bool hs_op_supported_on(const struct hs_op_support *table, enum hs_kind kind, const struct hs_graph *g, const struct hs_operator *op, int bits,
                        char *why, size_t size)
{
  if (op->override[kind] < 0) return hs_op_supported(table, g, op, bits, why, size);
  if (!op->override[kind] && why) snprintf(why, size, "the model file says so");
  return op->override[kind];
}
