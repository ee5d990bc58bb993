/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Residual networks, and two of their kin, as tf2cv (imgclsmob) builds them:
 * ResNet, ResNeXt and SE-ResNet with TensorFlow's padding, PreResNet and
 * SE-PreResNet with a Pad before every window; DiracNet, BagNet.
 */
#include "zoo_tf2cv.h"

enum { N_STAGES = 4, LAST_WIDTH = 512 };

/* What the members of a family share: what is beside the shortcut, whether normalisation and ReLU come before it and
 * not behind the sum, and squeeze-and-excitation behind it. */
struct family {
	int (*body)(struct zoo *z, int x, struct zoo_residual r);
	bool preact, excited;
};

/* stem, mid, out: channels; mid and out are those of the first stage and double from one to the next. */
struct member {
	int n_units[N_STAGES];
	int stem, mid, out, group;
};

static int stem(struct zoo *z, int channels, bool padded)
{
	int x = zoo_tf2cv_image(z);

	zoo_block(z);
	if (padded)
		x = zoo_tf2cv_conv(z, "stem", x, channels, 7, 2, ZOO_RELU);
	else
		x = zoo_conv_act(z, "stem", x, channels, zoo_square(7, 2, ZOO_SAME), ZOO_RELU);
	return zoo_max_pool(z, "stem_pool", x, zoo_square(3, 2, ZOO_SAME));
}

/* The normalisation follows a sum or a pooling, so it stays. */
static int norm_relu(struct zoo *z, int x)
{
	return zoo_act(z, ZOO_RELU, zoo_unary(z, "BatchNormalization", "norm", x));
}

/* ---- units ---- */

static int basic_body(struct zoo *z, int x, struct zoo_residual r)
{
	x = zoo_conv_act(z, "conv1", x, r.mid, zoo_square(3, r.stride, ZOO_SAME), ZOO_RELU);
	return zoo_conv(z, "conv2", x, r.out, zoo_square(3, 1, ZOO_SAME));
}

static int bottleneck_body(struct zoo *z, int x, struct zoo_residual r)
{
	x = zoo_conv_act(z, "conv1", x, r.mid, zoo_pointwise(), ZOO_RELU);
	x = zoo_conv_grouped(z, "conv2", x, r.mid, zoo_square(3, r.stride, ZOO_SAME), r.group);
	return zoo_conv(z, "conv3", zoo_act(z, ZOO_RELU, x), r.out, zoo_pointwise());
}

static int preact_body(struct zoo *z, int x, struct zoo_residual r)
{
	x = zoo_tf2cv_conv(z, "conv1", x, r.mid, 3, r.stride, ZOO_RELU);
	return zoo_tf2cv_conv(z, "conv2", x, r.out, 3, 1, ZOO_LINEAR);
}

static int preact_bottleneck_body(struct zoo *z, int x, struct zoo_residual r)
{
	x = zoo_conv_act(z, "conv1", x, r.mid, zoo_pointwise(), ZOO_RELU);
	x = zoo_tf2cv_conv(z, "conv2", x, r.mid, 3, r.stride, ZOO_RELU);
	return zoo_conv(z, "conv3", x, r.out, zoo_pointwise());
}

static int unit(struct zoo *z, int x, const struct family *family, struct zoo_residual r)
{
	int active = family->preact ? norm_relu(z, x) : x;
	int shortcut = zoo_shortcut(z, x, active, r.out, r.stride);
	int y = family->body(z, active, r);

	if (family->excited)
		y = zoo_tf2cv_excite(z, y, r.out / 16, ZOO_GATE_SIGMOID);
	y = zoo_binary(z, "Add", "add", y, shortcut);
	return family->preact ? y : zoo_act(z, ZOO_RELU, y);
}

/* ---- families and members ---- */

/* The last unit of a narrow network isn't narrow. */
static void residual(struct zoo *z, const struct family *family, const struct member *m)
{
	int x = stem(z, m->stem, family->preact), index = 0;

	for (int stage = 0; stage < N_STAGES; stage++)
		for (int i = 0; i < m->n_units[stage]; i++) {
			struct zoo_residual r = {.mid = m->mid << stage, .out = m->out << stage, .group = m->group};

			r.stride = stage > 0 && i == 0 ? 2 : 1;
			if (stage == N_STAGES - 1 && i == m->n_units[stage] - 1 && r.out < LAST_WIDTH)
				r.mid = r.out = LAST_WIDTH;
			zoo_tf2cv_unit(z, index++);
			x = unit(z, x, family, r);
		}
	zoo_block(z);
	zoo_tf2cv_mean_fc(z, family->preact ? norm_relu(z, x) : x);
}

static const struct family basic = {basic_body, false, false}, excited = {basic_body, false, true};
static const struct family bottleneck = {bottleneck_body, false, false};
static const struct family preact = {preact_body, true, false}, preact_excited = {preact_body, true, true};
static const struct family preact_bottleneck = {preact_bottleneck_body, true, false};

