/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Classifiers designed for phones around depthwise convolutions: MobileNet
 * V1, V2 and V3, MnasNet and ShuffleNet V2; and MobileFaceNet, whose features
 * tell faces apart.
 */
#include "zoo_blocks.h"

/* ---- MobileNet V1 ---- */

/* Blocks: the stem, 13 depthwise separable convolutions, the classifier. */
static void mobilenet_v1(struct zoo *z)
{
	static const int channels[] = {64, 128, 128, 256, 256, 512, 512, 512, 512, 512, 512, 1024, 1024};
	static const int stride[] = {1, 2, 1, 2, 1, 2, 1, 1, 1, 1, 1, 2, 1};
	int x = zoo_input(z, "image", 224, 224, 3);

	zoo_block(z);
	x = zoo_conv_act(z, "conv0", x, 32, zoo_square(3, 2, ZOO_SAME), ZOO_RELU6);
	for (int i = 0; i < 13; i++) {
		zoo_block(z);
		zoo_scope(z, "separable%d", i + 1);
		x = zoo_act(z, ZOO_RELU6, zoo_depthwise(z, "depthwise", x, zoo_square(3, stride[i], ZOO_SAME)));
		x = zoo_conv_act(z, "pointwise", x, channels[i], zoo_pointwise(), ZOO_RELU6);
	}
	zoo_block(z);
	zoo_output(z, zoo_conv_softmax(z, zoo_global_pool(z, "pool", x), 1001));
}

/* ---- MobileNet V2 ---- */

/* Blocks are MOSAIC's 18 layers: the stem with the first bottleneck, the 16
 * other bottlenecks, and the head (last convolution, pooling, classifier). A
 * network that is narrower keeps the width of the last convolution. */
static void mobilenet_v2_of(struct zoo *z, const struct zoo_mb_stage stages[6], struct zoo_mb_style style, int classes, bool first_expands)
{
	static const struct zoo_mb_stage first = {1, 16, 1, 1, 3};
	const int percent = style.width_percent;
	int x = zoo_input(z, "image", 224, 224, 3);

	zoo_block(z);
	x = zoo_conv_act(z, "conv", x, zoo_round8(32, percent), zoo_square(3, 2, ZOO_SAME), style.act);
	zoo_scope(z, "stage1_unit1");
	if (first_expands)
		x = zoo_conv_act(z, "expand", x, zoo_channels(z, x), zoo_pointwise(), style.act);
	x = zoo_mb_unit(z, x, first, 1, style);
	x = zoo_mb_stages(z, x, stages, 6, 2, style);
	zoo_block(z);
	x = zoo_conv_act(z, "conv_1", x, zoo_round8(1280, percent < 100 ? 100 : percent), zoo_pointwise(), style.act);
	zoo_output(z, zoo_conv_softmax(z, zoo_global_pool(z, "pool", x), classes));
}

static void mobilenet_v2(struct zoo *z, int width_percent)
{
	static const struct zoo_mb_stage stages[] = {
		{6, 24, 2, 2, 3}, {6, 32, 3, 2, 3}, {6, 64, 4, 2, 3}, {6, 96, 3, 1, 3}, {6, 160, 3, 2, 3}, {6, 320, 1, 1, 3}
	};

	mobilenet_v2_of(z, stages, (struct zoo_mb_style){ZOO_RELU6, width_percent, false, ZOO_SAME}, 1001, false);
}

/* The stage of 64 channels works on 28x28, the one of 96 skips pixels instead; the first unit expands, too, by nothing. */
static void mobilenet_v2_caffe(struct zoo *z)
{
	static const struct zoo_mb_stage stages[] = {
		{6, 24, 2, 2, 3}, {6, 32, 3, 2, 3}, {6, 64, 4, 1, 3}, {6, 96, 3, 2, 3}, {6, 160, 3, 2, 3}, {6, 320, 1, 1, 3}
	};

	mobilenet_v2_of(z, stages, (struct zoo_mb_style){ZOO_RELU, 100, false, ZOO_SAME}, 1000, true);
}

