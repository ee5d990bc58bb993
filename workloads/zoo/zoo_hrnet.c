/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * HRNet as tf2cv (imgclsmob) builds it: branches of 1, 1/2, 1/4 and 1/8 of
 * the stem's size run side by side, and all exchange what they found after
 * every module. A block is a module, with the transition before the first one.
 * And PaddleSeg's, with a head that names a class for every pixel; its
 * convolutions pad as TensorFlow's, as here all do.
 */
#include "zoo_tf2cv.h"

enum { MAX_BRANCHES = 4 };

/* width is that of the largest branch; n_modules: of two, three and four branches; bilinear: how maps are enlarged, else by repeating pixels. */
struct member {
	int width, stem_channels, n_stem_units, n_branch_units;
	int n_modules[MAX_BRANCHES - 1];
	bool bilinear;
};

static struct zoo_window window(int stride)
{
	return zoo_square(3, stride, ZOO_SAME);
}

/* Every branch by itself: basic units. */
static void run_branches(struct zoo *z, const char *module, int n_units, int n, int *x)
{
	for (int i = 0; i < n; i++)
		for (int unit = 1; unit <= n_units; unit++) {
			int channels = zoo_channels(z, x[i]);

			zoo_scope(z, "%s_branch%d_unit%d", module, i + 1, unit);
			x[i] = zoo_basic_unit(z, x[i], (struct zoo_residual){channels, channels, 1, 1, ZOO_SAME});
		}
}

/* What branch `from` gives branch `to`: it is halved as often as needed, each time by a convolution, of which only the last has the
 * other branch's channels, or gets these and is enlarged. */
static int exchange(struct zoo *z, const int *x, int from, int to, bool bilinear)
{
	int y = x[from], channels = zoo_channels(z, x[to]);
	char name[16];

	if (from > to) {
		y = zoo_conv(z, "conv", y, channels, zoo_pointwise());
		if (bilinear)
			return zoo_resize_bilinear_to(z, "resize", y, zoo_height(z, x[to]), zoo_width(z, x[to]));
		return zoo_resize_nearest(z, "resize", y, 1 << (from - to));
	}
	for (int i = from + 1; i < to; i++) {
		snprintf(name, sizeof name, "conv%d", i - from);
		y = zoo_conv_act(z, name, y, zoo_channels(z, y), window(2), ZOO_RELU);
	}
	snprintf(name, sizeof name, "conv%d", to - from);
	return zoo_conv(z, name, y, channels, window(2));
}

static void exchange_all(struct zoo *z, const char *module, int n, int *x, bool bilinear)
{
	int sum[MAX_BRANCHES];
	char name[16];

	for (int to = 0; to < n; to++) {
		for (int from = 0; from < n; from++) {
			int y = x[from];

			zoo_scope(z, "%s_from%d_to%d", module, from + 1, to + 1);
			if (from != to)
				y = exchange(z, x, from, to, bilinear);
			zoo_scope(z, "%s_to%d", module, to + 1);
			snprintf(name, sizeof name, "add%d", from);
			sum[to] = from == 0 ? y : zoo_binary(z, "Add", name, sum[to], y);
		}
		sum[to] = zoo_act(z, ZOO_RELU, sum[to]);
	}
	for (int i = 0; i < n; i++)
		x[i] = sum[i];
}

/* The branch of the fewest pixels yet is made of that of the second fewest; the first two are made of the stem. */
static void add_branch(struct zoo *z, int width, int n, int *x)
{
	int smallest = x[n - 2], last = n - 1;

	if (n == 2) {
		zoo_scope(z, "transition1");
		x[0] = zoo_conv_act(z, "conv", smallest, width, window(1), ZOO_RELU);
	}
	zoo_scope(z, "transition%d", n);
	x[last] = zoo_conv_act(z, "conv", smallest, width << last, window(2), ZOO_RELU);
}

/* A bottleneck for each branch; from the largest down, each is halved and added to the next. */
static int join_branches(struct zoo *z, int *x)
{
	int y = -1;

	for (int i = 0; i < MAX_BRANCHES; i++) {
		int head;

		zoo_block(z);
		zoo_scope(z, "head%d", i + 1);
		head = zoo_bottleneck_unit(z, x[i], (struct zoo_residual){32 << i, 128 << i, 1, 1, ZOO_SAME});
		if (i > 0)
			head = zoo_binary(z, "Add", "join", head, zoo_conv_act(z, "down", y, 128 << i, window(2), ZOO_RELU));
		y = head;
	}
	return y;
}

