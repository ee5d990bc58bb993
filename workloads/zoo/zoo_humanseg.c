/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * PP-HumanSeg of PaddleSeg: tells people from what is behind them. Both end in probabilities, as its documents export them. Sizes
 * are written width by height there, and so are names here.
 */
#include "zoo_mobileseg.h"

enum { CLASSES = 2 };

/* ---- V1 ---- */

static int separable(struct zoo *z, const char *name, int x, int channels, int stride)
{
	return zoo_separable(z, name, x, channels, stride, ZOO_RELU);
}

/* As ShuffleNet V2's, with another activation and, in what is worked on, the widths. */
static int unit(struct zoo *z, int x, int channels, int stride)
{
	int b[2];

	if (stride == 1) {
		zoo_split(z, "split", x, 2, b);
	} else {
		b[0] = separable(z, "shortcut", x, channels / 2, stride);
		b[1] = x;
	}
	b[1] = zoo_conv_act(z, "conv", b[1], channels / 2, zoo_pointwise(), ZOO_RELU);
	b[1] = separable(z, "out", b[1], channels / 2, stride);
	return zoo_channel_shuffle(z, zoo_concat(z, "concat", 2, b), 2);
}

/* Blocks: the stem, 12 units, the decoder. */
static void v1_lite(struct zoo *z, int height, int width)
{
	static const int n_units[] = {4, 8};
	int x = zoo_input(z, "image", height, width, 3), b[2];

	zoo_block(z);
	x = zoo_conv_act(z, "stem", x, 36, zoo_square(3, 2, ZOO_CENTRED), ZOO_RELU);
	b[0] = zoo_conv_act(z, "shortcut", x, 18, zoo_pointwise(), ZOO_RELU);
	x = zoo_max_pool(z, "pool", x, zoo_square(3, 2, ZOO_CENTRED));
	for (int stage = 0; stage < 2; stage++)
		for (int i = 0; i < n_units[stage]; i++) {
			zoo_block(z);
			zoo_scope(z, "stage%d_unit%d", stage + 1, i + 1);
			x = unit(z, x, 72 << stage, i == 0 ? 2 : 1);
		}
	zoo_block(z);
	zoo_scope(z, "head");
	x = separable(z, "small", x, 64, 1);
	b[1] = zoo_resize_bilinear_to(z, "enlarge", x, zoo_height(z, b[0]), zoo_width(z, b[0]));
	x = separable(z, "large", zoo_concat(z, "concat", 2, b), 64, 1);
	x = zoo_resize_bilinear_to(z, "resize", separable(z, "scores", x, CLASSES, 1), height, width);
	zoo_output(z, zoo_unary(z, "Softmax", "softmax", x));
}

/* ---- V2: MobileSeg over MobileNet V3 Large ---- */

static void v2_lite(struct zoo *z, int height, int width, const struct zoo_mobileseg *m)
{
	int level[ZOO_PADDLE_LEVELS];

	zoo_paddle_v3_levels(z, height, width, 100, m->n, level);
	zoo_output(z, zoo_unary(z, "Softmax", "softmax", zoo_mobileseg(z, m, height, width, level)));
}

/* Portraits do without the smallest maps. */
static const struct zoo_mobileseg portrait = {3, {32, 64, 128}, 16, CLASSES, true};
static const struct zoo_mobileseg human = {4, {32, 64, 96, 128}, 16, CLASSES, true};

static void v1_lite_398x224(struct zoo *z) { v1_lite(z, 224, 398); }
static void v2_lite_398x224(struct zoo *z) { v2_lite(z, 224, 398, &portrait); }
static void v2_lite_256x144(struct zoo *z) { v2_lite(z, 144, 256, &portrait); }
static void v2_lite_224(struct zoo *z) { v2_lite(z, 224, 224, &portrait); }
static void v2_lite_192(struct zoo *z) { v2_lite(z, 192, 192, &human); }

#define V1 "Chu et al., PP-HumanSeg: Connectivity-Aware Portrait Segmentation with a Large-Scale Teleconferencing Video Dataset, WACV workshops 2022, " \
	"as in PaddlePaddle/PaddleSeg (paddleseg/models/pphumanseg_lite.py, contrib/PP-HumanSeg); count: "
#define V2 "PaddlePaddle/PaddleSeg, contrib/PP-HumanSeg (paddleseg/models/mobileseg.py); count: "
#define PORTRAIT ", 0.913 M parameters (analytic; its table has 5.4 MB with the file's description, which has 1.8 of the 2.3 MB of V1)"

const struct zoo_network zoo_humanseg_networks[] = {
	{"pp_humanseg_v1_lite_398x224", "PP-HumanSegV1-Lite for portraits, 398 wide, 224 high",
	 V1 "its table of 2021, 266 M and 137 K parameters, without normalisations, of two for each number and three for each channel, 0.251 GMAC and 0.129 M",
	 v1_lite_398x224},
	{"pp_humanseg_v2_lite_398x224", "PP-HumanSegV2-Lite for portraits, 398 wide, 224 high", V2 "0.372 GMAC" PORTRAIT, v2_lite_398x224},
	{"pp_humanseg_v2_lite_256x144", "PP-HumanSegV2-Lite for portraits, 256 wide, 144 high", V2 "0.154 GMAC" PORTRAIT, v2_lite_256x144},
	{"pp_humanseg_v2_lite_224", "PP-HumanSegV2-Lite for portraits, 224x224", V2 "0.209 GMAC" PORTRAIT, v2_lite_224},
	{"pp_humanseg_v2_lite_192", "PP-HumanSegV2-Lite for people, 192x192", V2 "0.194 GMAC, 2.987 M parameters (analytic)", v2_lite_192},
	{0}
};