static void mobilenet_v2_0_5(struct zoo *z)
{
	mobilenet_v2(z, 50);
}

static void mobilenet_v2_1_0(struct zoo *z)
{
	mobilenet_v2(z, 100);
}

static void mobilenet_v2_1_3(struct zoo *z)
{
	mobilenet_v2(z, 130);
}

static void mobilenet_v2_1_4(struct zoo *z)
{
	mobilenet_v2(z, 140);
}

static void mobilenet_v2_1_5(struct zoo *z)
{
	mobilenet_v2(z, 150);
}

static void mobilenet_v2_2_0(struct zoo *z)
{
	mobilenet_v2(z, 200);
}

/* ---- MobileNet V3 ---- */

/* n units: widths of the expansion, the output and the squeezed vector (0: no excitation). */
struct v3_units {
	int n, expand, out, kernel, stride, squeezed;
	enum zoo_act act;
};

/* The gate is a hard sigmoid: 3 more is in the bias, what remains is clipped and divided by 6. */
static int v3_excite(struct zoo *z, int x, int squeezed)
{
	int gate = zoo_mean(z, "se_mean", x);

	gate = zoo_conv_act(z, "se_reduce", gate, squeezed, zoo_pointwise(), ZOO_RELU);
	gate = zoo_conv_act(z, "se_expand", gate, zoo_channels(z, x), zoo_pointwise(), ZOO_RELU6);
	return zoo_binary(z, "Mul", "se_scale", x, zoo_unary(z, "BatchNormalization", "se_sixth", gate));
}

static int v3_unit(struct zoo *z, int x, const struct v3_units *u, int stride)
{
	int in = zoo_channels(z, x), y = x;

	if (u->expand != in)
		y = zoo_conv_act(z, "expand", y, u->expand, zoo_pointwise(), u->act);
	y = zoo_act(z, u->act, zoo_depthwise(z, "depthwise", y, zoo_square(u->kernel, stride, ZOO_SAME)));
	if (u->squeezed > 0)
		y = v3_excite(z, y, u->squeezed);
	y = zoo_conv(z, "project", y, u->out, zoo_pointwise());
	return stride == 1 && in == u->out ? zoo_binary(z, "Add", "add", y, x) : y;
}

/* Blocks: the stem, every unit, the head. */
static void mobilenet_v3(struct zoo *z, const struct v3_units *units, int n, int head, int hidden)
{
	int x = zoo_input(z, "image", 224, 224, 3), unit = 0;

	zoo_block(z);
	x = zoo_conv_act(z, "stem", x, 16, zoo_square(3, 2, ZOO_SAME), ZOO_HARD_SWISH);
	for (int i = 0; i < n; i++)
		for (int j = 0; j < units[i].n; j++) {
			zoo_block(z);
			zoo_scope(z, "unit%d", ++unit);
			x = v3_unit(z, x, &units[i], j == 0 ? units[i].stride : 1);
		}
	zoo_block(z);
	x = zoo_conv_act(z, "head", x, head, zoo_pointwise(), ZOO_HARD_SWISH);
	x = zoo_conv_act(z, "hidden", zoo_mean(z, "mean", x), hidden, zoo_pointwise(), ZOO_HARD_SWISH);
	zoo_output(z, zoo_conv_softmax(z, x, 1000));
}

