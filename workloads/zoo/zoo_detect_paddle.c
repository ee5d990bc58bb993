/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Detectors of PaddleDetection for the 80 classes of COCO: SSDLite, which ends in a list of offsets and one of probabilities, and
 * PP-YOLO-tiny, which ends in the raw maps. The boxes that these are offsets of and what picks among them are not part of them.
 */
#include "zoo_paddle.h"

/* ---- SSDLite ---- */

enum { SIZE = 320, MAPS = 6, EXTRA_MAPS = 4, CLASSES = 81, CORNERS = 4 };

/* A further map, of half the size; the depthwise convolution makes the new width. */
static int halve(struct zoo *z, int x, int channels)
{
	x = zoo_conv_act(z, "squeeze", x, channels / 2, zoo_pointwise(), ZOO_RELU6);
	x = zoo_act(z, ZOO_RELU6, zoo_depthwise_multiplied(z, "depthwise", x, zoo_square(3, 2, ZOO_SAME), 2));
	return zoo_conv_act(z, "pointwise", x, channels, zoo_pointwise(), ZOO_RELU6);
}

/* A map's list of boxes with so many numbers each. Images are NCHW there, so that it turns them; here they are as it wants them already, and
 * the Transpose changes no shape. */
static int predict(struct zoo *z, const char *what, int map, int x, int numbers)
{
	const int priors = map == 0 ? 4 : 6;

	zoo_scope(z, "%s%d", what, map + 1);
	x = zoo_act(z, ZOO_RELU6, zoo_depthwise(z, "depthwise", x, zoo_square(3, 1, ZOO_CENTRED)));
	x = zoo_conv_no_bias(z, "predict", x, priors * numbers, zoo_pointwise());
	x = zoo_transpose(z, "turned", x, (const int[]){0, 1, 2, 3});
	return zoo_reshape(z, "list", x, 3, (const int[]){1, zoo_height(z, x) * zoo_width(z, x) * priors, numbers});
}

/* Blocks: the backbone's stem and units, every further map, the heads. */
static void ssdlite_mobilenet_v3_large(struct zoo *z)
{
	static const int channels[EXTRA_MAPS] = {512, 256, 256, 128};
	int map[MAPS], boxes[MAPS], scores[MAPS], x = zoo_paddle_v3_narrowed(z, SIZE, &map[0]);

	zoo_block(z);
	zoo_scope(z, "map2");
	map[1] = zoo_paddle_conv(z, "conv", x, 480, 1, 1);
	for (int i = 0; i < EXTRA_MAPS; i++) {
		zoo_block(z);
		zoo_scope(z, "map%d", i + 3);
		map[i + 2] = halve(z, map[i + 1], channels[i]);
	}
	zoo_block(z);
	for (int i = 0; i < MAPS; i++) {
		boxes[i] = predict(z, "box", i, map[i], CORNERS);
		scores[i] = predict(z, "class", i, map[i], CLASSES);
	}
	zoo_scope(z, "lists");
	zoo_output(z, zoo_concat_lists(z, "boxes", MAPS, boxes));
	zoo_output(z, zoo_unary(z, "Softmax", "scores", zoo_concat_lists(z, "classes", MAPS, scores)));
}

/* ---- PP-YOLO-tiny ---- */

enum { SCALES = ZOO_PADDLE_SCALES, NUMBERS = 3 * (80 + 5) };

static int leaky(struct zoo *z, const char *name, int x, int channels)
{
	return zoo_conv_act(z, name, x, channels, zoo_pointwise(), ZOO_LEAKY_RELU);
}

/* 1x1 convolutions and depthwise ones of 5x5 by turns. */
static int mix(struct zoo *z, int x, int channels)
{
	char name[16];

	for (int i = 1; i <= 2; i++) {
		snprintf(name, sizeof name, "conv%d", i);
		x = leaky(z, name, x, channels);
		snprintf(name, sizeof name, "depthwise%d", i);
		x = zoo_act(z, ZOO_LEAKY_RELU, zoo_depthwise(z, name, x, zoo_square(5, 1, ZOO_CENTRED)));
	}
	return x;
}

/* Blocks: the backbone's stem and units, every scale from the coarsest on, the maps. */
static void ppyolo_tiny(struct zoo *z, int size)
{
	static const int channels[SCALES] = {96, 128, 160};
	int levels[ZOO_PADDLE_LEVELS], *level = levels + 1, x; /* without that of stride 4 */

	zoo_paddle_v3_levels(z, size, size, 50, ZOO_PADDLE_LEVELS, levels);
	x = level[SCALES - 1];
	for (int i = SCALES - 1; i >= 0; i--) {
		zoo_block(z);
		zoo_scope(z, "scale%d", i + 1);
		if (i == SCALES - 1)
			x = leaky(z, "pooled", zoo_spatial_pyramid(z, x), zoo_channels(z, x));
		else
			x = zoo_concat(z, "concat", 2, (const int[]){x, level[i]});
		x = mix(z, x, channels[i]);
		level[i] = leaky(z, "tip", x, channels[i]);
		if (i > 0)
			x = zoo_resize_nearest(z, "up", leaky(z, "lateral", x, channels[i]), 2);
	}
	zoo_block(z);
	for (int i = SCALES - 1; i >= 0; i--) {
		zoo_scope(z, "scale%d", i + 1);
		zoo_output(z, zoo_conv(z, "predict", level[i], NUMBERS, zoo_pointwise()));
	}
}

static void ppyolo_tiny_320(struct zoo *z) { ppyolo_tiny(z, 320); }
static void ppyolo_tiny_416(struct zoo *z) { ppyolo_tiny(z, 416); }

#define PPYOLO "Long et al., PP-YOLO: An Effective and Efficient Implementation of Object Detector, 2020, as in PaddleDetection, " \
	"configs/ppyolo/ppyolo_tiny_650e_coco.yml (MobileNetV3, PPYOLOTinyFPN); count: configs/picodet's table, "

const struct zoo_network zoo_detect_paddle_networks[] = {
	{"ssdlite_mobilenet_v3_large_paddle", "SSDLite over MobileNet V3 Large as in PaddleDetection, 320x320",
	 "Howard et al., Searching for MobileNetV3, ICCV 2019, as in PaddleDetection, configs/ssd/_base_/ssdlite_mobilenet_v3_large_320.yml "
	 "(MobileNetV3, SSDHead); count: 0.528 GMAC, 3.38 M parameters (analytic; 0.51 GMAC, 3.22 M in the paper, with heads of its own)", ssdlite_mobilenet_v3_large},
	{"pp_yolo_tiny_320", "PP-YOLO-tiny, 320x320", PPYOLO "0.58 GFLOP, 1.08 M parameters", ppyolo_tiny_320},
	{"pp_yolo_tiny_416", "PP-YOLO-tiny, 416x416", PPYOLO "1.02 GFLOP, 1.08 M parameters", ppyolo_tiny_416},
	{0}
};
