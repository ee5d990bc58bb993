/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Vision transformers whose resolution falls from stage to stage: Swin, MiT
 * and CvT, as Hugging Face's classes TFSwinForImageClassification,
 * TFSegformerForImageClassification and TFCvtForImageClassification.
 */
#include "zoo_attention.h"

enum { N_CLASSES = 1000 };

/* ---- Swin ---- */

struct swin {
	int size, width, window;
	int layers[4], heads[4];
};

/* Tokens that the shift brought together don't see each other. Without a shift
 * the mask is zeros, which the converter takes out as long as they fit into 1 MiB:
 * beyond, they are in the measured files. */
static bool has_mask(int windows, int tokens, int shift)
{
	return shift > 0 || windows * tokens * tokens > (1 << 20) / (int)sizeof(float);
}

static int mask(struct zoo *z, int x)
{
	const int windows = zoo_dim(z, x, 0), heads = zoo_dim(z, x, 1), tokens = zoo_dim(z, x, 2);

	x = zoo_reshape(z, "mask_in", x, 5, (const int[]){1, windows, heads, tokens, tokens});
	return zoo_reshape(z, "mask_out", zoo_with_constant(z, "Add", "mask", x), 4, (const int[]){windows, heads, tokens, tokens});
}

static int window_attention(struct zoo *z, int x, int windows, int heads, bool masked)
{
	const int width = zoo_dim(z, x, 1);
	int queries = zoo_fc(z, "query", x, width), keys = zoo_fc(z, "key", x, width), values = zoo_fc(z, "value", x, width);
	int k = zoo_heads_of_keys(z, "key", keys, windows, heads), q = zoo_heads(z, "query", queries, windows, heads);
	int scores = zoo_scores(z, q, k);

	/* where the biases take more than 1 MiB their table is looked up each time; the lookup isn't here, as it reads no tensor */
	scores = zoo_with_constant(z, "Add", "positions", scores);
	if (masked)
		scores = mask(z, scores);
	return zoo_fc(z, "project", zoo_mix(z, scores, zoo_heads(z, "value", values, windows, heads)), width);
}

/* The window is shifted by half of it in every second layer where there is more than one. */
static int swin_layer(struct zoo *z, int x, int side, int window, int heads, bool odd)
{
	const int windows = side / window * (side / window), shift = odd && windows > 1 ? window / 2 : 0;
	int y = zoo_image(z, "image", zoo_norm(z, "norm1", x), side, side);

	if (shift)
		y = zoo_roll(z, "shift", y, shift);
	y = window_attention(z, zoo_cut_windows(z, y, window), windows, heads, has_mask(windows, window * window, shift));
	y = zoo_join_windows(z, y, window, side, side);
	if (shift)
		y = zoo_roll(z, "unshift", y, side - shift);
	return zoo_mlp_residual(z, zoo_binary(z, "Add", "add1", x, zoo_tokens(z, "list", y)));
}

static int merge_patches(struct zoo *z, int x, int side)
{
	const int channels = zoo_dim(z, x, 1);

	x = zoo_merge_tokens(z, x, side);
	return zoo_fc_no_bias(z, "reduce", zoo_norm(z, "norm", x), 2 * channels);
}

/* To channels first and back, as the model does it. */
static int swin_embed(struct zoo *z, const struct swin *s)
{
	int x = zoo_conv(z, "patches", zoo_pixels(z, s->size), s->width, zoo_square(4, 4, ZOO_VALID));
	const int tokens = zoo_height(z, x) * zoo_width(z, x);

	x = zoo_transpose(z, "nchw", x, (const int[]){0, 3, 1, 2});
	x = zoo_reshape(z, "planes", x, 2, (const int[]){s->width, tokens});
	return zoo_norm(z, "norm", zoo_transpose(z, "list", x, (const int[]){1, 0}));
}

