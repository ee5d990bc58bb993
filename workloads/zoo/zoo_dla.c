/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * DLA (deep layer aggregation) as tf2cv (imgclsmob) builds it: a stage is a
 * binary tree of residual units, each two of which a root joins, with what the
 * trees around it found.
 */
#include "zoo_tf2cv.h"

enum { N_STAGES = 4, JOINED_MAX = 6, CARDINALITY = 32 };

/* What a unit computes beside its shortcut: 3x3 convolutions, a bottleneck, or one with groups. */
enum body { BASIC, BOTTLENECK, GROUPED };

struct member {
	enum body body;
	int levels[N_STAGES], channels[N_STAGES];
};

/* Where in a stage we are; tensors that the next root joins beside its own two, outermost first. */
struct tree {
	enum body body;
	int stage, channels, n_units, n_joined;
	int joined[JOINED_MAX];
};

static int body(struct zoo *z, enum body body, int x, int out, int stride)
{
	struct zoo_window w = zoo_square(3, stride, ZOO_SAME);
	/* A group of a bottleneck of 64 has two channels, and as many more as it is wider. */
	int mid = body == BOTTLENECK ? out / 2 : CARDINALITY * (out / 4 * 8 / 64);

	if (body == BASIC) {
		x = zoo_conv_act(z, "conv1", x, out, w, ZOO_RELU);
		return zoo_conv(z, "conv2", x, out, zoo_square(3, 1, ZOO_SAME));
	}
	x = zoo_conv_act(z, "conv1", x, mid, zoo_pointwise(), ZOO_RELU);
	x = zoo_act(z, ZOO_RELU, zoo_conv_grouped(z, "conv2", x, mid, w, body == GROUPED ? CARDINALITY : 1));
	return zoo_conv(z, "conv3", x, out, zoo_pointwise());
}

/* Begins a block. Where the image is halved, *down is what the shortcut makes of it first. */
static int unit(struct zoo *z, struct tree *t, int x, int stride, int *down)
{
	int shortcut = x, y;

	zoo_block(z);
	zoo_scope(z, "stage%d_unit%d", t->stage, ++t->n_units);
	y = body(z, t->body, x, t->channels, stride);
	if (stride > 1)
		shortcut = zoo_max_pool(z, "down", x, zoo_square(stride, stride, ZOO_VALID));
	*down = shortcut;
	if (zoo_channels(z, x) != t->channels)
		shortcut = zoo_conv(z, "shortcut", shortcut, t->channels, zoo_pointwise());
	return zoo_act(z, ZOO_RELU, zoo_binary(z, "Add", "add", y, shortcut));
}

/* Of two halves, each a unit or a tree of a level less; the root is in the last unit's block. What t has joined so far is the outer trees'.
 * keep_down: it is a whole stage, and joins what this reads, halved, too. */
static int tree(struct zoo *z, struct tree *t, int x, int levels, int stride, bool keep_down, int *down);

/* The left half joins nothing of what is outside. */
static int left_half(struct zoo *z, struct tree *t, int x, int levels, int stride, int *down)
{
	struct tree left = *t;

	left.n_joined = 0;
	x = levels == 1 ? unit(z, &left, x, stride, down) : tree(z, &left, x, levels - 1, stride, false, down);
	t->n_units = left.n_units;
	return x;
}

static int tree(struct zoo *z, struct tree *t, int x, int levels, int stride, bool keep_down, int *down)
{
	int left = left_half(z, t, x, levels, stride, down), list[JOINED_MAX + 2], n = 0, unused;

	if (keep_down)
		t->joined[t->n_joined++] = *down;
	if (levels > 1) {
		t->joined[t->n_joined++] = left;
		return tree(z, t, left, levels - 1, 1, false, &unused);
	}
	list[n++] = unit(z, t, left, 1, &unused);
	list[n++] = left;
	for (int i = 0; i < t->n_joined; i++)
		list[n++] = t->joined[i];
	return zoo_conv_act(z, "root", zoo_concat(z, "concat", n, list), t->channels, zoo_pointwise(), ZOO_RELU);
}

static void dla(struct zoo *z, const struct member *m)
{
	int x = zoo_tf2cv_image(z), unused;

	zoo_block(z);
	x = zoo_conv_act(z, "stem1", x, 16, zoo_square(7, 1, ZOO_SAME), ZOO_RELU);
	x = zoo_conv_act(z, "stem2", x, 16, zoo_square(3, 1, ZOO_SAME), ZOO_RELU);
	x = zoo_conv_act(z, "stem3", x, 32, zoo_square(3, 2, ZOO_SAME), ZOO_RELU);
	for (int i = 0; i < N_STAGES; i++) {
		struct tree t = {.body = m->body, .stage = i + 1, .channels = m->channels[i]};

		x = tree(z, &t, x, m->levels[i], 2, i > 0, &unused);
	}
	zoo_block(z);
	zoo_tf2cv_pool_conv(z, x, 0, ZOO_LINEAR);
}

#define MEMBER(name, ...) \
	static void name(struct zoo *z) { dla(z, &(const struct member)__VA_ARGS__); }

MEMBER(dla34, {BASIC, {1, 2, 2, 1}, {64, 128, 256, 512}})
MEMBER(dla46c, {BOTTLENECK, {1, 2, 2, 1}, {64, 64, 128, 256}})
MEMBER(dla46xc, {GROUPED, {1, 2, 2, 1}, {64, 64, 128, 256}})
MEMBER(dla60, {BOTTLENECK, {1, 2, 3, 1}, {128, 256, 512, 1024}})
MEMBER(dla60x, {GROUPED, {1, 2, 3, 1}, {128, 256, 512, 1024}})
MEMBER(dla60xc, {GROUPED, {1, 2, 3, 1}, {64, 64, 128, 256}})

#define DLA "Yu et al., Deep Layer Aggregation, CVPR 2018"

const struct zoo_network zoo_dla_networks[] = {
	{"dla34", "DLA-34, 224x224", DLA ZOO_TF2CV_READ "3.060 GMAC, 15.74 M parameters", dla34},
	{"dla46c", "DLA-46-C, 224x224", DLA ZOO_TF2CV_LISTED "0.574 GMAC, 1.30 M parameters", dla46c},
	{"dla46xc", "DLA-X-46-C, 224x224", DLA ZOO_TF2CV_READ "0.533 GMAC, 1.07 M parameters", dla46xc},
	{"dla60", "DLA-60, 224x224", DLA ZOO_TF2CV_READ "4.236 GMAC, 22.04 M parameters", dla60},
	{"dla60x", "DLA-X-60, 224x224", DLA ZOO_TF2CV_READ "3.517 GMAC, 17.35 M parameters", dla60x},
	{"dla60xc", "DLA-X-60-C, 224x224", DLA ZOO_TF2CV_READ "0.581 GMAC, 1.32 M parameters", dla60xc},
	{0}
};
