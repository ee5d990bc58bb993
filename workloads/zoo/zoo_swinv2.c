/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Swin Transformer V2, as Hugging Face's PyTorch class
 * Swinv2ForImageClassification.
 *
 * Biases of positions are computed in every inference: the function that does
 * it changes a tensor in place, so that freezing leaves it (the measured files
 * have no room for the results). What it reads are constants; here they are
 * inputs, as a constant has no tensor. The masks of shifted windows are computed
 * each time as well, from nothing but sizes: that isn't here.
 */
#include "zoo_torch.h"

struct swinv2 {
	int size, width, window, n_classes;
	int layers[4], heads[4];
};

/* A dense network of two layers has a bias for each of the distances within a window, of which each pair of tokens looks
 * its own up. No operator picks rows of a tensor by constant numbers: that is a ResizeNearest here, which copies a row of as many channels
 * for each pair as well. */
static int biases(struct zoo *z, int distances, int window, int heads)
{
	const int side = 2 * window - 1, tokens = window * window;
	int x = zoo_unary(z, "Relu", "bias_relu", zoo_fc(z, "bias_expand", distances, 512));

	x = zoo_reshape(z, "bias_table", zoo_fc_no_bias(z, "bias", x, heads), 4, (const int[]){1, side, side, heads});
	x = zoo_resize_nearest_to(z, "bias_lookup", x, tokens, tokens);
	x = zoo_reshape(z, "bias_pairs", x, 3, (const int[]){tokens, tokens, heads});
	x = zoo_unary(z, "Sigmoid", "bias_sigmoid", zoo_transpose(z, "bias_heads", x, (const int[]){2, 0, 1}));
	return zoo_with_constant(z, "Mul", "bias_scale", x);
}

/* Of unit length, [windows, tokens, heads, channels]. */
static int directions(struct zoo *z, const char *name, int x, int windows, int heads)
{
	char local[ZOO_NAME_MAX];

	snprintf(local, sizeof local, "%s_split", name);
	x = zoo_reshape(z, local, x, 4, (const int[]){windows, zoo_dim(z, x, 0) / windows, heads, zoo_dim(z, x, 1) / heads});
	snprintf(local, sizeof local, "%s_norm", name);
	return zoo_unary(z, "L2Normalization", local, x);
}

/* The mask is added twice, as the class has it. */
static int mask(struct zoo *z, int x)
{
	const int windows = zoo_dim(z, x, 0), heads = zoo_dim(z, x, 1), tokens = zoo_dim(z, x, 2);

	x = zoo_reshape(z, "mask_in", x, 5, (const int[]){1, windows, heads, tokens, tokens});
	x = zoo_with_constant(z, "Add", "mask2", zoo_with_constant(z, "Add", "mask1", x));
	return zoo_reshape(z, "mask_out", x, 4, (const int[]){windows, heads, tokens, tokens});
}

static int attention(struct zoo *z, int x, int distances, int window, int heads, bool shifted)
{
	const int width = zoo_dim(z, x, 1), windows = zoo_dim(z, x, 0) / (window * window);
	int q = zoo_fc(z, "query", x, width), k = zoo_fc_no_bias(z, "key", x, width), v = zoo_fc(z, "value", x, width), scores;

	q = zoo_transpose(z, "query_heads", directions(z, "query", q, windows, heads), (const int[]){0, 2, 1, 3});
	k = zoo_transpose(z, "key_heads", directions(z, "key", k, windows, heads), (const int[]){0, 2, 3, 1});
	scores = zoo_scores(z, q, k);
	scores = zoo_binary(z, "Add", "positions", scores, biases(z, distances, window, heads));
	if (shifted)
		scores = mask(z, scores);
	return zoo_fc(z, "project", zoo_mix(z, scores, zoo_heads(z, "value", v, windows, heads)), width);
}

/* The window is shifted by half of it in every second layer where there is more than one. What would make
 * the image a multiple of windows pads nothing, but copies. Both halves are normalised behind. */
static int layer(struct zoo *z, int x, int side, int distances, int window, int heads, bool odd)
{
	const int shift = odd && side > window ? window / 2 : 0;
	int y;

	y = zoo_zero_pad(z, "pad", zoo_image(z, "image", x, side, side), 0);
	if (shift)
		y = zoo_roll(z, "shift", y, shift);
	y = attention(z, zoo_cut_windows(z, y, window), distances, window, heads, shift > 0);
	y = zoo_join_windows(z, y, window, side, side);
	if (shift)
		y = zoo_roll(z, "unshift", y, side - shift);
	x = zoo_binary(z, "Add", "add1", x, zoo_norm(z, "norm1", zoo_tokens(z, "list", y)));
	return zoo_binary(z, "Add", "add2", x, zoo_norm(z, "norm2", zoo_mlp(z, x, 4 * zoo_dim(z, x, 1))));
}

