/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Classifiers for phones as PaddleClas builds them, where that is neither TF-slim's nor
 * tf2cv's way: windows pad by themselves, widths of MobileNet V2 aren't rounded, the head of
 * MobileNet V3 is as narrow as the rest, GhostNet's shortcuts have the unit's own kernel; and PP-LCNet.
 */
#include "zoo_paddle.h"

static int sized_stem(struct zoo *z, int height, int width, int channels, enum zoo_act act)
{
	int x = zoo_input(z, "image", height, width, 3);

	zoo_block(z);
	return zoo_conv_act(z, "stem", x, channels, zoo_square(3, 2, ZOO_CENTRED), act);
}

static int image_stem(struct zoo *z, int channels, enum zoo_act act)
{
	return sized_stem(z, 224, 224, channels, act);
}

static int depthwise_act(struct zoo *z, int x, int kernel, int stride, enum zoo_act act)
{
	return zoo_act(z, act, zoo_depthwise(z, "depthwise", x, zoo_square(kernel, stride, ZOO_CENTRED)));
}

/* ---- MobileNet V1 ---- */

/* Blocks: the stem, 13 depthwise separable convolutions, the classifier. */
static void mobilenet_v1(struct zoo *z, int percent)
{
	static const int channels[] = {64, 128, 128, 256, 256, 512, 512, 512, 512, 512, 512, 1024, 1024};
	static const int stride[] = {1, 2, 1, 2, 1, 2, 1, 1, 1, 1, 1, 2, 1};
	int x = image_stem(z, 32 * percent / 100, ZOO_RELU);

	for (int i = 0; i < 13; i++) {
		zoo_block(z);
		zoo_scope(z, "separable%d", i + 1);
		x = depthwise_act(z, x, 3, stride[i], ZOO_RELU);
		x = zoo_conv_act(z, "pointwise", x, channels[i] * percent / 100, zoo_pointwise(), ZOO_RELU);
	}
	zoo_block(z);
	zoo_output(z, zoo_fc_softmax(z, zoo_global_pool(z, "pool", x), 1000));
}

static void mobilenet_v1_1_0(struct zoo *z) { mobilenet_v1(z, 100); }
static void mobilenet_v1_0_75(struct zoo *z) { mobilenet_v1(z, 75); }
static void mobilenet_v1_0_5(struct zoo *z) { mobilenet_v1(z, 50); }
static void mobilenet_v1_0_25(struct zoo *z) { mobilenet_v1(z, 25); }

/* ---- MobileNet V2 ---- */

/* The first unit has a 1x1 convolution, too, though it doesn't expand. */
static int v2_unit(struct zoo *z, int x, int expand, int out, int stride, bool shortcut)
{
	int y = zoo_conv_act(z, "expand", x, expand * zoo_channels(z, x), zoo_pointwise(), ZOO_RELU6);

	y = depthwise_act(z, y, 3, stride, ZOO_RELU6);
	y = zoo_conv(z, "project", y, out, zoo_pointwise());
	return shortcut ? zoo_binary(z, "Add", "add", y, x) : y;
}

enum { V2_STAGES = 7 };

/* left: what each stage leaves. */
static void v2_stages(struct zoo *z, int x, int percent, int left[V2_STAGES])
{
	static const struct { int expand, out, n, stride; } stages[V2_STAGES] = {
		{1, 16, 1, 1}, {6, 24, 2, 2}, {6, 32, 3, 2}, {6, 64, 4, 2}, {6, 96, 3, 1}, {6, 160, 3, 2}, {6, 320, 1, 1}
	};

	for (int i = 0; i < V2_STAGES; i++) {
		for (int j = 0; j < stages[i].n; j++) {
			zoo_block(z);
			zoo_scope(z, "stage%d_unit%d", i + 1, j + 1);
			x = v2_unit(z, x, stages[i].expand, stages[i].out * percent / 100, j == 0 ? stages[i].stride : 1, j > 0);
		}
		left[i] = x;
	}
}

void zoo_paddle_v2_levels(struct zoo *z, int size, int level[ZOO_PADDLE_LEVELS])
{
	static const int last[ZOO_PADDLE_LEVELS] = {1, 2, 4, 6};
	int left[V2_STAGES];

	v2_stages(z, sized_stem(z, size, size, 32, ZOO_RELU6), 100, left);
	for (int i = 0; i < ZOO_PADDLE_LEVELS; i++)
		level[i] = left[last[i]];
}

