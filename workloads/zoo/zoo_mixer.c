/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Networks of a transformer's structure whose tokens meet by pools or
 * convolutions: PoolFormer, VAN and FocalNet, as Hugging Face's classes
 * PoolFormerForImageClassification, VanForImageClassification and
 * FocalNetForImageClassification.
 */
#include "zoo_torch.h"

enum { SIZE = 224, N_CLASSES = 1000 };

/* ---- PoolFormer ---- */

static int poolformer_layer(struct zoo *z, int x)
{
	const int width = zoo_channels(z, x);
	int y = zoo_group_norm(z, "norm1", x);

	y = zoo_binary(z, "Sub", "mixed", zoo_avg_pool(z, "pool", y, zoo_square(3, 1, ZOO_SAME)), y);
	x = zoo_scaled_sum(z, "1", x, y);
	y = zoo_conv(z, "expand", zoo_group_norm(z, "norm2", x), 4 * width, zoo_pointwise());
	y = zoo_conv(z, "shrink", zoo_unary(z, "Gelu", "gelu", y), width, zoo_pointwise());
	return zoo_scaled_sum(z, "2", x, y);
}

/* Blocks: the stages' embeddings, every layer, the head. */
static void poolformer(struct zoo *z, const int *layers, const int *widths)
{
	int x = zoo_torch_pixels(z, SIZE);

	for (int i = 0; i < 4; i++) {
		if (i > 0)
			zoo_block(z);
		zoo_scope(z, "stage%d", i + 1);
		x = i == 0 ? zoo_torch_conv(z, "patches", x, widths[i], 7, 4, 2) : zoo_torch_conv(z, "patches", x, widths[i], 3, 2, 1);
		for (int j = 0; j < layers[i]; j++) {
			zoo_block(z);
			zoo_scope(z, "stage%d_layer%d", i + 1, j + 1);
			x = poolformer_layer(z, x);
		}
	}
	zoo_block(z);
	zoo_output(z, zoo_fc(z, "logits", zoo_mean(z, "pool", zoo_group_norm(z, "norm", x)), N_CLASSES));
}

static void poolformer_s12(struct zoo *z)
{
	poolformer(z, (const int[]){2, 2, 6, 2}, (const int[]){64, 128, 320, 512});
}

static void poolformer_s24(struct zoo *z)
{
	poolformer(z, (const int[]){4, 4, 12, 4}, (const int[]){64, 128, 320, 512});
}

static void poolformer_s36(struct zoo *z)
{
	poolformer(z, (const int[]){6, 6, 18, 6}, (const int[]){64, 128, 320, 512});
}

static void poolformer_m36(struct zoo *z)
{
	poolformer(z, (const int[]){6, 6, 18, 6}, (const int[]){96, 192, 384, 768});
}

static void poolformer_m48(struct zoo *z)
{
	poolformer(z, (const int[]){8, 8, 24, 8}, (const int[]){96, 192, 384, 768});
}

/* ---- VAN ---- */

/* What is seen through windows of 5x5 and, every third pixel, 7x7, weighs each element. */
static int large_kernel_attention(struct zoo *z, int x)
{
	const int width = zoo_channels(z, x);
	int image = zoo_unary(z, "Gelu", "gelu1", zoo_conv(z, "before", x, width, zoo_pointwise()));
	int y = zoo_depthwise(z, "near", image, zoo_square(5, 1, ZOO_SAME));

	y = zoo_conv(z, "weights", zoo_depthwise_dilated(z, "far", y, 7, 3), width, zoo_pointwise());
	y = zoo_conv(z, "behind", zoo_binary(z, "Mul", "attended", image, y), width, zoo_pointwise());
	return zoo_binary(z, "Add", "add_own", y, x);
}

static int van_layer(struct zoo *z, int x, int expand)
{
	const int width = zoo_channels(z, x);
	int y = large_kernel_attention(z, zoo_batch_norm(z, "norm1", x));

	x = zoo_scaled_sum(z, "1", x, y);
	y = zoo_conv(z, "expand", zoo_batch_norm(z, "norm2", x), expand * width, zoo_pointwise());
	y = zoo_unary(z, "Gelu", "gelu2", zoo_depthwise(z, "window", y, zoo_square(3, 1, ZOO_SAME)));
	return zoo_scaled_sum(z, "2", x, zoo_conv(z, "shrink", y, width, zoo_pointwise()));
}

