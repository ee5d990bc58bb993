/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The groups of operators of zoo_attention.h, in terms of the builder's calls. */
#include "zoo_attention.h"

#include <assert.h>
#include <stdio.h>

int zoo_with_constant(struct zoo *z, const char *kind, const char *name, int x)
{
	return zoo_binary(z, kind, name, x, x);
}

int zoo_tokens(struct zoo *z, const char *name, int x)
{
	return zoo_reshape(z, name, x, 2, (const int[]){zoo_height(z, x) * zoo_width(z, x), zoo_channels(z, x)});
}

int zoo_image(struct zoo *z, const char *name, int x, int height, int width)
{
	return zoo_reshape(z, name, x, 4, (const int[]){1, height, width, zoo_dim(z, x, 1)});
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

int zoo_mix(struct zoo *z, int scores, int values)
{
	int x = zoo_unary(z, "Softmax", "softmax", zoo_with_constant(z, "Add", "stable", scores)), shape[2];

	x = zoo_transpose(z, "gather", zoo_matmul(z, "mix", x, values), (const int[]){0, 2, 1, 3});
	shape[0] = zoo_dim(z, x, 0) * zoo_dim(z, x, 1);
	shape[1] = zoo_dim(z, x, 2) * zoo_dim(z, x, 3);
	return zoo_reshape(z, "merge", x, 2, shape);
}

int zoo_self_attention(struct zoo *z, int x, int heads)
{
	const int width = zoo_dim(z, x, 1);
	int queries = zoo_heads(z, "query", zoo_fc(z, "query", x, width), 1, heads);
	int keys = zoo_heads_of_keys(z, "key", zoo_fc(z, "key", x, width), 1, heads);
	int values = zoo_heads(z, "value", zoo_fc(z, "value", x, width), 1, heads);

	return zoo_fc(z, "project", zoo_mix(z, zoo_scores(z, queries, keys), values), width);
}

int zoo_mlp(struct zoo *z, int x, int hidden)
{
	return zoo_fc(z, "shrink", zoo_unary(z, "Gelu", "gelu", zoo_fc(z, "expand", x, hidden)), zoo_dim(z, x, 1));
}
