/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Residual networks for classification: ResNet v1.5, ResNeXt, the CIFAR
 * ResNet, ResNet v2 and RegNetX. Every residual unit is a block, between a block of
 * the stem and one of the classifier.
 */
#include "zoo_blocks.h"

enum { RESNET_STAGES = 4 };

struct resnet {
	int (*unit)(struct zoo *z, int x, struct zoo_residual r);
	int n_stages;
	int n_units[RESNET_STAGES];
	int mid[RESNET_STAGES], out[RESNET_STAGES];
	int group_width; /* 0: one group */
	int stem_stride; /* of the first unit of the first stage */
	int n_classes;
};

static int imagenet_stem(struct zoo *z)
{
	int x = zoo_input(z, "image", 224, 224, 3);

	zoo_block(z);
	x = zoo_conv_act(z, "conv1", x, 64, zoo_square(7, 2, ZOO_CENTRED), ZOO_RELU);
	return zoo_max_pool(z, "pool1", x, zoo_square(3, 2, ZOO_CENTRED));
}

static void begin_unit(struct zoo *z, int stage, int unit)
{
	zoo_block(z);
	zoo_scope(z, "stage%d_unit%d", stage + 1, unit + 1);
}

static void classify(struct zoo *z, int x, int n_classes)
{
	zoo_block(z);
	zoo_output(z, zoo_fc_softmax(z, zoo_global_pool(z, "pool", x), n_classes));
}

/* The stages after the stem; the first unit of a stage has the stride. */
static void resnet_stages(struct zoo *z, int x, const struct resnet *net)
{
	for (int stage = 0; stage < net->n_stages; stage++)
		for (int unit = 0; unit < net->n_units[stage]; unit++) {
			struct zoo_residual r = {.mid = net->mid[stage], .out = net->out[stage], .pad = ZOO_CENTRED};

			r.stride = unit > 0 ? 1 : stage > 0 ? 2 : net->stem_stride;
			r.group = net->group_width ? r.mid / net->group_width : 1;
			begin_unit(z, stage, unit);
			x = net->unit(z, x, r);
		}
	classify(z, x, net->n_classes);
}

static void imagenet_resnet(struct zoo *z, const struct resnet *net)
{
	resnet_stages(z, imagenet_stem(z), net);
}

static void resnet18(struct zoo *z)
{
	imagenet_resnet(z, &(struct resnet){zoo_basic_unit, 4, {2, 2, 2, 2}, {64, 128, 256, 512}, {64, 128, 256, 512},
	                                    0, 1, 1000});
}

/* The first stage, which keeps the width, has a convolution in its shortcut, too. */
static void resnet18_caffe(struct zoo *z)
{
	int x = imagenet_stem(z);

	for (int stage = 0; stage < RESNET_STAGES; stage++)
		for (int unit = 0; unit < 2; unit++) {
			const int channels = 64 << stage, stride = stage > 0 && unit == 0 ? 2 : 1;
			int shortcut, y;

			begin_unit(z, stage, unit);
			shortcut = unit == 0 ? zoo_conv(z, "shortcut", x, channels, zoo_square(1, stride, ZOO_VALID)) : x;
			y = zoo_conv_act(z, "conv1", x, channels, zoo_square(3, stride, ZOO_CENTRED), ZOO_RELU);
			y = zoo_conv(z, "conv2", y, channels, zoo_square(3, 1, ZOO_CENTRED));
			x = zoo_act(z, ZOO_RELU, zoo_binary(z, "Add", "add", y, shortcut));
		}
	classify(z, x, 1000);
}

static void resnet34(struct zoo *z)
{
	imagenet_resnet(z, &(struct resnet){zoo_basic_unit, 4, {3, 4, 6, 3}, {64, 128, 256, 512}, {64, 128, 256, 512},
	                                    0, 1, 1000});
}

static void resnet50(struct zoo *z)
{
	imagenet_resnet(z, &(struct resnet){zoo_bottleneck_unit, 4, {3, 4, 6, 3}, {64, 128, 256, 512},
	                                    {256, 512, 1024, 2048}, 0, 1, 1000});
}

/* The first 1x1 convolution of a stage skips pixels, as published. */
static int first_strides_unit(struct zoo *z, int x, struct zoo_residual r)
{
	int y = zoo_conv_act(z, "conv1", x, r.mid, zoo_square(1, r.stride, ZOO_VALID), ZOO_RELU);

	y = zoo_conv_act(z, "conv2", y, r.mid, zoo_square(3, 1, r.pad), ZOO_RELU);
	y = zoo_conv(z, "conv3", y, r.out, zoo_pointwise());
	return zoo_act(z, ZOO_RELU, zoo_binary(z, "Add", "add", y, zoo_shortcut(z, x, x, r.out, r.stride)));
}