/* Each stage ends in a normalisation of tokens. */
static int van_stage(struct zoo *z, int x, int stage, int width, int layers, int expand)
{
	const int kernel = stage == 0 ? 7 : 3;
	int side;

	zoo_scope(z, "stage%d", stage + 1);
	x = zoo_torch_conv(z, "patches", x, width, kernel, stage == 0 ? 4 : 2, kernel / 2);
	side = zoo_height(z, x);
	for (int j = 0; j < layers; j++) {
		zoo_block(z);
		zoo_scope(z, "stage%d_layer%d", stage + 1, j + 1);
		x = van_layer(z, x, expand);
	}
	zoo_scope(z, "stage%d_end", stage + 1);
	/* only the first stage's images are NCHW: a convolution's result has the order of what it reads */
	x = stage == 0 ? zoo_list_of_planes(z, "list", x) : zoo_tokens(z, "list", x);
	return zoo_image(z, "image", zoo_norm(z, "norm", x), side, side);
}

/* Blocks: the stages' embeddings, every layer, the head. */
static void van(struct zoo *z, const int *layers, const int *widths)
{
	static const int expand[] = {8, 8, 4, 4};
	int x = zoo_torch_pixels(z, SIZE);

	for (int i = 0; i < 4; i++) {
		if (i > 0)
			zoo_block(z);
		x = van_stage(z, x, i, widths[i], layers[i], expand[i]);
	}
	zoo_block(z);
	zoo_output(z, zoo_fc(z, "logits", zoo_mean(z, "pool", x), N_CLASSES));
}

static void van_tiny(struct zoo *z)
{
	van(z, (const int[]){3, 3, 5, 2}, (const int[]){32, 64, 160, 256});
}

static void van_small(struct zoo *z)
{
	van(z, (const int[]){2, 2, 4, 2}, (const int[]){64, 128, 320, 512});
}

static void van_base(struct zoo *z)
{
	van(z, (const int[]){3, 3, 12, 3}, (const int[]){64, 128, 320, 512});
}

static void van_large(struct zoo *z)
{
	van(z, (const int[]){3, 5, 27, 3}, (const int[]){64, 128, 320, 512});
}

/* ---- FocalNet ---- */

enum { LEVELS = 2 };

/* The context of each level by its gate, an image of one channel; the last one is the whole image's. */
static int gather_context(struct zoo *z, int context, int gates)
{
	int sum = -1, gate, y;

	for (int i = 0; i < LEVELS; i++) {
		char conv[ZOO_NAME_MAX], gelu[ZOO_NAME_MAX], part[ZOO_NAME_MAX], weighed[ZOO_NAME_MAX], add[ZOO_NAME_MAX];

		snprintf(conv, sizeof conv, "focus%d", i + 1);
		snprintf(gelu, sizeof gelu, "focus%d_gelu", i + 1);
		snprintf(part, sizeof part, "gate%d", i + 1);
		snprintf(weighed, sizeof weighed, "context%d", i + 1);
		snprintf(add, sizeof add, "sum%d", i + 1);
		context = zoo_unary(z, "Gelu", gelu, zoo_depthwise_no_bias(z, conv, context, zoo_square(3 + 2 * i, 1, ZOO_SAME)));
		gate = zoo_slice(z, part, gates, 3, i, 1);
		y = zoo_binary(z, "Mul", weighed, context, gate);
		sum = i == 0 ? zoo_with_constant(z, "Add", add, y) : zoo_binary(z, "Add", add, sum, y);
	}
	y = zoo_reduce(z, "ReduceMean", "whole_rows", context, 1);
	y = zoo_unary(z, "Gelu", "whole_gelu", zoo_reduce(z, "ReduceMean", "whole", y, 2));
	gate = zoo_slice(z, "whole_gate", gates, 3, LEVELS, 1);
	return zoo_binary(z, "Add", "sum", sum, zoo_binary(z, "Mul", "whole_context", y, gate));
}

static int focal_modulation(struct zoo *z, int x, int side)
{
	const int width = zoo_dim(z, x, 1);
	int part[3];

	x = zoo_planes_of_list(z, "image", zoo_fc(z, "project_in", x, 2 * width + LEVELS + 1), side, side);
	zoo_split_sizes(z, "parts", x, 3, 3, (const int[]){width, width, LEVELS + 1}, part);
	x = zoo_conv(z, "modulator", gather_context(z, part[1], part[2]), width, zoo_pointwise());
	x = zoo_list_of_planes(z, "list", zoo_binary(z, "Mul", "modulated", part[0], x));
	return zoo_fc(z, "project", x, width);
}

static int focalnet_layer(struct zoo *z, int x, int side)
{
	int y = focal_modulation(z, zoo_norm(z, "norm1", x), side);

	x = zoo_scaled_sum(z, "1", x, y);
	return zoo_scaled_sum(z, "2", x, zoo_mlp(z, zoo_norm(z, "norm2", x), 4 * zoo_dim(z, x, 1)));
}

