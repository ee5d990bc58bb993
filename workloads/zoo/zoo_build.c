/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Appends operators to a network under construction: names the tensors,
 * follows their shapes and records the attributes that are not at the
 * default of the workload format. Here what computes; zoo_moves.c has what
 * moves.
 */
#include "zoo_build.h"

#include <assert.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

struct zoo *zoo_new(void)
{
	return calloc(1, sizeof(struct zoo));
}

void zoo_free(struct zoo *z)
{
	free(z);
}

void zoo_block(struct zoo *z)
{
	z->block++;
	z->scope[0] = '\0';
}

void zoo_scope(struct zoo *z, const char *format, ...)
{
	va_list args;
	int length;

	va_start(args, format);
	length = vsnprintf(z->scope, sizeof z->scope, format, args);
	va_end(args);
	assert(length > 0 && (size_t)length < sizeof z->scope);
	(void)length;
}

struct zoo_window zoo_square(int kernel, int stride, enum zoo_pad pad)
{
	return (struct zoo_window){kernel, kernel, stride, pad};
}

struct zoo_window zoo_pointwise(void)
{
	return zoo_square(1, 1, ZOO_VALID);
}

/* ---- tensors ---- */

const struct zoo_tensor *zoo_get(const struct zoo *z, int x)
{
	assert(x >= 0 && x < z->n_tensors);
	return &z->tensor[x];
}

void zoo_join(char out[ZOO_NAME_MAX], const char *prefix, const char *name)
{
	size_t length = strlen(prefix);

	assert(length + strlen(name) + 2 <= ZOO_NAME_MAX);
	memcpy(out, prefix, length);
	if (length > 0)
		out[length++] = '_';
	memcpy(out + length, name, strlen(name) + 1);
}

int zoo_add_tensor(struct zoo *z, const char *name, int rank, const int *dim)
{
	struct zoo_tensor *t = &z->tensor[z->n_tensors];

	assert(z->n_tensors < ZOO_TENSORS_MAX && rank > 0 && rank <= ZOO_RANK_MAX);
	for (int i = 0; i < z->n_tensors; i++)
		assert(strcmp(z->tensor[i].name, name) != 0);
	memcpy(t->name, name, strlen(name) + 1);
	t->rank = rank;
	for (int i = 0; i < rank; i++) {
		assert(dim[i] > 0);
		t->dim[i] = dim[i];
	}
	return z->n_tensors++;
}

int zoo_numbers(struct zoo *z, const char *name, int rank, const int *dim)
{
	int x = zoo_add_tensor(z, name, rank, dim);

	assert(z->n_inputs < ZOO_OPERANDS_MAX);
	z->input[z->n_inputs++] = x;
	return x;
}

int zoo_input(struct zoo *z, const char *name, int height, int width, int channels)
{
	return zoo_numbers(z, name, 4, (const int[]){1, height, width, channels});
}

void zoo_output(struct zoo *z, int x)
{
	assert(z->n_outputs < 2 * ZOO_OPERANDS_MAX);
	zoo_get(z, x);
	z->output[z->n_outputs++] = x;
}

static int image_dim(const struct zoo *z, int x, int i)
{
	assert(zoo_get(z, x)->rank == 4);
	return zoo_get(z, x)->dim[i];
}

int zoo_height(const struct zoo *z, int x)
{
	return image_dim(z, x, 1);
}

int zoo_width(const struct zoo *z, int x)
{
	return image_dim(z, x, 2);
}

int zoo_channels(const struct zoo *z, int x)
{
	return image_dim(z, x, 3);
}

int zoo_dim(const struct zoo *z, int x, int i)
{
	assert(i >= 0 && i < zoo_get(z, x)->rank);
	return zoo_get(z, x)->dim[i];
}

/* ---- operators and attributes ---- */

