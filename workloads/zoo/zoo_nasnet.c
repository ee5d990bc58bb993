/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * NASNet-A mobile: cells that combine what the two cells before them computed.
 * As in TF-slim whatever begins with a ReLU has one of its own, also where
 * several read the same.
 */
#include "zoo_blocks.h"

enum { SUMS = 5, STATES = SUMS + 2, TEXT_MAX = 48 };

/* State 0 is what the cell before computed, state 1 what the one before that did, each at the cell's width; 2 to 6 are the sums. */
struct term {
	enum { SEPARABLE, AVERAGE, MAXIMUM, AS_IS } kind;
	int kernel, state;
};

/* A cell with stride 2 has it where states 0 and 1 are read; the states from `kept` on are joined. */
struct cell {
	int stride, kept;
	struct term term[SUMS][2];
};

static const struct cell normal = {1, 1, {
	{{SEPARABLE, 5, 0}, {SEPARABLE, 3, 1}}, {{SEPARABLE, 5, 1}, {SEPARABLE, 3, 1}}, {{AVERAGE, 3, 0}, {AS_IS, 1, 1}},
	{{AVERAGE, 3, 1}, {AVERAGE, 3, 1}}, {{SEPARABLE, 3, 0}, {AS_IS, 1, 0}}
}};
static const struct cell reduction = {2, 3, {
	{{SEPARABLE, 5, 0}, {SEPARABLE, 7, 1}}, {{MAXIMUM, 3, 0}, {SEPARABLE, 7, 1}}, {{AVERAGE, 3, 0}, {SEPARABLE, 5, 1}},
	{{AS_IS, 1, 3}, {AVERAGE, 3, 2}}, {{SEPARABLE, 3, 2}, {MAXIMUM, 3, 0}}
}};

static int relu(struct zoo *z, const char *name, int x)
{
	char full[TEXT_MAX];

	snprintf(full, sizeof full, "%s_relu", name);
	return zoo_unary(z, "Relu", full, x);
}

/* Twice a depthwise and a 1x1 convolution. */
static int separable(struct zoo *z, const char *name, int x, int channels, int kernel, int stride)
{
	char part[24], depthwise[TEXT_MAX];

	for (int i = 1; i <= 2; i++) {
		snprintf(part, sizeof part, "%s_conv%d", name, i);
		snprintf(depthwise, sizeof depthwise, "%s_depthwise", part);
		x = zoo_depthwise(z, depthwise, relu(z, part, x), zoo_square(kernel, i == 1 ? stride : 1, ZOO_SAME));
		x = zoo_conv(z, part, x, channels, zoo_pointwise());
	}
	return x;
}

static int term(struct zoo *z, const char *name, const struct term *t, int x, int channels, int stride)
{
	switch (t->kind) {
	case SEPARABLE: return separable(z, name, x, channels, t->kernel, stride);
	case AVERAGE: return zoo_avg_pool(z, name, x, zoo_square(t->kernel, stride, ZOO_SAME));
	case MAXIMUM: return zoo_max_pool(z, name, x, zoo_square(t->kernel, stride, ZOO_SAME));
	case AS_IS: break;
	}
	return x;
}

/* Half of the channels from even rows and columns, the other half from odd ones. What normalises comes after the Concat. */
static int halve(struct zoo *z, int x, int channels)
{
	const struct zoo_window every_second = zoo_square(1, 2, ZOO_VALID);
	int b[2];

	x = relu(z, "former", x);
	b[0] = zoo_conv(z, "former_even", zoo_avg_pool(z, "former_even_pool", x, every_second), channels / 2, zoo_pointwise());
	x = zoo_avg_pool(z, "former_odd_pool", zoo_shift(z, "former_shift", x), every_second);
	b[1] = zoo_conv(z, "former_odd", x, channels / 2, zoo_pointwise());
	return zoo_unary(z, "BatchNormalization", "former_norm", zoo_concat(z, "former_concat", 2, b));
}

static int cell(struct zoo *z, const struct cell *cell, int x, int former, int channels)
{
	int state[STATES];
	char name[16];

	if (zoo_height(z, former) != zoo_height(z, x))
		former = halve(z, former, channels);
	else if (former != x && zoo_channels(z, former) != channels)
		former = zoo_conv(z, "former", relu(z, "former", former), channels, zoo_pointwise());
	state[0] = zoo_conv(z, "begin", relu(z, "begin", x), channels, zoo_pointwise());
	state[1] = former;
	for (int i = 0; i < SUMS; i++) {
		int side[2];

		for (int k = 0; k < 2; k++) {
			const struct term *t = &cell->term[i][k];

			snprintf(name, sizeof name, "%s%d", k ? "right" : "left", i + 1);
			side[k] = term(z, name, t, state[t->state], channels, t->state < 2 ? cell->stride : 1);
		}
		snprintf(name, sizeof name, "add%d", i + 1);
		state[2 + i] = zoo_binary(z, "Add", name, side[0], side[1]);
	}
	return zoo_concat(z, "concat", STATES - cell->kept, state + cell->kept);
}

/* Blocks: the stem, every cell, the classifier. */
static void nasnet_mobile(struct zoo *z)
{
	/* Two cells that reduce after the stem, and one before the fifth and the ninth of twelve others. */
	static const struct { const struct cell *cell; int n, channels; } stage[] = {
		{&reduction, 1, 11}, {&reduction, 1, 22}, {&normal, 4, 44}, {&reduction, 1, 88}, {&normal, 4, 88},
		{&reduction, 1, 176}, {&normal, 4, 176}
	};
	int x = zoo_input(z, "image", 224, 224, 3), former, number = 0;

	zoo_block(z);
	x = former = zoo_conv(z, "stem", x, 32, zoo_square(3, 2, ZOO_VALID));
	for (int i = 0; i < 7; i++)
		for (int j = 0; j < stage[i].n; j++) {
			int y;

			zoo_block(z);
			zoo_scope(z, "cell%d", ++number);
			y = cell(z, stage[i].cell, x, former, stage[i].channels);
			former = x;
			x = y;
		}
	zoo_block(z);
	zoo_output(z, zoo_fc_softmax(z, zoo_mean(z, "mean", relu(z, "mean", x)), 1001));
}

const struct zoo_network zoo_nasnet_networks[] = {
	{"nasnet_mobile", "NASNet-A mobile (4 @ 1056), 224x224",
	 "Zoph et al., Learning Transferable Architectures for Scalable Image Recognition, CVPR 2018, as in TF-slim; count: the "
	 "paper's Table 3, 0.564 GMAC, 5.3 M parameters", nasnet_mobile},
	{0}
};
