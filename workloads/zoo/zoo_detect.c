/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Detectors: YOLOv2, YOLOv3-tiny, YOLOv4-tiny and RetinaFace. The networks end at the raw maps, but for YOLOv3-tiny, whose file decodes its
 * boxes; anchors, score functions and non-maximum suppression are not part of them.
 */
#include "zoo_blocks.h"

/* ---- YOLOv2 ---- */

static int yolo_conv(struct zoo *z, int x, int number, int channels, int kernel)
{
	char name[16];

	snprintf(name, sizeof name, "conv%d", number);
	return zoo_conv_act(z, name, x, channels, zoo_square(kernel, 1, ZOO_SAME), ZOO_LEAKY_RELU);
}

/* Darknet-19 without its classifier; fine is the 26x26 map that the
 * passthrough takes. Each of the six stages is a block. */
static int darknet19(struct zoo *z, int x, int *fine)
{
	static const int n_convs[] = {1, 1, 3, 3, 5, 5}, channels[] = {32, 64, 128, 256, 512, 1024};
	int number = 1;

	for (int stage = 0; stage < 6; stage++) {
		zoo_block(z);
		if (stage > 0) {
			char name[16];

			snprintf(name, sizeof name, "pool%d", stage);
			x = zoo_max_pool(z, name, x, zoo_square(2, 2, ZOO_VALID));
		}
		for (int i = 0; i < n_convs[stage]; i++) /* 3x3 and 1x1 at half the width by turns */
			x = yolo_conv(z, x, number++, channels[stage] >> (i & 1), i & 1 ? 1 : 3);
		if (stage == 4)
			*fine = x;
	}
	return x;
}

/* Blocks: six stages of Darknet-19, the two convolutions after them, and the
 * passthrough with the detection layers. */
static void yolov2(struct zoo *z)
{
	int x = zoo_input(z, "image", 416, 416, 3), fine = x;

	x = darknet19(z, x, &fine);
	zoo_block(z);
	x = yolo_conv(z, x, 19, 1024, 3);
	x = yolo_conv(z, x, 20, 1024, 3);
	zoo_block(z);
	fine = zoo_space_to_depth(z, "reorg", yolo_conv(z, fine, 21, 64, 1), 2);
	x = zoo_concat(z, "concat", 2, (const int[]){fine, x});
	x = yolo_conv(z, x, 22, 1024, 3);
	zoo_output(z, zoo_conv(z, "conv23", x, 125, zoo_pointwise())); /* 5 boxes x (20 classes + 5) */
}

/*
 * What CoDL's measurements ran: a list of 22 convolutions and 5 poolings with
 * their own shapes, without activations. Its last convolution reads 125
 * channels that no other makes, so it has an input of its own.
 */
static void yolov2_codl(struct zoo *z)
{
	static const int n_convs[] = {1, 1, 3, 3, 5, 5}, channels[] = {32, 64, 128, 256, 512, 1024}, last[] = {1024, 1024, 1536};
	int x = zoo_input(z, "image", 416, 416, 3), head = zoo_input(z, "head", 13, 13, 125), number = 1;
	char name[ZOO_NAME_MAX];

	for (int stage = 0; stage < 6; stage++) {
		zoo_block(z);
		snprintf(name, sizeof name, "pool%d", stage);
		if (stage > 0)
			x = zoo_max_pool(z, name, x, zoo_square(2, 2, ZOO_VALID));
		for (int i = 0; i < n_convs[stage]; i++) {
			snprintf(name, sizeof name, "conv%d", number++);
			x = zoo_conv(z, name, x, channels[stage] >> (i & 1), zoo_square(i & 1 ? 1 : 3, 1, ZOO_SAME));
		}
	}
	for (int i = 0; i < 3; i++) {
		zoo_block(z);
		snprintf(name, sizeof name, "conv%d", number++);
		x = zoo_conv(z, name, x, last[i], zoo_square(3, 1, ZOO_SAME));
	}
	zoo_output(z, x);
	zoo_block(z);
	zoo_output(z, zoo_conv(z, "conv22", head, 1024, zoo_square(3, 1, ZOO_SAME)));
}