/* Blocks: the stem, every unit, the head. */
static void mobilenet_v2(struct zoo *z, int percent)
{
	int left[V2_STAGES], x;

	v2_stages(z, image_stem(z, 32 * percent / 100, ZOO_RELU6), percent, left);
	x = left[V2_STAGES - 1];
	zoo_block(z);
	x = zoo_conv_act(z, "head", x, percent > 100 ? 1280 * percent / 100 : 1280, zoo_pointwise(), ZOO_RELU6);
	zoo_output(z, zoo_fc_softmax(z, zoo_global_pool(z, "pool", x), 1000));
}

static void mobilenet_v2_2_0(struct zoo *z) { mobilenet_v2(z, 200); }
static void mobilenet_v2_1_5(struct zoo *z) { mobilenet_v2(z, 150); }
static void mobilenet_v2_1_0(struct zoo *z) { mobilenet_v2(z, 100); }
static void mobilenet_v2_0_75(struct zoo *z) { mobilenet_v2(z, 75); }
static void mobilenet_v2_0_5(struct zoo *z) { mobilenet_v2(z, 50); }
static void mobilenet_v2_0_25(struct zoo *z) { mobilenet_v2(z, 25); }

/* ---- MobileNet V3 ---- */

struct paddle_v3_unit {
	int kernel, expand, out, excite, stride;
	enum zoo_act act;
};

enum { V3_UNITS_MAX = 15 };

struct paddle_v3 {
	int n, head;
	struct paddle_v3_unit unit[V3_UNITS_MAX];
};

static const struct paddle_v3 large = {15, 960, {
	{3, 16, 16, 0, 1, ZOO_RELU}, {3, 64, 24, 0, 2, ZOO_RELU}, {3, 72, 24, 0, 1, ZOO_RELU},
	{5, 72, 40, 1, 2, ZOO_RELU}, {5, 120, 40, 1, 1, ZOO_RELU}, {5, 120, 40, 1, 1, ZOO_RELU},
	{3, 240, 80, 0, 2, ZOO_HARD_SWISH}, {3, 200, 80, 0, 1, ZOO_HARD_SWISH}, {3, 184, 80, 0, 1, ZOO_HARD_SWISH},
	{3, 184, 80, 0, 1, ZOO_HARD_SWISH}, {3, 480, 112, 1, 1, ZOO_HARD_SWISH}, {3, 672, 112, 1, 1, ZOO_HARD_SWISH},
	{5, 672, 160, 1, 2, ZOO_HARD_SWISH}, {5, 960, 160, 1, 1, ZOO_HARD_SWISH}, {5, 960, 160, 1, 1, ZOO_HARD_SWISH}
}};
static const struct paddle_v3 small = {11, 576, {
	{3, 16, 16, 1, 2, ZOO_RELU}, {3, 72, 24, 0, 2, ZOO_RELU}, {3, 88, 24, 0, 1, ZOO_RELU},
	{5, 96, 40, 1, 2, ZOO_HARD_SWISH}, {5, 240, 40, 1, 1, ZOO_HARD_SWISH}, {5, 240, 40, 1, 1, ZOO_HARD_SWISH},
	{5, 120, 48, 1, 1, ZOO_HARD_SWISH}, {5, 144, 48, 1, 1, ZOO_HARD_SWISH}, {5, 288, 96, 1, 2, ZOO_HARD_SWISH},
	{5, 576, 96, 1, 1, ZOO_HARD_SWISH}, {5, 576, 96, 1, 1, ZOO_HARD_SWISH}
}};

int zoo_paddle_excite(struct zoo *z, int x, bool hard_sigmoid)
{
	int gate = zoo_global_pool(z, "se_pool", x);

	gate = zoo_conv_act(z, "se_reduce", gate, zoo_channels(z, x) / 4, zoo_pointwise(), ZOO_RELU);
	gate = zoo_conv_act(z, "se_expand", gate, zoo_channels(z, x), zoo_pointwise(), ZOO_RELU6);
	if (hard_sigmoid)
		gate = zoo_unary(z, "BatchNormalization", "se_sixth", gate);
	return zoo_binary(z, "Mul", "se_scale", x, gate);
}

/* Every unit expands, also the first one, which gains no width by it; *wide: to what. */
static int v3_unit(struct zoo *z, int x, const struct paddle_v3_unit *u, int percent, int *wide)
{
	const int out = zoo_round8(u->out, percent);
	int y = zoo_conv_act(z, "expand", x, zoo_round8(u->expand, percent), zoo_pointwise(), u->act);

	*wide = y;
	y = depthwise_act(z, y, u->kernel, u->stride, u->act);
	if (u->excite)
		y = zoo_paddle_excite(z, y, true);
	y = zoo_conv(z, "project", y, out, zoo_pointwise());
	return u->stride == 1 && zoo_channels(z, x) == out ? zoo_binary(z, "Add", "add", y, x) : y;
}