#define MEMBER(name, family, ...) \
	static void name(struct zoo *z) { residual(z, &(family), &(const struct member)__VA_ARGS__); }

MEMBER(resnet12, basic, {{2, 1, 1, 1}, 64, 64, 64, 1})
MEMBER(resnet14, basic, {{2, 2, 1, 1}, 64, 64, 64, 1})
MEMBER(resnet18_w3d4, basic, {{2, 2, 2, 2}, 48, 48, 48, 1})
MEMBER(resnet18_wd2, basic, {{2, 2, 2, 2}, 32, 32, 32, 1})
MEMBER(resnetbc14b, bottleneck, {{1, 1, 1, 1}, 64, 64, 256, 1})
MEMBER(resnext14_16x4d, bottleneck, {{1, 1, 1, 1}, 64, 64, 256, 16})
MEMBER(resnext14_32x4d, bottleneck, {{1, 1, 1, 1}, 64, 128, 256, 32})
MEMBER(seresnet10, excited, {{1, 1, 1, 1}, 64, 64, 64, 1})
MEMBER(seresnet12, excited, {{2, 1, 1, 1}, 64, 64, 64, 1})
MEMBER(seresnet16, excited, {{2, 2, 2, 1}, 64, 64, 64, 1})
MEMBER(seresnet18, excited, {{2, 2, 2, 2}, 64, 64, 64, 1})
MEMBER(preresnet12, preact, {{2, 1, 1, 1}, 64, 64, 64, 1})
MEMBER(preresnet14, preact, {{2, 2, 1, 1}, 64, 64, 64, 1})
MEMBER(preresnet18, preact, {{2, 2, 2, 2}, 64, 64, 64, 1})
MEMBER(preresnet18_w3d4, preact, {{2, 2, 2, 2}, 48, 48, 48, 1})
MEMBER(preresnet18_wd2, preact, {{2, 2, 2, 2}, 32, 32, 32, 1})
MEMBER(preresnet18_wd4, preact, {{2, 2, 2, 2}, 16, 16, 16, 1})
MEMBER(preresnetbc26b, preact_bottleneck, {{2, 2, 2, 2}, 64, 64, 256, 1})
MEMBER(sepreresnet14, preact_excited, {{2, 2, 1, 1}, 64, 64, 64, 1})
MEMBER(sepreresnet16, preact_excited, {{2, 2, 2, 1}, 64, 64, 64, 1})

/* ---- DiracNet: residual networks without what they are named after ---- */

/* Four convolutions in a row, each with its ReLU before it, and a pooling; the identity is in the weights. */
static void diracnet18_v2(struct zoo *z)
{
	char name[16];
	int x = zoo_tf2cv_image(z);

	zoo_block(z);
	x = zoo_tf2cv_conv(z, "stem", x, 64, 7, 2, ZOO_LINEAR);
	x = zoo_max_pool(z, "stem_pool", x, zoo_square(3, 2, ZOO_SAME));
	for (int stage = 0; stage < N_STAGES; stage++) {
		zoo_block(z);
		zoo_scope(z, "stage%d", stage + 1);
		for (int i = 1; i <= 4; i++) {
			snprintf(name, sizeof name, "conv%d", i);
			x = zoo_tf2cv_conv(z, name, zoo_act(z, ZOO_RELU, x), 64 << stage, 3, 1, ZOO_LINEAR);
		}
		if (stage < N_STAGES - 1)
			x = zoo_max_pool(z, "pool", x, zoo_square(2, 2, ZOO_VALID));
	}
	zoo_block(z);
	zoo_tf2cv_mean_fc(z, zoo_act(z, ZOO_RELU, x));
}

/* ---- BagNet ---- */

/* Nothing is padded: what goes around a 3x3 window loses its last row and column. */
static int bag_unit(struct zoo *z, int x, int kernel, struct zoo_residual r)
{
	int shortcut = zoo_shortcut(z, x, x, r.out, r.stride);
	int y = zoo_conv_act(z, "conv1", x, r.mid, zoo_pointwise(), ZOO_RELU);

	y = zoo_conv_act(z, "conv2", y, r.mid, zoo_square(kernel, r.stride, ZOO_VALID), ZOO_RELU);
	y = zoo_conv(z, "conv3", y, r.out, zoo_pointwise());
	if (zoo_height(z, shortcut) != zoo_height(z, y))
		shortcut = zoo_crop(z, "crop", shortcut, zoo_height(z, y), zoo_width(z, y));
	return zoo_act(z, ZOO_RELU, zoo_binary(z, "Add", "add", y, shortcut));
}

