/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Workload JSON to graph. Operators may only read what came before them, so a file can't hold a cycle; a reference
 * forward is reported as such. */
#include <stdlib.h>
#include <string.h>

#include "base/files.h"
#include "base/spelling.h"
#include "input/graph.h"
#include "input/json_in.h"

struct reader {
  struct hs_graph *g;
  int cap_tensors;
  struct { /* open addressing over tensor names */
    int *slot, n;
  } names;
  struct hs_tensor *tensors; /* growing; copied to the arena at the end */
  struct hs_json_at ops;     /* the "ops" array, to tell forward references */
  int n_ops;
  struct hs_error *err;
};

static unsigned hash(const char *s)
{
  unsigned h = 2166136261u;
  for (; *s; s++) h = (h ^ (unsigned char)*s) * 16777619u;
  return h;
}

static int *slot_of(struct reader *r, const char *name)
{
  unsigned i = hash(name) & (unsigned)(r->names.n - 1);
  while (r->names.slot[i] >= 0 && strcmp(r->tensors[r->names.slot[i]].name, name) != 0) i = (i + 1) & (unsigned)(r->names.n - 1);
  return &r->names.slot[i];
}

static int find_tensor(struct reader *r, const char *name) { return *slot_of(r, name); }

static void grow_names(struct reader *r)
{
  int n = r->names.n ? 2 * r->names.n : 1024;
  free(r->names.slot);
  r->names.slot = hs_realloc(NULL, (size_t)n, sizeof *r->names.slot);
  r->names.n = n;
  for (int i = 0; i < n; i++) r->names.slot[i] = -1;
  for (int i = 0; i < r->g->n_tensors; i++) *slot_of(r, r->tensors[i].name) = i;
}

static enum hs_status add_tensor(struct reader *r, const struct hs_json_at *at, const char *name, int producer, int *id)
{
  if (2 * (r->g->n_tensors + 1) > r->names.n) grow_names(r);
  int *slot = slot_of(r, name);
  if (*slot >= 0) return hs_json_fail(at, r->err, "there is already a tensor \"%s\"", name);
  HS_GROW(r->tensors, r->g->n_tensors, r->cap_tensors);
  r->g->tensors = r->tensors;
  *id = *slot = r->g->n_tensors++;
  r->tensors[*id] = (struct hs_tensor){.name = hs_arena_strdup(&r->g->arena, name), .producer = producer};
  return HS_OK;
}

/* Array of n whole numbers in [min, max]. */
static enum hs_status ints(struct reader *r, struct hs_json_at *o, const char *key, int n_min, int n_max, int64_t min,
                           int64_t max, int64_t *out, int *n)
{
  struct hs_json_at array, at;
  HS_TRY(hs_json_get_array(o, key, n_min, n_max, &array, n, r->err));
  for (int i = 0; i < *n; i++) {
    HS_TRY(hs_json_element(&array, i, &at, r->err));
    HS_TRY(hs_json_int(&at, min, max, &out[i], r->err));
  }
  return HS_OK;
}

static enum hs_status opt_pair(struct reader *r, struct hs_json_at *o, const char *key, int64_t *out)
{
  int n;
  return hs_json_has(o, key) ? ints(r, o, key, 2, 2, 1, 1024, out, &n) : HS_OK;
}

static enum hs_status read_pad(struct reader *r, struct hs_json_at *o, struct hs_attributes *a)
{
  struct hs_json_at at;
  const char *word = "";
  int n;
  if (!hs_json_has(o, "pad")) return HS_OK;
  HS_TRY(hs_json_get(o, "pad", &at, r->err));
  if (hs_json_is_string(&at)) HS_TRY(hs_json_string(&at, &word, r->err));
  if (strcmp(word, "valid") == 0 || strcmp(word, "same") == 0) {
    a->pad_mode = *word == 'v' ? HS_PAD_VALID : HS_PAD_SAME;
    return HS_OK;
  }
  if (!hs_json_is_array(&at))
    return hs_json_fail(&at, r->err, "%s%.20s%sis not \"valid\", \"same\" or [top, left, bottom, right]", *word ? "\"" : "", word, *word ? "\" " : "");
  a->pad_mode = HS_PAD_EXPLICIT;
  return ints(r, o, "pad", 4, 4, 0, 1024, a->pad, &n);
}

