/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * MobileNetEdgeTPU, MobileNetEdgeTPUv2 and what AutosegEdgeTPU stands on:
 * inverted residual units for the Edge TPU, of which many expand by a 3x3
 * convolution, whole or in groups, instead of a 1x1 and a depthwise one.
 */
#include "zoo_edgetpu.h"

#include "zoo_blocks.h"

#include <assert.h>

enum { STAGES = 7, UNITS_MAX = 4, GROUPS_MAX = 6 };

/* What a unit has before the 1x1 convolution that ends it. */
enum expansion {
	NOTHING,
	DEPTHWISE, /* 1x1 and depthwise convolution, or only this where nothing is expanded */
	FUSED,     /* a 3x3 convolution */
	GROUPED    /* the same in groups */
};

/* `expand` and `stride` are the first unit's; the others have 4 and 1. */
struct stage {
	int expand, channels, n_units, stride, kernel;
	bool no_shortcut; /* around the first unit */
	enum expansion expansion[UNITS_MAX];
};

/* As the authors write it, since not every target has grouped convolution:
 * slices, convolutions, a concatenation. */
static int grouped_conv(struct zoo *z, int x, int channels, struct zoo_window w, int group)
{
	static const char *const names[GROUPS_MAX] = {"fused1", "fused2", "fused3", "fused4", "fused5", "fused6"};
	int part[GROUPS_MAX];

	assert(group >= 2 && group <= GROUPS_MAX && channels % group == 0);
	zoo_split(z, "split", x, group, part);
	for (int g = 0; g < group; g++)
		part[g] = zoo_conv_act(z, names[g], part[g], channels / group, w, ZOO_RELU);
	return zoo_concat(z, "concat", group, part);
}

static int expansion(struct zoo *z, enum expansion how, int x, int channels, struct zoo_window w, int group_channels)
{
	switch (how) {
	case NOTHING: break;
	case DEPTHWISE:
		if (channels != zoo_channels(z, x))
			x = zoo_conv_act(z, "expand", x, channels, zoo_pointwise(), ZOO_RELU);
		return zoo_act(z, ZOO_RELU, zoo_depthwise(z, "depthwise", x, w));
	case FUSED: return zoo_conv_act(z, "fused", x, channels, w, ZOO_RELU);
	case GROUPED: return grouped_conv(z, x, channels, w, channels / group_channels);
	}
	return x;
}

static int unit(struct zoo *z, int x, const struct stage *s, int number, int group_channels)
{
	const int in = zoo_channels(z, x), expand = number > 0 ? 4 : s->expand, stride = number > 0 ? 1 : s->stride;
	const bool shortcut = stride == 1 && in == s->channels && !(number == 0 && s->no_shortcut);
	int y = expansion(z, s->expansion[number], x, in * expand, zoo_square(s->kernel, stride, ZOO_SAME), group_channels);

	y = zoo_conv(z, "project", y, s->channels, zoo_pointwise());
	return shortcut ? zoo_binary(z, "Add", "add", y, x) : y;
}

struct trunk {
	int stem, stem_kernel;
	int group_channels; /* output channels of a group */
	int n;
	const struct stage *stage;
};

/* Blocks: the stem, every unit. Leaves the last maps of strides 4, 8, 16 and 32. */
static void trunk(struct zoo *z, int size, struct trunk t, int level[ZOO_EDGETPU_LEVELS])
{
	int x = zoo_input(z, "image", size, size, 3), n_levels = 0;

	zoo_block(z);
	x = zoo_conv_act(z, "stem", x, t.stem, zoo_square(t.stem_kernel, 2, ZOO_SAME), ZOO_RELU);
	for (int i = 0; i < t.n; i++) {
		for (int j = 0; j < t.stage[i].n_units; j++) {
			zoo_block(z);
			zoo_scope(z, "stage%d_unit%d", i + 1, j + 1);
			x = unit(z, x, &t.stage[i], j, t.group_channels);
		}
		if (i > 0 && (i == t.n - 1 || t.stage[i + 1].stride == 2)) {
			assert(n_levels < ZOO_EDGETPU_LEVELS);
			level[n_levels++] = x;
		}
	}
	assert(n_levels == ZOO_EDGETPU_LEVELS);
}

