/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * RTMPose of MMPose up to the scores of rows and columns, of 17 parts of a body each, as MMDeploy exports it for ncnn: CSPNeXt, and a
 * head whose tokens are the parts. Images are NCHW there, so that a part's map becomes a token without a Transpose. Not here: what
 * MMDeploy adds around operators only to change a tensor's rank.
 */
#include "zoo_blocks.h"

enum { HEIGHT = 256, WIDTH = 192, PARTS = 17, HIDDEN = 256, WIDE = 2 * HIDDEN, SHARED = 128, SPLIT = 2 };

/* width_eighths: of the widths that the largest one has; n: units of the stages. */
struct rtmpose {
	int width_eighths;
	int n[4];
};

static int conv(struct zoo *z, const char *name, int x, int channels, int kernel, int stride)
{
	return zoo_conv_act(z, name, x, channels, zoo_square(kernel, stride, ZOO_CENTRED), ZOO_SWISH);
}

/* ---- CSPNeXt ---- */

static int unit(struct zoo *z, int x, int number, bool shortcut)
{
	const int channels = zoo_channels(z, x);
	char name[4][32];
	int y;

	snprintf(name[0], sizeof name[0], "unit%d_conv", number);
	snprintf(name[1], sizeof name[1], "unit%d_depthwise", number);
	snprintf(name[2], sizeof name[2], "unit%d_pointwise", number);
	snprintf(name[3], sizeof name[3], "unit%d_add", number);
	y = conv(z, name[0], x, channels, 3, 1);
	y = zoo_act(z, ZOO_SWISH, zoo_depthwise(z, name[1], y, zoo_square(5, 1, ZOO_CENTRED)));
	y = conv(z, name[2], y, channels, 1, 1);
	return shortcut ? zoo_binary(z, "Add", name[3], y, x) : y;
}

/* Each channel by a gate, which a dense layer makes of all their means: a hard sigmoid, as clip (its 3 is in the bias) and sixth. */
static int gate(struct zoo *z, int x)
{
	int y = zoo_conv(z, "gate", zoo_global_pool(z, "gate_pool", x), zoo_channels(z, x), zoo_pointwise());

	y = zoo_unary(z, "BatchNormalization", "gate_sixth", zoo_act(z, ZOO_RELU6, y));
	return zoo_binary(z, "Mul", "gate_scale", x, y);
}

static int stage(struct zoo *z, int x, int n, bool shortcut)
{
	const int channels = zoo_channels(z, x);
	int b[2];

	b[1] = conv(z, "short", x, channels / 2, 1, 1);
	b[0] = conv(z, "main", x, channels / 2, 1, 1);
	for (int i = 0; i < n; i++)
		b[0] = unit(z, b[0], i + 1, shortcut);
	return conv(z, "final", gate(z, zoo_concat(z, "parts", 2, b)), channels, 1, 1);
}

static int pyramid(struct zoo *z, int x)
{
	const int channels = zoo_channels(z, x);

	x = conv(z, "pyramid_in", x, channels / 2, 1, 1);
	return conv(z, "pyramid_out", zoo_spatial_pyramid(z, x), channels, 1, 1);
}

/* Blocks: the stem, four stages. */
static int backbone(struct zoo *z, const struct rtmpose *p)
{
	const int width = 64 * p->width_eighths / 8;
	int x = zoo_input(z, "image", HEIGHT, WIDTH, 3);

	zoo_block(z);
	x = conv(z, "stem1", x, width / 2, 3, 2);
	x = conv(z, "stem2", x, width / 2, 3, 1);
	x = conv(z, "stem3", x, width, 3, 1);
	for (int i = 0; i < 4; i++) {
		const bool last = i == 3;

		zoo_block(z);
		zoo_scope(z, "stage%d", i + 1);
		x = conv(z, "down", x, width << (i + 1), 3, 2);
		if (last)
			x = pyramid(z, x);
		x = stage(z, x, p->n[i], !last);
	}
	return x;
}

/* ---- The head ---- */

/* Tokens by their lengths, and by a number: the sum stands for the root of the sum of squares, which is one operator there, and Relu
 * for the clip at a little above zero. */
