/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Groups of operators that transformers share, as TensorFlow Lite runs
 * Hugging Face's models. Networks themselves are in the family files.
 *
 * A list of tokens is a matrix [tokens, channels], as the batch is 1: dense
 * layers take such rows as they are, and the converter of TensorFlow 2.15
 * removes the Reshapes that Keras puts around them (optimize.cc,
 * RemoveReshapeBeforeFullyConnected and RemoveReshapeAfterFullyConnected).
 *
 * A constant operand has no tensor in the workload format. Learnt positions,
 * masks and factors are an Add or Mul of a tensor with itself: the operator
 * that runs, with the work that it has.
 */
#ifndef ZOO_ATTENTION_H
#define ZOO_ATTENTION_H

#include "zoo.h"

/* The input, [1, 3, size, size] as PyTorch's, and its Transpose to NHWC, in the first block. */
int zoo_pixels(struct zoo *z, int size);

/* An image as a list of tokens, and back. */
int zoo_tokens(struct zoo *z, const char *name, int x);
int zoo_image(struct zoo *z, const char *name, int x, int height, int width);

/* A convolution that a Pad of its own precedes. Keras' Conv2D with as many groups
 * as channels stays a grouped convolution, as the converter makes depthwise ones
 * of DepthwiseConv2D only (prepare_tf.cc, ConvertTFConv2D). */
int zoo_padded_conv(struct zoo *z, const char *name, int x, int channels, int kernel, int stride, int padding);
int zoo_conv_by_channel(struct zoo *z, const char *name, int x, struct zoo_window w);

/* Queries or values of each head: from [groups * tokens, channels] to
 * [groups, heads, tokens, channels / heads]. Attention is within a group. */
int zoo_heads(struct zoo *z, const char *name, int x, int groups, int heads);
/* Keys, [groups, heads, channels / heads, tokens]: TensorFlow Lite's product
 * reads its second operand transposed, ours doesn't, so that the transposition
 * to heads does that too. */
int zoo_heads_of_keys(struct zoo *z, const char *name, int x, int groups, int heads);
/* Products of queries and keys, times a factor. */
int zoo_scores(struct zoo *z, int queries, int keys);
/* 1e-9 added to the scores: transformers' stable_softmax, a workaround for XLA. */
int zoo_stable(struct zoo *z, int scores);
/* Softmax of the scores, by values, as [groups * tokens, channels]. */
int zoo_mix(struct zoo *z, int scores, int values);
/* All of that, from [groups * tokens, channels] each. */
int zoo_attend(struct zoo *z, int queries, int keys, int values, int groups, int heads);
/* Attention of every token to all of its group, and a dense layer behind it. */
int zoo_self_attention(struct zoo *z, int x, int groups, int heads);

/* Shifts an image up and left, around its borders: a cut, and the first part behind the second, once for each
 * axis. TensorFlow Lite has no operator for it (lower_tf.cc, LowerRollOp), and PyTorch's copies as much (TensorTransformations.h, roll_common). */
int zoo_roll(struct zoo *z, const char *name, int x, int first);
/* From an image to [windows * tokens, channels], of windows of w by w, and back. */
int zoo_cut_windows(struct zoo *z, int x, int w);
int zoo_join_windows(struct zoo *z, int x, int w, int height, int width);

int zoo_norm(struct zoo *z, const char *name, int x);
/* Dense to `hidden` channels, Gelu, dense to the width of x. */
int zoo_mlp(struct zoo *z, int x, int hidden);
/* x and what comes out of its normalised and widened tokens. */
int zoo_mlp_residual(struct zoo *z, int x);

#define ZOO_TRANSFORMERS "huggingface/transformers, src/transformers/models/"

/* Of an image of side x side tokens a quarter as many, each of the four that were side by side. */
int zoo_merge_tokens(struct zoo *z, int x, int side);

#endif
