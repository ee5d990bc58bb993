/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * EfficientNet, scaled from the stages of B0: Lite0 to Lite4 (ReLU6, no
 * squeeze-and-excitation), B0 to B5 (swish and squeeze-and-excitation).
 */
#include "zoo_blocks.h"

enum { EFFICIENTNET_STAGES = 7 };

struct efficientnet {
	int size, stem, head;
	int n_units[EFFICIENTNET_STAGES];
	struct zoo_mb_style style;
	bool local_pooling; /* as Google's Lite models: the mean is a pooling whose window is the whole image */
};

/* Blocks: the stem, every inverted residual unit, the head. */
static void efficientnet(struct zoo *z, const struct efficientnet *net)
{
	struct zoo_mb_stage stages[EFFICIENTNET_STAGES] = {
		{1, 16, 1, 1, 3}, {6, 24, 2, 2, 3}, {6, 40, 2, 2, 5}, {6, 80, 3, 2, 3},
		{6, 112, 3, 1, 5}, {6, 192, 4, 2, 5}, {6, 320, 1, 1, 3}
	};
	int x = zoo_input(z, "image", net->size, net->size, 3);

	for (int i = 0; i < EFFICIENTNET_STAGES; i++)
		stages[i].n_units = net->n_units[i];
	zoo_block(z);
	x = zoo_conv_act(z, "stem", x, net->stem, zoo_square(3, 2, ZOO_SAME), net->style.act);
	x = zoo_mb_stages(z, x, stages, EFFICIENTNET_STAGES, 1, net->style);
	zoo_block(z);
	x = zoo_conv_act(z, "head", x, net->head, zoo_pointwise(), net->style.act);
	if (net->local_pooling)
		x = zoo_avg_pool(z, "pool", x, zoo_square(zoo_height(z, x), 1, ZOO_VALID));
	else
		x = zoo_mean(z, "mean", x);
	zoo_output(z, zoo_fc_softmax(z, x, 1000));
}

static void efficientnet_b0(struct zoo *z)
{
	efficientnet(z, &(struct efficientnet){224, 32, 1280, {1, 2, 2, 3, 3, 4, 1}, {ZOO_SWISH, 100, true, ZOO_SAME}, false});
}

static void efficientnet_lite0(struct zoo *z)
{
	efficientnet(z, &(struct efficientnet){224, 32, 1280, {1, 2, 2, 3, 3, 4, 1}, {ZOO_RELU6, 100, false, ZOO_SAME}, true});
}

/* Depth 1.1 rounded up, as Lite4. */
static void efficientnet_lite1(struct zoo *z)
{
	efficientnet(z, &(struct efficientnet){240, 32, 1280, {1, 3, 3, 4, 4, 5, 1}, {ZOO_RELU6, 100, false, ZOO_SAME}, true});
}

/* Width 1.1, depth 1.2 rounded up, as Lite4. */
static void efficientnet_lite2(struct zoo *z)
{
	efficientnet(z, &(struct efficientnet){260, 32, 1280, {1, 3, 3, 4, 4, 5, 1}, {ZOO_RELU6, 110, false, ZOO_SAME}, true});
}

/* Width 1.2, depth 1.4 rounded up, as Lite4. */
static void efficientnet_lite3(struct zoo *z)
{
	efficientnet(z, &(struct efficientnet){280, 32, 1280, {1, 3, 3, 5, 5, 6, 1}, {ZOO_RELU6, 120, false, ZOO_SAME}, true});
}

/* Width 1.4, depth 1.8 rounded up; stem, head and the depth of the first and
 * the last stage are not scaled in the Lite models. */
static void efficientnet_lite4(struct zoo *z)
{
	efficientnet(z, &(struct efficientnet){300, 32, 1280, {1, 4, 4, 6, 6, 8, 1}, {ZOO_RELU6, 140, false, ZOO_SAME}, true});
}

/* Depth 1.1 rounded up, from here on that of the first and the last stage, too. */
static void efficientnet_b1(struct zoo *z)
{
	efficientnet(z, &(struct efficientnet){240, 32, 1280, {2, 3, 3, 4, 4, 5, 2}, {ZOO_SWISH, 100, true, ZOO_SAME}, false});
}

/* Width 1.1, depth 1.2 rounded up. */
static void efficientnet_b2(struct zoo *z)
{
	efficientnet(z, &(struct efficientnet){260, 32, 1408, {2, 3, 3, 4, 4, 5, 2}, {ZOO_SWISH, 110, true, ZOO_SAME}, false});
}

/* Width 1.2, depth 1.4 rounded up. */
static void efficientnet_b3(struct zoo *z)
{
	efficientnet(z, &(struct efficientnet){300, 40, 1536, {2, 3, 3, 5, 5, 6, 2}, {ZOO_SWISH, 120, true, ZOO_SAME}, false});
}

/* Width 1.4, depth 1.8 rounded up. */
static void efficientnet_b4(struct zoo *z)
{
	efficientnet(z, &(struct efficientnet){380, 48, 1792, {2, 4, 4, 6, 6, 8, 2}, {ZOO_SWISH, 140, true, ZOO_SAME}, false});
}

/* Width 1.6, depth 2.2 rounded up. */
static void efficientnet_b5(struct zoo *z)
{
	efficientnet(z, &(struct efficientnet){456, 48, 2048, {3, 5, 5, 7, 7, 9, 3}, {ZOO_SWISH, 160, true, ZOO_SAME}, false});
}

