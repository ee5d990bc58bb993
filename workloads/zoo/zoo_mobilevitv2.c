/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * MobileViTV2, as Hugging Face's PyTorch class MobileViTV2ForImageClassification.
 */
#include "zoo_blocks.h"
#include "zoo_torch.h"

/* Widths in percent; a network made for segmentation keeps the last stage at a 16th of the image. */
struct mobilevitv2 {
	int percent, n_classes, last_stride;
};

static int conv_swish(struct zoo *z, const char *name, int x, int channels, int kernel, int stride)
{
	return zoo_conv_act(z, name, x, channels, zoo_square(kernel, stride, ZOO_CENTRED), ZOO_SWISH);
}

static int inverted_residual(struct zoo *z, int x, int out, int stride)
{
	const int in = zoo_channels(z, x);
	int y = conv_swish(z, "widen", x, zoo_round8(2 * in, 100), 1, 1);

	y = zoo_act(z, ZOO_SWISH, zoo_depthwise(z, "window", y, zoo_square(3, stride, ZOO_CENTRED)));
	y = zoo_conv(z, "narrow", y, out, zoo_pointwise());
	return stride == 1 && in == out ? zoo_binary(z, "Add", "add", x, y) : y;
}

/* From an image to [1, 4, patches, channels], the four pixels of patches of 2x2, and back. */
static int unfold(struct zoo *z, int x)
{
	const int side = zoo_height(z, x) / 2, channels = zoo_channels(z, x);

	x = zoo_reshape(z, "unfold_rows", x, 6, (const int[]){1, side, 2, side, 2, channels});
	x = zoo_transpose(z, "unfold_pixels", x, (const int[]){0, 2, 4, 1, 3, 5});
	return zoo_reshape(z, "unfold", x, 4, (const int[]){1, 4, side * side, channels});
}

static int fold(struct zoo *z, int x, int side)
{
	const int channels = zoo_channels(z, x);

	x = zoo_reshape(z, "fold_pixels", x, 6, (const int[]){1, 2, 2, side, side, channels});
	x = zoo_transpose(z, "fold_rows", x, (const int[]){0, 3, 1, 4, 2, 5});
	return zoo_reshape(z, "fold", x, 4, (const int[]){1, 2 * side, 2 * side, channels});
}

/* One query per token weighs the keys, whose sum over the patches weighs the values. */
static int attention(struct zoo *z, int x)
{
	const int width = zoo_channels(z, x), patches = zoo_width(z, x);
	int part[3], weights;

	x = zoo_conv(z, "qkv", x, 1 + 2 * width, zoo_pointwise());
	zoo_split_sizes(z, "parts", x, 3, 3, (const int[]){1, width, width}, part);
	weights = zoo_reshape(z, "query", part[0], 2, (const int[]){4, patches});
	weights = zoo_reshape(z, "weights", zoo_unary(z, "Softmax", "softmax", weights), 4, (const int[]){1, 4, patches, 1});
	x = zoo_reduce(z, "ReduceSum", "context", zoo_binary(z, "Mul", "weighted", part[1], weights), 2);
	x = zoo_binary(z, "Mul", "mix", zoo_unary(z, "Relu", "relu", part[2]), x);
	return zoo_conv(z, "project", x, width, zoo_pointwise());
}

static int layer(struct zoo *z, int x)
{
	const int width = zoo_channels(z, x);
	int y = attention(z, zoo_group_norm(z, "norm1", x));

	x = zoo_binary(z, "Add", "add1", y, x);
	y = conv_swish(z, "expand", zoo_group_norm(z, "norm2", x), 2 * width, 1, 1);
	return zoo_binary(z, "Add", "add2", zoo_conv(z, "shrink", y, width, zoo_pointwise()), x);
}

/* In blocks of its own: up to the patches, every layer, from the patches on. */
static int stage(struct zoo *z, int x, int number, int channels, int width, int layers, int stride)
{
	int side;

	zoo_block(z);
	zoo_scope(z, "stage%d", number);
	x = inverted_residual(z, x, channels, stride);
	x = zoo_act(z, ZOO_SWISH, zoo_depthwise(z, "local", x, zoo_square(3, 1, ZOO_CENTRED)));
	x = zoo_conv_no_bias(z, "project_in", x, width, zoo_pointwise());
	side = zoo_height(z, x) / 2;
	x = unfold(z, x);
	for (int i = 0; i < layers; i++) {
		zoo_block(z);
		zoo_scope(z, "stage%d_layer%d", number, i + 1);
		x = layer(z, x);
	}
	zoo_block(z);
	zoo_scope(z, "stage%d_end", number);
	return zoo_conv(z, "project_out", fold(z, zoo_group_norm(z, "norm", x), side), channels, zoo_pointwise());
}

/* Blocks: the stem, every inverted residual unit, those of the other stages, the head. */
static void mobilevitv2(struct zoo *z, const struct mobilevitv2 *m)
{
	static const int widths[] = {64, 128, 128}, channels[] = {256, 384, 512}, tokens[] = {128, 192, 256}, layers[] = {2, 4, 3};
	int x = conv_swish(z, "stem", zoo_torch_pixels(z, 256), zoo_round8(32, m->percent), 3, 2);

	for (int i = 0; i < 3; i++) {
		zoo_block(z);
		zoo_scope(z, i == 0 ? "stage1" : "stage2_unit%d", i);
		x = inverted_residual(z, x, zoo_round8(widths[i], m->percent), i == 1 ? 2 : 1);
	}
	for (int i = 0; i < 3; i++)
		x = stage(z, x, i + 3, zoo_round8(channels[i], m->percent), zoo_round8(tokens[i], m->percent), layers[i], i == 2 ? m->last_stride : 2);
	zoo_block(z);
	zoo_output(z, zoo_fc(z, "logits", zoo_mean(z, "pool", x), m->n_classes));
}

static void mobilevitv2_1_0(struct zoo *z)
{
	mobilevitv2(z, &(const struct mobilevitv2){100, 1000, 2});
}

static void mobilevitv2_2_0(struct zoo *z)
{
	mobilevitv2(z, &(const struct mobilevitv2){200, 1000, 2});
}

static void mobilevitv2_1_5_voc(struct zoo *z)
{
	mobilevitv2(z, &(const struct mobilevitv2){150, 21, 1});
}

#define MOBILEVITV2 "Mehta and Rastegari, Separable Self-attention for Mobile Vision Transformers, TMLR 2023, as in " ZOO_TRANSFORMERS \
	"mobilevitv2/modeling_mobilevitv2.py@045e910, apple/"
#define COUNT "; count: operations in the measurements' table, with those of tokens as that counts them, and size of the file, "

const struct zoo_network zoo_mobilevitv2_networks[] = {
	{"mobilevitv2_1.0", "MobileViTV2-1.0, 256x256", MOBILEVITV2 "mobilevitv2-1.0-imagenet1k-256" COUNT "1.81 GMAC, 4.89 M parameters", mobilevitv2_1_0},
	{"mobilevitv2_2.0", "MobileViTV2-2.0, 256x256", MOBILEVITV2 "mobilevitv2-2.0-imagenet1k-256" COUNT "7.16 GMAC, 18.4 M parameters", mobilevitv2_2_0},
	{"mobilevitv2_1.5_voc", "MobileViTV2-1.5 of Pascal VOC's DeepLabV3, without its head, as a classifier of 21 classes, 256x256",
	 MOBILEVITV2 "mobilevitv2-1.5-voc-deeplabv3" COUNT "4.92 GMAC, 9.83 M parameters", mobilevitv2_1_5_voc},
	{0}
};
