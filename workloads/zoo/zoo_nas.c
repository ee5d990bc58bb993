/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Networks whose units a search chose, as tf2cv (imgclsmob) builds them:
 * MnasNet, Single-Path NAS, FBNet, ProxylessNAS, EfficientNet and
 * EfficientNet-EdgeTPU. EfficientNet as its authors build it is in zoo_efficientnet.c.
 */
#include "zoo_tf2cv.h"

enum { ENTRIES_MAX = 16 };

struct searched {
	int stem, head, n;
	struct zoo_tf2cv_mb unit[ENTRIES_MAX];
};

/* The activation is that of all units. */
static void searched(struct zoo *z, const struct searched *net)
{
	const enum zoo_act act = net->unit[0].act;
	int x = zoo_tf2cv_mb(z, zoo_tf2cv_stem(z, net->stem, act), net->unit, net->n, ZOO_GATE_SIGMOID);

	zoo_tf2cv_mean_fc(z, zoo_conv_act(z, "head", x, net->head, zoo_pointwise(), act));
}

static void mnasnet_b1(struct zoo *z)
{
	static const struct searched net = {32, 1280, 7, {
		{1, 0, 16, 3, 1, 0, ZOO_RELU}, {3, 3, 24, 3, 2, 0, ZOO_RELU}, {3, 3, 40, 5, 2, 0, ZOO_RELU},
		{3, 6, 80, 5, 2, 0, ZOO_RELU}, {2, 6, 96, 3, 1, 0, ZOO_RELU}, {4, 6, 192, 5, 2, 0, ZOO_RELU},
		{1, 6, 320, 3, 1, 0, ZOO_RELU}
	}};

	searched(z, &net);
}

static void mnasnet_a1(struct zoo *z)
{
	static const struct searched net = {32, 1280, 7, {
		{1, 0, 16, 3, 1, 0, ZOO_RELU}, {2, 6, 24, 3, 2, 0, ZOO_RELU}, {3, 3, 40, 5, 2, ZOO_TF2CV_QUARTER, ZOO_RELU},
		{4, 6, 80, 3, 2, 0, ZOO_RELU}, {2, 6, 112, 3, 1, ZOO_TF2CV_QUARTER, ZOO_RELU},
		{3, 6, 160, 5, 2, ZOO_TF2CV_QUARTER, ZOO_RELU}, {1, 6, 320, 3, 1, 0, ZOO_RELU}
	}};

	searched(z, &net);
}

static void mnasnet_small(struct zoo *z)
{
	static const struct searched net = {8, 1280, 7, {
		{1, 0, 8, 3, 1, 0, ZOO_RELU}, {1, 3, 16, 3, 2, 0, ZOO_RELU}, {2, 6, 16, 3, 2, 0, ZOO_RELU},
		{4, 6, 32, 5, 2, ZOO_TF2CV_QUARTER, ZOO_RELU}, {3, 6, 32, 3, 1, ZOO_TF2CV_QUARTER, ZOO_RELU},
		{3, 6, 88, 5, 2, ZOO_TF2CV_QUARTER, ZOO_RELU}, {1, 6, 144, 3, 1, 0, ZOO_RELU}
	}};

	searched(z, &net);
}

static void spnasnet(struct zoo *z)
{
	static const struct searched net = {32, 1280, 10, {
		{1, 0, 16, 3, 1, 0, ZOO_RELU}, {3, 3, 24, 3, 2, 0, ZOO_RELU},
		{1, 6, 40, 5, 2, 0, ZOO_RELU}, {3, 3, 40, 3, 1, 0, ZOO_RELU},
		{1, 6, 80, 5, 2, 0, ZOO_RELU}, {3, 3, 80, 3, 1, 0, ZOO_RELU},
		{1, 6, 96, 5, 1, 0, ZOO_RELU}, {3, 3, 96, 5, 1, 0, ZOO_RELU},
		{4, 6, 192, 5, 2, 0, ZOO_RELU}, {1, 6, 320, 3, 1, 0, ZOO_RELU}
	}};

	searched(z, &net);
}