/* Of a quarter of the tokens, twice as wide. */
static int merge_patches(struct zoo *z, int x, int side)
{
	const int channels = zoo_dim(z, x, 1);

	x = zoo_merge_tokens(z, x, side);
	return zoo_norm(z, "norm", zoo_fc_no_bias(z, "reduce", x, 2 * channels));
}

/* Distances within a window, along both axes. */
static int distances_of(struct zoo *z, int window)
{
	char name[ZOO_NAME_MAX];

	snprintf(name, sizeof name, "distances%d", window);
	return zoo_numbers(z, name, 2, (const int[]){(2 * window - 1) * (2 * window - 1), 2});
}

/* Blocks: the embedding, every layer, every merging of patches, the head. */
static void swinv2(struct zoo *z, const struct swinv2 *s)
{
	int side = s->size / 4, last = side / 8 < s->window ? side / 8 : s->window;
	int x = zoo_torch_pixels(z, s->size), wide = distances_of(z, s->window), narrow = last < s->window ? distances_of(z, last) : wide;

	x = zoo_conv(z, "patches", x, s->width, zoo_square(4, 4, ZOO_VALID));
	x = zoo_norm(z, "norm", zoo_list_of_planes(z, "list", x));
	for (int i = 0; i < 4; i++, side /= 2) {
		for (int j = 0; j < s->layers[i]; j++) {
			zoo_block(z);
			zoo_scope(z, "stage%d_layer%d", i + 1, j + 1);
			x = layer(z, x, side, i < 3 ? wide : narrow, i < 3 ? s->window : last, s->heads[i], j % 2 == 1);
		}
		if (i == 3)
			break;
		zoo_block(z);
		zoo_scope(z, "merge%d", i + 1);
		x = merge_patches(z, x, side);
	}
	zoo_block(z);
	zoo_scope(z, "head");
	zoo_output(z, zoo_fc(z, "logits", zoo_mean_of_rows(z, "pool", zoo_norm(z, "norm", x)), s->n_classes));
}

#define TINY {2, 2, 6, 2}, {3, 6, 12, 24}
#define BASE {2, 2, 18, 2}, {4, 8, 16, 32}

static void swinv2_tiny_w8_256(struct zoo *z)
{
	swinv2(z, &(const struct swinv2){256, 96, 8, 1000, TINY});
}

static void swinv2_tiny_w16_256(struct zoo *z)
{
	swinv2(z, &(const struct swinv2){256, 96, 16, 1000, TINY});
}

static void swinv2_base_w8_256(struct zoo *z)
{
	swinv2(z, &(const struct swinv2){256, 128, 8, 1000, BASE});
}

static void swinv2_base_w16_256(struct zoo *z)
{
	swinv2(z, &(const struct swinv2){256, 128, 16, 1000, BASE});
}

static void swinv2_base_w12_192(struct zoo *z)
{
	swinv2(z, &(const struct swinv2){192, 128, 12, 21841, BASE});
}

#define SWINV2 "Liu et al., Swin Transformer V2, CVPR 2022, as in " ZOO_TRANSFORMERS "swinv2/modeling_swinv2.py@004edfe, microsoft/"
#define COUNT "; count: operations and size of the file in the measurements' table, "

const struct zoo_network zoo_swinv2_networks[] = {
	{"swinv2_tiny_w8_256", "SwinV2-T, windows of 8x8, 256x256", SWINV2 "swinv2-tiny-patch4-window8-256" COUNT "5.96 GMAC, 28.3 M parameters", swinv2_tiny_w8_256},
	{"swinv2_tiny_w16_256", "SwinV2-T, windows of 16x16, 256x256",
	 SWINV2 "swinv2-tiny-patch4-window16-256" COUNT "6.68 GMAC, 28.3 M parameters", swinv2_tiny_w16_256},
	{"swinv2_base_w8_256", "SwinV2-B, windows of 8x8, 256x256", SWINV2 "swinv2-base-patch4-window8-256" COUNT "20.4 GMAC, 87.9 M parameters", swinv2_base_w8_256},
	{"swinv2_base_w16_256", "SwinV2-B, windows of 16x16, 256x256",
	 SWINV2 "swinv2-base-patch4-window16-256" COUNT "22.0 GMAC, 87.9 M parameters", swinv2_base_w16_256},
	{"swinv2_base_w12_192", "SwinV2-B, windows of 12x12, 192x192, of ImageNet-22k",
	 SWINV2 "swinv2-base-patch4-window12-192-22k" COUNT "11.9 GMAC, 109.3 M parameters", swinv2_base_w12_192},
	{0}
};