static enum hs_status read_window(struct reader *r, struct hs_json_at *o, struct hs_attributes *a)
{
  int n;
  HS_TRY(ints(r, o, "kernel", 2, 2, 1, 1024, a->kernel, &n));
  HS_TRY(opt_pair(r, o, "stride", a->stride));
  return read_pad(r, o, a);
}

static enum hs_status read_conv(struct reader *r, struct hs_json_at *o, struct hs_operator *op)
{
  struct hs_attributes *a = &op->at;
  HS_TRY(read_window(r, o, a));
  HS_TRY(hs_json_opt_bool(o, "bias", &a->bias, r->err));
  if (op->type == HS_OP_DEPTHWISE_CONV)
    HS_TRY(hs_json_opt_int(o, "multiplier", 1, 1024, &a->multiplier, r->err));
  else
    HS_TRY(hs_json_get_int(o, "channels", 1, 1000000, &a->channels, r->err));
  if (op->type == HS_OP_CONV_TRANSPOSE) return HS_OK;
  if (op->type == HS_OP_CONV) HS_TRY(hs_json_opt_int(o, "group", 1, 1000000, &a->group, r->err));
  return opt_pair(r, o, "dilation", a->dilation);
}

static enum hs_status opt_axis(struct reader *r, struct hs_json_at *o, struct hs_attributes *a)
{
  int64_t axis = -1;
  HS_TRY(hs_json_opt_int(o, "axis", -HS_RANK_MAX, HS_RANK_MAX - 1, &axis, r->err));
  a->axis = (int)axis;
  return HS_OK;
}

static enum hs_status read_axes(struct reader *r, struct hs_json_at *o, struct hs_attributes *a)
{
  int64_t axes[HS_RANK_MAX];
  HS_TRY(ints(r, o, "axes", 1, HS_RANK_MAX, -HS_RANK_MAX, HS_RANK_MAX - 1, axes, &a->n_axes));
  for (int i = 0; i < a->n_axes; i++) a->axes[i] = (int)axes[i];
  return hs_json_opt_bool(o, "keepdims", &a->keepdims, r->err);
}

static enum hs_status read_slice(struct reader *r, struct hs_json_at *o, struct hs_attributes *a)
{
  int n;
  HS_TRY(ints(r, o, "begin", 1, HS_RANK_MAX, 0, HS_ELEMENTS_MAX, a->begin, &a->n_size));
  HS_TRY(ints(r, o, "size", a->n_size, a->n_size, -1, HS_ELEMENTS_MAX, a->size, &n));
  return hs_json_has(o, "strides") ? ints(r, o, "strides", a->n_size, a->n_size, 1, 1024, a->strides, &n) : HS_OK;
}

static enum hs_status read_pads(struct reader *r, struct hs_json_at *o, struct hs_attributes *a)
{
  static const char *const words[] = {"constant", "reflect", NULL};
  struct hs_json_at array, row, at;
  int mode = 0;
  HS_TRY(hs_json_get_array(o, "pads", 1, HS_RANK_MAX, &array, &a->n_size, r->err));
  for (int i = 0; i < a->n_size; i++) {
    HS_TRY(hs_json_element(&array, i, &row, r->err));
    if (!hs_json_is_array(&row) || hs_json_length(&row) != 2) return hs_json_fail(&row, r->err, "is not [before, after]");
    for (int k = 0; k < 2; k++) {
      HS_TRY(hs_json_element(&row, k, &at, r->err));
      HS_TRY(hs_json_int(&at, 0, 1024, &a->pads[i][k], r->err));
    }
  }
  if (hs_json_has(o, "mode")) HS_TRY(hs_json_get_word(o, "mode", words, &mode, r->err));
  a->reflect = mode == 1;
  return HS_OK;
}

