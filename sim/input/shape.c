/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Inference of shapes and class (op_work.c counts what follows from them). Windows follow ONNX and TensorFlow: "same" is TF's (out = ceil(in/stride), the
 * odd row of padding at the bottom), "valid" and explicit padding are floor((in + pads - effective kernel)/stride) + 1. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>

#include "input/graph.h"
#include "input/op_work.h"

struct infer {
  const struct hs_graph *g;
  struct hs_operator *op;
  const struct hs_shape *in; /* first input */
  struct hs_shape *out;      /* first output */
  char *why;
  size_t size;
};

static bool refuse(struct infer *f, const char *format, ...) HS_PRINTF(2, 3);
static bool refuse(struct infer *f, const char *format, ...)
{
  va_list args;
  va_start(args, format);
  vsnprintf(f->why, f->size, format, args);
  va_end(args);
  return false;
}

static const struct hs_shape *input(struct infer *f, int i) { return &f->g->tensors[f->op->inputs[i]].shape; }
static struct hs_shape *output(struct infer *f, int i) { return &f->g->tensors[f->op->outputs[i]].shape; }

static bool need_rank4(struct infer *f)
{
  return f->in->rank == 4 || refuse(f, "input has rank %d, not 4 (NHWC)", f->in->rank);
}

/* One spatial dimension of a window; resolves the padding. */
static bool window(struct infer *f, int i, int64_t in, int64_t *out)
{
  struct hs_attributes *a = &f->op->at;
  int64_t effective = (a->kernel[i] - 1) * a->dilation[i] + 1;
  int64_t *before = &a->pad[i], *after = &a->pad[i + 2];
  if (a->pad_mode == HS_PAD_SAME) {
    *out = (in + a->stride[i] - 1) / a->stride[i];
    int64_t total = (*out - 1) * a->stride[i] + effective - in;
    if (total < 0) total = 0;
    *before = total / 2;
    *after = total - *before;
    return true;
  }
  int64_t room = in + *before + *after - effective;
  if (room < 0) { /* often a shape in another order */
    char shape[64];
    return refuse(f, "a window of %lld doesn't fit in %lld with padding %lld: the input is %s, NHWC", (long long)effective, (long long)in,
                  (long long)(*before + *after), hs_shape_text(f->in, shape, sizeof shape));
  }
  *out = room / a->stride[i] + 1;
  if (!a->ceil) return true;
  /* rounded up, but a window that would start in the padding behind the input is none (PyTorch, MaxPool2d; ONNX likewise) */
  if (room % a->stride[i]) ++*out;
  if ((*out - 1) * a->stride[i] >= in + *before) --*out;
  return true;
}

static bool windows(struct infer *f, int64_t channels)
{
  if (!need_rank4(f)) return false;
  *f->out = (struct hs_shape){4, {f->in->dim[0], 0, 0, channels}};
  return window(f, 0, f->in->dim[1], &f->out->dim[1]) && window(f, 1, f->in->dim[2], &f->out->dim[2]);
}

static bool is_depthwise(const struct infer *f)
{
  const struct hs_attributes *a = &f->op->at;
  return f->op->type == HS_OP_DEPTHWISE_CONV || (a->group == f->in->dim[3] && a->group > 1 && a->channels == a->group);
}

static bool shape_conv(struct infer *f)
{
  struct hs_attributes *a = &f->op->at;
  if (!need_rank4(f)) return false;
  int64_t c = f->in->dim[3];
  if (f->op->type == HS_OP_DEPTHWISE_CONV) {
    a->group = c;
    a->channels = c * a->multiplier;
  }
  if (c % a->group) return refuse(f, "%lld input channels are not a multiple of group %lld", (long long)c, (long long)a->group);
  if (a->channels % a->group)
    return refuse(f, "%lld output channels are not a multiple of group %lld", (long long)a->channels, (long long)a->group);
  if (a->group > HS_GROUPS_MAX && !is_depthwise(f))
    return refuse(f, "%lld groups, at most %d where there aren't as many channels", (long long)a->group, HS_GROUPS_MAX);
  if (!windows(f, a->channels)) return false;
  if (f->op->n_inputs < 2) return true;
  const struct hs_shape *added = input(f, 1); /* by a pass */
  return hs_shape_equal(added, f->out) || refuse(f, "what is added to its result has another shape");
}

