/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Lite-HRNet as PaddleSeg builds it: branches of 1/4 to 1/32 of the image's size run side by side and all exchange what they found. Units
 * weigh channels where HRNet's have convolutions.
 */
#include "zoo_litehrnet.h"

#include "zoo_blocks.h"

enum { BRANCHES = ZOO_LITE_HRNET_LEVELS, STEM = 32, WIDTH = 40, UNITS = 2, SHARED = 8, SQUEEZED = 4 };

static int stem(struct zoo *z, int size)
{
	int x = zoo_input(z, "image", size, size, 3), b[2];

	zoo_block(z);
	zoo_scope(z, "stem");
	x = zoo_conv_act(z, "conv", x, STEM, zoo_square(3, 2, ZOO_CENTRED), ZOO_RELU);
	zoo_split(z, "split", x, 2, b);
	b[0] = zoo_separable(z, "short", b[0], STEM / 2, 2, ZOO_RELU);
	b[1] = zoo_conv_act(z, "expand", b[1], STEM, zoo_pointwise(), ZOO_RELU);
	b[1] = zoo_separable(z, "long", b[1], STEM / 2, 2, ZOO_RELU);
	return zoo_channel_shuffle(z, zoo_concat(z, "concat", 2, b), 2);
}

/* ---- Units ---- */

static int gate(struct zoo *z, const char *name, int x, int squeezed, int channels)
{
	char reduce[32], expand[32];

	snprintf(reduce, sizeof reduce, "%s_reduce", name);
	snprintf(expand, sizeof expand, "%s_expand", name);
	x = zoo_conv_act(z, reduce, x, squeezed, zoo_pointwise(), ZOO_RELU);
	return zoo_unary_after(z, "Sigmoid", "sigmoid", zoo_conv(z, expand, x, channels, zoo_pointwise()));
}

/* Every channel by what all branches, made as small as the smallest one, say of its place. */
static void weigh_places(struct zoo *z, const char *unit, int n, int *x)
{
	int small[BRANCHES], channels[BRANCHES], all = 0, y;
	char name[16];

	zoo_scope(z, "%s_places", unit);
	for (int i = 0; i < n; i++) {
		const int times = 1 << (n - 1 - i);

		snprintf(name, sizeof name, "pool%d", i + 1);
		small[i] = times > 1 ? zoo_avg_pool(z, name, x[i], zoo_square(times, times, ZOO_VALID)) : x[i];
		channels[i] = zoo_channels(z, x[i]);
		all += channels[i];
	}
	y = gate(z, "gate", zoo_concat(z, "concat", n, small), all / SHARED, all);
	zoo_split_sizes(z, "split", y, 3, n, channels, small);
	for (int i = 0; i < n; i++) {
		snprintf(name, sizeof name, "resize%d", i + 1);
		y = zoo_resize_nearest_to(z, name, small[i], zoo_height(z, x[i]), zoo_width(z, x[i]));
		snprintf(name, sizeof name, "scale%d", i + 1);
		x[i] = zoo_binary(z, "Mul", name, x[i], y);
	}
}

/* Half of the channels of all branches are worked on. */
static void unit(struct zoo *z, const char *name, int n, int *x)
{
	int kept[BRANCHES], worked[BRANCHES], half[2], y;

	for (int i = 0; i < n; i++) {
		zoo_scope(z, "%s_branch%d", name, i + 1);
		zoo_split(z, "split", x[i], 2, half);
		kept[i] = half[0];
		worked[i] = half[1];
	}
	weigh_places(z, name, n, worked);
	for (int i = 0; i < n; i++) {
		zoo_scope(z, "%s_branch%d", name, i + 1);
		half[0] = kept[i];
		half[1] = zoo_depthwise(z, "depthwise", worked[i], zoo_square(3, 1, ZOO_CENTRED));
		y = zoo_global_pool(z, "pool", half[1]);
		y = gate(z, "gate", y, zoo_channels(z, y) / SQUEEZED, zoo_channels(z, y));
		half[1] = zoo_binary(z, "Mul", "scale", half[1], y);
		x[i] = zoo_channel_shuffle(z, zoo_concat(z, "concat", 2, half), 2);
	}
}

