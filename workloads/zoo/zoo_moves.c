/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Operators of a network under construction that only move what others
 * computed: joined, cut, padded, reshaped, resized.
 */
#include "zoo_build.h"

#include <assert.h>
#include <string.h>

int zoo_concat(struct zoo *z, const char *name, int n, const int *x)
{
	struct zoo_op *op = zoo_add_op(z, "Concat", name, n, x);
	int channels = 0;

	for (int i = 0; i < n; i++) {
		assert(zoo_height(z, x[i]) == zoo_height(z, x[0]) && zoo_width(z, x[i]) == zoo_width(z, x[0]));
		channels += zoo_channels(z, x[i]);
	}
	return zoo_image_result(z, op, zoo_height(z, x[0]), zoo_width(z, x[0]), channels);
}

int zoo_concat_lists(struct zoo *z, const char *name, int n, const int *x)
{
	struct zoo_op *op = zoo_add_op(z, "Concat", name, n, x);
	const int channels = zoo_get(z, x[0])->dim[2];
	int length = 0;

	for (int i = 0; i < n; i++) {
		const struct zoo_tensor *list = zoo_get(z, x[i]);

		assert(list->rank == 3 && list->dim[0] == 1 && list->dim[2] == channels);
		length += list->dim[1];
	}
	zoo_attr_int(op, "axis", 1);
	return zoo_result(z, op, 3, (const int[]){1, length, channels});
}

int zoo_concat_axis(struct zoo *z, const char *name, int n, const int *x, int axis)
{
	struct zoo_op *op = zoo_add_op(z, "Concat", name, n, x);
	struct zoo_tensor shape = *zoo_get(z, x[0]);

	for (int i = 1; i < n; i++)
		shape.dim[axis] += zoo_dim(z, x[i], axis);
	zoo_attr_int(op, "axis", axis);
	return zoo_result(z, op, shape.rank, shape.dim);
}

/* The results of op, numbered. */
static void add_parts(struct zoo *z, struct zoo_op *op, int x, int axis, int n, const int *size, int *part)
{
	struct zoo_tensor shape = *zoo_get(z, x);
	char number[12], full[ZOO_NAME_MAX];

	for (int i = 0; i < n; i++) {
		shape.dim[axis] = size[i];
		snprintf(number, sizeof number, "%d", i);
		zoo_join(full, op->name, number);
		part[i] = zoo_add_tensor(z, full, shape.rank, shape.dim);
	}
	zoo_attr_list(op, "outputs", ZOO_ATTR_TENSORS, n, part);
}

void zoo_split(struct zoo *z, const char *name, int x, int n, int *part)
{
	struct zoo_op *op = zoo_add_op(z, "Split", name, 1, &x);
	int size[ZOO_VALUES_MAX];

	assert(zoo_channels(z, x) % n == 0 && n <= ZOO_VALUES_MAX);
	for (int i = 0; i < n; i++)
		size[i] = zoo_channels(z, x) / n;
	add_parts(z, op, x, 3, n, size, part);
}

void zoo_split_sizes(struct zoo *z, const char *name, int x, int axis, int n, const int *size, int *part)
{
	struct zoo_op *op = zoo_add_op(z, "Split", name, 1, &x);
	int sum = 0;

	for (int i = 0; i < n; i++)
		sum += size[i];
	assert(sum == zoo_dim(z, x, axis));
	(void)sum;
	zoo_attr_int(op, "axis", axis);
	zoo_attr_list(op, "sizes", ZOO_ATTR_INTS, n, size);
	add_parts(z, op, x, axis, n, size, part);
}

int zoo_zero_pad_by(struct zoo *z, const char *name, int x, int before, int behind)
{
	struct zoo_op *op = zoo_add_op(z, "Pad", name, 1, &x);
	const int sum = before + behind;

	zoo_attr_list(op, "pads", ZOO_ATTR_PAIRS, 8, (const int[]){0, 0, before, behind, before, behind, 0, 0});
	return zoo_image_result(z, op, zoo_height(z, x) + sum, zoo_width(z, x) + sum, zoo_channels(z, x));
}

int zoo_zero_pad(struct zoo *z, const char *name, int x, int border)
{
	return zoo_zero_pad_by(z, name, x, border, border);
}

int zoo_zero_pad_channels(struct zoo *z, const char *name, int x, int n)
{
	struct zoo_op *op = zoo_add_op(z, "Pad", name, 1, &x);

	zoo_attr_list(op, "pads", ZOO_ATTR_PAIRS, 8, (const int[]){0, 0, 0, 0, 0, 0, 0, n});
	return zoo_image_result(z, op, zoo_height(z, x), zoo_width(z, x), zoo_channels(z, x) + n);
}

int zoo_zero_pad_same(struct zoo *z, const char *name, int x, int kernel, int stride)
{
	const int size = zoo_height(z, x), sum = ((size + stride - 1) / stride - 1) * stride + kernel - size;

	assert(zoo_width(z, x) == size && sum >= 0);
	return zoo_zero_pad_by(z, name, x, sum / 2, sum - sum / 2);
}

static int pad_rows(struct zoo *z, const char *name, int x, int before, int behind)
{
	struct zoo_op *op = zoo_add_op(z, "Pad", name, 1, &x);

	assert(zoo_get(z, x)->rank == 2);
	zoo_attr_list(op, "pads", ZOO_ATTR_PAIRS, 4, (const int[]){before, behind, 0, 0});
	return zoo_result(z, op, 2, (const int[]){zoo_dim(z, x, 0) + before + behind, zoo_dim(z, x, 1)});
}

int zoo_rows_in_front(struct zoo *z, const char *name, int x, int n)
{
	return pad_rows(z, name, x, n, 0);
}