struct edgetpu {
	int stem, stem_kernel, head, group_channels;
	struct stage stage[STAGES];
};

static void edgetpu_trunk(struct zoo *z, const struct edgetpu *net, int size, int level[ZOO_EDGETPU_LEVELS])
{
	trunk(z, size, (struct trunk){net->stem, net->stem_kernel, net->group_channels, STAGES, net->stage}, level);
}

/* Blocks: the trunk's, the head. */
static void edgetpu(struct zoo *z, const struct edgetpu *net)
{
	int level[ZOO_EDGETPU_LEVELS], x;

	edgetpu_trunk(z, net, 224, level);
	zoo_block(z);
	x = zoo_conv_act(z, "top", level[ZOO_EDGETPU_LEVELS - 1], net->head, zoo_pointwise(), ZOO_RELU);
	zoo_output(z, zoo_conv_softmax(z, zoo_global_pool(z, "top_pool", x), 1001));
}

/* ---- MobileNetEdgeTPU ---- */

/* All widths are scaled, that of the head, too. */
static void edgetpu_v1(struct zoo *z, int width_percent)
{
	struct edgetpu net = {32, 3, 1280, 0, {
		{1, 16, 1, 1, 3, false, {NOTHING}},
		{8, 32, 4, 2, 3, false, {FUSED, FUSED, FUSED, FUSED}},
		{8, 48, 4, 2, 3, false, {FUSED, FUSED, FUSED, FUSED}},
		{8, 96, 4, 2, 3, false, {DEPTHWISE, DEPTHWISE, DEPTHWISE, DEPTHWISE}},
		{8, 96, 4, 1, 3, true, {DEPTHWISE, DEPTHWISE, DEPTHWISE, DEPTHWISE}},
		{8, 160, 4, 2, 5, false, {DEPTHWISE, DEPTHWISE, DEPTHWISE, DEPTHWISE}},
		{8, 192, 1, 1, 3, false, {DEPTHWISE}}
	}};

	net.stem = zoo_round8(net.stem, width_percent);
	net.head = zoo_round8(net.head, width_percent);
	for (int i = 0; i < STAGES; i++)
		net.stage[i].channels = zoo_round8(net.stage[i].channels, width_percent);
	edgetpu(z, &net);
}

static void edgetpu_v1_1_0(struct zoo *z) { edgetpu_v1(z, 100); }
static void edgetpu_v1_1_25(struct zoo *z) { edgetpu_v1(z, 125); }
static void edgetpu_v1_1_5(struct zoo *z) { edgetpu_v1(z, 150); }
static void edgetpu_v1_1_75(struct zoo *z) { edgetpu_v1(z, 175); }

/* ---- MobileNetEdgeTPUv2 ---- */

/* `strided`: how the units with a stride of the third and fourth stage, and
 * the third one of the third stage, expand. */
struct edgetpu_v2 {
	int stem, stem_kernel, head, group_channels;
	enum expansion strided;
	int channels[STAGES];
};

static const struct edgetpu_v2
	v2_tiny = {32, 5, 1280, 64, GROUPED, {16, 32, 48, 80, 112, 160, 192}},
	v2_xs = {32, 5, 1280, 64, FUSED, {16, 32, 48, 96, 144, 160, 192}},
	v2_s = {64, 5, 1280, 64, FUSED, {24, 48, 64, 128, 160, 192, 256}},
	v2_m = {64, 5, 1344, 64, FUSED, {32, 64, 80, 160, 192, 240, 320}},
	v2_l = {64, 7, 1408, 128, FUSED, {32, 64, 96, 192, 240, 256, 384}};

static struct edgetpu edgetpu_v2(const struct edgetpu_v2 *v)
{
	struct edgetpu net = {v->stem, v->stem_kernel, v->head, v->group_channels, {
		{1, 0, 1, 1, 3, false, {NOTHING}},
		{8, 0, 2, 2, 3, false, {FUSED, GROUPED}},
		{8, 0, 4, 2, 3, false, {v->strided, GROUPED, v->strided, GROUPED}},
		{8, 0, 4, 2, 3, false, {v->strided, DEPTHWISE, DEPTHWISE, DEPTHWISE}},
		{8, 0, 4, 1, 3, false, {DEPTHWISE, DEPTHWISE, DEPTHWISE, DEPTHWISE}},
		{8, 0, 4, 2, 3, false, {DEPTHWISE, DEPTHWISE, DEPTHWISE, DEPTHWISE}},
		{8, 0, 1, 1, 3, false, {DEPTHWISE}}
	}};

