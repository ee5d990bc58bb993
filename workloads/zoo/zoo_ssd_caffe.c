/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Single-shot detectors as in Caffe, for the 20 classes of VOC: they end in a list of offsets and one of probabilities. The boxes
 * that these are offsets of (PriorBox) and what picks among them (DetectionOutput) are not part of them.
 */
#include "zoo_blocks.h"

enum { MAPS = 6, CLASSES = 21, CORNERS = 4 };

static int conv(struct zoo *z, const char *name, int x, int channels, int kernel, int stride)
{
	return zoo_conv_act(z, name, x, channels, zoo_square(kernel, stride, ZOO_CENTRED), ZOO_RELU);
}

/* A further map, of half the size, in a block of its own. */
static int halve(struct zoo *z, int x, int map, int channels)
{
	zoo_block(z);
	zoo_scope(z, "map%d", map);
	return conv(z, "conv2", conv(z, "conv1", x, channels / 2, 1, 1), channels, 3, 2);
}

/* A map's numbers as a vector: pixel by pixel, as they are here already, so that the Permute is a Transpose that changes no shape. */
static int predict(struct zoo *z, const char *what, int map, int x, int numbers, int kernel)
{
	zoo_scope(z, "%s%d", what, map);
	x = zoo_conv(z, "predict", x, numbers, zoo_square(kernel, 1, ZOO_SAME));
	x = zoo_transpose(z, "permute", x, (const int[]){0, 1, 2, 3});
	return zoo_reshape(z, "flat", x, 2, (const int[]){1, zoo_dim(z, x, 1) * zoo_dim(z, x, 2) * numbers});
}

/* Blocks: all heads are one. boxes: at each point of a map. */
static void heads(struct zoo *z, const int map[MAPS], const int boxes[MAPS], int kernel)
{
	int offsets[MAPS], scores[MAPS], x;

	zoo_block(z);
	for (int i = 0; i < MAPS; i++) {
		offsets[i] = predict(z, "box", i + 1, map[i], CORNERS * boxes[i], kernel);
		scores[i] = predict(z, "class", i + 1, map[i], CLASSES * boxes[i], kernel);
	}
	zoo_scope(z, "lists");
	zoo_output(z, zoo_concat_axis(z, "boxes", MAPS, offsets, 1));
	x = zoo_concat_axis(z, "classes", MAPS, scores, 1);
	x = zoo_reshape(z, "rows", x, 2, (const int[]){zoo_dim(z, x, 1) / CLASSES, CLASSES});
	x = zoo_unary(z, "Softmax", "softmax", x);
	zoo_output(z, zoo_reshape(z, "flat", x, 2, (const int[]){1, zoo_dim(z, x, 0) * CLASSES}));
}

/* Blocks: the backbone's stem and 13 units, every further map, the heads. */
static void ssd_mobilenet_v1(struct zoo *z)
{
	static const int channels[] = {64, 128, 128, 256, 256, 512, 512, 512, 512, 512, 512, 1024, 1024};
	static const int stride[] = {1, 2, 1, 2, 1, 2, 1, 1, 1, 1, 1, 2, 1};
	int x = zoo_input(z, "image", 300, 300, 3), map[MAPS];

	zoo_block(z);
	x = conv(z, "conv0", x, 32, 3, 2);
	for (int i = 0; i < 13; i++) {
		zoo_block(z);
		zoo_scope(z, "separable%d", i + 1);
		x = zoo_act(z, ZOO_RELU, zoo_depthwise(z, "depthwise", x, zoo_square(3, stride[i], ZOO_CENTRED)));
		x = conv(z, "pointwise", x, channels[i], 1, 1);
		if (i == 10)
			map[0] = x;
	}
	map[1] = x;
	map[2] = halve(z, map[1], 3, 512);
	map[3] = halve(z, map[2], 4, 256);
	map[4] = halve(z, map[3], 5, 256);
	map[5] = halve(z, map[4], 6, 128);
	heads(z, map, (const int[]){3, 6, 6, 6, 6, 6}, 1);
}

/* The first map is normalised before it is read. Blocks: the backbone's stem and ten modules, every further map, the heads. */
static void ssd_squeezenet(struct zoo *z)
{
	int x = zoo_input(z, "image", 300, 300, 3), map[MAPS];

	zoo_block(z);
	x = zoo_conv_act(z, "conv1", x, 64, zoo_square(3, 2, ZOO_VALID), ZOO_RELU);
	x = zoo_max_pool_ceil(z, "pool1", x, 3, 2);
	x = zoo_fires(z, x, 2, 5, 1 << 3);
	map[0] = zoo_unary(z, "BatchNormalization", "norm", x);
	map[1] = zoo_fires(z, zoo_max_pool_ceil(z, "pool", x, 3, 2), 6, 9, 0);
	map[2] = zoo_fires(z, zoo_max_pool_ceil(z, "pool", map[1], 3, 2), 10, 10, 0);
	map[3] = zoo_fires(z, zoo_max_pool_ceil(z, "pool", map[2], 3, 2), 11, 11, 0);
	map[4] = halve(z, map[3], 5, 256);
	map[5] = halve(z, map[4], 6, 128);
	heads(z, map, (const int[]){4, 6, 6, 6, 6, 4}, 3);
}

#define LIU "Liu et al., SSD: Single Shot MultiBox Detector, ECCV 2016, over "

const struct zoo_network zoo_ssd_caffe_networks[] = {
	{"ssd_mobilenet_v1_caffe", "SSD over MobileNet V1 as in Caffe, 300x300",
	 LIU "MobileNet V1 as in chuanqi305/MobileNet-SSD and Tencent/ncnn, benchmark/mobilenet_ssd.param@0f64aa1; count: "
	 "1.148 GMAC, 5.783 M parameters (analytic)", ssd_mobilenet_v1},
	{"ssd_squeezenet_caffe", "SSD over SqueezeNet 1.1 as in Caffe, 300x300",
	 LIU "SqueezeNet 1.1 as in chuanqi305/SqueezeNet-SSD and Tencent/ncnn, benchmark/squeezenet_ssd.param@0220ffb; count: "
	 "1.176 GMAC, 5.526 M parameters (analytic)", ssd_squeezenet},
	{0}
};