/* ---- Branches ---- */

static int exchange(struct zoo *z, const int *x, int from, int to)
{
	const int channels = zoo_channels(z, x[to]);
	char name[16];
	int y = x[from];

	if (from > to)
		return zoo_resize_nearest(z, "resize", zoo_conv(z, "conv", y, channels, zoo_pointwise()), 1 << (from - to));
	for (int i = from + 1; i < to; i++) {
		snprintf(name, sizeof name, "down%d", i - from);
		y = zoo_separable(z, name, y, zoo_channels(z, y), 2, ZOO_RELU);
	}
	snprintf(name, sizeof name, "down%d", to - from);
	return zoo_separable(z, name, y, channels, 2, ZOO_LINEAR);
}

/* What comes from the largest branch counts twice, and the others get of it what it has got of them. */
static void exchange_all(struct zoo *z, const char *module, int n, int *x)
{
	int after[BRANCHES];

	for (int to = 0; to < n; to++) {
		int sum = -1;

		for (int from = 0; from < n; from++) {
			char name[16];
			int y;

			zoo_scope(z, "%s_from%d_to%d", module, from + 1, to + 1);
			y = from == to ? x[from] : exchange(z, x, from, to);
			zoo_scope(z, "%s_to%d", module, to + 1);
			snprintf(name, sizeof name, "add%d", from + 1);
			sum = zoo_binary(z, "Add", name, from == 0 ? y : sum, y);
		}
		if (to == 0)
			x[0] = sum;
		after[to] = zoo_act(z, ZOO_RELU, sum);
	}
	for (int i = 0; i < n; i++)
		x[i] = after[i];
}

/* The smallest branch yet gives one of half its size; the first two are made of the stem. */
static void add_branch(struct zoo *z, int n, int *x)
{
	const int smallest = x[n - 2];

	zoo_scope(z, "transition%d", n);
	if (n == 2)
		x[0] = zoo_separable(z, "same", smallest, WIDTH, 1, ZOO_RELU);
	x[n - 1] = zoo_separable(z, "down", smallest, WIDTH << (n - 1), 2, ZOO_RELU);
}

/* From the smallest branch up: each is as narrow as the next one, which it is added to. */
static void head(struct zoo *z, int *x)
{
	int y = -1;

	zoo_block(z);
	for (int i = BRANCHES - 1; i >= 0; i--) {
		zoo_scope(z, "head%d", i + 1);
		if (i < BRANCHES - 1) {
			y = zoo_resize_bilinear_to(z, "resize", y, zoo_height(z, x[i]), zoo_width(z, x[i]));
			x[i] = zoo_binary(z, "Add", "add", x[i], y);
		}
		y = x[i] = zoo_separable(z, "conv", x[i], i == 0 ? WIDTH : WIDTH << (i - 1), 1, ZOO_RELU);
	}
}

void zoo_lite_hrnet_18(struct zoo *z, int size, int level[ZOO_LITE_HRNET_LEVELS])
{
	static const int n_modules[] = {2, 4, 2};
	int index = 0;

	level[0] = stem(z, size);
	for (int n = 2; n <= BRANCHES; n++)
		for (int module = 0; module < n_modules[n - 2]; module++) {
			char name[32];

			zoo_block(z);
			if (module == 0)
				add_branch(z, n, level);
			index++;
			for (int i = 1; i <= UNITS; i++) {
				snprintf(name, sizeof name, "module%d_unit%d", index, i);
				unit(z, name, n, level);
			}
			snprintf(name, sizeof name, "module%d", index);
			exchange_all(z, name, n, level);
		}
	head(z, level);
}