/* Windows of 3x3 are in the stem and the first units of two stages, so that nothing sees more than 9x9 of the image. */
static void bagnet9(struct zoo *z)
{
	static const int n_units[N_STAGES] = {3, 4, 6, 3};
	int x = zoo_tf2cv_image(z), index = 0;

	zoo_block(z);
	x = zoo_conv(z, "stem1", x, 64, zoo_pointwise());
	x = zoo_conv_act(z, "stem2", x, 64, zoo_square(3, 1, ZOO_VALID), ZOO_RELU);
	for (int stage = 0; stage < N_STAGES; stage++)
		for (int i = 0; i < n_units[stage]; i++) {
			struct zoo_residual r = {.mid = 64 << stage, .out = 256 << stage, .stride = i == 0 && stage < 3 ? 2 : 1};

			zoo_tf2cv_unit(z, index++);
			x = bag_unit(z, x, i == 0 && stage < 2 ? 3 : 1, r);
		}
	zoo_block(z);
	zoo_tf2cv_mean_fc(z, x);
}

#define HE2016 "He et al., Deep Residual Learning for Image Recognition, CVPR 2016" ZOO_TF2CV
#define PREACT "He et al., Identity Mappings in Deep Residual Networks, ECCV 2016" ZOO_TF2CV
#define HU2018 "Hu et al., Squeeze-and-Excitation Networks, CVPR 2018" ZOO_TF2CV
#define XIE2017 "Xie et al., Aggregated Residual Transformations for Deep Neural Networks, CVPR 2017" ZOO_TF2CV

const struct zoo_network zoo_resnet_tf2cv_networks[] = {
	{"resnet12", "ResNet-12, 224x224", HE2016 "1.121 GMAC, 5.49 M parameters", resnet12},
	{"resnet14", "ResNet-14, 224x224", HE2016 "1.353 GMAC, 5.79 M parameters", resnet14},
	{"resnet18_0.75", "ResNet-18 0.75, 224x224", HE2016 "1.125 GMAC, 8.48 M parameters", resnet18_w3d4},
	{"resnet18_0.5", "ResNet-18 0.5, 224x224", HE2016 "0.606 GMAC, 5.80 M parameters", resnet18_wd2},
	{"resnetbc14b", "ResNet-BC-14b, bottlenecks, 224x224", HE2016 "1.470 GMAC, 10.06 M parameters", resnetbc14b},
	{"resnext14_16x4d", "ResNeXt-14 16x4d, 224x224", XIE2017 "1.036 GMAC, 7.12 M parameters", resnext14_16x4d},
	{"resnext14_32x4d", "ResNeXt-14 32x4d, 224x224", XIE2017 "1.592 GMAC, 9.40 M parameters", resnext14_32x4d},
	{"seresnet10", "SE-ResNet-10, 224x224", HU2018 "0.891 GMAC, 5.46 M parameters", seresnet10},
	{"seresnet12", "SE-ResNet-12, 224x224", HU2018 "1.122 GMAC, 5.54 M parameters", seresnet12},
	{"seresnet16", "SE-ResNet-16, 224x224", HU2018 "1.583 GMAC, 7.01 M parameters", seresnet16},
	{"seresnet18", "SE-ResNet-18, 224x224", HU2018 "1.816 GMAC, 11.78 M parameters", seresnet18},
	{"preresnet12", "PreResNet-12, pre-activation, 224x224", PREACT "1.121 GMAC, 5.49 M parameters", preresnet12},
	{"preresnet14", "PreResNet-14, pre-activation, 224x224", PREACT "1.353 GMAC, 5.79 M parameters", preresnet14},
	{"preresnet18", "PreResNet-18, pre-activation, 224x224", PREACT "1.814 GMAC, 11.69 M parameters", preresnet18},
	{"preresnet18_0.75", "PreResNet-18 0.75, pre-activation, 224x224", PREACT "1.125 GMAC, 8.47 M parameters", preresnet18_w3d4},
	{"preresnet18_0.5", "PreResNet-18 0.5, pre-activation, 224x224", PREACT "0.606 GMAC, 5.80 M parameters", preresnet18_wd2},
	{"preresnet18_0.25", "PreResNet-18 0.25, pre-activation, 224x224", PREACT "0.269 GMAC, 3.94 M parameters", preresnet18_wd4},
	{"preresnetbc26b", "PreResNet-BC-26b, pre-activation, bottlenecks, 224x224", PREACT "2.343 GMAC, 15.99 M parameters", preresnetbc26b},
	{"sepreresnet14", "SE-PreResNet-14, pre-activation, 224x224", HU2018 "1.353 GMAC, 5.83 M parameters", sepreresnet14},
	{"sepreresnet16", "SE-PreResNet-16, pre-activation, 224x224", HU2018 "1.585 GMAC, 7.02 M parameters", sepreresnet16},
	{"diracnet18_v2", "DiracNet-18 V2, 224x224",
	 "Zagoruyko and Komodakis, DiracNets: Training Very Deep Neural Networks Without Skip-Connections, 2017" ZOO_TF2CV
	 "1.797 GMAC, 11.51 M parameters", diracnet18_v2},
	{"bagnet9", "BagNet-9, 224x224",
	 "Brendel and Bethge, Approximating CNNs with Bag-of-local-Features models works surprisingly well on ImageNet, ICLR 2019" ZOO_TF2CV
	 "15.93 GMAC, 15.67 M parameters", bagnet9},
	{0}
};
