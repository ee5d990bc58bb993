/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * EfficientDet-Lite: EfficientNet-Lite, feature pyramids that run both ways,
 * and two heads on five levels. They end at the lists of encoded boxes and of
 * scores, or, as the files for TensorFlow Lite that the authors publish, at the
 * operator that sorts these out (google/automl, efficientdet/tf2/postprocess.py),
 * of which 25 are left.
 */
#include "zoo_blocks.h"

enum { LEVELS = 5, TAPS = 3, ANCHORS = 9, CLASSES = 90, CORNERS = 4, DETECTIONS = 25 };

struct efficientdet {
	int size, width_percent;
	int n_units[7]; /* of EfficientNet's stages */
	int channels, n_cells, n_head;
};

static int separable(struct zoo *z, const char *name, int x, int channels)
{
	char depthwise[ZOO_NAME_MAX];

	snprintf(depthwise, sizeof depthwise, "%s_depthwise", name);
	x = zoo_depthwise(z, depthwise, x, zoo_square(3, 1, ZOO_SAME));
	return zoo_conv(z, name, x, channels, zoo_pointwise());
}

/* The maps of stride 8, 16 and 32. Every inverted residual unit is a block. */
static void backbone(struct zoo *z, const struct efficientdet *net, int tap[TAPS])
{
	static const int first[TAPS + 1] = {0, 3, 5, 7};
	struct zoo_mb_stage stages[] = {
		{1, 16, 1, 1, 3}, {6, 24, 2, 2, 3}, {6, 40, 2, 2, 5}, {6, 80, 3, 2, 3},
		{6, 112, 3, 1, 5}, {6, 192, 4, 2, 5}, {6, 320, 1, 1, 3}
	};
	int x = zoo_input(z, "image", net->size, net->size, 3);

	for (int i = 0; i < 7; i++)
		stages[i].n_units = net->n_units[i];
	zoo_block(z);
	x = zoo_conv_act(z, "stem", x, 32, zoo_square(3, 2, ZOO_SAME), ZOO_RELU6);
	for (int i = 0; i < TAPS; i++)
		x = tap[i] = zoo_mb_stages(z, x, stages + first[i], first[i + 1] - first[i], first[i] + 1,
		                           (struct zoo_mb_style){ZOO_RELU6, net->width_percent, false, ZOO_SAME});
}

/* A map of another level: as many channels as the pyramid has, then the height of this one. */
static int resample(struct zoo *z, int input, int x, int channels, int height)
{
	char name[ZOO_NAME_MAX];

	snprintf(name, sizeof name, "lateral%d", input);
	if (zoo_channels(z, x) != channels)
		x = zoo_conv(z, name, x, channels, zoo_pointwise());
	snprintf(name, sizeof name, "resample%d", input);
	if (zoo_height(z, x) > height)
		return zoo_max_pool(z, name, x, zoo_square(3, 2, ZOO_SAME));
	return zoo_height(z, x) < height ? zoo_resize_nearest_to(z, name, x, height, height) : x;
}

/* The sum of n maps, at the size of the first. */
static int node(struct zoo *z, int cell, int number, int n, const int *x, int channels)
{
	const int height = zoo_height(z, x[0]);
	int y;

	zoo_scope(z, "cell%d_node%d", cell, number);
	y = resample(z, 1, x[0], channels, height);
	for (int i = 1; i < n; i++)
		y = zoo_binary(z, "Add", i == 1 ? "add1" : "add2", y, resample(z, i + 1, x[i], channels, height));
	return separable(z, "conv", zoo_act(z, ZOO_RELU6, y), channels);
}

/* Down from the coarsest level and up again. */
static void cell(struct zoo *z, int number, int p[LEVELS], int channels)
{
	int down[LEVELS] = {0}, up[LEVELS];

	zoo_block(z);
	down[4] = p[4];
	for (int i = 3; i >= 0; i--)
		down[i] = node(z, number, 4 - i, 2, (const int[]){p[i], down[i + 1]}, channels);
	up[0] = down[0];
	for (int i = 1; i < LEVELS; i++)
		up[i] = i < 4 ? node(z, number, 4 + i, 3, (const int[]){p[i], down[i], up[i - 1]}, channels)
		              : node(z, number, 4 + i, 2, (const int[]){p[i], up[i - 1]}, channels);
	for (int i = 0; i < LEVELS; i++)
		p[i] = up[i];
}

/* Its map, as a list of boxes with so many numbers each. */
static int head(struct zoo *z, const struct efficientdet *net, const char *what, int level, int x, int numbers)
{
	const int boxes = zoo_height(z, x) * zoo_width(z, x) * ANCHORS;
	char name[16];

	zoo_scope(z, "%s%d", what, level + 3);
	for (int i = 0; i < net->n_head; i++) {
		snprintf(name, sizeof name, "conv%d", i + 1);
		x = zoo_act(z, ZOO_RELU6, separable(z, name, x, net->channels));
	}
	x = separable(z, "predict", x, ANCHORS * numbers);
	return zoo_reshape(z, "list", x, 3, (const int[]){1, boxes, numbers});
}

struct lists {
	int boxes, scores;
};

/* Blocks: the stem, the units, every cell, the heads. */
static struct lists efficientdet(struct zoo *z, const struct efficientdet *net)
{
	int p[LEVELS], classes[LEVELS], boxes[LEVELS];
	struct lists found;

