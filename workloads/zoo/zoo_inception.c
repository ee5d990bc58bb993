/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Classifiers whose modules are parallel branches joined by a Concat:
 * GoogLeNet, Inception V3 and V4, Inception-ResNet V2 and SqueezeNet.
 */
#include "zoo_blocks.h"

/* Convolution with ReLU: stride 1 that keeps the size, or unpadded. */
static int keep(struct zoo *z, const char *name, int x, int channels, int kernel_h, int kernel_w)
{
	return zoo_conv_act(z, name, x, channels, (struct zoo_window){kernel_h, kernel_w, 1, ZOO_SAME}, ZOO_RELU);
}

static int shrink(struct zoo *z, const char *name, int x, int channels, int stride)
{
	return zoo_conv_act(z, name, x, channels, zoo_square(3, stride, ZOO_VALID), ZOO_RELU);
}

/* ---- Inception V4 ---- */

static int max_pool_3x3(struct zoo *z, int x)
{
	return zoo_max_pool(z, "pool", x, zoo_square(3, 2, ZOO_VALID));
}

/* The branch that every Inception module has: average pooling, then 1x1. */
static int pool_branch(struct zoo *z, int x, int channels)
{
	int y = zoo_avg_pool(z, "pool", x, zoo_square(3, 1, ZOO_SAME));

	return keep(z, "pool_1x1", y, channels, 1, 1);
}

static int mixed_3a(struct zoo *z, int x)
{
	int b[2];

	b[0] = max_pool_3x3(z, x);
	b[1] = shrink(z, "b1_3x3", x, 96, 2);
	return zoo_concat(z, "concat", 2, b);
}

static int mixed_4a(struct zoo *z, int x)
{
	int b[2];

	b[0] = keep(z, "b0_1x1", x, 64, 1, 1);
	b[0] = shrink(z, "b0_3x3", b[0], 96, 1);
	b[1] = keep(z, "b1_1x1", x, 64, 1, 1);
	b[1] = keep(z, "b1_1x7", b[1], 64, 1, 7);
	b[1] = keep(z, "b1_7x1", b[1], 64, 7, 1);
	b[1] = shrink(z, "b1_3x3", b[1], 96, 1);
	return zoo_concat(z, "concat", 2, b);
}

static int mixed_5a(struct zoo *z, int x)
{
	int b[2];

	b[0] = shrink(z, "b0_3x3", x, 192, 2);
	b[1] = max_pool_3x3(z, x);
	return zoo_concat(z, "concat", 2, b);
}

static int inception_a(struct zoo *z, int x)
{
	int b[4];

	b[0] = keep(z, "b0_1x1", x, 96, 1, 1);
	b[1] = keep(z, "b1_1x1", x, 64, 1, 1);
	b[1] = keep(z, "b1_3x3", b[1], 96, 3, 3);
	b[2] = keep(z, "b2_1x1", x, 64, 1, 1);
	b[2] = keep(z, "b2_3x3a", b[2], 96, 3, 3);
	b[2] = keep(z, "b2_3x3b", b[2], 96, 3, 3);
	b[3] = pool_branch(z, x, 96);
	return zoo_concat(z, "concat", 4, b);
}

/* Its widths are those of the paper's Reduction-A: k, l, m along the deep branch, n of the short one. */
static int reduction_35_to_17(struct zoo *z, int x, int k, int l, int m, int n)
{
	int b[3];

	b[0] = shrink(z, "b0_3x3", x, n, 2);
	b[1] = keep(z, "b1_1x1", x, k, 1, 1);
	b[1] = keep(z, "b1_3x3a", b[1], l, 3, 3);
	b[1] = shrink(z, "b1_3x3b", b[1], m, 2);
	b[2] = max_pool_3x3(z, x);
	return zoo_concat(z, "concat", 3, b);
}

static int reduction_a(struct zoo *z, int x) { return reduction_35_to_17(z, x, 192, 224, 256, 384); }

/* Widths: of the 1x1 branch, of what the other two begin with, go on with and end with, of the pooled one. */
static int mixed_17(struct zoo *z, int x, int single, int first, int middle, int last, int pooled)
{
	int b[4];

	b[0] = keep(z, "b0_1x1", x, single, 1, 1);
	b[1] = keep(z, "b1_1x1", x, first, 1, 1);
	b[1] = keep(z, "b1_1x7", b[1], middle, 1, 7);
	b[1] = keep(z, "b1_7x1", b[1], last, 7, 1);
	b[2] = keep(z, "b2_1x1", x, first, 1, 1);
	b[2] = keep(z, "b2_7x1a", b[2], first, 7, 1);
	b[2] = keep(z, "b2_1x7a", b[2], middle, 1, 7);
	b[2] = keep(z, "b2_7x1b", b[2], middle, 7, 1);
	b[2] = keep(z, "b2_1x7b", b[2], last, 1, 7);
	b[3] = pool_branch(z, x, pooled);
	return zoo_concat(z, "concat", 4, b);
}

