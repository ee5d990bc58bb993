/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * SSDLite of PaddleDetection for the 80 classes of COCO: it ends in a list of offsets and one of probabilities. The boxes that these are
 * offsets of and what picks among them are not part of it.
 */
#include "zoo_paddle.h"

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

const struct zoo_network zoo_ssd_paddle_networks[] = {
	{"ssdlite_mobilenet_v3_large_paddle", "SSDLite over MobileNet V3 Large as in PaddleDetection, 320x320",
	 "Howard et al., Searching for MobileNetV3, ICCV 2019, as in PaddleDetection, configs/ssd/_base_/ssdlite_mobilenet_v3_large_320.yml "
	 "(MobileNetV3, SSDHead); count: 0.528 GMAC, 3.38 M parameters (analytic; 0.51 GMAC, 3.22 M in the paper, with heads of its own)", ssdlite_mobilenet_v3_large},
	{0}
};