static bool shape_conv_transpose(struct infer *f)
{
  struct hs_attributes *a = &f->op->at;
  if (!need_rank4(f)) return false;
  if (a->pad_mode == HS_PAD_EXPLICIT) return refuse(f, "pad of ConvTranspose is \"same\" or \"valid\"");
  *f->out = (struct hs_shape){4, {f->in->dim[0], 0, 0, a->channels}};
  for (int i = 0; i < 2; i++)
    f->out->dim[i + 1] = a->pad_mode == HS_PAD_SAME ? f->in->dim[i + 1] * a->stride[i]
                                                    : (f->in->dim[i + 1] - 1) * a->stride[i] + a->kernel[i];
  return true;
}

static bool shape_gemm(struct infer *f)
{
  if (f->in->rank < 2) return refuse(f, "input has rank %d, not 2 or more", f->in->rank);
  *f->out = (struct hs_shape){2, {f->in->dim[0], f->op->at.channels}};
  return true;
}

static bool shape_mat_mul(struct infer *f)
{
  const struct hs_shape *a = input(f, 0), *b = input(f, 1);
  if (a->rank < 2 || a->rank != b->rank) return refuse(f, "inputs have ranks %d and %d", a->rank, b->rank);
  for (int i = 0; i < a->rank - 2; i++)
    if (a->dim[i] != b->dim[i]) return refuse(f, "batch dimension %d differs: %lld and %lld", i, (long long)a->dim[i], (long long)b->dim[i]);
  if (a->dim[a->rank - 1] != b->dim[b->rank - 2])
    return refuse(f, "inner dimensions differ: %lld and %lld", (long long)a->dim[a->rank - 1], (long long)b->dim[b->rank - 2]);
  *f->out = *a;
  f->out->dim[a->rank - 1] = b->dim[b->rank - 1];
  return true;
}

static bool shape_pool(struct infer *f) { return need_rank4(f) && windows(f, f->in->dim[3]); }

static bool shape_global_pool(struct infer *f)
{
  if (!need_rank4(f)) return false;
  *f->out = (struct hs_shape){4, {f->in->dim[0], 1, 1, f->in->dim[3]}};
  return true;
}

static bool shape_reduce(struct infer *f)
{
  struct hs_attributes *a = &f->op->at;
  bool gone[HS_RANK_MAX] = {false};
  for (int i = 0; i < a->n_axes; i++) {
    int axis = a->axes[i] < 0 ? a->axes[i] + f->in->rank : a->axes[i];
    if (axis < 0 || axis >= f->in->rank) return refuse(f, "axis %d of a tensor of rank %d", a->axes[i], f->in->rank);
    if (gone[axis]) return refuse(f, "axis %d is twice in axes", a->axes[i]);
    a->axes[i] = axis;
    gone[axis] = true;
  }
  f->out->rank = 0;
  for (int i = 0; i < f->in->rank; i++)
    if (!gone[i])
      f->out->dim[f->out->rank++] = f->in->dim[i];
    else if (a->keepdims)
      f->out->dim[f->out->rank++] = 1;
  if (f->out->rank == 0) f->out->dim[f->out->rank++] = 1;
  return true;
}

static bool shape_broadcast(struct infer *f)
{
  const struct hs_shape *a = input(f, 0), *b = input(f, 1);
  const struct hs_shape *big = a->rank >= b->rank ? a : b, *small = big == a ? b : a;
  *f->out = *big;
  for (int i = 1; i <= small->rank; i++) {
    int64_t x = big->dim[big->rank - i], y = small->dim[small->rank - i];
    if (x != y && x != 1 && y != 1)
      return refuse(f, "shapes don't broadcast: dimension %d is %lld and %lld", big->rank - i, (long long)x, (long long)y);
    f->out->dim[big->rank - i] = x > y ? x : y;
  }
  return true;
}

