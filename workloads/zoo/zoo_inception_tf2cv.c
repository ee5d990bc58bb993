/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * BN-Inception and Xception, as tf2cv (imgclsmob) builds them.
 */
#include "zoo_tf2cv.h"

/* ---- BN-Inception ---- */

/* Widths of the branches: 1x1; 1x1 and 3x3; 1x1 and two 3x3; 1x1 behind a pooling. Without the first and the last, a module halves the
 * image. */
struct module {
	const char *name;
	int single, reduce, wide, reduce_deep, deep, pooled;
	bool max; /* it pools by the maximum instead of the mean */
};

static int keep(struct zoo *z, const char *name, int x, int channels, int kernel)
{
	return zoo_conv_act(z, name, x, channels, zoo_square(kernel, 1, ZOO_SAME), ZOO_RELU);
}

/* What a stride would leave over of an even image has a border. */
static int halve(struct zoo *z, int x)
{
	return zoo_max_pool(z, "pool", zoo_tf2cv_pad(z, "pool", x, 1), zoo_square(3, 2, ZOO_VALID));
}

static int pool_branch(struct zoo *z, int x, const struct module *m)
{
	const struct zoo_window w = zoo_square(3, 1, ZOO_SAME);

	x = m->max ? zoo_max_pool(z, "pool", x, w) : zoo_avg_pool(z, "pool", x, w);
	return keep(z, "pool_1x1", x, m->pooled, 1);
}

static int module(struct zoo *z, int x, const struct module *m)
{
	const struct zoo_window last = zoo_square(3, m->single > 0 ? 1 : 2, ZOO_SAME);
	int b[4], n = 0;

	if (m->single > 0)
		b[n++] = keep(z, "b0_1x1", x, m->single, 1);
	b[n] = keep(z, "b1_1x1", x, m->reduce, 1);
	b[n] = zoo_conv_act(z, "b1_3x3", b[n], m->wide, last, ZOO_RELU);
	n++;
	b[n] = keep(z, "b2_1x1", x, m->reduce_deep, 1);
	b[n] = keep(z, "b2_3x3a", b[n], m->deep, 3);
	b[n] = zoo_conv_act(z, "b2_3x3b", b[n], m->deep, last, ZOO_RELU);
	n++;
	b[n] = m->single > 0 ? pool_branch(z, x, m) : halve(z, x);
	return zoo_concat(z, "concat", n + 1, b);
}

/* Blocks: the stem, every module, the classifier. */
static void bninception(struct zoo *z)
{
	static const struct module modules[] = {
		{"mixed3a", 64, 64, 64, 64, 96, 32, false}, {"mixed3b", 64, 64, 96, 64, 96, 64, false}, {"mixed3c", 0, 128, 160, 64, 96, 0, true},
		{"mixed4a", 224, 64, 96, 96, 128, 128, false}, {"mixed4b", 192, 96, 128, 96, 128, 128, false},
		{"mixed4c", 160, 128, 160, 128, 160, 128, false}, {"mixed4d", 96, 128, 192, 160, 192, 128, false},
		{"mixed4e", 0, 128, 192, 192, 256, 0, true}, {"mixed5a", 352, 192, 320, 160, 224, 128, false},
		{"mixed5b", 352, 192, 320, 192, 224, 128, true}
	};
	int x = zoo_tf2cv_image(z);

	zoo_block(z);
	zoo_scope(z, "stem1");
	x = halve(z, zoo_conv_act(z, "conv", x, 64, zoo_square(7, 2, ZOO_SAME), ZOO_RELU));
	zoo_scope(z, "stem2");
	x = keep(z, "1x1", x, 64, 1);
	x = halve(z, keep(z, "3x3", x, 192, 3));
	for (size_t i = 0; i < sizeof modules / sizeof *modules; i++) {
		zoo_block(z);
		zoo_scope(z, "%s", modules[i].name);
		x = module(z, x, &modules[i]);
	}
	zoo_block(z);
	zoo_tf2cv_mean_fc(z, x);
}

/* ---- Xception ---- */

enum { XCEPTION_UNITS = 12, SEPARABLE_MAX = 3 };

/* A depthwise convolution, which nothing follows but the pointwise one. */
static int separable(struct zoo *z, int index, int x, int channels)
{
	char name[16];

	snprintf(name, sizeof name, "depthwise%d", index);
	x = zoo_tf2cv_depthwise(z, name, x, 3, 1, ZOO_LINEAR);
	snprintf(name, sizeof name, "conv%d", index);
	return zoo_conv(z, name, x, channels, zoo_pointwise());
}

/* n separable convolutions of these widths, up to the first 0, each of which reads what a ReLU left, but for the network's first. A
 * unit of two halves the image. */
static int xception_unit(struct zoo *z, int x, const int channels[SEPARABLE_MAX], bool relu_first)
{
	bool down = channels[2] == 0;
	int n = down ? 2 : 3, y = x;

	for (int i = 0; i < n; i++)
		y = separable(z, i + 1, i > 0 || relu_first ? zoo_act(z, ZOO_RELU, y) : y, channels[i]);
	if (down) {
		y = zoo_max_pool(z, "pool", y, zoo_square(3, 2, ZOO_SAME));
		x = zoo_conv(z, "shortcut", x, channels[1], zoo_square(1, 2, ZOO_VALID));
	}
	return zoo_binary(z, "Add", "add", y, x);
}

/* Blocks: the stem, every unit, the head. */
static void xception(struct zoo *z)
{
	static const int wide[SEPARABLE_MAX] = {728, 728, 728};
	static const int down[XCEPTION_UNITS][SEPARABLE_MAX] = {[0] = {128, 128}, [1] = {256, 256}, [2] = {728, 728}, [11] = {728, 1024}};
	int x = zoo_input(z, "image", 299, 299, 3);

	zoo_block(z);
	x = zoo_conv_act(z, "stem1", x, 32, zoo_square(3, 2, ZOO_VALID), ZOO_RELU);
	x = zoo_conv_act(z, "stem2", x, 64, zoo_square(3, 1, ZOO_VALID), ZOO_RELU);
	for (int i = 0; i < XCEPTION_UNITS; i++) {
		zoo_tf2cv_unit(z, i);
		x = xception_unit(z, x, down[i][0] > 0 ? down[i] : wide, i > 0);
	}
	zoo_block(z);
	x = zoo_act(z, ZOO_RELU, separable(z, 1, x, 1536));
	zoo_tf2cv_mean_fc(z, zoo_act(z, ZOO_RELU, separable(z, 2, x, 2048)));
}

const struct zoo_network zoo_inception_tf2cv_networks[] = {
	{"bninception", "BN-Inception, 224x224",
	 "Ioffe and Szegedy, Batch Normalization: Accelerating Deep Network Training by Reducing Internal Covariate Shift, ICML 2015"
	 ZOO_TF2CV_LISTED "2.033 GMAC, 11.30 M parameters", bninception},
	{"xception", "Xception, 299x299",
	 "Chollet, Xception: Deep Learning with Depthwise Separable Convolutions, CVPR 2017" ZOO_TF2CV_READ
	 "8.357 GMAC, 22.86 M parameters", xception},
	{0}
};
