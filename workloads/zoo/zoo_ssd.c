/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Single-shot detectors over MobileNet as in TensorFlow's object detection
 * API: they end in lists of boxes and of scores, or, as most files for
 * TensorFlow Lite, in an operator of its own behind these that makes boxes of
 * offsets and leaves the best ten.
 */
#include "zoo_blocks.h"

enum { MAPS = 6, EXTRA_MAPS = 4, CLASSES = 91, CORNERS = 4, DETECTIONS = 10 };

/* How boxes and scores are told from a map. */
enum head {
	HEAD_1X1,
	HEAD_3X3,
	HEAD_SEPARABLE /* "SSDLite" */
};

struct ssd {
	void (*backbone)(struct zoo *z, int map[2]);
	enum head head;
	bool separable; /* the convolutions that make further maps */
	bool chooses;   /* among its boxes, at the end */
};

static int relu6_conv(struct zoo *z, const char *name, int x, int channels)
{
	return zoo_conv_act(z, name, x, channels, zoo_pointwise(), ZOO_RELU6);
}

static int relu6_depthwise(struct zoo *z, const char *name, int x, int stride)
{
	return zoo_act(z, ZOO_RELU6, zoo_depthwise(z, name, x, zoo_square(3, stride, ZOO_SAME)));
}

/* ---- backbones: maps of 19x19 and 10x10 ---- */

static void mobilenet_v1(struct zoo *z, int map[2])
{
	static const int channels[] = {64, 128, 128, 256, 256, 512, 512, 512, 512, 512, 512, 1024, 1024};
	static const int stride[] = {1, 2, 1, 2, 1, 2, 1, 1, 1, 1, 1, 2, 1};
	int x = zoo_input(z, "image", 300, 300, 3);

	zoo_block(z);
	x = zoo_conv_act(z, "conv0", x, 32, zoo_square(3, 2, ZOO_SAME), ZOO_RELU6);
	for (int i = 0; i < 13; i++) {
		zoo_block(z);
		zoo_scope(z, "separable%d", i + 1);
		x = relu6_conv(z, "pointwise", relu6_depthwise(z, "depthwise", x, stride[i]), channels[i]);
		if (i == 10)
			map[0] = x;
	}
	map[1] = x;
}

/* The first map is the expanded one of the unit that halves it. */
static void mobilenet_v2(struct zoo *z, int map[2])
{
	static const struct zoo_mb_stage before[] = {
		{1, 16, 1, 1, 3}, {6, 24, 2, 2, 3}, {6, 32, 3, 2, 3}, {6, 64, 4, 2, 3}, {6, 96, 3, 1, 3}
	}, after[] = {{6, 160, 2, 1, 3}, {6, 320, 1, 1, 3}};
	const struct zoo_mb_style style = {ZOO_RELU6, 100, false, ZOO_SAME};
	int x = zoo_input(z, "image", 300, 300, 3);

	zoo_block(z);
	x = zoo_conv_act(z, "conv", x, 32, zoo_square(3, 2, ZOO_SAME), ZOO_RELU6);
	x = zoo_mb_stages(z, x, before, 5, 1, style);
	zoo_block(z);
	zoo_scope(z, "halving");
	map[0] = relu6_conv(z, "expand", x, 6 * zoo_channels(z, x));
	x = zoo_conv(z, "project", relu6_depthwise(z, "depthwise", map[0], 2), 160, zoo_pointwise());
	x = zoo_mb_stages(z, x, after, 2, 6, style);
	zoo_block(z);
	map[1] = relu6_conv(z, "conv_1", x, 1280);
}

/* ---- further maps and heads ---- */

static int halve(struct zoo *z, bool separable, int x, int channels)
{
	x = relu6_conv(z, "squeeze", x, channels / 2);
	if (separable)
		return relu6_conv(z, "pointwise", relu6_depthwise(z, "depthwise", x, 2), channels);
	return zoo_conv_act(z, "conv", x, channels, zoo_square(3, 2, ZOO_SAME), ZOO_RELU6);
}

/* A map's list of boxes with so many numbers each. */
static int head(struct zoo *z, enum head how, const char *what, int map, int x, int numbers)
{
	const int anchors = map == 0 ? 3 : 6, boxes = zoo_height(z, x) * zoo_width(z, x) * anchors;

	zoo_scope(z, "%s%d", what, map + 1);
	if (how == HEAD_SEPARABLE)
		x = relu6_depthwise(z, "depthwise", x, 1);
	x = zoo_conv(z, "predict", x, anchors * numbers, zoo_square(how == HEAD_3X3 ? 3 : 1, 1, ZOO_SAME));
	return zoo_reshape(z, "list", x, 3, (const int[]){1, boxes, numbers});
}