static int inception_b(struct zoo *z, int x) { return mixed_17(z, x, 384, 192, 224, 256, 128); }

/* Widths: what the short branch ends with, the deep one begins and ends with. */
static int reduction_17_to_8(struct zoo *z, int x, int short_last, int first, int last)
{
	int b[3];

	b[0] = keep(z, "b0_1x1", x, 192, 1, 1);
	b[0] = shrink(z, "b0_3x3", b[0], short_last, 2);
	b[1] = keep(z, "b1_1x1", x, first, 1, 1);
	b[1] = keep(z, "b1_1x7", b[1], first, 1, 7);
	b[1] = keep(z, "b1_7x1", b[1], last, 7, 1);
	b[1] = shrink(z, "b1_3x3", b[1], last, 2);
	b[2] = max_pool_3x3(z, x);
	return zoo_concat(z, "concat", 3, b);
}

static int reduction_b(struct zoo *z, int x) { return reduction_17_to_8(z, x, 192, 256, 320); }

static int inception_c(struct zoo *z, int x)
{
	int stem, b[6];

	b[0] = keep(z, "b0_1x1", x, 256, 1, 1);
	stem = keep(z, "b1_1x1", x, 384, 1, 1);
	b[1] = keep(z, "b1_1x3", stem, 256, 1, 3);
	b[2] = keep(z, "b1_3x1", stem, 256, 3, 1);
	stem = keep(z, "b2_1x1", x, 384, 1, 1);
	stem = keep(z, "b2_3x1a", stem, 448, 3, 1);
	stem = keep(z, "b2_1x3a", stem, 512, 1, 3);
	b[3] = keep(z, "b2_1x3b", stem, 256, 1, 3);
	b[4] = keep(z, "b2_3x1b", stem, 256, 3, 1);
	b[5] = pool_branch(z, x, 256);
	return zoo_concat(z, "concat", 6, b);
}

/*
 * Blocks are MOSAIC's 20 layers: the stem in three (each up to one of the
 * three Concats in figure 3 of the paper), 4 A, reduction A, 7 B, reduction B,
 * 3 C, and the classifier with its pooling as number 20. In the published plan
 * "N1 N11 B20" the NPU's memory limit then parts the B modules after the
 * second, and the classifier is the CPU's.
 */
static void inception_v4(struct zoo *z)
{
	static const struct {
		int (*module)(struct zoo *z, int x);
		const char *name;
		int n;
	} modules[] = {
		{mixed_4a, "mixed4a", 1}, {mixed_5a, "mixed5a", 1},
		{inception_a, "inception_a", 4}, {reduction_a, "reduction_a", 1},
		{inception_b, "inception_b", 7}, {reduction_b, "reduction_b", 1}, {inception_c, "inception_c", 3}
	};
	int x = zoo_input(z, "image", 299, 299, 3);

	zoo_block(z);
	x = shrink(z, "conv1", x, 32, 2);
	x = shrink(z, "conv2", x, 32, 1);
	x = keep(z, "conv3", x, 64, 3, 3);
	zoo_scope(z, "mixed3a1");
	x = mixed_3a(z, x);
	for (size_t i = 0; i < sizeof modules / sizeof *modules; i++)
		for (int j = 1; j <= modules[i].n; j++) {
			zoo_block(z);
			zoo_scope(z, "%s%d", modules[i].name, j);
			x = modules[i].module(z, x);
		}
	zoo_block(z);
	zoo_output(z, zoo_fc_softmax(z, zoo_global_pool(z, "pool", x), 1001));
}

/* ---- Inception-ResNet V2 ---- */

/* The scale of the branches is part of the 1x1 convolution's weights, as the converter to TensorFlow Lite leaves it. */
static int residual_join(struct zoo *z, int x, int n_branches, const int *b, enum zoo_act act)
{
	int up = zoo_conv(z, "up", zoo_concat(z, "concat", n_branches, b), zoo_channels(z, x), zoo_pointwise());

	return zoo_act(z, act, zoo_binary(z, "Add", "add", x, up));
}