static void mobilenet_v3_large(struct zoo *z)
{
	static const struct v3_units units[] = {
		{1, 16, 16, 3, 1, 0, ZOO_RELU}, {1, 64, 24, 3, 2, 0, ZOO_RELU}, {1, 72, 24, 3, 1, 0, ZOO_RELU},
		{1, 72, 40, 5, 2, 24, ZOO_RELU}, {2, 120, 40, 5, 1, 32, ZOO_RELU},
		{1, 240, 80, 3, 2, 0, ZOO_HARD_SWISH}, {1, 200, 80, 3, 1, 0, ZOO_HARD_SWISH}, {2, 184, 80, 3, 1, 0, ZOO_HARD_SWISH},
		{1, 480, 112, 3, 1, 120, ZOO_HARD_SWISH}, {1, 672, 112, 3, 1, 168, ZOO_HARD_SWISH},
		{1, 672, 160, 5, 2, 168, ZOO_HARD_SWISH}, {2, 960, 160, 5, 1, 240, ZOO_HARD_SWISH}
	};

	mobilenet_v3(z, units, sizeof units / sizeof *units, 960, 1280);
}

static void mobilenet_v3_small(struct zoo *z)
{
	static const struct v3_units units[] = {
		{1, 16, 16, 3, 2, 8, ZOO_RELU}, {1, 72, 24, 3, 2, 0, ZOO_RELU}, {1, 88, 24, 3, 1, 0, ZOO_RELU},
		{1, 96, 40, 5, 2, 24, ZOO_HARD_SWISH}, {2, 240, 40, 5, 1, 64, ZOO_HARD_SWISH},
		{1, 120, 48, 5, 1, 32, ZOO_HARD_SWISH}, {1, 144, 48, 5, 1, 40, ZOO_HARD_SWISH},
		{1, 288, 96, 5, 2, 72, ZOO_HARD_SWISH}, {2, 576, 96, 5, 1, 144, ZOO_HARD_SWISH}
	};

	mobilenet_v3(z, units, sizeof units / sizeof *units, 576, 1024);
}

/* ---- MobileFaceNet ---- */

/* Each of the last 7x7 pixels has a weight of its own, in place of a mean. Blocks: the stem, every unit, the head. */
static void mobilefacenet(struct zoo *z)
{
	static const struct zoo_mb_stage stages[] = {{2, 64, 5, 2, 3}, {4, 128, 1, 2, 3}, {2, 128, 6, 1, 3}, {4, 128, 1, 2, 3}, {2, 128, 2, 1, 3}};
	const struct zoo_mb_style style = {ZOO_PRELU, 100, false, ZOO_CENTRED};
	int x = zoo_input(z, "image", 112, 112, 3);

	zoo_block(z);
	x = zoo_conv_act(z, "conv", x, 64, zoo_square(3, 2, ZOO_CENTRED), style.act);
	x = zoo_act(z, style.act, zoo_depthwise(z, "depthwise", x, zoo_square(3, 1, ZOO_CENTRED)));
	x = zoo_mb_stages(z, x, stages, 5, 1, style);
	zoo_block(z);
	x = zoo_conv_act(z, "conv_1", x, 512, zoo_pointwise(), style.act);
	x = zoo_depthwise(z, "global", x, zoo_square(zoo_height(z, x), 1, ZOO_VALID));
	zoo_output(z, zoo_conv(z, "features", x, 128, zoo_pointwise()));
}

/* ---- MnasNet ---- */

/* Blocks are MOSAIC's 20 layers: the stem, the separable convolution, 16
 * inverted residual units, the last convolution, the mean with the classifier. */
static void mnasnet_b1(struct zoo *z, int width_percent)
{
	static const struct zoo_mb_stage stages[] = {
		{1, 16, 1, 1, 3}, {3, 24, 3, 2, 3}, {3, 40, 3, 2, 5}, {6, 80, 3, 2, 5},
		{6, 96, 2, 1, 3}, {6, 192, 4, 2, 5}, {6, 320, 1, 1, 3}
	};
	int x = zoo_input(z, "image", 224, 224, 3);

	zoo_block(z);
	x = zoo_conv_act(z, "conv", x, zoo_round8(32, width_percent), zoo_square(3, 2, ZOO_SAME), ZOO_RELU);
	x = zoo_mb_stages(z, x, stages, 7, 1, (struct zoo_mb_style){ZOO_RELU, width_percent, false, ZOO_SAME});
	zoo_block(z);
	x = zoo_conv_act(z, "conv_1", x, 1280, zoo_pointwise(), ZOO_RELU);
	zoo_block(z);
	zoo_output(z, zoo_fc_softmax(z, zoo_mean(z, "mean", x), 1000));
}

