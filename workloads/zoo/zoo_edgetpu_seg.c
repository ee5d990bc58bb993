/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Segmentation for the Edge TPU: DeepLab V3+ over MobileNetEdgeTPUv2, and AutosegEdgeTPU, which was searched for and has a feature pyramid
 * that runs both ways. Each ends as the two files that the authors publish: the map of scores is enlarged to the image, and ArgMax names a
 * class for each pixel; or ("fused argmax") it is enlarged to half of that, the largest score's number is found by arithmetic that NNAPI has
 * everywhere, and the numbers are enlarged to the image (tensorflow/models, official/projects/edgetpu/vision, serving/export_util.py).
 */
#include "zoo_edgetpu.h"

#include "zoo_blocks.h"

enum { SIZE = 512, CLASSES = 32 };

static int resize_like(struct zoo *z, const char *name, int x, int like)
{
	return zoo_resize_bilinear_to(z, name, x, zoo_height(z, like), zoo_width(z, like));
}

/* ---- what the files end in ---- */

static void arg_max(struct zoo *z, int scores)
{
	zoo_scope(z, "end");
	scores = zoo_resize_bilinear_to(z, "resize", scores, SIZE, SIZE);
	zoo_output(z, zoo_arg_max(z, "classes", scores));
}

/* 0 where a score is the largest, 1 elsewhere; 1 less that, times how many classes there are from this one on: the largest of these is the first's. */
static int number_of_largest(struct zoo *z, int scores)
{
	int x = zoo_binary(z, "Sub", "less", zoo_reduce(z, "ReduceMax", "largest", scores, 3), scores);

	x = zoo_with_constant(z, "Min", "clipped", x);
	x = zoo_with_constant(z, "Mul", "is_less", x);
	x = zoo_with_constant(z, "Sub", "is_largest", x);
	x = zoo_with_constant(z, "Mul", "left", x);
	x = zoo_reduce(z, "ReduceMax", "most_left", x, 3);
	return zoo_with_constant(z, "Sub", "classes", x);
}

static void fused_arg_max(struct zoo *z, int scores)
{
	int x;

	zoo_scope(z, "end");
	x = zoo_resize_bilinear_to(z, "resize", scores, SIZE / 2, SIZE / 2);
	x = zoo_resize_nearest_to(z, "enlarged", number_of_largest(z, x), SIZE, SIZE);
	zoo_output(z, zoo_reshape(z, "squeezed", x, 3, (const int[]){1, SIZE, SIZE}));
}

/* ---- DeepLab V3+ ---- */

enum { PARTS = 5, OF_PARTS = 128, OF_LOW = 48, OF_HEAD = 256 };

/* 1x1, three dilated 3x3, by channel and then 1x1, and what the whole map has in common. */
static int atrous_pooling(struct zoo *z, int x)
{
	static const int dilations[PARTS] = {0, 5, 10, 15};
	int part[PARTS];

	zoo_scope(z, "aspp");
	part[0] = zoo_conv_act(z, "conv1", x, OF_PARTS, zoo_pointwise(), ZOO_RELU);
	for (int i = 1; i < PARTS - 1; i++) {
		char name[16];

		snprintf(name, sizeof name, "dilated%d", dilations[i]);
		part[i] = zoo_depthwise_dilated(z, name, x, 3, dilations[i]);
		snprintf(name, sizeof name, "conv%d", dilations[i]);
		part[i] = zoo_conv_act(z, name, part[i], OF_PARTS, zoo_pointwise(), ZOO_RELU);
	}
	part[4] = zoo_avg_pool(z, "pool", x, zoo_square(zoo_height(z, x), zoo_height(z, x), ZOO_VALID));
	part[4] = zoo_conv_act(z, "pool_conv", part[4], OF_PARTS, zoo_pointwise(), ZOO_RELU);
	part[4] = resize_like(z, "pool_resize", part[4], x);
	return zoo_conv_act(z, "join", zoo_concat(z, "concat", PARTS, part), OF_PARTS, zoo_pointwise(), ZOO_RELU);
}

static int scores(struct zoo *z, int x, int low)
{
	int both[2];

	zoo_scope(z, "head");
	both[1] = zoo_conv_act(z, "low", low, OF_LOW, zoo_pointwise(), ZOO_RELU);
	both[0] = resize_like(z, "resize", x, low);
	x = zoo_concat(z, "concat", 2, both);
	for (int i = 0; i < 2; i++) {
		char name[16];

		snprintf(name, sizeof name, "depthwise%d", i + 1);
		x = zoo_act(z, ZOO_RELU, zoo_depthwise(z, name, x, zoo_square(3, 1, ZOO_SAME)));
		snprintf(name, sizeof name, "conv%d", i + 1);
		x = zoo_conv_act(z, name, x, OF_HEAD, zoo_pointwise(), ZOO_RELU);
	}
	return zoo_conv(z, "scores", x, CLASSES, zoo_pointwise());
}