static int scale_norm(struct zoo *z, const char *name, int x)
{
	char local[5][32];
	static const char *const step[] = {"length", "root", "clip", "div", "scale"};
	int y;

	for (int i = 0; i < 5; i++)
		snprintf(local[i], sizeof local[i], "%s_%s", name, step[i]);
	y = zoo_with_constant(z, "Mul", local[1], zoo_reduce(z, "ReduceSum", local[0], x, 1));
	y = zoo_binary(z, "Div", local[3], x, zoo_unary(z, "Relu", local[2], y));
	return zoo_with_constant(z, "Mul", local[4], y);
}

static int scaled(struct zoo *z, const char *name, int x)
{
	char local[32];

	snprintf(local, sizeof local, "%s_scale", name);
	return zoo_with_constant(z, "Add", name, zoo_with_constant(z, "Mul", local, x));
}

/* Gated attention: queries and keys are the same numbers, scaled; weights are squares of what is above zero. */
static int attention(struct zoo *z, int x)
{
	int y = zoo_fc_no_bias(z, "expand", scale_norm(z, "norm", x), 2 * WIDE + SHARED), u, v, base, q;

	y = zoo_act(z, ZOO_SWISH, y);
	u = zoo_slice(z, "u", y, 1, 0, WIDE);
	v = zoo_slice(z, "v", y, 1, WIDE, WIDE);
	base = zoo_slice(z, "base", y, 1, 2 * WIDE, SHARED);
	q = scaled(z, "query", base);
	y = zoo_transpose(z, "keys", scaled(z, "key", base), (const int[]){1, 0});
	y = zoo_with_constant(z, "Mul", "root", zoo_matmul(z, "scores", q, y));
	y = zoo_unary(z, "Square", "square", zoo_act(z, ZOO_RELU, y));
	y = zoo_binary(z, "Mul", "gated", u, zoo_matmul(z, "mix", y, v));
	y = zoo_fc_no_bias(z, "project", y, HIDDEN);
	return zoo_binary(z, "Add", "add", zoo_with_constant(z, "Mul", "shortcut_scale", x), y);
}

static void rtmpose(struct zoo *z, const struct rtmpose *p)
{
	int x = backbone(z, p);

	zoo_block(z);
	zoo_scope(z, "head");
	x = zoo_conv(z, "maps", x, PARTS, zoo_square(7, 1, ZOO_CENTRED));
	x = zoo_reshape(z, "tokens", x, 2, (const int[]){PARTS, zoo_height(z, x) * zoo_width(z, x)});
	x = zoo_fc_no_bias(z, "dense", scale_norm(z, "tokens_norm", x), HIDDEN);
	x = attention(z, x);
	zoo_output(z, zoo_fc_no_bias(z, "columns", x, SPLIT * WIDTH));
	zoo_output(z, zoo_fc_no_bias(z, "rows", x, SPLIT * HEIGHT));
}

#define RTMPOSE(name, ...) \
	static void rtmpose_##name(struct zoo *z) { rtmpose(z, &(const struct rtmpose)__VA_ARGS__); }

RTMPOSE(t, {3, {1, 1, 1, 1}})
RTMPOSE(s, {4, {1, 2, 2, 1}})
RTMPOSE(m, {6, {2, 4, 4, 2}})
RTMPOSE(l, {8, {3, 6, 6, 3}})

#define SOURCE "Jiang et al., RTMPose: Real-Time Multi-Person Pose Estimation based on MMPose, 2023, as in open-mmlab/mmpose, projects/rtmpose; " \
	"count: its table, "

const struct zoo_network zoo_rtmpose_networks[] = {
	{"rtmpose_t_256x192", "RTMPose-t, 17 parts, 256x192", SOURCE "0.36 GMAC, 3.34 M parameters", rtmpose_t},
	{"rtmpose_s_256x192", "RTMPose-s, 17 parts, 256x192", SOURCE "0.68 GMAC, 5.47 M parameters", rtmpose_s},
	{"rtmpose_m_256x192", "RTMPose-m, 17 parts, 256x192", SOURCE "1.93 GMAC, 13.59 M parameters", rtmpose_m},
	{"rtmpose_l_256x192", "RTMPose-l, 17 parts, 256x192", SOURCE "4.16 GMAC, 27.66 M parameters", rtmpose_l},
	{0}
};
