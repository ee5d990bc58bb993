/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * NanoDet of 2021 over ShuffleNet V2, as ncnn runs it: up to its scores and the distributions of its distances, which are lists.
 * Decoding boxes and suppression are not part of it.
 */
#include "zoo_blocks.h"

enum { SCALES = ZOO_SHUFFLE_STAGES, COCO = 80, DISTANCES = 32, HEAD_DEPTH = 2 };

/* A map as large as another one, added to it. */
static int add_resized(struct zoo *z, int from, int to)
{
	from = zoo_resize_bilinear_to(z, "resize", from, zoo_height(z, to), zoo_width(z, to));
	return zoo_binary(z, "Add", "add", to, from);
}

/* Down from the smallest scale and up again, by sums alone. */
static void neck(struct zoo *z, int channels, int level[SCALES])
{
	zoo_block(z);
	for (int i = 0; i < SCALES; i++) {
		zoo_scope(z, "lateral%d", i);
		level[i] = zoo_conv(z, "conv", level[i], channels, zoo_pointwise());
	}
	for (int i = SCALES - 2; i >= 0; i--) {
		zoo_scope(z, "down%d", i);
		level[i] = add_resized(z, level[i + 1], level[i]);
	}
	for (int i = 1; i < SCALES; i++) {
		zoo_scope(z, "up%d", i);
		level[i] = add_resized(z, level[i - 1], level[i]);
	}
}

/* Separable convolutions for both what a box is and where, and these two together. */
static void head(struct zoo *z, int x)
{
	const int channels = zoo_channels(z, x);
	char name[16];

	for (int i = 1; i <= HEAD_DEPTH; i++) {
		snprintf(name, sizeof name, "depthwise%d", i);
		x = zoo_act(z, ZOO_LEAKY_RELU, zoo_depthwise(z, name, x, zoo_square(3, 1, ZOO_CENTRED)));
		snprintf(name, sizeof name, "pointwise%d", i);
		x = zoo_conv_act(z, name, x, channels, zoo_pointwise(), ZOO_LEAKY_RELU);
	}
	zoo_scores_and_distances(z, x, COCO, DISTANCES);
}

/* Blocks: the backbone's stem and units, the neck, the heads. */
static void nanodet(struct zoo *z, int size, const int widths[SCALES], int channels)
{
	int x = zoo_input(z, "image", size, size, 3), level[SCALES];

	zoo_shuffle_v2(z, x, widths, ZOO_LEAKY_RELU, true, level);
	neck(z, channels, level);
	for (int i = 0; i < SCALES; i++) {
		zoo_block(z);
		zoo_scope(z, "head%d", i);
		head(z, level[i]);
	}
}

static void m_320(struct zoo *z) { nanodet(z, 320, (const int[]){116, 232, 464}, 96); }
static void m_416(struct zoo *z) { nanodet(z, 416, (const int[]){116, 232, 464}, 96); }
static void m_1_5_416(struct zoo *z) { nanodet(z, 416, (const int[]){176, 352, 704}, 128); }

#define NANODET "RangiLyu/nanodet (2021), as in JiweiMaster/MobileDetBenchmark@933a6a6, whose .param files ncnn reads; count: "
#define README "its README, 0.72 GFLOP at 320x320, 0.95 M parameters (with what is no product, and scales of normalisations)"

const struct zoo_network zoo_nanodet_networks[] = {
	{"nanodet_m_320", "NanoDet-M, 320x320", NANODET README, m_320},
	{"nanodet_m_416", "NanoDet-M, 416x416", NANODET README, m_416},
	{"nanodet_m_1.5x_416", "NanoDet-M 1.5x, 416x416", NANODET "OpenVINO's model zoo, 2.3895 GFLOP, 2.0534 M parameters", m_1_5_416},
	{0}
};