static int v3_stem(struct zoo *z, int height, int width, int percent)
{
	return sized_stem(z, height, width, zoo_round8(16, percent), ZOO_HARD_SWISH);
}

/* left: what each unit leaves; *wide: the expanded map of the one that halves the image last. */
static void v3_units(struct zoo *z, const struct paddle_v3 *net, int x, int percent, int left[V3_UNITS_MAX], int *wide)
{
	for (int i = 0; i < net->n; i++) {
		int expanded;

		zoo_block(z);
		zoo_scope(z, "unit%d", i + 1);
		left[i] = x = v3_unit(z, x, &net->unit[i], percent, &expanded);
		if (net->unit[i].stride == 2)
			*wide = expanded;
	}
}

int zoo_paddle_v3_narrowed(struct zoo *z, int size, int *wide)
{
	struct paddle_v3 net = large;
	int left[V3_UNITS_MAX];

	for (int i = net.n - 3; i < net.n; i++) {
		net.unit[i].out /= 2;
		if (net.unit[i].stride == 1)
			net.unit[i].expand /= 2;
	}
	v3_units(z, &net, v3_stem(z, size, size, 100), 100, left, wide);
	return left[net.n - 1];
}

void zoo_paddle_v3_levels(struct zoo *z, int height, int width, int width_percent, int n, int level[ZOO_PADDLE_LEVELS])
{
	static const int last[ZOO_PADDLE_LEVELS] = {2, 5, 11, 14};
	struct paddle_v3 net = large;
	int left[V3_UNITS_MAX], wide;

	net.n = last[n - 1] + 1;
	v3_units(z, &net, v3_stem(z, height, width, width_percent), width_percent, left, &wide);
	for (int i = 0; i < n; i++)
		level[i] = left[last[i]];
}

/* Blocks: the stem, every unit, the head. */
static void mobilenet_v3(struct zoo *z, const struct paddle_v3 *net, int percent)
{
	int left[V3_UNITS_MAX], wide, x;

	v3_units(z, net, v3_stem(z, 224, 224, percent), percent, left, &wide);
	x = left[net->n - 1];
	zoo_block(z);
	x = zoo_conv_act(z, "head", x, zoo_round8(net->head, percent), zoo_pointwise(), ZOO_HARD_SWISH);
	x = zoo_act(z, ZOO_HARD_SWISH, zoo_conv_no_bias(z, "hidden", zoo_global_pool(z, "pool", x), 1280, zoo_pointwise()));
	zoo_output(z, zoo_fc_softmax(z, x, 1000));
}

#define V3(name, net, percent) \
	static void name(struct zoo *z) { mobilenet_v3(z, &(net), percent); }

V3(mobilenet_v3_large_1_25, large, 125)
V3(mobilenet_v3_large_1_0, large, 100)
V3(mobilenet_v3_large_0_75, large, 75)
V3(mobilenet_v3_large_0_5, large, 50)
V3(mobilenet_v3_large_0_35, large, 35)
V3(mobilenet_v3_small_1_25, small, 125)
V3(mobilenet_v3_small_1_0, small, 100)
V3(mobilenet_v3_small_0_75, small, 75)
V3(mobilenet_v3_small_0_5, small, 50)
V3(mobilenet_v3_small_0_35, small, 35)

/* ---- GhostNet ---- */

struct ghost_unit {
	int kernel, expand, out, excite, stride;
};

/* Rounded to a multiple of 4, but not below 90 % of it. */
static int round4(int channels, int percent)
{
	const int scaled = channels * percent, down = (scaled + 200) / 400 * 4, least = down < 4 ? 4 : down;

	return least * 1000 < 9 * scaled ? least + 4 : least;
}

/* Half of the channels are computed, the other half is a depthwise convolution of these. */
static int ghost(struct zoo *z, const char *name, int x, int channels, enum zoo_act act)
{
	char cheap[32], joined[32];
	int b[2];

	snprintf(cheap, sizeof cheap, "%s_cheap", name);
	snprintf(joined, sizeof joined, "%s_concat", name);
	b[0] = zoo_conv_act(z, name, x, channels / 2, zoo_pointwise(), act);
	b[1] = zoo_act(z, act, zoo_depthwise(z, cheap, b[0], zoo_square(3, 1, ZOO_CENTRED)));
	return zoo_concat(z, joined, 2, b);
}

