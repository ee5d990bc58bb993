/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The groups of operators of zoo_blocks.h, in terms of the builder's calls.
 * Batch normalisation is folded here: it leaves the bias of the convolution.
 */
#include "zoo_blocks.h"

#include <assert.h>

int zoo_act(struct zoo *z, enum zoo_act act, int x)
{
	switch (act) {
	case ZOO_LINEAR: break;
	case ZOO_RELU: return zoo_unary_after(z, "Relu", "relu", x);
	case ZOO_RELU6: return zoo_unary_after(z, "Relu6", "relu6", x);
	case ZOO_LEAKY_RELU: return zoo_unary_after(z, "LeakyRelu", "leaky", x);
	case ZOO_PRELU: return zoo_unary_after(z, "PRelu", "prelu", x);
	case ZOO_HARD_SWISH: return zoo_unary_after(z, "HardSwish", "hard_swish", x);
	case ZOO_SWISH: return zoo_binary_after(z, "Mul", "swish", x, zoo_unary_after(z, "Sigmoid", "sigmoid", x));
	}
	return x;
}

int zoo_conv_act(struct zoo *z, const char *name, int x, int channels, struct zoo_window w, enum zoo_act act)
{
	return zoo_act(z, act, zoo_conv(z, name, x, channels, w));
}

int zoo_separable(struct zoo *z, const char *name, int x, int channels, int stride, enum zoo_act act)
{
	char depthwise[ZOO_NAME_MAX], pointwise[ZOO_NAME_MAX];

	snprintf(depthwise, sizeof depthwise, "%s_depthwise", name);
	snprintf(pointwise, sizeof pointwise, "%s_pointwise", name);
	x = zoo_depthwise(z, depthwise, x, zoo_square(3, stride, ZOO_CENTRED));
	return zoo_conv_act(z, pointwise, x, channels, zoo_pointwise(), act);
}

/* ---- classifiers ---- */

int zoo_softmax(struct zoo *z, int x)
{
	int vector = zoo_reshape(z, "flat", x, 2, (const int[]){1, zoo_channels(z, x)});

	return zoo_unary(z, "Softmax", "softmax", vector);
}

int zoo_fc_softmax(struct zoo *z, int x, int n_classes)
{
	return zoo_unary(z, "Softmax", "softmax", zoo_fc(z, "logits", x, n_classes));
}

int zoo_conv_softmax(struct zoo *z, int x, int n_classes)
{
	return zoo_softmax(z, zoo_conv(z, "logits", x, n_classes, zoo_pointwise()));
}

/* ---- SqueezeNet's modules ---- */

static int fire(struct zoo *z, int x, int squeeze, int expand)
{
	int b[2];

	x = zoo_conv_act(z, "squeeze", x, squeeze, zoo_pointwise(), ZOO_RELU);
	b[0] = zoo_conv_act(z, "expand_1x1", x, expand, zoo_pointwise(), ZOO_RELU);
	b[1] = zoo_conv_act(z, "expand_3x3", x, expand, zoo_square(3, 1, ZOO_SAME), ZOO_RELU);
	return zoo_concat(z, "concat", 2, b);
}

int zoo_fires(struct zoo *z, int x, int from, int to, int pooled)
{
	static const int squeeze[] = {16, 16, 32, 32, 48, 48, 64, 64, 96, 96};

	for (int i = from; i <= to; i++) {
		zoo_block(z);
		zoo_scope(z, "fire%d", i);
		x = fire(z, x, squeeze[i - 2], 4 * squeeze[i - 2]);
		if (pooled >> i & 1)
			x = zoo_max_pool_ceil(z, "pool", x, 3, 2);
	}
	return x;
}

/* ---- residual units ---- */

int zoo_shortcut(struct zoo *z, int x, int from, int out, int stride)
{
	struct zoo_window w = zoo_square(1, stride, ZOO_VALID);

	if (zoo_channels(z, x) != out)
		return zoo_conv(z, "shortcut", from, out, w);
	return stride == 1 ? x : zoo_max_pool(z, "shortcut", x, w);
}