/* Blocks: the stages' embeddings, every layer, the head. */
static void focalnet(struct zoo *z, int width, const int *layers)
{
	int x = zoo_torch_pixels(z, SIZE), side = SIZE / 4;

	for (int i = 0; i < 4; i++, side /= 2) {
		const int patch = i == 0 ? 4 : 2;

		if (i > 0)
			zoo_block(z);
		zoo_scope(z, "stage%d", i + 1);
		if (i > 0)
			x = zoo_image(z, "image", x, 2 * side, 2 * side);
		x = zoo_conv(z, "patches", x, width << i, zoo_square(patch, patch, ZOO_VALID));
		x = zoo_norm(z, "norm", i == 0 ? zoo_list_of_planes(z, "list", x) : zoo_tokens(z, "list", x));
		for (int j = 0; j < layers[i]; j++) {
			zoo_block(z);
			zoo_scope(z, "stage%d_layer%d", i + 1, j + 1);
			x = focalnet_layer(z, x, side);
		}
	}
	zoo_block(z);
	zoo_output(z, zoo_fc(z, "logits", zoo_mean_of_rows(z, "pool", zoo_norm(z, "norm", x)), N_CLASSES));
}

static void focalnet_tiny(struct zoo *z)
{
	focalnet(z, 96, (const int[]){2, 2, 6, 2});
}

static void focalnet_small(struct zoo *z)
{
	focalnet(z, 96, (const int[]){2, 2, 18, 2});
}

static void focalnet_base(struct zoo *z)
{
	focalnet(z, 128, (const int[]){2, 2, 18, 2});
}

#define POOLFORMER "Yu et al., MetaFormer Is Actually What You Need for Vision, CVPR 2022, as in " ZOO_TRANSFORMERS \
	"poolformer/modeling_poolformer.py@05c9038, sail/"
#define VAN "Guo et al., Visual Attention Network, 2022, as in " ZOO_TRANSFORMERS "van/modeling_van.py@00e12e7, Visual-Attention-Network/"
#define FOCALNET "Yang et al., Focal Modulation Networks, NeurIPS 2022, as in " ZOO_TRANSFORMERS \
	"focalnet/modeling_focalnet.py@0173d4f, microsoft/"

const struct zoo_network zoo_mixer_networks[] = {
	{"poolformer_s12", "PoolFormer-S12, 224x224", POOLFORMER "poolformer_s12; count: paper, 1.8 GMAC, 12 M parameters", poolformer_s12},
	{"poolformer_s24", "PoolFormer-S24, 224x224", POOLFORMER "poolformer_s24; count: paper, 3.4 GMAC, 21 M parameters", poolformer_s24},
	{"poolformer_s36", "PoolFormer-S36, 224x224", POOLFORMER "poolformer_s36; count: paper, 5.0 GMAC, 31 M parameters", poolformer_s36},
	{"poolformer_m36", "PoolFormer-M36, 224x224", POOLFORMER "poolformer_m36; count: paper, 8.8 GMAC, 56 M parameters", poolformer_m36},
	{"poolformer_m48", "PoolFormer-M48, 224x224", POOLFORMER "poolformer_m48; count: paper, 11.6 GMAC, 73 M parameters", poolformer_m48},
	{"van_tiny", "VAN-Tiny (VAN-B0), 224x224", VAN "van-tiny; count: authors, 0.9 GMAC, 4.1 M parameters", van_tiny},
	{"van_small", "VAN-Small (VAN-B1), 224x224", VAN "van-small; count: authors, 2.5 GMAC, 13.9 M parameters", van_small},
	{"van_base", "VAN-Base (VAN-B2), 224x224", VAN "van-base; count: authors, 5.0 GMAC, 26.6 M parameters", van_base},
	{"van_large", "VAN-Large (VAN-B3), 224x224", VAN "van-large; count: authors, 9.0 GMAC, 44.8 M parameters", van_large},
	{"focalnet_tiny", "FocalNet-T, small receptive fields, 224x224",
	 FOCALNET "focalnet-tiny; count: authors, 4.4 GMAC, 28.4 M parameters", focalnet_tiny},
	{"focalnet_small", "FocalNet-S, small receptive fields, 224x224",
	 FOCALNET "focalnet-small; count: authors, 8.6 GMAC, 49.9 M parameters", focalnet_small},
	{"focalnet_base", "FocalNet-B, small receptive fields, 224x224",
	 FOCALNET "focalnet-base; count: authors, 15.3 GMAC, 88.1 M parameters", focalnet_base},
	{0}
};
