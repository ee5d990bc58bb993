/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Convolutional networks whose last stages are transformers: MobileViT and
 * EfficientFormer, as Hugging Face's classes TFMobileViTForImageClassification
 * and TFEfficientFormerForImageClassification.
 */
#include "zoo_attention.h"
#include "zoo_blocks.h"

enum { N_CLASSES = 1000 };

static int to_nhwc(struct zoo *z, const char *name, int x)
{
	return zoo_transpose(z, name, x, (const int[]){0, 2, 3, 1});
}

static int to_nchw(struct zoo *z, const char *name, int x)
{
	return zoo_transpose(z, name, x, (const int[]){0, 3, 1, 2});
}

/* ---- MobileViT ---- */

/* Widths of the convolutional stages, of the last convolution and of the tokens. */
struct mobilevit {
	int stem, stages[5], last, tokens[3];
	int expand; /* of inverted residual units */
};

/* Every convolution is padded by an operator of its own, but a 1x1 one. */
static int conv_swish(struct zoo *z, const char *name, int x, int channels, int kernel, int stride)
{
	if (kernel == 1)
		return zoo_conv_act(z, name, x, channels, zoo_pointwise(), ZOO_SWISH);
	return zoo_act(z, ZOO_SWISH, zoo_padded_conv(z, name, x, channels, kernel, stride, kernel / 2));
}

static int inverted_residual(struct zoo *z, int x, int out, int stride, int expand)
{
	const int in = zoo_channels(z, x);
	int y = conv_swish(z, "widen", x, zoo_round8(in * expand, 100), 1, 1);

	y = zoo_conv_by_channel(z, "window", zoo_zero_pad(z, "window_pad", y, 1), zoo_square(3, stride, ZOO_VALID));
	y = zoo_conv(z, "narrow", zoo_act(z, ZOO_SWISH, y), out, zoo_pointwise());
	return stride == 1 && in == out ? zoo_binary(z, "Add", "add", x, y) : y;
}

/* From an image to four lists, each with the same pixel of all patches of 2x2. */
static int unfold(struct zoo *z, int x)
{
	const int side = zoo_height(z, x) / 2, channels = zoo_channels(z, x);

	x = zoo_reshape(z, "unfold_rows", to_nchw(z, "unfold_nchw", x), 4, (const int[]){channels * side, 2, side, 2});
	x = zoo_transpose(z, "unfold_patches", x, (const int[]){0, 2, 1, 3});
	x = zoo_reshape(z, "unfold_pixels", x, 4, (const int[]){1, channels, side * side, 4});
	x = zoo_transpose(z, "unfold_lists", x, (const int[]){0, 3, 2, 1});
	return zoo_reshape(z, "unfold", x, 2, (const int[]){4 * side * side, channels});
}

static int fold(struct zoo *z, int x, int side)
{
	const int channels = zoo_dim(z, x, 1);

	x = zoo_reshape(z, "fold_lists", x, 4, (const int[]){1, 4, side * side, channels});
	x = zoo_transpose(z, "fold_pixels", x, (const int[]){0, 3, 2, 1});
	x = zoo_reshape(z, "fold_patches", x, 4, (const int[]){channels * side, side, 2, 2});
	x = zoo_transpose(z, "fold_rows", x, (const int[]){0, 2, 1, 3});
	x = zoo_reshape(z, "fold_nchw", x, 4, (const int[]){1, channels, 2 * side, 2 * side});
	return to_nhwc(z, "fold", x);
}

static int mobilevit_layer(struct zoo *z, int x)
{
	enum { HEADS = 4 };
	const int width = zoo_dim(z, x, 1);
	int y = zoo_self_attention(z, zoo_norm(z, "norm1", x), 4, HEADS);

	x = zoo_binary(z, "Add", "add1", y, x);
	y = zoo_act(z, ZOO_SWISH, zoo_fc(z, "expand", zoo_norm(z, "norm2", x), 2 * width));
	return zoo_binary(z, "Add", "add2", zoo_fc(z, "shrink", y, width), x);
}

/* In blocks of its own: up to the lists, every layer, from the lists on. */
static int mobilevit_stage(struct zoo *z, int x, int stage, int channels, int width, int layers, int expand)
{
	int residual, y;

	zoo_block(z);
	zoo_scope(z, "stage%d", stage);
	x = residual = inverted_residual(z, x, channels, 2, expand);
	x = zoo_conv_no_bias(z, "project_in", conv_swish(z, "local", x, channels, 3, 1), width, zoo_pointwise());
	y = unfold(z, x);
	for (int j = 0; j < layers; j++) {
		zoo_block(z);
		zoo_scope(z, "stage%d_layer%d", stage, j + 1);
		y = mobilevit_layer(z, y);
	}
	zoo_block(z);
	zoo_scope(z, "stage%d_end", stage);
	y = fold(z, zoo_norm(z, "norm", y), zoo_height(z, x) / 2);
	y = conv_swish(z, "project_out", y, channels, 1, 1);
	return conv_swish(z, "fuse", zoo_concat(z, "concat", 2, (const int[]){residual, y}), channels, 3, 1);
}