/* ---- YOLOv4-tiny ---- */

static int tiny_conv(struct zoo *z, const char *name, int x, int channels, int kernel, int stride)
{
	return zoo_conv_act(z, name, x, channels, zoo_square(kernel, stride, ZOO_CENTRED), ZOO_LEAKY_RELU);
}

/* Half of what a convolution makes goes on, and comes back behind it, twice as wide; *inner is what is joined last. */
static int v4_cross_stage(struct zoo *z, int x, int channels, int *inner)
{
	int part[2], whole = tiny_conv(z, "conv0", x, channels, 3, 1);

	part[1] = tiny_conv(z, "conv1", zoo_slice(z, "half", whole, 3, channels / 2, channels / 2), channels / 2, 3, 1);
	part[0] = tiny_conv(z, "conv2", part[1], channels / 2, 3, 1);
	*inner = tiny_conv(z, "conv3", zoo_concat(z, "concat1", 2, part), channels, 1, 1);
	x = zoo_concat(z, "concat2", 2, (const int[]){whole, *inner});
	return zoo_max_pool(z, "pool", x, zoo_square(2, 2, ZOO_VALID));
}

/* Blocks: the stem, three cross-stage partial ones, the coarse map, the fine one. */
static void yolov4_tiny(struct zoo *z)
{
	enum { NUMBERS = 3 * (80 + 5) };
	int x = zoo_input(z, "image", 416, 416, 3), fine = x, up;

	zoo_block(z);
	x = tiny_conv(z, "conv1", x, 32, 3, 2);
	x = tiny_conv(z, "conv2", x, 64, 3, 2);
	for (int i = 0; i < 3; i++) {
		zoo_block(z);
		zoo_scope(z, "stage%d", i + 1);
		x = v4_cross_stage(z, x, 64 << i, &fine);
	}
	zoo_block(z);
	zoo_scope(z, "coarse");
	x = tiny_conv(z, "conv1", x, 512, 3, 1);
	x = tiny_conv(z, "conv2", x, 256, 1, 1);
	zoo_output(z, zoo_conv(z, "predict", tiny_conv(z, "conv3", x, 512, 3, 1), NUMBERS, zoo_pointwise()));
	zoo_block(z);
	zoo_scope(z, "fine");
	up = zoo_resize_nearest(z, "up", tiny_conv(z, "conv1", x, 128, 1, 1), 2);
	x = zoo_concat(z, "concat", 2, (const int[]){up, fine});
	zoo_output(z, zoo_conv(z, "predict", tiny_conv(z, "conv2", x, 256, 3, 1), NUMBERS, zoo_pointwise()));
}

/* ---- YOLOv3-tiny ---- */

/* A map's boxes as a list, decoded: centres in pixels, sizes as of anchors. Images are NCHW there, so that it turns them. */
static int v3_boxes(struct zoo *z, int map)
{
	enum { BOXES = 3, NUMBERS = 80 + 5, PAIR = 2 };
	const int positions = zoo_height(z, map) * zoo_width(z, map);
	int x, part[3];

	x = zoo_conv(z, "predict", map, BOXES * NUMBERS, zoo_pointwise());
	x = zoo_reshape(z, "boxes", x, 4, (const int[]){1, BOXES, NUMBERS, positions});
	x = zoo_unary(z, "Sigmoid", "sigmoid", zoo_transpose(z, "turned", x, (const int[]){0, 1, 3, 2}));
	part[0] = zoo_with_constant(z, "Mul", "centre_doubled", zoo_slice(z, "centre", x, 3, 0, PAIR));
	part[0] = zoo_with_constant(z, "Add", "centre_placed", zoo_with_constant(z, "Sub", "centre_shifted", part[0]));
	part[0] = zoo_with_constant(z, "Mul", "centre_scaled", part[0]);
	part[1] = zoo_with_constant(z, "Mul", "size_doubled", zoo_slice(z, "size", x, 3, PAIR, PAIR));
	part[1] = zoo_with_constant(z, "Mul", "size_scaled", zoo_with_constant(z, "Pow", "size_squared", part[1]));
	part[2] = zoo_slice(z, "scores", x, 3, 2 * PAIR, NUMBERS - 2 * PAIR);
	x = zoo_concat_axis(z, "numbers", 3, part, 3);
	return zoo_reshape(z, "list", x, 3, (const int[]){1, BOXES * positions, NUMBERS});
}