/* The name of the new operator is prefix_name. */
static struct zoo_op *add_op_under(struct zoo *z, const char *kind, const char *prefix, const char *name, int n_inputs,
                                   const int *input)
{
	struct zoo_op *op = &z->op[z->n_ops];

	assert(z->n_ops < ZOO_OPS_MAX && z->block > 0 && n_inputs <= ZOO_OPERANDS_MAX);
	z->n_ops++;
	op->kind = kind;
	zoo_join(op->name, prefix, name);
	for (int i = 0; i < n_inputs; i++) {
		zoo_get(z, input[i]);
		op->input[i] = input[i];
	}
	op->n_inputs = n_inputs;
	op->block = z->block;
	return op;
}

struct zoo_op *zoo_add_op(struct zoo *z, const char *kind, const char *name, int n_inputs, const int *input)
{
	return add_op_under(z, kind, z->scope, name, n_inputs, input);
}

int zoo_result(struct zoo *z, const struct zoo_op *op, int rank, const int *dim)
{
	return zoo_add_tensor(z, op->name, rank, dim);
}

int zoo_image_result(struct zoo *z, const struct zoo_op *op, int height, int width, int channels)
{
	return zoo_result(z, op, 4, (const int[]){1, height, width, channels});
}

static int same_result(struct zoo *z, const struct zoo_op *op, int x)
{
	struct zoo_tensor shape = *zoo_get(z, x);

	return zoo_result(z, op, shape.rank, shape.dim);
}

static struct zoo_attr *add_attr(struct zoo_op *op, const char *key, enum zoo_attr_kind kind)
{
	struct zoo_attr *a = &op->attr[op->n_attrs];

	assert(op->n_attrs < ZOO_ATTRS_MAX);
	op->n_attrs++;
	a->key = key;
	a->kind = kind;
	return a;
}

void zoo_attr_list(struct zoo_op *op, const char *key, enum zoo_attr_kind kind, int n, const int *value)
{
	struct zoo_attr *a = add_attr(op, key, kind);

	assert(n <= ZOO_VALUES_MAX);
	a->n_values = n;
	for (int i = 0; i < n; i++)
		a->value[i] = value[i];
}

void zoo_attr_int(struct zoo_op *op, const char *key, int value)
{
	zoo_attr_list(op, key, ZOO_ATTR_INT, 1, &value);
}

static void attr_bool(struct zoo_op *op, const char *key, bool value)
{
	zoo_attr_list(op, key, ZOO_ATTR_BOOL, 1, (const int[]){value});
}

void zoo_attr_pair(struct zoo_op *op, const char *key, int a, int b)
{
	zoo_attr_list(op, key, ZOO_ATTR_INTS, 2, (const int[]){a, b});
}

static void attr_text(struct zoo_op *op, const char *key, const char *text)
{
	add_attr(op, key, ZOO_ATTR_TEXT)->text = text;
}

/* What is put on every side whatever the kernel; 0: padding isn't told so. */
static int border(struct zoo_window w)
{
	return w.pad == ZOO_BORDER ? 1 : w.pad == ZOO_BORDER_2 ? 2 : 0;
}

/* A window whose padding cannot matter is written as "valid", the default, and
 * one whose centred padding equals TensorFlow's as "same". */
static void attr_window(struct zoo_op *op, struct zoo_window w)
{
	int h = w.kernel_h / 2, v = w.kernel_w / 2;

	zoo_attr_pair(op, "kernel", w.kernel_h, w.kernel_w);
	if (w.stride != 1)
		zoo_attr_pair(op, "stride", w.stride, w.stride);
	if (border(w) > 0)
		zoo_attr_list(op, "pad", ZOO_ATTR_INTS, 4, (const int[]){border(w), border(w), border(w), border(w)});
	if (w.pad == ZOO_VALID || border(w) > 0 || (w.kernel_h == 1 && w.kernel_w == 1))
		return;
	if (w.pad == ZOO_SAME || w.stride == 1)
		attr_text(op, "pad", "same");
	else
		zoo_attr_list(op, "pad", ZOO_ATTR_INTS, 4, (const int[]){h, v, h, v});
}

