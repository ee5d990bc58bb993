/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * ESNet, a ShuffleNet V2 with squeeze and excitation: the backbone of PP-PicoDet in 2021, and by
 * itself in four widths.
 */
#include "zoo_paddle.h"

static int unit_of(struct zoo *z, int x, int mid, int out)
{
	int b[2], half[2];

	zoo_split(z, "split", x, 2, b);
	half[0] = zoo_paddle_conv(z, "expand", b[1], mid / 2, 1, 1);
	half[1] = zoo_depthwise(z, "depthwise", half[0], zoo_square(3, 1, ZOO_CENTRED));
	b[1] = zoo_paddle_excite(z, zoo_concat(z, "halves", 2, half), true);
	b[1] = zoo_paddle_conv(z, "project", b[1], out / 2, 1, 1);
	return zoo_channel_shuffle(z, zoo_concat(z, "concat", 2, b), 2);
}

static int first_unit(struct zoo *z, int x, int mid, int out)
{
	int b[2];

	b[0] = zoo_depthwise(z, "shortcut_depthwise", x, zoo_square(3, 2, ZOO_CENTRED));
	b[0] = zoo_paddle_conv(z, "shortcut", b[0], out / 2, 1, 1);
	b[1] = zoo_paddle_conv(z, "expand", x, mid / 2, 1, 1);
	b[1] = zoo_paddle_excite(z, zoo_depthwise(z, "depthwise", b[1], zoo_square(3, 2, ZOO_CENTRED)), true);
	b[1] = zoo_paddle_conv(z, "project", b[1], out / 2, 1, 1);
	return zoo_paddle_separable(z, 1, zoo_concat(z, "concat", 2, b), out, 3, 1, false);
}

void zoo_esnet(struct zoo *z, int size, const int width[ZOO_PADDLE_SCALES], const int ratio[ZOO_ESNET_UNITS], int level[ZOO_PADDLE_SCALES])
{
	static const int n_units[ZOO_PADDLE_SCALES] = {3, 7, 3};
	int x = zoo_input(z, "image", size, size, 3), unit = 0;

	zoo_block(z);
	x = zoo_max_pool(z, "pool", zoo_paddle_conv(z, "stem", x, 24, 3, 2), zoo_square(3, 2, ZOO_CENTRED));
	for (int s = 0; s < ZOO_PADDLE_SCALES; s++) {
		for (int i = 0; i < n_units[s]; i++, unit++) {
			const int mid = zoo_round8(width[s] * ratio[unit] / 8, 100);

			zoo_block(z);
			zoo_scope(z, "unit%d", unit + 1);
			x = i == 0 ? first_unit(z, x, mid, width[s]) : unit_of(z, x, mid, width[s]);
		}
		level[s] = x;
	}
}

static void classifier(struct zoo *z, int width_percent)
{
	static const int all[ZOO_ESNET_UNITS] = {8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8}, full[ZOO_PADDLE_SCALES] = {116, 232, 464};
	int width[ZOO_PADDLE_SCALES], level[ZOO_PADDLE_SCALES], x;

	for (int s = 0; s < ZOO_PADDLE_SCALES; s++)
		width[s] = zoo_round8(full[s], width_percent);
	zoo_esnet(z, 224, width, all, level);
	zoo_block(z);
	x = zoo_paddle_conv(z, "wide", level[ZOO_PADDLE_SCALES - 1], 1024, 1, 1);
	x = zoo_conv_no_bias(z, "hidden", zoo_global_pool(z, "mean", x), 1280, zoo_pointwise());
	zoo_output(z, zoo_fc_softmax(z, zoo_act(z, ZOO_HARD_SWISH, x), 1000));
}

static void esnet_0_25(struct zoo *z) { classifier(z, 25); }
static void esnet_0_5(struct zoo *z) { classifier(z, 50); }
static void esnet_0_75(struct zoo *z) { classifier(z, 75); }
static void esnet_1_0(struct zoo *z) { classifier(z, 100); }

#define PAPER "Yu et al., PP-PicoDet: A Better Real-Time Object Detector on Mobile Devices, 2021 (ESNet), as in PaddleClas; count: its table, "

const struct zoo_network zoo_esnet_networks[] = {
	{"esnet_0.25", "ESNet 0.25, 224x224", PAPER "30.85 MFLOP, 2.83 M parameters", esnet_0_25},
	{"esnet_0.5", "ESNet 0.5, 224x224", PAPER "67.31 MFLOP, 3.25 M parameters", esnet_0_5},
	{"esnet_0.75", "ESNet 0.75, 224x224", PAPER "123.74 MFLOP, 3.87 M parameters", esnet_0_75},
	{"esnet_1.0", "ESNet 1.0, 224x224", PAPER "197.33 MFLOP, 4.64 M parameters", esnet_1_0},
	{0}
};
