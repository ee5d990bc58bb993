/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * YOLOv5, and YOLOX, which has its backbone and neck and a head of its own.
 * They end at the raw numbers; anchors, decoding of boxes and non-maximum
 * suppression are not part of them.
 */
#include "zoo_blocks.h"

enum { SCALES = 3, BOXES = 3, CLASSES = 80, CORNERS = 4, NUMBERS = CORNERS + 1 + CLASSES };

/* channels: of the stem, of which all others are multiples. */
struct yolo {
	int size, channels;
	bool padded;    /* as an ONNX file becomes TensorFlow Lite's: windows read what a Pad before them wrote */
	bool release_6; /* the first convolution is a large one, not one of a quarter of the pixels, and poolings follow each other */
	bool separable; /* 3x3 convolutions but the first are a depthwise and a 1x1 one */
};

static int dense(struct zoo *z, const struct yolo *y, const char *name, int x, int channels, int kernel, int stride)
{
	char pad[ZOO_NAME_MAX];

	snprintf(pad, sizeof pad, "%s_pad", name);
	if (y->padded && kernel > 1)
		x = zoo_zero_pad(z, pad, x, kernel / 2);
	return zoo_conv_act(z, name, x, channels, zoo_square(kernel, stride, y->padded ? ZOO_VALID : ZOO_CENTRED), ZOO_SWISH);
}

static int conv(struct zoo *z, const struct yolo *y, const char *name, int x, int channels, int kernel, int stride)
{
	char depthwise[ZOO_NAME_MAX];

	if (!y->separable || kernel == 1)
		return dense(z, y, name, x, channels, kernel, stride);
	snprintf(depthwise, sizeof depthwise, "%s_depthwise", name);
	x = zoo_act(z, ZOO_SWISH, zoo_depthwise(z, depthwise, x, zoo_square(kernel, stride, ZOO_CENTRED)));
	return dense(z, y, name, x, channels, 1, 1);
}

/* A cross-stage partial unit with n bottlenecks; the block is the caller's. */
static int c3(struct zoo *z, const struct yolo *y, const char *scope, int x, int channels, int n, bool shortcut)
{
	int part[2], c = channels / 2;

	zoo_block(z);
	zoo_scope(z, "%s", scope);
	part[1] = conv(z, y, "cv2", x, c, 1, 1);
	x = conv(z, y, "cv1", x, c, 1, 1);
	for (int i = 0; i < n; i++) {
		int inner;

		zoo_scope(z, "%s_m%d", scope, i + 1);
		inner = conv(z, y, "cv2", conv(z, y, "cv1", x, c, 1, 1), c, 3, 1);
		x = shortcut ? zoo_binary(z, "Add", "add", inner, x) : inner;
	}
	zoo_scope(z, "%s_join", scope);
	part[0] = x;
	return conv(z, y, "cv3", zoo_concat(z, "concat", 2, part), channels, 1, 1);
}

static int spp(struct zoo *z, const struct yolo *y, int x, int channels)
{
	zoo_block(z);
	zoo_scope(z, "spp");
	x = conv(z, y, "cv1", x, channels / 2, 1, 1);
	return conv(z, y, "cv2", zoo_spatial_pyramid(z, x), channels, 1, 1);
}

/* Poolings of 5, each of what the last one left, which is as if they were of 5, 9 and 13. */
static int sppf(struct zoo *z, const struct yolo *y, int x, int channels)
{
	int part[4];
	char name[16];

	zoo_block(z);
	zoo_scope(z, "sppf");
	part[0] = conv(z, y, "cv1", x, channels / 2, 1, 1);
	for (int i = 1; i < 4; i++) {
		snprintf(name, sizeof name, "pool%d", i);
		part[i] = zoo_max_pool(z, name, part[i - 1], zoo_square(5, 1, ZOO_SAME));
	}
	return conv(z, y, "cv2", zoo_concat(z, "concat", 4, part), channels, 1, 1);
}