static int window_size(int in, int kernel, struct zoo_window w)
{
	switch (w.pad) {
	case ZOO_SAME: return (in + w.stride - 1) / w.stride;
	case ZOO_CENTRED: return (in + kernel / 2 * 2 - kernel) / w.stride + 1;
	case ZOO_VALID:
	case ZOO_BORDER:
	case ZOO_BORDER_2: break;
	}
	return (in + 2 * border(w) - kernel) / w.stride + 1;
}

static int window_result(struct zoo *z, const struct zoo_op *op, int x, int channels, struct zoo_window w)
{
	return zoo_image_result(z, op, window_size(zoo_height(z, x), w.kernel_h, w),
	                    window_size(zoo_width(z, x), w.kernel_w, w), channels);
}

/* ---- convolutions ---- */

static int add_conv(struct zoo *z, const char *name, int x, int channels, struct zoo_window w, int group, bool bias)
{
	struct zoo_op *op = zoo_add_op(z, "Conv", name, 1, &x);

	assert(zoo_channels(z, x) % group == 0 && channels % group == 0);
	zoo_attr_int(op, "channels", channels);
	attr_window(op, w);
	if (group != 1)
		zoo_attr_int(op, "group", group);
	if (!bias)
		attr_bool(op, "bias", false);
	return window_result(z, op, x, channels, w);
}

int zoo_conv(struct zoo *z, const char *name, int x, int channels, struct zoo_window w)
{
	return add_conv(z, name, x, channels, w, 1, true);
}

int zoo_conv_grouped(struct zoo *z, const char *name, int x, int channels, struct zoo_window w, int group)
{
	return add_conv(z, name, x, channels, w, group, true);
}

int zoo_conv_no_bias(struct zoo *z, const char *name, int x, int channels, struct zoo_window w)
{
	return add_conv(z, name, x, channels, w, 1, false);
}

static int add_depthwise(struct zoo *z, const char *name, int x, struct zoo_window w, int multiplier, bool bias)
{
	struct zoo_op *op = zoo_add_op(z, "DepthwiseConv", name, 1, &x);

	attr_window(op, w);
	if (multiplier != 1)
		zoo_attr_int(op, "multiplier", multiplier);
	if (!bias)
		attr_bool(op, "bias", false);
	return window_result(z, op, x, multiplier * zoo_channels(z, x), w);
}

int zoo_depthwise(struct zoo *z, const char *name, int x, struct zoo_window w)
{
	return add_depthwise(z, name, x, w, 1, true);
}

int zoo_depthwise_no_bias(struct zoo *z, const char *name, int x, struct zoo_window w)
{
	return add_depthwise(z, name, x, w, 1, false);
}

int zoo_depthwise_multiplied(struct zoo *z, const char *name, int x, struct zoo_window w, int multiplier)
{
	return add_depthwise(z, name, x, w, multiplier, true);
}

int zoo_depthwise_dilated(struct zoo *z, const char *name, int x, int kernel, int dilation)
{
	struct zoo_op *op = zoo_add_op(z, "DepthwiseConv", name, 1, &x);

	attr_window(op, zoo_square(kernel, 1, ZOO_SAME));
	if (dilation != 1)
		zoo_attr_pair(op, "dilation", dilation, dilation);
	return same_result(z, op, x);
}

int zoo_conv_transpose(struct zoo *z, const char *name, int x, int channels, int kernel, int stride)
{
	struct zoo_op *op = zoo_add_op(z, "ConvTranspose", name, 1, &x);

	zoo_attr_int(op, "channels", channels);
	zoo_attr_pair(op, "kernel", kernel, kernel);
	zoo_attr_pair(op, "stride", stride, stride);
	attr_text(op, "pad", "same");
	attr_bool(op, "bias", false);
	return zoo_image_result(z, op, zoo_height(z, x) * stride, zoo_width(z, x) * stride, channels);
}