/* Blocks: the embedding, every layer, every merging of patches, the head. */
static void swin(struct zoo *z, const struct swin *s)
{
	int x = swin_embed(z, s), side = s->size / 4;

	for (int i = 0; i < 4; i++) {
		for (int j = 0; j < s->layers[i]; j++) {
			zoo_block(z);
			zoo_scope(z, "stage%d_layer%d", i + 1, j + 1);
			x = swin_layer(z, x, side, s->window, s->heads[i], j % 2 == 1);
		}
		if (i == 3)
			break;
		zoo_block(z);
		zoo_scope(z, "merge%d", i + 1);
		x = merge_patches(z, x, side);
		side /= 2;
	}
	zoo_block(z);
	zoo_scope(z, "head");
	zoo_output(z, zoo_fc(z, "logits", zoo_mean_of_rows(z, "pool", zoo_norm(z, "norm", x)), N_CLASSES));
}

static void swin_tiny_224(struct zoo *z)
{
	swin(z, &(const struct swin){224, 96, 7, {2, 2, 6, 2}, {3, 6, 12, 24}});
}

static void swin_small_224(struct zoo *z)
{
	swin(z, &(const struct swin){224, 96, 7, {2, 2, 18, 2}, {3, 6, 12, 24}});
}

static void swin_base_224(struct zoo *z)
{
	swin(z, &(const struct swin){224, 128, 7, {2, 2, 18, 2}, {4, 8, 16, 32}});
}

static void swin_base_384(struct zoo *z)
{
	swin(z, &(const struct swin){384, 128, 12, {2, 2, 18, 2}, {4, 8, 16, 32}});
}

/* ---- MiT, the encoder of SegFormer ---- */

/* Keys and values are of an image that a convolution without overlap made smaller. */
static int mit_attention(struct zoo *z, int x, int side, int heads, int reduction)
{
	const int width = zoo_dim(z, x, 1);
	int queries = zoo_fc(z, "query", x, width), seen = x, keys;

	if (reduction > 1) {
		seen = zoo_conv(z, "reduce", zoo_image(z, "reduce_in", x, side, side), width, zoo_square(reduction, reduction, ZOO_VALID));
		seen = zoo_norm(z, "reduce_norm", zoo_tokens(z, "reduce_out", seen));
	}
	keys = zoo_fc(z, "key", seen, width);
	return zoo_fc(z, "project", zoo_attend(z, queries, keys, zoo_fc(z, "value", seen, width), 1, heads), width);
}

static int mit_layer(struct zoo *z, int x, int side, int heads, int reduction)
{
	const int width = zoo_dim(z, x, 1);
	int y = mit_attention(z, zoo_norm(z, "norm1", x), side, heads, reduction);

	x = zoo_binary(z, "Add", "add1", y, x);
	y = zoo_image(z, "image", zoo_fc(z, "expand", zoo_norm(z, "norm2", x), 4 * width), side, side);
	y = zoo_tokens(z, "list", zoo_conv_by_channel(z, "positions", y, zoo_square(3, 1, ZOO_SAME)));
	return zoo_binary(z, "Add", "add2", zoo_fc(z, "shrink", zoo_unary(z, "Gelu", "gelu", y), width), x);
}

/* Blocks: every embedding, every layer, the head. */
static void mit(struct zoo *z, const int *layers, const int *widths)
{
	static const int heads[] = {1, 2, 5, 8}, reduction[] = {8, 4, 2, 1};
	int x = zoo_pixels(z, 224);

	for (int i = 0; i < 4; i++) {
		const int kernel = i == 0 ? 7 : 3;
		int side;

		if (i > 0)
			zoo_block(z);
		zoo_scope(z, "stage%d", i + 1);
		x = zoo_padded_conv(z, "patches", x, widths[i], kernel, i == 0 ? 4 : 2, kernel / 2);
		side = zoo_height(z, x);
		x = zoo_norm(z, "norm", zoo_tokens(z, "list", x));
		for (int j = 0; j < layers[i]; j++) {
			zoo_block(z);
			zoo_scope(z, "stage%d_layer%d", i + 1, j + 1);
			x = mit_layer(z, x, side, heads[i], reduction[i]);
		}
		zoo_scope(z, "stage%d_end", i + 1);
		x = zoo_norm(z, "norm", x);
		if (i < 3)
			x = zoo_image(z, "image", x, side, side);
	}
	zoo_block(z);
	zoo_output(z, zoo_fc(z, "logits", zoo_mean_of_rows(z, "pool", x), N_CLASSES));
}

