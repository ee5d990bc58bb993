/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Pyramids with attention that exist as PyTorch classes only: PVT, LeViT and
 * SwiftFormer, as Hugging Face's PvtForImageClassification,
 * LevitForImageClassification and SwiftFormerForImageClassification.
 */
#include "zoo_blocks.h"
#include "zoo_torch.h"

enum { SIZE = 224, N_CLASSES = 1000 };

/* ---- PVT ---- */

/* Keys and values are of an image that a convolution without overlap made smaller: a list's image is NHWC as it is. */
static int pvt_attention(struct zoo *z, int x, int side, int heads, int reduction)
{
	const int width = zoo_dim(z, x, 1);
	int queries = zoo_heads(z, "query", zoo_fc(z, "query", x, width), 1, heads), seen = x, keys, values;

	if (reduction > 1) {
		seen = zoo_conv(z, "reduce", zoo_image(z, "reduce_in", x, side, side), width, zoo_square(reduction, reduction, ZOO_VALID));
		seen = zoo_norm(z, "reduce_norm", zoo_tokens(z, "reduce_out", seen));
	}
	keys = zoo_heads_of_keys(z, "key", zoo_fc(z, "key", seen, width), 1, heads);
	values = zoo_heads(z, "value", zoo_fc(z, "value", seen, width), 1, heads);
	x = zoo_with_constant(z, "Div", "scale", zoo_matmul(z, "scores", queries, keys));
	return zoo_fc(z, "project", zoo_mix(z, x, values), width);
}

static int pvt_layer(struct zoo *z, int x, int side, int heads, int reduction, int expand)
{
	const int width = zoo_dim(z, x, 1);

	x = zoo_binary(z, "Add", "add1", pvt_attention(z, zoo_norm(z, "norm1", x), side, heads, reduction), x);
	return zoo_binary(z, "Add", "add2", x, zoo_mlp(z, zoo_norm(z, "norm2", x), expand * width));
}

/* The class compares the number of patches to that of pixels, so that it always
 * interpolates the learnt positions, to the size that they have. They are a
 * constant: x stands for them. */
static int pvt_positions(struct zoo *z, int x, int side, bool with_class)
{
	const int tokens = side * side;
	int first = -1, y = x;

	if (with_class) {
		y = zoo_slice(z, "positions", x, 0, 1, tokens);
		first = zoo_slice(z, "position_of_class", x, 0, 0, 1);
	}
	y = zoo_resize_bilinear_to(z, "interpolate", zoo_image(z, "positions_image", y, side, side), side, side);
	y = zoo_tokens(z, "positions_list", y);
	return with_class ? zoo_concat_axis(z, "all_positions", 2, (const int[]){first, y}, 0) : y;
}

static int pvt_embed(struct zoo *z, int x, int width, int patch, bool with_class)
{
	int side;

	x = zoo_conv(z, "patches", x, width, zoo_square(patch, patch, ZOO_VALID));
	side = zoo_height(z, x);
	x = zoo_norm(z, "norm", zoo_list_of_planes(z, "list", x));
	if (with_class)
		x = zoo_rows_in_front(z, "tokens", x, 1);
	return zoo_binary(z, "Add", "add", x, pvt_positions(z, x, side, with_class));
}

/* Blocks: every embedding, every layer, the head. */
static void pvt(struct zoo *z, const int *layers)
{
	static const int widths[] = {64, 128, 320, 512}, heads[] = {1, 2, 5, 8}, reduction[] = {8, 4, 2, 1}, expand[] = {8, 8, 4, 4};
	int x = zoo_torch_pixels(z, SIZE), side = SIZE / 4;

	for (int i = 0; i < 4; i++, side /= 2) {
		if (i > 0)
			zoo_block(z);
		zoo_scope(z, "stage%d", i + 1);
		x = pvt_embed(z, x, widths[i], i == 0 ? 4 : 2, i == 3);
		for (int j = 0; j < layers[i]; j++) {
			zoo_block(z);
			zoo_scope(z, "stage%d_layer%d", i + 1, j + 1);
			x = pvt_layer(z, x, side, heads[i], reduction[i], expand[i]);
		}
		zoo_scope(z, "stage%d_end", i + 1);
		if (i < 3)
			x = zoo_planes_of_list(z, "image", x, side, side);
	}
	zoo_block(z);
	x = zoo_slice(z, "class", zoo_norm(z, "norm", x), 0, 0, 1);
	zoo_output(z, zoo_fc(z, "logits", x, N_CLASSES));
}