static enum hs_status read_resize(struct reader *r, struct hs_json_at *o, struct hs_attributes *a)
{
  int n;
  struct hs_json_at array, at;
  bool scaled = hs_json_has(o, "scale"), sized = hs_json_has(o, "size");
  if (scaled == sized) return hs_json_fail(o, r->err, "has %s: one says how large the result is", sized ? "both size and scale" : "neither size nor scale");
  if (sized) return ints(r, o, "size", 2, 2, 1, 1000000, a->size, &n);
  HS_TRY(hs_json_get_array(o, "scale", 2, 2, &array, &n, r->err));
  for (int i = 0; i < 2; i++) {
    HS_TRY(hs_json_element(&array, i, &at, r->err));
    HS_TRY(hs_json_positive(&at, 1024, &a->scale[i], r->err));
  }
  return HS_OK;
}

static enum hs_status read_shape_attribute(struct reader *r, struct hs_json_at *o, struct hs_attributes *a)
{
  struct hs_json_at array, at;
  HS_TRY(ints(r, o, "shape", 1, HS_RANK_MAX, -1, HS_ELEMENTS_MAX, a->size, &a->n_size));
  for (int i = 0; i < a->n_size; i++)
    if (a->size[i] == 0) {
      HS_TRY(hs_json_get(o, "shape", &array, r->err));
      HS_TRY(hs_json_element(&array, i, &at, r->err));
      return hs_json_fail(&at, r->err, "0 is not -1 or > 0");
    }
  return HS_OK;
}

static enum hs_status read_perm(struct reader *r, struct hs_json_at *o, struct hs_attributes *a)
{
  int64_t perm[HS_RANK_MAX];
  HS_TRY(ints(r, o, "perm", 1, HS_RANK_MAX, 0, HS_RANK_MAX - 1, perm, &a->n_perm));
  for (int i = 0; i < a->n_perm; i++) a->perm[i] = (int)perm[i];
  return HS_OK;
}

static enum hs_status read_split(struct reader *r, struct hs_json_at *o, struct hs_attributes *a)
{
  HS_TRY(opt_axis(r, o, a));
  if (!hs_json_has(o, "sizes")) return HS_OK;
  return ints(r, o, "sizes", 1, HS_INPUTS_MAX, 1, HS_ELEMENTS_MAX, a->sizes, &a->n_sizes);
}

static enum hs_status read_attributes(struct reader *r, struct hs_json_at *o, struct hs_operator *op)
{
  struct hs_attributes *a = &op->at;
  *a = hs_op_defaults(op->type);
  switch (op->type) {
  case HS_OP_CONV:
  case HS_OP_DEPTHWISE_CONV:
  case HS_OP_CONV_TRANSPOSE: return read_conv(r, o, op);
  case HS_OP_GEMM:
    HS_TRY(hs_json_opt_bool(o, "bias", &a->bias, r->err));
    return hs_json_get_int(o, "channels", 1, 100000000, &a->channels, r->err);
  case HS_OP_MAX_POOL:
  case HS_OP_AVERAGE_POOL:
    HS_TRY(hs_json_opt_bool(o, "ceil", &a->ceil, r->err));
    return read_window(r, o, a);
  case HS_OP_REDUCE_MEAN:
  case HS_OP_REDUCE_MAX:
  case HS_OP_REDUCE_SUM: return read_axes(r, o, a);
  case HS_OP_CONCAT:
  case HS_OP_ARG_MAX: return opt_axis(r, o, a);
  case HS_OP_SPLIT: return read_split(r, o, a);
  case HS_OP_SLICE: return read_slice(r, o, a);
  case HS_OP_PAD: return read_pads(r, o, a);
  case HS_OP_RESHAPE: return read_shape_attribute(r, o, a);
  case HS_OP_TRANSPOSE: return read_perm(r, o, a);
  case HS_OP_RESIZE_BILINEAR:
  case HS_OP_RESIZE_NEAREST: return read_resize(r, o, a);
  case HS_OP_GATHER:
    HS_TRY(hs_json_get_int(o, "rows", 1, 100000000, &a->rows, r->err));
    return hs_json_get_int(o, "channels", 1, 100000000, &a->channels, r->err);
  case HS_OP_DETECTION_POST_PROCESS: return hs_json_get_int(o, "detections", 1, 1000000, &a->detections, r->err);
  case HS_OP_SPACE_TO_DEPTH:
  case HS_OP_DEPTH_TO_SPACE: return hs_json_get_int(o, "block_size", 1, 1024, &a->block_size, r->err);
  default: return HS_OK;
  }
}

