/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What networks have in common as tf2cv (imgclsmob) builds them: windows that
 * don't pad but read what a Pad before them wrote, no softmax behind the
 * classifier, and squeeze-and-excitation. All take 224x224 images of 1000 classes.
 *
 * A Pad is before depthwise convolutions, before those that tf2cv doesn't make
 * by its ConvBlock, and before poolings by ceil_mode that would leave a row
 * over. Other windows pad as TensorFlow's "same" where tf2cv's source has a
 * padding: the measured files have no Pad there, though that source does.
 *
 * Of several readers of a tensor the one that is first by name in tf2cv comes
 * first, with all that waits for nothing else: so TensorFlow's converter orders
 * a graph, and the measured lists have it so. A unit's "body" thus comes before
 * its "downsample_pool", "identity_conv" or "identity_block", whichever is
 * called first; but what excites the body comes behind them, except its mean.
 */
#ifndef ZOO_TF2CV_H
#define ZOO_TF2CV_H

#include "zoo_blocks.h"

enum { ZOO_TF2CV_CLASSES = 1000 };

/* Goes into a network's source: of those measured; of those whose operators and their order were compared with the list of a measured file, index by
 * index; of those compared with tf2cv's source, from which the measured files differ in Pads, order and the mean before the classifier; of the rest.
 * All but the first have tf2cv's own figures. */
#define ZOO_TF2CV ", as in tf2cv (osmr/imgclsmob) and measured by qed-usc/mobile-ml-benchmark; count: operators and size of " \
	"the measured file, "
#define ZOO_TF2CV_FIGURES "; count: tf2cv's tests and its README less what isn't a product, "
#define ZOO_TF2CV_LISTED ", as in tf2cv (osmr/imgclsmob), each operator and their order as qed-usc/mobile-ml-benchmark lists what it measured" \
	ZOO_TF2CV_FIGURES
#define ZOO_TF2CV_OF_SOURCE ", as in tf2cv (osmr/imgclsmob), each operator checked against its source, with Pads, order and classifier as its " \
	"relatives that qed-usc/mobile-ml-benchmark measured have them"
#define ZOO_TF2CV_READ ZOO_TF2CV_OF_SOURCE ZOO_TF2CV_FIGURES
#define ZOO_TF2CV_COUNTED ", as in tf2cv (osmr/imgclsmob), built as its relatives that qed-usc/mobile-ml-benchmark measured" ZOO_TF2CV_FIGURES

int zoo_tf2cv_image(struct zoo *z);
/* Begins a block, and names what follows after the unit: index 0 is unit1. */
void zoo_tf2cv_unit(struct zoo *z, int index);

/* A Pad of `border` on all sides, and windows that have one before them; name is that of the operator that reads the Pad. */
int zoo_tf2cv_pad(struct zoo *z, const char *name, int x, int border);
int zoo_tf2cv_conv(struct zoo *z, const char *name, int x, int channels, int kernel, int stride, enum zoo_act act);
int zoo_tf2cv_depthwise(struct zoo *z, const char *name, int x, int kernel, int stride, enum zoo_act act);

/* The first block: a 3x3 convolution of stride 2. */
int zoo_tf2cv_stem(struct zoo *z, int channels, enum zoo_act act);

/* The network's end: the mean of what is left of the image and the classifier; or the same as convolutions of what a
 * pooling of 7x7 left, where hidden, unless 0, is the width of a layer before the classifier. */
void zoo_tf2cv_mean_fc(struct zoo *z, int x);
void zoo_tf2cv_pool_conv(struct zoo *z, int x, int hidden, enum zoo_act act);

/* What the gates of squeeze-and-excitation are clipped by. The hard sigmoid's 3 is in the bias, so that it is a clip and a sixth. */
enum zoo_gate { ZOO_GATE_SIGMOID, ZOO_GATE_HARD, ZOO_GATE_CLIP };

/* act is that of the squeezed vector: ReLU, or given. mean is what is squeezed: x's mean over the image, or one that is there already. */
int zoo_tf2cv_excite(struct zoo *z, int x, int squeezed, enum zoo_gate gate);
int zoo_tf2cv_excite_act(struct zoo *z, int x, int squeezed, enum zoo_act act, enum zoo_gate gate);
int zoo_tf2cv_excite_by(struct zoo *z, int x, int mean, int squeezed, enum zoo_act act, enum zoo_gate gate);

/* n inverted residual units, of which the first has the stride. expand is a width, or, where it is below
 * ZOO_TF2CV_RATIO_BELOW, a multiple of the input's width; 0: there is no expansion. squeezed is a width, or
 * ZOO_TF2CV_QUARTER of the input's; 0: no excitation. */
struct zoo_tf2cv_mb {
	int n, expand, out, kernel, stride, squeezed;
	enum zoo_act act;
};

enum { ZOO_TF2CV_RATIO_BELOW = 8, ZOO_TF2CV_QUARTER = -1 };

/* Units of n entries, each in a block of its own from unit1 on; the block after the last one has begun. */
int zoo_tf2cv_mb(struct zoo *z, int x, const struct zoo_tf2cv_mb *u, int n, enum zoo_gate gate);

#endif