/* x: what the image y becomes in all branches. */
static void trunk(struct zoo *z, const struct member *m, int y, int x[MAX_BRANCHES])
{
	int index = 0;

	zoo_block(z);
	y = zoo_conv_act(z, "stem1", y, 64, window(2), ZOO_RELU);
	y = zoo_conv_act(z, "stem2", y, 64, window(2), ZOO_RELU);
	for (int unit = 0; unit < m->n_stem_units; unit++) {
		zoo_tf2cv_unit(z, unit);
		y = zoo_bottleneck_unit(z, y, (struct zoo_residual){m->stem_channels / 4, m->stem_channels, 1, 1, ZOO_SAME});
	}
	x[0] = y;
	for (int n = 2; n <= MAX_BRANCHES; n++) {
		zoo_block(z);
		add_branch(z, m->width, n, x);
		for (int module = 0; module < m->n_modules[n - 2]; module++) {
			char name[24];

			if (module > 0)
				zoo_block(z);
			snprintf(name, sizeof name, "module%d", ++index);
			run_branches(z, name, m->n_branch_units, n, x);
			exchange_all(z, name, n, x, m->bilinear);
		}
	}
}

static void hrnet(struct zoo *z, const struct member *m)
{
	int x[MAX_BRANCHES], y = zoo_tf2cv_image(z);

	trunk(z, m, y, x);
	y = join_branches(z, x);
	zoo_block(z);
	zoo_tf2cv_mean_fc(z, zoo_conv_act(z, "head", y, 2048, zoo_pointwise(), ZOO_RELU));
}

/* Two 1x1 convolutions over all branches, each enlarged to the size of the largest, and an enlarged map of scores. */
static void fcn(struct zoo *z, const struct member *m, int size, int classes)
{
	int x[MAX_BRANCHES], y = zoo_input(z, "image", size, size, 3);

	trunk(z, m, y, x);
	zoo_block(z);
	for (int i = 1; i < MAX_BRANCHES; i++) {
		zoo_scope(z, "head%d", i + 1);
		x[i] = zoo_resize_bilinear_to(z, "resize", x[i], zoo_height(z, x[0]), zoo_width(z, x[0]));
	}
	zoo_scope(z, "head");
	y = zoo_concat(z, "concat", MAX_BRANCHES, x);
	y = zoo_conv_act(z, "conv", y, zoo_channels(z, y), zoo_pointwise(), ZOO_RELU);
	y = zoo_conv(z, "scores", y, classes, zoo_pointwise());
	zoo_output(z, zoo_resize_bilinear_to(z, "resize", y, size, size));
}

#define MEMBER(name, ...) \
	static void name(struct zoo *z) { hrnet(z, &(const struct member)__VA_ARGS__); }

MEMBER(hrnet_w18_small_v1, {16, 128, 1, 2, {1, 1, 1}, false})
MEMBER(hrnet_w18_small_v2, {18, 256, 2, 2, {1, 3, 2}, false})
MEMBER(hrnet_w18, {18, 256, 4, 4, {1, 4, 3}, false})

static void fcn_hrnet_w18_voc(struct zoo *z)
{
	fcn(z, &(const struct member){18, 256, 4, 4, {1, 4, 3}, true}, 512, 21);
}

#define HRNET "Wang et al., Deep High-Resolution Representation Learning for Visual Recognition, TPAMI 2020"

const struct zoo_network zoo_hrnet_networks[] = {
	{"hrnet_w18_small_v1", "HRNet-W18 Small V1, 224x224", HRNET ZOO_TF2CV_COUNTED "1.602 GMAC, 13.19 M parameters", hrnet_w18_small_v1},
	{"hrnet_w18_small_v2", "HRNet-W18 Small V2, 224x224", HRNET ZOO_TF2CV "2.596 GMAC, 15.60 M parameters", hrnet_w18_small_v2},
	{"hrnet_w18", "HRNetV2-W18, 224x224", HRNET ZOO_TF2CV_COUNTED "4.284 GMAC, 21.30 M parameters", hrnet_w18},
	{"fcn_hrnet_w18_voc", "FCN over HRNetV2-W18 for PASCAL VOC, 512x512",
	 HRNET ", as in PaddleSeg, configs/fcn/fcn_hrnetw18_voc12aug_512x512_40k.yml (paddleseg/models/backbones/hrnet.py, fcn.py); "
	 "count: 18.434 GMAC, 9.624 M parameters (analytic)", fcn_hrnet_w18_voc},
	{0}
};