static void pvt_tiny_224(struct zoo *z) { pvt(z, (const int[]){2, 2, 2, 2}); }
static void pvt_small_224(struct zoo *z) { pvt(z, (const int[]){3, 4, 6, 3}); }
static void pvt_medium_224(struct zoo *z) { pvt(z, (const int[]){3, 4, 18, 3}); }
static void pvt_large_224(struct zoo *z) { pvt(z, (const int[]){3, 8, 27, 3}); }

/* ---- LeViT ---- */

struct levit {
	int widths[3], heads[3], layers[3], key; /* the width of a head's queries and keys */
};

/* A reshape stands between the dense layer and its normalisation, which is why that isn't folded. */
static int levit_dense(struct zoo *z, const char *name, int x, int width)
{
	char local[ZOO_NAME_MAX];

	x = zoo_fc_no_bias(z, name, x, width);
	snprintf(local, sizeof local, "%s_flat", name);
	x = zoo_reshape(z, local, x, 2, (const int[]){zoo_dim(z, x, 0), width});
	snprintf(local, sizeof local, "%s_norm", name);
	return zoo_batch_norm(z, local, x);
}

/* Scores, of which positions have a bias, a softmax, a product with the values, HardSwish and a dense layer. */
static int levit_attend(struct zoo *z, int queries, int keys, int values, int width)
{
	int scores = zoo_with_constant(z, "Add", "positions", zoo_scores(z, queries, keys));

	return levit_dense(z, "project", zoo_act(z, ZOO_HARD_SWISH, zoo_mix(z, scores, values)), width);
}

static int levit_attention(struct zoo *z, int x, int heads, int key)
{
	const int tokens = zoo_dim(z, x, 0), width = zoo_dim(z, x, 1), *const to_heads = (const int[]){0, 2, 1, 3};
	int part[3], y = levit_dense(z, "qkv", x, 4 * key * heads), queries, keys, values;

	y = zoo_reshape(z, "qkv_split", y, 4, (const int[]){1, tokens, heads, 4 * key});
	zoo_split_sizes(z, "parts", y, 3, 3, (const int[]){key, key, 2 * key}, part);
	queries = zoo_transpose(z, "query_heads", part[0], to_heads);
	keys = zoo_transpose(z, "key_heads", part[1], (const int[]){0, 2, 3, 1});
	values = zoo_transpose(z, "value_heads", part[2], to_heads);
	return levit_attend(z, queries, keys, values, width);
}

static int levit_mlp(struct zoo *z, int x)
{
	const int width = zoo_dim(z, x, 1);
	int y = zoo_act(z, ZOO_HARD_SWISH, levit_dense(z, "expand", x, 2 * width));

	return zoo_binary(z, "Add", "add2", x, levit_dense(z, "shrink", y, width));
}

/* Queries are of every second row and column; there is no residual, values are four times as wide as keys. */
static int levit_subsample(struct zoo *z, int x, int side, int width, int key)
{
	const int tokens = side * side, heads = zoo_dim(z, x, 1) / key;
	int part[2], y = levit_dense(z, "kv", x, 5 * key * heads), queries, keys, values;

	y = zoo_reshape(z, "kv_split", y, 4, (const int[]){1, tokens, heads, 5 * key});
	zoo_split_sizes(z, "parts", y, 3, 2, (const int[]){key, 4 * key}, part);
	keys = zoo_transpose(z, "key_heads", part[0], (const int[]){0, 2, 3, 1});
	values = zoo_transpose(z, "value_heads", part[1], (const int[]){0, 2, 1, 3});
	y = zoo_slice_every_second(z, "subsample", zoo_image(z, "image", x, side, side), 0, 0);
	y = levit_dense(z, "query", zoo_tokens(z, "list", y), key * heads);
	queries = zoo_heads(z, "query", y, 1, heads);
	return levit_mlp(z, levit_attend(z, queries, keys, values, width));
}

static int levit_stem(struct zoo *z, int width)
{
	int x = zoo_torch_pixels(z, SIZE);

	for (int i = 0; i < 4; i++) {
		char name[ZOO_NAME_MAX];

		snprintf(name, sizeof name, "stem%d", i + 1);
		x = zoo_torch_conv(z, name, x, width >> (3 - i), 3, 2, 1);
		if (i < 3)
			x = zoo_act(z, ZOO_HARD_SWISH, x);
	}
	return zoo_list_of_planes(z, "list", x);
}