static int add_relu(struct zoo *z, int main_path, int shortcut)
{
	return zoo_act(z, ZOO_RELU, zoo_binary(z, "Add", "add", main_path, shortcut));
}

/* The shortcut is computed last, as torchvision calls it and as the measured operator list of ResNet-18 has it (tests/data/sd855-tflite-gpu-operators.csv). */
int zoo_basic_unit(struct zoo *z, int x, struct zoo_residual r)
{
	int y = zoo_conv_act(z, "conv1", x, r.mid, zoo_square(3, r.stride, r.pad), ZOO_RELU);

	y = zoo_conv(z, "conv2", y, r.out, zoo_square(3, 1, r.pad));
	return add_relu(z, y, zoo_shortcut(z, x, x, r.out, r.stride));
}

int zoo_bottleneck_unit(struct zoo *z, int x, struct zoo_residual r)
{
	int y = zoo_conv_act(z, "conv1", x, r.mid, zoo_pointwise(), ZOO_RELU);

	y = zoo_conv_grouped(z, "conv2", y, r.mid, zoo_square(3, r.stride, r.pad), r.group);
	y = zoo_act(z, ZOO_RELU, y);
	y = zoo_conv(z, "conv3", y, r.out, zoo_pointwise());
	return add_relu(z, y, zoo_shortcut(z, x, x, r.out, r.stride));
}

/* ---- inverted residual units ---- */

static int squeeze_excite(struct zoo *z, int x, int squeezed, enum zoo_act act)
{
	int gate = zoo_mean(z, "se_mean", x);

	gate = zoo_conv_act(z, "se_reduce", gate, squeezed, zoo_pointwise(), act);
	gate = zoo_conv(z, "se_expand", gate, zoo_channels(z, x), zoo_pointwise());
	gate = zoo_unary_after(z, "Sigmoid", "sigmoid", gate);
	return zoo_binary(z, "Mul", "se_scale", x, gate);
}

int zoo_mb_unit(struct zoo *z, int x, struct zoo_mb_stage s, int stride, struct zoo_mb_style style)
{
	int in = zoo_channels(z, x), out = zoo_round8(s.channels, style.width_percent);
	int y = x;

	if (s.expand != 1)
		y = zoo_conv_act(z, "expand", y, in * s.expand, zoo_pointwise(), style.act);
	y = zoo_depthwise(z, "depthwise", y, zoo_square(s.kernel, stride, style.pad));
	y = zoo_act(z, style.act, y);
	if (style.squeeze_excite)
		y = squeeze_excite(z, y, in / 4, style.act);
	y = zoo_conv(z, "project", y, out, zoo_pointwise());
	return stride == 1 && in == out ? zoo_binary(z, "Add", "add", y, x) : y;
}

int zoo_mb_stages(struct zoo *z, int x, const struct zoo_mb_stage *s, int n_stages, int first,
                  struct zoo_mb_style style)
{
	for (int i = 0; i < n_stages; i++)
		for (int unit = 0; unit < s[i].n_units; unit++) {
			zoo_block(z);
			zoo_scope(z, "stage%d_unit%d", first + i, unit + 1);
			x = zoo_mb_unit(z, x, s[i], unit == 0 ? s[i].stride : 1, style);
		}
	return x;
}

int zoo_round8(int channels, int percent)
{
	int exact = channels * percent; /* hundredths of a channel */
	int rounded = (exact + 400) / 800 * 8;

	assert(exact > 0);
	if (rounded < 8)
		rounded = 8;
	return rounded * 1000 < exact * 9 ? rounded + 8 : rounded;
}

int zoo_channel_shuffle(struct zoo *z, int x, int groups)
{
	const int h = zoo_height(z, x), w = zoo_width(z, x), c = zoo_channels(z, x);

	x = zoo_reshape(z, "shuffle_split", x, 5, (const int[]){1, h, w, groups, c / groups});
	x = zoo_transpose(z, "shuffle_swap", x, (const int[]){0, 1, 2, 4, 3});
	return zoo_reshape(z, "shuffle_join", x, 4, (const int[]){1, h, w, c});
}