	for (int i = 0; i < STAGES; i++)
		net.stage[i].channels = v->channels[i];
	return net;
}

static void classifier_v2(struct zoo *z, const struct edgetpu_v2 *v)
{
	const struct edgetpu net = edgetpu_v2(v);

	edgetpu(z, &net);
}

static void edgetpu_v2_tiny(struct zoo *z) { classifier_v2(z, &v2_tiny); }
static void edgetpu_v2_xs(struct zoo *z) { classifier_v2(z, &v2_xs); }
static void edgetpu_v2_s(struct zoo *z) { classifier_v2(z, &v2_s); }
static void edgetpu_v2_m(struct zoo *z) { classifier_v2(z, &v2_m); }
static void edgetpu_v2_l(struct zoo *z) { classifier_v2(z, &v2_l); }

void zoo_edgetpu_v2_levels(struct zoo *z, enum zoo_edgetpu_v2 width, int size, int level[ZOO_EDGETPU_LEVELS])
{
	static const struct edgetpu_v2 *const widths[] = {&v2_xs, &v2_s, &v2_m};
	const struct edgetpu net = edgetpu_v2(widths[width]);

	edgetpu_trunk(z, &net, size, level);
}

/* ---- AutosegEdgeTPU ---- */

/* Every unit is a stage of its own; with a kernel of 1 and FUSED it expands by a 1x1 convolution alone. Channels are rounded to multiples of
 * four, so that S has 20 where its authors' table says 18. */
static const struct stage autoseg_xs[] = {
	{1, 12, 1, 1, 3, false, {NOTHING}}, {6, 24, 1, 2, 3, false, {FUSED}}, {3, 24, 1, 1, 3, false, {DEPTHWISE}}, {3, 60, 1, 2, 3, false, {FUSED}},
	{6, 40, 1, 1, 3, false, {DEPTHWISE}}, {3, 40, 1, 2, 5, false, {DEPTHWISE}}, {6, 40, 1, 1, 3, false, {DEPTHWISE}},
	{6, 120, 1, 1, 3, false, {FUSED}}, {6, 168, 1, 1, 3, false, {DEPTHWISE}}, {6, 84, 1, 1, 5, false, {DEPTHWISE}},
	{3, 84, 1, 1, 5, false, {DEPTHWISE}}, {1, 84, 1, 2, 5, true, {DEPTHWISE}}, {6, 288, 1, 1, 1, true, {FUSED}},
	{1, 288, 1, 1, 5, true, {DEPTHWISE}}, {3, 96, 1, 1, 1, true, {FUSED}}, {1, 96, 1, 1, 5, true, {DEPTHWISE}}, {6, 96, 1, 1, 1, true, {FUSED}},
	{1, 96, 1, 1, 5, true, {DEPTHWISE}}, {6, 96, 1, 1, 1, true, {FUSED}}, {3, 480, 1, 1, 5, false, {DEPTHWISE}}
};

static const struct stage autoseg_s[] = {
	{1, 12, 1, 1, 3, false, {NOTHING}}, {6, 36, 1, 2, 3, false, {FUSED}}, {3, 20, 1, 1, 5, false, {DEPTHWISE}}, {6, 60, 1, 2, 5, false, {FUSED}},
	{3, 60, 1, 1, 3, false, {DEPTHWISE}}, {6, 120, 1, 2, 5, false, {DEPTHWISE}}, {3, 120, 1, 1, 3, false, {DEPTHWISE}},
	{6, 120, 1, 1, 5, false, {DEPTHWISE}}, {6, 112, 1, 1, 3, false, {DEPTHWISE}}, {6, 112, 1, 1, 5, false, {DEPTHWISE}},
	{6, 112, 1, 1, 5, false, {DEPTHWISE}}, {1, 112, 1, 2, 5, true, {DEPTHWISE}}, {6, 192, 1, 1, 1, true, {FUSED}},
	{1, 192, 1, 1, 5, true, {DEPTHWISE}}, {6, 96, 1, 1, 1, true, {FUSED}}, {3, 96, 1, 1, 5, false, {DEPTHWISE}}, {1, 96, 1, 1, 5, true, {DEPTHWISE}},
	{6, 192, 1, 1, 1, true, {FUSED}}, {1, 192, 1, 1, 5, true, {DEPTHWISE}}, {3, 160, 1, 1, 1, true, {FUSED}}
};