/* Blocks: five convolutions with their poolings, the coarse map, the fine one, the boxes of either. */
static void yolov3_tiny(struct zoo *z)
{
	int x = zoo_input(z, "image", 416, 416, 3), map[2], list[2];

	for (int i = 0; i < 5; i++) {
		zoo_block(z);
		zoo_scope(z, "stage%d", i + 1);
		if (i > 0)
			x = zoo_max_pool(z, "pool", x, zoo_square(2, 2, ZOO_VALID));
		x = tiny_conv(z, "conv", x, 16 << i, 3, 1);
	}
	map[0] = x;
	zoo_block(z);
	zoo_scope(z, "coarse");
	x = tiny_conv(z, "conv1", zoo_max_pool(z, "pool1", x, zoo_square(2, 2, ZOO_VALID)), 512, 3, 1);
	x = zoo_max_pool(z, "pool2", zoo_zero_pad_by(z, "pad", x, 0, 1), zoo_square(2, 1, ZOO_VALID));
	x = tiny_conv(z, "conv3", tiny_conv(z, "conv2", x, 1024, 3, 1), 256, 1, 1);
	map[1] = tiny_conv(z, "conv4", x, 512, 3, 1);
	zoo_block(z);
	zoo_scope(z, "fine");
	x = zoo_resize_nearest(z, "up", tiny_conv(z, "conv1", x, 128, 1, 1), 2);
	map[0] = tiny_conv(z, "conv2", zoo_concat(z, "concat", 2, (const int[]){x, map[0]}), 256, 3, 1);
	for (int i = 0; i < 2; i++) {
		zoo_block(z);
		zoo_scope(z, "boxes%d", i + 1);
		list[i] = v3_boxes(z, map[i]);
	}
	zoo_output(z, zoo_concat_lists(z, "lists", 2, list));
}

/* ---- RetinaFace ---- */

enum { FPN_LATERALS = 4, FPN_LEVELS = 5, FPN_CHANNELS = 256 };

/* A bottleneck without its shortcut and activations. */
static int plain_unit(struct zoo *z, int x, struct zoo_residual r)
{
	x = zoo_conv(z, "conv1", x, r.mid, zoo_pointwise());
	x = zoo_conv(z, "conv2", x, r.mid, zoo_square(3, r.stride, ZOO_SAME));
	return zoo_conv(z, "conv3", x, r.out, zoo_pointwise());
}

/* ResNet-50 v1 with the stride in the last unit of a stage (TF-slim), behind
 * its first convolution and pooling. c: the maps of stride 4, 8, 16 and 32.
 * Each unit is a block. */
static void retinaface_stages(struct zoo *z, int x, int (*unit_of)(struct zoo *, int, struct zoo_residual), int c[FPN_LATERALS])
{
	static const int n_units[] = {3, 4, 6, 3};

	for (int stage = 0; stage < 4; stage++)
		for (int unit = 0; unit < n_units[stage]; unit++) {
			bool shrinks = stage < 3 && unit + 1 == n_units[stage];
			int mid = 64 << stage;

			zoo_block(z);
			zoo_scope(z, "stage%d_unit%d", stage + 1, unit + 1);
			if (stage == 0 && shrinks)
				c[0] = x;
			x = unit_of(z, x, (struct zoo_residual){mid, 4 * mid, shrinks ? 2 : 1, 1, ZOO_SAME});
			if (stage < 2 && shrinks)
				c[stage + 1] = x;
		}
	c[3] = x;
}

