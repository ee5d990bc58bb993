/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Networks that concatenate what former layers computed, as tf2cv
 * (imgclsmob) builds them: HarDNet, PeleeNet, VoVNet, SelecSLS.
 */
#include "zoo_tf2cv.h"

#include <assert.h>

enum { N_STAGES = 4 };

/* ---- HarDNet ---- */

enum { HARDNET_MAX = 6, LAYERS_MAX = 16, LINKS_MAX = 5 };

struct hardnet_stage {
	int n_layers, growth, channels;
	bool down; /* its result is halved */
};

/* wider: a layer's width is multiplied by it for each link but the first. separable: layers are a 1x1 and a depthwise convolution,
 * else a 3x3 one. */
struct hardnet {
	int stem_channels;
	double wider;
	bool separable;
	int n_stages;
	struct hardnet_stage stage[HARDNET_MAX];
};

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

/* Widths are even. */
static int width(int growth, int n_links, double wider)
{
	double channels = growth;

	for (int i = 1; i < n_links; i++)
		channels *= wider;
	return (int)(channels + 1) / 2 * 2;
}

static int join(struct zoo *z, const char *name, int n, const int *x)
{
	return n == 1 ? x[0] : zoo_concat(z, name, n, x);
}

/* out[0] is what the stage reads, out[i] what layer i computes. */
static void hardnet_layer(struct zoo *z, const struct hardnet *net, int stage, int i, int *out)
{
	int link[LINKS_MAX], in[LINKS_MAX], n = links(i, link), x, channels = width(net->stage[stage].growth, n, net->wider);

	zoo_scope(z, "stage%d_layer%d", stage + 1, i);
	for (int k = 0; k < n; k++)
		in[k] = out[link[k]];
	x = join(z, "concat", n, in);
	if (!net->separable) {
		out[i] = zoo_conv_act(z, "conv", x, channels, zoo_square(3, 1, ZOO_SAME), ZOO_RELU);
		return;
	}
	x = zoo_conv_act(z, "conv", x, channels, zoo_pointwise(), ZOO_RELU6);
	out[i] = zoo_tf2cv_depthwise(z, "depthwise", x, 3, 1, ZOO_LINEAR);
}

/* Every second layer, and the last, is joined to what the stage hands on. */
static int hardnet_stage(struct zoo *z, const struct hardnet *net, int stage, int x)
{
	const struct hardnet_stage *s = &net->stage[stage];
	int out[LAYERS_MAX + 1] = {x}, kept[LAYERS_MAX], n = 0;

	for (int i = 1; i <= s->n_layers; i++) {
		hardnet_layer(z, net, stage, i, out);
		if (i % 2 == 1 || i == s->n_layers)
			kept[n++] = out[i];
	}
	zoo_scope(z, "stage%d", stage + 1);
	x = zoo_conv_act(z, "join", zoo_concat(z, "concat", n, kept), s->channels, zoo_pointwise(), ZOO_RELU6);
	if (!s->down)
		return x;
	return net->separable ? zoo_tf2cv_depthwise(z, "down", x, 3, 2, ZOO_LINEAR) : zoo_max_pool(z, "down", x, zoo_square(2, 2, ZOO_VALID));
}

static int hardnet_stem(struct zoo *z, const struct hardnet *net)
{
	int x = zoo_tf2cv_stem(z, net->stem_channels / 2, ZOO_RELU6);

	x = zoo_conv_act(z, "stem2", x, net->stem_channels, zoo_square(net->separable ? 1 : 3, 1, ZOO_SAME), ZOO_RELU6);
	if (net->separable)
		return zoo_tf2cv_depthwise(z, "stem_down", x, 3, 2, ZOO_LINEAR);
	return zoo_max_pool(z, "stem_down", x, zoo_square(3, 2, ZOO_SAME));
}

/* Blocks: the stem, every stage, the classifier. */
static void hardnet(struct zoo *z, const struct hardnet *net)
{
	int x = hardnet_stem(z, net);

	for (int i = 0; i < net->n_stages; i++) {
		zoo_block(z);
		x = hardnet_stage(z, net, i, x);
	}
	zoo_block(z);
	zoo_tf2cv_mean_fc(z, x);
}

#define HARDNET(name, ...) \
	static void name(struct zoo *z) { hardnet(z, &(const struct hardnet)__VA_ARGS__); }
