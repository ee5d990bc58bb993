/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * MobileSeg of PaddleSeg: names a class for every pixel of a street, of what backbones for phones leave at several strides.
 */
#include "zoo_mobileseg.h"

#include "zoo_litehrnet.h"

enum { SIZE = 256, WIDE = 128, PARTS = 3, CITYSCAPES = 19, ADE20K = 150 };

static int separable(struct zoo *z, const char *name, int x, int channels)
{
	return zoo_separable(z, name, x, channels, 1, ZOO_RELU);
}

static int resize_like(struct zoo *z, const char *name, int x, int like)
{
	return zoo_resize_bilinear_to(z, name, x, zoo_height(z, like), zoo_width(z, like));
}

/* The sum of what the whole map, its quarters and sixteenths have in common. */
static int context(struct zoo *z, int x)
{
	char name[16];
	int sum = -1;

	for (int i = 0; i < PARTS; i++) {
		int y;

		snprintf(name, sizeof name, "pool%d", 1 << i);
		y = i == 0 ? zoo_global_pool(z, name, x) : zoo_avg_pool_parts(z, name, x, 1 << i);
		snprintf(name, sizeof name, "conv%d", 1 << i);
		y = zoo_conv_act(z, name, y, WIDE, zoo_pointwise(), ZOO_RELU);
		snprintf(name, sizeof name, "resize%d", 1 << i);
		y = resize_like(z, name, y, x);
		snprintf(name, sizeof name, "add%d", 1 << i);
		sum = i == 0 ? y : zoo_binary(z, "Add", name, sum, y);
	}
	return separable(z, "out", sum, WIDE);
}

/* The smaller map is enlarged, though it be of the same size, and added to the larger one, which takes its width. */
static int fuse(struct zoo *z, int large, int small, int channels)
{
	large = separable(z, "in", large, zoo_channels(z, small));
	small = resize_like(z, "resize", small, large);
	return separable(z, "out", zoo_binary(z, "Add", "add", large, small), channels);
}

static int join_all(struct zoo *z, int n, int *x)
{
	const int channels = zoo_channels(z, x[0]);
	char name[32];

	for (int i = 1; i < n; i++) {
		snprintf(name, sizeof name, "in%d", i);
		x[i] = separable(z, name, x[i], channels);
		snprintf(name, sizeof name, "resize%d", i);
		x[i] = resize_like(z, name, x[i], x[0]);
	}
	return separable(z, "out", zoo_concat(z, "concat", n, x), channels);
}

/* Blocks: what the smallest map has in common, each level, the scores. */
int zoo_mobileseg(struct zoo *z, const struct zoo_mobileseg *m, int height, int width, const int *level)
{
	int fused[ZOO_PADDLE_LEVELS], x;

	zoo_block(z);
	zoo_scope(z, "context");
	x = context(z, level[m->n - 1]);
	for (int i = m->n - 1; i >= 0; i--) {
		zoo_block(z);
		zoo_scope(z, "fuse%d", i + 1);
		x = fused[i] = fuse(z, level[i], x, m->fused[i]);
	}
	zoo_block(z);
	if (m->all_levels) {
		zoo_scope(z, "join");
		x = join_all(z, m->n, fused);
	}
	zoo_scope(z, "head");
	x = zoo_conv_no_bias(z, "scores", separable(z, "in", x, m->of_scores), m->classes, zoo_pointwise());
	return zoo_resize_bilinear_to(z, "resize", x, height, width);
}

/* As exported: a class for each pixel (PaddleSeg, tools/export.py, --output_op). */
static void classified(struct zoo *z, int size, int classes, const int level[])
{
	const struct zoo_mobileseg m = {3, {32, 64, 128}, 32, classes, false};

	zoo_output(z, zoo_arg_max(z, "classes", zoo_mobileseg(z, &m, size, size, level)));
}

static void cityscapes(struct zoo *z, const int level[]) { classified(z, SIZE, CITYSCAPES, level); }

static void mobilenet_v2(struct zoo *z)
{
	int level[ZOO_PADDLE_LEVELS];

	zoo_paddle_v2_levels(z, SIZE, level);
	cityscapes(z, level + 1);
}

static void over_v3_large(struct zoo *z, int size, int classes)
{
	int level[ZOO_PADDLE_LEVELS];

	zoo_paddle_v3_levels(z, size, size, 100, ZOO_PADDLE_LEVELS, level);
	classified(z, size, classes, level + 1);
}

static void mobilenet_v3_large(struct zoo *z) { over_v3_large(z, SIZE, CITYSCAPES); }

static void mobilenet_v3_large_512(struct zoo *z) { over_v3_large(z, 512, ADE20K); }

static void ghostnet(struct zoo *z)
{
	int level[ZOO_PADDLE_LEVELS];

	zoo_paddle_ghost_levels(z, SIZE, level);
	cityscapes(z, level + 1);
}

static void shufflenet_v2(struct zoo *z)
{
	int level[3];

	zoo_shuffle_v2(z, zoo_input(z, "image", SIZE, SIZE, 3), (const int[]){116, 232, 464}, ZOO_RELU, false, level);
	cityscapes(z, level);
}

/* Of Lite-HRNet the largest maps, at strides 4 to 16. */
static void lite_hrnet_18(struct zoo *z)
{
	int level[ZOO_LITE_HRNET_LEVELS];

	zoo_lite_hrnet_18(z, SIZE, level);
	cityscapes(z, level);
}

#define SOURCE "PaddlePaddle/PaddleSeg, configs/mobileseg (paddleseg/models/mobileseg.py, which prints no counts); count: "

const struct zoo_network zoo_mobileseg_networks[] = {
	{"mobileseg_mobilenet_v2_256", "MobileSeg over MobileNet V2, 19 classes, 256x256", SOURCE "0.400 GMAC, 2.030 M parameters (analytic)", mobilenet_v2},
	{"mobileseg_mobilenet_v3_large_256", "MobileSeg over MobileNet V3 Large, 19 classes, 256x256",
	 SOURCE "0.292 GMAC, 2.956 M parameters (analytic)", mobilenet_v3_large},
	{"mobileseg_mobilenet_v3_large_512", "MobileSeg over MobileNet V3 Large, 150 classes, 512x512",
	 SOURCE "1.178 GMAC, 2.968 M parameters (analytic)", mobilenet_v3_large_512},
	{"mobileseg_lite_hrnet_18_256", "MobileSeg over Lite-HRNet-18, 19 classes, 256x256",
	 SOURCE "0.320 GMAC, 1.215 M parameters (analytic); Lite-HRNet-18 by itself for poses, 256x192: its authors' 0.205 GMAC, 1.1 M parameters, here "
	 "0.199 GMAC, and one operation for each number of its normalisations 0.205", lite_hrnet_18},
	{"mobileseg_shufflenet_v2_256", "MobileSeg over ShuffleNet V2 1.0x, 19 classes, 256x256", SOURCE "0.189 GMAC, 1.103 M parameters (analytic)", shufflenet_v2},
	{"mobileseg_ghostnet_256", "MobileSeg over GhostNet, 19 classes, 256x256", SOURCE "0.189 GMAC, 2.658 M parameters (analytic)", ghostnet},
	{0}
};