/* Blocks: the backbone's, every further map, the heads. */
static void ssd(struct zoo *z, const struct ssd *net)
{
	static const int channels[EXTRA_MAPS] = {512, 256, 256, 128};
	int map[MAPS], boxes[MAPS], scores[MAPS];

	net->backbone(z, map);
	for (int i = 0; i < EXTRA_MAPS; i++) {
		zoo_block(z);
		zoo_scope(z, "map%d", i + 3);
		map[i + 2] = halve(z, net->separable, map[i + 1], channels[i]);
	}
	zoo_block(z);
	for (int i = 0; i < MAPS; i++) {
		boxes[i] = head(z, net->head, "box", i, map[i], CORNERS);
		scores[i] = head(z, net->head, "class", i, map[i], CLASSES);
	}
	zoo_scope(z, "lists");
	boxes[0] = zoo_concat_lists(z, "boxes", MAPS, boxes);
	scores[0] = zoo_unary(z, "Sigmoid", "scores", zoo_concat_lists(z, "classes", MAPS, scores));
	if (net->chooses) {
		zoo_output(z, zoo_detections(z, "detections", boxes[0], scores[0], DETECTIONS));
	} else {
		zoo_output(z, boxes[0]);
		zoo_output(z, scores[0]);
	}
}

static void ssd_mobilenet_v1(struct zoo *z)
{
	ssd(z, &(struct ssd){mobilenet_v1, HEAD_1X1, false, false});
}

static void ssd_mobilenet_v1_detections(struct zoo *z)
{
	ssd(z, &(struct ssd){mobilenet_v1, HEAD_1X1, false, true});
}

static void ssd_mobilenet_v2(struct zoo *z)
{
	ssd(z, &(struct ssd){mobilenet_v2, HEAD_3X3, true, false});
}

static void ssd_mobilenet_v2_detections(struct zoo *z)
{
	ssd(z, &(struct ssd){mobilenet_v2, HEAD_3X3, true, true});
}

static void ssdlite_mobilenet_v2(struct zoo *z)
{
	ssd(z, &(struct ssd){mobilenet_v2, HEAD_SEPARABLE, true, false});
}

static void ssdlite_mobilenet_v2_detections(struct zoo *z)
{
	ssd(z, &(struct ssd){mobilenet_v2, HEAD_SEPARABLE, true, true});
}

#define V1 "Howard et al., MobileNets: Efficient Convolutional Neural Networks for Mobile Vision Applications, 2017, "
#define V2 "Sandler et al., MobileNetV2: Inverted Residuals and Linear Bottlenecks, CVPR 2018, "
#define SSD "as in tensorflow/models, research/object_detection, 90 classes of COCO; count: "
#define SSD_V1 V1 SSD "1.237 GMAC, 6.807 M parameters (OpenVINO's model zoo: 2.494 GFLOPs, 6.807 M)"
#define SSD_V2 V2 SSD "1.875 GMAC, 16.818 M parameters (OpenVINO's model zoo: 3.775 GFLOPs, 16.818 M)"
#define SSDLITE_V2 V2 SSD "0.750 GMAC, 4.475 M parameters (OpenVINO's model zoo: 1.525 GFLOPs, 4.475 M)"
#define CHOSEN "; and the anchors of its boxes; the best ten"

const struct zoo_network zoo_ssd_networks[] = {
	{"ssd_mobilenet_v1", "SSD over MobileNet V1, 300x300", SSD_V1, ssd_mobilenet_v1},
	{"ssd_mobilenet_v2", "SSD over MobileNet V2, 300x300", SSD_V2, ssd_mobilenet_v2},
	{"ssdlite_mobilenet_v2", "SSDLite over MobileNet V2, 300x300", SSDLITE_V2, ssdlite_mobilenet_v2},
	{"ssd_mobilenet_v1_detections", "SSD over MobileNet V1, 300x300, with the choice among its boxes", SSD_V1 CHOSEN, ssd_mobilenet_v1_detections},
	{"ssd_mobilenet_v2_detections", "SSD over MobileNet V2, 300x300, with the choice among its boxes", SSD_V2 CHOSEN, ssd_mobilenet_v2_detections},
	{"ssdlite_mobilenet_v2_detections", "SSDLite over MobileNet V2, 300x300, with the choice among its boxes", SSDLITE_V2 CHOSEN, ssdlite_mobilenet_v2_detections},
	{0}
};