static void resnet50_v1(struct zoo *z)
{
	imagenet_resnet(z, &(struct resnet){first_strides_unit, 4, {3, 4, 6, 3}, {64, 128, 256, 512},
	                                    {256, 512, 1024, 2048}, 0, 1, 1000});
}

static void resnet101(struct zoo *z)
{
	imagenet_resnet(z, &(struct resnet){zoo_bottleneck_unit, 4, {3, 4, 23, 3}, {64, 128, 256, 512},
	                                    {256, 512, 1024, 2048}, 0, 1, 1000});
}

/* The 3x3 convolutions are twice as wide. */
static void wide_resnet50(struct zoo *z)
{
	imagenet_resnet(z, &(struct resnet){zoo_bottleneck_unit, 4, {3, 4, 6, 3}, {128, 256, 512, 1024},
	                                    {256, 512, 1024, 2048}, 0, 1, 1000});
}

/* Other than RegNet's, the groups grow with the stages and not their number. */
static int resnext_unit(struct zoo *z, int x, struct zoo_residual r)
{
	r.group = 32;
	return zoo_bottleneck_unit(z, x, r);
}

static void resnext50_32x4d(struct zoo *z)
{
	imagenet_resnet(z, &(struct resnet){resnext_unit, 4, {3, 4, 6, 3}, {128, 256, 512, 1024},
	                                    {256, 512, 1024, 2048}, 0, 1, 1000});
}

/* Bottlenecks with the stride in the 3x3 convolution, two in each stage: imgclsmob's ResNet-BC-26b. */
static void resnet26(struct zoo *z)
{
	imagenet_resnet(z, &(struct resnet){zoo_bottleneck_unit, 4, {2, 2, 2, 2}, {64, 128, 256, 512},
	                                    {256, 512, 1024, 2048}, 0, 1, 1000});
}

/* Stem of one 3x3 convolution and no pooling. */
static void small_stem_resnet(struct zoo *z, int size, int channels, int stride, const struct resnet *net)
{
	int x = zoo_input(z, "image", size, size, 3);

	zoo_block(z);
	x = zoo_conv_act(z, "conv1", x, channels, zoo_square(3, stride, ZOO_CENTRED), ZOO_RELU);
	resnet_stages(z, x, net);
}

/* Projection shortcuts (option B): 55 + 2 convolutions and the classifier. */
static void resnet56(struct zoo *z)
{
	small_stem_resnet(z, 96, 16, 1,
	                  &(struct resnet){zoo_basic_unit, 3, {9, 9, 9}, {16, 32, 64}, {16, 32, 64}, 0, 1, 100});
}

static void regnetx_0_6gf(struct zoo *z)
{
	small_stem_resnet(z, 224, 32, 2,
	                  &(struct resnet){zoo_bottleneck_unit, 4, {1, 3, 5, 7}, {48, 96, 240, 528},
	                                   {48, 96, 240, 528}, 24, 2, 1000});
}

static void regnetx_1_6gf(struct zoo *z)
{
	small_stem_resnet(z, 224, 32, 2,
	                  &(struct resnet){zoo_bottleneck_unit, 4, {2, 4, 10, 2}, {72, 168, 408, 912},
	                                   {72, 168, 408, 912}, 24, 2, 1000});
}

static void regnetx_4_0gf(struct zoo *z)
{
	small_stem_resnet(z, 224, 32, 2,
	                  &(struct resnet){zoo_bottleneck_unit, 4, {2, 5, 14, 2}, {80, 240, 560, 1360},
	                                   {80, 240, 560, 1360}, 40, 2, 1000});
}

/* A grouped convolution as NN-Stretch deploys it: Split, a convolution per group, Concat. What normalises
 * comes after the Concat, where the converter can't fold it. */
static int split_convolution(struct zoo *z, int x, struct zoo_residual r)
{
	int part[ZOO_OPERANDS_MAX];
	char name[24];

	zoo_split(z, "conv2_split", x, r.group, part);
	for (int i = 0; i < r.group; i++) {
		snprintf(name, sizeof name, "conv2_group%d", i + 1);
		part[i] = zoo_conv(z, name, part[i], r.mid / r.group, zoo_square(3, r.stride, r.pad));
	}
	x = zoo_concat(z, "conv2_concat", r.group, part);
	return zoo_act(z, ZOO_RELU, zoo_unary(z, "BatchNormalization", "conv2_norm", x));
}