/* Blocks: the stem, every inverted residual unit, those of the other stages, the head. */
static void mobilevit(struct zoo *z, const struct mobilevit *m)
{
	static const int layers[] = {2, 4, 3};
	int x = conv_swish(z, "stem", zoo_pixels(z, 256), m->stem, 3, 2);

	for (int i = 0; i < 4; i++) {
		zoo_block(z);
		zoo_scope(z, i == 0 ? "stage1" : "stage2_unit%d", i);
		x = inverted_residual(z, x, m->stages[i > 0], i == 1 ? 2 : 1, m->expand);
	}
	for (int i = 0; i < 3; i++)
		x = mobilevit_stage(z, x, i + 3, m->stages[i + 2], m->tokens[i], layers[i], m->expand);
	zoo_block(z);
	x = to_nchw(z, "nchw", conv_swish(z, "last", x, m->last, 1, 1));
	zoo_output(z, zoo_fc(z, "logits", zoo_mean_of_planes(z, "pool", x), N_CLASSES));
}

static void mobilevit_xxs(struct zoo *z)
{
	mobilevit(z, &(const struct mobilevit){16, {16, 24, 48, 64, 80}, 320, {64, 80, 96}, 2});
}

static void mobilevit_xs(struct zoo *z)
{
	mobilevit(z, &(const struct mobilevit){16, {32, 48, 64, 80, 96}, 384, {96, 120, 144}, 4});
}

static void mobilevit_s(struct zoo *z)
{
	mobilevit(z, &(const struct mobilevit){16, {32, 64, 96, 128, 160}, 640, {144, 192, 240}, 4});
}

/* ---- EfficientFormer ---- */

/* Layers of attention are the last of the last stage. */
struct efficientformer {
	int units[4], widths[4], layers;
};

/* Feature maps are kept as [1, channels, height, width], but convolutions and
 * pooling want channels last. Where one of them wrote the map, the other order
 * is still there: nhwc; else -1. */
struct maps {
	int nchw, nhwc;
};

static int nhwc(struct zoo *z, const char *name, struct maps x)
{
	return x.nhwc >= 0 ? x.nhwc : to_nhwc(z, name, x.nchw);
}

static struct maps written(struct zoo *z, const char *name, int x)
{
	return (struct maps){to_nchw(z, name, x), x};
}

/* Pooling less its input, then 1x1 convolutions, both scaled by channel. */
static struct maps pool_unit(struct zoo *z, struct maps x)
{
	int y = to_nchw(z, "pool_nchw", zoo_avg_pool(z, "pool", nhwc(z, "pool_nhwc", x), zoo_square(3, 1, ZOO_SAME))), sum;

	y = zoo_with_constant(z, "Mul", "scale1", zoo_binary(z, "Sub", "mixed", y, x.nchw));
	sum = zoo_binary(z, "Add", "add1", x.nchw, y);
	y = to_nhwc(z, "expand_nhwc", sum);
	y = zoo_unary(z, "Gelu", "gelu", zoo_conv(z, "expand", y, 4 * zoo_channels(z, y), zoo_pointwise()));
	y = to_nchw(z, "shrink_nchw", zoo_conv(z, "shrink", y, zoo_channels(z, y) / 4, zoo_pointwise()));
	return (struct maps){zoo_binary(z, "Add", "add2", sum, zoo_with_constant(z, "Mul", "scale2", y)), -1};
}

/* Values are four times as wide as queries and keys. */
static int biased_attention(struct zoo *z, int x)
{
	enum { HEADS = 8, KEY = 32, VALUE = 128 };
	const int tokens = zoo_dim(z, x, 0), *const to_heads = (const int[]){0, 2, 1, 3};
	int part[3], y = zoo_fc(z, "qkv", x, HEADS * (2 * KEY + VALUE)), queries, keys, values;

	y = zoo_reshape(z, "qkv_split", y, 4, (const int[]){1, tokens, HEADS, 2 * KEY + VALUE});
	zoo_split_sizes(z, "parts", y, 3, 3, (const int[]){KEY, KEY, VALUE}, part);
	queries = zoo_transpose(z, "query_heads", part[0], to_heads);
	keys = zoo_transpose(z, "key_heads", part[1], (const int[]){0, 2, 3, 1});
	y = zoo_with_constant(z, "Add", "positions", zoo_scores(z, queries, keys));
	values = zoo_transpose(z, "value_heads", part[2], to_heads);
	return zoo_fc(z, "project", zoo_mix(z, zoo_stable(z, y), values), zoo_dim(z, x, 1));
}