static void fbnet_c(struct zoo *z)
{
	static const struct searched net = {16, 1984, 14, {
		{1, 1, 16, 3, 1, 0, ZOO_RELU}, {1, 6, 24, 3, 2, 0, ZOO_RELU}, {2, 1, 24, 3, 1, 0, ZOO_RELU},
		{1, 6, 32, 5, 2, 0, ZOO_RELU}, {1, 3, 32, 5, 1, 0, ZOO_RELU}, {1, 6, 32, 5, 1, 0, ZOO_RELU},
		{1, 6, 32, 3, 1, 0, ZOO_RELU},
		{1, 6, 64, 5, 2, 0, ZOO_RELU}, {1, 3, 64, 5, 1, 0, ZOO_RELU}, {2, 6, 64, 5, 1, 0, ZOO_RELU},
		{3, 6, 112, 5, 1, 0, ZOO_RELU}, {1, 3, 112, 5, 1, 0, ZOO_RELU},
		{4, 6, 184, 5, 2, 0, ZOO_RELU}, {1, 6, 352, 3, 1, 0, ZOO_RELU}
	}};

	searched(z, &net);
}

static void proxylessnas_cpu(struct zoo *z)
{
	static const struct searched net = {40, 1432, 14, {
		{1, 0, 24, 3, 1, 0, ZOO_RELU6}, {1, 6, 32, 3, 2, 0, ZOO_RELU6}, {3, 3, 32, 3, 1, 0, ZOO_RELU6},
		{1, 6, 48, 3, 2, 0, ZOO_RELU6}, {2, 3, 48, 3, 1, 0, ZOO_RELU6}, {1, 3, 48, 5, 1, 0, ZOO_RELU6},
		{1, 6, 88, 3, 2, 0, ZOO_RELU6}, {1, 3, 88, 3, 1, 0, ZOO_RELU6},
		{1, 6, 104, 5, 1, 0, ZOO_RELU6}, {3, 3, 104, 3, 1, 0, ZOO_RELU6},
		{1, 6, 216, 5, 2, 0, ZOO_RELU6}, {2, 3, 216, 5, 1, 0, ZOO_RELU6}, {1, 3, 216, 3, 1, 0, ZOO_RELU6},
		{1, 6, 360, 5, 1, 0, ZOO_RELU6}
	}};

	searched(z, &net);
}

static void proxylessnas_gpu(struct zoo *z)
{
	static const struct searched net = {40, 1728, 13, {
		{1, 0, 24, 3, 1, 0, ZOO_RELU6}, {1, 3, 32, 5, 2, 0, ZOO_RELU6},
		{1, 3, 56, 7, 2, 0, ZOO_RELU6}, {1, 3, 56, 3, 1, 0, ZOO_RELU6},
		{1, 6, 112, 7, 2, 0, ZOO_RELU6}, {1, 3, 112, 5, 1, 0, ZOO_RELU6},
		{1, 6, 128, 5, 1, 0, ZOO_RELU6}, {1, 3, 128, 3, 1, 0, ZOO_RELU6}, {1, 3, 128, 5, 1, 0, ZOO_RELU6},
		{1, 6, 256, 7, 2, 0, ZOO_RELU6}, {2, 6, 256, 7, 1, 0, ZOO_RELU6}, {1, 6, 256, 5, 1, 0, ZOO_RELU6},
		{1, 6, 432, 7, 1, 0, ZOO_RELU6}
	}};

	searched(z, &net);
}