/* As NN-Stretch ran them (MobiSys 2023, Sec. 7.2): 224x224, and of B5 no
 * squeeze-and-excitation; on the CPU with ReLU6 instead of swish. */
static void efficientnet_lite4_224(struct zoo *z)
{
	efficientnet(z, &(struct efficientnet){224, 32, 1280, {1, 4, 4, 6, 6, 8, 1}, {ZOO_RELU6, 140, false, ZOO_SAME}, false});
}

static void efficientnet_b5_224(struct zoo *z)
{
	efficientnet(z, &(struct efficientnet){224, 48, 2048, {3, 5, 5, 7, 7, 9, 3}, {ZOO_SWISH, 160, false, ZOO_SAME}, false});
}

static void efficientnet_b5_relu6_224(struct zoo *z)
{
	efficientnet(z, &(struct efficientnet){224, 48, 2048, {3, 5, 5, 7, 7, 9, 3}, {ZOO_RELU6, 160, false, ZOO_SAME}, false});
}

#define EFFICIENTNET "Tan and Le, EfficientNet: Rethinking Model Scaling for Convolutional Neural Networks, ICML 2019"

const struct zoo_network zoo_efficientnet_networks[] = {
	{"efficientnet_lite0", "EfficientNet-Lite0, 224x224",
	 EFFICIENTNET ", and the authors' Lite models; count: 0.385 GMAC, 4.63 M parameters (analytic recount; the "
	 "authors' table says 0.407 G, 4.7 M)", efficientnet_lite0},
	{"efficientnet_lite1", "EfficientNet-Lite1, 240x240",
	 EFFICIENTNET ", and the authors' Lite models; count: 0.600 GMAC, 5.39 M parameters (analytic recount; the "
	 "authors' table says 0.631 G, 5.4 M)", efficientnet_lite1},
	{"efficientnet_lite2", "EfficientNet-Lite2, 260x260",
	 EFFICIENTNET ", and the authors' Lite models; count: 0.860 GMAC, 6.06 M parameters (analytic recount; the "
	 "authors' table says 0.899 G, 6.1 M)", efficientnet_lite2},
	{"efficientnet_lite3", "EfficientNet-Lite3, 280x280",
	 EFFICIENTNET ", and the authors' Lite models; count: 1.383 GMAC, 8.16 M parameters (analytic recount; the "
	 "authors' table says 1.44 G, 8.2 M)", efficientnet_lite3},
	{"efficientnet_lite4", "EfficientNet-Lite4, 300x300",
	 EFFICIENTNET ", and the authors' Lite models; count: 2.553 GMAC, 12.95 M parameters (analytic recount; the "
	 "authors' table says 2.64 G, 13.0 M)", efficientnet_lite4},
	{"efficientnet_b0", "EfficientNet-B0, 224x224",
	 EFFICIENTNET "; count: 0.386 GMAC, 5.289 M parameters (torchvision; here without scales of normalisations, 5.268)", efficientnet_b0},
	{"efficientnet_b1", "EfficientNet-B1, 240x240",
	 EFFICIENTNET "; count: 0.687 GMAC, 7.79 M parameters (paper: 0.70 G, 7.8 M; parameters as tf2cv's, without scales of "
	 "normalisations)", efficientnet_b1},
	{"efficientnet_b2", "EfficientNet-B2, 260x260",
	 EFFICIENTNET "; count: 0.994 GMAC, 9.11 M parameters (paper: 1.0 G, 9.2 M; parameters as B1)", efficientnet_b2},
	{"efficientnet_b3", "EfficientNet-B3, 300x300",
	 EFFICIENTNET "; count: 1.827 GMAC, 12.23 M parameters (paper: 1.8 G, 12 M; parameters as B1)", efficientnet_b3},
	{"efficientnet_b4", "EfficientNet-B4, 380x380",
	 EFFICIENTNET "; count: 4.394 GMAC, 19.34 M parameters (paper: 4.2 G, 19 M; parameters as B1)", efficientnet_b4},
	{"efficientnet_b5", "EfficientNet-B5, 456x456",
	 EFFICIENTNET "; count: 10.266 GMAC, 30.39 M parameters (torchvision)", efficientnet_b5},
	{"efficientnet_lite4_224", "EfficientNet-Lite4, 224x224",
	 EFFICIENTNET "; as NN-Stretch runs it (MobiSys 2023, Sec. 7.2): count 1.348 GMAC, 12.95 M parameters (its release, "
	 "EN-L4-C.yaml)", efficientnet_lite4_224},
	{"efficientnet_b5_224", "EfficientNet-B5 without squeeze-and-excitation, 224x224",
	 EFFICIENTNET "; as NN-Stretch runs it on GPU and DSP (MobiSys 2023, Sec. 7.2): count 2.349 GMAC, 25.1 M parameters "
	 "(its release, EN-B5-D.yaml)", efficientnet_b5_224},
	{"efficientnet_b5_relu6_224", "EfficientNet-B5 without squeeze-and-excitation, ReLU6, 224x224",
	 EFFICIENTNET "; as NN-Stretch runs it on the CPU (MobiSys 2023, Sec. 7.2): count 2.349 GMAC, 25.1 M parameters (its "
	 "release, EN-B5-C.yaml)", efficientnet_b5_relu6_224},
	{0}
};
