/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Vision transformers of one resolution, as Hugging Face's PyTorch classes
 * ViTMSNForImageClassification, BeitForImageClassification,
 * Dinov2ForImageClassification and ViTHybridForImageClassification.
 */
#include "zoo_torch.h"

enum { LAYERS = 12, N_CLASSES = 1000 };

/* What differs in the layers: BEiT adds biases of relative positions to the scores, and its keys have none;
 * like DINOv2 it scales what is added to the tokens. */
struct layer {
	int heads;
	bool relative, scaled;
};

/* The biases are looked up in a table once: in the measured file they are a constant of each layer (12 · 12 · 197² floats). */
static int attention(struct zoo *z, int x, const struct layer *l)
{
	const int width = zoo_dim(z, x, 1);
	int q = zoo_fc(z, "query", x, width), k = l->relative ? zoo_fc_no_bias(z, "key", x, width) : zoo_fc(z, "key", x, width);
	int v = zoo_fc(z, "value", x, width), scores;

	q = zoo_heads(z, "query", q, 1, l->heads);
	k = zoo_heads_of_keys(z, "key", k, 1, l->heads);
	scores = zoo_scores(z, q, k);
	if (l->relative)
		scores = zoo_with_constant(z, "Add", "positions", scores);
	return zoo_fc(z, "project", zoo_mix(z, scores, zoo_heads(z, "value", v, 1, l->heads)), width);
}

static int residual(struct zoo *z, const char *number, int x, int y, bool scaled)
{
	char add[ZOO_NAME_MAX];

	if (scaled)
		return zoo_scaled_sum(z, number, x, y);
	snprintf(add, sizeof add, "add%s", number);
	return zoo_binary(z, "Add", add, x, y);
}

/* In a block each. */
static int encoder(struct zoo *z, int x, struct layer l)
{
	for (int i = 0; i < LAYERS; i++) {
		zoo_block(z);
		zoo_scope(z, "layer%d", i + 1);
		x = residual(z, "1", x, attention(z, zoo_norm(z, "norm1", x), &l), l.scaled);
		x = residual(z, "2", x, zoo_mlp(z, zoo_norm(z, "norm2", x), 4 * zoo_dim(z, x, 1)), l.scaled);
	}
	zoo_block(z);
	return x;
}

/* A list of patches behind one for the class. */
static int embed(struct zoo *z, int size, int patch, int width)
{
	int x = zoo_conv(z, "patches", zoo_torch_pixels(z, size), width, zoo_square(patch, patch, ZOO_VALID));

	return zoo_rows_in_front(z, "tokens", zoo_list_of_planes(z, "list", x), 1);
}

static int positions(struct zoo *z, int x)
{
	return zoo_with_constant(z, "Add", "positions", x);
}

static void classify_first(struct zoo *z, int x)
{
	x = zoo_slice(z, "class", zoo_norm(z, "norm", x), 0, 0, 1);
	zoo_output(z, zoo_fc(z, "logits", x, N_CLASSES));
}

static int mean_of_patches(struct zoo *z, int x)
{
	return zoo_mean_of_rows(z, "pool", zoo_slice(z, "rest", x, 0, 1, zoo_dim(z, x, 0) - 1));
}

/* ---- of a single convolution: blocks are the embedding, every layer, the head ---- */

static void msn(struct zoo *z, int patch, int width, int heads)
{
	classify_first(z, encoder(z, positions(z, embed(z, 224, patch, width)), (struct layer){.heads = heads}));
}

static void vit_msn_small(struct zoo *z)
{
	msn(z, 16, 384, 6);
}

static void vit_msn_base(struct zoo *z)
{
	msn(z, 16, 768, 12);
}

static void vit_msn_base_4(struct zoo *z)
{
	msn(z, 4, 768, 12);
}

static void beit(struct zoo *z, int size)
{
	int x = encoder(z, embed(z, size, 16, 768), (struct layer){12, .relative = true, .scaled = true});

	zoo_output(z, zoo_fc(z, "logits", zoo_norm(z, "norm", mean_of_patches(z, x)), N_CLASSES));
}

static void beit_base_224(struct zoo *z)
{
	beit(z, 224);
}

static void beit_base_384(struct zoo *z)
{
	beit(z, 384);
}

/* Its positions are those of 518 × 518 pixels, made smaller (bicubic) each time: the measured file has all 1370.
 * That isn't here, as no operator reads a constant: 16 products for each of 256 · width elements. */
static void dinov2(struct zoo *z, int width, int heads)
{
	int x = encoder(z, positions(z, embed(z, 224, 14, width)), (struct layer){heads, .scaled = true}), part[2];

	x = zoo_norm(z, "norm", x);
	part[0] = zoo_slice(z, "class", x, 0, 0, 1);
	part[1] = mean_of_patches(z, x);
	zoo_output(z, zoo_fc(z, "logits", zoo_concat_axis(z, "features", 2, part, 1), N_CLASSES));
}

static void dinov2_small(struct zoo *z)
{
	dinov2(z, 384, 6);
}

static void dinov2_base(struct zoo *z)
{
	dinov2(z, 768, 12);
}

/* ---- hybrid: three stages of BiT's ResNet-50 in front ---- */

/* GroupNorm: no operator here has means over groups of channels; those over an image have as many elements and parameters.
 * That a convolution's weights are standardised is part of them, as that reads constants only. Windows that
 * skip pixels are padded as TensorFlow's. */