static int ghost_unit(struct zoo *z, int x, const struct ghost_unit *u, int percent)
{
	const struct zoo_window w = zoo_square(u->kernel, u->stride, ZOO_CENTRED);
	const int out = round4(u->out, percent);
	int y = ghost(z, "expand", x, round4(u->expand, percent), ZOO_RELU);

	if (u->stride > 1)
		y = zoo_depthwise(z, "depthwise", y, w);
	if (u->excite)
		y = zoo_paddle_excite(z, y, false);
	y = ghost(z, "project", y, out, ZOO_LINEAR);
	if (u->stride > 1 || zoo_channels(z, x) != out) {
		x = zoo_depthwise(z, "shortcut_depthwise", x, w);
		x = zoo_conv(z, "shortcut", x, out, zoo_pointwise());
	}
	return zoo_binary(z, "Add", "add", y, x);
}

enum { GHOST_UNITS = 16 };

/* left: what each unit leaves. */
static void ghost_units(struct zoo *z, int size, int percent, int left[GHOST_UNITS])
{
	static const struct ghost_unit units[GHOST_UNITS] = {
		{3, 16, 16, 0, 1}, {3, 48, 24, 0, 2}, {3, 72, 24, 0, 1}, {5, 72, 40, 1, 2}, {5, 120, 40, 1, 1}, {3, 240, 80, 0, 2},
		{3, 200, 80, 0, 1}, {3, 184, 80, 0, 1}, {3, 184, 80, 0, 1}, {3, 480, 112, 1, 1}, {3, 672, 112, 1, 1},
		{5, 672, 160, 1, 2}, {5, 960, 160, 0, 1}, {5, 960, 160, 1, 1}, {5, 960, 160, 0, 1}, {5, 960, 160, 1, 1}
	};
	int x = sized_stem(z, size, size, round4(16, percent), ZOO_RELU);

	for (int i = 0; i < GHOST_UNITS; i++) {
		zoo_block(z);
		zoo_scope(z, "unit%d", i + 1);
		left[i] = x = ghost_unit(z, x, &units[i], percent);
	}
}

void zoo_paddle_ghost_levels(struct zoo *z, int size, int level[ZOO_PADDLE_LEVELS])
{
	static const int last[ZOO_PADDLE_LEVELS] = {2, 4, 10, 15};
	int left[GHOST_UNITS];

	ghost_units(z, size, 100, left);
	for (int i = 0; i < ZOO_PADDLE_LEVELS; i++)
		level[i] = left[last[i]];
}

static void ghostnet(struct zoo *z, int percent)
{
	int left[GHOST_UNITS], x;

	ghost_units(z, 224, percent, left);
	x = left[GHOST_UNITS - 1];
	zoo_block(z);
	x = zoo_conv_act(z, "head", x, round4(960, percent), zoo_pointwise(), ZOO_RELU);
	x = zoo_conv_act(z, "hidden", zoo_global_pool(z, "pool", x), 1280, zoo_pointwise(), ZOO_RELU);
	zoo_output(z, zoo_fc_softmax(z, x, 1000));
}

static void ghostnet_0_5(struct zoo *z) { ghostnet(z, 50); }
static void ghostnet_1_0(struct zoo *z) { ghostnet(z, 100); }
static void ghostnet_1_3(struct zoo *z) { ghostnet(z, 130); }

/* ---- PP-LCNet ---- */

int zoo_paddle_conv(struct zoo *z, const char *name, int x, int channels, int kernel, int stride)
{
	return zoo_conv_act(z, name, x, channels, zoo_square(kernel, stride, ZOO_CENTRED), ZOO_HARD_SWISH);
}

int zoo_paddle_separable(struct zoo *z, int number, int x, int channels, int kernel, int stride, bool excite)
{
	char depthwise[32], pointwise[32];

	snprintf(depthwise, sizeof depthwise, "depthwise%d", number);
	snprintf(pointwise, sizeof pointwise, "pointwise%d", number);
	x = zoo_act(z, ZOO_HARD_SWISH, zoo_depthwise(z, depthwise, x, zoo_square(kernel, stride, ZOO_CENTRED)));
	if (excite)
		x = zoo_paddle_excite(z, x, true);
	return zoo_paddle_conv(z, pointwise, x, channels, 1, 1);
}

