/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Networks that concatenate, as tf2cv (imgclsmob) builds them: DenseNet, and
 * SqueezeNet with and without residual units. SqueezeNext, which doesn't.
 */
#include "zoo_tf2cv.h"

/* ---- DenseNet ---- */

enum { DENSE_STAGES = 4 };

/* What is joined or pooled before it is normalised: that stays. */
static int norm_relu(struct zoo *z, int x)
{
	return zoo_act(z, ZOO_RELU, zoo_unary(z, "BatchNormalization", "norm", x));
}

static int dense_unit(struct zoo *z, int x, int growth)
{
	int y = zoo_conv_act(z, "conv1", norm_relu(z, x), 4 * growth, zoo_pointwise(), ZOO_RELU);
	int b[2] = {x, zoo_tf2cv_conv(z, "conv2", y, growth, 3, 1, ZOO_LINEAR)};

	return zoo_concat(z, "concat", 2, b);
}

/* Halves the channels and the image. tf2cv averages windows of 2x2 at every pixel, and then takes every second of them. */
static int transition(struct zoo *z, int x)
{
	x = zoo_conv(z, "conv", norm_relu(z, x), zoo_channels(z, x) / 2, zoo_pointwise());
	x = zoo_avg_pool(z, "pool", x, zoo_square(2, 1, ZOO_VALID));
	return zoo_avg_pool(z, "pool_stride", x, zoo_square(1, 2, ZOO_VALID));
}

static void densenet(struct zoo *z, int growth, const int n_units[DENSE_STAGES])
{
	int x = zoo_tf2cv_image(z);

	zoo_block(z);
	x = zoo_tf2cv_conv(z, "stem", x, 2 * growth, 7, 2, ZOO_RELU);
	x = zoo_max_pool(z, "stem_pool", x, zoo_square(3, 2, ZOO_SAME));
	for (int stage = 0; stage < DENSE_STAGES; stage++) {
		if (stage > 0) {
			zoo_block(z);
			zoo_scope(z, "transition%d", stage);
			x = transition(z, x);
		}
		for (int i = 0; i < n_units[stage]; i++) {
			zoo_block(z);
			zoo_scope(z, "stage%d_unit%d", stage + 1, i + 1);
			x = dense_unit(z, x, growth);
		}
	}
	zoo_block(z);
	zoo_tf2cv_mean_fc(z, norm_relu(z, x));
}

static void densenet121(struct zoo *z) { densenet(z, 32, (const int[]){6, 12, 24, 16}); }
static void densenet161(struct zoo *z) { densenet(z, 48, (const int[]){6, 12, 36, 24}); }
static void densenet169(struct zoo *z) { densenet(z, 32, (const int[]){6, 12, 32, 32}); }
static void densenet201(struct zoo *z) { densenet(z, 32, (const int[]){6, 12, 48, 32}); }

/* ---- SqueezeNet ---- */

enum { FIRE_UNITS = 8 };

struct squeezenet {
	int stem_kernel, stem_channels;
	int pooled[2]; /* the units before which a pooling is, besides the first */
	bool residual; /* the input is added to every second unit's result */
};

static int fire(struct zoo *z, int x, int squeeze)
{
	int b[2];

	x = zoo_conv_act(z, "squeeze", x, squeeze, zoo_pointwise(), ZOO_RELU);
	b[0] = zoo_conv_act(z, "expand_1x1", x, 4 * squeeze, zoo_pointwise(), ZOO_RELU);
	b[1] = zoo_tf2cv_conv(z, "expand_3x3", x, 4 * squeeze, 3, 1, ZOO_RELU);
	return zoo_concat(z, "concat", 2, b);
}

/* What a stride would leave over of an even height has a border. */
static int squeeze_pool(struct zoo *z, int x)
{
	if (zoo_height(z, x) % 2 == 0)
		x = zoo_tf2cv_pad(z, "pool", x, 1);
	return zoo_max_pool(z, "pool", x, zoo_square(3, 2, ZOO_VALID));
}