static void mnasnet_0_5(struct zoo *z)
{
	mnasnet_b1(z, 50);
}

static void mnasnet_1_0(struct zoo *z)
{
	mnasnet_b1(z, 100);
}

static void mnasnet_1_3(struct zoo *z)
{
	mnasnet_b1(z, 130);
}

/* ---- ShuffleNet V2 ---- */

/* Blocks: the stem, 16 units, the last convolution with the classifier. channels: of the three stages and the last convolution. */
static void shufflenet(struct zoo *z, const int channels[ZOO_SHUFFLE_STAGES + 1])
{
	int x = zoo_input(z, "image", 224, 224, 3), level[ZOO_SHUFFLE_STAGES];

	zoo_shuffle_v2(z, x, channels, ZOO_RELU, false, level);
	zoo_block(z);
	x = zoo_conv_act(z, "conv5", level[ZOO_SHUFFLE_STAGES - 1], channels[ZOO_SHUFFLE_STAGES], zoo_pointwise(), ZOO_RELU);
	zoo_output(z, zoo_fc_softmax(z, zoo_global_pool(z, "pool5", x), 1000));
}

static void shufflenet_v2_0_25(struct zoo *z) { shufflenet(z, (const int[]){24, 48, 96, 512}); }
static void shufflenet_v2_0_33(struct zoo *z) { shufflenet(z, (const int[]){32, 64, 128, 512}); }
static void shufflenet_v2_0_5(struct zoo *z) { shufflenet(z, (const int[]){48, 96, 192, 1024}); }
static void shufflenet_v2(struct zoo *z) { shufflenet(z, (const int[]){116, 232, 464, 1024}); }
static void shufflenet_v2_1_5(struct zoo *z) { shufflenet(z, (const int[]){176, 352, 704, 1024}); }
static void shufflenet_v2_2_0(struct zoo *z) { shufflenet(z, (const int[]){244, 488, 976, 2048}); }

#define MOBILENET_V2 "Sandler et al., MobileNetV2: Inverted Residuals and Linear Bottlenecks, CVPR 2018, as in " \
	"TF-slim; count: TF-slim's table, "
#define MOBILENET_V2_WIDE "Sandler et al., MobileNetV2: Inverted Residuals and Linear Bottlenecks, CVPR 2018, as in " \
	"TF-slim; count: Table 6 of MobileNetV4's paper (ECCV 2024), "
#define MOBILENET_V3 "Howard et al., Searching for MobileNetV3, ICCV 2019; count: torchvision, "
#define SHUFFLENET "Ma et al., ShuffleNet V2: Practical Guidelines for Efficient CNN Architecture Design, ECCV 2018; count: "
#define MNASNET "Tan et al., MnasNet: Platform-Aware Neural Architecture Search for Mobile, CVPR 2019, B1 (no " \
	"squeeze-and-excitation); count: torchvision, "

