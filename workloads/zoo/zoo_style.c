/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Image-to-image networks: fast style transfer.
 */
#include <stdio.h>

#include "zoo_blocks.h"

/* Convolution without a bias, the instance normalisation has it. */
static int conv_norm(struct zoo *z, const char *name, int x, int channels, struct zoo_window w)
{
	return zoo_unary_after(z, "InstanceNormalization", "norm", zoo_conv_no_bias(z, name, x, channels, w));
}

static int conv_norm_relu(struct zoo *z, const char *name, int x, int channels, int kernel, int stride)
{
	return zoo_act(z, ZOO_RELU, conv_norm(z, name, x, channels, zoo_square(kernel, stride, ZOO_SAME)));
}

/* No activation after the sum. */
static int style_residual(struct zoo *z, int x)
{
	int y = conv_norm_relu(z, "conv1", x, 128, 3, 1);

	y = conv_norm(z, "conv2", y, 128, zoo_square(3, 1, ZOO_SAME));
	return zoo_binary(z, "Add", "add", x, y);
}

static int upsample(struct zoo *z, const char *name, int x, int channels)
{
	x = zoo_unary_after(z, "InstanceNormalization", "norm", zoo_conv_transpose(z, name, x, channels, 3, 2));
	return zoo_act(z, ZOO_RELU, x);
}

/*
 * SAME padding everywhere, as Engstrom's implementation that the MACE zoo
 * converts (Johnson et al. pad by reflection once, at the input, and do not
 * pad in the residual blocks). The scaling of the Tanh to pixel values is left
 * to what comes after the network.
 *
 * Blocks: each of the outer convolutions and each residual block.
 */
static void fst(struct zoo *z)
{
	static const int down[] = {32, 64, 128};
	int x = zoo_input(z, "image", 480, 640, 3);

	for (int i = 0; i < 3; i++) {
		zoo_block(z);
		zoo_scope(z, "down%d", i + 1);
		x = conv_norm_relu(z, "conv", x, down[i], i == 0 ? 9 : 3, i == 0 ? 1 : 2);
	}
	for (int i = 1; i <= 5; i++) {
		zoo_block(z);
		zoo_scope(z, "residual%d", i);
		x = style_residual(z, x);
	}
	zoo_block(z);
	x = upsample(z, "up1", x, 64);
	zoo_block(z);
	x = upsample(z, "up2", x, 32);
	zoo_block(z);
	x = conv_norm(z, "conv_out", x, 3, zoo_square(9, 1, ZOO_SAME));
	zoo_output(z, zoo_unary(z, "Tanh", "tanh", x));
}

/*
 * What CoDL's measurements ran: a list of 14 convolutions with their own
 * shapes. Without the transposed convolutions that lead to it the last one
 * doesn't follow from the others, so it has an input of its own.
 */
static void fst_codl(struct zoo *z)
{
	static const int down[] = {32, 64, 128};
	int x = zoo_input(z, "image", 480, 640, 3), last = zoo_input(z, "upsampled", 480, 640, 32);

	for (int i = 0; i < 3; i++) {
		char name[ZOO_NAME_MAX];

		zoo_block(z);
		snprintf(name, sizeof name, "down%d", i + 1);
		x = zoo_conv(z, name, x, down[i], zoo_square(i == 0 ? 9 : 3, i == 0 ? 1 : 2, ZOO_SAME));
	}
	for (int i = 0; i < 10; i++) {
		char name[ZOO_NAME_MAX];

		zoo_block(z);
		snprintf(name, sizeof name, "residual%d_conv%d", i / 2 + 1, i % 2 + 1);
		x = zoo_conv(z, name, x, 128, zoo_square(3, 1, ZOO_SAME));
	}
	zoo_output(z, x);
	zoo_block(z);
	zoo_output(z, zoo_conv(z, "conv_out", last, 3, zoo_square(9, 1, ZOO_SAME)));
}

const struct zoo_network zoo_style_networks[] = {
	{"fst", "Fast Style Transfer, 480x640",
	 "Johnson et al., Perceptual Losses for Real-Time Style Transfer and Super-Resolution, ECCV 2016, with instance "
	 "normalisation (Ulyanov et al., 2016), as in Engstrom's TensorFlow implementation; count: 38.751 GMAC, 1.68 M "
	 "parameters (analytic). CoDL's network has 35.92 GMAC because it leaves out the transposed convolutions", fst},
	{"fst_codl", "Fast Style Transfer as CoDL measured it",
	 "the convolutions of CoDL's model builder (MobiSys 2022, csu-eis/CoDL @0a0c89d): no normalisations, sums, activations or "
	 "transposed convolutions; 35.92 GMAC", fst_codl},
	{0}
};
