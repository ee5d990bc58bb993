/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Classifiers that were searched for all processors of a phone at once:
 * MobileNetV4's convolutional ones and MobileNetMulti.
 */
#include "zoo_blocks.h"

/* The mean, two 1x1 convolutions around it, the classifier. */
static void head(struct zoo *z, int x, int width_percent)
{
	zoo_block(z);
	x = zoo_conv_act(z, "head", x, zoo_round8(960, width_percent), zoo_pointwise(), ZOO_RELU);
	x = zoo_conv_act(z, "hidden", zoo_global_pool(z, "pool", x), zoo_round8(1280, width_percent), zoo_pointwise(), ZOO_RELU);
	zoo_output(z, zoo_conv_softmax(z, x, 1000));
}

/* ---- MobileNetV4 ---- */

/* A universal inverted bottleneck. Windows of the depthwise convolutions before
 * the expansion and between it and the projection, 0 where there is none; the
 * expanded width; the output's. */
struct uib {
	int before, between, expanded, out, stride;
};

/* The one before the expansion is linear, and has the stride only where there is no other. */
static int uib_unit(struct zoo *z, int x, const struct uib *u)
{
	const int in = zoo_channels(z, x);
	int y = x;

	if (u->before > 0)
		y = zoo_depthwise(z, "before", y, zoo_square(u->before, u->between > 0 ? 1 : u->stride, ZOO_SAME));
	y = zoo_conv_act(z, "expand", y, u->expanded, zoo_pointwise(), ZOO_RELU);
	if (u->between > 0)
		y = zoo_act(z, ZOO_RELU, zoo_depthwise(z, "between", y, zoo_square(u->between, u->stride, ZOO_SAME)));
	y = zoo_conv(z, "project", y, u->out, zoo_pointwise());
	return u->stride == 1 && in == u->out ? zoo_binary(z, "Add", "add", y, x) : y;
}

/* A 3x3 convolution with a stride, and a 1x1 one. */
static int fused_unit(struct zoo *z, int x, int expanded, int out, enum zoo_act act)
{
	x = zoo_conv_act(z, "fused", x, expanded, zoo_square(3, 2, ZOO_SAME), ZOO_RELU);
	return zoo_conv_act(z, "project", x, out, zoo_pointwise(), act);
}

static int uib_units(struct zoo *z, int x, const struct uib *u, int n)
{
	for (int i = 0; i < n; i++) {
		zoo_block(z);
		zoo_scope(z, "unit%d", i + 1);
		x = uib_unit(z, x, &u[i]);
	}
	return x;
}

static int stem(struct zoo *z, int size, int channels)
{
	int x = zoo_input(z, "image", size, size, 3);

	zoo_block(z);
	return zoo_conv_act(z, "stem", x, channels, zoo_square(3, 2, ZOO_SAME), ZOO_RELU);
}

/* Blocks: the stem, fused units, every universal unit, the head. */
static void mobilenet_v4_conv_s(struct zoo *z)
{
	static const struct uib units[] = {
		{5, 5, 192, 96, 2}, {0, 3, 192, 96, 1}, {0, 3, 192, 96, 1}, {0, 3, 192, 96, 1}, {0, 3, 192, 96, 1}, {3, 0, 384, 96, 1},
		{3, 3, 576, 128, 2}, {5, 5, 512, 128, 1}, {0, 5, 512, 128, 1}, {0, 5, 384, 128, 1}, {0, 3, 512, 128, 1}, {0, 3, 512, 128, 1}
	};
	int x = stem(z, 224, 32);

	zoo_block(z);
	zoo_scope(z, "fused1");
	x = fused_unit(z, x, 32, 32, ZOO_RELU);
	zoo_block(z);
	zoo_scope(z, "fused2");
	x = fused_unit(z, x, 96, 64, ZOO_RELU);
	head(z, uib_units(z, x, units, sizeof units / sizeof *units), 100);
}

static void mobilenet_v4_conv_m(struct zoo *z)
{
	static const struct uib units[] = {
		{3, 5, 192, 80, 2}, {3, 3, 160, 80, 1},
		{3, 5, 480, 160, 2}, {3, 3, 640, 160, 1}, {3, 3, 640, 160, 1}, {3, 5, 640, 160, 1}, {3, 3, 640, 160, 1}, {3, 0, 640, 160, 1},
		{0, 0, 320, 160, 1}, {3, 0, 640, 160, 1},
		{5, 5, 960, 256, 2}, {5, 5, 1024, 256, 1}, {3, 5, 1024, 256, 1}, {3, 5, 1024, 256, 1}, {0, 0, 1024, 256, 1}, {3, 0, 1024, 256, 1},
		{3, 5, 512, 256, 1}, {5, 5, 1024, 256, 1}, {0, 0, 1024, 256, 1}, {0, 0, 1024, 256, 1}, {5, 0, 512, 256, 1}
	};
	int x = stem(z, 256, 32);

	zoo_block(z);
	zoo_scope(z, "fused1");
	x = fused_unit(z, x, 128, 48, ZOO_LINEAR);
	head(z, uib_units(z, x, units, sizeof units / sizeof *units), 100);
}

