/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Encoders of language: BERT and TinyBERT, as Hugging Face's class TFBertModel,
 * and MobileBERT, as its authors' code exports it.
 *
 * They read the numbers of the tokens and what attention adds to the scores of
 * each (0, or much less where there is no token). What makes that of a mask of
 * ones and zeros is left out: a few operators on a number per token.
 */
#include "zoo_attention.h"

/* Of all of them; positions are learnt for up to 512 tokens, and texts have two parts. */
enum { VOCABULARY = 30522, POSITIONS = 512, PARTS = 2 };

/* The normalisation of MobileBERT is a factor and a sum for each channel; right behind a dense layer
 * the converter makes them part of its weights (optimize.cc, FuseFullyConnectedAndMul). */
static int norm(struct zoo *z, const char *name, int x, bool plain)
{
	char local[ZOO_NAME_MAX];

	if (!plain)
		return zoo_norm(z, name, x);
	snprintf(local, sizeof local, "%s_scale", name);
	x = zoo_with_constant(z, "Mul", local, x);
	return zoo_with_constant(z, "Add", name, x);
}

static int residual(struct zoo *z, const char *name, int y, int x, bool plain)
{
	char local[ZOO_NAME_MAX];

	snprintf(local, sizeof local, "%s_add", name);
	return norm(z, name, zoo_binary(z, "Add", local, y, x), plain);
}

/* Of each token a row of a table, of its position one of another and of its part one of a third. */
static int embed(struct zoo *z, int words, int x, bool plain)
{
	const int tokens = zoo_dim(z, words, 0), width = zoo_dim(z, x, 1);
	int positions = zoo_numbers(z, "positions", 1, (const int[]){tokens}), parts = zoo_numbers(z, "parts", 1, (const int[]){tokens});

	x = zoo_binary(z, "Add", "add_positions", x, zoo_gather(z, "position_rows", positions, POSITIONS, width));
	x = zoo_binary(z, "Add", "add_parts", x, zoo_gather(z, "part_rows", parts, PARTS, width));
	return norm(z, "norm", x, plain);
}

/* ---- BERT ---- */

struct bert {
	int tokens, layers, width, heads, hidden;
};

static int bert_attention(struct zoo *z, int x, int mask, int heads)
{
	const int width = zoo_dim(z, x, 1);
	int q = zoo_fc(z, "query", x, width), k = zoo_fc(z, "key", x, width), v = zoo_fc(z, "value", x, width);

	q = zoo_heads(z, "query", q, 1, heads);
	k = zoo_heads_of_keys(z, "key", k, 1, heads);
	v = zoo_heads(z, "value", v, 1, heads);
	x = zoo_stable(z, zoo_binary(z, "Add", "masked", zoo_scores(z, q, k), mask));
	return zoo_fc(z, "project", zoo_mix(z, x, v), width);
}

/* Blocks: the embedding, every layer, the pooler. Normalisation is behind both halves. */
static void bert(struct zoo *z, const struct bert *b)
{
	int words = zoo_numbers(z, "words", 1, &b->tokens), mask = zoo_numbers(z, "mask", 4, (const int[]){1, 1, 1, b->tokens}), x;

	zoo_block(z);
	zoo_scope(z, "embedding");
	x = embed(z, words, zoo_gather(z, "word_rows", words, VOCABULARY, b->width), false);
	for (int i = 0; i < b->layers; i++) {
		zoo_block(z);
		zoo_scope(z, "layer%d", i + 1);
		x = residual(z, "norm1", bert_attention(z, x, mask, b->heads), x, false);
		x = residual(z, "norm2", zoo_mlp(z, x, b->hidden), x, false);
	}
	zoo_output(z, x);
	zoo_block(z);
	x = zoo_fc(z, "pooler", zoo_slice(z, "class", x, 0, 0, 1), b->width);
	zoo_output(z, zoo_unary(z, "Tanh", "pooled", x));
}

static void bert_base_128(struct zoo *z)
{
	bert(z, &(const struct bert){128, 12, 768, 12, 3072});
}

static void tinybert4_128(struct zoo *z)
{
	bert(z, &(const struct bert){128, 4, 312, 12, 1200});
}

/* ---- MobileBERT ---- */

enum { LAYERS = 24, WIDE = 512, NARROW = 128, HIDDEN = 512, HEADS = 4, FEED_FORWARDS = 4 };

/* Of each token its row and those of its neighbours, as one. */
static int three_rows(struct zoo *z, int x)
{
	const int tokens = zoo_dim(z, x, 0);
	int next = zoo_rows_behind(z, "next", zoo_slice(z, "all_but_first", x, 0, 1, tokens - 1), 1);
	int last = zoo_rows_in_front(z, "last", zoo_slice(z, "all_but_last", x, 0, 0, tokens - 1), 1);

	return zoo_fc(z, "widen", zoo_concat_axis(z, "rows", 3, (const int[]){next, x, last}, 1), WIDE);
}

