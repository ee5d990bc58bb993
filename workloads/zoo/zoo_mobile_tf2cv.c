/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Classifiers designed for phones around depthwise convolutions as tf2cv
 * (imgclsmob) builds them, in all its widths: MobileNet V1 to V3, FD-MobileNet, GhostNet.
 */
#include "zoo_tf2cv.h"

#include <assert.h>

/* ---- MobileNet V1 and FD-MobileNet: separable convolutions ---- */

enum { SEPARABLE_MAX = 13 };

struct separable {
	int n, stem, channels[SEPARABLE_MAX], stride[SEPARABLE_MAX];
};

static const struct separable v1 = {
	13, 32, {64, 128, 128, 256, 256, 512, 512, 512, 512, 512, 512, 1024, 1024}, {1, 2, 1, 2, 1, 2, 1, 1, 1, 1, 1, 2, 1}
};
static const struct separable fd = {
	11, 32, {64, 128, 128, 256, 256, 512, 512, 512, 512, 512, 1024}, {2, 2, 1, 2, 1, 2, 1, 1, 1, 1, 1}
};

/* between: what follows a depthwise convolution. */
static void separable(struct zoo *z, const struct separable *net, int width_percent, enum zoo_act between)
{
	int x = zoo_tf2cv_stem(z, net->stem * width_percent / 100, ZOO_RELU);

	for (int i = 0; i < net->n; i++) {
		zoo_tf2cv_unit(z, i);
		x = zoo_tf2cv_depthwise(z, "depthwise", x, 3, net->stride[i], between);
		x = zoo_conv_act(z, "pointwise", x, net->channels[i] * width_percent / 100, zoo_pointwise(), ZOO_RELU);
	}
	zoo_block(z);
	zoo_tf2cv_mean_fc(z, x);
}

#define SEPARABLE(name, net, width_percent, between) \
	static void name(struct zoo *z) { separable(z, &(net), width_percent, between); }

SEPARABLE(mobilenet_v1_1_0, v1, 100, ZOO_RELU)
SEPARABLE(mobilenet_v1_0_75, v1, 75, ZOO_RELU)
SEPARABLE(mobilenet_v1_0_5, v1, 50, ZOO_RELU)
SEPARABLE(mobilenet_v1_0_25, v1, 25, ZOO_RELU)
SEPARABLE(mobilenet_v1b_1_0, v1, 100, ZOO_LINEAR)
SEPARABLE(mobilenet_v1b_0_75, v1, 75, ZOO_LINEAR)
SEPARABLE(mobilenet_v1b_0_5, v1, 50, ZOO_LINEAR)
SEPARABLE(mobilenet_v1b_0_25, v1, 25, ZOO_LINEAR)
SEPARABLE(fdmobilenet_1_0, fd, 100, ZOO_RELU)
SEPARABLE(fdmobilenet_0_75, fd, 75, ZOO_RELU)
SEPARABLE(fdmobilenet_0_5, fd, 50, ZOO_RELU)
SEPARABLE(fdmobilenet_0_25, fd, 25, ZOO_RELU)

/* ---- MobileNet V2 ---- */

enum { V2_STAGES = 7 };

/* Other than in the paper widths aren't rounded to multiples of 8, and the first unit has a 1x1 convolution before the
 * depthwise one, which doesn't expand; V2b leaves it out. */
static void mobilenet_v2(struct zoo *z, int width_percent, int first_expand)
{
	struct zoo_tf2cv_mb units[V2_STAGES] = {
		{1, 0, 16, 3, 1, 0, ZOO_RELU6}, {2, 6, 24, 3, 2, 0, ZOO_RELU6}, {3, 6, 32, 3, 2, 0, ZOO_RELU6},
		{4, 6, 64, 3, 2, 0, ZOO_RELU6}, {3, 6, 96, 3, 1, 0, ZOO_RELU6}, {3, 6, 160, 3, 2, 0, ZOO_RELU6},
		{1, 6, 320, 3, 1, 0, ZOO_RELU6}
	};
	int x = zoo_tf2cv_stem(z, 32 * width_percent / 100, ZOO_RELU6);

	units[0].expand = first_expand;
	for (int i = 0; i < V2_STAGES; i++)
		units[i].out = units[i].out * width_percent / 100;
	x = zoo_tf2cv_mb(z, x, units, V2_STAGES, ZOO_GATE_SIGMOID);
	x = zoo_conv_act(z, "head", x, 1280, zoo_pointwise(), ZOO_RELU6);
	zoo_tf2cv_pool_conv(z, x, 0, ZOO_LINEAR);
}

