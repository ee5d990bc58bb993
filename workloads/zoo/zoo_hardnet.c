/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Small networks that concatenate what former layers computed, as tf2cv
 * (imgclsmob) builds them: HarDNet-39DS, PeleeNet, VoVNet-27-slim.
 */
#include "zoo_tf2cv.h"

#include <assert.h>

enum { N_STAGES = 4 };

/* ---- HarDNet ---- */

enum { LAYERS_MAX = 16, LINKS_MAX = 5 };

/* Layer i reads layer i - 2^k for each 2^k that divides i; layer 0 is the stage's input. Returns how many. */
static int links(int i, int link[LINKS_MAX])
{
	int n = 0;

	for (int step = 1; i % step == 0 && step <= i; step *= 2) {
		assert(n < LINKS_MAX);
		link[n++] = i - step;
	}
	return n;
}

/* A layer is 1.6 times as wide for each link but the first, and even. */
static int width(int growth, int n_links)
{
	double channels = growth;

	for (int i = 1; i < n_links; i++)
		channels *= 1.6;
	return (int)(channels + 1) / 2 * 2;
}

static int join(struct zoo *z, const char *name, int n, const int *x)
{
	return n == 1 ? x[0] : zoo_concat(z, name, n, x);
}

/* out[0] is what the stage reads, out[i] what layer i computes: a 1x1 convolution, a depthwise one. */
static void hardnet_layer(struct zoo *z, int stage, int i, int growth, int *out)
{
	int link[LINKS_MAX], in[LINKS_MAX], n = links(i, link), x;

	zoo_scope(z, "stage%d_layer%d", stage + 1, i);
	for (int k = 0; k < n; k++)
		in[k] = out[link[k]];
	x = zoo_conv_act(z, "conv", join(z, "concat", n, in), width(growth, n), zoo_pointwise(), ZOO_RELU6);
	out[i] = zoo_tf2cv_depthwise(z, "depthwise", x, 3, 1, ZOO_LINEAR);
}

/* Every second layer, and the last, is joined to what the stage hands on. */
static int hardnet_stage(struct zoo *z, int stage, int x, int n_layers, int growth, int channels)
{
	int out[LAYERS_MAX + 1] = {x}, kept[LAYERS_MAX], n = 0;

	for (int i = 1; i <= n_layers; i++) {
		hardnet_layer(z, stage, i, growth, out);
		if (i % 2 == 1 || i == n_layers)
			kept[n++] = out[i];
	}
	zoo_scope(z, "stage%d", stage + 1);
	return zoo_conv_act(z, "join", zoo_concat(z, "concat", n, kept), channels, zoo_pointwise(), ZOO_RELU6);
}

/* Blocks: the stem, every stage, the classifier. */
static void hardnet39ds(struct zoo *z)
{
	static const int n_layers[N_STAGES] = {4, 16, 8, 4}, growth[N_STAGES] = {16, 20, 64, 160};
	static const int channels[N_STAGES] = {96, 320, 640, 1024};
	int x = zoo_tf2cv_stem(z, 24, ZOO_RELU6);

	x = zoo_conv_act(z, "stem2", x, 48, zoo_pointwise(), ZOO_RELU6);
	x = zoo_tf2cv_depthwise(z, "stem_down", x, 3, 2, ZOO_LINEAR);
	for (int i = 0; i < N_STAGES; i++) {
		zoo_block(z);
		x = hardnet_stage(z, i, x, n_layers[i], growth[i], channels[i]);
		if (i < N_STAGES - 1)
			x = zoo_tf2cv_depthwise(z, "down", x, 3, 2, ZOO_LINEAR);
	}
	zoo_block(z);
	zoo_tf2cv_mean_fc(z, x);
}

/* ---- PeleeNet ---- */

static int pelee_stem(struct zoo *z)
{
	int x = zoo_tf2cv_stem(z, 32, ZOO_RELU), b[2];

	b[0] = zoo_conv_act(z, "stem_branch1_conv1", x, 16, zoo_pointwise(), ZOO_RELU);
	b[0] = zoo_conv_act(z, "stem_branch1_conv2", b[0], 32, zoo_square(3, 2, ZOO_SAME), ZOO_RELU);
	b[1] = zoo_max_pool(z, "stem_branch2", x, zoo_square(2, 2, ZOO_VALID));
	return zoo_conv_act(z, "stem_join", zoo_concat(z, "stem_concat", 2, b), 32, zoo_pointwise(), ZOO_RELU);
}

