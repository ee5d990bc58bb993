/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Networks as ncnn's benchmark runs them, where nobody else builds them like that: with their widths and strides, and with the
 * activations that are layers of their own there. Windows pad by themselves. Softmax reads what the pooling left, without a Reshape.
 */
#include "zoo_blocks.h"

enum { CLASSES = 1000 };

static int stem(struct zoo *z, int channels, enum zoo_act act)
{
	int x = zoo_input(z, "image", 224, 224, 3);

	zoo_block(z);
	return zoo_conv_act(z, "stem", x, channels, zoo_square(3, 2, ZOO_CENTRED), act);
}

static int depthwise(struct zoo *z, int x, int kernel, int stride)
{
	return zoo_depthwise(z, "depthwise", x, zoo_square(kernel, stride, ZOO_CENTRED));
}

/* ---- MobileNet V2 and ProxylessNAS ---- */

/* expand is a width; 0: there is no expansion, and no shortcut. */
struct inverted {
	int kernel, expand, out, stride;
};

static int inverted(struct zoo *z, int x, struct inverted u)
{
	int y = u.expand > 0 ? zoo_conv_act(z, "expand", x, u.expand, zoo_pointwise(), ZOO_RELU) : x;

	y = zoo_act(z, ZOO_RELU, depthwise(z, y, u.kernel, u.stride));
	y = zoo_conv(z, "project", y, u.out, zoo_pointwise());
	return u.expand > 0 && u.stride == 1 && zoo_channels(z, x) == u.out ? zoo_binary(z, "Add", "add", y, x) : y;
}

static void head(struct zoo *z, int x)
{
	zoo_block(z);
	x = zoo_conv_act(z, "head", x, 1280, zoo_pointwise(), ZOO_RELU);
	zoo_output(z, zoo_fc_softmax(z, zoo_global_pool(z, "pool", x), CLASSES));
}

/* Other than in Caffe's the stage of 64 channels works on 14x14. Blocks: the stem, every unit, the head. */
static void mobilenet_v2(struct zoo *z)
{
	static const struct { int expand, out, n, stride; } stages[] = {
		{1, 16, 1, 1}, {6, 24, 2, 2}, {6, 32, 3, 2}, {6, 64, 4, 2}, {6, 96, 3, 1}, {6, 160, 3, 2}, {6, 320, 1, 1}
	};
	int x = stem(z, 32, ZOO_RELU);

	for (int i = 0; i < 7; i++)
		for (int j = 0; j < stages[i].n; j++) {
			zoo_block(z);
			zoo_scope(z, "stage%d_unit%d", i + 1, j + 1);
			x = inverted(z, x, (struct inverted){3, stages[i].expand * zoo_channels(z, x), stages[i].out, j == 0 ? stages[i].stride : 1});
		}
	head(z, x);
}

/* The first unit is twice as wide as published, though the next one expands to three times the published width. Blocks as above. */
static void proxylessnas(struct zoo *z)
{
	static const struct inverted units[] = {
		{3, 0, 32, 1}, {5, 48, 32, 2}, {3, 96, 32, 1}, {7, 96, 40, 2}, {3, 120, 40, 1}, {5, 120, 40, 1}, {5, 120, 40, 1},
		{7, 240, 80, 2}, {5, 240, 80, 1}, {5, 240, 80, 1}, {5, 240, 80, 1}, {5, 480, 96, 1}, {5, 288, 96, 1}, {5, 288, 96, 1}, {5, 288, 96, 1},
		{7, 576, 192, 2}, {7, 1152, 192, 1}, {7, 576, 192, 1}, {7, 576, 192, 1}, {7, 1152, 320, 1}
	};
	int x = stem(z, 32, ZOO_RELU);

	for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
		zoo_block(z);
		zoo_scope(z, "unit%d", (int)i + 1);
		x = inverted(z, x, units[i]);
	}
	head(z, x);
}

/* ---- MobileNet V3 ---- */

/* expand is a width, or 0; excite: the activation follows the excitation. */
struct v3_unit {
	int kernel, expand, out, stride, excite;
	enum zoo_act act;
};

/* The hard sigmoid, a layer of its own, is what the clip (its 3 is in the bias) leaves to do. */
static int v3_excite(struct zoo *z, int x)
{
	int gate = zoo_act(z, ZOO_RELU, zoo_fc(z, "se_reduce", zoo_global_pool(z, "se_pool", x), zoo_channels(z, x) / 4));

	gate = zoo_act(z, ZOO_RELU6, zoo_fc(z, "se_expand", gate, zoo_channels(z, x)));
	return zoo_binary(z, "Mul", "se_scale", x, zoo_unary(z, "BatchNormalization", "se_sixth", gate));
}