static void squeezenet(struct zoo *z, const struct squeezenet *net)
{
	static const int squeeze[FIRE_UNITS] = {16, 16, 32, 32, 48, 48, 64, 64};
	int x = zoo_tf2cv_image(z), y;

	zoo_block(z);
	x = zoo_conv_act(z, "stem", x, net->stem_channels, zoo_square(net->stem_kernel, 2, ZOO_VALID), ZOO_RELU);
	x = zoo_max_pool(z, "pool1", x, zoo_square(3, 2, ZOO_VALID));
	for (int i = 0; i < FIRE_UNITS; i++) {
		zoo_tf2cv_unit(z, i);
		if (i == net->pooled[0] || i == net->pooled[1])
			x = squeeze_pool(z, x);
		y = fire(z, x, squeeze[i]);
		x = net->residual && i % 2 == 1 ? zoo_binary(z, "Add", "add", y, x) : y;
	}
	zoo_block(z);
	x = zoo_conv_act(z, "logits", x, ZOO_TF2CV_CLASSES, zoo_pointwise(), ZOO_RELU);
	zoo_output(z, zoo_global_pool(z, "pool", x));
}

static void squeezenet_1_0(struct zoo *z) { squeezenet(z, &(const struct squeezenet){7, 96, {3, 7}, false}); }
static void squeezenet_1_1(struct zoo *z) { squeezenet(z, &(const struct squeezenet){3, 64, {2, 4}, false}); }
static void squeezeresnet_1_0(struct zoo *z) { squeezenet(z, &(const struct squeezenet){7, 96, {3, 7}, true}); }
static void squeezeresnet_1_1(struct zoo *z) { squeezenet(z, &(const struct squeezenet){3, 64, {2, 4}, true}); }

/* ---- SqueezeNext ---- */

enum { NEXT_STAGES = 4 };

/* Everything is clipped, what goes around the windows, too. */
static int next_unit(struct zoo *z, int x, int out, int stride)
{
	const int in = zoo_channels(z, x), mid = stride > 1 ? in : in > out ? in / 4 : in / 2;
	int y = zoo_conv_act(z, "conv1", x, mid, zoo_square(1, stride, ZOO_VALID), ZOO_RELU);

	y = zoo_conv_act(z, "conv2", y, mid / 2, zoo_pointwise(), ZOO_RELU);
	y = zoo_conv_act(z, "conv3", y, mid, (struct zoo_window){1, 3, 1, ZOO_SAME}, ZOO_RELU);
	y = zoo_conv_act(z, "conv4", y, mid, (struct zoo_window){3, 1, 1, ZOO_SAME}, ZOO_RELU);
	y = zoo_conv_act(z, "conv5", y, out, zoo_pointwise(), ZOO_RELU);
	if (stride > 1 || in > out)
		x = zoo_conv_act(z, "shortcut", x, out, zoo_square(1, stride, ZOO_VALID), ZOO_RELU);
	return zoo_act(z, ZOO_RELU, zoo_binary(z, "Add", "add", y, x));
}

/* The first window's border is 1, not 3. */
static void squeezenext(struct zoo *z, const int n_units[NEXT_STAGES], int width_percent)
{
	int x = zoo_tf2cv_image(z), index = 0;

	zoo_block(z);
	x = zoo_tf2cv_pad(z, "stem", x, 1);
	x = zoo_conv_act(z, "stem", x, 64 * width_percent / 100, zoo_square(7, 2, ZOO_VALID), ZOO_RELU);
	zoo_scope(z, "stem");
	x = squeeze_pool(z, x);
	for (int stage = 0; stage < NEXT_STAGES; stage++)
		for (int i = 0; i < n_units[stage]; i++) {
			zoo_tf2cv_unit(z, index++);
			x = next_unit(z, x, (32 << stage) * width_percent / 100, stage > 0 && i == 0 ? 2 : 1);
		}
	zoo_block(z);
	zoo_tf2cv_mean_fc(z, zoo_conv_act(z, "head", x, 128 * width_percent / 100, zoo_pointwise(), ZOO_RELU));
}