const struct zoo_network zoo_mobile_networks[] = {
	{"mobilenet_v1", "MobileNet V1 1.0, 224x224",
	 "Howard et al., MobileNets: Efficient Convolutional Neural Networks for Mobile Vision Applications, 2017, as in "
	 "TF-slim; count: TF-slim's table, 0.569 GMAC, 4.24 M parameters", mobilenet_v1},
	{"mobilenet_v2_0.5", "MobileNet V2 0.5, 224x224", MOBILENET_V2 "0.097 GMAC, 1.95 M parameters", mobilenet_v2_0_5},
	{"mobilenet_v2_1.0", "MobileNet V2 1.0, 224x224", MOBILENET_V2 "0.300 GMAC, 3.47 M parameters", mobilenet_v2_1_0},
	{"mobilenet_v2_1.3", "MobileNet V2 1.3, 224x224", MOBILENET_V2 "0.509 GMAC, 5.34 M parameters", mobilenet_v2_1_3},
	{"mobilenet_v2_1.4", "MobileNet V2 1.4, 224x224", MOBILENET_V2 "0.582 GMAC, 6.06 M parameters", mobilenet_v2_1_4},
	{"mobilenet_v2_1.5", "MobileNet V2 1.5, 224x224", MOBILENET_V2_WIDE "0.7 GMAC, 6.8 M parameters", mobilenet_v2_1_5},
	{"mobilenet_v2_2.0", "MobileNet V2 2.0, 224x224", MOBILENET_V2_WIDE "1.1 GMAC, 11.2 M parameters", mobilenet_v2_2_0},
	{"mobilenet_v2_caffe", "MobileNetV2 as in Caffe, 224x224",
	 "Sandler et al., MobileNetV2, CVPR 2018, as in shicai/MobileNet-Caffe, mobilenet_v2_deploy.prototxt@728e690; "
	 "count: 0.429 GMAC, 3.489 M parameters (analytic)",
	 mobilenet_v2_caffe},
	{"mobilenet_v3_small", "MobileNet V3 Small, 224x224", MOBILENET_V3 "0.057 GMAC, 2.543 M parameters", mobilenet_v3_small},
	{"mobilenet_v3_large", "MobileNet V3 Large, 224x224", MOBILENET_V3 "0.217 GMAC, 5.483 M parameters", mobilenet_v3_large},
	{"mobilefacenet", "MobileFaceNet, 112x112",
	 "Chen et al., MobileFaceNets: Efficient CNNs for Accurate Real-Time Face Verification on Mobile Devices, 2018, table 1; "
	 "count: paper, 0.221 GMAC, 0.99 M parameters", mobilefacenet},
	{"mnasnet_0.5", "MnasNet B1 0.5, 224x224", MNASNET "0.104 GMAC, 2.219 M parameters", mnasnet_0_5},
	{"mnasnet_1.0", "MnasNet B1 1.0, 224x224", MNASNET "0.314 GMAC, 4.383 M parameters", mnasnet_1_0},
	{"mnasnet_1.3", "MnasNet B1 1.3, 224x224", MNASNET "0.526 GMAC, 6.282 M parameters", mnasnet_1_3},
	{"shufflenet_v2", "ShuffleNet V2 1.0x, 224x224",
	 SHUFFLENET "the authors' table, 0.146 GMAC, 2.3 M parameters (rounded there; 2.27 M here)", shufflenet_v2},
	{"shufflenet_v2_0.25", "ShuffleNet V2 0.25x, 224x224", SHUFFLENET "PaddleClas, whose widths these are, 0.015 GMAC, 0.60 M parameters",
	 shufflenet_v2_0_25},
	{"shufflenet_v2_0.33", "ShuffleNet V2 0.33x, 224x224", SHUFFLENET "PaddleClas, whose widths these are, 0.020 GMAC, 0.64 M parameters",
	 shufflenet_v2_0_33},
	{"shufflenet_v2_0.5", "ShuffleNet V2 0.5x, 224x224", SHUFFLENET "torchvision, 0.040 GMAC, 1.367 M parameters", shufflenet_v2_0_5},
	{"shufflenet_v2_1.5", "ShuffleNet V2 1.5x, 224x224", SHUFFLENET "torchvision, 0.296 GMAC, 3.504 M parameters", shufflenet_v2_1_5},
	{"shufflenet_v2_2.0", "ShuffleNet V2 2.0x, 224x224", SHUFFLENET "torchvision, 0.583 GMAC, 7.394 M parameters", shufflenet_v2_2_0},
	{0}
};