#define V2(name, width_percent, first_expand) \
	static void name(struct zoo *z) { mobilenet_v2(z, width_percent, first_expand); }

V2(mobilenet_v2_1_0, 100, 1)
V2(mobilenet_v2_0_75, 75, 1)
V2(mobilenet_v2_0_5, 50, 1)
V2(mobilenet_v2_0_25, 25, 1)
V2(mobilenet_v2b_1_0, 100, 0)
V2(mobilenet_v2b_0_75, 75, 0)
V2(mobilenet_v2b_0_5, 50, 0)
V2(mobilenet_v2b_0_25, 25, 0)

/* ---- MobileNet V3 ---- */

enum { V3_ENTRIES_MAX = 12 };

/* Units at the paper's width; squeezed only says whether there is an excitation, to a quarter of what is expanded. */
struct v3 {
	int n, head;
	struct zoo_tf2cv_mb unit[V3_ENTRIES_MAX];
};

static const struct v3 large = {12, 960, {
	{1, 0, 16, 3, 1, 0, ZOO_RELU}, {1, 64, 24, 3, 2, 0, ZOO_RELU}, {1, 72, 24, 3, 1, 0, ZOO_RELU},
	{1, 72, 40, 5, 2, 1, ZOO_RELU}, {2, 120, 40, 5, 1, 1, ZOO_RELU},
	{1, 240, 80, 3, 2, 0, ZOO_HARD_SWISH}, {1, 200, 80, 3, 1, 0, ZOO_HARD_SWISH}, {2, 184, 80, 3, 1, 0, ZOO_HARD_SWISH},
	{1, 480, 112, 3, 1, 1, ZOO_HARD_SWISH}, {1, 672, 112, 3, 1, 1, ZOO_HARD_SWISH},
	{1, 672, 160, 5, 2, 1, ZOO_HARD_SWISH}, {2, 960, 160, 5, 1, 1, ZOO_HARD_SWISH}
}};
static const struct v3 small = {9, 576, {
	{1, 0, 16, 3, 2, 1, ZOO_RELU}, {1, 72, 24, 3, 2, 0, ZOO_RELU}, {1, 88, 24, 3, 1, 0, ZOO_RELU},
	{1, 96, 40, 5, 2, 1, ZOO_HARD_SWISH}, {2, 240, 40, 5, 1, 1, ZOO_HARD_SWISH},
	{1, 120, 48, 5, 1, 1, ZOO_HARD_SWISH}, {1, 144, 48, 5, 1, 1, ZOO_HARD_SWISH},
	{1, 288, 96, 5, 2, 1, ZOO_HARD_SWISH}, {2, 576, 96, 5, 1, 1, ZOO_HARD_SWISH}
}};

/* Of the last two layers the first grows with a width above 1, the other is as wide in all, in Small, too. */
static void mobilenet_v3(struct zoo *z, const struct v3 *net, int width_percent)
{
	const int stem = zoo_round8(16, width_percent);
	struct zoo_tf2cv_mb unit[V3_ENTRIES_MAX];
	int x = zoo_tf2cv_stem(z, stem, ZOO_HARD_SWISH);

	assert(net->n <= V3_ENTRIES_MAX);
	for (int i = 0; i < net->n; i++) {
		unit[i] = net->unit[i];
		unit[i].out = zoo_round8(unit[i].out, width_percent);
		if (unit[i].expand > 0)
			unit[i].expand = zoo_round8(unit[i].expand, width_percent);
		if (unit[i].squeezed)
			unit[i].squeezed = zoo_round8(unit[i].expand > 0 ? unit[i].expand : stem, 25);
	}
	x = zoo_tf2cv_mb(z, x, unit, net->n, ZOO_GATE_HARD);
	x = zoo_conv_act(z, "head", x, zoo_round8(net->head, width_percent > 100 ? width_percent : 100), zoo_pointwise(),
	                 ZOO_HARD_SWISH);
	zoo_tf2cv_pool_conv(z, x, 1280, ZOO_HARD_SWISH);
}