void zoo_paddle_lcnet(struct zoo *z, int size, int width_percent, int level[ZOO_PADDLE_SCALES])
{
	static const struct { int kernel, out, stride; bool excite; } units[] = {
		{3, 32, 1, false}, {3, 64, 2, false}, {3, 64, 1, false}, {3, 128, 2, false}, {3, 128, 1, false}, {3, 256, 2, false},
		{5, 256, 1, false}, {5, 256, 1, false}, {5, 256, 1, false}, {5, 256, 1, false}, {5, 256, 1, false}, {5, 512, 2, true},
		{5, 512, 1, true}
	};
	int x = zoo_input(z, "image", size, size, 3);

	zoo_block(z);
	x = zoo_paddle_conv(z, "stem", x, zoo_round8(16, width_percent), 3, 2);
	for (int i = 0; i < 13; i++) {
		zoo_block(z);
		zoo_scope(z, "unit%d", i + 1);
		x = zoo_paddle_separable(z, 1, x, zoo_round8(units[i].out, width_percent), units[i].kernel, units[i].stride, units[i].excite);
		if (i == 4 || i == 10 || i == 12)
			level[i == 4 ? 0 : i == 10 ? 1 : 2] = x;
	}
}

static void lcnet(struct zoo *z, int width_percent)
{
	int level[ZOO_PADDLE_SCALES], x;

	zoo_paddle_lcnet(z, 224, width_percent, level);
	zoo_block(z);
	x = zoo_conv_no_bias(z, "hidden", zoo_global_pool(z, "pool", level[ZOO_PADDLE_SCALES - 1]), 1280, zoo_pointwise());
	zoo_output(z, zoo_fc_softmax(z, zoo_act(z, ZOO_HARD_SWISH, x), 1000));
}

#define LCNET(name, width_percent) \
	static void lcnet_##name(struct zoo *z) { lcnet(z, width_percent); }

LCNET(2_5, 250)
LCNET(2_0, 200)
LCNET(1_5, 150)
LCNET(1_0, 100)
LCNET(0_75, 75)
LCNET(0_5, 50)
LCNET(0_35, 35)
LCNET(0_25, 25)

#define PADDLE ", as in PaddleClas (ppcls/arch/backbone); count: its table, "
#define V1_PAPER "Howard et al., MobileNets: Efficient Convolutional Neural Networks for Mobile Vision Applications, 2017" PADDLE
#define V2_PAPER "Sandler et al., MobileNetV2: Inverted Residuals and Linear Bottlenecks, CVPR 2018" PADDLE
#define V3_PAPER "Howard et al., Searching for MobileNetV3, ICCV 2019" PADDLE
#define LCNET_PAPER "Cui et al., PP-LCNet: A Lightweight CPU Convolutional Neural Network, 2021" PADDLE
#define GHOST_PAPER "Han et al., GhostNet: More Features from Cheap Operations, CVPR 2020" PADDLE