/* scale: what is left at strides 8, 16 and 32. */
static void backbone(struct zoo *z, const struct yolo *y, int scale[SCALES])
{
	const int c = y->channels;
	int x = zoo_input(z, "image", y->size, y->size, 3);

	zoo_block(z);
	if (y->release_6)
		x = zoo_conv_act(z, "stem", x, c, zoo_square(6, 2, ZOO_BORDER_2), ZOO_SWISH);
	else
		x = dense(z, y, "focus", zoo_space_to_depth(z, "slices", x, 2), c, 3, 1);
	x = c3(z, y, "c3_1", conv(z, y, "conv1", x, 2 * c, 3, 2), 2 * c, 1, true);
	scale[0] = c3(z, y, "c3_2", conv(z, y, "conv2", x, 4 * c, 3, 2), 4 * c, y->release_6 ? 2 : 3, true);
	scale[1] = c3(z, y, "c3_3", conv(z, y, "conv3", scale[0], 8 * c, 3, 2), 8 * c, 3, true);
	x = conv(z, y, "conv4", scale[1], 16 * c, 3, 2);
	if (y->release_6)
		scale[2] = sppf(z, y, c3(z, y, "c3_4", x, 16 * c, 1, true), 16 * c);
	else
		scale[2] = c3(z, y, "c3_4", spp(z, y, x, 16 * c), 16 * c, 1, false);
}

/* Twice the size, beside a map of the backbone. */
static int up(struct zoo *z, int number, int x, int map)
{
	zoo_scope(z, "up%d", number);
	return zoo_concat(z, "concat", 2, (const int[]){zoo_resize_nearest(z, "resize", x, 2), map});
}

static int down(struct zoo *z, const struct yolo *y, int number, int x, int map)
{
	zoo_scope(z, "down%d", number);
	return zoo_concat(z, "concat", 2, (const int[]){conv(z, y, "conv", x, zoo_channels(z, x), 3, 2), map});
}

/* The neck from the coarsest scale to the finest, whose map is the result; lateral: what the coarser ones join, the finer one first. */
static int finest(struct zoo *z, const struct yolo *y, int lateral[2])
{
	const int c = y->channels;
	int scale[SCALES], x;

	backbone(z, y, scale);
	lateral[1] = conv(z, y, "lateral5", scale[2], 8 * c, 1, 1);
	x = c3(z, y, "c3_5", up(z, 1, lateral[1], scale[1]), 8 * c, 1, false);
	lateral[0] = conv(z, y, "lateral4", x, 4 * c, 1, 1);
	return c3(z, y, "c3_6", up(z, 2, lateral[0], scale[0]), 4 * c, 1, false);
}

/* number: 1 for stride 16, 2 for 32. */
static int coarser(struct zoo *z, const struct yolo *y, int number, int x, int lateral)
{
	char scope[16];

	snprintf(scope, sizeof scope, "c3_%d", 6 + number);
	return c3(z, y, scope, down(z, y, number, x, lateral), 4 * y->channels << number, 1, false);
}

/* ---- YOLOv5 ---- */

/* The map of a scale. */
static int detect(struct zoo *z, int number, int x)
{
	zoo_scope(z, "detect%d", number);
	return zoo_conv(z, "conv", x, BOXES * NUMBERS, zoo_pointwise());
}

static void yolov5s(struct zoo *z, int size)
{
	const struct yolo y = {size, 32, true, false, false};
	int lateral[2], x = finest(z, &y, lateral);

	zoo_output(z, detect(z, 1, x));
	for (int i = 1; i < SCALES; i++) {
		x = coarser(z, &y, i, x, lateral[i - 1]);
		zoo_output(z, detect(z, i + 1, x));
	}
}

static void yolov5s_640(struct zoo *z) { yolov5s(z, 640); }
static void yolov5s_320(struct zoo *z) { yolov5s(z, 320); }

/* As ncnn runs it: a box's numbers end one beside the other. Images are NCHW there, so that it turns them. */
static void yolov5n(struct zoo *z)
{
	const struct yolo y = {640, 16, false, true, false};
	int lateral[2], map[SCALES];

	map[0] = finest(z, &y, lateral);
	for (int i = 1; i < SCALES; i++)
		map[i] = coarser(z, &y, i, map[i - 1], lateral[i - 1]);
	zoo_block(z);
	for (int i = 0; i < SCALES; i++) {
		const int positions = zoo_height(z, map[i]) * zoo_width(z, map[i]);
		int x = detect(z, i + 1, map[i]);

		x = zoo_reshape(z, "boxes", x, 4, (const int[]){1, BOXES, NUMBERS, positions});
		zoo_output(z, zoo_transpose(z, "turned", x, (const int[]){0, 1, 3, 2}));
	}
}

