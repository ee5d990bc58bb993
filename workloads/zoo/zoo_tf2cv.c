/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Networks as tf2cv (imgclsmob) builds them: those are the graphs whose
 * latencies qed-usc/mobile-ml-benchmark has. What sets them apart is padding:
 * depthwise convolutions, some dense ones and some poolings don't pad but read
 * what a Pad before them wrote, and no softmax follows.
 */
#include "zoo_tf2cv.h"

static int stem(struct zoo *z, int channels, enum zoo_act act)
{
	zoo_block(z);
	return zoo_conv_act(z, "stem", zoo_tf2cv_image(z), channels, zoo_square(3, 2, ZOO_SAME), act);
}

/* ---- inverted residual units: MobileNet V2 and V3, MnasNet, SPNASNet ---- */

/* n units; expand is a width, or, where it is below RATIO_BELOW, a multiple of
 * the input's width; 0: there is no expansion. squeezed 0: no excitation. */
struct unit {
	int n, expand, out, kernel, stride, squeezed;
	enum zoo_act act;
};

enum { RATIO_BELOW = 8 };

static int inverted_unit(struct zoo *z, int x, const struct unit *u, int stride)
{
	int in = zoo_channels(z, x), y = x;

	if (u->expand > 0)
		y = zoo_conv_act(z, "expand", y, u->expand < RATIO_BELOW ? u->expand * in : u->expand, zoo_pointwise(), u->act);
	y = zoo_tf2cv_depthwise(z, "depthwise", y, u->kernel, stride, u->act);
	if (u->squeezed > 0)
		y = zoo_tf2cv_excite(z, y, u->squeezed, ZOO_GATE_HARD);
	y = zoo_conv(z, "project", y, u->out, zoo_pointwise());
	return stride == 1 && in == u->out ? zoo_binary(z, "Add", "add", y, x) : y;
}

static int inverted_units(struct zoo *z, int x, const struct unit *u, int n)
{
	int index = 0;

	for (int i = 0; i < n; i++)
		for (int j = 0; j < u[i].n; j++) {
			zoo_tf2cv_unit(z, index++);
			x = inverted_unit(z, x, &u[i], j == 0 ? u[i].stride : 1);
		}
	zoo_block(z);
	return x;
}

/* The classifier as a convolution of what a pooling of 7x7 left; hidden 0: no layer before it. */
static void pool_conv(struct zoo *z, int x, int hidden, enum zoo_act act)
{
	x = zoo_avg_pool(z, "pool", x, zoo_square(7, 1, ZOO_VALID));
	if (hidden > 0)
		x = zoo_conv_act(z, "hidden", x, hidden, zoo_pointwise(), act);
	zoo_output(z, zoo_conv(z, "logits", x, ZOO_TF2CV_CLASSES, zoo_pointwise()));
}

/* Other than in the paper, the first unit expands, too: 32 channels to 32. */
static void mobilenet_v2(struct zoo *z)
{
	static const struct unit units[] = {
		{1, 1, 16, 3, 1, 0, ZOO_RELU6}, {2, 6, 24, 3, 2, 0, ZOO_RELU6}, {3, 6, 32, 3, 2, 0, ZOO_RELU6},
		{4, 6, 64, 3, 2, 0, ZOO_RELU6}, {3, 6, 96, 3, 1, 0, ZOO_RELU6}, {3, 6, 160, 3, 2, 0, ZOO_RELU6},
		{1, 6, 320, 3, 1, 0, ZOO_RELU6}
	};
	int x = inverted_units(z, stem(z, 32, ZOO_RELU6), units, 7);

	x = zoo_conv_act(z, "head", x, 1280, zoo_pointwise(), ZOO_RELU6);
	pool_conv(z, x, 0, ZOO_LINEAR);
}

static void mnasnet(struct zoo *z)
{
	static const struct unit units[] = {
		{1, 0, 16, 3, 1, 0, ZOO_RELU}, {3, 3, 24, 3, 2, 0, ZOO_RELU}, {3, 3, 40, 5, 2, 0, ZOO_RELU},
		{3, 6, 80, 5, 2, 0, ZOO_RELU}, {2, 6, 96, 3, 1, 0, ZOO_RELU}, {4, 6, 192, 5, 2, 0, ZOO_RELU},
		{1, 6, 320, 3, 1, 0, ZOO_RELU}
	};
	int x = inverted_units(z, stem(z, 32, ZOO_RELU), units, 7);

	zoo_tf2cv_mean_fc(z, zoo_conv_act(z, "head", x, 1280, zoo_pointwise(), ZOO_RELU));
}