	backbone(z, net, p);
	zoo_block(z);
	zoo_scope(z, "p6");
	p[3] = zoo_conv(z, "lateral", p[2], net->channels, zoo_pointwise());
	p[3] = zoo_max_pool(z, "pool", p[3], zoo_square(3, 2, ZOO_SAME));
	zoo_scope(z, "p7");
	p[4] = zoo_max_pool(z, "pool", p[3], zoo_square(3, 2, ZOO_SAME));
	for (int i = 0; i < net->n_cells; i++)
		cell(z, i + 1, p, net->channels);
	zoo_block(z);
	for (int i = 0; i < LEVELS; i++) {
		classes[i] = head(z, net, "class", i, p[i], CLASSES);
		boxes[i] = head(z, net, "box", i, p[i], CORNERS);
	}
	zoo_scope(z, "lists");
	found.boxes = zoo_concat_lists(z, "boxes", LEVELS, boxes);
	found.scores = zoo_unary(z, "Sigmoid", "scores", zoo_concat_lists(z, "classes", LEVELS, classes));
	return found;
}

static const struct efficientdet lite[] = {
	{320, 100, {1, 2, 2, 3, 3, 4, 1}, 64, 3, 3},
	{384, 100, {1, 3, 3, 4, 4, 5, 1}, 88, 4, 3},
	{448, 110, {1, 3, 3, 4, 4, 5, 1}, 112, 5, 3},
	{512, 120, {1, 3, 3, 5, 5, 6, 1}, 160, 6, 4},
	{640, 140, {1, 4, 4, 6, 6, 8, 1}, 224, 7, 4}
};

static void lists(struct zoo *z, int size)
{
	struct lists found = efficientdet(z, &lite[size]);

	zoo_output(z, found.boxes);
	zoo_output(z, found.scores);
}

static void detections(struct zoo *z, int size)
{
	struct lists found = efficientdet(z, &lite[size]);

	zoo_output(z, zoo_detections(z, "detections", found.boxes, found.scores, DETECTIONS));
}

static void lite0(struct zoo *z) { lists(z, 0); }
static void lite1(struct zoo *z) { lists(z, 1); }
static void lite2(struct zoo *z) { lists(z, 2); }
static void lite3(struct zoo *z) { lists(z, 3); }
static void lite4(struct zoo *z) { lists(z, 4); }
static void lite0_detections(struct zoo *z) { detections(z, 0); }
static void lite1_detections(struct zoo *z) { detections(z, 1); }
static void lite2_detections(struct zoo *z) { detections(z, 2); }
static void lite3_detections(struct zoo *z) { detections(z, 3); }
static void lite4_detections(struct zoo *z) { detections(z, 4); }

#define EFFICIENTDET "Tan et al., EfficientDet: Scalable and Efficient Object Detection, CVPR 2020, and the authors' Lite models " \
	"(google/automl, efficientdet/hparams_config.py; unweighted sums); recount: "

#define THEIRS " parameters, of which the heads have theirs five times"
#define CHOSEN "; and the anchors of its boxes; the best 25"

const struct zoo_network zoo_efficientdet_networks[] = {
	{"efficientdet_lite0", "EfficientDet-Lite0, 320x320", EFFICIENTDET "0.974 GMAC, 3.56 M" THEIRS, lite0},
	{"efficientdet_lite1", "EfficientDet-Lite1, 384x384", EFFICIENTDET "1.967 GMAC, 4.73 M" THEIRS, lite1},
	{"efficientdet_lite2", "EfficientDet-Lite2, 448x448", EFFICIENTDET "3.371 GMAC, 5.93 M" THEIRS, lite2},
	{"efficientdet_lite3", "EfficientDet-Lite3, 512x512", EFFICIENTDET "7.480 GMAC, 9.73 M" THEIRS, lite3},
	{"efficientdet_lite4", "EfficientDet-Lite4, 640x640", EFFICIENTDET "20.168 GMAC, 17.51 M" THEIRS, lite4},
	{"efficientdet_lite0_detections", "EfficientDet-Lite0, 320x320, with the choice among its boxes",
	 EFFICIENTDET "0.974 GMAC, 3.56 M" THEIRS CHOSEN, lite0_detections},
	{"efficientdet_lite1_detections", "EfficientDet-Lite1, 384x384, with the choice among its boxes",
	 EFFICIENTDET "1.967 GMAC, 4.73 M" THEIRS CHOSEN, lite1_detections},
	{"efficientdet_lite2_detections", "EfficientDet-Lite2, 448x448, with the choice among its boxes",
	 EFFICIENTDET "3.371 GMAC, 5.93 M" THEIRS CHOSEN, lite2_detections},
	{"efficientdet_lite3_detections", "EfficientDet-Lite3, 512x512, with the choice among its boxes",
	 EFFICIENTDET "7.480 GMAC, 9.73 M" THEIRS CHOSEN, lite3_detections},
	{"efficientdet_lite4_detections", "EfficientDet-Lite4, 640x640, with the choice among its boxes",
	 EFFICIENTDET "20.168 GMAC, 17.51 M" THEIRS CHOSEN, lite4_detections},
	{0}
};
