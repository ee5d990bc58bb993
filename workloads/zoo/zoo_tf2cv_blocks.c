/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The groups of operators of zoo_tf2cv.h, in terms of the builder's calls.
 */
#include "zoo_tf2cv.h"

int zoo_tf2cv_image(struct zoo *z)
{
	return zoo_input(z, "image", 224, 224, 3);
}

void zoo_tf2cv_unit(struct zoo *z, int index)
{
	zoo_block(z);
	zoo_scope(z, "unit%d", index + 1);
}

int zoo_tf2cv_pad(struct zoo *z, const char *name, int x, int border)
{
	char pad[32];

	snprintf(pad, sizeof pad, "%s_pad", name);
	return zoo_zero_pad(z, pad, x, border);
}

int zoo_tf2cv_conv(struct zoo *z, const char *name, int x, int channels, int kernel, int stride, enum zoo_act act)
{
	x = zoo_tf2cv_pad(z, name, x, kernel / 2);
	return zoo_conv_act(z, name, x, channels, zoo_square(kernel, stride, ZOO_VALID), act);
}

int zoo_tf2cv_depthwise(struct zoo *z, const char *name, int x, int kernel, int stride, enum zoo_act act)
{
	x = zoo_tf2cv_pad(z, name, x, kernel / 2);
	return zoo_act(z, act, zoo_depthwise(z, name, x, zoo_square(kernel, stride, ZOO_VALID)));
}

int zoo_tf2cv_stem(struct zoo *z, int channels, enum zoo_act act)
{
	zoo_block(z);
	return zoo_conv_act(z, "stem", zoo_tf2cv_image(z), channels, zoo_square(3, 2, ZOO_SAME), act);
}

void zoo_tf2cv_mean_fc(struct zoo *z, int x)
{
	zoo_output(z, zoo_fc(z, "logits", zoo_global_pool(z, "pool", x), ZOO_TF2CV_CLASSES));
}

void zoo_tf2cv_pool_conv(struct zoo *z, int x, int hidden, enum zoo_act act)
{
	x = zoo_avg_pool(z, "pool", x, zoo_square(7, 1, ZOO_VALID));
	if (hidden > 0)
		x = zoo_conv_act(z, "hidden", x, hidden, zoo_pointwise(), act);
	zoo_output(z, zoo_conv(z, "logits", x, ZOO_TF2CV_CLASSES, zoo_pointwise()));
}

int zoo_tf2cv_excite_by(struct zoo *z, int x, int mean, int squeezed, enum zoo_act act, enum zoo_gate gate)
{
	int y = zoo_conv_act(z, "se_reduce", mean, squeezed, zoo_pointwise(), act);
	y = zoo_conv(z, "se_expand", y, zoo_channels(z, x), zoo_pointwise());
	y = gate == ZOO_GATE_SIGMOID ? zoo_unary_after(z, "Sigmoid", "sigmoid", y) : zoo_act(z, ZOO_RELU6, y);
	if (gate == ZOO_GATE_HARD)
		y = zoo_unary(z, "BatchNormalization", "se_sixth", y);
	return zoo_binary(z, "Mul", "se_scale", x, y);
}

int zoo_tf2cv_excite_act(struct zoo *z, int x, int squeezed, enum zoo_act act, enum zoo_gate gate)
{
	return zoo_tf2cv_excite_by(z, x, zoo_mean(z, "se_mean", x), squeezed, act, gate);
}

int zoo_tf2cv_excite(struct zoo *z, int x, int squeezed, enum zoo_gate gate)
{
	return zoo_tf2cv_excite_act(z, x, squeezed, ZOO_RELU, gate);
}

static int mb_unit(struct zoo *z, int x, const struct zoo_tf2cv_mb *u, int stride, enum zoo_gate gate)
{
	int in = zoo_channels(z, x), y = x;
	int expand = u->expand < ZOO_TF2CV_RATIO_BELOW ? u->expand * in : u->expand;

	if (expand > 0)
		y = zoo_conv_act(z, "expand", y, expand, zoo_pointwise(), u->act);
	y = zoo_tf2cv_depthwise(z, "depthwise", y, u->kernel, stride, u->act);
	if (u->squeezed != 0)
		y = zoo_tf2cv_excite_act(z, y, u->squeezed == ZOO_TF2CV_QUARTER ? in / 4 : u->squeezed,
		                         u->act == ZOO_SWISH ? ZOO_SWISH : ZOO_RELU, gate);
	y = zoo_conv(z, "project", y, u->out, zoo_pointwise());
	return stride == 1 && in == u->out ? zoo_binary(z, "Add", "add", y, x) : y;
}

int zoo_tf2cv_mb(struct zoo *z, int x, const struct zoo_tf2cv_mb *u, int n, enum zoo_gate gate)
{
	int index = 0;

	for (int i = 0; i < n; i++)
		for (int j = 0; j < u[i].n; j++) {
			zoo_tf2cv_unit(z, index++);
			x = mb_unit(z, x, &u[i], j == 0 ? u[i].stride : 1, gate);
		}
	zoo_block(z);
	return x;
}