static void spnasnet(struct zoo *z)
{
	static const struct unit units[] = {
		{1, 0, 16, 3, 1, 0, ZOO_RELU}, {3, 3, 24, 3, 2, 0, ZOO_RELU},
		{1, 6, 40, 5, 2, 0, ZOO_RELU}, {3, 3, 40, 3, 1, 0, ZOO_RELU},
		{1, 6, 80, 5, 2, 0, ZOO_RELU}, {3, 3, 80, 3, 1, 0, ZOO_RELU},
		{1, 6, 96, 5, 1, 0, ZOO_RELU}, {3, 3, 96, 5, 1, 0, ZOO_RELU},
		{4, 6, 192, 5, 2, 0, ZOO_RELU}, {1, 6, 320, 3, 1, 0, ZOO_RELU}
	};
	int x = inverted_units(z, stem(z, 32, ZOO_RELU), units, 10);

	zoo_tf2cv_mean_fc(z, zoo_conv_act(z, "head", x, 1280, zoo_pointwise(), ZOO_RELU));
}

/* Widths are the paper's, times a half, rounded to multiples of 8; those of the last two layers aren't scaled. */
static void mobilenet_v3_large(struct zoo *z)
{
	static const struct unit units[] = {
		{1, 0, 8, 3, 1, 0, ZOO_RELU}, {1, 32, 16, 3, 2, 0, ZOO_RELU}, {1, 40, 16, 3, 1, 0, ZOO_RELU},
		{1, 40, 24, 5, 2, 16, ZOO_RELU}, {2, 64, 24, 5, 1, 16, ZOO_RELU},
		{1, 120, 40, 3, 2, 0, ZOO_HARD_SWISH}, {1, 104, 40, 3, 1, 0, ZOO_HARD_SWISH}, {2, 96, 40, 3, 1, 0, ZOO_HARD_SWISH},
		{1, 240, 56, 3, 1, 64, ZOO_HARD_SWISH}, {1, 336, 56, 3, 1, 88, ZOO_HARD_SWISH},
		{1, 336, 80, 5, 2, 88, ZOO_HARD_SWISH}, {2, 480, 80, 5, 1, 120, ZOO_HARD_SWISH}
	};
	int x = inverted_units(z, stem(z, 8, ZOO_HARD_SWISH), units, 12);

	x = zoo_conv_act(z, "head", x, 960, zoo_pointwise(), ZOO_HARD_SWISH);
	pool_conv(z, x, 1280, ZOO_HARD_SWISH);
}

static void mobilenet_v3_small(struct zoo *z)
{
	static const struct unit units[] = {
		{1, 0, 16, 3, 2, 8, ZOO_RELU}, {1, 56, 24, 3, 2, 0, ZOO_RELU}, {1, 64, 24, 3, 1, 0, ZOO_RELU},
		{1, 72, 32, 5, 2, 24, ZOO_HARD_SWISH}, {2, 184, 32, 5, 1, 48, ZOO_HARD_SWISH},
		{1, 88, 40, 5, 1, 24, ZOO_HARD_SWISH}, {1, 112, 40, 5, 1, 32, ZOO_HARD_SWISH},
		{1, 216, 72, 5, 2, 56, ZOO_HARD_SWISH}, {2, 432, 72, 5, 1, 112, ZOO_HARD_SWISH}
	};
	int x = inverted_units(z, stem(z, 16, ZOO_HARD_SWISH), units, 9);

	x = zoo_conv_act(z, "head", x, 576, zoo_pointwise(), ZOO_HARD_SWISH);
	pool_conv(z, x, 1280, ZOO_HARD_SWISH);
}

/* ---- FD-MobileNet ---- */

static void fdmobilenet(struct zoo *z)
{
	static const int channels[] = {32, 64, 64, 128, 128, 256, 256, 256, 256, 256, 512};
	static const int stride[] = {2, 2, 1, 2, 1, 2, 1, 1, 1, 1, 1};
	int x = stem(z, 16, ZOO_RELU);

	for (int i = 0; i < 11; i++) {
		zoo_tf2cv_unit(z, i);
		x = zoo_tf2cv_depthwise(z, "depthwise", x, 3, stride[i], ZOO_RELU);
		x = zoo_conv_act(z, "pointwise", x, channels[i], zoo_pointwise(), ZOO_RELU);
	}
	zoo_block(z);
	zoo_tf2cv_mean_fc(z, x);
}

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