/* ---- YOLOX ---- */

/* What a box is and where, by convolutions of their own; side by side: corners, whether it is one, classes. */
static int decoupled_head(struct zoo *z, const struct yolo *y, int x)
{
	const int channels = 4 * y->channels;
	int part[3], where;

	x = conv(z, y, "stem", x, channels, 1, 1);
	where = conv(z, y, "class_conv2", conv(z, y, "class_conv1", x, channels, 3, 1), channels, 3, 1);
	part[2] = zoo_conv(z, "class", where, CLASSES, zoo_pointwise());
	where = conv(z, y, "box_conv2", conv(z, y, "box_conv1", x, channels, 3, 1), channels, 3, 1);
	part[0] = zoo_conv(z, "box", where, CORNERS, zoo_pointwise());
	part[1] = zoo_conv(z, "object", where, 1, zoo_pointwise());
	part[1] = zoo_unary_after(z, "Sigmoid", "sigmoid", part[1]);
	part[2] = zoo_unary_after(z, "Sigmoid", "sigmoid", part[2]);
	return zoo_concat(z, "concat", 3, part);
}

/* Blocks: the stem, every cross-stage unit and the poolings with what leads to the next, the heads, the lists. */
static void yolox(struct zoo *z, const struct yolo *y)
{
	int lateral[2], map[SCALES], x;
	char name[16];

	map[0] = finest(z, y, lateral);
	for (int i = 1; i < SCALES; i++)
		map[i] = coarser(z, y, i, map[i - 1], lateral[i - 1]);
	for (int i = 0; i < SCALES; i++) {
		zoo_block(z);
		zoo_scope(z, "head%d", i + 1);
		map[i] = decoupled_head(z, y, map[i]);
	}
	zoo_block(z);
	for (int i = 0; i < SCALES; i++) {
		snprintf(name, sizeof name, "list%d", i + 1);
		map[i] = zoo_reshape(z, name, map[i], 3, (const int[]){1, NUMBERS, zoo_height(z, map[i]) * zoo_width(z, map[i])});
	}
	x = zoo_concat_axis(z, "lists", SCALES, map, 2);
	zoo_output(z, zoo_transpose(z, "turned", x, (const int[]){0, 2, 1}));
}

static void yolox_nano(struct zoo *z) { yolox(z, &(const struct yolo){416, 16, false, false, true}); }
static void yolox_tiny(struct zoo *z) { yolox(z, &(const struct yolo){416, 24, false, false, false}); }

#define YOLOV5S "ultralytics/yolov5 v5.0, models/yolov5s.yaml, with the Pads of lp6m/yolov5s_android's files and its first slices as one " \
	"SpaceToDepth; count: its README, "
#define FILES ", as in JiweiMaster/MobileDetBenchmark@933a6a6, whose .param files ncnn reads"
#define YOLOX "Ge et al., YOLOX: Exceeding YOLO Series in 2021, 2021" FILES " and whose first slices, a layer of their own, are a SpaceToDepth; " \
	"count: its README, "

const struct zoo_network zoo_yolov5_networks[] = {
	{"yolov5s", "YOLOv5s, 640x640", YOLOV5S "8.5 GMAC, 7.3 M parameters (17.0 GFLOPs there)", yolov5s_640},
	{"yolov5s_320", "YOLOv5s, 320x320", YOLOV5S "a quarter of 8.5 GMAC, 7.3 M parameters", yolov5s_320},
	{"yolov5n", "YOLOv5n, 640x640",
	 "ultralytics/yolov5 v6.0, models/yolov5n.yaml" FILES "; count: its own summary, 4.5 GFLOP, 1867405 parameters with layers fused", yolov5n},
	{"yolox_nano_416", "YOLOX-Nano, 416x416", YOLOX "1.08 GFLOP, 0.91 M parameters", yolox_nano},
	{"yolox_tiny_416", "YOLOX-Tiny, 416x416", YOLOX "6.45 GFLOP, 5.06 M parameters (OpenVINO's model zoo: 5.0472)", yolox_tiny},
	{0}
};