static int split_bottleneck_unit(struct zoo *z, int x, struct zoo_residual r)
{
	int y = zoo_conv_act(z, "conv1", x, r.mid, zoo_pointwise(), ZOO_RELU);

	y = zoo_conv(z, "conv3", split_convolution(z, y, r), r.out, zoo_pointwise());
	return zoo_act(z, ZOO_RELU, zoo_binary(z, "Add", "add", y, zoo_shortcut(z, x, x, r.out, r.stride)));
}

static void regnetx_1_6gf_split(struct zoo *z)
{
	small_stem_resnet(z, 224, 32, 2,
	                  &(struct resnet){split_bottleneck_unit, 4, {2, 4, 10, 2}, {72, 168, 408, 912},
	                                   {72, 168, 408, 912}, 24, 2, 1000});
}

static void regnetx_4_0gf_split(struct zoo *z)
{
	small_stem_resnet(z, 224, 32, 2,
	                  &(struct resnet){split_bottleneck_unit, 4, {2, 5, 14, 2}, {80, 240, 560, 1360},
	                                   {80, 240, 560, 1360}, 40, 2, 1000});
}

/* ---- ResNet v2, pre-activation ---- */

static int norm_relu(struct zoo *z, int x)
{
	return zoo_act(z, ZOO_RELU, zoo_unary(z, "BatchNormalization", "norm", x));
}

/* slim: TF-slim pads a strided convolution by an operator of its own. */
static int v2_conv(struct zoo *z, int slim, const char *name, int x, int channels, int kernel, int stride)
{
	if (!slim || stride == 1)
		return zoo_conv(z, name, x, channels, zoo_square(kernel, stride, slim ? ZOO_SAME : ZOO_CENTRED));
	x = zoo_zero_pad(z, "pad", x, kernel / 2);
	return zoo_conv(z, name, x, channels, zoo_square(kernel, stride, ZOO_VALID));
}

/* Normalisation after a convolution is folded; the one in front of the unit
 * follows a sum and stays. */
static int resnet_v2_unit(struct zoo *z, int slim, int x, int mid, int stride)
{
	int active = norm_relu(z, x);
	int shortcut = zoo_shortcut(z, x, active, 4 * mid, stride);
	int y = zoo_conv_act(z, "conv1", active, mid, zoo_pointwise(), ZOO_RELU);

	y = zoo_act(z, ZOO_RELU, v2_conv(z, slim, "conv2", y, mid, 3, stride));
	y = zoo_conv(z, "conv3", y, 4 * mid, zoo_pointwise());
	return zoo_binary(z, "Add", "add", y, shortcut);
}

/*
 * Blocks are MOSAIC's 53 layers: conv1 and pooling, 50 units, the last
 * normalisation with the mean, the logits with the softmax. slim: TF-slim's
 * graph, in which the last unit of a stage has the stride (10.91 GMAC); He et
 * al. have it in the first one of the next (11.51 GMAC). MOSAIC's plan
 * "B1 N2 B4 N5 B12 N13 N31 B48 N49 B52" takes 1, 4, 12 and 48 off the NPU,
 * which are the blocks that have a Pad in TF-slim's graph, and 52, the mean.
 */
static void resnet_v2(struct zoo *z, int slim)
{
	static const int n_units[] = {3, 8, 36, 3}, mid[] = {64, 128, 256, 512};
	int x = zoo_input(z, "image", 224, 224, 3);

	zoo_block(z);
	x = v2_conv(z, slim, "conv1", x, 64, 7, 2);
	x = zoo_max_pool(z, "pool1", x, zoo_square(3, 2, slim ? ZOO_SAME : ZOO_CENTRED));
	for (int stage = 0; stage < 4; stage++)
		for (int unit = 0; unit < n_units[stage]; unit++) {
			int strided = slim ? stage < 3 && unit + 1 == n_units[stage] : stage > 0 && unit == 0;

			zoo_block(z);
			zoo_scope(z, "stage%d_unit%d", stage + 1, unit + 1);
			x = resnet_v2_unit(z, slim, x, mid[stage], strided ? 2 : 1);
		}
	zoo_block(z);
	x = zoo_mean(z, "mean", norm_relu(z, x));
	zoo_block(z);
	zoo_output(z, zoo_conv_softmax(z, x, 1001));
}

static void resnet_v2_152(struct zoo *z) { resnet_v2(z, 0); }
static void resnet_v2_152_slim(struct zoo *z) { resnet_v2(z, 1); }

#define HE2016 "He et al., Deep Residual Learning for Image Recognition, CVPR 2016"
#define REGNET "Radosavovic et al., Designing Network Design Spaces, CVPR 2020; count: pycls model zoo, "