/* p: five levels of 256 channels, the finest first. */
static void retinaface_fpn(struct zoo *z, const int c[FPN_LATERALS], int p[FPN_LEVELS])
{
	int x = -1;

	zoo_block(z);
	for (int i = FPN_LATERALS - 1; i >= 0; i--) {
		int lateral;

		zoo_scope(z, "p%d", i + 2);
		lateral = zoo_conv(z, "lateral", c[i], FPN_CHANNELS, zoo_pointwise());
		if (i == FPN_LATERALS - 1) {
			x = p[i] = lateral;
			p[i + 1] = zoo_max_pool(z, "subsample", x, zoo_square(1, 2, ZOO_VALID));
			continue;
		}
		x = zoo_binary(z, "Add", "add", lateral, zoo_resize_nearest(z, "upsample", x, 2));
		p[i] = zoo_conv(z, "smooth", x, FPN_CHANNELS, zoo_square(3, 1, ZOO_SAME));
	}
}

/* Context module and predictors of one level: 3 anchors, 4 coordinates and 2
 * scores each. */
static void retinaface_head(struct zoo *z, int x, enum zoo_act act)
{
	const struct zoo_window w = zoo_square(3, 1, ZOO_SAME);
	int b[3];

	b[0] = zoo_conv(z, "ssh1", x, 128, w);
	b[1] = zoo_conv(z, "ssh2", x, 64, w);
	b[2] = zoo_conv(z, "ssh3", x, 64, w);
	x = zoo_act(z, act, zoo_concat(z, "concat", 3, b));
	x = zoo_conv_act(z, "conv", x, 256, w, act);
	zoo_output(z, zoo_conv(z, "box", x, 12, w));
	zoo_output(z, zoo_conv(z, "score", x, 6, w));
}

/*
 * Shapes are those of CoDL's evaluation network, completed by what its list of
 * convolutions leaves out: projections and subsampling in the shortcuts, sums,
 * upsampling, Concat and activations. Its three context convolutions all read
 * 256 channels, hence three parallel branches and not SSH's chains of 64, and
 * it has no landmark predictor. One convolution of stage 4 that its list gives
 * a 20x18 output is 20x20 here (+0.09 GMAC).
 *
 * Blocks: the stem, 16 units, the pyramid, one head per level.
 */
static void retinaface(struct zoo *z)
{
	int x = zoo_input(z, "image", 640, 640, 3), c[FPN_LATERALS], p[FPN_LEVELS];

	zoo_block(z);
	x = zoo_conv_act(z, "conv1", x, 64, zoo_square(7, 2, ZOO_CENTRED), ZOO_RELU);
	x = zoo_max_pool(z, "pool1", x, zoo_square(3, 2, ZOO_SAME));
	retinaface_stages(z, x, zoo_bottleneck_unit, c);
	retinaface_fpn(z, c, p);
	for (int i = 0; i < FPN_LEVELS; i++) {
		zoo_block(z);
		zoo_scope(z, "head%d", i + 2);
		retinaface_head(z, p[i], ZOO_RELU);
	}
}

/* Laterals and what smooths them, without what the coarser level adds. */
static void plain_fpn(struct zoo *z, const int c[FPN_LATERALS], int p[FPN_LEVELS])
{
	zoo_block(z);
	for (int i = FPN_LATERALS - 1; i >= 0; i--) {
		zoo_scope(z, "p%d", i + 2);
		p[i] = zoo_conv(z, "lateral", c[i], FPN_CHANNELS, zoo_pointwise());
		if (i == FPN_LATERALS - 1)
			p[i + 1] = zoo_max_pool(z, "subsample", p[i], zoo_square(1, 2, ZOO_VALID));
		else
			p[i] = zoo_conv(z, "smooth", p[i], FPN_CHANNELS, zoo_square(3, 1, ZOO_SAME));
	}
}