/* Does operator i of the file write a tensor of this name? It may not have been checked yet. */
static bool writes(struct reader *r, int i, const char *name)
{
  struct hs_json_at op, outputs, at;
  struct hs_error ignored;
  const char *s;
  int n;
  if (hs_json_element_object(&r->ops, i, &op, &ignored)) return false;
  if (hs_json_get_array(&op, "outputs", 1, HS_INPUTS_MAX, &outputs, &n, &ignored))
    return hs_json_get_string(&op, "name", &s, &ignored) == HS_OK && strcmp(s, name) == 0;
  for (int k = 0; k < n; k++)
    if (hs_json_element(&outputs, k, &at, &ignored) == HS_OK && hs_json_string(&at, &s, &ignored) == HS_OK && strcmp(s, name) == 0)
      return true;
  return false;
}

static bool is_made_later(struct reader *r, int from, const char *name)
{
  for (int i = from; i < r->n_ops; i++)
    if (writes(r, i, name)) return true;
  return false;
}

/* Only what may be read here is proposed: tensors that came before. */
static enum hs_status no_tensor(struct reader *r, const struct hs_json_at *at, const char *name)
{
  const char **names = hs_realloc(NULL, (size_t)r->g->n_tensors, sizeof *names);
  for (int i = 0; i < r->g->n_tensors; i++) names[i] = r->tensors[i].name;
  int near = hs_nearest(name, names, r->g->n_tensors);
  hs_json_fail(at, r->err, "there is no tensor \"%.60s\"%s%s%s", name, near < 0 ? "" : "; did you mean ", near < 0 ? "" : names[near], near < 0 ? "" : "?");
  free(names);
  return r->err->status;
}

static enum hs_status read_inputs(struct reader *r, struct hs_json_at *o, int index, struct hs_operator *op)
{
  struct hs_json_at array, at;
  const char *name = NULL;
  int arity = hs_op_arity(op->type);
  HS_TRY(hs_json_get_array(o, "inputs", 1, HS_INPUTS_MAX, &array, &op->n_inputs, r->err));
  if (arity >= 0 && op->n_inputs != arity)
    return hs_json_fail(&array, r->err, "%s has %d inputs, not %d", hs_op_name(op->type), arity, op->n_inputs);
  op->inputs = HS_NEW_ARRAY(&r->g->arena, int, (size_t)op->n_inputs);
  for (int i = 0; i < op->n_inputs; i++) {
    HS_TRY(hs_json_element(&array, i, &at, r->err));
    HS_TRY(hs_json_string(&at, &name, r->err));
    op->inputs[i] = find_tensor(r, name);
    if (op->inputs[i] < 0 && !is_made_later(r, index, name)) return no_tensor(r, &at, name);
    if (op->inputs[i] < 0)
      return hs_json_fail(&at, r->err, "tensor \"%.60s\" is made by this or a later operator (a cycle, or not in execution order)", name);
    r->g->tensors[op->inputs[i]].n_consumers++;
  }
  return HS_OK;
}

