/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Classifiers of darknet, as tf2cv (imgclsmob) builds them: stages of
 * convolutions with leaky ReLU, and a pooling between each two; and YOLOv3, as
 * darknet has it, over one of them. It ends at the raw maps.
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

/* What Darknet-53 leaves at strides 8, 16 and 32. */
enum { SCALES = 3 };

static int leaky(struct zoo *z, const char *name, int x, int channels, struct zoo_window w)
{
	return zoo_conv_act(z, name, x, channels, w, ZOO_LEAKY_RELU);
}

/* Residual units of a 1x1 and a 3x3 convolution. A block is a unit; a stage's first has the convolution that halves the image, too. */
static void darknet53_units(struct zoo *z, int x, enum zoo_pad pad, int scale[SCALES])
{
	static const int n_units[] = {1, 2, 8, 8, 4};
	int index = 0;

	zoo_block(z);
	x = leaky(z, "stem", x, 32, zoo_square(3, 1, pad));
	for (int i = 0; i < 5; i++) {
		for (int j = 0; j < n_units[i]; j++) {
			int y;

			zoo_tf2cv_unit(z, index++);
			if (j == 0)
				x = leaky(z, "down", x, 64 << i, zoo_square(3, 2, pad));
			y = leaky(z, "conv1", x, 32 << i, zoo_pointwise());
			x = zoo_binary(z, "Add", "add", leaky(z, "conv2", y, 64 << i, zoo_square(3, 1, pad)), x);
		}
		if (i >= 2)
			scale[i - 2] = x;
	}
}

static void darknet53(struct zoo *z)
{
	int x = zoo_tf2cv_image(z), scale[SCALES];

	darknet53_units(z, x, ZOO_SAME, scale);
	zoo_block(z);
	zoo_tf2cv_mean_fc(z, scale[SCALES - 1]);
}

/* Five convolutions, behind which the next scale branches off, and what ends in this one's map. */
static int yolov3_head(struct zoo *z, int x, int channels)
{
	enum { BRANCH = 5, NUMBERS = 3 * (80 + 5) };
	int branch = x;
	char name[16];

	for (int i = 1; i <= BRANCH + 1; i++) { /* 1x1 and 3x3 at twice the width by turns */
		snprintf(name, sizeof name, "conv%d", i);
		x = leaky(z, name, x, i % 2 ? channels : 2 * channels, i % 2 ? zoo_pointwise() : zoo_square(3, 1, ZOO_CENTRED));
		if (i == BRANCH)
			branch = x;
	}
	zoo_output(z, zoo_conv(z, "predict", x, NUMBERS, zoo_pointwise()));
	return branch;
}

/* Blocks: Darknet-53's, every scale's head from the coarsest on, with the enlarging in front of it. */
static void yolov3(struct zoo *z)
{
	int x = zoo_input(z, "image", 416, 416, 3), scale[SCALES];

	darknet53_units(z, x, ZOO_CENTRED, scale);
	x = scale[SCALES - 1];
	for (int i = SCALES - 1; i >= 0; i--) {
		zoo_block(z);
		zoo_scope(z, "scale%d", i + 1);
		if (i < SCALES - 1) {
			x = zoo_resize_nearest(z, "up", leaky(z, "lateral", x, 128 << i, zoo_pointwise()), 2);
			x = zoo_concat(z, "concat", 2, (const int[]){x, scale[i]});
		}
		x = yolov3_head(z, x, 128 << i);
	}
}

#define MEMBER(name, ...) \
	static void name(struct zoo *z) { darknet(z, &(const struct member)__VA_ARGS__); }

MEMBER(darknet_tiny, {5, 0, ZOO_LINEAR, {{16}, {32}, {16, 128, 16, 128}, {32, 256, 32, 256}, {64, 512, 64, 512, 128}}})
MEMBER(darknet_ref, {7, 1, ZOO_LEAKY_RELU, {{16}, {32}, {64}, {128}, {256}, {512}, {1024}}})
MEMBER(darknet19, {6, 1, ZOO_LINEAR,
	{{32}, {64}, {128, 64, 128}, {256, 128, 256}, {512, 256, 512, 256, 512}, {1024, 512, 1024, 512, 1024}}})

#define DARKNET "Redmon, Darknet: Open Source Neural Networks in C, 2013 to 2016" ZOO_TF2CV_READ

const struct zoo_network zoo_darknet_networks[] = {
	{"darknet_tiny", "Tiny Darknet, 224x224", DARKNET "0.492 GMAC, 1.04 M parameters", darknet_tiny},
	{"darknet_ref", "Darknet Reference, 224x224", DARKNET "0.362 GMAC, 7.32 M parameters", darknet_ref},
	{"darknet19", "Darknet-19, 224x224", DARKNET "2.791 GMAC, 20.84 M parameters", darknet19},
	{"darknet53", "Darknet-53, 224x224",
	 "Redmon and Farhadi, YOLOv3: An Incremental Improvement, 2018" ZOO_TF2CV_READ
	 "7.109 GMAC, 41.61 M parameters", darknet53},
	{"yolov3", "YOLOv3, 416x416",
	 "Redmon and Farhadi, YOLOv3: An Incremental Improvement, 2018, as in pjreddie/darknet, cfg/yolov3.cfg@15af719, 80 classes of COCO; "
	 "count: its page, 65.86 BFLOP at 416x416; 61.9 M parameters (analytic)", yolov3},
	{0}
};
