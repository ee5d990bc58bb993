/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Groups of operators that several families of networks share: convolution
 * with activation, classifiers, residual units, inverted residual units,
 * ShuffleNet V2's units, what detectors end in. Networks themselves are in the family files.
 */
#ifndef ZOO_BLOCKS_H
#define ZOO_BLOCKS_H

#include "zoo.h"

/* ZOO_SWISH is two operators, Sigmoid and Mul. */
enum zoo_act { ZOO_LINEAR, ZOO_RELU, ZOO_RELU6, ZOO_LEAKY_RELU, ZOO_PRELU, ZOO_HARD_SWISH, ZOO_SWISH };

int zoo_act(struct zoo *z, enum zoo_act act, int x);
int zoo_conv_act(struct zoo *z, const char *name, int x, int channels, struct zoo_window w, enum zoo_act act);

/* A depthwise convolution of 3x3, without activation, and a 1x1 one; they are called NAME_depthwise and NAME_pointwise. */
int zoo_separable(struct zoo *z, const char *name, int x, int channels, int stride, enum zoo_act act);

/* Softmax over a vector [1, 1, 1, C] or [1, C], reached by: */
int zoo_softmax(struct zoo *z, int x);                       /* Reshape */
int zoo_fc_softmax(struct zoo *z, int x, int n_classes);     /* fully connected layer */
int zoo_conv_softmax(struct zoo *z, int x, int n_classes);   /* 1x1 convolution and Reshape, as TF-slim */

/* SqueezeNet's modules from one to another, 2 to 11, each a block: a 1x1 convolution, then 1x1 and 3x3 side by side. Poolings behind those
 * whose bits are set. */
int zoo_fires(struct zoo *z, int x, int from, int to, int pooled);

/* Residual unit: mid is the width of the 3x3 convolution that has the stride
 * and, in a bottleneck, the groups; out is the width of the sum. The shortcut
 * is a 1x1 convolution where the width changes, else a 1x1 max-pooling where
 * only the size changes, else nothing. */
struct zoo_residual {
	int mid, out, stride, group;
	enum zoo_pad pad;
};

int zoo_basic_unit(struct zoo *z, int x, struct zoo_residual r);
int zoo_bottleneck_unit(struct zoo *z, int x, struct zoo_residual r);
int zoo_shortcut(struct zoo *z, int x, int from, int out, int stride);

/* Inverted residual units ("MBConv"), squeeze-and-excitation to a quarter of
 * the input width where the style asks for it. */
struct zoo_mb_stage {
	int expand, channels, n_units, stride, kernel;
};

struct zoo_mb_style {
	enum zoo_act act;
	int width_percent; /* of the stages' channels, rounded by zoo_round8() */
	bool squeeze_excite;
	enum zoo_pad pad;
};

/* One unit, in the current block. */
int zoo_mb_unit(struct zoo *z, int x, struct zoo_mb_stage s, int stride, struct zoo_mb_style style);
/* Every unit in a block of its own, named stageI_unitJ from stage number `first`. */
int zoo_mb_stages(struct zoo *z, int x, const struct zoo_mb_stage *s, int n_stages, int first,
                  struct zoo_mb_style style);

/* Interleaves equal groups of the channels (ShuffleNet). */
int zoo_channel_shuffle(struct zoo *z, int x, int groups);

/* ShuffleNet V2 without its classifier: the stem and 16 units, each a block. channels: of the stages, level: what these leave, at strides 8,
 * 16 and 32. Where cropped, the two halves of the channels are cut out one by one, not by a Split. */
enum { ZOO_SHUFFLE_STAGES = 3 };
void zoo_shuffle_v2(struct zoo *z, int x, const int channels[ZOO_SHUFFLE_STAGES], enum zoo_act act, bool cropped, int level[ZOO_SHUFFLE_STAGES]);

/* Poolings of 5, 9 and 13 beside each other, joined behind x. */
int zoo_spatial_pyramid(struct zoo *z, int x);

/* Ends in x, channels last, as a list [1, positions, channels]: images are NCHW there, so that it turns them. */
void zoo_output_list(struct zoo *z, const char *name, int x);
/* A 1x1 convolution to a map's scores and distances, and the two as lists, the scores as probabilities. */
void zoo_scores_and_distances(struct zoo *z, int x, int classes, int distances);

/* percent of channels, rounded to a multiple of 8 but not below 90 % of it
 * (MobileNetV2's rule, kept by MnasNet and EfficientNet). */
int zoo_round8(int channels, int percent);

#endif