#define STAGES_39 4, {{4, 16, 96, true}, {16, 20, 320, true}, {8, 64, 640, true}, {4, 160, 1024, false}}
#define STAGES_68 5, {{8, 14, 128, true}, {16, 16, 256, false}, {16, 20, 320, true}, {16, 40, 640, true}, {4, 160, 1024, false}}
#define STAGES_85 6, {{8, 24, 192, true}, {16, 24, 256, false}, {16, 28, 320, true}, {16, 36, 480, false}, {16, 48, 720, true}, \
	{4, 256, 1280, false}}

HARDNET(hardnet39ds, {48, 1.6, true, STAGES_39})
HARDNET(hardnet68ds, {64, 1.7, true, STAGES_68})
HARDNET(hardnet68, {64, 1.7, false, STAGES_68})
HARDNET(hardnet85, {96, 1.7, false, STAGES_85})

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

/* n_units: of each stage. All but the first of a stage add what they read. The slim one is half as wide. */
static void vovnet(struct zoo *z, const int n_units[N_STAGES], int slim)
{
	int x = zoo_tf2cv_stem(z, 64, ZOO_RELU), index = 0;

	x = zoo_conv_act(z, "stem2", x, 64, zoo_square(3, 1, ZOO_SAME), ZOO_RELU);
	x = zoo_conv_act(z, "stem3", x, 128, zoo_square(3, 2, ZOO_SAME), ZOO_RELU);
	for (int stage = 0; stage < N_STAGES; stage++)
		for (int i = 0; i < n_units[stage]; i++) {
			int y;

			zoo_tf2cv_unit(z, index++);
			if (stage > 0 && i == 0)
				x = zoo_max_pool(z, "pool", zoo_tf2cv_pad(z, "pool", x, 1), zoo_square(3, 2, ZOO_VALID));
			y = aggregation(z, x, (128 + 32 * stage) / slim, 256 * (stage + 1) / slim);
			x = i > 0 ? zoo_binary(z, "Add", "add", y, x) : y;
		}
	zoo_block(z);
	zoo_tf2cv_mean_fc(z, x);
}

static void vovnet27_slim(struct zoo *z) { vovnet(z, (const int[]){1, 1, 1, 1}, 2); }
static void vovnet39(struct zoo *z) { vovnet(z, (const int[]){1, 1, 2, 2}, 1); }
static void vovnet57(struct zoo *z) { vovnet(z, (const int[]){1, 1, 4, 3}, 1); }

/* ---- SelecSLS ---- */

enum { SELECSLS_STAGES = 3, HEAD_CONVS = 4 };

/* The units of a stage are of the same width but the last, whose result has out channels. */
struct selecsls {
	struct { int n, mid, out; } stage[SELECSLS_STAGES];
	int head[HEAD_CONVS];
};

/* Three branches, each of which reads the one before; units of stride 1 join what the stage's first one handed on, too. */
static int selecsls_unit(struct zoo *z, int x, int first, int mid, int out)
{
	int b[4] = {0}, n = 3;

	b[0] = zoo_conv_act(z, "branch1", x, mid, zoo_square(3, first < 0 ? 2 : 1, ZOO_SAME), ZOO_RELU);
	b[1] = zoo_conv_act(z, "branch2_conv1", b[0], mid, zoo_pointwise(), ZOO_RELU);
	b[1] = zoo_conv_act(z, "branch2_conv2", b[1], mid / 2, zoo_square(3, 1, ZOO_SAME), ZOO_RELU);
	b[2] = zoo_conv_act(z, "branch3_conv1", b[1], mid, zoo_pointwise(), ZOO_RELU);
	b[2] = zoo_conv_act(z, "branch3_conv2", b[2], mid / 2, zoo_square(3, 1, ZOO_SAME), ZOO_RELU);
	if (first >= 0)
		b[n++] = first;
	return zoo_conv_act(z, "join", zoo_concat(z, "concat", n, b), out, zoo_pointwise(), ZOO_RELU);
}