/* ---- ShuffleNet V2 ---- */

static int shuffle_branch(struct zoo *z, int x, int channels, int stride, enum zoo_act act)
{
	x = zoo_conv_act(z, "conv1", x, channels, zoo_pointwise(), act);
	x = zoo_depthwise(z, "depthwise", x, zoo_square(3, stride, ZOO_CENTRED));
	return zoo_conv_act(z, "conv2", x, channels, zoo_pointwise(), act);
}

static void shuffle_halves(struct zoo *z, int x, bool cropped, int half[2])
{
	const int channels = zoo_channels(z, x) / 2;

	if (!cropped) {
		zoo_split(z, "split", x, 2, half);
		return;
	}
	half[0] = zoo_slice(z, "left", x, 3, 0, channels);
	half[1] = zoo_slice(z, "right", x, 3, channels, channels);
}

static int shuffle_unit(struct zoo *z, int x, int channels, int stride, enum zoo_act act, bool cropped)
{
	int b[2];

	if (stride == 1) {
		shuffle_halves(z, x, cropped, b);
		b[1] = shuffle_branch(z, b[1], channels / 2, 1, act);
	} else {
		b[0] = zoo_depthwise(z, "shortcut_depthwise", x, zoo_square(3, stride, ZOO_CENTRED));
		b[0] = zoo_conv_act(z, "shortcut", b[0], channels / 2, zoo_pointwise(), act);
		b[1] = shuffle_branch(z, x, channels / 2, stride, act);
	}
	return zoo_channel_shuffle(z, zoo_concat(z, "concat", 2, b), 2);
}

void zoo_shuffle_v2(struct zoo *z, int x, const int channels[ZOO_SHUFFLE_STAGES], enum zoo_act act, bool cropped, int level[ZOO_SHUFFLE_STAGES])
{
	static const int n_units[ZOO_SHUFFLE_STAGES] = {4, 8, 4};

	zoo_block(z);
	x = zoo_conv_act(z, "conv1", x, 24, zoo_square(3, 2, ZOO_CENTRED), act);
	x = zoo_max_pool(z, "pool1", x, zoo_square(3, 2, ZOO_CENTRED));
	for (int stage = 0; stage < ZOO_SHUFFLE_STAGES; stage++) {
		for (int unit = 0; unit < n_units[stage]; unit++) {
			zoo_block(z);
			zoo_scope(z, "stage%d_unit%d", stage + 2, unit + 1);
			x = shuffle_unit(z, x, channels[stage], unit == 0 ? 2 : 1, act, cropped);
		}
		level[stage] = x;
	}
}

/* ---- detectors ---- */

int zoo_spatial_pyramid(struct zoo *z, int x)
{
	static const int windows[] = {5, 9, 13};
	int part[4] = {x};
	char name[16];

	for (int i = 0; i < 3; i++) {
		snprintf(name, sizeof name, "pool%d", windows[i]);
		part[i + 1] = zoo_max_pool(z, name, x, zoo_square(windows[i], 1, ZOO_SAME));
	}
	return zoo_concat(z, "concat", 4, part);
}

void zoo_output_list(struct zoo *z, const char *name, int x)
{
	const int positions = zoo_height(z, x) * zoo_width(z, x), channels = zoo_channels(z, x);
	char turned[32];

	snprintf(turned, sizeof turned, "%s_turned", name);
	x = zoo_transpose(z, turned, zoo_reshape(z, name, x, 3, (const int[]){1, channels, positions}), (const int[]){0, 2, 1});
	zoo_output(z, x);
}

void zoo_scores_and_distances(struct zoo *z, int x, int classes, int distances)
{
	int part[2];

	x = zoo_conv(z, "both", x, classes + distances, zoo_pointwise());
	zoo_split_sizes(z, "split", x, 3, 2, (const int[]){classes, distances}, part);
	zoo_output_list(z, "scores", zoo_unary(z, "Sigmoid", "sigmoid", part[0]));
	zoo_output_list(z, "distances", part[1]);
}
