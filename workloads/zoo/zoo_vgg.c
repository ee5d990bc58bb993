/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Networks that are a plain stack of 3x3 convolutions in the manner of VGG:
 * VGG, AlexNet and the hand-keypoint PoseNet.
 */
#include "zoo_tf2cv.h"

static int vgg_conv(struct zoo *z, int x, int stage, int index, int channels, enum zoo_act act)
{
	char name[32];

	snprintf(name, sizeof name, "conv%d_%d", stage, index);
	return zoo_conv_act(z, name, x, channels, zoo_square(3, 1, ZOO_SAME), act);
}

static int vgg_pool(struct zoo *z, int x, int stage)
{
	char name[16];

	snprintf(name, sizeof name, "pool%d", stage);
	return zoo_max_pool(z, name, x, zoo_square(2, 2, ZOO_VALID));
}

/* Blocks are layers, as MOSAIC counts them (16 of VGG-16): convolutions, each with the
 * pooling that follows it, and 3 fully connected layers, the last with the softmax. */
static void vgg(struct zoo *z, const int n_convs[5])
{
	static const int channels[] = {64, 128, 256, 512, 512};
	int x = zoo_input(z, "image", 224, 224, 3);

	for (int stage = 0; stage < 5; stage++) {
		for (int i = 0; i < n_convs[stage]; i++) {
			zoo_block(z);
			x = vgg_conv(z, x, stage + 1, i + 1, channels[stage], ZOO_RELU);
		}
		x = vgg_pool(z, x, stage + 1);
	}
	zoo_block(z);
	x = zoo_act(z, ZOO_RELU, zoo_fc(z, "fc6", x, 4096));
	zoo_block(z);
	x = zoo_act(z, ZOO_RELU, zoo_fc(z, "fc7", x, 4096));
	zoo_block(z);
	zoo_output(z, zoo_fc_softmax(z, x, 1000));
}

static void vgg11(struct zoo *z) { vgg(z, (const int[]){1, 1, 2, 2, 2}); }
static void vgg13(struct zoo *z) { vgg(z, (const int[]){2, 2, 2, 2, 2}); }
static void vgg16(struct zoo *z) { vgg(z, (const int[]){2, 2, 3, 3, 3}); }
static void vgg19(struct zoo *z) { vgg(z, (const int[]){2, 2, 4, 4, 4}); }

/* The three fully connected layers. */
static int alexnet_dense(struct zoo *z, int x)
{
	for (int i = 6; i <= 7; i++) {
		zoo_block(z);
		zoo_scope(z, "layer%d", i);
		x = zoo_act(z, ZOO_RELU, zoo_fc(z, "fc", x, 4096));
	}
	zoo_block(z);
	return zoo_fc(z, "logits", x, 1000);
}

/* For one processor and without normalisation, in the block that has begun. Blocks are layers, each with the pooling that follows it. */
static int alexnet_one(struct zoo *z, int x, enum zoo_pad pad)
{
	static const struct { int channels, kernel; bool pool; } layers[] = {{192, 5, true}, {384, 3, false}, {256, 3, false}, {256, 3, true}};

	x = zoo_conv_act(z, "conv1", x, 64, zoo_square(11, 4, pad), ZOO_RELU);
	x = zoo_max_pool(z, "pool1", x, zoo_square(3, 2, ZOO_VALID));
	for (int i = 0; i < 4; i++) {
		zoo_block(z);
		zoo_scope(z, "layer%d", i + 2);
		x = zoo_conv_act(z, "conv", x, layers[i].channels, zoo_square(layers[i].kernel, 1, ZOO_SAME), ZOO_RELU);
		if (layers[i].pool)
			x = zoo_max_pool(z, "pool", x, zoo_square(3, 2, ZOO_VALID));
	}
	return alexnet_dense(z, x);
}

/* As torchvision and PaddleClas have it: the first window pads by itself. */
static void alexnet(struct zoo *z)
{
	int x = zoo_input(z, "image", 224, 224, 3);

	zoo_block(z);
	zoo_output(z, zoo_unary(z, "Softmax", "softmax", alexnet_one(z, x, ZOO_BORDER_2)));
}

static void alexnet_b(struct zoo *z)
{
	int x = zoo_tf2cv_image(z);

	zoo_block(z);
	x = zoo_tf2cv_pad(z, "conv1", x, 2);
	zoo_output(z, alexnet_one(z, x, ZOO_VALID));
}

/* As published, in two groups of channels and with local response normalisation. Blocks are layers, each with the pooling that follows it. */
static void alexnet_caffe(struct zoo *z)
{
	static const struct { int channels, kernel, group; bool pool; } layers[] = {
		{256, 5, 2, true}, {384, 3, 1, false}, {384, 3, 2, false}, {256, 3, 2, true}
	};
	int x = zoo_input(z, "image", 227, 227, 3);

	zoo_block(z);
	x = zoo_unary(z, "LRN", "norm1", zoo_conv_act(z, "conv1", x, 96, zoo_square(11, 4, ZOO_VALID), ZOO_RELU));
	x = zoo_max_pool(z, "pool1", x, zoo_square(3, 2, ZOO_VALID));
	for (int i = 0; i < 4; i++) {
		zoo_block(z);
		zoo_scope(z, "layer%d", i + 2);
		x = zoo_conv_grouped(z, "conv", x, layers[i].channels, zoo_square(layers[i].kernel, 1, ZOO_SAME), layers[i].group);
		x = zoo_act(z, ZOO_RELU, x);
		if (i == 0)
			x = zoo_unary(z, "LRN", "norm", x);
		if (layers[i].pool)
			x = zoo_max_pool(z, "pool", x, zoo_square(3, 2, ZOO_VALID));
	}
	zoo_output(z, zoo_unary(z, "Softmax", "softmax", alexnet_dense(z, x)));
}