static enum hs_status read_outputs(struct reader *r, struct hs_json_at *o, int index, struct hs_operator *op)
{
  struct hs_json_at array, at;
  const char *name = op->name;
  bool named = op->type == HS_OP_SPLIT;
  op->n_outputs = 1;
  if (named) HS_TRY(hs_json_get_array(o, "outputs", 1, HS_INPUTS_MAX, &array, &op->n_outputs, r->err));
  op->outputs = HS_NEW_ARRAY(&r->g->arena, int, (size_t)op->n_outputs);
  for (int i = 0; i < op->n_outputs; i++) {
    if (named) {
      HS_TRY(hs_json_element(&array, i, &at, r->err));
      HS_TRY(hs_json_name(&at, &name, r->err));
    }
    HS_TRY(add_tensor(r, named ? &at : o, name, index, &op->outputs[i]));
  }
  return HS_OK;
}

static enum hs_status read_override(struct reader *r, struct hs_json_at *o, struct hs_operator *op)
{
  struct hs_json_at object, at;
  for (int k = 0; k < HS_KIND_N; k++) op->override[k] = -1;
  if (!hs_json_has(o, "support")) return HS_OK;
  HS_TRY(hs_json_get_object(o, "support", &object, r->err));
  for (int k = 0; k < HS_KIND_N; k++)
    if (hs_json_has(&object, hs_kind_names[k])) {
      bool yes = false;
      HS_TRY(hs_json_get(&object, hs_kind_names[k], &at, r->err));
      HS_TRY(hs_json_bool(&at, &yes, r->err));
      op->override[k] = yes;
    }
  return hs_json_end(&object, r->err);
}

/* Names of tensors are unique; an operator that names its outputs differently could still share its own with another. */
static enum hs_status check_name(struct reader *r, const struct hs_json_at *o, int index, const struct hs_operator *op)
{
  for (int i = 0; i < index; i++) {
    const struct hs_operator *other = &r->g->ops[i];
    if ((op->type == HS_OP_SPLIT || other->type == HS_OP_SPLIT) && strcmp(op->name, other->name) == 0)
      return hs_json_fail(o, r->err, "there is already an operator \"%s\"", op->name);
  }
  return HS_OK;
}

static enum hs_status unknown_op(const struct hs_json_at *at, const char *name, struct hs_error *err)
{
  const char *near = hs_op_nearest(name);
  return hs_json_fail(at, err, "\"%.60s\" is not an operator hetsim knows%s%s%s (doc/formats.md, \"Workload\", has the list, and other "
                      "frameworks' names)", name, near ? "; did you mean " : "", near ? near : "", near ? "?" : "");
}

/* All operators have a block, or none (0). */
static enum hs_status check_block(const struct reader *r, const struct hs_json_at *o, int block, int before)
{
  if ((block == 0) != (before == 0))
    return hs_json_fail(o, r->err, "has %s block, and the operator before has %s: all have one, or none has", block ? "a" : "no", block ? "none" : "one");
  if (block < before) return hs_json_fail(o, r->err, "block %d after block %d: labels must not descend", block, before);
  return HS_OK;
}

/* Keys of other frameworks, for which no known one is near. */
static enum hs_status check_foreign(struct reader *r, struct hs_json_at *o)
{
  static const struct {
    const char *key, *rule;
  } foreign[] = {{"activation", "an activation is an operator of its own, as Relu6"},
                 {"fused_activation_function", "an activation is an operator of its own, as Relu6"},
                 {"filters", "here it is \"channels\""},
                 {"out_channels", "here it is \"channels\""},
                 {"padding", "here it is \"pad\""}};
  for (size_t i = 0; i < sizeof foreign / sizeof *foreign; i++)
    if (hs_json_mentions(o, foreign[i].key)) return hs_json_fail(o, r->err, "unknown key \"%s\": %s", foreign[i].key, foreign[i].rule);
  return HS_OK;
}