static void proxylessnas_mobile(struct zoo *z)
{
	static const struct searched net = {32, 1280, 13, {
		{1, 0, 16, 3, 1, 0, ZOO_RELU6}, {1, 3, 32, 5, 2, 0, ZOO_RELU6}, {1, 3, 32, 3, 1, 0, ZOO_RELU6},
		{1, 3, 40, 7, 2, 0, ZOO_RELU6}, {1, 3, 40, 3, 1, 0, ZOO_RELU6}, {2, 3, 40, 5, 1, 0, ZOO_RELU6},
		{1, 6, 80, 7, 2, 0, ZOO_RELU6}, {3, 3, 80, 5, 1, 0, ZOO_RELU6},
		{1, 6, 96, 5, 1, 0, ZOO_RELU6}, {3, 3, 96, 5, 1, 0, ZOO_RELU6},
		{2, 6, 192, 7, 2, 0, ZOO_RELU6}, {2, 3, 192, 7, 1, 0, ZOO_RELU6}, {1, 6, 320, 7, 1, 0, ZOO_RELU6}
	}};

	searched(z, &net);
}

static void proxylessnas_mobile_1_4(struct zoo *z)
{
	static const struct searched net = {48, 1792, 13, {
		{1, 0, 24, 3, 1, 0, ZOO_RELU6}, {1, 3, 40, 5, 2, 0, ZOO_RELU6}, {1, 3, 40, 3, 1, 0, ZOO_RELU6},
		{1, 3, 56, 7, 2, 0, ZOO_RELU6}, {1, 3, 56, 3, 1, 0, ZOO_RELU6}, {2, 3, 56, 5, 1, 0, ZOO_RELU6},
		{1, 6, 112, 7, 2, 0, ZOO_RELU6}, {3, 3, 112, 5, 1, 0, ZOO_RELU6},
		{1, 6, 136, 5, 1, 0, ZOO_RELU6}, {3, 3, 136, 5, 1, 0, ZOO_RELU6},
		{2, 6, 256, 7, 2, 0, ZOO_RELU6}, {2, 3, 256, 7, 1, 0, ZOO_RELU6}, {1, 6, 448, 7, 1, 0, ZOO_RELU6}
	}};

	searched(z, &net);
}

/* ---- EfficientNet ---- */

enum { EFFICIENTNET_STAGES = 7 };

static void efficientnet(struct zoo *z, int size, const int depth[EFFICIENTNET_STAGES])
{
	struct zoo_tf2cv_mb units[EFFICIENTNET_STAGES] = {
		{0, 0, 16, 3, 1, ZOO_TF2CV_QUARTER, ZOO_SWISH}, {0, 6, 24, 3, 2, ZOO_TF2CV_QUARTER, ZOO_SWISH},
		{0, 6, 40, 5, 2, ZOO_TF2CV_QUARTER, ZOO_SWISH}, {0, 6, 80, 3, 2, ZOO_TF2CV_QUARTER, ZOO_SWISH},
		{0, 6, 112, 5, 1, ZOO_TF2CV_QUARTER, ZOO_SWISH}, {0, 6, 192, 5, 2, ZOO_TF2CV_QUARTER, ZOO_SWISH},
		{0, 6, 320, 3, 1, ZOO_TF2CV_QUARTER, ZOO_SWISH}
	};
	int x = zoo_input(z, "image", size, size, 3);

	for (int i = 0; i < EFFICIENTNET_STAGES; i++)
		units[i].n = depth[i];
	zoo_block(z);
	x = zoo_conv_act(z, "stem", x, 32, zoo_square(3, 2, ZOO_SAME), ZOO_SWISH);
	x = zoo_tf2cv_mb(z, x, units, EFFICIENTNET_STAGES, ZOO_GATE_SIGMOID);
	zoo_tf2cv_mean_fc(z, zoo_conv_act(z, "head", x, 1280, zoo_pointwise(), ZOO_SWISH));
}

static void efficientnet_b0(struct zoo *z) { efficientnet(z, 224, (const int[]){1, 2, 2, 3, 3, 4, 1}); }
static void efficientnet_b1(struct zoo *z) { efficientnet(z, 240, (const int[]){2, 3, 3, 4, 4, 5, 2}); }

/* ---- EfficientNet-EdgeTPU ---- */

enum { EDGE_STAGES = 6 };

/* A stage: fused units expand by a 3x3 convolution, and the 1x1 convolution behind it has the stride, which is the first
 * unit's. expand is a multiple of the input's width, in the first stage of the output's. */
