/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * RegNetX and RegNetY as tf2cv (imgclsmob) builds them: TensorFlow's padding
 * and no softmax. Those of pycls are in zoo_resnet.c.
 */
#include "zoo_tf2cv.h"

enum { N_STAGES = 4 };

/* group_width: channels of a group of the 3x3 convolution. */
struct regnet {
	int n_units[N_STAGES], channels[N_STAGES], group_width;
	bool excited;
};

/* The vector of the excitation is a quarter as wide as the unit's input. */
static int regnet_unit(struct zoo *z, int x, int out, int stride, const struct regnet *net)
{
	int y = zoo_conv_act(z, "conv1", x, out, zoo_pointwise(), ZOO_RELU);

	y = zoo_conv_grouped(z, "conv2", y, out, zoo_square(3, stride, ZOO_SAME), out / net->group_width);
	y = zoo_act(z, ZOO_RELU, y);
	if (net->excited)
		y = zoo_tf2cv_excite(z, y, zoo_channels(z, x) / 4, ZOO_GATE_SIGMOID);
	y = zoo_conv(z, "conv3", y, out, zoo_pointwise());
	if (stride > 1)
		x = zoo_conv(z, "shortcut", x, out, zoo_square(1, stride, ZOO_VALID));
	return zoo_act(z, ZOO_RELU, zoo_binary(z, "Add", "add", y, x));
}

static void regnet(struct zoo *z, const struct regnet *net)
{
	int x = zoo_tf2cv_stem(z, 32, ZOO_RELU), index = 0;

	for (int stage = 0; stage < N_STAGES; stage++)
		for (int i = 0; i < net->n_units[stage]; i++) {
			zoo_tf2cv_unit(z, index++);
			x = regnet_unit(z, x, net->channels[stage], i == 0 ? 2 : 1, net);
		}
	zoo_block(z);
	zoo_tf2cv_mean_fc(z, x);
}

#define REGNET(name, ...) \
	static void name(struct zoo *z) { regnet(z, &(const struct regnet)__VA_ARGS__); }

REGNET(regnetx_0_2gf, {{1, 1, 4, 7}, {24, 56, 152, 368}, 8, false})
REGNET(regnetx_0_4gf, {{1, 2, 7, 12}, {32, 64, 160, 384}, 16, false})
REGNET(regnetx_0_8gf, {{1, 3, 7, 5}, {64, 128, 288, 672}, 16, false})
REGNET(regnetx_3_2gf, {{2, 6, 15, 2}, {96, 192, 432, 1008}, 48, false})
REGNET(regnety_0_2gf, {{1, 1, 4, 7}, {24, 56, 152, 368}, 8, true})
REGNET(regnety_0_4gf, {{1, 3, 6, 6}, {48, 104, 208, 440}, 8, true})
REGNET(regnety_0_6gf, {{1, 3, 7, 4}, {48, 112, 256, 608}, 16, true})
REGNET(regnety_0_8gf, {{1, 3, 8, 2}, {64, 128, 320, 768}, 16, true})
REGNET(regnety_1_6gf, {{2, 6, 17, 2}, {48, 120, 336, 888}, 24, true})
REGNET(regnety_3_2gf, {{2, 5, 13, 1}, {72, 216, 576, 1512}, 24, true})
REGNET(regnety_4_0gf, {{2, 6, 12, 2}, {128, 192, 512, 1088}, 64, true})

#define RADOSAVOVIC "Radosavovic et al., Designing Network Design Spaces, CVPR 2020"

const struct zoo_network zoo_regnet_networks[] = {
	{"regnetx_0.2gf", "RegNetX-200MF, 224x224", RADOSAVOVIC ZOO_TF2CV "0.199 GMAC, 2.68 M parameters", regnetx_0_2gf},
	{"regnetx_0.4gf", "RegNetX-400MF, 224x224", RADOSAVOVIC ZOO_TF2CV_READ "0.398 GMAC, 5.14 M parameters", regnetx_0_4gf},
	{"regnetx_0.8gf", "RegNetX-800MF, 224x224", RADOSAVOVIC ZOO_TF2CV_READ "0.800 GMAC, 7.24 M parameters", regnetx_0_8gf},
	{"regnetx_3.2gf", "RegNetX-3.2GF, 224x224", RADOSAVOVIC ZOO_TF2CV_READ "3.177 GMAC, 15.27 M parameters", regnetx_3_2gf},
	{"regnety_0.2gf", "RegNetY-200MF, 224x224", RADOSAVOVIC ZOO_TF2CV "0.200 GMAC, 3.16 M parameters", regnety_0_2gf},
	{"regnety_0.4gf", "RegNetY-400MF, 224x224", RADOSAVOVIC ZOO_TF2CV_READ "0.402 GMAC, 4.33 M parameters", regnety_0_4gf},
	{"regnety_0.6gf", "RegNetY-600MF, 224x224", RADOSAVOVIC ZOO_TF2CV "0.601 GMAC, 6.06 M parameters", regnety_0_6gf},
	{"regnety_0.8gf", "RegNetY-800MF, 224x224", RADOSAVOVIC ZOO_TF2CV "0.797 GMAC, 6.26 M parameters", regnety_0_8gf},
	{"regnety_1.6gf", "RegNetY-1.6GF, 224x224", RADOSAVOVIC ZOO_TF2CV_READ "1.612 GMAC, 11.18 M parameters", regnety_1_6gf},
	{"regnety_3.2gf", "RegNetY-3.2GF, 224x224", RADOSAVOVIC ZOO_TF2CV_READ "3.176 GMAC, 19.40 M parameters", regnety_3_2gf},
	{"regnety_4.0gf", "RegNetY-4.0GF, 224x224", RADOSAVOVIC ZOO_TF2CV_READ "3.973 GMAC, 20.62 M parameters", regnety_4_0gf},
	{0}
};