/* The scales of both halves are part of the dense layers' weights, as the converter leaves them. */
static int attention_layer(struct zoo *z, int x)
{
	return zoo_mlp_residual(z, zoo_binary(z, "Add", "add1", x, biased_attention(z, zoo_norm(z, "norm1", x))));
}

static struct maps efficientformer_stem(struct zoo *z, int channels)
{
	int x = zoo_act(z, ZOO_RELU, zoo_padded_conv(z, "stem1", zoo_pixels(z, 224), channels / 2, 3, 2, 1));

	return written(z, "stem_nchw", zoo_act(z, ZOO_RELU, zoo_padded_conv(z, "stem2", x, channels, 3, 2, 1)));
}

static struct maps halve(struct zoo *z, struct maps x, int channels)
{
	return written(z, "embed_nchw", zoo_padded_conv(z, "embed", nhwc(z, "embed_nhwc", x), channels, 3, 2, 1));
}

/* Blocks: the stem, every embedding, every unit, every layer, the head. */
static void efficientformer(struct zoo *z, const struct efficientformer *e)
{
	struct maps x = efficientformer_stem(z, e->widths[0]);
	int y;

	for (int i = 0; i < 4; i++) {
		if (i > 0) {
			zoo_block(z);
			zoo_scope(z, "stage%d", i + 1);
			x = halve(z, x, e->widths[i]);
		}
		for (int j = 0; j < e->units[i]; j++) {
			zoo_block(z);
			zoo_scope(z, "stage%d_unit%d", i + 1, j + 1);
			x = pool_unit(z, x);
		}
	}
	zoo_block(z);
	y = zoo_reshape(z, "planes", x.nchw, 2, (const int[]){e->widths[3], 49});
	y = zoo_transpose(z, "list", y, (const int[]){1, 0});
	for (int j = 0; j < e->layers; j++) {
		if (j > 0)
			zoo_block(z);
		zoo_scope(z, "layer%d", j + 1);
		y = attention_layer(z, y);
	}
	zoo_block(z);
	zoo_output(z, zoo_fc(z, "logits", zoo_mean_of_rows(z, "pool", zoo_norm(z, "norm", y)), N_CLASSES));
}

static void efficientformer_l1(struct zoo *z)
{
	efficientformer(z, &(const struct efficientformer){{3, 2, 6, 3}, {48, 96, 224, 448}, 1});
}

static void efficientformer_l3(struct zoo *z)
{
	efficientformer(z, &(const struct efficientformer){{4, 4, 12, 2}, {64, 128, 320, 512}, 4});
}

static void efficientformer_l7(struct zoo *z)
{
	efficientformer(z, &(const struct efficientformer){{6, 6, 18, 0}, {96, 192, 384, 768}, 8});
}

#define MOBILEVIT "Mehta and Rastegari, MobileViT, ICLR 2022, as in " ZOO_TRANSFORMERS "mobilevit/modeling_tf_mobilevit.py@0474874, "
#define EFFICIENTFORMER "Li et al., EfficientFormer: Vision Transformers at MobileNet Speed, NeurIPS 2022, as in " ZOO_TRANSFORMERS \
	"efficientformer/modeling_tf_efficientformer.py@046a2eb, "

const struct zoo_network zoo_hybrid_networks[] = {
	{"mobilevit_xxs", "MobileViT-XXS, 256x256", MOBILEVIT "apple/mobilevit-xx-small; count: timm, 0.42 GMAC, 1.27 M parameters", mobilevit_xxs},
	{"mobilevit_xs", "MobileViT-XS, 256x256", MOBILEVIT "apple/mobilevit-x-small; count: timm, 1.05 GMAC, 2.32 M parameters", mobilevit_xs},
	{"mobilevit_s", "MobileViT-S, 256x256", MOBILEVIT "apple/mobilevit-small; count: timm, 2.03 GMAC, 5.58 M parameters", mobilevit_s},
	{"efficientformer_l1_300", "EfficientFormer-L1 trained for 300 epochs, 224x224",
	 EFFICIENTFORMER "snap-research/efficientformer-l1-300; count: paper, 1.3 GMAC, 12.3 M parameters with a second classifier", efficientformer_l1},
	{"efficientformer_l3_300", "EfficientFormer-L3 trained for 300 epochs, 224x224",
	 EFFICIENTFORMER "snap-research/efficientformer-l3-300; count: paper, 3.9 GMAC, 31.3 M parameters with a second classifier", efficientformer_l3},
	{"efficientformer_l7_300", "EfficientFormer-L7 trained for 300 epochs, 224x224",
	 EFFICIENTFORMER "snap-research/efficientformer-l7-300; count: paper, 10.2 GMAC, 82.1 M parameters with a second classifier", efficientformer_l7},
	{0}
};
