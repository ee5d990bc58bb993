/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Residual networks, and two of their kin, as tf2cv (imgclsmob) builds them:
 * ResNet, ResNet(A), ResNeXt and SE-ResNet with TensorFlow's padding, PreResNet and
 * SE-PreResNet with a Pad before every window; DiracNet, BagNet.
 */
#include "zoo_tf2cv.h"

enum { N_STAGES = 4, LAST_WIDTH = 512 };

/* What the members of a family share: what is beside the shortcut, whether normalisation and ReLU come before it and
 * not behind the sum, squeeze-and-excitation behind it, and (ResNet(A)) shortcuts that average what they skip, behind a
 * stem of three convolutions. */
struct family {
	int (*body)(struct zoo *z, int x, struct zoo_residual r);
	bool preact, excited, averaged;
};

/* stem, mid, out: channels; mid and out are those of the first stage and double from one to the next. */
struct member {
	int n_units[N_STAGES];
	int stem, mid, out, group;
};

static int stem(struct zoo *z, int channels, const struct family *family)
{
	int x = zoo_tf2cv_image(z);

	zoo_block(z);
	if (family->averaged) {
		x = zoo_conv_act(z, "stem1", x, channels / 2, zoo_square(3, 2, ZOO_SAME), ZOO_RELU);
		x = zoo_conv_act(z, "stem2", x, channels / 2, zoo_square(3, 1, ZOO_SAME), ZOO_RELU);
		x = zoo_conv_act(z, "stem3", x, channels, zoo_square(3, 1, ZOO_SAME), ZOO_RELU);
	} else if (family->preact)
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

/* An average that skips pixels is two operators: tf2cv's pooling has the windows in one and the stride in the other. */
static int averaged_shortcut(struct zoo *z, int x, struct zoo_residual r)
{
	if (zoo_channels(z, x) == r.out && r.stride == 1)
		return x;
	x = zoo_avg_pool(z, "shortcut_pool", x, zoo_square(r.stride, 1, ZOO_VALID));
	if (r.stride > 1)
		x = zoo_avg_pool(z, "shortcut_stride", x, zoo_square(1, r.stride, ZOO_VALID));
	return zoo_conv(z, "shortcut", x, r.out, zoo_pointwise());
}

static int unit(struct zoo *z, int x, const struct family *family, struct zoo_residual r)
{
	int active = family->preact ? norm_relu(z, x) : x;
	int y = family->body(z, active, r), mean = family->excited ? zoo_mean(z, "se_mean", y) : -1, shortcut;

	shortcut = family->averaged ? averaged_shortcut(z, x, r) : zoo_shortcut(z, x, active, r.out, r.stride);
	if (family->excited)
		y = zoo_tf2cv_excite_by(z, y, mean, r.out / 16, ZOO_RELU, ZOO_GATE_SIGMOID);
	y = zoo_binary(z, "Add", "add", y, shortcut);
	return family->preact ? y : zoo_act(z, ZOO_RELU, y);
}

/* ---- families and members ---- */

/* The last unit of a narrow network isn't narrow. */
static void residual(struct zoo *z, const struct family *family, const struct member *m)
{
	int x = stem(z, m->stem, family), index = 0;

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

static const struct family basic = {.body = basic_body}, bottleneck = {.body = bottleneck_body};
static const struct family averaged = {.body = basic_body, .averaged = true};
static const struct family averaged_bottleneck = {.body = bottleneck_body, .averaged = true};
static const struct family excited = {.body = basic_body, .excited = true};
static const struct family excited_bottleneck = {.body = bottleneck_body, .excited = true};
static const struct family preact = {.body = preact_body, .preact = true};
static const struct family preact_bottleneck = {.body = preact_bottleneck_body, .preact = true};
static const struct family preact_excited = {.body = preact_body, .preact = true, .excited = true};
static const struct family preact_excited_bottleneck = {.body = preact_bottleneck_body, .preact = true, .excited = true};

#define MEMBER(name, family, ...) \
	static void name(struct zoo *z) { residual(z, &(family), &(const struct member)__VA_ARGS__); }

MEMBER(resnet10, basic, {{1, 1, 1, 1}, 64, 64, 64, 1})
MEMBER(resnet12, basic, {{2, 1, 1, 1}, 64, 64, 64, 1})
MEMBER(resnet14, basic, {{2, 2, 1, 1}, 64, 64, 64, 1})
MEMBER(resnet16, basic, {{2, 2, 2, 1}, 64, 64, 64, 1})
MEMBER(resnet18_w3d4, basic, {{2, 2, 2, 2}, 48, 48, 48, 1})
MEMBER(resnet18_wd2, basic, {{2, 2, 2, 2}, 32, 32, 32, 1})
MEMBER(resnet18_wd4, basic, {{2, 2, 2, 2}, 16, 16, 16, 1})
MEMBER(resnet26_basic, basic, {{3, 3, 3, 3}, 64, 64, 64, 1})
MEMBER(resnetbc14b, bottleneck, {{1, 1, 1, 1}, 64, 64, 256, 1})
MEMBER(resnetbc38b, bottleneck, {{3, 3, 3, 3}, 64, 64, 256, 1})
MEMBER(resneta10, averaged, {{1, 1, 1, 1}, 64, 64, 64, 1})
MEMBER(resneta18, averaged, {{2, 2, 2, 2}, 64, 64, 64, 1})
MEMBER(resnetabc14b, averaged_bottleneck, {{1, 1, 1, 1}, 64, 64, 256, 1})
MEMBER(resneta50b, averaged_bottleneck, {{3, 4, 6, 3}, 64, 64, 256, 1})
MEMBER(resnext14_16x4d, bottleneck, {{1, 1, 1, 1}, 64, 64, 256, 16})
MEMBER(resnext14_32x2d, bottleneck, {{1, 1, 1, 1}, 64, 64, 256, 32})
MEMBER(resnext14_32x4d, bottleneck, {{1, 1, 1, 1}, 64, 128, 256, 32})
MEMBER(resnext26_16x4d, bottleneck, {{2, 2, 2, 2}, 64, 64, 256, 16})
MEMBER(resnext26_32x2d, bottleneck, {{2, 2, 2, 2}, 64, 64, 256, 32})
MEMBER(resnext26_32x4d, bottleneck, {{2, 2, 2, 2}, 64, 128, 256, 32})
MEMBER(resnext38_32x4d, bottleneck, {{3, 3, 3, 3}, 64, 128, 256, 32})
MEMBER(seresnet10, excited, {{1, 1, 1, 1}, 64, 64, 64, 1})
MEMBER(seresnet12, excited, {{2, 1, 1, 1}, 64, 64, 64, 1})
MEMBER(seresnet14, excited, {{2, 2, 1, 1}, 64, 64, 64, 1})
MEMBER(seresnet16, excited, {{2, 2, 2, 1}, 64, 64, 64, 1})
MEMBER(seresnet18, excited, {{2, 2, 2, 2}, 64, 64, 64, 1})
MEMBER(seresnet26, excited, {{3, 3, 3, 3}, 64, 64, 64, 1})
MEMBER(seresnet34, excited, {{3, 4, 6, 3}, 64, 64, 64, 1})
MEMBER(seresnetbc26b, excited_bottleneck, {{2, 2, 2, 2}, 64, 64, 256, 1})
MEMBER(seresnetbc38b, excited_bottleneck, {{3, 3, 3, 3}, 64, 64, 256, 1})
MEMBER(seresnet50b, excited_bottleneck, {{3, 4, 6, 3}, 64, 64, 256, 1})
MEMBER(seresnext50_32x4d, excited_bottleneck, {{3, 4, 6, 3}, 64, 128, 256, 32})
MEMBER(preresnet10, preact, {{1, 1, 1, 1}, 64, 64, 64, 1})
MEMBER(preresnet12, preact, {{2, 1, 1, 1}, 64, 64, 64, 1})
MEMBER(preresnet14, preact, {{2, 2, 1, 1}, 64, 64, 64, 1})
MEMBER(preresnet16, preact, {{2, 2, 2, 1}, 64, 64, 64, 1})
MEMBER(preresnet18, preact, {{2, 2, 2, 2}, 64, 64, 64, 1})
MEMBER(preresnet18_w3d4, preact, {{2, 2, 2, 2}, 48, 48, 48, 1})
MEMBER(preresnet18_wd2, preact, {{2, 2, 2, 2}, 32, 32, 32, 1})
MEMBER(preresnet18_wd4, preact, {{2, 2, 2, 2}, 16, 16, 16, 1})
MEMBER(preresnet26, preact, {{3, 3, 3, 3}, 64, 64, 64, 1})
MEMBER(preresnet34, preact, {{3, 4, 6, 3}, 64, 64, 64, 1})
MEMBER(preresnetbc14b, preact_bottleneck, {{1, 1, 1, 1}, 64, 64, 256, 1})
MEMBER(preresnetbc26b, preact_bottleneck, {{2, 2, 2, 2}, 64, 64, 256, 1})
MEMBER(preresnetbc38b, preact_bottleneck, {{3, 3, 3, 3}, 64, 64, 256, 1})
MEMBER(preresnet50b, preact_bottleneck, {{3, 4, 6, 3}, 64, 64, 256, 1})
MEMBER(sepreresnet10, preact_excited, {{1, 1, 1, 1}, 64, 64, 64, 1})
MEMBER(sepreresnet12, preact_excited, {{2, 1, 1, 1}, 64, 64, 64, 1})
MEMBER(sepreresnet14, preact_excited, {{2, 2, 1, 1}, 64, 64, 64, 1})
MEMBER(sepreresnet16, preact_excited, {{2, 2, 2, 1}, 64, 64, 64, 1})
MEMBER(sepreresnet18, preact_excited, {{2, 2, 2, 2}, 64, 64, 64, 1})
MEMBER(sepreresnet26, preact_excited, {{3, 3, 3, 3}, 64, 64, 64, 1})
MEMBER(sepreresnet34, preact_excited, {{3, 4, 6, 3}, 64, 64, 64, 1})
MEMBER(sepreresnetbc26b, preact_excited_bottleneck, {{2, 2, 2, 2}, 64, 64, 256, 1})
MEMBER(sepreresnetbc38b, preact_excited_bottleneck, {{3, 3, 3, 3}, 64, 64, 256, 1})
MEMBER(sepreresnet50b, preact_excited_bottleneck, {{3, 4, 6, 3}, 64, 64, 256, 1})

/* ---- DiracNet: residual networks without what they are named after ---- */

/* Stages of convolutions in a row, each with its ReLU before it, and a pooling; the identity is in the weights. */
static void diracnet(struct zoo *z, const int n_convs[N_STAGES])
{
	char name[16];
	int x = zoo_tf2cv_image(z);

	zoo_block(z);
	x = zoo_tf2cv_conv(z, "stem", x, 64, 7, 2, ZOO_LINEAR);
	x = zoo_max_pool(z, "stem_pool", x, zoo_square(3, 2, ZOO_SAME));
	for (int stage = 0; stage < N_STAGES; stage++) {
		zoo_block(z);
		zoo_scope(z, "stage%d", stage + 1);
		for (int i = 1; i <= n_convs[stage]; i++) {
			snprintf(name, sizeof name, "conv%d", i);
			x = zoo_tf2cv_conv(z, name, zoo_act(z, ZOO_RELU, x), 64 << stage, 3, 1, ZOO_LINEAR);
		}
		if (stage < N_STAGES - 1)
			x = zoo_max_pool(z, "pool", x, zoo_square(2, 2, ZOO_VALID));
	}
	zoo_block(z);
	zoo_tf2cv_mean_fc(z, zoo_act(z, ZOO_RELU, x));
}

static void diracnet18_v2(struct zoo *z) { diracnet(z, (const int[]){4, 4, 4, 4}); }
static void diracnet34_v2(struct zoo *z) { diracnet(z, (const int[]){6, 8, 12, 6}); }

/* ---- BagNet ---- */

/* Nothing is padded: what goes around a 3x3 window loses its last row and column. */
static int bag_unit(struct zoo *z, int x, int kernel, struct zoo_residual r)
{
	int y = zoo_conv_act(z, "conv1", x, r.mid, zoo_pointwise(), ZOO_RELU), shortcut;

	y = zoo_conv_act(z, "conv2", y, r.mid, zoo_square(kernel, r.stride, ZOO_VALID), ZOO_RELU);
	y = zoo_conv(z, "conv3", y, r.out, zoo_pointwise());
	shortcut = zoo_shortcut(z, x, x, r.out, r.stride);
	if (zoo_height(z, shortcut) != zoo_height(z, y))
		shortcut = zoo_crop(z, "crop", shortcut, zoo_height(z, y), zoo_width(z, y));
	return zoo_act(z, ZOO_RELU, zoo_binary(z, "Add", "add", y, shortcut));
}

/* Windows of 3x3 are in the stem and the first units of some stages, so that nothing sees more than 9x9 of the image with two
 * of them, 17x17 with three and 33x33 with four. */
static void bagnet(struct zoo *z, int n_wide)
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
			x = bag_unit(z, x, i == 0 && stage < n_wide ? 3 : 1, r);
		}
	zoo_block(z);
	zoo_tf2cv_mean_fc(z, x);
}