static int ghost_unit(struct zoo *z, int x, const struct unit *u)
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
	static const struct unit units[] = {
		{1, 16, 16, 3, 1, 0, ZOO_RELU}, {1, 48, 24, 3, 2, 0, ZOO_RELU}, {1, 72, 24, 3, 1, 0, ZOO_RELU},
		{1, 72, 40, 5, 2, 18, ZOO_RELU}, {1, 120, 40, 5, 1, 30, ZOO_RELU}, {1, 240, 80, 3, 2, 0, ZOO_RELU},
		{1, 200, 80, 3, 1, 0, ZOO_RELU}, {1, 184, 80, 3, 1, 0, ZOO_RELU}, {1, 184, 80, 3, 1, 0, ZOO_RELU},
		{1, 480, 112, 3, 1, 120, ZOO_RELU}, {1, 672, 112, 3, 1, 168, ZOO_RELU}, {1, 672, 160, 5, 2, 168, ZOO_RELU},
		{1, 960, 160, 5, 1, 0, ZOO_RELU}, {1, 960, 160, 5, 1, 240, ZOO_RELU}, {1, 960, 160, 5, 1, 0, ZOO_RELU},
		{1, 960, 160, 5, 1, 240, ZOO_RELU}
	};
	int x = stem(z, 16, ZOO_RELU);

	for (int i = 0; i < 16; i++) {
		zoo_tf2cv_unit(z, i);
		x = ghost_unit(z, x, &units[i]);
	}
	zoo_block(z);
	x = zoo_conv_act(z, "head", x, 960, zoo_pointwise(), ZOO_RELU);
	pool_conv(z, x, 1280, ZOO_RELU);
}

/* ---- VoVNet ---- */

/* One-shot aggregation: five convolutions in a row, all of whose results are joined with the input. */
static int aggregation(struct zoo *z, int x, int mid, int out)
{
	int part[6] = {x};
	char name[16];

	for (int i = 1; i <= 5; i++) {
		snprintf(name, sizeof name, "conv%d", i);
		part[i] = zoo_conv_act(z, name, part[i - 1], mid, zoo_square(3, 1, ZOO_SAME), ZOO_RELU);
	}
	return zoo_conv_act(z, "join", zoo_concat(z, "concat", 6, part), out, zoo_pointwise(), ZOO_RELU);
}

static void vovnet27_slim(struct zoo *z)
{
	int x = stem(z, 64, ZOO_RELU);

	x = zoo_conv_act(z, "stem2", x, 64, zoo_square(3, 1, ZOO_SAME), ZOO_RELU);
	x = zoo_conv_act(z, "stem3", x, 128, zoo_square(3, 2, ZOO_SAME), ZOO_RELU);
	for (int i = 0; i < 4; i++) {
		zoo_tf2cv_unit(z, i);
		if (i > 0)
			x = zoo_max_pool(z, "pool", zoo_tf2cv_pad(z, "pool", x, 1), zoo_square(3, 2, ZOO_VALID));
		x = aggregation(z, x, 64 + 16 * i, 128 * (i + 1));
	}
	zoo_block(z);
	zoo_tf2cv_mean_fc(z, x);
}

const struct zoo_network zoo_tf2cv_networks[] = {
	{"mobilenet_v2_1.0_tf2cv", "MobileNet V2 1.0 as in tf2cv, 224x224",
	 "Sandler et al., MobileNetV2: Inverted Residuals and Linear Bottlenecks, CVPR 2018" ZOO_TF2CV
	 "0.314 GMAC, 3.49 M parameters", mobilenet_v2},
	{"mnasnet_1.0_tf2cv", "MnasNet B1 1.0 as in tf2cv, 224x224",
	 "Tan et al., MnasNet: Platform-Aware Neural Architecture Search for Mobile, CVPR 2019, B1" ZOO_TF2CV
	 "0.314 GMAC, 4.36 M parameters", mnasnet},
	{"spnasnet", "Single-Path NAS, 224x224",
	 "Stamoulis et al., Single-Path NAS: Designing Hardware-Efficient ConvNets in less than 4 Hours, 2019" ZOO_TF2CV
	 "0.333 GMAC, 4.40 M parameters", spnasnet},
	{"mobilenet_v3_large_0.5", "MobileNet V3 Large 0.5, 224x224",
	 "Howard et al., Searching for MobileNetV3, ICCV 2019" ZOO_TF2CV "0.068 GMAC, 3.33 M parameters", mobilenet_v3_large},
	{"mobilenet_v3_small_0.75", "MobileNet V3 Small 0.75, 224x224",
	 "Howard et al., Searching for MobileNetV3, ICCV 2019" ZOO_TF2CV "0.041 GMAC, 2.58 M parameters", mobilenet_v3_small},
	{"fdmobilenet_0.5", "FD-MobileNet 0.5, 224x224",
	 "Qin et al., FD-MobileNet: Improved MobileNet with a Fast Downsampling Strategy, 2018" ZOO_TF2CV
	 "0.040 GMAC, 0.99 M parameters", fdmobilenet},
	{"ghostnet", "GhostNet 1.0, 224x224",
	 "Han et al., GhostNet: More Features from Cheap Operations, CVPR 2020" ZOO_TF2CV "0.141 GMAC, 5.17 M parameters", ghostnet},
	{"vovnet27_slim", "VoVNet-27-slim, 224x224",
	 "Lee et al., An Energy and GPU-Computation Efficient Backbone Network for Real-Time Object Detection, CVPRW 2019" ZOO_TF2CV
	 "2.177 GMAC, 3.52 M parameters", vovnet27_slim},
	{0}
};