static void selecsls(struct zoo *z, const struct selecsls *net)
{
	int x = zoo_tf2cv_stem(z, 32, ZOO_RELU), index = 0;

	for (int stage = 0; stage < SELECSLS_STAGES; stage++) {
		int n = net->stage[stage].n, mid = net->stage[stage].mid, first = -1;

		for (int i = 0; i < n; i++) {
			zoo_tf2cv_unit(z, index++);
			x = selecsls_unit(z, x, first, mid, i < n - 1 ? mid : net->stage[stage].out);
			if (i == 0)
				first = x;
		}
	}
	zoo_block(z);
	for (int i = 0; i < HEAD_CONVS; i++) {
		char name[16];

		snprintf(name, sizeof name, "head%d", i + 1);
		x = zoo_conv_act(z, name, x, net->head[i], zoo_square(i < HEAD_CONVS - 1 ? 3 : 1, i % 2 == 0 ? 2 : 1, ZOO_SAME), ZOO_RELU);
	}
	zoo_tf2cv_mean_fc(z, x);
}

#define SELECSLS_OF(name, ...) \
	static void name(struct zoo *z) { selecsls(z, &(const struct selecsls)__VA_ARGS__); }
#define STAGES_42 {{2, 64, 128}, {2, 144, 288}, {2, 304, 480}}
#define STAGES_60 {{2, 64, 128}, {3, 128, 288}, {4, 288, 416}}

SELECSLS_OF(selecsls42, {STAGES_42, {960, 1024, 1024, 1280}})
SELECSLS_OF(selecsls42b, {STAGES_42, {960, 1024, 1280, 1024}})
SELECSLS_OF(selecsls60, {STAGES_60, {756, 1024, 1024, 1280}})
SELECSLS_OF(selecsls60b, {STAGES_60, {756, 1024, 1280, 1024}})

#define HARDNET_PAPER "Chao et al., HarDNet: A Low Memory Traffic Network, ICCV 2019"
#define VOVNET_PAPER "Lee et al., An Energy and GPU-Computation Efficient Backbone Network for Real-Time Object Detection, CVPRW 2019"
#define SELECSLS_PAPER \
	"Mehta et al., XNect: Real-time Multi-Person 3D Motion Capture with a Single RGB Camera, SIGGRAPH 2020" ZOO_TF2CV_READ

const struct zoo_network zoo_hardnet_networks[] = {
	{"hardnet39ds", "HarDNet-39DS, depthwise separable, 224x224", HARDNET_PAPER ZOO_TF2CV "0.429 GMAC, 3.49 M parameters", hardnet39ds},
	{"hardnet68ds", "HarDNet-68DS, depthwise separable, 224x224", HARDNET_PAPER ZOO_TF2CV_READ "0.775 GMAC, 4.18 M parameters", hardnet68ds},
	{"hardnet68", "HarDNet-68, 224x224", HARDNET_PAPER ZOO_TF2CV_READ "4.246 GMAC, 17.57 M parameters", hardnet68},
	{"hardnet85", "HarDNet-85, 224x224", HARDNET_PAPER ZOO_TF2CV_READ "9.074 GMAC, 36.67 M parameters", hardnet85},
	{"peleenet", "PeleeNet, 224x224",
	 "Wang et al., Pelee: A Real-Time Object Detection System on Mobile Devices, NeurIPS 2018" ZOO_TF2CV "0.508 GMAC, 2.80 M parameters", peleenet},
	{"vovnet27_slim", "VoVNet-27-slim, 224x224", VOVNET_PAPER ZOO_TF2CV "2.177 GMAC, 3.52 M parameters", vovnet27_slim},
	{"vovnet39", "VoVNet-39, 224x224", VOVNET_PAPER ZOO_TF2CV_READ "7.072 GMAC, 22.60 M parameters", vovnet39},
	{"vovnet57", "VoVNet-57, 224x224", VOVNET_PAPER ZOO_TF2CV_READ "8.930 GMAC, 36.64 M parameters", vovnet57},
	{"selecsls42", "SelecSLS-42, 224x224", SELECSLS_PAPER "2.934 GMAC, 30.35 M parameters", selecsls42},
	{"selecsls42b", "SelecSLS-42B, 224x224", SELECSLS_PAPER "2.972 GMAC, 32.46 M parameters", selecsls42b},
	{"selecsls60", "SelecSLS-60, 224x224", SELECSLS_PAPER "3.581 GMAC, 30.67 M parameters", selecsls60},
	{"selecsls60b", "SelecSLS-60B, 224x224", SELECSLS_PAPER "3.618 GMAC, 32.77 M parameters", selecsls60b},
	{0}
};
