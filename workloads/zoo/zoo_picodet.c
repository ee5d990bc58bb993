/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * PP-PicoDet of PaddleDetection up to its raw scores and distances (without decoding boxes and
 * suppression), with LCNet (2022) and, before, with ESNet and with backbones of others (2021).
 */
#include "zoo_paddle.h"

enum { LEVELS = 4, SCALES = ZOO_PADDLE_SCALES, COCO = 80, PEDESTRIANS = 1, DISTANCES = 32, NECK_KERNEL = 5 };

/* width_percent: of the backbone; channels: of neck and head; depth: separable convolutions of a head. */
struct picodet {
	int size, width_percent, channels, depth, classes;
};

/* ---- Necks: two scales joined to one of `channels` ---- */

typedef int join_fn(struct zoo *z, int x, int channels);

static int join_separable(struct zoo *z, int x, int channels)
{
	return zoo_paddle_separable(z, 2, zoo_paddle_separable(z, 1, x, 2 * channels, NECK_KERNEL, 1, false), channels, NECK_KERNEL, 1, false);
}

static int join_csp(struct zoo *z, int x, int channels)
{
	int b[2];

	b[1] = zoo_paddle_conv(z, "short", x, channels / 2, 1, 1);
	b[0] = zoo_paddle_conv(z, "main", x, channels / 2, 1, 1);
	b[0] = zoo_paddle_separable(z, 1, zoo_paddle_conv(z, "bottleneck", b[0], channels / 2, 1, 1), channels / 2, NECK_KERNEL, 1, false);
	return zoo_paddle_conv(z, "final", zoo_concat(z, "parts", 2, b), channels, 1, 1);
}

/* Down from the smallest scale, up again, and one scale more. */
static void neck(struct zoo *z, int channels, join_fn *join, int level[LEVELS])
{
	int smallest, b[2];

	zoo_block(z);
	for (int i = 0; i < SCALES; i++) {
		zoo_scope(z, "neck_in%d", i);
		level[i] = zoo_paddle_conv(z, "conv", level[i], channels, 1, 1);
	}
	smallest = level[SCALES - 1];
	for (int i = SCALES - 2; i >= 0; i--) {
		zoo_block(z);
		zoo_scope(z, "down%d", i);
		b[0] = zoo_resize_nearest(z, "resize", level[i + 1], 2);
		b[1] = level[i];
		level[i] = join(z, zoo_concat(z, "concat", 2, b), channels);
	}
	for (int i = 1; i < SCALES; i++) {
		zoo_block(z);
		zoo_scope(z, "up%d", i);
		b[0] = zoo_paddle_separable(z, 3, level[i - 1], channels, NECK_KERNEL, 2, false);
		b[1] = level[i];
		level[i] = join(z, zoo_concat(z, "concat", 2, b), channels);
	}
	zoo_block(z);
	zoo_scope(z, "top");
	b[0] = zoo_paddle_separable(z, 1, smallest, channels, NECK_KERNEL, 2, false);
	b[1] = zoo_paddle_separable(z, 2, level[SCALES - 1], channels, NECK_KERNEL, 2, false);
	level[LEVELS - 1] = zoo_binary(z, "Add", "add", b[0], b[1]);
}

/* ---- Heads ---- */

static int head_convs(struct zoo *z, const struct picodet *p, int x)
{
	for (int i = 0; i < p->depth; i++)
		x = zoo_paddle_separable(z, i + 1, x, p->channels, NECK_KERNEL, 1, false);
	return x;
}

/* Scores are the roots of two probabilities' product: a class here, something at all. */
static void aligned_head(struct zoo *z, const struct picodet *p, int x)
{
	int gate, score, aligned;

	x = head_convs(z, p, x);
	gate = zoo_conv(z, "gate", zoo_global_pool(z, "pool", x), p->channels, zoo_pointwise());
	gate = zoo_binary(z, "Mul", "scale", x, zoo_unary(z, "Sigmoid", "gate_sigmoid", gate));
	gate = zoo_paddle_conv(z, "decomposed", gate, p->channels, 1, 1);
	score = zoo_conv(z, "class", gate, p->classes, zoo_pointwise());
	gate = zoo_conv(z, "distance", gate, DISTANCES, zoo_pointwise());
	aligned = zoo_conv(z, "align_out", zoo_paddle_conv(z, "align", x, 1, 5, 1), 1, zoo_pointwise());
	aligned = zoo_unary(z, "Sigmoid", "align_sigmoid", aligned);
	score = zoo_binary(z, "Mul", "product", zoo_unary(z, "Sigmoid", "class_sigmoid", score), aligned);
	score = zoo_unary(z, "Sqrt", "root", zoo_unary(z, "BatchNormalization", "epsilon", score));
	zoo_output_list(z, "scores", score);
	zoo_output_list(z, "distances", gate);
}