static enum hs_status read_op(struct reader *r, struct hs_json_at *o, int index, struct hs_operator *op)
{
  struct hs_json_at at;
  const char *name = NULL, *type = NULL;
  int64_t block = 0;
  if (!hs_json_is_object(o)) return hs_json_fail(o, r->err, "is not an object");
  HS_TRY(hs_json_get_name(o, "name", &name, r->err));
  op->name = hs_arena_strdup(&r->g->arena, name);
  HS_TRY(hs_json_get(o, "op", &at, r->err));
  HS_TRY(hs_json_string(&at, &type, r->err));
  int found = hs_op_find(type);
  if (found < 0) return unknown_op(&at, type, r->err);
  op->type = (enum hs_op_type)found;
  HS_TRY(check_name(r, o, index, op));
  HS_TRY(check_foreign(r, o));
  HS_TRY(hs_json_opt_int(o, "block", 1, 1000000, &block, r->err));
  op->block = (int)block;
  if (index > 0) HS_TRY(check_block(r, o, op->block, r->g->ops[index - 1].block));
  HS_TRY(read_attributes(r, o, op));
  HS_TRY(read_override(r, o, op));
  HS_TRY(read_inputs(r, o, index, op));
  HS_TRY(read_outputs(r, o, index, op));
  HS_TRY(hs_json_end(o, r->err));
  char why[200];
  if (!hs_op_infer(r->g, op, why, sizeof why)) return hs_json_fail(o, r->err, "operator \"%s\": %s", op->name, why);
  return HS_OK;
}

static enum hs_status read_graph_input(struct reader *r, const struct hs_json_at *array, int i)
{
  struct hs_json_at o, at, dim;
  const char *name = NULL;
  int n;
  int64_t elements = 1;
  HS_TRY(hs_json_element_object(array, i, &o, r->err));
  HS_TRY(hs_json_get(&o, "name", &at, r->err));
  HS_TRY(hs_json_name(&at, &name, r->err));
  HS_TRY(add_tensor(r, &at, name, -1, &r->g->inputs[i]));
  HS_TRY(hs_json_get_array(&o, "shape", 1, HS_RANK_MAX, &at, &n, r->err));
  struct hs_shape *s = &r->g->tensors[r->g->inputs[i]].shape;
  s->rank = n;
  for (int k = 0; k < n; k++) {
    HS_TRY(hs_json_element(&at, k, &dim, r->err));
    HS_TRY(hs_json_int(&dim, 1, 1000000, &s->dim[k], r->err));
    if (elements > HS_ELEMENTS_MAX / s->dim[k]) return hs_json_fail(&at, r->err, "more than 2^36 elements");
    elements *= s->dim[k];
  }
  return hs_json_end(&o, r->err);
}

static enum hs_status read_graph_outputs(struct reader *r, struct hs_json_at *o)
{
  struct hs_json_at array, at;
  const char *name = NULL;
  HS_TRY(hs_json_get_array(o, "outputs", 1, HS_INPUTS_MAX, &array, &r->g->n_outputs, r->err));
  r->g->outputs = HS_NEW_ARRAY(&r->g->arena, int, (size_t)r->g->n_outputs);
  for (int i = 0; i < r->g->n_outputs; i++) {
    HS_TRY(hs_json_element(&array, i, &at, r->err));
    HS_TRY(hs_json_string(&at, &name, r->err));
    int t = find_tensor(r, name);
    if (t < 0) return no_tensor(r, &at, name);
    if (r->g->tensors[t].is_output) return hs_json_fail(&at, r->err, "output \"%.60s\" is listed twice", name);
    r->g->tensors[t].is_output = true;
    r->g->outputs[i] = t;
  }
  return HS_OK;
}