struct edge_units {
	int expand, out, kernel, stride;
	bool fused;
};

/* Other than elsewhere in tf2cv the Pads before depthwise convolutions are TensorFlow's, so not the same on all sides. */
static int edge_unit(struct zoo *z, int x, const struct edge_units *u, int stride, bool first_stage)
{
	const int in = zoo_channels(z, x), expanded = u->expand * (first_stage ? u->out : in);
	int y;

	if (u->fused) {
		y = zoo_conv_act(z, "fused", x, expanded, zoo_square(3, 1, ZOO_SAME), ZOO_RELU);
		y = zoo_conv(z, "project", y, u->out, zoo_square(1, stride, ZOO_VALID));
	} else {
		y = zoo_conv_act(z, "expand", x, expanded, zoo_pointwise(), ZOO_RELU);
		y = zoo_zero_pad_same(z, "depthwise_pad", y, u->kernel, stride);
		y = zoo_act(z, ZOO_RELU, zoo_depthwise(z, "depthwise", y, zoo_square(u->kernel, stride, ZOO_VALID)));
		y = zoo_conv(z, "project", y, u->out, zoo_pointwise());
	}
	return stride == 1 && in == u->out && !first_stage ? zoo_binary(z, "Add", "add", y, x) : y;
}

static void edge(struct zoo *z, int size, int width_percent, const int depth[EDGE_STAGES])
{
	struct edge_units units[EDGE_STAGES] = {
		{4, 24, 3, 1, true}, {8, 32, 3, 2, true}, {8, 48, 3, 2, true},
		{8, 96, 5, 2, false}, {8, 144, 5, 1, false}, {8, 192, 5, 2, false}
	};
	int x = zoo_input(z, "image", size, size, 3), index = 0;

	zoo_block(z);
	x = zoo_zero_pad_same(z, "stem_pad", x, 3, 2);
	x = zoo_conv_act(z, "stem", x, zoo_round8(32, width_percent), zoo_square(3, 2, ZOO_VALID), ZOO_RELU);
	for (int i = 0; i < EDGE_STAGES; i++) {
		units[i].out = zoo_round8(units[i].out, width_percent);
		for (int j = 0; j < depth[i]; j++) {
			zoo_tf2cv_unit(z, index++);
			x = edge_unit(z, x, &units[i], j == 0 ? units[i].stride : 1, i == 0);
		}
	}
	zoo_block(z);
	zoo_tf2cv_mean_fc(z, zoo_conv_act(z, "head", x, zoo_round8(1280, width_percent), zoo_pointwise(), ZOO_RELU));
}

static void efficientnet_edgetpu_s(struct zoo *z) { edge(z, 224, 100, (const int[]){1, 2, 4, 5, 4, 2}); }
static void efficientnet_edgetpu_m(struct zoo *z) { edge(z, 240, 100, (const int[]){2, 3, 5, 6, 5, 3}); }
static void efficientnet_edgetpu_l(struct zoo *z) { edge(z, 300, 120, (const int[]){2, 3, 6, 7, 6, 3}); }
/* Of the size that was measured, not the authors' (qed-usc/mobile-ml-benchmark: by its operations all networks read 224x224). */
static void efficientnet_edgetpu_m_224(struct zoo *z) { edge(z, 224, 100, (const int[]){2, 3, 5, 6, 5, 3}); }
static void efficientnet_edgetpu_l_224(struct zoo *z) { edge(z, 224, 120, (const int[]){2, 3, 6, 7, 6, 3}); }

#define MNASNET "Tan et al., MnasNet: Platform-Aware Neural Architecture Search for Mobile, CVPR 2019"
#define PROXYLESSNAS "Cai et al., ProxylessNAS: Direct Neural Architecture Search on Target Task and Hardware, ICLR 2019"
#define EFFICIENTNET "Tan and Le, EfficientNet: Rethinking Model Scaling for Convolutional Neural Networks, ICML 2019"
#define EDGETPU "Gupta and Tan, EfficientNet-EdgeTPU: Creating Accelerator-Optimized Neural Networks with AutoML, 2019"