/* Of maps at strides 32 and 16. Blocks: the trunk's, the pooling, the head. */
static int deeplab(struct zoo *z, enum zoo_edgetpu_v2 width)
{
	int level[ZOO_EDGETPU_LEVELS], x;

	zoo_edgetpu_v2_levels(z, width, SIZE, level);
	zoo_block(z);
	x = atrous_pooling(z, level[3]);
	zoo_block(z);
	return scores(z, x, level[2]);
}

static void deeplab_xs(struct zoo *z) { arg_max(z, deeplab(z, ZOO_EDGETPU_V2_XS)); }
static void deeplab_s(struct zoo *z) { arg_max(z, deeplab(z, ZOO_EDGETPU_V2_S)); }
static void deeplab_m(struct zoo *z) { arg_max(z, deeplab(z, ZOO_EDGETPU_V2_M)); }
static void deeplab_xs_fused(struct zoo *z) { fused_arg_max(z, deeplab(z, ZOO_EDGETPU_V2_XS)); }
static void deeplab_s_fused(struct zoo *z) { fused_arg_max(z, deeplab(z, ZOO_EDGETPU_V2_S)); }
static void deeplab_m_fused(struct zoo *z) { fused_arg_max(z, deeplab(z, ZOO_EDGETPU_V2_M)); }

/* ---- AutosegEdgeTPU ---- */

enum { MAPS = 6, CELLS = 4, WIDE = 96 };

static int separable(struct zoo *z, int x, int channels)
{
	x = zoo_depthwise(z, "depthwise", x, zoo_square(3, 1, ZOO_SAME));
	return zoo_conv(z, "conv", x, channels, zoo_pointwise());
}

static int resample(struct zoo *z, int number, int x, int height)
{
	char name[16];

	snprintf(name, sizeof name, "resample%d", number);
	if (zoo_height(z, x) > height)
		return zoo_avg_pool(z, name, x, zoo_square(3, 2, ZOO_SAME));
	return zoo_height(z, x) < height ? zoo_resize_bilinear_to(z, name, x, height, height) : x;
}

/* The sum of n maps, at the size of the first. */
static int node(struct zoo *z, int n, const int *x)
{
	int y = x[0];

	for (int i = 1; i < n; i++) {
		char name[16];
		const int other = resample(z, i + 1, x[i], zoo_height(z, y));

		snprintf(name, sizeof name, "add%d", i);
		y = zoo_binary(z, "Add", name, y, other);
	}
	return zoo_act(z, ZOO_RELU6, separable(z, y, WIDE));
}

/* Down from the coarsest map and up again. */
static void cell(struct zoo *z, int number, int p[MAPS])
{
	int down[MAPS];

	zoo_block(z);
	down[MAPS - 1] = p[MAPS - 1];
	for (int i = MAPS - 2; i >= 0; i--) {
		zoo_scope(z, "cell%d_down%d", number, i + 1);
		down[i] = node(z, 2, (const int[]){p[i], down[i + 1]});
	}
	p[0] = down[0];
	for (int i = 1; i < MAPS; i++) {
		zoo_scope(z, "cell%d_up%d", number, i + 1);
		p[i] = i < MAPS - 1 ? node(z, 3, (const int[]){p[i], down[i], p[i - 1]}) : node(z, 2, (const int[]){p[i], p[i - 1]});
	}
}

/* Maps of one width at strides 8 to 256. */
static void pyramid(struct zoo *z, const int level[ZOO_EDGETPU_LEVELS], int p[MAPS])
{
	char name[16];
	int x;

	zoo_block(z);
	zoo_scope(z, "pyramid");
	x = zoo_conv(z, "coarse", level[3], WIDE, zoo_pointwise());
	for (int i = 3; i < MAPS; i++) {
		snprintf(name, sizeof name, "pool%d", i + 1);
		p[i] = x = zoo_avg_pool(z, name, x, zoo_square(3, 2, ZOO_SAME));
	}
	for (int i = 0; i < 3; i++) {
		snprintf(name, sizeof name, "lateral%d", i + 1);
		p[i] = zoo_conv(z, name, level[i + 1], WIDE, zoo_pointwise());
	}
}