static bool shape_same(struct infer *f)
{
  *f->out = *f->in;
  return true;
}

static bool resolve_axis(struct infer *f)
{
  struct hs_attributes *a = &f->op->at;
  int axis = a->axis < 0 ? a->axis + f->in->rank : a->axis;
  if (axis < 0 || axis >= f->in->rank) return refuse(f, "axis %d of a tensor of rank %d", a->axis, f->in->rank);
  a->axis = axis;
  return true;
}

static bool shape_concat(struct infer *f)
{
  if (!resolve_axis(f)) return false;
  int axis = f->op->at.axis;
  *f->out = *f->in;
  for (int k = 1; k < f->op->n_inputs; k++) {
    const struct hs_shape *s = input(f, k);
    if (s->rank != f->in->rank) return refuse(f, "inputs have ranks %d and %d", f->in->rank, s->rank);
    for (int i = 0; i < s->rank; i++)
      if (i != axis && s->dim[i] != f->in->dim[i])
        return refuse(f, "dimension %d is %lld in the first input and %lld in input %d", i, (long long)f->in->dim[i],
                      (long long)s->dim[i], k);
    f->out->dim[axis] += s->dim[axis];
  }
  return true;
}

static bool shape_split(struct infer *f)
{
  struct hs_attributes *a = &f->op->at;
  if (!resolve_axis(f)) return false;
  int n = f->op->n_outputs;
  int64_t whole = f->in->dim[a->axis], sum = 0;
  if (a->n_sizes == 0 && whole % n) return refuse(f, "%lld doesn't split into %d equal parts", (long long)whole, n);
  if (a->n_sizes != 0 && a->n_sizes != n) return refuse(f, "%d sizes for %d outputs", a->n_sizes, n);
  for (int i = 0; i < n; i++) {
    *output(f, i) = *f->in;
    output(f, i)->dim[a->axis] = a->n_sizes ? a->sizes[i] : whole / n;
    sum += output(f, i)->dim[a->axis];
  }
  return sum == whole || refuse(f, "sizes add up to %lld, not %lld", (long long)sum, (long long)whole);
}

static bool shape_slice(struct infer *f)
{
  struct hs_attributes *a = &f->op->at;
  if (a->n_size != f->in->rank) return refuse(f, "begin and size have %d entries for rank %d", a->n_size, f->in->rank);
  *f->out = *f->in;
  for (int i = 0; i < a->n_size; i++) {
    int64_t size = a->size[i] < 0 ? f->in->dim[i] - a->begin[i] : a->size[i];
    if (size < 1 || a->begin[i] + size > f->in->dim[i])
      return refuse(f, "[%lld, %lld) of dimension %d, which has %lld", (long long)a->begin[i],
                    (long long)(a->begin[i] + size), i, (long long)f->in->dim[i]);
    f->out->dim[i] = (size + a->strides[i] - 1) / a->strides[i];
  }
  return true;
}

static bool shape_pad(struct infer *f)
{
  struct hs_attributes *a = &f->op->at;
  if (a->n_size != f->in->rank) return refuse(f, "%d pads for rank %d", a->n_size, f->in->rank);
  *f->out = *f->in;
  for (int i = 0; i < f->in->rank; i++) {
    if (a->reflect && (a->pads[i][0] >= f->in->dim[i] || a->pads[i][1] >= f->in->dim[i]))
      return refuse(f, "reflecting pad of dimension %d is not smaller than it", i);
    f->out->dim[i] += a->pads[i][0] + a->pads[i][1];
  }
  return true;
}