enum { POSENET_KEYPOINTS = 21 };

/* One recurrent unit: refines the score map that is concatenated with the features. */
static int posenet_refine(struct zoo *z, int scores, int features)
{
	int x = zoo_concat(z, "concat", 2, (const int[]){scores, features});
	char name[16];

	for (int i = 1; i <= 5; i++) {
		snprintf(name, sizeof name, "conv%d", i);
		x = zoo_conv_act(z, name, x, 128, zoo_square(7, 1, ZOO_SAME), ZOO_LEAKY_RELU);
	}
	x = zoo_conv_act(z, "conv6", x, 128, zoo_pointwise(), ZOO_LEAKY_RELU);
	return zoo_conv(z, "conv7", x, POSENET_KEYPOINTS, zoo_pointwise());
}

/* Blocks: the four stages of the trunk, the first score map, two recurrent units. */
static void posenet(struct zoo *z)
{
	static const int n_convs[] = {2, 2, 4, 7};
	static const int channels[][7] = {{64, 64}, {128, 128}, {256, 256, 256, 256}, {512, 512, 256, 256, 256, 256, 128}};
	int x = zoo_input(z, "image", 256, 256, 3), scores;

	for (int stage = 0; stage < 4; stage++) {
		zoo_block(z);
		for (int i = 0; i < n_convs[stage]; i++)
			x = vgg_conv(z, x, stage + 1, i + 1, channels[stage][i], ZOO_LEAKY_RELU);
		if (stage < 3)
			x = vgg_pool(z, x, stage + 1);
	}
	zoo_block(z);
	scores = zoo_conv_act(z, "conv5_1", x, 512, zoo_pointwise(), ZOO_LEAKY_RELU);
	scores = zoo_conv(z, "conv5_2", scores, POSENET_KEYPOINTS, zoo_pointwise());
	for (int unit = 6; unit <= 7; unit++) {
		zoo_block(z);
		zoo_scope(z, "refine%d", unit);
		scores = posenet_refine(z, scores, x);
	}
	zoo_output(z, scores);
}

#define WEIRD_TRICK "Krizhevsky, One weird trick for parallelizing convolutional neural networks, 2014, as in "

const struct zoo_network zoo_vgg_networks[] = {
	{"alexnet", "AlexNet as in torchvision, 224x224",
	 WEIRD_TRICK "torchvision and PaddleClas (ppcls/arch/backbone/model_zoo/alexnet.py); count: 0.714 GMAC, 61.101 M parameters (torchvision)",
	 alexnet},
	{"alexnet_b", "AlexNet without normalisation, 224x224",
	 WEIRD_TRICK "torchvision and, as AlexNet-b, in tf2cv (osmr/imgclsmob); count: 0.714 GMAC, 61.101 M parameters (torchvision)", alexnet_b},
	{"alexnet_caffe", "AlexNet, 227x227",
	 "Krizhevsky et al., ImageNet Classification with Deep Convolutional Neural Networks, NIPS 2012, as in Caffe and Tencent/ncnn, "
	 "benchmark/alexnet.param@34077b5; count: 0.724 GMAC, 60.965 M parameters (analytic)", alexnet_caffe},
	{"vgg11", "VGG-11, 224x224",
	 "Simonyan and Zisserman, Very Deep Convolutional Networks for Large-Scale Image Recognition, ICLR 2015, "
	 "configuration A; count: torchvision, 7.609 GMAC, 132.863 M parameters", vgg11},
	{"vgg13", "VGG-13, 224x224",
	 "Simonyan and Zisserman, Very Deep Convolutional Networks for Large-Scale Image Recognition, ICLR 2015, "
	 "configuration B; count: torchvision, 11.308 GMAC, 133.048 M parameters", vgg13},
	{"vgg16", "VGG-16, 224x224",
	 "Simonyan and Zisserman, Very Deep Convolutional Networks for Large-Scale Image Recognition, ICLR 2015, "
	 "configuration D; count: 15.47 GMAC, 138.36 M parameters (analytic), same shapes as CoDL (MobiSys 2022)",
	 vgg16},
	{"vgg19", "VGG-19, 224x224",
	 "Simonyan and Zisserman, Very Deep Convolutional Networks for Large-Scale Image Recognition, ICLR 2015, "
	 "configuration E; count: torchvision, 19.63 GMAC, 143.667 M parameters", vgg19},
	{"posenet", "PoseNet of ColorHandPose3D, 21 hand keypoints, 256x256",
	 "Zimmermann and Brox, Learning to Estimate 3D Hand Pose from Single RGB Images, ICCV 2017 (PoseNet only; leaky "
	 "ReLU as in the authors' code); count: 30.16 GMAC, 17.52 M parameters (analytic), same shapes as CoDL (MobiSys 2022)",
	 posenet},
	{0}
};