/* Work whose result nobody reads is a mistake in the file, not something to simulate; so is an input. */
static enum hs_status check_used(struct reader *r, const struct hs_json_at *inputs)
{
  struct hs_json_at at;
  for (int i = 0; i < r->g->n_inputs; i++) {
    const struct hs_tensor *t = &r->g->tensors[r->g->inputs[i]];
    if (t->n_consumers > 0 || t->is_output) continue;
    HS_TRY(hs_json_element(inputs, i, &at, r->err));
    return hs_json_fail(&at, r->err, "nobody reads input \"%s\" and it is no output", t->name);
  }
  for (int i = 0; i < r->g->n_ops; i++) {
    bool used = false;
    for (int k = 0; k < r->g->ops[i].n_outputs; k++) {
      const struct hs_tensor *t = &r->g->tensors[r->g->ops[i].outputs[k]];
      used |= t->n_consumers > 0 || t->is_output;
    }
    if (used) continue;
    HS_TRY(hs_json_element(&r->ops, i, &at, r->err));
    return hs_json_fail(&at, r->err, "nobody reads the result of operator \"%s\" and it is no output", r->g->ops[i].name);
  }
  return HS_OK;
}

static enum hs_status read_root(struct reader *r, const struct hs_json *doc)
{
  struct hs_json_at root, inputs, at;
  struct hs_graph *g = r->g;
  HS_TRY(hs_json_root(doc, &root, r->err));
  HS_TRY(hs_json_format(&root, "hetsim-workload/1", r->err));
  HS_TRY(hs_json_get_name(&root, "name", &g->name, r->err));
  HS_TRY(hs_json_get_string(&root, "title", &g->title, r->err));
  HS_TRY(hs_json_get_string(&root, "source", &g->source, r->err));
  HS_TRY(hs_json_get_array(&root, "inputs", 1, HS_INPUTS_MAX, &inputs, &g->n_inputs, r->err));
  g->inputs = HS_NEW_ARRAY(&g->arena, int, (size_t)g->n_inputs);
  for (int i = 0; i < g->n_inputs; i++) HS_TRY(read_graph_input(r, &inputs, i));
  HS_TRY(hs_json_get_array(&root, "ops", 1, HS_OPS_MAX, &r->ops, &r->n_ops, r->err));
  g->ops = HS_NEW_ARRAY(&g->arena, struct hs_operator, (size_t)r->n_ops);
  HS_TRY(hs_json_element(&r->ops, 0, &at, r->err));
  for (int i = 0; i < r->n_ops; i++, hs_json_next(&at)) {
    HS_TRY(read_op(r, &at, i, &g->ops[i]));
    g->n_ops++;
  }
  HS_TRY(read_graph_outputs(r, &root));
  HS_TRY(hs_json_end(&root, r->err));
  HS_TRY(check_used(r, &inputs));
  g->name = hs_arena_strdup(&g->arena, g->name);
  g->title = hs_arena_strdup(&g->arena, g->title);
  g->source = hs_arena_strdup(&g->arena, g->source);
  return HS_OK;
}

static enum hs_status read_document(const struct hs_json *doc, struct hs_graph **out, struct hs_error *err)
{
  struct hs_arena arena = {0};
  struct hs_graph *g = HS_NEW(&arena, struct hs_graph);
  g->arena = arena;
  struct reader r = {.g = g, .err = err};
  grow_names(&r);
  enum hs_status status = read_root(&r, doc);
  g->tensors = HS_NEW_ARRAY(&g->arena, struct hs_tensor, (size_t)g->n_tensors);
  if (g->n_tensors) memcpy(g->tensors, r.tensors, (size_t)g->n_tensors * sizeof *g->tensors);
  hs_sha256_hex(doc->text, doc->len, g->sha256);
  free(r.tensors);
  free(r.names.slot);
  if (status)
    hs_graph_free(g);
  else
    *out = g;
  return status;
}

enum hs_status hs_graph_read(const char *file, struct hs_graph **g, struct hs_error *err)
{
  struct hs_json doc;
  HS_TRY(hs_json_open(&doc, file, err));
  enum hs_status status = read_document(&doc, g, err);
  hs_json_close(&doc);
  return status;
}

enum hs_status hs_graph_parse(const char *file, const char *text, size_t len, struct hs_graph **g, struct hs_error *err)
{
  struct hs_json doc;
  HS_TRY(hs_json_parse(&doc, file, text, len, err));
  enum hs_status status = read_document(&doc, g, err);
  hs_json_close(&doc);
  return status;
}
