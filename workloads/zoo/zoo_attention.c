/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The groups of operators of zoo_attention.h, in terms of the builder's calls. */
#include "zoo_attention.h"

#include <assert.h>

int zoo_pixels(struct zoo *z, int size)
{
	int x = zoo_input(z, "pixels", 3, size, size);

	zoo_block(z);
	return zoo_transpose(z, "nhwc", x, (const int[]){0, 2, 3, 1});
}

int zoo_tokens(struct zoo *z, const char *name, int x)
{
	return zoo_reshape(z, name, x, 2, (const int[]){zoo_height(z, x) * zoo_width(z, x), zoo_channels(z, x)});
}

int zoo_image(struct zoo *z, const char *name, int x, int height, int width)
{
	return zoo_reshape(z, name, x, 4, (const int[]){1, height, width, zoo_dim(z, x, 1)});
}

int zoo_padded_conv(struct zoo *z, const char *name, int x, int channels, int kernel, int stride, int padding)
{
	char pad[ZOO_NAME_MAX];

	snprintf(pad, sizeof pad, "%s_pad", name);
	return zoo_conv(z, name, zoo_zero_pad(z, pad, x, padding), channels, zoo_square(kernel, stride, ZOO_VALID));
}

int zoo_conv_by_channel(struct zoo *z, const char *name, int x, struct zoo_window w)
{
	return zoo_conv_grouped(z, name, x, zoo_channels(z, x), w, zoo_channels(z, x));
}

/* ---- attention ---- */

static int split_heads(struct zoo *z, const char *name, int x, int groups, int heads, const int *perm)
{
	const int tokens = zoo_dim(z, x, 0) / groups, depth = zoo_dim(z, x, 1) / heads;
	char local[ZOO_NAME_MAX];

	assert(tokens * groups == zoo_dim(z, x, 0) && depth * heads == zoo_dim(z, x, 1));
	snprintf(local, sizeof local, "%s_split", name);
	x = zoo_reshape(z, local, x, 4, (const int[]){groups, tokens, heads, depth});
	snprintf(local, sizeof local, "%s_heads", name);
	return zoo_transpose(z, local, x, perm);
}

int zoo_heads(struct zoo *z, const char *name, int x, int groups, int heads)
{
	return split_heads(z, name, x, groups, heads, (const int[]){0, 2, 1, 3});
}

int zoo_heads_of_keys(struct zoo *z, const char *name, int x, int groups, int heads)
{
	return split_heads(z, name, x, groups, heads, (const int[]){0, 2, 3, 1});
}

int zoo_scores(struct zoo *z, int queries, int keys)
{
	return zoo_with_constant(z, "Mul", "scale", zoo_matmul(z, "scores", queries, keys));
}

int zoo_stable(struct zoo *z, int scores)
{
	return zoo_with_constant(z, "Add", "stable", scores);
}

int zoo_mix(struct zoo *z, int scores, int values)
{
	int x = zoo_matmul(z, "mix", zoo_unary(z, "Softmax", "softmax", scores), values), shape[2];

	x = zoo_transpose(z, "gather", x, (const int[]){0, 2, 1, 3});
	shape[0] = zoo_dim(z, x, 0) * zoo_dim(z, x, 1);
	shape[1] = zoo_dim(z, x, 2) * zoo_dim(z, x, 3);
	return zoo_reshape(z, "merge", x, 2, shape);
}

int zoo_attend(struct zoo *z, int queries, int keys, int values, int groups, int heads)
{
	int q = zoo_heads(z, "query", queries, groups, heads), k = zoo_heads_of_keys(z, "key", keys, groups, heads);
	int v = zoo_heads(z, "value", values, groups, heads);

	return zoo_mix(z, zoo_stable(z, zoo_scores(z, q, k)), v);
}

int zoo_self_attention(struct zoo *z, int x, int groups, int heads)
{
	const int width = zoo_dim(z, x, 1);
	int queries = zoo_fc(z, "query", x, width), keys = zoo_fc(z, "key", x, width), values = zoo_fc(z, "value", x, width);

	return zoo_fc(z, "project", zoo_attend(z, queries, keys, values, groups, heads), width);
}

/* ---- windows of tokens ---- */

int zoo_roll(struct zoo *z, const char *name, int x, int first)
{
	for (int axis = 1; axis <= 2; axis++) {
		const int length = zoo_dim(z, x, axis), rest = length - first;
		char local[ZOO_NAME_MAX];
		int part[2];

		snprintf(local, sizeof local, "%s%d_front", name, axis);
		part[0] = zoo_slice(z, local, x, axis, first, rest);
		snprintf(local, sizeof local, "%s%d_back", name, axis);
		part[1] = zoo_slice(z, local, x, axis, 0, first);
		snprintf(local, sizeof local, "%s%d", name, axis);
		x = zoo_concat_axis(z, local, 2, part, axis);
	}
	return x;
}

int zoo_cut_windows(struct zoo *z, int x, int w)
{
	const int rows = zoo_height(z, x) / w, columns = zoo_width(z, x) / w, channels = zoo_channels(z, x);

	x = zoo_reshape(z, "window_rows", x, 6, (const int[]){1, rows, w, columns, w, channels});
	x = zoo_transpose(z, "windows", x, (const int[]){0, 1, 3, 2, 4, 5});
	return zoo_reshape(z, "window_tokens", x, 2, (const int[]){rows * columns * w * w, channels});
}

int zoo_join_windows(struct zoo *z, int x, int w, int height, int width)
{
	const int channels = zoo_dim(z, x, 1);

	x = zoo_reshape(z, "unwindow", x, 6, (const int[]){1, height / w, width / w, w, w, channels});
	x = zoo_transpose(z, "unwindow_rows", x, (const int[]){0, 1, 3, 2, 4, 5});
	return zoo_reshape(z, "unwindow_image", x, 4, (const int[]){1, height, width, channels});
}

/* ---- the rest of a layer ---- */

int zoo_norm(struct zoo *z, const char *name, int x)
{
	return zoo_unary(z, "LayerNormalization", name, x);
}

int zoo_mlp(struct zoo *z, int x, int hidden)
{
	return zoo_fc(z, "shrink", zoo_unary(z, "Gelu", "gelu", zoo_fc(z, "expand", x, hidden)), zoo_dim(z, x, 1));
}

int zoo_mlp_residual(struct zoo *z, int x)
{
	return zoo_binary(z, "Add", "add2", zoo_mlp(z, zoo_norm(z, "norm2", x), 4 * zoo_dim(z, x, 1)), x);
}

int zoo_merge_tokens(struct zoo *z, int x, int side)
{
	const int image = zoo_image(z, "image", x, side, side);
	int parts[4];

	for (int i = 0; i < 4; i++) {
		char name[ZOO_NAME_MAX];

		snprintf(name, sizeof name, "part%d", i);
		parts[i] = zoo_slice_every_second(z, name, image, i % 2, i / 2);
	}
	return zoo_tokens(z, "list", zoo_concat(z, "parts", 4, parts));
}