static int v3_unit(struct zoo *z, int x, const struct v3_unit *u)
{
	int y = u->expand > 0 ? zoo_conv_act(z, "expand", x, u->expand, zoo_pointwise(), u->act) : x;

	y = depthwise(z, y, u->kernel, u->stride);
	if (u->excite)
		y = v3_excite(z, y);
	y = zoo_conv(z, "project", zoo_act(z, u->act, y), u->out, zoo_pointwise());
	return u->stride == 1 && zoo_channels(z, x) == u->out ? zoo_binary(z, "Add", "add", y, x) : y;
}

/* 160 channels work on 14x14, too, in a unit more than published. The stem's hard swish is two layers, of which a Sigmoid stands for the
 * hard one. Blocks: the stem, every unit, the head. */
static void mobilenet_v3_large(struct zoo *z)
{
	static const struct v3_unit units[] = {
		{3, 0, 16, 1, 0, ZOO_RELU}, {3, 64, 24, 2, 0, ZOO_RELU}, {3, 72, 24, 1, 0, ZOO_RELU},
		{5, 72, 40, 2, 1, ZOO_RELU}, {5, 120, 40, 1, 1, ZOO_RELU}, {5, 120, 40, 1, 1, ZOO_RELU},
		{3, 240, 80, 2, 0, ZOO_HARD_SWISH}, {3, 200, 80, 1, 0, ZOO_HARD_SWISH}, {3, 184, 80, 1, 0, ZOO_HARD_SWISH},
		{3, 184, 80, 1, 0, ZOO_HARD_SWISH}, {3, 480, 112, 1, 1, ZOO_HARD_SWISH}, {3, 672, 112, 1, 1, ZOO_HARD_SWISH},
		{5, 672, 160, 1, 1, ZOO_HARD_SWISH}, {5, 672, 160, 2, 1, ZOO_HARD_SWISH}, {5, 960, 160, 1, 1, ZOO_HARD_SWISH}
	};
	int x = stem(z, 16, ZOO_SWISH);

	for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
		zoo_block(z);
		zoo_scope(z, "unit%d", (int)i + 1);
		x = v3_unit(z, x, &units[i]);
	}
	zoo_block(z);
	x = zoo_conv_act(z, "head", x, 960, zoo_pointwise(), ZOO_HARD_SWISH);
	x = zoo_act(z, ZOO_HARD_SWISH, zoo_global_pool(z, "pool", x));
	x = zoo_reshape(z, "flat", x, 2, (const int[]){1, 960});
	x = zoo_act(z, ZOO_HARD_SWISH, zoo_fc(z, "hidden", x, 1280));
	zoo_output(z, zoo_fc_softmax(z, x, CLASSES));
}

/* ---- ShuffleNet ---- */

enum { GROUPS = 3 };

/* A unit that halves the image joins what it pooled with what it computed, the others add. The network's first one begins with a
 * convolution without groups, behind which nothing is to be shuffled. */
static int shuffle_unit(struct zoo *z, int x, int out, bool halves, bool first)
{
	const int computed = halves ? out - zoo_channels(z, x) : out;
	int y = zoo_conv_grouped(z, "conv1", x, computed / 4, zoo_pointwise(), first ? 1 : GROUPS);

	y = zoo_act(z, ZOO_RELU, y);
	if (!first)
		y = zoo_channel_shuffle(z, y, GROUPS);
	y = depthwise(z, y, 3, halves ? 2 : 1);
	y = zoo_conv_grouped(z, "conv2", y, computed, zoo_pointwise(), GROUPS);
	if (halves) {
		x = zoo_avg_pool(z, "pool", x, zoo_square(3, 2, ZOO_SAME)); /* as Caffe's, which rounds up: the window hangs over behind */
		return zoo_act(z, ZOO_RELU, zoo_concat(z, "concat", 2, (const int[]){x, y}));
	}
	return zoo_act(z, ZOO_RELU, zoo_binary(z, "Add", "add", y, x));
}

/* Blocks: the stem, 16 units, the classifier. */
static void shufflenet_v1(struct zoo *z)
{
	static const int n_units[] = {4, 8, 4};
	int x = zoo_max_pool_ceil(z, "pool1", stem(z, 24, ZOO_RELU), 3, 2);

	for (int stage = 0; stage < 3; stage++)
		for (int unit = 0; unit < n_units[stage]; unit++) {
			zoo_block(z);
			zoo_scope(z, "stage%d_unit%d", stage + 2, unit + 1);
			x = shuffle_unit(z, x, 240 << stage, unit == 0, stage == 0 && unit == 0);
		}
	zoo_block(z);
	zoo_output(z, zoo_fc_softmax(z, zoo_global_pool(z, "pool", x), CLASSES));
}

/* ---- SqueezeNet ---- */