/* From the image to 35x35, as in Inception V3. */
static int stem(struct zoo *z)
{
	int x = zoo_input(z, "image", 299, 299, 3);

	zoo_block(z);
	x = shrink(z, "conv1", x, 32, 2);
	x = shrink(z, "conv2", x, 32, 1);
	x = keep(z, "conv3", x, 64, 3, 3);
	x = zoo_max_pool(z, "pool3", x, zoo_square(3, 2, ZOO_VALID));
	x = keep(z, "conv4", x, 80, 1, 1);
	x = shrink(z, "conv5", x, 192, 1);
	return zoo_max_pool(z, "pool5", x, zoo_square(3, 2, ZOO_VALID));
}

static int mixed_35(struct zoo *z, int x, int first, int pooled)
{
	int b[4];

	b[0] = keep(z, "b0_1x1", x, first, 1, 1);
	b[1] = keep(z, "b1_1x1", x, 48, 1, 1);
	b[1] = keep(z, "b1_5x5", b[1], 64, 5, 5);
	b[2] = keep(z, "b2_1x1", x, 64, 1, 1);
	b[2] = keep(z, "b2_3x3a", b[2], 96, 3, 3);
	b[2] = keep(z, "b2_3x3b", b[2], 96, 3, 3);
	b[3] = pool_branch(z, x, pooled);
	return zoo_concat(z, "concat", 4, b);
}

static int mixed_5b(struct zoo *z, int x) { return mixed_35(z, x, 96, 64); }

static int block35(struct zoo *z, int x)
{
	int b[3];

	b[0] = keep(z, "b0_1x1", x, 32, 1, 1);
	b[1] = keep(z, "b1_1x1", x, 32, 1, 1);
	b[1] = keep(z, "b1_3x3", b[1], 32, 3, 3);
	b[2] = keep(z, "b2_1x1", x, 32, 1, 1);
	b[2] = keep(z, "b2_3x3a", b[2], 48, 3, 3);
	b[2] = keep(z, "b2_3x3b", b[2], 64, 3, 3);
	return residual_join(z, x, 3, b, ZOO_RELU);
}

static int mixed_6a(struct zoo *z, int x) { return reduction_35_to_17(z, x, 256, 256, 384, 384); }

static int block17(struct zoo *z, int x)
{
	int b[2];

	b[0] = keep(z, "b0_1x1", x, 192, 1, 1);
	b[1] = keep(z, "b1_1x1", x, 128, 1, 1);
	b[1] = keep(z, "b1_1x7", b[1], 160, 1, 7);
	b[1] = keep(z, "b1_7x1", b[1], 192, 7, 1);
	return residual_join(z, x, 2, b, ZOO_RELU);
}

static int mixed_7a(struct zoo *z, int x)
{
	int b[4];

	b[0] = keep(z, "b0_1x1", x, 256, 1, 1);
	b[0] = shrink(z, "b0_3x3", b[0], 384, 2);
	b[1] = keep(z, "b1_1x1", x, 256, 1, 1);
	b[1] = shrink(z, "b1_3x3", b[1], 288, 2);
	b[2] = keep(z, "b2_1x1", x, 256, 1, 1);
	b[2] = keep(z, "b2_3x3a", b[2], 288, 3, 3);
	b[2] = shrink(z, "b2_3x3b", b[2], 320, 2);
	b[3] = max_pool_3x3(z, x);
	return zoo_concat(z, "concat", 4, b);
}

static int block8_to(struct zoo *z, int x, enum zoo_act act)
{
	int b[2];

	b[0] = keep(z, "b0_1x1", x, 192, 1, 1);
	b[1] = keep(z, "b1_1x1", x, 192, 1, 1);
	b[1] = keep(z, "b1_1x3", b[1], 224, 1, 3);
	b[1] = keep(z, "b1_3x1", b[1], 256, 3, 1);
	return residual_join(z, x, 2, b, act);
}

static int block8(struct zoo *z, int x)
{
	return block8_to(z, x, ZOO_RELU);
}

static int block8_last(struct zoo *z, int x)
{
	return block8_to(z, x, ZOO_LINEAR);
}