static bool shape_reshape(struct infer *f)
{
  struct hs_attributes *a = &f->op->at;
  int64_t known = 1, whole = hs_shape_elements(f->in);
  int open = -1;
  f->out->rank = a->n_size;
  for (int i = 0; i < a->n_size; i++) {
    f->out->dim[i] = a->size[i];
    if (a->size[i] < 0) {
      if (open >= 0) return refuse(f, "more than one -1 in shape");
      open = i;
    } else if (known > HS_ELEMENTS_MAX / a->size[i])
      return refuse(f, "shape has too many elements");
    else
      known *= a->size[i];
  }
  if (open >= 0 && whole % known == 0) {
    f->out->dim[open] = whole / known;
    return true;
  }
  return (open < 0 && known == whole) ||
         refuse(f, "%lld elements don't fit the shape", (long long)whole);
}

static bool shape_transpose(struct infer *f)
{
  struct hs_attributes *a = &f->op->at;
  bool used[HS_RANK_MAX] = {false};
  if (a->n_perm != f->in->rank) return refuse(f, "perm has %d entries for rank %d", a->n_perm, f->in->rank);
  f->out->rank = a->n_perm;
  for (int i = 0; i < a->n_perm; i++) {
    if (a->perm[i] >= a->n_perm || used[a->perm[i]]) return refuse(f, "perm is not a permutation");
    used[a->perm[i]] = true;
    f->out->dim[i] = f->in->dim[a->perm[i]];
  }
  return true;
}

static bool shape_resize(struct infer *f)
{
  struct hs_attributes *a = &f->op->at;
  if (!need_rank4(f)) return false;
  *f->out = *f->in;
  for (int i = 0; i < 2; i++) {
    double to = a->scale[i] > 0 ? floor((double)f->in->dim[i + 1] * a->scale[i] + 1e-9) : (double)a->size[i];
    if (to < 1 || to > 1e6) return refuse(f, "resized to %g", to);
    f->out->dim[i + 1] = (int64_t)to;
  }
  return true;
}

static bool shape_space_to_depth(struct infer *f)
{
  int64_t b = f->op->at.block_size;
  if (!need_rank4(f)) return false;
  if (f->in->dim[1] % b || f->in->dim[2] % b)
    return refuse(f, "height or width is not a multiple of block_size %lld: %lld and %lld", (long long)b, (long long)f->in->dim[1], (long long)f->in->dim[2]);
  *f->out = (struct hs_shape){4, {f->in->dim[0], f->in->dim[1] / b, f->in->dim[2] / b, f->in->dim[3] * b * b}};
  return true;
}

static bool shape_depth_to_space(struct infer *f)
{
  int64_t b = f->op->at.block_size;
  if (!need_rank4(f)) return false;
  if (f->in->dim[3] % (b * b)) return refuse(f, "channels are not a multiple of block_size² %lld: %lld", (long long)(b * b), (long long)f->in->dim[3]);
  *f->out = (struct hs_shape){4, {f->in->dim[0], f->in->dim[1] * b, f->in->dim[2] * b, f->in->dim[3] / (b * b)}};
  return true;
}

static bool shape_arg_max(struct infer *f)
{
  if (!resolve_axis(f)) return false;
  f->op->at.n_axes = 1;
  f->op->at.axes[0] = f->op->at.axis;
  f->op->at.keepdims = false;
  return shape_reduce(f);
}

/* A row of the table for each number of the input. */
static bool shape_gather(struct infer *f)
{
  if (f->in->rank == HS_RANK_MAX) return refuse(f, "input has rank %d, the most there is", f->in->rank);
  *f->out = *f->in;
  f->out->dim[f->out->rank++] = f->op->at.channels;
  return true;
}

enum { CORNERS = 4, DETECTION = CORNERS + 2 }; /* and class and score */

