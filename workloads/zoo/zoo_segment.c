/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * DeepLab V3 over MobileNet V2, without atrous pooling and decoder: names a
 * class for every pixel. It ends at the enlarged map of scores.
 */
#include "zoo_blocks.h"

enum { CLASSES = 21, WIDE = 256 };

/* From output_stride on what would halve the map doubles the dilation of all that follows instead. Widths aren't rounded to multiples of 8. */
struct deeplab {
	int size, width_percent, output_stride;
};

static int unit(struct zoo *z, int x, int expand, int channels, int stride, int dilation)
{
	int in = zoo_channels(z, x), y = x;

	if (expand != 1)
		y = zoo_conv_act(z, "expand", y, in * expand, zoo_pointwise(), ZOO_RELU6);
	y = stride == 1 ? zoo_depthwise_dilated(z, "depthwise", y, 3, dilation)
	                : zoo_depthwise(z, "depthwise", y, zoo_square(3, stride, ZOO_SAME));
	y = zoo_conv(z, "project", zoo_act(z, ZOO_RELU6, y), channels, zoo_pointwise());
	return stride == 1 && in == channels ? zoo_binary(z, "Add", "add", y, x) : y;
}

static int backbone(struct zoo *z, const struct deeplab *net)
{
	static const struct zoo_mb_stage stages[] = {
		{1, 16, 1, 1, 3}, {6, 24, 2, 2, 3}, {6, 32, 3, 2, 3}, {6, 64, 4, 2, 3}, {6, 96, 3, 1, 3}, {6, 160, 3, 2, 3}, {6, 320, 1, 1, 3}
	};
	int x = zoo_input(z, "image", net->size, net->size, 3), reached = 2, dilation = 1;

	zoo_block(z);
	x = zoo_conv_act(z, "conv", x, 32 * net->width_percent / 100, zoo_square(3, 2, ZOO_SAME), ZOO_RELU6);
	for (int i = 0; i < 7; i++)
		for (int j = 0; j < stages[i].n_units; j++) {
			const int wanted = j == 0 ? stages[i].stride : 1, stride = reached < net->output_stride ? wanted : 1;

			zoo_block(z);
			zoo_scope(z, "stage%d_unit%d", i + 1, j + 1);
			x = unit(z, x, stages[i].expand, stages[i].channels * net->width_percent / 100, stride, dilation);
			reached *= stride;
			dilation *= wanted / stride;
		}
	return x;
}

/* Blocks: the stem, every unit, the head. */
static void deeplab(struct zoo *z, const struct deeplab *net)
{
	int x = backbone(z, net), size = zoo_height(z, x), b[2];

	zoo_block(z);
	b[0] = zoo_avg_pool(z, "pool", x, zoo_square(size, 1, ZOO_VALID));
	b[0] = zoo_conv_act(z, "pool_conv", b[0], WIDE, zoo_pointwise(), ZOO_RELU);
	b[0] = zoo_resize_bilinear_to(z, "pool_resize", b[0], size, size);
	b[1] = zoo_conv_act(z, "conv_wide", x, WIDE, zoo_pointwise(), ZOO_RELU);
	x = zoo_conv_act(z, "join", zoo_concat(z, "concat", 2, b), WIDE, zoo_pointwise(), ZOO_RELU);
	x = zoo_conv(z, "scores", x, CLASSES, zoo_pointwise());
	zoo_output(z, zoo_resize_bilinear_to(z, "resize", x, net->size, net->size));
}

static void deeplab_v3(struct zoo *z)
{
	deeplab(z, &(struct deeplab){257, 50, 8});
}

const struct zoo_network zoo_segment_networks[] = {
	{"deeplab_v3", "DeepLab V3 over MobileNet V2 0.5, 257x257",
	 "Chen et al., Rethinking Atrous Convolution for Semantic Image Segmentation, 2017, as in tensorflow/models, research/deeplab "
	 "(mobilenetv2_dm05, output stride 8) and, at this size, TensorFlow Lite's segmentation example; count: 0.726 GMAC, 0.688 M "
	 "parameters (recount, 0.867 GMAC at 513x513 with output stride 16, where the authors' table says 0.88; the file has 2.7 MB)", deeplab_v3},
	{0}
};