/*
 * What CoDL's measurements ran: 86 convolutions and a pooling with their own
 * shapes. They hang together but for the coarsest level and the three context
 * convolutions of a head, which a subsampling and a Concat join here; CoDL's
 * list has neither. The 20x18 output is 20x20, as above.
 */
static void retinaface_codl(struct zoo *z)
{
	int x = zoo_input(z, "image", 640, 640, 3), c[FPN_LATERALS], p[FPN_LEVELS];

	zoo_block(z);
	x = zoo_conv(z, "conv1", x, 64, zoo_square(7, 2, ZOO_CENTRED));
	x = zoo_max_pool(z, "pool1", x, zoo_square(2, 2, ZOO_VALID));
	retinaface_stages(z, x, plain_unit, c);
	plain_fpn(z, c, p);
	for (int i = 0; i < FPN_LEVELS; i++) {
		zoo_block(z);
		zoo_scope(z, "head%d", i + 2);
		retinaface_head(z, p[i], ZOO_LINEAR);
	}
}

const struct zoo_network zoo_detect_networks[] = {
	{"yolov2", "YOLOv2 of PASCAL VOC, 416x416",
	 "Redmon and Farhadi, YOLO9000: Better, Faster, Stronger, CVPR 2017, darknet's yolov2-voc; count: 14.68 GMAC, "
	 "50.65 M parameters (analytic). CoDL's network has 15.23 GMAC because its last convolutions replace the "
	 "passthrough", yolov2},
	{"yolov4_tiny", "YOLOv4-tiny, 416x416",
	 "Wang et al., Scaled-YOLOv4: Scaling Cross Stage Partial Network, CVPR 2021, as in WongKinYiu/PyTorch_YOLOv4, "
	 "cfg/yolov4-tiny.cfg@f309cba, 80 classes of COCO; count: 3.454 GMAC, 6.054 M parameters (analytic)", yolov4_tiny},
	{"yolov3_tiny", "YOLOv3-tiny with decoded boxes, 416x416",
	 "Redmon and Farhadi, YOLOv3: An Incremental Improvement, 2018, as in ultralytics/yolov3, models/yolov3-tiny.yaml, and "
	 "JiweiMaster/MobileDetBenchmark@0e7a117, yolov3-tiny-416.param, which ncnn reads; count: OpenVINO's model zoo, 5.582 GFLOP, 8.848 M parameters", yolov3_tiny},
	{"retinaface", "RetinaFace with ResNet-50, 640x640",
	 "Deng et al., RetinaFace: Single-Shot Multi-Level Face Localisation in the Wild, CVPR 2020, with the layer shapes "
	 "of CoDL (MobiSys 2022); count: CoDL's 89.354 GMAC and 29.35 M weights, and 2.94 GMAC and 2.77 M weights of the "
	 "projection shortcuts that CoDL leaves out", retinaface},
	{"yolov2_codl", "YOLOv2 as CoDL measured it",
	 "the convolutions and poolings of CoDL's model builder (MobiSys 2022, csu-eis/CoDL @0a0c89d): no activations or "
	 "passthrough, and last convolutions of its own; 15.23 GMAC", yolov2_codl},
	{"retinaface_codl", "RetinaFace as CoDL measured it",
	 "the convolutions and the pooling of CoDL's model builder (MobiSys 2022, csu-eis/CoDL @0a0c89d): no shortcuts, sums, "
	 "activations or upsampling; 89.45 GMAC, 0.09 of them of one convolution that the list gives 20x18. p5_subsample, a pooling, and five Concats join what "
	 "the list leaves apart", retinaface_codl},
	{0}
};