static const int mit_widths[] = {64, 128, 320, 512};

static void mit_b0(struct zoo *z) { mit(z, (const int[]){2, 2, 2, 2}, (const int[]){32, 64, 160, 256}); }
static void mit_b1(struct zoo *z) { mit(z, (const int[]){2, 2, 2, 2}, mit_widths); }
static void mit_b2(struct zoo *z) { mit(z, (const int[]){3, 4, 6, 3}, mit_widths); }
static void mit_b3(struct zoo *z) { mit(z, (const int[]){3, 4, 18, 3}, mit_widths); }
static void mit_b4(struct zoo *z) { mit(z, (const int[]){3, 8, 27, 3}, mit_widths); }
static void mit_b5(struct zoo *z) { mit(z, (const int[]){3, 6, 40, 3}, mit_widths); }

/* ---- CvT ---- */

/* Projections are a convolution of each channel, whose normalisation is folded,
 * and a dense layer. The class token passes the first by. */
static int cvt_projection(struct zoo *z, const char *name, int padded, int class_token, int stride)
{
	char local[ZOO_NAME_MAX];
	int x;

	snprintf(local, sizeof local, "%s_conv", name);
	x = zoo_conv_by_channel(z, local, padded, zoo_square(3, stride, ZOO_VALID));
	snprintf(local, sizeof local, "%s_list", name);
	x = zoo_tokens(z, local, x);
	if (class_token >= 0) {
		snprintf(local, sizeof local, "%s_tokens", name);
		x = zoo_concat_axis(z, local, 2, (const int[]){class_token, x}, 0);
	}
	return zoo_fc(z, name, x, zoo_dim(z, x, 1));
}

/* The three have the same Pad of the same image. */
static int cvt_attention(struct zoo *z, int x, int side, int heads, bool with_class)
{
	const int width = zoo_dim(z, x, 1);
	int part[2] = {-1, x}, queries, keys, padded;

	if (with_class)
		zoo_split_sizes(z, "parts", x, 0, 2, (const int[]){1, side * side}, part);
	padded = zoo_zero_pad(z, "pad", zoo_image(z, "image", part[1], side, side), 1);
	keys = cvt_projection(z, "key", padded, part[0], 2);
	queries = cvt_projection(z, "query", padded, part[0], 1);
	return zoo_fc(z, "project", zoo_attend(z, queries, keys, cvt_projection(z, "value", padded, part[0], 2), 1, heads), width);
}

static int cvt_stage(struct zoo *z, int x, int stage, int layers, bool with_class)
{
	static const int widths[] = {64, 192, 384}, heads[] = {1, 3, 6};
	int side;

	if (stage > 0)
		zoo_block(z);
	zoo_scope(z, "stage%d", stage + 1);
	x = zoo_padded_conv(z, "patches", x, widths[stage], stage == 0 ? 7 : 3, stage == 0 ? 4 : 2, stage == 0 ? 2 : 1);
	side = zoo_height(z, x);
	x = zoo_norm(z, "norm", zoo_tokens(z, "list", x));
	if (with_class)
		x = zoo_rows_in_front(z, "tokens", x, 1);
	for (int j = 0; j < layers; j++) {
		int y;

		zoo_block(z);
		zoo_scope(z, "stage%d_layer%d", stage + 1, j + 1);
		y = cvt_attention(z, zoo_norm(z, "norm1", x), side, heads[stage], with_class);
		x = zoo_mlp_residual(z, zoo_binary(z, "Add", "add1", y, x));
	}
	zoo_scope(z, "stage%d_end", stage + 1);
	return with_class ? zoo_slice(z, "class", x, 0, 0, 1) : zoo_image(z, "image", x, side, side);
}

/* Blocks: every embedding, every layer, the head. */
static void cvt(struct zoo *z, int size, const int *layers)
{
	int x = zoo_pixels(z, size);

	for (int i = 0; i < 3; i++)
		x = cvt_stage(z, x, i, layers[i], i == 2);
	zoo_block(z);
	zoo_output(z, zoo_fc(z, "logits", zoo_norm(z, "norm", x), N_CLASSES));
}