static void bagnet9(struct zoo *z) { bagnet(z, 2); }
static void bagnet17(struct zoo *z) { bagnet(z, 3); }
static void bagnet33(struct zoo *z) { bagnet(z, 4); }

#define HE2016 "He et al., Deep Residual Learning for Image Recognition, CVPR 2016"
#define PREACT "He et al., Identity Mappings in Deep Residual Networks, ECCV 2016"
#define HU2018 "Hu et al., Squeeze-and-Excitation Networks, CVPR 2018"
#define XIE2017 "Xie et al., Aggregated Residual Transformations for Deep Neural Networks, CVPR 2017"
#define ZAGORUYKO "Zagoruyko and Komodakis, DiracNets: Training Very Deep Neural Networks Without Skip-Connections, 2017"
#define BRENDEL "Brendel and Bethge, Approximating CNNs with Bag-of-local-Features models works surprisingly well on ImageNet, ICLR 2019"

/* Of those that tf2cv has and its README doesn't list. */
#define UNLISTED ZOO_TF2CV_OF_SOURCE "; count: parameters of tf2cv's tests, MACs here, "

const struct zoo_network zoo_resnet_tf2cv_networks[] = {
	{"resnet10", "ResNet-10, 224x224", HE2016 ZOO_TF2CV_READ "0.889 GMAC, 5.42 M parameters", resnet10},
	{"resnet12", "ResNet-12, 224x224", HE2016 ZOO_TF2CV "1.121 GMAC, 5.49 M parameters", resnet12},
	{"resnet14", "ResNet-14, 224x224", HE2016 ZOO_TF2CV "1.353 GMAC, 5.79 M parameters", resnet14},
	{"resnet16", "ResNet-16, 224x224", HE2016 ZOO_TF2CV_READ "1.583 GMAC, 6.97 M parameters", resnet16},
	{"resnet18_0.75", "ResNet-18 0.75, 224x224", HE2016 ZOO_TF2CV "1.125 GMAC, 8.48 M parameters", resnet18_w3d4},
	{"resnet18_0.5", "ResNet-18 0.5, 224x224", HE2016 ZOO_TF2CV "0.606 GMAC, 5.80 M parameters", resnet18_wd2},
	{"resnet18_0.25", "ResNet-18 0.25, 224x224", HE2016 ZOO_TF2CV_READ "0.269 GMAC, 3.93 M parameters", resnet18_wd4},
	{"resnet26_basic", "ResNet-26, no bottlenecks, 224x224", HE2016 ZOO_TF2CV_READ "2.739 GMAC, 17.95 M parameters", resnet26_basic},
	{"resnetbc14b", "ResNet-BC-14b, bottlenecks, 224x224", HE2016 ZOO_TF2CV "1.470 GMAC, 10.06 M parameters", resnetbc14b},
	{"resnetbc38b", "ResNet-BC-38b, bottlenecks, 224x224", HE2016 ZOO_TF2CV_READ "3.216 GMAC, 21.90 M parameters", resnetbc38b},
	{"resneta10", "ResNet(A)-10, shortcuts average, 224x224", HE2016 ZOO_TF2CV_READ "1.129 GMAC, 5.44 M parameters", resneta10},
	{"resneta18", "ResNet(A)-18, shortcuts average, 224x224", HE2016 ZOO_TF2CV_READ "2.054 GMAC, 11.70 M parameters", resneta18},
	{"resnetabc14b", "ResNet(A)-BC-14b, shortcuts average, bottlenecks, 224x224",
	 HE2016 ZOO_TF2CV_READ "1.708 GMAC, 10.07 M parameters", resnetabc14b},
	{"resneta50b", "ResNet(A)-50b, shortcuts average, 224x224", HE2016 ZOO_TF2CV_READ "4.329 GMAC, 25.55 M parameters", resneta50b},
	{"resnext14_16x4d", "ResNeXt-14 16x4d, 224x224", XIE2017 ZOO_TF2CV "1.036 GMAC, 7.12 M parameters", resnext14_16x4d},
	{"resnext14_32x2d", "ResNeXt-14 32x2d, 224x224", XIE2017 ZOO_TF2CV_READ "1.021 GMAC, 7.02 M parameters", resnext14_32x2d},
	{"resnext14_32x4d", "ResNeXt-14 32x4d, 224x224", XIE2017 ZOO_TF2CV "1.592 GMAC, 9.40 M parameters", resnext14_32x4d},
	{"resnext26_16x4d", "ResNeXt-26 16x4d, 224x224", XIE2017 UNLISTED "1.475 GMAC, 10.10 M parameters", resnext26_16x4d},
	{"resnext26_32x2d", "ResNeXt-26 32x2d, 224x224", XIE2017 ZOO_TF2CV_READ "1.446 GMAC, 9.91 M parameters", resnext26_32x2d},
	{"resnext26_32x4d", "ResNeXt-26 32x4d, 224x224", XIE2017 ZOO_TF2CV_READ "2.471 GMAC, 15.37 M parameters", resnext26_32x4d},
	{"resnext38_32x4d", "ResNeXt-38 32x4d, 224x224", XIE2017 UNLISTED "3.351 GMAC, 21.34 M parameters", resnext38_32x4d},
	{"seresnet10", "SE-ResNet-10, 224x224", HU2018 ZOO_TF2CV "0.891 GMAC, 5.46 M parameters", seresnet10},
	{"seresnet12", "SE-ResNet-12, 224x224", HU2018 ZOO_TF2CV "1.122 GMAC, 5.54 M parameters", seresnet12},
	{"seresnet14", "SE-ResNet-14, 224x224", HU2018 UNLISTED "1.352 GMAC, 5.83 M parameters", seresnet14},
	{"seresnet16", "SE-ResNet-16, 224x224", HU2018 ZOO_TF2CV "1.583 GMAC, 7.01 M parameters", seresnet16},
	{"seresnet18", "SE-ResNet-18, 224x224", HU2018 ZOO_TF2CV "1.816 GMAC, 11.78 M parameters", seresnet18},
	{"seresnet26", "SE-ResNet-26, 224x224", HU2018 ZOO_TF2CV_READ "2.739 GMAC, 18.09 M parameters", seresnet26},
	{"seresnet34", "SE-ResNet-34, 224x224", HU2018 UNLISTED "3.664 GMAC, 21.95 M parameters", seresnet34},
	{"seresnetbc26b", "SE-ResNet-BC-26b, bottlenecks, 224x224", HU2018 ZOO_TF2CV_READ "2.344 GMAC, 17.38 M parameters", seresnetbc26b},
	{"seresnetbc38b", "SE-ResNet-BC-38b, bottlenecks, 224x224", HU2018 ZOO_TF2CV_READ "3.218 GMAC, 24.01 M parameters", seresnetbc38b},
	{"seresnet50b", "SE-ResNet-50b, 224x224", HU2018 ZOO_TF2CV_READ "4.092 GMAC, 28.06 M parameters", seresnet50b},
	{"seresnext50_32x4d", "SE-ResNeXt-50 32x4d, 224x224", HU2018 ZOO_TF2CV_READ "4.233 GMAC, 27.53 M parameters", seresnext50_32x4d},
	{"preresnet10", "PreResNet-10, pre-activation, 224x224", PREACT ZOO_TF2CV_READ "0.889 GMAC, 5.42 M parameters", preresnet10},
	{"preresnet12", "PreResNet-12, pre-activation, 224x224", PREACT ZOO_TF2CV "1.121 GMAC, 5.49 M parameters", preresnet12},
	{"preresnet14", "PreResNet-14, pre-activation, 224x224", PREACT ZOO_TF2CV "1.353 GMAC, 5.79 M parameters", preresnet14},
	{"preresnet16", "PreResNet-16, pre-activation, 224x224", PREACT ZOO_TF2CV_READ "1.583 GMAC, 6.97 M parameters", preresnet16},
	{"preresnet18", "PreResNet-18, pre-activation, 224x224", PREACT ZOO_TF2CV "1.814 GMAC, 11.69 M parameters", preresnet18},
	{"preresnet18_0.75", "PreResNet-18 0.75, pre-activation, 224x224", PREACT ZOO_TF2CV "1.125 GMAC, 8.47 M parameters", preresnet18_w3d4},
	{"preresnet18_0.5", "PreResNet-18 0.5, pre-activation, 224x224", PREACT ZOO_TF2CV "0.606 GMAC, 5.80 M parameters", preresnet18_wd2},
	{"preresnet18_0.25", "PreResNet-18 0.25, pre-activation, 224x224", PREACT ZOO_TF2CV "0.269 GMAC, 3.94 M parameters", preresnet18_wd4},
	{"preresnet26", "PreResNet-26, pre-activation, 224x224", PREACT ZOO_TF2CV_READ "2.739 GMAC, 17.96 M parameters", preresnet26},
	{"preresnet34", "PreResNet-34, pre-activation, 224x224", PREACT ZOO_TF2CV_READ "3.664 GMAC, 21.80 M parameters", preresnet34},
	{"preresnetbc14b", "PreResNet-BC-14b, pre-activation, bottlenecks, 224x224",
	 PREACT ZOO_TF2CV_READ "1.469 GMAC, 10.06 M parameters", preresnetbc14b},
	{"preresnetbc26b", "PreResNet-BC-26b, pre-activation, bottlenecks, 224x224",
	 PREACT ZOO_TF2CV "2.343 GMAC, 15.99 M parameters", preresnetbc26b},
	{"preresnetbc38b", "PreResNet-BC-38b, pre-activation, bottlenecks, 224x224",
	 PREACT ZOO_TF2CV_READ "3.216 GMAC, 21.93 M parameters", preresnetbc38b},
	{"preresnet50b", "PreResNet-50b, pre-activation, bottlenecks, 224x224",
	 PREACT ZOO_TF2CV_READ "4.089 GMAC, 25.56 M parameters", preresnet50b},
	{"sepreresnet10", "SE-PreResNet-10, pre-activation, 224x224", HU2018 ZOO_TF2CV_READ "0.889 GMAC, 5.46 M parameters", sepreresnet10},
	{"sepreresnet12", "SE-PreResNet-12, pre-activation, 224x224", HU2018 UNLISTED "1.120 GMAC, 5.54 M parameters", sepreresnet12},
	{"sepreresnet14", "SE-PreResNet-14, pre-activation, 224x224", HU2018 ZOO_TF2CV "1.353 GMAC, 5.83 M parameters", sepreresnet14},
	{"sepreresnet16", "SE-PreResNet-16, pre-activation, 224x224", HU2018 ZOO_TF2CV "1.585 GMAC, 7.02 M parameters", sepreresnet16},
	{"sepreresnet18", "SE-PreResNet-18, pre-activation, 224x224", HU2018 ZOO_TF2CV_READ "1.814 GMAC, 11.78 M parameters", sepreresnet18},
	{"sepreresnet26", "SE-PreResNet-26, pre-activation, 224x224", HU2018 UNLISTED "2.739 GMAC, 18.09 M parameters", sepreresnet26},
	{"sepreresnet34", "SE-PreResNet-34, pre-activation, 224x224", HU2018 UNLISTED "3.664 GMAC, 21.96 M parameters", sepreresnet34},
	{"sepreresnetbc26b", "SE-PreResNet-BC-26b, pre-activation, bottlenecks, 224x224",
	 HU2018 ZOO_TF2CV_READ "2.344 GMAC, 17.40 M parameters", sepreresnetbc26b},
	{"sepreresnetbc38b", "SE-PreResNet-BC-38b, pre-activation, bottlenecks, 224x224",
	 HU2018 ZOO_TF2CV_READ "3.218 GMAC, 24.03 M parameters", sepreresnetbc38b},
	{"sepreresnet50b", "SE-PreResNet-50b, pre-activation, bottlenecks, 224x224",
	 HU2018 ZOO_TF2CV_READ "4.092 GMAC, 28.09 M parameters", sepreresnet50b},
	{"diracnet18_v2", "DiracNet-18 V2, 224x224", ZAGORUYKO ZOO_TF2CV "1.797 GMAC, 11.51 M parameters", diracnet18_v2},
	{"diracnet34_v2", "DiracNet-34 V2, 224x224", ZAGORUYKO ZOO_TF2CV_READ "3.644 GMAC, 21.62 M parameters", diracnet34_v2},
	{"bagnet9", "BagNet-9, 224x224", BRENDEL ZOO_TF2CV "15.93 GMAC, 15.67 M parameters", bagnet9},
	{"bagnet17", "BagNet-17, 224x224", BRENDEL ZOO_TF2CV_READ "15.65 GMAC, 16.19 M parameters", bagnet17},
	{"bagnet33", "BagNet-33, 224x224", BRENDEL ZOO_TF2CV_READ "16.26 GMAC, 18.28 M parameters", bagnet33},
	{0}
};