static void shared_head(struct zoo *z, const struct picodet *p, int x)
{
	zoo_scores_and_distances(z, head_convs(z, p, x), p->classes, DISTANCES);
}

static void heads(struct zoo *z, const struct picodet *p, void (*head)(struct zoo *, const struct picodet *, int), const int level[LEVELS])
{
	for (int i = 0; i < LEVELS; i++) {
		zoo_block(z);
		zoo_scope(z, "head%d", i);
		head(z, p, level[i]);
	}
}

static void picodet(struct zoo *z, int size, int width_percent, int channels, int depth, int classes)
{
	const struct picodet p = {size, width_percent, channels, depth, classes};
	int level[LEVELS];

	zoo_paddle_lcnet(z, p.size, p.width_percent, level);
	neck(z, channels, join_separable, level);
	heads(z, &p, aligned_head, level);
}

/* Neck and head of 2021. */
static void over_2021(struct zoo *z, const struct picodet *p, int level[LEVELS])
{
	neck(z, p->channels, join_csp, level);
	heads(z, p, shared_head, level);
}

/* To a multiple of 16, but not below nine tenths. */
static int rounded16(int channels, int percent)
{
	const int exact = channels * percent, r = (exact + 800) / 1600 * 16; /* exact: hundredths of a channel */

	return r < 16 ? 16 : r * 1000 < exact * 9 ? r + 16 : r;
}

static void picodet_2021(struct zoo *z, int size, int width_percent, int channels, int depth, int classes)
{
	static const int small[ZOO_ESNET_UNITS] = {7, 4, 4, 4, 5, 4, 5, 4, 4, 4, 4, 4, 4}, large[ZOO_ESNET_UNITS] = {7, 4, 8, 5, 4, 6, 5, 5, 4, 5, 8, 5, 6};
	static const int full[SCALES] = {128, 256, 512};
	const struct picodet p = {size, width_percent, channels, depth, classes};
	int width[SCALES], level[LEVELS];

	for (int s = 0; s < SCALES; s++)
		width[s] = rounded16(full[s], width_percent);
	zoo_esnet(z, size, width, width_percent < 100 ? small : large, level);
	over_2021(z, &p, level);
}

/* The backbone of 2022, and others'. */
static void lcnet_1_5_416_2021(struct zoo *z)
{
	const struct picodet p = {416, 150, 128, 4, COCO};
	int level[LEVELS];

	zoo_paddle_lcnet(z, p.size, p.width_percent, level);
	over_2021(z, &p, level);
}

static void shufflenet_v2_416_2021(struct zoo *z)
{
	const struct picodet p = {416, 100, 96, 2, COCO};
	int x = zoo_input(z, "image", p.size, p.size, 3), level[LEVELS];

	zoo_shuffle_v2(z, x, (const int[]){116, 232, 464}, ZOO_LEAKY_RELU, false, level);
	over_2021(z, &p, level);
}

static void mobilenet_v3_large_416_2021(struct zoo *z)
{
	const struct picodet p = {416, 100, 128, 4, COCO};
	int level[ZOO_PADDLE_LEVELS + 1];

	zoo_paddle_v3_levels(z, p.size, p.size, p.width_percent, ZOO_PADDLE_LEVELS, level);
	over_2021(z, &p, level + 1); /* without that of stride 4, but with one more that it makes */
}

#define PICODET(name, size, width_percent, channels, depth) \
	static void name##_##size(struct zoo *z) { picodet(z, size, width_percent, channels, depth, COCO); }
#define PICODET_2021(name, size, width_percent, channels, depth) \
	static void name##_##size##_2021(struct zoo *z) { picodet_2021(z, size, width_percent, channels, depth, COCO); }

PICODET(xs, 320, 35, 96, 2)
PICODET(xs, 416, 35, 96, 2)
PICODET(s, 320, 75, 96, 2)
PICODET(s, 416, 75, 96, 2)
PICODET(m, 320, 150, 128, 4)
PICODET(m, 416, 150, 128, 4)
PICODET(l, 320, 200, 160, 4)
PICODET(l, 416, 200, 160, 4)
PICODET(l, 640, 200, 160, 4)
PICODET_2021(s, 320, 75, 96, 2)
PICODET_2021(s, 416, 75, 96, 2)
PICODET_2021(m, 320, 100, 128, 4)
PICODET_2021(m, 416, 100, 128, 4)
PICODET_2021(l, 320, 125, 160, 4)
PICODET_2021(l, 416, 125, 160, 4)
PICODET_2021(l, 640, 125, 160, 4)