static int add_gemm(struct zoo *z, const char *name, int x, int channels, bool bias)
{
	struct zoo_op *op = zoo_add_op(z, "Gemm", name, 1, &x);

	zoo_attr_int(op, "channels", channels);
	if (!bias)
		attr_bool(op, "bias", false);
	return zoo_result(z, op, 2, (const int[]){zoo_dim(z, x, 0), channels});
}

int zoo_fc(struct zoo *z, const char *name, int x, int channels)
{
	return add_gemm(z, name, x, channels, true);
}

int zoo_fc_no_bias(struct zoo *z, const char *name, int x, int channels)
{
	return add_gemm(z, name, x, channels, false);
}

int zoo_with_constant(struct zoo *z, const char *kind, const char *name, int x)
{
	return zoo_binary(z, kind, name, x, x);
}

int zoo_gather(struct zoo *z, const char *name, int x, int rows, int channels)
{
	struct zoo_op *op = zoo_add_op(z, "Gather", name, 1, &x);
	struct zoo_tensor shape = *zoo_get(z, x);

	assert(shape.rank < ZOO_RANK_MAX);
	shape.dim[shape.rank++] = channels;
	zoo_attr_int(op, "rows", rows);
	zoo_attr_int(op, "channels", channels);
	return zoo_result(z, op, shape.rank, shape.dim);
}

int zoo_arg_max(struct zoo *z, const char *name, int x)
{
	struct zoo_op *op = zoo_add_op(z, "ArgMax", name, 1, &x);
	const struct zoo_tensor *scores = zoo_get(z, x);

	return zoo_result(z, op, scores->rank - 1, scores->dim);
}

int zoo_detections(struct zoo *z, const char *name, int boxes, int scores, int n)
{
	struct zoo_op *op = zoo_add_op(z, "DetectionPostProcess", name, 2, (const int[]){boxes, scores});

	assert(zoo_get(z, boxes)->rank == 3 && zoo_get(z, scores)->rank == 3 && zoo_dim(z, boxes, 1) == zoo_dim(z, scores, 1));
	zoo_attr_int(op, "detections", n);
	return zoo_result(z, op, 3, (const int[]){zoo_dim(z, boxes, 0), n, 6});
}

int zoo_matmul(struct zoo *z, const char *name, int a, int b)
{
	struct zoo_op *op = zoo_add_op(z, "MatMul", name, 2, (const int[]){a, b});
	const struct zoo_tensor *right = zoo_get(z, b);
	struct zoo_tensor shape = *zoo_get(z, a);

	assert(shape.rank == right->rank && shape.dim[shape.rank - 1] == right->dim[right->rank - 2]);
	shape.dim[shape.rank - 1] = right->dim[right->rank - 1];
	return zoo_result(z, op, shape.rank, shape.dim);
}

/* ---- pooling ---- */

static int add_pool(struct zoo *z, const char *kind, const char *name, int x, struct zoo_window w)
{
	struct zoo_op *op = zoo_add_op(z, kind, name, 1, &x);

	attr_window(op, w);
	return window_result(z, op, x, zoo_channels(z, x), w);
}

int zoo_max_pool(struct zoo *z, const char *name, int x, struct zoo_window w)
{
	return add_pool(z, "MaxPool", name, x, w);
}

int zoo_avg_pool(struct zoo *z, const char *name, int x, struct zoo_window w)
{
	return add_pool(z, "AveragePool", name, x, w);
}

static int ceil_size(int in, int kernel, int stride)
{
	return (in - kernel + stride - 1) / stride + 1;
}

int zoo_max_pool_ceil(struct zoo *z, const char *name, int x, int kernel, int stride)
{
	struct zoo_op *op = zoo_add_op(z, "MaxPool", name, 1, &x);

	attr_window(op, zoo_square(kernel, stride, ZOO_VALID));
	attr_bool(op, "ceil", true);
	return zoo_image_result(z, op, ceil_size(zoo_height(z, x), kernel, stride),
	                    ceil_size(zoo_width(z, x), kernel, stride), zoo_channels(z, x));
}