/* Adds 32 channels, of which either half is computed: by a 3x3 convolution, and by two. */
static int pelee_unit(struct zoo *z, int x, int mid)
{
	const struct zoo_window w = zoo_square(3, 1, ZOO_SAME);
	int b[3] = {x};

	b[1] = zoo_conv_act(z, "branch1_conv1", x, mid, zoo_pointwise(), ZOO_RELU);
	b[1] = zoo_conv_act(z, "branch1_conv2", b[1], 16, w, ZOO_RELU);
	b[2] = zoo_conv_act(z, "branch2_conv1", x, mid, zoo_pointwise(), ZOO_RELU);
	b[2] = zoo_conv_act(z, "branch2_conv2", b[2], 16, w, ZOO_RELU);
	b[2] = zoo_conv_act(z, "branch2_conv3", b[2], 16, w, ZOO_RELU);
	return zoo_concat(z, "concat", 3, b);
}

/* tf2cv pools by 2x2 with stride 1 and then takes every second row and column, by a pooling of 1x1. */
static int pelee_transition(struct zoo *z, int x)
{
	x = zoo_conv_act(z, "transition", x, zoo_channels(z, x), zoo_pointwise(), ZOO_RELU);
	x = zoo_avg_pool(z, "transition_pool", x, zoo_square(2, 1, ZOO_VALID));
	return zoo_avg_pool(z, "transition_down", x, zoo_square(1, 2, ZOO_VALID));
}

static void peleenet(struct zoo *z)
{
	static const int n_units[N_STAGES] = {3, 4, 8, 6}, mid[N_STAGES] = {16, 32, 64, 64};
	int x = pelee_stem(z), index = 0;

	for (int stage = 0; stage < N_STAGES; stage++)
		for (int i = 0; i < n_units[stage]; i++) {
			zoo_tf2cv_unit(z, index++);
			if (stage > 0 && i == 0)
				x = pelee_transition(z, x);
			x = pelee_unit(z, x, mid[stage]);
		}
	zoo_block(z);
	zoo_tf2cv_mean_fc(z, zoo_conv_act(z, "head", x, zoo_channels(z, x), zoo_pointwise(), ZOO_RELU));
}

/* ---- VoVNet ---- */

/* One-shot aggregation: five convolutions in a row, all of whose results are joined with the input. */
static int aggregation(struct zoo *z, int x, int mid, int out)
{
	int part[6] = {x};
	char name[16];

	for (int i = 1; i <= 5; i++) {
		snprintf(name, sizeof name, "conv%d", i);
		part[i] = zoo_conv_act(z, name, part[i - 1], mid, zoo_square(3, 1, ZOO_SAME), ZOO_RELU);
	}
	return zoo_conv_act(z, "join", zoo_concat(z, "concat", 6, part), out, zoo_pointwise(), ZOO_RELU);
}

static void vovnet27_slim(struct zoo *z)
{
	int x = zoo_tf2cv_stem(z, 64, ZOO_RELU);

	x = zoo_conv_act(z, "stem2", x, 64, zoo_square(3, 1, ZOO_SAME), ZOO_RELU);
	x = zoo_conv_act(z, "stem3", x, 128, zoo_square(3, 2, ZOO_SAME), ZOO_RELU);
	for (int i = 0; i < 4; i++) {
		zoo_tf2cv_unit(z, i);
		if (i > 0)
			x = zoo_max_pool(z, "pool", zoo_tf2cv_pad(z, "pool", x, 1), zoo_square(3, 2, ZOO_VALID));
		x = aggregation(z, x, 64 + 16 * i, 128 * (i + 1));
	}
	zoo_block(z);
	zoo_tf2cv_mean_fc(z, x);
}

const struct zoo_network zoo_hardnet_networks[] = {
	{"hardnet39ds", "HarDNet-39DS, depthwise separable, 224x224",
	 "Chao et al., HarDNet: A Low Memory Traffic Network, ICCV 2019" ZOO_TF2CV "0.429 GMAC, 3.49 M parameters", hardnet39ds},
	{"peleenet", "PeleeNet, 224x224",
	 "Wang et al., Pelee: A Real-Time Object Detection System on Mobile Devices, NeurIPS 2018" ZOO_TF2CV "0.508 GMAC, 2.80 M parameters", peleenet},
	{"vovnet27_slim", "VoVNet-27-slim, 224x224",
	 "Lee et al., An Energy and GPU-Computation Efficient Backbone Network for Real-Time Object Detection, CVPRW 2019" ZOO_TF2CV
	 "2.177 GMAC, 3.52 M parameters", vovnet27_slim},
	{0}
};
