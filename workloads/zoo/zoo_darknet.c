/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Classifiers of darknet, as tf2cv (imgclsmob) builds them: stages of
 * convolutions with leaky ReLU, and a pooling between each two.
 */
#include "zoo_tf2cv.h"

enum { STAGES_MAX = 7, CONVS_MAX = 5 };

/* conv: widths, up to the first 0; pointwise: which of a stage's convolutions are 1x1, if there are several: 0: the first, third ...,
 * 1: the second, fourth ...; the others are 3x3. */
struct member {
	int n_stages, pointwise;
	enum zoo_act logits; /* behind the classifier, which is a convolution */
	int conv[STAGES_MAX][CONVS_MAX];
};

static int stage(struct zoo *z, int x, const int *conv, int pointwise)
{
	char name[16];

	for (int i = 0; i < CONVS_MAX && conv[i] > 0; i++) {
		int kernel = conv[1] > 0 && i % 2 == pointwise ? 1 : 3;

		snprintf(name, sizeof name, "conv%d", i + 1);
		x = zoo_conv_act(z, name, x, conv[i], zoo_square(kernel, 1, ZOO_SAME), ZOO_LEAKY_RELU);
	}
	return x;
}

/* Blocks: every stage, with the pooling in front of it, and the classifier. */
static void darknet(struct zoo *z, const struct member *m)
{
	int x = zoo_tf2cv_image(z);

	for (int i = 0; i < m->n_stages; i++) {
		zoo_block(z);
		zoo_scope(z, "stage%d", i + 1);
		if (i > 0)
			x = zoo_max_pool(z, "pool", x, zoo_square(2, 2, ZOO_VALID));
		x = stage(z, x, m->conv[i], m->pointwise);
	}
	zoo_block(z);
	x = zoo_conv_act(z, "logits", x, ZOO_TF2CV_CLASSES, zoo_pointwise(), m->logits);
	zoo_output(z, zoo_global_pool(z, "pool", x));
}

static int leaky(struct zoo *z, const char *name, int x, int channels, int kernel, int stride)
{
	return zoo_conv_act(z, name, x, channels, zoo_square(kernel, stride, ZOO_SAME), ZOO_LEAKY_RELU);
}

/* Residual units of a 1x1 and a 3x3 convolution. A block is a unit; a stage's first has the convolution that halves the image, too. */
static void darknet53(struct zoo *z)
{
	static const int n_units[] = {1, 2, 8, 8, 4};
	int x = zoo_tf2cv_image(z), y, index = 0;

	zoo_block(z);
	x = leaky(z, "stem", x, 32, 3, 1);
	for (int i = 0; i < 5; i++)
		for (int j = 0; j < n_units[i]; j++) {
			zoo_tf2cv_unit(z, index++);
			if (j == 0)
				x = leaky(z, "down", x, 64 << i, 3, 2);
			y = leaky(z, "conv1", x, 32 << i, 1, 1);
			x = zoo_binary(z, "Add", "add", leaky(z, "conv2", y, 64 << i, 3, 1), x);
		}
	zoo_block(z);
	zoo_tf2cv_mean_fc(z, x);
}

#define MEMBER(name, ...) \
	static void name(struct zoo *z) { darknet(z, &(const struct member)__VA_ARGS__); }

MEMBER(darknet_tiny, {5, 0, ZOO_LINEAR, {{16}, {32}, {16, 128, 16, 128}, {32, 256, 32, 256}, {64, 512, 64, 512, 128}}})
MEMBER(darknet_ref, {7, 1, ZOO_LEAKY_RELU, {{16}, {32}, {64}, {128}, {256}, {512}, {1024}}})
MEMBER(darknet19, {6, 1, ZOO_LINEAR,
	{{32}, {64}, {128, 64, 128}, {256, 128, 256}, {512, 256, 512, 256, 512}, {1024, 512, 1024, 512, 1024}}})

#define DARKNET "Redmon, Darknet: Open Source Neural Networks in C, 2013 to 2016" ZOO_TF2CV_COUNTED

const struct zoo_network zoo_darknet_networks[] = {
	{"darknet_tiny", "Tiny Darknet, 224x224", DARKNET "0.492 GMAC, 1.04 M parameters", darknet_tiny},
	{"darknet_ref", "Darknet Reference, 224x224", DARKNET "0.362 GMAC, 7.32 M parameters", darknet_ref},
	{"darknet19", "Darknet-19, 224x224", DARKNET "2.791 GMAC, 20.84 M parameters", darknet19},
	{"darknet53", "Darknet-53, 224x224",
	 "Redmon and Farhadi, YOLOv3: An Incremental Improvement, 2018" ZOO_TF2CV_COUNTED
	 "7.109 GMAC, 41.61 M parameters", darknet53},
	{0}
};