static const int next23[NEXT_STAGES] = {6, 6, 8, 1}, next23v5[NEXT_STAGES] = {2, 4, 14, 1};

static void squeezenext23_1_0(struct zoo *z) { squeezenext(z, next23, 100); }
static void squeezenext23_1_5(struct zoo *z) { squeezenext(z, next23, 150); }
static void squeezenext23_2_0(struct zoo *z) { squeezenext(z, next23, 200); }
static void squeezenext23v5_1_0(struct zoo *z) { squeezenext(z, next23v5, 100); }
static void squeezenext23v5_1_5(struct zoo *z) { squeezenext(z, next23v5, 150); }
static void squeezenext23v5_2_0(struct zoo *z) { squeezenext(z, next23v5, 200); }

#define DENSENET "Huang et al., Densely Connected Convolutional Networks, CVPR 2017"
#define SQUEEZENET "Iandola et al., SqueezeNet: AlexNet-level accuracy with 50x fewer parameters, 2016, "
#define SQUEEZENEXT "Gholami et al., SqueezeNext: Hardware-Aware Neural Network Design, CVPR Workshops 2018" ZOO_TF2CV_READ

const struct zoo_network zoo_dense_networks[] = {
	{"densenet121", "DenseNet-121, 224x224", DENSENET ZOO_TF2CV "2.836 GMAC, 7.98 M parameters", densenet121},
	{"densenet161", "DenseNet-161, 224x224", DENSENET ZOO_TF2CV_READ "7.728 GMAC, 28.68 M parameters", densenet161},
	{"densenet169", "DenseNet-169, 224x224", DENSENET ZOO_TF2CV "3.362 GMAC, 14.15 M parameters", densenet169},
	{"densenet201", "DenseNet-201, 224x224", DENSENET ZOO_TF2CV_READ "4.291 GMAC, 20.01 M parameters", densenet201},
	{"squeezenet_1.0_tf2cv", "SqueezeNet 1.0 as in tf2cv, 224x224",
	 SQUEEZENET "version 1.0" ZOO_TF2CV_READ "0.819 GMAC, 1.248 M parameters", squeezenet_1_0},
	{"squeezenet_1.1", "SqueezeNet 1.1, 224x224", SQUEEZENET "version 1.1" ZOO_TF2CV "0.349 GMAC, 1.235 M parameters", squeezenet_1_1},
	{"squeezeresnet_1.0", "SqueezeNet 1.0 with residual units, 224x224",
	 SQUEEZENET "section 6" ZOO_TF2CV "0.824 GMAC, 1.248 M parameters", squeezeresnet_1_0},
	{"squeezeresnet_1.1", "SqueezeNet 1.1 with residual units, 224x224",
	 SQUEEZENET "version 1.1, section 6" ZOO_TF2CV "0.352 GMAC, 1.235 M parameters", squeezeresnet_1_1},
	{"squeezenext23_1.0", "SqueezeNext-23 1.0, 224x224", SQUEEZENEXT "0.276 GMAC, 0.72 M parameters", squeezenext23_1_0},
	{"squeezenext23_1.5", "SqueezeNext-23 1.5, 224x224", SQUEEZENEXT "0.535 GMAC, 1.51 M parameters", squeezenext23_1_5},
	{"squeezenext23_2.0", "SqueezeNext-23 2.0, 224x224", SQUEEZENEXT "0.876 GMAC, 2.58 M parameters", squeezenext23_2_0},
	{"squeezenext23v5_1.0", "SqueezeNext-23v5 1.0, 224x224", SQUEEZENEXT "0.277 GMAC, 0.92 M parameters", squeezenext23v5_1_0},
	{"squeezenext23v5_1.5", "SqueezeNext-23v5 1.5, 224x224", SQUEEZENEXT "0.538 GMAC, 1.95 M parameters", squeezenext23v5_1_5},
	{"squeezenext23v5_2.0", "SqueezeNext-23v5 2.0, 224x224", SQUEEZENEXT "0.880 GMAC, 3.37 M parameters", squeezenext23v5_2_0},
	{0}
};