#define V3(name, net, width_percent) \
	static void name(struct zoo *z) { mobilenet_v3(z, &(net), width_percent); }

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

/* Half of the channels are computed, the other half is a depthwise convolution of these. */
static int ghost(struct zoo *z, const char *name, int x, int channels, enum zoo_act act)
{
	char cheap[32], joined[32];
	int b[2];

	snprintf(cheap, sizeof cheap, "%s_cheap", name);
	snprintf(joined, sizeof joined, "%s_concat", name);
	b[0] = zoo_conv_act(z, name, x, channels / 2, zoo_pointwise(), act);
	b[1] = zoo_tf2cv_depthwise(z, cheap, b[0], 3, 1, act);
	return zoo_concat(z, joined, 2, b);
}

static int ghost_unit(struct zoo *z, int x, const struct zoo_tf2cv_mb *u)
{
	int y = ghost(z, "expand", x, u->expand, ZOO_RELU);

	if (u->stride > 1)
		y = zoo_tf2cv_depthwise(z, "depthwise", y, u->kernel, u->stride, ZOO_LINEAR);
	if (u->squeezed > 0)
		y = zoo_tf2cv_excite(z, y, u->squeezed, ZOO_GATE_CLIP);
	y = ghost(z, "project", y, u->out, ZOO_LINEAR);
	if (u->stride > 1 || zoo_channels(z, x) != u->out) {
		x = zoo_tf2cv_depthwise(z, "shortcut_depthwise", x, 3, u->stride, ZOO_RELU);
		x = zoo_conv(z, "shortcut", x, u->out, zoo_pointwise());
	}
	return zoo_binary(z, "Add", "add", y, x);
}

static void ghostnet(struct zoo *z)
{
	static const struct zoo_tf2cv_mb units[] = {
		{1, 16, 16, 3, 1, 0, ZOO_RELU}, {1, 48, 24, 3, 2, 0, ZOO_RELU}, {1, 72, 24, 3, 1, 0, ZOO_RELU},
		{1, 72, 40, 5, 2, 18, ZOO_RELU}, {1, 120, 40, 5, 1, 30, ZOO_RELU}, {1, 240, 80, 3, 2, 0, ZOO_RELU},
		{1, 200, 80, 3, 1, 0, ZOO_RELU}, {1, 184, 80, 3, 1, 0, ZOO_RELU}, {1, 184, 80, 3, 1, 0, ZOO_RELU},
		{1, 480, 112, 3, 1, 120, ZOO_RELU}, {1, 672, 112, 3, 1, 168, ZOO_RELU}, {1, 672, 160, 5, 2, 168, ZOO_RELU},
		{1, 960, 160, 5, 1, 0, ZOO_RELU}, {1, 960, 160, 5, 1, 240, ZOO_RELU}, {1, 960, 160, 5, 1, 0, ZOO_RELU},
		{1, 960, 160, 5, 1, 240, ZOO_RELU}
	};
	int x = zoo_tf2cv_stem(z, 16, ZOO_RELU);

	for (int i = 0; i < 16; i++) {
		zoo_tf2cv_unit(z, i);
		x = ghost_unit(z, x, &units[i]);
	}
	zoo_block(z);
	x = zoo_conv_act(z, "head", x, 960, zoo_pointwise(), ZOO_RELU);
	zoo_tf2cv_pool_conv(z, x, 1280, ZOO_RELU);
}

#define V1_PAPER "Howard et al., MobileNets: Efficient Convolutional Neural Networks for Mobile Vision Applications, 2017"
#define V1B_PAPER "Howard et al., MobileNets: Efficient Convolutional Neural Networks for Mobile Vision Applications, 2017, " \
	"without normalisation and ReLU after depthwise convolutions"
