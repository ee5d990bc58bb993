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

/* Add or Mul of x and a constant. */
int zoo_with_constant(struct zoo *z, const char *kind, const char *name, int x);

/* An image as a list of tokens, and back. */
int zoo_tokens(struct zoo *z, const char *name, int x);
int zoo_image(struct zoo *z, const char *name, int x, int height, int width);

/* Queries or values of each head: from [groups * tokens, channels] to
 * [groups, heads, tokens, channels / heads]. */
int zoo_heads(struct zoo *z, const char *name, int x, int groups, int heads);
/* Keys, [groups, heads, channels / heads, tokens]: TensorFlow Lite's product
 * reads its second operand transposed, ours doesn't, so that the transposition
 * to heads does that too. */
int zoo_heads_of_keys(struct zoo *z, const char *name, int x, int groups, int heads);
/* Products of queries and keys, times a factor. */
int zoo_scores(struct zoo *z, int queries, int keys);
/* Softmax of the scores, by values, as [groups * tokens, channels]. transformers
 * adds 1e-9 in front of the Softmax, a workaround for XLA. */
int zoo_mix(struct zoo *z, int scores, int values);
/* Attention of every token to all of x, and a dense layer behind it. */
int zoo_self_attention(struct zoo *z, int x, int heads);

/* Dense to `hidden` channels, Gelu, dense to the width of x. */
int zoo_mlp(struct zoo *z, int x, int hidden);

#endif
