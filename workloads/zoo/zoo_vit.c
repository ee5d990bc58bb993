/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Vision transformers of one resolution: ViT and DeiT, as Hugging Face's
 * classes TFViTForImageClassification and TFDeiTForImageClassification.
 */
#include "zoo_attention.h"

/* Extra tokens: the class, and in DeiT the distillation's, which the classifier
 * of TFDeiTForImageClassification doesn't read. The models of ImageNet-21k come
 * without a classifier and get transformers' default, two classes. */
struct vit {
	int size, patch, width, heads, extra_tokens, n_classes;
};

static int embed(struct zoo *z, const struct vit *v)
{
	int x = zoo_conv(z, "patches", zoo_pixels(z, v->size), v->width, zoo_square(v->patch, v->patch, ZOO_VALID));

	x = zoo_rows_in_front(z, "tokens", zoo_tokens(z, "list", x), v->extra_tokens);
	return zoo_with_constant(z, "Add", "positions", x);
}

/* Normalisation in front of both halves. */
static int encoder_layer(struct zoo *z, int x, int heads)
{
	return zoo_mlp_residual(z, zoo_binary(z, "Add", "add1", zoo_self_attention(z, zoo_norm(z, "norm1", x), 1, heads), x));
}

/* Blocks: the embedding, every layer, the head. */
static void vit(struct zoo *z, const struct vit *v)
{
	enum { LAYERS = 12 };
	int x = embed(z, v);

	for (int i = 0; i < LAYERS; i++) {
		zoo_block(z);
		zoo_scope(z, "layer%d", i + 1);
		x = encoder_layer(z, x, v->heads);
	}
	zoo_block(z);
	x = zoo_slice(z, "class", zoo_norm(z, "norm", x), 0, 0, 1);
	zoo_output(z, zoo_fc(z, "logits", x, v->n_classes));
}

static void vit_b16_224(struct zoo *z)
{
	vit(z, &(const struct vit){224, 16, 768, 12, 1, 2});
}

static void vit_b16_384(struct zoo *z)
{
	vit(z, &(const struct vit){384, 16, 768, 12, 1, 1000});
}

static void vit_b32_224(struct zoo *z)
{
	vit(z, &(const struct vit){224, 32, 768, 12, 1, 2});
}

static void vit_b32_384(struct zoo *z)
{
	vit(z, &(const struct vit){384, 32, 768, 12, 1, 1000});
}

static void deit_tiny_224(struct zoo *z)
{
	vit(z, &(const struct vit){224, 16, 192, 3, 2, 1000});
}

static void deit_small_224(struct zoo *z)
{
	vit(z, &(const struct vit){224, 16, 384, 6, 2, 1000});
}

static void deit_base_224(struct zoo *z)
{
	vit(z, &(const struct vit){224, 16, 768, 12, 2, 1000});
}

static void deit_base_384(struct zoo *z)
{
	vit(z, &(const struct vit){384, 16, 768, 12, 2, 1000});
}

#define VIT "Dosovitskiy et al., An Image is Worth 16x16 Words, ICLR 2021, as in " ZOO_TRANSFORMERS \
	"vit/modeling_tf_vit.py@203bf6f, "
#define DEIT "Touvron et al., Training data-efficient image transformers & distillation through attention, ICML 2021, as in " \
	ZOO_TRANSFORMERS "deit/modeling_tf_deit.py@04ae757, "

const struct zoo_network zoo_vit_networks[] = {
	{"vit_b16_224", "ViT-B/16, 224x224, of ImageNet-21k (two classes)",
	 VIT "google/vit-base-patch16-224-in21k; count: torchvision's vit_b_16, 17.56 GMAC, 86.57 M parameters with 1000 classes", vit_b16_224},
	{"vit_b16_384", "ViT-B/16, 384x384", VIT "google/vit-base-patch16-384; count: torchvision's vit_b_16, 55.48 GMAC, 86.86 M parameters", vit_b16_384},
	{"vit_b32_224", "ViT-B/32, 224x224, of ImageNet-21k (two classes)",
	 VIT "google/vit-base-patch32-224-in21k; count: torchvision's vit_b_32, 4.41 GMAC, 88.22 M parameters with 1000 classes", vit_b32_224},
	{"vit_b32_384", "ViT-B/32, 384x384", VIT "google/vit-base-patch32-384; count: timm, 13.06 GMAC, 88.30 M parameters", vit_b32_384},
	{"deit_tiny_224", "DeiT-Ti distilled, 224x224",
	 DEIT "facebook/deit-tiny-distilled-patch16-224; count: timm, 1.27 GMAC, 5.91 M parameters with a second classifier", deit_tiny_224},
	{"deit_small_224", "DeiT-S distilled, 224x224",
	 DEIT "facebook/deit-small-distilled-patch16-224; count: timm, 4.63 GMAC, 22.44 M parameters with a second classifier", deit_small_224},
	{"deit_base_224", "DeiT-B distilled, 224x224",
	 DEIT "facebook/deit-base-distilled-patch16-224; count: timm, 17.68 GMAC, 87.34 M parameters with a second classifier", deit_base_224},
	{"deit_base_384", "DeiT-B distilled, 384x384",
	 DEIT "facebook/deit-base-distilled-patch16-384; count: timm, 55.65 GMAC, 87.63 M parameters with a second classifier", deit_base_384},
	{0}
};