int zoo_avg_pool_parts(struct zoo *z, const char *name, int x, int n)
{
	struct zoo_op *op = zoo_add_op(z, "AveragePool", name, 1, &x);
	const int v = zoo_height(z, x) / n, h = zoo_width(z, x) / n;

	assert(v > 0 && h > 0);
	zoo_attr_pair(op, "kernel", zoo_height(z, x) - (n - 1) * v, zoo_width(z, x) - (n - 1) * h);
	zoo_attr_pair(op, "stride", v, h);
	return zoo_image_result(z, op, n, n, zoo_channels(z, x));
}

int zoo_global_pool(struct zoo *z, const char *name, int x)
{
	struct zoo_op *op = zoo_add_op(z, "GlobalAveragePool", name, 1, &x);

	return zoo_image_result(z, op, 1, 1, zoo_channels(z, x));
}

int zoo_mean(struct zoo *z, const char *name, int x)
{
	struct zoo_op *op = zoo_add_op(z, "ReduceMean", name, 1, &x);

	zoo_attr_pair(op, "axes", 1, 2);
	return zoo_image_result(z, op, 1, 1, zoo_channels(z, x));
}

int zoo_mean_of_rows(struct zoo *z, const char *name, int x)
{
	struct zoo_op *op = zoo_add_op(z, "ReduceMean", name, 1, &x);

	assert(zoo_get(z, x)->rank == 2);
	zoo_attr_list(op, "axes", ZOO_ATTR_INTS, 1, (const int[]){0});
	return zoo_result(z, op, 2, (const int[]){1, zoo_dim(z, x, 1)});
}

int zoo_mean_of_planes(struct zoo *z, const char *name, int x)
{
	struct zoo_op *op = zoo_add_op(z, "ReduceMean", name, 1, &x);

	zoo_attr_pair(op, "axes", 2, 3);
	attr_bool(op, "keepdims", false);
	return zoo_result(z, op, 2, (const int[]){1, image_dim(z, x, 1)});
}

int zoo_reduce(struct zoo *z, const char *kind, const char *name, int x, int axis)
{
	struct zoo_op *op = zoo_add_op(z, kind, name, 1, &x);
	struct zoo_tensor shape = *zoo_get(z, x);

	assert(axis < shape.rank);
	zoo_attr_list(op, "axes", ZOO_ATTR_INTS, 1, &axis);
	shape.dim[axis] = 1;
	return zoo_result(z, op, shape.rank, shape.dim);
}

/* ---- element by element ---- */

/* The shape of both, of equal rank, or of a, to which b broadcasts. */
static int broadcast_result(struct zoo *z, const struct zoo_op *op, int a, int b)
{
	struct zoo_tensor shape = *zoo_get(z, a);
	const struct zoo_tensor *other = zoo_get(z, b);

	for (int i = 0; i < shape.rank && other->rank == shape.rank; i++)
		if (shape.dim[i] == 1)
			shape.dim[i] = other->dim[i];
	return zoo_result(z, op, shape.rank, shape.dim);
}

int zoo_unary(struct zoo *z, const char *kind, const char *name, int x)
{
	return same_result(z, zoo_add_op(z, kind, name, 1, &x), x);
}

int zoo_unary_after(struct zoo *z, const char *kind, const char *suffix, int x)
{
	return same_result(z, add_op_under(z, kind, zoo_get(z, x)->name, suffix, 1, &x), x);
}

int zoo_binary_after(struct zoo *z, const char *kind, const char *suffix, int a, int b)
{
	const int input[] = {a, b};

	return broadcast_result(z, add_op_under(z, kind, zoo_get(z, a)->name, suffix, 2, input), a, b);
}

int zoo_binary(struct zoo *z, const char *kind, const char *name, int a, int b)
{
	return broadcast_result(z, zoo_add_op(z, kind, name, 2, (const int[]){a, b}), a, b);
}