const struct zoo_network zoo_resnet_networks[] = {
	{"resnet18", "ResNet-18, 224x224", HE2016 "; count: 1.814 GMAC, 11.69 M parameters (torchvision)", resnet18},
	{"resnet18_caffe", "ResNet-18 as in Caffe, 224x224", HE2016 ", with a convolution in the shortcut of the first stage, as in Tencent/ncnn, "
	 "benchmark/resnet18.param@2fe769f; count: 1.827 GMAC, 11.689 M parameters (analytic)", resnet18_caffe},
	{"resnet26", "ResNet-26, bottlenecks, 224x224", HE2016 "; count: 15.995 M parameters (osmr/imgclsmob, ResNet-BC-26b), "
	 "2.342 GMAC (operators measured by qed-usc/mobile-ml-benchmark)", resnet26},
	{"resnet34", "ResNet-34, 224x224", HE2016 "; count: 3.664 GMAC, 21.79 M parameters (analytic); "
	 "3.7 G, 21.8 M in NN-Stretch (MobiSys 2023), Table 6", resnet34},
	{"resnet50", "ResNet-50 v1.5, 224x224", HE2016 ", with the stride in the 3x3 convolution (v1.5); count: "
	 "4.089 GMAC, 25.53 M parameters (analytic); 4.1 G, 25.6 M in NN-Stretch (MobiSys 2023), Table 6", resnet50},
	{"resnet50_v1", "ResNet-50 as published, 224x224", HE2016 ", as in KaimingHe/deep-residual-networks; count: paper, 3.8 G; "
	 "3.858 GMAC, 25.53 M parameters (analytic)", resnet50_v1},
	{"resnet101", "ResNet-101 v1.5, 224x224", HE2016 ", with the stride in the 3x3 convolution (v1.5); count: torchvision, "
	 "7.80 GMAC, 44.549 M parameters", resnet101},
	{"wide_resnet50", "Wide ResNet-50-2, 224x224", "Zagoruyko and Komodakis, Wide Residual Networks, BMVC 2016, with the stride "
	 "in the 3x3 convolution; count: torchvision, 11.40 GMAC, 68.883 M parameters", wide_resnet50},
	{"resnext50_32x4d", "ResNeXt-50 32x4d, 224x224", "Xie et al., Aggregated Residual Transformations for Deep Neural Networks, CVPR "
	 "2017; count: torchvision, 4.23 GMAC, 25.029 M parameters", resnext50_32x4d},
	{"resnet56", "ResNet-56 of CIFAR-100, 96x96", HE2016 ", section 4.2, projection shortcuts (option B), at the "
	 "96x96 input of NN-Stretch (MobiSys 2023), Table 3; count: 1.132 GMAC, 0.86 M parameters (analytic)", resnet56},
	{"resnet_v2_152", "ResNet v2 152, pre-activation, 224x224",
	 "He et al., Identity Mappings in Deep Residual Networks, ECCV 2016; count: 11.514 GMAC, 60.12 M parameters (analytic)",
	 resnet_v2_152},
	{"resnet_v2_152_slim", "ResNet v2 152 as in TF-slim (MOSAIC's RN), 224x224",
	 "He et al., Identity Mappings in Deep Residual Networks, ECCV 2016, with TF-slim's strides in the last unit of a "
	 "stage; count: 10.91 GMAC (analytic), 60.12 M parameters", resnet_v2_152_slim},
	{"regnetx_0.6gf", "RegNetX-600MF, 224x224", REGNET "0.6 GMAC, 6.2 M parameters (0.601 and 6.16 here)", regnetx_0_6gf},
	{"regnetx_1.6gf", "RegNetX-1.6GF, 224x224", REGNET "1.603 GMAC, 9.17 M parameters (NN-Stretch's Table 6 prints "
	 "the 11.2 M of RegNetY)", regnetx_1_6gf},
	{"regnetx_4.0gf", "RegNetX-4.0GF, 224x224", REGNET "3.964 GMAC, 22.08 M parameters (NN-Stretch's Table 6 prints "
	 "the 20.6 M of RegNetY)", regnetx_4_0gf},
	{"regnetx_1.6gf_split", "RegNetX-1.6GF as NN-Stretch deploys it, groups written out, 224x224", REGNET "1.603 GMAC; the "
	 "graph: kaleid-liner/mbm-pycls @7f8028a and @34c182f, op_patch.py and anynet.py", regnetx_1_6gf_split},
	{"regnetx_4.0gf_split", "RegNetX-4.0GF as NN-Stretch deploys it, groups written out, 224x224", REGNET "3.964 GMAC; the "
	 "graph: kaleid-liner/mbm-pycls @7f8028a and @34c182f, op_patch.py and anynet.py", regnetx_4_0gf_split},
	{0}
};