/* Blocks: the stem, every module, the head. */
static void inception_resnet_v2(struct zoo *z)
{
	static const struct {
		int (*module)(struct zoo *z, int x);
		const char *name;
		int n;
	} modules[] = {
		{mixed_5b, "mixed5b", 1}, {block35, "block35", 10}, {mixed_6a, "mixed6a", 1}, {block17, "block17", 20},
		{mixed_7a, "mixed7a", 1}, {block8, "block8", 9}, {block8_last, "block8_last", 1}
	};
	int x = stem(z);

	for (size_t i = 0; i < sizeof modules / sizeof *modules; i++)
		for (int j = 1; j <= modules[i].n; j++) {
			zoo_block(z);
			zoo_scope(z, "%s_%d", modules[i].name, j);
			x = modules[i].module(z, x);
		}
	zoo_block(z);
	x = keep(z, "conv7b", x, 1536, 1, 1);
	zoo_output(z, zoo_fc_softmax(z, zoo_global_pool(z, "pool", x), 1001));
}

/* ---- GoogLeNet ---- */

/* Widths of the branches: 1x1; 1x1 and 3x3, twice, or 5x5 the second time; what is pooled. */
struct googlenet_module {
	const char *name;
	int single, reduce, wide, reduce_again, wide_again, pooled;
};

static int googlenet_module(struct zoo *z, int x, const struct googlenet_module *m, bool published)
{
	int b[4];

	b[0] = keep(z, "b0_1x1", x, m->single, 1, 1);
	b[1] = keep(z, "b1_1x1", x, m->reduce, 1, 1);
	b[1] = keep(z, "b1_3x3", b[1], m->wide, 3, 3);
	b[2] = keep(z, "b2_1x1", x, m->reduce_again, 1, 1);
	b[2] = published ? keep(z, "b2_5x5", b[2], m->wide_again, 5, 5) : keep(z, "b2_3x3", b[2], m->wide_again, 3, 3);
	b[3] = zoo_max_pool(z, "pool", x, zoo_square(3, 1, ZOO_SAME));
	b[3] = keep(z, "pool_1x1", b[3], m->pooled, 1, 1);
	return zoo_concat(z, "concat", 4, b);
}

/* published: with the paper's 5x5 convolutions and local response normalisations, instead of torchvision's 3x3 and none. No auxiliary
 * classifiers. Blocks: the stem, every module, the head. */
static void googlenet_of(struct zoo *z, bool published)
{
	static const struct googlenet_module modules[] = {
		{"mixed3a", 64, 96, 128, 16, 32, 32}, {"mixed3b", 128, 128, 192, 32, 96, 64}, {"mixed4a", 192, 96, 208, 16, 48, 64},
		{"mixed4b", 160, 112, 224, 24, 64, 64}, {"mixed4c", 128, 128, 256, 24, 64, 64}, {"mixed4d", 112, 144, 288, 32, 64, 64},
		{"mixed4e", 256, 160, 320, 32, 128, 128}, {"mixed5a", 256, 160, 320, 32, 128, 128}, {"mixed5b", 384, 192, 384, 48, 128, 128}
	};
	int x = zoo_input(z, "image", 224, 224, 3);

	zoo_block(z);
	x = zoo_conv_act(z, "conv1", x, 64, zoo_square(7, 2, ZOO_CENTRED), ZOO_RELU);
	x = zoo_max_pool_ceil(z, "pool1", x, 3, 2);
	if (published)
		x = zoo_unary(z, "LRN", "norm1", x);
	x = keep(z, "conv2", x, 64, 1, 1);
	x = keep(z, "conv3", x, 192, 3, 3);
	if (published)
		x = zoo_unary(z, "LRN", "norm3", x);
	x = zoo_max_pool_ceil(z, "pool3", x, 3, 2);
	for (size_t i = 0; i < sizeof modules / sizeof *modules; i++) {
		zoo_block(z);
		zoo_scope(z, "%s", modules[i].name);
		x = googlenet_module(z, x, &modules[i], published);
		if (i == 1 || i == 6)
			x = zoo_max_pool_ceil(z, "pool_down", x, i == 1 || published ? 3 : 2, 2);
	}
	zoo_block(z);
	zoo_output(z, zoo_fc_softmax(z, zoo_global_pool(z, "pool", x), 1000));
}

static void googlenet(struct zoo *z) { googlenet_of(z, false); }
static void googlenet_caffe(struct zoo *z) { googlenet_of(z, true); }

/* ---- Inception V3 ---- */

static int mixed_8(struct zoo *z, int x)
{
	int y, b[6];

	b[0] = keep(z, "b0_1x1", x, 320, 1, 1);
	y = keep(z, "b1_1x1", x, 384, 1, 1);
	b[1] = keep(z, "b1_1x3", y, 384, 1, 3);
	b[2] = keep(z, "b1_3x1", y, 384, 3, 1);
	y = keep(z, "b2_1x1", x, 448, 1, 1);
	y = keep(z, "b2_3x3", y, 384, 3, 3);
	b[3] = keep(z, "b2_1x3", y, 384, 1, 3);
	b[4] = keep(z, "b2_3x1", y, 384, 3, 1);
	b[5] = pool_branch(z, x, 192);
	return zoo_concat(z, "concat", 6, b);
}