/* Of each image a list of boxes, as they are encoded, and one of scores by class. A box may have more numbers than its corners (keypoints). */
static bool shape_detections(struct infer *f)
{
  const struct hs_shape *boxes = f->in, *scores = input(f, 1);
  if (boxes->rank != 3 || scores->rank != 3)
    return refuse(f, "boxes and scores have ranks %d and %d, not 3: images, boxes, numbers of each", boxes->rank, scores->rank);
  if (boxes->dim[0] != scores->dim[0] || boxes->dim[1] != scores->dim[1])
    return refuse(f, "%lld boxes of %lld images, and scores for %lld of %lld", (long long)boxes->dim[1], (long long)boxes->dim[0],
                  (long long)scores->dim[1], (long long)scores->dim[0]);
  if (boxes->dim[2] < CORNERS) return refuse(f, "a box has %lld numbers, not %d or more: are boxes the first input?", (long long)boxes->dim[2], CORNERS);
  *f->out = (struct hs_shape){3, {boxes->dim[0], f->op->at.detections, DETECTION}};
  return true;
}

/* --- tables --- */

typedef bool (*shape_rule)(struct infer *);

#define shape_CONV shape_conv
#define shape_CONV_TRANSPOSE shape_conv_transpose
#define shape_GEMM shape_gemm
#define shape_MAT_MUL shape_mat_mul
#define shape_POOL shape_pool
#define shape_GLOBAL_POOL shape_global_pool
#define shape_REDUCE shape_reduce
#define shape_BROADCAST shape_broadcast
#define shape_SAME shape_same
#define shape_CONCAT shape_concat
#define shape_SPLIT shape_split
#define shape_SLICE shape_slice
#define shape_PAD shape_pad
#define shape_RESHAPE shape_reshape
#define shape_TRANSPOSE shape_transpose
#define shape_RESIZE shape_resize
#define shape_SPACE_TO_DEPTH shape_space_to_depth
#define shape_DEPTH_TO_SPACE shape_depth_to_space
#define shape_ARG_MAX shape_arg_max
#define shape_GATHER shape_gather
#define shape_DETECTIONS shape_detections

static const struct {
  shape_rule shape;
  enum hs_op_class class;
} rules[HS_OP_N] = {
#define HS_OPERATOR(id, name, n_inputs, shape, work, class) {shape_##shape, HS_CLASS_##class},
#include "input/op_list.def"
#undef HS_OPERATOR
};

bool hs_op_keeps_shape(enum hs_op_type type) { return rules[type].shape == shape_same || rules[type].shape == shape_broadcast; }

static enum hs_op_class refine_class(const struct infer *f)
{
  const struct hs_attributes *a = &f->op->at;
  if (f->op->type != HS_OP_CONV) return rules[f->op->type].class;
  if (is_depthwise(f)) return HS_CLASS_DEPTHWISE;
  if (a->group > 1) return HS_CLASS_GROUPED;
  if (a->kernel[0] == 1 && a->kernel[1] == 1) return HS_CLASS_CONV_1X1;
  if (a->kernel[0] != 3 || a->kernel[1] != 3 || a->dilation[0] != 1 || a->dilation[1] != 1) return HS_CLASS_CONV_OTHER;
  return a->stride[0] == 1 && a->stride[1] == 1 ? HS_CLASS_CONV_3X3 : HS_CLASS_CONV_3X3_STRIDED;
}

bool hs_op_infer(struct hs_graph *g, struct hs_operator *op, char *why, size_t size)
{
  struct infer f = {g, op, &g->tensors[op->inputs[0]].shape, &g->tensors[op->outputs[0]].shape, why, size};
  if (!rules[op->type].shape(&f)) return false;
  for (int i = 0; i < op->n_outputs; i++) {
    const struct hs_shape *s = output(&f, i);
    int64_t n = 1;
    for (int k = 0; k < s->rank; k++) {
      if (s->dim[k] < 1) return refuse(&f, "dimension %d of the output is %lld", k, (long long)s->dim[k]);
      if (n > HS_ELEMENTS_MAX / s->dim[k]) return refuse(&f, "the output has more than 2^36 elements");
      n *= s->dim[k];
    }
  }
  hs_op_count_work(g, op);
  if (op->params > HS_ELEMENTS_MAX) return refuse(&f, "more than 2^36 parameters");
  op->class = refine_class(&f);
  return true;
}