/* Blocks: the stem, every layer, every halving of the resolution, the head. */
static void levit(struct zoo *z, const struct levit *l)
{
	int x = levit_stem(z, l->widths[0]), side = SIZE / 16;

	for (int i = 0; i < 3; i++) {
		for (int j = 0; j < l->layers[i]; j++) {
			zoo_block(z);
			zoo_scope(z, "stage%d_layer%d", i + 1, j + 1);
			x = levit_mlp(z, zoo_binary(z, "Add", "add1", x, levit_attention(z, x, l->heads[i], l->key)));
		}
		if (i == 2)
			break;
		zoo_block(z);
		zoo_scope(z, "halve%d", i + 1);
		x = levit_subsample(z, x, side, l->widths[i + 1], l->key);
		side = (side + 1) / 2;
	}
	zoo_block(z);
	zoo_output(z, zoo_fc(z, "logits", zoo_batch_norm(z, "norm", zoo_mean_of_rows(z, "pool", x)), N_CLASSES));
}

static void levit_128s(struct zoo *z)
{
	levit(z, &(const struct levit){{128, 256, 384}, {4, 6, 8}, {2, 3, 4}, 16});
}

static void levit_128(struct zoo *z)
{
	levit(z, &(const struct levit){{128, 256, 384}, {4, 8, 12}, {4, 4, 4}, 16});
}

static void levit_192(struct zoo *z)
{
	levit(z, &(const struct levit){{192, 288, 384}, {3, 5, 6}, {4, 4, 4}, 32});
}

static void levit_256(struct zoo *z)
{
	levit(z, &(const struct levit){{256, 384, 512}, {4, 6, 8}, {4, 4, 4}, 32});
}

static void levit_384(struct zoo *z)
{
	levit(z, &(const struct levit){{384, 512, 768}, {6, 9, 12}, {4, 4, 4}, 32});
}

/* ---- SwiftFormer ---- */

/* What both kinds of units have: a window of 3x3 and two 1x1 convolutions, scaled by channel. */
static int swift_convolutions(struct zoo *z, int x, int hidden)
{
	const int width = zoo_channels(z, x);
	int y = zoo_conv(z, "local_expand", zoo_depthwise(z, "window", x, zoo_square(3, 1, ZOO_SAME)), hidden, zoo_pointwise());

	y = zoo_conv(z, "local_shrink", zoo_unary(z, "Gelu", "local_gelu", y), width, zoo_pointwise());
	return zoo_scaled_sum(z, "_local", x, y);
}

/* Queries, each weighed by a learnt product, are summed up, and the sum multiplies
 * every key. The class repeats that sum for every token, which is here no operator
 * but the product's. The softmax is over the one weight that a query has. */
static int additive_attention(struct zoo *z, int x)
{
	const int width = zoo_dim(z, x, 1);
	int queries = zoo_fc(z, "query", x, width), keys = zoo_fc(z, "key", x, width), y;

	queries = zoo_unary(z, "L2Normalization", "query_unit", queries);
	keys = zoo_unary(z, "L2Normalization", "key_unit", keys);
	y = zoo_with_constant(z, "Mul", "weight_scale", zoo_fc_no_bias(z, "weights", queries, 1));
	y = zoo_binary(z, "Mul", "weighed", queries, zoo_unary(z, "Softmax", "softmax", y));
	y = zoo_binary(z, "Mul", "context", keys, zoo_reduce(z, "ReduceSum", "global", y, 0));
	y = zoo_binary(z, "Add", "add_query", zoo_fc(z, "project", y, width), queries);
	return zoo_fc(z, "last", y, width);
}

static int swift_encoder(struct zoo *z, int x)
{
	const int side = zoo_height(z, x), width = zoo_channels(z, x);
	int y;

	x = swift_convolutions(z, x, width);
	y = additive_attention(z, zoo_list_of_planes(z, "list", x));
	x = zoo_scaled_sum(z, "1", x, zoo_planes_of_list(z, "image", y, side, side));
	y = zoo_conv(z, "expand", zoo_batch_norm(z, "norm", x), 4 * width, zoo_pointwise());
	return zoo_scaled_sum(z, "2", x, zoo_conv(z, "shrink", zoo_unary(z, "Gelu", "gelu", y), width, zoo_pointwise()));
}

/* Both classifiers, of the image and of distillation, whose mean is the result; each averages the image again. */
static void swift_head(struct zoo *z, int x)
{
	int first, second;

	x = zoo_batch_norm(z, "norm", x);
	first = zoo_fc(z, "logits_of_class", zoo_mean(z, "pool_of_class", x), N_CLASSES);
	second = zoo_fc(z, "logits_of_teacher", zoo_mean(z, "pool_of_teacher", x), N_CLASSES);
	zoo_output(z, zoo_with_constant(z, "Div", "logits", zoo_binary(z, "Add", "sum", first, second)));
}