enum { AUTOSEG_XS = sizeof autoseg_xs / sizeof *autoseg_xs, AUTOSEG_S = sizeof autoseg_s / sizeof *autoseg_s };

void zoo_autoseg_levels(struct zoo *z, bool is_s, int size, int level[ZOO_EDGETPU_LEVELS])
{
	trunk(z, size, (struct trunk){32, 3, 0, is_s ? AUTOSEG_S : AUTOSEG_XS, is_s ? autoseg_s : autoseg_xs}, level);
}

#define EDGETPU_V1 "Howard and Gupta, Introducing the Next Generation of On-Device Vision Models: MobileNetV3 and " \
	"MobileNetEdgeTPU, 2019, as in tensorflow/models, official/projects/edgetpu; "
#define EDGETPU_V2 "Akin et al., Searching for Efficient Neural Architectures for On-Device ML on Edge TPUs, CVPR " \
	"Workshops 2022, as in tensorflow/models, official/projects/edgetpu; "

const struct zoo_network zoo_edgetpu_networks[] = {
	{"mobilenet_edgetpu_1.0", "MobileNetEdgeTPU 1.0, 224x224",
	 EDGETPU_V1 "count: 0.991 GMAC, 4.073 M parameters (TF-slim's table has 990 M, 4.0 M; the authors' test 4092713 with 19440 scales of normalisations)",
	 edgetpu_v1_1_0},
	{"mobilenet_edgetpu_1.25", "MobileNetEdgeTPU 1.25, 224x224",
	 EDGETPU_V1 "count: 1.638 GMAC, 6.006 M parameters (recount of the authors' blocks)",
	 edgetpu_v1_1_25},
	{"mobilenet_edgetpu_1.5", "MobileNetEdgeTPU 1.5, 224x224",
	 EDGETPU_V1 "count: 2.212 GMAC, 8.105 M parameters (recount of the authors' blocks)",
	 edgetpu_v1_1_5},
	{"mobilenet_edgetpu_1.75", "MobileNetEdgeTPU 1.75, 224x224",
	 EDGETPU_V1 "count: 3.139 GMAC, 10.735 M parameters (recount of the authors' blocks)",
	 edgetpu_v1_1_75},
	{"mobilenet_edgetpu_v2_tiny", "MobileNetEdgeTPUv2 Tiny, 224x224",
	 EDGETPU_V2 "count: 0.512 GMAC, 3.744 M parameters (recount of the authors' blocks)",
	 edgetpu_v2_tiny},
	{"mobilenet_edgetpu_v2_xs", "MobileNetEdgeTPUv2 XS, 224x224",
	 EDGETPU_V2 "count: 0.707 GMAC, 4.442 M parameters (recount of the authors' blocks)",
	 edgetpu_v2_xs},
	{"mobilenet_edgetpu_v2_s", "MobileNetEdgeTPUv2 S, 224x224",
	 EDGETPU_V2 "count: 1.198 GMAC, 5.963 M parameters (the authors' test: 6069657 with 25144 scales of normalisations, "
	            "and 81920 more for 5x5 windows in the last two stages of its default)",
	 edgetpu_v2_s},
	{"mobilenet_edgetpu_v2_m", "MobileNetEdgeTPUv2 M, 224x224",
	 EDGETPU_V2 "count: 1.836 GMAC, 8.433 M parameters (recount of the authors' blocks)",
	 edgetpu_v2_m},
	{"mobilenet_edgetpu_v2_l", "MobileNetEdgeTPUv2 L, 224x224",
	 EDGETPU_V2 "count: 2.531 GMAC, 10.887 M parameters (recount of the authors' blocks)",
	 edgetpu_v2_l},
	{0}
};