const struct zoo_network zoo_nas_networks[] = {
	{"mnasnet_1.0_tf2cv", "MnasNet B1 1.0 as in tf2cv, 224x224",
	 MNASNET ", B1" ZOO_TF2CV "0.314 GMAC, 4.36 M parameters", mnasnet_b1},
	{"mnasnet_a1", "MnasNet A1, 224x224", MNASNET ", A1" ZOO_TF2CV_LISTED "0.312 GMAC, 3.89 M parameters", mnasnet_a1},
	{"mnasnet_small", "MnasNet Small, 224x224", MNASNET ", Small" ZOO_TF2CV_READ "0.068 GMAC, 2.03 M parameters", mnasnet_small},
	{"spnasnet", "Single-Path NAS, 224x224",
	 "Stamoulis et al., Single-Path NAS: Designing Hardware-Efficient ConvNets in less than 4 Hours, 2019" ZOO_TF2CV
	 "0.333 GMAC, 4.40 M parameters", spnasnet},
	{"fbnet_c", "FBNet-C, 224x224",
	 "Wu et al., FBNet: Hardware-Aware Efficient ConvNet Design via Differentiable Neural Architecture Search, CVPR 2019" ZOO_TF2CV
	 "0.385 GMAC, 5.57 M parameters", fbnet_c},
	{"proxylessnas_cpu", "ProxylessNAS for CPUs, 224x224", PROXYLESSNAS ZOO_TF2CV "0.439 GMAC, 4.36 M parameters", proxylessnas_cpu},
	{"proxylessnas_gpu", "ProxylessNAS for GPUs, 224x224",
	 PROXYLESSNAS ZOO_TF2CV_READ "0.465 GMAC, 7.12 M parameters", proxylessnas_gpu},
	{"proxylessnas_mobile", "ProxylessNAS for phones, 224x224",
	 PROXYLESSNAS ZOO_TF2CV_READ "0.320 GMAC, 4.08 M parameters", proxylessnas_mobile},
	{"proxylessnas_mobile_1.4", "ProxylessNAS for phones, 1.4 times as wide, 224x224",
	 PROXYLESSNAS ZOO_TF2CV "0.581 GMAC, 6.86 M parameters", proxylessnas_mobile_1_4},
	{"efficientnet_b0_tf2cv", "EfficientNet-B0 as in tf2cv, 224x224",
	 EFFICIENTNET ZOO_TF2CV_READ "0.386 GMAC, 5.29 M parameters", efficientnet_b0},
	{"efficientnet_b1_tf2cv", "EfficientNet-B1 as in tf2cv, 240x240",
	 EFFICIENTNET ZOO_TF2CV_READ "0.687 GMAC, 7.79 M parameters", efficientnet_b1},
	{"efficientnet_edgetpu_s", "EfficientNet-EdgeTPU-S, 224x224",
	 EDGETPU ZOO_TF2CV "2.352 GMAC, 5.44 M parameters", efficientnet_edgetpu_s},
	{"efficientnet_edgetpu_m", "EfficientNet-EdgeTPU-M, 240x240",
	 EDGETPU ZOO_TF2CV_COUNTED "3.660 GMAC, 6.90 M parameters", efficientnet_edgetpu_m},
	{"efficientnet_edgetpu_l", "EfficientNet-EdgeTPU-L, 300x300",
	 EDGETPU ZOO_TF2CV_COUNTED "9.662 GMAC, 10.59 M parameters", efficientnet_edgetpu_l},
	{"efficientnet_edgetpu_m_224", "EfficientNet-EdgeTPU-M, 224x224",
	 EDGETPU ZOO_TF2CV "3.177 GMAC, 6.90 M parameters", efficientnet_edgetpu_m_224},
	{"efficientnet_edgetpu_l_224", "EfficientNet-EdgeTPU-L, 224x224",
	 EDGETPU ZOO_TF2CV "5.319 GMAC, 10.59 M parameters", efficientnet_edgetpu_l_224},
	{0}
};