int zoo_rows_behind(struct zoo *z, const char *name, int x, int n)
{
	return pad_rows(z, name, x, 0, n);
}

int zoo_slice(struct zoo *z, const char *name, int x, int axis, int begin, int size)
{
	struct zoo_op *op = zoo_add_op(z, "Slice", name, 1, &x);
	struct zoo_tensor shape = *zoo_get(z, x);
	int first[ZOO_RANK_MAX] = {0};

	assert(begin >= 0 && size > 0 && begin + size <= zoo_dim(z, x, axis));
	first[axis] = begin;
	shape.dim[axis] = size;
	zoo_attr_list(op, "begin", ZOO_ATTR_INTS, shape.rank, first);
	zoo_attr_list(op, "size", ZOO_ATTR_INTS, shape.rank, shape.dim);
	return zoo_result(z, op, shape.rank, shape.dim);
}

int zoo_crop(struct zoo *z, const char *name, int x, int height, int width)
{
	struct zoo_op *op = zoo_add_op(z, "Slice", name, 1, &x);
	const int first[4] = {0}, size[] = {1, height, width, zoo_channels(z, x)};

	assert(height <= zoo_height(z, x) && width <= zoo_width(z, x));
	zoo_attr_list(op, "begin", ZOO_ATTR_INTS, 4, first);
	zoo_attr_list(op, "size", ZOO_ATTR_INTS, 4, size);
	return zoo_result(z, op, 4, size);
}

int zoo_shift(struct zoo *z, const char *name, int x)
{
	const int size[] = {1, zoo_height(z, x), zoo_width(z, x), zoo_channels(z, x)};
	char pad[32];
	struct zoo_op *op;

	snprintf(pad, sizeof pad, "%s_pad", name);
	x = zoo_zero_pad_by(z, pad, x, 0, 1);
	op = zoo_add_op(z, "Slice", name, 1, &x);
	zoo_attr_list(op, "begin", ZOO_ATTR_INTS, 4, (const int[]){0, 1, 1, 0});
	zoo_attr_list(op, "size", ZOO_ATTR_INTS, 4, size);
	return zoo_result(z, op, 4, size);
}

int zoo_slice_every_second(struct zoo *z, const char *name, int x, int row, int column)
{
	struct zoo_op *op = zoo_add_op(z, "Slice", name, 1, &x);
	const int height = zoo_height(z, x) - row, width = zoo_width(z, x) - column, channels = zoo_channels(z, x);

	zoo_attr_list(op, "begin", ZOO_ATTR_INTS, 4, (const int[]){0, row, column, 0});
	zoo_attr_list(op, "size", ZOO_ATTR_INTS, 4, (const int[]){1, height, width, channels});
	zoo_attr_list(op, "strides", ZOO_ATTR_INTS, 4, (const int[]){1, 2, 2, 1});
	return zoo_image_result(z, op, (height + 1) / 2, (width + 1) / 2, channels);
}

int zoo_reshape(struct zoo *z, const char *name, int x, int rank, const int *dim)
{
	struct zoo_op *op = zoo_add_op(z, "Reshape", name, 1, &x);
	const struct zoo_tensor *in = zoo_get(z, x);
	int before = 1, after = 1;

	for (int i = 0; i < in->rank; i++)
		before *= in->dim[i];
	for (int i = 0; i < rank; i++)
		after *= dim[i];
	assert(before == after);
	(void)before, (void)after;
	zoo_attr_list(op, "shape", ZOO_ATTR_INTS, rank, dim);
	return zoo_result(z, op, rank, dim);
}

int zoo_transpose(struct zoo *z, const char *name, int x, const int *perm)
{
	struct zoo_op *op = zoo_add_op(z, "Transpose", name, 1, &x);
	int rank = zoo_get(z, x)->rank, dim[ZOO_RANK_MAX];

	for (int i = 0; i < rank; i++)
		dim[i] = zoo_get(z, x)->dim[perm[i]];
	zoo_attr_list(op, "perm", ZOO_ATTR_INTS, rank, perm);
	return zoo_result(z, op, rank, dim);
}

int zoo_resize_nearest(struct zoo *z, const char *name, int x, int scale)
{
	struct zoo_op *op = zoo_add_op(z, "ResizeNearest", name, 1, &x);

	zoo_attr_pair(op, "scale", scale, scale);
	return zoo_image_result(z, op, zoo_height(z, x) * scale, zoo_width(z, x) * scale, zoo_channels(z, x));
}

static int add_resize_to(struct zoo *z, const char *kind, const char *name, int x, int height, int width)
{
	struct zoo_op *op = zoo_add_op(z, kind, name, 1, &x);

	zoo_attr_pair(op, "size", height, width);
	return zoo_image_result(z, op, height, width, zoo_channels(z, x));
}

int zoo_resize_nearest_to(struct zoo *z, const char *name, int x, int height, int width)
{
	return add_resize_to(z, "ResizeNearest", name, x, height, width);
}

int zoo_resize_bilinear_to(struct zoo *z, const char *name, int x, int height, int width)
{
	return add_resize_to(z, "ResizeBilinear", name, x, height, width);
}

int zoo_space_to_depth(struct zoo *z, const char *name, int x, int block_size)
{
	struct zoo_op *op = zoo_add_op(z, "SpaceToDepth", name, 1, &x);

	assert(zoo_height(z, x) % block_size == 0 && zoo_width(z, x) % block_size == 0);
	zoo_attr_int(op, "block_size", block_size);
	return zoo_image_result(z, op, zoo_height(z, x) / block_size, zoo_width(z, x) / block_size,
	                    zoo_channels(z, x) * block_size * block_size);
}