static void lcnet_pedestrian_192(struct zoo *z) { picodet(z, 192, 75, 96, 2, PEDESTRIANS); }
static void lcnet_pedestrian_320(struct zoo *z) { picodet(z, 320, 75, 96, 2, PEDESTRIANS); }
static void pedestrian_192(struct zoo *z) { picodet_2021(z, 192, 75, 96, 2, PEDESTRIANS); }
static void pedestrian_320(struct zoo *z) { picodet_2021(z, 320, 75, 96, 2, PEDESTRIANS); }

#define PAPER "Yu et al., PP-PicoDet: A Better Real-Time Object Detector on Mobile Devices, 2021, as in PaddleDetection, "
#define V2 PAPER "configs/picodet (LCNet, 2022); count: its table, "
#define V1 PAPER "configs/picodet/legacy_model (ESNet, 2021); count: its table, "
#define PEDESTRIAN PAPER "configs/picodet (LCNet, 2022); count: configs/keypoint/tiny_pose, "
#define ENTRY(title, name, size, source, count) \
	{"picodet_" #name "_" #size, "PP-PicoDet-" title ", " #size "x" #size, source count, name##_##size}
#define ENTRY_2021(title, name, size, source, count) \
	{"picodet_" #name "_" #size "_2021", "PP-PicoDet-" title " of 2021, " #size "x" #size, source count, name##_##size##_2021}

const struct zoo_network zoo_picodet_networks[] = {
	ENTRY("XS", xs, 320, V2, "0.67 GFLOP, 0.70 M parameters"),
	ENTRY("XS", xs, 416, V2, "1.13 GFLOP, 0.70 M parameters"),
	ENTRY("S", s, 320, V2, "0.97 GFLOP, 1.18 M parameters"),
	ENTRY("S", s, 416, V2, "1.65 GFLOP, 1.18 M parameters"),
	ENTRY("M", m, 320, V2, "2.57 GFLOP, 3.46 M parameters"),
	ENTRY("M", m, 416, V2, "4.34 GFLOP, 3.46 M parameters"),
	ENTRY("L", l, 320, V2, "4.20 GFLOP, 5.80 M parameters"),
	ENTRY("L", l, 416, V2, "7.10 GFLOP, 5.80 M parameters"),
	ENTRY("L", l, 640, V2, "16.81 GFLOP, 5.80 M parameters"),
	ENTRY_2021("S", s, 320, V1, "0.73 GFLOP, 0.99 M parameters"),
	ENTRY_2021("S", s, 416, V1, "1.24 GFLOP, 0.99 M parameters"),
	ENTRY_2021("M", m, 320, V1, "1.48 GFLOP, 2.15 M parameters"),
	ENTRY_2021("M", m, 416, V1, "2.50 GFLOP, 2.15 M parameters"),
	ENTRY_2021("L", l, 320, V1, "2.23 GFLOP, 3.30 M parameters"),
	ENTRY_2021("L", l, 416, V1, "3.76 GFLOP, 3.30 M parameters"),
	ENTRY_2021("L", l, 640, V1, "8.91 GFLOP, 3.30 M parameters"),
	{"picodet_lcnet_1.5_416_2021", "PP-PicoDet of 2021 over PP-LCNet 1.5, 416x416", V1 "3.85 GFLOP, 3.10 M parameters", lcnet_1_5_416_2021},
	{"picodet_shufflenet_v2_416_2021", "PP-PicoDet of 2021 over ShuffleNet V2, 416x416", V1 "1.53 GFLOP, 1.17 M parameters",
	 shufflenet_v2_416_2021},
	{"picodet_mobilenet_v3_large_416_2021", "PP-PicoDet of 2021 over MobileNet V3 Large, 416x416", V1 "2.80 GFLOP, 3.55 M parameters",
	 mobilenet_v3_large_416_2021},
	{"picodet_s_192_pedestrian", "PP-PicoDet-S of 2021 for pedestrians, 192x192", V1 "of 80 classes and 320x320 0.73 GFLOP, 0.99 M parameters", pedestrian_192},
	{"picodet_s_320_pedestrian", "PP-PicoDet-S of 2021 for pedestrians, 320x320", V1 "of 80 classes 0.73 GFLOP, 0.99 M parameters", pedestrian_320},
	{"picodet_s_192_lcnet_pedestrian", "PP-PicoDet-S for pedestrians, 192x192", PEDESTRIAN "170 MMAC (167 here)", lcnet_pedestrian_192},
	{"picodet_s_320_lcnet_pedestrian", "PP-PicoDet-S for pedestrians, 320x320", PEDESTRIAN "472 MMAC (465 here)", lcnet_pedestrian_320},
	{0}
};