#define FD_PAPER "Qin et al., FD-MobileNet: Improved MobileNet with a Fast Downsampling Strategy, 2018"
#define V2_PAPER "Sandler et al., MobileNetV2: Inverted Residuals and Linear Bottlenecks, CVPR 2018"
#define V3_PAPER "Howard et al., Searching for MobileNetV3, ICCV 2019"

const struct zoo_network zoo_mobile_tf2cv_networks[] = {
	{"mobilenet_v1_1.0_tf2cv", "MobileNet V1 1.0 as in tf2cv, 224x224",
	 V1_PAPER ZOO_TF2CV_READ "0.569 GMAC, 4.23 M parameters", mobilenet_v1_1_0},
	{"mobilenet_v1_0.75_tf2cv", "MobileNet V1 0.75 as in tf2cv, 224x224",
	 V1_PAPER ZOO_TF2CV "0.325 GMAC, 2.59 M parameters", mobilenet_v1_0_75},
	{"mobilenet_v1_0.5_tf2cv", "MobileNet V1 0.5 as in tf2cv, 224x224",
	 V1_PAPER ZOO_TF2CV "0.149 GMAC, 1.33 M parameters", mobilenet_v1_0_5},
	{"mobilenet_v1_0.25_tf2cv", "MobileNet V1 0.25 as in tf2cv, 224x224",
	 V1_PAPER ZOO_TF2CV "0.041 GMAC, 0.47 M parameters", mobilenet_v1_0_25},
	{"mobilenet_v1b_1.0", "MobileNet V1 1.0 with linear depthwise convolutions, 224x224",
	 V1B_PAPER ZOO_TF2CV_READ "0.569 GMAC, 4.22 M parameters", mobilenet_v1b_1_0},
	{"mobilenet_v1b_0.75", "MobileNet V1 0.75 with linear depthwise convolutions, 224x224",
	 V1B_PAPER ZOO_TF2CV "0.325 GMAC, 2.58 M parameters", mobilenet_v1b_0_75},
	{"mobilenet_v1b_0.5", "MobileNet V1 0.5 with linear depthwise convolutions, 224x224",
	 V1B_PAPER ZOO_TF2CV_READ "0.149 GMAC, 1.33 M parameters", mobilenet_v1b_0_5},
	{"mobilenet_v1b_0.25", "MobileNet V1 0.25 with linear depthwise convolutions, 224x224",
	 V1B_PAPER ZOO_TF2CV "0.041 GMAC, 0.47 M parameters", mobilenet_v1b_0_25},
	{"fdmobilenet_1.0", "FD-MobileNet 1.0, 224x224", FD_PAPER ZOO_TF2CV "0.144 GMAC, 2.90 M parameters", fdmobilenet_1_0},
	{"fdmobilenet_0.75", "FD-MobileNet 0.75, 224x224", FD_PAPER ZOO_TF2CV "0.084 GMAC, 1.83 M parameters", fdmobilenet_0_75},
	{"fdmobilenet_0.5", "FD-MobileNet 0.5, 224x224", FD_PAPER ZOO_TF2CV "0.040 GMAC, 0.99 M parameters", fdmobilenet_0_5},
	{"fdmobilenet_0.25", "FD-MobileNet 0.25, 224x224", FD_PAPER ZOO_TF2CV "0.012 GMAC, 0.38 M parameters", fdmobilenet_0_25},
	{"mobilenet_v2_1.0_tf2cv", "MobileNet V2 1.0 as in tf2cv, 224x224",
	 V2_PAPER ZOO_TF2CV "0.314 GMAC, 3.49 M parameters", mobilenet_v2_1_0},
	{"mobilenet_v2_0.75_tf2cv", "MobileNet V2 0.75 as in tf2cv, 224x224",
	 V2_PAPER ZOO_TF2CV "0.187 GMAC, 2.63 M parameters", mobilenet_v2_0_75},
	{"mobilenet_v2_0.5_tf2cv", "MobileNet V2 0.5 as in tf2cv, 224x224",
	 V2_PAPER ZOO_TF2CV_READ "0.092 GMAC, 1.96 M parameters", mobilenet_v2_0_5},
	{"mobilenet_v2_0.25_tf2cv", "MobileNet V2 0.25 as in tf2cv, 224x224",
	 V2_PAPER ZOO_TF2CV "0.030 GMAC, 1.52 M parameters", mobilenet_v2_0_25},
	{"mobilenet_v2b_1.0", "MobileNet V2 1.0 whose first unit doesn't expand, 224x224",
	 V2_PAPER ZOO_TF2CV_READ "0.301 GMAC, 3.50 M parameters", mobilenet_v2b_1_0},
	{"mobilenet_v2b_0.75", "MobileNet V2 0.75 whose first unit doesn't expand, 224x224",
	 V2_PAPER ZOO_TF2CV_READ "0.179 GMAC, 2.63 M parameters", mobilenet_v2b_0_75},
	{"mobilenet_v2b_0.5", "MobileNet V2 0.5 whose first unit doesn't expand, 224x224",
	 V2_PAPER ZOO_TF2CV "0.089 GMAC, 1.96 M parameters", mobilenet_v2b_0_5},
	{"mobilenet_v2b_0.25", "MobileNet V2 0.25 whose first unit doesn't expand, 224x224",
	 V2_PAPER ZOO_TF2CV "0.030 GMAC, 1.52 M parameters", mobilenet_v2b_0_25},
	{"mobilenet_v3_large_1.25", "MobileNet V3 Large 1.25, 224x224",
	 V3_PAPER ZOO_TF2CV "0.343 GMAC, 7.46 M parameters", mobilenet_v3_large_1_25},
	{"mobilenet_v3_large_tf2cv", "MobileNet V3 Large as in tf2cv, 224x224",
	 V3_PAPER ZOO_TF2CV_READ "0.217 GMAC, 5.48 M parameters", mobilenet_v3_large_1_0},
	{"mobilenet_v3_large_0.75", "MobileNet V3 Large 0.75, 224x224",
	 V3_PAPER ZOO_TF2CV "0.142 GMAC, 4.26 M parameters", mobilenet_v3_large_0_75},
	{"mobilenet_v3_large_0.5", "MobileNet V3 Large 0.5, 224x224",
	 V3_PAPER ZOO_TF2CV "0.068 GMAC, 3.33 M parameters", mobilenet_v3_large_0_5},
	{"mobilenet_v3_large_0.35", "MobileNet V3 Large 0.35, 224x224",
	 V3_PAPER ZOO_TF2CV "0.039 GMAC, 2.94 M parameters", mobilenet_v3_large_0_35},
	{"mobilenet_v3_small_1.25", "MobileNet V3 Small 1.25, 224x224",
	 V3_PAPER ZOO_TF2CV_READ "0.088 GMAC, 3.64 M parameters", mobilenet_v3_small_1_25},
	{"mobilenet_v3_small_tf2cv", "MobileNet V3 Small as in tf2cv, 224x224",
	 V3_PAPER ZOO_TF2CV "0.057 GMAC, 2.95 M parameters", mobilenet_v3_small_1_0},
	{"mobilenet_v3_small_0.75", "MobileNet V3 Small 0.75, 224x224",
	 V3_PAPER ZOO_TF2CV "0.041 GMAC, 2.58 M parameters", mobilenet_v3_small_0_75},
	{"mobilenet_v3_small_0.5", "MobileNet V3 Small 0.5, 224x224",
	 V3_PAPER ZOO_TF2CV "0.021 GMAC, 2.29 M parameters", mobilenet_v3_small_0_5},
	{"mobilenet_v3_small_0.35", "MobileNet V3 Small 0.35, 224x224",
	 V3_PAPER ZOO_TF2CV "0.013 GMAC, 2.16 M parameters", mobilenet_v3_small_0_35},
	{"ghostnet", "GhostNet 1.0, 224x224",
	 "Han et al., GhostNet: More Features from Cheap Operations, CVPR 2020" ZOO_TF2CV "0.141 GMAC, 5.17 M parameters", ghostnet},
	{0}
};