/* Blocks: the stem, every embedding, every unit, the head. The last unit of a stage attends. */
static void swiftformer(struct zoo *z, const int *units, const int *widths)
{
	int x = zoo_act(z, ZOO_RELU, zoo_torch_conv(z, "stem1", zoo_torch_pixels(z, SIZE), widths[0] / 2, 3, 2, 1));

	x = zoo_act(z, ZOO_RELU, zoo_torch_conv(z, "stem2", x, widths[0], 3, 2, 1));
	for (int i = 0; i < 4; i++) {
		if (i > 0) {
			zoo_block(z);
			zoo_scope(z, "stage%d", i + 1);
			x = zoo_torch_conv(z, "embed", x, widths[i], 3, 2, 1);
		}
		for (int j = 0; j < units[i]; j++) {
			zoo_block(z);
			zoo_scope(z, "stage%d_unit%d", i + 1, j + 1);
			x = j == units[i] - 1 ? swift_encoder(z, x) : swift_convolutions(z, x, 4 * widths[i]);
		}
	}
	zoo_block(z);
	swift_head(z, x);
}

static void swiftformer_xs(struct zoo *z)
{
	swiftformer(z, (const int[]){3, 3, 6, 4}, (const int[]){48, 56, 112, 220});
}

static void swiftformer_s(struct zoo *z)
{
	swiftformer(z, (const int[]){3, 3, 9, 6}, (const int[]){48, 64, 168, 224});
}

static void swiftformer_l1(struct zoo *z)
{
	swiftformer(z, (const int[]){4, 3, 10, 5}, (const int[]){48, 96, 192, 384});
}

static void swiftformer_l3(struct zoo *z)
{
	swiftformer(z, (const int[]){4, 4, 12, 6}, (const int[]){64, 128, 320, 512});
}

#define PVT "Wang et al., Pyramid Vision Transformer, ICCV 2021, as in " ZOO_TRANSFORMERS "pvt/modeling_pvt.py@01a31bb, "
#define LEVIT "Graham et al., LeViT, ICCV 2021, as in " ZOO_TRANSFORMERS "levit/modeling_levit.py@003e3d4, facebook/"
#define SWIFTFORMER "Shaker et al., SwiftFormer, ICCV 2023, as in " ZOO_TRANSFORMERS "swiftformer/modeling_swiftformer.py@0140ceb, MBZUAI/"

const struct zoo_network zoo_torch_attention_networks[] = {
	{"pvt_tiny_224", "PVT-Tiny, 224x224", PVT "Xrenya/pvt-tiny-224; count: paper, 1.9 GMAC, 13.2 M parameters with positions", pvt_tiny_224},
	{"pvt_small_224", "PVT-Small, 224x224", PVT "Xrenya/pvt-small-224; count: paper, 3.8 GMAC, 24.5 M parameters with positions", pvt_small_224},
	{"pvt_medium_224", "PVT-Medium, 224x224", PVT "Xrenya/pvt-medium-224; count: paper, 6.7 GMAC, 44.2 M parameters with positions", pvt_medium_224},
	{"pvt_large_224", "PVT-Large, 224x224", PVT "Xrenya/pvt-large-224; count: paper, 9.8 GMAC, 61.4 M parameters with positions", pvt_large_224},
	{"levit_128s", "LeViT-128S, 224x224", LEVIT "levit-128S; count: paper, 0.31 GMAC, 7.8 M parameters with a second classifier", levit_128s},
	{"levit_128", "LeViT-128, 224x224", LEVIT "levit-128; count: paper, 0.41 GMAC, 9.2 M parameters with a second classifier", levit_128},
	{"levit_192", "LeViT-192, 224x224", LEVIT "levit-192; count: paper, 0.66 GMAC, 10.9 M parameters with a second classifier", levit_192},
	{"levit_256", "LeViT-256, 224x224", LEVIT "levit-256; count: paper, 1.12 GMAC, 18.9 M parameters with a second classifier", levit_256},
	{"levit_384", "LeViT-384, 224x224", LEVIT "levit-384; count: paper, 2.35 GMAC, 39.1 M parameters with a second classifier", levit_384},
	{"swiftformer_xs", "SwiftFormer-XS, 224x224", SWIFTFORMER "swiftformer-xs; count: authors, 3.5 M parameters", swiftformer_xs},
	{"swiftformer_s", "SwiftFormer-S, 224x224", SWIFTFORMER "swiftformer-s; count: authors, 1.0 GMAC, 6.1 M parameters", swiftformer_s},
	{"swiftformer_l1", "SwiftFormer-L1, 224x224", SWIFTFORMER "swiftformer-l1; count: authors, 1.6 GMAC, 12.1 M parameters", swiftformer_l1},
	{"swiftformer_l3", "SwiftFormer-L3, 224x224", SWIFTFORMER "swiftformer-l3; count: authors, 4.0 GMAC, 28.5 M parameters", swiftformer_l3},
	{0}
};
