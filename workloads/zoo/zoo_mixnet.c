/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * MixNet as tf2cv (imgclsmob) builds it: inverted residual units whose
 * convolutions are cut into parts, depthwise ones with windows of several sizes.
 */
#include "zoo_tf2cv.h"

#include <assert.h>

enum { PARTS_MAX = 5, ENTRIES_MAX = 10 };

/* n units, of which the first has the stride. In how many parts the 1x1 convolution that expands is, the depthwise one and
 * the one that ends; squeezed: what part of the input's width the excitation has; 0: there is none, and ReLU, not swish. */
struct mix_units {
	int n, out, stride, expand, expand_parts, depthwise_parts, project_parts, squeezed;
};

struct mixnet {
	int stem, n;
	struct mix_units unit[ENTRIES_MAX];
};

/* Equal parts; what is left over is in the first. */
static void cut(int channels, int n, int size[PARTS_MAX])
{
	assert(n <= PARTS_MAX);
	for (int i = 0; i < n; i++)
		size[i] = channels / n;
	size[0] += channels % n;
}

/* Convolutions of the parts: 1x1 ones, or, if out is 0, depthwise ones of 3x3, 5x5 and so on. They are normalised when
 * they are joined, so that this stays. */
static int mix(struct zoo *z, const char *name, int x, int out, int n, int stride)
{
	int from[PARTS_MAX], to[PARTS_MAX], part[PARTS_MAX];
	char s[32];

	cut(zoo_channels(z, x), n, from);
	cut(out, n, to);
	snprintf(s, sizeof s, "%s_split", name);
	zoo_split_sizes(z, s, x, 3, n, from, part);
	for (int i = 0; i < n; i++) {
		snprintf(s, sizeof s, "%s%d", name, i + 1);
		part[i] = out > 0 ? zoo_conv_no_bias(z, s, part[i], to[i], zoo_pointwise())
		                  : zoo_tf2cv_depthwise(z, s, part[i], 3 + 2 * i, stride, ZOO_LINEAR);
	}
	snprintf(s, sizeof s, "%s_concat", name);
	x = zoo_concat(z, s, n, part);
	snprintf(s, sizeof s, "%s_norm", name);
	return zoo_unary(z, "BatchNormalization", s, x);
}

static int mix_pointwise(struct zoo *z, const char *name, int x, int out, int n)
{
	return n > 1 ? mix(z, name, x, out, n, 1) : zoo_conv(z, name, x, out, zoo_pointwise());
}

static int mix_unit(struct zoo *z, int x, const struct mix_units *u, int stride)
{
	const enum zoo_act act = u->squeezed > 0 ? ZOO_SWISH : ZOO_RELU;
	int in = zoo_channels(z, x), y = zoo_act(z, act, mix_pointwise(z, "expand", x, u->expand * in, u->expand_parts));

	if (u->depthwise_parts > 1)
		y = zoo_act(z, act, mix(z, "depthwise", y, 0, u->depthwise_parts, stride));
	else
		y = zoo_tf2cv_depthwise(z, "depthwise", y, 3, stride, act);
	if (u->squeezed > 0)
		y = zoo_tf2cv_excite_act(z, y, in / u->squeezed, act, ZOO_GATE_SIGMOID);
	y = mix_pointwise(z, "project", y, u->out, u->project_parts);
	return stride == 1 && in == u->out ? zoo_binary(z, "Add", "add", y, x) : y;
}

/* The first unit doesn't expand. */
static void mixnet(struct zoo *z, const struct mixnet *net, int width_percent)
{
	const int stem = zoo_round8(net->stem, width_percent);
	int x = zoo_tf2cv_stem(z, stem, ZOO_RELU), y, index = 0;

	zoo_tf2cv_unit(z, index++);
	y = zoo_conv(z, "project", zoo_tf2cv_depthwise(z, "depthwise", x, 3, 1, ZOO_RELU), stem, zoo_pointwise());
	x = zoo_binary(z, "Add", "add", y, x);
	for (int i = 0; i < net->n; i++) {
		struct mix_units u = net->unit[i];

		u.out = zoo_round8(u.out, width_percent);
		for (int j = 0; j < u.n; j++) {
			zoo_tf2cv_unit(z, index++);
			x = mix_unit(z, x, &u, j == 0 ? u.stride : 1);
		}
	}
	zoo_block(z);
	zoo_tf2cv_mean_fc(z, zoo_conv_act(z, "head", x, 1536, zoo_pointwise(), ZOO_SWISH));
}

static const struct mixnet small = {16, 10, {
	{1, 24, 2, 6, 2, 1, 2, 0}, {1, 24, 1, 3, 2, 1, 2, 0}, {1, 40, 2, 6, 1, 3, 1, 2}, {3, 40, 1, 6, 2, 2, 2, 2},
	{1, 80, 2, 6, 1, 3, 2, 4}, {2, 80, 1, 6, 1, 2, 2, 4}, {1, 120, 1, 6, 2, 3, 2, 2}, {2, 120, 1, 3, 2, 4, 2, 2},
	{1, 200, 2, 6, 1, 5, 1, 2}, {2, 200, 1, 6, 1, 4, 2, 2}
}};
static const struct mixnet medium = {24, 10, {
	{1, 32, 2, 6, 2, 3, 2, 0}, {1, 32, 1, 3, 2, 1, 2, 0}, {1, 40, 2, 6, 1, 4, 1, 2}, {3, 40, 1, 6, 2, 2, 2, 2},
	{1, 80, 2, 6, 1, 3, 1, 4}, {3, 80, 1, 6, 2, 4, 2, 4}, {1, 120, 1, 6, 1, 1, 1, 2}, {3, 120, 1, 3, 2, 4, 2, 2},
	{1, 200, 2, 6, 1, 4, 1, 2}, {3, 200, 1, 6, 1, 4, 2, 2}
}};

static void mixnet_s(struct zoo *z) { mixnet(z, &small, 100); }
static void mixnet_m(struct zoo *z) { mixnet(z, &medium, 100); }
static void mixnet_l(struct zoo *z) { mixnet(z, &medium, 130); }

#define MIXNET "Tan and Le, MixConv: Mixed Depthwise Convolutional Kernels, BMVC 2019" ZOO_TF2CV_READ

const struct zoo_network zoo_mixnet_networks[] = {
	{"mixnet_s", "MixNet-S, 224x224", MIXNET "0.239 GMAC, 4.13 M parameters", mixnet_s},
	{"mixnet_m", "MixNet-M, 224x224", MIXNET "0.339 GMAC, 5.01 M parameters", mixnet_m},
	{"mixnet_l", "MixNet-L, 224x224", MIXNET "0.555 GMAC, 7.33 M parameters", mixnet_l},
	{0}
};