/* Queries and keys are of the narrow tokens, values of the wide ones; scores are multiplied with the mask, and what it lacks is added. */
static int narrow_attention(struct zoo *z, int wide, int mask, int lack)
{
	int shared = zoo_fc(z, "shared", wide, NARROW);
	int q = zoo_fc(z, "query", shared, NARROW), k = zoo_fc(z, "key", shared, NARROW), v = zoo_fc(z, "value", wide, NARROW);
	int x;

	q = zoo_heads(z, "query", q, 1, HEADS);
	k = zoo_heads_of_keys(z, "key", k, 1, HEADS);
	v = zoo_heads(z, "value", v, 1, HEADS);
	x = zoo_binary(z, "Mul", "masked", zoo_scores(z, q, k), mask);
	return zoo_fc(z, "project", zoo_mix(z, zoo_binary(z, "Add", "lacking", x, lack), v), NARROW);
}

static int mobilebert_layer(struct zoo *z, int wide, int mask, int lack)
{
	int x = zoo_fc(z, "narrow", wide, NARROW);

	x = residual(z, "norm", narrow_attention(z, wide, mask, lack), x, true);
	for (int i = 0; i < FEED_FORWARDS; i++) {
		char expand[ZOO_NAME_MAX], act[ZOO_NAME_MAX], shrink[ZOO_NAME_MAX], behind[ZOO_NAME_MAX];
		int y;

		snprintf(expand, sizeof expand, "expand%d", i + 1);
		snprintf(act, sizeof act, "relu%d", i + 1);
		snprintf(shrink, sizeof shrink, "shrink%d", i + 1);
		snprintf(behind, sizeof behind, "norm%d", i + 1);
		y = zoo_unary(z, "Relu", act, zoo_fc(z, expand, x, HIDDEN));
		x = residual(z, behind, zoo_fc(z, shrink, y, NARROW), x, true);
	}
	return residual(z, "wide", zoo_fc(z, "wide_fc", x, WIDE), wide, true);
}

/* Blocks: the embedding, every layer. */
static int mobilebert(struct zoo *z, int tokens)
{
	const int scores[] = {1, 1, tokens, tokens};
	int words = zoo_numbers(z, "words", 1, &tokens), mask = zoo_numbers(z, "mask", 4, scores), lack = zoo_numbers(z, "lack", 4, scores), x;

	zoo_block(z);
	zoo_scope(z, "embedding");
	x = embed(z, words, three_rows(z, zoo_gather(z, "word_rows", words, VOCABULARY, NARROW)), true);
	for (int i = 0; i < LAYERS; i++) {
		zoo_block(z);
		zoo_scope(z, "layer%d", i + 1);
		x = mobilebert_layer(z, x, mask, lack);
	}
	zoo_block(z);
	return x;
}

/* The first token's channels are handed on as they are; two classes. */
static void mobilebert_128(struct zoo *z)
{
	zoo_output(z, zoo_fc(z, "logits", zoo_slice(z, "class", mobilebert(z, 128), 0, 0, 1), 2));
}

/* Where an answer begins and where it ends. */
static void mobilebert_384(struct zoo *z)
{
	zoo_output(z, zoo_fc(z, "logits", mobilebert(z, 384), 2));
}

#define TF_BERT ZOO_TRANSFORMERS "bert/modeling_tf_bert.py@e2cbaf0, "
#define MOBILEBERT "Sun et al., MobileBERT: a Compact Task-Agnostic BERT for Resource-Limited Devices, ACL 2020, as in google-research/google-research, " \
	"mobilebert/modeling.py@0c1bbe5, uncased_L-24_H-128_B-512_A-4_F-4_OPT; count: paper, 25.3 M parameters, 5.7 G operations with 128 tokens"

const struct zoo_network zoo_bert_networks[] = {
	{"bert_base_128", "BERT-base uncased, 128 tokens",
	 "Devlin et al., BERT, NAACL 2019, as in " TF_BERT "bert-base-uncased; "
	 "count: paper, 110 M parameters; MobileBERT's paper, 109 M, 22.5 G operations with 128 tokens",
	 bert_base_128},
	{"tinybert4_128", "TinyBERT with four layers of 312 channels, 128 tokens",
	 "Jiao et al., TinyBERT, Findings of EMNLP 2020, as in " TF_BERT "huawei-noah/TinyBERT_General_4L_312D; count: paper, 14.5 M parameters, 1.2 G operations",
	 tinybert4_128},
	{"mobilebert_128", "MobileBERT uncased, 128 tokens, two classes", MOBILEBERT, mobilebert_128},
	{"mobilebert_384", "MobileBERT for questions of SQuAD, 384 tokens, as in MLPerf Mobile", MOBILEBERT, mobilebert_384},
	{0}
};
