/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Parts of an operator: ranges of rows, channels or images of its output, what they read, and which share of the work and of the weights they have. Shapes
 * alone decide; no kernel is known here. */
#ifndef HS_RANGE_H
#define HS_RANGE_H

#include "input/graph.h"

/* How an operator is cut. The range is of output rows, output channels or images. */
enum hs_split { HS_SPLIT_NONE, HS_SPLIT_HEIGHT, HS_SPLIT_CHANNEL, HS_SPLIT_BATCH, HS_SPLIT_N };
extern const char *const hs_split_names[HS_SPLIT_N + 1];

struct hs_range {
  enum hs_split split;
  int64_t begin, end; /* of the split dimension of the first output; ignored for NONE */
};
extern const struct hs_range hs_range_whole;

/* The greatest common divisor of two counts, of which one isn't 0, and the least common multiple of two, of which none is. */
int64_t hs_greatest_divisor(int64_t a, int64_t b);
int64_t hs_least_multiple(int64_t a, int64_t b);

/* Extent of a split dimension; 1 for NONE and for a dimension that the shape doesn't have. */
int64_t hs_shape_extent(const struct hs_shape *s, enum hs_split split);

/* Extent of the split dimension of op's first output (1 for NONE). */
int64_t hs_split_extent(const struct hs_graph *g, const struct hs_operator *op, enum hs_split split);

/* Can this operator be cut this way at all? Height, of four dimensions: windows, convolutions and what is element-wise, but ConvTranspose and ResizeBilinear;
 * channel: windows, convolutions, what is element-wise and Gemm, but convolutions of several groups; batch: of several images whatever doesn't only move. */
bool hs_splittable(const struct hs_graph *g, const struct hs_operator *op, enum hs_split split);

/* Part of input number i that the output range needs, as a range of the same split dimension: rows with their halo for
 * HEIGHT; for CHANNEL the same channels where the operator works channel by channel, else everything (NONE); for BATCH the same images. */
struct hs_range hs_input_range(const struct hs_graph *g, const struct hs_operator *op, int i, struct hs_range out);

/* Has it no rows, channels or images? */
static inline bool hs_range_empty(struct hs_range r) { return r.split != HS_SPLIT_NONE && r.begin >= r.end; }

/* Elements of a tensor inside a range. */
double hs_range_elements(const struct hs_shape *s, struct hs_range r);

/* Share of op's work and of its weights that an output range takes, both in [0, 1]: of an empty one no work. Weights are all wanted, but by
 * channels. */
void hs_range_shares(const struct hs_graph *g, const struct hs_operator *op, struct hs_range r, double *work, double *weights);

/* Rows and columns that a part by height computes beyond the edges of its result. */
struct hs_border {
  int64_t rows, columns;
};

/* What a part `own` of a chain computes so because its next operator, `reader`, reads it for its own part `reads`: the padding of that, as rows and
 * columns like any other, since nothing pads between the operators of a chain (csu-eis/CoDL@0a0c89d, CodlOpTaskChain::UpdatePartitionShape() and
 * ConvPool2dPartPlanUtils::CalcConv2dInputShape()). `beyond` is what the reader itself computes so. */
struct hs_border hs_border_for(const struct hs_graph *g, const struct hs_operator *reader, struct hs_range reads, struct hs_border beyond, struct hs_range own);

#endif