/* Begins the block of the next module, named as in TF-slim. */
static void module(struct zoo *z, int stage, int number)
{
	zoo_block(z);
	zoo_scope(z, "mixed%d%c", stage, 'a' + number);
}

/* Blocks: the stem, every module, the classifier. */
static void inception_v3(struct zoo *z)
{
	static const int pooled[] = {32, 64, 64}, deep[] = {128, 160, 160, 192};
	int x = stem(z);

	for (int i = 0; i < 3; i++) {
		module(z, 5, i + 1);
		x = mixed_35(z, x, 64, pooled[i]);
	}
	module(z, 6, 0);
	x = reduction_35_to_17(z, x, 64, 96, 96, 384);
	for (int i = 0; i < 4; i++) {
		module(z, 6, i + 1);
		x = mixed_17(z, x, 192, deep[i], deep[i], 192, 192);
	}
	module(z, 7, 0);
	x = reduction_17_to_8(z, x, 320, 192, 192);
	for (int i = 0; i < 2; i++) {
		module(z, 7, i + 1);
		x = mixed_8(z, x);
	}
	zoo_block(z);
	zoo_output(z, zoo_conv_softmax(z, zoo_global_pool(z, "pool", x), 1001));
}

/* ---- SqueezeNet ---- */

/* Blocks are MOSAIC's 10 layers: conv1, fire 2-9 and conv10, each with the
 * pooling that follows it. */
static void squeezenet(struct zoo *z)
{
	int x = zoo_input(z, "image", 224, 224, 3);

	zoo_block(z);
	x = zoo_conv_act(z, "conv1", x, 96, zoo_square(7, 2, ZOO_VALID), ZOO_RELU);
	x = zoo_max_pool_ceil(z, "pool1", x, 3, 2);
	x = zoo_fires(z, x, 2, 9, 1 << 4 | 1 << 8);
	zoo_block(z);
	x = keep(z, "conv10", x, 1000, 1, 1);
	zoo_output(z, zoo_softmax(z, zoo_global_pool(z, "pool10", x)));
}

const struct zoo_network zoo_inception_networks[] = {
	{"googlenet", "GoogLeNet, 224x224",
	 "Szegedy et al., Going Deeper with Convolutions, CVPR 2015, as in torchvision (3x3 for 5x5, normalisations folded, no auxiliary "
	 "classifiers); count: torchvision, 1.50 GMAC, 6.625 M parameters", googlenet},
	{"googlenet_caffe", "GoogLeNet as in Caffe, 224x224",
	 "Szegedy et al., Going Deeper with Convolutions, CVPR 2015, as in Caffe and Tencent/ncnn, benchmark/googlenet.param@a5fb2fd; count: "
	 "1.582 GMAC, 6.999 M parameters (analytic)", googlenet_caffe},
	{"inception_v3", "Inception V3, 299x299",
	 "Szegedy et al., Rethinking the Inception Architecture for Computer Vision, CVPR 2016, as in TF-slim without the "
	 "auxiliary logits; count: 5.71 GMAC (torchvision), 23.819 M parameters (Keras, 23817352 with 1000 classes)", inception_v3},
	{"inception_v4", "Inception V4, 299x299",
	 "Szegedy et al., Inception-v4, Inception-ResNet and the Impact of Residual Connections on Learning, AAAI 2017, as "
	 "in TF-slim without the auxiliary logits; count: 12.254 GMAC, 42.65 M parameters (analytic)", inception_v4},
	{"inception_resnet_v2", "Inception-ResNet V2, 299x299",
	 "Szegedy et al., Inception-v4, Inception-ResNet and the Impact of Residual Connections on Learning, AAAI 2017, as "
	 "in TF-slim without the auxiliary logits; count: 13.2 GMAC, 55.8 M parameters (analytic)", inception_resnet_v2},
	{"squeezenet", "SqueezeNet 1.0, 224x224",
	 "Iandola et al., SqueezeNet: AlexNet-level accuracy with 50x fewer parameters, 2016, version 1.0 at 224x224; "
	 "count: 0.819 GMAC, 1.248 M parameters (torchvision)", squeezenet},
	{0}
};