static void cvt_13(struct zoo *z)
{
	cvt(z, 224, (const int[]){1, 2, 10});
}

static void cvt_13_384(struct zoo *z)
{
	cvt(z, 384, (const int[]){1, 2, 10});
}

static void cvt_21(struct zoo *z)
{
	cvt(z, 224, (const int[]){1, 4, 16});
}

static void cvt_21_384(struct zoo *z)
{
	cvt(z, 384, (const int[]){1, 4, 16});
}

#define SWIN "Liu et al., Swin Transformer, ICCV 2021, as in " ZOO_TRANSFORMERS "swin/modeling_tf_swin.py@4f7e1d4, "
#define MIT "Xie et al., SegFormer, NeurIPS 2021, its encoder and ImageNet classifier as in " ZOO_TRANSFORMERS \
	"segformer/modeling_tf_segformer.py@02caeae, "
#define CVT "Wu et al., CvT: Introducing Convolutions to Vision Transformers, ICCV 2021, as in " ZOO_TRANSFORMERS "cvt/modeling_tf_cvt.py@05c9038, "

const struct zoo_network zoo_pyramid_networks[] = {
	{"swin_tiny_224", "Swin-T, windows of 7x7, 224x224",
	 SWIN "microsoft/swin-tiny-patch4-window7-224; count: paper, 4.5 GMAC, 28.3 M parameters with biases of positions", swin_tiny_224},
	{"swin_small_224", "Swin-S, windows of 7x7, 224x224",
	 SWIN "microsoft/swin-small-patch4-window7-224; count: paper, 8.7 GMAC, 49.6 M parameters with biases of positions", swin_small_224},
	{"swin_base_224", "Swin-B, windows of 7x7, 224x224",
	 SWIN "microsoft/swin-base-patch4-window7-224; count: paper, 15.4 GMAC, 87.8 M parameters with biases of positions", swin_base_224},
	{"swin_base_384", "Swin-B, windows of 12x12, 384x384",
	 SWIN "microsoft/swin-base-patch4-window12-384; count: paper, 47.0 GMAC, 87.9 M parameters with biases of positions", swin_base_384},
	{"mit_b0", "MiT-B0 (SegFormer's encoder) with classifier, 224x224", MIT "nvidia/mit-b0; count: paper, 3.4 M parameters without classifier", mit_b0},
	{"mit_b1", "MiT-B1 (SegFormer's encoder) with classifier, 224x224", MIT "nvidia/mit-b1; count: paper, 13.1 M parameters without classifier", mit_b1},
	{"mit_b2", "MiT-B2 (SegFormer's encoder) with classifier, 224x224", MIT "nvidia/mit-b2; count: paper, 24.2 M parameters without classifier", mit_b2},
	{"mit_b3", "MiT-B3 (SegFormer's encoder) with classifier, 224x224", MIT "nvidia/mit-b3; count: paper, 44.0 M parameters without classifier", mit_b3},
	{"mit_b4", "MiT-B4 (SegFormer's encoder) with classifier, 224x224", MIT "nvidia/mit-b4; count: paper, 60.8 M parameters without classifier", mit_b4},
	{"mit_b5", "MiT-B5 (SegFormer's encoder) with classifier, 224x224", MIT "nvidia/mit-b5; count: paper, 81.4 M parameters without classifier", mit_b5},
	{"cvt_13", "CvT-13, 224x224", CVT "microsoft/cvt-13; count: paper, 4.5 GMAC, 20 M parameters", cvt_13},
	{"cvt_13_384", "CvT-13, 384x384", CVT "microsoft/cvt-13-384; count: paper, 16.3 GMAC, 20 M parameters", cvt_13_384},
	{"cvt_21", "CvT-21, 224x224", CVT "microsoft/cvt-21; count: paper, 7.1 GMAC, 32 M parameters", cvt_21},
	{"cvt_21_384", "CvT-21, 384x384", CVT "microsoft/cvt-21-384; count: paper, 24.9 GMAC, 32 M parameters", cvt_21_384},
	{0}
};