/* Blocks: the trunk's, the pyramid, its cells, the head. */
static int autoseg(struct zoo *z, bool is_s)
{
	int level[ZOO_EDGETPU_LEVELS], p[MAPS], x;

	zoo_autoseg_levels(z, is_s, SIZE, level);
	pyramid(z, level, p);
	for (int i = 0; i < CELLS; i++)
		cell(z, i + 1, p);
	zoo_block(z);
	zoo_scope(z, "join");
	x = node(z, MAPS, p);
	zoo_scope(z, "head");
	return separable(z, x, CLASSES);
}

static void autoseg_xs(struct zoo *z) { arg_max(z, autoseg(z, false)); }
static void autoseg_s(struct zoo *z) { arg_max(z, autoseg(z, true)); }
static void autoseg_xs_fused(struct zoo *z) { fused_arg_max(z, autoseg(z, false)); }
static void autoseg_s_fused(struct zoo *z) { fused_arg_max(z, autoseg(z, true)); }

#define CLASSES_OF "tensorflow/models, official/projects/edgetpu/vision (configs, modeling, tasks, serving); count: "
/* The README's "#Parameters (million)" are 1.09 to 1.11 times what the classes have, Autoseg's 1.22 and 1.24; nearer to the sizes of files. */
#define DEEPLAB "Chen et al., Encoder-Decoder with Atrous Separable Convolution for Semantic Image Segmentation, 2018, as in " CLASSES_OF
#define OF_README " (recount of the authors' classes; README: "
#define HALF "; 256x256 is the first of two sizes that it offers for the fused ending, and which one was measured isn't told"
/* Operators up to the scores: astranimbus8-commits/Brushwork @8082bcf, TfliteLogitsPatchTest.kt, which takes the published file apart. */
#define OPERATORS "; up to the scores 252 operators without activations, as the authors' file"

const struct zoo_network zoo_edgetpu_seg_networks[] = {
	{"deeplab_v3_plus_edgetpu_v2_xs", "DeepLab V3+ over MobileNetEdgeTPUv2 XS, 32 classes, 512x512",
	 DEEPLAB "3.807 GMAC, 3.254 M parameters" OF_README "3.6 M)", deeplab_xs},
	{"deeplab_v3_plus_edgetpu_v2_s", "DeepLab V3+ over MobileNetEdgeTPUv2 S, 32 classes, 512x512",
	 DEEPLAB "6.358 GMAC, 4.737 M parameters" OF_README "5.2 M)", deeplab_s},
	{"deeplab_v3_plus_edgetpu_v2_m", "DeepLab V3+ over MobileNetEdgeTPUv2 M, 32 classes, 512x512",
	 DEEPLAB "9.673 GMAC, 7.086 M parameters" OF_README "7.7 M)", deeplab_m},
	{"deeplab_v3_plus_edgetpu_v2_xs_fused", "DeepLab V3+ over MobileNetEdgeTPUv2 XS, 32 classes, 512x512, fused argmax",
	 DEEPLAB "3.807 GMAC, 3.254 M parameters" OF_README "3.6 M)" HALF, deeplab_xs_fused},
	{"deeplab_v3_plus_edgetpu_v2_s_fused", "DeepLab V3+ over MobileNetEdgeTPUv2 S, 32 classes, 512x512, fused argmax",
	 DEEPLAB "6.358 GMAC, 4.737 M parameters" OF_README "5.2 M)" HALF, deeplab_s_fused},
	{"deeplab_v3_plus_edgetpu_v2_m_fused", "DeepLab V3+ over MobileNetEdgeTPUv2 M, 32 classes, 512x512, fused argmax",
	 DEEPLAB "9.673 GMAC, 7.086 M parameters" OF_README "7.7 M)" HALF, deeplab_m_fused},
	{"autoseg_edgetpu_xs", "AutosegEdgeTPU XS, 32 classes, 512x512",
	 CLASSES_OF "1.914 GMAC, 2.342 M parameters" OF_README "2.9 M)", autoseg_xs},
	{"autoseg_edgetpu_s", "AutosegEdgeTPU S, 32 classes, 512x512",
	 CLASSES_OF "2.366 GMAC, 2.538 M parameters" OF_README "3.1 M)" OPERATORS, autoseg_s},
	{"autoseg_edgetpu_xs_fused", "AutosegEdgeTPU XS, 32 classes, 512x512, fused argmax",
	 CLASSES_OF "1.914 GMAC, 2.342 M parameters" OF_README "2.9 M)" HALF, autoseg_xs_fused},
	{"autoseg_edgetpu_s_fused", "AutosegEdgeTPU S, 32 classes, 512x512, fused argmax",
	 CLASSES_OF "2.366 GMAC, 2.538 M parameters" OF_README "3.1 M)" OPERATORS HALF, autoseg_s_fused},
	{0}
};