/* The last convolution pads, though it is 1x1. Blocks: conv1, fire 2 to 9 and conv10, each with the pooling that follows it. */
static void squeezenet_1_1(struct zoo *z)
{
	int x = zoo_input(z, "image", 227, 227, 3);

	zoo_block(z);
	x = zoo_conv_act(z, "conv1", x, 64, zoo_square(3, 2, ZOO_VALID), ZOO_RELU);
	x = zoo_max_pool_ceil(z, "pool1", x, 3, 2);
	x = zoo_fires(z, x, 2, 9, 1 << 3 | 1 << 5);
	zoo_block(z);
	x = zoo_conv_act(z, "conv10", x, CLASSES, zoo_square(1, 1, ZOO_BORDER), ZOO_RELU);
	zoo_output(z, zoo_unary(z, "Softmax", "softmax", zoo_global_pool(z, "pool10", x)));
}

/* ---- BlazeFace ---- */

/* The shortcut is pooled where the unit halves the image, and gets zeros for the channels that it hasn't. */
static int blaze_unit(struct zoo *z, int x, int out, int stride)
{
	const int missing = out - zoo_channels(z, x);
	int shortcut = x, y = x;

	if (stride == 2) {
		y = zoo_zero_pad_by(z, "pad", x, 0, 2);
		shortcut = zoo_max_pool(z, "pool", x, zoo_square(2, 2, ZOO_VALID));
	}
	if (missing > 0)
		shortcut = zoo_zero_pad_channels(z, "channels", shortcut, missing);
	y = zoo_depthwise(z, "depthwise", y, zoo_square(3, stride, stride == 2 ? ZOO_VALID : ZOO_SAME));
	y = zoo_conv(z, "pointwise", y, out, zoo_pointwise());
	return zoo_act(z, ZOO_RELU, zoo_binary(z, "Add", "add", y, shortcut));
}

/* The features of 8x8, without what tells boxes and scores from them. Blocks: the stem, every unit. */
static void blazeface(struct zoo *z)
{
	static const int channels[] = {24, 28, 32, 36, 42, 48, 56, 64, 72, 80, 88, 96, 96, 96, 96, 96};
	int x = zoo_input(z, "image", 128, 128, 3);

	zoo_block(z);
	x = zoo_zero_pad_same(z, "stem_pad", x, 5, 2);
	x = zoo_conv_act(z, "stem", x, 24, zoo_square(5, 2, ZOO_VALID), ZOO_RELU);
	for (int i = 0; i < 16; i++) {
		zoo_block(z);
		zoo_scope(z, "unit%d", i + 1);
		x = blaze_unit(z, x, channels[i], i == 2 || i == 5 || i == 11 ? 2 : 1);
	}
	zoo_output(z, x);
}

#define NCNN ", as in Tencent/ncnn, benchmark/"

const struct zoo_network zoo_ncnn_networks[] = {
	{"squeezenet_1.1_ncnn", "SqueezeNet 1.1 as in ncnn, 227x227",
	 "Iandola et al., SqueezeNet: AlexNet-level accuracy with 50x fewer parameters, 2016, version 1.1" NCNN
	 "squeezenet.param@60e8261; count: 0.418 GMAC, 1.235 M parameters (analytic)", squeezenet_1_1},
	{"mobilenet_v2_ncnn", "MobileNet V2 as in ncnn, 224x224",
	 "Sandler et al., MobileNetV2: Inverted Residuals and Linear Bottlenecks, CVPR 2018" NCNN
	 "mobilenet_v2.param@0ead265; count: 0.314 GMAC, 3.489 M parameters (analytic)", mobilenet_v2},
	{"mobilenet_v3_large_ncnn", "MobileNet V3 Large as in ncnn, 224x224",
	 "Howard et al., Searching for MobileNetV3, ICCV 2019" NCNN
	 "mobilenet_v3.param@d4944a9; count: 0.246 GMAC, 5.141 M parameters (analytic)", mobilenet_v3_large},
	{"shufflenet_v1", "ShuffleNet 1x, three groups, 224x224",
	 "Zhang et al., ShuffleNet: An Extremely Efficient Convolutional Neural Network for Mobile Devices, CVPR 2018, g = 3" NCNN
	 "shufflenet.param@39a14a7; count: 0.127 GMAC, 1.803 M parameters (analytic)", shufflenet_v1},
	{"proxylessnas_ncnn", "ProxylessNAS for phones as in ncnn, 224x224",
	 "Cai et al., ProxylessNAS: Direct Neural Architecture Search on Target Task and Hardware, ICLR 2019" NCNN
	 "proxylessnasnet.param@8b5195a; count: 0.336 GMAC, 4.065 M parameters (analytic)", proxylessnas},
	{"blazeface", "BlazeFace's features, 128x128",
	 "Bazarevsky et al., BlazeFace: Sub-millisecond Neural Face Detection on Mobile GPUs, 2019" NCNN
	 "blazeface.param@da09e5e; count: 0.0294 GMAC, 0.0885 M parameters (analytic)", blazeface},
	{0}
};
