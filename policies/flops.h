/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The latency regression that CoDL gave to the µLayer: two features of a layer, one line per processor and kind of layer.
 *
 * Source: csu-eis/CoDL@0a0c89d, flops_lr_fit.py and the predictors of FLOPS_BACKEND. Convolution: H·W·C of the input, and
 * (K/S)²·C of the output; pooling: elements of input and output; fully connected: input and output features. The part of an operator
 * that is cut by output channel has the whole input and its share of the output. Nothing keeps a prediction from being negative.
 *
 * It is trained here as there: on whole layers of the networks that CoDL was measured with, each timed by itself, least squares (the release's
 * 10000 steps of gradient descent lead there) over seconds; 30 % are kept out, on which it is tested. Its times are those of the
 * simulated kernels, so nothing of it comes from a published latency. */
#ifndef HS_FLOPS_H
#define HS_FLOPS_H

#include "model/cost.h"

enum { HS_FEATURES = 2 };

/* seconds = of[0] · feature 0 + of[1] · feature 1 + constant */
struct hs_line {
  double of[HS_FEATURES], constant;
};

enum hs_layer { HS_LAYER_CONV, HS_LAYER_POOL, HS_LAYER_GEMM, HS_LAYER_N };

/* One processor's. */
struct hs_flops {
  struct hs_line line[HS_LAYER_N];
  int n_trained[HS_LAYER_N];                      /* 0: the processor runs too few of the layers for a line */
  int n_tested[HS_LAYER_N], n_within[HS_LAYER_N]; /* layers kept out; those predicted within 10 % */
};

/* The line of least squares through n > HS_FEATURES points. */
struct hs_line hs_flops_fit(const double (*features)[HS_FEATURES], const double *seconds, int n);

/* Of the part of a convolution, a pooling or a fully connected operator that computes `range`, which is none or of channels. */
void hs_flops_features(const struct hs_graph *g, const struct hs_operator *op, struct hs_range range, double *features);

void hs_flops_train(const struct hs_system *sys, int processor, struct hs_flops *f);

/* INFINITY where there's no line. */
double hs_flops_seconds(const struct hs_flops *f, const struct hs_graph *g, const struct hs_operator *op, struct hs_range range);

#endif