static void mobilenet_v4_conv_l(struct zoo *z)
{
	static const struct uib units[] = {
		{3, 5, 192, 96, 2}, {3, 3, 384, 96, 1},
		{3, 5, 384, 192, 2}, {3, 3, 768, 192, 1}, {3, 3, 768, 192, 1}, {3, 3, 768, 192, 1}, {3, 5, 768, 192, 1}, {5, 3, 768, 192, 1},
		{5, 3, 768, 192, 1}, {5, 3, 768, 192, 1}, {5, 3, 768, 192, 1}, {5, 3, 768, 192, 1}, {3, 0, 768, 192, 1},
		{5, 5, 768, 512, 2}, {5, 5, 2048, 512, 1}, {5, 5, 2048, 512, 1}, {5, 5, 2048, 512, 1}, {5, 0, 2048, 512, 1}, {5, 3, 2048, 512, 1},
		{5, 0, 2048, 512, 1}, {5, 0, 2048, 512, 1}, {5, 3, 2048, 512, 1}, {5, 5, 2048, 512, 1}, {5, 0, 2048, 512, 1}, {5, 0, 2048, 512, 1},
		{5, 0, 2048, 512, 1}
	};
	int x = stem(z, 384, 24);

	zoo_block(z);
	zoo_scope(z, "fused1");
	x = fused_unit(z, x, 96, 48, ZOO_LINEAR);
	head(z, uib_units(z, x, units, sizeof units / sizeof *units), 100);
}

/* ---- MobileNetMulti ---- */

/* Blocks: the stem, every inverted residual unit, the head. */
static void multi(struct zoo *z, const struct zoo_mb_stage *units, int n_units)
{
	const struct zoo_mb_style style = {ZOO_RELU, 150, false, ZOO_SAME};
	int x = zoo_mb_stages(z, stem(z, 224, zoo_round8(32, style.width_percent)), units, n_units, 1, style);

	head(z, x, style.width_percent);
}

static void multi_max_1_5(struct zoo *z)
{
	static const struct zoo_mb_stage units[] = {
		{3, 32, 1, 2, 3}, {6, 64, 1, 2, 5}, {2, 64, 2, 1, 3}, {6, 128, 1, 2, 5}, {4, 128, 1, 1, 3}, {3, 128, 2, 1, 3}, {6, 128, 1, 1, 3},
		{3, 128, 1, 1, 3}, {6, 160, 1, 2, 3}, {4, 160, 1, 1, 5}, {5, 160, 1, 1, 3}, {4, 160, 1, 1, 5}
	};

	multi(z, units, sizeof units / sizeof *units);
}

static void multi_avg_1_5(struct zoo *z)
{
	static const struct zoo_mb_stage units[] = {
		{3, 32, 1, 2, 3}, {2, 32, 1, 1, 3}, {5, 64, 1, 2, 5}, {3, 64, 1, 1, 3}, {2, 64, 1, 1, 3}, {3, 64, 1, 1, 3}, {6, 128, 1, 2, 5},
		{3, 128, 3, 1, 3}, {6, 160, 1, 1, 3}, {4, 160, 1, 1, 3}, {6, 192, 1, 2, 3}, {4, 192, 3, 1, 5}
	};

	multi(z, units, sizeof units / sizeof *units);
}

#define MOBILENET_V4 "Qin et al., MobileNetV4: Universal Models for the Mobile Ecosystem, ECCV 2024, Tables 11, 12 and 14; count: its Table 6, "
#define MULTI "Chu et al., Discovering Multi-Hardware Mobile Models via Architecture Search, CVPR Workshops 2021, as in " \
	"tensorflow/models, official/vision; count: Table 6 of MobileNetV4's paper, "

const struct zoo_network zoo_universal_networks[] = {
	{"mobilenet_v4_conv_s", "MobileNetV4-Conv-S, 224x224", MOBILENET_V4 "0.2 GMAC, 3.8 M parameters", mobilenet_v4_conv_s},
	{"mobilenet_v4_conv_m", "MobileNetV4-Conv-M, 256x256", MOBILENET_V4 "1.0 GMAC, 9.2 M parameters (1.08 and 9.7 by its Table 12)", mobilenet_v4_conv_m},
	{"mobilenet_v4_conv_l", "MobileNetV4-Conv-L, 384x384", MOBILENET_V4 "5.9 GMAC, 31 M parameters (6.4 and 32.5 by its Table 14)", mobilenet_v4_conv_l},
	{"mobilenet_multi_max_1.5", "MobileNetMultiMAX 1.5, 224x224", MULTI "0.8 GMAC, 8.9 M parameters", multi_max_1_5},
	{"mobilenet_multi_avg_1.5", "MobileNetMultiAVG 1.5, 224x224", MULTI "1.0 GMAC, 10.0 M parameters", multi_avg_1_5},
	{0}
};