const struct zoo_network zoo_paddle_networks[] = {
	{"mobilenet_v1_paddle", "MobileNet V1 as in PaddleClas, 224x224", V1_PAPER "4.19 M parameters", mobilenet_v1_1_0},
	{"mobilenet_v1_0.75_paddle", "MobileNet V1 0.75 as in PaddleClas, 224x224", V1_PAPER "2.55 M parameters", mobilenet_v1_0_75},
	{"mobilenet_v1_0.5_paddle", "MobileNet V1 0.5 as in PaddleClas, 224x224", V1_PAPER "1.31 M parameters", mobilenet_v1_0_5},
	{"mobilenet_v1_0.25_paddle", "MobileNet V1 0.25 as in PaddleClas, 224x224", V1_PAPER "0.46 M parameters", mobilenet_v1_0_25},
	{"mobilenet_v2_2.0_paddle", "MobileNet V2 2.0 as in PaddleClas, 224x224", V2_PAPER "11.13 M parameters", mobilenet_v2_2_0},
	{"mobilenet_v2_1.5_paddle", "MobileNet V2 1.5 as in PaddleClas, 224x224", V2_PAPER "6.76 M parameters", mobilenet_v2_1_5},
	{"mobilenet_v2_1.0_paddle", "MobileNet V2 as in PaddleClas, 224x224", V2_PAPER "3.44 M parameters", mobilenet_v2_1_0},
	{"mobilenet_v2_0.75_paddle", "MobileNet V2 0.75 as in PaddleClas, 224x224", V2_PAPER "2.58 M parameters", mobilenet_v2_0_75},
	{"mobilenet_v2_0.5_paddle", "MobileNet V2 0.5 as in PaddleClas, 224x224", V2_PAPER "1.93 M parameters", mobilenet_v2_0_5},
	{"mobilenet_v2_0.25_paddle", "MobileNet V2 0.25 as in PaddleClas, 224x224", V2_PAPER "1.50 M parameters", mobilenet_v2_0_25},
	{"mobilenet_v3_large_1.25_paddle", "MobileNet V3 Large 1.25 as in PaddleClas, 224x224",
	 V3_PAPER "7.44 M parameters", mobilenet_v3_large_1_25},
	{"mobilenet_v3_large_paddle", "MobileNet V3 Large as in PaddleClas, 224x224", V3_PAPER "5.47 M parameters", mobilenet_v3_large_1_0},
	{"mobilenet_v3_large_0.75_paddle", "MobileNet V3 Large 0.75 as in PaddleClas, 224x224",
	 V3_PAPER "3.91 M parameters", mobilenet_v3_large_0_75},
	{"mobilenet_v3_large_0.5_paddle", "MobileNet V3 Large 0.5 as in PaddleClas, 224x224",
	 V3_PAPER "2.67 M parameters", mobilenet_v3_large_0_5},
	{"mobilenet_v3_large_0.35_paddle", "MobileNet V3 Large 0.35 as in PaddleClas, 224x224",
	 V3_PAPER "2.10 M parameters", mobilenet_v3_large_0_35},
	{"mobilenet_v3_small_1.25_paddle", "MobileNet V3 Small 1.25 as in PaddleClas, 224x224",
	 V3_PAPER "3.62 M parameters", mobilenet_v3_small_1_25},
	{"mobilenet_v3_small_paddle", "MobileNet V3 Small as in PaddleClas, 224x224", V3_PAPER "2.94 M parameters", mobilenet_v3_small_1_0},
	{"mobilenet_v3_small_0.75_paddle", "MobileNet V3 Small 0.75 as in PaddleClas, 224x224",
	 V3_PAPER "2.37 M parameters", mobilenet_v3_small_0_75},
	{"mobilenet_v3_small_0.5_paddle", "MobileNet V3 Small 0.5 as in PaddleClas, 224x224",
	 V3_PAPER "1.90 M parameters", mobilenet_v3_small_0_5},
	{"mobilenet_v3_small_0.35_paddle", "MobileNet V3 Small 0.35 as in PaddleClas, 224x224",
	 V3_PAPER "1.66 M parameters", mobilenet_v3_small_0_35},
	{"ghostnet_0.5_paddle", "GhostNet 0.5 as in PaddleClas, 224x224", GHOST_PAPER "2.60 M parameters", ghostnet_0_5},
	{"ghostnet_paddle", "GhostNet as in PaddleClas, 224x224", GHOST_PAPER "5.20 M parameters", ghostnet_1_0},
	{"ghostnet_1.3_paddle", "GhostNet 1.3 as in PaddleClas, 224x224", GHOST_PAPER "7.30 M parameters", ghostnet_1_3},
	{"lcnet_2.5", "PP-LCNet 2.5, 224x224", LCNET_PAPER "0.906 GMAC, 9.0 M parameters", lcnet_2_5},
	{"lcnet_2.0", "PP-LCNet 2.0, 224x224", LCNET_PAPER "0.590 GMAC, 6.5 M parameters", lcnet_2_0},
	{"lcnet_1.5", "PP-LCNet 1.5, 224x224", LCNET_PAPER "0.342 GMAC, 4.5 M parameters", lcnet_1_5},
	{"lcnet_1.0", "PP-LCNet 1.0, 224x224", LCNET_PAPER "0.161 GMAC, 3.0 M parameters", lcnet_1_0},
	{"lcnet_0.75", "PP-LCNet 0.75, 224x224", LCNET_PAPER "0.099 GMAC, 2.4 M parameters", lcnet_0_75},
	{"lcnet_0.5", "PP-LCNet 0.5, 224x224", LCNET_PAPER "0.047 GMAC, 1.9 M parameters", lcnet_0_5},
	{"lcnet_0.35", "PP-LCNet 0.35, 224x224", LCNET_PAPER "0.029 GMAC, 1.6 M parameters", lcnet_0_35},
	{"lcnet_0.25", "PP-LCNet 0.25, 224x224", LCNET_PAPER "0.018 GMAC, 1.5 M parameters", lcnet_0_25},
	{0}
};