static int bit_conv(struct zoo *z, const char *name, int x, int channels, int kernel, int stride)
{
	char local[ZOO_NAME_MAX];

	if (kernel > 1 && stride > 1) {
		snprintf(local, sizeof local, "%s_pad", name);
		x = zoo_zero_pad_same(z, local, x, kernel, stride);
	}
	x = zoo_conv_no_bias(z, name, x, channels, zoo_square(kernel, stride, stride > 1 ? ZOO_VALID : ZOO_CENTRED));
	snprintf(local, sizeof local, "%s_norm", name);
	return zoo_unary(z, "InstanceNormalization", local, x);
}

static int bit_unit(struct zoo *z, int x, int channels, int stride)
{
	int shortcut = x, y;

	if (zoo_channels(z, x) != channels)
		shortcut = bit_conv(z, "shortcut", x, channels, 1, stride);
	y = zoo_unary_after(z, "Relu", "relu", bit_conv(z, "narrow", x, channels / 4, 1, 1));
	y = zoo_unary_after(z, "Relu", "relu", bit_conv(z, "window", y, channels / 4, 3, stride));
	return zoo_unary(z, "Relu", "relu", zoo_binary(z, "Add", "add", bit_conv(z, "widen", y, channels, 1, 1), shortcut));
}

/* Blocks: the stem, every unit, the embedding, every layer, the head. */
static void vit_hybrid_384(struct zoo *z)
{
	static const int units[] = {3, 4, 9};
	int x = zoo_unary_after(z, "Relu", "relu", bit_conv(z, "stem", zoo_torch_pixels(z, 384), 64, 7, 2));

	x = zoo_max_pool(z, "pool", zoo_zero_pad_same(z, "pool_pad", x, 3, 2), zoo_square(3, 2, ZOO_VALID));
	for (int i = 0; i < 3; i++)
		for (int j = 0; j < units[i]; j++) {
			zoo_block(z);
			zoo_scope(z, "stage%d_unit%d", i + 1, j + 1);
			x = bit_unit(z, x, 256 << i, i > 0 && j == 0 ? 2 : 1);
		}
	zoo_block(z);
	x = zoo_list_of_planes(z, "list", zoo_conv(z, "patches", x, 768, zoo_pointwise()));
	x = positions(z, zoo_rows_in_front(z, "tokens", x, 1));
	classify_first(z, encoder(z, x, (struct layer){.heads = 12}));
}

#define MSN "Assran et al., Masked Siamese Networks for Label-Efficient Learning, ECCV 2022, as in " ZOO_TRANSFORMERS "vit_msn/modeling_vit_msn.py@015e687, "
#define BEIT "Bao et al., BEiT: BERT Pre-Training of Image Transformers, ICLR 2022, as in " ZOO_TRANSFORMERS "beit/modeling_beit.py@0004a3c, "
#define DINO "Oquab et al., DINOv2: Learning Robust Visual Features without Supervision, TMLR 2024, as in " ZOO_TRANSFORMERS \
	"dinov2/modeling_dinov2.py@015e687, "
#define HYBRID "Dosovitskiy et al., An Image is Worth 16x16 Words, ICLR 2021, as in " ZOO_TRANSFORMERS \
	"vit_hybrid/modeling_vit_hybrid.py@05c9038 and bit/modeling_bit.py@0211676, "
#define COUNT "; count: operations and size of the file in the measurements' table, "

const struct zoo_network zoo_vit_torch_networks[] = {
	{"vit_msn_small", "ViT-S/16 of MSN, 224x224", MSN "facebook/vit-msn-small" COUNT "4.609 GMAC, 22.05 M parameters", vit_msn_small},
	{"vit_msn_base", "ViT-B/16 of MSN, 224x224", MSN "facebook/vit-msn-base" COUNT "17.564 GMAC, 86.57 M parameters", vit_msn_base},
	{"vit_msn_base_4", "ViT-B/4 of MSN, 224x224", MSN "facebook/vit-msn-base-4" COUNT "448.5 GMAC, 88.27 M parameters", vit_msn_base_4},
	{"beit_base_224", "BEiT-B/16, 224x224", BEIT "microsoft/beit-base-patch16-224" COUNT "17.564 GMAC, 86.4 M parameters", beit_base_224},
	{"beit_base_384", "BEiT-B/16, 384x384", BEIT "microsoft/beit-base-patch16-384" COUNT "55.48 GMAC, 86.4 M parameters", beit_base_384},
	{"dinov2_small", "DINOv2 ViT-S/14 with a linear classifier, 224x224",
	 DINO "facebook/dinov2-small-imagenet1k-1-layer" COUNT "6.14 GMAC, 22.8 M parameters", dinov2_small},
	{"dinov2_base", "DINOv2 ViT-B/14 with a linear classifier, 224x224",
	 DINO "facebook/dinov2-base-imagenet1k-1-layer" COUNT "23.2 GMAC, 88.1 M parameters", dinov2_base},
	{"vit_hybrid_384", "ViT-B behind three stages of BiT's ResNet-50, 384x384",
	 HYBRID "google/vit-hybrid-base-bit-384" COUNT "67.15 GMAC, 98.95 M parameters", vit_hybrid_384},
	{0}
};
